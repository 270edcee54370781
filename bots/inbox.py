"""Messages in and replies out, each exactly once: the two tables that a crash can't confuse.

    waiting → taken → done (or dead, after too many crashes)         what came in
    waiting → sent (or refused; or parked, when it does not work)    what goes out

What was taken when a process died is ``suspect``: it is answered again, alone. A crash counts against a message only if
nothing else was taken, so a message that merely stood beside the one to blame is never given up.

A row that is ``held`` belongs to a caller who waits for the outcome in this process; if that caller dies, nobody wants
the answer any more. Texts and replies are blanked as soon as they are answered and sent: what stays is the mark that
tells a redelivery, until it is pruned.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

import sqlalchemy as sa
import structlog
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError, SQLAlchemyError

from bots import serialization
from bots.contracts import Accepted, ConversationKey, Delivery, Duplicate, Message, Receipt
from bots.errors import InboxUnavailable, UnreadableRecord, outline
from bots.group_commit import GroupCommit
from bots.history import record_turn, storable
from bots.jobs import CLOCK
from bots.transactions import insert_new, read, write
from graph.reply import Audience
from ledger import schema
from ledger.outages import is_passing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from bots.jobs import Jobs
    from bots.lease import Fence
    from graph.reply import Reply
    from graph.turn import TurnOutcome
    from ledger.store import Store

_log = structlog.get_logger(__name__)
_inbox = schema.inbox.c
_outbox = schema.outbox.c

#: Errors of a database that is locked, full or away, for whatever is written.
_AWAY = (OperationalError, InterfaceError, OSError)
_CLOSED = "I can't take messages right now."
#: What waits to be claimed.
_OPEN = ("waiting", "suspect")
#: How long a parked delivery is tried again after a restart, and a held message may be waited for.
_STALE = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A stored message that nobody answers at the moment."""

    id: int
    conversation: ConversationKey
    suspect: bool = False
    """Whether a process died while it was being answered."""


@dataclass(frozen=True, slots=True)
class Strays:
    """What waits in the tables, by id, whether or not anybody has it in hand."""

    messages: dict[int, Waiting]
    deliveries: frozenset[int]


@dataclass(frozen=True, slots=True)
class Entry:
    """A message that is being answered; ``crashes`` counts those that it was alone in."""

    id: int
    message: Message
    crashes: int = 0
    held: bool = False

    @property
    def idempotency_key(self) -> str:
        """The key of its one reply."""
        return idempotency_key(self.message)


@dataclass(frozen=True, slots=True)
class Closed:
    """A message that was answered just now, and the reply that is to be sent or shown."""

    delivery: Delivery


def idempotency_key(message: Message) -> str:
    """Return the key of the one reply to a message: 24 characters, since Discord's nonce takes 25."""
    said = f"{message.source}\n{message.delivery_id}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(said).hexdigest()[:24]


class Inbox:
    """The inbox and outbox of a store."""

    def __init__(self, store: Store, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Use this store and clock."""
        self.lease: Fence | None = None
        """What claiming and finishing are fenced by, once this process serves the platforms."""
        self.jobs: Jobs | None = None
        """By what others are told of what is stored here, where several processes share the work."""
        self._store = store
        self._now = now
        self._insert = insert_new(schema.inbox, store.dialect).returning(_inbox.id)
        self._writing: GroupCommit[Callable[[sa.Connection], Any], Any] = GroupCommit(self._commit, _AWAY)

    async def accept(
        self,
        message: Message,
        state: Literal["waiting", "taken", "held"] = "waiting",
        wait: Callable[[], int] = lambda: 0,
    ) -> Receipt:
        """Store a message, unless it was stored before; those stored earlier are answered earlier.

        ``taken`` accepts and claims in one step. ``wait`` is asked once it is new: its sender must wait so many seconds.

        Raises:
            InboxUnavailable: it could not be stored.
        """
        row = {
            "source": message.source,
            "delivery_id": storable(message.delivery_id),
            "channel": storable(message.channel),
            "ts": None if message.ts is None else storable(message.ts),
            "conversation": str(message.conversation),
            "person": storable(message.person.key),
            "payload": "" if state == "held" else serialization.message_to_json(message),
            "state": state,
            "epoch": self._epoch,
        }
        shared = self.jobs if state == "waiting" else None
        if shared is None:
            row["received_at"] = stamp(message.received_at)

        def store(connection: sa.Connection) -> int | None:
            inserting = self._insert.values(received_at=CLOCK) if shared else self._insert
            new: int | None = connection.execute(inserting, row).scalar_one_or_none()
            if new is not None and shared is not None:
                shared.answer(connection, message.source, str(message.conversation), new, wait())
            return new

        try:
            stored = await self._writing.do(store)
        except (SQLAlchemyError, OSError) as error:
            if self._store.dialect == "sqlite" or not is_passing(error):  # a locked file was waited for already
                raise InboxUnavailable(_CLOSED) from error
            try:
                stored = await self._writing.do(store)  # if it was stored, it waits, and is found
            except (SQLAlchemyError, OSError) as failed:
                raise InboxUnavailable(_CLOSED) from failed
        return Duplicate() if stored is None else Accepted(stored)

    async def claim(self, waiting: int, *, again: bool = False) -> Entry | None:
        """Take a waiting message to answer it; None if it is answered, taken, or can't be read.

        ``again`` is for who does not know whether their first claim arrived; nobody else of this process may claim it.
        Whoever has its job may take it, whoever had that before.
        """
        statement = _CLAIM_BY_JOB if self.jobs else _CLAIM_AGAIN if again else _CLAIM

        def claim(connection: sa.Connection) -> Entry | None:
            self._fence(connection)
            row = connection.execute(statement, {"wanted": waiting, "epoch": self._epoch}).one_or_none()
            if row is None:
                return None
            try:
                message = serialization.message_from_json(row.payload)
                if self.jobs is not None:  # whoever took it in may have another clock than who sends
                    message = replace(message, received_at=datetime.fromisoformat(row.received_at))
                return Entry(waiting, message, row.crashes)
            except UnreadableRecord as error:
                _log.error("message_unreadable", inbox=waiting, error=outline(error))
                connection.execute(_CLOSE, self._closed(waiting, "taken", "dead"))
                return None

        taken: Entry | None = await self._writing.do(claim)
        return taken

    async def next_waiting(self, sources: Collection[str]) -> tuple[Waiting, ...]:
        """Return what waits for an answer: first the suspects, the least suspected before, then in the order of arrival."""
        query = (
            sa.select(_inbox.id, _inbox.conversation, _inbox.state)
            .where(_inbox.state.in_(_OPEN), _inbox.source.in_(sources))
            .order_by(_inbox.state != "suspect", _inbox.crashes, _inbox.id)
        )
        rows = await read(self._store, lambda connection: connection.execute(query).all())
        return tuple(_waiting(row) for row in rows)

    async def strays(self, sources: Collection[str]) -> Strays:
        """Return all that waits to be answered or sent, or was taken and is not answered."""
        messages = sa.select(_inbox.id, _inbox.conversation, _inbox.state).where(
            _inbox.state.in_((*_OPEN, "taken")), _inbox.source.in_(sources)
        )
        replies = sa.select(_outbox.id).where(_outbox.state == "waiting", _outbox.source.in_(sources))

        def look(connection: sa.Connection) -> Strays:
            found = {row.id: _waiting(row) for row in connection.execute(messages.order_by(_inbox.id))}
            return Strays(found, frozenset(connection.execute(replies).scalars()))

        return await read(self._store, look)

    async def reopen(self, taken: Collection[int]) -> None:
        """Let messages wait again that were taken, and that nobody is answering any more; no crash is to blame."""
        again = schema.inbox.update().where(_inbox.id.in_(taken), _inbox.state == "taken").values(state="waiting")

        def reopen(connection: sa.Connection) -> None:
            self._fence(connection)
            connection.execute(again)

        await write(self._store, reopen)

    async def finish(self, entry: Entry, outcome: TurnOutcome, reply: Reply | None = None) -> Delivery | None:
        """Write down a turn: history, inbox and outbox in one transaction.

        ``reply`` is what is sent where that is not ``outcome.reply``. None is returned where the entry was finished before.
        """
        try:
            return await self._finish(entry, outcome, reply or outcome.reply)
        except IntegrityError:  # the person was deleted by another process after we had looked up their id
            self._store.forget_membership(entry.message.person)
            return await self._finish(entry, outcome, reply or outcome.reply)

    async def _finish(self, entry: Entry, outcome: TurnOutcome, reply: Reply) -> Delivery | None:
        person_id = (await self._store.membership(entry.message.person)).person_id
        closed: Closed | None = await self._writing.do(
            lambda connection: self.close(connection, entry, reply, (person_id, outcome))
        )
        return None if closed is None else closed.delivery

    async def announce(self, place: Message, reply: Reply) -> Delivery | None:
        """Store what is said of our own accord, to be sent; None where it was said before.

        It leaves the mark of a message that is done and was written nowhere, so that no turn is ever about it.
        """
        now, key = self._stamp(), idempotency_key(place)
        said, where = storable(place.delivery_id), str(place.conversation)
        mark = {"source": place.source, "delivery_id": said, "channel": "", "conversation": where, "payload": ""}
        mark |= {"person": storable(place.person.key), "state": "done", "received_at": now, "done_at": now}
        row = {"source": place.source, "conversation": where, "idempotency_key": key, "created_at": now}
        row |= {"reply": serialization.reply_to_json(reply), "route": storable(place.route)}

        def announce(connection: sa.Connection) -> int | None:
            marked = connection.execute(self._insert, mark).scalar_one_or_none()
            if marked is None:
                return None
            stored: int = connection.execute(_SEND, {**row, "inbox_id": marked}).scalar_one()
            if self.jobs is not None:
                self.jobs.deliver(connection, place.source, where, stored)
            return stored

        delivery = await self._writing.do(announce)
        if delivery is None:
            return None
        return Delivery(delivery, place.conversation, reply, key, place.route, answers=place.delivery_id)

    async def decline(
        self, entry: Entry, reply: Reply, *, dead: bool = False, lapse: Callable[[sa.Connection], None] | None = None
    ) -> Delivery | None:
        """Answer a message without a turn, so that the conversation goes on from where it was.

        ``lapse`` is done in the same transaction, unless the message was answered before.
        """

        def decline(connection: sa.Connection) -> Closed | None:
            closed = self.close(connection, entry, reply, dead=dead)
            if closed is not None and lapse is not None:
                lapse(connection)
            return closed

        closed: Closed | None = await self._writing.do(decline)
        return None if closed is None else closed.delivery

    def close(
        self,
        connection: sa.Connection,
        entry: Entry,
        reply: Reply,
        turn: tuple[int, TurnOutcome] | None = None,
        *,
        dead: bool = False,
    ) -> Closed | None:
        """Answer a message within the caller's transaction; None if it was answered before.

        ``turn`` is the id of the person and what is to be remembered. Where the very answer was to delete them, the
        message is nobody's by now, and nothing is remembered.
        """
        if not entry.held:
            self._fence(connection)
        closing = self._closed(entry.id, "held" if entry.held else "taken", "dead" if dead else "done")
        closed = connection.execute(_CLOSE, closing).one_or_none()
        if closed is None:
            return None
        message, key, now = entry.message, entry.idempotency_key, self._stamp()
        if turn is not None and closed.person:
            record_turn(connection, turn[0], entry, turn[1], now)
        delivery = Delivery(0, message.conversation, reply, key, message.route, answers=message.delivery_id)
        if entry.held:
            return Closed(delivery)
        row = {
            "inbox_id": entry.id,
            "source": message.source,
            "conversation": str(message.conversation),
            "idempotency_key": key,
            "reply": serialization.reply_to_json(reply),
            "route": storable(message.route),
            "created_at": now,
        }
        return Closed(replace(delivery, id=connection.execute(_SEND, row).scalar_one()))

    async def told(self, entry: Entry) -> Delivery | None:
        """Return the reply to a message that was answered, as long as it is to be sent.

        For who does not know whether what they wrote arrived.
        """
        found = await self._unsent(_outbox.idempotency_key == entry.idempotency_key)
        return found[0] if found else None

    async def left_by(self, message: int) -> tuple[Delivery, ...]:
        """Return the reply to a message that was answered, as long as it is to be sent."""
        return await self._unsent(_outbox.inbox_id == message)

    async def unsent(self, sources: Collection[str], among: Collection[int] | None = None) -> tuple[Delivery, ...]:
        """Return the replies, all or some, that are still to be sent and were not by whoever gave them, in their order."""
        which = _outbox.source.in_(sources)
        return await self._unsent(which if among is None else which & _outbox.id.in_(among))

    async def _unsent(self, which: sa.ColumnElement[bool]) -> tuple[Delivery, ...]:
        query = (
            sa.select(_outbox.id, _outbox.conversation, _outbox.reply, _outbox.idempotency_key, _outbox.route)
            .add_columns(_inbox.delivery_id)
            .join(schema.inbox, _inbox.id == _outbox.inbox_id)
            .where(_outbox.state == "waiting", which)
            .order_by(_outbox.id)
        )
        rows = await read(self._store, lambda connection: connection.execute(query).all())
        return tuple(delivery for row in rows if (delivery := _delivery(row)) is not None)

    async def sent(self, delivery: Delivery) -> None:
        """Note that the platform has taken a reply, and keep its text no longer."""
        moment = {} if self.jobs else {"now": self._stamp()}
        await self._write(_SENT_BY_CLOCK if self.jobs else _SENT, {"wanted": delivery.id, **moment})

    async def refused(self, delivery: Delivery) -> None:
        """Note that the platform will never take a reply, and keep its text no longer.

        What could not be shared may be asked for again: sharing does nothing else, so its message leaves no mark.
        """
        shares = delivery.reply.audience is Audience.SHARED and delivery.reply.kind == "answer"
        await self._write(_UNMARK if shares else _REFUSED, {"wanted": delivery.id})

    async def park(self, delivery: Delivery, attempts: int) -> None:
        """Put a reply aside that did not get through; a restart within a day tries it again."""
        await self._write(_PARK, {"wanted": delivery.id, "tried": attempts})

    async def recover(self, sources: Collection[str]) -> None:
        """Make what was taken by a dead process suspect, and what was parked wait; for who serves these sources, at the start.

        The crash counts against a message that was alone.
        """
        orphaned = (_inbox.state == "taken") & _inbox.source.in_(sources)
        if self.lease is not None:
            orphaned &= _inbox.epoch != self.lease.epoch

        def recover(connection: sa.Connection) -> None:
            left = connection.execute(sa.select(_inbox.id).where(orphaned)).scalars().all()
            blamed = int(len(left) == 1)
            suspected = schema.inbox.update().where(_inbox.id.in_(left))
            connection.execute(suspected.values(state="suspect", crashes=_inbox.crashes + blamed))
            connection.execute(self._unpark(sources))

        await write(self._store, recover)

    async def unpark(self, sources: Collection[str]) -> None:
        """Let what was parked wait again."""
        await write(self._store, lambda connection: connection.execute(self._unpark(sources)).rowcount)

    def _unpark(self, sources: Collection[str]) -> sa.Update:
        parked = (
            (_outbox.state == "parked") & _outbox.source.in_(sources) & (_outbox.created_at >= self._stamp(-_STALE))
        )
        return schema.outbox.update().where(parked).values(state="waiting")

    async def prune(self, keep: timedelta = timedelta(days=7)) -> int:
        """Delete the marks of what was answered and sent longer ago; return how many.

        Platforms deliver again within minutes or hours; a message older than ``keep`` would be answered anew.
        """
        unsent = sa.exists().where(_outbox.inbox_id == _inbox.id, _outbox.state == "waiting")
        answered = _inbox.state.in_(("done", "dead")) & (_inbox.done_at < self._stamp(-keep)) & ~unsent
        abandoned = (_inbox.state == "held") & (_inbox.received_at < self._stamp(-_STALE))
        old = schema.inbox.delete().where(answered | abandoned)
        return await write(self._store, lambda connection: connection.execute(old).rowcount)

    async def _write(self, statement: Any, values: dict[str, Any]) -> None:
        await self._writing.do(lambda connection: connection.execute(statement, values).rowcount)

    async def _commit(self, works: list[Callable[[sa.Connection], Any]]) -> list[Any]:
        """Do what is to be written by now in one transaction: a commit costs more than what it commits."""
        return await write(self._store, lambda connection: [work(connection) for work in works])

    def _closed(self, entry: int, was: str, becomes: str) -> dict[str, Any]:
        return {"wanted": entry, "was": was, "becomes": becomes, "now": self._stamp(), "by": self._epoch}

    @property
    def _epoch(self) -> int:
        return 0 if self.lease is None else self.lease.epoch

    def _fence(self, connection: sa.Connection) -> None:
        if self.lease is not None:
            self.lease.fence(connection)

    def _stamp(self, offset: timedelta = timedelta(0)) -> str:
        return stamp(self._now() + offset)


def stamp(instant: datetime) -> str:
    """Return an instant as the inbox and outbox keep it; such texts are in the order of time."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds")


def _waiting(row: Any) -> Waiting:
    return Waiting(row.id, ConversationKey.parse(row.conversation), row.state == "suspect")


def _delivery(row: Any) -> Delivery | None:
    try:
        return Delivery(
            row.id,
            ConversationKey.parse(row.conversation),
            serialization.reply_from_json(row.reply),
            row.idempotency_key,
            row.route,
            again=True,
            answers=row.delivery_id,
        )
    except UnreadableRecord as error:
        _log.error("reply_unreadable", outbox=row.id, error=outline(error))
        return None


_wanted: sa.BindParameter[int] = sa.bindparam("wanted")
_instant: sa.BindParameter[str] = sa.bindparam("now")
_epoch: sa.BindParameter[int] = sa.bindparam("epoch", type_=sa.Integer)
_CLAIMED = (
    schema.inbox.update()
    .values(state="taken", epoch=_epoch)
    .returning(_inbox.payload, _inbox.crashes, _inbox.received_at)
)
_CLAIM_BY_JOB = _CLAIMED.where(_inbox.id == _wanted, _inbox.state.in_((*_OPEN, "taken")))
_CLAIM = _CLAIMED.where(_inbox.id == _wanted, _inbox.state.in_(_OPEN))
_CLAIM_AGAIN = _CLAIMED.where(
    _inbox.id == _wanted, _inbox.state.in_(_OPEN) | ((_inbox.state == "taken") & (_inbox.epoch == _epoch))
)
_CLOSE = (
    schema.inbox.update()
    .where(_inbox.id == _wanted, _inbox.state == sa.bindparam("was"), _inbox.epoch == sa.bindparam("by"))
    .values(
        state=sa.bindparam("becomes"),
        done_at=_instant,
        payload="",
        conversation=sa.case((_inbox.person == "", ""), else_=_inbox.conversation),
    )
    .returning(_inbox.person)
)
_SEND = schema.outbox.insert().returning(_outbox.id)
_ENDED = (
    schema.outbox.update()
    .where(_outbox.id == _wanted)
    .values(conversation="", reply="", route="", attempts=_outbox.attempts + 1)
)
_SENT = _ENDED.values(state="sent", sent_at=_instant)
_SENT_BY_CLOCK = _ENDED.values(state="sent", sent_at=CLOCK)
_REFUSED = _ENDED.values(state="refused")
_UNMARK = schema.inbox.delete().where(
    _inbox.id == sa.select(_outbox.inbox_id).where(_outbox.id == _wanted).scalar_subquery()
)
_PARK = (
    schema.outbox.update()
    .where(_outbox.id == _wanted)
    .values(state="parked", attempts=_outbox.attempts + sa.bindparam("tried"))
)
