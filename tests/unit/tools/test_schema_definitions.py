"""What is refused when a tool is defined, and how a given schema is checked."""

from __future__ import annotations

import copy
import datetime as dt
import pathlib
from collections import OrderedDict
from collections.abc import Callable
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal, TypeVar

import annotated_types as at
import pytest

from tools.errors import (
    MissingHint,
    NotCallable,
    PositionalOnly,
    SchemaMismatch,
    ToolDefinitionError,
    UnresolvedHint,
    UnsupportedHint,
)
from tools.schema import check_schema, tool_schema

T = TypeVar("T")


class Empty(Enum):
    pass


class Untyped:
    def __init__(self, a, b=1): ...


class Context:
    __injected__: ClassVar[bool] = True


def test_missing_hint_names_function_and_parameter():
    def probe(a: int, b): ...

    with pytest.raises(MissingHint, match="probe: parameter 'b' has no type annotation") as caught:
        tool_schema(probe)
    assert (caught.value.function, caught.value.parameter) == ("probe", "b")


def test_positional_only():
    def probe(a: int, /): ...

    with pytest.raises(PositionalOnly, match="probe: parameter 'a'"):
        tool_schema(probe)


@pytest.mark.parametrize("thing", ["text", 3, None, {}])
def test_not_callable(thing):
    with pytest.raises(NotCallable):
        tool_schema(thing)


def test_nameless_and_uninspectable():
    with pytest.raises(NotCallable, match="needs a name"):
        tool_schema(lambda: None)
    with pytest.raises(NotCallable, match="signature"):
        tool_schema(dict)


@pytest.mark.parametrize("annotation", ["Nowhere", "dt.nothing", "list[Nowhere]", "not a hint"])
def test_unresolved_hint(annotation):
    def probe(a): ...

    probe.__annotations__ = {"a": annotation}
    assert dt
    with pytest.raises(UnresolvedHint, match="probe: parameter 'a'"):
        tool_schema(probe)


@pytest.mark.parametrize(
    "hint",
    [
        Callable[[int], int],
        Callable,
        bytes,
        complex,
        pathlib.Path,
        dt.timedelta,
        T,
        list[T],
        type[int],
        type,
        5,
        [],
        Empty,
        Untyped,
        OrderedDict,
        Literal[b"x"],
        dict[float, int],
        dict[str, bytes],
        int | bytes,
        Annotated[str, at.Ge(1)],
        Annotated[int, at.MinLen(1)],
        Annotated[dt.date, at.Ge(dt.date(2020, 1, 1))],
        Annotated[int | None, at.MinLen(1)],
    ],
)
def test_unsupported_hint(hint):
    def probe(a): ...

    probe.__annotations__ = {"a": hint}
    with pytest.raises(UnsupportedHint, match="probe: parameter 'a'"):
        tool_schema(probe)


def given(**changes: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    return {"type": "function", "function": {"name": "probe", "parameters": parameters | changes}}


def probe(context: Context, query: str, limit: int = 10): ...


def test_fitting_schemas_pass():
    check_schema(given(), probe)
    check_schema(tool_schema(probe), probe)
    check_schema(given(required=[]), probe)

    def unhinted(query, **more): ...

    check_schema(given(properties={"query": {}, "other": {"type": ["string", "null"]}}), unhinted)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"type": "array"}, "type object"),
        ({"properties": []}, "properties object"),
        ({"properties": {"query": "string"}}, "no object"),
        ({"required": ["query", "missing"]}, "missing"),
        ({"required": "query"}, "list of names"),
        ({"properties": {"query": {}, "other": {}}}, "'other'"),
        ({"properties": {"query": {}, "context": {}}}, "'context'"),
        ({"properties": {"limit": {}}, "required": []}, "'query'"),
        ({"properties": {"query": {"type": "text"}}}, "'text'"),
        ({"properties": {"query": {"pattern": "("}}}, "regular expression"),
        ({"properties": {"query": {"not": {}}}}, "not"),
        ({"properties": {"query": {"items": {"anyOf": [{"if": {}}]}}}}, "if"),
        ({"properties": {"query": {"multipleOf": 0}}}, "multipleOf"),
        ({"properties": {"query": {"minLength": "1"}}}, "minLength"),
        ({"properties": {"query": {"enum": []}}}, "enum"),
        ({"properties": {"query": {"$ref": "#/$defs/Lost"}}}, "refers to nothing"),
        ({"properties": {"query": {"anyOf": {"type": "string"}}}}, "anyOf"),
        ({"properties": {"query": {"type": "object", "required": True}}}, "required"),
    ],
)
def test_schema_mismatch_says_why(changes, reason):
    with pytest.raises(SchemaMismatch, match=rf"probe.*{reason}"):
        check_schema(given(**changes), probe)


@pytest.mark.parametrize("name", [None, "", "  ", 3])
def test_blank_names(name):
    schema = given()
    schema["function"]["name"] = name
    with pytest.raises(SchemaMismatch, match="name"):
        check_schema(schema, probe)


@pytest.mark.parametrize(
    "schema", [{}, {"type": "function"}, {"type": "function", "function": {"name": "probe"}}, [], None]
)
def test_other_forms(schema):
    with pytest.raises(ToolDefinitionError):
        check_schema(schema, probe)


def test_checking_leaves_the_schema_alone():
    schema = given(**{"properties": {"query": {"$ref": "#/$defs/Q"}}, "$defs": {"Q": {"type": "string"}}})
    before = copy.deepcopy(schema)
    check_schema(schema, probe)
    assert schema == before
