"""Grammars are made of the few keywords that every engine understands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tools.schema import flat_schema, inline_schema, tool_schema

ALLOWED = {"type", "enum", "properties", "required", "items"}


@pytest.mark.parametrize(
    ("schema", "flat"),
    [
        ({"type": "string", "format": "date", "description": "x", "default": "y", "pattern": "z"}, {"type": "string"}),
        ({"type": "integer", "minimum": 1, "maximum": 5}, {"type": "integer"}),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, {"type": "integer"}),
        ({"anyOf": [{"type": "array"}, {"type": "string"}]}, {"type": "string"}),
        ({"anyOf": [{"type": "null"}, {"type": "object"}]}, {"type": "object"}),
        ({"type": ["null", "number"]}, {"type": "number"}),
        ({"const": "a"}, {"enum": ["a"]}),
        ({"type": "string", "enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
        (
            {"type": "array", "items": {"type": "string", "minLength": 1}},
            {"type": "array", "items": {"type": "string"}},
        ),
        ({"type": "array", "items": {}}, {"type": "array"}),
        ({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}, {"type": "array"}),
        (
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}], "minItems": 2},
            {"type": "array", "items": {"type": "string"}},
        ),
        ({"type": "object", "additionalProperties": {"type": "string"}}, {"type": "object"}),
        ({}, {}),
    ],
)
def test_flat(schema, flat):
    assert flat_schema(schema) == flat


def test_whole_tool():
    def probe(query: str, kinds: list[dict[str, int]] | None, limit: int = 3):
        """Search.

        Args:
            query: What.
        """

    assert flat_schema(tool_schema(probe)) == {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "kinds": {"type": "array", "items": {"type": "object"}},
            "limit": {"type": "integer"},
        },
        "required": ["query"],
    }


TREE: dict[str, Any] = {
    "type": "object",
    "properties": {"root": {"$ref": "#/$defs/Node", "description": "kept"}, "lost": {"$ref": "#/$defs/Nothing"}},
    "$defs": {
        "Node": {"type": "object", "properties": {"value": {"type": "integer"}, "next": {"$ref": "#/$defs/Node"}}},
    },
}


def test_references_are_inlined_and_recursion_ends():
    inlined = inline_schema(TREE)
    assert inlined["properties"]["root"] == {
        "type": "object",
        "properties": {"value": {"type": "integer"}, "next": {"type": "object"}},
        "description": "kept",
    }
    assert inlined["properties"]["lost"] == {"enum": []}
    assert "$" not in json.dumps(flat_schema(TREE))


def keywords(schema: dict[str, Any]) -> set[str]:
    found = set(schema)
    for one in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        found |= keywords(one)
    return found


def test_nothing_but_the_allowed_keywords():
    assert keywords(flat_schema(TREE)) <= ALLOWED
