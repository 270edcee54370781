"""What a spreadsheet would run is text in our files, and reads back as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.spreadsheets import harmless, restored


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1", "-2 off", "@cmd", "\t=1", " =1", "＝1", "\r+1"])
def test_a_formula_is_marked_as_text(text):
    assert harmless(text) == "'" + text


@pytest.mark.parametrize("text", ["Costco", "", "'tis", "7-Eleven", "a=b", "''"])
def test_any_other_text_stays(text):
    assert harmless(text) == text == restored(text)


@given(st.text(alphabet="'=+-@ \ta1＝", max_size=8))
def test_what_was_marked_reads_back(text):
    assert restored(harmless(text)) == text
    assert not harmless(text).lstrip(" ").startswith(("=", "+", "-", "@", "\t", "＝"))
