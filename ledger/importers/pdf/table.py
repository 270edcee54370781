"""The rows of a part as the records of a table, as any other file has them, and that table read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ledger.errors import AmbiguousDirection
from ledger.importers.amounts import read_amount
from ledger.importers.currencies import is_iban
from ledger.importers.pdf.header import Holds
from ledger.importers.pdf.labels import Label
from ledger.importers.pdf.stated import Stated
from ledger.importers.table.column_names import header_meanings
from ledger.importers.table.reader import read_table
from ledger.importers.table.vocabulary import Role
from ledger.transactions import AccountType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date
    from decimal import Decimal

    from ledger.direction import Told
    from ledger.importers.amounts import DecimalMark
    from ledger.importers.importer import Hints
    from ledger.importers.pdf.accounts import Part
    from ledger.importers.pdf.rows import Row
    from ledger.importers.table.layout import Record
    from ledger.transactions import Statement

_DESCRIBING = frozenset({Role.DESCRIPTION, Role.PAYEE, Role.PAYER, Role.MERCHANT})
_KINDS = {AccountType.CREDIT_CARD: "Credit card", AccountType.SAVINGS: "Savings account"}


@dataclass(frozen=True, slots=True)
class PartTable:
    """The rows of one part with all that is known of them: their days, how numbers are written, and the currency."""

    part: Part
    days: Mapping[str, date]
    mark: DecimalMark
    currency: str | None
    hints: Hints

    @property
    def is_single(self) -> bool:
        """Whether every amount stands in a column that does not say by its name which way the money went."""
        sides = {Role.DEBIT, Role.CREDIT}
        return not any(row.grid.columns[place].role in sides for row in self.part.rows for place in row.money)

    @property
    def is_guessed(self) -> bool:
        """Whether only the place of a column says which way its money went."""
        return any(row.grid.header.guessed for row in self.part.rows)

    @property
    def has_sides(self) -> bool:
        """Whether headings above the rows say on which side they are."""
        return self.is_single and {row.side for row in self.part.rows} <= {-1, 1}

    def balances(self, *, owed: bool) -> list[Decimal | None]:
        """Return the balances beside the rows, negative for money owed."""
        return [self._balance(row, owed=owed) for row in self.part.rows]

    def _balance(self, row: Row, *, owed: bool) -> Decimal | None:
        found = read_amount(row.balance(), self.mark)
        if found is None:
            return None
        return Stated(Label.BALANCE, found.value, found.side, 0).owned(owed=owed)

    def read(self, told: Told | None, *, by_side: bool, owed: bool) -> Statement | AmbiguousDirection | None:
        """Return the rows as the table's reader understands them, or its question; None if it can't read one of them.

        ``by_side`` gives amounts the sign of the heading above them.
        """
        records = list(self._records(by_side=by_side, owed=owed))
        try:
            statement = read_table(records, replace(self.hints, direction=told), "pdf")
        except AmbiguousDirection as error:
            return error
        rows = tuple(statement.rows)
        if statement.rejected or not all(row.description for row in rows):
            return None
        if [row.number for row in rows] != [row.number + 1 for row in self.part.rows]:
            return None
        return replace(statement, rows=rows)

    def _records(self, *, by_side: bool, owed: bool) -> Iterator[Record]:
        yield from ((0, cells) for cells in self._above(owed=owed))
        rows = self.part.rows
        usual = self._usual_signs() if by_side else {}
        if all(row.grid.header.names == rows[0].grid.header.names for row in rows):
            yield 0, (*self._names(rows[0]), "")
            for row in rows:
                yield row.number + 1, tuple(self._cells(row, usual, owed=owed))
            return
        names = ["Date", "Description", "Amount"] if self.is_single else ["Date", "Description", "Debit", "Credit"]
        yield 0, (*names, "Balance")
        for row in rows:
            yield row.number + 1, self._plain(row, usual, owed=owed)

    def _names(self, row: Row) -> Iterator[str]:
        """Yield the names of a table's columns; of texts whose names say nothing, the first one is what describes a row."""
        texts = [place for place, column in enumerate(row.grid.columns) if column.holds is Holds.TEXT]
        described = any(row.grid.columns[place].role in _DESCRIBING for place in texts)
        for place, column in enumerate(row.grid.columns):
            unknown = place in texts and not header_meanings(column.name)
            if unknown and not described:
                described = True
                yield "Description"
            elif unknown:
                yield "Memo"
            else:
                yield column.name

    def _above(self, *, owed: bool) -> Iterator[tuple[str, ...]]:
        """Yield what stands above the table: what kind of account it is, in which currency, and its first balance."""
        if self.part.kind in _KINDS:
            yield (_KINDS[self.part.kind],)
        if is_iban(self.part.ref):
            yield (self.part.ref,)
        if self.currency:
            yield "Currency", self.currency
        opening = {each.owned(owed=owed) for each in self.part.claims.openings}
        if len(opening) == 1:
            yield "Opening balance", self._written(opening.pop())

    def _cells(self, row: Row, usual: Mapping[int, int], *, owed: bool) -> Iterator[str]:
        """Yield the cells of a row below the names of its own table, and what stands in none of its columns."""
        best = next(place for place in row.grid.dates if place in row.dates)
        for place, column in enumerate(row.grid.columns):
            if column.holds is Holds.DATE:
                yield self._day(row, place) if place == best else ""
            elif column.holds is Holds.MONEY:
                yield self._amount(row, place, usual, owed=owed)
            else:
                yield " ".join(row.texts.get(place, ()))
        yield " ".join(row.texts.get(-1, ()))

    def _plain(self, row: Row, usual: Mapping[int, int], *, owed: bool) -> tuple[str, ...]:
        """Return the cells of a row of a table that others beside it don't look like."""
        best = next(place for place in row.grid.dates if place in row.dates)
        text = " ".join(word for place in sorted(row.texts) for word in row.texts[place])
        roles = (Role.AMOUNT,) if self.is_single else (Role.DEBIT, Role.CREDIT)
        places = {column.role: place for place, column in enumerate(row.grid.columns) if place in row.money}
        amounts = [self._amount(row, places[role], usual, owed=owed) if role in places else "" for role in roles]
        balance = next((self._amount(row, place, usual, owed=owed) for place in row.grid.balances), "")
        return (self._day(row, best), text, *amounts, balance)

    def _day(self, row: Row, place: int) -> str:
        cell = row.dates[place]
        return self.days[cell].isoformat() if cell in self.days else cell

    def _amount(self, row: Row, place: int, usual: Mapping[int, int], *, owed: bool) -> str:
        if place in row.grid.balances:
            balance = self._balance(row, owed=owed)
            return "" if balance is None else self._written(balance)
        text = row.money.get(place, "")
        found = read_amount(text, self.mark) if usual else None
        if found is None or row.side not in usual or row.grid.columns[place].role is not Role.AMOUNT:
            return text
        reversed_ = (found.value < 0) != (usual[row.side] < 0)
        amount = self._written(abs(found.value) * row.side * (-1 if reversed_ else 1))
        return amount if amount.startswith("-") else f"+{amount}"

    def _usual_signs(self) -> dict[int, int]:
        """Return the sign that most amounts have below the headings of each side; the rarer one is a reversal."""
        found: dict[int, int] = {}
        for side in {row.side for row in self.part.rows}:
            amounts = [amount for row in self.part.rows if row.side == side for amount in self._moved(row)]
            found[side] = -1 if sum(amount < 0 for amount in amounts) * 2 > len(amounts) else 1
        return found

    def _moved(self, row: Row) -> Iterator[Decimal]:
        for place in row.grid.moves & row.money.keys():
            if (found := read_amount(row.money[place], self.mark)) is not None:
                yield found.value

    def _written(self, amount: Decimal) -> str:
        return f"{amount:.2f}".replace(".", self.mark)


def row_days(rows: Sequence[Row]) -> list[str]:
    """Return the day of each row as it is written, by the best of its columns."""
    return [row.dates[next(place for place in row.grid.dates if place in row.dates)] for row in rows]
