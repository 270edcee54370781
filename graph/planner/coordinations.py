"""One question that asks for several figures: two measures, income and spending, each of several names or periods."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from graph.planner.filling import fill
from graph.planner.intents import CATEGORY, EXTREMES, INCOME, MERCHANT, SUMMARY, wants_of
from graph.planner.pointing import mention_at
from graph.planner.vocabulary import INCOME_WORDS
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.reading import Reading
    from tools.registry import Tool
    from tools.slots.slot import Mention

_AND = frozenset({"and", "und", "or", "oder", "sowie", "plus"})
_PREPOSITIONS = frozenset("in on at for during from with im am fur bei an in aus".split())
_SPENDING_WORDS = frozenset(
    "spending expenses expenditure outgoings outlay costs ausgaben kosten spendings spent".split()
)
_SUMS = frozenset("total sum amount totals summe gesamtsumme gesamtbetrag betrag much viel wieviel kosten cost".split())
_OF_ITS_OWN = ("measure", "operation", "per", "show", "kind", "by")
_BETWEEN = 4
_TWO = 2
_MOST_EACH = 9


def coordinated(reading: Reading, tools: Mapping[str, Tool]) -> tuple[Call, ...] | None:
    """Return the calls of a question that asks for several figures at once, or None."""
    calls = _several_measures(reading, tools) or _sum_and_measure(reading, tools) or _in_and_out(reading, tools)
    return calls or _each(reading, tools)


def total_call(reading: Reading, tools: Mapping[str, Tool]) -> Call | None:
    """Return the call for the spending that a reading's mentions describe."""
    name = SUMMARY
    if reading.of("merchant"):
        name = MERCHANT
    elif reading.of("category"):
        name = CATEGORY
    tool = tools.get(name)
    if tool is None:
        return None
    arguments = fill(tool, reading)
    arguments.pop("per", None)
    if name == SUMMARY:
        arguments.setdefault("period", "all_time")
    return Call(name, arguments)


def _several_measures(reading: Reading, tools: Mapping[str, Tool]) -> tuple[Call, ...] | None:
    """``my largest and smallest purchase at Costco``: one call for each measure."""
    measures = reading.of("measure")
    values = list(dict.fromkeys(mention.value for mention in measures))
    tool = tools.get(EXTREMES)
    if tool is None or len(values) < _TWO or len(values) < len(measures) or "top" in values or reading.residue:
        return None
    if not all(_joined(reading, first, second) for first, second in pairwise(measures)):
        return None
    arguments = fill(tool, reading)
    return tuple(Call(EXTREMES, {**arguments, "measure": value}) for value in values)


def _sum_and_measure(reading: Reading, tools: Mapping[str, Tool]) -> tuple[Call, ...] | None:
    """``Summe und Anzahl meiner Einkäufe``, ``how often and how much``: the total and the measure."""
    measures = reading.of("measure")
    tool = tools.get(EXTREMES)
    total = total_call(reading, tools)
    if (
        tool is None
        or total is None
        or len(measures) != 1
        or measures[0].value == "top"
        or not _beside_sum(reading, measures[0])
    ):
        return None
    measured = Call(EXTREMES, fill(tool, reading))
    first_total = measures[0].start > min((w.start for w in reading.words if w.key in _SUMS), default=0)
    return (total, measured) if first_total else (measured, total)


def _beside_sum(reading: Reading, measure: Mention) -> bool:
    """Whether "and" stands right beside a measure, and a word for the sum right behind or before that."""
    keys = [word.key for word in reading.words]
    inside = [place for place, word in enumerate(reading.words) if measure.start <= word.start < measure.end]
    first, last = inside[0], inside[-1]
    leading = first > 1 and keys[first - 1] in _AND and bool(_SUMS & set(keys[max(0, first - 4) : first - 1]))
    trailing = (
        keys[last + 1 : last + 2] != [] and keys[last + 1] in _AND and bool(_SUMS & set(keys[last + 2 : last + 5]))
    )
    return leading or trailing


def _in_and_out(reading: Reading, tools: Mapping[str, Tool]) -> tuple[Call, ...] | None:
    """``total spending and total income in Q2``: both totals of one period."""
    income, summary = tools.get(INCOME), tools.get(SUMMARY)
    places = {
        kind: [place for place, word in enumerate(reading.words) if word.key in known]
        for kind, known in (("in", INCOME_WORDS), ("out", _SPENDING_WORDS), ("and", _AND | {"&"}))
    }
    if income is None or summary is None or not all(places.values()) or wants_of(reading).left:
        return None
    first, second = sorted((places["in"][0], places["out"][0]))
    if second - first > _BETWEEN or not any(first < place < second for place in places["and"]):
        return None
    plain = _without_words_of_income(reading)
    if any(plain.of(slot) for slot in ("category", "merchant", "measure")) or wants_of(reading).cues & {"compare"}:
        return None
    spent = total_call(plain, tools)
    earned = Call(INCOME, fill(income, plain))
    if spent is None:
        return None
    return (earned, spent) if places["in"][0] < places["out"][0] else (spent, earned)


def _without_words_of_income(reading: Reading) -> Reading:
    """Return a reading whose "income" is no category, and whose "expenses" no kind of purchase."""
    words_of = {word.start for word in reading.words if word.key in INCOME_WORDS | _SPENDING_WORDS}
    mentions = tuple(m for m in reading.mentions if m.start not in words_of or m.slot == "period")
    return replace(reading, mentions=mentions)


def _each(reading: Reading, tools: Mapping[str, Tool]) -> tuple[Call, ...] | None:
    """``in July, in August and in September``, ``Uber, Lyft and Shell each``: the total of each.

    Two names are compared, which states both; of three it would leave one to the details.
    """
    wants = wants_of(reading)
    if wants.left or wants.cues & {"compare", "together", "income"} or any(reading.of(slot) for slot in _OF_ITS_OWN):
        return None
    periods = reading.of("period")
    if 1 < len(periods) <= _MOST_EACH:
        return _one_by_one(reading, periods, tools) if "each" in wants.cues or _asked_apart(reading, periods) else None
    names = next((found for slot in ("merchant", "category") if len(found := reading.of(slot)) > _TWO), ())
    return _one_by_one(reading, names, tools) if "each" in wants.cues and 0 < len(names) <= _MOST_EACH else None


def _one_by_one(reading: Reading, mentions: Sequence[Mention], tools: Mapping[str, Tool]) -> tuple[Call, ...] | None:
    calls: list[Call] = []
    for mention in mentions:
        others = tuple(m for m in reading.mentions if m.slot != mention.slot or m is mention or m.excluded)
        call = total_call(replace(reading, mentions=others), tools)
        if call is None:
            return None
        calls.append(call)
    return tuple(calls)


def _asked_apart(reading: Reading, periods: Sequence[Mention]) -> bool:
    """Whether every period has a preposition of its own: "in May and June" is one stretch, "in May and in June" are two."""
    return all(mention.slot == "period" and _is_led(reading, mention) for mention in periods)


def _is_led(reading: Reading, mention: Mention) -> bool:
    before = [word.key for word in reading.words if word.end <= mention.start][-1:]
    inside = [word.key for word in reading.words if mention.start <= word.start < mention.end][:1]
    return bool(_PREPOSITIONS & {*before, *inside})


def _joined(reading: Reading, first: Mention, second: Mention) -> bool:
    """Whether two mentions are joined by "and" or a comma, with nothing named between them."""
    between = [word for word in reading.words if first.end <= word.start < second.start]
    joined = any(word.key in _AND for word in between) or "," in reading.text[first.end : second.start]
    return joined and len(between) <= _BETWEEN and all(mention_at(reading, w) in (None, "by", "kind") for w in between)
