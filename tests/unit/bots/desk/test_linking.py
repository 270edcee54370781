"""Linking two places from a chat: the code, what is said before, the yes, what was put aside, and the way back."""

from __future__ import annotations

import re

import pytest

from bots.audience import NEUTRAL
from bots.desk.linking import code_in
from tests.support.changes_house import buttons, desk_house

OCTOBER = b"Date,Description,Amount,Currency\n2026-10-01,REWE,-7.00,USD\n2026-10-02,TEA,-2.00,USD\n"
NOVEMBER = b"Date,Description,Amount,Currency\n2026-11-01,REWE,-5.00,USD\n"


@pytest.fixture
async def house(tmp_path, clock):
    async with desk_house(tmp_path, clock) as house:
        yield house


async def bring(house, person, data):
    await house.press(await house.drop(("bank.csv", data), person=person), "Import", person)


async def code_from(house, person):
    shown = await house.say("link", person)
    return re.search(r"\w{4}-\w{4}-\w{4}", shown.text)[0]


async def linked(house):
    """Let bob's place use alice's ledger."""
    await bring(house, house.alice, OCTOBER)
    await bring(house, house.bob, NOVEMBER)
    asked = await house.say(f"link {await code_from(house, house.alice)}", house.bob)
    return asked, await house.press(asked, "Use one ledger", house.bob)


async def test_what_stays_and_what_is_put_aside_is_said_before(house):
    asked, done = await linked(house)
    assert asked.reply.headline == "Use one ledger here and in memory?"
    assert "2 transactions, with its settings and notes" in asked.text
    assert "1 transaction, with its settings and notes. “unlink” brings it back" in asked.text
    assert done.reply.headline == "Your ledger is now the same here and in memory."
    answer = await house.say("How much did I spend at REWE?", house.bob)
    assert answer.reply.headline.startswith("$7.00")


async def test_what_was_put_aside_is_taken_over_as_an_import_and_that_is_taken_back(house):
    _, done = await linked(house)
    preview = await house.press(done, "Take them over as an import", house.bob)
    assert "1 new transaction" in preview.text
    await house.press(preview, "Import", house.bob)
    assert await house.count(house.alice) == await house.count(house.bob) == 3
    assert (await house.say("undo", house.bob)).text == "Taken back: 1 transaction."
    assert await house.count(house.alice) == 2


@pytest.mark.parametrize("by", ["alice", "bob"])
async def test_either_side_unlinks_by_a_word(house, by):
    await linked(house)
    person = getattr(house, by)
    asked = await house.say("unlink", person)
    assert buttons(asked.reply) == ["Unlink", "Cancel"]
    await house.press(asked, "Unlink", person)
    assert (await house.count(house.alice), await house.count(house.bob)) == (2, 1)


async def test_linking_is_taken_back_by_its_undo(house):
    _, done = await linked(house)
    await house.press(done, "Undo", house.bob)
    assert (await house.count(house.alice), await house.count(house.bob)) == (2, 1)


async def test_an_answer_goes_only_to_who_asked_though_another_place_has_the_same_ledger(house):
    await linked(house)
    before = house.platform.visible_to(house.alice)
    await house.say("How much did I spend at REWE?", house.bob)
    assert house.platform.visible_to(house.alice) == before


async def test_forgetting_and_exporting_say_what_they_cover(house):
    await linked(house)
    assert "You use this ledger in memory as well; it goes there too" in (await house.say("forget everything")).text
    assert "the ledger that you use in memory as well" in (await house.say("export", house.bob)).text


async def test_no_code_is_shown_or_taken_where_others_read(tmp_path, clock):
    async with desk_house(tmp_path, clock) as house:
        house.platform.capabilities = type(house.platform.capabilities)(buttons=True)
        house.platform.open_channel("general", house.alice, house.bob)
        for text in ("link", "link ABCD-EFGH-JKLM"):
            assert (await house.say(text, channel="general")).text == NEUTRAL


async def test_where_nothing_may_be_changed_nothing_is_linked(tmp_path, clock):
    async with desk_house(tmp_path, clock, writes=False) as house:
        assert "Nothing can be changed" in (await house.say("link")).text


async def test_it_is_done_in_german(tmp_path, clock):
    async with desk_house(tmp_path, clock, default_locale="de_DE") as house:
        shown = await house.say("verknüpfen")
        code = re.search(r"\w{4}-\w{4}-\w{4}", shown.text)[0]
        assert shown.reply.headline == f"Dein Code lautet {code}"
        asked = await house.say(f"verbinden {code}", house.bob)
        assert buttons(asked.reply) == ["Dieselben Daten benutzen", "Abbrechen"]


@pytest.mark.parametrize(
    ("text", "is_code"),
    [
        ("link abcd efgh jklm", True),
        ("ABCD-EFGH-JKLM", True),
        ("rent last year", False),
        ("spent at rewe", False),
        ("link my card", False),
    ],
)
def test_a_question_is_never_taken_for_a_code(text, is_code):
    assert (code_in(text) is not None) is is_code
