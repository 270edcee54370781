"""Which one transaction is meant, by what a person sees of it: found, or asked about with choices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from language.catalogue import Template, joined, say
from language.lexicon import listed
from language.words import fold_in_place, words
from ledger.filters import ALL_TIME, Filter
from ledger.money import Money, to_minor
from ledger.periods import Period, find_periods
from tools.apps.scope import no_data
from tools.apps.transactions import transaction_table
from tools.results import Result
from tools.slots.names import AccountSlot, CategorySlot, MerchantSlot, account_ids, merchant_keys, names_of
from tools.slots.row_links import BACK
from tools.slots.rows import FIRST_OF, LARGEST, LATEST, amounts_in, by_ids, ids_in, places_in
from tools.wording import day, money

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.filters import Order
    from ledger.transactions import Transaction
    from tools.calls import Choice
    from tools.context import ToolContext
    from tools.results import Value

_MOST_CHOICES = 5
#: Nouns and small words around what is named.
_SAYS_LITTLE = listed("function_words", "around_search", "purchase_nouns", "articles", "possessives", "at_shop")
_WHICH_TWO = (
    "Say, for example, “rows 1 and 2” of a list, or “the 42.10 at Tesco on Friday and the 42.10 at Tesco on Saturday”."
)
_WHICH = "Name it by its amount, merchant and day, such as “the 42.10 at Tesco on Friday”."
#: So many strings of the bank's text may hold the words of a reference.
_MOST_PHRASES = 50


#: What a transaction of a kind is, as it is told.


@dataclass(frozen=True, slots=True)
class _Reference:
    """What words say of a transaction: filters that it may fit, which of several, and words for the bank's text."""

    wanted: Filter
    order: Order
    one: bool
    amounts: tuple[tuple[int, str | None], ...]
    text: str


async def one_row(
    reference: str, context: ToolContext, again: Callable[[str, str], Choice], within: Filter | None = None
) -> Transaction | Result:
    """Return the transaction that words mean, or the question which; ``again`` asks for the same with a label and ids.

    What is found by words is ``within`` the sign and currency of a filter, if one is given.
    """
    if not context.vocabulary.count:
        return no_data(context)
    rows = await rows_like(reference, context, within)
    return rows if isinstance(rows, Result) else which_of(rows, context, again)


async def rows_like(reference: str, context: ToolContext, within: Filter | None = None) -> list[Transaction] | Result:
    """Return the transactions that words may mean, at least one and not many more than can be chosen from; or why none."""
    ids = ids_in(reference)
    if not ids and places_in(reference) is not None:
        return Result(joined((say("Which transaction?"), say(_WHICH)), " "), kind="clarify")
    rows = await context.ledger.rows_of(ids) if ids else await _found(reference, context, within or Filter())
    if ids and within is not None and within.sign:
        rows = [row for row in rows if row.amount_minor * within.sign > 0] or rows
    if rows:
        return rows
    if ids:
        return Result("That transaction is no longer there.", kind="clarify")
    none = joined((say("I find no transaction “{said}”."), say(_WHICH)), " ")
    return Result(none, names={"said": reference[:80]}, kind="clarify")


def which_of(
    rows: Sequence[Transaction], context: ToolContext, again: Callable[[str, str], Choice]
) -> Transaction | Result:
    """Return the only one of some transactions, or the question which of them, the first ones offered."""
    if len(rows) == 1:
        return rows[0]
    choices = tuple(again(label_of(row, context), by_ids((row.id,))) for row in rows[:_MOST_CHOICES])
    more = len(rows) > _MOST_CHOICES
    many, some = (
        "More than {count} transactions are like that. Which one?",
        "{count} transactions are like that. Which one?",
    )
    question = many if more else some
    return Result(question, names={"count": min(len(rows), _MOST_CHOICES)}, kind="clarify", choices=choices)


async def several_rows(
    row: str, other: str | None, context: ToolContext, again: Callable[[str, str | None, str], Choice]
) -> list[Transaction] | Result:
    """Return the two or more transactions that are named, or the question which.

    Both may be named by one expression. ``again`` asks for the same with a label and both references. One alone is
    returned as one, for the caller to look for another.
    """
    if not context.vocabulary.count:
        return no_data(context)
    if other is not None:
        first = await one_row(row, context, lambda label, ids: again(ids, other, label))
        if isinstance(first, Result):
            return first
        one = by_ids((first.id,))
        second = await one_row(other, context, lambda label, ids: again(one, ids, label))
        return second if isinstance(second, Result) else [first, second]
    if not ids_in(row) and places_in(row) is not None:
        return Result(joined((say("Which two?"), say(_WHICH_TWO)), " "), kind="clarify")
    rows = await rows_like(row, context)
    if isinstance(rows, Result) or ids_in(row) or len(rows) <= 2:
        return rows
    return Result(
        joined((say("Several transactions are like that. Which two?"), say(_WHICH_TWO)), " "),
        table=transaction_table(rows),
        listed=tuple(each.id for each in rows),
        kind="clarify",
    )


def label_of(row: Transaction, context: ToolContext) -> Template:
    """Return a transaction as a person would name it; two that are alike differ by their account."""
    size, booked_on = money(row.money, context.locale), day(row.booked_on, context.language)
    return say("{row}", row=f"{size}, {row.merchant}, {booked_on}, {row.account}")


def named(row: Transaction) -> dict[str, Value | Money]:
    """Return what templates call a transaction: its size, who was paid or paid, and its day."""
    return {"amount": Money(abs(row.amount_minor), row.currency), "merchant": row.merchant, "date": row.booked_on}


def as_named(row: Transaction) -> Template:
    """Return the template of a transaction's name."""
    return say("{amount} from {merchant} on {date}" if row.amount_minor > 0 else "{amount} at {merchant} on {date}")


async def _found(reference: str, context: ToolContext, within: Filter) -> list[Transaction]:
    """Return the transactions that fit all that is said, the newest first and not many more than can be chosen from."""
    said = _read(reference, context)
    filters = [replace(said.wanted, sign=within.sign or said.wanted.sign, currency=within.currency)]
    if said.text:
        found = await context.search.find(said.text, _MOST_PHRASES)
        if not found.literal:
            return []
        filters = [replace(said.wanted, phrases=found.ids)]
    if said.amounts:
        filters = [
            replace(each, at_least_minor=minor, at_most_minor=minor, currency=currency)
            for each in filters for minor, currency in said.amounts if within.currency in (None, currency)
        ]  # fmt: skip
    elif said.wanted in (Filter(), Filter(sign=1)) and not said.text and not said.one:
        return []  # nothing was said at all
    rows: list[Transaction] = []
    for wanted in filters:
        rows += await context.ledger.rows(wanted, said.order, 1 if said.one else _MOST_CHOICES + 1)
    return rows


def _read(reference: str, context: ToolContext) -> _Reference:
    """Return what words say: days, amounts, names, and the rest as words of the bank's text."""
    folded = fold_in_place(reference)
    taken: list[tuple[int, int]] = []
    period: Period = ALL_TIME
    for each in find_periods(reference, context.today, context.week_start)[:1]:
        period = each.period
        taken.append((each.start, each.end))
    amounts = []
    for told in amounts_in(reference, context.currency):
        if not _overlaps((told.start, told.end), taken):
            amounts += [
                (to_minor(told.amount, currency), currency)
                for currency in ([told.currency] if told.currency else context.vocabulary.currencies)
            ]
            taken.append((told.start, told.end))
    wanted, order, one = Filter(period=period), "newest", False
    if (back := BACK.search(folded)) is not None and not _overlaps(back.span(), taken):
        wanted = replace(wanted, sign=1)
        taken.append(back.span())
    for form, meant in ((LATEST, "newest"), (FIRST_OF, "oldest"), (LARGEST, "largest")):
        if (found := form.search(folded)) is not None and not _overlaps(found.span(), taken):
            order, one = meant, True
            taken.append(found.span())
            break
    wanted = _narrowed(wanted, reference, taken, context)
    left = [word for word in words(reference) if not _overlaps((word.start, word.end), taken)]
    text = " ".join(reference[word.start : word.end] for word in left if word.key not in _SAYS_LITTLE)
    return _Reference(wanted, _order(order), one and not amounts, tuple(dict.fromkeys(amounts)), text)


def _order(name: str) -> Order:
    orders: dict[str, Order] = {"newest": "newest", "oldest": "oldest", "largest": "largest"}
    return orders[name]


def _narrowed(wanted: Filter, reference: str, taken: list[tuple[int, int]], context: ToolContext) -> Filter:
    """Return a filter narrowed by the names that are not read yet; where a merchant is named, its category is not needed."""
    for slot in (MerchantSlot(), AccountSlot(), CategorySlot()):
        free = [m for m in slot.find(reference, context) if not _overlaps((m.start, m.end), taken)]
        if not free or (slot.name == "category" and wanted.merchants):
            continue
        names = names_of(free[0].value)
        taken.append((free[0].start, free[0].end))
        if slot.name == "merchant":
            wanted = replace(wanted, merchants=merchant_keys(names, context))
        elif slot.name == "account":
            wanted = replace(wanted, accounts=account_ids(names, context))
        else:
            wanted = replace(wanted, categories=names)
    return wanted


def _overlaps(span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in taken)
