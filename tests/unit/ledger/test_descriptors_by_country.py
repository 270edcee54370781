"""What a judge makes of descriptors from twelve countries: mostly right, sometimes open, hardly ever wrong."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from pathlib import Path

from ledger.judgement import UNCATEGORISED, Judge
from ledger.taxonomy import CATEGORIES
from ledger.transactions import AccountType, StatementRow

_EATING = {"Restaurants", "Fast Food", "Coffee", "Bars & Alcohol", "Food Delivery"}
#: What counts as right for each thing bought; a private person has no category.
RIGHT = {
    "groceries": {"Groceries"},
    "drugstore": {"Pharmacy", "Personal Care"},
    "eating_out": _EATING,
    "alcohol": {"Bars & Alcohol", "Groceries"},
    "fuel": {"Fuel", "Groceries"},
    "transport": {"Public Transport"},
    "taxi": {"Taxi & Rideshare"},
    "parking": {"Parking & Tolls"},
    "car": {"Car"},
    "rent": {"Rent & Mortgage"},
    "utilities": {"Utilities"},
    "phone": {"Internet & Phone"},
    "subscriptions": {"Subscriptions", "Internet & Phone"},
    "insurance": {"Insurance"},
    "health": {"Medical", "Pharmacy"},
    "beauty": {"Personal Care"},
    "clothing": {"Clothing"},
    "household": {"Home & Garden", "Shopping"},
    "shopping": {"Shopping"},
    "electronics": {"Electronics"},
    "sport": {"Fitness & Sports"},
    "entertainment": {"Entertainment", "Movies & Events", "Fitness & Sports"},
    "education": {"Education"},
    "business": {"Business & Services"},
    "childcare": {"Kids & Family"},
    "pets": {"Pets"},
    "fees": {"Fees"},
    "cash": {"Cash"},
    "taxes": {"Taxes", "Fees"},
    "salary": {"Income"},
    "benefits": {"Income"},
    "savings": {"Transfers"},
    "private": {UNCATEGORISED},
}
_DATA = Path(__file__).parents[2] / "data"


def listed(file: str) -> list[list[str]]:
    lines = (_DATA / file).read_text(encoding="utf-8").splitlines()
    return [line.split("|") for line in lines if not line.startswith("#")]


DESCRIPTORS = listed("descriptors_by_country.txt")


def found(descriptor: str, sign: str) -> str:
    row = StatementRow(
        number=1,
        booked_on=date(2026, 10, 14),
        amount=Decimal(f"{sign}25.40"),
        currency="EUR",
        description=descriptor,
    )
    return Judge((), {}).judge(row, AccountType.CHECKING).category


def test_categories_of_twelve_countries() -> None:
    """Nine in ten of every country are right, and of all about one in a hundred is wrong."""
    counts: dict[str, Counter[str]] = {}
    for country, descriptor, _, what, sign in DESCRIPTORS:
        category = found(descriptor, sign)
        verdict = "right" if category in RIGHT[what] else "open" if category == UNCATEGORISED else "wrong"
        counts.setdefault(country, Counter())[verdict] += 1
    assert len(counts) == 12
    for country, count in counts.items():
        assert count["right"] >= 0.88 * count.total(), (country, count)
    assert sum(count["wrong"] for count in counts.values()) <= len(DESCRIPTORS) // 80


def test_categories_of_ten_countries() -> None:
    """Of what was written at first sight and filled since, hardly anything is open, and next to nothing is wrong."""
    counts: Counter[str] = Counter()
    for _, descriptor, keys, sign in listed("categories_by_country.txt"):
        meant = {name for key in keys.split("/") for name in (_EATING if key == "eat" else {_name_of(key)})}
        category = found(descriptor, sign)
        counts["right" if category in meant else "open" if category == UNCATEGORISED else "wrong"] += 1
    assert counts["right"] >= 0.97 * counts.total(), counts
    assert counts["wrong"] <= 0.01 * counts.total(), counts


def _name_of(key: str) -> str:
    return UNCATEGORISED if key == "none" else CATEGORIES[key].name
