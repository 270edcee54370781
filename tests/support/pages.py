"""The pages that are written by the program: ``python -m tests.support.pages`` (``make pages``) writes them anew.

What can be asked and how to get a bank's file come from the lists that the bot itself answers from; the tour and README's
first answers are conversations at the console, over the made-up data, on a fixed day.
"""

from __future__ import annotations

import asyncio
import io
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from bots.app import console_person, open_app
from bots.console.session import Session
from bots.desk.bank_guide import BANKS
from bots.logs import configure_logs
from bots.settings import Settings
from graph.examples import THEMES, questions_of
from language.catalogue import translated
from language.tongue import DEFAULT
from tests.support.console import NOW, ScriptedLines, WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bots.app import App
    from tools.context import ToolContext

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
WIDTH = 96
BEGIN, END = "<!-- made by make pages -->\n", "<!-- end -->"

LOCALES = {"en": "en_US", "de": "de_DE"}
TITLES = {"en": "In English", "de": "Auf Deutsch"}
FIRST = ("How much did I spend on groceries in October?", "without Costco", "Which subscriptions got more expensive?")
TOUR = {
    "en": (
        "hi", "/sample", "How much did I spend on groceries last month?", "and in September?", "without Trader Joe's",
        "Why did I spend more last month?", "What was my biggest purchase last month?", "What subscriptions do I have?",
        "Which bills are due next?", "What is my savings rate this year?", "Show purchases over 100 last month", "/why",
        "How much do I have?", "Spent 9.80 on lunch", "yes", "How much did I spend today?",
        "How do I get my file from Chase?", "thanks",
    ),
    "de": (
        "hallo", "/sample", "Wie viel habe ich letzten Monat für Lebensmittel ausgegeben?", "und im September?",
        "ohne Trader Joe's", "Warum habe ich letzten Monat mehr ausgegeben?", "Was war mein größter Einkauf letzten Monat?",
        "Welche Abos habe ich?", "Welche Rechnungen sind als Nächstes fällig?",
        "Wie hoch ist meine Sparquote dieses Jahr?", "Zeig mir Einkäufe über 100 im letzten Monat", "/why",
        "Wie viel Geld habe ich?", "9,80 für Mittagessen ausgegeben", "ja", "Wie viel habe ich heute ausgegeben?",
        "Wie komme ich an meine Datei von der Sparkasse?", "danke",
    ),
}  # fmt: skip


class _Echoed(ScriptedLines):
    """Lines that stand in the text as if they were typed."""

    def __init__(self, script: Sequence[str], out: io.StringIO) -> None:
        super().__init__(list(script))
        self.out = out

    async def read(self) -> str | None:
        line = await super().read()
        if line is not None:
            self.out.write(f"> {line}\n")
        return line


async def conversation(app: App, thread: str, script: Sequence[str]) -> str:
    """Return what stands at the console after a conversation, without the greeting."""
    out = io.StringIO()
    console = Console(file=out, width=WIDTH, highlight=False, markup=False, emoji=False)
    await Session(app, console_person(None), thread, console, _Echoed(script, out)).run()
    _, _, talk = out.getvalue().partition("\n\n")
    return "\n".join(line.rstrip() for line in talk.strip().splitlines())


async def told_in(language: str) -> tuple[str, list[str], str]:
    """Return the tour in a language, what can be asked, and README's first answers, each over the made-up data."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            _env_file=None,
            data_dir=Path(folder),
            model="builtin",
            now=NOW,
            locale=LOCALES[language],
            log_level="warning",
        )
        async with open_app(settings) as app:
            app.__dict__["embedder"] = WordEmbedder()  # nothing here is found by its meaning alone
            walked = await conversation(app, "tour", TOUR[language])
            first = await conversation(app, "readme", FIRST) if language == DEFAULT else ""
            context = replace(await app.tool_context(console_person(None)), language=language)
            return walked, list(_by_theme(context)), first


def tour(told: dict[str, str]) -> str:
    """Return ``docs/tour.md``."""
    head = (
        "# A tour\n\nA conversation at the console over the made-up data that `/sample` brings, as of 21 November 2026 and without a "
        "language model. `make pages` writes it anew.\n"
    )
    return "\n".join([head, *(f"## {TITLES[language]}\n\n```\n{each}\n```\n" for language, each in told.items())])


def readme(first: str) -> str:
    """Return README with its first answers anew."""
    before, _, rest = (ROOT / "README.md").read_text("utf-8").partition(BEGIN)
    return f"{before}{BEGIN}```\n{first}\n```\n{END}{rest.partition(END)[2]}"


def questions(told: dict[str, list[str]]) -> str:
    """Return ``docs/what-you-can-ask.md``."""
    head = (
        "# What you can ask\n\nAsk in your own words, in English or German. These are examples, and each of them is answered over the "
        "made-up data that `/sample` brings.\n"
        "In a conversation you can go on from the last answer: “and in September?”, “without rent”, “per month”, “why?”.\n"
        "Asked “What can I ask?”, the bot shows the same with names from your own transactions; in Slack and Discord each theme is a button.\n"
    )
    lines = ("\n".join((f"## {TITLES[language]}", *each, "")) for language, each in told.items())
    return "\n".join((head, *lines))


def _by_theme(context: ToolContext) -> Iterator[str]:
    for theme in THEMES:
        yield from ("", f"### {translated(theme.title, context.language)}", "")
        yield from (f"- {each.label}" for each in questions_of(theme, context))


def banks() -> str:
    """Return ``docs/bank-files.md``."""
    return "\n".join(_lines_of_banks())


def _lines_of_banks() -> Iterator[str]:
    yield "# Getting the file from your bank"
    yield ""
    yield (
        "Money Minder reads a file that your bank gives you; it has no connection to the bank and never asks for a password. "
        "The bot tells the way as well: “How do I get my file from Chase?”"
    )
    yield ""
    yield "1. Sign in on the bank's website. Most apps don't have the file; those that do are marked below."
    yield "2. Open the account, and look beside the list of its transactions for a link or sign for download or export."
    yield (
        "3. Choose the kind of file. OFX, QFX, CAMT and MT940 are best, for they state balances as well; "
        "CSV and Excel are as good for everything else; a PDF statement will do where there is nothing better."
    )
    yield "4. Take as long a time as is offered. What comes twice is counted once, so periods may overlap."
    yield (
        "5. Bring it in: drop it into the direct messages with the bot in Slack or Discord, or type its path in the console. "
        "You see what it holds before anything is imported."
    )
    yield ""
    yield "Banks rename their links now and then; the words below are what to look for, not a promise of where it stands."
    for country, those in BANKS.items():
        yield from ("", f"## {country}", "", "| bank | look for | choose |", "|---|---|---|")
        for bank in those:
            also = f" ({', '.join(bank.names[1:])})" if bank.names[1:] else ""
            where = ", in the app" if bank.app else ""
            yield f"| {bank.name}{also} | “{bank.link}”{where} | {bank.choose} |"
    yield ""
    yield "## Your bank is not here"
    yield ""
    yield (
        "Its file is read all the same, as long as it is one of the [kinds that are read](files.md). "
        "If something in it is read wrongly, say which column is what: [layouts](layouts.md)."
    )
    yield ""


async def pages() -> dict[Path, str]:
    """Return every page with what should stand in it."""
    told = {language: await told_in(language) for language in TOUR}
    return {
        DOCS / "what-you-can-ask.md": questions({language: each[1] for language, each in told.items()}),
        DOCS / "bank-files.md": banks(),
        DOCS / "tour.md": tour({language: each[0] for language, each in told.items()}),
        ROOT / "README.md": readme(told[DEFAULT][2]),
    }


if __name__ == "__main__":
    configure_logs("warning")
    for path, text in asyncio.run(pages()).items():
        path.write_text(text, "utf-8")
