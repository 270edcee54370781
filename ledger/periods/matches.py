"""What a rule of the grammar gives back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, TypeAlias

from ledger.periods.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ledger.periods.spans import Node, Recurring, Unit
    from ledger.periods.tokens import Sentence


class Cue(Enum):
    """What a phrase needs around it in a sentence to count as a period; alone in its text it always does."""

    NONE = auto()
    MONTH = auto()  # "may", "march"
    YEAR = auto()  # "2025"
    WEEKDAY = auto()  # "tuesday"
    SHORT_WEEKDAY = auto()  # "sat"
    SEASON = auto()  # "spring", "fall"
    NAMED_DAY = auto()  # "christmas" (gifts)
    DAY_NUMBER = auto()  # "the 5th" (avenue)
    PLAIN_DAY = auto()  # "5 october", which "top 5 october purchases" is not
    FIGURES = auto()  # "10/3", "3.10.", "20261003"
    DECIMAL = auto()  # "3.10"
    FOLLOW = auto()  # "this may"
    THE_UNIT = auto()  # "(for) the month"
    ENTIRE = auto()  # "30 days"


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase understood: what it means, the index after it, what it still needs, and the unit it names if one."""

    node: Node
    end: int
    cue: Cue = Cue.NONE
    unit: Unit | None = None
    weekdays: tuple[int, ...] = ()
    #: The year that was named, which a list hands on to its bare members: "September and October 2025".
    year: Node | None = None
    is_bare: bool = False
    #: What was put into the year, for "October 2025 vs 2024".
    recurring: Recurring | None = None


Rule: TypeAlias = "Callable[[Sentence, int], Match | None]"


class Rules:
    """Rules to try at a token: only those that can begin with one of the parts that its words play."""

    __slots__ = ("_by_roles", "entries")

    def __init__(self, *entries: tuple[Rule, frozenset[Role]]) -> None:
        """Keep the rules with the parts that they can begin with; of equally long matches the earlier rule's counts."""
        self.entries = entries
        self._by_roles: dict[frozenset[Role], tuple[Rule, ...]] = {}

    @property
    def openers(self) -> frozenset[Role]:
        """The parts that any of the rules can begin with."""
        return frozenset[Role]().union(*(roles for _, roles in self.entries))

    def longest(self, words: Sentence, index: int) -> Match | None:
        """Return the match that reaches furthest; each token is tried once."""
        index = words.settled[index]
        key = (id(self), index)
        if key not in words.memo:
            words.memo[key] = furthest(self._rules(frozenset(words.senses[index])), words, index)
        return words.memo[key]

    def _rules(self, roles: frozenset[Role]) -> tuple[Rule, ...]:
        rules = self._by_roles.get(roles)
        if rules is None:
            rules = tuple(rule for rule, openers in self.entries if not openers.isdisjoint(roles))
            self._by_roles[roles] = rules
        return rules


def furthest(rules: Iterable[Rule], words: Sentence, index: int) -> Match | None:
    """Return the longest of the rules' matches; among equals the first rule's."""
    best: Match | None = None
    for rule in rules:
        match = rule(words, index)
        if match is not None and (best is None or match.end > best.end):
            best = match
    return best


def opening(rule: Rule, *roles: Role) -> tuple[Rule, frozenset[Role]]:
    """Return the rule with the parts that it can begin with."""
    return rule, frozenset(roles)
