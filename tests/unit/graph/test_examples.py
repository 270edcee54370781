"""What the bot offers to be asked, and what ``docs/what-you-can-ask.md`` lists, is answered over the made-up data."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from graph.examples import THEMES, examples_for, questions_of
from graph.reply import Actions
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
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


ROWS = (
    "{year}-06-02,ACME PAYROLL,2500.00",
    "{year}-{month}-02,ACME PAYROLL,2500.00",
    "{year}-{month}-03,ACME PAYROLL,2500.00",
    "{year}-06-05,COSTCO WHSE,-103.00",
    "{year}-{month}-05,COSTCO WHSE,-113.00",
    "{year}-{month}-07,SHELL OIL,-40.00",
)


@pytest.mark.parametrize(
    ("until", "asked"),
    [
        ("2026-10", "How much did I spend at Costco this year?"),
        ("2026-07", "How much did I spend in July 2026?"),
        ("2025-07", "How much did I spend in July 2025?"),
    ],
)
async def test_what_is_offered_first_is_about_money_that_there_is(
    tmp_path: Path, open_agent: Callable[..., Awaitable[MoneyAgent]], until: str, asked: str
) -> None:
    year, _, month = until.partition("-")
    rows = "\n".join(("Date,Description,Amount (USD)", *ROWS)).format(year=year, month=month)
    opened = await open_agent(tmp_path / "money.sqlite3")
    await import_files(await opened._store.repository(ME), [SourceFile("bank.csv", rows.encode())])
    examples = examples_for(await opened.context(ME))
    labels = [example.label for example in examples]
    assert asked in labels[:2]
    assert not any("Acme" in label for label in labels), "money comes from there, and none goes"
    for example in examples[:2]:
        said = (await Talk(opened).say(example.label)).reply
        assert said.kind == "answer", example.label
        assert _amounts(said), example.label
    await opened._store.close()
