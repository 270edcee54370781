"""What rows are and count as, written anew for many of them at once, by the person's rules as they are now."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema, sums
from ledger.journal import Field, Noted, packed, unpacked, write_down
from ledger.judgement import key_of, own_words
from ledger.kinds import Ground
from ledger.left_out import leaves_out, read_left_out
from ledger.phrases import forget_unused, phrase_ids
from ledger.rewriting import follow
from ledger.row_values import base_of, category_columns, chosen_of
from ledger.rules import read_rules
from ledger.transactions import Kind, flow_of
from ledger.visibility import shows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.left_out import LeftOut

_rows = schema.transactions.c
_links = schema.refund_links.c
_AT_ONCE = 500
#: From so many rows on the sums of their whole imports are counted again, which takes fewer statements.
_MANY = 300


@dataclass(frozen=True, slots=True)
class State:
    """What a row counts as (``kind``), what it is by itself, and the other side where it is one of a transfer.

    ``category`` and ``source``, who said it, are those that it has without the person's word.
    """

    kind: Kind
    own: Kind
    ground: Ground
    category: str
    source: str
    means: str
    pair: int | None

    @classmethod
    def of(cls, row: Any) -> State:
        """Return the state of a row of the ledger."""
        return cls(
            Kind(row.kind), Kind(row.own_kind), Ground(row.kind_ground), *base_of(row), row.means, row.pair_id
        )  # fmt: skip

    @classmethod
    def unpacked(cls, text: str | None) -> State:
        """Return the state that a text holds."""
        held = unpacked(text)
        return cls(
            Kind(held["kind"]), Kind(held["own"]), Ground(held["ground"]), held["category"], held["source"],
            held["means"], held["pair"],
        )  # fmt: skip

    def packed(self) -> str:
        """Return it as a text."""
        return packed(
            kind=self.kind, own=self.own, ground=self.ground, category=self.category, source=self.source,
            means=self.means, pair=self.pair,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A row that becomes something else; ``shows`` unless it is set aside.

    A refund that is ``linked`` to a purchase follows that one: it is among them for what it does to figures.
    """

    id: int
    amount_minor: int
    currency: str
    shows: bool
    before: State
    after: State
    linked: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """What the person said that decides about rows: categories by a merchant's key, and what is left out."""

    rules: Mapping[str, str]
    left_out: tuple[LeftOut, ...]

    @classmethod
    async def read(cls, connection: AsyncConnection, ledger_id: int) -> Word:
        """Return a ledger's rules as they are now."""
        rules = (await read_rules(connection, ledger_id))[1]
        made = {key_of(merchant): category for merchant, category in reversed(rules)}
        return cls(made, await read_left_out(connection, ledger_id))

    def counted(self, row: Any, own: Kind) -> Kind:
        """Return what a row counts as that is of this kind by itself, and no side of a transfer."""
        left = leaves_out(self.left_out, row.merchant_key, own_words(row.text), own, row.amount_minor)
        return Kind.LEFT_OUT if left else own

    def category(self, row: Any, base: tuple[str, str]) -> tuple[dict[str, Any], str]:
        """Return the columns of the category of a row that has this one by itself, and what it is then searched by."""
        return category_columns(row, base, chosen=chosen_of(row), rule=self.rules.get(row.merchant_key))


async def read_rows(connection: AsyncConnection, ledger_id: int, where: sa.ColumnElement[bool]) -> list[Any]:
    """Return all columns of rows, with the ``text`` that each is searched by and whether it ``shows``.

    Beside them stands whether it is ``linked`` to a purchase as its refund, and whether it is ``refunded`` by others.
    """
    said = {
        "shows": shows(ledger_id), "linked": sa.exists().where(_links.refund_id == _rows.id),
        "refunded": sa.exists().where(_links.purchase_id == _rows.id),
    }  # fmt: skip
    marks = [sa.case((condition, 1), else_=0).label(name) for name, condition in said.items()]
    query = (
        sa.select(schema.transactions, schema.phrases.c.text, *marks)
        .join(schema.phrases, schema.phrases.c.id == _rows.phrase_id)
        .where(_rows.ledger_id == ledger_id, where)
        .order_by(_rows.id)
    )
    return list((await connection.execute(query)).all())


async def read_rows_of(connection: AsyncConnection, ledger_id: int, ids: Iterable[int]) -> list[Any]:
    """Return the same for some rows by their ids."""
    ordered, found = sorted(ids), []
    for start in range(0, len(ordered), _AT_ONCE):
        found += await read_rows(connection, ledger_id, _rows.id.in_(ordered[start : start + _AT_ONCE]))
    return found


async def read_refunds_of(
    connection: AsyncConnection, ledger_id: int, purchases: Collection[int]
) -> list[tuple[Any, int]]:
    """Return the refunds that are linked to some purchases, each with its purchase's id."""
    links = sa.select(_links.refund_id, _links.purchase_id).where(_links.ledger_id == ledger_id)
    found = {row.refund_id: row.purchase_id for row in await connection.execute(links)} if purchases else {}
    wanted = [refund for refund, purchase in found.items() if purchase in purchases]
    return [(row, found[row.id]) for row in await read_rows_of(connection, ledger_id, wanted)]


async def rewrite(
    connection: AsyncConnection, ledger_id: int, token: str, rewritten: Sequence[Rewritten]
) -> list[Noted]:
    """Make rows what they are to become, and note what they were; whoever has moved them counts their sums.

    Refunds follow the purchases that they are linked to.
    """
    own = [each for each in rewritten if not each.linked]
    await write_states(connection, ledger_id, {each.id: each.after for each in own})
    noted = [Noted(each.id, Field.JUDGED, each.before.packed(), each.after.packed()) for each in own]
    await write_down(connection, ledger_id, token, noted)
    await follow(connection, ledger_id, [each.id for each in own])
    return noted


async def put_states_back(connection: AsyncConnection, ledger_id: int, noted: Sequence[Noted]) -> list[int]:
    """Make rows again what they were before a change; return the ids of all whose sums are to be counted.

    What is paired otherwise since is parted, and two that were a pair are one again if both are there and neither is linked
    to a purchase. Refunds follow their purchases.
    """
    before = {each.transaction_id: State.unpacked(each.before) for each in noted if each.field is Field.JUDGED}
    others = await _part(connection, ledger_id, before)
    bound = {row.id for row in await read_rows_of(connection, ledger_id, before) if row.linked}
    wanted = {}
    for key, state in before.items():
        other = before.get(state.pair) if state.pair is not None else None
        joined = other is not None and other.pair == key and not {key, state.pair} & bound
        wanted[key] = state if joined else replace(state, pair=None)
    await write_states(connection, ledger_id, wanted)
    await follow(connection, ledger_id, [*wanted, *others])
    return [*wanted, *others]


async def _part(connection: AsyncConnection, ledger_id: int, ids: Iterable[int]) -> list[int]:
    """Part rows from their other sides; return those that are not among them, which are again what they are by themselves."""
    rows = await read_rows_of(connection, ledger_id, ids)
    mine = {row.id for row in rows}
    sides = {row.pair_id for row in rows if row.pair_id is not None} - mine
    others = [row for row in await read_rows_of(connection, ledger_id, sides) if row.pair_id in mine]
    alone = {row.id: replace(State.of(row), pair=None) for row in (*rows, *others) if row.pair_id is not None}
    await write_states(connection, ledger_id, alone)
    return [row.id for row in others]


async def write_states(connection: AsyncConnection, ledger_id: int, wanted: Mapping[int, State]) -> None:
    """Write down what rows are; a row without another side counts by the rules as they are now. No sum is counted.

    What a refund is that is linked to a purchase is that one's to say.
    """
    if not wanted:
        return
    word = await Word.read(connection, ledger_id)
    ready: list[tuple[dict[str, Any], str]] = []
    left: set[int] = set()
    paid: list[dict[str, Any]] = []
    for row in await read_rows_of(connection, ledger_id, wanted):
        state = wanted[row.id]
        if row.linked:
            continue
        if replace(state, means=row.means) == State.of(row):  # how it was paid is in no index and no search
            paid.append({"row": row.id, "as_means": state.means})
            continue
        columns, text = word.category(row, (state.category, state.source))
        kind = state.kind
        if state.pair is None:
            kind = state.own if state.ground is Ground.PERSON else word.counted(row, state.own)
        values = {
            "row": row.id, **{f"as_{name}": value for name, value in columns.items()}, "as_kind": kind.value,
            "as_own": state.own.value, "as_ground": state.ground.value, "as_pair": state.pair, "as_means": state.means,
            "as_flow": flow_of(kind, row.amount_minor).value,
        }  # fmt: skip
        ready.append((values, text))
        left.add(row.phrase_id)
    ids = await phrase_ids(connection, ledger_id, {text for _, text in ready})
    updates = [{**values, "as_phrase": ids[text]} for values, text in ready]
    for start in range(0, len(updates), _AT_ONCE):
        await connection.execute(_SET_STATE, updates[start : start + _AT_ONCE])
    await forget_unused(connection, ledger_id, left - set(ids.values()))
    for start in range(0, len(paid), _AT_ONCE):
        await connection.execute(_SET_MEANS, paid[start : start + _AT_ONCE])


_SET_MEANS = schema.transactions.update().where(_rows.id == sa.bindparam("row")).values(means=sa.bindparam("as_means"))
_SET_STATE = (
    schema.transactions.update()
    .where(_rows.id == sa.bindparam("row"))
    .values(
        category=sa.bindparam("as_category"),
        category_source=sa.bindparam("as_category_source"),
        own_category=sa.bindparam("as_own_category"),
        own_category_source=sa.bindparam("as_own_category_source"),
        kind=sa.bindparam("as_kind"),
        own_kind=sa.bindparam("as_own"),
        kind_ground=sa.bindparam("as_ground"),
        flow=sa.bindparam("as_flow"),
        pair_id=sa.bindparam("as_pair"),
        means=sa.bindparam("as_means"),
        phrase_id=sa.bindparam("as_phrase"),
    )
)


async def count_again(connection: AsyncConnection, ledger_id: int, ids: Sequence[int]) -> None:
    """Count the sums of rows again of which some are counted elsewhere now, by whole imports where they are many."""
    if len(ids) < _MANY:
        await sums.recount_rows(connection, ledger_id, ids)
        return
    await sums.recount_batches(connection, ledger_id, await sums.batches_of(connection, ids))
