"""Reads a table of transactions: finds its header, settles what holds for the whole file, then reads row by row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.errors import UnreadableFile
from ledger.importers.amounts import DecimalMark, decimal_mark
from ledger.importers.currencies import settle_currency, unsettled
from ledger.importers.dates import DateReader, Order, read_date, settle_order
from ledger.importers.home_currency import Texts, currency_of_numbers, find_home, usual_in
from ledger.importers.programs import Translated, translated
from ledger.importers.table.accounts import Accounts
from ledger.importers.table.balances import RunningBalance, stated_balances
from ledger.importers.table.bank_layouts import bank_layouts
from ledger.importers.table.cells import is_amount, is_transaction
from ledger.importers.table.column_names import header_meanings
from ledger.importers.table.continued import joined
from ledger.importers.table.inference import infer_layout
from ledger.importers.table.layout import Layout, Record, find_header, read_header, with_currency
from ledger.importers.table.passes import MONEY_ROLES as _MONEY_ROLES
from ledger.importers.table.passes import STATED, Begins, FittedRows, Outcome, Survey, TableRows
from ledger.importers.table.phrases import (
    DAY_FIRST_CURRENCIES,
    DAY_FIRST_WORDS,
    MONTH_FIRST_CURRENCIES,
    MONTH_FIRST_WORDS,
    currency_of_words,
    likely_currencies,
)
from ledger.importers.table.preamble import Preamble, read_preamble
from ledger.importers.table.rows import RowReader
from ledger.importers.table.seen import as_settled, look_at
from ledger.importers.table.settling import Table
from ledger.importers.table.signs import AmountReader
from ledger.importers.table.stated import StatedLayout, apply, find_stated
from ledger.importers.table.vocabulary import Role
from ledger.importers.table.wallets import settled
from ledger.importers.table.years import with_years
from ledger.money import exponent
from ledger.transactions import Statement

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from ledger.importers.importer import Hints
    from ledger.importers.programs.plain import PlainRecord
    from ledger.importers.table.stated import Found
    from ledger.transactions import RejectedRow

NO_TABLE = "I can't find transactions in this file: no table with a date and an amount in each row."

#: From this many records on, a table of which none can be read is refused rather than listed.
_HOPELESS = 20
#: Columns of numbers that are no amounts.
_NO_MONEY = frozenset({Role.BALANCE, Role.FEE, Role.IGNORED, Role.ID, Role.REFERENCE, Role.MCC})
#: How many records are looked at to find the table: a header stands near the top.
_LOOKED_AT = 1000


def read_table(records: Iterable[Record], hints: Hints, file_format: str, *, european: bool = False) -> Statement:
    """Read the records of one file as a statement; ``european`` says that its dialect is (semicolons).

    The records are gone through several times, and never held: first for what holds for the whole file, then row by row.

    Raises ``AmbiguousDates`` if nothing decides what 03/04/2026 means, ``AmbiguousDirection`` if nothing decides which
    way the money went, ``UnreadableFile`` if there is no table.
    """
    table, hints = translated(settled(with_years(records, hints)), hints)
    head = [(number, cells) for number, cells in islice(table, _LOOKED_AT) if not isinstance(cells, str)]
    divided = None
    try:
        divided = _divide(head, hints.layouts)
        return _read(table, head, divided, hints, file_format, european=european)
    except UnreadableFile as error:
        error.table = look_at(head, *(divided[0], divided[2]) if divided else ())
        raise


def _read(  # noqa: PLR0913 - what is known once the table is found
    table: Iterable[PlainRecord],
    head: Sequence[Record],
    divided: tuple[Layout, Sequence[Record], Begins],
    hints: Hints,
    file_format: str,
    *,
    european: bool,
) -> Statement:
    layout, above, begins = divided
    seen = table.seen if isinstance(table, Translated) else None
    shown = layout = replace(layout, signed=isinstance(table, Translated))
    if seen is None:
        table, layout = joined(table, head, layout, begins)
    preamble = read_preamble(above)
    rows = FittedRows(table, layout, begins)
    told = layout.stated or StatedLayout()
    currency = settle_currency(layout.currency, preamble.currency, hints.currency, told.currency)
    by_header = (layout.known.currency if layout.known else None), currency_of_words(layout.words)
    survey = Survey.of(rows, layout)
    mark = told.decimal or _find_mark(survey, layout, currency, european=european)
    amounts = AmountReader(layout, mark, currency)
    amounts.settle_columns(rows)
    written = {currency, *survey.currencies, *(amounts.read(cells).currency for cells in islice(rows, STATED))}
    stated = {settle_currency(each, *by_header) for each in written - {None, ""} or {None}}
    order = _find_order(survey, layout, preamble, hints, _Evidence(mark, stated - {None}, european=european))
    accounts = Accounts(layout, preamble, hints)
    reader = RowReader(layout, DateReader(order), accounts, currency, survey)
    signed = Table(layout, preamble, hints, amounts, reader).settle(rows)
    read = TableRows(rows, signed, reader)
    outcome = Outcome()
    running = RunningBalance(layout.column(Role.BALANCE), amounts, layout.column(Role.POCKET))
    texts = Texts()
    for _ in texts.over(outcome.over(running.over(read.with_cells()))):
        pass  # all are gone through once
    read.count, rejected = outcome.count, _rejected(outcome)
    found = accounts.all(outcome.pairs)
    proofs = (currency_of_numbers(account.ref for account in found), *by_header, *texts.proofs())
    home = find_home(proofs, (*texts.likely(), *likely_currencies(layout.words), *usual_in(order, mark)))
    balances, missing = running.found()
    if layout.available:
        balances = ()
    return Statement(
        file_format,
        found,
        read,
        rejected,
        home,
        unsettled(outcome.pairs),
        signed.decision,
        (*signed.warnings(read), *missing),
        balances or stated_balances(preamble, outcome, accounts, order),
        accounts.unnamed,
        seen or as_settled(look_at(head, shown, begins), order, mark, signed.decision),
    )


def _rejected(outcome: Outcome) -> tuple[RejectedRow, ...]:
    """Return the rows that can't be read, in order; raises UnreadableFile where none can, of many."""
    rejected = tuple(sorted(outcome.rejected, key=lambda row: row.row))
    if not outcome.count and len(rejected) >= _HOPELESS:
        first = rejected[0]
        raise UnreadableFile(
            say(
                "None of the {count} rows of this file can be read; about line {line}: {reason}.",
                count=str(len(rejected)),
                line=str(first.row),
                reason=say(first.reason),
            )
        )
    return rejected


def _divide(records: Sequence[Record], said: Sequence[StatedLayout]) -> tuple[Layout, Sequence[Record], Begins]:
    """Return the layout, the records above the table, and where it begins, by the first records of a file.

    What the person said of such files goes before what is known of a bank's, and that before what the file shows.
    """
    found = find_stated(records, (*said, *bank_layouts()))
    if found is None:
        return _inferred(records)
    divided = _headless(records, found) if found.header_at is None else _headed(records, found.header_at)
    layout = apply(divided[0], found, said=found.stated in said)
    if not layout.is_complete:
        raise UnreadableFile(NO_TABLE)
    return layout, *divided[1:]


def _headed(records: Sequence[Record], place: int) -> tuple[Layout, Sequence[Record], Begins]:
    """Divide at a header that was found, as it would be without a word on it if that finds the same table."""
    cells = records[place][1]
    divided = _without_a_word(records, len(cells))
    if divided is not None and divided[2].skipped == place + 1:
        return divided[0], divided[1], Begins(place + 1, cells)
    layout = read_header(cells, [each for each in records[place + 1 :] if each[1] != cells])
    return layout, records[:place], Begins(place + 1, cells)


def _headless(records: Sequence[Record], found: Found) -> tuple[Layout, Sequence[Record], Begins]:
    """Divide a file without a header, of which the cells may tell nothing."""
    width = found.stated.width
    if divided := _without_a_word(records, width):
        return divided
    first = next(place for place, (_, cells) in enumerate(records) if len(cells) == width)
    return Layout(width, {}, ()), records[:first], Begins(first)


def _without_a_word(records: Sequence[Record], width: int) -> tuple[Layout, Sequence[Record], Begins] | None:
    """Return what a file shows by itself, if that is a table so wide."""
    try:
        divided = _inferred(records)
    except UnreadableFile:
        return None
    return divided if divided[0].width == width else None


def _inferred(records: Sequence[Record]) -> tuple[Layout, Sequence[Record], Begins]:
    header = find_header(records)
    if header:
        place, cells = header[0], records[header[0]][1]
        begins = Begins(place + 1, cells)
        return read_header(cells, [each for each in records[place + 1 :] if each[1] != cells]), records[:place], begins
    layout, first = _infer(records)
    if first and len(records[first - 1][1]) == layout.width:
        header_cells = records[first - 1][1]
        other = {
            index for index, cell in enumerate(header_cells) if any(m.role in _NO_MONEY for m in header_meanings(cell))
        }
        layout, _ = _infer(records[first:], other)
        layout = with_currency(
            _named(layout, read_header(header_cells, records[first:])), header_cells, records[first:]
        )
    return layout, records[:first], Begins(first)


def _infer(records: Sequence[Record], no_money: Collection[int] = ()) -> tuple[Layout, int]:
    """Return the layout that the cells suggest and the place of the first record that fits it."""
    layout = infer_layout(records, no_money)
    if layout is None:
        raise UnreadableFile(NO_TABLE)
    money = [layout.columns[role] for role in _MONEY_ROLES if role in layout.columns]
    first = next(
        index
        for index, (_, cells) in enumerate(records)
        if len(cells) == layout.width
        and (is_transaction(cells) or read_date(cells[layout.dates[0]]) or any(is_amount(cells[i]) for i in money))
    )
    return layout, first


def _named(inferred: Layout, named: Layout) -> Layout:
    """Add to a layout inferred from the cells what a header says of which only some words are known."""
    columns = dict(inferred.columns)
    if any(role in named.columns for role in _MONEY_ROLES):
        columns = {role: column for role, column in columns.items() if role not in _MONEY_ROLES}
    fixed = {columns[role] for role in _MONEY_ROLES if role in columns} | set(inferred.dates)
    added = {role: column for role, column in named.columns.items() if column not in fixed}
    columns = {role: column for role, column in columns.items() if column not in added.values()} | added
    used = set(columns.values())
    return replace(
        inferred,
        columns=columns,
        dates=named.dates or inferred.dates,
        memos=tuple(column for column in inferred.memos if column not in used),
        currency=named.currency,
        words=named.words,
        foreign=named.foreign,
        guessed=inferred.guessed and not any(role in named.columns for role in _MONEY_ROLES),
        spent_only=named.spent_only,
        earned=named.earned,
        known=named.known,
        charges_positive=named.charges_positive,
    )


def _find_mark(survey: Survey, layout: Layout, currency: str | None, *, european: bool) -> DecimalMark:
    return decimal_mark(
        survey.amounts,
        survey.balances,
        default="," if layout.foreign or european else ".",
        three_decimals=currency is not None and exponent(currency) == 3,
    )


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What else a file shows about where it comes from."""

    mark: DecimalMark
    currencies: set[str | None]
    european: bool


def _find_order(survey: Survey, layout: Layout, preamble: Preamble, hints: Hints, evidence: _Evidence) -> Order:
    foreign = (
        layout.foreign or not "".join(layout.words).isascii()
    )  # who writes English letters alone may begin with months
    certain = Order.DAY_MONTH_YEAR if foreign or evidence.mark == "," else None
    likely = _likely_order(layout, evidence)
    stated = layout.stated.order if layout.stated else None
    cells = [*survey.dates, *preamble.dates]
    return settle_order(cells, hints.day_first, stated=stated, certain=certain, likely=likely)


def _likely_order(layout: Layout, evidence: _Evidence) -> Order | None:
    day_first = bool(layout.words & DAY_FIRST_WORDS) or evidence.european
    month_first = bool(layout.words & MONTH_FIRST_WORDS)
    if evidence.currencies:
        day_first = day_first or evidence.currencies <= DAY_FIRST_CURRENCIES
        month_first = month_first or evidence.currencies <= MONTH_FIRST_CURRENCIES
    if day_first == month_first:
        return None
    return Order.DAY_MONTH_YEAR if day_first else Order.MONTH_DAY_YEAR
