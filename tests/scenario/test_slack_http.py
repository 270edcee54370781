"""The bot behind a web server: signed requests at ``/slack/events``, ``/healthz``; and what ``doctor`` says of the tokens."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import time

import aiohttp
import pytest
import pytest_asyncio

from tests.support import nursery, slack_server
from tests.support.slack import payloads
from tests.support.slack.bot import BotProcess
from tests.support.slack.visit import LINES, OCTOBER, SEPTEMBER, House, category, dollars
from tests.support.slack_server import SlackServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

OCTOBERS, SEPTEMBERS = (dollars(LINES, category("Groceries"), month) for month in (OCTOBER, SEPTEMBER))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    async with SlackServer() as slack:
        settings = {
            "MONEY_MINDER_SLACK__APP_TOKEN": "",
            "MONEY_MINDER_SLACK__SIGNING_SECRET": slack.signing_secret,
            "MONEY_MINDER_SLACK__PORT": str(port),
        }
        bot = BotProcess(slack, tmp_path_factory.mktemp("http") / "data", settings)
        try:
            await bot.start(connected=False)
            await slack.until(lambda: "answers on Slack" in bot.log, 60)
            slack.http_target = f"http://127.0.0.1:{port}/slack/events"
            house = House(slack, bot, warnings={"slack_requests_refused"})
            yield house
            assert await bot.stop() == 0
            house.check()
        finally:
            await bot.kill()


@contextlib.asynccontextmanager
async def request(house, method, path, **more):
    base = house.slack.http_target.removesuffix("/slack/events")
    async with aiohttp.ClientSession() as session, session.request(method, base + path, **more) as answer:
        yield answer


# -- doctor, before the other bot runs, for it changes what tokens Slack takes


class _TellingScopes(SlackServer):
    """Names the scopes beside every answer, as Slack does."""

    async def _answer(self, *call, **more):
        answer = await super()._answer(*call, **more)
        answer.headers["X-OAuth-Scopes"] = ",".join(sorted(self.scopes))
        return answer


async def doctor(slack, directory, **tokens):
    """What ``money-minder doctor`` says of Slack, and its exit code."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MONEY_MINDER_")}
    environment |= {"MONEY_MINDER_DATA_DIR": str(directory / "data"), "MONEY_MINDER_SLACK__API_URL": slack.api_url}
    environment |= {"MONEY_MINDER_MODEL": "builtin"}
    environment |= {f"MONEY_MINDER_SLACK__{name}": token for name, token in tokens.items()}
    ended = await asyncio.to_thread(nursery.run, ["doctor", "--json"], environment, directory)
    shown = ended.stdout.decode()
    assert not any(token in shown for token in tokens.values()), "a token was shown"
    found = {check["name"]: check for check in json.loads(shown)["checks"]}
    if found["slack"]["status"] != "fail":
        assert found["slack messages"]["found"] == "Slack takes all 6 samples"
    return found["slack"], ended.returncode


async def test_doctor_asks_slack_about_the_tokens(tmp_path, monkeypatch):
    bot_token, app_token = "xoxb-" + "1" * 24, "xapp-" + "1" * 24
    monkeypatch.setattr(slack_server, "BOT_TOKEN", bot_token)
    monkeypatch.setattr(slack_server, "APP_TOKEN", app_token)
    async with _TellingScopes() as slack:
        asked = {
            "well": {"BOT_TOKEN": bot_token, "APP_TOKEN": app_token},
            "bot": {"BOT_TOKEN": bot_token[:-1] + "2", "APP_TOKEN": app_token},
        }
        said = dict(
            zip(asked, await asyncio.gather(*(doctor(slack, tmp_path, **each) for each in asked.values())), strict=True)
        )
        slack.scopes -= {"files:read", "im:history"}
        said["scopes"] = await doctor(slack, tmp_path, **asked["well"])
    check, code = said["well"]
    assert (check["status"], code) == ("ok", 0)
    assert "socket mode" in check["found"]
    wrong = {
        "bot": "Slack does not accept MONEY_MINDER_SLACK__BOT_TOKEN (invalid_auth)",
        "scopes": "files:read, im:history",
    }
    for name, words in wrong.items():
        check, code = said[name]
        assert (check["status"], code) == ("fail", 1), name
        assert words in check["found"], name
        assert check["mend"], name


# -- requests


async def test_events_commands_presses_and_forms_come_in_by_http(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = house.channel(ana, ben)
    answer = await ana.ask("How much did I spend on groceries last month?")
    assert answer.text.startswith(f"{OCTOBERS} on groceries")
    assert (await ana.press(answer, "September 2026?")).text.startswith(f"{SEPTEMBERS} on groceries")
    private = await ana.command("category groceries last month", place)
    assert (private.ephemeral, private.text.split(" in ")[0]) == (True, f"{OCTOBERS} on groceries")
    await (await ana.slack.press(ana.id, await ana.command("settings"), "Change settings")).acknowledged()
    await ana.slack.until(lambda: ana.slack.modal(ana.id))
    zones = await ana.slack.options(ana.id, "time_zone", "berl")
    assert zones[0]["value"] == "Europe/Berlin"
    assert (await ana.reply(ana.slack.submit(ana.id, {"payday": "25"}))).text.startswith("One setting changed.")
    assert ben.answers == []
    assert house.slack.calls_of("apps.connections.open") == [], "no socket is opened"


async def test_what_is_delivered_again_is_acknowledged_and_answered_once(house):
    ana = await house.visitor()
    sent = await ana.slack.say(ana.id, "How much did I spend on groceries last month?")
    await sent.acknowledged()
    await ana.slack.redeliver(sent, "http_timeout")
    await ana.slack.until(lambda: ana.answers)
    await ana.ask("help", thread=sent.ts)
    assert [seen.text.startswith(OCTOBERS) for seen in ana.answers] == [True, False]


@pytest.mark.parametrize("flaw", ["wrong secret", "stale", "from the future", "missing", "other body", "none"])
async def test_only_what_slack_signed_just_now_is_taken_in(house, flaw):
    ana = await house.visitor()
    member = house.slack.workspace.members[ana.id]
    place = house.slack.workspace.channels[ana.dm]
    message = house.slack.workspace.post(place, ana.id, {"text": "groceries last month"})
    event = payloads.message_event("message", message, member, place, message.text)
    body = json.dumps(payloads.envelope(event, house.slack.workspace.number("Ev"), ext_shared=False))
    delivery = house.slack.delivery
    now = int(time.time())
    headers = delivery.signed(body, at={"stale": now - 3600, "from the future": now + 3600}.get(flaw, now))
    if flaw == "wrong secret":
        right, delivery.signing_secret = delivery.signing_secret, "guessed"
        headers, delivery.signing_secret = delivery.signed(body), right
    elif flaw == "missing":
        headers = {}
    elif flaw == "other body":
        body = body.replace("groceries", "everything")
    headers |= {"Content-Type": "application/json"}
    async with request(house, "POST", "/slack/events", data=body, headers=headers) as answer:
        assert answer.status == (200 if flaw == "none" else 401)
        assert "$" not in await answer.text()
    if flaw == "none":
        await ana.slack.until(lambda: OCTOBERS in ana.words)
    else:
        await ana.ask("help")
        assert OCTOBERS not in ana.words
        assert len(ana.answers) == 1


async def test_who_watches_is_told_that_it_is_well_and_nothing_else_is_served(house):
    async with request(house, "GET", "/healthz") as answer:
        assert (answer.status, await answer.text()) == (200, "ok\n")
    for method, path, status in (("GET", "/slack/events", 405), ("GET", "/", 404), ("POST", "/healthz", 405)):
        async with request(house, method, path) as answer:
            assert answer.status == status, path


async def test_where_the_older_status_is_all_there_is_it_is_shown(house):
    ana = await house.visitor(None)
    house.slack.agent_sessions = "unknown_method"
    house.refusals.add("unknown_method")
    house.slack.slow("files.info", 0.8)  # so that it takes long enough to be shown as worked on
    try:
        shown = await ana.drop(("checking.csv", b"Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n"))
    finally:
        house.slack.behave()
    here = {"channel_id": ana.dm, "thread_ts": shown.thread_ts}
    words = [call.arguments for call in house.slack.calls_of("assistant.threads.setStatus")]
    assert {**here, "status": "is looking it up…"} in words
    await house.slack.until(lambda: house.slack.thread_status(ana.dm, shown.thread_ts) == "")
