"""A household of two months whose figures can be checked by hand."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from evals.bank_files import Ledger, Row

#: day, amount, merchant, category, kind; account and description follow from the merchant.
_LINES = (
    ("2026-09-01", "-900.00", "Landlord", "Rent", "purchase"),
    ("2026-09-03", "-20.00", "Grocer", "Groceries", "purchase"),
    ("2026-09-17", "-40.00", "Grocer", "Groceries", "purchase"),
    ("2026-09-20", "-10.00", "Café Süd", "Coffee", "purchase"),
    ("2026-09-25", "2000.00", "Employer", "Pay", "income"),
    ("2026-10-01", "-900.00", "Landlord", "Rent", "purchase"),
    ("2026-10-02", "-30.01", "Grocer", "Groceries", "purchase"),
    ("2026-10-02", "15.00", "Grocer", "Groceries", "refund"),
    ("2026-10-05", "-50.00", "Cash machine", "Cash", "cash"),
    ("2026-10-10", "-100.00", "Savings", "Transfers", "transfer"),
    ("2026-10-11", "-3.50", "Bank", "Interest", "interest"),
    ("2026-10-12", "1.25", "Bank", "Interest", "interest"),
    ("2026-10-25", "2000.00", "Employer", "Pay", "income"),
    ("2026-10-26", "-50.00", "Employer", "Pay", "income"),
    ("2026-11-03", "-10.00", "Café Süd", "Coffee", "purchase"),
    ("2026-11-20", "-40.00", "Grocer", "Groceries", "purchase"),
)


@pytest.fixture
def command(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The program in name: a file that runs the ``SCRIPT`` of the module under test."""
    script = tmp_path / "money-minder"
    script.write_text(f"#!{sys.executable}\n{request.module.SCRIPT}", encoding="utf-8")
    script.chmod(0o700)
    return script


def make_row(day: str, amount: str, merchant: str, category: str, kind: str) -> Row:
    account = "Card" if merchant == "Café Süd" else "Checking"
    return Row(
        date.fromisoformat(day), f"{merchant.upper()} 4411", Decimal(amount), "USD", account, merchant, category, kind
    )


@pytest.fixture
def ledger() -> Ledger:
    return Ledger("american", "USD", tuple(make_row(*line) for line in _LINES))


@pytest.fixture
def make_ledger() -> Callable[..., Ledger]:
    """Makes a ledger of lines: day, amount, merchant, category, kind."""
    return lambda *lines: Ledger("american", "USD", tuple(make_row(*line) for line in lines))
