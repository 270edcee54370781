"""Which index the marks of the store are about: what is marked as indexed is in that one, and in no other for sure.

Whoever opens another index (on a server in place of files, of another encoder, of a data directory elsewhere) makes it anew, and
the marks are about that one from then on; a process that still has the former one goes by words alone. The former one is left as
it is until the new one holds everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ledger import schema
from ledger.errors import IndexUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.index import SearchIndex
    from ledger.store import Store

_NAME = "index"
_leases = schema.leases.c
_LOOK = sa.select(_leases.holder, _leases.epoch).where(_leases.name == _NAME)
_OURS = schema.leases.update().where(_leases.name == _NAME)


class Marks:
    """What one process knows of the marks, as long as it has one index open."""

    def __init__(self, store: Store) -> None:
        """Nothing is known yet."""
        self._store = store
        self._epoch: int | None = None
        self._tidy = False

    async def own(self, index: SearchIndex) -> None:
        """See to it that the marks are about this index; one that can't be used, or was not the last one, is made anew.

        Raises:
            IndexUnavailable: another index was opened since, or this one can't be made.
        """
        async with self._store.read() as connection:
            row = (await connection.execute(_LOOK)).one_or_none()
        theirs = row is not None and row.holder != index.name
        if theirs and self._epoch is not None:
            raise IndexUnavailable("Another search index has taken the place of this one.")
        if theirs or index.stale:
            await index.wipe()
            self._epoch = await self._begin(index.name, 0 if row is None else row.epoch)
        else:
            self._epoch = row.epoch if row is not None else await self._begin(index.name, 0, anew=False)

    async def mark(self, connection: AsyncConnection, index: SearchIndex, ids: Sequence[int]) -> None:
        """Note that strings are in the index, if it is still the one that the marks are about.

        Raises:
            IndexUnavailable: it is not, or was made anew meanwhile.
        """
        row = (await connection.execute(_LOOK.with_for_update(read=True))).one_or_none()
        if row is None or (row.holder, row.epoch) != (index.name, self._epoch):
            raise IndexUnavailable("Another search index has taken the place of this one.")
        await connection.execute(schema.phrases.update().where(schema.phrases.c.id.in_(ids)).values(indexed=1))

    async def tidy(self, index: SearchIndex) -> None:
        """Delete what former indexes left, once this one holds everything."""
        if not self._tidy:
            await index.drop_former()
            self._tidy = True

    async def _begin(self, holder: str, epoch: int, *, anew: bool = True) -> int:
        """Let the marks be about an index; ``anew`` takes all of them off, since it is empty."""
        values: dict[str, Any] = {"holder": holder, "epoch": epoch + 1, "expires_at": ""}
        try:
            async with self._store.write() as connection:
                if not (await connection.execute(_OURS.values(values))).rowcount:
                    await connection.execute(schema.leases.insert(), {"name": _NAME, **values})
                if anew:
                    await connection.execute(schema.phrases.update().values(indexed=0))
        except IntegrityError as error:
            raise IndexUnavailable("Another process opens the search index just now.") from error
        return epoch + 1
