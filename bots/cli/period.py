"""``period``: which days a phrase means."""

from __future__ import annotations

import calendar
import json
import sys
from typing import TYPE_CHECKING

from bots.clock import clock
from bots.public_json import period_json
from ledger.errors import UnknownPeriod
from ledger.periods import parse_period

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print the inclusive dates, or the nearest phrases that mean some."""
    today = clock(settings.now)().astimezone().date() if settings.now is None else settings.now.date()
    try:
        period = parse_period(arguments.phrase, today, arguments.week_start)
    except UnknownPeriod as error:
        sys.stderr.write(f"money-minder: {error.message}\n")
        if arguments.json:
            print(json.dumps({"error": error.message, "choices": list(error.choices)}))
        elif error.choices:
            sys.stderr.write(f"Do you mean: {', '.join(error.choices)}?\n")
        return 1
    shown = period_json(period) or {}
    if period.weekdays:
        shown = {**shown, "weekdays": list(period.weekdays)}  # type: ignore[dict-item]
    days = ", ".join(calendar.day_name[day] for day in period.weekdays)
    text = f"{shown['start'] or '…'} to {shown['end'] or '…'}" + (f", {days} only" if days else "")
    print(json.dumps(shown) if arguments.json else text)
    return 0
