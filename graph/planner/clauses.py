"""Several questions in one message: where one ends and the next begins, and what they lend each other."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from graph.planner.calls import meaning_of, rounds_of
from graph.planner.plan import CLAUSE, Plan
from graph.planner.pointing import points_back
from graph.planner.vocabulary import CORRECTIONS, INTERJECTIONS, NARROWERS, OPENERS
from graph.turn import PastTurn
from language import cues
from language.lexicon import listed
from language.remarks import leaves_out
from language.words import words
from tools.results import Scope

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

    from graph.planner.meaning import Meaning
    from graph.planner.reading import Reading
    from tools.calls import Call
    from tools.context import ToolContext
    from tools.registry import Tool

_HOW_MUCH = cues.HOW_MUCH.pattern
_QUESTION = f"{_HOW_MUCH}|{cues.QUESTION_WORD.pattern}"
#: "… and how much …", "…, wie viel …" after another of its kind.
_JOINT = re.compile(
    rf"(?<=\S)(?:,\s*|\s+)(?:{cues.JOINED_BY.pattern})\s+"
    rf"(?=(?:(?:{cues.ALSO.pattern}) )?(?:(?:{cues.PLACED.pattern})\s+)?(?:{_QUESTION})\b)",
    re.IGNORECASE,
)
_LISTED = re.compile(rf",\s*(?=(?:{_HOW_MUCH})\b)", re.IGNORECASE)
_ASKED = re.compile(rf"\b(?:{_HOW_MUCH})\b", re.IGNORECASE)
_STOP = re.compile(r"(?<=[?!;])\s*(?=\S)|\.+\s+(?=\S)|\n+")
_NEXT = re.compile(rf"\s*(?:{_QUESTION}|{cues.GOES_ON.pattern})\b", re.IGNORECASE)
#: Words that end in a stop without ending a sentence.
_SHORTENED = listed("abbreviations")
_MOST = 9
#: What says no more than how a figure is told.
_FIGURES = frozenset({"operation", "per", "limit"})
_DIGITS_OF_A_DAY = 2


def clauses_of(text: str, belongs: Callable[[str], bool] = lambda _: False) -> list[str]:
    """Return the questions of a message in order; what is only said in passing ("hmm ok.") is none.

    ``belongs`` says of a piece whether it only narrows the one before ("… on Fridays? just October").
    """
    told = [(start, end) for start, end in _pieces(text) if _says_something(text[start:end])]
    clauses: list[tuple[int, int]] = []
    for start, end in told:
        piece = text[start:end]
        if clauses and not _joins(piece) and belongs(piece):
            clauses[-1] = clauses[-1][0], end
        else:
            clauses.append((start, end))
    return [text[start:end].strip().rstrip(".") for start, end in clauses] or [text]


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences of a text stand, and within them the questions that "and" or a comma joins."""
    for start, end in _sentences(text):
        for first, last in _between(_JOINT, text, start, end):
            listed = _ASKED.search(text[first:last])
            comma = _LISTED.search(text, first, last)
            apart = listed and comma and first + listed.start() < comma.start()
            yield from _between(_LISTED, text, first, last) if apart else ((first, last),)


def _between(separator: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a text between separators."""
    for match in separator.finditer(text, start, end):
        if _says_something(text[start : match.start()]):  # "ok and how much …" joins on to what was said before
            yield start, match.start()
            start = match.end()
    yield start, end


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences, split at stops, but not behind a day or a shortened word ("am 3. Oktober", "St. James")."""
    start = 0
    for match in _STOP.finditer(text):
        if not (match.group().startswith(".") and _is_no_end(text, start, match)):
            yield start, match.end()
            start = match.end()
    yield start, len(text)


def _is_no_end(text: str, start: int, stop: re.Match[str]) -> bool:
    """Whether a full stop belongs to the number or the shortened word before it."""
    told = words(text[start : stop.start()])
    if not told or _NEXT.match(text, stop.end()):
        return False
    last = told[-1].key
    if last.isdigit():
        return len(last) <= _DIGITS_OF_A_DAY
    return last in _SHORTENED or len(last) == 1 or text[stop.end()].isdigit()


def _joins(piece: str) -> bool:
    return _begins(piece, OPENERS)


def _begins(piece: str, phrases: Sequence[tuple[str, ...]]) -> bool:
    keys = tuple(word.key for word in words(piece))
    return any(keys[: len(phrase)] == phrase for phrase in phrases)


def _says_something(clause: str) -> bool:
    keys = [word.key for word in words(clause)]
    return any(key not in INTERJECTIONS | listed("denials") for key in keys)


@dataclass(frozen=True, slots=True)
class Planning:
    """How one question is planned and read, and for whom."""

    plan: Callable[[str, Sequence[PastTurn]], Awaitable[Plan]]
    read: Callable[[str], Reading]
    tools: Mapping[str, Tool]
    context: ToolContext


async def plan_clauses(clauses: Sequence[str], planning: Planning, past: Sequence[PastTurn]) -> Plan | None:
    """Return one plan for several questions, or None where one of them is not understood by itself.

    A question may leave its subject or period to the one before it ("… at Amazon, and what was the largest order?"), and its
    period also to the one behind it ("how much on rent and how much on groceries in October?"). What is no question about
    money is left aside.
    """
    readings = [planning.read(clause) for clause in clauses[:_MOST]]
    said = [] if _is_lent_a_period(readings) else list(past)
    asked: list[tuple[Reading, Plan]] = []
    aside: list[str] = []
    for clause, reading in zip(clauses, readings, strict=False):
        plan = await planning.plan(clause, said)
        if plan.kind != "calls":
            if not _asks_nothing(clause, reading, is_last=clause is clauses[-1]):
                return None
            aside += [clause.strip()] if reading.mentions else []
            continue
        if asked and (_begins(clause, CORRECTIONS) or _only_narrows_more(clause)):
            asked.pop()  # "… in June? Sorry, I meant May.", "… at Tesco? Just the garage.": only that is meant
        asked.append((reading, plan))
        call = plan.rounds[0][-1]
        said.append(PastTurn(clause, CLAUSE, Scope(call.name, dict(call.arguments)), ()))
    joined = _joined_up(asked, planning) if asked else None
    return replace(joined, unread=(*aside, *joined.unread)) if joined else None


def _only_narrows_more(clause: str) -> bool:
    """Whether a clause begins by saying which ones are meant, and asks nothing of its own."""
    first = words(clause)[:1]
    return bool(first) and first[0].key in NARROWERS and not _ASKED.search(clause)


def _asks_nothing(clause: str, reading: Reading, *, is_last: bool) -> bool:
    """Whether a clause only says something, and names nothing of the ledger ("people say 30 percent at most")."""
    if _ASKED.search(clause) or leaves_out(reading.words):
        return False
    told = not is_last and not clause.rstrip().endswith("?")  # "in percent?" asks how the figure is to be told
    return not reading.mentions or (told and all(mention.slot in _FIGURES for mention in reading.mentions))


def _joined_up(asked: Sequence[tuple[Reading, Plan]], planning: Planning) -> Plan | None:
    """Return the plans of several questions as one, each with what it is lent by the one behind it; None of two rounds."""
    plans = [plan for _, plan in asked]
    if any(len(plan.rounds) > 1 for plan in plans):
        return plans[0] if len(plans) == 1 else None
    for place in range(len(plans) - 2, -1, -1):
        plans[place] = _lent(plans[place], asked[place][0], plans[place + 1], planning)
    return Plan(
        "calls",
        (_each_once(plans),),
        min(plan.confidence for plan in plans),
        unread=tuple(dict.fromkeys(each for plan in plans for each in plan.unread)),
        trace={"clauses": [plan.trace for plan in plans]},
    )


def _is_lent_a_period(readings: Sequence[Reading]) -> bool:
    """Whether the first question has its period from a later one of its message, and so from nothing said before."""
    first, *later = readings
    joins = _joins(first.text) or points_back(first) or _begins(first.text, CORRECTIONS)
    return not joins and not first.of("period") and any(reading.of("period") for reading in later)


def _each_once(plans: Sequence[Plan]) -> tuple[Call, ...]:
    """Return the calls of several plans, the same one once."""
    calls = [call for plan in plans for call in plan.rounds[0]]
    return tuple({(call.name, str(sorted(call.arguments.items()))): call for call in calls}.values())


def _lent(plan: Plan, reading: Reading, later: Plan, planning: Planning) -> Plan:
    """Return a clause's plan with the period of the one behind it, and its subject where the noun itself stands there.

    "When was I last at Costco, and what did I spend there this year?" asks for the last time of all.
    """
    lender = meaning_of(later.rounds[0][0], planning.context)
    calls = tuple(_lent_call(call, reading, lender, planning) for call in plan.rounds[0])
    return replace(plan, rounds=(calls,))


def _lent_call(call: Call, reading: Reading, lender: Meaning, planning: Planning) -> Call:
    own = meaning_of(call, planning.context)
    lent = own
    if own.act == lender.act == "extreme" and _ends_in_measure(reading):
        lent = lent.but(about={**lender.about, **own.about})
    asks_when = own.act == "extreme" and own.end in ("latest", "first")
    if not own.periods and lender.periods and not reading.of("period") and not asks_when:
        lent = lent.but(periods=lender.periods)
    rounds = rounds_of(lent, planning.tools) if lent != own else None
    return rounds[0][0] if rounds else call


def _ends_in_measure(reading: Reading) -> bool:
    """Whether a clause leaves its noun to the next one: "my dearest and what my cheapest purchase at Penny"."""
    named = any(reading.of(slot) for slot in ("category", "merchant", "account", "by"))
    measures = [mention.end for mention in reading.of("measure")]
    return bool(measures) and not named and max(measures) >= reading.words[-1].end


def only_narrows(reading: Reading, text: str) -> bool:
    """Whether a clause names only a period or what to leave out, and asks nothing itself, words of its message said again aside.

    "Which of my clients paid the most? Clients, not Kayla."
    """
    said = [word.key for word in words(text)]
    narrows = bool(reading.mentions) and all(m.slot == "period" or m.excluded for m in reading.mentions)
    asks = bool(reading.words) and reading.words[0].key in listed("asking")
    return narrows and all(said.count(word.key) > 1 for word in reading.residue) and not asks
