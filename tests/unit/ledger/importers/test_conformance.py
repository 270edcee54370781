"""Files from other projects' test suites: counts, sums and first rows as their manifest states them."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from ledger.errors import AmbiguousDirection, UnreadableFile
from ledger.importers import read_statement

DATA = Path(__file__).parents[3] / "data" / "bank"
CASES = [json.loads(line) for line in (DATA / "manifest.jsonl").read_text("utf-8").splitlines()]

#: Files of which the manifest counts a row that has no readable amount: it is found, and rejected with a reason.
ONE_REJECTED = {
    "csv/beancount-n26__test_identify_french.csv": "the row has 9 cells where the table has 10",
    "csv/beancount-dkb__ec_v1_test_tagessaldo_with_empty_balance_does_not_crash.csv": "there is no amount",
}
#: Files of which the manifest counts the opening balance: it is kept as a balance, and no transaction.
ONE_BALANCE = {"qif/quiffen__test.qif", "qif/quiffen__test_oth_a.qif"}
#: The manifest counts entries; this one is a batch whose two payments come to it.
IN_PARTS = {"camt/camt_parser__053_valid_example_with_debit.xml": 5}
#: The manifest has the value dates of these, one of which is 30 February; a row is of the day on which it was booked.
BOOKED_ON = {
    "mt940/jejik__sns.sta": date(2012, 6, 8),
    "mt940/mt940-js__abn-amro-1.STA": date(2011, 7, 15),
    "mt940/self-provided__february_30.sta": date(2016, 3, 1),
    "mt940/self-provided__transaction_details_wrapped.sta": date(2016, 3, 1),
}
#: Errors to their project and readable here, with nothing made up: a blank in place of the T before a time, and a batch
#: whose payments have no amounts of their own.
ONE_ROW = {
    "camt/ezbookkeeping__ParseInvalidTransactionTime_2.xml",
    "camt/ezbookkeeping__ParseTransactionInvalidAmountAndCurrency_1.xml",
    "camt/ezbookkeeping__ParseTransactionInvalidAmountAndCurrency_2.xml",
}


def read(case):
    path = DATA / case["file"]
    return read_statement(path.name, path.read_bytes())


def by_kind(*, malformed):
    return [pytest.param(case, id=case["file"]) for case in CASES if case["malformed"] is malformed]


@pytest.mark.parametrize("case", by_kind(malformed=False))
def test_a_sound_file_gives_its_count_and_sum(case):
    expected = case["expected"]
    statement = read(case)
    assert statement.format == case["format"]
    if case["file"] in ONE_REJECTED:
        assert expected["sum"] is None
        assert (statement.rows, [row.reason for row in statement.rejected]) == ((), [ONE_REJECTED[case["file"]]])
        return
    balances = [row.reason for row in statement.rejected if row.reason.endswith("is a balance, not a transaction")]
    kept = len(balances)
    assert kept == (case["file"] in ONE_BALANCE)
    split = case["format"] == "qif"  # a split record may be several rows
    found = len({row.number for row in statement.rows}) if split else len(statement.rows)
    assert found + kept == IN_PARTS.get(case["file"], expected["count"])
    assert len(statement.rejected) - len(balances) == expected.get("unparsable_or_skipped_rows", 0)
    if expected.get("sum") is not None:
        assert sum(row.amount for row in statement.rows) == Decimal(expected["sum"])
    if "accounts" in expected:
        assert sorted(account.ref for account in statement.accounts) == expected["accounts"]


def written(text):
    """The manifest writes dates as the file does."""
    if "/" in text:
        month, day, year = (int(part) for part in text.replace("'", "/").split("/"))
        return date(year if year > 99 else 2000 + year, month, day)
    parts = text.split("-") if "-" in text else text.split(".")[::-1]
    year = int(parts[0])
    return date(year if year > 99 else 2000 + year, int(parts[1]), int(parts[2]))


@pytest.mark.parametrize("case", [case for case in by_kind(malformed=False) if "first" in case.values[0]["expected"]])
def test_the_first_row_is_read_as_stated(case):
    first = case["expected"]["first"]
    statement = read(case)
    if case["file"] in ONE_BALANCE:
        balance = statement.balances[0]
        assert (balance.on, balance.amount) == (written(first["date_raw"]), Decimal(first["amount"]))
        assert first["category"] == f"[{balance.account}]"
        return
    row = statement.rows[0]
    if stated := first.get("date") or first.get("date_raw"):
        assert row.booked_on == (BOOKED_ON.get(case["file"]) or written(stated))
    assert row.amount == Decimal(first["amount"])
    if first.get("payee"):
        assert row.payee == first["payee"]
    if "description" in first:
        assert row.description == first["description"]
    if first.get("name"):
        # One file declares Latin-1 and is UTF-8; the manifest took its declaration at its word.
        assert row.description in {first["name"], first["name"].encode("latin-1", "ignore").decode("utf-8", "ignore")}
    if first.get("memo"):
        assert first["memo"] in {row.memo, row.description}
    if first.get("fitid"):
        assert row.external_id == first["fitid"]


@pytest.mark.parametrize(
    "case", [case for case in by_kind(malformed=False) if "transactions" in case.values[0]["expected"]]
)
def test_what_is_stated_of_single_rows_is_read(case):
    rows = read(case).rows
    for stated in case["expected"]["transactions"]:
        row = rows[stated["index"]]
        assert stated.get("comment") in {None, row.description, row.memo}
        assert stated.get("currency") in {None, row.currency}
        assert stated.get("account") in {None, row.account}
        assert {"INCOME": 1, "EXPENSE": -1}.get(stated.get("type"), row.amount) * row.amount > 0
        assert Decimal(stated.get("amount", abs(row.amount))).copy_abs() == abs(row.amount)
        if case["format"] == "qif" and "datetime_utc" in stated:
            assert date.fromisoformat(stated["datetime_utc"][:10]) == row.booked_on


@pytest.mark.parametrize("case", by_kind(malformed=True))
def test_a_malformed_file_is_refused_or_read_without_invention(case):
    expected = case["expected"]
    if case["file"] == "ofx/ofxparse__signon_fail.ofx":
        with pytest.raises(UnreadableFile, match="the bank's error 15500"):
            read(case)
        return
    if case["file"] == "csv/bankstatementparser__csv_garbled_amount.csv":
        with pytest.raises(AmbiguousDirection):  # one readable row, without a sign: nobody can know
            read(case)
        return
    if case["file"] == "mt940/betterplace__empty_line.sta":
        with pytest.raises(UnreadableFile, match="breaks off before its first statement"):
            read(case)
        return
    statement = read(case)
    if case["file"] in ONE_ROW:
        assert [(row.booked_on, row.amount) for row in statement.rows] == [(date(2024, 9, 1), Decimal("123.45"))]
    elif expected["count"] is not None:
        assert len(statement.rows) == expected["count"]
        assert sum(row.amount for row in statement.rows) == Decimal(expected["sum"])
    elif expected["error"] == "ErrAccountCurrencyInvalid":
        # The transaction is sound; that no currency is stated is said, and left to the account's or the person's.
        assert [row.currency for row in statement.rows] == [None]
    else:
        assert statement.rows == ()
        assert statement.rejected
