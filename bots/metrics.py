"""What the running bot counts and times, in Prometheus's text form: numbers of messages and seconds, never of whom or what.

The form is a few lines, and the client library's registry would be one for the whole process, so it is written here.

    https://prometheus.io/docs/instrumenting/exposition_formats/
"""

from __future__ import annotations

import time
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import sqlalchemy as sa

from bots.transactions import read
from ledger import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        """Nothing is counted yet; ``seconds`` is a clock that never jumps."""
        self.seconds = seconds
        self._acknowledged: dict[Labels, _Times] = {}
        self._answered: dict[Labels, _Times] = {}
        self._delivered: dict[Labels, _Times] = {}

    def acknowledged(self, platform: str, began: float) -> None:
        """A message was stored, and can be acknowledged."""
        self._add(self._acknowledged, began, platform=platform)

    def answered(self, platform: str, began: float, reply: Reply, outcome: TurnOutcome | None) -> None:
        """A message has its reply: from a model, the planner, or the program itself, such as to a command."""
        self._add(self._answered, began, platform=platform, kind=reply.kind, by=answered_by(outcome))

    def delivered(self, platform: str, began: float, *, sent: bool) -> None:
        """The platform has taken a reply, or refused it or not been reached for so long that it was put aside."""
        self._add(self._delivered, began, platform=platform, outcome="sent" if sent else "not_sent")

    async def text(self, store: Store) -> str:
        """Return everything in Prometheus's form; what the store can't tell now is left out."""
        lines = [
            *_family("acknowledge_seconds", "From a message's coming in until it is stored.", self._acknowledged),
            *_family("answer_seconds", "From then until its reply is written down, waiting included.", self._answered),
            *_family("deliver_seconds", "How long sending a reply took, tries again included.", self._delivered),
        ]
        try:
            lines += await read(store, lambda connection: list(_held(connection)))
        except (sa.exc.SQLAlchemyError, OSError):
            lines.append("# The database does not answer.")
        return "\n".join((*lines, ""))

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


def _held(connection: sa.Connection) -> Iterator[str]:
    """Yield what waits, and what there is."""
    yield "# HELP money_minder_waiting Messages without a reply, and replies that are not sent or were put aside."
    yield "# TYPE money_minder_waiting gauge"
    for what, query in _WAITING.items():
        yield _line("money_minder_waiting", (("what", what),), connection.scalar(query) or 0)
    for name, (meaning, query) in _THERE.items():
        yield f"# HELP money_minder_{name} {meaning}"
        yield f"# TYPE money_minder_{name} gauge"
        yield _line(f"money_minder_{name}", (), connection.scalar(query) or 0)


def _line(name: str, labels: Labels, value: float) -> str:
    told = ",".join(f'{label}="{text}"' for label, text in labels)
    return f"{name}{{{told}}} {value}" if told else f"{name} {value}"


def _count(table: sa.Table, *where: sa.ColumnElement[bool]) -> sa.Select[int]:
    return sa.select(sa.func.count()).select_from(table).where(*where)


_inbox, _outbox, _batches = schema.inbox.c, schema.outbox.c, schema.batches.c
_WAITING = {
    "messages": _count(schema.inbox, _inbox.state.in_(("waiting", "suspect", "taken"))),
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
