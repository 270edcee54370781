"""Buttons on Slack: what a press has to carry so that it can be understood after a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast, get_args, get_type_hints
from urllib.parse import quote, unquote

from bots.cleaning import clean
from bots.fallback import shorten
from bots.limits import Slack
from bots.slack_app.parts import plain_text
from graph.reply import Action
from language.catalogue import say, translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PREFIX = "mm"
FEEDBACK: Final = f"{_PREFIX}:feedback"
_KNOWN = frozenset(get_args(get_type_hints(Action)["action"]))
_STYLES = {"confirm": "primary", "forget": "danger"}


def block_id(about: str, thread: str, position: int) -> str:
    """Return the id of a reply's block of buttons: the reply's key, the thread's ts (or nothing), and which block it is."""
    made = ":".join((_PREFIX, quote(about, safe=""), quote(thread, safe=""), str(position)))
    if len(made) > Slack.BLOCK_ID:
        raise ValueError("The key of a reply is too long for the id of a block.")
    return made


def parse_block_id(text: str) -> tuple[str, str] | None:
    """Return the reply's key and the thread's ts that a block's id carries, None where it is none of ours."""
    match text.split(":"):
        case [prefix, about, thread, position] if prefix == _PREFIX and about and position.isdecimal():
            return unquote(about), unquote(thread)
        case _:
            return None


def parse_action(action_id: str, value: str, label: str) -> Action | None:
    """Return the button that was pressed, None where it is none of ours."""
    if action_id == FEEDBACK:
        return Action(label, "feedback", value)
    match action_id.split(":"):
        case [prefix, position, action] if prefix == _PREFIX and position.isdecimal() and action in _KNOWN:
            return Action(label, cast("Any", action), value)
        case _:
            return None


def is_answer(action_id: str) -> bool:
    """Whether a button is for yes or no, or mends what is proposed."""
    action = parse_action(action_id, "", "")
    return action is not None and action.action in ("confirm", "cancel", "columns")


def can_press(action: Action) -> bool:
    """Whether Slack takes the button at all; what a longer value asks has to be typed."""
    return len(clean(action.value)) <= Slack.BUTTON_VALUE and bool(_on_one_line(action.label))


def is_shown_whole(action: Action) -> bool:
    """Whether a button says all of its label."""
    return can_press(action) and len(_on_one_line(action.label)) <= Slack.BUTTON_TEXT


def rows_of_buttons(rows: Sequence[Sequence[Action]]) -> Iterator[list[dict[str, Any]]]:
    """Yield the elements of each block of buttons; a row that is too long for one becomes several."""
    position = 0
    for row in rows:
        elements = []
        for action in filter(can_press, row):
            elements.append(_button(action, position, primary=any(each.action == "cancel" for each in row)))
            position += 1
        for start in range(0, len(elements), Slack.ACTIONS_ELEMENTS):
            yield elements[start : start + Slack.ACTIONS_ELEMENTS]


def feedback(language: str) -> dict[str, Any]:
    """Return the block that asks whether an answer was right."""
    said = {"positive": ("This is right", "right"), "negative": ("This is wrong", "wrong")}
    buttons = {
        f"{name}_button": {
            "text": plain_text(translated(text, language)),
            "accessibility_label": translated(say("Was this right? {word}.", word=say(text)), language),
            "value": value,
        }
        for name, (text, value) in said.items()
    }
    return {"type": "context_actions", "elements": [{"type": "feedback_buttons", "action_id": FEEDBACK, **buttons}]}


def _button(action: Action, position: int, *, primary: bool) -> dict[str, Any]:
    button: dict[str, Any] = {
        "type": "button",
        "action_id": f"{_PREFIX}:{position}:{action.action}",
        "text": plain_text(shorten(_on_one_line(action.label), Slack.BUTTON_TEXT)),
    }
    if action.value:
        button["value"] = clean(action.value)
    if action.action in _STYLES and (primary or action.action != "confirm"):
        button["style"] = "danger" if action.effect == "final" else _STYLES[action.action]
    return button


def _on_one_line(text: str) -> str:
    return clean(text).replace("\n", " ").strip()
