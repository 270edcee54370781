"""How fast strings are embedded, stored and found; run by ``make bench``."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ledger.embeddings import MiniLmEmbedder
from ledger.index import IndexPoint, LexicalIndex, SearchIndex, open_index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_benchmark.fixture import BenchmarkFixture

LEDGERS, POINTS_OF_ONE = 1_000, 100
BRANDS = ("amazon", "costco", "lyft", "netflix", "shell", "spotify", "starbucks", "uber", "walmart")
WORDS = (
    *BRANDS,
    *("bakery", "books", "cafe", "coffee", "drogerie", "fuel", "grocery", "hotel", "insurance", "pharmacy", "pizza"),
    *("central", "corner", "digital", "express", "garden", "market", "mobile", "office", "planet", "station", "store"),
    *("city", "electric", "farm", "foods", "gas", "grill", "health", "home", "kitchen", "music", "noodle", "oil"),
    *("rail", "ride", "shop", "studio", "supply", "tax", "telecom", "travel", "trip", "union", "village", "wine"),
)
QUESTION = "how much did I spend at the coffee shop last month"


def names(count: int, seed: int) -> list[str]:
    drawn = random.Random(seed)
    return [f"{' '.join(drawn.choices(WORDS, k=drawn.randint(1, 4)))} {number}" for number in range(count)]


class HashEmbedder:
    """Directions drawn by hash, so that only the index is measured."""

    dimension = 384
    fingerprint = "hash"

    async def embed(self, texts: list[str]) -> list[list[float]]:
        seeds = (int.from_bytes(sha256(text.encode()).digest()[:8]) for text in texts)
        return [np.random.default_rng(seed).standard_normal(384, dtype=np.float32).tolist() for seed in seeds]


class OneVector(HashEmbedder):
    """A question that is embedded already."""

    def __init__(self) -> None:
        self.vector = np.random.default_rng(1).standard_normal(384, dtype=np.float32).tolist()

    async def embed(self, texts: list[str]) -> list[list[float]]:
        return [self.vector] if len(texts) == 1 else await super().embed(texts)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def model() -> MiniLmEmbedder:
    model = MiniLmEmbedder()
    model.encode(["load"])
    return model


@pytest.fixture(scope="module")
def crowd(runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndex]:
    """100,000 points of 1,000 ledgers."""

    async def fill() -> SearchIndex:
        index = await open_index(tmp_path_factory.mktemp("crowd"), OneVector())
        await index.wipe()
        for first in range(0, LEDGERS, 50):
            points = [
                IndexPoint(ledger * POINTS_OF_ONE + number + 1, ledger, name)
                for ledger in range(first, first + 50)
                for number, name in enumerate(names(POINTS_OF_ONE, ledger))
            ]
            await index.upsert(points)
        return index

    index = runner.run(fill())
    yield index
    runner.run(index.close())


def test_search_among_100_000_points(benchmark: BenchmarkFixture, runner: asyncio.Runner, crowd: SearchIndex):
    """The query is embedded already."""
    hits = benchmark.pedantic(
        lambda: runner.run(crowd.search(500, "coffee shop", 10)), rounds=500, warmup_rounds=20, iterations=1
    )
    assert hits


def test_dropping_a_ledger_of_100_000_points(benchmark: BenchmarkFixture, runner: asyncio.Runner, crowd: SearchIndex):
    """Rewrites the files, so it costs what the others' points cost."""
    benchmark.pedantic(lambda: runner.run(crowd.drop_ledger(999)), rounds=1)
    assert runner.run(crowd.count(999)) == 0


def test_search_after_rewriting(benchmark: BenchmarkFixture, runner: asyncio.Runner, crowd: SearchIndex):
    hits = benchmark.pedantic(
        lambda: runner.run(crowd.search(501, "coffee shop", 10)), rounds=500, warmup_rounds=20, iterations=1
    )
    assert hits


def test_indexing(benchmark: BenchmarkFixture, runner: asyncio.Runner, model: MiniLmEmbedder, tmp_path: Path):
    """Embed and store 1,000 distinct strings."""
    index = runner.run(open_index(tmp_path, model))
    runner.run(index.wipe())
    points = [IndexPoint(number, 1, name) for number, name in enumerate(names(1000, 1), 1)]
    benchmark.pedantic(lambda: runner.run(index.upsert(points)), rounds=3)
    benchmark.extra_info["strings_per_second"] = round(len(points) / benchmark.stats.stats.median)
    runner.run(index.close())


def test_embedding_a_question(benchmark: BenchmarkFixture, model: MiniLmEmbedder):
    benchmark(model.encode, [QUESTION])


def test_search_with_embedding(
    benchmark: BenchmarkFixture, runner: asyncio.Runner, model: MiniLmEmbedder, tmp_path: Path
):
    """A question never asked before, in a ledger of 1,000 strings."""
    index = runner.run(open_index(tmp_path, model))
    runner.run(index.wipe())
    runner.run(index.upsert([IndexPoint(number, 1, name) for number, name in enumerate(names(1000, 1), 1)]))
    asked = iter(range(1_000_000))
    benchmark(lambda: runner.run(index.search(1, f"coffee shop {next(asked)}", 10)))
    runner.run(index.close())


@pytest.mark.parametrize("count", [1000, 5000])
def test_search_without_an_index(benchmark: BenchmarkFixture, runner: asyncio.Runner, count: int):
    strings = list(enumerate(names(count, 1), 1))

    async def phrases(_: int) -> list[tuple[int, str]]:
        return strings

    index = LexicalIndex(phrases)
    assert benchmark(lambda: runner.run(index.search(1, "coffee shop", 10)))


def test_importing(benchmark: BenchmarkFixture):
    """A process that imports both packages and ends."""
    code = [sys.executable, "-c", "import ledger.index, ledger.embeddings"]
    root = Path(__file__).parents[2]
    benchmark.pedantic(lambda: subprocess.run(code, cwd=root, env=os.environ, check=True), rounds=5)
