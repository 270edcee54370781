"""The way of a question: how often control passes between modules, and whether the picture of it is true."""

from __future__ import annotations

import asyncio
import re
import threading
from pathlib import Path

import pytest

from tests.support.bank_files import EVERYDAY_QUESTIONS
from tests.support.module_changes import ROOT, Walk, Watch, family, report, walks

#: What the questions came to, with a little room. It may fall and must not rise; the bar is 500.
MOST_CHANGES = 1_100
PICTURE = re.compile(r"## The way of a question\n.*?```\n(.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def asked() -> list[Walk]:
    return asyncio.run(walks())


@pytest.mark.parametrize("place", range(len(EVERYDAY_QUESTIONS)), ids=EVERYDAY_QUESTIONS)
def test_control_does_not_pass_more_often_than_it_did(asked: list[Walk], place: int) -> None:
    told = "\n".join(report(EVERYDAY_QUESTIONS, asked))
    assert asked[place].changes <= MOST_CHANGES, told


def test_the_picture_of_a_question_is_true(asked: list[Walk]) -> None:
    """Control is in every module that the picture names, in its order."""
    picture = PICTURE.search((ROOT / "docs/architecture.md").read_text(encoding="utf-8"))
    assert picture, "there is a picture"
    named = re.findall(r"\b(?:graph|tools|ledger|language)(?:\.\w+)+", picture[1])
    assert len(named) > 20
    steps = iter(asked[0].steps)
    missed = next((module for module in named if module not in steps), None)
    assert missed is None, f"control is not in {missed}, or not after those before it"


def module(folder: Path, name: str, source: str) -> dict[str, object]:
    """Run a module of a package that is made for the test, and return its names."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(source, encoding="utf-8")
    names: dict[str, object] = {}
    exec(compile(source, str(path), "exec"), names)
    return names


def test_entries_and_returns_of_watched_packages_are_steps(tmp_path: Path) -> None:
    inner = module(tmp_path, "one/inner.py", "def f(): return len('x')")["f"]
    outer = module(tmp_path, "two/outer.py", "def g(f): f(); f(); return f()")["g"]
    unseen = module(tmp_path, "three/other.py", "def h(g, f): return g(f)")["h"]
    watch = Watch(tmp_path, ("one", "two"))
    with watch.installed():
        unseen(outer, inner)
        with watch.walk() as made:
            unseen(outer, inner)
        unseen(outer, inner)
    [walk] = made
    assert walk.steps == ["two.outer", *["one.inner"] * 6, "two.outer"]
    assert (walk.changes, walk.layer_changes, walk.functions) == (2, 2, 2)


def test_threads_that_begin_while_it_is_installed_are_seen(tmp_path: Path) -> None:
    f = module(tmp_path, "one/inner.py", "def f(): return 1")["f"]
    watch = Watch(tmp_path, ("one",))
    with watch.installed(), watch.walk() as made:
        thread = threading.Thread(target=f)
        thread.start()
        thread.join()
    assert made[0].steps == ["one.inner"] * 2


def test_changes_are_counted_by_pair_and_by_package() -> None:
    walk = Walk(["graph.a", "graph.b", "graph.b", "graph.a", "tools.c", "graph.a"], 4)
    assert walk.pairs == {("graph.a", "graph.b"): 2, ("graph.a", "tools.c"): 2}
    assert (walk.changes, walk.layer_changes) == (4, 2)
    assert Walk([], 0).changes == 0


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("ledger.periods.tokens", "ledger.periods"), ("ledger.money", "ledger"), ("graph.nodes.select", "graph.nodes")],
)
def test_families(name: str, wanted: str) -> None:
    assert family(name) == wanted
