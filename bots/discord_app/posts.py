"""What we post on Discord: bodies of messages, the plainer forms that they may take, and which of them stand in a channel."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from bots.discord_app.buttons import parse_custom_id, reply_shown
from bots.discord_app.escaping import escape
from bots.discord_app.rendering import Part
from bots.fallback import shorten
from bots.limits import Discord
from bots.payloads import list_at, look, text_at
from language.catalogue import say, translated
from language.tongue import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bots.discord_app.buttons import Row
    from bots.discord_app.web import Upload

# https://docs.discord.com/developers/resources/message#message-object-message-flags
_NO_EMBEDS, _LOADING, _CARD = 1 << 2, 1 << 7, 1 << 15
# https://docs.discord.com/developers/components/reference
_ROW, _BUTTON, _TEXT, _GALLERY, _FILE, _CONTAINER = 1, 2, 10, 12, 13, 17
#: The line at a card's edge, by which way the money went that it shows.
_ACCENTS = {"out": 0xF0985A, "in": 0x4CC9A0, "": 0x6CB2EB}
EPHEMERAL: Final = 1 << 6

_STYLES = {"secondary": 2, "success": 3, "danger": 4}
#: Discord changes other signs of a file's name.
_RENAMED = re.compile(r"[^a-z0-9]", re.IGNORECASE)
_LONGEST_NAME = 60
_LONGEST_LINE = 200


@dataclass(frozen=True, slots=True)
class Draft:
    """A message to be sent: its content, rows of buttons, and files; with a picture it is a card (Components V2)."""

    content: str
    rows: tuple[Row, ...] = ()
    files: tuple[Upload, ...] = ()
    language: str = DEFAULT
    flow: Literal["out", "in", ""] = ""

    @property
    def pictures(self) -> tuple[Upload, ...]:
        """The files that are shown, each with a text that describes it."""
        return tuple(each for each in self.files if each.alt)

    def body(self, *, alone: bool = False) -> dict[str, Any]:
        """Return the draft as Discord takes it, but for its files; ``alone`` shows an answer to its asker only."""
        if not self.pictures:
            return body(self.content, self.rows, alone=alone)
        return {**self.changed(self.content), "flags": _CARD | (EPHEMERAL if alone else 0)}

    def changed(self, content: str) -> dict[str, Any]:
        """Return the change by which the message has another content."""
        if not self.pictures:
            return {"content": content, "allowed_mentions": {"parse": []}}
        shown: list[dict[str, Any]] = [{"type": _TEXT, "content": content}] if content else []
        items = [{"media": {"url": _attached(each)}, "description": each.alt} for each in self.pictures]
        shown.append({"type": _GALLERY, "items": items})
        shown += [{"type": _FILE, "file": {"url": _attached(each)}} for each in self.files if not each.alt]
        container = {"type": _CONTAINER, "accent_color": _ACCENTS[self.flow]}
        return {
            "components": [{**container, "components": [*shown, *components(self.rows)]}],
            "allowed_mentions": {"parse": []},
        }

    def plainer(self) -> Draft | None:
        """Return the next form for a Discord that refuses this one: what a picture shows in words, then no buttons."""
        if self.pictures:
            return self.without(self.pictures)
        return replace(self, rows=()) if self.rows else None

    def sent(self) -> Draft:
        """Return what is to be remembered of it: its files' names, not what is in them."""
        return replace(self, files=tuple(replace(each, data=b"") for each in self.files))

    def without(self, files: Sequence[Upload]) -> Draft:
        """Return the draft without these files, and saying so, or what they show."""
        lines = [each.instead or _missing(each.name, len(each.data), self.language) for each in files]
        content = "\n".join(filter(None, (self.content, *lines))) or "…"
        return replace(self, content=content, files=tuple(each for each in self.files if each not in files))

    def is_shown_by(self, post: object) -> bool:
        """Whether a post shows the draft, with its files or without."""
        names = [_plain(text_at(each, "filename")) for each in list_at(post, "attachments")]
        return any(
            _said(post) == form.content.strip() and names == [_plain(each.name) for each in form.files]
            for form in (self, self.without(self.files))
        )


def body(content: str, rows: Sequence[Row] = (), *, alone: bool = False) -> dict[str, Any]:
    """Return a message that alarms nobody and unfolds no address; ``alone`` shows an answer to its asker only."""
    return {
        "content": content,
        "components": components(rows),
        "flags": _NO_EMBEDS | (EPHEMERAL if alone else 0),
        "allowed_mentions": {"parse": []},
    }


def _attached(file: Upload) -> str:
    return f"attachment://{file.name}"


def _said(post: object) -> str:
    """Return the text of a message, or that of a card."""
    shown = list_at(next(iter(list_at(post, "components")), None), "components")
    texts = (text_at(each, "content") for each in shown if look(each, "type") == _TEXT)
    return text_at(post, "content") or "\n".join(texts).strip()


def notice(line: str, row: Row = (), *, alone: bool = False) -> dict[str, Any]:
    """Return a line of ours as a message, with a row of buttons."""
    return body(escape(line)[: Discord.CONTENT], (row,) if row else (), alone=alone)


def is_thinking(message: object) -> bool:
    """Whether an answer to an interaction shows that we think."""
    return bool(_flags(message) & _LOADING)


def components(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return rows of buttons as Discord takes them."""
    return [
        {
            "type": _ROW,
            "components": [
                {"type": _BUTTON, "style": _STYLES[each.style], "label": each.label, "custom_id": each.custom_id}
                for each in row
            ],
        }
        for row in rows
    ]


def settled_body(content: str, rows: Sequence[object], line: str) -> dict[str, Any]:
    """Return the change by which a message says what became of it, in place of its buttons for yes and no."""
    kept = []
    for row in rows:
        others = [each for each in list_at(row, "components") if not _is_answer(text_at(each, "custom_id"))]
        if others:
            kept.append({"type": _ROW, "components": others})
    said = f"{content}\n-# → {escape(shorten(' '.join(line.split()), _LONGEST_LINE))}"
    fitting = said if len(said) <= Discord.CONTENT else content
    return {"content": fitting, "components": kept, "allowed_mentions": {"parse": []}}


def _is_answer(custom_id: str) -> bool:
    button = parse_custom_id(custom_id)
    return button is not None and button.action in ("confirm", "cancel", "columns")


def with_room(parts: Iterable[Part], language: str) -> Iterator[Part]:
    """Yield the parts, those in two that leave no room to say that their file is missing."""
    for part in parts:
        file = part.file
        if file and len(part.spoken.content) + 1 + len(_missing(file.name, len(file.data), language)) > Discord.CONTENT:
            yield replace(part, rows=(), file=None)
            yield Part("", part.rows, file)
        else:
            yield part


def standing(posts: Sequence[object], user: str, key: str, drafts: Sequence[Draft], *, since: bool) -> dict[str, str]:
    """Return which messages of a reply are among posts of this user, us, by number, with their ids where they are told apart.

    The last message has the buttons, whose key tells it from all others; it comes after the rest. What has none is known
    by what it shows, which an earlier reply may show as well: it counts only in posts that came ``since`` the question.
    """
    ours = {_age(each): each for each in posts if text_at(each, "author", "id") == user}
    shown = {age: reply_shown(each) for age, each in ours.items()}
    if key in shown.values():
        return dict.fromkeys(map(str, range(len(drafts))), "")
    found: dict[str, str] = {}
    following = 0
    for post in (ours[age] for age in sorted(ours) if since and shown[age] is None):
        number = next((n for n in range(following, len(drafts)) if drafts[n].is_shown_by(post)), None)
        if number is not None:
            found[str(number)] = text_at(post, "id")
            following = number + 1
    return found


def _age(post: object) -> tuple[int, str]:
    """Return what sorts posts by their ids, which are numbers in the order of time."""
    number = text_at(post, "id")
    return len(number), number


def _flags(message: object) -> int:
    flags = look(message, "flags")
    return flags if isinstance(flags, int) else 0


def _missing(name: str, size: int, language: str) -> str:
    line = say(
        "Discord does not take the file {file}; it is {size}.",
        file=escape(shorten(name, _LONGEST_NAME)),
        size=_size(size),
    )
    return translated(line, language)


def _size(count: int) -> str:
    return f"{count / 1024 / 1024:.1f} MB" if count >= 1024 * 1024 else f"{count / 1024:.1f} KB"


def _plain(name: str) -> str:
    return _RENAMED.sub("", name).casefold()
