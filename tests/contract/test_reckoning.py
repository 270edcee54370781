"""Any changes of single rows and undos, against a plain reckoning without a database."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ledger import schema
from ledger.corrections import Part, change_row, delete_row, split_row
from ledger.errors import ChangeImpossible
from ledger.filters import Filter
from ledger.journal import Field, standing_changes
from ledger.judgement import key_of
from ledger.left_out import LeftOut, count_again, leave_out
from ledger.merging import merge_rows
from ledger.people import Person
from ledger.refunds import link_refund, unlink_refund
from ledger.rules import remove_rule, set_rule
from tests.drawn_ledgers import CATEGORIES, FIRST, MERCHANTS, ledgers, write_entries
from tests.support.linked_rows import done, rows_of, undone

if TYPE_CHECKING:
    from ledger.repository import Repository
    from ledger.store import Store


NEITHER = ("transfer", "card_payment", "left_out")


@dataclass(frozen=True)
class Naive:
    """One row as a plain reckoning has it: ``chosen`` is its own category, ``said`` its kind and ``given`` its name by the
    person's word, and ``of`` the purchase that it is a refund of."""

    day: date
    minor: int
    currency: str
    merchant: str
    category: str
    kind: str
    chosen: str | None = None
    said: str | None = None
    given: bool = False
    of: int | None = None
    there: bool = True


#: What a change of one field of one row found there; None where it made the row.
Noted = dict[tuple[int, str], Naive | None]
#: Which fields of one row are taken back one after the other, besides each and itself.
TOGETHER = {"of": {"chosen", "merchant", "said"}, "chosen": {"of"}, "merchant": {"of"}, "said": {"of"}}


@dataclass
class Reckoning:
    """A ledger without a database."""

    rows: dict[int, Naive]
    rules: dict[str, str]
    ignored: set[str]
    done: list[tuple[str, Noted]]

    def counts_as(self, row: Naive) -> tuple[str, str, str]:
        """Return the merchant, category and kind of a row."""
        if row.of is not None:
            merchant, category, kind = self.counts_as(self.rows[row.of])
            return merchant, category, kind if kind in (*NEITHER, "income") else "refund"
        kind, key = row.said or row.kind, key_of(row.merchant)
        if row.said is None and key in self.ignored and kind not in NEITHER:
            kind = "left_out"
        return row.merchant, row.chosen or self.rules.get(key) or row.category, kind

    def shown(self) -> Counter[tuple[Any, ...]]:
        there = (row for row in self.rows.values() if row.there)
        return Counter((row.day, row.minor, row.currency, *self.counts_as(row)) for row in there)

    def set(self, noted: Noted, key: int, what: str, **values: Any) -> None:
        """Change a row, and write down how its field was; a mark only says that a change is about the row."""
        noted[key, what] = self.rows[key]
        self.rows[key] = replace(self.rows[key], **values)

    def link(self, noted: Noted, refund: int, purchase: int | None) -> None:
        for marked in (self.rows[refund].of, purchase):
            if marked is not None:
                self.set(noted, marked, "mark")
        self.set(noted, refund, "of", of=purchase)

    def release(self, noted: Noted, purchase: int) -> None:
        for key in [key for key, row in self.rows.items() if row.of == purchase]:
            self.link(noted, key, None)

    def may_undo(self, place: int) -> bool:
        """Whether nothing newer is of the same field of the same row, or of its being there."""
        for key, what in self.done[place][1]:
            newer = {field for _, noted in self.done[place + 1 :] for row, field in noted if row == key}
            if "there" in newer or (what == "there" and newer) or newer & TOGETHER.get(what, set()):
                return False
            if what != "mark" and what in newer:
                return False
        return True

    def undo(self, place: int) -> None:
        _, noted = self.done.pop(place)
        for (key, what), before in noted.items():
            if before is None:
                del self.rows[key]
            elif what != "mark":
                names = ("merchant", "given") if what == "merchant" else (what,)
                self.rows[key] = replace(self.rows[key], **{name: getattr(before, name) for name in names})


NAMES = "category merchant day kind delete split merge refund refund unlink undo undo rule ignore".split()
STEPS = st.tuples(st.sampled_from(NAMES), st.integers(0, 10_000), st.integers(0, 10_000))
DRAWN = settings(
    deadline=None,
    max_examples=12,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


async def play(store: Store, entries: list[Any], steps: list[tuple[str, int, int]]) -> None:
    repository, written = await write_entries(store, Person("memory", "home", uuid.uuid4().hex), entries, imports=2)
    rows = {e.id: Naive(e.day, e.minor, e.currency, e.merchant, e.category, e.kind) for e in written}
    naive = Reckoning(rows, {}, set(), [])
    for name, one, two in steps:
        await step(repository, naive, name, one, two)
        await holds(repository, naive)
    while naive.done:
        await undone(repository, naive.done[-1][0])
        naive.undo(len(naive.done) - 1)
    await holds(repository, naive)


async def holds(repository: Repository, naive: Reckoning) -> None:
    found = await rows_of(repository)
    shown = Counter(
        (row.booked_on, row.amount_minor, row.currency, row.merchant, row.category, str(row.kind)) for row in found
    )
    assert shown == naive.shown()
    totals = {each.currency: (each.count, -each.net_out_minor) for each in await repository.totals(Filter())}
    reckoned: dict[str, tuple[int, int]] = {}
    for (_, minor, currency, *_), count in shown.items():
        before = reckoned.get(currency, (0, 0))
        reckoned[currency] = before[0] + count, before[1] + count * minor
    assert totals == reckoned
    assert await links_of(repository) == {key: row.of for key, row in naive.rows.items() if row.of is not None}


async def links_of(repository: Repository) -> dict[int, int]:
    links = schema.refund_links.c
    query = sa.select(links.refund_id, links.purchase_id).where(links.ledger_id == repository.ledger_id)
    async with repository.store.read() as connection:
        return {row.refund_id: row.purchase_id for row in await connection.execute(query)}


async def step(repository: Repository, naive: Reckoning, name: str, one: int, two: int) -> None:
    if name in ("rule", "ignore"):
        await rule(repository, naive, name, MERCHANTS[one % len(MERCHANTS)], CATEGORIES[two % len(CATEGORIES)])
    elif name == "undo":
        await undo(repository, naive, one)
    elif name in ("merge", "refund", "unlink"):
        await {"merge": merge, "refund": refund, "unlink": unlink}[name](repository, naive, one, two)
    elif there := sorted(key for key, row in naive.rows.items() if row.there):
        key = there[one % len(there)]
        await {"split": split, "delete": delete}.get(name, partial(change, name))(repository, naive, key, two)


async def undo(repository: Repository, naive: Reckoning, one: int) -> None:
    if not naive.done:
        return
    place = one % len(naive.done)
    if naive.may_undo(place):
        await undone(repository, naive.done[place][0])
        naive.undo(place)
    else:
        with pytest.raises(ChangeImpossible):
            await undone(repository, naive.done[place][0])


async def change(name: str, repository: Repository, naive: Reckoning, key: int, two: int) -> None:
    category, merchant = CATEGORIES[two % len(CATEGORIES)], MERCHANTS[two % len(MERCHANTS)]
    day, kind = FIRST + timedelta(two % 400), ("transfer", "purchase", "income")[two % 3]
    values: dict[str, tuple[dict[Field, str], str, dict[str, Any]]] = {
        "category": ({Field.CATEGORY: category}, "chosen", {"chosen": category}),
        "merchant": ({Field.MERCHANT: merchant}, "merchant", {"merchant": merchant, "given": True}),
        "day": ({Field.DAY: day.isoformat()}, "day", {"day": day}),
        "kind": ({Field.KIND: kind}, "said", {"said": kind}),
    }
    what, field, reckoned = values[name]
    if naive.rows[key].of is not None and name != "day":
        with pytest.raises(ChangeImpossible):
            await done(repository, change_row, key, what)
        return
    token, noted = await done(repository, change_row, key, what), Noted()
    naive.set(noted, key, field, **reckoned)
    naive.done.append((token, noted))


async def delete(repository: Repository, naive: Reckoning, key: int, _two: int) -> None:
    token, noted = await done(repository, delete_row, key), Noted()
    naive.set(noted, key, "there", there=False)
    naive.release(noted, key)
    naive.done.append((token, noted))


async def split(repository: Repository, naive: Reckoning, key: int, two: int) -> None:
    row = naive.rows[key]
    part = (two % (abs(row.minor) + 1)) * (1 if row.minor >= 0 else -1)
    parts = [Part(part, CATEGORIES[two % len(CATEGORIES)]), Part(row.minor - part)]
    if row.of is not None:
        with pytest.raises(ChangeImpossible):
            await done(repository, split_row, key, parts)
        return
    token, noted = await done(repository, split_row, key, parts), Noted()
    (made,) = await standing_changes(repository, token)
    whole, *pieces = [each.transaction_id for each in made.noted if each.field is Field.PLACE]
    assert whole == key
    naive.set(noted, key, "there", there=False)
    for new, each in zip(pieces, parts, strict=True):
        noted[new, "there"] = None
        naive.rows[new] = replace(row, minor=each.amount_minor, chosen=each.category or row.chosen)
    naive.release(noted, key)
    naive.done.append((token, noted))


async def merge(repository: Repository, naive: Reckoning, one: int, two: int) -> None:
    there = sorted(key for key, row in naive.rows.items() if row.there)
    if len(there) < 2:
        return
    kept_id, other_id = there[one % len(there)], there[two % len(there)]
    kept, other = naive.rows[kept_id], naive.rows[other_id]
    if (kept.minor > 0) != (other.minor > 0) or kept_id == other_id:
        with pytest.raises(ChangeImpossible):
            await done(repository, merge_rows, kept_id, [other_id])
        return
    token, noted = await done(repository, merge_rows, kept_id, [other_id]), Noted()
    naive.set(noted, kept_id, "mark")
    if kept.of is None and other.of is None:
        if other.said and not kept.said:
            naive.set(noted, kept_id, "said", said=other.said)
        if other.given and not kept.given:
            naive.set(noted, kept_id, "merchant", merchant=other.merchant, given=True)
        if other.chosen and not kept.chosen:
            naive.set(noted, kept_id, "chosen", chosen=other.chosen)
    alike = kept.currency == other.currency
    for key in [key for key, row in naive.rows.items() if row.of == other_id]:
        naive.link(noted, key, kept_id if alike else None)
    if alike and other.of is not None and kept.of is None:
        naive.link(noted, kept_id, other.of)
    naive.set(noted, other_id, "there", there=False)
    naive.done.append((token, noted))


async def refund(repository: Repository, naive: Reckoning, one: int, two: int) -> None:
    there = sorted(key for key, row in naive.rows.items() if row.there)
    back, spent = ([key for key in there if naive.rows[key].minor * sign > 0] for sign in (1, -1))
    if not (back and spent):
        return
    key, purchase = back[one % len(back)], spent[two % len(spent)]
    if naive.rows[key].currency != naive.rows[purchase].currency:
        with pytest.raises(ChangeImpossible):
            await done(repository, link_refund, key, purchase)
    elif naive.rows[key].of != purchase:
        token, noted = await done(repository, link_refund, key, purchase), Noted()
        naive.link(noted, key, purchase)
        naive.done.append((token, noted))


async def unlink(repository: Repository, naive: Reckoning, one: int, _two: int) -> None:
    linked = sorted(key for key, row in naive.rows.items() if row.there and row.of is not None)
    if linked:
        key, noted = linked[one % len(linked)], Noted()
        token = await done(repository, unlink_refund, key)
        naive.link(noted, key, None)
        naive.done.append((token, noted))


async def rule(repository: Repository, naive: Reckoning, name: str, merchant: str, category: str) -> None:
    key, left = key_of(merchant), LeftOut("merchant", merchant)
    async with repository.store.write() as connection:
        if name == "rule" and naive.rules.pop(key, None):
            await remove_rule(connection, repository, merchant)
        elif name == "rule":
            await set_rule(connection, repository, merchant, category)
            naive.rules[key] = category
        elif key in naive.ignored:
            await count_again(connection, repository, left)
            naive.ignored.remove(key)
        else:
            await leave_out(connection, repository, left)
            naive.ignored.add(key)


@DRAWN
@given(ledgers(most=6), st.lists(STEPS, min_size=1, max_size=14))
async def test_after_any_changes_and_undos_the_figures_are_those_of_a_plain_reckoning(sqlite_store, entries, steps):
    await play(sqlite_store, entries, steps)


@pytest.mark.soak
@settings(DRAWN, max_examples=1500)
@given(ledgers(most=8), st.lists(STEPS, min_size=1, max_size=30))
async def test_after_thousands_of_changes_and_undos_as_well(sqlite_store, entries, steps):
    await play(sqlite_store, entries, steps)


@settings(DRAWN, max_examples=4)
@given(ledgers(most=6), st.lists(STEPS, min_size=4, max_size=12))
async def test_both_databases_reckon_the_same(store, entries, steps):
    await play(store, entries, steps)
