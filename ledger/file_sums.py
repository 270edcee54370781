"""What a file's rows come to: money out and money in apart, in whole minor units."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from ledger.money import to_decimal, to_minor

if TYPE_CHECKING:
    from ledger.identity import PlacedRow


@dataclass(slots=True)
class Movement:
    """Money out and money in of one currency, both positive, and how many rows each is of."""

    currency: str
    out: Decimal = Decimal(0)
    out_rows: int = 0
    into: Decimal = Decimal(0)
    into_rows: int = 0

    def add(self, amount: Decimal) -> None:
        """Take in one row; one of nothing counts as money in."""
        if amount < 0:
            self.out -= amount
            self.out_rows += 1
        else:
            self.into += amount
            self.into_rows += 1


class Rounding:
    """Rounds the amounts of a file to their currency's minor unit, and remembers where that changes any."""

    def __init__(self) -> None:
        """Nothing was rounded yet."""
        self._count = 0
        self._off: dict[str, Decimal] = {}
        self._first: tuple[PlacedRow, PlacedRow] | None = None

    def round(self, placed: PlacedRow) -> PlacedRow:
        """Return a row with its amount in whole minor units."""
        amount = to_decimal(to_minor(placed.row.amount, placed.currency), placed.currency)
        if amount == placed.row.amount:
            return placed
        kept = replace(placed, row=replace(placed.row, amount=amount))
        self._count += 1
        self._off[placed.currency] = self._off.get(placed.currency, Decimal(0)) + amount - placed.row.amount
        self._first = self._first or (placed, kept)
        return kept

    def warnings(self) -> tuple[str, ...]:
        """Say how many amounts changed, how the first of them did, and what all of that comes to, if any did."""
        if self._first is None:
            return ()
        before, after = self._first
        count = f"{self._count} amount has" if self._count == 1 else f"{self._count} amounts have"
        off = ", ".join(f"{_signed(amount)} {currency}" for currency, amount in sorted(self._off.items()) if amount)
        warning = (
            f"{count} more decimals than {before.currency} has and will be rounded: "
            f"row {before.row.number}, {before.row.amount:f}, to {after.row.amount:f}"
            + (f"; in all that changes the sum by {off}." if off and self._count > 1 else ".")
        )
        return (warning,)


def _signed(amount: Decimal) -> str:
    return f"{amount.normalize():+f}"
