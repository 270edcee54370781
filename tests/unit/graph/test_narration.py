"""A model's sentence is shown only if every figure in it came from code."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.narration import fill_in, verify
from tools.results import Fact

FACTS = {
    "f1": Fact("total", "Total spent", Decimal("412.37"), "money", "USD"),
    "f2": Fact("change", "Change", Decimal("-12.5"), "percent"),
    "f3": Fact("count", "Number of purchases", 6, "count"),
}


@pytest.mark.parametrize(
    "sentence",
    ["You spent {f1} on groceries.", "That is {f3} purchases, {f1} in all.", "Spending went down, by {f2}."],
)
def test_sentences_of_placeholders_pass(sentence: str) -> None:
    assert verify(sentence, FACTS) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "You spent a lot.",
        "You spent {f9}.",
        "You spent 412 {f1}.",
        "You spent {f1}, about ٤٠٠.",
        "You spent {f1}, roughly half.",
        "Du hast {f1} ausgegeben, doppelt so viel.",
        "Spending went up, by {f2}.",
        "You spent more: {f1}.",
        "You spent {f1}, see https://example.com",
        "You spent {f1} <@U123>",
        "You spent **{f1}**",
        "You spent {f1} %",
        "You spent $ {f1}",
        "You spent {f1} {name}",
        "{f1} " + "very " * 200,
        "You spent {f1} and ½ more",
    ],
)
def test_anything_else_is_dropped(sentence: str) -> None:
    assert verify(sentence, FACTS) is not None


def test_figures_are_filled_in_by_code() -> None:
    assert fill_in("You spent {f1} in {f3} purchases.", FACTS, "en_US") == "You spent $412.37 in 6 purchases."


@given(st.text(max_size=120))
@settings(max_examples=300, deadline=None)
def test_no_digit_outside_a_placeholder_ever_passes(text: str) -> None:
    if verify(f"You spent {{f1}}. {text}", FACTS) is None:
        rest = text.replace("{f1}", "").replace("{f2}", "").replace("{f3}", "")
        assert not any(char.isdigit() for char in rest)
