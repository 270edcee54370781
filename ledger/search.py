"""Searching one person's ledger by meaning and words, and keeping the index up with the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa
import structlog

from ledger import schema
from ledger.errors import LedgerError
from ledger.index import IndexPoint, terms
from ledger.index.lexical import LexicalIndex
from ledger.index_marks import Marks
from ledger.judgement import own_words
from ledger.placement import content_stems, in_one_phrase, read_phrase
from ledger.said_words import SHORTEST_SAID
from ledger.stemming import stem
from ledger.taxonomy import CATEGORIES, members_of
from ledger.telling_words import kinds_in_words

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from ledger.index import Hit, SearchIndex
    from ledger.repository import Repository
    from ledger.store import Store

_log = structlog.get_logger(__name__)
_BATCH = 256
#: Sums are made over what a search finds, so it must be nearer in meaning than what is merely worth showing.
_NEAR = 0.55
#: Databases take about 32,000 parameters in one statement.
_MOST_LITERAL = 30_000
#: A shorter word is not looked for inside longer ones.
_SHORTEST_PART = 5


_brought = schema.phrases.c.batch_id
_hidden = sa.select(schema.batches.c.id).where(schema.batches.c.finished_at.is_(None))
#: What the index has still to take in; strings of an import that doesn't show yet wait until it does.
_WAITING = (schema.phrases.c.indexed == 0) & (_brought.is_(None) | _brought.not_in(_hidden))


@dataclass(frozen=True, slots=True)
class Found:
    """Ids of search strings, the best first; ``literal`` if they hold the words looked for, or others for the same thing."""

    ids: tuple[int, ...]
    literal: bool


class LedgerSearch:
    """The search of one person's ledger: the index where it can be used, words alone where not."""

    def __init__(self, repository: Repository, index: Callable[[], Awaitable[SearchIndex | None]]) -> None:
        """Search this ledger; where ``index`` gives none, by words over the store's own strings."""
        self._repository = repository
        self._index = index

    async def find(self, query: str, limit: int) -> Found:
        """Return all strings that hold the query's words or name what it names ("vet": "Kleintierpraxis").

        Where there are none, up to ``limit`` that are near it in meaning.
        """
        ledger = self._repository.ledger_id
        lexical = LexicalIndex(self._phrases)
        index = await self._index()
        if index is not None:
            try:
                hits = await index.search(ledger, query, limit)
                # A full answer that holds the words may have been cut, and sums are over all of them.
                if hits and (len(hits) < limit or not any(hit.lexical for hit in hits)):
                    return await self._chosen(query, hits)
            except LedgerError:
                _log.warning("search index unavailable, searching by words")
        return await self._chosen(query, await lexical.search(ledger, query, _MOST_LITERAL))

    async def _chosen(self, query: str, hits: Sequence[Hit]) -> Found:
        """Return the strings that hold the words themselves, else those spelled like them, else those near in meaning."""
        kinds = kinds_of(query)
        texts = dict(await self._repository.phrases()) if kinds or any(hit.lexical for hit in hits) else {}
        spelled = tuple(hit.id for hit in hits if hit.lexical and hit.id in texts)
        if kinds:
            texts = {point: own_words(text) for point, text in texts.items()}
        shortest = SHORTEST_SAID if kinds else 1  # of a kind that is told, words as short as "tv" are mostly not kept
        holding = [
            point for point in spelled if _holds(texts[point], query, shortest) and not _is_else(texts[point], kinds)
        ]
        same = [point for point, text in texts.items() if not kinds.isdisjoint(kinds_in_words(text))] if kinds else []
        told = tuple(dict.fromkeys((*holding, *same)))
        if told or spelled:
            return Found(told or spelled, literal=bool(told))
        return Found(tuple(hit.id for hit in hits if hit.relevant(_NEAR)), literal=False)

    async def _phrases(self, ledger: int) -> Sequence[tuple[int, str]]:
        del ledger  # a repository knows only its own
        return await self._repository.phrases()


def kinds_of(query: str) -> frozenset[str]:
    """Return the keys of what a query is the word for, where that is finer than the categories of transactions."""
    readings = read_phrase(content_stems(in_one_phrase(query)))
    keys = readings[0][0] if len(readings) == 1 else ()
    meant = all(CATEGORIES[key].finer and CATEGORIES[key].spoken for key in keys)
    return frozenset(member for key in keys for member in members_of(key)) if meant else frozenset()


def _is_else(text: str, kinds: frozenset[str]) -> bool:
    """Whether a text tells other kinds than those looked for, and none of them: “zoo” is in no “zoo shop”."""
    told = {key for key in kinds_in_words(text) if CATEGORIES[key].finer} if kinds else set()
    return bool(told) and kinds.isdisjoint(told)


def _holds(text: str, query: str, shortest: int) -> bool:
    """Whether a text holds every word of a query of so many letters, in any form, or as a part of a compound."""
    found, wanted = terms.words(text), terms.words(query)
    stems = {stem(word) for word in found}
    return all(
        stem(word) in stems or (len(word) >= _SHORTEST_PART and any(word in other for other in found))
        for word in [each for each in wanted if len(each) >= shortest or not each.isalpha()] or wanted
    )


async def catch_up(
    store: Store,
    index: SearchIndex,
    progress: Callable[[int, int], None] | None = None,
    marks: Marks | None = None,
) -> int:
    """Bring the index up to the store: forget what is gone, add what waits. Return how many strings were added.

    What is added is marked in the store only after the index has acknowledged it, so a crash repeats work, never skips it.
    ``marks`` is for who does so again and again with the same index.
    """
    marks = marks or Marks(store)
    await marks.own(index)
    await _forget(store, index)
    done = 0
    async with store.read() as connection:
        waiting = int((await connection.execute(sa.select(sa.func.count()).where(_WAITING))).scalar_one())
    while True:
        async with store.read() as connection:
            query = sa.select(schema.phrases.c.id, schema.phrases.c.ledger_id, schema.phrases.c.text)
            query = query.where(_WAITING).order_by(schema.phrases.c.id).limit(_BATCH)
            rows = (await connection.execute(query)).all()
        if not rows:
            await marks.tidy(index)
            return done
        await index.upsert([IndexPoint(row.id, row.ledger_id, row.text) for row in rows])
        async with store.write() as connection:
            await marks.mark(connection, index, [row.id for row in rows])
        done += len(rows)
        if progress is not None:
            progress(done, max(waiting, done))


async def _forget(store: Store, index: SearchIndex) -> None:
    async with store.read() as connection:
        gone = list((await connection.execute(sa.select(schema.forgotten_phrases.c.id))).scalars())
    if gone:
        await index.remove(gone)
        async with store.write() as connection:
            await connection.execute(schema.forgotten_phrases.delete().where(schema.forgotten_phrases.c.id.in_(gone)))
