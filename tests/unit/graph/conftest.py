"""One person's two years of made-up bank data, and the real agent over it."""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from graph.reply import Audience
from graph.state import Options
from graph.turn import PastTurn, TurnOutcome, TurnRequest
from ledger.embeddings import MiniLmEmbedder
from ledger.embeddings.remembered import RememberedEmbedder
from ledger.imports import import_files
from ledger.people import Person
from ledger.repository import Repository
from ledger.sample import SAMPLE_NAME, sample_csv
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.support import bank_files, nursery
from tests.support.ollama_server import OllamaServer
from tools.calls import Choice
from tools.registry import Registry

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ME = Person("console", "local", "me")

Say = Callable[[str], Awaitable[TurnOutcome]]


class SharedEmbedder(RememberedEmbedder):
    """Embeds the examples once for all test workers."""

    async def embed(self, texts: list[str]) -> list[list[float]]:
        with (nursery.shared() / "examples.lock").open("w") as lock:
            await asyncio.to_thread(fcntl.flock, lock, fcntl.LOCK_EX)
            return await super().embed(texts)


@pytest.fixture(scope="session")
def embedder() -> RememberedEmbedder:
    """The real embedder, its example vectors kept for this run."""
    return SharedEmbedder(MiniLmEmbedder(), nursery.shared() / "examples")


async def no_index() -> None:
    """No index: words are searched in the store itself."""


@pytest.fixture(scope="session")
def american(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with two years of an American household."""
    return asyncio.run(database(tmp_path_factory, "mint.csv", bank_files.mint_csv(bank_files.american_lines())))


@pytest.fixture(scope="session")
def german(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with two years of a German current account."""
    return asyncio.run(database(tmp_path_factory, "giro.csv", bank_files.german_csv(bank_files.german_lines())))


@pytest.fixture(scope="session")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with the made-up data of two years that the program brings."""
    return asyncio.run(database(tmp_path_factory, SAMPLE_NAME, sample_csv(NOW.date())))


@pytest.fixture
async def household(made_up: Path) -> AsyncIterator[Repository]:
    """The ledger of the made-up data, to be read."""
    store = await Store.open(made_up)
    yield await store.repository(ME)
    await store.close()


async def database(tmp_path_factory: pytest.TempPathFactory, name: str, data: bytes) -> Path:
    """Return a database file with what one file says."""
    path = tmp_path_factory.mktemp("ledger") / "money.sqlite3"
    store = await Store.open(path)
    await import_files(await store.repository(ME), [SourceFile(name, data)])
    await store.close()
    return path


def one_column(tmp_path_factory: pytest.TempPathFactory, rows: Sequence[tuple[str, str, str, str]]) -> Path:
    """Return a database file with the rows of a bank that writes all it says into one column: day, text, amount, account."""
    lines = ["Date,Description,Amount,Currency,Account"]
    lines += [f"{day},{text},{amount},EUR,{account}" for day, text, amount, account in sorted(rows)]
    return asyncio.run(database(tmp_path_factory, "bank.csv", "\n".join(lines).encode()))


@pytest.fixture(scope="module")
def small(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with the rows that a module's ``rows`` returns; a module with another layout has its own."""
    return one_column(tmp_path_factory, request.module.rows())


class Talk:
    """A conversation with the agent: what was said before is carried along, as the bots do from their history."""

    def __init__(self, agent: MoneyAgent) -> None:
        self.agent = agent
        self.past: list[PastTurn] = []
        self.focus: str | None = None

    async def say(self, text: str, **request: Any) -> TurnOutcome:
        asked = TurnRequest(ME, "talk", text, Audience.PRIVATE, past=tuple(self.past), focus=self.focus, **request)
        outcome = await self.agent.answer(asked)
        reply = outcome.reply
        self.focus = outcome.focus
        said = outcome.picked or text
        self.past.append(PastTurn(said, reply.kind, outcome.scope, reply.facts, reply.choices, reply.listed))
        return outcome

    async def press(self, choice: Choice) -> TurnOutcome:
        return await self.say("", choice=choice)


@pytest.fixture
def ollama() -> Iterator[OllamaServer]:
    """A scripted model behind Ollama's API."""
    with OllamaServer() as server:
        yield server


@pytest.fixture
def open_agent(embedder: RememberedEmbedder) -> Callable[..., Awaitable[MoneyAgent]]:
    """Opens an agent over a database file, with a model and options if wanted."""

    async def make(path: Path, model: object | None = None, **options: object) -> MoneyAgent:
        store = await Store.open(path)
        stores.append(store)
        models = ModelChoice("builtin", "http://127.0.0.1:9")
        if model is not None:
            models._model = model
        return MoneyAgent(
            store,
            Registry.built_in(),
            models,
            lambda: NOW,
            options=Options(**{"routing": "builtin" if model is None else "auto", **options}),
            embedder=embedder,
            search_index=no_index,
        )

    stores: list[Store] = []
    return make


@pytest.fixture
async def talk(small: Path, open_agent: Callable[..., Awaitable[MoneyAgent]]) -> AsyncIterator[Talk]:
    """A conversation over the ledger that a module calls ``small``."""
    agent = await open_agent(small)
    yield Talk(agent)
    await agent._store.close()


@pytest.fixture
async def english(american: Path, open_agent: Callable[..., Awaitable[MoneyAgent]]) -> AsyncIterator[Talk]:
    """A conversation about the American ledger, without a model."""
    agent = await open_agent(american)
    yield Talk(agent)
    await agent._store.close()


@pytest.fixture
async def deutsch(german: Path, open_agent: Callable[..., Awaitable[MoneyAgent]]) -> AsyncIterator[Talk]:
    """A conversation about the German ledger, without a model."""
    agent = await open_agent(german)
    yield Talk(agent)
    await agent._store.close()
