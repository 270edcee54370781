"""What a person meets around the conversation: forms, choices for what they type, and the welcome."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bots.audience import Place
from bots.desk.settings import NO_CHANGES, preferences
from bots.desk.welcome import is_new
from bots.discord_app.escaping import escape
from bots.discord_app.modals import categories_modal, checked_files, import_modal, read_form, settings_modal
from bots.discord_app.routes import read_route
from bots.discord_app.suggestions import suggestions
from bots.limits import Discord
from tools.calls import Call

if TYPE_CHECKING:
    from bots.contracts import Message
    from bots.desk.desk import Desk
    from bots.discord_app.bodies import Interaction, Opening, Submitted, Suggesting
    from ledger.people import Person

Json = dict[str, Any]

_MODAL, _SAY, _CHOICES = 9, 4, 8
_EPHEMERAL, _NO_EMBEDS = 1 << 6, 1 << 2
_MOST_GREETED = 10_000
_NO_MERCHANTS = "There are no transactions yet, so there is no merchant to put into a category."
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
            case "categories":
                vocabulary = (await self._desk.context(person)).vocabulary
                if not vocabulary.merchants:
                    return said_at_once(opening.interaction, _NO_MERCHANTS)
                form = categories_modal(vocabulary)
        return {"type": _MODAL, "data": form}

    async def read(self, submitted: Submitted) -> Message | str:
        """Return what a form asks for as a message, or in a sentence what is wrong with it or that nothing is to do."""
        message = submitted.message
        if submitted.form == "import":
            return checked_files(len(message.attachments)) or replace(message, kind="file")
        asked = read_form(submitted.form, submitted.values, await preferences(self._desk, submitted.interaction.person))
        if isinstance(asked, str):
            return asked
        return replace(message, call=asked) if asked.arguments else _AS_IT_WAS

    async def choices(self, suggesting: Suggesting) -> Json:
        """Return the choices for what a person types, from their own ledger."""
        context = await self._desk.context(suggesting.interaction.person)
        found = suggestions(suggesting.option, suggesting.typed, context)
        return {"type": _CHOICES, "data": {"choices": found}}

    async def welcome(self, message: Message) -> Message | None:
        """Return the request to welcome a person who was not greeted yet, to be answered after their message.

        It is shown where the message is: as a further answer to their interaction, or in their direct messages.
        """
        person = message.person
        if person in self._greeted or (message.conversation.team and not message.route):
            return None
        if len(self._greeted) >= _MOST_GREETED:
            self._greeted.clear()
        self._greeted.add(person)
        if (message.call is not None and message.call.name == "welcome") or not await is_new(self._desk, person):
            return None
        route = read_route(message.route)
        # Once a day at most, whatever becomes of the first.
        return replace(
            message,
            route=str(replace(route, deferred=False)) if route else "",  # what was deferred is for the answer itself
            delivery_id=f"welcome:{person.user}:{message.received_at.date().isoformat()}",
            ts=None,
            text="",
            kind="command",
            call=Call("welcome", {}),
            attachments=(),
            about=None,
        )


def no_choices() -> Json:
    """Return that there is nothing to choose from."""
    return {"type": _CHOICES, "data": {"choices": []}}


def said_at_once(interaction: Interaction, line: str) -> Json:
    """Return a line as the first answer to an interaction, for its asker alone."""
    flags = _NO_EMBEDS | (0 if interaction.place is Place.DIRECT else _EPHEMERAL)
    return {"type": _SAY, "data": {**notice(line), "flags": flags}}


def notice(line: str) -> Json:
    """Return a line of ours as a message."""
    return {"content": escape(line)[: Discord.CONTENT], "allowed_mentions": {"parse": []}, "flags": _NO_EMBEDS}
