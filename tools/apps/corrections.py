"""Single transactions, as the person knows them better: changed, deleted, split, and put back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from language.catalogue import Template, say
from ledger.by_hand import is_by_hand
from ledger.corrections import change_row, delete_row, split_row
from ledger.journal import Field
from ledger.money import Money, to_minor
from ledger.own_names import told_name
from ledger.periods import find_periods
from ledger.rules import list_rules
from ledger.transactions import Flow, Kind, flow_of
from tools.apps.categories import category_named
from tools.apps.kind_names import KINDS
from tools.apps.parts import parts_of
from tools.apps.proposals import CAN_BE_UNDONE, Counting, as_flow, effects, facts_of, gone, proposed
from tools.apps.refunds import apart, counts_as_linked, letting_go, linked_refunds
from tools.apps.single_rows import as_named, label_of, named, one_row
from tools.calls import Choice, choice_of
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Result, Table
from tools.slots import ChangedField, ChangedRow, ChangedValue, DeletedRow, Parts, SplitRow
from tools.slots.row_changes import NOT_TRANSFER
from tools.slots.rows import by_ids, whole_amount

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.transactions import Transaction
    from tools.results import Value

_CHANGE, _DELETE, _SPLIT = "corrections-change", "corrections-delete", "corrections-split"
_LONGEST_NAME, _LONGEST_NOTE = 60, 200
_SHOWN = 20
#: What is said of a text that a row is to have: where it has none, in place of another one, and once it is done.
_TEXTS = {
    "merchant": ("to be called “{after}”", "to be called “{after}”", "now called “{after}”"),
    "note": ("the note “{after}”", "the note “{after}” in place of “{before}”", "the note is “{after}” now"),
    "labels": ("the labels “{after}”", "the labels “{after}” in place of “{before}”", "labelled “{after}” now"),
}


@tool(
    app="corrections",
    name=_CHANGE,
    examples=(
        "Put the 42.10 at Tesco on Friday under household",
        "Change the category of the second one to gifts",
        "Rename the 9.99 at Netflix to Streaming",
        "Add a note to the 42.10 at Tesco: team lunch",
        "Tag the second one as work",
        "Move the 42.10 at Tesco to 3 October",
        "Mark the second one as a transfer",
        "That one is not a transfer",
        "Ordne die 42,10 bei REWE am Freitag unter Haushalt ein",
        "Die zweite ist keine Umbuchung",
    ),
    keywords=("change", "category", "rename", "note", "tag", "date", "transfer", "ändern", "Notiz", "Umbuchung"),
    writes=True,
)
async def change(context: ToolContext, row: ChangedRow, field: ChangedField, value: ChangedValue) -> Result:
    """Change one transaction's category, merchant, note, labels, day or kind; only where the person asks for it themselves.

    Args:
        row: Which one, by its amount, merchant and day.
        field: What of it is changed.
        value: What it is to be.
    """
    found = await one_row(row, context, lambda label, ids: choice_of(label, _CHANGE, row=ids, field=field, value=value))
    if isinstance(found, Result):
        return found
    wanted = await _wanted(field, value, found, context)
    if isinstance(wanted, Result):
        return wanted
    return proposed(
        context,
        say("{row}: {change}?", row=as_named(found), change=wanted.proposal),
        say("{row}: {change}.", row=as_named(found), change=wanted.done),
        change_row, found.id, {wanted.field: wanted.value},
        facts=facts_of(found),
        notes=(*wanted.notes, CAN_BE_UNDONE),
        names={**named(found), **wanted.names},
        table=await effects(context, wanted.counted),
    )  # fmt: skip


@tool(
    app="corrections",
    name=_DELETE,
    examples=(
        "Delete the 42.10 at Tesco on Friday",
        "Delete the second one",
        "Remove the 9.99 Netflix payment",
        "Lösche die zweite",
        "Lösche die 42,10 bei REWE am Freitag",
    ),
    keywords=("delete", "remove", "löschen"),
    writes=True,
)
async def delete(context: ToolContext, row: DeletedRow) -> Result:
    """Delete one transaction, so that it counts nowhere and no import brings it back.

    Args:
        row: Which one, by its amount, merchant and day.
    """
    found = await one_row(row, context, lambda label, ids: choice_of(say("Delete {row}", row=label), _DELETE, row=ids))
    if isinstance(found, Result):
        return found
    return proposed(
        context,
        say("Delete {row}?", row=as_named(found)),
        say("Deleted: {row}.", row=as_named(found)),
        delete_row, found.id,
        facts=facts_of(found),
        notes=("No import brings it back, and it can be undone.", *await letting_go(context, found)),
        names=named(found),
        table=await effects(context, [gone(found), *await apart(context, await linked_refunds(context, found))]),
    )  # fmt: skip


@tool(
    app="corrections",
    name=_SPLIT,
    examples=(
        "Split the 42.10 at Tesco on Friday into 30 groceries and 12.10 household",
        "Split the second one into 20 for groceries and the rest for gifts",
        "Split that one in half",
        "Teile die 42,10 bei REWE in 30 Lebensmittel und den Rest Haushalt",
    ),
    keywords=("split", "parts", "aufteilen"),
    writes=True,
)
async def split(context: ToolContext, row: SplitRow, parts: Parts) -> Result:
    """Split one transaction into parts that add up to it to the cent, each with a category of its own.

    Args:
        row: Which one, by its amount, merchant and day.
        parts: The amounts and categories, such as "30 groceries and the rest household".
    """
    found = await one_row(
        row, context, lambda label, ids: choice_of(say("Split {row}", row=label), _SPLIT, row=ids, parts=parts)
    )
    if isinstance(found, Result):
        return found
    if (held := await counts_as_linked(context, found)) is not None:
        return held
    rules = await list_rules(context.ledger)

    def divide(words: str) -> Choice:
        return choice_of("", _SPLIT, row=by_ids((found.id,)), parts=words)

    divided = parts_of(parts, found, context, rules, divide)
    if isinstance(divided, Result):
        return divided
    shown = tuple((part.category or found.category, Money(part.amount_minor, found.currency)) for part in divided)
    return proposed(
        context,
        say("Split {row} into {parts}?", row=as_named(found)),
        say("Split {row} into {parts} parts.", row=as_named(found)),
        split_row, found.id, divided,
        facts=facts_of(found),
        notes=("The parts add up to the whole.", CAN_BE_UNDONE, *await letting_go(context, found)),
        names={**named(found), "parts": len(divided)},
        table=Table((Column("Category"), Column("Amount", "money")), shown, "Parts"),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A field's new value and the words for it; ``counted`` is what changes in the figures by it."""

    field: Field
    value: str
    proposal: Template
    done: Template
    names: Mapping[str, Value | Money]
    notes: tuple[str, ...] = ()
    counted: tuple[Counting, ...] = ()


async def _wanted(field: str, value: str, row: Transaction, context: ToolContext) -> _Wanted | Result:
    """Return what a row is to have, or why not."""
    if field in ("category", "merchant", "kind") and (held := await counts_as_linked(context, row)) is not None:
        return held
    if field == "category":
        return await _in_category(value, row, context)
    if field == "amount":
        return await _of_amount(value, row, context)
    if field == "day":
        return _on_day(value, row, context)
    return await _of_kind(value, row, context) if field == "kind" else _with_text(field, value, row)


def _with_text(field: str, value: str, row: Transaction) -> _Wanted | Result:
    longest = _LONGEST_NAME if field == "merchant" else _LONGEST_NOTE
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in value).split())
    if not text or len(text) > longest:
        return Result("That takes {most} characters at most.", names={"most": longest}, kind="clarify")
    before = {"merchant": row.merchant, "note": row.notes, "labels": row.labels}[field]
    if before == text:
        return Result(say("{row} has it already.", row=as_named(row)), names=named(row), kind="unchanged")
    first, another, done = _TEXTS[field]
    notes = ("Only this transaction is renamed.",) if field == "merchant" else ()
    proposal = say(another if before else first)
    return _Wanted(Field(field), text, proposal, say(done), {"before": before, "after": text}, notes)


async def _in_category(value: str, row: Transaction, context: ToolContext) -> _Wanted | Result:
    def put(each: str) -> Choice:
        label = say("Put {what} under {category}", what=label_of(row, context), category=each)
        return choice_of(label, _CHANGE, row=by_ids((row.id,)), field="category", value=each)

    wanted = category_named(value, context, await list_rules(context.ledger), put)
    if isinstance(wanted, Result):
        return wanted
    if wanted == row.category:
        names = {**named(row), "category": told_name(wanted)}
        already = say("{row} is under {category} already.", row=as_named(row))
        return Result(already, names=names, kind="unchanged")
    names = {"before": row.category, "after": wanted}
    everything = "Only this one; “always put {merchant} under {after}” is for all of them."
    words = say("from {before} to {after}"), say("under {after} now")
    return _Wanted(Field.CATEGORY, wanted, *words, names, (everything,))


async def _of_kind(value: str, row: Transaction, context: ToolContext) -> _Wanted | Result:
    """Return the kind that a row is to be of; what is no transfer is spent or earned, as its sign says."""
    kind = Kind.INCOME if row.amount_minor > 0 else Kind.PURCHASE
    if value != NOT_TRANSFER:
        kind = Kind(value)
    is_transfer = row.kind in (Kind.TRANSFER, Kind.CARD_PAYMENT)
    if kind is row.kind or (value == NOT_TRANSFER and not is_transfer):
        already = say("{row} is {kind} already.", row=as_named(row))
        return Result(already, names={**named(row), "kind": KINDS[kind]}, kind="unchanged")
    if kind is Kind.INCOME and row.amount_minor < 0:
        out = say("{row} went out, so it is no income.", row=as_named(row))
        return Result(out, names=named(row), kind="clarify")
    if kind in (Kind.PURCHASE, Kind.FEE) and row.amount_minor > 0:
        into = say("{row} came in, so it is no spending.", row=as_named(row))
        return Result(into, names=named(row), kind="clarify")
    names: dict[str, Value | Money] = {"before": KINDS[row.kind], "after": KINDS[kind]}
    notes, side, counted = await _other_side(row, context)
    counted = [as_flow(row, flow_of(kind, row.amount_minor)), *counted]
    spends = flow_of(kind, row.amount_minor) is Flow.SPENDING
    for refund in await linked_refunds(context, row):  # they count as the purchase does
        counted.append(as_flow(refund, flow_of(Kind.REFUND if spends else kind, refund.amount_minor)))
    words = say("{after} and not {before}"), say("{after} now")
    return _Wanted(Field.KIND, kind.value, *words, {**names, **side}, notes, counted=tuple(counted))


async def _other_side(
    row: Transaction, context: ToolContext
) -> tuple[tuple[str, ...], dict[str, Value | Money], list[Counting]]:
    """Return the note of what the other side of a transfer is by itself, the note's names, and what it then counts as."""
    found = (await context.ledger.other_sides([row.id])).get(row.id)
    others = await context.ledger.rows_of([found[0]]) if found is not None else []
    if found is None or not others:
        return (), {}, []
    (other,), kind = others, found[1]
    names: dict[str, Value | Money] = {
        "side_amount": Money(abs(other.amount_minor), other.currency), "side_account": other.account,
        "side_kind": KINDS[kind],
    }  # fmt: skip
    note = "Its other side, {side_amount} in {side_account}, is {side_kind} by itself."
    return (note,), names, [as_flow(other, flow_of(kind, other.amount_minor))]


def _on_day(value: str, row: Transaction, context: ToolContext) -> _Wanted | Result:
    found = find_periods(value, context.today, context.week_start)
    day = found[0].period.start if len(found) == 1 and found[0].period.days == 1 else None
    if day is None:
        try:
            day = date.fromisoformat(value)
        except ValueError:
            return Result("I need one day, such as “3 October” or “last Friday”.", kind="clarify")
    if day > context.today:
        return Result("{day} is still to come.", names={"day": day}, kind="clarify")
    if day == row.booked_on:
        already = say("{row} is on that day already.", row=as_named(row))
        return Result(already, names=named(row), kind="unchanged")
    names: dict[str, Value | Money] = {"after": day}
    words, notes = (say("to be on {after}"), say("on {after} now")), ("The bank's own day stays known.",)
    return _Wanted(Field.DAY, day.isoformat(), *words, names, notes)


async def _of_amount(value: str, row: Transaction, context: ToolContext) -> _Wanted | Result:
    """Return the amount that a row by hand is to have; what a bank booked stays."""
    if not await is_by_hand(context.ledger, row.batch_id):
        return Result(
            say("{row} is what your bank booked, so its amount stays.", row=as_named(row)),
            notes=(
                ("You can split it (“split the 42.10 at Tesco into 30 groceries and the rest household”) or write another"
                " payment down (“spent 5 on coffee yesterday”)."),
            ),
            names=named(row), kind="clarify",
        )  # fmt: skip
    told = whole_amount(value, row.currency)
    minor = to_minor(told.amount, row.currency) if told else 0
    if told is None or not minor or told.currency not in (None, row.currency):
        return Result("I need an amount in {currency}.", names={"currency": row.currency}, kind="clarify")
    signed = minor if row.amount_minor > 0 else -minor
    names: dict[str, Value | Money] = {"after": Money(minor, row.currency)}
    counted = (Counting(row, row.flow, signed),)
    return _Wanted(Field.AMOUNT, str(signed), say("to be {after}"), say("{after} now"), names, counted=counted)
