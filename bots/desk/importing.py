"""Bringing bank files in: what they hold is shown first, and imported on a yes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from bots.audience import is_posted_file
from bots.confirming import Done, Stoppable
from bots.desk.attachments import Fetched, fetch_all, read_all, referred
from bots.desk.column_forms import COLUMNS, table_of
from bots.desk.column_forms import buttons as column_buttons
from bots.desk.column_forms import kept as kept_table
from bots.desk.file_questions import (
    CURRENCY,
    DATES,
    DAY_FIRST_WORDS,
    DIRECTION,
    MONTH_FIRST_WORDS,
    PERSON,
    about_question,
    question_of,
)
from bots.desk.replies import aside, offering, said
from bots.errors import NO_CHANGES, ActionRefused, AttachmentUnavailable, SendFailed, SendRefused
from bots.found import found
from bots.import_words import (
    DIRECTION_ANSWERS,
    UNFILED_QUESTION,
    balances_of,
    counted,
    describe_batch,
    from_to,
    names,
    notes_on,
    on_one_line,
    origin_of,
    outcome_of,
    read_direction,
    read_person,
    shown,
    span_of,
)
from graph.planner.calls import SUMMARY, UNFILED
from graph.reply import Action, Actions, Text
from graph.steps import begin_step, reach
from language.catalogue import joined, say, written
from ledger.batches import read_batch
from ledger.direction import Told
from ledger.errors import LayoutRefused
from ledger.findings import find
from ledger.importers import MOST_BYTES, READABLE, Hints
from ledger.importers.table.layout_file import read_layout, write_layout
from ledger.imports import import_files
from ledger.money import Money, to_minor
from ledger.setting_words import read_currency
from ledger.working import aside as in_turn
from tools.calls import Call, choice_of
from tools.results import Column, Scope, Table
from tools.wording import month

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from bots.confirming import Settlement, Work
    from bots.contracts import Attachment, Message
    from bots.desk.desk import Desk, Handler
    from bots.history import Recollection
    from graph.reply import Reply
    from graph.turn import TurnOutcome
    from language.catalogue import Template
    from ledger.batches import Batch
    from ledger.findings import Findings
    from ledger.importers.table.stated import StatedLayout
    from ledger.imports import ImportReport
    from ledger.statement_writer import FileReport, SourceFile
    from tools.surface import Surface

IMPORT, UNDO = "import", "undo"
_BRINGING = (
    "Export a CSV or OFX file from your bank and {bring_it}. "
    "You see what it holds before anything is imported, and can take it back."
)
_ROWS, _REASONS = 5, 3
#: How a command brings files, since its line is the yes and nobody is asked: all that can be read at once, or for a look only.
BRING, LOOK = "bring", "look"
FORMATS = say(
    "I can read {formats}, up to {megabytes} MB in one go.",
    formats=say(READABLE),
    megabytes=str(MOST_BYTES // 1024 // 1024),
)
_NO_QUESTION = "There is no file here whose dates are in question."
_NO_DIRECTION = "There is no file here of which I asked whether its money was spent or received."
_NO_PERSON = "There is no file here of which I asked which of its people you are."
_NO_CURRENCY = "There is no file here of which I asked in which currency it is."
_NO_HINTS = Hints()
_NOTHING_NEW = "There is nothing new to import."
_NO_ROWS = "I find no transactions in {files}."
_MENDABLE = "If it is a table, you can say which column is what."
_CHANGED = "This is not what was shown: a file has changed since. Please send it again."


def bringing(surface: Surface) -> Template:
    """Return how a bank file is brought in from where a person is."""
    return say(_BRINGING, bring_it=surface.bringing)


def import_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handlers that show what files hold, and that are told how to read them, by a button or in words."""
    dates, direction = partial(_read_dates, desk), partial(_read_direction, desk)
    return {
        IMPORT: partial(_offer_import, desk),
        **dict.fromkeys((DATES, *DAY_FIRST_WORDS, *MONTH_FIRST_WORDS), dates),
        **dict.fromkeys((DIRECTION, *DIRECTION_ANSWERS), direction),
        PERSON: partial(_read_person, desk),
        CURRENCY: partial(_read_currency, desk),
    }


def import_works(desk: Desk) -> dict[str, Work]:
    """Return the work that imports what was shown."""
    return {IMPORT: Stoppable(partial(_import, desk))}


async def _offer_import(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Show what the files of a message hold; without any, say how to bring one."""
    if not message.attachments:
        return aside(said(bringing(message.surface), FORMATS), recollection)
    if is_posted_file(message) and not message.surface.drops:
        return aside(await _exposed(desk, message), recollection)
    hints = hints_of({"stated": message.values, **message.values})
    if message.surface.terminal and message.values.get("way") in (BRING, LOOK):
        return await _unasked(desk, message, recollection, hints)
    return await _preview(desk, message, message.attachments, recollection, hints)


def _stated(values: Mapping[str, Any]) -> Hints:
    """Return what was said of files together with them, by name."""
    given = {name: str(value) for name, value in values.items() if value}
    return Hints(
        format=given.get("format"),
        account=given.get("account"),
        currency=given.get("currency", "").upper() or None,
        direction=read_direction(given.get("direction", "")),
        person=given.get("person", ""),
    )


async def _exposed(desk: Desk, message: Message) -> Reply:
    """Tell someone that others can open their file, which is neither fetched nor imported, and the way without them."""
    adapter = desk.adapter(message.source)
    try:
        place = (await adapter.readership(message)).place if adapter else ""
    except (SendFailed, SendRefused):
        place = ""
    opened = names([on_one_line(each.name) or "file" for each in message.attachments])
    exposed = say("Others can read {files} in this channel: delete that message.", files=opened)
    if place:
        exposed = say("Others can read {files} in {place}: delete that message.", files=opened, place=place)
    way = say("I opened nothing. To import a file, {bring_it}.", bring_it=message.surface.bringing)
    return said(exposed, way, kind="refuse")


async def _read_dates(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Go on with the files of the question before, now that the order of day and month is known."""
    asked = asked_before(recollection)
    if asked is None:
        return aside(said(_NO_QUESTION), recollection)
    day_first = (_pressed(message) or message.text.strip(" .!?/").casefold()) in DAY_FIRST_WORDS
    return await go_on(desk, message, recollection, asked, replace(hints_of(asked), day_first=day_first))


async def _read_direction(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Go on with the files of the question before, now that it is known which way the money of one of them went."""
    pressed = _pressed(message)
    asked, told = asked_before(recollection), Told(pressed) if pressed else read_direction(message.text.strip(" .!?/"))
    if asked is None or told is None or "unclear" not in asked:
        return aside(said(_NO_DIRECTION), recollection)
    hints = hints_of(asked)
    hints = replace(hints, answers={**hints.answers, asked["unclear"]: told})
    return await go_on(desk, message, recollection, asked, hints)


async def _read_currency(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Go on with the files of the question before, now that it is known which currency one of them is in."""
    asked, code = asked_before(recollection), read_currency((_pressed(message) or message.text).strip(" .!?/"))
    if asked is None or code is None or "unpriced" not in asked:
        return aside(said(_NO_CURRENCY), recollection)
    hints = hints_of(asked)
    hints = replace(hints, currencies={**hints.currencies, asked["unpriced"]: code})
    return await go_on(desk, message, recollection, asked, hints)


async def _read_person(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Go on with the files of the question before, now that it is known who of several people the person is."""
    asked = asked_before(recollection)
    name, people = asked.get("asks", ("", ())) if asked else ("", ())
    meant = read_person(_pressed(message) or message.text, people) if name == PERSON else ""
    if asked is None or not meant:
        return aside(said(_NO_PERSON), recollection)
    try:
        base = table_of(asked["tables"][asked["shared"]]).base
    except LayoutRefused:
        return aside(said(_NO_PERSON), recollection)
    return await go_on(desk, message, recollection, asked, with_layout(hints_of(asked), replace(base, person=meant)))


def with_layout(hints: Hints, layout: StatedLayout) -> Hints:
    """Return what is said of files with a word on those of one layout, in place of what was said of them before."""
    return replace(hints, layouts=(layout, *(each for each in hints.layouts if each.key != layout.key)))


def _pressed(message: Message) -> str | None:
    """Return the value of the button that was pressed; None where an answer was typed."""
    value = message.values.get("value")
    return None if value is None else str(value)


def asked_before(recollection: Recollection) -> Mapping[str, Any] | None:
    """Return what belongs to the question before, if that was one about files."""
    scope = recollection.past[-1].scope if recollection.past else None
    return scope.arguments if scope is not None and scope.tool == IMPORT else None


def hints_of(arguments: Mapping[str, Any]) -> Hints:
    """Return what the person has said about the files so far."""
    answers = {sha256: Told(told) for sha256, told in arguments.get("directions", ())}
    layouts = tuple(map(read_layout, arguments.get("layouts", ())))
    hints = replace(_stated(arguments.get("stated", {})), day_first=arguments.get("day_first"))
    return replace(hints, answers=answers, currencies=dict(arguments.get("currencies", ())), layouts=layouts)


def kept_hints(hints: Hints) -> dict[str, Any]:
    """Return the same as it is kept with a question or a proposal."""
    return {
        "day_first": hints.day_first,
        "directions": tuple((sha256, told.value) for sha256, told in sorted(hints.answers.items())),
        "currencies": tuple(sorted(hints.currencies.items())),
        "layouts": tuple(map(write_layout, hints.layouts)),
        "stated": {
            "format": hints.format, "account": hints.account, "currency": hints.currency, "person": hints.person,
            "direction": hints.direction.value if hints.direction else None,
        },
    }  # fmt: skip


async def go_on(
    desk: Desk, message: Message, recollection: Recollection, asked: Mapping[str, Any], hints: Hints
) -> TurnOutcome:
    """Show what would become of the files of a question or proposal, now that more is said of them."""
    before = (turn for turn in recollection.past if turn.scope is None or turn.scope.tool != IMPORT)
    return await _preview(desk, message, asked["files"], replace(recollection, past=tuple(before)), hints)


async def _preview(
    desk: Desk,
    message: Message,
    attachments: Sequence[Attachment],
    recollection: Recollection,
    hints: Hints = _NO_HINTS,
) -> TurnOutcome:
    """Show what would become of the files, and ask; or ask first how to read their dates."""
    if not desk.writes:
        return aside(said(NO_CHANGES, kind="refuse"), recollection)
    context = await desk.context(message.person)
    currency = (await context.ledger.settings()).get("currency")
    fetched, read = await _read(desk, message, attachments)
    sources = [source for _, source in read]
    report = await import_files(context.ledger, sources, hints, dry_run=True, currency=currency, progress=reach)
    files = report.files
    tables = tuple(map(kept_table, files))
    kept = {"files": tuple(map(referred, attachments)), **kept_hints(hints), "tables": tables}
    mendable = Actions(column_buttons(tables))
    for place, ((_, source), file) in enumerate(zip(read, files, strict=True)):
        asked = question_of(file, mendable)
        if asked is not None:
            about = about_question(source, file, place)
            return replace(aside(asked, recollection), scope=Scope(IMPORT, {**kept, **about}), report=report)
    if not any(file.is_news for file in files):
        return replace(_unproposed(files, context.locale, kept, recollection), report=report)
    holding = {id(got) for (got, _), file in zip(read, files, strict=True) if file.is_news}
    wanted = [got for got in fetched if id(got) in holding]
    wanted_tables = tuple(table for table, file in zip(tables, files, strict=True) if file.is_news)
    proposal: dict[str, Any] = {
        "files": tuple(got.attachment for got in wanted),
        "sha256": tuple(got.sha256 for got in wanted),
        **kept_hints(hints),
        "currency": currency,
        "tables": wanted_tables,
    }
    buttons = (Action("Import", "confirm"), Action("Cancel", "cancel"), *column_buttons(wanted_tables))
    shown = _shown(files, context.locale, Actions(buttons))
    return replace(aside(shown, recollection, Call(IMPORT, proposal)), report=report)


async def _read(
    desk: Desk, message: Message, attachments: Sequence[Attachment]
) -> tuple[list[Fetched], list[tuple[Fetched, SourceFile]]]:
    """Return the files as they were fetched, and each of those that they hold."""
    named = names([each.name for each in attachments])
    begin_step(say("Getting {files}", files=named))
    fetched = await fetch_all(desk, message, attachments)
    begin_step(say("Reading {files}", files=named))
    return fetched, await in_turn(partial(read_all, message, fetched))


async def _unasked(desk: Desk, message: Message, recollection: Recollection, hints: Hints) -> TurnOutcome:
    """Import what can be read, or only look at it; a file with an open question is left, and its report says which."""
    looks = message.values["way"] == LOOK
    if not (desk.writes or looks):
        return aside(said(NO_CHANGES, kind="refuse"), recollection)
    context = await desk.context(message.person)
    currency = (await context.ledger.settings()).get("currency")
    _, read = await _read(desk, message, message.attachments)
    sources, hints = [source for _, source in read], replace(hints, assume_currency=True)
    report = await import_files(context.ledger, sources, hints, dry_run=looks, currency=currency, progress=reach)
    files = [file for file in report.files if not file.error]
    if looks or report.batch is None:
        news = any(file.is_news for file in files)
        reply = _shown(files, context.locale, None) if news else _nothing(report.files, context.locale, None)
        return replace(aside(reply, recollection), report=report)
    async with desk.store.read() as connection:
        batch = await read_batch(connection, context.ledger, report.batch)
        findings = await find(connection, context.ledger)
    done = _imported(batch, findings, context.locale, _lines(files, context.locale, dry_run=False))
    return replace(aside(done.reply, recollection), report=report)


def _unproposed(
    files: Sequence[FileReport], locale: str, kept: Mapping[str, Any], recollection: Recollection
) -> TurnOutcome:
    """Say that nothing is to be imported; where nothing was found in a table, its columns may be told."""
    if not any(file.table is not None and not file.found for file in files):
        return aside(_nothing(files, locale, None), recollection)
    reply = _nothing(files, locale, Actions(column_buttons(kept["tables"])))
    return aside(reply, recollection, Call(COLUMNS, dict(kept)))


async def _import(desk: Desk, message: Message, call: Call, settle: Settlement) -> None:
    """Import what was shown, if the files are still those that were shown."""
    if not desk.writes:
        raise ActionRefused(NO_CHANGES)
    arguments = call.arguments
    fetched, read = await _read(desk, message, arguments["files"])
    for got in fetched:
        if got.error:
            raise AttachmentUnavailable(say("{file}: {problem}", file=got.attachment.name, problem=say(got.error)))
    if tuple(got.sha256 for got in fetched) != arguments["sha256"]:
        raise ActionRefused(_CHANGED)
    context = await desk.context(message.person)

    async def within(connection: AsyncConnection, report: ImportReport) -> None:
        batch = None if report.batch is None else await read_batch(connection, context.ledger, report.batch)
        findings = await find(connection, context.ledger)
        await settle(connection, replace(_imported(batch, findings, context.locale), report=report))

    begin_step(say("Importing {files}", files=names([each.name for each in arguments["files"]])))
    files, hints, currency = [source for _, source in read], hints_of(arguments), arguments["currency"]
    await import_files(context.ledger, files, hints, currency=currency, progress=reach, within=within)


def _imported(batch: Batch | None, findings: Findings, locale: str, told: Text | None = None) -> Done:
    """Return what is said of an import, with what is ``told`` of its files where they were not shown before."""
    if batch is None:  # the same was imported in another conversation
        return Done(said(_NOTHING_NEW))
    if batch.first is None or batch.last is None:
        return Done(
            said(say("Kept the balance in {files}.", files=names(batch.files))), Call(UNDO, {"batch": batch.id})
        )
    question = say("How much did I spend in {month}?", month=written(partial(month, batch.last)))
    asked = (choice_of(question, SUMMARY, period=f"{batch.last:%Y-%m}"), choice_of(say(UNFILED_QUESTION), UNFILED))
    transactions = counted(batch.count, "transaction", locale)
    reply = said(
        say("Imported {transactions}, {dates}", transactions=transactions, dates=from_to(batch.first, batch.last)),
        told or Text(describe_batch(batch, locale), "details"),
        *found(findings, locale),
    )
    return Done(offering(reply, asked), Call(UNDO, {"batch": batch.id}))


def _shown(files: Sequence[FileReport], locale: str, buttons: Actions | None) -> Reply:
    """Return the reply that shows what would be imported, a question where there are buttons."""
    new = [file for file in files if file.is_news]
    count = sum(file.added for file in new)
    where = say("{file}", file=new[0].file) if len(files) == 1 else counted(len(new), "file", locale)
    what = counted(count, "new transaction", locale) if count else say("A newer balance")
    lines = _lines(files, locale) if len(files) > 1 else Text(joined(_of_one(files[0], locale), "\n"), "details")
    return said(
        say("{what} in {where}", what=what, where=where),
        lines,
        _latest(new, count),
        *((buttons,) if buttons else ()),
        kind="clarify" if buttons else "answer",
    )


def _nothing(files: Sequence[FileReport], locale: str, mendable: Actions | None) -> Reply:
    """Return the reply where no file holds anything new; what can't be read as it shows itself may be told."""
    failed = [file for file in files if file.error]
    offered = (_MENDABLE, mendable) if mendable else ()
    if len(failed) < len(files):
        found = any(file.found or file.balances for file in files)
        nothing = _NOTHING_NEW if found else say(_NO_ROWS, files=names([file.file for file in files]))
        return said(nothing, _lines(files, locale), *offered, kind="refuse" if offered else "answer")
    if len(files) == 1:
        return said(_of(files[0], failed[0].error or ""), *offered, kind="refuse")
    listed = _lines(files, locale)
    unread = say("I can't read {files}.", files=names([file.file for file in files]))
    return said(unread, listed, *offered, kind="refuse")


def _lines(files: Sequence[FileReport], locale: str, *, dry_run: bool = True) -> Text:
    lines = (line for file in files for line in _described(file, locale, dry_run=dry_run))
    return Text(joined(lines, "\n"), "details")


def _of(file: FileReport, words: str) -> Template:
    """Return what is said of a file, with its name."""
    return say("{file}: {problem}", file=file.file, problem=say(words))


def _described(file: FileReport, locale: str, *, dry_run: bool) -> list[Template]:
    """Return what is said of one file: what becomes of it, what it is, and why rows are left out."""
    if file.error:
        return [_of(file, file.error)]
    told = (outcome_of(file, locale, dry_run=dry_run), origin_of(file), span_of(file, locale))
    return [_of(file, joined(filter(None, told), " · ")), *_beside(file, locale)]


def _of_one(file: FileReport, locale: str) -> list[Template]:
    """Return the same of the only file, whose name and new rows the headline tells."""
    outcome = outcome_of(file, locale, dry_run=True) if file.added < file.found + len(file.rejected) else ""
    return [joined(filter(None, (outcome, origin_of(file), span_of(file, locale))), " · "), *_beside(file, locale)]


def _beside(file: FileReport, locale: str) -> list[Template]:
    """Return what a file states of balances, what should be known of how it was read, and why rows are left out."""
    reasons = [
        say("row {row} left out: {reason}", row=str(row.row), reason=shown(row.reason, 160))
        for row in file.rejected[:_REASONS]
    ]
    more = len(file.rejected) - _REASONS
    return [
        *balances_of(file, locale),
        *notes_on(file),
        *reasons,
        *([say("… and {number} more rows left out", number=str(more))] if more > 0 else []),
    ]


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
        say("The latest {number} of them", number=str(_ROWS)) if count > _ROWS else "",
    )
