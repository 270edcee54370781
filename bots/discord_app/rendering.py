"""A reply as Discord shows it: messages of text, with buttons below and pictures and files beside.

No text stands in embeds: those need a permission, can be switched off by their reader and are narrower on a phone. Each
message has a form without components of version 2 as well, so its texts are no longer than a message's content may be.
What it says it says in Discord's markup, sent with mentions off.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from bots.bars import bar_lines
from bots.cleaning import clean
from bots.discord_app.buttons import Button, feedback, has_room, lay_out, on_one_line, page_row
from bots.discord_app.wording import escape, fenced
from bots.fallback import WHOLE, action_text, cell_text, count_sums, left_out, shorten, split_text, table_grid
from bots.limits import Discord
from bots.table_file import table_file
from graph.reply import Actions, Audience, File, Text
from language.catalogue import say, translated
from ledger.transactions import Flow
from tools.results import Chart, Table
from tools.wording import number

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from bots.discord_app.buttons import Row
    from graph.reply import Action, Reply
    from ledger.money import Money
    from tools.results import Column, Value

#: What a message is about: money that went out or came in, a question that waits for a yes, or no answer.
Tone = Literal["", "out", "in", "asks", "none"]
#: The places of a message's texts, from top to bottom; pictures stand below the table.
HEAD, BODY, TABLE, REST = range(4)
Texts = tuple[str, str, str, str]
NOTHING: Final[Texts] = ("", "", "", "")

_FLOWS: dict[Flow | None, Tone] = {Flow.SPENDING: "out", Flow.INCOME: "in"}
_QUIET = frozenset({"refuse", "error"})
#: What stands between the details of an answer.
_BETWEEN = " · "
#: Where a line of a table is cut.
_ELLIPSIS = "…"
_FENCE = "```"
#: What ends a block of code that is cut.
_CUT_OFF = f"\n{_FENCE}\n{_ELLIPSIS}"
_LONGEST_HEADING = 200
#: Cells of a line of code that a phone of 375 points shows without breaking it.
_WIDTH = 36
#: No more rows are shown than these; of a longer table the first ones, or fewer where those are too wide.
_MOST_ROWS = 40
_FIRST_ROWS = (20, 10, 5, 2, 1)
#: No page is longer, so that a message with any page has room for what is added to it.
_LONGEST_PAGE = 1_750
#: So few rows are said in lines, where columns would cut their words short.
_FEW = 12


@dataclass(frozen=True, slots=True)
class Part:
    """One message of a reply on Discord: its texts by their places, rows of buttons, a file, and a chart to draw and attach.

    There is no text only beside a file or a chart. ``instead`` says what the chart shows, where there is no picture, and
    ``pages`` is the row by which other rows of its table are turned to.
    """

    texts: Texts = NOTHING
    rows: tuple[Row, ...] = ()
    file: File | None = None
    chart: Chart | None = None
    instead: str = ""
    pages: Row = ()
    tone: Tone = ""

    @property
    def content(self) -> str:
        """All its texts."""
        return _lines(*self.texts)

    @property
    def spoken(self) -> Part:
        """The part with its chart in words."""
        return replace(self.with_text(TABLE, self.instead), chart=None, instead="")

    def with_text(self, place: int, text: str) -> Part:
        """Return the part with one more text, below those that stand in its place."""
        head, body, table, rest = (_lines(each, text) if at == place else each for at, each in enumerate(self.texts))
        return replace(self, texts=(head, body, table, rest))

    def within(self, longest: int) -> Part:
        """Return the part with its texts cut until they are no longer together; what was added last is kept longest."""
        part = self
        for cut in (BODY, TABLE, HEAD, REST):
            room = max(len(part.texts[cut]) - max(len(part.content) - longest, 0), 0)
            head, body, table, rest = (_cut(text, room) if at == cut else text for at, text in enumerate(part.texts))
            part = replace(part, texts=(head, body, table, rest))
        return part


def render(reply: Reply, *, about: str, locale: str = "en_US", shareable: bool) -> tuple[Part, ...]:
    """Return a reply as messages in the order in which they are sent, buttons on the last one.

    ``about`` is the reply's idempotency key, which every button carries. ``shareable`` is false where nobody else is, as
    in a direct message. A reply that everyone can read brings no files.
    """
    said = list(_parts(reply, about, locale))
    most = Discord.ROWS - any(part.pages for part in said)
    rows, left_out = lay_out(reply.rows(), about, shareable=shareable, most=most, language=reply.language)
    cut = {
        each.label
        for row in rows
        for each in row
        if isinstance(each, Button) and len(each.label) > Discord.BUTTON_SHOWN
    }
    words = _words([action for row in reply.rows() for action in row], left_out, reply, cut)
    parts = list(_packed([*said, *(_text(BODY, each) for each in _said(words, escape))])) or [_text(HEAD, "…")]
    asks = reply.kind == "answer" and reply.facts and reply.audience is Audience.PRIVATE
    if asks and len(rows) < most:
        judged = feedback(about)
        room = rows and has_room(rows[-1], judged)
        rows = (*rows[:-1], (*rows[-1], *judged)) if room else (*rows, judged)
    parts[-1] = replace(parts[-1], rows=rows)
    tone = _tone(reply)
    return tuple(replace(part, tone=tone) for part in parts)


def turned(reply: Reply, about: str, place: int, page: int, locale: str) -> tuple[str, Row] | None:
    """Return a page of a reply's table, both counted from 0, and the row to turn it further; None where there is none."""
    tables = [block for block in reply.shown if isinstance(block, Table)]
    if place >= len(tables):
        return None
    table = tables[place]
    listed = len(table.rows) - count_sums(table)
    count, _, _ = _fitting(table, listed, locale)
    if not count or count == listed or page * count >= listed:
        return None
    rows = range(page * count, min((page + 1) * count, listed))
    row = page_row(about, place, page, last=rows.stop == listed, language=reply.language)
    return _page(table, listed, rows, locale, reply.language), row


def _tone(reply: Reply) -> Tone:
    """Return what a reply is about."""
    if reply.kind in _QUIET:
        return "none"
    if any(action.action == "confirm" for row in reply.rows() for action in row):
        return "asks"
    charts = [block.flow for block in reply.shown if isinstance(block, Chart)]
    flows = {_FLOWS.get(wanted.flow, "") for wanted in reply.behind}
    return next(filter(None, charts), "") or (flows.pop() if len(flows) == 1 else "")


def narration(text: str) -> str:
    """Return what a model adds to an answer, in the form in which it stands below it."""
    return _each_line(escape(clean(text).strip()), lambda line: f"*{line}*")


def _parts(reply: Reply, about: str, locale: str) -> Iterator[Part]:
    """Yield what a reply says and shows, in order."""
    quiet = reply.kind in _QUIET
    if not any(isinstance(block, Text) and block.role == "headline" for block in reply.blocks):
        yield from _text_parts(Text(reply.headline, "headline"), quiet=quiet)
    tables = 0
    for block in reply.shown:
        match block:
            case Text():
                yield from _text_parts(block, quiet=quiet)
            case Table():
                yield from _table_parts(block, reply, about, tables, locale)
                tables += 1
            case Chart() if block.labels:
                lines = bar_lines(block, locale, reply.language)
                yield Part(chart=block, instead=fenced(lines))
            case File() if reply.audience is Audience.PRIVATE:
                yield Part(file=block)
            case Actions() | Chart() | File():
                pass
    yield from _text_parts(Text(reply.narration, "narration"))


# -- texts --------------------------------------------------------------------------------------------------------------


def _text(place: int, text: str) -> Part:
    return Part().with_text(place, text)


def _lines(*texts: str) -> str:
    return "\n".join(filter(None, texts))


def _text_parts(text: Text, *, quiet: bool = False) -> Iterator[Part]:
    """Yield a text in the form of its role; what is no answer has no large headline."""
    place = HEAD if text.role in ("headline", "definition") else BODY
    return (_text(place, source) for source in _sources(text, quiet=quiet))


def _sources(text: Text, *, quiet: bool) -> Iterator[str]:
    whole = clean(text.text).strip()
    match text.role:
        case "headline" if not quiet and _can_head(whole):
            yield f"## {escape(whole)}"
        case "headline":
            yield from _said(whole, _bold)
        case "definition":
            yield from _said(whole, lambda chunk: _each_line(escape(chunk), lambda line: f"-# {line}"))
        case "narration":
            yield from _said(whole, narration)
        case _:
            yield from _said(whole, escape)


def _cut(source: str, longest: int) -> str:
    """Return as much of a source as that, cut between words, or between lines of code, and with what it opens closed."""
    if len(source) <= longest:
        return source
    kept = source[: max(longest - len(_CUT_OFF), 0)]
    if kept.count(_FENCE) % 2:
        return f"{lines}{_CUT_OFF}" if (lines := kept.rpartition("\n")[0]).strip("`\n") else ""
    words = kept[: max(kept.rfind(" "), kept.rfind("\n"), 0)]
    return f"{words}\n{_ELLIPSIS}" if words else ""


def _can_head(text: str) -> bool:
    """Whether a heading shows a text whole; Discord drops number signs at its end, and it ends with its line."""
    return 0 < len(text) <= _LONGEST_HEADING and "\n" not in text and not text.endswith("#")


def _said(text: str, form: Callable[[str], str], longest: int = Discord.CONTENT) -> Iterator[str]:
    """Yield a text of any length, cut before it gets its form, so that neither a word nor an escape is cut."""
    for chunk in split_text(clean(text).strip(), longest):
        source = form(chunk)
        if len(source) > Discord.CONTENT:
            yield from _said(chunk, form, longest // 2)
        elif source.strip():
            yield source


def _bold(text: str) -> str:
    return _each_line(escape(text), lambda line: f"**{line}**")


def _each_line(source: str, form: Callable[[str], str]) -> str:
    lines = (line.strip() for line in source.split("\n"))
    return "\n".join(form(line) if line else "" for line in lines)


def _words(actions: Sequence[Action], left_out: Sequence[Action], reply: Reply, cut: Collection[str]) -> str:
    """Return in words what can't be read on a button, or has none; ``cut`` are the labels that a client cuts short."""
    text = "\n".join(block.text for block in reply.blocks if isinstance(block, Text))
    lines, offered = [], reply.rows()[-1]
    for action in actions:
        label = on_one_line(action.label)
        if action in left_out:
            lines.append(f"· {label}" if action in offered else action_text(action, reply.language))
        elif shorten(label, Discord.BUTTON_LABEL) in cut and label not in text:
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
    """Return both as one message, in their order; None where that would be too long, or one has no place for the other."""
    if (one.file and other.file) or (other.chart and (one.chart or one.texts[REST])):
        return None
    both = _followed(one, other.texts)
    if both is None:
        return None
    both = replace(
        both,
        file=one.file or other.file,
        chart=one.chart or other.chart,
        instead=one.instead or other.instead,
        pages=one.pages or other.pages,
    )
    return both if len(both.spoken.content) <= Discord.CONTENT else None


def _followed(one: Part, texts: Texts) -> Part | None:
    """Return a part with these texts after its own, each in its place or a later one; None where a table's is taken."""
    last = REST if one.chart else max((place for place, text in enumerate(one.texts) if text), default=HEAD)
    for place, text in enumerate(texts):
        if text:
            if place == TABLE and last >= TABLE:
                return None
            last = REST if last == TABLE else max(place, last)
            one = one.with_text(last, text)
    return one


# -- tables and charts --------------------------------------------------------------------------------------------------


def _table_parts(table: Table, reply: Reply, about: str, place: int, locale: str) -> Iterator[Part]:
    """Yield a table, as much as a message shows of it; where that is not all, pages, and all of it as a file."""
    sums = count_sums(table)
    listed = len(table.rows) - sums
    count, source, whole = _fitting(table, listed, locale)
    # What is shown but for cut cells may itself be a part of the period: the file's name promises no more than its rows.
    period = reply.period if count < listed else None
    alone = reply.audience is Audience.PRIVATE
    file = None if whole or not alone else table_file(table, period)
    first = turned(reply, about, place, 0, locale) if alone else None
    text, row = first or (source, ())
    if text:
        yield replace(_text(TABLE, text), pages=row)
    if count < listed:
        left = left_out(listed, count, sums, locale, in_file=file is not None)
        yield replace(_text(REST, translated(left, reply.language)), file=file)
    elif file is not None:
        yield replace(
            _text(REST, translated("What is cut short here is whole in the file.", reply.language)), file=file
        )


def _readable(table: Table) -> Table:
    rows = tuple(tuple(clean(cell) if isinstance(cell, str) else cell for cell in row) for row in table.rows)
    titles = [on_one_line(column.title) for column in table.columns]
    columns = tuple(replace(column, title=title) for column, title in zip(table.columns, titles, strict=True))
    return replace(table, columns=columns, rows=rows, title=shorten(on_one_line(table.title), _LONGEST_HEADING))


def _fitting(table: Table, listed: int, locale: str) -> tuple[int, str, bool]:
    """Return how many of the listed rows one message takes, how it shows them, and whether that is the whole table."""
    whole = (listed,) if listed <= _MOST_ROWS else ()
    for count in (*whole, *(fewer for fewer in _FIRST_ROWS if fewer < listed)):
        source, cut = _rows(replace(table, rows=table.rows[:count] + table.rows[listed:]), locale)
        if len(source) <= (_LONGEST_PAGE if count < listed else Discord.CONTENT):
            return count, source, count == listed and not cut
    return 0, _bold(_readable(replace(table, rows=())).title), False


def _page(table: Table, listed: int, rows: range, locale: str, language: str) -> str:
    """Return one page of a table, sums below, and which of the listed rows those are."""
    shown = replace(table, rows=table.rows[rows.start : rows.stop] + table.rows[listed:])
    source, _ = _rows(shown, locale, _LONGEST_PAGE)
    if len(source) > _LONGEST_PAGE:
        source = translated(WHOLE, language)
    places = {"first": rows.start + 1, "last": rows.stop, "rows": listed}
    told = say("{first}–{last} of {rows}", **{name: number(each, locale) for name, each in places.items()})
    return _lines(source, f"-# {escape(translated(told, language))}")


def _rows(table: Table, locale: str, longest: int | None = None) -> tuple[str, bool]:
    """Return a table's rows below its title, and whether anything in them is cut short; what is no longer is not cut."""
    table = _readable(table)
    title = _bold(table.title)
    lines = table_grid(table, locale, _WIDTH) if table.rows else []
    cut = _is_cut(table, "\n".join(lines), locale)
    in_pairs = len(lines) > len(table.rows) + 1
    few = len(table.rows) <= _FEW and (cut or in_pairs)
    if table.rows and (few or (cut and all(column.unit == "text" for column in table.columns))):
        source = _lines(title, _as_sentences(table, locale))
        if longest is None or len(source) <= longest:
            return source, False
    return _lines(title, fenced(lines) if any(lines) else ""), cut


def _as_sentences(table: Table, locale: str) -> str:
    """Return each row in lines that a phone can break: its amount and name, and the rest in small print below.

    What is cut to stand in columns says little, and an amount at the end of a sentence stands nowhere twice the same.
    Of several amounts or days each is told with its column's title, and none stands out.
    """
    units = [column.unit for column in table.columns]
    titled = [unit for unit in ("date", "money") if units.count(unit) > 1]
    head = [units.index(unit) for unit in ("money", "text") if unit in units and unit not in titled]
    lines = []
    for row in table.rows:
        told = [_told_cell(*pair, locale, titled) for pair in zip(row, table.columns, strict=True)]
        first = " ".join(filter(None, (told[place] for place in head)))
        others = _BETWEEN.join(filter(None, (text for place, text in enumerate(told) if place not in head)))
        lines += [*([f"**{first}**"] if first else []), *([f"-# {others}"] if others else [])]
    return "\n".join(lines)


def _told_cell(cell: Value | Money | None, column: Column, locale: str, titled: Collection[str]) -> str:
    """Return a cell as it stands in a sentence, with its column's title where its unit is one of these."""
    text = cell_text(cell, column, locale)
    text = escape(on_one_line(text)) if isinstance(cell, str) else text
    return f"{escape(column.title)} {text}" if column.unit in titled and text else text


def _is_cut(table: Table, grid: str, locale: str) -> bool:
    """Whether a cell can't be read whole in the lines: they then have an ellipsis that no cell has."""
    cells = (cell_text(*pair, locale) for row in table.rows for pair in zip(row, table.columns, strict=True))
    return grid.count(_ELLIPSIS) > sum(text.count(_ELLIPSIS) for text in cells)
