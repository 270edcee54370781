"""``python -m evals.short_list``: how often the right act is on a model's short list, on lines of the bank kept back.

Only lines count that ask for something and of which a reader trained on nine tenths is less than half sure: those are what a
model is asked about. The bank's authors repeat themselves, so a stranger's question is farther from its nearest line.
"""

from __future__ import annotations

import random
import sys

from evals.training import examples, head_of, train, views
from language.reader import Told, answer
from language.utterances import Line, Nearest, fillers, read_bank

_SEED, _KEPT = 7, 10
_UNSURE, _LIKELY, _NEAREST = 0.5, 0.1, 3
#: Acts that no meaning answers.
_OTHER = frozenset(
    "balance budget forecast advice others quickentry order unrelated detail smalltalk help edit calc settings notes "
    "categorise manage explain same".split()
)


def main() -> int:
    """Print the shares of lines whose act is the reader's best, the nearest line's, or on the short list of either or both."""
    lines = read_bank()
    kept = set(random.Random(_SEED).sample(range(len(lines)), len(lines) // _KEPT))  # noqa: S311 - the same each time
    known = [line for place, line in enumerate(lines) if place not in kept]
    head = head_of(train(*examples(known, copies=1), heads=("act",)), "act")
    near = Nearest([line for line in known if "rel" not in line.labels])
    ours = frozenset(head.answers) - _OTHER
    rest = [lines[place] for place in sorted(kept) if "rel" not in lines[place].labels]
    told = [answer(head, columns) for columns in examples(rest, copies=1)[0]]
    unsure = [
        (line, each)
        for line, each in zip(rest, told, strict=True)
        if line.labels["act"] in ours and _is_unsure(each, ours)
    ]
    found = [_found(line, each, near, ours) for line, each in unsure]
    names = ("the reader's best", "the nearest line's", "the reader's likely ones", "and those of the nearest lines")
    for name, acts in zip(names, zip(*found, strict=True), strict=True):
        right = sum(line.labels["act"] in each for (line, _), each in zip(unsure, acts, strict=True))
        print(f"{name:32} {right} of {len(unsure)}; {sum(map(len, acts)) / len(unsure):.1f} acts")
    return 0


def _is_unsure(told: Told, ours: frozenset[str]) -> bool:
    return told.sure < _UNSURE and len(_likely(told, ours)) > 1


def _likely(told: Told, ours: frozenset[str]) -> list[str]:
    return [act for act, share in told.ranked if share >= _LIKELY and act in ours]


def _found(line: Line, told: Told, near: Nearest, ours: frozenset[str]) -> tuple[list[str], ...]:
    _, pattern = views(line, fillers(), random.Random(_SEED))  # noqa: S311 - the same each time
    nearest = [each.labels["act"] for each in near.lines(pattern, ours, _NEAREST, most_of_act=1)]
    likely = _likely(told, ours)
    return [told.best], nearest[:1], likely, list(dict.fromkeys((*likely, *nearest)))


if __name__ == "__main__":
    sys.exit(main())
