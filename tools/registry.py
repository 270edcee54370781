"""What a tool is, and which tools there are."""

from __future__ import annotations

import copy
import hashlib
import importlib
import importlib.util
import re
import sys
import traceback
import typing
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from tools.errors import NotCallable, ToolDefinitionError
from tools.schema import check_schema, schema_name, tool_parameters, tool_schema
from tools.slots.slot import Slot

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from types import ModuleType

Stage = Literal["production", "development", "planning"]
_F = TypeVar("_F", bound=Callable[..., Any])
_MARK = "__money_minder_tool__"
#: What OpenAI's interface, and others after it, take as the name of a function.
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")

#: The modules whose tools the program offers.
BUILT_IN = (
    "tools.apps.spending",
    "tools.apps.transactions",
    "tools.apps.comparison",
    "tools.apps.extremes",
    "tools.apps.income",
    "tools.apps.status",
    "tools.apps.figures",
    "tools.apps.focus",
    "tools.apps.settings",
    "tools.apps.memories",
    "tools.apps.categories",
)


@dataclass(frozen=True)
class Tool:
    """A function that the agent can call, with what a planner or model must know to choose it."""

    name: str
    function: Callable[..., Any]
    schema: dict[str, Any]
    app: str = ""
    examples: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    stage: Stage = "production"
    writes: bool = False
    batch: bool = False
    """Whether one call may hold several requests (:mod:`tools.batches`)."""
    slots: dict[str, Slot] = field(default_factory=dict)

    @property
    def description(self) -> str:
        """What it does, for people and models."""
        return str(self.schema["function"].get("description", ""))

    @property
    def parameters(self) -> dict[str, Any]:
        """Its parameters as a JSON schema object."""
        parameters: dict[str, Any] = self.schema["function"]["parameters"]
        return parameters

    @property
    def required(self) -> tuple[str, ...]:
        """The parameters that a call must give."""
        return tuple(self.parameters.get("required", ()))


@overload
def tool(function: _F, /) -> _F: ...


@overload
def tool(
    *,
    app: str = ...,
    name: str | None = ...,
    schema: dict[str, Any] | None = ...,
    examples: Iterable[str] = ...,
    keywords: Iterable[str] = ...,
    stage: Stage = ...,
    writes: bool = ...,
    batch: bool = ...,
) -> Callable[[_F], _F]: ...


def tool(  # noqa: PLR0913 - a tool's whole description
    function: _F | None = None,
    /,
    *,
    app: str = "",
    name: str | None = None,
    schema: dict[str, Any] | None = None,
    examples: Iterable[str] = (),
    keywords: Iterable[str] = (),
    stage: Stage = "production",
    writes: bool = False,
    batch: bool = False,
) -> _F | Callable[[_F], _F]:
    """Mark a typed function as a tool and return it unchanged; ``tool_of`` gives the :class:`Tool`.

    The name is ``app-function`` unless given. The schema comes from the signature and docstring unless given; a given
    one counts whole, its name included, except where ``name`` says another.

    Raises:
        ToolDefinitionError: a blank name, a parameter without a hint, a schema that contradicts the signature.
    """

    def mark(function: _F) -> _F:
        made = replace(
            _define(function, schema=schema, name=name, app=app),
            examples=tuple(examples),
            keywords=tuple(keywords),
            stage=stage,
            writes=writes,
            batch=batch,
        )
        if batch and {"id", "requests"} & made.parameters["properties"].keys():
            raise ToolDefinitionError("takes batches, so no parameter of it can be called id or requests", made.name)
        try:
            setattr(function, _MARK, made)
        except AttributeError as error:  # a method of an object
            raise ToolDefinitionError("can't be marked; put it into a list: Registry([…])", made.name) from error
        return function

    return mark if function is None else mark(function)


def _define(
    function: Callable[..., Any], schema: dict[str, Any] | None = None, name: str | None = None, app: str = ""
) -> Tool:
    """Return the tool that a function is by its signature, or by a schema written for it."""
    if not callable(function):
        raise NotCallable("is not callable", repr(function))
    if schema is None:
        made = tool_schema(function)
        own_name = made["function"]["name"]
        full_name = f"{app}-{own_name}" if app else own_name
    else:
        check_schema(schema, function)
        made = copy.deepcopy(schema)
        full_name = made["function"]["name"]
    full_name = full_name if name is None else name
    if not _NAME.fullmatch(full_name):
        reason = f"can't be named {full_name!r}: a tool's name is 1 to 64 letters, digits, hyphens and underscores"
        raise ToolDefinitionError(reason, made["function"]["name"])
    made["function"]["name"] = full_name
    return Tool(name=full_name, function=function, schema=made, app=app, slots=_slots(function))


def tool_of(function: Callable[..., Any]) -> Tool:
    """Return the tool that a function was marked as.

    Raises:
        ToolDefinitionError: it was not.
    """
    found = getattr(function, _MARK, None)
    if not isinstance(found, Tool):
        raise ToolDefinitionError(f"{getattr(function, '__name__', function)!r} is not marked with @tool.")
    # A decorator put over a tool takes the mark along; what is to be called is the decorated function.
    return found if found.function is function else replace(found, function=function)


def _tool_from(listed: Tool | Callable[..., Any] | dict[str, Any], handlers: Mapping[str, Callable[..., Any]]) -> Tool:
    """Return the tool that an entry of a list stands for."""
    if isinstance(listed, Tool):
        return listed
    if not isinstance(listed, dict):
        return tool_of(listed) if _is_marked(listed) else _define(listed)
    name = schema_name(listed)
    if name not in handlers:
        raise ToolDefinitionError(f"No registered handler found for tool {name!r}.")
    made = _define(handlers[name], schema=listed)
    # A handler that is a tool itself keeps all but its schema: whether it writes, its app, its examples.
    return replace(tool_of(made.function), name=name, schema=made.schema) if _is_marked(made.function) else made


def _is_marked(value: object) -> bool:
    return isinstance(getattr(value, _MARK, None), Tool)


class Registry:
    """The tools of this program by name, in the order in which they were added."""

    def __init__(
        self,
        tools: Iterable[Tool | Callable[..., Any] | dict[str, Any]] = (),
        handlers: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        """Start with some tools; see :meth:`extend`."""
        self._tools: dict[str, Tool] = {}
        self.extend(tools, handlers)

    @classmethod
    def built_in(cls, extra_modules: Iterable[str] = ()) -> Registry:
        """Return the program's own tools and those of further modules, given by import path or as ``.py`` files.

        Raises:
            ToolDefinitionError: a further module can't be loaded, has no tools or one whose name is taken.
        """
        registry = cls(each for module in BUILT_IN for each in _tools_in(importlib.import_module(module)))
        for source in extra_modules:
            try:
                registry.extend(_tools_in(_load(source)))
            except (Exception, SystemExit) as error:
                raise ToolDefinitionError(f"{source}{_line_in(source, error)}: {_reason(error)}") from error
        return registry

    def add(self, added: Tool) -> None:
        """Add one tool.

        Raises:
            ToolDefinitionError: a tool of that name is there already.
        """
        self.extend((added,))

    def extend(
        self,
        tools: Iterable[Tool | Callable[..., Any] | dict[str, Any]],
        handlers: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        """Add tools, typed functions (marked with :func:`tool` or not) and OpenAI function schemas: all of them, or none.

        ``handlers`` holds the function of each schema, by the schema's name.

        Raises:
            ToolDefinitionError: one is no tool, has no handler, or has the name of another.
        """
        together = dict(self._tools)
        for each in tools:
            added = _tool_from(each, handlers or {})
            if added.name in together:
                raise ToolDefinitionError(f"There are two tools named {added.name!r}.")
            together[added.name] = added
        self._tools = together

    def get(self, name: str) -> Tool | None:
        """Return the tool of that name, or None."""
        return self._tools.get(name)

    def offered(self, environment: str = "production", switched_off: Collection[str] = ()) -> list[Tool]:
        """Return the tools that may be offered and run; ``switched_off`` names tools and apps."""
        stages = {"production"} if environment == "production" else {"production", "development"}
        return [
            each
            for each in self._tools.values()
            if each.stage in stages and each.name not in switched_off and each.app not in switched_off
        ]

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)


def _tools_in(module: ModuleType) -> list[Tool]:
    """Return the tools that a module defines itself; raises ToolDefinitionError where there are none."""
    own = {id(each): each for each in vars(module).values() if _is_marked(each) and each.__module__ == module.__name__}
    if not own:
        raise ToolDefinitionError("there is no function marked with @tool")
    return [tool_of(each) for each in own.values()]


def _load(source: str) -> ModuleType:
    """Import a module by its path of imports, or run a file whose name ends in ``.py``."""
    if not source.endswith(".py"):
        return importlib.import_module(source)
    path = _path_of(source)
    if not path.is_file():
        raise ToolDefinitionError("there is no such file")
    # Of two files of the same name each is a module of its own.
    name = f"extra_tools_{hashlib.sha256(str(path).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _path_of(source: str) -> Path:
    path = Path(source)
    with suppress(RuntimeError):  # the home of somebody whom this machine doesn't know
        path = path.expanduser()
    return path.absolute()


def _line_in(source: str, error: BaseException) -> str:
    """Return where in the source the error arose, as far as that is known."""
    path = str(_path_of(source))
    if isinstance(error, SyntaxError):
        lines = [error.lineno] if error.filename == path else []
    else:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return f", line {lines[-1]}" if lines and lines[-1] is not None else ""


def _reason(error: BaseException) -> str:
    if isinstance(error, ToolDefinitionError):
        return str(error)
    reason = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {' '.join(reason.split())}"


def _slots(function: Callable[..., Any]) -> dict[str, Slot]:
    """Return the slots among a function's annotations, by parameter."""
    found = {parameter.name: _slot_in(parameter.hint) for parameter in tool_parameters(function)}
    return {name: slot for name, slot in found.items() if slot is not None}


def _slot_in(hint: Any) -> Slot | None:
    for part in (*getattr(hint, "__metadata__", ()), *typing.get_args(hint)):
        if isinstance(part, Slot):
            return part
        if typing.get_origin(part) is not None and (inner := _slot_in(part)) is not None:
            return inner
    return None
