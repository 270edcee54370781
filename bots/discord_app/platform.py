"""The Discord adapter: events become messages, interactions are acknowledged first, and replies become messages.

event → read → Said → receive (the inbox)
               Asked → acknowledged → receive; where that fails, the acknowledgement becomes one clear sentence, for
                       Discord does not deliver again
               Opening → a form        Submitted → acknowledged → its errors, or receive        Suggesting → choices
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog

from bots.admission import NOT_TOLD
from bots.contracts import EVERYTHING, pressed
from bots.desk.settings import adopt_locale
from bots.discord_app.bodies import Asked, Opening, Said, Submitted, Suggesting, Surroundings, Turning, compose
from bots.discord_app.buttons import find_action
from bots.discord_app.client import Connection, DiscordConfig
from bots.discord_app.files import fetch_file
from bots.discord_app.inbound import read
from bots.discord_app.members import Members
from bots.discord_app.narrating import Narrator
from bots.discord_app.people import Channels, Screens, remember, spoke_since
from bots.discord_app.posts import is_thinking, notice
from bots.discord_app.readers import readership
from bots.discord_app.registration import register
from bots.discord_app.routes import DIRECT, read_route
from bots.discord_app.sending import DiscordSender
from bots.discord_app.shards import Shards
from bots.discord_app.surfaces import NOTHING_THERE, Mistake, Surfaces, no_choices, said_at_once
from bots.discord_app.web import ORIGINAL, DiscordFailed, DiscordRefused, DiscordWeb
from bots.errors import InboxUnavailable, NotAdmitted, SendFailed, SendRefused, UnreadableRecord, outline
from bots.keyed_fifo import KeyedFifo
from bots.limits import Discord
from bots.posting import Publishing
from bots.sending import STORE_ERRORS, Patience
from graph.reply import Audience
from language.catalogue import language_of, translated
from tools import surface

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
    from datetime import datetime

    from bots.contracts import Attachment, ConversationKey, Delivery, Message, Progress, Readership, Receive
    from bots.desk.desk import Desk
    from bots.discord_app.bodies import Interaction
    from bots.discord_app.buttons import Row
    from bots.discord_app.posts import Json
    from graph.steps import Step
    from ledger.people import Person

__all__ = ["DiscordConfig", "DiscordPlatform"]

_log = structlog.get_logger(__name__)

_NOT_STORED = "I can't take messages right now. Please ask again in a minute."
_NOT_OPENED = "I could not open this form. Please try again."
_NOT_TURNED = "I could not turn the page. Please try again."
#: Where others are, a file is brought by a command, which shows it to nobody.
_BY_COMMAND = surface.Surface(command="/money")
#: A form must be there within the three seconds that an interaction has, the way included.
_FORM_SECONDS = 1.8
#: How long a talk in a thread goes on without our name.
_GOES_ON = timedelta(minutes=30)
#: Between two tries to register our commands, without which there is no /money.
_REGISTERING = Patience(first_wait=5.0, longest_wait=300.0)
#: How long what came in before the end may take to be stored.
_LAST_SECONDS = 3.0


class DiscordPlatform(Publishing):
    """One bot, wherever it is installed.

    A person is the same in every server and in direct messages: Discord's user ids are global, so ``Person.team`` is
    empty, and everyone has one ledger.
    """

    name = "discord"
    capabilities = replace(EVERYTHING, max_text=Discord.CONTENT, steps=False)

    def __init__(
        self,
        config: DiscordConfig,
        desk: Desk,
        now: Callable[[], datetime],
        *,
        wall: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Wire the parts; nothing connects before :meth:`start`. ``wall`` is this machine's clock, never a fixed one."""
        self._config = config
        self._desk = desk
        self._now = now
        self._wall = wall
        self._web = DiscordWeb()
        self._channels = Channels(self._web)
        self._members = Members(self._web, config.admission)
        self._sender = DiscordSender(self._web, self._channels, desk.locale, wall)
        self._narrator = Narrator(self._sender, sleep=sleep)
        self._surfaces = Surfaces(desk)
        one = len(config.shards) == 1
        self._connection = Connection(config, self._web, sleep=sleep) if one else Shards(config, self._web, sleep)
        self._surroundings: Surroundings | None = None
        self._receive: Receive | None = None
        self._takes = False
        self._sleep = sleep
        self._arrivals = KeyedFifo()
        self._screens = Screens(desk.store)
        self._written: OrderedDict[ConversationKey, str] = OrderedDict()
        """The channel of the last post of a conversation that is answered here, where the last was no command or press."""
        self._taking: set[asyncio.Task[Any]] = set()
        """What came in and is not stored yet."""
        self._work: set[asyncio.Task[None]] = set()

    async def start(self, receive: Receive | None) -> None:
        """Log in; if there is somebody to receive, connect as well, and see to it that Discord knows our commands.

        Raises:
            CommandError: Discord does not accept the token, or can't be reached.
        """
        self._receive = receive
        us = await self._connection.log_in(self._take_in)
        self._surroundings = Surroundings(us.application, us.bot_user, self._now, self._wall)
        self._members.owners = us.owners
        if receive is None:
            return
        self._takes = True
        await self._connection.connect()
        self._spawn(partial(self._register, us.application))

    async def send(self, delivery: Delivery) -> None:
        """Send a reply where its readers are, and nobody else."""
        if delivery.reply.kind == "notice":  # what is written after it is about what stood there before
            await self._sender.send(delivery)
            return
        shown_in = await self._shown_in(delivery)
        self._screens.show(shown_in, delivery.conversation)
        if await self._sender.send(delivery) == "person":
            shown_in = await self._channels.direct_with(delivery.conversation.person.user)
        self._screens.show(shown_in, delivery.conversation)

    async def _shown_in(self, delivery: Delivery) -> str:
        """Return the channel that will most likely show a reply, nothing where that can't be found out."""
        conversation, route = delivery.conversation, read_route(delivery.route)
        if route is not None and route.is_open(self._wall()):
            return route.channel
        if not conversation.team:
            return conversation.channel
        try:
            return await self._channels.direct_with(conversation.person.user)
        except (DiscordFailed, DiscordRefused):
            return ""

    async def admit(self, message: Message) -> None:
        """Let members of a server that the bot is in use it, as far as settings let them; raises NotAdmitted."""
        await self._members.admit(message)

    async def administers(self, person: Person) -> bool:
        """Return that nobody does: people are the same in all servers."""
        del person
        return False

    async def readers(self, message: Message) -> Audience:
        """Return who reads along: the asker alone.

        In a server an answer is ephemeral or goes to the asker's direct messages; so there is nothing to ask. Whether a
        channel outside servers is one of direct messages with the asker, Discord is asked, once.
        """
        if message.ts is None:
            self._written.pop(message.conversation, None)
        else:
            remember(self._written, message.conversation, message.channel)
        written_to_us = message.ts is not None and (message.route == DIRECT or not message.conversation.team)
        if not written_to_us:
            return message.audience
        alone = await self._channels.is_between_us(message.channel, message.person.user)
        return message.audience if alone else Audience.SHARED

    async def surface(self, message: Message) -> surface.Surface:
        """Files can be dropped in direct messages; a command brings them where others are."""
        where = message.conversation
        return _BY_COMMAND if where.team and message.route != DIRECT else surface.DIRECT

    async def readership(self, message: Message) -> Readership:
        """Return who would read a post in the message's channel; raises SendFailed and SendRefused."""
        return await readership(self._web, message)

    async def stream(self, delivery: Delivery, sentences: AsyncIterator[str]) -> None:
        """Add sentences to a reply that was sent."""
        await self._narrator.tell(delivery, sentences)

    async def progress(self, conversation: ConversationKey, state: Progress, steps: Sequence[Step] = ()) -> None:
        """Show that we type where something was written; below a command Discord itself shows that we think."""
        del steps
        channel = self._written.get(conversation, "" if conversation.team else conversation.channel)
        if state == "working" and channel:
            await self._web.typing(channel)

    async def fetch(self, attachment: Attachment) -> bytes:
        """Return a file's bytes; raises AttachmentUnavailable."""
        return await fetch_file(self._web, attachment, self._config.api_url)

    async def connected(self) -> bool:
        """Whether Discord's gateway can deliver at this moment."""
        return self._connection.is_up

    async def lost(self) -> str:
        """Return when Discord has closed the gateway for good, again and again."""
        return await self._connection.loss.told()

    async def stop(self) -> None:
        """Take nothing more in, store what was acknowledged, and disconnect so that the next start hears the rest."""
        self._takes = False
        if self._taking:
            await asyncio.wait(self._taking, timeout=_LAST_SECONDS)
        ending = [*self._taking, *self._work]
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        await self._connection.close()

    async def _take_in(self, event: str, body: Mapping[str, Any]) -> bool:
        """See to an event, unless we are about to stop: then False leaves it for the next start."""
        task = asyncio.current_task()
        if not self._takes or task is None:
            return False
        self._taking.add(task)
        try:
            await self._see_to(event, body)
        finally:
            self._taking.discard(task)
        return True

    async def _see_to(self, event: str, body: Mapping[str, Any]) -> None:
        """Do what an event asks for; what has three seconds is answered before anything else is awaited."""
        assert self._surroundings is not None
        match read(event, body, self._surroundings):
            case Said() as said:
                async with self._arrivals.enter(said.message.conversation):
                    await self._hear(said)
            case Asked() as asked:
                async with self._acknowledged(asked) as goes_on:
                    if goes_on and await self._may_ask(asked.interaction):
                        await self._answer(asked.interaction, await self._completed(asked))
            case Opening() as opening:
                await self._at_once(opening.interaction, partial(self._surfaces.open, opening), _NOT_OPENED)
            case Turning() as turning:
                await self._at_once(turning.interaction, partial(self._surfaces.page, turning), _NOT_TURNED)
            case Submitted() as submitted:
                async with self._acknowledged(submitted) as goes_on:
                    if goes_on and await self._may_ask(submitted.interaction):
                        await self._submit(submitted)
            case Suggesting() as suggesting:
                await self._suggest(suggesting)

    async def _hear(self, said: Said) -> None:
        if not said.mentioned and (said.to_others or not await self._goes_on(said.message)):
            return
        try:
            message = await self._on_screen(said.message)
            await self._accept(message)
        except InboxUnavailable:
            with suppress(DiscordFailed, DiscordRefused):
                await self._web.post(said.message.channel, notice(_NOT_STORED))

    async def _goes_on(self, message: Message) -> bool:
        """Whether a post that does not name us goes on with what its author and we were talking about in a thread."""
        if not self._config.thread_follow_ups or not (message.text or message.attachments):
            return False
        try:
            if not await self._channels.is_thread(message.channel):
                return False
            return await spoke_since(self._desk.store, message.conversation, message.received_at - _GOES_ON)
        except (DiscordFailed, DiscordRefused, *STORE_ERRORS) as error:
            _log.warning("discord_thread_unknown", error=outline(error))
            return False

    async def _on_screen(self, message: Message) -> Message:
        """Return a direct message in the conversation that it goes on with; raises InboxUnavailable where nobody knows."""
        if message.conversation.team:
            return message
        try:
            found = await self._screens.conversation_of(message)
        except (*STORE_ERRORS, UnreadableRecord) as error:
            raise InboxUnavailable("I can't tell what this is about.") from error
        return message if found == message.conversation else replace(message, conversation=found, route=DIRECT)

    @asynccontextmanager
    async def _acknowledged(self, asked: Asked | Submitted) -> AsyncIterator[bool]:
        """Acknowledge at once, and go on when all that came in before in this conversation is stored."""
        ticket = self._arrivals.enter(asked.message.conversation)
        try:
            goes_on = await self._acknowledge(asked.interaction, asked.acknowledgement)
            async with ticket:
                yield goes_on
        finally:
            ticket.leave()

    async def _acknowledge(self, interaction: Interaction, body: Mapping[str, Any]) -> bool:
        """Answer an interaction in time, and return whether to go on.

        One that was lost shows the person that we did not answer, and they ask again; so it is with one that a restart
        comes too late for: answered elsewhere it would come unasked, twice, or do what they no longer expect. One that a
        former process had acknowledged counts as answered now. So does one where it is not clear: a person who sees us
        think gets what they wait for, and any other in their direct messages.
        """
        try:
            await self._web.acknowledge(interaction.id, interaction.token, body)
        except DiscordFailed as error:
            _log.warning("discord_acknowledgement_unclear", interaction=interaction.id, error=outline(error))
            return error.unclear
        except DiscordRefused as error:
            _log.warning("discord_interaction_lost", interaction=interaction.id, code=error.code)
            return False
        return True

    async def _completed(self, asked: Asked) -> Message | None:
        """Return the message of a press in the conversation of the answer that it stands below, with all that it means.

        None where the button does not say it, and no answer of the person's own does.
        """
        message, button = asked.message, asked.button
        if button is None or message.about is None:
            return message
        try:
            message = replace(message, conversation=await self._surfaces.conversation_of(message))
            if button.value is None:
                reply = await self._desk.history.reply(message.conversation, message.about)
                action = find_action(button, reply)
                if action is None:
                    return None
                message = replace(message, content=pressed(action))
        except (*STORE_ERRORS, UnreadableRecord) as error:
            _log.warning("discord_press_unread", error=outline(error))
            return None if button.value is None else message
        return message

    async def _refusal(self, interaction: Interaction) -> str:
        """Return why a person may not use the bot where they are, or nothing where they may; also where Discord does not tell."""
        message = compose(interaction, self._now())
        try:
            await self.admit(message)
        except NotAdmitted as refused:
            return translated(refused.message, language_of(interaction.locale))
        except (SendFailed, SendRefused) as error:
            _log.warning("discord_person_unknown", error=outline(error))
            return translated(NOT_TOLD, language_of(interaction.locale))
        return ""

    async def _may_ask(self, interaction: Interaction) -> bool:
        """Whether a person may use the bot where they are; who may not is told so."""
        refusal = await self._refusal(interaction)
        if refusal:
            await self._set_line(interaction, refusal)
        return not refusal

    async def _submit(self, submitted: Submitted) -> None:
        try:
            asked = await self._surfaces.read(submitted)
        except STORE_ERRORS as error:
            _log.warning("discord_form_unread", error=outline(error))
            asked = _NOT_STORED
        if isinstance(asked, Mistake):
            await self._set_line(submitted.interaction, asked.line, asked.again)
        elif isinstance(asked, str):
            await self._say(submitted.interaction, asked)
        else:
            await self._answer(submitted.interaction, asked)

    async def _answer(self, interaction: Interaction, message: Message | None) -> None:
        if message is None:
            await self._say(interaction, NOTHING_THERE)
            return
        with suppress(*STORE_ERRORS):
            await adopt_locale(self._desk, message.person, interaction.locale)
        try:
            await self._accept(message)
        except InboxUnavailable:
            await self._say(interaction, _NOT_STORED)

    async def _accept(self, message: Message) -> None:
        assert self._receive is not None
        await self._receive(message)
        self._spawn(partial(self._greet, message))

    async def _greet(self, message: Message) -> None:
        assert self._receive is not None
        try:
            await self.admit(message)
        except NotAdmitted:
            return
        welcome = await self._surfaces.welcome(message)
        if welcome is not None:
            await self._receive(welcome)

    async def _say(self, interaction: Interaction, line: str) -> None:
        """Say a line of ours in the person's language."""
        await self._set_line(interaction, translated(line, await self._tongue(interaction)))

    async def _set_line(self, interaction: Interaction, line: str, row: Row = ()) -> None:
        """Set a line in place of "thinking", with a row of buttons; an answer is left as it is."""
        to = interaction.route.answering
        try:
            if is_thinking(await self._web.answer(to, ORIGINAL)):
                await self._web.edit_answer(to, ORIGINAL, notice(line, row))
        except (DiscordFailed, DiscordRefused) as error:
            _log.warning("discord_line_not_said", code=getattr(error, "code", ""))

    async def _tongue(self, interaction: Interaction) -> str:
        """Return the language of a person's lines, as their client tells it where the store can't be asked."""
        try:
            return await self._surfaces.tongue(interaction)
        except STORE_ERRORS:
            return language_of(interaction.locale)

    async def _at_once(self, interaction: Interaction, draw: Callable[[], Awaitable[Json]], failed: str) -> None:
        """Answer with what is drawn, a form or a page, or in a line with why there is none."""
        try:
            async with asyncio.timeout(_FORM_SECONDS):
                refusal = await self._refusal(interaction)
                answer = said_at_once(interaction, refusal) if refusal else await draw()
        except (TimeoutError, *STORE_ERRORS, UnreadableRecord) as error:
            _log.warning("discord_not_shown_at_once", error=outline(error))
            answer = said_at_once(interaction, translated(failed, language_of(interaction.locale)))
        await self._acknowledge(interaction, answer)

    async def _suggest(self, suggesting: Suggesting) -> None:
        """Give choices; where there are none in time, what the person types stands as it is."""
        try:
            async with asyncio.timeout(_FORM_SECONDS):
                refusal = await self._refusal(suggesting.interaction)
                answer = no_choices() if refusal else await self._surfaces.choices(suggesting)
        except Exception as error:  # noqa: BLE001 - a list that is empty costs nobody their question
            _log.warning("discord_choices_missing", error=outline(error))
            answer = no_choices()
        await self._acknowledge(suggesting.interaction, answer)

    async def _register(self, application: str) -> bool:
        """Let Discord know our commands, however long it can't be reached; return whether it had others."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return await register(self._web, application)
            except DiscordFailed as error:
                _log.warning("discord_commands_not_registered", attempt=attempt, error=outline(error))
                await self._sleep(_REGISTERING.wait(attempt))

    def _spawn(self, work: Callable[[], Awaitable[object]]) -> None:
        task = asyncio.create_task(_logged(work))
        self._work.add(task)
        task.add_done_callback(self._work.discard)


async def _logged(work: Callable[[], Awaitable[object]]) -> None:
    try:
        await work()
    except Exception as error:  # noqa: BLE001 - nobody waits for it
        _log.warning("discord_work_failed", error=outline(error), code=getattr(error, "code", ""))
