"""OFX and QFX: a tolerant reader of the SGML of version 1 and the XML of version 2.

It reads tags and the text behind them, expands only the entities of the standard, and knows no external ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from html.entities import name2codepoint
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.errors import UnreadableFile
from ledger.importers.account_statements import name_account
from ledger.importers.amounts import DecimalMark, decimal_mark, read_amount
from ledger.importers.currencies import CODES, unsettled
from ledger.importers.dates import read_date
from ledger.importers.decoding import decode
from ledger.importers.importer import Importer
from ledger.importers.recognition import as_ascii, is_ofx
from ledger.importers.table.cells import LONGEST_LINE
from ledger.importers.table.phrases import account_type_in
from ledger.importers.table.rows import one_line
from ledger.importers.table.signs import not_a_number, quote
from ledger.transactions import AccountType, RejectedRow, Statement, StatementAccount, StatementBalance, StatementRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date

    from ledger.importers.importer import Hints

_TAG = re.compile(r"<(/?)(?:[A-Za-z][\w-]*:)?([A-Za-z][\w.-]*)(?:\s[^<>]*?)?\s*(/?)>")
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});")
_CHARSET = re.compile(rb"CHARSET:\s*([\w-]+)|<\?xml[^>]*encoding=[\"']([\w-]+)")

_STATEMENTS = frozenset({"STMTRS", "CCSTMTRS", "INVSTMTRS", "LOANSTMTRS", "AMRTSTMTRS"})
_RECORDS = frozenset({"STMTTRN", "STMTTRNP"})
_BALANCES = frozenset({"LEDGERBAL", "AVAILBAL"})
_ACCOUNTS = {
    "BANKACCTFROM": None,
    "CCACCTFROM": AccountType.CREDIT_CARD,
    "INVACCTFROM": AccountType.INVESTMENT,
    "LOANACCTFROM": AccountType.LOAN,
}
_ACCOUNT_TYPES = {
    "CHECKING": AccountType.CHECKING,
    "SAVINGS": AccountType.SAVINGS,
    "MONEYMRKT": AccountType.SAVINGS,
    "CD": AccountType.SAVINGS,
    "CREDITLINE": AccountType.LOAN,
    "CREDITCARD": AccountType.CREDIT_CARD,
}
_OWED = frozenset({AccountType.CREDIT_CARD, AccountType.LOAN})
_UNTOLD = (
    "The file states a balance without a minus on a card or loan, which may be owed or in your favour: it is left out."
)
#: Banks by what their files call them, where that is a code or another name than theirs.
_BANKS = {
    "amex": "American Express", "b1": "Chase", "han": "Bank of America", "wf": "Wells Fargo", "isc": "Charles Schwab",
    "c1": "Capital One", "citigroup": "Citi", "discover financial services": "Discover", "fidelity.com": "Fidelity",
    "vanguard": "Vanguard", "tdbank": "TD Bank", "us bank": "U.S. Bank",
}  # fmt: skip
_SHORTEST_BANK, _LONGEST_BANK = 3, 40
#: Parts of a transaction whose fields must not be taken for its own.
_PARTS = frozenset({"PAYEE", "CURRENCY", "ORIGCURRENCY", "BANKACCTTO", "CCACCTTO", "EXTDPAYEE", "IMAGEDATA"})


@dataclass(slots=True)
class _Section:
    """One statement inside a file: its currency, account and balance, its transactions' fields and whether each was closed."""

    currency: str | None = None
    account: StatementAccount | None = None
    records: list[tuple[int, dict[str, str], bool]] = field(default_factory=list)
    balance: dict[str, str] = field(default_factory=dict)
    """The fields of what is booked in the account; what is available there is another thing."""


@dataclass(slots=True)
class _Contents:
    """All that a file holds."""

    sections: list[_Section] = field(default_factory=list)
    listed: list[StatementAccount] = field(default_factory=list)
    bank: str = ""
    """Whose file it is, as far as that is a name."""
    error: str | None = None
    signed_on: bool = False
    closed: bool = False


def read_ofx(data: bytes, hints: Hints) -> Statement:
    """Read an OFX file: complete transactions are kept, damaged or cut-off ones rejected."""
    contents = _Walker().walk(_decoded(data))
    if not contents.sections and not contents.listed:
        _refuse_empty(contents)
    mark = decimal_mark(_amounts(contents), three_decimals=True)
    accounts = _accounts(contents, hints)
    read = [
        _read_record(number, fields, mark, section, hints) if closed else _cut_off(number)
        for section in contents.sections
        for number, fields, closed in section.records
    ]
    rows = tuple(row for row in read if isinstance(row, StatementRow))
    stated = [(section, _read_balance(section, mark, hints)) for section in contents.sections]
    told = tuple(balance for section, balance in stated if balance and not _may_be_owed(balance, section))
    return Statement(
        "ofx",
        accounts,
        rows,
        tuple(row for row in read if isinstance(row, RejectedRow)),
        unsettled=unsettled((row.account, row.currency) for row in rows),
        warnings=(_UNTOLD,) if any(balance and _may_be_owed(balance, section) for section, balance in stated) else (),
        balances=told,
    )


def _amounts(contents: _Contents) -> list[str]:
    """Return all amounts and balances as they are written."""
    amounts = [fields.get("TRNAMT", "") for section in contents.sections for _, fields, _ in section.records]
    return amounts + [section.balance["BALAMT"] for section in contents.sections if "BALAMT" in section.balance]


def _refuse_empty(contents: _Contents) -> None:
    """Say why a file without a statement has none; whoever only signed on, and was told so, just has no news."""
    if contents.error:
        raise UnreadableFile(
            say(
                "This OFX file holds no statement, only the bank's error {error}: download it again.",
                error=quote(contents.error),
            )
        )
    if not contents.closed:
        raise UnreadableFile("This OFX file breaks off before its first statement.")
    if not contents.signed_on:
        raise UnreadableFile("This OFX file holds no statement.")


def _accounts(contents: _Contents, hints: Hints) -> tuple[StatementAccount, ...]:
    """Give each section its account, and return all accounts of the file with names to read."""
    accounts = {account.ref: account for account in contents.listed}
    for section in contents.sections:
        account = _account_of(section, hints)
        if account:
            section.account = accounts[account.ref] = account
    named = [_called(account, contents.bank) for account in accounts.values()]
    return (replace(named[0], name=hints.account),) if len(named) == 1 and hints.account else tuple(named)


def _decoded(data: bytes) -> str:
    match = _CHARSET.search(as_ascii(data[:2048]))
    declared = (match[1] or match[2]).decode().lower() if match else None
    if declared and re.fullmatch(r"125[0-8]", declared):
        declared = f"cp{declared}"
    elif declared and declared.startswith("8859-"):
        declared = f"iso-{declared}"
    text = decode(data, declared if declared and re.match(r"cp125|iso-8859|windows-125|latin", declared) else None)
    text = "".join(_outside_and_inside(text, "<![CDATA[", "]]>", _escaped))
    return "".join(_outside_and_inside(text, "<!--", "-->", lambda _: ""))


def _outside_and_inside(text: str, start: str, end: str, change: Callable[[str], str]) -> Iterator[str]:
    """Yield a text in pieces, those between two marks changed; a mark that is not closed ends nothing."""
    at = 0
    while (begin := text.find(start, at)) >= 0 and (finish := text.find(end, begin)) >= 0:
        yield text[at:begin]
        yield change(text[begin + len(start) : finish])
        at = finish + len(end)
    yield text[at:]


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _tokens(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield every tag as ``/`` or nothing, its name in capitals, and the text up to the next tag."""
    previous = None
    for tag in _TAG.finditer(text):
        if previous:
            yield previous[1], previous[2].upper(), text[previous.end() : tag.start()].strip()
            if previous[3]:
                yield "/", previous[2].upper(), ""
        previous = tag
    if previous:
        yield previous[1], previous[2].upper(), text[previous.end() :].strip()


class _Walker:
    """Walks over the tags once and sorts what it meets into sections, accounts and transactions."""

    def __init__(self) -> None:
        self.contents = _Contents()
        self.section: _Section | None = None
        self.record: dict[str, str] | None = None
        self.account: dict[str, str] | None = None
        self.balance: dict[str, str] | None = None
        self.part = ""
        self.count = 0
        self.status: dict[str, str] | None = None
        self.description = ""

    def walk(self, text: str) -> _Contents:
        """Read a whole text."""
        for slash, name, value in _tokens(text):
            if slash:
                self._close(name)
            else:
                self._open(name, _expanded(value).strip())
        self._finish_record(closed=False)
        return self.contents

    def _open(self, name: str, value: str) -> None:
        if name in _BALANCES:
            self._finish_record(closed=True)
            self.balance = {}
            if name == "LEDGERBAL" and self.section is not None:
                self.section.balance = self.balance
        elif name in _RECORDS:
            self._finish_record(closed=True)
            self.count += 1
            self.record, self.part = {"": name}, ""
        elif self.record is not None:
            if name in _PARTS and not value:
                self.part = f"{name}."
            elif value:
                self.record.setdefault(self.part + name, value)
        elif name in _STATEMENTS:
            self.section, self.balance = _Section(), None
            self.contents.sections.append(self.section)
        elif name in _ACCOUNTS:
            self.account = {"": name}
        elif name == "STATUS":
            self.status = {}
        else:
            self._keep(name, value)

    def _keep(self, name: str, value: str) -> None:
        """Keep a field outside of transactions."""
        if self.account is not None:
            self.account.setdefault(name, value)
        elif self.balance is not None:
            self.balance.setdefault(name, value)
        elif self.status is not None:
            self.status.setdefault(name, value)
        elif name == "CURDEF" and self.section and value.upper() in CODES:
            self.section.currency = value.upper()
        elif name == "DESC":
            self.description = value
        elif name == "ORG":
            self.contents.bank = _bank_called(value)
        elif name == "SONRS":
            self.contents.signed_on = True

    def _close(self, name: str) -> None:
        if self.record is not None:
            if self.part == f"{name}.":
                self.part = ""
            elif name in _RECORDS or name.endswith(("TRANLIST", "TRANLISTP")) or name in _STATEMENTS:
                self._finish_record(closed=True)
        elif name in _ACCOUNTS and self.account is not None:
            self._finish_account(self.account)
        elif name in _BALANCES:
            self.balance = None
        elif name == "STATUS" and self.status is not None:
            if self.status.get("SEVERITY", "").upper() == "ERROR":
                self.contents.error = self.contents.error or self.status.get("CODE", "")
            self.status = None
        elif name in _STATEMENTS:
            self.section = self.balance = None
        elif name == "OFX":
            self.contents.closed = True

    def _finish_record(self, *, closed: bool) -> None:
        if self.record is None:
            return
        if self.section is None:
            self.section = _Section()
            self.contents.sections.append(self.section)
        self.section.records.append((self.count, self.record, closed))
        self.record = None

    def _finish_account(self, fields: dict[str, str]) -> None:
        self.account = None
        ref = fields.get("ACCTID", "")
        if not ref:
            return
        kind = _ACCOUNTS[fields[""]] or _ACCOUNT_TYPES.get(fields.get("ACCTTYPE", "").upper())
        if self.section is not None:
            self.section.account = StatementAccount(ref, ref, kind)
        else:
            name = self.description or ref
            self.contents.listed.append(StatementAccount(ref, name, kind or account_type_in(name)))
            self.description = ""


def _expanded(value: str) -> str:
    """Replace the standard's entities, once: ``&amp;lt;`` stays ``&lt;``."""
    return _ENTITY.sub(_character, value) if "&" in value else value


def _character(entity: re.Match[str]) -> str:
    name = entity[1]
    if name[0] != "#":
        code = name2codepoint.get(name) or name2codepoint.get(name.lower(), 0)
    else:
        code = int(f"0{name[1:]}", 16) if name[1] in "xX" else int(name[1:])
    if name == "apos":
        return "'"
    printable = 0x20 <= code < 0x110000 and not 0x7F <= code < 0xA0 and not 0xD800 <= code < 0xE000
    return chr(code) if printable else entity[0]


def _bank_called(org: str) -> str:
    """Return the name of the bank that calls itself so, nothing where that is only a code."""
    known = _BANKS.get(org.casefold())
    is_name = sum(map(str.isalpha, org)) >= _SHORTEST_BANK and not any(map(str.isdigit, org))
    return known or (org if is_name and len(org) <= _LONGEST_BANK else "")


def _called(account: StatementAccount, bank: str) -> StatementAccount:
    """Return an account with a name to read where the file gives none but its number."""
    if account.name != account.ref or not any(map(str.isdigit, account.ref)):
        return account
    return replace(account, name=name_account(account.ref, bank=bank, kind=account.type))


def _account_of(section: _Section, hints: Hints) -> StatementAccount | None:
    if section.account:
        return replace(section.account, currency=section.currency)
    if hints.account:
        return StatementAccount(hints.account, hints.account, account_type_in(hints.account), section.currency)
    return None


def _cut_off(number: int) -> RejectedRow:
    return RejectedRow(number, "the file breaks off in the middle of this transaction")


def _read_record(
    number: int, fields: dict[str, str], mark: DecimalMark, section: _Section, hints: Hints
) -> StatementRow | RejectedRow:
    if (longest := max(map(len, fields.values()))) > LONGEST_LINE:
        return RejectedRow(
            number, say("a field of {count} characters is too long for a transaction", count=f"{longest:,}")
        )
    posted, amount_text = fields.get("DTPOSTED", ""), fields.get("TRNAMT", "")
    booked_on = _posted_on(posted)
    if fields[""] == "STMTTRNP":
        return RejectedRow(number, "the payment is pending, so it is not booked")
    if booked_on is None:
        return RejectedRow(
            number,
            say("the date “{date}” is not one that I can read", date=quote(posted)) if posted else "there is no date",
        )
    amount = read_amount(amount_text, mark)
    if amount is None:
        return RejectedRow(number, not_a_number(amount_text) if amount_text else "there is no amount")
    # CURRENCY says what the amount is in; ORIGCURRENCY only what it was before the bank converted it (OFX 2.2, §5.2).
    currency = fields.get("CURRENCY.CURSYM", "").upper()
    payee = one_line(fields.get("NAME") or fields.get("PAYEE.NAME") or fields.get("EXTDNAME", ""))
    memo = one_line(fields.get("MEMO", ""))
    check = f"Check {fields['CHECKNUM']}" if "CHECKNUM" in fields else ""
    kind, sic = fields.get("TRNTYPE"), fields.get("SIC", "")
    return StatementRow(
        number=number,
        booked_on=booked_on,
        amount=amount.value,
        description=payee or memo or check or kind or "",
        payee=payee,
        memo=memo if payee else "",
        currency=(currency if currency in CODES else None) or section.currency or hints.currency,
        account=section.account.ref if section.account else None,
        type_hint=kind,
        mcc=sic if len(sic) == 4 and sic.isascii() and sic.isdigit() else None,
        external_id=fields.get("FITID"),
    )


def _read_balance(section: _Section, mark: DecimalMark, hints: Hints) -> StatementBalance | None:
    """Return what was booked in the account at the end of a day; None where the file doesn't say both."""
    amount, on = read_amount(section.balance.get("BALAMT", ""), mark), _posted_on(section.balance.get("DTASOF", ""))
    if amount is None or on is None:
        return None
    ref = section.account.ref if section.account else None
    return StatementBalance(on, amount.value, account=ref, currency=section.currency or hints.currency)


def _may_be_owed(balance: StatementBalance, section: _Section) -> bool:
    """Whether what is owed may be written without a minus: the standard asks for one, and not every issuer writes it."""
    return balance.amount > 0 and section.account is not None and section.account.type in _OWED


def _posted_on(text: str) -> date | None:
    """Read the date as written: the time of day and the zone behind it don't move it."""
    return read_date(text[:8] if text[:8].isdigit() else text[:10])


def _sniff(head: bytes, name: str) -> bool:
    return is_ofx(head) or (name.lower().endswith((".ofx", ".qfx")) and b"<stmttrn" in as_ascii(head).lower())


OFX = Importer("OFX/QFX", frozenset({"ofx", "qfx"}), _sniff, read_ofx)
