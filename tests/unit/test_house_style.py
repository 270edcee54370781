"""The house style that a machine can measure: sizes, branching, names, docstrings, the future import."""

from __future__ import annotations

import ast
import math
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from radon.complexity import cc_visit
from radon.visitors import Function

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]
#: The source: every top-level package that is there.
PACKAGES = [
    name for name in ("bots", "graph", "tools", "ledger", "language", "evals") if (ROOT / name / "__init__.py").exists()
]
FILES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))

MOST_LINES = 500
#: Cyclomatic complexity as radon counts it, boolean operators, comprehensions and conditional expressions included:
#: the most of any function, and of nine in ten. The bar is 15 and 6; a package above it has the figure that it came to,
#: which may fall and must not rise.
COMPLEXITY = {
    "language": (15, 6),
    "graph": (15, 11),
    "tools": (26, 11),
    "ledger": (30, 10),
    "bots": (19, 8),
    "evals": (25, 9),
}
WORST = 15
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}
#: Where German and English are read alike: what either says is data of ``language/data``.
WITHOUT_GERMAN = ("graph", "tools/slots")
#: Small words of German that are none of English, and what only German spells so.
GERMAN = re.compile(
    r"\b(?:und|oder|der|das|dem|den|des|ein|eine|einen|ohne|nicht|keine?|wie|viel|mit|von|vom|ist|sind|fur|bei|beim|auf|aus|"
    r"zum|zur|ich|wir|meine?n?|mir|alle|alles|nur|auch|bitte|noch|nach|seit|zwischen|uber|statt|diese[rsnm]?|welche[rsnm]?|"
    r"wann|wer|warum|nein|danke|jetzt|dann|aber|weniger|mehr|als|bis)\b|[a-z][äöüß]|[äöüß][a-z]",
    re.IGNORECASE,
)

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def shown(path: Path, node: ast.AST | None = None) -> str:
    line = f":{node.lineno}" if isinstance(node, ast.stmt) else ""
    return f"{path.relative_to(ROOT)}{line}"


@cache
def branching(package: str) -> tuple[tuple[int, str], ...]:
    """Return the complexity of every function and method of a package, and where it is, the worst first."""
    found = [
        (block.complexity, f"{shown(path)}:{block.lineno} {block.fullname}")
        for path in FILES
        if path.is_relative_to(ROOT / package)
        for block in cc_visit(path.read_text(encoding="utf-8"))
        if isinstance(block, Function)
    ]
    return tuple(sorted(found, reverse=True))


def percentile(ordered: Sequence[int], percent: int) -> int:
    """Return the nearest-rank percentile of ascending values."""
    return ordered[math.ceil(len(ordered) * percent / 100) - 1]


def public_definitions(body: list[ast.stmt]) -> Iterator[ast.ClassDef | FunctionNode]:
    """Yield what a reader of the module sees: its public functions and classes, and public methods of those."""
    for node in body:
        if isinstance(node, ast.If | ast.Try):
            yield from public_definitions(node.body)
        if isinstance(node, ast.ClassDef | FunctionNode) and not node.name.startswith("_") and not is_variant(node):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public_definitions(node.body)


def is_variant(node: ast.AST) -> bool:
    """Whether a definition says again what another one says: an overload, a property's setter."""
    decorators = [ast.unparse(each) for each in getattr(node, "decorator_list", [])]
    return any(each in {"overload", "typing.overload"} or each.endswith((".setter", ".deleter")) for each in decorators)


def has_code(tree: ast.Module) -> bool:
    """Whether a module holds more than a docstring and names that it hands on."""
    handed_on = ast.Import | ast.ImportFrom | ast.Expr
    return any(not isinstance(node, handed_on) and "__all__" not in ast.unparse(node) for node in tree.body)


def imports_annotations(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in tree.body
    )


def test_there_is_source_to_measure() -> None:
    """A wrong path here would let every other test pass."""
    assert {"bots", "graph", "tools", "ledger", "language"} <= set(PACKAGES)
    assert len(FILES) > 100


def test_no_file_is_longer_than_500_lines() -> None:
    lengths = {shown(path): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_function_branches_more_than_its_package_may(package: str) -> None:
    most, _ = COMPLEXITY[package]
    above = [f"{complexity} {where}" for complexity, where in branching(package) if complexity > most]
    assert above == [], f"more than {most}:\n" + "\n".join(above)


@pytest.mark.parametrize("package", PACKAGES)
def test_nine_functions_in_ten_branch_little(package: str) -> None:
    _, most = COMPLEXITY[package]
    found = branching(package)
    reached = percentile(sorted(complexity for complexity, _ in found), 90)
    worst = "\n".join(f"{complexity} {where}" for complexity, where in found[:WORST])
    assert reached <= most, f"the 90th percentile is {reached}, not {most} or less; the worst:\n{worst}"


def test_no_module_is_named_for_nothing_in_particular() -> None:
    assert [shown(path) for path in FILES if FORBIDDEN_NAMES & set(path.relative_to(ROOT).with_suffix("").parts)] == []


def test_every_module_says_what_it_is() -> None:
    assert [shown(path) for path in FILES if not ast.get_docstring(tree_of(path))] == []


def test_every_public_function_and_class_has_a_docstring() -> None:
    found = [
        f"{shown(path, node)} {node.name}"
        for path in FILES
        for node in public_definitions(tree_of(path).body)
        if not ast.get_docstring(node)
    ]
    assert found == []


def test_every_module_with_code_has_the_annotations_import() -> None:
    found = [shown(path) for path in FILES if has_code(tree_of(path)) and not imports_annotations(tree_of(path))]
    assert found == []


def german_words(tree: ast.Module) -> list[str]:
    """Return the German words in a module's strings and patterns; docstrings and comments may quote what they like."""
    quoted = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [
        f"{each.lineno} {found[0]}" for each in strings if each not in quoted for found in GERMAN.finditer(each.value)
    ]


def test_what_german_says_is_data_and_not_among_the_code() -> None:
    found = {
        shown(path): german
        for name in WITHOUT_GERMAN
        for path in sorted((ROOT / name).rglob("*.py"))
        if (german := german_words(tree_of(path)))
    }
    assert found == {}, "words of a language belong into language/data"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("a = {'and', 'und'}", ["1 und"]),
        ("a = rf'{b}(?:wie ?viele?|how many)'", ["1 wie"]),
        ("a = ('gebühr', 'Käufe', 'größte')", ["1 bü", "1 Kä", "1 rö", "1 ßt"]),
        ("'Says und.'\n# und\ndef f():\n    'Says ohne.'\n", []),
        ("a: int = 1\n'Says ohne.'", []),
        ("a = r'[A-Za-zÀ-ÖØ-öø-ÿ]+ was|die|so'", []),
    ],
)
def test_what_counts_as_german(source: str, words: list[str]) -> None:
    assert german_words(ast.parse(source)) == words


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("return a", 1),
        ("return a and b or c", 3),
        ("return [x for x in a if x]", 3),
        ("return a if b else c", 2),
        ("if a:\n        return b\n    return c", 2),
    ],
)
def test_branches_in_expressions_count(body: str, complexity: int) -> None:
    [function] = cc_visit(f"def f(a, b, c):\n    {body}\n")
    assert function.complexity == complexity


@pytest.mark.parametrize(("percent", "value"), [(90, 9), (100, 10), (1, 1)])
def test_what_the_percentile_is(percent: int, value: int) -> None:
    assert percentile(range(1, 11), percent) == value


@pytest.mark.parametrize(
    ("source", "has"),
    [
        ('"""Only words."""', False),
        ("from a import b\n__all__ = ['b']", False),
        ("a = 1", True),
        ("def a(): ...", True),
    ],
)
def test_what_counts_as_code(source: str, *, has: bool) -> None:
    assert has_code(ast.parse(source)) == has


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def a(): ...\nclass B:\n    def c(self): ...\n    def _d(self): ...\n", ["a", "B", "c"]),
        ("class _A:\n    def b(self): ...\n", []),
        ("@overload\ndef a(): ...\n@a.setter\ndef b(): ...\n", []),
        ("if True:\n    def a(): ...\n", ["a"]),
        ("def a():\n    def inner(): ...\n", ["a"]),
    ],
)
def test_what_counts_as_public(source: str, names: list[str]) -> None:
    assert [node.name for node in public_definitions(ast.parse(source).body)] == names
