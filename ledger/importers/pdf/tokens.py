"""What single words of a line are: amounts, with the signs and marks around them, days with or without their year, texts."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from ledger.importers.amounts import read_amount
from ledger.importers.currencies import CODES, currency_of
from ledger.importers.dates import Order, month_of, read_date
from ledger.importers.pdf.lines import Word, joined

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Gaps in parts of a line's height: between the groups of a number, between a number and its sign or mark, between a
#: currency at a column's left edge and its number, and between the parts of a day.
_IN_NUMBER, _TO_MARK, _TO_CURRENCY, _IN_DATE = 0.7, 1.3, 6.0, 0.9

_MINUS = "-\u2010\u2011\u2012\u2013\u2014\u2212"
_SIGN = rf"[{_MINUS}+]"
_UNIT = r"(?:[$€£₹]|[A-Z]{1,3}\$|[A-Z]{3}|Rs\.?|Fr\.?|kr\.?)"
_GROUPED = r"[0-9]{1,3}(?:[.,'’´`][0-9]{2,3})+|[0-9]+"
#: An amount in one word: money of two decimals, whatever stands around it.
_MONEY = re.compile(
    rf"\(?{_SIGN}?{_UNIT}?{_SIGN}?\(?(?:{_GROUPED})?[.,][0-9]{{2}}\)?(?:{_SIGN}|{_UNIT}|CR|DR|Cr|Dr|cr|dr|S|H|C|D|OD)?\)?"
)
_LAST_GROUP = re.compile(rf"[0-9]{{3}}[.,][0-9]{{2}}\)?(?:{_SIGN}|€|£|\$)?")
_UNIT_BEFORE = re.compile(rf"{_SIGN}?{_UNIT}{_SIGN}?")
_GROUP, _FIRST_GROUP = re.compile(r"[0-9]{3}"), re.compile(rf"\(?{_SIGN}?(?:[$€£₹])?{_SIGN}?[0-9]{{1,3}}")
_SIGNS = re.compile(_SIGN)
_MARKS = frozenset("CR DR Cr Dr cr dr S H C D OD".split()) | {"-", "–", "−", "+"}
_OVERDRAWN = re.compile(r"(?<=[0-9]) ?OD$")
_BEHIND = re.compile(r"[^0-9]*$")

_LINKS = frozenset("= : | ·".split())

#: A day without its year.
_DAY_AND_MONTH = re.compile(r"([0-9]{1,2})([./-])([0-9]{1,2})\2?")
_DAY_AND_NAME = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|er|\.)?[- .]?([^\W\d_]{3,12})\.?")
_NAME_AND_DAY = re.compile(r"([^\W\d_]{3,12})\.?[- ]?([0-9]{1,2})(?:st|nd|rd|th)?,?")
_LONGEST_DATE = 4
_IS_EITHER = re.compile(r"[0-9]{1,2}\.[0-9]{2}")
_MAY_BE_DATE = re.compile(r"[0-9]{1,4}(?:[^\W\d_]{2}\b)?[./-]?|.*[0-9].*|[^\W\d_]{3,12}[.,]?")


class Kind(Enum):
    """What a token is; ``05.01`` may be an amount or a day."""

    TEXT = "text"
    MONEY = "money"
    DATE = "date"
    EITHER = "money or date"

    @property
    def may_be_date(self) -> bool:
        """Whether it is a day, or may be one."""
        return self in {Kind.DATE, Kind.EITHER}

    @property
    def may_be_money(self) -> bool:
        """Whether it is an amount, or may be one."""
        return self in {Kind.MONEY, Kind.EITHER}


@dataclass(frozen=True, slots=True)
class Token:
    """A part of a line; ``edge`` is where its last digit ends, by which amounts stand below each other."""

    kind: Kind
    x0: float
    x1: float
    text: str
    edge: float = 0


def tokens_of(words: Sequence[Word], size: float) -> list[Token]:
    """Return the tokens of a line whose letters are so high; what only links a label to its amount is none."""
    words = [word for word in words if word.text not in _LINKS]
    found: list[Token] = []
    place = 0
    while place < len(words):
        token, count = _either_at(words, place, size) or (None, 1)
        if token is None:
            word = words[place]
            token = Token(Kind.TEXT, word.x0, word.x1, word.text, word.x1)
        found.append(token)
        place += count
    return found


def _either_at(words: Sequence[Word], place: int, size: float) -> tuple[Token, int] | None:
    """Return the day or the amount that begins at a word."""
    found = _date_at(words, place, size)
    if found is not None and not _IS_EITHER.fullmatch(found[0].text):
        return found
    money = _money_at(words, place, size)
    if found is None or money is None:
        return found or money
    return (replace(money[0], kind=Kind.EITHER), 1) if money[1] == 1 else money


def _date_at(words: Sequence[Word], place: int, size: float) -> tuple[Token, int] | None:
    """Return the longest day that begins at a word, and of how many words it is."""
    if not _MAY_BE_DATE.fullmatch(words[place].text):
        return None
    end = place + 1
    while end < min(len(words), place + _LONGEST_DATE) and words[end].x0 - words[end - 1].x1 < _IN_DATE * size:
        end += 1
    for stop in range(end, place, -1):
        whole = joined(words[place:stop])
        text = whole.text.rstrip(",:;*")
        if stop - place == 3 and is_day(joined(words[place : stop - 1]).text) and is_day(_text(words[stop - 1 : end])):
            continue  # "5 Jan 16 Jan" are two
        if is_day(text):
            return Token(Kind.DATE, whole.x0, whole.x1, text, whole.x1), stop - place
    return None


def _text(words: Sequence[Word]) -> str:
    return joined(words).text


def _money_at(words: Sequence[Word], place: int, size: float) -> tuple[Token, int] | None:
    """Return the amount that begins at a word, with the sign, currency and mark around it, and of how many words it is."""
    start = place
    while place < len(words) - 1 and place - start < 2 and _is_before(words[place], words[place + 1], size):
        place += 1
    end = _number_end(words, place, size)
    if end is None:
        return None
    digits = words[end - 1]
    behind = len(_BEHIND.search(digits.text)[0]) / len(digits.text)  # type: ignore[index]
    edge = digits.x1 - behind * (digits.x1 - digits.x0)
    while end < len(words) and end - place < 6 and _is_behind(words[end - 1], words[end], size):
        end += 1
    whole = joined(words[start:end])
    text = _OVERDRAWN.sub(" DR", whole.text)
    if read_amount(text, ".") is None and read_amount(text, ",") is None:
        return None
    return Token(Kind.MONEY, whole.x0, whole.x1, text, edge), end - start


def _is_before(word: Word, number: Word, size: float) -> bool:
    """Tell a sign or a currency that belongs to the number behind it."""
    gap = number.x0 - word.x1
    if _SIGNS.fullmatch(word.text):
        return gap < _TO_MARK * size
    unit = _is_unit(word.text) or (not word.text.isalpha() and _UNIT_BEFORE.fullmatch(word.text) is not None)
    return unit and gap < (_TO_CURRENCY if word.text in "$€£₹" else _TO_MARK) * size


def _is_behind(number: Word, word: Word, size: float) -> bool:
    return word.x0 - number.x1 < _TO_MARK * size and (word.text in _MARKS or _is_unit(word.text))


def _is_unit(text: str) -> bool:
    return text in CODES or (not text.isalpha() and len(text) < 4 and currency_of(text) is not None)


def _number_end(words: Sequence[Word], place: int, size: float) -> int | None:
    """Return behind which word a number ends that begins at a word: ``1 234,56`` is two of them."""
    if _MONEY.fullmatch(words[place].text):
        return place + 1
    if not _FIRST_GROUP.fullmatch(words[place].text):
        return None
    for end in range(place + 1, min(place + 4, len(words))):
        if words[end].x0 - words[end - 1].x1 > _IN_NUMBER * size:
            return None
        if _LAST_GROUP.fullmatch(words[end].text):
            return end + 1
        if not _GROUP.fullmatch(words[end].text):
            return None
    return None


@lru_cache(maxsize=8192)
def is_day(text: str) -> bool:
    """Tell whether a text is a day, with or without its year."""
    if has_year(text):
        return True
    return bool(without_year(text))


@lru_cache(maxsize=8192)
def has_year(text: str) -> bool:
    """Tell whether a text is a day with its year, in any order."""
    if not any(char.isdigit() for char in text) or text.isdigit():
        return False
    return read_date(text) is not None or read_date(text, Order.MONTH_DAY_YEAR) is not None


@lru_cache(maxsize=8192)
def without_year(text: str) -> tuple[tuple[int, int], ...]:
    """Return the months and days that a text without a year may mean, the day first before the month first."""
    if found := _DAY_AND_MONTH.fullmatch(text):
        first, second = int(found[1]), int(found[3])
        ways = [(second, first), (first, second)] if found[2] != "." else [(second, first)]
    elif found := _DAY_AND_NAME.fullmatch(text):
        ways = [(month_of(found[2]), int(found[1]))]
    elif found := _NAME_AND_DAY.fullmatch(text):
        ways = [(month_of(found[1]), int(found[2]))]
    else:
        return ()
    return tuple(dict.fromkeys(way for way in ways if _is_possible(*way)))


def _is_possible(month: int, day: int) -> bool:
    try:
        date(2024, month, day)  # a leap year
    except ValueError:
        return False
    return True
