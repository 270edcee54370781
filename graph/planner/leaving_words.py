"""Words of the bank's text that a question leaves out of a merchant's sum ("Planet Fitness without the annual fee")."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from graph.planner.calls import CALCULATE, computed, meaning_of, rounds_of
from graph.planner.figures import standing
from graph.planner.meaning import SUBJECTS
from graph.planner.plan import Plan
from graph.planner.vocabulary import BETWEEN, EXCLUSIONS, FRAMES, FUNCTION_WORDS, TRAILS
from language.lexicon import occurrences
from language.words import cut_out, words
from ledger.filters import Filter
from tools.calls import Call
from tools.slots.names import merchant_keys, names_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from graph.planner.meaning import Meaning
    from graph.planner.reading import Reading, Unclear
    from graph.turn import PastTurn
    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.slots.slot import Mention

#: So near a word must be to one that the bank wrote, and so long, to be taken for it ("Abschläge" for "Abschlag").
_NEAR, _SHORTEST = 85, 5
#: So many words may stand between what leaves out and what is left out.
_GAP = 4
_SMALL = BETWEEN | FRAMES | FUNCTION_WORDS | frozenset(word for phrase in EXCLUSIONS for word in phrase)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a sentence leaves out, and the sentence without that."""

    said: tuple[str, ...]
    rest: str
    """Empty where nothing is left that asks anything."""


def words_left_out(reading: Reading) -> LeftOut | None:
    """Return the words of a sentence that it leaves out and that name nothing known; None where there are not just those."""
    untold = [each for each in reading.unclear if each.reason == "not left out"]
    out: Sequence[Unclear | Mention] = untold or reading.of("merchant", excluded=True)
    if len(out) != 1 or len(reading.unclear) > len(untold):
        return None
    inside = _noun(reading, out[0])
    around = _with_cue(reading, inside)
    if around is None:
        return None
    span = reading.words[around.start].start, reading.words[around.stop - 1].end
    rest = cut_out(reading.text, [span]).strip(" ,.;:?!")
    asks = any(word.key not in FRAMES | TRAILS | FUNCTION_WORDS for word in words(rest))
    return LeftOut(tuple(reading.words[place].key for place in inside), rest if asks else "")


def _noun(reading: Reading, out: Unclear | Mention) -> range:
    """Return the places of the words from the first left out to the end of their noun."""
    start = stop = next(place for place, word in enumerate(reading.words) if word.end > out.start)
    while start and reading.words[start - 1].key not in _SMALL and start - 1 in reading.crossed:
        start -= 1
    while stop < len(reading.words) and (stop == start or _goes_on(reading, stop, out)):
        stop += 1
    return range(start, stop)


def _goes_on(reading: Reading, place: int, out: Unclear | Mention) -> bool:
    """Whether a word belongs to what is left out before it."""
    before, word = reading.words[place - 1 : place + 1]
    if reading.text[before.end : word.start].strip(" -'’&/"):
        return False
    others = (m for m in reading.mentions if m.slot != "kind" and not m.excluded)
    named = any(m.start < word.end and word.start < m.end for m in others)
    return word.start < out.end or not (named or word.key in FUNCTION_WORDS | TRAILS)


def _with_cue(reading: Reading, inside: range) -> range | None:
    """Return the places with the words before or behind that leave them out."""
    before = [each.start for each in occurrences(reading.words, "exclusions") if 0 <= inside.start - each.stop <= _GAP]
    if before:
        return range(max(before), inside.stop)
    behind = [
        each.stop for each in occurrences(reading.words, "excluded_behind") if 0 <= each.start - inside.stop <= _GAP
    ]
    start = inside.start
    while start and reading.words[start - 1].key in BETWEEN:
        start -= 1
    return range(start, min(behind)) if behind else None


def is_left_out_whole(reading: Reading) -> bool:
    """Whether all that a sentence leaves out by a name or a kind can be."""
    unable = {(each.start, each.end) for each in reading.unclear if each.reason == "not left out"}
    return not any(m.excluded and (m.start, m.end) in unable for m in reading.mentions)


def left_out_of_no_part(reading: Reading, base: Meaning) -> str:
    """Return the name that a follow-up leaves out of a merchant's sum though it is another's, or all of the sum; else empty."""
    paid = set(names_of(base.about.get("merchant")))
    out = {m.text: set(names_of(m.value)) for m in reading.of("merchant", excluded=True)}
    no_part = next((said for said, names in out.items() if paid.isdisjoint(names) or paid <= names), "")
    return no_part if paid and not any(map(reading.of, SUBJECTS)) else ""


def standing_plan(past: Sequence[PastTurn]) -> Plan | None:
    """Return the plan of the question that stands."""
    scope = standing(past)
    return Plan("calls", ((Call(scope.tool, dict(scope.arguments)),),)) if scope else None


async def leaving_words_out(
    plan: Plan | None, left: LeftOut, context: ToolContext, tools: Mapping[str, Tool]
) -> Plan | None:
    """Return the plan of one sum of a merchant's less its rows that hold the words; None for anything else."""
    if plan is None or plan.kind != "calls" or len(plan.calls) > 1 or CALCULATE not in tools:
        return None
    meaning = meaning_of(plan.calls[0], context)
    if (meaning.act, meaning.of) != ("total", "spending"):
        return None
    text, both = await telling_apart(left.said, meaning, context)
    if text is None or "text" in meaning.about:
        return None if text is None or both else plan
    rounds = rounds_of(meaning.on(text=text), tools)
    return replace(plan, rounds=computed("rest", plan.calls[0], rounds[0][0])) if rounds else None


async def of_its_rows(plan: Plan, base: Meaning, context: ToolContext, tools: Mapping[str, Tool]) -> Plan:
    """Return the plan of what somebody gave back, of the rows alone that name who was paid, where the bank tells that.

    An insurer's text tells whose bill it is for.
    """
    meaning = meaning_of(plan.calls[0], context)
    paid = names_of(base.about.get("merchant"))
    if len(plan.calls) > 1 or meaning.of != "refunds" or set(paid) & {*names_of(meaning.about.get("merchant"))}:
        return plan
    said = [word.key for name in paid for word in words(name) if len(word.key) >= _SHORTEST]
    text, _ = await telling_apart(said, meaning, context)
    rounds = rounds_of(meaning.on(text=text), tools) if text else None
    return replace(plan, rounds=rounds) if rounds else plan


async def telling_apart(said: Sequence[str], meaning: Meaning, context: ToolContext) -> tuple[str | None, bool]:
    """Return the first of some words, as the bank spells them, that it wrote for some of a merchant's rows and not for all.

    Beside it, whether any of these rows also hold the words that are asked about.
    """
    merchants = merchant_keys(names_of(meaning.about.get("merchant")), context)
    if not merchants:
        return None, False
    asked = _keys(str(meaning.about.get("text", "")))
    whole = Filter(merchants=merchants)
    rows = await context.ledger.rows(whole)
    written = frozenset().union(*(_keys(row.description) for row in rows))
    spelled = [each for each in (_as_written(word, written) for word in said) if each]
    for wanted in (spelled, *([each] for each in spelled)):
        found = await context.search.find(" ".join(wanted), 1) if wanted else None
        held = await context.ledger.rows(replace(whole, phrases=found.ids)) if found and found.literal else []
        if 0 < len(held) < len(rows):
            return " ".join(wanted), any(asked <= _keys(row.description) for row in held)
    return None, False


def _keys(text: str) -> frozenset[str]:
    return frozenset(word.key for word in words(text))


def _as_written(word: str, written: Collection[str]) -> str | None:
    """Return the word of the bank's that a word is, or is nearly."""
    if word in written or len(word) < _SHORTEST:
        return word if word in written else None
    near = process.extractOne(word, sorted(written), scorer=fuzz.ratio, score_cutoff=_NEAR)
    return near[0] if near else None
