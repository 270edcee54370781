"""A file that is read wrongly or not at all, dropped into a chat: its columns are shown, said and kept."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from bots.contracts import pressed
from bots.desk.column_forms import NONE, PAGES, fields, read_fields
from bots.desk.columns import mended, mending
from bots.desk.fields import OUT_OF_DATE
from bots.errors import ActionRefused
from graph.reply import Actions
from ledger import schema
from ledger.importers.table.vocabulary import Role
from tests.support.changes_house import buttons, desk_house

CARD = b"Date,Description,Amount (USD),Balance due\n2026-10-01,TESCO,-12.50,1\n2026-10-04,SHELL,-40.00,7\n"
LATER = b"Date,Description,Amount (USD),Balance due\n2026-11-01,TESCO,-1.50,9\n"
STRANGE = b"Wann;Wer;Wieviel;Rest\n20261001;Spar;12,00;x\n" + b"offen;Rest;;x\n" * 9
OPEN = b"Date,Description,Amount (USD)\n2026-10-01,TESCO,12.50\n2026-10-04,SHELL,40.00\n"
MOST = 100


@pytest.fixture
async def house(tmp_path, clock):
    async with desk_house(tmp_path, clock, now=clock.now) as house:
        yield house


async def _pressed(house, post, action, person):
    held = []
    deliver = house.platform.deliver

    async def hold(message):
        held.append(message)

    house.platform.deliver = hold
    await house.platform.press(person, post, action.label)
    house.platform.deliver = deliver
    return replace(held[-1], content=pressed(action))


async def fill_in(house, post, values, person=None):
    """Fill in the form of a post's file, and return what is said to it."""
    person = person or house.alice
    action = next(each for row in post.reply.rows() for each in row if each.label == "Columns…")
    message = await _pressed(house, post, action, person)
    mend = await mending(house.desk, message)
    shown = {field.name: field.chosen for field in fields(mend.table, 0, MOST)}
    layout = read_fields(mend.table, {**shown, **values}, MOST)
    await house.platform.deliver(replace(message, content=mended(mend, layout)))
    return await house.last(person)


async def test_the_preview_has_a_button_that_shows_what_was_understood(house):
    shown = await house.drop(("card.csv", CARD))
    assert buttons(shown.reply) == ["Import", "Cancel", "Columns…"]
    columns = await house.press(shown, "Columns…")
    assert columns.reply.headline == "The columns of card.csv"
    table = next(block for block in columns.reply.blocks if hasattr(block, "rows") and not isinstance(block, Actions))
    assert table.rows[0] == ("1", "Date", "date", "2026-10-01")
    assert "Dates day first" in columns.text
    await house.press(shown, "Import")
    assert await house.count() == 2


async def test_what_the_form_says_is_shown_imported_and_kept(house):
    shown = await house.drop(("card.csv", CARD))
    assert "out $52.50 in 2 rows" in shown.text
    again = await fill_in(house, shown, {"sign": "reversed"})
    assert "in $52.50 in 2 rows" in again.text
    assert "Read as you say: amounts are money out." in again.text
    done = await house.press(again, "Import")
    assert await house.count() == 2
    later = await house.drop(("later.csv", LATER))
    assert "Read as you said on" in later.text
    assert "in $1.50 in 1 row" in later.text
    await house.press(done, "Undo")
    assert "Read as you said on" in (await house.drop(("later.csv", LATER))).text


async def test_what_was_said_is_forgotten_by_the_form_with_the_next_import(house):
    await house.press(await fill_in(house, await house.drop(("card.csv", CARD)), {"sign": "reversed"}), "Import")
    later = await house.drop(("later.csv", LATER))
    shown = await fill_in(house, later, {"said": "forget"})
    assert "Read as it shows itself" in shown.text
    assert "out $1.50 in 1 row" in shown.text
    await house.press(shown, "Import")
    again = await house.drop(("again.csv", LATER.replace(b"-1.50", b"-2.50")))
    assert "Read as" not in again.text
    assert "out $2.50 in 1 row" in again.text


async def test_what_is_said_and_not_imported_is_not_kept(house):
    await fill_in(house, await house.drop(("card.csv", CARD)), {"sign": "reversed"})
    await house.say("no")
    assert "Read as" not in (await house.drop(("card.csv", CARD))).text


async def test_a_file_in_which_no_table_is_found_can_be_told(house):
    refused = await house.drop(("strange.csv", STRANGE))
    assert refused.reply.kind == "refuse"
    assert buttons(refused.reply) == ["Columns…"]
    asked = await fill_in(house, refused, {"date": "1", "amount": "3", "description": "2", "sign": "reversed"})
    shown = await house.press(asked, "EUR · Euro")
    assert shown.reply.headline == "1 new transaction in strange.csv"
    assert "out €12.00" in shown.text
    await house.press(shown, "Import")
    assert await house.count() == 1


async def test_the_question_of_direction_can_be_answered_in_the_form(house):
    asked = await house.drop(("open.csv", OPEN))
    assert buttons(asked.reply) == ["I spent these", "I received these", "Columns…"]
    shown = await fill_in(house, asked, {"sign": "reversed", "description": NONE})
    assert "out $52.50 in 2 rows" in shown.text


async def test_what_another_person_or_nobody_proposed_is_refused(house):
    shown = await house.drop(("card.csv", CARD))
    action = next(each for row in shown.reply.rows() for each in row if each.label == "Columns…")
    foreign = await _pressed(house, shown, action, house.alice)
    with pytest.raises(ActionRefused, match="Only the person who asked"):
        await mending(house.desk, replace(foreign, person=house.bob))
    await house.press(shown, "Import")
    with pytest.raises(ActionRefused, match="already done"):
        await mending(house.desk, foreign)
    assert "already done" in (await house.press(shown, "Columns…")).text


async def test_a_form_is_read_only_as_it_was_offered(house):
    shown = await house.drop(("card.csv", CARD))
    action = next(each for row in shown.reply.rows() for each in row if each.label == "Columns…")
    table = (await mending(house.desk, await _pressed(house, shown, action, house.alice))).table
    whole = {field.name: field.chosen for field in fields(table, 0, MOST)}
    assert set(whole) == {name for page in PAGES for name in page} - {"said"}
    assert read_fields(table, whole, MOST) is None
    assert read_fields(table, {**whole, "date": "9"}, MOST) == {"date": OUT_OF_DATE}
    assert read_fields(table, {"x": "1"}, MOST) == {"x": OUT_OF_DATE}
    assert read_fields(table, {}, MOST) == {"date": OUT_OF_DATE}
    assert set(read_fields(table, {**whole, "payee": "4", "category": "4"}, MOST)) == {"payee", "category"}
    assert read_fields(table, {**whole, "out": "x" * 200}, MOST).keys() == {"out"}


SEVERAL = b"Date,Text,Note,Ref,EUR,USD\n2026-10-01,TESCO,weekly,A 1,-12.50,\n2026-10-04,SHELL,fuel,A 2,,-40.00\n"


async def form_of(house, shown):
    action = next(each for row in shown.reply.rows() for each in row if each.label == "Columns…")
    table = (await mending(house.desk, await _pressed(house, shown, action, house.alice))).table
    return table, {field.name: field.chosen for field in fields(table, 0, MOST)}


async def test_several_columns_can_be_memos_and_one_of_them_taken_back(house):
    shown = await house.drop(("several.csv", SEVERAL))
    table, whole = await form_of(house, shown)
    said = read_fields(table, {**whole, "memo": "3,4"}, MOST)
    assert said.columns_of(Role.MEMO) == (2, 3)
    again = await fill_in(house, shown, {"memo": "3,4"})
    _, whole = await form_of(house, again)
    assert whole["memo"] == "3,4"
    await house.press(await fill_in(house, again, {"memo": "4"}), "Import")
    async with house.store.read() as connection:
        rows = await connection.execute(sa.select(schema.transactions.c.description, schema.transactions.c.memo))
        assert sorted(map(tuple, rows)) == [("SHELL", "A 2"), ("TESCO", "A 1")]


async def test_amounts_are_several_columns_only_by_their_currencies(house):
    shown = await house.drop(("several.csv", SEVERAL))
    assert "out €12.50 in 1 row" in shown.text
    assert "out $40.00 in 1 row" in shown.text
    table, whole = await form_of(house, shown)
    assert whole["amount"] == "5,6"
    alike = read_fields(table, {**whole, "amount": "4,5"}, MOST)
    assert alike == {"amount": "Several columns of amounts must each name a currency of its own."}
    one = await fill_in(house, shown, {"amount": "5"})
    assert "out $40.00" not in one.text
    both = await fill_in(house, one, {"amount": "5,6", "ignore": ""})
    assert "out $40.00 in 1 row" in both.text


async def test_a_column_that_is_not_to_be_read_can_be_read_again(house):
    shown = await house.drop(("card.csv", CARD))
    without = await fill_in(house, shown, {"ignore": "2"})
    assert "TESCO" not in str(without.reply.blocks)
    table, whole = await form_of(house, without)
    assert whole["ignore"] == "2"
    assert read_fields(table, {**whole, "ignore": ""}, MOST).columns == ()
    assert "TESCO" in str((await fill_in(house, without, {"ignore": ""})).reply.blocks)


async def test_a_column_cannot_stand_in_a_field_of_several_and_in_another(house):
    shown = await house.drop(("several.csv", SEVERAL))
    table, whole = await form_of(house, shown)
    assert set(read_fields(table, {**whole, "memo": "3,4", "payee": "4"}, MOST)) == {"memo", "payee"}
