"""Whole accounts at the real console: called as the person says, typed, made one, deleted, and put back, also after a restart."""

from __future__ import annotations

import re

import pytest

from tests.scenario.test_chat import piped

CARD = """Date,Description,Type,Amount (USD),Account
2026-09-02,TESCO STORES 2041,Sale,-42.10,-11005
2026-09-09,ZALANDO,Sale,-60.00,-11005
2026-09-15,AUTOPAY 998,Payment,110.10,-11005
"""
MORE = CARD + "2026-10-05,SHELL,Sale,-50.00,-11005\n"
UTF = "Date,Description,Amount (USD),Account\n2026-09-16,RENT,-900.00,Utf\n2026-09-17,COFFEE,-3.00,Utf\n2026-09-17,COFFEE,-3.00,Utf\n"
JOINT = "Date,Description,Amount (USD),Account\n2026-09-16,RENT,-900.00,Joint\n2026-09-17,COFFEE,-3.00,Joint\n2026-10-16,RENT,-900.00,Joint\n"


@pytest.fixture
def environment(tmp_path):
    from tests.scenario.test_chat import ROOT

    for name, text in (("card", CARD), ("more", MORE), ("utf", UTF), ("joint", JOINT)):
        (tmp_path / f"{name}.csv").write_text(text)
    return {
        "PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8", "TERM": "xterm", "PYTHONPATH": str(ROOT),
        "MONEY_MINDER_DATA_DIR": str(tmp_path / "data"), "MONEY_MINDER_MODEL": "builtin",
        "MONEY_MINDER_NOW": "2026-11-21T12:00:00+00:00",
    }  # fmt: skip


def talk(environment, *lines):
    """Say lines at the console, and return what it printed."""
    done = piped(environment, "\n".join([*lines, ""]))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def imported(environment, *names):
    done = piped(environment, "", "import", *(f"{name}.csv" for name in names))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_account_is_called_and_typed_as_the_person_says_and_its_next_file_goes_there(environment):
    assert "Account 1005" in imported(environment, "card")
    said = talk(environment, "call my -11005 my Amex", "yes", "how much did I spend with my amex in September?")
    assert "Call Account 1005 “Amex”?" in said
    assert "$102.10 spent from Amex in September 2026" in said
    assert "$110.10" in talk(environment, "How much did I earn in September?")
    typed = talk(environment, "Amex is a credit card", "yes", "/accounts")
    assert "1 transaction counts as a payment of your card's bill and no longer as income." in typed
    assert "Income, all time  $110.10  $0.00" in typed
    assert "$110.10" not in talk(environment, "How much did I earn in September?")
    assert "Amex     credit card             3  2 Sep 2026  15 Sep 2026" in typed
    assert "4 transactions, 1 added" in imported(environment, "more")
    assert "$50.00 spent from Amex in October 2026" in talk(
        environment, "how much did I spend with my Amex in October?"
    )
    back = talk(environment, "undo my last change", "yes", "undo my last change", "yes", "what accounts do I have?")
    assert "Taken back: Amex treated as a credit card." in back
    assert "Taken back: “Account 1005” called “Amex”." in back
    assert re.search(r"Account 1005 +4 ", back)


def test_two_that_are_one_are_there_once_and_two_again(environment):
    imported(environment, "utf", "joint")
    before = talk(environment, "How much did I spend in total?")
    assert "$2,709.00 spent" in before
    said = talk(environment, "Utf und Joint sind dasselbe Konto", "ja", "How much did I spend in total?", "/accounts")
    assert "Utf mit Joint zusammenführen, das dann 4 Buchungen hat?" in said
    assert "2 Buchungen sind auf beiden und zählen dann einmal." in said
    assert "$1,806.00 spent" in said
    assert "You have one account." in said
    assert "3 transactions, 0 new" in imported(environment, "utf")
    assert (
        talk(environment, "undo my last change", "yes", "How much did I spend in total?").count("$2,709.00 spent") == 1
    )


def test_a_deleted_account_is_gone_until_it_is_put_back_or_imported_again(environment):
    imported(environment, "joint", "card")
    said = talk(
        environment, "delete the account Joint", "no", "/accounts delete Joint", "yes", "what accounts do I have?"
    )
    assert "Delete Joint with its 3 transactions?" in said
    assert "They are from 16 Sep 2026 to 16 Oct 2026." in said
    assert "Nothing was changed." in said
    assert "You have one account." in said
    assert "3 transactions, 3 added" in imported(environment, "joint")
    assert "Another account is called “Joint” by now" in talk(environment, "undo my last change", "yes")
    assert "You have 2 accounts." in talk(environment, "/undo", "yes", "undo my last change", "yes", "my accounts")
