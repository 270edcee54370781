"""Who a person is to their workspace: as far as it decides what may be said, and by which clock and language they live."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bots.payloads import text_at
from bots.slack_app.web import SlackRefused, checked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bots.contracts import Message
    from bots.slack_app.web import SlackWeb
    from ledger.people import Person

STRANGER: Final = "I answer only members of this workspace, and neither guests nor people of other organisations."

#: Who is nobody in the workspace.
_UNKNOWN = frozenset({"user_not_found", "user_not_visible"})
#: How long it is believed, in seconds. A member who becomes a guest is one to us within this time.
_BELIEVED_FOR = 600.0
_MOST = 5000


@dataclass(frozen=True, slots=True)
class Profile:
    """A person in Slack's records; ``member`` is False for guests, bots, people of other workspaces and who has left."""

    member: bool
    time_zone: str = ""
    locale: str = ""


class People:
    """Looks people up (``users.info``), and remembers them for a while; and which direct messages are theirs with us."""

    def __init__(self, web: SlackWeb, seconds: Callable[[], float] = time.monotonic) -> None:
        """Ask this workspace."""
        self._web = web
        self._seconds = seconds
        self._known: dict[Person, tuple[float, Profile]] = {}
        self._groups: dict[str, tuple[float, frozenset[str]]] = {}
        self._direct: dict[str, str] = {}

    def learn(self, message: Message) -> None:
        """Note which direct messages are the sender's with us: posts reach us from no others."""
        if message.ts is not None and message.channel[:1] == "D":
            self._remember(message.person.user, message.channel)

    async def direct_with(self, user: str) -> str:
        """Return the channel of a person's messages with us, opened if need be; raises SlackFailed and SlackRefused."""
        if user not in self._direct:
            answer = await checked(self._web.client.conversations_open(users=user))
            channel = str((answer.get("channel") or {}).get("id") or "")
            if channel[:1] != "D":
                raise SlackRefused("channel_not_found")
            self._remember(user, channel)
        return self._direct[user]

    async def is_between_us(self, channel: str, user: str) -> bool:
        """Whether a channel is the person's messages with us: one of other people, whose commands reach us, is not.

        Raises SlackFailed; whom Slack lets us write no messages to has none with us.
        """
        if channel[:1] in ("U", "W"):
            return channel == user
        try:
            return channel[:1] == "D" and channel == await self.direct_with(user)
        except SlackRefused:
            return False

    async def profile(self, person: Person) -> Profile:
        """Return who the person is; raises SlackFailed and SlackRefused. Whom Slack does not know is asked for again."""
        since, known = self._known.get(person, (0.0, None))
        if known is not None and self._seconds() - since < _BELIEVED_FOR:
            return known
        try:
            answer = await checked(self._web.client.users_info(user=person.user, include_locale=True))
        except SlackRefused as refused:
            if refused.code not in _UNKNOWN:
                raise
            return Profile(member=False)
        profile = _profile(answer.get("user"), person.team)
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[person] = (self._seconds(), profile)
        return profile

    async def administers(self, person: Person) -> bool:
        """Whether a person is an administrator or owner of their workspace; raises SlackFailed and SlackRefused.

        Of whom Slack knows as another workspace's, or as the whole organisation's, it does not say it of ours.
        """
        user = (await checked(self._web.client.users_info(user=person.user))).get("user")
        if not isinstance(user, dict) or user.get("team_id") != person.team or not _profile(user, person.team).member:
            return False
        return any(user.get(mark) is True for mark in ("is_admin", "is_owner"))

    async def groups(self, user: str, among: Iterable[str]) -> frozenset[str]:
        """Return which of some user groups somebody is in; raises SlackFailed and SlackRefused."""
        return frozenset([group for group in among if user in await self._members(group)])

    async def _members(self, group: str) -> frozenset[str]:
        since, known = self._groups.get(group, (float("-inf"), frozenset[str]()))
        if self._seconds() - since >= _BELIEVED_FOR:
            answer = await checked(self._web.client.usergroups_users_list(usergroup=group))
            known = frozenset(map(str, answer.get("users") or ()))
            self._groups[group] = (self._seconds(), known)
        return known

    def _remember(self, user: str, channel: str) -> None:
        if len(self._direct) >= _MOST:
            self._direct.clear()
        self._direct[user] = channel


def _profile(user: Any, team: str) -> Profile:
    """Read a user object, in which everything that is not said counts against a member.

    https://docs.slack.dev/reference/objects/user-object
    """
    if not isinstance(user, dict):
        return Profile(member=False)
    ours = user.get("team_id") == team or team in _teams_of_organisation(user)
    guest = any(user.get(mark) is not False for mark in ("is_restricted", "is_ultra_restricted"))
    outside = any(user.get(mark) for mark in ("is_stranger", "is_bot", "deleted", "is_workflow_bot"))
    return Profile(ours and not guest and not outside, text_at(user, "tz"), text_at(user, "locale"))


def _teams_of_organisation(user: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the workspaces of an organisation's member, whose own team is the organisation."""
    organisation = user.get("enterprise_user")
    teams = organisation.get("teams") if isinstance(organisation, dict) else None
    return tuple(teams) if isinstance(teams, list) else ()
