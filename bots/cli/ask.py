"""``ask``: one question, one answer."""

from __future__ import annotations

import json
import time
import uuid
from typing import TYPE_CHECKING

from bots.app import App, console_person, open_app
from bots.contracts import ConversationKey, Message
from bots.public_json import reply_json
from graph.reply import Audience, Reply

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings
    from ledger.people import Person


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Answer a question; without a thread it stands alone."""
    started = time.perf_counter()
    person = console_person(arguments.user)
    async with open_app(settings) as app:
        message = question(person, arguments.thread or f"once-{uuid.uuid4().hex}", arguments.question, app)
        outcome = await app.runner.ask(message)
        if arguments.json:
            rows = await row_ids(app, person, outcome.reply)
            seconds = time.perf_counter() - started
            print(json.dumps(reply_json(outcome.reply, outcome.trace, rows, seconds), ensure_ascii=False))
        else:
            from bots.terminal import show_reply, terminal

            show_reply(outcome.reply, terminal(), (await app.tool_context(person)).locale)
        await app.runner.drain(5)
    return 1 if outcome.reply.kind == "error" else 0


def question(person: Person, thread: str, text: str, app: App) -> Message:
    """Return a line typed at the terminal as a message."""
    key = ConversationKey(person.platform, person.team, "terminal", thread, person)
    return Message(
        person=person,
        conversation=key,
        delivery_id=uuid.uuid4().hex,
        channel=f"terminal/{thread}",
        ts=None,
        audience=Audience.PRIVATE,
        received_at=app.clock(),
        text=text,
    )


async def row_ids(app: App, person: Person, reply: Reply) -> list[int]:
    """Return the transactions behind an answer, each once."""
    repository = await app.repository(person)
    found: dict[int, None] = {}
    for wanted in reply.behind:
        found |= dict.fromkeys(await repository.ids(wanted))
    return list(found)
