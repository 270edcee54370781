"""What a payment was for, where German banks mark its parts (``EREF+``, ``MREF+``, ``SVWZ+`` …), and what says nothing."""

from __future__ import annotations

import re
from typing import NamedTuple

_TAG = re.compile(
    r"(?:(?<=\s)|^)(EREF|KREF|MREF|CRED|DEBT|SVWZ|VWZ|ABWA|ABWE|IBAN|BIC|COAM|OAMT|PURP|BREF|RREF|SQTP|RCUR|ANAM|BDAT)"
    r"(?:\+|: )\s?"
)
_PURPOSES = frozenset({"SVWZ", "VWZ"})
#: A number of one word; what follows it is purpose again.
_NUMBERS = frozenset({"IBAN", "BIC"})
#: Words that stand where a reference or a name is missing.
_NOTHING = re.compile(
    r"(?:not ?provided|no[nt]?ref(?:erence)?|none|n/?a|unknown|keine information(?:en)? vorhanden|keine angaben?|[-.0x* ]*)",
    re.IGNORECASE,
)


class Remittance(NamedTuple):
    """What was written to a payment, and for whom a payer paid or a payee took the money, where the text says it."""

    purpose: str
    other_payer: str = ""
    other_payee: str = ""


def read_remittance(text: str) -> Remittance:
    """Take a text apart at its marks; one that has none is all purpose."""
    head, *parts = _TAG.split(text)
    if not parts:
        return Remittance(one_spaced(text))
    tagged: dict[str, str] = {}
    said = [one_spaced(head)]
    for tag, value in zip(parts[::2], parts[1::2], strict=True):
        tagged.setdefault(tag, one_spaced(value))
        if tag in _PURPOSES:
            said.append(one_spaced(value))
        elif tag in _NUMBERS:
            said.append(one_spaced(value).partition(" ")[2])
    purpose = " ".join(filter(None, said))
    return Remittance(purpose, tagged.get("ABWA", ""), tagged.get("ABWE", ""))


def stated(text: str | None) -> str:
    """Return a name or reference, or nothing where the bank only fills the place (``NOTPROVIDED``)."""
    said = one_spaced(text or "")
    return "" if _NOTHING.fullmatch(said) else said


def one_spaced(text: str) -> str:
    """Put a text on one line, with single spaces."""
    return " ".join(text.split())


def memo_of(parts: list[str], *others: str) -> str:
    """Join texts, each once, without those that stand elsewhere in the row already."""
    left: list[str] = []
    for part in parts:
        if part and not any(part in said for said in (*others, *left)):
            left = [*(said for said in left if said not in part), part]
    return "; ".join(left)
