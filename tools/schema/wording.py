"""Schemas and values in plain words, for sentences that the model and the person read alike."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_SHOWN = 40
_CHOICES = 12
_NAMES = {
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "boolean": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
_FORMATS = {
    "date": "a date as YYYY-MM-DD",
    "date-time": "a date and time as YYYY-MM-DDTHH:MM:SS",
    "time": "a time as HH:MM",
    "decimal": "a decimal number as 12.50",
    "uuid": "a UUID",
}
_PLURALS = {
    "integer": "integers",
    "number": "numbers",
    "string": "strings",
    "boolean": "booleans",
    "array": "lists",
    "object": "objects",
}


def shorten(value: Any, *, quoted: bool = True) -> str:
    """Return the value as JSON on one line, cut after 40 characters."""
    if isinstance(value, str):
        value = value[: _SHOWN + 1]
    try:
        text = value if isinstance(value, str) and not quoted else json.dumps(value, ensure_ascii=False, default=repr)
    except (ValueError, RecursionError, TypeError):  # numbers of thousands of digits, bottomless nesting, odd keys
        text = "something"
    text = str(text)[: _SHOWN + 1]
    if not text.isprintable():
        text = "".join(sign if sign.isprintable() else "�" for sign in text)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def describe(schema: Mapping[str, Any]) -> str:
    """Return what the schema wants, such as "an integer from 1 to 100"."""
    members = schema.get("anyOf") or schema.get("oneOf")
    if members:
        solid = [member for member in members if member.get("type") != "null"] or members
        return " or ".join(dict.fromkeys(map(describe, solid)))
    if "const" in schema or "enum" in schema:
        return _choice([schema["const"]] if "const" in schema else schema["enum"])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " or ".join(describe({**schema, "type": one}) for one in kind if one != "null")
    return _typed(schema, kind or "")


def _typed(schema: Mapping[str, Any], kind: str) -> str:
    match kind:
        case "string":
            form = _FORMATS.get(schema.get("format", ""), "a string")
            pattern = f" matching {schema['pattern']}" if "pattern" in schema else ""
            return form + _range(schema) + _length(schema, "Length", "character") + pattern
        case "integer" | "number":
            return _NAMES[kind] + _range(schema)
        case "array":
            return _list(schema) + _length(schema, "Items", "item")
        case "object" if schema.get("properties"):
            return f"an object with {', '.join(schema['properties'])}"
    return _NAMES.get(kind, "a value")


def _choice(values: list[Any]) -> str:
    shown = [shorten(value, quoted=not isinstance(value, str)) for value in values[:_CHOICES]]
    if len(values) > _CHOICES:
        shown.append(f"{len(values) - _CHOICES} more")
    return shown[0] if len(shown) == 1 else f"one of {', '.join(shown)}" if shown else "left out"


def _range(schema: Mapping[str, Any]) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    words = ""
    if least is not None and most is not None:
        words = f" from {least} to {most}"
    elif least is not None:
        words = f" of at least {least}"
    elif most is not None:
        words = f" of at most {most}"
    parts = [
        f" {word} {schema[key]}"
        for key, word in (("exclusiveMinimum", "above"), ("exclusiveMaximum", "below"), ("multipleOf", "in steps of"))
        if key in schema
    ]
    return words + " and".join(parts)


def _length(schema: Mapping[str, Any], suffix: str, unit: str) -> str:
    least, most = schema.get(f"min{suffix}"), schema.get(f"max{suffix}")
    if least is None and most is None:
        return ""
    if least == most:
        return f" of {most} {unit}{'' if most == 1 else 's'}"
    if most is None:
        return f" of at least {least} {unit}{'' if least == 1 else 's'}"
    return f" of {f'{least} to' if least else 'at most'} {most} {unit}{'' if most == 1 else 's'}"


def _list(schema: Mapping[str, Any]) -> str:
    if "prefixItems" in schema:
        return "a list (" + ", ".join(map(describe, schema["prefixItems"])) + ")"
    items = schema.get("items")
    if not isinstance(items, dict) or not items:
        return "a list"
    kind = items.get("type")
    different = "different " if schema.get("uniqueItems") else ""
    if "enum" in items or "format" in items or kind not in _PLURALS:
        return f"a list of {different}values, each {describe(items)}"
    return f"a list of {different}{_PLURALS[kind]}"
