"""``workspace``: what holds for everybody of a workspace, and everything of it written out or deleted."""

from __future__ import annotations

import io
import json
import os
import zipfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bots.app import open_app
from bots.cli.backing_up import people_of
from bots.cli.consent import agreed
from bots.cli.speaking import language_here
from bots.errors import CommandError
from bots.history import History
from bots.import_words import counted
from bots.table_file import export_text
from bots.workspaces import Rules, Workspaces
from language.catalogue import say, translated
from ledger.deletion import export_balances, export_rows, forget_person
from ledger.spreadsheets import BALANCE_COLUMNS, EXPORT_COLUMNS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bots.app import App
    from bots.settings import Settings
    from bots.workspaces import Workspace
    from ledger.people import Person

_SIGNS = frozenset("-_.")


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
        rules = _rules(one.rules, arguments)
        if rules != one.rules:
            await workspaces.lay_down(one.platform, one.team, rules)
        _show((replace(one, rules=rules),), as_json=arguments.json)
    return 0


def _rules(rules: Rules, arguments: argparse.Namespace) -> Rules:
    sharing = rules.sharing if arguments.sharing is None else arguments.sharing == "on"
    if arguments.keep is not None and not 0 <= arguments.keep <= 36500:
        raise CommandError("--keep is a number of days from 1 to 36500, or 0 for no limit.")
    return Rules(sharing, rules.keep_days if arguments.keep is None else arguments.keep)


def _show(workspaces: Sequence[Workspace], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([asdict(each) for each in workspaces], ensure_ascii=False))
        return
    for each in workspaces:
        kept = f"{each.rules.keep_days} days" if each.rules.keep_days else "as the settings say"
        facts = (
            translated(people_of(each.people), "en"),
            "installed" if each.installed else "not installed by itself",
            f"sharing {'on' if each.rules.sharing else 'off'}",
            f"conversations kept {kept}",
        )
        print(f"{each.platform} {each.team}: {', '.join(facts)}")


async def _export(app: App, people: Sequence[Person], file: str) -> None:
    """Write everybody's transactions and balances into one new archive that only its owner can read."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for person in people:
            repository = await app.repository(person)
            folder = "".join(sign if sign.isalnum() or sign in _SIGNS else "_" for sign in person.user)
            for name, rows, columns in (
                ("transactions", await export_rows(repository), EXPORT_COLUMNS),
                ("balances", await export_balances(repository), BALANCE_COLUMNS),
            ):
                archive.writestr(f"{folder}/{name}.csv", export_text(rows, columns))
    _save(file, packed.getbuffer())


def _save(file: str, data: memoryview) -> None:
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
    removed = 0
    for person in people:
        await History(app.store).forget(person)
        removed += await forget_person(app.store, person)
    await Workspaces(app.store).drop(one.platform, one.team)
    await app.indexing.catch_up()
    gone = counted(removed, "transaction", settings.locale or "en_US")
    print(translated(say("Deleted: {what} ({count}).", what=what, count=gone), language))
