"""Bookkeepers' exports, a row for each posting: hledger, Beancount, GnuCash.

What is posted to an account of assets or debts is the person's transaction; the account of expenses or income on its
other side is its category. Between accounts of one's own, money is moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.importers.amounts import decimal_mark
from ledger.importers.currencies import CODES, currency_of
from ledger.importers.programs.plain import TRANSFER, Cells, plain, read_decimal
from ledger.importers.table.phrases import account_type_in
from ledger.importers.table.signs import not_a_number, quote
from ledger.importers.table.vocabulary import fold, folded
from ledger.transactions import AccountType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ledger.importers.importer import Hints
    from ledger.importers.programs.plain import PlainRecord
    from ledger.importers.table.layout import Record

#: The headers of such exports.
HEADERS = (
    folded("txnidx|date|description|account|amount"),
    folded("date|payee|narration|account|position"),
    folded("date|payee|narration|account|amount"),
    folded("date|payee|narration|account|number"),
    folded("date|transaction id|description|full account name|amount num"),
    folded("date|description|full account name|value num"),
)
_ACCOUNT = ("full account name", "account")
_AMOUNT = ("value num", "amount num", "position", "amount", "number", "change")


class _Root(Enum):
    """What an account is, by the first part of its name."""

    OWN = "own"
    DEBT = "debt"
    CATEGORY = "category"
    EQUITY = "equity"


_ROOTS = {
    **dict.fromkeys(folded("assets|asset|aktiva|vermogen|actifs|actif|activos|activo|attivita|activa"), _Root.OWN),
    **dict.fromkeys(
        folded("liabilities|liability|passiva|fremdkapital|verbindlichkeiten|dettes|passifs|passif|pasivos|pasivo"),
        _Root.DEBT,
    ),
    **dict.fromkeys(
        folded(
            """expenses|expense|aufwendungen|aufwand|ausgaben|depenses|charges|gastos|spese|uitgaven|kosten|
            income|revenues|revenue|ertrage|ertrag|einnahmen|revenus|produits|ingresos|entrate|inkomsten"""
        ),
        _Root.CATEGORY,
    ),
    **dict.fromkeys(folded("equity|eigenkapital|capitaux propres|patrimonio|capital|eigen vermogen"), _Root.EQUITY),
}
_OPENING = "this is an opening balance or a correction, which moves no money"
_NO_ACCOUNT = "no account of yours is in this transaction"


@dataclass(frozen=True, slots=True)
class _Posting:
    """One posting, its account split into what it is and the rest of its name."""

    number: int
    root: _Root | None
    name: str
    amount: Decimal
    currency: str
    stock: str = ""
    """What is posted, where that is no money."""

    @property
    def is_own(self) -> bool:
        return self.root in {_Root.OWN, _Root.DEBT}


@dataclass(frozen=True, slots=True)
class _Head:
    """What the rows of one transaction share."""

    day: str
    payee: str
    description: str
    notes: str

    def row(self, amount: Decimal, own: _Posting, category: str, *, moved: bool = False) -> tuple[str, ...]:
        return plain(
            day=self.day,
            amount=amount,
            payee=self.payee,
            description=self.description,
            currency=own.currency,
            category=category,
            kind=TRANSFER if moved else "",
            account=own.name,
            account_type=_account_type(own),
            notes=self.notes,
        )


def open_postings(
    records: Iterable[Record], header: tuple[str, ...], hints: Hints
) -> Callable[[Iterable[Record]], Iterator[PlainRecord]]:
    """Return what reads the postings; where all are of categories, as in a report on expenses, they are the rows."""
    del hints
    reader = _Reader(Cells.of(header))
    reader.mark = decimal_mark(reader.amount_cell(cells) for _, cells in records)
    reader.has_own = any(_split(reader.columns.get(cells, *_ACCOUNT))[0] in _OWN for _, cells in records)
    return reader.read


_OWN = {_Root.OWN, _Root.DEBT}


class _Reader:
    """Reads transaction by transaction: the postings of one stand together."""

    def __init__(self, columns: Cells) -> None:
        self.columns = columns
        self.mark = decimal_mark(())
        self.has_own = True
        self.has_id = bool({"txnidx", "transaction id", "id"} & columns.places.keys())

    def read(self, records: Iterable[Record]) -> Iterator[PlainRecord]:
        """Yield the plain rows of all transactions."""
        for _, group in groupby(_Keyed(self).over(records), key=lambda each: each[0]):
            yield from self._transaction([(number, cells) for _, number, cells in group])

    def key(self, cells: Sequence[str]) -> tuple[str, ...]:
        """Return what the postings of one transaction share; nothing where a row goes on with the one above."""
        identity = self.columns.get(cells, "txnidx", "transaction id", "id")
        if self.has_id:
            return (identity,) if identity else ()
        day = self.columns.get(cells, "date")
        return (day, *(self.columns.get(cells, name) for name in ("payee", "narration"))) if day else ()

    def amount_cell(self, cells: Sequence[str]) -> str:
        """Return the cell that holds a posting's amount."""
        return self.columns.get(cells, *_AMOUNT)

    def _transaction(self, records: list[Record]) -> Iterator[PlainRecord]:
        first, cells = records[0]
        if self.columns.get(cells, "void reason"):
            yield first, "the transaction is marked as void"
            return
        postings = []
        for number, each in records:
            posting = self._posting(number, each, cells)
            if isinstance(posting, str):
                yield number, posting
                return
            postings.append(posting)
        head = self._head(cells)
        for number, row in _rows(head, postings, listed=not self.has_own):
            yield number, row

    def _posting(self, number: int, cells: Sequence[str], first: Sequence[str]) -> _Posting | str:
        cell = self.amount_cell(cells)
        commodity = self.columns.get(cells, "commodity", "currency") or self._commodity(first)
        read = read_decimal(cell, self.mark)
        if read is None:
            return not_a_number(cell) if cell else "there is no amount"
        currency = currency_of(commodity) if commodity else read[1] or ""
        root, name = _split(self.columns.get(cells, *_ACCOUNT))
        return _Posting(number, root, name, read[0], currency or "", "" if currency is not None else commodity)

    def _commodity(self, cells: Sequence[str]) -> str:
        """Return the currency of a GnuCash transaction: ``CURRENCY::EUR``."""
        code = self.columns.get(cells, "commodity currency").rpartition(":")[2]
        return code if code in CODES else ""

    def _head(self, cells: Sequence[str]) -> _Head:
        description = self.columns.get(cells, "description", "narration")
        payee, bar, note = description.partition("|")
        named = self.columns.get(cells, "payee") or (payee.strip() if bar else "")
        return _Head(
            day=self.columns.get(cells, "date"),
            payee=named,
            description=(note if bar else description).strip() or named,
            notes=self.columns.get(cells, "notes", "comment"),
        )


@dataclass(slots=True)
class _Keyed:
    """Gives every posting the key of its transaction; a row without one goes on with the one above."""

    reader: _Reader

    def over(self, records: Iterable[Record]) -> Iterator[tuple[tuple[str, ...], int, tuple[str, ...]]]:
        key: tuple[str, ...] = ()
        balance = Decimal(0)
        count = 0
        for number, cells in records:
            if not any(cell.strip() for cell in cells):
                continue
            found = self.reader.key(cells)
            read = read_decimal(self.reader.amount_cell(cells), self.reader.mark)
            closed = not self.reader.has_id and count > 1 and not balance
            if (found and found != key[:-1]) or closed:  # two alike on a day: the first is balanced
                key, balance, count = (*found, str(number)), Decimal(0), 0
            balance += read[0] if read else 0
            count += 1
            yield key, number, cells


def _rows(head: _Head, postings: Sequence[_Posting], *, listed: bool) -> Iterator[tuple[int, tuple[str, ...] | str]]:
    own = [each for each in postings if each.is_own and each.amount]
    categories = [each for each in postings if each.root in {_Root.CATEGORY, None}]
    if not own and listed:
        account = _Posting(0, None, "", Decimal(0), "")
        for each in categories:
            yield each.number, head.row(-each.amount, _with(account, currency=each.currency), each.name)
        return
    if not own:
        yield postings[0].number, _NO_ACCOUNT
        return
    stocks = [each for each in own if each.stock]
    yield from ((each.number, say("“{text}” is no currency", text=quote(each.stock))) for each in stocks)
    own = [each for each in own if not each.stock]
    if not categories or stocks:
        if len(own) == 1 and len(postings) > 1 and not stocks:
            yield own[0].number, _OPENING
            return
        for each in own:
            yield each.number, head.row(each.amount, each, "", moved=len(own) > 1 or bool(stocks))
        return
    yield from _mixed(head, own, categories)


def _with(posting: _Posting, *, currency: str) -> _Posting:
    return _Posting(posting.number, posting.root, posting.name, posting.amount, currency)


def _mixed(
    head: _Head, own: Sequence[_Posting], categories: Sequence[_Posting]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield what moved between own accounts as such, and the rest under its categories."""
    net = sum((each.amount for each in own), Decimal(0))
    to_move = sum((abs(each.amount) for each in own if (each.amount > 0) is not (net > 0)), Decimal(0))
    for each in own:
        if (each.amount > 0) is not (net > 0):
            yield each.number, head.row(each.amount, each, "", moved=True)
            continue
        moved = min(abs(each.amount), to_move)
        to_move -= moved
        sign = 1 if each.amount > 0 else -1
        if moved:
            yield each.number, head.row(sign * moved, each, "", moved=True)
        rest = each.amount - sign * moved
        if not rest:
            continue
        same = [one for one in categories if one.currency == each.currency and one.amount * rest < 0]
        if len(same) == len(categories) and -sum(one.amount for one in same) == rest:
            for one in same:
                yield each.number, head.row(-one.amount, each, one.name)
        else:
            main = max(same or categories, key=lambda one: abs(one.amount))
            yield each.number, head.row(rest, each, main.name)


def _split(account: str) -> tuple[_Root | None, str]:
    """Return what an account is and its name without that: ``Expenses:Food:Groceries`` is Food:Groceries."""
    first, _, rest = account.partition(":")
    root = _ROOTS.get(fold(first))
    if root is None:
        return None, account
    if root in _OWN:
        return root, " ".join(part.strip() for part in rest.split(":")) or first
    return root, rest or first


def _account_type(own: _Posting) -> str:
    said = account_type_in(own.name)
    if own.root is _Root.DEBT and said not in {AccountType.LOAN, AccountType.CREDIT_CARD}:
        said = AccountType.CREDIT_CARD
    return said.value.replace("_", " ") if said else ""
