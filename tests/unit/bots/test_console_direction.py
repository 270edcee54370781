"""At the console: a file whose money may have gone either way is asked about before anything is shown or stored."""

from __future__ import annotations

import pytest

from ledger import schema
from tests.support.console import desk
from tests.unit.bots.test_console_session import count

CARD = "Date,Description,Amount (USD)\n2026-10-01,TESCO,12.50\n2026-10-14,SHELL,40.00\n"
AMBIGUOUS = "Date,Description,Amount (CAD)\n03/04/2026,COFFEE,3.50\n05/06/2026,TEA,2.50\n"


@pytest.fixture
async def at_desk(tmp_path):
    async with desk(tmp_path) as opened:
        yield opened


@pytest.fixture
def card(tmp_path):
    path = tmp_path / "card.csv"
    path.write_text(CARD)
    return path


@pytest.mark.parametrize(
    ("answer", "shown"),
    [("1", "out $52.50 in 2 rows"), ("spent", "out $52.50"), ("received", "in $52.50"), ("As written.", "in $52.50")],
)
async def test_the_answer_leads_to_the_preview(at_desk, card, answer, shown):
    printed = await at_desk.talk(f"/import {card}", answer, "yes")
    assert "Did you spend or receive these?" in printed
    assert "1 Oct 2026  TESCO  12.50" in printed
    assert shown in printed
    assert await count(at_desk, schema.transactions) == 2
    assert await count(at_desk, schema.layout_directions) == 1


async def test_another_line_is_no_answer_and_imports_nothing(at_desk, card):
    await at_desk.talk(f"/import {card}", "what is that?", "yes")
    assert await count(at_desk, schema.transactions) == 0


async def test_it_can_be_told_outright_and_is_not_asked_again(at_desk, card):
    printed = await at_desk.talk(f"/import {card} --direction spent", "yes")
    assert "Did you" not in printed
    card.write_text(CARD.replace("2026-10", "2026-09"))
    printed = await at_desk.talk(f"/import {card}", "yes")
    assert "read as money spent, as last time" in printed
    assert await count(at_desk, schema.transactions) == 4


async def test_undo_forgets_the_answer(at_desk, card):
    await at_desk.talk(f"/import {card}", "spent", "yes", "/undo", "yes")
    assert await count(at_desk, schema.layout_directions) == 0
    assert "Did you spend or receive these?" in await at_desk.talk(f"/import {card}")


async def test_dates_come_first_and_direction_then(at_desk, tmp_path):
    path = tmp_path / "tea.csv"
    path.write_text(AMBIGUOUS)
    printed = await at_desk.talk(f"/import {path}", "day first", "spent", "yes")
    assert "3 Apr – 5 Jun 2026 · out CA$6.00 in 2 rows, in CA$0.00 in 0 rows" in printed
    assert await count(at_desk, schema.transactions) == 2


GROUP = """Date,Description,Category,Cost,Currency,Hanna Kessler,Rafael Duarte
2026-10-06,Cinema,Movies,30.00,EUR,20.00,-20.00
2026-10-09,Power,Electricity,90.00,EUR,-45.00,45.00
"""


@pytest.mark.parametrize(("answer", "out"), [("1", "€55.00"), ("rafael", "€65.00")])
async def test_who_one_is_among_several_people_is_asked_once(at_desk, tmp_path, answer, out):
    path = tmp_path / "flat.csv"
    path.write_text(GROUP)
    printed = await at_desk.talk(f"/import {path}", answer, "yes")
    assert "Which of these are you?" in printed
    assert "1  Hanna Kessler" in printed
    assert f"out {out} in 2 rows" in printed
    assert await count(at_desk, schema.transactions) == 2
    path.write_text(GROUP.replace("2026-10", "2026-09"))
    printed = await at_desk.talk(f"/import {path}", "yes")
    assert "Which of these" not in printed
    assert await count(at_desk, schema.transactions) == 4
    assert "Which of these are you?" in await at_desk.talk(f"/import {path}", "/columns forget")


async def test_who_one_is_can_be_told_outright_and_a_wrong_name_imports_nothing(at_desk, tmp_path):
    path = tmp_path / "flat.csv"
    path.write_text(GROUP)
    assert "out €55.00" in await at_desk.talk(f"/import {path} --person Hanna", "no")
    printed = await at_desk.talk(f"/import {path} --person Karl", "Karl", "yes")
    assert "Which of these are you?" in printed
    assert await count(at_desk, schema.transactions) == 0
