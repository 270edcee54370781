"""How often the right tool is offered among tools that are not ours: ``python -m tests.support.tool_pools``.

The pool that is kept, ``tests/data/tools/foreign_tools.jsonl``, was written by hand before anything was measured on it; by it
and by the two that are called tuned, the figures of the selection were set. Public pools are read from a copy of their
repository, named with ``--metatool``, ``--bfcl``, ``--toolalpaca`` or ``--sealtools``; they are not kept here.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import csv
import json
import math
import random
import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evals.questions import read_questions
from ledger.embeddings import MiniLmEmbedder
from tools.registry import Registry, Tool
from tools.selection import SemanticSelector

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FOREIGN = Path(__file__).parents[1] / "data" / "tools" / "foreign_tools.jsonl"
PLACES = (1, 3, 5, 10)


@dataclass(frozen=True)
class Pool:
    """Tools by name and description, and questions with the names of those that answer them."""

    name: str
    tools: dict[str, str]
    asked: tuple[tuple[str, frozenset[str]], ...]


def foreign() -> Pool:
    """Return the pool that is kept here."""
    rows = [json.loads(line) for line in FOREIGN.read_text(encoding="utf-8").splitlines()]
    asked = tuple((question, frozenset({row["name"]})) for row in rows for question in row["questions"])
    return Pool("foreign", {row["name"]: row["description"] for row in rows}, asked)


def golden() -> tuple[tuple[str, frozenset[str]], ...]:
    """Return our own questions of one turn, with the tools that answer them."""
    asked = []
    for question in read_questions():
        right = frozenset(name for reading in question.readings for name in reading.tools)
        if question.wants_answer and question.kind != "follow-up" and right:
            asked.append((question.turns[-1], right))
    return tuple(asked)


def tool(name: str, description: str, *examples: str) -> Tool:
    """Return a tool that can only be offered."""
    schema = {"type": "function", "function": {"name": name, "description": description, "parameters": {}}}
    return Tool(name, tool, schema, examples=examples)


def metatool(folder: Path) -> Iterator[Pool]:
    """Yield MetaTool (MIT): the 500 questions that the figures of the selection were set by, and 1,000 others."""
    tools = json.loads((folder / "dataset/plugin_des.json").read_text(encoding="utf-8"))
    with (folder / "dataset/data/all_clean_data.csv").open(encoding="utf-8", newline="") as stream:
        rows = [(row["Query"], frozenset({row["Tool"]})) for row in csv.DictReader(stream) if row["Tool"] in tools]
    random.Random(7).shuffle(rows)
    yield Pool("MetaTool, tuned", tools, tuple(rows[:500]))
    yield Pool("MetaTool, others", tools, tuple(rows[500:1500]))


def bfcl(folder: Path) -> Iterator[Pool]:
    """Yield three parts of the Berkeley function-calling leaderboard (Apache 2.0); by the first figures were set."""
    data = folder / "berkeley-function-call-leaderboard/bfcl_eval/data"
    for name, files in {
        "BFCL simple, tuned": ("BFCL_v4_simple_python.json",),
        "BFCL multiple": ("BFCL_v4_multiple.json",),
        "BFCL live": ("BFCL_v4_live_multiple.json", "BFCL_v4_live_simple.json"),
    }.items():
        tools: dict[str, str] = {}
        asked = []
        for file in files:
            right = {row["id"]: next(iter(row["ground_truth"][0])) for row in _rows(data / "possible_answer" / file)}
            for row in _rows(data / file):
                for each in row["function"]:
                    tools.setdefault(each["name"], each["description"])
                of_one_name = {each["name"] for each in row["function"] if tools[each["name"]] == each["description"]}
                said = [turn["content"] for turn in row["question"][0] if turn["role"] == "user"]
                if right[row["id"]] in of_one_name and said:
                    asked.append((said[-1], frozenset({right[row["id"]]})))
        yield Pool(name, tools, tuple(asked))


def toolalpaca(folder: Path) -> Iterator[Pool]:
    """Yield the two evaluation sets of ToolAlpaca (Apache 2.0): questions that one call answers."""
    tools: dict[str, str] = {}
    asked = []
    for part in ("simulated", "real"):
        for api in json.loads((folder / f"data/eval_{part}.json").read_text(encoding="utf-8")):
            described, questions, answers = (
                _literal(api.get(key)) for key in ("Function_Description", "Instructions", "Golden_Answers")
            )
            for name, text in described.items():
                if name != "components":
                    tools.setdefault(name, text.partition("\nParameters")[0])
            for question, calls in zip(questions, answers or (), strict=False):
                right = frozenset(call["Action"] for call in calls)
                if len(right) == 1 and right <= described.keys():
                    asked.append((question, right))
    yield Pool("ToolAlpaca", tools, tuple(asked))


def sealtools(folder: Path) -> Iterator[Pool]:
    """Yield Seal-Tools (Apache 2.0): its development questions that one call answers, and 500 tools or more."""
    data = folder / "Seal-Tools_Dataset"
    known = {row["api_name"]: row["api_description"] for row in _rows(data / "tool.jsonl")}
    asked = tuple(
        (row["query"], frozenset({row["calling"][0]["api"]}))
        for row in _rows(data / "dev.jsonl")
        if len(row["calling"]) == 1 and row["calling"][0]["api"] in known
    )
    needed = {name for _, right in asked for name in right}
    rest = sorted(known.keys() - needed)
    random.Random(7).shuffle(rest)
    chosen = [*sorted(needed), *rest[: max(0, 500 - len(needed))]]
    yield Pool("Seal-Tools", {name: known[name] for name in chosen}, asked)


PUBLIC = {"metatool": metatool, "bfcl": bfcl, "toolalpaca": toolalpaca, "sealtools": sealtools}


def _rows(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def _literal(value: Any) -> Any:
    return ast.literal_eval(value) if isinstance(value, str) else value


def shares(found: Iterable[Sequence[str]], pool: Pool) -> list[float]:
    """Return for how many questions a right tool is among the first one, three, five and ten."""
    pairs = list(zip(found, pool.asked, strict=True))
    return [sum(not right.isdisjoint(names[:most]) for names, (_, right) in pairs) / len(pairs) for most in PLACES]


async def by_encoder(pool: Pool, embedder: MiniLmEmbedder, tools: Sequence[Tool]) -> list[list[str]]:
    """Return the ten nearest tools to each question, by nothing but the cosine with "name: description"."""
    texts = np.array(await embedder.embed([f"{each.name}: {each.description}" for each in tools]))
    asked = np.array(await embedder.embed([question for question, _ in pool.asked]))
    return [[tools[at].name for at in row[: PLACES[-1]]] for row in np.argsort(-asked @ texts.T, axis=1, kind="stable")]


def by_words(pool: Pool, tools: Sequence[Tool]) -> list[list[str]]:
    """Return the ten best tools for each question by BM25 (1.5, 0.75) over names, split into words, and descriptions."""
    texts = [Counter(_tokens(f"{each.name} {each.description}")) for each in tools]
    sizes = [sum(text.values()) for text in texts]
    usual = sum(sizes) / len(sizes)
    holding = Counter(word for text in texts for word in text)

    def score(asked: list[str], at: int) -> float:
        total = 0.0
        for word in asked:
            times = texts[at][word]
            rarity = math.log(1 + (len(texts) - holding[word] + 0.5) / (holding[word] + 0.5))
            total += rarity * times * 2.5 / (times + 1.5 * (0.25 + 0.75 * sizes[at] / usual))
        return total

    found = []
    for question, _ in pool.asked:
        scores = [score(_tokens(question), at) for at in range(len(tools))]
        found.append([tools[at].name for at in sorted(range(len(tools)), key=lambda at: -scores[at])[: PLACES[-1]]])
    return found


def _tokens(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z\d])(?=[A-Z])", " ", text).lower())


async def by_selection(pool: Pool, embedder: MiniLmEmbedder, tools: Sequence[Tool]) -> list[list[str]]:
    """Return what the selection offers for each question; nothing where it could not narrow the tools."""
    selector = SemanticSelector(embedder.embed)
    found = []
    for question, _ in pool.asked:
        selection = await selector.choose(question, tools)
        found.append([each.name for each in selection.tools] if selection.why == "matched" else [])
    return found


async def measure(pools: Iterable[Pool]) -> None:
    """Print how often the right tool is found in each pool with our own tools added, and ours among those of the pool."""
    embedder = MiniLmEmbedder()
    ours = Registry.built_in().offered()
    print("pool | how | questions | tools | 1 | 3 | 5 | 10 | ours among those offered")
    for pool in pools:
        tools = [*ours, *(tool(*each) for each in pool.tools.items())]
        started = time.perf_counter()
        ways = {
            "encoder": await by_encoder(pool, embedder, tools),
            "BM25": by_words(pool, tools),
            "selection": await by_selection(pool, embedder, tools),
        }
        own = Pool(pool.name, pool.tools, golden())
        ways["selection, our questions"] = await by_selection(own, embedder, tools)
        for way, found in ways.items():
            asked = own if way.endswith("questions") else pool
            share = sum(name in {each.name for each in ours} for names in found for name in names)
            figures = [f"{each:.3f}" for each in shares(found, asked)]
            print(
                pool.name, way, len(asked.asked), len(tools), *figures, f"{share / sum(map(len, found)):.2f}", sep=" | "
            )
        print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for benchmark in PUBLIC:
        parser.add_argument(f"--{benchmark}", type=Path)
    given = vars(parser.parse_args())
    public = [pool for benchmark, read in PUBLIC.items() if given[benchmark] for pool in read(given[benchmark])]
    asyncio.run(measure([foreign(), *public]))
