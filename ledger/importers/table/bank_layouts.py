"""The layouts of banks that came with the program: one small text file each, in :mod:`ledger.layouts`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from ledger.importers.table.layout_file import read_layout

if TYPE_CHECKING:
    from ledger.importers.table.stated import StatedLayout


@cache
def bank_layouts() -> tuple[StatedLayout, ...]:
    """Return all of them, by the name of their file."""
    found = sorted(
        (each for each in files("ledger.layouts").iterdir() if each.name.endswith(".toml")), key=lambda each: each.name
    )
    return tuple(read_layout(each.read_text(encoding="utf-8")) for each in found)
