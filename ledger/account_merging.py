"""Two accounts that are one: what both have is there once, as if the files of both had been read into the same account (D22)."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from ledger import schema, sums
from ledger.account_journal import Done, What, account_to_change, note
from ledger.account_names import give_name, marked, remember
from ledger.corrections import batch_beside, set_aside, set_fields
from ledger.journal import Field, Noted, row_to_change, write_down
from ledger.merging import keep_links, kind_and_names, let_stand, merged_away
from ledger.refunds import release
from ledger.restating import put_states_back, read_rows_of, rewrite
from ledger.retyping import Turn, plan_turn
from ledger.revisions import Planned, touch
from ledger.transactions import AccountType, Flow
from ledger.visibility import BatchKind, shows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.account_journal import AccountChange
    from ledger.account_names import Called
    from ledger.repository import Repository
    from ledger.restating import Rewritten

_rows = schema.transactions.c
_accounts = schema.accounts.c
_balances = schema.balances.c
_files = schema.files.c
_batches = schema.batches.c
_AT_ONCE = 500
#: What stands behind the identity of a row that is set aside, where another one takes its place.
GIVEN_WAY = "/given way"


@dataclass(frozen=True, slots=True)
class MergePlan:
    """What becomes of two accounts' rows, by ids: which of the one's the other has as well, and which come over.

    ``doubles`` gives for each of the former the row that stays; None where the person split that one. ``split`` are rows
    of the other account that the person split in this one. ``give_way`` are rows of the other account that were deleted and
    whose places are taken. ``merged`` gives for those of ``split`` that were no split but merged the row that stands for them.
    """

    doubles: Mapping[int, int | None]
    moving: tuple[int, ...]
    split: tuple[int, ...]
    merged: Mapping[int, int]
    give_way: tuple[int, ...]
    rewritten: tuple[Rewritten, ...]
    shown: int
    """How many of those that come over show."""
    dropped: tuple[Counted, ...]
    """What is there twice until now."""


@dataclass(frozen=True, slots=True)
class Both:
    """Two accounts that are one: that which becomes part of the other, and what both are called then."""

    going: int
    staying: int
    name: str


class Counted(NamedTuple):
    """How a row counts."""

    flow: Flow
    amount_minor: int
    currency: str


@dataclass(frozen=True, slots=True)
class _Row:
    id: int
    batch_id: int
    identity: str
    content: str
    has_id: bool
    shows: bool
    counted: Counted


def planned_merge(ledger_id: int, both: Both) -> Planned[MergePlan]:
    """Return what will come of two accounts' rows, for a person to see and then to be done."""
    return Planned(lambda connection: plan_merge(connection, ledger_id, both.going, both.staying))


async def plan_merge(connection: AsyncConnection, ledger_id: int, going: int, staying: int) -> MergePlan:
    """Return what becomes of the rows of one account in another, told apart as an import tells what is there (D11)."""
    mine, theirs = await _read(connection, ledger_id, going), await _read(connection, ledger_id, staying)
    merged = await merged_away(connection, ledger_id)
    twins = _twins(mine, theirs, merged)
    keys = {row.identity: row for row in theirs}
    in_both = tuple(f"{row.identity}/" for row in mine if row.id in twins and not (row.shows or twins[row.id].shows))
    doubles: dict[int, int | None] = {}
    moving, split, give_way = [], [], []
    for row in mine:
        if row.identity.startswith(in_both):  # a part of what was split in the other account too
            doubles[row.id] = None
            continue
        twin, same = twins.get(row.id), keys.get(row.identity)
        if twin is not None and row.shows:
            doubles[row.id] = twin.id if twin.shows else merged.get(twin.id)
        elif twin is not None and twin.shows:
            split.append(twin.id)  # its parts come over in its place
        elif same is None or row.shows:
            give_way += [same.id] if same is not None else []
            moving.append(row)
    stands = {twins[row.id].id: merged[row.id] for row in mine if row.id in merged and row.id in twins}
    kept = {key: doubles.get(stands[key], stands[key]) for key in split if key in stands}
    kind = await _type_of(connection, staying)
    turn = Turn(going, kind, into=staying, without=frozenset(doubles))
    rewritten = tuple(await plan_turn(connection, ledger_id, turn))
    shown = sum(row.shows for row in moving)
    twice = {*doubles, *split}
    dropped = tuple(row.counted for row in (*mine, *theirs) if row.id in twice)
    moved = tuple(row.id for row in moving)
    parted = {key: row for key, row in kept.items() if row is not None and row not in split}
    return MergePlan(doubles, moved, tuple(split), parted, tuple(give_way), rewritten, shown, dropped)


def _twins(mine: Sequence[_Row], theirs: Sequence[_Row], merged: Mapping[int, int]) -> dict[int, _Row]:
    """Return the rows of the other account that are the same payments, each of one row at most: by identity, else by content.

    What was deleted is nobody's twin; of what was split it is the whole, and of what was merged the row that was set aside,
    unless the one that stands for it is of the account whose twins are sought.
    """
    own = {row.id for row in mine}
    elsewhere = {key for key, stands in merged.items() if stands not in own}
    split = {row.identity[: place.start()] for row in (*mine, *theirs) for place in re.finditer("/", row.identity)}
    there = [row for row in theirs if row.shows or row.identity in split or row.id in elsewhere]
    here = [row for row in mine if row.shows or row.identity in split or row.id in merged]
    there.sort(key=lambda row: not row.shows)
    here.sort(key=lambda row: not row.shows)
    keys = {row.identity: row for row in there}
    found = {row.id: keys[row.identity] for row in here if row.identity in keys}
    taken = {row.id for row in found.values()}
    contents: dict[str, list[_Row]] = defaultdict(list)
    for row in there:
        if row.content and row.id not in taken:
            contents[row.content].append(row)
    for row in here:
        rest = contents.get(row.content, [])
        twin = next((each for each in rest if not (row.has_id and each.has_id)), None)
        if row.id not in found and twin is not None:
            found[row.id] = twin
            rest.remove(twin)
    return {key: twin for key, twin in found.items() if merged.get(key) != twin.id}


async def _read(connection: AsyncConnection, ledger_id: int, account_id: int) -> list[_Row]:
    shown = sa.case((shows(ledger_id), 1), else_=0)
    counted = _rows.flow, _rows.amount_minor, _rows.currency
    columns = _rows.id, _rows.batch_id, _rows.identity, _rows.content, _rows.has_id, shown, *counted
    query = sa.select(*columns).where(_rows.ledger_id == ledger_id, _rows.account_id == account_id).order_by(_rows.id)
    return [
        _Row(*row[:4], bool(row[4]), bool(row[5]), Counted(Flow(row[6]), row[7], row[8]))
        for row in await connection.execute(query)
    ]


async def _type_of(connection: AsyncConnection, account_id: int) -> AccountType | None:
    found = (await connection.execute(sa.select(_accounts.type).where(_accounts.id == account_id))).scalar_one_or_none()
    return AccountType(found) if found else None


async def merge_accounts(
    connection: AsyncConnection,
    repository: Repository,
    token: str,
    both: Both,
    planned: Planned[MergePlan] | None = None,
) -> None:
    """Make one account a part of another within a transaction; they are then found by whatever either was called.

    Raises:
        ChangeImpossible: one of them is no longer there.
    """
    ledger, going, staying = repository.ledger_id, both.going, both.staying
    await touch(connection, ledger)  # one change of a ledger at a time: this locks its row
    goes, stays = [await account_to_change(connection, ledger, each) for each in (going, staying)]
    plan = await (planned or planned_merge(ledger, both)).look(connection, ledger, touched=True)
    held = [*plan.doubles, *plan.moving, *plan.split, *(each.id for each in plan.rewritten)]
    batches = await sums.batches_of(connection, held)
    await hide_rows(connection, ledger, BatchKind.DOUBLE, plan.doubles)
    await _give_way(connection, plan.give_way)
    await move_rows(connection, plan.moving, staying)
    moved = [Noted(key, Field.ACCOUNT, str(going), str(staying)) for key in plan.moving]
    await write_down(connection, ledger, token, moved)
    await rewrite(connection, ledger, token, plan.rewritten)
    await _keep_merged(connection, ledger, token, plan)
    await _keep_what_was_said(connection, ledger, token, plan.doubles)
    before = {
        "name": goes.name, "other_name": stays.name,
        "give_way": list(plan.give_way), "files": await _move_files(connection, going, staying),
        "balances": await _move_balances(connection, ledger, going, staying),
    }  # fmt: skip
    await connection.execute(
        schema.accounts.update().where(_accounts.id == going).values(name=marked(goes.name, token), into_id=staying)
    )
    if stays.name != both.name:
        await give_name(connection, ledger, staying, both.name)
    await _remember_both(connection, ledger, token, goes, stays)
    await note(connection, ledger, token, Done(going, What.MERGE, before, {"name": both.name}, staying))
    await sums.recount_batches(connection, ledger, batches)


async def _remember_both(connection: AsyncConnection, ledger_id: int, token: str, goes: Any, stays: Any) -> None:
    """Let the account that stays be found by all that either was called, by person and banks."""
    names = schema.account_names.c
    mine = sa.select(names.by, names.text).where(names.account_id == goes.id).order_by(names.id)
    called: list[Called] = [(row.by, row.text) for row in await connection.execute(mine)]
    called += [("name", stays.name), ("name", goes.name)]
    if goes.ref:
        called.append(("ref", goes.ref))
    await remember(connection, ledger_id, token, stays.id, called)


async def _keep_what_was_said(
    connection: AsyncConnection, ledger_id: int, token: str, doubles: Mapping[int, int | None]
) -> None:
    """Give the rows that stay what the person said of their doubles, where they said nothing of them.

    The refunds of the doubles are theirs, and of the purchases that doubles are refunds of so are they; where the person
    split the one that would stay, refunds are by themselves again.
    """
    ids = {*doubles, *(stays for stays in doubles.values() if stays is not None)}
    rows = {row.id: row for row in await read_rows_of(connection, ledger_id, ids)}
    for double, stays in doubles.items():
        one = rows[double]
        noted: list[Noted] = []
        if stays is None:
            noted += await release(connection, ledger_id, double) if one.refunded else []
        else:
            wanted = _wanted(rows[stays], one)
            noted += await set_fields(connection, ledger_id, stays, wanted) if wanted else []
            if one.linked or one.refunded:
                noted += await keep_links(connection, ledger_id, rows[stays], one)
        await write_down(connection, ledger_id, token, noted)


def _wanted(stays: Any, double: Any) -> dict[Field, str]:
    """Return what was said of a row and not of the one that stays, which has the other's name and kind if it is linked."""
    wanted: dict[Field, str | None] = {
        Field.NOTE: double.notes if not stays.notes else None,
        Field.LABELS: double.labels if not stays.labels else None,
    }
    if not (stays.linked or double.linked):
        wanted |= kind_and_names(stays, double)
    return {field: value for field, value in wanted.items() if value}


async def _keep_merged(connection: AsyncConnection, ledger_id: int, token: str, plan: MergePlan) -> None:
    """Set rows aside of what stays that were split or merged into another one in the account that goes."""
    for key in plan.split:
        row = await row_to_change(connection, ledger_id, key)
        kept = plan.merged.get(key)
        if kept is None:
            noted = [await set_aside(connection, ledger_id, row), *await release(connection, ledger_id, key)]
        else:
            noted = await let_stand(connection, ledger_id, await row_to_change(connection, ledger_id, kept), row)
        await write_down(connection, ledger_id, token, noted)


async def hide_rows(connection: AsyncConnection, ledger_id: int, kind: BatchKind, ids: Iterable[int]) -> dict[int, int]:
    """Move rows to where nothing shows, beside the batches that they are of; return those new batches by the old ones."""
    held: dict[int, list[int]] = defaultdict(list)
    ordered = sorted(ids)
    for start in range(0, len(ordered), _AT_ONCE):
        some = _rows.id.in_(ordered[start : start + _AT_ONCE])
        for row in await connection.execute(sa.select(_rows.id, _rows.batch_id).where(some)):
            held[row.batch_id].append(row.id)
    made: dict[int, int] = {}
    for batch, rows in sorted(held.items()):
        made[batch] = await batch_beside(connection, ledger_id, kind, batch)
        for start in range(0, len(rows), _AT_ONCE):
            some = _rows.id.in_(rows[start : start + _AT_ONCE])
            await connection.execute(schema.transactions.update().where(some).values(batch_id=made[batch]))
    return made


async def move_rows(connection: AsyncConnection, ids: Sequence[int], account_id: int) -> None:
    """Put rows into an account."""
    for start in range(0, len(ids), _AT_ONCE):
        some = _rows.id.in_(ids[start : start + _AT_ONCE])
        await connection.execute(schema.transactions.update().where(some).values(account_id=account_id))


async def _give_way(connection: AsyncConnection, ids: Sequence[int]) -> None:
    for start in range(0, len(ids), _AT_ONCE):
        some = _rows.id.in_(ids[start : start + _AT_ONCE])
        await connection.execute(schema.transactions.update().where(some).values(identity=_rows.identity + GIVEN_WAY))


async def _move_files(connection: AsyncConnection, going: int, staying: int) -> list[list[int]]:
    """Let files that brought one account's rows be known as the other's; return their ids and imports."""
    query = sa.select(_files.id, _files.batch_id).where(_files.account_id == going).order_by(_files.id)
    found = [list(row) for row in await connection.execute(query)]
    await connection.execute(schema.files.update().where(_files.account_id == going).values(account_id=staying))
    return found


async def _move_balances(connection: AsyncConnection, ledger_id: int, going: int, staying: int) -> list[list[int]]:
    """Put the balances that only one account's files state into the other; return their ids and imports."""
    said = (_balances.currency, _balances.stated_on, _balances.opening, _balances.amount_minor)
    query = sa.select(_balances.id, _balances.batch_id, *said).where(_balances.ledger_id == ledger_id)
    theirs = {tuple(row[2:]) for row in await connection.execute(query.where(_balances.account_id == staying))}
    mine = await connection.execute(query.where(_balances.account_id == going).order_by(_balances.id))
    found = [[row.id, row.batch_id] for row in mine if tuple(row[2:]) not in theirs]
    await _put(connection, schema.balances, found, going, staying)
    return found


async def _put(
    connection: AsyncConnection, table: sa.Table, rows: Sequence[Sequence[int]], account: int, other: int
) -> None:
    """Put what is one account's into another, by ids and imports: ids of what was deleted are given again."""
    for key, batch in rows:
        mine = table.c.id == key, table.c.batch_id == batch, table.c.account_id == account
        await connection.execute(table.update().where(*mine).values(account_id=other))


async def part_accounts(
    connection: AsyncConnection, repository: Repository, change: AccountChange, noted: Sequence[Noted]
) -> None:
    """Make two accounts again of what became one, within a transaction; ``noted`` is what followed for their rows.

    Raises:
        ChangeImpossible: the names that they had are another account's by now.
    """
    ledger, going, staying = repository.ledger_id, change.account_id, int(change.other_id or 0)
    await connection.execute(schema.accounts.update().where(_accounts.id == going).values(into_id=None))
    stays = await account_to_change(connection, ledger, staying)
    if stays.name == change.after["name"] != change.before["other_name"]:
        await give_name(connection, ledger, staying, change.before["other_name"])
    await give_name(connection, ledger, going, change.before["name"])
    moved = [each.transaction_id for each in noted if each.field is Field.ACCOUNT]
    batches = await sums.batches_of(connection, [*moved, *(each.transaction_id for each in noted)])
    await move_rows(connection, moved, going)
    ways = _rows.id.in_(change.before["give_way"]), _rows.account_id == staying, _rows.identity.endswith(GIVEN_WAY)
    kept = sa.func.substr(_rows.identity, 1, sa.func.length(_rows.identity) - len(GIVEN_WAY))
    await connection.execute(schema.transactions.update().where(*ways).values(identity=kept))
    batches |= set(await show_rows(connection, ledger, BatchKind.DOUBLE, going))
    batches |= await sums.batches_of(connection, await put_states_back(connection, ledger, noted))
    await _put(connection, schema.files, change.before["files"], staying, going)
    await _put(connection, schema.balances, change.before["balances"], staying, going)
    await sums.recount_batches(connection, ledger, batches)


async def show_rows(connection: AsyncConnection, ledger_id: int, kind: BatchKind, account_id: int) -> list[int]:
    """Put an account's rows back where they were set aside from; return the batches that they are of again."""
    asides = sa.select(_batches.id, _batches.of_batch_id).where(
        _batches.ledger_id == ledger_id, _batches.kind == kind.value, _batches.undone_at.is_(None)
    )
    found = []
    for aside, of in (await connection.execute(asides)).all():
        mine = _rows.ledger_id == ledger_id, _rows.batch_id == aside, _rows.account_id == account_id
        back = await connection.execute(schema.transactions.update().where(*mine).values(batch_id=of))
        found += [of] if back.rowcount else []
        left = sa.exists().where(_rows.batch_id == aside)
        await connection.execute(schema.batches.delete().where(_batches.id == aside, ~left))
    return found
