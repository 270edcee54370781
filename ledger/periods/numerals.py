"""Days in figures: the number of a day with its mark, and dates of numbers alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from ledger.periods.matches import Cue, Match
from ledger.periods.spans import NOWHERE, Fixed, Node, Recurring, Unit, day_span, month_span
from ledger.periods.vocabulary import Role
from ledger.periods.years import full_year

if TYPE_CHECKING:
    from ledger.periods.tokens import Sentence

_MARKS = frozenset({"st", "nd", "rd", "th", "te", "ten", "ter"})


@dataclass(frozen=True, slots=True)
class DayNumber:
    """A number that can be a day; marked as in "5th" or "5.", or spelled as in "fifth"."""

    number: int
    end: int
    is_marked: bool
    is_spelled: bool = False


def day_number(
    words: Sentence, index: int, *, dotted: bool = False, spelled: bool = False, highest: int = 31
) -> DayNumber | None:
    """Read a day's number; ``dotted`` takes the German "5.", ``spelled`` takes "fifth"."""
    index = words.settled[index]
    if spelled and (word := words.parts[index].get(Role.ORDINAL)):
        return DayNumber(word[0], word[1], is_marked=True, is_spelled=True)
    token, after = words.tokens[index], words.tokens[index + 1]
    if not token.is_number or len(token.text) > 2 or not 1 <= int(token.text) <= highest:
        return None
    if after.glued and after.text in _MARKS:
        return DayNumber(int(token.text), index + 2, is_marked=True)
    if not _stands_alone(words, index):
        return None
    beyond = words.tokens[index + 2]
    is_marked = dotted and after.text == "." and after.glued and not (beyond.is_number and beyond.glued)
    return DayNumber(int(token.text), index + 1 + is_marked, is_marked)


def _stands_alone(words: Sentence, index: int) -> bool:
    """Whether the number is no part of a word, an amount or a longer figure."""
    after, beyond = words.tokens[index + 1], words.tokens[index + 2]
    if after.glued and after.is_word and Role.MONTH not in words.senses[index + 1]:
        return False
    # "October 3,2025" is a date although its number goes on after the comma.
    return words.is_plain(index) or (after.text == "," and beyond.is_number and len(beyond.text) == 4)


def numeric_date(words: Sentence, index: int) -> Match | None:
    """Read 2026-10-03, 2026-10, 2026/10/03, 20261003, 3.10.2026, 3.10., 10/03/2026, 10/2026.

    With slashes and hyphens the month comes first unless the first number is above 12; with dots the day does.
    """
    token = words.tokens[index]
    if not token.is_number or _continues_figure(words, index):
        return None
    if len(token.text) == 8:
        return _compact(token.text, index + 1)
    parts, sign, end = _parts(words, index)
    widths = tuple(len(part) for part in parts)
    if len(parts) == 1 or max(widths) > 4:
        return None
    numbers = tuple(int(part) for part in parts)
    if widths[0] == 4:
        return _year_leads(numbers, widths, sign, end)
    if max(widths[:2]) <= 2 and widths[2:] in {(2,), (4,)}:
        year = numbers[2] if widths[2] == 4 else full_year(numbers[2])
        month, day = _month_and_day(numbers[0], numbers[1], sign)
        return Match(_day(year, month, day), end, unit=Unit.DAY)
    return _two_parts(words, numbers, widths, sign, end)


def _two_parts(words: Sentence, numbers: tuple[int, ...], widths: tuple[int, ...], sign: str, end: int) -> Match | None:
    """Read 10/2026, and a day without its year: 3.10., 10/3."""
    if widths in {(1, 4), (2, 4)} and 1 <= numbers[0] <= 12:
        cue = Cue.DECIMAL if sign == "." else Cue.NONE
        return Match(_month(numbers[1], numbers[0]), end, cue, Unit.MONTH)
    if len(widths) == 2 and max(widths) <= 2 and sign in {".", "/"}:
        return _without_year(words, numbers, sign, end)
    return None


def _continues_figure(words: Sentence, index: int) -> bool:
    """Whether the number is the tail of something: "$2024-10", "555-10-12", "v1.10.26"."""
    token, before, first = words.tokens[index], words.tokens[index - 1], words.tokens[index - 2]
    is_tail = token.glued and before.glued and before.text in {"-", "/", ".", ","} and first.is_number
    if before.text == "/" and len(token.text) == 4:
        is_tail = False  # the second date of an ISO interval
    if before.text == "-" and words.tokens[index - 3].text == words.tokens[index + 1].text == "/":
        is_tail = False  # the second date of 10/1-10/15
    return is_tail or (token.glued and before.is_word) or before.text in {"$", "€", "£", "#"}


def _parts(words: Sentence, index: int) -> tuple[list[str], str, int]:
    """Collect up to three numbers parted by one kind of sign, and the index after them and a closing German dot."""
    parts = [words.tokens[index].text]
    sign = words.tokens[index + 1].text if words.tokens[index + 1].glued else ""
    end = index + 1
    if sign not in {"-", "/", "."}:
        return parts, "", end
    while words.tokens[end].text == sign and words.tokens[end].glued:
        number = words.tokens[end + 1]
        if not number.is_number or not number.glued:
            break
        parts.append(number.text)
        end += 2
    return parts, sign, end


def _year_leads(numbers: tuple[int, ...], widths: tuple[int, ...], sign: str, end: int) -> Match | None:
    if len(numbers) == 3 and max(widths[1:]) <= 2:
        return Match(_day(*numbers), end, unit=Unit.DAY)
    if len(numbers) == 2 and widths[1] == 2 and sign in {"-", "/"} and 1900 <= numbers[0] < 2200:
        return Match(_month(*numbers), end, unit=Unit.MONTH)
    return None


def _without_year(words: Sentence, numbers: tuple[int, ...], sign: str, end: int) -> Match:
    month, day = _month_and_day(numbers[0], numbers[1], sign)
    closing = words.tokens[end]
    cue = Cue.DECIMAL if sign == "." else Cue.FIGURES
    if sign == "." and closing.text == "." and closing.glued:
        end, cue = end + 1, Cue.FIGURES
    node = Recurring(lambda year: day_span(date(year, month, day)))
    return Match(node, end, cue, Unit.DAY, is_bare=True)


def _month_and_day(first: int, second: int, sign: str) -> tuple[int, int]:
    return (second, first) if sign == "." or first > 12 else (first, second)


def _compact(digits: str, end: int) -> Match | None:
    if not 1900 <= int(digits[:4]) < 2200:
        return None
    return Match(_day(int(digits[:4]), int(digits[4:6]), int(digits[6:])), end, Cue.FIGURES, Unit.DAY)


def _day(year: int, month: int, day: int) -> Node:
    try:
        return Fixed(day_span(date(year, month, day)))
    except ValueError:
        return NOWHERE


def _month(year: int, month: int) -> Node:
    return Fixed(month_span(year, month)) if 1 <= month <= 12 and year else NOWHERE
