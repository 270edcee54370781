"""The command as the scoreboard uses it, played by a small script."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evals import __main__ as scoreboard
from evals.asking import Imported, ask_row
from evals.bank_files import Ledger
from evals.command import Command, CommandFailed
from evals.golden import Golden
from evals.questions import Question
from evals.results import read_results
from evals.rows import board_rows

#: Answers each line with its text, asks back about "unclear"; "die" ends the process. Writes down how it was called.
SCRIPT = """\
import json, os, sys
arguments = sys.argv[1:]
settings = {name: value for name, value in os.environ.items() if name.startswith("MONEY_MINDER_")}
with open(os.path.join(os.path.dirname(__file__), "calls"), "a") as calls:
    calls.write(json.dumps([arguments, settings, os.getcwd()]) + "\\n")
if arguments[0] == "import":
    print(json.dumps({"batch": 1, "files": [{"file": "a.csv", "rejected": []}]}))
elif arguments[0] == "tool":
    sys.exit("money-minder: No such tool.")
else:
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["question"] == "die":
            sys.exit("money-minder: out of order")
        call = {"name": "t", "arguments": {"query": asked["question"]}, "proposed_by": "planner"}
        kind = "clarify" if asked["question"] == "unclear" else "answer"
        reply = {"kind": kind, "headline": asked["question"], "text": asked["thread"], "calls": [call], "row_ids": [4, 5]}
        print(json.dumps(reply), flush=True)
"""


@pytest.fixture
def imported(command: Path, tmp_path: Path) -> Imported:
    return Imported(command, tmp_path / "data")


def calls(command: Path) -> Iterator[tuple[list[str], dict[str, str], str]]:
    for line in (command.parent / "calls").read_text(encoding="utf-8").splitlines():
        arguments, settings, folder = json.loads(line)
        yield arguments, settings, folder


def question(name: str, *turns: str, ledger: str = "american") -> Question:
    return Question(name, ledger, "single", "en", turns, frozenset({"refuse"}), ())


def golden(ledger: Ledger, *questions: Question) -> Golden:
    names = {each.ledger for each in questions}
    return Golden({each.id: each for each in questions}, dict.fromkeys(names, ledger), dict.fromkeys(names, "files"))


def test_a_row_is_one_process_a_ledger(
    ledger: Ledger, imported: Imported, command: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings are the row's alone; only the last turn's reply is kept, with what was run before it."""
    monkeypatch.setenv("MONEY_MINDER_DATA_DIR", "/nowhere")
    monkeypatch.setenv("MONEY_MINDER_LOCALE", "de_DE")
    asked = [question("us-001", "one"), question("us-002", "two", "three"), question("uk-001", "x", ledger="british")]
    row = board_rows("small:1b", "http://127.0.0.1:9")["model-keyword"]
    results = ask_row(row, asked, golden(ledger, *asked), imported, None)
    assert [(each.id, each.reply["headline"], each.reply["text"]) for each in results] == [
        ("us-001", "one", "us-001"),
        ("us-002", "three", "us-002"),
        ("uk-001", "x", "uk-001"),
    ]
    assert [each["arguments"]["query"] for each in results[1].reply["earlier_calls"]] == ["two"]
    assert results[0].reply["earlier_calls"] == []
    assert results[0].reply["rows"] == 2
    made = list(calls(command))
    assert [arguments[0] for arguments, _, _ in made] == ["import", "ask", "import", "ask"]
    assert made[2][0][-3:] == ["--currency", "GBP", "--json"]
    arguments, settings, folder = made[1]
    assert arguments == ["ask", "-", "--json", "--thread", "model-keyword"]
    assert settings == {
        "MONEY_MINDER_DATA_DIR": str(imported.folder / "american"),
        "MONEY_MINDER_NOW": "2026-11-21T12:00:00",
        "MONEY_MINDER_MODEL": "ollama:small:1b",
        "MONEY_MINDER_OLLAMA_URL": "http://127.0.0.1:9",
        "MONEY_MINDER_ROUTING": "model",
        "MONEY_MINDER_TOOL_SELECTION__STRATEGY": "keyword",
    }
    assert Path(folder) == imported.folder / "american"


def test_a_run_goes_on_where_it_stopped(
    ledger: Ledger, imported: Imported, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What came before the process died is kept and not asked again; what was changed since is."""
    out = tmp_path / "results.jsonl"
    row = board_rows("m", "u")["builtin"]
    asked = [question("us-001", "one"), question("us-002", "die")]
    results = ask_row(row, asked, golden(ledger, *asked), imported, out)
    assert [each.id for each in results] == ["us-001"]
    assert "only 1 of 2 replies came, exit code 1: money-minder: out of order" in capsys.readouterr().err

    mended = [asked[0], question("us-002", "two")]
    results = ask_row(row, mended, golden(ledger, *mended), imported, out)
    assert [(each.id, each.reply["headline"]) for each in results] == [("us-001", "one"), ("us-002", "two")]
    assert "1 of 2 replies are those of" in capsys.readouterr().err
    assert [each.id for each in read_results(out)] == ["us-001", "us-002"]

    reworded = [question("us-001", "uno"), mended[1]]
    results = ask_row(row, reworded, golden(ledger, *reworded), imported, out)
    assert {each.id: each.reply["headline"] for each in results} == {"us-001": "uno", "us-002": "two"}
    assert "1 stale ones are asked again" in capsys.readouterr().err


def test_an_import_that_leaves_rows_out_is_no_ledger(command: Path, tmp_path: Path) -> None:
    rejecting = SCRIPT.replace('"rejected": []', '"rejected": [{"row": 3, "reason": "no date"}]')
    command.write_text(f"#!{sys.executable}\n{rejecting}", encoding="utf-8")
    with pytest.raises(CommandFailed, match="no date"):
        Command(command, tmp_path / "data", {}).import_files([Path("a.csv")])


def test_a_tool_that_is_refused_says_why(command: Path, tmp_path: Path) -> None:
    made = Command(command, tmp_path / "data", {}).run_tool("nothing", {})
    assert made == {"error": "No such tool."}


def run(monkeypatch: pytest.MonkeyPatch, made: Golden, command: Path, *options: str) -> int:
    monkeypatch.setattr(scoreboard, "read_golden", lambda _folder: made)
    monkeypatch.setattr(scoreboard, "read_subset", lambda: ["us-001"])
    return scoreboard.main([*options, "--command", str(command)])


def test_the_scoreboard_asks_prints_and_reports(
    ledger: Ledger, command: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = golden(ledger, question("us-001", "one"), question("us-002", "two"))
    out = tmp_path / "results.jsonl"
    assert run(monkeypatch, made, command, "--failures", "--out", str(out)) == 0
    printed = capsys.readouterr().out
    assert "100% (2/2)" in printed
    assert "wrong       expected refuse, came answer" in printed
    assert "american" in printed

    assert run(monkeypatch, made, command, "--report", str(out)) == 0
    assert "| builtin | none | builtin | – | 2 |" in capsys.readouterr().out
    reworded = golden(ledger, question("us-001", "one"), question("us-002", "zwei"))
    assert run(monkeypatch, reworded, command, "--report", str(out)) == 1
    assert "1 results are of other questions" in capsys.readouterr().err
    assert run(monkeypatch, made, command, "--report", str(tmp_path / "none.jsonl")) == 1


def test_the_scoreboard_lists_wrong_answers_first(
    ledger: Ledger, command: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = golden(ledger, question("us-001", "one"), question("us-002", "unclear"), question("us-003", "two"))
    assert run(monkeypatch, made, command, "--failures") == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0].split()[4:9] == ["n", "wrong", "but", "confident", "right"]
    listed = re.findall(r"^builtin (us-\d+)", printed, re.MULTILINE)
    assert listed == ["us-001", "us-003", "us-002"], "what was asked back about is last"


def test_the_subset_is_for_rows_with_a_model(
    ledger: Ledger, command: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table of files shows the built-in planner once more over the questions that the model was asked."""
    made = golden(ledger, question("us-001", "one"), question("us-002", "two"))
    out = str(tmp_path / "results.jsonl")
    monkeypatch.setattr(scoreboard, "missing_model", lambda *_: None)
    assert run(monkeypatch, made, command, "--rows", "builtin,auto", "--out", out) == 0
    lines = [line.split()[:5] for line in capsys.readouterr().out.splitlines()[:3]]
    assert [(line[0], line[4]) for line in lines] == [("row", "n"), ("builtin", "2"), ("auto", "1")]
    assert run(monkeypatch, made, command, "--report", out) == 0
    assert "| builtin, the same | none | builtin | – | 1 |" in capsys.readouterr().out


def test_without_a_model_its_rows_are_skipped(
    ledger: Ledger, command: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = golden(ledger, question("us-001", "one"))
    assert run(monkeypatch, made, command, "--rows", "model,peers", "--ollama", "http://127.0.0.1:9") == 0
    assert "No Ollama answers at http://127.0.0.1:9" in capsys.readouterr().err
    assert not (command.parent / "calls").exists()


def test_what_is_expected_can_be_read(
    ledger: Ledger, command: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, golden(ledger, question("us-001", "one", "two")), command, "--expected") == 0
    assert capsys.readouterr().out == "us-001 (single, en): one | two\n  refuse\n"


def test_unknown_rows_are_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        scoreboard.main(["--rows", "best"])
    assert stopped.value.code == 2
    assert "no row “best”" in capsys.readouterr().err
