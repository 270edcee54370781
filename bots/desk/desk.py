"""The desk: what the handlers of a person's own affairs work with, the same on every platform."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from bots.telling import spoken
from bots.workspaces import Workspaces
from language.catalogue import language_of
from ledger.preferences import locale_of

if TYPE_CHECKING:
    from bots.contracts import Adapter, Attachment, Content, Message
    from bots.history import History, Recollection
    from bots.workspaces import Rules
    from graph.turn import TurnOutcome
    from ledger.people import Person
    from ledger.repository import Repository
    from ledger.store import Store
    from tools.context import ToolContext

Handler = Callable[["Message", "Recollection"], Awaitable["TurnOutcome | Content"]]
"""Answers messages of one name in place of the agent, or returns what is to be asked instead.

A ``proposal`` in its outcome is stored and asked about; a ``change`` is made in the transaction that stores the answer.
"""


Administrators = Literal["none", "rules", "all"]


@dataclass(frozen=True, slots=True)
class Desk:
    """The parts that handlers share. ``fetch`` takes the name of an adapter and raises AttachmentUnavailable."""

    store: Store
    history: History
    context: Callable[[Person], Awaitable[ToolContext]]
    """What tools may know of a person: their ledger, vocabulary, day and locale."""
    fetch: Callable[[str, Attachment], Awaitable[bytes]]
    catch_up: Callable[[], Awaitable[object]]
    """Lets the search index take in what was imported or deleted."""
    writes: bool = True
    """Whether anything may be changed in this installation."""
    default_locale: str = "en_US"
    """How amounts and dates are written for people who set nothing themselves."""
    adapter: Callable[[str], Adapter | None] = lambda _name: None
    """The platform of a name."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    administrators: Administrators = "rules"
    """What those of a workspace may do for everybody in it: nothing, lay down its rules, or also export and delete it."""

    async def rules(self, platform: str, team: str) -> Rules:
        """Return what holds in a workspace."""
        return await Workspaces(self.store).rules(platform, team)

    async def may_share(self, platform: str, team: str) -> bool:
        """Return whether answers may be shared in a workspace."""
        return (await self.rules(platform, team)).sharing

    async def repository(self, person: Person) -> Repository:
        """Return a person's ledger."""
        return await self.store.repository(person)

    async def language(self, message: Message, recollection: Recollection | None = None) -> str:
        """Return the language to answer a message in: its own, that of what was said before, or the person's locale's."""
        said = spoken(message, recollection.past if recollection else ())
        return said or language_of(await self.locale(message.person))

    async def locale(self, person: Person) -> str:
        """Return how a person reads amounts and dates."""
        return locale_of(await self._settings(person)) or self.default_locale

    async def tongue(self, person: Person, told: str = "") -> str:
        """Return the language that a person is shown forms in; ``told`` is the locale that the platform tells just now."""
        settings = await self._settings(person)
        return language_of(settings.get("locale") or told or locale_of(settings) or self.default_locale)

    async def _settings(self, person: Person) -> dict[str, str]:
        """Return what a person has set; of somebody unknown nothing is kept for it."""
        return await (await self.repository(person)).settings() if await self.store.known(person) else {}
