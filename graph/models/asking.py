"""One call of a chat model through LangChain, whichever server is behind it: within its time, and failing in one way."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any, Final, Literal

from langchain_core.exceptions import OutputParserException
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from graph.models.model import ModelReply, ModelUnavailable, PromptMessage, Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.language_models import BaseChatModel

Form = Literal["grammar", "native", "text"]
MAX_OUTPUT: Final = 400
#: What may go wrong beneath any client, also where a server answers something else than it should.
FAILURES: Final = (OutputParserException, ValueError, TypeError, LookupError, AttributeError, OSError)

_CANARY_WORDS = ("florbane", "quibwick")
#: A question whose answer only a grammar can bring about: the prompt mentions none of the words.
CANARY: Final = (PromptMessage("user", "Say any word, as JSON."),)
CANARY_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": list(_CANARY_WORDS)}},
    "required": ["word"],
}


async def ask(
    chat: BaseChatModel,
    messages: Sequence[PromptMessage],
    form: Form,
    timeout: float,
    failures: tuple[type[Exception], ...],
    **extra: Any,
) -> ModelReply:
    """Return what a model answers; a call that was given up is cancelled, and its connection closed.

    Raises:
        ModelUnavailable: no answer came in time, or one of the failures instead.
    """
    started = time.perf_counter()
    try:
        answer = await asyncio.wait_for(chat.ainvoke(_messages(messages), **extra), timeout)
    except TimeoutError as error:
        raise ModelUnavailable("no answer in time") from error
    except failures as error:
        raise ModelUnavailable(reason(error)) from error
    used = answer.usage_metadata
    seconds = time.perf_counter() - started
    spent = Usage(used["input_tokens"], used["output_tokens"], seconds) if used else Usage(0, 0, seconds)
    calls = tuple((call["name"], call["args"]) for call in answer.tool_calls)
    text = answer.content if isinstance(answer.content, str) else ""
    return ModelReply(text, calls, spent, form)


def is_of_canary(reply: ModelReply) -> bool:
    """Whether a reply to the canary keeps to its grammar."""
    try:
        return json.loads(reply.text).get("word") in _CANARY_WORDS
    except (ValueError, AttributeError):
        return False


def reason(error: BaseException) -> str:
    """Name a failure without its message, which may quote a prompt."""
    status = getattr(error, "status_code", None)
    return f"{type(error).__name__} {status}" if isinstance(status, int) and status > 0 else type(error).__name__


def _messages(messages: Sequence[PromptMessage]) -> list[BaseMessage]:
    kinds = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
    return [kinds[message.role](content=message.text) for message in messages]
