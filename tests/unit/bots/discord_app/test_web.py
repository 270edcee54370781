"""Calls of Discord's API: what its errors mean, and that one which nobody waits for holds up no other."""

from __future__ import annotations

import asyncio

import pytest
import structlog
from aiohttp import web

from bots.contracts import ConversationKey, Delivery
from bots.discord_app import web as api
from bots.discord_app.web import DiscordFailed, DiscordRefused
from graph.reply import Reply
from tests.support.discord_server import GENERAL
from tests.unit.bots.discord_app.conftest import PERSON

CHANNEL, CALLBACK = f"GET /channels/{GENERAL}", "POST /interactions/*"


class TestErrors:
    @pytest.mark.parametrize(
        ("fault", "unclear"),
        [
            ({"status": 403, "html": True}, False),
            ({"status": 404, "html": True}, False),
            ({"status": 408, "html": True}, True),
            ({"status": 403, "code": 40003}, False),
            ({"status": 400, "code": 130000}, False),
            ({"status": 503}, True),
            ({"retry_after": 60.0}, False),
            ({"drop": True, "times": 2}, True),
            ({"status": 200, "html": True}, True),
        ],
        ids=str,
    )
    async def test_what_may_work_later(self, house, fault, unclear):
        house.discord.fail(CHANNEL, **fault)
        with pytest.raises(DiscordFailed) as failed:
            await house.adapter._web.channel(GENERAL)
        assert failed.value.unclear is unclear
        assert (await house.adapter._web.channel(GENERAL))["id"] == GENERAL

    @pytest.mark.parametrize(
        ("fault", "code"),
        [
            ({"status": 404, "code": 10003}, 10003),
            ({"status": 400, "code": 200000}, 200000),
            ({"status": 413, "html": True}, api.TOO_LARGE),
        ],
    )
    async def test_what_never_will(self, house, fault, code):
        house.discord.fail(CHANNEL, **fault)
        with pytest.raises(DiscordRefused) as refused:
            await house.adapter._web.channel(GENERAL)
        assert refused.value.code == code


class TestBodies:
    """An answer that is not what it says it is: whoever stands between us and Discord may give any."""

    @pytest.mark.parametrize("body", [b"", b" ", b"{", b"nope", b"<html>sign in</html>", b"\xff"])
    async def test_a_body_that_is_not_the_json_it_claims_to_be_is_a_failure(self, house, monkeypatch, body):
        def answer(*_arguments):
            return web.Response(status=200, body=body, headers={"Content-Type": "application/json"})

        monkeypatch.setattr(house.discord, "_misbehave", answer)
        house.discord.fail(CHANNEL, 200)
        with pytest.raises(DiscordFailed) as failed:
            await house.adapter._web.channel(GENERAL)
        assert failed.value.unclear

    async def test_an_acknowledgement_with_an_empty_body_is_taken_for_one(self, served, agent, monkeypatch):
        def answer(*_arguments):
            return web.Response(status=200, body=b"", headers={"Content-Type": "application/json"})

        monkeypatch.setattr(served.discord, "_misbehave", answer)
        agent.replies["how much?"] = Reply("answer", "You spent $5")
        served.discord.fail(CALLBACK, 200, after_effect=True)
        await served.discord.command("ana", "money ask", {"question": "how much?"}, GENERAL)
        await served.sees("You spent $5")


class TestPatience:
    """discord.py must not be cancelled while it waits out a global limit, or it waits for ever."""

    async def test_a_global_limit_that_outlasts_an_acknowledgement(self, served, agent, monkeypatch):
        monkeypatch.setattr(api, "ANSWER_SECONDS", 0.2)
        agent.replies["how much?"] = Reply("answer", "You spent $5")
        served.discord.fail(CALLBACK, retry_after=1.0, is_global=True, times=3)
        await served.discord.command("ana", "money ask", {"question": "how much?"}, GENERAL)
        await served.discord.until(lambda: len(served.discord.calls_of(CALLBACK)) == 4)
        await served.sees("You spent $5")
        again = await served.discord.command("ana", "money ask", {"question": "how much?"}, GENERAL)
        await again.acknowledged()
        assert served.seen("ben") == []

    async def test_a_global_limit_on_a_narration_that_the_next_question_ends(self, served, agent):
        answer = Delivery(
            1,
            ConversationKey("discord", "", served.discord.dm("ana"), "", PERSON),
            Reply("answer", "You spent $5"),
            "0123456789abcdef01234567",
        )
        await served.adapter.send(answer)
        served.discord.fail("PATCH /channels/*", retry_after=1.0, is_global=True)

        async def sentences():
            yield "That is less."

        telling = asyncio.create_task(served.adapter.stream(answer, sentences()))
        await served.discord.until(
            lambda: [each for each in served.discord.calls_of("PATCH /channels/*") if each.status]
        )
        telling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await telling
        await served.discord.say("ana", "how much?")
        await served.sees("You said how much?")

    async def test_what_goes_wrong_when_nobody_waits_any_more_is_logged(self, house, monkeypatch):
        monkeypatch.setattr(api, "ANSWER_SECONDS", 0.1)
        house.discord.slow(CALLBACK, 0.5)
        with structlog.testing.capture_logs() as logs:
            with pytest.raises(DiscordFailed) as failed:
                await house.adapter._web.acknowledge("1", "gone", {"type": 5})
            assert failed.value.unclear
            await house.discord.until(lambda: any(each["event"] == "discord_call_failed_late" for each in logs))
        (late,) = (each for each in logs if each["event"] == "discord_call_failed_late")
        assert (late["code"], late["log_level"]) == (10062, "warning")

    async def test_what_is_under_way_at_the_end_is_given_a_moment_and_ended(self, house):
        house.discord.slow(CHANNEL, 0.3)
        house.discord.slow(f"{CHANNEL}/messages", 60.0)
        soon, late = (
            asyncio.create_task(call)
            for call in (house.adapter._web.channel(GENERAL), house.adapter._web.messages(GENERAL, 1))
        )
        await house.discord.until(lambda: len(house.discord.calls_of(f"{CHANNEL}*")) == 2)
        await house.adapter.stop()
        assert (await soon)["id"] == GENERAL
        with pytest.raises(DiscordFailed):
            await late
        with pytest.raises(DiscordFailed):
            await house.adapter._web.channel(GENERAL)
