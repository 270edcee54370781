"""QIF: the transactions of bank, card, cash and loan accounts, read tolerantly; investments are left out and counted."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from language.catalogue import say
from ledger.importers.amounts import DecimalMark, decimal_mark, read_amount
from ledger.importers.currencies import unsettled
from ledger.importers.dates import DateReader, Order, settle_order
from ledger.importers.decoding import Encoding, decoded_lines, find_encoding
from ledger.importers.home_currency import Texts, find_home, usual_in
from ledger.importers.importer import Importer
from ledger.importers.qif_directions import Directions, settle_directions
from ledger.importers.qif_records import (
    ACCOUNT,
    BRACKETED,
    INVESTMENTS,
    LISTS,
    MONEY,
    Record,
    read_records,
)
from ledger.importers.recognition import as_ascii
from ledger.importers.table.cells import LONGEST_LINE
from ledger.importers.table.passes import Outcome
from ledger.importers.table.phrases import account_type_in, is_balance
from ledger.importers.table.rows import one_line
from ledger.importers.table.signs import not_a_number, quote
from ledger.transactions import (
    STATED_KIND,
    AccountType,
    Kind,
    RejectedRow,
    Statement,
    StatementAccount,
    StatementBalance,
    StatementRow,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from decimal import Decimal

    from ledger.importers.importer import Hints

_BEGINS = re.compile(rb"^[ \t]*!(?:type|account|option|clear)\b", re.IGNORECASE | re.MULTILINE)
_ENDS = re.compile(rb"^\^\s*$", re.MULTILINE)
_DATE = re.compile(r"([0-9]{1,4})\s*([-/.'])\s*([0-9]{1,2})\s*[-/.']\s*([0-9]{1,4})")
#: How many amounts are asked for their decimal mark.
_TELLING = 5000

#: What accounts are by their type or section; a bank's may be of any kind, as its name may say.
_TYPES = {
    "ccard": AccountType.CREDIT_CARD,
    "creditcard": AccountType.CREDIT_CARD,
    "cash": AccountType.CASH,
    "othl": AccountType.LOAN,
    **dict.fromkeys(INVESTMENTS, AccountType.INVESTMENT),
}
#: What accounts are called that have no name and of which a file's name can't name more than one.
_NAMES = {AccountType.CREDIT_CARD: "Credit card", AccountType.CASH: "Cash", AccountType.LOAN: "Loan"}


def read_qif(data: bytes, hints: Hints) -> Statement:
    """Read a QIF file.

    Raises ``AmbiguousDates`` or ``AmbiguousDirection`` if only the person's word is missing to read it.
    """
    encoding = find_encoding(data)
    survey = _Survey(hints)
    for record in read_records(decoded_lines(data, encoding)):
        survey.add(record)
    survey.name_nameless()
    mark = decimal_mark(survey.amounts, survey.shares)
    order = settle_order(list(survey.dates), hints.day_first, certain=Order.DAY_MONTH_YEAR if mark == "," else None)
    rows = _Rows(data, encoding, _Reader(survey, mark, DateReader(order), hints.currency))
    outcome, texts = Outcome(), Texts()
    rows.directions = settle_directions(texts.over(outcome.over(rows.all())), survey.cards, hints)
    rows.count = outcome.count
    accounts = [account for account in survey.accounts.values() if any(account.ref == ref for ref, _ in outcome.pairs)]
    if len(accounts) == 1 and hints.account:
        accounts = [replace(accounts[0], name=hints.account)]
    return Statement(
        "qif",
        tuple(accounts),
        rows,
        tuple(outcome.rejected),
        find_home(texts.proofs(), (*texts.likely(), *usual_in(order, mark))),
        unsettled(outcome.pairs),
        rows.directions.decision,
        (*survey.warnings(), *rows.reader.warnings()),
        tuple(rows.reader.balances.values()),
    )


class _Survey:
    """What is learned of a file in the first pass: dates and amounts as written, accounts, and what is left out."""

    def __init__(self, hints: Hints) -> None:
        self._hints = hints
        self.dates: dict[str, None] = {}
        self.amounts: list[str] = []
        self.shares: list[str] = []
        self.accounts: dict[str, StatementAccount] = {}
        self.slashed: set[str] = set()
        """Names of categories with a slash, which else stands before a class."""
        self._nameless: dict[str, None] = {}
        self._skipped: Counter[str] = Counter()

    def add(self, record: Record) -> None:
        """Look at one record."""
        fields = record.fields
        if record.section == ACCOUNT:
            self._define(fields.get("N", ""), "".join(fields.get("T", "").split()).casefold())
        elif record.section == "cat" and "/" in fields.get("N", ""):
            self.slashed.add(fields["N"])
        elif not is_money(record):
            self._skipped[_skipped_as(record)] += 1
        else:
            self.dates.setdefault(_tidied(fields.get("D", "")))
            if len(self.amounts) < _TELLING:
                self.amounts.append(_written_amount(fields))
                self.shares += [part.get("$", "") for part in record.parts]
            self._place(record)

    def _place(self, record: Record) -> None:
        if record.account:
            self._define(record.account, record.section)
        elif self._hints.account:
            self._define(self._hints.account, record.section)
        elif _TYPES.get(record.section) in _NAMES:
            self._nameless[record.section] = None

    def name_nameless(self) -> None:
        """Take note of the accounts without a name whose kind tells them, once all kinds are known."""
        for section in self._nameless:
            self._define(self._called(section), section)

    def _define(self, name: str, kind: str) -> None:
        """Take note of an account; the type that it is defined with goes before that of a section."""
        if name and name not in self.accounts:
            self.accounts[name] = StatementAccount(name, name, _TYPES.get(kind) or account_type_in(name))

    def ref_of(self, record: Record) -> str | None:
        """Return the account of a record: where none is named, what the file or its kind is called if that tells it."""
        if record.account or self._hints.account:
            return record.account or self._hints.account
        return self._called(record.section) if record.section in self._nameless else None

    def _called(self, section: str) -> str:
        name = self._hints.file_account
        return name if name and len(self._nameless) == 1 else f"{name} {_NAMES[_TYPES[section]]}".strip()

    def type_of(self, ref: str | None) -> AccountType | None:
        """Return what an account is, by the file or by its name."""
        known = self.accounts.get(ref) if ref else None
        return known.type if known else account_type_in(ref or "")

    @property
    def cards(self) -> frozenset[str | None]:
        """The accounts that are credit cards."""
        return frozenset(ref for ref in self.accounts if self.type_of(ref) is AccountType.CREDIT_CARD)

    def warnings(self) -> Iterator[str]:
        """Say what was left out."""
        for what, count in self._skipped.items():
            if what:
                yield f"Left out: {count:,} {what}{'' if count == 1 else 's'}."


def is_money(record: Record) -> bool:
    """Tell transactions of money from what else a file lists; sections that are not known are told by their fields."""
    fields = record.fields
    if record.section in MONEY or record.section == "creditcard":
        return True
    if record.section in LISTS or record.section in INVESTMENTS:
        return False
    return "D" in fields and not fields.keys().isdisjoint("TU") and fields.keys().isdisjoint("YIQ")


def _skipped_as(record: Record) -> str:
    """Return what a record is that is left out; nothing where nobody misses it."""
    if record.section in INVESTMENTS or "Y" in record.fields:
        return "investment transaction"
    return "" if record.section in LISTS or not record.section else f"entry of “{quote(record.section)}”"


class _Share(NamedTuple):
    """A part of a transaction, or all of it: its category as written, its own note and its amount."""

    category: str
    memo: str
    amount: Decimal


class _Filed(NamedTuple):
    """What stands in a field of categories: a category or an account of one's own, and a class."""

    category: str = ""
    account: str = ""
    label: str = ""


class _Reader:
    """Reads records as rows; everything that holds for the whole file is settled before the first one."""

    def __init__(self, survey: _Survey, mark: DecimalMark, dates: DateReader, currency: str | None) -> None:
        self._survey = survey
        self._mark = mark
        self._dates = dates
        self._currency = currency
        self._uneven: set[int] = set()
        self.balances: dict[int, StatementBalance] = {}
        """Opening balances, by their places in the file."""

    def read(self, record: Record) -> Iterator[StatementRow | RejectedRow]:
        """Yield the rows of a record, one for each category of a split, or why it can't be read."""
        fields = record.fields
        booked_on = self._dates.read(_tidied(fields.get("D", "")))
        amount = self._amount(_written_amount(fields))
        problem = _problem(record, booked_on, amount)
        if not problem and {"T", "U"} <= fields.keys() and self._amount(fields["T"]) != amount:
            problem = say(
                "its two amounts differ, “{one}” and “{other}”", one=quote(fields["T"]), other=quote(fields["U"])
            )
        if problem or booked_on is None or amount is None:
            yield RejectedRow(record.number, problem)
            return
        ref = self._survey.ref_of(record)
        if is_balance(said := fields.get("P", "")):
            balance = StatementBalance(booked_on, amount, opening=True, account=ref, currency=self._currency)
            self.balances[record.number] = balance
            yield RejectedRow(record.number, say("“{text}” is a balance, not a transaction", text=quote(said)))
            return
        for share in self._shares(record, amount):
            yield self._row(record, booked_on, share, ref)

    def _amount(self, written: str) -> Decimal | None:
        amount = read_amount(written, self._mark)
        if amount is None:
            return None
        return abs(amount.value) * amount.side if amount.side else amount.value

    def _shares(self, record: Record, total: Decimal) -> list[_Share]:
        """Return the parts of a split by category, where their amounts add up; else the transaction as a whole."""
        whole = [_Share(record.fields.get("L", ""), "", total)]
        if not record.parts:
            return whole
        merged: dict[str, _Share] = {}
        for part in record.parts:
            category, memo, amount = part["S"], part.get("E", ""), self._amount(part.get("$", ""))
            if amount is None:
                break
            before = merged.get(category)
            if before:
                memo = before.memo if memo in before.memo else f"{before.memo}; {memo}".removeprefix("; ")
                amount += before.amount
            merged[category] = _Share(category, memo, amount)
        else:
            if sum(share.amount for share in merged.values()) == total:
                return [share for share in merged.values() if share.amount] or whole
        self._uneven.add(record.number)
        return whole

    def _row(self, record: Record, booked_on: date, share: _Share, ref: str | None) -> StatementRow:
        fields = record.fields
        filed = self._filed(share.category)
        payee, memo, number = (one_line(fields.get(letter, "")) for letter in "PMN")
        check = f"Check {number}" if number.isdigit() else ""
        description = payee or memo or share.memo or check or fields.get("A", "") or filed.category or filed.account
        memos = (said for said in (memo, share.memo) if said and said != description)
        hint = number if number and not check else None
        return StatementRow(
            number=record.number,
            booked_on=booked_on,
            amount=share.amount,
            description=description,
            payee=payee,
            memo="; ".join(dict.fromkeys(memos)),
            currency=self._currency,
            account=ref,
            category=filed.category or None,
            type_hint=self._transfer(ref, filed.account, share.amount) if filed.account else hint,
            labels=filed.label,
        )

    def _filed(self, written: str) -> _Filed:
        """Take a category apart: ``Auto:Fuel/Trip``, ``[Savings]/Trip``; a program's name for a split is none."""
        if written in self._survey.slashed:
            return _Filed(written)
        if bracketed := BRACKETED.match(written):
            return _Filed(account=bracketed[1].strip(), label=written[bracketed.end() :].strip("/ "))
        category, _, label = written.partition("/")
        return _Filed("" if category.strip("- ").casefold() == "split" else category.strip(), label=label.strip())

    def _transfer(self, own: str | None, other: str, amount: Decimal) -> str:
        """Return the kind of money that moves between two own accounts, by the one that it reaches (D3)."""
        reached = self._survey.type_of(own if amount > 0 else other)
        if reached is AccountType.CREDIT_CARD and own != other:
            return f"{STATED_KIND}{Kind.CARD_PAYMENT}"
        paid_off = reached is AccountType.LOAN and amount < 0
        return f"{STATED_KIND}{Kind.LOAN_PAYMENT if paid_off else Kind.TRANSFER}"

    def warnings(self) -> Iterator[str]:
        """Say which splits were not taken apart."""
        if count := len(self._uneven):
            one = "1 split transaction is taken whole, because the parts don't add up to the total."
            several = "{count} split transactions are taken whole, because the parts don't add up to the total."
            yield say(one if count == 1 else several, count=f"{count:,}")


@dataclass(slots=True)
class _Rows:
    """The rows of a file, read anew whenever they are gone through."""

    data: bytes
    encoding: Encoding
    reader: _Reader
    directions: Directions = field(default_factory=Directions)
    count: int = 0

    def __len__(self) -> int:
        return self.count

    def __contains__(self, row: object) -> bool:
        return any(row == each for each in self)

    def __iter__(self) -> Iterator[StatementRow]:
        for row in self.all():
            if isinstance(row, StatementRow):
                yield replace(row, amount=self.directions.signed(row)) if self.directions.turned else row

    def all(self) -> Iterator[StatementRow | RejectedRow]:
        """Yield every row as it stands, or why it can't be read."""
        for record in read_records(decoded_lines(self.data, self.encoding)):
            if record.section != ACCOUNT and is_money(record):
                yield from self.reader.read(record)


def _written_amount(fields: dict[str, str]) -> str:
    """Return the amount as written: U is T without a limit to its digits."""
    return fields.get("U") or fields.get("T") or ""


def _problem(record: Record, booked_on: date | None, amount: Decimal | None) -> str:
    """Return why a record can't be read, or nothing."""
    day, written = record.fields.get("D", ""), _written_amount(record.fields)
    if record.longest > LONGEST_LINE:
        return say("a field of {count} characters is too long for a transaction", count=f"{record.longest:,}")
    if not record.closed:
        return "the file breaks off in the middle of this transaction"
    if booked_on is None:
        return say("the date “{text}” is not one that I can read", text=quote(day)) if day else "there is no date"
    if amount is None:
        return not_a_number(written) if written else "there is no amount"
    return ""


def _tidied(day: str) -> str:
    """Return a date without blanks, with one mark between its parts and at least two digits of its year: ``1/ 2' 7``."""
    match = _DATE.fullmatch(day.strip())
    if match is None:
        return day.strip()
    first, mark, second, third = match.groups()
    if len(first) == 4:
        return f"{first}-{second}-{third}"
    mark = "/" if mark == "'" else mark
    return f"{first}{mark}{second}{mark}{third:0>2}"


def _sniff(head: bytes, name: str) -> bool:
    text = as_ascii(head)
    return _BEGINS.search(text) is not None or (name.lower().endswith(".qif") and _ENDS.search(text) is not None)


QIF = Importer("QIF", frozenset({"qif"}), _sniff, read_qif)
