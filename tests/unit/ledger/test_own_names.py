"""Names of ours in people's ledgers: told in the language of an answer, and found by what they are called there."""

from __future__ import annotations

import pytest

from language.catalogue import Template, translated
from ledger.own_names import told_name
from ledger.taxonomy import CATEGORIES
from tests.support.lookup_house import open_house

OURS = sorted((each for each in CATEGORIES.values() if not each.finer), key=lambda each: each.key)
HEAD = "Date,Description,Amount,Currency,Category\n"


@pytest.mark.parametrize("category", OURS, ids=lambda each: each.key)
def test_every_category_of_ours_has_a_name_in_german(category):
    told = translated(told_name(category.name), "de")
    assert told == {"income": "Einnahmen"}.get(category.key, category.german)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("By hand", "Von Hand"),
        ("Account 4321", "Konto 4321"),
        ("Uncategorised", "Ohne Kategorie"),
        ("File export", "Dateiexport"),
    ],
)
def test_what_is_named_by_the_program_is_told_in_german(name, told):
    assert translated(told_name(name), "de") == told
    assert told_name(name) == name


@pytest.mark.parametrize("name", ["Mortgage & Rent", "groceries", "Sparkasse", "Account of Anna", ""])
def test_any_other_name_is_somebodys_data(name):
    assert not isinstance(told_name(name), Template)


@pytest.fixture
async def house(sqlite_store, clock):
    async with open_house(sqlite_store, clock) as opened:
        rows = "".join(f"2026-10-{day:02},Shop {day},-{day}.00,EUR,{name}\n" for day, name in enumerate(
            ("Groceries", "Public Transport", "Pharmacy", "Taxi & Rideshare"), start=1))  # fmt: skip
        await opened.bring((HEAD + rows).encode())
        yield opened


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Wie viel habe ich im Oktober für Lebensmittel ausgegeben?", "€1.00 für Lebensmittel im Oktober 2026"),
        (
            "Wie viel habe ich im Oktober für Öffentliche Verkehrsmittel ausgegeben?",
            "€2.00 für Öffentliche Verkehrsmittel im Oktober 2026",
        ),
        (
            "Wie viel habe ich im Oktober für Apotheke & Drogerie ausgegeben?",
            "€3.00 für Apotheke & Drogerie im Oktober 2026",
        ),
        ("Wie viel habe ich im Oktober für Taxi & Mietwagen ausgegeben?", "€4.00 für Taxi & Mietwagen im Oktober 2026"),
        ("How much did I spend on Lebensmittel in October?", "€1.00 on groceries in October 2026"),
    ],
)
async def test_a_category_is_asked_for_by_the_name_that_answers_give_it(house, question, told):
    assert (await house.say(question)).reply.headline == told


async def test_an_account_is_found_by_the_name_that_answers_give_it(house):
    await house.say("ich habe 9,80 für Mittagessen ausgegeben")
    await house.say("ja")
    answer = await house.say("Was habe ich vom Konto Von Hand ausgegeben?")
    assert answer.reply.headline == "€9.80 vom Konto Von Hand seit dem 1. Oktober 2026 ausgegeben"
