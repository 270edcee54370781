"""At the console: what is named is found as it was typed, an archive is its files, and of a folder it is asked which."""

from __future__ import annotations

import zipfile

import pytest

from ledger import schema
from tests.support.console import desk
from tests.unit.bots.test_console_session import count

BANK = "Date,Description,Amount (USD)\n2026-10-01,RENT,-900.00\n2026-10-12,CAFE,-4.10\n"
QIF = "!Type:Bank\nD2026-10-05\nT-1.00\nPShop\n^\n"
CARD = "Date,Description,Amount (USD)\n2026-10-01,TESCO,12.50\n2026-10-14,SHELL,40.00\n"


@pytest.fixture
async def at_desk(tmp_path):
    async with desk(tmp_path / "data") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "my files"
    made.mkdir()
    (made / "bank one.csv").write_text(BANK)
    (made / "old.qif").write_text(QIF)
    (made / "notes.txt").write_text("Dear Ann\n")
    with zipfile.ZipFile(made / "export.zip", "w") as archive:
        archive.writestr("2026/card.csv", CARD)
        archive.writestr("a.pdf", "%PDF-1.7")
        archive.writestr("__MACOSX/._card.csv", "x")
    return made


@pytest.mark.parametrize("typed", ["/import {}", "/import {} --account Main", '/import "{}"', "{}", "/import  {}"])
async def test_a_path_with_blanks_is_one_path(at_desk, folder, typed):
    printed = await at_desk.talk(typed.format(folder / "bank one.csv"), "yes")
    assert "2 new transactions in bank one.csv" in printed
    assert await count(at_desk, schema.transactions) == 2


async def test_an_archive_is_its_files_and_asked_about_like_them(at_desk, folder):
    printed = await at_desk.talk(f"/import {folder}/export.zip", "spent", "yes")
    assert "export.zip: 2026/card.csv: Did you spend or receive these?" in printed
    assert "export.zip: a.pdf: This PDF is damaged, so I can't read it; download it again." in printed
    assert "out $52.50 in 2 rows" in printed
    assert await count(at_desk, schema.batches) == 1
    assert await count(at_desk, schema.transactions) == 2


@pytest.mark.parametrize("typed", ["/import {}", "/import {}/", "{}"])
async def test_of_a_folder_it_is_asked_which(at_desk, folder, typed):
    printed = await at_desk.talk(typed.format(folder), "all", "1", "1", "yes")
    assert "These files in it look like statements, the newest first; 1 other file was left aside:" in printed
    numbered = {line[5:] for line in printed.splitlines() if line[:5] in {"  1  ", "  2  ", "  3  "}}
    assert {"bank one.csv", "old.qif", "export.zip"} <= numbered
    assert await count(at_desk, schema.transactions) == 5


async def test_what_is_no_pick_imports_nothing(at_desk, folder):
    printed = await at_desk.talk(f"/import {folder}", "what is that?", "yes")
    assert "That was none of them, so nothing was imported." in printed
    assert await count(at_desk, schema.transactions) == 0


async def test_a_folder_without_statements(at_desk, folder):
    (folder / "empty").mkdir()
    printed = await at_desk.talk(f"/import {folder}/empty")
    assert "This is a folder, and no file in it looks like a statement." in printed


async def test_a_header_alone_says_so(at_desk, folder):
    (folder / "header.csv").write_text("Date,Description,Amount (USD)\n")
    assert "This file has a header and no transactions." in await at_desk.talk(f"/import {folder}/header.csv")
