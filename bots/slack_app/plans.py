"""Plans of long work: a card for each step in the person's thread, the last one turning, until the answer comes.

A plan is a stream of ``task_update`` chunks, to which no text is ever added, since Slack takes a stream of one kind only.
It is decoration: where Slack does not take it, the status line says that something goes on, and nothing else is lost.

https://docs.slack.dev/reference/methods/chat.startStream, appendStream and stopStream, their ``chunks``.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import structlog

from bots.errors import SendFailed, SendRefused, outline
from bots.fallback import shorten
from bots.limits import Slack
from bots.progressing import told_step
from bots.sending import STORE_ERRORS
from bots.slack_app.web import NOT_HERE, checked
from language.catalogue import translated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from bots.contracts import ConversationKey
    from bots.slack_app.web import SlackWeb
    from graph.steps import Step
    from ledger.people import Person

_log = structlog.get_logger(__name__)

TITLE: Final = "Working on it"
#: Seconds for which something must have gone on before a plan is shown: most answers come before.
PATIENCE: Final = 3.0
#: What a workspace answers that has streams, and no cards in them.
_NOT_THIS: Final = frozenset({"invalid_chunks", "invalid_arguments", "invalid_blocks"})


@dataclass(slots=True)
class _Plan:
    """What is shown in a thread: each card as it stands, in the message ``ts`` as long as that is open."""

    steps: Sequence[Step] = ()
    waiting: asyncio.Task[None] | None = None
    """Waits for a while, and then begins it."""
    begun: bool = False
    ts: str = ""
    language: str = ""
    """The person's, once it was looked up."""
    cards: dict[str, dict[str, Any]] = field(default_factory=dict)
    over: bool = False
    """Whether nothing more is shown of this work: it is answered, or Slack does not take it."""
    failed: bool = False
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Plans:
    """The plans of one workspace's direct messages; ``tongue`` tells a person's language, ``sleep`` waits."""

    def __init__(
        self,
        web: SlackWeb,
        tongue: Callable[[Person], Awaitable[str]],
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Show them through this client."""
        self._web = web
        self._tongue = tongue
        self._sleep = sleep
        self._plans: dict[ConversationKey, _Plan] = {}
        self._known = True
        """Whether Slack knows plans here, as far as it was asked."""

    async def show(self, conversation: ConversationKey, steps: Sequence[Step]) -> None:
        """Show the steps of work once it has gone on for a while, in a direct message's thread; elsewhere nothing is shown."""
        if not self._known or conversation.channel[:1] != "D" or not conversation.thread:
            return
        plan = self._plans.setdefault(conversation, _Plan())
        plan.steps = steps
        if plan.waiting is None:
            plan.waiting = asyncio.create_task(self._begin(conversation, plan))
        elif plan.ts:
            await self._draw(conversation, plan)

    async def close(self) -> None:
        """Begin no more of them."""
        waiting = [plan.waiting for plan in self._plans.values() if plan.waiting]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    def settle(self, conversation: ConversationKey, *, failed: bool = False) -> None:
        """Show no more steps of a thread's work, which is done or failed; :meth:`end` tells Slack, once the answer is there."""
        plan = self._plans.get(conversation)
        if plan is not None:
            plan.over, plan.failed = True, plan.failed or failed
            if plan.waiting is not None and not plan.begun:
                plan.waiting.cancel()

    async def end(self, conversation: ConversationKey, *, forget: bool = False) -> None:
        """End the plan of a thread, if one is shown, its last step done or failed; ``forget`` it where the work is over."""
        plan = self._plans.get(conversation)
        if plan is None:
            return
        self.settle(conversation)
        async with plan.turn:
            if forget and self._plans.get(conversation) is plan:
                del self._plans[conversation]
            ts, plan.ts = plan.ts, ""
            if ts:
                last = "error" if plan.failed else "complete"
                # All of them, since what was added last may not have arrived.
                chunks = [
                    {**card, "status": last if card["status"] == "in_progress" else card["status"]}
                    for card in plan.cards.values()
                ]
                call = self._web.client.chat_stopStream(
                    channel=conversation.channel, ts=ts, chunks=chunks, session_status="processing"
                )
                with suppress(SendFailed, SendRefused):
                    await checked(call)

    async def _begin(self, conversation: ConversationKey, plan: _Plan) -> None:
        """Begin it after a while; what is cut off then may have arrived, so that nobody cuts it off."""
        await self._sleep(PATIENCE)
        plan.begun = True
        await self._draw(conversation, plan)

    async def _draw(self, conversation: ConversationKey, plan: _Plan) -> None:
        """Show what has changed; what Slack does not take is the last that is tried."""
        try:
            plan.language = plan.language or await self._tongue(conversation.person)
        except STORE_ERRORS as error:
            _log.info("slack_plan_not_shown", error=outline(error))
            return
        async with plan.turn:
            cards = {card["id"]: card for card in _cards(plan.steps, plan.language)}
            changed = [card for name, card in cards.items() if plan.cards.get(name) != card]
            if plan.over or not changed:
                return
            plan.cards = cards
            try:
                await self._add(conversation, plan, changed)
            except (SendFailed, SendRefused) as error:
                plan.over = True
                code = getattr(error, "code", "")
                self._known &= code not in NOT_HERE and code not in _NOT_THIS
                _log.info("slack_plan_not_shown", error=outline(error), code=code)

    async def _add(self, conversation: ConversationKey, plan: _Plan, cards: list[dict[str, Any]]) -> None:
        client, person = self._web.client, conversation.person
        if plan.ts:
            await checked(client.chat_appendStream(channel=conversation.channel, ts=plan.ts, chunks=cards))
            return
        title = {"type": "plan_update", "title": translated(TITLE, plan.language)}
        answer = await checked(
            client.chat_startStream(
                channel=conversation.channel,
                thread_ts=conversation.thread,
                chunks=[title, *cards],
                task_display_mode="plan",
                recipient_user_id=person.user,
                recipient_team_id=person.team or None,
            )
        )
        plan.ts = str(answer["ts"])


def _cards(steps: Sequence[Step], language: str) -> Iterator[dict[str, Any]]:
    """Yield a card for each step; its title is all that it says, for Slack adds details to those that stand there."""
    for number, step in enumerate(steps, start=1):
        status = "in_progress" if number == len(steps) else "complete"
        shown = told_step(step, language) if status == "in_progress" else translated(step.title, language)
        yield {"type": "task_update", "id": str(number), "title": shorten(shown, Slack.TASK), "status": status}
