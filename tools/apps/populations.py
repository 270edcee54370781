"""Which money a question is about: spending, income, refunds, fees, interest, transfers, cash, or every row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ledger.money import Money
from ledger.stemming import fold
from ledger.transactions import AccountType, Flow, Kind
from tools.apps.scope import resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.filters import Filter
    from ledger.tallies import Sums
    from tools.apps.scope import Asked, Scoped
    from tools.context import ToolContext

Of = Literal[
    "spending", "income", "refunds", "fees", "interest", "interest_charged", "transfers", "savings", "cash", "all",
    "left",
]  # fmt: skip

#: What names the place that money is saved in, in the words of banks (folded).
_SAVINGS = (
    "saving",
    "spar",
    "tagesgeld",
    "festgeld",
    "rucklage",
    "rainy day",
    "isa",
    "vault",
    "nest egg",
    "emergency fund",
)


#: What is spending or income.
_COUNTED = tuple(kind for kind in Kind if kind not in (Kind.TRANSFER, Kind.CARD_PAYMENT))
_INTEREST = frozenset({"interest", "interest_charged"})
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
        return sums.into_count if self.comes_in else sums.out_count

    @property
    def sign(self) -> Literal[-1, 1] | None:
        """The sign of its rows."""
        return None if self.of in ("all", "left") else 1 if self.comes_in else -1


POPULATIONS: dict[str, Population] = {
    each.of: each
    for each in (
        Population("spending", "purchase", "purchases", "spent", Flow.SPENDING),
        Population("income", "payment", "payments", "came in", Flow.INCOME, comes_in=True),
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
        Population("cash", "withdrawal", "withdrawals", "withdrawn in cash", kinds=(Kind.CASH,)),
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
    if of == "savings":
        scoped = replace(scoped, wanted=await _to_savings(scoped.wanted, context))
    if of in _WORDS and not await context.ledger.totals(scoped.wanted):
        scoped = replace(scoped, wanted=await _by_words(scoped.wanted, _WORDS[of], context))
    if of in _INTEREST:  # what was earned and what was charged are never set off against each other
        earned = of == "interest" and any(each.into_count for each in await context.ledger.totals(scoped.wanted))
        population = POPULATIONS["interest" if earned else "interest_charged"]
        scoped = replace(scoped, wanted=scoped.without(sign=population.sign))
    return scoped, population


async def _by_words(wanted: Filter, words: Sequence[str], context: ToolContext) -> Filter:
    """Return the rows whose descriptor says what they are, where the bank's file gives them another kind."""
    found = [await context.search.find(word, 1) for word in words]
    ids = tuple(dict.fromkeys(each for one in found if one.literal for each in one.ids))
    return replace(wanted, kinds=(), phrases=ids) if ids else wanted


async def _to_savings(wanted: Filter, context: ToolContext) -> Filter:
    """Narrow transfers to those that go to savings: by the name of what they go to, else by the account they arrive on."""
    out = replace(wanted, sign=-1)
    groups = await context.ledger.groups(out, "merchant")
    named = tuple(group.key for group in groups if any(word in fold(group.label) for word in _SAVINGS))
    if named:
        return replace(out, merchants=named)
    saved = {account.id for account in context.vocabulary.accounts if account.type is AccountType.SAVINGS}
    return replace(wanted, sign=1, accounts=tuple(saved)) if saved else out
