"""One conversation at the console: lines come in, answers and commands' work go out.

    line → what the last output asked for (yes, no, a choice) → a command → a path → a question for the runner

Ctrl-C stops what is being done; a second one before the next line ends the session.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import signal
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import structlog

from bots.cli.ask import question
from bots.console import commands
from bots.console.lines import MOST_CHARACTERS
from bots.contracts import Duty, Question, pressed
from bots.errors import BotError, outline
from bots.inbox import idempotency_key
from bots.terminal import say, show_reply
from graph.reply import Actions
from graph.turn import TurnRequest
from language.catalogue import language_of, translated
from language.catalogue import say as message
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Coroutine

    from rich.console import Console

    from bots.app import App
    from bots.console.lines import Lines
    from bots.contracts import Attachment, Content
    from graph.reply import Action, Reply
    from graph.turn import TurnOutcome
    from ledger.people import Person
    from ledger.repository import Repository
    from tools.context import ToolContext

_log = structlog.get_logger(__name__)

T = TypeVar("T")

TOO_LONG = "That is too long for one question."
BROKEN = "Something went wrong on my side; the reason is in the log."
_INTERRUPTED, _TERMINATED = 130, 143
#: Buttons that answer a question; those for yes and no are typed.
_ANSWERS = ("dates", "direction", "file currency", "person", "forget")
#: Seconds before it is shown that an answer is being worked on; most are there by then.
_PATIENCE = 0.4
#: Seconds that the end of input waits for a model's sentence about the last answer.
_LAST_SENTENCE = 20.0


class Expectation(Protocol):
    """What the last output asked for, and the next line may answer."""

    async def take(self, line: str) -> bool:
        """Do what the line answers; False where it is no answer and is to be read as any other line."""
        ...


@dataclass(frozen=True, slots=True)
class _Buttons:
    """The buttons of a reply, which are pressed by their numbers."""

    session: Session
    actions: tuple[Action, ...]
    about: str

    async def take(self, line: str) -> bool:
        """Press what the line numbers."""
        number = line.strip(" .)")
        if not (number.isascii() and number.isdigit() and 0 < int(number[:4]) <= len(self.actions)):
            return False
        await self.session.ask(pressed(self.actions[int(number) - 1]), about=self.about)
        return True


class Session:
    """A person's conversation at this process's terminal or pipe."""

    def __init__(self, app: App, person: Person, thread: str, console: Console, lines: Lines) -> None:
        """Wire the parts; nothing is read before :meth:`run`."""
        self.app = app
        self.person = person
        self.console = console
        self.lines = lines
        self.locale = app.settings.locale or "en_US"
        self.language = language_of(self.locale)
        """What was talked in last; before that, the language of the person's locale."""
        self.last: TurnOutcome | None = None
        self.seconds = 0.0
        self.key = ""
        """The key of the last reply."""
        self.expects: Expectation | None = None
        self.columns = ""
        """The value of the latest button for the columns of a file."""
        self.quitting = False
        self.conversation = question(person, thread, "", app).conversation
        self._thread = thread
        self._working: asyncio.Task[None] | None = None
        self._narrating: asyncio.Task[None] | None = None
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
                await self._stop_narrating()
                self._working = asyncio.create_task(self._take(line))
                await self._unless_ended(self._working)
            if self._narrating is not None and not (self.quitting or self._end.done()):  # the last answer's sentence
                await self._unless_ended(asyncio.wait((self._narrating,), timeout=_LAST_SENTENCE))
            return self._end.result() if self._end.done() else 0
        finally:
            if warming is not None:
                warming.cancel()
            await self._stop_narrating()
            self.lines.close()

    async def ask(
        self,
        content: Content,
        *,
        attachments: tuple[Attachment, ...] = (),
        about: str | None = None,
        shown: bool = True,
    ) -> None:
        """Put something to the runner, show the answer, and let a model add a sentence when it has one."""
        message = question(self.person, self._thread, "", self.app)
        kind: Any = "file" if attachments else "button" if about else "command"
        kind = "text" if isinstance(content, Question) else kind
        message = replace(message, content=content, kind=kind, attachments=attachments, about=about)
        started = time.perf_counter()
        self.last = await self._patiently(self.app.runner.ask(message))
        self.seconds = time.perf_counter() - started
        self.key = idempotency_key(message)
        if isinstance(content, Duty):  # which may have changed how the person reads
            self.locale = (await self.context()).locale
        self.language = self.last.reply.language
        if not shown:
            return
        show_reply(self.last.reply, self.console, self.locale)
        self._offer(self.last.reply, self.key)
        self._suggest(self.last.reply)
        if self.app.settings.narration and message.text and self.last.reply.kind == "answer":
            request = TurnRequest(self.person, str(self.conversation), message.text, message.audience)
            self._narrating = asyncio.create_task(self._narrate(request, self.last))

    async def repository(self) -> Repository:
        """Return the person's ledger."""
        return await self.app.repository(self.person)

    async def context(self) -> ToolContext:
        """Return what tools may know of the person."""
        return await self.app.tool_context(self.person)

    def say(self, text: str, style: str = "") -> None:
        """Print a line or paragraph, a message of ours in the language of the conversation."""
        say(self.console, text, style, self.language)

    async def _greet(self) -> None:
        context = await self.context()
        self.locale, self.language = context.locale, context.language
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
        if len(line) > MOST_CHARACTERS:
            self.say(TOO_LONG)
        elif not await commands.obey(self, line):
            await self.ask(Question(line))

    def _offer(self, reply: Reply, key: str) -> None:
        """Number the buttons that answer what a reply asks; the columns of a file are spoken of by a command."""
        actions = [action for block in reply.blocks if isinstance(block, Actions) for action in block.actions]
        for action in actions:
            if action.action == "columns":
                self.columns = action.value
        offered = tuple(action for action in actions if action.action in _ANSWERS)
        if reply.kind != "clarify" or reply.choices or not offered:
            return
        for number, action in enumerate(offered, start=1):
            self.say(message("  {number}  {choice}", number=str(number), choice=action.label))
        self.expects = _Buttons(self, offered, key)

    def _suggest(self, reply: Reply) -> None:
        """Show the likeliest next question."""
        if reply.kind != "answer":
            return
        actions = [action for block in reply.blocks if isinstance(block, Actions) for action in block.actions]
        label = next((action.label for action in actions if action.action in ("choose", "ask")), None)
        if label is not None:
            self.say(message("Next: {question}", question=label), "dim")

    async def _patiently(self, work: Coroutine[None, None, TurnOutcome]) -> TurnOutcome:
        """Await an answer; at a terminal, show after a moment that it is being worked on."""
        task = asyncio.create_task(work)
        try:
            await asyncio.wait((task,), timeout=_PATIENCE if self.lines.interactive else None)
            if not task.done():
                with self.console.status(translated("Working…", self.language)):
                    await asyncio.wait((task,))
        except asyncio.CancelledError:
            task.cancel()
            raise
        return await task

    async def _narrate(self, request: TurnRequest, outcome: TurnOutcome) -> None:
        try:
            told = [sentence async for sentence in self.app.agent.narrate(request, outcome)]
        except Exception as error:  # noqa: BLE001 - the answer stands without it
            _log.warning("not_narrated", error=outline(error))
            return
        if told:
            self.lines.interject(lambda: say(self.console, f"{' '.join(told)}\n", "italic"))

    async def _stop_narrating(self) -> None:
        """Give up a sentence that was not ready before the next question."""
        if self._narrating is not None:
            self._narrating.cancel()
            await asyncio.gather(self._narrating, return_exceptions=True)
            self._narrating = None

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
        elif not self.app.runner.cancel(self.conversation) and self._working is not None:
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
