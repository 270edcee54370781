"""Schemas with nothing to look up, and the few keywords that a grammar understands."""

from __future__ import annotations

from typing import Any

_SIMPLE = {"string", "integer", "number", "boolean"}
_REFERENCES = "$ref"
_DEFINITIONS = ("$defs", "definitions")


def parameters_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the arguments, be it given as such or inside the OpenAI function format."""
    function = schema.get("function")
    if schema.get("type") != "function" or not isinstance(function, dict):
        return schema
    parameters = function.get("parameters")
    return parameters if isinstance(parameters, dict) else {"type": "object", "properties": {}}


def inline_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with every local reference replaced by what it names.

    What refers to itself is a plain object below; a reference that leads nowhere allows nothing.
    """
    inlined = _inline(schema, schema, ())
    return {key: value for key, value in inlined.items() if key not in _DEFINITIONS}


def _inline(part: Any, root: dict[str, Any], within: tuple[str, ...]) -> Any:
    if isinstance(part, list):
        return [_inline(one, root, within) for one in part]
    if not isinstance(part, dict):
        return part
    reference = part.get(_REFERENCES)
    if not isinstance(reference, str):
        return {key: one if key in _DEFINITIONS else _inline(one, root, within) for key, one in part.items()}
    beside = {key: _inline(one, root, within) for key, one in part.items() if key != _REFERENCES}
    if reference in within:
        return {"type": "object", **beside}
    return {**_inline(_look_up(reference, root), root, (*within, reference)), **beside}


def _look_up(reference: str, root: dict[str, Any]) -> dict[str, Any]:
    found: Any = root
    for step in reference.removeprefix("#").strip("/").split("/"):
        found = found.get(step) if isinstance(found, dict) else None
    return found if isinstance(found, dict) and reference.startswith("#/") else {"enum": []}


def flat_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return what a grammar can enforce of a schema: types, choices, properties, required and items.

    A union becomes its first simple member and a list of types its first that isn't null; recursion becomes a plain
    object. The grammar only guides what a model writes: the full schema is checked afterwards.
    """
    return _flatten(inline_schema(parameters_schema(schema)))


def _flatten(schema: dict[str, Any]) -> dict[str, Any]:
    members = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
    if members:
        solid = [member for member in members if member.get("type") != "null"] or members
        simple = [member for member in solid if _type(member) in _SIMPLE or "enum" in member]
        return _flatten((simple or solid)[0])
    flat: dict[str, Any] = {}
    if kind := _type(schema):
        flat["type"] = kind
    if "enum" in schema or "const" in schema:
        flat["enum"] = list(schema.get("enum", (schema.get("const"),)))
    if isinstance(schema.get("properties"), dict):
        flat["properties"] = {name: _flatten(one) for name, one in schema["properties"].items()}
        if schema.get("required"):
            flat["required"] = list(schema["required"])
    if kind == "array" and (items := _item(schema)):
        flat["items"] = items
    return flat


def _type(schema: dict[str, Any]) -> str | None:
    kind = schema.get("type")
    if isinstance(kind, list):
        return next((one for one in kind if one != "null"), "null")
    return kind if isinstance(kind, str) else None


def _item(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the one shape that all items share, or nothing where they differ."""
    prefix = schema.get("prefixItems")
    if prefix:
        shapes = [_flatten(one) for one in prefix]
        return shapes[0] if all(shape == shapes[0] for shape in shapes) else {}
    items = schema.get("items")
    return _flatten(items) if isinstance(items, dict) else {}
