"""The period grammar: what "last month", "since March" or "vom 1.10. bis 15.10." mean on a given day."""

from __future__ import annotations

from ledger.periods.comparison import full_months, granularity, is_one_year, previous_period, same_days, year_before
from ledger.periods.compounds import part_compounds
from ledger.periods.period import Period
from ledger.periods.reading import PeriodMention, find_periods, parse_period
from ledger.periods.slips import Slip, find_slips, is_slip_of_a_time, known_words, names_a_unit
from ledger.periods.unclear import UnclearPeriod, find_unclear

__all__ = [
    "Period",
    "PeriodMention",
    "Slip",
    "UnclearPeriod",
    "find_periods",
    "find_slips",
    "find_unclear",
    "full_months",
    "granularity",
    "is_one_year",
    "is_slip_of_a_time",
    "known_words",
    "names_a_unit",
    "parse_period",
    "part_compounds",
    "previous_period",
    "same_days",
    "year_before",
]
