"""Periods out of text: one phrase on its own, or every phrase in a sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ledger.errors import UnknownPeriod
from ledger.periods.anchored import neighbours
from ledger.periods.cues import Surroundings, accepts
from ledger.periods.fiscal import is_named_by_start, year_start
from ledger.periods.grammar import OPENERS, phrase
from ledger.periods.matches import Cue, Match
from ledger.periods.period import Period
from ledger.periods.spans import ALL_TIME, Cadence, Context, Fixed, Node, Recurring, Relative, Unit
from ledger.periods.together import Said, told_together
from ledger.periods.tokens import NUMBER_SIGNS, Sentence
from ledger.periods.vocabulary import Role

if TYPE_CHECKING:
    from datetime import date

    from ledger.periods.spans import Span

#: A phrase of more tokens than this is no period phrase.
_LONGEST_PHRASE = 40
_FILLERS = (Role.PREPOSITION, Role.ARTICLE, Role.OF, Role.SHOW, Role.STRETCH)
#: Signs that make another thing of the number or word beside them.
_TELLING_SIGNS = NUMBER_SIGNS - {"*", "~"}
_LEADS = (Role.PREPOSITION, Role.ARTICLE, Role.FROM)
_SIGNS = frozenset({",", "&", "/", "+"})
_BETWEEN = (Role.LINK, Role.COMPARE, Role.ARTICLE, Role.PREPOSITION)


@dataclass(frozen=True, slots=True)
class PeriodMention:
    """A period in a text; ``text[start:end]`` is the phrase with the preposition that belongs to it."""

    start: int
    end: int
    period: Period


def parse_period(text: str, today: date, week_start: int = 0, currency: str = "") -> Period:
    """Return the period that the whole text names; UnknownPeriod, with the nearest phrases, if it names none.

    ``week_start`` is 0 for Monday; financial years begin as the ledger's currency has it.
    Written-out dates stay whole ("2026" ends on 31 December), all others end today.
    """
    words = Sentence(text)
    if words.length <= _LONGEST_PHRASE:
        context = Context(today, week_start % 7, None, year_start(currency), is_named_by_start(currency))
        for index in _starts(words):
            match = phrase(words, index)
            if match is None or _skip_fillers(words, match.end) < words.length or _means_otherwise(words, index, match):
                continue
            span = match.node.known(context)
            if span is not None:
                return Period(*span, " ".join(text.replace("_", " ").split()), match.weekdays)
            break
    from ledger.periods.choices import nearest_phrases

    raise UnknownPeriod(_shorten(text), nearest_phrases(text))


def _starts(words: Sentence) -> list[int]:
    """Return where the phrase itself can begin: at the first token, or after one filler or more."""
    starts = [0]
    while starts[-1] < words.length and (after := _filler(words, starts[-1])) is not None:
        starts.append(after)
    return starts


def _filler(words: Sentence, index: int) -> int | None:
    if _is_punctuation(words.tokens[index].text):
        return index + 1
    return next((sense[1] for role in _FILLERS if (sense := words.senses[index].get(role))), None)


def _is_punctuation(text: str) -> bool:
    return text in {"'s", "’s"} or not (text[:1].isalnum() or text in _TELLING_SIGNS)


def _skip_fillers(words: Sentence, index: int) -> int:
    while index < words.length:
        text = words.tokens[index].text
        if not (_is_punctuation(text) or text in {"please", "only"} or Role.STRETCH in words.senses[index]):
            break
        index += 1
    return index


def _means_otherwise(words: Sentence, index: int, match: Match) -> bool:
    """Whether what was taken for a filler changes the meaning: "in 3 days" is to come, "over 2000" an amount."""
    before = index - 1
    if match.cue is Cue.ENTIRE:
        return words.tokens[before].text == "in"
    return match.cue is Cue.YEAR and Role.AMOUNT in words.senses[before]


def _shorten(text: str) -> str:
    clean = " ".join(text[:400].split())
    return clean if len(clean) <= 80 else clean[:79] + "…"


def find_periods(
    text: str, today: date, week_start: int = 0, anchor: Period | None = None, currency: str = ""
) -> list[PeriodMention]:
    """Return every period phrase in the text, the longest ones, from left to right.

    Phrases such as "the month before" count from the mention before them, else from ``anchor``, else from the current
    month. A weekday filter alone ("weekends") is a mention of all time with its weekdays; beside other periods all carry
    the weekdays, and it the dates of the first. Dates that can't be, and periods that lie in the future, are
    passed over. Only the first ``MAX_TOKENS`` tokens are read.
    """
    context = Context(
        today,
        week_start % 7,
        (anchor.start, anchor.end) if anchor else None,
        year_start(currency),
        is_named_by_start(currency),
    )
    words, every = read(text, context)
    mentions: list[PeriodMention] = []
    said: list[Said] = []
    free = 0
    for found in every:
        span = found.match.node.known(context)
        if span is None:
            continue
        mentions.append(_mention(text, words, found, span, free))
        said.append(Said(mentions[-1].period, found.first, found.match))
        free = found.match.end
        if ALL_TIME[0] < span[0]:
            context = replace(context, anchor=span)
    if len(mentions) < 2:
        return mentions
    periods = told_together(said, words, today)
    return [replace(mention, period=period) for mention, period in zip(mentions, periods, strict=True)]


@lru_cache(maxsize=64)
def read(text: str, context: Context) -> tuple[Sentence, list[Found]]:
    """Return a text's words and every period phrase that is one where it stands, whether or not it has dates."""
    words = Sentence(text)
    return words, _share(words, _find_matches(words, context), context)


def _find_matches(words: Sentence, context: Context) -> list[Found]:
    found: list[Found] = []
    index = 0
    while index < words.length:
        match = None
        if not OPENERS.isdisjoint(words.senses[index]):
            match = phrase(words, index) or _bare_last(words, index, found)
        brand = words.parts[index].get(Role.BRAND)
        if brand and (match is None or match.end <= brand[1]):
            index = brand[1]
            continue
        if match is not None:
            is_listed = bool(found) and _is_linked(words, found[-1].match.end, index)
            if accepts(match, Surroundings(words, index, match.end, context, is_listed)):
                found.append(Found(index, match))
                index = match.end
                continue
        index += 1
    return found


def _bare_last(words: Sentence, index: int, found: list[Found]) -> Match | None:
    """Read the last word of "this month vs last", whose unit is the one of the mention before."""
    this = words.parts[index].get(Role.THIS)
    lead = words.parts[index].get(Role.LAST) or words.parts[index].get(Role.PREVIOUS) or this
    if not lead or not found or not _is_linked(words, found[-1].match.end, index):
        return None
    unit = found[-1].match.unit
    end = lead[1] + (words.tokens[lead[1]].text in {"one", "ones"})
    closes = not words.tokens[end].text or words.tokens[end].text in {"?", ".", "!", ","}
    is_led = this is not None and Role.FROM in words.senses[found[-1].first - 1]  # "von letztem Jahr auf dieses"
    if unit is None or not (closes or is_led) or not isinstance(found[-1].match.node, Relative):
        return None
    return Match(Relative(lambda context: context.unit(unit)) if this else neighbours(unit, 1, -1), end, unit=unit)


def _mention(text: str, words: Sentence, found: Found, span: Span, free: int) -> PeriodMention:
    """Return the mention, its place widened by the preposition before it and a possessive after it."""
    first, last = found.first, found.match.end - 1
    start = first
    while start > max(free, first - 3) and any(role in words.senses[start - 1] for role in _LEADS):
        # The first "in" of "came in in October" is the verb's, as is that of "came in so far".
        if Role.PREPOSITION in words.senses[start] or Role.SO_FAR in words.senses[start]:
            break
        start -= 1
    after = words.tokens[last + 1]
    end = after if after.glued and after.text in {"'s", "’s"} else words.tokens[last]
    said = " ".join(text[words.tokens[first].start : words.tokens[last].end].split())
    period = Period(*span, said, found.match.weekdays)
    return PeriodMention(words.tokens[start].start, end.end, period)


@dataclass(frozen=True, slots=True)
class Found:
    """A match and the token that it begins with."""

    first: int
    match: Match


def _is_linked(words: Sentence, end: int, index: int) -> bool:
    """Whether nothing but links, prepositions and articles stand between the two tokens, and at least one."""
    return end < index <= end + 4 and all(
        words.tokens[between].text in _SIGNS or any(role in words.senses[between] for role in _BETWEEN)
        for between in range(end, index)
    )


def _share(words: Sentence, found: list[Found], context: Context) -> list[Found]:
    """Complete each member of a list from its neighbour: first from the one after it, then from the one before."""
    nodes = [item.match.node for item in found]
    years = [item.match.year for item in found]
    pairs = [
        (place, place + 1)
        for place in range(len(found) - 1)
        if _is_linked(words, found[place].match.end, found[place + 1].first)
    ]
    for place, after in reversed(pairs):
        own, other = found[place].match, found[after].match
        if (year := years[after]) and own.is_bare and own.unit is other.unit and isinstance(own.node, Recurring):
            dated = own.node.in_year(year)
            if dated.whole(context) != nodes[after].whole(context):  # "October vs October 2025" compares two years
                nodes[place], years[place] = dated, year
        elif own.node == Fixed(ALL_TIME) and own.weekdays and other.weekdays:
            nodes[place] = nodes[after]
        elif _is_month_day(own) and other.unit is Unit.DAY and not _is_month_day(other):
            nodes[place] = _day_before(own.node, nodes[after])
    for before, place in pairs:
        own, other = found[place].match, found[before].match
        if _is_month_day(own) and other.unit is Unit.DAY and not _is_month_day(other):
            nodes[place] = _day_after(own.node, nodes[before])
        elif own.unit is Unit.YEAR and other.recurring and other.year:  # "October 2025 vs 2024"
            nodes[place] = other.recurring.in_year(own.node)
    return [Found(item.first, replace(item.match, node=node)) for item, node in zip(found, nodes, strict=True)]


def _is_month_day(match: Match) -> bool:
    return isinstance(match.node, Recurring) and match.node.cadence is Cadence.MONTHLY


def _day_before(day: Node, other: Node) -> Node:
    """Return the 3rd of "the 3rd and 17th of October"."""

    def find(context: Context) -> Span | None:
        span = other.whole(context)
        return day.begun(span[0]) if span and isinstance(day, Recurring) else None

    return Relative(find)


def _day_after(day: Node, other: Node) -> Node:
    """Return the 6th of "October 5th and 6th"."""

    def find(context: Context) -> Span | None:
        span = other.whole(context)
        return day.next_after(span[1]) if span and isinstance(day, Recurring) else None

    return Relative(find)
