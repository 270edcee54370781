"""Whether the rows of a statement lead from one of its balances to the next, and where they don't."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.money import Money, to_minor

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date

    from ledger.transactions import StatementBalance, StatementRow


@dataclass(frozen=True, slots=True)
class Gap:
    """Days in which the rows of an account don't come to what its balance moved by; ``missing`` has that money's sign."""

    first: date
    last: date
    missing: Money
    account: str | None = None


def gap_between(rows: Collection[StatementRow], before: StatementBalance, after: StatementBalance) -> Gap | None:
    """Return what is missing of the rows that stand between two balances; None too where currencies differ."""
    currency = before.currency
    if currency is None or after.currency != currency or any(row.currency != currency for row in rows):
        return None
    moved = sum(to_minor(row.amount, currency) for row in rows)
    missing = to_minor(after.amount, currency) - to_minor(before.amount, currency) - moved
    if not missing:
        return None
    days = [row.booked_on for row in rows] or [before.on, after.on]
    return Gap(min(days), max(days), Money(missing, currency), before.account)


def gap_warnings(gaps: Sequence[Gap], names: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Say in a sentence where the first gap is, and how many there are; ``names`` are those of a file's several accounts."""
    if not gaps:
        return ()
    first, others = gaps[0], len(gaps) - 1
    side = "in" if first.missing.amount_minor > 0 else "out"
    missing = Money(abs(first.missing.amount_minor), first.missing.currency)
    name = (names or {}).get(first.account or "")
    more = f"; so it is in {others} more {'place' if others == 1 else 'places'} of this file" if others else ""
    return (
        (
            f"The rows {_days(first.first, first.last)}{f' in {name}' if name else ''} don't add up to the balances: "
            f"{missing} of money {side} is missing{more}."
        ),
    )


def _days(first: date, last: date) -> str:
    """Return two days in words, each part once: ``between 1 and 31 Oct 2026``."""
    until = f"{last.day} {last:%b %Y}"
    if first == last:
        return f"of {until}"
    month = "" if (first.year, first.month) == (last.year, last.month) else f" {first:%b}"
    year = "" if first.year == last.year else f" {first.year}"
    return f"between {first.day}{month}{year} and {until}"
