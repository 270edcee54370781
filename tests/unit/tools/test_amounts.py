"""Amounts in sentences: a number that goes on in letters or further digits is none, and no part of it is."""

from __future__ import annotations

import string
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tools.slots.amounts import AmountSlot

CONTEXT = SimpleNamespace(
    smallest_amount=0.01,
    now=datetime(2026, 11, 21, tzinfo=UTC),
    currency="USD",
    vocabulary=SimpleNamespace(currencies=("USD",)),
)
OVER, UNDER = AmountSlot("over"), AmountSlot("under")
#: What may stand behind a number and be money.
MONEY = ("eur", "euro", "usd", "gbp", "chf", "dollar", "pound", "pfund", "franken", "bucks")


def found(slot: AmountSlot, text: str) -> list[str]:
    return [mention.value for mention in slot.find(text, CONTEXT)]


@given(
    whole=st.integers(1, 10**9),
    form=st.sampled_from(("{}", "{:,}", "{}.50", "{}.5")),
    letters=st.text(string.ascii_letters, min_size=1, max_size=4),
    digits=st.text(string.digits, max_size=4),
    slot=st.sampled_from((("over", OVER), ("more than", OVER), ("under", UNDER), ("less than", UNDER))),
)
def test_a_number_with_letters_behind_it_is_no_amount(whole, form, letters, digits, slot) -> None:
    assume(not letters.casefold().startswith(MONEY) and not any(each.startswith(letters.casefold()) for each in MONEY))
    words, side = slot
    assert found(side, f"purchases {words} {form.format(whole)}{letters}{digits} last month") == []


@pytest.mark.parametrize("text", ["over 1e309", "over 5k", "over 1.5e3", "over 10x", "over 20%"])
def test_what_is_no_amount_is_not_read_as_its_beginning(text) -> None:
    assert found(OVER, f"purchases {text}") == []


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("over 100", "100"), ("over $1,234.50", "1234.50"), ("over 100eur", "100"), ("over 50 dollars", "50"),
        ("more than 20.", "20"), ("over 1.234,56 €", "1234.56"), ("more than 7, please", "7"),
        ("above 50", "50"),
    ],
)  # fmt: skip
def test_what_is_one_is_read_whole(text, amount) -> None:
    assert found(OVER, f"purchases {text}") == [amount]


@pytest.mark.parametrize("text", ["1e309", "9" * 40, "-5", "nan", "inf", "lots"])
def test_an_amount_that_nobody_has_is_a_sentence(text) -> None:
    checked = OVER.check(text, CONTEXT)
    assert "I can't read the amount" in checked.problem
