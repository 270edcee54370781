"""A bot process on a platform made of files, which dies where it is told to.

    crashing_bot.py DIRECTORY POINT

``DIRECTORY/incoming`` holds messages, each delivered until ``DIRECTORY/acknowledged`` has its name. A reply becomes the
file ``DIRECTORY/shown/KEY``; one that is there already is the same reply. ``DIRECTORY/sends`` counts every attempt.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from bots.contracts import Capabilities, ConversationKey, Message, Question
from bots.runner import Runner
from bots.runner_settings import RunnerSettings
from graph.reply import Audience, Reply
from graph.turn import TurnOutcome
from ledger import schema
from ledger.people import Person
from ledger.store import Store
from tools.results import Scope
from tools.surface import DIRECT


def die():
    os.kill(os.getpid(), signal.SIGKILL)


class FilePlatform:
    name = "files"
    capabilities = Capabilities(idempotent=True)

    def __init__(self, directory, point):
        self.directory = directory
        self.point = point

    async def start(self, receive):
        for path in sorted((self.directory / "incoming").iterdir()):
            acknowledgement = self.directory / "acknowledged" / path.name
            if acknowledgement.exists():
                continue
            said = json.loads(path.read_text())
            person = Person("files", "home", said["person"])
            conversation = ConversationKey("files", "home", "general", "1", person)
            when = datetime.now(UTC)
            message = Message(
                person, conversation, path.name, "general", path.name, Audience.PRIVATE, when, Question(said["text"])
            )
            await receive(message)
            if self.point == "after accept":
                die()
            acknowledgement.touch()

    async def send(self, delivery):
        if self.point == "after finish":
            die()
        with (self.directory / "sends").open("a") as sends:
            sends.write(f"{delivery.idempotency_key}\n")
        shown = self.directory / "shown" / delivery.idempotency_key
        if not shown.exists():
            part = shown.with_suffix(".part")
            part.write_text(delivery.reply.plain())
            part.rename(shown)
        if self.point == "after send":
            die()

    async def admit(self, message):
        pass

    async def retire(self, delivery):
        pass

    async def readers(self, message):
        return message.audience

    async def surface(self, message):
        return DIRECT

    async def progress(self, conversation, state, steps=()):
        pass

    async def fetch(self, attachment):
        raise NotImplementedError

    async def stop(self):
        pass


class Agent:
    def __init__(self, point):
        self.point = point

    async def answer(self, request):
        if self.point == "during the turn":
            die()
        past = ", ".join(turn.text for turn in request.past)
        reply = Reply("answer", f"{request.person.user}: {request.text} (after: {past})")
        return TurnOutcome(reply, Scope("echo", {"text": request.text}))


def break_store(store, point):
    """Die between the last statement of a finished turn and its commit."""
    if point != "before commit":
        return
    write = store.write

    @asynccontextmanager
    async def write_or_die():
        async with write() as connection:
            yield connection
            done = await connection.execute(schema.inbox.select().where(schema.inbox.c.state == "done"))
            if done.first() is not None:
                die()

    store.write = write_or_die


async def run(directory, point):
    store = await Store.open(directory / "ledger.sqlite3")
    break_store(store, point)
    runner = Runner(store, Agent(point), [FilePlatform(directory, point)], RunnerSettings(attempts=10))
    if point == "after claim":
        claim = runner.inbox.claim

        async def claim_and_die(waiting, **_):
            await claim(waiting)
            die()

        runner.inbox.claim = claim_and_die
    await runner.start()
    await runner.idle()
    await runner.drain(10)
    await store.close()


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), sys.argv[2]))
