"""A schema that was written by hand, checked against the function that it stands for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tools.errors import SchemaMismatch
from tools.schema.flattening import inline_schema
from tools.schema.signature import function_name, takes_any_keyword, tool_parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Keywords that restrict values in ways that arguments are not checked by; a schema with them would promise too much.
_UNCHECKED = {
    "allOf",
    "contains",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "if",
    "not",
    "patternProperties",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
}
_NUMBERS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_COUNTS = {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}
_LISTS = {"enum", "anyOf", "oneOf", "prefixItems", "required"}
_TYPES = {"string", "integer", "number", "boolean", "null", "array", "object"}


def check_schema(schema: dict[str, Any], function: Callable[..., Any]) -> None:
    """Raise SchemaMismatch where the schema isn't in OpenAI's function form or the function can't be called by it."""
    name = function_name(function)
    parameters = _check_form(schema, name)
    properties, required = parameters["properties"], parameters.get("required", [])
    unlisted = [one for one in required if one not in properties]
    if unlisted:
        raise SchemaMismatch(f"has a schema that requires what its properties lack: {', '.join(unlisted)}", name)
    for part in _walk(inline_schema(parameters)):
        _check_keywords(part, name)
    known = {parameter.name: parameter for parameter in tool_parameters(function)}
    for one in properties:
        if (one not in known and not takes_any_keyword(function)) or (one in known and known[one].injected):
            raise SchemaMismatch("is in the schema, but the function takes no such argument", name, one)
    for parameter in known.values():
        if parameter.required and not parameter.injected and parameter.name not in properties:
            raise SchemaMismatch("has no default, so the schema's properties must have it", name, parameter.name)


def schema_name(schema: Any) -> str:
    """Return the name in a schema of OpenAI's function form; raises SchemaMismatch where it is none."""
    _check_form(schema, "a listed tool")
    return str(schema["function"]["name"])


def _check_form(schema: Any, name: str) -> dict[str, Any]:
    """Return the parameters' schema if everything around it has the right form."""

    def demand(holds: object, reason: str) -> None:
        if not holds:
            raise SchemaMismatch(f"has a schema that {reason}", name)

    demand(isinstance(schema, dict) and schema.get("type") == "function", 'is not {"type": "function", "function": …}')
    function = schema.get("function")
    demand(isinstance(function, dict), "has no function object")
    title = function.get("name")
    demand(isinstance(title, str) and title.strip(), "has no name or a blank one")
    demand(isinstance(function.get("description", ""), str), "has a description that is no text")
    parameters = function.get("parameters")
    demand(isinstance(parameters, dict) and parameters.get("type") == "object", "has no parameters of type object")
    properties, required = parameters.get("properties"), parameters.get("required", [])
    demand(isinstance(properties, dict), "has no properties object in its parameters")
    demand(all(isinstance(one, dict) for one in properties.values()), "has a property that is no object")
    demand(isinstance(required, list) and all(isinstance(one, str) for one in required), "requires no list of names")
    return dict(parameters)


def _walk(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield the schema and all schemas inside it."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key in ("items", "additionalProperties", "propertyNames"):
        yield from _walk(schema.get(key))
    for key in ("anyOf", "oneOf", "prefixItems"):
        inside = schema.get(key)
        for one in inside if isinstance(inside, list) else ():
            yield from _walk(one)
    for one in schema.get("properties", {}).values():
        yield from _walk(one)


def _check_keywords(part: dict[str, Any], name: str) -> None:
    unchecked = sorted(_UNCHECKED & part.keys())
    if unchecked:
        raise SchemaMismatch(f"has a schema with {', '.join(unchecked)}, which arguments are not checked by", name)
    for key in sorted(_LISTS & part.keys()):
        if not isinstance(part[key], list) or (key != "required" and not part[key]):
            raise SchemaMismatch(f"has a schema whose {key} is no list, is empty, or refers to nothing", name)
    kinds = part.get("type", [])
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        if kind not in _TYPES:
            raise SchemaMismatch(f"has a schema with the unknown type {kind!r}", name)
    for key in (_NUMBERS | _COUNTS) & part.keys():
        value = part[key]
        right = isinstance(value, int if key in _COUNTS else int | float) and not isinstance(value, bool)
        if not right or (key == "multipleOf" and value <= 0):
            raise SchemaMismatch(f"has a schema whose {key} is {value!r}", name)
    try:
        re.compile(part.get("pattern", ""))
    except (re.error, TypeError) as error:
        raise SchemaMismatch(f"has a schema with a pattern that is no regular expression: {error}", name) from error
