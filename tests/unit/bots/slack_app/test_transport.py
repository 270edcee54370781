"""The door for signed HTTP requests: whatever knocks, nothing unsigned is parsed, and junk costs a line a minute at most."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import random
import socket
import time
from urllib.parse import quote

import aiohttp
import pytest
import structlog
from slack_bolt.request import async_request
from slack_sdk.web.async_client import AsyncWebClient

from bots.slack_app import requests
from bots.slack_app.installation import Installation, only
from bots.slack_app.requests import MOST_BODY_BYTES, Tally
from bots.slack_app.transport import Acknowledgement, HttpTransport, bolt_app

SECRET, TEAM = "8f742231b10e8888abcd99yyyzzz85a5", "T1HOME"
CALM = {200, 400, 401, 408, 413}


class Door:
    """A transport behind which everything that came through is kept."""

    def __init__(self) -> None:
        self.taken: list[dict] = []
        client = AsyncWebClient("xoxb-1", "http://127.0.0.1:9/")
        app = bolt_app(client, only(Installation(TEAM, "U0BOT", "B0BOT", "xoxb-1")), self._take, SECRET)
        self.transport = HttpTransport(app, SECRET, "127.0.0.1", 0, self._healthy)

    async def _take(self, body):
        self.taken.append(dict(body))
        return Acknowledgement()

    async def _healthy(self):
        return True

    @property
    def port(self) -> int:
        return self.transport._runner.addresses[0][1]

    async def knock(self, data, headers=None, method="POST"):
        url = f"http://127.0.0.1:{self.port}/slack/events"
        async with self.session.request(method, url, data=data, headers=headers or {}) as answer:
            return answer.status, await answer.text()

    async def __aenter__(self):
        await self.transport.start()
        self.session = aiohttp.ClientSession()
        return self

    async def __aexit__(self, *_):
        await self.session.close()
        await self.transport.stop()


@pytest.fixture
async def door():
    async with Door() as opened:
        yield opened


@pytest.fixture
def log():
    with structlog.testing.capture_logs() as entries:
        yield entries


def signed(body: bytes, kind: str = "application/json", *, at: float | None = None, **instead: str) -> dict[str, str]:
    timestamp = str(int(time.time() if at is None else at))
    mark = hmac.new(SECRET.encode(), b"v0:" + timestamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    headers = {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": f"v0={mark}", "Content-Type": kind}
    return {**headers, **{f"X-Slack-{name.replace('_', '-')}": value for name, value in instead.items()}}


def event(team: str = TEAM) -> bytes:
    inner = {"type": "message", "channel_type": "im", "user": "U1ANA", "text": "hello", "ts": "1.1", "channel": "D1"}
    return json.dumps({"type": "event_callback", "team_id": team, "event_id": "Ev1", "event": inner}).encode()


def command(team: str, url: str = "http://127.0.0.1:9/respond") -> bytes:
    fields = {
        "command": "/money",
        "text": "help",
        "team_id": team,
        "user_id": "U1ANA",
        "channel_id": "C1",
        "response_url": url,
    }
    return "&".join(f"{name}={quote(value, safe='')}" for name, value in fields.items()).encode()


async def test_what_slack_signed_comes_through(door) -> None:
    assert await door.knock(event(), signed(event())) == (200, "")
    form = command(TEAM)
    assert (await door.knock(form, signed(form, "application/x-www-form-urlencoded")))[0] == 200
    assert [body.get("type") or body["command"] for body in door.taken] == ["event_callback", "/money"]


def junk(chance: random.Random) -> bytes:
    """Bodies as nobody means them, and pieces of such as Slack sends."""
    whole = chance.choice(
        (event(), command(TEAM), b'{"type": "url_verification"}', b"payload={}", b"[1]", b"null", b'"x"', b"1")
    )
    made = [
        whole[: chance.randrange(len(whole) + 1)],
        bytes(chance.randrange(256) for _ in range(chance.randrange(200))),
        b"payload=" + bytes(chance.randrange(32, 127) for _ in range(40)),
        b"{" * chance.randrange(1, 5000),
        b"[" * 100_000,
        b'{"team_id": ' + chance.choice((b"[]", b"{}", b"1", b"null")) + b"}",
        b'{"event": 1, "team_id": "T1HOME", "authorizations": "x"}',
    ]
    return chance.choice(made)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("is_signed", [False, True])
async def test_no_junk_is_an_error_of_ours(door, log, seed, is_signed) -> None:
    chance = random.Random(seed)
    kinds = (
        "application/json",
        "application/x-www-form-urlencoded",
        "text/plain",
        "",
        "multipart/form-data; boundary=x",
        "a;b;c",
    )
    for _ in range(40):
        body, kind = junk(chance), chance.choice(kinds)
        headers = signed(body, kind) if is_signed else {"Content-Type": kind}
        for name in ("X-Slack-Request-Timestamp", "X-Slack-Signature", "X-Slack-Bolt-Lazy-Only", "X-Slack-Retry-Num"):
            if not is_signed and chance.random() < 0.5:
                headers[name] = chance.choice(
                    ("", "1e9", "-5", "٣", "9" * 40, "v0=", f"v0={'g' * 64}", str(int(time.time())))
                )
        status, said = await door.knock(body, headers)
        assert status in CALM, (status, body, headers)
        assert is_signed or status == 401
        assert "apologize" not in said
    assert len([entry for entry in log if entry["log_level"] != "debug"]) <= 3, log
    assert not any("Traceback" in str(entry) or "exception" in entry for entry in log)


async def test_a_flood_of_bad_requests_costs_a_handful_of_lines_and_nothing_is_parsed(door, log, monkeypatch) -> None:
    monkeypatch.setattr(async_request, "parse_body", lambda *_: pytest.fail("parsed before it was checked"))
    for _ in range(10):
        answers = await asyncio.gather(*(door.knock(b"{nope") for _ in range(100)))
        assert {status for status, _ in answers} == {401}
    await door.transport.stop()
    lines = [entry for entry in log if entry["event"] == "slack_requests_refused"]
    assert 1 <= len(lines) <= 3
    assert sum(entry["count"] for entry in lines) == 1000


@pytest.mark.parametrize("timestamp", ["", "now", "1.5", "-1", "1e9", "٣", " 1", "9" * 30])
async def test_a_malformed_timestamp_is_unsigned(door, timestamp) -> None:
    assert (await door.knock(event(), signed(event(), Request_Timestamp=timestamp)))[0] == 401


@pytest.mark.parametrize("seconds", [-301, 301])
async def test_what_is_not_of_now_is_unsigned(door, seconds) -> None:
    assert (await door.knock(event(), signed(event(), at=time.time() + seconds)))[0] == 401


async def test_a_body_that_is_too_long_is_refused_before_it_is_read(door) -> None:
    """The length is told, and the body never sent: the answer comes nevertheless."""
    marks = "".join(f"{name}: {value}\r\n" for name, value in signed(b"").items())
    head = f"POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: {MOST_BODY_BYTES + 1}\r\n{marks}\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(head.encode())
    assert b" 413 " in await asyncio.wait_for(reader.readline(), 20)
    writer.close()

    async def chunks():
        for _ in range(MOST_BODY_BYTES // 65536 + 2):
            yield b"x" * 65536

    assert (await door.knock(chunks(), signed(b"")))[0] == 413


async def test_a_body_that_does_not_come_is_not_waited_for(door, monkeypatch) -> None:
    monkeypatch.setattr(requests, "_READING_SECONDS", 0.05)
    marks = "".join(f"{name}: {value}\r\n" for name, value in signed(b"x").items())
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(f"POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n{marks}\r\n".encode())
    assert b" 408 " in await asyncio.wait_for(reader.readline(), 20)
    writer.close()


async def test_what_is_no_http_is_no_traceback(door, log, capfd) -> None:
    for text in (
        b"\x16\x03\x01\x02\x00",
        b"GET / HTTP/9\r\n\r\n",
        b"POST /slack/events HTTP/1.1\r\nContent-Length: x\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", door.port)) as raw:
            raw.sendall(text)
            raw.setblocking(False)
            await asyncio.sleep(0.05)
    assert "Traceback" not in "".join(capfd.readouterr())
    assert not any("Traceback" in str(entry) for entry in log)


async def test_another_workspace_is_answered_calmly_and_nothing_is_said_for_us(door, monkeypatch) -> None:
    monkeypatch.setattr(AsyncWebClient, "api_call", lambda *_a, **_k: pytest.fail("something was said"))
    assert await door.knock(event("T2OTHER"), signed(event("T2OTHER"))) == (200, "")
    form = command("T2OTHER", f"http://127.0.0.1:{door.port}/slack/events")
    assert await door.knock(form, signed(form, "application/x-www-form-urlencoded")) == (200, "")
    assert door.taken == []


async def test_slacks_first_question_is_answered(door) -> None:
    body = json.dumps({"type": "url_verification", "challenge": "abc"}).encode()
    status, said = await door.knock(body, signed(body))
    assert (status, "abc" in said) == (200, True)


def test_refusals_are_counted_and_told_once_a_minute(log) -> None:
    now = [0.0]
    tally = Tally(lambda: now[0])
    for second in range(121):
        now[0] = float(second)
        tally.note("wrong signature")
    assert [entry["count"] for entry in log] == [1, 60, 60]
    tally.tell()
    assert len(log) == 3
