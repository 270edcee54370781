"""What can be looked up about an earlier answer: its receipt, its transactions, and how the question was read."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import structlog

from bots.desk.replies import aside, said
from bots.errors import UnreadableRecord
from bots.receipts import receipts, rows_behind
from graph.nodes.explain import examples_for
from graph.reply import Action, Actions
from language.catalogue import joined, say, translated
from ledger.repository import MOST_IDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.contracts import Message
    from bots.desk.desk import Desk, Handler
    from bots.desk.replies import Part
    from bots.history import Recollection
    from graph.reply import Reply
    from graph.turn import TurnOutcome
    from language.catalogue import Template
    from tools.context import ToolContext

_log = structlog.get_logger(__name__)

_NO_ANSWER = "There is no answer of yours here to look into. Ask something first."
_NOTHING_BEHIND = "No transactions are behind this answer."
#: What the answer said itself.
_NOTED = "Noted"
#: The lines of a receipt that say what its rows come to rather than how the question was read.
_SUMS = frozenset(("Rows", "Adds up to", "Left out", _NOTED))
_RECEIPT, _TRANSACTIONS = "Receipt: {question}", "Transactions: {question}"
_RIGHT = "right"
_EXAMPLES = 3


def answer_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handlers of buttons under an answer; typed as a word, they are about the latest one."""
    return {
        **dict.fromkeys(("receipt", "beleg"), partial(_receipt, desk)),
        "transactions": partial(_transactions, desk),
        "feedback": partial(_feedback, desk),
    }


async def _receipt(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Show which transactions were counted, which were not, and what they add up to."""
    earlier = await _earlier(desk, message)
    if earlier is None:
        return _no_answer(recollection)
    parts: list[Part] = []
    for receipt in await receipts(earlier, await _context(desk, message, recollection)):
        parts.append(_lines([(name, text) for name, text in receipt.lines if name != _NOTED]))
        if receipt.rows is not None:
            parts.append(receipt.rows)
    if not any(parts):
        return aside(said(_NOTHING_BEHIND), recollection)
    return _about(earlier, recollection, say(_RECEIPT, question=_question_of(earlier)), *parts)


async def _transactions(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """List the transactions behind an answer, the newest first, with the sum of all."""
    earlier = await _earlier(desk, message)
    if earlier is None:
        return _no_answer(recollection)
    table = await rows_behind(earlier, await desk.context(message.person), MOST_IDS)
    if table is None:
        return aside(said(_NOTHING_BEHIND), recollection)
    return _about(earlier, recollection, say(_TRANSACTIONS, question=_question_of(earlier)), table)


async def _feedback(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Note whether an answer was right; where it was not, say how the question was read."""
    earlier = await _earlier(desk, message)
    if earlier is None or message.call is None:
        return _no_answer(recollection)
    right = message.call.arguments.get("value") == _RIGHT
    verdict = _RIGHT if right else "wrong"
    _log.info("feedback", conversation=str(message.conversation), reply=message.about, verdict=verdict)
    if right:
        return _about(earlier, recollection, "Noted: this answer was right.")
    context = await _context(desk, message, recollection)
    read = [
        _lines([(name, text) for name, text in receipt.lines if name not in _SUMS])
        for receipt in await receipts(earlier, context, 0)
        if earlier.behind
    ]
    other = "\n".join(f"· {example}" for example in examples_for(context)[:_EXAMPLES])
    actions = [Action("Change a category", "categories")]
    if earlier.behind:
        actions = [Action("Receipt", "receipt"), Action("Transactions", "transactions"), *actions]
    return _about(
        earlier,
        recollection,
        "Noted: this answer was not right. This is how I read the question:"
        if read
        else "Noted: this answer was not right.",
        *read,
        say(
            "If something else was meant, name the period and the shop or category, for example:\n{examples}",
            examples=other,
        ),
        Actions(tuple(actions)),
    )


async def _earlier(desk: Desk, message: Message) -> Reply | None:
    """Return the answer that a button belongs to, or the latest; only of the presser's own conversation."""
    try:
        return await desk.history.reply(message.conversation, message.about)
    except UnreadableRecord:
        return None


async def _context(desk: Desk, message: Message, recollection: Recollection) -> ToolContext:
    """Return what is known of a person, in the language that the reply will be in."""
    return replace(await desk.context(message.person), language=await desk.language(message, recollection))


def _question_of(earlier: Reply) -> str:
    """Return what an answer was about, also where it was itself a look into another."""
    question = earlier.headline
    for form in (_RECEIPT, _TRANSACTIONS):
        question = question.removeprefix(translated(form, earlier.language).partition("{")[0])
    return question


def _about(earlier: Reply, recollection: Recollection, headline: str, *parts: Part) -> TurnOutcome:
    """Return a reply that can be looked into like the answer it is about, and leaves its question standing.

    The figures stay with that answer: here they would be taken for those of another question.
    """
    return aside(replace(said(headline, *parts), period=earlier.period, behind=earlier.behind), recollection)


def _no_answer(recollection: Recollection) -> TurnOutcome:
    return aside(said(_NO_ANSWER, kind="refuse"), recollection)


def _lines(pairs: Sequence[tuple[str, str]]) -> Template:
    return joined((say("{name}: {text}", name=say(name), text=text) for name, text in pairs), "\n")
