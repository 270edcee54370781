"""Who a person is to their workspace, as far as it decides what may be said, and when their day begins."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bots.slack_app.web import checked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bots.slack_app.web import SlackWeb
    from ledger.people import Person

#: How long it is believed, in seconds. A member who becomes a guest is one to us within this time.
_BELIEVED_FOR = 600.0
_MOST = 5000


@dataclass(frozen=True, slots=True)
class Profile:
    """A person in Slack's records; ``member`` is False for guests, bots, people of other workspaces and who has left."""

    member: bool
    time_zone: str = ""


class People:
    """Looks people up (``users.info``), and remembers them for a while."""

    def __init__(self, web: SlackWeb, seconds: Callable[[], float] = time.monotonic) -> None:
        """Ask this workspace."""
        self._web = web
        self._seconds = seconds
        self._known: dict[Person, tuple[float, Profile]] = {}

    async def profile(self, person: Person) -> Profile:
        """Return who the person is; raises SlackFailed and SlackRefused."""
        since, known = self._known.get(person, (0.0, None))
        if known is not None and self._seconds() - since < _BELIEVED_FOR:
            return known
        answer = await checked(self._web.client.users_info(user=person.user))
        profile = _profile(answer.get("user"), person.team)
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[person] = (self._seconds(), profile)
        return profile


def _profile(user: Any, team: str) -> Profile:
    """Read a user object, in which everything that is not said counts against a member.

    https://docs.slack.dev/reference/objects/user-object
    """
    if not isinstance(user, dict):
        return Profile(member=False)
    ours = user.get("team_id") == team or team in _teams_of_organisation(user)
    guest = any(user.get(mark) is not False for mark in ("is_restricted", "is_ultra_restricted"))
    outside = any(user.get(mark) for mark in ("is_stranger", "is_bot", "deleted", "is_workflow_bot"))
    zone = user.get("tz")
    return Profile(ours and not guest and not outside, zone if isinstance(zone, str) else "")


def _teams_of_organisation(user: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the workspaces of an organisation's member, whose own team is the organisation."""
    organisation = user.get("enterprise_user")
    teams = organisation.get("teams") if isinstance(organisation, dict) else None
    return tuple(teams) if isinstance(teams, list) else ()
