"""``tools``: what would be offered for a question, as the command prints it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from bots.app import console_person, open_app
from bots.cli import tools as command
from bots.settings import Settings
from ledger.switches import switch
from tests.support.console import WordEmbedder
from tools.registry import Registry

OURS = [tool.name for tool in Registry.built_in().offered()]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings over an empty ledger, and an embedder that takes no time."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ledger.embeddings.MiniLmEmbedder", WordEmbedder)
    return Settings(data_dir=tmp_path / "data", model="builtin")


async def printed(
    capsys: pytest.CaptureFixture[str], settings: Settings, question: str | None = None, **options: Any
) -> str:
    arguments = argparse.Namespace(question=question, strategy=None, json=True, user=None)
    assert await command.run(argparse.Namespace(**vars(arguments) | options), settings) == 0
    return capsys.readouterr().out


async def test_without_a_question_all_tools_that_are_on(capsys: Any, settings: Settings) -> None:
    entries = json.loads(await printed(capsys, settings))
    assert [entry["name"] for entry in entries] == OURS
    assert all(entry.keys() == {"name", "app", "schema"} for entry in entries)
    assert entries[0]["schema"]["function"]["name"] == OURS[0]
    async with open_app(settings) as app:
        await switch(await app.repository(console_person(None)), "spending", on=False)
    left = [entry["name"] for entry in json.loads(await printed(capsys, settings))]
    assert left == [name for name in OURS if not name.startswith("spending-")]
    offered = json.loads(await printed(capsys, settings, "What did I spend?", strategy="all"))
    assert [entry["name"] for entry in offered] == left


async def test_a_question_by_meaning_with_scores(capsys: Any, settings: Settings) -> None:
    """More than ten tools, so that this is also what happens without a strategy."""
    entries = json.loads(await printed(capsys, settings, "What did I spend?", strategy="semantic"))
    scores = [entry["score"] for entry in entries]
    assert len(entries) == 10 < len(OURS)
    assert scores == sorted(scores, reverse=True)
    assert all(0.05 <= score <= 1 for score in scores)
    assert entries == json.loads(await printed(capsys, settings, "What did I spend?"))


async def test_a_question_by_keywords_has_no_scores(capsys: Any, settings: Settings) -> None:
    entries = json.loads(await printed(capsys, settings, "compare them", strategy="keyword"))
    assert "spending-compare" in {entry["name"] for entry in entries}
    assert len(entries) < len(OURS)
    assert {entry["score"] for entry in entries} == {None}


async def test_the_strategy_that_is_set_counts_unless_another_is_given(capsys: Any, settings: Settings) -> None:
    keyword = settings.model_copy(
        update={"tool_selection": settings.tool_selection.model_copy(update={"strategy": "all"})}
    )
    assert len(json.loads(await printed(capsys, keyword, "compare them"))) == len(OURS)
    assert len(json.loads(await printed(capsys, keyword, "compare them", strategy="keyword"))) < len(OURS)


async def test_in_words_it_says_how_many_and_why(capsys: Any, settings: Settings) -> None:
    semantic = (await printed(capsys, settings, "What did I spend?", strategy="semantic", json=False)).splitlines()
    assert semantic[0].split() == ["Score", "Tool", "What", "it", "does"]
    assert semantic[-1] == f"10 of {len(OURS)} tools · semantic: matched"
    assert len(semantic) == 12
    everything = (await printed(capsys, settings, "zebra", strategy="keyword", json=False)).splitlines()
    assert everything[-len(OURS) - 2].split() == ["Tool", "What", "it", "does"]
    assert everything[-1] == f"{len(OURS)} of {len(OURS)} tools · keyword: nothing matched"
    assert len((await printed(capsys, settings, json=False)).splitlines()) == len(OURS) + 1
