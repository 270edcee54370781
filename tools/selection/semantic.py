"""Selection by meaning and words: how near a question is to a tool's description and examples."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog

from tools.errors import UnusableVectors
from tools.selection.nearness import NAMELESS, Nearness, Wording, words_of_name
from tools.selection.recent import Recent
from tools.selection.selector import FEW, MATCHED, NOTHING, Selection, Selector, failure, fall_back, offer
from tools.selection.stand_ins import spoken_example, spoken_question

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from tools.registry import Tool

    Vectors = npt.NDArray[np.float64]

Embed = Callable[[list[str]], Awaitable[list[list[float]]]]
#: A tool as far as its vectors depend on it: name, description, examples.
Entry = tuple[str, str, tuple[str, ...]]

_log = structlog.get_logger(__name__)
_STRATEGY = "semantic"
#: Lists of tools differ by what people switched off and by focus mode; one takes about 100 KB a tool.
_LISTS = 16
_QUESTIONS = 256
#: Equal vectors may differ in their cosines by the order of additions; beyond this many decimals all are equal.
_DECIMALS = 9


@dataclass(frozen=True, slots=True)
class _Index:
    """One list of tools, ready to be compared with, and the answers to recent questions."""

    entries: tuple[Entry, ...]
    nearness: Nearness
    answers: Recent[bytes, dict[Entry, float]]


@dataclass(slots=True)
class _Attempt:
    """Somebody is embedding a list of tools; ``error`` says why that failed, None if it didn't or was cancelled."""

    done: asyncio.Event = field(default_factory=asyncio.Event)
    error: Exception | None = None


class SemanticSelector(Selector):
    """Offers the tools nearest to a question in meaning and words, at least as near as a threshold.

    A tool is as near as its "name: description" or the nearest of its examples (:class:`Nearness`). Before examples a
    question counts as it was asked and also with typical words for what the tools' slots find in it. The tools' vectors
    are computed once for a list, in one batch; a change of any name, description or example makes it another list. Both
    caches are bounded. May be shared by concurrent turns.
    """

    def __init__(self, embed: Embed, threshold: float = 0.05, max_results: int = 10) -> None:
        """Embed with this function; ``threshold`` is the least score, itself included."""
        self._embed = embed
        self._threshold = threshold
        self._max_results = max_results
        self._indexes: Recent[frozenset[Entry], _Index] = Recent(_LISTS)
        self._attempts: dict[frozenset[Entry], _Attempt] = {}

    async def choose(self, question: str, tools: Sequence[Tool]) -> Selection:
        """Return the nearest tools, the best first; all where they are few, none is near or embedding fails."""
        if len(tools) <= self._max_results:
            return offer(tools, _STRATEGY, FEW)
        entries = [_entry(tool) for tool in tools]
        try:
            scores = await self._scores(question, tools, entries)
        except Exception as error:  # noqa: BLE001 - an embedder may be anybody's; its failure must not end the turn
            return fall_back(tools, _STRATEGY, failure(error))
        best = sorted(self._near(scores, entries), key=lambda place: -scores[entries[place]])[: self._max_results]
        if not best:
            return fall_back(tools, _STRATEGY, NOTHING)
        named = {tools[place].name: scores[entries[place]] for place in best}
        return Selection(tuple(tools[place] for place in best), named, _STRATEGY, MATCHED)

    async def prewarm(self, tools: Sequence[Tool]) -> None:
        """Embed a list of tools before the first question needs it."""
        if len(tools) <= self._max_results:
            return
        try:
            await self._index([_entry(tool) for tool in tools])
        except Exception as error:  # noqa: BLE001 - as above; the first question tries again
            _log.warning("tools not embedded", reason=failure(error), tools=len(tools))

    def _near(self, scores: dict[Entry, float], entries: list[Entry]) -> list[int]:
        return [place for place, entry in enumerate(entries) if scores[entry] >= self._threshold]

    async def _scores(self, question: str, tools: Sequence[Tool], entries: list[Entry]) -> dict[Entry, float]:
        """Return each tool's nearness to a question; remembered where one is near, as only then it is an answer."""
        import numpy as np

        index = await self._index(entries)
        # A digest, so that what people asked is not kept.
        key = hashlib.sha256(question.encode("utf-8", "surrogatepass")).digest()
        known = index.answers.get(key)
        if known is not None:
            return known
        spoken = spoken_question(question, tools)
        vectors = await self._vectors(list(dict.fromkeys((question, spoken))))
        if vectors.shape[1] != index.nearness.length:  # another model answers now, so the tools' vectors are stale
            self._indexes.drop(frozenset(entries))
            raise UnusableVectors("The question's vector has another length than those of the tools.")
        asked, typical = Wording(question, vectors[0]), Wording(spoken, vectors[-1])
        found = index.nearness.scores(asked, typical, self._max_results)
        rounded = np.clip(np.round(found, _DECIMALS), -1.0, 1.0)
        scores: dict[Entry, float] = dict(zip(index.entries, rounded.tolist(), strict=True))
        if self._near(scores, entries):
            index.answers.put(key, scores)
        return scores

    async def _index(self, entries: list[Entry]) -> _Index:
        """Return the vectors of a list of tools; of several who need them at the same time, one computes them.

        Where that one is cancelled, the next takes over. Where it fails, the others try once more between them.
        """
        key, failed = frozenset(entries), False
        while (index := self._indexes.get(key)) is None:
            attempt = self._attempts.get(key)
            if attempt is None:
                return await self._attempt(key, entries)
            await attempt.done.wait()
            if attempt.error is not None and failed:
                raise attempt.error
            failed = failed or attempt.error is not None
        return index

    async def _attempt(self, key: frozenset[Entry], entries: list[Entry]) -> _Index:
        attempt = self._attempts[key] = _Attempt()
        try:
            index = await self._embedded(tuple(dict.fromkeys(entries)))
        except Exception as error:
            attempt.error = error
            raise
        else:
            self._indexes.put(key, index)
            return index
        finally:
            del self._attempts[key]
            attempt.done.set()

    async def _embedded(self, entries: tuple[Entry, ...]) -> _Index:
        texts: list[str] = []
        starts: list[int] = []
        for name, description, examples in entries:
            starts.append(len(texts))
            texts += [f"{words_of_name(name)}: {description}", *map(spoken_example, examples)]
        nameless = [description or words_of_name(name) for name, description, _ in entries]
        vectors = await self._vectors(texts + nameless)
        vectors[starts] = (1 - NAMELESS) * vectors[starts] + NAMELESS * vectors[len(texts) :]
        return _Index(entries, Nearness(texts, vectors[: len(texts)], starts), Recent(_QUESTIONS))

    async def _vectors(self, texts: list[str]) -> Vectors:
        """Return one vector of length one per text, or raise UnusableVectors."""
        import numpy as np

        found = await self._embed(texts)
        try:
            vectors = np.array(found, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise UnusableVectors("The embedder's answer holds something other than vectors of one length.") from error
        if vectors.ndim != 2 or vectors.shape[0] != len(texts) or vectors.shape[1] == 0:
            raise UnusableVectors("The embedder did not answer with one vector per text.")
        largest = np.abs(vectors).max(axis=1, keepdims=True)
        if not np.isfinite(largest).all() or not largest.all():
            raise UnusableVectors("The embedder answered with a vector without direction.")
        vectors /= largest  # squares of what is left neither overflow nor vanish
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


def _entry(tool: Tool) -> Entry:
    return tool.name, tool.description, tuple(tool.examples)
