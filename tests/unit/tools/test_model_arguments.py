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

from graph.text_calls import parse_tool_calls
from ledger.repository import Vocabulary
from tools.arguments import coerce_arguments, to_python
from tools.checking import CheckedArguments, check_arguments
from tools.context import ToolContext
from tools.registry import Registry
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


def test_recorded_texts_hold_the_offered_calls_and_no_invented_one():
    """Python's False and True, several calls on lines of their own, and a tool that there is not."""
    read = [parse_tool_calls(text, TOOLS) for text in RECORD["texts"]]
    assert [[call.name for call in calls] for calls in read] == [
        ["analyze_merchant"],
        ["analyze_merchant", "analyze_merchant", "search_transactions"],
        [],
    ]
    assert [call.arguments.get("group_by_category") for calls in read for call in calls] == [False, True, True, None]


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


REGISTRY = Registry.built_in()
NAMES = Vocabulary(
    revision=1,
    categories=("Groceries", "Transport"),
    merchants=(("amazon", "Amazon"), ("wholefoods", "Whole Foods")),
    accounts=(),
    currencies=("USD",),
    first=date(2024, 1, 2),
    last=date(2024, 3, 30),
    count=200,
)


def check(tool: str, **arguments: Any) -> CheckedArguments:
    """Check arguments of one of the program's own tools, on a day of 2024."""
    context = ToolContext(None, NAMES, None, date(2024, 4, 10))  # type: ignore[arg-type]  # checking reads no row
    found = REGISTRY.get(tool)
    assert found is not None
    return check_arguments(found, arguments, context)


@pytest.mark.parametrize(
    ("tool", "given", "used"),
    [
        ("transactions-search_transactions", {"limit": "10"}, {"limit": 10}),
        ("spending-analyze_merchant", {"group_by_category": "false"}, {"group_by_category": False}),
        ("spending-analyze_merchant", {"group_by_category": "true"}, {"group_by_category": True}),
        ("spending-analyze_merchant", {"start_date": None, "end_date": None}, {}),
        ("spending-analyze_merchant", {"start_date": "null", "end_date": "null"}, {}),
        ("spending-analyze_merchant", {"start_date": "all_time", "end_date": "all_time"}, {}),
        ("spending-analyze_merchant", {"start_date": "last_week"}, {"start_date": "last_week"}),
        ("spending-analyze_merchant", {"start_date": "2024-02-01"}, {"start_date": "2024-02-01"}),
        ("spending-analyze_merchant", {"end_date": "9999-12-31"}, {"end_date": "9999-12-31"}),
        ("spending-analyze_merchant", {"start_date": "February 1"}, {"start_date": "February 1"}),
        ("spending-analyze_by_category", {"category": "transportation"}, {"category": "Transport"}),
        ("spending-get_spending_summary", {"period": "all_time"}, {"period": "all_time"}),
        ("spending-get_spending_summary", {"period": None}, {}),
    ],
)
def test_the_programs_own_tools_take_what_a_model_wrote(tool, given, used):
    needed = {"query": "coffee"} if "search" in tool else {"merchant": "Amazon"} if "merchant" in tool else {}
    checked = check(tool, **needed, **given)
    assert (checked.reason, checked.arguments) == ("", needed | used)


@pytest.mark.parametrize(
    ("tool", "given", "reason"),
    [
        ("transactions-search_transactions", {"limit": "1000"}, "limit must be an integer from 1 to 100"),
        ("spending-analyze_merchant", {"end_date": "2024-02-30"}, "end_date: I don't know the period"),
        ("spending-analyze_merchant", {"start_date": "the beginning"}, "start_date: I don't know the period"),
        ("spending-analyze_by_category", {"category": "Amazon"}, "category: "),
        ("spending-get_spending_summary", {"period": "last_fortnight_or_so"}, "period: I don't know the period"),
    ],
)
def test_the_programs_own_tools_refuse_what_says_nothing_plain(tool, given, reason):
    """None of it is taken for "everything": a total over all time would be a wrong answer that looks right."""
    needed = {"query": "coffee"} if "search" in tool else {"merchant": "Amazon"} if "merchant" in tool else {}
    checked = check(tool, **needed, **given)
    assert reason in checked.reason
    assert checked.arguments == {}
