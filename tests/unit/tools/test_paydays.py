"""Since one was paid last: the day that is set, in months of every length; where none is set it is asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from ledger.periods import Period
from ledger.repository import Vocabulary
from tools.context import ToolContext
from tools.slots.period import PeriodSlot, payday_phrases, period_of, since_payday, unclear_periods

NOBODY = ToolContext(ledger=None, vocabulary=Vocabulary.empty(), search=None, today=date(2026, 11, 21))
PAID = replace(NOBODY, payday="25")


@pytest.mark.parametrize(
    ("payday", "today", "first"),
    [
        ("25", date(2026, 11, 21), date(2026, 10, 25)),
        ("25", date(2026, 11, 25), date(2026, 11, 25)),
        ("25", date(2026, 1, 3), date(2025, 12, 25)),
        ("31", date(2026, 3, 1), date(2026, 2, 28)),
        ("31", date(2026, 4, 30), date(2026, 4, 30)),
        ("last", date(2028, 3, 10), date(2028, 2, 29)),
        ("1", date(2026, 11, 30), date(2026, 11, 1)),
    ],
)
def test_it_is_the_latest_day_that_is_not_to_come(payday, today, first):
    assert since_payday(replace(NOBODY, payday=payday, today=today)) == Period(first, today)


PHRASES = [
    "since payday",
    "since my last payday",
    "since my salary came in",
    "since the last paycheck",
    "since I got paid",
    "since I last got paid",
    "seit dem letzten Gehalt",
    "seit Zahltag",
    "seit meinem letzten Lohn",
    "seit der letzten Gehaltszahlung",
    "seit ich mein Gehalt bekommen habe",
]


@pytest.mark.parametrize("phrase", PHRASES)
def test_it_is_a_period_where_a_payday_is_set_and_asked_where_none_is(phrase):
    text = f"what did I spend {phrase} on food"
    found = [(each.text, each.value.start) for each in PeriodSlot().find(text, PAID)]
    assert (phrase, date(2026, 10, 25)) in found
    assert unclear_periods(text, PAID) == []
    assert [(text[each.start : each.end], each.reason) for each in unclear_periods(text, NOBODY)] == [
        (phrase, "no payday")
    ]
    assert not any(each.text == phrase for each in PeriodSlot().find(text, NOBODY))


@pytest.mark.parametrize("phrase", PHRASES)
def test_the_argument_of_a_tool_is_read_like_the_sentence(phrase):
    read = period_of(phrase, None, PAID)
    assert (read.start, read.end, read.phrase) == (date(2026, 10, 25), date(2026, 11, 21), phrase)
    assert PeriodSlot("start").check(phrase, NOBODY).problem


@pytest.mark.parametrize("text", ["my salary since May", "how often was I paid", "since I paid the rent", "on payday"])
def test_other_words_about_pay_are_left_alone(text):
    assert payday_phrases(text) == []
