"""Bank files: ``python -m evals.statements FOLDER …`` reads those of a ``manifest.jsonl`` and says what came of each.

A manifest has a line for each file: its number of booked transactions, and what they come to (``out`` and ``in``, or the
``sum`` of both), as an independent reading says. Where a file has fractions of a cent, ``booked`` is that sum with each amount
in whole cents, as it stands on an account. Nothing is imported for good, and nothing here imports the project.

- *wrong*: it was read, and a sum, its currency, the first or last day, or the number where no sum is stated, is another;
- *refused*: it, or a row of it, was not read, and a sentence says why;
- *asked*: which way money went, its currency, or which of day and month comes first, was asked;
- *right*: sums and days are those (a split or a batch may be more rows); of a file that is *open* about them, also a question.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.command import NOW, find_command

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: The worst first: a wrong figure is believed, a refusal is not.
VERDICTS = ("wrong", "refused", "asked", "right")
_HOME = Path(__file__).parents[1] / "tests/data/bank"


@dataclass(frozen=True, slots=True)
class Read:
    """A file of a manifest, what was reported of it, and what that is worth."""

    case: Mapping[str, Any]
    reports: Sequence[Mapping[str, Any]]
    verdict: str


def read_all(folder: Path, command: Path) -> Iterator[Read]:
    """Read every sound file of a folder's manifest, each in a ledger of its own; a malformed one has no right reading."""
    for line in (folder / "manifest.jsonl").read_text("utf-8").splitlines():
        case: dict[str, Any] = json.loads(line) if line.strip() else {"malformed": True}
        expected = case.get("expected", case)
        if case.get("malformed") or expected.get("count") is None:
            continue
        with tempfile.TemporaryDirectory() as data:
            settings = {"PATH": "/usr/bin:/bin", "MONEY_MINDER_DATA_DIR": data, "MONEY_MINDER_NOW": NOW}
            asked = [str(command), "import", str(folder / case["file"]), "--dry-run", "--json"]
            done = subprocess.run(asked, env=settings, capture_output=True, text=True, check=False)  # noqa: S603
        reports = json.loads(done.stdout)["files"] if done.stdout.strip() else []
        yield Read(case, reports, judge(expected, reports))


def judge(expected: Mapping[str, Any], reports: Sequence[Mapping[str, Any]]) -> str:
    """Return what the reports of a file, or of those in an archive, are worth: one of ``VERDICTS``."""
    if any("question" in each or "choices" in each for each in reports):
        return "right" if expected.get("open") else "asked"
    if not reports or any("error" in each for each in reports):
        return "refused"
    found = sum(each["found"] for each in reports)
    expected = {**expected, "sum": expected.get("booked", expected.get("sum"))}
    summed = expected["sum"] is not None or expected.get("out") is not None
    agree = all(agrees(expected, reports) for agrees in (_sums_agree, _currencies_agree, _days_agree))
    if agree and (summed or found == expected["count"]):
        return "right"
    left_out = sum(len(each["rejected"]) for each in reports)
    return "refused" if found < expected["count"] <= found + left_out else "wrong"


def _sums_agree(expected: Mapping[str, Any], reports: Sequence[Mapping[str, Any]]) -> bool:
    if expected.get("sum") is not None:
        found = (Decimal(value) for each in reports for value in each["sums"].values())
        return sum(found, Decimal(0)) == Decimal(expected["sum"])
    return all(_told(expected.get(side), side, reports) for side in ("out", "in"))


def _told(wanted: Any, side: str, reports: Sequence[Mapping[str, Any]]) -> bool:
    """Whether money out, or in, is what is expected: one figure, or one for each currency."""
    found: dict[str, Decimal] = defaultdict(Decimal)
    for each in reports:
        for currency, moved in each.get(side, {}).items():
            found[currency] += Decimal(moved["sum"])
    if isinstance(wanted, dict):
        return {key: Decimal(value) for key, value in wanted.items() if Decimal(value)} == {
            k: v for k, v in found.items() if v
        }
    return wanted is None or sum(found.values(), Decimal(0)) == Decimal(wanted)


def _currencies_agree(expected: Mapping[str, Any], reports: Sequence[Mapping[str, Any]]) -> bool:
    found = {currency for each in reports for currency in each["sums"]}
    stated = expected.get("currency")
    return not stated or found <= ({stated} if isinstance(stated, str) else set(stated))


def _days_agree(expected: Mapping[str, Any], reports: Sequence[Mapping[str, Any]]) -> bool:
    firsts, lasts = ([each[key] for each in reports if each.get(key)] for key in ("first", "last"))
    first, last = (expected.get(f"{key}_day", expected.get(key)) for key in ("first", "last"))
    sound = isinstance(first, str) and isinstance(last, str) and bool(firsts)
    return not sound or (min(firsts), max(lasts)) == (first, last)


def table(found: Sequence[Read]) -> Iterator[str]:
    """Yield a line for all files, and one for each format."""
    formats = sorted({_format(each.case) for each in found})
    for name in ("all", *formats):
        those = [each for each in found if name in ("all", _format(each.case))]
        counts = Counter(each.verdict for each in those)
        yield f"{name:8} {len(those):4}  " + "  ".join(f"{verdict} {counts[verdict]:3}" for verdict in VERDICTS)


def _format(case: Mapping[str, Any]) -> str:
    """Return the format that a manifest says of a file, else the end of the file's name."""
    return str(case.get("format") or Path(case["file"]).suffix.removeprefix(".").lower())


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how many files of each format were read rightly, and with ``--failures`` which were not."""
    parser = argparse.ArgumentParser(prog="python -m evals.statements", description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[_HOME, _HOME / "pdf"])
    parser.add_argument("--failures", action="store_true", help="print every file that is not right, wrong ones first")
    parser.add_argument("--command", type=Path, default=find_command(), metavar="PATH", help="the command to ask")
    options = parser.parse_args(arguments)
    found = [each for folder in options.folders for each in read_all(folder, options.command)]
    if options.failures:
        for each in sorted(found, key=lambda one: VERDICTS.index(one.verdict)):
            if each.verdict != "right":
                print(f"{each.verdict.upper()} {each.case['file']}\n   expected {json.dumps(each.case)[:600]}")
                print("".join(f"   {json.dumps(report)[:600]}\n" for report in each.reports))
    print("\n".join(table(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
