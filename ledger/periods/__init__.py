"""The period grammar: what "last month", "since March" or "vom 1.10. bis 15.10." mean on a given day."""

from __future__ import annotations

from ledger.periods.comparison import full_months, granularity, previous_period, same_days, year_before
from ledger.periods.period import Period
from ledger.periods.reading import PeriodMention, find_periods, parse_period

__all__ = [
    "Period",
    "PeriodMention",
    "find_periods",
    "full_months",
    "granularity",
    "parse_period",
    "previous_period",
    "same_days",
    "year_before",
]
