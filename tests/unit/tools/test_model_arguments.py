"""What a real 8B model sent: coerced to what it plainly meant, or refused with a reason."""

from __future__ import annotations

import ast
import itertools
import json
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

import annotated_types as at
import pytest

from tools.arguments import coerce_arguments, to_python
from tools.schema import tool_schema

RECORD = json.loads((Path(__file__).parents[2] / "data/tools/model_arguments.json").read_text(encoding="utf-8"))


def analyze_by_category(category: str, start_date: date | None = None, end_date: date | None = None): ...


def analyze_merchant(
    merchant: str, group_by_category: bool = False, start_date: date | None = None, end_date: date | None = None
): ...


def get_spending_summary(
    period: Literal["last_week", "last_month", "last_3_months", "all_time"] = "last_month",
): ...


def search_transactions(query: str, limit: Annotated[int, at.Ge(1), at.Le(1000)] = 10): ...


TOOLS = {
    function.__name__: function
    for function in (analyze_by_category, analyze_merchant, get_spending_summary, search_transactions)
}
MEANT = {"false": False, "true": True, "10": 10, "1000": 1000}


def meant(arguments: dict[str, Any]) -> dict[str, Any]:
    """Read the recorded values by hand: stringified numbers and truths, and null for what wasn't said."""
    return {
        name: MEANT.get(value, value) if isinstance(value, str) else value
        for name, value in arguments.items()
        if value is not None
    }


@pytest.mark.parametrize("call", RECORD["calls"], ids=lambda call: json.dumps(call["arguments"]))
def test_recorded_call_is_read_as_meant(call):
    function = TOOLS[call["name"]]
    coerced = coerce_arguments(tool_schema(function), call["arguments"])
    assert (coerced.arguments, coerced.problems) == (meant(call["arguments"]), ())
    assert bool(coerced.changes) == (coerced.arguments != call["arguments"])
    function(**to_python(function, coerced.arguments))


@pytest.mark.parametrize(
    "text",
    [line for text in RECORD["texts"] for line in text.splitlines() if "get_total_expenses" not in line],
)
def test_recorded_text_is_read_or_refused(text):
    call = ast.literal_eval(text.strip())
    coerced = coerce_arguments(tool_schema(TOOLS[call["name"]]), call["parameters"])
    phrases = [name for name, value in call["parameters"].items() if value == "all_time"]
    assert [problem.parameter for problem in coerced.problems] == phrases


CRASHED = [(name, value) for name, values in RECORD["values_that_crashed_a_peer"].items() for value in values]


@pytest.mark.parametrize(("name", "value"), CRASHED)
def test_values_that_crashed_a_peer(name, value):
    function = search_transactions if name == "limit" else analyze_merchant
    given = {"query": "coffee"} if name == "limit" else {"merchant": "Amazon"}
    coerced = coerce_arguments(tool_schema(function), {**given, name: value})
    if value in ("last_week", "all_time"):
        (problem,) = coerced.problems
        assert problem.reason == f'{name} must be a date as YYYY-MM-DD, not "{value}"'
    else:
        assert not coerced.problems
        expected = {} if value == "null" else {name: MEANT.get(value, value)}
        assert coerced.arguments == given | expected


def test_every_value_in_every_place_is_read_or_refused():
    values = [one for values in RECORD["values_that_crashed_a_peer"].values() for one in values]
    values += [None, True, 3, 2.5, [], {}, ["10"], {"value": "10"}, "", float("nan"), 10**400]
    for function, name, value in itertools.product(TOOLS.values(), ("merchant", "limit", "end_date", "x"), values):
        coerced = coerce_arguments(tool_schema(function), {name: value})
        assert all(problem.reason for problem in coerced.problems)
