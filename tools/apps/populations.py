"""Which money a question is about: spending, income, pay, refunds, fees, interest, transfers, savings, cash, every row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from ledger.balances import balance_runs
from ledger.filters import ALL_TIME, Filter
from ledger.kind_words import says_pay, says_savings
from ledger.money import Money
from ledger.periods import Period, granularity
from ledger.transactions import AccountType, Flow, Kind
from tools.apps.scope import coming_in, resolve, seen_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.tallies import Sums
    from tools.apps.scope import Asked, Scoped
    from tools.context import ToolContext

Of = Literal[
    "spending", "income", "salary", "refunds", "fees", "interest", "interest_charged", "transfers", "savings",
    "savings_back", "cash", "all", "left", "gross",
]  # fmt: skip

#: What is spending or income.
_COUNTED = tuple(kind for kind in Kind if kind not in (Kind.TRANSFER, Kind.CARD_PAYMENT))
#: Every kind of movement but what comes back.
_PAID = tuple(kind for kind in Kind if kind is not Kind.REFUND)
_INTEREST = frozenset({"interest", "interest_charged"})
#: Which way money goes to the person's savings and back, seen from their other accounts.
_SAVINGS: dict[str, Literal[-1, 1]] = {"savings": -1, "savings_back": 1}
#: Who pays every month, as a salary does, has paid in so many of them.
_REGULAR_MONTHS = 3
#: Until which day of the month pay comes early, and how far beside a month its pay may be.
_EARLY, _BESIDE = 10, timedelta(7)
#: Accounts that nothing is put aside in.
_SPENT_FROM = frozenset({AccountType.CHECKING, AccountType.CREDIT_CARD, AccountType.LOAN})
#: Words by which descriptors say what they are, where the kind does not.
_WORDS = {
    "interest": ("interest", "zinsen", "habenzinsen"),
    "fees": ("fee", "gebühr", "entgelt"),
    "refunds": ("refund", "erstattung"),
}


@dataclass(frozen=True, slots=True)
class Population:
    """The rows of one kind of money: how they are found, what they are called, and whether they come in."""

    of: Of
    one: str
    many: str
    verb: str
    flow: Flow | None = None
    kinds: tuple[Kind, ...] = ()
    comes_in: bool = False

    def amount(self, sums: Sums) -> Money:
        """Return what the rows come to, positive in the direction that is theirs."""
        net = sums.net_out_minor
        if self.of == "transfers":  # both sides of one may be in the ledger
            net = sums.out_minor or sums.into_minor
        return Money(-net if self.comes_in else net, sums.currency)

    def number(self, sums: Sums) -> int:
        """Return how many rows there are of its direction."""
        if self.of in ("all", "left"):
            return sums.count
        if self.of == "transfers":
            return sums.out_count or sums.into_count
        return sums.into_count if self.comes_in else sums.out_count

    @property
    def way(self) -> Literal["out", "in", ""]:
        """Which way all of its money goes, where it goes one way."""
        if self.of in ("all", "left", "transfers"):
            return ""
        return "in" if self.comes_in else "out"

    @property
    def sign(self) -> Literal[-1, 1] | None:
        """The sign of its rows."""
        return None if self.of in ("all", "left") else 1 if self.comes_in else -1


POPULATIONS: dict[str, Population] = {
    each.of: each
    for each in (
        Population("spending", "purchase", "purchases", "spent", Flow.SPENDING),
        Population("income", "payment", "payments", "came in", Flow.INCOME, comes_in=True),
        Population(
            "salary", "payment of salary", "payments of salary", "of salary came in", Flow.INCOME, comes_in=True
        ),
        Population("refunds", "refund", "refunds", "came back in refunds", kinds=(Kind.REFUND,), comes_in=True),
        Population("fees", "fee", "fees", "in fees", kinds=(Kind.FEE,)),
        Population(
            "interest", "payment of interest", "payments of interest", "of interest came in",
            kinds=(Kind.INTEREST,), comes_in=True,
        ),
        Population(
            "interest_charged", "interest charge", "interest charges", "of interest charged", kinds=(Kind.INTEREST,)
        ),
        Population("transfers", "transfer", "transfers", "moved between accounts", kinds=(Kind.TRANSFER,)),
        Population("savings", "transfer to savings", "transfers to savings", "moved to savings", kinds=(Kind.TRANSFER,)),
        Population(
            "savings_back", "transfer from savings", "transfers from savings", "came back from savings",
            kinds=(Kind.TRANSFER,), comes_in=True,
        ),
        Population("cash", "withdrawal", "withdrawals", "withdrawn in cash", kinds=(Kind.CASH,)),
        Population("gross", "purchase", "purchases", "spent before refunds", Flow.SPENDING, _PAID),
        Population("all", "transaction", "transactions", "out, less what came in"),
        Population("left", "payment", "payments", "left", kinds=_COUNTED, comes_in=True),
    )
}  # fmt: skip


async def resolve_population(asked: Asked, of: str, context: ToolContext) -> tuple[Scoped, Population]:
    """Turn shared arguments into a filter over one kind of money; interest is what came in, else what was charged.

    Raises:
        UnknownPeriod: a date or phrase that the period grammar does not know.
    """
    population = POPULATIONS[of]
    scoped = await resolve(asked, context, population.flow, population.kinds)
    if of in _SAVINGS:
        wanted, sign = await _saved(scoped.wanted, _SAVINGS[of], context)
        scoped, population = replace(scoped, wanted=wanted), replace(population, comes_in=sign > 0)
    if of == "salary":
        scoped = await _paid_for(replace(scoped, wanted=await salaried(scoped.wanted, context)), context)
    if of == "refunds" and scoped.wanted.merchants and not await context.ledger.totals(scoped.wanted):
        back = replace(scoped.wanted, kinds=(Kind.FEE,), sign=1)  # of a fee, under its own text
        scoped = replace(scoped, wanted=back) if await context.ledger.totals(back) else scoped
    if of in _WORDS and not await context.ledger.totals(scoped.wanted):
        scoped = replace(scoped, wanted=await _by_words(scoped.wanted, _WORDS[of], context))
    if of in _INTEREST:  # what was earned and what was charged are never set off against each other
        earned = of == "interest" and any(each.into_count for each in await context.ledger.totals(scoped.wanted))
        population = POPULATIONS["interest" if earned else "interest_charged"]
        scoped = replace(scoped, wanted=scoped.without(sign=population.sign))
    if of == "all" or of in _SAVINGS:
        return seen_in(scoped, asked), population
    return (coming_in(scoped, asked) if population.comes_in else scoped), population


async def _by_words(wanted: Filter, words: Sequence[str], context: ToolContext) -> Filter:
    """Return the rows whose descriptor says what they are, where the bank's file gives them another kind."""
    found = [await context.search.find(word, 1) for word in words]
    ids = tuple(dict.fromkeys(each for one in found if one.literal for each in one.ids))
    return _among(replace(wanted, kinds=()), ids) if ids else wanted


def _among(wanted: Filter, ids: tuple[int, ...]) -> Filter:
    """Return the rows that have one of these search strings, of those that are wanted already."""
    kept = ids if wanted.phrases is None else tuple(each for each in ids if each in wanted.phrases)
    return replace(wanted, phrases=kept)


async def _saved(wanted: Filter, sign: Literal[-1, 1], context: ToolContext) -> tuple[Filter, Literal[-1, 1]]:
    """Narrow transfers to those to savings (-1) or back (1), with the sign that their rows have.

    They are told by what descriptors and categories call them, else by the accounts that they are seen from.
    """
    away: Literal[-1, 1] = -1 if sign > 0 else 1
    saved = tuple(account.id for account in context.vocabulary.accounts if account.type is AccountType.SAVINGS)
    spent_from = {account.id for account in context.vocabulary.accounts if account.type in _SPENT_FROM}
    if wanted.accounts and (set(wanted.accounts) <= set(saved) or spent_from.isdisjoint(wanted.accounts)):
        return replace(wanted, sign=away), away  # seen from the account that it is put aside in
    others = tuple(account.id for account in context.vocabulary.accounts if account.id not in saved)
    ids = await _saying(says_savings, Filter(kinds=wanted.kinds, accounts=others if saved else ()), context)
    if ids:  # seen from the other accounts: what comes into the savings account is the other side of the same
        return _among(replace(wanted, sign=sign, accounts=wanted.accounts or (others if saved else ())), ids), sign
    saved = saved or await _only_saved_in(context)
    if saved and not wanted.accounts:
        return replace(wanted, sign=away, accounts=saved), away
    return replace(wanted, sign=sign), sign


async def _only_saved_in(context: ToolContext) -> tuple[int, ...]:
    """Return the accounts of no known type that nothing is spent from and that more transfers come to than leave.

    What comes to one on which money is owed pays that back: it is a loan.
    """
    accounts, found = context.vocabulary.accounts, []
    runs = await balance_runs(context.ledger)
    owed = {account for (account, _), run in runs.items() if run.at(run.last) < 0}
    for account in accounts if len(accounts) > 1 else ():
        if account.type is None and account.id not in owed:
            ours = Filter(accounts=(account.id,))
            spent = await context.ledger.totals(replace(ours, flow=Flow.SPENDING))
            moved = await context.ledger.totals(replace(ours, kinds=(Kind.TRANSFER,)))
            found += [account.id] if not spent and any(each.into_count > each.out_count for each in moved) else []
    return tuple(found)


async def _paid_for(scoped: Scoped, context: ToolContext) -> Scoped:
    """Narrow the pay of a month that has none to that of the days beside it: before it where pay comes early, else after it.

    What is the only pay of the month that it was booked in stays that month's.
    """
    wanted, month = scoped.wanted, scoped.period
    if granularity(month) != "month" or await context.ledger.totals(wanted):
        return scoped
    rows = await context.ledger.rows(replace(wanted, period=ALL_TIME), "newest")
    early = 2 * sum(row.booked_on.day <= _EARLY for row in rows) > len(rows)
    first, last = (month.start - _BESIDE, month.start) if early else (month.end, month.end + _BESIDE)
    days = {row.booked_on for row in rows}
    paid_on = max((day for day in days if first <= day <= last), default=None)
    if paid_on is None or not any(day.replace(day=1) == paid_on.replace(day=1) for day in days - {paid_on}):
        return scoped
    names = {**scoped.names, "paid_on": paid_on}
    told = (*scoped.restrictions, "none came within the month: this is the pay of {paid_on}")
    return replace(scoped, wanted=replace(wanted, period=Period(paid_on, paid_on)), restrictions=told, names=names)


async def salaried(wanted: Filter, context: ToolContext) -> Filter:
    """Narrow income to pay: what its words or its category call so, else what comes from the largest regular payer."""
    income = Filter(flow=Flow.INCOME)
    ids = await _saying(says_pay, income, context)
    if ids:
        return _among(wanted, ids)
    if wanted.merchants:  # whoever is asked about pays it
        return wanted
    payer = await _regular_payer(income, context)
    return replace(wanted, merchants=(payer,)) if payer else replace(wanted, phrases=())


async def _saying(says: Callable[[str], bool], among: Filter, context: ToolContext) -> tuple[int, ...]:
    """Return the ids of the search strings that say so, or nothing if none of these rows has one."""
    ids = tuple(key for key, text in await context.ledger.phrases() if says(text))
    return ids if ids and await context.ledger.totals(replace(among, phrases=ids)) else ()


async def _regular_payer(income: Filter, context: ToolContext) -> str | None:
    """Return the key of the merchant that paid the most, of those that pay month after month."""
    groups = await context.ledger.groups(income, "merchant")
    for group in sorted(groups, key=lambda each: (each.totals.net_out_minor, each.key)):
        paid = await context.ledger.groups(replace(income, merchants=(group.key,)), "month")
        if len(paid) >= _REGULAR_MONTHS:
            return group.key
    return None
