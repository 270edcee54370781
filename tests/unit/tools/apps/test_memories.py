"""Notes are kept and forgotten only once somebody said yes; the right one is forgotten, or it is asked which."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from graph.answers import headline_of
from ledger.memories import LONGEST_NOTE, MOST_NOTES, add_memory, list_memories
from tests.unit.tools.apps.conftest import Resident
from tools.calls import choice_of

TODAY = date(2026, 11, 21)


@pytest.fixture
async def me(house) -> Resident:
    return await house.move_in([], TODAY)


async def confirm(me, result):
    async with me.context.ledger.store.write() as connection:
        await result.change.work(connection)
    return headline_of(replace(result, headline=result.change.done), me.context), result.change.undo


async def keep(me, *notes):
    async with me.context.ledger.store.write() as connection:
        for note in notes:
            await add_memory(connection, me.context.ledger, note)


async def kept(me):
    return [note.text for note in await list_memories(me.context.ledger)]


async def test_a_note_is_shown_before_it_is_kept_and_can_be_taken_back(me):
    result = await me.run("memories-remember", note=" I share  the rent with Anna ")
    assert headline_of(result, me.context) == "Remember “I share the rent with Anna”?"
    assert await kept(me) == []
    said, undo = await confirm(me, result)
    assert said == "I will remember “I share the rent with Anna”."
    assert await kept(me) == ["I share the rent with Anna"]
    await confirm(me, await me.run(undo.name, **undo.arguments))
    assert await kept(me) == []


async def test_what_is_remembered_already_needs_no_change(me):
    await keep(me, "rent is split")
    result = await me.run("memories-remember", note="rent is split")
    assert result.change is None
    assert "already" in result.headline


@pytest.mark.parametrize("note", ["\u200b", "x" * (LONGEST_NOTE + 1)])
async def test_what_is_no_note_is_said(me, note):
    result = await me.run("memories-remember", note=note)
    assert result.kind == "clarify"
    assert result.change is None


async def test_there_is_room_for_so_many_notes(me):
    await keep(me, *(f"note {number}" for number in range(MOST_NOTES)))
    result = await me.run("memories-remember", note="one more")
    assert result.change is None
    assert headline_of(result, me.context) == "I keep 100 notes at most; forget one first."


async def test_notes_are_listed_all_or_by_words(me):
    assert (await me.run("memories-list")).kind == "empty"
    await keep(me, "Anna pays half the rent", "Netflix is shared", "The rents rise in March")
    result = await me.run("memories-list")
    assert headline_of(result, me.context) == "You asked me to remember 3 things."
    assert [row[0] for row in result.table.rows] == await kept(me)
    result = await me.run("memories-list", about="the rent")
    assert [row[0] for row in result.table.rows] == ["Anna pays half the rent", "The rents rise in March"]
    result = await me.run("memories-list", about="netflix")
    assert headline_of(result, me.context) == "You asked me to remember one thing about “netflix”."
    assert (await me.run("memories-list", about="gym")).kind == "empty"


@pytest.mark.parametrize(
    ("words", "gone"),
    [
        ("Anna pays half the rent", "Anna pays half the rent"),
        ("anna PAYS half the rent", "Anna pays half the rent"),
        ("rent Anna", "Anna pays half the rent"),
        ("that Netflix was shared", "Netflix is shared"),
        ("netflix", "Netflix is shared"),
        ("rent", "rent"),
        ("is it", "I like it as it is not"),
    ],
)
async def test_the_note_that_has_the_words_is_forgotten(me, words, gone):
    await keep(me, "Anna pays half the rent", "Netflix is shared", "rent", "I like it as it is not")
    result = await me.run("memories-forget", note=words)
    assert headline_of(result, me.context) == f"Forget “{gone}”?"
    said, undo = await confirm(me, result)
    assert said == f"I have forgotten “{gone}”."
    assert len(await kept(me)) == 3
    await confirm(me, await me.run(undo.name, **undo.arguments))
    assert gone in await kept(me)


def forgetting(note):
    return choice_of(f"Forget the note “{note}”", "memories-forget", note=note)


async def test_several_notes_with_the_words_are_asked_about(me):
    """Each choice means just that note."""
    notes = ["Anna pays half the rent", "rent is due on the 1st", "Netflix is shared"]
    await keep(me, *notes)
    result = await me.run("memories-forget", note="rent")
    assert result.kind == "clarify"
    assert result.change is None
    assert result.choices == tuple(forgetting(note) for note in notes[:2])


async def test_a_note_that_is_not_there_is_said_with_what_is_near(me):
    assert (await me.run("memories-forget", note="rent")).kind == "empty"
    await keep(me, "Netflix is shared", "rent is split")
    result = await me.run("memories-forget", note="Netflx is shared")
    assert result.change is None
    assert result.choices == (forgetting("Netflix is shared"),)
    assert await kept(me) == ["Netflix is shared", "rent is split"]


async def test_all_notes_are_forgotten_and_all_come_back(me):
    notes = ["Anna pays half the rent", "Netflix is shared"]
    await keep(me, *notes)
    result = await me.run("memories-forget", note="all")
    assert headline_of(result, me.context) == "Forget all 2 notes?"
    assert [row[0] for row in result.table.rows] == notes
    said, undo = await confirm(me, result)
    assert said == "I have forgotten all 2 notes."
    assert await kept(me) == []
    await confirm(me, await me.run(undo.name, **undo.arguments))
    assert await kept(me) == notes


async def test_a_note_is_no_template(me):
    """What a person writes is shown as it is, whatever it looks like."""
    result = await me.run("memories-remember", note="{count} {most} {f1}")
    assert headline_of(result, me.context) == "Remember “{count} {most} {f1}”?"
