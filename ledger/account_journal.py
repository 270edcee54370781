"""What a person changed of whole accounts: written down as it is done, so that it can be put back, also after a restart."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.errors import ChangeImpossible
from ledger.journal import packed, unpacked
from ledger.store import utc_now
from ledger.visibility import account_stands

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

_changes = schema.account_changes.c
_accounts = schema.accounts.c
_GONE = "That was taken back already, or its account is gone."


class What(StrEnum):
    """What of an account a person can change."""

    NAME = "name"
    TYPE = "type"
    MERGE = "merge"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class AccountChange:
    """One change of an account that stands: its token, when (an ISO instant in UTC), and what was before and is after.

    ``other_id`` is the account that it became part of. The texts in ``before`` and ``after`` are for whoever changes this.
    """

    id: int
    token: str
    made_at: str
    account_id: int
    other_id: int | None
    what: What
    before: Mapping[str, Any]
    after: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Done:
    """What was done to an account; see :class:`AccountChange`."""

    account_id: int
    what: What
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    other_id: int | None = None


async def note(connection: AsyncConnection, ledger_id: int, token: str, done: Done) -> None:
    """Keep what was changed, within the transaction that changed it."""
    values = {
        "ledger_id": ledger_id, "token": token, "account_id": done.account_id, "other_id": done.other_id,
        "what": done.what.value, "before": packed(**done.before), "after": packed(**done.after), "created_at": utc_now(),
    }  # fmt: skip
    await connection.execute(schema.account_changes.insert().values(values))


async def standing_account_changes(repository: Repository, token: str | None = None) -> list[AccountChange]:
    """Return the changes of accounts that stand, the newest first, or the one of a token."""
    async with repository.store.read() as connection:
        return await _read(connection, repository.ledger_id, token)


async def to_take_back(connection: AsyncConnection, ledger_id: int, token: str) -> AccountChange:
    """Return a change of an account, if nothing was changed on top of it.

    Raises:
        ChangeImpossible: it is not there any more, or a newer change is of the same.
    """
    found = await _read(connection, ledger_id, token)
    if not found:
        raise ChangeImpossible(_GONE)
    (change,) = found
    newer = [each for each in await _read(connection, ledger_id) if each.id > change.id]
    if any(_is_on_top(each, change) for each in newer):
        raise ChangeImpossible("That account was changed again since; take the newer change back first.")
    return change


def _is_on_top(newer: AccountChange, older: AccountChange) -> bool:
    """Whether a change can't stay as it is once an older one is taken back."""
    both = {newer.account_id, newer.other_id} & {older.account_id, older.other_id} - {None}
    whole = (What.MERGE, What.DELETE)
    return bool(both) and (newer.what in whole or newer.what is older.what or older.what in whole)


async def strike_out(connection: AsyncConnection, ledger_id: int, token: str) -> None:
    """Forget a change that was taken back, and the names that came with it."""
    mine = _changes.ledger_id == ledger_id, _changes.token == token
    await connection.execute(schema.account_changes.delete().where(*mine))
    names = schema.account_names.c
    await connection.execute(schema.account_names.delete().where(names.ledger_id == ledger_id, names.token == token))


async def account_to_change(connection: AsyncConnection, ledger_id: int, account_id: int) -> Any:
    """Return an account that a person wants to change.

    Raises:
        ChangeImpossible: it is gone, or became part of another one.
    """
    query = sa.select(schema.accounts).where(
        _accounts.ledger_id == ledger_id, _accounts.id == account_id, account_stands()
    )
    found = (await connection.execute(query)).one_or_none()
    if found is None:
        raise ChangeImpossible("That account is no longer there.")
    return found


async def _read(connection: AsyncConnection, ledger_id: int, token: str | None = None) -> list[AccountChange]:
    query = sa.select(schema.account_changes).where(_changes.ledger_id == ledger_id)
    query = query if token is None else query.where(_changes.token == token)
    found = (await connection.execute(query.order_by(_changes.id.desc()))).all()
    return [
        AccountChange(
            row.id, row.token, row.created_at, row.account_id, row.other_id, What(row.what), unpacked(row.before),
            unpacked(row.after),
        )
        for row in found
    ]  # fmt: skip
