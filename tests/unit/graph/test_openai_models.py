"""Models behind OpenAI's API: asked by its rules, in the form that the server honours, and no answer is lost by a bad one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bots.app import App, openai_server
from bots.clock import Clock
from bots.errors import CommandError
from bots.settings import OpenAISettings, Settings
from graph.agent import MoneyAgent
from graph.answers import show_fact
from graph.models.choice import ModelChoice, ModelNotUsable
from graph.models.choice import OpenAIServer as Address
from graph.models.model import ModelUnavailable, PromptMessage
from graph.models.openai import OpenAIModel
from graph.reply import Audience
from graph.turn import TurnRequest
from tests.support.openai_server import KEY, NAME, OpenAIServer
from tests.unit.graph.conftest import ME, Talk
from tests.unit.graph.test_models import GROCERIES, QUESTION, RIGHT, total

SAID = [PromptMessage("user", "Say something.")]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """A scripted server, beside an environment that is meant for another one."""
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "of-another-server")
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_PROXY", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with OpenAIServer() as running:
        yield running
        assert running.broken_rules == []


@pytest.fixture
def model(server: OpenAIServer) -> OpenAIModel:
    return OpenAIModel(NAME, server.url, KEY)


@pytest.fixture
async def ask(
    american: Path, model: OpenAIModel, server: OpenAIServer, open_agent: Callable[..., Awaitable[MoneyAgent]]
) -> Callable[..., Awaitable[Any]]:
    """Asks one question of an agent whose model is the scripted server."""

    async def run(question: str, *answers: Any, deadline: float = 20) -> Any:
        server.answers = list(answers)
        agent = await open_agent(american, model, routing="model", model_deadline=deadline)
        outcome = await Talk(agent).say(question)
        await agent._store.close()
        return outcome

    return run


NATIVE = {"tool_calls": [{"name": RIGHT["tool"], "arguments": RIGHT["arguments"]}]}
WRITTEN = "<tool_call>" + json.dumps({"name": "ledger.ask", "arguments": RIGHT["arguments"]}) + "</tool_call>"


@pytest.mark.parametrize("refuses", [True, False], ids=["refuses what it does not know", "ignores it"])
@pytest.mark.parametrize(
    ("honours", "answer", "form"),
    [
        (("grammar", "native"), RIGHT, "grammar"),
        (("native",), NATIVE, "native"),
        ((), WRITTEN, "text"),
    ],
    ids=["grammar", "native", "text"],
)
async def test_calls_are_asked_for_in_the_form_that_the_server_honours(
    ask: Any, server: OpenAIServer, honours: Any, answer: Any, form: str, refuses: bool
) -> None:
    server.honours, server.refuses = honours, refuses
    outcome = await ask(QUESTION, answer)
    assert total(outcome) == str(GROCERIES)
    assert (outcome.trace["calls"][-1]["by"], outcome.trace["model"][0]["form"]) == ("model", form)
    (chat,) = server.chats
    assert ("response_format" in chat, "tools" in chat) == (form == "grammar", form == "native")


@pytest.mark.parametrize("fault", [401, 404, 429, 500, "cut", "nonsense", "empty", "I would rather not.", "slow"])
async def test_a_failing_model_costs_no_answer(ask: Any, fault: Any) -> None:
    outcome = await ask(QUESTION, fault, deadline=2)
    assert total(outcome) == str(GROCERIES)
    assert outcome.trace["calls"][-1]["by"] == "planner"


async def test_a_bad_call_goes_back_with_a_reason(ask: Any, server: OpenAIServer) -> None:
    """The model is told what was wrong, in messages that alternate as its template wants them."""
    outcome = await ask("how does the money situation look with zorbs", {"tool": "nope", "arguments": {}})
    assert outcome.reply.kind in ("clarify", "refuse")
    assert ["could not be made" in chat["messages"][-1]["content"] for chat in server.chats] == [False, True, True]


async def test_text_is_written_and_counted(model: OpenAIModel, server: OpenAIServer) -> None:
    server.answers = ["Something."]
    reply = await model.write(SAID, 20)
    assert (reply.text, reply.usage.input_tokens, reply.usage.output_tokens) == ("Something.", 11, 7)


async def test_the_form_is_found_out_again_where_the_server_was_away(server: OpenAIServer) -> None:
    away = OpenAIModel(NAME, "http://127.0.0.1:9/v1", KEY)
    with pytest.raises(ModelUnavailable):
        await away.propose(SAID, [], 5)
    assert away._form is None


async def test_an_answer_is_told_in_verified_sentences(
    american: Path, model: OpenAIModel, server: OpenAIServer, open_agent: Callable[..., Awaitable[MoneyAgent]]
) -> None:
    agent = await open_agent(american, model, routing="auto")
    outcome = await Talk(agent).say(QUESTION)
    server.answers = [["You spent {f1}", " on this. It was", " {f2} purchases."]]
    request = TurnRequest(ME, "talk", QUESTION, Audience.PRIVATE)
    sentences = [sentence async for sentence in agent.narrate(request, outcome)]
    figures = {fact.id: show_fact(fact, "en_US") for fact in outcome.reply.facts}
    assert sentences == [text.format(**figures) for text in ("You spent {total} on this.", "It was {count} purchases.")]
    await agent._store.close()


@pytest.mark.parametrize("fault", [500, "cut", "slow"])
async def test_a_stream_that_fails_says_so(model: OpenAIModel, server: OpenAIServer, fault: Any) -> None:
    server.answers = [fault]
    with pytest.raises(ModelUnavailable):
        _ = [piece async for piece in model.stream(SAID, 1)]


class TestTheKey:
    async def test_it_is_sent_and_nothing_of_the_environment_is(self, server: OpenAIServer) -> None:
        server.answers = ["Something."]
        assert (await OpenAIModel(NAME, server.url, KEY).write(SAID, 20)).text == "Something."
        with pytest.raises(ModelUnavailable, match="AuthenticationError 401"):
            await OpenAIModel(NAME, server.url, "sk-wrong").write(SAID, 20)

    async def test_a_server_may_have_none(self, server: OpenAIServer) -> None:
        server.answers, server.key = ["Something."], ""
        assert (await OpenAIModel(NAME, server.url).write(SAID, 20)).text == "Something."

    async def test_it_is_in_no_reason_and_in_nothing_that_is_shown(self, server: OpenAIServer, tmp_path: Path) -> None:
        server.answers = [500]
        model = OpenAIModel(NAME, server.url, KEY)
        with pytest.raises(ModelUnavailable) as failed:
            await model.write(SAID, 20)
        settings = Settings(openai={"url": server.url, "key": KEY}, data_dir=tmp_path)  # type: ignore[arg-type]
        shown = [failed.value.reason, repr(settings), repr(Address(server.url, KEY)), repr(model)]
        assert not any(KEY in text for text in shown)

    def test_a_file_may_hold_it(self, tmp_path: Path) -> None:
        (tmp_path / "key").write_text(f"{KEY}\n")
        settings = OpenAISettings(url="http://127.0.0.1:9/v1", key_file=tmp_path / "key")
        assert openai_server(settings) == Address("http://127.0.0.1:9/v1", KEY)
        with pytest.raises(CommandError, match="KEY_FILE"):
            openai_server(settings.model_copy(update={"key_file": tmp_path / "none"}))


def test_a_model_without_an_address_says_what_to_set() -> None:
    with pytest.raises(ModelNotUsable, match="MONEY_MINDER_OPENAI__URL"):
        ModelChoice(f"openai:{NAME}", "http://127.0.0.1:9")


async def test_a_model_without_its_packages_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "langchain_openai", None)
    monkeypatch.delitem(sys.modules, "graph.models.openai")
    settings = Settings(model=f"openai:{NAME}", openai={"url": "http://127.0.0.1:9/v1"}, data_dir=tmp_path)  # type: ignore[arg-type]
    with pytest.raises(CommandError, match=r"requirements-extras\.lock"):
        _ = App(settings, None, Clock.__call__).models  # type: ignore[arg-type]


def test_nobody_else_loads_its_packages() -> None:
    """The embedded default is as light as before, and starts as fast."""
    program = (
        "import sys, bots.app, graph.agent, graph.models.choice, graph.models.ollama\n"
        "from graph.models.choice import ModelChoice\n"
        "ModelChoice('ollama:x', 'http://127.0.0.1:9')\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('openai', 'langchain_openai', 'tiktoken')])"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
