"""``money-minder workspace``: whoever runs the bot sees its workspaces, and sets, writes out or deletes one."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from datetime import date

import pytest

from bots.cli.main import main
from bots.workspaces import Rules, Workspaces
from ledger.people import Person
from ledger.store import Store
from tests.drawn_ledgers import Entry, write_entries

ANA, BEN, ELSEWHERE = (Person("slack", *who) for who in (("T1", "U1ANA"), ("T1", "U2/../BEN"), ("T2", "U1ANA")))


@pytest.fixture
def database(tmp_path, monkeypatch):
    monkeypatch.setenv("MONEY_MINDER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("MONEY_MINDER_MODEL", "builtin")
    path = tmp_path / "data" / "money.sqlite3"

    async def fill() -> None:
        store = await Store.open(path)
        for cents, person in enumerate((ANA, BEN, ELSEWHERE), 1):
            await write_entries(store, person, [Entry(date(2026, 10, 3), -cents * 100)])
        await store.close()

    asyncio.run(fill())
    return path


def listed(capsys) -> list[tuple[str, int, bool, int]]:
    assert main(["workspace", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    return [(e["team"], e["people"], e["rules"]["sharing"], e["rules"]["keep_days"]) for e in found]


def test_rules_are_set_for_one(database, capsys):
    assert main(["workspace", "T1", "--sharing", "off", "--keep", "30"]) == 0
    told = capsys.readouterr().out
    assert told == "slack T1: 2 people, not installed by itself, sharing off, conversations kept 30 days\n"
    assert listed(capsys) == [("T1", 2, False, 30), ("T2", 1, True, 0)]
    assert main(["workspace", "T1", "--sharing", "on"]) == 0
    capsys.readouterr()
    assert listed(capsys) == [("T1", 2, True, 30), ("T2", 1, True, 0)]


def test_who_may_use_the_bot_is_set_for_one(database, capsys):
    assert main(["workspace", "T1", "--people", "U012AB3CD,W034EF5GH"]) == 0
    assert capsys.readouterr().out.endswith(", for 2 of its members\n")
    assert main(["workspace", "T1", "--people", "everyone", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["rules"]["admitted"] == []


@pytest.mark.parametrize(
    "arguments", [("T9",), ("T1", "--keep", "-1"), ("T1", "--people", "@ana"), ("T1", "--people", "")]
)
def test_what_can_not_be_is_said(database, capsys, arguments):
    assert main(["workspace", *arguments]) == 1
    assert capsys.readouterr().err


def test_all_of_one_is_written_out_and_nothing_of_another(database, capsys, tmp_path):
    archive = tmp_path / "all.zip"
    assert main(["workspace", "T1", "--export", str(archive)]) == 0
    assert archive.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(io.BytesIO(archive.read_bytes())) as opened:
        assert sorted(opened.namelist()) == [
            "U1ANA/balances.csv", "U1ANA/transactions.csv", "U2_.._BEN/balances.csv", "U2_.._BEN/transactions.csv"
        ]  # fmt: skip
        assert "-1.00" in opened.read("U1ANA/transactions.csv").decode()
        assert not any("-3.00" in opened.read(name).decode() for name in opened.namelist())
    assert main(["workspace", "T1", "--export", str(archive)]) == 1


def test_all_of_one_is_deleted_and_nothing_of_another(database, capsys):
    main(["workspace", "T1", "--keep", "30"])
    assert main(["workspace", "T1", "--forget"]) == 1  # nobody is asked here, and nobody agreed
    capsys.readouterr()
    assert main(["workspace", "T1", "--forget", "--yes"]) == 0
    assert capsys.readouterr().out == "Deleted: everything of 2 people in T1 (2 transactions).\n"
    assert listed(capsys) == [("T2", 1, True, 0)]


async def test_rules_are_those_of_one_platform(sqlite_store):
    workspaces = Workspaces(sqlite_store)
    await workspaces.lay_down("slack", "1", sharing=False)
    assert await workspaces.rules("slack", "1") == Rules(sharing=False)
    assert await workspaces.rules("discord", "1") == Rules()
