"""Answers, tables and bars in a terminal, with rich."""

from __future__ import annotations

import io
import sys
import unicodedata
from decimal import Decimal
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text as RichText

from bots.bars import label_of, rest_of, rows_of
from graph.answers import show_value
from graph.reply import Actions, File, Text
from language.catalogue import say as message
from language.catalogue import translated
from language.tongue import DEFAULT
from ledger.money import Money, to_minor
from tools.results import Chart, Column, Table
from tools.wording import money, number, percentage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.reply import Reply
    from tools.results import Value

#: Money that went out, that came in, and what did neither.
_FLOWS = {"out": "yellow", "in": "green", "": "cyan"}
_STYLES = {"headline": "bold", "definition": "dim", "details": "", "narration": "italic", "body": ""}
_MOST_ROWS = 30
_BAR = 32
_LABEL = 24
#: Wider than any table of ours, so that what is read by a program is never cut.
_PIPE_WIDTH = 400
_EIGHTHS = " ▏▎▍▌▋▊▉"
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")


def terminal() -> Console:
    """Return a console on standard output: colours and line breaks for a terminal, neither for a pipe."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what the terminal can't show is no reason to stop
            stream.reconfigure(errors="replace")
    if sys.stdout is not None and sys.stdout.isatty():
        return Console(highlight=False, emoji=False, markup=False)
    file = sys.stdout or io.StringIO()  # a parent may have closed it
    return Console(
        file=file, highlight=False, emoji=False, markup=False, soft_wrap=True, width=_PIPE_WIDTH, force_terminal=False
    )


def say(console: Console, text: str, style: str = "", language: str = DEFAULT) -> None:
    """Print a line or paragraph, a message of ours in a language; control characters never reach the terminal."""
    console.print(_text(translated(text, language), style))


def show_reply(reply: Reply, console: Console, locale: str = "en_US", pressed: Sequence[str] = ()) -> None:
    """Print a reply: headline, definition, details, table and bars; what can be chosen from as numbered lines.

    ``pressed`` are the labels of buttons that are pressed by their numbers; of a single one it is said that it may come next.
    """
    texts = [block for block in reply.blocks if isinstance(block, Text)]
    if not any(block.role == "headline" for block in texts):
        say(console, reply.headline, "bold")
    for block in reply.shown:
        _show_block(block, console, locale, reply.language)
    if len(pressed) == 1 and reply.kind == "answer":
        say(console, message("Next: {question}", question=pressed[0]), "dim", reply.language)
    else:
        for number, label in enumerate(pressed or [choice.label for choice in reply.choices], start=1):
            say(console, f"  {number}  {label}")
    if any(action.action == "confirm" for row in reply.rows() for action in row):
        say(console, "yes/no" if reply.kind == "clarify" else "“undo” takes it back.", "bold", reply.language)
    if reply.narration:
        say(console, reply.narration, "italic")


def _show_block(block: Text | Table | Chart | Actions | File, console: Console, locale: str, language: str) -> None:
    match block:
        case Text():
            say(console, block.text, _STYLES[block.role])
        case Table():
            show_table(block, console, locale, language=language)
        case Chart():
            show_chart(block, console, locale, language)
        case File():
            say(console, message("I can't hand over {file} here.", file=block.name), "", language)


def show_table(
    table: Table,
    console: Console,
    locale: str = "en_US",
    most: int | None = _MOST_ROWS,
    *,
    language: str = DEFAULT,
) -> None:
    """Print a table, numbers to the right; texts give way where it is wide, and a long one is cut and says so."""
    titled = any(column.title for column in table.columns)
    shown = RichTable(box=None, pad_edge=False, header_style="dim", show_header=titled, padding=(0, 2, 0, 0))
    for column in table.columns:
        text = column.unit == "text"
        justify = "left" if text or column.unit == "date" else "right"
        shown.add_column(column.title, justify=justify, no_wrap=not text, overflow="ellipsis")  # type: ignore[arg-type]
    for row in table.rows[:most]:
        shown.add_row(*(_cell(cell, column, locale) for cell, column in zip(row, table.columns, strict=True)))
    if table.title:
        say(console, table.title, "dim")
    _print(shown, console)
    if most is not None and len(table.rows) > most:
        more = message("… and {number} more", number=number(len(table.rows) - most, locale))
        say(console, more, "dim", language)


def show_pairs(pairs: Sequence[tuple[str, str]], console: Console) -> None:
    """Print names and what belongs to them, aligned; a long text is broken under its own beginning."""
    grid = RichTable.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    for name, text in pairs:
        grid.add_row(_text(name), _text(text))
    _print(grid, console)


def show_chart(chart: Chart, console: Console, locale: str = "en_US", language: str = DEFAULT) -> None:
    """Print one bar per row; the longest fills the width, negative values and unfinished times can be told apart."""
    rows, rest = rows_of(chart)
    most = max((abs(row.value) for row in rows), default=Decimal(0))
    if not most:
        return
    labels = [_clean(label_of(row, language)) for row in rows]
    amounts = [_amount(row.value, chart.currency, locale) for row in rows]
    label_width = min(_LABEL, max(cell_len(label) for label in labels))
    amount_width = max(cell_len(amount) for amount in amounts)
    longest = max(1, min(_BAR, console.width - label_width - amount_width - 4))
    for label, amount, row in zip(labels, amounts, rows, strict=True):
        cut = label if cell_len(label) <= label_width else set_cell_size(label, label_width - 1) + "…"
        line = RichText(f"{set_cell_size(cut, label_width)}  {amount.rjust(amount_width)}  ")
        style = _FLOWS[chart.flow] if row.value >= 0 else "red"
        line.append(_bar(abs(row.value) / most * longest), style=f"dim {style}" if row.unfinished else style)
        console.print(line)
    if rest:
        say(console, rest_of(chart, rest, locale), "dim", language)


def _print(table: RichTable, console: Console) -> None:
    """Print a table; in a pipe, without the blanks that fill its last column."""
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        console.print(line.rstrip())


def _cell(cell: Value | Money | None, column: Column, locale: str) -> RichText:
    if isinstance(cell, Decimal) and column.unit == "percent":
        text = percentage(cell, locale)
    elif isinstance(cell, Decimal) and column.currency:
        text = _amount(cell, column.currency, locale)
    else:
        text = show_value(cell, locale)
    shown = _text(_on_one_line(text))
    shown.no_wrap = True
    shown.overflow = "ellipsis"
    return shown


def _on_one_line(text: str) -> str:
    return " ".join(_clean(text).split())


def _amount(value: Decimal, currency: str | None, locale: str) -> str:
    return show_value(value, locale) if currency is None else money(Money(to_minor(value, currency), currency), locale)


def _bar(length: Decimal) -> str:
    """Return a bar of so many cells, to an eighth; what is more than nothing can be seen."""
    eighths = max(1, int(length * 8)) if length else 0
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def _text(text: str, style: str = "") -> RichText:
    return RichText(_clean(text), style=style)


def _clean(text: str) -> str:
    """Return the text without control characters and marks that turn its direction; the ends of lines stay."""
    spaced = text.replace("\t", " ")
    return "".join(char for char in spaced if char == "\n" or not (unicodedata.category(char) == "Cc" or char in _BIDI))
