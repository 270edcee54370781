"""German words that a month begins: "Oktoberausgaben", "Septembermiete"."""

from __future__ import annotations

import re

from ledger.periods.german import MONTH_NAMES

#: What a month can be the first part of; other words ("Maibaum", "Augustiner") only begin like one.
_HEADS = (
    "ausgaben|ausgabe|kosten|rechnung|rechnungen|abrechnung|einkäufe|einkäufen|einkauf|miete|gehalt|lohn|einnahmen|einkommen|zahlung|"
    "zahlungen|umsatz|umsätze|summe|bilanz|buchungen|budget|abschlag|rate|beitrag|verbrauch|übersicht|zusammenfassung|saldo|strom|"
    "lebensmittel|urlaub|reise|fixkosten|gebühren|spende|spenden"
)
_COMPOUND = re.compile(rf"\b({'|'.join(MONTH_NAMES)}|maerz)s?-?({_HEADS})\b", re.IGNORECASE)


def part_compounds(text: str) -> str:
    """Return the text with such words parted: "meine Oktober Ausgaben"."""
    return _COMPOUND.sub(lambda found: f"{found[1]} {_like(found[2], found[1])}", text)


def _like(head: str, month: str) -> str:
    """Return the head with a capital where the month has one."""
    return head[0].upper() + head[1:] if month[0].isupper() else head
