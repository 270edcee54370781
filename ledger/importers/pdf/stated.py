"""What a statement states of itself: balances, totals, its period, its currency."""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from ledger.importers.amounts import read_amount
from ledger.importers.currencies import SHARED, currency_of
from ledger.importers.dates import FIRST_YEAR, LAST_YEAR, Order, month_of, read_date
from ledger.importers.pdf.labels import Label, codes_in, dollars_in, label_of, pattern_of, says_debit
from ledger.importers.pdf.tokens import Kind, Token, tokens_of
from ledger.importers.table.vocabulary import Role, fold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from decimal import Decimal

    from ledger.importers.amounts import DecimalMark
    from ledger.importers.pdf.lines import Line
    from ledger.importers.pdf.rows import StatedLine

#: In parts of a line's height: the gap between two labels of a box, and how far below its label a value stands at most.
_BETWEEN_LABELS, _BELOW = 1.2, 3.2
_LINES_BELOW = 2
#: A day that stands by itself in one of so many first lines, with so many words beside it, is the statement's own.
_TOP, _ALONE = 12, 4
#: The longest stretch of time that a statement is of, in days.
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Stated:
    """A balance or total that a statement states, where, and with which sign.

    ``value`` is as written, ``side`` what stands beside it: 1 for money in credit, -1 for money owed, 0 for neither.
    """

    label: Label
    value: Decimal
    side: int
    line: int
    day: str = ""

    def owned(self, *, owed: bool) -> Decimal:
        """Return the balance, negative for money owed; ``owed`` says that one without a mark is owed."""
        if self.side:
            return abs(self.value) * self.side
        return -self.value if owed else self.value


def _stated(label: Label, text: str, amount: str, place: tuple[int, str], mark: DecimalMark) -> Stated | None:
    """Return what a label and the amount beside it state on a line and a day; None if that is no amount."""
    found = read_amount(amount, mark)
    if found is None:
        return None
    side = found.side or (says_debit(text) if found.value > 0 else 0)
    return Stated(label, found.value, side, *place)


def of_tables(lines: Iterable[StatedLine], mark: DecimalMark) -> Iterator[Stated]:
    """Yield what lines within tables state; an amount in a column for money out or in has its side by that."""
    for line in lines:
        totals = line.label in {Label.TOTAL, Label.TOTAL_IN, Label.TOTAL_OUT}
        for role, amount in line.amounts.items():
            label = line.label
            if totals and label is Label.TOTAL:
                label = {Role.DEBIT: Label.TOTAL_OUT, Role.CREDIT: Label.TOTAL_IN}.get(role, label)
            found = _stated(label, line.text, amount, (line.line.number, line.day), mark)
            if found is None or (not totals and role is not Role.BALANCE and Role.BALANCE in line.amounts):
                continue
            side = 0 if totals or role not in {Role.DEBIT, Role.CREDIT} else -1 if role is Role.DEBIT else 1
            yield Stated(label, found.value, found.side or side, found.line, found.day)


def of_boxes(lines: Sequence[Line], used: Collection[int], mark: DecimalMark) -> Iterator[Stated]:
    """Yield what stands beside the tables, where a label has its amount behind or below it."""
    tokens = {line.number: tokens_of(line.words, line.size) for line in lines if line.number not in used}
    for place, line in enumerate(lines):
        if line.number not in tokens:
            continue
        for run, amount in _labelled(tokens[line.number], line.size):
            text = " ".join(token.text for token in run)
            label = label_of(text)
            if label is None:
                continue
            value = amount or _below(lines, tokens, place, run)
            if value is not None:
                day = next((token.text for token in run if token.kind is Kind.DATE), "")
                found = _stated(label, text, value.text, (line.number, day), mark)
                if found is not None:
                    yield found


def _labelled(tokens: Sequence[Token], size: float) -> Iterator[tuple[list[Token], Token | None]]:
    """Yield the runs of words of a line, each with the amount right behind it, if there is one."""
    run: list[Token] = []
    for token in tokens:
        if token.kind is Kind.MONEY:
            if run:
                yield run, token
            run = []
            continue
        if run and token.x0 - run[-1].x1 > _BETWEEN_LABELS * size and token.kind is Kind.TEXT:
            yield run, None
            run = []
        run.append(token)
    if run:
        yield run, None


def _below(lines: Sequence[Line], tokens: dict[int, list[Token]], place: int, run: Sequence[Token]) -> Token | None:
    """Return the amount that stands below a label, if nothing else does in between."""
    top = lines[place]
    for line in lines[place + 1 : place + 1 + _LINES_BELOW]:
        if line.page != top.page or line.y - top.y > _BELOW * top.size or line.number not in tokens:
            return None
        below = [each for each in tokens[line.number] if min(each.x1, run[-1].x1) > max(each.x0, run[0].x0)]
        if below:
            return below[0] if len(below) == 1 and below[0].kind is Kind.MONEY else None
    return None


_NAMED = r"[^\W\d_]{3,12}\.?"
_ORDINAL = r"(?:st|nd|rd|th|er|\.)?"
_DAY = (
    r"(?:[0-9]{1,4}[./-] ?[0-9]{1,2}[./-] ?[0-9]{2,4}"
    rf"|[0-9]{{1,2}}{_ORDINAL}[- .]*(?:de )?{_NAMED},?[- .]*(?:de )?[0-9]{{2,4}}"
    rf"|{_NAMED} ?[0-9]{{1,2}}{_ORDINAL},? [0-9]{{4}})"
)
_DAY_ALONE = (
    r"(?:[0-9]{1,2}[./-][0-9]{1,2}[./-]?"
    rf"|[0-9]{{1,2}}{_ORDINAL}[- .]*{_NAMED}|{_NAMED} ?[0-9]{{1,2}}{_ORDINAL})"
)
_UNTIL = r" ?(?:-|–|—|to|through|thru|until|till|til|bis(?: zum)?|au|al|a|tot(?: en met)?|t/m|do|and|und|et) ?"
_PERIOD = re.compile(rf"(?<![0-9./-])({_DAY}|{_DAY_ALONE}){_UNTIL}({_DAY})(?![0-9])", re.IGNORECASE)
_MONTH = re.compile(r"(?<![0-9] )(?<![0-9][.-])\b([^\W\d_]{3,12}) ([0-9]{4})\b")
_ABOUT = pattern_of(
    r"\b(?:statement|kontoauszug|auszug|abrechnung|rechnung|releve|extracto|estratto|extrato|afschrift|rekeningoverzicht|"
    r"kontoutdrag|kontoutskrift|kontoudskrift|period|zeitraum|periode|month|monat)"
)
_ANY_DAY = re.compile(rf"(?<![0-9./-]){_DAY}(?![0-9])", re.IGNORECASE)
_DATED = pattern_of(
    r"\b(?:statement|closing|issue|issued|invoice|billing|rechnungsdatum|abrechnungsdatum|auszugsdatum|erstellt|datum|"
    r"date d arrete|arrete|fecha de corte|date|dato)\b"
)


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time that a document names, both days included."""

    start: date
    end: date

    @property
    def days(self) -> int:
        """How long it is."""
        return (self.end - self.start).days


def periods_in(lines: Iterable[Line], order: Order) -> list[Period]:
    """Return the stretches of time that a document names from one day to another, in its order; else whole months."""
    found: list[Period] = []
    months: list[Period] = []
    for line in lines:
        text = line.text[:400]
        for match in _PERIOD.finditer(text):
            period = _period(match[1], match[2], order)
            if period is not None and period not in found:
                found.append(period)
        if _ABOUT.search(fold(text)):
            months += [month for match in _MONTH.finditer(text) if (month := _month(match[1], int(match[2])))]
    return found or list(dict.fromkeys(months))


def _period(first: str, last: str, order: Order) -> Period | None:
    end = read_date(_plain(last), order)
    if end is None:
        return None
    start = read_date(_plain(first), order) if re.search(r"[0-9]{2}$", first) else None
    if start is None:
        start = _with_year(first, end, order)
    if start is None or not 0 <= (end - start).days <= _LONGEST:
        return None
    return Period(start, end)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" ,")


def _with_year(text: str, end: date, order: Order) -> date | None:
    """Return the last such day up to another one."""
    for year in (end.year, end.year - 1):
        found = day_in(text, year, order)
        if found is not None and found <= end:
            return found
    return None


def day_in(text: str, year: int, order: Order) -> date | None:
    """Return the day of a year that a text without one means, numbers in the given order."""
    text = text.strip(" ,").rstrip("./-")
    numbers = re.fullmatch(r"([0-9]{1,2})([./-])([0-9]{1,2})", text)
    if numbers:
        month_first = order is Order.MONTH_DAY_YEAR and numbers[2] != "."
        first, second = int(numbers[1]), int(numbers[3])
        return _day(year, *((first, second) if month_first else (second, first)))
    name, number = re.search(r"[^\W\d_]{3,12}", text), re.search(r"[0-9]{1,2}", text)
    return _day(year, month_of(name[0]), int(number[0])) if name and number else None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _month(name: str, year: int) -> Period | None:
    month = month_of(name)
    if not month or not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    return Period(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def stated_days(lines: Iterable[Line], order: Order) -> list[date]:
    """Return the days that a document gives for itself, such as its own date, where it names no stretch of time."""
    found = []
    for place, line in enumerate(lines):
        text = line.text[:400]
        alone = place < _TOP and len(_ANY_DAY.sub("", text).split()) <= _ALONE
        if alone or _DATED.search(fold(text)) or label_of(_ANY_DAY.sub("", text)):
            found += [day for match in _ANY_DAY.finditer(text) if (day := read_date(_plain(match[0]), order))]
    return found


def currency_in_document(lines: Sequence[Line], used: Collection[int], amounts: Iterable[str]) -> str | None:
    """Return the currency that a statement is in, by the signs at its amounts or the code that it names most."""
    signs = Counter(sign for amount in amounts for sign in re.findall(r"[€£₹]", amount))
    beside = "\n".join(line.text for line in lines if line.number not in used)
    if signs:
        return currency_of(signs.most_common(1)[0][0])
    best, dollars = Counter(codes_in(beside)).most_common(2), dollars_in(beside)
    if best and (len(best) == 1 or best[0][1] > 2 * best[1][1]) and (best[0][0] not in SHARED["$"] or len(dollars) < 2):
        return best[0][0]
    return dollars.pop() if len(dollars) == 1 else None
