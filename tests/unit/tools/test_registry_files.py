"""Tools in files of one's own: loaded beside the built-in ones, or refused in one sentence that names the file."""

from __future__ import annotations

import re
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from graph.planner.planner import Planner
from ledger.people import Person
from ledger.search import LedgerSearch
from tests.drawn_ledgers import Entry, write_entries
from tools.context import ToolContext
from tools.definition import check_definition, check_own
from tools.errors import ToolDefinitionError
from tools.registry import Registry
from tools.running import run_tool

if TYPE_CHECKING:
    from ledger.store import Store

PAGE = Path(__file__).parents[3] / "docs/tools.md"
TOOL = '''
from tools.registry import tool

@tool(app="mine")
def {name}(count: int) -> str:
    """Count."""
    return str(count)
'''


@pytest.fixture(autouse=True)
def forget_modules():
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith(("extra_tools_", "tools_of_one_")):
            del sys.modules[name]


def write(path: Path, text: str) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_files_are_loaded_beside_the_built_in_tools(tmp_path):
    one = write(tmp_path / "a/own.py", TOOL.format(name="one"))
    two = write(tmp_path / "b/own.py", TOOL.format(name="two"))
    names = [each.name for each in Registry.built_in([one, two])]
    assert names[-2:] == ["mine-one", "mine-two"]
    assert names[:-2] == [each.name for each in Registry.built_in()]


def test_a_path_may_start_at_home_or_here(tmp_path, monkeypatch):
    write(tmp_path / "own.py", TOOL.format(name="one"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Registry.built_in(["~/own.py"]).get("mine-one")
    monkeypatch.chdir(tmp_path)
    assert Registry.built_in(["own.py"]).get("mine-one")


def test_a_module_may_be_named_by_its_import_path(tmp_path, monkeypatch):
    write(tmp_path / "tools_of_one_person.py", TOOL.format(name="one"))
    monkeypatch.syspath_prepend(tmp_path)
    assert Registry.built_in(["tools_of_one_person"]).get("mine-one")


def test_only_what_a_file_defines_is_taken_and_once(tmp_path):
    text = TOOL.format(name="one") + "\nfrom tools.apps.status import status\nagain = one\n"
    registry = Registry.built_in([write(tmp_path / "own.py", text)])
    assert len(registry) == len(Registry.built_in()) + 1


def test_hints_are_read_in_the_file(tmp_path):
    text = (
        "from __future__ import annotations\nfrom typing import TypedDict\n\nclass Item(TypedDict):\n"
        "    name: str\n    parts: list[Item]\n" + TOOL.format(name="one").replace("count: int", "item: Item")
    )
    made = Registry.built_in([write(tmp_path / "own.py", text)]).get("mine-one")
    assert made is not None
    assert list(made.parameters["properties"]["item"]["properties"]) == ["name", "parts"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def one(:\n", ", line 1: SyntaxError: invalid syntax"),
        ("\n\nimport no_module_of_this_name\n", ", line 3: ModuleNotFoundError: No module named"),
        ("x = 1\nraise SystemExit(3)\n", ", line 2: SystemExit: 3"),
        ("raise ValueError('two\\nlines')\n", ", line 1: ValueError: two lines"),
        ("x = 1\n", ": there is no function marked with @tool"),
        (TOOL.format(name="one").replace("count: int", "count"), ", line 4: one: parameter 'count' has no type"),
        (TOOL.format(name="one") + "two = three\n", ", line 8: NameError: name 'three' is not defined"),
        (TOOL.format(name="one").replace('app="mine"', 'name="ledger-status"'), ", line 4: There are two tools named"),
    ],
)
def test_a_file_that_can_not_be_used_is_one_sentence(tmp_path, text, reason):
    path = write(tmp_path / "own.py", text)
    with pytest.raises(ToolDefinitionError) as caught:
        Registry.built_in([path])
    assert str(caught.value).startswith(f"{path}{reason}")
    assert "\n" not in str(caught.value)


OWN = TOOL.format(name="one")
IMPORTS = "from tools.results import Result\nfrom tools.changes import Change\n"
#: What is wrong with a definition: what stands in the file for what, and what is said of line 4 (where @tool stands).
BROKEN = {
    "stage": ('app="mine"', 'app="mine", stage="nonsense"', "mine-one has an unknown stage 'nonsense'; the stages are"),
    "examples": ('app="mine"', 'app="mine", examples="How is it"', "mine-one has examples that are not a list of texts"),
    "blank example": ('app="mine"', 'app="mine", examples=(" ",)', "mine-one has examples that are not a list of texts"),
    "keywords": ('app="mine"', 'app="mine", keywords="how"', "mine-one has keywords that are not a list of texts"),
    "no keywords": ('app="mine"', 'app="mine", keywords=3', "mine-one has keywords that are not a list of texts: 3"),
    "slot": ('app="mine"', 'app="mine", examples=("Count {nosuch}",)', "mine-one has an example with {nosuch}, and there"),
    "empty slot": ('app="mine"', 'app="mine", examples=("Count {}",)', "mine-one has an example with {}, and there is no"),
    "app": ('app="mine"', 'app=""', "one has an empty app name; leave app out, or name one"),
    "blank app": ('app="mine"', 'app="  "', "one has an empty app name"),
    "default": ("count: int", 'count: int = "x"', "mine-one: parameter 'count' has a default that doesn't fit its hint"),
    "odd default": ("count: int", "count: int = len", "mine-one: parameter 'count' has a default that doesn't fit its"),
    "default beside": ("count: int", "count: list[int] = (1, 'x')", "mine-one: parameter 'count' has a default that"),
    "description": ('"""Count."""', "", "mine-one has no description; its docstring says to people and models what"),
    "blank description": ('"""Count."""', '"""  """', "mine-one has no description"),
    "returns a number": ("-> str", "-> int", "mine-one returns int, which can't be shown; return a text or a Result"),
    "returns an object": ("-> str", "-> dict[str, int]", "mine-one returns dict, which can't be shown"),
    "returns nothing": ("-> str", "-> None", "mine-one returns NoneType, which can't be shown"),
    "may return nothing": ("-> str", "-> str | None", "mine-one returns NoneType, which can't be shown"),
    "returns what is not there": ("-> str", "-> 'Nowhere'", "mine-one has a return hint that can't be resolved"),
    "writes text": ('app="mine"', 'app="mine", writes=True', "mine-one writes, so it must be declared to return a Result"),
    "writes unsaid": ('app="mine")\ndef one(count: int) -> str', 'app="mine", writes=True)\ndef one(count: int)', "mine-one writes, so"),
    "writes many": (
        'app="mine")\ndef one(count: int) -> str', 'app="mine", writes=True, batch=True)\ndef one(count: int) -> Result',
        "mine-one writes, and each change is confirmed by itself, so it takes no batches",
    ),
    "twice": ('app="mine"', 'name="ledger-status"', "There are two tools named 'ledger-status'."),
}  # fmt: skip


@pytest.mark.parametrize("fault", BROKEN)
def test_what_is_wrong_with_a_definition_is_said_when_it_is_loaded(tmp_path, fault):
    """In one sentence with file and line, and nothing of the file is offered."""
    old, new, reason = BROKEN[fault]
    assert old in OWN
    path = write(tmp_path / "own.py", IMPORTS.replace("\n", ";") + OWN.replace(old, new))
    good = write(tmp_path / "good.py", TOOL.format(name="two"))
    with pytest.raises(ToolDefinitionError) as caught:
        Registry.built_in([good, path])
    assert str(caught.value).startswith(f"{path}, line 4: {reason}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "hint", ["str", "Result", "str | Result", "'Result'", "Any", "Awaitable[str]", "Literal['a']", "Text"]
)
def test_what_can_be_shown_may_be_promised(tmp_path, hint):
    imports = (
        "from collections.abc import Awaitable;from typing import Any, Literal, NewType;Text = NewType('Text', str);"
    )
    text = imports + IMPORTS.replace("\n", ";") + OWN.replace("-> str", f"-> {hint}")
    assert Registry.built_in([write(tmp_path / "own.py", text)]).get("mine-one")
    unsaid = OWN.replace(" -> str", "").replace('"mine"', '"other"')
    assert Registry.built_in([write(tmp_path / "other.py", unsaid)]).get("other-one")


def test_what_is_registered_by_hand_may_say_less():
    """A plain function without docstring or return hint is a tool; what it returns is judged when it is shown."""

    def plain(count: int = 1):
        return str(count)

    def counted(count: int) -> int:
        return count

    assert [each.name for each in Registry([plain, counted])] == ["plain", "counted"]


def test_the_programs_own_tools_keep_to_the_rules_for_files():
    for each in Registry.built_in():
        check_own(each)
        check_definition(each)


@pytest.mark.parametrize(
    "source", ["nowhere.py", "~nobody-of-this-name/own.py", ".py", "no_module_of_this_name", "tools.money", ""]
)
def test_what_is_not_there_is_said(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ToolDefinitionError, match=f"^{re.escape(source)}: "):
        Registry.built_in([source])
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(ToolDefinitionError, match="there is no such file"):
        Registry.built_in(["folder.py"])


def test_a_failed_file_leaves_no_module_behind(tmp_path):
    before = set(sys.modules)
    with pytest.raises(ToolDefinitionError):
        Registry.built_in([write(tmp_path / "own.py", "1 / 0")])
    assert {name for name in set(sys.modules) - before if name.startswith("extra_tools_")} == set()


@pytest.mark.parametrize(
    ("question", "count"),
    [("On how many days did I spend nothing in October?", 29), ("No-spend days last month", 29)],
)
async def test_the_example_of_the_documentation_answers(question: str, count: int, tmp_path, sqlite_store: Store):
    """Written into a file as it stands, found by the built-in planner, and right to the day."""
    code, _ = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    registry = Registry.built_in([write(tmp_path / "no_spend.py", code)])
    entries = [Entry(date(2026, 10, day), -1000) for day in (1, 31, 31)] + [Entry(date(2026, 11, 3), -1000)]
    entries.append(Entry(date(2026, 10, 7), 5000, kind="income"))
    repository, _ = await write_entries(sqlite_store, Person("memory", "home", "me"), entries)
    search = LedgerSearch(repository, no_index)
    context = ToolContext(repository, await repository.vocabulary(), search, date(2026, 11, 21))
    plan = await Planner(list(registry), None).plan(question, context, list(registry))
    (call,) = plan.rounds[0]
    found = registry.get(call.name)
    assert found is not None
    assert found.name == "habits-no_spend_days"
    result = await run_tool(found, call.arguments, context)
    assert result.fact("count").value == count
    assert len(await repository.ids(result.behind[0])) == 3


async def no_index() -> None:
    """There is no index."""
