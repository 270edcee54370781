"""explain: the answer in plain words, rendered from facts by templates."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graph.answers import blocks_of, headline_of
from graph.reply import Action, Actions, Reply, Text
from ledger.periods import granularity, previous_period
from tools.results import Scope
from tools.wording import period_name

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from graph.state import Outcome, State, Turn
    from tools.context import ToolContext
    from tools.results import Result


async def explain(state: State, runtime: Runtime[Turn]) -> State:
    """Say what was found, or ask, or say what can be asked."""
    turn = runtime.context
    trace = {**state.get("trace", {}), "rounds": max((o.round for o in state.get("outcomes", [])), default=0)}
    trace["seconds"] = round(time.perf_counter() - turn.started, 4)
    reply = replace(_reply(state, turn), audience=turn.request.audience, trace=trace)
    return {"reply": reply}


def _reply(state: State, turn: Turn) -> Reply:
    outcomes = state.get("outcomes", [])
    good = [outcome for outcome in outcomes if outcome.result is not None]
    if good:
        return _answer(state, good, turn)
    if outcomes:
        return Reply("error", outcomes[0].error, (Text(outcomes[0].error, "headline"),))
    rejections = state.get("rejections", [])
    if rejections and rejections[0].message:
        return _ask(rejections[0].message, list(rejections[0].choices), turn)
    if state.get("verdict") == "clarify":
        choices = state.get("choices", [])
        if choices:
            return _ask(state.get("question") or "I'm not sure what you mean. Is it one of these?", choices, turn)
        return refusal("I'm not sure what you mean.", turn)
    return refusal(state.get("question") or "That is not something I can tell from your ledger.", turn)


def _answer(state: State, outcomes: list[Outcome], turn: Turn) -> Reply:
    last_round = max(outcome.round for outcome in outcomes)
    final = [outcome for outcome in outcomes if outcome.round == last_round]
    support = [outcome for outcome in outcomes if outcome.round != last_round]
    results = [outcome.result for outcome in final if outcome.result]
    main = results[0]
    blocks: list[Any] = []
    for result in results:
        blocks += blocks_of(result, turn.context)
    for outcome in support:
        if outcome.result:
            blocks.append(Text(headline_of(outcome.result, turn.context), "details"))
    blocks += _shortfalls(state, outcomes)
    period = main.period or next((o.result.period for o in support if o.result and o.result.period), None)
    scope = _scope(final, support)
    blocks.append(_actions(main, scope))
    return Reply(
        kind="clarify" if main.kind == "clarify" else "answer",
        headline=headline_of(main, turn.context),
        blocks=tuple(blocks),
        facts=tuple(fact for outcome in [*final, *support] if outcome.result for fact in outcome.result.facts),
        choices=main.choices,
        period=period,
        table=main.table,
        scope=scope,
        behind=tuple(wanted for outcome in [*final, *support] if outcome.result for wanted in outcome.result.behind),
    )


def _scope(final: list[Outcome], support: list[Outcome]) -> Scope | None:
    """The question that a follow-up edits: the last one about the ledger itself."""
    for outcome in [*reversed(final), *support]:
        if not outcome.call.name.startswith(("figures-", "ledger-")):
            return Scope(outcome.call.name, dict(outcome.call.arguments))
    return None


def _shortfalls(state: State, outcomes: list[Outcome]) -> list[Text]:
    failed = [outcome.error for outcome in state.get("outcomes", []) if outcome.result is None]
    notes = [Text(error, "body") for error in dict.fromkeys(failed)]
    if state.get("verdict") == "capped":
        notes.append(
            Text(f"I stopped after {max(o.round for o in outcomes)} rounds; this is the answer so far.", "body")
        )
    return notes


def _actions(result: Result, scope: Scope | None) -> Actions:
    actions = []
    if result.behind and result.kind == "answer":
        actions = [Action("Receipt", "receipt"), Action("Transactions", "transactions")]
        if (
            result.period is not None
            and scope is not None
            and granularity(result.period) in ("month", "quarter", "year")
        ):
            name = period_name(previous_period(result.period), "en_US")
            actions.append(Action(f"{name}?", "ask", f"and in {name}?"))
        actions.append(Action("Share", "share"))
    return Actions(tuple(actions))


def _ask(question: str, choices: list[str], turn: Turn) -> Reply:
    if not choices:
        return refusal(question, turn)
    return Reply(
        "clarify",
        question,
        (Text(question, "headline"), Actions(tuple(Action(choice, "ask", choice) for choice in choices))),
        choices=tuple(choices),
    )


def refusal(reason: str, turn: Turn) -> Reply:
    """Say what cannot be answered, and what can be asked instead."""
    if turn.context.vocabulary.count == 0:
        from tools.apps.scope import no_data

        blocks = blocks_of(no_data(), turn.context)
        return Reply("answer", blocks[0].text, tuple(blocks))
    examples = "\n".join(f"· {example}" for example in examples_for(turn.context))
    body = Text(f"You can ask, for example:\n{examples}", "body")
    return Reply("refuse", reason, (Text(reason, "headline"), body))


def examples_for(context: ToolContext) -> list[str]:
    """Return questions that this person's ledger can answer, with its own names in them."""
    vocabulary = context.vocabulary
    category = next(
        (name for name in vocabulary.categories if name not in ("Uncategorised", "Transfers", "Income")), "groceries"
    )
    merchant = next((name for _, name in vocabulary.merchants), "Amazon")
    return [
        f"How much did I spend on {category.lower()} last month?",
        f"How much did I spend at {merchant} this year?",
        "Give me a summary of last month",
        "What was my biggest purchase last month?",
        "Compare last month with the month before",
        "Which merchants cost me the most?",
        "Show purchases over 100 last month",
        "How much did I earn last month?",
        "Find coffee",
        "What data do you have?",
    ]
