"""A file whose money may have gone either way, dropped into a chat: asked about, remembered, forgotten with its import."""

from __future__ import annotations

import pytest

from tests.support.changes_house import buttons, desk_house

HEAD = b"Date,Description,Amount (USD)\n"
CARD = HEAD + b"2026-10-01,TESCO,12.50\n2026-10-04,SHELL,40.00\n2026-10-15,AMAZON,20.00\n"
LATER = HEAD + b"2026-11-01,TESCO,1.50\n2026-11-14,SHELL,4.00\n"
OTHER = HEAD + b"2026-10-02,QWOP,7.00\n2026-10-16,ZZYX,8.00\n"
UNCLEAR = HEAD.replace(b"USD", b"CAD") + b"03/04/2026,TEA,2.50\n05/06/2026,BUS,3.00\n"


@pytest.fixture
async def house(tmp_path, clock):
    async with desk_house(tmp_path, clock) as house:
        yield house


async def test_the_question_shows_three_rows_and_nothing_is_stored(house) -> None:
    asked = (await house.drop(("card.csv", CARD))).reply
    assert (asked.kind, asked.headline) == ("clarify", "card.csv: Did you spend or receive these?")
    for part in ("1 Oct 2026  TESCO  12.50", "4 Oct 2026  SHELL  40.00", "15 Oct 2026  AMAZON  20.00"):
        assert part in asked.plain()
    assert buttons(asked) == ["I spent these", "I received these", "Columns…"]
    await house.say("yes")
    assert await house.count() == 0


@pytest.mark.parametrize(
    ("answer", "sums", "by_button"),
    [
        ("I spent these", "out $72.50 in 3 rows", True),
        ("I spent these", "out $72.50 in 3 rows", False),
        ("I received these", "in $72.50 in 3 rows", True),
        ("received", "in $72.50 in 3 rows", False),
        ("As written", "in $72.50", False),
    ],
)
async def test_the_answer_leads_to_the_preview_and_a_yes_imports_so(house, answer, sums, by_button) -> None:
    asked = await house.drop(("card.csv", CARD))
    await house.restart()
    shown = await (house.press(asked, answer) if by_button else house.say(f"{answer.lower()}."))
    assert shown.reply.headline == "3 new transactions in card.csv"
    assert sums in shown.text
    assert "as you said" in shown.text
    done = await house.press(shown, "Import")
    assert await house.count() == 3
    assert ("-$72.50" in done.reply.plain()) == (answer == "I spent these")


async def test_the_answer_is_used_again_and_goes_with_its_import(house) -> None:
    done = await house.press(await house.press(await house.drop(("card.csv", CARD)), "I spent these"), "Import")
    again = await house.drop(("card.csv", LATER))
    assert again.reply.headline == "2 new transactions in card.csv"
    assert "read as money spent, as last time" in again.text
    await house.press(done, "Undo")
    assert "spend or receive" in (await house.drop(("card.csv", LATER))).reply.headline


async def test_each_file_is_asked_about_by_itself(house) -> None:
    first = await house.drop(("card.csv", CARD), ("other.csv", OTHER))
    assert first.reply.headline.startswith("card.csv:")
    second = await house.press(first, "I spent these")
    assert second.reply.headline.startswith("other.csv:")
    shown = await house.press(second, "I received these")
    assert "out $72.50 in 3 rows, in $0.00 in 0 rows" in shown.text
    assert "out $0.00 in 0 rows, in $15.00 in 2 rows" in shown.text
    await house.press(shown, "Import")
    assert await house.count() == 5


async def test_dates_are_asked_first_and_direction_then(house) -> None:
    dates = await house.drop(("tea.csv", UNCLEAR))
    direction = await house.press(dates, "3 Apr 2026 (day first)")
    assert direction.reply.headline == "tea.csv: Did you spend or receive these?"
    assert "3 Apr 2026  TEA  2.50" in direction.text
    shown = await house.press(direction, "I spent these")
    assert "3 Apr – 5 Jun 2026 · out CA$5.50 in 2 rows" in shown.text
    await house.press(shown, "Import")
    assert await house.count() == 2


async def test_an_answer_that_nobody_asked_for_imports_nothing(house) -> None:
    await house.drop(("card.csv", CARD))
    assert "no file" in (await house.say("spent", house.bob)).reply.headline
    assert await house.count(house.bob) == await house.count() == 0
