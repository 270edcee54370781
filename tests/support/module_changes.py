"""How often control passes from module to module while a question is answered: ``python -m tests.support.module_changes``.

Every entry into a function of the project, and every return from one, is a step; a change is a step in another module
than the one before. The built-in planner answers, over the made-up household of ``bank_files``. The steps of ``bots``
are left out: they are the message's way in and out, the same for every question.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from bots.app import console_person, open_app
from bots.cli.ask import question
from bots.settings import Settings
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from tests.support.bank_files import EVERYDAY_QUESTIONS, american_lines, mint_csv

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("graph", "tools", "ledger", "language")
#: Asked before, so that nothing is counted that is read or made only once.
WARMING = (
    "How much did I spend on coffee in September?",
    "What was my biggest purchase in May?",
    "How much did I spend at Netflix in May?",
    "Summary of May",
)
_MOST_PAIRS = 12


@dataclass(frozen=True)
class Walk:
    """The way of one question: the modules that it was in, a step for each entry and return."""

    steps: Sequence[str]
    functions: int

    @property
    def changes(self) -> int:
        """How often a step was in another module than the one before."""
        return self.pairs.total()

    @property
    def layer_changes(self) -> int:
        """How often it was in another package."""
        return sum(number for pair, number in self.pairs.items() if len({name.split(".")[0] for name in pair}) > 1)

    @property
    def pairs(self) -> Counter[tuple[str, str]]:
        """How often control passed between two modules, in either direction."""
        return Counter((min(pair), max(pair)) for pair in pairwise(self.steps) if pair[0] != pair[1])


class Watch:
    """Sees which functions of some packages run, in all threads that begin while it is installed."""

    def __init__(self, root: Path = ROOT, packages: Sequence[str] = PACKAGES) -> None:
        self._root, self._packages = f"{root}/", frozenset(packages)
        self._modules: dict[str, str] = {}
        self._steps: list[tuple[str, CodeType]] | None = None

    @contextmanager
    def installed(self) -> Iterator[None]:
        """See this thread and those that it starts from now on."""
        before = sys.getprofile()
        threading.setprofile(self._see)
        sys.setprofile(self._see)
        try:
            yield
        finally:
            sys.setprofile(before)
            threading.setprofile(before)

    @contextmanager
    def walk(self) -> Iterator[list[Walk]]:
        """Record what runs within; the list holds the walk afterwards."""
        steps: list[tuple[str, CodeType]] = []
        made: list[Walk] = []
        self._steps = steps
        try:
            yield made
        finally:
            self._steps = None
            made.append(Walk([module for module, _ in steps], len({code for _, code in steps})))

    def _see(self, frame: FrameType, event: str, _argument: Any) -> None:
        steps = self._steps
        if steps is not None and event in ("call", "return") and (module := self._module(frame.f_code.co_filename)):
            steps.append((module, frame.f_code))

    def _module(self, file: str) -> str:
        """Return the name of a file's module, nothing for one that is not watched."""
        if file not in self._modules:
            inside = file.removeprefix(self._root)
            watched = inside != file and inside.split("/")[0] in self._packages
            self._modules[file] = inside.removesuffix(".py").replace("/", ".") if watched else ""
        return self._modules[file]


def family(module: str) -> str:
    """Return the package of a module within its layer, or the layer: ``ledger.periods``, ``graph.planner``, ``ledger``."""
    parts = module.split(".")
    return ".".join(parts[:2]) if len(parts) > 2 else parts[0]


async def walks(questions: Sequence[str] = EVERYDAY_QUESTIONS) -> list[Walk]:
    """Ask questions in one conversation and return the way of each."""
    watch = Watch()
    person = console_person(None)
    found: list[Walk] = []
    with tempfile.TemporaryDirectory() as folder, watch.installed():
        settings = Settings(data_dir=Path(folder), now="2026-11-21T12:00:00", model="builtin")  # type: ignore[arg-type]
        async with open_app(settings) as app:
            await import_files(await app.repository(person), [SourceFile("mint.csv", mint_csv(american_lines()))])
            await app.indexing.catch_up()
            for text in WARMING:
                await app.runner.ask(question(person, "before", text, app))
            for text in questions:
                asked = question(person, "now", text, app)
                with watch.walk() as made:
                    await app.runner.ask(asked)
                found += made
            await app.runner.drain(1)
    return found


def report(questions: Sequence[str], found: Sequence[Walk]) -> Iterator[str]:
    """Yield a line for each question, then the pairs of modules and of families with most changes."""
    yield "changes  between packages  modules  functions  steps"
    for text, walk in zip(questions, found, strict=True):
        numbers = f"{walk.changes:7}  {walk.layer_changes:16}  {len(set(walk.steps)):7}  {walk.functions:9}"
        yield f"{numbers}  {len(walk.steps):5}  {text}"
    for text, walk in zip(questions, found, strict=True):
        families: Counter[tuple[str, ...]] = Counter()
        for pair, number in walk.pairs.items():
            families[tuple(sorted(map(family, pair)))] += number
        yield f"\n{text}"
        yield from (f"{number:7}  {' – '.join(pair)}" for pair, number in families.most_common(_MOST_PAIRS))
        yield from (f"{number:7}    {' – '.join(pair)}" for pair, number in walk.pairs.most_common(_MOST_PAIRS))


if __name__ == "__main__":
    print(*report(EVERYDAY_QUESTIONS, asyncio.run(walks())), sep="\n")
