"""The columns of a dropped bank file, mended in a form of the running bot: shown again, imported, kept; and refused."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.support.slack.visit import open_house

pytestmark = pytest.mark.asyncio(loop_scope="module")

CARD = b"Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n2026-10-09,LIDL,-7.50\n"
LATER = b"Date,Description,Amount (USD)\n2026-11-05,REWE MARKT,-2.00\n"
HEADERLESS = b"01.10.2026;Q7;Spar Wien;12,50;B\n09.10.2026;Q8;Gehalt;2000,00;G\n11.10.2026;Q9;OMV;40,10;B\n"
STRANGE = b"Wann;Wer;Wieviel;Rest\n20261001;Spar;12,00;x\n" + b"offen;Rest;;x\n" * 9


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    async with open_house(tmp_path_factory.mktemp("columns")) as opened:
        yield opened


async def form_of(who, seen):
    await (await who.slack.press(who.id, seen, "Columns…")).acknowledged()
    return await who.slack.until(lambda: who.slack.modal(who.id))


async def submitted(who, values):
    async def submit():
        sent = await who.slack.submit(who.id, values)
        assert sent.errors == {}
        return sent

    return await who.reply(submit())


async def test_the_form_turns_the_signs_and_the_next_file_is_read_so(house):
    ana = await house.visitor(None)
    shown = await ana.drop(("card.csv", CARD))
    assert shown.labels == ["Import", "Cancel", "Columns…"]
    form = await form_of(ana, shown)
    assert form.title == "Columns"
    assert "card.csv" in form.text
    again = await submitted(ana, {"sign": "reversed"})
    assert "in $27.50 in 2 rows" in again.text
    assert "Read as you say: amounts are money out." in again.text
    assert "A newer proposal" in (await ana.press(shown, "Import")).text
    assert (await ana.press(again, "Import")).text.startswith("Imported 2 transactions")
    later = await ana.drop(("card.csv", LATER))
    assert "Read as you said on" in later.text
    assert "in $2.00 in 1 row" in later.text
    ben = await house.visitor(None)
    assert "out $2.00 in 1 row" in (await ben.drop(("card.csv", LATER))).text


async def test_a_column_of_directions_is_told_with_its_words(house):
    ana = await house.visitor(None)
    asked = await ana.drop(("giro.csv", HEADERLESS))
    await form_of(ana, asked)
    asked = await submitted(ana, {"direction": "5", "out": "B", "in": "G", "description": "3"})
    shown = await ana.press(asked, "EUR · Euro")
    assert "out €52.60 in 2 rows, in €2,000.00 in 1 row" in shown.text
    assert "Spar Wien" in shown.text


async def test_a_file_that_can_not_be_read_offers_the_form(house):
    ana = await house.visitor(None)
    refused = await ana.drop(("strange.csv", STRANGE))
    assert "no table with a date and an amount" in refused.text
    form = await form_of(ana, refused)
    assert "Wieviel (12,00)" in str(form.inputs)
    asked = await submitted(ana, {"date": "1", "amount": "3", "description": "2", "sign": "reversed"})
    shown = await ana.press(asked, "EUR · Euro")
    assert shown.text.startswith("1 new transaction in strange.csv")


async def test_one_column_can_not_be_two_things(house):
    ana = await house.visitor(None)
    await form_of(ana, await ana.drop(("card.csv", CARD)))
    sent = await ana.slack.submit(ana.id, {"payee": "3", "category": "3"})
    assert set(sent.errors) == {"payee", "category"}


async def test_a_form_left_as_it_was_closes_and_says_nothing(house):
    ana = await house.visitor(None)
    await form_of(ana, await ana.drop(("card.csv", CARD)))
    assert (await ana.slack.submit(ana.id)).is_acknowledged
    assert len(ana.answers) == 1


async def test_a_late_or_foreign_press_opens_no_form(house):
    ana, ben = await house.visitor(None), await house.visitor(None)
    shown = await ana.drop(("card.csv", CARD))
    await ben.slack.press(ben.id, shown, "Columns…", forged=True)
    said = await ben.slack.until(lambda: ben.slack.modal(ben.id))
    assert "Only the person who asked for this" in said.text
    assert "card.csv" not in said.text
    await ana.press(shown, "Cancel")
    late = await form_of(ana, shown)
    assert "was cancelled" in late.text
    assert late.inputs == []


GROUP = (
    b"Date,Description,Category,Cost,Currency,Hanna Kessler,Bob Roe\n2026-10-06,Cinema,Movies,30.00,EUR,20.00,-20.00\n"
)
LATER_GROUP = GROUP.replace(b"2026-10-06", b"2026-11-06")
NOTED = b"Date,Text,Note,Ref,Amount (USD)\n2026-10-05,REWE MARKT,weekly,A 1,-20.00\n2026-10-09,LIDL,bread,A 2,-7.50\n"


async def test_who_one_is_in_a_shared_list_is_one_press_and_kept(house):
    ana = await house.visitor(None)
    asked = await ana.drop(("flat.csv", GROUP))
    assert asked.labels == ["Hanna Kessler", "Bob Roe", "Columns…"]
    shown = await ana.press(asked, "Bob Roe")
    assert "you are Bob Roe." in shown.text
    assert "out €20.00 in 1 row" in shown.text
    assert (await ana.press(shown, "Import")).text.startswith("Imported 1 transaction")
    later = await ana.drop(("flat.csv", LATER_GROUP))
    assert "you are Bob Roe." in later.text
    form = await form_of(ana, later)
    assert "Which of these are you?" in str(form.inputs)
    assert "you are Hanna Kessler." in (await submitted(ana, {"person": "1"})).text


async def test_several_columns_are_chosen_for_the_memo(house):
    ana = await house.visitor(None)
    shown = await ana.drop(("noted.csv", NOTED))
    await form_of(ana, shown)
    again = await submitted(ana, {"memo": ["3", "4"]})
    assert "“Note” is a memo, “Ref” is a memo" in again.text
