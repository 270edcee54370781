"""Financial and tax years: where they begin, and how they are named ("FY26", "the 2025/26 tax year", "Winter 2025/26").

Where the year begins follows the currency that the ledger is kept in, as no file says in which country it is filed. One
year stands for the financial year that ends in it (in Japan for the one that begins in it), two for the one that begins in
the first.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from ledger.periods.matches import Match, Rules, opening
from ledger.periods.spans import (
    NEW_YEAR,
    Context,
    Relative,
    Span,
    Unit,
    YearStart,
    fiscal_year,
    month_number,
)
from ledger.periods.vocabulary import Role
from ledger.periods.years import full_year, year_number

if TYPE_CHECKING:
    from ledger.periods.spans import Node, Recurring
    from ledger.periods.tokens import Sentence

#: Month and day; every other currency's year is the calendar's.
_YEAR_STARTS: dict[str, YearStart] = {
    "AUD": (7, 1),  # https://www.ato.gov.au/individuals-and-families/your-tax-return
    "GBP": (4, 6),  # Income Tax Act 2007, section 4: https://www.legislation.gov.uk/ukpga/2007/3/section/4
    "HKD": (4, 1),  # Inland Revenue Ordinance, section 2: https://www.elegislation.gov.hk/hk/cap112
    "INR": (4, 1),  # Income-tax Act 1961, section 3: https://incometaxindia.gov.in
    "JPY": (4, 1),  # Public Finance Act, article 11, and most companies; a person's income tax goes by the calendar
    "NZD": (4, 1),  # https://www.ird.govt.nz/income-tax/income-tax-for-individuals
    "ZAR": (3, 1),  # https://www.sars.gov.za/types-of-tax/personal-income-tax
}
#: Where a year is named by the one that it begins in: Japan's "FY2025".
_NAMED_BY_START = frozenset({"JPY"})
_SINGULARS = ("year", "fy", "jahr")
#: A year whose quarters and months stand for those of any.
_ANY_YEAR = 2001
#: So many digits a year has that may as well be a count.
_SHORT = 2
_SIGNS = frozenset({"/", "-", "–"})


def year_start(currency: str) -> YearStart:
    """Return the month and day on which financial years begin where a currency is used."""
    return _YEAR_STARTS.get(currency, NEW_YEAR)


def is_named_by_start(currency: str) -> bool:
    """Return whether a financial year has the number of the year that it begins in where a currency is used."""
    return currency in _NAMED_BY_START


def is_year_start(day: date) -> bool:
    """Return whether a financial year begins on the day somewhere, and no calendar year."""
    return (day.month, day.day) in _YEAR_STARTS.values()


def split_year(words: Sentence, index: int) -> tuple[int, int] | None:
    """Read 2025/26, 25/26, 2025-2026 as the first of its two years, and the index behind them."""
    first, sign, second = words.tokens[index : index + 3]
    if not (first.is_number and second.is_number and sign.text in _SIGNS and sign.glued and second.glued):
        return None
    widths = len(first.text), len(second.text)
    if widths not in {(4, 2), (4, 4), (2, 2)} or words.tokens[index + 3].text == sign.text:
        return None
    year = int(first.text) if widths[0] == 4 else full_year(int(first.text))
    return (year, index + 3) if (year + 1) % 100 == int(second.text) % 100 else None


def named_year(words: Sentence, index: int) -> Match | None:
    """Read "FY26", "tax year 2025/26", "2025/26 financial year", "Geschäftsjahr 2026", "new tax year"."""
    is_new = Role.NEW in words.senses[index]
    named = words.parts[index + is_new].get(Role.UNIT)
    if named and named[0] is Unit.FISCAL_YEAR:
        year = None if is_new else _year(words, words.skip(named[1], Role.OF, most=1))
        if year is not None:
            return Match(_node(*year[:2]), year[2])
        return Match(Relative(lambda context: context.unit(Unit.FISCAL_YEAR)), named[1]) if is_new else None
    year = _year(words, index)
    behind = year and words.parts[year[2]].get(Role.UNIT)
    if not year or not behind or behind[0] is not Unit.FISCAL_YEAR:
        return None
    is_short = words.tokens[index].is_number and year[2] == index + 1 and len(words.tokens[index].text) == _SHORT
    if is_short and not words.tokens[behind[1] - 1].text.endswith(_SINGULARS):
        return None  # "over 10 financial years"
    return Match(_node(*year[:2]), behind[1])


def _year(words: Sentence, index: int) -> tuple[int, bool, int] | None:
    """Read a year or two as the one that it begins or ends in, whether it is the first of two, and the index behind."""
    split = split_year(words, index)
    if split:
        return split[0], True, split[1]
    year = year_number(words, index)
    token = words.tokens[index]
    if year is None and token.glued and token.is_number and len(token.text) == 4:
        year = int(token.text), index + 1  # FY2026
    if year is None and token.is_number and len(token.text) == 2 and not _goes_on(words, index):
        year = full_year(int(token.text)), index + 1  # FY26
    return year and (year[0], False, year[1])


def _goes_on(words: Sentence, index: int) -> bool:
    """Whether a number is a part of a longer figure, or of something else."""
    after, beyond = words.tokens[index + 1], words.tokens[index + 2]
    return after.glued and (after.is_word or (after.text in {*_SIGNS, ".", ","} and beyond.is_number and beyond.glued))


def _node(year: int, is_split: bool) -> Relative:
    def find(context: Context) -> Span | None:
        if is_split and context.year_start == NEW_YEAR:
            return None  # a year that is the calendar's has one number
        return fiscal_year(year + (is_split or context.named_by_start), context.year_start)

    return Relative(find)


def part_of_year(part: Recurring, year: Node) -> Relative:
    """Return a month within a financial year, or the quarter or half that is counted from where the year begins."""

    def find(context: Context) -> Span | None:
        span, calendar = year.whole(context), part.occurrence(_ANY_YEAR)
        if span is None or calendar is None:
            return None
        first, months = calendar[0].month - 1, calendar[1].month - calendar[0].month + 1
        if months == 1:
            return part.latest(lambda each: span[0] <= each[0] <= span[1], span[1])
        return _months_on(span[0], first), _months_on(span[0], first + months) - timedelta(days=1)

    return Relative(find)


def _months_on(start: date, months: int) -> date:
    number = month_number(start) + months
    return date(number // 12, number % 12 + 1, start.day)


def two_years(words: Sentence, index: int) -> Match | None:
    """Read "in 2025/26" alone, which is a financial year where these are not the calendar's."""
    year = split_year(words, index)
    if year is None or len(words.tokens[index].text) != 4:
        return None
    is_month = len(words.tokens[index + 2].text) == 2 and int(words.tokens[index + 2].text) <= 12
    return None if is_month else Match(_node(year[0], is_split=True), year[1])


FISCAL_RULES = Rules(
    opening(named_year, Role.UNIT, Role.NEW, Role.FIGURE),
    opening(two_years, Role.FIGURE),
)
