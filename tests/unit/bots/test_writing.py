"""A tool that writes does so after a yes of the person who asked, once, by whatever way it is reached; or never."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import shutil
from argparse import Namespace
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from bots.app import console_person
from bots.cli import tool as tool_command
from bots.errors import NO_CHANGES, CommandError
from bots.memory import MemoryPlatform
from bots.runner import Runner
from bots.runner_settings import RunnerSettings
from bots.settings import Settings
from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from graph.models.model import ModelReply, Usage
from graph.reply import Audience
from graph.state import Options
from graph.turn import ChangeRefused, TurnOutcome, TurnRequest
from ledger import schema
from ledger.imports import import_files
from ledger.memories import add_memory, list_memories
from ledger.people import Person
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.conftest import until
from tests.support import bank_files
from tests.support.console import desk
from tests.support.own_tools import FAILING, GATE, RIGHT, SENTENCES, write_own_tools
from tools.calls import Call
from tools.registry import Registry
from tools.running import any_late

ME = Person("memory", "home", "alice")
PAGE = Path(__file__).parents[3] / "docs/tools.md"
LIMIT = 3.0
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
#: What a call of each of the program's own writing tools proposes something with.
OURS = {
    "memories-remember": {"note": "the gym is for Ann"},
    "memories-forget": {"note": "all"},
    "settings-change": {"setting": "payday", "value": "25"},
    "categories-assign": {"merchant": "Costco", "category": "shopping"},
    "categories-unassign": {"merchant": "Safeway"},
    "categories-ignore": {"what": "Costco"},
    "categories-count_again": {"what": "Netflix"},
    "accounts-rename": {"account": "Visa Card", "new_name": "Gold"},
    "accounts-set_type": {"account": "Visa Card", "type": "loan"},
    "accounts-merge": {"account": "Visa Card", "into": "Joint"},
    "accounts-delete": {"account": "Joint"},
    "corrections-change": {"row": "the 239.92 at Costco", "field": "note", "value": "for Ann"},
    "corrections-delete": {"row": "the 239.92 at Costco"},
    "corrections-split": {"row": "the 239.92 at Costco", "parts": "200 groceries and the rest shopping"},
    "corrections-merge": {"row": "the 239.92 at Costco", "other": "the 69.74 at Safeway"},
    "corrections-link_refund": {"row": "the 30.00 from Jo", "purchase": "the 239.92 at Costco"},
    "corrections-link_transfer": {"row": "the 239.92 at Costco", "other": "the 30.00 from Jo"},
    "corrections-unlink": {"row": "the 40.00 from Ann"},
    "corrections-undo": {"change": "last"},
    "entries-add": {"amount": "12.50", "what": "lunch"},
}
#: Words that ask for the same.
SAID = {
    "memories-remember": "Remember that the gym is for Ann",
    "memories-forget": "Forget all notes",
    "settings-change": "I get paid on the 25th",
    "categories-assign": "Put Costco under shopping",
    "categories-unassign": "Forget the rule for Safeway",
    "categories-ignore": "Ignore Costco from now on",
    "categories-count_again": "Count Netflix again",
    "accounts-rename": "Rename Visa Card to Gold",
    "accounts-set_type": "My Visa Card is a loan",
    "accounts-merge": "Merge Visa Card into Joint",
    "accounts-delete": "Delete the account Joint",
    "corrections-change": "Add a note to the 239.92 at Costco: for Ann",
    "corrections-delete": "Delete the 239.92 at Costco",
    "corrections-split": "Split the 239.92 at Costco into 200 groceries and the rest shopping",
    "corrections-merge": "The 239.92 at Costco and the 69.74 at Safeway are the same",
    "corrections-link_refund": "The 30.00 from Jo is the refund for the 239.92 at Costco",
    "corrections-link_transfer": "The 239.92 at Costco and the 30.00 from Jo are a transfer",
    "corrections-unlink": "Unlink the 40.00 from Ann",
    "corrections-undo": "Undo my last change",
    "entries-add": "Spent 12.50 on lunch",
}
#: What is done before, for those that take something back.
DONE = (
    Call("categories-assign", {"merchant": "Safeway", "category": "shopping"}),
    Call("categories-ignore", {"what": "Netflix"}),
    Call("entries-add", {"amount": "30.00", "direction": "in", "what": "Jo", "account": "Cash"}),
    Call("entries-add", {"amount": "40.00", "direction": "in", "what": "Ann", "account": "Cash"}),
    Call("corrections-link_refund", {"row": "the 40.00 from Ann", "purchase": "the 69.74 at Safeway"}),
    Call("corrections-change", {"row": "the 69.74 at Safeway", "field": "labels", "value": "work"}),
)
JOINT = b"Date,Description,Amount (USD),Account\n2026-10-03,CORNER SHOP,-1.00,Joint\n"
#: A tool that goes on after its time comes last: none of its owner's is started while it does.
OWN = sorted((f"own-{each}" for each in SENTENCES), key=lambda name: name.endswith("_waiting"))[:-1]
#: Tables that a turn may write whatever it is about.
_OF_TURNS = {"inbox", "outbox", "turns", "pending_actions", "people", "ledgers", "members", "alembic_version"}


def test_every_writing_tool_of_ours_is_here() -> None:
    """But the filing of guesses, of which this ledger gives none: it proposes rules as the others do (tests/unit/tools/apps/test_unsure.py)."""
    assert {each.name for each in Registry.built_in() if each.writes} == {*OURS, "categories-file_guesses"}


class Scripted:
    """A model that answers the given texts in turn."""

    name = "ollama:scripted"

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)

    async def propose(self, _messages: Any, _tools: Any, _timeout: float, *, may_decline: bool = True) -> ModelReply:
        return ModelReply(self.texts.pop(0) if len(self.texts) > 1 else self.texts[0], (), Usage(1, 1, 0.0), "text")


class Place:
    """A store with data, the file of tools, and agents over both."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store = store
        self.path, self.probe = write_own_tools(folder)
        self.registry = Registry.built_in([str(self.path)])
        self.models = ModelChoice("builtin", "http://127.0.0.1:9")
        self.agents = {
            writes: MoneyAgent(store, self.registry, self.models, lambda: NOW, search_index=_no_index, writes=writes)
            for writes in (True, False)
        }

    def agent(self, *, writes: bool = True, model: Scripted | None = None) -> MoneyAgent:
        """Return the agent that a model chooses for, or the built-in planner."""
        self.models._model = model  # type: ignore[assignment]
        agent = self.agents[writes]
        agent._options = Options(routing="model" if model else "builtin", repairs=0, tool_timeout=LIMIT)
        return agent

    @property
    def marks(self) -> int:
        return len(self.probe.read_text()) if self.probe.exists() else 0

    async def state(self) -> str:
        """Return a hash of every table that holds what is a person's own."""
        digest = hashlib.sha256()
        async with self.store.read() as connection:
            for table in schema.metadata.sorted_tables:
                if table.name not in _OF_TURNS:
                    rows = (await connection.execute(sa.select(table))).all()
                    digest.update(repr((table.name, sorted(map(repr, rows)))).encode())
        return digest.hexdigest()


async def _no_index() -> None:
    """Nothing to search."""


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with some data, and what is done before."""

    async def live(path: Path) -> None:
        store = await Store.open(path)
        repository = await store.repository(ME)
        lines = [line for line in bank_files.american_lines() if line.name in ("Costco", "Safeway", "Netflix")]
        await import_files(repository, [SourceFile("mint.csv", bank_files.mint_csv(lines[:20]))])
        await import_files(repository, [SourceFile("joint.csv", JOINT)])
        async with store.write() as connection:
            await add_memory(connection, repository, "the rent is shared")
        models = ModelChoice("builtin", "http://127.0.0.1:9")
        agent = MoneyAgent(store, Registry.built_in(), models, lambda: NOW, search_index=_no_index)
        for call in DONE:
            confirmed = await agent.confirmed(ME, call)
            async with store.write() as connection:
                await confirmed.work(connection)
        await store.close()

    path = tmp_path_factory.mktemp("lived_in") / "ledger.sqlite3"
    asyncio.run(live(path))
    return path


@pytest.fixture
async def place(lived_in: Path, tmp_path: Path) -> AsyncIterator[Place]:
    path = tmp_path / "data" / lived_in.name
    path.parent.mkdir(mode=0o700)
    shutil.copy(lived_in, path)
    store = await Store.open(path)
    yield Place(store, tmp_path)
    (tmp_path / GATE).touch()
    await until(lambda: not any_late())
    await store.close()


def request(text: str = "probe", call: Call | None = None) -> TurnRequest:
    return TurnRequest(ME, "c", text, Audience.PRIVATE, call=call)


def written(*calls: tuple[str, dict[str, Any]], more: bool = False) -> str:
    texts = ("```json\n" + json.dumps({"name": name, "arguments": arguments}) + "\n```" for name, arguments in calls)
    return "\n".join(texts) + ('\n"more": true' if more else "")


def asking(name: str) -> str:
    """Return words that ask for a tool, without which a model may not call one that writes."""
    return SAID.get(name) or SENTENCES[name.removeprefix("own-")]


async def by_planner(place: Place, name: str, arguments: dict[str, Any], writes: bool) -> TurnOutcome:
    return await place.agent(writes=writes).answer(request(asking(name)))


async def by_command(place: Place, name: str, arguments: dict[str, Any], writes: bool) -> TurnOutcome:
    return await place.agent(writes=writes).answer(request(call=Call(name, arguments)))


async def by_batch(place: Place, name: str, arguments: dict[str, Any], writes: bool) -> TurnOutcome:
    return await by_command(place, name, {"requests": [arguments, {**arguments, "id": "b"}]}, writes)


async def by_model(place: Place, name: str, arguments: dict[str, Any], writes: bool) -> TurnOutcome:
    return await place.agent(writes=writes, model=Scripted(written((name, arguments)))).answer(request(asking(name)))


async def by_model_twice(place: Place, name: str, arguments: dict[str, Any], writes: bool) -> TurnOutcome:
    both = written((name, arguments), (name, {**arguments, "word": "y"}), ("own-sync_proposing", {}))
    return await place.agent(writes=writes, model=Scripted(both)).answer(request(asking(name)))


async def by_reference(place: Place, name: str, arguments: dict[str, Any], writes: bool) -> TurnOutcome:
    first = written(("ledger-status", {}), more=True)
    given = {**arguments, "word": "{f1}"} if name.startswith("own-") else arguments
    model = Scripted(first, written((name, given)), "Done.")
    return await place.agent(writes=writes, model=model).answer(request(asking(name)))


WAYS: list[Callable[..., Awaitable[TurnOutcome]]] = [
    by_planner, by_command, by_batch, by_model, by_model_twice, by_reference
]  # fmt: skip


@pytest.mark.parametrize("writes", [True, False], ids=["on", "off"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_nothing_is_written_before_a_yes(place: Place, way: Any, writes: bool) -> None:
    """Not by any tool, by any way; and with writes off nothing is even proposed."""
    before, proposed = await place.state(), set()
    for name in (*OURS, *OWN):
        outcome = await way(place, name, OURS.get(name, {}), writes)
        assert "done4711" not in outcome.reply.plain().casefold(), name
        assert (outcome.proposal is not None) <= (outcome.reply.kind == "clarify"), name
        if outcome.proposal is not None:
            proposed.add(outcome.proposal.name)
            assert [each["name"] for each in outcome.trace["calls"] if each["status"] == "done"].count(name) <= 1
    assert (place.marks, await place.state()) == (0, before)
    right = {f"own-{kind}_{name}" for name in (*RIGHT, *FAILING) for kind in ("sync", "async")}
    if not writes:
        assert proposed == set()
    elif way is not by_batch:
        assert proposed >= right - {"own-sync_proposing"} | set(OURS)
        assert proposed <= right | set(OURS)


@pytest.mark.parametrize("name", [name for name in OWN if name.partition("_")[2] not in RIGHT])
async def test_what_is_not_proposed_can_not_be_confirmed_either(place: Place, name: str) -> None:
    """Whoever gets past the proposal with a token for a call is where they began."""
    before = await place.state()
    agent = place.agent()
    with pytest.raises(ChangeRefused) as refused:
        confirmed = await agent.confirmed(ME, Call(name, {}))
        async with place.store.write() as connection:
            await confirmed.work(connection)
    assert "4711" not in refused.value.message
    assert (place.marks, await place.state()) == (0, before)


@pytest.mark.parametrize("name", OURS)
async def test_a_yes_outlasts_a_connection_that_breaks(place: Place, name: str, monkeypatch: Any) -> None:
    """It is no refusal that the store was away for a moment: the runner tries again."""
    agent = place.agent()

    async def broken(*_: Any) -> None:
        raise DBAPIError("SELECT", {}, OSError("reset"), connection_invalidated=True)

    with monkeypatch.context() as away:
        away.setattr("graph.agent.run_tool", broken)
        with pytest.raises(DBAPIError):
            await agent.confirmed(ME, Call(name, OURS[name]))
    assert (await agent.confirmed(ME, Call(name, OURS[name]))).work


@pytest.mark.parametrize("name", [*OURS, *(f"own-{way}_{body}" for body in RIGHT for way in ("sync", "async"))])
async def test_a_yes_does_it_once_and_only_that_persons_with_writes_on(place: Place, name: str, clock: Any) -> None:
    platform = MemoryPlatform(now=clock.now)
    made: dict[str, Any] = {"now": clock.now, "seconds": clock.seconds, "sleep": clock.sleep}
    runner = Runner(place.store, place.agent(), [platform], RunnerSettings(), **made)
    alice, bob = platform.person("alice"), platform.person("bob")
    assert alice == ME
    await runner.start()

    async def say(person: Person, text: str) -> Any:
        await platform.say(person, text)
        await runner.idle()
        return platform.visible_to(person)[-1]

    for person in (alice, bob):
        await say(person, "What data do you have?")  # whoever comes for the first time is greeted
    before = await place.state()
    shown = await say(alice, asking(name))
    assert shown.reply.kind == "clarify", shown.reply.plain()
    [yes] = [action.label for row in shown.reply.rows() for action in row if action.action == "confirm"]
    await say(bob, "yes")
    assert (place.marks, await place.state()) == (0, before)
    runner._answering._confirmations._agent = place.agent(writes=False)
    await platform.press(alice, shown, yes)
    await runner.idle()
    assert (place.marks, await place.state()) == (0, before)
    runner._answering._confirmations._agent = place.agent()
    await platform.press(alice, shown, yes)
    await runner.idle()
    after = await place.state()
    assert place.marks == (1 if name.startswith("own-") else 0)
    assert (after == before) == name.endswith("_proposing")  # whose work is done elsewhere
    for _ in range(2):
        await platform.press(alice, shown, yes)
        await say(alice, "yes")
    assert (place.marks <= 1, await place.state()) == (True, after)
    await runner.drain(0)


async def test_the_writing_tool_of_the_documentation_asks_and_does(sqlite_store: Store, tmp_path: Path) -> None:
    """Written into a file as it stands, found by the built-in planner, and done by a yes."""
    (code,) = [
        each
        for each in re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
        if "writes" in each
    ]
    path = tmp_path / "own.py"
    path.write_text(code, encoding="utf-8")
    repository = await sqlite_store.repository(ME)
    lines = [line for line in bank_files.american_lines() if line.name == "Costco"]
    await import_files(repository, [SourceFile("mint.csv", bank_files.mint_csv(lines[:5]))])
    models = ModelChoice("builtin", "http://127.0.0.1:9")
    agent = MoneyAgent(sqlite_store, Registry.built_in([str(path)]), models, lambda: NOW, search_index=_no_index)
    outcome = await agent.answer(request("I want to buy less at Costco"))
    assert outcome.reply.headline == "Keep the note “I want to buy less at Costco”?"
    assert await list_memories(repository) == ()
    assert outcome.proposal is not None
    confirmed = await agent.confirmed(ME, outcome.proposal)
    async with sqlite_store.write() as connection:
        await confirmed.work(connection)
    assert [each.text for each in await list_memories(repository)] == ["I want to buy less at Costco"]
    assert confirmed.reply.headline == "I have noted “I want to buy less at Costco”."


async def test_the_consoles_commands_change_nothing_with_writes_off(tmp_path: Path) -> None:
    path = tmp_path / "mint.csv"
    path.write_bytes(bank_files.mint_csv(bank_files.american_lines()[:5]))
    lines = [
        f"/import {path}",
        str(path),
        "/sample",
        "/undo",
        "/set payday 25",
        "/remember a thing",
        "Remember a thing",
    ]
    async with desk(tmp_path, writes=False) as here:
        for line in lines:
            told = await here.talk(line, "yes")
            assert (NO_CHANGES in told) == (not line.startswith("Remember")), told
        repository = await here.app.repository(console_person(None))
        assert (await repository.vocabulary()).count == 0
        assert await repository.settings() == {}
        assert await list_memories(repository) == ()


@pytest.mark.parametrize("yes", [True, False])
@pytest.mark.parametrize("writes", [True, False], ids=["on", "off"])
async def test_the_command_asks_for_a_yes_as_well(
    place: Place, tmp_path: Path, writes: bool, yes: bool, capsys: Any
) -> None:
    settings = Settings(
        _env_file=None, data_dir=tmp_path / "other", extra_tools=str(place.path), writes=writes, tool_timeout=LIMIT, model="builtin"
    )  # fmt: skip
    marks = 0
    for name in OWN:
        given = Namespace(name=name, arguments="{}", user=None, json=False, yes=yes)
        if not writes:
            with pytest.raises(CommandError, match="switches changes off"):
                await tool_command.run(given, settings)
            continue
        code = await tool_command.run(given, settings)
        body = name.partition("_")[2]
        marks += body in RIGHT and yes
        out = capsys.readouterr()
        assert code == (0 if body in RIGHT or (body in FAILING and not yes) else 1), name
        assert ("DONE4711" in out.out) == (yes and body in RIGHT), name
        assert (out.err == "") == (code == 0)
        assert place.marks == marks
    assert marks == (4 if writes and yes else 0)
    store = await Store.open(settings.database)
    notes = await list_memories(await store.repository(Person("console", "local", "me")))
    await store.close()
    assert len(notes) == (1 if writes and yes else 0)  # the same note twice is one
