"""What we post on Discord: cards (Components V2), the plainer forms that they may take, and which of them stand in a channel."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from bots.discord_app.buttons import Button, has_room, parse_custom_id, reply_shown
from bots.discord_app.rendering import REST, TABLE, Part
from bots.discord_app.wording import escape
from bots.fallback import shorten
from bots.limits import Discord
from bots.payloads import list_at, look, text_at
from language.catalogue import say, translated
from language.tongue import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bots.discord_app.buttons import Menu, Row
    from bots.discord_app.rendering import Tone
    from bots.discord_app.web import Upload

Json = dict[str, Any]

# https://docs.discord.com/developers/resources/message#message-object-message-flags
_NO_EMBEDS, _LOADING, _CARD = 1 << 2, 1 << 7, 1 << 15
# https://docs.discord.com/developers/components/reference
_ROW, _BUTTON, _SELECT, _SECTION, _TEXT, _GALLERY, _FILE, _SEPARATOR, _CONTAINER = 1, 2, 3, 9, 10, 12, 13, 14, 17
#: The line at a card's edge.
_ACCENTS: dict[Tone, int] = {"out": 0xF0985A, "in": 0x4CC9A0, "asks": 0xE3C567, "none": 0x949BA4, "": 0x6CB2EB}
#: The ids of what changes in a card that stands: its texts by their places, a model's sentences, and the row of pages.
_FIRST_TEXT, _NARRATION, _PAGES = 1, 5, 6
EPHEMERAL: Final = 1 << 6

_STYLES = {"secondary": 2, "success": 3, "danger": 4}
_LEAST_MARK, _MOST_MARK = 1 << 30, (1 << 30) - 1
_LONGEST_NAME = 60
_ANSWERS = ("confirm", "cancel", "columns")
_LONGEST_LINE = 200
#: A longer headline beside a button would stand in six lines and more on a phone; the button is then among the others.
_LONGEST_BESIDE = 48


@dataclass(frozen=True, slots=True)
class Draft:
    """A message to be sent, with its files: a card, or ``plain``, where its texts are content and there are no pages.

    ``mark`` tells the card from all others: it is the id of its container, which Discord keeps.
    """

    part: Part
    mark: int
    files: tuple[Upload, ...] = ()
    language: str = DEFAULT
    plain: bool = False
    notes: str = ""
    """What is said of files that are not with it."""

    @property
    def content(self) -> str:
        """All that it says; where it is plain, as much of it as content may be, and the notes whole."""
        room = Discord.CONTENT - (len(self.notes) + 1 if self.notes else 0)
        part = self.part.within(room) if self.plain else self.part
        return part.with_text(REST, self.notes).content

    @property
    def pictures(self) -> tuple[Upload, ...]:
        """The files that are shown, each with a text that describes it."""
        return tuple(each for each in self.files if each.alt)

    def body(self, *, alone: bool = False) -> Json:
        """Return the draft as Discord takes it, but for its files; ``alone`` shows an answer to its asker only."""
        if self.plain:
            return body(self.content, self.part.rows, alone=alone)
        told = self.told()
        return told | ({"flags": told["flags"] | EPHEMERAL} if alone else {})

    def told(self, sentences: str = "") -> Json:
        """Return the change by which a model's sentences stand below the message."""
        if self.plain:
            return {"content": "\n".join(filter(None, (self.content, sentences))), "allowed_mentions": {"parse": []}}
        return _card(_ACCENTS[self.part.tone], self.mark, [*self._shown(sentences)])

    def _shown(self, sentences: str) -> Iterator[Json]:
        """Yield what stands on the card, from top to bottom; beside the figure is what it consists of."""
        texts = self.part.with_text(REST, self.notes).texts
        head, body, table, rest = (_text(text, _FIRST_TEXT + place) for place, text in enumerate(texts))
        buttons = [each for row in self.part.rows for each in row if isinstance(each, Button)]
        behind = next((each for each in buttons if _action(each.custom_id) == "transactions"), None)
        heading, _, under = head["content"].partition("\n")
        beside = behind if 0 < len(heading) <= _LONGEST_BESIDE else None
        if beside is None:
            yield head
        else:
            yield {"type": _SECTION, "components": [head | {"content": heading}], "accessory": _button(beside)}
            yield _text(under)
        yield from (body, table, *components([self.part.pages], _PAGES))
        pictures = [{"media": {"url": _attached(each)}, "description": each.alt} for each in self.pictures]
        yield from [{"type": _GALLERY, "items": pictures}] if pictures else []
        yield from (rest, _text(sentences, _NARRATION))
        yield from ({"type": _FILE, "file": {"url": _attached(each)}} for each in self.files if not each.alt)
        rows = components(_without(self.part.rows, beside))
        yield from [{"type": _SEPARATOR}, *rows] if rows else []

    def plainer(self) -> Draft | None:
        """Return the next form for a Discord that refuses this one: no card, with a picture in words, then no buttons."""
        if not self.plain:
            return replace(self.without(self.pictures), plain=True)
        return replace(self, part=replace(self.part, rows=())) if self.part.rows else None

    def sent(self) -> Draft:
        """Return what is to be remembered of it: its files' names, not what is in them."""
        return replace(self, files=tuple(replace(each, data=b"") for each in self.files))

    def without(self, files: Sequence[Upload]) -> Draft:
        """Return the draft without these files, and saying so, or what they show."""
        notes = [each.instead or _missing(each.name, len(each.data), self.language) for each in files]
        left = tuple(each for each in self.files if each not in files)
        return replace(self, notes="\n".join(filter(None, (self.notes, *notes))), files=left)


def body(content: str, rows: Sequence[Row] = (), *, alone: bool = False) -> dict[str, Any]:
    """Return a message that alarms nobody and unfolds no address; ``alone`` shows an answer to its asker only."""
    return {
        "content": content,
        "components": components(rows),
        "flags": _NO_EMBEDS | (EPHEMERAL if alone else 0),
        "allowed_mentions": {"parse": []},
    }


def _without(rows: Sequence[Row], beside: Button | None) -> Sequence[Row]:
    """Return rows without a button that stands elsewhere, and the last two as one where there is room for that now."""
    if beside is None:
        return rows
    *others, last = (tuple(each for each in row if each is not beside) for row in rows)
    if others and has_room(others[-1], last):
        return (*others[:-1], (*others[-1], *last))
    return (*others, last)


def _card(accent: object, mark: object, shown: Sequence[Json]) -> Json:
    """Return what stands on a card, but for texts that say nothing."""
    told = [each for each in shown if each["type"] != _TEXT or each["content"]]
    container = {"type": _CONTAINER, "id": mark, "accent_color": accent, "components": told}
    return {"components": [container], "flags": _CARD, "allowed_mentions": {"parse": []}}


def _text(content: str, number: int = 0) -> Json:
    return {"type": _TEXT, "content": content} | ({"id": number} if number else {})


def _attached(file: Upload) -> str:
    return f"attachment://{file.attached}"


def notice(line: str, row: Row = (), *, alone: bool = False) -> dict[str, Any]:
    """Return a line of ours as a message, with a row of buttons."""
    return body(escape(line)[: Discord.CONTENT], (row,) if row else (), alone=alone)


def is_thinking(message: object) -> bool:
    """Whether an answer to an interaction shows that we think."""
    return bool(_flags(message) & _LOADING)


def components(rows: Sequence[Row], number: int = 0) -> list[Json]:
    """Return rows as Discord takes them, those with nothing left out; ``number`` is a row's id, if it has one."""
    known = {"id": number} if number else {}
    drawn = ([_button(each) if isinstance(each, Button) else _menu(each) for each in row] for row in rows)
    return [{"type": _ROW, "components": row, **known} for row in drawn if row]


def _menu(menu: Menu) -> Json:
    options = [{"label": each.label, "value": each.custom_id} for each in menu.options]
    return {"type": _SELECT, "custom_id": menu.custom_id, "placeholder": menu.placeholder, "options": options}


def _button(button: Button) -> Json:
    made = {
        "type": _BUTTON,
        "style": _STYLES[button.style],
        "label": button.label,
        "custom_id": button.custom_id,
    }
    return made | ({"disabled": True} if button.disabled else {})


def settled_body(shown: object, line: str) -> Json:
    """Return the change by which a message says what became of it, in place of its buttons for yes and no."""
    said = f"-# → {escape(shorten(' '.join(line.split()), _LONGEST_LINE))}"
    if _flags(shown) & _CARD:
        return _with_children(shown, lambda children: _settled_card(children, said))
    content = text_at(shown, "content")
    longer = f"{content}\n{said}"
    return {
        "content": longer if len(longer) <= Discord.CONTENT else content,
        "components": [row for each in list_at(shown, "components") if (row := _unanswered(each))],
        "allowed_mentions": {"parse": []},
    }


def turned_body(shown: object, text: str, pages: Row) -> Json | None:
    """Return the change by which a card shows another page of its table, and all else as it stands; None for no card."""

    def turn(children: list[Json]) -> list[Json]:
        new = {each["id"]: each for each in (_text(text, _FIRST_TEXT + TABLE), *components([pages], _PAGES))}
        return [new.get(each.get("id"), each) for each in children]

    return _with_children(shown, turn) if _flags(shown) & _CARD else None


def _with_children(shown: object, change: Callable[[list[Json]], list[Json]]) -> Json:
    """Return the change of a card that stands."""
    container = next(iter(list_at(shown, "components")), None)
    children = change([_resent(each) for each in list_at(container, "components") if isinstance(each, dict)])
    return _card(look(container, "accent_color"), look(container, "id"), children)


def _settled_card(children: list[Json], said: str) -> list[Json]:
    """Return what stands on a card without its answers, and above its buttons what became of it."""
    kept = [row for each in children if (row := _unanswered(each))]
    below = len(kept)
    while below and kept[below - 1]["type"] in (_ROW, _SEPARATOR) and look(kept[below - 1], "id") != _PAGES:
        below -= 1
    rows = [each for each in kept[below:] if each["type"] == _ROW]
    return [*kept[:below], _text(said), *([{"type": _SEPARATOR}, *rows] if rows else [])]


def _unanswered(component: Any) -> Json | None:
    """Return a component without its buttons for yes and no; None where nothing else was in it."""
    if look(component, "type") != _ROW:
        return dict(component)
    others = [each for each in list_at(component, "components") if _action(text_at(each, "custom_id")) not in _ANSWERS]
    return {**component, "components": others} if others else None


def _resent(component: Json) -> Json:
    """Return a component of a message that stands as Discord takes it again: it tells more of a file than it takes."""
    made = {key: component[key] for key in component.keys() - {"name", "size"}}
    if "file" in made:
        made["file"] = _uploaded(made["file"])
    if "items" in made:
        made["items"] = [
            {"media": _uploaded(look(each, "media")), "description": text_at(each, "description")}
            for each in list_at(made, "items")
        ]
    return made


def _uploaded(media: object) -> Json:
    """Return the reference to a file of the message itself, by the name at the end of its address."""
    name = text_at(media, "url").partition("?")[0].rpartition("/")[2]
    return {"url": f"attachment://{name}"}


def _action(custom_id: str) -> str:
    button = parse_custom_id(custom_id)
    return button.action if button is not None else ""


def mark_of(key: str, number: int) -> int:
    """Return the id of a reply's card by its number, far from those of what stands on it."""
    return zlib.crc32(f"{key}:{number}".encode()) & _MOST_MARK | _LEAST_MARK


def standing(posts: Sequence[object], user: str, key: str, count: int) -> dict[str, str]:
    """Return which of a reply's messages are among posts of this user, us, by number, with their ids.

    A card is known by its mark. The last message in its plain form has buttons with the reply's key, and comes after the rest.
    """
    ours = [each for each in posts if text_at(each, "author", "id") == user]
    if any(reply_shown(each) == key and not _flags(each) & _CARD for each in ours):
        return dict.fromkeys(map(str, range(count)), "")
    marked = {look(next(iter(list_at(each, "components")), None), "id"): text_at(each, "id") for each in ours}
    marks = {str(number): mark_of(key, number) for number in range(count)}
    return {number: marked[mark] for number, mark in marks.items() if mark in marked}


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
