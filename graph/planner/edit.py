"""What a follow-up changes of the question that stands: its subject, its limits, what is left out, its period."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from graph.planner.filling import union
from graph.planner.intents import CATEGORY, COMPARE, INCOME, MERCHANT, SUMMARY, adjoining
from graph.planner.vocabulary import INSTEAD
from ledger.periods import Period, find_periods
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.followups import Before
    from graph.planner.manner import Manner
    from graph.planner.reading import Reading
    from graph.turn import PastTurn
    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.slots.slot import Mention

TOTALS = (MERCHANT, CATEGORY, SUMMARY)
_NAMED = ("category", "merchant", "account")
_SMALL = frozenset("of the von vom der die das den dem bei at".split())
_AND = frozenset({"and", "or", "nor", "und", "oder", "plus", "with", "mit"})
#: First words of "with rent again", which lets in what was left out.
_WITH = frozenset({"with", "mit", "including", "include", "inklusive", "inkl", "incl"})
_TOTAL = frozenset({"total", "overall", "insgesamt", "gesamt"})
_MOST_PERIODS = 4


@dataclass(frozen=True, slots=True)
class Edit:
    """A follow-up beside the question that it changes."""

    reading: Reading
    manner: Manner
    base: Before
    past: Sequence[PastTurn]
    tools: Mapping[str, Tool]
    context: ToolContext

    def of(self, slot: str) -> tuple[Mention, ...]:
        """Return what the follow-up says of a slot."""
        return self.reading.of(slot)


def put_right(reading: Reading, base: Before) -> Reading:
    """Return a reading in which a swap of names is one: what is taken back is left out, and what replaces it is named.

    "Costco instead of Target" and, where Target was asked about, "not Target, Costco".
    """
    mentions = [
        mention if _takes_back(reading, mention) is None else replace(mention, excluded=True)
        for mention in reading.mentions
    ]
    standing_names = {*names_of(base.shared.get("category")), *names_of(base.shared.get("merchant"))}
    gone = next((m for m in mentions if _is_name(m) and m.excluded and set(names_of(m.value)) <= standing_names), None)
    if gone is not None:
        mentions = [
            replace(m, excluded=False) if m.excluded and _is_name(m) and _follows(reading, gone, m) else m
            for m in mentions
        ]
    return replace(reading, mentions=tuple(mentions))


def _is_name(mention: Mention) -> bool:
    return mention.slot in ("category", "merchant")


def _takes_back(reading: Reading, mention: Mention) -> str | None:
    """Return the word right before a name that says that another one replaces it."""
    if not _is_name(mention):
        return None
    told = [word.key for word in reading.words if word.end <= mention.start and word.key not in _SMALL][-1:]
    return told[0] if told and told[0] in INSTEAD else None


def _follows(reading: Reading, gone: Mention, mention: Mention) -> bool:
    """Whether a name stands behind the one taken back without being joined to it."""
    return mention.start >= gone.end and not _AND & set(_between(reading, gone.end, mention.start))


def _between(reading: Reading, start: int, end: int) -> list[str]:
    return [word.key for word in reading.words if start <= word.start < end]


def shared_after(edit: Edit) -> dict[str, Any]:
    """Replace, add, narrow, exclude or drop what the question was about."""
    reading, manner = edit.reading, edit.manner
    shared = dict(edit.base.shared)
    names = [m for m in reading.mentions if _is_name(m) and not m.excluded]
    let_in = [mention for mention in names if is_let_in(edit, mention)]
    for mention in let_in:
        _no_longer_out(shared, mention.value)
    kinds = [mention.value for mention in reading.of("kind") if mention.value != "purchase"]
    anew = len(names) > len(let_in) and not manner.has("adds", "narrows", "part")
    widens = manner.has("widens") and not _sums_up(edit)
    if widens or anew or any(kind != "refund" for kind in kinds):
        for name in ("category", "merchant", "kind", *(("account",) if widens else ())):
            shared.pop(name, None)
    for slot in _NAMED:
        _name(shared, slot, [m for m in reading.of(slot) if m not in let_in], added=manner.has("adds"))
    shared |= {slot: reading.of(slot)[0].value for slot in ("over", "under") if reading.of(slot)}
    if kinds:
        shared["kind"] = kinds[0]
    return _take_out(shared, edit)


def _sums_up(edit: Edit) -> bool:
    """Whether "in total" asks for the sum of what was counted or listed, and so widens nothing."""
    asked_for = bool(edit.of("period")) or edit.base.tool not in (*TOTALS, COMPARE, INCOME)
    return asked_for and bool(_TOTAL & set(edit.manner.keys))


def _name(shared: dict[str, Any], slot: str, mentions: Sequence[Mention], *, added: bool) -> None:
    """Put names into the question, beside those that it has or in their place."""
    if mentions:
        old = [shared[slot]] if added and slot in shared else []
        shared[slot] = union([*old, *(mention.value for mention in mentions)])
        _no_longer_out(shared, shared[slot])


def is_let_in(edit: Edit, mention: Mention) -> bool:
    """Whether a name is let in again that was left out ("include rent again")."""
    letting = edit.manner.has("adds") or bool(_WITH & set(edit.manner.keys[:2]))
    return letting and bool(set(names_of(mention.value)) & set(names_of(edit.base.shared.get("exclude"))))


def _no_longer_out(shared: dict[str, Any], names: Any) -> None:
    """Let names in that were left out, once they are what is asked about."""
    left = [name for name in names_of(shared.get("exclude")) if name not in set(names_of(names))]
    if left:
        shared["exclude"] = left
    else:
        shared.pop("exclude", None)


def _take_out(shared: dict[str, Any], edit: Edit) -> dict[str, Any]:
    """Remove excluded names from the question where it has them, else leave them out of its rows."""
    reading = edit.reading
    for slot in ("category", "merchant"):
        for mention in reading.of(slot, excluded=True):
            gone = set(names_of(mention.value))
            current = names_of(shared.get(slot))
            left = [name for name in current if name not in gone]
            if current and left and len(left) < len(current):
                shared[slot] = union(left)
            elif current and not left:
                shared.pop(slot)
            elif not _replaced(gone, slot, edit):
                shared["exclude"] = list(names_of(union([shared.get("exclude"), mention.value])))
    if any(mention.value == "largest" for mention in reading.of("measure", excluded=True)):
        counts = [*reading.of("limit"), *reading.of("limit", excluded=True)]
        shared["exclude_largest"] = int(shared.get("exclude_largest", 0)) + (counts[0].value if counts else 1)
    return shared


def _replaced(gone: set[str], slot: str, edit: Edit) -> bool:
    """Whether names are only taken back, not left out: "not Spotify, Netflix"."""
    return edit.manner.has("subject") and gone <= set(names_of(edit.base.shared.get(slot)))


def periods_after(edit: Edit) -> list[Period | None]:
    """Return the periods that the follow-up names, read with the old one as their anchor, else the old one."""
    mentions = edit.of("period")
    if not mentions:
        return [edit.base.period]
    if edit.base.period is None:
        found = [mention.value for mention in mentions if isinstance(mention.value, Period)]
    else:
        read = find_periods(edit.reading.text, edit.context.today, edit.context.week_start, edit.base.period)
        out = {(mention.start, mention.end) for mention in edit.reading.of("period", excluded=True)}
        found = [each.period for each in read if (each.start, each.end) not in out]
    if not found:
        return [edit.base.period]
    if len(found) > 1 and adjoining(edit.reading) and len(found) == len(mentions):
        found = [Period(found[0].start, found[-1].end)]
    return [_on_its_days(_from_before(period, edit.base.period), edit.base.period) for period in found[:_MOST_PERIODS]]


def _from_before(period: Period, standing_: Period | None) -> Period:
    """Return a period that only ends ("until October") from where the one that stands begins."""
    if standing_ is None or period.start != date.min or period.end == date.max or standing_.start > period.end:
        return period
    return replace(period, start=standing_.start, phrase="")


def _on_its_days(period: Period, standing_: Period | None) -> Period:
    """Return a period with the days of the week that stand, or days of the week within the period that stands."""
    if standing_ is None:
        return period
    if period.weekdays and period.is_all_time:
        return replace(standing_, phrase="", weekdays=period.weekdays)
    if standing_.weekdays and not period.weekdays:
        return replace(period, phrase="", weekdays=standing_.weekdays)
    return period


def total_of(shared: Mapping[str, Any], standing_tool: str) -> str:
    """Return the tool for the total of what a question is about; of a category at a shop, the one that told it before."""
    if "merchant" in shared and "category" in shared:
        return standing_tool if standing_tool in TOTALS[:2] else MERCHANT
    if "merchant" in shared:
        return MERCHANT
    return CATEGORY if "category" in shared else SUMMARY
