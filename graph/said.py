"""What the person's words say: whether a value of a model's is in them, and how it is written there.

What is found is the person's own spelling, never the model's, so that nothing which a model wrote goes any further.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from language.lexicon import of_each
from language.words import fold, fold_in_place, words
from ledger.stemming import stem
from tools.schema.validation import find_problems, same
from tools.slots.period import PeriodSlot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from language.words import Word
    from tools.context import ToolContext

#: A value that the words don't hold.
NOT_SAID: Final = object()


def _numbers(numerals: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield the numbers that a language has words for."""
    small, tens = numerals["small"].split(), numerals["tens"].split()
    yield from zip(small, range(20), strict=True)
    for ten, tenfold in zip(tens, range(20, 100, 10), strict=True):
        yield ten, tenfold
        yield from ((numerals["joined"].format(ten=ten, one=small[one]), tenfold + one) for one in range(1, 10))
    yield from numerals["others"].items()


_NUMBERS: Final[Mapping[str, int]] = {
    fold(name): value for numerals in of_each("numerals") for name, value in _numbers(numerals)
}
_LONGEST_NUMBER = 40
_LARGEST = 10**15
_NUMERAL = re.compile(r"(?<![\w.,])[-−]?\d+(?:[.,' ’]\d{3})*(?:[.,]\d+)?(?![\d])")
_GENITIVE = re.compile(r"['’´`]s$", re.IGNORECASE)


@dataclass(frozen=True)
class Said:
    """The words of a text that a value may come from: all of it, or those that nothing else took."""

    text: str
    words: Sequence[Word]
    days: frozenset[str] = frozenset()
    """The first and last days of the periods that the text names, as ISO dates."""

    @classmethod
    def whole(cls, text: str, context: ToolContext) -> Said:
        """Return all words of a text."""
        periods = [mention.value for mention in PeriodSlot().find(text, context)]
        days = (day.isoformat() for period in periods for day in (period.start, period.end))
        return cls(text, words(text), frozenset(days))

    def without(self, spans: Iterable[tuple[int, int]]) -> Said:
        """Return what is left outside these places."""
        taken = tuple(spans)
        free = [word for word in self.words if not any(start < word.end and word.start < end for start, end in taken)]
        return Said(self.text, free)

    def value(self, value: Any, schema: Mapping[str, Any]) -> Any:
        """Return a value as the words have it, or ``NOT_SAID``; the schema is the one that it has passed."""
        if value is None or ("const" in schema and same(value, schema["const"])):
            return value
        if isinstance(value, bool):  # no word of a sentence says which of the two is meant
            return NOT_SAID
        schema = next((one for one in _members(schema) if not find_problems(value, one)), schema)
        if isinstance(value, str):
            return self._choice(value) if "enum" in schema else self._text(value, schema)
        if isinstance(value, int | float):
            return value if abs(value) < _LARGEST and Decimal(str(value)) in self._numbers else NOT_SAID
        return self._list(value, schema) if isinstance(value, list) else self._object(value, schema)

    def words_of(self, value: str) -> str | None:
        """Return the place where the words of a value stand next to each other, as it was written there."""
        wanted = [word.key for word in words(value)]
        if not wanted:
            return None
        for first in range(len(self.words) - len(wanted) + 1):
            run = self.words[first : first + len(wanted)]
            if all(self._is(word, key) for word, key in zip(run, wanted, strict=True)) and self._joined(run):
                return _GENITIVE.sub("", self.text[run[0].start : run[-1].end])
        return None

    def holds(self, phrase: str) -> bool:
        """Whether the words hold a phrase of ours, in whatever number or case it stands."""
        wanted = [stem(word.key) for word in words(phrase)]
        stems = [stem(word.key) for word in self.words]
        return bool(wanted) and any(
            stems[first : first + len(wanted)] == wanted for first in range(len(stems) - len(wanted) + 1)
        )

    def _is(self, word: Word, key: str) -> bool:
        return key in (word.key, fold(_GENITIVE.sub("", self.text[word.start : word.end])))

    def _joined(self, run: Sequence[Word]) -> bool:
        """Whether nothing stands between these words but what is no word."""
        between = (self.text[one.end : other.start] for one, other in pairwise(run))
        return not any(char.isalnum() for gap in between for char in gap)

    @cached_property
    def _numbers(self) -> frozenset[Decimal]:
        """The numbers that are written in figures or in words; a comma may stand for either mark."""
        found = {Decimal(_NUMBERS[word.key]) for word in self.words if word.key in _NUMBERS}
        for one, other in pairwise(self.words):  # “twenty five”
            found |= {Decimal(_NUMBERS[key]) for key in (f"{one.key}-{other.key}",) if key in _NUMBERS}
        starts = {word.start for word in self.words}
        for match in _NUMERAL.finditer(fold_in_place(self.text)):
            if match.start() in starts or match.start() + 1 in starts:
                found |= _readings(match.group())
        return frozenset(found)

    def _text(self, value: str, schema: Mapping[str, Any]) -> Any:
        if schema.get("format") == "date" and value in self.days:
            return value
        written = self.words_of(value)
        if written is not None and not find_problems(written, schema):
            return written
        number = None if written else _number(value)
        return format(number, "f") if number is not None and number in self._numbers else NOT_SAID

    def _choice(self, value: str) -> Any:
        """Return one of a few values that are ours, if the words name it."""
        return value if self.holds(value.replace("_", " ").replace("-", " ")) else NOT_SAID

    def _list(self, value: list[Any], schema: Mapping[str, Any]) -> Any:
        """Return a list of which every item was said; one that loses some of them would say something else."""
        items = schema.get("items")
        said = [self.value(item, items if isinstance(items, dict) else {}) for item in value]
        return NOT_SAID if not said or any(item is NOT_SAID for item in said) else said

    def _object(self, value: Any, schema: Mapping[str, Any]) -> Any:
        """Return an object without what was not said; whole keys that nobody declared must be said as well."""
        properties = schema.get("properties", {})
        said: dict[str, Any] = {}
        for name, item in value.items():
            wanted = properties.get(name)
            found = self.value(item, wanted if isinstance(wanted, dict) else {})
            if is_default(item, wanted) or found is not NOT_SAID:
                key = name if name in properties else self.words_of(name)
                said |= {} if key is None else {key: item if found is NOT_SAID else found}
        return NOT_SAID if not said or find_problems(said, schema) else said


def is_default(value: Any, schema: Mapping[str, Any] | None) -> bool:
    """Whether a value is what the tool takes where nothing is said."""
    return bool(schema) and "default" in (schema or {}) and same(value, (schema or {})["default"])


def _members(schema: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return schema.get("anyOf") or schema.get("oneOf") or (schema,)


def _readings(numeral: str) -> set[Decimal]:
    """Return what a numeral may mean: a last comma or point can be the decimal mark or divide thousands."""
    plain = re.sub(r"[' ’]", "", numeral.replace("−", "-"))
    forms = {re.sub(r"[.,]", "", plain), plain.replace(",", ""), plain.replace(".", "").replace(",", ".")}
    return {number for form in forms if (number := _number(form)) is not None}


def _number(text: str) -> Decimal | None:
    if len(text) > _LONGEST_NUMBER or not text.isascii():
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
