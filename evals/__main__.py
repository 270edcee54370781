"""``python -m evals``: ask the golden questions, judge the replies, print the scoreboard."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from evals.asking import Imported, ask_row
from evals.bank_files import NAMES
from evals.command import find_command
from evals.figures import Malformed
from evals.golden import Golden, read_golden
from evals.judging import describe
from evals.oracle import unknown_names
from evals.questions import FOLDER, chosen
from evals.report import LEGEND, Scored, aligned, board, breakdown, markdown
from evals.results import latest, read_results
from evals.rows import BUILTIN, MODEL, OLLAMA, BoardRow, board_rows, missing_model, read_names
from evals.subset import read_subset

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evals.questions import Question


def main(argv: Sequence[str] | None = None) -> int:
    """Run the scoreboard; returns 1 if something could not be read or asked."""
    options = _options().parse_args(argv)
    try:
        golden = read_golden(FOLDER / "fresh" if options.fresh else FOLDER)
        if options.expected:
            return _show_expected(golden, options)
        if options.report:
            return _report(golden, options.report)
        return _run(golden, options)
    except Malformed as error:
        sys.stderr.write(f"evals: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="money-minder eval", description="Ask the golden questions, judge the replies, print how many were right."
    )
    add = parser.add_argument
    add(
        "--rows",
        type=_names,
        default=[BUILTIN],
        help="by commas: builtin, auto, model, peers, all, or rows by their names",
    )
    add("--model", default=MODEL, help="the model of the rows that have one (default: %(default)s)")
    add("--ollama", default=OLLAMA, metavar="URL", help="where it is served (default: %(default)s)")
    some = parser.add_mutually_exclusive_group()
    some.add_argument("--subset", action="store_true", help="the fixed subset, also without a model")
    add("--fresh", action="store_true", help="the questions that nothing was tuned to, instead")
    some.add_argument("--all", action="store_true", help="all questions, also with a model")
    add("--ledger", action="append", choices=NAMES, default=[], help="only questions about this ledger")
    add("--ids", nargs="+", default=[], metavar="ID", help="only these questions")
    add(
        "--failures",
        action="store_true",
        help="print every question that was not answered rightly, wrong answers first",
    )
    add("--expected", action="store_true", help="ask nothing, print what is expected")
    add("--out", type=Path, metavar="FILE", help="keep replies here; those it has are not asked for again")
    add("--report", nargs="+", type=Path, metavar="FILE", help="ask nothing, print the table of such files in Markdown")
    add("--command", type=Path, default=find_command(), metavar="PATH", help="the money-minder command to ask")
    return parser


def _names(text: str) -> list[str]:
    try:
        return read_names(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _wanted(golden: Golden, options: argparse.Namespace, row: BoardRow) -> list[Question]:
    """Return the questions for a row: the subset where a model answers, unless the options say otherwise."""
    questions = chosen(golden.questions.values(), options.ledger, options.ids)
    if options.subset or (row.wants_model and not options.all and not options.ids):
        drawn = set(read_subset())
        return [question for question in questions if question.id in drawn]
    return questions


def _run(golden: Golden, options: argparse.Namespace) -> int:
    """Ask, and print the table and what the options ask for; returns 1 if a question was left over."""
    rows = [board_rows(options.model, options.ollama)[name] for name in options.rows]
    if any(row.wants_model for row in rows) and (reason := missing_model(options.model, options.ollama)):
        sys.stderr.write(f"evals: {reason}\n")
        rows = [row for row in rows if not row.wants_model]
    if not rows:
        return 0
    code = 0
    scored = []
    with tempfile.TemporaryDirectory() as folder:
        imported = Imported(options.command.absolute(), Path(folder))
        for row in rows:
            wanted = _wanted(golden, options, row)
            results = ask_row(row, wanted, golden, imported, options.out)
            code = code or int(len(results) < len(wanted))
            scored.append((row, golden.score(results, row)))
    print(aligned(board([(row.name, row, each) for row, each in scored])))
    for row, each in scored:
        if not row.wants_model and not options.ids:
            print(f"\n{aligned(breakdown(each))}")
    print(f"\n{LEGEND}")
    if options.failures:
        for row, each in scored:
            _print_failures(golden, row, each)
    return code


def _print_failures(golden: Golden, row: BoardRow, scored: Sequence[Scored]) -> None:
    """Print what was expected and what came, for every question that was not answered rightly, wrong answers first."""
    for each in sorted(scored, key=lambda one: not one.verdict.confident_wrong):
        question, reply = each.question, each.reply
        if not each.verdict.why:
            continue
        print(f"\n{row.name} {question.id} ({question.kind}, {question.language}): {' | '.join(question.turns)}")
        for line in describe(question, golden.ledgers[question.ledger]):
            print(f"  expected  {line}")
        print(f"  came      {reply.kind}: {reply.headline}")
        for call in reply.calls:
            print(f"  call      {call.name} {dict(call.arguments)} by {call.by}")
        print(f"  {'but' if each.verdict.right else 'wrong'}       {'; '.join(each.verdict.why)}")


def _show_expected(golden: Golden, options: argparse.Namespace) -> int:
    """Print what is expected, and mark names that the ledger does not have and scopes without rows."""
    for question in chosen(golden.questions.values(), options.ledger, options.ids):
        ledger = golden.ledgers[question.ledger]
        print(f"{question.id} ({question.kind}, {question.language}): {' | '.join(question.turns)}")
        for line in describe(question, ledger):
            print(f"  {line}")
        figures = [figure for reading in question.readings for figure in reading.figures]
        if unknown := [name for figure in figures for name in unknown_names(figure, ledger)]:
            print(f"  not in the ledger: {', '.join(unknown)}")
    return 0


def _report(golden: Golden, paths: Sequence[Path]) -> int:
    """Print the table of stored results; refuses stale ones."""
    if missing := [path for path in paths if not path.exists()]:
        raise Malformed(f"there is no {missing[0]}")
    results = latest(result for path in paths for result in read_results(path))
    stale = [result.id for result in results.values() if not golden.is_fresh(result)]
    if stale:
        raise Malformed(
            f"{len(stale)} results are of other questions or files ({', '.join(stale[:5])} …); ask them again"
        )
    lines = []
    for name, model in dict.fromkeys((result.row, result.model) for result in results.values()):
        row = board_rows(model, OLLAMA)[name]
        mine = [result for result in results.values() if (result.row, result.model) == (name, model)]
        lines.append((name, row, golden.score(mine, row)))
    lines += _same_questions(lines)
    print(f"{markdown(board(lines))}\n\n{LEGEND}")
    return 0


def _same_questions(lines: Sequence[tuple[str, BoardRow, list[Scored]]]) -> list[tuple[str, BoardRow, list[Scored]]]:
    """Return the built-in planner's row again, over just the questions that the rows with a model were asked."""
    asked = {each.question.id for _, row, scored in lines if row.wants_model for each in scored}
    again = []
    for name, row, scored in lines:
        some = [each for each in scored if each.question.id in asked]
        if not row.wants_model and 0 < len(some) < len(scored):
            again.append((f"{name}, the same", row, some))
    return again


if __name__ == "__main__":
    sys.exit(main())
