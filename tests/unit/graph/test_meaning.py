"""What a question means, as data: every meaning comes to a call, a call says what it means, and nothing of it is lost."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.planner.calls import ANSWERING, meaning_of, rounds_of
from graph.planner.meaning import Meaning
from ledger.periods import Period
from tests.unit.graph.conftest import ME, Talk
from tools.registry import Registry

TOOLS = {tool.name: tool for tool in Registry.built_in().offered("production")}
MAY = Period(date(2026, 5, 1), date(2026, 5, 31))
JUNE = Period(date(2026, 6, 1), date(2026, 6, 30))
SHOP = {"merchant": "Costco"}
MEANINGS = (
    Meaning("total", about=SHOP, periods=(MAY,)),
    Meaning("total", about={"category": "Groceries", "exclude": ["Costco"]}),
    Meaning("total", "income", SHOP),
    Meaning("total", "left", periods=(MAY,)),
    Meaning("total", "savings_back", periods=(MAY,)),
    Meaning("count", about=SHOP),
    Meaning("count", "refunds", SHOP),
    Meaning("average", about=SHOP, grain="month"),
    Meaning("average", "income", grain="quarter"),
    Meaning("extreme", about=SHOP, end="smallest"),
    Meaning("extreme", "income", SHOP, end="latest"),
    Meaning("extreme", about=SHOP, end="largest", nth=2),
    Meaning("frequency", about=SHOP),
    Meaning("exists", "refunds", SHOP),
    Meaning("rank", by="merchant", periods=(MAY,)),
    Meaning("rank", by="weekday", ranked="number"),
    Meaning("rows", "refunds", SHOP, sort="largest"),
    Meaning("series", about=SHOP, grain="week"),
    Meaning("trend", about=SHOP, grain="month"),
    Meaning("compare", about=SHOP, periods=(JUNE, MAY)),
    Meaning("compare", "income", periods=(JUNE, MAY)),
    Meaning("change", end="up", by="merchant", periods=(JUNE, MAY)),
    Meaning("savings_rate", periods=(MAY,)),
    Meaning("current", about=SHOP, detail="price"),
    Meaning("recurring", which="subscriptions", detail="sum"),
    Meaning("duplicates", about=SHOP),
    Meaning("unusual", detail="months"),
    Meaning("quiet_days", periods=(MAY,)),
    Meaning("balance", "all", {"account": "Chase Checking"}, periods=(MAY,), detail="lowest"),
    Meaning("balance", "all", grain="month", detail="balance"),
    Meaning("status"),
)


@pytest.mark.parametrize("meaning", MEANINGS, ids=lambda meaning: f"{meaning.act} {meaning.of}")
async def test_a_meaning_is_read_back_from_its_call(meaning: Meaning, english: Talk) -> None:
    rounds = rounds_of(meaning, TOOLS)
    assert rounds is not None
    ((call,),) = rounds
    assert call.name in ANSWERING
    again = meaning_of(call, await english.agent.context(ME))
    assert rounds_of(again, TOOLS) == rounds
    assert (again.act, again.of, again.about) == (meaning.act, meaning.of, meaning.about)


@given(
    meaning=st.sampled_from(MEANINGS),
    more=st.fixed_dictionaries(
        {},
        optional={
            "account": st.just("Visa"),
            "over": st.just("5"),
            "text": st.just("zorb"),
            "exclude": st.just(["Rent"]),
        },
    ),
)
def test_no_constraint_is_lost_on_the_way_to_a_call(meaning: Meaning, more: dict[str, Any]) -> None:
    """A tool that has no place for one is not called."""
    rounds = rounds_of(meaning.on(**more), TOOLS)
    if rounds is not None:
        given_ = [
            {**call.arguments, "text": call.arguments.get("text", call.arguments.get("query"))} for call in rounds[0]
        ]
        assert all(arguments[key] == value for arguments in given_ for key, value in more.items())


def test_a_time_that_a_tool_can_not_be_asked_of_is_not_dropped() -> None:
    tools = {name: tool for name, tool in TOOLS.items() if name == "spending-find_unusual"}
    tool = tools["spending-find_unusual"]
    assert {"start_date", "end_date"} <= tool.parameters["properties"].keys()
    ((call,),) = rounds_of(Meaning("unusual", periods=(MAY,)), tools) or ((),)
    assert (call.arguments["start_date"], call.arguments["end_date"]) == ("2026-05-01", "2026-05-31")


def test_a_share_is_of_its_whole() -> None:
    whole = Meaning("total", periods=(MAY,))
    first, second = rounds_of(Meaning("share", about=SHOP, periods=(MAY,), whole=whole), TOOLS) or ((), ())
    assert [call.name for call in first] == ["spending-analyze_merchant", "spending-get_spending_summary"]
    assert second[0].arguments == {"operation": "share", "values": ["{1.total}", "{2.total}"]}


@pytest.mark.parametrize("name", ["Zorbel", "Quux & Sons"])
async def test_a_shop_that_is_not_in_the_ledger_is_not_answered_with_the_whole_of_it(english: Talk, name: str) -> None:
    for question in (f"How much did I spend at {name} this year?", f"When was I last at {name}?", f"{name}, total?"):
        outcome = await english.say(question)
        assert not any(fact.value for fact in outcome.reply.facts), question


async def test_the_one_before_the_latest(english: Talk) -> None:
    await english.say("When was I last at Costco?")
    outcome = await english.say("and the one before that?")
    ((name, arguments),) = [(call["name"], call["arguments"]) for call in outcome.trace["calls"]]
    assert (name, arguments["what"], arguments["nth"]) == ("transactions-measure", "latest", 2)
