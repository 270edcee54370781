"""What waits for a worker, where several processes share the work: procrastinate's jobs, in the transactions of the inbox.

    accepted: inbox row + job ``answer``          said of our own accord: outbox row + job ``deliver``
    an occasion to say something: job ``notice``

A job's lock is its conversation: of those with one lock only the first runs, and the next when that is done, which is when
its message is answered and its reply sent. Jobs hold numbers, and are deleted when they are done. This module is all that
takes messages in needs of them; the library itself is loaded by ``bots/worker.py`` alone.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from bots import serialization
from bots.contracts import ConversationKey
from bots.errors import LeaseLost
from bots.history import storable
from bots.transactions import read, write
from ledger import schema

if TYPE_CHECKING:
    from collections.abc import Collection

    from bots.contracts import Delivery, Occasion
    from ledger.people import Person
    from ledger.store import Store

#: The names of the tasks.
ANSWER: Final = "answer"
DELIVER: Final = "deliver"
NOTICE: Final = "notice"
#: A worker says so often that it lives, and counts as dead when it was not heard of for so long, in seconds.
HEARTBEAT: Final = 2.0
DEAD_AFTER: Final = 10.0
_GONE = "Others took this worker for dead, so what it had in hand is theirs by now."

#: The database's own clock, in the form of ``inbox.stamp``: what processes of several machines note must be in one order.
CLOCK: Final = sa.literal_column(
    "to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"')", sa.Text
)

_inbox, _outbox = schema.inbox.c, schema.outbox.c


class Jobs:
    """The jobs of one database."""

    def __init__(self, store: Store) -> None:
        """Use this store, which is in PostgreSQL."""
        self._store = store

    def answer(self, connection: sa.Connection, source: str, conversation: str, message: int, wait: int = 0) -> None:
        """Let a message be answered; with ``wait``, by being turned away for so many seconds."""
        self._defer(connection, ANSWER, source, conversation, {"message": message, "wait": wait})

    def deliver(self, connection: sa.Connection, source: str, conversation: str, reply: int) -> None:
        """Let a reply be sent that no message's job sends."""
        self._defer(connection, DELIVER, source, conversation, {"reply": reply})

    async def notice(self, occasion: Occasion) -> None:
        """Let something be said that nobody asked for, after what was asked before."""
        place = occasion.place
        said = {"occasion": occasion.name, "place": serialization.message_to_json(place)}
        await write(
            self._store, lambda within: self._defer(within, NOTICE, place.source, str(place.conversation), said)
        )

    async def backlog(self) -> int:
        """Return how many messages wait for an answer."""
        query = sa.select(sa.func.count()).select_from(schema.inbox).where(_inbox.state.in_(("waiting", "suspect")))
        return await read(self._store, lambda within: int(within.execute(query).scalar_one()))

    async def is_suspect(self, message: int) -> bool:
        """Whether a process died while a message was being answered."""
        query = sa.select(_inbox.id).where(_inbox.id == message, _inbox.state == "suspect")
        return await read(self._store, lambda within: within.execute(query).first() is not None)

    async def running(self, source: str) -> tuple[ConversationKey, ...]:
        """Return the conversations in which a message is being answered."""
        rows = await read(self._store, lambda within: within.execute(_RUNNING, {"source": source}).scalars().all())
        return tuple(ConversationKey.parse(row) for row in rows)

    async def stop(self, conversation: ConversationKey) -> bool:
        """Let the worker stop what it answers in a conversation; return whether there was anything."""
        asked = {"lock": str(conversation)}
        return await write(self._store, lambda within: bool(within.execute(_STOP, asked).scalars().all()))

    async def before(self, job: int, person: Person) -> int:
        """Return how many messages of a person were begun before this job, and still run."""
        values = {"job": job, "person": f"%/{_escaped(ConversationKey('', '', '', '', person))}"}
        return await read(self._store, lambda within: int(within.execute(_BEFORE, values).scalar_one()))

    async def is_followed(self, delivery: Delivery) -> bool:
        """Whether anything was said in a conversation since what a reply answers."""
        where = delivery.conversation
        values = {"reply": delivery.id, "person": storable(where.person.key), "conversation": str(where)}
        return await read(self._store, lambda within: within.execute(_FOLLOWED, values).first() is not None)

    async def bury(self, sources: Collection[str]) -> None:
        """Give what dead workers had in hand to the others.

        A message that a worker died over is suspect; the crash counts against it where the worker had no other.
        """

        def bury(connection: sa.Connection) -> None:
            connection.execute(_DEAD, {"seconds": DEAD_AFTER})
            left = connection.execute(_LEFT, {"sources": list(sources)}).all()
            taken = Counter(row.epoch for row in left)
            for row in left:
                values = {"wanted": row.id, "blamed": int(taken[row.epoch] == 1)}
                connection.execute(_SUSPECT, values)
            connection.execute(_AGAIN)

        await write(self._store, bury)

    async def leave(self, worker: int) -> None:
        """Let what a worker had in hand wait again that ends in good order."""
        mine = schema.inbox.update().where(_inbox.state == "taken", _inbox.epoch == -worker).values(state="waiting")

        def leave(connection: sa.Connection) -> None:
            connection.execute(_LEAVE, {"worker": worker})
            connection.execute(mine)
            connection.execute(_AGAIN)

        await write(self._store, leave)

    async def adopt(self, sources: Collection[str]) -> None:
        """Give a job to all that waits without one: a process that served alone left it, or a backup brought it back."""

        def adopt(connection: sa.Connection) -> None:
            for row in connection.execute(_UNSENT, {"sources": list(sources)}).all():
                self.deliver(connection, row.source, row.conversation, row.id)
            for row in connection.execute(_UNANSWERED, {"sources": list(sources)}).all():
                self.answer(connection, row.source, row.conversation, row.id)

        await write(self._store, adopt)

    def _defer(
        self, connection: sa.Connection, task: str, source: str, conversation: str, arguments: dict[str, Any]
    ) -> None:
        values = {"task": task, "queue": source, "lock": conversation, "arguments": json.dumps(arguments)}
        connection.execute(_DEFER, values)


class Registration:
    """A worker's place among the others: what it claims and finishes, it does only as long as they know it to live.

    It is to a worker what the lease is to a process that is alone; its ``epoch`` is the negative of the worker's number, so
    that it is no lease's.
    """

    def __init__(self, store: Store) -> None:
        """No worker is registered yet."""
        self.epoch = 0
        self._store = store

    def enter(self, worker: int) -> None:
        """Be this worker from now on."""
        self.epoch = -worker

    def leave(self) -> int:
        """Be no worker any more; return the number of the one that was."""
        worker, self.epoch = -self.epoch, 0
        return worker

    def is_of(self, worker: int | None) -> bool:
        """Whether we are this worker."""
        return worker == -self.epoch

    def fence(self, connection: sa.Connection) -> None:
        """Let nobody bury us before this transaction ends.

        Raises:
            LeaseLost: somebody has.
        """
        if connection.execute(_LIVES, {"worker": -self.epoch}).first() is None:
            raise LeaseLost(_GONE)

    async def confirm(self) -> None:
        """Return if nobody has buried us; raises LeaseLost."""
        await write(self._store, self.fence)


def leave_no_worker(connection: sa.Connection) -> None:
    """Let no worker claim or finish anything any more: one process serves this database alone from now on."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("DELETE FROM procrastinate_workers"))


def _escaped(nobody: ConversationKey) -> str:
    """Return how conversations of a person end, as a pattern for LIKE."""
    end = "/".join(str(nobody).split("/")[-3:])
    return end.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


_DEFER = sa.text(
    "SELECT procrastinate_defer_jobs_v1(ARRAY[ROW(CAST(:queue AS varchar), CAST(:task AS varchar), 0, CAST(:lock AS text), "
    "NULL, CAST(:arguments AS jsonb), NULL)]::procrastinate_job_to_defer_v1[])"
)
_RUNNING = sa.text(
    "SELECT lock FROM procrastinate_jobs WHERE status = 'doing' AND task_name = 'answer' AND queue_name = :source"
)
_STOP = sa.text(
    "SELECT procrastinate_cancel_job_v1(id, true, false) FROM procrastinate_jobs "
    "WHERE status = 'doing' AND task_name = 'answer' AND lock = :lock"
)
_BEFORE = sa.text(
    "SELECT count(*) FROM procrastinate_jobs WHERE status = 'doing' AND task_name = 'answer' AND id < :job AND lock LIKE :person"
)
_later = schema.inbox.alias("later")
_FOLLOWED = (
    sa.select(_later.c.id)
    .join(schema.outbox, _outbox.id == sa.bindparam("reply"))
    .where(_later.c.person == sa.bindparam("person"), _later.c.id > _outbox.inbox_id)
    .where(_later.c.conversation == sa.bindparam("conversation"))
    .limit(1)
)
_LIVES = sa.text("SELECT id FROM procrastinate_workers WHERE id = :worker FOR KEY SHARE")
#: Those who are just claiming or finishing something live.
_DEAD = sa.text(
    "DELETE FROM procrastinate_workers WHERE id IN (SELECT id FROM procrastinate_workers "
    "WHERE last_heartbeat < now() - make_interval(secs => :seconds) FOR UPDATE SKIP LOCKED)"
)
_LEAVE = sa.text("DELETE FROM procrastinate_workers WHERE id = :worker")
_LEFT = sa.text(
    "SELECT id, epoch FROM inbox WHERE state = 'taken' AND source = ANY(:sources) "
    "AND NOT EXISTS (SELECT 1 FROM procrastinate_workers w WHERE w.id = -inbox.epoch) ORDER BY id FOR UPDATE"
).bindparams(sa.bindparam("sources", type_=sa.ARRAY(sa.Text)))
_SUSPECT = (
    schema.inbox.update()
    .where(_inbox.id == sa.bindparam("wanted"))
    .values(state="suspect", crashes=_inbox.crashes + sa.bindparam("blamed", type_=sa.Integer))
)
_AGAIN = sa.text(
    "WITH again AS (UPDATE procrastinate_jobs SET status = 'todo', attempts = attempts + 1, abort_requested = false "
    "WHERE status = 'doing' AND worker_id IS NULL RETURNING id, queue_name) "
    "SELECT pg_notify('procrastinate_queue_v1#' || queue_name, "
    "json_build_object('type', 'job_inserted', 'job_id', id)::text) FROM again"
)
_UNANSWERED = sa.text(
    "SELECT id, source, conversation FROM inbox WHERE state IN ('waiting', 'suspect') AND source = ANY(:sources) "
    "AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs WHERE task_name = 'answer' "
    "AND CAST(args->>'message' AS bigint) = inbox.id) ORDER BY id"
).bindparams(sa.bindparam("sources", type_=sa.ARRAY(sa.Text)))
_UNSENT = sa.text(
    "SELECT id, source, conversation FROM outbox WHERE state = 'waiting' AND source = ANY(:sources) "
    "AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs WHERE task_name = 'answer' "
    "AND CAST(args->>'message' AS bigint) = outbox.inbox_id) "
    "AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs WHERE task_name = 'deliver' "
    "AND CAST(args->>'reply' AS bigint) = outbox.id) ORDER BY id"
).bindparams(sa.bindparam("sources", type_=sa.ARRAY(sa.Text)))
