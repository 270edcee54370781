"""The amount of every row: as it is written, and signed once it is settled how the file's amounts are to be read."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.direction import Reading
from ledger.importers.amounts import DecimalMark, read_amount, read_plain
from ledger.importers.table.tally import Written
from ledger.importers.table.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ledger.importers.table.directions import Sides
    from ledger.importers.table.layout import Layout
    from ledger.importers.table.tally import Signs, Tally

#: What stands in a cell that is meant to be empty.
_BLANK = frozenset({"", "-", "--", "–", "—", "n/a", "N/A", "null", "NULL"})

_NO_AMOUNT = "there is no amount"
_SEVERAL = "several columns of amounts are filled in"
UNREAD = "the balance moves here, although the amount is zero"
UNSAID = "the row does not say whether the money came in or went out"

#: How many cells are read once only.
_REMEMBERED = 32_768
#: Stands for the debit and the credit column where a column of amounts is beside them.
PAIR = -2

#: A row's amount, or why there is none.
Settled = Decimal | str


class AmountReader:
    """Reads what stands in the columns of amounts, one row at a time."""

    def __init__(self, layout: Layout, mark: DecimalMark, expected: str | None) -> None:
        """``expected`` is the currency meant by a sign that several share."""
        self.mark, self.expected = mark, expected
        self._cell = lru_cache(_REMEMBERED)(self._read_cell)  # a file is gone through more than once
        self.amount = layout.column(Role.AMOUNT)
        self.pair = [
            (layout.columns[role], side)
            for role, side in ((Role.DEBIT, -1), (Role.CREDIT, 1))
            if role in layout.columns
        ]
        self.by_currency = layout.by_currency
        self.fee, self.adds_fee = layout.column(Role.FEE), layout.fee_apart
        self.prefers_pair = bool(self.pair) and Role.AMOUNT not in layout.columns

    def settle_columns(self, rows: Iterable[Sequence[str]]) -> None:
        """Of an amount and a debit and a credit column take the amount if it has signs, else the two."""
        if not self.pair or self.amount < 0 or self.by_currency:
            return
        filled = False
        for cells in rows:
            value = self._cell(cells[self.amount]).value
            if value is not None and value < 0:
                return
            filled = filled or any(self._cell(cells[column]).value for column, _ in self.pair)
        self.prefers_pair = filled

    def read(self, cells: Sequence[str]) -> Written:
        """Read one row."""
        if self.by_currency:
            written = self._read_by_currency(cells)
        else:
            written = self._read_pair(cells) if self.prefers_pair else self._cell(cells[self.amount])
        return self._with_fee(written, cells) if self.adds_fee else written

    def _with_fee(self, written: Written, cells: Sequence[str]) -> Written:
        """Add what is charged on top; a fee may also stand in a row by itself."""
        fee = self._cell(cells[self.fee])
        if fee.problem and cells[self.fee].strip() not in _BLANK:
            return fee
        charged = abs(fee.value or Decimal(0))
        if written.value is None:
            return Written(-charged) if charged and written.problem == _NO_AMOUNT else written
        return written._replace(fee=charged)

    def filled(self, cells: Sequence[str]) -> str:
        """Return which of the two columns beside the amount is filled, as a word that names its side."""
        sides = [side for column, side in self.pair if self._cell(cells[column]).value]
        return {-1: "debit", 1: "credit"}.get(sum(sides), "") if len(sides) == 1 else ""

    def column_of(self, written: Written) -> int:
        """Return the column in which an amount stands."""
        for each in self.by_currency:
            if (each.side, each.currency) == (written.column, written.currency):
                return each.column
        return next((column for column, side in self.pair if side == written.column), self.amount)

    def balance(self, cell: str) -> Decimal | None:
        """Read a balance; None where there is none."""
        return self._cell(cell).value if cell else None

    def _read_pair(self, cells: Sequence[str]) -> Written:
        read = [(self._cell(cells[column]), side, cells[column].strip()) for column, side in self.pair]
        for written, _, cell in read:
            if written.problem and cell not in _BLANK:
                return written
        filled = [written._replace(column=side) for written, side, _ in read if written.value]
        if len(filled) > 1:
            return Written(None, problem="both the debit and the credit are filled in")
        if filled:
            return filled[0]
        zero = any(written.value is not None for written, _, _ in read)
        return Written(Decimal(0)) if zero else Written(None, problem=_NO_AMOUNT)

    def _read_by_currency(self, cells: Sequence[str]) -> Written:
        """Read the one of the columns that is filled, in its currency."""
        filled: list[Written] = []
        zero = False
        for column, side, currency in self.by_currency:
            written = self._cell(cells[column])
            if written.problem and cells[column].strip() not in _BLANK:
                return written
            zero = zero or written.value is not None
            if written.value:
                filled.append(written._replace(column=side, currency=written.currency or currency))
        if len(filled) > 1:
            return Written(None, problem=_SEVERAL)
        if filled:
            return filled[0]
        return Written(Decimal(0)) if zero else Written(None, problem=_NO_AMOUNT)

    def _read_cell(self, cell: str) -> Written:
        cell = cell.strip()
        value = read_plain(cell, self.mark)
        if value is not None:
            return Written(value, plus=cell[0] == "+")
        if cell in _BLANK:
            return Written(None, problem=_NO_AMOUNT)
        amount = read_amount(cell, self.mark, self.expected)
        if amount is None:
            return Written(None, problem=not_a_number(cell))
        plus = amount.value > 0 and ("+" in cell or "\uff0b" in cell)
        return Written(amount.value, 0, amount.side, plus, amount.currency)


class Signer:
    """Gives every amount its sign, by one reading for the whole file."""

    def __init__(self, reading: Reading, tally: Tally, sides: Sides | None = None) -> None:
        """``sides`` are for the reading by words; rows that it leaves open are settled by ``open_sign``.

        ``by_row`` gives a row its side, 0 where it is open, or None where it is read as all others are.
        """
        self.reading = reading
        self.column = sides.column if sides else -1
        self.sides = sides.sides if sides else {}
        self.open_sign = 0
        self.by_row: Callable[[Sequence[str]], int | None] | None = None
        self.usual = {-1: tally.debits.usual, 1: tally.credits.usual, 0: tally.amounts.usual}
        if reading is Reading.WORDS:
            self.usual |= usual_signs(tally.words.get(self.column, {}), self.sides)
        self.only_credits = set(tally.marked) <= {0, 1} and not tally.amounts.below

    def settle(self, written: Written, cells: Sequence[str], change: Decimal | None = None) -> Settled:
        """Return the signed amount of a row or why there is none; ``change`` is what the balance moved by it."""
        value = written.value
        if value is None:
            return written.problem
        if not value and not written.fee:
            return UNREAD if self.reading is Reading.BALANCE and change else value
        side = self._side(written, cells, change) if value else value
        if side is None and not self.open_sign:
            return UNSAID
        return (value * self.open_sign if side is None else side) - written.fee

    def _side(self, written: Written, cells: Sequence[str], change: Decimal | None) -> Decimal | None:
        value = written.value or Decimal(0)
        own = self.by_row(cells) if self.by_row and value > 0 else None
        if own is not None:
            return value * own if own else None
        if written.column:
            signed = value * self.usual[written.column] * written.column
            return -signed if self.reading is Reading.TURNED else signed
        if self.reading is Reading.MARKS:
            side = written.mark or (-1 if self.only_credits else 0)
            return abs(value) * side if side else value
        if self.reading is Reading.WORDS:
            side = self.sides.get(cells[self.column].strip(), 0)
            return value * self.usual[side] * side if side else None
        if self.reading is Reading.BALANCE:
            return next((each for each in (value, -value) if each - written.fee == change), None)
        return -value if self.reading is Reading.TURNED else value


def usual_signs(words: Mapping[str, Signs], sides: Mapping[str, int]) -> dict[int, int]:
    """Return the sign that most amounts of each side have in the file; the rarer one is a reversal."""
    above, below = {-1: 0, 1: 0, 0: 0}, {-1: 0, 1: 0, 0: 0}
    for word, signs in words.items():
        above[sides.get(word, 0)] += signs.above
        below[sides.get(word, 0)] += signs.below
    return {side: -1 if below[side] > above[side] else 1 for side in (-1, 1)}


def changes(balances: Iterable[Decimal | None], order: str, opening: Decimal | None = None) -> Iterator[Decimal | None]:
    """Return by how much each row moved the balance, in rows from old to new or from new to old, one row ahead at most.

    ``opening`` is the balance before the oldest row, where the file states it.
    """
    before = opening if order == "up" else None
    if order == "up":
        for balance in balances:
            yield None if before is None or balance is None else balance - before
            before = balance
        return
    first = True
    for balance in balances:
        if not first:
            yield None if before is None or balance is None else before - balance
        before, first = balance, False
    if not first:
        yield None if before is None or opening is None else before - opening


def not_a_number(cell: str) -> str:
    """Return the reason for a cell that can't be read as an amount."""
    return say("the amount “{amount}” is not a number", amount=quote(cell))


def quote(cell: str) -> str:
    """Return a cell as it may be shown to a person: one line without control characters, at most 40 characters."""
    text = "".join(char if char.isprintable() else " " for char in cell[:200]).strip()
    return text if len(text) <= 40 else text[:39] + "…"
