"""What the form of a question tells where its words alone don't: who paid, whether, when, which of several, what is never done."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.unit.graph.conftest import Talk, database

MONTHS = [f"2025-{month:02}" for month in range(10, 13)] + [f"2026-{month:02}" for month in range(1, 12)]


def rows() -> list[tuple[str, str, str, str]]:
    """Return day, payee, reference and amount; every figure that a test expects is a sum of these."""
    found: list[tuple[str, str, str, str]] = []
    for month in MONTHS:
        found += [
            (f"{month}-02", "Rentenkasse Nord", "RENTE BRANDNER ILSE", "900.00" if month < "2026-07" else "930.00"),
            (f"{month}-02", "Rentenkasse Sued", "RENTE BRANDNER KURT", "1500.00"),
            (f"{month}-03", "Ilse und Kurt Brandner", "Sparen", "-150.00"),
            (f"{month}-04", "Netflix", "", "-13.99" if month < "2026-06" else "-14.99"),
            (f"{month}-05", "Spotify", "", "-10.99" if month < "2026-03" else "-11.99"),
            (f"{month}-06", "Verlag Hansen", "HNA Abonnement", "-45.90" if month < "2026-03" else "-48.90"),
            (f"{month}-28", "Entgeltabschluss", "Kontofuehrung", "-6.90"),
        ]
    found += [
        ("2026-05-12", "Sophie Wagner", "Kino Popcorn", "26.50"),
        ("2026-05-20", "Jakob Steindl", "Konzertkarten danke", "78.00"),
        ("2026-05-22", "Kiz Royal Kino", "", "-23.00"),
        ("2026-06-30", "Oeticket", "Festival", "-90.00"),
        ("2026-10-09", "Zalando", "Bestellung", "-64.95"),
        ("2026-10-15", "Zalando", "Gutschrift Retoure", "64.95"),
        ("2026-10-16", "Brauhaus Knallhuette", "", "-30.00"),
        ("2026-10-26", "Brauhaus Knallhuette", "", "-28.00"),
        ("2026-11-02", "Ristorante Da Nino", "", "-44.00"),
        ("2026-03-01", "Servicebetrieb OEH Uni", "OEH Beitrag", "-22.70"),
        ("2026-09-24", "Servicebetrieb OEH Uni", "OEH Beitrag", "-25.20"),
        ("2026-11-03", "Thalia", "", "-18.00"),
        ("2026-11-08", "Nina Roth", "TWINT Geld empfangen", "61.50"),
        ("2026-11-09", "Nina Roth", "TWINT Geld senden", "-20.00"),
        ("2026-11-10", "Nina Roth", "", "-33.00"),
        ("2026-11-04", "Spar", "", "-12.00"),
        *((f"2026-11-{day:02}", "Billa", "", "-10.00") for day in (5, 6, 7)),
    ]
    return [row for row in found if row[0] <= "2026-11-21"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = ["Datum;Empfaenger;Verwendungszweck;Betrag (EUR)", *(";".join(row) for row in sorted(rows()))]
    return asyncio.run(database(tmp_path_factory, "bank.csv", "\n".join(lines).encode()))


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        # whether something came back, and when something was
        ("Hat mir Zalando das Geld für die Retoure im Oktober zurückgezahlt?", "Ja"),
        ("Hat Jakob Steindl uns das Geld für die Konzertkarten zurückgezahlt?", "Ja"),
        ("Wann ist das Geld von Jakob Steindl gekommen?", "20. Mai 2026"),
        ("Was hab ich im Kino bezahlt?", "23.00"),
        # a name that only the text of what came in holds
        ("Wie viel Rente bekommt Ilse aktuell im Monat?", "930.00"),
        # which of several, and what is asked of one at all times
        ("Was kostet uns Netflix im Monat?|War das immer schon so viel?", "Nein"),
        ("Um wie viel ist das HNA-Abo teurer geworden?", "3.00"),
        ("War ich im November öfter beim Spar oder beim Billa?", "Billa"),
        ("teuerster restaurantbesuch??", "44.00"),
        # which of several asked about one after the other, what two come to, and by how many percent
        (
            "Wie viel hab ich im November bei Spar gezahlt?|Und bei Billa?|Und bei Thalia?|Wo war es am meisten?",
            "Billa",
        ),
        ("How much was Thalia?|And Oeticket?|And the Kiz Royal Kino?|Which was the most?", "Oeticket"),
        ("Was hat Oeticket gekostet?|Und Restaurants im November?|Was macht das zusammen?", "134.00"),
        ("Netflix im Mai?|Und im Juni?|Um wie viel Prozent ist das mehr?", "7.1%"),
        ("How much was Netflix in May?|And in June?|What percentage is that up?", "7.1%"),
        # one row is asked about once more, and a day of what is there
        ("Wann waren wir zuletzt im Restaurant?|Wo war das?|Und was hat es gekostet?", "44.00"),
        ("Hat Jakob Steindl uns das Geld für die Konzertkarten zurückgezahlt?|An welchem Tag?", "20. Mai 2026"),
        # how something was paid, by the bank's own word
        ("Von wem habe ich dieses Jahr am meisten Geld per TWINT bekommen?", "Nina Roth"),
        ("Wie viel hab ich Nina Roth per TWINT geschickt?", "20.00"),
        # initials are a name, and a shop of two words is one
        ("Hallo, kannst du mir helfen?|Wann hab ich zuletzt den OEH-Beitrag gezahlt?", "24. September 2026"),
        ("Was haben wir im November bei Media Markt ausgegeben?", "Keine Ausgaben"),
        # a shop that the ledger has not, after one that it has
        ("Was kostet uns Netflix im Monat?|Und Disney+?", "nichts Regelmäßiges"),
        # a name is no word of the question, and a year before is the same month of that year
        ("Wie viel habe ich im Oktober 2026 bei Netflix gezahlt?|Und vor einem Jahr?", "13.99"),
        ("Welche Zahlungen kommen einmal im Jahr?", "keine regelmäßigen"),
        # an account's fees are fees, whatever else says “Konto”
        ("Wie viel Kontogebühren haben wir dieses Jahr gezahlt?", "69.00"),
    ],
)
async def test_a_form_tells_what_is_asked(talk: Talk, turns: str, told: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert told in outcome.reply.headline


@pytest.mark.parametrize(
    ("question", "names"),
    [
        (
            "wer hat uns im mai geld überwisen",
            ["Sophie Wagner", "Jakob Steindl", "Rentenkasse Nord", "Rentenkasse Sued"],
        ),
        ("Who sent us money in May 2026?", ["Sophie Wagner", "Jakob Steindl"]),
        ("Which stores gave me a refund this year?", ["Zalando"]),
        ("Welche meiner Abos sind dieses Jahr teurer geworden?", ["Netflix", "Spotify"]),
    ],
)
async def test_all_are_named_who_are_asked_for(talk: Talk, question: str, names: list[str]) -> None:
    shown = str((await talk.say(question)).reply.blocks)
    assert [name for name in names if name not in shown] == []


@pytest.mark.parametrize(
    "turns",
    [
        "Wie viel hab ich dieses Jahr für Netflix gezahlt?|Kannst du das Abo bitte für mich kündigen?",
        "Can you please cancel my Netflix subscription?",
        "Kriegt Ilse nächstes Jahr mehr Rente?",
    ],
)
async def test_what_is_never_done_is_refused(talk: Talk, turns: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.kind == "refuse"
