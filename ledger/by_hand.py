"""Rows that a person writes down by hand, until their bank's file brings them (D18)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema, sums
from ledger.bought import read_bought
from ledger.categories import Source
from ledger.corrections import batch_beside, insert_row
from ledger.journal import Field, Noted, write_down
from ledger.judgement import Judge, search_text
from ledger.kinds import Ground
from ledger.left_out import leaves_out, read_left_out
from ledger.money import to_decimal
from ledger.phrases import phrase_ids
from ledger.revisions import touch
from ledger.rules import read_rules
from ledger.statement_accounts import guess_type
from ledger.transactions import AccountType, Kind, StatementRow, flow_of
from ledger.visibility import BatchKind

if TYPE_CHECKING:
    from datetime import date

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.judgement import Judged
    from ledger.repository import Repository

_rows = schema.transactions.c
#: How the identities of rows by hand begin.
BY_HAND = "by hand/"
#: The accounts of what is written down where no other is named.
CASH, ELSEWHERE = "Cash", "By hand"


@dataclass(frozen=True, slots=True)
class Entry:
    """One payment as a person tells it; ``category`` is theirs, or empty where it is to be found."""

    booked_on: date
    amount_minor: int
    currency: str
    description: str
    account: str
    merchant: str = ""
    category: str = ""


async def judge_entry(repository: Repository, entry: Entry) -> Judged:
    """Return what an entry is, by the person's rules and what the ledger holds."""
    async with repository.store.read() as connection:
        rules = (await read_rules(connection, repository.ledger_id))[1]
        bought = await read_bought(connection, repository.ledger_id)
    amount = to_decimal(entry.amount_minor, entry.currency)
    row = StatementRow(1, entry.booked_on, amount, entry.description, payee=entry.merchant)
    return Judge(rules, bought).judge(row, None)


async def write_entry(
    connection: AsyncConnection, repository: Repository, token: str, entry: Entry, judged: Judged
) -> None:
    """Write an entry down within a transaction, in the account of its name, which is made if there is none."""
    ledger = repository.ledger_id
    await touch(connection, ledger)  # one change of a ledger at a time: this locks its row
    batch = await batch_beside(connection, ledger, BatchKind.HAND)
    minor, chosen = entry.amount_minor, entry.category
    left_out = leaves_out(
        await read_left_out(connection, ledger), judged.merchant_key, judged.words, judged.kind, minor
    )
    shown = Kind.LEFT_OUT if left_out else judged.kind
    base, source = judged.own_category or judged.category, judged.own_category_source or judged.category_source
    category, category_source = (chosen, Source.ROW.value) if chosen else (judged.category, judged.category_source)
    text = search_text(judged.words, None if category_source == Source.NONE else category)
    is_own = chosen or judged.own_category
    values: dict[str, Any] = {
        "ledger_id": ledger,
        "account_id": await _account(connection, ledger, entry.account, batch),
        "batch_id": batch,
        "identity": f"{BY_HAND}{token}",
        "content": "",
        "has_id": 1,
        "booked_on": entry.booked_on.isoformat(),
        "weekday": entry.booked_on.weekday(),
        "amount_minor": minor,
        "currency": entry.currency,
        "description": entry.description,
        "merchant": judged.merchant,
        "merchant_key": judged.merchant_key,
        "category": category,
        "category_source": category_source,
        "own_category": base if is_own else None,
        "own_category_source": source if is_own else None,
        "kind": shown.value,
        # By its words: what a person says it was never pairs with what it happens to equal.
        "kind_ground": Ground.WORDS.value,
        "own_kind": judged.kind.value,
        "flow": flow_of(shown, minor).value,
        "phrase_id": (await phrase_ids(connection, ledger, {text}))[text],
    }
    made = await insert_row(connection, values)
    await sums.recount_rows(connection, ledger, [made])
    await write_down(connection, ledger, token, [Noted(made, Field.PLACE, None, str(batch))])


async def is_by_hand(repository: Repository, batch_id: int) -> bool:
    """Whether a row's batch is that of what the person wrote down, so that all of it is theirs to say."""
    batches = schema.batches.c
    query = sa.select(batches.kind).where(batches.ledger_id == repository.ledger_id, batches.id == batch_id)
    async with repository.store.read() as connection:
        return bool((await connection.execute(query)).scalar_one_or_none() == BatchKind.HAND.value)


async def _account(connection: AsyncConnection, ledger_id: int, name: str, batch: int) -> int:
    accounts = schema.accounts.c
    query = sa.select(accounts.id).where(accounts.ledger_id == ledger_id, accounts.name == name)
    found = (await connection.execute(query)).scalar_one_or_none()
    if found is not None:
        return int(found)
    kind = AccountType.CASH if name == CASH else None if name == ELSEWHERE else guess_type(name)
    values = {"ledger_id": ledger_id, "name": name, "type": kind.value if kind else None, "batch_id": batch}
    made = await connection.execute(schema.accounts.insert().values(values).returning(accounts.id))
    return int(made.scalar_one())
