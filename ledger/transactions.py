"""The records that the rest of the house speaks of: kinds, rows of a statement, transactions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ledger.money import Money

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date
    from decimal import Decimal

    from ledger.direction import Decision
    from ledger.importers.table.stated import SeenTable


class Kind(StrEnum):
    """What a transaction is, which decides whether it counts as spending (docs/definitions.md, D1)."""

    PURCHASE = "purchase"
    REFUND = "refund"
    TRANSFER = "transfer"
    CARD_PAYMENT = "card_payment"
    INCOME = "income"
    FEE = "fee"
    INTEREST = "interest"
    CASH = "cash"
    LOAN_PAYMENT = "loan_payment"
    LEFT_OUT = "left_out"
    """What the person leaves out of their figures by a rule."""


#: Our own export writes kinds with this before them, which no bank does, so that they are read back as they are.
STATED_KIND = "kind: "


class AccountType(StrEnum):
    """What an account is, as far as the file or the person says."""

    CHECKING = "checking"
    SAVINGS = "savings"
    CREDIT_CARD = "credit_card"
    LOAN = "loan"
    INVESTMENT = "investment"
    CASH = "cash"


@dataclass(frozen=True, slots=True)
class StatementRow:
    """One transaction as a bank's file states it, parsed but not yet judged.

    ``amount`` is in major units, negative for money out. ``number`` is where the record stands in the file, counted
    from 1 (the line for CSV, the record for OFX). ``type_hint`` is the file's own word for the kind of movement
    (``XFER``, ``INT``, ``debit``, ``Lastschrift``); ``mcc`` a four-digit merchant category code (ISO 18245).
    """

    number: int
    booked_on: date
    amount: Decimal
    description: str
    payee: str = ""
    memo: str = ""
    currency: str | None = None
    """A code, or the sign of several that stands there (``ledger.importers.currencies.SHARED``)."""
    account: str | None = None
    category: str | None = None
    type_hint: str | None = None
    mcc: str | None = None
    external_id: str | None = None
    labels: str = ""
    notes: str = ""
    to_self: bool = False
    """Whether the file names one and the same as payer and payee."""


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A record that could not be read, with its place in the file and the reason in plain words."""

    row: int
    reason: str


@dataclass(frozen=True, slots=True)
class StatementAccount:
    """An account that a statement names: the bank's reference, a display name, its type and currency if stated."""

    ref: str
    name: str
    type: AccountType | None = None
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class StatementBalance:
    """What a statement says was in an account (its ``ref``; None for the file's only one) on a day.

    ``amount`` is in major units, negative for money owed. An opening balance stands before the first row of its day, a
    closing one after the last, so that the rows between two of them must add up to their difference.
    """

    on: date
    amount: Decimal
    opening: bool = False
    account: str | None = None
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class Home:
    """What the country that a file is from pays with: the currency that is proved, if one is, and the likely ones in order."""

    currency: str | None = None
    likely: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """What one file holds: the format it was read as, its accounts, the readable rows and the rejected ones.

    The rows of a large file are not held: they are read anew whenever they are gone through.
    """

    format: str
    accounts: tuple[StatementAccount, ...]
    rows: Collection[StatementRow]
    rejected: tuple[RejectedRow, ...]
    home: Home = Home()
    """What rows that state no currency are in, as far as the file shows by its account, cards, language or numbers."""
    unsettled: frozenset[tuple[str | None, str | None]] = frozenset()
    """The accounts of such rows, each with the shared sign that stands there, if one does."""
    direction: Decision | None = None
    """How the signs of its amounts were found, where its format leaves that open."""
    warnings: tuple[str, ...] = ()
    """What a person should know before they say yes, one sentence each."""
    balances: tuple[StatementBalance, ...] = ()
    unnamed: StatementAccount | None = None
    """The account of rows that name none, as the bank or program is known by the file's layout."""
    table: SeenTable | None = None
    """Which column was taken for what, where the file is a table."""


class Flow(StrEnum):
    """Which total a transaction belongs to (docs/definitions.md, D1-D3)."""

    SPENDING = "spending"
    INCOME = "income"
    NEITHER = "neither"


def flow_of(kind: Kind, amount_minor: int) -> Flow:
    """Return the total that a transaction of this kind and sign belongs to."""
    if kind in (Kind.TRANSFER, Kind.CARD_PAYMENT, Kind.LEFT_OUT):
        return Flow.NEITHER
    if kind is Kind.INCOME or (kind is Kind.INTEREST and amount_minor > 0):
        return Flow.INCOME
    return Flow.SPENDING


@dataclass(frozen=True, slots=True)
class Account:
    """One of the person's own accounts."""

    id: int
    name: str
    type: AccountType | None
    currency: str | None
    ref: str = ""
    """The bank's reference, such as an account number."""
    called: tuple[str, ...] = ()
    """What else it is found by: its names before, and those of accounts that became part of it."""


@dataclass(frozen=True, slots=True)
class Transaction:
    """One booked movement of the person's money; ``amount_minor`` is negative for money out."""

    id: int
    booked_on: date
    amount_minor: int
    currency: str
    description: str
    merchant: str
    category: str
    kind: Kind
    flow: Flow
    account: str
    memo: str = ""
    batch_id: int = 0
    labels: str = ""
    notes: str = ""

    @property
    def money(self) -> Money:
        """The amount, negative for money out."""
        return Money(self.amount_minor, self.currency)
