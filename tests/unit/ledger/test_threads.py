"""Whose turn it is to write: the urgent before the patient, and no process again before one that waits."""

from __future__ import annotations

import asyncio
import threading

import pytest
import sqlalchemy as sa

from ledger import schema
from ledger.errors import LedgerBusy
from ledger.store import Store
from ledger.threads import FileQueue, Turns


async def test_the_urgent_go_first_and_each_in_the_order_of_coming():
    turns, went = Turns(), []

    async def take(name: str, *, patient: bool) -> None:
        async with turns.turn(patient=patient):
            went.append(name)
            await asyncio.sleep(0)

    async with turns.turn():
        waiting = [
            asyncio.create_task(take(name, patient=name.startswith("p"))) for name in ("p1", "u1", "p2", "u2", "u3")
        ]
        await asyncio.sleep(0)
        assert went == []
    await asyncio.gather(*waiting)
    assert went == ["u1", "u2", "u3", "p1", "p2"]


@pytest.mark.parametrize("when", ["waiting", "called"])
async def test_who_gives_up_keeps_nobody_waiting(when):
    turns = Turns()

    async def take() -> str:
        async with turns.turn():
            return "had it"

    async with turns.turn():
        leaving, staying = asyncio.create_task(take()), asyncio.create_task(take())
        await asyncio.sleep(0)
        if when == "waiting":
            leaving.cancel()
    if when == "called":
        leaving.cancel()  # its turn has come, and it has not yet heard of it
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert await asyncio.wait_for(staying, 5) == "had it"
    assert await asyncio.wait_for(take(), 5) == "had it"


def test_a_process_that_writes_again_and_again_lets_another_in(tmp_path):
    """The one that waits is next, however soon the other comes back."""
    path = tmp_path / "db"
    busy, other = FileQueue(path), FileQueue(path)
    rounds, entered = 0, threading.Event()

    def wait() -> None:
        other.enter()
        entered.set()
        other.leave()

    busy.enter()
    thread = threading.Thread(target=wait)
    thread.start()
    while not entered.is_set():
        busy.leave()
        busy.enter()
        rounds += 1
        assert rounds < 100_000
    busy.leave()
    thread.join()
    busy.close()
    other.close()


async def test_a_write_of_another_process_gets_in_between_two_steps(tmp_path):
    """Two stores of one file are two processes to each other."""
    path = tmp_path / "data" / "ledger.sqlite3"
    one, two = await Store.open(path), await Store.open(path)
    order: list[str] = []

    async def steps() -> None:
        for number in range(200):
            async with one.write(patient=True) as connection:
                await connection.execute(schema.rules.delete().where(schema.rules.c.id == number))
            order.append("step")

    going = asyncio.create_task(steps())
    while len(order) < 3:
        await asyncio.sleep(0.001)
    async with two.write() as connection:
        await connection.execute(schema.rules.delete())
    order.append("other")
    await going
    assert order.index("other") < 200
    await one.close()
    await two.close()


async def test_a_ledger_is_one_holders_alone(open_store):
    one, two = await open_store(), await open_store()
    async with one.alone(7):
        for store in (one, two):
            with pytest.raises(LedgerBusy):
                async with store.alone(7, wait=False):
                    pass
        async with two.alone(8, wait=False):
            pass
        waiting = asyncio.create_task(_hold(two, 7))
        await asyncio.sleep(0.2)
        assert not waiting.done()
    assert await asyncio.wait_for(waiting, 10)


async def _hold(store: Store, ledger_id: int) -> bool:
    async with store.alone(ledger_id):
        return True


async def test_a_connection_whose_begin_failed_begins_again(sqlite_store):
    """Or all that this process writes would be committed statement by statement from then on."""

    def refuse(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("BEGIN"):
            raise KeyError

    async with sqlite_store.write() as connection:
        await connection.execute(schema.ledgers.delete())
    sa.event.listen(sa.Engine, "before_cursor_execute", refuse)
    with pytest.raises(KeyError):
        async with sqlite_store.write() as connection:
            await connection.execute(schema.ledgers.delete())
    sa.event.remove(sa.Engine, "before_cursor_execute", refuse)
    with pytest.raises(ZeroDivisionError):
        async with sqlite_store.write() as connection:
            await connection.execute(schema.ledgers.insert().values(id=1, created_at="2026"))
            raise ZeroDivisionError
    async with sqlite_store.read() as connection:
        assert (await connection.execute(sa.select(schema.ledgers.c.id))).all() == []
