"""What is asked for in so many words is planned without any model; a question about money never becomes a change."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.memories import list_memories
from ledger.rules import list_rules
from tests.unit.graph.conftest import ME
from tools.registry import Registry

REQUESTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("Set my time zone to Berlin", "settings-change", {"setting": "time_zone", "value": "Berlin"}),
    ("use euros", "settings-change", {"setting": "currency", "value": "euros"}),
    ("I get paid on the 25th", "settings-change", {"setting": "payday", "value": "the 25th"}),
    ("reset my time zone", "settings-change", {"setting": "time_zone", "value": "default"}),
    ("Meine Woche beginnt am Sonntag", "settings-change", {"setting": "week_start", "value": "Sonntag"}),
    ("What are my settings?", "settings-show", {}),
    ("Welche Zeitzone ist eingestellt?", "settings-show", {"setting": "time_zone"}),
    ("change my settings", "settings-show", {}),
    ("Set my time zone", "settings-show", {"setting": "time_zone"}),
    ("How can I change my currency?", "settings-show", {"setting": "currency"}),
    ("please choose my payday", "settings-show", {"setting": "payday"}),
    ("Einstellungen ändern", "settings-show", {}),
    ("Stell meine Zeitzone um", "settings-show", {"setting": "time_zone"}),
    ("Wie ändere ich meinen Wochenanfang?", "settings-show", {"setting": "week_start"}),
    (
        "Remember that I spent $50 at Costco in October. Half of it was groceries?",
        "memories-remember",
        {"note": "I spent $50 at Costco in October. Half of it was groceries"},
    ),
    ("Merk dir, dass Netflix geteilt wird", "memories-remember", {"note": "Netflix geteilt wird"}),
    ("Forget the note about groceries", "memories-forget", {"note": "groceries"}),
    ("Vergiss alle Notizen", "memories-forget", {"note": "all"}),
    ("What do you remember about Costco?", "memories-list", {"about": "Costco"}),
    ("Put Costco under entertainment", "categories-assign", {"merchant": "Costco", "category": "entertainment"}),
    ("Costco is groceries", "categories-assign", {"merchant": "Costco", "category": "groceries"}),
    ("Forget the rule for Costco", "categories-unassign", {"merchant": "Costco"}),
    ("Which category rules do I have?", "categories-rules", {}),
    ("Start the month close", "focus-activate", {"mode": "month_close"}),
    ("Einfache Antworten bitte", "focus-activate", {"mode": "plain_answers"}),
    ("Stop the focus", "focus-deactivate", {}),
    ("Beende den Monatsabschluss", "focus-deactivate", {"mode": "month_close"}),
)
#: Questions with words of settings, notes and modes in them.
QUESTIONS = (
    "Should I remember to pay rent?",
    "Did I remember to pay the rent in October?",
    "How much did I spend on subscriptions?",
    "How much did I get paid in October?",
    "Show purchases with a note",
    "Find remember that",
    "How much did I spend at Set My Time Zone To Berlin?",
    "What did I forget to pay last month?",
    "How much did I spend in the week that starts on Sunday?",
    "How much did I spend on groceries at Costco?",
    "How much of Costco is groceries",
)


async def plan_of(talk: Any, text: str, tools: Any = None) -> Any:
    agent = talk.agent
    offered = Registry.built_in().offered() if tools is None else tools
    return await agent._planner.plan(text, await agent.context(ME), offered)


@pytest.mark.parametrize(("text", "tool", "arguments"), REQUESTS, ids=[case[0] for case in REQUESTS])
async def test_a_request_is_planned(english: Any, text: str, tool: str, arguments: dict[str, Any]) -> None:
    plan = await plan_of(english, text)
    assert plan.kind == "calls"
    ((call,),) = plan.rounds
    assert call.name == tool
    assert {name: value for name, value in call.arguments.items() if value is not None} == arguments


@pytest.mark.parametrize("text", QUESTIONS)
async def test_a_question_is_no_request(english: Any, text: str) -> None:
    plan = await plan_of(english, text)
    called = {call.name.partition("-")[0] for calls in plan.rounds for call in calls}
    assert not called & {"settings", "memories", "focus", "categories"}


async def test_a_note_after_a_question_is_no_follow_up(english: Any) -> None:
    await english.say("How much did I spend at Costco in October?")
    outcome = await english.say("and remember that in September it was a gift")
    assert outcome.trace["calls"][-1]["name"] == "memories-remember"
    assert outcome.trace["calls"][-1]["arguments"] == {"note": "in September it was a gift"}


async def test_a_change_waits_for_a_yes(english: Any) -> None:
    repository = await english.agent._store.repository(ME)
    for text in ("Remember that Costco is for the party", "use euros", "Put Costco under entertainment"):
        outcome = await english.say(text)
        assert outcome.proposal is not None
        assert outcome.reply.headline.endswith("?")
    assert await list_memories(repository) == ()
    assert await repository.settings() == {}
    assert await list_rules(repository) == ()


async def test_a_mode_holds_from_the_turn_that_begins_it(english: Any) -> None:
    assert (await english.say("Start the month close")).focus == "month_close"


async def test_a_request_beside_a_question_is_asked_about(english: Any) -> None:
    """Each part is then a choice of its own."""
    plan = await plan_of(english, "My week starts on Sunday. How much did I spend this week?")
    assert plan.kind == "clarify"
    assert [(choice.label, *(call.name for call in choice.rounds[0])) for choice in plan.choices] == [
        ("My week starts on Sunday", "settings-change"),
        ("How much did I spend this week?", "spending-get_spending_summary"),
    ]


async def test_what_is_switched_off_is_said(english: Any) -> None:
    offered = Registry.built_in().offered(switched_off={"memories"})
    plan = await plan_of(english, "Remember that Costco is for the party", offered)
    assert (plan.kind, plan.rounds) == ("none", ())
    assert "switched off" in plan.question
