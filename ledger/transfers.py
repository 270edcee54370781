"""Finding the two sides of a transfer between a person's own accounts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from ledger.kinds import Ground
from ledger.transactions import AccountType, Kind

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence
    from datetime import date

#: The two sides of a transfer are booked at most this many days apart.
DAYS_APART = 4
#: What a side of a transfer can be.
MOVED = frozenset((Kind.TRANSFER, Kind.CARD_PAYMENT, Kind.LOAN_PAYMENT))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A transaction that may be one side of a transfer, with its kind so far and what that was judged by."""

    id: Hashable
    account: Hashable
    account_type: AccountType | None
    booked_on: date
    amount_minor: int
    currency: str
    kind: Kind
    ground: Ground


class Pair(NamedTuple):
    """The two sides of a transfer and the kinds that they have as such."""

    outgoing: Hashable
    incoming: Hashable
    outgoing_kind: Kind
    incoming_kind: Kind


def pair_transfers(candidates: Iterable[Candidate]) -> list[Pair]:
    """Return the pairs of opposite amounts between two own accounts, each side used once.

    The surest pairs come first (both sides say transfer, then one), among them the fewest days apart, then the order
    given. A side that the file or its words call something else never pairs. Two sides that say nothing pair only when
    neither has another partner.
    """
    groups: dict[tuple[str, int], tuple[list[Candidate], list[Candidate]]] = {}
    for candidate in candidates:
        if candidate.amount_minor and _strength(candidate) is not None:
            sides = groups.setdefault((candidate.currency, abs(candidate.amount_minor)), ([], []))
            sides[candidate.amount_minor > 0].append(candidate)
    pairs = [
        pair for outgoing, incoming in groups.values() if outgoing and incoming for pair in _match(outgoing, incoming)
    ]
    return [Pair(out.id, into.id, *_kinds(out, into)) for out, into in pairs]


def kinds_as_pair(one: Candidate, other: Candidate) -> tuple[Kind, Kind] | None:
    """Return the kinds that two sides have as one transfer, in their order; None where they are none."""
    out, into = (one, other) if one.amount_minor < other.amount_minor else (other, one)
    opposite = out.amount_minor == -into.amount_minor != 0 and out.currency == into.currency
    near = abs((into.booked_on - out.booked_on).days) <= DAYS_APART
    speaks = _strength(out) is not None and _strength(into) is not None
    if not (opposite and near and speaks and out.account != into.account and _fits(out, into)):
        return None
    first, second = _kinds(out, into)
    return (first, second) if out is one else (second, first)


#: How strongly a side speaks for a transfer; two of them added order the pairs.
_SAYS_SO, _SAYS_NOTHING, _IS_BRAND = 4, 2, 1
#: The most partners that one side is compared with; beyond that an amount is too common to tell.
_MOST_PARTNERS = 16


def _strength(candidate: Candidate) -> int | None:
    """Return how strongly a side speaks for a transfer, or nothing when it speaks against it."""
    if candidate.kind in MOVED:
        return _SAYS_SO
    if candidate.kind is Kind.LEFT_OUT:
        return None
    if candidate.ground is Ground.SIGN:
        return _SAYS_NOTHING
    return _IS_BRAND if candidate.ground is Ground.BRAND else None


def _match(outgoing: Sequence[Candidate], incoming: Sequence[Candidate]) -> list[tuple[Candidate, Candidate]]:
    possible = sorted(_possible(outgoing, incoming))
    partners_out = Counter(first for _, _, first, _ in possible)
    partners_in = Counter(second for _, _, _, second in possible)
    chosen: list[tuple[Candidate, Candidate]] = []
    used_out: set[int] = set()
    used_in: set[int] = set()
    for doubt, _, first, second in possible:
        if first in used_out or second in used_in:
            continue
        if doubt == -2 * _SAYS_NOTHING and (partners_out[first] > 1 or partners_in[second] > 1):
            continue
        used_out.add(first)
        used_in.add(second)
        chosen.append((outgoing[first], incoming[second]))
    return chosen


def _possible(outgoing: Sequence[Candidate], incoming: Sequence[Candidate]) -> Iterator[tuple[int, int, int, int]]:
    """Yield each possible pair as its doubt (less is surer), its days apart, and the places of its two sides."""
    order = sorted(range(len(incoming)), key=lambda place: (incoming[place].booked_on, place))
    days = [incoming[place].booked_on for place in order]
    for first, out in enumerate(outgoing):
        earliest = bisect_left(days, out.booked_on - timedelta(days=DAYS_APART))
        latest = bisect_right(days, out.booked_on + timedelta(days=DAYS_APART))
        for second in order[earliest : min(latest, earliest + _MOST_PARTNERS)]:
            into = incoming[second]
            if out.account != into.account and _fits(out, into):
                strength = (_strength(out) or 0) + (_strength(into) or 0)
                yield -strength, abs((into.booked_on - out.booked_on).days), first, second


def _fits(out: Candidate, into: Candidate) -> bool:
    """Tell whether what both sides say agrees: a card's bill is paid to a card, a loan's rate to a loan."""
    if out.kind is Kind.LOAN_PAYMENT and into.account_type is not AccountType.LOAN:
        return False
    if Kind.CARD_PAYMENT in {out.kind, into.kind}:
        return into.account_type in {AccountType.CREDIT_CARD, None} and _strength(into) != _IS_BRAND
    if into.account_type is AccountType.CREDIT_CARD:
        # Money in on a card without such a word is a refund, whatever left another account that day.
        return into.kind is Kind.TRANSFER
    strengths = {_strength(out), _strength(into)}
    return strengths == {_SAYS_NOTHING} or (_SAYS_SO in strengths and _strength(into) != _IS_BRAND)


def _kinds(out: Candidate, into: Candidate) -> tuple[Kind, Kind]:
    """Return the kinds of both sides: by the account that the money reaches."""
    if Kind.CARD_PAYMENT in {out.kind, into.kind}:
        return kinds_into(AccountType.CREDIT_CARD)
    return kinds_into(AccountType.LOAN if out.kind is Kind.LOAN_PAYMENT else into.account_type)


def kinds_into(account: AccountType | None) -> tuple[Kind, Kind]:
    """Return the kinds of both sides of money that reaches an account of such a type."""
    if account is AccountType.CREDIT_CARD:
        return Kind.CARD_PAYMENT, Kind.CARD_PAYMENT
    return (Kind.LOAN_PAYMENT if account is AccountType.LOAN else Kind.TRANSFER), Kind.TRANSFER
