"""What is said back, before a platform gives it its own form."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from language.tongue import DEFAULT

if TYPE_CHECKING:
    from ledger.filters import Filter
    from ledger.periods.period import Period
    from tools.calls import Choice
    from tools.results import Chart, Fact, Scope, Table


class Audience(StrEnum):
    """Who can read a reply."""

    PRIVATE = "private"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Text:
    """A line or paragraph; ``role`` says how prominent it is.

    An ``alternative`` says in words what the table or chart beside it shows, for readers who have neither.
    """

    text: str
    role: Literal["headline", "definition", "details", "alternative", "narration", "body"] = "body"


@dataclass(frozen=True, slots=True)
class Action:
    """A button: what it says, and what pressing it does (``choose`` what its reply offers, ``ask`` a question, ``receipt`` …).

    ``effect`` is what a confirmation comes to: a change, one taken back, or one that never can be.
    """

    label: str
    action: Literal[
        "ask", "choose", "receipt", "transactions", "share", "publish", "keep", "unshare", "feedback", "confirm", "cancel",
        "settings", "categories", "accounts", "forget", "sample", "dates", "direction",
        "person", "file currency", "columns", "bring", "help", "import",
        "workspace",
    ]  # fmt: skip
    value: str = ""
    effect: Literal["change", "back", "final"] = "change"


def choosing(choice: Choice, number: int) -> Action:
    """Return the button of what a reply offers under this number."""
    return Action(choice.label, "choose", str(number))


@dataclass(frozen=True, slots=True)
class Actions:
    """A row of buttons."""

    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class File:
    """A file to hand over."""

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Settled:
    """An earlier reply, by its key, whose question is answered: what became of it, and whether it was pressed just now."""

    key: str
    line: str
    pressed: bool = False


Block = "Text | Table | Chart | Actions | File"


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: facts that code computed, and the blocks that show them; a ``notice`` answers nothing.

    ``text`` of :meth:`plain` is complete on its own, for platforms and readers without rich display.
    """

    kind: Literal["answer", "clarify", "refuse", "error", "notice"]
    headline: str
    blocks: tuple[Text | Table | Chart | Actions | File, ...] = ()
    audience: Audience = Audience.PRIVATE
    facts: tuple[Fact, ...] = ()
    choices: tuple[Choice, ...] = ()
    """What answers a question back."""
    follow_ups: tuple[Choice, ...] = ()
    """What may be asked next."""
    period: Period | None = None
    table: Table | None = None
    scope: Scope | None = None
    behind: tuple[Filter, ...] = ()
    listed: tuple[int, ...] = ()
    """The transactions that are shown one by one, in their order."""
    looks_into: str = ""
    """The headline of the answer that this one shows more of."""
    settles: tuple[Settled, ...] = ()
    """Replies that lose their buttons for yes and no with this one."""
    narration: str = ""
    language: str = DEFAULT
    """The language that it is in."""
    trace: dict[str, Any] = field(default_factory=dict)

    @property
    def shown(self) -> tuple[Text | Table | Chart | Actions | File, ...]:
        """The blocks for a platform that shows tables and charts, so that no figure stands twice."""
        return tuple(block for block in self.blocks if not (isinstance(block, Text) and block.role == "alternative"))

    def offered(self, number: str) -> Choice | None:
        """Return the choice or follow-up that a button stands for, by its number from 1 on."""
        offered = (*self.choices, *self.follow_ups)
        place = int(number) if number.isascii() and number.isdigit() else 0
        return offered[place - 1] if 0 < place <= len(offered) else None

    def rows(self) -> list[tuple[Action, ...]]:
        """Return the rows of buttons: those that it brings, then one for what can be chosen from."""
        rows = [block.actions for block in self.blocks if isinstance(block, Actions)]
        numbered = enumerate(self.choices, start=1)
        return [*rows, tuple(choosing(choice, number) for number, choice in numbered if choice.label)]

    def plain(self) -> str:
        """The whole reply as text: every text block in order, the narration, the choices last."""
        texts = [block for block in self.blocks if isinstance(block, Text)]
        lines = [] if any(block.role == "headline" for block in texts) else [self.headline]
        lines += [block.text for block in texts]
        lines.append(self.narration)
        lines += [f"- {choice.label}" for choice in self.choices]
        return "\n".join(line for line in lines if line)
