"""explain: the answer in plain words, rendered from facts by templates."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from graph.answers import blocks_of, headline_of, told_button, told_choices
from graph.nodes.timing import timed
from graph.planner.calls import of_period
from graph.planner.nearest import nearest
from graph.reply import Action, Actions, Reply, Text, choosing
from graph.state import rounds_run
from language.catalogue import joined, say, translated
from ledger.periods import granularity, previous_period
from tools.calls import Call, Choice
from tools.results import Scope
from tools.wording import period_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langgraph.runtime import Runtime

    from graph.planner.calls import Rounds
    from graph.state import Outcome, Problem, State, Turn
    from tools.results import Result


#: Apps and tools whose answers are about something else than the transactions, so that no follow-up edits them.
_ASIDE = frozenset(
    {"figures", "ledger", "focus", "settings", "memories", "categories", "corrections", "entries", "accounts-list"}
)


async def explain(state: State, runtime: Runtime[Turn]) -> State:
    """Say what was found, or ask, or say what can be asked."""
    turn, began = runtime.context, time.perf_counter()
    outcomes = state.get("outcomes", [])
    reply = replace(_reply(state, turn), audience=turn.request.audience, language=turn.context.language)
    calls = [_call_trace(outcome) for outcome in outcomes]
    trace = timed(state, "explain", began, calls=calls, rounds=rounds_run(outcomes), focus=_focus_after(outcomes, turn))
    trace.setdefault(
        "offered", {"strategy": "all", "why": "no model asked", "tools": [tool.name for tool in turn.tools]}
    )
    trace["seconds"] = round(time.perf_counter() - turn.started, 4)
    return {"reply": replace(reply, trace=trace)}


def _reply(state: State, turn: Turn) -> Reply:
    outcomes = state.get("outcomes", [])
    good = [outcome for outcome in outcomes if outcome.result is not None]
    if good:
        return _answer(state, good, turn)
    failed = next((outcome.problem for outcome in outcomes if outcome.status == "failed"), None)
    if failed is not None:
        message = _told(failed.message, turn)
        return Reply("error", message, (Text(message, "headline"),))
    told = _told_last(outcomes)
    if told is not None:
        return _ask(told.message, told.choices, turn)
    if state.get("verdict") == "clarify":
        return _clarify(state, turn)
    reason = state.get("question") or "That is not something I can tell from your ledger."
    return refusal(reason, turn, state.get("choices") if state.get("question") else nearest("unrelated"))


def _told_last(outcomes: list[Outcome]) -> Problem | None:
    """Return what the person is to be told of the calls; what a model got wrong is nothing to them."""
    if not outcomes or outcomes[-1].call.by == "model":
        return None
    problems = (each.problem for each in reversed(outcomes) if each.call.by != "model")
    return next((problem for problem in problems if problem and problem.message), None)


def _clarify(state: State, turn: Turn) -> Reply:
    question, choices = state.get("question"), state.get("choices", ())
    if choices:
        return _ask(question or "I'm not sure what you mean. Is it one of these?", choices, turn)
    return refusal(question or "I'm not sure what you mean.", turn, kind="clarify")


def _answer(state: State, outcomes: list[Outcome], turn: Turn) -> Reply:
    final, support = _in_order(outcomes)
    results, beside = _results(final), _results(support)
    main, scope = results[0], _scope(final, support, turn)
    most = _most_blocks(main, scope, turn)
    blocks: list[Any] = [block for result in results for block in blocks_of(result, turn.context)[:most]]
    blocks[1:1] = _not_taken(state, turn)
    blocks += [Text(headline_of(result, turn.context), "details") for result in beside]
    follow_ups = _follow_ups(state, final, main, turn)
    blocks += [*_shortfalls(state, turn), _actions(main, follow_ups, turn)]
    return Reply(
        kind="clarify" if main.kind == "clarify" or main.change is not None else "answer",
        headline=headline_of(main, turn.context),
        blocks=tuple(blocks),
        facts=tuple(fact for result in [*results, *beside] for fact in result.facts),
        choices=told_choices(main.choices, turn.context.language),
        follow_ups=follow_ups,
        period=main.period or next((result.period for result in beside if result.period), None),
        table=main.table,
        scope=scope,
        behind=tuple(wanted for result in [*results, *beside] for wanted in result.behind),
        listed=main.listed if len(results) == 1 else (),
    )


def _in_order(outcomes: list[Outcome]) -> tuple[list[Outcome], list[Outcome]]:
    """Return what is the answer, what is to be confirmed first, and what the rounds before the last one found for it."""
    last_round = max(outcome.round for outcome in outcomes)
    proposed = [outcome for outcome in outcomes if outcome.result and outcome.result.change is not None]
    others = [outcome for outcome in outcomes if outcome not in proposed]
    final = proposed + [outcome for outcome in others if outcome.round == last_round]
    return final, [outcome for outcome in others if outcome.round != last_round]


def _most_blocks(main: Result, scope: Scope | None, turn: Turn) -> int | None:
    """Return how many blocks of each result are shown: in a plain focus mode the headline alone, else all."""
    plain = turn.focus is not None and turn.focus.tone == "plain"
    return 1 if plain and scope is not None and main.change is None else None


def _results(outcomes: list[Outcome]) -> list[Result]:
    return [outcome.result for outcome in outcomes if outcome.result is not None]


def _scope(final: list[Outcome], support: list[Outcome], turn: Turn) -> Scope | None:
    """The question that a follow-up edits: the last one about the transactions themselves."""
    for outcome in [*reversed(final), *support]:
        tool = turn.tool(outcome.call.name)
        if tool is not None and not tool.writes and tool.app not in _ASIDE and tool.name not in _ASIDE:
            return Scope(outcome.call.name, dict(outcome.call.arguments))
    return None


def _not_taken(state: State, turn: Turn) -> list[Text]:
    """Say which words of the question its calls did not take into account."""
    left = state.get("unread", [])
    if not left:
        return []
    words = joined((say("“{word}”", word=each) for each in left), ", ")
    return [Text(_told(say("I did not take into account: {words}.", words=words), turn), "definition")]


def _shortfalls(state: State, turn: Turn) -> list[Text]:
    """Say what is missing from an answer; what a model merely got wrong on the way is not."""
    outcomes = state.get("outcomes", [])
    told = [
        say("Request {number}: {problem}", number=str(each.call.item), problem=say(each.problem.message))
        if each.call.item
        else each.problem.message
        for each in outcomes
        if each.problem and each.problem.message and (each.status != "rejected" or each.call.by != "model")
    ]
    notes = [Text(_told(sentence, turn), "body") for sentence in dict.fromkeys(told)]
    if state.get("verdict") == "capped":
        stopped = say("I stopped after {rounds} rounds; this is the answer so far.", rounds=str(rounds_run(outcomes)))
        notes.append(Text(_told(stopped, turn), "body"))
    return notes


def _focus_after(outcomes: list[Outcome], turn: Turn) -> str | None:
    """Return the focus mode that holds after this turn."""
    set_ = [each.result.focus for each in outcomes if each.result is not None and each.result.focus is not None]
    return (set_[-1] or None) if set_ else turn.request.focus


def _call_trace(outcome: Outcome) -> dict[str, Any]:
    """Return one call for the person's own trace: who proposed it, what validation changed, what became of it."""
    call, problem = outcome.call, outcome.problem
    return {
        "name": call.name,
        "arguments": call.arguments,
        "by": call.by,
        "changes": list(call.changes),
        "status": outcome.status,
        "round": outcome.round,
        "seconds": round(outcome.seconds, 4),
        **({"item": call.item} if call.item else {}),
        **({"problem": problem.kind, "reason": problem.reason} if problem else {}),
    }


#: The forms that change what an answer shows: their buttons, and the tool that must be there.
_FORMS = {
    "accounts": (Action("Change an account", "accounts"), "accounts-rename"),
    "settings": (Action("Change settings", "settings"), "settings-change"),
}


def _actions(result: Result, follow_ups: Sequence[Choice], turn: Turn) -> Actions:
    if result.change is not None:
        return Actions((Action(_button("Confirm", turn), "confirm"), Action(_button("Cancel", turn), "cancel")))
    if result.kind != "answer":
        return Actions(())
    form, needed = _FORMS.get(result.form or "", (None, ""))
    offered = (
        (replace(form, label=_button(form.label, turn)),) if form is not None and turn.tool(needed) is not None else ()
    )
    if not result.behind:
        return Actions(offered)
    likeliest = (choosing(each, number) for number, each in enumerate(follow_ups, start=len(result.choices) + 1))
    return Actions(
        (
            Action(_button("Receipt", turn), "receipt"),
            Action(_button("Transactions", turn), "transactions"),
            *likeliest,
            Action(_button("Share", turn), "share"),
            *offered,
        )
    )


def _follow_ups(state: State, final: Sequence[Outcome], main: Result, turn: Turn) -> tuple[Choice, ...]:
    """Return the likeliest next question: the calls of this answer, about the period before."""
    period = main.period if main.behind and main.kind == "answer" and main.change is None else None
    if period is None or granularity(period) not in ("month", "quarter", "year"):
        return ()
    before, tools = previous_period(period), {tool.name: tool for tool in turn.tools}
    moved = of_period(_rounds_made(state, final), before, turn.context, tools)
    return (Choice(f"{period_name(before, turn.context.language)}?", moved),) if moved else ()


def _rounds_made(state: State, final: Sequence[Outcome]) -> Rounds:
    """Return the calls of an answer as they ran; those of several rounds as planned, since they refer to one another."""
    count, planned = rounds_run(state.get("outcomes", [])), state.get("plan", [])
    if count == 1:
        return (tuple(Call(each.call.name, each.call.arguments) for each in final),)
    if len(planned) != count:
        return ()
    return tuple(tuple(each.call for each in proposals) for proposals in planned)


def _ask(question: str, choices: Sequence[Choice], turn: Turn) -> Reply:
    if not choices:
        return refusal(question, turn)
    asked = _told(question, turn)
    offered = told_choices(choices, turn.context.language)
    return Reply("clarify", asked, (Text(asked, "headline"), *_focus_hint(turn)), choices=offered)


def _told(text: str, turn: Turn) -> str:
    """Return a message of ours in the language of the answer."""
    return translated(text, turn.context.language)


def _button(label: str, turn: Turn) -> str:
    return told_button(label, turn.context.language)


def refusal(
    reason: str, turn: Turn, choices: Sequence[Choice] | None = None, kind: Literal["refuse", "clarify"] = "refuse"
) -> Reply:
    """Say what is missing or was not understood, and offer what comes nearest to it."""
    if turn.context.vocabulary.count == 0:
        from tools.apps.scope import no_data

        blocks = blocks_of(no_data(turn.context), turn.context)
        return Reply("answer", blocks[0].text, tuple(blocks))
    known = {tool.name for tool in turn.tools}
    near = [
        choice
        for choice in (nearest("unclear") if choices is None else choices)
        if all(call.name in known for calls in choice.rounds for call in calls)
    ]
    told, inviting = _told(reason, turn), (Text(_told("I can show you:", turn), "body"),) if near else ()
    texts = (Text(told, "headline"), *_focus_hint(turn), *inviting)
    return Reply(kind, told, texts, choices=told_choices(near, turn.context.language))


def _focus_hint(turn: Turn) -> tuple[Text, ...]:
    """Remind of the focus mode where it may be why a question has no answer."""
    if turn.focus is None:
        return ()
    hint = say("This conversation is in the {mode}; “stop the focus” leaves it.", mode=say(turn.focus.title))
    return (Text(_told(hint, turn), "body"),)
