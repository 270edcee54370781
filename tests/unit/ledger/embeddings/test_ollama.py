"""The embedder behind Ollama's API, against a transport that answers as told."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from ledger.embeddings import OllamaEmbedder
from ledger.errors import EmbeddingUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

TAGS = {
    "models": [{"name": "other:latest", "digest": "f" * 64}, {"name": "nomic:latest", "digest": "abcdef0123456789"}]
}


class Server:
    """Gives each text the vector (its length, 4); any answer can be replaced."""

    def __init__(self) -> None:
        self.embed: Callable[[list[str]], httpx.Response] = self.vectors
        self.tags = httpx.Response(200, json=TAGS)
        self.asked: list[list[str]] = []

    def vectors(self, texts: list[str]) -> httpx.Response:
        return httpx.Response(200, json={"embeddings": [[len(text), 4] for text in texts]})

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/tags":
            return self.tags
        assert (request.method, request.url.path) == ("POST", "/api/embed")
        body = json.loads(request.content)
        assert body["model"] == "nomic"
        self.asked.append(body["input"])
        return self.embed(body["input"])


async def connected(server: Server) -> OllamaEmbedder:
    return await OllamaEmbedder.connect("http://127.0.0.1:11434", "nomic", transport=httpx.MockTransport(server))


async def test_vectors_come_in_order_and_normalised():
    embedder = await connected(Server())
    assert await embedder.embed(["abc", "", "abcdefgh"]) == [
        pytest.approx([0.6, 0.8]),
        pytest.approx([0, 1]),
        pytest.approx([2 / math.sqrt(5), 1 / math.sqrt(5)]),
    ]
    assert await embedder.embed([]) == []
    await embedder.close()


async def test_dimension_and_fingerprint_are_known_after_connecting():
    embedder = await connected(Server())
    assert embedder.dimension == 2
    assert embedder.fingerprint == "ollama:nomic:abcdef012345:2"
    await embedder.close()


async def test_a_server_that_lists_no_such_model_has_no_digest():
    server = Server()
    server.tags = httpx.Response(200, json={"models": [7, {"name": "other:latest"}]})
    embedder = await connected(server)
    assert embedder.fingerprint == "ollama:nomic::2"
    await embedder.close()


async def test_many_texts_go_in_several_requests():
    server = Server()
    embedder = await connected(server)
    server.asked.clear()
    assert len(await embedder.embed(["x"] * 150)) == 150
    assert [len(texts) for texts in server.asked] == [64, 64, 22]
    await embedder.close()


async def test_half_a_surrogate_pair_is_replaced():
    server = Server()
    embedder = await connected(server)
    await embedder.embed(["\ud800 shop"])
    assert server.asked[-1] == ["? shop"]
    await embedder.close()


def answer(embeddings: Any) -> httpx.Response:
    return httpx.Response(200, content=json.dumps({"embeddings": embeddings}))


BAD_ANSWERS = [
    httpx.Response(404, json={"error": "model not found"}),
    httpx.Response(500, text="oops"),
    httpx.Response(307, headers={"location": "http://elsewhere.invalid/"}),
    httpx.Response(200, text="<html>"),
    httpx.Response(200, content=b"\xff\xfe"),
    httpx.Response(200, text="[]"),
    httpx.Response(200, text="{}"),
    answer(None),
    answer([]),
    answer([[1, 2], [3, 4]]),
    answer([[1, "2"]]),
    answer([[1, True]]),
    answer([1, 2]),
    answer([[0, 0]]),
    answer([[]]),
    answer([[1, float("nan")]]),
    answer([[1, float("inf")]]),
    answer([[1, 10**400]]),
]


@pytest.mark.parametrize("bad", BAD_ANSWERS, ids=range(len(BAD_ANSWERS)))
async def test_a_bad_answer_is_unavailable(bad: httpx.Response):
    server = Server()
    embedder = await connected(server)
    server.embed = lambda _: bad
    with pytest.raises(EmbeddingUnavailable):
        await embedder.embed(["abc"])
    await embedder.close()


@pytest.mark.parametrize("error", [httpx.ConnectError("refused"), httpx.ReadTimeout("slow"), httpx.ReadError("cut")])
async def test_a_server_that_fails_is_unavailable(error: httpx.HTTPError):
    def fail(_: list[str]) -> httpx.Response:
        raise error

    server = Server()
    embedder = await connected(server)
    server.embed = fail
    with pytest.raises(EmbeddingUnavailable) as caught:
        await embedder.embed(["abc"])
    assert "abc" not in caught.value.message
    await embedder.close()
    with pytest.raises(EmbeddingUnavailable):
        await connected(server)


async def test_a_model_that_changes_under_way_is_unavailable():
    server = Server()
    embedder = await connected(server)
    server.embed = lambda _: answer([[1, 2, 3]])
    with pytest.raises(EmbeddingUnavailable, match="changed"):
        await embedder.embed(["abc"])
    await embedder.close()


async def test_a_closed_embedder_is_unavailable():
    embedder = await connected(Server())
    await embedder.close()
    with pytest.raises(EmbeddingUnavailable):
        await embedder.embed(["abc"])


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "nonsense", "http://[", "http://127.0.0.1:x"])
async def test_a_url_without_a_server_is_unavailable(url: str):
    with pytest.raises(EmbeddingUnavailable):
        await OllamaEmbedder.connect(url, "nomic", timeout_seconds=1)
