"""The questions with the ledgers they are about, and what replies to them are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evals.bank_files import files_checksum, read_ledger
from evals.figures import Malformed
from evals.judging import judge
from evals.questions import FOLDER, read_questions
from evals.replies import read_reply
from evals.report import Scored
from evals.results import is_fresh

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from evals.bank_files import Ledger
    from evals.questions import Question
    from evals.results import Result
    from evals.rows import BoardRow


@dataclass(frozen=True, slots=True)
class Golden:
    """Everything that is right, read once; ``files`` are the checksums of the ledgers' bank files."""

    questions: dict[str, Question]
    ledgers: dict[str, Ledger]
    files: dict[str, str]

    def is_fresh(self, result: Result) -> bool:
        """Whether a stored result is about a question and files of today."""
        return is_fresh(result, self.questions, self.files)

    def score(self, results: Iterable[Result], row: BoardRow) -> list[Scored]:
        """Judge a row's results, in the order of the questions."""
        replies = {result.id: read_reply(result.reply) for result in results}
        return [
            Scored(each, replies[name], judge(each, replies[name], self.ledgers[each.ledger], peer=row.peer))
            for name, each in self.questions.items()
            if name in replies
        ]


def read_golden(folder: Path = FOLDER) -> Golden:
    """Read the questions of a folder, with ledgers and labels; raises Malformed with file and line."""
    questions = {question.id: question for question in read_questions(folder)}
    if not questions:
        raise Malformed("there are no questions")
    names = sorted({question.ledger for question in questions.values()})
    return Golden(
        questions, {name: read_ledger(name) for name in names}, {name: files_checksum(name) for name in names}
    )
