"""What a tool is, and which tools there are."""

from __future__ import annotations

import importlib
import typing
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from tools.errors import ToolDefinitionError
from tools.schema import check_schema, tool_schema
from tools.slots.slot import Slot

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

Stage = Literal["production", "development", "planning"]
_F = TypeVar("_F", bound=Callable[..., Any])
_MARK = "__money_minder_tool__"

#: The modules whose tools the program offers.
BUILT_IN = (
    "tools.apps.spending",
    "tools.apps.transactions",
    "tools.apps.comparison",
    "tools.apps.extremes",
    "tools.apps.income",
    "tools.apps.status",
    "tools.apps.figures",
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
) -> _F | Callable[[_F], _F]:
    """Mark a typed function as a tool and return it unchanged; ``tool_of`` gives the :class:`Tool`.

    The name is ``app-function`` unless given. The schema comes from the signature and docstring unless given.

    Raises:
        ToolDefinitionError: a blank name, a parameter without a hint, a schema that contradicts the signature.
    """

    def mark(function: _F) -> _F:
        own_name = str(getattr(function, "__name__", ""))
        full_name = name if name is not None else f"{app}-{own_name}" if app else own_name
        if not full_name.strip():
            raise ToolDefinitionError("A tool needs a name.")
        if schema is not None:
            check_schema(schema, function)
        made = schema if schema is not None else tool_schema(function)
        made = {**made, "function": {**made["function"], "name": full_name}}
        setattr(
            function,
            _MARK,
            Tool(
                name=full_name,
                function=function,
                schema=made,
                app=app,
                examples=tuple(examples),
                keywords=tuple(keywords),
                stage=stage,
                writes=writes,
                slots=_slots(function),
            ),
        )
        return function

    return mark if function is None else mark(function)


def tool_of(function: Callable[..., Any]) -> Tool:
    """Return the tool that a function was marked as.

    Raises:
        ToolDefinitionError: it was not.
    """
    found = getattr(function, _MARK, None)
    if not isinstance(found, Tool):
        raise ToolDefinitionError(f"{getattr(function, '__name__', function)!r} is not marked with @tool.")
    return found


class Registry:
    """The tools of this program by name, in the order in which they were added."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        """Add tools; a name that comes twice is refused."""
        self._tools: dict[str, Tool] = {}
        for each in tools:
            self.add(each)

    @classmethod
    def built_in(cls, extra_modules: Iterable[str] = ()) -> Registry:
        """Return the program's own tools and those of further modules."""
        registry = cls()
        for module in (*BUILT_IN, *extra_modules):
            for value in vars(importlib.import_module(module)).values():
                if isinstance(getattr(value, _MARK, None), Tool) and value.__module__ == module:
                    registry.add(tool_of(value))
        return registry

    def add(self, added: Tool) -> None:
        """Add one tool.

        Raises:
            ToolDefinitionError: a tool of that name is there already.
        """
        if added.name in self._tools:
            raise ToolDefinitionError(f"There are two tools named {added.name!r}.")
        self._tools[added.name] = added

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


def _slots(function: Callable[..., Any]) -> dict[str, Slot]:
    """Return the slots among a function's annotations, by parameter."""
    found: dict[str, Slot] = {}
    for parameter, hint in typing.get_type_hints(function, include_extras=True).items():
        slot = _slot_in(hint)
        if slot is not None and parameter != "return":
            found[parameter] = slot
    return found


def _slot_in(hint: Any) -> Slot | None:
    for part in (*getattr(hint, "__metadata__", ()), *typing.get_args(hint)):
        if isinstance(part, Slot):
            return part
        if typing.get_origin(part) is not None and (inner := _slot_in(part)) is not None:
            return inner
    return None
