"""The index on a server, as far as no server is needed."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from qdrant_client import AsyncQdrantClient

from ledger.errors import IndexUnavailable
from ledger.index import IndexPoint, open_index
from ledger.index.server import ServerIndex

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant")


class FlatEmbedder:
    """Every text has the same direction."""

    dimension = 3

    def __init__(self, fingerprint: str = "flat:1") -> None:
        self.fingerprint = fingerprint

    async def embed(self, texts: list[str]) -> list[list[float]]:
        return [[1.0, 0.0, 0.0] for _ in texts]


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[str]:
    """A server that gives every request the same answer."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def http(status: str, body: bytes) -> bytes:
    return b"HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (status.encode(), len(body), body)


@pytest.mark.parametrize(
    "answer",
    [
        http("500 Internal Server Error", b"{}"),
        http("404 Not Found", b"nothing here"),
        http("200 OK", b"<html>"),
        http("200 OK", b'{"result": 7}'),
        http("200 OK", b'{"result": {"exists": "perhaps"}}'),
        b"",
        b"\x00\x01",
    ],
)
async def test_a_server_that_answers_nonsense_is_unavailable(tmp_path: Path, answer: bytes):
    async with answering(answer) as url:
        with pytest.raises(IndexUnavailable):
            await open_index(tmp_path, FlatEmbedder(), url)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9", "nonsense", "http://", "ftp://127.0.0.1:9", "http://127.0.0.1:x"]
)
async def test_a_server_that_is_not_there_is_unavailable(tmp_path: Path, url: str):
    with pytest.raises(IndexUnavailable):
        await open_index(tmp_path, FlatEmbedder(), url)


async def test_another_embedder_has_a_collection_of_its_own_and_sweeps_in_the_end():
    client = AsyncQdrantClient(":memory:")
    await client.create_collection("money_minder", vectors_config={})  # as earlier versions called it
    await client.create_collection("somebody_elses", vectors_config={})
    running, next_one = ServerIndex(client, FlatEmbedder()), ServerIndex(client, FlatEmbedder("flat:2"))
    await running.wipe()
    await running.upsert([IndexPoint(1, 1, "netflix")])
    for index, stale in ((ServerIndex(client, FlatEmbedder()), False), (next_one, True)):
        await index.look()
        assert index.stale is stale
    with pytest.raises(IndexUnavailable):
        await next_one.search(1, "netflix", 1)
    await next_one.wipe()
    assert await next_one.count(1) == 0
    assert [hit.id for hit in await running.search(1, "netflix", 1)] == [1], "the running one is searched meanwhile"
    await next_one.upsert([IndexPoint(1, 1, "netflix")])
    await next_one.drop_former()
    left = {each.name for each in (await client.get_collections()).collections}
    assert left == {next_one.name, "somebody_elses"}
    assert [hit.id for hit in await next_one.search(1, "netflix", 1)] == [1]
    await client.close()


async def test_a_ledger_is_a_tenant():
    """Its points lie together, and are searched by a graph of their own."""
    made = {}

    class Watching(AsyncQdrantClient):
        async def create_collection(self, name, **how):
            made[name] = how
            return await super().create_collection(name, **how)

        async def create_payload_index(self, name, field, schema, **how):
            made[field] = schema
            return await super().create_payload_index(name, field, schema, **how)

    client = Watching(":memory:")
    index = ServerIndex(client, FlatEmbedder())
    await index.wipe()
    assert made["ledger"].is_tenant is True
    assert (made[index.name]["hnsw_config"].m, made[index.name]["hnsw_config"].payload_m) == (0, 16)
    await client.close()


async def test_a_collection_that_was_never_finished_is_stale():
    client = AsyncQdrantClient(":memory:")
    index = ServerIndex(client, FlatEmbedder())
    await index.wipe()
    await client.delete_collection(index.name)
    await client.create_collection(index.name, vectors_config={})
    await index.look()
    assert index.stale
    await client.close()
