"""Slack's form of text: what is written in it, and what a person saw of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bots.cleaning import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

#: No more of a text is read; a question is far shorter, and Slack itself allows ten times as much.
LONGEST = 4000

#: What Slack makes of "&", "<" and ">", and the links it sets: <@user>, <#channel>, <!group>, <address>, each |label.
#: https://docs.slack.dev/messaging/formatting-message-text
_FORM = re.compile(r"<([@#!]|[A-Za-z][A-Za-z0-9+.-]*:)([^<>|]*)(?:\|([^<>]*))?>|&(amp|lt|gt);")
_SIGNS = {"amp": "&", "lt": "<", "gt": ">"}
_SIGN = re.compile("&(amp|lt|gt);")

#: Parts of a message that are there to be used, not read.
_CONTROLS = ("actions", "context_actions", "button", "input")
_SHOWN = ("pretext", "title", "text", "value", "fields", "elements", "blocks")
_LINES = ("rich_text_section", "rich_text_preformatted", "rich_text_quote")
_DEPTH = 8


def plain(text: str) -> str:
    """Return the text as a person saw it, cut at LONGEST."""
    return clean(_FORM.sub(_seen, text[: 8 * LONGEST])).strip()[:LONGEST].rstrip()


def mention_of(user: str) -> str:
    """Return the pattern of a user's mentions."""
    return rf"<@{re.escape(user)}(?:\|[^<>]*)?>"


def visible_text(message: object) -> str:
    """Return what can be read in a message: its text, then what its blocks and attachments add."""
    if not isinstance(message, Mapping):
        return ""
    own = message.get("text")
    blocks = _list(message.get("blocks"))
    if own:  # rich text is the message's own text once more
        blocks = [block for block in blocks if not (isinstance(block, Mapping) and block.get("type") == "rich_text")]
    lines = (plain(part) for part in _shown([own, blocks, message.get("attachments")], _DEPTH))
    return "\n".join(dict.fromkeys(line for line in lines if line))[:LONGEST].rstrip()


def _shown(part: object, depth: int) -> Iterator[str]:
    """Return the texts within a part of a message, in reading order, without those of buttons."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, list) and depth:
        for each in part[:100]:
            yield from _shown(each, depth - 1)
    elif isinstance(part, Mapping) and depth:
        kind = part.get("type")
        if kind in _LINES:
            yield "".join(map(_leaf, _list(part.get("elements"))))
        elif kind not in _CONTROLS:
            for key in _SHOWN:
                yield from _shown(part.get(key), depth - 1)


def _list(part: object) -> list[object]:
    return part if isinstance(part, list) else []


def _leaf(element: object) -> str:
    found = (element.get("text") or element.get("url")) if isinstance(element, Mapping) else None
    return found if isinstance(found, str) else ""


def _seen(match: re.Match[str]) -> str:
    kind, address, label, sign = match.groups()
    if sign:
        return _SIGNS[sign]
    label = _SIGN.sub(lambda each: _SIGNS[each[1]], label or "")
    if kind in {"@", "#"}:
        return kind + (label or address).removeprefix(kind)
    if kind == "!":
        return label or f"@{address.partition('^')[0]}"
    if label:
        return label
    address = _SIGN.sub(lambda each: _SIGNS[each[1]], address)
    return address if kind in {"mailto:", "tel:"} else kind + address


def escape(text: str) -> str:
    """Return the text, cleaned, as mrkdwn source that shows it as it is."""
    return clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
