"""Statements as text in which each transaction is a few lines, “Date: …”, “Amount: …”, with an empty line after it."""

from __future__ import annotations

import csv
import re
from collections import Counter
from io import StringIO
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LINE = re.compile(r"\s*([^\W\d_][^:\t]{1,30}):\s*(.*?)\s*")
#: So many lines at least make a transaction, and so many of them a statement.
_LEAST_LINES, _LEAST = 3, 2
#: A text of more lines is no such statement.
_MOST = 200_000

_Block = dict[str, str]


def as_table(lines: Iterable[str]) -> bytes | None:
    """Return such a text as a table with a column for each name, what stands above it as lines of its own; None if it is none."""
    some = list(islice(lines, _MOST + 1))
    blocks = list(_blocks(some)) if len(some) <= _MOST else []
    names, count = next(iter(Counter(tuple(each) for each in blocks).most_common(1)), ((), 0))
    if len(names) < _LEAST_LINES or count < _LEAST:
        return None
    first = next(place for place, each in enumerate(blocks) if tuple(each) == names)
    table = StringIO()
    write = csv.writer(table, lineterminator="\n").writerow
    for block in blocks[:first]:
        for pair in block.items():
            write(pair)
    write(names)
    for block in blocks[first:]:
        write([block.get(name, "") for name in names])
    return table.getvalue().encode()


def _blocks(lines: Iterable[str]) -> Iterator[_Block]:
    """Yield the names and texts of lines that stand together; what is no such line ends them."""
    block: _Block = {}
    for line in lines:
        found = _LINE.fullmatch(line.rstrip("\n"))
        if found is None or found[1] in block:
            if block:
                yield block
            block = {}
        if found is not None:
            block[found[1]] = found[2]
    if block:
        yield block
