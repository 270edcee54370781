"""What accounts are called: by the person, by their files, and as they were before, by which they are still found.

The names of an account that is gone, or part of another, end in a mark, so that the name itself is free.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import sqlalchemy as sa

from language.catalogue import say
from ledger import schema
from ledger.account_journal import Done, What, account_to_change, note
from ledger.errors import ChangeImpossible
from ledger.revisions import touch
from ledger.transactions import AccountType
from ledger.visibility import account_shows, account_stands, is_spoken_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

_accounts = schema.accounts.c
_names = schema.account_names.c
#: No name that a person or a file gives holds it.
_MARK = "\x1f"
_TAKEN = "Another account is called “{name}” by now; rename or delete that one first."
LONGEST_NAME = 60

#: What an account is known by, and whether that is a name or a bank's reference.
Called = tuple[Literal["name", "ref"], str]


@dataclass(slots=True)
class Known:
    """The accounts of a ledger by all that they are known by: names of now and before, and their banks' references."""

    ids: dict[str, int] = field(default_factory=dict)
    """By the name of now; also of those that have no row any more and that the person spoke of."""
    types: dict[str, AccountType | None] = field(default_factory=dict)
    by_ref: dict[str, str] = field(default_factory=dict)
    """The names of now by the bank's reference."""
    by_old_name: dict[str, str] = field(default_factory=dict)
    numbered: set[str] = field(default_factory=set)
    """The names of now of accounts with a reference."""
    gone: dict[str, AccountType | None] = field(default_factory=dict)
    """What accounts were called that the person deleted, and their types: their files bring them under that name again."""


def marked(name: str, token: str) -> str:
    """Return what an account is called that no longer stands."""
    return f"{name}{_MARK}{token}"


def unmarked(name: str) -> str:
    """Return what such an account was called."""
    return name.partition(_MARK)[0]


async def read_known(connection: AsyncConnection, ledger_id: int) -> Known:
    """Return the accounts that imports may bring again."""
    columns = (_accounts.id, _accounts.name, _accounts.ref, _accounts.type, _accounts.gone_at)
    kept = (account_stands() & is_spoken_of()) | _accounts.gone_at.is_not(None)
    listed = sa.select(*columns).where(_accounts.ledger_id == ledger_id, account_shows(ledger_id) | kept)
    called = (
        sa.select(_names.account_id, _names.by, _names.text).where(_names.ledger_id == ledger_id).order_by(_names.id)
    )
    known = Known()
    rows = (await connection.execute(listed.order_by(_accounts.gone_at.is_(None), _accounts.id))).all()
    names = {row.id: unmarked(row.name) for row in rows}
    for row in rows:  # those that are gone first, so that what stands counts before them
        name, kind = names[row.id], AccountType(row.type) if row.type else None
        if row.gone_at is not None:
            known.gone[name] = kind
        else:
            known.ids[name], known.types[name] = row.id, kind
            known.numbered |= {name} if row.ref else set()
        if row.ref:
            known.by_ref[row.ref] = name
    for account, by, text in await connection.execute(called):
        if account in names and by == "ref":
            known.by_ref[text] = names[account]
        elif account in names:
            known.by_old_name[text] = names[account]
    return known


async def rename_account(
    connection: AsyncConnection, repository: Repository, token: str, account_id: int, name: str
) -> None:
    """Give an account another name within a transaction; it is still found by the one before.

    Raises:
        ChangeImpossible: it is no longer there, or another one is called so.
    """
    ledger = repository.ledger_id
    await touch(connection, ledger)  # one change of a ledger at a time: this locks its row
    account = await account_to_change(connection, ledger, account_id)
    await give_name(connection, ledger, account_id, name)
    await remember(connection, ledger, token, account_id, [("name", account.name)])
    await note(connection, ledger, token, Done(account_id, What.NAME, {"name": account.name}, {"name": name}))


async def give_name(connection: AsyncConnection, ledger_id: int, account_id: int, name: str) -> None:
    """Call an account something that no other one is called that holds anything.

    Raises:
        ChangeImpossible: another one is.
    """
    others = _accounts.ledger_id == ledger_id, _accounts.name == name, _accounts.id != account_id
    empty = ~sa.exists().where(schema.transactions.c.account_id == _accounts.id) & ~account_shows(ledger_id)
    await connection.execute(schema.accounts.delete().where(*others, empty))  # kept for its name alone
    if (await connection.execute(sa.select(_accounts.id).where(*others))).first() is not None:
        raise ChangeImpossible(say(_TAKEN, name=name))
    await connection.execute(schema.accounts.update().where(_accounts.id == account_id).values(name=name))


async def remember(
    connection: AsyncConnection, ledger_id: int, token: str, account_id: int, called: Sequence[Called]
) -> None:
    """Let an account be found by other names and references too, as long as the change stands that made it so."""
    values = [
        {"ledger_id": ledger_id, "account_id": account_id, "by": by, "text": text, "token": token}
        for by, text in called
    ]
    await connection.execute(schema.account_names.insert(), values)
