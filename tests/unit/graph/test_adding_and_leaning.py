"""What a follow-up adds or takes off, what leans on something that was never said, and what is yet to come."""

from __future__ import annotations

import pytest

from tests.unit.graph.conftest import Talk


def rows() -> list[tuple[str, str, str, str]]:
    """Return day, text, amount and account; every figure that a test expects is read off these."""
    found: list[tuple[str, str, str, str]] = []
    for number in range(1, 11):
        month = f"2026-{number:02}"
        found += [
            (f"{month}-01", "STANDING ORDER RENT M HOLLIS", "-800.00", "Main"),
            (f"{month}-03", "SPOTIFY P0A1", "-11.99" if number > 6 else "-9.99", "Main"),
            (f"{month}-05", "PLANET FITNESS CLUB FEES", "-15.00", "Main"),
            (f"{month}-06", "EVERGY ELECTRIC BILL", "-60.00", "Main"),
            (f"{month}-25", "ACME CORP PAYROLL", "2500.00", "Main"),
            (f"{month}-26", "ONLINE TRANSFER TO XXXXX4425", "-100.00", "Main"),
            (f"{month}-26", "ONLINE TRANSFER FROM XXXXX4417", "100.00", "Growth"),
        ]
    return [
        *found,
        ("2026-02-09", "PLANET FITNESS ANNUAL FEE", "-49.00", "Main"),
        ("2026-04-14", "EVERGY REFUND", "64.00", "Main"),
        ("2026-04-20", "NEWEGG ORDER 881", "-300.00", "Main"),
        ("2026-05-02", "NEWEGG REFUND", "120.00", "Main"),
        ("2026-03-10", "DR WEBER DENTIST", "-400.00", "Main"),
        ("2026-03-25", "DELTA DENTAL CLAIM REFUND WEBER", "250.00", "Main"),
        ("2026-06-25", "DELTA DENTAL CLAIM REFUND OPTICIAN", "70.00", "Main"),
        ("2026-05-05", "ONLINE TRANSFER TO XXXXX4417", "-300.00", "Growth"),
        ("2026-05-05", "ONLINE TRANSFER FROM XXXXX4425", "300.00", "Main"),
        ("2026-06-30", "INTEREST EARNED", "7.25", "Main"),
        ("2026-09-30", "INTEREST EARNED", "8.25", "Main"),
        ("2025-09-15", "DUQUESNE STUDENT HEALTH INS", "-900.00", "Main"),
        ("2026-09-15", "DUQUESNE STUDENT HEALTH INS", "-979.00", "Main"),
        ("2025-05-28", "PAUDIE TWOMEY", "-35.00", "Main"),
        ("2025-08-19", "PAUDIE TWOMEY", "-35.00", "Main"),
        ("2026-04-28", "PAUDIE TWOMEY", "-40.00", "Main"),
        ("2026-10-02", "PAUDIE TWOMEY", "-40.00", "Main"),
        ("2026-08-12", "LIDL 4417", "-70.00", "Main"),
        ("2026-08-14", "TESCO STORES 2041", "-30.00", "Main"),
    ]


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        # what came back is off every sum already
        ("What did we pay Evergy this year?|and if you take off the refund they gave us in April?", "€536.00"),
        ("What did I spend at Newegg this year?|and if you deduct the money they returned?", "€180.00"),
        ("Was habe ich dieses Jahr bei Newegg ausgegeben?|und wenn du das abziehst, was ich zurückgeschickt habe?", "€180.00"),
        # names are left out, and what somebody else gave back is taken off
        ("What did I spend in total in March?|and if you take off the rent?", "€234.99"),
        ("Wie viel habe ich im März ausgegeben?|und wenn du die Miete abziehst?", "€234.99"),
        ("What did I spend in March if you take off the rent?", "€234.99"),
        ("How much was the dentist in March?|and minus what Delta Dental paid back?", "€150.00"),
        ("Was hat der Zahnarzt im März gekostet?|und wenn du abziehst, was Delta Dental erstattet hat?", "€150.00"),
        # words of the bank's text tell what is left out of a merchant's sum, or is all that is meant of it
        ("How much did I pay Planet Fitness this year?|And without the annual fee?", "€150.00 spent at Planet Fitness"),
        ("How much did I pay Planet Fitness this year?|if you take off the annual fee", "€150.00 spent at Planet Fitness"),
        ("How much did I pay Planet Fitness this year without the annual fee?", "€150.00 spent at Planet Fitness"),
        ("How much did I pay Planet Fitness this year?|just the club fees", "€150.00"),
        ("Was habe ich dieses Jahr an Planet Fitness gezahlt?|und ohne die Annual Fee?", "€150.00 bei Planet Fitness"),
        # what is added of another kind is summed up with what was asked
        ("How much was the rent in March?|and with Spotify on top?", "€809.99 together"),
        ("Wie hoch war die Miete im März?|und mit Spotify dazu?", "€809.99"),
        ("Wie hoch war die Miete im März?|und Spotify noch dazu?", "€809.99"),
        # what is in both sums counts once
        ("How much on groceries in August?|and with Lidl on top?", "€100.00"),
        ("How much at Tesco in August?|and with groceries on top?", "€100.00"),
        ("Wie viel ging im August für Lebensmittel drauf?|und mit Lidl dazu?", "€100.00"),
        ("How much on groceries in August?|and with Spotify on top?", "€111.99 together"),
        # what came back is taken off what was spent, whichever was asked first
        ("How much did Delta Dental give back in March?|How much was the dentist in March?|What's left in the end?", "€150.00: €400.00"),
        # what is left of what somebody took when another gave a part of it back
        ("How much was the dentist?|And how much did Delta Dental pay of it?|What's left for us then?", "€150.00: €400.00"),
        ("Was hat der Zahnarzt gekostet?|Und wie viel hat Delta Dental davon übernommen?|Was ist uns dann selber geblieben?",
         "€150.00: €400.00"),
        # the regular thing that stands, by another noun
        ("What do I pay for Spotify?|since when do I have the subscription?", "3 Jan 2026"),
        ("Was zahle ich für Spotify?|Und seit wann habe ich das Abo?", "3. Januar 2026"),
        # what somebody asks for one time, now and a year ago
        ("When did we last pay Paudie?|And what's he charging now?", "€40.00"),
        ("When did we last pay Paudie?|And what's he charging now?|What was he charging last year so?", "€35.00"),
        # of two sums, how far apart they are, in percent too
        ("How much was the student health insurance this fall?|How much more is that than last fall?", "€79.00"),
        ("Was hat Duquesne Student Health dieses Jahr gekostet?|Und letztes Jahr?|Wie viel Prozent Aufschlag ist das?", "8.8%"),
        ("Was hat Duquesne Student Health gekostet?|Und letztes Jahr?|Wie viel Prozent Aufschlag ist das?", "8.8%"),
        # savings in an account of which no word says that it is one, counted from one side
        ("How much did I move into savings this year?", "€1,000.00"),
        ("How much did I move into savings this year?|And how much did I take back out?", "€300.00"),
        ("wie oft hab ich dieses jahr was vom sparkonto zurück geholt?|wie viel war das zusammen?", "€300.00"),
        # the bigger of two that were counted
        ("how many interest payments did I get?|when was the bigger one?", "30 Sep 2026"),
        # a pay day is the last one, where no word says the first
        ("wann kam mein gehalt?", "25. Oktober 2026"),
    ],
)  # fmt: skip
async def test_a_follow_up_is_answered_with_what_stands(talk: Talk, turns: str, told: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.kind == "answer"
    assert told in outcome.reply.headline


@pytest.mark.parametrize(
    "question",
    [
        "when was the last one?", "how much was the latest one?", "which was the dearest?", "when was the last time?",
        "wieviel wars letztes mal", "wann kam das geld?", "wann war die letzte?", "welches war das teuerste?",
    ],
)  # fmt: skip
async def test_what_leans_on_something_never_said_is_asked_back(talk: Talk, question: str) -> None:
    reply = (await talk.say(question)).reply
    assert reply.kind == "clarify"
    assert not reply.facts


@pytest.mark.parametrize(
    "question",
    [
        "when was my last purchase?",
        "what was my biggest expense?",
        "wann war mein letzter Einkauf?",
        "what did I buy last?",
    ],
)
async def test_a_payment_that_is_told_by_whose_it_is_needs_nothing_before(talk: Talk, question: str) -> None:
    assert (await talk.say(question)).reply.kind == "answer"


@pytest.mark.parametrize(
    "turns",
    [
        "what's my rent a month now?|is it going up again next April?",
        "What do I pay for Spotify?|is it going up next year?",
        "What do I pay for Spotify?|will it go up again?",
        "Was zahle ich für Spotify?|und muss ich nächstes Jahr mehr zahlen?",
        "Wie viel habe ich dieses Jahr an Evergy gezahlt?|Und muss ich für 2026 am Schluss noch nachzahlen?",
        "what's my next Newegg order gonna come to?",
    ],
)
async def test_what_is_yet_to_come_is_refused_and_not_answered_from_the_past(talk: Talk, turns: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.kind == "refuse"


@pytest.mark.parametrize(
    "question", ["How much do I currently spend at Newegg?", "Wie viel gebe ich aktuell bei Newegg aus?"]
)
async def test_what_is_spent_somewhere_now_is_not_its_latest_receipt(talk: Talk, question: str) -> None:
    assert "latest" not in (await talk.say(question)).reply.headline


async def test_two_things_that_were_paid_for_leave_nothing(talk: Talk) -> None:
    for turn in ("How much was the dentist?", "How much did I spend at Lidl?", "What's left in the end?"):
        outcome = await talk.say(turn)
    assert "without" not in outcome.reply.headline


@pytest.mark.parametrize(
    "turns",
    [
        "What did I spend at Newegg this year?|and without Spotify?",  # which is no part of it
        "How much did I pay Planet Fitness this year?|and without the flowers?",
        "did I pay invoice 1089?|how much was it?",
    ],
)
async def test_what_can_not_be_taken_off_or_was_not_answered_is_asked_about(talk: Talk, turns: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.kind == "clarify"
