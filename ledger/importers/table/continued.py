"""Tables in which a transaction goes on over several lines, of which only the first has a day and an amount."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ledger.importers.table.cells import LONGEST_LINE, is_amount, is_date
from ledger.importers.table.column_names import header_meanings
from ledger.importers.table.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ledger.importers.programs.plain import PlainRecord
    from ledger.importers.table.layout import Layout, Record
    from ledger.importers.table.passes import Begins

#: So many transactions at least, and which share of them, go on.
_LEAST, _SHARE = 3, 0.5
#: What such a line tells: “Beneficiary: ENEL”.
_LABELLED = re.compile(r"\s*([^\W\d_][^:]{1,30}):\s*(\S.*)")
_NAMES = frozenset({Role.PAYEE, Role.PAYER, Role.MERCHANT})
_BETWEEN = "; "
_VALUES = (Role.AMOUNT, Role.DEBIT, Role.CREDIT, Role.BALANCE, Role.FEE, Role.CURRENCY)


def joined(
    records: Iterable[PlainRecord], head: Sequence[Record], layout: Layout, begins: Begins
) -> tuple[Iterable[PlainRecord], Layout]:
    """Return records with each transaction in one of them, and their layout, where most go on; else both as they are.

    Two columns are added: what the further lines say, and whom the money went to or came from if one of them says that.
    Neither takes the place of a description: by that a row is known again in a file where too few go on.
    """
    empty = {*layout.dates, *(layout.column(role) for role in _VALUES), *(each.column for each in layout.by_currency)}
    runs = list(_runs([cells for _, cells in head[begins.skipped :] if cells != begins.header], empty))
    if sum(map(bool, runs)) < max(_LEAST, _SHARE * len(runs)):
        return records, layout
    columns = dict(layout.columns)
    if not _NAMES & columns.keys():
        columns[Role.MERCHANT] = layout.width + 1
    wider = replace(layout, width=layout.width + 2, columns=columns, memos=(*layout.memos, layout.width))
    return Joined(records, begins, layout.width, frozenset(empty), max(runs)), wider


def _runs(rows: Sequence[Sequence[str]], empty: set[int]) -> Iterator[int]:
    """Yield over how many further lines each transaction goes on."""
    count = -1
    for cells in rows:
        if count >= 0 and goes_on(cells, empty):
            count += 1
            continue
        if count >= 0:
            yield count
        dated = any(is_date(cells[column]) for column in empty if 0 <= column < len(cells))
        count = 0 if dated and any(is_amount(cells[column]) for column in empty if 0 <= column < len(cells)) else -1
    if count >= 0:
        yield count


def goes_on(cells: Sequence[str], empty: Iterable[int]) -> bool:
    """Tell a line with a text, and with nothing where days and amounts stand."""
    filled = any(cell.strip() for cell in cells)
    return filled and not any(cells[column].strip() for column in empty if 0 <= column < len(cells))


@dataclass(frozen=True, slots=True)
class Joined:
    """The records of such a table, with the further lines of each as one text; gone through anew each time."""

    records: Iterable[PlainRecord]
    begins: Begins
    width: int
    empty: frozenset[int]
    most: int

    def __iter__(self) -> Iterator[PlainRecord]:
        """Yield every record with the number of its first line; what is too long for one keeps its lines."""
        held: tuple[int, tuple[str, ...]] | None = None
        lines: list[str] = []
        room = 0
        for place, (number, cells) in enumerate(self.records):
            header = place < self.begins.skipped or cells == self.begins.header
            length = sum(map(len, cells))
            if (
                held
                and not header
                and not isinstance(cells, str)
                and len(lines) < self.most
                and length < room
                and goes_on(cells, self.empty)
            ):
                room -= length + len(_BETWEEN)
                lines.append(" ".join(filter(None, map(str.strip, cells))))
                continue
            if held:
                yield held[0], self._whole(held[1], lines)
            held, lines, room = None, [], LONGEST_LINE - length
            if header or isinstance(cells, str) or len(cells) > self.width:
                yield number, cells
            else:
                held = number, cells
        if held:
            yield held[0], self._whole(held[1], lines)

    def _whole(self, cells: tuple[str, ...], lines: Sequence[str]) -> tuple[str, ...]:
        padding = [""] * (self.width - len(cells))
        name = next(filter(None, map(_name_in, lines)), "")
        return (*cells, *padding, _BETWEEN.join(lines), name)


def _name_in(line: str) -> str:
    found = _LABELLED.fullmatch(line)
    named = found is not None and any(meaning.role in _NAMES for meaning in header_meanings(found[1]))
    return found[2].strip() if found and named else ""
