"""Questions by strangers: ``python -m evals.strangers FOLDER …`` imports a folder's ledgers, asks, and says what came of it.

A folder holds ``ledgers/*.csv`` and ``questions.jsonl``: a line for each question with its turns and what is expected, computed
by whoever wrote it from the file alone ([how](README.md)). Only the reply to the last turn is judged:

- *wrong*: it is an answer, and none of the following;
- *right*: the headline states the figure, name or day (lists, series and names: the text does), or it was right to refuse;
- *beside*: it is an answer, and the figure stands in its text, not in the headline;
- *asked*: it is no answer, where one could be given.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.calibration import Answer, area_under_curve, calibration_error, coverage_table, decile_table, reach
from evals.command import Command, find_command
from evals.report import markdown
from evals.writing import MONTHS, fold, states_day, states_money, states_name, states_number, states_percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_NOTHING = re.compile(r"\b(?:no|nothing|none|never|not|kein\w*|nichts|nie|0)\b|\b0[.,]00\b", re.IGNORECASE)
_MONTH = re.compile(r"\d{4}-\d{2}")
_TRUTHS = {"yes": True, "ja": True, "no": False, "nein": False}
_WORDS = {0: "no none never kein keine nie", 1: "once one einmal ein eine", 2: "twice two zweimal zwei"}
_TELLING = 4
#: The worst first: a wrong answer is believed, a question back is not.
_VERDICTS = ("wrong", "beside", "asked", "right")
#: Kinds of replies that are answers.
_ANSWERS = frozenset({"answer", "empty"})


def judge(expected: Mapping[str, Any], reply: Mapping[str, Any]) -> str:
    """Return what a reply is worth: one of ``wrong``, ``beside``, ``asked``, ``right``."""
    kind, answered = expected["kind"], reply["kind"] in _ANSWERS
    reply = {**reply, "text": f"{reply['text']}\n{_table_text(reply.get('table'))}"}
    if kind in ("refuse", "ask"):
        return "wrong" if reply["kind"] == "answer" else "right"
    if kind == "none":
        none = reply["kind"] == "empty" or bool(_NOTHING.search(reply["headline"]))
        return "right" if none else "wrong" if answered else "asked"
    if not answered:
        return "asked"
    states = _STATES[kind]
    if states(expected, reply["headline"], reply):
        return "right"
    return "beside" if states(expected, reply["text"], reply) else "wrong"


def _table_text(table: Any) -> str:
    """Return the cells of a reply's table, a line for each."""
    if isinstance(table, dict):
        return "\n".join(map(_table_text, table.values()))
    return "\n".join(map(_table_text, table)) if isinstance(table, list) else str(table or "")


def _any_of(states: Callable[[str, str], bool]) -> Callable[[Mapping[str, Any], str, Mapping[str, Any]], bool]:
    """Return whether a text states the value, or one that is as good."""

    def any_stated(expected: Mapping[str, Any], text: str, _reply: Mapping[str, Any]) -> bool:
        others = (str(value) for value in expected.get("accept", ()))
        return states(text, str(expected["value"])) or any(_states_anything(text, value) for value in others)

    return any_stated


def _states_time(text: str, value: str) -> bool:
    if _MONTH.fullmatch(value):
        year, month = value.split("-")
        return value in text or any(states_name(text, f"{name} {year}") for name in MONTHS[int(month) - 1])
    return states_day(text, date.fromisoformat(value))


def _states_amount(text: str, value: str) -> bool:
    amount = abs(Decimal(value))
    return states_money(text, amount) or (not amount and bool(_NOTHING.search(text)))


def _states_count(text: str, value: str) -> bool:
    amount = Decimal(value)
    words = _WORDS.get(int(amount), "").split()
    return states_number(text, amount) or any(states_name(text, word) for word in words)


def _states_series(expected: Mapping[str, Any], _text: str, reply: Mapping[str, Any]) -> bool:
    return all(_states_amount(reply["text"], str(value)) for value in expected["values"])


def _states_shop(text: str, name: str) -> bool:
    """Whether a name is stated whole, or by the first word that tells it (“NETFLIX.COM”, “Goldstream Cabins LLC”)."""
    first = next((word for word in re.split(r"[\W_]+", name) if len(word) >= _TELLING), name)
    return states_name(text, name) or states_name(text, first)


def _states_names(expected: Mapping[str, Any], _text: str, reply: Mapping[str, Any]) -> bool:
    return all(_states_shop(reply["text"], str(value)) for value in expected["values"])


def _states_rows(expected: Mapping[str, Any], _text: str, reply: Mapping[str, Any]) -> bool:
    count = Decimal(str(expected["count"]))
    counted = len(reply.get("row_ids") or ()) == count or states_number(reply["text"], count)
    return counted or (not count and bool(_NOTHING.search(reply["headline"])))


def _states_truth(expected: Mapping[str, Any], text: str, _reply: Mapping[str, Any]) -> bool:
    first, *_ = [*fold(text).split(), ""]
    if first in _TRUTHS:
        return bool(_TRUTHS[first] == expected["value"])
    figures = [str(value) for value in expected.get("accept", ())]
    if any(_states_anything(text, value) for value in figures):
        return True
    return not expected["value"] and bool(_NOTHING.search(text))


def _states_anything(text: str, value: str) -> bool:
    if re.fullmatch(r"-?\d+(\.\d+)?", value):
        return (
            _states_amount(text, value) or states_percent(text, Decimal(value)) or states_number(text, Decimal(value))
        )
    if re.fullmatch(r"\d{4}-\d{2}(-\d{2})?", value):
        return _states_time(text, value)
    return states_name(text, value)


_STATES: dict[str, Callable[[Mapping[str, Any], str, Mapping[str, Any]], bool]] = {
    "money": _any_of(_states_amount),
    "number": _any_of(_states_count),
    "percent": _any_of(lambda text, value: states_percent(text, abs(Decimal(value)))),
    "date": _any_of(_states_time),
    "name": _any_of(_states_shop),
    "names": _states_names,
    "rows": _states_rows,
    "series": _states_series,
    "yesno": _states_truth,
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with its reply and what that is worth."""

    question: Mapping[str, Any]
    reply: Mapping[str, Any]
    verdict: str


def ask(folder: Path, data: Path, only: str, path: Path) -> Iterator[Judged]:
    """Ask a folder's questions and judge the reply to the last turn of each."""
    questions = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines() if line]
    questions = [each for each in questions if re.fullmatch(only, each["id"])]
    for ledger in sorted({each["ledger"] for each in questions}):
        command = Command(path, data / ledger, {"MODEL": "builtin"})
        command.import_files([folder / "ledgers" / f"{ledger}.csv"], whole=False)
        these = [each for each in questions if each["ledger"] == ledger]
        lines = [{"question": turn, "thread": each["id"]} for each in these for turn in each["turns"]]
        replies = command.ask(lines, "strangers")
        for each in these:
            reply = [next(replies) for _ in each["turns"]][-1]
            yield Judged(each, reply, judge(each["expect"], reply))


def failures(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield what was not answered rightly, wrong answers first."""
    for each in sorted(judged, key=lambda one: _VERDICTS.index(one.verdict)):
        if each.verdict != "right":
            yield _shown(each)


def table(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield a line for all, and for each language, style and group."""
    for name, those in _views(judged, ("lang", "style", "group")):
        found = Counter(each.verdict for each in those)
        shares = "  ".join(f"{verdict} {100 * found[verdict] / len(those):5.1f}%" for verdict in _VERDICTS)
        yield f"{name:14} {len(those):4}  {shares}"


def calibration(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield what questions of each kind came to, then how far the confidence of the answers can be trusted, in Markdown."""
    counts = [["by", "questions", "wrong", "beside", "asked", "right", "right of all"]]
    for name, those in _views(judged, ("lang", "style", "group", "kind")):
        found = Counter(each.verdict for each in those)
        numbers = [str(found[verdict]) for verdict in _VERDICTS]
        counts.append([name, str(len(those)), *numbers, f"{found['right'] / len(those):.0%}"])
    answers = [
        Answer(each.reply["confidence"], right=each.verdict == "right", wrong=each.verdict == "wrong")
        for each in judged
        if each.reply["kind"] in _ANSWERS and each.reply.get("confidence") is not None
    ]
    yield from (
        markdown(counts),
        "",
        markdown(coverage_table(answers, len(judged))),
        "",
        markdown(decile_table(answers)),
    )
    yield ""
    area, gap = area_under_curve(answers), calibration_error(answers)
    if area is not None and gap is not None:
        yield f"AUC {area:.2f}; confidence and share of right answers are {gap:.2f} apart in the mean of the deciles."
    for most_wrong in (0.05, 0.01):
        reached = reach(answers, len(judged), most_wrong)
        shown = (
            "nothing"
            if reached is None
            else f"{reached[0]:.0%} of the questions, from a confidence of {reached[1]:.3f}"
        )
        yield f"With at most {most_wrong:.0%} wrong: {shown}."


def _views(judged: Sequence[Judged], views: Sequence[str]) -> Iterator[tuple[str, Sequence[Judged]]]:
    """Yield all, and those of each language, style, group or kind, under its name."""
    yield "all", judged
    for view in views:
        for name in sorted({_of(each, view) for each in judged}):
            yield name, [each for each in judged if _of(each, view) == name]


def _of(judged: Judged, view: str) -> str:
    """Return a question's language, style or group, or the kind of what is expected."""
    question = judged.question
    return f"({question['expect']['kind']})" if view == "kind" else str(question.get(view))


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the questions of folders and print how many replies are wrong and how many right, by language, style and group."""
    parser = argparse.ArgumentParser(prog="python -m evals.strangers", description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--failures", action="store_true", help="print every reply that is not right, wrong ones first")
    parser.add_argument(
        "--calibration", action="store_true", help="print how far the confidence of answers can be trusted"
    )
    parser.add_argument("--ids", default=".*", help="only questions whose id is this regular expression")
    parser.add_argument("--command", type=Path, default=find_command(), metavar="PATH", help="the command to ask")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as data:
        judged = [
            each
            for folder in options.folders
            for each in ask(folder.resolve(), Path(data) / folder.name, options.ids, options.command)
        ]
    lines = [*(failures(judged) if options.failures else ()), *(calibration if options.calibration else table)(judged)]
    print("\n".join(lines))
    return 0


def _shown(judged: Judged) -> str:
    question, reply = judged.question, judged.reply
    calls = " | ".join(
        f"{call['name']} {json.dumps(call['arguments'], ensure_ascii=False)}" for call in reply.get("calls") or ()
    )
    lines = [
        f"{judged.verdict.upper()} {question['id']} {question['ledger']} {question['group']} {question['style']}",
        *(f"   > {turn}" for turn in question["turns"]),
        f"   {reply['kind']}: {reply['headline']}",
        f"   {calls}",
        f"   expected {json.dumps(question['expect'], ensure_ascii=False)}",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
