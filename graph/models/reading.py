"""Reading a model's reply: native calls first, then JSON by grammar, then calls written as text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graph.text_calls import parse_tool_calls
from graph.text_calls.families import Names
from graph.text_calls.objects import read_arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.models.model import ModelReply

_NOTHING = "none"
_STATED = ({"tool", "arguments"}, {"tool", "arguments", "more"})
_MORE = re.compile(r"[\"']?more[\"']?\s*:\s*true\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call as a model wrote it; arguments that are no object stand as they came, and validation refuses them."""

    name: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class ReadReply:
    """The calls of a reply, how they were written, whether it says that no tool fits, and whether it asks for another round."""

    calls: tuple[WrittenCall, ...]
    form: str
    says_none: bool = False
    more: bool = False


def read_calls(reply: ModelReply, offered: Sequence[str]) -> ReadReply:
    """Return the calls in a reply; unknown names are kept where they are no prose, so that the model is told about them.

    A model with native calls is asked again after them, as it expects; the others say so with ``"more": true``.
    """
    names = Names((*offered, _NOTHING))
    if reply.native_calls:
        written = [(name, _read_arguments(arguments)) for name, arguments in reply.native_calls]
        return _reply(written, "native", names, more=True)
    stated = _stated(reply.text)
    if stated is not None:
        return _reply(
            [(stated["tool"], _read_arguments(stated["arguments"]))], "grammar", names, stated.get("more") is True
        )
    found = parse_tool_calls(reply.text, (*offered, _NOTHING))
    return _reply([(call.name, call.arguments) for call in found], "text", names, bool(_MORE.search(reply.text)))


def _reply(written: Sequence[tuple[str, Any]], form: str, names: Names, more: bool) -> ReadReply:
    named = [WrittenCall(names.resolve(name) or name, arguments) for name, arguments in written]
    calls = tuple(call for call in named if call.name != _NOTHING)
    return ReadReply(calls, form, says_none=bool(named) and not calls, more=more and bool(calls))


def _read_arguments(written: Any) -> Any:
    """Return arguments that came as a text of JSON as the object they are; none at all are an empty one."""
    if written is None or (isinstance(written, str) and not written.strip()):
        return {}
    if not isinstance(written, str):
        return written
    try:
        inner = json.loads(written)
    except (ValueError, RecursionError):
        inner = None
    found = read_arguments(inner if isinstance(inner, str) else written)
    return written if found is None else found


def _stated(text: str) -> dict[str, Any] | None:
    """Read the one JSON object of our grammar, nothing around it."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.keys() not in _STATED or not isinstance(value["tool"], str):
        return None
    return value if isinstance(value["arguments"], (dict, str)) else None
