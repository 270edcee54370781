"""What single cells and records look like, before anything is known about their table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.importers.amounts import read_amount
from ledger.importers.dates import Order, read_date

if TYPE_CHECKING:
    from collections.abc import Sequence

#: A wider table is no statement.
MOST_COLUMNS = 256
#: A longer line holds no transaction, or hides one in a text that nobody wrote.
LONGEST_LINE = 10_000


def is_date(cell: str) -> bool:
    """Tell whether a cell is a date in any order."""
    return read_date(cell) is not None or read_date(cell, Order.MONTH_DAY_YEAR) is not None


def is_amount(cell: str) -> bool:
    """Tell whether a cell is an amount with either decimal mark."""
    return read_amount(cell, ".") is not None or read_amount(cell, ",") is not None


def is_transaction(cells: Sequence[str]) -> bool:
    """Tell whether a record has a date in one cell and an amount in another."""
    if not 2 <= len(cells) <= MOST_COLUMNS:
        return False
    date_at = next((i for i, cell in enumerate(cells) if is_date(cell)), None)
    return date_at is not None and any(is_amount(c) for i, c in enumerate(cells) if i != date_at and not is_date(c))
