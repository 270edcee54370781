"""What a person has set for themselves: zone, start of the week, payday, form of numbers, home currency."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from babel.dates import get_day_names
from rapidfuzz import process
from sqlalchemy.dialects import postgresql, sqlite

from language.catalogue import say
from ledger import schema
from ledger.errors import PreferenceRefused
from ledger.importers.currencies import CODES
from ledger.setting_words import (
    LAST_DAY,
    locales,
    ordinal,
    read_currency,
    read_locale,
    read_payday,
    read_weekday,
    read_zone,
    weekdays,
    zones,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

#: What a person reads where the name would not tell them.
_LABELS = {"currency": "Home currency", "locale": "Language"}
#: Kept among a person's settings, and no preference: the language that their platform tells.
TOLD_LOCALE = "told_locale"
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

    @property
    def label(self) -> str:
        """What a person reads in place of the name."""
        return _LABELS.get(self.name) or self.name.replace("_", " ").capitalize()


def locale_of(settings: Mapping[str, str]) -> str | None:
    """Return how a person reads: as they have set it, or else as their platform tells; None where neither is known."""
    return settings.get("locale") or settings.get(TOLD_LOCALE)


def check_preference(name: str, text: str) -> tuple[str, str | None]:
    """Return the preference's name and the value to store, which is None for the default.

    Raises:
        PreferenceRefused: there is no such preference, or it can't be set to this; carries the nearest that work.
    """
    letters = re.sub(r"[\W_]+", "", name.casefold())
    meant = _OTHER_NAMES.get(letters, letters)
    preference = next((each for each in PREFERENCES.values() if meant in (each.name, each.name.replace("_", ""))), None)
    if preference is None:
        known = ", ".join(PREFERENCES)
        unknown = say("There is no setting “{name}”; there are {known}.", name=name, known=known)
        raise PreferenceRefused(unknown, _near(name, PREFERENCES))
    key = preference.name
    wanted = text.strip()
    if wanted.casefold() in _DEFAULT:
        return key, None
    value = preference.read(wanted)
    if value is None:
        near = _near(wanted, preference.known())
        told = {"setting": say(preference.label), "value": wanted, "example": preference.example}
        raise PreferenceRefused(say("{setting} can't be “{value}”; an example is {example}.", **told), near)
    return key, value


async def set_preference(repository: Repository, name: str, text: str) -> tuple[str, str | None]:
    """Check and store a preference; return its name and the value as stored. Raises PreferenceRefused."""
    key, value = check_preference(name, text)
    async with repository.store.write() as connection:
        await store_preference(connection, repository, key, value)
    return key, value


def show_preference(name: str, value: str) -> str:
    """Return a stored value as a person reads it."""
    if name == "week_start":
        return say(get_day_names("wide", locale="en_US")[int(value)])
    if name == "payday":
        return say("last day of the month" if value == LAST_DAY else f"{ordinal(int(value))} of the month")
    return value


async def store_preference(connection: AsyncConnection, repository: Repository, name: str, value: str | None) -> None:
    """Store a checked value within a transaction; None takes the preference back."""
    table, person_id = schema.settings, repository.person_id
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


PREFERENCES = {
    preference.name: preference
    for preference in (
        Preference("time_zone", "where your day begins and ends", "Europe/Berlin", read_zone, zones),
        Preference("week_start", "the day your week begins with", "Monday", read_weekday, weekdays),
        Preference("payday", "the day of the month on which you are paid", "25", read_payday, lambda: (LAST_DAY,)),
        Preference(
            "locale", "the language where a message does not show it, and how amounts and dates are written", "de_DE",
            read_locale, locales,
        ),
        Preference(
            "currency", "your home currency: what is meant where an imported file says none", "EUR", read_currency,
            lambda: CODES,
        ),
    )
}  # fmt: skip
#: Other names that people have for them.
_OTHER_NAMES = {
    "homecurrency": "currency", "zone": "time_zone", "language": "locale", "week": "week_start",
}  # fmt: skip
