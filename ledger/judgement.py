"""What an imported row is: its merchant, search text, kind and category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger import kinds
from ledger.categories import Rule, categorise
from ledger.merchants import merchant_key, normalise_merchant, normalise_phrase
from ledger.transactions import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.kinds import Ground, Judgement
    from ledger.transactions import AccountType, StatementRow

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
        """Judge rows in order; a purchase anywhere among them makes money back from there a refund."""
        merchants = [_merchant(row) for row, _ in rows]
        keys = [merchant_key(merchant) or merchant.casefold() for merchant in merchants]
        entries = list(zip(rows, merchants, keys, strict=True))
        judgements = {}
        for place, ((row, account_type), merchant, key) in enumerate(entries):
            if row.amount < 0:
                judgements[place] = kinds.judge(row, account_type=account_type, merchant=merchant)
                if judgements[place].kind is Kind.PURCHASE:
                    self._bought_at.add(key)
        return [
            self._judged(row, merchant, key, judgements.get(place) or self._money_in(row, account_type, merchant, key))
            for place, ((row, account_type), merchant, key) in enumerate(entries)
        ]

    def _money_in(self, row: StatementRow, account_type: AccountType | None, merchant: str, key: str) -> Judgement:
        return kinds.judge(row, account_type=account_type, merchant=merchant, has_purchases=key in self._bought_at)

    def _judged(self, row: StatementRow, merchant: str, key: str, judgement: Judgement) -> Judged:
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
            merchant=merchant,
            merchant_key=key,
            phrase=search_text(phrase, category),
            kind=judgement.kind,
            ground=judgement.ground,
            category=category or UNCATEGORISED,
            category_source=source.value,
        )


def search_text(phrase: str, category: str | None) -> str:
    """Return what a transaction is searched by: its own words and its category's."""
    return f"{phrase} · {category.casefold()}" if category else phrase


def _merchant(row: StatementRow) -> str:
    return normalise_merchant(row.description, row.payee) or row.description.strip()[:60] or "Unknown"
