"""What a database that comes out of a backup no longer owes: answers to what was asked then, and replies of then."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import sqlalchemy as sa

from bots.inbox import stamp
from bots.transactions import write
from ledger import schema

if TYPE_CHECKING:
    from ledger.store import Store

_inbox, _outbox = schema.inbox.c, schema.outbox.c


async def drop_unanswered(store: Store) -> int:
    """Answer and send nothing more of what waits, as in a backup that broke off in the middle; return of how many messages."""
    waits = sa.exists().where(_outbox.inbox_id == _inbox.id, _outbox.state.in_(("waiting", "parked")))
    unanswered = _inbox.state.in_(("waiting", "suspect", "taken"))
    count = sa.select(sa.func.count()).select_from(schema.inbox).where(unanswered | waits)
    dead = schema.inbox.update().where(unanswered).values(state="dead", payload="", done_at=stamp(datetime.now(UTC)))
    refused = schema.outbox.update().where(_outbox.state.in_(("waiting", "parked")))

    def drop(connection: sa.Connection) -> int:
        dropped = int(connection.execute(count).scalar_one())
        connection.execute(dead)
        connection.execute(refused.values(state="refused", conversation="", reply="", route=""))
        return dropped

    return await write(store, drop)
