"""Which days, weeks, months and years an average is over (D7): the full ones of a period, and only those that are over."""

from __future__ import annotations

from datetime import date, timedelta

_LATE = 7


def full_intervals(unit: str, start: date, last: date) -> list[tuple[date, date]]:
    """Return the intervals that lie wholly between two days, both included, as inclusive pairs."""
    found = []
    first = _beginning(unit, start)
    while (end := _next(unit, first) - timedelta(days=1)) <= last:
        if first >= start:
            found.append((first, end))
        first = end + timedelta(days=1)
    return found


def first_counted(ledger_begins: date) -> date:
    """Return from when all time counts: the first of the month if the ledger begins in its first seven days."""
    return ledger_begins.replace(day=1) if ledger_begins.day <= _LATE else ledger_begins


def days_until(start: date, end: date | None, today: date) -> int:
    """Return the number of days of a period up to today, which counts."""
    return max(0, ((today if end is None else min(end, today)) - start).days + 1)


def _beginning(unit: str, day: date) -> date:
    """Return the first day of the interval that a day is in; weeks start on Monday."""
    if unit == "week":
        return day - timedelta(days=day.weekday())
    return {"day": day, "month": day.replace(day=1), "year": day.replace(month=1, day=1)}[unit]


def _next(unit: str, first: date) -> date:
    """Return the first day of the interval after the one that begins on a day."""
    if unit in ("day", "week"):
        return first + timedelta(days=1 if unit == "day" else 7)
    if unit == "year" or first.month == 12:
        return date(first.year + 1, 1, 1)
    return date(first.year, first.month + 1, 1)
