"""Replies for platforms that can show less: everything that has no form of its own there is said in text."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from typing import TYPE_CHECKING

from graph.reply import Action, Actions, File, Reply, Text
from tools.results import Chart, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bots.contracts import Capabilities
    from ledger.money import Money
    from tools.results import Value

_SEPARATOR = " · "


def degrade(reply: Reply, can: Capabilities) -> Reply:
    """Return the reply with only such blocks as the platform can show, each text within its length."""
    blocks = tuple(part for block in reply.blocks for part in _shown(block, can))
    return dataclasses.replace(reply, blocks=blocks)


def split_text(text: str, longest: int) -> list[str]:
    """Cut a text into parts of at most ``longest`` characters, at a line's end or else between words.

    Only a single word that is longer than a part is cut in itself.
    """
    parts = []
    while len(text) > longest:
        window = text[: longest + 1]
        cut = max(window.rfind("\n"), 0) or max(window.rfind(" "), 0)
        parts.append(text[: cut or longest].rstrip())
        text = text[cut + 1 :] if cut else text[longest:]
    return [part for part in (*parts, text) if part]


def _shown(
    block: Text | Table | Chart | Actions | File, can: Capabilities
) -> Iterator[Text | Table | Chart | Actions | File]:
    match block:
        case Table() if not can.tables:
            text = _table_text(block)
        case Chart() if not can.charts:
            text = _chart_text(block)
        case Actions() if not can.buttons:
            text = _actions_text(block)
        case File() if not can.files:
            text = f"I can't hand over {block.name} here."
        case Text():
            for part in split_text(block.text, can.max_text):
                yield Text(part, block.role)
            return
        case _:
            yield block
            return
    for part in split_text(text, can.max_text):
        yield Text(part)


def _table_text(table: Table) -> str:
    lines = [table.title, _SEPARATOR.join(column.title for column in table.columns)]
    for row in table.rows:
        cells = zip(row, table.columns, strict=True)
        lines.append(_SEPARATOR.join(_cell(cell, column.currency) for cell, column in cells))
    return "\n".join(line for line in lines if line)


def _cell(cell: Value | Money | None, currency: str | None) -> str:
    if cell is None:
        return "–"
    return f"{cell} {currency}" if currency and isinstance(cell, Decimal) else str(cell)


def _chart_text(chart: Chart) -> str:
    pairs = zip(chart.labels, chart.values, strict=True)
    return "\n".join([chart.title, *(f"{label}: {_cell(value, chart.currency)}" for label, value in pairs)])


def _actions_text(row: Actions) -> str:
    """Say in words what can be said in words; a receipt or a share has no such words."""
    return "\n".join(filter(None, (_action_text(action) for action in row.actions)))


def _action_text(action: Action) -> str:
    match action.action:
        case "ask":
            return f"You could ask: {action.value}"
        case "confirm":
            return f"Say “yes” to confirm: {action.label}"
        case "cancel":
            return "Say “no” to leave it."
        case _:
            return ""
