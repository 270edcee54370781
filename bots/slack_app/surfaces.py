"""What a person meets around the conversation: the App Home, suggested prompts, the welcome, and modals."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import structlog

from bots.audience import Place
from bots.contracts import Occasion
from bots.desk.column_forms import fields
from bots.desk.columns import mending
from bots.desk.forms import read_form
from bots.desk.overview import overview
from bots.desk.setting_forms import SEARCHED
from bots.desk.settings import preferences
from bots.desk.welcome import WELCOME, is_new
from bots.errors import ActionRefused, SendFailed, SendRefused
from bots.import_words import on_one_line
from bots.limits import Slack
from bots.slack_app.bodies import Origin, Sender, compose
from bots.slack_app.home import home_view, notice_home
from bots.slack_app.interactions import note
from bots.slack_app.modals import (
    CATEGORY,
    COLUMNS,
    MERCHANT,
    accounts_view,
    categories_view,
    category_options,
    columns_view,
    errors,
    merchant_options,
    notice_view,
    read_categories,
    setting_options,
    settings_view,
)
from bots.slack_app.web import checked, patiently
from graph.examples import examples_for
from language.catalogue import translated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence

    from bots.contracts import Message
    from bots.desk.desk import Desk
    from bots.slack_app.bodies import Opened, Pressed, Submitted, Suggesting, Surroundings
    from bots.slack_app.web import SlackWeb
    from ledger.people import Person

_log = structlog.get_logger(__name__)

#: The title of what is shown to somebody who may not use the bot.
_NOT_FOR_THEM = "Money Minder"
NO_OPTIONS: dict[str, Any] = {"options": []}
#: Closes the form, and those under it.
_CLOSED: dict[str, Any] = {"response_action": "clear"}
#: What someone without transactions may want to know; each message is a command.
_FIRST_PROMPTS = (
    ("How do I bring my bank files?", "import"),
    ("Let me try it with made-up data", "sample"),
    ("What can I ask?", "help"),
    ("Show my settings", "settings"),
)
#: So many of them bring transactions, which nobody can where nothing is changed.
_BRINGING = 2


class Surfaces:
    """Draws them for one workspace, and reads what is filled in; what Slack refuses is logged and costs nothing else."""

    def __init__(self, web: SlackWeb, desk: Desk) -> None:
        """Draw with this client, from this desk."""
        self._web = web
        self._desk = desk

    async def opened(self, opened: Opened, surroundings: Surroundings) -> Occasion | None:
        """Draw the Home anew, or suggest questions; return the occasion to welcome someone who was not greeted yet.

        A Home that stays open while something changes shows it once it is opened again. People of other organisations
        are shown nothing, as they are answered nothing.
        """
        person = opened.person
        place = Sender(person, foreign=person.team != surroundings.team).at(opened.channel)
        if place is not Place.DIRECT:
            _log.info("slack_opened_elsewhere", tab=opened.tab)
            return None
        origin = Origin(person, place, opened.channel)
        # Once a day at most, however often the tab is opened before the first answer arrives.
        welcome = f"welcome:{person.team}:{person.user}:{surroundings.now().date().isoformat()}"
        message = compose(surroundings, origin, welcome, kind="command")
        if opened.tab == "home":
            await _told("home", self._publish(person, note(message)))
            return None
        await _told("prompts", self._suggest(person, opened.channel))
        return Occasion(WELCOME, message) if await is_new(self._desk, person) else None

    async def refuse(self, opened: Opened, sentence: str) -> None:
        """Show somebody who may not use the bot why, in place of a Home; in the messages they are told once they write."""
        if opened.tab == "home":
            await _told("home", self._show(opened.person, notice_home(sentence)))

    async def refuse_modal(self, pressed: Pressed, sentence: str) -> None:
        """Show somebody who may not use the bot why, in place of a modal."""
        view = notice_view(_NOT_FOR_THEM, sentence)
        await _told("modal", checked(self._web.client.views_open(trigger_id=pressed.trigger_id, view=view)))

    async def open_modal(self, pressed: Pressed) -> None:
        """Open the modal that a button asks for; a trigger that is older than three seconds opens none."""
        metadata, writes = note(pressed.message), self._desk.writes
        language = await self._desk.tongue(pressed.person)
        if pressed.what == "settings":
            view = settings_view(await preferences(self._desk, pressed.person), metadata, language, writes=writes)
        elif pressed.what == "columns":
            view = await self._columns(pressed, metadata, language)
        else:
            vocabulary = (await self._desk.context(pressed.person)).vocabulary
            draw = accounts_view if pressed.what == "accounts" else categories_view
            view = draw(vocabulary, metadata, language, writes=writes)
        await _told("modal", checked(self._web.client.views_open(trigger_id=pressed.trigger_id, view=view)))

    async def read_form(self, submitted: Submitted) -> Message | dict[str, Any]:
        """Return what a form asks for as a message, or the acknowledgement: what is wrong with it, or nothing to do."""
        language, message = await self._desk.tongue(submitted.person), submitted.message
        values = {name: text if isinstance(text, str) else ",".join(text) for name, text in submitted.values.items()}
        reading = partial(read_form, most=Slack.OPTIONS, read_categories=read_categories)
        try:
            asked = await reading(self._desk, submitted.callback_id, values, message, language)
        except ActionRefused as refused:
            return {"response_action": "update", "view": notice_view(COLUMNS, refused.message, language)}
        return errors(asked) if isinstance(asked, dict) else asked or _CLOSED

    async def _columns(self, pressed: Pressed, metadata: str, language: str) -> dict[str, Any]:
        """Return the form of a file's columns, or why there is none: the file is done with, or another person's."""
        try:
            mend = await mending(self._desk, pressed.message)
        except ActionRefused as refused:
            return notice_view(COLUMNS, refused.message, language)
        asked = fields(mend.table, mend.page, Slack.OPTIONS)
        return columns_view(mend.name, asked, metadata, language, writes=self._desk.writes)

    async def options(self, suggesting: Suggesting) -> dict[str, Any]:
        """Return the options of a menu for what a person typed, from their own ledger; none for an unknown menu."""
        menu, typed = suggesting.action_id, suggesting.typed
        language = await self._desk.tongue(suggesting.person)
        if menu in SEARCHED:
            return {"options": setting_options(menu, typed, language)}
        if menu not in (MERCHANT, CATEGORY):
            return NO_OPTIONS
        vocabulary = (await self._desk.context(suggesting.person)).vocabulary
        if menu == MERCHANT:
            return {"options": merchant_options(vocabulary, typed)}
        return {"options": category_options(vocabulary, typed, language)}

    async def _publish(self, person: Person, metadata: str) -> None:
        await self._show(
            person, home_view(await overview(self._desk, person), writes=self._desk.writes, metadata=metadata)
        )

    async def _show(self, person: Person, view: dict[str, Any]) -> None:
        await patiently(lambda: checked(self._web.client.views_publish(user_id=person.user, view=view)))

    async def _suggest(self, person: Person, channel: str) -> None:
        """Suggest questions in the direct messages; with a ``thread_ts``, an agent's call would silently do nothing.

        https://docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts
        """
        context = await self._desk.context(person)
        prompts: Sequence[tuple[str, str]] = [
            (translated(title, context.language), message)
            for title, message in _FIRST_PROMPTS[0 if self._desk.writes else _BRINGING :]
        ]
        if context.vocabulary.count:
            # A prompt can be nothing but text that the person says by pressing it: it is read as any question of theirs, and
            # nothing in it may be read as a link or mention.
            lines = [on_one_line(example.label) for example in examples_for(context)]
            examples = [line for line in lines if not set("<>@") & set(line)]
            prompts = [(line, line) for line in examples]
        listed = [{"title": title, "message": message} for title, message in prompts[: Slack.SUGGESTED_PROMPTS]]
        client = self._web.client
        await checked(client.assistant_threads_setSuggestedPrompts(channel_id=channel, prompts=listed))


async def _told(what: str, call: Awaitable[object]) -> None:
    """Await a call for something that is only shown; that it failed is logged, and the person can open it again."""
    try:
        await call
    except (SendFailed, SendRefused) as error:
        _log.warning("slack_surface_refused", what=what, code=getattr(error, "code", ""))
