"""What the state of a row says: that the payment was not made, or not yet; that money is only held; that it came back."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from ledger.importers.table.vocabulary import fold, folded
from ledger.wordlists import phrases

#: What a column named for one such state holds where a row is in it: ``Pending`` true or false.
FLAGS = folded("pending|is pending|vorgemerkt|ausstehend|en attente|pendiente|pendente|in attesa|oczekujace|odotettu")
_YES = folded("true|yes|y|1|x|t|ja|oui|si|sim|tak|kylla|evet|да|כן|是|はい")


@cache
def _unbooked() -> tuple[str, ...]:
    return tuple(filter(None, map(fold, phrases("state_words.txt", "not booked"))))


#: What a state may name first: “PAYMENT FAILED”, “Zahlung abgelehnt”.
_OF_WHAT = re.compile(
    "^(?:(?:card|payment|transaction|transfer|purchase|zahlung|buchung|transaktion|paiement|pago) )+(?=\\w)"
)


@lru_cache(maxsize=256)
def is_unbooked(status: str) -> bool:
    """Tell whether a row's status says that the payment was not (or not yet) made."""
    return _OF_WHAT.sub("", fold(status)).startswith(_unbooked())


@cache
def _marks() -> re.Pattern[str]:
    said = sorted(phrases("state_words.txt", "in a text"), key=len, reverse=True)
    words = dict.fromkeys(form for phrase in said for form in (phrase.casefold(), _without_accents(phrase.casefold())))
    several = "|".join(re.escape(each) for each in words if " " in each)
    every = "|".join(map(re.escape, words))
    ends = r"\s*(?:[:|*/\])–—-]|\W*$)"
    return re.compile(
        rf"\W*({several})(?!\w)|\W*({every}){ends}|.*[\[(*]\s*({every})\s*[\])*]|.*\s[-–—|:/]\s*({every})\W*$"
    )


def unbooked_in(text: str) -> str:
    """Return the words by which a payment's own text says that it is not booked yet: “Reservert transaksjon REMA 1000”."""
    found = _marks().match(text.casefold())
    return found[found.lastindex or 0] if found else ""


def _without_accents(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def is_yes(cell: str) -> bool:
    """Tell whether a cell of a column that is named for a state says that the row is in it."""
    return fold(cell) in _YES


#: Types of movements by which money is held back for a while and let go again.
_HELD = re.compile(
    "(?:account |general |temporary |reserve |payment review )*hold\\b|(?:reversal|release|cancellation) of .*\\bhold\\b|"
    "(?:general |void of |void )?authori[sz]ation$|einbehaltung|ruckbuchung .*inbehaltung|"
    "(?:allgemeine |stornierung der )?autorisierung$|blocage|autorisation(?: generale)?$|retencion|autorizacion"
)


@lru_cache(maxsize=256)
def is_held(kind: str) -> bool:
    """Tell whether a type of movement only holds money back, or lets go of it: ``Account Hold``, ``Authorization``."""
    return _HELD.match(fold(kind)) is not None


_REFUNDED = re.compile(
    "(?:refund|erstattung|remboursement|reembolso|rimborso|terugbetaling|zwrot)$|refunde|erstattet|"
    "zuruckerstattet|rembourse|devuelt|reembolsad|rimborsat|aterbetal|tilbagebetal|vracen|povrat|visszaterit|iade|"
    "estornad|devolvid|terugbetaald|hyvitetty|zwrocon"
)


@lru_cache(maxsize=256)
def is_refunded(status: str) -> bool:
    """Tell whether the state or type of an order says that money came back; whether in this row, it leaves open."""
    return _REFUNDED.match(fold(status)) is not None
