"""A model's sentences below an answer that was sent: they come when they come, and the next question ends them."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

import structlog

from bots.ending import end
from bots.errors import outline
from bots.sending import STORE_ERRORS
from graph.turn import TurnRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bots.contracts import Adapter, ConversationKey, Delivery, Message
    from bots.jobs import Jobs
    from graph.turn import Agent, TurnOutcome

_log = structlog.get_logger(__name__)

#: Seconds between two looks for the next question.
_LOOK_AGAIN = 0.5


class Narrations:
    """What is being narrated, one per conversation."""

    def __init__(self, agent: Agent, adapters: Mapping[str, Adapter]) -> None:
        """Let this agent tell, through these adapters."""
        self._agent = agent
        self._adapters = adapters
        self.jobs: Jobs | None = None
        """What tells of the next question, where another process takes it in."""
        self._tasks: dict[ConversationKey, asyncio.Task[None]] = {}

    @property
    def tasks(self) -> set[asyncio.Task[None]]:
        """What is being told now."""
        return set(self._tasks.values())

    @property
    def conversations(self) -> set[ConversationKey]:
        """Where something is being told now."""
        return set(self._tasks)

    def begin(self, message: Message, outcome: TurnOutcome, delivery: Delivery) -> None:
        """Tell about an answer to a question in words, where its platform can stream."""
        adapter = self._adapters.get(delivery.source)
        text = outcome.picked or message.text
        asked = bool(text) and outcome.reply.kind == "answer" and bool(outcome.reply.facts)
        if adapter is None or not adapter.capabilities.streaming or not asked:
            return
        self.stop(message.conversation)
        request = TurnRequest(message.person, str(message.conversation), text, message.audience)
        task = asyncio.create_task(self._tell_until_asked(adapter, request, outcome, delivery))
        self._tasks[message.conversation] = task
        task.add_done_callback(lambda done: self._forget(message.conversation, done))

    def stop(self, conversation: ConversationKey) -> bool:
        """End what is being told in this conversation; whether there was anything."""
        task = self._tasks.get(conversation)
        return task is not None and task.cancel()

    async def close(self) -> None:
        """End everything, and return when the platforms know."""
        await end(self.tasks)

    async def _tell_until_asked(
        self, adapter: Adapter, request: TurnRequest, outcome: TurnOutcome, delivery: Delivery
    ) -> None:
        """Tell; where other processes take in, look now and then whether the next question came."""
        telling = asyncio.ensure_future(self._tell(adapter, request, outcome, delivery))
        try:
            while not telling.done():
                await asyncio.wait((telling,), timeout=_LOOK_AGAIN)
                if self.jobs is not None and not telling.done() and await self.jobs.is_followed(delivery):
                    return
        except STORE_ERRORS as error:
            _log.warning("not_narrated", conversation=request.conversation, error=outline(error))
        finally:
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)

    async def _tell(self, adapter: Adapter, request: TurnRequest, outcome: TurnOutcome, delivery: Delivery) -> None:
        try:
            async with aclosing(self._agent.narrate(request, outcome)) as sentences:
                await adapter.stream(delivery, sentences)
        except Exception as error:  # noqa: BLE001 - the answer stands without it
            _log.warning("not_narrated", conversation=request.conversation, error=outline(error))

    def _forget(self, conversation: ConversationKey, done: asyncio.Task[None]) -> None:
        if self._tasks.get(conversation) is done:
            del self._tasks[conversation]
