"""From the records of a table to statement rows."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from ledger.importers.currencies import currency_of
from ledger.importers.table.phrases import is_balance, is_unbooked
from ledger.importers.table.signs import quote
from ledger.importers.table.vocabulary import MOVEMENT_CODES, Role, fold
from ledger.transactions import RejectedRow, StatementRow

if TYPE_CHECKING:
    from datetime import date
    from decimal import Decimal

    from ledger.importers.dates import DateReader
    from ledger.importers.table.accounts import Accounts
    from ledger.importers.table.layout import Layout


#: A description as short as this is a code: what the row is about stands in a column that is not known.
_CODE = 3


class RowReader:
    """Reads the rows of one table; everything that holds for the whole file is settled before the first row."""

    def __init__(
        self, layout: Layout, dates: DateReader, accounts: Accounts, currency: str | None, id_column: int
    ) -> None:
        """Look up the columns once; a column that is not there is -1, the empty cell at every record's end."""
        self.dates, self.known_dates = dates, dates.known
        self.accounts = accounts
        self.currency = currency
        self.date, *self.other_dates = layout.dates
        reference = layout.column(Role.REFERENCE)
        written = (
            reference >= 0 and reference != id_column
        )  # what people write to a payment, and no number of the bank's
        self.memos = (*layout.memos, reference) if written else layout.memos
        self.has_status = Role.STATUS in layout.columns
        self.states: dict[str, bool] = {}
        self.currencies: dict[str, str | None] = {}
        kind = Role.TYPE if Role.TYPE in layout.columns else Role.SIGN
        names = (Role.PAYEE, Role.PAYER, Role.MERCHANT)
        self.has_names = any(role in layout.columns for role in names)
        self.has_payees = Role.PAYEE in layout.columns
        self.has_both = self.has_payees and Role.PAYER in layout.columns
        self.description = layout.column(Role.DESCRIPTION)
        others = (Role.CURRENCY, Role.STATUS, Role.CATEGORY, kind, Role.MCC, Role.LABELS, Role.NOTES)
        self.names = itemgetter(*map(layout.column, names))
        self.others = itemgetter(*map(layout.column, others), id_column)

    def read(
        self, number: int, cells: tuple[str, ...], amount: Decimal, currency: str | None
    ) -> StatementRow | RejectedRow:
        """Read one record whose amount is settled; ``currency`` is what stands at the amount."""
        booked_on = self.known_dates.get(cells[self.date]) or self._date(cells)
        if booked_on is None:
            return RejectedRow(number, self._no_date(cells))
        stated, status, category, kind, mcc, labels, notes, identity = map(str.strip, self.others(cells))
        if category in MOVEMENT_CODES:
            category, kind = "", kind or category
        if self.has_status and self.is_unbooked(status):
            return RejectedRow(number, f"the payment is marked “{quote(status)}”, so it is not booked")
        if stated:
            currency = self._currency(stated)
            if currency is None:
                return RejectedRow(number, f"the currency “{quote(stated)}” is not known")
        description, payee, memo = self._texts(cells, incoming=amount > 0)
        if not description:
            description = notes or kind
        for said in (description, kind) if len(description) > _CODE else cells:
            if is_balance(said):
                return RejectedRow(number, f"“{quote(said)}” is a balance, not a transaction")
        return StatementRow(
            number,
            booked_on,
            amount,
            description,
            payee,
            memo,
            currency or self.currency,
            self.accounts.ref_of(cells),
            category or None,
            kind or None,
            mcc if len(mcc) == 4 and mcc.isascii() and mcc.isdigit() else None,
            identity or None,
            labels,
            notes,
            self._is_to_self(cells),
        )

    def _is_to_self(self, cells: tuple[str, ...]) -> bool:
        """Tell money that a person sends to themselves, by the names of payer and payee."""
        if not self.has_both:
            return False
        payee, payer, _ = self.names(cells)
        return bool(payee.strip()) and fold(payee) == fold(payer)

    def _texts(self, cells: tuple[str, ...], *, incoming: bool) -> tuple[str, str, str]:
        """Return description, payee and memo; the payee, if one is named, is the description; nothing stands twice."""
        text, payee, payer, merchant = cells[self.description].strip(), "", "", ""
        if self.has_names:
            payee, payer, merchant = map(str.strip, self.names(cells))
        if payer and (incoming or not self.has_payees):
            payee = payer
        description = payee or text or merchant
        memos = [text] if text and text != description else []
        for column in self.memos:
            memo = cells[column].strip()
            if memo and memo != description and memo not in memos:
                memos.append(memo)
        if not description and memos:
            description = memos.pop(0)
        memo = "; ".join(memos)
        payee = payee or merchant
        if "\n" in description or "\n" in memo or "\n" in payee:
            return one_line(description), one_line(payee), one_line(memo)
        return description, payee, memo

    def _date(self, cells: tuple[str, ...]) -> date | None:
        """Read the best date column, or the next one where its cell is empty."""
        if cells[self.date].strip():
            return self.dates.read(cells[self.date])
        return next((found for column in self.other_dates if (found := self.dates.read(cells[column]))), None)

    def _no_date(self, cells: tuple[str, ...]) -> str:
        cell = cells[self.date].strip()
        return f"the date “{quote(cell)}” is not one that I can read" if cell else "there is no date"

    def is_unbooked(self, status: str) -> bool:
        """Tell whether a state says that the payment was not made, or not yet."""
        if status not in self.states:
            self.states[status] = is_unbooked(status)
        return self.states[status]

    def _currency(self, stated: str) -> str | None:
        if stated not in self.currencies:
            self.currencies[stated] = currency_of(stated, self.currency)
        return self.currencies[stated]


def one_line(text: str) -> str:
    """Put a text on one line."""
    return " ".join(text.splitlines())
