"""Finding and listing transactions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from language.catalogue import joined, say
from ledger.money import Money
from ledger.stemming import fold
from ledger.transactions import Flow, Kind
from tools.apps.net_amounts import net_beside
from tools.apps.scope import Asked, Scoped, nothing, resolve
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Fact, Result, Table
from tools.slots import (
    Accounts,
    Categories,
    EndDate,
    Excluded,
    ExcludedLargest,
    KindOfMovement,
    Limit,
    MeansOfPayment,
    Merchants,
    Over,
    Query,
    Sort,
    StartDate,
    Under,
)
from tools.slots.names import CategorySlot
from tools.slots.query import searched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.filters import Order
    from ledger.search import Found
    from ledger.tallies import Totals
    from ledger.transactions import Transaction

#: How many distinct strings a search may mean; sums are over all rows that bear them.
_MOST_PHRASES = 50
#: Of so few rows it is told where all of them are from.
_FEW = 10
#: So much of what the bank wrote of one row is shown, in characters.
_LONGEST_WRITTEN = 140

_NOUNS = {
    None: ("transaction", "transactions"),
    "purchase": ("purchase", "purchases"),
    "spending": ("payment", "payments"),
    "refund": ("refund", "refunds"),
    "fee": ("fee", "fees"),
    "interest": ("interest booking", "interest bookings"),
    "transfer": ("transfer", "transfers"),
    "card_payment": ("card payment", "card payments"),
    "cash": ("cash withdrawal", "cash withdrawals"),
    "loan_payment": ("loan payment", "loan payments"),
    "income": ("income booking", "income bookings"),
}


@tool(
    app="transactions",
    batch=True,
    examples=(
        "Find my {query} purchases",
        "Search for {query}",
        "Find {query}",
        "Look for {query} {period}",
        "Find transactions about {query}",
        "Did I ever pay for {query}?",
        "What was that {query} charge?",
        "Suche nach {query}",
        "Finde {query}",
        "Habe ich jemals {query} bezahlt?",
        "Was hat {query} gekostet?",
    ),
    keywords=("find", "search", "look for", "suche", "finde"),
)
async def search_transactions(
    context: ToolContext,
    query: Query,
    limit: Limit = 10,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
    over: Over | None = None,
    under: Under | None = None,
) -> Result:
    """Transactions whose description means what the words say, by meaning and by words.

    Args:
        query: What to look for, in the words of the question.
        limit: How many to show; the total is over all matches.
        start_date: First day, or a period phrase.
        end_date: Last day.
        over: Only amounts over this.
        under: Only amounts under this.
    """
    scoped = await resolve(Asked(start_date, end_date, over=over, under=under), context)
    if context.vocabulary.count == 0:
        return await nothing(scoped, context)
    query, found = await _find(query, context)
    named = CategorySlot().check(query, context)
    if not found.literal and named.value and not named.problem:  # a word for a category that no description holds
        return await list_transactions(context, start_date, end_date, named.value, over=over, under=under, limit=limit)
    scoped = replace(scoped, wanted=replace(scoped.wanted, phrases=found.ids), names={**scoped.names, "query": query})
    totals = await context.ledger.totals(scoped.wanted) if found.ids else []
    if not totals:
        return replace(await nothing(scoped, context), headline="Nothing matches “{query}” {when}.")
    listing = await _listing(scoped, context, totals, None, "newest", limit, say(" for “{query}”"))
    if found.literal:
        return listing
    one = sum(each.count for each in totals) == 1
    near = "1 transaction, {total}" if one else "{count} transactions, {total}"
    return replace(listing, headline=say("Nothing is called “{query}”; near it {when}: {near}", near=say(near)))


@tool(
    app="transactions",
    batch=True,
    name="transactions-list",
    examples=(
        "Show my transactions {period}",
        "List my transactions {period}",
        "Show my {merchant} transactions",
        "Show me all {category} purchases {period}",
        "List {category} transactions {over}",
        "Show purchases {over} {period}",
        "Which purchases were {over} {period}?",
        "Show me {limit} transactions",
        "Show my last {limit} transactions",
        "Show my {kind} {period}",
        "How much did I pay in {kind} {period}?",
        "How much {kind} did I get {period}?",
        "What {kind} did I have {period}?",
        "Were there any {kind} {period}?",
        "Transactions from {account} {period}",
        "What did I buy at {merchant} {period}?",
        "List everything {under}",
        "Zeig mir meine Buchungen {period}",
        "Zeige alle Ausgaben {over} {period}",
        "Liste meine Einkäufe bei {merchant}",
        "Welche {kind} hatte ich {period}?",
        "Wie viel {kind} habe ich {period} bezahlt?",
        "Was habe ich {period} bei {merchant} gekauft?",
    ),
    keywords=("show", "list", "transactions", "which", "zeig", "liste", "Buchungen"),
)
async def list_transactions(
    context: ToolContext,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
    category: Categories | None = None,
    merchant: Merchants | None = None,
    account: Accounts | None = None,
    kind: KindOfMovement | None = None,
    over: Over | None = None,
    under: Under | None = None,
    exclude: Excluded | None = None,
    exclude_largest: ExcludedLargest = 0,
    text: str | None = None,
    exclude_text: str | None = None,
    means: MeansOfPayment | None = None,
    sort: Sort = "newest",
    limit: Limit = 20,
) -> Result:
    """The transactions themselves, filtered and sorted, with their number and sums.

    Args:
        start_date: First day, or a period phrase.
        end_date: Last day.
        category: Only this category.
        merchant: Only this merchant.
        account: Only this account.
        kind: Only purchases, spending (all that went out but transfers), refunds, fees, interest, transfers,
            card payments, cash withdrawals, loan payments or income.
        over: Only amounts over this.
        under: Only amounts under this.
        exclude: Merchants or categories to leave out.
        exclude_largest: How many of the largest amounts to leave out.
        text: Only rows whose descriptor holds these words.
        exclude_text: Leave out rows whose descriptor holds these words.
        means: Only what was paid so: card, direct_debit, standing_order, cheque or transfer.
        sort: newest, oldest, largest or smallest first.
        limit: How many to show; the sums are over all of them.
    """
    asked = Asked(
        start_date,
        end_date,
        None,
        category,
        merchant,
        account,
        over,
        under,
        exclude,
        exclude_largest,
        text,
        exclude_text,
        means,
    )
    if kind == "spending":
        scoped = await resolve(asked, context, Flow.SPENDING)
        scoped = replace(scoped, wanted=scoped.without(sign=-1))
    else:
        scoped = await resolve(asked, context, None, (Kind(kind),) if kind else ())
    totals = await context.ledger.totals(scoped.wanted)
    if not totals:
        return await nothing(scoped, context, _NOUNS[kind][1])
    return await _listing(scoped, context, totals, kind, _order(sort), limit, scoped.subject)


async def _find(query: str, context: ToolContext) -> tuple[str, Found]:
    """Return the words that were meant and what they find: the whole if anything holds it, else without what is around."""
    for each in searched(query):
        found = await context.search.find(each, _MOST_PHRASES)
        if found.literal:
            break
    return each, found


def _order(sort: str) -> Order:
    orders: dict[str, Order] = {"newest": "newest", "oldest": "oldest", "largest": "largest", "smallest": "smallest"}
    return orders[sort]


async def _listing(
    scoped: Scoped,
    context: ToolContext,
    totals: Sequence[Totals],
    kind: str | None,
    order: Order,
    limit: int,
    subject: str,
) -> Result:
    """List the newest rows of a scope, with sums over all of it."""
    main = totals[0]
    rows = await context.ledger.rows(scoped.wanted, order, limit)
    count = sum(each.count for each in totals)
    singular, plural = _NOUNS.get(kind, _NOUNS[None])
    both = bool(main.out_minor and main.into_minor)
    total = Fact.money("total", "Total, out less in", Money(abs(main.net_out_minor), main.currency))
    out = Fact.money("out", "Money out", Money(main.out_minor, main.currency))
    into = Fact.money("into", "Money in", Money(main.into_minor, main.currency))
    facts = [out, into, total] if both else [total, out, into]
    facts.append(Fact.count("count", "Number", count))
    for each in totals[1:]:
        money = Money(abs(each.net_out_minor), each.currency)
        facts.append(Fact.money(f"total_{each.currency.casefold()}", "Total, out less in", money))
    notes = ["{dates}", *scoped.restrictions]
    if len(rows) < count:
        notes.append("{shown} of {count} shown; the sums are over all")
        facts.append(Fact.count("shown", "Number shown", len(rows)))
    others = (say(f"{{total_{each.currency.casefold()}}}") for each in totals[1:])
    amounts = joined((say("{out} out, {into} in" if both else "{total}"), *others), " and ")
    names = {**scoped.names, "party": rows[0].merchant}
    if count == 1:
        if written := _written(rows[0]):
            notes.append("your bank wrote “{written}”")
            names["written"] = written
        facts.append(Fact("date", "Date", rows[0].booked_on, "date", subject=rows[0].merchant))
        only = f"the only such {singular}" if scoped.restrictions else f"the only {singular}{{subject}}"
        headline = say(
            "{total} from {party} on {date}, {only} {when}"
            if main.into_minor
            else "{total} at {party} on {date}, {only} {when}",
            only=say(only, subject=subject),
        )
    elif (
        count == len(rows) <= _FEW and scoped.restrictions and not subject and len({row.merchant for row in rows}) == 1
    ):
        headline = say(f"{{count}} such {plural} {{when}}, all at {{party}}: {{amounts}}", amounts=amounts)
    else:
        headline = say(f"{{count}} {plural}{{subject}} {{when}}: {{amounts}}", subject=subject, amounts=amounts)
        names = scoped.names
    net = await net_beside(context, rows if count == 1 else ())
    return Result(
        headline=headline,
        facts=(*facts, *net.facts),
        notes=tuple(note for note in (*notes, *net.notes) if note),
        names={**names, **net.names},
        table=transaction_table(rows),
        listed=tuple(row.id for row in rows),
        period=scoped.period,
        behind=(scoped.wanted,),
    )


def _written(row: Transaction) -> str:
    """Return what the bank wrote of a row, where it says more than the name of the shop."""
    text = " ".join(f"{row.description} {row.memo}".split())
    return "" if fold(text) == fold(row.merchant) else text[:_LONGEST_WRITTEN]


def transaction_table(rows: Sequence[Transaction]) -> Table:
    """Return transactions as a table; amounts are negative for money out."""
    columns = (
        Column("Date", "date"),
        Column("Merchant"),
        Column("Category"),
        Column("Account"),
        Column("Amount", "money"),
    )
    return Table(
        columns,
        tuple(
            (row.booked_on, row.merchant, row.category, row.account, Money(row.amount_minor, row.currency))
            for row in rows
        ),
    )
