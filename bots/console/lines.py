"""Lines typed at a terminal or coming through a pipe, read beside everything else.

Reading blocks a thread of its own: the event loop stays free, and an end by Ctrl-C waits for no line.
"""

from __future__ import annotations

import asyncio
import contextlib
import glob
import io
import os
import sys
import threading
import uuid
from typing import TYPE_CHECKING, Any, Protocol

from bots.contracts import ConversationKey, Message, Question
from graph.reply import Audience

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from bots.contracts import Content
    from ledger.people import Person

#: A question is shorter by far; what comes through a pipe may be anything.
MOST_CHARACTERS = 8000
_PROMPT = "> "
_CLEAR_LINE = "\r\x1b[K"


def said_here(person: Person, thread: str, content: Content, now: datetime) -> Message:
    """Return what a person says at the terminal as a message."""
    return Message(
        person=person,
        conversation=ConversationKey(person.platform, person.team, "terminal", thread, person),
        delivery_id=uuid.uuid4().hex,
        channel=f"terminal/{thread}",
        ts=None,
        audience=Audience.PRIVATE,
        received_at=now,
        content=content,
        kind="text" if isinstance(content, Question) else "command",
    )


class Lines(Protocol):
    """Where the person's lines come from."""

    @property
    def interactive(self) -> bool:
        """Whether somebody types."""
        ...

    async def read(self) -> str | None:
        """Return the next line without its end, or None at the end of input; only one read at a time."""
        ...

    def interject(self, show: Callable[[], None], *, urgent: bool = False) -> None:
        """Show something while a line is being read; what is not urgent is left out where somebody types just now."""
        ...

    def close(self) -> None:
        """Leave the terminal as it was found."""
        ...


def open_lines(commands: Sequence[str]) -> Lines:
    """Return the lines of this process's input; at a terminal, the Tab key completes these commands and paths."""
    if sys.stdin is None or sys.stdout is None:  # a parent has closed them
        return PipedLines(os.open(os.devnull, os.O_RDONLY))
    if sys.stdin.isatty() and sys.stdout.isatty():
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        return TerminalLines(commands)
    try:
        return PipedLines(sys.stdin.fileno())
    except io.UnsupportedOperation:  # it is no file
        return PipedLines(os.open(os.devnull, os.O_RDONLY))


class PipedLines:
    """Lines of a pipe or file, without a prompt; a line that is too long comes cut to just over the limit."""

    interactive = False

    def __init__(self, descriptor: int) -> None:
        """Read this descriptor; ``sys.stdin`` itself would be locked at exit by the thread that waits for it."""
        self._file = open(descriptor, "rb", closefd=False)  # noqa: SIM115 - as long as the process
        self._bytes = 4 * MOST_CHARACTERS

    async def read(self) -> str | None:
        """Return the next line."""
        return await _in_thread(self._read)

    def interject(self, show: Callable[[], None], *, urgent: bool = False) -> None:
        """Show it: nobody types."""
        del urgent
        show()

    def close(self) -> None:
        """Nothing to restore."""

    def _read(self) -> str | None:
        line = rest = self._file.readline(self._bytes)
        while len(rest) == self._bytes and not rest.endswith(b"\n"):
            rest = self._file.readline(self._bytes)
        return line.decode("utf-8", "replace").rstrip("\r\n")[: MOST_CHARACTERS + 1] if line else None


class TerminalLines:
    """Lines typed at a prompt; what was typed before comes back with the arrow keys, and is kept in memory only."""

    interactive = True

    def __init__(self, commands: Sequence[str]) -> None:
        """Note how the terminal is set, and prepare editing where the platform has it."""
        self._reading = False
        self._restore = _terminal_settings()
        self._buffer: Callable[[], str] = str
        with contextlib.suppress(ImportError):
            import readline

            readline.set_completer_delims(" \t\n")
            readline.set_completer(_Completer(commands))
            readline.parse_and_bind("tab: complete")
            self._buffer = readline.get_line_buffer

    async def read(self) -> str | None:
        """Return the next line."""
        self._reading = True
        try:
            return await _in_thread(_ask)
        finally:
            self._reading = False

    def interject(self, show: Callable[[], None], *, urgent: bool = False) -> None:
        """Show it above the prompt and what is typed there."""
        if not self._reading:
            show()
        elif urgent or not self._buffer():
            sys.stdout.write(_CLEAR_LINE)
            show()
            sys.stdout.write(_PROMPT + self._buffer())
            sys.stdout.flush()

    def close(self) -> None:
        """Undo what an unfinished line did to the terminal."""
        self._restore()


class _Completer:
    """Completes a command's name, and paths after it; readline calls it with 0, 1, 2 … until None."""

    def __init__(self, commands: Sequence[str]) -> None:
        self._commands = commands
        self._found: list[str] = []

    def __call__(self, text: str, state: int) -> str | None:
        if state == 0:
            self._found = [f"{name} " for name in self._commands if text and name.startswith(text)]
            if not self._found and ("/" in text or text.startswith("~")):
                paths = glob.glob(glob.escape(os.path.expanduser(text)) + "*")  # noqa: PTH111, PTH207 - texts in, texts out
                self._found = [path + "/" * os.path.isdir(path) for path in sorted(paths)]  # noqa: PTH112
        return self._found[state] if state < len(self._found) else None


def _ask() -> str | None:
    try:
        line = input(_PROMPT)
    except (EOFError, OSError):  # Ctrl-D, or the terminal is gone
        sys.stdout.write("\n")
        return None
    return line.encode("utf-8", "replace").decode("utf-8")[: MOST_CHARACTERS + 1]


async def _in_thread(work: Callable[[], str | None]) -> str | None:
    """Run blocking work in a daemon thread, which no end of the process waits for."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[str | None] = loop.create_future()

    def deliver(result: str | None, error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)

    def run() -> None:
        result, failed = None, None
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - raised again where it is awaited
            failed = error
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(deliver, result, failed)

    threading.Thread(target=run, name="lines", daemon=True).start()
    return await done


def _terminal_settings() -> Callable[[], None]:
    """Return what sets the terminal back to its present settings."""
    try:
        import termios
    except ImportError:
        return lambda: None
    descriptor = sys.stdin.fileno()
    found: Any = termios.tcgetattr(descriptor)
    return lambda: termios.tcsetattr(descriptor, termios.TCSADRAIN, found)
