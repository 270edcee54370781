"""What the lines above a table say: the account, its type and currency, the period."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ledger.importers.amounts import decimal_mark, read_amount
from ledger.importers.currencies import CODES, currency_called, currency_in, currency_of
from ledger.importers.table.phrases import account_type_in
from ledger.importers.table.vocabulary import fold, folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from ledger.importers.table.layout import Record
    from ledger.transactions import AccountType

_IBAN = re.compile(r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}\b")
_CARD = re.compile(
    r"\b[0-9]{4,6}[ *xX•.-]*[*xX•]{2}[ *xX•.-]*[0-9]{2,4}\b"  # 1234********5678
    r"|(?<!\w)[*xX•]{2,}[ -]?[0-9]{3,4}\b"  # xx5678
)
_DATE = re.compile(r"\b(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}([-/.])[0-9]{1,2}\1[0-9]{2,4})\b")


#: A longer line tells of more than an account.
_LONGEST_LINE = 200
_GAP = re.compile(r"\s{3,}")
#: Behind a number, before the next label on the same line.
_BETWEEN = re.compile(r"(?<=[0-9])\s+(?=[^\W\d_]{3})")
_LABELLED = re.compile(r"[^\W\d_][^:]{0,40}:\s*\S")
_NUMBER_LABELS = folded(
    """account|account number|account no|account nr|account id|acct|acct no|card|card number|card no|iban|konto|
    kontonummer|konto nr|kontonr|kontonummer iban|kreditkarte|karte|kartennummer|rekening|rekeningnummer|compte|
    compte n|numero de compte|carte|numero de carte|cuenta|numero de cuenta|tarjeta|conto|numero conto|conta|
    numero da conta|rachunek|numer rachunku|nr rachunku|conto corrente|conto corrente n|cuenta corriente|a c no|a c number|
    compte courant|compte courant n|girokonto|girokonto nr"""
)
_NAME_LABELS = folded(
    """account name|account type|product|kontoname|kontobezeichnung|produkt|nom du compte|nombre de la cuenta|kontonamn|
    kontonavn|nazwa rachunku"""
)
_OPENING = sorted(
    folded(
        """opening balance|beginning balance|starting balance|previous balance|balance brought forward|anfangssaldo|
        anfangsbestand|alter kontostand|saldovortrag|beginsaldo|ancien solde|solde initial|saldo inicial|saldo anterior|
        saldo iniziale|ingaende saldo|inngaende saldo|saldo poczatkowe"""
    )
)
_CLOSING = sorted(
    folded(
        """closing balance|ending balance|balance carried forward|endsaldo|endbestand|neuer kontostand|eindsaldo|
        nouveau solde|solde final|saldo final|saldo finale|utgaende saldo|saldo koncowe"""
    )
)
#: What begins a line that says a balance only with its day: without, it may be of any.
_DATED = sorted(folded("kontostand|letzter kontostand|saldo|solde|current balance|account balance|balance"))
_CURRENCY_LABELS = folded(
    "currency|wahrung|kontowahrung|devise|divisa|moneda|moeda|waluta|munt|valuta|mena|penznem|doviz|para birimi|mata uang|"
    "валюта|νομισμα|通貨|通货|币种|幣別|통화|מטבע|عملة|สกุลเงิน"
)
#: In a label, what makes the currency behind it another than that of the account.
_OF_OTHER_MONEY = re.compile(r"\b(?:foreign|original|exchange|fees?\b|fremd|etrang|extranjer|estrangeir|estera|vreemd)")


@dataclass(frozen=True, slots=True)
class StatedBalance:
    """A balance above the table, with its day as it is written, if it is."""

    amount: Decimal
    currency: str | None
    day: str


@dataclass(frozen=True, slots=True)
class Preamble:
    """What could be found above the table; ``dates`` are as written, evidence for the order of day and month."""

    ref: str | None = None
    name: str | None = None
    type: AccountType | None = None
    currency: str | None = None
    dates: tuple[str, ...] = ()
    opening: StatedBalance | None = None
    closing: StatedBalance | None = None
    current: StatedBalance | None = None


def read_preamble(records: Sequence[Record]) -> Preamble:
    """Look through the lines above a table."""
    lines = [[part.strip() for part in cells if part.strip()] for _, cells in records]
    texts = [" ".join(cells)[:2000] for cells in lines]
    parts = [part for cells in lines for part in _parted(cells)]
    labelled = [(*_labelled(part), part) for part in parts]
    numbers = (_bare_number(value) for label, value, _ in labelled if label in _NUMBER_LABELS)
    names = (value[:80] for label, value, _ in labelled if label in _NAME_LABELS)
    return Preamble(
        ref=_first(_IBAN, lines) or _first(_CARD, lines) or next(filter(None, numbers), None),
        name=next(filter(None, names), None),
        type=next(filter(None, (account_type_in(text) for text in texts if len(text) <= _LONGEST_LINE)), None),
        currency=next(filter(None, (_currency_in(*each) for each in labelled)), None),
        dates=tuple(match[0] for text in texts for match in _DATE.finditer(text)),
        opening=_balance(_OPENING, parts),
        closing=_balance(_CLOSING, parts),
        current=next((found for found in _balances(_DATED, parts) if found.day), None),
    )


def _balance(words: Sequence[str], lines: Sequence[Sequence[str]]) -> StatedBalance | None:
    """Return the balance that a line states which begins with one of the words: ``Beginning balance as of …``."""
    return next(_balances(words, lines), None)


def _balances(words: Sequence[str], lines: Sequence[Sequence[str]]) -> Iterator[StatedBalance]:
    for cells in lines:
        if not cells or not fold(cells[0]).startswith(tuple(words)):
            continue
        rest = [value for value in map(_value_of, reversed(cells)) if not _DATE.fullmatch(value)]
        mark = decimal_mark(rest)
        amounts = [amount for value in rest if (amount := read_amount(value, mark))]
        day = _DATE.search(" ".join(cells))
        if amounts:
            codes = [*(amount.currency for amount in amounts), *(cell for cell in cells if cell in CODES)]
            yield StatedBalance(amounts[0].value, next(filter(None, codes), None), day[0] if day else "")


def _parted(cells: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield a line, or each of its parts where it says several things, in one cell or several, or beside an address.

    ``Opening: 1.00  Closing: 2.00`` is such a cell.
    """
    if len(cells) == 1 and cells[0].count(":") > 1:
        yield from ((part,) for part in _BETWEEN.split(cells[0]))
        return
    starts = [0]
    for place in range(2, len(cells)) if cells and _is_label(cells[0]) else ():
        if place > starts[-1] + 1 and _is_label(cells[place]):
            starts.append(place)
    yield from (cells[start:end] for start, end in pairwise([*starts, len(cells)]))
    if len(cells) > 1:
        yield from ((cell,) for cell in cells if _LABELLED.match(cell))


def _is_label(cell: str) -> bool:
    """Tell the name of what stands in the next cell: ``Account no;123;Currency;NAIRA`` has two."""
    words = fold(cell)
    known = words in _NUMBER_LABELS or words in _NAME_LABELS or _names_currency(words)
    return known or (words.startswith((*_OPENING, *_CLOSING)) and not any(map(str.isdigit, cell)))


def _names_currency(label: str) -> bool:
    """Tell a label that says which currency follows: “Currency of account”, “Kode Mata Uang”."""
    return any(f" {words} " in f" {label} " for words in _CURRENCY_LABELS)


def _value_of(cell: str) -> str:
    """Return what stands behind a label, or behind the day where a cell has one and no colon."""
    label, colon, value = cell.rpartition(":")
    if colon and not label[-1:].isdigit():
        return value.strip()
    days = list(_DATE.finditer(cell))
    return cell[days[-1].end() :].strip() if days and days[-1].end() < len(cell) else cell


def _labelled(cells: Sequence[str]) -> tuple[str, str]:
    """Read ``Label;value`` or ``Label: value`` as the folded label and the value."""
    if not cells:
        return "", ""
    if len(cells) == 1 and ":" in cells[0]:
        label, value = cells[0].split(":", 1)
        return fold(label), value.strip()
    return fold(cells[0]), cells[1] if len(cells) > 1 else ""


def _currency_in(label: str, value: str, cells: Sequence[str]) -> str | None:
    """Take a currency from a line of that name, or from beside an amount: ``Saldo;5.000,00;EUR``, ``5.000,01 EUR``."""
    if _OF_OTHER_MONEY.search(label):
        return None
    if _names_currency(label) and (named := currency_of(value) or currency_called(value) or currency_in(value)):
        return named
    values = map(_value_of, cells)
    amounts = [found for cell in values if (found := read_amount(cell, ".") or read_amount(cell, ","))]
    stated = [amount.currency for amount in amounts if amount.currency]
    codes = [cell for cell in cells if cell in CODES] if amounts else []
    return next(iter(stated + codes), None)


def _first(form: re.Pattern[str], lines: Sequence[Sequence[str]]) -> str | None:
    """Return the first account number of a form that is unmistakable, an IBAN without its spaces."""
    for cell in (cell for cells in lines for cell in cells):
        if match := form.search(cell):
            return match[0].replace(" ", "") if form is _IBAN else match[0].strip()
    return None


def _bare_number(text: str) -> str | None:
    """Return an account number such as ``12345678`` or ``20-00-00 12345678``, without the words around it."""
    match = re.search(r"[A-Z]{0,4}[0-9][0-9A-Z *-]{2,33}", _GAP.split(text.strip())[0])
    return match[0].strip() if match else None
