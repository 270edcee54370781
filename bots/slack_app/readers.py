"""Who would read what is posted in a channel, as far as Slack tells (``conversations.info``).

https://docs.slack.dev/reference/objects/conversation-object
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.contracts import Readership
from bots.errors import NOBODY_ELSE, SendRefused
from bots.slack_app.sending import NOT_A_MEMBER
from bots.slack_app.web import SlackRefused, checked
from language.catalogue import say

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from bots.contracts import Message
    from bots.slack_app.web import SlackWeb

_UNSEEN = frozenset({"channel_not_found", "not_in_channel"})
#: What marks a channel whose members are not all of this workspace, or will not be once an invitation is taken.
_ABROAD = ("is_ext_shared", "is_pending_ext_shared")


async def readership(web: SlackWeb, message: Message) -> Readership:
    """Return who would read a post in the message's channel.

    Raises:
        SlackFailed: Slack can't be asked now.
        SendRefused: we are no member there, or nobody else is; the sentence says so.
    """
    where = message.conversation
    if where.channel[:1] not in ("C", "G"):
        raise SendRefused(NOBODY_ELSE)
    try:
        answer = await checked(web.client.conversations_info(channel=where.channel))
    except SlackRefused as error:
        if error.code in _UNSEEN:
            raise SendRefused(NOT_A_MEMBER) from error
        return Readership(_place("", where.thread), None)
    channel = answer.get("channel") or {}
    if channel.get("is_member") is False:
        raise SendRefused(NOT_A_MEMBER)
    return Readership(_place(str(channel.get("name") or ""), where.thread), _has_outsiders(channel))


def _place(name: str, thread: str) -> str:
    channel = f"#{name}" if name else say("this channel")
    return say("this thread in {channel}", channel=channel) if thread else channel


def _has_outsiders(channel: Mapping[str, Any]) -> bool | None:
    """Return whether people of other organisations read a channel; what Slack leaves out is not known."""
    told = [channel[mark] for mark in _ABROAD if mark in channel]
    return None if not told else any(told) or bool(channel.get("connected_team_ids"))
