"""``--help`` in the language of the terminal."""

from __future__ import annotations

import pytest

from bots.cli import main as command
from tests.support.untold import untold_in
from tests.unit.test_docs import subcommands


@pytest.fixture
def german_terminal(monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")


@pytest.mark.usefixtures("german_terminal")
def test_help_is_german_at_a_german_terminal():
    with untold_in("de") as untold:
        told = command._build().format_help()
        every = [parser.format_help() for name, parser in subcommands().items() if name != "eval"]
    assert not untold
    assert told.startswith("Aufruf: money-minder")
    assert "Bankdateien einlesen" in told
    assert all("diese Hilfe zeigen" in each for each in every)


def test_help_is_english_elsewhere(monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C.UTF-8")
    assert "read bank files" in command._build().format_help()
