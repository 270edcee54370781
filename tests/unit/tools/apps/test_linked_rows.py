"""What is proposed of transactions that belong together is what happens on a yes, and one press takes all of it back."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from graph.answers import blocks_of, headline_of
from graph.reply import Text
from ledger.filters import Filter
from ledger.transactions import Flow, Transaction
from tests.drawn_ledgers import DIGITS, Entry, ledgers
from tests.unit.tools.apps.conftest import Resident
from tools.results import Result

TODAY = date(2026, 11, 21)


def row(day: date, minor: int, merchant: str = "Tesco", account: str = "Current", **more: Any) -> Entry:
    return Entry(day, minor, "GBP", merchant=merchant, account=account, **more)


LEDGER = [
    row(date(2026, 10, 3), -8995, "Zara", category="Clothing", description="ZARA 3412"),
    row(date(2026, 10, 4), -8995, "Inditex", "Visa", category="Uncategorised", description="ITX ONLINE"),
    row(date(2026, 10, 9), 4000, "PayPal", kind="income", category="Income"),
    row(date(2026, 11, 3), 1000, "Zara", kind="refund", category="Clothing"),
    row(date(2026, 11, 2), -1995, "Zara", category="Clothing"),
    row(date(2026, 10, 10), -20000, "Anna Meier", category="Uncategorised"),
    row(date(2026, 10, 12), 20000, "Deposit", "Savings", kind="income", category="Income"),
    row(date(2026, 10, 14), 19850, "Wise", "Savings", kind="income", category="Income"),
    row(date(2026, 11, 20), -4210),
    row(date(2026, 11, 13), -4210),
]


@pytest.fixture
async def me(house) -> Resident:
    return await house.move_in(LEDGER, TODAY)


async def run(me: Resident, name: str, **arguments: Any) -> Result:
    context = replace(me.context, vocabulary=await me.context.ledger.vocabulary())
    return await Resident(context, me.entries).run(name, **arguments)


async def confirm(me: Resident, result: Result) -> str:
    assert result.change is not None, said(me, result)
    async with me.context.ledger.store.write() as connection:
        await result.change.work(connection)
    return headline_of(replace(result, headline=result.change.done), me.context)


async def undo(me: Resident, result: Result) -> None:
    back = result.change.undo
    await confirm(me, await run(me, back.name, **back.arguments))


def said(me: Resident, result: Result) -> str:
    return " ".join(block.text for block in blocks_of(result, me.context) if isinstance(block, Text))


async def rows(me: Resident) -> list[Transaction]:
    return await me.context.ledger.rows(Filter(), "oldest")


async def monthly(me: Resident) -> dict[str, int]:
    """Return what was spent and earned in each month, as the tables of proposals call it."""
    found = {}
    for flow, word, sign in ((Flow.SPENDING, "Spent", 1), (Flow.INCOME, "Earned", -1)):
        for group in await me.context.ledger.groups(Filter(flow=flow), "month"):
            month = date.fromisoformat(f"{group.key}-01")
            found[f"{word} in {month:%B %Y} {group.totals.currency}"] = group.totals.net_out_minor * sign
    return found


async def happens(me: Resident, result: Result) -> str:
    """Confirm a proposal: each month's figures become what its table says, and none else changes; undo puts all back."""
    before, held = await monthly(me), await rows(me)
    told = await confirm(me, result)
    after = await monthly(me)
    changed = {name for name in before.keys() | after.keys() if before.get(name, 0) != after.get(name, 0)}
    shown = {
        f"{what} {now.currency}": (now.amount_minor, then.amount_minor)
        for what, now, then in (result.table.rows if result.table else ())
    }
    assert shown == {name: (before.get(name, 0), after.get(name, 0)) for name in changed}
    await undo(me, result)
    assert await rows(me) == held
    await confirm(me, await run(me, result_name(result), **result_arguments(result)))
    assert await monthly(me) == after
    return told


def result_name(result: Result) -> str:
    return result.names["call"][0]  # type: ignore[index]


def result_arguments(result: Result) -> dict[str, Any]:
    return result.names["call"][1]  # type: ignore[index,return-value]


async def propose(me: Resident, name: str, **arguments: Any) -> Result:
    result = await run(me, f"corrections-{name}", **arguments)
    return replace(result, names={**result.names, "call": (f"corrections-{name}", arguments)})


ZARA, TWIN, BACK = "the 89.95 at Zara", "the 89.95 at Inditex", "the 40.00 from PayPal"


async def test_merged_rows_become_one_and_the_preview_says_which_stays(me):
    result = await propose(me, "merge", row=TWIN, other=ZARA)
    assert headline_of(result, me.context).startswith("£89.95 at Zara on 3 Oct 2026 and £89.95 at Inditex on 4 Oct")
    assert "stays as “ZARA 3412” of 3 Oct 2026 in Current" in said(me, result)
    assert "“ITX ONLINE”, 4 Oct 2026, Visa, counts nowhere then" in said(me, result)
    assert await happens(me, result) == "£89.95 at Zara on 3 Oct 2026 is one payment now."
    assert [each.merchant for each in await rows(me) if each.amount_minor == -8995] == ["Zara"]


@pytest.mark.parametrize("keep", ["the second one", "the 89.95 at Inditex", "number 2"])
async def test_another_one_can_be_kept(me, keep):
    await happens(me, await propose(me, "merge", row=ZARA, other=TWIN, keep=keep))
    assert [each.merchant for each in await rows(me) if each.amount_minor == -8995] == ["Inditex"]


async def test_every_other_one_is_offered_to_be_kept(me):
    result = await propose(me, "merge", row=ZARA, other=TWIN)
    (choice,) = result.choices
    ((call,),) = choice.rounds
    kept = await run(me, call.name, **call.arguments)
    assert "stays as “ITX ONLINE”" in said(me, kept)


async def test_the_bank_s_row_stays_before_one_by_hand(me):
    await confirm(me, await run(me, "entries-add", amount="90", what="Coat", day="2026-10-03"))
    result = await propose(me, "merge", row="the 90.00 at Coat", other=ZARA)
    assert "stays as “ZARA 3412”" in said(me, result)
    assert "“Coat”, £90.00, 3 Oct 2026, By hand, counts nowhere then" in said(me, result)
    await happens(me, result)


async def test_what_is_there_twice_is_found_or_asked_about(me):
    assert "I find no second one" in said(me, await run(me, "corrections-merge", row="the 42.10 on 20 November"))
    result = await run(me, "corrections-merge", row=ZARA)
    assert "Inditex" in said(me, result)
    await confirm(me, await run(me, "entries-add", amount="89.95", what="Coat", day="2026-10-04"))
    asked = await run(me, "corrections-merge", row=ZARA)
    assert (asked.kind, len(asked.choices)) == ("clarify", 2)
    for choice in asked.choices:
        ((call,),) = choice.rounds
        assert (await run(me, call.name, **call.arguments)).change is not None
    assert "42.10 at Tesco" in said(me, await run(me, "corrections-merge", row="the 42.10 at Tesco"))


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (ZARA, BACK, "went out and the other came in"),
        (ZARA, ZARA, "one transaction already"),
        ("those two", None, "Which two?"),
        ("the 89.95", "the 42.10", "Which one?"),
        ("the 1.23 at Zara", ZARA, "I find no transaction"),
    ],
)
async def test_what_is_not_one_is_refused_or_asked_about(me, first, second, why):
    result = await run(me, "corrections-merge", row=first, **({"other": second} if second else {}))
    assert (result.change, result.kind) == (None, "clarify")
    assert why in said(me, result)


async def test_of_several_alike_the_list_is_shown_to_choose_from(me):
    await confirm(me, await run(me, "entries-add", amount="42.10", what="Tesco", day="2026-11-14"))
    result = await run(me, "corrections-merge", row="the 42.10 at Tesco")
    assert (result.kind, len(result.listed), len(result.table.rows)) == ("clarify", 3, 3)


@pytest.mark.parametrize(
    ("refund", "purchase"),
    [
        (BACK, ZARA),
        (ZARA, BACK),  # named the other way round
        ("the refund from PayPal", "the Zara purchase on 3 October"),
        ("the 40.00 refund", "the purchase of 3 October"),
    ],
)
async def test_a_refund_is_linked_to_its_purchase_and_the_figures_follow(me, refund, purchase):
    result = await propose(me, "link_refund", row=refund, purchase=purchase)
    assert headline_of(result, me.context).startswith(
        "£40.00 from PayPal on 9 Oct 2026 is a refund of £89.95 at Zara on 3 Oct"
    )
    assert "It counts at Zara, under Clothing" in said(me, result)
    assert "£49.95 of it is left then" in said(me, result)
    assert len(result.table.rows) == 2
    await happens(me, result)
    told = await run(me, "transactions-came_back", row=ZARA)
    assert headline_of(told, me.context) == "£40.00 of £89.95 at Zara on 3 Oct 2026 came back: £49.95 in the end"
    assert [str(told.fact(name).value) for name in ("back", "net")] == ["40.00", "49.95"]
    told = await run(me, "transactions-came_back", row="the 40.00 from Zara")
    assert "is a refund of £89.95 at Zara on 3 Oct 2026" in headline_of(told, me.context)
    listed = await run(me, "transactions-list", merchant="Zara", over="80")
    assert "came back: £40.00 on 9 Oct 2026, £49.95 in the end" in said(me, listed).replace("Came", "came")
    biggest = await run(me, "spending-extremes", measure="largest", merchant="Zara")
    assert "£49.95 in the end" in said(me, biggest)
    assert headline_of(await run(me, "spending-analyze_merchant", merchant="Zara"), me.context).startswith(
        "£59.90 at Zara"
    )


async def test_a_second_refund_says_what_is_left_and_more_than_was_paid(me):
    await confirm(me, await propose(me, "link_refund", row=BACK, purchase=ZARA))
    second = await propose(me, "link_refund", row="the 10.00 from Zara", purchase=ZARA)
    assert "£39.95 of it is left then" in said(me, second)
    await happens(me, second)
    told = await run(me, "transactions-came_back", row=ZARA)
    assert "in 2 refunds" not in headline_of(told, me.context)
    assert headline_of(told, me.context).startswith("£50.00 of £89.95")
    small = await propose(me, "link_refund", row="the 40.00 from Zara", purchase="the 19.95 at Zara")
    assert "That is £20.05 more than was paid" in said(me, small)
    assert "It is no longer one of Zara" in said(me, small)
    await happens(me, small)


async def test_a_purchase_that_words_leave_open_is_asked_about_with_the_likeliest_first(me):
    asked = await run(me, "corrections-link_refund", row=BACK, purchase="the Zara purchase")
    assert asked.kind == "clarify"
    assert [choice.label.split(",")[0] for choice in asked.choices] == ["-£89.95", "-£19.95"]
    for choice in asked.choices:
        ((call,),) = choice.rounds
        assert (await run(me, call.name, **call.arguments)).change is not None


async def test_what_can_be_no_refund_is_refused(me):
    for one, other in ((ZARA, TWIN), (BACK, "the 10.00 from Zara")):
        result = await run(me, "corrections-link_refund", row=one, purchase=other)
        assert (result.change, result.kind) == (None, "clarify")
    await confirm(me, await run(me, "corrections-change", row=TWIN, field="kind", value="transfer"))
    result = await run(me, "corrections-link_refund", row=BACK, purchase=TWIN)
    assert "is a transfer between your own accounts, so nothing of it is refunded" in said(me, result)


async def test_what_is_linked_already_needs_no_change_and_is_not_changed_by_itself(me):
    await confirm(me, await propose(me, "link_refund", row=BACK, purchase=ZARA))
    again = await run(me, "corrections-link_refund", row="the 40.00 from Zara", purchase=ZARA)
    assert (again.kind, again.change) == ("answer", None)
    for field, value in (("category", "rent"), ("merchant", "Kiosk"), ("kind", "income")):
        result = await run(me, "corrections-change", row="the 40.00 from Zara", field=field, value=value)
        assert (result.change, result.kind, len(result.choices)) == (None, "clarify", 1)
    assert (await run(me, "corrections-split", row="the 40.00 from Zara", parts="half")).change is None
    note = await run(me, "corrections-change", row="the 40.00 from Zara", field="note", value="coat")
    assert note.change is not None


@pytest.mark.parametrize(
    ("row_", "other"), [("the 40.00 from Zara", None), ("the 40.00 from Zara", ZARA), (ZARA, None)]
)
async def test_a_refund_is_unlinked_by_either_name(me, row_, other):
    held = await rows(me)
    await confirm(me, await propose(me, "link_refund", row=BACK, purchase=ZARA))
    result = await propose(me, "unlink", row=row_, **({"other": other} if other else {}))
    assert "is no refund of £89.95 at Zara" in headline_of(result, me.context)
    await happens(me, result)
    assert await rows(me) == held


async def test_what_the_program_took_for_a_refund_is_income_by_the_person_s_word(me):
    result = await propose(me, "unlink", row="the 10.00 from Zara")
    assert "income and no refund" in headline_of(result, me.context)
    await happens(me, result)
    nothing = await run(me, "corrections-unlink", row="the 42.10 on 20 November")
    assert (nothing.kind, nothing.change) == ("answer", None)


async def test_deleting_a_purchase_says_what_becomes_of_its_refund(me):
    await confirm(me, await propose(me, "link_refund", row=BACK, purchase=ZARA))
    result = await propose(me, "delete", row=ZARA)
    assert "by itself again" in said(me, result)
    await happens(me, result)
    assert (await run(me, "corrections-list")).table.rows[0][1] == "deleted"


async def test_what_came_back_of_what_has_no_link(me):
    told = await run(me, "transactions-came_back", row="the 19.95 at Zara")
    assert "No refund is linked to £19.95 at Zara" in headline_of(told, me.context)
    assert len(told.listed) == 1
    assert "Nothing came back of £42.10 at Tesco" in said(
        me, await run(me, "transactions-came_back", row="the 42.10 on 20 November")
    )
    assert "is linked to no purchase" in said(me, await run(me, "transactions-came_back", row=BACK))


async def test_two_rows_are_a_transfer_and_neither_counts(me):
    result = await propose(me, "link_transfer", row="the 200 to Anna", other="the 200 in Savings")
    assert headline_of(result, me.context).startswith(
        "£200.00 from Current on 10 Oct 2026 and £200.00 in Savings on 12 Oct"
    )
    await happens(me, result)
    assert {each.flow for each in await rows(me) if abs(each.amount_minor) == 20000} == {"neither"}
    again = await run(me, "corrections-link_transfer", row="the 200 to Anna", other="the 200 in Savings")
    assert (again.kind, again.change) == ("answer", None)
    parted = await propose(me, "unlink", row="the 200 to Anna")
    assert "£200.00 in Current on 10 Oct 2026 is spending then" in said(me, parted)
    await happens(me, parted)


@pytest.mark.parametrize("account", ["my savings", "Savings", "mein Savings"])
async def test_the_other_side_is_found_in_the_account_that_is_named(me, account):
    result = await propose(me, "link_transfer", row="the 200 to Anna", account=account)
    assert "£200.00 in Savings on 12 Oct 2026" in headline_of(result, me.context)
    await happens(me, result)


async def test_where_no_file_has_brought_the_other_side_the_one_is_a_transfer_alone(me):
    result = await propose(me, "link_transfer", row="the 42.10 on 20 November", account="my savings")
    assert "a transfer to Savings and not spending" in headline_of(result, me.context)
    assert "I find no other side of it in Savings" in said(me, result)
    await happens(me, result)


async def test_what_differs_between_the_sides_is_said(me):
    result = await propose(me, "link_transfer", row="the 200 to Anna", other="the 198.50 from Wise")
    assert "The £1.50 between the two amounts counts nowhere" in said(me, result)
    await happens(me, result)


@pytest.mark.parametrize(
    ("name", "linked", "merged", "shown"),
    [
        ("link_refund", {"row": BACK, "purchase": TWIN}, ("the 10.00 from Zara", BACK), 1),
        ("link_refund", {"row": BACK, "purchase": TWIN}, ("the 200 in Savings", BACK), 2),
        ("link_transfer", {"row": "the 200 to Anna", "other": "the 200 in Savings"}, (TWIN, "the 200 to Anna"), 1),
        (
            "link_transfer",
            {"row": "the 200 to Anna", "other": "the 200 in Savings"},
            ("the 198.50 in Savings", "the 200 in Savings"),
            1,
        ),
    ],
)
async def test_what_stays_of_two_that_are_one_is_what_the_other_was_linked_as(me, name, linked, merged, shown):
    await confirm(me, await propose(me, name, **linked))
    stays, goes = merged
    result = await propose(me, "merge", row=stays, other=goes, keep=stays)
    assert len(result.table.rows) == shown
    await happens(me, result)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"row": "the 200 to Anna", "other": BACK}, "Both are in Current"),
        ({"row": ZARA, "other": TWIN}, "Both moved money the same way"),
        ({"row": "the 200 to Anna", "other": "the 200 to Anna"}, "two sides"),
        ({"row": "the 200 to Anna", "account": "my current"}, "It is in current itself"),
        ({"row": "the 200 to Anna", "account": "my piggy bank"}, "You have no account “piggy bank”"),
        ({"row": "those two"}, "Which two?"),
    ],
)
async def test_what_can_be_no_transfer_is_refused_or_asked_about(me, arguments, why):
    result = await run(me, "corrections-link_transfer", **arguments)
    assert (result.change, result.kind) == (None, "clarify")
    assert why in said(me, result)


async def test_a_purchase_with_a_refund_is_unlinked_before_it_can_be_a_transfer(me):
    await confirm(me, await propose(me, "link_refund", row=BACK, purchase="the 200 to Anna"))
    for arguments in ({"other": "the 200 in Savings"}, {"account": "my savings"}):
        result = await run(me, "corrections-link_transfer", row="the 200 to Anna", **arguments)
        assert (result.change, len(result.choices)) == (None, 1)


async def test_changes_are_listed_by_what_they_did(me):
    for name, arguments in (
        ("link_refund", {"row": BACK, "purchase": ZARA}), ("merge", {"row": ZARA, "other": TWIN}),
        ("link_transfer", {"row": "the 200 to Anna", "account": "savings"}), ("unlink", {"row": "the 200 to Anna"}),
        ("unlink", {"row": "the 40.00 from Zara"}),
    ):  # fmt: skip
        await confirm(me, await propose(me, name, **arguments))
    listed = await run(me, "corrections-list")
    assert [each[1] for each in listed.table.rows] == [
        "unlinked from its purchase", "no transfer", "linked as a transfer", "merged with another one", "linked to its purchase",
    ]  # fmt: skip
    held = await rows(me)
    for _ in listed.table.rows:
        await confirm(me, await run(me, "corrections-undo", change="last"))
    assert (await run(me, "corrections-undo", change="last")).kind == "empty"
    assert await rows(me) != held


async def test_somebody_elses_rows_are_not_there(me, house):
    theirs = [each.id for each in await rows(me)][:2]
    other = await house.move_in([row(date(2026, 11, 2), -100)], TODAY)
    both = f"#{theirs[0]} #{theirs[1]}"
    for name in ("merge", "link_refund", "link_transfer", "unlink"):
        result = await run(other, f"corrections-{name}", row=both)
        assert (result.kind, result.change) == ("clarify", None)
    assert (await run(other, "transactions-came_back", row=f"#{theirs[0]}")).kind == "clarify"


@settings(
    deadline=None,
    max_examples=25,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(
    ledgers(most=8),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=5),
)
async def test_every_proposal_tells_what_the_months_come_to(house, entries, steps):
    """Of drawn ledgers, one change after the other, each undone and done again."""
    resident = await house.move_in(entries, TODAY)
    for which, one, two in steps:
        held = await rows(resident)
        if not held:
            return
        first, second = held[one % len(held)], held[two % len(held)]
        name = ("merge", "link_refund", "link_transfer", "unlink")[which]
        more = {} if name == "unlink" else {"purchase" if name == "link_refund" else "other": f"#{second.id}"}
        result = await propose(resident, name, row=f"#{first.id}", **more)
        if result.change is not None:
            await happens(resident, result)


@settings(
    deadline=None,
    max_examples=25,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(ledgers(most=10), st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=6))
async def test_what_came_back_is_what_a_plain_sum_of_the_linked_refunds_comes_to(house, entries, links):
    resident = await house.move_in(entries, TODAY)
    amounts = {each.id: Decimal(each.minor).scaleb(-DIGITS[each.currency]) for each in resident.entries}
    of: dict[int, int] = {}
    for one, two in links:
        refund, purchase = (resident.entries[place % len(resident.entries)] for place in (one, two))
        result = await propose(resident, "link_refund", row=f"#{refund.id}", purchase=f"#{purchase.id}")
        if result.change is not None:
            await confirm(resident, result)
            into, out = (refund, purchase) if refund.minor > 0 else (purchase, refund)
            of[into.id] = out.id
    for purchase_id in set(of.values()):
        back = sum(amounts[key] for key, which in of.items() if which == purchase_id)
        told = await run(resident, "transactions-came_back", row=f"#{purchase_id}")
        assert (told.fact("back").value, told.fact("net").value) == (back, -amounts[purchase_id] - back)
        assert sum(cells[-1].amount for cells in told.table.rows) == -told.fact("net").value
