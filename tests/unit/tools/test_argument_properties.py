"""Coercion and validation over everything JSON can hold, with pydantic as the independent judge."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

import annotated_types as at
import pydantic
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tools.arguments import coerce_arguments, to_python
from tools.schema import flat_schema, tool_schema


class Color(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Filters:
    category: str
    above: float | None = None
    colors: frozenset[Color] = frozenset()


class Point(NamedTuple):
    x: int
    y: bool = False


HINTS: list[Any] = [
    str,
    int,
    float,
    bool,
    date,
    UUID,
    Color,
    Literal["last_week", "last_month", 3, True],
    Annotated[int, at.Ge(1), at.Le(100)],
    Annotated[float, at.Gt(0), at.MultipleOf(0.5)],
    Annotated[str, at.Len(1, 3)],
    list[int],
    Annotated[list[str], at.Len(1, 2)],
    set[Color],
    tuple[int, Color],
    tuple[date, ...],
    dict[str, list[int]],
    int | None,
    Annotated[int, at.Ge(0)] | list[Color] | None,
    bool | float,
    Filters,
    list[Filters] | None,
    Point,
    Decimal,
]

words = st.sampled_from(
    ["", "null", "none", "10", "10.0", "false", "no", "Red", "blues", "2024-02-30", "2024-2-1", "last week", "1e5", "-"]
) | st.sampled_from(["[1]", "['red']", "{", "[[", "{'category': 1}", "category", "value", "arguments", "NaN", "\ud800"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | words,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(words | st.sampled_from(["it", "It", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


def tool_of(hint: Any, *, optional: bool):
    def probe(it): ...

    probe.__annotations__ = {"it": hint}
    if optional:
        probe.__defaults__ = (None,)
    return probe


TOOLS = [(tool_of(hint, optional=optional), hint) for hint in HINTS for optional in (False, True)]
SCHEMAS = [tool_schema(function) for function, _ in TOOLS]
JUDGES = [pydantic.TypeAdapter(hint) for _, hint in TOOLS]
which = st.integers(0, len(TOOLS) - 1)


@settings(deadline=None, max_examples=250)
@given(which, values | st.fixed_dictionaries({"it": values}, optional={"x": values}))
def test_any_json_is_coerced_or_refused_and_twice_is_as_once(number, given_value):
    once = coerce_arguments(SCHEMAS[number], given_value)
    twice = coerce_arguments(SCHEMAS[number], once.arguments)
    assert json.dumps(twice.arguments, sort_keys=True) == json.dumps(once.arguments, sort_keys=True)
    assert twice.changes == ()
    assert all("\n" not in problem.reason for problem in once.problems)


@settings(deadline=None, max_examples=400)
@given(which, values)
def test_what_is_accepted_passes_an_independent_judge(number, given_value):
    (function, _), judge = TOOLS[number], JUDGES[number]
    coerced = coerce_arguments(SCHEMAS[number], {"it": given_value})
    if coerced.problems or coerced.arguments.get("it") is None:
        return
    written = json.dumps(coerced.arguments["it"], allow_nan=False)
    if "e+" in written and "MultipleOf" in repr(TOOLS[number][1]):
        return  # of such sizes the judge's own remainder overflows
    try:
        called = to_python(function, coerced.arguments)
    except ValueError:
        assert "e+" in written or len(written) > 300  # an integer that no float holds
        return
    assert called["it"] == judge.validate_json(written)


def drawn_from(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a hint; halves and cents where a plain float or decimal would have no digits to write."""
    if hint is Decimal:
        return st.decimals(-1000, 1000, places=2)
    return st.integers(1, 100).map(lambda half: half / 2) if "MultipleOf" in repr(hint) else st.from_type(hint)


@settings(deadline=None, max_examples=250)
@given(which, st.data())
def test_what_the_judge_writes_is_accepted(number, data):
    number -= number % 2  # the required ones: "none" for an optional text means nothing
    (function, hint), judge = TOOLS[number], JUDGES[number]
    assume(hint is not Point)  # which is a list to pydantic, and an object with names to a model
    try:
        written = json.loads(judge.dump_json(data.draw(drawn_from(hint))))
        expected = judge.validate_json(json.dumps(written, allow_nan=False))
    except ValueError:  # infinity and lone surrogates have no JSON form
        return
    coerced = coerce_arguments(SCHEMAS[number], {"it": written})
    assert coerced.problems == ()
    assert to_python(function, coerced.arguments) == {"it": expected}


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: json.dumps(schema["function"]["parameters"]))
def test_every_schema_is_json_and_flattens(schema):
    json.dumps(schema, allow_nan=False)
    assert flat_schema(schema)["type"] == "object"
