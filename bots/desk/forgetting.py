"""Deleting what is kept of a person: their conversations, or everything; and handing it to them before."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import structlog

from bots.confirming import Done
from bots.desk.linking import linked_line
from bots.desk.replies import aside, said
from bots.errors import outline
from bots.history import storable
from bots.import_words import counted
from bots.shares import SharedPosts
from bots.sharing import Sharing
from bots.table_file import export_text
from graph.reply import Action, Actions, File
from language.catalogue import joined, say
from ledger.deletion import count_holdings, export_balances, export_rows, forget_people
from ledger.spreadsheets import BALANCE_COLUMNS
from tools.calls import Call

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from bots.confirming import Settlement, Work
    from bots.contracts import Message
    from bots.desk.desk import Desk, Handler
    from bots.history import Recollection
    from graph.turn import TurnOutcome
    from language.catalogue import Template
    from ledger.deletion import Holdings

_log = structlog.get_logger(__name__)

FORGET: Literal["forget"] = "forget"
_EXPORT = "export"
CONVERSATIONS, EVERYTHING = "conversations", "everything"
_LABELS = {CONVERSATIONS: "Delete conversations", EVERYTHING: "Delete everything"}
_VERBS = (FORGET, "delete", "erase", "wipe")
_GERMAN_VERBS = ("vergiss", "lösche", "lösch")
_VERBS_BEHIND = ("vergessen", "löschen")
_OBJECTS = {
    CONVERSATIONS: ("conversations", "my conversations"),
    EVERYTHING: ("everything", "all", "it all", "my data", "all my data", "all data", "all of my data", "my account"),
}
_GERMAN_OBJECTS = {
    CONVERSATIONS: ("gespräche", "meine gespräche", "unterhaltungen", "meine unterhaltungen"),
    EVERYTHING: ("alles", "meine daten", "alle daten", "alle meine daten", "mein konto"),
}
_FINAL = "This can't be undone."
_ELSEWHERE = "What is written in this chat stays there until you delete it there."
_SHARED = "What you shared in channels is deleted there too."
_BY_THE_BOT = "What was shared on a platform is deleted there by the bot, as soon as it runs."
_LINKED = "You use this ledger in {places} as well; it goes there too, with what was put aside when you linked them."
_NOTHING_TO_EXPORT = "There are no transactions to export."
_EXPORTING_HERE = "In the console, /export FILE writes all transactions to a file, and so does money-minder export."
#: The index is told through a queue, and the next search empties it where this was not enough.
_INDEXING_SECONDS = 5.0


def forget_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handlers that ask before anything is deleted, and the one that exports."""
    typed = {
        f"{verb} {words}": partial(_offer_forgetting, desk, what)
        for verb in _VERBS
        for what, all_words in _OBJECTS.items()
        for words in all_words
    }
    typed |= {
        line: partial(_offer_forgetting, desk, what)
        for what, all_words in _GERMAN_OBJECTS.items()
        for words in all_words
        for line in (*(f"{verb} {words}" for verb in _GERMAN_VERBS), *(f"{words} {verb}" for verb in _VERBS_BEHIND))
    }
    return {FORGET: partial(_offer_forgetting, desk, None), **typed, _EXPORT: partial(_export, desk)}


def forget_works(desk: Desk) -> dict[str, Work]:
    """Return the work that deletes."""
    return {FORGET: partial(_forget, desk)}


async def _offer_forgetting(desk: Desk, what: str | None, message: Message, recollection: Recollection) -> TurnOutcome:
    """Show what would be deleted, and ask; or ask first what is meant."""
    if what is None:
        value = str(message.values.get("value", "")).casefold()
        what = next((what for what in _LABELS if what in value), None)
    context = await desk.context(message.person)
    holdings = await count_holdings(context.ledger)
    if what is None:
        buttons = tuple(Action(label, FORGET, value) for value, label in _LABELS.items())
        lines = (
            say("Conversations: {what}.", what=_spoken(holdings, context.locale)),
            say("Everything: {what}.", what=_all(holdings, context.locale)),
        )
        reply = said("What should be deleted?", joined(lines, "\n"), Actions(buttons), kind="clarify")
        return aside(reply, recollection)
    if what == CONVERSATIONS:
        headline = say("Delete {what}?", what=_spoken(holdings, context.locale))
        parts = ["Your transactions, notes and settings stay.", _FINAL, _ELSEWHERE]
    else:
        headline = say("Delete {what}?", what=_all(holdings, context.locale))
        parts = ["Everything that I keep of you goes.", _FINAL, _ELSEWHERE]
    if holdings.shares:
        parts.append(_SHARED)
    if linked := await linked_line(desk, message.person, _LINKED):
        parts.append(linked)
    buttons = (Action(_LABELS[what], "confirm", effect="final"), Action("Cancel", "cancel"))
    reply = said(headline, joined(map(say, parts), "\n"), Actions(buttons), kind="clarify")
    return aside(reply, recollection, Call(FORGET, {"what": what}))


async def _forget(desk: Desk, message: Message, call: Call, settle: Settlement) -> None:
    """Delete what was shown, in the transaction that uses the yes up first, as that would go as well.

    What the person shared is deleted before, so that the answer tells what became of it.
    """
    locale = (await desk.context(message.person)).locale
    shared = await _unshared(desk, message, locale)
    if call.arguments["what"] == CONVERSATIONS:

        async def say_turns(connection: AsyncConnection, turns: int) -> None:
            gone = say("Deleted: {turns} of conversation.", turns=counted(turns, "turn", locale))
            await settle(connection, Done(said(gone, *shared), report=turns))

        await desk.history.forget(message.person, first=settle.use_up, within=say_turns)
        await desk.store.empty_log()
        return

    async def say_all(connection: AsyncConnection, removed: int) -> None:
        transactions = counted(removed, "transaction", locale)
        gone = say("Deleted: {transactions}, all conversations, notes and settings.", transactions=transactions)
        await settle(connection, Done(said(gone, *shared), report=removed))

    answering = (message.source, storable(message.delivery_id))
    await forget_people(desk.store, (message.person,), first=settle.use_up, within=say_all, answering=answering)
    await forget_in_index(desk)


async def _unshared(desk: Desk, message: Message, locale: str) -> list[str]:
    """Delete the posts that everyone can read, and return what became of them; at a terminal nothing reaches a platform."""
    if message.surface.terminal:
        standing = await SharedPosts(desk.store, desk.now).standing(message.person)
        return [_BY_THE_BOT] if standing else []
    retracted = await Sharing(desk.store, desk.adapter, desk.now).retract_all(message.person)
    lines: list[str] = []
    if retracted.gone:
        lines.append(say("{posts} deleted.", posts=counted(retracted.gone, "shared post", locale)))
    if retracted.waiting:
        posts = counted(retracted.waiting, "shared post", locale)
        lines.append(say("{posts} can't be deleted just now; I go on trying.", posts=posts))
    if retracted.refused:
        lines.append(say("Not deleted: {reasons}", reasons=joined(map(say, retracted.refused), " ")))
    return lines


async def forget_in_index(desk: Desk) -> None:
    """Let the search index forget at once; the answer neither fails nor waits long for it."""
    try:
        await asyncio.wait_for(desk.catch_up(), _INDEXING_SECONDS)
    except Exception as error:  # noqa: BLE001 - what is deleted is deleted
        _log.warning("index_not_caught_up", error=outline(error))


async def _export(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Hand over every transaction as a file that can be imported again."""
    context = await desk.context(message.person)
    rows = await export_rows(context.ledger)
    if not rows:
        return aside(said(_NOTHING_TO_EXPORT), recollection)
    if message.surface.terminal:
        return aside(said(_EXPORTING_HERE), recollection)
    name = f"money-minder-export-{context.today.isoformat()}.csv"
    file = File(name, "text/csv", export_text(rows).encode())
    files = [file]
    if balances := await export_balances(context.ledger):
        text = export_text(balances, BALANCE_COLUMNS)
        files.append(File(name.replace("export", "balances"), "text/csv", text.encode()))
    transactions = counted(len(rows), "transaction", context.locale)
    told = say("{transactions} as a CSV file", transactions=transactions)
    if balances:
        stated = counted(len(balances), "balance", context.locale)
        told = say(
            "{transactions} as a CSV file, and {balances} as another", transactions=transactions, balances=stated
        )
    reply = said(told, await linked_line(desk, message.person, "It is the ledger that you use in {places} as well."))
    return aside(replace(reply, blocks=(*reply.blocks, *files)), recollection)


def _spoken(holdings: Holdings, locale: str) -> Template:
    turns = counted(holdings.turns, "turn", locale)
    return say("{conversations} with {turns}", conversations=_conversations(holdings, locale), turns=turns)


def _all(holdings: Holdings, locale: str) -> Template:
    """Return everything that is kept of a person, counted."""
    return say(
        "{transactions} of {imports}, {conversations}, {notes} and {settings}",
        transactions=counted(holdings.transactions, "transaction", locale),
        imports=counted(holdings.imports, "import", locale),
        conversations=_conversations(holdings, locale),
        notes=counted(holdings.notes, "note", locale),
        settings=counted(holdings.settings, "setting", locale),
    )


def _conversations(holdings: Holdings, locale: str) -> Template:
    return counted(holdings.conversations, "conversation", locale)
