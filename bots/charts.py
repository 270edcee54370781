"""Charts as pictures, and in a sentence for who can't see them.

A picture is laid out for a phone, where it is shown about 360 pixels wide: every length here is in such pixels, and three
of the file's make one. Names become rows, a name and its amount over a bar; so do times whose amounts find no room over
columns, the newest first, and many times become columns or a line. Every amount is written whole, only an axis's round
figures are shortened. Colours say which way money went; a bar is hollow where its time is not over yet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

from babel.core import UnknownLocaleError
from babel.numbers import format_compact_currency, format_compact_decimal, get_currency_symbol

from bots.bars import MOST_ROWS, Row, label_of, rows_of
from bots.sheet import (
    DOT,
    INK,
    LEFT,
    PAPER,
    RIGHT,
    Box,
    Fill,
    Line,
    Sheet,
    Type,
    can_show,
    drawable,
    fit,
    plain,
    width_of,
)
from language.catalogue import say, translated
from language.tongue import DEFAULT
from ledger.money import Money, exponent, to_minor
from tools.wording import money, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bots.sheet import Point
    from language.catalogue import Template
    from tools.results import Chart

_GAP = 6
#: An amount stays this far from its point, and a tick's name from the next one's.
_NEAR = 4
_LINE = 17
_ROW_BAR = 9
_PLOT = 150
_WIDEST_COLUMN = 52
#: More columns can't be told apart, and become a line.
_MOST_COLUMNS = 80
_MOST_DOTS = 31

#: What went out, came in, or did neither. Orange and blue-green tell themselves apart to colour-blind eyes too.
_FLOWS = {"out": "#F0985A", "in": "#4CC9A0", "": "#6CB2EB"}
#: What is below nothing where the others are above it: money that went the other way.
_CONTRARY = {"out": "in", "in": "out", "": "out"}
_TRACK = "#3A3D44"
_GRID = "#45484F"
_HOLLOW = 1.5

_TITLE = Type(17, "SourceSansPro-Bold")
_BODY = Type(14)
_SMALL = Type(13)
_TICK = Type(13, color="#B5BAC1")
_NAMELESS = "one without a name"


def draw(chart: Chart, locale: str = "en_US", language: str = DEFAULT) -> bytes:
    """Return the chart as a PNG of 1,080 pixels' width; equal charts give equal bytes.

    It takes some hundredths of a second and shares nothing that changes between calls, so it can run in a thread.

    Raises:
        ValueError: the chart has no labels, not one value for each, or a value that is no number.
    """
    return lay_out(chart, locale, language).png()


def alt_text(chart: Chart, locale: str = "en_US", language: str = DEFAULT) -> str:
    """Return the chart in one sentence of well under 2,000 characters; raises ValueError as ``draw`` does."""
    _check(chart)
    form = _form(chart, locale)
    rows, rest = rows_of(chart) if form == "rows" else (_all_rows(chart), [])
    over = [row for row in rows if not row.unfinished] or rows
    high, low = (pick(over, key=attrgetter("value")) for pick in (max, min))
    if len(rows) == 1:
        said = "{title}: {kind}, {high} with {most}{rest}."
    elif high.value == low.value:
        said = "{title}: {kind}, all of them {most}{rest}."
    else:
        said = "{title}: {kind}, the highest {high} with {most}, the lowest {low} with {least}{rest}."
    total = _amount(sum(rest, Decimal(0)), chart.currency, locale)
    sentence = say(
        said,
        title=plain(chart.title) or say("Chart"),
        kind=_kind(form, len(rows)),
        high=plain(high.label) or say(_NAMELESS),
        most=_amount(high.value, chart.currency, locale),
        low=plain(low.label) or say(_NAMELESS),
        least=_amount(low.value, chart.currency, locale),
        rest=say(", and {number} others with {total}", number=str(len(rest)), total=total) if rest else "",
    )
    told = translated(sentence, language)
    if form != "rows" or len(rows) < 2:
        return told
    amounts = (f"{plain(label_of(row, language))} {_amount(row.value, chart.currency, locale)}" for row in rows)
    return f"{told} {', '.join(amounts)}."


def _all_rows(chart: Chart) -> list[Row]:
    ends = (False,) * (len(chart.labels) - 1) + (chart.unfinished,)
    return [Row(*each) for each in zip(chart.labels, chart.values, ends, strict=True)]


def _kind(form: str, count: int) -> Template:
    if form == "line":
        return say("a line of 1 point" if count == 1 else "a line of {count} points", count=str(count))
    return say("a bar chart of 1 bar" if count == 1 else "a bar chart of {count} bars", count=str(count))


def _check(chart: Chart) -> None:
    if not chart.labels or len(chart.labels) != len(chart.values):
        raise ValueError("A chart needs labels, and one value for each.")
    if not all(value.is_finite() for value in chart.values):
        raise ValueError("A chart's values are numbers.")


def lay_out(chart: Chart, locale: str = "en_US", language: str = DEFAULT) -> Sheet:
    """Return the page of a chart, from which all that is drawn can be read; raises ValueError as ``draw`` does."""
    _check(chart)
    sheet = Sheet()
    _write_title(sheet, chart.title)
    form = _form(chart, locale)
    if form == "rows":
        _draw_rows(sheet, chart, locale, language)
    else:
        _draw_series(sheet, chart, locale, language, line=form == "line")
    return sheet


def _form(chart: Chart, locale: str) -> Literal["rows", "columns", "line"]:
    if chart.kind == "line":
        return "line"
    if not chart.ticks or (len(chart.labels) <= MOST_ROWS and not _fit_over_columns(chart, locale)):
        return "rows"
    return "columns" if len(chart.labels) <= _MOST_COLUMNS else "line"


def _fit_over_columns(chart: Chart, locale: str) -> bool:
    room = (RIGHT - LEFT) / len(chart.values)
    amounts = (_drawn_amount(value, chart.currency, locale) for value in chart.values)
    return all(width_of(amount, _SMALL) + _NEAR <= room for amount in amounts)


# -- rows ---------------------------------------------------------------------------------------------------------------


def _draw_rows(sheet: Sheet, chart: Chart, locale: str, language: str) -> None:
    rows, rest = rows_of(chart)
    scale = _Scale.over((row.value for row in rows), LEFT, RIGHT)
    zero = scale.at(Decimal(0))
    for row in rows:
        _write_pair(sheet, drawable(label_of(row, language)), _drawn_amount(row.value, chart.currency, locale), _BODY)
        top, bottom = sheet.bottom, sheet.bottom + _ROW_BAR
        sheet.put(Fill(Box(LEFT, RIGHT, top, bottom), _TRACK))
        _fill_bar(sheet, Box(*scale.span(row.value), top, bottom), row, chart)
        if scale.low < 0:
            sheet.put(Fill(Box(zero - 0.5, zero + 0.5, top - 2, bottom + 2), INK))
        sheet.bottom = bottom + _GAP
    if rest:  # no bar: a sum of many would dwarf those that it stands below
        total = _drawn_amount(sum(rest, Decimal(0)), chart.currency, locale)
        others = "{number} earlier ones" if chart.ticks else "{number} others"
        _write_pair(sheet, translated(say(others, number=str(len(rest))), language), total, _BODY)
    sheet.bottom -= _GAP


def _write_pair(sheet: Sheet, name: str, amount: str, type_: Type) -> None:
    """Write a name on the left, cut where it is too long, and its amount on the right."""
    room = RIGHT - LEFT - width_of(amount, type_) - 2 * _GAP
    sheet.write(LEFT, sheet.bottom + 12, fit(name, room, type_), type_)
    sheet.write(RIGHT, sheet.bottom + 12, amount, type_, "right")
    sheet.bottom += _LINE


def _fill_bar(sheet: Sheet, box: Box, row: Row, chart: Chart) -> None:
    flow = chart.flow if row.value >= 0 else _CONTRARY[chart.flow]
    sheet.put(Fill(box, _FLOWS[flow], striped=row.value < 0))
    inner = Box(box.left + _HOLLOW, box.right - _HOLLOW, box.top + _HOLLOW, box.bottom - _HOLLOW)
    if row.unfinished and inner.left < inner.right and inner.top < inner.bottom:
        sheet.put(Fill(inner, PAPER))


# -- columns and lines --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Plot:
    """Where a series stands on the sheet."""

    values: tuple[Decimal, ...]
    left: float
    scale: _Scale
    """From values to heights; its start is the lower end."""
    line: bool

    @property
    def slot(self) -> float:
        """The width that each value has."""
        return (RIGHT - self.left) / len(self.values)

    def point(self, at: int) -> Point:
        return self.left + (at + 0.5) * self.slot, self.scale.at(self.values[at])

    def column(self, at: int) -> Box:
        middle = self.left + (at + 0.5) * self.slot
        half = min(0.36 * self.slot, _WIDEST_COLUMN / 2)
        top, bottom = self.scale.span(self.values[at])
        return Box(middle - half, middle + half, top, bottom)

    def shapes(self) -> list[Box]:
        """Return what an amount may not be written over."""
        zero = self.scale.at(Decimal(0))
        baseline = Box(self.left, RIGHT, zero - 1, zero + 1)
        if not self.line:
            return [baseline, *(self.column(at) for at in range(len(self.values)))]
        points = [self.point(at) for at in range(len(self.values))]
        dots = [Box(x - DOT, x + DOT, y - DOT, y + DOT) for x, y in points]
        return [baseline, *dots, *(Box(*sorted((x, u)), *sorted((y, v))) for (x, y), (u, v) in pairwise(points))]

    def places(self, at: int, width: float) -> list[Box]:
        """Return where an amount can be written, best first: beyond the column's end; over or under a line's point."""
        x, y = self.point(at)
        if self.line:
            over, under = y - _NEAR, y + _NEAR
        else:
            over, under = self.scale.span(self.values[at])
            over, under = over - 2, under + 2
        left = min(max(x - width / 2, self.left), RIGHT - width)
        above, below = Box(left, left + width, over - 11, over), Box(left, left + width, under, under + 11)
        if self.line:
            return [above, below]
        return [below if self.values[at] < 0 else above]


def _draw_series(sheet: Sheet, chart: Chart, locale: str, language: str, *, line: bool) -> None:
    """Draw a series from left to right, its amounts at the columns where they fit, else those that matter most."""
    amounts = [_drawn_amount(value, chart.currency, locale) for value in chart.values]
    whole = not line and _fit_over_columns(chart, locale)
    steps = {} if whole else {step: _brief(step, chart.currency, locale) for step in _steps(chart)}
    left = LEFT + max((width_of(text, _TICK) + _GAP for text in steps.values()), default=0)
    top = sheet.bottom + _LINE
    base = top + (_PLOT if any(chart.values) else 0)
    scale = _Scale.over(chart.values, base, top)
    plot = _Plot(chart.values, left, scale, line)
    sheet.bottom = base + (_LINE if scale.low < 0 else 0)
    for step, text in steps.items():
        _rule(sheet, left, scale.at(step), _GRID)
        sheet.write(left - _GAP, scale.at(step) + 4, text, _TICK, "right")
    _draw_values(sheet, plot, chart)
    wanted = dict.fromkeys(range(len(amounts)), "") if whole else _telling(chart)
    missing = _write_amounts(sheet, plot, {at: amounts[at] for at in wanted})
    _write_ticks(sheet, plot, _ticks(chart))
    for at in missing:
        name = translated(say("{place}: {name}", place=say(wanted[at]), name=drawable(chart.labels[at])), language)
        _write_pair(sheet, name, amounts[at], _SMALL)


def _draw_values(sheet: Sheet, plot: _Plot, chart: Chart) -> None:
    places = range(len(plot.values))
    for at, row in () if plot.line else enumerate(_all_rows(chart)):
        _fill_bar(sheet, plot.column(at), row, chart)
    _rule(sheet, plot.left, plot.scale.at(Decimal(0)), INK)
    if plot.line:
        points = tuple(plot.point(at) for at in places)
        sheet.put(Line(points, _FLOWS[chart.flow], thick=2, dots=len(places) <= _MOST_DOTS))


def _rule(sheet: Sheet, left: float, height: float, color: str) -> None:
    sheet.put(Fill(Box(left, RIGHT, height - 0.5, height + 0.5), color))


def _telling(chart: Chart) -> dict[int, str]:
    """Return the places of the highest, the lowest, the last and the first value, each place once, and what it is.

    What is not over yet is neither high nor low.
    """
    values = chart.values
    last = len(values) - 1
    over = range(last if chart.unfinished and last else len(values))
    high, low = max(over, key=values.__getitem__), min(over, key=values.__getitem__)
    named: dict[int, str] = {}
    for place, name in ((high, "Highest"), (low, "Lowest"), (last, "Last"), (0, "First")):
        named.setdefault(place, name)
    return named


def _write_amounts(sheet: Sheet, plot: _Plot, amounts: dict[int, str]) -> list[int]:
    """Write amounts where they cover nothing; return the places of those that found no room."""
    ticks = Box(0, math.inf, sheet.bottom, math.inf)
    taken = [ticks, *plot.shapes()]
    missing = []
    for at, amount in amounts.items():
        places = plot.places(at, width_of(amount, _SMALL))
        free = next((box for box in places if not any(box.meets(other) for other in taken)), None)
        if free is None:
            missing.append(at)
            continue
        sheet.write(free.left, free.bottom - 1, amount, _SMALL)
        taken.append(free)
    return missing


def _steps(chart: Chart) -> list[Decimal]:
    """Return an axis's round values, zero among them, in steps of no less than the currency's smallest unit."""
    low, high = min(Decimal(0), *chart.values), max(Decimal(0), *chart.values)
    if low == high:
        return []
    rough = (high - low) / 5
    power = Decimal(1).scaleb(rough.adjusted())
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    if chart.currency is not None:
        step = max(step, Decimal(1).scaleb(-exponent(chart.currency)))
    return [step * n for n in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _ticks(chart: Chart) -> list[tuple[str, str]]:
    """Return what stands under each value: a short name, and on a second line its year."""
    return [(drawable(name), drawable(year)) for name, year in chart.ticks or ((label, "") for label in chart.labels)]


def _write_ticks(sheet: Sheet, plot: _Plot, ticks: Sequence[tuple[str, str]]) -> None:
    """Name as many columns as have room, in even steps that meet the turn of a year; a year is named where it is another."""
    widest = max(width_of(name, _TICK) for name, _ in ticks) + 2 * _NEAR
    widest = min(widest, max(plot.slot, (RIGHT - plot.left) / 3))
    # Steps by which a year of months is counted off evenly.
    steps = (1, 2, 3, 4, 6, *range(12, len(ticks) + 12, 12))
    step = next((step for step in steps if step * plot.slot >= widest), steps[-1])
    years = [year for _, year in ticks]
    start = next((at for at in range(1, min(step, len(ticks))) if years[at] != years[at - 1]), 0)
    year, end = "", -math.inf
    for at in range(start, len(ticks), step):
        name = fit(ticks[at][0], widest - _NEAR, _TICK)
        half = max(width_of(name, _TICK), width_of(years[at], _TICK)) / 2
        x = min(max(plot.point(at)[0], plot.left + half), RIGHT - half)
        if x - half < end:
            continue
        sheet.write(x, sheet.bottom + 14, name, _TICK, "center")
        if years[at] != year:
            sheet.write(x, sheet.bottom + 28, years[at], _TICK, "center")
        year, end = years[at], x + half + _NEAR
    sheet.bottom += 34 if year else 20


# -- scales and words -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Scale:
    """From values, zero always among them, to places on the sheet."""

    low: Decimal
    high: Decimal
    start: float
    end: float

    @classmethod
    def over(cls, values: Iterable[Decimal], start: float, end: float) -> _Scale:
        both = [Decimal(0), *values]
        return cls(min(both), max(both), start, end)

    def at(self, value: Decimal) -> float:
        share = (value - self.low) / ((self.high - self.low) or 1)
        return self.start + (self.end - self.start) * float(share)

    def span(self, value: Decimal) -> tuple[float, float]:
        """Return where a bar begins and ends; what is more than nothing can be seen."""
        zero, end = self.at(Decimal(0)), self.at(value)
        if value and abs(end - zero) < 2:
            end = zero + (2 if (value > 0) == (self.end > self.start) else -2)
        return min(zero, end), max(zero, end)


def _write_title(sheet: Sheet, title: str) -> None:
    """Write the title, broken once between words and cut where it is longer still."""
    room = RIGHT - LEFT
    words = drawable(title).split(" ")
    first = max((n for n in range(1, len(words) + 1) if width_of(" ".join(words[:n]), _TITLE) <= room), default=1)
    for line in (" ".join(words[:first]), " ".join(words[first:])):
        if line:
            sheet.write(LEFT, sheet.bottom + 14, fit(line, room, _TITLE), _TITLE)
            sheet.bottom += 20
    sheet.bottom += _GAP


def _amount(value: Decimal, currency: str | None, locale: str) -> str:
    return number(value, locale) if currency is None else money(Money(to_minor(value, currency), currency), locale)


def _drawn_amount(value: Decimal, currency: str | None, locale: str) -> str:
    return _in_our_signs(lambda known: _amount(value, currency, known), currency, locale)


def _brief(value: Decimal, currency: str | None, locale: str) -> str:
    """Return an axis's round figure, shortened where the locale does so: ``$1.5K``."""
    if value and abs(value) < 1:
        return _drawn_amount(value, currency, locale)
    return _in_our_signs(lambda known: _compact(value, currency, known), currency, locale)


def _compact(value: Decimal, currency: str | None, locale: str) -> str:
    known = locale.replace("-", "_")
    try:
        if currency is None:
            return str(format_compact_decimal(value, locale=known, fraction_digits=1))
        return str(format_compact_currency(value, currency, locale=known, fraction_digits=1))
    except (UnknownLocaleError, ValueError):
        return _compact(value, currency, "en_US")


def _in_our_signs(write: Callable[[str], str], currency: str | None, locale: str) -> str:
    """Return what is written for the locale, or in American English where the font lacks one of its signs.

    Where it lacks the currency's, as of Israel's shekel, the currency's code stands for it.
    """
    text = write(locale)
    if can_show(text):
        return text
    english = write("en_US")
    if currency is None or can_show(english):
        return english
    return english.replace(get_currency_symbol(currency, "en_US"), currency)
