"""The program, started sooner: each time a process of its own, forked from one that has imported it and read its own words.

Both are most of what a start takes, and the scenarios start the program some hundred times. When a module is imported, when
the words that come with the program are read, and that modules are not taken apart at the end, is all that differs from the
command; what the environment says, and whatever else is on the disk, is read by the forked process alone. A data directory
without vectors of the program's examples is given those that one process made for all, as they take seconds.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import fcntl
import gc
import importlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: What a start imports, but for what starts threads of its own, which a fork would lose.
_PROGRAM = (
    "bots.cli.main",
    "bots.cli.ask",
    "bots.cli.chat",
    "bots.cli.importing",
    "bots.app",
    "bots.serving",
    "bots.runner",
    "bots.ingress",
    "bots.worker",
    "bots.indexing",
    "bots.charts",
    "bots.desk.duties",
    "bots.slack_app.platform",
    "bots.discord_app.platform",
    "graph.agent",
    "graph.models.choice",
    "ledger.embeddings.remembered",
    "ledger.migrations.run",
    "qdrant_edge",
    "tokenizers",
    "tools.registry",
    "tools.selection",
)
#: The commands that read questions.
_READERS = ("run", "chat", "ask")
#: The variable that names the directory which the test workers of one run share.
SHARED = "NURSERY_SHARED_DIRECTORY"
#: The exit code, once the program has one.
_CODE: list[int] = []
#: Any day will do.
_TODAY = date(2026, 11, 21)


@dataclass
class Forked:
    """A bot that runs; its parent tells over the connection what became of it."""

    pid: int
    stderr: asyncio.StreamReader
    _answers: asyncio.StreamReader
    _requests: asyncio.StreamWriter
    _code: int | None = None

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal; ProcessLookupError where it has ended."""
        if self._code is not None:
            raise ProcessLookupError(self.pid)
        os.kill(self.pid, number)

    async def wait(self) -> int:
        """Return the exit code, which is minus the signal's number where one ended it."""
        if self._code is None:
            self._code = int(await self._answers.readline())
            self._requests.close()
        return self._code


async def start(environment: Mapping[str, str], directory: Path) -> Forked:
    """Start ``money-minder run`` in this directory, with this environment and no other."""
    reading, writing = os.pipe()
    with Path(os.devnull).open("r+b") as nothing:
        connection = _ask(["run"], environment, directory, (nothing.fileno(), nothing.fileno(), writing))
    os.close(writing)
    answers, requests = await asyncio.open_connection(sock=connection)
    stderr, loop = asyncio.StreamReader(), asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stderr), os.fdopen(reading, "rb"))
    return Forked(int(await answers.readline()), stderr, answers, requests)


def run(
    arguments: Sequence[str], environment: Mapping[str, str], directory: Path, given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run ``money-minder`` with these arguments to its end; ``given`` is what it can read."""
    with TemporaryFile() as stdin, TemporaryFile() as stdout, TemporaryFile() as stderr:
        stdin.write(given)
        stdin.seek(0)
        files = (stdin.fileno(), stdout.fileno(), stderr.fileno())
        with _ask(arguments, environment, directory, files) as connection, connection.makefile("rb") as answers:
            pid, code = int(answers.readline()), int(answers.readline())
        stdout.seek(0)
        stderr.seek(0)
        return subprocess.CompletedProcess([str(pid), *arguments], code, stdout.read(), stderr.read())


def _ask(
    arguments: Sequence[str], environment: Mapping[str, str], directory: Path, files: tuple[int, int, int]
) -> socket.socket:
    """Ask for a process with these files as standard input, output and error; return where it is told of."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(_address())
    request = json.dumps(
        {"arguments": list(arguments), "environment": dict(environment), "directory": str(directory)}
    ).encode()
    socket.send_fds(connection, [len(request).to_bytes(4, "big")], files)
    connection.sendall(request)
    return connection


def shared() -> Path:
    """Return the directory that all test workers of one run share; it goes when the run ends."""
    return Path(os.environ[SHARED])


def open_shared(directory: Path) -> int:
    """Make a directory the shared one; what forks lives as long as what is returned stays open."""
    os.environ[SHARED] = str(directory)
    os.mkfifo(directory / "life")
    return os.open(directory / "life", os.O_RDWR)


@contextlib.contextmanager
def alone(what: str) -> Iterator[None]:
    """Do something while no other test worker does it."""
    with (shared() / f"{what}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@cache
def _address() -> str:
    """Return where what forks listens; the first test worker that needs it starts it."""
    address = shared() / "nursery"
    with alone("nursery"):
        if not address.exists():
            with (shared() / "life").open("rb") as life:
                process = subprocess.Popen(
                    [sys.executable, "-m", __name__, str(address)], stdin=life, stdout=subprocess.PIPE
                )
            atexit.register(process.poll)  # the others need it after us
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n", "what starts the bots could not start itself"
    return str(address)


def _embed_examples(cache: Path) -> None:
    """Keep the vectors of the program's examples, made by the program: it has threads then, which a fork would lose."""
    data = cache.parent / "first"
    data.mkdir(mode=0o700)
    settings = {"DATA_DIR": str(data), "MODEL": "builtin"}
    environment = {**os.environ, **{f"MONEY_MINDER_{name}": each for name, each in settings.items()}}
    pid = os.fork()
    if pid == 0:
        nothing = os.open(os.devnull, os.O_RDWR)
        asked = {
            "arguments": ["ask", "what about the thing there?"],
            "environment": environment,
            "directory": str(data),
        }
        _become(asked, [nothing] * 3)
    os.waitpid(pid, 0)
    cache.mkdir()
    _keep_vectors(cache, environment)
    assert any(cache.rglob("*.npy")), "a question that needs them left no vectors of the examples"


def _lend_vectors(cache: Path, environment: Mapping[str, str]) -> None:
    """Give the vectors of the examples to an installation that has none."""
    data = Path(environment.get("MONEY_MINDER_DATA_DIR") or os.devnull)
    if data.is_dir() and not (data / "cache").exists():
        with contextlib.suppress(OSError):  # then it makes its own, or says why it can't
            shutil.copytree(cache, data / "cache")


def _keep_vectors(cache: Path, environment: Mapping[str, str]) -> None:
    """Keep what an installation embedded that was not kept yet, of its tools for a model, say."""
    data = Path(environment.get("MONEY_MINDER_DATA_DIR") or os.devnull)
    for made in data.glob("cache/*/*.npy"):
        kept = cache / made.parent.name / made.name
        if not kept.exists():
            partial = cache.with_name(f"{os.getpid()}.npy")
            with contextlib.suppress(OSError):
                kept.parent.mkdir(exist_ok=True)
                partial.write_bytes(made.read_bytes())
                partial.rename(kept)


def _read_words() -> None:
    """Read what every start reads of the program's own files: its examples, and the words and brands in them."""
    from graph.planner.planner import Planner
    from language.reader import reader
    from ledger.repository import Vocabulary
    from tools.context import ToolContext
    from tools.registry import Registry

    nobody: Any = None
    Planner(Registry.built_in().offered(), None).prepare(ToolContext(nobody, Vocabulary.empty(), nobody, _TODAY))
    reader()


def _serve(address: str) -> None:
    """Fork one watcher for every connection, until the test run is over."""
    atexit.register(_leave)  # before all that the program registers, so that it comes after it
    for name in _PROGRAM:
        importlib.import_module(name)
    _read_words()
    cache = Path(address).with_name("cache")
    _embed_examples(cache)
    assert threading.active_count() == 1, "a process with threads can't be forked"
    gc.collect()
    gc.freeze()  # so that collecting garbage does not copy what is shared
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        print("ready", flush=True)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while sys.stdin not in select.select([listening, sys.stdin], [], [])[0]:
            connection, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _watch(connection, cache)
            connection.close()


def _watch(connection: socket.socket, cache: Path) -> NoReturn:
    """Fork the bot that is asked for, tell its number and in the end its exit code; it does not outlive who asked."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    length, files, _, _ = socket.recv_fds(connection, 4, 3)
    with connection.makefile("rb") as stream:
        request = json.loads(stream.read(int.from_bytes(length, "big")))
    reads = any(word in _READERS for word in request["arguments"][:1])
    if reads:
        _lend_vectors(cache, request["environment"])
    ended, running = os.pipe()
    pid = os.fork()
    if pid == 0:
        connection.close()
        _become(request, files)
    for file in (*files, running):  # which the bot alone holds from now on
        os.close(file)
    with contextlib.suppress(ConnectionError):
        connection.sendall(f"{pid}\n".encode())
    if connection in select.select([connection, ended], [], [])[0]:  # it is closed, for nothing more is asked
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    if reads:
        _keep_vectors(cache, request["environment"])
    with contextlib.suppress(ConnectionError):
        connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _become(request: dict[str, Any], files: list[int]) -> NoReturn:
    """Be what the command is: its environment, its directory, its arguments, its standard files."""
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["directory"])
    for target, file in enumerate(files):
        os.dup2(file, target)
    sys.argv = ["money-minder", *request["arguments"]]
    _CODE.append(importlib.import_module("bots.cli.main").main())
    sys.exit(_CODE[0])


def _leave() -> None:
    """End a forked process after all that it does at its end: to take modules apart, it would copy all that is shared."""
    if not _CODE:
        return
    gc.collect()  # what was not closed says so
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # what a process that nobody reads from ends with is Python's to say
        return
    os._exit(_CODE[0])


if __name__ == "__main__":
    _serve(sys.argv[1])
