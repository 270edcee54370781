"""The words of the ``/money`` command: what follows it, as a question or as a call."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from ledger.periods import find_periods
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Command:
    """One word that a command line may begin with: what may follow it, what it does, and a line that works."""

    name: str
    argument: str
    meaning: str
    example: str

    @property
    def usage(self) -> str:
        """How it is written."""
        return f"{self.name} {self.argument}".rstrip()


@dataclass(frozen=True, slots=True)
class Asked:
    """What a command line asks: a text to answer, or a call that it names outright."""

    text: str = ""
    call: Call | None = None


COMMANDS = {
    command.name: command
    for command in (
        Command("summary", "[period]", "what you spent, by category", "summary q3 2025"),
        Command("category", "NAME [period]", "spending in a category", "category groceries last month"),
        Command("merchant", "NAME [period]", "spending at a shop", "merchant Amazon since May"),
        Command("search", "WORDS [period]", "transactions by what they say", "search coffee over 5"),
        Command("compare", "ONE and ANOTHER", "two months, shops or categories", "compare October and September"),
        Command("import", "", "how to bring bank files in", "import"),
        Command("sample", "", "made-up data to try things out with", "sample"),
        Command("export", "", "all your transactions as a file", "export"),
        Command("settings", "", "time zone, week start, payday, locale, currency", "settings"),
        Command("undo", "", "take the last change or import back", "undo"),
        Command("forget", "[conversations|everything]", "delete your data", "forget conversations"),
        Command("help", "", "what can be asked", "help"),
    )
}

#: Where a period begins and ends in a text does not depend on the day on which it is read.
_ANY_DAY = date(2026, 1, 1)
_FORGETTABLE = ("conversations", "everything")
_LIST, _SEARCH = "transactions-list", "transactions-search_transactions"
_FIGURE = r"(?:[$€£]\s?)?(\d{1,9}(?:[.,]\d{1,2})?)(?:\s?[$€£])?"
_BOUND = re.compile(rf"\b(over|above|more than|under|below|less than)\s+{_FIGURE}(?![\w.,])", re.IGNORECASE)
_AMOUNT = re.compile(_FIGURE)
_JOINED = re.compile(r",|&|\b(?:and|with|to|vs\.?|versus|against|und|mit)\b", re.IGNORECASE)
#: Words for what the ledger knows as a kind of transaction; no description holds them.
_KIND = re.compile(
    r"(?:refunds?|fees?|transfers?|card payments?|cash withdrawals?|loan payments?|interest)\b", re.IGNORECASE
)
_CENT = Decimal("0.01")


def read_command(text: str) -> Asked:
    """Return what follows the command as a question in words or as a call; nothing at all asks for help.

    What begins with none of the :data:`COMMANDS` is a question as it stands.
    """
    line = " ".join(text.split())
    word, _, rest = line.partition(" ")
    name = word.casefold().strip("/:")
    if not line or name in ("help", "?", "hilfe"):
        return _help(line, rest)
    if name == "forget":
        return _forget(line, rest)
    if name in _QUESTIONS:
        return _QUESTIONS[name](rest) if rest or name == "summary" else _usage(name)
    if name == "undo" and not rest:  # what was done last is known to what waits for a word; imports come after that
        return Asked("undo")
    if name in COMMANDS:
        return Asked(call=Call(name, {}))
    return Asked(line)


def _help(line: str, rest: str) -> Asked:
    about = rest.casefold()
    if about and about not in COMMANDS:
        return Asked(line)
    return _usage(about) if about else Asked(call=Call("help", {}))


def _usage(name: str) -> Asked:
    return Asked(call=Call("help", {"value": name}))


def _forget(line: str, rest: str) -> Asked:
    """Delete what is named; "forget my note about the rent" is about notes, which is a question of its own."""
    what = rest.casefold().removeprefix("my ").removeprefix("all ").rstrip(".!")
    if what and what not in _FORGETTABLE:
        return Asked(line)
    return Asked(call=Call("forget", {"value": what} if what else {}))


def _summary(rest: str) -> Asked:
    rest = re.sub(r"^(?:of|for|from|in)\s+", "", rest, flags=re.IGNORECASE)
    return Asked(f"Summary of {rest or 'last month'}")


def _category(rest: str) -> Asked:
    return Asked(f"How much did I spend on {rest}?")


def _merchant(rest: str) -> Asked:
    return Asked(f"How much did I spend at {rest}?")


def _compare(rest: str) -> Asked:
    """Compare two things, or one over two months where only one is named and no time."""
    if not _JOINED.search(rest) and not find_periods(rest, _ANY_DAY):
        rest += " last month"
    return Asked(f"Compare {rest}")


def _search(rest: str) -> Asked:
    """Look for words as they stand; a time and bounds on the amount among them are taken out and set."""
    rest = re.sub(r"^for\s+", "", rest, flags=re.IGNORECASE)
    if _KIND.match(rest):
        return Asked(f"Show my {rest}")
    words, arguments = rest, {}
    for mention in reversed(find_periods(words, _ANY_DAY)[:1]):
        arguments["start_date"] = words[mention.start : mention.end]
        words = f"{words[: mention.start]} {words[mention.end :]}"
    for bound in _BOUND.finditer(words):
        side = "over" if bound[1].casefold() in ("over", "above", "more than") else "under"
        arguments[side] = bound[2].replace(",", ".")
    words = " ".join(_BOUND.sub(" ", words).split()).strip("\"'“”„ ")
    exact = _exactly(words)
    if exact is not None:
        return Asked(call=Call(_LIST, {**arguments, **exact}))
    if not words:
        return Asked(call=Call(_LIST, arguments))
    return Asked(call=Call(_SEARCH, {"query": words, **arguments}))


def _exactly(words: str) -> dict[str, Any] | None:
    """Return the bounds within which only the amount lies that the words consist of, if they do."""
    found = _AMOUNT.fullmatch(words)
    if found is None:
        return None
    try:
        amount = Decimal(found[1].replace(",", "."))
    except InvalidOperation:
        return None
    return {"over": str(max(amount - _CENT, Decimal(0))), "under": str(amount + _CENT)}


_QUESTIONS: dict[str, Callable[[str], Asked]] = {
    "summary": _summary, "category": _category, "merchant": _merchant, "search": _search, "compare": _compare,
}  # fmt: skip
