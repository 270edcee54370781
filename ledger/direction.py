"""Which way a file's money went, decided by weighing what the file shows (docs/definitions.md, D14)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


class Told(StrEnum):
    """What a person says of a file: how most of its rows are to be taken."""

    SPENT = "spent"
    RECEIVED = "received"
    AS_WRITTEN = "as-written"


class Reading(StrEnum):
    """One way to read a file's amounts; the first three may be remembered for the files that follow."""

    AS_WRITTEN = "as written"
    """A minus is money out; of two columns without a name the first is."""
    TURNED = "turned"
    """An amount without a minus is money out; of two columns without a name the second is."""
    COLUMNS = "columns"
    """A column for money out and one for money in, both named."""
    WORDS = "words"
    """A word beside the amount says it."""
    MARKS = "marks"
    """``CR`` and ``DR`` at the amount."""
    BALANCE = "balance"
    """The balance rises or falls by the amount."""


class Strength(IntEnum):
    """How much a piece of evidence says by itself."""

    WEAK = 1
    """What is usual; it decides only where nothing speaks against it."""
    STRONG = 2
    """What would be odd otherwise."""
    PROOF = 3
    """What can't be otherwise in a file that is sound."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that a file shows: for which reading it speaks, how strongly, and what it is, in words for a person."""

    reading: Reading
    strength: Strength
    why: str


@dataclass(frozen=True, slots=True)
class Decision:
    """How a file's amounts are read and why; ``learned`` says that the person's word decided, not the file."""

    reading: Reading
    why: str = ""
    learned: bool = False
    layout: str = ""
    account: str = ""


def weigh(evidence: Collection[Evidence]) -> Evidence | None:
    """Return the strongest evidence, or None where as strong evidence speaks for another reading, or there is none."""
    strongest = max((each.strength for each in evidence), default=None)
    best = [each for each in evidence if each.strength is strongest]
    return best[0] if len({each.reading for each in best}) == 1 else None


def layout_key(words: Iterable[str], width: int) -> str:
    """Return what files of one layout share: the words of their header, or only its width where there is none."""
    said = "\x1f".join((*words, str(width)))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]
