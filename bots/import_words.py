"""What is said about files and imports, the same at the console and on every platform."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from language.catalogue import language_of
from ledger.direction import Told
from ledger.importers.table.saying import described
from ledger.money import Money, to_minor
from tools.wording import day, day_range, money, number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from ledger.balances import Stated
    from ledger.batches import Batch
    from ledger.errors import UnclearRow
    from ledger.file_sums import Movement
    from ledger.identity import PlacedRow
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
PERSON_QUESTION = "Which of these are you?"
#: What is likely to be asked after an import, beside what was spent.
UNFILED_QUESTION = "Which shops have no category?"
#: Why who one is is asked.
PERSON_REASON = "It lists what several people share, and only your share is yours."
#: Control characters, marks that turn the direction of a text, halves of surrogate pairs, ends of lines: unseen or worse.
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


def counted(count: int, noun: str, locale: str) -> str:
    """Return a number of things: ``1 transaction``, ``1,204 transactions``."""
    return f"{number(count, locale)} {noun}{'' if count == 1 else 's'}"


def outcome_of(file: FileReport, locale: str, *, dry_run: bool) -> str:
    """Say what becomes of a file's rows: ``17 transactions, 14 new, 3 known already, 2 left out``."""
    parts = [counted(file.found, "transaction", locale)]
    parts.append(f"{number(file.added, locale)} {'new' if dry_run else 'added'}")
    parts += [f"{number(file.met, locale)} in place of what you wrote down by hand"] if file.met else []
    parts += [f"{number(file.duplicates, locale)} known already"] if file.duplicates else []
    parts += [f"{number(len(file.rejected), locale)} left out"] if file.rejected else []
    return ", ".join(parts)


def origin_of(file: FileReport) -> str:
    """Say how a file was read and where its transactions belong."""
    return f"{file.format} · {on_one_line(file.account)}"


def span_of(file: FileReport, locale: str) -> str:
    """Say which days a file's transactions are of and what they come to; nothing where it has none."""
    if file.first is None or file.last is None:
        return ""
    dates = day_range(file.first, file.last, language_of(locale))
    return f"{dates} · {', '.join(_moved(each, locale) for each in file.movements)}"


def _moved(movement: Movement, locale: str) -> str:
    """Say money out and in apart: ``out $1,234.50 in 31 rows, in $20.00 in 1 row``."""
    sides = (("out", movement.out, movement.out_rows), ("in", movement.into, movement.into_rows))
    said = (
        f"{way} {money(Money(to_minor(amount, movement.currency), movement.currency), locale)} in {counted(rows, 'row', locale)}"
        for way, amount, rows in sides
    )
    return ", ".join(said)


def notes_on(file: FileReport, locale: str) -> list[str]:
    """Say by whose word a file is read, how its signs were found, if there is more to it, and what else should be known."""
    read_as = layout_words(file.table, file.said_on, locale)
    found = [read_as] if read_as else []
    found += [f"Signs: {file.direction}."] if file.direction else []
    return [*found, *(on_one_line(warning, 200) for warning in file.warnings)]


def layout_words(table: SeenTable | None, said_on: date | None, locale: str) -> str:
    """Say by whose word a file is read, where by anybody's; an empty text where it is read as it shows itself."""
    if table is None or table.stated is None:
        return ""
    if not table.said:
        return f"Read as files of {on_one_line(table.stated.bank) or 'a known layout'} are."
    told = on_one_line(described(table.stated), 300)
    if not told:
        return "Read as it shows itself, whatever you said before."
    when = f"said on {day(said_on, language_of(locale))}" if said_on else "say"
    return f"Read as you {when}: {told}."


def balances_of(file: FileReport, locale: str) -> list[str]:
    """Say what a file states of its accounts, and whether its rows lead there."""
    several = len({balance.account for balance in file.balances}) > 1
    lines = []
    for balance in file.balances:
        whose = f"{on_one_line(balance.account)}: balance" if several else "Balance"
        lines.append(f"{whose} {_stated(balance.stated, balance.currency, locale)}{_led_to(balance, locale)}.")
    return lines


def _stated(stated: Stated, currency: str, locale: str) -> str:
    return f"on {day(stated.on, language_of(locale))}: {money(Money(stated.minor, currency), locale)}"


def _led_to(balance: FileBalance, locale: str) -> str:
    """Say how the rows lead to a balance, or where they don't; nothing where there is no other one."""
    if balance.is_within:
        return ""
    if balance.gap is not None:
        gap = balance.gap
        start, end = (
            f"{day(each.on, language_of(locale))} ({_money(each.minor, balance, locale)})"
            for each in (gap.start, gap.end)
        )
        moved = _money(gap.moved_minor, balance, locale)
        return f". Between {start} and {end} the rows come to {moved}: some may be missing, or there twice"
    if balance.start is None:
        return ""
    since = day(balance.start.on, language_of(locale))
    return f"; the rows lead there from {_money(balance.start.minor, balance, locale)} on {since}"


def _money(minor: int, balance: FileBalance, locale: str) -> str:
    return money(Money(minor, balance.currency), locale)


def row_of(placed: PlacedRow, locale: str) -> str:
    """Show one row with the sign that it has."""
    amount = money(Money(to_minor(placed.row.amount, placed.currency), placed.currency), locale)
    return f"{day(placed.row.booked_on, language_of(locale))}  {on_one_line(placed.row.description)}  {amount}"


def unclear_row(row: UnclearRow, locale: str) -> str:
    """Show one row as it stands in its file, for a person to say what it was."""
    return f"{day(row.booked_on, language_of(locale))}  {on_one_line(row.description)}  {on_one_line(row.amount)}"


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


def describe_batch(batch: Batch, locale: str) -> str:
    """Say which files an import was of, and which days and sums it came to."""
    return " · ".join(part for part in (names(batch.files), _span(batch.first, batch.last, batch.sums, locale)) if part)


def names(files: Sequence[str]) -> str:
    """Return the names of files in a row, of many the first few and how many more."""
    shown = ", ".join(on_one_line(name) for name in files[:_MOST_NAMES])
    return shown if len(files) <= _MOST_NAMES else f"{shown} and {len(files) - _MOST_NAMES} more"


def on_one_line(text: str, longest: int = 80) -> str:
    """Return a text from outside as it can be shown: without what nobody sees, on one line, cut where it is long."""
    seen = "".join(" " if char.isspace() or unicodedata.category(char) in _UNSEEN else char for char in text)
    line = " ".join(seen.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def _span(first: date | None, last: date | None, sums: Sequence[Money], locale: str) -> str:
    if first is None or last is None:
        return ""
    return f"{day_range(first, last, language_of(locale))} · sum {', '.join(money(each, locale) for each in sums)}"
