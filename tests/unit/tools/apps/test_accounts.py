"""Whole accounts: what is shown of a change is what becomes of the figures, and one press puts everything back."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.answers import headline_of, result_reply
from ledger.filters import Filter
from ledger.imports import import_files
from ledger.money import Money
from ledger.search import LedgerSearch
from ledger.statement_writer import SourceFile
from ledger.transactions import AccountType, Flow
from tests.drawn_ledgers import ledgers, todays
from tests.unit.tools.apps.conftest import Resident, no_index
from tests.unit.tools.apps.naive import DRAWN
from tools.context import ToolContext
from tools.results import Result

TODAY = date(2026, 11, 21)
CARD = """Date,Description,Type,Amount (USD),Account
2026-09-02,TESCO STORES 2041,Sale,-42.10,11005
2026-09-09,ZALANDO,Sale,-60.00,11005
2026-09-15,AUTOPAY 998,Payment,110.10,11005
2026-09-20,SOME SHOP NOBODY KNOWS,Return,12.00,11005
"""
UTF = """Date,Description,Amount (USD),Account
2026-09-01,SALARY ACME CORP,2500.00,Utf
2026-09-16,RENT,-900.00,Utf
2026-09-17,COFFEE,-3.00,Utf
2026-09-17,COFFEE,-3.00,Utf
"""
BANK = """Date,Description,Amount (USD),Account
2026-09-16,RENT,-900.00,Joint account
2026-09-17,COFFEE,-3.00,Joint account
2026-10-16,RENT,-900.00,Joint account
"""
OFX = """OFXHEADER:100

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>4711<ACCTTYPE>SAVINGS</BANKACCTFROM>
<BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260903<TRNAMT>5.00<FITID>1<NAME>GIFT</STMTTRN></BANKTRANLIST>
<LEDGERBAL><BALAMT>1150.00<DTASOF>20261031</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"""


@pytest.fixture
async def me(house) -> Resident:
    resident = await house.move_in([], TODAY)
    for name, text in (("card.csv", CARD), ("utf.csv", UTF), ("bank.csv", BANK), ("pot.ofx", OFX)):
        report = await import_files(resident.context.ledger, [SourceFile(name, text.encode())])
        assert not report.failed
    return await again(resident)


async def again(me: Resident) -> Resident:
    """Return the same person, who knows the names of now."""
    ledger = me.context.ledger
    search = LedgerSearch(ledger, no_index)
    return Resident(ToolContext(ledger, await ledger.vocabulary(), search, me.context.today), me.entries)


async def run(me: Resident, name: str, **arguments) -> Result:
    return await (await again(me)).run(name, **arguments)


async def confirm(me: Resident, result: Result) -> str:
    async with me.context.ledger.store.write() as connection:
        await result.change.work(connection)
    return headline_of(replace(result, headline=result.change.done), me.context)


async def undo(me: Resident, result: Result) -> str:
    back = result.change.undo
    return await confirm(me, await run(me, back.name, **back.arguments))


async def names(me: Resident) -> list[str]:
    return [each.name for each in await me.context.ledger.accounts()]


async def sums(me: Resident) -> dict[tuple[str, str], int]:
    """What is spent and earned in all, by flow and currency."""
    found = {}
    for flow, name, sign in ((Flow.SPENDING, "Spent, all time", 1), (Flow.INCOME, "Income, all time", -1)):
        for each in await me.context.ledger.totals(Filter(flow=flow)):
            found[name, each.currency] = sign * each.net_out_minor
    return found


def shown(result: Result, place: int) -> dict[tuple[str, str], int]:
    """What the preview says is spent and earned: before (1) or after (2)."""
    rows = result.table.rows if result.table else ()
    return {
        (str(row[0]), row[place].currency): row[place].amount_minor for row in rows if isinstance(row[place], Money)
    }


async def holds(me: Resident, result: Result) -> None:
    """What was shown of a change is what becomes of the figures, and all else stays."""
    before = await sums(me)
    await confirm(me, result)
    after = await sums(me)
    assert shown(result, 1).items() <= before.items()
    for key in before.keys() | after.keys():
        told = shown(result, 2).get(key)
        assert after.get(key, 0) == (before.get(key, 0) if told is None else told), key
    await undo(me, result)
    assert await sums(me) == before


async def test_the_list_has_type_rows_days_and_the_balance_with_its_day(me):
    result = await run(me, "accounts-list")
    assert headline_of(result, me.context) == "You have 4 accounts."
    assert result.table.rows == (
        ("Account 1005", "", 4, date(2026, 9, 2), date(2026, 9, 20), None, None),
        ("Joint account", "", 3, date(2026, 9, 16), date(2026, 10, 16), None, None),
        (
            "Savings 4711",
            "savings account",
            1,
            date(2026, 9, 3),
            date(2026, 9, 3),
            Money(115000, "USD"),
            date(2026, 10, 31),
        ),
        ("Utf", "", 4, date(2026, 9, 1), date(2026, 9, 17), None, None),
    )


@pytest.mark.parametrize(
    ("account", "name", "called"),
    [
        ("Account 1005", "my Amex", "Amex"),
        ("-11005", "amex", "Amex"),
        ("11005", "Amex Gold", "Amex Gold"),
        ("my account 1005", "“my Amex”", "My Amex"),
        ("the joint account", "Haushaltskonto", "Haushaltskonto"),
        ("utf", "meine Karte", "Meine Karte"),
    ],
)
async def test_an_account_is_renamed_and_called_as_before_again(me, account, name, called):
    before = await names(me)
    result = await run(me, "accounts-rename", account=account, new_name=name)
    assert f"“{called}”?" in headline_of(result, me.context)
    assert f"is called “{called}” now" in await confirm(me, result)
    assert called in await names(me)
    assert "Taken back" in await undo(me, result)
    assert await names(me) == before


async def test_a_name_that_another_has_is_asked_about_with_the_merge(me):
    result = await run(me, "accounts-rename", account="Utf", new_name="joint ACCOUNT")
    assert (result.kind, result.change) == ("clarify", None)
    (choice,) = result.choices
    ((call,),) = choice.rounds
    assert (call.name, call.arguments) == ("accounts-merge", {"account": "Utf", "into": "Joint account"})
    assert (await run(me, call.name, **call.arguments)).change is not None


@pytest.mark.parametrize("name", ["—", "x" * 61, "…!"])
async def test_what_is_no_name_is_refused(me, name):
    result = await run(me, "accounts-rename", account="Utf", new_name=name)
    assert (result.kind, result.change) == ("clarify", None)


async def test_an_account_that_is_not_there_is_asked_about(me):
    result = await run(me, "accounts-delete", account="Chase")
    assert (result.kind, result.change, len(result.choices)) == ("clarify", None, 4)
    assert "“Chase”" in headline_of(result, me.context)


async def test_a_type_says_what_it_changes_in_the_past(me):
    result = await run(me, "accounts-set_type", account="1005", type="credit_card")
    plain = result_reply(result, me.context).plain()
    assert "1 transaction counts as a payment of your card's bill and no longer as income" in plain
    await holds(me, result)
    again_so = await run(me, "accounts-set_type", account="Savings 4711", type="savings")
    assert (again_so.kind, again_so.change) == ("unchanged", None) or again_so.change is None


async def test_a_type_that_changes_no_row_says_so(me):
    result = await run(me, "accounts-set_type", account="Joint account", type="checking")
    assert "No transaction changes by that" in result_reply(result, me.context).plain()
    assert result.table is None
    await holds(me, result)


async def test_two_accounts_that_are_one_say_how_many_rows_and_doubles(me):
    result = await run(me, "accounts-merge", account="Utf", into="Joint account")
    reply = result_reply(result, me.context)
    assert reply.headline == "Make Utf a part of Joint account, which then has 5 transactions?"
    assert "2 transactions are in both, and there once." in reply.plain()
    await holds(me, result)
    await confirm(me, await run(me, "accounts-merge", account="Utf", into="Joint account"))
    assert await names(me) == ["Account 1005", "Joint account", "Savings 4711"]
    assert (await run(me, "accounts-merge", account="utf", into="joint account")).kind != "clarify"


async def test_the_type_that_is_known_stays_with_the_name_that_is_wanted(me):
    await confirm(me, await run(me, "accounts-set_type", account="Utf", type="checking"))
    result = await run(me, "accounts-merge", account="Utf", into="Joint account")
    await confirm(me, result)
    (merged,) = [each for each in await me.context.ledger.accounts() if each.name == "Joint account"]
    assert merged.type is AccountType.CHECKING
    await undo(me, result)
    assert [(each.name, each.type) for each in await me.context.ledger.accounts() if each.name in ("Utf", "Joint account")] == [
        ("Joint account", None), ("Utf", AccountType.CHECKING)
    ]  # fmt: skip


async def test_a_deletion_says_how_many_rows_of_when_and_what_is_left(me):
    result = await run(me, "accounts-delete", account="joint account")
    reply = result_reply(result, me.context)
    assert reply.headline == "Delete Joint account with its 3 transactions?"
    assert "They are from 16 Sep 2026 to 16 Oct 2026." in reply.plain()
    await holds(me, result)


async def test_the_newest_change_is_taken_back_whatever_it_was_of(me):
    first = await run(me, "accounts-rename", account="Utf", new_name="Everyday")
    await confirm(me, first)
    second = await run(me, "accounts-delete", account="1005")
    await confirm(me, second)
    listed = await run(me, "corrections-list")
    assert [row[1] for row in listed.table.rows] == ["account deleted", "account renamed"]
    assert await confirm(me, await run(me, "corrections-undo", change="last")) == (
        "Taken back: Account 1005 deleted with its 4 transactions."
    )
    assert await confirm(me, await run(me, "corrections-undo", change="last")) == "Taken back: “Utf” called “Everyday”."
    assert (await run(me, "corrections-undo", change="last")).kind == "empty"


@DRAWN
@given(ledgers(), todays, st.sampled_from(("delete", "merge", "type")), st.integers(0, 99))
async def test_what_is_shown_of_any_change_is_what_becomes_of_the_figures(house, entries, today, what, number):
    me = await house.move_in(entries, today)
    accounts = await names(me)
    one, other = accounts[number % len(accounts)], accounts[(number + 1) % len(accounts)]
    arguments = {
        "delete": ("accounts-delete", {"account": one}),
        "merge": ("accounts-merge", {"account": one, "into": other}),
        "type": ("accounts-set_type", {"account": one, "type": list(AccountType)[number % len(AccountType)].value}),
    }
    name, given_to = arguments[what]
    result = await run(me, name, **given_to)
    if result.change is None:
        assert result.kind in ("answer", "unchanged")
        return
    await holds(me, result)
