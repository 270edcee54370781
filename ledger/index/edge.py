"""The embedded index: Qdrant's engine inside this process, on a directory of its own.

Measured on qdrant-edge-py 0.9.0, and the reason for what is done here:

- Every call holds Python's interpreter lock, so the worker thread keeps order but not the event loop free: writes go in
  small pieces. A search takes 0.3 ms.
- The write-ahead log would keep vectors long after they are deleted. It is off; each writing call ends with a flush
  instead, which also survives a power cut.
- Deleting only marks. ``optimize`` rewrites the files without what was deleted; without HNSW graphs (needless below
  tens of thousands of strings in one ledger) it takes 20 µs a point.
- Damaged files may raise a Rust panic, which is a BaseException.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.metadata
import json
import secrets
import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Self, TypeVar

from ledger.errors import EmbeddingUnavailable, IndexUnavailable
from ledger.index import ranking, terms
from ledger.index.lock import FileLock

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    import qdrant_edge

    from ledger.embeddings import Embedder
    from ledger.index.contract import Hit, IndexPoint

_SCHEMA = 1
#: Points embedded and written at once: bounds the memory, and the event loop stands still for 2 ms only.
_WRITE_POINTS = 128

T = TypeVar("T")


class EdgeIndex:
    """An index in a directory, for one process at a time; made by ``open``."""

    def __init__(self, directory: Path, embedder: Embedder, lock: FileLock, name: str) -> None:
        """Own the directory and its lock."""
        self._name = name
        self._shard_path = directory / "shard"
        self._marker = directory / "schema.json"
        self._embedder = embedder
        self._lock = lock
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="index")
        self._shard: qdrant_edge.EdgeShard | None = None
        self._unswept = False
        self._closed = False

    @classmethod
    async def open(cls, directory: Path, embedder: Embedder) -> Self:
        """Lock the directory and load what is there; what can't be loaded is stale."""
        lock, name = await asyncio.to_thread(_claim, directory)
        index = cls(directory, embedder, lock, name)
        try:
            await index._in_thread(index._load)
        except BaseException:
            await index.close()
            raise
        return index

    @property
    def name(self) -> str:
        """A random name that lies beside the shard, so that one of another machine is not taken for it."""
        return self._name

    @property
    def stale(self) -> bool:
        """Whether there is nothing usable; see ``SearchIndex.stale``."""
        return self._shard is None

    async def wipe(self) -> None:
        """Delete the shard and create an empty one."""
        await self._in_thread(self._create)

    async def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Embed and store the points; they are on disk when this returns."""
        if not points:
            return
        for start in range(0, len(points), _WRITE_POINTS):
            piece = points[start : start + _WRITE_POINTS]
            vectors = await self._embedder.embed([point.text for point in piece])
            await self._with_shard(_upsert, piece, vectors)
        await self._with_shard(_flush)

    async def search(self, ledger: int, query: str, limit: int) -> list[Hit]:
        """Return the fused rankings by meaning, words and letters; without meaning if the query can't be embedded."""
        try:
            vector = (await self._embedder.embed([query]))[0]
        except EmbeddingUnavailable:
            vector = None
        return await self._with_shard(_search, ledger, query, vector, limit)

    async def remove(self, ids: Collection[int]) -> None:
        """Delete the points; their vectors leave the disk when the index is closed or a ledger dropped."""
        if not ids:
            return
        await self._with_shard(_remove, list(ids))
        self._unswept = True

    async def drop_ledger(self, ledger: int) -> None:
        """Delete the ledger's points and rewrite the files without them."""
        await self._with_shard(_drop, ledger)
        self._unswept = False

    async def count(self, ledger: int) -> int:
        """Return the exact number of the ledger's points."""
        return await self._with_shard(_count, ledger)

    async def drop_former(self) -> None:
        """Do nothing: there is only one shard in a directory."""

    async def close(self) -> None:
        """Sweep out what was removed, close the shard and give the lock back."""
        if self._closed:
            return
        self._closed = True
        try:
            with contextlib.suppress(IndexUnavailable):
                await asyncio.wrap_future(self._thread.submit(self._guarded, self._unload))
        finally:
            self._thread.shutdown()
            self._lock.release()

    async def _with_shard(self, work: Callable[..., T], *arguments: object) -> T:
        def run() -> T:
            if self._shard is None:
                raise IndexUnavailable("The search index has to be rebuilt.")
            return work(self._shard, *arguments)

        return await self._in_thread(run)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._closed:
            raise IndexUnavailable("The search index is closed.")
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._guarded, work)

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except IndexUnavailable:
            raise
        except BaseException as error:
            # Our requests are well formed, so an engine that fails has damaged files or a full disk: rebuild.
            self._shard = None
            self._marker.unlink(missing_ok=True)
            raise IndexUnavailable("The search index failed and has to be rebuilt.") from error

    def _load(self) -> None:
        import qdrant_edge

        if self._stored_schema() != self._schema():
            return
        with contextlib.suppress(IndexUnavailable):
            self._shard = self._guarded(lambda: qdrant_edge.EdgeShard.load(str(self._shard_path), self._config()))

    def _create(self) -> None:
        """Replace the shard; the marker goes first and comes last, so that a kill in between leaves it stale."""
        import qdrant_edge

        self._marker.unlink(missing_ok=True)
        if self._shard is not None:
            self._shard.close()
            self._shard = None
        if self._shard_path.exists():
            shutil.rmtree(self._shard_path)
        shard = qdrant_edge.EdgeShard.create(str(self._shard_path), self._config())
        shard.update(
            qdrant_edge.UpdateOperation.create_field_index("ledger", qdrant_edge.KeywordIndexParams(is_tenant=True))
        )
        shard.flush()
        written = self._marker.with_suffix(".new")
        written.write_text(json.dumps(self._schema()), encoding="utf-8")
        written.replace(self._marker)
        self._shard = shard
        self._unswept = False

    def _unload(self) -> None:
        if self._shard is None:
            return
        if self._unswept:
            self._shard.optimize()
        self._shard.close()
        self._shard = None

    def _stored_schema(self) -> object:
        try:
            return json.loads(self._marker.read_bytes())
        except (OSError, ValueError):
            return None

    def _schema(self) -> dict[str, str | int]:
        return {
            "schema": _SCHEMA,
            "engine": importlib.metadata.version("qdrant-edge-py"),
            "embedder": self._embedder.fingerprint,
            "dimension": self._embedder.dimension,
        }

    def _config(self) -> qdrant_edge.EdgeConfig:
        import qdrant_edge as q

        return q.EdgeConfig(
            vectors={
                "meaning": q.EdgeVectorParams(
                    self._embedder.dimension, q.Distance.Cosine, datatype=q.VectorStorageDatatype.Float16
                )
            },
            sparse_vectors={
                "words": q.EdgeSparseVectorParams(modifier=q.Modifier.Idf),
                "letters": q.EdgeSparseVectorParams(),
            },
            hnsw_config=q.HnswIndexConfig(m=0, ef_construct=16, full_scan_threshold=10_000),
            # Any deleted point is worth sweeping out when we ask for it.
            optimizers=q.EdgeOptimizersConfig(
                deleted_threshold=1e-9, vacuum_min_vector_number=1, default_segment_number=1
            ),
            max_search_threads=1,
            wal_enabled=False,
        )


def _claim(directory: Path) -> tuple[FileLock, str]:
    """Return the directory's lock, which is ours now, and the name of the index in it."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise IndexUnavailable("The search index's directory can't be made.") from error
    lock = FileLock(directory / "lock")
    try:
        return lock, _named(directory / "name")
    except OSError as error:
        lock.release()
        raise IndexUnavailable("The search index's directory can't be written.") from error


def _named(path: Path) -> str:
    """Return the name that lies in a file, or a new one that is laid there."""
    try:
        name = path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        name = ""
    if not name:
        name = f"edge-{secrets.token_hex(8)}"
        path.write_text(name, encoding="utf-8")
    return name


def _upsert(shard: qdrant_edge.EdgeShard, points: Sequence[IndexPoint], vectors: Sequence[list[float]]) -> None:
    import qdrant_edge as q

    rows = []
    for point, vector in zip(points, vectors, strict=True):
        words, letters = (_sparse(sparse) for sparse in terms.document_vectors(point.text))
        named: dict[str, q.NamedVector] = {"meaning": vector, "words": words, "letters": letters}
        rows.append(q.Point(point.id, named, {"ledger": str(point.ledger)}))
    shard.update(q.UpdateOperation.upsert_points(rows))


def _flush(shard: qdrant_edge.EdgeShard) -> None:
    shard.flush()


def _search(shard: qdrant_edge.EdgeShard, ledger: int, query: str, vector: list[float] | None, limit: int) -> list[Hit]:
    requests = _requests(ledger, query, vector, ranking.depth(limit))
    if not requests:
        return []
    import qdrant_edge as q

    answers = shard.query_batch(q.QueryBatchRequest(list(requests.values())))
    found = {
        name: [(int(point.id), point.score) for point in hits] for name, hits in zip(requests, answers, strict=True)
    }
    return ranking.fuse(found.get("meaning", ()), found["words"], found["letters"], limit)


def _requests(ledger: int, query: str, vector: list[float] | None, length: int) -> dict[str, qdrant_edge.QueryRequest]:
    import qdrant_edge as q

    words, letters = (_sparse(sparse) for sparse in terms.query_vectors(query))
    if not words.indices:
        return {}
    only = _of_ledger(ledger)
    requests = {
        "words": q.QueryRequest(
            length,
            query=q.Query.Nearest(words, using="words"),
            filter=only,
            params=q.SearchParams(idf=q.IdfParams(corpus=only)),
        ),
        "letters": q.QueryRequest(
            length,
            query=q.Query.Nearest(letters, using="letters"),
            filter=only,
            score_threshold=terms.LEXICAL_SHARE,
        ),
    }
    if vector is not None:
        requests["meaning"] = q.QueryRequest(length, query=q.Query.Nearest(vector, using="meaning"), filter=only)
    return requests


def _sparse(vector: terms.SparseVector) -> qdrant_edge.SparseVector:
    import qdrant_edge as q

    return q.SparseVector(list(vector.indices), list(vector.values))


def _remove(shard: qdrant_edge.EdgeShard, ids: list[int]) -> None:
    import qdrant_edge as q

    shard.update(q.UpdateOperation.delete_points(list(ids)))
    shard.flush()


def _drop(shard: qdrant_edge.EdgeShard, ledger: int) -> None:
    import qdrant_edge as q

    shard.update(q.UpdateOperation.delete_points_by_filter(_of_ledger(ledger)))
    shard.flush()
    shard.optimize()
    shard.flush()


def _count(shard: qdrant_edge.EdgeShard, ledger: int) -> int:
    import qdrant_edge as q

    return shard.count(q.CountRequest(exact=True, filter=_of_ledger(ledger)))


def _of_ledger(ledger: int) -> qdrant_edge.Filter:
    import qdrant_edge as q

    return q.Filter(must=[q.FieldCondition("ledger", match=q.MatchValue(str(ledger)))])
