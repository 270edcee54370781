"""What other makers of tool schemas promise and don't do, or do and shouldn't: each held here by a call from end to end."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any, Literal, Optional, TypedDict

import pytest

from tools.arguments import coerce_arguments, to_python
from tools.registry import tool, tool_of
from tools.schema import tool_schema


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Item(TypedDict):
    quantity: int
    price: Decimal


def call(function: Any, **arguments: Any) -> Any:
    """Call a function as the agent does: arguments coerced by its schema, converted by its hints."""
    coerced = coerce_arguments(tool_schema(function), arguments)
    assert coerced.problems == ()
    return function(**to_python(function, coerced.arguments))


def refusals(function: Any, **arguments: Any) -> list[str]:
    return [problem.reason for problem in coerce_arguments(tool_schema(function), arguments).problems]


def test_a_schema_given_to_the_decorator_is_the_tools():
    given = tool_schema(find)
    given["function"]["parameters"]["properties"]["limit"]["maximum"] = 3
    made = tool_of(tool(schema=given)(find))
    assert made.parameters["properties"]["limit"]["maximum"] == 3
    assert made.schema == given != tool_schema(find)


def find(query: str, limit: Optional[int], sort: Literal["newest", "oldest"] = "newest") -> tuple[Any, ...]:  # noqa: UP045
    return query, limit, sort


def test_null_is_a_value_of_an_optional():
    assert call(find, query="a", limit=None) == ("a", None, "newest")


def test_an_optional_without_default_may_be_left_out():
    """Elsewhere it isn't required either, but then the function fails for want of it."""
    assert "limit" not in tool_schema(find)["function"]["parameters"]["required"]
    assert call(find, query="a") == ("a", None, "newest")


def test_required_names_stand_as_declared():
    def probe(zone: str, item: Item, alpha: str): ...

    made = tool_schema(probe)["function"]["parameters"]
    assert made["required"] == ["zone", "item", "alpha"]
    assert made["properties"]["item"]["required"] == ["quantity", "price"]


def test_enums_dates_and_decimals_arrive_as_such():
    def probe(color: Color, since: date, above: Decimal) -> tuple[Any, ...]:
        return color, since, above

    assert call(probe, color="Red", since="2024-02-29", above=12.5) == (Color.RED, date(2024, 2, 29), Decimal("12.5"))
    assert refusals(probe, color="green", since="2023-02-29", above="much") == [
        'color must be one of red, blue, not "green"',
        'since must be a date as YYYY-MM-DD, not "2023-02-29"',
        'above must be a decimal number as 12.50, not "much"',
    ]


def test_tuples_and_sets_arrive_as_such():
    def probe(pair: tuple[int, date], colors: set[Color], items: list[Item]) -> tuple[Any, ...]:
        return pair, colors, items

    item = {"quantity": 2, "price": Decimal("1.10")}
    assert call(
        probe, pair=[1, "2026-01-31"], colors=["red", "blue", "red"], items=[{"quantity": "2", "price": "1.10"}]
    ) == ((1, date(2026, 1, 31)), {Color.RED, Color.BLUE}, [item])


@pytest.mark.parametrize("arguments", [{"query": "a", "offset": 3}, {"query": "a", "sort": "newest", "Q": "b"}])
def test_an_unknown_key_is_refused_by_name(arguments):
    (reason,) = refusals(find, **arguments)
    assert reason.startswith("there is no parameter ")
    assert reason.endswith("; the parameters are: query, limit, sort")


def test_an_unknown_key_is_refused_inside_as_well():
    def probe(item: Item): ...

    (reason,) = refusals(probe, item={"quantity": 1, "price": "2", "color": "red"})
    assert reason == "there is no parameter item.color; the parameters are: quantity, price"


def test_defaults_are_shown_and_left_to_the_function():
    assert tool_schema(find)["function"]["parameters"]["properties"]["sort"]["default"] == "newest"
    coerced = coerce_arguments(tool_schema(find), {"query": "a"})
    assert coerced.arguments == {"query": "a"}


def test_bare_containers_are_what_they_say():
    def probe(a: list, b: tuple, c: set, d: dict) -> tuple[Any, ...]:
        return a, b, c, d

    properties = tool_schema(probe)["function"]["parameters"]["properties"]
    assert [properties[name]["type"] for name in "abcd"] == ["array", "array", "array", "object"]
    assert call(probe, a=[1], b=[1], c=[1], d={"e": 1}) == ([1], (1,), {1}, {"e": 1})


@pytest.mark.parametrize("text", ["", "{", '{"query": ', "query", "[1, 2]", "3"])
def test_unreadable_arguments_are_never_an_empty_call(text):
    """A total over everything is not what somebody with a broken filter asked for."""
    coerced = coerce_arguments(tool_schema(find), text)
    assert coerced.arguments.get("query") is None
    assert coerced.problems
