"""Looking up what a command names: its line or its options become the call of a tool, by the names of the person's ledger."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import TYPE_CHECKING, Any

from bots.cleaning import clean
from bots.contracts import Question
from bots.desk.commands import LOOKUPS, usage
from bots.desk.replies import aside, said
from language.catalogue import say
from ledger.errors import UnknownPeriod
from ledger.periods import find_periods
from tools.calls import Call
from tools.slots.names import AccountSlot, CategorySlot, MerchantSlot, names_of
from tools.slots.period import read_period
from tools.wording import month_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bots.contracts import Content, Message
    from bots.desk.desk import Desk, Handler
    from bots.history import Recollection
    from graph.turn import TurnOutcome
    from language.catalogue import Template
    from ledger.repository import Vocabulary
    from tools.context import ToolContext

SUMMARY, COMPARE = "spending-get_spending_summary", "spending-compare"
_LIST, _SEARCH = "transactions-list", "transactions-search_transactions"
_TOOLS = {"category": "spending-analyze_by_category", "merchant": "spending-analyze_merchant"}
_SLOTS: dict[str, CategorySlot | MerchantSlot | AccountSlot] = {
    "category": CategorySlot(),
    "merchant": MerchantSlot(),
    "account": AccountSlot(),
}
_LAST_MONTH = "last month"
_UNKNOWN = (
    "I don't know “{name}”. Choose from what is offered while you type, or ask in your own words with /money ask."
)
_NO_PAIR = (
    "I compare two different months, two shops or two categories with each other. "
    "“{one}” and “{another}” are no such pair."
)
#: Where a period begins and ends in a text does not depend on the day on which it is read.
_ANY_DAY = date(2026, 1, 1)
_FIGURE = r"(?:[$€£]\s?)?(\d{1,9}(?:[.,]\d{1,2})?)(?:\s?[$€£])?"
_BOUND = re.compile(rf"\b(over|above|more than|under|below|less than)\s+{_FIGURE}(?![\w.,])", re.IGNORECASE)
_AMOUNT = re.compile(_FIGURE)
_JOINED = re.compile(r",|&|\b(?:and|with|to|vs\.?|versus|against|und|mit)(?!\w)", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|in|on|von|vom|auf)\s*$", re.IGNORECASE)
_LEADING = re.compile(r"^(?:of|for|from|in)\b", re.IGNORECASE)
#: Words for what the ledger knows as a kind of transaction, which no description holds, and which kind it is.
_KINDS = {"refund": "refund", "fee": "fee", "transfer": "transfer", "loan payment": "loan_payment", "interest": "interest",
          "cash withdrawal": "cash", "card payment": ""}  # fmt: skip
_KIND = re.compile(rf"({'|'.join(_KINDS)})s?\b", re.IGNORECASE)
_CENT = Decimal("0.01")
#: Within quotes everything is a word.
_QUOTED = r"[\"“”„«»][^\"“”„«»]+[\"“”„«»]"
_QUOTES = re.compile(r"[\"“”„«»]")
_MOST_MONTHS = 120


def lookup_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handlers that make a call of what a command names."""
    return {name: partial(_look_up, desk, name) for name in LOOKUPS}


async def _look_up(desk: Desk, name: str, message: Message, recollection: Recollection) -> TurnOutcome | Content:
    if isinstance(message.content, Question) and name != "summary":  # the name alone, typed as a message
        return message.content
    asked = meant(name, message.values, await desk.context(message.person))
    return aside(said(asked, kind="refuse"), recollection) if isinstance(asked, str) else asked


def meant(name: str, values: Mapping[str, Any], context: ToolContext) -> Content | Template:
    """Return what a command asks, by the ``line`` that follows it or by its options; or in a sentence why nothing.

    What of a line is more than names and a period is a question in the person's own words.
    """
    given = {option: text for option, value in values.items() if (text := clean(str(value)).strip())}
    line = given.get("line", "")
    if name == "search":
        words = line or given.get("words", "")
        return _search(words, given.get("period", ""), context) if words else usage(name)
    if name == "compare":
        return _compared(line, context) if line else _pair(given, context)
    if line:
        asked = _of_line(name, line, context)
        return asked if asked is not None else Question(line if name != "summary" else f"{name} {line}")
    if name in _TOOLS and name not in given:
        return usage(name)
    return _of_options(name, given, context)


def _of_options(name: str, given: Mapping[str, str], context: ToolContext) -> Call | Template:
    """Return the call of what was chosen; a name that the tool finds nothing for is the tool's to refuse."""
    arguments: dict[str, list[str]] = {}
    for kind in (name, "account"):
        if kind not in given or kind not in _SLOTS:
            continue
        names = named(kind, given[kind], context)
        if not names and kind == "category":  # whose slot takes a part of the words for all of them
            return say(_UNKNOWN, name=given[kind])
        arguments[kind] = names or [given[kind]]
    return _call(name, arguments, given.get("period", ""))


def _of_line(name: str, line: str, context: ToolContext) -> Call | None:
    """Return the call of a name, a period and an account, in that order or another; None where there is more."""
    whole = named(name, line, context) if name in _TOOLS else []
    if whole:
        return _call(name, {name: whole}, "")
    times = find_periods(line, _ANY_DAY)
    period = line[times[-1].start : times[-1].end] if times else ""
    rest = _blank(line, times[-1].start, times[-1].end).strip() if times else line
    arguments: dict[str, list[str]] = {}
    rest, account = _split_account(rest, context)
    if account:
        arguments["account"] = [account]
    if name in _TOOLS:
        names = named(name, rest, context)
        if not names:
            return None
        arguments[name] = names
    elif _LEADING.sub("", rest).strip():
        return None
    return _call(name, arguments, _LEADING.sub("", period).strip() if name == "summary" else period)


def _split_account(text: str, context: ToolContext) -> tuple[str, str]:
    """Return a text without the account at its end (“from Checking”), and that account."""
    for account in own_names("account", context.vocabulary):
        before = text[: -len(account)]
        if text.casefold().endswith(account.casefold()) and _FROM.search(before):
            return _FROM.sub("", before).strip(), account
    return text, ""


def _call(name: str, arguments: Mapping[str, Sequence[str]], period: str) -> Call:
    # A name by itself may be taken for no value ("None") or for several (“["A", "B"]”); in a list it is one name.
    names = {kind: list(each) for kind, each in arguments.items()}
    if name == "summary":
        return Call(SUMMARY, {"period": period or _LAST_MONTH, **names})
    return Call(_TOOLS[name], {**names, **during(period)})


def named(kind: str, text: str, context: ToolContext) -> list[str]:
    """Return the ledger's names that a text consists of; none where it is more than names, or something else."""
    own = _own(text, own_names(kind, context.vocabulary))
    if own:
        return [own]
    slot = _SLOTS[kind]
    found = slot.find(text, context)
    rest = text
    for mention in found:
        rest = _blank(rest, mention.start, mention.end)
    joints = len(_JOINED.findall(rest))
    if found and joints == len(found) - 1 and not _JOINED.sub("", rest).strip():
        return [name for mention in found for name in names_of(mention.value)]
    if kind == "category" or _JOINED.search(text):
        return []
    checked = slot.check([text], context)
    return [] if checked.problem else list(names_of(checked.value))


def _compared(line: str, context: ToolContext) -> Content:
    """Return the comparison of two things, or of one over two months where only one is named and no second time."""
    times = find_periods(line, _ANY_DAY)
    rest = line
    for time in times:
        rest = _blank(rest, time.start, time.end)
    periods = [line[time.start : time.end] for time in times]
    if periods and not _JOINED.sub("", rest).strip():
        return Call(COMPARE, {"periods": periods})
    for kind in ("category", "merchant"):
        names = named(kind, rest.strip(), context)
        if len(names) == 1:
            return Call(COMPARE, {kind: names, "periods": periods or [_LAST_MONTH]})
    for joint in _JOINED.finditer(rest):
        if len(periods) > 1:
            break
        sides = {"one": rest[: joint.start()].strip(), "another": rest[joint.end() :].strip()}
        asked = _pair({**sides, "period": "".join(periods)}, context)
        if isinstance(asked, Call):
            return asked
    return Question(f"compare {line}")


def _pair(given: Mapping[str, str], context: ToolContext) -> Call | Template:
    """Return the comparison of two that are of one kind, or in a sentence that they are not, or are the same."""
    one, another = given.get("one", ""), given.get("another", "")
    meanings = [_meanings(side, context) for side in (one, another)]
    for side, found in zip((one, another), meanings, strict=True):
        if not found:
            return say(_UNKNOWN, name=side)
    period = given.get("period", "")
    kind = next((kind for kind in meanings[0] if kind in meanings[1] and meanings[0][kind] != meanings[1][kind]), "")
    sides = [each.get(kind, "") for each in meanings]
    if kind == "period":
        return Call(COMPARE, {"periods": [*sides, *([period] if period else [])]})
    return Call(COMPARE, {kind: sides, **during(period)}) if kind else say(_NO_PAIR, one=one, another=another)


def _meanings(value: str, context: ToolContext) -> dict[str, str]:
    """Return the kinds of thing that a side of a comparison is, each with its name, the kind that is offered first first."""
    kinds = ("category", "merchant")
    names = {kind: own for kind in kinds if (own := _own(value, own_names(kind, context.vocabulary)))}
    if value and (not names or value in months(context.vocabulary)) and _is_period(value, context):
        return {"period": value, **names}
    return names or {kind: found[0] for kind in kinds if len(found := named(kind, value, context)) == 1}


def own_names(kind: str, vocabulary: Vocabulary) -> list[str]:
    """Return the names of a ledger's categories, merchants or accounts, as they are written there."""
    match kind:
        case "category":
            return list(vocabulary.categories)
        case "merchant":
            return [name for _, name in vocabulary.merchants]
        case "account" | "merge_into":
            return [account.name for account in vocabulary.accounts]
    return []


def months(vocabulary: Vocabulary) -> list[str]:
    """Return the months that a ledger spans, the latest first, as they are offered."""
    first, last = vocabulary.first, vocabulary.last
    if first is None or last is None:
        return []
    latest, earliest = last.year * 12 + last.month - 1, first.year * 12 + first.month - 1
    numbers = range(latest, max(earliest, latest - _MOST_MONTHS) - 1, -1)
    return [month_name(f"{number // 12}-{number % 12 + 1:02}", "en") for number in numbers]


def _own(value: str, names: Sequence[str]) -> str:
    """Return a name as the ledger writes it."""
    if value in names:
        return value
    return next((name for name in names if name.casefold() == value.casefold()), "")


def _is_period(value: str, context: ToolContext) -> bool:
    try:
        read_period(value, context)
    except UnknownPeriod:
        return False
    return True


def _search(words: str, period: str, context: ToolContext) -> Content:
    """Look for words; a period that is none is looked for among them."""
    names = own_names("merchant", context.vocabulary)
    words = re.sub(r"^for\s+", "", words, flags=re.IGNORECASE)
    if period and not _is_period(period, context):
        return search(f"{words} {period}", names=names)
    return search(words, period, names)


def search(words: str, period: str = "", names: Iterable[str] = ()) -> Content:
    """Look for words as they stand; bounds on the amount among them are taken out and set, and so is a time.

    Of several times the last is meant, for it comes behind the words, and none where there is a ``period`` of its own.
    Nothing is taken out of quotes, nor is a part of one of ``names``.
    """
    known = [name for name in names if name.casefold() in words.casefold()]
    asked = words
    is_free = _free_in(words, known)
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
    if not known and (kind := _KIND.match(asked)):
        alone = _KINDS[kind[1].casefold()] if _KIND.fullmatch(query) else ""
        return Call(_LIST, {**arguments, "kind": alone}) if alone else Question(f"{asked} {period}".strip())
    exact = None if known else _exactly(query)
    if exact is None and query:
        return Call(_SEARCH, {"query": query, **arguments})
    return Call(_LIST, {**arguments, **(exact or {})})


def _free_in(words: str, names: Iterable[str]) -> Callable[[int, int], bool]:
    """Return what tells whether a part of words lies neither in quotes nor in one of these names."""
    whole = [_QUOTED, *(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names)]
    kept = [found.span() for pattern in whole for found in re.finditer(pattern, words, re.IGNORECASE)]

    def is_free(start: int, end: int) -> bool:
        return (0, len(words)) not in kept and all(
            end <= first or last <= start or (start <= first and last <= end) for first, last in kept
        )

    return is_free


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
