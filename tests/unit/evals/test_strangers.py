"""Questions by strangers: asked through a command that a script plays, judged, and told with the wrong ones first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.strangers import judge, main

#: Answers each question with the reply that it is itself.
SCRIPT = """\
import json, sys
if sys.argv[1] == "import":
    print(json.dumps({"batch": 1, "files": [{"file": "a.csv", "rejected": []}]}))
else:
    for line in sys.stdin:
        print(json.dumps({"text": "", "calls": []} | json.loads(json.loads(line)["question"])), flush=True)
"""


def asked(name: str, kind: str, headline: str, confidence: float | None = 0.5, text: str = "") -> dict[str, Any]:
    """Return a question to which “5.00” is right, and which the script replies to in this way."""
    reply = {"kind": kind, "headline": headline, "text": text or headline, "confidence": confidence}
    return {
        "id": name, "ledger": "anna", "lang": "en", "style": "plain", "group": "total", "turns": [json.dumps(reply)],
        "expect": {"kind": "money", "value": "5.00"},
    }  # fmt: skip


def run(command: Path, questions: list[dict[str, Any]], capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    folder = command.parent / "round"
    folder.mkdir()
    lines = "".join(json.dumps(each) + "\n" for each in questions)
    (folder / "questions.jsonl").write_text(lines, encoding="utf-8")
    assert main([str(folder), "--command", str(command), *options]) == 0
    return capsys.readouterr().out.splitlines()


FOUR = [
    asked("right", "answer", "$5.00 in all", 0.9),
    asked("back", "clarify", "Which one?"),
    asked("beside", "answer", "Two purchases", 0.8, "Two purchases\n$5.00 in all"),
    asked("wrong", "answer", "$7.00 in all", 0.7),
]


def test_the_table_tells_wrong_answers_first(command: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(command, FOUR, capsys)
    assert printed[0].split() == ["all", "4", "wrong", "25.0%", "beside", "25.0%", "asked", "25.0%", "right", "25.0%"]
    assert [line.split()[0] for line in printed[1:]] == ["en", "plain", "total"]


def test_failures_begin_with_wrong_answers(command: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(command, FOUR, capsys, "--failures")
    named = [line.split()[:2] for line in printed if line.endswith("anna total plain")]
    assert named == [["WRONG", "wrong"], ["BESIDE", "beside"], ["ASKED", "back"]]


def test_calibration_counts_by_group_and_leaves_out_what_is_no_answer(
    command: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = run(command, [*FOUR, asked("unsaid", "answer", "$5.00", None)], capsys, "--calibration")
    assert "| all | 5 | 1 | 1 | 1 | 2 | 40% |" in printed
    assert "| (money) | 5 | 1 | 1 | 1 | 2 | 40% |" in printed
    assert "| 0.000 | 3 | 60.0% | 1 | 1 | 33.3% |" in printed, (
        "a question back and an answer without a confidence are not in it"
    )
    assert "| 0.800 | 2 | 40.0% | 1 | 0 | 0.0% |" in printed
    assert any(line.startswith("AUC 1.00;") for line in printed)
    assert "With at most 1% wrong: 40% of the questions, from a confidence of 0.800." in printed


def test_calibration_without_any_answer_says_so(command: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(command, FOUR[1:2], capsys, "--calibration")
    assert "With at most 5% wrong: nothing." in printed
    assert not any(line.startswith("AUC") for line in printed)


@pytest.mark.parametrize(
    ("expected", "kind", "headline", "verdict"),
    [
        ({"kind": "refuse"}, "refuse", "I can't tell.", "right"),
        ({"kind": "refuse"}, "answer", "$5.00", "wrong"),
        ({"kind": "none"}, "answer", "Nothing in October", "right"),
        ({"kind": "none"}, "clarify", "Which one?", "asked"),
        ({"kind": "name", "value": "NETFLIX.COM"}, "answer", "Netflix, 3 Oct", "right"),
        ({"kind": "yesno", "value": False}, "answer", "Yes, twice", "wrong"),
        ({"kind": "date", "value": "2026-10"}, "answer", "In October 2026", "right"),
    ],
)
def test_what_a_reply_is_worth(expected: dict[str, Any], kind: str, headline: str, verdict: str) -> None:
    assert judge(expected, {"kind": kind, "headline": headline, "text": headline}) == verdict
