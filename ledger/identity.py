"""What makes a booked row itself, so that importing it again adds nothing (docs/definitions.md, D11)."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.money import to_minor

if TYPE_CHECKING:
    from collections.abc import Iterable

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


def identities(rows: Iterable[PlacedRow]) -> list[Identity]:
    """Return each row's identity: by the bank's own id where it gives one, else by day, amount and description."""
    seen: Counter[str] = Counter()
    found = []
    for placed in rows:
        row = placed.row
        said = f"{row.booked_on.isoformat()}\x1f{to_minor(row.amount, placed.currency)}\x1f{placed.currency}\x1f"
        content = _numbered(said + " ".join(row.description.split()).casefold(), placed.account, seen)
        key = _numbered(f"{said}id:{row.external_id}", placed.account, seen) if row.external_id else content
        found.append(Identity(key, content, bool(row.external_id)))
    return found


def _numbered(text: str, account: str, seen: Counter[str]) -> str:
    """Return a digest of a text and of how many equal ones came before it in its account."""
    place = f"{account}\x1f{text}"
    seen[place] += 1
    return hashlib.sha256(f"{text}\x1f{seen[place]}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
