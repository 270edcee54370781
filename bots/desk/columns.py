"""Mending how a file's columns are read: what they are taken for is shown, and a form says what they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from bots.column_words import EXAMPLE, columns_table, settled_words
from bots.contracts import Duty
from bots.desk.column_forms import COLUMNS, PAGES, paged, table_of
from bots.desk.importing import IMPORT, asked_before, go_on, hints_of, with_layout
from bots.desk.replies import aside, said
from bots.errors import NO_CHANGES, ActionRefused
from bots.pending import PendingActions
from graph.reply import Actions
from language.catalogue import joined, say
from ledger.errors import LayoutRefused
from ledger.importers.table.layout_file import read_layout, write_layout
from ledger.importers.table.saying import say as say_of
from ledger.kept_layouts import forget_layout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bots.confirming import Settlement, Work
    from bots.contracts import Message
    from bots.desk.desk import Desk, Handler
    from bots.history import Recollection
    from graph.turn import TurnOutcome
    from ledger.importers.table.stated import SeenTable, StatedLayout
    from tools.calls import Call

_FORGET = "forget"
_HOW = "/columns {example} says it better; /columns forget takes back what you said."
_NOT_TOLD = "This file can't be read before its columns are told."
_NO_FILE = "There is no file here whose columns are in question."


@dataclass(frozen=True, slots=True)
class Mending:
    """A file of a question or proposal whose columns a person may mend; ``value`` is that of the button."""

    value: str
    arguments: Mapping[str, Any]
    name: str
    table: SeenTable

    @property
    def page(self) -> int:
        """Which part of the form is asked for, 0 for all of it."""
        page = self.value.rpartition(":")[2]
        return int(page) if page in {str(each) for each in range(1, len(PAGES) + 1)} else 0


def column_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handler that shows the columns of a file, and goes on as the form says that they are."""
    return {COLUMNS: partial(_columns, desk)}


def column_works(desk: Desk) -> dict[str, Work]:
    """Return the work of a file that can't be read yet: it waits for its form, and there is nothing to say yes to."""
    del desk

    async def refuse(message: Message, call: Call, settle: Settlement) -> None:
        del message, call, settle
        raise ActionRefused(_NOT_TOLD)

    return {COLUMNS: refuse}


async def mending(desk: Desk, message: Message, recollection: Recollection | None = None) -> Mending:
    """Return the file that a press is about, by the token of its proposal, or the question under which it stands.

    Raises:
        ActionRefused: it is another person's, done with, or none.
    """
    value = str(message.values.get("value", ":0:0"))
    token, _, rest = value.partition(":")
    arguments: Mapping[str, Any] | None
    if token:
        shown = await PendingActions(desk.store, desk.now).shown(message.person, token)
        arguments = shown.arguments["arguments"] if shown.arguments["name"] in (IMPORT, COLUMNS) else None
    else:
        recalled = recollection or await desk.history.recall(message.conversation, about=message.about)
        arguments = asked_before(recalled)
    kept = (arguments or {}).get("tables", ())
    place = rest.partition(":")[0]
    found = kept[int(place)] if place.isdecimal() and int(place) < len(kept) else None
    if arguments is None or found is None:
        raise ActionRefused(_NO_FILE)
    try:
        return Mending(value, arguments, str(found[0]), table_of(found))
    except LayoutRefused as refused:
        raise ActionRefused(_NO_FILE) from refused


def mended(mend: Mending, layout: StatedLayout) -> Duty:
    """Return the duty that goes on with a file as it is said to be."""
    return Duty(COLUMNS, {"value": mend.value, "layout": write_layout(layout)})


async def _columns(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Show what the columns are taken for; or, with what a form says, what would become of the files like that."""
    if not desk.writes:
        return aside(said(NO_CHANGES, kind="refuse"), recollection)
    try:
        mend = await mending(desk, message, recollection)
        words = tuple(map(str, message.values.get("words", ())))
        if words == (_FORGET,):
            return await _forget(desk, message, recollection, mend)
        text = message.values.get("layout")
        layout = say_of(mend.table, words) if words else read_layout(str(text)) if text else None
    except (ActionRefused, LayoutRefused) as refused:
        return aside(said(refused.message, kind="refuse"), recollection)
    if layout is None:
        typed = message.surface.terminal
        reply = said(
            say("The columns of {file}", file=mend.name),
            columns_table(mend.table, typed=typed),
            joined(settled_words(mend.table, None), "\n"),
            say(_HOW, example=EXAMPLE) if typed else Actions(paged(mend.value, mend.table)),
        )
        return aside(reply, recollection)
    hints = with_layout(hints_of(mend.arguments), layout)
    return await go_on(desk, message, recollection, mend.arguments, hints)


async def _forget(desk: Desk, message: Message, recollection: Recollection, mend: Mending) -> TurnOutcome:
    """Forget what was said of such files, and show them as they are read without it."""
    key = mend.table.base.key
    repository = await desk.repository(message.person)
    async with desk.store.write() as connection:
        await forget_layout(connection, repository.ledger_id, key)
    hints = hints_of(mend.arguments)
    hints = replace(hints, layouts=tuple(each for each in hints.layouts if each.key != key))
    return await go_on(desk, message, recollection, mend.arguments, hints)
