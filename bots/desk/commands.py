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
    from collections.abc import Callable, Iterable


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
    """What a command asks: a text to answer, or a call that it names outright, with or without words for it.

    A ``phrased`` text is a sentence of ours, which tells nothing of the person's language.
    """

    text: str = ""
    call: Call | None = None
    phrased: bool = False


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
        Command(
            "accounts", "[CHANGE]", "your accounts; rename, merge or delete one", "accounts rename Visa to My card"
        ),
        Command("settings", "", "time zone, week start, payday, locale, currency", "settings"),
        Command("undo", "", "take the last change or import back", "undo"),
        Command("forget", "[conversations|everything]", "delete your data", "forget conversations"),
        Command("help", "", "what can be asked", "help"),
    )
}

#: Where a period begins and ends in a text does not depend on the day on which it is read.
_ANY_DAY = date(2026, 1, 1)
_FORGETTABLE = ("conversations", "everything")
#: First words of what changes an account.
_CHANGING = frozenset(
    "rename call name merge combine delete remove set make benenne nenne lösche entferne führe".split()
)
#: The tool that lists a person's accounts.
LIST_ACCOUNTS = "accounts-list"
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
#: Within quotes everything is a word.
_QUOTED = r"[\"“”„«»][^\"“”„«»]+[\"“”„«»]"
_QUOTES = re.compile(r"[\"“”„«»]")


def read_command(text: str) -> Asked:
    """Return what follows the command as a question in words or as a call; nothing at all asks for help.

    What begins with none of the :data:`COMMANDS` is a question as it stands.
    """
    line = " ".join(text.split())
    word, _, rest = line.partition(" ")
    name = word.casefold().strip("/:")
    if not line or name in ("help", "?", "hilfe"):
        return _help(line, rest)
    if name in _OWN:
        return _OWN[name](line, rest)
    if name in _QUESTIONS:
        return _QUESTIONS[name](rest) if rest or name == "summary" else _usage(name)
    if name == "undo" and not rest:  # what was done last is known to what waits for a word; imports come after that
        return Asked("undo")
    if name in COMMANDS:
        return Asked(call=Call(name, {"value": rest} if name == "undo" and rest.isdecimal() else {}))
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


def _accounts(line: str, rest: str) -> Asked:
    """List the accounts, or change what follows; “accounts with the most fees” is a question."""
    if not rest:
        return Asked(call=Call(LIST_ACCOUNTS, {}))
    return Asked(rest if rest.split(maxsplit=1)[0].casefold() in _CHANGING else line)


def _summary(rest: str) -> Asked:
    rest = re.sub(r"^(?:of|for|from|in)\s+", "", rest, flags=re.IGNORECASE)
    return Asked(f"Summary of {rest or 'last month'}", phrased=True)


def _category(rest: str) -> Asked:
    return Asked(f"How much did I spend on {rest}?", phrased=True)


def _merchant(rest: str) -> Asked:
    return Asked(f"How much did I spend at {rest}?", phrased=True)


def _compare(rest: str) -> Asked:
    """Compare two things, or one over two months where only one is named and no time."""
    if not _JOINED.search(rest) and not find_periods(rest, _ANY_DAY):
        rest += " last month"
    return Asked(f"Compare {rest}", phrased=True)


def _search(rest: str) -> Asked:
    return search(re.sub(r"^for\s+", "", rest, flags=re.IGNORECASE))


def search(words: str, period: str = "", names: Iterable[str] = ()) -> Asked:
    """Look for words as they stand; bounds on the amount among them are taken out and set, and so is a time.

    Of several times the last is meant, for it comes behind the words, and none where there is a ``period`` of its own.
    Nothing is taken out of quotes, nor is a part of one of ``names``.
    """
    known = [name for name in names if name.casefold() in words.casefold()]
    if not known and _KIND.match(words):
        return Asked(f"Show my {words} {period}".rstrip(), phrased=True)
    whole = [_QUOTED, *(rf"(?<!\w){re.escape(name)}(?!\w)" for name in known)]
    kept = [found.span() for pattern in whole for found in re.finditer(pattern, words, re.IGNORECASE)]

    def is_free(start: int, end: int) -> bool:
        return (0, len(words)) not in kept and all(
            end <= first or last <= start or (start <= first and last <= end) for first, last in kept
        )

    times = [] if period else [each for each in find_periods(words, _ANY_DAY) if is_free(each.start, each.end)]
    arguments = during(period)
    for time in times[-1:]:
        arguments = during(words[time.start : time.end])
        words = _blank(words, time.start, time.end)
    for bound in [each for each in _BOUND.finditer(words) if is_free(*each.span())]:
        side = "over" if bound[1].casefold() in ("over", "above", "more than") else "under"
        arguments[side] = bound[2].replace(",", ".")
        words = _blank(words, *bound.span())
    query = " ".join(_QUOTES.sub(" ", words).split()).strip("' ")
    exact = None if known else _exactly(query)
    if exact is not None:
        return Asked(call=Call(_LIST, {**arguments, **exact}))
    if not query:
        return Asked(call=Call(_LIST, arguments))
    return Asked(call=Call(_SEARCH, {"query": query, **arguments}))


def during(period: str) -> dict[str, Any]:
    """Return a period in words as the arguments of a tool that takes days, none for no words.

    The date of a day alone would begin a period that does not end.
    """
    try:
        date.fromisoformat(period)
    except ValueError:
        return {"start_date": period} if period else {}
    return {"start_date": period, "end_date": period}


def _blank(text: str, start: int, end: int) -> str:
    """Return the text without a part, everything else in its place."""
    return f"{text[:start]}{' ' * (end - start)}{text[end:]}"


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


_OWN: dict[str, Callable[[str, str], Asked]] = {"forget": _forget, "accounts": _accounts}
_QUESTIONS: dict[str, Callable[[str], Asked]] = {
    "summary": _summary, "category": _category, "merchant": _merchant, "search": _search, "compare": _compare,
}  # fmt: skip
