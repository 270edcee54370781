"""What recurs: what is found in a ledger, and what is said of it (docs/definitions.md, D15)."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest

from tests.drawn_ledgers import Entry
from tests.unit.tools.apps.naive import value

TODAY = date(2026, 11, 21)


def monthly(merchant, minor, months, day=3, year=2026, **more):
    return [Entry(date(year, month, day), minor, merchant=merchant, **more) for month in months]


RENT = monthly("Hausverwaltung", -98_000, range(1, 6), category="Rent") + monthly(
    "Hausverwaltung", -101_500, range(6, 12), category="Rent"
)
SALARY = monthly("Nordwerk", 250_000, range(1, 7), day=28, kind="income") + monthly(
    "Nordwerk", 260_000, range(7, 11), day=28, kind="income"
)
NETFLIX = monthly("Netflix", -1_399, range(1, 12), day=20, category="Subscriptions")
ENDED = monthly("Disney+", -899, range(1, 7), day=12, category="Subscriptions")
SHOPPING = [Entry(date(2026, 1, 2) + timedelta(3 * n), -2_000 - 37 * n, merchant="REWE") for n in range(100)]
EVERYTHING = [*RENT, *SALARY, *NETFLIX, *ENDED, *SHOPPING]


@pytest.fixture
async def resident(house):
    return await house.move_in(EVERYTHING, TODAY)


async def test_what_runs_is_listed_and_shopping_is_not(resident):
    result = await resident.run("recurring-list")
    assert {row[0] for row in result.table.rows} == {"Hausverwaltung", "Netflix"}
    assert value(result, "monthly") == Decimal("1028.99")


async def test_subscriptions_incomes_and_what_ended(resident):
    assert [row[0] for row in (await resident.run("recurring-list", which="subscriptions")).table.rows] == ["Netflix"]
    assert [row[0] for row in (await resident.run("recurring-list", which="income")).table.rows] == ["Nordwerk"]
    ended = await resident.run("recurring-list", wanted="ended")
    assert [(row[0], row[4]) for row in ended.table.rows] == [("Disney+", date(2026, 6, 12))]


async def test_a_price_since_when_and_what_it_was(resident):
    result = await resident.run("recurring-current", category="Rent")
    assert (value(result, "price"), value(result, "since")) == (Decimal("1015.00"), date(2026, 1, 3))
    assert (value(result, "before"), value(result, "changed")) == (Decimal("980.00"), date(2026, 6, 3))
    assert (value(result, "change"), value(result, "due")) == (Decimal("35.00"), date(2026, 12, 3))


async def test_pay_is_asked_for_by_itself(resident):
    result = await resident.run("recurring-current", of="salary", about="change")
    assert result.facts[0].id == "change"
    assert (value(result, "price"), value(result, "change")) == (Decimal("2600.00"), Decimal("100.00"))


OLD_FLAT = monthly("Altbau", -90_000, range(1, 6), category="Rent")
NEW_FLAT = monthly("Neubau", -96_000, range(6, 12), category="Rent")
GARAGE = [Entry(date(2026, month, 9), -24_000, merchant="Garage", category="Parking") for month in (2, 5, 8, 11)]


async def test_a_price_is_set_against_what_it_replaced_whichever_is_named(house):
    resident = await house.move_in([*OLD_FLAT, *NEW_FLAT, *GARAGE], TODAY)
    for named in ({"merchant": "Altbau"}, {"merchant": "Neubau"}, {"category": "Rent"}):
        result = await resident.run("recurring-current", about="apart", **named)
        told = {name: value(result, name) for name in ("change", "after", "before", "after_on", "before_on")}
        assert list(told.values()) == [
            Decimal("60.00"), Decimal("960.00"), Decimal("900.00"), date(2026, 6, 3), date(2026, 5, 3)
        ]  # fmt: skip
        assert (value(result, "change_share"), value(result, "change_yearly")) == (Decimal("6.7"), Decimal("720.00"))


async def test_prices_of_different_rhythms_are_set_apart_by_the_month(house):
    resident = await house.move_in([*NEW_FLAT, *GARAGE], TODAY)
    result = await resident.run("recurring-current", about="apart", merchant=["Garage", "Neubau"])
    assert (value(result, "after"), value(result, "change")) == (Decimal("80.00"), Decimal("880.00"))


async def test_what_was_paid_last_in_no_rhythm_is_a_price_if_it_was_so_before(house):
    away = [Entry(date(2026, month, day), minor, merchant="Vorbau") for month, day, minor in
            ((1, 2, -70_000), (1, 30, -70_000), (3, 20, -72_000), (5, 1, -72_000))]  # fmt: skip
    resident = await house.move_in([*NEW_FLAT, *away], TODAY)
    result = await resident.run("recurring-current", about="apart", merchant=["Neubau", "Vorbau"])
    assert (value(result, "before"), value(result, "change")) == (Decimal("720.00"), Decimal("240.00"))
    settled = await house.move_in([*NEW_FLAT, *away, Entry(date(2026, 5, 9), -9_000, merchant="Vorbau")], TODAY)
    assert (await settled.run("recurring-current", about="apart", merchant=["Neubau", "Vorbau"])).kind == "clarify"


@pytest.mark.parametrize(
    "others",
    [
        [],  # nothing ended
        monthly("Keller", -90_000, range(1, 3), category="Rent"),  # it ended long before
        [*OLD_FLAT, *monthly("Anbau", -50_000, range(1, 6), category="Rent")],  # either may be meant
    ],
)
async def test_what_a_price_replaced_is_asked_about_where_it_can_not_be_told(house, others):
    resident = await house.move_in([*NEW_FLAT, *others], TODAY)
    assert (await resident.run("recurring-current", about="apart", merchant="Neubau")).kind == "clarify"


GAS = [
    *monthly("Gas", -1_000, range(1, 4), category="Utilities"),
    *monthly("Gas", -1_100, range(4, 8), category="Utilities"),
    *monthly("Gas", -1_300, range(8, 12), category="Utilities"),
]


@pytest.mark.parametrize(
    ("about", "period", "expected"),
    [
        ("change", None, {"change": "2.00", "before": "11.00", "times": 1}),
        ("change", "2026", {"change": "3.00", "before": "10.00", "times": 2}),
        ("change", "in August 2026", {"change": "2.00", "before": "11.00", "times": 1}),
        ("change", "in May 2026", {"change": "0.00", "after": "11.00", "times": 0}),
        ("changes", None, {"times": 2, "after": "13.00"}),
        ("changes", "2026-01-01 to 2026-06-30", {"times": 1, "after": "11.00"}),
    ],
)
async def test_how_a_price_changed_within_a_time(house, about, period, expected):
    resident = await house.move_in([*GAS, *NETFLIX], TODAY)
    result = await resident.run(
        "recurring-current", merchant="Gas", about=about, **({"period": period} if period else {})
    )
    assert {name: value(result, name) for name in expected} == {name: Decimal(told) for name, told in expected.items()}


async def test_two_payments_that_are_far_apart_are_set_against_each_other(house):
    yearly = [Entry(date(year, 3, 4), -minor, merchant="Insurer") for year, minor in ((2025, 50_720), (2026, 56_700))]
    resident = await house.move_in([*yearly, *NETFLIX], TODAY)
    result = await resident.run("recurring-current", merchant="Insurer", about="change")
    assert (value(result, "change"), value(result, "before")) == (Decimal("59.80"), Decimal("507.20"))
    since = await resident.run("recurring-current", merchant="Insurer", about="since")
    assert value(since, "since") == date(2025, 3, 4)


@pytest.mark.parametrize(("days", "said"), [(30, "once a month"), (61, "every 2 months"), (91, "every 3 months")])
async def test_how_far_apart_payments_are(house, days, said):
    entries = [Entry(date(2025, 11, 3) + timedelta(days * n), -5_000, merchant="Zeitung") for n in range(5)]
    resident = await house.move_in(entries, entries[-1].day + timedelta(2))
    assert said in (await resident.run("recurring-current", merchant="Zeitung", about="rhythm")).headline


@pytest.mark.parametrize(("merchant", "word"), [("Netflix", "Yes"), ("Disney+", "No")])
async def test_whether_something_goes_on(resident, merchant, word):
    result = await resident.run("recurring-current", merchant=merchant, about="still")
    assert result.headline.startswith(word)


async def test_what_does_not_recur_is_said_to(resident):
    result = await resident.run("recurring-current", merchant="REWE")
    assert "nothing regular" in result.headline


async def test_what_is_due(resident):
    result = await resident.run("recurring-upcoming", days=14)
    assert [(row[0], row[1]) for row in result.table.rows] == [(date(2026, 12, 3), "Hausverwaltung")]


async def test_a_double_charge_and_a_bonus_change_no_rhythm(house):
    double = Entry(date(2026, 5, 21), -1_399, merchant="Netflix", category="Subscriptions")
    bonus = Entry(date(2026, 3, 5), 100_000, merchant="Nordwerk", kind="income")
    resident = await house.move_in([*EVERYTHING, double, bonus], TODAY)
    assert value(await resident.run("recurring-current", merchant="Netflix"), "count") == 11
    assert value(await resident.run("recurring-current", of="salary"), "price") == Decimal("2600.00")


@pytest.mark.parametrize(("gap", "per"), [(7, "a week"), (14, "every two weeks"), (91, "a quarter"), (365, "a year")])
async def test_other_rhythms(house, gap, per):
    entries = [Entry(date(2025, 1, 8) + timedelta(gap * n), -5_000, merchant="Zeitung") for n in range(3 + 20 // gap)][
        : 20 if gap < 90 else 3
    ]
    resident = await house.move_in(entries, entries[-1].day + timedelta(2))
    result = await resident.run("recurring-list")
    assert [row[2] for row in result.table.rows] == [per]


async def test_a_ledger_in_which_nothing_recurs(house):
    resident = await house.move_in(SHOPPING, TODAY)
    result = await resident.run("recurring-list")
    assert (result.kind, value(result, "count")) == ("empty", 0)


async def test_whose_price_rose_the_most_by_money_and_in_percent(resident):
    """Rent rose by 35.00 of 980.00; a cheaper thing that rose by less money may rise by more of its price."""
    result = await resident.run("recurring-changes")
    assert (result.facts[0].subject, value(result, "change")) == ("Hausverwaltung", Decimal("35.00"))
    assert value(result, "change_share") == Decimal("3.6")


@pytest.mark.parametrize(("by", "first"), [("money", "Hausverwaltung"), ("percent", "Gas")])
async def test_what_rose_most_depends_on_what_it_is_measured_by(house, by, first):
    resident = await house.move_in([*RENT, *GAS], TODAY)
    result = await resident.run("recurring-changes", by=by)
    assert result.table.rows[0][0] == first
    assert {row[0]: row[3].amount for row in result.table.rows} == {
        "Hausverwaltung": Decimal("35.00"), "Gas": Decimal("3.00")
    }  # fmt: skip


async def test_what_did_not_change_or_changed_before_the_time_is_none(resident, house):
    assert (await resident.run("recurring-changes", which="subscriptions")).kind == "empty"
    other = await house.move_in(RENT, TODAY)
    assert (await other.run("recurring-changes", period="October 2026")).kind == "empty"
    assert (await other.run("recurring-changes", direction="down")).kind == "empty"


async def test_a_bill_of_any_size_that_keeps_its_day_recurs_and_shopping_does_not(house):
    power = [
        Entry(date(2026, month, 12), -minor, merchant="NS Power")
        for month, minor in zip(range(1, 12, 2), (412, 438, 301, 242, 229, 307), strict=True)
    ]
    visits = [
        Entry(date(2026, month, day), -4_000 - month, merchant="Fishmonger")
        for month, day in zip(range(1, 12), (3, 21, 9, 28, 14, 2, 17, 25, 6, 12, 19), strict=True)
    ]
    resident = await house.move_in([*power, *visits], TODAY)
    assert [row[0] for row in (await resident.run("recurring-list")).table.rows] == ["NS Power"]
