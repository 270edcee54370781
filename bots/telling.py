"""Telling what the bots say by themselves in the language of who reads it; an answer comes in its own already."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bots.desk.commands import COMMANDS
from graph.answers import told_button, told_chart, told_choices, told_table
from graph.reply import Actions, Text
from language.catalogue import heard, said_in, translated
from language.tongue import DEFAULT
from tools.results import Chart, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bots.contracts import Message
    from graph.reply import Action, Reply
    from graph.turn import PastTurn


#: Words that call for something whatever language is spoken.
_COMMANDS = frozenset((*COMMANDS, "receipt", "transactions"))


def spoken(message: Message, past: Iterable[PastTurn] = ()) -> str | None:
    """Return the language of a message, or of what was said last before it; None where no word tells one of ours.

    The name of a command is the same in all of them.
    """
    texts = (message.text, *(turn.text for turn in reversed(tuple(past))))
    return heard(text for text in texts if text.strip(" .!?/").casefold() not in _COMMANDS)


def told(reply: Reply, language: str | None) -> Reply:
    """Return a reply in a language; one that is in it already, or that no language is known for, as it is."""
    if language in (None, DEFAULT, reply.language):
        return reply
    return replace(
        reply,
        headline=translated(reply.headline, language),
        blocks=tuple(_told_block(block, language) for block in reply.blocks),
        choices=told_choices(reply.choices, language),
        follow_ups=told_choices(reply.follow_ups, language),
        table=told_table(reply.table, language) if reply.table else None,
        language=language,
    )


def _told_block(block: Any, language: str) -> Any:
    match block:
        case Text():
            return replace(block, text=translated(block.text, language))
        case Table():
            return told_table(block, language)
        case Chart():
            return told_chart(block, language)
        case Actions():
            return Actions(tuple(_told_action(action, language) for action in block.actions))
    return block


def _told_action(action: Action, language: str) -> Action:
    """Return a button in a language; what it asks is said in that one too, where it is a message of ours."""
    value = said_in(language, action.value)
    return replace(action, label=told_button(action.label, language), value=value)
