"""``period``: which days a phrase means."""

from __future__ import annotations

import calendar
import json
import sys
from typing import TYPE_CHECKING

from bots.cli.speaking import language_here
from bots.clock import clock
from bots.public_json import period_json
from language.catalogue import joined, say, translated
from ledger.errors import UnknownPeriod
from ledger.periods import parse_period

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print the inclusive dates, or the nearest phrases that mean some."""
    language = language_here(settings)
    today = clock(settings.now)().astimezone().date() if settings.now is None else settings.now.date()
    try:
        period = parse_period(arguments.phrase, today, arguments.week_start)
    except UnknownPeriod as error:
        sys.stderr.write(f"money-minder: {translated(error.message, language)}\n")
        if arguments.json:
            print(json.dumps({"error": error.message, "choices": list(error.choices)}))
        elif error.choices:
            near = say("Do you mean: {choices}?", choices=", ".join(error.choices))
            sys.stderr.write(f"{translated(near, language)}\n")
        return 1
    shown = period_json(period) or {}
    if period.weekdays:
        shown = {**shown, "weekdays": list(period.weekdays)}  # type: ignore[dict-item]
    days = joined((say(calendar.day_name[day]) for day in period.weekdays), ", ")
    form = "{start} to {end}, {days} only" if period.weekdays else "{start} to {end}"
    told = say(form, start=str(shown["start"] or "…"), end=str(shown["end"] or "…"), days=days)
    print(json.dumps(shown) if arguments.json else translated(told, language))
    return 0
