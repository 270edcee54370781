"""A person's settings and notes as entries that the selection may find relevant to a question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graph.planner.vocabulary import FUNCTION_WORDS
from language.lexicon import choices
from language.words import words
from ledger.memories import list_memories
from ledger.preferences import PREFERENCES, show_preference
from tools.registry import Tool

if TYPE_CHECKING:
    from tools.context import ToolContext

#: Words in a question that make a setting worth knowing.
_SETTING_WORDS = choices("setting_words")
_SHORTEST = 3


async def entries_of(context: ToolContext) -> list[Tool]:
    """Return one entry for each setting the person made and each note they asked to keep.

    An entry's keywords are the words that make it relevant; only then does it enter a prompt.
    """
    made = await context.ledger.settings()
    entries = [
        _entry(
            f"settings:{name}",
            f"{PREFERENCES[name].meaning}: {show_preference(name, value)}",
            ", ".join(_SETTING_WORDS[name]),
        )
        for name, value in made.items()
        if name in PREFERENCES and name in _SETTING_WORDS
    ]
    return entries + [_entry(note.name, note.text, ", ".join(_telling(note.text)))
                      for note in await list_memories(context.ledger)]  # fmt: skip


def _entry(name: str, text: str, keywords: str) -> Tool:
    schema = {"type": "function", "function": {"name": name, "description": text, "parameters": {"type": "object"}}}
    return Tool(name, entries_of, schema, app="background", keywords=tuple(re.split(r",\s*", keywords)))


def _telling(note: str) -> list[str]:
    """Return the words of a note that make it worth knowing when they are asked about."""
    return [
        note[word.start : word.end]
        for word in words(note)
        if word.key not in FUNCTION_WORDS and len(word.key) >= _SHORTEST
    ]
