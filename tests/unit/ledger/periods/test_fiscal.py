"""Financial and tax years on Saturday 21 November 2026, by the ledger's currency; years of two numbers."""

from __future__ import annotations

from datetime import date

import pytest

from ledger.periods import find_periods, find_unclear, parse_period

TODAY = date(2026, 11, 21)


def days(start: str, end: str) -> tuple[date, date]:
    return date.fromisoformat(start), date.fromisoformat(end)


@pytest.mark.parametrize(
    ("currency", "start", "end"),
    [
        ("AUD", "2025-07-01", "2026-06-30"),
        ("GBP", "2025-04-06", "2026-04-05"),
        ("NZD", "2025-04-01", "2026-03-31"),
        ("INR", "2025-04-01", "2026-03-31"),
        ("JPY", "2025-04-01", "2026-03-31"),
        ("HKD", "2025-04-01", "2026-03-31"),
        ("ZAR", "2025-03-01", "2026-02-28"),
        *((currency, "2025-01-01", "2025-12-31") for currency in ("USD", "CAD", "EUR", "CHF", "")),
    ],
)
def test_the_last_financial_year_is_that_of_the_currency(currency: str, start: str, end: str) -> None:
    for phrase in ("last financial year", "the last tax year", "im letzten Steuerjahr", "letztes Geschäftsjahr"):
        period = parse_period(phrase, TODAY, currency=currency)
        assert (period.start, period.end) == days(start, end), phrase


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("FY26", "2025-07-01", "2026-06-30"),
        ("FY2026", "2025-07-01", "2026-06-30"),
        ("FY25/26", "2025-07-01", "2026-06-30"),
        ("the 25/26 financial year", "2025-07-01", "2026-06-30"),
        ("in the 2024-25 tax year", "2024-07-01", "2025-06-30"),
        ("tax year 2024/25", "2024-07-01", "2025-06-30"),
        ("2025/2026", "2025-07-01", "2026-06-30"),
        ("this fiscal year", "2026-07-01", "2026-11-21"),
        ("so far this financial year", "2026-07-01", "2026-11-21"),
        ("since the start of the financial year", "2026-07-01", "2026-11-21"),
        ("since the new tax year started", "2026-07-01", "2026-11-21"),
        ("since the new tax year started on 6 July", "2026-07-06", "2026-11-21"),
        ("im Geschäftsjahr 2026", "2025-07-01", "2026-06-30"),
        ("last two financial years", "2024-07-01", "2026-06-30"),
        ("the financial year before last", "2024-07-01", "2025-06-30"),
        ("FY26 (July 25 to June 26)", "2025-07-01", "2026-06-30"),
    ],
)
def test_a_year_is_named_by_the_one_that_it_ends_in_or_by_both(phrase: str, start: str, end: str) -> None:
    found = {(each.period.start, each.period.end) for each in find_periods(phrase, TODAY, currency="AUD")}
    assert found == {days(start, end)}


def test_two_numbers_are_a_month_where_they_can_be_one() -> None:
    assert parse_period("2011/12", TODAY, currency="GBP").end == date(2011, 12, 31)


@pytest.mark.parametrize("text", ["Geschäftsjahr 2025/26", "per tax year", "in 2025/26"])
def test_a_year_that_can_not_be_told_is_asked_about(text: str) -> None:
    """A year that is the calendar's has one number."""
    assert find_unclear(text, TODAY, currency="EUR")
    assert not find_periods(text, TODAY, currency="EUR")


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("Winter 2025/26", "2025-12-01", "2026-02-28"),
        ("im Winter 24/25", "2024-12-01", "2025-02-28"),
        ("der letzte Winter, also 2024/25", "2024-12-01", "2025-02-28"),
        ("winter (2025/2026)", "2025-12-01", "2026-02-28"),
    ],
)
def test_a_winter_has_two_years(phrase: str, start: str, end: str) -> None:
    found = find_periods(phrase, TODAY)[-1].period
    assert (found.start, found.end) == days(start, end)


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("and the September before?", "2025-09-01", "2025-09-30"),
        ("im September davor", "2025-09-01", "2025-09-30"),
        ("the Christmas before last", "2024-12-24", "2024-12-26"),
        ("wie oft war ich das Jahr bei Lidl", "2026-01-01", "2026-11-21"),
    ],
)
def test_what_stands_for_one_of_several_years(phrase: str, start: str, end: str) -> None:
    found = find_periods(phrase, TODAY)[0].period
    assert (found.start, found.end) == days(start, end)


@pytest.mark.parametrize("text", ["in October before we moved", "in October before the wedding"])
def test_what_goes_on_behind_before_is_an_event(text: str) -> None:
    assert [text[each.start : each.end] for each in find_unclear(text, TODAY)] == [text.removeprefix("in October ")]


@pytest.mark.parametrize("text", ["zweimal das Jahr", "500 Euro das Jahr", "auf das Jahr"])
def test_a_year_that_something_is_counted_by_is_no_time(text: str) -> None:
    assert not find_periods(text, TODAY)


def test_this_one_takes_its_unit_from_the_one_before() -> None:
    told = [each.period.start.isoformat() for each in find_periods("von letztem Jahr auf dieses teurer", TODAY)]
    assert told == ["2025-01-01", "2026-01-01"]


@pytest.mark.parametrize(
    ("currency", "phrase", "start", "end"),
    [
        ("AUD", "Q1 FY26", "2025-07-01", "2025-09-30"),
        ("AUD", "FY26 Q4", "2026-04-01", "2026-06-30"),
        ("AUD", "April FY26", "2026-04-01", "2026-04-30"),
        ("AUD", "in July of financial year 2025/26", "2025-07-01", "2025-07-31"),
        ("GBP", "Q1 of tax year 2025/26", "2025-04-06", "2025-07-05"),
        ("USD", "Q1 FY26", "2026-01-01", "2026-03-31"),
        ("JPY", "FY2025", "2025-04-01", "2026-03-31"),
        ("JPY", "FY2025/26", "2025-04-01", "2026-03-31"),
        ("AUD", "26 financial year", "2025-07-01", "2026-06-30"),
    ],
)
def test_a_part_of_a_financial_year_is_one_period(currency: str, phrase: str, start: str, end: str) -> None:
    found = [(each.period.start, each.period.end) for each in find_periods(phrase, TODAY, currency=currency)]
    assert found == [days(start, end)]


@pytest.mark.parametrize("text", ["over 10 financial years", "in 12 fiscal years", "in 12 Geschäftsjahren"])
def test_a_number_of_financial_years_is_no_year(text: str) -> None:
    named = {each.period.start.year for each in find_periods(text, TODAY, currency="AUD")}
    assert not named & {2009, 2011}


@pytest.mark.parametrize("text", ["in October before 15/10", "in October before 10 am", "in October before £20"])
def test_a_figure_behind_before_belongs_to_it(text: str) -> None:
    assert all(each.period.end.year == 2026 for each in find_periods(text, TODAY, currency="GBP"))


def test_a_year_beside_a_price_of_the_present_is_what_it_is_counted_by() -> None:
    assert not find_periods("Was zahle ich das Jahr für Versicherungen?", TODAY)
    assert find_periods("Was hab ich das Jahr für Versicherungen gezahlt?", TODAY)
