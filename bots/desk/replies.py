"""How the desk answers: a headline, what stands under it, and a conversation left as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from graph.answers import told_chart, told_table
from graph.reply import Actions, Reply, Text
from graph.turn import TurnOutcome
from language.catalogue import translated
from language.tongue import DEFAULT
from tools.results import Chart, Table

if TYPE_CHECKING:
    from bots.history import Recollection
    from tools.calls import Call

    Part = str | Text | Table | Chart | Actions
    Kind = Literal["answer", "clarify", "refuse"]


def said(headline: str, *parts: Part, kind: Kind = "answer", language: str = DEFAULT) -> Reply:
    """Return a reply with this headline; plain strings among the parts are paragraphs, empty ones nothing.

    What is a message of ours is told in the ``language`` of the reply.
    """
    told = translated(headline, language)
    blocks = (_told(part, language) for part in parts if part != "")
    return Reply(kind, told, (Text(told, "headline"), *blocks), language=language)


def _told(part: Part, language: str) -> Text | Table | Chart | Actions:
    match part:
        case str():
            return Text(translated(part, language))
        case Table():
            return told_table(part, language)
        case Chart():
            return told_chart(part, language)
        case Actions():
            return Actions(
                tuple(replace(each, label=translated(each.label, language, "button")) for each in part.actions)
            )
    return part


def aside(reply: Reply, recollection: Recollection, proposal: Call | None = None) -> TurnOutcome:
    """Return a turn that is about something else than the transactions.

    The focus holds on, and so does the question before: a follow-up edits that. Where a button was pressed, it is the
    question of its answer, as the recollection ends there.
    """
    scope = next((turn.scope for turn in reversed(recollection.past) if turn.scope is not None), None)
    return TurnOutcome(reply, scope, recollection.focus, proposal)
