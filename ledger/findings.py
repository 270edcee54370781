"""What a ledger holds by now, as it is told after an import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ledger.filters import Filter
from ledger.judgement import UNCATEGORISED
from ledger.tallies import tally_groups
from ledger.transactions import Flow

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository, Vocabulary

#: What was spent where nobody knows what on.
WITHOUT_CATEGORY: Final = Filter(flow=Flow.SPENDING, categories=(UNCATEGORISED,))


@dataclass(frozen=True, slots=True)
class Findings:
    """The names and span of a ledger, and the merchants without a category, those with most money first."""

    vocabulary: Vocabulary
    unfiled: tuple[str, ...]


async def find(connection: AsyncConnection, ledger: Repository) -> Findings:
    """Return what is there in the caller's transaction."""
    vocabulary = await ledger.vocabulary_within(connection)
    sums = await connection.run_sync(
        lambda within: tally_groups(within, ledger.ledger_id, WITHOUT_CATEGORY, "merchant", None)
    )
    spent: dict[str, int] = {}
    for (key, _), totals in sums.items():
        spent[key] = spent.get(key, 0) + totals.net_out_minor
    names = dict(vocabulary.merchants)
    ranked = sorted((key for key in spent if key in names), key=lambda key: (-spent[key], key))
    return Findings(vocabulary, tuple(names[key] for key in ranked))
