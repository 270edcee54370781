"""A reply as Slack shows it: messages of blocks, each with a text that says all of it on its own.

Nothing here is ``mrkdwn`` but the messages' top-level texts; see :mod:`bots.slack_app.wording`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bots.cleaning import clean
from bots.fallback import action_text, shorten
from bots.limits import Slack
from bots.slack_app.buttons import block_id, feedback, is_answer, is_shown_whole, rows_of_buttons
from bots.slack_app.native import chart_parts, table_parts
from bots.slack_app.parts import Part, chunks, packed, paragraphs, plain_text, said
from bots.slack_app.wording import escape
from graph.reply import Actions, Audience, File, Reply, Text
from tools.results import Chart, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bots.slack_app.parts import Block
    from graph.reply import Action

_QUIET = frozenset({"refuse", "error"})
_STYLES = {"headline": {"bold": True}, "narration": {"italic": True}}
#: Words that stand in the text only are this short, so that there is room for something to see in the same message.
_BRIEF = 500


def render(reply: Reply, *, about: str, thread: str, locale: str = "en_US", shareable: bool) -> tuple[Part, ...]:
    """Return a reply as messages in the order in which they are sent: buttons on the last one, and files after it.

    ``about`` is the reply's idempotency key and ``thread`` the ts of the thread that it stands in, or nothing; every
    block of buttons carries both. ``shareable`` is false where nobody else is, as in a direct message.
    """
    rows = _rows(reply, shareable=shareable)
    parts = [*_parts(reply, locale), *_words(reply, rows)]
    for position, block in enumerate(_pressable(reply, rows)):
        identified = {**block, "block_id": block_id(about, thread, position)}
        parts.append(Part("", (identified,), (identified,)))
    messages = list(packed(part for part in parts if part.file is None)) or [Part("")]
    unsaid = escape(shorten(clean(reply.headline).strip(), Slack.HEADER)) or "…"
    return (
        *(message if message.text else replace(message, text=unsaid) for message in messages),
        *(part for part in parts if part.file is not None),
    )


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
                yield from table_parts(block, reply.period, locale, reply.language)
            case Chart():
                yield from chart_parts(block, locale, reply.language)
            case File():
                yield Part(escape(block.name), file=block)
            case Actions():
                pass
    yield from _text_parts(Text(reply.narration, "narration"))


def _text_parts(text: Text, *, quiet: bool = False) -> Iterator[Part]:
    """Yield a text in the form of its role; what is no answer has no large headline."""
    whole = clean(text.text).strip()
    if text.role == "headline" and not quiet and 0 < len(whole) <= Slack.HEADER and "\n" not in whole:
        yield said(whole, {"type": "header", "text": plain_text(whole)})
    elif text.role == "definition":
        for chunk in chunks(whole):
            yield said(chunk, {"type": "context", "elements": [plain_text(chunk)]})
    else:
        yield from paragraphs(whole, **_STYLES.get(text.role, {}))


def _rows(reply: Reply, *, shareable: bool) -> list[tuple[Action, ...]]:
    """Return the reply's rows of buttons."""
    return [tuple(action for action in row if shareable or action.action != "share") for row in reply.rows()]


def _words(reply: Reply, rows: list[tuple[Action, ...]]) -> Iterator[Part]:
    """Yield in words what the buttons do: in the text always, in the blocks where a button can't say all of it."""
    asked = [action for row in rows for action in row]
    offered = reply.rows()[-1]
    lines = [f"- {action.label}" if action in offered else action_text(action, reply.language) for action in asked]
    words = "\n".join(line for line in lines if line)
    if words and len(words) <= _BRIEF and all(map(is_shown_whole, asked)):
        yield said(words)
    else:
        yield from paragraphs(words)


def _pressable(reply: Reply, rows: list[tuple[Action, ...]]) -> Iterator[Block]:
    """Yield the blocks of buttons, and below an answer's figures the question whether they were right."""
    for elements in rows_of_buttons(rows):
        yield {"type": "actions", "elements": elements}
    if reply.kind == "answer" and reply.facts and reply.audience is Audience.PRIVATE:
        yield feedback(reply.language)


def without_answers(blocks: Sequence[Mapping[str, Any]], line: str) -> list[Block] | None:
    """Return a message's blocks with a line in place of its buttons for yes and no; None where it has none of them."""
    kept, found = [], False
    for block in blocks:
        elements = list(block.get("elements") or ()) if block.get("type") == "actions" else []
        others = [each for each in elements if not is_answer(str(each.get("action_id", "")))]
        found |= len(others) < len(elements)
        if others or not elements:
            kept.append({**block, "elements": others} if elements else dict(block))
    return [*kept, {"type": "context", "elements": [plain_text(shorten(f"→ {line}", _BRIEF))]}] if found else None
