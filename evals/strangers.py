"""Questions by strangers: ``python -m evals.strangers FOLDER …`` imports a folder's ledgers, asks, and says what came of it.

A folder holds ``ledgers/*.csv`` and ``questions.jsonl``: a line for each question with its turns and what is expected, computed
by whoever wrote it from the file alone ([how](README.md)). Only the reply to the last turn is judged:

- *right*: the headline states the figure, name or day (lists, series and names: the text does), or it was right to refuse;
- *beside*: it is an answer, and the figure stands in its text, not in the headline;
- *wrong*: it is an answer, and none of these;
- *asked*: it is no answer, where one could be given.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.command import Command, find_command
from evals.writing import fold, states_day, states_money, states_name, states_number, states_percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_NOTHING = re.compile(r"\b(?:no|nothing|none|never|not|kein\w*|nichts|nie|0)\b|\b0[.,]00\b", re.IGNORECASE)
_MONTH = re.compile(r"\d{4}-\d{2}")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_TELLING = 4
_VERDICTS = ("right", "beside", "asked", "wrong")
#: Kinds of replies that are answers.
_ANSWERS = frozenset({"answer", "empty"})


def judge(expected: Mapping[str, Any], reply: Mapping[str, Any]) -> str:
    """Return what a reply is worth: one of ``right``, ``beside``, ``asked``, ``wrong``."""
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
        return value in text or states_name(text, f"{_MONTHS[int(month) - 1]} {year}")
    return states_day(text, date.fromisoformat(value))


def _states_amount(text: str, value: str) -> bool:
    amount = abs(Decimal(value))
    return states_money(text, amount) or (not amount and bool(_NOTHING.search(text)))


def _states_count(text: str, value: str) -> bool:
    amount = Decimal(value)
    words = {0: "no none never", 1: "once one", 2: "twice two"}.get(int(amount), "").split()
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
    first = fold(text).split()[:1]
    if first in (["yes"], ["no"]):
        return bool((first == ["yes"]) == expected["value"])
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


def ask(folder: Path, data: Path, only: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield a folder's questions, each with the reply to its last turn."""
    questions = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines() if line]
    questions = [each for each in questions if re.fullmatch(only, each["id"])]
    for ledger in sorted({each["ledger"] for each in questions}):
        command = Command(find_command(), data / ledger, {"MODEL": "builtin"})
        command.import_files([folder / "ledgers" / f"{ledger}.csv"], whole=False)
        these = [each for each in questions if each["ledger"] == ledger]
        lines = [{"question": turn, "thread": each["id"]} for each in these for turn in each["turns"]]
        replies = command.ask(lines, "strangers")
        for each in these:
            yield each, [next(replies) for _ in each["turns"]][-1]


def _table(judged: Sequence[tuple[dict[str, Any], str]]) -> Iterator[str]:
    """Yield a line for all, and for each language, style and group."""
    views = [("all", "")] + [(view, each) for view in ("lang", "style", "group") for each in _known(judged, view)]
    for view, wanted in views:
        found = Counter(verdict for question, verdict in judged if view == "all" or question.get(view) == wanted)
        count = found.total()
        shares = "  ".join(f"{verdict} {100 * found[verdict] / count:5.1f}%" for verdict in _VERDICTS)
        yield f"{view if view == 'all' else wanted:14} {count:4}  {shares}"


def _known(judged: Sequence[tuple[dict[str, Any], str]], view: str) -> list[str]:
    return sorted({str(question.get(view)) for question, _ in judged})


def main() -> int:
    """Ask the questions of folders and print how many of the replies are right, by language, style and group."""
    parser = argparse.ArgumentParser(prog="python -m evals.strangers", description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--failures", action="store_true", help="print every reply that is not right")
    parser.add_argument("--ids", default=".*", help="only questions whose id is this regular expression")
    options = parser.parse_args()
    judged = []
    with tempfile.TemporaryDirectory() as data:
        for folder in options.folders:
            for question, reply in ask(folder.resolve(), Path(data) / folder.name, options.ids):
                verdict = judge(question["expect"], reply)
                judged.append((question, verdict))
                if options.failures and verdict != "right":
                    _show(question, reply, verdict)
    print("\n".join(_table(judged)))
    return 0


def _show(question: Mapping[str, Any], reply: Mapping[str, Any], verdict: str) -> None:
    calls = " | ".join(
        f"{call['name']} {json.dumps(call['arguments'], ensure_ascii=False)}" for call in reply.get("calls") or ()
    )
    print(f"{verdict.upper()} {question['id']} {question['ledger']} {question['group']} {question['style']}")
    for turn in question["turns"]:
        print(f"   > {turn}")
    print(
        f"   {reply['kind']}: {reply['headline']}\n   {calls}\n   expected {json.dumps(question['expect'], ensure_ascii=False)}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
