"""What a change of a whole account does to figures: what is spent and earned in all, and which kinds rows become."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.filters import Filter
from ledger.money import Money
from ledger.transactions import Flow, flow_of
from tools.apps.kind_names import KINDS
from tools.results import Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.restating import Rewritten
    from tools.context import ToolContext

#: What a currency comes to in a flow, signed as the flow is told: money out for spending, money in for income.
Moved = dict[tuple[Flow, str], int]

_TOLD = ((Flow.SPENDING, "Spent, all time", -1), (Flow.INCOME, "Income, all time", 1))
_SIGN = {flow: sign for flow, _, sign in _TOLD}
_MOST_KINDS = 4
#: What is said of rows that become of another kind, by whether it is one.
_TURNED = {
    True: "{number} transaction counts as {after} and no longer as {before}.",
    False: "{number} transactions count as {after} and no longer as {before}.",
}


def moved_by(rewritten: Iterable[Rewritten]) -> Moved:
    """Return what rows that show add to each flow as they become something else."""
    found: Moved = {}
    for each in rewritten:
        if each.shows:
            _count(found, flow_of(each.before.kind, each.amount_minor), each.amount_minor, each.currency, -1)
            _count(found, flow_of(each.after.kind, each.amount_minor), each.amount_minor, each.currency, 1)
    return found


def without(rows: Iterable[tuple[Flow, int, str]]) -> Moved:
    """Return what rows take from each flow that no longer count: their flow, amount and currency."""
    found: Moved = {}
    for flow, minor, currency in rows:
        _count(found, flow, minor, currency, -1)
    return found


def together(*parts: Moved) -> Moved:
    """Return several effects as one."""
    found: Moved = {}
    for part in parts:
        for key, minor in part.items():
            found[key] = found.get(key, 0) + minor
    return found


def _count(found: Moved, flow: Flow, minor: int, currency: str, times: int) -> None:
    if flow in _SIGN:
        found[flow, currency] = found.get((flow, currency), 0) + times * _SIGN[flow] * minor


async def effect_table(context: ToolContext, moved: Moved) -> Table | None:
    """Return what was spent and earned in all, before and after; None where both stay."""
    cells: list[tuple[str, Money, Money]] = []
    for flow, name, sign in _TOLD:
        totals = await context.ledger.totals(Filter(flow=flow))
        before = {each.currency: -sign * each.net_out_minor for each in totals}
        for (each, currency), minor in sorted(moved.items()):
            if each is flow and minor:
                now = before.get(currency, 0)
                cells.append((say(name), Money(now, currency), Money(now + minor, currency)))
    return Table((Column(""), Column("Before", "money"), Column("After", "money")), tuple(cells)) if cells else None


def kinds_told(rewritten: Iterable[Rewritten], names: dict[str, int]) -> list[str]:
    """Return notes on how many rows that show become of which kind, the most first; their numbers go to ``names``."""
    turned = Counter(
        (each.before.kind, each.after.kind)
        for each in rewritten
        if each.shows and each.before.kind is not each.after.kind
    )
    notes: list[str] = []
    for place, ((before, after), count) in enumerate(turned.most_common(_MOST_KINDS)):
        names[f"turned_{place}"] = count
        form = _TURNED[count == 1]
        notes.append(say(form, number=say(f"{{turned_{place}}}"), after=KINDS[after], before=KINDS[before]))
    others = sum(count for _, count in turned.most_common()[_MOST_KINDS:])
    if others:
        names["turned_others"] = others
        notes.append("{turned_others} more become something else.")
    return notes
