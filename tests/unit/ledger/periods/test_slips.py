"""Misspelt periods: on Saturday 21 November 2026."""

from __future__ import annotations

from datetime import date

import pytest

from ledger.periods import find_slips, part_compounds

TODAY = date(2026, 11, 21)
KNOWN = frozenset(
    "how much did i spend at on in the und bei habe ich was im am this diesen dieses month monat week".split()
)


def mended(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the slips among the words that are not known, as (word, spellings)."""
    places, start = [], 0
    for word in text.split(" "):
        if word.casefold() not in KNOWN:
            places.append((start, start + len(word)))
        start += len(word) + 1
    return [(text[slip.start : slip.end], slip.spellings) for slip in find_slips(text, places, TODAY)]


@pytest.mark.parametrize(
    ("text", "slip", "meant"),
    [
        ("groceries in octobr", "octobr", "october"),
        ("coffee since janury", "janury", "january"),
        ("how much last mnth", "mnth", "month"),
        ("lst month at aldi", "lst", "last"),
        ("lst mnth", "lst mnth", "last month"),
        ("this yaer", "yaer", "year"),
        ("on wendesday", "wendesday", "wednesday"),
        ("last quatre", "quatre", "quarter"),
        ("over chrismas", "chrismas", "christmas"),
        ("sicne march", "sicne", "since"),
        ("letzen monat bei rewe", "letzen", "letzten"),
        ("im Dezmber", "Dezmber", "dezember"),
        ("letzte Wcohe", "Wcohe", "woche"),
        ("vorgestrn", "vorgestrn", "vorgestern"),
        ("am mitwoch", "mitwoch", "mittwoch"),
        ("weinachten", "weinachten", "weihnachten"),
        ("seit Octobr", "Octobr", "october"),
    ],
)
def test_a_slip_near_one_period_is_mended(text: str, slip: str, meant: str) -> None:
    assert mended(text) == [(slip, (meant,))]


def test_a_slip_near_two_periods_gives_both() -> None:
    assert mended("diesen monta") == [("monta", ("montag", "monat"))]


@pytest.mark.parametrize(
    "text",
    [
        *("when did they last take it out", "my last date", "the last tape", "last lake", "this tale", "lost at aldi"),
        *("letzte tante", "diesen wagen"),
    ],
)
def test_an_everyday_word_is_no_slip_nor_one_of_another_language(text: str) -> None:
    assert mended(text) == []


@pytest.mark.parametrize(
    "text",
    [
        *("fast food", "gift for Julie", "hotel in Augusta", "lunch with Frida", "Mach bitte weiter", "at Marsh"),
        *("set a budget", "the moth trap", "dinner for Ester", "sent to jane", "toys", "Montage bei IKEA", "in xyzzy"),
        *("beer and wine", "sundae at dq", "pasta", "cost of parking", "\u0663\u0663\u0663\u0663", "2026x"),
    ],
)
def test_names_and_other_words_are_left_alone(text: str) -> None:
    assert mended(text) == []


@pytest.mark.parametrize(
    ("text", "parted"),
    [
        ("Meine Oktoberausgaben", "Meine Oktober Ausgaben"),
        ("septembermiete", "september miete"),
        ("die Märzrechnung", "die März Rechnung"),
        ("Mai-Kosten bitte", "Mai Kosten bitte"),
        ("Maibaum, Augustiner und Oktoberfest", "Maibaum, Augustiner und Oktoberfest"),
        ("juniper gin in mailand", "juniper gin in mailand"),
    ],
)
def test_a_month_is_parted_from_what_it_is_the_month_of(text: str, parted: str) -> None:
    assert part_compounds(text) == parted
