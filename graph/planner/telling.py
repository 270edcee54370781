"""How an answer is to be told, said beside the question: before refunds, in a row ("der Reihe nach"), only the names.

Such words are taken out of the text; the rest is planned as it stands, and the plan is told in that way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from graph.planner.asking_back import NOT_LEFT_OUT
from graph.planner.calls import CALCULATE, meaning_of, meaning_of_scope, rounds_of
from graph.planner.consumption import NOT_TAKEN
from graph.planner.figures import standing
from graph.planner.plan import Plan
from language import cues
from language.catalogue import say
from language.lexicon import counts
from language.words import cut_out, fold_in_place

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping, Sequence

    from graph.planner.meaning import Meaning
    from graph.turn import PastTurn
    from tools.calls import Call
    from tools.context import ToolContext
    from tools.registry import Tool

#: What can be told as it was before anything came back of it.
_BEFORE_REFUNDS = frozenset({"total", "average", "series", "rank", "count"})
#: What has an order, and what can be told in one: a sum by its months or years.
_ROWS = frozenset({"rows", "series"})
_IN_ORDER = _ROWS | {"total"}


@dataclass(frozen=True, slots=True)
class Telling:
    """A question with how its answer is to be told, which its plan does not know yet."""

    question: str
    said: re.Match[str]
    as_told: Callable[[Plan, re.Match[str], Sequence[PastTurn], ToolContext, Mapping[str, Tool]], Plan]

    def of(self, plan: Plan, past: Sequence[PastTurn], context: ToolContext, tools: Mapping[str, Tool]) -> Plan:
        """Return the plan of the question as it is to be told."""
        return self.as_told(plan, self.said, past, context, tools) if plan.kind == "calls" else plan


def told_in_a_way(text: str) -> Telling | None:
    """Return the question of a text that says how its answer is to be told; None for every other."""
    folded = fold_in_place(text)
    for form, as_told in ((cues.GROSS, _before_refunds), (cues.IN_A_ROW, _in_a_row), (cues.ONLY_SO, _plainly)):
        said = form.search(folded)
        question = _without(text, said) if said else ""
        if said and question:
            return Telling(question, said, as_told)
    return None


def _without(text: str, said: re.Match[str]) -> str:
    """Return a text without what is said, but with what stands within it ("alle vier von 2025 der Reihe nach")."""
    kept = [said.span(name) for name in said.groupdict() if name.startswith("kept") and said[name]]
    spans = [(said.start(), kept[0][0]), (kept[0][1], said.end())] if kept else [said.span()]
    return cut_out(text, spans).strip(" ,;")


def _plainly(
    plan: Plan, said: re.Match[str], past: Sequence[PastTurn], context: ToolContext, tools: Mapping[str, Tool]
) -> Plan:
    del said, past, context, tools  # every answer states the names and the amounts
    return plan


def _before_refunds(
    plan: Plan, said: re.Match[str], past: Sequence[PastTurn], context: ToolContext, tools: Mapping[str, Tool]
) -> Plan:
    """Return the plan of sums as what was paid before anything came back of it; the question about anything else."""
    del past
    made = []
    for call in plan.calls:
        meaning = meaning_of(call, context)
        sums = meaning.of == "spending" and meaning.act in _BEFORE_REFUNDS and call.name != CALCULATE
        rounds = rounds_of(meaning.but(of="gross"), tools) if sums else None
        if rounds is None:
            return Plan("clarify", question=say(NOT_LEFT_OUT, words=said.group().strip(" ,")))
        made.append(rounds[0][0])
    return replace(plan, rounds=(tuple(made),))


def _in_a_row(
    plan: Plan, said: re.Match[str], past: Sequence[PastTurn], context: ToolContext, tools: Mapping[str, Tool]
) -> Plan:
    """Return the plan with rows from the oldest on, and with a figure for each month or year in place of a sum of several."""
    number = next((count for name, word in said.groupdict().items() if "count" in name and (count := _count(word))), 0)
    before = meaning_of_scope(scope, context) if (scope := standing(past)) else None
    meanings = [meaning_of(call, context) for call in plan.calls]
    if cues.NUMBER_ASKED.search(said.string) and not all(each.act in _ROWS for each in meanings):
        return Plan("clarify", question=say(NOT_TAKEN, words=said.group().strip(" ,")))
    if not all(each.act in _IN_ORDER for each in meanings):
        return replace(plan, unread=(*plan.unread, said.group().strip(" ,")))
    if len(plan.rounds) != 1:
        return plan
    if len(meanings) == 1:
        told = _one_by_one(meanings[0], before, number)
        rounds = rounds_of(told, tools) if told else None
        return replace(plan, rounds=rounds) if rounds else plan
    return replace(plan, rounds=(_each(plan.calls, meanings, before, number, tools),))


def _count(word: str | None) -> int:
    return int(word) if word and word.isdigit() else counts().get(word or "", 0)


def _one_by_one(meaning: Meaning, before: Meaning | None, number: int) -> Meaning | None:
    """Return rows in their order, or a figure for each month or year of a sum; with those before where these are meant, too."""
    if meaning.act == "rows":
        return meaning.but(sort="oldest")
    if meaning.act != "total" or meaning.period is None or not meaning.is_bounded:
        return None
    period, grain, several = meaning.period, "month", 0
    for each in ("month", "year"):
        count = _how_many(meaning, each)
        several, grain = (count, each) if count else (several, grain)
    if several < 1:
        return None
    if before and before.period and before.about == meaning.about and number == several + _how_many(before, grain):
        start, end = min(period.start, before.period.start), max(period.end, before.period.end)
        period = replace(period, start=start, end=end, phrase="")
        several = number
    return meaning.but(act="series", grain=grain, periods=(period,)) if several > 1 else None


def _how_many(meaning: Meaning, grain: str) -> int:
    """Return how many whole months or years the time of a meaning is; 0 where it is no whole ones."""
    period = meaning.period
    if period is None or not meaning.is_bounded:
        return 0
    months = (period.end.year - period.start.year) * 12 + period.end.month - period.start.month + 1
    whole = period.start.day == 1 and (period.end.replace(day=28) - period.start).days >= 0
    if not whole or (grain == "year" and (months % 12 or period.start.month != 1)):
        return 0
    return months if grain == "month" else months // 12


def _each(
    calls: Sequence[Call], meanings: Sequence[Meaning], before: Meaning | None, number: int, tools: Mapping[str, Tool]
) -> tuple[Call, ...]:
    """Return the calls of several sums by their times, with the one before where that many are meant."""
    several = list(zip(calls, meanings, strict=True))
    own = rounds_of(before, tools) if before and number == len(calls) + 1 else None
    several += [(own[0][0], before)] if own and before else []
    timed = all(meaning.period for _, meaning in several)
    ordered = sorted(several, key=lambda each: each[1].period.start) if timed else several  # type: ignore[union-attr]
    return tuple(call for call, _ in ordered)
