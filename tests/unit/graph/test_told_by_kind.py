"""What is asked for by its kind, where only the bank's text tells it: a tax of several to one council, the vet, water."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from graph.agent import MoneyAgent
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.unit.graph.conftest import ME, Talk

ROWS = [
    *((day, "Markt Ferdau", "GRUNDSTEUER B 11-47", "-118.40") for day in ("2025-11-17", "2025-08-15")),
    *((day, "Markt Ferdau", "GRUNDSTEUER B 11-47", "-131.25") for day in ("2026-02-16", "2026-05-15", "2026-08-17")),
    ("2026-11-16", "Markt Ferdau", "GRUNDSTEUER B 11-47", "-131.25"),
    ("2026-03-17", "Markt Ferdau", "HUNDESTEUER 2026", "-60.00"),
    ("2026-05-22", "Kleintierpraxis Dr Vogelsang", "", "-83.20"),
    ("2026-10-16", "Kleintierpraxis Dr Vogelsang", "", "-264.30"),
    ("2026-06-02", "Fressnapf", "", "-40.00"),
    ("2026-09-30", "Gemeindewerke Ferdau", "WASSER/ABWASSER ABSCHLAG", "-104.00"),
    ("2026-06-30", "Gemeindewerke Ferdau", "WASSER/ABWASSER ABSCHLAG", "-104.00"),
    ("2026-03-30", "Gemeindewerke Ferdau", "WASSER/ABWASSER ABSCHLAG", "-104.00"),
    ("2026-10-01", "REWE", "", "-30.00"),
]


#: A household whose bank says in its own short words what was paid: kinds that everybody tells apart in two words or one.
HOUSEHOLD = [
    ("2026-01-05", "HUK-COBURG", "KFZ-VERS. 4711 BEITRAG", "-412.60"),
    ("2026-02-02", "HUK-COBURG", "KRAFTRADVERS.0815 BEITRAG", "-88.10"),
    ("2026-03-02", "HUK-COBURG", "HAUSRAT 2026", "-95.40"),
    ("2026-04-01", "HUK-COBURG", "HAFTPFL BEITRAG", "-61.30"),
    ("2026-05-04", "HUK-COBURG", "TIERHALTERHAFTPFL HUND", "-48.70"),
    ("2026-01-12", "Allianz", "WOHNGEBAEUDE VS 12", "-398.20"),
    ("2026-02-12", "Allianz", "BERUFSUNFAEHIGKEIT", "-54.00"),
    ("2026-03-12", "Allianz", "ZAHNZUSATZ", "-21.90"),
    ("2026-06-15", "Familienkasse Roth", "RUNDFUNKBEITRAG", "-55.08"),
    ("2026-01-09", "Stadtwerke Ferdau", "STROM ABSCHLAG", "-81.00"),
    ("2026-02-09", "Stadtwerke Ferdau", "STROM ABSCHLAG", "-81.00"),
    ("2026-01-10", "Stadtwerke Ferdau", "WASSER ABSCHLAG", "-33.00"),
    ("2026-03-10", "Brennstoffe Lohr", "HEIZOEL 1500 L", "-1410.00"),
    ("2026-03-20", "Riedl Haustechnik", "HEIZUNG WARTUNG", "-189.00"),
    ("2026-04-20", "Forst Ambach", "BRENNHOLZ 4 RM", "-320.00"),
    ("2026-05-11", "Wolf und Sohn", "SCHORNSTEINFEGER", "-74.20"),
    ("2026-05-20", "Kratzer GbR", "MALERARBEITEN FLUR", "-640.00"),
    ("2026-06-20", "Leitner und Co", "SANITAER REPARATUR", "-150.00"),
    ("2026-01-30", "Sparkasse Ferdau", "HYPOTHEKENRATE", "-1295.00"),
    ("2026-02-27", "WEG Lindenhof", "HAUSGELD", "-245.00"),
    ("2026-01-20", "Stern-Apotheke", "", "-18.40"),
    ("2026-01-21", "dm", "", "-27.35"),
    ("2026-02-14", "Dr Saller", "KIEFERORTHOPAEDIE RATE", "-120.00"),
    ("2026-02-15", "Zahnarztpraxis Dr Lenz", "", "-75.00"),
    ("2026-03-03", "Bewegt", "PHYSIOTHERAPIE ZUZAHLUNG", "-32.00"),
    ("2026-03-05", "Haarwerk", "FRISEUR", "-46.00"),
    ("2026-04-09", "Lotus", "NAGELSTUDIO", "-39.00"),
    ("2026-04-22", "Radhaus Keller", "FAHRRADREPARATUR", "-68.50"),
    ("2026-05-08", "Schule am Park", "SCHULESSEN MAI", "-62.00"),
    ("2026-05-09", "Schule am Park", "KLASSENFAHRT 6B", "-215.00"),
    ("2026-05-12", "Stadt Ferdau", "KITA ELTERNBEITRAG", "-180.00"),
    ("2026-05-13", "Stadt Ferdau", "HORTBEITRAG", "-95.00"),
    ("2026-06-03", "Fahrschule Blitz", "", "-310.00"),
    ("2026-06-08", "Gipfelwand", "KLETTERHALLE", "-14.00"),
    ("2026-06-09", "Waldbad Ferdau", "", "-5.50"),
    ("2026-06-12", "Nordkai Line", "CAR FERRY", "-129.00"),
    ("2026-07-02", "Ostseeblick", "FERIENWOHNUNG", "-840.00"),
    ("2026-07-20", "City Council", "RESIDENTS PARKING PERMIT", "-60.00"),
    ("2026-07-21", "Brightwell and Sons", "STUDENT LOAN REPAYMENT", "-130.00"),
    ("2026-08-02", "Harborside", "SELF STORAGE UNIT 12", "-72.00"),
    ("2026-08-05", "ver.di", "MITGLIEDSBEITRAG", "-24.80"),
    ("2026-08-20", "Pfoetchen", "HUNDESCHULE KURS", "-99.00"),
    ("2026-08-21", "Fressnapf", "", "-53.10"),
    ("2026-09-01", "Ruhe und Frieden", "BESTATTUNG ANZAHLUNG", "-900.00"),
    ("2026-09-04", "Katrin Sommer", "", "-20.00"),
    ("2026-09-10", "Caritas", "SPENDE", "-50.00"),
    ("2026-09-12", "Pfarramt Ferdau", "KOLLEKTE", "-15.00"),
]


#: What a tax office takes by its short words, and where food is bought.
SHORT_WORDS = [
    ("2026-02-16", "Finanzamt Ferdau", "UST 12/2025", "-300.00"),
    ("2026-02-16", "Finanzamt Ferdau", "EST VZ 01/2026", "-120.00"),
    ("2026-05-16", "Finanzamt Ferdau", "UST 03/2026", "-310.00"),
    ("2026-03-02", "REWE", "", "-30.00"),
    ("2026-03-09", "Lidl", "", "-50.00"),
    ("2026-03-10", "Bäckerei Kornblum", "", "-8.00"),
    ("2026-03-11", "Metzgerei Ochs", "", "-62.00"),
]


async def _ledger(path: Path, rows: list[tuple[str, str, str, str]]) -> Path:
    lines = ["Date,Payee,Memo,Amount (USD)", *(",".join(row) for row in sorted(rows))]
    store = await Store.open(path)
    await import_files(await store.repository(ME), [SourceFile("bank.csv", "\n".join(lines).encode())])
    await store.close()
    return path


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(_ledger(tmp_path_factory.mktemp("kinds") / "money.sqlite3", ROWS))


@pytest.fixture(scope="module")
def household(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(_ledger(tmp_path_factory.mktemp("household") / "money.sqlite3", HOUSEHOLD))


@pytest.fixture(scope="module")
def short_words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(_ledger(tmp_path_factory.mktemp("short") / "money.sqlite3", SHORT_WORDS))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Wie viel Umsatzsteuer habe ich 2026 bis Ende August ans Finanzamt gezahlt?", "610.00"),
        ("Wie viel Umsatzsteuer habe ich 2026 gezahlt?", "610.00"),
        ("Was habe ich 2026 im Supermarkt ausgegeben?", "80.00"),
        ("How much did I spend at supermarkets in 2026?", "80.00"),
        ("What percentage of my supermarket spending in 2026 went to Lidl?", "62.5%"),
        ("What was my biggest supermarket purchase in 2026?", "50.00"),
        ("How much did I spend on groceries in 2026?", "150.00"),
    ],
)
async def test_one_of_several_taxes_and_supermarkets_alone(
    question: str, told: str, short_words: Path, open_agent: Callable[..., Awaitable[MoneyAgent]]
) -> None:
    """Bakeries and butchers are groceries and no supermarkets; a tax office writes what it takes in three letters."""
    agent = await open_agent(short_words)
    assert told in (await Talk(agent).say(question)).reply.headline
    await agent._store.close()


@pytest.fixture
async def at_home(household: Path, open_agent: Callable[..., Awaitable[MoneyAgent]]) -> AsyncIterator[Talk]:
    agent = await open_agent(household)
    yield Talk(agent)
    await agent._store.close()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        # one of two taxes that the same council takes
        ("Wie viel Grundsteuer zahle ich?", "131.25 pro Quartal"),
        ("Ist die Grundsteuer für November schon abgebucht?", "Ja"),
        ("Ist die Grundsteuer teurer geworden?", "12.85"),
        ("Wann ist die Grundsteuer wieder fällig?", "15. Februar 2027"),
        ("How much property tax did I pay this year?", "525.00"),
        ("Wie viel Hundesteuer habe ich bezahlt?", "60.00"),
        # a kind that the shop's name tells in other words, and the ledger's category holds others besides
        ("Was habe ich beim Tierarzt bezahlt?", "347.50"),
        ("What did I pay at the vet?", "347.50"),
        ("Zeig mir alle Rechnungen vom Tierarzt", "2 Zahlungen"),
        ("When is the water bill due next?", "Gemeindewerke Ferdau"),
    ],
)
async def test_a_kind_of_thing_is_found_in_what_the_bank_wrote(talk: Talk, question: str, told: str) -> None:
    assert told in (await talk.say(question)).reply.headline


async def test_what_the_ledger_has_nothing_of_is_not_found(talk: Talk) -> None:
    """The dentist is no vet, though both are doctors."""
    assert (await talk.say("Was habe ich beim Zahnarzt bezahlt?")).reply.kind in ("clarify", "refuse", "empty")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        # insurance by what it is for, however it is said
        ("Was kostet mich die Autoversicherung?", "412.60"),
        ("Wie viel habe ich 2026 für die Versicherung fürs Auto bezahlt?", "412.60"),
        ("How much did I pay for the insurance for my car in 2026?", "412.60"),
        ("What did I pay in 2026 for my car's insurance?", "412.60"),
        ("Wie viel habe ich 2026 für die Motorradversicherung ausgegeben?", "88.10"),
        ("How much did I pay for motorbike insurance in 2026?", "88.10"),
        ("Was habe ich 2026 für die Hausratversicherung bezahlt?", "95.40"),
        ("How much was contents insurance in 2026?", "95.40"),
        ("Was habe ich 2026 für die Versicherung fürs Haus bezahlt?", "398.20"),
        ("How much did I pay for buildings insurance in 2026?", "398.20"),
        ("Was habe ich 2026 für die Hundehaftpflicht bezahlt?", "48.70"),
        ("Was habe ich 2026 für die BU-Versicherung bezahlt?", "54.00"),
        ("How much did I spend on dental insurance in 2026?", "21.90"),
        # the house and what it is run with
        ("How much did I pay for the TV licence in 2026?", "55.08"),
        ("Was habe ich 2026 für die GEZ bezahlt?", "55.08"),
        ("Was habe ich 2026 für Strom bezahlt?", "162.00"),
        ("How much did I pay for water in 2026?", "33.00"),
        ("Was habe ich 2026 für Heizöl ausgegeben?", "1,410.00"),
        ("How much did I spend on the heating engineer in 2026?", "189.00"),
        ("Was habe ich 2026 für Brennholz bezahlt?", "320.00"),
        ("When did I last pay the chimney sweep?", "74.20"),
        ("Was habe ich 2026 für Handwerker ausgegeben?", "979.00"),
        ("How much did I pay the plumber in 2026?", "150.00"),
        ("Was habe ich 2026 an Rate fürs Haus bezahlt?", "1,295.00"),
        ("How much were the HOA fees in 2026?", "245.00"),
        ("How much did I spend on the storage unit in 2026?", "72.00"),
        # the chemist's two trades in German, and both in English
        ("Was habe ich 2026 in der Apotheke ausgegeben?", "18.40"),
        ("Was habe ich 2026 in der Drogerie ausgegeben?", "27.35"),
        ("How much did I spend at the pharmacy in 2026?", "45.75"),
        # who looks after whom
        ("How much did braces cost me in 2026?", "120.00"),
        ("Was habe ich 2026 beim Zahnarzt bezahlt?", "195.00"),
        ("How much did I spend on physio in 2026?", "32.00"),
        ("Was habe ich 2026 für die Reparatur am Fahrrad bezahlt?", "68.50"),
        ("How much did I spend on nails in 2026?", "39.00"),
        ("Was habe ich 2026 für Schulessen bezahlt?", "62.00"),
        ("How much was the school trip in 2026?", "215.00"),
        ("Was hat die Kita 2026 gekostet?", "180.00"),
        ("How much did I pay for after-school care in 2026?", "95.00"),
        ("Was hat die Hundeschule 2026 gekostet?", "99.00"),
        ("How much did I spend on food for the dog in 2026?", "53.10"),
        ("How much did the funeral cost in 2026?", "900.00"),
        # on the way, and what one does there
        ("How much did I spend on driving lessons in 2026?", "310.00"),
        ("Was habe ich 2026 für Klettern ausgegeben?", "14.00"),
        ("Was habe ich 2026 im Schwimmbad ausgegeben?", "5.50"),
        ("How much did I spend on the ferry in 2026?", "129.00"),
        ("Was hat die Ferienwohnung 2026 gekostet?", "840.00"),
        ("Was habe ich 2026 für den Anwohnerparkausweis bezahlt?", "60.00"),
        ("How much did I pay on my student loan in 2026?", "130.00"),
        ("Was habe ich 2026 an die Gewerkschaft bezahlt?", "24.80"),
        # by the name of one, and by what the bank wrote to another
        ("How much did I give to charities in 2026?", "65.00"),
    ],
)
async def test_the_bank_s_own_words_tell_what_people_tell_apart(at_home: Talk, question: str, told: str) -> None:
    reply = (await at_home.say(question)).reply
    assert reply.kind == "answer"
    assert told in reply.headline


@pytest.mark.parametrize(
    "question",
    [
        "Was habe ich 2026 für die Reiseversicherung bezahlt?",
        "How much did I pay for life insurance in 2026?",
        "Was habe ich 2026 für Fernwärme bezahlt?",
        "How much did I spend on the hospital in 2026?",
        "Was habe ich 2026 für den Elektriker bezahlt?",
    ],
)
async def test_another_of_its_kind_is_not_taken_for_it(at_home: Talk, question: str) -> None:
    """There are insurances, a heating engineer and a plumber in the ledger, and none of these."""
    reply = (await at_home.say(question)).reply
    assert reply.kind in ("clarify", "refuse", "empty") or "Nothing" in reply.headline
