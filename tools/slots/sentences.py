"""Sentences that ask for one thing only ("remember that …", "set my time zone to …"): nothing else is read in them.

Their words say what is to be done and what it is to be done with, so such a slot finds nothing in any other sentence,
and its mentions together take up the whole of one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from language.lexicon import patterns, phrases
from language.words import fold_in_place
from tools.slots.slot import Checked, Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tools.context import ToolContext
    from tools.slots.slot import Copied, Slot

_GREETINGS = re.compile(rf"(?:(?:{'|'.join(patterns('requests', 'greeting'))})\b[\s,:!.–-]*)+")
#: Requests put as a question or a wish.
_REQUESTS = re.compile(rf"(?:{'|'.join(patterns('requests', 'request'))})(?:please )?")
#: A sentence that begins so asks, with or without its question mark.
_ASKED = re.compile(rf"(?:{'|'.join(patterns('requests', 'asks'))})\b")
_THANKS = tuple(map(" ".join, phrases("thanks")))
_ENDS = " \t\r\n.!,"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text without what is only polite: ``folded`` is its core, which begins at ``start``; ``asks`` if it is a question."""

    text: str
    folded: str
    start: int
    end: int
    asks: bool

    def written(self, start: int, end: int) -> str:
        """Return a part of the core as it was written, without quotes around it."""
        return unquoted(self.text[self.start + start : self.start + end])


def unquoted(text: str) -> str:
    """Return a text without blanks and quotation marks around it."""
    text = text.strip()
    if len(text) > 2 and text[0] in "\"“„'‘«»" and text[-1] in "\"”“'’»«":
        return text[1:-1].strip()
    return text


def any_of(*forms: str, then: str = "") -> re.Pattern[str]:
    """Return the pattern of a core that has one of these forms, and what may follow it."""
    return re.compile(f"(?:{'|'.join(forms)}){then}")


def forms_of(table: str, name: str, /, **parts: str) -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each form of a core in the lexicon; unlike in :func:`any_of`, all may name the same groups."""
    return tuple(map(re.compile, patterns(table, name, **parts)))


def match_core(forms: Sequence[re.Pattern[str]], sentence: Sentence) -> re.Match[str] | None:
    """Return how the first form that fits takes up a sentence's whole core."""
    return next((found for form in forms if (found := form.fullmatch(sentence.folded))), None)


def cores(forms: Mapping[str, Sequence[re.Pattern[str]]]) -> Callable[[Sentence], Mapping[str, re.Match[str]]]:
    """Return how to find which of several kinds of forms take up a sentence's whole core, by the names of the kinds."""

    @lru_cache(maxsize=128)
    def found(sentence: Sentence) -> Mapping[str, re.Match[str]]:
        return {name: match for name, each in forms.items() if (match := match_core(each, sentence)) is not None}

    return found


@lru_cache(maxsize=128)
def sentence_of(text: str) -> Sentence:
    """Take greetings, "can you please" and thanks off a text."""
    folded = fold_in_place(text)
    folded += text[len(folded) :]  # of a long text only the beginning says what it is
    end = _without_thanks(folded)
    asks = folded[end - 1 : end] == "?"
    while folded[end - 1 : end] == "?":
        end = len(folded[: end - 1].rstrip(_ENDS))
    start = len(folded) - len(folded.lstrip())
    requested = False
    for polite in (_GREETINGS, _REQUESTS, _GREETINGS):
        found = polite.match(folded, start, end)
        if found is not None and found.end() < end:
            start = found.end()
            requested = requested or polite is _REQUESTS
    asks = asks or _ASKED.match(folded, start, end) is not None
    return Sentence(text, folded[start:end], start, end, asks and not requested)


def _without_thanks(folded: str) -> int:
    end = len(folded.rstrip(_ENDS))
    while word := next((each for each in _THANKS if folded[:end].endswith((f" {each}", f",{each}"))), None):
        before = len(folded[: end - len(word)].rstrip(_ENDS))
        if folded[before - 1 : before] == ":":
            break  # "note to self: thanks"
        end = before
    return end


@dataclass(frozen=True, eq=False)
class SentenceSlot:
    """A parameter that whole sentences are about.

    ``read`` returns the mentions of a sentence, of this slot and of others that share it. ``values`` are all it can be,
    if they can be listed; None among them stands for no argument.
    """

    name: str
    description: str
    read: Callable[[Sentence], Sequence[Mention]]
    judge: Callable[[Any], Checked] = Checked
    values: tuple[str, ...] = ()
    copied: ClassVar[Copied] = "anywhere"

    def json_schema(self) -> dict[str, Any]:
        """The values, where they can be listed, and what they mean."""
        return ({"enum": list(self.values)} if self.values else {}) | {"description": self.description}

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return the mention of a sentence that is about this, and nothing for any other."""
        del context
        return [mention for mention in self.read(sentence_of(text)) if mention.slot == self.name]

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Judge a proposed value by itself."""
        del context
        return self.judge(value)


def asked_outright(text: str, slots: Iterable[Slot], context: ToolContext) -> tuple[Mention, ...]:
    """Return the mentions of a sentence that asks for one thing only; they take up the whole of it."""
    kept: list[Mention] = []
    for slot in slots:
        for mention in slot.find(text, context) if isinstance(slot, SentenceSlot) else ():
            if all(mention.end <= other.start or other.end <= mention.start for other in kept):
                kept.append(mention)
    return tuple(sorted(kept, key=lambda mention: mention.start))


def whole(slot: str, value: Any, sentence: Sentence) -> tuple[Mention, ...]:
    """Return the one mention that takes up a sentence."""
    return (Mention(slot, 0, len(sentence.text), value, sentence.text.strip()),)
