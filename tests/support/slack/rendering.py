"""What a reader's screen shows of a message: its words, what is live in them, and what can be pressed.

Live is whatever Slack would have made a mention, an alarm or a link, told from the markup each kind of text has
(https://docs.slack.dev/messaging/formatting-message-text, text objects: ``verbatim``). Where the documentation leaves a
doubt, this takes the text for live, so that a test of "nothing in here is live" errs on the safe side.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, field
from typing import Any

_TOKEN = re.compile(r"<([@#!]?)([^<>\n]+?)>")
_BARE_URL = re.compile(r"\b(?:https?://|mailto:)[^\s<>|*`]+", re.IGNORECASE)
#: Slack links a bare host name whose last part is a top-level domain that people know.
_BARE_HOST = re.compile(
    r"(?<![\w@./-])(?:[a-z0-9-]+\.)+(?:com|net|org|io|co|de|dev|app|me|info|biz|edu|gov|uk|fr|eu|us|shop|ai)\b(?:/[^\s<>|]*)?",
    re.IGNORECASE,
)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ALARM = re.compile(r"(?<!\w)@(channel|here|everyone)\b")
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
_MARKS = [re.compile(rf"(?<![\w{mark}])\{mark}(?=\S)([^{mark}\n]+?)(?<=\S)\{mark}(?![\w{mark}])") for mark in "*_~"]
_MD_IMAGE = re.compile(r"!\[([^\]\n]*)\]\(\s*<?([^)\s>]+)>?[^)]*\)")
_MD_LINK = re.compile(r"(?<!\\)\[([^\]\n]+)\]\(\s*<?([^)\s>]+)>?[^)]*\)")
_MD_STRONG = re.compile(r"(?<![\\\w])(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_MD_WEAK = re.compile(r"(?<![\\\w*_])([*_])(?=[^\s*_])([^*_\n]+?)(?<=\S)\1(?![\w*_])")
_MD_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True)
class Button:
    """Something to press or choose from; ``kind`` is the element's type."""

    label: str
    action_id: str
    value: str = ""
    kind: str = "button"
    block_id: str = ""
    url: str = ""
    style: str = ""
    element: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Rendered:
    """A message, home or modal as shown."""

    text: str
    mentions: tuple[str, ...] = ()
    pings: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    buttons: tuple[Button, ...] = ()
    images: tuple[str, ...] = ()
    """The alternative texts of its pictures."""


class _Screen:
    """Collects while the blocks are walked."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.mentions: list[str] = []
        self.pings: list[str] = []
        self.links: list[str] = []
        self.buttons: list[Button] = []
        self.images: list[str] = []

    def result(self) -> Rendered:
        text = "\n".join(line for line in self.lines if line)
        live = (tuple(self.mentions), tuple(self.pings), tuple(self.links))
        return Rendered(text, *live, tuple(self.buttons), tuple(self.images))

    # -- texts

    def token(self, mark: str, inside: str) -> str:
        target, _, label = inside.partition("|")
        if mark == "@":
            self.mentions.append(target)
            return f"@{label or target}"
        if mark == "#":
            self.mentions.append(target)
            return f"#{label or target}"
        if mark == "!":
            return self.special(target, label)
        if re.match(r"(?:[a-z][a-z0-9+.-]*:|www\.|/)", target, re.IGNORECASE):
            self.links.append(target)
            return label or target
        return f"<{inside}>"

    def special(self, target: str, label: str) -> str:
        if target.startswith("date^"):
            parts = target.split("^")
            self.links.extend(parts[3:4])
            return label
        if target.startswith("subteam^"):
            self.mentions.append(target.removeprefix("subteam^"))
            return label or f"@{target}"
        self.pings.append(target)
        return f"@{label or target}"

    def find_bare(self, text: str, *, names: bool) -> None:
        for word in text.split():
            if ":" not in word and "." not in word and "@" not in word:
                continue
            rest = _BARE_URL.sub(self._link, word)
            # Each pattern is tried only where its sign stands, so that a very long word costs nothing.
            rest = _EMAIL.sub(self._address, rest) if "@" in rest and "." in rest else rest
            if "." in rest:
                self.links.extend(found.group() for found in _BARE_HOST.finditer(rest))
            if names and "@" in rest:
                self.pings.extend(found.group(1) for found in _ALARM.finditer(rest))

    def _link(self, found: re.Match[str]) -> str:
        self.links.append(found.group())
        return " "

    def _address(self, found: re.Match[str]) -> str:
        self.links.append(f"mailto:{found.group()}")
        return " "

    def _labelled(self, found: re.Match[str]) -> str:
        self.links.append(found.group(2))
        return found.group(1)

    def mrkdwn(self, text: str, *, verbatim: bool = False, names: bool = True) -> str:
        """Slack's own markup, to what is shown; in code, only what stands in angle brackets is live."""
        shown, last = [], 0
        for code in [*_CODE.finditer(text), None]:
            prose = text[last : code.start() if code else len(text)]
            shown.append(self._prose(prose, verbatim=verbatim, names=names))
            if code:
                inside = _TOKEN.sub(lambda found: self.token(found.group(1), found.group(2)), code.group().strip("`"))
                shown.append(_unescape(inside))
                last = code.end()
        return "".join(shown)

    def _prose(self, text: str, *, verbatim: bool, names: bool) -> str:
        kept: list[str] = []

        def keep(found: re.Match[str]) -> str:
            kept.append(self.token(found.group(1), found.group(2)))
            return f"\x00{len(kept) - 1}\x01"

        text = _TOKEN.sub(keep, text)
        if not verbatim:
            self.find_bare(text, names=names)
        for mark in _MARKS:
            text = mark.sub(r"\1", text)
        return _unescape(re.sub("\x00(\\d+)\x01", lambda found: kept[int(found.group(1))], text))

    def markdown(self, text: str) -> str:
        """Standard Markdown, to what is shown; Slack's own tokens count as live in it as well."""
        text = _MD_LINK.sub(self._labelled, _MD_IMAGE.sub(self._labelled, text))
        text = _TOKEN.sub(lambda found: self.token(found.group(1), found.group(2)), text)
        self.find_bare(_CODE.sub(" ", text), names=True)
        text = re.sub(r"^#{1,6} +", "", text, flags=re.MULTILINE)
        text = _MD_STRONG.sub(r"\2", text)
        text = _MD_WEAK.sub(r"\2", text)
        text = re.sub(r"^```\w*\n?|`", "", text, flags=re.MULTILINE)
        return html.unescape(_MD_ESCAPE.sub(r"\1", text))

    def object(self, text: Any) -> str:
        """A text object; plain text has no markup at all and shows as it stands."""
        if not isinstance(text, dict):
            return text if isinstance(text, str) else ""
        words: str = text.get("text") or ""
        if text.get("type") == "mrkdwn":
            return self.mrkdwn(words, verbatim=bool(text.get("verbatim")))
        return words

    def rich(self, element: dict[str, Any]) -> str:
        """A part of rich text."""
        kind = element.get("type", "")
        if kind in {"text", "emoji"}:
            return str(element.get("text") or f":{element.get('name', '')}:")
        if kind == "link":
            self.links.append(element["url"])
            return str(element.get("text") or element["url"])
        if kind in {"user", "usergroup", "channel", "team"}:
            target = element.get(f"{kind}_id", "")
            self.mentions.append(target)
            return f"{'#' if kind == 'channel' else '@'}{target}"
        if kind == "broadcast":
            self.pings.append(element["range"])
            return f"@{element['range']}"
        parts = [self.rich(each) for each in element.get("elements") or []]
        if kind == "rich_text_list":
            return "\n".join(f"• {part}" for part in parts)
        return ("\n" if kind == "rich_text" else "").join(parts) or str(element.get("fallback") or "")

    # -- blocks

    def say(self, *texts: Any) -> None:
        self.lines.extend(self.object(text) for text in texts)

    def control(self, element: dict[str, Any], block_id: str) -> None:
        """Something interactive; feedback is two buttons with one action id."""
        kind = element.get("type", "")
        if kind == "image":
            self.images.append(element.get("alt_text", ""))
            return
        sides = [element[key] for key in ("positive_button", "negative_button") if key in element]
        for part in sides or [element]:
            label = self.object(part.get("text") or element.get("placeholder") or element.get("icon") or "")
            self.buttons.append(
                Button(
                    label=label,
                    action_id=element.get("action_id") or "",
                    value=part.get("value") or "",
                    kind=kind,
                    block_id=block_id,
                    url=element.get("url") or "",
                    style=element.get("style") or "",
                    element=element,
                )
            )

    def block(self, block: dict[str, Any]) -> None:
        kind, block_id = block.get("type", ""), block.get("block_id") or ""
        if kind in {"section", "header", "alert"}:
            self.say(block.get("text"), *(block.get("fields") or []))
        elif kind == "context":
            texts = [each for each in block["elements"] if each.get("type") != "image"]
            self.lines.append(" ".join(self.object(each) for each in texts))
            self.images += [each.get("alt_text", "") for each in block["elements"] if each.get("type") == "image"]
        elif kind == "markdown":
            self.lines.append(self.markdown(block["text"]))
        elif kind == "rich_text":
            self.lines.append(self.rich(block))
        elif kind in {"table", "data_table"}:
            self.table(block)
        elif kind == "data_visualization":
            self.chart(block)
        elif kind in {"actions", "context_actions"}:
            for element in block["elements"]:
                self.control(element, block_id)
        elif kind == "input":
            self.say(block.get("label"), block.get("hint"))
            self.control(block["element"], block_id)
        else:
            self.other(block)
        if isinstance(block.get("accessory"), dict):
            self.control(block["accessory"], block_id)

    def other(self, block: dict[str, Any]) -> None:
        self.say(*(block.get(key) for key in ("title", "subtitle", "body", "text", "description")))
        if block.get("type") == "image":
            self.images.append(block.get("alt_text", ""))
        for inner in [*(block.get("tasks") or []), *(block.get("child_blocks") or block.get("blocks") or [])]:
            self.block(inner)
        for action in block.get("actions") or []:
            self.control(action, block.get("block_id") or "")
        for card in block.get("elements") or []:
            self.block(card)
        for rich in (block.get("details"), block.get("output")):
            self.lines.append(self.rich(rich) if isinstance(rich, dict) else rich or "")

    def table(self, block: dict[str, Any]) -> None:
        self.lines.append(block.get("caption") or "")
        for row in block["rows"]:
            cells = [self.rich(cell) if cell.get("type") == "rich_text" else cell.get("text", "") for cell in row]
            self.lines.append(" | ".join(cells))

    def chart(self, block: dict[str, Any]) -> None:
        self.lines.append(block["title"])
        chart = block["chart"]
        for segment in chart.get("segments") or []:
            self.lines.append(f"{segment['label']}: {segment['value']}")
        for series in chart.get("series") or []:
            points = ", ".join(f"{point['label']}: {point['value']}" for point in series["data"])
            self.lines.append(f"{series['name']}: {points}")


def _unescape(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def render(payload: dict[str, Any], blocks: list[dict[str, Any]]) -> Rendered:
    """What a message shows: its blocks, or its text where it has none; then its attachments."""
    screen = _Screen()
    if blocks:
        for block in blocks:
            screen.block(block)
    elif payload.get("text"):
        full = payload.get("parse") == "full" or bool(payload.get("link_names"))
        plain = payload.get("mrkdwn") is False
        screen.lines.append(_unescape(payload["text"]) if plain else screen.mrkdwn(payload["text"], names=full))
        if plain:
            screen.find_bare(payload["text"], names=full)
    for attachment in payload.get("attachments") or []:
        screen.lines += [screen.mrkdwn(attachment.get(key) or "") for key in ("pretext", "title", "text")]
        for block in attachment.get("blocks") or []:
            screen.block(block)
    return screen.result()


def render_view(view: dict[str, Any]) -> Rendered:
    """What a home or a modal shows, its title first."""
    screen = _Screen()
    screen.say(view.get("title"))
    for block in view.get("blocks") or []:
        screen.block(block)
    return screen.result()


def decoded(value: Any) -> Any:
    """A form's field that holds JSON, read; anything else as it is."""
    if isinstance(value, str) and value[:1] in {"[", "{"}:
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value
