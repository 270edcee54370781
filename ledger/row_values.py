"""What the columns of a row are once its person says something of it, by their rules as they are now (D17)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from ledger.categories import Source, categorise
from ledger.journal import Field
from ledger.judgement import UNCATEGORISED, given_name, key_of, own_words, search_text
from ledger.kinds import Ground
from ledger.left_out import leaves_out, read_left_out
from ledger.phrases import phrase_ids
from ledger.rules import read_rules
from ledger.transactions import Kind, flow_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection


def chosen_of(row: Any) -> str | None:
    """Return the category that the person put just this row into."""
    return row.category if row.category_source == Source.ROW else None


def base_of(row: Any) -> tuple[str, str]:
    """Return the category that a row has without the person's word, and who said so."""
    if row.own_category is None:
        return row.category, row.category_source
    return row.own_category, row.own_category_source


async def values_of(  # noqa: PLR0913 - a field of a row
    connection: AsyncConnection, ledger_id: int, row: Any, field: Field, value: str | None, *, given: bool = True
) -> dict[str, Any]:
    """Return the columns of a row whose field has this value; no category stands for the one that it has by itself.

    A merchant's name is the person's if it is ``given``, else the one that was read from the bank's text.
    """
    if field is Field.NOTE:
        return {"notes": value or ""}
    if field is Field.LABELS:
        return {"labels": value or ""}
    if field is Field.DAY:
        day = date.fromisoformat(str(value))
        return {"booked_on": day.isoformat(), "weekday": day.weekday()}
    if field is Field.AMOUNT:
        return {"amount_minor": int(str(value)), "flow": flow_of(Kind(row.kind), int(str(value))).value}
    if field is Field.CATEGORY:
        return await categorised(connection, ledger_id, row, base_of(row), chosen=value)
    name = str(value)
    values = await named(connection, ledger_id, row, name, base_of(row), chosen=chosen_of(row), given=given)
    if row.pair_id is None and row.kind_ground != Ground.PERSON:
        values |= await counted_as(connection, ledger_id, row, key_of(name), Kind(row.own_kind))
    return values


async def named(  # noqa: PLR0913 - what decides about a name and its category
    connection: AsyncConnection,
    ledger_id: int,
    row: Any,
    name: str,
    base: tuple[str, str],
    *,
    chosen: str | None,
    given: bool,
) -> dict[str, Any]:
    """Return the columns of a merchant's name and of the category that goes with it."""
    key, searched = key_of(name), name if given else ""
    values = await categorised(connection, ledger_id, row, base, chosen=chosen, key=key, name=searched)
    return values | {"merchant": name, "merchant_key": key}


async def categorised(  # noqa: PLR0913 - what decides about a category
    connection: AsyncConnection,
    ledger_id: int,
    row: Any,
    base: tuple[str, str],
    *,
    chosen: str | None,
    key: str | None = None,
    name: str | None = None,
) -> dict[str, Any]:
    """Return the columns of a category: the person's for this row, else their rule's for its merchant, else its own.

    ``key`` is the merchant's, and ``name`` one that the person gave; without them both stay as they are.
    """
    key = key or row.merchant_key
    rules = (await read_rules(connection, ledger_id))[1]
    rule = next((category for merchant, category in rules if key_of(merchant) == key), None)
    columns, text = category_columns(row, base, chosen=chosen, rule=rule, name=name)
    return {**columns, "phrase_id": (await phrase_ids(connection, ledger_id, {text}))[text]}


def category_columns(
    row: Any, base: tuple[str, str], *, chosen: str | None, rule: str | None, name: str | None = None
) -> tuple[dict[str, Any], str]:
    """Return the columns of a category, and what the row is then searched by; see :func:`categorised`."""
    name = given_name(row.text, row.category) if name is None else name
    said = chosen or rule
    category, source = (said, Source.ROW.value if chosen else Source.RULE.value) if said else base
    text = search_text(own_words(row.text), None if source == Source.NONE else category, name)
    own, own_source = base if said else (None, None)
    columns = {
        "category": category, "category_source": source, "own_category": own, "own_category_source": own_source,
    }  # fmt: skip
    return columns, text


async def counted_as(connection: AsyncConnection, ledger_id: int, row: Any, key: str, kind: Kind) -> dict[str, Any]:
    """Return the columns of what a row counts as that is of this kind by itself."""
    rules = await read_left_out(connection, ledger_id)
    shown = Kind.LEFT_OUT if leaves_out(rules, key, own_words(row.text), kind, row.amount_minor) else kind
    return {"kind": shown.value, "flow": flow_of(shown, row.amount_minor).value}


async def as_kind(connection: AsyncConnection, ledger_id: int, row: Any, kind: Kind) -> dict[str, Any]:
    """Return the columns of a row that is of this kind by the person's word; a category that came from its kind follows."""
    base, source = base_of(row)
    if source != Source.FILE:
        words, money_in = own_words(row.text), row.amount_minor > 0
        found, how = categorise(merchant=row.merchant, phrase=words, kind=kind, money_in=money_in)
        if how is Source.KIND or source == Source.KIND:
            base, source = found or UNCATEGORISED, how.value
    return {
        **await categorised(connection, ledger_id, row, (base, source), chosen=chosen_of(row)),
        "kind": kind.value, "kind_ground": Ground.PERSON.value, "own_kind": kind.value, "pair_id": None,
        "flow": flow_of(kind, row.amount_minor).value,
    }  # fmt: skip


def kind_noted(row: Any, other: str | None) -> dict[str, Any]:
    """Return what is to be known of a row's kind before it changes; ``other`` is the kind of its other side."""
    category, source = base_of(row)
    return {
        "kind": row.kind, "ground": row.kind_ground, "own": row.own_kind, "category": category, "source": source,
        "pair": row.pair_id, "other": other,
    }  # fmt: skip


async def kind_before(
    connection: AsyncConnection, ledger_id: int, row: Any, key: str, before: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the columns of what a row at a merchant counted as before the person said so, its other side apart."""
    own = Kind(before["own"])
    if before["ground"] == Ground.PERSON:
        counted = {"kind": own.value, "flow": flow_of(own, row.amount_minor).value}
    else:
        counted = await counted_as(connection, ledger_id, row, key, own)
    return {**counted, "kind_ground": before["ground"], "own_kind": own.value, "pair_id": None}
