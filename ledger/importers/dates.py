"""Dates as banks write them, and which of day and month comes first."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from ledger.errors import AmbiguousDates
from ledger.importers.table.signs import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: A statement's dates lie in these years; others are mistakes.
FIRST_YEAR, LAST_YEAR = 1950, 2100
#: By how much the years of Thailand's calendar are later; in two digits these are of it, as no statement is of 1960 or 2060.
_BUDDHIST, _BUDDHIST_YEARS = 543, range(60, 80)
_REIWA_BEGAN = date(2019, 5, 1)

_NAMES = (
    "january february march april may june july august september october november december",
    "januar februar marz april mai juni juli august september oktober november dezember",
    "janner feber maerz apr mai jun jul aug sept okt nov dez",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "januar februar marts april maj juni juli august september oktober november desember",
    "styczen luty marzec kwiecien maj czerwiec lipiec sierpien wrzesien pazdziernik listopad grudzien",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia",
    "jan feb mrt apr may jun jul aug sep oct nov dec",
)


def _month_words() -> dict[str, int]:
    """Return every beginning of three letters or more that belongs to one month only, over all languages."""
    months: dict[str, set[int]] = {}
    for names in _NAMES:
        for month, name in enumerate(names.split(), start=1):
            for end in range(3, len(name) + 1):
                months.setdefault(name[:end], set()).add(month)
    return {word: found.pop() for word, found in months.items() if len(found) == 1}


_MONTHS = _month_words()
#: Languages whose months are looked up once a word is none of those above.
_LANGUAGES = "ro hu cs sk sl lt lv et fi tr el bg uk ru id".split()


@cache
def _more_months() -> dict[str, int]:
    """Return the months of other languages by their names and the beginnings of them that are of one month only."""
    from babel.dates import get_month_names  # only for a word that may be a month

    whole: dict[str, set[int]] = {}
    begun: dict[str, set[int]] = {}
    for language in _LANGUAGES:
        both = (
            get_month_names(context="format", locale=language),
            get_month_names(context="stand-alone", locale=language),
        )
        for month, name in chain.from_iterable(names.items() for names in both):
            folded = _fold(name)
            whole.setdefault(folded, set()).add(month)
            for end in range(3, len(folded)):
                begun.setdefault(folded[:end], set()).add(month)
    return {word: found.pop() for word, found in (begun | whole).items() if len(found) == 1}


_TIME = (
    r"(?:(?:[T,\s-]+(?:at |um |kl\.? ?)?[0-9]{1,2}[:.h][0-9]{2}.{0,40})"
    r"|T[0-9]{4}.{0,40}| as of .{6,20}|Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_YEAR_FIRST = re.compile(r"([0-9]{4})([-/. ]) ?([0-9]{1,2})\2 ?([0-9]{1,2})\.?" + _TIME)
_NUMERIC = re.compile(r"([0-9]{1,2})(?:([-/. ]) ?)([0-9]{1,2})(?:\2 ?|')([0-9]{4}|[0-9]{2})\.?" + _TIME)
_COMPACT = re.compile(r"([0-9]{8})(?:[0-9]{6}|[0-9]{4})?(?:[T ]?[0-9]{2}:?[0-9]{2}.{0,20})?")
_WORD = r"([^\W\d_]{3,})"
_YEAR_MONTH_NAME = re.compile(r"([0-9]{4})[-/. ]+" + _WORD + r"[-/. ]+([0-9]{1,2})\.?" + _TIME)
_REIWA = re.compile(r"(R|令和) ?([0-9]{1,2})[-/.年] ?([0-9]{1,2})[-/.月] ?([0-9]{1,2})日?" + _TIME)
_YEAR_MONTH_SIGN = re.compile(r"([0-9]{4}) ?[年년] ?([0-9]{1,2}) ?[月월] ?([0-9]{1,2}) ?[日일]" + _TIME)
_DAY_MONTH_NAME = re.compile(
    r"(?:[^\W\d_]{2,12}\.?,? )?([0-9]{1,2})(?:st|nd|rd|th|er|º|\.)?[-/. ]*(?:de )?" + _WORD
    + r"\.?[-/., ]*(?:de )?'?([0-9]{4}|[0-9]{2})" + _TIME
)  # fmt: skip
_MONTH_NAME_DAY = re.compile(
    r"(?:[^\W\d_]{2,12}\.?,? )?" + _WORD + r"\.?[-/ ]*([0-9]{1,2})(?:st|nd|rd|th)?[-/, ]+'?([0-9]{4}|[0-9]{2})" + _TIME
)


#: How many cells' dates are kept at hand.
_KEPT = 20_000


class Order(StrEnum):
    """The order of the parts of a numeric date whose year does not lead with four digits."""

    DAY_MONTH_YEAR = "dmy"
    MONTH_DAY_YEAR = "mdy"
    YEAR_MONTH_DAY = "ymd"


def read_date(text: str, order: Order = Order.DAY_MONTH_YEAR) -> date | None:
    """Read a date in any common written form; a time of day or a zone behind it is left off, not converted.

    ``order`` decides about 03/04/2026. Years of two digits lie between 1980 and 2059.
    """
    text = text.strip()
    if not 6 <= len(text) <= 60:
        return None
    for form, read in _FORMS:
        if match := form.fullmatch(text):
            return read(match, order)
    return None


def _read_year_first(match: re.Match[str], _: Order) -> date | None:
    return _date(_year(match[1]), int(match[3]), int(match[4]))


def _read_numeric(match: re.Match[str], order: Order) -> date | None:
    return _numeric_date(int(match[1]), int(match[3]), match[4], order)


def _read_compact(match: re.Match[str], order: Order) -> date | None:
    digits = match[1]
    year_first = _date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    return year_first or _numeric_date(int(digits[:2]), int(digits[2:4]), digits[4:], order)


def _read_year_month_name(match: re.Match[str], _: Order) -> date | None:
    return _date(_year(match[1]), month_of(match[2]), int(match[3]))


def _read_year_month_sign(match: re.Match[str], _: Order) -> date | None:
    return _date(int(match[1]), int(match[2]), int(match[3]))


def _read_reiwa(match: re.Match[str], _: Order) -> date | None:
    """Read a day in the years of Japan's emperor, of which 2019 was the first; behind a Latin R only one until now."""
    found = _date(2018 + int(match[2]), int(match[3]), int(match[4]))
    if found is None or match[1] != "R":
        return found
    return found if found >= _REIWA_BEGAN and found.year <= datetime.now(UTC).year else None  # else a number: R12-10-05


def _read_day_month_name(match: re.Match[str], _: Order) -> date | None:
    return _date(_year(match[3]), month_of(match[2]), int(match[1]))


def _read_month_name_day(match: re.Match[str], _: Order) -> date | None:
    return _date(_year(match[3]), month_of(match[1]), int(match[2]))


_FORMS = (
    (_YEAR_FIRST, _read_year_first),
    (_NUMERIC, _read_numeric),
    (_COMPACT, _read_compact),
    (_YEAR_MONTH_NAME, _read_year_month_name),
    (_REIWA, _read_reiwa),
    (_YEAR_MONTH_SIGN, _read_year_month_sign),
    (_DAY_MONTH_NAME, _read_day_month_name),
    (_MONTH_NAME_DAY, _read_month_name_day),
)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return found if FIRST_YEAR <= year <= LAST_YEAR else None


def _numeric_date(first: int, second: int, third: str, order: Order) -> date | None:
    if order is Order.YEAR_MONTH_DAY and len(third) == 2:
        return _date(_year(f"{first:02}"), second, int(third))
    if order is Order.MONTH_DAY_YEAR:
        first, second = second, first
    return _date(_year(third), second, first)


def _year(text: str) -> int:
    year = int(text)
    if len(text) == 4:
        return year - _BUDDHIST if year - _BUDDHIST >= FIRST_YEAR else year
    if year in _BUDDHIST_YEARS:
        return 2500 + year - _BUDDHIST
    return year + (2000 if year < 80 else 1900)


def month_of(name: str) -> int:
    """Return the number of the month that a name or the beginning of one means, 0 where it is none."""
    folded = _fold(name)
    return _MONTHS.get(folded) or _more_months().get(folded, 0)


def _fold(name: str) -> str:
    return "".join(
        c for c in unicodedata.normalize("NFKD", name.casefold().replace("ı", "i")) if not unicodedata.combining(c)
    )


class DateReader:
    """Reads the cells of one file, each distinct text once, in the order that the file as a whole decided."""

    def __init__(self, order: Order) -> None:
        """Keep the order; ``known`` is filled as cells come."""
        self.order = order
        self.known: dict[str, date | None] = {}

    def read(self, text: str) -> date | None:
        """Read one cell."""
        try:
            return self.known[text]
        except KeyError:
            if len(self.known) > _KEPT:
                self.known.clear()
            found = self.known[text] = read_date(text, self.order)
            return found


def date_part(cell: str) -> str:
    """Return a cell without the time behind a numeric date: so many different ones there may be, and so few dates."""
    match = _NUMERIC.fullmatch(cell.strip())
    return f"{match[1]}{match[2]}{match[3]}{match[2]}{match[4]}" if match else cell.strip()


def settle_order(
    cells: Sequence[str],
    day_first: bool | None,
    *,
    stated: Order | None = None,
    certain: Order | None = None,
    likely: Order | None = None,
) -> Order:
    """Decide as :func:`find_order` does by what the person said, or is ``stated`` of such files.

    Raises ``AmbiguousDates`` where nothing decides.
    """
    told = stated
    if day_first is not None:
        told = Order.DAY_MONTH_YEAR if day_first else Order.MONTH_DAY_YEAR
    order = find_order(cells, told=told, certain=certain, likely=likely)
    cell = first_ambiguous(cells) if order is None else None
    if cell is not None:
        readings = [read_date(cell, way) for way in (Order.DAY_MONTH_YEAR, Order.MONTH_DAY_YEAR)]
        raise AmbiguousDates(quote(cell), *filter(None, readings))
    return order or Order.DAY_MONTH_YEAR


def find_order(
    cells: Sequence[str], *, told: Order | None = None, certain: Order | None = None, likely: Order | None = None
) -> Order | None:
    """Decide for a whole file what 03/04/2026 means; None if nothing decides it.

    In this order: a cell that is a date in one order only; points between the parts (day first everywhere); what the
    person ``told``; the ``certain`` evidence of the file's language; an order in which the dates run steadily while in
    the other they jump; the ``likely`` evidence of its currency and words.
    """
    parts = [match for cell in dict.fromkeys(cells) if (match := _NUMERIC.fullmatch(cell.strip()))]
    numbers = [(int(match[1]), int(match[3]), match[4]) for match in parts]
    if not numbers:
        return Order.DAY_MONTH_YEAR
    readable = {order: sum(_numeric_date(*number, order) is not None for number in numbers) for order in Order}
    if _is_year_first(numbers, readable):
        return Order.YEAR_MONTH_DAY
    day_first, month_first = readable[Order.DAY_MONTH_YEAR], readable[Order.MONTH_DAY_YEAR]
    if day_first != month_first:
        return Order.DAY_MONTH_YEAR if day_first > month_first else Order.MONTH_DAY_YEAR
    if all(first == second for first, second, _ in numbers) or all(match[2] == "." for match in parts):
        return Order.DAY_MONTH_YEAR
    return told or certain or _steady_order(numbers) or likely


def _is_year_first(numbers: list[tuple[int, int, str]], readable: dict[Order, int]) -> bool:
    """Tell ``24-12-31`` (the year leads) from ``31-12-24``: its first part hardly changes, its last part does."""
    if any(len(third) == 4 for _, _, third in numbers) or not readable[Order.YEAR_MONTH_DAY]:
        return False
    others = max(readable[Order.DAY_MONTH_YEAR], readable[Order.MONTH_DAY_YEAR])
    if readable[Order.YEAR_MONTH_DAY] != others:
        return readable[Order.YEAR_MONTH_DAY] > others
    years, days = {first for first, _, _ in numbers}, {third for _, _, third in numbers}
    return max(years) - min(years) <= 3 and len(days) > 10


def _steady_order(numbers: Iterable[tuple[int, int, str]]) -> Order | None:
    """Return the order in which the dates only rise or only fall, if it is one of the two and there are enough."""
    steady = []
    for order in (Order.DAY_MONTH_YEAR, Order.MONTH_DAY_YEAR):
        dates = [found for number in numbers if (found := _numeric_date(*number, order))]
        pairs = list(pairwise(dates))
        if len(dates) >= 5 and (all(a <= b for a, b in pairs) or all(a >= b for a, b in pairs)):
            steady.append(order)
    return steady[0] if len(steady) == 1 else None


def first_ambiguous(cells: Iterable[str]) -> str | None:
    """Return the first cell that is one date with the day first and another with the month first."""
    for cell in cells:
        readings = read_date(cell, Order.DAY_MONTH_YEAR), read_date(cell, Order.MONTH_DAY_YEAR)
        if None not in readings and readings[0] != readings[1]:
            return cell
    return None
