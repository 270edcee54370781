"""The headers of tables on a page: lines of words that name columns, and where each column stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from ledger.importers.pdf.lines import Word, joined, segments
from ledger.importers.pdf.tokens import Kind, tokens_of
from ledger.importers.table.column_names import header_meanings, is_header
from ledger.importers.table.layout import read_header
from ledger.importers.table.vocabulary import Role, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.importers.pdf.lines import Line
    from ledger.importers.table.layout import Layout

#: Gaps in parts of a line's height: between the cells of a header, and between its lines.
_BETWEEN_CELLS, _BETWEEN_LINES = 0.8, 2.0
#: A header is not higher than this many lines, and has not fewer cells and not more.
_MOST_LINES, _LEAST_CELLS, _MOST_CELLS = 3, 3, 16
_LONGEST_NAME = 5
_MONEY = frozenset({Role.AMOUNT, Role.DEBIT, Role.CREDIT, Role.BALANCE, Role.FEE})
_AMOUNTS = ("amount", "betrag", "montant", "importe", "importo", "belopp", "belob", "belop", "bedrag")


class Holds(Enum):
    """What stands in a column."""

    DATE = "date"
    MONEY = "money"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, where the name stands, what it holds, and its role if it has one."""

    name: str
    x0: float
    x1: float
    holds: Holds
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """A header: which lines it takes, and its columns; ``left`` and ``right`` bound it where two tables stand side by side."""

    first: int
    last: int
    columns: tuple[Column, ...]
    left: float = float("-inf")
    right: float = float("inf")
    guessed: bool = False
    """Whether the names of its columns of amounts are not the bank's."""

    @property
    def names(self) -> tuple[str, ...]:
        """What its columns are called."""
        return tuple(column.name for column in self.columns)

    @property
    def key(self) -> tuple[object, ...]:
        """What the same header on another page shares."""
        return tuple((column.name, round(column.x0 / 4)) for column in self.columns)


def find_headers(lines: Sequence[Line]) -> Iterator[Header]:
    """Yield the headers of tables with a date in each row, from the top; some banks give the column of amounts no name."""
    place = 0
    while place < len(lines):
        found = _header_at(lines, place)
        below = _header_at(lines, place + 1) if found and place + 1 < len(lines) else None
        if found is None or (below and below[0] >= found[0] and below[1] == found[1]):
            place += 1
            continue
        _, end, cells = found
        yield from _side_by_side(cells, place, end)
        place = end + 1


def _header_at(lines: Sequence[Line], place: int) -> tuple[int, int, list[tuple[Word, ...]]] | None:
    """Return the best header that begins at a line: how much of it is known, its last line, its cells."""
    best: tuple[int, int, list[tuple[Word, ...]]] | None = None
    parts: list[list[Word]] = []
    for end in range(place, min(place + _MOST_LINES, len(lines))):
        line = lines[end]
        apart = end > place and (
            line.page != lines[end - 1].page or line.y - lines[end - 1].y > _BETWEEN_LINES * line.size
        )
        if apart or any(token.kind is Kind.MONEY for token in tokens_of(line.words, line.size)):
            break
        parts.append([cell for run in segments(line.words, _BETWEEN_CELLS * line.size) for cell in _named(run)])
        cells = _columns_of(parts)
        names = [_name(cell) for cell in cells]
        layout = read_header(names, [])
        known = sum(1 for name in names if header_meanings(name)) + len({*layout.columns.values(), *layout.dates})
        complete = _LEAST_CELLS <= len(cells) <= _MOST_CELLS and (layout.is_complete or _is_open(names, layout))
        if complete and sum(map(is_header, names)) > 1 and (best is None or known > best[0]):
            best = known, end, cells
    return best


def _is_open(names: Sequence[str], layout: Layout) -> bool:
    """Tell a header that names days and texts, and nothing else."""
    return bool(layout.dates) and all(map(is_header, names)) and not _MONEY & layout.columns.keys()


def _named(run: Sequence[Word]) -> Iterator[Word]:
    """Yield the cells of a run of words without a gap: one, or several if each is known as the name of a column."""
    whole = joined(run)
    if is_header(whole.text) or len(run) == 1:
        yield whole
        return
    found: list[Word] = []
    place = 0
    while place < len(run):
        ends = range(min(place + _LONGEST_NAME, len(run)), place, -1)
        end = next((end for end in ends if is_header(joined(run[place:end]).text)), 0)
        if not end:
            yield whole
            return
        found.append(joined(run[place:end]))
        place = end
    yield from found


def _columns_of(lines: Sequence[Sequence[Word]]) -> list[tuple[Word, ...]]:
    """Put the cells of several lines that stand below each other together; one above several others is their common title."""
    columns: list[list[Word]] = []
    for cells in lines:
        for cell in cells:
            below = [column for column in columns if _overlap(column, cell)]
            if len(below) == 1 and sum(1 for other in cells if _overlap(below[0], other)) == 1:
                below[0].append(cell)
            elif len(below) == 1 and sum(1 for other in cells if _overlap(below[0], other)) > 1:
                columns.remove(below[0])
                columns.append([cell])
            elif not below:
                columns.append([cell])
    return [tuple(column) for column in sorted(columns, key=lambda column: min(cell.x0 for cell in column))]


def _overlap(column: Sequence[Word], cell: Word) -> bool:
    x0, x1 = min(each.x0 for each in column), max(each.x1 for each in column)
    return min(x1, cell.x1) - max(x0, cell.x0) > 0


def _name(cells: Sequence[Word]) -> str:
    """Return the name of a column of which the parts stand below each other: as a whole, else its first part that is known."""
    texts = [cell.text for cell in cells]
    whole = " ".join(texts).replace("- ", "")
    if len(texts) == 1 or is_header(whole):
        return whole
    return next((text for text in texts if is_header(text)), whole)


def _side_by_side(cells: Sequence[tuple[Word, ...]], first: int, last: int) -> Iterator[Header]:
    """Yield one header, or two if the same stands twice beside itself."""
    names = [fold(_name(cell)) for cell in cells]
    half = len(names) // 2
    if len(names) % 2 == 0 and half >= _LEAST_CELLS and names[:half] == names[half:]:
        border = (max(word.x1 for word in cells[half - 1]) + min(word.x0 for word in cells[half])) / 2
        yield Header(first, last, _columns(cells[:half]), right=border)
        yield Header(first, last, _columns(cells[half:]), left=border)
    else:
        yield Header(first, last, _columns(cells))


def _columns(cells: Sequence[tuple[Word, ...]]) -> tuple[Column, ...]:
    names = [_name(cell) for cell in cells]
    layout = read_header(names, [])
    roles = {column: role for role, column in layout.columns.items()}
    return tuple(
        Column(
            name,
            min(word.x0 for word in cell),
            max(word.x1 for word in cell),
            _held(place, name, roles.get(place), layout.dates),
            roles.get(place),
        )
        for place, (name, cell) in enumerate(zip(names, cells, strict=True))
    )


def _held(place: int, name: str, role: Role | None, dates: Sequence[int]) -> Holds:
    if place in dates:
        return Holds.DATE
    meanings = {meaning.role for meaning in header_meanings(name)}
    amounts = any(word.endswith(_AMOUNTS) for word in fold(name).split())
    if role in _MONEY or meanings & _MONEY or (Role.IGNORED in meanings and amounts):
        return Holds.MONEY
    return Holds.TEXT
