"""A function's parameters with their resolved hints, and the same for the fields of a class."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Hashable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NotRequired, Required, TypeVar, get_args, get_origin, get_type_hints

from tools.errors import NotCallable, PositionalOnly, UnresolvedHint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_T = TypeVar("_T")
MISSING: Any = inspect.Parameter.empty
_SKIPPED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_IMPORTED = "what hints name must be there at runtime, not only under TYPE_CHECKING"
#: What evaluating an annotation may raise.
UNRESOLVED = (NameError, AttributeError, SyntaxError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter or field; ``hint`` and ``default`` are ``MISSING`` where there is none.

    ``injected`` parameters (annotated with a class that has ``__injected__ = True``) are filled by the runner and are
    neither shown to the model nor taken from it.
    """

    name: str
    hint: Any
    default: Any = MISSING
    required: bool = True
    injected: bool = False


def function_name(function: Callable[..., Any]) -> str:
    """Return the function's own name; raises NotCallable where it has none that a model could write."""
    name = getattr(plain_function(function), "__name__", "") or type(function).__name__
    if not name.isidentifier():
        raise NotCallable("needs a name: define it with def", name or repr(function))
    return name


def plain_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what stands behind decorators, partial applications and callable objects: where hints and docs are."""
    plain: Callable[..., Any] = inspect.unwrap(function)
    while isinstance(plain, functools.partial):
        plain = inspect.unwrap(plain.func)
    return plain


def names_in_reach(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the names that the function's own source could use: its module's and those it closes over."""
    plain: Any = plain_function(function)
    if not hasattr(plain, "__code__"):
        plain = plain.__init__ if inspect.isclass(plain) else plain.__call__
    code, cells = getattr(plain, "__code__", None), getattr(plain, "__closure__", None) or ()
    closed = {} if code is None else dict(zip(code.co_freevars, cells, strict=False))
    names = dict(getattr(plain, "__globals__", {}))
    for name, cell in closed.items():
        try:
            names[name] = cell.cell_contents
        except ValueError:  # bound only later, as a recursive local function is while it is being defined
            continue
    return names


def tool_parameters(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Return the parameters in order, ``*args`` and ``**kwargs`` left out.

    Raises NotCallable, PositionalOnly or UnresolvedHint; a missing hint is no error here, since a given schema may
    stand in for it.
    """
    if not callable(function):
        raise NotCallable("is not callable", repr(function))
    return once(_read_parameters, function)


def once(read: functools._lru_cache_wrapper[_T], function: Callable[..., Any]) -> _T:
    """Read something from a function through its cache; a callable that can't be hashed is read every time."""
    return read(function) if isinstance(function, Hashable) else read.__wrapped__(function)


@functools.lru_cache(maxsize=1024)
def _read_parameters(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    name = function_name(function)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise NotCallable("has no readable signature; wrap it in a function of your own", name) from error
    names = names_in_reach(function)
    found = []
    for parameter in signature.parameters.values():
        if parameter.kind in _SKIPPED:
            continue
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            raise PositionalOnly("is positional-only; tools are called with keyword arguments", name, parameter.name)
        try:
            hint = resolve(parameter.annotation, names)
        except UNRESOLVED as error:
            reason = f"has an annotation that can't be resolved: {parameter.annotation!r} ({error}); {_IMPORTED}"
            raise UnresolvedHint(reason, name, parameter.name) from error
        absent = parameter.default is MISSING
        found.append(Parameter(parameter.name, hint, parameter.default, absent, injected=_is_injected(hint)))
    return tuple(found)


def takes_any_keyword(function: Callable[..., Any]) -> bool:
    """Whether the function has ``**kwargs``."""
    kinds = (parameter.kind for parameter in inspect.signature(function).parameters.values())
    return inspect.Parameter.VAR_KEYWORD in kinds


def is_typed_dict(cls: type) -> bool:
    """Whether the class is a TypedDict, be it of typing or of typing_extensions."""
    return hasattr(cls, "__required_keys__")


def class_fields(cls: type, names: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """Return the keys of a TypedDict, or what the class's constructor takes by name; empty if it can't be known.

    Dataclasses, named tuples, pydantic models and plain classes alike are what their constructor says they are.
    """
    if is_typed_dict(cls):
        return tuple(_typed_dict_key(cls, name, hint) for name, hint in _hints(cls, names).items())
    try:
        parameters = list(inspect.signature(cls).parameters.values())
    except (TypeError, ValueError):
        return ()
    hints = _hints(cls, names)
    constructor = inspect.getattr_static(cls, "__init__")
    if inspect.isfunction(constructor):
        hints |= _hints(constructor, names)
    parameters = [parameter for parameter in parameters if parameter.kind not in _SKIPPED]
    if any(parameter.name not in hints or parameter.kind is parameter.POSITIONAL_ONLY for parameter in parameters):
        return ()
    return tuple(
        Parameter(parameter.name, hints[parameter.name], parameter.default, parameter.default is MISSING)
        for parameter in parameters
    )


def _typed_dict_key(cls: Any, name: str, hint: Any) -> Parameter:
    # Postponed annotations hide Required and NotRequired from __required_keys__, so they are read again here.
    required = name in cls.__required_keys__
    while get_origin(hint) in {Required, NotRequired}:
        required = get_origin(hint) is Required
        (hint,) = get_args(hint)
    return Parameter(name, hint, required=required)


def _hints(owner: Any, names: Mapping[str, Any]) -> dict[str, Any]:
    """Resolve in the owner's own module; classes made elsewhere than at module level see the function's names too."""
    try:
        return get_type_hints(owner, include_extras=True)
    except NameError:
        own = vars(sys.modules.get(owner.__module__, SimpleNamespace()))
        return get_type_hints(owner, localns={owner.__name__: owner, **names, **own}, include_extras=True)


def resolve(annotation: Any, names: Mapping[str, Any]) -> Any:
    """Return an annotation with everything that it writes as text evaluated; raises one of UNRESOLVED."""
    if annotation is MISSING:
        return MISSING
    holder = SimpleNamespace(__annotations__={"it": annotation})
    return get_type_hints(holder, globalns=dict(names), include_extras=True)["it"]


def _is_injected(hint: Any) -> bool:
    return any(getattr(one, "__injected__", False) is True for one in (hint, *get_args(hint)))
