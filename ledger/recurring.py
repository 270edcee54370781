"""What recurs in a ledger: payments and income that come in a rhythm, what each costs now, since when, and when it is due.

A series is money between the person and one merchant, in one direction and currency, that comes in a rhythm of the
calendar (docs/definitions.md, D15). Its amount is either settled (it stays the same until it changes) or varies with use.
"""

from __future__ import annotations

import calendar
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from ledger.filters import Filter
from ledger.judgement import key_of
from ledger.money import Money
from ledger.placement import place_name
from ledger.taxonomy import lineage
from ledger.transactions import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.repository import Repository, Vocabulary
    from ledger.transactions import Transaction


class Rhythm(Enum):
    """How often something comes: how many months or days lie between, and from which gap to which (days) that is told."""

    WEEKLY = ("a week", 0, 7, 6, 8)
    FORTNIGHTLY = ("every two weeks", 0, 14, 12, 16)
    FOUR_WEEKLY = ("every four weeks", 0, 28, 28, 28)
    MONTHLY = ("a month", 1, 0, 25, 36)
    TWO_MONTHLY = ("every two months", 2, 0, 55, 67)
    QUARTERLY = ("a quarter", 3, 0, 83, 99)
    HALF_YEARLY = ("every half-year", 6, 0, 172, 193)
    YEARLY = ("a year", 12, 0, 350, 381)

    def __init__(self, per: str, months: int, days: int, least: int, most: int) -> None:
        """Take the values apart."""
        self.per, self.months, self.days, self.least, self.most = per, months, days, least, most

    @property
    def per_year(self) -> tuple[int, int]:
        """How often it comes in a year, as a fraction: twelve times, or 365 days by 7."""
        return (12, self.months) if self.months else (365, self.days)

    def after(self, day: date, usual_day: int) -> date:
        """Return when it comes next after it came on a day; ``usual_day`` is its day of the month."""
        if not self.months:
            return day + timedelta(self.days)
        year, month = divmod(day.year * 12 + day.month - 1 + self.months, 12)
        return date(year, month + 1, min(usual_day, calendar.monthrange(year, month + 1)[1]))


@dataclass(frozen=True, slots=True)
class Payment:
    """One time that a series came: its day and its size in minor units."""

    day: date
    minor: int


@dataclass(frozen=True, slots=True)
class Series:
    """Something that recurs; its payments are in order of time, sizes without sign."""

    merchant: str
    key: str
    category: str
    kind: Kind
    currency: str
    comes_in: bool
    rhythm: Rhythm
    payments: tuple[Payment, ...]
    settled: bool
    """Whether its amount stays the same until it changes."""
    phrases: tuple[int, ...] | None = None
    """The search strings whose rows alone were read; None for all of the merchant's."""

    @property
    def current(self) -> Money:
        """What it came to the last time."""
        return Money(self.payments[-1].minor, self.currency)

    @property
    def last(self) -> date:
        """When it came last."""
        return self.payments[-1].day

    @property
    def since(self) -> date:
        """When it came first."""
        return self.payments[0].day

    @property
    def due(self) -> date:
        """When it should come next."""
        days = Counter(payment.day.day for payment in self.payments[-6:])
        return self.rhythm.after(self.last, days.most_common(1)[0][0])

    def has_ended(self, today: date) -> bool:
        """Whether it is overdue by more than half of its rhythm, five days at least."""
        gap = (self.due - self.last).days
        return today > self.due + timedelta(max(5, gap // 2))

    @property
    def changes(self) -> tuple[tuple[Payment, int], ...]:
        """The payments that were not of the size before, each with that size; of a settled amount these are new prices."""
        return tuple((now, before.minor) for before, now in pairwise(self.payments) if now.minor != before.minor)

    @property
    def price_since(self) -> date:
        """Since when it has cost what it costs now."""
        changes = self.changes
        return changes[-1][0].day if changes else self.since

    @property
    def monthly(self) -> Money:
        """What it comes to in a month, a twelfth of a year, rounded half to even."""
        times, of = self.rhythm.per_year
        return Money(round(Fraction(self.payments[-1].minor * times, of * 12)), self.currency)

    @property
    def yearly(self) -> Money:
        """What it comes to in a year, rounded half to even; exact for what comes by the month."""
        return self.in_a_year(self.payments[-1].minor)

    def in_a_year(self, minor: int) -> Money:
        """Return what a size of it comes to in a year by its rhythm, rounded half to even."""
        times, of = self.rhythm.per_year
        return Money(round(Fraction(minor * times, of)), self.currency)


#: How many visits a month are still a rhythm; who is paid more often is a shop.
_MOST_A_MONTH = 6
#: Of how many merchants the rows are read; those with the fewest visits go last.
_MOST_MERCHANTS = 600
_CACHE = "recurring"
#: Equal amounts at most so many days apart are one payment that was charged twice.
_DOUBLED = 3
#: Of what varies: from how many payments on, and how many times the smallest the largest may be.
_FEWEST_VARYING, _WIDEST = 4, 6
#: So many days of the month apart is still the same day: banks book on working days.
_SAME_DAY = 4
#: The categories of ours in which an amount that varies can be a bill.
_BILLS = frozenset("utilities phone rent insurance loans taxes kids education savings subscriptions fitness".split())


async def recurring(repository: Repository) -> tuple[Series, ...]:
    """Return everything that recurs in a ledger, ended or not, the dearest a year first; kept until the ledger changes."""
    vocabulary = await repository.vocabulary()
    found = vocabulary.derived.get(_CACHE)
    if found is None:
        found = vocabulary.derived[_CACHE] = await _read(repository, vocabulary)
    return tuple(found)


async def _read(repository: Repository, vocabulary: Vocabulary) -> tuple[Series, ...]:
    if vocabulary.first is None or vocabulary.last is None:
        return ()
    months = (vocabulary.last - vocabulary.first).days // 30 + 1
    groups = await repository.groups(Filter(), "merchant")
    counted = [(group.totals.count, group.key) for group in groups if group.key]
    few = sorted(each for each in counted if 2 <= each[0] <= _MOST_A_MONTH * months)[-_MOST_MERCHANTS:]
    if not few:
        return ()
    return find_series(await repository.rows(Filter(merchants=tuple(key for _, key in few)), "oldest"))


def find_series(rows: Iterable[Transaction]) -> tuple[Series, ...]:
    """Return what recurs among transactions, which are in order of time."""
    groups: dict[tuple[str, str, bool], list[Transaction]] = defaultdict(list)
    for row in rows:
        if row.kind not in (Kind.REFUND, Kind.CASH) and row.amount_minor:
            groups[key_of(row.merchant), row.currency, row.amount_minor > 0].append(row)
    found = [series for group in groups.values() for series in _series_of(group)]
    return tuple(sorted(found, key=lambda each: (-each.monthly.amount_minor, each.key)))


def _series_of(rows: Sequence[Transaction]) -> list[Series]:
    """Return the series among one merchant's payments: all of them as one, else those of one amount and what followed it."""
    payments = _without_doubles(rows)
    rhythm = _rhythm(payments)
    if rhythm is not None:
        payments = _in_rhythm(payments, rhythm)
        settled = is_settled(payments)
        if settled or _may_vary(rows[-1], payments, rhythm):
            return [_series(rows, rhythm, payments, settled=settled)]
    return [_series(rows, rhythm, run, settled=True) for rhythm, run in _runs(payments)]


def _series(rows: Sequence[Transaction], rhythm: Rhythm, payments: Sequence[Payment], *, settled: bool) -> Series:
    row = rows[-1]
    return Series(
        row.merchant, key_of(row.merchant), row.category, row.kind, row.currency, row.amount_minor > 0,
        rhythm, tuple(payments), settled,
    )  # fmt: skip


def _without_doubles(rows: Sequence[Transaction]) -> list[Payment]:
    """Return the payments of rows, one of equal amount within a few days taken for the same charged twice."""
    found: list[Payment] = []
    for row in rows:
        payment = Payment(row.booked_on, abs(row.amount_minor))
        if any(payment.minor == each.minor and (payment.day - each.day).days <= _DOUBLED for each in found[-2:]):
            continue
        found.append(payment)
    return found


def _rhythm(payments: Sequence[Payment]) -> Rhythm | None:
    """Return the rhythm that nearly all gaps between payments fit, a missed one now and then allowed."""
    gaps = [(later.day - earlier.day).days for earlier, later in pairwise(payments)]
    for rhythm in Rhythm:
        fitting = sum(rhythm.least <= gap <= rhythm.most for gap in gaps)
        missed = sum(rhythm.least * 2 <= gap <= rhythm.most * 3 for gap in gaps)
        if (
            len(gaps) >= _gaps_needed(rhythm, payments)
            and fitting >= 0.75 * len(gaps)
            and fitting + missed >= 0.9 * len(gaps)
        ):
            return rhythm
    return None


def _in_rhythm(payments: Sequence[Payment], rhythm: Rhythm) -> list[Payment]:
    """Leave out what came in between, such as a bonus a week after the salary."""
    kept = list(payments[:1])
    for payment in payments[1:]:
        if (payment.day - kept[-1].day).days > 0.6 * rhythm.least:
            kept.append(payment)
    return kept


def _gaps_needed(rhythm: Rhythm, payments: Sequence[Payment]) -> int:
    """Return how many gaps tell a rhythm: fewer the longer it is, and where every amount is the same."""
    same = len({payment.minor for payment in payments}) == 1
    if rhythm.months >= Rhythm.QUARTERLY.months:
        return 1 if rhythm is Rhythm.YEARLY or same else 2
    return 2 if same and rhythm.months else 3


def is_settled(payments: Sequence[Payment]) -> bool:
    """Whether amounts stay the same for most of the time, or change by little once a year."""
    pairs = list(pairwise(payments))
    same = sum(earlier.minor == later.minor for earlier, later in pairs)
    if same >= 0.6 * len(pairs):
        return True
    return len(pairs) <= 2 and all(
        0.9 * earlier.minor <= later.minor <= 1.1 * earlier.minor for earlier, later in pairs
    )


def _may_vary(row: Transaction, payments: Sequence[Payment], rhythm: Rhythm) -> bool:
    """Whether what varies in amount is a bill or pay that comes by the calendar, and not a habit of shopping."""
    sizes = [payment.minor for payment in payments]
    if len(sizes) < _FEWEST_VARYING or not rhythm.months or max(sizes) > _WIDEST * min(sizes):
        return False
    bill = bool(_BILLS & set(categories_above(row.category))) or _keeps_its_day(payments, rhythm)
    return row.amount_minor > 0 or bill


def _keeps_its_day(payments: Sequence[Payment], rhythm: Rhythm) -> bool:
    """Whether payments came every time, and within a few days of one day of the month, as no shopping does."""
    on_time = all(
        rhythm.least <= (later.day - earlier.day).days <= rhythm.most for earlier, later in pairwise(payments)
    )
    days = [payment.day.day for payment in payments]
    return on_time and len(days) > _FEWEST_VARYING and max(days) - min(days) <= _SAME_DAY


def categories_above(category: str) -> tuple[str, ...]:
    """Return the keys of our categories that a ledger's category stands under, its own first."""
    placement = place_name(category)
    return () if placement is None else lineage(placement.primary.key)


def _runs(payments: Sequence[Payment]) -> list[tuple[Rhythm, list[Payment]]]:
    """Return what recurs with one amount among other payments, a new amount in the same rhythm going on from an old one."""
    amounts: dict[int, list[Payment]] = defaultdict(list)
    for payment in payments:
        amounts[payment.minor].append(payment)
    runs: list[tuple[Rhythm, list[Payment]]] = []
    for same in sorted(amounts.values(), key=lambda each: each[0].day):
        rhythm = _rhythm(same) if len(same) > 2 else None
        if rhythm is None:
            continue
        before = next((run for known, run in runs if known is rhythm and _goes_on(rhythm, run, same)), None)
        if before is None:
            runs.append((rhythm, list(same)))
        else:
            before.extend(same)
    return runs


def _goes_on(rhythm: Rhythm, run: Sequence[Payment], same: Sequence[Payment]) -> bool:
    gap = (same[0].day - run[-1].day).days
    return rhythm.least <= gap <= rhythm.most and run[-1].minor < 2 * same[0].minor < 4 * run[-1].minor
