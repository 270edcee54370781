"""Answers, tables, bars and progress in a terminal, with rich."""

from __future__ import annotations

from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table as RichTable
from rich.text import Text as RichText

from graph.reply import Actions, Text
from graph.wordings import show_value
from ledger.money import Money
from tools.results import Chart, Column, Table
from tools.wording import money, percentage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from graph.reply import Reply
    from ledger.imports import ImportReport
    from tools.results import Value

_STYLES = {"headline": "bold", "definition": "dim", "details": "", "narration": "italic", "body": ""}
_MOST_ROWS = 30
_BAR = 32


def terminal() -> Console:
    """Return a console on standard output; colours and widths follow the terminal, or plain text in a pipe."""
    return Console(highlight=False, soft_wrap=True)


def show_reply(reply: Reply, console: Console, locale: str = "en_US") -> None:
    """Print a reply: headline, definition, details, table and bars; its buttons as numbered lines."""
    texts = [block for block in reply.blocks if isinstance(block, Text)]
    if not any(block.role == "headline" for block in texts):
        console.print(RichText(reply.headline, style="bold"))
    for block in reply.blocks:
        if isinstance(block, Text):
            console.print(RichText(block.text, style=_STYLES[block.role]))
        elif isinstance(block, Table):
            show_table(block, console, locale)
        elif isinstance(block, Chart):
            show_chart(block, console, locale)
        elif isinstance(block, Actions) and reply.kind == "clarify":
            for number, action in enumerate(block.actions, start=1):
                console.print(RichText(f"  {number}  {action.label}"))
    if reply.narration:
        console.print(RichText(reply.narration, style="italic"))


def show_table(table: Table, console: Console, locale: str = "en_US") -> None:
    """Print a table, numbers to the right; a long one is cut and says so."""
    shown = RichTable(title=table.title or None, title_justify="left", box=None, pad_edge=False, header_style="dim")
    for column in table.columns:
        shown.add_column(column.title, justify="left" if column.unit in ("text", "date") else "right", overflow="fold")
    for row in table.rows[:_MOST_ROWS]:
        shown.add_row(*(RichText(_cell(cell, column, locale)) for cell, column in zip(row, table.columns, strict=True)))
    console.print(shown)
    if len(table.rows) > _MOST_ROWS:
        console.print(RichText(f"… and {len(table.rows) - _MOST_ROWS} more", style="dim"))


def show_chart(chart: Chart, console: Console, locale: str = "en_US") -> None:
    """Print one bar per label; the longest value fills the width, negative values point out as such."""
    most = max((abs(value) for value in chart.values), default=Decimal(0))
    if not most:
        return
    width = max(len(label[:24]) for label in chart.labels)
    for label, value in zip(chart.labels, chart.values, strict=True):
        length = int(abs(value) / most * _BAR)
        amount = _amount(value, chart.currency, locale)
        line = RichText(f"{label[:24].ljust(width)}  ")
        line.append(("█" if value >= 0 else "░") * max(length, 1 if value else 0), style="cyan" if value >= 0 else "red")
        line.append(f" {amount}")
        console.print(line)


def show_import(report: ImportReport, console: Console, *, dry_run: bool = False, locale: str = "en_US") -> None:
    """Print what became of each file, rejected rows with their reasons."""
    for file in report.files:
        if file.error:
            console.print(RichText(f"{file.file}: {file.error}", style="red"))
            continue
        sums = ", ".join(f"{amount} {currency}" for currency, amount in sorted(file.sums.items()))
        verb = "would be added" if dry_run else "added"
        console.print(RichText(f"{file.file}: {file.added} {verb}, {file.duplicates} known already", style="bold"))
        span = f"{show_value(file.first, locale)} – {show_value(file.last, locale)}" if file.first else "no transactions"
        console.print(RichText(f"  {file.format} · {file.account} · {span} · sum {sums or '0'}", style="dim"))
        for rejected in file.rejected[:10]:
            console.print(RichText(f"  row {rejected.row} left out: {rejected.reason}", style="yellow"))
        if len(file.rejected) > 10:
            console.print(RichText(f"  … and {len(file.rejected) - 10} more rows left out", style="yellow"))


@contextmanager
def working(what: str, *, quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
    """Show a progress bar on standard error while something long runs; the callable takes a name, done and all."""
    if quiet:
        yield lambda _name, _done, _all: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=30), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)

        def update(name: str, done: int, of: int) -> None:
            progress.update(task, description=f"{what} {name}".strip(), completed=done, total=of)

        yield update


def _cell(cell: Value | Money | None, column: Column, locale: str) -> str:
    if isinstance(cell, Decimal) and column.unit == "percent":
        return percentage(cell, locale)
    return show_value(cell, locale)


def _amount(value: Decimal, currency: str | None, locale: str) -> str:
    if currency is None:
        return show_value(value, locale)
    from ledger.money import to_minor

    return money(Money(to_minor(value, currency), currency), locale)
