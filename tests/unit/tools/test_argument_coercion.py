"""Arguments become what was plainly meant, and nothing else."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypedDict

import annotated_types as at
import pytest

from tools.arguments import Coerced, Problem, coerce_arguments
from tools.schema import tool_schema

CATEGORIES = ["food", "transport", "entertainment", "shopping", "bank_fees", "groceries", "last_3_months"]
ENUM = {"type": "string", "enum": CATEGORIES}
INTEGER, NUMBER, STRING, BOOLEAN = ({"type": kind} for kind in ("integer", "number", "string", "boolean"))
NULL = {"type": "null"}


def coerce(schema: dict[str, Any], value: Any, *, optional: bool = False) -> Coerced:
    required = [] if optional else ["it"]
    return coerce_arguments({"type": "object", "properties": {"it": schema}, "required": required}, {"it": value})


MEANT = [
    (INTEGER, "10", 10),
    (INTEGER, " 10 ", 10),
    (INTEGER, "10.0", 10),
    (INTEGER, 10.0, 10),
    (INTEGER, "-3", -3),
    (INTEGER, ["10"], 10),
    (INTEGER, {"type": "integer", "value": "10"}, 10),
    (NUMBER, "10", 10),
    (NUMBER, "10.5", 10.5),
    (NUMBER, ".5", 0.5),
    (BOOLEAN, "false", False),
    (BOOLEAN, "False", False),
    (BOOLEAN, "no", False),
    (BOOLEAN, "0", False),
    (BOOLEAN, 0, False),
    (BOOLEAN, "YES", True),
    (BOOLEAN, 1, True),
    (STRING, 10, "10"),
    (STRING, 10.5, "10.5"),
    (STRING, ["coffee"], "coffee"),
    (STRING | {"format": "date"}, "2024-2-1", "2024-02-01"),
    (STRING | {"format": "date"}, "2024/02/01", "2024-02-01"),
    (STRING | {"format": "date"}, "20240201", "2024-02-01"),
    (STRING | {"format": "date"}, "2024-02-01T00:00:00Z", "2024-02-01"),
    (STRING | {"format": "date-time"}, "2024-02-01 10:30", "2024-02-01T10:30"),
    (STRING | {"format": "date-time"}, "2024-02-01", "2024-02-01T00:00:00"),
    (STRING | {"format": "time"}, "9:30", "09:30"),
    (STRING | {"format": "decimal"}, 12.5, "12.5"),
    (STRING | {"format": "decimal"}, 1e-7, "0.0000001"),
    (STRING | {"format": "uuid"}, "{12345678123456781234567812345678}", "12345678-1234-5678-1234-567812345678"),
    (ENUM, "Food", "food"),
    (ENUM, "bank fees", "bank_fees"),
    (ENUM, "Bank-Fee", "bank_fees"),
    (ENUM, "bankFees", "bank_fees"),
    (ENUM, "grocery", "groceries"),
    (ENUM, "foods", "food"),
    (ENUM, "transportation", "transport"),
    (ENUM, "entertain", "entertainment"),
    (ENUM, "grocreies", "groceries"),
    (ENUM, "shoping", "shopping"),
    (ENUM, "last 3 months", "last_3_months"),
    (ENUM, "last-3-months", "last_3_months"),
    (ENUM, ["Food"], "food"),
    ({"enum": [1, "a"]}, "1", 1),
    ({"type": "integer", "enum": [1, 2]}, "2", 2),
    ({"type": "number", "enum": [1.5, 2.0]}, 2, 2.0),
    ({"type": "array", "items": STRING}, "food", ["food"]),
    ({"type": "array", "items": STRING}, "Trader Joe's, Inc", ["Trader Joe's, Inc"]),
    ({"type": "array", "items": INTEGER}, "10", [10]),
    ({"type": "array", "items": INTEGER}, "[1, 2]", [1, 2]),
    ({"type": "array", "items": INTEGER}, ["1", 2.0], [1, 2]),
    ({"type": "array", "items": STRING}, "['a', 'b']", ["a", "b"]),
    ({"type": "array", "items": ENUM}, "food, Transport", ["food", "transport"]),
    ({"type": "array", "items": ENUM, "uniqueItems": True}, ["food", "Food"], ["food"]),
    ({"type": "array", "prefixItems": [INTEGER, STRING]}, ["1", 2], [1, "2"]),
    ({"type": "object"}, '{"a": 1}', {"a": 1}),
    ({"type": "object"}, "{'a': True}", {"a": True}),
    ({"type": "object"}, [{"a": 1}], {"a": 1}),
    ({"type": "object", "additionalProperties": INTEGER}, {"a": "1"}, {"a": 1}),
    ({"type": "object", "properties": {"max_price": NUMBER}}, {"maxPrice": "9"}, {"max_price": 9}),
    ({"anyOf": [INTEGER, STRING]}, "10", "10"),
    ({"anyOf": [INTEGER, BOOLEAN]}, "1", 1),
    ({"anyOf": [BOOLEAN, NUMBER]}, "1", 1),
    ({"anyOf": [BOOLEAN, NUMBER]}, "true", True),
    ({"anyOf": [STRING, {"type": "array", "items": STRING}]}, "food", "food"),
    ({"anyOf": [STRING, {"type": "array", "items": STRING}]}, ["food"], ["food"]),
    ({"anyOf": [STRING, {"type": "array", "items": STRING}]}, 7, "7"),
    ({"anyOf": [STRING, {"type": "array", "items": STRING}]}, '["a", "b"]', ["a", "b"]),
    ({"anyOf": [STRING, {"type": "array", "items": STRING}, NULL]}, "['a']", ["a"]),
    ({"anyOf": [STRING, {"type": "array", "items": INTEGER}]}, "[a]", "[a]"),
    ({"anyOf": [INTEGER, NULL]}, "null", None),
    ({"type": ["integer", "null"]}, "7", 7),
    ({"type": ["integer", "null"]}, None, None),
]


@pytest.mark.parametrize(("schema", "given", "meant"), MEANT)
def test_plain_meaning_is_taken_and_noted(schema, given, meant):
    coerced = coerce(schema, given)
    assert coerced.problems == ()
    assert json.dumps(coerced.arguments["it"]) == json.dumps(meant)  # JSON tells 10 from 10.0 and true from 1
    assert bool(coerced.changes) == (json.dumps(given) != json.dumps(meant))


REFUSED = [
    (INTEGER, "ten"),
    (INTEGER, "10.5"),
    (INTEGER, 10.5),
    (INTEGER, "1,000"),
    (INTEGER, True),
    (INTEGER, ["1", "2"]),
    (INTEGER, None),
    (INTEGER, "9" * 30),
    (INTEGER | {"minimum": 1, "maximum": 100}, 1000),
    (INTEGER | {"minimum": 1, "maximum": 100}, "0"),
    (INTEGER | {"multipleOf": 5}, 7),
    (NUMBER, "1,5"),
    (NUMBER, float("nan")),
    (NUMBER, float("inf")),
    (NUMBER, "nan"),
    (NUMBER | {"exclusiveMinimum": 0}, 0),
    (NUMBER | {"exclusiveMaximum": 1}, 1),
    (BOOLEAN, "perhaps"),
    (BOOLEAN, 2),
    (STRING, True),
    (STRING, None),
    (STRING, {"a": 1}),
    (STRING, "half \ud800"),
    (STRING | {"minLength": 2}, "a"),
    (STRING | {"maxLength": 2}, "abc"),
    (STRING | {"pattern": "^a"}, "b"),
    (STRING | {"format": "date"}, "2023-02-29"),
    (STRING | {"format": "date"}, "last_week"),
    (STRING | {"format": "date"}, "01/02/2024"),
    (STRING | {"format": "date"}, 2024),
    (STRING | {"format": "date-time"}, "2024-02-30T10:00:00"),
    (STRING | {"format": "time"}, "25:00"),
    (STRING | {"format": "decimal"}, "1,50"),
    (STRING | {"format": "decimal", "minimum": 1}, "0.99"),
    (STRING | {"format": "uuid"}, "1234"),
    (ENUM, "Whole Foods"),
    (ENUM, "last_6_months"),
    (ENUM, "fod"),
    (ENUM, ""),
    ({"type": "string", "enum": ["amount_asc", "amount_desc"]}, "amount"),
    ({"type": "string", "enum": ["rent", "cash"]}, "rental"),
    ({"type": "string", "enum": ["rent", "cash"]}, "cashback"),
    ({"type": "string", "enum": ["-1", "+1"]}, "1"),
    ({"enum": [1, "1"]}, 1.5),
    ({"type": "integer", "enum": [1]}, True),
    ({"const": "a"}, "b"),
    ({"type": "array", "items": INTEGER}, ["1", "x"]),
    ({"type": "array", "items": INTEGER}, "x"),
    ({"type": "array", "minItems": 2}, [1]),
    ({"type": "array", "maxItems": 1}, [1, 2]),
    ({"type": "array", "prefixItems": [INTEGER], "items": False}, [1, 2]),
    ({"type": "object"}, "{broken"),
    ({"type": "object", "properties": {"a": INTEGER}, "required": ["a"]}, {}),
    ({"type": "object", "propertyNames": {"enum": ["a"]}, "additionalProperties": INTEGER}, {"b": 1}),
    ({"type": "object", "minProperties": 1}, {}),
    ({"anyOf": [INTEGER, {"type": "array", "items": INTEGER}]}, "x"),
    ({"oneOf": [INTEGER, NUMBER]}, 1),
]


@pytest.mark.parametrize(("schema", "given"), REFUSED)
def test_no_plain_meaning_is_refused(schema, given):
    problems = coerce(schema, given).problems
    assert problems
    assert all("\n" not in problem.reason and len(problem.reason) < 300 for problem in problems)


@pytest.mark.parametrize(
    ("schema", "given", "reason"),
    [
        (INTEGER | {"minimum": 1, "maximum": 100}, 1000, "it must be an integer from 1 to 100, not 1000"),
        (NUMBER | {"exclusiveMinimum": 0}, -1, "it must be a number above 0, not -1"),
        (ENUM, "house", f"it must be one of {', '.join(CATEGORIES)}, not \"house\""),
        (STRING | {"minLength": 1, "maxLength": 3}, "abcd", 'it must be a string of 1 to 3 characters, not "abcd"'),
        ({"type": "array", "maxItems": 1}, [1, 2], "it must be a list of at most 1 item, not [1, 2]"),
        ({"anyOf": [INTEGER, NULL]}, "x", 'it must be an integer, not "x"'),
        ({"anyOf": [INTEGER, STRING | {"format": "time"}]}, "x", 'it must be an integer or a time as HH:MM, not "x"'),
        (INTEGER, "x" * 100, 'it must be an integer, not "' + "x" * 39 + "…"),
        (INTEGER, "a\nb", 'it must be an integer, not "a\\nb"'),
        ({"type": "array", "items": INTEGER}, [1, "x"], 'it[1] must be an integer, not "x"'),
        ({"type": "object", "properties": {"a": INTEGER}, "required": ["a"]}, {}, "it.a is required: an integer"),
    ],
)  # fmt: skip
def test_reason_is_one_plain_sentence(schema, given, reason):
    assert [problem.reason for problem in coerce(schema, given).problems] == [reason]


@pytest.mark.parametrize("nothing", [None, "null", "None", "", " ", "undefined", "N/A", ["null"], [""]])
@pytest.mark.parametrize("schema", [INTEGER, STRING, ENUM, {"anyOf": [STRING, NULL]}, {"anyOf": [INTEGER, NULL]}])
def test_nothing_is_dropped_where_it_is_optional(schema, nothing):
    coerced = coerce(schema, nothing, optional=True)
    assert coerced == Coerced({}, (f"it: {json.dumps(nothing)} dropped",), ())


def test_null_is_kept_where_it_differs_from_the_default():
    assert coerce({"anyOf": [INTEGER, NULL], "default": 10}, None, optional=True).arguments == {"it": None}
    assert coerce({"anyOf": [INTEGER, NULL], "default": 10}, "none", optional=True).arguments == {"it": None}
    assert coerce({"anyOf": [INTEGER, NULL], "default": None}, None, optional=True).arguments == {}


def test_a_choice_named_none_is_a_choice():
    schema = {"type": "string", "enum": ["none", "merchant"]}
    assert coerce(schema, "none", optional=True).arguments == {"it": "none"}
    assert coerce({"anyOf": [schema, NULL]}, "none", optional=True).arguments == {"it": "none"}


class Filters(TypedDict):
    category: str
    max_price: float


def search(
    query: str,
    start_date: str | None = None,
    end_date: str | None = None,
    limit: Annotated[int, at.Interval(ge=1, le=100)] = 10,
    sort: Literal["relevance", "date"] = "relevance",
    filters: Filters | None = None,
): ...


SCHEMA = tool_schema(search)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"startDate": "x"}, {"start_date": "x"}),
        ({"start-date": "x"}, {"start_date": "x"}),
        ({"START_DATE": "x"}, {"start_date": "x"}),
        ({"strat_date": "x"}, {"start_date": "x"}),
        ({"limits": 3}, {"limit": 3}),
        ({"startDate": "x", "start_date": "x"}, {"start_date": "x"}),
        ({"startDate": "x", "start_date": None}, {"start_date": "x"}),
        ({"LIMIT": "3", "limit": 3}, {"limit": 3}),
        ({"user": None, "page": "", "tags": [], "more": {}}, {}),
        ({"filters": {"category": "a", "maxPrice": "3"}}, {"filters": {"category": "a", "max_price": 3}}),
        ({"filters": '{"category": "a", "max_price": 3}'}, {"filters": {"category": "a", "max_price": 3}}),
    ],
)
def test_names_that_are_plainly_meant(given, meant):
    coerced = coerce_arguments(SCHEMA, {"query": "q", **given})
    assert (coerced.arguments, coerced.problems) == ({"query": "q", **meant}, ())
    assert coerced.changes


@pytest.mark.parametrize("name", ["date", "user", "q", "startDate2", "orderBy", ""])
def test_strangers_are_refused_and_never_dropped(name):
    coerced = coerce_arguments(SCHEMA, {"query": "q", name: "x"})
    assert coerced.arguments == {"query": "q", name: "x"}
    assert coerced.problems == (
        Problem(name, f"there is no parameter {name}; the parameters are: {', '.join(search.__annotations__)}"),
    )


def test_two_spellings_with_two_values_are_refused():
    assert coerce_arguments(SCHEMA, {"query": "q", "limit": 1, "Limit": 2}).problems
    assert coerce_arguments(SCHEMA, {"query": "q", "LIMIT": 1, "Limit": 2}).problems


@pytest.mark.parametrize(
    "given",
    [
        '{"query": "q"}',
        ' {"query": "q"}\n',
        "{'query': 'q'}",
        [{"query": "q"}],
        {"arguments": {"query": "q"}},
        {"parameters": '{"query": "q"}'},
    ],
)
def test_arguments_in_another_wrapping(given):
    coerced = coerce_arguments(SCHEMA, given)
    assert (coerced.arguments, coerced.problems) == ({"query": "q"}, ())
    assert coerced.changes


@pytest.mark.parametrize("given", ['{"query": ', "[]", "coffee", 3, True, [1], ["q"], {"arguments": "q"}, [[]]])
def test_broken_arguments_are_never_an_empty_call(given):
    def everything_optional(query: str = ""): ...

    assert coerce_arguments(tool_schema(everything_optional), given).problems


@pytest.mark.parametrize("given", [None, "", "null", {}])
def test_no_arguments(given):
    assert [problem.parameter for problem in coerce_arguments(SCHEMA, given).problems] == ["query"]
    assert coerce_arguments({"type": "object", "properties": {}}, given) == Coerced({}, (), ())


def test_changes_tell_what_was_changed():
    given = {"query": "q", "limit": "10", "startDate": "x", "end_date": None, "sort": "Date"}
    assert coerce_arguments(SCHEMA, given).changes == (
        'limit: "10" → 10',
        "end_date: null dropped",
        'sort: "Date" → "date"',
        "startDate → start_date",
    )


def test_what_was_given_is_left_alone():
    given = {"query": ["q"], "filters": {"category": "a", "maxPrice": "3"}}
    before = json.dumps(given)
    coerce_arguments(SCHEMA, given)
    assert json.dumps(given) == before


def test_references_are_followed():
    schema = {
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/Node"}},
        "$defs": {"Node": {"type": "object", "properties": {"value": INTEGER, "next": {"$ref": "#/$defs/Node"}}}},
    }
    assert coerce_arguments(schema, {"root": {"value": "1", "next": {"any": 1}}}).arguments["root"]["value"] == 1
    assert coerce_arguments(schema, {"root": {"value": "x"}}).problems


def test_bottomless_nesting_is_refused():
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    nested = coerce_arguments({"type": "object", "properties": {"it": ENUM}}, {"it": deep})
    assert nested.problems
    assert coerce_arguments({"type": "object", "properties": {"it": STRING}}, {"it": "[" * 100_000}).problems == ()
    assert coerce_arguments({"type": "object", "properties": {"it": INTEGER}}, "[" * 100_000).problems
