"""Whether the rows of a statement come to what it states: from one balance to another, balance by balance, or by its totals."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from itertools import product
from typing import TYPE_CHECKING

from ledger.importers.pdf.labels import Label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.importers.pdf.stated import Stated

#: So many balances beside rows must follow from each other, where nothing else is stated.
_LEAST_STEPS = 2


@dataclass(slots=True)
class Claims:
    """What a statement states of one account: balances that may be its first or its last, and totals."""

    openings: list[Stated] = field(default_factory=list)
    closings: list[Stated] = field(default_factory=list)
    totals: list[Stated] = field(default_factory=list)

    @property
    def says_anything(self) -> bool:
        """Whether there is anything that rows can be held against."""
        return bool((self.openings and self.closings) or self.totals)


@dataclass(frozen=True, slots=True)
class Proof:
    """The balances before the first row and after the last, negative for money owed, None where only totals are stated."""

    opening: Decimal | None
    closing: Decimal | None
    closing_day: str = ""


def prove(
    amounts: Sequence[Decimal], balances: Sequence[Decimal | None], claims: Claims, *, owed: bool
) -> Proof | None:
    """Return how the rows are proved, None if they are not.

    ``balances`` are those printed beside the rows, negative for money owed; ``owed`` says the same of stated ones without a
    mark. Whatever else is proved, the balances beside the rows must follow from each other.
    """
    total = sum(amounts, Decimal(0))
    chain = _chain(amounts, balances)
    if chain is None and any(balance is not None for balance in balances):
        return None
    for first, last in product(claims.openings, claims.closings):
        opening, closing = first.owned(owed=owed), last.owned(owed=owed)
        if opening + total == closing and (chain is None or (opening, closing) == chain.ends):
            return Proof(opening, closing, last.day)
    if chain is not None:
        return Proof(*chain.ends) if _is_enough(chain, claims, owed=owed) else None
    return Proof(None, None) if _adds_up(amounts, claims) else None


def _is_enough(chain: _Chain, claims: Claims, *, owed: bool) -> bool:
    """Whether balances beside rows prove these by themselves: from a first one that is stated, or over several steps."""
    starts = any(each.owned(owed=owed) == chain.ends[0] for each in claims.openings)
    whole = chain.has_last and (starts or (chain.has_first and chain.steps >= _LEAST_STEPS))
    return whole and _agrees(chain, claims, owed=owed)


@dataclass(frozen=True, slots=True)
class _Chain:
    """Balances beside rows that follow from each other: before the first row and after the last, and from how many steps."""

    ends: tuple[Decimal, Decimal]
    steps: int
    has_first: bool
    """Whether the oldest row has a balance."""
    has_last: bool
    """Whether the newest row has one."""


def _chain(amounts: Sequence[Decimal], balances: Sequence[Decimal | None]) -> _Chain | None:
    """Return what the balances beside the rows come to, from old to new or from new to old, if they follow at every step."""
    for rising in (True, False):
        ordered = list(zip(amounts, balances, strict=True))
        if not rising:
            ordered.reverse()
        if (found := _follow(ordered)) is not None:
            return found
    return None


def _follow(rows: Sequence[tuple[Decimal, Decimal | None]]) -> _Chain | None:
    opening: Decimal | None = None
    running = Decimal(0)
    steps = 0
    for amount, balance in rows:
        running += amount
        if balance is None:
            continue
        if opening is None:
            opening = balance - running
        elif opening + running != balance:
            return None
        else:
            steps += 1
    if opening is None:
        return None
    return _Chain((opening, opening + running), steps, rows[0][1] is not None, rows[-1][1] is not None)


def _agrees(chain: _Chain, claims: Claims, *, owed: bool) -> bool:
    """Whether what is stated as the first and as the last balance, or of a day, is what the balances beside the rows come to."""
    sure = {
        Label.OPENING: [each for each in claims.openings if each.label is Label.OPENING or each.day],
        Label.CLOSING: [each for each in claims.closings if each.label is Label.CLOSING or each.day],
    }
    for end, label in zip(chain.ends, (Label.OPENING, Label.CLOSING), strict=True):
        stated = [each.owned(owed=owed) for each in sure[label]]
        if stated and end not in stated:
            return False
    return True


def _adds_up(amounts: Sequence[Decimal], claims: Claims) -> bool:
    """Whether money in and money out are each what a total states."""
    into = sum((amount for amount in amounts if amount > 0), Decimal(0))
    out = -sum((amount for amount in amounts if amount < 0), Decimal(0))
    stated = {
        label: {abs(each.value) for each in claims.totals if each.label is label}
        for label in (Label.TOTAL_IN, Label.TOTAL_OUT)
    }
    if not into and not out:
        return False
    none: set[Decimal] = {Decimal(0)}
    ins, outs = stated[Label.TOTAL_IN] or none, stated[Label.TOTAL_OUT] or none
    return into in ins and out in outs
