"""What ``Annotated`` adds to a schema: descriptions, constraints, and the keys of objects that describe themselves.

Constraints are read by attribute (``ge``, ``max_length``, ``pattern``, …), so those of annotated-types, pydantic and
compiled regular expressions count alike; metadata that says nothing of the kind is somebody else's and is left alone.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

_BOUNDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
_LENGTHS = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
_ABOUT_THE_WHOLE = {"description", "title", "examples", "default"}


def annotate(schema: dict[str, Any], meta: object) -> dict[str, Any]:
    """Return the schema with one piece of metadata applied; raises ValueError where a constraint doesn't fit."""
    if isinstance(meta, str):
        return {**schema, "description": meta}
    described = getattr(meta, "json_schema", None)
    if described is not None:
        return _merge(schema, dict(described() if callable(described) else described))
    for part in getattr(meta, "metadata", ()):
        schema = annotate(schema, part)
    description = getattr(meta, "description", None) or getattr(meta, "documentation", None)
    if isinstance(description, str):
        schema = {**schema, "description": description}
    limits = {name: getattr(meta, name, None) for name in (*_BOUNDS, "min_length", "max_length", "pattern")}
    limits = {name: value for name, value in limits.items() if value is not None}
    return _constrain(schema, limits) if limits else schema


def _merge(schema: dict[str, Any], keys: dict[str, Any]) -> dict[str, Any]:
    """Lay keys over a schema; in a union those that are not about the whole go to every member but null."""
    if "anyOf" not in schema:
        return {**schema, **keys}
    whole = {key: value for key, value in keys.items() if key in _ABOUT_THE_WHOLE}
    rest = {key: value for key, value in keys.items() if key not in _ABOUT_THE_WHOLE}
    members = [member if member.get("type") == "null" else {**member, **rest} for member in schema["anyOf"]]
    return {**schema, "anyOf": members, **whole}


def _constrain(schema: dict[str, Any], limits: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" not in schema:
        return schema | {key: value for name in limits for key, value in [_keyword(schema, name, limits[name])]}
    members, fitted = [], False
    for member in schema["anyOf"]:
        try:
            members.append(_constrain(member, limits))
            fitted = True
        except ValueError:
            members.append(member)
    if not fitted:
        raise ValueError(f"{', '.join(limits)} fits no member of the union")
    return {**schema, "anyOf": members}


def _keyword(schema: dict[str, Any], name: str, value: Any) -> tuple[str, Any]:
    kind = schema.get("type")
    if name in _BOUNDS and (kind in {"integer", "number"} or schema.get("format") == "decimal"):
        if isinstance(value, Decimal):
            value = int(value) if value == value.to_integral_value() else float(value)
        if isinstance(value, int | float):
            return _BOUNDS[name], value
    if name in {"min_length", "max_length"} and kind in _LENGTHS:
        return _LENGTHS[kind][name == "max_length"], value
    if name == "pattern" and kind == "string":
        try:
            return "pattern", re.compile(value).pattern
        except re.error as error:
            raise ValueError(f"the pattern {value!r} is no regular expression: {error}") from error
    raise ValueError(f"{name}={value!r} doesn't fit a value of type {kind or 'any'}")
