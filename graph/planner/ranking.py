"""Ranking tools by their example questions, in words and in meaning."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from graph.planner.filling import searched_words
from graph.planner.reading import Reading, pattern_of, slots_of
from language.lexicon import sentences
from language.words import words
from tools.selection.stand_ins import STAND_INS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from tools.context import ToolContext
    from tools.registry import Tool

#: Questions that are none of ours; the ranking must see them lose.
NOT_OURS = sentences("not_ours")

#: How much a mention that a tool has no place for counts against it.
_UNPLACED = {
    "period": 0.22, "category": 0.3, "merchant": 0.3, "account": 0.2, "over": 0.25, "under": 0.25, "kind": 0.3,
    "measure": 0.2, "per": 0.15, "by": 0.04, "limit": 0.12, "operation": 0.25, "sort": 0.05,
}  # fmt: skip
_UNFILLED = 0.5
#: What a tool needs and the person said speaks for it, in whatever words the rest comes.
_FILLED = 0.08
#: Words this alike to an example need no look at the meaning.
_SETTLED = 0.97


class TextEmbedder(Protocol):
    """Turns texts into vectors of length one."""

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """Return one vector per text."""
        ...


@dataclass(frozen=True, slots=True)
class Ranked:
    """A tool with how well it fits a reading, from 0 to about 1, and the example that it fits best."""

    tool: Tool | None
    score: float
    words: float
    meaning: float


@dataclass(frozen=True, slots=True)
class _Example:
    tool: Tool | None
    grams: tuple[str, ...]
    norm: float


class Ranker:
    """Ranks a fixed set of tools; made once, as examples are read and embedded then."""

    def __init__(
        self,
        examples: list[_Example],
        rarity: Mapping[str, float],
        embedder: TextEmbedder | None,
        sentences: list[str],
    ) -> None:
        """Use :meth:`prepare`."""
        self._examples = examples
        self._rarity = rarity
        self._embedder = embedder
        self._sentences = sentences
        self._matrix: npt.NDArray[np.float32] | None = None
        self._places: dict[str, list[int]] = {}
        for place, example in enumerate(examples):
            for gram in example.grams:
                self._places.setdefault(gram, []).append(place)

    @classmethod
    def prepare(cls, tools: Sequence[Tool], context: ToolContext, embedder: TextEmbedder | None) -> Ranker:
        """Read every example of every tool."""
        slots = slots_of(tools)
        entries: list[tuple[Tool | None, tuple[str, ...]]] = [
            (tool, pattern_of(example, slots, context)) for tool in tools for example in _examples(tool)
        ]
        entries += [(None, tuple(word.key for word in words(example))) for example in NOT_OURS]
        documents = [_grams(pattern) for _, pattern in entries]
        frequency = Counter(gram for document in documents for gram in set(document))
        rarity = {gram: math.log(1 + len(documents) / count) for gram, count in frequency.items()}
        examples = []
        for (tool, _), document in zip(entries, documents, strict=True):
            norm = math.sqrt(sum(rarity[gram] ** 2 for gram in document))
            examples.append(_Example(tool, tuple(document), norm))
        return cls(examples, rarity, embedder, [spoken(pattern) for _, pattern in entries])

    async def rank(self, reading: Reading, tools: Sequence[Tool]) -> list[Ranked]:
        """Return every tool, and None for "not ours", the best first."""
        by_words = self._likeness(reading.pattern)
        by_meaning = await self._meanings(reading, max(by_words, default=0.0))
        best: dict[str | None, Ranked] = {}
        for example, in_words, in_meaning in zip(self._examples, by_words, by_meaning, strict=True):
            name = example.tool.name if example.tool else None
            score = in_words if in_meaning is None else 0.55 * in_words + 0.45 * in_meaning
            if name not in best or score > best[name].score:
                best[name] = Ranked(example.tool, score, in_words, in_meaning or 0.0)
        offered = {tool.name for tool in tools}
        fitted = [_fitted(ranked, reading) for name, ranked in best.items() if name is None or name in offered]
        return sorted(fitted, key=lambda ranked: -ranked.score)

    def _likeness(self, pattern: Sequence[str]) -> list[float]:
        """Return each example's likeness in words: the cosine of their grams, rare ones weighing most."""
        usual = math.log(1 + len(self._examples))
        weights = {gram: self._rarity.get(gram, usual) for gram in _grams(pattern)}
        norm = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        shared = [0.0] * len(self._examples)
        for gram, weight in weights.items():
            for place in self._places.get(gram, ()):
                shared[place] += weight * self._rarity[gram]
        return [each / (norm * (example.norm or 1.0)) for each, example in zip(shared, self._examples, strict=True)]

    async def _meanings(self, reading: Reading, best_words: float) -> list[float | None]:
        """Return each example's likeness in meaning; left out where the words settle it."""
        if self._embedder is None or best_words > _SETTLED:
            return [None] * len(self._examples)
        import numpy as np  # slow to import, and most questions are settled by their words

        if self._matrix is None:
            self._matrix = np.asarray(await self._embedder.embed(self._sentences), dtype=np.float32)
        vector = np.asarray((await self._embedder.embed([spoken(reading.pattern)]))[0], dtype=np.float32)
        return [max(0.0, float(likeness)) for likeness in self._matrix @ vector]


def spoken(pattern: Sequence[str]) -> str:
    """Return a pattern as a sentence, slots as typical words."""
    return " ".join(STAND_INS.get(piece[1:-1], piece[1:-1]) if piece.startswith("{") else piece for piece in pattern)


def _examples(tool: Tool) -> list[str]:
    """Return a tool's examples, or its description and keywords; what is searched may be a known name as well."""
    examples = [*tool.examples] or [tool.description.partition("\n")[0], *tool.keywords]
    named = [
        e.replace("{query}", f"{{{slot}}}") for e in examples if "{query}" in e for slot in ("category", "merchant")
    ]
    return examples + named


def _grams(pattern: Sequence[str]) -> list[str]:
    pairs = [f"{first} {second}" for first, second in itertools.pairwise(pattern)]
    return list(dict.fromkeys([*pattern, *pairs]))


def _says_little(slot: str, reading: Reading) -> bool:
    """Whether a mention names only what any spending tool does: "purchases", "altogether"."""
    little = {"kind": "purchase", "operation": "sum"}.get(slot)
    return little is not None and all(mention.value == little for mention in reading.of(slot))


def _fitted(ranked: Ranked, reading: Reading) -> Ranked:
    """Count mentions that have no place, and required parameters that nothing fills, against a tool."""
    if ranked.tool is None:
        known = sum(1 for m in reading.mentions if m.slot in ("category", "merchant", "account", "over", "under"))
        return Ranked(None, ranked.score - 0.2 * known, ranked.words, ranked.meaning)
    placed = sum(
        _placed(slot, ranked.tool, reading) for slot in sorted({m.slot for m in reading.mentions if not m.excluded})
    )
    filled = sum(_filled(parameter, ranked.tool, reading) for parameter in ranked.tool.required)
    return Ranked(ranked.tool, ranked.score + placed + filled, ranked.words, ranked.meaning)


def _placed(slot: str, tool: Tool, reading: Reading) -> float:
    """Return what the mentions of a kind count for or against a tool, by whether it has a place for them."""
    places = {each.name for each in tool.slots.values()}
    if "query" in places:  # what is searched may be a known name
        places |= {"category", "merchant"}
    if slot not in places:
        return 0.0 if _says_little(slot, reading) else -_UNPLACED.get(slot, 0.1)
    if slot == "period" and len(reading.of(slot)) > 1:
        return 0.15 if "periods" in tool.parameters.get("properties", {}) else -0.3
    return 0.0


def _filled(parameter: str, tool: Tool, reading: Reading) -> float:
    """Return what a required parameter counts for or against a tool, by whether a mention fills it."""
    slot = tool.slots.get(parameter)
    if slot is None:
        return 0.0 if parameter == "values" else -_UNFILLED
    if slot.name == "query":
        return 0.0 if reading.of("query") or searched_words(reading) else -_UNFILLED
    return _FILLED if reading.of(slot.name) else -_UNFILLED
