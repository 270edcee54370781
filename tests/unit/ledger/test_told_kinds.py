"""The tree of what money is paid for: the words that people say, and those of descriptors that tell the same thing."""

from __future__ import annotations

import re
from collections import defaultdict
from importlib.resources import files

import pytest

from ledger.categories import trades_of
from ledger.category_words import find_category_words
from ledger.merchants import normalise_phrase
from ledger.placement import content_stems, in_one_phrase, phrases
from ledger.search import kinds_of
from ledger.taxonomy import CATEGORIES, lineage, members_of
from ledger.telling_words import category_in_words, kinds_in_words
from ledger.wordlists import phrases as listed
from tests.support.tables import every

FILE = "descriptor_words.txt"
#: Sections that are no category's.
OTHERS = {"channels", "outweighing", "not rented homes", "cut short", "short for taxes"}
OURS = [category.name for category in CATEGORIES.values() if not category.finer]
FINER = [key for key, category in CATEGORIES.items() if category.finer and category.spoken]
TOLD = [key for key in FINER if listed(FILE, key)]


def sections() -> list[str]:
    text = files("ledger.data").joinpath(FILE).read_text(encoding="utf-8")
    return re.findall(r"^\[(.+)\]$", text, re.MULTILINE)


def test_every_section_is_of_a_category_of_ours_and_stands_once() -> None:
    found = sections()
    assert len(found) == len(set(found))
    assert {name.removesuffix(" endings") for name in found} - OTHERS <= set(CATEGORIES)


def test_no_word_of_a_descriptor_stands_in_two_sections() -> None:
    """Whichever came last would win unseen."""
    where: dict[str, set[str]] = defaultdict(set)
    for key in CATEGORIES:
        for word in listed(FILE, key):
            where[word].add(key)
    assert {word: keys for word, keys in where.items() if len(keys) > 1} == {}


def test_no_words_for_a_thing_are_those_of_a_wider_one_as_well() -> None:
    for words, readings in phrases().items():
        keys = readings[0][0]
        assert not any(one in lineage(other)[1:] for one in keys for other in keys), words


@every("key", TOLD)
def test_what_the_banks_words_tell_is_reached_by_words_that_people_say(key: str) -> None:
    """Both its names lead a search to it, and in a question one of its words is read as nothing else."""
    category = CATEGORIES[key]
    assert key in kinds_of(category.name)
    assert key in kinds_of(category.german)
    asked = (f"How much did I spend on {word} in 2026?" for word in (category.name.lower(), *category.words))
    read = [mention for question in asked for mention in find_category_words(question, OURS)]
    assert any(key in kinds_of(mention.text) for mention in read)


@every("key", TOLD)
def test_the_words_of_a_section_tell_its_thing_and_nothing_else(key: str) -> None:
    told = {word: kinds_in_words(word) for word in listed(FILE, key)}
    assert {word: kinds for word, kinds in told.items() if not kinds <= members_of(key) or not kinds} == {}


@pytest.mark.parametrize(
    ("said", "phrase"),
    [
        ("Versicherung fürs Auto", "autoversicherung"),
        ("Versicherung für unser Auto", "autoversicherung"),
        ("insurance for the car", "car insurance"),
        ("insurance on my car", "car insurance"),
        ("Steuer für den Hund", "steuer für den hund"),
        ("Futter für die Katze", "katzenfutter"),
        ("Miete für die Garage", "miete für die garage"),
        ("Rate für unser Haus", "rate fürs haus"),
        ("Reparatur am Fahrrad", "reparatur am fahrrad"),
        ("Rechnung vom Tierarzt", "tierarztrechnung"),
        ("school meals for the kids", "school meals"),
        ("Tierarzt für den Hund", "tierarzt"),
        # nothing we know is made of these
        ("payments for the car", "payments for the car"),
        ("dinner on Friday", "dinner on Friday"),
        ("am i", "am i"),
        ("groceries", "groceries"),
    ],
)
def test_a_thing_and_what_it_is_for_are_one_phrase(said: str, phrase: str) -> None:
    assert in_one_phrase(said) == phrase


@pytest.mark.parametrize(
    ("question", "mentions"),
    [
        ("Was kostet mich die Versicherung fürs Auto?", ["Versicherung fürs Auto"]),
        ("What do I pay for the insurance for my car?", ["insurance for my car"]),
        ("Wie hoch ist der Abschlag für Strom und Gas?", ["Strom", "Gas"]),
        ("How much for food in October?", ["food"]),
        ("Seit dem Umzug", []),
        ("Has that been climbing over time?", []),
    ],
)
def test_kinds_in_a_question(question: str, mentions: list[str]) -> None:
    found = [mention.text for mention in find_category_words(question, OURS)]
    assert found == mentions or [part for text in found for part in text.split(" und ")] == mentions


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("huk-coburg kfz vers beitrag", {"car_insurance"}),
        ("devk kraftradvers", {"motorcycle_insurance"}),
        ("die mobiliar hausrat haftpflicht", {"contents_insurance", "liability_insurance"}),
        ("auslandskrankenversicherung", {"travel_insurance"}),
        ("tierhalterhaftpfl beitrag", {"dog_liability"}),
        ("water park rust", {"theme_park"}),
        ("maxi zoo", {"pet_food"}),
        ("city car rental", {"rental_car"}),
        ("stadt ferdau hortbeitrag", {"after_school"}),
        ("bezirksschornsteinfeger", {"chimney_sweep"}),
        ("gastherme wartung", {"heating_engineer"}),
        ("dr med dent huber", {"dentist"}),
        ("gelateria zum kurs", {"ice_cream"}),
        ("mutuelle sante", {"health_insurance"}),
        ("assurance habitation", {"home_insurance"}),
        ("seguro coche", {"car_insurance"}),
        ("bollo auto", {"vehicle_tax"}),
        ("zorgverzekering premie", {"health_insurance", "insurance"}),
    ],
)
def test_what_a_descriptor_tells(text: str, kinds: set[str]) -> None:
    """A word that belongs to a longer name tells nothing else."""
    assert kinds_in_words(text) == kinds


@pytest.mark.parametrize(
    ("merchant", "trade", "is_one"),
    [
        ("Sanne Bakker", "bakery", False),
        ("Kunsthaus Museum Shop", "museum", False),
        ("Stern-Apotheke", "dispensing_pharmacy", True),
        ("dm", "dispensing_pharmacy", False),
        ("dm", "drugstore", True),
        ("Hausgeld WEG Lindenhof", "rental", False),
        ("Lindenhof Hausverwaltung", "rental", True),
        ("Boulderhalle Gipfelwand", "climbing", True),
        ("Boulderhalle Gipfelwand", "gym", False),
        ("Vacation Rentals Alder", "holiday_flat", True),
    ],
)
def test_what_a_shop_is_by_its_name(merchant: str, trade: str, *, is_one: bool) -> None:
    assert (trade in trades_of(merchant)) is is_one


def test_words_of_two_categories_mean_the_thing_in_both() -> None:
    """The sweep is housing where the German bank's word tells it, and home where the English one does."""
    assert kinds_of("chimney sweep") == kinds_of("Schornsteinfeger") == {"chimney_sweep", "chimney_cleaning"}
    assert category_in_words("schornsteinfeger") == "Utilities"
    assert category_in_words("chimney sweep") == "Home & Garden"
    assert phrases()[content_stems("trade union")][0][0] == ("trade_union", "union_membership")


@pytest.mark.parametrize(
    ("memo", "phrase"),
    [
        ("KFZ-VERS 4711", "huk-coburg kfz vers"),
        ("KRAFTRADVERS.0815", "huk-coburg kraftradvers"),
        ("PRIVAT-HAFTPFL/2026", "huk-coburg privat haftpfl"),
        ("VORGANGS-NR 12 KUNDEN-ID 7", "huk-coburg"),
        ("A1-B2-C3", "huk-coburg"),
    ],
)
def test_words_joined_to_others_or_to_a_number_are_searched_as_well(memo: str, phrase: str) -> None:
    assert normalise_phrase("", "HUK-COBURG", memo) == phrase
