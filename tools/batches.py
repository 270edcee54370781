"""Several requests to one tool in one call: ``{"requests": [{"id": …, …}, …]}``."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.registry import Tool

#: How many requests one call may hold; further ones are left out, and that is said.
MOST_REQUESTS = 9
_KEY = "requests"


@dataclass(frozen=True, slots=True)
class Request:
    """One request of a batch: its id, as given or by its place from 1, and its unchecked arguments."""

    id: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class Batch:
    """What a batch holds, in order: what may run, what is too much, or why none of it may run."""

    requests: tuple[Request, ...] = ()
    left_out: tuple[Request, ...] = ()
    problem: str = ""


def read_batch(tool: Tool, arguments: Any) -> Batch | None:
    """Return the requests of a call, or None where it is an ordinary one.

    Ids may be missing; two that are the same refuse the whole, as nobody could tell the answers apart.
    """
    if not tool.batch or not isinstance(arguments, dict) or _KEY not in arguments:
        return None
    if len(arguments) > 1:
        return Batch(problem=f"Beside '{_KEY}' there may be no other argument.")
    items = arguments[_KEY]
    if not isinstance(items, list) or not items:
        return Batch(problem=f"'{_KEY}' must be a list with at least one request.")
    requests = tuple(_request(place, item) for place, item in enumerate(items, start=1))
    twice = [name for name, count in Counter(request.id for request in requests).items() if count > 1]
    if twice:
        return Batch(problem=f"Two requests have the id '{twice[0]}'.")
    return Batch(requests[:MOST_REQUESTS], requests[MOST_REQUESTS:])


def _request(place: int, item: Any) -> Request:
    if not isinstance(item, dict):
        return Request(str(place), item)
    given = item.get("id")
    rest = {key: value for key, value in item.items() if key != "id"}
    named = isinstance(given, str | int) and not isinstance(given, bool) and str(given).strip()
    return Request(str(given).strip() if named else str(place), rest)
