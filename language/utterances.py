"""The bank of labelled utterances: what people write when they ask for a thing, and the lines of it nearest to a question.

Read from the text files in ``bank/``, which train the reader; where these are missing there is nothing near.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from language.features import tokens_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from numpy.typing import NDArray

BANK = Path(__file__).parent / "bank"
PLACEHOLDER = re.compile(r"\{(\w+)([-=]?)\}")
#: What a follow-up asks for by itself, where its relation says it.
_ACT_OF = {"edit": {"act": "edit"}, "chat": {"act": "smalltalk"}, "same": {"act": "same"}}


@dataclass(frozen=True, slots=True)
class Line:
    """One utterance with its labels; ``lang`` is ``en`` or ``de``."""

    text: str
    lang: str
    labels: dict[str, str]

    def written(self, names: Mapping[str, Mapping[str, list[str]]]) -> str:
        """Return the line with the first name of each kind in place of its placeholders, the second where it has another."""

        def fill(match: re.Match[str]) -> str:
            known = names.get(self.lang, {}).get(match[1], [match[1]])
            return known[min(bool(match[2]), len(known) - 1)]

        return PLACEHOLDER.sub(fill, self.text)


def read_bank(folder: Path = BANK) -> list[Line]:
    """Return every utterance of the bank, file by file.

    Raises:
        ValueError: a line stands under no section.
    """
    found = []
    for path in sorted(folder.glob("*.txt")):
        lang, labels = "en", {}
        for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            line = raw.strip()
            if line.startswith("@"):
                lang = line[1:]
            elif line.startswith("#"):
                labels = dict(each.split("=", 1) for each in line[1:].split() if "=" in each)
                labels = _ACT_OF.get(labels.get("rel", ""), {}) | labels
            elif line:
                if "act" not in labels:
                    raise ValueError(f"{path.name}, line {number}: no act")
                found.append(Line(line, lang, labels))
    return found


def fillers() -> dict[str, dict[str, list[str]]]:
    """Return what stands for each placeholder in each language (``fillers.tsv``)."""
    found: dict[str, dict[str, list[str]]] = {}
    for line in (BANK / "fillers.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            lang, kind, names = line.split("\t")
            found.setdefault(lang, {})[kind] = names.split("; ")
    return found


class Nearest:
    """The lines of the bank by the words, and pairs of words, that they share with a question; rare ones count most."""

    def __init__(self, lines: list[Line]) -> None:
        """Index the lines."""
        self._lines = lines
        grams = [sorted(set(_grams(line.text))) for line in lines]
        self._starts = np.cumsum([0, *map(len, grams)])[:-1]
        flat = np.array([each for line in grams for each in line], dtype=np.uint32)
        self._known, places, counts = np.unique(flat, return_inverse=True, return_counts=True)
        self._places: NDArray[np.int32] = places.astype(np.int32)
        self._squares = (np.log(len(lines) / counts) ** 2 if lines else np.zeros(0)).astype(np.float32)
        self._lengths = np.sqrt(self._summed(self._squares))

    def lines(self, pattern: str, acts: Collection[str], most: int, most_of_act: int = 2) -> list[Line]:
        """Return the nearest lines of some acts to a sentence with placeholders, the nearest first."""
        shared = np.isin(self._known, np.array(list(_grams(pattern)), dtype=np.uint32))
        scores = self._summed(np.where(shared, self._squares, 0)) / np.maximum(self._lengths, 1)
        found: list[Line] = []
        for place in np.argsort(-scores, kind="stable"):
            line = self._lines[place]
            if len(found) == most or scores[place] <= 0:
                break
            act = line.labels["act"]
            if act in acts and sum(each.labels["act"] == act for each in found) < most_of_act:
                found.append(line)
        return found

    def _summed(self, weights: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the sum of each line's weights."""
        return np.add.reduceat(weights[self._places], self._starts) if self._lines else weights


def _grams(pattern: str) -> Iterator[int]:
    tokens = tokens_of(PLACEHOLDER.sub(lambda match: f"{{{match[1]}}}", pattern))
    ended = ("<", *tokens, ">")
    yield from (crc32(token.encode()) for token in tokens)
    yield from (crc32(f"{one} {other}".encode()) for one, other in pairwise(ended))


@cache
def nearest() -> Nearest:
    """Return the bank, read once; of lines that lean on others none is an example by itself."""
    return Nearest([line for line in read_bank() if "rel" not in line.labels])
