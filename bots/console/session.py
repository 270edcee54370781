"""One conversation at the console: lines come in, answers and commands' work go out.

    line → files of a folder that was listed → a number of what was shown → a command → a path → a question

Ctrl-C stops what is being done; a second one before the next line ends the session.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import signal
import time
from typing import TYPE_CHECKING, Protocol, TypeVar

import structlog

from bots.choosing import is_stop
from bots.console import commands
from bots.console.lines import MOST_CHARACTERS
from bots.console.platform import ConsolePlatform
from bots.contracts import Question
from bots.errors import BotError, outline
from bots.fixed_replies import STOPPED
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from rich.console import Console

    from bots.app import App
    from bots.console.lines import Lines
    from bots.contracts import Attachment, Content, Message
    from bots.runner import Runner
    from graph.reply import Action
    from ledger.people import Person
    from ledger.repository import Repository
    from tools.context import ToolContext

_log = structlog.get_logger(__name__)

T = TypeVar("T")

TOO_LONG = "That is too long for one question."
BROKEN = "Something went wrong on my side; the reason is in the log."
_INTERRUPTED, _TERMINATED = 130, 143
#: Seconds that the end of input waits for a model's sentence about the last answer.
_LAST_SENTENCE = 20.0


class Expectation(Protocol):
    """What the last output asked for, and the next line may answer."""

    async def take(self, line: str) -> bool:
        """Do what the line answers; False where it is no answer and is to be read as any other line."""
        ...


class Session:
    """A person's conversation at this process's terminal or pipe."""

    def __init__(self, app: App, person: Person, thread: str, console: Console, lines: Lines) -> None:
        """Wire the parts; nothing is read before :meth:`run`."""
        self.app = app
        self.person = person
        self.console = console
        self.lines = lines
        self.platform = ConsolePlatform(person, thread, app.desk, console, lines)
        self.seconds = 0.0
        """How long the last answer took."""
        self.expects: Expectation | None = None
        self.columns = ""
        """The value of the latest button for the columns of a file."""
        self.quitting = False
        self._runner: Runner | None = None
        self._working: asyncio.Task[None] | None = None
        self._asking = False
        self._interrupts = 0
        self._end: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def run(self) -> int:
        """Talk until the end of input, /quit or a second Ctrl-C; return the exit code."""
        self._handle_signals()
        warming: asyncio.Task[None] | None = None
        try:
            await self._greet()
            if self.lines.interactive:
                warming = asyncio.create_task(self._warm_up())
            while not (self.quitting or self._end.done()):
                line = await self._unless_ended(self.lines.read())
                if line is None:
                    break
                self._interrupts = 0
                self._working = asyncio.create_task(self._take(line))
                await self._unless_ended(self._working)
            if self._runner is not None and not (self.quitting or self._end.done()):  # the last answer's sentence
                with contextlib.suppress(TimeoutError):
                    await self._unless_ended(asyncio.wait_for(self._runner.idle(), _LAST_SENTENCE))
            return self._end.result() if self._end.done() else 0
        finally:
            if warming is not None:
                warming.cancel()
            if self._runner is not None:
                await self._runner.drain(0)
            self.lines.close()

    async def ask(self, content: Content, attachments: tuple[Attachment, ...] = (), *, shown: bool = True) -> None:
        """Say something, and return once it is answered."""
        await self._say(self.platform.message(content, attachments), shown=shown)

    async def press(self, action: Action) -> None:
        """Press a button of what was said last."""
        await self._say(self.platform.press(action))

    async def _say(self, message: Message, *, shown: bool = True) -> None:
        self.platform.muted = not shown
        started = time.perf_counter()
        runner = await self.runner()
        self._asking = True
        try:
            await self.platform.hear(message)
            await runner.settled(message.conversation)
        finally:
            self._asking = False
        self.seconds = time.perf_counter() - started
        last = self.platform.last
        if last is None or last.answers != message.delivery_id:
            self.say(STOPPED.headline if is_stop(message) else BROKEN)
            return
        for action in (action for row in last.reply.rows() for action in row if action.action == "columns"):
            self.columns = action.value

    async def runner(self) -> Runner:
        """Return what answers here; made for the first question, since the agent takes a while to load."""
        if self._runner is None:
            self._runner = self.app.runner_of(self.platform)
            await self._runner.start_here()
        return self._runner

    async def repository(self) -> Repository:
        """Return the person's ledger."""
        return await self.app.repository(self.person)

    async def context(self) -> ToolContext:
        """Return what tools may know of the person."""
        return await self.app.tool_context(self.person)

    def say(self, text: str, style: str = "") -> None:
        """Print a line or paragraph, a message of ours in the language of the conversation."""
        self.platform.say(text, style)

    @property
    def locale(self) -> str:
        """How the person reads figures."""
        return self.platform.locale

    @property
    def language(self) -> str:
        """What is talked in."""
        return self.platform.language

    async def _greet(self) -> None:
        context = await self.context()
        self.platform.locale, self.platform.language = context.locale, context.language
        self.say("Money Minder answers questions about your own money, with exact figures.", "bold")
        if context.vocabulary.count == 0:
            self.say("Your ledger is empty: /sample fills it with made-up data,\n/import FILE reads your bank's file.")
        self.say("/help lists the commands, /quit ends.", "dim")
        self.say("")

    async def _warm_up(self) -> None:
        """Load what the first answer needs while the person still reads or types."""
        await asyncio.to_thread(importlib.import_module, "graph.agent")
        with contextlib.suppress(LedgerError):
            await self.app.agent.warm_up()

    async def _take(self, line: str) -> None:
        """Do what a line says; whatever goes wrong is said, and the session goes on."""
        try:
            if line.strip():
                await self._do(line.strip())
                if not self.quitting:
                    self.say("")
        except (LedgerError, BotError) as error:
            self.say(error.message, "red")
            self.say("")
        except asyncio.CancelledError:
            self.say("Stopped.")
            self.say("")
        except Exception as error:  # noqa: BLE001 - a session outlives every surprise
            _log.error("console_failed", error=outline(error))
            self.say(BROKEN, "red")
            self.say("")

    async def _do(self, line: str) -> None:
        expects, self.expects = self.expects, None
        if expects is not None and await expects.take(line):
            return
        picked = self.platform.picked(line)
        if picked is not None:
            await self.press(picked)
            return
        if len(line) > MOST_CHARACTERS:
            self.say(TOO_LONG)
        elif not await commands.obey(self, line):
            await self.ask(Question(line))

    def _handle_signals(self) -> None:
        loop = asyncio.get_running_loop()
        with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):  # Windows, or not the main thread
            loop.add_signal_handler(signal.SIGINT, self._interrupted)
            loop.add_signal_handler(signal.SIGTERM, self._leave, _TERMINATED)

    def _interrupted(self) -> None:
        self._interrupts += 1
        working = self._working is not None and not self._working.done()
        if self._interrupts > 1 or not (working or self.lines.interactive):
            self._leave(0 if self.lines.interactive else _INTERRUPTED)
        elif not working:
            self.lines.interject(lambda: self.say("Press Ctrl-C again to leave.", "dim"), urgent=True)
        elif self._asking and self._runner is not None:  # what is not begun, or is done already, is answered
            self._runner.cancel(self.platform.conversation)
        elif self._working is not None:
            self._working.cancel()

    def _leave(self, code: int) -> None:
        if not self._end.done():
            self._end.set_result(code)

    async def _unless_ended(self, work: Awaitable[T]) -> T | None:
        """Await something, or give it up where a signal ends the session meanwhile."""
        task = asyncio.ensure_future(work)
        await asyncio.wait((task, self._end), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return None
