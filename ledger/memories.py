"""Notes: what a person asked to be remembered, in their own words."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from language.catalogue import say
from ledger import schema
from ledger.errors import NoteRefused
from ledger.store import utc_now

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

#: How many notes are kept for one person, and how many characters one may have.
MOST_NOTES = 100
_TOO_LONG = "A note can have {most} characters, and this one has {length}."
LONGEST_NOTE = 300
#: Signs without a shape of their own that are part of words and emoji.
_JOINERS = frozenset("\u200c\u200d")
_UNSEEN = frozenset(("Cc", "Cf", "Cs"))

_notes = schema.memories.c


@dataclass(frozen=True, slots=True)
class Memory:
    """One note; ``created_at`` is an ISO instant in UTC."""

    id: int
    text: str
    created_at: str

    @property
    def name(self) -> str:
        """What a selection calls it: ``memory:12``."""
        return f"memory:{self.id}"


def clean_note(text: str) -> str:
    """Return a note as it is kept: on one line, composed (NFC), without signs that nobody sees.

    Raises:
        NoteRefused: nothing is left of it, or it is too long.
    """
    shown = (" " if sign.isspace() else sign for sign in text if sign.isspace() or not _is_unseen(sign))
    note = " ".join(unicodedata.normalize("NFC", "".join(shown)).split())
    if not note.strip("\u200c\u200d"):
        raise NoteRefused("There is nothing to remember in that.")
    if len(note) > LONGEST_NOTE:
        raise NoteRefused(say(_TOO_LONG, most=str(LONGEST_NOTE), length=str(len(note))))
    return note


def _is_unseen(sign: str) -> bool:
    return unicodedata.category(sign) in _UNSEEN and sign not in _JOINERS


async def list_memories(repository: Repository) -> tuple[Memory, ...]:
    """Return the person's notes, the oldest first."""
    query = sa.select(_notes.id, _notes.note, _notes.created_at).where(_notes.person_id == repository.person_id)
    async with repository.store.read() as connection:
        return tuple(Memory(*row) for row in await connection.execute(query.order_by(_notes.id)))


async def add_memory(connection: AsyncConnection, repository: Repository, text: str) -> bool:
    """Keep a note within a transaction; return whether it is new. Raises NoteRefused."""
    note, person_id = clean_note(text), repository.person_id
    people = schema.people.c.id
    # One note at a time, or two at once could make one too many; SQLite has one writer anyway.
    await connection.execute(sa.select(people).where(people == person_id).with_for_update())
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    row = insert(schema.memories).values(person_id=person_id, note=note, created_at=utc_now())
    added = await connection.execute(row.on_conflict_do_nothing(index_elements=["person_id", "note"]))
    if not added.rowcount:
        return False
    mine = sa.select(sa.func.count()).where(_notes.person_id == person_id)
    if int((await connection.execute(mine)).scalar_one()) > MOST_NOTES:
        raise NoteRefused(say("I keep {number} notes at most; forget one first.", number=str(MOST_NOTES)))
    return True


async def remove_memories(connection: AsyncConnection, repository: Repository, notes: Collection[str]) -> int:
    """Forget notes within a transaction; return how many there were."""
    mine = (_notes.person_id == repository.person_id) & _notes.note.in_(notes)
    return int((await connection.execute(schema.memories.delete().where(mine))).rowcount)
