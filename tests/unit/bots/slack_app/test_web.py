"""Slack's errors as ours: what may work later, what never will, and whether it may be done already."""

from __future__ import annotations

import logging

import pytest

from bots.errors import SendFailed, SendRefused
from bots.slack_app.web import SlackFailed, SlackRefused, SlackWeb, checked, patiently
from tests.support.slack_server import SlackServer

LATER = ("internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org")
NEVER = """channel_not_found is_archived not_in_channel user_not_in_channel cannot_dm_bot account_inactive token_revoked
invalid_auth missing_scope msg_too_long no_text invalid_blocks unknown_method something_new""".split()


async def auth(web: SlackWeb) -> None:
    await checked(web.client.auth_test())


@pytest.mark.parametrize("code", LATER)
async def test_what_slack_can_not_do_now_may_work_later(slack: SlackServer, web: SlackWeb, code: str) -> None:
    slack.fail("auth.test", code)
    with pytest.raises(SlackFailed) as failed:
        await auth(web)
    assert (failed.value.code, failed.value.unclear) == (code, True)


@pytest.mark.parametrize("code", NEVER)
async def test_every_other_error_is_a_refusal(slack: SlackServer, web: SlackWeb, code: str) -> None:
    slack.fail("auth.test", code)
    with pytest.raises(SlackRefused) as refused:
        await auth(web)
    assert refused.value.code == code
    assert code not in refused.value.message


@pytest.mark.parametrize(
    ("code", "about_us"), [("invalid_auth", True), ("missing_scope", True), ("channel_not_found", False)]
)
async def test_a_refusal_says_whether_it_is_about_us(
    slack: SlackServer, web: SlackWeb, code: str, about_us: bool
) -> None:
    slack.fail("auth.test", code)
    with pytest.raises(SlackRefused) as refused:
        await auth(web)
    assert refused.value.about_us is about_us


async def test_going_too_fast_is_clear_and_says_how_long_to_wait(slack: SlackServer, web: SlackWeb) -> None:
    slack.fail("auth.test", "ratelimited", retry_after=7)
    with pytest.raises(SendFailed) as failed:
        await auth(web)
    assert isinstance(failed.value, SlackFailed)
    assert (failed.value.retry_after, failed.value.unclear) == (7.0, False)


@pytest.mark.parametrize("fault", [{"status": 500}, {"status": 503}, {"drop": True}, {"status": 200}])
async def test_no_readable_answer_leaves_open_whether_it_is_done(
    slack: SlackServer, web: SlackWeb, fault: dict
) -> None:
    slack.fail("auth.test", **fault)
    with pytest.raises(SlackFailed) as failed:
        await auth(web)
    assert failed.value.unclear
    assert len(slack.calls_of("auth.test")) == 1, "a second try is for whoever knows what was asked"


async def test_a_server_that_is_not_there(slack: SlackServer) -> None:
    async with SlackServer() as other:
        gone = other.api_url
    with pytest.raises(SlackFailed):
        await auth(SlackWeb("xoxb-test", gone))


async def test_a_server_that_takes_too_long(slack: SlackServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.slack_app.web.TIMEOUT", 0.05)
    slack.slow("auth.test", 0.5)
    web = SlackWeb("xoxb-test", slack.api_url)
    for _ in range(2):
        with pytest.raises(SlackFailed) as failed:
            await auth(web)
        assert failed.value.unclear
        await web.open()
    await web.close()


async def test_patience_waits_as_long_as_slack_asks(slack: SlackServer, web: SlackWeb) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    slack.fail("auth.test", "ratelimited", retry_after=3, times=2)
    await patiently(lambda: auth(web), sleep)
    slack.fail("auth.test", "ratelimited", retry_after=600)
    with pytest.raises(SlackFailed):
        await patiently(lambda: auth(web), sleep)
    slack.fail("auth.test", "internal_error")
    with pytest.raises(SlackFailed):
        await patiently(lambda: auth(web), sleep)
    assert waits == [3.0, 3.0]


@pytest.mark.parametrize("code", ["used_url", "expired_url"])
async def test_an_address_to_respond_at_that_is_used_up_is_refused(
    slack: SlackServer, web: SlackWeb, code: str
) -> None:
    url = slack.triggers.new_url("U1ANA", "C1GENERAL")
    slack.fail("response_url", code, status=404)
    with pytest.raises(SlackRefused) as refused:
        await web.respond(url, {"text": "Hello"})
    assert refused.value.code == code
    slack.fail("response_url", status=404)
    with pytest.raises(SendRefused):
        await web.respond(url, {"text": "Hello"})
    slack.fail("response_url", "ratelimited", retry_after=2)
    with pytest.raises(SendFailed) as failed:
        await web.respond(url, {"text": "Hello"})
    assert failed.value.retry_after == 2.0


async def test_payloads_stay_out_of_the_log(
    slack: SlackServer, web: SlackWeb, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await checked(web.client.chat_postMessage(channel="D1ANA", text="canary 713.10"))
    await web.respond(slack.triggers.new_url("U1ANA", "C1GENERAL"), {"text": "canary 713.10"})
    assert "canary" not in caplog.text
    assert "xoxb" not in caplog.text
