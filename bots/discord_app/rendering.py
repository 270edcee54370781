"""A reply as Discord shows it: messages of text, with buttons below and pictures and files beside.

All text stands in a message's content and none in embeds: those need a permission, can be switched off by their reader,
are left out of notifications and narrower on a phone; and so embeds can be suppressed for every message, which keeps
whatever looks like an address from being unfolded. What a message says it says in Discord's markup, sent with mentions off.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bots.bars import bar_lines
from bots.cleaning import clean
from bots.discord_app.buttons import Button, feedback, lay_out, on_one_line
from bots.discord_app.escaping import escape, fenced
from bots.fallback import action_text, cell_text, count_sums, left_out, shorten, split_text, table_grid
from bots.limits import Discord
from bots.table_file import table_file
from graph.reply import Actions, Audience, File, Text
from language.catalogue import translated
from tools.results import Chart, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from graph.reply import Action, Reply

_QUIET = frozenset({"refuse", "error"})
#: What stands between the details of an answer.
_BETWEEN = " · "
#: Where a line of a table is cut.
_ELLIPSIS = "…"
_LONGEST_HEADING = 200
#: Cells of a line of code that a phone of 375 points shows without breaking it.
_WIDTH = 36
#: No more rows are shown than these; of a longer table the first ones, or fewer where those are too wide.
_MOST_ROWS = 40
_FIRST_ROWS = (20, 10, 5, 2, 1)
#: So few rows are said in lines, where columns would cut their words short.
_FEW = 12


@dataclass(frozen=True, slots=True)
class Part:
    """One message of a reply on Discord: its content, rows of buttons, a file, and a chart to draw and attach.

    ``content`` is empty only beside a file or a chart. ``instead`` says what the chart shows, where there is no picture.
    """

    content: str
    rows: tuple[tuple[Button, ...], ...] = ()
    file: File | None = None
    chart: Chart | None = None
    instead: str = ""

    @property
    def spoken(self) -> Part:
        """The part with its chart in words."""
        said = "\n".join(filter(None, (self.content, self.instead)))
        return replace(self, content=said, chart=None, instead="")


def render(reply: Reply, *, about: str, locale: str = "en_US", shareable: bool) -> tuple[Part, ...]:
    """Return a reply as messages in the order in which they are sent, buttons on the last one.

    ``about`` is the reply's idempotency key, which every button carries. ``shareable`` is false where nobody else is, as
    in a direct message. A reply that everyone can read brings no files.
    """
    rows, left_out = lay_out(reply.rows(), about, shareable=shareable)
    said = list(_parts(reply, locale))
    words = _words([action for row in reply.rows() for action in row], left_out, reply, shareable=shareable)
    parts = list(_packed([*said, *_said(words, escape)])) or [Part("…")]
    asks = reply.kind == "answer" and reply.facts and reply.audience is Audience.PRIVATE
    if asks and len(rows) < Discord.ROWS:
        judged = feedback(about)
        room = rows and len(rows[-1]) + len(judged) <= Discord.ROW_BUTTONS
        rows = (*rows[:-1], (*rows[-1], *judged)) if room else (*rows, judged)
    return (*parts[:-1], replace(parts[-1], rows=rows))


def narration(text: str) -> str:
    """Return what a model adds to an answer, in the form in which it stands below it."""
    return _each_line(escape(clean(text).strip()), lambda line: f"*{line}*")


def _parts(reply: Reply, locale: str) -> Iterator[Part]:
    """Yield what a reply says and shows, in order."""
    quiet = reply.kind in _QUIET
    if not any(isinstance(block, Text) and block.role == "headline" for block in reply.blocks):
        yield from _text_parts(Text(reply.headline, "headline"), quiet=quiet)
    for block in reply.shown:
        match block:
            case Text():
                yield from _text_parts(block, quiet=quiet)
            case Table():
                yield from _table_parts(block, reply, locale)
            case Chart() if block.labels:
                lines = bar_lines(block, locale, reply.language)
                yield Part("", chart=block, instead=fenced(lines))
            case File() if reply.audience is Audience.PRIVATE:
                yield Part("", file=block)
            case Actions() | Chart() | File():
                pass
    yield from _text_parts(Text(reply.narration, "narration"))


# -- texts --------------------------------------------------------------------------------------------------------------


def _text_parts(text: Text, *, quiet: bool = False) -> Iterator[Part]:
    """Yield a text in the form of its role; what is no answer has no large headline."""
    whole = clean(text.text).strip()
    match text.role:
        case "headline" if not quiet and _can_head(whole):
            yield Part(f"## {escape(whole)}")
        case "headline":
            yield from _said(whole, _bold)
        case "definition":
            yield from _said(whole, lambda chunk: _each_line(escape(chunk), lambda line: f"-# {line}"))
        case "narration":
            yield from _said(whole, narration)
        case _:
            yield from _said(whole, escape)


def _can_head(text: str) -> bool:
    """Whether a heading shows a text whole; Discord drops number signs at its end, and it ends with its line."""
    return 0 < len(text) <= _LONGEST_HEADING and "\n" not in text and not text.endswith("#")


def _said(text: str, form: Callable[[str], str], longest: int = Discord.CONTENT) -> Iterator[Part]:
    """Yield a text of any length, cut before it gets its form, so that neither a word nor an escape is cut."""
    for chunk in split_text(clean(text).strip(), longest):
        source = form(chunk)
        if len(source) > Discord.CONTENT:
            yield from _said(chunk, form, longest // 2)
        elif source.strip():
            yield Part(source)


def _bold(text: str) -> str:
    return _each_line(escape(text), lambda line: f"**{line}**")


def _each_line(source: str, form: Callable[[str], str]) -> str:
    lines = (line.strip() for line in source.split("\n"))
    return "\n".join(form(line) if line else "" for line in lines)


def _words(actions: Sequence[Action], left_out: Sequence[Action], reply: Reply, *, shareable: bool) -> str:
    """Return in words what can't be read on a button, or has none."""
    text = "\n".join(block.text for block in reply.blocks if isinstance(block, Text))
    lines, offered = [], reply.rows()[-1]
    for action in actions:
        label = on_one_line(action.label)
        if action in left_out:
            lines.append(f"· {label}" if action in offered else action_text(action, reply.language))
        elif len(label) > Discord.BUTTON_SHOWN and label not in text and (shareable or action.action != "share"):
            lines.append(f"· {label}")
    return "\n".join(line for line in lines if line)


def _packed(parts: Iterable[Part]) -> Iterator[Part]:
    """Put parts together, in their order, into as few messages as take them."""
    held: Part | None = None
    for part in parts:
        both = None if held is None else _joined(held, part)
        if held is not None and both is None:
            yield held
        held = both or part
    if held is not None:
        yield held


def _joined(one: Part, other: Part) -> Part | None:
    """Return both as one message, None where that would be too long or would have two files or two charts."""
    if (one.file and other.file) or (one.chart and (other.chart or other.content)):
        return None
    content = "\n".join(filter(None, (one.content, other.content)))
    both = Part(
        content, file=one.file or other.file, chart=one.chart or other.chart, instead=one.instead or other.instead
    )
    return both if len(both.spoken.content) <= Discord.CONTENT else None


# -- tables and charts --------------------------------------------------------------------------------------------------


def _table_parts(table: Table, reply: Reply, locale: str) -> Iterator[Part]:
    """Yield a table, as much as a message shows of it; where that is not all, all of it as a file."""
    sums = count_sums(table)
    listed = len(table.rows) - sums
    count, source, whole = _fitting(_readable(table), listed, locale)
    # What is shown but for cut cells may itself be a part of the period: the file's name promises no more than its rows.
    period = reply.period if count < listed else None
    file = None if whole or reply.audience is not Audience.PRIVATE else table_file(table, period)
    if source:
        yield Part(source)
    if count < listed:
        left = left_out(listed, count, sums, locale, in_file=file is not None)
        yield Part(translated(left, reply.language), file=file)
    elif file is not None:
        yield Part(translated("What is cut short here is whole in the file.", reply.language), file=file)


def _readable(table: Table) -> Table:
    rows = tuple(tuple(clean(cell) if isinstance(cell, str) else cell for cell in row) for row in table.rows)
    titles = [on_one_line(column.title) for column in table.columns]
    columns = tuple(replace(column, title=title) for column, title in zip(table.columns, titles, strict=True))
    return replace(table, columns=columns, rows=rows, title=shorten(on_one_line(table.title), _LONGEST_HEADING))


def _fitting(table: Table, listed: int, locale: str) -> tuple[int, str, bool]:
    """Return how many of the listed rows one message takes, how it shows them, and whether that is the whole table."""
    title = _bold(table.title)
    whole = (listed,) if listed <= _MOST_ROWS else ()
    for count in (*whole, *(fewer for fewer in _FIRST_ROWS if fewer < listed)):
        shown = replace(table, rows=table.rows[:count] + table.rows[listed:])
        lines = table_grid(shown, locale, _WIDTH) if shown.rows else []
        cut = _is_cut(shown, "\n".join(lines), locale)
        in_pairs = len(lines) > len(shown.rows) + 1
        few = len(shown.rows) <= _FEW and (cut or in_pairs)
        if shown.rows and (few or (cut and all(column.unit == "text" for column in table.columns))):
            body, cut = _as_sentences(shown, locale), False
        else:
            body = fenced(lines) if any(lines) else ""
        source = "\n".join(filter(None, (title, body)))
        if len(source) <= Discord.CONTENT:
            return count, source, count == listed and not cut
    return 0, title, False


def _as_sentences(table: Table, locale: str) -> str:
    """Return each row in lines that a phone can break: its amount and name, and the rest in small print below.

    What is cut to stand in columns says little, and an amount at the end of a sentence stands nowhere twice the same.
    """
    units = [column.unit for column in table.columns]
    titled = units.count("date") > 1
    head = [units.index(unit) for unit in ("money", "text") if unit in units]
    lines = []
    for row in table.rows:
        cells = [cell_text(cell, column, locale) for cell, column in zip(row, table.columns, strict=True)]
        told = [
            escape(on_one_line(text)) if isinstance(cell, str) else text for cell, text in zip(row, cells, strict=True)
        ]
        if titled:
            told = [
                f"{escape(column.title)} {text}" if column.unit == "date" and text else text
                for text, column in zip(told, table.columns, strict=True)
            ]
        first = " ".join(filter(None, (told[place] for place in head)))
        others = _BETWEEN.join(filter(None, (text for place, text in enumerate(told) if place not in head)))
        lines += [*([f"**{first}**"] if first else []), *([f"-# {others}"] if others else [])]
    return "\n".join(lines)


def _is_cut(table: Table, grid: str, locale: str) -> bool:
    """Whether a cell can't be read whole in the lines: they then have an ellipsis that no cell has."""
    cells = (cell_text(*pair, locale) for row in table.rows for pair in zip(row, table.columns, strict=True))
    return grid.count(_ELLIPSIS) > sum(text.count(_ELLIPSIS) for text in cells)
