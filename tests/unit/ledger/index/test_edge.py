"""The embedded index on disk: what it keeps, what it refuses to mix, what it forgets, who may open it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ledger.errors import IndexUnavailable
from ledger.index import IndexPoint, open_index

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[4]
LEDGER = 3
NAMES = ["blue bottle coffee", "whole foods market", "netflix", "uber trip"]
POINTS = [IndexPoint(number, LEDGER, name) for number, name in enumerate(NAMES, 1)]


class HashEmbedder:
    """Directions drawn by a text's hash: no meaning, but stable and fast."""

    dimension = 64

    def __init__(self, fingerprint: str = "hash:1") -> None:
        self.fingerprint = fingerprint

    async def embed(self, texts: list[str]) -> list[list[float]]:
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> list[float]:
        drawn = np.random.default_rng(int.from_bytes(sha256(text.encode()).digest()[:8])).standard_normal(64)
        return [float(number) for number in drawn / np.linalg.norm(drawn)]


async def filled(directory: Path, points: list[IndexPoint] = POINTS) -> None:
    index = await open_index(directory, HashEmbedder())
    await index.wipe()
    await index.upsert(points)
    await index.close()


def holders(directory: Path, wanted: bytes) -> list[str]:
    """The files of the directory that hold the bytes."""
    return [path.name for path in directory.rglob("*") if path.is_file() and wanted in path.read_bytes()]


def stored(text: str) -> bytes:
    """What the shard keeps of a text's direction: half floats; a stretch of them is enough to know it again."""
    return np.array(HashEmbedder().vector(text)[8:16], dtype=np.float16).tobytes()


def segments(directory: Path) -> set[str]:
    return {path.name for path in (directory / "shard" / "segments").iterdir()}


def contents(directory: Path) -> dict[str, bytes]:
    """Every file's bytes, without the zeros that the engine reserves."""
    return {str(path): path.read_bytes().rstrip(b"\x00") for path in directory.rglob("*") if path.is_file()}


async def test_points_are_there_after_reopening(tmp_path: Path):
    await filled(tmp_path)
    index = await open_index(tmp_path, HashEmbedder())
    assert not index.stale
    assert await index.count(LEDGER) == len(POINTS)
    assert (await index.search(LEDGER, "netflix", 1))[0].id == 3
    await index.close()


async def test_vectors_of_two_embedders_never_mix(tmp_path: Path):
    await filled(tmp_path)
    index = await open_index(tmp_path, HashEmbedder("hash:2"))
    assert index.stale
    with pytest.raises(IndexUnavailable):
        await index.upsert(POINTS)
    await index.wipe()
    assert await index.count(LEDGER) == 0
    await index.close()
    index = await open_index(tmp_path, HashEmbedder("hash:2"))
    assert not index.stale
    await index.close()


@pytest.mark.parametrize("change", [{"schema": 0}, {"engine": "0.8.0"}, {"dimension": 32}])
async def test_another_schema_or_engine_is_stale(tmp_path: Path, change: dict[str, object]):
    await filled(tmp_path)
    marker = tmp_path / "schema.json"
    marker.write_text(json.dumps(json.loads(marker.read_text()) | change))
    index = await open_index(tmp_path, HashEmbedder())
    assert index.stale
    await index.close()


def empty_the_segments(shard: Path) -> None:
    for path in shard.rglob("*.json"):
        path.write_bytes(b"")


def break_the_flags(shard: Path) -> None:
    """Makes the engine panic rather than fail."""
    for path in shard.rglob("status.dat"):
        path.write_bytes(b"")


def remove_the_shard(shard: Path) -> None:
    for path in sorted(shard.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    shard.rmdir()


@pytest.mark.parametrize(
    "damage", [empty_the_segments, break_the_flags, remove_the_shard], ids=lambda damage: damage.__name__
)
async def test_a_damaged_shard_is_stale_and_can_be_rebuilt(tmp_path: Path, damage: Callable[[Path], None]):
    await filled(tmp_path)
    damage(tmp_path / "shard")
    index = await open_index(tmp_path, HashEmbedder())
    assert index.stale
    await index.wipe()
    await index.upsert(POINTS)
    assert (await index.search(LEDGER, "netflix", 1))[0].id == 3
    await index.close()


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff\xfe", b'{"schema": '])
async def test_an_unreadable_marker_is_stale(tmp_path: Path, content: bytes):
    await filled(tmp_path)
    (tmp_path / "schema.json").write_bytes(content)
    index = await open_index(tmp_path, HashEmbedder())
    assert index.stale
    await index.close()


async def test_a_wipe_that_fails_leaves_the_index_stale(tmp_path: Path):
    await filled(tmp_path)
    index = await open_index(tmp_path, HashEmbedder("hash:2"))
    remove_the_shard(tmp_path / "shard")
    (tmp_path / "shard").write_text("not a directory")
    with pytest.raises(IndexUnavailable):
        await index.wipe()
    assert index.stale
    await index.close()
    assert not (tmp_path / "schema.json").exists()


async def test_an_engine_that_fails_has_to_be_rebuilt(tmp_path: Path):
    """A point that the engine refuses stands for every failure inside it."""
    await filled(tmp_path)
    index = await open_index(tmp_path, HashEmbedder())
    with pytest.raises(IndexUnavailable):
        await index.upsert([IndexPoint(-1, LEDGER, "netflix")])
    assert index.stale
    await index.close()
    index = await open_index(tmp_path, HashEmbedder())
    assert index.stale
    await index.close()


async def test_a_second_opening_is_refused_at_once_and_does_no_harm(tmp_path: Path):
    await filled(tmp_path)
    first = await open_index(tmp_path, HashEmbedder())
    with pytest.raises(IndexUnavailable, match="another process"):
        await open_index(tmp_path, HashEmbedder())
    assert (await first.search(LEDGER, "netflix", 1))[0].id == 3
    await first.close()
    await (await open_index(tmp_path, HashEmbedder())).close()


async def test_a_directory_that_cannot_be_made_is_unavailable(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(IndexUnavailable):
        await open_index(tmp_path / "file" / "index", HashEmbedder())


async def test_the_directory_is_closed_to_others(tmp_path: Path):
    await filled(tmp_path / "data" / "index")
    assert (tmp_path / "data" / "index").stat().st_mode & 0o077 == 0


CHILD = """
import asyncio, sys
from pathlib import Path
sys.path[:0] = [{root!r}, {here!r}]
from test_edge import HashEmbedder, LEDGER
from ledger.index import IndexPoint, open_index

async def main():
    index = await open_index(Path({directory!r}), HashEmbedder())
    if index.stale:
        await index.wipe()
    number = int(sys.argv[1])
    while True:
        await index.upsert([IndexPoint(number + n, LEDGER, f"shop {{number + n}}") for n in range(20)])
        number += 20
        print(number, flush=True)

asyncio.run(main())
"""


def writing_process(directory: Path, start: int) -> subprocess.Popen[str]:
    code = CHILD.format(root=str(ROOT), here=str(Path(__file__).parent), directory=str(directory))
    return subprocess.Popen([sys.executable, "-c", code, str(start)], stdout=subprocess.PIPE, text=True)


async def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path: Path):
    """Another process writes, is killed at some point in its work, and leaves both its points and the lock behind."""
    acknowledged = 1
    for writes in (1, 7, 20):
        child = writing_process(tmp_path, acknowledged)
        assert child.stdout is not None
        for _ in range(writes):
            acknowledged = int(child.stdout.readline())
        with pytest.raises(IndexUnavailable, match="another process"):
            await open_index(tmp_path, HashEmbedder())
        child.kill()
        rest, _ = child.communicate()
        acknowledged = max([acknowledged, *map(int, rest.split())])

        index = await open_index(tmp_path, HashEmbedder())
        assert not index.stale
        assert await index.count(LEDGER) >= acknowledged - 1
        for number in (1, acknowledged // 2, acknowledged - 1):
            assert number in {hit.id for hit in await index.search(LEDGER, f"shop {number}", 3)}
        await index.close()


async def test_files_hold_no_text(tmp_path: Path):
    await filled(tmp_path)
    words = [word for name in NAMES for word in name.split()]
    wanted = [word.encode(encoding) for word in words for encoding in ("utf-8", "utf-16-le")]
    for name, content in contents(tmp_path).items():
        assert [(name, word) for word in wanted if word in content] == []


@pytest.mark.parametrize("others", [0, 40])
async def test_a_dropped_ledger_leaves_the_disk(tmp_path: Path, others: int):
    """Its directions are not to be found, and no file that held its words or letters remains."""
    await filled(tmp_path, POINTS + [IndexPoint(100 + n, LEDGER + 1, f"shop {n}") for n in range(others)])
    assert holders(tmp_path, stored("netflix"))
    before = segments(tmp_path)
    index = await open_index(tmp_path, HashEmbedder())
    await index.drop_ledger(LEDGER)
    assert holders(tmp_path, stored("netflix")) == []
    assert not before & segments(tmp_path)

    assert await index.count(LEDGER + 1) == others
    await index.upsert(POINTS)
    assert await index.count(LEDGER) == len(POINTS)
    assert (await index.search(LEDGER, "netflix", 1))[0].id == 3
    await index.close()


async def test_removed_and_replaced_points_leave_the_disk_when_the_index_is_closed(tmp_path: Path):
    await filled(tmp_path)
    index = await open_index(tmp_path, HashEmbedder())
    await index.remove([3])
    await index.upsert([IndexPoint(4, LEDGER, "lyft ride")])
    await index.close()
    assert holders(tmp_path, stored("netflix")) == []
    assert holders(tmp_path, stored("uber trip")) == []
    assert holders(tmp_path, stored("lyft ride"))
    index = await open_index(tmp_path, HashEmbedder())
    assert await index.count(LEDGER) == len(POINTS) - 1
    await index.close()


def test_importing_loads_no_engine():
    code = "import sys, ledger.index, ledger.embeddings; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True
    ).stdout.split()
    assert "ledger.index.contract" in loaded
    assert not {"numpy", "onnxruntime", "tokenizers", "qdrant_edge", "qdrant_client", "httpx"} & set(loaded)
