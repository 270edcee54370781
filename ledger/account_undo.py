"""Taking back what a person changed of whole accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from ledger import account_journal, journal, schema
from ledger.account_deletion import bring_account_back
from ledger.account_journal import What, account_to_change
from ledger.account_merging import part_accounts
from ledger.account_names import give_name
from ledger.account_types import put_type_back
from ledger.corrections import take_fields_back
from ledger.journal import Field
from ledger.revisions import touch
from ledger.visibility import is_spoken_of

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

#: What follows for rows from a change of their account, and is put back for many of them at once.
_AT_ONCE = (Field.ACCOUNT, Field.JUDGED)


async def take_account_change_back(connection: AsyncConnection, repository: Repository, token: str) -> None:
    """Put back within a transaction what one change of an account changed; raises ChangeImpossible."""
    ledger = repository.ledger_id
    await touch(connection, ledger)
    change = await account_journal.to_take_back(connection, ledger, token)
    noted = await journal.to_take_back(connection, ledger, token, followed=True)
    single = [each for each in noted if each.field not in _AT_ONCE]
    await take_fields_back(connection, ledger, single)
    match change.what:
        case What.NAME:
            await account_to_change(connection, ledger, change.account_id)
            await give_name(connection, ledger, change.account_id, change.before["name"])
        case What.TYPE:
            await put_type_back(connection, repository, change, noted)
        case What.MERGE:
            await part_accounts(connection, repository, change, noted)
        case What.DELETE:
            await bring_account_back(connection, repository, change, noted)
    await journal.strike_out(connection, ledger, token)
    await account_journal.strike_out(connection, ledger, token)
    await _drop_empty(connection, change.account_id)


async def _drop_empty(connection: AsyncConnection, account_id: int) -> None:
    """Drop an account whose imports were taken back meanwhile, and of which the person says nothing more."""
    accounts = schema.accounts.c
    used = sa.exists().where(schema.transactions.c.account_id == accounts.id)
    stated = sa.exists().where(schema.balances.c.account_id == accounts.id)
    mine = accounts.id == account_id, ~used, ~stated, ~is_spoken_of()
    await connection.execute(schema.accounts.delete().where(*mine))
