"""The signs of bank files taken off, turned, or moved into columns, with the true amounts beside them.

Nothing here imports the project: what it reads is compared with what these lines wrote.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import accumulate
from typing import Literal

Sign = Literal["minus", "stripped", "turned", "plus", "brackets", "trailing", "letter", "word", "pair", "marks"]
SIGNS: tuple[Sign, ...] = (
    "minus", "stripped", "turned", "plus", "brackets", "trailing", "letter", "word", "pair", "marks",
)  # fmt: skip
#: Header, word for money out, word for money in, in the languages of banks.
WORDS = (
    ("D/C", "D", "C"), ("Soll/Haben", "S", "H"), ("Dr/Cr", "DR", "CR"), ("Direction", "OUT", "IN"),
    ("Transaction Type", "debit", "credit"), ("Type", "expense", "income"), ("Af Bij", "Af", "Bij"),
    ("Sens", "Débit", "Crédit"), ("Type", "dépense", "recette"), ("Tipo", "cargo", "abono"),
    ("Signo", "debe", "haber"), ("Segno", "dare", "avere"), ("Tipo", "uscita", "entrata"), ("Strona", "WN", "MA"),
    ("Umsatztyp", "Ausgang", "Eingang"), ("Typ", "Ausgabe", "Einnahme"), ("Kierunek", "obciążenie", "uznanie"),
    ("Tipo", "débito", "crédito"), ("Type", "Money out", "Money in"), ("Soort", "uitgaven", "inkomsten"),
    ("Kind", "paid", "received"), ("Typ", "utgift", "inntekt"), ("X", "Q", "R"),
)  # fmt: skip
PAIRS = (
    ("Debit", "Credit"), ("Paid out", "Paid in"), ("Soll", "Haben"), ("Belastung", "Gutschrift"), ("Débit", "Crédit"),
    ("Cargo", "Abono"), ("Dare", "Avere"), ("Uscite", "Entrate"), ("Af", "Bij"), ("Withdrawals", "Deposits"),
    ("Money Out", "Money In"), ("Gasto", "Ingreso"), ("Ut", "Inn"), ("Saída", "Entrada"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """One movement as it truly was: ``amount`` is negative for money out."""

    day: date
    text: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Style:
    """How the amounts of a file are written."""

    sign: Sign
    header: bool = True
    balance: bool = False
    newest_first: bool = False
    opening: bool = False
    words: int = 0

    @property
    def label(self) -> str:
        """A short name, for what a test prints."""
        marks = ("header" * self.header, "balance" * self.balance, "down" * self.newest_first, "opening" * self.opening)
        return "-".join(filter(None, (self.sign, *marks, str(self.words))))


def write(entries: Sequence[Entry], style: Style, start: Decimal = Decimal("1234.56")) -> bytes:
    """Write movements, oldest first as they are given, in a style."""
    names, cells = _columns(style)
    balances = list(accumulate((entry.amount for entry in entries), initial=start))[1:]
    lines = [
        [entry.day.isoformat(), entry.text, *cells(entry.amount), *([f"{balance:.2f}"] if style.balance else [])]
        for entry, balance in zip(entries, balances, strict=True)
    ]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if style.opening and style.header:
        out.write(f"Opening balance,{start:.2f}\nClosing balance,{balances[-1]:.2f}\n\n")
    if style.header:
        writer.writerow(["Date", "Description", *names, *(["Balance"] if style.balance else [])])
    writer.writerows(reversed(lines) if style.newest_first else lines)
    return out.getvalue().encode()


def _columns(style: Style):
    """Return the names of the columns of an amount, and what writes their cells."""
    word, out_word, in_word = WORDS[style.words % len(WORDS)]
    debit, credit = PAIRS[style.words % len(PAIRS)]

    def cells(amount: Decimal) -> list[str]:
        bare, out = f"{abs(amount):.2f}", amount < 0
        forms = {
            "minus": [f"-{bare}" if out else bare],
            "stripped": [bare],
            "turned": [bare if out else f"-{bare}"],
            "plus": [f"- ${bare}" if out else f"+ ${bare}"],
            "brackets": [f"({bare})" if out else bare],
            "trailing": [f"{bare}-" if out else bare],
            "letter": [bare, "D" if out else "C"],
            "word": [bare, out_word if out else in_word],
            "pair": [bare, ""] if out else ["", bare],
            "marks": [f"{bare} DR" if out else f"{bare} CR"],
        }
        return forms[style.sign]

    names = {"letter": ["Amount", "D/C"], "word": ["Amount", word], "pair": [debit, credit]}
    return names.get(style.sign, ["Amount"]), cells


def styles(seed: int, count: int) -> list[Style]:
    """Return so many different styles, drawn from a seed."""
    chance = random.Random(seed)
    return [
        Style(
            chance.choice(SIGNS),
            header=chance.random() < 0.75,
            balance=chance.random() < 0.4,
            newest_first=chance.random() < 0.5,
            opening=chance.random() < 0.3,
            words=chance.randrange(len(WORDS)),
        )
        for _ in range(count)
    ]
