"""Accounts in questions: by the person's name for them, a part of it, what they were called before, or their type."""

from __future__ import annotations

from datetime import date

import pytest

from ledger.repository import Vocabulary
from ledger.transactions import Account, AccountType
from tools.context import ToolContext
from tools.slots.names import AccountSlot, names_of

CARD, CHECKING, SAVINGS = AccountType.CREDIT_CARD, AccountType.CHECKING, AccountType.SAVINGS
MINE = (
    ("Chase card", CARD), ("Chase checking", CHECKING), ("American Express", CARD), ("Joint", CHECKING),
    ("Haushaltskonto", CHECKING), ("Everyday", CHECKING), ("DKB", CHECKING), ("DKB Kreditkarte", CARD),
    ("RBC Royal Bank 8844", CHECKING), ("RBC Royal Bank 1200", None), ("Pot", SAVINGS, "Checking 4321", "Rainy Day"),
)  # fmt: skip
NUMBERED = (("Chase 1234", CARD), ("Chase 9999", CHECKING), ("Visa Gold", CARD))


def context(*accounts) -> ToolContext:
    made = tuple(Account(place, name, kind, None, "", called) for place, (name, kind, *called) in enumerate(accounts))
    vocabulary = Vocabulary(
        1, ("Groceries", "Travel"), (("tesco", "Tesco"),), made, ("USD",), date(2025, 1, 1), date(2026, 11, 20), 10
    )
    return ToolContext(None, vocabulary, None, date(2026, 11, 21))


def found(text: str, *accounts) -> list[tuple[str, ...]]:
    return [names_of(mention.value) for mention in AccountSlot().find(text, context(*accounts))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("how much did I spend with my amex", ["American Express"]),
        ("with my Amex card", ["American Express"]),
        ("mit meiner Amexkarte", ["American Express"]),
        ("my amex spending", ["American Express"]),
        ("on my chase card in october", ["Chase card"]),
        ("from my chase checking account", ["Chase checking"]),
        ("on the joint account last month", ["Joint"]),
        ("vom Haushaltskonto im Oktober", ["Haushaltskonto"]),
        ("vom Haushalt im Oktober", ["Haushaltskonto"]),
        ("from everyday last month", ["Everyday"]),
        ("from my everyday account", ["Everyday"]),
        ("mit der DKB-Kreditkarte", ["DKB Kreditkarte"]),
        ("mit der Kreditkarte der DKB", ["DKB Kreditkarte"]),
        ("mit meiner DKB Karte", ["DKB Kreditkarte"]),
        ("vom DKB-Konto", ["DKB"]),
        ("from rbc 8844", ["RBC Royal Bank 8844"]),
        ("from the checking 4321", ["Pot"]),
        ("what went into rainy day", ["Pot"]),
    ],
)
def test_an_account_is_found_by_its_name_a_part_of_it_or_the_one_before(text, names):
    assert found(text, *MINE) == [tuple(names)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("on my chase card in october", ["Chase 1234"]),
        ("on my chase credit card", ["Chase 1234"]),
        ("on my card at Chase", []),
        ("with the card from chase", ["Chase 1234"]),
        ("with my debit card from chase", ["Chase 9999"]),
        ("on my chase checking", ["Chase 9999"]),
        ("on my chase savings", []),
        ("on my visa", ["Visa Gold"]),
        ("with my amex", []),
        ("on my mastercard", []),
    ],
)
def test_a_card_that_is_named_is_never_a_whole_bank(text, names):
    assert [name for each in found(text, *NUMBERED) for name in each] == names


def test_a_bank_alone_is_all_that_is_there():
    assert found("from chase in october", *NUMBERED) == [("Chase 1234", "Chase 9999")]


def test_the_only_card_is_meant_by_any_brand_that_it_is_not_said_not_to_be():
    assert found("on my visa", ("Credit card 4321", CARD), ("Giro", CHECKING)) == [("Credit card 4321",)]
    assert found("on my visa", ("American Express", CARD), ("Giro", CHECKING)) == []


@pytest.mark.parametrize(
    "text", ["what do I spend on everyday things", "how much for Haushalt?", "spending on travel", "at Tesco"]
)
def test_an_everyday_word_is_no_account(text):
    assert found(text, *MINE) == []


def test_a_name_of_now_comes_before_one_of_before():
    mine = ("Everyday", CHECKING), ("Gold", CARD, "Everyday")
    assert found("from everyday last month", *mine) == [("Everyday",)]
    assert AccountSlot().check("everyday", context(*mine)).value == "Everyday"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("my chase card", "Chase 1234"), ("chase card", "Chase 1234"), ("Chase", ["Chase 1234", "Chase 9999"]),
        ("chase savings", None), ("visa", "Visa Gold"), ("credit card", ["Chase 1234", "Visa Gold"]),
    ],
)  # fmt: skip
def test_words_that_are_a_name_are_resolved_in_the_same_way(name, value):
    checked = AccountSlot().check(name, context(*NUMBERED))
    assert checked.value == value or (value is None and checked.problem)
