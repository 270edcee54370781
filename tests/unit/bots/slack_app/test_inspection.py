"""What ``doctor`` asks Slack: which of the samples of our messages and forms it would take."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bots.cli.checkup import checkup
from bots.settings import Settings
from bots.slack_app.inspection import Verdict, inspect
from bots.slack_app.platform import SlackConfig
from language.catalogue import translated
from tests.support.console import WordEmbedder
from tests.support.slack_server import BOT_TOKEN, SlackServer

VALIDATE = "blocks.validate"
#: Every block that an answer, a question back, the Home and a form are made of.
KINDS = {
    *("header", "context", "rich_text", "data_table", "data_visualization", "actions", "context_actions"),
    *("divider", "input"),
}


async def verdict(slack: SlackServer) -> Verdict:
    found = (await inspect(SlackConfig(BOT_TOKEN, api_url=slack.api_url))).samples
    assert found is not None
    return found


def kinds(value: Any) -> set[str]:
    return {block["type"] for block in value["blocks"]}


async def test_slack_is_asked_about_every_kind_of_block_and_takes_them_all(slack: SlackServer) -> None:
    found = await verdict(slack)
    calls = slack.calls_of(VALIDATE)
    assert found == Verdict(asked=len(calls))
    asked = [json.loads(call.arguments.get("message") or json.dumps(call.arguments.get("view"))) for call in calls]
    assert set().union(*map(kinds, asked)) == KINDS
    assert not slack.answers_to("U1ANA"), "nothing is posted"


async def test_a_workspace_without_the_method_is_no_failure(slack: SlackServer) -> None:
    slack.validates = False
    assert await verdict(slack) == Verdict(unasked="unknown_method")
    assert len(slack.calls_of(VALIDATE)) == 1


async def test_a_refused_table_is_told_by_its_place_and_that_a_plainer_form_is_sent(slack: SlackServer) -> None:
    slack.native_blocks = False
    found = await verdict(slack)
    assert (found.refused, found.replaced) == ("an answer", True)
    assert found.word.startswith("invalid_message /blocks/")


@pytest.mark.parametrize("name", ["message", "view"])
async def test_what_has_no_plainer_form_is_a_failure(slack: SlackServer, name: str) -> None:
    slack.fail(VALIDATE, f"invalid_{name}", where=lambda arguments: name in arguments)
    found = await verdict(slack)
    assert (found.replaced, found.word) == (False, f"invalid_{name}")


async def test_slack_that_wants_a_pause_is_waited_for(slack: SlackServer) -> None:
    slack.fail(VALIDATE, "ratelimited", retry_after=0)
    assert (await verdict(slack)).refused == ""
    slack.fail(VALIDATE, status=500)
    assert (await verdict(slack)).unasked == "no_answer"


@pytest.mark.parametrize(
    ("validates", "native", "status", "said"),
    [
        (True, True, "ok", "Slack takes all 6 samples"),
        (False, True, "ok", "not checked: Slack's check is not available here (unknown_method)"),
        (True, False, "warn", "Slack refuses an answer (invalid_message /blocks/3)"),
    ],
)
async def test_doctor_says_it_in_one_line(
    slack: SlackServer, tmp_path: Any, monkeypatch: Any, *, validates: bool, native: bool, status: str, said: str
) -> None:
    token = f"xoxb-{'1' * 24}"
    slack.tokens, slack.validates, slack.native_blocks = {token}, validates, native
    monkeypatch.setenv("MONEY_MINDER_SLACK__API_URL", slack.api_url)
    settings = Settings(
        _env_file=None,  # type: ignore[call-arg]
        data_dir=tmp_path,
        model="builtin",
        slack={"bot_token": token, "signing_secret": "0" * 32},  # type: ignore[arg-type]
    )
    found = {check.name: check async for check in checkup(settings, WordEmbedder(), {})}
    check = found["slack messages"]
    assert (check.status, str(check.found)) == (status, said)
    assert bool(check.mend) == (status != "ok")
    assert translated(check.found, "de") != said
