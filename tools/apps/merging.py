"""Transactions that are one and the same payment: a bank's twin, or a row by hand and the booked one."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.by_hand import is_by_hand
from ledger.filters import Filter
from ledger.judgement import UNCATEGORISED
from ledger.meetings import DAYS_APART
from ledger.merging import merge_rows
from ledger.money import Money
from ledger.periods import Period
from ledger.transactions import flow_of
from tools.apps.proposals import Counting, as_flow, effects, facts_of, gone, proposed
from tools.apps.refunds import as_refund, linked_refunds, purchase_of
from tools.apps.single_rows import as_named, label_of, named, one_row, several_rows, which_of
from tools.calls import Choice, choice_of
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Result
from tools.slots import KeptRow, MergedRow, MergedWith
from tools.slots.rows import by_ids, ids_in, place_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.transactions import Transaction
    from tools.results import Value

    #: Asks for the same with both references and a label.
    Again = Callable[[str, str | None, str], Choice]

_MERGE = "corrections-merge"
_MOST = 5
#: What becomes of a row that goes: one of the same amount, and one of another.
_COUNTS_NOWHERE = (
    "“{text}”, {date}, {account}, counts nowhere then.",
    "“{text}”, {amount}, {date}, {account}, counts nowhere then.",
)
#: What is asked of two rows, by whether their money came in.
_ONE_PAYMENT = {
    True: "{row} and {gone_amount_1} from {other} on {gone_date_1} are one payment?",
    False: "{row} and {gone_amount_1} at {other} on {gone_date_1} are one payment?",
}


@tool(
    app="corrections",
    name=_MERGE,
    examples=(
        "Merge those two",
        "Rows 1 and 2 of that list are one",
        "These two are the same",
        "The 42.10 at Tesco on Friday and the 42.10 at Tesco on Saturday are the same",
        "Merge the first and the third, keep the third",
        "The second one is there twice",
        "Führe die beiden zusammen",
        "Zeile 1 und 2 sind dieselbe Buchung",
        "Die zweite ist doppelt",
    ),
    keywords=("merge", "same", "duplicate", "twice", "zusammen", "doppelt", "dieselbe"),
    writes=True,
)
async def merge(
    context: ToolContext, row: MergedRow, other: MergedWith | None = None, keep: KeptRow | None = None
) -> Result:
    """Make one transaction of two or more that are the same payment; only where the person says so themselves.

    Args:
        row: One of them, or all in one expression, such as "those two".
        other: The other one.
        keep: Which of them stays.
    """

    def again(one: str, two: str | None, label: str) -> Choice:
        return choice_of(label, _MERGE, row=one, **({"other": two} if two else {}), **({"keep": keep} if keep else {}))

    rows = await several_rows(row, other, context, again)
    if isinstance(rows, list) and len(rows) == 1:
        rows = await _with_its_twin(rows[0], context, again)
    if isinstance(rows, Result):
        return rows
    rows = list({each.id: each for each in rows}.values())
    if len({each.amount_minor > 0 for each in rows}) > 1 or not 2 <= len(rows) <= _MOST:
        return _not_one(rows)
    kept = await _kept(rows, keep, context)
    return (
        kept
        if isinstance(kept, Result)
        else await _proposal(kept, [each for each in rows if each is not kept], context)
    )


def _not_one(rows: Sequence[Transaction]) -> Result:
    """Say why some transactions are not one."""
    if len(rows) < 2:
        return Result("That is one transaction already.", kind="clarify")
    if len(rows) > _MOST:
        return Result("At most {most} transactions can be one.", names={"most": _MOST}, kind="clarify")
    return Result(
        "One of them went out and the other came in, so they are not one payment.",
        notes=(
            "A refund is linked by “that refund belongs to the Zara purchase”, a transfer by “those two are a transfer”.",
        ),
        kind="clarify",
    )


async def _with_its_twin(
    row: Transaction, context: ToolContext, again: Callable[[str, str | None, str], Choice]
) -> list[Transaction] | Result:
    """Return a transaction with the one that is like it, or the question which; it is said to be there twice."""
    near = Period(row.booked_on - timedelta(DAYS_APART), row.booked_on + timedelta(DAYS_APART))
    size = abs(row.amount_minor)
    wanted = Filter(
        period=near,
        at_least_minor=size,
        at_most_minor=size,
        currency=row.currency,
        sign=1 if row.amount_minor > 0 else -1,
    )
    found = [each for each in await context.ledger.rows(wanted, "newest", _MOST + 1) if each.id != row.id]
    if not found:
        return Result(
            say("I find no second one like {row} within {days} days.", row=as_named(row)),
            notes=("Name both, such as “merge the 42.10 at Tesco on Friday and the 42.90 at Tesco on Saturday”.",),
            names={**named(row), "days": DAYS_APART},
            kind="clarify",
        )
    mine = by_ids((row.id,))
    twin = which_of(found, context, lambda label, ids: again(mine, ids, label))
    return twin if isinstance(twin, Result) else [row, twin]


async def _kept(rows: Sequence[Transaction], keep: str | None, context: ToolContext) -> Transaction | Result:
    """Return which one stays: the one that is named, else the bank's, else the one that tells more, else the latest import's."""
    if keep is None:
        by_hand = {row.batch_id: await is_by_hand(context.ledger, row.batch_id) for row in rows}
        sides = await context.ledger.other_sides([row.id for row in rows])
        return max(
            rows,
            key=lambda row: (
                not by_hand[row.batch_id],
                row.id in sides,
                row.category != UNCATEGORISED,
                row.batch_id,
                -row.id,
            ),
        )
    place = place_in(keep)
    if place is not None and not ids_in(keep):
        return rows[place - 1 if place > 0 else place] if place and place <= len(rows) else rows[0]
    named_one = await one_row(
        keep, context, lambda label, ids: choice_of(label, _MERGE, row=by_ids(_ids(rows)), keep=ids)
    )
    if isinstance(named_one, Result):
        return named_one
    return next((row for row in rows if row.id == named_one.id), rows[0])


def _ids(rows: Sequence[Transaction]) -> tuple[int, ...]:
    return tuple(row.id for row in rows)


async def _counted(kept: Transaction, others: Sequence[Transaction], context: ToolContext) -> list[Counting]:
    """Return what the rows count as then.

    The one that stays is the refund that another one was, or the side of its transfer, if it can be.
    """
    sides = await context.ledger.other_sides([kept.id, *_ids(others)])
    refunds = [await linked_refunds(context, row) for row in (kept, *others)]
    bought = [await purchase_of(context, row) for row in (kept, *others)]
    counted = [gone(row) for row in others]
    if bought[0] is None and (of := next((each for each in bought if each and each.currency == kept.currency), None)):
        counted.append(as_refund(kept, of))
    is_free = kept.id not in sides and not any(refunds) and not any(bought)
    for row in others:
        if row.id not in sides:
            continue
        other_id, kind = sides[row.id]
        (other,) = await context.ledger.rows_of([other_id])
        if is_free and other.account != kept.account:
            counted.append(as_flow(kept, row.flow))
            is_free = False
        else:
            counted.append(as_flow(other, flow_of(kind, other.amount_minor)))
    return counted


async def _proposal(kept: Transaction, others: Sequence[Transaction], context: ToolContext) -> Result:
    names: dict[str, Value | Money] = {
        **named(kept), "kept_account": kept.account, "kept_text": kept.description, "count": len(others),
    }  # fmt: skip
    notes = ["It stays as “{kept_text}” of {date} in {kept_account}, with what you said of either."]
    for number, row in enumerate(others, start=1):
        names |= {
            f"gone_amount_{number}": Money(abs(row.amount_minor), row.currency), f"gone_text_{number}": row.description,
            f"gone_date_{number}": row.booked_on, f"gone_account_{number}": row.account,
        }  # fmt: skip
        fields = {name: say(f"{{gone_{name}_{number}}}") for name in ("text", "amount", "date", "account")}
        alike, other = _COUNTS_NOWHERE
        notes.append(say(alike if row.money == kept.money else other, **fields))
    notes.append("No import brings it back, and it can be undone.")
    question = "{row} and {count} others are one payment?"
    if len(others) == 1:
        names["other"] = others[0].merchant
        question = _ONE_PAYMENT[kept.amount_minor > 0]
    every = by_ids((kept.id, *_ids(others)))
    labels = [label_of(row, context) for row in (kept, *others)]
    choices = tuple(
        choice_of(say("Keep {row}", row=label if labels.count(label) == 1 else f"{label}, {row.description[:40]}"), _MERGE,
                  row=every, keep=by_ids((row.id,)))
        for row, label in zip(others, labels[1:], strict=True)
    )  # fmt: skip
    return proposed(
        context,
        say(question, row=as_named(kept)),
        say("{row} is one payment now.", row=as_named(kept)),
        merge_rows, kept.id, [row.id for row in others],
        facts=facts_of(kept),
        notes=tuple(notes),
        names=names,
        table=await effects(context, await _counted(kept, others, context)),
        choices=choices,
    )  # fmt: skip
