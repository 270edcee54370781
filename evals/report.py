"""The scoreboard's tables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from evals.judging import Verdict
    from evals.questions import Question
    from evals.replies import Reply
    from evals.rows import BoardRow

_MEASURES = (
    "n", "wrong but confident", "right tool", "right arguments", "exact", "asked back", "refused rightly",
    "calls", "tokens", "p50 s", "p95 s", "unchanged",
)  # fmt: skip
LEGEND = """\
n: questions. wrong but confident: of all. right tool, right arguments, exact and asked back: of those that want an
answer. refused rightly: of the others, how many were asked back or refused as they should be. calls and tokens of the model
a question, and the seconds, are those of the last turn; those of peers leave out the time that tools took.
unchanged: of the calls that were run, how many the model proposed and validation left as they were."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A question with its reply and verdict."""

    question: Question
    reply: Reply
    verdict: Verdict


def measures(scored: Sequence[Scored], *, by_model: bool = False) -> list[str]:
    """Return the cells of one line, as the columns of the table are named; ``by_model`` where a model chose the calls."""
    verdicts = [each.verdict for each in scored]
    seconds = sorted(each.reply.seconds for each in scored)
    calls = [call for each in scored for call in each.reply.calls]
    return [
        str(len(scored)),
        _share(verdict.confident_wrong for verdict in verdicts),
        _share(verdict.tool for verdict in verdicts),
        _share(verdict.arguments for verdict in verdicts),
        _share(verdict.exact for verdict in verdicts),
        _share(verdict.asked_back for verdict in verdicts if verdict.declined_rightly is None),
        _share(verdict.declined_rightly for verdict in verdicts),
        _mean([each.reply.model_calls for each in scored], 1),
        _mean([each.reply.tokens for each in scored], 0),
        _percentile(seconds, 50),
        _percentile(seconds, 95),
        _share(call.by == "model" and not call.changed for call in calls) if by_model else "–",
    ]


def board(rows: Iterable[tuple[str, BoardRow, Sequence[Scored]]]) -> list[list[str]]:
    """Return the whole table with its heading: a line for each row, under the name that it is given."""
    table = [["row", "model", "routing", "strategy", *_MEASURES]]
    for name, row, scored in rows:
        table.append(
            [name, row.model, row.routing, row.strategy or "–", *measures(scored, by_model=row.routing == "model")]
        )
    return table


def breakdown(scored: Sequence[Scored]) -> list[list[str]]:
    """Return one row's figures by ledger, by kind and by language of the questions, with a heading."""
    shown = _MEASURES.index("calls")
    table = [["by", *_MEASURES[:shown]]]
    parts: tuple[Callable[[Question], str], ...] = (
        lambda question: question.ledger,
        lambda question: question.kind,
        lambda question: question.language,
    )
    for part in parts:
        groups: dict[str, list[Scored]] = {}
        for each in scored:
            groups.setdefault(part(each.question), []).append(each)
        table += [[name, *measures(groups[name])[:shown]] for name in groups]
    return table


def aligned(table: Sequence[Sequence[str]]) -> str:
    """Return a table as plain text: the first column to the left, the others to the right."""
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in table
    )


def markdown(table: Sequence[Sequence[str]]) -> str:
    """Return a table as Markdown."""
    head, *lines = (f"| {' | '.join(line)} |" for line in table)
    return "\n".join([head, f"|{'---|' * len(table[0])}", *lines])


def _share(holds: Iterable[bool | None]) -> str:
    """Return how many of those that come to it are so, in whole percent and as numbers."""
    known = [each for each in holds if each is not None]
    return f"{sum(known) / len(known):.0%} ({sum(known)}/{len(known)})" if known else "–"


def _mean(values: Sequence[int], places: int) -> str:
    return f"{sum(values) / len(values):.{places}f}" if values else "–"


def _percentile(ordered: Sequence[float], percent: int) -> str:
    """Return the nearest-rank percentile of ordered values."""
    return f"{ordered[math.ceil(len(ordered) * percent / 100) - 1]:.2f}" if ordered else "–"
