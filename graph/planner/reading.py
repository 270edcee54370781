"""Reading a question: the mentions of slots in it, what they leave over, and the pattern of the whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from graph.planner.exclusions import SAVINGS, UNKNOWN, mark, unknown_left_out
from graph.planner.meaning import SUBJECTS
from graph.planner.vocabulary import AROUND, BEHIND, EDITS, EXCLUSIONS, FUNCTION_WORDS, JOINERS, POINTERS
from language import cues
from language.lexicon import listed
from language.words import Word, fold, fold_in_place, words
from ledger.category_words import find_category_words
from ledger.errors import UnknownPeriod
from ledger.periods import find_slips
from ledger.search import kinds_of
from tools.slots.names import names_of
from tools.slots.period import currency_of, read_period, unclear_periods
from tools.slots.sentences import SentenceSlot, asked_outright
from tools.slots.slot import Mention

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.category_words import CategoryMention
    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.slots.slot import Slot

#: Which slot wins where two find the same words, the first the strongest.
_RANK = (
    "over", "under", "period", "limit", "category", "merchant", "kind", "per", "measure", "account", "operation", "sort", "by",
)  # fmt: skip
_NAMING = frozenset({"category", "merchant", "account"})
_MERCHANT_CUES = listed("merchant_cues")
_LONGEST_NAME = 2
#: Words behind a joiner that go on no list of names: small ones, and those that begin to leave something out themselves.
_NO_NAMES = FUNCTION_WORDS | {phrase[0] for phrase in (*EXCLUSIONS, *BEHIND)} | AROUND[0]


@dataclass(frozen=True, slots=True)
class Unclear:
    """A part of a sentence that narrows it in a way that can't be told, why, and what could stand in its place.

    ``unknown``: a time without dates ("since I moved in"). ``impossible``: dates that no calendar has. ``future``: not
    begun. ``no payday``: since a payday that is not set.
    ``not left out``: what no question can leave out ("except December", "without Foobar"). ``misspelt``: nearly
    one of several words ("diesen monta").
    """

    start: int
    end: int
    reason: Literal["unknown", "impossible", "future", "no payday", "not left out", "misspelt"]
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence with its mentions (in order, not overlapping), its pattern, and the words nothing explains."""

    text: str
    mentions: tuple[Mention, ...]
    pattern: tuple[str, ...]
    residue: tuple[Word, ...]
    words: tuple[Word, ...]
    outright: bool = False
    """Whether the sentence asks for one thing only ("remember that …"), so that nothing else is read in it."""
    unclear: tuple[Unclear, ...] = ()
    crossed: frozenset[int] = frozenset()
    """The places of words that only leave something out or take it along ("without", "mal ausgenommen", "fuel included")."""

    def of(self, slot: str, *, excluded: bool = False) -> tuple[Mention, ...]:
        """Return the mentions of one slot; "on Fridays … in October" is one period, said in two places."""
        found = [m for m in self.mentions if m.slot == slot and m.excluded == excluded]
        return tuple(m for place, m in enumerate(found) if not any(_same_period(m, other) for other in found[:place]))

    def by_slot(self, *, excluded: bool) -> dict[str, list[Any]]:
        """Return the values of the mentions that are taken in, or left out, by slot."""
        values: dict[str, list[Any]] = {}
        for mention in self.mentions:
            if mention.excluded == excluded:
                values.setdefault(mention.slot, []).append(mention.value)
        return values

    @property
    def left_out(self) -> list[str]:
        """The names that are left out: those that are said to be, and what a named kind of shop doesn't take in."""
        said = [name for slot in SUBJECTS for m in self.of(slot, excluded=True) for name in names_of(m.value)]
        beside = [name for m in self.of("category") for name in m.without]
        named = {name for m in self.of("merchant") for name in names_of(m.value)}
        return list(dict.fromkeys([*said, *(name for name in beside if name not in named)]))

    @property
    def residue_text(self) -> str:
        """The unexplained words as they were written, with what stands between neighbours."""
        parts: list[str] = []
        for position, word in enumerate(self.residue):
            previous = self.residue[position - 1] if position else None
            close = previous is not None and not self.text[previous.end : word.start].strip(" -'’&.")
            piece = self.text[word.start : word.end]
            if close and previous is not None:
                parts[-1] += self.text[previous.end : word.start] + piece
            else:
                parts.append(piece)
        return " ".join(parts)

    def has(self, vocabulary: Iterable[str]) -> bool:
        """Whether any word of the sentence is one of these."""
        wanted = frozenset(vocabulary)
        return any(word.key in wanted for word in self.words)


def slots_of(tools: Iterable[Tool]) -> tuple[Slot, ...]:
    """Return the slots of these tools, one of each name."""
    found: dict[str, Slot] = {}
    for tool in tools:
        for slot in tool.slots.values():
            found.setdefault(slot.name, slot)
    return tuple(found.values())


def read(text: str, slots: Sequence[Slot], context: ToolContext, known_words: frozenset[str]) -> Reading:
    """Find every mention, settle overlaps, and mark what is excluded; what is asked for outright is all there is."""
    sentence = words(text)
    outright = asked_outright(text, slots, context)
    if outright:
        return Reading(text, outright, _pattern(sentence, outright, frozenset()), (), sentence, outright=True)
    found, kinds = _mentions(text, slots, context)
    settled = _balanced(_settle(found, text), context)
    marked = mark(_with_listed(settled, sentence), found, text, sentence)
    meant = [(m.start, m.end) for m in marked.mentions if m.slot == "category"]
    meant += [(kind.start, kind.end) for kind in kinds]
    unclear = [
        *(
            Unclear(time.start, time.end, time.reason, time.choices)
            for time in unclear_periods(text, context)
            if not any(
                _is_of_the_kind(text[time.start : time.end], text[start:end])
                for start, end in meant
                if start < time.end and time.start < end
            )
        ),
        *(Unclear(start, end, "not left out") for start, end in marked.unable),
    ]
    return Reading(
        text=text,
        mentions=marked.mentions,
        pattern=_pattern(sentence, marked.mentions, marked.crossed),
        residue=_residue(sentence, marked.mentions, marked.crossed, known_words),
        words=sentence,
        unclear=tuple(sorted(unclear, key=lambda each: each.start)),
        crossed=marked.crossed,
    )


def _is_of_the_kind(time: str, kind: str) -> bool:
    """Whether a word for a time is part of what is bought: "holiday" clubs, not "since I last paid for fuel"."""
    return len(words(time)) <= len(words(kind)) + _LONGEST_NAME


def _mentions(text: str, slots: Sequence[Slot], context: ToolContext) -> tuple[list[Mention], list[CategoryMention]]:
    """Return what the slots of single things find, and the kinds that several words name; whole sentences were tried."""
    parts = (slot for slot in slots if not isinstance(slot, SentenceSlot))
    found = [mention for slot in parts for mention in slot.find(text, context)]
    kinds = _kinds_in_words(text, context)
    return [mention for mention in found if not any(_is_part(mention, kind) for kind in kinds)], kinds


def _kinds_in_words(text: str, context: ToolContext) -> list[CategoryMention]:
    """Return where several words name one kind of thing that is finer than our categories."""
    kinds = find_category_words(text, context.vocabulary.categories)
    return [kind for kind in kinds if len(kind.text.split()) > 1 and kinds_of(kind.text)]


def _is_part(mention: Mention, kind: CategoryMention) -> bool:
    """Whether a mention is only a part of a kind's words: a “farm shop” asks for no shops, “school fees” for no bank's fees."""
    within = kind.start <= mention.start and mention.end <= kind.end
    return within and mention.slot not in _NAMING and (mention.start, mention.end) != (kind.start, kind.end)


def _with_listed(mentions: Sequence[Mention], sentence: Sequence[Word]) -> list[Mention]:
    """Return the mentions with what else may be left out among them: savings, and words that go on a list of names."""
    kept = list(mentions)
    for place, word in enumerate(sentence):
        if _inside(word, kept):
            continue
        if cues.SAVED.search(word.key):
            kept.append(Mention(SAVINGS, word.start, word.end, "transfer", word.key))
        elif place > 1 and sentence[place - 1].key in JOINERS and _inside(sentence[place - 2], kept):
            last = _name_from(place, sentence, kept)
            kept += [Mention(UNKNOWN, word.start, last.end, word.key, word.key)] if last else []
    return sorted(kept, key=lambda mention: mention.start)


def _name_from(place: int, sentence: Sequence[Word], mentions: Sequence[Mention]) -> Word | None:
    """Return the last of the words from a place on that nobody knows and that may be one name."""
    last = None
    for word in sentence[place : place + _LONGEST_NAME]:
        if word.key in _NO_NAMES or _inside(word, mentions):
            break
        last = word
    return last


def respelled(reading: Reading, slots: Sequence[Slot], context: ToolContext, known_words: frozenset[str]) -> Reading:
    """Return the reading with the slips mended that hide a period ("in octobr", "lst month")."""
    if reading.outright or not reading.residue:
        return reading
    places = [(word.start, word.end) for word in reading.residue]
    slips = find_slips(reading.text, places, context.today, context.week_start, currency_of(context))
    unsure = [Unclear(slip.start, slip.end, "misspelt", slip.spellings) for slip in slips if len(slip.spellings) > 1]
    if unsure or not slips:
        return replace(reading, unclear=(*reading.unclear, *unsure))
    text = reading.text
    for slip in reversed(slips):
        text = f"{text[: slip.start]}{slip.spellings[0]}{text[slip.end :]}"
    return read(text, slots, context, known_words)


def reread(reading: Reading, mentions: Iterable[Mention], known_words: frozenset[str]) -> Reading:
    """Return the reading with other mentions, what the sentence leaves out marked anew."""
    if reading.outright:
        return reading
    ordered = sorted(mentions, key=lambda mention: mention.start)
    marked = mark(_with_listed(ordered, reading.words), ordered, reading.text, reading.words)
    crossed = reading.crossed | marked.crossed
    residue = _residue(reading.words, marked.mentions, crossed, known_words)
    unknown = unknown_left_out(replace(marked, crossed=crossed), reading.text, reading.words, residue)
    told = any(each.reason == "not left out" for each in reading.unclear)
    return replace(
        reading,
        mentions=marked.mentions,
        pattern=_pattern(reading.words, marked.mentions, crossed),
        residue=residue,
        unclear=(*reading.unclear, Unclear(*unknown, "not left out")) if unknown and not told else reading.unclear,
        crossed=crossed,
    )


def pattern_of(example: str, slots: Sequence[Slot], context: ToolContext) -> tuple[str, ...]:
    """Return an example's pattern: ``{slot}`` stands for itself, everything else is read like a question."""
    pieces: list[str] = []
    rest = example
    while rest:
        before, brace, after = rest.partition("{")
        if before.strip():
            pieces += read(before, slots, context, frozenset()).pattern
        if not brace:
            break
        name, _, rest = after.partition("}")
        pieces.append(f"{{{name}}}")
    return tuple(pieces)


def _settle(found: list[Mention], text: str) -> list[Mention]:
    """Keep the longest mention at each place; among equals the likelier, then the stronger slot."""
    measured = any(mention.slot == "measure" for mention in found)
    exact = {(m.start, m.end) for m in found if m.slot == "category" and (m.score >= 1 or _is_in_its_name(m))}

    def strength(mention: Mention) -> tuple[float, ...]:
        rank = _RANK.index(mention.slot) if mention.slot in _RANK else len(_RANK)
        if mention.slot == "kind" and mention.value != "purchase":  # "transfers" is a kind before it is a category
            rank = _RANK.index("limit")
        whole = mention.slot == "merchant" and mention.score >= 1 and (mention.start, mention.end) not in exact
        if whole or (mention.slot == "merchant" and _is_at_shop(text, mention.start)):
            rank = _RANK.index("limit")
        if mention.slot == "by" and measured:  # "durchschnittlicher Einkauf": a purchase, not the category
            rank = _RANK.index("limit")
        solid = mention.slot in ("over", "under", "period")
        return (-solid, -(mention.end - mention.start), rank, -mention.score)

    kept: list[Mention] = []
    for mention in sorted(found, key=strength):
        rivals = [
            other
            for other in kept
            if mention.start < other.end
            and other.start < mention.end
            and {mention.slot, other.slot} != {"over", "under"}
        ]
        if not rivals:
            kept.append(mention)
    return sorted(kept, key=lambda mention: mention.start)


def _is_in_its_name(mention: Mention) -> bool:
    """Whether a word for a category stands in its name ("rent" of "Mortgage & Rent")."""
    return any(fold(mention.text) in map(fold, name.split()) for name in names_of(mention.value))


def _balanced(mentions: list[Mention], context: ToolContext) -> list[Mention]:
    """Read "what was left at the end of May" as the whole of May: what is left at its end is what it leaves."""
    if not any(mention.slot == "show" and mention.value == "left" for mention in mentions):
        return mentions
    return [replace(m, value=_ended(m, context)) if m.slot == "period" else m for m in mentions]


def _ended(mention: Mention, context: ToolContext) -> Any:
    said = cues.END_OF.match(fold_in_place(mention.text))
    if said is None:
        return mention.value
    try:
        return read_period(mention.text[said.end() :], context)
    except UnknownPeriod:
        return mention.value


def _is_at_shop(text: str, start: int) -> bool:
    """Whether a shop would stand here: behind "at" or "from", but not behind "apart from"."""
    before = [word.key for word in words(text) if word.end <= start][-2:]
    return bool(before) and before[-1] in _MERCHANT_CUES and before[0] not in {"apart", "aside"}


def _same_period(mention: Mention, other: Mention) -> bool:
    """Whether two mentions give the same dates and weekdays."""
    one, two = mention.value, other.value
    if mention.slot != "period" or not one.weekdays:
        return False
    return (one.start, one.end, one.weekdays) == (two.start, two.end, two.weekdays)


def _inside(word: Word, mentions: Sequence[Mention]) -> Mention | None:
    for mention in mentions:
        if word.start < mention.end and mention.start < word.end:
            return mention
    return None


def _pattern(sentence: Sequence[Word], mentions: Sequence[Mention], crossed: frozenset[int]) -> tuple[str, ...]:
    pieces: list[str] = []
    last: Mention | None = None
    for position, word in enumerate(sentence):
        mention = _inside(word, mentions)
        if mention is None:
            if position not in crossed:
                pieces.append(word.key)
        elif mention is not last and not mention.excluded and not _said_before(mention, mentions):
            pieces.append(f"{{{mention.slot}}}")
        last = mention
    return tuple(pieces)


def _said_before(mention: Mention, mentions: Sequence[Mention]) -> bool:
    return any(
        other.slot == mention.slot and other.start < mention.start and _same_period(mention, other)
        for other in mentions
    )


def _residue(
    sentence: Sequence[Word], mentions: Sequence[Mention], crossed: frozenset[int], known: frozenset[str]
) -> tuple[Word, ...]:
    return tuple(
        word
        for position, word in enumerate(sentence)
        if position not in crossed
        and _inside(word, mentions) is None
        and word.key not in FUNCTION_WORDS
        and word.key not in EDITS | POINTERS
        and word.key not in known
        and not word.key.isdigit()
    )
