"""What a person sets is checked, stored in one form, and can be taken back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.errors import PreferenceRefused
from ledger.people import Person
from ledger.preferences import PREFERENCES, check_preference, set_preference, show_preference


@pytest.mark.parametrize(
    ("name", "text", "stored"),
    [
        ("time_zone", "Europe/Berlin", "Europe/Berlin"),
        ("Time Zone", "europe/berlin", "Europe/Berlin"),
        ("timezone", "new york", "America/New_York"),
        ("time_zone", "UTC", "UTC"),
        ("week_start", "Monday", "0"),
        ("week_start", "sun", "6"),
        ("week-start", "Sonntag", "6"),
        ("week_start", "Sa.", "5"),
        ("week_start", "3", "3"),
        ("week_start", "Sundays", "6"),
        ("time_zone", "Wien", "Europe/Vienna"),
        ("time_zone", "Zürich", "Europe/Zurich"),
        ("locale", "German", "de_DE"),
        ("language", "Französisch", "fr_FR"),
        ("locale", "British English", "en_GB"),
        ("home currency", "euros", "EUR"),
        ("currency", "Swiss francs", "CHF"),
        ("currency", "US-Dollar", "USD"),
        ("currency", "€", "EUR"),
        ("payday", "25", "25"),
        ("pay day", "the 1st of each month", "1"),
        ("payday", "am 31.", "31"),
        ("payday", "the last day of the month", "last"),
        ("payday", "Monatsende", "last"),
        ("payday", "last", "last"),
        ("payday", "default", None),
        ("locale", "de-DE", "de_DE"),
        ("locale", "de_DE", "de_DE"),
        ("currency", "eur", "EUR"),
        ("currency", "default", None),
    ],
)
def test_words_become_what_is_stored(name, text, stored):
    key = {"language": "locale", "home currency": "currency"}.get(name)
    key = key or next(key for key in PREFERENCES if key[0] == name[0].casefold())
    assert check_preference(name, text) == (key, stored)


@pytest.mark.parametrize(
    ("name", "text", "near"),
    [
        ("time_zone", "Europe/Berln", "Europe/Berlin"),
        ("week_start", "mondya", "monday"),
        ("locale", "de_XX_YY_ZZ", None),
        ("locale", "", None),
        ("currency", "DEM", None),
        ("currency", "$", None),
        ("payday", "0", None),
        ("payday", "32", None),
        ("payday", "Friday", None),
        ("payday", "٣", None),
        ("week_start", "7", None),
        ("curency", "EUR", "currency"),
        ("time_zone", "../../etc/passwd", None),
    ],
)
def test_what_means_nothing_is_refused_with_what_is_near(name, text, near):
    if not text:
        assert check_preference(name, text)[1] is None
        return
    with pytest.raises(PreferenceRefused) as refused:
        check_preference(name, text)
    assert near is None or near in refused.value.choices


@settings(deadline=None)
@given(st.sampled_from([*PREFERENCES, "other"]), st.text(max_size=60))
def test_any_text_is_stored_in_a_form_that_is_stored_again_as_itself_or_refused(name, text):
    try:
        key, stored = check_preference(name, text)
    except PreferenceRefused:
        return
    assert stored is None or check_preference(key, stored) == (key, stored)


async def test_a_preference_is_one_persons_and_can_be_changed_and_taken_back(store):
    mine = await store.repository(Person("console", "local", "me"))
    other = await store.repository(Person("console", "local", "other"))
    assert await set_preference(mine, "locale", "de_DE") == ("locale", "de_DE")
    assert await set_preference(mine, "locale", "fr_FR") == ("locale", "fr_FR")
    await set_preference(mine, "week_start", "sunday")
    assert await mine.settings() == {"locale": "fr_FR", "week_start": "6"}
    assert await other.settings() == {}
    assert show_preference("week_start", "6") == "Sunday"
    assert [show_preference("payday", day) for day in ("1", "12", "23", "last")] == [
        "1st of the month", "12th of the month", "23rd of the month", "last day of the month",
    ]  # fmt: skip
    await set_preference(mine, "locale", "default")
    await set_preference(mine, "currency", "default")
    assert await mine.settings() == {"week_start": "6"}
