"""CAMT.052, .053 and .054 (ISO 20022), of every version, read as they come in: an entry is gone once it is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from language.catalogue import say
from ledger.errors import UnreadableFile
from ledger.importers.account_statements import AccountStatement, name_account, put_together
from ledger.importers.camt_entries import Owner, decimal_of, read_entry, text_at
from ledger.importers.dates import read_date
from ledger.importers.decoding import decoded_pieces, find_encoding
from ledger.importers.importer import Importer
from ledger.importers.recognition import as_ascii, is_camt
from ledger.importers.remittance import one_spaced, stated
from ledger.importers.table.phrases import account_type_in
from ledger.transactions import AccountType, RejectedRow, StatementAccount, StatementBalance

if TYPE_CHECKING:
    from ledger.importers.importer import Hints
    from ledger.transactions import Statement

_STATEMENTS = frozenset({"Stmt", "Rpt", "Ntfctn"})
#: A notification tells of bookings as they are made; only in one is the message's day a booking's.
_NOTIFICATION = "Ntfctn"
_DECLARED = re.compile(rb"<\?xml[^>]*encoding=[\"']([\w.-]+)")
_CURRENCY = re.compile("[A-Z]{3}")
_ACCOUNT_TYPES = {
    "CACC": AccountType.CHECKING,
    "TRAN": AccountType.CHECKING,
    "SLRY": AccountType.CHECKING,
    "SVGS": AccountType.SAVINGS,
    "MOMA": AccountType.SAVINGS,
    "CARD": AccountType.CREDIT_CARD,
    "LOAN": AccountType.LOAN,
    "CASH": AccountType.CASH,
}
_OPENING, _CLOSING, _INTERIM = ("OPBD", "PRCD"), "CLBD", "ITBD"


class _Reader:
    """Builds each part of a statement as its tags come, and reads it when it is closed."""

    def __init__(self, hints: Hints) -> None:
        self.hints = hints
        self.statements: list[AccountStatement] = []
        self.undated = 0
        self.count = 0
        self.in_statement = ""
        self.builder: TreeBuilder | None = None
        self.depth = 0
        self.names: dict[str, str] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Take an opening tag."""
        name = self.names.get(tag) or self.names.setdefault(tag, tag.rpartition("}")[2].rpartition(":")[2])
        if self.builder is not None:
            self.depth += 1
            self.builder.start(name, attributes)
        elif self.in_statement:
            self.depth = 1
            self.builder = TreeBuilder()
            self.builder.start(name, attributes)
        elif name in _STATEMENTS:
            self.in_statement = name
            self.owner = Owner(None, "", self.hints.currency)
            self.statements.append(AccountStatement())
            self.balances: list[tuple[str, StatementBalance]] = []

    def data(self, text: str) -> None:
        """Take a text."""
        if self.builder is not None:
            self.builder.data(text)

    def end(self, tag: str) -> None:
        """Take a closing tag."""
        if self.builder is not None:
            self.builder.end(self.names[tag])
            self.depth -= 1
            if not self.depth:
                part = self.builder.close()
                self.builder = None
                self._take(part)
        elif self.names[tag] == self.in_statement:
            self._finish()

    def _take(self, part: Element) -> None:
        statement = self.statements[-1]
        if part.tag == "Ntry":
            self._take_entry(part, statement)
        elif part.tag == "Bal":
            self._take_balance(part)
        elif part.tag == "Acct":
            self._take_account(part, statement)
        elif part.tag == "Id":
            statement.number = one_spaced(part.text or "")
        elif part.tag == "CreDtTm" and self.in_statement == _NOTIFICATION:
            self.owner = Owner(self.owner.ref, self.owner.name, self.owner.currency, read_date((part.text or "")[:10]))

    def _take_entry(self, entry: Element, statement: AccountStatement) -> None:
        self.count += 1
        read = read_entry(self.count, entry, self.owner)
        for row in read if isinstance(read, list) else [read]:
            statement.add(row)
        if isinstance(read, list):
            self.undated += entry.find("BookgDt") is None and entry.find("ValDt") is None

    def _take_account(self, account: Element, statement: AccountStatement) -> None:
        ref = stated(text_at(account, "Id", "IBAN") or text_at(account, "Id", "Othr", "Id")).replace(" ", "")
        currency = text_at(account, "Ccy")
        currency = currency if _CURRENCY.fullmatch(currency) else ""
        name, bank = stated(text_at(account, "Nm")), stated(text_at(account, "Svcr", "FinInstnId", "Nm"))
        said = f"{name} {text_at(account, 'Tp', 'Prtry')}"
        kind = _ACCOUNT_TYPES.get(text_at(account, "Tp", "Cd")) or account_type_in(said)
        holder = stated(text_at(account, "Ownr", "Nm") or text_at(account, "Ownr", "Pty", "Nm"))
        self.owner = Owner(ref or None, holder, currency or self.hints.currency, self.owner.day)
        if ref:
            name = name_account(ref, stated=name, bank=bank, kind=kind)
            statement.account = StatementAccount(ref, name, kind, currency or None)

    def _take_balance(self, balance: Element) -> None:
        """Keep a booked balance; one that counts a credit line in is not what is in the account."""
        kind = text_at(balance, "Tp", "CdOrPrtry", "Cd") or text_at(balance, "Tp", "Cd")
        if kind not in {*_OPENING, _CLOSING, _INTERIM} or text_at(balance, "CdtLine", "Incl") in {"true", "1"}:
            return
        amount = balance.find("Amt")
        value = decimal_of(text_at(balance, "Amt"))
        side = {"CRDT": 1, "DBIT": -1}.get(text_at(balance, "CdtDbtInd"))
        on = read_date((text_at(balance, "Dt", "Dt") or text_at(balance, "Dt", "DtTm"))[:10])
        currency = amount.get("Ccy", "").strip() if amount is not None else ""
        if value is None or value < 0 or side is None or on is None:
            return
        code = currency if _CURRENCY.fullmatch(currency) else self.owner.currency
        self.balances.append((kind, StatementBalance(on, value * side, kind != _CLOSING, self.owner.ref, code)))

    def _finish(self) -> None:
        """Settle which balances a statement begins and ends with; interim ones stand for either where it has none."""
        self.in_statement = ""
        statement = self.statements[-1]
        last = dict(self.balances)
        interim = [balance for kind, balance in self.balances if kind == _INTERIM]
        opening = next((last[kind] for kind in _OPENING if kind in last), None)
        closing = last.get(_CLOSING)
        if opening is None and interim and (closing or len(interim) > 1):
            opening, statement.page_starts = interim.pop(0), True
        if closing is None and interim:
            closing = interim[-1]
        statement.opening = opening
        statement.closing = closing and StatementBalance(
            closing.on, closing.amount, opening=False, account=closing.account, currency=closing.currency
        )

    def close(self) -> None:
        """Take the end of the file."""


def read_camt(data: bytes, hints: Hints) -> Statement:
    """Read a CAMT file: complete entries are kept, and where it breaks off or is damaged, that is a rejected one."""
    reader = _Reader(hints)
    parser = DefusedXMLParser(target=reader, forbid_dtd=True)
    try:
        declared = _DECLARED.search(as_ascii(data[:1024]))
        for piece in decoded_pieces(data, find_encoding(data, declared[1].decode() if declared else None)):
            parser.feed(piece)
        parser.close()
    except DefusedXmlException:
        raise UnreadableFile(
            "This CAMT file declares a document type or entities of its own, which no bank's does, so I don't read it."
        ) from None
    except ParseError:
        if not any(statement.rows for statement in reader.statements):
            raise UnreadableFile("This CAMT file is damaged or breaks off before its first entry.") from None
        broken = "the file is damaged or breaks off here, so this entry and all behind it are missing"
        reader.statements[-1].rejected.append(RejectedRow(reader.count + 1, broken))
    if not reader.statements:
        raise UnreadableFile("This CAMT file holds no statement.")
    return put_together("camt", reader.statements, hints, _said(reader))


def _said(reader: _Reader) -> list[str]:
    if not reader.undated:
        return []
    one = "1 entry has no date of booking, so the day on which the bank sent the notice is taken."
    several = "{count} entries have no date of booking, so the day on which the bank sent the notice is taken."
    return [say(one if reader.undated == 1 else several, count=str(reader.undated))]


def _sniff(head: bytes, _name: str) -> bool:
    return is_camt(head)


CAMT = Importer(
    "CAMT", frozenset({"camt", "camt.052", "camt.053", "camt.054", "camt052", "camt053", "camt054"}), _sniff, read_camt
)
