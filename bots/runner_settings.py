"""How a runner works: how much at once, how long, how often."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from bots.history import RECALLED
from bots.sending import Patience

PARALLEL_TURNS = 8


@dataclass(frozen=True, slots=True)
class RunnerSettings:
    """How much is done at once, how long it may take, and how often it is tried."""

    parallel_turns: int = PARALLEL_TURNS
    parallel_turns_each: int = 3
    """Of one person, so that nobody's slow questions keep everybody else waiting."""
    backlog: int = 1000
    """How many messages may wait before further ones are turned away with a word."""
    questions_per_minute: int = 60
    """Per person."""
    attempts: int = 3
    """How many crashes one message may be alone in."""
    turn_seconds: float = 300.0
    history: int = RECALLED
    """How many of the latest turns a new one is told of."""
    progress_after: float = 0.8
    """Seconds before a turn is shown as being worked on; most are answered by then."""
    progress_every: float = 8.0
    """Discord's typing sign lasts ten seconds, the shortest of the platforms'."""
    narration: bool = True
    """Whether a model may add sentences to an answer."""
    sending: Patience = field(default_factory=Patience)
    housekeeping: timedelta = timedelta(hours=6)
    keep: timedelta | None = None
    """How long conversations are kept; for good without it."""
    keep_by_workspace: bool = True
    """Whether a workspace may say that its own are kept for less."""
    watch: float = 5.0
    """Seconds between two looks for what waits and nobody has in hand."""
    retracting: timedelta = timedelta(minutes=1)
    """How soon what was shared is deleted where it stands, once another process forgot it, and what expired is closed."""
