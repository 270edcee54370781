"""The accounts whose balance is known, on which days, and what is said beside a figure of them (docs/definitions.md, D19)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING

from language.catalogue import joined, say
from ledger.balances import balance_runs
from ledger.filters import Filter
from ledger.money import Money
from ledger.periods import Period
from ledger.transactions import Account, AccountType
from tools.results import Result
from tools.slots.names import names_of
from tools.wording import day as day_of
from tools.wording import enumeration

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.balances import Run
    from tools.context import ToolContext
    from tools.results import Value

#: Accounts of which one says what is owed.
OWING = frozenset({AccountType.CREDIT_CARD, AccountType.LOAN})
_WOULD_TELL = "A file with balances (OFX, MT940, CAMT, or a CSV with a balance column) would tell."


@dataclass(frozen=True, slots=True)
class Held:
    """One account's balance in one currency; ``name`` says which where an account has several."""

    account: Account
    currency: str
    run: Run
    name: str
    today: date

    @property
    def last(self) -> date:
        """The last day of which anything is known, not later than today."""
        return max(self.run.first, min(self.run.last, self.today))

    @property
    def owes(self) -> bool:
        """Whether it is a card or loan."""
        return self.account.type in OWING

    def at(self, day: date) -> Money:
        """Return the balance at the end of a day; after the last one of which anything is known, what it was then."""
        return Money(self.run.at(min(day, self.last)), self.currency)

    def days(self, period: Period) -> tuple[date, date] | None:
        """Return the first and the last day of a period at whose end the balance is known; None where there is none."""
        start, end = max(period.start, self.run.first), min(period.end, self.last)
        return (start, end) if start <= end else None


@dataclass(frozen=True, slots=True)
class Holdings:
    """The accounts that are asked about: those whose balance is known, and the others."""

    held: tuple[Held, ...]
    missing: tuple[Account, ...]

    @property
    def as_of(self) -> date:
        """The last day that the files of any of them tell of."""
        return max(each.last for each in self.held)

    def only(self, held: Iterable[Held], *, owing: bool) -> Holdings:
        """Return the same with some of those that are known, and of the others the cards and loans, or all but these."""
        return Holdings(tuple(held), tuple(each for each in self.missing if (each.type in OWING) is owing))


async def holdings_of(account: str | list[str] | None, context: ToolContext) -> Holdings:
    """Return what is known of the named accounts, or of all; those in the commonest currency first, by name."""
    wanted = set(names_of(account))
    accounts = [each for each in context.vocabulary.accounts if not wanted or each.name in wanted]
    runs = await balance_runs(context.ledger)
    currencies = {each.id: [code for key, code in runs if key == each.id] for each in accounts}
    held = [
        Held(
            each, code, runs[each.id, code], f"{each.name} ({code})" if len(currencies[each.id]) > 1 else each.name,
            context.today,
        )
        for each in accounts
        for code in currencies[each.id]
    ]  # fmt: skip
    main = commonest(held, context)
    held.sort(key=lambda each: (each.currency != main, each.currency, each.name))
    return Holdings(tuple(held), tuple(each for each in accounts if not currencies[each.id]))


def commonest(held: Sequence[Held], context: ToolContext) -> str:
    """Return the currency that most of the accounts have; of several, the one that most rows have."""
    codes = [each.currency for each in held]
    usual = {code: place for place, code in enumerate(context.vocabulary.currencies)}
    return min(
        codes, key=lambda code: (-codes.count(code), usual.get(code, len(usual)), code), default=context.currency
    )


def unstated(missing: Sequence[Account], context: ToolContext) -> Result:
    """Say that no balance is known of some accounts, and what would tell it."""
    headline = "Your files state no balance for {missing}." if missing else "Your files state no balance."
    return Result(headline, notes=(_WOULD_TELL,), names={"missing": _names(missing, context)}, kind="empty")


def unknown_then(holdings: Holdings, period: Period) -> Result:
    """Say that the files tell nothing of a time, and of which they do."""
    return Result(
        "Your files tell no balance {when}.",
        notes=("They tell of the days from {known_first} to {as_of}.",),
        names={"known_first": min(each.run.first for each in holdings.held), "as_of": holdings.as_of},
        period=period,
        kind="empty",
    )


def _names(accounts: Sequence[Account], context: ToolContext) -> str:
    return enumeration([account.name for account in accounts], context.language) if accounts else ""


@dataclass(slots=True)
class Remarks:
    """The notes that a figure needs, with the names that they hold."""

    context: ToolContext
    notes: list[str] = field(default_factory=list)
    names: dict[str, Value | Money] = field(default_factory=dict)

    def basis(self, held: Held, day: date) -> None:
        """Say what one account's balance on a day rests on."""
        stated = held.run.basis(min(day, held.last))
        self.names |= {"stated": Money(stated.minor, held.currency), "stated_on": stated.on}
        if stated.after > day:
            self.notes.append("reckoned back from {stated}, stated on {stated_on}, by the rows between")
        elif held.run.moved(stated.after, min(day, held.last)) or stated.after < min(day, held.last):
            self.notes.append("{stated}, stated on {stated_on}, and the rows since")
        else:
            self.notes.append("as your file states it")

    def lagging(self, held: Sequence[Held], day: date) -> None:
        """Say of which accounts less is known than up to a day."""
        behind: dict[date, list[str]] = {}
        for each in held:
            if each.last < day:
                behind.setdefault(each.last, []).append(each.name)
        if behind:
            language = self.context.language
            until = [
                say("{names} only up to {day}", names=enumeration(names, language), day=day_of(last, language))
                for last, names in behind.items()
            ]
            self.names["lagging"] = joined(until, "; ")
            self.notes.append("{lagging}")

    def gaps(self, resting: Sequence[tuple[Held, date, date]]) -> None:
        """Say where the rows don't lead from one stated balance to the next, as far as these days of accounts rest on it."""
        found = [(held, gap) for held, start, end in resting for gap in held.run.gaps(start, end)]
        if not found:
            return
        held, gap = max(found, key=lambda each: each[1].end.after)
        self.names |= {
            "gap_in": held.name, "gap_start": gap.start.on, "gap_end": gap.end.on,
            "gap_off": Money(abs(gap.off_minor), held.currency),
        }  # fmt: skip
        note = "the balances of {gap_in} stated on {gap_start} and {gap_end} are {gap_off} further apart than the rows between"
        if gap.start.after == gap.end.after:
            note = "two balances of {gap_in} for the end of one day, stated on {gap_start} and {gap_end}, differ by {gap_off}"
        others = len(found) - 1
        if others:
            more = "there are {others} more such places" if others > 1 else "there is one more such place"
            note = say(f"{{gap}}, and {more}", gap=say(note), others=str(others))
        self.notes.append(note)

    def missing(self, holdings: Holdings) -> None:
        """Say of which accounts no balance is known."""
        if holdings.missing:
            self.names["missing"] = _names(holdings.missing, self.context)
            self.notes.append("your files state no balance for {missing}")


def rows_behind(held: Sequence[Held], day: date) -> tuple[Filter, ...]:
    """Return the filters of the rows that lead from the stated balances to a day, one for each account that has some."""
    found = []
    for each in held:
        until = min(day, each.last)
        after = each.run.basis(until).after
        start, end = sorted((after, until))
        if start < end:
            stretch = Period(start + timedelta(1), end)
            found.append(Filter(period=stretch, accounts=(each.account.id,), currency=each.currency))
    return tuple(found)


def since(held: Sequence[Held], period: Period) -> Period | None:
    """Return the part of a period in which the balance of all accounts is known; None where there is none."""
    spans = [days for each in held if (days := each.days(period))]
    if len(spans) < len(held) or not spans:
        return None
    return Period(max(start for start, _ in spans), max(end for _, end in spans))
