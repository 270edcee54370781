"""A slip is mended where one word is near; words of their own, names and what may be two words stay as they are."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.planner.naming import is_word
from language.reader import reader
from language.spelling import by_letter, mended

NAMES = by_letter(["billa", "university", "galway"])


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("wieviel hab ich heuer bei Bila gelassen", "wieviel hab ich heuer bei Billa gelassen"),
        ("did the univrsity pay me", "did the university pay me"),
        ("avrage paycheck this year", "average paycheck this year"),
        ("did they charge me twise", "did they charge me twice"),
        ("und zusamen?", "und zusammen?"),
        ("ist die miete gestigen", "ist die miete gestiegen"),
    ],
)
def test_a_slip_is_mended(said: str, meant: str) -> None:
    assert mended(said, NAMES, is_word) == meant


@pytest.mark.parametrize(
    "text",
    [
        "what did the horse cost me",  # no house
        "how much did Renate send me",  # no Rente
        "und beides zusammen?",  # no besides
        "Claire's wages",
        "ausgaben im monta",  # month or Monday, which the words around tell
        "how much on bulbs and tiles",
        "A1 und o2",
    ],
)
def test_what_is_a_word_or_a_name_is_left_alone(text: str) -> None:
    assert mended(text, NAMES, is_word) == text


@settings(suppress_health_check=[HealthCheck.too_slow])  # the words of the reader are looked up once
@given(st.lists(st.sampled_from(sorted(reader().words)), min_size=1, max_size=6))
def test_words_that_are_known_are_never_changed(said: list[str]) -> None:
    text = " ".join(said)
    assert mended(text, NAMES, is_word) == text


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    assert len(mended(text, NAMES, is_word).split()) == len(text.split())
