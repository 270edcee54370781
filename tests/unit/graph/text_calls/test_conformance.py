from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.text_calls import parse_tool_calls
from tests.support.tables import every

DATA = Path(__file__).parents[3] / "data" / "text_calls"
OURS = json.loads((DATA / "text_calls.json").read_text(encoding="utf-8"))["cases"]
WILD = [json.loads(line) for line in (DATA / "text_calls_wild.jsonl").read_text(encoding="utf-8").splitlines()]

#: Cases that no reader of a text and offered names can meet.
IMPOSSIBLE = {
    "citc:glm/glm45-schema-coercion": 'needs the schema: in one call, "3" is a number for one parameter, a string for another',
    "dynamo:parsers:test_qwen3_coder_array_parameter_value_without_tool_definition": (
        "contradicts cases of the format's own template, where an array on lines of its own is an array"
    ),
    "vllm:llama4_pythonic:test_tool_call[parallel_calls_streaming]": "the text is one mark; the calls are not in it",
    "vllm:minicpm5xml:test_alias_enable_roaming": "contradicts our rule: the name in the text was not offered",
}


def _check(case):
    found = parse_tool_calls(case["text"], case["offered"])
    assert [call.name for call in found] == [call["name"] for call in case["expected"]]
    for call, expected in zip(found, case["expected"], strict=True):
        if expected.get("partial"):
            listed = {key: call.arguments.get(key) for key in expected["arguments"]}
            assert listed == expected["arguments"]
        else:
            assert call.arguments == expected["arguments"]


@pytest.mark.parametrize("case", OURS, ids=lambda case: case["name"])
def test_our_cases(case):
    _check(case)


@every("case", [case for case in WILD if case["id"] not in IMPOSSIBLE])
def test_cases_from_model_servers(case):
    _check(case)


@pytest.mark.xfail(strict=True, reason="see IMPOSSIBLE")
@pytest.mark.parametrize("case", [case for case in WILD if case["id"] in IMPOSSIBLE], ids=lambda case: case["id"])
def test_no_reader_meets_these(case):
    _check(case)


def test_every_impossible_case_is_still_there():
    assert set(IMPOSSIBLE) <= {case["id"] for case in WILD}
