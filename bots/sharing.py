"""Showing an answer to everyone: what will stand there and who reads it comes first, then it is posted once.

    Share → preview [Share it] [Cancel] → posted [Unshare] → deleted

Each step can be repeated: what happened is in the rows of :mod:`bots.shares`, and the platform is asked about what is in doubt.
"""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import structlog

from bots.confirming import Done, unstoppable
from bots.contracts import KEEP, PUBLISH, SHARE, UNSHARE, Delivery, Readership
from bots.desk.replies import aside, said
from bots.errors import ActionRefused, PublicationUnclear, SendFailed, SendRefused, UnreadableRecord, outline
from bots.history import History, Recollection
from bots.sending import Patience
from bots.shares import SharedPosts, share_key
from bots.workspaces import Workspaces
from graph.reply import Action, Actions, Audience, File, Reply, Text
from language.catalogue import Template, joined, say
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection
    from datetime import datetime

    from bots.confirming import Settlement, Work
    from bots.contracts import Adapter, Message
    from bots.desk.desk import Handler
    from bots.shares import Share
    from graph.turn import TurnOutcome
    from ledger.people import Person
    from ledger.store import Store
    from tools.results import Chart, Table

T = TypeVar("T")

_log = structlog.get_logger(__name__)

#: What is said to take back what was shared; "undo" means it as long as it was the last change there.
UNSHARE_WORDS = (
    *("unshare", "unshare it", "unshare that", "unshare this", "delete what you shared", "delete what i shared"),
    *("delete the shared post", "take back what you shared", "take back what i shared"),
)
NOTHING_TO_SHARE = "There is no answer of yours here to share."
_NOTHING_SHARED = "Nothing was shared."
_NOTHING_TO_UNSHARE = "Nothing that you shared here is left to take back."
_TAKEN_BACK = "You took this back already: it no longer stands there."
_SHARED_ALREADY = "This is shared already."
_NOT_KNOWN = "I don't know whether it was posted, so there is nothing that I can delete. Please look there."
_OTHER_READERS = "Who reads this has changed, so nothing was shared yet."
_SWITCHED_OFF = "Sharing is switched off in this workspace."
_LATER = "I got no answer to that just now. Please press the button again in a moment."
#: Who will see what is shared, by whether people of other organisations are among them.
_READ_BY = {
    None: "Everyone who can read {place} will see it; whether people of other organisations read there, I can't tell.",
    True: "Everyone who can read {place} will see it, also people of other organisations.",
    False: "Everyone who can read {place} will see it.",
}
_NOT_SERVED = "I don't serve that place any more, so I can't delete it. Please delete it there."
_PATIENCE = Patience(attempts=3, first_wait=1.0, longest_wait=5.0)


@dataclass(frozen=True, slots=True)
class Retracted:
    """What became of posts that were to be deleted: how many are gone, are still to be asked for, and can't be."""

    gone: int = 0
    waiting: int = 0
    refused: tuple[str, ...] = ()


class Sharing:
    """Shares answers through the adapters, by name, over one store."""

    def __init__(
        self,
        store: Store,
        adapter_of: Callable[[str], Adapter | None],
        now: Callable[[], datetime],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Use these parts."""
        self._store = store
        self._history = History(store)
        self._posts = SharedPosts(store, now)
        self._workspaces = Workspaces(store)
        self._adapter_of = adapter_of
        self._sleep = sleep
        self.presses: dict[str, Handler] = {
            SHARE: self._preview, PUBLISH: self._publish, KEEP: self._keep, UNSHARE: self._unshare,
        }  # fmt: skip
        """What answers presses of buttons around sharing."""
        self.words: dict[str, Handler] = dict.fromkeys(UNSHARE_WORDS, self._unshare)
        self.works: dict[str, Work] = {PUBLISH: self._publish_on_yes, UNSHARE: self._unshare_on_undo}
        """What a typed yes does after the preview, and "undo" after the post."""

    async def _preview(self, message: Message, recollection: Recollection, notice: str = "") -> TurnOutcome:
        """Show what would stand there and who would read it."""
        answer = await self._answer_under(message, message.about)
        if answer is None or message.about is None:
            return aside(said(NOTHING_TO_SHARE, kind="refuse"), recollection)
        return await self._previewed(message, recollection, answer, message.about, notice)

    async def _previewed(
        self, message: Message, recollection: Recollection, answer: Reply, about: str, notice: str = ""
    ) -> TurnOutcome:
        standing = await self._posts.of_answer(message.person, about)
        if standing is not None and standing.state == "posted":
            return self._stands(_SHARED_ALREADY, standing.key, recollection)
        try:
            readers = await self._readers(message)
        except (SendFailed, SendRefused) as error:
            return aside(said(_reason(error), kind="refuse"), recollection)
        value = f"{about}:{await self._posts.taken_back(message.person, about)}:{_digest(readers)}"
        reply = said(
            say("Share this in {place}?", place=readers.place),
            notice,
            Text(joined((_read_by(readers), say("This is what will stand there, under your name:")), " ")),
            *_shown(answer),
            Actions((Action("Share it", PUBLISH, value), Action("Cancel", KEEP, value))),
            kind="clarify",
        )
        return aside(_about(reply, answer), recollection, Call(PUBLISH, {"value": value}))

    async def _publish(self, message: Message, recollection: Recollection) -> TurnOutcome:
        """Post what was shown, once, and leave the button that takes it back."""
        return await unstoppable(self._publish_now(message, recollection, _value(message)))

    async def _publish_now(self, message: Message, recollection: Recollection, value: str) -> TurnOutcome:
        about, number, digest = _read(value)
        answer = await self._answer_under(message, about)
        if answer is None:
            return aside(said(NOTHING_TO_SHARE, kind="refuse"), recollection)
        key = share_key(message.conversation, about, number)
        before = await self._posts.find(message.person, key)
        if before is None:
            before = await self._posts.of_answer(message.person, about)
        if before is not None and not before.stands:
            return aside(said(_TAKEN_BACK), recollection)
        if before is not None and (before.state == "posted" or before.key != key):
            again = before.pressed != message.delivery_id
            return self._stands(_SHARED_ALREADY if again else "Shared.", before.key, recollection)
        try:
            readers = await self._readers(message)
            if _digest(readers) != digest:
                return await self._previewed(message, recollection, answer, about, _OTHER_READERS)
            await self._post(message, answer, about, key, before)
        except (SendFailed, SendRefused) as error:
            return aside(said(_reason(error), kind="refuse"), recollection)
        return self._stands(say("Shared in {place}.", place=readers.place), key, recollection, _read_by(readers))

    async def _post(self, message: Message, answer: Reply, about: str, key: str, before: Share | None) -> None:
        """Note it, post it, and note where; raises SendFailed and SendRefused."""
        adapter = self._adapter(message)
        made = before is None and await self._posts.begin(message, about, key)
        first = message.delivery_id if before is None else before.pressed
        delivery = Delivery(0, message.conversation, _public(answer), key, "", again=not made, answers=first)
        try:
            posted = await self._patiently(lambda: adapter.publish(delivery))
        except PublicationUnclear:
            raise
        except SendRefused:
            await self._posts.drop(key)
            raise
        if not await self._posts.posted(key, posted.posts):  # everything was forgotten while it was posted
            await adapter.retract(posted)
            raise SendRefused(_NOTHING_SHARED)

    async def _publish_on_yes(self, message: Message, call: Call, settle: Settlement) -> None:
        """Do what the button does, for a typed yes."""
        outcome = await self._publish_now(message, Recollection(), str(call.arguments["value"]))
        undo = outcome.proposal if outcome.reply.kind == "answer" else None
        async with self._store.write() as connection:
            await settle(connection, Done(outcome.reply, undo))

    async def _keep(self, message: Message, recollection: Recollection) -> TurnOutcome:
        """Leave it unshared; where it is shared by now, say so."""
        about, number, _ = _read(_value(message))
        share = await self._posts.find(message.person, share_key(message.conversation, about, number))
        if share is not None and share.state == "posted":
            return self._stands(_SHARED_ALREADY, share.key, recollection)
        return aside(said(_NOTHING_SHARED), recollection)

    async def _unshare(self, message: Message, recollection: Recollection) -> TurnOutcome:
        """Delete what a person shared: what the button is about, or in words what they shared here last."""
        share = await self._share_meant(message)
        try:
            reply = await unstoppable(self._taken_back(share))
        except ActionRefused as refused:
            reply = said(refused.message, kind="refuse")
        else:
            if share is not None:
                async with self._store.write() as connection:
                    await self._posts.end(connection, share.key)
        return aside(reply, recollection)

    async def _unshare_on_undo(self, message: Message, call: Call, settle: Settlement) -> None:
        """Do what the button does, for the word "undo" right after a share."""
        share = await self._posts.find(message.person, str(call.arguments["value"]))
        reply = await self._taken_back(share)
        async with self._store.write() as connection:
            if share is not None:
                await self._posts.end(connection, share.key)
            await settle(connection, Done(reply))

    async def _taken_back(self, share: Share | None) -> Reply:
        """Delete the posts of a share, and return what to say; raises ActionRefused with the sentence that says why not."""
        if share is None:
            raise ActionRefused(_NOTHING_TO_UNSHARE)
        if not share.stands:
            return said(_TAKEN_BACK)
        try:
            deleted = await self._deleted(share)
        except (SendFailed, SendRefused) as error:
            raise ActionRefused(_reason(error)) from error
        return said(
            "Unshared: I deleted it there." if deleted else "It was no longer there, so nothing is left to delete."
        )

    async def retract_forgotten(self) -> Retracted:
        """Delete what stands in channels and is forgotten here; what does not work now is tried again."""
        return await self._retracted(await self._posts.leaving())

    async def retract_all(self, person: Person) -> Retracted:
        """Delete what a person shared, who is about to be forgotten; what does not work now is then tried again."""
        return await self._retracted(await self._posts.standing(person))

    async def _retracted(self, shares: Collection[Share]) -> Retracted:
        gone, waiting, refused = 0, 0, []
        for share in shares:
            try:
                await self._deleted(share, tries=1)
                gone += 1
            except SendFailed as error:
                _log.warning("share_not_deleted", share=share.key, error=outline(error))
                waiting += 1
                continue
            except SendRefused as error:
                if error.about_us:
                    waiting += 1
                    continue
                _log.warning("share_stays", share=share.key, error=outline(error))
                refused.append(error.message)
            await self._posts.drop(share.key)
        return Retracted(gone, waiting, tuple(dict.fromkeys(refused)))

    async def _deleted(self, share: Share, tries: int = _PATIENCE.attempts) -> bool:
        """Delete the posts of a share; raises SendFailed and SendRefused."""
        adapter = self._adapter_of(share.source)
        if adapter is None:
            raise SendRefused(_NOT_SERVED)
        if not share.posted.posts:
            raise SendRefused(_NOT_KNOWN)
        return await self._patiently(lambda: adapter.retract(share.posted), tries)

    async def _share_meant(self, message: Message) -> Share | None:
        value = _value(message)
        if value:
            return await self._posts.find(message.person, value)
        return await self._posts.latest(message.person, message.conversation)

    async def _answer_under(self, message: Message, about: str | None) -> Reply | None:
        """Return the person's own answer under a key that has the button, so that nobody shares what was said to others."""
        if message.audience is not Audience.PRIVATE or message.person != message.conversation.person or about is None:
            return None
        try:
            answer = await self._history.reply(message.conversation, about)
        except UnreadableRecord:
            return None
        return answer if answer is not None and answer.kind == "answer" and _is_shareable(answer) else None

    async def _readers(self, message: Message) -> Readership:
        """Return who would read a post; raises SendFailed and SendRefused, also where the workspace shares nothing."""
        where = message.conversation
        if not (await self._workspaces.rules(where.platform, where.team)).sharing:
            raise SendRefused(_SWITCHED_OFF)
        return await self._adapter(message).readership(message)

    def _adapter(self, message: Message) -> Adapter:
        adapter = self._adapter_of(message.source)
        if adapter is None:
            raise SendRefused(NOTHING_TO_SHARE)
        return adapter

    @staticmethod
    def _stands(headline: str, key: str, recollection: Recollection, *parts: str) -> TurnOutcome:
        """Return the reply about something that stands in a channel, with what takes it back."""
        lines = [Text(part, "definition") for part in parts]
        reply = said(headline, *lines, Actions((Action("Unshare", UNSHARE, key),)))
        return aside(reply, recollection, Call(UNSHARE, {"value": key}))

    async def _patiently(self, call: Callable[[], Awaitable[T]], tries: int = _PATIENCE.attempts) -> T:
        """Ask the platform a few times; raises the last SendFailed, and SendRefused."""
        for attempt in range(1, tries):
            try:
                return await call()
            except SendFailed as error:
                await self._sleep(min(error.retry_after or _PATIENCE.wait(attempt), _PATIENCE.longest_wait))
        return await call()


def _public(answer: Reply) -> Reply:
    """Return an answer as it is posted for everyone."""
    return Reply(
        "answer", answer.headline, _shown(answer), Audience.SHARED, period=answer.period, language=answer.language
    )


def _shown(answer: Reply) -> tuple[Text | Table | Chart, ...]:
    """Return what an answer shows, its headline first, without buttons and files."""
    blocks = tuple(block for block in answer.blocks if not isinstance(block, Actions | File))
    if any(isinstance(block, Text) and block.role == "headline" for block in blocks):
        return blocks
    return (Text(answer.headline, "headline"), *blocks)


def _about(reply: Reply, answer: Reply) -> Reply:
    """Return a reply that can be looked into like the answer that it shows."""
    return dataclasses.replace(reply, period=answer.period, behind=answer.behind)


def _is_shareable(answer: Reply) -> bool:
    rows = (block.actions for block in answer.blocks if isinstance(block, Actions))
    return any(action.action == SHARE for row in rows for action in row)


def _read_by(readers: Readership) -> Template:
    return say(_READ_BY[readers.outsiders], place=readers.place)


def _digest(readers: Readership) -> str:
    return hashlib.sha256(f"{readers.place}\n{readers.outsiders}".encode()).hexdigest()[:8]


def _value(message: Message) -> str:
    return str(message.values.get("value", ""))


def _read(value: str) -> tuple[str, int, str]:
    """Return which answer a button is about, how often that was taken back before, and who was to read it."""
    about, _, rest = value.partition(":")
    number, _, digest = rest.partition(":")
    return about, int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 0, digest


def _reason(error: SendFailed | SendRefused) -> str:
    return error.message if isinstance(error, SendRefused) else _LATER
