"""What a line is: a command, a path, or a question; and what a trace says in words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.console.commands import COMMANDS, pasted_files, split
from bots.console.traces import trace_pairs


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("plain.csv", "with space.csv", "rent"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("{0}/plain.csv", ["{0}/plain.csv"]),
        ("{0}/with space.csv", ["{0}/with space.csv"]),
        ("'{0}/with space.csv' {0}/plain.csv", ["{0}/with space.csv", "{0}/plain.csv"]),
        ("{0}/with\\ space.csv", ["{0}/with space.csv"]),
        ("~/plain.csv", ["~/plain.csv"]),
        ("plain.csv", ["plain.csv"]),
        ("./rent", ["./rent"]),
        ("{0}/none.csv", ["{0}/none.csv"]),
        ("rent", []),
        ("plain.csv please", []),
        ("none.csv", []),
        ("/why", []),
        ("/import plain.csv", []),
        ("how much / how often?", []),
        ("it's unbalanced", []),
        ("", []),
    ],
)
def test_a_path_is_told_from_a_question(folder, line, found):
    assert pasted_files(line.format(folder)) == [path.format(folder) for path in found]


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_line_can_be_looked_at(line):
    assert isinstance(pasted_files(line), list)
    assert all(isinstance(word, str) for word in split(line))


def test_every_command_is_written_with_a_slash_and_says_what_it_does():
    for name, command in COMMANDS.items():
        assert name.startswith("/")
        assert command.usage.startswith(name)
        assert command.meaning


PLANNED = {
    "offered": {"strategy": "semantic", "why": "matched", "tools": ["spending-summary", "transactions-list"],
                "scores": {"spending-summary": 0.8123}, "background": ["settings:payday"]},
    "planner": {"kind": "calls", "confidence": 0.9871, "pattern": "how much {period}", "mentions": ["period: may"],
                "ranked": [("spending-summary", 1.0), ("none", 0.25)], "read_as": "follow-up"},
    "model": [{"round": 1, "form": "text", "read_as": "fence", "calls": ["spending-summary"], "seconds": 3.21},
              {"round": 2, "unavailable": "no answer in time", "seconds": 0.5}],
    "calls": [
        {"name": "spending-summary", "by": "model", "arguments": {"period": "may"}, "changes": ["period: from the words"],
         "status": "failed", "problem": "ToolFailed", "reason": "The tool failed.", "round": 2, "seconds": 0.0125},
        {"name": "nope", "by": "model", "arguments": {}, "changes": [], "status": "rejected", "round": 1, "seconds": 0.0,
         "problem": "UnknownTool", "reason": "There is no tool 'nope'.", "item": "7"},
    ],
    "rounds": 2, "seconds": 0.02, "timings": {"planner": 0.004, "tools": 0.0125}, "answered_by": "ollama:small",
    "usage": {"model_calls": 1, "input_tokens": 812, "output_tokens": 31}, "focus": "month_close",
}  # fmt: skip


def test_a_trace_says_everything_that_is_in_it():
    said = trace_pairs(PLANNED, 0.05)
    assert ("Offered", "2 tools (semantic: matched)") in said
    assert ("", "spending-summary 0.81, transactions-list") in said
    assert ("Told", "settings:payday") in said
    assert ("Focus", "month close") in said
    assert ("Planner", "a call, confidence 0.987") in said
    assert ("Read as", "follow-up") in said
    assert ("Ranked", " 1.000  spending-summary") in said
    assert ("Asked", "the model, in round 1: spending-summary, read as fence, 3210 ms") in said
    assert ("Asked", "the model, in vain (no answer in time), 500 ms") in said
    assert ("Call", "spending-summary, from the model") in said
    assert ("", "period = may") in said
    assert ("Changed", "period: from the words") in said
    assert ("Ran", "in round 2, 12 ms, failed: ToolFailed") in said
    assert ("Call", "nope (request 7), from the model") in said
    assert ("Rejected", "UnknownTool: There is no tool 'nope'.") in said
    assert ("Rounds", "2") in said
    assert ("Time", "50 ms, 20 ms of it in the graph") in said
    assert ("", "planner 4 ms, tools 12 ms") in said
    assert ("Model", "ollama:small, 1 call, 812 tokens in, 31 out") in said


def test_a_trace_of_a_turn_that_came_to_nothing_is_short():
    assert trace_pairs({}, 0.001) == [("Rounds", "0"), ("Time", "1 ms"), ("Model", "builtin, not asked")]
