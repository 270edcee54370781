"""Settling the signs of one table: a first pass counts, a sample is read for what its words say, a second pass signs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import islice, repeat
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.direction import Decision, Reading, Told, layout_key
from ledger.errors import AmbiguousDirection, UnclearRow, UnreadableFile
from ledger.importers.table.directions import Case, Words, decide, is_card, shown_side
from ledger.importers.table.phrases import account_type_in
from ledger.importers.table.signs import PAIR, UNSAID, Signer, changes, quote
from ledger.importers.table.states import is_refunded
from ledger.importers.table.tally import Tally
from ledger.importers.table.uncounted import REASON
from ledger.importers.table.vocabulary import Role, fold
from ledger.kinds import said_side
from ledger.merchants import normalise_merchant
from ledger.transactions import AccountType, RejectedRow, StatementRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ledger.importers.importer import Hints
    from ledger.importers.table.directions import Sides
    from ledger.importers.table.layout import Layout
    from ledger.importers.table.passes import FittedRows
    from ledger.importers.table.preamble import Preamble
    from ledger.importers.table.rows import RowReader
    from ledger.importers.table.signs import AmountReader, Settled
    from ledger.importers.table.tally import Written

#: How many rows are read for what their words say, and how many are shown with the question.
_SAMPLE, _SHOWN = 400, 3
_PLAIN = "Nothing in this file proves which way its money went."
_MIXED = f"{_PLAIN} Rows with the other sign are then read as the contrary."
_REST = "The file proves which way the money went in its other rows, but not in all."
_OPEN = {Told.SPENT: -1, Told.RECEIVED: 1, Told.AS_WRITTEN: 1}


@dataclass(frozen=True, slots=True)
class Signed:
    """A table whose signs are settled."""

    amounts_of: AmountReader
    signer: Signer
    decision: Decision
    order: str | None
    balance: int
    opening: Decimal | None

    def moves(self, rows: Iterable[Sequence[str]]) -> Iterator[Decimal | None]:
        """Yield by how much every row moved the balance, where that decides; this goes through the rows by itself."""
        if self.signer.reading is not Reading.BALANCE or not self.order:
            return repeat(None)
        balances = (self.amounts_of.balance(cells[self.balance].strip()) for cells in rows)
        return changes(balances, self.order, self.opening)

    def amount(self, cells: Sequence[str], moved: Decimal | None) -> tuple[Written, Settled]:
        """Return what stands in a row, and its signed amount or why there is none."""
        written = self.amounts_of.read(cells)
        return written, self.signer.settle(written, cells, moved)

    def warnings(self, rows: Iterable[StatementRow]) -> tuple[str, ...]:
        """Name the rows whose words say that money came in while they are money out."""
        odd = [row for row in islice(rows, _SAMPLE) if row.amount < 0 and said_side(row) > 0]
        if not odd:
            return ()
        first = say("row {row}, “{text}”", row=str(odd[0].number), text=quote(odd[0].description))
        one = "By its words {first} is money in, but it stands as money out."
        several = "By their words {count} rows are money in, but they stand as money out, the first of them {first}."
        return (say(one if len(odd) == 1 else several, first=first, count=str(len(odd))),)


@dataclass(frozen=True, slots=True)
class Table:
    """What is known about a table before its signs are settled."""

    layout: Layout
    preamble: Preamble
    hints: Hints
    amounts: AmountReader
    reader: RowReader

    def settle(self, rows: FittedRows) -> Signed:
        """Weigh what the rows show, which are gone through several times; raises AmbiguousDirection if that is too little."""
        tally = self._tally(rows)
        case, unclear = self._case(rows, tally)
        refunds = self.layout.spent_only and not self.reader.refunds_inside and any(map(self._is_refunded, rows))
        decision, sides = self._decide(case, refunds=refunds)
        if decision is None and case.words.rows:
            raise AmbiguousDirection(unclear, case.words.rows, _MIXED if case.mixed else _PLAIN)
        decision = decision or Decision(Reading.AS_WRITTEN)
        signer = Signer(decision.reading, tally, sides)
        if decision.reading is Reading.TURNED and (refunds or case.unsigned):
            signer.by_row = partial(self._own_side, card=case.card, refunds=refunds)
        opening = self.preamble.opening
        before = opening.amount if opening else None
        balance = self.layout.column(Role.BALANCE)
        signed = Signed(self.amounts, signer, decision, tally.balance.order, balance, before)
        if self.hints.direction is not None:
            signer.open_sign = _OPEN[self.hints.direction]
        elif refunds or decision.reading in {Reading.BALANCE, Reading.WORDS}:
            signer.open_sign = self._open_sign(rows, signed, card=case.card)
        return signed

    def _tally(self, rows: FittedRows) -> Tally:
        """Count what the rows show, and leave out from here on those at the newest end that a running balance doesn't count."""
        tally = self._settle_fee(rows, self._count(rows))
        if newest := tally.uncounted.newest(tally.balance.order):
            rows.leave_out(newest, REASON)
            tally = self._count(rows)
        if not tally.moved and tally.zeros > 1:
            raise UnreadableFile(
                "Every amount that I find in this file is zero, so I may be reading the wrong column of it."
            )
        return tally

    def _case(self, rows: FittedRows, tally: Tally) -> tuple[Case, list[UnclearRow]]:
        """Return all that is known about the amounts, and the rows that a person could be asked about."""
        hints, accounts = self.hints, self.reader.accounts
        account = accounts.default or accounts.unnamed
        card = is_card(self.layout, account.type if account else None, hints, account_type_in(hints.file_account))
        words, unclear = self._look_at(rows, tally, card=card)
        name = hints.account or (account.ref if account else "") or hints.file_account
        return Case(self.layout, tally, words, hints, self.preamble, name, card), unclear

    def _decide(self, case: Case, *, refunds: bool) -> tuple[Decision | None, Sides | None]:
        """Decide how the amounts are read; in a list with refunds in it by what it shows, and only then by the person's word."""
        key = layout_key(sorted(self.layout.words), self.layout.width)
        if refunds:
            shown = decide(replace(case, hints=replace(self.hints, direction=None)), key)
            if shown[0] is not None:
                return shown
        return decide(case, key)

    def _is_refunded(self, cells: Sequence[str]) -> bool:
        """Whether a row of a list of orders says that money came back: in it, or for it."""
        return any(is_refunded(cells[self.layout.column(role)]) for role in (Role.STATUS, Role.TYPE, Role.DESCRIPTION))

    def _own_side(self, cells: Sequence[str], *, card: bool, refunds: bool) -> int | None:
        """Return +1 for a row that says itself that money came in, in a list without signs; 0 if it is left open; else None.

        In a list of orders only those that were paid back are looked at, and the state of an order leaves it open.
        """
        if refunds and not self._is_refunded(cells):
            return None
        written = self.amounts.read(cells)
        row = self.reader.read(0, tuple(cells), abs(written.value or Decimal(0)), written.currency)
        says_in = isinstance(row, StatementRow) and said_side(row, on_card=self._is_on_card(row, card=card)) > 0
        return 1 if says_in else 0 if refunds else None

    def _settle_fee(self, rows: FittedRows, tally: Tally) -> Tally:
        """Where a fee and a running balance stand beside the amounts, charge it on top if the balance fits only so.

        That it does twice, or throughout, is no chance.
        """
        if self.amounts.fee < 0 or self.layout.column(Role.BALANCE) < 0:
            return tally
        self.amounts.adds_fee = not self.amounts.adds_fee
        other = self._count(rows)
        better = other.balance.best - tally.balance.best
        if other.balance.order is not None and (
            better > 1 or (better == 1 and other.balance.best == other.balance.steps > 1)
        ):
            return other
        self.amounts.adds_fee = not self.amounts.adds_fee
        return tally

    def _count(self, rows: FittedRows) -> Tally:
        layout = self.layout
        tally = Tally()
        used = {*layout.columns.values(), *layout.dates, *layout.ignored} - {
            layout.column(Role.DESCRIPTION)
        }  # memos may hold sides
        unnamed = (column for column in range(layout.width) if column not in used)
        columns = dict.fromkeys((layout.column(Role.SIGN), *layout.types, *unnamed))
        columns.pop(-1, None)
        number, name, pocket, currency, balance, status = map(
            layout.column,
            (Role.ACCOUNT, Role.ACCOUNT_NAME, Role.POCKET, Role.CURRENCY, Role.BALANCE, Role.STATUS),
        )
        read, reader, has_balance = self.amounts.read, self.amounts, balance >= 0
        for place, cells in rows.numbered():
            if status >= 0 and self.reader.is_unbooked(cells[status].strip()):
                continue
            written = read(cells)
            account = (cells[number] + cells[name] + cells[pocket], written.currency or cells[currency])
            words = {column: cells[column].strip() for column in columns if column not in tally.crowded}
            if self.amounts.pair and not self.amounts.prefers_pair:
                words[PAIR] = self.amounts.filled(cells)
            after = reader.balance(cells[balance].strip()) if has_balance else None
            tally.add(place, written, words, account, after)
        return tally

    def _look_at(self, rows: Iterable[Sequence[str]], tally: Tally, *, card: bool) -> tuple[Words, list[UnclearRow]]:
        """Read the first rows for what their words say; keep those that a person could be asked about."""
        words, side, mark = Words(), shown_side(tally), self.layout.column(Role.SIGN)
        unclear: list[UnclearRow] = []
        for cells in islice(rows, _SAMPLE):
            written = self.amounts.read(cells)
            amount = written.signed
            if not amount:
                continue
            row = self.reader.read(0, tuple(cells), amount, written.currency)
            if isinstance(row, RejectedRow):
                continue
            sign = 1 if amount > 0 else -1
            merchant, on_card = normalise_merchant(row.description, row.payee), self._is_on_card(row, card=card)
            words.add(said_side(row, merchant=merchant, on_card=on_card), sign, cells[mark].strip())
            if len(unclear) < _SHOWN and sign == side:
                unclear.append(self._unclear(row, cells, written))
        return words, unclear

    def _unclear(self, row: StatementRow, cells: Sequence[str], written: Written) -> UnclearRow:
        column = self.amounts.column_of(written)
        return UnclearRow(row.booked_on, quote(row.description), quote(cells[column].strip()))

    def _open_sign(self, rows: FittedRows, signed: Signed, *, card: bool) -> int:
        """Return the side of rows that the file leaves open: in, where their own words say so.

        The first row of a file has no balance before it, and a column of sides may hold a word that is not known.
        Raises AmbiguousDirection where such a row names no income or refund: a shop's name may stand at either.
        """
        unclear: list[UnclearRow] = []
        count = known = 0
        learned = self._learn_sides(rows, signed)
        if learned is not None:
            signed.signer.by_row = learned
        for cells, moved in zip(rows, signed.moves(rows), strict=False):
            written, amount = signed.amount(cells, moved)
            if amount is not UNSAID:
                continue
            row = self.reader.read(0, tuple(cells), abs(written.value or Decimal(0)), written.currency)
            if isinstance(row, StatementRow):
                count += 1
                known += said_side(row, on_card=self._is_on_card(row, card=card)) > 0
                unclear += [self._unclear(row, cells, written)] if len(unclear) < _SHOWN else []
        if known < count:
            raise AmbiguousDirection(unclear, count, _REST)
        return 1

    def _learn_sides(self, rows: FittedRows, signed: Signed) -> Callable[[Sequence[str]], int | None] | None:
        """Return what gives a row its side by a column that is named for the two words in it, each at one sign only.

        “Borç / Alacak” says by itself what its cells hold, in any language, and the balance of the other rows which is which.
        """
        header = rows.header
        if signed.signer.reading is not Reading.BALANCE or header is None:
            return None
        named = {column: set(words) for column, cell in enumerate(header) if len(words := fold(cell).split()) == 2}
        seen: dict[int, dict[str, set[bool]]] = {column: {} for column in named}
        for cells, moved in zip(rows, signed.moves(rows), strict=False):
            _, amount = signed.amount(cells, moved)
            if isinstance(amount, Decimal) and amount:
                for column in list(seen):
                    word = fold(cells[column])
                    if word in named[column]:
                        seen[column].setdefault(word, set()).add(amount > 0)
                    else:
                        del seen[column]
        for column, found in seen.items():
            if found.keys() == named[column] and sorted(map(sorted, found.values())) == [[False], [True]]:
                sides = {word: 1 if True in signs else -1 for word, signs in found.items()}
                return lambda cells: sides.get(fold(cells[column]))
        return None

    def _is_on_card(self, row: StatementRow, *, card: bool) -> bool:
        return card or self.reader.accounts.type_of(row.account) is AccountType.CREDIT_CARD
