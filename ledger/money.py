"""Money as integer minor units with an ISO 4217 currency; ``Decimal`` at the edges, never a float."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Currencies whose minor unit is not a hundredth. Source: ISO 4217, table A.1 (2026-01).
_EXPONENTS = {
    **dict.fromkeys(
        ("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV"), 0
    ),
    **dict.fromkeys(("XAF", "XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
    **dict.fromkeys(("CLF", "UYW"), 4),
}


def exponent(currency: str) -> int:
    """Return how many decimal digits the currency's minor unit has (2 for USD, 0 for JPY)."""
    return _EXPONENTS.get(currency, 2)


def to_minor(amount: Decimal, currency: str) -> int:
    """Return the amount in minor units; digits beyond the minor unit are rounded half to even."""
    return int(amount.scaleb(exponent(currency)).quantize(Decimal(1), rounding=ROUND_HALF_EVEN))


def to_decimal(amount_minor: int, currency: str) -> Decimal:
    """Return minor units as an exact decimal with all of the currency's digits, e.g. ``Decimal("412.30")``."""
    return Decimal(amount_minor).scaleb(-exponent(currency))


def to_decimals(amounts_minor: Iterable[int], currency: str) -> tuple[Decimal, ...]:
    """Return several amounts of one currency in the same way."""
    digits = exponent(currency)
    return tuple(Decimal(minor).scaleb(-digits) for minor in amounts_minor)


@dataclass(frozen=True, slots=True, order=True)
class Money:
    """An amount in minor units of one currency."""

    amount_minor: int
    currency: str

    @property
    def amount(self) -> Decimal:
        """The amount in major units."""
        return to_decimal(self.amount_minor, self.currency)

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"
