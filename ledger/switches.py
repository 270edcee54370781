"""The tools and apps that a person has switched off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.dialects import postgresql, sqlite

from ledger import schema

if TYPE_CHECKING:
    from ledger.repository import Repository

_switches = schema.switches.c


async def switched_off(repository: Repository) -> frozenset[str]:
    """Return the names of the tools and apps that are off for the person."""
    return (await repository.known()).switched_off


async def switch(repository: Repository, name: str, on: bool) -> None:
    """Switch a tool or an app on or off for the person; the caller knows which names there are."""
    person_id = repository.person_id
    async with repository.store.write() as connection:
        if on:
            mine = (_switches.person_id == person_id) & (_switches.name == name)
            await connection.execute(schema.switches.delete().where(mine))
            return
        insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        row = insert(schema.switches).values(person_id=person_id, name=name)
        await connection.execute(row.on_conflict_do_nothing(index_elements=["person_id", "name"]))
