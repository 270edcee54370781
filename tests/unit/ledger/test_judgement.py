"""Rows of one statement are judged together, by the person's rules first."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from types import MappingProxyType

import pytest

from ledger.judgement import UNCATEGORISED, Bought, Judge, search_text
from ledger.transactions import AccountType, Kind, StatementRow

DAY = date(2026, 10, 3)


def row(amount: str, description: str, **more: str) -> StatementRow:
    return StatementRow(1, DAY, Decimal(amount), description, **more)


def judge(*rows: StatementRow, rules=(), bought_at=MappingProxyType({}), account_type: AccountType | None = None):
    judged = Judge(rules, bought_at)
    judged.learn((each, account_type) for each in rows)
    return [judged.judge(each, account_type) for each in rows]


def test_money_back_from_where_one_bought_is_a_refund():
    """The purchase may stand later in the file, or in the ledger already; a payer without one pays income."""
    back, bought, wage = judge(row("20", "QUOKKA EMPORIUM"), row("-50", "QUOKKA EMPORIUM"), row("900", "WOMBAT WORKS"))
    assert (back.kind, bought.kind, wage.kind) == (Kind.REFUND, Kind.PURCHASE, Kind.INCOME)
    (known,) = judge(row("20", "QUOKKA EMPORIUM"), bought_at={back.merchant_key: Bought("Shopping", Decimal(50))})
    assert known.kind is Kind.REFUND
    (alone,) = judge(row("20", "QUOKKA EMPORIUM"))
    assert alone.kind is Kind.INCOME


def test_a_transfer_out_makes_the_money_back_no_refund():
    """What one moved to an account was not bought there."""
    _, back = judge(row("-500", "TRANSFER TO QUOKKA", category="Transfer"), row("20", "QUOKKA"))
    assert back.kind is not Kind.REFUND


def test_descriptors_of_one_shop_share_a_merchant():
    first, second = judge(row("-4.50", "SQ *BLUE BOTTLE COFFEE 123"), row("-5.50", "SQ *BLUE BOTTLE COFFEE 9"))
    assert (first.merchant, first.merchant_key) == (second.merchant, second.merchant_key)
    assert first.merchant == "Blue Bottle Coffee"


def test_rules_come_before_the_file_and_the_file_before_brands():
    file, rule = (
        judge(row("-4.50", "SQ *BLUE BOTTLE COFFEE 123", category="Treats"), rules=rules)[0]
        for rules in ((), [("Blue Bottle Coffee", "Vices")])
    )
    assert (file.category, file.category_source) == ("Treats", "file")
    assert (rule.category, rule.category_source) == ("Vices", "rule")


def test_what_nobody_knows_is_uncategorised():
    (judged,) = judge(row("-1", "XQZT 55"))
    assert (judged.category, judged.category_source) == (UNCATEGORISED, "none")


def test_a_row_without_any_words_still_has_a_name():
    (judged,) = judge(row("-1", "  "))
    assert judged.merchant == "Unknown"
    assert judged.merchant_key
    assert judged.phrase


def test_a_search_text_holds_the_category():
    assert search_text("blue bottle", "Coffee Shops") == "blue bottle · coffee shops"
    assert search_text("blue bottle", None) == "blue bottle"


def test_the_account_decides_what_money_in_is():
    (paid,) = judge(row("500", "PAYMENT THANK YOU"), account_type=AccountType.CREDIT_CARD)
    assert paid.kind is Kind.CARD_PAYMENT


@pytest.mark.parametrize(
    ("descriptor", "merchant", "category"),
    [
        ("TESCO PAY AT PUMP 3142 LEEDS GB", "Tesco", "Fuel"),
        ("SAINSBURYS LOCAL 4410 LEEDS GB", "Sainsbury's", "Groceries"),
        ("COSTCO GAS #0123", "Costco", "Fuel"),
        ("APPLE STORE R091 LEEDS GB", "Apple", "Electronics"),
        ("MORRISONS CAFE 0231", "Morrisons", "Coffee"),
        ("ASDA F STN HARROGATE", "Asda", "Fuel"),
        ("SAFEWAY GAS BAR 8871", "Safeway", "Fuel"),
        ("KMART TYRE & AUTO", "Kmart", "Car"),
        ("CARREFOUR CITY LYON FR", "Carrefour", "Groceries"),
        ("NATIONAL EXPRESS 4471", "National Express", "Public Transport"),
        ("AMAZON FRESH", "Amazon Fresh", "Groceries"),
        ("UBER *EATS", "Uber Eats", "Food Delivery"),
    ],
)
def test_a_branch_is_its_chain_and_keeps_its_trade(descriptor: str, merchant: str, category: str):
    """A person spends at Tesco, whatever the branch is called; what sells under a name of its own is another shop."""
    (judged,) = judge(row("-20", descriptor))
    assert (judged.merchant, judged.category) == (merchant, category)


@pytest.mark.parametrize(
    ("descriptor", "merchant"),
    [
        ("LNK SAINSBURYS BANK ATM LEEDS", "Cash machine"),
        ("CASH WITHDRAWAL NOTEMACHINE HEADROW", "Cash machine"),
        ("ATM WITHDRAWAL 001234", "ATM Withdrawal"),
        ("SPARKASSE HANNOVER GA NR00001234 BARGELD", "Sparkasse"),
        ("CASH SAINSBURYS HORNSEY CD 4471 16OCT26", "Cash machine"),
        ("AUTOMAT 00033331 GRAZ K1 02.10. UM 09:17", "Cash machine"),
        ("CASH OUT WOOLWORTHS 3312", "Cash machine"),
    ],
)
def test_cash_from_a_machine_is_not_bought_at_the_shop_around_it(descriptor: str, merchant: str):
    (judged,) = judge(row("-50", descriptor))
    assert (judged.merchant, judged.kind) == (merchant, Kind.CASH)


@pytest.mark.parametrize(
    "descriptor", ["CASH & CARRY QUOKKA", "CASH CONVERTERS YORK", "CASHEL CHEESE", "AUTOMATEN QUOKKA"]
)
def test_a_name_that_begins_like_cash_is_a_shop(descriptor: str):
    (judged,) = judge(row("-50", descriptor))
    assert judged.kind is Kind.PURCHASE


@pytest.mark.parametrize(
    ("paid", "back", "kind"),
    [
        ("DAUERAUFTRAG QUOKKA VERWALTUNG MIETE", ("900", "GUTSCHRIFT QUOKKA VERWALTUNG RE 2026-14"), Kind.INCOME),
        ("QUOKKA WORKS UNIT RENT", ("900", "QUOKKA WORKS INV 0042"), Kind.INCOME),
        ("STADTWERKE QUOKKA ABSCHLAG", ("900", "GUTSCHRIFT STADTWERKE QUOKKA RE 2026-14"), Kind.REFUND),
        ("DAUERAUFTRAG QUOKKA VERWALTUNG MIETE", ("900", "GUTSCHRIFT QUOKKA VERWALTUNG"), Kind.REFUND),
        ("DAUERAUFTRAG QUOKKA VERWALTUNG MIETE", ("4000", "GUTSCHRIFT QUOKKA VERWALTUNG"), Kind.INCOME),
        ("LIDL", ("900", "LIDL RE 4711"), Kind.REFUND),
    ],
)
def test_who_pays_an_invoice_or_far_more_than_was_ever_paid_is_a_customer(paid: str, back: tuple[str, str], kind: Kind):
    """A landlord may be one; what a supplier settles of a year, or a deposit of three rents, comes back."""
    assert judge(row("-700", paid), row(*back))[1].kind is kind


@pytest.mark.parametrize(
    ("memo", "merchant", "category"),
    [
        ("5627433417571/PP.4471.PP/. Spotify, Ihr Einkauf bei Spotify", "Spotify", "Subscriptions"),
        ("1034/PP.12.PP/. FREENOW, Ihr Einkauf bei FREENOW", "FREENOW", "Taxi & Rideshare"),
        ("", "PayPal", UNCATEGORISED),
    ],
)
def test_what_a_payment_service_collected_for_is_in_the_purpose(memo: str, merchant: str, category: str):
    """German banks name PayPal as payee and in place of a description; the shop is in the purpose."""
    name = "PayPal Europe S.a.r.l. et Cie S.C.A"
    (judged,) = judge(row("-11", name, payee=name, memo=memo))
    assert (judged.merchant, judged.category) == (merchant, category)


def test_a_refund_is_where_its_purchases_are():
    """A credit that says nothing of what was bought is netted where the purchases were, of this file or the ledger."""
    bill = row("-99", "RHEINTAL VERSORGUNG", payee="RHEINTAL VERSORGUNG", memo="Abschlag Strom")
    back = row("40", "RHEINTAL VERSORGUNG", payee="RHEINTAL VERSORGUNG", memo="Guthaben Jahresabrechnung")
    paid, credited = judge(bill, back)
    assert (paid.category, credited.category, credited.kind) == ("Utilities", "Utilities", Kind.REFUND)
    (later,) = judge(back, bought_at={paid.merchant_key: Bought("Utilities", Decimal(99))})
    assert (later.category, later.category_source) == ("Utilities", "purchase")


@pytest.mark.parametrize(
    ("descriptor", "category"),
    [
        ("LB HACKNEY COUNCIL TAX", "Taxes"),
        ("Zahnarztpraxis Dr. Wolter Rechnung Prophylaxe", "Medical"),
        ("Friseursalon Kamm und Schere", "Personal Care"),
        ("Tierheim Spende Futter", "Gifts & Donations"),
        ("HOSPICE OF ST ANNE DONATION", "Gifts & Donations"),
        ("Tierarztpraxis am Ring", "Pets"),
        ("Electronic Funds Transfer PREAUTHORIZED DEBIT LAKEMOUNT MGMT RENT", "Rent & Mortgage"),
        ("Internet Banking INTERNET BILL PAY 0042 LAKEMOUNT HYDRO", "Utilities"),
        ("Internet Banking E-TRANSFER 0042 Zed Quillfeather", UNCATEGORISED),
        ("HARROWGATE LETTINGS", "Rent & Mortgage"),
        ("HARROWGATE BUILDING SOC MTG", "Rent & Mortgage"),
        ("HARROWGATE CAR LOAN PAYMENT", "Loans"),
        ("LAKEMOUNT LEASING OFFICE", "Rent & Mortgage"),
        ("Woningstichting Het Baken, Huur", "Rent & Mortgage"),
        ("Baugenossenschaft Nordlicht eG", "Rent & Mortgage"),
        ("NORWICH CC CTAX", "Taxes"),
        ("Zzyx Taverna", "Restaurants"),
        ("QUILLFEATHER THAI KITCHEN", "Restaurants"),
        ("DR Q QUILLFEATHER DENTISTRY", "Medical"),
        ("Tandartspraktijk Het Baken", "Medical"),
        ("BUSY OTTERS NURSERY", "Kids & Family"),
        ("Kindertagesstätte Wirbelwind, Elternbeitrag", "Kids & Family"),
        ("Panificio Quillfeather", "Groceries"),
        ("Marktapotheke", "Pharmacy"),
        ("ROYAL HOSPITAL PARKING", "Parking & Tolls"),
        ("ZZYX CARS BASE RENT", UNCATEGORISED),
        ("ZZYX VAN RENTAL", "Taxi & Rideshare"),
        ("ZZYX CURRENT SYSTEMS", UNCATEGORISED),
    ],
)
def test_a_descriptor_tells_its_category(descriptor: str, category: str):
    """Words for a whole group count where the group is one category; what was given outweighs who got it."""
    (judged,) = judge(row("-30", descriptor))
    assert judged.category == category


@pytest.mark.parametrize(
    ("description", "memo", "kind", "merchant"),
    [
        ("4835-****-****-1234  Df", "Kauri Bakery", "Visa Purchase", "Kauri Bakery"),
        ("MB TRANSFER", "FROM HANA NGATA", "TFR IN", "Hana Ngata"),
        ("DEBIT", "CARD 7515 KAURI BAKERY AUCKLAND", "DEBIT", "Kauri Bakery"),
        (
            "ZAKUP PRZY UŻYCIU KARTY",
            "PIEKARNIA POD DĘBEM   /WARSZAWA   DATA TRANSAKCJI: 2026-11-10",
            "",
            "Piekarnia Pod Dębem",
        ),
        ("Overdraft", "Overdraft interest December", "Overdraft", "Overdraft"),
        ("Visa Payment", "SIGNATURE VISA EPAY", "", "Visa Payment"),
        ("AMAZON.CO.UK*8IPXHEKE5", "ON 13 AUG CLP", "Debit", "Amazon"),
    ],
)
def test_a_column_that_only_says_how_leaves_the_name_to_the_next(description: str, memo: str, kind: str, merchant: str):
    (judged,) = judge(row("-9", description, memo=memo, type_hint=kind))
    assert judged.merchant == merchant
