"""Regular prices set against one another, what leans on a price, and shares of pay."""

from __future__ import annotations

import pytest

from tests.unit.graph.conftest import Talk


def rows() -> list[tuple[str, str, str, str]]:
    """Return day, text, amount and account; every figure that a test expects is read off these."""
    found: list[tuple[str, str, str, str]] = []
    for number in range(3, 24):  # March 2025 to November 2026
        month = f"{2025 + (number - 1) // 12}-{(number - 1) % 12 + 1:02}"
        payday = {"2026-10": "2026-09-30"}.get(month, f"{month}-01")
        found += [
            (f"{month}-02", "STANDING ORDER RENT M HOLLIS", "-800.00", "Main")
            if month < "2026-06"
            else (f"{month}-02", "STANDING ORDER RENT BRIDGE LETS", "-860.00", "Main"),
            (payday, "ACME CORP PAYROLL", "2500.00" if month < "2026-03" else "2580.00", "Main"),
            (f"{month}-04", "VODAFONE LTD", "-24.00", "Main"),
            (f"{month}-05", "GIFFGAFF", "-10.00", "Main"),
            (f"{month}-11", "NORTHFIELD INSURANCE", "-12.00", "Main"),
            (f"{month}-18", "NORTHFIELD INSURANCE", "-31.00", "Main"),
            (f"{month}-07", "OTTOVER WATER", "-31.00" if month < "2026-02" else "-34.50", "Main"),
            (f"{month}-28", "HMRC CHILD BENEFIT", "700.00", "Main"),
            (f"{month}-17", "PIPER SWIM CLUB", "-20.00", "Main"),
        ]
    return [
        *found,
        ("2025-10-17", "PIPER SWIM CLUB ANNUAL FEE", "-35.00", "Main"),
        *((day, "LENA HARDT CELLO", "-40.00", "Main") for day in ("2025-05-10", "2025-09-12", "2026-01-16")),
        *((day, "LENA HARDT CELLO", "-46.00", "Main") for day in ("2026-05-22", "2026-09-18")),
        ("2025-04-08", "KGV HEIDEGRUND PACHT PARZELLE", "-120.00", "Main"),
        ("2026-04-07", "KGV HEIDEGRUND PACHT PARZELLE", "-126.00", "Main"),
        ("2026-05-08", "SPECSAVERS OPTICIANS", "-90.00", "Main"),
        ("2026-08-08", "SPECSAVERS OPTICIANS", "-129.00", "Main"),
        ("2026-09-14", "TESCO STORES 2041", "-30.00", "Main"),
        ("2026-09-21", "LIDL 4417", "-55.00", "Main"),
    ]


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        # what is paid now against what it replaced, by whatever of the two is named, or neither
        ("How much dearer is the new flat's rent than what I paid to M Hollis, a month?", "€60.00 (7.5%) more than"),
        ("By how much is my rent higher now than at the former flat?", "€60.00 (7.5%) more than"),
        ("How much more do I pay Bridge Lets each month than the old landlord?", "€60.00 (7.5%) more than"),
        ("Um wie viel ist die Miete bei Bridge Lets höher als bei M Hollis?", "€60.00 (7.5%) mehr als"),
        ("Wie viel Miete mehr zahle ich jetzt bei Bridge Lets gegenüber der alten Wohnung?", "€60.00 (7.5%) mehr als"),
        ("Is my rent higher than at the old place?", "Yes: Rent Bridge Lets"),
        ("Ist meine Miete gestiegen?", "Ja: Rent Bridge Lets"),
        ("By how much did my rent go up?", "€860.00 a month since 2 Jun 2026, €60.00 (7.5%) more than"),
        ("How much more is my rent now than before?", "€60.00 (7.5%) more than"),
        ("How much more is Ottover now than before it went up?", "went up by €3.50 (11.3%)"),
        ("How much less is giffgaff a month than Vodafone?|and what is that a year?", "€14.00 (58.3%) less than"),
        ("What was my rent at the old flat?", "more than Rent M Hollis: €800.00 until 2 May 2026"),
        ("Was my rent higher at the old flat?", "Rent Bridge Lets: €860.00 a month since 2 Jun 2026, €60.00"),
        # of two things that both run, the prices; of shops, or where it is said to be spent, the sums
        ("How much more is Vodafone than giffgaff each month?", "€14.00 (140.0%) more than"),
        ("How much cheaper is giffgaff than Vodafone?", "€14.00 (58.3%) less than"),
        ("Um wie viel ist Vodafone teurer als giffgaff?", "€14.00 (140.0%) mehr als"),
        ("Is giffgaff dearer than Vodafone?", "No: giffgaff"),
        ("Is giffgaff lower than Vodafone?", "Yes: giffgaff"),
        ("Ist Vodafone teurer als giffgaff?", "Ja: Vodafone: €24.00"),
        ("Ist Vodafone billiger als giffgaff?", "Nein: Vodafone: €24.00"),
        ("How much more did I spend at Vodafone than at giffgaff?", "€294.00 more at Vodafone"),
        ("How much more did I spend at Lidl than at Tesco?", "€25.00 more at Lidl"),
        ("How much more do I get from ACME each month than from child benefit?", "€1,880.00 (268.6%) more than"),
        ("What does Vodafone cost?|and how much less is giffgaff?", "€14.00 (58.3%) less than Vodafone"),
        ("Was kostet giffgaff?|um wie viel teurer ist Vodafone?", "€14.00 (140.0%) mehr als giffgaff"),
        ("Vodafone, giffgaff and Ottover Water this year: how much each?", "€264.00"),
        # a price now against that of a year that is over
        ("How much higher is the Ottover bill now compared with 2025?", "went up by €3.50 (11.3%)"),
        ("Wie viel höher ist Ottover jetzt im Vergleich zu 2025?", "um €3.50 (11.3%) gestiegen"),
        ("How much higher is my pay now than in February 2026?", "went up by €80.00 (3.2%) on 1 Mar 2026"),
        ("Ist mein Lohn jetzt höher als im Februar 2026?", "Ja: Acme ist am 1. März 2026 um €80.00"),
        # what follows a price, and an opening statement
        (
            "What does Lena Hardt charge now?|and how much more is that than when I began with her?",
            "€6.00 (15.0%) more",
        ),
        ("Was verlangt Lena Hardt jetzt?|und wie viel mehr ist das als am Anfang?", "€6.00 (15.0%) mehr"),
        ("What does Lena Hardt charge now?|when did she put it up?", "on 22 May 2026"),
        (
            "Am I still paying Piper Swim?|so what did I give them in total since March 2025, annual fee included?",
            "€455.00 at",
        ),
        ("Pay went up in March, I believe|what is it now?", "€2,580.00 a month"),
        (
            "Was hat der KGV Heidegrund 2025 gekostet?|und um wie viel Prozent ist er 2026 teurer geworden?",
            "(5.0%) mehr",
        ),
        # the month in which a price changed, or was highest
        ("In which month did the Ottover bill go up?", "In February 2026:"),
        ("In welchem Monat ist Ottover teurer geworden?", "Im Februar 2026:"),
        ("In which month did my rent go up?", "In June 2026:"),
        ("wich month was my highest Specsavers bill?", "August 2026"),
        # what comes in now is its last size, and no average
        ("was krieg ich jetzt im Monat von ACME?", "€2,580.00 pro Monat"),
        # shares of pay: booked beside the month, or of several payers; one of the payments before by its month
        ("What percent of my October pay went on rent?", "33.3%: €860.00 of €2,580.00"),
        ("Wie viel Prozent vom Oktoberlohn ging für die Miete drauf?", "33.3%: €860.00 von €2,580.00"),
        (
            "How many times have I been to Specsavers?|what percent of my August pay from ACME was the August one?",
            "5.0%: €129.00 of €2,580.00",
        ),
        (
            "Wie oft war ich bei Specsavers?|wie viel Prozent von meinem Augustlohn von ACME war die vom August?",
            "5.0%: €129.00 von €2,580.00",
        ),
        # what is only said beforehand is told to be left aside, and asked about nothing
        ("My cousin says everybody pays 30 percent. What did rent cost in October?", "€860.00 on rent"),
    ],
)
async def test_prices_are_set_against_prices(talk: Talk, turns: str, told: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert told in outcome.reply.headline


@pytest.mark.parametrize(
    "turns",
    [
        "How much dearer is Ottover Water than my old supplier?",  # before which there was none
        "By how much is Piper Swim cheaper than my previous club?",
        "How much more is Northfield Insurance than giffgaff each month?",  # two premiums, both of them running
    ],
)
async def test_what_was_before_is_asked_about_where_it_is_not_told(talk: Talk, turns: str) -> None:
    assert (await talk.say(turns)).reply.kind == "clarify"


@pytest.mark.parametrize(
    "question",
    [
        "Did Vodafone and giffgaff go up?",
        "Did Ottover and giffgaff go up?",
        "Sind Vodafone und Ottover teurer geworden?",
    ],
)
async def test_two_that_are_asked_about_alike_are_not_set_apart(talk: Talk, question: str) -> None:
    headline = (await talk.say(question)).reply.headline
    assert not any(word in headline for word in ("than", "weniger als", "mehr als"))


@pytest.mark.parametrize(
    "turns",
    [
        "What was the previous rent payment?",
        "How much was my previous paycheck?",
        "Wie hoch war die vorige Mietzahlung?",
        "What was my former rent bill?",
    ],
)
async def test_a_payment_before_is_no_price_that_another_took_the_place_of(talk: Talk, turns: str) -> None:
    headline = (await talk.say(turns)).reply.headline
    assert not any(told in headline for told in ("two prices", "zwei Preise", "more than", "mehr als"))


async def test_pay_that_came_beside_its_month_is_said_to(talk: Talk) -> None:
    outcome = await talk.say("How much salary did I get in October?")
    assert "€2,580.00" in outcome.reply.headline
    assert "30 Sep 2026" in outcome.reply.plain()
