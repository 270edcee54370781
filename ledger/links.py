"""One ledger for one person in several places: linked by a code that is shown in one and typed in the other.

Who links looks at the other's ledger, settings, notes and conversations from then on (``joined_id``). What was their own is
put aside as it is, and comes back when the link is taken back.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from ledger import schema
from ledger.errors import LinkRefused
from ledger.people import Person

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.store import Store

#: How long a code can be typed; how many that are not right somebody may type in an hour.
GOOD_FOR: Final = timedelta(minutes=10)
MOST_TRIES: Final = 5
_TRIES_WITHIN = timedelta(hours=1)

#: Without letters and digits that are taken for one another; twelve of them are 60 bits.
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_LENGTH, _GROUP = 12, 4
_CODE = re.compile(rf"[{_LETTERS}]{{{_LENGTH}}}")

_WRONG = "That code is not right, or no longer good: each is good for ten minutes, and once. Ask for a new one there."
_TOO_OFTEN = "Those were too many wrong codes. Please try again in an hour."
_OWN = "This code is of the ledger that you look at already. Type it in the other place where you use me."
_SHARED = "The ledger here is used from another place already. Ask for the code here, and type it there."

_people, _members, _codes, _tries = (
    schema.people.c, schema.members.c, schema.link_codes.c, schema.link_tries.c,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Link:
    """A link that a code offers: whose ledger is kept, whose is put aside, and where the code was shown.

    What is kept is the ledger where the code was shown, unless that one is empty and the other is not.
    """

    code: str
    """As it is stored, from which nobody can tell the code."""
    keeps: int
    leaves: int
    shown_in: str
    """The platform."""
    swapped: bool = False
    """Whether the ledger where the code was typed is kept."""


def person_id_of(person: Person) -> sa.ScalarSelect[int]:
    """Return what finds the number under which a person's things are kept, by a link perhaps; it makes nobody known."""
    return (
        sa.select(sa.func.coalesce(_people.joined_id, _people.id))
        .where(_people.platform == person.platform, _people.team == person.team, _people.user == person.user)
        .scalar_subquery()
    )


def linked_with(person_id: int) -> sa.ColumnElement[bool]:
    """Return what holds for the rows of all who look at one person's ledger, that person included."""
    return sa.or_(_people.id == person_id, _people.joined_id == person_id)


def read_code(text: str) -> str | None:
    """Return the code that somebody types, in whatever form, or None where it has not the form of one."""
    code = re.sub(r"[\s-]", "", text).upper()
    return code if _CODE.fullmatch(code) else None


def spelled(code: str) -> str:
    """Return a code as it is shown."""
    return "-".join(code[start : start + _GROUP] for start in range(0, _LENGTH, _GROUP))


async def new_code(connection: AsyncConnection, person: Person, person_id: int, now: datetime) -> str:
    """Return a code that links another place with a person's ledger, in place of any earlier one of theirs."""
    code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    await connection.execute(schema.link_codes.delete().where(_codes.person_id == person_id))
    row = {
        "person_id": person_id, "shown_in": person.platform, "hash": _hash(code), "expires_at": _stamp(now + GOOD_FOR),
    }  # fmt: skip
    await connection.execute(schema.link_codes.insert().values(row))
    return code


async def offered(store: Store, person: Person, code: str, now: datetime) -> Link:
    """Return the link that a typed code offers; a code that is not right is counted.

    Raises:
        LinkRefused: it offers none; the sentence says why.
    """
    membership = await store.membership(person)
    refused: str | None = None
    async with store.write() as connection:
        own = await _own_id(connection, person)
        await connection.execute(schema.link_tries.delete().where(_tries.tried_at <= _stamp(now - _TRIES_WITHIN)))
        count = sa.select(sa.func.count()).where(_tries.person_id == own)
        if (await connection.execute(count)).scalar_one() >= MOST_TRIES:
            raise LinkRefused(_TOO_OFTEN)
        row = await _code(connection, _hash(code), now)
        if row is None:
            await connection.execute(schema.link_tries.insert().values(person_id=own, tried_at=_stamp(now)))
            refused = _WRONG
    if refused is not None:
        raise LinkRefused(refused)
    assert row is not None
    shown = int(row.person_id)
    if shown == membership.person_id:
        raise LinkRefused(_OWN)
    if await partners(store, membership.person_id):
        raise LinkRefused(_SHARED)
    empty, other = (await rows_of(store, shown)) == 0, await rows_of(store, membership.person_id)
    if empty and other and not await partners(store, shown):
        return Link(row.hash, membership.person_id, shown, row.shown_in, swapped=True)
    return Link(row.hash, shown, membership.person_id, row.shown_in)


async def join(connection: AsyncConnection, link: Link, now: datetime) -> None:
    """Link, and use the code up, within the caller's transaction.

    Raises:
        LinkRefused: the code was used meanwhile, or is no longer good, or one of the two is linked by now.
    """
    used = schema.link_codes.delete().where(_codes.hash == link.code, _codes.expires_at > _stamp(now))
    if not (await connection.execute(used)).rowcount:
        raise LinkRefused(_WRONG)
    # Held until this transaction ends, so that of two links which would make a chain the later one sees the other.
    both = sa.select(_people.id).where(_people.id.in_((link.keeps, link.leaves)), _people.joined_id.is_(None))
    free = set((await connection.execute(both.order_by(_people.id).with_for_update())).scalars())
    if link.keeps not in free:
        raise LinkRefused(_WRONG)
    looking = sa.select(_people.id).where(_people.joined_id == link.leaves)
    if link.leaves not in free or (await connection.execute(looking)).first() is not None:
        raise LinkRefused(_WRONG if link.swapped else _SHARED)
    joining = schema.people.update().where(_people.id == link.leaves)
    await connection.execute(joining.values(joined_id=link.keeps))
    waiting = schema.pending_actions.update().where(schema.pending_actions.c.person_id == link.leaves)
    await connection.execute(waiting.values(person_id=link.keeps))


async def part(connection: AsyncConnection, person: Person) -> int:
    """Take a link back within the caller's transaction: one's own, or as the ledger's first owner those of all others.

    Return how many ended.
    """
    own = await _own_id(connection, person)
    mine = sa.or_(_people.id == own, _people.joined_id == own)
    parting = schema.people.update().where(mine, _people.joined_id.is_not(None)).values(joined_id=None)
    return int((await connection.execute(parting)).rowcount)


async def partners(store: Store, person_id: int) -> tuple[Person, ...]:
    """Return who else looks at the ledger of a person, by a link of theirs."""
    query = sa.select(_people.platform, _people.team, _people.user).where(_people.joined_id == person_id)
    async with store.read() as connection:
        return tuple(Person(*row) for row in await connection.execute(query.order_by(_people.id)))


async def others(store: Store, person: Person) -> tuple[Person, ...]:
    """Return all who look at the same ledger as a person, without that person."""
    membership = await store.membership(person)
    query = sa.select(_people.platform, _people.team, _people.user).where(linked_with(membership.person_id))
    async with store.read() as connection:
        found = tuple(Person(*row) for row in await connection.execute(query.order_by(_people.id)))
    return tuple(each for each in found if each != person)


async def put_aside(store: Store, person: Person) -> tuple[int, int] | None:
    """Return the ids of a person's own row and ledger, where they look at another's by a link of theirs."""
    query = (
        sa.select(_people.id, _members.ledger_id)
        .join(schema.members, _members.person_id == _people.id)
        .where(*_is(person), _people.joined_id.is_not(None))
    )
    async with store.read() as connection:
        row = (await connection.execute(query)).one_or_none()
    return None if row is None else (int(row[0]), int(row[1]))


async def rows_of(store: Store, person_id: int) -> int:
    """Return how many transactions the ledger of a person's own row holds."""
    rows = schema.transactions.c
    query = (
        sa.select(sa.func.count())
        .select_from(schema.transactions)
        .join(schema.members, _members.ledger_id == rows.ledger_id)
        .where(_members.person_id == person_id)
    )
    async with store.read() as connection:
        return int((await connection.execute(query)).scalar_one())


async def family(connection: AsyncConnection, person_id: int) -> Sequence[Any]:
    """Return id, ledger and key of all who look at one person's ledger, that person first, with their own ledgers."""
    key = _people.platform + ":" + _people.team + ":" + _people.user
    query = (
        sa.select(_people.id, _members.ledger_id, key.label("key"))
        .join(schema.members, _members.person_id == _people.id)
        .where(linked_with(person_id))
        .order_by(_people.joined_id.is_not(None), _people.id)
    )
    rows: Sequence[Any] = (await connection.execute(query)).all()
    return rows


async def _own_id(connection: AsyncConnection, person: Person) -> int:
    return int((await connection.execute(sa.select(_people.id).where(*_is(person)))).scalar_one())


async def _code(connection: AsyncConnection, hashed: str, now: datetime) -> Any:
    there = sa.select(schema.link_codes).where(_codes.hash == hashed, _codes.expires_at > _stamp(now))
    return (await connection.execute(there)).one_or_none()


def _is(person: Person) -> tuple[sa.ColumnElement[bool], ...]:
    return _people.platform == person.platform, _people.team == person.team, _people.user == person.user


def _hash(code: str) -> str:
    return hashlib.sha256(f"link\n{code}".encode()).hexdigest()


def _stamp(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat(timespec="milliseconds")
