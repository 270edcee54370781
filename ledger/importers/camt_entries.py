"""One entry of a CAMT statement as rows: one, or those of a batch whose details add up to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from language.catalogue import say
from ledger.importers.amounts import read_amount, read_plain
from ledger.importers.dates import read_date
from ledger.importers.movement_codes import REVERSAL, best_type, word_of, word_of_iso
from ledger.importers.remittance import memo_of, read_remittance, stated
from ledger.importers.table.signs import not_a_number, quote
from ledger.importers.table.states import is_unbooked
from ledger.importers.table.vocabulary import fold
from ledger.transactions import RejectedRow, StatementRow

if TYPE_CHECKING:
    from datetime import date
    from decimal import Decimal
    from xml.etree.ElementTree import Element

_SIDES = {"CRDT": 1, "DBIT": -1}
_CURRENCY = re.compile("[A-Z]{3}")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.|\.[0-9]+)")
_GERMAN_CODE = re.compile(r"[NSF][A-Z0-9]{3}\+(\d{3})(?:\+.*)?")
_folded = lru_cache(maxsize=4096)(fold)
#: The states of entries that are not in the balance.
_UNBOOKED = {
    "PDNG": "the payment is pending, so it is not booked",
    "INFO": "the entry is for information only, so it is not booked",
    "FUTR": "the payment is still to come, so it is not booked",
}
#: The lines of a purpose are this long at most; a full one goes on in the next.
_FULL_LINE = 140


@dataclass(frozen=True, slots=True)
class Owner:
    """What a statement says of its account: number and holder, the currency, and the day for entries that have none."""

    ref: str | None
    name: str
    currency: str | None
    day: date | None = None


class _Sides(NamedTuple):
    """The other side of a payment: its name, the one in between where it paid for another, and whether it is one's own."""

    payee: str = ""
    through: str = ""
    is_own: bool = False


class _Booked(NamedTuple):
    """What holds for an entry as a whole."""

    number: int
    on: date
    amount: Decimal
    currency: str | None
    is_reversal: bool


def read_entry(number: int, entry: Element, owner: Owner) -> list[StatementRow] | RejectedRow:
    """Read one entry; the direction is the entry's own, which a reversal's is as well (ISO 20022, ReversalIndicator)."""
    booked = _booked(number, entry, owner)
    if isinstance(booked, str):
        return RejectedRow(number, booked)
    details = [detail for group in entry.findall("NtryDtls") for detail in group.findall("TxDtls")]
    if len(details) < 2:
        return [_row(booked, entry, details[0] if details else None, owner)]
    parts = _parts(details, booked.amount, booked.currency)
    if parts is None:
        return [_whole(booked, entry, details, owner)]
    return [
        _row(booked._replace(amount=part), entry, detail, owner, place=place)
        for place, (part, detail) in enumerate(zip(parts, details, strict=True), start=1)
    ]


def _booked(number: int, entry: Element, owner: Owner) -> _Booked | str:
    """Return what holds for an entry as a whole, or why it is no row."""
    state = _state(entry)
    if state in _UNBOOKED or is_unbooked(state):
        return _UNBOOKED.get(state, say("the payment is marked “{word}”, so it is not booked", word=quote(state)))
    amount = _amount(entry.find("Amt"))
    if isinstance(amount, str):
        return amount
    side = _SIDES.get(text_at(entry, "CdtDbtInd"))
    if side is None:
        return "the entry does not say whether the money came in or went out"
    on = _day(entry, owner)
    if isinstance(on, str):
        return on
    currency = _currency(entry.find("Amt")) or owner.currency
    return _Booked(number, on, amount * side, currency, text_at(entry, "RvslInd") in {"true", "1"})


def element_at(element: Element | None, *path: str) -> Element | None:
    """Return what stands at the end of a path; step by step is much faster than a path with slashes."""
    for tag in path:
        if element is None:
            return None
        element = element.find(tag)
    return element


def text_at(element: Element, *path: str) -> str:
    """Return the text at the end of a path, or nothing."""
    found = element_at(element, *path)
    return (found.text or "").strip() if found is not None else ""


def _state(entry: Element) -> str:
    """Return an entry's state; version 8 put the code one level deeper."""
    return text_at(entry, "Sts") or text_at(entry, "Sts", "Cd") or text_at(entry, "Sts", "Prtry") or "BOOK"


def _amount(element: Element | None) -> Decimal | str:
    """Return an amount, which has no sign, or why there is none."""
    text = (element.text or "").strip() if element is not None else ""
    if not text:
        return "there is no amount"
    value = decimal_of(text)
    if value is None:
        return not_a_number(text)
    return value if value >= 0 else say("the amount “{text}” has a sign beside its direction", text=quote(text))


def decimal_of(text: str) -> Decimal | None:
    """Read a number of XML, which may begin or end with its point."""
    value = read_plain(text, ".")
    if value is None and _DECIMAL.fullmatch(text):
        amount = read_amount(text, ".")
        return amount.value if amount else None
    return value


def _currency(element: Element | None) -> str | None:
    code = element.get("Ccy", "").strip() if element is not None else ""
    return code if _CURRENCY.fullmatch(code) else None


def _day(entry: Element, owner: Owner) -> date | str:
    """Return the day of booking, else the value date, else that of the message where it tells of this one booking."""
    for name in ("BookgDt", "ValDt"):
        text = text_at(entry, name, "Dt") or text_at(entry, name, "DtTm")
        if text:
            return read_date(text[:10]) or say("the date “{date}” is not one that I can read", date=quote(text))
    return owner.day or "there is no date"


def _parts(details: list[Element], amount: Decimal, currency: str | None) -> list[Decimal] | None:
    """Return the amounts of a batch if all are given, in the entry's currency, and come to the entry's to the cent."""
    found = []
    for detail in details:
        element = detail.find("Amt")
        element = element if element is not None else element_at(detail, "AmtDtls", "TxAmt", "Amt")
        part = _amount(element)
        if isinstance(part, str) or (_currency(element) or currency) != currency:
            return None
        found.append(part)
    alike = [part.copy_sign(amount) for part in found]
    if sum(alike) == amount:
        return alike
    sides = [_SIDES.get(text_at(detail, "CdtDbtInd"), 0) for detail in details]
    each = [part * side for part, side in zip(found, sides, strict=True)]
    return each if all(sides) and sum(each) == amount else None


def _row(booked: _Booked, entry: Element, detail: Element | None, owner: Owner, *, place: int = 0) -> StatementRow:
    money_in = booked.amount > 0
    sides, written, references, said = _Sides(), "", "", ""
    if detail is not None:
        sides = _sides(detail, owner, money_in=money_in, is_reversal=booked.is_reversal)
        written, references, said = _texts(detail)
    remittance = read_remittance(written)
    payee = (remittance.other_payer if money_in else remittance.other_payee) or sides.payee
    note = stated(text_at(entry, "AddtlNtryInf"))
    kind = _type(booked, entry, detail, note)
    description = payee or said or remittance.purpose or note or references or kind or ""
    return StatementRow(
        number=booked.number,
        booked_on=booked.on,
        amount=booked.amount,
        description=description,
        payee=payee,
        memo=memo_of([remittance.purpose, references, said, sides.through, note], description, kind or ""),
        currency=booked.currency,
        account=owner.ref,
        type_hint=kind,
        mcc=_mcc(detail) if detail is not None else None,
        external_id=_id(entry, detail, place),
        to_self=sides.is_own,
    )


def _whole(booked: _Booked, entry: Element, details: list[Element], owner: Owner) -> StatementRow:
    """Return a batch as one row: its details tell who was paid, but not how much."""
    rows = [_row(booked, entry, detail, owner) for detail in details]
    payees = list(dict.fromkeys(row.payee for row in rows if row.payee))
    payee = payees[0] if len(payees) == 1 else ""
    note = stated(text_at(entry, "AddtlNtryInf"))
    kind = _type(booked, entry, None, note)
    description = payee or note or f"{len(details)} payments"
    memos = [", ".join(payees[:5])] if len(payees) > 1 else list(dict.fromkeys(row.memo for row in rows))[:5]
    return StatementRow(
        number=booked.number,
        booked_on=booked.on,
        amount=booked.amount,
        description=description,
        payee=payee,
        memo=memo_of(memos, description),
        currency=booked.currency,
        account=owner.ref,
        type_hint=kind,
        external_id=_id(entry, None, 0),
        to_self=all(row.to_self for row in rows),
    )


def _sides(detail: Element, owner: Owner, *, money_in: bool, is_reversal: bool) -> _Sides:
    """Find the other side: who was paid for money out, who paid for money in; in a reversal as it was first paid.

    Returned payments often keep their first payer and payee without being marked: where that side is the account
    itself, the other one is the other side.
    """
    parties = detail.find("RltdPties")
    if parties is None:
        return _Sides()
    names = {side: _party(parties, side) for side in ("Dbtr", "Cdtr")}
    paid = money_in is is_reversal
    other, own = ("Cdtr", "Dbtr") if paid else ("Dbtr", "Cdtr")
    is_own = _is_own(parties, other, names[other], owner)
    if is_own and names[own] and not _is_own(parties, own, names[own], owner):
        other, own, is_own = own, other, False
    behind = _party(parties, f"Ultmt{other}")
    own_name = names[own] or owner.name
    payee = behind or names[other]
    same = bool(payee and own_name) and _folded(payee) == _folded(own_name)
    return _Sides(payee, names[other] if behind != names[other] and behind else "", same)


def _is_own(parties: Element, side: str, name: str, owner: Owner) -> bool:
    """Tell whether a side of a payment is the account of the statement."""
    number = text_at(parties, f"{side}Acct", "Id", "IBAN") or text_at(parties, f"{side}Acct", "Id", "Othr", "Id")
    if number:
        return number == owner.ref
    return bool(name and owner.name) and _folded(name) == _folded(owner.name)


def _party(parties: Element, side: str) -> str:
    """Return the name of a party, which newer versions put one level deeper, or of a bank that is one."""
    party = parties.find(side)
    if party is None:
        return ""
    name = text_at(party, "Nm") or text_at(party, "Pty", "Nm") or text_at(party, "Agt", "FinInstnId", "Nm")
    return stated(name)


def _texts(detail: Element) -> tuple[str, str, str]:
    """Return what the payer wrote, the references that it came with, and what the bank says of it."""
    info = detail.find("RmtInf")
    written, references = "", []
    if info is not None:
        for line in info.findall("Ustrd"):
            text = line.text or ""
            written += text if len(text) >= _FULL_LINE else f"{text} "
        for structured in info.findall("Strd"):
            references += [stated(text_at(structured, *path)) for path in (("CdtrRefInf", "Ref"), ("RfrdDocInf", "Nb"))]
            references += [stated(each.text) for each in structured.findall("AddtlRmtInf")]
    return stated(written), " ".join(filter(None, references)), stated(text_at(detail, "AddtlTxInf"))


def _type(booked: _Booked, entry: Element, detail: Element | None, note: str) -> str | None:
    said = [REVERSAL] if booked.is_reversal else []
    if detail is not None:
        if detail.find("RtrInf") is not None:
            said.append(REVERSAL)
        said += [word_of("purpose", text_at(detail, "Purp", "Cd"))] if booked.amount > 0 else []
        said += _code_words(detail.find("BkTxCd"))
    said += _code_words(entry.find("BkTxCd"))
    return best_type(said, note)


def _code_words(code: Element | None) -> list[str]:
    if code is None:
        return []
    own = text_at(code, "Prtry", "Cd")
    german = _GERMAN_CODE.fullmatch(own)
    domain = code.find("Domn")
    words = []
    if domain is not None:
        words.append(
            word_of_iso(text_at(domain, "Cd"), text_at(domain, "Fmly", "Cd"), text_at(domain, "Fmly", "SubFmlyCd"))
        )
    if german:
        words.insert(0, word_of("gvc", german[1]))
    elif own.replace(" ", "").isalpha() and len(own) > 4:
        words.append(own)
    return words


def _mcc(detail: Element) -> str | None:
    """Return the category code of a card payment's shop."""
    code = next(detail.iter("MrchntCtgyCd"), None)
    text = text_at(code) if code is not None else ""
    references = detail.find("Refs")
    for own in references.findall("Prtry") if references is not None else ():
        if text_at(own, "Tp").upper() == "MCC":
            text = text_at(own, "Ref")
    return text if len(text) == 4 and text.isascii() and text.isdigit() else None


def _id(entry: Element, detail: Element | None, place: int) -> str | None:
    """Return the bank's own reference of a booking; those of payers, such as ``EndToEndId``, come back every month."""
    own = stated(text_at(detail, "Refs", "AcctSvcrRef")) if detail is not None else ""
    whole = stated(text_at(entry, "AcctSvcrRef"))
    if not place:
        return whole or own or None
    return own if own and own != whole else f"{whole}/{place}" if whole else None
