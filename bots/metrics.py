"""What the running bot counts and times, in Prometheus's text form: numbers of messages and seconds, never of whom or what.

The form is a few lines, and the client library's registry would be one for the whole process, so it is written here.

    https://prometheus.io/docs/instrumenting/exposition_formats/
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import sqlalchemy as sa

from bots.contracts import Duty
from bots.transactions import read
from ledger import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bots.contracts import Message
    from graph.models.choice import ModelChoice
    from graph.reply import Reply
    from graph.turn import TurnOutcome
    from ledger.store import Store

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
#: Upper bounds in seconds: platforms wait three for an acknowledgement, people a few for an answer, models a minute.
_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 3.0, 10.0, 30.0, 60.0)

Labels = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class _Times:
    """How many took how long: below each bound, and in all."""

    below: list[int] = field(default_factory=lambda: [0] * (len(_BOUNDS) + 1))
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        self.below[bisect_left(_BOUNDS, seconds)] += 1
        self.seconds += seconds

    def lines(self, name: str, labels: Labels) -> Iterator[str]:
        count = 0
        for bound, here in zip((*map(str, _BOUNDS), "+Inf"), self.below, strict=True):
            count += here
            yield _line(f"{name}_bucket", (*labels, ("le", bound)), count)
        yield _line(f"{name}_sum", labels, self.seconds)
        yield _line(f"{name}_count", labels, count)


class Metrics:
    """Since this process began; what other processes did shows in what the store holds."""

    def __init__(
        self,
        seconds: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Nothing is counted yet; ``seconds`` is a clock that never jumps, ``now`` the one by which messages are stamped."""
        self.seconds = seconds
        self.models: ModelChoice | None = None
        """Whose crowd and rest are told, once there is one."""
        self._now = now
        self._feedback: Counter[Labels] = Counter()
        self._acknowledged: dict[Labels, _Times] = {}
        self._answered: dict[Labels, _Times] = {}
        self._delivered: dict[Labels, _Times] = {}

    def acknowledged(self, platform: str, began: float) -> None:
        """A message was stored, and can be acknowledged."""
        self._add(self._acknowledged, began, platform=platform)

    def answered(self, message: Message, began: float, reply: Reply, outcome: TurnOutcome | None) -> None:
        """A message has its reply: from a model, the planner, or the program itself, such as to a command.

        One that says whether an answer was right is counted as that as well.
        """
        self._add(self._answered, began, platform=message.source, kind=reply.kind, by=answered_by(outcome))
        if isinstance(message.content, Duty) and message.content.name == "feedback" and reply.kind == "answer":
            verdict = "right" if message.values.get("value") == "right" else "wrong"
            self._feedback[("platform", message.source), ("verdict", verdict)] += 1

    def delivered(self, platform: str, began: float, *, sent: bool) -> None:
        """The platform has taken a reply, or refused it or not been reached for so long that it was put aside."""
        self._add(self._delivered, began, platform=platform, outcome="sent" if sent else "not_sent")

    async def text(self, store: Store) -> str:
        """Return everything in Prometheus's form; what the store can't tell now is left out."""
        lines = [
            *_family("acknowledge_seconds", "From a message's coming in until it is stored.", self._acknowledged),
            *_family("answer_seconds", "From then until its reply is written down, waiting included.", self._answered),
            *_family("deliver_seconds", "How long sending a reply took, tries again included.", self._delivered),
            *_single("feedback_total", "counter", "Answers that a person said were right or wrong.", self._feedback),
            *self._of_model(),
        ]
        try:
            lines += await read(store, lambda connection: list(_held(connection, self._now())))
        except (sa.exc.SQLAlchemyError, OSError):
            lines.append("# The database does not answer.")
        return "\n".join((*lines, ""))

    def _of_model(self) -> Iterator[str]:
        if self.models is None:
            return
        crowd = self.models.crowd
        calls: dict[Labels, float] = {(("what", "running"),): crowd.running, (("what", "waiting"),): crowd.waiting}
        yield from _single("model_calls", "gauge", "Calls of a model that run, or wait for their turn.", calls)
        told = "Calls for which there was no room, so that the planner answered alone."
        yield from _single("model_turned_away_total", "counter", told, {(): crowd.turned_away})
        told = "Whether the model is left alone for a while, since it failed (1) or not (0)."
        yield from _single("model_resting", "gauge", told, {(): int(self.models.resting)})

    def _add(self, times: dict[Labels, _Times], began: float, **labels: str) -> None:
        times.setdefault(tuple(labels.items()), _Times()).add(self.seconds() - began)


def answered_by(outcome: TurnOutcome | None) -> str:
    """Return who chose what was answered: the planner, a model, or the program itself, such as to a command."""
    by = str(outcome.trace.get("answered_by", "program")) if outcome else "program"
    return {"program": by, "builtin": "planner"}.get(by, "model")


def _family(name: str, meaning: str, times: dict[Labels, _Times]) -> Iterator[str]:
    full = f"money_minder_{name}"
    yield f"# HELP {full} {meaning}"
    yield f"# TYPE {full} histogram"
    for labels, each in times.items():
        yield from each.lines(full, labels)


def _single(name: str, kind: str, meaning: str, values: Mapping[Labels, float]) -> Iterator[str]:
    full = f"money_minder_{name}"
    yield f"# HELP {full} {meaning}"
    yield f"# TYPE {full} {kind}"
    for labels, value in values.items():
        yield _line(full, labels, value)


def _held(connection: sa.Connection, now: datetime) -> Iterator[str]:
    """Yield what waits, and what there is."""
    waiting: dict[Labels, float] = {
        (("what", what),): connection.scalar(query) or 0 for what, query in _WAITING.items()
    }
    meaning = "Messages without a reply, and replies that are not sent or were put aside."
    yield from _single("waiting", "gauge", meaning, waiting)
    came = connection.scalar(_OLDEST)
    age = max(0.0, (now - datetime.fromisoformat(came)).total_seconds()) if came else 0.0
    yield from _single("oldest_message_seconds", "gauge", "How long the oldest of these messages waits.", {(): age})
    for name, (meaning, query) in _THERE.items():
        yield from _single(name, "gauge", meaning, {(): connection.scalar(query) or 0})


def _line(name: str, labels: Labels, value: float) -> str:
    told = ",".join(f'{label}="{text}"' for label, text in labels)
    return f"{name}{{{told}}} {value}" if told else f"{name} {value}"


def _count(table: sa.Table, *where: sa.ColumnElement[bool]) -> sa.Select[int]:
    return sa.select(sa.func.count()).select_from(table).where(*where)


_inbox, _outbox, _batches = schema.inbox.c, schema.outbox.c, schema.batches.c
_UNANSWERED = _inbox.state.in_(("waiting", "suspect", "taken"))
_OLDEST = sa.select(sa.func.min(_inbox.received_at)).where(_UNANSWERED)
_WAITING = {
    "messages": _count(schema.inbox, _UNANSWERED),
    "replies": _count(schema.outbox, _outbox.state == "waiting"),
    "put_aside": _count(schema.outbox, _outbox.state == "parked"),
}
_THERE = {
    "people": ("People with a ledger.", _count(schema.people)),
    "imports": (
        "Imports that are in and were not taken back.",
        _count(
            schema.batches, _batches.kind == "import", _batches.finished_at.is_not(None), _batches.undone_at.is_(None)
        ),
    ),
}
