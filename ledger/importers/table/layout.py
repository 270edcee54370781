"""Which column of a table means what, read from its header."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING

from ledger.importers.currencies import CODES, currency_in, is_settled
from ledger.importers.dates import Order, find_order, read_date
from ledger.importers.table.by_currency import MoneyColumn, currency_named, is_of_others, money_columns
from ledger.importers.table.cells import MOST_COLUMNS, is_amount, is_date
from ledger.importers.table.column_names import header_meanings
from ledger.importers.table.known import KnownLayout, known_layout
from ledger.importers.table.phrases import AVAILABLE, EARNED, ORDERS, PRICES, SELLERS
from ledger.importers.table.sides import names_only_sides
from ledger.importers.table.states import FLAGS
from ledger.importers.table.vocabulary import Role, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ledger.importers.table.stated import StatedLayout

#: One record of a table: the number of its first line, and its cells.
Record = tuple[int, tuple[str, ...]]

#: A header stands within this many records from the top.
HEADER_WITHIN = 100
#: So many records tell what an unknown column holds, if more than a few of its cells differ.
_LOOKED_AT, _FEW = 100, 3
#: A description that fewer records have than this share is a remark.
_HARDLY = 0.2
#: How the headers of columns begin that say how something was paid.
_MEANS = ("payment", "pay", "zahlung")
_WORD = re.compile(r"[^\W\d_]{3,}")
#: Names of amounts from which the fee is taken off already.
_NET = (Role.AMOUNT, 1)


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a table: one for most roles, several for dates (best first), types and memos.

    ``currency`` is the one that the amount's header names; ``foreign`` says that the header is not in English;
    ``charges_positive`` that it is of a card whose files list purchases as positive amounts; ``spent_only`` that it is a
    list of orders or prices, ``earned`` that it is a seller's; ``signed`` that every amount has the sign that it
    should have; ``known`` is the bank or program whose files look so;
    ``fee_apart`` says that fees are charged on top of the amounts; ``guessed`` that no header says which of two columns
    is the debit. ``by_currency`` are the columns of amounts where there is one for each currency. ``stated`` is what is
    said of files of this layout, and is in the columns already; ``said`` that it is the person's own word. ``left_out``
    are the words of columns by which a row is left out, ``ignored`` the columns that say nothing.
    """

    width: int
    columns: Mapping[Role, int]
    dates: tuple[int, ...]
    memos: tuple[int, ...] = ()
    types: tuple[int, ...] = ()
    currency: str | None = None
    words: frozenset[str] = field(default_factory=frozenset)
    foreign: bool = False
    charges_positive: bool = False
    spent_only: bool = False
    earned: bool = False
    signed: bool = False
    known: KnownLayout | None = None
    fee_apart: bool = False
    flagged: bool = False
    """Whether the column of states is named for one that is not booked, of which its cells say yes or no."""
    guessed: bool = False
    by_currency: tuple[MoneyColumn, ...] = ()
    available: bool = False
    """Whether the balance is what can be spent, a limit included."""
    stated: StatedLayout | None = None
    said: bool = False
    left_out: tuple[tuple[int, frozenset[str]], ...] = ()
    ignored: tuple[int, ...] = ()

    def column(self, role: Role) -> int:
        """Return the column of a role, or -1: every record is given an empty cell at its end."""
        return self.columns.get(role, -1)

    @property
    def is_complete(self) -> bool:
        """Whether there are a date and an amount, without which no row can be read."""
        return bool(self.dates) and any(role in self.columns for role in (Role.AMOUNT, Role.DEBIT, Role.CREDIT))


def find_header(records: Sequence[Record]) -> tuple[int, int] | None:
    """Return the place of the header among the first records and how many of its cells are known words."""
    best: tuple[int, int] | None = None
    for index, (_, cells) in enumerate(records[:HEADER_WITHIN]):
        if len(cells) < 2 or len(cells) > MOST_COLUMNS:
            continue
        known = sum(1 for cell in cells if header_meanings(cell))
        if known < 2 or (best and known <= best[1]) or any(map(is_date, cells)):
            continue
        if read_header(cells, []).is_complete:
            best = index, known
    return best


def read_header(header: Sequence[str], body: Sequence[Record]) -> Layout:
    """Give every column of a header its role; the first records of the body decide about words of two meanings."""
    columns, dates, memos, types = _assign(header, body)
    _settle_booking(dates, header, body)
    _settle_account(columns)
    _settle_type(columns, types, header, body)
    _settle_currency(columns, header, body)
    _settle_description(columns, memos, body)
    _describe_by_letters(columns, header, body)
    _describe_by_type(columns, memos, body)
    memos += [
        column
        for column, cell in enumerate(header)
        if cell.strip() and not header_meanings(cell) and _holds_text(body, column)
    ]
    words = frozenset(map(fold, header))
    known = known_layout(words)
    return Layout(
        width=len(header),
        columns=columns,
        dates=tuple(dates),
        memos=tuple(sorted(memos)),
        types=tuple(types),
        currency=_header_currency(header, columns),
        words=words,
        foreign=any(map(_is_foreign, header)),
        charges_positive=known is not None and known.charges_positive,
        spent_only=(known is not None and known.spent_only) or _is_spent_only(header, columns, words),
        earned=bool(words & EARNED),
        known=known,
        available=_is_available(header, columns),
        by_currency=money_columns(header, columns, body),
        flagged=Role.STATUS in columns and fold(header[columns[Role.STATUS]]) in FLAGS,
        fee_apart=_is_fee_apart(header, columns, words),
    )


def _assign(header: Sequence[str], body: Sequence[Record]) -> tuple[dict[Role, int], list[int], list[int], list[int]]:
    """Return the column of most roles, and the columns of those that several have: dates, memos and types."""
    columns: dict[Role, int] = {}
    taken: dict[int, Role] = {}
    lists: dict[Role, list[int]] = {Role.DATE: [], Role.MEMO: []}
    for role, column in _ranked_options(header, body):
        if column in taken:
            continue
        if role in lists:
            lists[role].append(column)
        elif role not in columns:
            columns[role] = column
        elif role is Role.DESCRIPTION:
            lists[Role.MEMO].append(column)
        else:
            continue
        taken[column] = role
    lists[Role.MEMO] += [column for column, cell in enumerate(header) if not cell.strip()]
    types = [
        column for column, cell in enumerate(header) if _may_be_type(cell) and taken.get(column) in {None, Role.TYPE}
    ]
    return columns, lists[Role.DATE], lists[Role.MEMO], types


def _settle_booking(dates: list[int], header: Sequence[str], body: Sequence[Record]) -> None:
    """Of days whose names say the same, put first those of booking, which never lies before what was booked."""

    def rank(column: int) -> int:
        return next((meaning.rank for meaning in header_meanings(header[column]) if meaning.role is Role.DATE), 0)

    alike = [column for column in dates if rank(column) == rank(dates[0])]
    if len(alike) < 2:
        return
    rows = [[cells[column] for column in alike] for _, cells in body if len(cells) > max(alike)]
    order = find_order(list(chain.from_iterable(rows))) or Order.DAY_MONTH_YEAR
    read = [[day for cell in cells if (day := read_date(cell, order))] for cells in rows]
    days = [each for each in read if len(each) == len(alike)]
    last = [column for place, column in enumerate(alike) if all(each[place] == max(each) for each in days)]
    if last and dates[0] not in last:
        dates.remove(last[0])
        dates.insert(0, last[0])


def _is_foreign(cell: str) -> bool:
    """Tell a header that is known, and in no meaning an English one."""
    meanings = header_meanings(cell)
    return bool(meanings) and not any(meaning.english for meaning in meanings)


def _is_fee_apart(header: Sequence[str], columns: Mapping[Role, int], words: frozenset[str]) -> bool:
    """Tell whether fees are charged on top, as they are not where the amount's name says that it is what is left."""
    net = Role.AMOUNT in columns and any(m[:2] == _NET for m in header_meanings(header[columns[Role.AMOUNT]]))
    charged = bool(words & EARNED) or {Role.STATUS, Role.BALANCE} <= columns.keys()
    return Role.FEE in columns and charged and not net


def _ranked_options(header: Sequence[str], body: Sequence[Record]) -> Iterator[tuple[Role, int]]:
    options = []
    for column, cell in enumerate(header):
        meanings = header_meanings(cell)
        roles = {meaning.role for meaning in meanings}
        wrong = {unlike(header, body, column) for pair, unlike in _TWO_MEANINGS.items() if pair <= roles}
        unnamed_currency = currency_in(cell) is None
        options += [
            (meaning.rank, unnamed_currency, column, meaning.role) for meaning in meanings if meaning.role not in wrong
        ]
    for _, _, column, role in sorted(options):
        yield role, column


def _not_valuta(header: Sequence[str], body: Sequence[Record], column: int) -> Role:
    """Return what “Valuta” is not: a date in Hamburg, it is a currency in Stockholm."""
    del header
    return Role.DATE if _holds_codes(body, column) else Role.CURRENCY


def _not_rubrik(header: Sequence[str], body: Sequence[Record], column: int) -> Role:
    """Return what “Rubrik” is not: a category in Köln, it is a text in Stockholm."""
    del body, column
    described = any({m.role for m in header_meanings(cell)} == {Role.DESCRIPTION} for cell in header)
    return Role.DESCRIPTION if described else Role.CATEGORY


def _not_charge(header: Sequence[str], body: Sequence[Record], column: int) -> Role:
    """Return what a charge is not: the amount on a card, it is a bank's money out beside a column for money in."""
    del body, column
    credited = any(meaning.role is Role.CREDIT for cell in header for meaning in header_meanings(cell))
    return Role.AMOUNT if credited else Role.DEBIT


def _not_credit_or_debit(header: Sequence[str], body: Sequence[Record], column: int) -> Role:
    """Return what “credit/debit” is not: signed amounts in Tel Aviv, or words."""
    del header
    return Role.SIGN if _holds_amounts(body, column) else Role.AMOUNT


#: What decides where a header may mean two things: which of them it is not.
_TWO_MEANINGS: Mapping[frozenset[Role], Callable[[Sequence[str], Sequence[Record], int], Role]] = {
    frozenset({Role.DATE, Role.CURRENCY}): _not_valuta,
    frozenset({Role.DESCRIPTION, Role.CATEGORY}): _not_rubrik,
    frozenset({Role.AMOUNT, Role.DEBIT}): _not_charge,
    frozenset({Role.AMOUNT, Role.SIGN}): _not_credit_or_debit,
}


def _may_be_type(cell: str) -> bool:
    """Tell a column of types from one of means (``Payment method``), which says nothing about the direction."""
    return not fold(cell).endswith("method") and any(meaning.role is Role.TYPE for meaning in header_meanings(cell))


def _holds_codes(body: Sequence[Record], column: int) -> bool:
    return any(len(cells) > column and cells[column].strip().upper() in CODES for _, cells in body[:20])


def _holds_amounts(body: Sequence[Record], column: int) -> bool:
    cells = [cells[column] for _, cells in body[:_LOOKED_AT] if len(cells) > column and cells[column].strip()]
    return 2 * sum(map(is_amount, cells)) >= len(cells)


def _describe_by_type(columns: dict[Role, int], memos: list[int], body: Sequence[Record]) -> None:
    """Take the type's column for the description where it tells names, and the description's own hardly anything."""
    description, kind = columns.get(Role.DESCRIPTION, -1), columns.get(Role.TYPE, -1)
    if description < 0 or kind < 0 or {Role.PAYEE, Role.PAYER, Role.MERCHANT} & columns.keys():
        return
    looked = [cells for _, cells in body[:_LOOKED_AT] if len(cells) > max(description, kind)]
    filled = sum(1 for cells in looked if cells[description].strip())
    if filled < _HARDLY * len(looked) and _holds_text(body, kind):
        memos.append(description)
        columns[Role.DESCRIPTION] = kind


def _holds_text(body: Sequence[Record], column: int) -> bool:
    """Tell a column of sentences or names, whose header is no word that we know, from one of codes and numbers."""
    cells = [cells[column].strip() for _, cells in body[:_LOOKED_AT] if len(cells) > column]
    filled = [cell for cell in cells if cell]
    wordy = sum(1 for cell in filled if len(_WORD.findall(cell)) > 1)
    return len(set(filled)) > _FEW and wordy > len(filled) / 2


def _holds_anything(body: Sequence[Record], column: int) -> bool:
    return any(len(cells) > column and cells[column].strip() for _, cells in body)


def _settle_account(columns: dict[Role, int]) -> None:
    """A column called ``IBAN`` behind the payee's name is the payee's; elsewhere it is the person's own."""
    either = columns.pop(Role.EITHER_ACCOUNT, None)
    others = [columns[role] for role in (Role.PAYEE, Role.PAYER) if role in columns]
    if either is not None and Role.ACCOUNT not in columns and all(either < other for other in others):
        columns[Role.ACCOUNT] = either


def _settle_type(columns: dict[Role, int], types: Sequence[int], header: Sequence[str], body: Sequence[Record]) -> None:
    """Of several columns of types take one that says more than which way the money went."""
    if len(types) < 2 or Role.TYPE not in columns:
        return
    said = {
        column: {cells[column].strip() for _, cells in body[:_LOOKED_AT] if len(cells) > column} for column in types
    }
    telling = [
        column
        for column in types
        if any(said[column])
        and not fold(header[column]).startswith(_MEANS)
        and not names_only_sides(said[column] - {""})
    ]
    if telling and columns[Role.TYPE] not in telling:
        columns[Role.TYPE] = telling[0]


def _settle_currency(columns: dict[Role, int], header: Sequence[str], body: Sequence[Record]) -> None:
    """Of several currency columns take the one nearest to the amount, best right behind it; none that is of other amounts.

    One of nothing but codes under a name that is not known is a currency column as well, where no other is named.
    """
    amount = columns.get(Role.AMOUNT)
    if Role.CURRENCY in columns:
        rank = min(m.rank for m in header_meanings(header[columns[Role.CURRENCY]]) if m.role is Role.CURRENCY)
        same = [
            i for i, cell in enumerate(header) if any(m[:2] == (Role.CURRENCY, rank) for m in header_meanings(cell))
        ]
    else:
        same = [
            i for i, cell in enumerate(header) if cell.strip() and not header_meanings(cell) and _is_of_codes(body, i)
        ]
    if not same:
        return
    named = columns.get(Role.CURRENCY, same[0])
    columns[Role.CURRENCY] = (
        named if amount is None else min(same, key=lambda column: (abs(column - amount), column < amount))
    )
    if _is_abroad(columns, header, body):
        del columns[Role.CURRENCY]


def _is_of_codes(body: Sequence[Record], column: int) -> bool:
    """Tell a column of codes of currencies."""
    filled = {cells[column].strip() for _, cells in body[:_LOOKED_AT] if len(cells) > column} - {""}
    return bool(filled) and filled <= CODES


def _is_abroad(columns: Mapping[Role, int], header: Sequence[str], body: Sequence[Record]) -> bool:
    """Tell a column of currencies that is of other amounts than the row's own, whose name may say what it is in."""
    return is_settled(_header_currency(header, columns)) or is_of_others(header, columns, body)


def with_currency(layout: Layout, header: Sequence[str], body: Sequence[Record]) -> Layout:
    """Return a layout whose columns were told by their cells, with what their names and cells say of the currency."""
    currency = layout.currency or _header_currency(header, layout.columns)
    columns = dict(layout.columns)
    if Role.CURRENCY in columns and _is_abroad(columns, header, body):
        del columns[Role.CURRENCY]
    return replace(layout, columns=columns, currency=currency)


def _settle_description(columns: dict[Role, int], memos: list[int], body: Sequence[Record]) -> None:
    """Without any column of its own, a memo that holds anything or the notes are all there is to describe a row."""
    if Role.DESCRIPTION not in columns and not {Role.PAYEE, Role.PAYER, Role.MERCHANT} & columns.keys():
        filled = [column for column in memos if _holds_anything(body, column)]
        if filled:
            columns[Role.DESCRIPTION] = filled[0]
            memos.remove(filled[0])
        elif Role.NOTES in columns:
            columns[Role.DESCRIPTION] = columns.pop(Role.NOTES)


def _describe_by_letters(columns: dict[Role, int], header: Sequence[str], body: Sequence[Record]) -> None:
    """Where nothing describes a row, take the first column of texts of those whose names are not known.

    Which has most letters would not be the same in the next file, and by its description a row is known again.
    """
    if {Role.DESCRIPTION, Role.PAYEE, Role.PAYER, Role.MERCHANT, Role.TYPE} & columns.keys():
        return
    for column, cell in enumerate(header):
        if column in columns.values() or header_meanings(cell):
            continue
        filled = [text for _, cells in body[:_LOOKED_AT] if len(cells) > column and (text := cells[column].strip())]
        if 2 * sum(_WORD.search(text) is not None for text in filled) > len(filled):
            columns[Role.DESCRIPTION] = column
            return


def _is_spent_only(header: Sequence[str], columns: Mapping[Role, int], words: frozenset[str]) -> bool:
    """Tell a list of orders or prices from a statement, which has a balance, and from a seller's list."""
    if Role.AMOUNT not in columns or Role.BALANCE in columns or words & SELLERS:
        return False
    price = [word for word in fold(header[columns[Role.AMOUNT]]).split() if word.upper() not in CODES]
    return bool(words & ORDERS) or " ".join(price) in PRICES


def _is_available(header: Sequence[str], columns: Mapping[Role, int]) -> bool:
    return Role.BALANCE in columns and not AVAILABLE.isdisjoint(fold(header[columns[Role.BALANCE]]).split())


def _header_currency(header: Sequence[str], columns: Mapping[Role, int]) -> str | None:
    for role in (Role.AMOUNT, Role.DEBIT, Role.CREDIT):
        if role in columns and (found := currency_named(header[columns[role]])):
            return found
    return None
