"""Whatever a person did to rows, one thing after the other, is taken back step by step: each time all is as it was before.

The rows are of two files with pairs that the program finds, so that what belongs together changes hands on the way.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from ledger import schema
from ledger.corrections import Part, change_row, delete_row, split_row
from ledger.errors import ChangeImpossible
from ledger.imports import import_files, undo_import
from ledger.journal import Field, standing_changes
from ledger.merging import merge_rows
from ledger.own_transfers import link_transfer, part_transfer
from ledger.people import Person
from ledger.refunds import link_refund, unlink_refund
from tests.support.linked_rows import HEADER, done, file_of, rows_of, undone

if TYPE_CHECKING:
    from ledger.repository import Repository
    from ledger.store import Store
    from ledger.transactions import Transaction

ONE = (
    HEADER
    + """2026-10-01,ACME SALARY,+2500.00,Current
2026-10-03,ZARA 3412 LONDON,-89.95,Current
2026-10-06,QUOKKA XQZT,-55.00,Current
2026-10-08,TRANSFER TO POT,-200.00,Current
2026-10-09,PAYPAL EUROPE,+40.00,Current
2026-10-10,ZARA 3412 LONDON,+15.00,Current
"""
)
OTHER = (
    HEADER
    + """2026-10-04,ITX ONLINE LONDON,-89.95,Visa
2026-10-07,WOMBAT WQZ,+55.00,Savings
2026-10-08,TRANSFER FROM CURRENT,+200.00,Savings
2026-10-09,TRANSFER,+200.00,Pot
2026-10-11,QUOKKA XQZT,-55.00,Visa
"""
)
NAMES = "category merchant kind delete split merge merge refund refund unlink move move part".split()
STEPS = st.tuples(st.sampled_from(NAMES), st.integers(0, 999), st.integers(0, 999))
FIELDS = {"category": Field.CATEGORY, "merchant": Field.MERCHANT, "kind": Field.KIND}
VALUES = {"category": ("Gifts", "Clothing"), "merchant": ("Zara", "Kiosk"), "kind": ("transfer", "purchase", "income")}
#: Of a row all but what tells it from others, and its search text by an id.
_columns = [each for each in schema.transactions.c if each.name not in ("batch_id", "phrase_id")]


async def state(repository: Repository) -> list[tuple[Any, ...]]:
    """Return all of every row that shows, with what it is searched by, and every link."""
    shown = [row.id for row in await rows_of(repository)]
    phrase, links = schema.phrases.c, schema.refund_links.c
    rows = sa.select(*_columns, phrase.text).join(schema.phrases, phrase.id == schema.transactions.c.phrase_id)
    linked = sa.select(links.refund_id, links.purchase_id).where(links.ledger_id == repository.ledger_id)
    async with repository.store.read() as connection:
        found = (await connection.execute(rows.where(schema.transactions.c.id.in_(shown)))).all()
        return sorted(map(tuple, [*found, *(await connection.execute(linked)).all()]), key=repr)


async def act(repository: Repository, name: str, one: int, two: int) -> str | None:
    """Do one thing to one or two rows; return its token, or nothing where it can't be done."""
    rows = await rows_of(repository)
    first, second = rows[one % len(rows)], rows[two % len(rows)]
    work, *arguments = _work(name, first, second, two)
    try:
        token = await done(repository, work, *arguments)
    except ChangeImpossible:
        return None
    return token if await standing_changes(repository, token) else None


def _work(name: str, first: Transaction, second: Transaction, number: int) -> tuple[Any, ...]:
    if name in FIELDS:
        return change_row, first.id, {FIELDS[name]: VALUES[name][number % len(VALUES[name])]}
    if name == "split":
        return split_row, first.id, [Part(first.amount_minor - 1, "Gifts"), Part(1)]
    if name == "merge":
        return merge_rows, first.id, [second.id]
    if name == "part":
        return part_transfer, [first.id, second.id][: 1 + number % 2]
    if name in ("refund", "move"):
        return {"refund": link_refund, "move": link_transfer}[name], first.id, second.id
    return {"delete": delete_row, "unlink": unlink_refund}[name], first.id


async def play(store: Store, steps: list[tuple[str, int, int]]) -> None:
    repository = await store.repository(Person("memory", "home", uuid.uuid4().hex))
    for text, count in ((ONE, 6), (OTHER, 5)):
        assert (await import_files(repository, [file_of(text)], currency="GBP")).files[0].added == count
    before, tokens = [await state(repository)], []
    for step in steps:
        token = await act(repository, *step)
        after = await state(repository)
        if token is None:
            assert after == before[-1], "what can't be done changes nothing"
        else:
            tokens.append(token)
            before.append(after)
    for text in (ONE, OTHER):
        assert (await import_files(repository, [file_of(text)], currency="GBP")).files[0].added == 0
    assert await state(repository) == before[-1]
    while tokens:
        before.pop()
        await undone(repository, tokens.pop())
        assert await state(repository) == before[-1]


async def leave(store: Store, steps: list[tuple[str, int, int]], which: int) -> None:
    """Without one import, and with all that was said taken back, the ledger is one of which nothing was said."""
    repository, untouched = [await store.repository(Person("memory", "home", uuid.uuid4().hex)) for _ in range(2)]
    for each in (untouched, repository):
        batches = [(await import_files(each, [file_of(text)], currency="GBP")).batch for text in (ONE, OTHER)]
        if each is untouched:
            await undo_import(each, batches[which])
    for step in steps:
        await act(repository, *step)
    await undo_import(repository, batches[which])
    assert {row.batch_id for row in await rows_of(repository)} <= {batches[1 - which]}
    while standing := await standing_changes(repository):
        await undone(repository, standing[0].token)
    assert await told(repository) == await told(untouched)
    await undo_import(repository, batches[1 - which])
    for table in (schema.transactions, schema.changes, schema.refund_links, schema.phrases, schema.sums):
        query = sa.select(sa.func.count()).select_from(table).where(table.c.ledger_id == repository.ledger_id)
        async with store.read() as connection:
            assert (await connection.execute(query)).scalar_one() == 0, table.name


async def told(repository: Repository) -> list[tuple[Any, ...]]:
    """Return what is told of every row that shows."""
    return sorted(
        (row.booked_on, row.amount_minor, row.description, row.merchant, row.category, row.kind, row.flow, row.account)
        for row in await rows_of(repository)
    )


#: The same steps each time, so that a run says of a change whether it broke them; `make soak` draws anew.
DRAWN = settings(
    derandomize=True,
    deadline=None,
    max_examples=6,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


@DRAWN
@given(st.lists(STEPS, min_size=2, max_size=10))
async def test_step_by_step_all_is_as_it_was(sqlite_store, steps):
    await play(sqlite_store, steps)


@DRAWN
@given(st.lists(STEPS, min_size=2, max_size=8), st.integers(0, 1))
async def test_imports_that_go_take_everything_along(sqlite_store, steps, which):
    await leave(sqlite_store, steps, which)


@settings(DRAWN, max_examples=2)
@example([("refund", 176, 60), ("move", 91, 998), ("move", 496, 434)], 0)
@given(st.lists(STEPS, min_size=3, max_size=6), st.integers(0, 1))
async def test_both_databases_do_so(store, steps, which):
    await play(store, steps)
    await leave(store, steps, which)


@pytest.mark.soak
@settings(DRAWN, max_examples=800, derandomize=False)
@given(st.lists(STEPS, min_size=3, max_size=16), st.integers(0, 1))
async def test_of_many_as_well(sqlite_store, steps, which):
    await play(sqlite_store, steps)
    await leave(sqlite_store, steps, which)
