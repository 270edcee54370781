"""An errand at the desk: a command says there what a person at the console would, and shows what comes back."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import TYPE_CHECKING

from bots.app import LateAgent, console_person
from bots.console.lines import open_lines
from bots.console.platform import ConsolePlatform, offered
from bots.contracts import Question
from bots.errors import CommandError
from bots.terminal import terminal
from graph.reply import Actions
from language.catalogue import say

if TYPE_CHECKING:
    from bots.app import App
    from bots.contracts import Attachment, Content, Message
    from graph.reply import Reply
    from graph.turn import TurnOutcome


class Errand:
    """A conversation of its own, in which nothing was said before."""

    def __init__(self, app: App, user: str | None) -> None:
        """Speak as a person of this machine."""
        self.person = console_person(user)
        self.lines = open_lines(())
        self._desk = app.desk
        self._platform = ConsolePlatform(self.person, f"once-{uuid.uuid4().hex}", app.desk, terminal(), self.lines)
        self._runner = app.runner_of(self._platform, agent=LateAgent(app))

    async def say(self, content: Content, attachments: tuple[Attachment, ...] = ()) -> TurnOutcome:
        """Say something, and return what it came to."""
        return await self._hear(self._platform.message(content, attachments))

    async def answer(self, line: str) -> TurnOutcome:
        """Answer what was shown last, in words or by the number of a button."""
        picked = self._platform.picked(line)
        return await self._hear(self._platform.press(picked)) if picked else await self.say(Question(line))

    async def agree(self, outcome: TurnOutcome) -> TurnOutcome:
        """Say yes to what is proposed.

        Raises:
            CommandError: nothing is proposed or done, for the reason that was told.
        """
        yes = next((action for row in outcome.reply.rows() for action in row if action.action == "confirm"), None)
        done = await self._hear(self._platform.press(yes)) if yes else outcome
        if yes is None or done.reply.kind in ("refuse", "error"):
            raise not_done(done.reply)
        return done

    async def show(self, reply: Reply, *, asks: bool = False) -> None:
        """Print a reply, with what can be answered if it asks."""
        if not asks:
            reply = replace(reply, blocks=tuple(block for block in reply.blocks if not isinstance(block, Actions)))
        self._platform.locale = await self._desk.locale(self.person)
        self._platform.offered = offered(reply)
        self._platform.show(reply)

    async def end(self) -> None:
        """Let what is under way come to its end."""
        await self._runner.drain(5)
        self.lines.close()

    async def _hear(self, message: Message) -> TurnOutcome:
        outcome = await self._runner.ask(message)
        await self._platform.progress(message.conversation, "idle")
        return outcome


def not_done(reply: Reply) -> CommandError:
    """Return the error of a command that was refused, in the language in which that was said."""
    return CommandError(say("{line}", line=reply.headline))
