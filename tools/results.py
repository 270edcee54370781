"""What a tool returns: computed facts, what they were computed over, and how to show them.

A result never holds a finished sentence with figures in it. Its ``headline`` and ``notes`` are templates of ours whose
``{names}`` are facts (formatted for the reader's locale when shown) or texts from ``names``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from ledger.filters import Filter
from ledger.money import Money
from ledger.periods.period import Period
from tools.calls import Choice
from tools.changes import Change

Unit = Literal["money", "count", "percent", "date", "days", "text", "number"]
Value = Decimal | int | date | str


@dataclass(frozen=True, slots=True)
class Fact:
    """One computed value.

    ``label`` is words of ours and may enter a prompt; ``subject`` may hold names from the person's data and may not.
    ``value`` is a ``Decimal`` in major units for money and for percent (of a hundred), an ``int`` for counts and days.
    """

    id: str
    label: str
    value: Value
    unit: Unit
    currency: str | None = None
    how: str = ""
    subject: str = ""

    @classmethod
    def money(cls, name: str, label: str, amount: Money, *, how: str = "", subject: str = "") -> Fact:
        """Make a fact of an amount of money."""
        return cls(name, label, amount.amount, "money", amount.currency, how, subject)

    @classmethod
    def count(cls, name: str, label: str, value: int, *, how: str = "", subject: str = "") -> Fact:
        """Make a fact of a number of things."""
        return cls(name, label, value, "count", None, how, subject)


@dataclass(frozen=True, slots=True)
class Column:
    """A table column: its heading and what its cells are."""

    title: str
    unit: Unit = "text"
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of plain values under typed columns; money cells are ``Decimal`` in major units or ``Money``."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Value | Money | None, ...], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """One series over labels, in the given unit."""

    title: str
    labels: tuple[str, ...]
    values: tuple[Decimal, ...]
    currency: str | None = None
    kind: Literal["bar", "line"] = "bar"
    ticks: tuple[tuple[str, str], ...] = ()
    """Of values in order of time: the short name of each, and its year where the name does not say it."""
    flow: Literal["out", "in", ""] = ""
    """Which way the money went, where all of it went one way."""
    unfinished: bool = False
    """Whether the time of the last value is not over yet."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A question as data, which a follow-up edits: the tool and the arguments it ran with."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one tool call.

    ``behind`` are the filters whose rows the figures were computed over; ``details`` name facts that are worth a line.
    ``kind`` is ``empty`` where the scope holds no rows, and ``clarify`` where the tool needs to know more, in which case
    ``choices`` say what could be meant. It is ``unchanged`` where a tool that writes finds that all is as it should be.
    """

    headline: str
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    names: Mapping[str, Value | Money] = field(default_factory=dict)
    table: Table | None = None
    chart: Chart | None = None
    period: Period | None = None
    behind: tuple[Filter, ...] = ()
    kind: Literal["answer", "empty", "clarify", "unchanged"] = "answer"
    choices: tuple[Choice, ...] = ()
    listed: tuple[int, ...] = ()
    """The transactions that the answer shows one by one, in its order, so that "the second one" can be told."""
    change: Change | None = None
    """What is to be done once the person says yes; the headline and notes then say what, and before and after."""
    form: Literal["accounts", "settings"] | None = None
    """The form by which what is shown can be changed, where a platform has one."""
    focus: str | None = None
    """The focus mode that the conversation has from now on, empty for none; None leaves it as it is."""

    def fact(self, name: str) -> Fact:
        """Return the fact of that id; raises KeyError where there is none."""
        for fact in self.facts:
            if fact.id == name:
                return fact
        raise KeyError(name)
