"""Reading a question: the mentions of slots in it, what they leave over, and the pattern of the whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from graph.planner.vocabulary import EDITS, EXCLUSIONS, FUNCTION_WORDS, POINTERS
from tools.slots.words import Word, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.slots.slot import Mention, Slot

#: Which slot wins where two find the same words, the first the strongest.
_RANK = (
    "over", "under", "period", "limit", "category", "merchant", "kind", "per", "measure", "account", "operation", "sort", "by",
)  # fmt: skip
_MERCHANT_CUES = frozenset({"at", "bei", "beim", "from", "to"})
_JOINERS = frozenset({"and", "or", "und", "oder", "nor"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence with its mentions (in order, not overlapping), its pattern, and the words nothing explains."""

    text: str
    mentions: tuple[Mention, ...]
    pattern: tuple[str, ...]
    residue: tuple[Word, ...]
    words: tuple[Word, ...]

    def of(self, slot: str, *, excluded: bool = False) -> tuple[Mention, ...]:
        """Return the mentions of one slot."""
        return tuple(m for m in self.mentions if m.slot == slot and m.excluded == excluded)

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
    """Find every mention, settle overlaps, and mark what is excluded."""
    sentence = words(text)
    found = [mention for slot in slots for mention in slot.find(text, context)]
    kept, crossed = _exclude(_settle(found, text), sentence)
    return Reading(
        text=text,
        mentions=tuple(kept),
        pattern=_pattern(sentence, kept, crossed),
        residue=_residue(sentence, kept, crossed, known_words),
        words=sentence,
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

    def strength(mention: Mention) -> tuple[float, ...]:
        rank = _RANK.index(mention.slot) if mention.slot in _RANK else len(_RANK)
        if mention.slot == "kind" and mention.value != "purchase":  # "transfers" is a kind before it is a category
            rank = _RANK.index("limit")
        if mention.slot == "merchant" and _before(text, mention.start) in _MERCHANT_CUES:
            rank = _RANK.index("limit")
        if mention.slot == "by" and measured:  # "durchschnittlicher Einkauf": a purchase, not the category
            rank = _RANK.index("limit")
        solid = mention.slot in ("over", "under", "period")
        return (-solid, -(mention.end - mention.start), rank, -mention.score)

    kept: list[Mention] = []
    for mention in sorted(found, key=strength):
        rivals = [other for other in kept if mention.start < other.end and other.start < mention.end]
        if not rivals:
            kept.append(mention)
    return sorted(kept, key=lambda mention: mention.start)


def _before(text: str, start: int) -> str:
    before = [word for word in words(text) if word.end <= start]
    return before[-1].key if before else ""


def _exclude(mentions: list[Mention], sentence: Sequence[Word]) -> tuple[list[Mention], frozenset[int]]:
    """Mark mentions behind an exclusion; return them and the places of the words that exclude."""
    crossed: set[int] = set()
    marked: list[Mention] = []
    for mention in mentions:
        place = next((i for i, word in enumerate(sentence) if word.start >= mention.start), len(sentence))
        cue = _exclusion_before(sentence, place)
        chained = bool(marked) and marked[-1].excluded and _joined(sentence, marked[-1].end, mention.start)
        if mention.slot in ("period", "over", "under", "limit", "per") and not chained:
            cue = ()
        if cue or chained:
            crossed.update(cue)
        marked.append(replace(mention, excluded=bool(cue) or chained))
    return marked, frozenset(crossed)


def _exclusion_before(sentence: Sequence[Word], place: int) -> tuple[int, ...]:
    """Return the places of an exclusion that ends within two small words before a place."""
    for gap in range(3):
        end = place - gap
        if any(sentence[i].key not in FUNCTION_WORDS for i in range(max(0, end), place)):
            return ()
        for phrase in sorted(EXCLUSIONS, key=len, reverse=True):
            start = end - len(phrase)
            if start >= 0 and tuple(word.key for word in sentence[start:end]) == phrase:
                return tuple(range(start, place))
    return ()


def _joined(sentence: Sequence[Word], start: int, end: int) -> bool:
    between = [word.key for word in sentence if word.start >= start and word.end <= end]
    return len(between) <= 2 and all(key in _JOINERS or key in {"the", "my", "die", "der"} for key in between)


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
        elif mention is not last and not mention.excluded:
            pieces.append(f"{{{mention.slot}}}")
        last = mention
    return tuple(pieces)


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
