"""Everything of several people at once, packed into one archive."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

from bots.table_file import export_text
from ledger.deletion import export_balances, export_rows
from ledger.spreadsheets import BALANCE_COLUMNS, EXPORT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.people import Person
    from ledger.store import Store

_SIGNS = frozenset("-_.")


async def packed(store: Store, people: Iterable[Person]) -> bytes:
    """Return a ZIP archive with the transactions and balances of people, in a folder for each."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for person in people:
            repository = await store.repository(person)
            folder = "".join(sign if sign.isalnum() or sign in _SIGNS else "_" for sign in person.user)
            for name, rows, columns in (
                ("transactions", await export_rows(repository), EXPORT_COLUMNS),
                ("balances", await export_balances(repository), BALANCE_COLUMNS),
            ):
                archive.writestr(f"{folder}/{name}.csv", export_text(rows, columns))
    return written.getvalue()
