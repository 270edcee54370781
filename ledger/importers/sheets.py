"""Sheets of cells as a statement: which of them hold transactions, and what they come to together."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from io import BytesIO
from itertools import chain, islice
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.errors import OpenQuestion, UnreadableFile
from ledger.importers.amounts import decimal_mark
from ledger.importers.currencies import settle_currency, unsettled
from ledger.importers.dates import month_of
from ledger.importers.home_currency import find_home
from ledger.importers.sections import sections_of
from ledger.importers.table.bank_layouts import bank_layouts
from ledger.importers.table.cells import LONGEST_LINE, is_amount, is_transaction
from ledger.importers.table.layout import HEADER_WITHIN, find_header, read_header
from ledger.importers.table.reader import NO_TABLE, read_table
from ledger.importers.table.seen import look_at
from ledger.importers.table.signs import quote
from ledger.importers.table.stated import find_stated
from ledger.importers.table.states import is_unbooked
from ledger.importers.table.vocabulary import Role, fold, folded
from ledger.transactions import RejectedRow, Statement, StatementRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ledger.importers.amounts import DecimalMark
    from ledger.importers.importer import Hints
    from ledger.importers.table.layout import Record

_TEXTS = frozenset({Role.DESCRIPTION, Role.PAYEE, Role.PAYER, Role.MERCHANT, Role.NOTES})
#: Words in names of sheets that say nothing of an account; months and numbers don't either.
_NO_ACCOUNT = folded(
    """sheet|tabelle|blatt|feuille|feuil|hoja|foglio|planilha|folha|blad|ark|arkusz|list|munkalap|taulukko|sayfa|
    transactions|transaction|umsatze|umsatz|buchungen|mouvements|operations|movimientos|movimenti|movimentos|
    transacties|mutaties|transaktioner|transaktionen|kontoauszug|statement|statements|account|activity|export|data|
    report|history|all|q|h|quarter|half|year|jahr|month|monat|of|and|und|the|kw|week|income|expenses|spending|
    einnahmen|ausgaben|overview|summary|total|gesamt|ubersicht|budget"""
)
#: So many equal rows in the sheets of two accounts are no chance, if they are so large a part of one of them.
_NO_CHANCE, _SHARED = 3, 0.5

#: So many rows tell how a sheet's texts write numbers, and so many lines are taken apart at once.
_TELLING, _AT_ONCE = 1000, 500
_LEFT_OUT = "The sheet “{sheet}” was left out."
_NOT_BOOKED = "The sheet “{sheet}” was left out, since its payments are not booked yet."
_PART_OF_MONEY = re.compile(r"[0-9][.,][0-9]")


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet: its name, whether a person sees it, and its rows that hold anything, which can be gone through again."""

    name: str
    visible: bool
    records: Iterable[Record]


def read_sheets(sheets: Sequence[Sheet], hints: Hints, file_format: str) -> Statement:
    """Read the sheets that hold transactions, hidden ones only if no other does, as one statement.

    Raises what :func:`ledger.importers.table.reader.read_table` raises, if there is no such sheet or one needs an answer.
    """
    problems: list[UnreadableFile] = []
    tables = [replace(sheet, records=part) for sheet in sheets for part in sections_of(sheet.records)]
    for visible in (True, False):
        chosen, unread = _chosen([table for table in tables if table.visible is visible], hints)
        read: list[_Read] = []
        for sheet, told in _named(chosen, hints):
            try:
                statement = read_table(sheet.records, told, file_format)
            except OpenQuestion:
                raise
            except UnreadableFile as error:
                problems.append(error)
                unread.append(
                    say("The sheet “{sheet}” was left out: {why}", sheet=quote(sheet.name), why=say(error.message))
                )
            else:
                read.append(_Read(sheet.name, statement))
        if len(read) == 1 and not unread:
            return read[0].statement
        if read:
            return _together(read, unread)
    if problems:
        raise problems[0]
    none = UnreadableFile(NO_TABLE.replace("this file", "this web page") if file_format == "html" else NO_TABLE)
    seen = (look_at(list(islice(sheet.records, HEADER_WITHIN))) for sheet in sheets if sheet.visible)
    none.table = next(filter(None, seen), None)
    raise none


def _chosen(tables: Sequence[Sheet], hints: Hints) -> tuple[list[Sheet], list[str]]:
    """Return the tables that are most like transactions, and what is said of those that are left out."""
    ranked = [(sheet, _rank(sheet.records, hints)) for sheet in tables]
    best = max((rank for _, rank in ranked), default=0)
    likely = [sheet for sheet, rank in ranked if rank == best > 0]
    unread: list[str] = [say(_LEFT_OUT, sheet=quote(sheet.name)) for sheet, rank in ranked if 0 < rank < best]
    booked = [sheet for sheet in likely if not is_unbooked(sheet.name)]
    if not booked:
        return likely, unread
    return booked, unread + [say(_NOT_BOOKED, sheet=quote(sheet.name)) for sheet in likely if sheet not in booked]


def _rank(records: Iterable[Record], hints: Hints) -> int:
    """Tell a table of transactions (2) from one that may be one, as a summary by month does (1), and from none (0)."""
    first = list(islice(records, HEADER_WITHIN))
    if find_stated(first, (*hints.layouts, *bank_layouts())) is not None:
        return 2
    header = find_header(first)
    if header is None:
        return int(any(is_transaction(cells) for _, cells in first))
    if len(first) == header[0] + 1:
        return 0  # nothing below its header
    return 2 if _TEXTS & read_header(first[header[0]][1], first[header[0] + 1 :]).columns.keys() else 1


def _named(sheets: Sequence[Sheet], hints: Hints) -> Iterator[tuple[Sheet, Hints]]:
    """Yield the sheets with what is known of each: where there are several, their names may be those of accounts."""
    several = len({sheet.name for sheet in sheets}) > 1
    for sheet in sheets:
        own = sheet.name.strip() if several and _names_account(sheet.name) else ""
        yield sheet, replace(hints, sheet=own)


def _names_account(name: str) -> bool:
    words = fold(name).split()
    return not all(word in _NO_ACCOUNT or not word.isalpha() or month_of(word) for word in words)


@dataclass(slots=True)
class _Read:
    """A sheet that was read, and the numbers of its rows that another sheet has as well."""

    name: str
    statement: Statement
    known: AbstractSet[int] = frozenset()

    @property
    def refs(self) -> AbstractSet[str]:
        """The accounts that are named."""
        return {account.ref for account in self.statement.accounts}

    def rows(self) -> Iterator[StatementRow]:
        """Yield the rows that are left."""
        return (row for row in self.statement.rows if row.number not in self.known)


class SheetRows:
    """The rows of several sheets, one sheet after the other, read anew whenever they are gone through."""

    def __init__(self, sheets: Sequence[_Read], *, apart: bool) -> None:
        """``apart`` says that the sheets are of different countries, so that a row must say its own currency."""
        self._sheets = sheets
        self._apart = apart

    def __len__(self) -> int:
        return sum(len(sheet.statement.rows) - len(sheet.known) for sheet in self._sheets)

    def __contains__(self, row: object) -> bool:
        return any(row == each for each in self)

    def __iter__(self) -> Iterator[StatementRow]:
        for sheet in self._sheets:
            home = sheet.statement.home.currency if self._apart else None
            for row in sheet.rows():
                settled = settle_currency(row.currency, home)
                yield row if row.currency == settled else replace(row, currency=settled)


def _together(sheets: Sequence[_Read], unread: Sequence[str]) -> Statement:
    """Put the statements of several sheets into one; a reason or a warning says which sheet it is about."""
    first = sheets[0].statement
    shared = list(_mark_shared(sheets))
    homes = {sheet.statement.home.currency for sheet in sheets}
    apart = len(homes) > 1
    warnings = [f"Sheet “{quote(sheet.name)}”: {said}" for sheet in sheets for said in sheet.statement.warnings]
    decisions = [sheet.statement.direction for sheet in sheets if sheet.statement.direction]
    told = [decision for decision in decisions if decision.learned] or [each for each in decisions if each.why]
    return replace(
        first,
        accounts=tuple({account.ref: account for sheet in sheets for account in sheet.statement.accounts}.values()),
        rows=SheetRows(sheets, apart=apart),
        rejected=tuple(
            RejectedRow(row.row, f"sheet “{quote(sheet.name)}”: {row.reason}")
            for sheet in sheets
            for row in sheet.statement.rejected
        ),
        home=find_home(homes, chain.from_iterable(sheet.statement.home.likely for sheet in sheets)),
        unsettled=unsettled(
            (ref, settle_currency(sign, sheet.statement.home.currency if apart else None))
            for sheet in sheets
            for ref, sign in sheet.statement.unsettled
        ),
        direction=next(iter(told or decisions), None),
        warnings=tuple(dict.fromkeys((*unread, *shared, *warnings))),
        balances=tuple(chain.from_iterable(sheet.statement.balances for sheet in sheets)),
    )


def _mark_shared(sheets: Sequence[_Read]) -> Iterator[str]:
    """Leave out of a sheet what a larger one has as well: the months beside the year, or a later copy of an export.

    Two equal rows of one sheet are two purchases, so that of three in one sheet and two in another, three are left.
    """
    seen: list[tuple[_Read, Counter[int]]] = []
    for sheet in sorted(sheets, key=lambda sheet: -len(sheet.statement.rows)):
        counts = Counter(map(_content, sheet.statement.rows))
        for other, there in seen:
            if other.name == sheet.name:
                continue  # two tables of one sheet
            common = counts & there
            apart = sheet.refs and other.refs and sheet.refs.isdisjoint(other.refs)
            least = _NO_CHANCE if apart else min(_NO_CHANCE, counts.total())
            if common and common.total() >= max(least, _SHARED * counts.total()):
                sheet.known = _numbers(sheet.statement.rows, common)
                one = "1 row of the sheet “{sheet}” is in “{other}” as well and counts once."
                several = "{count} rows of the sheet “{sheet}” are in “{other}” as well and count once."
                names = {"sheet": quote(sheet.name), "other": quote(other.name)}
                yield say(one if len(sheet.known) == 1 else several, count=str(len(sheet.known)), **names)
                break
        seen.append((sheet, counts))


def _numbers(rows: Iterable[StatementRow], common: Counter[int]) -> AbstractSet[int]:
    """Return the numbers of the rows that are common to two sheets, as often as they are."""
    left, found = common.copy(), set()
    for row in rows:
        content = _content(row)
        if left[content] > 0:
            left[content] -= 1
            found.add(row.number)
    return found


def _content(row: StatementRow) -> int:
    return hash((row.booked_on, row.amount, row.currency, row.description, row.memo))


class SheetRecords:
    """The records of a sheet, from lines of JSON anew whenever they are gone through."""

    def __init__(self, lines: bytes) -> None:
        """Find out which decimal mark the texts among the cells have: numbers are then written with the same."""
        self._lines = lines
        self._read = json.JSONDecoder(parse_int=str, parse_constant=str).decode
        texts = (cell for _, cells in islice(self, _TELLING) for cell in cells if isinstance(cell, str))
        mark = decimal_mark(cell for cell in texts if _PART_OF_MONEY.search(cell) and is_amount(cell))
        number = partial(_written, mark=mark)
        self._read = json.JSONDecoder(parse_int=str, parse_float=number, parse_constant=str).decode

    @classmethod
    def of(cls, rows: Iterable[Sequence[object]]) -> SheetRecords:
        """Keep rows, each of its number and its cells, as such lines."""
        return cls("".join(f"{json.dumps(row)}\n" for row in rows).encode())

    def __iter__(self) -> Iterator[Record]:
        """Yield every row by its number."""
        lines = BytesIO(self._lines)
        while some := list(islice(lines, _AT_ONCE)):
            for line, (number, *cells) in zip(some, self._read(f"[{b','.join(some).decode()}]"), strict=True):
                yield int(number), tuple(cells) if len(line) <= LONGEST_LINE else _bounded(cells)


def _bounded(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the cells of a row; one beyond all reason as a single cell, by which the table tells what is wrong with it."""
    if sum(map(len, cells)) <= LONGEST_LINE:
        return tuple(cells)
    return (" ".join(cells)[: LONGEST_LINE + 1],)


def _written(number: str, mark: DecimalMark) -> str:
    """Write a number so that nothing can take its decimal mark for one of thousands."""
    text = f"{Decimal(number):f}" if "e" in number else number
    text = f"{text}0" if text[-4:-3] == "." else text
    return text if mark == "." else text.replace(".", mark)
