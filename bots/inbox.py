"""Messages in and replies out, each exactly once: the two tables that a crash can't confuse.

    waiting → taken → done (or dead, after too many attempts)        what came in
    waiting → sent (or refused; or parked, when it does not work)    what goes out

A row that is ``held`` belongs to a caller who waits for the outcome in this process; if that caller dies, nobody wants
the answer any more. Texts and replies are blanked as soon as they are answered and sent: what stays is the mark that
tells a redelivery, until it is pruned.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

import sqlalchemy as sa
import structlog
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError, SQLAlchemyError

from bots import wire
from bots.contracts import Accepted, ConversationKey, Delivery, Duplicate, Message, Receipt
from bots.errors import InboxUnavailable, UnreadableRecord, outline
from bots.history import record_turn, storable
from bots.together import Together
from bots.transactions import read, write
from graph.reply import Audience
from ledger import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from graph.reply import Reply
    from graph.turn import TurnOutcome
    from ledger.store import Store

_log = structlog.get_logger(__name__)
_inbox = schema.inbox.c
_outbox = schema.outbox.c

#: Errors of a database that is locked, full or away, for whatever is written.
_AWAY = (OperationalError, InterfaceError, OSError)
#: How long a parked delivery is tried again after a restart, and a held message may be waited for.
_STALE = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A stored message that nobody answers at the moment."""

    id: int
    conversation: ConversationKey


@dataclass(frozen=True, slots=True)
class Entry:
    """A message that is being answered; ``attempts`` counts this one."""

    id: int
    message: Message
    attempts: int = 1
    held: bool = False

    @property
    def idempotency_key(self) -> str:
        """The key of its one reply."""
        return idempotency_key(self.message)


def idempotency_key(message: Message) -> str:
    """Return the key of the one reply to a message: 24 characters, since Discord's nonce takes 25."""
    said = f"{message.source}\n{message.delivery_id}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(said).hexdigest()[:24]


class Inbox:
    """The inbox and outbox of a store."""

    def __init__(self, store: Store, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Use this store and clock."""
        self._store = store
        self._now = now
        self._insert = _accept_statement(store.dialect)
        self._writing: Together[Callable[[sa.Connection], Any], Any] = Together(self._commit, _AWAY)

    async def accept(self, message: Message, state: Literal["waiting", "taken", "held"] = "waiting") -> Receipt:
        """Store a message, unless it was stored before; those stored earlier are answered earlier.

        ``taken`` accepts and claims in one step.

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
            "payload": "" if state == "held" else wire.message_to_json(message),
            "state": state,
            "attempts": 0 if state == "waiting" else 1,
            "received_at": stamp(message.received_at),
        }
        try:
            stored = await self._writing.do(
                lambda connection: connection.execute(self._insert, row).scalar_one_or_none()
            )
        except (SQLAlchemyError, OSError) as error:
            raise InboxUnavailable("I can't take messages right now.") from error
        return Duplicate() if stored is None else Accepted(stored)

    async def claim(self, waiting: int) -> Entry | None:
        """Take a waiting message to answer it; None if it is answered, taken, or can't be read."""

        def claim(connection: sa.Connection) -> Entry | None:
            row = connection.execute(_CLAIM, {"wanted": waiting}).one_or_none()
            if row is None:
                return None
            try:
                return Entry(waiting, wire.message_from_json(row.payload), row.attempts)
            except UnreadableRecord as error:
                _log.error("message_unreadable", inbox=waiting, error=outline(error))
                connection.execute(_CLOSE, self._closed(waiting, "taken", "dead"))
                return None

        taken: Entry | None = await self._writing.do(claim)
        return taken

    async def next_waiting(self, sources: Collection[str]) -> tuple[Waiting, ...]:
        """Return what waits for an answer, in the order of arrival."""
        query = (
            sa.select(_inbox.id, _inbox.conversation)
            .where(_inbox.state == "waiting", _inbox.source.in_(sources))
            .order_by(_inbox.id)
        )
        rows = await read(self._store, lambda connection: connection.execute(query).all())
        return tuple(Waiting(row.id, ConversationKey.parse(row.conversation)) for row in rows)

    async def finish(self, entry: Entry, outcome: TurnOutcome, reply: Reply | None = None) -> Delivery | None:
        """Write down a turn: history, inbox and outbox in one transaction.

        ``reply`` is what is sent where that is not ``outcome.reply``. None is returned where nothing is to be sent: the
        entry is held by a caller, or was finished before.
        """
        try:
            return await self._finish(entry, outcome, reply or outcome.reply, "done")
        except IntegrityError:  # the person was deleted by another process after we had looked up their id
            self._store.forget_membership(entry.message.person)
            return await self._finish(entry, outcome, reply or outcome.reply, "done")

    async def decline(self, entry: Entry, reply: Reply, *, dead: bool = False) -> Delivery | None:
        """Answer a message without a turn, so that the conversation goes on from where it was."""
        return await self._finish(entry, None, reply, "dead" if dead else "done")

    async def _finish(self, entry: Entry, outcome: TurnOutcome | None, reply: Reply, state: str) -> Delivery | None:
        if outcome is not None and not await self._is_someones(entry):
            outcome = None
        message, key, now = entry.message, entry.idempotency_key, self._stamp()
        person_id = 0 if outcome is None else (await self._store.membership(message.person)).person_id
        row = {
            "inbox_id": entry.id,
            "source": message.source,
            "conversation": str(message.conversation),
            "idempotency_key": key,
            "reply": wire.reply_to_json(reply),
            "route": storable(message.route),
            "created_at": now,
        }

        def finish(connection: sa.Connection) -> int | None:
            closing = self._closed(entry.id, "held" if entry.held else "taken", state)
            if not connection.execute(_CLOSE, closing).rowcount:
                return None
            if outcome is not None:
                record_turn(connection, person_id, entry, outcome, now)
            return None if entry.held else connection.execute(_SEND, row).scalar_one()

        delivery = await self._writing.do(finish)
        if delivery is None:
            return None
        return Delivery(delivery, message.conversation, reply, key, message.route, answers=message.delivery_id)

    async def _is_someones(self, entry: Entry) -> bool:
        """Whether a message still belongs to a person: where its very answer was to delete them, nothing is remembered."""
        query = sa.select(_inbox.person).where(_inbox.id == entry.id)
        return bool(await read(self._store, lambda connection: connection.execute(query).scalar_one_or_none()))

    async def unsent(self, sources: Collection[str]) -> tuple[Delivery, ...]:
        """Return the replies of a former process that are still to be sent, in the order they were given."""
        query = (
            sa.select(_outbox.id, _outbox.conversation, _outbox.reply, _outbox.idempotency_key, _outbox.route)
            .add_columns(_inbox.delivery_id)
            .join(schema.inbox, _inbox.id == _outbox.inbox_id)
            .where(_outbox.state == "waiting", _outbox.source.in_(sources))
            .order_by(_outbox.id)
        )
        rows = await read(self._store, lambda connection: connection.execute(query).all())
        return tuple(delivery for row in rows if (delivery := _delivery(row)) is not None)

    async def sent(self, delivery: Delivery) -> None:
        """Note that the platform has taken a reply, and keep its text no longer."""
        await self._write(_SENT, {"wanted": delivery.id, "now": self._stamp()})

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
        """Make what was taken and not answered wait again; for the process that serves these sources, at its start."""
        recent = self._stamp(-_STALE)
        mine = schema.inbox.update().where(_inbox.state == "taken", _inbox.source.in_(sources))
        parked = schema.outbox.update().where(
            _outbox.state == "parked", _outbox.source.in_(sources), _outbox.created_at >= recent
        )

        def recover(connection: sa.Connection) -> None:
            connection.execute(mine.values(state="waiting"))
            connection.execute(parked.values(state="waiting"))

        await write(self._store, recover)

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
        return {"wanted": entry, "was": was, "becomes": becomes, "now": self._stamp()}

    def _stamp(self, offset: timedelta = timedelta(0)) -> str:
        return stamp(self._now() + offset)


def stamp(instant: datetime) -> str:
    """Return an instant as the inbox and outbox keep it; such texts are in the order of time."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds")


def _delivery(row: Any) -> Delivery | None:
    try:
        return Delivery(
            row.id,
            ConversationKey.parse(row.conversation),
            wire.reply_from_json(row.reply),
            row.idempotency_key,
            row.route,
            again=True,
            answers=row.delivery_id,
        )
    except UnreadableRecord as error:
        _log.error("reply_unreadable", outbox=row.id, error=outline(error))
        return None


def _accept_statement(dialect: str) -> Any:
    if dialect == "postgresql":
        from sqlalchemy.dialects.postgresql import insert
    else:
        from sqlalchemy.dialects.sqlite import insert  # type: ignore[assignment]
    return insert(schema.inbox).on_conflict_do_nothing().returning(_inbox.id)


_wanted: sa.BindParameter[int] = sa.bindparam("wanted")
_instant: sa.BindParameter[str] = sa.bindparam("now")
_CLAIM = (
    schema.inbox.update()
    .where(_inbox.id == _wanted, _inbox.state == "waiting")
    .values(state="taken", attempts=_inbox.attempts + 1)
    .returning(_inbox.payload, _inbox.attempts)
)
_CLOSE = (
    schema.inbox.update()
    .where(_inbox.id == _wanted, _inbox.state == sa.bindparam("was"))
    .values(
        state=sa.bindparam("becomes"),
        done_at=_instant,
        payload="",
        conversation=sa.case((_inbox.person == "", ""), else_=_inbox.conversation),
    )
)
_SEND = schema.outbox.insert().returning(_outbox.id)
_ENDED = (
    schema.outbox.update()
    .where(_outbox.id == _wanted)
    .values(conversation="", reply="", route="", attempts=_outbox.attempts + 1)
)
_SENT = _ENDED.values(state="sent", sent_at=_instant)
_REFUSED = _ENDED.values(state="refused")
_UNMARK = schema.inbox.delete().where(
    _inbox.id == sa.select(_outbox.inbox_id).where(_outbox.id == _wanted).scalar_subquery()
)
_PARK = (
    schema.outbox.update()
    .where(_outbox.id == _wanted)
    .values(state="parked", attempts=_outbox.attempts + sa.bindparam("tried"))
)
