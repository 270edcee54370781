"""What came back for a question, from the command's JSON or from a peer, as far as it is judged."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from evals.questions import Span

_KEPT = ("kind", "headline", "text", "facts", "calls", "choices", "period", "model", "rounds", "usage", "seconds")


@dataclass(frozen=True, slots=True)
class Fact:
    """One stated value: texts as the command prints them."""

    unit: str
    value: str
    currency: str | None


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call that was run."""

    name: str
    arguments: Mapping[str, Any]
    by: str = ""
    changed: bool = False

    def texts(self) -> Iterator[str]:
        """Yield every text and number among the arguments."""
        waiting: list[Any] = list(self.arguments.values())
        while waiting:
            each = waiting.pop()
            if isinstance(each, dict):
                waiting += each.values()
            elif isinstance(each, list):
                waiting += each
            elif each is not None and not isinstance(each, bool):
                yield str(each)


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply, with what was run in the turns before it.

    ``rows`` is the number of transactions behind it, None where that is not known.

    ``model_calls``, ``tokens`` (in and out) and ``seconds`` are those of the last turn.
    """

    kind: str
    headline: str
    text: str
    facts: tuple[Fact, ...] = ()
    calls: tuple[Call, ...] = ()
    earlier_calls: tuple[Call, ...] = ()
    period: Span | None = None
    rows: int | None = None
    model_calls: int = 0
    tokens: int = 0
    seconds: float = 0.0


def keep(made: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is stored of a reply: what judging needs, with the number of rows in place of their ids."""
    if "error" in made:
        return {"kind": "error", "headline": made["error"], "text": made["error"]}
    return {name: made.get(name) for name in _KEPT} | {"rows": len(made.get("row_ids") or [])}


def read_reply(made: Mapping[str, Any]) -> Reply:
    """Read a reply as it was stored."""
    usage = made.get("usage") or {}
    return Reply(
        kind=made["kind"],
        headline=made["headline"],
        text=made["text"],
        facts=tuple(Fact(fact["unit"], str(fact["value"]), fact.get("currency")) for fact in made.get("facts") or []),
        calls=_calls(made.get("calls")),
        earlier_calls=_calls(made.get("earlier_calls")),
        period=_span(made.get("period")),
        rows=made.get("rows"),
        model_calls=usage.get("model_calls", 0),
        tokens=usage.get("input_tokens", 0) + usage.get("output_tokens", 0),
        seconds=made.get("seconds") or 0.0,
    )


def _calls(made: Iterable[Mapping[str, Any]] | None) -> tuple[Call, ...]:
    return tuple(
        Call(
            call["name"],
            call.get("arguments") or {},
            call.get("proposed_by", ""),
            bool(call.get("changed_by_validation")),
        )
        for call in made or ()
    )


def _span(made: Mapping[str, str | None] | None) -> Span | None:
    if made is None:
        return None
    start, end = made.get("start"), made.get("end")
    return date.fromisoformat(start) if start else None, date.fromisoformat(end) if end else None
