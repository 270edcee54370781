"""The rows of the tables in a document: what stands on which line of which row, and what states a balance in between."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from ledger.importers.pdf.columns import Cells, Grid, with_amounts, without_names
from ledger.importers.pdf.header import Header, Holds, find_headers
from ledger.importers.pdf.labels import Label, heading_side, is_aside, label_of
from ledger.importers.pdf.tokens import Kind, tokens_of
from ledger.importers.table.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from ledger.importers.pdf.lines import Line

#: In parts of a line's height: how far the lines of a row are apart at most, how far a line may begin left of its column
#: and end right of it, and how far above a table its heading stands.
_APART, _LEFT, _RIGHT, _HEADING = 2.1, 0.8, 4.0, 6.0
#: So many lines above a header may be its heading, and so many lines a row has at most.
_ABOVE, _MOST_LINES = 3, 15
#: How much wider a gap between rows is than one between the lines of a row, and how wide that is at most.
_WIDER, _PITCH = 1.25, 1.5
_LEAST_LETTERS = 3


@dataclass(slots=True)
class Row:
    """A row of a table: its lines, its day and amounts as written, and the side that a heading above it names."""

    grid: Grid
    lines: list[Line]
    dates: dict[int, str]
    money: dict[int, str]
    texts: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    side: int = 0

    def add(self, cells: Cells) -> None:
        """Add what another line says of it."""
        self.lines.append(cells.line)
        for place, words in cells.texts.items():
            self.texts[place] += words
        for place, amount in cells.money.items():
            self.money.setdefault(place, amount)
        for place, day in cells.dates.items():
            self.dates.setdefault(place, day)

    @property
    def number(self) -> int:
        """The number of its first line."""
        return self.lines[0].number

    def balance(self) -> str:
        """The balance beside it, as written."""
        return next((self.money[place] for place in self.grid.balances if place in self.money), "")


@dataclass(frozen=True, slots=True)
class StatedLine:
    """A line within a table that states a balance or a total, in one of its columns or in several."""

    label: Label
    line: Line
    text: str
    amounts: dict[Role, str]
    """By the column in which they stand."""
    day: str = ""


@dataclass(slots=True)
class Found:
    """What the tables of a document hold, in the order of reading, and which of its lines that took."""

    items: list[Row | StatedLine] = field(default_factory=list)
    used: set[int] = field(default_factory=set)

    @property
    def rows(self) -> list[Row]:
        """The rows."""
        return [item for item in self.items if isinstance(item, Row)]


@dataclass(frozen=True, slots=True)
class Region:
    """The lines below one header, up to the next one, and what a heading above it says."""

    header: Header
    grid: Grid
    lines: Sequence[Line]
    side: int | None
    aside: bool
    header_y: float
    """Where the header ends."""
    header_page: int


def find_regions(lines: Sequence[Line]) -> list[Region]:
    """Return the tables of a document, one for each header; the same header on several pages is learned from all of them."""
    headers = [header for header in find_headers(lines) if any(each.holds is Holds.TEXT for each in header.columns)]
    headers = headers or list(filter(None, [without_names(lines)]))
    starts = sorted({header.first for header in headers})
    below = {header: lines[header.last + 1 : _next(starts, header.first, len(lines))] for header in headers}
    same: dict[object, list[Header]] = defaultdict(list)
    for header in headers:
        same[header.key].append(header)
    found: list[Region] = []
    for alike in same.values():
        together = [line for each in alike for line in below[each]]
        if (whole := with_amounts(alike[0], together)) is not None:
            grid = Grid(whole, together)
            found += [Region(each, grid, below[each], *_heading(lines, each), *_end_of(lines, each)) for each in alike]
    return sorted(found, key=lambda region: (region.header.first, region.header.left))


def _end_of(lines: Sequence[Line], header: Header) -> tuple[float, int]:
    """Return where a header ends, and on which page."""
    return (lines[header.last].y, lines[header.last].page) if header.last >= 0 else (0, 1)


def _next(starts: Sequence[int], place: int, end: int) -> int:
    return next((start for start in starts if start > place), end)


def _heading(lines: Sequence[Line], header: Header) -> tuple[int | None, bool]:
    """Return the side that the nearest heading above a header names, if one does, and whether its rows are no bookings."""
    top = lines[max(header.first, 0)]
    for line in reversed(lines[max(header.first - _ABOVE, 0) : header.first]):
        if line.page != top.page or top.y - line.y > _HEADING * top.size:
            break
        if is_aside(line.text):
            return 0, True
        if side := heading_side(line.text):
            return side, False
    return None, False


class Assembler:
    """Puts the lines of tables together to rows."""

    def __init__(self, repeated: Collection[int], *, undated: bool) -> None:
        """``undated`` says that a line with an amount and no day is a row of the day above."""
        self._repeated = repeated
        self._undated = undated
        self.found = Found()
        self._row: Row | None = None
        self._before: list[Cells] = []
        """Lines of the row whose amount is still to come."""
        self._dates: dict[int, str] = {}
        self._last = False
        self._side = 0

    def assemble(self, regions: Sequence[Region]) -> Found:
        """Return what the tables hold."""
        read = [(region, [self._read(region, line) for line in region.lines]) for region in regions]
        kinds = "X".join("".join(kind for kind, _ in lines) for _, lines in read)
        self._last = re.search("DT*M", kinds) is not None
        for region, lines in read:
            if region.side is not None:
                self._side = region.side
            self._go(region, lines)
        return self.found

    def _read(self, region: Region, line: Line) -> tuple[str, Cells]:
        """Return what a line is, and its cells.

        R has a day and an amount, M an amount, D a day, B a balance alone, T a text; L states something, H is a heading,
        and F stands on every page.
        """
        grid = region.grid
        cells = grid.read(line)
        text = cells.text
        if cells.money and label_of(text, dated=bool(cells.dates) and bool(grid.moves & cells.money.keys())):
            return "L", cells
        if line.number in self._repeated and not (cells.money and cells.dates):
            return "F", cells
        if not cells.dates and line.x0 < grid.text_start - _LEFT * line.size and text:
            return ("H" if heading_side(line.text) or is_aside(line.text) else "X"), cells
        if grid.moves & cells.money.keys():
            return ("R" if cells.dates else "M"), cells
        if cells.money:
            return "B", cells
        return ("D" if cells.dates else "T" if text else "F"), cells

    def _go(self, region: Region, lines: Sequence[tuple[str, Cells]]) -> None:
        aside = region.aside
        self._before = []
        ahead_of = set() if self._last else self._lines_before(region, lines)
        kinds = "".join(kind for kind, _ in lines if kind != "F")
        place = above = 0
        for index, (kind, cells) in enumerate(lines):
            if kind == "F":
                if self._row is not None and cells.texts and self._goes_on(self._row, cells, near=False):
                    self._take("T", cells, region, near=False, ahead="")
                continue
            place += 1
            if kind == "H":
                aside = is_aside(cells.line.text)
                self._side = heading_side(cells.line.text)
                self._end()
            elif aside:
                self.found.used.add(cells.line.number)
            elif kind == "L":
                self._state(region, cells)
            elif index in ahead_of:
                self._before.append(cells)
            elif kind in "RMDBT":
                self._take(kind, cells, region, near=above != cells.line.page, ahead=kinds[place:])
            else:
                self._end()
            above = cells.line.page

    def _end(self) -> None:
        self._row, self._before = None, []

    def _state(self, region: Region, cells: Cells) -> None:
        """Take down what a line states."""
        label = label_of(cells.text, dated=bool(cells.dates))
        columns = region.grid.columns
        amounts = {columns[place].role or Role.AMOUNT: amount for place, amount in cells.money.items()}
        if label is not None:
            day = next(iter(cells.dates.values()), "")
            self.found.items.append(StatedLine(label, cells.line, cells.text, amounts, day))
        self.found.used.add(cells.line.number)
        if cells.dates:
            self._dates = dict(cells.dates)
        self._end()

    def _take(self, kind: str, cells: Cells, region: Region, *, near: bool, ahead: str) -> None:
        """Take a line that is a row or a part of one."""
        if kind == "R":
            before, self._before = [] if self._last else self._before, []
            self._begin(region.grid, cells, before)
        elif kind == "M":
            self._take_amount(cells, region.grid)
        elif kind == "D" and self._last:
            self._before = [cells]
        elif self._last and (self._before or (kind == "T" and re.match("T*M", ahead))):
            if self._fits(cells, region.grid):
                self._before.append(cells)
        elif self._row is not None and self._goes_on(self._row, cells, near=near):
            self._row.add(cells)
            self.found.used.add(cells.line.number)
        else:
            self._end()

    def _take_amount(self, cells: Cells, grid: Grid) -> None:
        """Take a line with an amount and without a day: the end of a row, or a row of the day above."""
        dated = any(before.dates for before in self._before)
        if not (dated or (self._undated and self._dates)):
            self._end()
            return
        before, self._before = self._before, []
        self._begin(grid, cells, before)

    def _begin(self, grid: Grid, cells: Cells, before: Sequence[Cells]) -> None:
        """Begin a row with what stands before its amount; one without a day is of the last one that was named."""
        dates = next((each.dates for each in (*before, cells) if each.dates), None)
        if dates:
            self._dates = dict(dates)
        self._row = Row(grid, [], dict(self._dates), {}, side=self._side)
        for each in (*before, cells):
            self._row.add(each)
            self.found.used.add(each.line.number)
        self.found.items.append(self._row)

    def _lines_before(self, region: Region, lines: Sequence[tuple[str, Cells]]) -> set[int]:
        """Return the places of the lines that are of the row below them, as where an amount stands in the middle of its row.

        Between two rows that is what stands below the widest gap, if there is one that is wider than the others.
        """
        found: set[int] = set()
        top, page = region.header_y, region.header_page
        run: list[int] = []
        for index, (kind, cells) in enumerate(lines):
            if kind == "T" and cells.line.page == page:
                run.append(index)
                continue
            if kind in ("RM" if self._undated else "R") and cells.line.page == page and run:
                found |= _below_gap(top, run, [lines[each][1].line.y for each in run], cells.line)
            if kind != "T":
                top = cells.line.y
            page, run = cells.line.page, [index] if kind == "T" else []
        return found

    def _fits(self, cells: Cells, grid: Grid) -> bool:
        """Whether a line stands within the columns of texts."""
        size = cells.line.size
        within = cells.start >= grid.text_start - _LEFT * size and cells.end <= grid.text_end + _RIGHT * size
        return within or bool(cells.dates)

    def _goes_on(self, row: Row, cells: Cells, *, near: bool) -> bool:
        """Whether a line without an amount goes on with the row above it, on its page or at the top of the next one."""
        last, line = row.lines[-1], cells.line
        if len(row.lines) >= _MOST_LINES or not self._fits(cells, row.grid):
            return False
        if cells.money and (row.balance() or cells.dates):
            return False
        follows = last.page == line.page and line.y - last.y < _APART * max(line.size, last.size)
        return follows or (near and last.page == line.page - 1)


def _below_gap(top: float, run: Sequence[int], places: Sequence[float], row: Line) -> set[int]:
    """Return those of a run of lines that stand below the widest gap from what is above them to the row below them."""
    gaps = [below - above for above, below in pairwise([top, *places, row.y])]
    *others, last = gaps
    widest = max(others)
    if widest < _WIDER * last or max(gaps[others.index(widest) + 1 :]) > _PITCH * row.size:
        return set()
    return set(run[others.index(widest) :])


def loose_lines(lines: Sequence[Line], used: Collection[int]) -> Iterator[Line]:
    """Yield the lines that look like transactions, with a day, a text and an amount, and are in no table."""
    for line in lines:
        if line.number in used:
            continue
        first, *others = tokens_of(line.words, line.size)
        if first.kind is not Kind.DATE or not any(token.kind is Kind.MONEY for token in others):
            continue
        text = " ".join(token.text for token in others if token.kind is Kind.TEXT)
        if sum(map(str.isalpha, text)) >= _LEAST_LETTERS and label_of(text) is None:
            yield line
