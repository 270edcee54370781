"""Variants of each family beyond the collected cases; tests/data/text_calls/variants.json holds them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.text_calls import Call, has_call_markup, parse_tool_calls
from tests.support.tables import every

OFFERED = ("web-search", "sum", "now")
FAMILIES = json.loads((Path(__file__).parents[3] / "data/text_calls/variants.json").read_text(encoding="utf-8"))
CASES = [(f"{name}-{at}", case) for name, cases in FAMILIES.items() for at, case in enumerate(cases)]


@every(("name", "case"), CASES)
def test_variants(name, case):
    assert parse_tool_calls(case["text"], OFFERED) == [Call(**call) for call in case["calls"]]


def test_every_family_has_variants_and_refusals():
    assert len(FAMILIES) == 17
    assert all(len(cases) >= 6 and any(not case["calls"] for case in cases) for cases in FAMILIES.values())


#: Python without any mark looks like prose until it is read.
MARKED = [
    case["text"]
    for name, case in CASES
    if case["calls"] and not (name.startswith("python") and not any(mark in case["text"] for mark in ("<", "tool")))
]


@every("text", MARKED)
def test_what_is_read_counts_as_markup(text):
    assert has_call_markup(text)


@pytest.mark.parametrize(
    "text",
    [
        "You spent $713.10 on groceries.",
        '{"total": 5}',
        "| month | sum |\n|---|---|\n| Oct | 5 |",
        "a < b and [1, 2] (see {note})",
        "Action is needed: call the bank.",
        '```json\n{"name": "Rewe", "total": 5}\n```',
        "",
    ],
)
def test_answers_have_no_markup(text):
    assert not has_call_markup(text)


@pytest.mark.parametrize(
    "text",
    ['<tool_call>{"name": "su', "[TOOL_CALLS]", '{"tool": "nope", ', "</tool_call>", "<function=x>", "<｜DSML｜invoke"],
)
def test_broken_attempts_are_markup(text):
    assert parse_tool_calls(text, OFFERED) == []
    assert has_call_markup(text)


def test_two_names_alike_answer_only_to_their_own_form():
    offered = ["web-search", "web_search"]
    assert parse_tool_calls('{"tool": "web_search"}', offered) == [Call("web_search", {})]
    assert parse_tool_calls('{"tool": "web.search"}', offered) == []


@pytest.mark.parametrize(
    "written", ["web search", " `web-search` ", "Web_Search", "default_api.web_search", "web-search:0"]
)
def test_a_name_is_known_however_it_is_written(written):
    assert parse_tool_calls(json.dumps({"tool": written}), OFFERED) == [Call("web-search", {})]


def test_nothing_offered_nothing_read():
    assert parse_tool_calls('{"tool": "sum"}', []) == []
