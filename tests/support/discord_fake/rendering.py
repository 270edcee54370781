"""What a reader's screen shows of a message: its words, what is live in them, and what can be pressed.

Discord's markdown (https://docs.discord.com/developers/reference, message formatting) is taken away as the client does;
where it is unclear whether a mention or a link is live, it is taken for live, so that "nothing in here is live" errs on
the safe side.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_CODE = re.compile(r"```(?:[a-zA-Z0-9_+-]*\n)?(.*?)```|``(.+?)``|(?<!\\)`([^`\n]+)`", re.DOTALL)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_MASKED = re.compile(r"(?<!\\)\[((?:[^\]\n\\]|\\.)+)\]\((<?)(https?://[^\s)>]+)>?(?:\s+[\"'][^\"'\n]*[\"'])?\)")
_TOKEN = re.compile(r"<(@!?|@&|#)(\d+)>|<t:(-?\d+)(?::([tTdDfFRsS]))?>|<a?:(\w+):\d+>|</([^:<>\n]+):\d+>")
_QUIET_URL = re.compile(r"<(https?://[^\s<>]+)>")
_URL = re.compile(r"(?:https?://|(?<![\w/])discord\.gg/)[^\s<>|`]+", re.IGNORECASE)
_ALARM = re.compile(r"@(everyone|here)\b")
_MARKS = [
    re.compile(rf"{mark}(?=\S)(.+?)(?<=\S){mark}", re.DOTALL) for mark in (r"\*\*\*", r"\*\*", "__", "~~", r"\|\|")
] + [
    re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]+?)(?<=\S)\*(?![\w*])"),
    re.compile(r"(?<![\w_])_(?=[^\s_])([^_]+?)(?<=\S)_(?![\w_])"),
]
_LINE = re.compile(r"^(?:#{1,3} |-# |>>> |> )", re.MULTILINE)
_KEPT = re.compile(r"\x00(\d+)\x00")


class Names(Protocol):
    """Knows what the ids in a message are called, None for what is not known."""

    def name_of(self, sigil: str, number: str) -> str | None: ...


class Shown(Protocol):
    """As much of a message as its screen needs."""

    content: str
    embeds: list[dict[str, Any]]
    components: list[dict[str, Any]]
    flags: int
    embed_links: bool

    @property
    def is_loading(self) -> bool: ...


@dataclass(frozen=True)
class Button:
    """Something to press; a link has a ``url`` and no ``custom_id``."""

    label: str
    custom_id: str = ""
    url: str = ""
    style: int = 1
    disabled: bool = False
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True)
class Menu:
    """Something to choose from; ``options`` are labels and values."""

    custom_id: str
    placeholder: str = ""
    options: tuple[tuple[str, str], ...] = ()
    kind: int = 3
    disabled: bool = False
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True)
class Rendered:
    """A message as shown."""

    text: str
    mentions: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    buttons: tuple[Button, ...] = ()
    menus: tuple[Menu, ...] = ()


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every component of a tree, parents first, in the order of the screen."""
    for component in components:
        yield component
        inner = list(component.get("components") or [])
        inner += [component[key] for key in ("accessory", "component") if isinstance(component.get(key), dict)]
        yield from walk(inner)


def mentioned(message: Shown) -> Screen:
    """What a message mentions in content and text displays; embeds notify and mention nobody.

    A backslash hides a mention's look, not the mention.
    """
    screen = Screen(_Nobody(), escapes=False)
    screen.prose(message.content)
    for component in walk(message.components):
        if component.get("type") == 10:
            screen.prose(component.get("content") or "")
    return screen


class _Nobody:
    def name_of(self, sigil: str, number: str) -> str | None:
        return number


class Screen:
    """Collects while a message's texts are shown."""

    def __init__(self, names: Names, *, escapes: bool = True) -> None:
        self.names = names
        self.escapes = escapes
        self.mentions: list[str] = []
        self.links: list[str] = []
        self.urls: list[str] = []
        self.buttons: list[Button] = []
        self.menus: list[Menu] = []

    def prose(self, text: str) -> str:
        """Markdown, to what is shown; code is shown as it stands, and nothing in it is live."""
        kept: list[str] = []

        def keep(shown: str) -> str:
            kept.append(shown)
            return f"\x00{len(kept) - 1}\x00"

        text = _CODE.sub(lambda found: keep(next(part for part in found.groups() if part is not None)), text)
        if self.escapes:
            text = _ESCAPE.sub(lambda found: keep(found.group(1)), text)
        text = _MASKED.sub(self._masked, text)
        text = _TOKEN.sub(lambda found: keep(self._token(found)), text)
        text = _QUIET_URL.sub(lambda found: keep(self._url(found.group(1), preview=False)), text)
        text = _URL.sub(lambda found: keep(self._url(found.group(), preview=True)), text)
        self.mentions.extend(found.group(1) for found in _ALARM.finditer(text))
        text = _LINE.sub("", text)
        for mark in _MARKS:
            text = mark.sub(r"\1", text)
        return _restore(text, kept)

    def _masked(self, found: re.Match[str]) -> str:
        label, quiet, url = found.groups()
        self._url(url, preview=not quiet)
        return label

    def _url(self, url: str, *, preview: bool) -> str:
        url = url.rstrip(".,:;!?'\")")
        self.urls.append(url)
        if preview:
            self.links.append(url)
        return url

    def _token(self, found: re.Match[str]) -> str:
        sigil, number, stamp, style, emoji, command = found.groups()
        if stamp:
            return _moment(int(stamp), style or "f")
        if emoji:
            return f":{emoji}:"
        if command:
            return f"/{command}"
        sigil = sigil.removesuffix("!")
        if sigil != "#":
            self.mentions.append(number)
        name = self.names.name_of(sigil, number)
        return f"{'#' if sigil == '#' else '@'}{name or f'unknown-{number}'}"

    def embed(self, embed: dict[str, Any]) -> Iterator[str]:
        """An embed's words from top to bottom; in it links are clicked, never previewed, and nobody is notified."""
        links = len(self.links)
        yield (embed.get("author") or {}).get("name") or ""
        yield self.prose(embed.get("title") or "")
        yield self.prose(embed.get("description") or "")
        for entry in embed.get("fields") or []:
            yield self.prose(entry.get("name") or "")
            yield self.prose(entry.get("value") or "")
        yield (embed.get("footer") or {}).get("text") or ""
        del self.links[links:]
        self.urls.extend(str(embed[key]) for key in ("url",) if embed.get(key))

    def component(self, component: dict[str, Any]) -> str:
        kind = component.get("type")
        if kind == 10:
            links = len(self.links)
            shown = self.prose(component.get("content") or "")
            del self.links[links:]
            return shown
        if kind == 2:
            self._button(component)
        elif kind in {3, 5, 6, 7, 8}:
            options = tuple((each["label"], each["value"]) for each in component.get("options") or [])
            placeholder, off = component.get("placeholder") or "", bool(component.get("disabled"))
            self.menus.append(Menu(component.get("custom_id", ""), placeholder, options, kind, off, component))
        return ""

    def _button(self, component: dict[str, Any]) -> None:
        emoji = (component.get("emoji") or {}).get("name") or ""
        label = component.get("label") or emoji
        url = component.get("url") or ""
        if url:
            self.urls.append(url)
        style, off = component.get("style", 1), bool(component.get("disabled"))
        self.buttons.append(Button(label, component.get("custom_id") or "", url, style, off, component))


def _restore(text: str, kept: list[str]) -> str:
    while (shown := _KEPT.sub(lambda found: kept[int(found.group(1))], text)) != text:
        text = shown
    return text


def _moment(stamp: int, style: str) -> str:
    moment = datetime.fromtimestamp(stamp, UTC)
    if style in {"t", "T"}:
        return f"{moment:%H:%M}"
    return f"{moment:%Y-%m-%d}" if style in {"d", "D"} else f"{moment:%Y-%m-%d %H:%M}"


def render(message: Shown, names: Names) -> Rendered:
    """A whole message: content, embeds, text displays, buttons."""
    screen = Screen(names)
    if message.is_loading:
        return Rendered("")
    lines = [screen.prose(message.content)]
    if message.flags & (1 << 2) or not message.embed_links:
        screen.links.clear()
    for embed in message.embeds:
        lines.extend(screen.embed(embed))
    lines.extend(screen.component(component) for component in walk(message.components))
    unique: Callable[[list[str]], tuple[str, ...]] = lambda items: tuple(dict.fromkeys(items))  # noqa: E731
    return Rendered(
        "\n".join(line for line in lines if line),
        unique(screen.mentions),
        unique(screen.links),
        unique(screen.urls),
        tuple(screen.buttons),
        tuple(screen.menus),
    )
