"""Merchants' names out of descriptors."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger.brands import _table
from ledger.merchants import LONGEST_NAME, merchant_key, normalise_merchant, normalise_phrase
from tests.support.tables import every

_LISTED = (Path(__file__).parents[2] / "data" / "descriptors.txt").read_text(encoding="utf-8").splitlines()
DESCRIPTORS = [tuple(line.split(" => ")) for line in _LISTED if not line.startswith("# ")]


@every(("descriptor", "merchant"), DESCRIPTORS)
def test_descriptor(descriptor: str, merchant: str) -> None:
    """The name stands there as a person would write it, and is its own normal form."""
    assert normalise_merchant(descriptor) == merchant
    assert normalise_merchant(merchant) == merchant


def test_enough_descriptors() -> None:
    """The table covers the field, not a sample of it."""
    assert len(DESCRIPTORS) > 250


@pytest.mark.parametrize(
    ("description", "payee", "merchant"),
    [
        ("REWE SAGT DANKE.", "REWE Filialen Voll", "REWE"),
        ("EDEKA SAGT DANKE", "EDEKA//MUENCHEN/DE", "EDEKA"),
        ("MIETE", "ERIKA MUSTERMANN", "Erika Mustermann"),
        ("1023/PP.5678.PP/. SPOTIFY, Ihr Einkauf bei SPOTIFY", "PayPal Europe S.a.r.l. et Cie S.C.A", "Spotify"),
        ("REWE MARKT 1234 BERLIN", "VISA Debitkarte", "REWE"),
        ("SVWZ+Stromabschlag Oktober EREF+123", "", "Stromabschlag Oktober"),
        ("EREF+123 ABWA+Fressnapf SVWZ+Einkauf", "", "Fressnapf"),
        ("some text", "1234", "some text"),
        ("", "NETFLIX.COM", "Netflix"),
    ],
)
def test_payee_and_description(description: str, payee: str, merchant: str) -> None:
    """The payee names the merchant unless it only collects for others."""
    assert normalise_merchant(description, payee).casefold() == merchant.casefold()


@pytest.mark.parametrize(
    ("text", "merchant"),
    [
        ("", ""),
        ("   ", "Unknown"),
        ("\u202e\u200b", "Unknown"),
        ("1234567", "1234567"),
        ("SQ *", "SQ"),
        ("\u202eNETFLIX\u202c.COM", "Netflix"),
        ("ＮＥＴＦＬＩＸ．ＣＯＭ", "Netflix"),
        ("CORNER\x00SHOP\x07 TWO", "Corner Shop Two"),
    ],
)
def test_poor_input(text: str, merchant: str) -> None:
    """What holds no name falls back to what it says; direction and control signs are gone."""
    assert normalise_merchant(text) == merchant


def test_everyday_brand_names_need_clean_company() -> None:
    """A one-word brand that is also a word or a surname matches only where nothing unknown follows."""
    assert normalise_merchant("TARGET 00012345 OAKLAND CA") == "Target"
    assert normalise_merchant("TARGET PRACTICE RANGE") == "Target Practice Range"
    assert normalise_merchant("SHELL OIL 57444") == "Shell"
    assert normalise_merchant("SHELLY'S DINER") == "Shelly's Diner"
    assert normalise_merchant("Müller Hans") == "Müller Hans"
    assert normalise_merchant("ORANGE COUNTY WASTE") == "Orange County Waste"
    assert normalise_merchant("GAS STATION 12") == "Gas Station 12"


def test_every_brand_name_is_its_own_normal_form() -> None:
    """A name that we hand out is never taken apart again."""
    names = {brand.name for brand in _table().values()}
    assert len(names) > 5000
    assert [name for name in names if normalise_merchant(name) != name] == []


PIECES = """
SQ * TST* PAYPAL POS DEBIT VISA KARTENZAHLUNG STARBUCKS SHELL MC DONALD'S #123 0421 12/18 CA NEW YORK SAN JOSE
GMBH & CO. KG //BERLIN/DE SAGT DANKE 866-579-7172 AMZN.COM/BILL APPLE.COM XXXX1234 - Bakery BÄCKEREI LLC the
of 7-ELEVEN M27HH51C2 EREF+1 Ihr Einkauf bei , ; card PURCHASE DIRECT AUTO PAY USA münchen H&M EXXON
"""
pieces = st.sampled_from(PIECES.split())


@given(st.lists(pieces, max_size=12).map(" ".join) | st.text(max_size=120), st.text(max_size=30) | st.just(""))
@example("", "A;A")
@settings(deadline=None, max_examples=600)
def test_merchant_of_any_text(description: str, payee: str) -> None:
    """Never empty for any text, never long, on one line, and its own normal form."""
    merchant = normalise_merchant(description, payee)
    assert bool(merchant) == bool(description or payee)
    assert len(merchant) <= LONGEST_NAME
    assert merchant == merchant.strip()
    assert not any(unicodedata.category(sign)[0] == "C" for sign in merchant)
    assert normalise_merchant(merchant) == merchant


def test_phrase_joins_merchant_and_meaningful_words() -> None:
    """Visits to one shop share a phrase; what was bought stays findable."""
    first = normalise_phrase("SQ *BLUE BOTTLE COFFEE 123 OAKLAND CA")
    assert first == normalise_phrase("SQ *BLUE BOTTLE COFFEE 987 OAKLAND CA")
    assert first.startswith("blue bottle coffee")
    assert "nebenkosten" in normalise_phrase("Miete und Nebenkosten 10/2026", "Erika Mustermann")
    assert "birthday" in normalise_phrase("ZELLE TO JANE", memo="birthday cake 2026")


@given(st.text(max_size=200), st.text(max_size=40), st.text(max_size=80))
@settings(deadline=None)
def test_phrase_of_any_text(description: str, payee: str, memo: str) -> None:
    """Short, lower-case, on one line."""
    phrase = normalise_phrase(description, payee, memo)
    assert len(phrase) <= 160
    assert "\n" not in phrase
    assert phrase == phrase.lower() or not phrase.isascii()


def test_key_compares_names() -> None:
    """Case, accents and punctuation don't tell merchants apart."""
    assert merchant_key("McDonald's") == merchant_key("MCDONALDS") == "mcdonalds"
    assert merchant_key("Café Müller") == merchant_key("CAFE MULLER")
    assert merchant_key("  ") == ""
