"""The console as a stage for the contract of adapters: one terminal, and what is printed there."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.console import Console

from bots.console.platform import ConsolePlatform
from bots.contracts import Question
from bots.desk.desk import Desk
from bots.history import History
from ledger.people import Person
from tests.support.console import ScriptedLines
from tools.surroundings import tool_context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.contracts import ConversationKey, Delivery, Progress
    from graph.steps import Step
    from ledger.store import Store


class WatchedConsole(ConsolePlatform):
    """The adapter, with what it prints of each reply."""

    def __init__(self, person: Person, desk: Desk) -> None:
        self.out = io.StringIO()
        self.printed: list[str] = []
        self.signs: list[str] = []
        self.lines = ScriptedLines([])
        super().__init__(person, "main", desk, Console(file=self.out, width=200, emoji=False), self.lines)

    async def progress(self, conversation: ConversationKey, state: Progress, steps: Sequence[Step] = ()) -> None:
        """Show it as at a terminal, where somebody types."""
        self.lines.interactive = True
        await super().progress(conversation, state, steps)
        self.lines.interactive = False
        self.signs.append(str(self._working.status) if self._working else "")

    async def send(self, delivery: Delivery) -> None:
        before = self.out.tell()
        await super().send(delivery)
        if printed := self.out.getvalue()[before:]:
            self.printed.append(printed)


@dataclass
class ConsoleStage:
    """Anna is at the terminal, and nobody else can be; a line is given once, and a number presses a button."""

    adapter: WatchedConsole
    has_channels: bool = False
    redelivers: bool = False
    signs_of_work: list[str] = field(default_factory=lambda: [*2 * ["Reading giro.csv · 50%"], "", ""])

    def person(self, name: str) -> Person:
        return Person("console", "local", name)

    async def say(self, person: Person, text: str, channel: str | None = None, thread: str = "") -> None:
        assert (person.user, channel, thread) == ("anna", None, "")
        await self.adapter.hear(self.adapter.message(Question(text)))

    async def ask(self, person: Person, text: str, channel: str) -> None:
        raise NotImplementedError

    async def redeliver(self) -> None:
        raise NotImplementedError

    async def press(self, person: Person, label: str) -> None:
        raise NotImplementedError

    def signs(self, conversation: ConversationKey) -> list[str]:
        """The line that stands at the terminal after each change."""
        return list(self.adapter.signs)

    def seen_by(self, person: Person) -> list[str]:
        return self.adapter.printed if person.user == "anna" else []


def console_adapter(store: Store) -> WatchedConsole:
    """The adapter, with a desk that answers nothing."""

    async def context(person: Person):
        return await tool_context(await store.repository(person), datetime.now(UTC), _nothing, None)

    async def _nothing(*_arguments: object):
        return None

    return WatchedConsole(Person("console", "local", "anna"), Desk(store, History(store), context, _nothing, _nothing))
