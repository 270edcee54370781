"""How an answer came about, as lines that can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Pairs = list[tuple[str, str]]

_KNOWN = frozenset(
    ("offered", "planner", "model", "validated", "rejected", "ran", "rounds", "seconds", "usage", "answered_by")
)


def trace_pairs(trace: Mapping[str, Any], seconds: float) -> Pairs:
    """Return a turn's trace as names and texts; ``seconds`` is how long the whole answer took, storing included."""
    pairs: Pairs = []
    offered = trace.get("offered", ())
    if offered:
        pairs.append(("Offered", f"{len(offered)} tools: {', '.join(map(str, offered))}"))
    planner = trace.get("planner")
    if isinstance(planner, dict):
        pairs += _planner(planner)
    for call in trace.get("validated", ()):
        pairs.append(("Call", f"{call['call']} (from the {call['by']})"))
        pairs += [("", f"{name} = {value}") for name, value in call["arguments"].items()]
        pairs += [("Changed", change) for change in call["changes"]] or [("Changed", "nothing")]
    pairs += [("Asked", text) for text in _plain(trace.get("model"))]
    pairs += [("Refused", f"{item['call']}: {item['reason']}") for item in trace.get("rejected", ())]
    for run in trace.get("ran", ()):
        how = "" if run.get("ok") else ", failed"
        pairs.append(("Ran", f"{run['call']} in round {run['round']}, {_milliseconds(run['seconds'])}{how}"))
    pairs += [
        (name.capitalize(), text) for name, value in trace.items() if name not in _KNOWN for text in _plain(value)
    ]
    pairs.append(("Rounds", str(trace.get("rounds", 0))))
    graph = trace.get("seconds")
    inside = f", {_milliseconds(graph)} of it in the graph" if isinstance(graph, int | float) else ""
    pairs.append(("Time", f"{_milliseconds(seconds)}{inside}"))
    pairs.append(("Model", _model(trace)))
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
