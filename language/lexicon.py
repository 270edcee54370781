"""The words and forms of each language that the grammar reads by, from ``data/<language>.toml``; a further language is a file."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING, Any

from language.words import fold, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from language.words import Word

_OF_TOOLS = "en"
_REFERENCE = re.compile(r"\{([a-z_]+)\}")


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that there is data of."""
    return tuple(
        sorted(
            each.name.removesuffix(".toml") for each in files("language.data").iterdir() if each.name.endswith(".toml")
        )
    )


@cache
def words_of_language(language: str) -> frozenset[str]:
    """Return all words that stand in a language's data, folded; those of patterns as far as they are plain."""

    def texts(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            for each in value.values() if isinstance(value, dict) else value:
                yield from texts(each)

    return frozenset(word.key for text in texts(_read(language)) for word in words(text))


def of_each(key: str) -> tuple[Any, ...]:
    """Return what each language has under a key."""
    return tuple(_read(language)[key] for language in languages())


@cache
def listed(*keys: str) -> frozenset[str]:
    """Return the single words of all languages that are listed under any of the keys, folded."""
    return frozenset(fold(word) for key in keys for text in of_each(key) for word in text.split())


@cache
def phrases(key: str) -> tuple[tuple[str, ...], ...]:
    """Return phrases of all languages as folded words, the longest first."""
    found = {tuple(word.key for word in words(phrase)) for text in of_each(key) for phrase in text.split(";")}
    return tuple(sorted((each for each in found if each), key=lambda each: (-len(each), each)))


def occurrences(said: Sequence[Word], *lists: str) -> tuple[range, ...]:
    """Return the places at which words in a row are one of the phrases of any of the lists."""
    keys = tuple(word.key for word in said)
    return tuple(
        range(place, place + len(phrase))
        for phrase in chain.from_iterable(map(phrases, lists))
        for place in range(len(keys) - len(phrase) + 1)
        if keys[place : place + len(phrase)] == phrase
    )


def holds(key: str, said: Sequence[Word]) -> bool:
    """Whether any phrase listed under a key is among words."""
    return bool(occurrences(said, key))


@cache
def choices(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the values of a choice, each with the phrases that all languages have for it, as they are written.

    Those of the language in which tools are described come first.
    """
    found: dict[str, tuple[str, ...]] = {}
    for language in sorted(languages(), key=lambda each: each != _OF_TOOLS):
        for value, text in _read(language)["choices"][name].items():
            told = (" ".join(phrase.split()) for phrase in text.split(";"))
            found[value] = (*found.get(value, ()), *filter(None, told))
    return found


@cache
def sentences(key: str) -> tuple[str, ...]:
    """Return the sentences of all languages that are listed under a key, as they are written."""
    return tuple(sentence for those in of_each(key) for sentence in those)


@cache
def form(*names: str) -> re.Pattern[str]:
    """Return a pattern for what any language has under any of the names in its table of forms."""
    return re.compile("|".join(pattern for name in names for pattern in patterns("forms", name)))


def patterns(table: str, name: str, **parts: str) -> tuple[str, ...]:
    """Return what all languages have under a name of a table of patterns.

    ``{part}`` stands for one of the ``parts`` given, else for what all languages have under that name of the table.
    """

    def filled(pattern: str) -> str:
        return _REFERENCE.sub(lambda found: f"(?:{part(found[1])})", pattern)

    def part(name: str) -> str:
        return filled(parts[name]) if name in parts else "|".join(patterns(table, name, **parts))

    return tuple(filled(pattern) for those in of_each(table) for pattern in those[name])


@cache
def counts() -> Mapping[str, int]:
    """Return the numbers that words of any language are for, such as "two"."""
    return {word: count for those in of_each("counts") for word, count in those.items()}


@cache
def interval(word: str) -> str | None:
    """Return the interval that a word of any language is for, such as "month"."""
    return next((found for language in languages() if (found := _read(language)["intervals"].get(word))), None)


@cache
def _read(language: str) -> dict[str, Any]:
    return tomllib.loads(files("language.data").joinpath(f"{language}.toml").read_text(encoding="utf-8"))
