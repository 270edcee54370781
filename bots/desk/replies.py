"""How the desk answers: a headline, what stands under it, and a conversation left as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from bots.telling import told
from graph.reply import Actions, Reply, Text, choosing
from graph.turn import TurnOutcome
from language.tongue import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.history import Recollection
    from tools.calls import Call, Choice
    from tools.results import Chart, Table

    Part = str | Text | Table | Chart | Actions
    Kind = Literal["answer", "clarify", "refuse"]


def said(headline: str, *parts: Part, kind: Kind = "answer", language: str = DEFAULT) -> Reply:
    """Return a reply with this headline; plain strings among the parts are paragraphs, empty ones nothing.

    With a ``language`` the messages of ours in it are told in that one.
    """
    blocks = (Text(part) if isinstance(part, str) else part for part in parts if part != "")
    return told(Reply(kind, headline, (Text(headline, "headline"), *blocks)), language)


def offering(reply: Reply, questions: Sequence[Choice]) -> Reply:
    """Return a reply with a row of buttons for what may be asked next."""
    row = tuple(choosing(question, number) for number, question in enumerate(questions, start=1))
    return replace(reply, blocks=(*reply.blocks, Actions(row)) if row else reply.blocks, follow_ups=tuple(questions))


def aside(reply: Reply, recollection: Recollection, proposal: Call | None = None) -> TurnOutcome:
    """Return a turn that is about something else than the transactions.

    The focus holds on, and so does the question before: a follow-up edits that. Where a button was pressed, it is the
    question of its answer, as the recollection ends there.
    """
    scope = next((turn.scope for turn in reversed(recollection.past) if turn.scope is not None), None)
    return TurnOutcome(reply, scope, recollection.focus, proposal)
