"""What @tool makes of a function, what it refuses, and who is offered the result."""

from __future__ import annotations

import copy
import functools
from typing import Any

import pytest

from tools.arguments import coerce_arguments, to_python
from tools.errors import MissingHint, NotCallable, SchemaMismatch, ToolDefinitionError, UnresolvedHint
from tools.registry import Registry, Tool, tool, tool_of
from tools.results import Result
from tools.slots import Categories, EndDate, StartDate

SEARCH: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "find-products",
        "description": "Look for a product.",
        "parameters": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "What to look for."},
                "kind": {"type": "string", "enum": ["book", "lamp"]},
            },
            "required": ["query"],
        },
    },
}


def define(function: Any, **details: Any) -> Tool:
    """Mark a function of its own, so that no test sees another's mark."""
    return tool_of(tool(**details)(function))


def test_the_function_comes_back_unchanged_and_knows_its_tool():
    def probe(count: int) -> Result:
        """Count."""
        return Result(str(count))

    marked = tool(app="shop", examples=("How many?",), keywords=("many",), writes=True, stage="development")(probe)
    assert marked is probe
    assert marked(3) == Result("3")
    made = tool_of(marked)
    assert (made.name, made.app, made.description, made.required) == ("shop-probe", "shop", "Count.", ("count",))
    assert (made.examples, made.keywords, made.writes, made.stage) == (("How many?",), ("many",), True, "development")
    assert made.schema["function"]["name"] == "shop-probe"


def test_without_app_the_name_is_the_functions_and_a_given_name_wins():
    def probe() -> str: ...

    assert tool_of(tool(probe)).name == "probe"
    assert define(probe, app="shop", name="other").schema["function"]["name"] == "other"


def test_a_given_schema_counts_whole():
    """Its name, texts and choices are what the model sees, and what arguments are checked by."""

    def search(query: str, kind: str | None = None) -> str:
        """Say something else than the schema."""
        return f"{query} {kind}"

    made = define(search, app="shop", schema=SEARCH)
    assert made.schema == SEARCH
    assert (made.name, made.app) == ("find-products", "shop")
    coerced = coerce_arguments(made.schema, {"query": "red", "kind": "Lamps"})
    assert (coerced.arguments, coerced.problems) == ({"query": "red", "kind": "lamp"}, ())
    assert search(**to_python(search, coerced.arguments)) == "red lamp"
    assert coerce_arguments(made.schema, {"query": "red", "kind": "car"}).problems
    assert define(search, schema=SEARCH, name="find").schema["function"]["name"] == "find"


def test_a_given_schema_may_stand_in_for_hints():
    @tool(schema=SEARCH)
    def search(query, kind=None):
        return f"{query} {kind}"

    assert search(**to_python(search, {"query": "red"})) == "red None"


def test_a_given_schema_can_not_be_changed_from_outside():
    given = copy.deepcopy(SEARCH)

    @tool(schema=given)
    def search(query: str, kind: str = "book") -> str: ...

    given["function"]["parameters"]["properties"].clear()
    assert tool_of(search).schema == SEARCH


def test_a_given_schema_is_held_against_the_signature():
    def search(query: str) -> str: ...

    with pytest.raises(SchemaMismatch, match="search: parameter 'kind' is in the schema, but"):
        tool(schema=SEARCH)(search)


@pytest.mark.parametrize("name", ["", "  ", "two words", "shop.find", "größe", "x" * 65])
def test_names_that_no_model_can_write_are_refused(name):
    def probe() -> str: ...

    with pytest.raises(ToolDefinitionError, match=r"probe can't be named .* 1 to 64 letters"):
        tool(name=name)(probe)


def test_what_is_no_function_is_refused():
    with pytest.raises(NotCallable, match="3 is not callable"):
        tool(3)
    with pytest.raises(NotCallable, match="needs a name: define it with def"):
        tool(lambda: "")


class Shop:
    """Sells."""

    def sell(self, count: int) -> str:
        """Sell some."""
        return f"{count} sold"

    async def __call__(self, count: int) -> str:
        return f"{count} called"


def test_a_method_belongs_to_an_object_and_into_a_list():
    with pytest.raises(MissingHint, match=r"'self' has no type annotation.*register the method of an object"):
        tool(Shop.sell)
    with pytest.raises(ToolDefinitionError, match=r"sell can't be marked; put it into a list: Registry\(\[…\]\)"):
        tool(Shop().sell)
    made = Registry([Shop().sell]).get("sell")
    assert made is not None
    assert made.function(**to_python(made.function, {"count": 3})) == "3 sold"


def test_partials_callable_objects_and_async_functions_are_tools():
    def base(amount: int, currency: str) -> str: ...

    async def later(amount: int) -> str: ...

    assert list(define(functools.partial(base, currency="EUR")).parameters["properties"]) == ["amount", "currency"]
    assert define(functools.partial(base, currency="EUR")).required == ("amount",)
    assert define(Shop()).name == "Shop"
    assert define(later).required == ("amount",)


def test_a_decorator_over_a_tool_is_called_as_well():
    def doubled(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs) * 2

        return wrapper

    @doubled
    @tool(app="shop")
    def probe(word: str) -> str:
        return word

    assert tool_of(probe).name == "shop-probe"
    assert tool_of(probe).function(word="ab") == "abab"


def test_what_can_not_be_resolved_is_said_with_its_place():
    def probe(it): ...

    probe.__annotations__ = {"it": "Nowhere"}
    with pytest.raises(UnresolvedHint, match=r"probe: parameter 'it' .*Nowhere.* not only under TYPE_CHECKING"):
        tool(probe)
    probe.__annotations__ = {"it": int, "return": "Nowhere"}
    assert define(probe).required == ("it",)


def test_unmarked_functions_have_no_tool():
    def probe() -> str: ...

    with pytest.raises(ToolDefinitionError, match="'probe' is not marked"):
        tool_of(probe)


def test_slots_are_found_wherever_they_stand_in_a_hint():
    def probe(category: Categories, start: StartDate | None = None, ends: list[EndDate] | None = None): ...

    slots = define(probe).slots
    assert {name: slot.name for name, slot in slots.items()} == {
        "category": "category",
        "start": "period",
        "ends": "period",
    }


def test_a_batch_tool_keeps_two_names_free():
    def probe(id: str) -> str: ...  # noqa: A002 - the name that is refused

    with pytest.raises(ToolDefinitionError, match="probe takes batches"):
        tool(batch=True)(probe)


def test_a_name_is_taken_once():
    def probe() -> str: ...

    registry = Registry([probe])
    with pytest.raises(ToolDefinitionError, match="two tools named 'probe'"):
        registry.add(define(probe))
    assert [each.name for each in registry] == ["probe"]


def test_who_is_offered_what():
    """Production tools for everybody, those in development where the environment says so, planned ones never."""

    def probe() -> str: ...

    stages = ("production", "development", "planning")
    registry = Registry([define(probe, app="shop", name=stage, stage=stage) for stage in stages])

    def offered(*args: Any) -> list[str]:
        return [each.name for each in registry.offered(*args)]

    assert offered() == offered("production") == ["production"]
    assert offered("development") == ["production", "development"]
    assert offered("development", {"production"}) == ["development"]
    assert offered("development", {"shop"}) == []
