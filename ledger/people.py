"""Who speaks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """A person as a platform's signed event names them, never as a text claims."""

    platform: str
    team: str
    user: str

    @property
    def key(self) -> str:
        """One string per person, for unique keys and log lines."""
        return f"{self.platform}:{self.team}:{self.user}"
