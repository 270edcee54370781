"""The running balance of a table: what was in each account before its first row and after its last, and where it breaks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from language.catalogue import Template, say, written
from language.tongue import DEFAULT
from ledger.importers.currencies import settle_currency
from ledger.importers.dates import Order, read_date
from ledger.transactions import AccountType, StatementBalance, StatementRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from ledger.importers.table.accounts import Accounts
    from ledger.importers.table.passes import Outcome
    from ledger.importers.table.preamble import Preamble
    from ledger.importers.table.signs import AmountReader
    from ledger.transactions import RejectedRow

#: An account, a currency, and what part of the account it is, where each has a balance of its own.
_Purse = tuple[str | None, str | None, str]
#: More breaks than this are no missing rows, but a column that is no running balance; not more are kept.
_MOST_BREAKS = 50


@dataclass(slots=True)
class _Account:
    """The rows of one account so far, in the file's order."""

    first: date
    last: date
    before: Decimal = Decimal(0)
    """What the rows came to before the first that has a balance."""
    opening: tuple[Decimal, Decimal] | None = None
    """The first balance, and the amount beside it."""
    closing: tuple[Decimal, Decimal] | None = None
    """The last balance, and the amount beside it."""
    day: date | None = None
    """The day of that balance."""
    since: Decimal = Decimal(0)
    """What the rows came to after it."""


@dataclass(slots=True)
class _Drift:
    """How far a balance is off since a step that didn't fit: it comes back where rows merely stand in another order."""

    start: date
    end: date
    off: Decimal


@dataclass(slots=True)
class _Chain:
    """Whether the balance moves with the amounts, in one order of the rows and with one sign."""

    rising: bool
    """Whether rows go from old to new."""
    sign: int
    """-1 where the balance is what is owed."""
    hits: int = 0
    breaks: list[tuple[date, date]] = field(default_factory=list)
    open: dict[_Purse, _Drift] = field(default_factory=dict)

    def step(self, purse: _Purse, account: _Account, row: StatementRow, balance: Decimal) -> None:
        """Compare how a balance moved since the last one with the rows in between."""
        if account.closing is None or account.day is None:
            return
        before, amount = account.closing
        moved = (balance - before) * self.sign
        off = moved - account.since - row.amount if self.rising else -moved - account.since - amount
        drift = self.open.get(purse)
        if drift is None:
            if off:
                self.open[purse] = _Drift(account.day, row.booked_on, off)
            else:
                self.hits += 1
            return
        drift.off += off
        if not drift.off:
            del self.open[purse]
        elif not off:
            self.hits += 1
            del self.open[purse]
            self._break(drift)

    def _break(self, drift: _Drift) -> None:
        if len(self.breaks) <= _MOST_BREAKS:
            self.breaks.append((min(drift.start, drift.end), max(drift.start, drift.end)))

    def end(self) -> None:
        """Take what is off to the end for a break."""
        for drift in self.open.values():
            self._break(drift)
        self.open.clear()


class RunningBalance:
    """Follows the balance beside the rows of a table while these are gone through."""

    def __init__(self, column: int, amounts: AmountReader, pocket: int = -1) -> None:
        """Without a ``column`` nothing is followed; ``pocket`` is that of an account's parts, -1 where it has none."""
        self._column = column
        self._pocket = pocket
        self._amounts = amounts
        self._accounts: dict[_Purse, _Account] = {}
        self._chains = [_Chain(rising, sign) for sign, rising in product((1, -1), (True, False))]
        self._steps = 0
        self._days: list[date] = []
        """The days of the file's first row and of its last."""

    def over(
        self, rows: Iterable[tuple[Sequence[str], StatementRow | RejectedRow]]
    ) -> Iterator[StatementRow | RejectedRow]:
        """Yield the rows, of which the cells are looked at."""
        for cells, row in rows:
            if self._column >= 0 and isinstance(row, StatementRow):
                self._add(row, cells[self._pocket].strip(), self._amounts.balance(cells[self._column].strip()))
            yield row

    def _add(self, row: StatementRow, pocket: str, balance: Decimal | None) -> None:
        self._days[1:] = [row.booked_on]
        purse = (row.account, row.currency, pocket)
        account = self._accounts.get(purse)
        if account is None:
            account = self._accounts[purse] = _Account(row.booked_on, row.booked_on)
        account.first = min(account.first, row.booked_on)
        account.last = max(account.last, row.booked_on)
        if balance is None:
            if account.closing is None:
                account.before += row.amount
            else:
                account.since += row.amount
            return
        self._steps += account.closing is not None
        for chain in self._chains:
            chain.step(purse, account, row, balance)
        account.opening = account.opening or (balance, row.amount)
        account.closing, account.day, account.since = (balance, row.amount), row.booked_on, Decimal(0)

    def found(self) -> tuple[tuple[StatementBalance, ...], tuple[str, ...]]:
        """Return the balances before and after the rows of each account, and a sentence on where rows are missing.

        Nothing, unless the balances move with the amounts in most rows.
        """
        for chain in self._chains:
            chain.end()
        backwards = bool(self._days) and self._days[0] > self._days[-1]
        best = max(self._chains, key=lambda chain: (chain.hits, chain.rising is not backwards))
        if best.hits * 2 <= self._steps or best.hits < 2 * len(best.breaks):
            return (), ()
        return tuple(_together(self._accounts, best)), _warning(best.breaks)


def _together(accounts: Mapping[_Purse, _Account], chain: _Chain) -> Iterator[StatementBalance]:
    """Yield the balances of each account, that of all of its parts added up, where every part has one."""
    parts: dict[tuple[str | None, str | None], list[list[StatementBalance]]] = {}
    for purse, account in accounts.items():
        parts.setdefault(purse[:2], []).append(list(_around(purse, account, chain)))
    for found in parts.values():
        if len(found) > 1 and not all(found):
            continue
        for pair in zip(*found, strict=True):
            day = min(each.on for each in pair) if pair[0].opening else max(each.on for each in pair)
            yield replace(pair[0], on=day, amount=sum((each.amount for each in pair), Decimal(0)))


def _around(purse: _Purse, account: _Account, chain: _Chain) -> Iterator[StatementBalance]:
    """Yield the balance before the first row of an account and that after the last."""
    if account.opening is None or account.closing is None:
        return
    (top, top_amount), (bottom, bottom_amount) = account.opening, account.closing
    top, bottom = top * chain.sign, bottom * chain.sign
    if chain.rising:
        opening, closing = top - top_amount - account.before, bottom + account.since
    else:
        opening, closing = bottom - bottom_amount - account.since, top + account.before
    yield StatementBalance(account.first, opening, opening=True, account=purse[0], currency=purse[1])
    yield StatementBalance(account.last, closing, account=purse[0], currency=purse[1])


def _warning(breaks: Sequence[tuple[date, date]]) -> tuple[str, ...]:
    if not breaks:
        return ()
    start, end = min(breaks)
    between = say("between {start} and {end}", start=_day(start), end=_day(end))
    when = say("on {day}", day=_day(start)) if start == end else between
    others = len(breaks) - 1
    more = say(", and in 1 more place" if others == 1 else ", and in {count} more places", count=str(others))
    form = "By the balances beside the rows, some are missing {when}{more}."
    return (say(form, when=when, more=more if others else ""),)


def _day(day: date) -> Template:
    return written(partial(_written_day, day))


def _written_day(day: date, language: str) -> str:
    if language == DEFAULT:
        return f"{day.day} {day:%B %Y}"
    from babel.dates import format_date  # only for who reads another language

    return str(format_date(day, "long", locale=language))


def stated_balances(
    preamble: Preamble, outcome: Outcome, accounts: Accounts, order: Order
) -> tuple[StatementBalance, ...]:
    """Return the balances that stand above the table of one account.

    On a card they may be what is owed, so that they count there only if the rows lead from one to the other.
    """
    if len(outcome.pairs) > 1:
        return ()
    account, currency = next(iter(outcome.pairs), (accounts.default.ref if accounts.default else None, None))
    opening, closing = preamble.opening, preamble.closing
    sign = 0 if accounts.type_of(account) is AccountType.CREDIT_CARD else 1
    if opening and closing and outcome.total and abs(closing.amount - opening.amount) == abs(outcome.total):
        sign = 1 if closing.amount - opening.amount == outcome.total else -1
    if not sign:
        return ()
    found = []
    for stated, default, is_opening in (
        (opening, outcome.first, True),
        (closing or preamble.current, outcome.last, False),
    ):
        day = (read_date(stated.day, order) or default) if stated else None
        if stated and day:
            code = settle_currency(stated.currency, currency)
            found.append(StatementBalance(day, stated.amount * sign, is_opening, account, code))
    # A balance of today and one from before the first row need not be of the same stretch of time.
    return tuple(found[-1:] if closing is None else found)
