"""What a question may mean beside what the planner takes it for, so that a second witness can choose.

The reader's likelier acts, and those of the nearest lines of the bank, are tried one by one; what is left are those that come
to a call which takes the whole question.
A witness chooses one of them and may tell its parts (which money, which end …) otherwise than the reader, as far as the reader
thinks that possible; names, dates and amounts are read from the words, whoever chooses.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeGuard

from graph.planner.asking import OF_REGULAR, pattern_of
from graph.planner.settling import THEIRS, is_missing
from language.reader import PARTS, Told
from language.utterances import nearest
from ledger.recurring import recurring

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from graph.planner.asking import Asking
    from graph.planner.plan import Plan

#: So likely an act must be to be tried, and a part to be told otherwise; of so many near lines the acts are tried too.
_LIKELY_ACT, _LIKELY_PART, _NEAREST = 0.1, 0.1, 3
#: From here on a question is nobody's.
_NOBODYS = 0.5
#: The acts that tools of ours answer to which no meaning comes.
_BY_OTHER_TOOLS = frozenset({"settings", "notes", "categorise", "manage"})
#: The parts of some acts beside the money, by the reader's heads.
_PARTS_OF = {
    "average": ("per",), "extreme": ("dir",), "rank": ("dir", "by", "dim"), "series": ("grain",), "breakdown": ("dim",),
    "leftover": ("grain",), "recurring": ("want",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Meant:
    """What a question may mean."""

    asking: Asking
    acts: Mapping[str, Plan]
    """The acts that come to calls, the likeliest first."""
    plan: Callable[[Asking], Awaitable[Plan | None]]

    @property
    def not_ours(self) -> float:
        """How likely it is, as the reader tells, that nothing here has the answer."""
        ranked = self.asking.told["act"].ranked
        return sum(share for act, share in ranked if act == "smalltalk" or is_missing(act, self.asking))

    @property
    def by_other_tools(self) -> bool:
        """Whether it may ask for a tool of ours that no meaning comes to: a setting, a note, a rule."""
        told = self.asking.told["act"]
        return not self.acts or sum(map(told.of, _BY_OTHER_TOOLS)) >= _LIKELY_ACT

    def is_open_to(self, foreign: bool) -> bool:
        """Whether a second witness may find an answer: none where the reader says that the question is none of ours.

        With tools of somebody else's on offer, what is nothing to us may be theirs.
        """
        if foreign:
            return True
        ours = self.not_ours < _NOBODYS
        return ours and (bool(self.acts) or self.asking.told["act"].best in _BY_OTHER_TOOLS)

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """The parts of these acts that may be told otherwise, each as the reader's head and its answer."""
        told = self.asking.told
        heads = {"of", *(head for act in self.acts for head in _PARTS_OF.get(act, ()))}
        return tuple(
            (head, answer)
            for head in PARTS
            if head in heads and told[head].sure < 1 - _LIKELY_PART
            for answer, share in told[head].ranked
            if share >= _LIKELY_PART
        )

    @property
    def pattern(self) -> str:
        """The question with placeholders for what it names."""
        return pattern_of(self.asking.reading)

    async def as_told(self, act: str, parts: Mapping[str, str]) -> Plan | None:
        """Return the calls where a witness tells the act and some of its parts; None where they come to none."""
        if act not in self.acts:
            return None
        if not parts:
            return self.acts[act]
        plan = await self.plan(await _told(self.asking, act, parts))
        return plan if _takes_all(plan) else None


async def meant_by(asking: Asking, plan: Callable[[Asking], Awaitable[Plan | None]]) -> Meant:
    """Return the acts of a question that a plan comes of: those that the reader thinks likely, and those of the nearest lines."""
    shares = {
        act: share for act, share in asking.told["act"].ranked if not is_missing(act, asking) and act not in THEIRS
    }
    likely = [act for act, share in shares.items() if share >= _LIKELY_ACT]
    pattern = pattern_of(asking.reading)
    near = await asyncio.to_thread(lambda: nearest().lines(pattern, shares, _NEAREST, most_of_act=1))
    acts: dict[str, Plan] = {}
    for act in dict.fromkeys((*likely, *(line.labels["act"] for line in near))):
        made = await plan(await _told(asking, act, {}))
        if _takes_all(made):
            acts[act] = made
    return Meant(asking, acts, plan)


def _takes_all(plan: Plan | None) -> TypeGuard[Plan]:
    """Whether a plan leaves no word aside: what the reader is unsure of is answered whole or asked back."""
    return plan is not None and plan.kind == "calls" and not plan.unread


async def _told(asking: Asking, act: str, parts: Mapping[str, str]) -> Asking:
    """Return the same as somebody is certain of it."""
    told = {**asking.told, **{head: Told(((answer, 1.0),)) for head, answer in {**parts, "act": act}.items()}}
    regular = await recurring(asking.context.ledger) if act in OF_REGULAR else ()
    return replace(asking, told=told, regular=regular)
