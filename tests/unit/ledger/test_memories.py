"""Notes are one person's, kept as they were written but for what nobody sees, and few enough to read."""

from __future__ import annotations

import asyncio
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.errors import NoteRefused
from ledger.memories import LONGEST_NOTE, MOST_NOTES, add_memory, clean_note, list_memories, remove_memories


async def keep(store, repository, *notes):
    for note in notes:
        async with store.write() as connection:
            yield await add_memory(connection, repository, note)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("  Anna pays\thalf\nthe rent ", "Anna pays half the rent"),
        ("Mu\u0308ller", "Müller"),
        ("a\x00b\x1b[31mc", "ab[31mc"),
        ("pay\u200bday \u202e25\u202c", "payday 25"),
        ("hidden\U000e0041\U000e0042 tag", "hidden tag"),
        ("family 👨\u200d👩\u200d👧", "family 👨\u200d👩\u200d👧"),
        ("one\u2028two", "one two"),
        ("half \ud800 pair", "half pair"),
        ("x" * LONGEST_NOTE, "x" * LONGEST_NOTE),
    ],
)
def test_what_nobody_sees_is_left_out(written, kept):
    assert clean_note(written) == kept


@pytest.mark.parametrize("written", ["", "  \n", "\u200b\u202e", "\u200d", "x" * (LONGEST_NOTE + 1)])
def test_no_note_or_too_much_of_one_is_refused(written):
    with pytest.raises(NoteRefused):
        clean_note(written)


@settings(deadline=None)
@given(st.text(st.characters(), max_size=400))
def test_a_kept_note_stays_as_it_is(text):
    try:
        note = clean_note(text)
    except NoteRefused:
        return
    assert clean_note(note) == note
    assert 0 < len(note) <= LONGEST_NOTE
    assert unicodedata.is_normalized("NFC", note)
    assert not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in note)
    note.encode()


async def test_notes_are_listed_in_order_and_each_once(store, alice, bob):
    mine, other = await store.repository(alice), await store.repository(bob)
    assert [new async for new in keep(store, mine, "rent is split", "moved in March", " rent  is split")] == [
        True,
        True,
        False,
    ]
    assert [new async for new in keep(store, other, "rent is split")] == [True]
    notes = await list_memories(mine)
    assert [note.text for note in notes] == ["rent is split", "moved in March"]
    assert [note.name for note in notes] == [f"memory:{note.id}" for note in notes]
    assert all(note.created_at.startswith("20") for note in notes)


async def test_only_ones_own_notes_are_forgotten(store, alice, bob):
    mine, other = await store.repository(alice), await store.repository(bob)
    for repository in (mine, other):
        assert [new async for new in keep(store, repository, "one", "two")] == [True, True]
    async with store.write() as connection:
        assert await remove_memories(connection, mine, ["one", "three"]) == 1
    assert [note.text for note in await list_memories(mine)] == ["two"]
    assert [note.text for note in await list_memories(other)] == ["one", "two"]


async def test_one_note_too_many_is_refused_and_not_kept(store, alice):
    mine = await store.repository(alice)
    async with store.write() as connection:
        for number in range(MOST_NOTES):
            await add_memory(connection, mine, f"note {number}")
    with pytest.raises(NoteRefused):
        async with store.write() as connection:
            await add_memory(connection, mine, "one more")
    async with store.write() as connection:
        assert not await add_memory(connection, mine, "note 3")
    assert len(await list_memories(mine)) == MOST_NOTES


async def test_the_last_place_is_given_once(open_store, alice):
    """Two processes that keep a note each, where only one more has room."""
    one, other = await open_store(), await open_store()
    first, second = await one.repository(alice), await other.repository(alice)
    async with one.write() as connection:
        for number in range(MOST_NOTES - 1):
            await add_memory(connection, first, f"note {number}")

    async def last(store, repository, note):
        async with store.write() as connection:
            return await add_memory(connection, repository, note)

    done = await asyncio.gather(last(one, first, "a"), last(other, second, "b"), return_exceptions=True)
    assert sorted(type(each).__name__ for each in done) == ["NoteRefused", "bool"]
    assert len(await list_memories(first)) == MOST_NOTES
