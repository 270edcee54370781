"""Which account and which currency the rows of a statement belong to."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

import sqlalchemy as sa

from language.catalogue import say
from ledger import schema
from ledger.account_names import read_known, unmarked
from ledger.balances import Stated
from ledger.errors import AmbiguousCurrency, UnclearRow
from ledger.identity import PlacedRow
from ledger.importers.currencies import SHARED, is_settled, settle_currency, unsettled
from ledger.money import to_minor
from ledger.reconciling import PlacedBalance
from ledger.stemming import fold
from ledger.tallies import kept
from ledger.transactions import AccountType, StatementAccount
from ledger.visibility import account_stands
from ledger.wordlists import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.importers import Hints
    from ledger.repository import Repository
    from ledger.transactions import Statement, StatementBalance, StatementRow

#: Letters before digits are a name from here on, and less is a code.
_SHORTEST_WITH_DIGITS = 4
#: The same day, amount and description in two accounts is chance; so many such rows are not.
NO_CHANCE = 3
#: What most people's files are in, where nothing tells more, and how many currencies are offered in a question.
_USUAL, _CHOICES = ("USD", "EUR", "GBP", "CAD", "CHF"), 5


@dataclass(slots=True)
class KnownAccounts:
    """The accounts of a ledger, and those that the files before have brought."""

    ids: dict[str, int]
    """By name; those that are only brought have none yet."""
    types: dict[str, AccountType | None]
    currencies: dict[str, str]
    """By name, of accounts whose rows are in one currency."""
    names: dict[str, str]
    """By the bank's reference."""
    of_files: dict[str, str]
    """The only account of a file, by the digest of its bytes."""
    set_currency: str | None
    """What the person has set."""
    used: tuple[str, ...]
    """The currencies of the rows that are there, that of the most first."""
    stated: dict[str, StatementAccount] = field(default_factory=dict)
    """What files say of the accounts that they bring, by name."""
    called: dict[str, str] = field(default_factory=dict)
    """The names of now by those of before."""
    numbered: set[str] = field(default_factory=set)
    """The names of accounts with a reference."""
    told_twice: dict[str, str] = field(default_factory=dict)
    """The names of accounts that files have under a reference which was not known, by that."""
    gone: dict[str, AccountType | None] = field(default_factory=dict)
    """The names and types of accounts that the person deleted, whose files may bring them again."""

    @classmethod
    async def read(cls, repository: Repository, currency: str | None) -> KnownAccounts:
        """Return what the ledger shows; ``currency`` is what the person has set for files that name none."""
        ledger, accounts, files = repository.ledger_id, schema.accounts.c, schema.files.c
        of_files = (
            sa.select(files.sha256, accounts.name)
            .join(schema.accounts, accounts.id == files.account_id)
            .join(schema.batches, schema.batches.c.id == files.batch_id)
            .where(accounts.ledger_id == ledger, schema.batches.c.undone_at.is_(None))
            .where(schema.batches.c.finished_at.is_not(None))
            .order_by(files.id.desc())
        )
        async with repository.store.read() as connection:
            known = await read_known(connection, ledger)
            names = {row.sha256: unmarked(row.name) for row in await connection.execute(of_files)}
            counted = (await connection.execute(_currencies(ledger))).all()
        used: Counter[str] = Counter()
        by_account: dict[int, set[str]] = {}
        for account, code, count in counted:
            used[code] += int(count)
            by_account.setdefault(account, set()).add(code)
        alone = {account: codes.pop() for account, codes in by_account.items() if len(codes) == 1}
        return cls(
            ids=known.ids,
            types=known.types,
            currencies={name: alone[account] for name, account in known.ids.items() if account in alone},
            names=known.by_ref,
            called=known.by_old_name,
            of_files=names,
            set_currency=currency,
            used=tuple(code for code, _ in used.most_common()),
            numbered=known.numbered,
            gone=known.gone,
        )

    async def still_stand(self, connection: AsyncConnection, names: Iterable[str]) -> bool:
        """Whether accounts that were there are so still, and of the types by which rows were judged."""
        accounts = schema.accounts.c
        ids = {self.ids[name]: name for name in names}
        query = sa.select(accounts.id, accounts.type).where(accounts.id.in_(ids), account_stands())
        found = {row.id: row.type for row in await connection.execute(query)}
        return all(key in found and found[key] == self.types[name] for key, name in ids.items())

    def place(self, statement: Statement, fallback: str) -> Placing:
        """Return what gives a statement's rows their account and currency."""
        known = (statement.unnamed,) if statement.unnamed else ()
        named = {account.ref: account for account in statement.accounts}
        named |= {account.name: account for account in (*known, *statement.accounts)}
        return Placing(self, named, fallback, statement)

    def only_account(self, statement: Statement, hints: Hints, sha256: str) -> str | None:
        """Return the account of rows that name none: as told, the file's only one, or as before with this file."""
        if hints.account:
            return self.as_named(hints.account)
        if len(statement.accounts) == 1:
            return self.name_of(statement.accounts[0])
        return self.of_files.get(sha256)

    def name_of(self, account: StatementAccount, told: str = "") -> str:
        """Return what an account is called here: as before, else as told or as its file says, if no other one has that name."""
        known = self.names.get(account.ref)
        if known is not None:
            return known
        if account.name not in self.types and not (account.ref and self.called.get(account.name) in self.numbered):
            return self.as_named(account.name)
        taken = bool(account.ref) and account.name != told and account.name in self.names.values()
        if not taken:
            return account.name
        end = account.ref[-4:]
        longer = f"{account.name} {end}"  # a bank's second card
        return account.ref if account.name.endswith(end) or longer in self.names.values() else longer

    def may_be(self, statement: Statement, fallback: str | None, hints: Hints) -> set[str]:
        """Return the accounts that a file's rows may be in whose account is not known: those that no other number names."""
        one = statement.accounts[0] if len(statement.accounts) == 1 else None
        if hints.account or len(statement.accounts) > 1 or fallback in self.types or (one and one.ref in self.names):
            return set()
        if one is None or not one.ref:
            return set(self.types)
        return self.types.keys() - {name for ref, name in self.names.items() if not _may_be_one(ref, one.ref)}

    def also(self, statement: Statement, name: str) -> str:
        """Note that a file's only account is one that is there, and return its name."""
        found = {account.ref: name for account in statement.accounts if account.ref}
        self.names |= found
        self.told_twice |= found
        return name

    def as_named(self, name: str) -> str:
        """Return what an account is called now that a file or the person calls so: names of now come first."""
        return name if name in self.types else self.called.get(name, name)

    def bring(self, name: str, stated: StatementAccount | None) -> None:
        """Take note of an account, unless it is known."""
        if name in self.types:
            return
        if stated is not None:
            self.stated[name] = stated
            self.names |= {stated.ref: name} if stated.ref else {}
        told = self.gone.get(name) or (stated.type if stated else None)
        self.types[name] = told or guess_type(name)


@dataclass(frozen=True, slots=True)
class Placing:
    """Gives the rows of one statement the account and the currency that they belong to."""

    known: KnownAccounts
    named: Mapping[str, StatementAccount]
    fallback: str
    statement: Statement
    taken: list[str] = field(default_factory=list)
    """Currencies that were only the likeliest."""
    assumed: set[str] = field(default_factory=set)
    """Currencies that neither a row nor the ledger states."""

    def place(self, row: StatementRow) -> PlacedRow:
        """Return a row with its account, which is known from then on, and its currency."""
        return PlacedRow(row, *self._place(row))

    def place_balance(self, balance: StatementBalance) -> PlacedBalance:
        """Return a stated balance in the same way."""
        account, currency = self._place(balance)
        minor = to_minor(balance.amount, currency)
        return PlacedBalance(account, currency, Stated(balance.on, minor, balance.opening))

    def _place(self, stated: StatementRow | StatementBalance) -> tuple[str, str]:
        account = self.named.get(stated.account) if stated.account else None
        name = self._name_of(account, stated.account)
        known = self._known(account, name, stated.currency)
        currency = settle_currency(known, *self._elsewhere()) or ""
        if known != currency:
            self.assumed.add(currency)
        self.known.bring(name, account or self.named.get(name))
        return name, currency

    def _name_of(self, account: StatementAccount | None, ref: str | None) -> str:
        return self.known.name_of(account, self.fallback) if account else self.known.as_named(ref or self.fallback)

    def _known(self, account: StatementAccount | None, name: str, stated: str | None) -> str | None:
        """Return the currency that the row or its account tell; a sign that several share where they leave that open."""
        return settle_currency(stated, account.currency if account else None, self.known.currencies.get(name))

    def _elsewhere(self) -> tuple[str | None, ...]:
        """Return what else may tell a currency: where the file is from, the person's settings, what is likeliest."""
        return self.statement.home.currency, self.known.set_currency, *self.taken

    def take_likeliest(self) -> None:
        """Take the likeliest currency wherever one would be asked for."""
        while question := self.question():
            self.taken.append(question.choices[0])

    def unplaced(self, row: StatementRow) -> PlacedRow:
        """Return a row as it would be in whatever account, where nothing tells its currency in the usual one."""
        return PlacedRow(row, "", settle_currency(row.currency, *self._elsewhere(), *self.known.used) or "")

    def question(self) -> AmbiguousCurrency | None:
        """Return what must be asked before the rows can be placed: their currency, where nothing that counts tells it."""
        balances = unsettled((each.account, each.currency) for each in self.statement.balances)
        for ref, sign in sorted(self.statement.unsettled | balances, key=lambda pair: (pair[1] or "", pair[0] or "")):
            account = self.named.get(ref) if ref else None
            known = self._known(account, self._name_of(account, ref), sign)
            if not is_settled(settle_currency(known, *self._elsewhere())):
                return AmbiguousCurrency(self._choices(sign), self._some(sign), sign or "")
        return None

    def _choices(self, sign: str | None) -> list[str]:
        """Return the currencies that are likely, those first for which the file speaks."""
        likely = (*self.statement.home.likely, *self.known.used, *_USUAL)
        shared = SHARED.get(sign or "")
        choices = [code for code in likely if code in shared] + [*shared] if shared else likely
        return list(dict.fromkeys(choices))[:_CHOICES]

    def _some(self, sign: str | None) -> list[UnclearRow]:
        """Return some of the rows whose currency is in question."""
        rows = (row for row in self.statement.rows if (row.currency or None) == sign)
        return [
            UnclearRow(row.booked_on, row.description, f"{row.amount:f} {sign or ''}".rstrip())
            for row in islice(rows, 3)
        ]

    def warnings(self) -> tuple[str, ...]:
        """Say what currency was assumed, if one was."""
        form = "The file names no currency; its amounts are taken as {code}."
        return tuple(say(form, code=code) for code in sorted(self.assumed))


def _may_be_one(one: str, other: str) -> bool:
    """Whether two numbers may be of one account, of which banks often show the last digits alone."""
    ends = sorted(("".join(filter(str.isdigit, ref)) for ref in (one, other)), key=len)
    return one == other or (bool(ends[0]) and ends[1].endswith(ends[0]))


def likeliest(matches: Counter[str], rows: int) -> str | None:
    """Return the account that holds some of a file's rows already: an overlapping export, or one under another name."""
    best = matches.most_common(1)
    return best[0][0] if best and best[0][1] >= min(NO_CHANCE, rows) else None


#: Words of file names that say nothing of whose they are: what a file is, its language, its encoding, when it was made.
_NOISE = frozenset(words("account_words.txt", "in file names"))
#: Names of files that tell neither a bank nor a kind of account.
UNNAMED = "File export"
_NUMBER = re.compile(r"(?<![^\W_])(?:[A-Z]{2})?([0-9]{4,24})(?![^\W_])")
_LONGEST_FILE_NAME = 40
#: Up to here capitals are an abbreviation (“DKB”), and no file whose name is shouted.
_LONGEST_SHORT = 4
_CAMEL = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z][^\W\d_A-Z])")


def name_from(file_name: str) -> str:
    """Return an account's name from its file's: the words of it that tell something, else the end of a number in it.

    Words with digits in them are dates, numbers and codes; a name before the digits (“Chase4321”) is one all the same.
    """
    stem = file_name.replace("\\", "/").rpartition("/")[2].rpartition(".")[0] or file_name
    pieces = [part for piece in re.findall(r"[^\W_]+", stem) for part in _CAMEL.sub(" ", piece).split()]
    kept = [name for piece in pieces if (name := _told_by(piece)) and fold(name) not in _NOISE]
    told = " ".join(name if name.isupper() and len(name) <= _LONGEST_SHORT else name.lower() for name in kept)
    if told:
        return (told[:1].upper() + told[1:])[:_LONGEST_FILE_NAME].strip()
    number = next((found for found in _NUMBER.findall(stem) if not _is_date(found)), None)
    return f"Account {number[-4:]}" if number else UNNAMED


def _told_by(piece: str) -> str:
    """Return the word of a part of a file's name, nothing where it is a number, a code or a single letter."""
    letters = re.match(r"[^\W\d_]*", piece)
    word = letters.group() if letters else ""
    if len(word) < len(piece) and len(word) < _SHORTEST_WITH_DIGITS:
        return ""
    return word if len(word) > 1 else ""


def _is_date(digits: str) -> bool:
    return bool(re.match(r"(?:19|20)\d\d(?:\d{2}|\d{4}|\d{10})?$|\d{4}(?:19|20)\d\d$", digits))


def guess_type(name: str) -> AccountType | None:
    """Return the type of account that a name says, or None."""
    folded = name.casefold()
    words = (
        (AccountType.CREDIT_CARD, ("credit", "visa", "mastercard", "amex", "kredit", "card")),
        (AccountType.SAVINGS, ("saving", "spar", "tagesgeld", "extra-konto")),
        (AccountType.LOAN, ("loan", "mortgage", "darlehen")),
        (AccountType.INVESTMENT, ("brokerage", "invest", "depot", "401k", "ira ")),
        (AccountType.CASH, ("cash", "bargeld", "wallet")),
        (AccountType.CHECKING, ("checking", "current", "giro", "chequing", "konto")),
    )
    return next((kind for kind, parts in words if any(part in folded for part in parts)), None)


def _currencies(ledger_id: int) -> sa.Select[tuple[int, str, int]]:
    """Count the rows of each account and currency."""
    sums = schema.sums.c
    counted = sa.select(sums.account_id, sums.currency, sa.func.sum(sums.count)).where(*kept(ledger_id, "year both"))
    return counted.group_by(sums.account_id, sums.currency)
