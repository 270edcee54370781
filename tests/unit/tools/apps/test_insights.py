"""What stands out, held against the definitions written out plainly."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from decimal import Decimal
from statistics import median

from hypothesis import given
from hypothesis import strategies as st

from tests.drawn_ledgers import Entry, todays
from tests.unit.tools.apps.naive import DRAWN, Asked, clipped, in_scope, net, one_currency, share, spans, value, within

TODAY = date(2026, 11, 21)
SEPTEMBER, OCTOBER = (date(2026, 9, 1), date(2026, 9, 30)), (date(2026, 10, 1), date(2026, 10, 31))


@DRAWN
@given(
    entries=one_currency,
    by=st.sampled_from(["category", "merchant"]),
    direction=st.sampled_from(["both", "up", "down"]),
)
async def test_what_changed_most(house, entries, by, direction):
    resident = await house.move_in(entries, TODAY)
    result = await resident.run("spending-changes", by=by, direction=direction)  # October against September
    steps = defaultdict(Decimal)
    for entry in in_scope(resident.entries, Asked({}, (None, None))):
        if within(entry, OCTOBER) or within(entry, SEPTEMBER):
            steps[getattr(entry, by)] -= entry.amount if within(entry, OCTOBER) else -entry.amount
    if not steps:
        assert result.kind == "empty"
        return
    assert value(result, "difference") == abs(sum(steps.values()))
    wanted = [step for step in steps.values() if step and (direction == "both" or (step > 0) == (direction == "up"))]
    most = [fact.value for fact in result.facts if fact.id == "most"]
    assert most == ([max(map(abs, wanted))] if wanted else [])


@DRAWN
@given(entries=one_currency, extra=st.integers(0, 3))
async def test_double_charges_are_equal_and_near_and_not_usual(house, entries, extra):
    """One charged twice is found; what costs the same again and again is an everyday price."""
    day = date(2026, 10, 10)
    twice = [Entry(day + timedelta(n), -7_777, merchant="Zalando") for n in (0, 1)]
    others = [Entry(day + timedelta(40 * n + 40), -7_777, merchant="Zalando") for n in range(extra)]
    resident = await house.move_in([*entries, *twice, *others], TODAY)
    result = await resident.run("transactions-find_duplicates")
    found = [fact.value for fact in result.facts if fact.id.startswith("double_") and fact.subject == "Zalando"]
    assert (Decimal("77.77") in found) == (extra < 2)


@DRAWN
@given(data=st.data(), entries=one_currency, today=todays)
async def test_days_without_spending(house, data, entries, today):
    arguments, days = data.draw(spans(today))
    resident = await house.move_in(entries, today)
    result = await resident.run("spending-quiet_days", **arguments)
    start, end = clipped(days, resident.entries, today)
    end = min(end, max(entry.day for entry in resident.entries))
    if end < start or (days[1] is not None and days[1] < start):
        assert result.kind == "empty"
        return
    busy = {entry.day for entry in in_scope(resident.entries, Asked(arguments, days)) if entry.minor < 0}
    every = [start + timedelta(n) for n in range((end - start).days + 1)]
    assert (value(result, "count"), value(result, "days")) == (len([d for d in every if d not in busy]), len(every))


@DRAWN
@given(data=st.data(), entries=one_currency, today=todays)
async def test_shares_of_income(house, data, entries, today):
    arguments, days = data.draw(spans(today))
    resident = await house.move_in(entries, today)
    earned = -net([entry for entry in resident.entries if entry.flow == "income" and within(entry, days)])
    spent = net(in_scope(resident.entries, Asked(arguments, days)))
    result = await resident.run("income-share", **arguments)
    if earned <= 0:
        assert result.kind == "empty"
        return
    assert (value(result, "share"), value(result, "part"), value(result, "income")) == (
        share(spent, earned),
        spent,
        earned,
    )
    saved = await resident.run("income-share", saved=True, **arguments)
    assert value(saved, "share") == share(earned - spent, earned)


async def test_a_purchase_far_above_its_category_stands_out(house):
    usual = [Entry(date(2026, 9, n), -1_000 - n, merchant="Costco") for n in range(1, 9)]
    resident = await house.move_in([*usual, Entry(date(2026, 10, 2), -90_000, merchant="Zalando")], TODAY)
    result = await resident.run("spending-find_unusual")
    assert (value(result, "count"), value(result, "far_1")) == (1, Decimal("900.00"))
    assert (await resident.run("spending-find_unusual", start_date="2026-09")).fact("count").value == 0


async def test_the_month_farthest_from_the_usual_one(house):
    sums = (100, 110, 105, 95, 400, 102)
    entries = [Entry(date(2026, month, 3), -100 * size) for month, size in zip(range(5, 11), sums, strict=True)]
    resident = await house.move_in(entries, TODAY)
    result = await resident.run("spending-find_unusual", looked="months")
    assert (value(result, "amount"), value(result, "usual")) == (Decimal(400), Decimal(round(median(sums) * 100)) / 100)
