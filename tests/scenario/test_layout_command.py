"""``layout``: what a file's columns are taken for, said better, kept for one person, handed on as a file, and forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenario.test_import_command import Command

CARD = "Date,Description,Amount (USD)\n2026-10-01,Tesco,12.50\n2026-10-04,Shell,40.00\n"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path)


def test_it_is_shown_said_kept_and_used_from_then_on(command: Command, tmp_path: Path) -> None:
    card = command.file("card.csv", CARD)
    shown = command.json("layout", card, code=1)
    assert [(each["name"], each["role"]) for each in shown["columns"]] == [
        ("Date", "date"), ("Description", "description"), ("Amount (USD)", "amount"),
    ]  # fmt: skip
    assert "spend or receive" in shown["error"]
    told = command.json("layout", card, "--set", "sign=reversed", "--set", "Amount (USD)=amount", "--save")
    assert [(row["date"], row["amount"]) for row in told["rows"]] == [
        ("2026-10-01", "-12.50"),
        ("2026-10-04", "-40.00"),
    ]
    later = command.file("later.csv", CARD.replace("2026-10", "2026-11"))
    (file,) = command.json("import", later)["files"]
    assert file["sums"] == {"USD": "-52.50"}
    command.run("undo")
    assert "Read as you said on" in command.run("import", later, "--dry-run").stdout
    other = command.json("import", later, "--dry-run", "--user", "ben", code=1)
    assert "question" in other["files"][0]
    command.run("layout", card, "--forget")
    command.json("import", later, "--dry-run", code=1)


def test_it_is_handed_on_as_a_file(command: Command, tmp_path: Path) -> None:
    card, out = command.file("card.csv", CARD), str(tmp_path / "card.toml")
    command.run("layout", card, "--set", "sign=reversed", "--export", out)
    assert 'sign = "reversed"' in Path(out).read_text("utf-8")
    (file,) = command.json("import", card, "--layout", out, "--user", "ben")["files"]
    assert file["sums"] == {"USD": "-52.50"}
    foreign = command.file("other.csv", CARD.replace("Description", "Text"))
    assert "of other files" in command.run("import", foreign, "--layout", out, code=1).stderr


def test_what_is_no_layout_or_no_column_is_refused(command: Command) -> None:
    card, wrong = command.file("card.csv", CARD), command.file("wrong.toml", 'regex = ".*"')
    assert "can't say 'regex'" in command.run("import", card, "--layout", wrong, code=1).stderr
    assert "no column" in command.run("layout", card, "--set", "Betrag=amount", code=1).stderr
    assert "nothing to keep" in command.run("layout", card, "--save", code=1).stderr
    assert "no such file" in command.run("layout", card, "--layout", "/nowhere.toml", code=1).stderr
