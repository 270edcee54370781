"""What people ask in a chat over a file with one column of text: slips, accounts that grow, weekdays, parts of a payee."""

from __future__ import annotations

import pytest

from tests.unit.graph.conftest import Talk

MONTHS = [f"2026-{month:02}" for month in range(3, 12)]


def rows() -> list[tuple[str, str, str, str]]:
    """Return day, text, amount and account; every figure that a test expects is a sum of these."""
    found: list[tuple[str, str, str, str]] = []
    for month in MONTHS:
        found += [
            (f"{month}-01", "STANDING ORDER RENT M HOLLIS", "-800.00", "Current"),
            (f"{month}-02", "NETFLIX.COM", "-12.99", "Travel Card"),
            (f"{month}-12", "GUTSCHRIFT NORDWERK GMBH BEZUG 01/2026", "2000.00", "Current"),
            (f"{month}-14", "TRANSFER TO SAVINGS POT", "-150.00", "Current"),
            (f"{month}-14", "TRANSFER FROM CURRENT", "150.00", "Rainy Pot"),
            (f"{month}-20", "HARBOUR MUTUAL HAUSHALT POL 771", "-10.00", "Current"),
            (f"{month}-21", "HARBOUR MUTUAL KFZ POL 772", "-45.00", "Current"),
        ]
    found += [
        ("2026-05-11", "NORDWERK GMBH SONDERZAHLUNG", "900.00", "Current"),
        ("2026-06-05", "ZELLE FROM TALLULAH BRIGHT", "30.00", "Current"),
        ("2026-06-09", "ZELLE FROM TALLULAH", "12.00", "Current"),
        ("2026-07-07", "MARIE HOLM FROHE WEIHNACHTEN OMA", "-25.00", "Current"),
        ("2026-07-08", "MARIE HOLM ZUM GEBURTSTAG OMA", "-35.00", "Current"),
        ("2026-07-09", "J DRAKE MUM LOAN BACK", "-250.00", "Current"),
        ("2026-08-20", "TRANSFER TO CURRENT", "-100.00", "Rainy Pot"),
        ("2026-08-20", "TRANSFER FROM SAVINGS POT", "100.00", "Current"),
        ("2026-09-09", "KFZ TECHNIK ZOTTER", "-418.60", "Current"),
        ("2026-10-10", "BILLA DANKT 3118", "-22.50", "Current"),
        ("2026-10-11", "BILL MILLER BBQ", "-31.00", "Current"),
        ("2026-09-12", "QUAYSIDE RESTAURANT", "-17.00", "Current"),
        ("2026-10-13", "TRANSFER TO K MORRISON - RAINY DAY", "-40.00", "Current"),
        ("2026-10-13", "TRANSFER FROM K MORRISON - EVERYDAY", "40.00", "Rainy Pot"),
    ]
    return found


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        # slips in names and in words of the question
        ("wiviel hab ich bei Bila ausgegebn", "22.50"),
        ("avrage paychek?", "1,890.00"),
        ("how much on groseries in october", "22.50"),
        # how much an account grew
        ("By how much did my rainy pot grow in August?", "50.00"),
        ("Um wie viel ist mein Rainy Pot seit Juli gewachsen?", "690.00"),
        ("Did more money come into my current account than go out in October, and by how much?", "901.50"),
        # the weekday of something, and the account that it goes through
        ("what day of the week do i get paid", "Monday"),
        ("Which account does Netflix come out of?", "Travel Card"),
        ("Von welchem Konto geht Netflix ab?", "Travel Card"),
        # pay that the bank calls so in part of its rows only, and what of it went on something
        ("Wie hoch war mein Gehalt im Oktober?", "2,000.00"),
        ("What percent of what I earned in October went on rent?", "40.0%"),
        # a part of what somebody is paid, by the words of the bank
        ("Wie viel habe ich im Oktober bei Harbour Mutual für die Haushaltsversicherung gezahlt?", "10.00"),
        ("Was hab ich im Oktober an Harbour Mutual gezahlt?|Und für die Kfz-Versicherung?", "45.00"),
        # amounts whose cents are left unsaid
        ("what was that 418 euro charge in september", "Zotter"),
        # people by a part of their name, and without what the money was for
        ("how much has tallulah sent me", "42.00"),
        ("How much did I send Marie Holm?", "60.00"),
        ("How much did I send J Drake?|And Marie Holm?|Was macht das für beide zusammen?", "310.00"),
        # a transfer to a person who is called as a shop is, and what of the savings came back
        ("What did I spend at supermarkets in October?", "22.50"),
        (
            "How much did I move to savings since August?|How much did I pull back out?|So what's the net?",
            "540.00",
        ),
        # the third of a kind of places, and an amount that is asked about with a pointer
        ("Which restaurant comes second this year?", "Quayside"),
        ("was war das mit den 418.60 im september??", "Zotter"),
        # a restaurant's “bill” is none of the electricity's
        ("What did I spend at restaurants in October?", "31.00"),
    ],
)
async def test_a_question_as_it_is_typed_is_answered(talk: Talk, turns: str, told: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert told in outcome.reply.headline
