"""What the bot offers to be asked, and what ``docs/what-you-can-ask.md`` lists, is answered over the made-up data."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from graph.examples import THEMES, examples_for, questions_of
from graph.reply import Actions
from tests.support.untold import untold_in
from tests.unit.graph.conftest import ME, Talk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from graph.agent import MoneyAgent
    from graph.reply import Reply


@pytest.fixture
async def agent(made_up: Path, open_agent: Callable[..., Awaitable[MoneyAgent]]) -> AsyncIterator[MoneyAgent]:
    opened = await open_agent(made_up)
    yield opened
    await opened._store.close()


def _is_done(reply: Reply) -> bool:
    """Whether a question is answered, or a change shown that a yes would make."""
    pressed = [each.action for block in reply.blocks if isinstance(block, Actions) for each in block.actions]
    return reply.kind == "answer" or "confirm" in pressed


@pytest.mark.parametrize("language", ["en", "de"])
async def test_every_example_is_answered_in_its_language(agent: MoneyAgent, language: str) -> None:
    context = replace(await agent.context(ME), language=language)
    with untold_in(language) as untold:
        examples = [question for theme in THEMES for question in questions_of(theme, context)]
        assert all(example in examples for example in examples_for(context))
    assert not untold
    for example in examples:
        typed = (await Talk(agent).say(example.label)).reply
        assert (_is_done(typed), typed.language) == (True, language), example.label
        if example.rounds:
            talk = Talk(agent)  # in which something else was asked: a press means what it says all the same
            await talk.say(examples[0].label)
            pressed = (await talk.press(example)).reply
            assert (_is_done(pressed), pressed.language) == (True, language), example.label
            assert _amounts(pressed) == _amounts(typed), example.label
    assert sum(bool(example.rounds) for example in examples) > len(examples) / 2


def _amounts(reply: Reply) -> list[str]:
    """Return the figures that a headline says."""
    return re.findall(r"\$[\d,.]*\d", reply.headline)
