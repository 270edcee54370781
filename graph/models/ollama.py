"""Models behind Ollama's API, through langchain-ollama."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, cast

import httpx
from langchain_ollama import ChatOllama
from ollama import AsyncClient, ChatResponse, ResponseError

from graph.models.asking import CANARY, CANARY_SCHEMA, FAILURES, MAX_OUTPUT, ask, is_of_canary, reason
from graph.models.model import ModelUnavailable
from graph.models.prompts import grammar

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from graph.models.asking import Form
    from graph.models.model import ModelReply, PromptMessage
    from tools.registry import Tool

#: One context size per model: another one per request would make Ollama load the model again.
_CONTEXT = 8192
_OPTIONS: dict[str, Any] = {"temperature": 0, "seed": 7, "num_ctx": _CONTEXT, "num_predict": MAX_OUTPUT}
_CLIENT: dict[str, Any] = {"timeout": httpx.Timeout(120, connect=1), "trust_env": False}
_FAILURES: tuple[type[Exception], ...] = (httpx.HTTPError, ResponseError, *FAILURES)


class OllamaModel:
    """A chat model on an Ollama server.

    ``form`` is how it is asked for calls: by a schema-constrained reply, by native tools (the two exclude each other on
    Ollama, https://github.com/ollama/ollama/issues/8095), or as text. None finds out with a canary on first use.
    """

    def __init__(self, model: str, url: str, form: Form | None = None, keep_alive: str = "30m") -> None:
        """Use the model at the server's URL; nothing is asked of it yet."""
        self.name = f"ollama:{model}"
        self._form = form
        self._model = model
        self._url = url
        self._keep_alive = keep_alive
        self._chat: ChatOllama | None = None

    async def propose(
        self, messages: Sequence[PromptMessage], tools: Sequence[Tool], timeout: float, *, may_decline: bool = True
    ) -> ModelReply:
        """Ask for calls in the form that this model honours."""
        ends = time.perf_counter() + timeout
        form = self._form or await self._find_form(timeout)
        extra: dict[str, Any] = {}
        if form == "grammar":
            extra["format"] = grammar(tools, may_decline=may_decline)
        elif form == "native":
            extra["tools"] = [tool.schema for tool in tools]
        return await self._ask(messages, form, max(0.1, ends - time.perf_counter()), extra)

    async def write(self, messages: Sequence[PromptMessage], timeout: float) -> ModelReply:
        """Ask for plain text."""
        return await self._ask(messages, "text", timeout, {})

    async def stream(self, messages: Sequence[PromptMessage], timeout: float) -> AsyncGenerator[str, None]:
        """Ask for plain text, piece by piece; whoever wants no more of them closes the generator, and Ollama stops.

        ChatOllama leaves the connection of an abandoned stream to the garbage collector, so its own client is asked.
        """
        said = [{"role": message.role, "content": message.text} for message in messages]
        try:
            async with asyncio.timeout(timeout), AsyncClient(self._url, **_CLIENT) as client:
                stream = await client.chat(
                    self._model, said, stream=True, options=_OPTIONS, keep_alive=self._keep_alive
                )
                async with aclosing(cast("AsyncGenerator[ChatResponse, None]", stream)) as pieces:
                    async for piece in pieces:
                        yield piece.message.content or ""
        except TimeoutError as error:
            raise ModelUnavailable("no answer in time") from error
        except _FAILURES as error:
            raise ModelUnavailable(reason(error)) from error

    async def honours_grammar(self, timeout: float) -> bool:
        """Whether its replies keep to a grammar."""
        return is_of_canary(await self._ask(CANARY, "grammar", timeout, {"format": CANARY_SCHEMA}))

    async def _find_form(self, timeout: float) -> Form:
        self._form = "grammar" if await self.honours_grammar(timeout) else "text"
        return self._form

    async def _ask(
        self,
        messages: Sequence[PromptMessage],
        form: Form,
        timeout: float,
        extra: dict[str, Any],
    ) -> ModelReply:
        return await ask(self._client(), messages, form, timeout, _FAILURES, **extra)

    def _client(self) -> ChatOllama:
        """One client per process and event loop; ChatOllama itself sets no timeout at all."""
        if self._chat is None:
            self._chat = ChatOllama(
                model=self._model,
                base_url=self._url,
                keep_alive=self._keep_alive,
                client_kwargs=_CLIENT,
                **_OPTIONS,
            )
        return self._chat


async def list_models(url: str, timeout: float = 1.0) -> list[str]:
    """Return the models that an Ollama server has.

    Raises:
        ModelUnavailable: it does not answer in time, or not as Ollama would.
    """
    try:
        async with httpx.AsyncClient(timeout=timeout, trust_env=False) as client:
            answer = await client.get(f"{url.rstrip('/')}/api/tags")
            answer.raise_for_status()
            return [str(model["name"]) for model in answer.json()["models"]]
    except (httpx.HTTPError, ValueError, KeyError, TypeError, httpx.InvalidURL) as error:
        raise ModelUnavailable(reason(error)) from error
