"""Amounts as banks write them, read exactly: decimal marks, thousands, signs, currencies, ``CR`` and ``DR``."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

from ledger.importers.currencies import UNSPECIFIC, currency_of

if TYPE_CHECKING:
    from collections.abc import Iterable

DecimalMark = Literal[".", ","]

#: The longest text that is taken for an amount, and the most digits before the decimal mark: more is no money.
_LONGEST = 60
_MOST_DIGITS = 14
#: How many cells are asked for the decimal mark: beyond these no other answer is to be expected.
_TELLING = 5000

_SIGNS = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"), "-") | {ord("\uff0b"): "+"}
_SPACES = dict.fromkeys(
    map(ord, "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t"), " "
)
_APOSTROPHES = dict.fromkeys(map(ord, "\u2018\u2019\u02bc\u00b4`\u2032\uff07"), "'")
_INVISIBLE = dict.fromkeys(
    map(ord, "\u200b\u200e\u200f\u061c\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
)
_PLAIN_SIGNS: dict[int, str | None] = {**_SIGNS, **_SPACES, **_APOSTROPHES, **_INVISIBLE}

_NUMBER = re.compile(r"[0-9](?:[0-9.,' ]*[0-9.,])?|[.,][0-9]+")
_READERS = {
    ".": re.compile(
        r"(?P<whole>[0-9]*|[0-9]{1,3}(?P<gap>[,' ])(?:[0-9]{2,3}(?P=gap))*[0-9]{3})(?:\.(?P<part>[0-9]*))?"
    ),
    ",": re.compile(r"(?P<whole>[0-9]*|[0-9]{1,3}(?P<gap>[.' ])(?:[0-9]{2,3}(?P=gap))*[0-9]{3})(?:,(?P<part>[0-9]*))?"),
}
_PLAIN = {
    ".": re.compile(r"[+-]?[0-9]{1,14}(?:\.[0-9]{1,12})?"),
    ",": re.compile(r"[+-]?[0-9]{1,14}(?:,[0-9]{1,12})?"),
}
#: Words at an amount that say on which side it stands: -1 money out, +1 money in.
_SIDES = {"CR": 1, "CR.": 1, "C": 1, "H": 1, "K": 1, "DR": -1, "DR.": -1, "D": -1, "DB": -1, "S": -1}


class Amount(NamedTuple):
    """A number, the currency or shared sign at it (if any), and the side: -1 for ``DR``, +1 for ``CR``, 0 for neither."""

    value: Decimal
    currency: str | None
    side: int


def decimal_mark(*columns: Iterable[str], default: DecimalMark = ".", three_decimals: bool = False) -> DecimalMark:
    """Return which of point and comma is the decimal mark, judged by all cells of the first column that tells.

    ``1.234`` alone leaves it open. If every telling cell is like that, the mark groups thousands, unless the currency
    has ``three_decimals``. With no mark in any cell the answer is ``default``.
    """
    open_marks: set[str] = set()
    for cells in columns:
        votes = {".": 0, ",": 0}
        for cell in islice(cells, _TELLING):
            match = _NUMBER.search(cell.translate(_PLAIN_SIGNS))
            mark, certain = _decimal_mark_of(match[0]) if match else ("", True)
            if mark and certain:
                votes[mark] += 1
            elif mark:
                open_marks.add(mark)
        if votes["."] != votes[","]:
            return "." if votes["."] > votes[","] else ","
    if len(open_marks) == 1:
        return "." if ("." in open_marks) == three_decimals else ","
    return default


def _decimal_mark_of(number: str) -> tuple[str, bool]:
    """Return the decimal mark that a number shows and whether that is certain; ``("", True)`` when it shows none."""
    point, comma = number.rfind("."), number.rfind(",")
    if point >= 0 and comma >= 0:
        return (".", True) if point > comma else (",", True)
    mark = "." if point >= 0 else "," if comma >= 0 else ""
    if not mark:
        return "", True
    other = "," if mark == "." else "."
    if number.count(mark) > 1:
        groups = number.split(mark)[1:]
        return (other, True) if len(groups[-1]) == 3 and all(len(group) in {2, 3} for group in groups) else ("", True)
    whole, part = number.split(mark)
    if len(part) == 3 and 1 <= len(whole) <= 3 and not whole.startswith("0"):
        return mark, False
    return mark, True


def read_plain(cell: str, mark: DecimalMark) -> Decimal | None:
    """Read the commonest form, digits with an optional sign and decimal mark, and nothing else."""
    if _PLAIN[mark].fullmatch(cell) is None:
        return None
    return Decimal(cell if mark == "." else cell.replace(",", "."))


def read_amount(cell: str, mark: DecimalMark, expected: str | None = None) -> Amount | None:
    """Read an amount in any common form, or return None when the text is not one.

    ``(45.00)``, ``45.00-``, ``-$45.00``, ``45,00 EUR``, ``CHF 1'234.50``, ``45.00 CR`` and the typographic minus signs
    and spaces are understood. ``expected`` is the currency meant by a sign that several share.
    """
    if len(cell) > _LONGEST:
        return None
    text = cell.translate(_PLAIN_SIGNS).strip()
    in_brackets = text.startswith("(") and text.endswith(")")
    if in_brackets:
        text = text[1:-1].strip()
    match = _NUMBER.search(text)
    if match is None:
        return None
    value = _read_digits(match[0], mark)
    if value is None:
        return None
    after = text[match.end() :]
    if match[0][-1] in ".," and after.strip("- ") == "":
        after = ""  # "12.-" is how Swiss shops write whole francs
    around = _read_surroundings(text[: match.start()], after, expected)
    if around is None:
        return None
    negative, currency, side = around
    if in_brackets and negative:
        return None
    return Amount(-value if negative or in_brackets else value, currency, side)


def _read_digits(number: str, mark: DecimalMark) -> Decimal | None:
    match = _READERS[mark].fullmatch(number)
    if match is None:
        return None
    whole = re.sub(r"[^0-9]", "", match["whole"]).lstrip("0")
    part = match["part"] or ""
    if len(whole) > _MOST_DIGITS or not (match["whole"] or part):
        return None
    return Decimal(f"{whole or '0'}.{part}" if part else whole or "0")


def _read_surroundings(before: str, after: str, expected: str | None) -> tuple[bool, str | None, int] | None:
    """Return sign, currency and side of what stands around a number; None if there is anything else."""
    signs = before.count("-") + before.count("+") + after.count("-") + after.count("+")
    if signs > 1:
        return None
    negative = "-" in before or "-" in after
    currency: str | None = None
    side = 0
    for text in (before, after):
        for word in text.replace("-", " ").replace("+", " ").split():
            upper = word.upper()
            if found := currency_of(word, expected):
                currency = found if currency is None or len(word) == 3 else currency
            elif upper in _SIDES and text is after and not side:
                side = _SIDES[upper]
            elif upper not in UNSPECIFIC:
                return None
    return negative, currency, side
