"""What makes a booked row itself, so that importing it again adds nothing (docs/definitions.md, D11)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.money import to_minor

if TYPE_CHECKING:
    from ledger.transactions import StatementRow


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A row with the account and the currency that it was found to belong to."""

    row: StatementRow
    account: str
    currency: str


@dataclass(frozen=True, slots=True)
class Identity:
    """``key`` is unique within an account. ``content`` is what the row says, whoever numbered it.

    Both count equal rows: two equal purchases on a day are the first and the second, in every file that holds them.
    """

    key: str
    content: str
    has_id: bool


class Numbering:
    """Gives the rows of one file their identities, in the file's order."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self._seen: dict[int, int] = {}

    def identity(self, placed: PlacedRow) -> Identity:
        """Return a row's identity: by the bank's own id where it gives one, else by day, amount and description."""
        row = placed.row
        said = f"{row.booked_on.isoformat()}\x1f{to_minor(row.amount, placed.currency)}\x1f{placed.currency}\x1f"
        content = self._numbered(said + " ".join(row.description.split()).casefold(), placed.account)
        key = self._numbered(f"{said}id:{row.external_id}", placed.account) if row.external_id else content
        return Identity(key, content, bool(row.external_id))

    def _numbered(self, text: str, account: str) -> str:
        """Return a digest of a text and of how many equal ones came before it in its account.

        A million texts would fill the memory, so their hashes (64 bits, keyed anew in each process) stand for them.
        """
        place = hash((account, text))
        count = self._seen[place] = self._seen.get(place, 0) + 1
        return hashlib.sha256(f"{text}\x1f{count}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
