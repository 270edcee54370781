"""The other designs, over a scripted model and tools that always say the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from evals.command import CommandFailed
from evals.peers import ask_peer, kind_of
from evals.questions import Question
from evals.rows import BoardRow, board_rows
from tests.support.ollama_server import MODEL, OllamaServer

TOOL = "spending-analyze_by_category"
PERIOD = {"start": "2026-09-01", "end": "2026-09-30"}
RESOLVED = {"category": "Groceries", "start_date": "2026-09-01", "end_date": "2026-09-30"}
SCHEMA = {
    "type": "function",
    "function": {
        "name": TOOL,
        "description": "Spending in a category.",
        "parameters": {"type": "object", "properties": {"category": {"type": "string"}}, "required": ["category"]},
    },
}


@dataclass
class Tools:
    """Stands in for the command: one tool, which knows groceries only."""

    ran: list[tuple[str, Any]] = field(default_factory=list)

    def tools(self) -> list[dict[str, Any]]:
        return [{"name": TOOL, "app": "spending", "schema": SCHEMA}]

    def run_tool(self, name: str, arguments: Any) -> dict[str, Any]:
        self.ran.append((name, arguments))
        if arguments.get("category") != "groceries":
            return {"error": "I find no such category."}
        fact = {"id": "f1", "label": "Total spent", "subject": "", "value": "60.00", "currency": "USD", "unit": "money"}
        return {"tool": name, "arguments": RESOLVED, "period": PERIOD, "facts": [fact], "table": None}


def calling(*categories: str) -> dict[str, Any]:
    return {"tool_calls": [{"name": TOOL, "arguments": {"category": category}} for category in categories]}


def question(*turns: str) -> Question:
    return Question("us-001", "american", "single", "en", turns, frozenset({"answer"}), ())


def converse(peer: str, answers: list[Any], *turns: str) -> tuple[dict[str, Any], Tools, list[dict[str, Any]]]:
    tools = Tools()
    with OllamaServer(answers) as server:
        row: BoardRow = board_rows(MODEL, server.url)[peer]
        ((_, reply),) = ask_peer(row, [question(*turns)], tools)  # type: ignore[arg-type]
    return reply, tools, server.requests


@pytest.mark.parametrize("peer", ["two-call", "create_agent"])
def test_an_answer_by_a_tool(peer: str) -> None:
    """Period and arguments are those that the tool resolved; both calls of the model are counted."""
    reply, tools, requests = converse(peer, [calling("groceries"), "You spent $60.00."], "Groceries in September?")
    assert (reply["kind"], reply["text"], reply["period"]) == ("answer", "You spent $60.00.", PERIOD)
    assert reply["calls"] == [{"name": TOOL, "arguments": RESOLVED, "proposed_by": "model"}]
    assert reply["usage"] == {"model_calls": 2, "input_tokens": 22, "output_tokens": 14}
    assert tools.ran == [(TOOL, {"category": "groceries"})]
    assert "60.00" in str(requests[1]["messages"])


def test_of_several_calls_two_calls_run_the_first() -> None:
    reply, tools, requests = converse("two-call", [calling("groceries", "coffee"), "$60.00"], "Groceries and coffee?")
    assert [arguments for _, arguments in tools.ran] == [{"category": "groceries"}]
    assert "tools" in requests[0]
    assert "tools" not in requests[1]
    assert requests[1]["messages"][-1]["role"] == "user"
    assert requests[1]["messages"][-1]["content"].startswith("Groceries and coffee?\n\nThe tool ")
    assert reply["calls"][0]["name"] == TOOL


def test_the_agent_goes_on_until_it_answers() -> None:
    """What a tool refuses is told to the model."""
    answers = [calling("grocery"), calling("groceries"), "You spent $60.00."]
    reply, tools, requests = converse("create_agent", answers, "Groceries?")
    assert [arguments["category"] for _, arguments in tools.ran] == ["grocery", "groceries"]
    assert "I find no such category." in str(requests[1]["messages"])
    assert reply["usage"]["model_calls"] == 3
    assert reply["period"] == PERIOD


@pytest.mark.parametrize("peer", ["two-call", "create_agent"])
def test_earlier_turns_are_remembered_and_only_the_last_is_counted(peer: str) -> None:
    answers = [calling("groceries"), "You spent $60.00.", "Which month do you mean?"]
    reply, _, requests = converse(peer, answers, "Groceries in September?", "and before?")
    assert (reply["kind"], reply["calls"], reply["usage"]["model_calls"]) == ("clarify", [], 1)
    said = str(requests[2]["messages"])
    assert said.index("Groceries in September?") < said.index("You spent $60.00.") < said.index("and before?")


def test_what_breaks_is_an_error_of_this_question() -> None:
    reply, _, _ = converse("two-call", [500], "Groceries?")
    assert (reply["kind"], reply["text"].split(":")[0]) == ("error", "HTTPStatusError")


def test_without_its_packages_the_agent_is_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "langchain.agents", None)
    with pytest.raises(CommandFailed, match="needs the packages langchain"):
        converse("create_agent", ["hello"], "Groceries?")


@pytest.mark.parametrize(
    ("text", "results", "kind"),
    [
        ("You spent $60.00.", 0, "answer"),
        ("Most of it went to rent.", 1, "answer"),
        ("Which month do you mean?", 0, "clarify"),
        ("I can't help with the weather.", 0, "refuse"),
        ('```json\n{"name": "x"}\n```', 1, "error"),
        ('{"name": "x", "arguments": {}}', 0, "error"),
        (" ", 1, "error"),
    ],
)
def test_kinds(text: str, results: int, kind: str) -> None:
    assert kind_of(text, results) == kind
