"""``workspace``: what holds for everybody of a workspace, and everything of it written out or deleted."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bots.app import open_app
from bots.cli.consent import agreed
from bots.cli.speaking import language_here
from bots.errors import CommandError
from bots.holdings import packed
from bots.import_words import counted, people_of
from bots.workspaces import EVERYONE, LONGEST_KEPT, Workspaces, member_ids
from language.catalogue import say, translated
from ledger.deletion import forget_people

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bots.app import App
    from bots.settings import Settings
    from bots.workspaces import Workspace
    from ledger.people import Person


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """List the workspaces, or show, change, write out or delete one."""
    async with open_app(settings) as app:
        workspaces = Workspaces(app.store)
        known = await workspaces.known()
        if arguments.team is None:
            _show(known, as_json=arguments.json)
            return 0
        found = [each for each in known if each.team == arguments.team]
        if len(found) != 1:
            raise CommandError(f"There is no workspace “{arguments.team}” here; “money-minder workspace” lists them.")
        (one,) = found
        people = await workspaces.people(one.platform, one.team)
        if arguments.forget:
            await _forget(app, one, people, settings, yes=arguments.yes)
            return 0
        if arguments.export:
            await _export(app, people, arguments.export)
        if said := _said(arguments):
            await workspaces.lay_down(one.platform, one.team, **said)
        _show((replace(one, rules=replace(one.rules, **said)),), as_json=arguments.json)
    return 0


def _said(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what is said of rules, by their names; raises CommandError."""
    if arguments.keep is not None and not 0 <= arguments.keep <= LONGEST_KEPT:
        raise CommandError("--keep is a number of days from 1 to 36500, or 0 for no limit.")
    said: dict[str, Any] = {} if arguments.sharing is None else {"sharing": arguments.sharing == "on"}
    if arguments.keep is not None:
        said["keep_days"] = arguments.keep
    if arguments.people is not None:
        said["admitted"] = _named(arguments.people)
    return said


def _named(ids: str) -> frozenset[str]:
    """Return the ids of members, none for “everyone”; raises CommandError."""
    named = frozenset() if ids == EVERYONE else member_ids(ids)
    if named is None:
        raise CommandError("--people takes members' ids, such as U012AB3CD,U034EF5GH, or the word everyone.")
    return named


def _show(workspaces: Sequence[Workspace], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([_told(each) for each in workspaces], ensure_ascii=False))
        return
    for each in workspaces:
        kept = f"{each.rules.keep_days} days" if each.rules.keep_days else "as the settings say"
        facts = [
            translated(people_of(each.people), "en"),
            "installed" if each.installed else "not installed by itself",
            f"sharing {'on' if each.rules.sharing else 'off'}",
            f"conversations kept {kept}",
        ]
        if each.rules.admitted:
            facts.append(f"for {len(each.rules.admitted)} of its members")
        print(f"{each.platform} {each.team}: {', '.join(facts)}")


def _told(one: Workspace) -> dict[str, Any]:
    """Return a workspace as a program reads it."""
    told = asdict(one)
    told["rules"]["admitted"] = sorted(one.rules.admitted)
    return told


async def _export(app: App, people: Sequence[Person], file: str) -> None:
    """Write everybody's transactions and balances into one new archive that only its owner can read."""
    _save(file, await packed(app.store, people))


def _save(file: str, data: bytes) -> None:
    """Write a new file that only its owner can read; raises CommandError."""
    try:
        opened = os.open(Path(file).expanduser(), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(opened, "wb") as out:
            out.write(data)
    except OSError as error:
        raise CommandError("That file can't be written, or is there already.") from error


async def _forget(app: App, one: Workspace, people: Sequence[Person], settings: Settings, *, yes: bool) -> None:
    """Delete everybody's data of a workspace, its rules and its tokens, after a yes."""
    what = say(
        "everything of {people} in {workspace}",
        people=people_of(len(people)),
        workspace=one.team,
    )
    language = language_here(settings)
    await agreed(what, language, yes=yes)
    removed = await forget_people(app.store, people)
    await Workspaces(app.store).drop(one.platform, one.team)
    await app.indexing.catch_up()
    gone = counted(removed, "transaction", settings.locale or "en_US")
    print(translated(say("Deleted: {what} ({count}).", what=what, count=gone), language))
