"""What a check of the installation found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Check:
    """One part: how it is, what was found, and one sentence on how to mend it, empty where nothing is wrong."""

    name: str
    status: Status
    found: str
    mend: str = ""
