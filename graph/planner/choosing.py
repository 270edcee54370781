"""Choosing one tool for a reading: by its cues, by what is nearest in words and meaning, or not at all."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from graph.planner.cues import DANGLING
from graph.planner.filling import fill, phrase_of
from graph.planner.intents import (
    BY_CUES,
    CATEGORY,
    COMPARE,
    EXTREMES,
    INCOME,
    LIST,
    MERCHANT,
    SEARCH,
    SUMMARY,
    Intent,
    about_others,
    adjoining,
    intent_of,
    orders,
    wants_of,
)
from graph.planner.plan import Plan
from graph.planner.pointing import mention_at
from language.words import fold, words
from ledger.periods import find_periods, granularity
from tools.calls import Call
from tools.slots.names import names_of
from tools.slots.period import read_period

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.ranking import Ranked
    from graph.planner.reading import Reading
    from language.words import Word
    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.slots.slot import Mention
    from tools.surface import Surface

#: Below this the planner asks or hands over to a model; set by hand on golden questions (docs/accuracy.md).
SURE = 0.5
#: So sure a question back is the person's to answer, and no model's: what was said can't be read as it stands.
MUST_ASK = 0.97
#: So alike must a question be to an example of what is not ours, or of a tool that cues don't name, to be taken for it.
_NOT_OURS, OTHERS = 0.62, 0.7
_NO_ORDERS = "I only answer questions; I can't move money or change a transaction. {} deletes what I keep of you."
#: A sentence without any cue that is less like every example than this is about something else.
_AT_ALL_OURS = 0.5
_WORTH_OFFERING = 0.25
_OFFERED_SLOTS = frozenset({"period", "category", "merchant", "account"})
_SHOP_CUES = frozenset({"at", "bei", "beim"})
_SPENT_CUES = _SHOP_CUES | frozenset("on for from fur von fuer furs".split())
_JOINED = frozenset({"and", "or", "vs", "plus", "und", "oder", "&", "+", "and at", "and on", "und bei", "und fur"})
_MOST_FOUND = 5
_LONGEST_NAME = 3


@dataclass(frozen=True, slots=True)
class Candidates:
    """What a reading may ask for: the ranked tools, the best first, and those that this person may use."""

    reading: Reading
    ranked: Sequence[Ranked]
    tools: Mapping[str, Tool]
    context: ToolContext
    trace: dict[str, Any]

    def clarify(self, sure: float) -> Plan:
        """Return the question which of the likeliest readings is meant."""
        return Plan("clarify", confidence=sure, choices=_readings(self.reading, self.ranked), trace=self.trace)

    def call(self, name: str, arguments: dict[str, Any], sure: float, read_as: str) -> Plan:
        """Return one call."""
        return Plan("calls", ((Call(name, arguments),),), sure, trace={**self.trace, "read_as": read_as})


async def choose(candidates: Candidates, *, anything_before: bool) -> Plan:
    """Return the plan for a reading that is neither a request, a follow-up nor a composition."""
    reading, best = candidates.reading, candidates.ranked[0]
    candidates.trace["ranked"] = [(r.tool.name if r.tool else "none", round(r.score, 3)) for r in candidates.ranked[:4]]
    ranked_sure = confidence(best.score, reading)
    if best.tool is not None and best.tool.name not in BY_CUES and best.score >= OTHERS and ranked_sure >= SURE:
        return _called(candidates, best.tool, reading, ranked_sure, "examples")
    answerless = _answerless(reading, candidates.context.surface, anything_before=anything_before)
    if answerless is not None:
        return replace(answerless, trace=candidates.trace)
    intent = intent_of(reading, candidates.tools)
    if intent is None or (best.tool is None and best.score >= _NOT_OURS and not _is_subject(reading)):
        return await _bare(candidates) or _unnamed(candidates, ranked_sure)
    candidates.trace["intent"] = (intent.tool, round(intent.sure, 3))
    looked = await _looked_up(candidates, intent) if intent.unknown or intent.tool == SEARCH else None
    return looked or _by_intent(candidates, intent)


def _answerless(reading: Reading, surface: Surface, *, anything_before: bool) -> Plan | None:
    """Return the plan for what has no answer here, whatever tools there are."""
    if about_others(reading):
        return Plan("none", question="I know only your own money.")
    if _dangles(reading) and not anything_before:
        return Plan("clarify", question="I don't know what that refers to. What do you mean?")
    if orders(reading):
        return Plan("none", question=_NO_ORDERS.format(surface.forgetting))
    return None


def _by_intent(candidates: Candidates, intent: Intent) -> Plan:
    """Return the call that the cues name, if that is sure enough."""
    wants = wants_of(candidates.reading)
    if intent.sure >= SURE:
        reading = replace(candidates.reading, residue=wants.left)
        return _called(candidates, candidates.tools[intent.tool], reading, intent.sure, "cues")
    if wants.left and not wants.told and not wants.subject:  # a date alone makes no question about money
        return Plan("none", confidence=intent.sure, trace=candidates.trace)
    return candidates.clarify(intent.sure)


def confidence(score: float, reading: Reading) -> float:
    """Return how likely the best reading is the one meant (0 to 1), by its score and the words left unexplained."""
    unexplained = len(reading.residue) / max(4, len(reading.words))
    named = bool(reading.of("category") or reading.of("merchant"))  # an odd word beside a clear subject weighs less
    return 1 / (1 + math.exp(-(9.0 * (score - 0.47) - (3.0 if named else 5.0) * unexplained)))


def _called(candidates: Candidates, tool: Tool, reading: Reading, sure: float, read_as: str) -> Plan:
    """Return the call of a tool, or the question that must be answered first."""
    ambiguous = [mention for mention in reading.mentions if mention.alternatives and not mention.excluded]
    if ambiguous:
        return _ask_which(reading, ambiguous[0], candidates.trace)
    apart = _apart(candidates, tool, reading, sure)
    if apart is not None:
        return apart
    takes = tool.parameters.get("properties", {})
    lost = any(reading.of(slot, excluded=True) for slot in ("category", "merchant")) and "exclude" not in takes
    if lost or (tool.name != COMPARE and len(reading.of("period")) > 1 and not adjoining(reading)):
        return candidates.clarify(min(sure, SURE - 0.01))
    arguments = completed(tool, reading, candidates.context)
    if any(name not in arguments for name in tool.required):
        return candidates.clarify(min(sure, SURE - 0.01))
    return candidates.call(tool.name, arguments, sure, read_as)


def _unnamed(candidates: Candidates, sure: float) -> Plan:
    """Return the plan for a sentence whose cues name no tool: what its likeness to examples says, if that is clear."""
    best = candidates.ranked[0]
    wants = wants_of(candidates.reading)
    if not wants.left and not candidates.reading.mentions and "advice" not in wants.cues:
        return candidates.clarify(0.0)  # nothing but small words: it may be about anything
    if best.tool is None or best.score < _AT_ALL_OURS or "advice" in wants.cues:
        return Plan("none", confidence=sure, trace=candidates.trace)
    if best.score >= OTHERS and sure >= SURE:
        return _called(candidates, best.tool, candidates.reading, sure, "examples")
    return candidates.clarify(min(sure, SURE - 0.01))


def _apart(candidates: Candidates, tool: Tool, reading: Reading, sure: float) -> Plan | None:
    """Return a call each for a category and a shop that are joined by "and": two subjects, not the one at the other."""
    names = [m for m in reading.mentions if m.slot in ("category", "merchant") and not m.excluded]
    joined = any(
        first.slot != second.slot and fold(reading.text[first.end : second.start]).strip(" ,") in _JOINED
        for first, second in pairwise(names)
    )
    if not joined:
        return None
    totals = {"category": candidates.tools.get(CATEGORY), "merchant": candidates.tools.get(MERCHANT)}
    if tool.name not in (CATEGORY, MERCHANT) or None in totals.values():
        return candidates.clarify(min(sure, SURE - 0.01))
    calls = []
    for slot, other in (("category", "merchant"), ("merchant", "category")):
        part, total = (
            replace(reading, mentions=tuple(m for m in reading.mentions if m.slot != other or m.excluded)),
            totals[slot],
        )
        assert total is not None
        calls.append(Call(total.name, completed(total, part, candidates.context)))
    return Plan("calls", (tuple(calls),), sure, trace={**candidates.trace, "read_as": "two subjects"})


async def _bare(candidates: Candidates) -> Plan | None:
    """Return the search for a few bare words that the ledger's descriptors hold ("Winterreifen"), or None."""
    reading, tool = candidates.reading, candidates.tools.get(SEARCH)
    left = wants_of(reading).left
    others = [word for word in reading.words if word not in left and mention_at(reading, word) != "period"]
    if tool is None or not left or others or len(left) > _LONGEST_NAME:
        return None
    query = _written(reading.text, left)
    found = await candidates.context.search.find(query, _MOST_FOUND)
    return candidates.call(SEARCH, {**fill(tool, reading), "query": query}, SURE, "search") if found.literal else None


async def _looked_up(candidates: Candidates, intent: Intent) -> Plan | None:
    """Return the call for words that only the ledger's own descriptors can explain, or None where that would be a guess."""
    reading, wants = candidates.reading, wants_of(candidates.reading)
    tool, shop = candidates.tools.get(SEARCH), candidates.tools.get(MERCHANT)
    if intent.tool == SEARCH:
        query = _written(reading.text, wants.left) or " ".join(_named(reading))
        return None if tool is None or not query else candidates.call(
            SEARCH, {**fill(tool, reading), "query": query}, SURE, "search")  # fmt: skip
    if tool is None or _is_subject(reading) or not wants.cues & {"spent", "list", "income"}:
        return None
    query = _written(reading.text, intent.unknown)
    found = await candidates.context.search.find(query, _MOST_FOUND)
    alone = intent.unknown == wants.left and len(query.split()) <= _LONGEST_NAME
    if not alone or not (found.literal or (_cued(reading, intent.unknown[0]) and not found.ids)):
        return None
    if (
        shop is not None
        and intent.tool == SUMMARY
        and not found.ids
        and _word_before(reading, intent.unknown[0]) in _SHOP_CUES
    ):
        return candidates.call(MERCHANT, {**fill(shop, reading), "merchant": query}, SURE, "merchant")
    if intent.tool not in (SUMMARY, LIST, INCOME):  # how often, the largest … of what is found
        return None
    return candidates.call(SEARCH, {**fill(tool, reading), "query": query}, SURE, "search")


def _named(reading: Reading) -> list[str]:
    return [
        mention.text
        for mention in reading.mentions
        if mention.slot in ("category", "merchant") and not mention.excluded
    ]


def _word_before(reading: Reading, word: Word) -> str:
    place = reading.words.index(word)
    return reading.words[place - 1].key if place else ""


def _cued(reading: Reading, word: Word) -> bool:
    """Whether a word stands right behind one that names what money went for."""
    return _word_before(reading, word) in _SPENT_CUES


def _written(text: str, left: Sequence[Word]) -> str:
    """Return words as they were written, with what stands between neighbours."""
    parts: list[str] = []
    for previous, word in zip((None, *left), left, strict=False):
        close = previous is not None and not text[previous.end : word.start].strip(" -'’&.")
        if close and previous is not None:
            parts[-1] += text[previous.end : word.end]
        else:
            parts.append(text[word.start : word.end])
    return " ".join(parts)


def _is_subject(reading: Reading) -> bool:
    return any(reading.of(slot) for slot in ("category", "merchant", "account"))


def _dangles(reading: Reading) -> bool:
    """Whether a sentence points at something and names no subject of its own ("how much did I spend there?")."""
    named = _is_subject(reading) or reading.of("category", excluded=True) or reading.of("merchant", excluded=True)
    points = any(word.key in DANGLING and mention_at(reading, word) is None for word in reading.words)
    return points and not named


def completed(tool: Tool, reading: Reading, context: ToolContext) -> dict[str, Any]:
    """Return a tool's arguments out of a reading, with what its kind of question takes for granted."""
    if tool.name != COMPARE:
        reading = _one_period(reading)
    arguments = fill(tool, reading)
    if tool.name == SUMMARY and "period" not in arguments:
        summary = reading.has({"summary", "overview", "zusammenfassung", "ubersicht"})
        arguments["period"] = "last_month" if summary else "all_time"
    if tool.name == COMPARE and len(arguments.get("periods", ())) == 1:
        arguments["periods"] = _ends(reading, context) or _against(reading, arguments["periods"][0], context)
    if tool.name == EXTREMES:
        _settle_measure(arguments, reading)
    if tool.name == LIST and reading.has(_RANKING) and reading.of("limit") and "sort" not in arguments:
        arguments["sort"] = "largest"
    by_category = {"category", "categories", "kategorie", "kategorien"}
    if tool.name == MERCHANT and reading.has(by_category):
        arguments["group_by_category"] = True
    return arguments


def _settle_measure(arguments: dict[str, Any], reading: Reading) -> None:
    """Say what is ranked ("my dearest month"), and that "the most I paid" means one purchase."""
    keys = [word.key for word in reading.words]
    outside = [
        key for key, word in zip(keys, reading.words, strict=True) if mention_at(reading, word) not in ("period", "per")
    ]
    measure = arguments.setdefault("measure", "top")
    if measure in ("largest", "smallest", "top") and arguments.get("by", "purchase") == "purchase":
        ranked = next((_RANKED[key] for key in outside if key in _RANKED), None)
        if ranked is not None:
            arguments["by"] = ranked
            return
    if measure == "top" and "by" not in arguments and not set(keys) & _ASKS_PLACE:
        most = next((place for place, key in enumerate(keys) if key in _MOST), None)
        if most is not None and set(keys[most + 1 : most + 3]) & {"i", "ive", "we", "ich", "was"}:
            arguments["measure"] = "largest"


def _ends(reading: Reading, context: ToolContext) -> list[str] | None:
    """Return the two periods between which something changed: "from July to August" is each of them, not both as one."""
    if "changed" not in wants_of(reading).cues:
        return None
    match = _FROM_TO.search(reading.text)
    if match is None:
        return None
    found = [find_periods(part, context.today, context.week_start) for part in match.groups()]
    return [phrase_of(each[0].period) for each in reversed(found)] if all(found) else None


def _one_period(reading: Reading) -> Reading:
    """Return a reading whose several periods are one, where each begins when the one before ends ("May and June")."""
    periods = reading.of("period")
    if len(periods) < 2:
        return reading
    first, last = periods[0].value, periods[-1].value
    whole = replace(first, end=last.end, phrase="")
    mentions = tuple(
        replace(mention, value=whole) if mention is periods[0] else mention
        for mention in reading.mentions
        if mention.slot != "period" or mention is periods[0]
    )
    return replace(reading, mentions=mentions)


_RANKED = {
    **dict.fromkeys(("month", "monat"), "month"), **dict.fromkeys(("day", "tag"), "day"),
    **dict.fromkeys(("category", "kategorie"), "category"), **dict.fromkeys(("shop", "store", "merchant", "handler"), "merchant"),
}  # fmt: skip
_MOST = frozenset({"most", "meiste", "meisten"})
_ASKS_PLACE = frozenset("where which who whom what wo wofur welcher welche welches welchem wem".split())
_FROM_TO = re.compile(r"\b(?:from|between|von|zwischen)\s+(.+?)\s+(?:to|and|bis|auf|und|zum)\s+(.+)", re.IGNORECASE)
_RANKING = frozenset("biggest largest highest teuersten grossten hochsten dicksten fattest heftigsten".split())


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
