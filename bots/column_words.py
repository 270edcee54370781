"""What is said about the columns of a file, the same at the console and on every platform."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.import_words import layout_words, on_one_line
from language.catalogue import joined, say
from ledger.importers.table.stated import ORDERS, WORDS
from tools.results import Column, Table

if TYPE_CHECKING:
    from datetime import date

    from language.catalogue import Template
    from ledger.importers.table.stated import SeenTable

#: How columns are spoken of where there is no form.
EXAMPLE = "Betrag=amount dates=day-first sign=reversed"


def columns_table(table: SeenTable, *, typed: bool = False) -> Table:
    """Return the columns of a file: number, name, what it is taken for, and a cell of it.

    Where the person types what a column is (``typed``), that stands as it is typed.
    """
    roles = dict(table.layout.columns)
    rows = tuple(
        (
            str(column + 1),
            on_one_line(table.layout.header[column], 40) if table.layout.header else "",
            _role(WORDS[roles[column]], typed=typed) if column in roles else "–",
            on_one_line(table.example(column), 40),
        )
        for column in range(table.layout.width)
    )
    return Table((Column("Column"), Column("Name"), Column("Taken for"), Column("Such as")), rows)


def _role(word: str, *, typed: bool) -> str:
    return word if typed else say(word.replace("-", " "))


def settled_words(table: SeenTable, said_on: date | None) -> list[Template]:
    """Return what holds for the whole file: what was said of it, the order of its dates, decimal mark and signs."""
    layout = table.layout
    lines = [read_as] if (read_as := layout_words(table, said_on)) else []
    order = next((word.replace("-", " ") for word, order in ORDERS.items() if order is layout.order), "")
    settled = (
        f"dates {order}" if order else "",
        {".": "decimal point", ",": "decimal comma"}.get(layout.decimal or "", ""),
        {"as-is": "a minus is money out", "reversed": "amounts are money out"}.get(layout.sign or "", ""),
    )
    first, *others = [each for each in settled if each] or [""]
    if not first:
        return lines
    facts = joined((say(f"{first[:1].upper()}{first[1:]}"), *map(say, others)), ", ")
    return [*lines, say("{facts}.", facts=facts)]
