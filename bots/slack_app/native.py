"""Slack's own tables and charts; slack-sdk 3.47 has no classes for them, so they are plain dictionaries.

``data_table``: docs.slack.dev/reference/block-kit/blocks/data-table-block. A ``raw_number`` cell has a ``value`` to sort
by and a ``text`` to show, so that a column of amounts sorts and every cent stands as it is. ``data_visualization``:
docs.slack.dev/reference/block-kit/blocks/data-visualization-block. Its values are numbers that Slack rounds as it
likes; the exact amounts stand in the message's text. (Both captured in summer 2026.)
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bots.bars import MOST_ROWS, bar_lines
from bots.cleaning import clean
from bots.fallback import cell_text, chart_text, count_sums, left_out, shorten, table_grid, table_text
from bots.limits import Slack
from bots.slack_app.parts import Part, chunks, code_lines, paragraphs, rich_text, said
from bots.slack_app.wording import escape
from bots.table_file import table_file
from language.catalogue import translated
from language.tongue import DEFAULT
from ledger.money import Money

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.periods import Period
    from tools.results import Chart, Column, Table, Value

#: A cell has to say something, if only a space.
_EMPTY = " "
_PAGE = 20
_LONGEST_CELL = 200
#: How many rows are shown of a table that is too long for one message, or fewer where even those are too long.
_FIRST_ROWS = (20, 10, 5, 2, 1)


def table_parts(table: Table, period: Period | None, locale: str, language: str = DEFAULT) -> Iterator[Part]:
    """Yield a table, whole where one message takes it; else its first rows, and all of them as a file."""
    listed = len(table.rows) - count_sums(table)
    count, part = _fitting(_readable(table), listed, locale)
    if part.text:
        yield part
    cut = any(len(cell) > _LONGEST_CELL for row in table.rows for cell in row if isinstance(cell, str))
    if count == listed and not cut:
        return
    shown = count if count < listed else 0
    yield from paragraphs(translated(left_out(listed, shown, len(table.rows) - listed, locale), language))
    file = table_file(table, period)
    yield Part(escape(file.name), file=file)


def chart_parts(chart: Chart, locale: str, language: str = DEFAULT) -> Iterator[Part]:
    """Yield a chart: rows with bars, or Slack's own drawing of more times than that; its values stand in the text."""
    if not chart.labels:
        return
    rows = tuple(code_lines(bar_lines(chart, locale, language)))
    lines = list(chunks(chart_text(chart, locale)))
    if len(lines) > 1:
        yield from (said(chunk, rich_text(chunk)) for chunk in lines)
    elif chart.ticks and len(chart.labels) > MOST_ROWS:
        drawn = data_visualization(chart, language)
        yield Part(escape(lines[0]), (drawn,) if drawn else rows, rows, chart=chart)
    else:
        yield said(lines[0], *rows)


def data_table(table: Table, locale: str) -> dict[str, Any] | None:
    """Return a table as Slack's own block, None where it does not fit into one."""
    if not 0 < len(table.rows) <= Slack.TABLE_ROWS or not 0 < len(table.columns) <= Slack.TABLE_COLUMNS:
        return None
    rows = [
        [_raw_text(column.title) for column in table.columns],
        *([_cell(cell, column, locale) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows),
    ]
    if sum(len(cell["text"]) for row in rows for cell in row) > Slack.TABLE_TEXT:
        return None
    return {
        "type": "data_table",
        "caption": shorten(clean(table.title).strip(), _LONGEST_CELL) or "Details",
        "page_size": min(len(table.rows), _PAGE + count_sums(table)),
        "rows": rows,
    }


def data_visualization(chart: Chart, language: str = DEFAULT) -> dict[str, Any] | None:
    """Return a chart as Slack's own block, None where it does not fit into one."""
    labels = _marks(chart)
    distinct = len(set(labels)) == len(labels) and all(label.strip() for label in labels)
    if not 0 < len(labels) <= Slack.CHART_CATEGORIES or not distinct:
        return None
    points = [{"label": label, "value": float(value)} for label, value in zip(labels, chart.values, strict=True)]
    return {
        "type": "data_visualization",
        "title": shorten(clean(chart.title).strip() or translated("Chart", language), Slack.CHART_TITLE),
        "chart": {
            "type": chart.kind,
            "series": [
                {
                    "name": shorten(clean(chart.currency or translated("Value", language)), Slack.CHART_LABEL),
                    "data": points,
                }
            ],
            "axis_config": {"categories": labels},
        },
    }


def _marks(chart: Chart) -> list[str]:
    """Return what stands below the bars, where there is little room: names of times short, with a year if need be."""
    labels = [clean(name) for name, _ in chart.ticks] or [clean(label) for label in chart.labels]
    if len(set(labels)) < len(labels) and chart.ticks:
        labels = [clean(f"{name} {year}") for name, year in chart.ticks]
    return [label if len(label) <= Slack.CHART_LABEL else f"{label[: Slack.CHART_LABEL - 1].rstrip()}…"
            for label in labels]  # fmt: skip


def _readable(table: Table) -> Table:
    """Return the table with texts that are clean and short enough to read in a row, and its amounts in sight."""
    order = _order(table.columns)
    rows = tuple(
        tuple(
            shorten(clean(cell), _LONGEST_CELL) if isinstance(cell, str) else cell
            for cell in map(row.__getitem__, order)
        )
        for row in table.rows
    )
    columns = tuple(
        replace(column, title=clean(column.title).strip()) for column in map(table.columns.__getitem__, order)
    )
    return replace(table, columns=columns, rows=rows, title=clean(table.title).strip())


def _order(columns: Sequence[Column]) -> list[int]:
    """Return the columns' places, amounts next to what they are of: a phone shows the first three or so."""
    units = [column.unit for column in columns]
    start = units.index("text") if "text" in units else len(units)
    return sorted(range(len(units)), key=lambda place: place > start and units[place] != "money")


def _fitting(table: Table, listed: int, locale: str) -> tuple[int, Part]:
    """Return the table with as many of its listed rows as one message takes, sums below, and how many those are."""
    for count in (listed, *(fewer for fewer in _FIRST_ROWS if fewer < listed)):
        part = _table_part(replace(table, rows=table.rows[:count] + table.rows[listed:]), locale)
        if part is not None and part.fits:
            return count, part
    return 0, next(paragraphs(table.title, bold=True), Part(""))


def _table_part(table: Table, locale: str) -> Part | None:
    native = data_table(table, locale)
    if native is None:
        return None
    title = (rich_text(table.title, bold=True),) if table.title else ()
    return Part(escape(table_text(table, locale)), (native,), (*title, *code_lines(table_grid(table, locale))))


def _cell(cell: Value | Money | None, column: Column, locale: str) -> dict[str, Any]:
    size = _sorts_as(cell)
    text = cell_text(cell, column, locale)
    return _raw_text(text) if size is None else {"type": "raw_number", "value": size, "text": text}


def _raw_text(text: str) -> dict[str, Any]:
    return {"type": "raw_text", "text": clean(text).strip() or _EMPTY}


def _sorts_as(cell: Value | Money | None) -> float | None:
    """Return what a cell is sorted by: an amount by its size, a day by its place in the calendar."""
    match cell:
        case Money():
            return float(cell.amount)
        case Decimal() | int():
            return float(cell)
        case date():
            return cell.toordinal()
        case _:
            return None
