"""Which messages of ours a language has nothing for."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from language import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FIELD = re.compile(r"\{\w+\}")


class _Recording(dict[str, str]):
    """A catalogue that notes what it is asked for and has not, words of no letters aside."""

    def __init__(self, told: Mapping[str, str]) -> None:
        super().__init__(told)
        self.untold: set[str] = set()

    def get(self, message: str, otherwise: str | None = None) -> str | None:  # type: ignore[override]
        if message not in self and any(map(str.isalpha, _FIELD.sub("", message))):
            self.untold.add(message)
        return super().get(message, otherwise)


@contextmanager
def untold_in(language: str) -> Iterator[set[str]]:
    """Note every message that is asked for in a language and is not in its catalogue."""
    recording = _Recording(catalogue.catalogue(language))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogue, "catalogue", lambda asked: recording if asked == language else {})
        yield recording.untold
