"""What the status pages say, part by part, and what ``health`` makes of them."""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
from contextlib import asynccontextmanager

import aiohttp
import pytest

from bots.cli import health
from bots.errors import CommandError
from bots.lease import Lease
from bots.memory import MemoryPlatform
from bots.metrics import Metrics
from bots.settings import Address, Settings
from bots.status import Status, told

WELL = {"lease": True, "database": True, "slack": True, "discord": True}


class House:
    """A bot's parts without the bot."""

    def __init__(self, store, clock):
        self.store = store
        self.clock = clock
        self.lease = Lease(store, "holder", clock.now, clock.seconds)
        self.platforms = [MemoryPlatform("slack"), MemoryPlatform("discord")]
        self.status = Status(store, self.lease, self.platforms)

    async def ready(self):
        await self.lease.acquire()
        for platform in self.platforms:
            await platform.start(None)  # nobody says anything

    @asynccontextmanager
    async def served(self):
        async with told(self.status, "127.0.0.1", 0) as port:
            yield port


@pytest.fixture
def house(sqlite_store, clock, monkeypatch):
    made = House(sqlite_store, clock)

    async def start(platform, receive):
        platform._receive = lambda said: None

    monkeypatch.setattr(MemoryPlatform, "start", start)
    return made


async def get(port, path):
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}") as answer:
        return answer.status, await answer.json()


async def test_a_bot_that_is_well(house):
    await house.ready()
    async with house.served() as port:
        assert await get(port, "/healthz") == (200, {"ok": True, "lease": True})
        assert await get(port, "/readyz") == (200, {"ok": True, **WELL})


async def test_a_platform_that_is_away_is_no_reason_to_start_again(house):
    await house.ready()
    await house.platforms[1].stop()
    async with house.served() as port:
        assert (await get(port, "/healthz"))[0] == 200
        assert await get(port, "/readyz") == (503, {"ok": False, **WELL, "discord": False})


@pytest.mark.parametrize("away", ["fails", "hangs"])
async def test_nor_is_a_database(house, monkeypatch, away):
    await house.ready()

    async def answers():
        if away == "hangs":
            await asyncio.Event().wait()
        return False

    monkeypatch.setattr(house.store, "answers", answers)
    monkeypatch.setattr("bots.status._DATABASE_SECONDS", 0.01)
    house.clock.advance(31)
    async with house.served() as port:
        assert (await get(port, "/healthz"))[0] == 200
        assert await get(port, "/readyz") == (503, {"ok": False, **WELL, "lease": False, "database": False})


async def test_before_the_lease_is_taken_nothing_is_ready(house):
    async with house.served() as port:
        assert (await get(port, "/readyz"))[1] == {
            "ok": False,
            "lease": False,
            "database": True,
            "slack": False,
            "discord": False,
        }


async def test_a_lost_lease_ends_a_process(house):
    await house.ready()
    house.lease.lost.set()
    async with house.served() as port:
        assert await get(port, "/healthz") == (503, {"ok": False, "lease": False})


async def test_there_is_nothing_else(house):
    await house.ready()
    async with house.served() as port, aiohttp.ClientSession() as session:
        for method, path, status in (("GET", "/", 404), ("POST", "/healthz", 405), ("GET", "/healthz/..", 404)):
            async with session.request(method, f"http://127.0.0.1:{port}{path}") as answer:
                assert answer.status == status


@pytest.mark.parametrize(("metrics", "status"), [(Metrics(), 200), (None, 404)], ids=["wanted", "not wanted"])
async def test_numbers_are_told_only_where_they_are_wanted(house, metrics, status):
    await house.ready()
    house.status.metrics = metrics
    async with house.served() as port, aiohttp.request("GET", f"http://127.0.0.1:{port}/metrics") as answer:
        assert answer.status == status
        if metrics:
            assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
            assert "money_minder_waiting" in await answer.text()


async def test_an_address_that_is_taken_is_named(house):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(CommandError, match="MONEY_MINDER_STATUS_ADDRESS"):
            async with told(house.status, "127.0.0.1", taken.getsockname()[1]):
                pass


class TestHealth:
    """The command."""

    async def ask(self, port, *, ready=False, as_json=False):
        settings = Settings(status_address=f"0.0.0.0:{port}")
        return await health.run(argparse.Namespace(ready=ready, json=as_json), settings)

    async def test_says_what_is_not_well(self, house, capsys):
        await house.ready()
        await house.platforms[0].stop()
        async with house.served() as port:
            assert await self.ask(port) == 0
            assert capsys.readouterr().out == "ok\n"
            assert await self.ask(port, ready=True) == 1
            assert capsys.readouterr().err == "money-minder: not well: slack\n"
            assert await self.ask(port, ready=True, as_json=True) == 1
            assert json.loads(capsys.readouterr().out) == {"ok": False, **WELL, "slack": False}

    async def test_a_bot_that_does_not_answer(self, monkeypatch):
        monkeypatch.setattr(health, "_PATIENCE_SECONDS", 0.05)
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            port = silent.getsockname()[1]
            with pytest.raises(CommandError, match="does not answer"):
                await self.ask(port)
        with pytest.raises(CommandError, match="does not answer"):
            await self.ask(port)

    @pytest.mark.parametrize(
        "answer", [b"HTTP/1.1 200 OK\r\n\r\n[]", b"HTTP/1.1 200 OK\r\n\r\n<html>", b"SSH-2.0-x\r\n"]
    )
    async def test_something_else_that_answers(self, answer):
        async def speak(reader, writer):
            await reader.readline()
            writer.write(answer)
            writer.close()

        async with await asyncio.start_server(speak, "127.0.0.1", 0) as server:
            with pytest.raises(CommandError, match="does not answer"):
                await self.ask(server.sockets[0].getsockname()[1])

    @pytest.mark.parametrize("address", [None, ""])
    async def test_without_an_address(self, address):
        with pytest.raises(CommandError, match="is not set"):
            await health.run(argparse.Namespace(ready=False, json=False), Settings(status_address=address))


@pytest.mark.parametrize(
    ("text", "address"),
    [("127.0.0.1:8642", ("127.0.0.1", 8642)), ("[::1]:80", ("::1", 80)), ("localhost:65535", ("localhost", 65535))],
)
def test_an_address(text, address):
    assert Settings(status_address=text).status_address == Address(*address)
    assert str(Address(*address)) == text


@pytest.mark.parametrize("text", ["8642", ":8642", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:x"])
def test_no_address(text):
    with pytest.raises(ValueError, match=r"such as 127\.0\.0\.1:8642"):
        Settings(status_address=text)
