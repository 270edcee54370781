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

    With a ``language`` the messages of ours in it are told in that one.
    """
    blocks = [
        Text(part) if isinstance(part, str) else part for part in (Text(headline, "headline"), *parts) if part != ""
    ]
    if language != DEFAULT:
        headline, blocks = translated(headline, language), [_told(block, language) for block in blocks]
    return Reply(kind, headline, tuple(blocks), language=language)


def _told(part: Text | Table | Chart | Actions, language: str) -> Text | Table | Chart | Actions:
    if isinstance(part, Text):
        return replace(part, text=translated(part.text, language))
    if isinstance(part, Table):
        return told_table(part, language)
    if isinstance(part, Chart):
        return told_chart(part, language)
    return Actions(tuple(replace(each, label=translated(each.label, language, "button")) for each in part.actions))


def aside(reply: Reply, recollection: Recollection, proposal: Call | None = None) -> TurnOutcome:
    """Return a turn that is about something else than the transactions.

    The focus holds on, and so does the question before: a follow-up edits that. Where a button was pressed, it is the
    question of its answer, as the recollection ends there.
    """
    scope = next((turn.scope for turn in reversed(recollection.past) if turn.scope is not None), None)
    return TurnOutcome(reply, scope, recollection.focus, proposal)
