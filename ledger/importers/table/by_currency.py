"""Tables with a column of amounts for each currency, of which a row fills one: ``CAD$`` and ``USD$``."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ledger.importers.amounts import read_amount
from ledger.importers.currencies import currency_in
from ledger.importers.table.column_names import header_meanings
from ledger.importers.table.vocabulary import Role, fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from ledger.importers.table.layout import Record

#: The side of each role of money: -1 for money out, +1 for money in, 0 for both.
SIDES: Mapping[Role, int] = {Role.AMOUNT: 0, Role.DEBIT: -1, Role.CREDIT: 1}
#: Codes that are no words, so that they count in small letters too: ``amount_usd``.
_PLAIN = frozenset("usd eur gbp chf cad aud nzd jpy sek nok dkk pln czk huf inr cny brl mxn zar sgd hkd ils".split())

_CENTS = 2
#: What the name of an amount says that is not what was booked, unless it is a fee or a rate for that: “Utl. belopp”.
_ABROAD = re.compile(
    r"\b(?:foreign|abroad|origin(?:al|ee?l)|oorspr|ursprung|fremd|ausland|utl|etrang|extranj|ester[aeio]\b|vreemd|buitenl|zagran)"
    r"|מקור"
)
_NOT_PAID = re.compile(r"\b(?:fees?|charges?|tax|rate|kurs|koers|gebuhr\w*|frais|avgift)\b")


class MoneyColumn(NamedTuple):
    """A column of amounts in one currency; ``side`` is -1 where it holds money out, +1 for money in, 0 for both."""

    column: int
    side: int
    currency: str


def currency_named(header: str) -> str | None:
    """Return the currency that the name of a column ends in or holds."""
    last = fold(header).rpartition(" ")[2]
    return currency_in(header) or (last.upper() if last in _PLAIN else None)


def money_columns(
    header: Sequence[str], columns: Mapping[Role, int], body: Sequence[Record]
) -> tuple[MoneyColumn, ...]:
    """Return the columns of amounts of a header that has several for one role, each named by another currency.

    Nothing where there is a column of currencies, or a row fills two of them: one is then the other in foreign money.
    """
    if Role.CURRENCY in columns:
        return ()
    found: list[MoneyColumn] = []
    for role, side in SIDES.items():
        if role in columns:
            found += _alike(header, columns, role, side)
    if len({each.currency for each in found}) < 2 or any(_is_twice(cells, found) for _, cells in body):
        return ()
    return tuple(found)


def is_of_others(header: Sequence[str], columns: Mapping[Role, int], body: Sequence[Record]) -> bool:
    """Tell a column of currencies that are those of other amounts beside it, of what was paid abroad.

    It is filled just where these are, in some rows; or it stands at these rather than at the row's own amount, and the two
    are the same money wherever the currency is the usual one, and nowhere else. A fee would make that difference as well.
    """
    own, named = columns.get(Role.AMOUNT, -1), columns[Role.CURRENCY]
    taken = {column for role, column in columns.items() if role is not Role.IGNORED}
    beside = (place for place in (named - 1, named + 1) if 0 <= place < len(header) and place not in taken)
    if Role.FEE in columns:
        return False
    return own >= 0 and any(_is_of(place, own, named, body, is_named=_is_abroad(header[place])) for place in beside)


def _is_of(other: int, own: int, named: int, body: Sequence[Record], *, is_named: bool) -> bool:
    """Tell whether currencies are those of other amounts, whose name may say that they are not the row's own."""
    rows = [cells for _, cells in body if len(cells) > max(other, own, named) and _is_filled(cells[own])]
    foreign = [bool(cells[named].strip()) for cells in rows]
    others = [value for cells in rows if (value := _value(cells[other]))]
    if not any(foreign) or not others or any(value != round(value, _CENTS) for value in others):
        return False  # a rate has more decimals than an amount
    if not all(foreign):
        return all(_is_filled(cells[other]) is abroad for cells, abroad in zip(rows, foreign, strict=True))
    if abs(other - named) >= abs(own - named):
        return False
    same = [_value(cells[other]) == _value(cells[own]) for cells in rows]
    (usual, times), *_ = Counter(cells[named].strip() for cells in rows).most_common(1)
    if times == len(rows):  # one currency in all of them is abroad if the name of those amounts says so
        return is_named and not any(same)
    return same == [cells[named].strip() == usual for cells in rows]


def _is_abroad(header: str) -> bool:
    """Tell the name of an amount that was paid abroad: “Utl. belopp”, “Foreign amount”."""
    name = fold(header)
    return _ABROAD.search(name) is not None and _NOT_PAID.search(name) is None


def _alike(header: Sequence[str], columns: Mapping[Role, int], role: Role, side: int) -> list[MoneyColumn]:
    """Return the column of a role and those that differ from it in their currency alone."""
    main = columns[role]
    first = currency_named(header[main])
    if first is None:
        return []
    taken = set(columns.values()) - {main}
    rank = _rank(header[main], role)
    found = {first: MoneyColumn(main, side, first)}
    for column, cell in enumerate(header):
        code = currency_named(cell)
        if column not in taken and code is not None and _rank(cell, role) == rank is not None:
            found.setdefault(code, MoneyColumn(column, side, code))
    return list(found.values())


def _rank(cell: str, role: Role) -> int | None:
    return next((meaning.rank for meaning in header_meanings(cell) if meaning.role is role), None)


def _is_twice(cells: Sequence[str], columns: Sequence[MoneyColumn]) -> bool:
    """Tell whether a row holds amounts in two currencies."""
    return len({each.currency for each in columns if each.column < len(cells) and _is_filled(cells[each.column])}) > 1


def _is_filled(cell: str) -> bool:
    return bool(_value(cell))


def _value(cell: str) -> Decimal | None:
    amount = read_amount(cell, ".") or read_amount(cell, ",")
    return None if amount is None else abs(amount.value)
