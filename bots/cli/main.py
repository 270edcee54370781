"""The command's grammar; every subcommand loads only what it needs."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import os
import sys
from datetime import datetime
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bots.cli.configuration import Configuration

#: Subcommand → module with ``async run(arguments, settings) -> int``.
_COMMANDS = {
    "run": "bots.cli.chat",
    "chat": "bots.cli.chat",
    "ask": "bots.cli.ask",
    "import": "bots.cli.importing",
    "layout": "bots.cli.layout",
    "undo": "bots.cli.undo",
    "tool": "bots.cli.tool",
    "tools": "bots.cli.tools",
    "period": "bots.cli.period",
    "export": "bots.cli.export",
    "forget": "bots.cli.forget",
    "prune": "bots.cli.prune",
    "backup": "bots.cli.backing_up",
    "restore": "bots.cli.backing_up",
    "move": "bots.cli.moving",
    "workspace": "bots.cli.workspace",
    "health": "bots.cli.health",
    "doctor": "bots.cli.doctor",
    "discord": "bots.cli.discord",
    "eval": "bots.cli.eval",
}
OK, FAILED, USAGE = 0, 1, 2
#: Words of the command line that are stored or shown; a file may be called what it likes.
_TEXTS = ("name", "arguments", "question", "phrase", "user", "thread", "account")


class _Parser(argparse.ArgumentParser):
    def format_help(self) -> str:
        from bots.cli.helping import Formatter  # which loads the catalogue

        self.formatter_class = Formatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"money-minder: {message}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code: 0, 1 (failed, the reason on stderr) or 2 (wrong usage)."""
    parser = _build()
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help(sys.stderr)
        return USAGE
    for name in _TEXTS:
        if not _is_text(getattr(arguments, name, None) or ""):
            parser.error(f"{name} is not written in UTF-8")
    try:
        return asyncio.run(_run(arguments))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output has gone; there is nobody left to tell
        sys.stderr.close()
        return FAILED


def _is_text(word: object) -> bool:
    """Whether a word could be decoded; other bytes come as half characters."""
    return not isinstance(word, str) or not any("\ud800" <= sign <= "\udfff" for sign in word)


async def _run(arguments: argparse.Namespace) -> int:
    from bots.cli.speaking import at_terminal, language_here, terminal_locale
    from bots.errors import BotError
    from bots.logs import configure_logs
    from language.catalogue import language_of, translated
    from ledger.errors import LedgerError

    language = language_of(terminal_locale() or "")
    try:
        configuration = arguments.configuration = _configuration(arguments)
        settings = at_terminal(configuration.settings, arguments)
        language = language_here(settings)
        configure_logs(settings.log_level)
        code = int(await importlib.import_module(_COMMANDS[arguments.command]).run(arguments, settings))
    except (LedgerError, BotError) as error:
        sys.stderr.write(f"money-minder: {translated(error.message, language)}\n")
        code = FAILED
    _leave_late_tools(code)
    return code


def _leave_late_tools(code: int) -> None:
    """End the process here if a tool that was stopped goes on: nobody waits for its threads."""
    running = sys.modules.get("tools.running")
    if running is not None and running.any_late():
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _configuration(arguments: argparse.Namespace) -> Configuration:
    """Return the settings, those of the command line first, and tell of variables that look like one and are none."""
    from bots.cli.configuration import configure

    given = {name: getattr(arguments, name, None) for name in ("now", "model", "routing", "role")}
    options = {name: value for name, value in given.items() if value is not None}
    configuration = configure(options, getattr(arguments, "env_file", None))
    for doubt in configuration.doubts:
        sys.stderr.write(f"money-minder: {doubt}\n")
    return configuration


def _build() -> _Parser:
    parser = _Parser(prog="money-minder", description="Answers questions about your own money, exactly.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    def command(name: str, text: str, *, json: bool = False, user: bool = True) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        made.add_argument("--env-file", metavar="PATH", help="read settings from here, not from the data directory")
        if user:
            made.add_argument("--user", help="whose ledger (default: yours)")
        if json:
            made.add_argument("--json", action="store_true", help="print JSON")
        return made

    def moment(made: argparse.ArgumentParser) -> None:
        made.add_argument("--now", type=_instant, metavar="ISO", help="answer as of this moment")

    for name, text in (("run", "start every configured platform, or the console"), ("chat", "talk in the terminal")):
        made = command(name, text)
        moment(made)
        made.add_argument("--model", help="builtin, auto, ollama:NAME or openai:NAME")
        made.add_argument("--thread", default="main", help="which conversation")
        if name == "run":
            made.add_argument(
                "--role",
                choices=("all", "ingress", "worker"),
                help="share the work with other processes on one PostgreSQL: only take in, or only answer",
            )

    made = command("ask", "ask one question, or many from standard input", json=True)
    made.add_argument("question", help="the question, or - for one a line on standard input")
    moment(made)
    made.add_argument("--thread", help="remember this conversation under a name")
    made.add_argument("--model", help="builtin, auto, ollama:NAME or openai:NAME")
    made.add_argument("--routing", choices=("auto", "model", "builtin"))

    _add_import(command("import", "read bank files", json=True), moment)

    _add_layout(command("layout", "show which column of a file is what, and mend it", json=True))

    made = command("undo", "take back the last import", json=True)
    made.add_argument("batch", nargs="?", type=int, help="which import (default: the last)")

    made = command("tool", "run one tool", json=True)
    made.add_argument("name")
    made.add_argument("arguments", nargs="?", default="{}", help="a JSON object")
    made.add_argument("--yes", action="store_true", help="make the change that the tool proposes")
    moment(made)

    made = command("tools", "list the tools, or those that a model would be offered for a question", json=True)
    made.add_argument("--for", dest="question", metavar="QUESTION", help="what would be offered for this question")
    made.add_argument("--strategy", choices=("all", "keyword", "semantic", "model"), help="how to choose")

    made = command("period", "show which days a phrase means", json=True, user=False)
    made.add_argument("phrase")
    made.add_argument("--week-start", type=int, default=0, choices=range(7), help="0 is Monday")
    moment(made)

    made = command("export", "write out everything that is yours", json=True)
    made.add_argument("--output", metavar="FILE", help="default: standard output")
    made.add_argument("--format", choices=("csv", "json"), default="csv")
    made.add_argument("--balances", action="store_true", help="the balances that files state, not the transactions")

    made = command("forget", "delete everything that is yours", json=True)
    made.add_argument("--yes", action="store_true", help="do not ask")
    made.add_argument("--conversations", action="store_true", help="only the conversations, not the ledger")

    _add_upkeep(command)
    command("doctor", "check this installation", json=True)
    _add_discord(command("discord", "tell Discord which commands there are", user=False))
    # No character begins an option here, so that everything is handed on; its --help is the scoreboard's own.
    commands.add_parser(
        "eval", help="measure answers to golden questions", add_help=False, prefix_chars="\0"
    ).add_argument("arguments", nargs="*")
    return parser


def _add_import(made: argparse.ArgumentParser, moment: Callable[[argparse.ArgumentParser], None]) -> None:
    made.add_argument("files", nargs="+", metavar="FILE")
    made.add_argument("--account", help="the account of rows that name none")
    made.add_argument("--format", help="csv, ofx, qif, camt or mt940, if it is not recognised")
    made.add_argument("--currency", type=_currency, help="ISO code for rows that state none")
    made.add_argument("--day-first", action=argparse.BooleanOptionalAction, help="read 03/04/2026 as 3 April")
    made.add_argument(
        "--direction",
        choices=("spent", "received", "as-written"),
        help="what most of the rows are, where the file does not prove it",
    )
    made.add_argument("--person", metavar="NAME", help="who you are among the people that a file of shared costs names")
    made.add_argument(
        "--layout", metavar="LAYOUT", help="read them by this layout file, and files like them from now on"
    )
    made.add_argument("--dry-run", action="store_true", help="show what would happen, change nothing")
    moment(made)


def _add_layout(made: argparse.ArgumentParser) -> None:
    made.add_argument("file", metavar="FILE")
    made.add_argument(
        "--set",
        action="append",
        metavar="NAME=VALUE",
        default=[],
        help="a column's role (Betrag=amount, 3=date), or dates=day-first, decimal=comma, sign=reversed, out=S, in=H",
    )
    made.add_argument("--layout", metavar="LAYOUT", help="read it by this layout file")
    after = made.add_mutually_exclusive_group()
    after.add_argument("--save", action="store_true", help="keep what is said, for all files of this layout")
    after.add_argument("--forget", action="store_true", help="forget what was kept for files of this layout")
    made.add_argument("--export", metavar="OUT", help="write the layout to a file that others can use")


def _add_upkeep(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add what whoever runs the bot needs: everybody's data at once, and whether it serves."""
    made = command("backup", "copy the database into one file, while the bot runs", json=True, user=False)
    made.add_argument("file", metavar="FILE", help="a new file, or - for standard output")
    made = command("restore", "put a backup in the place of the database", json=True, user=False)
    made.add_argument("file", metavar="FILE", help="what backup wrote, or - for standard input")
    made.add_argument("--force", action="store_true", help="also in the place of a ledger that is not empty")
    command("move", "move everything from SQLite into the PostgreSQL database of the settings", json=True, user=False)
    made = command("workspace", "list workspaces, or set what holds in one", json=True, user=False)
    made.add_argument("team", nargs="?", help="its id, such as T012AB3CD (default: list all)")
    made.add_argument("--sharing", choices=("on", "off"), help="whether answers may be shared in channels")
    made.add_argument(
        "--people", metavar="IDS", help="who may use the bot, of those whom the settings let in; or everyone"
    )
    made.add_argument("--keep", type=int, metavar="DAYS", help="keep conversations for so long at most; 0 for no limit")
    made.add_argument(
        "--export", metavar="FILE", help="write everybody's transactions and balances into a new ZIP archive"
    )
    made.add_argument("--forget", action="store_true", help="delete everything of everybody there")
    made.add_argument("--yes", action="store_true", help="do not ask")
    made = command("prune", "delete everybody's conversations of long ago", json=True, user=False)
    made.add_argument(
        "--days", type=int, metavar="N", help="keep this many days (default: MONEY_MINDER_KEEP_CONVERSATIONS)"
    )
    made.add_argument("--yes", action="store_true", help="do not ask")
    made = command("health", "ask the running bot how it is", json=True, user=False)
    made.add_argument("--ready", action="store_true", help="also whether it can answer now, on every platform")


def _add_discord(made: argparse.ArgumentParser) -> None:
    made.add_argument("what", choices=("sync",))
    made.add_argument("--guild", metavar="ID", help="in this server only, where they appear at once")
    made.add_argument("--force", action="store_true", help="also where Discord has the same")


def _instant(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no ISO date or time") from error


def _currency(text: str) -> str:
    code = text.strip().upper()
    if len(code) != 3 or not code.isalpha() or not code.isascii():
        raise argparse.ArgumentTypeError(f"{text!r} is no ISO 4217 code")
    return code


if __name__ == "__main__":
    sys.exit(main())
