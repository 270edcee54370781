"""How long each part of a turn took, for its trace."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.state import State


def timed(state: State, part: str, began: float, **further: Any) -> dict[str, Any]:
    """Return the state's trace with the seconds since ``began`` added to a part's, and with what else is to be noted."""
    trace = {**state.get("trace", {}), **further}
    seconds = dict(trace.get("timings", {}))
    seconds[part] = round(seconds.get(part, 0.0) + time.perf_counter() - began, 4)
    return {**trace, "timings": seconds}
