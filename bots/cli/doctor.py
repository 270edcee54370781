"""``doctor``: look at every part of this installation and say how to mend what is wrong."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import TYPE_CHECKING

from bots.cli.checkup import checkup
from bots.terminal import show_pairs, terminal
from ledger.embeddings import MiniLmEmbedder

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings

_MARKS = {"ok": "ok  ", "warn": "warn", "fail": "FAIL"}
_NAME_WIDTH = len("code and servers")


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print the checks as they are done; the exit code is 1 where one failed."""
    console = terminal()
    checks = []
    async for check in checkup(settings, MiniLmEmbedder(), configuration=arguments.configuration):
        checks.append(check)
        if not arguments.json:
            found = [(f"{_MARKS[check.status]}  {check.name.ljust(_NAME_WIDTH)}", check.found)]
            show_pairs([*found, ("", f"→ {check.mend}")] if check.mend else found, console)
    failed = any(check.status == "fail" for check in checks)
    if arguments.json:
        shown = [dataclasses.asdict(check) for check in checks]
        sys.stdout.write(json.dumps({"ok": not failed, "checks": shown}, ensure_ascii=False) + "\n")
    return 1 if failed else 0
