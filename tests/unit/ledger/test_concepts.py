"""The tree above the categories of several banks."""

from __future__ import annotations

import pytest

from ledger.concepts import is_catch_all, kinds_in, say_the_same, wider_than


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Eating out", "EATING_OUT"),
        ("Eating out", "Restaurants"),
        ("EATING_OUT", "Fast Food"),
        ("Restaurants", "Eating out"),
        ("Lebensmittel", "Groceries"),
        ("Transport", "Fuel"),
        ("TRANSPORT", "Public Transport"),
        ("Food & Drink", "Groceries"),
        ("Fuel", "Gas & Fuel"),
    ],
)
def test_names_of_several_banks_for_one_thing(name: str, other: str) -> None:
    """What one bank calls it is what the others call it; a bank that has nothing finer than a group means all of that."""
    assert say_the_same(name, other)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Restaurants", "Fast Food"),
        ("Fuel", "Transport"),
        ("Shopping", "Clothing"),
        ("Auto Insurance", "Health Insurance"),
        ("Groceries", "Food & Drink"),
        ("Dad's workshop", "Groceries"),
        ("Income", "Salary"),
        ("General", "Shopping"),
    ],
)
def test_names_that_are_not_the_same(name: str, other: str) -> None:
    """A part is not the whole, and kinds of movement are no categories."""
    assert not say_the_same(name, other)


def test_what_may_hold_the_same_and_more() -> None:
    """Wider categories and catch-alls, but none beside and none for a group or a kind of movement."""
    known = (
        "TRANSPORT",
        "GENERAL",
        "Food & Drink",
        "BILLS_AND_SERVICES",
        "Groceries",
        "Dad's workshop",
        "Uncategorised",
    )
    assert wider_than(("Fuel",), known) == ("TRANSPORT", "GENERAL", "BILLS_AND_SERVICES")
    assert wider_than(("EATING_OUT",), known) == ("GENERAL", "Food & Drink", "BILLS_AND_SERVICES")
    assert wider_than(("Shopping",), known) == ()
    assert wider_than(("Income",), known) == ()
    assert wider_than(("Dad's workshop",), known) == ()
    assert kinds_in(("Auto Insurance",)) == frozenset()


@pytest.mark.parametrize(
    "name", ["General", "PAYMENTS", "Other", "Sonstiges", "Bills", "BILLS_AND_SERVICES", "Lifestyle"]
)
def test_catch_alls_say_nothing(name: str) -> None:
    """Whatever their words mean, they hold things that have nothing in common."""
    assert is_catch_all(name)
    assert not is_catch_all("Groceries")
