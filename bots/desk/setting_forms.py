"""The form of a person's settings: what each field shows and offers, and the call that stores what was changed."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from babel import Locale
from babel.numbers import get_currency_name

from bots.contracts import Duty
from bots.desk.fields import OUT_OF_DATE, Field, told_problems
from bots.desk.names import nearest
from bots.desk.settings import SAVE, problems
from language.catalogue import said_in, say, tongues, translated
from ledger.importers.currencies import CODES
from ledger.preferences import PREFERENCES, show_preference
from ledger.setting_words import LAST_DAY, locales, zones

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DEFAULT: Final = "default"
TITLE: Final = "Settings"
HINT: Final = "Left empty, the default holds."
#: What has more values than a menu takes: they are looked for by what is typed.
SEARCHED: Final = ("time_zone", "locale", "currency")
_WHOLE: Mapping[str, tuple[str, ...]] = {
    "week_start": tuple(map(str, range(7))),
    "payday": (*map(str, range(1, 32)), LAST_DAY),
}
#: What is offered before anything is typed.
_USUAL = {
    "locale": ("en_US", "en_GB", "de_DE", "de_AT", "de_CH"),
    "currency": ("EUR", "USD", "GBP", "CHF"),
    "time_zone": (),
}


def setting_fields(made: Mapping[str, str], language: str) -> list[Field]:
    """Return a field for each setting, with what is set of it chosen, in a language; those to be searched have no options."""
    return [_field(name, made.get(name, ""), language) for name in PREFERENCES]


def shown_setting(name: str, value: str, language: str) -> str:
    """Return what a menu says for a stored value; the default is one as well."""
    if value in ("", DEFAULT):
        return translated(say("Default"), language)
    if name in ("locale", "currency"):
        return _named(name, language).get(value, value)
    shown = show_preference(name, value)
    return said_in(language, shown)


def setting_options(name: str, typed: str, language: str, most: int) -> list[tuple[str, str]]:
    """Return the values of a setting that what was typed may mean, each with what is read, the default among them."""
    read = PREFERENCES[name].read
    shown = {DEFAULT: shown_setting(name, DEFAULT, language), **_values(name, language)}
    by_text = {text: value for value, text in shown.items()}
    meant = read(typed) if typed else None
    found = [by_text[text] for text in nearest(typed, list(by_text))]
    wanted = dict.fromkeys((*((meant,) if meant else ()), *found))
    return [(value, shown.get(value) or shown_setting(name, value, language)) for value in wanted][:most]


def read_settings(values: Mapping[str, object], made: Mapping[str, str], language: str) -> Duty | dict[str, str]:
    """Return the duty that stores what of a form differs from what is set, or what is wrong with it by the field.

    A form that changes nothing makes one without values.
    """
    given: dict[str, str] = {}
    for name, text in values.items():
        if name not in PREFERENCES or not isinstance(text, str):
            return told_problems({next(iter(PREFERENCES)): OUT_OF_DATE}, language)
        given[name] = "" if text.strip().casefold() in _default_words() else text.strip()
    changed = {name: text or DEFAULT for name, text in given.items() if text != made.get(name, "")}
    wrong = problems(changed)
    return told_problems(wrong, language) if wrong else Duty(SAVE, changed)


def _field(name: str, value: str, language: str) -> Field:
    preference = PREFERENCES[name]
    meaning = translated(preference.meaning, language)
    example = translated(say(preference.example), language) if name == "week_start" else preference.example
    options = tuple((each, shown_setting(name, each, language)) for each in (*_WHOLE.get(name, ()), DEFAULT))
    return Field(
        name,
        translated(preference.label, language),
        options if name in _WHOLE else (),
        value,
        translated(say("For example {example}", example=example), language),
        hint=f"{meaning[:1].upper()}{meaning[1:]}.",
    )


def _values(name: str, language: str) -> Mapping[str, str]:
    if name == "time_zone":
        return {zone: zone for zone in sorted(zones())}
    if name in _WHOLE:
        return {value: shown_setting(name, value, language) for value in _WHOLE[name]}
    return _named(name, language)


@lru_cache(maxsize=8)
def _named(name: str, language: str) -> dict[str, str]:
    """Return the codes of locales or currencies with their names in a language, the usual ones first."""
    known: Iterable[tuple[str, str]]
    if name == "currency":
        known = ((code, f"{code} · {get_currency_name(code, locale=language)}") for code in CODES)
    else:
        words = Locale.parse(language)
        parts = (code.split("_") for code in locales())
        known = (
            ("_".join(each), f"{words.languages[each[0]]} ({words.territories[each[1]]})")
            for each in parts
            if len(each) == 2 and each[0] in words.languages and each[1] in words.territories
        )
    named = dict(sorted(known, key=lambda each: each[1].casefold()))
    return {code: named[code] for code in (*_USUAL[name], *named) if code in named}


@lru_cache(maxsize=1)
def _default_words() -> frozenset[str]:
    return frozenset((DEFAULT, *(shown_setting("", DEFAULT, language).casefold() for language in tongues())))
