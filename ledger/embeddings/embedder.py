"""What anything that embeds texts offers."""

from __future__ import annotations

from typing import Protocol


class Embedder(Protocol):
    """Turns texts into vectors of length 1; every failure is an ``EmbeddingUnavailable``."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    @property
    def fingerprint(self) -> str:
        """Names the model and everything else that shapes its vectors; vectors of two fingerprints never mix."""
        ...

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """Return one vector per text, in order; the cosine of two is their dot product."""
        ...


def well_formed(text: str) -> str:
    """Return the text with half surrogate pairs, which damaged files hold and encoders refuse, replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")
