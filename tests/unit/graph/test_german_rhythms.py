"""What recurs, told in German: every rhythm and every way in which a price can move, over a ledger made for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from graph.answers import result_reply
from language.catalogue import translated
from ledger.filters import Filter
from ledger.refunds import Refunded
from tests.drawn_ledgers import Entry, write_entries
from tests.support.untold import untold_in
from tools.apps.net_amounts import net_of
from tools.apps.parts import parts_of
from tools.apps.scope import no_data
from tools.calls import Call, Choice
from tools.registry import Registry
from tools.results import Result
from tools.running import run_tool
from tools.surface import AMONG_OTHERS, DIRECT, TERMINAL, Surface
from tools.surroundings import tool_context

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ABOUT = ("price", "since", "change", "changes", "rose", "fell", "changed", "constant", "next", "rhythm", "still")
SPANS = (None, "2026", "all time")
#: What was paid each month, up to November 2026, in whole units.
MONTHLY = {
    "Steady": [10] * 12,
    "Once Up": [10] * 6 + [12] * 6,
    "Once Down": [12] * 6 + [10] * 6,
    "Steps Up": [10] * 4 + [12] * 4 + [14] * 4,
    "Steps Down": [14] * 4 + [12] * 4 + [10] * 4,
    "To And Fro": [10] * 4 + [14] * 4 + [12] * 4,
    "Back Again": [10] * 4 + [14] * 4 + [10] * 4,
}
#: The days between payments of what does not come by the month.
DAYS = {
    "Weekly": 7,
    "Fortnightly": 14,
    "Four Weekly": 28,
    "Two Monthly": 61,
    "Quarterly": 91,
    "Half Yearly": 182,
    "Yearly": 365,
}
LAST = date(2026, 11, 5)


def entries() -> Iterator[Entry]:
    for name, prices in MONTHLY.items():
        days = [date(2025 + month // 12, month % 12 + 1, 5) for month in range(11, 23)]
        for day, price in zip(days, prices, strict=True):
            yield Entry(day, -100 * price, merchant=name, category="Rent")
    for name, days in DAYS.items():
        for number in range(4):
            yield Entry(LAST - timedelta(days * number), -5000, merchant=name, category="Rent")
    for month in range(1, 7):
        yield Entry(date(2026, month, 3), -900, merchant="Over", category="Subscriptions")
    for month, price in enumerate((40, 55, 47, 61, 52, 58), 6):
        yield Entry(date(2026, month, 8), -100 * price, merchant="Varying", category="Utilities")
    for month in range(1, 12):
        yield Entry(date(2026, month, 1), 200_000, kind="income", merchant="Acme", category="Income")
        yield Entry(date(2026, month, 2), 5_000, kind="income", merchant="Tenant", category="Income")
        yield Entry(date(2026, month, 4), -30_000, kind="transfer", merchant="Own savings", category="Transfer")
    for month in range(8, 12):
        yield Entry(date(2026, month, 6), -700, merchant="Begun", category="Subscriptions")
        yield Entry(date(2026, month, 9), -700, currency="EUR", merchant="Abroad", category="Subscriptions")
    yield Entry(date(2026, 10, 2), 9_000, "EUR", kind="income", merchant="Verlag", category="Income")
    for day, price in ((date(2024, 3, 1), 100), (date(2026, 4, 9), 130)):
        yield Entry(day, -100 * price, merchant="Seldom", category="Electronics")
    yield Entry(date(2026, 4, 9), -4000, merchant="Once", category="Electronics")


@pytest.fixture
async def german(sqlite_store, alice):
    repository, _ = await write_entries(sqlite_store, alice, list(entries()))
    return replace(await tool_context(repository, NOW, no_index), language="de")


async def no_index():
    """Words alone."""


def show(result: Result, context) -> str:
    """Show a result and what a receipt says of its figures, and return its headline."""
    for fact in result.facts:
        translated(fact.label, "de")
        translated(fact.how, "de")
    return result_reply(result, context).headline


async def headline(context, name, **arguments) -> str:
    given = {key: value for key, value in arguments.items() if value is not None}
    return show(await run_tool(Registry.built_in().get(name), given, context), context)


async def test_every_way_of_a_price_is_told_in_german(german):
    names = (*MONTHLY, *DAYS, "Over", "Varying", "Acme", "Own savings", "Seldom", "Once", "Nobody")
    with untold_in("de") as untold:
        for period in SPANS:
            for about in ABOUT:
                for name in names:
                    await headline(german, "recurring-current", merchant=name, about=about, period=period)
                for of in ("spending", "income", "salary", "savings"):
                    await headline(german, "recurring-current", of=of, about=about, period=period)
    assert not untold


async def test_every_list_of_what_recurs_is_told_in_german(german):
    with untold_in("de") as untold:
        for which in ("all", "subscriptions", "bills", "income", "savings"):
            for wanted in ("list", "sum", "count", "new", "ended"):
                for merchant in (None, "Acme", "Begun", "Over", "Nobody"):
                    await headline(german, "recurring-list", which=which, wanted=wanted, merchant=merchant)
                    await headline(german, "recurring-list", which=which, wanted=wanted, text="nothing so called")
        for direction in ("up", "down"):
            for merchant in (None, "Once Up", "Once Down", "Steady"):
                for period in SPANS:
                    asked = {"direction": direction, "merchant": merchant, "period": period}
                    await headline(german, "recurring-changes", **asked)
        for days in (1, 7, 31, 366):
            await headline(german, "recurring-upcoming", days=days)
    assert not untold


@pytest.mark.parametrize(
    ("about", "merchant", "told"),
    [
        ("price", "Quarterly", "Quarterly derzeit: $50.00 pro Quartal, $200.00 im Jahr"),
        ("rhythm", "Fortnightly", "Fortnightly kommt alle 14 Tage: $50.00"),
        ("rhythm", "Half Yearly", "Half Yearly kommt alle 6 Monate: $50.00"),
        ("rhythm", "Yearly", "Yearly kommt einmal pro Jahr: $50.00"),
        ("still", "Over", "Nein: Over ist beendet, zuletzt am 3. Juni 2026"),
        ("price", "Over", "Over ist beendet: $9.00 pro Monat bis zum 3. Juni 2026"),
        ("since", "Over", "Over vom 3. Januar 2026 bis zum 3. Juni 2026"),
        (
            "fell",
            "Once Down",
            (
                "Ja: Once Down ist am 5. Juni 2026 um $2.00 (16.7%) gesunken: seitdem $10.00 pro Monat, vorher $12.00"
                ", also $24.00 weniger im Jahr"
            ),
        ),
        (
            "changes",
            "To And Fro",
            "To And Fro ist 2-mal gestiegen oder gesunken, zuletzt am 5. August 2026: $12.00 pro Monat, anfangs $10.00",
        ),
        ("since", "Seldom", "Seldom seit dem 1. März 2024"),
        (
            "change",
            "Seldom",
            "Seldom: $130.00 am 9. April 2026, $30.00 (30.0%) mehr als $100.00 am 1. März 2024",
        ),
        ("price", "Once", "$40.00 für Once am 9. April 2026, die letzte Zahlung; kein fester Rhythmus"),
    ],
)
async def test_what_one_thing_costs_in_german(german, about, merchant, told):
    assert await headline(german, "recurring-current", merchant=merchant, about=about) == told


async def test_money_of_two_currencies_in_german(german):
    told = await headline(german, "income-summary", start_date="October 2026")
    assert told == "$2,050.00 und €90.00 im Oktober 2026 eingegangen"


@pytest.mark.parametrize("surface", [TERMINAL, DIRECT, AMONG_OTHERS, Surface(command="/money")])
async def test_an_empty_ledger_says_in_german_how_to_fill_it(sqlite_store, alice, surface):
    context = await tool_context(await sqlite_store.repository(alice), NOW, no_index)
    context = replace(context, language="de", surface=surface)
    with untold_in("de") as untold:
        assert show(no_data(context), context) == "Du hast noch keine Buchungen."
    assert not untold


async def _rows(context) -> Sequence:
    return await context.ledger.rows(Filter(), "oldest", 3)


async def test_what_came_back_of_a_purchase_is_told_in_german(german):
    bought, back, again = await _rows(german)
    with untold_in("de") as untold:
        for linked, row in (
            (Refunded(bought, (back,)), bought),
            (Refunded(bought, (back, again)), bought),
            (Refunded(bought, (back,)), back),
        ):
            net = net_of(linked, row)
            show(Result("{paid}", net.facts, notes=net.notes, names=net.names), german)
    assert not untold


async def test_what_is_wrong_with_a_split_is_told_in_german(german):
    row = (await _rows(german))[0]
    with untold_in("de") as untold:
        for words in ("everything", "900 and 900", "5 GBP and the rest"):
            found = parts_of(words, row, german, (), lambda said: Choice(said, Call("corrections-split", {})))
            assert isinstance(found, Result)
            show(found, german)
    assert not untold
