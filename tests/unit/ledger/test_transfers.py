"""Pairing the two sides of transfers between own accounts."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.kinds import Ground
from ledger.transactions import AccountType, Kind
from ledger.transfers import DAYS_APART, Candidate, pair_transfers

CHECKING, SAVINGS, CARD, LOAN = AccountType.CHECKING, AccountType.SAVINGS, AccountType.CREDIT_CARD, AccountType.LOAN
SAYS, SIGN, BRAND, FILE = Ground.WORDS, Ground.SIGN, Ground.BRAND, Ground.FILE


def side(
    name: str,
    account: AccountType | None,
    day: int,
    amount: int,
    kind: Kind,
    ground: Ground,
    *,
    number: int = 0,
    currency: str = "USD",
) -> Candidate:
    booked = date(2026, 10, 1) + timedelta(days=day)
    return Candidate(name, (account, number), account, booked, amount, currency, kind, ground)


def pairs(*sides: Candidate) -> list[tuple[object, object]]:
    return [(pair.outgoing, pair.incoming) for pair in pair_transfers(sides)]


def test_both_sides_of_a_card_bill_are_card_payments() -> None:
    """The account that the money reaches tells the kind of both sides."""
    found = pair_transfers(
        [
            side("out", CHECKING, 0, -5000, Kind.CARD_PAYMENT, SAYS),
            side("in", CARD, 2, 5000, Kind.CARD_PAYMENT, SAYS),
        ]
    )
    assert [tuple(pair) for pair in found] == [("out", "in", Kind.CARD_PAYMENT, Kind.CARD_PAYMENT)]


def test_card_bill_pairs_with_an_unknown_payee() -> None:
    """The card's side says it, the checking account's side says nothing."""
    assert pairs(
        side("out", CHECKING, 0, -5000, Kind.PURCHASE, SIGN), side("in", CARD, 1, 5000, Kind.CARD_PAYMENT, SAYS)
    )


def test_savings_transfer() -> None:
    """One side says transfer; the other was taken for income by its sign."""
    found = pair_transfers(
        [side("out", CHECKING, 0, -5000, Kind.TRANSFER, SAYS), side("in", SAVINGS, 4, 5000, Kind.INCOME, SIGN)]
    )
    assert [tuple(pair) for pair in found] == [("out", "in", Kind.TRANSFER, Kind.TRANSFER)]


def test_loan_payment_stays_spending() -> None:
    """What leaves for an own loan account still counts; what arrives there does not."""
    found = pair_transfers(
        [side("out", CHECKING, 0, -5000, Kind.PURCHASE, SIGN), side("in", LOAN, 1, 5000, Kind.TRANSFER, FILE)]
    )
    assert [tuple(pair)[2:] for pair in found] == [(Kind.LOAN_PAYMENT, Kind.TRANSFER)]


@pytest.mark.parametrize(
    ("out", "into"),
    [
        # A salary is no transfer, whatever left another account that day.
        (side("o", CHECKING, 0, -5, Kind.TRANSFER, SAYS), side("i", SAVINGS, 0, 5, Kind.INCOME, SAYS)),
        (side("o", CHECKING, 0, -5, Kind.PURCHASE, SIGN), side("i", SAVINGS, 0, 5, Kind.INCOME, FILE)),
        # A known shop is one, and an unknown deposit is no partner for it.
        (side("o", CHECKING, 0, -5, Kind.PURCHASE, BRAND), side("i", SAVINGS, 0, 5, Kind.INCOME, SIGN)),
        # A shop's money back on a card is a refund, even when the same amount went to savings.
        (side("o", CHECKING, 0, -5, Kind.TRANSFER, SAYS), side("i", CARD, 0, 5, Kind.REFUND, BRAND)),
        (side("o", CHECKING, 0, -5, Kind.TRANSFER, SAYS), side("i", CARD, 0, 5, Kind.REFUND, SIGN)),
        # A card's bill is not paid into savings; a loan's rate not either.
        (side("o", CHECKING, 0, -5, Kind.CARD_PAYMENT, SAYS), side("i", SAVINGS, 0, 5, Kind.INCOME, SIGN)),
        (side("o", CHECKING, 0, -5, Kind.LOAN_PAYMENT, SAYS), side("i", SAVINGS, 0, 5, Kind.INCOME, SIGN)),
        # The file's category is the person's word.
        (side("o", CHECKING, 0, -5, Kind.PURCHASE, FILE), side("i", CARD, 0, 5, Kind.CARD_PAYMENT, SAYS)),
        # The same account, another currency, another amount, five days.
        (side("o", SAVINGS, 0, -5, Kind.TRANSFER, SAYS), side("i", SAVINGS, 0, 5, Kind.TRANSFER, SAYS)),
        (
            side("o", CHECKING, 0, -5, Kind.TRANSFER, SAYS),
            side("i", SAVINGS, 0, 5, Kind.TRANSFER, SAYS, currency="EUR"),
        ),
        (side("o", CHECKING, 0, -5, Kind.TRANSFER, SAYS), side("i", SAVINGS, 0, 6, Kind.TRANSFER, SAYS)),
        (side("o", CHECKING, 0, -5, Kind.TRANSFER, SAYS), side("i", SAVINGS, 5, 5, Kind.TRANSFER, SAYS)),
    ],
)
def test_never_paired(out: Candidate, into: Candidate) -> None:
    """These only look alike."""
    assert not pairs(out, into)


def test_two_silent_sides_pair_only_when_nothing_else_fits() -> None:
    """With a second possible partner nobody can tell which it was."""
    out = side("o", CHECKING, 0, -5000, Kind.PURCHASE, SIGN)
    first = side("a", SAVINGS, 1, 5000, Kind.INCOME, SIGN)
    second = side("b", SAVINGS, 2, 5000, Kind.INCOME, SIGN, number=2)
    assert pairs(out, first) == [("o", "a")]
    assert pairs(out, first, second) == []


def test_the_surest_then_the_nearest_wins() -> None:
    """A partner that says transfer beats a nearer one that says nothing; among equals the nearer wins."""
    out = side("o", CHECKING, 0, -5000, Kind.TRANSFER, SAYS)
    silent = side("silent", SAVINGS, 0, 5000, Kind.INCOME, SIGN)
    late = side("late", SAVINGS, 3, 5000, Kind.TRANSFER, SAYS, number=2)
    soon = side("soon", SAVINGS, 1, 5000, Kind.TRANSFER, SAYS, number=3)
    assert pairs(out, silent, late) == [("o", "late")]
    assert pairs(out, silent, late, soon) == [("o", "soon")]


def test_weekly_transfers_keep_to_their_weeks() -> None:
    """Equal amounts every week pair one to one, each with its own."""
    sides = [
        one
        for week in range(8)
        for one in (
            side(f"o{week}", CHECKING, 7 * week, -1000, Kind.TRANSFER, SAYS),
            side(f"i{week}", SAVINGS, 7 * week + 1, 1000, Kind.TRANSFER, SAYS),
        )
    ]
    assert sorted(pairs(*sides)) == [(f"o{week}", f"i{week}") for week in range(8)]


sides = st.builds(
    lambda account, day, amount, kind, ground: (account, day, amount, kind, ground),
    st.sampled_from([None, *AccountType]),
    st.integers(0, 12),
    st.sampled_from([-200, -100, 100, 200]),
    st.sampled_from(list(Kind)),
    st.sampled_from(list(Ground)),
)


@given(st.lists(sides, max_size=25))
@settings(deadline=None)
def test_pairs_are_one_to_one_and_opposite(drawn: list[tuple[AccountType | None, int, int, Kind, Ground]]) -> None:
    """Whatever is drawn: each side once, opposite amounts, two accounts, at most four days apart."""
    candidates = {
        number: side(str(number), account, day, amount, kind, ground)
        for number, (account, day, amount, kind, ground) in enumerate(drawn)
    }
    found = pair_transfers(candidates.values())
    used = Counter(str(name) for pair in found for name in (pair.outgoing, pair.incoming))
    assert all(times == 1 for times in used.values())
    for pair in found:
        out, into = candidates[int(str(pair.outgoing))], candidates[int(str(pair.incoming))]
        assert out.amount_minor == -into.amount_minor < 0
        assert out.account != into.account
        assert abs((out.booked_on - into.booked_on).days) <= DAYS_APART
        assert pair.incoming_kind in {Kind.TRANSFER, Kind.CARD_PAYMENT}
