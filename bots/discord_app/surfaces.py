"""What a person meets around the conversation: forms, choices for what they type, and the welcome."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from bots.audience import Place
from bots.contracts import Occasion, Question
from bots.desk import account_forms as forms
from bots.desk.column_forms import fields
from bots.desk.columns import mending
from bots.desk.forms import read_form
from bots.desk.settings import preferences
from bots.desk.welcome import WELCOME, is_new
from bots.discord_app.buttons import reopening
from bots.discord_app.modals import (
    accounts_modal,
    categories_modal,
    checked_files,
    columns_modal,
    filled,
    import_modal,
    read_categories,
    settings_modal,
)
from bots.discord_app.people import is_known, origin, remember
from bots.discord_app.posts import notice, turned_body
from bots.discord_app.rendering import turned
from bots.discord_app.routes import read_route
from bots.discord_app.suggestions import suggestions
from bots.errors import NO_CHANGES, ActionRefused
from bots.limits import Discord
from language.catalogue import language_of, translated
from ledger.repository import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bots.contracts import ConversationKey, Message
    from bots.desk.desk import Desk
    from bots.discord_app.bodies import Interaction, Opening, Submitted, Suggesting, Turning
    from bots.discord_app.buttons import Row
    from ledger.people import Person
    from tools.context import ToolContext

Json = dict[str, Any]

_MODAL, _SAY, _CHOICES, _UPDATE = 9, 4, 8, 7
_MOST_GREETED = 10_000
_NO_MERCHANTS = "There are no transactions yet, so there is no merchant to put into a category."
_COLUMNS_AS_THEY_WERE = "The columns are as they were."
#: How long a form with a mistake can be opened again as it was filled in.
_KEPT_SECONDS = 900.0
_AGAIN = "Fill in again"
_AS_IT_WAS = "Your settings are as they were."
NOTHING_THERE = "There is no answer of yours here to look into. Ask something first."


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong with a form, and the button that opens it again as it was filled in."""

    line: str
    again: Row


class Surfaces:
    """Draws them from one desk. ``seconds`` measures what passes."""

    def __init__(self, desk: Desk, seconds: Callable[[], float] = time.monotonic) -> None:
        """Draw from this desk."""
        self._desk = desk
        self._seconds = seconds
        self._greeted: set[Person] = set()
        self._drafts: OrderedDict[tuple[Person, str, str], tuple[float, Mapping[str, str]]] = OrderedDict()
        """Forms with a mistake, as they were filled in: whose, which, about what, and when. They are kept in memory alone."""

    async def open(self, opening: Opening) -> Json:
        """Return the first answer to what opens a form: the form, or in a line why there is none."""
        language = await self.tongue(opening.interaction)
        try:
            form = await self._form(opening, language)
            since, values = self._drafts.get(_draft_of(opening), (float("-inf"), {}))
            is_fresh = self._seconds() - since < _KEPT_SECONDS
            return {"type": _MODAL, "data": filled(form, values) if is_fresh else form}
        except ActionRefused as refused:
            return said_at_once(opening.interaction, translated(refused.message, language))

    async def _form(self, opening: Opening, language: str) -> Json:
        """Return the form that is asked for; raises ActionRefused with the sentence that says why there is none."""
        person = opening.interaction.person
        if not self._desk.writes:
            raise ActionRefused(NO_CHANGES)
        match opening.form:
            case "settings":
                return settings_modal(await preferences(self._desk, person), language)
            case "import":
                return import_modal(language)
            case "columns":
                assert opening.message is not None
                mend = await mending(self._desk, opening.message)
                asked = fields(mend.table, mend.page, Discord.OPTIONS)
                return columns_modal(mend.name, asked, opening.message, language)
            case "categories":
                vocabulary = (await self._desk.context(person)).vocabulary
                if not vocabulary.merchants:
                    raise ActionRefused(_NO_MERCHANTS)
                return categories_modal(vocabulary, language)
            case "accounts":
                vocabulary = (await self._desk.context(person)).vocabulary
                if not vocabulary.accounts:
                    raise ActionRefused(forms.NO_ACCOUNTS)
                return accounts_modal(vocabulary, language)

    async def tongue(self, interaction: Interaction) -> str:
        """Return the language that a person is shown forms and lines in."""
        return await self._desk.tongue(interaction.person, interaction.locale)

    async def read(self, submitted: Submitted) -> Message | Mistake | str:
        """Return what a form asks for as a message, what is wrong with it, or in a sentence that nothing is to do."""
        language = await self.tongue(submitted.interaction)
        asked = await self._asked(submitted, language)
        draft = _draft_of(submitted)
        self._drafts.pop(draft, None)
        if isinstance(asked, _Wrong):
            remember(self._drafts, draft, (self._seconds(), submitted.values))
            label = translated(_AGAIN, language, "button")
            row = reopening(label, submitted.form, submitted.message.about or "", _value_of(submitted.message))
            return Mistake(asked.line, row)
        if isinstance(asked, str):
            return translated(asked, language)
        return asked

    async def _asked(self, submitted: Submitted, language: str) -> Message | _Wrong | str:
        message, form = submitted.message, submitted.form
        if form == "import":
            return checked_files(len(message.attachments)) or replace(message, kind="file")
        reading = partial(read_form, most=Discord.OPTIONS, read_categories=read_categories)
        try:
            asked = await reading(self._desk, form, submitted.values, message, language)
        except ActionRefused as refused:
            return refused.message
        if isinstance(asked, dict):
            return _Wrong("\n".join(dict.fromkeys(asked.values())))
        return asked or (_COLUMNS_AS_THEY_WERE if form == "columns" else _AS_IT_WAS)

    async def page(self, turning: Turning) -> Json:
        """Return the first answer to a press that turns a page: the message with it, by what is stored of the person's answer."""
        message, about = turning.message, turning.message.about or ""
        found = await self.conversation_of(message)
        reply = await self._desk.history.reply(found, about)
        locale = await self._desk.locale(message.person)
        page = None if reply is None else turned(reply, about, turning.table, turning.page, locale)
        change = None if page is None else turned_body(turning.shown, *page)
        if change is None:
            language = await self.tongue(turning.interaction)
            return said_at_once(turning.interaction, translated(NOTHING_THERE, language))
        return {"type": _UPDATE, "data": change}

    async def conversation_of(self, message: Message) -> ConversationKey:
        """Return the person's own conversation of the answer that a press is about, as far as it is known."""
        where = message.conversation
        if where.team or not message.about:
            return where
        return await origin(self._desk.store, message.person, message.about) or where

    async def choices(self, suggesting: Suggesting) -> Json:
        """Return the choices for what a person types, from their own ledger."""
        interaction = suggesting.interaction
        context = await self._context(interaction.person)
        vocabulary = context.vocabulary if context is not None else Vocabulary.empty()
        language = language_of(interaction.locale) if context is None else await self.tongue(interaction)
        offered = suggestions(suggesting.option, suggesting.typed, vocabulary, language)
        return {"type": _CHOICES, "data": {"choices": offered}}

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
            content=Question(),
            kind="command",
            attachments=(),
            about=None,
        )
        return Occasion(WELCOME, place)


@dataclass(frozen=True, slots=True)
class _Wrong:
    """What is wrong with a form that can be filled in again."""

    line: str


def _draft_of(form: Opening | Submitted) -> tuple[Person, str, str]:
    """Return whose form something is about, which, and of what."""
    message = form.message
    about = f"{message.about}:{_value_of(message)}" if message is not None and form.form == "columns" else ""
    return form.interaction.person, form.form, about


def _value_of(message: Message) -> str:
    """Return what the button carried that opened a form."""
    return str(message.values.get("value", ""))


def no_choices() -> Json:
    """Return that there is nothing to choose from."""
    return {"type": _CHOICES, "data": {"choices": []}}


def said_at_once(interaction: Interaction, line: str) -> Json:
    """Return a line as the first answer to an interaction, for its asker alone."""
    return {"type": _SAY, "data": notice(line, alone=interaction.place is not Place.DIRECT)}
