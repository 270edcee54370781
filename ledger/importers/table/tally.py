"""What a table's amounts look like as a whole: counted row by row in one pass, with nothing kept of the rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from ledger.importers.table.uncounted import Uncounted

if TYPE_CHECKING:
    from collections.abc import Hashable

#: A column with more different words than this names no sides.
_MOST_WORDS = 80
#: The share of steps between balances that must fit.
_FITTING = Decimal("0.9")


class Written(NamedTuple):
    """The amount of one row as it stands: which column holds it, what is marked at it, or why there is none.

    ``column`` is -1 in a column for money out, +1 in one for money in, 0 in one for both. ``mark`` is that of ``CR``
    (+1) and ``DR`` (-1), ``fee`` what is charged on top, whichever way the amount went.
    """

    value: Decimal | None
    column: int = 0
    mark: int = 0
    plus: bool = False
    currency: str | None = None
    problem: str = ""
    fee: Decimal = Decimal(0)

    @property
    def signed(self) -> Decimal | None:
        """The amount as the file has it, less the fee: a minus, or the column for money out, is money out."""
        if self.value is None:
            return None
        return (abs(self.value) * self.column if self.column else self.value) - self.fee


@dataclass(slots=True)
class Signs:
    """How many amounts are above and below zero."""

    above: int = 0
    below: int = 0

    def add(self, value: Decimal) -> None:
        """Count one amount."""
        self.above += value > 0
        self.below += value < 0

    @property
    def count(self) -> int:
        """How many there are of both."""
        return self.above + self.below

    @property
    def usual(self) -> int:
        """The sign of most; + where they are as many."""
        return -1 if self.below > self.above else 1

    def __bool__(self) -> bool:
        return bool(self.above or self.below)


@dataclass(slots=True)
class _Run:
    """The last balance of one account, the amounts since then, and the amount beside it."""

    balance: Decimal
    amount: Decimal
    since: Decimal = Decimal(0)
    rows: int = 0


@dataclass(slots=True)
class BalanceTally:
    """How a running balance moves against the amounts, in rows from old to new and from new to old."""

    runs: dict[Hashable, _Run] = field(default_factory=dict)
    steps: int = 0
    hits: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, account: Hashable, amount: Decimal, balance: Decimal | None) -> None:
        """Take in one row; rows without a balance count with the next that has one."""
        run = self.runs.get(account)
        if balance is None:
            if run:
                run.since += amount
                run.rows += 1
            return
        if run:
            self.steps += 1
            change = balance - run.balance
            self._compare("up", change, run.since + amount, single=not run.rows)
            self._compare("down", -change, run.amount + run.since, single=not run.rows)
        self.runs[account] = _Run(balance, amount)

    def _compare(self, order: str, change: Decimal, amount: Decimal, *, single: bool) -> None:
        self.hits[order, "same"] += change == amount
        self.hits[order, "turned"] += change == -amount
        self.hits[order, "either"] += single and abs(change) == abs(amount)

    @property
    def best(self) -> int:
        """How many steps fit the amounts at all."""
        return max(self.hits["up", "either"], self.hits["down", "either"])

    @property
    def order(self) -> str | None:
        """Whether rows go from old to new (``up``) or from new to old (``down``), if the balance shows it."""
        up, down = self.hits["up", "either"], self.hits["down", "either"]
        best = max(up, down)
        if not self.steps or best < _FITTING * self.steps or up == down:
            return None
        return "up" if up > down else "down"

    def fits(self, reading: str) -> bool:
        """Whether the balance moves as the amounts are written (``same``), or always the other way (``turned``)."""
        other = "turned" if reading == "same" else "same"
        best = max(self.hits["up", reading], self.hits["down", reading])
        least = max(self.hits["up", other], self.hits["down", other])
        return bool(self.steps) and best >= _FITTING * self.steps and best > least


@dataclass(slots=True)
class Tally:
    """What is counted in the first pass over a table."""

    amounts: Signs = field(default_factory=Signs)
    debits: Signs = field(default_factory=Signs)
    credits: Signs = field(default_factory=Signs)
    marked: Counter[int] = field(default_factory=Counter)
    pluses: int = 0
    zeros: int = 0
    total: Decimal = Decimal(0)
    words: dict[int, dict[str, Signs]] = field(default_factory=dict)
    """What stands in the columns that may name sides: in those with few enough different words."""
    crowded: set[int] = field(default_factory=set)
    by_account: BalanceTally = field(default_factory=BalanceTally)
    as_one: BalanceTally = field(default_factory=BalanceTally)
    uncounted: Uncounted = field(default_factory=Uncounted)

    def add(
        self, number: int, written: Written, words: dict[int, str], account: Hashable, balance: Decimal | None
    ) -> None:
        """Take in one row: its number and amount, the words of the columns that may name a side, and its balance."""
        value, signed = written.value, written.signed
        if value is None or not signed:
            self.zeros += value is not None
            return
        self.total += signed
        (self.amounts, self.credits, self.debits)[written.column].add(value)
        self.marked[written.mark] += 1
        self.pluses += written.plus and value > 0
        for column, word in words.items():
            seen = self.words.setdefault(column, {})
            seen.setdefault(word, Signs()).add(value)
            if len(seen) > _MOST_WORDS:
                self.crowded.add(column)
                del self.words[column]
        if balance is not None or self.as_one.runs:
            self.by_account.add(account, signed, balance)
            self.as_one.add(None, signed, balance)
        self.uncounted.add(account, number, has_balance=balance is not None)

    @property
    def moved(self) -> bool:
        """Whether any amount is not zero."""
        return bool(self.amounts or self.debits or self.credits)

    @property
    def balance(self) -> BalanceTally:
        """How the balance runs: over all rows, or by account where that fits better (a card's number may be none)."""
        return max(self.as_one, self.by_account, key=lambda tally: tally.best)
