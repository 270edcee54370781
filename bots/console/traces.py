"""How an answer came about, as lines that can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from language.catalogue import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Pairs = list[tuple[str, str]]

_KNOWN = frozenset(
    ("offered", "planner", "model", "calls", "rounds", "seconds", "timings", "usage", "answered_by", "focus")
)
_MOST_TOOLS = 12
#: Who proposed a call.
_PROPOSED = {
    "model": "{name}{request}, from the model",
    "planner": "{name}{request}, from the planner",
    "command": "{name}{request}, from the command",
}


def trace_pairs(trace: Mapping[str, Any], seconds: float) -> Pairs:
    """Return a turn's trace as names and texts; ``seconds`` is how long the whole answer took, storing included."""
    pairs = _offered(trace.get("offered"))
    if trace.get("focus"):
        pairs.append((say("Focus"), say(str(trace["focus"]).replace("_", " "))))
    planner = trace.get("planner")
    if isinstance(planner, dict):
        pairs += _planner(planner)
    for asked in trace.get("model", ()):
        pairs.append((say("Asked"), _asked(asked)))
    for call in trace.get("calls", ()):
        pairs += _call(call)
    pairs += [
        (name.capitalize(), text) for name, value in trace.items() if name not in _KNOWN for text in _plain(value)
    ]
    pairs.append((say("Rounds"), str(trace.get("rounds", 0))))
    graph = trace.get("seconds")
    took = _milliseconds(seconds)
    if isinstance(graph, int | float):
        took = say("{all}, {graph} of it in the graph", all=took, graph=_milliseconds(graph))
    pairs.append((say("Time"), took))
    timings = trace.get("timings", {})
    if timings:
        pairs.append(("", ", ".join(f"{name} {_milliseconds(each)}" for name, each in timings.items())))
    pairs.append((say("Model"), _model(trace)))
    return pairs


def _offered(offered: Any) -> Pairs:
    """Tell which tools were offered, by which strategy, and why these."""
    if not isinstance(offered, dict):
        return []
    tools, scores = list(offered.get("tools", ())), offered.get("scores", {})
    named = [f"{name} {scores[name]:.2f}" if name in scores else str(name) for name in tools[:_MOST_TOOLS]]
    listed = ", ".join(named)
    if len(tools) > _MOST_TOOLS:
        listed = say("{names} and {number} more", names=listed, number=str(len(tools) - _MOST_TOOLS))
    why, strategy = say(str(offered.get("why"))), str(offered.get("strategy"))
    counted = say("{count} tools ({strategy}: {why})", count=str(len(tools)), strategy=strategy, why=why)
    pairs: Pairs = [(say("Offered"), counted), ("", listed)]
    background = offered.get("background")
    return [*pairs, (say("Told"), ", ".join(background))] if background else pairs


def _asked(asked: Mapping[str, Any]) -> str:
    """Tell one question to the model: how it answered, and how that was read."""
    took = _milliseconds(asked.get("seconds", 0.0))
    if "unavailable" in asked:
        return say("the model, in vain ({reason}), {took}", reason=str(asked["unavailable"]), took=took)
    meant = " ".join((str(asked["act"]), *asked.get("parts", {}).values())) if "act" in asked else ""
    return say(
        "the model, in round {round}: {calls}{meant}, read as {form}, {took}",
        round=str(asked.get("round", 1)),
        calls=", ".join(asked.get("calls", ())) or say("no call"),
        meant=say(", meaning {act}", act=meant) if meant else "",
        form=str(asked.get("read_as")),
        took=took,
    )


def _call(call: Mapping[str, Any]) -> Pairs:
    """Tell one call: who proposed it, with what, what validation changed, and what became of it."""
    request = say(" (request {number})", number=str(call["item"])) if call.get("item") else ""
    form = _PROPOSED.get(call["by"], "{name}{request}, from {by}")
    pairs: Pairs = [(say("Call"), say(form, name=call["name"], request=request, by=str(call["by"])))]
    pairs += [("", f"{name} = {value}") for name, value in call["arguments"].items()]
    pairs += [(say("Changed"), say(change)) for change in call["changes"]]
    if call["status"] in ("done", "failed"):
        failed = "" if call["status"] == "done" else say(", failed: {problem}", problem=str(call.get("problem")))
        took = _milliseconds(call["seconds"])
        pairs.append(
            (say("Ran"), say("in round {round}, {took}{failed}", round=str(call["round"]), took=took, failed=failed))
        )
    else:
        pairs.append((say(str(call["status"]).capitalize()), f"{call.get('problem')}: {call.get('reason')}"))
    return pairs


def _planner(planner: Mapping[str, Any]) -> Pairs:
    pairs: Pairs = []
    if "kind" in planner:
        kinds = {"calls": "a call", "clarify": "a question back", "none": "no question about money"}
        kind = say(kinds.get(planner["kind"], planner["kind"]))
        sure = f"{planner.get('confidence', 0):.3f}"
        pairs.append((say("Planner"), say("{kind}, confidence {sure}", kind=kind, sure=sure)))
    if planner.get("read_as"):
        pairs.append((say("Read as"), str(planner["read_as"])))
    for clause in planner.get("clauses", ()):
        pairs += _planner(clause)
    if planner.get("pattern"):
        pairs.append((say("Read"), str(planner["pattern"])))
    if planner.get("mentions"):
        pairs.append((say("Found"), " · ".join(map(str, planner["mentions"]))))
    for position, (tool, score) in enumerate(planner.get("ranked", ())):
        pairs.append((say("Ranked") if position == 0 else "", f"{score:6.3f}  {tool}"))
    return pairs


def _model(trace: Mapping[str, Any]) -> str:
    usage = trace.get("usage", {})
    calls = usage.get("model_calls", 0)
    if not calls:
        return say("{name}, not asked", name=str(trace.get("answered_by", "builtin")))
    return say(
        "{name}, {count} call, {read} tokens in, {written} out"
        if calls == 1
        else "{name}, {count} calls, {read} tokens in, {written} out",
        name=str(trace.get("answered_by")),
        count=str(calls),
        read=str(usage.get("input_tokens", 0)),
        written=str(usage.get("output_tokens", 0)),
    )


def _plain(value: Any) -> Iterator[str]:
    """Yield what this version has no words for as it is."""
    if isinstance(value, dict):
        yield from (f"{name}: {item}" for name, item in value.items())
    elif value:
        yield str(value)


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 10 else f"{seconds:.1f} s"
