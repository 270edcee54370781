"""Looking up what a tool may know of a person."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from language.catalogue import language_of
from ledger.preferences import locale_of
from ledger.search import LedgerSearch
from tools.context import ToolContext

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from ledger.index import SearchIndex
    from ledger.repository import Repository


async def tool_context(
    repository: Repository,
    now: datetime,
    search_index: Callable[[], Awaitable[SearchIndex | None]],
    default_locale: str | None = None,
    focus: str | None = None,
) -> ToolContext:
    """Return a person's ledger, its names, and their day and habits; the day is that of their time zone."""
    known = await repository.known()
    settings = known.settings
    locale = locale_of(settings) or default_locale or "en_US"
    return ToolContext(
        ledger=repository,
        vocabulary=known.vocabulary,
        search=LedgerSearch(repository, search_index),
        today=now.astimezone(_zone(settings.get("time_zone"))).date(),
        week_start=_week_start(settings.get("week_start")),
        payday=settings.get("payday", ""),
        locale=locale,
        language=language_of(locale),
        focus=focus,
        switched_off=known.switched_off,
    )


def _zone(name: str | None) -> ZoneInfo | None:
    """Return the person's zone; None is the zone of the machine."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):
        return None


def _week_start(text: str | None) -> int:
    return int(text) if text and text.isdigit() and int(text) <= 6 else 0
