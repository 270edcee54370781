"""What an imported row is: its merchant, search text, kind and category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger import kinds
from ledger.categories import Rule, categorise
from ledger.merchants import merchant_key, normalise_merchant, normalise_phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.kinds import Ground
    from ledger.transactions import AccountType, Kind, StatementRow

#: The category of what nobody has put into one.
UNCATEGORISED = "Uncategorised"


@dataclass(frozen=True, slots=True)
class Judged:
    """What a row was found to be, and on whose word."""

    merchant: str
    merchant_key: str
    phrase: str
    kind: Kind
    ground: Ground
    category: str
    category_source: str


class Judge:
    """Judges rows by the person's rules and by where their ledger holds purchases already."""

    def __init__(self, rules: Sequence[tuple[str, str]], bought_at: Iterable[str]) -> None:
        """Take rules as pairs of pattern and category, and the keys of merchants with purchases."""
        self._rules = tuple(Rule(pattern, category) for pattern, category in rules)
        self._bought_at = set(bought_at)

    def judge_all(self, rows: Sequence[tuple[StatementRow, AccountType | None]]) -> list[Judged]:
        """Judge rows in order; purchases anywhere among them make money back from there a refund."""
        merchants = [_merchant(row) for row, _ in rows]
        keys = [merchant_key(merchant) or merchant.casefold() for merchant in merchants]
        self._bought_at.update(key for (row, _), key in zip(rows, keys, strict=True) if row.amount < 0)
        return [
            self._judge(row, account_type, merchant, key)
            for (row, account_type), merchant, key in zip(rows, merchants, keys, strict=True)
        ]

    def _judge(self, row: StatementRow, account_type: AccountType | None, merchant: str, key: str) -> Judged:
        judgement = kinds.judge(
            row, account_type=account_type, merchant=merchant, has_purchases=key in self._bought_at and row.amount > 0
        )
        phrase = normalise_phrase(row.description, row.payee, row.memo) or merchant.casefold()
        category, source = categorise(
            merchant=merchant,
            phrase=phrase,
            kind=judgement.kind,
            file_category=row.category,
            mcc=row.mcc,
            money_in=row.amount > 0,
            rules=self._rules,
        )
        return Judged(
            merchant, key, search_text(phrase, category), judgement.kind, judgement.ground, category or UNCATEGORISED, source.value
        )


def search_text(phrase: str, category: str | None) -> str:
    """Return what a transaction is searched by: its own words and its category's."""
    return f"{phrase} · {category.casefold()}" if category else phrase


def _merchant(row: StatementRow) -> str:
    return normalise_merchant(row.description, row.payee) or row.description.strip()[:60] or "Unknown"
