"""Replies for platforms that can show less: everything that has no form of its own there is said in text."""

from __future__ import annotations

import dataclasses
import itertools
import re
import unicodedata
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, set_cell_size

from bots.import_words import counted
from graph.answers import show_value
from graph.reply import Action, Actions, File, Reply, Text
from language.catalogue import say, translated
from ledger.money import Money, to_minor
from tools.results import Chart, Column, Table
from tools.wording import money, number, percentage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bots.contracts import Capabilities
    from language.catalogue import Template
    from tools.results import Value

_SEPARATOR = " · "
_NOTHING = "–"
_NARROWEST = 10
_ISO_CODE = 3
_LONGEST_AMOUNT = 30
WHOLE: Final = "The whole table is in the file."
_BREAKABLE = re.compile("[ \t\n\r\f\v\u2028\u2029]+")


def degrade(reply: Reply, can: Capabilities, locale: str = "en_US") -> Reply:
    """Return the reply with only such blocks as the platform can show, each text within its length."""
    blocks = tuple(part for block in reply.shown for part in _shown(block, can, locale, reply.language))
    return dataclasses.replace(reply, blocks=blocks)


def split_text(text: str, longest: int) -> list[str]:
    """Cut a text into parts of at most ``longest`` characters, at a line's end or else between words.

    An amount stays with its currency where there is any other place to cut. Only a single word that is longer than a
    part is cut in itself.
    """
    parts = []
    while len(text) > longest:
        cut = _place_to_cut(text, longest)
        parts.append(text[: cut or longest].rstrip())
        text = text[cut + 1 :] if cut else text[longest:]
    return [part for part in (*parts, text) if part]


def shorten(text: str, longest: int) -> str:
    """Return the text in at most ``longest`` characters, cut between words and with an ellipsis where it is longer."""
    if len(text) <= longest:
        return text
    return text[: _place_to_cut(text, longest - 1) or longest - 1].rstrip() + "…"


def cell_text(cell: Value | Money | None, column: Column, locale: str) -> str:
    """Return a cell as a person reads it, on one line and with every digit; nothing is an empty text."""
    if isinstance(cell, Decimal) and column.unit == "percent":
        return percentage(cell, locale)
    if isinstance(cell, Decimal) and column.currency:
        return amount_text(cell, column.currency, locale)
    return _BREAKABLE.sub(" ", cell).strip() if isinstance(cell, str) else show_value(cell, locale)


def amount_text(value: Decimal, currency: str | None, locale: str) -> str:
    """Return a figure of a chart or table as a person reads it."""
    return money(Money(to_minor(value, currency), currency), locale) if currency else show_value(value, locale)


def table_text(table: Table, locale: str = "en_US") -> str:
    """Return a table as lines, one per row, every cell whole."""
    lines = [table.title, _SEPARATOR.join(column.title for column in table.columns if column.title)]
    for row in table.rows:
        cells = zip(row, table.columns, strict=True)
        lines.append(_SEPARATOR.join(cell_text(cell, column, locale) or _NOTHING for cell, column in cells))
    return "\n".join(line for line in lines if line)


def table_grid(table: Table, locale: str = "en_US", width: int = 40) -> list[str]:
    """Return a table as lines of aligned columns for a font of one width, its headings first.

    Texts give way, the longest first, until the lines are ``width`` cells wide; figures and dates never do. Where the
    texts would be too short to read, those of a row stand below its figures.
    """
    titles = [column.title for column in table.columns]
    texts = [[cell_text(cell, column, locale) for cell, column in zip(row, table.columns, strict=True)]
             for row in table.rows]  # fmt: skip
    grid = [titles, *texts] if any(titles) else texts
    widths = _widths(table.columns, titles, texts, width)
    if sum(widths) + len(widths) - 1 <= width or all(column.unit == "text" for column in table.columns):
        return [_grid_line(row, widths, table.columns) for row in grid]
    return [line for row in grid for line in _two_lines(row, widths, table.columns, width)]


def chart_text(chart: Chart, locale: str = "en_US") -> str:
    """Return a chart as lines, one per value."""
    pairs = zip(chart.labels, chart.values, strict=True)
    lines = [chart.title, *(f"{label}: {amount_text(value, chart.currency, locale)}" for label, value in pairs)]
    return "\n".join(line for line in lines if line)


def action_text(action: Action, language: str) -> str:
    """Return in words how to do without a button; a receipt or a share has no such words."""
    match action.action:
        case "choose":
            text = say("You could ask: {question}", question=action.label)
        case "ask":
            text = say("You could ask: {question}", question=action.value)
        case "confirm" if action.effect == "back":
            text = say("Say “undo” to take it back.")
        case "confirm":
            text = say("Say “yes” for “{button}”.", button=action.label)
        case "cancel":
            text = say("Say “no” to leave it.")
        case _:
            return ""
    return translated(text, language)


def _shown(
    block: Text | Table | Chart | Actions | File, can: Capabilities, locale: str, language: str
) -> Iterator[Text | Table | Chart | Actions | File]:
    match block:
        case Table() if not can.tables:
            text = table_text(block, locale)
        case Chart() if not can.charts:
            text = chart_text(block, locale)
        case Actions() if not can.buttons:
            text = "\n".join(filter(None, (action_text(action, language) for action in block.actions)))
        case File() if not can.files:
            text = translated(say("I can't hand over {file} here.", file=block.name), language)
        case Text():
            for part in split_text(block.text, can.max_text):
                yield Text(part, block.role)
            return
        case _:
            yield block
            return
    for part in split_text(text, can.max_text):
        yield Text(part)


def _place_to_cut(text: str, longest: int) -> int:
    """Return where the last line or word ends that fits, 0 where none does."""
    window = text[: longest + 1]
    line_end = window.rfind("\n")
    if line_end > 0:
        return line_end
    last = place = window.rfind(" ")
    while place > 0 and _holds_amount(text, place):
        place = text.rfind(" ", 0, place)
    return max(place, 0) or max(last, 0)


def _holds_amount(text: str, space: int) -> bool:
    """Whether a space stands between a number and its currency; within numbers there are only unbreakable ones."""
    before = text[max(space - _LONGEST_AMOUNT, 0) : space].rpartition(" ")[2]
    after = text[space + 1 : space + _LONGEST_AMOUNT].partition(" ")[0]
    return (before[-1:].isdigit() and _is_currency(after)) or (
        _is_currency(before) and after.lstrip("-−")[:1].isdigit()
    )


def _is_currency(word: str) -> bool:
    word = word.strip(".,;:()")
    return (len(word) == _ISO_CODE and word.isascii() and word.isupper()) or (
        bool(word) and all(unicodedata.category(char) == "Sc" for char in word)
    )


def _widths(columns: Sequence[Column], titles: Sequence[str], texts: Sequence[Sequence[str]], most: int) -> list[int]:
    """Return how wide each column is: as its longest cell, or less where the texts and headings can give way."""
    needed = [max([0, *(cell_len(row[position]) for row in texts)]) for position in range(len(titles))]
    widths = [max(cell_len(title), cells) for title, cells in zip(titles, needed, strict=True)]
    least = [min(_NARROWEST, each) if column.unit == "text" else cells
             for column, each, cells in zip(columns, widths, needed, strict=True)]  # fmt: skip
    while sum(widths) + len(widths) - 1 > most:
        yielding = [position for position in range(len(widths)) if widths[position] > least[position]]
        if not yielding:
            break
        widths[max(yielding, key=lambda position: widths[position])] -= 1
    return widths


def _two_lines(row: Sequence[str], widths: Sequence[int], columns: Sequence[Column], most: int) -> Iterator[str]:
    """Yield a row's figures, and its texts below them."""
    figures = [position for position, column in enumerate(columns) if column.unit != "text"]
    room = [widths[position] for position in figures]
    room[-1] += max(most - sum(room) - len(room) + 1, 0)
    yield _grid_line([row[position] for position in figures], room, [columns[position] for position in figures])
    words = [row[position] for position, column in enumerate(columns) if column.unit == "text"]
    if any(words):
        yield _cut_to_cells("  " + _SEPARATOR.join(word for word in words if word), most)


def _grid_line(row: Sequence[str], widths: Sequence[int], columns: Sequence[Column]) -> str:
    cells = []
    for text, width, column in zip(row, widths, columns, strict=True):
        cut = _cut_to_cells(text, width)
        space = " " * (width - cell_len(cut))
        cells.append(cut + space if column.unit in ("text", "date") else space + cut)
    return " ".join(cells).rstrip()


def _cut_to_cells(text: str, width: int) -> str:
    return text if cell_len(text) <= width else set_cell_size(text, max(width - 1, 0)).rstrip() + "…"


def count_sums(table: Table) -> int:
    """Return how many rows at the end are sums of the others: those have nothing in the first column."""
    ends = list(itertools.takewhile(lambda row: row[:1] == (None,), reversed(table.rows)))
    return len(ends) if len(ends) < len(table.rows) else 0


def left_out(listed: int, shown: int, sums: int, locale: str, *, in_file: bool = True) -> Template:
    """Return where the rows of a table are that are not shown, and that the sums count them."""
    rows = number(listed, locale)
    if in_file and not shown:
        return say(WHOLE)
    if sums and shown and in_file:
        return say(
            "The sum is over all {rows} rows, which are in the file."
            if sums == 1
            else "The sums are over all {rows} rows, which are in the file.",
            rows=rows,
        )
    if sums and shown:
        return say("The sum is over all {rows} rows." if sums == 1 else "The sums are over all {rows} rows.", rows=rows)
    if in_file:
        return say("All {rows} rows are in the file.", rows=rows)
    return say("Not shown: {rows}.", rows=counted(listed - shown, "row", locale))
