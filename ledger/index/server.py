"""The index on a Qdrant server, for a bot of several processes or one that has such a server anyway.

Each embedder has a collection of its own, so that one is filled beside the one that is searched. Within it every ledger is a
tenant: its points lie together, and a graph is built for each. Collection names and point ids are this installation's own: two
installations must not share a server. What a deleted point leaves in the server's files is up to the server's vacuum.
"""

from __future__ import annotations

import hashlib
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Self

from ledger.errors import EmbeddingUnavailable, IndexUnavailable
from ledger.index import ranking, terms

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Sequence

    from qdrant_client import AsyncQdrantClient, models

    from ledger.embeddings import Embedder
    from ledger.index.contract import Hit, IndexPoint

_SCHEMA = 1
_PREFIX = "money_minder"
_WRITE_POINTS = 256
_TIMEOUT_SECONDS = 5


class ServerIndex:
    """An index in one collection of a server; made by ``connect``."""

    def __init__(self, client: AsyncQdrantClient, embedder: Embedder) -> None:
        """Own the client; nothing is known of the server yet."""
        self.name = _collection(embedder)
        self._client = client
        self._embedder = embedder
        self._stale = True
        self._closed = False

    @classmethod
    async def connect(cls, location: str, embedder: Embedder) -> Self:
        """Ask the server at the URL what it holds; ``:memory:`` is the client's own in-process mode."""
        from qdrant_client import AsyncQdrantClient

        try:
            client = AsyncQdrantClient(location, timeout=_TIMEOUT_SECONDS, check_compatibility=False)
        except ValueError as error:
            raise IndexUnavailable("The Qdrant URL can't be read.") from error
        index = cls(client, embedder)
        try:
            await index.look()
        except BaseException:
            await index.close()
            raise
        return index

    async def look(self) -> None:
        """Find out from the server whether the index is stale."""
        async with self._errors():
            if await self._client.collection_exists(self.name):
                found = await self._client.get_collection(self.name)
                self._stale = found.config.metadata != self._schema()

    @property
    def stale(self) -> bool:
        """Whether the collection is missing or made otherwise; see ``SearchIndex.stale``."""
        return self._stale

    async def wipe(self) -> None:
        """Delete the collection and create it empty; its metadata comes last, so that a half made one stays stale."""
        from qdrant_client import models as m

        async with self._errors():
            await self._client.delete_collection(self.name)
            await self._client.create_collection(
                self.name,
                vectors_config={
                    "meaning": m.VectorParams(
                        size=self._embedder.dimension, distance=m.Distance.COSINE, datatype=m.Datatype.FLOAT16
                    )
                },
                sparse_vectors_config={
                    "words": m.SparseVectorParams(modifier=m.Modifier.IDF),
                    "letters": m.SparseVectorParams(),
                },
                hnsw_config=m.HnswConfigDiff(m=0, payload_m=16),
            )
            await self._client.create_payload_index(
                self.name, "ledger", m.KeywordIndexParams(type=m.KeywordIndexType.KEYWORD, is_tenant=True), wait=True
            )
            await self._client.update_collection(self.name, metadata=self._schema())
        self._stale = False

    async def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Embed and store the points; the server has them in its log when this returns."""
        self._check()
        for start in range(0, len(points), _WRITE_POINTS):
            piece = points[start : start + _WRITE_POINTS]
            vectors = await self._embedder.embed([point.text for point in piece])
            rows = [_point(point, vector) for point, vector in zip(piece, vectors, strict=True)]
            async with self._errors():
                await self._client.upsert(self.name, rows, wait=True)

    async def search(self, ledger: int, query: str, limit: int) -> list[Hit]:
        """Return the fused rankings by meaning, words and letters; without meaning if the query can't be embedded."""
        self._check()
        try:
            vector = (await self._embedder.embed([query]))[0]
        except EmbeddingUnavailable:
            vector = None
        requests = _requests(ledger, query, vector, ranking.depth(limit))
        if not requests:
            return []
        async with self._errors():
            answers = await self._client.query_batch_points(self.name, list(requests.values()))
        found = {
            name: [(int(point.id), point.score) for point in answer.points]
            for name, answer in zip(requests, answers, strict=True)
        }
        return ranking.fuse(found.get("meaning", ()), found["words"], found["letters"], limit)

    async def remove(self, ids: Collection[int]) -> None:
        """Delete the points."""
        self._check()
        if ids:
            async with self._errors():
                await self._client.delete(self.name, list(ids), wait=True)

    async def drop_ledger(self, ledger: int) -> None:
        """Delete the ledger's points."""
        from qdrant_client import models as m

        self._check()
        async with self._errors():
            await self._client.delete(self.name, m.FilterSelector(filter=_of_ledger(ledger)), wait=True)

    async def count(self, ledger: int) -> int:
        """Return the exact number of the ledger's points."""
        self._check()
        async with self._errors():
            return (await self._client.count(self.name, _of_ledger(ledger), exact=True)).count

    async def drop_former(self) -> None:
        """Delete the collections of other embedders."""
        async with self._errors():
            found = await self._client.get_collections()
            for former in {each.name for each in found.collections} - {self.name}:
                if former == _PREFIX or former.startswith(f"{_PREFIX}_"):
                    await self._client.delete_collection(former)

    async def close(self) -> None:
        """Close the connections."""
        if not self._closed:
            self._closed = True
            await self._client.close()

    def _check(self) -> None:
        if self._closed:
            raise IndexUnavailable("The search index is closed.")
        if self._stale:
            raise IndexUnavailable("The search index has to be rebuilt.")

    def _schema(self) -> dict[str, str | int]:
        return {
            "schema": _SCHEMA,
            "embedder": self._embedder.fingerprint,
            "dimension": self._embedder.dimension,
        }

    @asynccontextmanager
    async def _errors(self) -> AsyncIterator[None]:
        """Translate what the client raises: its own tree, and ValueError or RuntimeError in its in-process mode."""
        from qdrant_client.http.exceptions import ApiException

        if self._closed:
            raise IndexUnavailable("The search index is closed.")
        try:
            yield
        except (ApiException, ValueError, RuntimeError, OSError) as error:
            raise IndexUnavailable("The Qdrant server does not answer as it should.") from error


def _collection(embedder: Embedder) -> str:
    """Return the name of an embedder's collection."""
    made = f"{_SCHEMA}\n{embedder.dimension}\n{embedder.fingerprint}"
    return f"{_PREFIX}_{hashlib.sha256(made.encode()).hexdigest()[:12]}"


def _requests(ledger: int, query: str, vector: list[float] | None, length: int) -> dict[str, models.QueryRequest]:
    from qdrant_client import models as m

    words, letters = (_sparse(sparse) for sparse in terms.query_vectors(query))
    if not words.indices:
        return {}
    only = _of_ledger(ledger)
    requests = {
        "words": m.QueryRequest(
            query=words,
            using="words",
            filter=only,
            limit=length,
            params=m.SearchParams(idf=m.IdfCorpusParams(corpus=only)),
        ),
        "letters": m.QueryRequest(
            query=letters, using="letters", filter=only, limit=length, score_threshold=terms.LEXICAL_SHARE
        ),
    }
    if vector is not None:
        requests["meaning"] = m.QueryRequest(query=vector, using="meaning", filter=only, limit=length)
    return requests


def _point(point: IndexPoint, vector: list[float]) -> models.PointStruct:
    from qdrant_client import models as m

    words, letters = (_sparse(sparse) for sparse in terms.document_vectors(point.text))
    return m.PointStruct(
        id=point.id,
        vector={"meaning": vector, "words": words, "letters": letters},
        payload={"ledger": str(point.ledger)},
    )


def _sparse(vector: terms.SparseVector) -> models.SparseVector:
    from qdrant_client import models as m

    return m.SparseVector(indices=list(vector.indices), values=list(vector.values))


def _of_ledger(ledger: int) -> models.Filter:
    from qdrant_client import models as m

    return m.Filter(must=[m.FieldCondition(key="ledger", match=m.MatchValue(value=str(ledger)))])
