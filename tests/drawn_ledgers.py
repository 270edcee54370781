"""Ledgers that Hypothesis draws, and the way to write them into a store's tables as they are."""

from __future__ import annotations

import calendar
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import sqlalchemy as sa
from hypothesis import strategies as st

from ledger import schema, sums
from ledger.revisions import touch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.people import Person
    from ledger.repository import Repository
    from ledger.store import Store

FIRST, LAST = date(2025, 10, 1), date(2027, 1, 20)
ACCOUNTS = ("Giro Nord", "Visa Gold", "Tagesgeld")
CATEGORIES = ("Groceries", "Rent", "Electronics", "Uncategorised")
MERCHANTS = ("Trader Joe's", "Costco", "Zalando", "Netto Markt", "7 & Co")
KINDS = ("purchase", "refund", "transfer", "card_payment", "income", "fee", "interest", "cash", "loan_payment")
_NAMES = ("merchant", "category", "account")
DIGITS = {"USD": 2, "EUR": 2, "JPY": 0}


@dataclass(frozen=True)
class Entry:
    """One transaction as a test states it; ``minor`` is negative for money out."""

    day: date
    minor: int
    currency: str = "USD"
    kind: str = "purchase"
    category: str = "Groceries"
    merchant: str = "Costco"
    account: str = "Giro Nord"
    description: str = ""
    id: int = 0

    @property
    def amount(self) -> Decimal:
        return Decimal(self.minor).scaleb(-DIGITS[self.currency])

    @property
    def flow(self) -> str:
        """D1-D3: what counts as spending, as income, as neither."""
        if self.kind in ("transfer", "card_payment"):
            return "neither"
        if self.kind == "income" or (self.kind == "interest" and self.minor > 0):
            return "income"
        return "spending"

    @property
    def key(self) -> str:
        return "".join(c for c in self.merchant.casefold() if c.isalnum())


#: Few sizes, so that ties are common; some large ones.
_sizes = st.one_of(st.sampled_from([1, 5, 999, 1000, 1001, 4999, 5000, 5001, 100_000]), st.integers(0, 2_000_000))


@st.composite
def entries(draw: st.DrawFn, currency: st.SearchStrategy[str]) -> Entry:
    kind = draw(st.sampled_from(("purchase",) * 6 + KINDS))
    usual = 1 if kind in ("income", "refund") else -1
    odd = kind in ("transfer", "card_payment", "interest", "income", "fee") and draw(st.booleans())
    return Entry(
        day=draw(st.dates(FIRST, LAST)),
        minor=draw(_sizes) * (-usual if odd else usual),
        currency=draw(currency),
        kind=kind,
        category=draw(st.sampled_from(CATEGORIES)),
        merchant=draw(st.sampled_from(MERCHANTS)),
        account=draw(st.sampled_from(ACCOUNTS)),
    )


@st.composite
def ledgers(draw: st.DrawFn, most: int = 24) -> list[Entry]:
    """Ledgers in one currency, or in several."""
    used = draw(st.sampled_from([("USD",), ("USD",), ("EUR", "USD"), ("USD", "USD", "USD", "EUR", "JPY")]))
    return draw(st.lists(entries(st.sampled_from(used)), min_size=1, max_size=most))


todays = st.dates(date(2026, 1, 1), date(2026, 12, 31))


def month_end(day: date) -> date:
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


async def write_entries(
    store: Store, person: Person, wanted: Sequence[Entry], imports: int = 1, *, coming_into: Repository | None = None
) -> tuple[Repository, list[Entry]]:
    """Put entries into a person's ledger, by turns into some imports; return it and the entries with their ids.

    What is ``coming_into`` a ledger is one more import of it, which is not finished and brings names of its own.
    """
    repository = coming_into or await store.repository(person)
    if coming_into:
        wanted = [replace(entry, **{name: f"Coming {getattr(entry, name)}" for name in _NAMES}) for entry in wanted]
    async with store.write() as connection:
        ledger = {"ledger_id": repository.ledger_id}
        done = "2026-01-01T00:00:00.000+00:00"
        batch = await _insert(
            connection,
            schema.batches,
            [{**ledger, "created_at": done, "finished_at": None if coming_into else done}] * imports,
        )
        brought = {"batch_id": batch[0]} if coming_into else {}
        names = sorted({entry.account for entry in wanted})
        accounts = await _insert(connection, schema.accounts, [{**ledger, **brought, "name": name} for name in names])
        texts = sorted({_phrase(entry) for entry in wanted})
        phrases = await _insert(connection, schema.phrases, [{**ledger, **brought, "text": text} for text in texts])
        rows = [
            {
                **ledger,
                "account_id": accounts[names.index(entry.account)],
                "batch_id": batch[number % imports],
                "identity": f"{batch[0]}-{number}",
                "content": f"{batch[0]}-{number}",
                "booked_on": entry.day.isoformat(),
                "weekday": entry.day.weekday(),
                "amount_minor": entry.minor,
                "currency": entry.currency,
                "description": entry.description or entry.merchant,
                "merchant": entry.merchant,
                "merchant_key": entry.key,
                "category": entry.category,
                "category_source": "file",
                "kind": entry.kind,
                "kind_ground": "file",
                "own_kind": entry.kind,
                "flow": entry.flow,
                "phrase_id": phrases[texts.index(_phrase(entry))],
            }
            for number, entry in enumerate(wanted)
        ]
        ids = await _insert(connection, schema.transactions, rows)
        for each in batch:
            await sums.take_in(connection, await sums.counted(connection, repository.ledger_id, each))
        if not coming_into:
            await touch(connection, repository.ledger_id)
    return repository, [Entry(**{**vars(entry), "id": key}) for entry, key in zip(wanted, ids, strict=True)]


def _phrase(entry: Entry) -> str:
    return f"{(entry.description or entry.merchant).casefold()} · {entry.category.casefold()}"


async def _insert(connection: object, table: sa.Table, rows: list[dict[str, object]]) -> list[int]:
    if not rows:
        return []
    statement = table.insert().returning(table.c.id, sort_by_parameter_order=True)
    return [int(key) for key in (await connection.execute(statement, rows)).scalars()]  # type: ignore[attr-defined]
