"""How an answer came about, as lines that can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Pairs = list[tuple[str, str]]

_KNOWN = frozenset(
    ("offered", "planner", "model", "calls", "rounds", "seconds", "timings", "usage", "answered_by", "focus")
)
_MOST_TOOLS = 12


def trace_pairs(trace: Mapping[str, Any], seconds: float) -> Pairs:
    """Return a turn's trace as names and texts; ``seconds`` is how long the whole answer took, storing included."""
    pairs = _offered(trace.get("offered"))
    if trace.get("focus"):
        pairs.append(("Focus", str(trace["focus"]).replace("_", " ")))
    planner = trace.get("planner")
    if isinstance(planner, dict):
        pairs += _planner(planner)
    for asked in trace.get("model", ()):
        pairs.append(("Asked", _asked(asked)))
    for call in trace.get("calls", ()):
        pairs += _call(call)
    pairs += [
        (name.capitalize(), text) for name, value in trace.items() if name not in _KNOWN for text in _plain(value)
    ]
    pairs.append(("Rounds", str(trace.get("rounds", 0))))
    graph = trace.get("seconds")
    inside = f", {_milliseconds(graph)} of it in the graph" if isinstance(graph, int | float) else ""
    pairs.append(("Time", f"{_milliseconds(seconds)}{inside}"))
    timings = trace.get("timings", {})
    if timings:
        pairs.append(("", ", ".join(f"{name} {_milliseconds(took)}" for name, took in timings.items())))
    pairs.append(("Model", _model(trace)))
    return pairs


def _offered(offered: Any) -> Pairs:
    """Tell which tools were offered, by which strategy, and why these."""
    if not isinstance(offered, dict):
        return []
    tools, scores = list(offered.get("tools", ())), offered.get("scores", {})
    named = [f"{name} {scores[name]:.2f}" if name in scores else str(name) for name in tools[:_MOST_TOOLS]]
    more = f" and {len(tools) - _MOST_TOOLS} more" if len(tools) > _MOST_TOOLS else ""
    pairs = [
        ("Offered", f"{len(tools)} tools ({offered.get('strategy')}: {offered.get('why')})"),
        ("", ", ".join(named) + more),
    ]
    background = offered.get("background")
    return [*pairs, ("Told", ", ".join(background))] if background else pairs


def _asked(asked: Mapping[str, Any]) -> str:
    """Tell one question to the model: how it answered, and how that was read."""
    took = _milliseconds(asked.get("seconds", 0.0))
    if "unavailable" in asked:
        return f"the model, in vain ({asked['unavailable']}), {took}"
    calls = ", ".join(asked.get("calls", ())) or "no call"
    meant = " ".join([f", meaning {asked['act']}", *asked.get("parts", {}).values()]) if "act" in asked else ""
    return f"the model, in round {asked.get('round', 1)}: {calls}{meant}, read as {asked.get('read_as')}, {took}"


def _call(call: Mapping[str, Any]) -> Pairs:
    """Tell one call: who proposed it, with what, what validation changed, and what became of it."""
    request = f" (request {call['item']})" if call.get("item") else ""
    pairs = [("Call", f"{call['name']}{request}, from the {call['by']}")]
    pairs += [("", f"{name} = {value}") for name, value in call["arguments"].items()]
    pairs += [("Changed", change) for change in call["changes"]]
    if call["status"] in ("done", "failed"):
        failed = "" if call["status"] == "done" else f", failed: {call.get('problem')}"
        pairs.append(("Ran", f"in round {call['round']}, {_milliseconds(call['seconds'])}{failed}"))
    else:
        pairs.append((str(call["status"]).capitalize(), f"{call.get('problem')}: {call.get('reason')}"))
    return pairs


def _planner(planner: Mapping[str, Any]) -> Pairs:
    pairs: Pairs = []
    if "kind" in planner:
        kinds = {"calls": "a call", "clarify": "a question back", "none": "no question about money"}
        kind = kinds.get(planner["kind"], planner["kind"])
        pairs.append(("Planner", f"{kind}, confidence {planner.get('confidence', 0):.3f}"))
    if planner.get("read_as"):
        pairs.append(("Read as", str(planner["read_as"])))
    for clause in planner.get("clauses", ()):
        pairs += _planner(clause)
    if planner.get("pattern"):
        pairs.append(("Read", str(planner["pattern"])))
    if planner.get("mentions"):
        pairs.append(("Found", " · ".join(map(str, planner["mentions"]))))
    for position, (tool, score) in enumerate(planner.get("ranked", ())):
        pairs.append(("Ranked" if position == 0 else "", f"{score:6.3f}  {tool}"))
    return pairs


def _model(trace: Mapping[str, Any]) -> str:
    usage = trace.get("usage", {})
    calls = usage.get("model_calls", 0)
    if not calls:
        return f"{trace.get('answered_by', 'builtin')}, not asked"
    tokens = f"{usage.get('input_tokens', 0)} tokens in, {usage.get('output_tokens', 0)} out"
    return f"{trace.get('answered_by')}, {calls} call{'' if calls == 1 else 's'}, {tokens}"


def _plain(value: Any) -> Iterator[str]:
    """Yield what this version has no words for as it is."""
    if isinstance(value, dict):
        yield from (f"{name}: {item}" for name, item in value.items())
    elif value:
        yield str(value)


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 10 else f"{seconds:.1f} s"
