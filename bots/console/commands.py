"""What begins with a slash, and paths that are pasted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from bots.console import answers, choices, importing, upkeep
from bots.console.importing import split
from bots.desk.commands import COMMANDS as MONEY
from bots.desk.commands import read_command
from bots.errors import NO_CHANGES
from bots.terminal import show_pairs
from graph.examples import examples_for
from language.catalogue import say, translated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from bots.console.session import Session

_LIKELY = 55
_EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class Command:
    """One command: how it is written, what it does, and what does it; what nothing here does is asked as after ``/money``.

    ``verbatim`` if what follows its name is one text, quotes and all, rather than words; ``writes`` if it changes what the
    person has, and not only takes away what is theirs.
    """

    usage: str
    meaning: str
    run: Callable[[Session, Sequence[str]], Awaitable[None]] | None = None
    verbatim: bool = False
    writes: bool = False


async def obey(session: Session, line: str) -> bool:
    """Do what a command or a pasted path says; False where the line is neither."""
    files = bool(pasted_files(line))
    if files and not session.app.settings.writes:
        session.say(NO_CHANGES)
    elif files:
        await importing.import_paths(session, [line])
    if files:
        return True
    if line.casefold() in _PLAIN:
        line = f"/{line}"
    if not line.startswith("/"):
        return False
    given, _, rest = line.partition(" ")
    name = _OTHER_NAMES.get(given.casefold(), given.casefold())
    command = COMMANDS.get(name)
    if command is None and name.removeprefix("/") not in MONEY:
        _suggest(session, given)
    elif command is None or command.run is None:
        await session.ask(read_command(f"{name} {rest}"))
    elif command.writes and not session.app.settings.writes:
        session.say(NO_CHANGES)
    else:
        await command.run(session, [rest.strip()] if command.verbatim else split(rest))
    return True


def pasted_files(line: str) -> list[str]:
    """Return the files that a line consists of: the first one exists, or can be nothing but a path."""
    if _is_file(line):
        return [line]
    words = split(line)
    if not words:
        return []
    is_path = words[0].startswith(("/", "~/", "./", "../")) and "/" in words[0][1:]
    return words if is_path or all(map(_is_file, words)) else []


def _is_file(text: str) -> bool:
    try:
        path = Path(text).expanduser()
        return ("/" in text or bool(path.suffix)) and path.is_file()
    except (OSError, ValueError, RuntimeError):
        return False


def _suggest(session: Session, name: str) -> None:
    known = [*COMMANDS, *(f"/{each}" for each in MONEY)]
    near = process.extractOne(name.casefold(), known, scorer=fuzz.ratio, score_cutoff=_LIKELY)
    unknown = say("There is no {name}. /help lists what there is.", name=name)
    likely = (
        say("There is no {name}. Did you mean {near}? /help lists what there is.", name=name, near=near[0])
        if near
        else None
    )
    session.say(likely or unknown)


async def show_help(session: Session, words: Sequence[str]) -> None:
    """``/help``: questions that can be asked, and the commands, on one screen."""
    del words
    session.say("Ask in your own words, in English or German:", "bold")
    context = replace(await session.context(), language=session.language)
    for example in examples_for(context)[:_EXAMPLES]:
        session.say(say("  {example}", example=example.label))
    session.say("Commands:", "bold")
    shown = [(f"  {each.usage}", translated(each.meaning, session.language)) for each in COMMANDS.values()]
    show_pairs(shown, session.console)


async def leave(session: Session, words: Sequence[str]) -> None:
    """``/quit``."""
    del words
    session.quitting = True


COMMANDS = {
    command.usage.partition(" ")[0]: command
    for command in (
        Command("/why", "the receipt: period, what counted, rows and their sum", answers.why),
        Command("/rows [all]", "the transactions behind the last answer", answers.rows),
        Command("/table", "the last answer as a table", answers.table),
        Command("/trace", "how the last answer came about", answers.trace),
        Command(
            "/import PATH…",
            "bring in bank files (a pasted path does the same)",
            importing.import_paths,
            verbatim=True,
            writes=True,
        ),
        Command(
            "/columns [NAME=VALUE…]", "which column of that file is what; say it better", importing.columns, writes=True
        ),
        Command("/undo", "take the last import back"),
        Command("/sample", "bring in made-up data to try things out", upkeep.sample, writes=True),
        Command("/accounts [CHANGE]", "your accounts; rename, merge or delete one"),
        Command("/link [CODE]", "one ledger here and on another platform"),
        Command("/unlink", "a ledger of its own here again"),
        Command("/status", "what is in the ledger", answers.status),
        Command("/settings", "time zone, week start, payday, locale, currency", upkeep.settings),
        Command("/set NAME VALUE", "change one of them", upkeep.change_setting, writes=True),
        Command("/memories [WORDS]", "what you asked to be remembered", choices.memories),
        Command("/remember NOTE", "keep a note", choices.remember, verbatim=True, writes=True),
        Command("/tools [on|off NAME]", "which tools there are; switch some off", choices.tools),
        Command("/model", "which model answers", upkeep.model),
        Command("/export PATH", "write all transactions to a file", upkeep.export),
        Command("/forget …", "delete conversations, or everything"),
        Command("/help", "this page", show_help),
        Command("/quit", "leave (also Ctrl-D)", leave),
    )
}
_OTHER_NAMES = {
    "/exit": "/quit", "/q": "/quit", "/bye": "/quit", "/?": "/help", "/h": "/help", "/receipt": "/why",
    "/transactions": "/rows", "/list": "/rows", "/notes": "/memories", "/note": "/remember",
}  # fmt: skip
#: Words that nobody asks about their money, so they need no slash.
_PLAIN = frozenset(("quit", "exit", "help", "?"))
