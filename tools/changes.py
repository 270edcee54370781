"""What a writing tool would do: shown first, done only once the person who asked has confirmed it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sqlalchemy.ext.asyncio import AsyncConnection

    from tools.calls import Call


@dataclass(frozen=True, slots=True)
class Change:
    """Work that waits for a yes.

    ``work`` runs in the transaction that uses up the confirmation, so that both happen or neither. ``done`` is the template
    of what is said then, filled from the names of the result that holds this change, and ``undo`` the call that takes it
    back, if one does.
    """

    work: Callable[[AsyncConnection], Awaitable[None]]
    done: str
    undo: Call | None = None
