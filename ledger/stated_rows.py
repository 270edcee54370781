"""What a file says of a row beyond what is shown of it, kept so that the row can be judged anew as the file states it."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any

from ledger.categories import Source
from ledger.money import to_decimal
from ledger.transactions import StatementRow

if TYPE_CHECKING:
    from collections.abc import Mapping


def packed_statement(row: StatementRow, category_source: str) -> str:
    """Return what of a row no other column keeps, as a text; ``category_source`` is who said its category by itself."""
    said: dict[str, Any] = {
        "payee": row.payee,
        "type": row.type_hint,
        "code": row.mcc,
        "category": None if category_source == Source.FILE else row.category,
        "to_self": row.to_self,
    }
    kept = {name: value for name, value in said.items() if value}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":")) if kept else ""


def statement_row(row: Any) -> StatementRow:
    """Return a row of the ledger, with all of its columns, as its file stated it; of older rows less is known."""
    said: Mapping[str, Any] = json.loads(row.stated) if row.stated else {}
    base = row.category if row.own_category is None else row.own_category
    source = row.category_source if row.own_category is None else row.own_category_source
    return StatementRow(
        number=1,
        booked_on=date.fromisoformat(row.booked_on),
        amount=to_decimal(row.amount_minor, row.currency),
        description=row.description,
        payee=said.get("payee", ""),
        memo=row.memo,
        currency=row.currency,
        category=said.get("category") or (base if source == Source.FILE else None),
        type_hint=said.get("type"),
        mcc=said.get("code"),
        labels=row.labels,
        notes=row.notes,
        to_self=bool(said.get("to_self")),
    )
