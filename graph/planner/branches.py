"""Words by which the bank tells some of a name's rows from others: "Netto ApS", "only the Mullagh one, not the Lahinch Road one".

What they narrow is cut out of the sentence; the rest is planned as it stands, and its calls are narrowed by the bank's text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from graph.planner.calls import meaning_of, rounds_of
from graph.planner.consumption import NOT_TAKEN
from graph.planner.figures import standing
from graph.planner.leaving_words import telling_apart
from graph.planner.plan import Plan
from graph.planner.vocabulary import BEHIND, EXCLUSIONS, FRAMES, FUNCTION_WORDS, NARROWERS, ORDER_LEADS, TRAILS, WEAK
from language import cues
from language.catalogue import say
from language.lexicon import holds, listed, occurrences
from language.words import cut_out, fold_in_place, words
from tools.calls import Call
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from graph.planner.reading import Reading
    from graph.turn import PastTurn
    from language.words import Word
    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.slots.slot import Mention

#: What a stretch that narrows does not reach into.
_ENDS_AT = frozenset({"period", "account", "over", "under", "measure", "means", "operation"})
_SIGNS = ",.;:?!()–"
_ASKING = listed("asking")
_LONGEST = 9
_CUES = NARROWERS | frozenset(word for phrase in (*EXCLUSIONS, *BEHIND) for word in phrase)
_SMALL = FUNCTION_WORDS | FRAMES | TRAILS | NARROWERS


@dataclass(frozen=True, slots=True)
class Branch:
    """Which rows of a name are meant, by the bank's words, and the sentence without what says so."""

    names: tuple[str, ...]
    rest: str
    """Empty where nothing is left that asks anything."""
    said: str
    text: str | None = None
    exclude_text: str | None = None


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Places of words that narrow what is named, with the words for it around, and whether they take out what they name."""

    inside: range
    around: range
    out: bool


async def branch_named(reading: Reading, leans_on: Callable[[], Plan], context: ToolContext) -> Branch | None:
    """Return which rows of the name that is asked about, or that it ``leans_on``, the sentence means; None for all of them."""
    named, narrowing = _named_and_narrowing(reading)
    if not (narrowing or named):
        return None
    names = tuple(dict.fromkeys(name for m in named for name in names_of(m.value))) or names_asked(leans_on(), context)
    stretches = [*_around_names(reading, named, names), *narrowing] if names else []
    told = await _told(stretches, reading, names, context)
    if not told:
        return None
    narrowed = [each for each in stretches if each.out in told or _names_nothing(each, reading)]
    said = " … ".join(reading.text[start:end] for start, end in (_span(reading, each) for each in narrowed))
    return Branch(names, _without(narrowed, reading), said, told.get(False), None if False in told else told[True])


def _named_and_narrowing(reading: Reading) -> tuple[list[Mention], list[_Stretch]]:
    """Return the names that are asked about, and what narrows them; "only Lidl" is about Lidl."""
    every = reading.of("merchant")
    outside = named_outside(reading) if every else []
    return outside or list(every), list(_narrowing(reading)) if outside or not every else []


async def _told(
    stretches: Sequence[_Stretch], reading: Reading, names: Sequence[str], context: ToolContext
) -> dict[bool, str]:
    """Return the bank's words for what is meant, and for what is not (True); nothing where there are two at once."""
    told: dict[bool, str] = {}
    for each in stretches:
        text = await telling_apart(_said_in(each, reading), names, context)
        if text and told.setdefault(each.out, text) != text:
            return {}
    return told


def without_what_narrows(reading: Reading) -> str:
    """Return a sentence without what it leaves out and nobody knows; empty where it leaves out nothing of that kind."""
    unknown = [each.start for each in reading.unclear if each.reason == "not left out"]
    found = [each for each in _narrowing(reading) if each.out]
    cut = [each for each in found if any(reading.words[place].start in unknown for place in each.inside)]
    return _without(cut, reading) if cut else ""


def words_that_choose(reading: Reading) -> list[Word]:
    """Return the words that say which ones are meant ("only the one by the station")."""
    return [reading.words[place] for each in _narrowing(reading) if not each.out for place in each.inside]


def _without(stretches: Sequence[_Stretch], reading: Reading) -> str:
    """Return a sentence without some stretches; empty where nothing is left that asks anything."""
    rest = cut_out(reading.text, [_span(reading, each) for each in stretches]).strip(" ,.;:?!()")
    return rest if any(word.key not in _SMALL for word in words(rest)) else ""


def named_outside(reading: Reading) -> list[Mention]:
    """Return the merchants that are asked about, and not only where one of them is ("only the one near the school")."""
    narrowing = list(_narrowing(reading))
    return [m for m in reading.of("merchant") if not _within(narrowing, m, reading)]


def _within(stretches: Sequence[_Stretch], mention: Mention, reading: Reading) -> bool:
    """Whether a mention stands in a stretch that says which ones are meant."""
    spans = (_span(reading, each) for each in stretches)
    return any(start <= mention.start < end for start, end in spans)


def _said_in(stretch: _Stretch, reading: Reading) -> list[str]:
    """Return the words of a stretch that may tell rows apart, and the names of the kinds of things among them."""
    inside = [reading.words[place] for place in stretch.inside]
    kinds = (m for m in reading.mentions if m.slot == "category" and inside[0].start <= m.start < inside[-1].end)
    said = (reading.text[word.start : word.end] for word in inside if word.key not in _SMALL)
    return [*said, *(name for mention in kinds for name in names_of(mention.value))]


def _around_names(reading: Reading, named: Sequence[Mention], names: Sequence[str]) -> Iterator[_Stretch]:
    """Yield the words of a mention that are no part of the name itself ("ApS" of "Netto ApS")."""
    own = {word.key for name in names for word in words(name)}
    one = len({str(mention.value) for mention in named}) == 1
    for mention in named if one else ():
        places = [place for place, word in enumerate(reading.words) if mention.start <= word.start < mention.end]
        more = [place for place in places if reading.words[place].key not in own]
        if more and len(more) < len(places) and more[-1] - more[0] < len(more):
            inside = range(more[0], more[-1] + 1)
            yield _Stretch(inside, inside, out=False)


def _narrowing(reading: Reading) -> Iterator[_Stretch]:
    """Yield the stretches that say which ones are meant, and which are not."""
    if not _CUES.isdisjoint(word.key for word in reading.words):
        yield from (
            each for each in (*_narrowed_before(reading), *_left_out_behind(reading)) if _is_short(reading, each)
        )


def _narrowed_before(reading: Reading) -> Iterator[_Stretch]:
    """Yield what stands behind "only" or "not"."""
    found = [(each, True) for each in occurrences(reading.words, "exclusions") if _leaves_out(reading, each)]
    found += [(range(place, place + 1), False) for place, word in enumerate(reading.words) if word.key in NARROWERS]
    longest = [(cue, out) for cue, out in found if not any(set(cue) < set(other) for other, _ in found)]
    starts = [cue.start for cue, _ in found]
    for cue, out in sorted(longest, key=lambda each: each[0].start):
        inside = range(cue.stop, _end(reading, cue.stop, starts))
        yield _Stretch(inside, range(_frame(reading, cue.start), inside.stop), out)


def _left_out_behind(reading: Reading) -> Iterator[_Stretch]:
    """Yield what stands before "left out"."""
    for cue in occurrences(reading.words, "excluded_behind"):
        start = cue.start
        while start and not _parted(reading, start) and not _ends(reading, start - 1):
            start -= 1
        asked = reading.words[start].key in _ASKING  # "what I lent her left out"
        yield _Stretch(range(start + asked, cue.start), range(start, cue.stop), out=True)


def _leaves_out(reading: Reading, cue: range) -> bool:
    """Whether words leave something out where they stand: "not" only where a clause begins with it, or behind "only"."""
    keys = tuple(reading.words[place].key for place in cue)
    start = cue.start
    while start and not _parted(reading, start) and reading.words[start - 1].key not in ORDER_LEADS | NARROWERS:
        start -= 1
    chosen = start > 0 and reading.words[start - 1].key in NARROWERS
    return keys not in WEAK or start == cue.start or chosen


def _end(reading: Reading, start: int, cues_at: Sequence[int]) -> int:
    end = start
    while end < len(reading.words) and not (end > start and _parted(reading, end)):
        if _ends(reading, end) or end in cues_at:
            break
        end += 1
    return end


def _frame(reading: Reading, start: int) -> int:
    """Return where the small words begin that lead up to words that narrow ("and but only …")."""
    while start and not _parted(reading, start) and reading.words[start - 1].key in ORDER_LEADS:
        start -= 1
    return start


def _is_short(reading: Reading, stretch: _Stretch) -> bool:
    """Whether words can say which ones are meant: they ask nothing and give nothing back."""
    said = [reading.words[place] for place in stretch.inside]
    if not 0 < len(said) <= _LONGEST or any(word.key in _ASKING for word in said):
        return False
    part = fold_in_place(reading.text[said[0].start : said[-1].end])
    return not (cues.CAME_BACK.search(part) or holds("given_back", said))


def _parted(reading: Reading, place: int) -> bool:
    """Whether a sign stands before a word."""
    if not place:
        return False
    between = reading.text[reading.words[place - 1].end : reading.words[place].start]
    return any(sign in between for sign in _SIGNS)


def _ends(reading: Reading, place: int) -> bool:
    word = reading.words[place]
    return any(m.slot in _ENDS_AT and m.start <= word.start < m.end for m in reading.mentions)


def _names_nothing(stretch: _Stretch, reading: Reading) -> bool:
    """Whether all that a stretch names is which kind of place it is ("just the store")."""
    first, last = reading.words[stretch.inside.start], reading.words[stretch.inside.stop - 1]
    return not any(m.start < last.end and first.start < m.end and m.slot != "by" for m in reading.mentions)


def _span(reading: Reading, stretch: _Stretch) -> tuple[int, int]:
    first, last = reading.words[stretch.around.start], reading.words[stretch.around.stop - 1]
    return first.start, last.end


def of_branch(plan: Plan, branch: Branch, context: ToolContext, tools: Mapping[str, Tool]) -> Plan:
    """Return a plan about the rows of a branch alone; the question about the words for it where its calls can't be."""
    if plan.kind != "calls":
        return plan
    about = {"text": branch.text, "exclude_text": None} if branch.text else {"exclude_text": branch.exclude_text}
    first = []
    for call in plan.rounds[0]:
        meaning = meaning_of(call, context)
        if not set(names_of(meaning.about.get("merchant"))) & set(branch.names):
            first.append(call)
            continue
        made = rounds_of(meaning.on(**about), tools)
        if made is None or len(made) > 1:
            return Plan("clarify", question=say(NOT_TAKEN, words=branch.said), trace=plan.trace)
        first.append(made[0][0])
    return replace(plan, rounds=(tuple(first), *plan.rounds[1:]))


def names_asked(plan: Plan, context: ToolContext) -> tuple[str, ...]:
    """Return the merchants that a plan is about, if it is one call."""
    calls = plan.calls if plan.kind == "calls" else ()
    return names_of(meaning_of(calls[0], context).about.get("merchant")) if len(calls) == 1 else ()


def standing_plan(past: Sequence[PastTurn]) -> Plan:
    """Return the plan of the question that stands."""
    scope = standing(past)
    return Plan("calls", ((Call(scope.tool, dict(scope.arguments)),),)) if scope else Plan("clarify")
