"""Remarks beside a question, what a follow-up names by the bank's words, days between two payments, and whose something is."""

from __future__ import annotations

import pytest

from tests.unit.graph.conftest import Talk


def rows() -> list[tuple[str, str, str, str]]:
    """Return day, text, amount and account; every figure that a test expects is read off these."""
    found: list[tuple[str, str, str, str]] = []
    for number in range(1, 12):
        month = f"2026-{number:02}"
        found += [
            (f"{month}-01", "STANDING ORDER RENT M HOLLIS", "-800.00", "Giro"),
            (f"{month}-03", "SPOTIFY P0A1", "-11.99", "Giro"),
            (f"{month}-05", "TALLOW BAKERY", f"-{number}.00", "Giro"),
            (f"{month}-27", "GUTSCHRIFT RENTEN SERVICE DEUTSCHE POST RV-RENTE", "1200.00", "Giro"),
            (f"{month}-28", "GUTSCHRIFT PENSIONSKASSE NORDWERK BETRIEBSRENTE", "400.00", "Giro"),
        ]
    return [
        *found,
        ("2026-02-10", "A OKAFOR PIANO MAISIE", "-95.00", "Giro"),
        ("2026-04-02", "SMYTHS TOYS LEEDS", "-30.00", "Giro"),
        ("2026-05-02", "HUK-COBURG KFZ-VERSICHERUNG", "-300.00", "Giro"),
        ("2026-06-02", "HUK-COBURG HAUSRATVERSICHERUNG", "-80.00", "Giro"),
        ("2026-07-09", "BUNDESKASSE KFZ-STEUER KI-GM 417", "-94.00", "Giro"),
        ("2026-08-01", "FERIENHAUS SEEADLER ANZAHLUNG", "-150.00", "Giro"),
        ("2026-08-31", "FERIENHAUS SEEADLER RESTZAHLUNG", "-350.00", "Giro"),
        ("2026-09-12", "GUTSCHRIFT HANNE PETERSEN ANTEIL OSLO", "60.00", "Giro"),
        ("2026-09-30", "INTEREST (GROSS) PAID", "7.25", "Giro"),
        ("2026-10-01", "SOLLZINSEN", "-3.10", "Giro"),
        ("2026-03-18", "JIFFY LUBE #1143", "-50.00", "Giro"),
        ("2026-05-08", "JIFFY LUBE #1143", "-84.12", "Giro"),
        ("2026-10-11", "WOOLWORTHS SANDTON", "-520.00", "Giro"),
        ("2026-10-21", "WOOLWORTHS SANDTON REFUND", "40.00", "Giro"),
        ("2026-03-02", "UEBERWEISUNG HANNE PETERSEN KINO", "-25.00", "Giro"),
        ("2026-10-19", "WOOLWORTHS SANDTON", "-90.00", "Giro"),
        *((f"2026-{number:02}-15", "RUNDFUNK ARD ZDF DRADIO BEITRAG", "-55.08", "Giro") for number in (2, 5, 8, 11)),
        *((f"2026-{number:02}-05", "STADT HALDEN KITA BEITRAG", "-150.00", "Giro") for number in range(6, 12)),
        *((f"2026-{number:02}-30", "MONTHLY ACCOUNT FEE", "-6.00", "Giro") for number in (6, 7, 8)),
        ("2026-08-14", "NON-NETWORK ATM FEE", "-3.00", "Giro"),
        ("2026-05-11", "DUFFERIN GROVE DENTAL", "-260.00", "Giro"),
        ("2026-05-20", "SUNLIGHT INSURANCE CLAIM REFUND", "160.00", "Giro"),
    ]


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        # a remark with words that nobody knows; its shop and its time go with the question
        (
            "My husband swears we practically live at Tallow Bakery. How often were we really there this year?",
            "11 times",
        ),
        ("Dieses ewige Spotify! Was haben wir da seit Januar bezahlt?", "131.89"),
        ("The vet was killing me this spring. How much went to Tallow Bakery in May?", "5.00"),
        ("I'm sure I got rid of Spotify ages ago - when was the last time they charged me?", "3 Nov 2026"),
        ("Zeig mir bitte alles über 80 Euro bei HUK – das wollen wir uns mal ansehen.", "300.00"),
        # how many days lay between two payments
        ("When did I last go to Jiffy Lube?|And the time before that?|How many days were between the two?", "51 days"),
        ("Wann war ich zuletzt bei Jiffy Lube?|Und davor?|Wie viele Tage lagen dazwischen?", "51 Tage"),
        ("How many days were there between my last two visits to Jiffy Lube?", "51 days"),
        # what a follow-up names stands in the bank's text alone
        ("Was hat mich die Autoversicherung 2026 gekostet?|Und die Kfz-Steuer?", "94.00"),
        ("Was hat mich die Autoversicherung 2026 gekostet?|Und die Kfz-Steuer?|Und beides zusammen?", "394.00"),
        ("Was hat Ferienhaus Seeadler gekostet?|Wie viel Prozent davon war die Anzahlung?", "30.0%"),
        # a word for a kind only says whose something is
        ("How much did I pay for the kids' piano lessons this year?", "95.00"),
        # a part that somebody else pays is no share of a sum
        ("Sag mal, hat Hanne mir ihren Anteil für Oslo eigentlich schon gegeben?", "60.00"),
        # pensions are pay, and both of mine are none of before
        ("Wie viel Prozent meiner beiden Renten gingen im Oktober für die Miete drauf?", "50.0%"),
        # more that came in than went out
        ("Ist im Oktober mehr Geld reingekommen, als ich ausgegeben habe?", "Ja"),
        ("Did more come in than go out in October?", "Yes"),
        # interest that was earned is none that was charged, and no saving
        ("how much intrest did my savings earn this year", "7.25"),
        # amounts in the currency's own sign, and single shops in the words of Britain
        ("How many of my Woolworths shops came to more than R500?", "1 purchase"),
        # a bank's fee under its own name, and each of three months
        ("How much have I paid in monthly account fees altogether?", "18.00"),
        ("How much did I spend at Tallow Bakery in each of August, September and October?", "month by month"),
        # how long ago something was, what comes every three months, and most in one payment
        ("Wie viele Tage ist mein letzter Einkauf bei Jiffy Lube her?", "197 Tage"),
        ("How long ago was my last visit to Jiffy Lube?", "197 days"),
        ("Was wird bei mir alle drei Monate abgebucht?", "Rundfunkbeitrag"),
        ("In which shop did I spend the most in one go in October?", "M Hollis"),
        # since when something is paid that the bank's text alone tells
        ("Seit wann zahle ich für die Kita?", "5. Juni 2026"),
        # what another gave back of a bill, and what is left of it
        (
            "What did I pay the dentist in May?|How much of that did Sunlight Insurance pay back?|So what was my own share in the end?",
            "100.00",
        ),
        # the sum of a list of shops
        ("Which shops did I spend most at in October?|How much was it altogether?", "1,545.09"),
        # what came back is taken off, by whatever words; and the other way round
        ("how much did I spend at Woolworths this yr after the money they gave back", "570.00"),
        ("Was hat mir Hanne Petersen dieses Jahr geschickt?|Und wie viel ich ihr?", "25.00"),
        # chat spelling
        ("wot did i pay tallow bakery in may", "5.00"),
        ("wats my rent at the moment", "800.00"),
    ],
)
async def test_what_stands_beside_a_question_does_not_change_it(talk: Talk, turns: str, told: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert told in outcome.reply.headline


@pytest.mark.parametrize(
    "turns",
    [
        # what is compared with another year was never answered
        "Was kostet mein Zorbo?|Um wie viel ist das mehr als letztes Jahr?",
        # who is left out is told beside the question, and nobody knows it
        "How much did I spend this year? Leave the zorbs out of it.",
        # what somebody else earns
        "so how much is my roomie priya making these days?",
    ],
)
async def test_what_leans_on_nothing_is_asked_about(talk: Talk, turns: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.kind in ("clarify", "refuse")
