"""What is wrong with a tool's definition, found when it is loaded rather than when somebody needs it."""

from __future__ import annotations

import inspect
import re
import typing
from collections import abc
from collections.abc import Iterable
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NewType, Union, get_args, get_origin

from tools.errors import ToolDefinitionError
from tools.results import Result
from tools.schema.signature import MISSING, UNRESOLVED, names_in_reach, resolve, tool_parameters
from tools.schema.validation import find_problems
from tools.schema.wording import shorten
from tools.slots.slot import Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tools.registry import Tool

STAGES = ("production", "development", "planning")
_SCALARS = (str, int, float, bool)
_PLACE = re.compile(r"\{\s*([^{}]*?)\s*\}")
#: What says of a value nothing but that there may be one.
_ANYTHING = (Any, object, typing.Never, typing.NoReturn)
_WAITED_FOR = (abc.Awaitable, abc.Coroutine)


def read_texts(texts: Iterable[str], what: str, name: str) -> tuple[str, ...]:
    """Return examples or keywords as they are kept; raises ToolDefinitionError where they are no list of texts."""
    read: tuple[Any, ...] = tuple(texts) if isinstance(texts, Iterable) and not isinstance(texts, str) else (None,)
    if not all(isinstance(each, str) and each.strip() for each in read):
        raise ToolDefinitionError(f"has {what} that are not a list of texts: {shorten(texts)}", name)
    return read


def check_definition(tool: Tool) -> None:
    """Raise ToolDefinitionError for what no tool may be, wherever it comes from."""
    if tool.stage not in STAGES:
        raise ToolDefinitionError(f"has an unknown stage {tool.stage!r}; the stages are {', '.join(STAGES)}", tool.name)
    for what in ("examples", "keywords"):
        read_texts(getattr(tool, what), what, tool.name)
    _check_places(tool)
    _check_defaults(tool)
    if tool.writes:
        _check_writer(tool)


def check_own(tool: Tool) -> None:
    """Raise ToolDefinitionError for what a tool in a file of somebody's own lacks to be found and shown."""
    if not tool.description.strip():
        raise ToolDefinitionError("has no description; its docstring says to people and models what it does", tool.name)
    hint = _returned(tool)
    if hint is MISSING:
        return
    for leaf in _leaves(hint):
        if not (leaf in _ANYTHING or (isinstance(leaf, type) and issubclass(leaf, str | Result))):
            shown = getattr(leaf, "__name__", None) or str(leaf)
            raise ToolDefinitionError(f"returns {shown}, which can't be shown; return a text or a Result", tool.name)


def line_of(function: Callable[..., Any]) -> int | None:
    """Return where in its file a function begins."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return None if code is None else int(code.co_firstlineno)


def _check_defaults(tool: Tool) -> None:
    shown = {name: schema for name, schema in tool.parameters["properties"].items() if "default" in schema}
    misfits = {name: each["default"] for name, each in shown.items() if find_problems(each["default"], each)}
    for each in tool_parameters(tool.function):  # what has no JSON form is not in the schema
        given = each.name not in shown and each.default is not MISSING and each.default is not None
        if given and each.hint in _SCALARS and not isinstance(each.default, each.hint):
            misfits[each.name] = each.default
    for name, default in misfits.items():
        raise ToolDefinitionError(f"has a default that doesn't fit its hint: {shorten(default)}", tool.name, name)


def _check_places(tool: Tool) -> None:
    known = _slot_names() | {slot.name for slot in tool.slots.values()}
    for example in tool.examples:
        unknown = next((each for each in _PLACE.findall(example) if each not in known), None)
        if unknown is not None:
            reason = f"has an example with {{{unknown}}}, and there is no such slot; the slots are {', '.join(sorted(known))}"
            raise ToolDefinitionError(reason, tool.name)


@cache
def _slot_names() -> frozenset[str]:
    from tools import slots

    hints = [getattr(slots, name) for name in slots.__all__]
    parts = (part for hint in hints for part in getattr(hint, "__metadata__", ()))
    return frozenset(part.name for part in parts if isinstance(part, Slot))


def _check_writer(tool: Tool) -> None:
    """Refuse a tool that writes and can't propose: run for its proposal, it would do the work."""
    if tool.batch:
        raise ToolDefinitionError("writes, and each change is confirmed by itself, so it takes no batches", tool.name)
    hint = _returned(tool)
    if not any(isinstance(leaf, type) and issubclass(leaf, Result) for leaf in _leaves(hint)):
        reason = "writes, so it must be declared to return a Result, which holds the Change that a person is to confirm"
        raise ToolDefinitionError(reason, tool.name)


def _returned(tool: Tool) -> Any:
    """Return the hint of what a tool returns; ``MISSING`` where there is none."""
    function: Any = tool.function
    annotation = inspect.signature(function).return_annotation
    try:
        return resolve(annotation, names_in_reach(function))
    except UNRESOLVED as error:
        reason = f"has a return hint that can't be resolved: {annotation!r}; import what it names at runtime as well"
        raise ToolDefinitionError(reason, tool.name) from error


def _leaves(hint: Any) -> Iterator[Any]:
    """Yield what a value of a hint may be, alternatives one by one."""
    origin, parts = get_origin(hint), get_args(hint)
    if isinstance(hint, NewType):
        yield from _leaves(hint.__supertype__)
    elif origin is Annotated or origin in _WAITED_FOR:
        yield from _leaves(parts[-1] if origin in _WAITED_FOR else parts[0])
    elif origin in (Union, UnionType):
        for part in parts:
            yield from _leaves(part)
    elif origin is Literal:
        yield from {type(part) for part in parts}
    else:
        yield origin or hint
