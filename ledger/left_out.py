"""What a person leaves out of their figures: everything at a merchant, or every row with some words (D17)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import sqlalchemy as sa

from ledger import schema, sums
from ledger.judgement import key_of, own_words
from ledger.kinds import Ground
from ledger.revisions import touch
from ledger.rewriting import follow
from ledger.stemming import fold
from ledger.store import utc_now
from ledger.transactions import Flow, Kind, flow_of
from ledger.visibility import shows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

_table = schema.left_out.c
_rows = schema.transactions.c
_AT_ONCE = 5000


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One rule: a merchant's name, or words that all stand in what the bank wrote; since when (an ISO instant in UTC)."""

    by: Literal["merchant", "words"]
    pattern: str
    created_at: str = ""

    def holds(self, merchant_key: str, text: str) -> bool:
        """Whether it is about a row of this merchant, with this normalised text."""
        if self.by == "merchant":
            return key_of(self.pattern) == merchant_key
        return set(_words(self.pattern)) <= set(_words(text))


def _words(text: str) -> list[str]:
    return fold(text).split()


def leaves_out(rules: Iterable[LeftOut], merchant_key: str, text: str, kind: Kind, amount_minor: int) -> bool:
    """Whether any rule leaves a row out that would count; what is neither spending nor income stays what it is."""
    if flow_of(kind, amount_minor) is Flow.NEITHER:
        return False
    return any(rule.holds(merchant_key, text) for rule in rules)


async def read_left_out(connection: AsyncConnection, ledger_id: int) -> tuple[LeftOut, ...]:
    """Return a ledger's rules in the order in which they were made."""
    query = sa.select(_table.by, _table.pattern, _table.created_at).where(_table.ledger_id == ledger_id)
    return tuple(LeftOut(*row) for row in await connection.execute(query.order_by(_table.id)))


async def list_left_out(repository: Repository) -> tuple[LeftOut, ...]:
    """Return what the person leaves out."""
    async with repository.store.read() as connection:
        return await read_left_out(connection, repository.ledger_id)


async def would_leave(repository: Repository, rule: LeftOut) -> list[int]:
    """Return the ids of the rows that show and that a rule would leave out beside those that stand."""
    async with repository.store.read() as connection:
        found = await _about(connection, repository.ledger_id, rule, shows(repository.ledger_id), *_CAN_GO)
    return [row.id for row in found]


async def would_return(repository: Repository, rule: LeftOut) -> dict[int, Kind]:
    """Return the ids of the rows that show and that only this rule leaves out, with what they are by themselves."""
    async with repository.store.read() as connection:
        found = await _alone_left_out(connection, repository.ledger_id, rule, shows(repository.ledger_id))
    return {row.id: Kind(row.own_kind) for row in found}


#: What counts, and what neither the person nor another account of theirs says something else of.
_CAN_GO = (
    _rows.kind_ground != Ground.PERSON.value,
    _rows.pair_id.is_(None),
    _rows.flow != Flow.NEITHER.value,
)


async def leave_out(connection: AsyncConnection, repository: Repository, rule: LeftOut) -> None:
    """Leave out within a transaction what a rule is about, now and in later imports."""
    ledger = repository.ledger_id
    await touch(connection, ledger)  # one change of a ledger at a time: this locks its row
    await _drop(connection, ledger, rule)
    values = {"ledger_id": ledger, "by": rule.by, "pattern": rule.pattern, "created_at": utc_now()}
    await connection.execute(schema.left_out.insert().values(values))
    found = await _about(connection, ledger, rule, *_CAN_GO)
    await _set_kinds(connection, ledger, {row.id: Kind.LEFT_OUT for row in found}, found)


async def count_again(connection: AsyncConnection, repository: Repository, rule: LeftOut) -> None:
    """Take a rule back within a transaction; what no other one leaves out is again what it is by itself."""
    ledger = repository.ledger_id
    await touch(connection, ledger)
    found = await _alone_left_out(connection, ledger, rule)
    await _drop(connection, ledger, rule)
    await _set_kinds(connection, ledger, {row.id: Kind(row.own_kind) for row in found}, found)


async def _drop(connection: AsyncConnection, ledger_id: int, rule: LeftOut) -> None:
    mine = sa.select(_table.id, _table.by, _table.pattern).where(_table.ledger_id == ledger_id)
    gone = [row.id for row in await connection.execute(mine) if is_same(LeftOut(row.by, row.pattern), rule)]
    await connection.execute(schema.left_out.delete().where(_table.ledger_id == ledger_id, _table.id.in_(gone)))


def is_same(one: LeftOut, other: LeftOut) -> bool:
    """Whether two rules are about the same rows."""
    if one.by != other.by:
        return False
    if one.by == "merchant":
        return key_of(one.pattern) == key_of(other.pattern)
    return sorted(_words(one.pattern)) == sorted(_words(other.pattern))


async def _alone_left_out(
    connection: AsyncConnection, ledger_id: int, rule: LeftOut, *where: sa.ColumnElement[bool]
) -> list[Any]:
    others = [each for each in await read_left_out(connection, ledger_id) if not is_same(each, rule)]
    found = await _about(connection, ledger_id, rule, _rows.kind == Kind.LEFT_OUT.value, *where)
    return [row for row in found if not any(each.holds(row.merchant_key, own_words(row.text)) for each in others)]


async def _about(
    connection: AsyncConnection, ledger_id: int, rule: LeftOut, *where: sa.ColumnElement[bool]
) -> list[Any]:
    """Return the rows that a rule is about: ids, keys, texts, kinds by themselves and amounts."""
    query = (
        sa.select(_rows.id, _rows.merchant_key, _rows.own_kind, _rows.amount_minor, schema.phrases.c.text)
        .join(schema.phrases, schema.phrases.c.id == _rows.phrase_id)
        .where(_rows.ledger_id == ledger_id, *where)
    )
    if rule.by == "merchant":
        query = query.where(_rows.merchant_key == key_of(rule.pattern))
    found = (await connection.execute(query)).all()
    return [row for row in found if rule.holds(row.merchant_key, own_words(row.text))]


async def _set_kinds(connection: AsyncConnection, ledger_id: int, kinds: dict[int, Kind], rows: Sequence[Any]) -> None:
    amounts = {row.id: row.amount_minor for row in rows}
    values = [
        {"row": key, "as_kind": kind.value, "as_flow": flow_of(kind, amounts[key]).value} for key, kind in kinds.items()
    ]
    for start in range(0, len(values), _AT_ONCE):
        await connection.execute(_SET_KIND, values[start : start + _AT_ONCE])
    await sums.recount_rows(connection, ledger_id, list(kinds))
    await follow(connection, ledger_id, list(kinds))


_SET_KIND = (
    schema.transactions.update()
    .where(_rows.id == sa.bindparam("row"))
    .values(kind=sa.bindparam("as_kind"), flow=sa.bindparam("as_flow"))
)
