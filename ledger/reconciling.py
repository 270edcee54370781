"""The balances that an import's files state, beside the ones that are known and the rows that should lead to them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ledger.balances import Run, Stated
from ledger.money import to_minor

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from ledger.balances import Gap, Purse
    from ledger.identity import PlacedRow
    from ledger.repository import Repository

T = TypeVar("T")
#: An account by its name, as it may not be there yet, and a currency.
_Named = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PlacedBalance:
    """A stated balance with the account and the currency that it was found to belong to."""

    account: str
    currency: str
    stated: Stated


@dataclass(frozen=True, slots=True)
class FileBalance:
    """The last balance that a file states of an account, and whether the rows lead to it."""

    account: str
    currency: str
    stated: Stated
    start: Stated | None
    """The balance that the rows lead on from: the first of the file, else the one that was known before."""
    gap: Gap | None
    """The first place on the way where they don't."""
    is_within: bool
    """Whether the file states both balances of that place, so that it is warned of already."""
    is_new: bool
    """Whether the ledger doesn't know it, or another one of the file, yet."""


class Books:
    """The balances and movements of a ledger's accounts, to which files are added one after the other."""

    def __init__(self, stated: Mapping[_Named, list[Stated]], moved: Mapping[_Named, dict[date, int]]) -> None:
        """Use :meth:`read`."""
        self._stated = defaultdict(list, stated)
        self._moved = defaultdict(dict, moved)
        self._fresh: dict[tuple[_Named, Stated], None] = {}

    @classmethod
    async def read(cls, repository: Repository, ids: Mapping[str, int]) -> Books:
        """Return what the ledger knows; ``ids`` are those of its accounts by name."""
        names = {key: name for name, key in ids.items()}
        stated, moved = await repository.books(everywhere=True)
        return cls(_by_name(stated, names), _by_name(moved, names))

    def add(self, rows: Iterable[PlacedRow]) -> None:
        """Take in rows that the ledger doesn't have."""
        for placed in rows:
            days = self._moved[placed.account, placed.currency]
            day = placed.row.booked_on
            days[day] = days.get(day, 0) + to_minor(placed.row.amount, placed.currency)

    def take(self, balances: Iterable[PlacedBalance]) -> tuple[FileBalance, ...]:
        """Take in what a file states, once all of its rows are there; return the last of each account."""
        found: dict[_Named, list[Stated]] = defaultdict(list)
        for each in balances:
            found[each.account, each.currency].append(each.stated)
        return tuple(self._take(key, stated) for key, stated in found.items())

    def _take(self, key: _Named, stated: list[Stated]) -> FileBalance:
        known = self._stated[key]
        fresh = [each for each in dict.fromkeys(stated) if each not in known]
        self._fresh |= {(key, each): None for each in fresh}
        known += fresh
        first, last = (pick(stated, key=lambda each: (each.after, each.opening)) for pick in (min, max))
        run = Run(known, self._moved[key])
        earlier = [each for each in run.stated if each.after < first.after]
        start = first if first.after < last.after else earlier[-1] if earlier else None
        gap = next((gap for gap in run.gaps(first.after, last.after) if gap.end.after >= first.after), None)
        within = gap is not None and {gap.start, gap.end} <= set(stated)
        return FileBalance(*key, last, start, gap, within, bool(fresh))

    def fresh(self, ids: Mapping[str, int]) -> list[tuple[Purse, Stated]]:
        """Return what the ledger doesn't know yet, by the ids that the accounts have by now."""
        return [((ids[account], currency), each) for (account, currency), each in self._fresh]

    @property
    def accounts(self) -> set[str]:
        """The names of the accounts of what the ledger doesn't know yet."""
        return {account for (account, _), _ in self._fresh}


def _by_name(found: Mapping[Purse, T], names: Mapping[int, str]) -> dict[_Named, T]:
    return {(names[account], currency): each for (account, currency), each in found.items() if account in names}
