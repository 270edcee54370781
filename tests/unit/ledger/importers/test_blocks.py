"""Statements as text with a few lines for each transaction, as Santander gives them."""

from __future__ import annotations

import pytest

from ledger.importers import UnreadableFile, read_statement

HEAD = "From: 01/09/2026 to 31/10/2026\n\nAccount: XXXX XXXX XXXX 1234\n\n"
BLOCK = "Date: {}\nDescription: {}\nAmount: {}\xa0GBP\nBalance: {}\xa0GBP\n\n"
ROWS = [("25/10/2026", "CARD PAYMENT TO TESCO: LEEDS", "-12.50", "87.50"), ("20/10/2026", "ACME", "100.00", "100.00")]


def test_each_block_is_a_row():
    data = (HEAD + "".join(BLOCK.format(*row) for row in ROWS)).encode("latin-1")
    statement = read_statement("statement.txt", data)
    found = [(str(row.booked_on), row.description, str(row.amount), row.currency) for row in statement.rows]
    assert found == [
        ("2026-10-25", "CARD PAYMENT TO TESCO: LEEDS", "-12.50", "GBP"),
        ("2026-10-20", "ACME", "100.00", "GBP"),
    ]
    assert statement.rejected == ()


@pytest.mark.parametrize("text", ["Dear Sir: hello\nNote: nothing\n\nDate: 1\nAmount: 2\nTo: me\n", "a: b\n" * 9])
def test_other_lines_with_colons_are_no_table(text):
    with pytest.raises(UnreadableFile):
        read_statement("x.txt", text.encode())
