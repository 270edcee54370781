"""Which transactions a question is about, as data, and the same as SQL conditions."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from ledger import schema
from ledger.periods.period import Period
from ledger.visibility import shows

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa

    from ledger.transactions import Flow, Kind

ALL_TIME = Period(date.min, date.max)

GroupBy = Literal["category", "merchant", "account", "month", "year", "weekday", "week", "day", "currency"]
Order = Literal["newest", "oldest", "largest", "smallest"]


@dataclass(frozen=True, slots=True)
class Beside:
    """Categories that are wider than those asked about, and the keys of merchants whose rows in them count as well."""

    categories: tuple[str, ...]
    merchants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """A conjunction of conditions; an empty tuple or None sets no condition.

    Names of categories are exact, merchants are keys (:func:`ledger.merchants.merchant_key`). ``at_least_minor`` and
    ``at_most_minor`` bound the size of an amount whatever its sign, in minor units of ``currency``.
    """

    period: Period = field(default=ALL_TIME)
    flow: Flow | None = None
    kinds: tuple[Kind, ...] = ()
    categories: tuple[str, ...] = ()
    beside: Beside | None = None
    """What belongs to ``categories`` as well."""
    merchants: tuple[str, ...] = ()
    accounts: tuple[int, ...] = ()
    not_categories: tuple[str, ...] = ()
    not_merchants: tuple[str, ...] = ()
    not_ids: tuple[int, ...] = ()
    phrases: tuple[int, ...] | None = None
    not_phrases: tuple[int, ...] = ()
    means: tuple[str, ...] = ()
    """How they were paid (:class:`ledger.means.Means`)."""
    at_least_minor: int | None = None
    at_most_minor: int | None = None
    currency: str | None = None
    sign: Literal[-1, 1] | None = None
    """Only money out (-1) or only money in (1)."""


def conditions(wanted: Filter, ledger_id: int) -> list[sa.ColumnElement[bool]]:
    """Return the filter as SQL conditions on ``transactions``, the ledger first; what does not show is never in scope."""
    table = schema.transactions.c
    found: list[sa.ColumnElement[bool]] = [table.ledger_id == ledger_id, shows(ledger_id)]
    if wanted.flow is not None:
        found.append(table.flow == wanted.flow.value)
    if wanted.period.start != date.min:
        found.append(table.booked_on >= wanted.period.start.isoformat())
    if wanted.period.end != date.max:
        found.append(table.booked_on <= wanted.period.end.isoformat())
    if wanted.period.weekdays:
        found.append(table.weekday.in_(wanted.period.weekdays))
    if wanted.kinds:
        found.append(_one_of(table.kind, [kind.value for kind in wanted.kinds]))
    if wanted.currency is not None:
        found.append(table.currency == wanted.currency)
    found += _membership(wanted)
    found += _size(wanted)
    return found


def _membership(wanted: Filter) -> list[sa.ColumnElement[bool]]:
    table = schema.transactions.c
    found: list[sa.ColumnElement[bool]] = []
    if wanted.categories:
        found.append(in_categories(wanted, table.category, table.merchant_key))
    for column, values in (
        (table.merchant_key, wanted.merchants),
        (table.account_id, wanted.accounts),
        (table.means, wanted.means),
    ):
        if values:
            found.append(_one_of(column, values))
    for column, values in (
        (table.category, wanted.not_categories),
        (table.merchant_key, wanted.not_merchants),
        (table.id, wanted.not_ids),
        (table.phrase_id, wanted.not_phrases),
    ):
        if values:
            found.append(column.not_in(values))
    if wanted.phrases is not None:
        found.append(table.phrase_id.in_(wanted.phrases))
    return found


def in_categories(
    wanted: Filter, category: sa.ColumnElement[Any], merchant: sa.ColumnElement[Any]
) -> sa.ColumnElement[bool]:
    """Say, with a table's columns for them, that something is in the categories asked about or belongs to them."""
    within = _one_of(category, wanted.categories)
    beside = wanted.beside
    return (
        within if beside is None else within | (_one_of(category, beside.categories) & merchant.in_(beside.merchants))
    )


def _one_of(column: sa.ColumnElement[Any], values: Sequence[Any]) -> sa.ColumnElement[bool]:
    """Say that a column has one of these values, of a single one so that an index goes on by what follows it."""
    return column == values[0] if len(values) == 1 else column.in_(values)


def _size(wanted: Filter) -> list[sa.ColumnElement[bool]]:
    amount = schema.transactions.c.amount_minor
    least, most = wanted.at_least_minor, wanted.at_most_minor
    if wanted.sign is not None:  # one range of an index, where a choice of two would be none
        low = max(1, least or 0)
        found = [amount <= -low if wanted.sign < 0 else amount >= low]
        if most is not None:
            found.append(amount >= -most if wanted.sign < 0 else amount <= most)
        return found
    found = [] if least is None else [(amount >= least) | (amount <= -least)]
    return found if most is None else [*found, amount.between(-most, most)]
