"""A file of what several people share, dropped into a chat: who of them one is, is asked once and kept for that group."""

from __future__ import annotations

from bots.desk.column_forms import NONE, fields, read_fields
from bots.desk.columns import mending
from bots.desk.fields import OUT_OF_DATE
from tests.support.changes_house import buttons
from tests.unit.bots.desk.test_columns import _pressed, fill_in, house  # noqa: F401 - the fixture

HEADER = "Date,Description,Category,Cost,Currency,Hanna Kessler,Rafael Duarte,Imke Vos\n"
GROUP = (
    HEADER
    + "2026-10-06,Path\u00e9,Movies,33.50,EUR,22.34,-11.17,-11.17\n"
    + "2026-10-09,Vattenfall,Electricity,92.99,EUR,-30.99,61.99,-31.00\n"
    + "2026-10-31,Imke V. paid Hanna K.,Payment,60.00,EUR,-60.00,0.00,60.00\n"
).encode()
LATER = f"{HEADER}2026-11-02,Taxi,Taxi,9.99,EUR,-3.33,6.66,-3.33\n".encode()
OTHERS = GROUP.replace(b"Imke Vos", b"Ola Berg")


async def test_the_names_are_buttons_and_one_press_goes_on(house):  # noqa: F811
    asked = await house.drop(("flat.csv", GROUP))
    assert asked.reply.headline == "flat.csv: Which of these are you?"
    assert buttons(asked.reply) == ["Hanna Kessler", "Rafael Duarte", "Imke Vos", "Columns…"]
    shown = await house.press(asked, "Hanna Kessler")
    assert "Read as you say: you are Hanna Kessler." in shown.text
    assert "out €42.15 in 2 rows, in €60.00 in 1 row" in shown.text
    await house.press(shown, "Import")
    assert await house.count() == 3


async def test_the_answer_may_be_typed_by_name_part_or_number(house):  # noqa: F811
    for answer, out in (("Rafael Duarte", "42.17"), ("imke.", "102.17"), ("1", "42.15")):
        await house.drop(("flat.csv", GROUP))
        assert f"out €{out}" in (await house.say(answer)).text


async def test_nobody_of_them_is_no_answer(house):  # noqa: F811
    await house.drop(("flat.csv", GROUP))
    said = await house.say("somebody else entirely")
    assert "out €" not in said.text
    assert await house.count() == 0


async def test_it_is_asked_once_for_a_group_and_anew_for_another(house):  # noqa: F811
    await house.press(await house.press(await house.drop(("flat.csv", GROUP)), "Imke Vos"), "Import")
    later = await house.drop(("flat2.csv", LATER))
    assert "you are Imke Vos." in later.text
    assert "out €3.33 in 1 row" in later.text
    other = await house.drop(("flat3.csv", OTHERS))
    assert buttons(other.reply)[:3] == ["Hanna Kessler", "Rafael Duarte", "Ola Berg"]
    assert "Which of these are you?" in (await house.drop(("flat.csv", GROUP), person=house.bob)).text


async def test_what_was_said_and_not_imported_is_not_kept(house):  # noqa: F811
    await house.press(await house.drop(("flat.csv", GROUP)), "Imke Vos")
    assert "Which of these are you?" in (await house.drop(("flat2.csv", LATER))).text


async def test_the_form_asks_for_nothing_but_who_one_is_and_can_change_or_forget_it(house):  # noqa: F811
    asked = await house.drop(("flat.csv", GROUP))
    shown = await fill_in(house, asked, {"person": "2"})
    assert "you are Rafael Duarte." in shown.text
    again = await fill_in(house, shown, {"person": "3"})
    assert "you are Imke Vos." in again.text
    await house.press(again, "Import")
    later = await house.drop(("flat2.csv", LATER))
    assert "Which of these are you?" in (await fill_in(house, later, {"said": "forget"})).text


async def test_the_form_is_read_only_as_it_was_offered(house):  # noqa: F811
    asked = await house.drop(("flat.csv", GROUP))
    action = next(each for row in asked.reply.rows() for each in row if each.label == "Columns…")
    table = (await mending(house.desk, await _pressed(house, asked, action, house.alice))).table
    field, *others = fields(table, 0, 100)
    assert (field.label, field.chosen, others) == ("Which of these are you?", NONE, [])
    assert [name for _, name in field.options] == ["– not said –", "Hanna Kessler", "Rafael Duarte", "Imke Vos"]
    assert read_fields(table, {"person": "4"}, 100) == {"person": OUT_OF_DATE}
    assert read_fields(table, {"person": NONE}, 100) is None
    assert read_fields(table, {"date": "1"}, 100) == {"date": OUT_OF_DATE}


async def test_a_question_after_a_file_of_shared_costs_stays_one(house):  # noqa: F811
    """“1” answers the question that stands, and nothing once that is past."""
    await house.drop(("flat.csv", GROUP))
    await house.say("how much did I spend in total?")
    assert "Read as you say" not in (await house.say("1")).text
