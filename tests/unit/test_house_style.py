"""The house style that a machine can measure: sizes, names, docstrings, the future import."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
#: The source: every top-level package that is there.
PACKAGES = [name for name in ("bots", "graph", "tools", "ledger", "evals") if (ROOT / name / "__init__.py").exists()]
FILES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))

MOST_LINES = 500
MOST_LINES_OF_FUNCTION = 80
SHORT_FUNCTION = 35
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Function:
    """A function or method of the source; ``lines`` counts from ``def`` to its last line."""

    where: str
    lines: int


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def shown(path: Path, node: ast.AST | None = None) -> str:
    line = f":{node.lineno}" if isinstance(node, ast.stmt) else ""
    return f"{path.relative_to(ROOT)}{line}"


def functions() -> Iterator[Function]:
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, FunctionNode):
                assert node.end_lineno is not None
                yield Function(f"{shown(path, node)} {node.name}", node.end_lineno - node.lineno + 1)


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
    assert {"bots", "graph", "tools", "ledger"} <= set(PACKAGES)
    assert len(FILES) > 100


def test_no_file_is_longer_than_500_lines() -> None:
    lengths = {shown(path): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_no_function_is_longer_than_80_lines() -> None:
    assert [f"{each.where}: {each.lines}" for each in functions() if each.lines > MOST_LINES_OF_FUNCTION] == []


def test_nine_functions_in_ten_are_shorter_than_35_lines() -> None:
    lengths = [each.lines for each in functions()]
    short = sum(length < SHORT_FUNCTION for length in lengths)
    assert short * 10 >= len(lengths) * 9, f"{short} of {len(lengths)} functions are short"


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
