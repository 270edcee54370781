"""An explicit list of tools: functions, tools and plain OpenAI schemas side by side."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tools.arguments import to_python
from tools.errors import MissingHint, NotCallable, SchemaMismatch, ToolDefinitionError
from tools.registry import Registry, tool, tool_of
from tools.results import Result


@tool(app="shop", examples=("Sell something",))
def sell(count: int) -> str:
    """Sell some."""
    return f"{count} sold"


def look(query: str) -> str:
    """Look around."""
    return f"{query} seen"


def paint(color: str) -> str:
    return f"{color} painted"


@tool(app="shop", writes=True)
def repaint(color: str) -> Result:
    """Paint it over."""
    return Result("{color} now", names={"color": color}, kind="unchanged")


def schema(name: str, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": "Given.", "parameters": parameters}}


PAINT = schema("shop-paint", color={"type": "string", "enum": ["red", "blue"]})


def test_a_list_may_mix_all_kinds():
    registry = Registry(tools=[sell, look, tool_of(repaint), PAINT], handlers={"shop-paint": paint, "unused": look})
    assert [each.name for each in registry] == ["shop-sell", "look", "shop-repaint", "shop-paint"]
    found = {each.name: each for each in registry}
    assert found["shop-sell"] is tool_of(sell)
    assert (found["look"].description, found["look"].required) == ("Look around.", ("query",))
    assert found["shop-paint"].schema == PAINT
    function = found["shop-paint"].function
    assert function(**to_python(function, {"color": "red"})) == "red painted"


def test_a_schemas_handler_that_is_a_tool_keeps_what_else_it_is():
    """Above all whether it writes: a schema of its own must not hide that from the person who is to confirm it."""
    made = Registry([PAINT], {"shop-paint": repaint}).get("shop-paint")
    assert made is not None
    assert (made.writes, made.app, made.function) == (True, "shop", repaint)
    assert (made.schema, made.name) == (PAINT, "shop-paint")
    assert tool_of(repaint).name == "shop-repaint"


def test_a_schema_needs_its_handler():
    with pytest.raises(ToolDefinitionError, match=r"^No registered handler found for tool 'shop-paint'\.$"):
        Registry([PAINT])
    with pytest.raises(ToolDefinitionError, match="No registered handler found"):
        Registry([PAINT, sell], {"shop-sell": sell})


def test_a_schema_and_its_handler_have_to_fit():
    with pytest.raises(SchemaMismatch, match="shop-paint: parameter 'color' is in the schema, but"):
        Registry([PAINT], {"shop-paint": look})
    with pytest.raises(NotCallable, match="'paint' is not callable"):
        Registry([PAINT], {"shop-paint": "paint"})


def broken(**changes: Any) -> dict[str, Any]:
    given = copy.deepcopy(PAINT)
    given["function"] |= changes
    return given


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, 'is not {"type": "function"'),
        ({"type": "function", "function": "paint"}, "has no function object"),
        (broken(name=""), "has no name or a blank one"),
        (broken(name="  "), "has no name or a blank one"),
        (broken(parameters=None), "has no parameters of type object"),
        (broken(parameters={"type": "array"}), "has no parameters of type object"),
        (broken(parameters={"type": "object"}), "has no properties object"),
        (broken(parameters={"type": "object", "properties": {}, "required": "color"}), "requires no list of names"),
        (
            broken(parameters={"type": "object", "properties": {}, "required": ["color"]}),
            "requires what its properties lack: color",
        ),
    ],
)
def test_a_schema_of_another_form_is_refused(given, reason):
    with pytest.raises(SchemaMismatch, match=reason):
        Registry([given], {"shop-paint": paint})


@pytest.mark.parametrize("entry", ["sell", 3, None, ("sell", sell)])
def test_what_is_no_tool_is_refused(entry):
    with pytest.raises(NotCallable, match="is not callable"):
        Registry([entry])


def untyped(thing): ...


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        ([look, untyped], MissingHint),
        ([look, PAINT], ToolDefinitionError),
        ([look, look], ToolDefinitionError),
        ([look, sell], ToolDefinitionError),
        ([look, None], NotCallable),
    ],
)
def test_a_bad_list_leaves_the_registry_as_it_was(bad, error):
    registry = Registry([sell])
    with pytest.raises(error):
        registry.extend(bad)
    assert [each.name for each in registry] == ["shop-sell"]
    registry.extend([look])
    assert [each.name for each in registry] == ["shop-sell", "look"]
