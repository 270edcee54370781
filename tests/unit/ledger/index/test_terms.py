"""Words and letter triples."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.index import terms


def share(query: str, text: str) -> float:
    wanted, held = (
        dict(zip(v.indices, v.values, strict=True))
        for v in (terms.query_vectors(query)[1], terms.document_vectors(text)[1])
    )
    return sum(weight * held.get(number, 0) for number, weight in wanted.items())


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("netflix", "NETFLIX.COM 866-579-7172", 1),
        ("starbuks", "Starbucks Store", 0.75),
        ("dm", "dm drogerie", 1),
        ("strom", "Stromabschlag", 0.8),
        ("netflix", "spotify", 0),
        ("", "spotify", 0),
    ],
)
def test_the_share_of_triples(query: str, text: str, expected: float):
    assert share(query, text) == pytest.approx(expected)


def test_fillers_count_only_when_there_is_nothing_else():
    assert terms.words("The Bank of America") == ("bank", "america")
    assert terms.words("An der Au") == ("au",)
    assert terms.words("Von der") == ("von", "der")
    assert terms.words("für mein Müsli") == ("musli",)


def test_one_word_weighs_more_in_a_short_text():
    [short] = terms.word_weights(["oak"]).values()
    long = terms.word_weights(["oak", *"abcdefgh"])[next(iter(terms.word_weights(["oak"])))]
    twice = max(terms.word_weights(["oak", "oak"]).values())
    assert long < short < twice < 2 * short


def test_inflections_meet():
    assert terms.query_vectors("groceries")[0] == terms.query_vectors("Grocery")[0]


@settings(deadline=None)
@given(st.text(), st.text())
def test_shares_are_shares_and_every_text_is_like_itself(query: str, text: str):
    assert 0 <= share(query, text) <= 1.000001
    if terms.words(text):
        assert share(text, text) == pytest.approx(1)


@settings(deadline=None)
@given(st.text())
def test_vectors_are_what_the_engine_takes(text: str):
    for vector in (*terms.document_vectors(text), *terms.query_vectors(text)):
        assert list(vector.indices) == sorted(set(vector.indices))
        assert all(0 <= number < 2**32 for number in vector.indices)
        assert all(weight > 0 for weight in vector.values)
        assert len(vector.indices) == len(vector.values)


@settings(deadline=None)
@given(st.lists(st.text("abc äß", min_size=1), max_size=5))
def test_a_triple_stands_in_the_spelling_it_came_from(texts: list[str]):
    """What the search without vectors relies on: looking for a triple in the spelling finds exactly the triples."""
    words = terms.words(" ".join(texts))
    every = {one + two + three for one in "abcs " for two in "abcs" for three in "abcs "}
    spelled = terms.spelling(words)
    assert {triple for triple in every if triple in spelled} == terms.triples(words)
