"""The accounts that a table names, by a column, above the table, or by the person's word."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ledger.importers.account_statements import name_account
from ledger.importers.currencies import SHARED, is_iban
from ledger.importers.table.phrases import account_type_in
from ledger.importers.table.vocabulary import Role
from ledger.transactions import AccountType, StatementAccount

if TYPE_CHECKING:
    from collections.abc import Collection

    from ledger.importers.importer import Hints
    from ledger.importers.table.layout import Layout
    from ledger.importers.table.preamble import Preamble


class Accounts:
    """Collects the accounts of a file while its rows are read."""

    def __init__(self, layout: Layout, preamble: Preamble, hints: Hints) -> None:
        """Settle the account of rows that name none."""
        self.number, self.name = layout.column(Role.ACCOUNT), layout.column(Role.ACCOUNT_NAME)
        self.type = layout.column(Role.ACCOUNT_TYPE)
        self.bank = layout.known if layout.known and not layout.known.budget else None
        if self.bank and self.bank.one_account:
            self.number = self.name = -1
        self.known: dict[tuple[str, str], StatementAccount] = {}
        self.has_column = self.number >= 0 or self.name >= 0
        stated = layout.stated
        self.said = hints.account or (stated.account if stated and layout.said else "") or None
        self.default = self._default(layout, preamble, "" if self.has_column or self.bank else hints.sheet)
        self.used_default = not self.has_column

    def _default(self, layout: Layout, preamble: Preamble, sheet: str) -> StatementAccount | None:
        """Return the account of rows that name none: what stands above the table, else as told, else the sheet's."""
        ref = preamble.ref or preamble.name or self.said or sheet
        if not ref:
            return None
        name = self.said or preamble.name or (self.bank.name if self.bank else "") or ref
        kind = self._type_in(preamble.type or account_type_in(name))
        return StatementAccount(ref, name, kind, layout.currency or preamble.currency)

    def ref_of(self, cells: tuple[str, ...]) -> str | None:
        """Return the reference of a row's account."""
        if not self.has_column:
            return self.default.ref if self.default else None
        key = (cells[self.number], cells[self.name])
        account = self.known.get(key)
        if account is None:
            number, name = (cell.strip().removeprefix("'") for cell in key)  # the mark of a text in Excel
            if not number and not name:
                self.used_default = True
                return self.default.ref if self.default else None
            stated = cells[self.type].strip()
            kind = self._type_in(account_type_in(stated) if stated else account_type_in(name or number))
            account = StatementAccount(_compact(number) or name, name or number, kind)
            self.known[key] = account
        return account.ref

    @property
    def unnamed(self) -> StatementAccount | None:
        """The account of rows that name none, where only the layout tells whose file it is."""
        if self.default or not self.bank or not self.used_default:
            return None
        return StatementAccount("", self.bank.name, self.bank.type)

    def _type_in(self, said: AccountType | None) -> AccountType | None:
        """Return what the layout's accounts are, where that is known, else what was said of one."""
        known = self.bank.type if self.bank else None
        return AccountType.CREDIT_CARD if known is AccountType.CREDIT_CARD else said or known

    def type_of(self, ref: str | None) -> AccountType | None:
        """Return the type of an account that was met so far."""
        known = next((account for account in self.known.values() if account.ref == ref), self.default or self.unnamed)
        return known.type if known else None

    def all(self, pairs: Collection[tuple[str | None, str | None]]) -> tuple[StatementAccount, ...]:
        """Return each account once, with the currency all its rows share; the only one gets the person's name.

        ``pairs`` are the accounts and currencies of the rows.
        """
        accounts = list({account.ref: account for account in self.known.values()}.values())
        if self.default and (self.used_default or not accounts):
            accounts.append(self.default)
        numbered = sum(1 for account in accounts if self._is_number(account))
        for index, stated in enumerate(accounts):
            account = self._named(stated, alone=numbered == 1)
            found = [currency for ref, currency in pairs if ref == account.ref]
            currency = found[0] if len(found) == 1 else account.currency
            name = self.said if len(accounts) == 1 else None
            currency = None if currency in SHARED else currency
            accounts[index] = replace(account, currency=currency, name=name or account.name)
        return tuple(accounts)

    def _named(self, account: StatementAccount, *, alone: bool) -> StatementAccount:
        """Return an account of which only the number is stated under its bank's name, with the number's end if it needs that.

        Where the bank is not known it is called after its kind, or just an account.
        """
        if not self._is_number(account):
            return account
        if self.bank is None and self.type >= 0:
            return account  # a list of accounts of one's own, such as our export: a number is what somebody calls one
        if self.bank is None:
            return replace(account, name=name_account(account.ref, kind=account.type))
        digits = "".join(filter(str.isdigit, account.ref))[-4:]
        return replace(account, name=self.bank.name if alone else f"{self.bank.name} {digits}")

    @staticmethod
    def _is_number(account: StatementAccount) -> bool:
        """Whether an account has no name but its number."""
        named = account.name != account.ref and _compact(account.name) != account.ref
        letters = any(map(str.isalpha, account.ref))
        return not named and (is_iban(account.ref) or (not letters and any(map(str.isdigit, account.ref))))


def _compact(number: str) -> str:
    """Write an IBAN without its spaces; other references stay as they are."""
    bare = number.replace(" ", "")
    return bare if len(bare) >= 15 and bare[:2].isalpha() and bare[2:4].isdigit() else number
