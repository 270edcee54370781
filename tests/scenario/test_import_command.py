"""The command as a user runs it: files in, figures out, everything back, on the exit codes that scripts rely on."""

from __future__ import annotations

import csv
import json
import os
import pty
import random
import subprocess
import sys
import zipfile
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.support import nursery

ROOT = Path(__file__).parents[2]
BANK = ROOT / "tests/data/bank"
ARGUMENTS = json.loads((ROOT / "tests/data/tools/model_arguments.json").read_text(encoding="utf-8"))["calls"]
REPORT = ["file", "format", "account", "found", "added", "duplicates", "rejected", "sums", "first", "last"]
REPORT += ["out", "in", "direction", "read_as", "warnings", "balances"]


class Command:
    """The unmodified program, with its data in a folder of the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"

    def run(self, *arguments: str, code: int | None = 0, **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("MONEY_MINDER_")}
        settings = {"MONEY_MINDER_DATA_DIR": str(self.data), "MONEY_MINDER_NOW": "2026-11-21T12:00:00+00:00"}
        ended = nursery.run(arguments, {**kept, **settings, **environment}, ROOT)
        out, err = ended.stdout.decode(), ended.stderr.decode()
        assert "Traceback" not in err, err
        assert code is None or ended.returncode == code, (ended.returncode, out, err)
        return subprocess.CompletedProcess(ended.args, ended.returncode, out, err)

    def at_a_terminal(self, *arguments: str, typed: str) -> tuple[str, int]:
        """Run it where somebody sits, with what they type; return what they see, and the exit code."""
        above, below = pty.openpty()
        settings = {"MONEY_MINDER_DATA_DIR": str(self.data), "MONEY_MINDER_NOW": "2026-11-21T12:00:00+00:00"}
        os.write(above, f"{typed}\n".encode())
        ended = subprocess.run(
            [sys.executable, "-m", "bots.cli.main", *arguments],
            stdin=below, stdout=below, stderr=subprocess.PIPE, cwd=ROOT, check=False, timeout=100,
            env={**os.environ, **settings, "COLUMNS": "300"},
        )  # fmt: skip
        shown = os.read(above, 65536).decode()
        os.close(above)
        os.close(below)
        return shown, ended.returncode

    def json(self, *arguments: str, code: int = 0) -> Any:
        return json.loads(self.run(*arguments, "--json", code=code).stdout)

    def file(self, name: str, data: bytes | str) -> str:
        path = self.folder / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return str(path)


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path)


ROWS = [(date(2026, 9, 1) + timedelta(n), -(100 + n), f"SHOP {chr(65 + n % 26)}") for n in range(60)]
TOTAL = str(Decimal(sum(cents for _, cents, _ in ROWS)).scaleb(-2))


def statement() -> str:
    return "Date,Description,Amount (USD)\n" + "".join(
        f"{d:%m/%d/%Y},{text},{Decimal(c).scaleb(-2)}\n" for d, c, text in ROWS
    )


def test_a_good_file(command):
    path = command.file("checking.csv", statement())
    report = command.json("import", path)
    assert list(report) == ["batch", "files"]
    assert isinstance(report["batch"], int)
    assert list(report["files"][0]) == REPORT
    assert report["files"] == [
        {
            "file": path, "format": "csv", "account": "Checking", "found": 60, "added": 60, "duplicates": 0, "rejected": [],
            "sums": {"USD": TOTAL}, "first": "2026-09-01", "last": "2026-10-30",
            "out": {"USD": {"sum": TOTAL.lstrip("-"), "rows": 60}}, "in": {"USD": {"sum": "0", "rows": 0}},
            "direction": "", "read_as": "", "warnings": [],
            "balances": [],
        }
    ]  # fmt: skip
    again = command.json("import", path)
    assert (again["batch"], again["files"][0]["added"], again["files"][0]["duplicates"]) == (None, 0, 60)


def test_good_and_bad_files_in_the_order_they_were_named(command):
    good = command.file("checking.csv", statement())
    some = command.file(
        "savings.csv", "Date,Description,Amount (USD)\n01/15/2026,A,+1.00\nnonsense,B,+2.00\n01/17/2026,C,x\n"
    )
    bad = [command.file("empty.csv", b""), str(command.folder), str(command.folder / "missing.csv")]
    done = command.run("import", bad[0], good, bad[1], some, bad[2], "--json", code=1)
    files = json.loads(done.stdout)["files"]
    assert [file["file"] for file in files] == [bad[0], good, bad[1], some, bad[2]]
    for index in (0, 2, 4):
        assert list(files[index]) == ["file", "error"]
        assert files[index]["error"].count(".") >= 1
        assert files[index]["error"] in done.stderr
    assert (files[1]["added"], files[3]["added"]) == (60, 1)
    assert [row["row"] for row in files[3]["rejected"]] == [3, 4]
    assert all(row["reason"] for row in files[3]["rejected"])
    assert command.json("tool", "ledger-status")["facts"][0]["value"] == 61


def test_why_a_file_cannot_be_read_is_said_once(command):
    done = command.run("import", command.file("empty.csv", b""), command.file("checking.csv", statement()), code=1)
    assert "This file is empty." in done.stderr
    assert "empty" not in done.stdout
    assert "60 added" in done.stdout


NOISE = random.Random(7).randbytes(3_000_000)
BAD = {
    "empty.csv": b"",
    "blank.csv": b"\n \n\t\n",
    "letter.txt": b"Dear customer,\n\nplease find enclosed your statement.\n\nYours\n" * 20,
    "page.html": b"<!DOCTYPE html><html><body>Please log in.</body></html>",
    "noise.bin": NOISE,
    "noise.csv": NOISE.hex().encode(),
    "wide.csv": (
        ",".join(f"c{n}" for n in range(10_000)) + "\n" + ",".join("1" for _ in range(10_000)) + "\n"
    ).encode(),
    "picture.csv": b"\x89PNG\r\n\x1a\n" + NOISE[:5000],
    "truncated.ofx": b"OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CO",
}


def test_what_is_no_bank_file_gets_one_clear_sentence(command):
    paths = [command.file(name, data) for name, data in BAD.items()]
    done = command.run("import", *paths, "--json", code=1)
    report = json.loads(done.stdout)
    assert report["batch"] is None
    for path, file in zip(paths, report["files"], strict=True):
        assert (list(file), file["file"]) == (["file", "error"], path)
        assert 10 < len(file["error"]) < 300, file
        assert "\n" not in file["error"]
    assert "nothing in your ledger" in command.run("tool", "ledger-status").stdout


def test_a_statement_without_transactions_is_no_failure(command):
    report = command.json("import", command.file("giro.csv", "Date,Description,Amount (USD)\n"))
    assert (report["batch"], report["files"][0]["found"], report["files"][0]["sums"]) == (None, 0, {})


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_german_file_in_any_encoding(command, encoding):
    text = "Buchungstag;Verwendungszweck;Betrag;Währung\r\n31.10.2026;Müller Drogerie;-1.012,50;EUR\r\n30.10.2026;Gehalt;2.500,00;EUR\r\n"
    report = command.json("import", command.file("konto.csv", text.encode(encoding)))
    (file,) = report["files"]
    assert (file["added"], file["sums"]) == (2, {"EUR": "1487.50"})
    listed = command.json("tool", "transactions-list", '{"merchant": "müller"}')
    assert listed["table"]["rows"][0][4] == {"amount": "-1012.50", "currency": "EUR"}


def test_a_truncated_file_keeps_its_whole_rows(command):
    path = command.file("checking.csv", statement()[:-9])
    file = command.json("import", path)["files"][0]
    assert (file["found"] + len(file["rejected"]), file["added"]) in {(60, 59), (60, 60)}
    if file["added"] == 60:
        assert file["rejected"] == []


def test_a_dry_run_reads_everything_and_keeps_nothing(command):
    paths = [command.file("checking.csv", statement()), command.file("empty.csv", b"")]
    dry = command.json("import", *paths, "--dry-run", code=1)
    assert command.json("tool", "ledger-status")["kind"] == "empty"
    real = command.json("import", *paths, code=1)
    assert (dry["batch"], dry["files"]) == (None, real["files"])


def test_an_import_is_taken_back_once(command):
    batch = command.json("import", command.file("checking.csv", statement()))["batch"]
    assert command.json("undo") == {"batch": batch, "removed": 60}
    assert command.json("tool", "ledger-status")["kind"] == "empty"
    done = command.run("undo", "--json", code=1)
    assert done.stderr.startswith("money-minder: ")
    assert command.run("undo", str(batch), code=1).stderr == f"money-minder: Import {batch} was taken back already.\n"


def test_an_import_that_never_was_is_named(command):
    command.json("import", command.file("checking.csv", statement()))
    assert command.run("undo", "99", code=1).stderr == "money-minder: There is no import 99.\n"
    assert command.json("undo")["removed"] == 60


def test_where_writes_are_switched_off_nothing_is_imported_but_looked_at(command):
    path = command.file("checking.csv", statement())
    refused = command.run("import", path, code=1, MONEY_MINDER_WRITES="false")
    assert refused.stderr == "money-minder: Nothing can be changed in this installation.\n"
    assert "60 new" in command.run("import", path, "--dry-run", MONEY_MINDER_WRITES="false").stdout
    assert command.json("tool", "ledger-status")["kind"] == "empty"


def test_what_is_no_file_is_not_read(command):
    os.mkfifo(command.folder / "pipe")
    done = command.run("import", str(command.folder / "pipe"), "/dev/zero", str(command.folder), code=1)
    assert [line.rpartition(": ")[2] for line in done.stderr.splitlines()] == [
        "This is a pipe or device, not a file.", "This is a pipe or device, not a file.",
        "This is a folder, and no file in it looks like a statement.",
    ]  # fmt: skip


def test_a_folder_is_not_imported_unasked_but_looked_through(command):
    command.file("checking.csv", statement())
    command.file("notes.txt", b"Dear Ann")
    refused = command.run("import", str(command.folder), code=1)
    assert refused.stderr == (
        f"money-minder: {command.folder}: This is a folder; one file in it looks like a statement: checking.csv. "
        "Name it if you mean it.\n"
    )
    dry = command.json("import", str(command.folder), "--dry-run")
    assert [(file["file"], file["added"]) for file in dry["files"]] == [(f"{command.folder}/checking.csv", 60)]
    assert command.json("tool", "ledger-status")["kind"] == "empty"


def test_an_archive_is_one_import_of_its_files(command):
    path = command.folder / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("2026/checking.csv", statement())
        archive.writestr("old.qif", "!Type:CCard\nD2026-10-05\nT-1.00\nPShop\n^\n")
        archive.writestr("page.html", "<html></html>")
    report = command.json("import", str(path), "--currency", "USD", code=1)
    assert [(file["file"], file.get("added"), "error" in file) for file in report["files"]] == [
        (f"{path}: 2026/checking.csv", 60, False),
        (f"{path}: old.qif", 1, False),
        (f"{path}: page.html", None, True),
    ]
    assert report["files"][1]["account"] == "File export"
    assert command.json("undo") == {"batch": report["batch"], "removed": 61}


def test_an_error_is_said_once(command):
    done = command.run("import", command.file("a.pdf", b"%PDF-1.7"), command.file("b.csv", statement()), code=1)
    assert (done.stdout + done.stderr).count("PDF") == 1


def test_an_export_is_imported_by_another_user(command):
    files = [
        str(BANK / "made_up/mint.csv"),
        str(BANK / "made_up/comdirect.csv"),
        command.file("checking.csv", statement()),
    ]
    command.run("import", *files, "--currency", "USD")
    exported = command.folder / "export.csv"
    command.run("export", "--output", str(exported))
    assert exported.stat().st_mode & 0o077 == 0
    command.run("export", "--output", str(exported), code=1)
    assert command.json("import", str(exported), "--user", "bob")["files"][0]["rejected"] == []

    def rows(user: str) -> list[tuple[str, ...]]:
        text = command.run("export", *(["--user", user] if user else [])).stdout
        return sorted(
            tuple(value for name, value in row.items() if name != "Id") for row in csv.DictReader(text.splitlines())
        )

    assert rows("bob") == rows("")
    assert len(rows("")) == 64


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("last quarter", "2026-07-01", "2026-09-30"),
        ("october", "2026-10-01", "2026-10-31"),
        ("past 30 days", "2026-10-23", "2026-11-21"),
        ("last_3_months", "2026-08-01", "2026-10-31"),
        ("erste Oktoberwoche", "2026-10-01", "2026-10-07"),
    ],
)
def test_periods(command, phrase, start, end):
    assert command.json("period", phrase, "--now", "2026-11-21") == {"start": start, "end": end}


def test_an_unknown_period_is_answered_with_the_nearest(command):
    done = command.run("period", "last quartre", "--now", "2026-11-21", code=1)
    assert "last quarter" in done.stderr
    assert "last quarter" in command.json("period", "last quartre", code=1)["choices"]
    assert not command.data.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["import"],
        ["import", "x.csv", "--nonsense"],
        ["undo", "first"],
        ["period"],
        ["period", "october", "--now", "yesterday"],
        ["export", "--format", "pdf"],
    ],
)
def test_wrong_usage_is_exit_code_2(command, arguments):
    done = command.run(*arguments, code=2)
    assert done.stdout == ""
    assert done.stderr


LEDGER = """Date,Description,Original Description,Amount (USD),Transaction Type,Category,Account Name,Labels,Notes
02/14/2024,Amazon,AMAZON MKTPL,20.00,debit,Shopping,Visa,,
03/14/2024,Walmart,WALMART 12,12.50,debit,Groceries,Visa,,
03/15/2024,Whole Foods,WHOLE FOODS,7.25,debit,Groceries,Visa,,
03/16/2024,Starbucks,STARBUCKS,4.00,debit,Coffee Shops,Visa,,
03/17/2024,Spotify,SPOTIFY,9.99,debit,Music,Visa,,
03/18/2024,Uber,UBER TRIP,15.00,debit,Ride Share,Visa,,
"""


def test_arguments_of_a_real_model_are_used_or_refused(command):
    """None of them fails in another way than by a reason, and figures among them are right."""
    command.run("import", command.file("mint.csv", LEDGER))
    names = {"get_spending_summary": "spending-", "analyze_by_category": "spending-", "analyze_merchant": "spending-"}
    calls = {json.dumps(call, sort_keys=True): call for call in ARGUMENTS}
    for call in list(calls.values())[::6]:
        name = names.get(call["name"], "transactions-") + call["name"]
        done = command.run("tool", name, json.dumps(call["arguments"]), "--json", code=None)
        told = json.loads(done.stdout)
        assert done.returncode == (1 if "error" in told else 0), call
        assert told.get("kind") in ("answer", "empty", "clarify") or told["error"], call


def test_a_tool_by_hand(command):
    command.run("import", command.file("mint.csv", LEDGER))
    given = '{"category": "groceries", "start_date": "2024-03-01", "end_date": "2024-03-31", "merchant": null}'
    told = command.json("tool", "spending-analyze_by_category", given)
    assert {fact["name"]: fact["value"] for fact in told["facts"]}["total"] == "19.75"
    assert told["period"] == {"start": "2024-03-01", "end": "2024-03-31"}
    assert len(told["row_ids"]) == 2
    merchant = command.json("tool", "spending-analyze_merchant", '{"merchant": "amazon", "group_by_category": "false"}')
    assert merchant["arguments"]["group_by_category"] is False
    for name, arguments in (
        ("spending-nonsense", "{}"),
        ("spending-analyze_by_category", "{"),
        ("spending-analyze_by_category", "[]"),
        ("spending-analyze_by_category", "{}"),
        ("spending-analyze_by_category", '{"category": "zeppelins"}'),
        ("spending-get_spending_summary", '{"period": "the age of aquarius"}'),
        (
            "spending-analyze_by_category",
            '{"category": "groceries", "start_date": "2024-03-31", "end_date": "2024-03-01"}',
        ),
    ):
        assert command.run("tool", name, arguments, code=1).stderr.startswith("money-minder: ")


def test_forgetting_takes_a_yes_and_everything_else_stays(command):
    path = command.file("mint.csv", LEDGER)
    command.run("import", path)
    command.run("import", path, "--user", "bob")
    refused = command.run("forget", code=1)
    assert "--yes" in refused.stderr
    assert command.json("forget", "--yes") == {"removed": 6}
    assert command.json("tool", "ledger-status")["kind"] == "empty"
    assert command.json("tool", "ledger-status", "--user", "bob")["facts"][0]["value"] == 6
    command.run("forget", "--yes", "--user", "bob")
    left = b"".join(path.read_bytes() for path in command.data.rglob("*") if path.is_file())
    assert b"WHOLE FOODS" not in left
    assert b"whole foods" not in left


def test_files_are_the_owners_alone(command):
    command.run("import", command.file("mint.csv", LEDGER))
    assert command.data.stat().st_mode & 0o777 == 0o700
    assert all(path.stat().st_mode & 0o077 == 0 for path in command.data.rglob("*"))


GROUP = "Date,Description,Category,Cost,Currency,Hanna Kessler,Bob\n2026-10-06,Cinema,Movies,30.00,EUR,20.00,-20.00\n"


def test_a_file_of_several_people_says_what_it_asks_and_is_told_by_an_option_once(command):
    path = command.file("flat.csv", GROUP)
    asked = command.json("import", path, code=1)["files"][0]
    assert asked["question"] == {
        "kind": "person",
        "text": "Which of these are you?",
        "people": ["Hanna Kessler", "Bob"],
        "answers": ["--person 'Hanna Kessler'", "--person Bob"],
    }
    assert "--person “Hanna Kessler”" in asked["error"]
    told = command.json("import", path, "--person", "Hanna Kessler")["files"][0]
    assert (told["sums"], told["read_as"]) == ({"EUR": "-10.00"}, "Read as you say: you are Hanna Kessler.")
    again = command.json(
        "import", command.file("flat2.csv", GROUP.replace("30.00,EUR,20.00,-20.00", "8.00,EUR,4.00,-4.00"))
    )
    assert again["files"][0]["sums"] == {"EUR": "-4.00"}
    assert "you are Hanna Kessler" in again["files"][0]["read_as"]
