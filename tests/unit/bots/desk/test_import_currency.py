"""A file that nowhere tells its currency, dropped into a chat: asked about, known by its account from then on."""

from __future__ import annotations

import pytest

from tests.support.changes_house import buttons, desk_house

HEAD = b"Date,Description,Amount\n"
OCTOBER = HEAD + b"2026-10-01,TESCO,-12.50\n2026-10-14,SHELL,-40.00\n2026-10-15,SALARY,2000.00\n2026-10-16,BUS,-1.00\n"
NOVEMBER = HEAD + b"2026-11-01,TESCO,-1.50\n2026-11-02,SHELL,-4.00\n"
DOLLARS = HEAD + b"2026-10-01,TESCO,-$12.50\n2026-10-14,SHELL,-$40.00\n"
QUESTION = "october.csv: Which currency are these amounts in?"


@pytest.fixture
async def house(tmp_path, clock):
    async with desk_house(tmp_path, clock) as house:
        yield house


async def test_the_question_shows_three_rows_and_nothing_is_stored(house) -> None:
    asked = (await house.drop(("october.csv", OCTOBER))).reply
    assert (asked.kind, asked.headline) == ("clarify", QUESTION)
    for part in ("1 Oct 2026  TESCO  -12.50", "15 Oct 2026  SALARY  2000.00", "The file names none."):
        assert part in asked.plain()
    assert "BUS" not in asked.plain()
    assert buttons(asked) == [
        "GBP · British Pound", "USD · US Dollar", "EUR · Euro", "CAD · Canadian Dollar", "CHF · Swiss Franc", "Columns…",
    ]  # fmt: skip
    await house.say("yes")
    assert await house.count() == 0


@pytest.mark.parametrize(
    ("answer", "out", "by_button"),
    [
        ("EUR · Euro", "out €53.50", True),
        ("gbp", "out £53.50", False),
        ("NZD.", "out NZ$53.50", False),
        ("Swedish kronor", "out SEK53.50", False),
    ],
)
async def test_the_answer_leads_to_the_preview_and_a_yes_imports_so(house, answer, out, by_button) -> None:
    asked = await house.drop(("october.csv", OCTOBER))
    await house.restart()
    shown = await (house.press(asked, answer) if by_button else house.say(answer))
    assert shown.reply.headline == "4 new transactions in october.csv"
    assert out in shown.text
    await house.press(shown, "Import")
    assert await house.count() == 4


async def test_the_account_s_rows_tell_it_until_they_are_taken_back(house) -> None:
    asked = await house.drop(("giro.csv", OCTOBER))
    done = await house.press(await house.press(asked, "CHF · Swiss Franc"), "Import")
    again = await house.drop(("giro.csv", NOVEMBER))
    assert again.reply.headline == "2 new transactions in giro.csv"
    assert "out CHF5.50" in again.text
    await house.press(done, "Undo")
    assert "Which currency" in (await house.drop(("giro.csv", NOVEMBER))).reply.headline


async def test_another_account_is_asked_about_and_the_currencies_in_use_come_first(house) -> None:
    asked = await house.drop(("giro.csv", OCTOBER))
    await house.press(await house.press(asked, "CHF · Swiss Franc"), "Import")
    other = await house.drop(("visa.csv", HEAD + b"2026-11-01,QWOP,-1.50\n2026-11-02,ZZYX,-4.00\n"))
    assert buttons(other.reply)[0] == "CHF · Swiss Franc"


async def test_a_dollar_sign_is_asked_about_until_it_is_a_dollar(house) -> None:
    asked = await house.drop(("october.csv", DOLLARS))
    assert asked.reply.headline == QUESTION
    assert "“$” stands for several." in asked.text
    assert [button[:3] for button in buttons(asked.reply)[:5]] == ["USD", "CAD", "AUD", "NZD", "SGD"]
    assert (await house.say("EUR")).reply.headline == QUESTION
    assert "out A$52.50" in (await house.say("australian dollars")).text


async def test_what_a_person_set_is_taken_and_said(house) -> None:
    await house.say("set my currency to GBP")
    await house.say("yes")
    shown = await house.drop(("october.csv", OCTOBER))
    assert shown.reply.headline == "4 new transactions in october.csv"
    assert "The file names no currency; its amounts are taken as GBP." in shown.text
    assert (await house.drop(("dollars.csv", DOLLARS))).reply.kind == "clarify"


async def test_files_are_asked_about_one_after_the_other(house) -> None:
    other = HEAD + b"2026-11-01,QWOP,-1.50\n2026-11-02,ZZYX,-4.00\n"
    first = await house.drop(("giro.csv", OCTOBER), ("visa.csv", other))
    second = await house.press(first, "EUR · Euro")
    assert second.reply.headline == "visa.csv: Which currency are these amounts in?"
    shown = await house.press(second, "USD · US Dollar")
    assert shown.reply.headline == "6 new transactions in 2 files"
    await house.press(shown, "Import")
    assert await house.count() == 6


async def test_a_code_that_answers_nothing_imports_nothing(house) -> None:
    await house.drop(("october.csv", OCTOBER))
    assert (await house.say("CHF", house.bob)).reply.headline != "4 new transactions in october.csv"
    assert (await house.say("doubloons")).reply.kind != "clarify" or await house.count() == 0
