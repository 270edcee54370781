"""What is said about files and imports, the same at the console and on every platform."""

from __future__ import annotations

import unicodedata
from functools import partial
from typing import TYPE_CHECKING

from language.catalogue import Template, joined, say, written
from ledger.direction import Told
from ledger.importers.table.saying import described
from ledger.money import Money, to_minor
from tools.wording import day, day_range, money, number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from ledger.batches import Batch
    from ledger.errors import UnclearRow
    from ledger.file_sums import Movement
    from ledger.importers.table.stated import SeenTable
    from ledger.reconciling import FileBalance
    from ledger.statement_writer import FileReport

_MOST_NAMES = 3
#: What answers the question about direction, wherever it was asked.
DIRECTION_ANSWERS = {
    **dict.fromkeys(("spent", "i spent these", "i spent them", "money out", "ausgegeben"), Told.SPENT),
    **dict.fromkeys(("received", "i received these", "i received them", "money in", "erhalten"), Told.RECEIVED),
    **dict.fromkeys(("as written", "wie geschrieben"), Told.AS_WRITTEN),
}
#: What answers it besides where nothing else was asked.
_SHORT_ANSWERS = {
    "1": Told.SPENT,
    "s": Told.SPENT,
    "out": Told.SPENT,
    "2": Told.RECEIVED,
    "r": Told.RECEIVED,
    "in": Told.RECEIVED,
}
DIRECTION_QUESTION = "Did you spend or receive these?"
CURRENCY_QUESTION = "Which currency are these amounts in?"
#: How another one is said than those that are offered.
CURRENCY_WAY = "If it is another one, write its code or its name."
PERSON_QUESTION = "Which of these are you?"
#: What is likely to be asked after an import, beside what was spent.
UNFILED_QUESTION = "Which shops have no category?"
#: Why who one is is asked.
PERSON_REASON = "It lists what several people share, and only your share is yours."
#: Control characters, marks that turn the direction of a text, halves of surrogate pairs, ends of lines: unseen or worse.
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


def counted(count: int, noun: str, locale: str) -> Template:
    """Return a number of things: ``1 transaction``, ``1,204 transactions``."""
    return say(f"{{count}} {noun}{'' if count == 1 else 's'}", count=number(count, locale))


def people_of(people: int, locale: str = "en_US") -> Template:
    """Return how many people: ``1 person``, ``1,204 people``."""
    return say("1 person" if people == 1 else "{count} people", count=number(people, locale))


def dated(value: date) -> Template:
    """Return a day as it is written in the language of what it stands in."""
    return written(partial(day, value))


def from_to(first: date, last: date) -> Template:
    """Return two days as one range in the same way."""
    return written(partial(day_range, first, last))


def outcome_of(file: FileReport, locale: str, *, dry_run: bool) -> Template:
    """Say what becomes of a file's rows: ``17 transactions, 14 new, 3 known already, 2 left out``."""
    parts = [
        (file.added, "{count} new" if dry_run else "{count} added"),
        (file.met, "{count} in place of what you wrote down by hand"),
        (file.duplicates, "{count} known already"),
        (len(file.rejected), "{count} left out"),
    ]
    told = [say(form, count=number(count, locale)) for place, (count, form) in enumerate(parts) if count or not place]
    return joined((counted(file.found, "transaction", locale), *told), ", ")


def origin_of(file: FileReport) -> str:
    """Say how a file was read and where its transactions belong."""
    return f"{file.format} · {on_one_line(file.account)}"


def span_of(file: FileReport, locale: str) -> Template:
    """Say which days a file's transactions are of and what they come to; nothing where it has none."""
    if file.first is None or file.last is None:
        return say("")
    moved = joined((_moved(each, locale) for each in file.movements), ", ")
    return joined((from_to(file.first, file.last), moved), " · ")


def _moved(movement: Movement, locale: str) -> Template:
    """Say money out and in apart: ``out $1,234.50 in 31 rows, in $20.00 in 1 row``."""
    sides = (
        ("out {amount} in {rows}", movement.out, movement.out_rows),
        ("in {amount} in {rows}", movement.into, movement.into_rows),
    )
    said = (
        say(
            form,
            amount=money(Money(to_minor(amount, movement.currency), movement.currency), locale),
            rows=counted(rows, "row", locale),
        )
        for form, amount, rows in sides
    )
    return joined(said, ", ")


def notes_on(file: FileReport) -> list[Template]:
    """Say by whose word a file is read, how its signs were found, if there is more to it, and what else should be known."""
    read_as = layout_words(file.table, file.said_on)
    found = [read_as] if read_as else []
    found += [say("Signs: {direction}.", direction=say(file.direction))] if file.direction else []
    return [*found, *(shown(warning, 200) for warning in file.warnings)]


def shown(message: str, longest: int) -> Template:
    """Return a message that may hold something from outside as it can be shown; one that has to be changed is data."""
    line = on_one_line(message, longest)
    return say(message) if line == message else say("{line}", line=line)


def layout_words(table: SeenTable | None, said_on: date | None) -> Template:
    """Say by whose word a file is read, where by anybody's; an empty text where it is read as it shows itself."""
    if table is None or table.stated is None:
        return say("")
    if not table.said:
        bank = on_one_line(table.stated.bank)
        return say("Read as files of {bank} are.", bank=bank) if bank else say("Read as files of a known layout are.")
    told = on_one_line(described(table.stated), 300)
    if not told:
        return say("Read as it shows itself, whatever you said before.")
    if said_on:
        return say("Read as you said on {day}: {layout}.", day=dated(said_on), layout=told)
    return say("Read as you say: {layout}.", layout=told)


def balances_of(file: FileReport, locale: str) -> list[Template]:
    """Say what a file states of its accounts, and whether its rows lead there."""
    several = len({balance.account for balance in file.balances}) > 1
    lines = []
    for balance in file.balances:
        form = "{account}: balance on {day}: {amount}{rows}." if several else "Balance on {day}: {amount}{rows}."
        lines.append(
            say(
                form,
                account=on_one_line(balance.account),
                day=dated(balance.stated.on),
                amount=_money(balance.stated.minor, balance, locale),
                rows=_led_to(balance, locale),
            )
        )
    return lines


def _led_to(balance: FileBalance, locale: str) -> Template:
    """Say how the rows lead to a balance, or where they don't; nothing where there is no other one."""
    if balance.is_within:
        return say("")
    if balance.gap is not None:
        gap = balance.gap
        start, end = (
            say("{day} ({amount})", day=dated(each.on), amount=_money(each.minor, balance, locale))
            for each in (gap.start, gap.end)
        )
        return say(
            ". Between {start} and {end} the rows come to {moved}: some may be missing, or there twice",
            start=start,
            end=end,
            moved=_money(gap.moved_minor, balance, locale),
        )
    if balance.start is None:
        return say("")
    amount = _money(balance.start.minor, balance, locale)
    return say("; the rows lead there from {amount} on {day}", amount=amount, day=dated(balance.start.on))


def _money(minor: int, balance: FileBalance, locale: str) -> str:
    return money(Money(minor, balance.currency), locale)


def unclear_row(row: UnclearRow) -> Template:
    """Show one row as it stands in its file, for a person to say what it was."""
    return joined((dated(row.booked_on), on_one_line(row.description), on_one_line(row.amount)), "  ")


def read_direction(answer: str) -> Told | None:
    """Return what a person answers to the question about direction; None if it is no answer."""
    said = " ".join(answer.casefold().replace("-", " ").strip(" .!)").split())
    return DIRECTION_ANSWERS.get(said) or _SHORT_ANSWERS.get(said)


def read_person(answer: str, people: Sequence[str]) -> str:
    """Return who of some people is meant, by name, the first words of it, or number; nothing where that is nobody, or several."""
    said = " ".join(answer.casefold().strip(" .!)").split())
    if said.isdecimal() and 0 < int(said) <= len(people):
        return people[int(said) - 1]
    known = [(name, " ".join(name.casefold().split())) for name in people]
    found = [name for name, words in known if said and words == said]
    found = found or [name for name, words in known if said and words.startswith(f"{said} ")]
    return found[0] if len(found) == 1 else ""


def describe_batch(batch: Batch, locale: str) -> Template:
    """Say which files an import was of, and which days and sums it came to."""
    parts = (names(batch.files), _span(batch.first, batch.last, batch.sums, locale))
    return joined((part for part in parts if part), " · ")


def names(files: Sequence[str]) -> Template:
    """Return the names of files in a row, of many the first few and how many more."""
    listed = ", ".join(on_one_line(name) for name in files[:_MOST_NAMES])
    if len(files) <= _MOST_NAMES:
        return say("{names}", names=listed)
    return say("{names} and {number} more", names=listed, number=str(len(files) - _MOST_NAMES))


def on_one_line(text: str, longest: int = 80) -> str:
    """Return a text from outside as it can be shown: without what nobody sees, on one line, cut where it is long."""
    seen = "".join(" " if char.isspace() or unicodedata.category(char) in _UNSEEN else char for char in text)
    line = " ".join(seen.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def _span(first: date | None, last: date | None, sums: Sequence[Money], locale: str) -> Template:
    if first is None or last is None:
        return say("")
    came_to = ", ".join(money(each, locale) for each in sums)
    return say("{dates} · sum {sums}", dates=from_to(first, last), sums=came_to)
