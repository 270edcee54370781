"""``doctor``: look at every part of this installation and say how to mend what is wrong."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import TYPE_CHECKING

from bots.cli.checkup import checkup
from bots.cli.speaking import language_here
from bots.terminal import show_pairs, terminal
from language.catalogue import translated
from ledger.embeddings import MiniLmEmbedder

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings

_MARKS = {"ok": "ok  ", "warn": "warn", "fail": "FAIL"}
_NAME_WIDTH = 20


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print the checks as they are done; the exit code is 1 where one failed."""
    console, language = terminal(), language_here(settings)
    checks = []
    async for check in checkup(settings, MiniLmEmbedder(), configuration=arguments.configuration):
        checks.append(check)
        if not arguments.json:
            name, found, mend = (translated(text, language) for text in (check.name, check.found, check.mend))
            lines = [(f"{_MARKS[check.status]}  {name.ljust(_NAME_WIDTH)}", found)]
            show_pairs([*lines, ("", f"→ {mend}")] if check.mend else lines, console)
    failed = any(check.status == "fail" for check in checks)
    if arguments.json:
        shown = [dataclasses.asdict(check) for check in checks]
        sys.stdout.write(json.dumps({"ok": not failed, "checks": shown}, ensure_ascii=False) + "\n")
    return 1 if failed else 0
