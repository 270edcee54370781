"""Models behind OpenAI's chat API, whoever serves it (vLLM, llama.cpp, LiteLLM …), through langchain-openai.

This module needs the extra ``openai``, and is imported only where such a model is set.
"""

from __future__ import annotations

import asyncio
import time
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from langchain_openai import ChatOpenAI
from openai import APIStatusError, AsyncOpenAI, DefaultAsyncHttpx2Client, OpenAIError, Timeout

from graph.models.asking import CANARY, CANARY_SCHEMA, FAILURES, MAX_OUTPUT, ask, is_of_canary, reason
from graph.models.model import ModelUnavailable, PromptMessage
from graph.models.prompts import grammar

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from openai import AsyncStream
    from openai.types.chat import ChatCompletionChunk

    from graph.models.asking import Form
    from graph.models.model import ModelReply
    from tools.registry import Tool

_FAILURES: tuple[type[Exception], ...] = (OpenAIError, *FAILURES)
_OPTIONS: dict[str, Any] = {"temperature": 0, "seed": 7}
#: What a server without keys is sent, since the client insists on one.
_NO_KEY = "none"
#: How a server says that it does not know what was asked for, as against one that fails.
_UNKNOWN = (400, 404, 422, 501)
_CANARY_TOOL = {
    "type": "function",
    "function": {
        "name": "say",
        "description": "Say a word.",
        "parameters": {**CANARY_SCHEMA, "additionalProperties": False},
    },
}


class OpenAIModel:
    """A chat model on a server that speaks OpenAI's API.

    ``form`` is how it is asked for calls: by a schema-constrained reply, by native tools, or as text, the first of these that
    the server honours. None finds out with a canary on first use.
    """

    def __init__(self, model: str, url: str, key: str = "", form: Form | None = None) -> None:
        """Use the model at the server's URL, which ends in ``/v1`` with most; nothing is asked of it yet."""
        self.name = f"openai:{model}"
        self._form = form
        self._model = model
        self._server = _client(url, key)
        self._chat = ChatOpenAI(
            model=model,
            client=self._server.chat.completions,
            async_client=self._server.chat.completions,
            root_async_client=self._server,
            api_key=None,
            http_socket_options=(),
            use_responses_api=False,
            max_completion_tokens=MAX_OUTPUT,
            **_OPTIONS,
        )

    async def propose(
        self, messages: Sequence[PromptMessage], tools: Sequence[Tool], timeout: float, *, may_decline: bool = True
    ) -> ModelReply:
        """Ask for calls in the form that this server honours."""
        ends = time.perf_counter() + timeout
        form = self._form or await self._find_form(timeout)
        extra: dict[str, Any] = {}
        if form == "grammar":
            extra["response_format"] = _format(grammar(tools, may_decline=may_decline))
        elif form == "native":
            extra["tools"] = [tool.schema for tool in tools]
        return await self._ask(messages, form, max(0.1, ends - time.perf_counter()), **extra)

    async def write(self, messages: Sequence[PromptMessage], timeout: float) -> ModelReply:
        """Ask for plain text."""
        return await self._ask(messages, "text", timeout)

    async def stream(self, messages: Sequence[PromptMessage], timeout: float) -> AsyncGenerator[str, None]:
        """Ask for plain text, piece by piece; whoever wants no more of them closes the generator, and the server stops.

        LangChain leaves an abandoned stream to the garbage collector, so its own client is asked.
        """
        said = [{"role": message.role, "content": message.text} for message in _alternating(messages)]
        try:
            async with asyncio.timeout(timeout):
                answer = await self._server.chat.completions.create(
                    model=self._model,
                    messages=cast("Any", said),
                    stream=True,
                    max_completion_tokens=MAX_OUTPUT,
                    **_OPTIONS,
                )
                async with cast("AsyncStream[ChatCompletionChunk]", answer) as pieces:
                    async for piece in pieces:
                        if piece.choices:
                            yield piece.choices[0].delta.content or ""
        except TimeoutError as error:
            raise ModelUnavailable("no answer in time") from error
        except _FAILURES as error:
            raise ModelUnavailable(reason(error)) from error

    async def honoured_form(self, timeout: float) -> Form:
        """Return the first form that the server honours; raises ModelUnavailable where it does not answer at all."""
        ends = time.perf_counter() + timeout
        reply = await self._tried("grammar", timeout, response_format=_format(CANARY_SCHEMA))
        if reply is not None and is_of_canary(reply):
            return "grammar"
        reply = await self._tried("native", max(0.1, ends - time.perf_counter()), tools=[_CANARY_TOOL])
        return "native" if reply is not None and reply.native_calls else "text"

    async def models(self, timeout: float = 1.0) -> list[str]:
        """Return the models that the server names; raises ModelUnavailable."""
        try:
            async with asyncio.timeout(timeout):
                return [model.id async for model in self._server.models.list()]
        except TimeoutError as error:
            raise ModelUnavailable("no answer in time") from error
        except _FAILURES as error:
            raise ModelUnavailable(reason(error)) from error

    async def _find_form(self, timeout: float) -> Form:
        self._form = await self.honoured_form(timeout)
        return self._form

    async def _tried(self, form: Form, timeout: float, **extra: Any) -> ModelReply | None:
        """Return the answer to a canary; None where the server does not know what it was asked for."""
        try:
            return await self._ask(CANARY, form, timeout, **extra)
        except ModelUnavailable as unavailable:
            cause = unavailable.__cause__
            if isinstance(cause, APIStatusError) and cause.status_code in _UNKNOWN:
                return None
            raise

    async def _ask(self, messages: Sequence[PromptMessage], form: Form, timeout: float, **extra: Any) -> ModelReply:
        return await ask(self._chat, _alternating(messages), form, timeout, _FAILURES, **extra)


def _client(url: str, key: str) -> AsyncOpenAI:
    """Return a client that takes nothing from the environment: neither a proxy, nor the key of another server.

    Each call has a connection of its own: one that stood open for long may be closed by the time it is used.
    """
    web = DefaultAsyncHttpx2Client(trust_env=False, timeout=Timeout(120, connect=3), headers={"Connection": "close"})
    client = AsyncOpenAI(api_key=key or _NO_KEY, base_url=url, max_retries=0, http_client=web)
    client.organization = client.project = None
    return client


def _format(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema as a reply's form; not ``strict``, under which nothing could be left out."""
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema, "strict": False}}


def _alternating(messages: Sequence[PromptMessage]) -> list[PromptMessage]:
    """Put messages of the same role into one: the templates of many models refuse two in a row."""
    return [
        PromptMessage(role, "\n\n".join(message.text for message in same))
        for role, same in groupby(messages, lambda message: message.role)
    ]
