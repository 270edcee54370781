"""The parts of a long piece of work, for whoever shows how far it is; where nobody does, telling them costs nothing."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Step:
    """One part: what is done in it, which names files and nothing else of a person, and how much of it is done."""

    title: str
    done: int = 0
    of: int = 0
    """How much there is to do, 0 where that is not known."""


class Steps:
    """What was begun so far, in order; all but the last are done."""

    def __init__(self) -> None:
        """Begin nothing."""
        self.told: tuple[Step, ...] = ()

    def begin(self, title: str) -> None:
        """Go on to the next part; the same one again goes on with it."""
        if not self.told or self.told[-1].title != title:
            self.told = (*self.told, Step(title))

    def reach(self, done: int, of: int) -> None:
        """Say how far the last part is."""
        if self.told:
            self.told = (*self.told[:-1], replace(self.told[-1], done=done, of=of))


#: Those of the work that is done in this context and in the tasks that it begins.
STEPS: ContextVar[Steps] = ContextVar("steps")


def begin_step(title: str) -> None:
    """Tell whoever shows it that the next part of the work begins."""
    steps = STEPS.get(None)
    if steps is not None:
        steps.begin(title)


def reach(_file: str, done: int, of: int) -> None:
    """Tell how far the part is, in the form in which an import tells it."""
    steps = STEPS.get(None)
    if steps is not None:
        steps.reach(done, of)
