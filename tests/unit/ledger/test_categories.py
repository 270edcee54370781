"""Which category a transaction gets by itself: file, kind, MCC, brand, in that order."""

from __future__ import annotations

import iso18245
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.brands import _table, assignable, brand_category, find_brand
from ledger.categories import Source, categorise, category_of_mcc
from ledger.merchants import normalise_merchant, normalise_phrase
from ledger.taxonomy import AMBIGUOUS_WORDS, BROAD_WORDS, CATEGORIES, lineage
from ledger.transactions import Kind

NAMES = {category.name for category in CATEGORIES.values() if not category.finer}


def category(descriptor: str, **more: object) -> tuple[str | None, Source]:
    given_ = {"kind": Kind.PURCHASE, **more}
    return categorise(
        merchant=normalise_merchant(descriptor),
        phrase=normalise_phrase(descriptor),
        **given_,  # type: ignore[arg-type]
    )


def test_each_source_yields_to_the_one_before() -> None:
    """All four say something; taking the first away lets the next one speak."""
    descriptor = "TRADER JOE'S #123 OAKLAND CA"
    assert category(descriptor, file_category="Snacks & more", mcc="5732") == ("Snacks & more", Source.FILE)
    assert category(descriptor, mcc="5732", kind=Kind.FEE) == ("Fees", Source.KIND)
    assert category(descriptor, mcc="5732") == ("Electronics", Source.MCC)
    assert category(descriptor) == ("Groceries", Source.BRAND)
    assert category("CORNER THING 12") == (None, Source.NONE)


@pytest.mark.parametrize(
    "written", ["", " ", "-", "Uncategorized", "UNCATEGORISED", "n/a", "Nicht kategorisiert", "None"]
)
def test_no_category_is_none(written: str) -> None:
    """Words for having no category are no category."""
    assert category("TRADER JOE'S #123", file_category=written)[1] is Source.BRAND


@pytest.mark.parametrize("written", ["Other", "Sonstiges", "  Dad's workshop ", "Misc Expenses"])
def test_the_files_category_is_kept_as_written(written: str) -> None:
    """A category of the file, even “Other”, is somebody's choice."""
    assert category("TRADER JOE'S #123", file_category=written) == (written.strip(), Source.FILE)


@pytest.mark.parametrize(
    ("kind", "money_in", "expected"),
    [
        (Kind.TRANSFER, False, "Transfers"),
        (Kind.CARD_PAYMENT, True, "Transfers"),
        (Kind.FEE, False, "Fees"),
        (Kind.INTEREST, False, "Fees"),
        (Kind.INTEREST, True, "Income"),
        (Kind.INCOME, True, "Income"),
        (Kind.CASH, False, "Cash"),
        (Kind.LOAN_PAYMENT, False, "Loans"),
    ],
)
def test_kind_gives_a_category(kind: Kind, money_in: bool, expected: str) -> None:
    """What is no purchase at a merchant is categorised by its kind."""
    assert category("SOMETHING", kind=kind, money_in=money_in) == (expected, Source.KIND)


def test_refunds_get_the_merchants_category() -> None:
    """So they are netted where the purchase was counted."""
    assert category("AMAZON REFUND", kind=Kind.REFUND, money_in=True) == ("Shopping", Source.BRAND)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("5411", "Groceries"),
        ("5812", "Restaurants"),
        ("5814", "Fast Food"),
        ("5813", "Bars & Alcohol"),
        ("5541", "Fuel"),
        ("4121", "Taxi & Rideshare"),
        ("3058", "Flights"),
        ("3357", "Taxi & Rideshare"),
        ("3690", "Hotels"),
        ("4900", "Utilities"),
        ("5912", "Pharmacy"),
        ("6011", "Cash"),
        (" 742 ", "Pets"),
        ("5411.0", "Groceries"),
        ("9999", None),
        ("abcd", None),
        ("", None),
    ],
)
def test_merchant_category_codes(code: str, expected: str | None) -> None:
    """Codes map to our categories; unknown ones say nothing."""
    assert category_of_mcc(code) == expected


def test_every_code_of_the_standard_has_a_category() -> None:
    """The table leaves no code of ISO 18245 out."""
    assert [found.mcc for found in iso18245.get_all_mccs() if category_of_mcc(found.mcc) is None] == []


@pytest.mark.parametrize(
    ("descriptor", "expected"),
    [
        ("NETFLIX.COM", "Subscriptions"),
        ("UBER *TRIP", "Taxi & Rideshare"),
        ("UBER *EATS", "Food Delivery"),
        ("SHELL OIL 57444", "Fuel"),
        ("COSTCO GAS #12", "Fuel"),
        ("COSTCO WHSE #12", "Groceries"),
        ("REWE SAGT DANKE", "Groceries"),
        ("DB Vertrieb GmbH", "Public Transport"),
        ("VERIZON WRLS", "Internet & Phone"),
        ("PG&E WEBRECURRING", "Utilities"),
        ("GEICO *AUTO", "Insurance"),
        ("HUK-COBURG", "Insurance"),
        ("STARBUCKS STORE 123", "Coffee"),
        ("MCDONALDS 4567", "Fast Food"),
        ("IKEA DEUTSCHLAND GMBH", "Home & Garden"),
        ("STEAMGAMES.COM", "Games"),
        ("AIRBNB * HM123", "Hotels"),
        ("DELTA AIR 0062345678901", "Flights"),
        ("WALGREENS #12", "Pharmacy"),
        ("PLANET FIT", "Fitness & Sports"),
        ("SHELL HAREWOOD", "Fuel"),
        ("SHELL HAREWOOD , LEEDS GB", "Fuel"),
        ("BOOTS OUGHTERARD", "Pharmacy"),
        ("METRO #0042", "Groceries"),
        ("NEXT HARROGATE", "Clothing"),
        ("PRESTO APPL/XYZZY", "Public Transport"),
        ("OPAL TRAVEL SYDNEY", "Public Transport"),
        ("FIDO MOBILE", "Internet & Phone"),
        ("SEPA DD VHI HEALTHCARE", "Insurance"),
        ("Zilveren Kruis", "Insurance"),
        ("Wiener Linien Ticketshop", "Public Transport"),
        ("HYDRO ONE NETWORKS", "Utilities"),
        ("Naturgy Iberia", "Utilities"),
        ("ver.di Beitrag", "Subscriptions"),
        ("CHECKERS SIXTY60", "Groceries"),
        ("Systembolaget 0142", "Bars & Alcohol"),
        ("Biedronka 4711 Krakow", "Groceries"),
        ("DENNYS BUTCHER", "Groceries"),
        ("JAKE MORRISON", None),
        ("SHELL BEACH HOUSE", None),
        ("BOOTS & BRIDLES", None),
        ("NEXT GENERATION PARTNERS", None),
        ("METRO PLUMBING", "Home & Garden"),
        ("PAYPAL EUROPE", None),
        ("Erika Mustermann", None),
    ],
)
def test_brand_knowledge(descriptor: str, expected: str | None) -> None:
    """Known brands have a category; payment services and people have none."""
    assert category(descriptor)[0] == expected


def test_brands_are_conservative() -> None:
    """Everyday words are brands only at the start and alone; long names may stand anywhere."""
    assert find_brand(["Target"]) is not None
    assert find_brand(["Practice", "Target"]) is None
    assert find_brand(["Target", "Practice"]) is None
    hit = find_brand(["Order", "at", "Trader", "Joes"])
    assert hit is not None
    assert hit.brand.name == "Trader Joe's"
    assert find_brand([]) is None
    assert brand_category("no such brand") is None


def test_tables_speak_of_our_categories_only() -> None:
    """Every key in the brand table and among the words is one of ours, and every category has a German name."""
    assert {brand.category for brand in _table().values()} - {""} <= set(CATEGORIES)
    assert {assignable(key).name for key in CATEGORIES} <= NAMES
    assert {key for keys in BROAD_WORDS.values() for key in keys} <= set(CATEGORIES)
    assert {key for readings in AMBIGUOUS_WORDS.values() for key, _ in readings} <= set(CATEGORIES)
    assert all(found.german and found.name for found in CATEGORIES.values())
    assert all(len([each for each in lineage(key) if not CATEGORIES[each].finer]) <= 2 for key in CATEGORIES)
    assert not any(CATEGORIES[found.parent].finer and not found.finer for found in CATEGORIES.values() if found.parent)


@given(
    st.text(max_size=80), st.none() | st.text(max_size=20), st.none() | st.text(max_size=8), st.sampled_from(list(Kind))
)
@settings(deadline=None)
def test_any_row_is_categorised_or_left_open(descriptor: str, written: str | None, mcc: str | None, kind: Kind) -> None:
    """No text raises; a category always has a source and the other way round."""
    name, source = category(descriptor, file_category=written, mcc=mcc, kind=kind)
    assert (name is None) is (source is Source.NONE)


@pytest.mark.parametrize(
    ("descriptor", "expected"),
    [
        ("MORRISONS PETROL KIRKSTALL", "Fuel"),
        ("ASDA 4412 LEEDS", "Groceries"),
        ("FUEL PURCHASE TOTAL WORCESTER 412345*8812 02 NOV", "Fuel"),
        ("Fuel Purchase Kloof Motors * 02 Oct", "Fuel"),
        ("MAMAS KITCHEN REST DAYTON OH", "Restaurants"),
        ("ICBC INS", "Insurance"),
        ("OAK ST MKT COLUMBUS OH", "Groceries"),
        ("CITY OF DAREBIN RATES", "Taxes"),
        ("REST", None),
        ("STOW KENT ANIMAL HOSP STOW OH", "Pets"),
        ("AKRON CHILDRENS HOSP 330-543-1000", "Medical"),
        ("RITEWAY PHARM 0012", "Pharmacy"),
        ("BRADFORD & HOWLEY LTD", "Rent & Mortgage"),
    ],
)
def test_side_trades_and_words_that_banks_cut_short(descriptor: str, expected: str | None) -> None:
    """A chain's pump is fuel, “Fuel Purchase” is fuel anywhere, and HOSP, PHARM, REST, MKT and INS are what they are short for."""
    assert category(descriptor)[0] == expected
