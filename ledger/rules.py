"""A person's own rules: the category that everything at a merchant has, whatever the file or the brand says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema, sums
from ledger.categories import Source
from ledger.judgement import given_name, key_of, own_words, search_text
from ledger.phrases import forget_phrases, phrase_ids
from ledger.revisions import touch
from ledger.store import utc_now
from ledger.visibility import shows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

_rules = schema.rules.c
_rows = schema.transactions.c


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: the merchant as the ledger calls it, the category it has, and since when (an ISO instant in UTC)."""

    merchant: str
    category: str
    created_at: str


async def list_rules(repository: Repository) -> tuple[Rule, ...]:
    """Return the ledger's rules by the merchant's name."""
    query = sa.select(_rules.pattern, _rules.category, _rules.created_at).where(
        _rules.ledger_id == repository.ledger_id
    )
    async with repository.store.read() as connection:
        found = [Rule(*row) for row in await connection.execute(query)]
    return tuple(sorted(found, key=lambda rule: rule.merchant.casefold()))


async def read_rules(connection: AsyncConnection, ledger_id: int) -> tuple[int, list[tuple[str, str]]]:
    """Return a ledger's revision and its rules as pairs of merchant and category."""
    ledgers = schema.ledgers.c
    revision = (
        await connection.execute(sa.select(ledgers.revision).where(ledgers.id == ledger_id))
    ).scalar_one_or_none()
    query = sa.select(_rules.pattern, _rules.category).where(_rules.ledger_id == ledger_id)
    return revision or 0, [(row.pattern, row.category) for row in await connection.execute(query)]


async def moved_by_rule(repository: Repository, merchant: str) -> dict[str, int]:
    """Return the categories of a merchant's transactions that a rule would put elsewhere, with their numbers."""
    query = sa.select(_rows.category, sa.func.count()).where(*_at(repository, merchant), shows(repository.ledger_id))
    async with repository.store.read() as connection:
        return {row[0]: int(row[1]) for row in await connection.execute(query.group_by(_rows.category))}


async def own_categories(repository: Repository, merchant: str) -> dict[str, int]:
    """Return the categories that a merchant's transactions have without any rule, with their numbers."""
    category = sa.func.coalesce(_rows.own_category, _rows.category)
    shown = shows(repository.ledger_id)
    query = sa.select(category, sa.func.count()).where(*_at(repository, merchant), shown).group_by(category)
    async with repository.store.read() as connection:
        return {row[0]: int(row[1]) for row in await connection.execute(query)}


async def set_rule(connection: AsyncConnection, repository: Repository, merchant: str, category: str) -> int:
    """Give a merchant a category within a transaction, now and in later imports; return how many transactions change.

    An earlier rule for the merchant is replaced. What the transactions are (their kind) and count as stays. The rule
    holds for the rows of an unfinished import as well, uncounted.
    """
    await touch(connection, repository.ledger_id)  # one change of a ledger at a time: this locks its row
    await _drop(connection, repository, merchant)
    values = {
        "ledger_id": repository.ledger_id, "pattern": merchant, "category": category, "created_at": utc_now()
    }  # fmt: skip
    await connection.execute(schema.rules.insert().values(values))
    return await _recategorise(connection, repository, merchant, category)


async def remove_rule(connection: AsyncConnection, repository: Repository, merchant: str) -> int:
    """Take a merchant's rule back within a transaction; return how many transactions change."""
    await touch(connection, repository.ledger_id)
    await _drop(connection, repository, merchant)
    return await _recategorise(connection, repository, merchant, None)


async def _drop(connection: AsyncConnection, repository: Repository, merchant: str) -> None:
    """Delete the rule for a merchant, in whatever spelling it was made."""
    mine = sa.select(_rules.id, _rules.pattern).where(_rules.ledger_id == repository.ledger_id)
    gone = [row.id for row in await connection.execute(mine) if key_of(row.pattern) == key_of(merchant)]
    await connection.execute(schema.rules.delete().where(_rules.ledger_id == repository.ledger_id, _rules.id.in_(gone)))


async def _recategorise(
    connection: AsyncConnection, repository: Repository, merchant: str, category: str | None
) -> int:
    """Put a merchant's transactions into a category, or into their own; what they are searched by follows."""
    grouped = (
        schema.phrases.c.text, _rows.phrase_id, _rows.category, _rows.category_source, _rows.own_category,
        _rows.own_category_source,
    )  # fmt: skip
    query = (
        sa.select(*grouped, sa.func.count().filter(shows(repository.ledger_id)).label("rows"))
        .join(schema.phrases, schema.phrases.c.id == _rows.phrase_id)
        .where(*_at(repository, merchant))
        .group_by(*grouped)
    )
    moves = [_Move.of(row, category) for row in await connection.execute(query)]
    ids = await phrase_ids(connection, repository.ledger_id, {move.text for move in moves})
    if moves:
        await connection.execute(_set_category(repository, merchant), [move.values(ids) for move in moves])
        gone_or_come = {name for move in moves for name in (move.before, move.category)}
        await sums.recount_categories(connection, repository.ledger_id, gone_or_come)
    unused = ~sa.exists().where(_rows.phrase_id == schema.phrases.c.id)
    await forget_phrases(connection, (schema.phrases.c.ledger_id == repository.ledger_id) & unused)
    return sum(move.rows for move in moves if move.category != move.before)


@dataclass(frozen=True, slots=True)
class _Move:
    """Transactions of a merchant that share a search text, a category and their own one, and what they have next."""

    phrase_id: int
    before: str
    source_before: str
    own_before: str | None
    own_source_before: str | None
    rows: int
    text: str
    category: str
    source: str
    own: str | None
    own_source: str | None

    @classmethod
    def of(cls, row: Any, rule: str | None) -> _Move:
        own, own_source = row.own_category, row.own_category_source
        if own is None:
            own, own_source = row.category, row.category_source
        category, source = (own, own_source) if rule is None else (rule, Source.RULE.value)
        return cls(
            row.phrase_id, row.category, row.category_source, row.own_category, row.own_category_source, row.rows,
            search_text(
                own_words(row.text), None if source == Source.NONE else category, given_name(row.text, row.category)
            ),
            category, source,
            None if rule is None else own, None if rule is None else own_source,
        )  # fmt: skip

    def values(self, ids: dict[str, int]) -> dict[str, Any]:
        """Return what :func:`_set_category` is executed with."""
        return {
            "old_phrase": self.phrase_id,
            "old_category": self.before,
            "old_source": self.source_before,
            "old_own": self.own_before,
            "old_own_source": self.own_source_before,
            "new_phrase": ids[self.text],
            "new_category": self.category,
            "new_source": self.source,
            "new_own": self.own,
            "new_own_source": self.own_source,
        }


def _set_category(repository: Repository, merchant: str) -> sa.Update:
    """Return the update of one group; those updated before it differ from it in source or category."""
    return (
        schema.transactions.update()
        .where(
            *_at(repository, merchant),
            _rows.phrase_id == sa.bindparam("old_phrase"),
            _rows.category == sa.bindparam("old_category"),
            _rows.category_source == sa.bindparam("old_source"),
            _rows.own_category.is_not_distinct_from(sa.bindparam("old_own", type_=sa.Text)),
            _rows.own_category_source.is_not_distinct_from(sa.bindparam("old_own_source", type_=sa.Text)),
        )
        .values(
            phrase_id=sa.bindparam("new_phrase"),
            category=sa.bindparam("new_category"),
            category_source=sa.bindparam("new_source"),
            own_category=sa.bindparam("new_own"),
            own_category_source=sa.bindparam("new_own_source"),
        )
    )


def _at(repository: Repository, merchant: str) -> Sequence[sa.ColumnElement[bool]]:
    """Return what rows a rule moves: all of the merchant but those that the person put somewhere one by one."""
    return (
        _rows.ledger_id == repository.ledger_id,
        _rows.merchant_key == key_of(merchant),
        _rows.category_source != Source.ROW.value,
    )
