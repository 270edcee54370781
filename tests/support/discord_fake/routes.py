"""The API's routes, each with the function that answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tests.support.discord_fake.bodies import Upload


@dataclass
class Ask:
    """One request, read: the names in its path, its query, its body."""

    params: dict[str, str]
    query: dict[str, str] = field(default_factory=dict)
    upload: Upload = field(default_factory=lambda: Upload({}))

    @property
    def data(self) -> Any:
        return self.upload.data


Handler = Callable[[Any, Ask], Awaitable[Any]]


@dataclass(frozen=True)
class Route:
    """``open``: answered without the bot's token (whoever holds an interaction's token may)."""

    method: str
    path: str
    handler: Handler
    open: bool


ROUTES: list[Route] = []


def route(method: str, path: str, *, open: bool = False) -> Callable[[Handler], Handler]:  # noqa: A002
    """Publish a function as the answer to a route; it gives what the body holds, None for a 204."""

    def publish(handler: Handler) -> Handler:
        ROUTES.append(Route(method, path, handler, open))
        return handler

    return publish
