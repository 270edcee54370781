"""What a typed function's schema says, hint by hint."""

from __future__ import annotations

import functools
import re
import typing
from collections.abc import Collection, Iterable, Mapping, MutableSequence, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Optional,
    Required,
    TypedDict,
    Union,
)
from uuid import UUID

import annotated_types as at
import pydantic
import pytest
import typing_extensions

from tools.arguments import to_python
from tools.schema import find_problems, tool_schema


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Period(StrEnum):
    LAST_MONTH = "last_month"
    ALL_TIME = "all_time"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Shape(Enum):
    POINT = ()
    LINE = (1, 2)


class Filters(TypedDict, total=False):
    """What to look for.

    Attributes:
        category: One category.
    """

    zone: Required[str]
    category: str
    above: NotRequired[float]


class Total(TypedDict):
    zone: str
    beta: NotRequired[int]
    alpha: int | None


class Open(typing_extensions.TypedDict):
    a: int


class Tree(TypedDict):
    value: int
    kids: list[Tree]


@dataclass
class Range:
    start: date
    end: date | None = None
    tags: list[str] = field(default_factory=list)


@dataclass
class Link:
    value: int
    after: Link | None = None


@dataclass
class Left:
    right: Right | None = None


@dataclass
class Right:
    left: Left


class Point(NamedTuple):
    x: int
    y: int = 0


class Model(pydantic.BaseModel):
    limit: int = pydantic.Field(5, ge=1)
    name: str


class Account:
    def __init__(self, number: str, branch: int = 0):
        self.number = number


AccountId = NewType("AccountId", int)
Nested = Union[dict[str, "Nested"], int]  # noqa: UP007 - text in it needs the old form
Json = typing_extensions.TypeAliasType("Json", "dict[str, Json] | list[Json] | str | int | None")


class Slot:
    def json_schema(self) -> dict[str, Any]:
        return {"description": "a period", "minLength": 1}


class Context:
    __injected__: ClassVar[bool] = True


def schema_of(hint: Any, **default: Any) -> dict[str, Any]:
    def probe(it): ...

    probe.__annotations__ = {"it": hint}
    if default:
        probe.__defaults__ = (default["default"],)
    return tool_schema(probe)["function"]["parameters"]["properties"]["it"]


INTEGER, STRING = {"type": "integer"}, {"type": "string"}
STRINGS = {"type": "array", "items": STRING}


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (str, STRING),
        (int, INTEGER),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (None, {"type": "null"}),
        (Any, {}),
        (object, {}),
        (date, {"type": "string", "format": "date"}),
        (datetime, {"type": "string", "format": "date-time"}),
        (time, {"type": "string", "format": "time"}),
        (Decimal, {"type": "string", "format": "decimal"}),
        (UUID, {"type": "string", "format": "uuid"}),
        (AccountId, INTEGER),
        (Color, {"type": "string", "enum": ["red", "blue"]}),
        (Period, {"type": "string", "enum": ["last_month", "all_time"]}),
        (Level, {"type": "integer", "enum": [1, 2]}),
        (Shape, {"type": "string", "enum": ["POINT", "LINE"]}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal[True], {"type": "boolean", "enum": [True]}),
        (Literal[1, "a"], {"enum": [1, "a"]}),
        (Literal[Color.RED], {"type": "string", "enum": ["red"]}),
        (list, {"type": "array", "items": {}}),
        (typing.List, {"type": "array", "items": {}}),  # noqa: UP006
        (list[str], STRINGS),
        (Sequence[str], STRINGS),
        (Iterable[str], STRINGS),
        (Collection[str], STRINGS),
        (MutableSequence[str], STRINGS),
        (typing.Sequence, {"type": "array", "items": {}}),
        (set, {"type": "array", "items": {}, "uniqueItems": True}),
        (set[str], STRINGS | {"uniqueItems": True}),
        (frozenset[str], STRINGS | {"uniqueItems": True}),
        (AbstractSet[str], STRINGS | {"uniqueItems": True}),
        (tuple, {"type": "array"}),
        (tuple[str, ...], STRINGS),
        (tuple[int, str], {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2}),
        (tuple[()], {"type": "array", "minItems": 0, "maxItems": 0}),
        (dict, {"type": "object"}),
        (dict[str, int], {"type": "object", "additionalProperties": INTEGER}),
        (Mapping[str, Any], {"type": "object", "additionalProperties": {}}),
        (
            dict[int, str],
            {"type": "object", "additionalProperties": STRING, "propertyNames": {"pattern": "^-?[0-9]+$"}},
        ),
        (
            dict[Literal["a"], int],
            {"type": "object", "additionalProperties": INTEGER, "propertyNames": {"type": "string", "enum": ["a"]}},
        ),
        (int | None, {"anyOf": [INTEGER, {"type": "null"}]}),
        (Optional[int], {"anyOf": [INTEGER, {"type": "null"}]}),  # noqa: UP045
        (int | str | None, {"anyOf": [INTEGER, STRING, {"type": "null"}]}),
        (Annotated[str, "How much"], STRING | {"description": "How much"}),
        (
            Annotated[str, "How much"] | None,
            {"anyOf": [STRING, {"type": "null"}], "description": "How much"},
        ),
        (Annotated[int, 5, object()], INTEGER),
        (Annotated[str, Slot()], STRING | {"description": "a period", "minLength": 1}),
        (
            Annotated[str | None, Slot()],
            {"anyOf": [STRING | {"minLength": 1}, {"type": "null"}], "description": "a period"},
        ),
        (Annotated[int | str, "x"] | None, {"anyOf": [INTEGER, STRING, {"type": "null"}], "description": "x"}),
        (AccountId | int, {"anyOf": [INTEGER]}),
        (Literal[1, "a"] | Literal[True, "a"], {"anyOf": [{"enum": [1, "a"]}, {"enum": [True, "a"]}]}),  # noqa: PYI030
        ("list[int]", {"type": "array", "items": INTEGER}),
    ],
)
def test_hint(hint, expected):
    assert schema_of(hint) == expected


@pytest.mark.parametrize(
    ("hint", "keys"),
    [
        (Annotated[int, at.Ge(1), at.Le(50)], {"minimum": 1, "maximum": 50}),
        (Annotated[float, at.Gt(0), at.Lt(1)], {"exclusiveMinimum": 0, "exclusiveMaximum": 1}),
        (Annotated[int, at.Interval(ge=1, le=5)], {"minimum": 1, "maximum": 5}),
        (Annotated[int, at.MultipleOf(5)], {"multipleOf": 5}),
        (Annotated[str, at.Len(1, 3)], {"minLength": 1, "maxLength": 3}),
        (Annotated[list[str], at.MinLen(1)], {"minItems": 1}),
        (Annotated[dict[str, int], at.MaxLen(3)], {"maxProperties": 3}),
        (Annotated[str, re.compile("^a")], {"pattern": "^a"}),
        (Annotated[Decimal, at.Ge(Decimal(0)), at.Lt(Decimal("0.5"))], {"minimum": 0, "exclusiveMaximum": 0.5}),
        (Annotated[int, pydantic.Field(ge=1, description="Few")], {"minimum": 1, "description": "Few"}),
        (Annotated[str, pydantic.Field(pattern="^a", max_length=3)], {"pattern": "^a", "maxLength": 3}),
        (Annotated[str, pydantic.StringConstraints(min_length=2)], {"minLength": 2}),
        (Annotated[str, typing_extensions.Doc("Why")], {"description": "Why"}),
    ],
)
def test_annotated_constraint(hint, keys):
    base = schema_of(typing.get_args(hint)[0])
    assert schema_of(hint) == base | keys


def test_constraint_reaches_into_optional():
    assert schema_of(Annotated[int | None, at.Ge(1)])["anyOf"] == [{"type": "integer", "minimum": 1}, {"type": "null"}]


def test_typed_dict_keeps_declaration_order_and_its_own_requirements():
    made = schema_of(Filters)
    assert list(made["properties"]) == ["zone", "category", "above"]
    assert made["required"] == ["zone"]
    assert made["additionalProperties"] is False
    assert made["properties"]["category"]["description"] == "One category."
    assert schema_of(Total)["required"] == ["zone"]
    assert schema_of(Open)["required"] == ["a"]


def test_recursion_is_a_plain_object_below():
    assert schema_of(Tree)["properties"]["kids"] == {"type": "array", "items": {"type": "object"}}
    assert schema_of(Link)["properties"]["after"]["anyOf"] == [{"type": "object"}, {"type": "null"}]
    assert schema_of(Json)["anyOf"][0] == {"type": "object", "additionalProperties": {}}


def test_an_alias_that_names_itself_in_a_text_ends():
    def probe(it: Nested): ...

    deep = {"a": {"b": {"c": {"d": 1}}}}
    assert find_problems({"it": deep}, tool_schema(probe)["function"]["parameters"]) == []
    assert to_python(probe, {"it": deep}) == {"it": deep}
    assert find_problems({"it": "text"}, tool_schema(probe)["function"]["parameters"])


def test_classes_that_hold_each_other_end_as_well():
    made = schema_of(Left)["properties"]["right"]["anyOf"][0]
    assert made["properties"]["left"] == {"type": "object"}


@pytest.mark.parametrize(
    ("cls", "names", "required"),
    [
        (Range, ["start", "end", "tags"], ["start"]),
        (Point, ["x", "y"], ["x"]),
        (Model, ["limit", "name"], ["name"]),
        (Account, ["number", "branch"], ["number"]),
    ],
)
def test_class_is_what_its_constructor_takes(cls, names, required):
    made = schema_of(cls)
    assert (list(made["properties"]), made["required"]) == (sorted(names, key=list(made["properties"]).index), required)
    assert sorted(made["properties"]) == sorted(names)
    assert made["additionalProperties"] is False


@pytest.mark.parametrize(
    ("default", "shown"),
    [
        (10, 10),
        ("x", "x"),
        (None, None),
        (Color.RED, "red"),
        (Level.HIGH, 2),
        (Shape.LINE, "LINE"),
        ([Shape.LINE, Color.BLUE], ["LINE", "blue"]),
        ({Shape.POINT, Shape.LINE}, ["LINE", "POINT"]),
        (date(2026, 1, 31), "2026-01-31"),
        (Decimal("1.50"), "1.50"),
        ((1, 2), [1, 2]),
        ({"b", "a"}, ["a", "b"]),
        (Point(1), {"x": 1, "y": 0}),
        (Link(1), {"value": 1, "after": None}),
    ],
)
def test_default_is_shown_as_json(default, shown):
    assert schema_of(Any, default=default) == {"default": shown}


@pytest.mark.parametrize("default", [float("nan"), object(), len])
def test_default_without_json_form_is_not_shown(default):
    assert schema_of(Any, default=default) == {}


def test_required_in_order_of_declaration():
    def probe(b: int, a: str, opt: int | None, d: int = 1, *args: int, key: bool, other: str = "", **more: Any): ...

    made = tool_schema(probe)["function"]["parameters"]
    assert list(made["properties"]) == ["b", "a", "opt", "d", "key", "other"]
    assert made["required"] == ["b", "a", "key"]
    assert made["additionalProperties"] is False


def test_injected_parameters_are_hidden():
    def probe(context: Context, query: str, other: Context | None = None): ...

    assert list(tool_schema(probe)["function"]["parameters"]["properties"]) == ["query"]


def test_descriptions_come_from_any_docstring_and_the_docstring_wins():
    def probe(limit: Annotated[int, "from the hint"] = 3, other: Annotated[int, "from the hint"] = 3):
        """Search for it.

        Slowly.

        Args:
            limit: How many
                at most.
        """

    made = tool_schema(probe)["function"]
    assert made["description"] == "Search for it.\n\nSlowly."
    assert made["parameters"]["properties"] == {
        "limit": {"type": "integer", "description": "How many\nat most.", "default": 3},
        "other": {"type": "integer", "description": "from the hint", "default": 3},
    }


SPHINX = """Find it.

Slowly.

:param query: What to look for,
    in any words.
:type query: str
:returns: a text
"""
GOOGLE = """Find it.

Slowly.

Args:
    query (str): What to look for,
        in any words.

Returns:
    a text
"""
NUMPY = """Find it.

Slowly.

Parameters
----------
query : str
    What to look for,
    in any words.

Returns
-------
str
    a text
"""


@pytest.mark.parametrize("docstring", [SPHINX, GOOGLE, NUMPY], ids=["sphinx", "google", "numpy"])
def test_docstrings_of_every_style_say_the_same(docstring):
    def probe(query: str): ...

    probe.__doc__ = docstring
    made = tool_schema(probe)["function"]
    assert made["description"] == "Find it.\n\nSlowly."
    assert made["parameters"]["properties"]["query"]["description"] == "What to look for,\nin any words."


def test_without_docstring_or_parameters():
    def probe(): ...

    empty = {"type": "object", "properties": {}, "additionalProperties": False}
    assert tool_schema(probe) == {"type": "function", "function": {"name": "probe", "parameters": empty}}


class Adder:
    """Adds."""

    __hash__ = None

    def __call__(self, a: int) -> str:
        return str(a)

    async def method(self, a: Color) -> str:
        return str(a)


def wrapped(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@wrapped
def decorated(a: Color): ...


def test_methods_callable_objects_partials_and_decorated_functions():
    assert tool_schema(Adder())["function"]["parameters"]["properties"] == {"a": INTEGER}
    assert to_python(Adder(), {"a": 3}) == {"a": 3}
    assert tool_schema(Adder().method)["function"]["name"] == "method"
    assert tool_schema(decorated)["function"]["parameters"]["required"] == ["a"]

    def base(a: int, b: int): ...

    assert tool_schema(functools.partial(base, b=1))["function"]["parameters"]["required"] == ["a"]


def test_types_local_to_a_function_are_found():
    class Local(TypedDict):
        inner: list[Local]
        color: Color

    def probe(it: Local): ...

    def peer(it: Local):
        return Local

    with pytest.raises(TypeError, match="probe: parameter 'it'"):
        tool_schema(probe)
    assert list(tool_schema(peer)["function"]["parameters"]["properties"]["it"]["properties"]) == ["inner", "color"]


def test_every_call_makes_a_schema_of_its_own():
    def probe(filters: Filters): ...

    tool_schema(probe)["function"]["parameters"]["properties"]["filters"]["properties"].clear()
    assert tool_schema(probe)["function"]["parameters"]["properties"]["filters"]["properties"]
