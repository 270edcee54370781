"""Closed choices, each with the words that people use for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from language.catalogue import say
from language.lexicon import choices
from language.words import words
from tools.slots.slot import Checked, Mention

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.context import ToolContext


@dataclass(frozen=True, eq=False)
class ChoiceSlot:
    """A value out of a few; a phrase is one or several words, compared without case and accents."""

    name: str
    phrases: Mapping[str, tuple[str, ...]]
    description: str = ""

    def json_schema(self) -> dict[str, Any]:
        """The values as an enum."""
        return {"enum": list(self.phrases)} | ({"description": self.description} if self.description else {})

    @cached_property
    def _by_first_word(self) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        index: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for value, phrases in self.phrases.items():
            for phrase in phrases:
                keys = tuple(word.key for word in words(phrase))
                index.setdefault(keys[0], []).append((keys, value))
        for entries in index.values():
            entries.sort(key=lambda entry: -len(entry[0]))
        return index

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return every phrase of the sentence, the longest at each place."""
        del context
        sentence = words(text)
        found: list[Mention] = []
        position = 0
        while position < len(sentence):
            step = 1
            for keys, value in self._by_first_word.get(sentence[position].key, ()):
                window = sentence[position : position + len(keys)]
                if tuple(word.key for word in window) == keys:
                    start, end = window[0].start, window[-1].end
                    found.append(Mention(self.name, start, end, value, text[start:end]))
                    step = len(keys)
                    break
            position += step
        return found

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Accept a value of the choice; the schema has coerced near misses before."""
        del context
        if value in self.phrases:
            return Checked(value)
        return Checked(problem=say("“{word}” is no choice here.", word=str(value)[:40]), choices=tuple(self.phrases))


MEASURE = ChoiceSlot("measure", choices("measure"), "Which extreme, count or average")
BY = ChoiceSlot("by", choices("by"), "What is ranked")
PER = ChoiceSlot("per", choices("per"), "Average per day, week, month or year")
SHOW = ChoiceSlot("show", choices("show"), "Which figure of the income")
SORT = ChoiceSlot("sort", choices("sort"), "Order of the list")
OPERATION = ChoiceSlot("operation", choices("operation"), "What to compute")
MEANS = ChoiceSlot("means", choices("means"), "How it was paid")
