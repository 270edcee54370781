"""Backup and restore by the unmodified program: everything comes back, to the cent, and nothing is lost on the way."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.index.lock import FileLock
from tests.support import nursery

ROOT = Path(__file__).parents[2]
QUESTIONS = ("How much did I spend in October?", "What was my biggest purchase in September?", "How much did I earn?")
STATEMENT = "Date,Description,Amount (USD)\n" + "".join(
    f"2026-{month:02}-{day:02},{shop},{amount}\n"
    for month in (8, 9, 10)
    for day, shop, amount in (
        (3, "ALDI SUED", "-41.37"),
        (15, "ACME GMBH SALARY", "2500.00"),
        (28, "IKEA", f"-{month}9.05"),
    )
)


class Machine:
    """One data directory, and the command on it."""

    def __init__(self, data: Path) -> None:
        self.data = data

    def run(self, *arguments: str, code: int = 0, **settings: str) -> str:
        """Return what the command says: to standard output, or why it failed."""
        ended = nursery.run(arguments, self.environment(**settings), ROOT)
        assert ended.returncode == code, ended.stderr.decode()
        return (ended.stderr if code else ended.stdout).decode()

    def environment(self, **settings: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("MONEY_MINDER_")}
        fixed = {"MONEY_MINDER_DATA_DIR": str(self.data), "MONEY_MINDER_MODEL": "builtin"}
        return {**kept, **fixed, "MONEY_MINDER_NOW": "2026-11-21T12:00:00+00:00", **settings}

    def pipe(self, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run the command as a process of its own, with pipes at its ends."""
        command = [sys.executable, "-m", "bots.cli.main", *arguments]
        return subprocess.run(
            command, input=given, env=self.environment(), cwd=ROOT, capture_output=True, check=True, timeout=100
        )

    def figures(self) -> list[list[str]]:
        """What the questions are answered with."""
        told = [json.loads(self.run("ask", question, "--json")) for question in QUESTIONS]
        return [[fact["value"] for fact in each["facts"]] for each in told]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "data")


@pytest.fixture
def filled(machine: Machine, tmp_path: Path) -> Machine:
    path = tmp_path / "bank.csv"
    path.write_text(STATEMENT)
    machine.run("import", str(path))
    return machine


def test_import_backup_delete_restore(filled, tmp_path):
    before, backup = filled.figures(), tmp_path / "money.zip"
    assert all(before)
    assert filled.run("backup", str(backup)) == f"9 transactions of 1 person backed up to {backup}.\n"
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    shutil.rmtree(filled.data)
    assert filled.run("restore", str(backup)).startswith("9 transactions of 1 person restored, as of ")
    assert filled.figures() == before
    assert json.loads(filled.run("doctor", "--json"))["ok"]


def test_what_was_deleted_by_mistake_comes_back_beside_what_came_since(filled, tmp_path):
    before, backup = filled.figures(), str(tmp_path / "money.zip")
    filled.run("backup", backup)
    filled.run("forget", "--yes")
    later = tmp_path / "later.csv"
    later.write_text("Date,Description,Amount (USD)\n2026-11-01,ALDI SUED,-1.00\n")
    filled.run("import", str(later))
    assert "--force" in filled.run("restore", backup, code=1)
    told = json.loads(filled.run("restore", backup, "--force", "--json"))
    assert (told["transactions"], told["dropped"]) == (9, 0)
    assert filled.figures() == before
    other = Machine(tmp_path / "other")
    other.data.mkdir(mode=0o700)
    shutil.copy(told["kept"], other.data / "money.sqlite3")
    assert json.loads(other.run("tool", "ledger-status", "--json"))["facts"][0]["value"] == 1


def test_through_a_pipe(filled, tmp_path):
    """As out of one container and into another."""
    before, other = filled.figures(), Machine(tmp_path / "other")
    backup = filled.pipe("backup", "-")
    assert backup.stderr == b"9 transactions of 1 person backed up.\n"
    other.pipe("restore", "-", given=backup.stdout)
    assert other.figures() == before


def test_while_the_bot_runs_nothing_is_restored(filled, tmp_path):
    backup = str(tmp_path / "money.zip")
    serving = FileLock(filled.data / "serving.lock")
    try:
        filled.run("backup", backup)
        assert "The bot is running" in filled.run("restore", backup, "--force", code=1)
    finally:
        serving.release()
    filled.run("restore", backup, "--force")


def test_a_backup_overwrites_nothing_and_leaves_nothing_half_written(filled, machine, tmp_path):
    there = tmp_path / "there.zip"
    there.write_text("mine")
    assert "there already" in filled.run("backup", str(there), code=1)
    assert there.read_text() == "mine"
    missing = tmp_path / "no" / "folder.zip"
    assert "can't be written" in filled.run("backup", str(missing), code=1)
    empty = Machine(tmp_path / "empty")
    assert "nothing to back up" in empty.run("backup", str(tmp_path / "empty.zip"), code=1)
    assert not (tmp_path / "empty.zip").exists()
    assert "can't be read" in machine.run("restore", str(tmp_path / "none.zip"), code=1)


def test_a_ledger_in_postgresql_has_programs_of_its_own(machine):
    url = "postgresql://me:secret@db.example:5433/money"
    for command, program in (("backup", "pg_dump"), ("restore", "pg_restore")):
        said = machine.run(command, "a b.dump", code=1, MONEY_MINDER_DATABASE_URL=url)
        assert f"{program} " in said
        assert "postgresql://me@db.example:5433/money" in said
        assert "'a b.dump'" in said
        assert "secret" not in said
    local = "postgresql://me@/money?host=/run/postgresql&ssl=disable"
    said = machine.run("backup", "x", code=1, MONEY_MINDER_DATABASE_URL=local)
    assert "'postgresql://me@/money?host=%2Frun%2Fpostgresql')" in said
