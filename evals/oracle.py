"""What is right: every figure computed by plain Decimal from the rows, by the definitions of ``docs/definitions.md``."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING, Literal

from evals.figures import Figure, Malformed, Where
from evals.intervals import days_until, first_counted, full_intervals
from evals.writing import MONTHS, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from evals.bank_files import Ledger, Row

TODAY = date(2026, 11, 21)
_SPENDING = {"purchase", "fee", "cash", "loan_payment", "refund"}
_CENT, _TENTH = Decimal("0.01"), Decimal("0.1")

Unit = Literal["money", "percent", "count", "number", "date", "text"]


@dataclass(frozen=True, slots=True)
class Value:
    """A figure's right value; texts are ways to write one name. ``nothing`` means that no row is in its scope.

    A value of None is right to be missing: the average of nothing, a share of nothing.
    """

    unit: Unit
    amount: Decimal | None = None
    day: date | None = None
    texts: tuple[str, ...] = ()
    nothing: bool = field(default=False, kw_only=True)

    def __str__(self) -> str:
        """Return it as a list of what was expected shows it."""
        shown = self.amount if self.amount is not None else self.day or "/".join(self.texts)
        return f"{self.unit} {'none' if shown in ('', None) else shown}{' (nothing in scope)' if self.nothing else ''}"


def compute(figure: Figure, ledger: Ledger, today: date = TODAY) -> Value:
    """Return the right value of a figure."""
    if figure.parts:
        return _combined(figure, [compute(part, ledger, today) for part in figure.parts])
    if figure.measure in _MEASURES:
        return _MEASURES[figure.measure](matching(ledger.rows, figure.where))
    return {
        "fixed": lambda: _fixed(figure),
        "share": lambda: _share(figure, ledger),
        "top": lambda: _top(figure, ledger),
        "top_name": lambda: _top(figure, ledger),
        "per": lambda: _per_interval(figure, ledger, today),
        "daily_average": lambda: _per_day(figure.where, ledger, today),
    }[figure.measure]()


def matching(rows: Iterable[Row], where: Where) -> list[Row]:
    """Return the rows for which every condition holds, without the largest purchases where that is said."""
    kept = [row for row in rows if _holds(row, where)]
    if where.drop_largest:
        bought = sorted((row for row in kept if _is_purchase(row)), key=lambda row: (row.amount, -row.day.toordinal()))
        dropped = {id(row) for row in bought[: where.drop_largest]}
        kept = [row for row in kept if id(row) not in dropped]
    return kept


def unknown_names(figure: Figure, ledger: Ledger) -> list[str]:
    """Return the names in a figure's conditions that no row of the ledger has, which is meant or a slip."""
    known = {
        "category": {fold(row.category) for row in ledger.rows},
        "merchant": {fold(row.merchant) for row in ledger.rows},
        "account": {fold(row.account) for row in ledger.rows},
    }
    return [
        name
        for where in figure.scopes()
        for kind in ("category", "merchant", "account", "not_category", "not_merchant")
        for name in getattr(where, kind)
        if fold(name) not in known[kind.removeprefix("not_")]
    ]


def _holds(row: Row, where: Where) -> bool:
    size = abs(row.amount)
    return (
        _is_one_of(row.category, where.category)
        and _is_one_of(row.merchant, where.merchant)
        and _is_one_of(row.account, where.account)
        and (not where.kind or row.kind in where.kind)
        and not (where.not_category and _is_one_of(row.category, where.not_category))
        and not (where.not_merchant and _is_one_of(row.merchant, where.not_merchant))
        and (where.start is None or where.start <= row.day)
        and (where.end is None or row.day <= where.end)
        and (where.least is None or size >= where.least)
        and (where.most is None or size <= where.most)
        and (where.over is None or size > where.over)
        and (where.under is None or size < where.under)
        and (not where.weekday or row.day.weekday() in where.weekday)
        and where.text.casefold() in row.description.casefold()
        and where.currency in ("", row.currency)
    )


def _is_one_of(name: str, wanted: Sequence[str]) -> bool:
    return not wanted or fold(name) in map(fold, wanted)


def _is_spending(row: Row) -> bool:
    """Whether a row belongs to spending (D1): interest does only where it is charged."""
    return row.kind in _SPENDING or (row.kind == "interest" and row.amount < 0)


def _is_purchase(row: Row) -> bool:
    """Whether a row is money out that counts as spending, which number, average and extremes are about (D5)."""
    return _is_spending(row) and row.amount < 0


def _spent(rows: Iterable[Row]) -> Decimal:
    return -sum((row.amount for row in rows if _is_spending(row)), Decimal(0))


def _income(rows: Iterable[Row]) -> Decimal:
    """Return income (D2): of its kind, corrections taken off, and interest earned."""
    earned = (row.amount for row in rows if row.kind == "income" or (row.kind == "interest" and row.amount > 0))
    return sum(earned, Decimal(0))


def _purchases(rows: Iterable[Row]) -> list[Decimal]:
    return [-row.amount for row in rows if _is_purchase(row)]


def _average(rows: Sequence[Row]) -> Value:
    bought = _purchases(rows)
    return _money(sum(bought, Decimal(0)) / len(bought) if bought else None, rows)


def _extreme(rows: Sequence[Row], pick: Callable[[Iterable[Decimal]], Decimal]) -> Value:
    bought = _purchases(rows)
    return _money(pick(bought) if bought else None, rows)


def _bought_on(rows: Sequence[Row], pick: Callable[[Iterable[date]], date]) -> Value:
    days = [row.day for row in rows if _is_purchase(row)]
    return Value("date", day=pick(days) if days else None, nothing=not rows)


_MEASURES: dict[str, Callable[[Sequence[Row]], Value]] = {
    "spent": lambda rows: _money(_spent(rows), rows),
    "count": lambda rows: Value("count", Decimal(len(_purchases(rows))), nothing=not rows),
    "average": _average,
    "largest": lambda rows: _extreme(rows, max),
    "smallest": lambda rows: _extreme(rows, min),
    "income": lambda rows: _money(_income(rows), rows),
    "net": lambda rows: _money(_income(rows) - _spent(rows), rows),
    "rows": lambda rows: Value("count", Decimal(len(rows)), nothing=not rows),
    "row_sum": lambda rows: _money(sum((row.amount for row in rows), Decimal(0)), rows),
    "first_date": lambda rows: _bought_on(rows, min),
    "last_date": lambda rows: _bought_on(rows, max),
}


def _per_interval(figure: Figure, ledger: Ledger, today: date) -> Value:
    """Return the average per full interval (D7): what was spent in those that count, by their number.

    Of days, only those of the weekdays count, where weekdays are named.
    """
    where, yesterday = figure.where, today - timedelta(days=1)
    begins = first_counted(ledger.first)
    start = max(where.start or begins, begins)
    intervals = full_intervals(figure.interval, start, min(where.end or yesterday, yesterday))
    if figure.interval == "day" and where.weekday:
        intervals = [(first, last) for first, last in intervals if first.weekday() in where.weekday]
    rows = matching(ledger.rows, where)
    counted = [row for row in rows if any(first <= row.day <= last for first, last in intervals)]
    return _money(_spent(counted) / len(intervals) if intervals else None, rows)


def _per_day(where: Where, ledger: Ledger, today: date) -> Value:
    """Return a summary's average per day: over all days of the period up to today (D7)."""
    rows = matching(ledger.rows, where)
    begins = first_counted(ledger.first)
    days = days_until(max(where.start or begins, begins), where.end, today)
    return _money(_spent(rows) / days if days else None, rows)


def _top(figure: Figure, ledger: Ledger) -> Value:
    """Return the sum or the name of the group of a rank; groups of the same sum come by name (D10).

    Only groups in which something was bought are ranked.
    """
    rows = matching(ledger.rows, figure.where)
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if _is_spending(row):
            groups.setdefault(_GROUPS[figure.by](row), []).append(row)
    sums = {name: _spent(group) for name, group in groups.items() if _purchases(group)}
    ranked = sorted(sums, key=lambda name: (sums[name] if figure.lowest else -sums[name], name.casefold()))
    name = ranked[figure.rank - 1] if len(ranked) >= figure.rank else None
    if figure.measure == "top":
        return _money(sums[name] if name is not None else None, rows)
    if figure.by == "day":
        return Value("date", day=date.fromisoformat(name) if name else None, nothing=not rows)
    return Value("text", texts=_spellings(name, figure.by), nothing=not rows)


_GROUPS: dict[str, Callable[[Row], str]] = {
    "merchant": lambda row: row.merchant,
    "category": lambda row: row.category,
    "month": lambda row: row.day.isoformat()[:7],
    "day": lambda row: row.day.isoformat(),
}


def _spellings(name: str | None, by: str) -> tuple[str, ...]:
    if name is None or by != "month":
        return (name,) if name else ()
    year, month = name.split("-")
    words = MONTHS[int(month) - 1]
    return (*(f"{word} {year}" for word in (*words, words[0][:3])), name)


def _share(figure: Figure, ledger: Ledger) -> Value:
    """Return the part in percent of the whole, by spending or income (D9)."""
    measure = _income if figure.of == "income" else _spent
    rows = matching(ledger.rows, figure.where)
    part, whole = measure(rows), measure(matching(ledger.rows, figure.whole))
    return Value("percent", _rounded(part * 100 / whole, _TENTH) if whole else None, nothing=not rows)


def _combined(figure: Figure, parts: Sequence[Value]) -> Value:
    """Return a sum, difference, change in percent of the second, or ratio of other figures."""
    amounts = [part.amount for part in parts]
    nothing = all(part.nothing for part in parts)
    units: dict[str, Unit] = {"change": "percent", "ratio": "number"}
    unit = units.get(figure.measure, parts[0].unit)
    known = [amount for amount in amounts if amount is not None]
    if len(known) < len(amounts) or (unit != "number" and len({part.unit for part in parts}) > 1):
        if len(known) < len(amounts) and nothing:
            return Value(unit, nothing=True)
        raise Malformed(f"a {figure.measure} of {', '.join(map(str, parts))}")
    if figure.measure == "sum":
        return Value(unit, sum(known, Decimal(0)), nothing=nothing)
    first, second = known
    if figure.measure == "difference":
        return Value(unit, first - second, nothing=nothing)
    if not second:
        return Value(unit, nothing=nothing)
    if figure.measure == "change":
        return Value(unit, _rounded((first - second) * 100 / second, _TENTH), nothing=nothing)
    return Value(unit, _rounded(first / second, _CENT), nothing=nothing)


def _fixed(figure: Figure) -> Value:
    if figure.unit == "text":
        return Value("text", texts=(figure.fixed,))
    units: dict[str, Unit] = {"money": "money", "percent": "percent", "number": "number"}
    return Value(units[figure.unit], Decimal(figure.fixed))


def _money(amount: Decimal | None, rows: Sequence[Row]) -> Value:
    return Value("money", None if amount is None else _rounded(amount, _CENT), nothing=not rows)


def _rounded(value: Decimal, unit: Decimal) -> Decimal:
    """Round half to even (D9)."""
    return value.quantize(unit, ROUND_HALF_EVEN)
