"""What a person has set for themselves: zone, start of the week, language and numbers, currency of bare amounts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from babel import Locale, UnknownLocaleError
from babel.dates import get_day_names
from rapidfuzz import process
from sqlalchemy.dialects import postgresql, sqlite

from ledger import schema
from ledger.errors import PreferenceRefused
from ledger.importers.currencies import CODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

#: Words that take a preference back.
_DEFAULT = frozenset(("default", "none", "standard", ""))
_NEAREST, _LIKELY = 3, 60


@dataclass(frozen=True, slots=True)
class Preference:
    """One thing that can be set; ``read`` returns what is stored for a person's words, or None if they mean nothing."""

    name: str
    meaning: str
    example: str
    read: Callable[[str], str | None]
    known: Callable[[], Iterable[str]]
    """What may be set, as far as it can be listed; for telling the nearest."""


def check_preference(name: str, text: str) -> tuple[str, str | None]:
    """Return the preference's name and the value to store, which is None for the default.

    Raises:
        PreferenceRefused: there is no such preference, or it can't be set to this; carries the nearest that work.
    """
    letters = re.sub(r"[\W_]+", "", name.casefold())
    preference = next((each for each in PREFERENCES.values() if each.name.replace("_", "") == letters), None)
    if preference is None:
        known = ", ".join(PREFERENCES)
        raise PreferenceRefused(f"There is no setting “{name}”; there are {known}.", _near(name, PREFERENCES))
    key = preference.name
    wanted = text.strip()
    if wanted.casefold() in _DEFAULT:
        return key, None
    value = preference.read(wanted)
    if value is None:
        near = _near(wanted, preference.known())
        raise PreferenceRefused(f"{key} can't be “{wanted}”; an example is {preference.example}.", near)
    return key, value


async def set_preference(repository: Repository, name: str, text: str) -> tuple[str, str | None]:
    """Check and store a preference; return its name and the value as stored. Raises PreferenceRefused."""
    key, value = check_preference(name, text)
    async with repository.store.write() as connection:
        await _store(connection, repository.person_id, key, value)
    return key, value


def show_preference(name: str, value: str) -> str:
    """Return a stored value as a person reads it."""
    return get_day_names("wide", locale="en_US")[int(value)] if name == "week_start" else value


async def _store(connection: AsyncConnection, person_id: int, name: str, value: str | None) -> None:
    table = schema.settings
    if value is None:
        mine = (table.c.person_id == person_id) & (table.c.name == name)
        await connection.execute(table.delete().where(mine))
        return
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    row = insert(table).values(person_id=person_id, name=name, value=value)
    changed = row.on_conflict_do_update(index_elements=["person_id", "name"], set_={"value": row.excluded.value})
    await connection.execute(changed)


def _near(wanted: str, known: Iterable[str]) -> tuple[str, ...]:
    names = {name: name.casefold() for name in known}
    found = process.extract(wanted.casefold(), names, limit=_NEAREST, score_cutoff=_LIKELY)
    return tuple(str(key) for _, _, key in found)


def _read_zone(text: str) -> str | None:
    name = _zones().get(text.replace(" ", "_").casefold())
    if name is None:  # a city alone, where only one zone is named after it
        cities = [zone for folded, zone in _zones().items() if folded.endswith("/" + text.replace(" ", "_").casefold())]
        name = cities[0] if len(cities) == 1 else None
    try:
        return name if name and ZoneInfo(name).utcoffset(datetime.now(UTC)) is not None else None
    except (ZoneInfoNotFoundError, OSError, ValueError):
        return None


@lru_cache(maxsize=1)
def _zones() -> dict[str, str]:
    return {name.casefold(): name for name in available_timezones() if name != "localtime"}


def _read_weekday(text: str) -> str | None:
    folded = text.casefold().rstrip(".")
    if folded in _weekdays():
        return str(_weekdays()[folded])
    return folded if len(folded) == 1 and folded in "0123456" else None


@lru_cache(maxsize=1)
def _weekdays() -> dict[str, int]:
    """Names of the days in English and German, whole and short."""
    return {
        name.casefold().rstrip("."): number
        for locale in ("en_US", "de_DE")
        for width in ("wide", "abbreviated")
        for number, name in get_day_names(width, locale=locale).items()
    }


def _read_locale(text: str) -> str | None:
    try:
        return str(Locale.parse(text.replace("-", "_")))
    except (UnknownLocaleError, ValueError, TypeError):
        return None


def _locales() -> Iterable[str]:
    from babel.localedata import locale_identifiers

    return locale_identifiers()


def _read_currency(text: str) -> str | None:
    code = text.upper()
    return code if code in CODES else None


PREFERENCES = {
    preference.name: preference
    for preference in (
        Preference(
            "time_zone", "where your day begins and ends", "Europe/Berlin", _read_zone, lambda: _zones().values()
        ),
        Preference("week_start", "the day your week begins with", "Monday", _read_weekday, _weekdays),
        Preference("locale", "how amounts and dates are written", "de_DE", _read_locale, _locales),
        Preference("currency", "what is meant where an imported file says none", "EUR", _read_currency, lambda: CODES),
    )
}
