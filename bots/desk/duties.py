"""All that the desk does, by the name under which messages and proposals call it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.desk import changes, lookups

if TYPE_CHECKING:
    from bots.confirming import Work
    from bots.desk.desk import Desk, Handler


def handlers(desk: Desk) -> dict[str, Handler]:
    """Return what answers calls of these names, and texts that are nothing but one."""
    return {**lookups.handlers(desk), **changes.handlers(desk)}


def works(desk: Desk) -> dict[str, Work]:
    """Return what does the proposals of these names."""
    return {**lookups.works(desk), **changes.works(desk)}
