"""At the console: the columns of a file are shown, said better, kept with its import, and forgotten by a command."""

from __future__ import annotations

import pytest

from ledger import schema
from tests.support.console import desk
from tests.unit.bots.test_console_session import count

CARD = "Date,Description,Amount (USD)\n2026-10-01,TESCO,-12.50\n2026-10-14,SHELL,-40.00\n"
STRANGE = "Wann;Wer;Wieviel;Rest\n20261001;Spar;12,00;x\n" + "offen;Rest;;x\n" * 9


@pytest.fixture
async def at_desk(tmp_path):
    async with desk(tmp_path) as opened:
        yield opened


@pytest.fixture
def card(tmp_path):
    path = tmp_path / "card.csv"
    path.write_text(CARD)
    return path


async def test_the_columns_are_shown(at_desk, card):
    printed = await at_desk.talk(f"/import {card}", "/columns")
    assert ["3", "Amount", "(USD)", "amount", "-12.50"] in [line.split() for line in printed.splitlines()]
    assert "a minus is money out" in printed
    assert await count(at_desk, schema.transactions) == 0


async def test_what_is_said_is_previewed_imported_and_kept_until_it_is_forgotten(at_desk, card):
    printed = await at_desk.talk(f"/import {card}", "/columns sign=reversed", "yes", "/undo", "yes")
    assert "in $52.50 in 2 rows" in printed
    assert "Read as you say: amounts are money out." in printed
    assert await count(at_desk, schema.stated_layouts) == 1
    printed = await at_desk.talk(f"/import {card}")
    assert "Read as you said on" in printed
    printed = await at_desk.talk(f"/import {card}", "/columns forget")
    assert "out $52.50 in 2 rows" in printed
    assert await count(at_desk, schema.stated_layouts) == 0


async def test_a_file_without_a_table_can_be_told(at_desk, tmp_path):
    path = tmp_path / "strange.csv"
    path.write_text(STRANGE)
    printed = await at_desk.talk(
        f"/import {path}", "/columns Wann=date Wieviel=amount Wer=description sign=reversed currency=EUR", "yes"
    )
    assert "out €12.00 in 1 row" in printed
    assert await count(at_desk, schema.transactions) == 1


async def test_what_can_not_be_is_said_and_the_file_waits(at_desk, card):
    printed = await at_desk.talk(f"/import {card}", "/columns Nope=amount", "/columns sign=reversed", "yes")
    assert "There is no column “Nope” in this file; it has Date, Description, Amount (USD)." in printed
    assert await count(at_desk, schema.transactions) == 2


async def test_without_a_file_there_is_nothing_to_mend(at_desk):
    assert "no file here" in await at_desk.talk("/columns sign=reversed")
