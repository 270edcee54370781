"""What a button on Discord carries: enough to be understood after a restart, within a hundred characters."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.discord_app.buttons import Button, Pressed, feedback, find_action, lay_out, parse_custom_id
from graph.reply import Action, Actions, Reply
from tools.calls import Choice

ABOUT = "0123456789abcdef01234567"
TOKEN = "A" * 22
LONG = "How much did I spend at " + "Trader Joe's and " * 9 + "Costco in October 2026?"
ROWS = (
    (
        Action("Receipt", "receipt"),
        Action("September?", "ask", "and in September 2026?"),
        Action("Share", "share"),
    ),
    (Action("Confirm", "confirm", TOKEN), Action("Cancel", "cancel", TOKEN), Action("Long", "ask", LONG)),
)
REPLY = Reply("answer", "x", tuple(map(Actions, ROWS)), choices=(Choice("Tea"), Choice("Coffee")))


def laid(*actions, shareable=True):
    (rows, left_out) = lay_out([actions], ABOUT, shareable=shareable)
    return [button for row in rows for button in row], left_out


def test_a_press_carries_what_the_button_does():
    (button,), _ = laid(ROWS[0][1])
    assert button == Button("September?", f"mm:ask:{ABOUT}:0:and in September 2026?")
    assert parse_custom_id(button.custom_id) == Pressed("ask", ABOUT, 0, "and in September 2026?")


def test_every_button_comes_back_as_the_action_it_was_made_of():
    rows = REPLY.rows()
    buttons = [button for row in lay_out(rows, ABOUT, shareable=True)[0] for button in row]
    actions = [action for row in rows for action in row]
    assert [action.label for action in actions][-1] == "Coffee"
    for button, action in zip(buttons, actions, strict=True):
        found = find_action(parse_custom_id(button.custom_id), REPLY)
        assert (found.action, found.value) == (action.action, action.value)


def test_places_stay_where_sharing_is_not_offered():
    rows, _ = lay_out(REPLY.rows(), ABOUT, shareable=False)
    found = [find_action(parse_custom_id(button.custom_id), REPLY) for row in rows for button in row]
    assert [action.value for action in found] == ["", "and in September 2026?", TOKEN, TOKEN, LONG, "1", "2"]


def test_a_choice_is_carried_by_its_number_however_long_it_is():
    (buttons,), _ = lay_out(Reply("clarify", "?", choices=(Choice("Tea"), Choice(LONG))).rows(), ABOUT, shareable=True)
    assert [find_action(parse_custom_id(button.custom_id), None) for button in buttons] == [
        Action("", "choose", "1"),
        Action("", "choose", "2"),
    ]


def test_a_token_is_carried_and_needs_no_stored_reply():
    buttons, _ = laid(*ROWS[1][:2])
    assert [find_action(parse_custom_id(button.custom_id), None) for button in buttons] == [
        Action("", "confirm", TOKEN),
        Action("", "cancel", TOKEN),
    ]


def test_a_long_question_is_found_in_its_reply_and_nowhere_else():
    pressed = parse_custom_id(laid(Action("Long", "ask", LONG))[0][0].custom_id)
    assert pressed == Pressed("ask", ABOUT, 0, None)
    there = Reply("clarify", "?", (Actions((Action("Long", "ask", LONG),)),))
    assert find_action(pressed, there).value == LONG
    assert find_action(pressed, None) is None
    assert find_action(pressed, Reply("clarify", "?")) is None
    assert find_action(pressed, Reply("clarify", "?", (Actions((Action("Receipt", "receipt"),)),))) is None


@pytest.mark.parametrize("value", ["two\nlines", " spaced", "a\x00b", "a  b", "\u202eback"])
def test_a_value_that_would_not_come_back_as_it_is_is_looked_up(value):
    assert parse_custom_id(laid(Action("Ask", "ask", value))[0][0].custom_id).value is None


@pytest.mark.parametrize(
    "strange",
    [
        *("", "mm", "mm:ask", "mm:ask::0:x", "mm:ask:a", "mm:steal:a:0:", "xx:ask:a:0:", "mm:ask:a:x:", "mm:ask:a:-1:"),
        *("mm:ask:a:1234:", "mm:ask:a:٣:", "mm:feedback:a:0:maybe", "mm:feedback:a:0"),
    ],
)
def test_other_buttons_are_none_of_ours(strange):
    assert parse_custom_id(strange) is None


@given(st.text(max_size=120))
def test_any_value_is_carried_whole_or_not_at_all(value):
    (button,), _ = laid(Action("Ask", "ask", value))
    assert parse_custom_id(button.custom_id).value in {value, None}
    assert 1 <= len(button.custom_id) <= 100


def test_a_key_that_would_be_read_as_something_else_is_refused():
    for about in ("a:b", "a" * 100):
        with pytest.raises(ValueError, match="does not fit"):
            lay_out([ROWS[0]], about, shareable=True)


def test_yes_stands_out_beside_no_and_deleting_warns():
    rows = (
        (Action("Confirm", "confirm", "t"), Action("Cancel", "cancel", "t")),
        (Action("Undo", "confirm", "u"),),
        (Action("Delete my data", "forget"),),
        (Action("Alles löschen", "confirm", "d", "final"), Action("Cancel", "cancel", "d")),
        (Action("Receipt", "receipt"), Action("Share", "share")),
    )
    styles = [[button.style for button in row] for row in lay_out(rows, ABOUT, shareable=True)[0]]
    assert styles == [
        ["success", "secondary"],
        ["secondary"],
        ["danger"],
        ["danger", "secondary"],
        ["secondary", "secondary"],
    ]


def test_a_button_without_a_label_is_left_out():
    nameless = Action("\u202e\n", "ask", "x")
    assert laid(nameless) == ([], (nameless,))


def test_a_label_stands_on_one_line():
    (button,), _ = laid(Action(" Groceries\n\u202eor  food ", "ask", "x"))
    assert button.label == "Groceries or food"


def test_rows_are_filled_up_where_there_would_be_too_many_of_them():
    rows = [(Action(f"c{number}", "ask", "x"),) for number in range(7)]
    laid_out, left_out = lay_out(rows, ABOUT, shareable=True)
    assert [[button.label for button in row] for row in laid_out] == [["c0", "c1", "c2", "c3", "c4"], ["c5", "c6"]]
    assert left_out == ()


def test_an_answer_can_be_called_right_or_wrong():
    pressed = [parse_custom_id(button.custom_id) for button in feedback(ABOUT)]
    assert pressed == [Pressed("feedback", ABOUT, 0, "right"), Pressed("feedback", ABOUT, 0, "wrong")]
    assert find_action(pressed[1], None) == Action("", "feedback", "wrong")


def test_a_stored_reply_without_its_files_has_the_same_places():
    shown = replace(REPLY, blocks=REPLY.blocks[:2])
    assert shown.rows() == REPLY.rows()
