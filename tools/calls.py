"""What a tool is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """One use of a tool: its name and the arguments by name."""

    name: str
    arguments: dict[str, Any]
