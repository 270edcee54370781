"""Private people are told from shops by their names; what they send is no refund."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from ledger.judgement import Judge
from ledger.private_people import is_person
from ledger.transactions import Kind, StatementRow

DAY = date(2026, 10, 3)


@pytest.mark.parametrize(
    "name",
    [
        "Margaret Lowe", "M Lowe", "Lowe M", "Mrs Lowe", "Herr Brüggemann", "Zumstein Regula", "Anne-Sophie Lowe",
        "Jan van der Meulen", "Mum", "Oma Lowe", "Niamh O'Dowd", "Tran Thi Hoa",
    ],
)  # fmt: skip
def test_a_person(name: str) -> None:
    assert is_person(name)


@pytest.mark.parametrize(
    "name",
    [
        "Quokka Emporium", "Margaret Lowe Plumbing", "Café Margaret", "Blumen Margaret", "Ted Baker", "Harvey Norman",
        "Margaret's", "H&M", "Tesco", "Lowe Brothers", "7 Margaret Lowe", "", "Margaret", "Dr Lowe Dental",
    ],
)  # fmt: skip
def test_no_person(name: str) -> None:
    """Brands, names with a word of trade, and single names that may be a shop's."""
    assert not is_person(name)


def test_a_surname_tells_no_category() -> None:
    """What a payment to a person was for does."""
    judge = Judge([], {})
    rows = [
        paid("-30", "Lotte Bakker"),
        paid("-30", "Lotte Bakker", memo="Kino und Popcorn"),
        paid("-30", "Bakker Hellinga"),
    ]
    assert [judge.judge(each, None).category for each in rows] == ["Uncategorised", "Movies & Events", "Groceries"]


def judged(*rows: StatementRow) -> list[Kind]:
    judge = Judge([], {})
    judge.learn((each, None) for each in rows)
    return [judge.judge(each, None).kind for each in rows]


def paid(amount: str, description: str, **more: str) -> StatementRow:
    return StatementRow(1, DAY, Decimal(amount), description, **more)


@pytest.mark.parametrize(
    ("out", "back"),
    [
        ("ZELLE TO MARGARET LOWE", "ZELLE FROM MARGARET LOWE"),
        ("TWINT AN REGULA ZUMSTEIN", "TWINT VON REGULA ZUMSTEIN"),
        ("BIZUM A LUCIA ROMERO", "BIZUM DE LUCIA ROMERO"),
        ("Internet Banking E-TRANSFER 0042 Margaret Lowe", "Internet Banking E-TRANSFER 0043 Margaret Lowe"),
        ("MARGARET LOWE , TEA , VIA MOBILE - PYMT", "MARGARET LOWE , CAKE , FP"),
        ("Überweisung an Jutta Hellwig", "Gutschrift von Jutta Hellwig"),
    ],
)
def test_money_from_a_person_is_income_though_one_paid_them(out: str, back: str) -> None:
    assert judged(paid("-30", out), paid("12", back)) == [Kind.PURCHASE, Kind.INCOME]


def test_money_from_a_person_is_a_refund_where_the_words_say_so() -> None:
    assert judged(paid("-30", "MARGARET LOWE"), paid("12", "MARGARET LOWE REFUND"))[1] is Kind.REFUND


@pytest.mark.parametrize(
    ("name", "kind"), [("Quokka", Kind.INCOME), ("Quokka Toys", Kind.REFUND), ("Lidl", Kind.REFUND)]
)
def test_a_category_for_people_makes_money_in_theirs_but_a_shops(name: str, kind: Kind) -> None:
    """A category such as “Family” holds people of whom no name tells, and shops where one bought for them."""
    rows = [paid("-30", name, category="Family"), paid("12", name, category="Family")]
    assert judged(*rows)[1] is kind


@pytest.mark.parametrize(
    ("descriptor", "merchant", "category"),
    [
        ("MARGARET LOWE HEN DO DEP FPO", "Margaret Lowe", "Uncategorised"),
        ("MARGARET LOWE BBQ FPO", "Margaret Lowe", "Uncategorised"),
        ("GUTSCHRIFT JUTTA HELLWIG ANTEIL BRETAGNE", "Jutta Hellwig", "Uncategorised"),
        ("UEBERWEISUNG JUTTA HELLWIG DOPPELKOPFKASSE", "Jutta Hellwig", "Uncategorised"),
        ("DAUERAUFTRAG JUTTA HELLWIG STUDIUM", "Jutta Hellwig", "Education"),
        ("PAYSHAP JOHAN VAN DER MERWE BRAAI", "Johan Van der Merwe", "Uncategorised"),
        ("UEBERWEISUNG JUTTA HELLWIG MALERBETRIEB", "Jutta Hellwig Malerbetrieb", "Home & Garden"),
        ("MARGARET LOWE FLOWERS LEEDS", "Margaret Lowe Flowers", "Home & Garden"),
        ("VISA MARGARET LOWE GRILL", "Margaret Lowe Grill", "Restaurants"),
    ],
)
def test_what_a_bank_transferred_to_a_person_may_be_for_anything(descriptor: str, merchant: str, category: str) -> None:
    """One payee over all that was written; a trade makes a firm's name of it, and what friends eat makes no restaurant."""
    judged = Judge([], {}).judge(paid("-30", descriptor), None)
    assert (judged.merchant, judged.category) == (merchant, category)


def test_a_type_that_says_transfer_is_none_to_a_person() -> None:
    """Some apps call every payment a transfer."""
    rows = [paid("-30", "To Margaret Lowe", type_hint="TRANSFER"), paid("-30", "To Holiday", type_hint="TRANSFER")]
    assert judged(*rows) == [Kind.PURCHASE, Kind.TRANSFER]
