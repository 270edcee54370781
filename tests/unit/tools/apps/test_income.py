"""Income: what came in, from whom, and what was left of it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from tests.drawn_ledgers import Entry, ledgers, todays
from tests.unit.tools.apps.naive import (
    DRAWN,
    Asked,
    check_empty,
    grouped,
    in_scope,
    limits,
    most_used,
    net,
    of,
    refunded,
    share,
    spans,
    totals_stated,
    value,
)


@DRAWN
@given(data=st.data(), entries=ledgers(), today=todays)
async def test_income_of_a_period(house, data, entries, today):
    given_days, days = data.draw(spans(today))
    arguments = {**given_days, **data.draw(limits(entries, "account", "merchant"))}
    asked = Asked(arguments, days)
    resident = await house.move_in(entries, today)
    result = await resident.run("income-summary", **arguments)
    scope = in_scope(resident.entries, asked, "income")
    if not scope:
        check_empty(result, resident.entries, asked, "income")
        return
    assert totals_stated(result) == {currency: -net(of(currency, scope)) for currency in most_used(scope)}
    assert value(result, "count") == len(refunded(scope))
    main = most_used(scope)[0]
    earned = -net(of(main, scope))
    everywhere = Asked({key: value for key, value in arguments.items() if key != "merchant"}, days)
    spent = net(of(main, in_scope(resident.entries, everywhere)))
    assert (value(result, "spent"), value(result, "left")) == (spent, earned - spent)
    rates = [fact.value for fact in result.facts if fact.id == "saved_share"]
    assert rates == ([share(earned - spent, earned)] if earned > 0 else [])
    sources = {name: -net(rows) for name, rows in grouped(of(main, scope), lambda e: e.merchant).items()}
    assert {row[0]: row[1].amount for row in result.table.rows} == sources
    stated = [fact.value for fact in result.facts if fact.id.startswith("source_")]
    assert stated == sorted(sources.values(), reverse=True)[:5]
    (behind,) = await resident.behind(result)
    assert sorted(e.id for e in behind) == sorted(e.id for e in scope)


async def test_money_moved_between_own_accounts_is_no_income(house):
    day = date(2026, 10, 1)
    entries = [
        Entry(day, 250_000, kind="income", merchant="Acme"),
        Entry(day, 50_000, kind="transfer", account="Tagesgeld"),
        Entry(day, -50_000, kind="transfer"),
        Entry(day, 123, kind="interest", account="Tagesgeld"),
        Entry(day, -45, kind="interest"),
        Entry(day, 999, kind="refund"),
        Entry(day, -10_000),
    ]
    resident = await house.move_in(entries, date(2026, 11, 21))
    result = await resident.run("income-summary", start_date="last month")
    assert value(result, "total") == Decimal("2501.23")
    assert value(result, "spent") == Decimal("90.46")
    assert value(result, "left") == Decimal("2410.77")


async def test_a_share_of_the_salary_is_not_one_of_all_income(house):
    day = date(2026, 10, 1)
    entries = [
        Entry(day, 200_000, kind="income", merchant="Acme Payroll"),
        Entry(day, 50_000, kind="income", merchant="Kindergeld"),
        Entry(day, -60_000, category="Rent"),
        Entry(day, -20_000),
    ]
    resident = await house.move_in(entries, date(2026, 11, 21))
    result = await resident.run("income-share", of="salary", category="Rent")
    assert (value(result, "share"), value(result, "income")) == (share(60_000, 200_000), Decimal("2000.00"))
    assert result.headline == "{share} of the salary went on {category} {when}: {part} of {income}"
    assert value(await resident.run("income-share", category="Rent"), "share") == share(60_000, 250_000)
    assert value(await resident.run("income-share", of="salary", saved=True), "share") == share(120_000, 200_000)
    alone = await house.move_in(entries[2:], date(2026, 11, 21))
    assert (await alone.run("income-share", of="salary")).kind == "empty"
