"""What a tool is, and which tools there are."""

from __future__ import annotations

import copy
import importlib
import re
import typing
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from tools.definition import check_definition, check_own, line_of, read_texts
from tools.errors import NotCallable, SchemaMismatch, ToolDefinitionError
from tools.loading import load, unusable
from tools.schema import check_schema, schema_name, tool_parameters, tool_schema
from tools.schema.signature import function_name
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
    "tools.apps.balances",
    "tools.apps.accounts",
    "tools.apps.recurring",
    "tools.apps.price_changes",
    "tools.apps.prices",
    "tools.apps.measures",
    "tools.apps.ranks",
    "tools.apps.insights",
    "tools.apps.status",
    "tools.apps.figures",
    "tools.apps.focus",
    "tools.apps.settings",
    "tools.apps.memories",
    "tools.apps.categories",
    "tools.apps.refunds",
    "tools.apps.merging",
    "tools.apps.linking",
    "tools.apps.unlinking",
    "tools.apps.corrections",
    "tools.apps.changes_made",
    "tools.apps.entries",
    "tools.apps.ignoring",
    "tools.apps.unsure",
)


@dataclass(frozen=True, slots=True)
class Free:
    """Marks a parameter that a model may choose by itself, ``Annotated[bool, Free("only the layout")]``, and says why.

    Every other argument of a model must be in the person's words. What can change a figure is never free.
    """

    reason: str


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
    free: dict[str, Free] = field(default_factory=dict)
    """The parameters that a model may choose by itself, each with the reason."""
    apart: bool = False
    """Whether it runs apart from the program's event loop, as what comes from a file of somebody's own does."""

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
    app: str | None = ...,
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
    app: str | None = None,
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

    A tool that ``writes`` is declared to return a :class:`tools.results.Result`; what it would do is the change in it.

    Raises:
        ToolDefinitionError: a blank name, a parameter without a hint, a schema that contradicts the signature.
    """

    def mark(function: _F) -> _F:
        if app is not None and not app.strip():
            raise ToolDefinitionError("has an empty app name; leave app out, or name one", function_name(function))
        made = _define(function, schema=schema, name=name, app=app or "")
        made = replace(
            made,
            examples=read_texts(examples, "examples", made.name),
            keywords=read_texts(keywords, "keywords", made.name),
            stage=stage,
            writes=writes,
            batch=batch,
        )
        check_definition(made)
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
    slots: dict[str, Slot] = _marked(function, Slot)
    free: dict[str, Free] = _marked(function, Free)
    return Tool(name=full_name, function=function, schema=made, app=app, slots=slots, free=free)


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
        check_definition(listed)
        return listed
    if not isinstance(listed, dict):
        return tool_of(listed) if _is_marked(listed) else _define(listed)
    name = schema_name(listed)
    if name not in handlers:
        raise ToolDefinitionError(f"No registered handler found for tool {name!r}.")
    try:
        made = _define(handlers[name], schema=listed)
    except SchemaMismatch as error:  # the schema is what is wrong, so it is named and not the function
        raise SchemaMismatch(error.reason, name, error.parameter) from error
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
                found = _tools_in(load(source))
            except (Exception, SystemExit) as error:
                raise unusable(source, error) from error
            for each in found:
                try:
                    check_own(each)
                    registry.add(replace(each, apart=True))
                except ToolDefinitionError as error:
                    raise unusable(source, error, line_of(each.function)) from error
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


def _marked(function: Callable[..., Any], kind: type) -> dict[str, Any]:
    """Return what marks of a kind there are among a function's annotations, by parameter."""
    found = {parameter.name: _mark_in(parameter.hint, kind) for parameter in tool_parameters(function)}
    return {name: mark for name, mark in found.items() if mark is not None}


def _mark_in(hint: Any, kind: type) -> Any:
    for part in (*getattr(hint, "__metadata__", ()), *typing.get_args(hint)):
        if isinstance(part, kind):
            return part
        if typing.get_origin(part) is not None and (inner := _mark_in(part, kind)) is not None:
            return inner
    return None
