"""What a person has set for themselves: shown, changed from a form, and taken back."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import sqlalchemy as sa

from bots.confirming import Done
from bots.contracts import SAVE_SETTINGS
from bots.desk.replies import aside, said
from bots.errors import NO_CHANGES, ActionRefused
from graph.answers import result_reply, told_button
from graph.reply import Action, Actions
from language.catalogue import joined, say
from ledger import schema
from ledger.errors import PreferenceRefused
from ledger.preferences import PREFERENCES, TOLD_LOCALE, check_preference, show_preference, store_preference
from tools.apps.settings import show
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection

    from bots.confirming import Settlement, Work
    from bots.contracts import Message
    from bots.desk.desk import Desk, Handler
    from bots.history import Recollection
    from graph.reply import Reply
    from graph.turn import TurnOutcome
    from ledger.people import Person

    Change = Callable[[AsyncConnection], Awaitable[None]]

SAVE = SAVE_SETTINGS
_DEFAULT = "default"


def setting_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handlers that show the settings and take a filled-in form."""
    names = ("settings", "einstellungen", "meine einstellungen")
    return {**dict.fromkeys(names, partial(_show, desk)), SAVE: partial(_save, desk)}


def setting_works(desk: Desk) -> dict[str, Work]:
    """Return the work that takes a saved form back."""
    return {SAVE: partial(_take_back, desk)}


async def preferences(desk: Desk, person: Person) -> dict[str, str]:
    """Return what the person has set, as it is stored; what is not there is the default."""
    made = await (await desk.repository(person)).settings()
    return {name: made[name] for name in PREFERENCES if name in made}


def problems(values: Mapping[str, str]) -> dict[str, str]:
    """Return what is wrong with a form's values, by setting; nothing where all can be stored. Reads no data."""
    found = {}
    for name, text in values.items():
        try:
            check_preference(name, text)
        except PreferenceRefused as refused:
            found[name] = refused.message
            if refused.choices:
                near = say("Near it: {choices}.", choices=", ".join(refused.choices))
                found[name] = joined((say(refused.message), near), " ")
    return found


async def adopt_time_zone(desk: Desk, person: Person, zone: str) -> None:
    """Set the time zone that a platform tells of, where it is known and the person has set none."""
    value = _told(desk, "time_zone", zone)
    if value is None:
        return
    repository = await desk.repository(person)
    table = schema.settings.c
    mine = sa.select(table.value).where(table.person_id == repository.person_id, table.name == "time_zone")
    async with desk.store.write() as connection:
        if (await connection.execute(mine)).scalar_one_or_none() is None:
            await store_preference(connection, repository, "time_zone", value)


async def adopt_locale(desk: Desk, person: Person, locale: str) -> None:
    """Keep the locale that a platform tells of, where it is known; what the person has set themselves counts before it."""
    value = _told(desk, "locale", locale)
    if value is None:
        return
    repository = await desk.repository(person)
    if (await repository.settings()).get(TOLD_LOCALE, desk.default_locale) != value:
        async with desk.store.write() as connection:
            await store_preference(connection, repository, TOLD_LOCALE, value)


def _told(desk: Desk, name: str, text: str) -> str | None:
    """Return the value of a setting that a platform tells of; None for one that is unknown, or where nothing is changed."""
    with suppress(PreferenceRefused):
        return check_preference(name, text)[1] if desk.writes else None
    return None


async def _show(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    language = await desk.language(message, recollection)
    context = replace(await desk.context(message.person), language=language)
    reply = result_reply(await show(context), context)
    button = Action(told_button("Change settings", reply.language), "settings")
    change = (Actions((button,)),) if desk.writes else ()
    return aside(replace(reply, blocks=(*reply.blocks, *change)), recollection)


async def _save(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Store a form: sending it off is the confirmation, so what is proposed is to take it back."""
    try:
        done, change = await _changing(desk, message.person, message.values)
    except (PreferenceRefused, ActionRefused) as refused:
        return aside(said(refused.message, kind="refuse"), recollection)
    return replace(aside(done.reply, recollection, done.undo), change=change)


async def _take_back(desk: Desk, message: Message, call: Call, settle: Settlement) -> None:
    done, change = await _changing(desk, message.person, call.arguments)
    async with desk.store.write() as connection:
        await settle.use_up(connection)
        await change(connection)
        await settle(connection, done)


async def _changing(desk: Desk, person: Person, values: Mapping[str, str]) -> tuple[Done, Change]:
    """Return what stores all of the values or none, and what is said then; what takes it back holds what stood there.

    Raises:
        PreferenceRefused: one of them can't be stored.
        ActionRefused: nothing may be changed here.
    """
    if not desk.writes:
        raise ActionRefused(NO_CHANGES)
    wanted = dict(check_preference(str(name), str(text)) for name, text in values.items())
    repository = await desk.repository(person)
    before = await repository.settings()
    changed = {name: value for name, value in wanted.items() if before.get(name) != value}

    async def change(connection: AsyncConnection) -> None:
        for name, value in changed.items():
            await store_preference(connection, repository, name, value)

    back = {name: before.get(name, _DEFAULT) for name in changed}
    return Done(_changes(before, changed), Call(SAVE, back) if changed else None), change


def _changes(before: Mapping[str, str], changed: Mapping[str, str | None]) -> Reply:
    lines = [
        say(
            "{setting}: {before} → {now}",
            setting=say(PREFERENCES[name].label),
            before=_shown(name, before.get(name)),
            now=_shown(name, value),
        )
        for name, value in changed.items()
    ]
    if not lines:
        return said("Your settings are as they were.")
    several = say("{number} settings changed.", number=str(len(lines)))
    return said("One setting changed." if len(lines) == 1 else several, joined(lines, "\n"))


def _shown(name: str, value: str | None) -> str:
    return say(_DEFAULT) if value is None else show_preference(name, value)
