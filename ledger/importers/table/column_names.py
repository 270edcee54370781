"""What the name of a column means: word by word, shortened, with a currency behind it, or by the endings of its words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ledger.importers.currencies import CODES, UNSPECIFIC, currency_of
from ledger.importers.table.vocabulary import HEADERS, Role, fold


class Meaning(NamedTuple):
    """One thing that a header may mean; of several columns for one role the lowest rank wins."""

    role: Role
    rank: int
    english: bool


#: What a header means whose words are not in the table: by the endings of its words, in this order.
_ENDINGS: tuple[tuple[Role, int, bool, tuple[str, ...]], ...] = (
    (
        Role.IGNORED,
        9,
        True,
        tuple("foreign original intl international rate local fee fees tax tip limit oorspr".split()),
    ),
    (Role.IGNORED, 9, False, ("fremdwahrung", "etrangere", "extranjera", "estera", "vreemde", "ursprung")),
    (Role.SIGN, 2, True, ("sign", "indicator", "direction")),
    (Role.DATE, 6, True, ("date",)),
    (Role.DATE, 6, False, ("datum", "fecha", "dato", "data", "tag")),
    (Role.BALANCE, 2, True, ("balance", "bal")),
    (Role.BALANCE, 2, False, ("saldo", "solde")),
    (Role.AMOUNT, 4, True, ("amount",)),
    (Role.AMOUNT, 4, False, ("betrag", "bedrag", "montant", "importe", "importo", "kwota", "belopp", "belob", "belop")),
    (Role.CURRENCY, 3, True, ("currency",)),
    (Role.CURRENCY, 3, False, ("wahrung", "devise", "divisa")),
    (Role.DESCRIPTION, 5, True, ("description", "narrative")),
    (Role.DESCRIPTION, 5, False, ("beschreibung", "omschrijving", "libelle", "descripcion", "descrizione", "opis")),
    (Role.CATEGORY, 3, True, ("category", "categories")),
    (Role.TYPE, 6, True, ("type",)),
)


def _header_table() -> dict[str, tuple[Meaning, ...]]:
    table: dict[str, tuple[Meaning, ...]] = {}
    for role, rank, english, words in HEADERS:
        for word in map(fold, words.split("|")):
            table[word] = (*table.get(word, ()), Meaning(role, rank, english))
    return table


_MEANINGS = _header_table()
#: What an amount is in, behind its name: ``Valor (R$)``, ``Kwota [zł]``.
_UNIT = re.compile(r"[(\[（]([^()\[\]（）]{1,3})[)\]）]\s*$")
#: One of two columns of amounts: ``Amount (Dr)``, ``Betrag (H)``.
_BRACKETED = {
    **dict.fromkeys(("dr", "db", "d", "s", "out", "-"), Role.DEBIT),
    **dict.fromkeys(("cr", "c", "h", "in", "+"), Role.CREDIT),
}
#: A number before the name, as in “(3)Item or Payee”.
_NUMBERED = re.compile(r"^\d{1,2} (?=[^\W\d_])")
#: A word that is shortened, in a name that is no sentence.
_LONGEST = 60
_SHORT = re.compile(r"[^\W\d_]{3,}\.")
_LINKS = frozenset({"in", "w", "en", "i", "im"})


@lru_cache(maxsize=4096)
def header_meanings(cell: str) -> tuple[Meaning, ...]:
    """Return what a cell means as a column's header; nothing if it is no header that we know."""
    unit = _UNIT.search(cell)
    inner = unit[1].strip() if unit else ""
    if unit and (side := _BRACKETED.get(inner.casefold())):
        amounts = [meaning for meaning in _meanings(cell[: unit.start()]) if meaning.role is Role.AMOUNT]
        if amounts:
            return (Meaning(side, 1, amounts[0].english),)
    is_currency = currency_of(inner) is not None or inner.upper() in UNSPECIFIC
    return _meanings(cell[: unit.start()] if unit and is_currency else cell)


def is_header(cell: str) -> bool:
    """Tell whether a cell is the name of a column word by word, rather than by the endings of its words."""
    words = fold(cell)
    return bool(words) and bool(_exact_meanings(words, words.split()))


def _exact_meanings(words: str, tokens: list[str]) -> tuple[Meaning, ...]:
    """Return what words mean that are in the table, whatever currency stands behind them, which is taken off ``tokens``."""
    while len(tokens) > 1 and (tokens[-1].upper() in CODES or tokens[-1] in _LINKS or tokens[-1].startswith("euro")):
        tokens.pop()
    bare = " ".join(tokens)
    for form in (words, bare, bare.rstrip("123 "), bare.replace(" ", "")):  # "Buchungs-Details" is one word elsewhere
        if found := _MEANINGS.get(form):
            return found
    return ()


def _shortened_meanings(cell: str, words: str) -> tuple[Meaning, ...]:
    """Return what words mean of which some end in a point, as “Date opé.”, if all that they may be short for mean that."""
    if len(cell) > _LONGEST or not _SHORT.search(cell):
        return ()
    short = re.compile(r"[^ ]* ?".join(map(re.escape, words.split())) + r"[^ ]*")
    found = [meanings for name, meanings in _MEANINGS.items() if short.fullmatch(name)]
    same = len({meaning.role for meanings in found for meaning in meanings}) == 1
    return min(found, key=lambda meanings: meanings[0].rank) if same else ()


def _meanings(cell: str) -> tuple[Meaning, ...]:
    words = _NUMBERED.sub("", fold(cell))
    if not words:
        return (Meaning(Role.SIGN, 1, english=False),) if cell.replace(" ", "") == "+/-" else ()
    tokens = words.split()
    if found := _exact_meanings(words, tokens) or _shortened_meanings(cell, words):
        return found
    if words.upper() in CODES:  # a column of amounts in that currency, as "CAD$"
        return (Meaning(Role.AMOUNT, 3, english=True),)
    if len(tokens) > 4 or any(char.isdigit() for char in words):
        return ()
    for role, rank, english, endings in _ENDINGS:
        if any(token.endswith(endings) for token in tokens):
            return (Meaning(role, rank, english),)
    return ()
