"""What has no answer is refused with what comes nearest to it, which is one press away."""

from __future__ import annotations

import pytest

from graph.planner.nearest import nearest
from graph.planner.settling import MISSING


async def test_each_thing_that_is_missing_offers_something_of_its_own(english):
    budget = (await english.say("How much is left of my budget?")).reply
    advice = (await english.say("What should I invest in?")).reply
    assert (budget.kind, advice.kind) == ("refuse", "refuse")
    assert [each.label for each in budget.choices] == ["Spending this month so far", "What changed last month"]
    assert [each.label for each in advice.choices] == ["What changed last month", "My subscriptions"]


@pytest.mark.parametrize("missing", [*MISSING, "unclear"])
async def test_what_is_offered_is_answered(english, missing):
    for choice in nearest(missing):
        assert (await english.press(choice)).reply.kind == "answer", choice.label


async def test_an_answer_shows_each_figure_once(english):
    reply = (await english.say("Summary of last month")).reply
    kinds = [type(block).__name__ for block in reply.shown]
    assert (kinds.count("Chart"), kinds.count("Table")) == (1, 0)
    assert [block.role for block in reply.shown if hasattr(block, "role")] == ["headline", "definition"]
