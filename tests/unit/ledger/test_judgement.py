"""Rows of one statement are judged together, by the person's rules first."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from ledger.judgement import UNCATEGORISED, Judge, search_text
from ledger.transactions import AccountType, Kind, StatementRow

DAY = date(2026, 10, 3)


def row(amount: str, description: str, **more: str) -> StatementRow:
    return StatementRow(1, DAY, Decimal(amount), description, **more)


def judge(*rows: StatementRow, rules=(), bought_at=(), account_type: AccountType | None = None):
    return Judge(rules, bought_at).judge_all([(each, account_type) for each in rows])


def test_money_back_from_where_one_bought_is_a_refund():
    """The purchase may stand later in the file, or in the ledger already; a payer without one pays income."""
    back, bought, wage = judge(row("20", "QUOKKA EMPORIUM"), row("-50", "QUOKKA EMPORIUM"), row("900", "WOMBAT WORKS"))
    assert (back.kind, bought.kind, wage.kind) == (Kind.REFUND, Kind.PURCHASE, Kind.INCOME)
    (known,) = judge(row("20", "QUOKKA EMPORIUM"), bought_at=[back.merchant_key])
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
