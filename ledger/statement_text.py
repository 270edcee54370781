"""Who was paid and what for, where a bank writes both into one text: in fields between bars, behind labels or behind tags."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from ledger.bank_wording import framed, says_no_name
from ledger.stemming import fold
from ledger.wordlists import phrases

_FILE = "bank_wording.txt"
_LABELS = ("payee labels", "purpose labels", "other labels")


class Said(NamedTuple):
    """Who a text names and what it says that the payment was for; each may be empty."""

    payee: str
    purpose: str


_SEPA_TAG = re.compile(r"\b(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC)\+")
#: What an Austrian bank writes before its fields: “Lastschrift OG/000010831|”.
_BOOKING = re.compile(r"(?:(?P<type>.*?)\s)?\b(?:[A-Z]{2}/\d{9}|MC/\d{4,})(?!\d)\s*[|#]?\s*(?P<fields>.*)")
#: The till or machine, in a field of its own or right before the shop: “POS 7933 K001 20.11. 17:46”.
_DEVICE = re.compile(r"(?P<what>POS|E-COMM|AUTOMAT|ATM)\s+\d+\s+[KD]\d+\s+\d\d\.\d\d\.(?:\s*(?:UM\s*)?\d\d:\d\d)?\s*")
_ACCOUNT = r"(?:[A-Z]{2}\d{2}[A-Z0-9]{11,30}|\d{5} \d{10,11})"
_BEFORE_NAME = re.compile(
    rf"(?:[A-Z]{{6}}[A-Z0-9]{{2}}(?:[A-Z0-9]{{3}})?\s)?{_ACCOUNT}(?:\s|$)|[A-Z]{{6}}[A-Z0-9]{{5}}$"
)
_BEHIND_NAME = re.compile(rf"\s{_ACCOUNT}$")


def take_apart(text: str) -> Said | None:
    """Return who and what for, where the text's form tells them apart; None where it is one text about both."""
    if "/" in text and (found := _BOOKING.match(text)):
        return _read_fields(found)
    if ":" in text and (said := _read_labels(text)):
        return said
    if "+" in text and _SEPA_TAG.search(text):
        return _read_tags(text)
    if ";" in text:
        fields = [field for field in map(str.strip, text.split(";")) if any(map(str.isalpha, field))]
        return Said(fields[0], " ".join(fields[1:])) if len(fields) > 1 else None
    return None


@lru_cache(maxsize=16384)
def purpose_in(text: str) -> str:
    """Return what a payment was for, where the text says so apart from whom it names; else nothing."""
    said = take_apart(text)
    if said is not None:
        return said.purpose if said.payee else ""
    wording = framed(text.lstrip("'"))
    return wording.said if wording else ""


def _read_fields(booking: re.Match[str]) -> Said:
    """Return the name and what stands behind it; a machine that paid out cash has none but the kind of the booking."""
    kind, fields = booking["type"] or "", booking["fields"].split("|")
    if (device := _DEVICE.match(fields[0])) is not None:
        fields[0] = fields[0][device.end() :]
        if device["what"] in {"AUTOMAT", "ATM"}:
            return Said(kind, " ".join(fields).strip())
    fields = [left for field in fields if (left := _without_account(field.partition("\\")[0].strip()))]
    while len(fields) > 1 and says_no_name(fields[0]):
        del fields[0]
    return Said(fields[0], " ".join(fields[1:])) if fields else Said(kind, "")


def _without_account(field: str) -> str:
    return _BEHIND_NAME.sub("", _BEFORE_NAME.sub("", field, count=1)).strip()


@cache
def _labels() -> tuple[re.Pattern[str], frozenset[str], frozenset[str]]:
    """Return the pattern of all labels, and those of payees and of purposes."""
    payees, purposes, others = (phrases(_FILE, section) for section in _LABELS)
    every = sorted({*payees, *purposes, *others}, key=len, reverse=True)
    pattern = "|".join(map(re.escape, every))
    return (
        re.compile(rf"(?:(?<![^\s,;])|(?<=[\w.])(?-i:(?=[A-Z][a-z])))({pattern})\s?:\s?", re.IGNORECASE),
        frozenset(map(fold, payees)),
        frozenset(map(fold, purposes)),
    )


def _read_labels(text: str) -> Said | None:
    pattern, payees, purposes = _labels()
    head, *parts = pattern.split(text)
    if not parts:
        return None
    found = [(fold(label), value.strip(" ,;")) for label, value in zip(parts[::2], parts[1::2], strict=True)]
    payee = next((value for label, value in found if label in payees and value), "")
    purpose = " ".join(value for label, value in found if label in purposes and value)
    if payee or not head.strip():
        return Said(payee, purpose)
    return Said(head.strip(), purpose)


def _read_tags(text: str) -> Said:
    """Return what a German SEPA text says under its tags for another payee and the purpose, or before its first tag."""
    parts = _SEPA_TAG.split(text)
    tagged = dict(zip(parts[1::2], parts[2::2], strict=True))
    return Said(tagged.get("ABWA", "").strip(), (tagged.get("SVWZ") or parts[0]).strip())
