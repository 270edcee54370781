"""The documentation names everything that a user can set, call or type, and nothing that is not there.

The tools' reference in ``docs/tools.md`` is generated: ``UPDATE_DOCS=1 .venv/bin/pytest tests/unit/test_docs.py``.
"""

from __future__ import annotations

import argparse
import os
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pydantic import BaseModel

from bots.cli import main as command
from bots.cli.configuration import ENV_FILE
from bots.console.commands import COMMANDS
from bots.settings import Settings
from tools.registry import Registry, Tool

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
SOURCES = [path for name in ("bots", "graph", "tools", "ledger") for path in (ROOT / name).rglob("*.py")]
#: What looks like a file of the repository and is none: a package, files of the data directory, what a user makes.
LOCKS = ("requirements.lock", "requirements-extras.lock", "requirements-dev.lock")
NO_FILES = {"discord.py", "discord-session.json", "serving.lock", "deploy/bot.env", "deploy/.env"}
BEGIN, END = "<!-- generated: tools -->", "<!-- end of generated part -->"

#: What stands for a placeholder in an example question.
EXAMPLE_WORDS = {
    "account": "Checking",
    "by": "merchants",
    "category": "groceries",
    "kind": "refunds",
    "limit": "5",
    "measure": "largest",
    "merchant": "Costco",
    "operation": "share",
    "over": "over 100",
    "per": "per month",
    "period": "last month",
    "query": "coffee",
    "under": "under 20",
}


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def everything() -> str:
    return "\n".join(map(text_of, PAGES))


def code_spans(text: str) -> Iterator[str]:
    """Yield what is written as code: spans within a line, and the lines of blocks."""
    for block in re.findall(r"^```[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield from block.splitlines()
    yield from re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))


def subcommands() -> dict[str, argparse.ArgumentParser]:
    for action in command._build()._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def variables(model: type[BaseModel] = Settings, prefix: str = "MONEY_MINDER_") -> Iterator[tuple[str, Any]]:
    """Yield every setting's environment variable with its default."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from variables(field.annotation, f"{prefix}{name.upper()}__")
        else:
            yield f"{prefix}{name.upper()}", field.default


def documented_variables() -> dict[str, str]:
    """Return the defaults in the table of settings, by variable."""
    rows = re.findall(r"^\| `(MONEY_MINDER_\w+)` \| ([^|]+) \|", text_of(ROOT / "docs/settings.md"), re.MULTILINE)
    return {name: default.strip().strip("`") for name, default in rows}


def shown_default(value: Any) -> str:
    if value is None or value == frozenset():
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_there_are_pages_to_check() -> None:
    names = {path.name for path in PAGES}
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "architecture.md", "definitions.md", "tools.md"} <= names


def test_every_setting_is_documented_with_its_default() -> None:
    documented = documented_variables()
    computed = {"MONEY_MINDER_DATA_DIR"}  # depends on the operating system
    wrong = {
        name: shown_default(default)
        for name, default in variables()
        if name not in documented or (name not in computed and documented[name] != shown_default(default))
    }
    assert wrong == {}


def test_every_variable_in_the_documentation_exists() -> None:
    known = {name for name, _ in variables()} | {ENV_FILE}
    named = set(re.findall(r"MONEY_MINDER_[A-Z_]+[A-Z]", everything()))
    for_tests = "\n".join(text_of(path) for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__).resolve())
    assert {
        name for name in named - known if not name.startswith("MONEY_MINDER_TEST_") or name not in for_tests
    } == set()


def test_every_command_is_documented() -> None:
    spans = " \n".join(code_spans(everything()))
    assert [name for name in subcommands() if not re.search(rf"money-minder {name}\b", spans)] == []


def test_every_command_in_the_documentation_exists() -> None:
    known = subcommands()
    wrong = []
    for span in code_spans(everything()):
        for name, rest in re.findall(r"money-minder ([a-z][a-z-]*)\b([^|;]*)", span):
            options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", re.sub(r"“[^”]*”|\"[^\"]*\"|'[^']*'", "", rest)))
            if name not in known or options - set(known[name]._option_string_actions):
                wrong.append(span)
    assert wrong == []


def test_every_line_that_the_console_obeys_is_documented() -> None:
    page = text_of(ROOT / "docs/commands.md")
    assert re.findall(r"^\| `(/\w+)` \|", page, re.MULTILINE) == list(COMMANDS)


def test_every_option_is_documented() -> None:
    page = text_of(ROOT / "docs/commands.md")
    sections = dict(re.findall(r"^## `money-minder (\w+)[^\n]*\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    assert list(sections) == list(subcommands())
    assert "- `--env-file`, which every command but `eval` takes" in page
    missing = [
        f"{name} {option}"
        for name, parser in subcommands().items()
        for option in parser._option_string_actions
        if option.startswith("--") and option not in ("--help", "--env-file") and not option.startswith("--no-")
        if f"`{option}" not in sections[name]
    ]
    assert missing == []


def test_every_path_in_the_documentation_exists() -> None:
    tops = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")} | {".ci"}
    wrong = []
    for page in PAGES:
        for span in code_spans(text_of(page)):
            for path in re.findall(r"(?<![\w/.~-])((?:[\w.-]+/)+[\w.*-]*|[\w-]+\.(?:py|md|toml|lock))", span):
                top = path.partition("/")[0]
                if path not in NO_FILES and (top in tops or "/" not in path) and not list(ROOT.glob(path.rstrip("/"))):
                    wrong.append(f"{page.name}: {path}")
    assert wrong == []


def test_every_link_in_the_documentation_leads_somewhere() -> None:
    wrong = []
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
            path, _, anchor = target.partition("#")
            if path.startswith("http"):
                continue
            linked = page.parent / path if path else page
            if not linked.exists() or (anchor and anchor not in anchors(linked)):
                wrong.append(f"{page.name}: {target}")
    assert wrong == []


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_make_target_in_the_documentation_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    named = {name for span in code_spans(everything()) for name in re.findall(r"(?:^|&& )make ([a-z]+)", span)}
    assert named - targets == set()
    assert {"setup", "run", "check", "test", "bench", "eval"} <= targets


def test_every_definition_that_code_cites_is_there() -> None:
    defined = set(re.findall(r"^## (D\d+) ", text_of(ROOT / "docs/definitions.md"), re.MULTILINE))
    cited = set()
    for path in SOURCES:
        for first, last in re.findall(r"(?:definitions\.md, |\()D(\d+)(?:-D(\d+))?\)", text_of(path)):
            cited |= {f"D{number}" for number in range(int(first), int(last or first) + 1)}
    assert cited
    assert cited - defined == set()
    assert defined == {f"D{number}" for number in range(1, len(defined) + 1)}


def test_every_page_that_code_cites_is_there() -> None:
    cited = {name for path in SOURCES for name in re.findall(r"\bdocs/\w+\.md", text_of(path))}
    assert {name for name in cited if not (ROOT / name).exists()} == set()


def test_every_dependency_has_its_reason_and_its_pin() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    wanted_by_some = [*project["dependencies"], *extras["openai"], *extras["tracing"]]
    groups = {
        "requirements.lock": project["dependencies"],
        "requirements-extras.lock": wanted_by_some,
        "requirements-dev.lock": [*wanted_by_some, *extras["dev"]],
    }
    page = text_of(ROOT / "docs/dependencies.md")
    for lock, wanted in groups.items():
        pins = dict(re.findall(r"^([\w.-]+)==(\S+)", text_of(ROOT / lock), re.MULTILINE))
        for requirement in map(Requirement, wanted):
            name = requirement.name.lower().replace("_", "-")
            assert f"| `{name}` |" in page, f"{name} has no reason in docs/dependencies.md"
            pin = pins.get(canonicalize_name(name))
            assert pin is not None, f"{name} is not in {lock}: make lock"
            assert requirement.specifier.contains(pin), f"{name} {pin} in {lock} does not fit: make lock"


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_name_no_index_and_no_machine(lock: str) -> None:
    text = text_of(ROOT / lock)
    assert (
        re.findall(r"^\s*-.*|https?:.*|file://.*|\s/\w+/.*", re.sub(r"^    --hash=.*$", "", text, flags=re.MULTILINE))
        == []
    )
    pins = re.findall(r"^[\w.-]+==\S+ \\\n    --hash=sha256:", text, re.MULTILINE)
    assert len(pins) == len(re.findall(r"^[\w.-]+==", text, re.MULTILINE)) > 0


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_hold_what_only_newer_pythons_need(lock: str) -> None:
    """The lock is compiled on an older one, which leaves it out."""
    assert text_of(ROOT / lock).endswith(text_of(ROOT / "requirements-3.13.lock"))


def test_the_reference_of_the_tools_is_up_to_date() -> None:
    page = ROOT / "docs/tools.md"
    before, _, rest = text_of(page).partition(BEGIN)
    written, _, after = rest.partition(END)
    wanted = "\n\n" + "\n\n".join(reference(tool) for tool in Registry.built_in()) + "\n\n"
    if os.environ.get("UPDATE_DOCS"):
        page.write_text(f"{before}{BEGIN}{wanted}{END}{after}", encoding="utf-8")
        return
    assert written == wanted, "run UPDATE_DOCS=1 .venv/bin/pytest tests/unit/test_docs.py"


def reference(tool: Tool) -> str:
    """Return a tool's section: what it does, a question that it answers, its arguments."""
    lines = [f"### `{tool.name}`", "", tool.description.partition("\n")[0], f"*“{example(tool)}”*"]
    parameters = tool.parameters.get("properties", {})
    if parameters:
        lines += ["", "| argument | values | meaning |", "|---|---|---|"]
    for name, schema in parameters.items():
        values = " or ".join(dict.fromkeys(value_words(schema)))
        default = schema.get("default")
        if name in tool.required:
            values += ", required"
        elif default not in (None, False, 0):
            values += f", `{default}` by default"
        lines.append(f"| `{name}` | {values} | {schema.get('description', '')} |")
    return "\n".join(lines)


def value_words(schema: dict[str, Any]) -> Iterator[str]:
    """Yield the kinds of value that a schema takes, in plain words; null is left out, since it means “not given”."""
    if "anyOf" in schema:
        for part in schema["anyOf"]:
            yield from value_words(part)
    elif "enum" in schema:
        yield ", ".join(f"`{value}`" for value in schema["enum"])
    elif schema.get("type") == "array":
        yield f"a list of {' or '.join(f'{word}s' for word in value_words(schema['items'])).replace('a text', 'text')}"
    elif schema.get("type") == "integer":
        low, high = schema.get("minimum"), schema.get("maximum")
        yield f"{low} to {high}" if low is not None and high is not None else "a number"
    elif schema.get("type") != "null":
        yield {"string": "a text", "boolean": "`true` or `false`"}[schema["type"]]


def example(tool: Tool) -> str:
    """Return the tool's first example question, with words in place of its slots."""
    assert tool.examples, f"{tool.name} has no example question"
    return re.sub(r"\{(\w+)\}", lambda match: EXAMPLE_WORDS[match.group(1)], tool.examples[0])
