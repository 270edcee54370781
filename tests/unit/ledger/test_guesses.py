"""Which category a merchant may have, by what the person filed themselves."""

from __future__ import annotations

import pytest

from ledger.guesses import Guess, guess
from ledger.rules import Rule


def filed(*pairs: tuple[str, str]) -> list[Rule]:
    return [Rule(merchant, category, "2026-10-01T00:00:00Z") for merchant, category in pairs]


def test_a_like_name_is_guessed_as_the_person_filed_the_other() -> None:
    """Most of the telling words are the same; where and what legal form tell nothing."""
    rules = filed(("Plonkers Nord", "Climbing"), ("Zorbo", "Shopping"))
    assert guess("Plonkers West", rules) == Guess("Climbing", "Plonkers Nord")
    assert guess("Plonkers Leeds Ltd", rules) == Guess("Climbing", "Plonkers Nord")


@pytest.mark.parametrize(
    ("merchant", "rules"),
    [
        ("Kestrel Windows", filed(("Kestrel Kayaks", "Sports"))),  # one word of two
        ("Plonkers West", filed(("Plonkers Nord", "Climbing"), ("Plonkers Sud", "Food"))),  # filed apart
        ("Leeds Cafe", filed(("Leeds Market", "Groceries"))),  # towns and kinds of shop
        ("Golden Lion", filed(("Golden Dragon", "Restaurants"))),  # an everyday word
        ("Anna Brandt", filed(("Anna Huber", "Rent"))),  # people
        ("Zorbo", ()),
        ("", filed(("Zorbo", "Shopping"))),
    ],
)
def test_what_tells_too_little_is_no_guess(merchant: str, rules: list[Rule]) -> None:
    """No guess is better than a wrong one."""
    assert guess(merchant, rules) is None
