"""Reading a model's reply: native calls first, then JSON by grammar, then calls written as text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graph.text_calls import parse_tool_calls
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.models.model import ModelReply

_NOTHING = "none"


@dataclass(frozen=True, slots=True)
class ReadReply:
    """The calls of a reply, how they were written, and whether it says that no tool fits."""

    calls: tuple[Call, ...]
    form: str
    says_none: bool = False


def read_calls(reply: ModelReply, offered: Sequence[str]) -> ReadReply:
    """Return the calls in a reply; unknown names of native calls are kept, so that the model is told about them."""
    if reply.native_calls:
        calls = tuple(
            Call(name, arguments if isinstance(arguments, dict) else {}) for name, arguments in reply.native_calls
        )
        return ReadReply(calls, "native")
    stated = _stated(reply.text)
    if stated is not None:
        name, arguments = stated
        if name == _NOTHING:
            return ReadReply((), "grammar", says_none=True)
        return ReadReply((Call(name, arguments),), "grammar")
    found = parse_tool_calls(reply.text, [*offered, _NOTHING])
    calls = tuple(call for call in found if call.name != _NOTHING)
    return ReadReply(calls, "text", says_none=bool(found) and not calls)


def _stated(text: str) -> tuple[str, dict[str, Any]] | None:
    """Read the one JSON object of our grammar, nothing around it."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    if not isinstance(value, dict) or set(value) != {"tool", "arguments"} or not isinstance(value["arguments"], dict):
        return None
    return str(value["tool"]), value["arguments"]
