"""What a person meets around the conversation: forms, choices for what they type, and the welcome."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bots.audience import Place
from bots.contracts import Occasion
from bots.desk import account_forms as forms
from bots.desk.column_forms import fields, read_fields
from bots.desk.columns import mended, mending
from bots.desk.settings import preferences
from bots.desk.welcome import WELCOME, is_new
from bots.discord_app.commands import chosen
from bots.discord_app.modals import (
    accounts_modal,
    categories_modal,
    checked_files,
    columns_modal,
    import_modal,
    read_form,
    settings_modal,
)
from bots.discord_app.people import is_known
from bots.discord_app.posts import notice
from bots.discord_app.routes import read_route
from bots.discord_app.suggestions import suggestions
from bots.discord_app.wording import LONGEST
from bots.errors import NO_CHANGES, ActionRefused
from bots.limits import Discord
from ledger.repository import Vocabulary
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bots.contracts import Message
    from bots.desk.desk import Desk
    from bots.discord_app.bodies import Interaction, Opening, Submitted, Suggesting
    from ledger.people import Person
    from tools.context import ToolContext

Json = dict[str, Any]

_MODAL, _SAY, _CHOICES = 9, 4, 8
_MOST_GREETED = 10_000
_NO_MERCHANTS = "There are no transactions yet, so there is no merchant to put into a category."
_COLUMNS_AS_THEY_WERE = "The columns are as they were."
_AS_IT_WAS = "Your settings are as they were."


class Surfaces:
    """Draws them from one desk."""

    def __init__(self, desk: Desk) -> None:
        """Draw from this desk."""
        self._desk = desk
        self._greeted: set[Person] = set()

    async def open(self, opening: Opening) -> Json:
        """Return the first answer to what opens a form: the form, or in a line why there is none."""
        person = opening.interaction.person
        if not self._desk.writes:
            return said_at_once(opening.interaction, NO_CHANGES)
        match opening.form:
            case "settings":
                form = settings_modal(await preferences(self._desk, person))
            case "import":
                form = import_modal()
            case "columns":
                return await self._columns(opening)
            case "categories":
                vocabulary = (await self._desk.context(person)).vocabulary
                if not vocabulary.merchants:
                    return said_at_once(opening.interaction, _NO_MERCHANTS)
                form = categories_modal(vocabulary)
            case "accounts":
                vocabulary = (await self._desk.context(person)).vocabulary
                if not vocabulary.accounts:
                    return said_at_once(opening.interaction, forms.NO_ACCOUNTS)
                form = accounts_modal(vocabulary)
        return {"type": _MODAL, "data": form}

    async def read(self, submitted: Submitted) -> Message | str:
        """Return what a form asks for as a message, or in a sentence what is wrong with it or that nothing is to do."""
        message, person = submitted.message, submitted.interaction.person
        match submitted.form:
            case "import":
                return checked_files(len(message.attachments)) or replace(message, kind="file")
            case "columns":
                return await self._mended(submitted)
            case "accounts":
                asked_of = forms.read_accounts(submitted.values, (await self._desk.context(person)).vocabulary)
                return replace(message, call=asked_of) if isinstance(asked_of, Call) else _in_one(asked_of)
            case "settings" | "categories" as form:
                call = read_form(form, submitted.values, await preferences(self._desk, person))
                if isinstance(call, str):
                    return call
                return replace(message, call=call) if call.arguments else _AS_IT_WAS
            case command:
                asked = chosen(command, submitted.values, await self._context(person))
                return asked if isinstance(asked, str) else replace(message, text=asked.text[:LONGEST], call=asked.call)

    async def _columns(self, opening: Opening) -> Json:
        """Return a part of the form of a file's columns, or why there is none: the file is done with, or another person's."""
        assert opening.message is not None
        try:
            mend = await mending(self._desk, opening.message)
        except ActionRefused as refused:
            return said_at_once(opening.interaction, refused.message)
        return {
            "type": _MODAL,
            "data": columns_modal(mend.name, fields(mend.table, mend.page, Discord.OPTIONS), opening.message),
        }

    async def _mended(self, submitted: Submitted) -> Message | str:
        """Return a form of columns as the message that goes on with its file, or in a sentence why that can't be."""
        try:
            mend = await mending(self._desk, submitted.message)
        except ActionRefused as refused:
            return refused.message
        asked = read_fields(mend.table, submitted.values, Discord.OPTIONS)
        if isinstance(asked, dict):
            return _in_one(asked)
        return _COLUMNS_AS_THEY_WERE if asked is None else replace(submitted.message, call=mended(mend, asked))

    async def choices(self, suggesting: Suggesting) -> Json:
        """Return the choices for what a person types, from their own ledger."""
        context = await self._context(suggesting.interaction.person)
        vocabulary = context.vocabulary if context is not None else Vocabulary.empty()
        return {"type": _CHOICES, "data": {"choices": suggestions(suggesting.option, suggesting.typed, vocabulary)}}

    async def _context(self, person: Person) -> ToolContext | None:
        """Return what is known of a person, None of one who has no ledger: a look makes none."""
        return await self._desk.context(person) if await is_known(self._desk.store, person) else None

    async def welcome(self, message: Message) -> Occasion | None:
        """Return the occasion to welcome a person who was not greeted yet, to be taken after their message is answered.

        It is shown where the message is: as a further answer to their interaction, or in their direct messages.
        """
        person = message.person
        if person in self._greeted or (message.conversation.team and not message.route):
            return None
        if len(self._greeted) >= _MOST_GREETED:
            self._greeted.clear()
        self._greeted.add(person)
        if not await is_new(self._desk, person):
            return None
        route = read_route(message.route)
        as_noted = message.route if route is None else str(replace(route, deferred=False))
        # What was deferred is for the answer itself. Once a day at most, whatever becomes of the first.
        place = replace(
            message,
            route=as_noted,
            delivery_id=f"welcome:{person.user}:{message.received_at.date().isoformat()}",
            ts=None,
            text="",
            kind="command",
            call=None,
            attachments=(),
            about=None,
        )
        return Occasion(WELCOME, place)


def _in_one(wrong: Mapping[str, str]) -> str:
    """Return what is wrong with a form as one text."""
    return "\n".join(dict.fromkeys(wrong.values()))


def no_choices() -> Json:
    """Return that there is nothing to choose from."""
    return {"type": _CHOICES, "data": {"choices": []}}


def said_at_once(interaction: Interaction, line: str) -> Json:
    """Return a line as the first answer to an interaction, for its asker alone."""
    return {"type": _SAY, "data": notice(line, alone=interaction.place is not Place.DIRECT)}
