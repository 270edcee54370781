"""``ask``: one question, one answer; or many questions from standard input, answered one by one."""

from __future__ import annotations

import json
import sys
import time
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.app import App, console_person, open_app
from bots.cli.speaking import language_here
from bots.console.lines import MOST_CHARACTERS, PipedLines, said_here
from bots.contracts import Question
from bots.errors import BotError, CommandError
from bots.public_json import reply_json
from language.catalogue import say, translated
from ledger.errors import LedgerError

if TYPE_CHECKING:
    import argparse

    from bots.contracts import Message
    from bots.settings import Settings
    from graph.reply import Reply
    from ledger.people import Person

#: In place of a question: they come on standard input, one a line.
BATCH = "-"
_NOT_READ = "Line {number} is neither plain text nor a JSON object with a “question” and perhaps a “thread”."


@dataclass(frozen=True, slots=True)
class Asked:
    """One question; without a thread it stands alone."""

    text: str
    thread: str | None = None


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Answer a question, or those of standard input."""
    started = time.perf_counter()
    async with open_app(settings) as app:
        if arguments.question == BATCH:
            code = await _answer_all(app, arguments)
        else:
            asked = Asked(arguments.question, arguments.thread)
            code = await _answer(app, arguments, asked, started)
        await app.runner.drain(5)
    return code


async def _answer(app: App, arguments: argparse.Namespace, asked: Asked, started: float) -> int:
    """Print the answer to a question; returns 1 for one that could not be given."""
    person = console_person(arguments.user)
    message = question(person, asked.thread or f"once-{uuid.uuid4().hex}", asked.text, app)
    outcome = await app.runner.ask(message)
    if arguments.json:
        rows = await row_ids(app, person, outcome.reply)
        seconds = time.perf_counter() - started
        print(json.dumps(reply_json(outcome.reply, outcome.trace, rows, seconds), ensure_ascii=False))
    else:
        from bots.terminal import show_reply, terminal

        show_reply(outcome.reply, terminal(), (await app.tool_context(person)).locale)
    return 1 if outcome.reply.kind == "error" else 0


async def _answer_all(app: App, arguments: argparse.Namespace) -> int:
    """Answer the lines of standard input in order, each at once; what can't be answered is said, and the others go on."""
    if sys.stdin is None:  # a parent has closed it
        raise CommandError("There is no standard input to read questions from.")
    lines = PipedLines(sys.stdin.fileno())
    code = number = answered = 0
    while (line := await lines.read()) is not None:
        number += 1
        if not line.strip():
            continue
        started = time.perf_counter()
        if answered and not arguments.json:
            print()
        answered += 1
        try:
            code |= await _answer(app, arguments, read_line(line, number, arguments.thread), started)
        except (BotError, LedgerError) as error:
            code = 1
            sys.stderr.write(f"money-minder: {translated(error.message, language_here(app.settings))}\n")
            if arguments.json:
                print(json.dumps({"error": error.message}, ensure_ascii=False))
        sys.stdout.flush()
    return code


def read_line(line: str, number: int, prefix: str | None = None) -> Asked:
    """Read a question as it stands on a line: plain text, or a JSON object with its thread.

    A prefix goes before every thread, and is the thread of questions that name none.

    Raises:
        CommandError: it is neither, or too long; the sentence names the line by its number.
    """
    if len(line) > MOST_CHARACTERS:
        raise CommandError(
            say("Line {number} is longer than {most} characters.", number=str(number), most=str(MOST_CHARACTERS))
        )
    text = line.removeprefix("\ufeff").strip()
    try:
        made = json.loads(text) if text.startswith("{") else {"question": text}
    except (ValueError, RecursionError) as error:
        raise CommandError(say(_NOT_READ, number=str(number))) from error
    asked, thread = made.pop("question", None), made.pop("thread", None)
    if made or not isinstance(asked, str) or not asked.strip() or not isinstance(thread, str | None):
        raise CommandError(say(_NOT_READ, number=str(number)))
    asked = asked.encode("utf-8", "replace").decode("utf-8")  # JSON can spell half a character, which no store takes
    return Asked(asked, "/".join(part for part in (prefix, thread) if part) or None)


def question(person: Person, thread: str, text: str, app: App) -> Message:
    """Return a person's words at the terminal as a message."""
    return said_here(person, thread, Question(text), app.clock())


async def row_ids(app: App, person: Person, reply: Reply) -> list[int]:
    """Return the transactions behind an answer, each once."""
    repository = await app.repository(person)
    found: dict[int, None] = {}
    for wanted in reply.behind:
        found |= dict.fromkeys(await repository.ids(wanted))
    return list(found)
