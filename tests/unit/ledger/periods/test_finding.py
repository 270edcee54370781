"""Which words of a sentence are periods: on Saturday 21 November 2026."""

from __future__ import annotations

from datetime import date

import pytest

from ledger.periods import Period, find_periods, parse_period

TODAY = date(2026, 11, 21)


def found(text: str, anchor: Period | None = None) -> list[tuple[str, str]]:
    """Return what was found as (masked text, dates)."""
    mentions = find_periods(text, TODAY, anchor=anchor)
    return [(text[mention.start : mention.end], dates(mention.period)) for mention in mentions]


def dates(period: Period) -> str:
    if period.is_all_time:
        return "all"
    start = "" if period.start == date.min else str(period.start)
    return start if period.start == period.end else f"{start}..{period.end}"


OCTOBER, SEPTEMBER, MAY = "2026-10-01..2026-10-31", "2026-09-01..2026-09-30", "2026-05-01..2026-05-31"
THIS_MONTH, LAST_YEAR = "2026-11-01..2026-11-21", "2025-01-01..2025-12-31"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How much did I spend in September?", [("in September", SEPTEMBER)]),
        ("groceries september", [("september", SEPTEMBER)]),
        ("how much did i spend in september vs october", [("in september", SEPTEMBER), ("october", OCTOBER)]),
        ("what did I spend since March on coffee", [("since March", "2026-03-01..2026-11-21")]),
        ("all transactions over the last 3 months", [("over the last 3 months", "2026-08-01..2026-10-31")]),
        ("in the first week of October at Costco", [("in the first week of October", "2026-10-01..2026-10-07")]),
        ("last month's rent", [("last month's", OCTOBER)]),
        ("Yesterday’s coffee", [("Yesterday’s", "2026-11-20")]),
        ("top 5 october purchases", [("october", OCTOBER)]),
        ("the last 5 purchases in october", [("in october", OCTOBER)]),
        ("transactions above 100 in october", [("in october", OCTOBER)]),
        ("anything over 2000 in 2025", [("in 2025", LAST_YEAR)]),
        ("2025 vs 2024", [("2025", LAST_YEAR), ("2024", "2024-01-01..2024-12-31")]),
        ("my 2025 taxes", [("2025", LAST_YEAR)]),
        ("2 coffees on monday", [("on monday", "2026-11-16")]),
        ("what did I buy on the 5th at Costco", [("on the 5th", "2026-11-05")]),
        ("how much on 10/3", [("on 10/3", "2026-10-03")]),
        ("on 3.10.2026 at Rewe", [("on 3.10.2026", "2026-10-03")]),
        ("from 10/01/2026 to 10/15/2026", [("from 10/01/2026 to 10/15/2026", "2026-10-01..2026-10-15")]),
        ("between $100 and $200 in October", [("in October", OCTOBER)]),
        ("I paid 3.10 in october", [("in october", OCTOBER)]),
        ("in may 5 dollars", [("in may", MAY)]),
        ("what did I spend over Christmas", [("over Christmas", "2025-12-24..2025-12-26")]),
        ("presents last Christmas", [("last Christmas", "2025-12-24..2025-12-26")]),
        ("gas during summer", [("during summer", "2026-06-01..2026-08-31")]),
        ("on the day after Thanksgiving", [("on the day after Thanksgiving", "2025-11-28")]),
        ("how much so far in November", [("so far in November", THIS_MONTH)]),
        ("biggest purchase ever", [("ever", "all")]),
        ("is my spending up since last month?", [("since last month", "2026-10-01..2026-11-21")]),
        ("last months rent", [("last months", OCTOBER)]),
        ("how much have I spent for the month?", [("for the month", THIS_MONTH)]),
        (
            "from the 1st of October until the 15th?",
            [("from the 1st of October until the 15th", "2026-10-01..2026-10-15")],
        ),
        ("before christmas", [("before christmas", "..2025-12-23")]),
        ("how much until Friday", [("until Friday", "..2026-11-20")]),
        ("average per month in the last 6 months", [("in the last 6 months", "2026-05-01..2026-10-31")]),
        ("last_month please", [("last_month", OCTOBER)]),
        ("on weekends in October", [("on weekends in October", OCTOBER)]),
        ("what did we burn through over Christmas", [("over Christmas", "2025-12-24..2025-12-26")]),
        ("how much did I get through in October", [("in October", OCTOBER)]),
        ("spending from March through May", [("from March through May", "2026-03-01..2026-05-31")]),
        ("all spending through October", [("through October", "..2026-10-31")]),
        ("what came in in October", [("in October", OCTOBER)]),
        ("what's come in so far", [("so far", "all")]),
        ("Shell and Aral 2025 together", [("2025", LAST_YEAR)]),
    ],
)
def test_english(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected
    assert [when for _, when in found(text.upper())] == [when for _, when in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wie viel habe ich im Oktober für Lebensmittel ausgegeben?", [("im Oktober", OCTOBER)]),
        ("Was habe ich am Freitag gekauft?", [("am Freitag", "2026-11-20")]),
        ("Ausgaben letzten Monat bei REWE", [("letzten Monat", OCTOBER)]),
        ("Vergleiche diesen Monat mit letztem Monat", [("diesen Monat", THIS_MONTH), ("letztem Monat", OCTOBER)]),
        ("Ausgaben vom 1.10. bis 15.10.", [("vom 1.10. bis 15.10.", "2026-10-01..2026-10-15")]),
        ("wie viel zwischen dem 3. und 17. Oktober", [("zwischen dem 3. und 17. Oktober", "2026-10-03..2026-10-17")]),
        ("Summe über 50 Euro im letzten Jahr", [("im letzten Jahr", LAST_YEAR)]),
        ("mehr als 2000 Euro seit 2025", [("seit 2025", "2025-01-01..2026-11-21")]),
        ("in den letzten zwei Wochen für Essen", [("in den letzten zwei Wochen", "2026-11-02..2026-11-15")]),
        ("ich war vor zwei Wochen im Kino", [("vor zwei Wochen", "2026-11-02..2026-11-08")]),
        ("am 3. Oktober bei Lidl", [("am 3. Oktober", "2026-10-03")]),
        ("zu Weihnachten ausgegeben", [("zu Weihnachten", "2025-12-24..2025-12-26")]),
        ("Juli und August 2025", [("Juli", "2025-07-01..2025-07-31"), ("August 2025", "2025-08-01..2025-08-31")]),
        ("die größten 3 Ausgaben im Mai", [("im Mai", MAY)]),
        ("und im Monat davor?", [("im Monat davor", OCTOBER)]),
        ("was war am Dritten bei Lidl", [("am Dritten", "2026-11-03")]),
        ("Rewe 2025 zusammen", [("2025", LAST_YEAR)]),
    ],
)
def test_german(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("may I ask something?", "how much may I spend", "it may be high", "this may be wrong", "that may seem much"),
        *("we march on", "the march to the store", "can I march", "wait a second", "second largest purchase"),
        *("I sat at the cafe", "the sun", "sun cream", "Wed wanted", "fall protection gear", "spring cleaning"),
        *(
            "spent at 7-Eleven",
            "7-eleven",
            "Forever 21",
            "Five Guys",
            "Motel 6",
            "May's Deli",
            "at may's",
            "First Watch",
        ),
        *("Sunday Times", "how much at ruby tuesday", "TGI Fridays", "Third Street Coffee", "March Madness"),
        *("the 5th avenue store", "saks fifth avenue", "the 5th largest purchase", "24/7 Fitness", "7/11"),
        *("see monday.com charges", "@june", "#march"),
        *("over $50", "above 100", "top 5", "2 coffees", "over 2000 dollars", "over 2000", "€2024", "2024 €", "$2,024"),
        *("more than 2025", "up to 2000", "I paid 2024", "card 2024", "order number 2024", "2024.50 please"),
        *("between 2000 and 3000 dollars", "between 2000 and 3000", "between 10 and 20", "between 3.10 and 5.10"),
        *("bis zu 50 Euro", "ab 100 Euro", "über 2000 Euro", "unter 20 Euro", "die letzten 5 Einkäufe"),
        *("last 3 transactions", "the first", "last time I bought coffee", "when did I last go to Costco", "3 months"),
        *("Christmas gifts", "summer clothes", "winter tires", "weekend getaway costs", "10/3 of my income", "$10/3"),
        *(
            "next month",
            "next October",
            "next week Tuesday",
            "Christmas next year",
            "tomorrow",
            "in 3 days",
            "nächste Woche",
            "this December",
        ),
        *("Feb 30 2025", "on 2026-02-30", "31.04.2026", "since December 2026", "last 99999999999 days"),
        *(
            "the week before I moved",
            "the 15th of each month",
            "labor day weekend trip",
            "the week",
            "since I joined",
            "month over month",
            "week by week",
            "every month",
            "day to day",
        ),
        *("overall how much", "all of my groceries", "call 555-123-4567", "192.168.10.12", "order 20261003", ""),
    ],
)
def test_ordinary_words_are_no_periods(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        *(
            "in may",
            "what did I pay in may",
            "groceries may",
            "May groceries",
            "show me may spending",
            "how about may?",
        ),
        *("more than in may?", "what may I do in may", "for may i need the total", "may", "my may total"),
        *("restaurants of may", "the month of may", "during may", "from may"),
    ],
)
def test_may_with_a_cue_is_the_month(text: str) -> None:
    assert [when for _, when in found(text)] == [MAY]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("compare april and may", ["2026-04-01..2026-04-30", MAY]),
        ("may or june", [MAY, "2026-06-01..2026-06-30"]),
        ("may, june and july", [MAY, "2026-06-01..2026-06-30", "2026-07-01..2026-07-31"]),
        ("september vs may", [SEPTEMBER, MAY]),
        ("compare March to May", ["2026-03-01..2026-03-31", MAY]),
        ("difference between May and September", [MAY, SEPTEMBER]),
        ("compare march to may with june to august", ["2026-03-01..2026-05-31", "2026-06-01..2026-08-31"]),
        ("spending from March to May", ["2026-03-01..2026-05-31"]),
        ("2025 and 2026", [LAST_YEAR, "2026-01-01..2026-12-31"]),
        ("September and October 2025", ["2025-09-01..2025-09-30", "2025-10-01..2025-10-31"]),
        ("Oct, Nov and Dec last year", ["2025-10-01..2025-10-31", "2025-11-01..2025-11-30", "2025-12-01..2025-12-31"]),
        ("Q1 and Q2 2025", ["2025-01-01..2025-03-31", "2025-04-01..2025-06-30"]),
        ("October vs October 2025", [OCTOBER, "2025-10-01..2025-10-31"]),
        ("October 2025 vs 2024", ["2025-10-01..2025-10-31", "2024-10-01..2024-10-31"]),
        ("the 3rd and 17th of October", ["2026-10-03", "2026-10-17"]),
        ("October 5th and 6th", ["2026-10-05", "2026-10-06"]),
        ("first half vs second half of October", ["2026-10-01..2026-10-15", "2026-10-16..2026-10-31"]),
        ("first and last week of October", ["2026-10-01..2026-10-07", "2026-10-25..2026-10-31"]),
        ("this month vs last", [THIS_MONTH, OCTOBER]),
        ("how does this month compare to last?", [THIS_MONTH, OCTOBER]),
        ("this and last month", [THIS_MONTH, OCTOBER]),
        ("this month and the month before", [THIS_MONTH, OCTOBER]),
        ("August and the month before", ["2026-08-01..2026-08-31", "2026-07-01..2026-07-31"]),
        ("May with the same month last year", [MAY, "2025-05-01..2025-05-31"]),
        ("this month and the same period last year", [THIS_MONTH, "2025-11-01..2025-11-21"]),
    ],
)
def test_lists(text: str, expected: list[str]) -> None:
    assert [when for _, when in found(text)] == expected


JULY = Period(date(2026, 7, 1), date(2026, 7, 31))
SUMMER = Period(date(2026, 6, 1), date(2026, 8, 31))
FIFTH = Period(date(2026, 10, 5), date(2026, 10, 5))
YEAR = Period(date(2025, 1, 1), date(2025, 12, 31))


@pytest.mark.parametrize(
    ("text", "anchor", "expected"),
    [
        ("and the month before?", JULY, "2026-06-01..2026-06-30"),
        ("and the previous month", JULY, "2026-06-01..2026-06-30"),
        ("the following month?", JULY, "2026-08-01..2026-08-31"),
        ("the month after that", JULY, "2026-08-01..2026-08-31"),
        ("one month later", JULY, "2026-08-01..2026-08-31"),
        ("two months earlier", JULY, "2026-05-01..2026-05-31"),
        ("the same month last year", JULY, "2025-07-01..2025-07-31"),
        ("a year earlier", JULY, "2025-07-01..2025-07-31"),
        ("the year before", JULY, "2025-07-01..2025-07-31"),
        ("and the previous year", JULY, LAST_YEAR),
        ("same period last year", SUMMER, "2025-06-01..2025-08-31"),
        ("the 3 months before", SUMMER, "2026-03-01..2026-05-31"),
        ("the month before", SUMMER, MAY),
        ("the day before", FIFTH, "2026-10-04"),
        ("the week before", FIFTH, "2026-09-28..2026-10-04"),
        ("a year earlier", YEAR, "2024-01-01..2024-12-31"),
        ("the year before", YEAR, "2024-01-01..2024-12-31"),
        ("im Monat davor", JULY, "2026-06-01..2026-06-30"),
        ("im Vormonat", JULY, "2026-06-01..2026-06-30"),
        ("ein Jahr zuvor", JULY, "2025-07-01..2025-07-31"),
        ("im selben Monat des Vorjahres", JULY, "2025-07-01..2025-07-31"),
        ("and last month", JULY, OCTOBER),
        ("and in september", JULY, SEPTEMBER),
    ],
)
def test_anchor_gives_meaning(text: str, anchor: Period, expected: str) -> None:
    assert [when for _, when in found(text, anchor)] == [expected]


def test_what_lies_after_today_is_no_period() -> None:
    assert found("the following month", Period(date(2026, 11, 1), TODAY)) == []
    assert found("the month before", Period(date.min, date.max)) == []


def test_weekdays_apart_from_their_dates_narrow_them() -> None:
    apart = find_periods("How much on weekends for coffee in October", TODAY)
    assert {(dates(mention.period), mention.period.weekdays) for mention in apart} == {(OCTOBER, (5, 6))}
    versus = find_periods("weekends vs weekdays in October", TODAY)
    assert [(dates(m.period), m.period.weekdays) for m in versus] == [(OCTOBER, (5, 6)), (OCTOBER, (0, 1, 2, 3, 4))]


@pytest.mark.parametrize(
    ("text", "weekdays", "first", "last"),
    [
        ("weekends in August and in September", (5, 6), date(2026, 8, 1), date(2026, 9, 30)),
        ("im Juli, August und September 2026 sonntags", (6,), date(2026, 7, 1), date(2026, 9, 30)),
        ("of 2025 on weekdays, that is Monday to Friday", (0, 1, 2, 3, 4), date(2025, 1, 1), date(2025, 12, 31)),
        ("in 2025, but only since May", (), date(2025, 5, 1), date(2025, 12, 31)),
        ("2024 (ab Juni, samstags)", (5,), date(2024, 6, 1), date(2024, 12, 31)),
    ],
)
def test_what_is_said_of_times_in_several_places_holds_for_all_of_them(
    text: str, weekdays: tuple[int, ...], first: date, last: date
) -> None:
    told = [mention.period for mention in find_periods(text, TODAY)]
    assert {period.weekdays for period in told} == {weekdays}
    assert (min(period.start for period in told), max(period.end for period in told)) == (first, last)


@pytest.mark.parametrize("text", ["what did I spend Monday to Friday", "2025 against since Monday"])
def test_days_of_this_week_stay_days(text: str) -> None:
    assert all(not mention.period.weekdays for mention in find_periods(text, TODAY))


def test_a_found_phrase_means_what_it_means_alone() -> None:
    text = "Lunch from 3 to 17 October, then mid-March, q3 2025 and the second Friday of last month"
    for mention in find_periods(text, TODAY):
        alone = parse_period(mention.period.phrase, TODAY)
        assert (alone.start, alone.end) == (mention.period.start, mention.period.end)


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert len(find_periods("word " * 700 + "last month", TODAY)) == 1
    assert find_periods("word " * 5000 + "last month", TODAY) == []
