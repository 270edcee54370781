"""The plain table into which the exports of other programs are turned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.importers.amounts import read_amount
from ledger.importers.table.vocabulary import fold
from ledger.transactions import STATED_KIND, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from ledger.importers.amounts import DecimalMark

#: The header of the plain table.
HEADER = (
    "Date", "Payee", "Description", "Amount", "Currency", "Category", "Type", "Account Name", "Account Type", "Notes",
    "Labels", "Transaction ID",
)  # fmt: skip
#: What stands in the column for types where money moves between the person's own accounts.
TRANSFER = STATED_KIND + Kind.TRANSFER.value

#: The number of a record, and its cells in the plain table or the reason why there are none.
PlainRecord = tuple[int, tuple[str, ...] | str]


@dataclass(frozen=True, slots=True)
class Cells:
    """Finds the cells of a record by the folded words of the header."""

    places: Mapping[str, int]

    @classmethod
    def of(cls, header: Sequence[str]) -> Cells:
        """Look the columns up once; of two with the same words the first counts."""
        places: dict[str, int] = {}
        for place, cell in enumerate(header):
            places.setdefault(fold(cell), place)
        return cls(places)

    def get(self, cells: Sequence[str], *names: str) -> str:
        """Return the first of these cells that is filled."""
        for name in names:
            place = self.places.get(name, -1)
            if 0 <= place < len(cells) and (cell := cells[place].strip()):
                return cell
        return ""


def plain(  # noqa: PLR0913 - one argument for each column that may be filled
    *,
    day: str,
    amount: Decimal,
    payee: str = "",
    description: str = "",
    currency: str = "",
    category: str = "",
    kind: str = "",
    account: str = "",
    account_type: str = "",
    notes: str = "",
    labels: str = "",
    identity: str = "",
) -> tuple[str, ...]:
    """Return a record of the plain table; its amount has its sign written out, so that it proves the direction."""
    written = f"{amount:+f}" if amount.as_tuple().exponent in {-2, -3} else f"{amount:+.2f}"
    return (
        day, payee, description, written, currency, category, kind, account, account_type, notes, labels, identity,
    )  # fmt: skip


def read_decimal(cell: str, mark: DecimalMark) -> tuple[Decimal, str] | None:
    """Return the number in a cell and the currency at it, or None where there is none."""
    amount = read_amount(cell, mark) if cell else None
    return (amount.value, amount.currency or "") if amount else None
