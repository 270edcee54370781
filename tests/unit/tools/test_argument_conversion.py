"""Valid JSON arguments arrive as the types that the function's hints promise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, NewType, Optional, TypedDict
from uuid import UUID

import pydantic
import pytest

from tools.arguments import coerce_arguments, to_python
from tools.errors import InvalidArguments
from tools.schema import tool_schema


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Shape(Enum):
    POINT = ()
    LINE = (1, 2)


@dataclass(frozen=True)
class Range:
    start: date
    end: date | None
    step: int = 1

    def __post_init__(self):
        if self.end is not None and self.end < self.start:
            raise ValueError("secret detail")


class Point(NamedTuple):
    x: Decimal
    y: int = 0


class Filters(TypedDict, total=False):
    since: date
    colors: set[Color]


class Node(TypedDict):
    value: date
    kids: list[Node]


class Model(pydantic.BaseModel):
    day: date


class Context:
    __injected__: ClassVar[bool] = True


Id = NewType("Id", int)
DAY = date(2026, 1, 31)


@pytest.mark.parametrize(
    ("hint", "given", "expected"),
    [
        (str, "a", "a"),
        (int, "3", 3),
        (float, 3, 3.0),
        (date, "2026-01-31", DAY),
        (datetime, "2026-01-31T10:00:00Z", datetime(2026, 1, 31, 10, tzinfo=UTC)),
        (time, "10:30", time(10, 30)),
        (Decimal, "12.50", Decimal("12.50")),
        (Decimal, 0.1, Decimal("0.1")),
        (UUID, "12345678-1234-5678-1234-567812345678", UUID("12345678-1234-5678-1234-567812345678")),
        (Id, 3, 3),
        (Color, "RED", Color.RED),
        (Shape, "LINE", Shape.LINE),
        (Literal[Color.RED, "x"], "red", Color.RED),
        (Literal[1, True], True, True),
        (list[date], ["2026-01-31"], [DAY]),
        (Sequence[date], ["2026-01-31"], [DAY]),
        (Iterable[int], [1, 2], [1, 2]),
        (tuple[int, date], [1, "2026-01-31"], (1, DAY)),
        (tuple[int, ...], [1, 2], (1, 2)),
        (tuple, [1, "a"], (1, "a")),
        (set[Color], ["red", "red"], {Color.RED}),
        (frozenset[int], [1], frozenset({1})),
        (AbstractSet[int], [1], frozenset({1})),
        (dict[str, date], {"a": "2026-01-31"}, {"a": DAY}),
        (dict[int, int], {"1": 2}, {1: 2}),
        (dict[Color, int], {"red": 2}, {Color.RED: 2}),
        (Mapping[str, Any], {"a": [1]}, {"a": [1]}),
        (date | None, "2026-01-31", DAY),
        (date | str, "2026-01-31", DAY),
        (date | str, "last week", "last week"),
        (list[int] | int, 3, 3),
        (Annotated[Decimal, "how much"] | None, "1", Decimal(1)),
        (Range, {"start": "2026-01-31"}, Range(DAY, None)),
        (Point, {"x": "1.5"}, Point(Decimal("1.5"))),
        (Filters, {"since": "2026-01-31", "colors": ["red"]}, {"since": DAY, "colors": {Color.RED}}),
        (Model, {"day": "2026-01-31"}, Model(day=DAY)),
        (
            Node,
            {"value": "2026-01-31", "kids": [{"value": "2026-01-31", "kids": []}]},
            {"value": DAY, "kids": [{"value": DAY, "kids": []}]},
        ),
    ],
)
def test_value_arrives_as_hinted(hint, given, expected):
    def probe(it): ...

    probe.__annotations__ = {"it": hint}
    coerced = coerce_arguments(tool_schema(probe), {"it": given})
    assert coerced.problems == ()
    (value,) = to_python(probe, coerced.arguments).values()
    assert value == expected
    assert type(value) is type(expected)


def test_optional_without_default_is_filled_and_defaults_are_left_to_the_function():
    def probe(context: Context, a: Optional[int], b: int = 3, c: int = None): ...  # noqa: RUF013, UP045

    assert to_python(probe, {}) == {"a": None}
    assert to_python(probe, {"c": None}) == {"a": None, "c": None}


@pytest.mark.parametrize(
    ("hint", "given"),
    [
        (date, "tomorrow"),
        (Range, {"start": "2026-01-31", "end": "2026-01-01"}),
        (Node, {"value": "2026-01-31", "kids": [{"value": "x", "kids": []}]}),
        (set[Any], [[1]]),
        (float, 10**400),
        (int, None),
    ],
)
def test_what_does_not_fit_is_one_error_without_inner_detail(hint, given):
    def probe(it): ...

    probe.__annotations__ = {"it": hint}
    with pytest.raises(InvalidArguments, match=r"^it must be ") as caught:
        to_python(probe, {"it": given})
    assert "secret" not in str(caught.value)
    assert [problem.parameter for problem in caught.value.problems] == ["it"]


def test_missing_and_unknown_arguments():
    def probe(a: int): ...

    with pytest.raises(InvalidArguments, match="no parameter b; a is required: an integer"):
        to_python(probe, {"b": 1})

    def open_ended(a: int, **more: Any): ...

    assert to_python(open_ended, {"a": 1, "b": 2}) == {"b": 2, "a": 1}


def test_hints_that_a_given_schema_stands_in_for_are_passed_as_they_are():
    def probe(a, b: bytes): ...

    assert to_python(probe, {"a": [1], "b": "x"}) == {"a": [1], "b": "x"}
