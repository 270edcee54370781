"""Transactions that belong together: a refund and its purchase, the two sides of a transfer between own accounts."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.corrections import change_row
from ledger.filters import Filter
from ledger.journal import Field
from ledger.money import Money
from ledger.own_transfers import link_transfer
from ledger.periods import Period
from ledger.refunds import link_refund
from ledger.transactions import Flow, Kind, flow_of
from ledger.transfers import kinds_into
from tools.apps.kind_names import KINDS
from tools.apps.proposals import CAN_BE_UNDONE, as_flow, effects, facts_of, proposed
from tools.apps.refunds import UNLINK, as_refund, linked_refunds, purchase_of
from tools.apps.single_rows import as_named, named, rows_like, several_rows, which_of
from tools.calls import Choice, choice_of
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Result
from tools.schema.wording import shorten
from tools.slots import (
    PurchaseRow,
    RefundRow,
    TransferAccount,
    TransferOther,
    TransferRow,
)
from tools.slots.ignoring import bare_words
from tools.slots.names import AccountSlot, names_of
from tools.slots.rows import by_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.transactions import Account, Transaction
    from tools.apps.proposals import Counting
    from tools.results import Value

    #: Asks for the same with both references and a label.
    Again = Callable[[str, str | None, str], Choice]

_REFUND, _TRANSFER = "corrections-link_refund", "corrections-link_transfer"
#: So many days apart a person's two sides of a transfer are looked for.
_DAYS_APART = 10
#: What is asked and said of one side alone, by whether its money went out.
_ONE_SIDED = {
    True: ("{row}: a transfer to {account} and not {kind}?", "{row}: a transfer to {account} now."),
    False: ("{row}: a transfer from {account} and not {kind}?", "{row}: a transfer from {account} now."),
}


@tool(
    app="corrections",
    name=_REFUND,
    examples=(
        "That refund belongs to the Zara purchase",
        "Link the 40.00 refund from Zara to the purchase of 3 October",
        "The second one is the refund for the 89.95 at Zara",
        "Die Erstattung gehört zum Einkauf bei Zara am 3. Oktober",
        "Verknüpfe die zweite mit den 89,95 bei Zara",
    ),
    keywords=("refund", "belongs", "link", "Erstattung", "gehört", "verknüpfe"),
    writes=True,
)
async def link_to_purchase(context: ToolContext, row: RefundRow, purchase: PurchaseRow | None = None) -> Result:
    """Say which purchase a refund is of, so that it counts at that shop and under that category; only where the person says so.

    Args:
        row: The refund, or both in one expression.
        purchase: The purchase.
    """
    pair = await _refund_and_purchase(row, purchase, context)
    if isinstance(pair, Result):
        return pair
    refund, bought = pair
    linked = await purchase_of(context, refund)
    names: dict[str, Value | Money] = {
        **named(refund), "paid": Money(abs(bought.amount_minor), bought.currency), "shop": bought.merchant,
        "bought": bought.booked_on, "category": bought.category,
    }  # fmt: skip
    if linked is not None and linked.id == bought.id:
        already = say("{row} is linked to that already.", row=as_named(refund))
        return Result(already, names=names, kind="unchanged")
    if bought.flow is Flow.NEITHER and bought.kind is not Kind.LEFT_OUT:
        names["kind"] = KINDS[bought.kind]
        return Result(
            "{paid} at {shop} on {bought} is {kind}, so nothing of it is refunded.", names=names, kind="clarify"
        )
    notes = [
        "It counts at {shop}, under {category}, in the month in which it came.",
        await _left(refund, bought, context, names),
    ]
    if linked is not None:
        names["before"] = linked.merchant
        notes.append("It is no longer one of {before}.")
    return proposed(
        context,
        say("{row} is a refund of {paid} at {shop} on {bought}?", row=as_named(refund)),
        say("{row} is a refund of {paid} at {shop} on {bought} now.", row=as_named(refund)),
        link_refund, refund.id, bought.id,
        facts=facts_of(refund),
        notes=(*notes, CAN_BE_UNDONE),
        names=names,
        table=await effects(context, [as_refund(refund, bought), *await _parted(context, refund)]),
    )  # fmt: skip


async def _left(
    refund: Transaction, purchase: Transaction, context: ToolContext, names: dict[str, Value | Money]
) -> str:
    """Return the note of what is left of a purchase with one more refund."""
    others = [each for each in await linked_refunds(context, purchase) if each.id != refund.id]
    left = -purchase.amount_minor - refund.amount_minor - sum(each.amount_minor for each in others)
    names["left"] = Money(abs(left), purchase.currency)
    if left < 0:
        return "That is {left} more than was paid."
    return "{left} of it is left then." if left else "Nothing of it is left then."


async def _parted(context: ToolContext, row: Transaction) -> list[Counting]:
    """Return what the other side of a transfer counts as that is none any more."""
    side = (await context.ledger.other_sides([row.id])).get(row.id)
    if side is None:
        return []
    others = await context.ledger.rows_of([side[0]])
    return [as_flow(other, flow_of(side[1], other.amount_minor)) for other in others]


async def _refund_and_purchase(
    row: str, purchase: str | None, context: ToolContext
) -> tuple[Transaction, Transaction] | Result:
    """Return the money that came back and what it is of, in whichever order they are named; or the question which."""

    def again(one: str, two: str | None, label: str) -> Choice:
        return choice_of(label, _REFUND, row=one, **({"purchase": two} if two else {}))

    if purchase is None:
        rows = await several_rows(row, None, context, again)
        if isinstance(rows, Result):
            return rows
        into, out = ([each for each in rows if each.amount_minor * sign > 0] for sign in (1, -1))
        return (into[0], out[0]) if len(into) == len(out) == 1 else _no_refund()
    came = await rows_like(row, context, Filter(sign=1))
    if isinstance(came, Result) and not isinstance(await rows_like(purchase, context, Filter(sign=1)), Result):
        row, purchase = purchase, row  # “the Zara purchase was refunded by the 40.00 from Inditex”
        came = await rows_like(row, context, Filter(sign=1))
    if isinstance(came, Result):
        return came
    refund = which_of(came, context, lambda label, ids: again(ids, purchase, label))
    if isinstance(refund, Result):
        return refund
    bought = await _bought(purchase, refund, context, again)
    if isinstance(bought, Result):
        return bought
    fits = refund.amount_minor > 0 > bought.amount_minor and refund.currency == bought.currency
    return (refund, bought) if fits else _no_refund()


async def _bought(words: str, refund: Transaction, context: ToolContext, again: Again) -> Transaction | Result:
    """Return the purchase that words mean of which a refund may be, the likeliest offered first."""
    rows = await rows_like(words, context, Filter(sign=-1, currency=refund.currency))
    if isinstance(rows, Result):
        return rows
    same = [row for row in rows if row.merchant == refund.merchant]
    likely = sorted(
        same if len(same) == 1 else rows,
        key=lambda row: (row.booked_on > refund.booked_on, -row.amount_minor < refund.amount_minor),
    )
    mine = by_ids((refund.id,))
    return which_of(likely, context, lambda label, ids: again(mine, ids, label))


def _no_refund() -> Result:
    return Result(
        "A refund is money that came in, and its purchase money that went out, both in one currency.",
        notes=("Name both, such as “the 40.00 from Inditex is the refund for the 89.95 at Zara”.",),
        kind="clarify",
    )


@tool(
    app="corrections",
    name=_TRANSFER,
    examples=(
        "Those two are a transfer between my accounts",
        "The 200 to Anna is a transfer to my savings",
        "Link rows 1 and 2 as a transfer",
        "Mark the second one as a transfer to my savings",
        "Die beiden sind eine Umbuchung",
        "Die 200 an Anna sind eine Umbuchung auf mein Tagesgeld",
    ),
    keywords=("transfer", "between", "accounts", "savings", "Umbuchung"),
    writes=True,
)
async def link_as_transfer(
    context: ToolContext, row: TransferRow, other: TransferOther | None = None, account: TransferAccount | None = None
) -> Result:
    """Say that two transactions are one transfer between own accounts, so that neither counts; only where the person says so.

    Args:
        row: One side, or both in one expression.
        other: The other side.
        account: The own account that the money went to or came from, where that side is not named.
    """

    def again(one: str, two: str | None, label: str) -> Choice:
        more = {"account": account} if account and not two else {}
        return choice_of(label, _TRANSFER, row=one, **({"other": two} if two else {}), **more)

    rows = await several_rows(row, other, context, again)
    if isinstance(rows, Result):
        return rows
    if account is not None and other is None:
        one = which_of(rows, context, lambda label, ids: again(ids, None, label))
        return one if isinstance(one, Result) else await _to_account(one, account, context, again)
    if len(rows) != 2:
        return Result("A transfer has two sides. Which is the other one?", kind="clarify")
    return await _as_transfer(rows, context)


async def _to_account(row: Transaction, name: str, context: ToolContext, again: Again) -> Result:
    """Propose a transfer to or from an account of the person's, with its other side there, if there is one."""
    accounts = _accounts(name, row, context)
    if isinstance(accounts, Result):
        return accounts
    size, near = abs(row.amount_minor), timedelta(_DAYS_APART)
    wanted = Filter(
        period=Period(row.booked_on - near, row.booked_on + near), accounts=tuple(each.id for each in accounts),
        at_least_minor=size, at_most_minor=size, currency=row.currency, sign=-1 if row.amount_minor > 0 else 1,
    )  # fmt: skip
    found = await context.ledger.rows(wanted, "oldest")
    if found:
        nearest = min(abs((each.booked_on - row.booked_on).days) for each in found)
        found = [each for each in found if abs((each.booked_on - row.booked_on).days) == nearest]
        mine = by_ids((row.id,))
        other = which_of(found, context, lambda label, ids: again(mine, ids, label))
        return other if isinstance(other, Result) else await _as_transfer([row, other], context)
    return await _one_sided(row, accounts[0], context)


async def _one_sided(row: Transaction, account: Account, context: ToolContext) -> Result:
    """Propose that a row is a transfer whose other side no file has brought yet."""
    kind = kinds_into(account.type)[0] if row.amount_minor < 0 else Kind.TRANSFER
    names = {**named(row), "account": account.name, "days": _DAYS_APART}
    if row.kind is kind:
        return Result(say("{row} is a transfer already.", row=as_named(row)), names=names, kind="unchanged")
    if await linked_refunds(context, row) or await purchase_of(context, row):
        return _refund_first(row)
    question, done = _ONE_SIDED[row.amount_minor < 0]
    return proposed(
        context,
        say(question, row=as_named(row)),
        say(done, row=as_named(row)),
        change_row, row.id, {Field.KIND: kind.value},
        facts=facts_of(row),
        notes=(
            "I find no other side of it in {account} within {days} days.",
            "When a file brings that, the two are one transfer.",
            CAN_BE_UNDONE,
        ),
        names={**names, "kind": KINDS[row.kind]},
        table=await effects(context, [as_flow(row, flow_of(kind, row.amount_minor)), *await _parted(context, row)]),
    )  # fmt: skip


def _refund_first(row: Transaction) -> Result:
    return Result(
        say("{row} is linked as a purchase and its refund; unlink it first.", row=as_named(row)),
        names=named(row),
        kind="clarify",
        choices=(choice_of(say("Unlink it"), UNLINK, row=by_ids((row.id,))),),
    )


def _accounts(name: str, row: Transaction, context: ToolContext) -> list[Account] | Result:
    """Return the person's accounts of a name, other than the one that a row is in."""
    own = {each.name: each for each in context.vocabulary.accounts}
    names = [name] if name in own else names_of(AccountSlot().check(bare_words(name), context).value)
    found = [own[each] for each in names if each in own]
    others = [each for each in found if each.name != row.account]
    if others:
        return others
    said = {"account": shorten(bare_words(name), quoted=False)}
    if found:
        return Result(
            "It is in {account} itself. Which other account is the other side in?", names=said, kind="clarify"
        )
    choices = tuple(
        choice_of(say("{account}", account=each), _TRANSFER, row=by_ids((row.id,)), account=each)
        for each in own
        if each != row.account
    )
    return Result(
        "You have no account “{account}”. Is it one of these?", names=said, kind="clarify", choices=choices[:5]
    )


async def _as_transfer(rows: Sequence[Transaction], context: ToolContext) -> Result:
    """Propose that two rows are the sides of one transfer."""
    out, into = sorted(rows, key=lambda row: row.amount_minor > 0)
    names: dict[str, Value | Money] = {
        "amount": Money(abs(out.amount_minor), out.currency), "from": out.account, "to": into.account,
        "date": out.booked_on, "came": into.money, "came_on": into.booked_on,
    }  # fmt: skip
    wrong = _no_transfer(out, into)
    if wrong:
        return Result(wrong, names=names, kind="clarify")
    for row in (out, into):
        if await linked_refunds(context, row) or await purchase_of(context, row):
            return _refund_first(row)
    sides = await context.ledger.other_sides([out.id, into.id])
    if out.id in sides and sides[out.id][0] == into.id:
        return Result("Those two are a transfer already.", kind="unchanged")
    account = next((each for each in context.vocabulary.accounts if each.name == into.account), None)
    kinds = kinds_into(account.type if account else None)
    counted = [as_flow(row, flow_of(kind, row.amount_minor)) for row, kind in zip((out, into), kinds, strict=True)]
    counted += [*await _parted(context, out), *await _parted(context, into)]
    notes = ["Neither side counts as spending or income then."] if kinds[0] is not Kind.LOAN_PAYMENT else []
    if out.currency == into.currency and out.amount_minor + into.amount_minor:
        names["off"] = Money(abs(out.amount_minor + into.amount_minor), out.currency)
        notes.append("The {off} between the two amounts counts nowhere; split the larger one if that was a fee.")
    if sides:
        notes.append("What they were paired with before is by itself again.")
    told = say("{amount} from {from} on {date} and {came} in {to} on {came_on}")
    return proposed(
        context,
        say("{sides} are one transfer between your own accounts?", sides=told),
        say("{sides} are one transfer between your own accounts now.", sides=told),
        link_transfer, out.id, into.id,
        facts=facts_of(out),
        notes=(*notes, CAN_BE_UNDONE),
        names=names,
        table=await effects(context, counted),
    )  # fmt: skip


def _no_transfer(out: Transaction, into: Transaction) -> str:
    """Return why two rows can't be a transfer; nothing where they can."""
    if out.id == into.id:
        return "A transfer has two sides. Which is the other one?"
    if not out.amount_minor < 0 < into.amount_minor:
        return "Both moved money the same way; a transfer goes out of one account and into another."
    if out.account == into.account:
        return "Both are in {from}; a transfer goes out of one account and into another."
    return ""
