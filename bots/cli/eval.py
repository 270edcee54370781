"""``eval``: the scoreboard, where this is a checkout that holds one."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bots.errors import CommandError

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings

_CHECKOUT = Path(__file__).resolve().parents[2]


async def run(arguments: argparse.Namespace, settings: Settings, checkout: Path = _CHECKOUT) -> int:
    """Run the scoreboard of the checkout as a process of its own, with the same arguments; returns its exit code."""
    del settings
    if not (checkout / "evals/__main__.py").is_file():
        raise CommandError("The scoreboard comes with the source; this installation has no folder “evals”.")
    path = os.pathsep.join(part for part in (str(checkout), os.environ.get("PYTHONPATH")) if part)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "evals", *arguments.arguments, env={**os.environ, "PYTHONPATH": path}
    )
    return await process.wait()
