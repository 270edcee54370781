"""Which column of a table each part of a line stands in, learned from the header and from how the rows stand below it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from itertools import takewhile
from statistics import median
from typing import TYPE_CHECKING

from ledger.importers.pdf.header import Column, Header, Holds
from ledger.importers.pdf.tokens import Kind, Token, tokens_of
from ledger.importers.table.layout import read_header
from ledger.importers.table.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.importers.pdf.lines import Line

#: In parts of a line's height: how far an amount is off its column's edge, how far a day or a text is off where its column
#: begins, and how far right of a table something stands that is none of it.
_OFF_EDGE, _OFF_START, _BESIDE = 1.6, 1.0, 2.5
#: Amounts whose edges are so near, in points, stand in one column; fewer than this part of another one's are none.
_SAME_EDGE, _RARE = 3, 10
#: What columns without a name are, by how many there are and whether any row has more than one of them.
_UNNAMED = {
    (1, False): (Role.AMOUNT,),
    (2, True): (Role.AMOUNT, Role.BALANCE),
    (2, False): (Role.DEBIT, Role.CREDIT),
    (3, True): (Role.DEBIT, Role.CREDIT, Role.BALANCE),
}
_LEAST_ROWS = 2
_BLANK = frozenset({"-", "–", "—", "--", "blank", "nil", "N/A", "n/a"})
#: What moves money.
MOVES = frozenset({Role.AMOUNT, Role.DEBIT, Role.CREDIT})
#: The least share of rows that have a text where a column of texts begins.
_ALIGNED = 0.4
#: The least share of days among what stands below a name.
_DAYS = 0.8
#: So far behind a day a text begins at least, in points.
_BEHIND_DAY = 4


def with_amounts(header: Header, lines: Iterable[Line]) -> Header | None:
    """Return a header with the columns of amounts that it does not name, told by where amounts stand; None if it is no such.

    They stand right of all names, and below each other in columns of their own.
    """
    if any(column.role in MOVES for column in header.columns):
        return header
    if any(column.holds is Holds.MONEY for column in header.columns):
        return None
    start = max(column.x0 for column in header.columns)
    rows = [tokens_of(line.words, line.size) for line in lines]
    edges: list[list[Token]] = []
    amounts = (token for row in rows for token in row if token.kind.may_be_money and token.x0 > start)
    for token in sorted(amounts, key=lambda token: token.edge):
        if edges and token.edge - edges[-1][-1].edge < _SAME_EDGE:
            edges[-1].append(token)
        else:
            edges.append([token])
    most = max(map(len, edges), default=0)
    found = [tokens for tokens in edges if len(tokens) * _RARE > most]
    both = any(sum(any(token in tokens for token in row) for tokens in found) > 1 for row in rows)
    roles = _UNNAMED.get((len(found), both))
    if roles is None:
        return None
    added = [
        Column(role.value, min(token.x0 for token in tokens), max(token.x1 for token in tokens), Holds.MONEY, role)
        for tokens, role in zip(found, roles, strict=True)
    ]
    return replace(header, columns=(*header.columns, *added), guessed=True)


def without_names(lines: Sequence[Line]) -> Header | None:
    """Return the header that a table without one would have: its rows begin with a day, and have a text and an amount."""
    rows = []
    for place, line in enumerate(lines):
        tokens = tokens_of(line.words, line.size)
        days = list(takewhile(lambda token: token.kind is Kind.DATE, tokens))
        texts = list(takewhile(lambda token: token.kind is Kind.TEXT, tokens[len(days) :]))
        if days and texts and any(token.kind is Kind.MONEY for token in tokens):
            rows.append((place, days, texts[0]))
    if len(rows) < _LEAST_ROWS:
        return None
    first, days, text = rows[0]
    dates = [
        Column(name, day.x0, day.x1, Holds.DATE) for name, day in zip(("Date", "Value date"), days[:2], strict=False)
    ]
    start = min(each.x0 for _, _, each in rows)
    described = Column("Description", start, max(text.x1, start), Holds.TEXT, Role.DESCRIPTION)
    return Header(first - 1, first - 1, (*dates, described), guessed=True)


@dataclass(slots=True)
class Cells:
    """What a line has in each column of its table."""

    line: Line
    dates: dict[int, str] = field(default_factory=dict)
    money: dict[int, str] = field(default_factory=dict)
    texts: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    start: float = float("inf")
    """Where its first text begins."""
    end: float = 0
    """Where its last text ends."""

    @property
    def text(self) -> str:
        """All of its texts."""
        return " ".join(word for place in sorted(self.texts) for word in self.texts[place])


class Grid:
    """The columns of a table, and where their contents stand."""

    def __init__(self, header: Header, lines: Sequence[Line]) -> None:
        """Learn from the lines below a header, of all pages that have the same."""
        self.header = header
        self.columns = header.columns
        self.dates = read_header(header.names, []).dates
        """The columns of days, the best first."""
        self._main = {*self.dates[:1], min(self.dates, default=0)}
        """Of a row that is dated, one of these columns has the day; one of value dates alone says nothing."""
        self._dates = [place for place, each in enumerate(self.columns) if each.holds is Holds.DATE]
        self._money = [place for place, each in enumerate(self.columns) if each.holds is Holds.MONEY]
        self._texts = [place for place, each in enumerate(self.columns) if each.holds is Holds.TEXT]
        self.balances = [place for place in self._money if self.columns[place].role is Role.BALANCE]
        self.moves = frozenset(place for place in self._money if self.columns[place].role in MOVES)
        found = [self._tokens(line) for line in lines]
        more = [place for place in self._texts[1:] if self._holds_days(place, found)]
        self._dates += more
        self._texts = [place for place in self._texts if place not in more]
        self._starts = self._learn_dates(found)
        self._edges = self._learn_money(found)
        self._right = max([*(each.x1 for each in self.columns), *self._edges.values()])
        if self.columns[-1].holds is Holds.TEXT:
            self._right = header.right
        self.text_start = self._learn_start(found)
        """Where texts begin: behind the days on their left, or where their column does."""
        self._texts = self._learn_texts(found)

    def _tokens(self, line: Line) -> list[Token]:
        words = [word for word in line.words if self.header.left < (word.x0 + word.x1) / 2 < self.header.right]
        return tokens_of(words, line.size)

    @property
    def text_end(self) -> float:
        """Where the columns of money begin, right of which no text stands."""
        return min((self.columns[place].x0 for place in self._money), default=float("inf"))

    def _holds_days(self, place: int, lines: Iterable[Sequence[Token]]) -> bool:
        """Tell a column of days whose name says something else, or nothing that is known."""
        column = self.columns[place]
        below = [token.kind.may_be_date for line in lines for token in line if _overlaps(column, token)]
        return len(below) > 1 and sum(below) >= _DAYS * len(below)

    def _learn_dates(self, lines: Iterable[Sequence[Token]]) -> dict[int, float]:
        """Return where the days of each column begin."""
        seen: dict[int, list[float]] = defaultdict(list)
        for token in (token for tokens in lines for token in tokens if token.kind.may_be_date):
            over = [place for place in self._dates if _overlaps(self.columns[place], token)]
            if len(over) == 1:
                seen[over[0]].append(token.x0)
        return {place: median(seen[place]) if seen[place] else self.columns[place].x0 for place in self._dates}

    def _learn_money(self, lines: Sequence[Sequence[Token]]) -> dict[int, float]:
        """Return at which edge the amounts of each column end."""
        tokens = [token for line in lines for token in line if token.kind.may_be_money]
        seen: dict[int, list[float]] = defaultdict(list)
        for token in tokens:
            over = [place for place in self._money if _overlaps(self.columns[place], token)]
            if len(over) == 1:
                seen[over[0]].append(token.edge)
        for place in self._money:  # a name at the left edge of a wide column, its amounts at the right one
            column = self.columns[place]
            until = min((each.x0 for each in self.columns if each.x0 > column.x1), default=float("inf"))
            if not seen[place]:
                seen[place] = [token.edge for token in tokens if token.x0 > column.x0 and token.x1 < until]
        return {place: median(seen[place]) if seen[place] else self.columns[place].x1 for place in self._money}

    def _learn_start(self, lines: Iterable[Sequence[Token]]) -> float:
        start = min((self.columns[place].x0 for place in self._texts), default=0.0)
        left = {place for place in self._dates if self.columns[place].x0 < start}
        ends = [
            token.x1
            for tokens in lines
            for token in tokens[: len(left)]
            if token.kind.may_be_date and any(_overlaps(self.columns[place], token) for place in left)
        ]
        return min(start, median(ends) + _BEHIND_DAY) if ends else start

    def _learn_texts(self, lines: Sequence[Sequence[Token]]) -> list[int]:
        """Return the columns of texts that begin where their names do; what stands under the others is of the one before."""
        if not self._texts:
            return []
        first, *others = self._texts
        kept = [first]
        for place in others:
            column = self.columns[place]
            until = min((each.x0 for each in self.columns if each.x0 > column.x1), default=self._right)
            within = [tokens for tokens in lines if any(column.x0 - 6 < token.x0 < until for token in tokens)]
            aligned = [
                tokens for tokens in within if any(abs(token.x0 - column.x0) < _OFF_START * 6 for token in tokens)
            ]
            if within and len(aligned) >= _ALIGNED * len(within):
                kept.append(place)
        return kept

    def read(self, line: Line) -> Cells:
        """Return what a line has in each column."""
        cells = Cells(line)
        before: Token | None = None
        for token in self._tokens(line):
            if token.x0 > self._right + _BESIDE * line.size or self._is_blank(token):
                continue
            if not (self._take_date(cells, token, before) or self._take_money(cells, token)):
                place = self._text_column(token, line.size)
                cells.texts[place].append(token.text)
                cells.start, cells.end = min(cells.start, token.x0), max(cells.end, token.x1)
                before = token
        if not self._main & cells.dates.keys():
            cells.dates.clear()
        return cells

    def _is_blank(self, token: Token) -> bool:
        """Tell what stands for an empty cell in a column of amounts."""
        return token.text in _BLANK and any(_overlaps(self.columns[place], token) for place in self._money)

    def _take_date(self, cells: Cells, token: Token, before: Token | None) -> bool:
        """Take a day that stands in a column of days; one right behind a text is a part of that."""
        size = cells.line.size
        if not token.kind.may_be_date or not self._dates or (before and token.x0 - before.x1 < _OFF_START * size):
            return False
        place = min(self._dates, key=lambda each: abs(self._starts[each] - token.x0))
        near = abs(self._starts[place] - token.x0) < _OFF_START * size
        if not near and not _overlaps(self.columns[place], token):
            return False
        cells.dates.setdefault(place, token.text)
        return True

    def _take_money(self, cells: Cells, token: Token) -> bool:
        """Take an amount that stands in a column of amounts, each of which has one."""
        if not token.kind.may_be_money or not self._money:
            return False
        size = cells.line.size
        place = min(self._money, key=lambda each: abs(self._edges[each] - token.edge))
        if abs(self._edges[place] - token.edge) > _OFF_EDGE * size:
            over = [each for each in self._money if _overlaps(self.columns[each], token)]
            if len(over) != 1:
                return False
            place = over[0]
        if place in cells.money:
            return False
        cells.money[place] = token.text
        return True

    def _text_column(self, token: Token, size: float) -> int:
        starts = [place for place in self._texts if self.columns[place].x0 <= token.x0 + _OFF_START * size]
        return starts[-1] if starts else self._texts[0] if self._texts else -1


def _overlaps(column: Column, token: Token) -> bool:
    return min(column.x1, token.x1) > max(column.x0, token.x0)
