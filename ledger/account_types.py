"""What type an account is, as the person says: their word counts for what is there and for what is imported later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import schema
from ledger.account_journal import Done, What, account_to_change, note
from ledger.restating import count_again, put_states_back, rewrite
from ledger.retyping import Turn, plan_turn
from ledger.revisions import Planned, touch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.account_journal import AccountChange
    from ledger.journal import Noted
    from ledger.repository import Repository
    from ledger.restating import Rewritten

_accounts = schema.accounts.c


def planned_turn(ledger_id: int, turn: Turn) -> Planned[list[Rewritten]]:
    """Return what will come of an account's rows under another type, for a person to see and then to be done."""
    return Planned(lambda connection: plan_turn(connection, ledger_id, turn))


async def set_account_type(
    connection: AsyncConnection,
    repository: Repository,
    token: str,
    turn: Turn,
    planned: Planned[list[Rewritten]] | None = None,
) -> None:
    """Say of which type an account is, within a transaction; its rows become what is planned for them.

    Raises:
        ChangeImpossible: it is no longer there.
    """
    ledger = repository.ledger_id
    await touch(connection, ledger)  # one change of a ledger at a time: this locks its row
    account = await account_to_change(connection, ledger, turn.account_id)
    rewritten = await (planned or planned_turn(ledger, turn)).look(connection, ledger, touched=True)
    await rewrite(connection, ledger, token, rewritten)
    await _write(connection, turn.account_id, turn.type)
    done = Done(turn.account_id, What.TYPE, {"type": account.type}, {"type": turn.type})
    await note(connection, ledger, token, done)
    await count_again(connection, ledger, [each.id for each in rewritten])


async def put_type_back(
    connection: AsyncConnection, repository: Repository, change: AccountChange, noted: Sequence[Noted]
) -> None:
    """Let an account be of the type that it was, within a transaction; ``noted`` is what followed for its rows."""
    counted = await put_states_back(connection, repository.ledger_id, noted)
    await _write(connection, change.account_id, change.before["type"])
    await count_again(connection, repository.ledger_id, counted)


async def _write(connection: AsyncConnection, account_id: int, account_type: str | None) -> None:
    await connection.execute(schema.accounts.update().where(_accounts.id == account_id).values(type=account_type))
