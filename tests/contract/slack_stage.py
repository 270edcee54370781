"""Slack as a stage for the contract of adapters: our server, its people, and the adapter in this process."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bots.desk.desk import Desk
from bots.history import History
from bots.slack_app.platform import SlackConfig, SlackPlatform
from ledger.people import Person
from tests.support.slack.state import TEAM
from tests.support.slack_server import APP_TOKEN, BOT_TOKEN, BOT_USER, Seen, Sent, SlackServer
from tools.surroundings import tool_context

if TYPE_CHECKING:
    from bots.contracts import ConversationKey
    from ledger.store import Store

CHANNEL = "C1GENERAL"


@dataclass
class SlackStage:
    """People are ``U…``; direct messages without a named thread go on in one thread per person."""

    slack: SlackServer
    adapter: SlackPlatform
    has_channels: bool = True
    redelivers: bool = True
    signs_of_work: list[str] = field(default_factory=lambda: ["processing", "active"])
    last: Sent | None = None
    threads: dict[tuple[str, str], str] = field(default_factory=dict)

    def person(self, name: str) -> Person:
        user = f"U{name.upper()}"
        if user not in self.slack.workspace.members:
            self.slack.add_member(user, name)
            self.slack.workspace.channels[CHANNEL].members.add(user)
        return Person("slack", TEAM, user)

    async def say(self, person: Person, text: str, channel: str | None = None, thread: str = "") -> None:
        place, root = (CHANNEL, await self._root(thread)) if channel else (None, self.threads.get(("dm", person.user)))
        said = f"<@{BOT_USER}> {text}" if channel else text
        self.last = await self.slack.say(person.user, said, place, thread_ts=root)
        if channel is None:
            self.threads.setdefault(("dm", person.user), self.last.ts)
        if self.slack.delivery.sockets:
            await self.last.acknowledged()

    async def ask(self, person: Person, text: str, channel: str) -> None:
        await self.say(person, text, channel)

    async def redeliver(self) -> None:
        assert self.last is not None
        await (await self.slack.redeliver(self.last)).acknowledged()

    async def press(self, person: Person, label: str) -> None:
        seen = next(each for each in reversed(self.slack.answers_to(person.user)) if label in each.labels)
        await (await self.slack.press(person.user, seen, label)).acknowledged()

    def seen_by(self, person: Person) -> list[str]:
        """The parts of one reply as one text, with the fallback that readers of notifications get, and names of files."""
        replies: dict[str, list[str]] = {}
        for seen in self.slack.answers_to(person.user):
            fallback = str(seen.payload.get("text", "")).splitlines()
            unseen = (line for line in fallback if line not in seen.text)
            replies.setdefault(_key(seen), []).extend([seen.text, *unseen, *(file.name for file in seen.files)])
        return ["\n".join(parts) for parts in replies.values()]

    def signs(self, conversation: ConversationKey) -> list[str]:
        """Every status that the thread's session has had."""
        session = self.slack.session(conversation.channel, conversation.thread)
        return list(session.history) if session else []

    async def _root(self, thread: str) -> str | None:
        if not thread:
            return None
        known = self.threads.get((CHANNEL, thread))
        if known is None:
            self.slack.add_member("U9TALK", "talk")
            self.slack.workspace.channels[CHANNEL].members.add("U9TALK")
            known = (await self.slack.say("U9TALK", f"thread {thread}", CHANNEL)).ts
            self.threads[CHANNEL, thread] = known
        return known


def slack_adapter(slack: SlackServer, store: Store, desk: Desk | None = None) -> SlackPlatform:
    """The adapter, with a desk that answers nothing unless another one is given."""

    async def context(person: Person):
        return await tool_context(await store.repository(person), datetime.now(UTC), _nothing, None)

    async def _nothing(*_arguments: object):
        return None

    desk = desk or Desk(store, History(store), context, _nothing, _nothing)
    return SlackPlatform(SlackConfig(BOT_TOKEN, APP_TOKEN, api_url=slack.api_url), desk, lambda: datetime.now(UTC))


def _key(seen: Seen) -> str:
    metadata = seen.payload.get("metadata") or {}
    return str(metadata.get("event_payload", {}).get("key", seen.ts)).partition(":")[0]
