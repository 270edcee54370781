"""From the records of a table to statement rows."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.importers.currencies import CODES, currency_called, currency_of
from ledger.importers.table.phrases import is_balance, is_total
from ledger.importers.table.sides import PURCHASES
from ledger.importers.table.signs import quote
from ledger.importers.table.states import is_held, is_refunded, is_unbooked, is_yes, unbooked_in
from ledger.importers.table.vocabulary import MOVEMENT_CODES, Role, fold
from ledger.transactions import STATED_KIND, Kind, RejectedRow, StatementRow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from decimal import Decimal

    from ledger.importers.dates import DateReader
    from ledger.importers.table.accounts import Accounts
    from ledger.importers.table.layout import Layout
    from ledger.importers.table.passes import Survey


#: A description as short as this is a code: what the row is about stands in a column that is not known.
_CODE = 3
_TRANSFER = STATED_KIND + Kind.TRANSFER.value
#: What stands in a column that says whether money was only moved.
_YES = frozenset({"true", "yes", "1"})
#: Words for the way in which money went to somebody or came from them.
_BEHIND = re.compile(
    r"(?:payment from|zahlung von|paiement de|pago de|pagamento da|to|from|an|von|à|de|para|a|da|naar|van|do|od) ([^\W\d_].*)",
    re.IGNORECASE,
)
#: What stands for the card where a payer's name would: DKB's word.
_NOBODY = frozenset(("ISSUER",))
#: How YNAB names the other account where a payee stands.
_MOVED = "Transfer : "
#: An account of one's own in the place of a category: “[Savings]”, “Transfer:[Savings]”; quotes make it a list, as JSON.
_OWN_ACCOUNT = re.compile(r"""(?:transfer\s*:\s*)?\[(?!\s*["'])[^\[\]]+\]""", re.IGNORECASE)
_MARKED = "the payment is marked “{word}”, so it is not booked"
_PENDING = "the payment is marked as pending, so it is not booked"
#: Between the fields of a descriptor that is padded.
_PADDING = re.compile(r"\t| {4,}")


class RowReader:
    """Reads the rows of one table; everything that holds for the whole file is settled before the first row."""

    def __init__(
        self, layout: Layout, dates: DateReader, accounts: Accounts, currency: str | None, survey: Survey
    ) -> None:
        """Look up the columns once, and take from the survey what holds for all rows.

        A column that is not there is -1, the empty cell at every record's end.
        """
        self.dates, self.known_dates = dates, dates.known
        self.accounts = accounts
        self.currency = currency
        self.date, *self.other_dates = layout.dates
        self.balance = layout.column(Role.BALANCE)
        reference = layout.column(Role.REFERENCE)
        written = (
            reference >= 0 and reference != survey.id_column
        )  # what people write to a payment, and no number of the bank's
        self.memos = (*layout.memos, reference) if written else layout.memos
        self.has_status, self.flagged = Role.STATUS in layout.columns, layout.flagged
        self.states: dict[str, bool] = {}
        self.currencies: dict[str, str | None] = {}
        kind = Role.TYPE if Role.TYPE in layout.columns else Role.SIGN
        names = (Role.PAYEE, Role.PAYER, Role.MERCHANT)
        self.has_names = any(role in layout.columns for role in names)
        self.has_payees = Role.PAYEE in layout.columns
        self.has_both = self.has_payees and Role.PAYER in layout.columns
        self.description = layout.column(Role.DESCRIPTION)
        others = (Role.CURRENCY, Role.STATUS, Role.CATEGORY, kind, Role.MCC, Role.LABELS, Role.NOTES, Role.MOVED)
        self.names = itemgetter(*map(layout.column, names))
        self.others = itemgetter(*map(layout.column, others), survey.id_column)
        self.own_name = survey.own_name
        self.earned = layout.earned
        known = layout.known
        self.seller = known.seller if known else ""
        self.refunds_inside = known is not None and known.refunds_inside
        self.behind = known is not None and known.behind
        self.padded = known is not None and known.padded
        self.budget = known is not None and known.budget

    def read(
        self, number: int, cells: tuple[str, ...], amount: Decimal, currency: str | None
    ) -> StatementRow | RejectedRow:
        """Read one record whose amount is settled; ``currency`` is what stands at the amount."""
        booked_on = self.known_dates.get(cells[self.date]) or self._date(cells)
        if booked_on is None:
            return RejectedRow(number, self._no_date(cells))
        stated, status, category, kind, mcc, labels, notes, moved, identity = map(str.strip, self.others(cells))
        category, kind = self._sort(category, kind, moved)
        if (self.has_status and self.is_unbooked(status)) or (kind and is_held(kind)):
            return RejectedRow(number, self._not_booked(status, kind))
        if stated:
            currency = self._currency(stated)
            if not currency:
                return RejectedRow(number, say("the currency “{code}” is not known", code=quote(stated)))
        description, payee, memo = self._texts(cells, incoming=amount > 0)
        if not cells[self.balance].strip() and (word := unbooked_in(description) or unbooked_in(memo)):
            return RejectedRow(number, say(_MARKED, word=quote(word)))
        if not description:
            description = notes or kind
        elif description.startswith(_MOVED):
            kind = _TRANSFER
        said = (description, kind) if len(description) > _CODE else cells
        if any(map(is_balance, said)):
            balance = next(filter(is_balance, said))
            return RejectedRow(number, say("“{words}” is a balance, not a transaction", words=quote(balance)))
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

    def _sort(self, category: str, kind: str, moved: str) -> tuple[str, str]:
        """Return what a row's category and its type of movement are, wherever the file has them."""
        if category in MOVEMENT_CODES:
            category, kind = "", kind or category
        if self.earned and fold(kind) in PURCHASES:
            kind = "payout"  # a seller's sale
        own = _OWN_ACCOUNT.fullmatch(category) is not None if category[-1:] == "]" else moved.lower() in _YES
        if own or (self.budget and "transfer" in fold(kind)):
            return "" if own else category, _TRANSFER
        return category, kind

    def _not_booked(self, status: str, kind: str) -> str:
        if self.has_status and self.is_unbooked(status):
            return _PENDING if self.flagged else say(_MARKED, word=quote(status))
        return say("“{kind}” only holds money back, or lets go of it", kind=quote(kind))

    def _is_to_self(self, cells: tuple[str, ...]) -> bool:
        """Tell money that a person sends to themselves, by the names of payer and payee."""
        if not self.has_both:
            return False
        payee, payer, _ = self.names(cells)
        return bool(payee.strip()) and fold(payee) == fold(payer)

    def _texts(self, cells: tuple[str, ...], *, incoming: bool) -> tuple[str, str, str]:
        """Return description, payee and memo; the payee, if one is named, is the description; nothing stands twice."""
        payee, merchant = self._names(cells, incoming=incoming) if self.has_names else ("", "")
        text, *more = _fields(cells[self.description]) if self.padded else (cells[self.description].strip(),)
        description = payee or text or merchant
        memos = [part for part in (text, *more) if part and part != description]
        for column in self.memos:
            memo = cells[column].strip()
            if memo and memo != description and memo not in memos:
                memos.append(memo)
        if not description and memos:
            description = memos.pop(0)
        memo = "; ".join(memos)
        payee = payee or merchant or self.seller or (_name_behind(text) if self.behind else "")
        if "\n" in description or "\n" in memo or "\n" in payee:
            return one_line(description), one_line(payee), one_line(memo)
        return description, payee, memo

    def _names(self, cells: tuple[str, ...], *, incoming: bool) -> tuple[str, str]:
        """Return who is on the other side of a row, by the columns for payee and payer, and the merchant that it names."""
        payee, payer, merchant = map(str.strip, self.names(cells))
        payer = "" if payer.upper() in _NOBODY else payer
        if self.own_name and self.own_name in {fold(payee), fold(payer)}:
            return payer if fold(payee) == self.own_name else payee, merchant
        if payer and (incoming or not self.has_payees):
            return payer, merchant
        return payee, merchant

    def _date(self, cells: tuple[str, ...]) -> date | None:
        """Read the best date column, or the next one where its cell is empty."""
        if cells[self.date].strip():
            return self.dates.read(cells[self.date])
        return next((found for column in self.other_dates if (found := self.dates.read(cells[column]))), None)

    def without_amount(self, cells: tuple[str, ...], reason: str) -> str:
        """Return why a row can't be read that has no amount for a ``reason``: it may be a sum of those above."""
        return reason if self._date(cells) else _sum_in(cells) or reason

    def _no_date(self, cells: tuple[str, ...]) -> str:
        cell = cells[self.date].strip()
        if is_unbooked(cell):
            return say(_MARKED, word=quote(cell))
        if total := _sum_in(cells):
            return total
        return say("the date “{date}” is not one that I can read", date=quote(cell)) if cell else "there is no date"

    def is_unbooked(self, status: str) -> bool:
        """Tell whether a state says that the payment was not made, or not yet."""
        if status not in self.states:
            said = is_yes(status) if self.flagged else is_unbooked(status)
            self.states[status] = said or (self.refunds_inside and is_refunded(status))
        return self.states[status]

    def _currency(self, stated: str) -> str | None:
        if stated not in self.currencies:
            named = currency_of(stated, self.currency) if stated else None
            self.currencies[stated] = named or (currency_called(stated) if stated else None)
        return self.currencies[stated]


def _sum_in(cells: Sequence[str]) -> str:
    """Return that a row is a sum of others, if one of its cells says so."""
    total = next((each for each in cells if is_total(each)), "")
    return say("“{words}” is a sum of rows, not a transaction", words=quote(total)) if total else ""


def _fields(text: str) -> list[str]:
    """Return the fields of a descriptor that is padded, the first with a letter before the others."""
    parts = list(map(str.strip, _PADDING.split(text.strip())))
    named = next((part for part in parts if any(map(str.isalpha, part))), parts[0])
    return [named, *(part for part in parts if part != named)]


def _name_behind(text: str) -> str:
    """Return the name of somebody behind the way in which money went: “To Ann Smith”, “Zahlung von Ann Smith”."""
    found = _BEHIND.match(text)
    words = found[1].split() if found else []
    named = len(words) > 1 and words[0] not in CODES and all(word[:1].isupper() for word in words)
    return found[1] if found and named else ""


def one_line(text: str) -> str:
    """Put a text on one line."""
    return " ".join(text.splitlines())
