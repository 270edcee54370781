"""What a model is told: the person's own words, our tools, and nothing from imported data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graph.models.form import NAME, NONE
from graph.models.model import PromptMessage
from graph.planner.calls import meaning_of_scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.state import Outcome, Turn
    from tools.registry import Tool
    from tools.results import Fact

#: The longest prompt in characters; about a third of what fits ``num_ctx`` tokens, as other scripts need more of them.
MAX_PROMPT = 14_000
_PAST_QUESTIONS = 3
_FACTS_TOLD = 8

_RULES = """\
You pick a tool for a question about a person's own bank transactions. You never compute and never invent.
Answer only with JSON: {{"tool": "<name>", "arguments": {{...}}}}
Arguments are words of the question, copied word for word. Leave out what it does not say.
{otherwise}
Today is {today}.
{known}
Tools:
{tools}"""
_MORE = 'Add "more": true only if another tool needs a figure of this one.'
_DECLINE = 'If the question is not about the person\'s own money, answer {"tool": "none", "arguments": {}}'
_MUST_CALL = "One of the tools must be used."

_POEM = ("write me a poem", NONE)


@dataclass(frozen=True, slots=True)
class Ask:
    """What a model is asked for in one round: the offered tools, and what became of the calls before.

    ``shown`` are questions with the answers that are right for them; ``known`` are the person's settings and notes that the
    selection found relevant; ``may_decline`` says whether to call nothing is an answer.
    """

    tools: Sequence[Tool]
    rejections: Sequence[Outcome] = ()
    outcomes: Sequence[Outcome] = ()
    known: Sequence[Tool] = ()
    may_decline: bool = True
    shown: Sequence[tuple[str, dict[str, Any]]] = ()


def selection_prompt(turn: Turn, ask: Ask) -> list[PromptMessage]:
    """Return the messages that ask a model for calls.

    They hold the rules, the offered tools, a few lines of our own bank as examples, the person's own last questions, the
    scope as far as it is in their words, and the question; then what became of the calls of this turn so far, with facts as
    numbers and labels of ours, and failures as structured errors.
    """
    otherwise = [_DECLINE if ask.may_decline else _MUST_CALL, *([] if _is_form_alone(ask.tools) else [_MORE])]
    rules = _RULES.format(
        today=turn.context.today.strftime("%A, %Y-%m-%d"),
        tools="\n".join(_tool_line(tool) for tool in ask.tools),
        otherwise="\n".join(otherwise),
        known="\n".join(_known_lines(turn, ask)),
    )
    messages = [PromptMessage("system", rules), *_examples(ask), PromptMessage("user", _question(turn))]
    ran = [outcome for outcome in ask.outcomes if outcome not in ask.rejections]
    if ran:
        messages.append(PromptMessage("user", _so_far(ran)))
    if ask.rejections:
        errors = "\n".join(f"- {_error(outcome)}" for outcome in ask.rejections)
        messages.append(PromptMessage("user", f"That call could not be made:\n{errors}\nAnswer with a corrected JSON."))
    return _within_limit(messages)


def _examples(ask: Ask) -> list[PromptMessage]:
    """Return questions with the answers that are right for them, as if they had been asked before."""
    messages: list[PromptMessage] = []
    for question, answer in (*([_POEM] if ask.may_decline else []), *ask.shown):
        if ask.may_decline or answer != NONE:
            messages.append(PromptMessage("user", question))
            messages.append(PromptMessage("assistant", json.dumps(answer, ensure_ascii=False)))
    return messages


def _known_lines(turn: Turn, ask: Ask) -> list[str]:
    """Return what holds for this question beyond its words: the focus mode, and relevant settings and notes."""
    lines = [turn.focus.instructions] if turn.focus is not None and turn.focus.instructions else []
    return lines + [f"The person has set: {entry.description}" for entry in ask.known]


def _so_far(outcomes: Sequence[Outcome]) -> str:
    """Return the calls of this turn with the numbers and labels of their facts; a later call may name one as ``{f3}``."""
    lines = []
    number = 0
    for outcome in outcomes:
        facts = []
        for fact in outcome.result.facts if outcome.result else ():
            number += 1
            facts.append(f"{{f{number}}} = {fact.label}")
        told = ", ".join(facts[:_FACTS_TOLD]) or "done" if outcome.problem is None else _error(outcome)
        lines.append(f"- {outcome.call.name}: {told}")
    done = 'If the question is answered, answer {"tool": "none", "arguments": {}}. Else give the next call.'
    return "Calls made so far:\n" + "\n".join(lines) + "\n" + done


def _error(outcome: Outcome) -> str:
    """Return a failure as a model reads it: its kind and a reason of ours."""
    assert outcome.problem is not None
    error = {"tool": outcome.call.name, "error": outcome.problem.kind, "message": outcome.problem.reason}
    return json.dumps(error | ({"id": outcome.call.item} if outcome.call.item else {}), ensure_ascii=False)


def narration_prompt(question: str, facts: Sequence[Fact]) -> list[PromptMessage]:
    """Return the messages that ask for one sentence in placeholders; facts appear by number and by labels of ours."""
    lines = [f"{{f{number}}} = {fact.label}" for number, fact in enumerate(facts[:12], start=1)]
    system = (
        "Write one short plain sentence that answers the question. Figures are written only as placeholders such as {f1}; "
        "write no digits and no number words, no advice, no names."
    )
    return [
        PromptMessage("system", system),
        PromptMessage("user", f"Question: {question[:500]}\nPlaceholders:\n" + "\n".join(lines)),
    ]


def grammar(tools: Sequence[Tool], *, may_decline: bool = True) -> dict[str, Any]:
    """Return the flat schema of a reply: a tool's name out of those offered, and any of their arguments."""
    from tools.schema import flat_schema

    alone = _is_form_alone(tools)
    properties: dict[str, Any] = {}
    for tool in tools:
        for name, schema in flat_schema(tool.parameters).get("properties", {}).items():
            properties.setdefault(name, {key: value for key, value in schema.items() if key != "description"})
    return {
        "type": "object",
        "properties": {
            "tool": {"type": "string", "enum": [tool.name for tool in tools] + ["none"] * may_decline},
            "arguments": {"type": "object", "properties": properties},
            **({} if alone else {"more": {"type": "boolean"}}),
        },
        "required": ["tool", "arguments"],
    }


def _is_form_alone(tools: Sequence[Tool]) -> bool:
    """Whether nothing but what is asked of the ledger can be said, for which one call is enough."""
    return all(tool.name == NAME for tool in tools)


def _tool_line(tool: Tool) -> str:
    properties = tool.parameters.get("properties", {})
    parameters = ", ".join(
        f"{name}{'' if name in tool.required else '?'}{_values(schema)}" for name, schema in properties.items()
    )
    summary = tool.description.partition("\n")[0]
    return f"- {tool.name}({parameters}): {summary}"


def _values(schema: dict[str, Any]) -> str:
    values = schema.get("enum") or next((part["enum"] for part in schema.get("anyOf", ()) if "enum" in part), None)
    return "=" + "|".join(str(value) for value in values if value is not None) if values else ""


def _question(turn: Turn) -> str:
    """Return the question, with the person's last questions and the scope where it is a thread."""
    past = [each for each in turn.request.past if each.text][-_PAST_QUESTIONS:]
    if not past:
        return turn.request.text
    earlier = "\n".join(f"- {each.text[:300]}" for each in past)
    scope = _scope(turn)
    return f"Earlier questions:\n{earlier}\n{scope}Now: {turn.request.text}"


def _scope(turn: Turn) -> str:
    """Return the standing question: its tool and dates; names only where the person wrote them."""
    scope = next((each.scope for each in reversed(turn.request.past) if each.scope), None)
    if scope is None:
        return ""
    base = meaning_of_scope(scope, turn.context)
    own = " ".join(each.text for each in turn.request.past).casefold()
    said = {
        k: v
        for k, v in base.about.items()
        if all(str(x).casefold() in own for x in (v if isinstance(v, list) else [v]))
    }
    dates = {"from": base.period.start.isoformat(), "to": base.period.end.isoformat()} if base.period else {}
    return f"Standing question: {scope.tool} {json.dumps({**said, **dates}, default=str)}\n"


def _within_limit(messages: list[PromptMessage]) -> list[PromptMessage]:
    """Drop the examples first where a prompt is too long, so that rules and question stay."""
    while sum(len(message.text) for message in messages) > MAX_PROMPT and len(messages) > 3:
        del messages[1:3]
    return messages
