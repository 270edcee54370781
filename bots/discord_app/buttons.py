"""Buttons on Discord: what a press has to carry so that it can be understood after a restart.

A ``custom_id`` takes 100 characters: ``mm:<action>:<key of the reply>:<place among its buttons>:<value>``. What a longer
value says is left out and found again in the reply itself, as it was stored under its key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args, get_type_hints

from bots.cleaning import clean
from bots.fallback import shorten
from bots.limits import Discord
from bots.payloads import list_at, look, text_at
from graph.reply import Action
from language.catalogue import translated
from language.tongue import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from graph.reply import Reply

Style = Literal["secondary", "success", "danger"]
Row = tuple["Button | Menu", ...]

_Group = list[tuple[Action, "Button"]]

_PREFIX = "mm"
#: What can be chosen from a menu as well, and the value of a menu's own id.
_CHOICES = ("ask", "choose")
_MENU = "\u2026"
#: A message's container, its rows, their buttons.
_LAYERS = 3
#: Turns to another page of a table, which is no business of the desk; its value is the table's place and the page.
PAGE: Final = "page"
_KNOWN = frozenset({PAGE, *get_args(get_type_hints(Action)["action"])})
_FEEDBACK = {"right": "👍", "wrong": "👎"}
#: Takes a reply's place in the button below a line that is none.
_NO_REPLY = "form"
_PLACE = re.compile("[0-9]{1,3}", re.ASCII)
_PAGE = re.compile(r"([0-9]{1,2})\.([0-9]{1,6})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Button:
    """A button as Discord shows it; ``style`` is the name of a ``discord.ButtonStyle``."""

    label: str
    custom_id: str
    style: Style = "secondary"
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """What is chosen from where a row of buttons is too short; an option is what its button would be."""

    placeholder: str
    custom_id: str
    options: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a pressed button carries.

    ``about`` is the key of the reply that it stands below, ``position`` its place among that reply's buttons. ``value`` is
    None where it was too long to carry; :func:`find_action` finds it.
    """

    action: str
    about: str
    position: int
    value: str | None


def parse_custom_id(text: str) -> Pressed | None:
    """Return what a button carries, None where it is none of ours."""
    match text.split(":", 4):
        case [prefix, action, about, place, *rest] if (
            prefix == _PREFIX and action in _KNOWN and about and _PLACE.fullmatch(place)
        ):
            value = rest[0] if rest else None
            if action == "feedback" and value not in _FEEDBACK:
                return None
            return Pressed(action, about, int(place), value)
        case _:
            return None


def reply_shown(message: object) -> str | None:
    """Return the key of the reply that a message shows, None where no button of ours stands below it.

    Those that turn pages don't tell it, as any message of a reply may have them and the others only the last.
    """
    return _key_below(message, _LAYERS)


def _key_below(component: object, layers: int) -> str | None:
    inner = [*list_at(component, "components"), look(component, "accessory")]
    for each in inner if layers else ():
        button = parse_custom_id(text_at(each, "custom_id"))
        told = button is not None and button.action != PAGE
        found = button.about if button is not None and told else _key_below(each, layers - 1)
        if found is not None:
            return found
    return None


def find_action(pressed: Pressed, reply: Reply | None) -> Action | None:
    """Return the button that was pressed: as it was carried, or else as it stands in the reply, None where it does not.

    ``reply`` is the one that ``pressed.about`` names, as the presser's own conversation holds it; it is only looked at
    where ``pressed.value`` is None.
    """
    if pressed.value is not None:
        return Action("", cast("Any", pressed.action), pressed.value)
    actions = [] if reply is None else [action for row in reply.rows() for action in row]
    found = actions[pressed.position] if pressed.position < len(actions) else None
    return found if found is not None and found.action == pressed.action else None


def lay_out(
    rows: Sequence[Sequence[Action]], about: str, *, shareable: bool, most: int = Discord.ROWS, language: str = DEFAULT
) -> tuple[tuple[Row, ...], tuple[Action, ...]]:
    """Return at most so many rows of buttons, and the actions that got none.

    What is asked or chosen from more than one row takes becomes a menu; any other row that is too long becomes several, and
    all are filled up where there would be too many.
    """
    numbers = count()
    groups = [group for row in rows for group in _groups(row, about, numbers, shareable=shareable)]
    if len(groups) > most:
        menus = [group for group in groups if len(group) > Discord.ROW_BUTTONS]
        singles = [each for group in groups if group not in menus for each in group]
        groups = [*_cut(singles, Discord.ROW_BUTTONS), *menus]
    shown = tuple(_row([button for _, button in group], language) for group in groups[:most])
    unlabelled = (action for row in rows for action in row if not on_one_line(action.label))
    return shown, (*unlabelled, *(action for group in groups[most:] for action, _ in group))


def _groups(row: Sequence[Action], about: str, numbers: Iterator[int], *, shareable: bool) -> list[_Group]:
    """Return the rows of buttons that a row becomes, each action with its button, or with what a menu has in its place."""
    beside_no = any(action.action == "cancel" for action in row)
    placed = [(action, _button(action, about, next(numbers), beside_no=beside_no)) for action in row]
    group = [
        (action, button)
        for action, button in placed
        if on_one_line(action.label) and (shareable or action.action != "share")
    ]
    is_choice = len(group) > Discord.ROW_BUTTONS and all(action.action in _CHOICES for action, _ in group)
    return _cut(group, Discord.OPTIONS if is_choice else Discord.ROW_BUTTONS)


def _row(buttons: Sequence[Button], language: str) -> Row:
    """Return buttons as a row, or as a menu where they are too many; a menu's own id is none of its buttons'."""
    if len(buttons) <= Discord.ROW_BUTTONS:
        return tuple(buttons)
    custom_id = ":".join(buttons[0].custom_id.split(":", 4)[:4])
    return (Menu(translated("Choose…", language, "button"), f"{custom_id}:{_MENU}", tuple(buttons)),)


def has_room(row: Row, more: Row) -> bool:
    """Whether a row takes other buttons as well; beside a menu there is no room."""
    return len(row) + len(more) <= Discord.ROW_BUTTONS and all(isinstance(each, Button) for each in (*row, *more))


def feedback(about: str) -> Row:
    """Return the row that asks whether an answer was right."""
    return tuple(Button(label, _custom_id("feedback", about, 0, value)) for value, label in _FEEDBACK.items())


def page_row(about: str, place: int, page: int, *, last: bool, language: str) -> Row:
    """Return the row that turns the pages of a reply's table, both counted from 0."""
    turns = (("Back", page - 1, page == 0), ("Next", page + 1, last))
    return tuple(
        Button(
            translated(label, language, "button"), _custom_id(PAGE, about, way, f"{place}.{max(to, 0)}"), disabled=spent
        )
        for way, (label, to, spent) in enumerate(turns)
    )


def page_meant(button: Pressed) -> tuple[int, int] | None:
    """Return the place of the table that a button turns and the page, None where it does not say."""
    found = _PAGE.fullmatch(button.value or "") if button.action == PAGE else None
    return (int(found[1]), int(found[2])) if found else None


def reopening(label: str, form: str, about: str = "", value: str = "") -> Row:
    """Return the row that opens a form once more; ``about`` and ``value`` are what the button carried that opened it."""
    return (Button(label, _custom_id(form, about or _NO_REPLY, 0, value)),)


def on_one_line(text: str) -> str:
    """Return a text, cleaned, as a label takes it."""
    return " ".join(clean(text).split())


def _cut(group: _Group, most: int) -> list[_Group]:
    return [group[start : start + most] for start in range(0, len(group), most)]


def _button(action: Action, about: str, position: int, *, beside_no: bool) -> Button:
    label = on_one_line(action.label)
    style: Style = "secondary"
    if action.action == "forget" or action.effect == "final":
        style = "danger"
    elif action.action == "confirm" and beside_no:
        style = "success"
    return Button(shorten(label, Discord.BUTTON_LABEL), _custom_id(action.action, about, position, action.value), style)


def _custom_id(action: str, about: str, position: int, value: str) -> str:
    """Return an id that no other button of the message has; a value that does not survive in it whole is left out."""
    made = f"{_PREFIX}:{action}:{about}:{position}"
    if ":" in about or len(made) > Discord.CUSTOM_ID:
        raise ValueError("The key of a reply does not fit into a button's id.")
    whole = f"{made}:{value}"
    return whole if len(whole) <= Discord.CUSTOM_ID and value == on_one_line(value) else made
