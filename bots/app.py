"""The composition root: reads settings and wires the parts, each no sooner than it is needed."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bots.admission import Admission
from bots.clock import Clock, clock
from bots.errors import CommandError, outline
from language.tongue import DEFAULT
from ledger.errors import StoreUnavailable
from ledger.people import Person
from ledger.store import Store, prepare_directory
from tools.errors import ToolDefinitionError, UnusableSelector

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Sequence

    from pydantic import SecretStr

    from bots.contracts import Adapter, Attachment
    from bots.desk.desk import Desk
    from bots.discord_app.client import DiscordConfig
    from bots.indexing import Indexing
    from bots.ingress import Ingress
    from bots.runner import Runner
    from bots.runner_settings import RunnerSettings
    from bots.settings import DiscordSettings, OpenAISettings, Settings, SlackSettings
    from bots.slack_app.platform import SlackConfig
    from bots.slack_app.sealing import Seal
    from bots.worker import Worker
    from graph.agent import MoneyAgent
    from graph.models.choice import ModelChoice, OpenAIServer
    from graph.turn import Confirmed, TurnOutcome, TurnRequest
    from ledger.embeddings import Embedder
    from ledger.embeddings.remembered import RememberedEmbedder
    from ledger.repository import Repository
    from tools.calls import Call
    from tools.context import ToolContext
    from tools.registry import Registry
    from tools.selection import Selector

_log = structlog.get_logger(__name__)

_EITHER = (
    "MONEY_MINDER_SLACK__CLIENT_ID lets workspaces install the app; leave the tokens of a bot and an app out then."
)
#: Who speaks at the terminal; everything else about a person comes from a platform's signed event.
CONSOLE = "console"
#: A turn at the terminal may read a file of a million lines; Ctrl-C ends it.
_TERMINAL_SECONDS = 3600.0
#: Seconds before it is shown there that an answer is being worked on; most are there by then.
_TERMINAL_PATIENCE = 0.4


def slack_config(settings: SlackSettings) -> SlackConfig | None:
    """Return how to reach Slack, or None without a bot's token or an app that workspaces install by themselves."""
    if settings.bot_token is None and settings.client_id is None:
        return None
    from bots.slack_app.platform import SlackConfig

    def told(secret: SecretStr | None) -> str:
        return secret.get_secret_value() if secret else ""

    return SlackConfig(
        told(settings.bot_token),
        told(settings.app_token) or None,
        told(settings.signing_secret) or None,
        settings.api_url,
        settings.host,
        settings.port,
        settings.client_id or "",
        told(settings.client_secret),
        settings.public_url or "",
        admission=Admission(settings.people, settings.groups, settings.channels),
    )


def openai_server(settings: OpenAISettings) -> OpenAIServer | None:
    """Return where models ``openai:NAME`` are, or None without an address.

    Raises:
        CommandError: the file with the key can't be read.
    """
    if settings.url is None:
        return None
    from graph.models.choice import OpenAIServer

    if settings.key is not None:
        return OpenAIServer(settings.url, settings.key.get_secret_value())
    try:
        return OpenAIServer(settings.url, settings.key_file.read_text().strip() if settings.key_file else "")
    except (OSError, ValueError) as error:
        raise CommandError(f"MONEY_MINDER_OPENAI__KEY_FILE: {settings.key_file} can't be read.") from error


def discord_config(settings: DiscordSettings) -> DiscordConfig | None:
    """Return how to reach Discord, or None without a token.

    Raises:
        CommandError: a shard is named that there is not.
    """
    if settings.token is None:
        return None
    count = settings.shard_count
    shards = (
        tuple(sorted({int(each) for each in settings.shards.split(",")})) if settings.shards else tuple(range(count))
    )
    if shards[-1] >= count:
        raise CommandError(
            f"MONEY_MINDER_DISCORD__SHARDS: with {count} shards they are numbered from 0 to {count - 1}."
        )
    from bots.discord_app.client import DiscordConfig

    return DiscordConfig(
        settings.token.get_secret_value(),
        settings.api_url,
        settings.gateway_url,
        settings.thread_follow_ups,
        shards=shards,
        shard_count=count,
        admission=Admission(settings.people, settings.roles, settings.channels),
    )


def console_person(user: str | None) -> Person:
    """Return the person at the terminal: the machine's own user, or one named with ``--user``."""
    return Person(CONSOLE, "local", user or "me")


@dataclass(frozen=True)
class App:
    """One process's parts over one store. Use :func:`open_app`."""

    settings: Settings
    store: Store
    clock: Clock

    @cached_property
    def registry(self) -> Registry:
        """The tools."""
        from tools.registry import Registry

        modules = [part.strip() for part in (self.settings.extra_tools or "").split(",") if part.strip()]
        try:
            return Registry.built_in(modules)
        except ToolDefinitionError as error:
            raise CommandError(f"A tool of your own can't be used: {error}") from error

    @cached_property
    def models(self) -> ModelChoice:
        """The language model of the moment."""
        from graph.models.choice import ModelChoice, ModelNotUsable
        from graph.models.gate import Limits

        limits = Limits(self.settings.model_calls, self.settings.model_wait)
        try:
            return ModelChoice(
                self.settings.model, self.settings.ollama_url, openai_server(self.settings.openai), limits
            )
        except ModelNotUsable as error:
            raise CommandError(error.message) from error

    @cached_property
    def embedder(self) -> Embedder:
        """What turns texts into vectors; loads its model on first use."""
        from ledger.embeddings import MiniLmEmbedder

        return MiniLmEmbedder()

    def remembered(self, what: str) -> RememberedEmbedder:
        """Return the embedder with what it embedded before, for a list of ours that comes again at every start."""
        from ledger.embeddings.remembered import RememberedEmbedder

        return RememberedEmbedder(self.embedder, self.settings.data_dir / "cache" / what)

    @cached_property
    def indexing(self) -> Indexing:
        """The search index."""
        from bots.indexing import Indexing

        alone = self.settings.role == "all"  # else an index of one's own would lack what others took in
        directory = self.settings.data_dir / "index" if alone or self.settings.qdrant_url else None
        return Indexing(self.store, directory, self.embedder, self.settings.qdrant_url)

    @cached_property
    def agent(self) -> MoneyAgent:
        """The agent; loads LangGraph."""
        from graph.agent import MoneyAgent
        from graph.state import Options

        return MoneyAgent(
            self.store,
            self.registry,
            self.models,
            self.clock,
            options=Options(
                routing=self.settings.routing,
                max_rounds=self.settings.max_rounds,
                tool_choice=self._tool_choice(),
                parallel_tool_calls=self.settings.parallel_tool_calls,
                tool_timeout=self.settings.tool_timeout,
                model_deadline=self.settings.model_deadline,
                traced=self.settings.traces_url is not None,
            ),
            embedder=self.remembered("examples"),
            selector=self.selector_for(self.settings.tool_selection.strategy),
            search_index=self.indexing.current,
            environment=self.settings.environment,
            writes=self.settings.writes,
            default_locale=self.settings.locale,
        )

    def selector_for(self, strategy: str | None) -> Selector:
        """Return what preselects the tools that a model is offered, by a strategy, or by the setting of none."""
        from tools.selection import open_selector

        wanted = self.settings.tool_selection
        try:
            return open_selector(
                strategy,
                threshold=wanted.threshold,
                max_results=wanted.max_results,
                embed=self.remembered("selection").embed,
                ask=self._ask_model,
                custom=wanted.custom,
            )
        except UnusableSelector as error:
            raise CommandError(str(error)) from error

    async def _ask_model(self, prompt: str) -> str:
        """Return a model's answer to a prompt of ours. Raises ModelUnavailable."""
        from graph.models.model import ModelUnavailable, PromptMessage

        model = await self.models.current()
        if model is None:
            raise ModelUnavailable("no model")
        reply = await model.write([PromptMessage("user", prompt)], self.settings.model_deadline)
        return reply.text

    def _tool_choice(self) -> str:
        from graph.tool_choice import read_tool_choice

        try:
            return read_tool_choice(self.settings.tool_choice, [tool.name for tool in self.registry])
        except ValueError as error:
            raise CommandError("MONEY_MINDER_TOOL_CHOICE is auto, none, required, or the name of a tool.") from error

    @cached_property
    def runner(self) -> Runner:
        """What answers questions of the command."""
        return self.runner_of()

    def runner_of(self, *terminals: Adapter, agent: LateAgent | None = None) -> Runner:
        """Return what answers at the terminal, however much is asked and however long a file there takes."""
        from bots.runner_settings import RunnerSettings
        from bots.sending import Patience

        settings = RunnerSettings(
            questions_per_minute=sys.maxsize,
            turn_seconds=_TERMINAL_SECONDS,
            progress_after=_TERMINAL_PATIENCE,
            narration=self.settings.narration,
            sending=Patience(attempts=1),
            keep=self.settings.keep,
            keep_by_workspace=self.settings.now is None,
        )
        return self._runner(terminals, settings, agent)

    @cached_property
    def server(self) -> Runner | Ingress | Worker:
        """What serves the configured platforms, or this process's part of it."""
        from bots.runner_settings import RunnerSettings

        url = self.settings.database_url
        if self.settings.role == "all":
            return self._answerer
        if url is None or self.store.dialect != "postgresql":
            raise CommandError("Several processes need PostgreSQL: set MONEY_MINDER_DATABASE_URL, or leave --role out.")
        if self.settings.role == "ingress":
            from bots.ingress import Ingress

            return Ingress(self.store, self.platforms, RunnerSettings(), now=self.clock)
        from bots.worker import Worker

        return Worker(self.store, url, self._answerer, self.platforms)

    @cached_property
    def _answerer(self) -> Runner:
        from bots.runner_settings import PARALLEL_TURNS, RunnerSettings

        settings = RunnerSettings(
            # Half of the turns may wait for a model, so that the others never wait for these.
            parallel_turns=max(PARALLEL_TURNS, 2 * self.settings.model_calls),
            narration=self.settings.narration,
            keep=self.settings.keep,
            keep_by_workspace=self.settings.now is None,
        )
        runner = self._runner(self.platforms, settings)
        runner.metrics.models = self.models
        return runner

    def _runner(self, adapters: Sequence[Adapter], settings: RunnerSettings, agent: LateAgent | None = None) -> Runner:
        from bots.desk.duties import handlers, notices, works
        from bots.runner import Runner

        return Runner(
            self.store, agent or self.agent, adapters, settings, now=self.clock,
            handlers=handlers(self.desk), works=works(self.desk), notices=notices(self.desk),
        )  # fmt: skip

    @cached_property
    def desk(self) -> Desk:
        """What does people's own affairs, apart from questions."""
        from bots.desk.desk import Desk
        from bots.history import History
        from bots.local_files import fetch_file

        async def fetch(platform: str, attachment: Attachment) -> bytes:
            if platform == CONSOLE:
                return await asyncio.to_thread(fetch_file, attachment)
            return await next(each for each in self.platforms if each.name == platform).fetch(attachment)

        def adapter(platform: str) -> Adapter | None:
            return (
                next((each for each in self.platforms if each.name == platform), None) if platform != CONSOLE else None
            )

        return Desk(
            self.store,
            History(self.store),
            self.tool_context,
            fetch,
            self.indexing.catch_up,
            self.settings.writes,
            self.settings.locale or "en_US",
            adapter,
            self.clock,
            self.settings.slack.administrators,
        )

    @cached_property
    def platforms(self) -> list[Adapter]:
        """An adapter for each platform that has a token. Raises CommandError where the rest of its settings is missing."""
        found: list[Adapter] = []
        slack, discord = slack_config(self.settings.slack), discord_config(self.settings.discord)
        if slack is not None and slack.client_id:
            found.append(self._workspaces(slack))
        elif slack is not None:
            if not (slack.app_token or slack.signing_secret):
                raise CommandError("Slack needs MONEY_MINDER_SLACK__APP_TOKEN, or a signing secret for HTTP requests.")
            from bots.slack_app.platform import SlackPlatform

            found.append(SlackPlatform(slack, self.desk, self.clock))
        elif self.settings.slack.app_token or self.settings.slack.signing_secret:
            raise CommandError("Slack needs MONEY_MINDER_SLACK__BOT_TOKEN as well.")
        if discord is not None:
            from bots.discord_app.platform import DiscordPlatform

            if self.settings.role != "worker":  # which has no connection to the gateway
                discord = replace(discord, session_file=self.settings.data_dir / "discord-session.json")
            found.append(DiscordPlatform(discord, self.desk, self.clock))
        return found

    def _workspaces(self, config: SlackConfig) -> Adapter:
        """Return the adapter of an app that workspaces install by themselves. Raises CommandError."""
        if config.bot_token or config.app_token:
            raise CommandError(_EITHER)
        if not (config.client_secret and config.signing_secret):
            raise CommandError(
                "MONEY_MINDER_SLACK__CLIENT_ID needs MONEY_MINDER_SLACK__CLIENT_SECRET and a signing secret."
            )
        from bots.slack_app.workspaces import SlackWorkspaces

        return SlackWorkspaces(config, self._seal(), self.desk, self.clock)

    def _seal(self) -> Seal:
        """Return what encrypts the tokens of workspaces. Raises CommandError."""
        from bots.slack_app.sealing import Seal

        named, command = self.settings.slack.key_file, self.settings.slack.key_command
        if named and command:
            raise CommandError("Set either MONEY_MINDER_SLACK__KEY_FILE or MONEY_MINDER_SLACK__KEY_COMMAND.")
        if command:
            return Seal.ask(command)
        if named is None and self.settings.role != "all":
            raise CommandError("Several processes need one key for Slack's tokens: set MONEY_MINDER_SLACK__KEY_FILE.")
        return Seal.open(named or self.settings.data_dir / "slack.key", make=named is None)

    async def repository(self, person: Person) -> Repository:
        """Return a person's ledger."""
        return await self.store.repository(person)

    async def tool_context(self, person: Person) -> ToolContext:
        """Return what tools may know of a person."""
        from tools.surroundings import tool_context

        return await tool_context(
            await self.repository(person), self.clock(), self.indexing.current, self.settings.locale
        )


@dataclass(frozen=True, slots=True)
class LateAgent:
    """The agent, loaded with LangGraph by the first question: what the desk does alone never waits for that."""

    app: App

    async def answer(self, request: TurnRequest) -> TurnOutcome:
        """Answer one turn."""
        return await self.app.agent.answer(request)

    async def confirmed(self, person: Person, call: Call, language: str = DEFAULT) -> Confirmed:
        """Return what a confirmed call does."""
        return await self.app.agent.confirmed(person, call, language)

    def narrate(self, request: TurnRequest, outcome: TurnOutcome) -> AsyncGenerator[str, None]:
        """Yield a model's sentences."""
        return self.app.agent.narrate(request, outcome)


@asynccontextmanager
async def open_app(settings: Settings) -> AsyncIterator[App]:
    """Open the store and hand out the parts; everything is closed in the end.

    Raises:
        StoreUnavailable: the database can't be opened, or not be used any more.
    """
    os.umask(0o077)  # everything that this process writes is its owner's alone
    prepare_directory(settings.data_dir)
    store = await Store.open(settings.database)
    app = App(settings, store, clock(settings.now))
    try:
        yield app
    except SQLAlchemyError as error:  # whatever a command could not go on without
        _log.error("database_failed", error=outline(error))
        raise StoreUnavailable("The database did not answer; run “money-minder doctor” to see why.") from error
    finally:
        if "indexing" in app.__dict__:
            await app.indexing.close()
        await store.close()
