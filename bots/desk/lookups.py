"""Everything that can be looked up or set at the desk, by the name under which messages and proposals call it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.desk.answers import answer_handlers
from bots.desk.charges import charge_handlers
from bots.desk.settings import setting_handlers, setting_works
from bots.desk.welcome import welcome_handlers, welcome_works

if TYPE_CHECKING:
    from bots.confirming import Work
    from bots.desk.desk import Desk, Handler


def handlers(desk: Desk) -> dict[str, Handler]:
    """Return what answers messages of these names in place of the agent."""
    return {**answer_handlers(desk), **charge_handlers(desk), **setting_handlers(desk), **welcome_handlers(desk)}


def works(desk: Desk) -> dict[str, Work]:
    """Return what does the proposals of these names."""
    return {**setting_works(desk), **welcome_works(desk)}
