"""``import`` where nothing proves which way money went: asked in JSON and in a terminal, told by an option, remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenario.test_import_command import Command

CARD = "Date,Description,Amount (USD)\n2026-10-01,Tesco,12.50\n2026-10-04,Shell,40.00\n2026-10-19,Amazon,20.00\n2026-10-20,Lidl,9\n"
MIXED = "Date,Description,Amount (USD)\n2026-10-01,RENT,-900.00\n2026-10-14,TESCO,-40.00\n2026-10-19,SALARY,2000.00\n"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path)


def test_without_an_answer_nothing_of_that_file_is_stored(command: Command) -> None:
    card, mixed = command.file("card.csv", CARD), command.file("mixed.csv", MIXED)
    report = command.json("import", card, mixed, code=1)
    asked, read = report["files"]
    assert "--direction" in asked["error"]
    assert asked["warnings"] == []
    assert asked["question"]["text"] == "Did you spend or receive these?"
    assert asked["question"]["rows"] == [
        {"date": "2026-10-01", "description": "Tesco", "amount": "12.50"},
        {"date": "2026-10-04", "description": "Shell", "amount": "40.00"},
        {"date": "2026-10-19", "description": "Amazon", "amount": "20.00"},
    ]
    assert (read["out"], read["in"]) == ({"USD": {"sum": "940.00", "rows": 2}}, {"USD": {"sum": "2000.00", "rows": 1}})
    assert command.json("tool", "ledger-status")["facts"][0]["value"] == 3
    done = command.run("import", card, code=1)
    assert (done.stdout, done.stderr.count("--direction"), done.stderr.count("Tesco")) == ("", 1, 1)


@pytest.mark.parametrize(("told", "total"), [("spent", "-81.50"), ("received", "81.50"), ("as-written", "81.50")])
def test_it_is_told_outright_remembered_and_asked_again_after_an_undo(command: Command, told: str, total: str) -> None:
    card = command.file("card.csv", CARD)
    (file,) = command.json("import", card, "--direction", told)["files"]
    assert (file["sums"], file["added"]) == ({"USD": total}, 4)
    later = command.file("card.csv", CARD.replace("2026-10", "2026-11"))
    (file,) = command.json("import", later, "--dry-run")["files"]
    assert file["sums"] == {"USD": total}
    assert "as last time" in file["direction"]
    command.run("undo")
    command.json("import", later, "--dry-run", code=1)


def test_decimals_that_a_currency_does_not_have_are_said_and_agree_with_the_ledger(command: Command) -> None:
    path = command.file("odd.csv", "Date,Description,Amount (USD)\n2026-10-13,Tesco,-1.005\n2026-10-14,Shell,-2.50\n")
    (file,) = command.json("import", path)["files"]
    assert (file["sums"], file["out"]) == ({"USD": "-3.50"}, {"USD": {"sum": "3.50", "rows": 2}})
    assert "row 2, -1.005, to -1.00" in file["warnings"][-1]
    assert "3.50" in command.run("ask", "How much did I spend in October 2026?").stdout


@pytest.mark.parametrize(("answer", "count"), [("spent", 4), ("dunno", 0)])
def test_a_terminal_is_asked(command: Command, answer: str, count: int) -> None:
    card = command.file("card.csv", CARD)
    said, code = command.at_a_terminal("import", card, typed=answer)
    assert "Did you spend or receive these?" in said
    assert code == (0 if count else 1)
    if count:
        assert command.json("tool", "ledger-status")["facts"][0]["value"] == count
    else:
        assert "nothing in your ledger" in command.run("tool", "ledger-status").stdout
