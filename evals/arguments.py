"""Whether what was run is about the right days and names."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from evals.oracle import TODAY
from evals.writing import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evals.bank_files import Ledger
    from evals.questions import Reading, Span
    from evals.replies import Call, Reply

_CALCULATION = "figures-calculate"
_ALL_TIME: Span = (None, None)
_ISO = re.compile(r"\d{4}-\d\d-\d\d")


def argument_slips(reading: Reading, reply: Reply, ledger: Ledger, *, exact: bool) -> list[str]:
    """Return what of a reading's period and of the names in its main figure is not in what was run.

    Where the reply computes with figures found before, what was run in earlier turns counts as well. Where its figures
    are exact, a name may be there in a longer or shorter form.
    """
    calls = reply.calls
    if any(call.name == _CALCULATION for call in calls):
        calls = (*(call for call in calls if call.name != _CALCULATION), *reply.earlier_calls)
    scopes = list(reading.figures[0].scopes())
    given = [reading.period] if reading.period else [(where.start, where.end) for where in scopes]
    found = {_within(span, ledger) for span in _spans(reply.period, calls)}
    slips = _period_slips({_within(span, ledger) for span in given}, found)
    named = {fold(text) for call in calls for text in call.texts()}
    for where in scopes:
        for name in (*where.category, *where.merchant, *where.account, *where.not_category, *where.not_merchant):
            if not (fold(name) in named or (exact and any(_contain(fold(name), each) for each in named))):
                slips.append(f"“{name}” is not among the arguments")
    return list(dict.fromkeys(slips))


def _contain(name: str, other: str) -> bool:
    """Whether one of two folded names is the other with further words: “costa” and “costa coffee”."""
    return bool(name and other) and (f" {name} " in f" {other} " or f" {other} " in f" {name} ")


def _period_slips(wanted: set[Span], found: set[Span]) -> list[str]:
    came = f"came {', '.join(sorted(map(_shown, found)))}" if found else "came none"
    if wanted == {_ALL_TIME}:
        return [f"the period should leave nothing out, {came}"] if found - wanted else []
    return [f"expected the period {_shown(span)}, {came}" for span in sorted(wanted - found, key=str)]


def _spans(period: Span | None, calls: Iterable[Call]) -> Iterator[Span]:
    """Yield the periods of a reply: its own, and those that the calls name."""
    if period is not None:
        yield period
    for call in calls:
        spans = list(_spans_of(call))
        yield from spans
        if not spans and period is None:
            yield _ALL_TIME


def _spans_of(call: Call) -> Iterator[Span]:
    """Yield the periods among a call's arguments, as the command resolved them.

    Where compared periods end today or later, the others are there as the same days of theirs as well (D8).
    """
    periods = call.arguments.get("periods") or []
    compared = [span for span in map(_span, periods if isinstance(periods, list) else [periods]) if span]
    yield from compared
    for start, end in compared:
        if end >= TODAY >= start:
            days = TODAY - start
            yield from ((other, min(last, other + days)) for other, last in compared if last < TODAY)
    if alone := _span(call.arguments.get("period")):
        yield alone
    first, last = (_span(call.arguments.get(name)) for name in ("start_date", "end_date"))
    if first or last:
        yield first[0] if first else None, last[1] if last else None


def _span(text: object) -> tuple[date, date] | None:
    """Return the first and the last of the dates in an argument."""
    days = [date.fromisoformat(day) for day in _ISO.findall(str(text))]
    return (days[0], days[-1]) if days else None


def _within(span: Span, ledger: Ledger) -> Span:
    """Return a period by what it holds of the ledger: open at a side where it leaves nothing out."""
    start, end = span
    return (
        None if start is not None and start <= ledger.first else start,
        None if end is not None and end >= ledger.last else end,
    )


def _shown(span: Span) -> str:
    return f"{span[0] or 'the beginning'} to {span[1] or 'the end'}"
