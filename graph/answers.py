"""Showing a tool's result: its templates filled with its facts for a reader's locale, as the blocks of a reply."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from graph.reply import Reply, Text
from language.catalogue import said_in, translated
from language.tongue import DEFAULT
from ledger.money import Money
from tools import wording

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.periods import Period
    from tools.calls import Choice
    from tools.context import ToolContext
    from tools.results import Chart, Fact, Result, Table, Value

_MAX_DETAILS = 5
_SEPARATOR = " · "
_FIELD = re.compile(r"\{(\w+)\}")


def show_fact(fact: Fact, locale: str, language: str = DEFAULT) -> str:
    """Return a fact's value as a person reads it: figures as their locale writes them, days in the language."""
    if fact.unit == "money" and fact.currency and isinstance(fact.value, Decimal):
        return wording.figure(fact.value, fact.currency, locale)
    if fact.unit == "percent" and isinstance(fact.value, Decimal):
        return wording.percentage(fact.value, locale)
    return show_value(fact.value, locale, language)


def show_value(value: Value | Money | None, locale: str, language: str = DEFAULT) -> str:
    """Return a plain value as a person reads it; nothing is an empty string."""
    if value is None:
        return ""
    if isinstance(value, Money):
        return wording.money(value, locale)
    if isinstance(value, date):
        return wording.day(value, language)
    if isinstance(value, int | Decimal):
        return wording.number(value, locale)
    return said_in(language, value)


def render(template: str, result: Result, context: ToolContext) -> str:
    """Fill a template of ours in the answer's language; what is substituted is never read as a template again."""

    def fill(match: re.Match[str]) -> str:
        return _text_of(match.group(1), result, context)

    told = template if context.language == DEFAULT else translated(template, context.language)
    filled = _FIELD.sub(fill, told)
    return re.sub(r" +([.:,])", r"\1", re.sub(r"  +", " ", filled)).strip()


def _text_of(name: str, result: Result, context: ToolContext) -> str:
    """Return what a template's field stands for; an unknown one is nothing."""
    if name == "when":
        return _when(result.period, context) if result.period else ""
    if name == "dates":
        return _dates(result.period, context) if result.period else ""
    if name in result.names:
        return show_value(result.names[name], context.locale, context.language)
    told = (show_fact(fact, context.locale, context.language) for fact in result.facts if fact.id == name)
    return next(told, "")


def capitalised(text: str) -> str:
    """Return a text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def _when(period: Period, context: ToolContext) -> str:
    """Return a period as it stands in a sentence; all time is since the ledger begins."""
    from tools.apps.scope import clip

    if period.start == date.min and period.end == date.max and context.vocabulary.first is not None:
        period = replace(period, start=clip(period, context).start)
    return wording.when(period, context.language)


def _dates(period: Period, context: ToolContext) -> str:
    """Return the days that an answer really covers."""
    from tools.apps.scope import clip

    covered = clip(period, context)
    return wording.day_range(covered.start, covered.end, context.language)


def result_reply(result: Result, context: ToolContext) -> Reply:
    """Return one result as a whole reply."""
    return Reply(
        kind="clarify" if result.kind == "clarify" else "answer",
        headline=headline_of(result, context),
        blocks=tuple(blocks_of(result, context)),
        facts=result.facts,
        choices=told_choices(result.choices, context.language),
        period=result.period,
        table=result.table,
        behind=result.behind,
        language=context.language,
    )


def headline_of(result: Result, context: ToolContext) -> str:
    """Return the first line: the figure, in the words of the question."""
    return capitalised(render(result.headline, result, context))


def blocks_of(result: Result, context: ToolContext) -> list[Any]:
    """Return headline and definition, then a chart, a table or a short list: each figure is shown once."""
    blocks: list[Any] = [Text(headline_of(result, context), "headline")]
    definition = _definition([note for each in result.notes if (note := render(each, result, context))])
    if definition:
        blocks.append(Text(definition, "definition"))
    facts = {fact.id: fact for fact in result.facts}
    listed = _SEPARATOR.join(_detail(facts[name], context) for name in result.details[:_MAX_DETAILS])
    display = _display(result, " ".join(block.text for block in blocks), context)
    if listed and display != Text(listed, "details"):
        blocks.append(Text(listed, "alternative" if display is not None else "details"))
    if display is not None:
        blocks.append(display)
    return blocks


def _display(result: Result, said: str, context: ToolContext) -> Chart | Table | Text | None:
    """Return what shows an answer's figures: its chart, else its table; of a single row, what was not said yet.

    What can be changed by a form is shown whole.
    """
    if result.chart is not None and len(result.chart.labels) > 1:
        return told_chart(result.chart, context.language)
    if result.table is None:
        return None
    table = told_table(result.table, context.language)
    if len(table.rows) != 1 or not result.behind or result.change is not None or result.form is not None:
        return table
    days = sum(column.unit == "date" for column in table.columns)
    unsaid = []
    for cell, column in zip(result.table.rows[0], table.columns, strict=True):
        told = show_value(cell, context.locale, context.language)
        if column.unit in ("text", "date") and told.casefold() not in said.casefold():
            unsaid.append(f"{column.title}: {told}" if column.unit == "date" and days > 1 else told)
    return Text(_SEPARATOR.join(unsaid), "details") if unsaid else None


def told_button(label: str, language: str) -> str:
    """Return what a button says in a language."""
    return translated(label, language, "button")


def told_choices(choices: Iterable[Choice], language: str) -> tuple[Choice, ...]:
    """Return choices with their labels as they are told in a language; a plain one is somebody's words, or their data."""
    return tuple(replace(choice, label=said_in(language, choice.label)) for choice in choices)


def told_table(table: Table, language: str) -> Table:
    """Return a table as it is told in a language: its headings, its days, and those of its cells that are words of ours."""
    if language == DEFAULT:
        return table
    columns = tuple(replace(column, title=translated(column.title, language)) for column in table.columns)
    rows = tuple(tuple(_told_cell(cell, language) for cell in row) for row in table.rows)
    return replace(table, columns=columns, rows=rows, title=translated(table.title, language))


def _told_cell(cell: Value | Money | None, language: str) -> Value | Money | None:
    return wording.brief_day(cell, language) if isinstance(cell, date) else said_in(language, cell)


def told_chart(chart: Chart, language: str) -> Chart:
    """Return a chart as it is told in a language; its labels are somebody's data but for words of ours."""
    if language == DEFAULT:
        return chart
    labels = tuple(said_in(language, label) for label in chart.labels)
    return replace(chart, title=translated(chart.title, language), labels=labels)


def _definition(notes: list[str]) -> str:
    """Return notes in a row, or as sentences where one of them is one."""
    if any(note.endswith(".") for note in notes):
        return " ".join(_sentences(notes))
    return capitalised(" · ".join(notes)) if notes else ""


def _sentences(notes: list[str]) -> list[str]:
    return [capitalised(note if note.endswith((".", ":", "?")) else f"{note}.") for note in notes]


def _detail(fact: Fact, context: ToolContext) -> str:
    label = fact.subject or fact.label
    if context.language != DEFAULT:
        label = said_in(context.language, fact.subject) if fact.subject else translated(label, context.language)
    return f"{label} {show_fact(fact, context.locale, context.language)}"
