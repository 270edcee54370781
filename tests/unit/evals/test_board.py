"""Stored results, the subset, and the table that is made of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evals.figures import Malformed
from evals.judging import Verdict
from evals.questions import Question
from evals.replies import Call, Reply
from evals.report import Scored, aligned, board, breakdown, markdown
from evals.results import Result, add_result, is_fresh, latest, read_results
from evals.rows import board_rows, missing_model, read_names
from evals.subset import draw
from tests.support.ollama_server import MODEL, OllamaServer


def question(name: str, kind: str = "single", ledger: str = "american", language: str = "en") -> Question:
    return Question(name, ledger, kind, language, ("?",), frozenset({"answer"}), ())


def scored(verdict: Verdict, *calls: Call, seconds: float = 1.0, **reply: Any) -> Scored:
    made = Reply("answer", "", "", calls=calls, seconds=seconds, **reply)
    return Scored(question("us-001"), made, verdict)


def test_results_come_back_as_they_were_stored(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    assert read_results(file) == []
    first = Result("builtin", "none", "us-001", "abc", {"kind": "answer", "headline": "€5"})
    second = Result("builtin", "none", "us-001", "abc", {"kind": "refuse"})
    add_result(file, first)
    add_result(file, second)
    assert read_results(file) == [first, second]
    assert latest(read_results(file)) == {("builtin", "none", "us-001"): second}


@pytest.mark.parametrize("line", ['{"row": "buil', "[]", '{"row": "builtin"}'])
def test_a_file_of_something_else_is_not_read(tmp_path: Path, line: str) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(Malformed, match=r"results\.jsonl:1"):
        read_results(file)


def test_a_result_of_other_words_or_files_is_stale() -> None:
    asked = question("us-001")
    result = Result("builtin", "none", "us-001", asked.checksum("files"), {})
    assert is_fresh(result, {"us-001": asked}, {"american": "files"})
    assert not is_fresh(result, {"us-001": asked}, {"american": "other files"})
    assert not is_fresh(result, {}, {"american": "files"})


def test_the_table() -> None:
    """Shares are of those that come to it; percentiles are of the nearest rank."""
    model = [Call("t", {}, "model"), Call("t", {}, "model", changed=True), Call("t", {}, "planner")]
    lines = [
        scored(Verdict(tool=True, arguments=True, exact=True), *model, seconds=1.0, model_calls=2, tokens=100),
        scored(Verdict(tool=True, arguments=False, exact=False, confident_wrong=True), seconds=2.0, tokens=50),
        scored(Verdict(tool=False, arguments=False, exact=False, asked_back=True), seconds=3.0),
        scored(Verdict(declined_rightly=True), seconds=4.0),
    ]
    rows = board_rows("small:1b", "http://127.0.0.1:9")
    table = board([("model-all", rows["model-all"], lines), ("builtin", rows["builtin"], lines)])
    assert table[1] == [
        "model-all", "small:1b", "model", "all", "4", "25% (1/4)", "67% (2/3)", "33% (1/3)", "33% (1/3)", "33% (1/3)",
        "100% (1/1)", "0.5", "38", "2.00", "4.00", "33% (1/3)",
    ]  # fmt: skip
    assert (table[2][0], table[2][-1]) == ("builtin", "–")
    assert len({len(line) for line in table}) == 1
    shown = aligned(table).splitlines()
    assert len({line.index("67%") for line in shown[1:]}) == 1
    written = markdown(table).splitlines()
    assert written[1] == f"|{'---|' * len(table[0])}"
    assert written[2].startswith("| model-all | small:1b | model |")
    assert board([("builtin", rows["builtin"], [])])[1][4:] == ["0", *["–"] * 11]


def test_the_breakdown() -> None:
    verdicts = [Verdict(tool=True, arguments=True, exact=True), Verdict(tool=True, arguments=True, exact=False)]
    questions = [question("us-001"), question("de-001", "follow-up", "german", "de")]
    reply = Reply("answer", "", "")
    table = breakdown([Scored(*each) for each in zip(questions, [reply, reply], verdicts, strict=True)])
    assert [line[0] for line in table] == ["by", "american", "german", "single", "follow-up", "en", "de"]
    assert [line[table[0].index("exact")] for line in table[1:]] == ["100% (1/1)", "0% (0/1)"] * 3


def test_rows_are_named_alone_and_in_groups() -> None:
    assert read_names("builtin") == ["builtin"]
    assert read_names("model, auto,model-all") == ["model-all", "model-keyword", "model-semantic", "auto"]
    assert set(read_names("all")) == set(board_rows("m", "u"))
    with pytest.raises(ValueError, match="no row “best”"):
        read_names("best")


def test_a_model_that_is_not_there_is_said() -> None:
    with OllamaServer() as server:
        assert missing_model(MODEL, server.url) is None
        assert "has no other:1b" in (missing_model("other:1b", server.url) or "")
    assert "No Ollama answers" in (missing_model(MODEL, "http://127.0.0.1:9") or "")


def test_the_subset_is_drawn_by_shares_and_is_the_same_every_time() -> None:
    made = [question(f"us-{number:03}", "single" if number % 3 else "several") for number in range(90)]
    made += [question(f"de-{number:03}", ledger="german", language="de") for number in range(30)]
    drawn = draw(made, 20)
    assert drawn == draw(list(made), 20)
    kept = [each for each in made if each.id in drawn]
    assert Counter((each.ledger, each.kind) for each in kept) == {
        ("american", "single"): 10,
        ("american", "several"): 5,
        ("german", "single"): 5,
    }
    assert drawn == [each.id for each in kept], "in the order of the questions"
    assert len(draw(made[:7], 20)) == 7
    assert len(draw(made, 19)) == 19


def test_a_question_more_does_not_turn_the_subset_over() -> None:
    made = [question(f"us-{number:03}") for number in range(100)]
    before, after = set(draw(made, 20)), set(draw([*made, question("us-100")], 20))
    assert len(before & after) >= 19
    assert json.dumps(sorted(before)) != json.dumps([f"us-{number:03}" for number in range(20)])
