"""What the scenarios say, what their people spent, and which reply is which."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from tests.support.bank_files import Line, mint_csv

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.slack_server import Seen, Sent, SlackServer

MONTHS = "January February March April May June July August September October November December".split()


def groceries(spent: Mapping[int, str], shop: str = "Trader Joe's") -> bytes:
    """A bank file with one purchase in each of these months of 2026."""
    return mint_csv(
        Line(date(2026, month, 5), shop, shop.upper(), -Decimal(amount), "Groceries", "Card")
        for month, amount in spent.items()
    )


def question(month: int) -> str:
    return f"How much did I spend on groceries in {MONTHS[month - 1]} 2026?"


def answer(month: int, amount: str) -> str:
    return f"${amount} on groceries in {MONTHS[month - 1]} 2026"


def headline(seen: Seen) -> str:
    return seen.text.partition("\n")[0]


def replies(slack: SlackServer, user: str, thread: Sent | str) -> list[Seen]:
    """What the bot posted in a thread of this person's direct messages, in order."""
    root = thread if isinstance(thread, str) else thread.payload["event"].get("thread_ts") or thread.ts
    return [seen for seen in slack.answers_to(user) if seen.thread_ts == root]


def headlines(slack: SlackServer, user: str, thread: Sent | str) -> list[str]:
    return [headline(seen) for seen in replies(slack, user, thread)]


async def answered(
    slack: SlackServer, user: str, thread: Sent | str, posts: int = 1, timeout: float = 30.0
) -> list[str]:
    """Wait for so many posts in a thread; return the first line of each that is there then."""
    await slack.until(lambda: len(replies(slack, user, thread)) >= posts, timeout)
    return headlines(slack, user, thread)


def said_twice(slack: SlackServer, user: str) -> list[str]:
    """The parts of replies that stand in this person's direct messages more than once, by the key in their metadata."""
    home = slack.workspace.members[user].dm
    keys = Counter(
        str(seen.payload["metadata"]["event_payload"]["key"])
        for seen in slack.answers_to(user)
        if seen.channel == home and seen.payload.get("metadata")
    )
    return [key for key, times in keys.items() if times > 1]
