"""The Slack adapter: bodies become messages before they are acknowledged, and replies become posts.

body → read → Message → receive (the inbox) → acknowledged            and, beside it, what needs no answer:
              Opened → App Home, suggested prompts, the welcome
              Pressed → a modal        Submitted → its errors, or a Message        Suggesting → options
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog

from bots.admission import EVERYONE, NOT_TOLD, Admission
from bots.contracts import EVERYTHING, Duty, Message
from bots.desk.settings import adopt_locale, adopt_time_zone
from bots.desk.workspace import WORKSPACE
from bots.errors import CommandError, InboxUnavailable, NotAdmitted, SendFailed, SendRefused, outline
from bots.limits import Slack
from bots.posting import Publishing
from bots.sending import STORE_ERRORS, Patience
from bots.slack_app.bodies import Opened, Pressed, Submitted, Suggesting, Surroundings
from bots.slack_app.files import fetch_file
from bots.slack_app.inbound import read
from bots.slack_app.installation import Installation, only
from bots.slack_app.people import STRANGER, People, Profile
from bots.slack_app.plans import Plans
from bots.slack_app.readers import readership
from bots.slack_app.sending import SlackSender
from bots.slack_app.sessions import Sessions
from bots.slack_app.streaming import Streams
from bots.slack_app.surfaces import NO_OPTIONS, Surfaces
from bots.slack_app.transport import Acknowledgement, HttpTransport, SocketTransport, bolt_app
from bots.slack_app.watching import TOKEN_ERRORS, Watch
from bots.slack_app.web import SlackRefused, SlackWeb, checked
from graph.reply import Audience
from language.catalogue import language_of, translated
from language.tongue import DEFAULT
from tools.surface import AMONG_OTHERS, DIRECT, Surface

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
    from datetime import datetime

    from bots.contracts import Attachment, ConversationKey, Delivery, Progress, Readership, Receive
    from bots.desk.desk import Desk
    from bots.slack_app.transport import Transport
    from graph.steps import Step
    from ledger.people import Person

_log = structlog.get_logger(__name__)

_TAKEN, _AGAIN = Acknowledgement(), Acknowledgement(taken=False)
#: Slack is asked so often who we are before the start is given up.
_STARTING = Patience(attempts=5, first_wait=1.0, longest_wait=8.0)


@dataclass(frozen=True, slots=True)
class SlackConfig:
    """How to reach a workspace: by Socket Mode where there is an app token, else by HTTP with a signing secret."""

    bot_token: str
    app_token: str | None = None
    signing_secret: str | None = None
    api_url: str = "https://slack.com/api/"
    host: str = "127.0.0.1"
    port: int = 3000
    client_id: str = ""
    client_secret: str = ""
    public_url: str = ""
    """Where the install page is from outside, without its path."""
    admission: Admission = EVERYONE


class SlackPlatform(Publishing):
    """One workspace."""

    name = "slack"
    capabilities = replace(EVERYTHING, max_text=Slack.RICH_TEXT)

    def __init__(
        self,
        config: SlackConfig,
        desk: Desk,
        now: Callable[[], datetime],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Wire the parts; nothing connects before :meth:`start`."""
        self._config = config
        self._desk = desk
        self._now = now
        self._sleep = sleep
        self._web = SlackWeb(config.bot_token, config.api_url)
        self._people = People(self._web)
        self._sender = SlackSender(self._web, self._people, desk.locale, may_share=partial(desk.may_share, self.name))
        self._sessions = Sessions(self._web, desk.tongue)
        self._streams = Streams(self._web, sleep=sleep)
        self._plans = Plans(self._web, desk.tongue, sleep=sleep)
        self._surfaces = Surfaces(self._web, desk)
        self._watch = Watch(self._web, self._doubtful_token, sleep)
        self._transport: Transport | None = None
        self._surroundings: Surroundings | None = None
        self._receive: Receive | None = None
        self._adopted: set[Person] = set()
        self._work: set[asyncio.Task[None]] = set()

    async def start(self, receive: Receive | None) -> None:
        """Find out who we are, and let Slack deliver, if there is somebody to receive.

        Raises:
            CommandError: Slack does not accept the token, or can't be reached.
        """
        await self._web.open()
        installation = await self._identify()
        await self.join(installation, receive)
        if receive is not None:
            self._transport = self._open_transport(installation)
            await self._transport.start()
        self._watch.start()

    async def join(self, installation: Installation, receive: Receive | None) -> None:
        """Be who Slack says that we are there; bodies come in by :meth:`take_in`."""
        self._receive = receive
        await self._web.open()
        self.renew(installation)

    def renew(self, installation: Installation) -> None:
        """Go on with another token, or as another user."""
        self._web.client.token = installation.token
        self._surroundings = Surroundings(
            installation.team,
            installation.bot_user,
            installation.bot_id,
            self._now,
            installation.enterprise,
            self._web.api_url,
        )

    async def send(self, delivery: Delivery) -> None:
        """Post a reply where its readers are, and nobody else."""
        self._plans.settle(delivery.conversation, failed=delivery.reply.kind == "error")
        try:
            await self._sender.send(delivery)
        except SlackRefused as refused:
            self._watch.doubt(refused.code)
            raise
        await self._plans.end(delivery.conversation)
        await self._sessions.after_reply(delivery)

    async def admit(self, message: Message) -> None:
        """Let members of the workspace use the bot, as far as settings let them; raises NotAdmitted, SendFailed, SendRefused."""
        where, admission = message.conversation, self._config.admission
        between_us = not admission.channels or await self._people.is_between_us(where.channel, message.person.user)
        on_rules = isinstance(message.content, Duty) and message.content.name == WORKSPACE
        await self._admit(message.person, "" if between_us else where.channel, on_rules=on_rules)

    async def administers(self, person: Person) -> bool:
        """Return whether Slack says so of a person, asked anew each time; raises SendFailed and SendRefused."""
        return await self._people.administers(person)

    async def readers(self, message: Message) -> Audience:
        """Return who reads along: the asker alone in direct messages; in channels, if Slack says that they are a member."""
        self._people.learn(message)  # which another process may have taken in
        self._sessions.begin(message)
        direct = message.conversation.channel[:1] in "DUW"
        try:
            profile = await self._people.profile(message.person)
        except (SendFailed, SendRefused):
            if direct:
                return message.audience
            raise
        await self._adopt(message.person, profile)
        return message.audience if direct or profile.member else Audience.SHARED

    async def surface(self, message: Message) -> Surface:
        """Files can be dropped in the person's messages with us; in channels, and among other people, they can't."""
        return DIRECT if await self._is_between_us(message.conversation) else AMONG_OTHERS

    async def readership(self, message: Message) -> Readership:
        """Return who would read a post in the message's channel; raises SendFailed and SendRefused."""
        return await readership(self._web, message)

    async def stream(self, delivery: Delivery, sentences: AsyncIterator[str]) -> None:
        """Stream sentences below a reply, where nobody but the asker is."""
        if await self._is_between_us(delivery.conversation):
            await self._streams.tell(delivery, sentences)

    async def progress(self, conversation: ConversationKey, state: Progress, steps: Sequence[Step] = ()) -> None:
        """Show the session as processing and, after a while, by which steps; or no longer."""
        if state == "idle":
            await self._plans.end(conversation, forget=True)
        await self._sessions.progress(conversation, state)
        if steps and state == "working" and await self._is_between_us(conversation):
            await self._plans.show(conversation, steps)

    async def fetch(self, attachment: Attachment) -> bytes:
        """Return a file's bytes; raises AttachmentUnavailable."""
        return await fetch_file(self._web, attachment)

    async def connected(self) -> bool:
        """Whether Slack can deliver at this moment."""
        return self._transport is not None and await self._transport.is_connected()

    async def lost(self) -> str:
        """Return when Slack says again and again that a token of ours counts no more."""
        return await self._watch.loss.told()

    async def stop(self) -> None:
        """Take nothing more in, and disconnect."""
        self._watch.stop()
        transport, self._transport = self._transport, None
        if transport is not None:
            await transport.stop()
        for task in self._work:
            task.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)
        await self._plans.close()
        await self._web.close()

    async def _admit(self, person: Person, channel: str = "", *, on_rules: bool = False) -> None:
        """Let a person use the bot in a channel, or in direct messages; its rules keep no administrator from seeing them."""
        profile, admission = await self._people.profile(person), self._config.admission
        groups, language = partial(self._people.groups, person.user, admission.groups), language_of(profile.locale)
        if not profile.member:
            raise NotAdmitted(STRANGER, language)
        try:
            await admission.check(person.user, groups, channel)
            if not (on_rules and await self.administers(person)):
                (await self._desk.rules(self.name, person.team)).admit(person.user)
        except NotAdmitted as refused:
            raise NotAdmitted(refused.message, language) from None

    async def _is_between_us(self, where: ConversationKey) -> bool:
        """Whether a place is the person's messages with us; what Slack does not say now counts against it."""
        try:
            return await self._people.is_between_us(where.channel, where.person.user)
        except SendFailed as error:
            _log.warning("slack_place_unknown", error=outline(error))
            return False

    async def _identify(self) -> Installation:
        """Ask Slack whose token this is, with patience where it can't be reached."""
        for attempt in range(1, _STARTING.attempts + 1):
            try:
                answer = await checked(self._web.client.auth_test())
                break
            except SendRefused as error:
                raise CommandError(_refused(error)) from error
            except SendFailed as error:
                _log.warning("slack_not_reached", attempt=attempt, error=outline(error))
                await self._sleep(error.retry_after or _STARTING.wait(attempt))
        else:
            raise CommandError("Slack can't be reached; the log says more.")
        try:
            return Installation(
                answer["team_id"],
                answer["user_id"],
                answer["bot_id"],
                self._config.bot_token,
                answer.get("enterprise_id") or "",
            )
        except KeyError as error:
            raise CommandError("MONEY_MINDER_SLACK__BOT_TOKEN is no bot's token; it begins with xoxb-.") from error

    async def _doubtful_token(self) -> str | None:
        """Return the app's token where the connection that it opens is not there."""
        transport = self._transport
        cut_off = isinstance(transport, SocketTransport) and not await transport.is_connected()
        return self._config.app_token if cut_off else None

    def _open_transport(self, installation: Installation) -> Transport:
        config = self._config
        socket = config.app_token is not None
        secret = None if socket else config.signing_secret
        app = bolt_app(self._web.client, only(installation), self.take_in, secret)
        if config.app_token is not None:
            return SocketTransport(app, config.app_token, self._web.client)
        if config.signing_secret is None:
            raise CommandError("Slack needs MONEY_MINDER_SLACK__APP_TOKEN, or a signing secret for HTTP requests.")
        return HttpTransport(app, config.signing_secret, config.host, config.port, self._desk.store.answers)

    async def take_in(self, body: Mapping[str, Any]) -> Acknowledgement:
        """Store or begin what a body asks for; what is returned is Slack's acknowledgement."""
        assert self._surroundings is not None
        inbound = read(body, self._surroundings)
        match inbound:
            case Message():
                return await self._accept(inbound)
            case Opened():
                self._spawn(self._open(inbound))
            case Pressed():
                self._spawn(self._open_form(inbound))
            case Submitted() | Suggesting():
                return await self._answer_form(inbound)
        return _TAKEN

    async def _answer_form(self, asked: Submitted | Suggesting) -> Acknowledgement:
        """Return what belongs into the acknowledgement; without the store, that it should be asked again."""
        if await self._refusal(asked.message if isinstance(asked, Submitted) else asked.person):
            return (
                Acknowledgement(answer=NO_OPTIONS)
                if isinstance(asked, Suggesting)
                else await self._accept(asked.message)
            )
        try:
            if isinstance(asked, Suggesting):
                return Acknowledgement(answer=await self._surfaces.options(asked))
            form = await self._surfaces.read_form(asked)
        except STORE_ERRORS as error:
            _log.warning("slack_form_not_read", error=outline(error))
            return _AGAIN
        return await self._accept(form) if isinstance(form, Message) else Acknowledgement(answer=form)

    async def _accept(self, message: Message) -> Acknowledgement:
        assert self._receive is not None
        self._people.learn(message)
        try:
            await self._receive(message)
        except InboxUnavailable as error:
            _log.warning("message_not_stored", delivery=message.delivery_id, error=outline(error))
            return _AGAIN
        return _TAKEN

    async def _refusal(self, who: Message | Person) -> str:
        """Return why a person may not use the bot, where it was that they asked, or nothing where they may."""
        try:
            await (self.admit(who) if isinstance(who, Message) else self._admit(who))
        except NotAdmitted as refused:
            return translated(refused.message, refused.language or DEFAULT)
        except (SendFailed, SendRefused, *STORE_ERRORS) as error:
            _log.warning("slack_person_unknown", error=outline(error))
            return NOT_TOLD
        return ""

    async def _open_form(self, pressed: Pressed) -> None:
        refusal = await self._refusal(pressed.message)
        await (self._surfaces.refuse_modal(pressed, refusal) if refusal else self._surfaces.open_modal(pressed))

    async def _open(self, opened: Opened) -> None:
        assert self._surroundings is not None
        if opened.person.team == self._surroundings.team:
            refusal = await self._refusal(opened.person)
            if refusal:
                await self._surfaces.refuse(opened, refusal)
                return
            with suppress(SendFailed, SendRefused):
                await self._adopt(opened.person, await self._people.profile(opened.person))
        welcome = await self._surfaces.opened(opened, self._surroundings)
        if welcome is not None:
            assert self._receive is not None
            await self._receive(welcome)

    async def _adopt(self, person: Person, profile: Profile) -> None:
        """Take the person's time zone and language over from Slack, once, so that they are met as they live."""
        if person not in self._adopted:
            self._adopted.add(person)
            await adopt_time_zone(self._desk, person, profile.time_zone)
            await adopt_locale(self._desk, person, profile.locale)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(_logged(work))
        self._work.add(task)
        task.add_done_callback(self._work.discard)


async def _logged(work: Coroutine[None, None, None]) -> None:
    try:
        await work
    except Exception as error:  # noqa: BLE001 - nobody waits for it, and the person can press again
        _log.warning("slack_surface_failed", error=outline(error))


def _refused(error: SendRefused) -> str:
    code = getattr(error, "code", "")
    if code in TOKEN_ERRORS:
        return f"Slack does not accept MONEY_MINDER_SLACK__BOT_TOKEN ({code})."
    return f"Slack does not let the bot start ({code})."
