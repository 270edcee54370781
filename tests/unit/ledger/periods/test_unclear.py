"""Times that a sentence names and no calendar tells: on Saturday 21 November 2026."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.periods import find_periods, find_unclear, parse_period

TODAY = date(2026, 11, 21)


def told(text: str) -> list[tuple[str, str]]:
    """Return what is unclear as (words, reason)."""
    return [(text[unclear.start : unclear.end], unclear.reason) for unclear in find_unclear(text, TODAY)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("How much have I spent since we sold the car?", "since we sold the car"),
        ("coffee ever since the new job", "ever since the new job"),
        ("what did I pay for gas before the wedding", "before the wedding"),
        ("groceries after graduation", "after graduation"),
        ("how much before I quit smoking?", "before I quit smoking"),
        ("restaurants during our honeymoon", "during our honeymoon"),
        ("what did I spend while I was in hospital", "while I was in hospital"),
        ("When we lived in Leeds, what was the rent?", "When we lived in Leeds"),
        ("how much did I spend back when things were easier", "back when things were easier"),
        ("total until payday", "until payday"),
        ("what did I buy on my birthday", "on my birthday"),
        ("what did we spend on the trip to Rome", "on the trip"),
        ("spending over the holidays", "over the holidays"),
        ("during the summer holidays", "during the summer holidays"),
        ("this school year", "this school year"),
        ("fees in the last pay period", "in the last pay period"),
        ("what have I bought lately", "lately"),
        ("average over 6 months", "over 6 months"),
        ("Was habe ich seit dem Umzug ausgegeben?", "seit dem Umzug"),
        ("Ausgaben vor der Hochzeit", "vor der Hochzeit"),
        ("Miete nach der Trennung", "nach der Trennung"),
        ("seit ich in Bonn wohne", "seit ich in Bonn wohne"),
        ("Was kostete das Essen, als ich krank war?", "als ich krank war"),
        ("bevor wir geheiratet haben, wie viel ging für Miete weg", "bevor wir geheiratet haben"),
        ("Wie viel habe ich im Urlaub ausgegeben?", "im Urlaub"),
        ("über die Feiertage", "über die Feiertage"),
        ("in den Sommerferien bei Edeka", "in den Sommerferien"),
        ("am Zahltag", "am Zahltag"),
        ("letztes Schuljahr", "letztes Schuljahr"),
        ("Was habe ich kürzlich bei Rewe gekauft", "kürzlich"),
        ("in zwei Wochen", "in zwei Wochen"),
    ],
)
def test_a_time_without_dates_is_found(text: str, words: str) -> None:
    """It must be asked about: without it the answer would be for all time."""
    assert told(text) == [(words, "unknown")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("on February 30", "on February 30"),
        ("what did I pay on 31 April 2026?", "on 31 April 2026"),
        ("31/11/2026", "31/11/2026"),
        ("the 31st of June", "31st of June"),
        ("on the 32nd of October", "32nd of October"),
        ("on October 45th", "on October 45th"),
        ("since Feb 29 2025", "since Feb 29 2025"),
        ("am 31. September", "am 31. September"),
        ("am 30.02. bei Lidl", "am 30.02."),
        ("am 35. Oktober", "am 35. Oktober"),
        ("vom 30. Februar bis 3. März", "vom 30. Februar bis 3. März"),
    ],
)
def test_a_date_that_no_calendar_has_is_found(text: str, words: str) -> None:
    assert told(text) == [(words, "impossible")]


@pytest.mark.parametrize("text", ["this December", "since December 2026", "am 24. Dezember 2026 bis 3. Januar 2027"])
def test_what_has_not_begun_is_told_apart(text: str) -> None:
    assert [reason for _, reason in told(text)] == (["future"] if "2027" not in text else [])


@pytest.mark.parametrize(
    "text",
    [
        *("how much is left after rent", "income before tax", "what did I keep after the bills", "before refunds"),
        *("After everything went out, what was left in April?", "what do I have left after all my expenses"),
        *("after my ticket was refunded, what did Delta cost", "When was my last haircut?", "when did I join REI"),
        *(
            "tell me when I last went to Aldi",
            "since when do I pay Netflix",
            "Since you know my data, how much in May?",
        ),
        *(
            "since then",
            "and before that?",
            "a once a week coffee",
            "wedding gifts this year",
            "school supplies in May",
        ),
        *(
            "how much on holiday this year",
            "on birthday presents",
            "Uber trips in October",
            "UBER TRIP",
            "every 3 months",
        ),
        *("my last trip to Costco", "in 2 shops", "over 50 in October", "in March, while I was ill", "all of October"),
        *(
            "nach Kategorie",
            "Ausgaben nach Händlern",
            "vor Steuern",
            "was bleibt nach Abzug der Miete",
            "bis auf die Miete",
        ),
        *(
            "seit wann zahle ich Spotify",
            "mehr als ich dachte",
            "weniger als wir wollten",
            "was bekomme ich als Gehalt",
        ),
        *("zum Geburtstag", "Urlaub 2025", "für den Urlaub", "seitdem", "bis 50 Euro", "nach der Rückerstattung"),
        *("last month", "since March", "over Christmas", "vor zwei Wochen", "in den letzten 3 Monaten", ""),
    ],
)
def test_words_of_money_and_plain_periods_are_not_unclear(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("on 31 April 2026", ("on 30 April 2026", "in April 2026")),
        ("am 31. Februar 2026", ("am 28. Februar 2026", "im Februar 2026")),
        ("the 31st of November", ("30th of November", "November")),
        ("31/11/2026", ("30/11/2026",)),
        ("2025-02-30", ("2025-02-28",)),
        ("average over 6 months", ("in the last 6 months",)),
        ("Schnitt über 6 Monate", ("in den letzten 6 Monaten",)),
    ],
)
def test_the_nearest_dates_are_offered(text: str, choices: tuple[str, ...]) -> None:
    assert find_unclear(text, TODAY)[0].choices == choices


@pytest.mark.parametrize("text", ["since I moved", "on payday", "seit dem Umzug", "neulich war ich einkaufen"])
def test_general_choices_are_periods_in_the_persons_language(text: str) -> None:
    (unclear,) = find_unclear(text, TODAY)
    for choice in unclear.choices:
        parse_period(choice, TODAY)
        assert (" Monat" in choice or " Jahr" in choice) == ("seit" in text or "neulich" in text)


WORDS = (
    "since until before after while when during on in over the my our I we moved wedding trip payday refund rent was how 31 32 30 "
    "February October Oktober seit vor nach als bis im am der dem Umzug war Miete 2026 last month , ? . lately neulich"
).split()


@settings(deadline=None, max_examples=200)
@given(text=st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), today=st.dates())
def test_any_text_gives_ordered_stretches(text: str, today: date) -> None:
    end = 0
    for unclear in find_unclear(text, today):
        assert end <= unclear.start < unclear.end <= len(text)
        end = unclear.end


@settings(deadline=None)
@given(day=st.integers(29, 99), month=st.integers(1, 12), form=st.integers(0, 4))
def test_a_day_that_a_month_lacks_is_never_read_as_the_month(day: int, month: int, form: int) -> None:
    """Every written day either is that day or is asked about."""
    english = date(2025, month, 1).strftime("%B")
    text = (
        f"on {english} {day}th, 2025",
        f"the {day}th of {english} 2025",
        f"am {day}.{month}.2025",
        f"on {day} {english} 2025",
        f"on {month}/{day}/2025",
    )[form]
    found = [(mention.period.start.day, mention.period.days) for mention in find_periods(text, TODAY)]
    if not find_unclear(text, TODAY):
        assert found == [(day, 1)]
