"""How far the confidence that the program reports can be trusted: coverage against error, AUC, deciles.

Of all questions some are answered, each answer with a confidence (0 to 1). *Coverage* at a threshold is the share of all
questions whose answer is at least as sure; *error* the share of these answers that are wrong. An answer is *right* if its
headline states what was expected, *wrong* if nothing in it does; what lies between counts as neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

THRESHOLDS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998)
_PARTS = 10


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer's confidence and what it was worth."""

    confidence: float
    right: bool
    wrong: bool


def coverage_table(answers: Sequence[Answer], asked: int) -> list[list[str]]:
    """Return coverage and error at each threshold, of so many questions asked, with a heading."""
    table = [["confidence at least", "answered", "coverage", "right", "wrong", "error"]]
    for threshold in THRESHOLDS:
        sure = [each for each in answers if each.confidence >= threshold]
        wrong, right = sum(each.wrong for each in sure), sum(each.right for each in sure)
        counts = [str(len(sure)), _percent(len(sure), asked), str(right), str(wrong)]
        table.append([f"{threshold:.3f}", *counts, _percent(wrong, len(sure))])
    return table


def decile_table(answers: Sequence[Answer]) -> list[list[str]]:
    """Return ten equal parts of the answers, the least sure first: the confidence told and the share that came out right."""
    table = [["decile", "answers", "confidence", "mean", "right", "right less mean", "wrong"]]
    for number, part in enumerate(_deciles(answers), start=1):
        right, mean = sum(each.right for each in part) / len(part), _mean(part)
        table.append(
            [
                str(number),
                str(len(part)),
                f"{part[0].confidence:.3f} to {part[-1].confidence:.3f}",
                f"{mean:.3f}",
                _percent(sum(each.right for each in part), len(part)),
                f"{100 * (right - mean):+.0f}",
                _percent(sum(each.wrong for each in part), len(part)),
            ]
        )
    return table


def area_under_curve(answers: Sequence[Answer]) -> float | None:
    """Return how often a right answer is surer than one that is not, ties by half; None where there is only one of both."""
    right = [each.confidence for each in answers if each.right]
    other = [each.confidence for each in answers if not each.right]
    if not right or not other:
        return None
    wins = sum((one > two) + 0.5 * (one == two) for one in right for two in other)
    return wins / (len(right) * len(other))


def calibration_error(answers: Sequence[Answer]) -> float | None:
    """Return how far confidence and share of right ones are apart in the mean of the deciles (0 to 1), by their sizes."""
    if not answers:
        return None
    gaps = (abs(sum(each.right for each in part) - len(part) * _mean(part)) for part in _deciles(answers))
    return sum(gaps) / len(answers)


def reach(answers: Sequence[Answer], asked: int, most_wrong: float) -> tuple[float, float] | None:
    """Return the largest coverage whose error is at most so much, and the threshold for it; None where there is none."""
    best, wrong = None, 0
    ordered = sorted(answers, key=lambda each: -each.confidence)
    for count, answer in enumerate(ordered, start=1):
        wrong += answer.wrong
        ends = count == len(ordered) or ordered[count].confidence < answer.confidence
        if ends and wrong <= most_wrong * count:
            best = count / asked, answer.confidence
    return best


def _deciles(answers: Sequence[Answer]) -> list[Sequence[Answer]]:
    ordered = sorted(answers, key=lambda each: each.confidence)
    bounds = [len(ordered) * part // _PARTS for part in range(_PARTS + 1)]
    return [ordered[start:end] for start, end in pairwise(bounds) if start < end]


def _mean(answers: Sequence[Answer]) -> float:
    return sum(each.confidence for each in answers) / len(answers)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "–"
