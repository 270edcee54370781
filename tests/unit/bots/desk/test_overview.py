"""A person's month at a glance: the same figures as when they ask, and nothing of anybody else's."""

from __future__ import annotations

from decimal import Decimal

from bots.desk.overview import overview
from ledger.imports import undo_import
from ledger.switches import switch

HEAD = "Date,Description,Amount,Currency\n"


async def test_it_shows_what_the_questions_answer(house) -> None:
    await house.bring_sample()
    seen = await overview(house.desk, house.alice)
    assert seen.last_month is not None
    assert seen.last_month.headline == (await house.say("Summary of last month")).reply.headline
    assert seen.this_month is not None
    assert seen.this_month.headline == (await house.say("Summary of this month")).reply.headline
    assert seen.compared == "$175.60 (5.6%) more than from 1 to 21 Oct 2026 ($3,153.66)"
    assert seen.chart is not None
    assert seen.chart.labels[0] == "May 2026"
    assert seen.chart.values[-1] == seen.last_month.facts[0].value


async def test_months_without_spending_are_zero_and_other_currencies_left_out(house) -> None:
    await house.bring((HEAD + "2026-06-03,REWE,-20.00,EUR\n2026-09-03,REWE,-5.50,EUR\n2026-09-04,WALMART,-9.00,USD\n"
                       "2026-04-30,REWE,-99.00,EUR\n2026-11-02,REWE,-3.00,EUR\n2026-09-05,ACME PAYROLL,900.00,EUR\n").encode())  # fmt: skip
    seen = await overview(house.desk, house.alice)
    assert seen.chart is not None
    assert seen.chart.currency == "EUR"
    assert seen.chart.labels == ("May 2026", "June 2026", "July 2026", "August 2026", "September 2026", "October 2026")
    assert seen.chart.values == tuple(Decimal(value) for value in ("0.00", "20.00", "0.00", "0.00", "5.50", "0.00"))


async def test_the_chart_is_in_the_home_currency_where_the_ledger_has_it(house) -> None:
    await house.bring(
        (HEAD + "2026-06-03,REWE,-20.00,EUR\n2026-07-03,REWE,-20.00,EUR\n2026-09-04,WALMART,-9.00,USD\n").encode()
    )
    for home, charted in (("dollars", "USD"), ("yen", "EUR")):
        await house.command("save-settings", currency=home)
        seen = await overview(house.desk, house.alice)
        assert seen.chart is not None
        assert seen.chart.currency == charted


async def test_the_latest_imports_that_are_still_there_and_what_is_set(house) -> None:
    for number in range(1, 6):
        await house.bring((HEAD + f"2026-06-0{number},REWE,-{number}.00,EUR\n").encode())
    await undo_import(await house.desk.repository(house.alice))
    await house.command("save-settings", week_start="Sunday", locale="German")
    await house.platform.occur(house.alice, "welcome")
    await house.runner.idle()
    seen = await overview(house.desk, house.alice)
    assert [batch.id for batch in seen.imports] == [4, 3, 2]
    assert set(seen.settings) == {("week_start", "6"), ("locale", "de_DE")}
    assert seen.locale == "de_DE"


async def test_the_accounts_are_those_that_are_listed_anywhere(house) -> None:
    head = "Date,Description,Amount (USD),Account\n"
    await house.bring(
        (head + "2026-10-03,REWE,-5.00,Giro\n2026-10-05,REWE,-6.00,Giro\n2026-10-04,LIDL,-7.00,Visa\n").encode()
    )
    seen = await overview(house.desk, house.alice)
    assert [(line.name, line.type, line.count, line.last.isoformat()) for line in seen.accounts] == [
        ("Giro", "current account", 2, "2026-10-05"), ("Visa", "credit card", 1, "2026-10-04"),
    ]  # fmt: skip
    listed = (await house.command("accounts-list")).reply.table
    assert [row[0] for row in listed.rows] == [line.name for line in seen.accounts]
    await switch(await house.desk.repository(house.alice), "accounts-list", False)
    assert (await overview(house.desk, house.alice)).accounts == ()


async def test_someone_without_data_sees_nothing_of_others(house) -> None:
    await house.bring_sample()
    seen = await overview(house.desk, house.bob)
    assert seen.is_empty
    assert (seen.this_month, seen.last_month, seen.chart, seen.imports) == (None, None, None, ())


async def test_what_is_switched_off_is_not_run(house) -> None:
    await house.bring_sample()
    for name in ("spending", "spending-get_spending_summary"):
        repository = await house.desk.repository(house.alice)
        await switch(repository, name, on=False)
        seen = await overview(house.desk, house.alice)
        assert (seen.this_month, seen.last_month, seen.chart) == (None, None, None)
        assert seen.imports
        await switch(repository, name, on=True)
    assert (await overview(house.desk, house.alice)).chart is not None
