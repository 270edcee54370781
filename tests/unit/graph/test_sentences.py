"""A model's text is told sentence by sentence, as soon as each is over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.narration import sentences


async def pieces(*texts):
    for text in texts:
        yield text


async def told(*texts, most=3):
    return [sentence async for sentence in sentences(pieces(*texts), most)]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["You spent {f1}."], ["You spent {f1}."]),
        (["You spent", " {f1}. It was", " mostly {f2}."], ["You spent {f1}.", "It was mostly {f2}."]),
        (["One. ", "Two! ", "Three? ", "Four. "], ["One.", "Two!", "Three?"]),
        (["No end"], ["No end"]),
        (["Wait… ", "what"], ["Wait…", "what"]),
        (["a.b {f1}"], ["a.b {f1}"]),
        (["", "  ", "\n"], []),
    ],
)
async def test_sentences_are_told_one_by_one(texts, expected):
    assert await told(*texts) == expected


async def test_a_sentence_is_told_before_the_next_is_written():
    written = []

    async def write():
        for text in ("One. ", "Two. "):
            written.append(text)
            yield text

    async for sentence in sentences(write()):
        assert sentence == ["One.", "Two."][len(written) - 1]


async def test_a_text_without_end_is_not_read_to_the_end():
    async def endless():
        while True:
            yield "word "

    assert [sentence async for sentence in sentences(endless())] == []


@given(st.text(alphabet="ab .!?\n{}", max_size=80), st.lists(st.integers(1, 20), max_size=20))
async def test_how_the_text_is_cut_makes_no_difference(text, cuts):
    parts, rest = [], text
    for cut in cuts:
        parts.append(rest[:cut])
        rest = rest[cut:]
    assert await told(*parts, rest) == await told(text)
