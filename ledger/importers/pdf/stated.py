"""What a statement states of itself: balances, totals, its period, its currency."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.importers.amounts import read_amount
from ledger.importers.currencies import SHARED, currency_of
from ledger.importers.pdf.labels import Label, codes_in, dollars_in, label_of, says_debit
from ledger.importers.pdf.tokens import Kind, Token, tokens_of
from ledger.importers.table.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from decimal import Decimal

    from ledger.importers.amounts import DecimalMark
    from ledger.importers.pdf.lines import Line
    from ledger.importers.pdf.rows import StatedLine

#: In parts of a line's height: the gap between two labels of a box, and how far below its label a value stands at most.
_BETWEEN_LABELS, _BELOW = 1.2, 3.2
_LINES_BELOW = 2


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
