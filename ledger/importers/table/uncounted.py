"""The rows at the newest end of a table that its running balance does not count: the bank has not booked them yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

#: More rows than this are not pending: the column then holds no balance of theirs.
_MOST = 200
_LEAST_COUNTED = 2
REASON = "the running balance does not count it, so it is not booked yet"


@dataclass(slots=True)
class _Account:
    """The rows of one account so far: those above its first balance, those below its last, and how many have one."""

    above: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    counted: int = 0
    broken: bool = False
    """Whether a row between two balances has none, or too many have none."""

    def add(self, number: int, *, has_balance: bool) -> None:
        if has_balance:
            self.counted += 1
            self.broken = self.broken or bool(self.below)
            return
        run = self.below if self.counted else self.above
        run.append(number)
        if len(run) > _MOST:
            self.broken = True
            run.clear()

    def newest(self, order: str) -> list[int]:
        """Return the rows of the newest end that have no balance, if all others have one."""
        run, other = (self.below, self.above) if order == "up" else (self.above, self.below)
        return [] if other or len(run) > self.counted or self.counted < _LEAST_COUNTED else run


@dataclass(slots=True)
class Uncounted:
    """Which rows stand without a balance, by account."""

    accounts: dict[Hashable, _Account] = field(default_factory=dict)

    def add(self, account: Hashable, number: int, *, has_balance: bool) -> None:
        """Take in one row that moves money, by its number."""
        found = self.accounts.get(account)
        if found is None:
            found = self.accounts[account] = _Account()
        found.add(number, has_balance=has_balance)

    def newest(self, order: str | None) -> frozenset[int]:
        """Return the numbers of the rows at the newest end, where rows go from old to new (``up``) or back (``down``).

        None where a balance stands on some rows only, such as the last one of each day.
        """
        found = [each for each in self.accounts.values() if each.counted]
        if order is None or any(each.broken for each in found):
            return frozenset()
        return frozenset(self._numbers(found, order))

    @staticmethod
    def _numbers(accounts: list[_Account], order: str) -> Iterator[int]:
        for account in accounts:
            yield from account.newest(order)
