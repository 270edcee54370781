"""Messages of ours that can be told in other languages, from gettext catalogues in ``messages/<language>/*.po``.

A message is its English text. Where its parts depend on one another it is made by :func:`say` or :func:`joined`, which
keep them, so that another language can put them in an order of its own. What no catalogue has is told in English.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, TypeVar

from language.tongue import DEFAULT, tongue_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from babel.messages.catalog import Message as Entry

T = TypeVar("T")

#: Between a context and a message, as in gettext's own files.
_APART = "\x04"
_FIELD = re.compile(r"\{(\w+)\}")


class Template(str):
    """An English text that remembers what it was made of; a part that is no message is somebody's data."""

    __slots__ = ("form", "parts")
    form: str
    parts: Mapping[str, str]


class Written(Template):
    """A part that each language writes in its own way, such as a date."""

    __slots__ = ("write",)
    write: Callable[[str], str]


def say(form: str, /, **parts: str) -> Template:
    """Return a message of a form with some of its ``{fields}`` filled; the others stay for who shows it.

    What is a message already, with nothing to fill, stays as it is.
    """
    if isinstance(form, Template) and not parts:
        return form
    message = Template(_filled(form, parts))
    message.form, message.parts = form, parts
    return message


def written(write: Callable[[str], str]) -> Written:
    """Return a part that is written anew in the language of what it stands in."""
    text = Written(write(DEFAULT))
    text.form, text.parts, text.write = str(text), {}, write
    return text


def joined(parts: Iterable[str], between: str = "") -> Template:
    """Return messages in a row, with a message between them."""
    several = list(parts)
    names = {f"part_{place}": part for place, part in enumerate(several)}
    steps = {f"between_{place}": say(between) for place in range(1, len(several))}
    form = "".join((f"{{between_{place}}}" if place else "") + f"{{part_{place}}}" for place in range(len(several)))
    return say(form, **names, **steps)


def translated(text: str, language: str, context: str = "") -> str:
    """Return a message of ours in a language; a plain string is one without parts.

    ``context`` tells words apart that are the same in English (“Share” as a button).
    """
    if language == DEFAULT:
        return str(text)
    if isinstance(text, Written):
        return text.write(language)
    if not isinstance(text, Template):
        told = catalogue(language)
        return told.get(f"{context}{_APART}{text}" if context else text, text)
    parts = {name: said_in(language, part) for name, part in text.parts.items()}
    return _filled(catalogue(language).get(text.form, text.form), parts)


def _filled(form: str, parts: Mapping[str, str]) -> str:
    return _FIELD.sub(lambda found: parts.get(found[1], found[0]), form)


@cache
def tongues() -> tuple[str, ...]:
    """Return the languages that answers can be in, English first."""
    found = sorted(each.name for each in files("language.messages").iterdir() if each.is_dir() and each.name[0] != "_")
    return (DEFAULT, *found)


def language_of(locale: str) -> str:
    """Return the language of a locale, English where no answer can be in it."""
    language = locale.replace("-", "_").partition("_")[0].lower()
    return language if language in tongues() else DEFAULT


def said_in(language: str, text: T) -> T | str:
    """Return a message of ours in a language, and anything else, which is somebody's data, as it is."""
    return translated(text, language) if isinstance(text, Template) else text


def heard(texts: Iterable[str]) -> str | None:
    """Return the language of the first text whose words tell one that answers can be in; None where none does."""
    return next((each for each in map(tongue_of, texts) if each in tongues()), None)


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return what messages are in a language; empty for English and for one that there is no folder of."""
    if language not in tongues()[1:]:
        return {}
    from babel.messages.pofile import read_po  # only for who reads another language

    told: dict[str, str] = {}
    for file in sorted(files("language.messages").joinpath(language).iterdir(), key=lambda each: each.name):
        with file.open("rb") as stream:
            told |= {_key(entry): str(entry.string) for entry in read_po(stream) if entry.string}
    told.pop("", None)  # the head of a file
    return told


def _key(entry: Entry) -> str:
    return f"{entry.context}{_APART}{entry.id}" if entry.context else str(entry.id)
