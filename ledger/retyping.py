"""What rows become as their account is of another type, becomes part of another account, or goes: kinds, and transfers.

Nothing is written here: the plan is what a person is shown, and what is then done (:mod:`ledger.restating`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.bought import read_bought
from ledger.by_hand import BY_HAND
from ledger.categories import Source
from ledger.judgement import Judge
from ledger.kinds import Ground
from ledger.means import means_of
from ledger.pairing import is_purchase
from ledger.restating import Rewritten, State, Word, read_refunds_of, read_rows, read_rows_of
from ledger.rewriting import kind_of_refund
from ledger.stated_rows import statement_row
from ledger.transactions import AccountType, Kind
from ledger.transfers import DAYS_APART, Candidate, kinds_as_pair, pair_transfers
from ledger.visibility import shows
from ledger.working import aside

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.judgement import Judged

_rows = schema.transactions.c
_accounts = schema.accounts.c
_AT_ONCE = 400
#: The types of account by which rows are judged in another way than those of a current account.
_JUDGED_APART = frozenset({AccountType.CREDIT_CARD, AccountType.LOAN, AccountType.INVESTMENT})
#: What moves in them is the person's own money, but for what is earned and charged there.
_HOLDS_OWN = frozenset({AccountType.LOAN, AccountType.INVESTMENT})


@dataclass(frozen=True, slots=True)
class Turn:
    """What becomes of an account's rows: they are of an account of this type, in another one (``into``), or go (``without``)."""

    account_id: int
    type: AccountType | None
    into: int | None = None
    without: frozenset[int] = frozenset()


async def plan_turn(connection: AsyncConnection, ledger_id: int, turn: Turn) -> list[Rewritten]:
    """Return the rows of a ledger that become something else, the account's own and the other sides of transfers."""
    types = await _types(connection, ledger_id)
    before = types[turn.account_id]
    if not turn.without and turn.into is None and _reads_alike(before, turn.type):
        return []
    word = await Word.read(connection, ledger_id)
    rows = await read_rows(connection, ledger_id, _rows.account_id == turn.account_id)
    alone = {row.id: _alone(row, word) for row in rows}
    if _judged_as(before) != _judged_as(turn.type):
        judge = Judge((), await read_bought(connection, ledger_id))
        for start in range(0, len(rows), _AT_ONCE):
            some = rows[start : start + _AT_ONCE]
            alone |= await aside(lambda some=some: _judged(some, judge, word, before, turn.type))  # type: ignore[misc]
    pairing = _Pairing(ledger_id, turn, types, word, {row.id: row for row in rows}, alone)
    after = await pairing.settle(connection)
    was = {key: State.of(row) for key, row in pairing.rows.items()}
    turned = {key for key in was if was[key] != after[key]}
    # Both sides of a transfer go together, so that it can be put back.
    turned |= {side for key in turned for side in (was[key].pair, after[key].pair) if side in was}
    found = [
        Rewritten(key, row.amount_minor, row.currency, bool(row.shows), was[key], after[key])
        for key, row in sorted(pairing.rows.items())
        if key in turned
    ]
    refunded = {each.id: each.after.kind for each in found if pairing.rows[each.id].refunded}
    return found + await _following(connection, ledger_id, refunded)


async def _following(connection: AsyncConnection, ledger_id: int, purchases: Mapping[int, Kind]) -> list[Rewritten]:
    """Return what becomes of the refunds of purchases that are of these kinds, by the purchases' ids."""
    found = []
    for row, purchase in await read_refunds_of(connection, ledger_id, purchases):
        before, kind = State.of(row), kind_of_refund(purchases[purchase], row.amount_minor)
        if before.kind is not kind:
            after = replace(before, kind=kind)
            found.append(Rewritten(row.id, row.amount_minor, row.currency, bool(row.shows), before, after, linked=True))
    return found


def _judged_as(account_type: AccountType | None) -> AccountType | None:
    return account_type if account_type in _JUDGED_APART else None


def _reads_alike(one: AccountType | None, other: AccountType | None) -> bool:
    """Whether rows of both types are judged and paired alike; what type an account is may also be unknown."""
    return _judged_as(one) == _judged_as(other) and (one is None) == (other is None)


async def _types(connection: AsyncConnection, ledger_id: int) -> dict[int, AccountType | None]:
    query = sa.select(_accounts.id, _accounts.type).where(_accounts.ledger_id == ledger_id)
    found = (await connection.execute(query)).all()
    return {row.id: AccountType(row.type) if row.type else None for row in found}


def _alone(row: Any, word: Word) -> State:
    """Return what a row is without another side; a refund that is linked to a purchase has none, and follows that one."""
    if row.linked:
        return State.of(row)
    state = replace(State.of(row), pair=None)
    counted = state.own if state.ground is Ground.PERSON else word.counted(row, state.own)
    return replace(state, kind=counted)


def _judged(
    rows: Sequence[Any], judge: Judge, word: Word, before: AccountType | None, after: AccountType | None
) -> dict[int, State]:
    """Return what rows are in an account of another type; what the person said of one, or wrote down by hand, stays."""
    found = {}
    for row in rows:
        if row.kind_ground == Ground.PERSON or row.identity.startswith(BY_HAND):
            continue
        stated = statement_row(row)
        was, now = judge.judge(stated, before), judge.judge(stated, after)
        state = _taken_over(State.of(row), was, now, after)
        turned = AccountType.CREDIT_CARD in (before, after) or state.own.value != row.own_kind
        means = means_of(stated, state.own, after) if turned else row.means
        found[row.id] = replace(state, kind=word.counted(row, state.own), means=str(means), pair=None)
    return found


def _taken_over(state: State, was: Judged, now: Judged, after: AccountType | None) -> State:
    """Return a state with the difference between two judgements.

    A row that was judged by more than is known of it now stays what it is, but in an account that holds one's own money.
    """
    if (was.kind, was.ground) == (now.kind, now.ground):
        return state
    if state.own is not was.kind and not (after in _HOLDS_OWN and now.kind is Kind.TRANSFER):
        return state
    turned = replace(state, own=now.kind, ground=now.ground)
    of_kind = Source.KIND in (state.source, now.category_source) or (state.category, state.source) == (
        was.category,
        was.category_source,
    )
    if state.source == Source.FILE or not of_kind:
        return turned
    return replace(turned, category=now.category, source=now.category_source)


@dataclass(slots=True)
class _Pairing:
    """Which transfers stand once rows have turned, and which begin or end."""

    ledger_id: int
    turn: Turn
    types: Mapping[int, AccountType | None]
    word: Word
    rows: dict[int, Any]
    """The account's, and the other ones that are looked at, by their ids."""
    alone: dict[int, State]
    """What each of them is without another side."""

    async def settle(self, connection: AsyncConnection) -> dict[int, State]:
        """Return what each row is in the end."""
        own = list(self.rows.values())
        sides = {row.pair_id for row in own if row.pair_id is not None}
        self._look_at(await read_rows_of(connection, self.ledger_id, sides - self.rows.keys()))
        after = dict(self.alone)
        for row in own:
            other = self.rows.get(row.pair_id)
            kinds = None if other is None or self._goes(row) else self._kinds(row, other)
            if other is not None and kinds is not None:
                self._join(after, row.id, other.id, kinds)
        single = [row for row in self.rows.values() if after[row.id].pair is None and self._may_pair(row)]
        loose = {row.id: row for row in single if self._may_find_another(row)}
        free = await self._free_near(connection, list(loose.values()))
        self._look_at(free)
        after |= {row.id: self.alone[row.id] for row in free}
        sizes = {abs(row.amount_minor) for row in loose.values()}
        candidates = [*(row for row in single if abs(row.amount_minor) in sizes), *free]
        candidates.sort(key=lambda row: (row.booked_on, row.id))
        for pair in pair_transfers(map(self._side, candidates)):
            if pair.outgoing in loose or pair.incoming in loose:
                self._join(after, pair.outgoing, pair.incoming, (pair.outgoing_kind, pair.incoming_kind))
        return after

    def _look_at(self, rows: Iterable[Any]) -> None:
        for row in rows:
            self.rows[row.id] = row
            self.alone[row.id] = _alone(row, self.word)

    def _goes(self, row: Any) -> bool:
        return row.id in self.turn.without

    def _kinds(self, row: Any, other: Any) -> tuple[Kind, Kind] | None:
        """Return the kinds that two sides of a transfer have from now on; what the person said to be one stays it."""
        one, two = self._side(row), self._side(other)
        if row.kind_ground == other.kind_ground == Ground.PERSON:
            return (Kind(row.kind), Kind(other.kind)) if one.account != two.account else None
        return kinds_as_pair(one, two)

    def _may_pair(self, row: Any) -> bool:
        free = bool(row.shows) and not self._goes(row) and not row.refunded
        return free and row.kind_ground != Ground.PERSON

    def _may_find_another(self, row: Any) -> bool:
        """Whether a row may be a side of a transfer that it was none of: it was of another, is judged anew, or money comes in.

        Of money that goes out the type of its own account says nothing.
        """
        state = self.alone[row.id]
        judged_anew = (state.own.value, state.ground.value) != (row.own_kind, row.kind_ground)
        of_type = row.amount_minor > 0 and row.account_id == self.turn.account_id
        retyped = self.types[self.turn.account_id] is not self.turn.type
        return row.pair_id is not None or judged_anew or (of_type and retyped)

    def _side(self, row: Any) -> Candidate:
        """Return a row as a side of a transfer, in the account that it is to be in."""
        state, account, account_type = self.alone[row.id], row.account_id, self.types[row.account_id]
        if account == self.turn.account_id:
            account, account_type = self.turn.into or account, self.turn.type
        day = date.fromisoformat(row.booked_on)
        return Candidate(
            row.id, account, account_type, day, row.amount_minor, row.currency, state.kind, state.ground
        )  # fmt: skip

    def _join(self, after: dict[int, State], one: Any, other: Any, kinds: tuple[Kind, Kind]) -> None:
        after[one] = replace(self.alone[one], kind=kinds[0], pair=other)
        after[other] = replace(self.alone[other], kind=kinds[1], pair=one)

    async def _free_near(self, connection: AsyncConnection, loose: Sequence[Any]) -> list[Any]:
        """Return the rows elsewhere that are no side of a transfer and may be the other one of those."""
        if not loose:
            return []
        days = [date.fromisoformat(row.booked_on) for row in loose]
        reach = timedelta(days=DAYS_APART)
        near = (
            shows(self.ledger_id)
            & _rows.pair_id.is_(None)
            & (_rows.kind_ground != Ground.PERSON.value)
            & ~is_purchase(self.ledger_id)
            & (_rows.account_id != self.turn.account_id)
            & _rows.booked_on.between((min(days) - reach).isoformat(), (max(days) + reach).isoformat())
        )
        amounts = sorted({-row.amount_minor for row in loose} | {row.amount_minor for row in loose})
        found: dict[int, Any] = {}
        for some in _parts(amounts):
            rows = await read_rows(connection, self.ledger_id, near & _rows.amount_minor.in_(some))
            found |= {row.id: row for row in rows if row.id not in self.rows}
        return list(found.values())


def _parts(amounts: Collection[int]) -> list[list[int]]:
    ordered = list(amounts)
    return [ordered[start : start + _AT_ONCE] for start in range(0, len(ordered), _AT_ONCE)]
