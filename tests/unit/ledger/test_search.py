"""Search over one ledger: through an index, without one, and keeping the index up."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from ledger import schema
from ledger.deletion import forget_person
from ledger.errors import IndexUnavailable
from ledger.index import Hit, IndexPoint
from ledger.search import LedgerSearch, catch_up
from tests.drawn_ledgers import Entry, write_entries

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

DAY = date(2026, 10, 3)
SHOPS = ("Blue Bottle", "Trader Joe's", "Shell Oil")


class Shelf:
    """An index that keeps what it is given, finds what it is told, and fails when it is told to."""

    def __init__(self, *, stale: bool = False, name: str = "shelf") -> None:
        self.name = name
        self.stale = stale
        self.swept = 0
        self.points: dict[int, IndexPoint] = {}
        self.hits: list[Hit] = []
        self.fails = False

    async def wipe(self) -> None:
        self.points.clear()
        self.stale = False

    async def drop_former(self) -> None:
        self.swept += 1

    async def upsert(self, points: Sequence[IndexPoint]) -> None:
        if self.fails:
            raise IndexUnavailable("down")
        self.points |= {point.id: point for point in points}

    async def remove(self, ids: Collection[int]) -> None:
        for key in ids:
            self.points.pop(key, None)

    async def search(self, ledger: int, query: str, limit: int) -> list[Hit]:
        if self.fails:
            raise IndexUnavailable("down")
        return self.hits[:limit]

    async def current(self) -> Shelf:
        return self


async def live(store, alice, shops=SHOPS):
    return (await write_entries(store, alice, [Entry(DAY, -100, merchant=shop) for shop in shops]))[0]


async def none():
    return None


def hit(key: int, *, cosine: float | None = None, lexical: bool = False) -> Hit:
    return Hit(key, 1.0, cosine, lexical)


async def test_words_win_over_meaning(sqlite_store, alice):
    repository, shelf = await live(sqlite_store, alice), Shelf()
    shelf.hits = [hit(1, cosine=0.9), hit(2, lexical=True), hit(3, cosine=0.2)]
    text = dict(await repository.phrases())[2]
    found = await LedgerSearch(repository, shelf.current).find(text, 10)
    assert (found.ids, found.literal) == ((2,), True)


async def test_what_holds_the_words_wins_over_what_is_only_spelled_like_them(sqlite_store, alice):
    """A sum over "dental" must not count the rental car; the dentist by another word may."""
    repository, shelf = (
        await live(sqlite_store, alice, ["City Rental", "Bright Dental Care", "Zahnarztpraxis Nord"]),
        Shelf(),
    )
    keys = {text: key for key, text in await repository.phrases()}
    shelf.hits = [hit(key, lexical=True) for key in keys.values()]
    search = LedgerSearch(repository, shelf.current)
    for query, held in (("dental", "dental"), ("Zahnarzt", "zahnarzt")):
        found = await search.find(query, 10)
        assert found.literal
        assert not any("rental" in text for text, key in keys.items() if key in found.ids)
        assert {key for text, key in keys.items() if held in text} <= set(found.ids)
    assert not (await search.find("mental", 10)).literal


async def test_only_what_is_near_in_meaning_counts(sqlite_store, alice):
    repository, shelf = await live(sqlite_store, alice), Shelf()
    shelf.hits = [hit(1, cosine=0.9), hit(3, cosine=0.3)]
    found = await LedgerSearch(repository, shelf.current).find("x", 10)
    assert (found.ids, found.literal) == ((1,), False)


async def test_without_an_index_words_are_searched(sqlite_store, alice):
    repository, shelf = await live(sqlite_store, alice), Shelf()
    shelf.fails = True
    wanted = [key for key, text in await repository.phrases() if "shell" in text]
    for search in (LedgerSearch(repository, none), LedgerSearch(repository, shelf.current)):
        found = await search.find("shell", 10)
        assert (list(found.ids), found.literal) == (wanted, True)
        assert (await search.find("zeppelin", 10)).ids == ()


async def test_a_full_answer_is_completed(sqlite_store, alice):
    """An index returns so many at most; what is summed are all strings that hold the word."""
    repository, shelf = await live(sqlite_store, alice, [f"Shell {'abcdefghij'[n] * 3}" for n in range(10)]), Shelf()
    shelf.hits = [hit(key, lexical=True) for key, _ in await repository.phrases()]
    found = await LedgerSearch(repository, shelf.current).find("shell", 4)
    assert sorted(found.ids) == sorted(key for key, _ in await repository.phrases())
    assert found.literal


async def waiting(store) -> int:
    async with store.read() as connection:
        query = sa.select(sa.func.count()).where(schema.phrases.c.indexed == 0)
        return int((await connection.execute(query)).scalar_one())


async def test_the_index_catches_up_once(sqlite_store, alice):
    repository, shelf = await live(sqlite_store, alice), Shelf()
    told: list[tuple[int, int]] = []
    assert await catch_up(sqlite_store, shelf, lambda done, of: told.append((done, of))) == 3
    assert {(point.id, point.text) for point in shelf.points.values()} == set(await repository.phrases())
    assert {point.ledger for point in shelf.points.values()} == {repository.ledger_id}
    assert told[-1] == (3, 3)
    assert (await waiting(sqlite_store), await catch_up(sqlite_store, shelf)) == (0, 0)


async def test_what_failed_waits_still(sqlite_store, alice):
    await live(sqlite_store, alice)
    shelf = Shelf()
    shelf.fails = True
    with pytest.raises(IndexUnavailable):
        await catch_up(sqlite_store, shelf)
    assert await waiting(sqlite_store) == 3
    shelf.fails = False
    assert await catch_up(sqlite_store, shelf) == 3


async def test_a_stale_index_is_made_anew(sqlite_store, alice):
    await live(sqlite_store, alice)
    await catch_up(sqlite_store, Shelf())
    stale = Shelf(stale=True)
    assert await catch_up(sqlite_store, stale) == 3
    assert len(stale.points) == 3


async def test_the_index_forgets_a_person(sqlite_store, alice, bob):
    await live(sqlite_store, alice)
    theirs = await live(sqlite_store, bob)
    shelf = Shelf()
    await catch_up(sqlite_store, shelf)
    assert len(shelf.points) == 6
    await forget_person(sqlite_store, alice)
    await catch_up(sqlite_store, shelf)
    assert {point.ledger for point in shelf.points.values()} == {theirs.ledger_id}
    async with sqlite_store.read() as connection:
        assert (await connection.execute(sa.select(schema.forgotten_phrases))).all() == []


async def test_a_word_for_a_kind_of_thing_finds_what_is_of_that_kind(sqlite_store, alice):
    """“Vet” finds a practice for small animals, and not the shop for their food; “pets” is a category, and no such word."""
    repository = await live(sqlite_store, alice, ("Kleintierpraxis Vogelsang", "Pet Food Barn", "Vet Clinic Elm St"))
    search = LedgerSearch(repository, none)
    texts = dict(await repository.phrases())
    found = await search.find("Tierarzt", 10)
    assert {texts[key] for key in found.ids} == {text for text in texts.values() if "pet" not in text}
    assert found.literal
    assert not (await search.find("zoo", 10)).literal
