"""Names of several words: those that hold most of them, brands that are not in the ledger, and who is meant by a short name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.graph.conftest import Talk


def rows() -> list[tuple[str, str, str, str]]:
    """Return day, text, amount and account; every figure that a test expects is read off these."""
    found: list[tuple[str, str, str, str]] = []
    for number in range(1, 12):
        month = f"2026-{number:02}"
        found += [
            (f"{month}-01", "STEUERAMT LINDAU AKONTO", "-100.00", "Giro"),
            (f"{month}-02", "SCOTTISH POWER", "-30.00", "Giro"),
            (f"{month}-03", "MERKUR VERSICHERUNG AG", "-20.00", "Giro"),
            (f"{month}-04", "BILLA DANKT", "-5.00", "Giro"),
            (f"{month}-05", "Einkauf Visa Debit Nr. xxxx 4417 Coop-1873 Wipkingen", "-4.00", "Giro"),
            (f"{month}-06", "DAUERAUFTRAG NORDVITA VORSORGE SÄULE 3A", "-50.00", "Giro"),
        ]
    return [
        *found,
        ("2026-05-07", "STEUERAMT LINDAU SCHLUSSRECHNUNG", "-900.00", "Giro"),
        ("2026-05-08", "BERGBAHNEN FLIMS", "-70.00", "Giro"),
        ("2026-05-08", "BERGHAUS FLIMS", "-11.00", "Giro"),
        ("2026-05-09", "DRUMLIN BROS", "-12.00", "Giro"),
        ("2026-05-10", "LUIS ARMIJO", "-13.00", "Giro"),
    ]


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        # the names that hold most of the words, and not those that hold one of them
        ("Wie viel Akonto ging dieses Jahr an das Steueramt?", "1,100.00"),
        ("How much did I spend at the Bergbahnen in Flims this year?", "70.00"),
        ("What did I spend at Bergbahnen Flims and Berghaus Flims this year?", "81.00"),
        # kin are no shop
        ("How much did I send my brother Luis this year?", "13.00"),
        # a brand that the ledger has nothing of is no other one that begins like it
        ("Have I paid Scottish Water anything this year?", "No"),
        ("How much did I pay Scottish Power this year?", "330.00"),
        # the ledger's own name before what a brand was called once
        ("Was kostet die Merkur im Monat?|Und voriges Jahr?", "Merkur"),
        ("Wie viel ging dieses Jahr an Billa?", "55.00"),
        # a shop behind a card's number, and a name that goes on with letters and digits
        ("Wie viel habe ich dieses Jahr im Coop ausgegeben?", "44.00"),
        ("Säule 3a dieses Jahr", "550.00"),
        ("Wie viel ist dieses Jahr schon in die Säule 3a geflossen?", "550.00"),
    ],
)
async def test_who_is_meant_holds_all_that_was_said(talk: Talk, turns: str, told: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert told in outcome.reply.headline
