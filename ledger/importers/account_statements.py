"""The statements of accounts that one file of a bank holds, each with its balances, put together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.importers.balances import gap_between, gap_warnings
from ledger.importers.currencies import unsettled
from ledger.importers.table.cells import LONGEST_LINE
from ledger.importers.table.phrases import account_type_in
from ledger.transactions import AccountType, RejectedRow, Statement, StatementAccount, StatementBalance, StatementRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.importers.balances import Gap
    from ledger.importers.importer import Hints

_TYPE_NAMES = {
    AccountType.CHECKING: "Checking",
    AccountType.SAVINGS: "Savings",
    AccountType.CREDIT_CARD: "Credit card",
    AccountType.LOAN: "Loan",
    AccountType.INVESTMENT: "Investments",
    AccountType.CASH: "Cash",
}


@dataclass(slots=True)
class AccountStatement:
    """One statement of one account: its number, its balances, what was booked between them and what can't be read.

    A ``page`` is a part of a statement; its balances lead on to the next part and are no day's.
    """

    number: str = ""
    account: StatementAccount | None = None
    opening: StatementBalance | None = None
    closing: StatementBalance | None = None
    page_starts: bool = False
    page_ends: bool = False
    rows: list[StatementRow] = field(default_factory=list)
    rejected: list[RejectedRow] = field(default_factory=list)

    def add(self, row: StatementRow | RejectedRow) -> None:
        """Take a row, or the reason why there is none, as where a text is too long for a transaction."""
        if (
            isinstance(row, StatementRow)
            and (longest := max(map(len, (row.description, row.payee, row.memo)))) > LONGEST_LINE
        ):
            reason = say("a field of {count} characters is too long for a transaction", count=f"{longest:,}")
            row = RejectedRow(row.number, reason)
        if isinstance(row, RejectedRow):
            self.rejected.append(row)
        else:
            self.rows.append(row)

    @property
    def ref(self) -> str | None:
        """The bank's reference of the account."""
        return self.account.ref if self.account else None

    def says(self) -> object:
        """Return what makes a statement itself, wherever in the file it stands."""
        rows = tuple((row.booked_on, row.amount, row.currency, row.description, row.memo) for row in self.rows)
        return self.number, self.ref, self.opening, self.closing, rows

    def gap(self) -> Gap | None:
        """Return what is missing between its own balances."""
        return gap_between(self.rows, self.opening, self.closing) if self.opening and self.closing else None

    def balances(self) -> list[StatementBalance]:
        """Return the balances of whole days.

        What banks call the opening balance is that at the end of the day before, whichever of the two days they write:
        it is one at the start of its day only if the statement has rows of that day.
        """
        found = []
        if self.opening and not self.page_starts:
            starts = any(row.booked_on <= self.opening.on for row in self.rows)
            found.append(replace(self.opening, opening=starts))
        if self.closing and not self.page_ends:
            found.append(self.closing)
        return found


def put_together(
    name: str, statements: Sequence[AccountStatement], hints: Hints, warnings: Iterable[str] = ()
) -> Statement:
    """Return what a file holds; a statement that stands in it twice is read once."""
    kept, repeated = _once(statements)
    accounts = _named(kept, hints)
    names = {account.ref: account.name for account in accounts} if len(accounts) > 1 else {}
    said = list(warnings)
    if repeated:
        one = "{count} of the statements in this file is in it twice, and read once."
        several = "{count} of the statements in this file are in it twice, and read once."
        said.append(say(one if repeated == 1 else several, count=str(repeated)))
    rows = tuple(row for statement in kept for row in statement.rows)
    return Statement(
        name,
        accounts,
        rows,
        tuple(row for statement in kept for row in statement.rejected),
        unsettled=unsettled((row.account, row.currency) for row in rows),
        warnings=(*said, *gap_warnings(_gaps(kept), names)),
        balances=tuple(balance for statement in kept for balance in statement.balances()),
    )


def _once(statements: Sequence[AccountStatement]) -> tuple[list[AccountStatement], int]:
    """Leave out repetitions; without a balance nothing shows that equal rows are not two equal payments."""
    seen: set[object] = set()
    kept = []
    for statement in statements:
        said = statement.says()
        proved = statement.opening is not None and statement.closing is not None and bool(statement.rows)
        if not (proved and said in seen):
            kept.append(statement)
        seen.add(said)
    return kept, len(statements) - len(kept)


def _gaps(statements: Sequence[AccountStatement]) -> list[Gap]:
    """Return what is missing within statements, and between each and the next of its account."""
    gaps = [found for statement in statements if (found := statement.gap())]
    for ref in dict.fromkeys(statement.ref for statement in statements):
        mine = [each for each in statements if each.ref == ref and each.opening and each.closing]
        for first, second in pairwise(_in_order(mine)):
            if first.closing and second.opening and first.closing.on <= second.opening.on:
                gap = gap_between((), first.closing, second.opening)
                gaps += [gap] if gap else []
    return sorted(gaps, key=lambda gap: (gap.first, gap.last))


def _in_order(statements: list[AccountStatement]) -> list[AccountStatement]:
    """Return statements from old to new: files have them in either order, and several of a day."""
    days = [each.closing.on for each in statements if each.closing]
    if days and days[0] > days[-1]:
        statements.reverse()
    return sorted(
        statements, key=lambda each: (each.closing.on, each.opening.on) if each.opening and each.closing else ()
    )


def _named(statements: Sequence[AccountStatement], hints: Hints) -> tuple[StatementAccount, ...]:
    """Return each account once, with a name of its own and the currency that all of its statements have."""
    found: dict[str, StatementAccount] = {}
    currencies: dict[str, set[str | None]] = {}
    for statement in statements:
        account = statement.account
        if account is None:
            continue
        known = found.setdefault(account.ref, account)
        found[account.ref] = replace(known, type=known.type or account.type)
        currencies.setdefault(account.ref, set()).add(account.currency)
    if not found and hints.account:
        return (StatementAccount(hints.account, hints.account, account_type_in(hints.account)),)
    taken: dict[str, str] = {}
    for ref, account in found.items():
        longer = ref if account.name.endswith(ref[-4:]) else f"{account.name} {ref[-4:]}"
        name = next(name for name in (account.name, longer, ref) if taken.setdefault(name, ref) == ref)
        currency = next(iter(currencies[ref])) if len(currencies[ref]) == 1 else None
        found[ref] = replace(
            account, name=hints.account if hints.account and len(found) == 1 else name, currency=currency
        )
    return tuple(found.values())


def name_account(ref: str, *, stated: str = "", bank: str = "", kind: AccountType | None = None) -> str:
    """Return what an account is called: as its file says, else its bank or kind with its last digits."""
    if stated and stated.replace(" ", "") != ref:
        return stated
    digits = "".join(filter(str.isdigit, ref))
    last = "".join(char for char in ref if char.isalnum())[-4:]
    last = digits[-4:] if len(digits) > len(last) and last.isalpha() else last
    return f"{bank or (_TYPE_NAMES[kind] if kind else 'Account')} {last}"
