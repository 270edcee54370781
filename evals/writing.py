"""Numbers, days and names as they stand in a sentence, in English or German writing."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

MONTHS = (
    ("January", "Januar"), ("February", "Februar"), ("March", "März"), ("April",), ("May", "Mai"), ("June", "Juni"),
    ("July", "Juli"), ("August",), ("September",), ("October", "Oktober"), ("November",), ("December", "Dezember"),
)  # fmt: skip

_SPACES = "\u00a0\u202f"
_NUMBER = re.compile(rf"(?<![\d.,])\d+(?:[.,'’{_SPACES}]\d+)*")
_ENGLISH = re.compile(rf"\d+(\.\d+)?|\d{{1,3}}([,'’{_SPACES}]\d{{3}})+(\.\d+)?")
_GERMAN = re.compile(rf"\d+(,\d+)?|\d{{1,3}}([.'’{_SPACES}]\d{{3}})+(,\d+)?")
_PERCENT = re.compile(rf"[\s{_SPACES}]?(?:%|per ?cent|prozent)", re.IGNORECASE)
_CURRENCY = re.compile(r"[$€£]|USD|EUR|GBP")
_MONTH = "|".join(
    sorted({name for names in MONTHS for word in names for name in (word, word[:3])}, key=len, reverse=True)
)
_DATES = re.compile(
    rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}}"
    rf"|\d{{1,2}}(?:\.|st|nd|rd|th)?(?:\s*[–-]\s*\d{{1,2}}\.?)?\s+(?:{_MONTH})\b\.?(?:,?\s+\d{{4}})?"
    rf"|\b(?:{_MONTH})\b\.?\s+\d{{1,2}}(?!\d)(?:,?\s+\d{{4}})?|\bQ[1-4]\b|\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Written:
    """A number in a text: the values that it may have (“1.234” has two), each with its digits after the point."""

    values: tuple[tuple[Decimal, int], ...]
    percent: bool
    currency: bool


def numbers(text: str) -> Iterator[Written]:
    """Yield the numbers of a text; signs are left aside."""
    for match in _NUMBER.finditer(text):
        token = match.group()
        values = {_value(token, point) for form, point in ((_ENGLISH, "."), (_GERMAN, ",")) if form.fullmatch(token)}
        before, after = text[max(0, match.start() - 4) : match.start()], text[match.end() : match.end() + 10]
        currency = _CURRENCY.search(before.strip()[-3:]) or _CURRENCY.match(after.lstrip(f" {_SPACES}"))
        yield Written(tuple(sorted(values)), _PERCENT.match(after) is not None, currency is not None)


def states_money(text: str, amount: Decimal) -> bool:
    """Whether an amount is written to the cent, a whole one perhaps without cents; the sign is not compared."""
    return any(
        value == abs(amount) and (places == 2 or (places == 0 and each.currency))
        for each in numbers(text)
        if not each.percent
        for value, places in each.values
    )


def states_percent(text: str, amount: Decimal) -> bool:
    """Whether a percentage is written with its one decimal; the sign is not compared."""
    return any(
        value == abs(amount) and (places == 1 or value == int(value))
        for each in numbers(text)
        if each.percent
        for value, places in each.values
    )


def states_number(text: str, amount: Decimal) -> bool:
    """Whether a plain number is written: no part of a date, no amount of money, no percentage."""
    return any(
        value == abs(amount)
        for each in numbers(_DATES.sub(" ", text))
        if not each.percent and not each.currency
        for value, _ in each.values
    )


def states_day(text: str, day: date) -> bool:
    """Whether a day is written with its year, in one of the usual ways."""
    names = [name for word in MONTHS[day.month - 1] for name in (word, word[:3])]
    ways = [day.isoformat(), f"{day.day:02}.{day.month:02}.{day.year}", f"{day.day}.{day.month}.{day.year}"]
    for name in names:
        ways += [f"{day.day} {name} {day.year}", f"{day.day}. {name} {day.year}", f"{name} {day.day}, {day.year}"]
    return any(re.search(rf"(?<!\d){re.escape(way)}(?!\d)", text, re.IGNORECASE) for way in ways)


def states_name(text: str, name: str) -> bool:
    """Whether a name is written as whole words, whatever its case, accents and punctuation."""
    return bool(fold(name)) and f" {fold(name)} " in f" {fold(text)} "


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Return a text's words in small letters, without accents and punctuation; “Joe's” becomes “joes”."""
    plain = text
    for _ in range(2):  # a compatible form may be a capital, whose small letter may be composed again
        plain = unicodedata.normalize("NFKD", plain.casefold())
    plain = plain.replace("'", "").replace("’", "")
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(re.findall(r"[^\W_]+", bare))


def _value(token: str, point: str) -> tuple[Decimal, int]:
    whole, _, part = token.partition(point)
    digits = re.sub(r"\D", "", whole)
    return Decimal(f"{digits}.{part}" if part else digits), len(part)
