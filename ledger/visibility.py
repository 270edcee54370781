"""What of a ledger shows: nothing of an import that is still coming in, or already going again, or that was set aside."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from ledger import schema

_batches = schema.batches.c
_rows = schema.transactions.c
_sums = schema.sums.c
_balances = schema.balances.c


class BatchKind(StrEnum):
    """Whose rows a batch holds; of all but the first two nothing ever shows.

    ``ASIDE``: rows of another batch that the person deleted or split. ``MET``: rows by hand whose places the rows of an
    import took. ``DOUBLE``: rows of an account that became part of another, which has them as well. ``GONE``: rows of an
    account that the person deleted.
    """

    IMPORT = "import"
    HAND = "hand"
    ASIDE = "aside"
    MET = "met"
    DOUBLE = "double"
    GONE = "gone"


#: What goes with the import whose rows it holds.
BESIDE_AN_IMPORT = (BatchKind.ASIDE, BatchKind.DOUBLE, BatchKind.GONE)


def unfinished_imports() -> sa.ColumnElement[bool]:
    """Return the condition that a batch is coming in or going, and no place where rows are kept aside."""
    return _batches.finished_at.is_(None) & ((_batches.kind == BatchKind.IMPORT) | _batches.undone_at.is_not(None))


def set_aside(ledger_id: int) -> sa.Select[tuple[int]]:
    """Return the query for the batches of rows that a person deleted or split: the bank's files have them still."""
    return sa.select(_batches.id).where(
        _batches.ledger_id == ledger_id, _batches.kind == BatchKind.ASIDE, _batches.undone_at.is_(None)
    )


def hidden_batches(ledger_id: int | sa.BindParameter[int]) -> sa.Select[tuple[int]]:
    """Return the query for the batches of which nothing shows; mostly there are none, and never many."""
    return sa.select(_batches.id).where(_batches.ledger_id == ledger_id, _batches.finished_at.is_(None))


def shows(ledger_id: int | sa.BindParameter[int]) -> sa.ColumnElement[bool]:
    """Return the condition that a transaction shows."""
    return _rows.batch_id.not_in(hidden_batches(ledger_id))


def account_stands(accounts: Any = schema.accounts.c) -> sa.ColumnElement[bool]:
    """Return the condition that an account, whether or not it shows, is neither deleted nor part of another."""
    return accounts.gone_at.is_(None) & accounts.into_id.is_(None)  # type: ignore[no-any-return]


def is_spoken_of() -> sa.ColumnElement[bool]:
    """Return the condition that the person said something of an account, which stays known when its rows are gone."""
    named, changed = schema.account_names.c, schema.account_changes.c
    return sa.or_(
        sa.exists().where(named.account_id == schema.accounts.c.id),
        sa.exists().where(changed.account_id == schema.accounts.c.id),
    )


def account_shows(ledger_id: int) -> sa.ColumnElement[bool]:
    """Return the condition that an account shows: no hidden import brought it, or another one uses it."""
    brought = schema.accounts.c.batch_id
    kept = (_sums.ledger_id == ledger_id) & (_sums.cube == "year both") & (_sums.account_id == schema.accounts.c.id)
    used = sa.exists().where(kept, _sums.batch_id.not_in(hidden_batches(ledger_id)))
    stated = sa.exists().where(_balances.account_id == schema.accounts.c.id, balance_shows(ledger_id))
    there = (brought.is_(None) | brought.not_in(hidden_batches(ledger_id))) & ~is_spoken_of()
    return account_stands() & (there | used | stated)


def balance_shows(ledger_id: int) -> sa.ColumnElement[bool]:
    """Return the condition that a stated balance shows: that of an account which stands, from an import that does."""
    accounts = schema.accounts.alias()
    fallen = sa.select(accounts.c.id).where(accounts.c.ledger_id == ledger_id, ~account_stands(accounts.c))
    return _balances.batch_id.not_in(hidden_batches(ledger_id)) & _balances.account_id.not_in(fallen)


def phrase_shows(ledger_id: int) -> sa.ColumnElement[bool]:
    """Return the condition that a search string shows: no hidden import brought it, or another one uses it."""
    brought = schema.phrases.c.batch_id
    used = sa.exists().where(_rows.phrase_id == schema.phrases.c.id, shows(ledger_id))
    return brought.is_(None) | brought.not_in(hidden_batches(ledger_id)) | used
