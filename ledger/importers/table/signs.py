"""The signed amount of every row: one column, a debit and a credit column, or an indicator beside the amount."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from ledger.importers.amounts import DecimalMark, read_amount, read_plain
from ledger.importers.table.phrases import CARD_SIDES, INDICATORS, PURCHASES, SIDES
from ledger.importers.table.vocabulary import Role, fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.importers.table.layout import Layout

#: What stands in a cell that is meant to be empty.
_BLANK = frozenset({"", "-", "--", "–", "—", "n/a", "N/A", "null", "NULL"})

#: A row's amount, or why there is none.
Settled = Decimal | str


@dataclass(slots=True)
class Amounts:
    """The cells of one column as numbers; None where there is none, and then ``unread`` has the cell unless blank."""

    values: list[Decimal | None] = field(default_factory=list)
    unread: dict[int, str] = field(default_factory=dict)
    currencies: dict[int, str] = field(default_factory=dict)
    sides: dict[int, int] = field(default_factory=dict)

    @property
    def has_negatives(self) -> bool:
        """Whether any value is below zero."""
        return any(value is not None and value < 0 for value in self.values)


def read_column(rows: Sequence[Sequence[str]], column: int, mark: DecimalMark, expected: str | None) -> Amounts:
    """Read one column of all rows."""
    found = Amounts()
    values = found.values
    for index, cells in enumerate(rows):
        cell = cells[column].strip()
        value = read_plain(cell, mark)
        if value is None and cell not in _BLANK:
            amount = read_amount(cell, mark, expected)
            if amount is None:
                found.unread[index] = cell
            else:
                value = amount.value
                if amount.currency:
                    found.currencies[index] = amount.currency
                if amount.side:
                    found.sides[index] = amount.side
        values.append(value)
    return found


def settle_amounts(
    rows: Sequence[Sequence[str]], layout: Layout, mark: DecimalMark, expected: str | None
) -> tuple[list[Settled], Mapping[int, str]]:
    """Return every row's signed amount, or the reason why it has none, and the currencies that stand at the amounts."""
    single = read_column(rows, layout.column(Role.AMOUNT), mark, expected)
    if Role.DEBIT in layout.columns or Role.CREDIT in layout.columns:
        debit = read_column(rows, layout.column(Role.DEBIT), mark, expected)
        credit = read_column(rows, layout.column(Role.CREDIT), mark, expected)
        pair_filled = any(value is not None for value in (*debit.values, *credit.values))
        if not single.has_negatives and (pair_filled or Role.AMOUNT not in layout.columns):
            return _settle_pair(debit, credit), {**debit.currencies, **credit.currencies}
    settled = _settle_single(single, rows, layout)
    if layout.fee_apart:
        _deduct_fees(settled, read_column(rows, layout.column(Role.FEE), mark, expected))
    return settled, single.currencies


def _settle_pair(debit: Amounts, credit: Amounts) -> list[Settled]:
    """A debit is money out and a credit money in, whichever sign the file gives them; the rarer sign is a reversal."""
    out_sign, in_sign = -_usual_sign(debit.values), _usual_sign(credit.values)
    settled: list[Settled] = []
    for index, (out, into) in enumerate(zip(debit.values, credit.values, strict=True)):
        unread = debit.unread.get(index) or credit.unread.get(index)
        if unread:
            settled.append(not_a_number(unread))
        elif out and into:
            settled.append("both the debit and the credit are filled in")
        elif out is None and into is None:
            settled.append("there is no amount")
        elif out:
            settled.append(out * out_sign)
        else:
            settled.append(into * in_sign if into else Decimal(0))
    return settled


def _usual_sign(values: Sequence[Decimal | None]) -> int:
    below = sum(1 for value in values if value is not None and value < 0)
    above = sum(1 for value in values if value is not None and value > 0)
    return -1 if below > above else 1


def _settle_single(amounts: Amounts, rows: Sequence[Sequence[str]], layout: Layout) -> list[Settled]:
    settled: list[Settled] = [
        value
        if value is not None
        else not_a_number(amounts.unread[index])
        if index in amounts.unread
        else "there is no amount"
        for index, value in enumerate(amounts.values)
    ]
    if amounts.sides:
        return _turn_marked(settled, amounts)
    sides = _sides_of(rows, layout)
    if sides is not None:
        return _turn(settled, sides)
    if layout.charges_positive and _usual_sign(amounts.values) > 0:
        return [-value if isinstance(value, Decimal) else value for value in settled]
    return settled


def _turn_marked(settled: list[Settled], amounts: Amounts) -> list[Settled]:
    """Apply ``CR`` and ``DR``; where a file marks only its credits, everything else is a debit."""
    only_credits = set(amounts.sides.values()) == {1} and not amounts.has_negatives
    turned: list[Settled] = []
    for index, value in enumerate(settled):
        side = amounts.sides.get(index, -1 if only_credits else 0)
        turned.append(abs(value) * side if side and isinstance(value, Decimal) else value)
    return turned


def _sides_of(rows: Sequence[Sequence[str]], layout: Layout) -> list[int] | None:
    """Return for every row what its indicator says (-1 out, +1 in, 0 nothing), if the file has an indicator.

    A column of types is one if all its words name a side, or if it tells purchases.
    """
    sign = layout.column(Role.SIGN)
    for column in (sign, *layout.types):
        cells = [cells[column].strip() for cells in rows]
        words = {cell: cell if cell in SIDES else fold(cell) for cell in set(cells) if cell}
        if not words:
            continue
        sides = INDICATORS if column == sign else SIDES
        known = sum(word in sides for word in words.values())
        if known == len(words) or (column == sign and known):
            return [sides.get(words.get(cell, ""), 0) for cell in cells]
        if column != sign and any(word in PURCHASES for word in words.values()):
            return [CARD_SIDES.get(words.get(cell, ""), 0) for cell in cells]
    return None


def _turn(settled: list[Settled], sides: Sequence[int]) -> list[Settled]:
    """Give amounts the sign of their side, unless the file already does.

    Within a side the rarer sign is a reversal and stays opposite. In a file that writes all purchases above and all
    payments below zero, rows without a side are turned like the others; in one without signs they can't be read.
    """
    pairs = [(value, side) for value, side in zip(settled, sides, strict=True) if isinstance(value, Decimal) and value]
    out_values = [value for value, side in pairs if side < 0]
    in_values = [value for value, side in pairs if side > 0]
    out_sign, in_sign = _usual_sign(out_values), _usual_sign(in_values)
    if (out_values and out_sign < 0) or (not out_values and in_sign > 0 and any(value < 0 for value, _ in pairs)):
        return settled
    inverted = bool(out_values) and (in_sign < 0 or not in_values) and any(value < 0 for value, _ in pairs)
    turned: list[Settled] = []
    for value, side in zip(settled, sides, strict=True):
        if not isinstance(value, Decimal) or not value:
            turned.append(value)
        elif side:
            turned.append(-value * out_sign if side < 0 else value * in_sign)
        elif inverted:
            turned.append(-value)
        else:
            turned.append("the row does not say whether the money came in or went out")
    return turned


def _deduct_fees(settled: list[Settled], fees: Amounts) -> None:
    """Take the fee off, which such files (one account with states and a balance) charge on top of the amount."""
    for index, fee in enumerate(fees.values):
        value = settled[index]
        if index in fees.unread:
            settled[index] = not_a_number(fees.unread[index])
        elif fee and isinstance(value, Decimal):
            settled[index] = value - abs(fee)


def not_a_number(cell: str) -> str:
    """Return the reason for a cell that can't be read as an amount."""
    return f"the amount “{quote(cell)}” is not a number"


def quote(cell: str) -> str:
    """Return a cell as it may be shown to a person: one line without control characters, at most 40 characters."""
    text = "".join(char if char.isprintable() else " " for char in cell[:200]).strip()
    return text if len(text) <= 40 else text[:39] + "…"
