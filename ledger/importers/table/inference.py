"""Which column of a table means what, inferred from its cells where no header says it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, pairwise, permutations
from typing import TYPE_CHECKING

from ledger.importers.amounts import decimal_mark, read_amount
from ledger.importers.currencies import CODES, is_iban
from ledger.importers.table.cells import is_amount, is_date, is_transaction
from ledger.importers.table.layout import Layout, Record
from ledger.importers.table.sides import are_all_sides, read_sides
from ledger.importers.table.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

#: How many records are looked at, and the least part of them that must look like transactions.
_SAMPLE = 400
_LEAST_SHARE = 0.3
#: Of two columns of amounts one is filled in so many rows at least, and in such a share of them.
_LEAST, _MOSTLY = 4, 0.75
#: The most different words in a column that says which way the money went.
_MOST_SIDES = 6

_MONEY_SHAPE = re.compile(r"[-+(]|[.,][0-9]{1,2}\b|[^0-9.,' ]")
#: How long a whole number may be that is an amount: by itself, and where a balance runs on by it.
_SHORT, _ANY = 6, 15
_ACCOUNT = re.compile(r"[0-9][0-9 .-]{5,}[0-9]")


@dataclass(frozen=True, slots=True)
class _Column:
    """What the cells of one column look like; ``cells`` are stripped, ``values`` their numbers where they are any."""

    index: int
    cells: tuple[str, ...]
    values: tuple[Decimal | None, ...]
    is_money: bool
    is_date: bool

    @property
    def filled(self) -> int:
        return sum(1 for cell in self.cells if cell)

    @property
    def is_constant(self) -> bool:
        """Whether it is one whole number in every row, without a decimal mark, a sign or a currency."""
        return len(self.cells) > 1 and len(set(self.cells)) == 1 and not _MONEY_SHAPE.search(self.cells[0])

    @property
    def moves_money(self) -> bool:
        """Whether it holds amounts that are not all zero."""
        return self.is_money and any(self.values)

    @property
    def is_text(self) -> bool:
        """Whether it holds anything but days and amounts."""
        return bool(self.filled) and not self.is_date and not self.is_money

    @property
    def says_anything(self) -> bool:
        """Whether a cell has a letter or a digit."""
        return any(map(str.isalnum, "".join(self.cells)))

    @property
    def has_negatives(self) -> bool:
        return any(value is not None and value < 0 for value in self.values)


def infer_layout(records: Sequence[Record], no_money: Collection[int] = ()) -> Layout | None:
    """Return the layout that the cells suggest, or None if too few records look like transactions.

    ``no_money`` are columns of which a header says that they hold something else than amounts.
    """
    rows = _transactions(records)
    width = len(rows[0]) if rows else 0
    columns = [_look_at(index, rows) for index in range(width)]
    found = _find_money(columns, no_money)
    if found is None or Role.BALANCE not in found:  # long whole numbers are amounts where a balance runs on by them
        longer = [_look_at(index, rows, _ANY) for index in range(width)]
        proved = _find_money(longer, no_money) if longer != columns else None
        if proved is not None and Role.BALANCE in proved:
            columns, found = longer, proved
    dates = tuple(column.index for column in columns if column.is_date)
    if not dates or found is None:
        return None
    texts = [column for column in columns if column.is_text]
    roles = found | _text_roles(texts, signed=any(column.has_negatives for column in columns if column.moves_money))
    used = set(roles.values())
    memos = tuple(column.index for column in texts if column.index not in used and column.says_anything)
    return Layout(width=width, columns=roles, dates=dates, memos=memos, guessed=Role.DEBIT in roles)


def _find_money(columns: Sequence[_Column], no_money: Collection[int]) -> dict[Role, int] | None:
    """Return the columns of amounts and the balance, if there is one; None without any amounts."""
    money = [column for column in columns if column.moves_money and column.index not in no_money]
    if not money:
        return None
    roles = _money_roles(money, [column for column in columns if not column.filled], columns[-1].index)
    return roles | _balance_role(money, roles)


def _transactions(records: Sequence[Record]) -> list[tuple[str, ...]]:
    """Return the first records that look like transactions and are as wide as most of them; none if too few do."""
    sample = [cells for _, cells in records[:_SAMPLE] if any(cell.strip() for cell in cells)]
    rows = [cells for cells in sample if is_transaction(cells)]
    if not rows or len(rows) < _LEAST_SHARE * len(sample):
        return []
    width = Counter(map(len, rows)).most_common(1)[0][0]
    return [cells for cells in rows if len(cells) == width]


def _look_at(index: int, rows: Sequence[Sequence[str]], longest: int = _SHORT) -> _Column:
    """Look at one column; whole numbers are amounts up to the ``longest``."""
    cells = tuple(row[index].strip() for row in rows)
    filled = [cell for cell in cells if cell]
    dates = bool(filled) and sum(map(is_date, filled)) >= 0.8 * len(filled)
    amounts = [cell for cell in filled if is_amount(cell)]
    money = not dates and bool(filled) and len(amounts) >= 0.95 * len(filled) and _looks_like_money(filled, longest)
    values: tuple[Decimal | None, ...] = ()
    if money:
        mark = decimal_mark(filled)
        read = [read_amount(cell, mark) for cell in cells]
        values = tuple(amount.value if amount else None for amount in read)
    return _Column(index, cells, values, money, dates)


def _looks_like_money(cells: Sequence[str], longest: int) -> bool:
    """Leave out cheque numbers, card numbers and the like: long, or with leading zeros, and without a decimal mark."""
    if any(_MONEY_SHAPE.search(cell) for cell in cells):
        return True
    return all(len(cell) <= longest and (cell == "0" or not cell.startswith("0")) for cell in cells)


def _money_roles(money: list[_Column], blank: list[_Column], last: int) -> dict[Role, int]:
    """Tell amount, debit, credit and balance apart; a number that is the same in every row is rather a branch's."""
    money = [column for column in money if not column.is_constant] or money
    if pair := _exclusive_pair(money):
        debit, credit = _debit_first(*pair, [column for column in money if column not in pair])
        return {Role.DEBIT: debit.index, Role.CREDIT: credit.index}
    amount = _amount_column(money)
    neighbours = [column for column in blank if abs(column.index - amount.index) == 1 and column.index != last]
    if neighbours and not amount.has_negatives:  # the other one of a debit and a credit column, empty throughout
        others = [column for column in money if column is not amount]
        debit, credit = _debit_first(amount, neighbours[0], others)
        return {Role.DEBIT: debit.index, Role.CREDIT: credit.index}
    return {Role.AMOUNT: amount.index}


def _amount_column(money: list[_Column]) -> _Column:
    """Return the column by whose amounts a balance runs on, else the first with a minus, else the first."""
    shaped = [column for column in money if any(map(_MONEY_SHAPE.search, column.cells))] or money
    led = _step_between_balances(shaped)
    if led is not None:
        return led
    balanced = (a for a in shaped for b in money if a is not b and _is_balance_of(b, a.values))
    return next(balanced, None) or next((column for column in shaped if column.has_negatives), shaped[0])


def _balance_role(money: list[_Column], roles: Mapping[Role, int]) -> dict[Role, int]:
    """Find the column that runs on by the amounts."""
    by_index = {column.index: column for column in money}
    amount, debit, credit = (by_index.get(roles.get(role, -1)) for role in (Role.AMOUNT, Role.DEBIT, Role.CREDIT))
    filled = [column.values for column in (amount, debit, credit) if column]
    values = tuple(next((value for value in cells if value), None) for cells in zip(*filled, strict=True))
    others = [column for column in reversed(money) if column.index not in roles.values()]
    fitting = [column for column in others if _is_balance_of(column, values)]
    exact = [column for column in fitting if _is_balance_of(column, values, exact=True)]  # the one after, not before
    found = exact or fitting
    return {Role.BALANCE: found[0].index} if found else {}


def _exclusive_pair(money: list[_Column]) -> tuple[_Column, _Column] | None:
    """Find two columns of which no row fills both, and hardly any none, as one that states a balance."""
    for first, second in combinations(money, 2):
        rows = [(bool(a), bool(b)) for a, b in zip(first.values, second.values, strict=True)]
        filled = sum(a or b for a, b in rows)
        if filled < max(_MOSTLY * len(rows), min(len(rows), _LEAST)) or any(a and b for a, b in rows):
            continue
        if any(a for a, _ in rows) and any(b for _, b in rows):
            return first, second
    return None


def _debit_first(first: _Column, second: _Column, others: list[_Column]) -> tuple[_Column, _Column]:
    """Of two exclusive columns tell the debit: a balance falls by it; without one, it has more entries.

    People spend more often than they earn.
    """
    none: tuple[Decimal | None, ...] = (None,) * len(first.cells)
    pairs = list(zip(first.values or none, second.values or none, strict=True))
    signed = tuple((b or Decimal(0)) - (a or Decimal(0)) for a, b in pairs)
    for balance in others:
        if _is_balance_of(balance, signed, exact=True):
            return first, second
        if _is_balance_of(balance, tuple(-value for value in signed), exact=True):
            return second, first
    counts = [sum(1 for value in column.values if value) for column in (first, second)]
    return (first, second) if counts[0] >= counts[1] else (second, first)


def _step_between_balances(money: list[_Column]) -> _Column | None:
    """Find the column that leads from one to the other of two columns of balances, in every row."""
    for before, after, step in permutations(money, 3):
        rows = zip(before.values, after.values, step.values, strict=True)
        if all(a is not None and b is not None and c is not None and a + c == b for a, b, c in rows):
            return step
    return None


def _is_balance_of(balance: _Column, amounts: Sequence[Decimal | None], *, exact: bool = False) -> bool:
    """Tell whether a column runs on by the amounts, in rows from old to new or from new to old.

    Only if ``exact``, the direction counts: the balance rises by positive amounts.
    """
    rising = falling = steps = 0
    for (amount, before), (next_amount, after) in pairwise(zip(amounts, balance.values, strict=True)):
        if before is None or after is None or amount is None or next_amount is None:
            continue
        steps += 1
        change = after - before
        rising += change == next_amount or (not exact and -change == next_amount)
        falling += -change == amount or (not exact and change == amount)
    return steps >= 1 and max(rising, falling) >= 0.9 * steps


def _text_roles(texts: list[_Column], *, signed: bool) -> dict[Role, int]:
    roles: dict[Role, int] = {}
    candidates = []
    for column in texts:
        filled = {cell for cell in column.cells if cell}
        if all(cell in CODES for cell in filled):
            roles.setdefault(Role.CURRENCY, column.index)
        elif not signed and Role.SIGN not in roles and len(texts) > 1 and _tells_sides(filled):
            roles.setdefault(Role.SIGN, column.index)
        elif len(filled) == 1 and _is_account(next(iter(filled)), often=column.filled > 1):
            roles.setdefault(Role.ACCOUNT, column.index)
        else:
            candidates.append(column)
    if candidates:
        longest = max(candidates, key=lambda column: sum(1 + c.isalpha() for cell in column.cells for c in cell))
        roles[Role.DESCRIPTION] = longest.index
    return roles


def _tells_sides(cells: Collection[str]) -> bool:
    """Tell a column of ``D`` and ``C`` or the like: few words, some of which name a side, or two letters that may."""
    if len(cells) > _MOST_SIDES:
        return False
    if are_all_sides(cells):
        return True
    if len(cells) == 2 and all(len(cell) == 1 and not cell.isdigit() for cell in cells):
        return True
    sides = read_sides(cells, named=False)
    return any(sides.values()) and all((side and " " not in cell) or len(cell) == 1 for cell, side in sides.items())


def _is_account(cell: str, *, often: bool) -> bool:
    """Tell an account number that stands in every row: an IBAN, or digits if there is more than one row."""
    return is_iban(cell) or (often and _ACCOUNT.fullmatch(cell) is not None)
