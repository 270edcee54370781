"""The commands about the last answer: why it is so, its table, its transactions, and how it came about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.console.traces import trace_pairs
from bots.receipts import receipts, rows_behind
from bots.terminal import show_pairs, show_table
from graph.answers import told_table
from language.catalogue import translated
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.console.session import Session
    from graph.reply import Reply
    from tools.results import Table

NO_ANSWER = "There is no answer to look into yet; ask something first."
_MOST_ROWS = 30


async def why(session: Session, words: Sequence[str]) -> None:
    """``/why``: the receipt of the last answer."""
    del words
    reply = await _reply(session)
    if reply is None:
        return
    session.say(reply.headline, "bold")
    for position, receipt in enumerate(await receipts(reply, await session.context())):
        if position:
            session.say("")
        show_pairs(receipt.lines, session.console)
        if receipt.rows is not None:
            _show(receipt.rows, reply, session)
    if reply.behind:
        session.say("/rows lists them all.", "dim")


async def rows(session: Session, words: Sequence[str]) -> None:
    """``/rows [NUMBER|all]``: the transactions behind the last answer, the newest first, with their sum."""
    reply = await _reply(session)
    if reply is None:
        return
    wanted = words[0].casefold() if words else ""
    most = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 else _MOST_ROWS
    table = await rows_behind(reply, await session.context(), None if wanted in ("all", "alle") else most)
    if table is None:
        session.say("No transactions are behind this answer.")
        return
    _show(table, reply, session)


async def table(session: Session, words: Sequence[str]) -> None:
    """``/table``: the last answer as a table, whole; its transactions where it has none."""
    reply = await _reply(session)
    if reply is None:
        return
    if reply.table is None:
        await rows(session, words)
    else:
        _show(reply.table, reply, session)


async def status(session: Session, words: Sequence[str]) -> None:
    """``/status``: what is in the ledger."""
    del words
    await session.ask(Call("ledger-status", {}))


async def trace(session: Session, words: Sequence[str]) -> None:
    """``/trace``: what was offered, how the question was read, what validation changed, and how long it took."""
    del words
    if session.platform.last is None:
        session.say(NO_ANSWER)
        return
    pairs = trace_pairs(session.platform.last.reply.trace, session.seconds)
    told = [(translated(name, session.language), translated(text, session.language)) for name, text in pairs]
    show_pairs(told, session.console)


def _show(table: Table, reply: Reply, session: Session) -> None:
    """Print a table whole, in the language of the answer that it is about."""
    show_table(told_table(table, reply.language), session.console, session.locale, most=None, language=reply.language)


async def _reply(session: Session) -> Reply | None:
    """Return the last answer of this session, or that of the conversation before it."""
    if session.platform.last is not None:
        return session.platform.last.reply
    reply = await session.app.desk.history.reply(session.platform.conversation)
    if reply is None:
        session.say(NO_ANSWER)
    return reply
