"""Exact division and shares, with the project's rounding: half to even (docs/definitions.md, D9)."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def divide(minor: int, parts: int) -> int:
    """Return an amount in minor units divided into equal parts, rounded half to even."""
    return int((Decimal(minor) / Decimal(parts)).quantize(Decimal(1), rounding=ROUND_HALF_EVEN))


def percent(part: Decimal | int, whole: Decimal | int) -> Decimal | None:
    """Return the share in percent with one decimal, half to even; None of nothing."""
    if whole == 0:
        return None
    return (Decimal(part) * 100 / Decimal(whole)).quantize(Decimal("0.1"), rounding=ROUND_HALF_EVEN)


def percents(parts: Iterable[int], whole: int) -> list[Decimal | None]:
    """Return each part's share of the whole in percent, as ``percent`` does."""
    return [percent(part, whole) for part in parts]
