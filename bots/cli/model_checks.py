"""The checks of the language model behind ``doctor``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.app import openai_server
from bots.cli.check import Check
from bots.cli.configuration import shown
from bots.errors import CommandError
from language.catalogue import say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bots.cli.check import Status
    from bots.settings import Settings

_OPENAI = "openai:"
_SERVER_SECONDS = 1.0
#: The canary's model may have to be loaded first.
_CANARY_SECONDS = 30.0
_WITHOUT = "or set MONEY_MINDER_MODEL=builtin; the built-in planner answers meanwhile."
_FORMS = {"grammar": "keeps to a grammar", "native": "calls tools", "text": "is read from plain text"}


async def model_checks(settings: Settings) -> AsyncIterator[Check]:
    """Check the server of the model, the model, and how it can be asked for calls."""
    if settings.model == "builtin" or settings.routing == "builtin":
        yield Check("ollama", "ok", "not asked: the built-in planner answers alone")
        return
    checks = _openai if settings.model.startswith(_OPENAI) else _ollama
    async for check in checks(settings):
        yield check


async def _ollama(settings: Settings) -> AsyncIterator[Check]:
    from graph.models.choice import best_of
    from graph.models.model import ModelUnavailable
    from graph.models.ollama import list_models

    named = settings.model.removeprefix("ollama:") if settings.model.startswith("ollama:") else None
    wrong: Status = "fail" if named else "warn"
    try:
        names = await list_models(settings.ollama_url, _SERVER_SECONDS)
    except ModelUnavailable as unavailable:
        found = say(
            "{ollama_url} does not answer ({reason})", ollama_url=settings.ollama_url, reason=unavailable.reason
        )
        mend = say("Start it with “ollama serve”, {without}", without=say(_WITHOUT))
        yield Check("ollama", wrong, found, mend)
        return
    yield Check(
        "ollama",
        "ok",
        say("{ollama_url} answers, {names} models", ollama_url=settings.ollama_url, names=str(len(names))),
    )
    present = named if named in names or f"{named}:latest" in names else None
    model = present if named else best_of(names)
    if model is None:
        missing = say("{named} is not there", named=named) if named else "there is no chat model"
        yield Check("model", wrong, missing, say("Run: ollama pull {model}", model=(named or "qwen3:4b")))
        return
    yield Check("model", "ok", model)
    yield await _grammar(model, settings.ollama_url)


async def _grammar(model: str, url: str) -> Check:
    from graph.models.model import ModelUnavailable
    from graph.models.ollama import OllamaModel

    try:
        honoured = await OllamaModel(model, url).honours_grammar(_CANARY_SECONDS)
    except ModelUnavailable as unavailable:
        mend = "Ask again when the model is loaded, or use a smaller one; the built-in planner answers meanwhile."
        return Check(
            "grammar", "warn", say("{model} gave no answer ({reason})", model=model, reason=unavailable.reason), mend
        )
    if not honoured:
        mend = "Nothing need be done: its calls are read from plain text; a newer Ollama may keep to grammars."
        return Check("grammar", "warn", say("{model} does not keep to it", model=model), mend)
    return Check("grammar", "ok", say("{model} keeps to it", model=model))


async def _openai(settings: Settings) -> AsyncIterator[Check]:
    from graph.models.model import ModelUnavailable

    try:
        server = openai_server(settings.openai)
    except CommandError as error:
        yield Check("openai", "fail", error.message, "Let the file be there, with nothing but the key in it.")
        return
    if server is None:
        yield Check(
            "openai", "fail", "MONEY_MINDER_OPENAI__URL is not set", "Set it to where the server is, up to /v1."
        )
        return
    try:
        from graph.models.openai import OpenAIModel
    except ImportError:
        mend = say("Run: pip install -r requirements-extras.lock, {without}", without=say(_WITHOUT))
        yield Check("openai", "fail", "langchain-openai is not installed", mend)
        return
    name, address = settings.model.removeprefix(_OPENAI), shown(server.url)
    model = OpenAIModel(name, server.url, server.key)
    try:
        names = await model.models(_SERVER_SECONDS)
    except ModelUnavailable as unavailable:
        found = say("{address} does not answer ({reason})", address=address, reason=unavailable.reason)
        yield Check("openai", "fail", found, say("Start the server, look at its key, {without}", without=say(_WITHOUT)))
        return
    yield Check("openai", "ok", say("{address} answers, {names} models", address=address, names=str(len(names))))
    if name not in names:
        yield Check(
            "model", "warn", say("{name} is not among them", name=name), "Name one of those that the server lists."
        )
        return
    yield Check("model", "ok", name)
    try:
        form = await model.honoured_form(_CANARY_SECONDS)
    except ModelUnavailable as unavailable:
        later = "Ask again when the model is loaded; the built-in planner answers meanwhile."
        yield Check(
            "grammar", "warn", say("{name} gave no answer ({reason})", name=name, reason=unavailable.reason), later
        )
        return
    yield Check("grammar", "ok", say("{name} {form}", name=name, form=say(_FORMS[form])))
