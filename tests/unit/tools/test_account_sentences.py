"""Sentences about accounts, whatever is written: nothing breaks, and what is found is in the sentence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.transactions import AccountType
from tests.unit.tools.test_account_names import MINE, context
from tools.slots.account_changes import (
    ACCOUNT_NAME,
    DELETED_ACCOUNT,
    INTO_ACCOUNT,
    MERGED_ACCOUNT,
    RENAMED_ACCOUNT,
    TYPED_ACCOUNT,
    accounts_named,
    bare_account,
    tidy_name,
    type_in,
)
from tools.slots.accounts import find_accounts, resolve_accounts

WHERE = context(*MINE)
_WORDS = st.sampled_from(
    "rename call my the account konto karte to in and und merge delete lösche is a card chase amex joint everyday dkb 4321 “x” - nenn um "
    "savings everything from ß İ".split()
)
TEXTS = st.text(max_size=120) | st.lists(_WORDS, max_size=14).map(" ".join)
SLOTS = (RENAMED_ACCOUNT, ACCOUNT_NAME, TYPED_ACCOUNT, MERGED_ACCOUNT, INTO_ACCOUNT, DELETED_ACCOUNT)


@settings(deadline=None)
@given(TEXTS)
def test_any_text_is_read_without_breaking_and_only_what_stands_there_is_found(text):
    for slot in SLOTS:
        for mention in slot.find(text, WHERE):
            assert mention.value
            assert mention.value in text
    names = {each.name for each in WHERE.vocabulary.accounts}
    for mention in find_accounts(text, WHERE):
        assert text[mention.start : mention.end] == mention.text
        assert {mention.value} if isinstance(mention.value, str) else set(mention.value) <= names
    assert set(resolve_accounts(text, WHERE)) <= names
    assert {each.name for each in accounts_named(text, WHERE)} <= names
    assert len(bare_account(text)) <= len(text)


@settings(deadline=None)
@given(TEXTS)
def test_a_name_is_one_line_and_tidying_it_again_changes_nothing(text):
    name = tidy_name(text)
    assert name == " ".join(name.split())
    assert name.isprintable()
    assert "\x1f" not in name


@pytest.mark.parametrize("account_type", AccountType)
def test_every_type_is_named_by_its_own_name(account_type):
    assert type_in(account_type.value) == account_type.value


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("a current account", "checking"), ("my joint savings account", "savings"), ("credit cards", ""), ("Visa", "credit_card"),
        ("ein Girokonto", "checking"), ("meine Kreditkarte", "credit_card"), ("Tagesgeldkonto", "savings"), ("Hypothek", "loan"),
        ("ein Depot", "investment"), ("Bargeld", "cash"), ("groceries", ""), ("", ""),
    ],
)  # fmt: skip
def test_words_for_types_in_both_languages(words, kind):
    assert type_in(words) == kind
