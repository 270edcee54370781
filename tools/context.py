"""What a tool may know besides its arguments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar, Protocol

from language.tongue import DEFAULT
from ledger.money import exponent
from tools.surface import TERMINAL, Surface

if TYPE_CHECKING:
    from ledger.repository import Repository, Vocabulary
    from ledger.search import Found


class PhraseSearch(Protocol):
    """Finds the search strings of one person's ledger that mean what a query says."""

    async def find(self, query: str, limit: int) -> Found:
        """Return the phrases that hold the query's words, or, where there are none, those near it in meaning."""
        ...


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The person's ledger, its names, and the day and habits by which phrases are read; filled in by the runner."""

    __injected__: ClassVar[bool] = True

    ledger: Repository
    vocabulary: Vocabulary
    search: PhraseSearch
    today: date
    week_start: int = 0
    payday: str = ""
    """The day of the month on which the person is paid, as it is set."""
    locale: str = "en_US"
    """How figures are written."""
    language: str = DEFAULT
    """In which language the answer is."""
    focus: str | None = None
    """The focus mode of the conversation."""
    surface: Surface = TERMINAL
    """Where the answer stands."""
    switched_off: frozenset[str] = frozenset()
    """The tools and apps that the person does without."""

    @property
    def currency(self) -> str:
        """The currency that a bare number means: the one most used in the ledger."""
        return self.vocabulary.currencies[0] if self.vocabulary.currencies else "USD"

    @property
    def smallest_amount(self) -> Decimal:
        """One minor unit of that currency, in major units."""
        return Decimal(1).scaleb(-exponent(self.currency))
