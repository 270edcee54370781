"""Messages on Slack: what one holds, and how many a reply takes."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bots.cleaning import clean
from bots.fallback import split_text
from bots.limits import Slack
from bots.slack_app.wording import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from graph.reply import File
    from tools.results import Chart

Block = dict[str, Any]

#: Blocks with limits of their own, which do not count among what the other blocks say.
_NATIVE = frozenset({"data_table", "data_visualization"})

#: What a message takes: its text and a line's end, its blocks and what they say, their plainer form likewise, charts.
_MOST = (Slack.TEXT + 1, Slack.BLOCKS, Slack.BLOCKS_TEXT, Slack.BLOCKS, Slack.BLOCKS_TEXT, 1)
_NO_LOAD = [0] * len(_MOST)

_POINT = "· "
#: Each point of a list weighs some hundred characters in a message, so that more of them are lines of text.
_MOST_POINTS = 20


@dataclass(frozen=True, slots=True)
class Part:
    """One message of a reply on Slack.

    ``text`` is everything that the blocks show, as escaped mrkdwn source, to be sent with ``mrkdwn`` off and ``parse``
    "none". ``plainer`` are the blocks without native tables and charts, for workspaces that refuse those
    (``invalid_blocks``); they equal ``blocks`` where there are none. A part with a ``file`` has no blocks, and its text
    is the file's comment. ``chart`` is one that ``plainer`` says in text only; a picture shows it where files can go.
    """

    text: str
    blocks: tuple[Block, ...] = ()
    plainer: tuple[Block, ...] = ()
    file: File | None = None
    chart: Chart | None = None

    @property
    def shows_chart(self) -> bool:
        """Whether ``blocks`` draw the chart themselves, so that it needs no picture once they are taken."""
        return any(block["type"] == "data_visualization" for block in self.blocks)

    @property
    def fits(self) -> bool:
        """Whether Slack takes it as one message."""
        return _bearable(_load(self))


def said(text: str, *blocks: Block) -> Part:
    """Return a part whose blocks show a text."""
    return Part(escape(text), blocks, blocks)


def paragraphs(text: str, **style: bool) -> Iterator[Part]:
    """Yield a text of any length."""
    for chunk in chunks(text):
        yield said(chunk, rich_text(chunk, **style))


def packed(parts: Iterable[Part]) -> Iterator[Part]:
    """Put parts together, in their order, into as few messages as take them, with one chart each at most."""
    held: list[Part] = []
    load = _NO_LOAD
    for part in parts:
        added = _load(part)
        together = [before + more for before, more in zip(load, added, strict=True)]
        if held and not _bearable(together):
            yield _joined(held)
            held, together = [], added
        held.append(part)
        load = together
    if held:
        yield _joined(held)


def chunks(text: str, longest: int = Slack.RICH_TEXT) -> Iterator[str]:
    """Cut a text where one block or one message's text could not hold it, never within a word."""
    for chunk in split_text(clean(text).strip(), longest):
        if len(escape(chunk)) <= Slack.RICH_TEXT:
            yield chunk
        else:
            yield from chunks(chunk, longest // 2)


def rich_text(text: str, **style: bool) -> Block:
    """Return a block that shows a text as it is, with no mention, link or emoji in it, and its points as a list."""
    lines = text.split("\n")
    if not 0 < sum(map(_is_point, lines)) <= _MOST_POINTS:
        return {"type": "rich_text", "elements": [_section(text, style)]}
    elements: list[dict[str, Any]] = []
    for points, group in itertools.groupby(lines, _is_point):
        if points:
            sections = [_section(line.removeprefix(_POINT), style) for line in group]
            elements.append({"type": "rich_text_list", "style": "bullet", "elements": sections})
        elif between := "\n".join(group).strip("\n"):
            elements.append(_section(between, style))
    return {"type": "rich_text", "elements": elements}


def code_lines(lines: Sequence[str]) -> Iterator[Block]:
    """Yield blocks of a font of one width, cut between lines only."""
    held: list[str] = []
    for line in lines:
        if held and sum(map(len, held)) + len(held) + len(line) > Slack.RICH_TEXT:
            yield _code(held)
            held = []
        held.append(line)
    if held:
        yield _code(held)


def plain_text(text: str) -> dict[str, Any]:
    """Return a text object without markup, in which emoji codes stay text."""
    return {"type": "plain_text", "text": text, "emoji": False}


def _joined(parts: Sequence[Part]) -> Part:
    return Part(
        "\n".join(part.text for part in parts if part.text),
        tuple(block for part in parts for block in part.blocks),
        tuple(block for part in parts for block in part.plainer),
        chart=next((part.chart for part in parts if part.chart), None),
    )


def _load(part: Part) -> list[int]:
    """Return what a part takes of a message, in the order of _MOST."""
    size = sum(map(_size, part.blocks))
    plainer = size if part.plainer is part.blocks else sum(map(_size, part.plainer))
    return [
        len(part.text) + bool(part.text),
        len(part.blocks),
        size,
        len(part.plainer),
        plainer,
        part.chart is not None,
    ]


def _bearable(load: Sequence[int]) -> bool:
    return all(each <= most for each, most in zip(load, _MOST, strict=True))


def _size(block: Block) -> int:
    """Return what a block counts towards Slack.BLOCKS_TEXT: its JSON without the values that nobody sees."""
    if block["type"] in _NATIVE:
        return 0
    hidden = sum(len(element.get("value", "")) for element in block.get("elements", ()))
    return len(json.dumps(block, ensure_ascii=False)) - hidden


def _is_point(line: str) -> bool:
    return line.startswith(_POINT) and bool(line.removeprefix(_POINT).strip())


def _section(text: str, style: dict[str, bool]) -> dict[str, Any]:
    return {"type": "rich_text_section", "elements": [_element(text, style)]}


def _code(lines: Sequence[str]) -> Block:
    section = {"type": "rich_text_preformatted", "elements": [_element("\n".join(lines), {})]}
    return {"type": "rich_text", "elements": [section]}


def _element(text: str, style: dict[str, bool]) -> dict[str, Any]:
    return {"type": "text", "text": text, "style": style} if style else {"type": "text", "text": text}
