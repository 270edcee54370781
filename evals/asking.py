"""Asking the questions: each ledger is imported once, and a row's questions about it go through one process."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evals.bank_files import IMPORT_OPTIONS, bank_files
from evals.command import Command, CommandFailed
from evals.peers import ask_peer
from evals.replies import keep
from evals.results import Result, add_result, latest, read_results

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from evals.golden import Golden
    from evals.questions import Question
    from evals.rows import BoardRow

    Replies = Iterator[tuple[Question, dict[str, Any]]]


@dataclass(slots=True)
class Imported:
    """The ledgers as the command has them, each in a data directory of its own, imported when first asked about."""

    command: Path
    folder: Path
    ready: dict[str, Command] = field(default_factory=dict)

    def ledger(self, name: str) -> Command:
        """Return the command over a ledger; raises CommandFailed if it was not imported whole."""
        if name not in self.ready:
            made = Command(self.command, self.folder / name, {"MODEL": "builtin"})
            made.import_files(bank_files(name), IMPORT_OPTIONS.get(name, ()))
            self.ready[name] = made
        return self.ready[name]


def ask_row(
    row: BoardRow, wanted: Sequence[Question], golden: Golden, imported: Imported, out: Path | None
) -> list[Result]:
    """Return a row's results for the questions wanted: those of the file, and what is asked now and added to it.

    What could not be asked is missing, and said on standard error.
    """
    results = _kept(row, wanted, golden, out) if out else []
    answered = {result.id for result in results}
    left = [question for question in wanted if question.id not in answered]
    for name in dict.fromkeys(question.ledger for question in left):
        try:
            command = imported.ledger(name)
            for question, reply in _ask(row, [question for question in left if question.ledger == name], command):
                result = Result(row.name, row.model, question.id, question.checksum(golden.files[name]), reply)
                results.append(result)
                if out:
                    add_result(out, result)
                _show_progress(row.name, len(results), len(wanted))
        except CommandFailed as error:
            sys.stderr.write(f"evals: {row.name}, {name}: {error}\n")
    return results


def _kept(row: BoardRow, wanted: Sequence[Question], golden: Golden, out: Path) -> list[Result]:
    """Return what the file has of a row's questions; what is stale is asked again."""
    stored = latest(read_results(out))
    found = [stored[key] for question in wanted if (key := (row.name, row.model, question.id)) in stored]
    fresh = [result for result in found if golden.is_fresh(result)]
    if found:
        stale = f", {len(found) - len(fresh)} stale ones are asked again" if len(fresh) < len(found) else ""
        sys.stderr.write(f"evals: {row.name}: {len(fresh)} of {len(wanted)} replies are those of {out}{stale}\n")
    return fresh


def _ask(row: BoardRow, questions: Sequence[Question], command: Command) -> Replies:
    """Yield questions about one ledger, each with the reply to its last turn, as it comes; raises CommandFailed."""
    if row.peer:
        yield from ask_peer(row, questions, command)
        return
    turns = [(question, text) for question in questions for text in question.turns]
    lines = [{"question": text, "thread": question.id} for question, text in turns]
    earlier: list[Any] = []
    for number, made in enumerate(command.with_settings(row.settings).ask(lines, row.name)):
        question, reply = turns[number][0], keep(made)
        if number + 1 < len(turns) and turns[number + 1][0] is question:
            earlier += reply.get("calls") or []
        else:
            yield question, {**reply, "earlier_calls": earlier}
            earlier = []


def _show_progress(name: str, done: int, of: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{name}: {done} of {of}" + ("\n" if done == of else ""))
        sys.stderr.flush()
