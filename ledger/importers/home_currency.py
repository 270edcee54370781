"""In which currency rows are that state none: proved by the country that a file is from, or only likely.

Everything that speaks for a country is either proof, which nothing may contradict, or makes a currency likelier to be
meant. What isn't proved is asked, so that a likely one comes first among the choices.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from ledger.importers.currencies import CODES, currency_of_iban
from ledger.importers.dates import Order
from ledger.stemming import fold
from ledger.transactions import Home
from ledger.wordlists import phrases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ledger.importers.amounts import DecimalMark
    from ledger.transactions import StatementRow

#: How many rows are looked at.
_MOST = 2000
#: What a row says that names a way of paying in one country, which counts twice at most, and a shop, which counts once.
_WAY, _SHOP, _TWICE = 3, 1, 2
#: What all of them must come to, and which share of it must be of one country.
_ENOUGH, _MARGIN = 6, 0.8
#: From how many rows on, and over which share of all, the commonest place at their ends tells where somebody lives: some banks
#: name a place only where it is abroad.
_TELLING, _SHARE = 5, 0.5
_LONGEST_PHRASE = 4
_WORD = re.compile(r"[^\W_]+")

#: Where a card was used, at the end of a descriptor, and what one pays with there. Left out: what is a state of the US
#: as well (CA, DE, IN …) or more often a word.
_PLACES = {
    **dict.fromkeys(("GB", "GBR", "UK"), "GBP"), **dict.fromkeys(("US", "USA"), "USD"),
    **dict.fromkeys(("DEU", "AUT", "FRA", "FR", "IE", "IRL", "NLD", "ESP", "ITA", "BEL", "PRT", "FIN"), "EUR"),
    **dict.fromkeys(("CHE",), "CHF"), **dict.fromkeys(("AUS", "AU"), "AUD"), **dict.fromkeys(("CAN",), "CAD"),
    **dict.fromkeys(("NZ", "NZL"), "NZD"), **dict.fromkeys(("SWE",), "SEK"), **dict.fromkeys(("POL",), "PLN"),
}  # fmt: skip


def find_home(proofs: Iterable[str | None], hints: Iterable[str | None] = ()) -> Home:
    """Return what proofs come to, which must all be of one currency; hints only say what is likely."""
    proved, likely = ([each for each in of if each] for of in (proofs, hints))
    currency = proved[0] if len(set(proved)) == 1 else None
    return Home(currency, tuple(dict.fromkeys((*proved, *likely))))


def currency_of_numbers(numbers: Iterable[str]) -> str | None:
    """Return what one pays with in the country of account numbers, if they are IBANs of one."""
    found = {currency_of_iban(number) for number in numbers}
    return found.pop() if len(found) == 1 else None


def usual_in(order: Order, mark: DecimalMark) -> tuple[str, ...]:
    """Return the currencies of most people who write numbers and days so."""
    if mark == ",":
        return ("EUR",)
    return ("USD", "CAD") if order is Order.MONTH_DAY_YEAR else ()


@dataclass(slots=True)
class Texts:
    """What the texts of rows say of where an account is: ways of paying and shops, and places at their ends."""

    count: int = 0
    named: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    """How often each name was met, by its currency and what it counts."""
    places: Counter[str] = field(default_factory=Counter)

    def over(self, rows: Iterable[StatementRow]) -> Iterator[StatementRow]:
        """Yield the rows, of which the first ones are looked at."""
        for row in rows:
            if self.count < _MOST:
                self._add(row)
            yield row

    def _add(self, row: StatementRow) -> None:
        self.count += 1
        place = _PLACES.get(row.description.rpartition(" ")[2])
        self.places.update((place,) if place else ())
        words = _WORD.findall(fold(f"{row.description} {row.memo} {row.type_hint or ''}"))
        names = _names()
        found = {
            (phrase, *names[phrase])
            for start in range(len(words))
            for end in range(start + 1, start + 1 + _LONGEST_PHRASE)
            if (phrase := " ".join(words[start:end])) in names
        }
        self.named.update(found)

    def proofs(self) -> tuple[str | None, str | None]:
        """Return the currency that the names prove, and that of the places."""
        return self._by_name(), self._by_place()

    def likely(self) -> list[str]:
        """Return the currencies that anything speaks for, the likeliest first."""
        return [code for code, _ in (self._weights() + self.places).most_common()]

    def _weights(self) -> Counter[str]:
        weights: Counter[str] = Counter()
        for (_, currency, weight), times in self.named.items():
            weights[currency] += weight * min(times, _TWICE if weight == _WAY else 1)
        return weights

    def _by_name(self) -> str | None:
        weights = self._weights()
        best, weight = max(weights.items(), key=lambda each: each[1], default=("", 0))
        return best if weight >= max(_ENOUGH, _MARGIN * weights.total()) else None

    def _by_place(self) -> str | None:
        best, times = max(self.places.items(), key=lambda each: each[1], default=("", 0))
        return best if times >= _TELLING and times > _SHARE * self.count else None


@cache
def _names() -> dict[str, tuple[str, int]]:
    """Return what names tell a currency, and how much each counts."""
    sections = (("shops", _SHOP), ("ways", _WAY))
    return {
        phrase: (code, weight)
        for kind, weight in sections
        for code in sorted(CODES)
        for phrase in phrases("currency_words.txt", f"{kind} {code}")
    }
