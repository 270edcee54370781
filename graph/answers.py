"""Showing a tool's result as the blocks of a reply, the same for every tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graph.reply import Reply, Text
from graph.wordings import capitalised, render, show_fact

if TYPE_CHECKING:
    from tools.context import ToolContext
    from tools.results import Fact, Result

_MAX_DETAILS = 5


def result_reply(result: Result, context: ToolContext) -> Reply:
    """Return one result as a whole reply."""
    return Reply(
        kind="clarify" if result.kind == "clarify" else "answer",
        headline=headline_of(result, context),
        blocks=tuple(blocks_of(result, context)),
        facts=result.facts,
        choices=result.choices,
        period=result.period,
        table=result.table,
        behind=result.behind,
    )


def headline_of(result: Result, context: ToolContext) -> str:
    """Return the first line: the figure, in the words of the question."""
    return capitalised(render(result.headline, result, context))


def blocks_of(result: Result, context: ToolContext) -> list[Any]:
    """Return headline, definition, details, and table and chart where they say more."""
    blocks: list[Any] = [Text(headline_of(result, context), "headline")]
    definition = _definition([note for each in result.notes if (note := render(each, result, context))])
    if definition:
        blocks.append(Text(definition, "definition"))
    details = [_detail(result.fact(name), context) for name in result.details[:_MAX_DETAILS]]
    if details:
        blocks.append(Text(" · ".join(details), "details"))
    if result.table is not None and not details:
        blocks.append(result.table)
    if result.chart is not None and len(result.chart.labels) > 1:
        blocks.append(result.chart)
    return blocks


def _definition(notes: list[str]) -> str:
    """Return notes in a row, or as sentences where one of them is one."""
    if any(note.endswith(".") for note in notes):
        return " ".join(_sentences(notes))
    return capitalised(" · ".join(notes)) if notes else ""


def _sentences(notes: list[str]) -> list[str]:
    return [capitalised(note if note.endswith((".", ":", "?")) else f"{note}.") for note in notes]


def _detail(fact: Fact, context: ToolContext) -> str:
    return f"{fact.subject or fact.label} {show_fact(fact, context.locale)}"
