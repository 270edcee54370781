"""Bringing bank files in: what they hold is shown first, and imported on a yes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from bots.confirming import Done
from bots.desk.attachments import fetch_all, referred
from bots.desk.replies import aside, said
from bots.desk.settings import NO_CHANGES
from bots.errors import ActionRefused, AttachmentUnavailable
from bots.import_words import counted, describe_batch, names, on_one_line, origin_of, outcome_of, span_of
from graph.reply import Action, Actions, Text
from ledger.batches import last_batch
from ledger.importers import IMPORTERS, MOST_BYTES, Hints
from ledger.imports import import_files
from ledger.money import Money, to_minor
from ledger.statement_writer import FileReport, SourceFile
from tools.calls import Call
from tools.results import Column, Scope, Table
from tools.wording import day, day_range, month

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.confirming import Consume, Work
    from bots.contracts import Attachment, Message
    from bots.desk.attachments import Fetched
    from bots.desk.desk import Desk, Handler
    from bots.history import Recollection
    from graph.reply import Reply
    from graph.turn import TurnOutcome
    from ledger.errors import AmbiguousDates

IMPORT, UNDO = "import", "undo"
DAY_FIRST, MONTH_FIRST = "day first", "month first"
BRINGING = (
    "Export a CSV or OFX file from your bank and drop it here in a direct message. "
    "You see what it holds before anything is imported, and can take it back."
)
_ROWS, _REASONS = 5, 3
_READABLE = " and ".join(importer.label for importer in IMPORTERS)
_FORMATS = f"I can read {_READABLE}, up to {MOST_BYTES // 1024 // 1024} MB in one go."
_NO_QUESTION = "There is no file here whose dates are in question."
_NOTHING_NEW = "There is nothing new to import."
_CHANGED = "This is not what was shown: a file has changed since. Please send it again."


def import_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handlers that show what files hold, and that are told how to read their dates."""
    told = partial(_read_dates, desk)
    return {IMPORT: partial(_offer_import, desk), DAY_FIRST: told, MONTH_FIRST: told}


def import_works(desk: Desk) -> dict[str, Work]:
    """Return the work that imports what was shown."""
    return {IMPORT: partial(_import, desk)}


async def _offer_import(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Show what the files of a message hold; without any, say how to bring one."""
    if not message.attachments:
        return aside(said(BRINGING, _FORMATS), recollection)
    return await _preview(desk, message, message.attachments, recollection)


async def _read_dates(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Go on with the files of the question before, now that the order of day and month is known."""
    scope = recollection.past[-1].scope if recollection.past else None
    if scope is None or scope.tool != IMPORT:
        return aside(said(_NO_QUESTION), recollection)
    order = DAY_FIRST in message.text.casefold()
    before = tuple(turn for turn in recollection.past if turn.scope != scope)  # what a follow-up goes on from
    recollection = replace(recollection, past=before)
    return await _preview(desk, message, scope.arguments["files"], recollection, day_first=order)


async def _preview(
    desk: Desk,
    message: Message,
    attachments: Sequence[Attachment],
    recollection: Recollection,
    *,
    day_first: bool | None = None,
) -> TurnOutcome:
    """Show what would become of the files, and ask; or ask first how to read their dates."""
    if not desk.writes:
        return aside(said(NO_CHANGES, kind="refuse"), recollection)
    context = await desk.context(message.person)
    fetched = await fetch_all(desk, message.source, attachments)
    currency = (await context.ledger.settings()).get("currency")
    report = await import_files(
        context.ledger, _sources(fetched), Hints(day_first=day_first), dry_run=True, currency=currency
    )
    files = _in_order(fetched, report.files)
    for file in files:
        if file.ambiguous is not None:
            return _ask_order(file.file, file.ambiguous, attachments, recollection)
    if not any(file.added for file in files):
        return aside(_nothing(files, context.locale), recollection)
    wanted = [got for got, file in zip(fetched, files, strict=True) if file.added]
    proposal: dict[str, Any] = {
        "files": tuple(got.attachment for got in wanted),
        "sha256": tuple(got.sha256 for got in wanted),
        "day_first": day_first,
        "currency": currency,
    }
    return aside(_shown(files, context.locale), recollection, Call(IMPORT, proposal))


async def _import(desk: Desk, message: Message, call: Call, consume: Consume) -> Done:
    """Import what was shown, if the files are still those that were shown."""
    if not desk.writes:
        raise ActionRefused(NO_CHANGES)
    arguments = call.arguments
    fetched = await fetch_all(desk, message.source, arguments["files"])
    for got in fetched:
        if got.error:
            raise AttachmentUnavailable(f"{got.attachment.name}: {got.error}")
    if tuple(got.sha256 for got in fetched) != arguments["sha256"]:
        raise ActionRefused(_CHANGED)
    context = await desk.context(message.person)
    hints = Hints(day_first=arguments["day_first"])
    report = await import_files(
        context.ledger, _sources(fetched), hints, currency=arguments["currency"], within=consume
    )
    batch = None if report.batch is None else await last_batch(context.ledger, report.batch)
    if batch is None or batch.first is None or batch.last is None:  # the same was imported in another conversation
        return Done(said(_NOTHING_NEW))
    headline = f"Imported {counted(batch.count, 'transaction', context.locale)}"
    question = f"How much did I spend in {month(batch.last, context.locale)}?"
    reply = said(
        f"{headline}, {day_range(batch.first, batch.last, context.locale)}",
        Text(describe_batch(batch, context.locale), "details"),
        Actions((Action(question, "ask", question),)),
    )
    return Done(reply, Call(UNDO, {"batch": batch.id}))


def _sources(fetched: Sequence[Fetched]) -> list[SourceFile]:
    return [SourceFile(got.attachment.name, got.data) for got in fetched if not got.error]


def _in_order(fetched: Sequence[Fetched], reports: Sequence[FileReport]) -> list[FileReport]:
    """Return what became of each file, those that were not even fetched among them."""
    read = iter(reports)
    return [FileReport(got.attachment.name, error=got.error) if got.error else next(read) for got in fetched]


def _ask_order(
    name: str, error: AmbiguousDates, attachments: Sequence[Attachment], recollection: Recollection
) -> TurnOutcome:
    """Ask whether day or month comes first; the files stay with the question as its scope."""
    day_first, month_first = (day(choice, "en_US") for choice in error.choices)
    buttons = (
        Action(f"{day_first} ({DAY_FIRST})", "ask", DAY_FIRST),
        Action(f"{month_first} ({MONTH_FIRST})", "ask", MONTH_FIRST),
    )
    headline = f"In {name}, is {on_one_line(error.cell)} {day_first} or {month_first}?"
    reply = said(
        headline, "Nothing in the file says which comes first, day or month.", Actions(buttons), kind="clarify"
    )
    files = tuple(referred(attachment) for attachment in attachments)
    return replace(aside(reply, recollection), scope=Scope(IMPORT, {"files": files}))


def _shown(files: Sequence[FileReport], locale: str) -> Reply:
    """Return the reply that shows what would be imported."""
    new = [file for file in files if file.added]
    count = sum(file.added for file in new)
    where = new[0].file if len(files) == 1 else f"{len(new)} file{'' if len(new) == 1 else 's'}"
    return said(
        f"{counted(count, 'new transaction', locale)} in {where}",
        _lines(files, locale),
        _latest(new, count),
        Actions((Action("Import", "confirm"), Action("Cancel", "cancel"))),
        kind="clarify",
    )


def _nothing(files: Sequence[FileReport], locale: str) -> Reply:
    """Return the reply where no file holds anything new."""
    failed = [file for file in files if file.error]
    if len(failed) < len(files):
        return said(_NOTHING_NEW, _lines(files, locale))
    if len(files) == 1:
        return said(f"{files[0].file}: {files[0].error}", kind="refuse")
    return said(f"I can't read {names([file.file for file in files])}.", _lines(files, locale), kind="refuse")


def _lines(files: Sequence[FileReport], locale: str) -> Text:
    return Text("\n".join(line for file in files for line in _described(file, locale)), "details")


def _described(file: FileReport, locale: str) -> list[str]:
    """Return what is said of one file: what becomes of it, what it is, and why rows are left out."""
    if file.error:
        return [f"{file.file}: {file.error}"]
    what = " · ".join(filter(None, (outcome_of(file, locale, dry_run=True), origin_of(file), span_of(file, locale))))
    reasons = [f"row {row.row} left out: {on_one_line(row.reason, 160)}" for row in file.rejected[:_REASONS]]
    more = len(file.rejected) - _REASONS
    return [f"{file.file}: {what}", *reasons, *([f"… and {more} more rows left out"] if more > 0 else [])]


def _latest(files: Sequence[FileReport], count: int) -> Table:
    """Return the latest of the new rows of all files."""
    rows = sorted(
        (placed for file in files for placed in file.latest), key=lambda each: each.row.booked_on, reverse=True
    )
    return Table(
        (Column("Date", "date"), Column("Description"), Column("Amount", "money")),
        tuple(
            (
                placed.row.booked_on,
                on_one_line(placed.row.description),
                Money(to_minor(placed.row.amount, placed.currency), placed.currency),
            )
            for placed in rows[:_ROWS]
        ),
        f"The latest {_ROWS} of them" if count > _ROWS else "",
    )
