"""Dialect and haste are put into written words, and names and words of another language stay as they are."""

from __future__ import annotations

import pytest

from language.respelling import respelled


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Wie viu hei mir letscht Monet im Coop usgäh?", "wie viel haben wir letzten monat im Coop ausgegeben?"),
        ("isch dr 13. Monetslohn scho cho?", "ist der 13. lohn schon gekommen?"),
        ("Wie mängisch simmer sit em 1. Ougschte am Bancomat gsi?", "Wie oft sind wir seit dem 1. august am Bancomat gewesen?"),
        ("Wia oft woar i heuer scho beim Hofer einkaufn?", "wie oft war ich heuer schon beim Hofer einkaufen?"),
        ("wieviel hob i heuer gspendet, oiso caritas", "wieviel hab ich heuer gespendet, also caritas"),
        ("in welchem monat hob i am meisten ausgebn?", "in welchem monat hab ich am meisten ausgegeben?"),
        ("has jess payed her half", "has jess paid her half"),
        ("hw much in my acct rn", "how much in my account right now"),
        ("payments under a fiver", "payments under 5"),
        ("Wann kam die Gehaltszahlung des Amts?", "Wann kam die gehalt des Amts?"),
    ],
)  # fmt: skip
def test_it_is_put_into_written_words(said, meant):
    assert respelled(said) == meant


@pytest.mark.parametrize(
    "text",
    [
        "How much did I spend in San Francisco?",
        "San Francisco",
        "San Marco letzten Monat",
        "How much did Ned send me?",
        "Ned",
        "Wie viel hat mir Gwen geschickt?",
        "How much did Gwen pay me?",
        "What did the new hob cost?",
        "Rechnung von Hemmer",
        "Hemmer 2026",
        "Was hat Hani bekommen?",
        "What did I pay for my RN exam?",
        "RN license fee",
        "Is there an exam fee in my RN program?",
        "How much did Simmer cost?",
        "Was habe ich bei Dr. Müller bezahlt?",
        "How much did I spend at Home Depot?",
    ],
)
def test_names_and_words_of_their_own_stay(text):
    assert respelled(text) == text
