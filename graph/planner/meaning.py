"""What a question means, in the words of the tools: what is to be told, of which money, about what, and when.

A question, a follow-up and a call all come to a meaning; a meaning comes to calls (:mod:`graph.planner.calls`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.periods import Period

#: What limits a question to some of its rows, under the names that the tools' parameters have.
CONSTRAINTS = (
    "category",
    "merchant",
    "account",
    "over",
    "under",
    "exclude",
    "exclude_largest",
    "text",
    "exclude_text",
    "means",
)
#: The constraints that say what a question is about.
SUBJECTS = ("category", "merchant")


@dataclass(frozen=True, slots=True)
class Meaning:
    """One thing that is asked for."""

    act: str
    """What is to be told: ``total``, ``count``, ``average``, ``extreme``, ``frequency``, ``exists``, ``rank``, ``rows``,
    ``series``, ``trend``, ``compare``, ``change``, ``share``, ``savings_rate``, ``current``, ``recurring``, ``upcoming``,
    ``duplicates``, ``unusual``, ``quiet_days``, ``above_average``, ``balance``, ``owed`` or ``status``."""
    of: str = "spending"
    """Which money: ``spending``, ``income``, ``salary``, ``refunds``, ``fees``, ``interest``, ``interest_charged``,
    ``transfers``, ``savings``, ``cash``, ``left`` (income less spending) or ``all``."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Its constraints, by parameter."""
    periods: tuple[Period, ...] = ()
    """When: none for all time, several for what is compared."""
    grain: str | None = None
    """A figure for each of these (``day`` … ``year``): in rows, or as an average."""
    by: str | None = None
    """What is ranked or broken down by: ``merchant``, ``category``, ``account``, ``month`` …"""
    ranked: str = "money"
    end: str = "largest"
    """Which end of a rank: ``largest``, ``smallest``, ``latest`` or ``first``; of a change ``up`` or ``down``."""
    nth: int = 1
    limit: int | None = None
    sort: str | None = None
    detail: str | None = None
    """What is told of something regular (``price``, ``since`` …), of a list of it (``sum``, ``new`` …), or looked at."""
    which: str = "all"
    """Which of what recurs: ``all``, ``subscriptions``, ``bills``, ``income`` or ``savings``."""
    whole: Meaning | None = None
    """What a share is of; to what the days are counted."""

    @property
    def period(self) -> Period | None:
        """All of its time as one stretch; None for all time."""
        if len(self.periods) < 2 or len({period.weekdays for period in self.periods}) > 1:
            return self.periods[0] if self.periods else None
        first, last = min(period.start for period in self.periods), max(period.end for period in self.periods)
        return replace(self.periods[0], start=first, end=last, phrase="")

    @property
    def is_bounded(self) -> bool:
        """Whether it is of a certain time."""
        period = self.period
        return period is not None and (period.start, period.end) != (date.min, date.max)

    @property
    def narrowed(self) -> bool:
        """Whether it is of rows that the bank's words tell apart: some text, in or out, or how they were paid."""
        return bool(self.about.keys() & {"text", "exclude_text", "means"})

    @property
    def is_of_everything(self) -> bool:
        """Whether it is all that was ever spent, which a word that was read for nothing may have asked something of."""
        return (self.act, self.of) == ("total", "spending") and not (self.about or self.periods)

    @property
    def named(self) -> bool:
        """Whether it names a category or a merchant."""
        return any(slot in self.about for slot in SUBJECTS)

    def but(self, **changes: Any) -> Meaning:
        """Return the same with changes."""
        return replace(self, **changes)

    def on(self, **constraints: Any) -> Meaning:
        """Return the same with other constraints; one that is None is dropped."""
        about = {**self.about, **constraints}
        return replace(self, about={key: value for key, value in about.items() if value is not None})

    def without(self, *constraints: str) -> Meaning:
        """Return the same without some constraints."""
        return replace(self, about={key: value for key, value in self.about.items() if key not in constraints})
