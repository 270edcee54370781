"""The schemas of another generator: equal where it is right, and a reason for every difference."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tools.errors import MissingHint, UnsupportedHint
from tools.schema import tool_schema

ROOT = Path(__file__).parents[3]
RECORD = json.loads((ROOT / "tests/data/tools/schema_vectors.json").read_text(encoding="utf-8"))
IMPORTS = "import datetime, decimal, enum\nfrom dataclasses import dataclass\nfrom typing import *\n"

NULL = "an explicit null is what models send for an Optional, so it is allowed"
ORDER = "required keys stand in the order of their declaration, not of the alphabet"
#: What differs in every vector alike.
EVERYWHERE = {
    "additionalProperties": "objects are closed, so that an unknown key is refused instead of reaching the function",
    "default": "defaults are shown, so that a model knows what leaving something out means",
    "warnings": "tuples and sets draw no warning, since their arguments are converted",
}
DIFFERENCES = {
    "compute_total": ORDER,
    "search": NULL,
    "bare": "a bare list, tuple or set is an array; an object would make the model send the wrong thing",
    "opt": NULL,
    "optlit": NULL,
    "td": NULL,
    "rec": ORDER,
    "dc": "a dataclass field with a default need not be given",
    "en": "an Enum is the choice of its values, not an object",
    "dates": "dates and decimals are strings with a format, not objects",
    "ann": "a plain text in Annotated is the parameter's description",
    "anyp": "object means anything, as Any does",
    "dflt_none": "a default of None makes null an allowed value, whatever the hint says",
    "seq": "Sequence, Iterable and Mapping are as clear as list and dict",
}


@pytest.fixture(scope="module")
def functions() -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(IMPORTS + RECORD["source"], names)
    return names


def without_what_we_add(schema: Any) -> Any:
    """Return a schema without what differs everywhere."""
    if isinstance(schema, list):
        return [without_what_we_add(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: without_what_we_add(one) for key, one in schema.items() if key != "default"}
    if kept.get("additionalProperties") is False:
        del kept["additionalProperties"]
    return kept


@pytest.mark.parametrize("name", RECORD["vectors"])
def test_schema_is_theirs_or_differs_for_a_reason(name, functions):
    expected = RECORD["vectors"][name]
    if "error" in expected and name not in DIFFERENCES:
        with pytest.raises(TypeError, match=rf"{name}: parameter 'a'"):
            tool_schema(functions[name])
        return
    same = without_what_we_add(tool_schema(functions[name])) == expected.get("schema")
    assert same == (name not in DIFFERENCES), DIFFERENCES.get(name, "an undocumented difference")


def test_refused_vectors_are_refused_precisely(functions):
    with pytest.raises(MissingHint):
        tool_schema(functions["unannotated"])
    with pytest.raises(UnsupportedHint):
        tool_schema(functions["cb"])


@pytest.mark.parametrize(
    ("name", "properties"),
    [
        ("bare", {"a": {"type": "array", "items": {}}, "b": {"type": "object"}, "c": {"type": "array"}}),
        ("en", {"c": {"type": "string", "enum": ["r", "b"]}}),
        ("anyp", {"a": {}, "b": {}}),
        ("opt", {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}),
        ("dates", {"d": {"type": "string", "format": "date"}, "m": {"type": "string", "format": "decimal"}}),
    ],
)
def test_what_differs_is_what_we_want(name, properties, functions):
    made = tool_schema(functions[name])["function"]["parameters"]["properties"]
    assert {key: made[key] for key in properties} == properties


def test_defaults_are_shown_and_objects_closed_everywhere(functions):
    """What the comparison leaves out is there."""
    for name, vector in RECORD["vectors"].items():
        if "error" in vector and name not in DIFFERENCES:
            continue
        parameters = tool_schema(functions[name])["function"]["parameters"]
        assert parameters["additionalProperties"] is False
        assert "default" not in json.dumps(vector)
    shown = tool_schema(functions["search"])["function"]["parameters"]["properties"]
    assert [shown[key].get("default", "none") for key in shown] == ["none", 10, "relevance", None]


def test_the_documentation_lists_the_same_differences():
    page = (ROOT / "docs/tools.md").read_text(encoding="utf-8")
    section = page.partition("\n## Where our schemas differ\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", section, re.MULTILINE)
    assert rows[0] == ("function", "why ours differs")
    wanted = [("every one", reason) for reason in EVERYWHERE.values()]
    assert rows[1:] == wanted + [(f"`{name}`", reason) for name, reason in DIFFERENCES.items()]
