"""One turn: what goes in, what was said before, what comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from language.tongue import DEFAULT
from tools.surface import TERMINAL, Surface

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from sqlalchemy.ext.asyncio import AsyncConnection

    from graph.reply import Audience, Reply
    from ledger.people import Person
    from tools.calls import Call, Choice
    from tools.results import Fact, Scope


@dataclass(frozen=True, slots=True)
class PastTurn:
    """An earlier turn of the same conversation, as far as later ones refer to it."""

    text: str
    kind: str
    scope: Scope | None
    facts: tuple[Fact, ...]
    choices: tuple[Choice, ...] = ()
    listed: tuple[int, ...] = ()
    """The transactions that its reply showed one by one."""


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """What one turn is asked: a text, a call that a command or button names outright, or what was picked."""

    person: Person
    conversation: str
    text: str
    audience: Audience
    call: Call | None = None
    choice: Choice | None = None
    """What of an earlier reply the person picked."""
    past: tuple[PastTurn, ...] = ()
    """The latest turns of the conversation, the oldest first."""
    focus: str | None = None
    surface: Surface = TERMINAL


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What one turn says and what the next one needs to know."""

    reply: Reply
    scope: Scope | None = None
    focus: str | None = None
    proposal: Call | None = None
    """The writing call that the reply shows and asks about, to be done on a yes."""
    trace: dict[str, Any] = field(default_factory=dict)
    change: Callable[[AsyncConnection], Awaitable[None]] | None = None
    """What is changed at once (a form was sent off, say), in the transaction that stores this turn."""
    picked: str = ""
    """The label of what was picked, which then stands for what was said."""
    report: object = None
    """What a command prints of it as data, such as the report of an import; kept nowhere."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A change that the person said yes to: how it would be proposed now, the work, what is said then, what undoes it."""

    proposed: Reply
    work: Callable[[AsyncConnection], Awaitable[None]]
    reply: Reply
    undo: Call | None = None


class ChangeRefused(Exception):
    """A confirmed change that can't be made any more; ``message`` is safe to show."""

    def __init__(self, message: str) -> None:
        """Keep the sentence."""
        super().__init__(message)
        self.message = message


class Agent(Protocol):
    """Answers turns; holds no memory of its own."""

    async def answer(self, request: TurnRequest) -> TurnOutcome:
        """Answer one turn; never raises for what a person, a file or a model may do."""
        ...

    async def confirmed(self, person: Person, call: Call, language: str = DEFAULT) -> Confirmed:
        """Return what a confirmed writing call does, told in the language of its proposal. Raises ChangeRefused."""
        ...

    def narrate(self, request: TurnRequest, outcome: TurnOutcome) -> AsyncGenerator[str, None]:
        """Yield a model's verified sentences about an answer as they come; none where there is no model."""
        ...
