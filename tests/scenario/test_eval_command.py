"""Many questions in one process, and the scoreboard that asks them."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.cli import eval as scoreboard
from bots.cli.ask import Asked, read_line
from bots.errors import CommandError
from bots.settings import Settings
from tests.support import nursery
from tests.support.bank_files import american_lines, mint_csv, spent, within

ROOT = Path(__file__).parents[2]
AMERICAN = american_lines()
GROCERIES = [line for line in AMERICAN if line.category == "Groceries"]
OCTOBER = spent(GROCERIES, within("2026-10-01", "2026-10-31"))
SEPTEMBER = spent(GROCERIES, within("2026-09-01", "2026-09-30"))
OCTOBERS = "How much did I spend on groceries in October?"
COMMAND = [sys.executable, "-m", "bots.cli.main"]


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MONEY_MINDER_")}
    ours = {"DATA_DIR": str(folder / "data"), "NOW": "2026-11-21T12:00:00", "MODEL": "builtin"}
    return kept | {f"MONEY_MINDER_{name}": value for name, value in ours.items()}


def run(folder: Path, *arguments: str, text: str | bytes = "") -> subprocess.CompletedProcess[bytes]:
    return nursery.run(arguments, environment(folder), ROOT, text.encode() if isinstance(text, str) else text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with two years of an American household."""
    made = tmp_path_factory.mktemp("batch")
    (made / "mint.csv").write_bytes(mint_csv(AMERICAN))
    assert run(made, "import", str(made / "mint.csv")).returncode == 0
    return made


def totals(printed: bytes) -> list[Any]:
    """The first figure of each line, or what kind of line it is."""
    lines = [json.loads(line) for line in printed.decode().splitlines()]
    return [line["facts"][0]["value"] if line.get("facts") else line.get("kind", "failed") for line in lines]


def test_many_questions_are_answered_in_order(folder: Path) -> None:
    """Threads hold together and apart; a line that can't be read is said, and the others go on."""
    lines = [
        OCTOBERS,
        "",
        json.dumps({"question": OCTOBERS, "thread": "a"}),
        json.dumps({"question": "How much did I spend at Costco in October?", "thread": "b"}),
        "and in September?",
        json.dumps({"question": "and in September?", "thread": "a"}),
        '{"question": "How much',
        '{"question": 5}',
        '{"question": "Hello", "threads": "a"}',
        "what is the weather like",
    ]
    done = run(folder, "ask", "-", "--json", text="\n".join(lines))
    costco = spent(AMERICAN, lambda line: line.name == "Costco" and within("2026-10-01", "2026-10-31")(line))
    answers = totals(done.stdout)
    assert answers[:3] == [str(OCTOBER), str(OCTOBER), str(costco)]
    assert answers[3] != str(SEPTEMBER), "a line without a thread follows nothing"
    assert answers[4:] == [str(SEPTEMBER), "failed", "failed", "failed", "refuse"]
    assert done.returncode == 1
    errors = [json.loads(line).get("error", "") for line in done.stdout.decode().splitlines()[5:8]]
    assert [error.split(" is ")[0] for error in errors] == ["Line 7", "Line 8", "Line 9"]
    assert done.stderr.decode().count("money-minder: Line ") == 3


def test_a_prefix_is_the_thread_of_lines_without_one(folder: Path) -> None:
    """It goes before the others, which a later question can go on with."""
    named = json.dumps({"question": "How much did I spend at Costco in October?", "thread": "c"})
    many = run(folder, "ask", "-", "--json", "--thread", "p", text=f"{OCTOBERS}\n{named}\nand in September?\n")
    assert totals(many.stdout)[2] == str(SEPTEMBER)
    assert many.returncode == 0
    alone = run(folder, "ask", "and in September?", "--json", "--thread", "p/c")
    costco = spent(AMERICAN, lambda line: line.name == "Costco" and within("2026-09-01", "2026-09-30")(line))
    assert totals(alone.stdout) == [str(costco)]


def test_answers_for_people_have_a_blank_line_between(folder: Path) -> None:
    many = run(folder, "ask", "-", text=f"{OCTOBERS}\n\n{OCTOBERS}\n")
    first, second = many.stdout.decode().split("\n\n")
    assert first.startswith(f"${OCTOBER:,} on groceries in October 2026\n")
    assert second == f"{first}\n"
    assert (many.returncode, many.stderr) == (0, b"")


def test_an_answer_comes_before_the_next_question_is_asked(folder: Path) -> None:
    """Whoever writes one line and waits for its answer gets it."""
    process = subprocess.Popen(
        [*COMMAND, "ask", "-", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(folder),
        cwd=ROOT,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(f"{OCTOBERS}\n".encode())
            process.stdin.flush()
            assert totals(process.stdout.readline()) == [str(OCTOBER)]
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 0


def test_lines_that_are_no_text_do_not_stop_the_others(folder: Path) -> None:
    """Bytes of another encoding, half a character spelled in JSON, a byte order mark, a line without end."""
    strange = [b"\xef\xbb\xbf" + OCTOBERS.encode(), b"\xff\xfe", rb'{"question": "\ud800"}', b"x" * 9000]
    done = run(folder, "ask", "-", "--json", text=b"\r\n".join([*strange, OCTOBERS.encode()]))
    answers = totals(done.stdout)
    assert (answers[0], answers[3:]) == (str(OCTOBER), ["failed", str(OCTOBER)])
    assert len(answers) == 5
    assert b"Line 4 is longer than 8000 characters." in done.stderr


@given(st.text(max_size=50), st.one_of(st.none(), st.text(min_size=1, max_size=5)))
def test_any_line_is_a_question_or_refused(line: str, prefix: str | None) -> None:
    if not line.strip():
        return
    try:
        asked = read_line(line, 1, prefix)
    except CommandError:
        assert line.lstrip("\ufeff").strip().startswith("{") or not line.strip("\ufeff").strip()
    else:
        assert asked.text.strip()
        assert asked.thread == prefix


@pytest.mark.parametrize(
    ("line", "prefix", "expected"),
    [
        ('{"question": "a", "thread": "t"}', None, Asked("a", "t")),
        ('{"question": "a", "thread": "t"}', "p", Asked("a", "p/t")),
        ('{"question": "a", "thread": null}', "p", Asked("a", "p")),
        (' {"question": "a"} ', None, Asked("a")),
        ('["a"]', None, Asked('["a"]')),
        ("\ufeffa", None, Asked("a")),
    ],
)
def test_lines_with_threads(line: str, prefix: str | None, expected: Asked) -> None:
    assert read_line(line, 3, prefix) == expected


def test_the_scoreboard_runs_behind_the_command(tmp_path: Path) -> None:
    """Two golden questions, asked of the command as it is installed."""
    results = tmp_path / "results.jsonl"
    done = run(tmp_path, "eval", "--ids", "us-001", "us-056", "--failures", "--out", str(results))
    assert done.returncode == 0, done.stderr.decode()
    line = next(line for line in done.stdout.decode().splitlines() if line.startswith("builtin"))
    assert line.split()[:5] == ["builtin", "none", "builtin", "–", "2"]
    assert line.count("100% (2/2)") == 3
    assert [json.loads(each)["id"] for each in results.read_text(encoding="utf-8").splitlines()] == ["us-001", "us-056"]


def test_options_are_the_scoreboards_own(tmp_path: Path) -> None:
    assert b"--failures" in run(tmp_path, "eval", "--help").stdout
    wrong = run(tmp_path, "eval", "--rows", "best")
    assert wrong.returncode == 2
    assert "no row “best”" in wrong.stderr.decode()


async def test_without_a_checkout_there_is_no_scoreboard(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="comes with the source"):
        await scoreboard.run(argparse.Namespace(arguments=[]), Settings(_env_file=None), checkout=tmp_path)
