"""What can be looked up about an earlier answer: its receipt, its transactions, and how the question was read."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import structlog

from bots.desk.replies import aside, said
from bots.errors import UnreadableRecord
from bots.receipts import receipts, rows_behind
from graph.reply import Action, Actions
from language.catalogue import joined, language_of, say
from ledger.repository import MOST_IDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.contracts import Message
    from bots.desk.desk import Desk, Handler
    from bots.desk.replies import Part
    from bots.history import Recollection
    from graph.reply import Reply
    from graph.turn import TurnOutcome

_log = structlog.get_logger(__name__)

_NO_ANSWER = "There is no answer of yours here to look into. Ask something first."
_NOTHING_BEHIND = "No transactions are behind this answer."
#: What stands before the headline of the answer that is looked into.
_RECEIPT, _TRANSACTIONS = "Receipt: ", "Transactions: "
_RIGHT = "right"


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
        return await _no_answer(desk, message, recollection)
    parts: list[Part] = []
    for receipt in await receipts(earlier, await desk.context(message.person)):
        parts.append(_lines((*receipt.reading, *receipt.sums)))
        if receipt.rows is not None:
            parts.append(receipt.rows)
    if not any(parts):
        return aside(said(_NOTHING_BEHIND, language=earlier.language), recollection)
    return _about(earlier, recollection, _headed(_RECEIPT, earlier), *parts)


async def _transactions(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """List the transactions behind an answer, the newest first, with the sum of all."""
    earlier = await _earlier(desk, message)
    if earlier is None:
        return await _no_answer(desk, message, recollection)
    table = await rows_behind(earlier, await desk.context(message.person), MOST_IDS)
    if table is None:
        return aside(said(_NOTHING_BEHIND, language=earlier.language), recollection)
    return _about(earlier, recollection, _headed(_TRANSACTIONS, earlier), table)


async def _feedback(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Note whether an answer was right; where it was not, say how the question was read."""
    earlier = await _earlier(desk, message)
    if earlier is None or "value" not in message.values:
        return await _no_answer(desk, message, recollection)
    right = message.values["value"] == _RIGHT
    verdict = _RIGHT if right else "wrong"
    _log.info("feedback", conversation=str(message.conversation), reply=message.about, verdict=verdict)
    if right:
        return _about(earlier, recollection, "Noted: this answer was right.")
    context = replace(await desk.context(message.person), language=earlier.language)
    read = [_lines(receipt.reading) for receipt in await receipts(earlier, context, 0) if earlier.behind]
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
        "If something else was meant, name the period and the shop or category.",
        Actions(tuple(actions)),
    )


async def _earlier(desk: Desk, message: Message) -> Reply | None:
    """Return the answer that a button belongs to, or the latest; only of the presser's own conversation."""
    try:
        return await desk.history.reply(message.conversation, message.about)
    except UnreadableRecord:
        return None


def _headed(looked_into: str, earlier: Reply) -> str:
    """Return the headline of a look into an answer, also where that was itself a look into another."""
    return joined((say(looked_into), earlier.looks_into or earlier.headline))


def _about(earlier: Reply, recollection: Recollection, headline: str, *parts: Part) -> TurnOutcome:
    """Return a reply that can be looked into like the answer it is about, and leaves its question standing.

    The figures stay with that answer: here they would be taken for those of another question.
    """
    reply = said(headline, *parts, language=earlier.language)
    looked = earlier.looks_into or earlier.headline
    return aside(replace(reply, period=earlier.period, behind=earlier.behind, looks_into=looked), recollection)


async def _no_answer(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    language = language_of(await desk.locale(message.person))
    return aside(said(_NO_ANSWER, kind="refuse", language=language), recollection)


def _lines(pairs: Sequence[tuple[str, str]]) -> str:
    """Return lines that are told already."""
    return say("{lines}", lines="\n".join(f"{name}: {text}" for name, text in pairs)) if pairs else ""
