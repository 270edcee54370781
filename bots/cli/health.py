"""``health``: ask the bot that runs how it is, for a container's health check and for scripts."""

from __future__ import annotations

import asyncio
import http.client
import json
import sys
from typing import TYPE_CHECKING, Any

from bots.errors import CommandError

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings

#: A bot whose event loop stands still accepts connections and never answers.
_PATIENCE_SECONDS = 5.0
_MOST_BYTES = 10_000
#: Where to find who listens on every address of the machine.
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - nothing is bound here


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print how the bot is; the exit code is 1 where it is not well."""
    if settings.status_address is None:
        raise CommandError("MONEY_MINDER_STATUS_ADDRESS is not set, so the bot can't be asked.")
    host, port = settings.status_address
    parts = await asyncio.to_thread(
        _ask, _EVERYWHERE.get(host, host), port, "/readyz" if arguments.ready else "/healthz"
    )
    if arguments.json:
        print(json.dumps(parts))
    elif not parts["ok"]:
        wrong = ", ".join(name for name, well in parts.items() if not well and name != "ok")
        sys.stderr.write(f"money-minder: not well: {wrong}\n")
    else:
        print("ready" if arguments.ready else "ok")
    return 0 if parts["ok"] else 1


def _ask(host: str, port: int, path: str) -> dict[str, Any]:
    """Return what the page says. Raises CommandError where it is none of a bot."""
    connection = http.client.HTTPConnection(host, port, timeout=_PATIENCE_SECONDS)
    try:
        connection.request("GET", path)
        told = json.loads(connection.getresponse().read(_MOST_BYTES))
        return {"ok": bool(told["ok"]), **told}
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as error:
        raise CommandError("The bot does not answer at MONEY_MINDER_STATUS_ADDRESS.") from error
    finally:
        connection.close()
