"""The Web API's methods by name, with the scopes of which one must be granted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.support.slack.state import invalid_arguments

Handler = Callable[[Any, dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Method:
    """``scopes`` are alternatives; none means that the token is enough."""

    handler: Handler
    scopes: tuple[str, ...]
    app_token: bool = False


METHODS: dict[str, Method] = {}


def method(name: str, *scopes: str, app_token: bool = False) -> Callable[[Handler], Handler]:
    """Publish a function as the method of that name."""

    def publish(handler: Handler) -> Handler:
        METHODS[name] = Method(handler, scopes, app_token)
        return handler

    return publish


def needed(args: dict[str, Any], *names: str) -> None:
    """Raise what Slack answers where a required argument is not given."""
    missing = [name for name in names if args.get(name) in (None, "")]
    if missing:
        raise invalid_arguments(*(f"missing required field: {name}" for name in missing))
