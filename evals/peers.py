"""Two other designs over the same model, tools and ledger, to compare with.

- ``create_agent``: LangChain's prebuilt agent, which calls tools until the model answers in words.
- ``two-call``: one call with the tools, of which only the first tool call is run; then a second call without tools, with
  the result pasted into a user message.

Both get the schemas of ``money-minder tools`` and run ``money-minder tool``, so the same figures are within their reach.
Their seconds leave out the time that the tool processes took.
"""

from __future__ import annotations

import importlib
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evals.command import CommandFailed
from evals.writing import numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from evals.command import Command
    from evals.questions import Question
    from evals.rows import BoardRow

_SYSTEM = (
    "You answer a person's questions about their own bank transactions. Today is Saturday, 2026-11-21. "
    "Always call a tool to get figures; never guess them. Then answer in one or two sentences with the exact figures. "
    "If the question is not about their transactions, say that you can't help; if it could mean several things, ask."
)
_CONTEXT = 8192
_TIMEOUT = 600.0
_MOST_ROUNDS = 10
_MOST_ROWS = 20


@dataclass(slots=True)
class Turn:
    """What one turn of a peer came to."""

    text: str = ""
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(slots=True)
class Toolbox:
    """The project's tools as a peer uses them; keeps what was run in this turn, and how long it took."""

    command: Command
    schemas: list[dict[str, Any]]
    calls: list[dict[str, Any]] = field(default_factory=list)
    period: dict[str, Any] | None = None
    results: int = 0
    seconds: float = 0.0

    def clear(self) -> None:
        """Forget the turn before."""
        self.calls, self.period, self.results, self.seconds = [], None, 0, 0.0

    def run(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Run a tool and return what the model is told: its facts, table and period, or why it was refused."""
        started = time.perf_counter()
        made = self.command.run_tool(name, arguments)
        self.seconds += time.perf_counter() - started
        resolved = made.get("arguments", dict(arguments))
        self.calls.append({"name": name, "arguments": resolved, "proposed_by": "model"})
        if "error" in made:
            return json.dumps({"error": made["error"]}, ensure_ascii=False)
        self.results += 1
        self.period = made["period"]
        facts = [
            {key: fact[key] for key in ("label", "subject", "value", "currency", "unit") if fact[key]}
            for fact in made["facts"]
        ]
        table = made["table"] and {**made["table"], "rows": made["table"]["rows"][:_MOST_ROWS]}
        return json.dumps({"period": made["period"], "facts": facts, "table": table}, ensure_ascii=False)


def ask_peer(
    row: BoardRow, questions: Sequence[Question], command: Command
) -> Iterator[tuple[Question, dict[str, Any]]]:
    """Yield questions about one ledger, each with the reply to its last turn; raises CommandFailed."""
    toolbox = Toolbox(command, [tool["schema"] for tool in command.tools()])
    converse = {"create_agent": _create_agent, "two-call": _two_calls}[row.name](row.model, row.ollama, toolbox)
    for question in questions:
        history: list[Any] = []
        made: dict[str, Any] = {}
        for text in question.turns:
            toolbox.clear()
            started = time.perf_counter()
            try:
                turn = converse(history, text)
            except Exception as error:  # noqa: BLE001 - whatever breaks in a peer is its answer to this question
                said = f"{type(error).__name__}: {error}"[:300]
                made = {"kind": "error", "headline": said, "text": said, "seconds": time.perf_counter() - started}
            else:
                made = _reply(turn, toolbox, time.perf_counter() - started - toolbox.seconds)
        yield question, made


def kind_of(text: str, results: int) -> str:
    """Return which kind of reply a peer's text is: it has no word for that, so what it did decides.

    A tool call written as text, or nothing, is an error; words after a tool's result or with a figure are an answer; others
    are a clarifying question if they end as one, and else a refusal.
    """
    bare = text.strip()
    if not bare or bare.startswith(("{", "[", "```", "<tool_call>")):
        return "error"
    if results or any(number.currency or number.percent for number in numbers(bare)):
        return "answer"
    return "clarify" if bare.endswith("?") else "refuse"


def _reply(turn: Turn, toolbox: Toolbox, seconds: float) -> dict[str, Any]:
    usage = {"model_calls": turn.model_calls, "input_tokens": turn.input_tokens, "output_tokens": turn.output_tokens}
    return {
        "kind": kind_of(turn.text, toolbox.results),
        "headline": turn.text,
        "text": turn.text,
        "calls": list(toolbox.calls),
        "period": toolbox.period,
        "usage": usage,
        "seconds": round(seconds, 3),
    }


def _create_agent(model: str, ollama: str, toolbox: Toolbox) -> Callable[[list[Any], str], Turn]:
    """Return LangChain's agent; its packages are looked for only here, where nothing else needs them."""
    try:
        agents, tools, chat = (
            importlib.import_module(name) for name in ("langchain.agents", "langchain_core.tools", "langchain_ollama")
        )
    except ImportError as error:
        raise CommandFailed(
            "the row create_agent needs the packages langchain and langchain-ollama in the Python that runs “python -m evals”"
        ) from error

    def tool(schema: dict[str, Any]) -> Any:
        name = schema["name"]
        return tools.StructuredTool.from_function(
            func=lambda **arguments: toolbox.run(name, arguments),
            name=name,
            description=schema["description"],
            args_schema=schema["parameters"],
        )

    agent = agents.create_agent(
        chat.ChatOllama(
            model=model, base_url=ollama, temperature=0, num_ctx=_CONTEXT, client_kwargs={"timeout": _TIMEOUT}
        ),
        [tool(schema["function"]) for schema in toolbox.schemas],
        system_prompt=_SYSTEM,
    )

    def converse(history: list[Any], text: str) -> Turn:
        before = len(history) + 1
        asked = [*history, {"role": "user", "content": text}]
        messages = agent.invoke({"messages": asked}, {"recursion_limit": 2 * _MOST_ROUNDS + 1})["messages"]
        history[:] = messages
        turn = Turn(str(messages[-1].text))
        for usage in (getattr(message, "usage_metadata", None) for message in messages[before:]):
            if usage:
                turn.model_calls += 1
                turn.input_tokens += usage["input_tokens"]
                turn.output_tokens += usage["output_tokens"]
        return turn

    return converse


def _two_calls(model: str, ollama: str, toolbox: Toolbox) -> Callable[[list[Any], str], Turn]:
    """Return the design of one call with tools and one without."""
    import httpx

    client = httpx.Client(base_url=ollama, timeout=_TIMEOUT)

    def chat(turn: Turn, messages: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        options = {"temperature": 0, "num_ctx": _CONTEXT}
        body = {"model": model, "messages": messages, "stream": False, "options": options, **more}
        answer = client.post("/api/chat", json=body).raise_for_status().json()
        turn.model_calls += 1
        turn.input_tokens += answer.get("prompt_eval_count", 0)
        turn.output_tokens += answer.get("eval_count", 0)
        return dict(answer["message"])

    def converse(history: list[Any], text: str) -> Turn:
        turn = Turn()
        system = {"role": "system", "content": _SYSTEM}
        history.append({"role": "user", "content": text})
        message = chat(turn, [system, *history], tools=toolbox.schemas)
        if calls := message.get("tool_calls"):
            called = calls[0]["function"]
            result = toolbox.run(called["name"], called["arguments"])
            pasted = {"role": "user", "content": f"{text}\n\nThe tool {called['name']} returned:\n{result}"}
            message = chat(turn, [system, *history[:-1], pasted])
        turn.text = message.get("content", "")
        history.append({"role": "assistant", "content": turn.text})
        return turn

    return converse
