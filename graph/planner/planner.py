"""The planner: reads a question, ranks the tools, fills one, and knows when it does not know."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graph.planner.compositions import asks_about_figures, composed, figures_from
from graph.planner.filling import fill, phrase_of
from graph.planner.followups import edited, is_follow_up
from graph.planner.plan import Plan
from graph.planner.ranking import Ranked, Ranker, TextEmbedder
from graph.planner.reading import Reading, read, slots_of
from graph.planner.vocabulary import FUTURE, TELLING_WORDS
from ledger.periods import granularity
from tools.calls import Call
from tools.slots.names import CategorySlot, MerchantSlot, argument_of, names_of
from tools.slots.period import read_period
from tools.slots.slot import Mention
from tools.slots.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.turn import PastTurn
    from tools.context import ToolContext
    from tools.registry import Tool

#: Below this the planner asks or hands over to a model; fitted on the calibration questions (docs/accuracy.md).
SURE = 0.5
_WORTH_OFFERING = 0.25
_SHORTEST_SLIP = 4
_SLIP = 78
_OFFERED_SLOTS = frozenset({"period", "category", "merchant", "account"})
_CLAUSES = re.compile(
    r"[?.;!]\s+(?=\S)|,?\s+\b(?:and|und)\s+(?=(?:how (?:much|many|often)|what|which|when|where|wie viel|wie oft|was|wann)\b)",
    re.IGNORECASE,
)
_SHOP_CUES = frozenset({"at", "bei", "beim"})
_SUBJECT_CUES = frozenset("on at for from by called named in bei fur von mit uber about".split())


class Planner:
    """Plans calls from words alone; holds the ranked examples and nothing of any person."""

    def __init__(self, tools: Sequence[Tool], embedder: TextEmbedder | None) -> None:
        """Plan among these tools; without an embedder, by words only."""
        self._tools = tuple(tools)
        self._slots = slots_of(tools)
        self._embedder = embedder
        self._ranker: Ranker | None = None
        self._known_words = frozenset(
            word.key
            for tool in tools
            for example in (*tool.examples, *tool.keywords)
            for word in words(re.sub(r"\{\w+\}", " ", example))
        )

    async def plan(self, text: str, context: ToolContext, tools: Sequence[Tool], past: Sequence[PastTurn] = ()) -> Plan:
        """Return what to call for a text, given the turns before it."""
        text = _chosen(text, past)
        offered = {tool.name: tool for tool in tools}
        clauses = [clause for clause in _CLAUSES.split(text) if clause.strip()]
        if len(clauses) > 1:
            plans = [await self._plan_one(clause, context, offered, past) for clause in clauses[:9]]
            if all(plan.kind == "calls" and len(plan.rounds) == 1 for plan in plans):
                return _together(plans)
        return await self._plan_one(text, context, offered, past)

    def read(self, text: str, context: ToolContext) -> Reading:
        """Return the mentions of a text; names with a typo are found where nothing else explains a word."""
        reading = read(text, self._slots, context, self._known_words)
        return _with_typos(reading, context)

    async def scores(self, text: str, context: ToolContext, tools: Sequence[Tool]) -> list[tuple[str, float]]:
        """Return how well each tool fits a text, the best first; what can't answer it is left out."""
        ranked = await self._rank(self.read(text, context), context, tools)
        return [(each.tool.name, each.score) for each in ranked if each.tool is not None]

    async def _plan_one(
        self, text: str, context: ToolContext, tools: dict[str, Tool], past: Sequence[PastTurn]
    ) -> Plan:
        reading = self.read(text, context)
        trace: dict[str, Any] = {
            "mentions": [f"{m.slot}: {m.text}" for m in reading.mentions],
            "pattern": " ".join(reading.pattern),
        }
        if any(word.key in FUTURE for word in reading.residue):
            return Plan("none", question="I know only what is booked, nothing of the future.", trace=trace)
        slip = _slip(reading)
        if slip is not None:
            return replace(slip, trace=trace)
        if is_follow_up(reading, past) or asks_about_figures(reading, past):
            follow_up = self._follow_up(reading, context, tools, past)
            if follow_up is not None:
                return Plan("calls", follow_up, 0.9, trace={**trace, "read_as": "follow-up"})
        rounds = composed(reading, tools)
        if rounds is not None:
            return Plan("calls", rounds, 0.9, trace={**trace, "read_as": "two rounds"})
        return self._choose(reading, await self._rank(reading, context, list(tools.values())), trace, context)

    async def _rank(self, reading: Reading, context: ToolContext, tools: Sequence[Tool]) -> list[Ranked]:
        if self._ranker is None:
            self._ranker = Ranker.prepare(self._tools, context, self._embedder)
        return await self._ranker.rank(reading, tools)

    def _follow_up(
        self, reading: Reading, context: ToolContext, tools: dict[str, Tool], past: Sequence[PastTurn]
    ) -> tuple[tuple[Call, ...], ...] | None:
        return figures_from(reading, context, tools, past) or _one(edited(reading, past, tools, context))

    def _choose(self, reading: Reading, ranked: Sequence[Ranked], trace: dict[str, Any], context: ToolContext) -> Plan:
        trace["ranked"] = [(r.tool.name if r.tool else "none", round(r.score, 3)) for r in ranked[:4]]
        best = ranked[0]
        if best.tool is None:
            return Plan("none", confidence=confidence(best.score, reading), trace=trace)
        sure = confidence(best.score, reading)
        ambiguous = [mention for mention in reading.mentions if mention.alternatives and not mention.excluded]
        if sure >= SURE and ambiguous:
            return _ask_which(reading, ambiguous[0], trace)
        if sure < SURE:
            looked = _search(reading, ranked, trace)
            return looked or Plan("clarify", confidence=sure, choices=_readings(reading, ranked), trace=trace)
        return Plan("calls", ((Call(best.tool.name, _completed(best.tool, reading, context)),),), sure, trace=trace)


def _one(call: Call | None) -> tuple[tuple[Call, ...], ...] | None:
    return None if call is None else ((call,),)


def confidence(score: float, reading: Reading) -> float:
    """Return how likely the best reading is the one meant (0 to 1), by its score and the words left unexplained."""
    unexplained = len(reading.residue) / max(4, len(reading.words))
    named = bool(reading.of("category") or reading.of("merchant"))  # an odd word beside a clear subject weighs less
    return 1 / (1 + math.exp(-(9.0 * (score - 0.47) - (3.0 if named else 5.0) * unexplained)))


def _completed(tool: Tool, reading: Reading, context: ToolContext) -> dict[str, Any]:
    arguments = fill(tool, reading)
    if tool.name == "spending-get_spending_summary" and "period" not in arguments:
        summary = reading.has({"summary", "overview", "zusammenfassung", "ubersicht"})
        arguments["period"] = "last_month" if summary else "all_time"
    if tool.name == "spending-compare" and len(arguments.get("periods", ())) == 1:
        arguments["periods"] = _against(reading, arguments["periods"][0], context)
    if tool.name == "spending-analyze_merchant" and reading.has({"category", "categories", "kategorie", "kategorien"}):
        arguments["group_by_category"] = True
    return arguments


def _against(reading: Reading, phrase: str, context: ToolContext) -> list[str]:
    """Return the two periods of "… compared to last year": the present one of that kind, and the one named."""
    mention = reading.of("period")[0]
    words_before = [word.key for word in reading.words if word.start < mention.end][-5:]
    if not any(
        key in {"to", "than", "with", "vs", "versus", "against", "als", "mit", "gegenuber", "zum", "zu"}
        for key in words_before
    ):
        return [phrase]
    size = granularity(mention.value)
    if size not in ("week", "month", "quarter", "year"):
        return [phrase]
    return [phrase_of(read_period(f"this {size}", context)), phrase]


def _together(plans: Sequence[Plan]) -> Plan:
    calls = tuple(call for plan in plans for call in plan.rounds[0])
    periods = [{k: v for k, v in call.arguments.items() if k in ("start_date", "end_date", "period")} for call in calls]
    stated = [period for period in periods if period]
    if len(stated) == 1 and "period" not in stated[0]:  # "… on groceries and how much on rent in October?"
        calls = tuple(
            call
            if period or call.name == "spending-get_spending_summary"
            else Call(call.name, {**call.arguments, **stated[0]})
            for call, period in zip(calls, periods, strict=True)
        )
    return Plan(
        "calls", (calls,), min(plan.confidence for plan in plans), trace={"clauses": [plan.trace for plan in plans]}
    )


def _search(reading: Reading, ranked: Sequence[Ranked], trace: dict[str, Any]) -> Plan | None:
    """Look for the words that nothing explains, if they stand where a subject would."""
    tool = next((r.tool for r in ranked if r.tool and r.tool.name == "transactions-search_transactions"), None)
    about_money = next((r.score for r in ranked if r.tool is None), 0.0) < max(r.score for r in ranked if r.tool)
    named = reading.of("category") or reading.of("merchant")
    if tool is None or not reading.residue or named or not about_money or not _has_subject(reading):
        return None
    merchant = next((r.tool for r in ranked if r.tool and r.tool.name == "spending-analyze_merchant"), None)
    before_it = [word.key for word in reading.words if word.end <= reading.residue[0].start]
    if merchant is not None and before_it and before_it[-1] in _SHOP_CUES:  # a shop that the ledger may not have
        call = Call(merchant.name, {**fill(merchant, reading), "merchant": reading.residue_text})
        return Plan("calls", ((call,),), SURE, trace={**trace, "read_as": "merchant"})
    call = Call(tool.name, fill(tool, reading))
    return Plan("calls", ((call,),), SURE, trace={**trace, "read_as": "search"})


def _has_subject(reading: Reading) -> bool:
    first = reading.residue[0]
    before = [word.key for word in reading.words if word.end <= first.start]
    return bool(before) and before[-1] in _SUBJECT_CUES | {
        "my",
        "the",
        "a",
        "any",
        "meine",
        "meinen",
        "die",
        "find",
    }


def _with_typos(reading: Reading, context: ToolContext) -> Reading:
    """Add a mention for unexplained words that are nearly the name of a merchant or category."""
    if not reading.residue or reading.of("merchant") or reading.of("category"):
        return reading
    phrase = reading.residue_text
    start, end = reading.residue[0].start, reading.residue[-1].end
    if len(phrase) < 4 or reading.text[start:end] != phrase:
        return reading
    for slot in (MerchantSlot(), CategorySlot()):
        checked = slot.check(phrase, context)
        if not checked.problem and checked.value:
            mention = Mention(slot.name, start, end, argument_of(names_of(checked.value)), phrase, 0.8)
            pattern = _replaced(reading, start, end, slot.name)
            mentions = tuple(sorted((*reading.mentions, mention), key=lambda m: m.start))
            return replace(reading, mentions=mentions, pattern=pattern, residue=())
    return reading


def _replaced(reading: Reading, start: int, end: int, slot: str) -> tuple[str, ...]:
    gone = [word.key for word in reading.words if start <= word.start < end]
    pattern = list(reading.pattern)
    for position in range(len(pattern) - len(gone) + 1):
        if pattern[position : position + len(gone)] == gone:
            return (*pattern[:position], f"{{{slot}}}", *pattern[position + len(gone) :])
    return reading.pattern


def _slip(reading: Reading) -> Plan | None:
    """Ask about a word that is nearly one of those that periods and superlatives are made of ("last mnth")."""
    from rapidfuzz import fuzz, process

    for word in reading.residue:
        if len(word.key) < _SHORTEST_SLIP:
            continue
        near = process.extract(
            word.key, list(dict.fromkeys(TELLING_WORDS)), scorer=fuzz.ratio, limit=3, score_cutoff=_SLIP
        )
        if near:
            written = reading.text[word.start : word.end]
            choices = [f"{reading.text[: word.start]}{choice}{reading.text[word.end :]}" for choice, _, _ in near]
            return Plan("clarify", question=f"I don't know the word “{written}”. Do you mean:", choices=tuple(choices))
    return None


def _ask_which(reading: Reading, mention: Mention, trace: dict[str, Any]) -> Plan:
    """Ask which of two likely meanings a word has, each as a complete question."""
    choices = []
    for value in (mention.value, *mention.alternatives):
        words_ = " and ".join(names_of(value))
        choices.append(f"{reading.text[: mention.start]}{words_}{reading.text[mention.end :]}".strip())
    question = f"“{mention.text}” can mean more than one thing in your ledger. Which do you mean?"
    return Plan("clarify", confidence=0.5, question=question, choices=tuple(choices[:4]), trace=trace)


def _readings(reading: Reading, ranked: Sequence[Ranked]) -> tuple[str, ...]:
    """Return up to three questions that the text may have meant, with its own words filled in."""
    said = {word.key for word in reading.words}
    choices = []
    for candidate in ranked:
        if candidate.tool is None or candidate.score < _WORTH_OFFERING:
            continue
        filled = [text for example in candidate.tool.examples if (text := _filled_example(example, reading))]
        if filled:  # the example nearest in words is in the person's language
            choices.append(max(filled, key=lambda text: len(said & {word.key for word in words(text)})))
    return tuple(dict.fromkeys(choices))[:3]


def _filled_example(example: str, reading: Reading) -> str | None:
    """Return an example with the text's own names and dates, or None where they do not fit."""
    wanted = re.findall(r"\{(\w+)\}", example)
    if (
        not set(wanted) <= _OFFERED_SLOTS
        or any(not reading.of(slot) for slot in wanted)
        or len(set(wanted)) != len(wanted)
    ):
        return None
    if any(mention.slot in _OFFERED_SLOTS and mention.slot not in wanted for mention in reading.mentions):
        return None
    return re.sub(r"\{(\w+)\}", lambda match: reading.of(match.group(1))[0].text, example)


def _chosen(text: str, past: Sequence[PastTurn]) -> str:
    """Return the choice that a short answer to a clarifying question picks, else the text."""
    choices = past[-1].choices if past else ()
    if not choices:
        return text
    plain = text.strip().strip(".!").casefold()
    ordinals = {"1": 0, "2": 1, "3": 2, "4": 3, "first": 0, "second": 1, "third": 2, "the first": 0, "the second": 1,
                "the first one": 0, "the second one": 1, "the third one": 2, "erste": 0, "zweite": 1, "dritte": 2,
                "das erste": 0, "das zweite": 1, "die erste": 0, "die zweite": 1}  # fmt: skip
    if plain in ordinals and ordinals[plain] < len(choices):
        return choices[ordinals[plain]]
    return next((choice for choice in choices if plain == choice.casefold().strip(".!?")), text)
