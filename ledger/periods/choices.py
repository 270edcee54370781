"""The known phrases nearest to one that is not."""

from __future__ import annotations

from ledger.stemming import fold

_CHOICES = (
    *("last month", "this month", "last 3 months", "this year", "last year", "last week", "this week", "yesterday"),
    *("today", "past 30 days", "past 7 days", "last quarter", "this quarter", "year to date", "all time"),
    *("last 6 months", "last 12 months", "last weekend", "two weeks ago", "the month before", "same month last year"),
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November"),
    *("December", "first week of October", "last week of October", "end of October", "since March", "until May"),
    *("between March and May", "Q3 2025", "first half of 2025", "last summer", "Christmas", "Easter", "Thanksgiving"),
    *("Black Friday", "weekends", "weekdays", "on Mondays", "last Friday", "before October", "after Easter"),
    *("letzten Monat", "diesen Monat", "letzte 3 Monate", "dieses Jahr", "letztes Jahr", "letzte Woche"),
    *("diese Woche", "gestern", "heute", "vorgestern", "letztes Quartal", "letztes Wochenende", "vor zwei Wochen"),
    *("im Januar", "im Februar", "im März", "im Mai", "im Juni", "im Juli", "im Oktober", "im Dezember"),
    *("seit März", "bis Ende Mai", "zwischen März und Mai", "im Vormonat", "im Sommer", "Weihnachten", "Ostern"),
)


def nearest_phrases(text: str) -> list[str]:
    """Return the four known phrases that are spelled most like the text, the best first."""
    from rapidfuzz import fuzz, process

    found = process.extract(fold(text[:80]).replace("_", " "), _CHOICES, scorer=fuzz.ratio, processor=fold, limit=4)
    return [choice for choice, _score, _place in found]
