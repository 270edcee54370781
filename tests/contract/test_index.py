"""One suite for every search index.

The in-process mode of the Qdrant client always runs; a server runs too when MONEY_MINDER_TEST_QDRANT names one by URL.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest

from ledger.embeddings import MiniLmEmbedder
from ledger.errors import EmbeddingUnavailable, IndexUnavailable
from ledger.index import IndexPoint, LexicalIndex, SearchIndex, open_index
from ledger.index.server import ServerIndex

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant")

VECTOR_KINDS = ["edge", "client", "server"]
MINE, THEIRS = 11, 12
SHOPS = {
    1: "blue bottle coffee",
    2: "starbucks store",
    3: "whole foods market",
    4: "state farm insurance",
    5: "netflix",
    6: "uber trip",
    7: "miete wohnung",
    8: "Müller Drogerie",
    9: "interest charge",
    10: "planet fitness",
}


class SwitchedEmbedder:
    """MiniLM that can be taken away."""

    def __init__(self) -> None:
        self.model = MiniLmEmbedder()
        self.down = False
        self.dimension = self.model.dimension
        self.fingerprint = self.model.fingerprint

    async def embed(self, texts: list[str]) -> list[list[float]]:
        if self.down:
            raise EmbeddingUnavailable("down")
        return await self.model.embed(texts)


class House:
    """An index and the store that it serves."""

    def __init__(self, index: SearchIndex | None, embedder: SwitchedEmbedder) -> None:
        self.embedder = embedder
        self.strings: dict[int, tuple[int, str]] = {}
        self.index = index or LexicalIndex(self.phrases)
        self.has_vectors = index is not None

    async def phrases(self, ledger: int) -> list[tuple[int, str]]:
        return [(point, text) for point, (owner, text) in self.strings.items() if owner == ledger]

    async def put(self, strings: dict[int, str], ledger: int = MINE) -> None:
        self.strings |= {point: (ledger, text) for point, text in strings.items()}
        await self.index.upsert([IndexPoint(point, ledger, text) for point, text in strings.items()])

    async def take(self, ids: Collection[int]) -> None:
        for point in ids:
            self.strings.pop(point, None)
        await self.index.remove(ids)

    async def drop(self, ledger: int) -> None:
        self.strings = {point: entry for point, entry in self.strings.items() if entry[0] != ledger}
        await self.index.drop_ledger(ledger)

    async def found(self, query: str, ledger: int = MINE, limit: int = 10) -> list[int]:
        return [hit.id for hit in await self.index.search(ledger, query, limit)]

    async def relevant(self, query: str, ledger: int = MINE) -> set[int]:
        return {hit.id for hit in await self.index.search(ledger, query, 10) if hit.relevant()}


@pytest.fixture(scope="module")
def model() -> SwitchedEmbedder:
    return SwitchedEmbedder()


@pytest.fixture(params=[*VECTOR_KINDS, "lexical"])
async def house(request: pytest.FixtureRequest, model: SwitchedEmbedder, tmp_path: Path) -> AsyncIterator[House]:
    index = await open_kind(request.param, model, tmp_path)
    if index is not None:
        await index.wipe()
    house = House(index, model)
    yield house
    await house.index.close()


@pytest.fixture(params=VECTOR_KINDS)
async def fresh(request: pytest.FixtureRequest, model: SwitchedEmbedder, tmp_path: Path) -> AsyncIterator[SearchIndex]:
    """An index with vectors, never wiped."""
    index = await open_kind(request.param, model, tmp_path)
    assert index is not None
    yield index
    await index.close()


async def open_kind(kind: str, model: SwitchedEmbedder, directory: Path) -> SearchIndex | None:
    if kind == "edge":
        return await open_index(directory / "index", model)
    if kind == "client":
        return await ServerIndex.connect(":memory:", model)
    if kind == "server":
        url = os.environ.get("MONEY_MINDER_TEST_QDRANT")
        if not url:
            pytest.skip("MONEY_MINDER_TEST_QDRANT names no server")
        return await open_index(directory, model, url)
    return None


async def test_a_string_is_found_by_its_words_in_any_order(house: House):
    await house.put(SHOPS)
    for query in ("whole foods", "Foods, Whole", "WHOLE FOODS MARKET", "my whole foods"):
        assert (await house.found(query))[0] == 3


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("starbuks", 2),
        ("netfix", 5),
        ("wholefoods", 3),
        ("insurences", 4),
        ("muller", 8),
        ("Mueller", 8),
        ("MIETEN", 7),
    ],
)
async def test_a_string_is_found_despite_typing_errors_and_spellings(house: House, query: str, expected: int):
    await house.put(SHOPS)
    hits = await house.index.search(MINE, query, 3)
    assert hits[0].id == expected
    assert hits[0].lexical


async def test_a_string_is_found_by_what_it_means(house: House):
    if not house.has_vectors:
        pytest.skip("spelling alone knows no meaning")
    await house.put(SHOPS)
    assert 2 in (await house.found("coffee shop"))[:2]
    assert (await house.found("taxi"))[0] == 6
    assert (await house.found("gym"))[0] == 10
    assert 10 in await house.relevant("gym")


async def test_a_ledger_sees_only_its_own(house: House):
    await house.put({1: "netflix", 2: "spotify"}, MINE)
    await house.put({3: "netflix", 4: "netflix germany"}, THEIRS)
    assert set(await house.found("netflix", MINE)) <= {1, 2}
    assert (await house.found("netflix", MINE))[0] == 1
    assert set(await house.found("netflix", THEIRS)) == {3, 4}
    assert await house.found("netflix", 13) == []
    # Ids that look alike as text are different ledgers.
    assert await house.found("netflix", 1) == []
    assert await house.found("netflix", 111) == []


async def test_rarity_is_judged_within_the_ledger(house: House):
    """What is rare decides: oak in one ledger, elm in the other."""
    await house.put({20: "elm ash", 21: "elm fir", 22: "elm yew", 23: "oak bar", 24: "elm bar"}, MINE)
    await house.put({30: "oak ash", 31: "oak fir", 32: "oak yew", 33: "oak bar", 34: "elm bar"}, THEIRS)
    house.embedder.down = True
    try:
        assert (await house.found("oak elm", MINE))[0] == 23
        assert (await house.found("oak elm", THEIRS))[0] == 34
    finally:
        house.embedder.down = False


async def test_hits_say_whether_they_are_worth_showing(house: House):
    await house.put(SHOPS)
    assert await house.relevant("quantum physics") == set()
    assert await house.relevant("xyzzy") == set()
    assert 3 in await house.relevant("whole foods")
    lexical = {hit.id: hit.lexical for hit in await house.index.search(MINE, "netflix", 10)}
    assert [point for point, spelled in lexical.items() if spelled] == [5]


async def test_cosines_come_with_the_hits(house: House):
    await house.put(SHOPS)
    hits = {hit.id: hit for hit in await house.index.search(MINE, "netflix", 10)}
    if house.has_vectors:
        assert hits[5].cosine == pytest.approx(1, abs=0.01)
        assert all(hit.cosine is not None and -1 <= hit.cosine <= 1.001 for hit in hits.values())
    else:
        assert hits[5].cosine is None


async def test_scores_fall_and_the_limit_holds(house: House):
    await house.put(dict.fromkeys(range(1, 31), "corner shop") | {31: "corner shop bakery"})
    hits = await house.index.search(MINE, "corner bakery", 5)
    assert len(hits) == 5
    assert hits[0].id == 31
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    # Among equals the lower id comes first, always.
    assert [hit.id for hit in hits[1:]] == [1, 2, 3, 4]
    assert await house.index.search(MINE, "corner bakery", 0) == []


@pytest.mark.parametrize("query", ["", "   ", "!?*", "🦆"])
async def test_a_query_without_words_finds_nothing(house: House, query: str):
    await house.put(SHOPS)
    assert await house.found(query) == []


async def test_a_name_of_filler_words_is_found(house: House):
    await house.put(SHOPS | {60: "On The Go", 61: "Von der"})
    assert (await house.found("von der"))[0] == 61
    assert (await house.found("on the go"))[0] == 60


async def test_the_same_id_again_replaces(house: House):
    await house.put({1: "netflix"})
    await house.put({1: "planet fitness"})
    assert await house.index.count(MINE) == 1
    assert 1 not in await house.relevant("netflix")
    assert (await house.found("planet fitness"))[0] == 1


async def test_removed_points_are_not_found(house: House):
    await house.put(SHOPS)
    await house.take([5, 777])
    await house.take([])
    assert await house.index.count(MINE) == len(SHOPS) - 1
    assert 5 not in await house.found("netflix")


async def test_a_dropped_ledger_is_gone_and_others_stay(house: House):
    await house.put(SHOPS, MINE)
    await house.put({100 + point: text for point, text in SHOPS.items()}, THEIRS)
    await house.drop(MINE)
    assert await house.index.count(MINE) == 0
    assert await house.found("netflix", MINE) == []
    assert await house.index.count(THEIRS) == len(SHOPS)
    assert (await house.found("netflix", THEIRS))[0] == 105
    await house.put({5: "netflix"}, MINE)
    assert await house.found("netflix", MINE) == [5]


@pytest.mark.parametrize("text", ["", "***", "\x00", "\ud800 shop", "日本橋 寿司", "🦆🦆", "a" * 5000, "word " * 5000])
async def test_no_text_is_too_strange_to_store(house: House, text: str):
    await house.put({1: text, 2: "netflix"})
    assert await house.index.count(MINE) == 2
    assert (await house.found("netflix"))[0] == 2
    assert await house.found(text, limit=1) in ([], [1])


async def test_searching_goes_on_while_points_are_written(house: House):
    await house.put(SHOPS)
    more = {point: f"corner shop {point}" for point in range(1000, 1300)}
    _, *answers = await asyncio.gather(house.put(more), *(house.found("netflix") for _ in range(10)))
    assert {answer[0] for answer in answers} == {5}
    assert await house.index.count(MINE) == len(SHOPS) + len(more)


async def test_without_an_embedder_spelling_still_finds(house: House):
    await house.put(SHOPS)
    house.embedder.down = True
    try:
        hits = await house.index.search(MINE, "starbuks", 3)
        assert [(hit.id, hit.cosine, hit.lexical) for hit in hits] == [(2, None, True)]
        if house.has_vectors:
            with pytest.raises(EmbeddingUnavailable):
                await house.index.upsert([IndexPoint(99, MINE, "spotify")])
    finally:
        house.embedder.down = False
    assert await house.index.count(MINE) == len(SHOPS)


async def test_an_index_is_stale_until_it_is_wiped(fresh: SearchIndex):
    if not fresh.stale:  # a server keeps what the last run left
        await fresh.wipe()
        return
    for work in (fresh.search(MINE, "netflix", 3), fresh.upsert([IndexPoint(1, MINE, "x")]), fresh.count(MINE)):
        with pytest.raises(IndexUnavailable):
            await work
    await fresh.wipe()
    assert not fresh.stale
    await fresh.upsert([IndexPoint(1, MINE, "netflix")])
    await fresh.wipe()
    assert await fresh.count(MINE) == 0


async def test_a_closed_index_is_unavailable(fresh: SearchIndex):
    await fresh.wipe()
    await asyncio.gather(fresh.close(), fresh.close())
    await fresh.close()
    for work in (fresh.search(MINE, "x", 3), fresh.upsert([IndexPoint(1, MINE, "x")]), fresh.remove([1]), fresh.wipe()):
        with pytest.raises(IndexUnavailable):
            await work


async def test_embedded_and_client_rank_alike(model: SwitchedEmbedder, tmp_path: Path):
    edge = await open_index(tmp_path / "index", model)
    client = await ServerIndex.connect(":memory:", model)
    for index in (edge, client):
        await index.wipe()
        await index.upsert([IndexPoint(point, MINE, text) for point, text in SHOPS.items()])
    for query in ("coffee", "coffee shop", "whole market", "insurance interest", "starbuks trip", "fitness studio"):
        one, other = [await index.search(MINE, query, 6) for index in (edge, client)]
        assert [(hit.id, hit.lexical, round(hit.score, 5)) for hit in one] == [
            (hit.id, hit.lexical, round(hit.score, 5)) for hit in other
        ]
    await edge.close()
    await client.close()
