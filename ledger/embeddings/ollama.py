"""Embeddings from an Ollama server, for a person who set a model of their own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Self

from ledger.embeddings.embedder import well_formed
from ledger.errors import EmbeddingUnavailable

if TYPE_CHECKING:
    import httpx

_REQUEST_TEXTS = 64
#: A sentence of ours; its vector tells the model's dimension.
_PROBE = "coffee shop"


class OllamaEmbedder:
    """Sentence vectors from ``POST {url}/api/embed``; made by ``connect``."""

    def __init__(self, client: httpx.AsyncClient, model: str, dimension: int, fingerprint: str) -> None:
        """Keep a client whose base URL is the server's."""
        self._client = client
        self._model = model
        self._dimension = dimension
        self._fingerprint = fingerprint

    @classmethod
    async def connect(
        cls, url: str, model: str, *, timeout_seconds: float = 10.0, transport: httpx.AsyncBaseTransport | None = None
    ) -> Self:
        """Ask the server for the model's dimension and digest; ``EmbeddingUnavailable`` if it has no such model."""
        import httpx

        # The environment may name a proxy; the texts are private, so they go to this server and nowhere else.
        try:
            client = httpx.AsyncClient(base_url=url, timeout=timeout_seconds, transport=transport, trust_env=False)
        except httpx.InvalidURL as error:
            raise EmbeddingUnavailable("Ollama's URL can't be read.") from error
        try:
            probe = await _embed(client, model, [_PROBE])
            digest = await _digest(client, model)
        except EmbeddingUnavailable:
            await client.aclose()
            raise
        return cls(client, model, len(probe[0]), f"ollama:{model}:{digest}:{len(probe[0])}")

    @property
    def dimension(self) -> int:
        """How many numbers the model's vectors have."""
        return self._dimension

    @property
    def fingerprint(self) -> str:
        """The model's name, digest and dimension, so that pulling a newer model makes old vectors stale."""
        return self._fingerprint

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """Return one normalised vector per text, in order."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), _REQUEST_TEXTS):
            vectors += await _embed(self._client, self._model, texts[start : start + _REQUEST_TEXTS])
        if any(len(vector) != self._dimension for vector in vectors):
            raise EmbeddingUnavailable("The embedding model changed while it was in use.")
        return vectors

    async def close(self) -> None:
        """Close the connections to the server."""
        await self._client.aclose()


async def _embed(client: httpx.AsyncClient, model: str, texts: list[str]) -> list[list[float]]:
    body = {"model": model, "input": [well_formed(text) for text in texts], "truncate": True}
    answer = await _ask(client, "POST", "/api/embed", body)
    vectors = answer.get("embeddings")
    if not isinstance(vectors, list) or len(vectors) != len(texts):
        raise EmbeddingUnavailable("Ollama did not answer with one vector per text.")
    return [_normalised(vector) for vector in vectors]


async def _digest(client: httpx.AsyncClient, model: str) -> str:
    answer = await _ask(client, "GET", "/api/tags")
    models = answer.get("models")
    wanted = model if ":" in model else f"{model}:latest"
    for known in models if isinstance(models, list) else []:
        if isinstance(known, dict) and known.get("name") == wanted:
            return str(known.get("digest", ""))[:12]
    return ""


async def _ask(client: httpx.AsyncClient, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    import httpx

    try:
        response = await client.request(method, path, json=body)
        response.raise_for_status()
        answer = response.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, RuntimeError) as error:  # RuntimeError: it was closed
        raise EmbeddingUnavailable("Ollama can't embed texts now.") from error
    if not isinstance(answer, dict):
        raise EmbeddingUnavailable("Ollama answered with something other than an object.")
    return answer


def _normalised(vector: object) -> list[float]:
    if not isinstance(vector, list) or not all(type(number) in (int, float) for number in vector):
        raise EmbeddingUnavailable("Ollama answered with something other than vectors.")
    try:
        length = math.hypot(*vector)
    except OverflowError:  # an integer of hundreds of digits is valid JSON
        length = math.inf
    if not math.isfinite(length) or length == 0:
        raise EmbeddingUnavailable("Ollama answered with a vector without direction.")
    return [number / length for number in vector]
