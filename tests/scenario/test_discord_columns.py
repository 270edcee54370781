"""The columns of a dropped bank file, mended in forms of the running bot: shown again, imported, kept; and refused."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.support.discord_fake.visit import labels, open_house

pytestmark = pytest.mark.asyncio(loop_scope="module")

CARD = b"Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n2026-10-09,LIDL,-7.50\n"
LATER = b"Date,Description,Amount (USD)\n2026-11-05,REWE MARKT,-2.00\n"
STRANGE = b"Wann;Wer;Wieviel;Rest\n20261001;Spar;-12,00;x\n" + b"offen;Rest;;x\n" * 9
MAIN, SIGNS = "Main columns…", "Dates and signs…"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    async with open_house(tmp_path_factory.mktemp("columns")) as opened:
        yield opened


async def columns_of(who, seen):
    return await who.press(seen, "Columns…")


async def form_of(who, seen, label):
    return await who.form(who.discord.press(who.id, seen, label))


async def test_the_form_turns_the_signs_and_the_next_file_is_read_so(house):
    ana, ben = await house.visitor(None), await house.visitor(None)
    shown = await ana.ask("", files=(("card.csv", CARD),))
    assert labels(shown) == ["Import", "Cancel", "Columns…"]
    columns = await columns_of(ana, shown)
    assert columns.text.startswith("The columns of card.csv")
    form = await form_of(ana, columns, SIGNS)
    assert [field.custom_id for field in form.fields] == ["dates", "decimal", "sign", "out", "in"]
    again = await ana.submit({"sign": "reversed"})
    assert "in $27.50 in 2 rows" in again.text
    assert (await ana.press(again, "Import")).text.startswith("Imported 2 transactions")
    later = await ana.ask("", files=(("card.csv", LATER),))
    assert "Read as you said on" in later.text
    assert "in $2.00 in 1 row" in later.text
    assert "out $2.00 in 1 row" in (await ben.ask("", files=(("card.csv", LATER),))).text


async def test_a_file_that_can_not_be_read_offers_the_form(house):
    ana = await house.visitor(None)
    columns = await columns_of(ana, await ana.ask("", files=(("strange.csv", STRANGE),)))
    form = await form_of(ana, columns, MAIN)
    assert [field.custom_id for field in form.fields] == ["date", "amount", "money-out", "money-in", "description"]
    asked = await ana.submit({"date": "1", "amount": "3", "description": "2"})
    shown = await ana.press(asked, "EUR · Euro")
    assert shown.text.startswith("1 new transaction in strange.csv")


async def test_a_form_left_as_it_was_says_so_and_a_late_press_opens_none(house):
    ana = await house.visitor(None)
    shown = await ana.ask("", files=(("card.csv", CARD),))
    columns = await columns_of(ana, shown)
    await form_of(ana, columns, MAIN)
    assert (await ana.submit({})).text == "The columns are as they were."
    await ana.press(shown, "Cancel")
    late = await ana.press(columns, MAIN)
    assert "was cancelled" in late.text


GROUP = (
    b"Date,Description,Category,Cost,Currency,Hanna Kessler,Bob Roe\n2026-10-06,Cinema,Movies,30.00,EUR,20.00,-20.00\n"
)
LATER_GROUP = GROUP.replace(b"2026-10-06", b"2026-11-06")
NOTED = b"Date,Text,Note,Ref,Amount (USD)\n2026-10-05,REWE MARKT,weekly,A 1,-20.00\n2026-10-09,LIDL,bread,A 2,-7.50\n"


async def test_who_one_is_in_a_shared_list_is_one_press_and_kept(house):
    ana = await house.visitor(None)
    asked = await ana.ask("", files=(("flat.csv", GROUP),))
    assert labels(asked) == ["Hanna Kessler", "Bob Roe", "Columns…"]
    shown = await ana.press(asked, "Bob Roe")
    assert "you are Bob Roe." in shown.text
    assert (await ana.press(shown, "Import")).text.startswith("Imported 1 transaction")
    later = await ana.ask("", files=(("flat.csv", LATER_GROUP),))
    assert "you are Bob Roe." in later.text
    form = await form_of(ana, await columns_of(ana, later), "Who you are…")
    assert [field.custom_id for field in form.fields] == ["person", "said"]
    assert "you are Hanna Kessler." in (await ana.submit({"person": "1"})).text


async def test_several_columns_are_chosen_for_the_memo(house):
    ana = await house.visitor(None)
    columns = await columns_of(ana, await ana.ask("", files=(("noted.csv", NOTED),)))
    await form_of(ana, columns, "More columns…")
    again = await ana.submit({"memo": ["3", "4"]})
    assert "“Note” is a memo, “Ref” is a memo" in again.text
