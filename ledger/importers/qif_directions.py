"""QIF's signs are its own, a minus being money out; where a file plainly contradicts that, the person is asked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from ledger.direction import Decision, Evidence, Reading, Strength, Told, layout_key, weigh
from ledger.errors import AmbiguousDirection, UnclearRow
from ledger.importers.table.directions import Words
from ledger.importers.table.signs import quote
from ledger.kinds import said_side
from ledger.merchants import normalise_merchant
from ledger.transactions import STATED_KIND

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from decimal import Decimal

    from ledger.importers.importer import Hints
    from ledger.transactions import StatementRow

#: How many rows of an account are read for what their words say, and how many are shown with the question.
_SAMPLE, _SHOWN = 400, 3
#: The share of telling rows that must speak against the signs, and how many of them are more than chance.
_AGAINST, _TELLING = 0.8, 2
_LAYOUT = layout_key(("qif",), 1)
_FORMAT = Evidence(Reading.AS_WRITTEN, Strength.STRONG, "")
_WHY = "In a QIF file a minus is money out, but here the rows say otherwise."


@dataclass(slots=True)
class _Book:
    """What the rows of one account show."""

    card: bool
    words: Words = field(default_factory=Words)
    above: int = 0
    below: int = 0
    rows: list[StatementRow] = field(default_factory=list)

    def add(self, row: StatementRow) -> None:
        """Count one row."""
        self.above += row.amount > 0
        self.below += row.amount < 0
        if row.amount and self.words.rows < _SAMPLE:
            self.words.add(_said(row, card=self.card), 1 if row.amount > 0 else -1)
            self.rows += [row] if len(self.rows) < _SHOWN else []

    @property
    def usual(self) -> int:
        """The sign of most amounts."""
        return 1 if self.above >= self.below else -1

    def evidence(self) -> Iterable[Evidence]:
        """Yield what speaks for and against the signs as they stand."""
        words = self.words
        yield _FORMAT
        # A card without a single minus lists its charges so, unless all of it is refunds and payments.
        charged = self.card and not self.below and words.received < words.rows
        against = words.against >= (1 if self.card and self.above > self.below else _TELLING)
        if charged or (against and words.against >= _AGAINST * words.telling):
            yield Evidence(Reading.TURNED, Strength.STRONG, _WHY)


@dataclass(frozen=True, slots=True)
class Directions:
    """How the signs of each account are read: those of ``turned`` the other way, but for rows that name money in."""

    turned: Mapping[str | None, bool] = field(default_factory=dict)
    """Accounts whose amounts are turned; whether none of them has a minus, so that a row may say that it is money in."""
    cards: frozenset[str | None] = frozenset()
    decision: Decision | None = None

    def signed(self, row: StatementRow) -> Decimal:
        """Return the signed amount of a row."""
        unsigned = self.turned.get(row.account)
        if unsigned is None or (unsigned and _said(row, card=row.account in self.cards) > 0):
            return row.amount
        return -row.amount


def settle_directions(rows: Iterable[StatementRow], cards: frozenset[str | None], hints: Hints) -> Directions:
    """Weigh what the rows of each account show; raises AmbiguousDirection where that is against the format."""
    books: dict[str | None, _Book] = {}
    for row in map(_whole, groupby(rows, key=attrgetter("number"))):
        book = books.get(row.account)
        if book is None:
            book = books[row.account] = _Book(row.account in cards)
        book.add(row)
    doubted = {account: book for account, book in books.items() if weigh(list(book.evidence())) is None}
    name = hints.account or hints.file_account
    remembered = hints.remembered.get((_LAYOUT, name))
    if hints.direction is not None:
        return _told(hints.direction, doubted or books, cards, name)
    if doubted and remembered is None:
        raise _question(doubted.values())
    turned = remembered is Reading.TURNED
    why = "read as money spent, as last time" if turned else "read as written, as last time"
    return Directions(
        {account: not book.below for account, book in doubted.items() if turned},
        cards,
        Decision(Reading.TURNED if turned else Reading.AS_WRITTEN, why) if doubted else None,
    )


def _question(books: Collection[_Book]) -> AmbiguousDirection:
    """Return the question over some rows of the accounts in doubt."""
    shown = [row for book in books for row in book.rows if (row.amount > 0) == (book.usual > 0)]
    unclear = [UnclearRow(row.booked_on, quote(row.description), f"{row.amount:f}") for row in shown[:_SHOWN]]
    return AmbiguousDirection(unclear, sum(book.words.rows for book in books), _WHY)


def _whole(record: tuple[int, Iterator[StatementRow]]) -> StatementRow:
    """Return a split as one row: a paycheck is money in, whatever its taxes are."""
    first, *others = record[1]
    return replace(first, amount=sum((row.amount for row in others), first.amount)) if others else first


def _told(told: Told, books: Mapping[str | None, _Book], cards: frozenset[str | None], name: str) -> Directions:
    """Return the reading that makes most rows of these accounts what the person says they are."""
    wanted = {Told.SPENT: -1, Told.RECEIVED: 1}.get(told)
    turned = {account: not book.below for account, book in books.items() if wanted and book.usual != wanted}
    words = {Told.SPENT: "as money spent", Told.RECEIVED: "as money received", Told.AS_WRITTEN: "as written"}[told]
    reading = Reading.TURNED if turned else Reading.AS_WRITTEN
    return Directions(
        turned, cards, Decision(reading, f"read {words}, as you said", learned=True, layout=_LAYOUT, account=name)
    )


def _said(row: StatementRow, *, card: bool) -> int:
    if (row.type_hint or "").startswith(STATED_KIND):  # “[Checking]”: on a card, its bill being paid
        return 1 if card else 0
    return said_side(row, merchant=normalise_merchant(row.description, row.payee), on_card=card)
