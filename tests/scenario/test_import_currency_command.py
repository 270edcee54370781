"""``import`` of a file that nowhere tells its currency: taken as the likeliest and said so, asked in a terminal, told by an option."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenario.test_import_command import Command

PLAIN = "Date,Description,Amount\n2026-10-01,RENT,-900.00\n2026-10-14,QWOP,-40.00\n2026-10-19,SALARY,2000.00\n"
STATED = "Date,Description,Amount,Currency\n2026-10-02,ZZYX,-4.00,SEK\n"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path)


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
def test_who_cannot_be_asked_is_told_which_currency_was_taken(command: Command, dry: tuple[str, ...]) -> None:
    plain, stated = command.file("plain.csv", PLAIN), command.file("stated.csv", STATED)
    taken, read = command.json("import", plain, stated, *dry)["files"]
    assert taken["sums"] == {"USD": "1060.00"}
    assert taken["warnings"] == ["The file names no currency; its amounts are taken as USD."]
    assert (read["sums"], read["warnings"]) == ({"SEK": "-4.00"}, [])
    euros = 'Datum,Buchungstext,Betrag\n01.10.2026,MIETE,"-900,00"\n14.10.2026,QWOP,"-40,00"\n'
    done = command.run("import", command.file("euros.csv", euros), "--dry-run")
    assert "taken as EUR" in done.stdout


def test_it_is_told_by_an_option_and_then_by_the_account_until_an_undo(command: Command) -> None:
    plain = command.file("plain.csv", PLAIN)
    (file,) = command.json("import", plain, "--currency", "NOK")["files"]
    assert file["sums"] == {"NOK": "1060.00"}
    later = command.file("plain.csv", PLAIN.replace("2026-10", "2026-11"))
    (file,) = command.json("import", later, "--dry-run")["files"]
    assert (file["sums"], file["warnings"]) == ({"NOK": "1060.00"}, [])
    command.run("undo")
    (file,) = command.json("import", later, "--dry-run")["files"]
    assert file["sums"] == {"USD": "1060.00"}


@pytest.mark.parametrize(("answer", "count"), [("euros", 3), ("dunno", 0)])
def test_a_terminal_is_asked(command: Command, answer: str, count: int) -> None:
    plain = command.file("plain.csv", PLAIN)
    shown, code = command.at_a_terminal("import", plain, typed=answer)
    assert "Which currency are these amounts in?" in shown
    assert code == (0 if count else 1)
    assert ("nothing in your ledger" in command.run("tool", "ledger-status").stdout) != bool(count)
