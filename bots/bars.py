"""A chart as rows, for every platform: which values have one, and as lines of a font of one width."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, set_cell_size

from bots.cleaning import clean
from bots.fallback import amount_text
from language.catalogue import say, translated
from language.tongue import DEFAULT

if TYPE_CHECKING:
    from tools.results import Chart

MOST_ROWS: Final = 12
#: A line that a phone shows whole: what a label and a bar take of it.
_LABEL, _BAR = 18, 6


@dataclass(frozen=True, slots=True)
class Row:
    """One value of a chart: its name, how much it is, and whether its time is not over yet."""

    label: str
    value: Decimal
    unfinished: bool = False


def rows_of(chart: Chart) -> tuple[list[Row], list[Decimal]]:
    """Return the rows of a chart, and the values that have none: the newest rows, or the largest in either direction."""
    last = len(chart.labels) - 1
    rows = [
        Row(label, value, chart.unfinished and place == last)
        for place, (label, value) in enumerate(zip(chart.labels, chart.values, strict=True))
    ]
    if chart.ticks:
        rows.reverse()
        kept = set(range(MOST_ROWS))
    else:
        kept = set(sorted(range(len(rows)), key=lambda place: -abs(rows[place].value))[: MOST_ROWS - 1])
    if len(rows) <= MOST_ROWS:
        return rows, []
    shown = [row for place, row in enumerate(rows) if place in kept]
    return shown, [row.value for place, row in enumerate(rows) if place not in kept]


def rest_of(chart: Chart, rest: list[Decimal], locale: str) -> str:
    """Return the line for the values without a row."""
    total = amount_text(sum(rest, Decimal(0)), chart.currency, locale)
    form = "{number} earlier ones: {total}" if chart.ticks else "{number} others: {total}"
    return say(form, number=str(len(rest)), total=total)


def label_of(row: Row, language: str = DEFAULT) -> str:
    """Return a row's name on one line; that of a time that is not over says so."""
    label = " ".join(clean(row.label).split())
    return translated(say("{label} so far", label=label), language) if row.unfinished else label


def _briefly(row: Row, chart: Chart) -> Row:
    """Return a row with the short name of its time, which leaves room for the bar."""
    names = {label: f"{name} {year}".strip() for label, (name, year) in zip(chart.labels, chart.ticks, strict=False)}
    return replace(row, label=names.get(row.label, row.label))


def _fitting(label: str) -> str:
    return label if cell_len(label) <= _LABEL else set_cell_size(label, _LABEL - 1).rstrip() + "…"


def bar_lines(chart: Chart, locale: str, language: str = DEFAULT) -> list[str]:
    """Return a chart as lines of a font of one width: name, bar and exact amount, a lighter bar for an unfinished time."""
    rows, rest = rows_of(chart)
    labels = [_fitting(label_of(row, language)) for row in (_briefly(row, chart) for row in rows)]
    amounts = [amount_text(row.value, chart.currency, locale) for row in rows]
    wide, far = max(map(cell_len, labels), default=0), max(map(cell_len, amounts), default=0)
    most = max((row.value for row in rows), default=Decimal(0))
    lines = []
    for row, label, amount in zip(rows, labels, amounts, strict=True):
        length = max(1, round(_BAR * row.value / most)) if row.value > 0 else 0
        bar = ("░" if row.unfinished else "█") * length
        space = " " * (far - cell_len(amount))
        lines.append(" ".join((set_cell_size(label, wide), f"{bar:{_BAR}}", f"{space}{amount}")))
    return [*lines, translated(rest_of(chart, rest, locale), language)] if rest else lines
