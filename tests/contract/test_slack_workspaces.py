"""Many workspaces in one Slack app: each installs by itself, nobody meets anybody of another, and who leaves is forgotten.

The workspaces' people and channels have the same ids, which Slack's never have.
"""

from __future__ import annotations

import asyncio
import shlex
import socket
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import pytest
import sqlalchemy as sa

from bots.app import App
from bots.contracts import Attachment, ConversationKey, Message, Posted
from bots.desk.desk import Desk
from bots.errors import CommandError, SendRefused
from bots.history import History
from bots.runner import Runner
from bots.runner_settings import RunnerSettings
from bots.settings import Settings, SlackSettings
from bots.slack_app.installations import States
from bots.slack_app.platform import SlackConfig
from bots.slack_app.sealing import Seal
from bots.slack_app.workspaces import SlackWorkspaces
from bots.workspaces import Workspaces
from graph.reply import Action, Actions, Reply
from ledger import schema
from ledger.people import Person
from ledger.store import Store
from tests.conftest import ScriptedAgent, until
from tests.support.slack.cloud import CLIENT_ID, CLIENT_SECRET, LIFETIME, RETURN, SlackCloud
from tools.surroundings import tool_context

#: Slack's SDK tells aiohttp the app's secret in a way that aiohttp 4 will no longer have.
pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")

ONE, TWO, WITHIN = "T0ONE", "T0TWO", "T0WITHIN"
ORGANISATION = "E0ORG"


@dataclass
class House:
    """A bot, and the Slack that it serves."""

    cloud: SlackCloud
    store: Store
    agent: ScriptedAgent
    key: Path
    url: str = ""
    adapters: list[SlackWorkspaces] = field(default_factory=list)
    runner: Runner | None = None

    def adapter(self) -> SlackWorkspaces:
        """Another process's adapter over the same store."""

        async def nothing(*_arguments: object):
            return None

        async def context(person: Person):
            return await tool_context(await self.store.repository(person), datetime.now(UTC), nothing, None)

        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        secret = next(iter(self.cloud.workspaces.values())).signing_secret
        config = SlackConfig(
            "",
            None,
            secret,
            self.cloud.api_url,
            port=port,
            client_id=CLIENT_ID,
            client_secret=CLIENT_SECRET,
            public_url="https://bot.example.org/",
        )
        self.url = f"http://127.0.0.1:{port}"
        desk = Desk(self.store, History(self.store), context, nothing, nothing)
        self.adapters.append(SlackWorkspaces(config, Seal.open(self.key, make=True), desk, lambda: datetime.now(UTC)))
        return self.adapters[-1]

    async def start(self) -> None:
        self.runner = Runner(self.store, self.agent, [self.adapter()], RunnerSettings(progress_after=60.0))
        await self.runner.start()
        self.cloud.deliver_to(self.url)

    def heard(self, team: str, user: str = "U1ANA") -> list[str]:
        return [seen.text for seen in self.cloud[team].answers_to(user)]

    async def asked(self, team: str, text: str, user: str = "U1ANA") -> None:
        sent = await self.cloud[team].say(user, text)
        await sent.acknowledged()

    async def answered(self, team: str, text: str, user: str = "U1ANA") -> None:
        await self.asked(team, text, user)
        await until(lambda: any(f"You said {text}" in heard for heard in self.heard(team, user)))

    async def rows(self, table: sa.Table) -> list[sa.Row]:
        async with self.store.read() as connection:
            return list((await connection.execute(sa.select(table))).all())

    async def change(self, statement: sa.Update) -> None:
        async with self.store.write() as connection:
            await connection.execute(statement)


@pytest.fixture
async def house(store, agent, tmp_path) -> AsyncIterator[House]:
    async with SlackCloud(ONE, TWO, WITHIN) as cloud:
        cloud[WITHIN].enterprise = ORGANISATION
        house = House(cloud, store, agent, tmp_path / "slack.key")
        await house.start()
        yield house
        await house.runner.drain(0)
        for adapter in house.adapters:
            await adapter.stop()


async def test_people_of_two_workspaces_never_meet(house):
    assert [await house.cloud.install(house.url, team) for team in (ONE, TWO)] == [200, 200]
    await asyncio.gather(*(house.answered(team, f"hello {team}") for team in (ONE, TWO)))
    for team, other in ((ONE, TWO), (TWO, ONE)):
        assert any(f"hello {team}" in text for text in house.heard(team))
        assert not any(other in text for text in house.heard(team))
    people = {(row.team, row.user) for row in await house.rows(schema.people)}
    assert people == {(ONE, "U1ANA"), (TWO, "U1ANA")}
    assert {request.person.team for request in house.agent.requests} == {ONE, TWO}
    assert len(await house.rows(schema.conversations)) == 2


async def test_a_thread_of_one_workspace_has_no_past_in_another(house):
    await house.cloud.install(house.url, ONE)
    await house.cloud.install(house.url, TWO)
    await house.answered(ONE, "first")
    await house.answered(TWO, "second")
    assert [len(request.past) for request in house.agent.requests] == [0, 0]


async def test_nobody_is_answered_before_the_app_is_installed(house):
    await house.cloud.install(house.url, ONE)
    await house.asked(TWO, "hello")
    await house.answered(ONE, "hello")
    assert (house.heard(TWO), len(house.agent.requests)) == ([], 1)


async def test_an_organisation_installs_for_all_its_workspaces(house):
    assert await house.cloud.install(house.url, WITHIN) == 200
    await house.answered(WITHIN, "hello")
    assert [(row.team, row.enterprise) for row in await house.rows(schema.installations)] == [("", ORGANISATION)]
    assert [(row.team, row.enterprise) for row in await house.rows(schema.workspaces)] == [(WITHIN, ORGANISATION)]
    assert [row.team for row in await house.rows(schema.people)] == [WITHIN]
    assert (
        await house.adapter()._of(WITHIN)
    ).installation.enterprise == ORGANISATION  # for a process that only answers
    sent = await house.cloud[WITHIN].command("U1ANA", "/money", "by command")
    await sent.acknowledged()
    await until(lambda: any("by command" in text for text in house.heard(WITHIN)))
    await house.cloud.uninstall(WITHIN)
    assert await house.rows(schema.installations) == []


# -- installing


async def test_a_state_counts_once_and_only_for_the_browser_that_was_given_it(house):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as browser:
        async with browser.get(f"{house.url}/slack/install", allow_redirects=False) as page:
            location, cookie = page.headers["Location"], page.headers["Set-Cookie"]
        assert location.startswith("https://slack.com/oauth/v2/authorize?")
        assert "redirect_uri=https%3A%2F%2Fbot.example.org%2Fslack%2Foauth_redirect" in location or (
            "redirect_uri=https://bot.example.org/slack/oauth_redirect" in location
        )
        assert "Secure" in cookie
        assert "HttpOnly" in cookie
        held = cookie.partition(";")[0]
        state = held.partition("=")[2]

        async def back(state: str, cookie: str, code: str = "") -> int:
            query = {"code": code or house.cloud.agree(ONE), "state": state}
            async with browser.get(house.url + RETURN, params=query, headers={"Cookie": cookie}) as page:
                assert page.headers["Cache-Control"] == "no-store"
                return page.status

        assert await back(state, "") == 400
        assert await back("made-up", "slack-app-oauth-state=made-up") == 401
        assert await house.rows(schema.installations) == []
        assert await back(state, held) == 200
        assert await back(state, held) == 401
        assert len(await house.rows(schema.installations)) == 1


async def test_a_state_expires(store):
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    states = States(store, lambda: now)
    early, late = await states.async_issue(), await states.async_issue()
    now += timedelta(minutes=9)
    assert await states.async_consume(early)
    now += timedelta(minutes=2)
    assert not await states.async_consume(late)


async def test_a_code_that_slack_does_not_know_installs_nothing(house):
    house.cloud.agree = lambda _team: "unknown"
    assert await house.cloud.install(house.url, ONE) == 401
    assert await house.rows(schema.installations) == []


# -- tokens


async def test_tokens_are_stored_encrypted(house, tmp_path):
    await house.cloud.install(house.url, ONE)
    (row,) = await house.rows(schema.installations)
    assert "xox" not in repr(row)
    assert (row.team, row.installed_by, row.scopes) == (ONE, "U1ANA", "chat:write,commands")
    assert house.key.stat().st_mode & 0o077 == 0
    house.key = tmp_path / "other.key"
    assert await house.adapter()._of(ONE) is None


async def test_a_new_key_goes_before_the_old_one(house):
    await house.cloud.install(house.url, ONE)
    before = (await house.rows(schema.installations))[0].sealed
    from cryptography.fernet import Fernet

    house.key.write_bytes(Fernet.generate_key() + b"\n" + house.key.read_bytes())
    adapter = house.adapter()
    found = (await adapter._of(ONE)).installation
    assert {found.token} == house.cloud[ONE].tokens
    await house.change(schema.installations.update().values(expires_at=int(time.time()) + 60))
    await adapter._installations.find(ONE)
    fresh = house.key.read_bytes().split()[0]
    sealed = (await house.rows(schema.installations))[0].sealed
    assert sealed != before
    assert b"xoxe" in Fernet(fresh).decrypt(sealed.encode())


def test_a_file_without_keys_is_refused(tmp_path):
    (tmp_path / "key").write_text("no key")
    for name in ("key", "nowhere"):
        with pytest.raises(CommandError, match="MONEY_MINDER_SLACK__KEY_FILE"):
            Seal.open(tmp_path / name)


async def test_a_key_that_a_keyring_prints_opens_what_the_same_key_in_a_file_sealed(house):
    sealed = Seal.open(house.key).close("xoxb-1")
    assert Seal.ask(shlex.join(["cat", str(house.key)])).reopen(sealed) == "xoxb-1"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("false", "failed."),
        ("/nowhere/at/all", "failed."),
        ("'unclosed", "failed."),
        (" ", "failed."),
        ("echo no key", "printed no keys of Fernet."),
        ("true", "printed no keys of Fernet."),
    ],
)
def test_a_keyring_that_prints_no_key_is_refused_without_what_it_printed(command, said):
    with pytest.raises(CommandError) as refused:
        Seal.ask(command)
    assert str(refused.value) == f"MONEY_MINDER_SLACK__KEY_COMMAND {said}"
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    ("role", "held", "said"), [("all", {"key_file": "a", "key_command": "cat a"}, "either"), ("worker", {}, "one key")]
)
async def test_where_the_key_is_must_be_one_place_for_all(store, store_url, tmp_path, role, held, said):
    slack = SlackSettings(client_id="1", client_secret="secret", signing_secret="secret", **held)
    settings = Settings(data_dir=tmp_path / "other", database_url=str(store_url), role=role, slack=slack)
    app = App(settings, store, lambda: datetime.now(UTC))
    with pytest.raises(CommandError, match=said):
        _ = app.platforms


async def test_a_token_is_exchanged_before_it_expires_and_by_one_process_only(house):
    await house.cloud.install(house.url, ONE)
    await house.answered(ONE, "before")
    old = next(iter(house.cloud[ONE].tokens))
    await house.change(schema.installations.update().values(expires_at=int(time.time()) + 60))
    others = [house.adapter() for _ in range(3)]
    found = await asyncio.gather(*(each._installations.find(ONE) for each in others))
    assert len(house.cloud.exchanges) == 1
    assert {each.token for each in found} == house.cloud[ONE].tokens != {old}
    (row,) = await house.rows(schema.installations)
    assert row.expires_at > time.time() + LIFETIME - 60
    await house.answered(ONE, "after")  # by the process that still held the old one


async def test_a_token_that_can_not_be_exchanged_now_is_used_while_it_counts(house):
    await house.cloud.install(house.url, ONE)
    await house.change(schema.installations.update().values(expires_at=int(time.time()) + 60))
    house.cloud._refreshers.clear()
    await house.answered(ONE, "hello")


# -- leaving


async def test_who_uninstalls_is_forgotten_and_the_others_go_on(house):
    for team in (ONE, TWO):
        await house.cloud.install(house.url, team)
        await house.answered(team, "hello")
    await house.cloud.uninstall(ONE)
    assert [row.team for row in await house.rows(schema.installations)] == [TWO]
    await house.asked(ONE, "is anybody there?")
    await house.answered(TWO, "still here")
    assert not any("anybody" in request.text for request in house.agent.requests)
    await house.cloud.install(house.url, ONE)
    await house.answered(ONE, "again")
    assert len(await house.rows(schema.people)) == 2  # who comes back finds their own


async def test_a_late_goodbye_does_not_end_what_was_installed_since(house):
    await house.cloud.install(house.url, ONE)
    kept = set(house.cloud[ONE].tokens)
    await house.cloud.uninstall(ONE, at=int(time.time()) - 3600)
    assert [row.team for row in await house.rows(schema.installations)] == [ONE]
    house.cloud[ONE].tokens = kept
    await house.answered(ONE, "hello")


async def test_nothing_is_sent_to_whom_we_left(house):
    await house.cloud.install(house.url, ONE)
    adapter = house.adapters[0]
    assert await adapter.connected()
    with pytest.raises(SendRefused, match="no longer installed"):
        await adapter.retract(Posted("key", "C1GENERAL", "", ("1.1",), TWO))
    where = ConversationKey("slack", TWO, "D1ANA", "1.1", Person("slack", TWO, "U1ANA"))
    await adapter.progress(where, "working")  # which is only shown, so nothing comes of it


async def test_the_share_button_is_gone_where_a_workspace_shares_nothing(house, agent):
    agent.replies["what?"] = Reply("answer", "You spent 5", (Actions((Action("Share", "share"),)),))
    for team in (ONE, TWO):
        await house.cloud.install(house.url, team)
    await Workspaces(house.store).lay_down("slack", TWO, sharing=False)
    for team in (ONE, TWO):
        await (await house.cloud[team].command("U1ANA", "/money", "what?", "C1GENERAL")).acknowledged()
        await until(lambda team=team: any("You spent 5" in text for text in house.heard(team)))
    labels = [[label for seen in house.cloud[team].answers_to("U1ANA") for label in seen.labels] for team in (ONE, TWO)]
    assert ("Share" in labels[0], "Share" in labels[1]) == (True, False)


# -- what is asked of the right workspace


async def test_a_file_is_fetched_from_the_workspace_that_it_came_from(house):
    for team in (ONE, TWO):
        await house.cloud.install(house.url, team)
    taken: list[Message] = []
    receive = house.runner.receive

    async def watch(message):
        taken.append(message)
        return await receive(message)

    house.adapters[0]._receive = watch
    for team in (ONE, TWO):
        sent = await house.cloud[team].say("U1ANA", "", files=[("bank.csv", f"from {team}".encode())])
        await sent.acknowledged()
    files: list[Attachment] = [file for message in taken for file in message.attachments]
    assert [await house.adapters[0].fetch(file) for file in files] == [b"from T0ONE", b"from T0TWO"]


async def test_a_post_is_deleted_in_the_workspace_where_it_stands(house):
    for team in (ONE, TWO):
        await house.cloud.install(house.url, team)
        await house.answered(team, "hello")
    there = {team: house.cloud[team].answers_to("U1ANA")[0] for team in (ONE, TWO)}
    assert await house.adapters[0].retract(Posted("key", "D1ANA", "", (there[TWO].ts,), TWO))
    assert house.heard(TWO) == []
    assert house.heard(ONE) != []
