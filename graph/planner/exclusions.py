"""What a sentence leaves out or takes along: "without rent", "Miete mal ausgenommen", "leave it out", "fuel included".

The words stand before a name, behind it or around it. What is left out is marked; what is only taken along ("Tesco, fuel
included") changes nothing and is dropped; what can't be left out (a period, an account) is told, so that it is asked about
and not lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from graph.planner.vocabulary import (
    AROUND,
    BEHIND,
    BETWEEN,
    DEDUCTED,
    EXCLUSIONS,
    FRAMES,
    FUNCTION_WORDS,
    GIVEN_BACK,
    INCLUDED,
    INCLUSIONS,
    JOINERS,
    NEGATIONS,
    NETTING,
    ORDER_LEADS,
    ORDERED,
    RELATIVES,
    TRAILS,
    WEAK,
)
from language.lexicon import listed

if TYPE_CHECKING:
    from collections.abc import Collection

    from language.words import Word
    from tools.slots.slot import Mention

#: Words for money that goes to savings, and words that nobody knows: they name something only where they are left out.
SAVINGS, UNKNOWN = "savings", "unknown"
_NAMES = frozenset({"category", "merchant", "kind", SAVINGS, UNKNOWN})
#: What no question can leave out.
_UNABLE = frozenset({"period", "account", "over", "under"})
#: What words that leave something out can be said of.
_OF_CUES = _NAMES | _UNABLE | {"measure", "limit", "by"}
#: Kinds that no total of spending counts anyway.
_NEVER_COUNTED = frozenset({"transfer", "card_payment"})
#: "Not only rent" leaves nothing out.
_NOT_ALL = listed("not_all")
#: "After the cancelled ticket was refunded" is as long as such a clause gets.
_LONGEST_NETTING = 7
#: How many small words may stand between a name and the words that leave it out.
_GAP = 3
#: Between what was bought and where ("without the cruise from TUI").
_FROM = listed("from_where")
#: Before an account to which money goes.
_TOWARD = listed("before_unread") | _FROM
#: Behind "without what I …", right before a name.
_GAVE = listed("gave")

Phrases = Mapping[str, Sequence[tuple[str, ...]]]


def _by_word(phrases: Iterable[tuple[str, ...]], which: int) -> Phrases:
    """Group phrases by their first word (0) or last (-1), so that only those that can stand at a place are tried there."""
    groups: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        groups.setdefault(phrase[which], []).append(phrase)
    return groups


_EXCLUSIONS = _by_word(EXCLUSIONS, -1)
_NETTING = _by_word(NETTING, 0)
_GIVEN_BACK = _by_word(GIVEN_BACK, 0)
_BEHIND = _by_word(BEHIND, 0)
_INCLUDED = _by_word(INCLUDED, 0)


@dataclass(frozen=True, slots=True)
class Marked:
    """The mentions, each excluded or not; the places of words that only say so; what should be left out and can't."""

    mentions: tuple[Mention, ...]
    crossed: frozenset[int]
    unable: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class _Marks:
    """What has been found so far: which mentions are left out or only taken along, the words for it, what can't be left out."""

    crossed: set[int]
    out: set[int] = field(default_factory=set)
    along: set[int] = field(default_factory=set)
    unable: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Clause:
    """A sentence's words with the mentions that they belong to."""

    text: str
    words: Sequence[Word]
    mentions: Sequence[Mention]

    def key(self, place: int) -> str:
        return self.words[place].key if 0 <= place < len(self.words) else ""

    def says(self, start: int, phrase: tuple[str, ...]) -> bool:
        """Whether a phrase stands at a place."""
        return tuple(self.key(place) for place in range(start, start + len(phrase))) == phrase

    def places(self, first: Mention, last: Mention | None = None) -> range:
        """Return the places of a mention's words, or of those from one to another."""
        end = (last or first).end
        held = [place for place, word in enumerate(self.words) if word.start < end and first.start < word.end]
        return range(held[0], held[-1] + 1) if held else range(0)

    def parted(self, before: int, after: int, signs: str) -> bool:
        """Whether one of the signs stands between two neighbouring words."""
        if before < 0 or after >= len(self.words):
            return False
        return bool(re.search(f"[{signs}]", self.text[self.words[before].end : self.words[after].start]))

    def slot_at(self, place: int) -> str:
        if not 0 <= place < len(self.words):
            return ""
        word = self.words[place]
        return next((m.slot for m in self.mentions if m.start < word.end and word.start < m.end), "")


def mark(mentions: Sequence[Mention], found: Iterable[Mention], text: str, sentence: Sequence[Word]) -> Marked:
    """Mark what a sentence leaves out, and drop what it only takes along; ``found`` are all readings of its words."""
    clause = _Clause(text, sentence, ())
    crossed = _netted(clause)
    kept = [m for m in mentions if not set(clause.places(m)) & crossed or m.slot == "period"]
    clause = _Clause(text, sentence, [replace(mention, excluded=False) for mention in kept])
    marks = _Marks(crossed=crossed)
    groups = _groups(clause)
    for number, group in enumerate(groups):
        places = clause.places(clause.mentions[group[0]], clause.mentions[group[-1]])
        if places:
            _mark_group(clause, groups[: number + 1], places, marks)
    return _marked(clause, marks, list(found))


def _mark_group(clause: _Clause, groups: Sequence[Sequence[int]], places: range, marks: _Marks) -> None:
    """Mark the last of some groups, and what is left out with it."""
    group = groups[-1]
    first = clause.mentions[group[0]]
    cue = _leaving_out(clause, places, first) or _going_on(clause, group, places, marks)
    if cue is not None and (cue or first.slot in _NAMES) and first.slot in _OF_CUES:
        marks.out.update(group)
        if cue and min(cue) > places[0]:
            marks.out.update(_listed_before(clause, groups[:-1], group))
        marks.crossed |= cue
    elif first.slot in _NAMES:
        taken, cue = _taken_along(clause, group, places)
        marks.along |= taken
        marks.crossed |= cue


def _going_on(clause: _Clause, group: Sequence[int], places: range, marks: _Marks) -> set[int] | None:
    """Return the places of the words by which a name goes on a list that is left out; None where it goes on none."""
    before, first = group[0] - 1, clause.mentions[group[0]]
    if before not in marks.out or not _continues(clause, clause.mentions[before], first):
        return None
    gap = range(clause.places(clause.mentions[before])[-1] + 1, places[0])
    cue = {place for place in gap if clause.key(place) in JOINERS | BETWEEN}
    marks.unable += [(clause.words[place].start, clause.words[place].end) for place in gap if place not in cue]
    if clause.key(places[0] - 1) in _FROM and first.slot == "merchant":  # "without the groceries from Tesco"
        marks.out.discard(before)
        marks.along.add(before)
    return cue


def _listed_before(clause: _Clause, groups: Sequence[Sequence[int]], group: Sequence[int]) -> Iterator[int]:
    """Yield the names of a list whose last two are left out behind it: "rent, fuel and savings not counted"."""
    if len(group) < 2:
        return
    first = group[0]
    for before in reversed(groups):
        start, end = clause.places(clause.mentions[first])[0], clause.places(clause.mentions[before[-1]])[-1]
        if clause.mentions[before[-1]].slot not in _NAMES or end + 1 != start or not clause.parted(end, start, ","):
            return
        yield from before
        first = before[0]


def _taken_along(clause: _Clause, group: Sequence[int], places: range) -> tuple[set[int], set[int]]:
    """Return which names of a group are said to be in the sum where they are anyway, and the places of the words for it."""
    cue = _taking_along(clause, places)
    along = {index for index in group if cue and _changes_nothing(clause, index, group, cue)}
    return along, cue if along else set()


def _netted(clause: _Clause) -> set[int]:
    """Return the places of clauses that take refunds off, as every total does: "after the ticket was refunded"."""
    for start in range(len(clause.words)):
        end = _given_back(clause, start, 1)
        last = next((place for place in (end, end + 1) if clause.key(place) in DEDUCTED), None) if end else None
        if last is not None:  # "Retouren schon abgezogen"
            return set(range(start, last + 1))
        for opener in _NETTING.get(clause.key(start), ()):
            end = start + len(opener)
            if clause.says(start, opener) and (reach := _given_back(clause, end, _LONGEST_NETTING)):
                return set(range(start, reach))
    return set()


def _given_back(clause: _Clause, start: int, most: int) -> int | None:
    """Return the end of what was given back, if one of so many words from a place on names it."""
    for place in range(start, min(len(clause.words), start + most)):
        if place > start and clause.parted(place - 1, place, ",.;:?!"):
            return None
        for phrase in _GIVEN_BACK.get(clause.key(place), ()):
            if clause.says(place, phrase):
                return place + len(phrase)
    return None


def unknown_left_out(
    marked: Marked, text: str, sentence: Sequence[Word], residue: Collection[Word]
) -> tuple[int, int] | None:
    """Return where an unknown name stands behind words that leave something out ("without Foobar"), if one does."""
    clause, crossed = _Clause(text, sentence, marked.mentions), marked.crossed
    for place, word in enumerate(sentence):
        cue = _before(clause, place)
        # "drop" alone may be an order of another kind
        told = bool(cue) and min(cue) not in crossed and (min(cue) > 0 or len(cue) > 1)
        if word in residue and place not in crossed and told and _strong(clause, cue):
            end = place
            while (
                end + 1 < len(sentence) and sentence[end + 1] in residue and not clause.parted(end, end + 1, ",.;:?!")
            ):
                end += 1
            return word.start, sentence[end].end
    return None


def _groups(clause: _Clause) -> list[list[int]]:
    """Return the mentions in groups: names joined by "and" are one, and so are a number and its superlative."""
    groups: list[list[int]] = []
    for index, mention in enumerate(clause.mentions):
        before = clause.mentions[index - 1] if index else None
        if before is not None and _joined(clause, before, mention):
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _joined(clause: _Clause, before: Mention, mention: Mention) -> bool:
    first, second = clause.places(before), clause.places(mention)
    between = range(first[-1] + 1, second[0]) if first and second else range(0)
    keys = [clause.key(place) for place in between]
    if _reaches(before, mention):
        return bool(keys) and set(keys) <= _TOWARD
    if {before.slot, mention.slot} <= _NAMES or before.slot == mention.slot == "period":
        return bool(keys) and keys[0] in JOINERS and all(key in BETWEEN for key in keys[1:]) and len(keys) <= _GAP
    superlative = {("limit", "measure"), ("measure", "by"), ("measure", "kind")}
    return (before.slot, mention.slot) in superlative and not keys


def _reaches(before: Mention, mention: Mention) -> bool:
    """Whether two mentions may be one thing: money and the account that it goes to ("transfers to the savings account")."""
    moves = before.slot == SAVINGS or (before.slot == "kind" and before.value in _NEVER_COUNTED)
    return moves and mention.slot in ("account", SAVINGS)


def _continues(clause: _Clause, before: Mention, mention: Mention) -> bool:
    """Whether a name goes on a list that is left out: "without rent, groceries and gas"."""
    first, second = clause.places(before)[-1], clause.places(mention)[0]
    keys = [clause.key(place) for place in range(first + 1, second)]
    if (
        {before.slot, mention.slot} - _NAMES
        or len(keys) > _GAP
        or any(keys[: len(each)] == list(each) for each in INCLUSIONS)
    ):
        return False
    if clause.parted(first, first + 1, ",") or (keys and keys[0] in JOINERS):  # "the mortgage, council tax and savings"
        return not any(key in FUNCTION_WORDS - BETWEEN - JOINERS for key in keys)
    return len(keys) <= 2 and all(key in JOINERS | BETWEEN for key in keys)


def _leaving_out(clause: _Clause, places: range, mention: Mention) -> set[int]:
    """Return the places of the words that leave a mention out."""
    cue = _before(clause, places[0]) or _before_what_was_bought(clause, places[0])
    if mention.slot in _UNABLE and not _strong(clause, cue):
        cue = set()
    if cue and mention.slot in {"by", "kind"} and mention.value == "purchase":
        cue = set()  # "income minus expenses"
    if not cue and mention.slot in _NAMES | {"measure"}:
        cue = _around(clause, places) or _behind(clause, places)
    return _framed(clause, places, cue) if cue else set()


def _before(clause: _Clause, place: int) -> set[int]:
    """Return the places of an exclusion that ends within a few words before a place, none of them a name of its own."""
    small = True
    for end in range(place, max(-1, place - _GAP - 2), -1):
        if end < place:
            if clause.slot_at(end) not in ("", "limit") or clause.parted(end, end + 1, ".,;:?!"):
                return set()
            small = small and (clause.key(end) in BETWEEN or clause.slot_at(end) == "limit")
        for phrase in _EXCLUSIONS.get(clause.key(end - 1), ()):
            start = end - len(phrase)
            if (
                not clause.says(start, phrase) or clause.slot_at(start) in _NAMES
            ):  # "Skip the Dishes" leaves nothing out
                continue
            if (small or len(phrase) > 1 or phrase[0] in ORDERED) and _is_meant(clause, phrase, start, end):
                return set(range(start, place)) | ({start - 1} if phrase[0] in NEGATIONS else set())
    return set()


def _before_what_was_bought(clause: _Clause, place: int) -> set[int]:
    """Return the places of an exclusion up to a name, with what was bought there: "without the cruise from TUI"."""
    if clause.key(place - 1) not in _FROM | _GAVE:
        return set()
    for bought in range(place - 2, max(-1, place - 2 - _GAP), -1):
        if clause.slot_at(bought) not in ("", "by", "kind") or clause.parted(bought, bought + 1, ".,;:?!"):
            return set()
        cue = _before(clause, bought)
        if _strong(clause, cue):
            return {*cue, *range(bought, place)}
    return set()


def _is_meant(clause: _Clause, phrase: tuple[str, ...], start: int, end: int) -> bool:
    """Whether words that can leave out do so here: "not rent" does, "not only rent" and "how much do I drop at" do not."""
    if clause.parted(end - 1, end, ".;:?!"):
        return False
    if phrase in WEAK:
        return not clause.parted(end - 1, end, ",") and clause.key(end) not in _NOT_ALL
    if phrase[0] in ORDERED and len(phrase) == 1:
        return _orders(clause, start)
    return phrase[0] not in NEGATIONS or clause.key(start - 1) in RELATIVES


def _strong(clause: _Clause, cue: set[int]) -> bool:
    keys = tuple(clause.key(place) for place in sorted(cue))
    longest = max((phrase for phrase in EXCLUSIONS if keys[: len(phrase)] == phrase), key=len, default=())
    return bool(keys) and longest not in WEAK


def _around(clause: _Clause, places: range) -> set[int]:
    """Return the places of "leave … out", "take the tax bill out", "den Zahnarzt lassen Sie weg"."""
    openers, closers = AROUND
    near = [*range(places[0] - 1, max(-1, places[0] - 2 - _GAP), -1), *range(places[-1] + 1, places[-1] + 3)]
    for start in near:
        key = clause.key(start)
        if key not in openers or (key in ORDERED and not _orders(clause, start)) or _apart(clause, start, places[0]):
            continue
        first = max(places[-1], start) + 1
        while clause.key(first) in TRAILS and not clause.parted(first - 1, first, ",.;:?!"):
            first += 1
        for end in range(first, min(len(clause.words), first + 1 + _GAP)):
            if clause.slot_at(end) in ("category", "merchant") or clause.parted(end - 1, end, ".,;:?!"):
                break
            if clause.key(end) in closers:
                return {*range(min(start, places[0]), end + 1)} - set(places)
    return set()


def _apart(clause: _Clause, start: int, place: int) -> bool:
    """Whether a sign or another name stands between two places."""
    low, high = min(start, place), max(start, place)
    between = range(low + 1, high)
    names = any(clause.slot_at(each) in _NAMES for each in between) and start < place
    return names or any(clause.parted(each, each + 1, ".,;:?!") for each in range(low, high))


def _orders(clause: _Clause, place: int) -> bool:
    """Whether a verb stands where an order begins: "take rent out", and not "how much did I take out"."""
    place -= clause.key(place - 1) in {"we", "you", "i"} and clause.key(place - 2) == "if"
    return place == 0 or clause.key(place - 1) in ORDER_LEADS or clause.parted(place - 1, place, ",.;:?!–-")


def _behind(clause: _Clause, places: range, phrases: Phrases = _BEHIND) -> set[int]:
    """Return the places of "… not included", "… mal ausgenommen"."""
    for start in range(places[-1] + 1, min(len(clause.words), places[-1] + 2 + _GAP)):
        if clause.parted(start - 1, start, ",.;:?!"):
            return set()
        for phrase in phrases.get(clause.key(start), ()):
            end = start + len(phrase)
            if clause.says(start, phrase) and not _is_of_the_next(clause, end):
                return set(range(places[-1] + 1, end))
        if clause.key(start) not in BETWEEN | TRAILS:
            return set()
    return set()


def _is_of_the_next(clause: _Clause, place: int) -> bool:
    """Whether words behind one name leave out another: "groceries excluding Costco", "biggest expense apart from rent"."""
    if clause.key(place) in listed("of_another"):
        return True
    for after in range(place, place + _GAP):
        if clause.parted(after - 1, after, ",.;:?!") or clause.slot_at(after) in _NAMES:
            return not clause.parted(after - 1, after, ",.;:?!")
        if clause.key(after) not in BETWEEN:
            break
    return False


def _framed(clause: _Clause, places: range, cue: set[int]) -> set[int]:
    """Return the places with the words around that say nothing else: "if you …", "… as well"."""
    first, last = min(*cue, places[0]), max(*cue, places[-1])
    while first > 0 and clause.key(first - 1) in FRAMES and not clause.slot_at(first - 1):
        first -= 1
    while last + 1 < len(clause.words) and clause.key(last + 1) in TRAILS and not clause.slot_at(last + 1):
        last += 1
    return {*cue, *range(first, min(*cue, places[0])), *range(max(*cue, places[-1]) + 1, last + 1)}


def _taking_along(clause: _Clause, places: range) -> set[int]:
    """Return the places of the words that take a name along."""
    for end in range(places[0], max(-1, places[0] - _GAP), -1):
        if end < places[0] and clause.key(end) not in BETWEEN:
            break
        for phrase in INCLUSIONS:
            start = end - len(phrase)
            if clause.says(start, phrase):
                return set(range(start, places[0]))
    return _behind(clause, places, _INCLUDED)


def _changes_nothing(clause: _Clause, index: int, group: Sequence[int], taken: set[int]) -> bool:
    """Whether what is taken along is part of the question anyway: it is about something else, or about everything.

    Beside a name of its own kind it is added to that ("groceries including restaurants"); alone in its message it is a
    change to the question before ("including restaurants").
    """
    mention = clause.mentions[index]
    others = [m for i, m in enumerate(clause.mentions) if i not in group]
    if any(other.slot == mention.slot for other in others):
        return False
    inside = {place for i in group for place in clause.places(clause.mentions[i])}
    rest = [place for place in range(len(clause.words)) if place not in inside | taken]
    return any(clause.key(place) not in FRAMES | TRAILS for place in rest)


def _marked(clause: _Clause, marks: _Marks, found: Sequence[Mention]) -> Marked:
    out, along, crossed, unable = marks.out, marks.along, marks.crossed, marks.unable
    kept: list[Mention] = []
    for index, mention in enumerate(clause.mentions):
        said = set(clause.places(mention))
        if index in along:
            crossed |= said
        elif mention.slot == SAVINGS or (index in out and index and _reaches(clause.mentions[index - 1], mention)):
            crossed |= said if index in out else set()
        elif mention.slot == UNKNOWN:
            unable += [(mention.start, mention.end)] if index in out else []
        elif index in out:
            superlative = index - 1 in out and clause.mentions[index - 1].slot in {"measure", "limit"}
            left_out = _left_out(mention, found, follows_superlative=superlative)
            kept.append(left_out)
            if not _can_be_left_out(clause, left_out):
                unable.append((mention.start, mention.end))
        elif not said or not said <= crossed:  # "left" of "left out" is no figure to show
            kept.append(mention)
    return Marked(tuple(kept), frozenset(crossed), tuple(unable))


def _left_out(mention: Mention, found: Sequence[Mention], *, follows_superlative: bool) -> Mention:
    """Return the mention as one left out: of a kind of movement the category that holds it, of a card its account."""
    account = next(
        (m for m in found if m.slot == "account" and m.start <= mention.start and mention.end <= m.end), None
    )
    if account is not None:
        return replace(account, excluded=True)
    if mention.slot == "kind" and not follows_superlative:
        same = [m for m in found if m.slot == "category" and m.start < mention.end and mention.start < m.end]
        mention = max(same, key=lambda m: m.end - m.start, default=mention)
    if mention.slot == "measure" and mention.value == "top":
        mention = replace(mention, value="largest")
    return replace(mention, excluded=True)


def _can_be_left_out(clause: _Clause, mention: Mention) -> bool:
    if mention.slot == "measure":
        return mention.value == "largest" and not _narrowed(clause, mention)
    if mention.slot == "kind":
        return mention.value in _NEVER_COUNTED | {"purchase"}
    return mention.slot not in _UNABLE


def _narrowed(clause: _Clause, mention: Mention) -> bool:
    """Whether a superlative is one of a name of its own: "without the largest grocery purchase"."""
    after = next((m for m in clause.mentions if m.start >= mention.end), None)
    return (
        after is not None
        and after.slot in _NAMES
        and after.value != "purchase"
        and not clause.text[mention.end : after.start].strip()
    )
