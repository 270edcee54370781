"""Strict validation of JSON values against the schemas that tools have.

Stricter than JSON Schema where a tool needs it: 10.0 is no integer, formats are checked (a date is a real date), and an
object with properties is closed unless ``additionalProperties`` opens it. References are not followed: see
:func:`tools.schema.flattening.inline_schema`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from types import NoneType
from typing import TYPE_CHECKING, Any
from uuid import UUID

from tools.schema.wording import describe, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, slots=True)
class Problem:
    """Why an argument was refused; ``reason`` is one plain line, ``expected`` what would have been right.

    ``parameter`` is a path such as ``filters.max_price`` or ``items[0]``, and empty where it is about all arguments.
    """

    parameter: str
    reason: str
    expected: str = ""


_CLASSES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": NoneType,
    "array": list,
    "object": Mapping,
}


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; unlike Python, true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)


def find_problems(value: Any, schema: Mapping[str, Any], path: str = "") -> list[Problem]:
    """Return everything that is wrong with the value; empty if it is valid. Never raises for JSON values."""
    for key in ("anyOf", "oneOf"):
        if key in schema and (found := _find_in_union(value, schema[key], path, only_one=key == "oneOf")):
            return found
    if not _has_type(value, schema) or not _is_chosen(value, schema):
        return [unfit(value, schema, path)]
    if isinstance(value, Mapping):
        return _find_in_object(value, schema, path)
    if isinstance(value, list):
        return _find_in_array(value, schema, path)
    if isinstance(value, str):
        fits = _fits_string(value, schema)
    else:
        fits = not _is_number(value) or (_within(value, schema) and _is_multiple(value, schema))
    return [] if fits else [unfit(value, schema, path)]


def unfit(value: Any, schema: Mapping[str, Any], path: str) -> Problem:
    """Return the problem that the value is not what the schema wants."""
    expected = describe(schema)
    return Problem(path, f"{path or 'the value'} must be {expected}, not {shorten(value)}", expected)


def _find_in_union(value: Any, members: list[dict[str, Any]], path: str, *, only_one: bool) -> list[Problem]:
    solid = [member for member in members if member.get("type") != "null"]
    if value is None and len(solid) < len(members):
        return []
    if len(solid) == 1:
        return find_problems(value, solid[0], path)
    fitting = (member for member in solid if not find_problems(value, member))
    if next(fitting, None) is not None and not (only_one and next(fitting, None) is not None):
        return []
    return [unfit(value, {"anyOf": members}, path)]


def _has_type(value: Any, schema: Mapping[str, Any]) -> bool:
    kinds = schema.get("type")
    if isinstance(kinds, str):
        return _is_type(value, kinds)
    if kinds is None:
        return not isinstance(value, float) or _is_number(value)
    return any(_is_type(value, kind) for kind in kinds)


def _is_type(value: Any, kind: str) -> bool:
    if kind == "number":
        return _is_number(value)
    return isinstance(value, _CLASSES.get(kind, ())) and (kind != "integer" or not isinstance(value, bool))


def _is_number(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _is_chosen(value: Any, schema: Mapping[str, Any]) -> bool:
    if "const" in schema and not same(value, schema["const"]):
        return False
    return "enum" not in schema or any(same(value, one) for one in schema["enum"])


def _within(value: float | Decimal, schema: Mapping[str, Any]) -> bool:
    return (
        ("minimum" not in schema or value >= schema["minimum"])
        and ("maximum" not in schema or value <= schema["maximum"])
        and ("exclusiveMinimum" not in schema or value > schema["exclusiveMinimum"])
        and ("exclusiveMaximum" not in schema or value < schema["exclusiveMaximum"])
    )


def _is_multiple(value: float | Decimal, schema: Mapping[str, Any]) -> bool:
    if "multipleOf" not in schema:
        return True
    # By the decimal digits that were written: 0.3 is a multiple of 0.1, whatever the nearest binary numbers are.
    exact = Fraction(value if isinstance(value, int) else str(value))
    return (exact / Fraction(str(schema["multipleOf"]))).denominator == 1


def _fits_string(value: str, schema: Mapping[str, Any]) -> bool:
    if not _is_text(value) or not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        return False
    if "pattern" in schema and re.search(schema["pattern"], value) is None:
        return False
    form = schema.get("format")
    if form not in FORMATS:
        return True
    pattern, read = FORMATS[form]
    try:
        right = pattern.fullmatch(value) is not None and read(value) is not None
    except ValueError:
        return False
    return right and (form != "decimal" or (_within(Decimal(value), schema) and _is_multiple(Decimal(value), schema)))


def _is_text(value: str) -> bool:
    r"""Whether it can be stored: JSON's escapes can spell half characters (``\ud800``)."""
    try:
        return value.isascii() or bool(value.encode())
    except UnicodeEncodeError:
        return False


_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?"
#: The string formats that are checked: how they are written, and what reads them.
FORMATS: dict[str, tuple[re.Pattern[str], Callable[[str], object]]] = {
    "date": (re.compile(_DAY), date.fromisoformat),
    "date-time": (re.compile(f"{_DAY}T{_CLOCK}"), datetime.fromisoformat),
    "time": (re.compile(_CLOCK), time.fromisoformat),
    "decimal": (re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?"), Decimal),
    "uuid": (re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"), UUID),
}


def _find_in_array(value: list[Any], schema: Mapping[str, Any], path: str) -> list[Problem]:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return [unfit(value, schema, path)]
    if schema.get("uniqueItems") and any(same(one, other) for at, one in enumerate(value) for other in value[:at]):
        return [unfit(value, schema, path)]
    return [
        problem
        for at, (one, wanted) in enumerate(zip(value, item_schemas(schema), strict=False))
        for problem in find_problems(one, wanted, f"{path}[{at}]")
    ]


def item_schemas(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the schema of each item in turn, without end."""
    yield from schema.get("prefixItems", ())
    items = schema.get("items", {})
    while True:
        # "items": false allows no more, "items": true anything.
        yield items if isinstance(items, Mapping) else ({} if items else {"enum": []})


def is_open(schema: Mapping[str, Any]) -> bool:
    """Whether the object may have keys that are not among its properties."""
    return bool(schema.get("additionalProperties", "properties" not in schema)) or (
        schema.get("additionalProperties") == {}
    )


def child(path: str, name: str) -> str:
    """Return the path of an object's key."""
    return f"{path}.{name}" if path else name


def _find_in_object(value: Mapping[str, Any], schema: Mapping[str, Any], path: str) -> list[Problem]:
    if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
        return [unfit(value, schema, path)]
    properties = schema.get("properties", {})
    found = [
        Problem(child(path, name), f"{child(path, name)} is required: {expected}", expected)
        for name in schema.get("required", ())
        if name not in value
        for expected in [describe(properties.get(name, {}))]
    ]
    for name, one in value.items():
        if name in properties:
            found += find_problems(one, properties[name], child(path, name))
            continue
        where = child(path, shorten(name, quoted=False))
        if is_open(schema):
            found += _find_in_extra(name, one, schema, where)
        else:
            known = ", ".join(properties) or "none"
            found.append(Problem(where, f"there is no parameter {where}; the parameters are: {known}"))
    return found


def _find_in_extra(name: str, value: Any, schema: Mapping[str, Any], path: str) -> list[Problem]:
    named, extra = schema.get("propertyNames", {}), schema.get("additionalProperties")
    if find_problems(name, named):
        expected = describe({"type": "string", **named})
        return [Problem(path, f"the name {path} must be {expected}", expected)]
    return find_problems(value, extra, path) if isinstance(extra, Mapping) else []
