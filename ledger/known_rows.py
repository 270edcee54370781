"""What a ledger has already, so that an import adds nothing twice (docs/definitions.md, D11)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from ledger import schema
from ledger.visibility import account_stands, set_aside, shows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.identity import Identity
    from ledger.repository import Repository
    from ledger.statement_writer import Identified

_rows = schema.transactions.c
_changes = schema.changes.c
#: How many identities are looked up in one query.
_AT_ONCE = 500


class KnownRows:
    """Tells new rows from those that the ledger shows, that a person set aside, or that files before them brought."""

    def __init__(self, repository: Repository, first: str, last: str) -> None:
        """Use :meth:`open`."""
        self._repository = repository
        self._first, self._last = first, last
        self._contents: dict[str, dict[str, bool]] = {}
        self._keys: set[tuple[str, str]] = set()

    @classmethod
    async def open(cls, repository: Repository) -> KnownRows:
        """Look at which days the ledger has rows, those on which the bank has what a person moved to another among them."""
        mine = _rows.ledger_id == repository.ledger_id, is_known(repository.ledger_id)
        query = sa.select(sa.func.min(_rows.booked_on), sa.func.max(_rows.booked_on)).where(*mine)
        moved = sa.select(sa.func.min(_changes.before), sa.func.max(_changes.before)).where(
            _changes.ledger_id == repository.ledger_id, _changes.field == "day"
        )
        async with repository.store.read(patient=True) as connection:
            ends = [(await connection.execute(each)).one() for each in (query, moved)]
        first = min((start for start, _ in ends if start), default="")
        return cls(repository, first, max((end for _, end in ends if end), default=""))

    @property
    def is_empty(self) -> bool:
        """Whether there is no row at all."""
        return not self._first and not self._contents

    async def fresh(self, rows: Sequence[Identified]) -> list[Identified]:
        """Return the rows that are new: by id where both sides have one, else by what they say."""
        known = await self._look_up(rows)
        return [(placed, identity) for placed, identity in rows if not known.has(placed.account, identity)]

    async def accounts_of(self, rows: Sequence[Identified]) -> Counter[str]:
        """Return how many of some rows there are in each account, going by what they say."""
        found: Counter[str] = Counter()
        known = await self._look_up([(placed, identity) for placed, identity in rows if placed.row.account is None])
        for _, identity in rows:
            for account in known.contents.get(identity.content, ()):
                found[account] += 1
        return found

    def remember(self, rows: Sequence[Identified]) -> None:
        """Know some rows from now on, though they don't show yet: another file of the same import may have them too."""
        for placed, identity in rows:
            self._note(self._contents, placed.account, identity.content, has_id=identity.has_id)
            self._keys.add((placed.account, identity.key))

    async def _look_up(self, rows: Sequence[Identified]) -> _Known:
        """Return what is known of some rows; days on which the ledger has none need no look."""
        known = _Known({}, {key for key in ((p.account, i.key) for p, i in rows) if key in self._keys})
        for _, identity in rows:
            if identity.content in self._contents:
                known.contents[identity.content] = dict(self._contents[identity.content])
        near = [identity for placed, identity in rows if self._first <= placed.row.booked_on.isoformat() <= self._last]
        for start in range(0, len(near), _AT_ONCE):
            await self._query(near[start : start + _AT_ONCE], known)
        return known

    async def _query(self, wanted: Sequence[Identity], known: _Known) -> None:
        ledger = self._repository.ledger_id
        accounts = sa.select(schema.accounts.c.id).where(schema.accounts.c.ledger_id == ledger)
        keys = [identity.key for identity in wanted if identity.has_id]
        queries: list[sa.ColumnElement[bool]] = [_rows.content.in_([identity.content for identity in wanted])]
        if keys:
            queries.append(_rows.account_id.in_(accounts) & _rows.identity.in_(keys))
        async with self._repository.store.read(patient=True) as connection:
            for said in queries:
                query = (
                    sa.select(schema.accounts.c.name, _rows.content, _rows.identity, _rows.has_id)
                    .join(schema.accounts, schema.accounts.c.id == _rows.account_id)
                    .where(_rows.ledger_id == ledger, said, is_known(ledger), account_stands())
                )
                for row in await connection.execute(query):
                    self._note(known.contents, row.name, row.content, has_id=bool(row.has_id))
                    known.keys.add((row.name, row.identity))

    @staticmethod
    def _note(contents: dict[str, dict[str, bool]], account: str, content: str, *, has_id: bool) -> None:
        accounts = contents.setdefault(content, {})
        accounts[account] = accounts.get(account, True) and has_id


def is_known(ledger_id: int) -> sa.ColumnElement[bool]:
    """Return the condition that a row shows or was set aside."""
    return shows(ledger_id) | _rows.batch_id.in_(set_aside(ledger_id))


@dataclass(frozen=True, slots=True)
class _Known:
    """Rows that are there: their accounts by what they say, with whether all such rows have an id; and their keys."""

    contents: dict[str, dict[str, bool]]
    keys: set[tuple[str, str]]

    def has(self, account: str, identity: Identity) -> bool:
        if (account, identity.key) in self.keys:
            return True
        accounts = self.contents.get(identity.content, {})
        return account in accounts and not (identity.has_id and accounts[account])
