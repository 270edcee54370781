"""Whether a turn must call tools: a setting in the words of OpenAI's API."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tools.calls import canonical_name

if TYPE_CHECKING:
    from collections.abc import Collection

_WORDS = ("auto", "none", "required")


def read_tool_choice(value: Any, names: Collection[str]) -> str:
    """Return ``auto``, ``none``, ``required`` or the name of a tool, given as such, as OpenAI's object, or as its JSON.

    Raises:
        ValueError: it is none of these, or names no tool.
    """
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = json.loads(value)
    if isinstance(value, dict):
        function = value.get("function")
        value = function.get("name") if value.get("type") == "function" and isinstance(function, dict) else None
        words: tuple[str, ...] = ()
    else:
        words = _WORDS
    if not isinstance(value, str):
        raise ValueError("a tool choice is auto, none, required, or a tool")  # noqa: TRY004 - a value, whatever its type
    if value in words:
        return value
    name = canonical_name(value, names)
    if name is None:
        raise ValueError("a tool choice names no tool that there is")
    return name
