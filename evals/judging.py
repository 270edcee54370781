"""Whether a reply is right, question by question.

A question is **answerable** if only an answer will do; the others are to be asked back or refused, or may be.

- *Right tool*: one of the calls is of a tool that the question lists.
- *Right arguments*: a right tool was called; the reply or a call has exactly the expected period, in the sense that it
  holds the same days of the ledger (for figures of several periods, each of them is there; where none is expected, the
  period leaves nothing of the ledger out); and every category, merchant and account that the main figure names, also to
  leave out, is found among the arguments, as the command resolved them.
- *Exact*: the reply is an answer, every expected figure is among its facts by value, unit and currency, and the main one
  is written in the headline: money to the cent, percent to one decimal, signs aside. For the kind “several” and for
  lists (the main figure is a number or sum of rows) the main one may stand anywhere in the text, and the figures of rows
  need not be facts. A name stands in the headline or, if it is not the main figure, in the text. Where no row is in a figure's
  scope, the reply may say in its headline that there is nothing, if it states no amount there and lists no rows.
- *Wrong but confident*: the reply is an answer, and not an exact one, or none was right to give.
- *Asked back*: the reply is a clarifying question, though the question is answerable.
- *Declined rightly*: the question is not answerable, and the reply is of an expected kind (an exact one, if it is an answer).

Names are equal without case, accents and punctuation; where the figures are exact, also a longer or shorter form will do.
A difference (“$5.00 more … than”) states no total, even if the two are the same number.
Where a question has several readings, each is tried as a whole, and the exact one with the best arguments counts, else the
main one.
A peer has no facts and no headline: its text stands for both, and what it ran for the calls.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from evals.arguments import argument_slips
from evals.oracle import compute
from evals.writing import numbers, states_day, states_money, states_name, states_number, states_percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evals.bank_files import Ledger
    from evals.figures import Figure
    from evals.oracle import Value
    from evals.questions import Question, Reading
    from evals.replies import Fact, Reply

_NOTHING = re.compile(r"\b(?:no|nothing|none|never|not|kein\w*|nichts|nie)\b", re.IGNORECASE)
_DIFFERENCE = re.compile(r"\b(?:more|less)\b.+\bthan\b")
_ROWS = ("rows", "row_sum")
_UNITS = {
    "money": ("money",),
    "percent": ("percent",),
    "count": ("count", "number"),
    "number": ("number", "count", "days"),
    "date": ("date",),
    "text": (),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reply is worth; None where a question does not come to that. ``why`` says what was missing."""

    tool: bool | None = None
    arguments: bool | None = None
    exact: bool | None = None
    confident_wrong: bool = False
    asked_back: bool = False
    declined_rightly: bool | None = None
    why: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        """Whether the reply is what the question wants."""
        return bool(self.exact or self.declined_rightly)


@dataclass(frozen=True, slots=True)
class _Expected:
    """A reading with its values computed."""

    reading: Reading
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class _Try:
    """A reply beside one reading: the figures it lacks, whether a right tool was called, slips in the arguments."""

    missing: tuple[str, ...]
    tool: bool
    slips: tuple[str, ...]
    exact: bool


def judge(question: Question, reply: Reply, ledger: Ledger, *, peer: bool = False) -> Verdict:
    """Judge a reply by the rules of this module."""
    expected = [
        _Expected(reading, tuple(compute(figure, ledger) for figure in reading.figures))
        for reading in question.readings
    ]
    tries = [_try(question, each, reply, ledger, peer=peer) for each in expected]
    exact = any(each.exact for each in tries)
    confident_wrong = reply.kind == "answer" and not exact
    if not question.wants_answer:
        rightly = reply.kind in question.outcomes and not confident_wrong
        why = () if rightly else (f"expected {' or '.join(sorted(question.outcomes))}, came {reply.kind}",)
        return Verdict(confident_wrong=confident_wrong, declined_rightly=rightly, why=why)
    best = min((each for each in tries if each.exact), key=lambda each: len(each.slips), default=tries[0])
    return Verdict(
        tool=best.tool,
        arguments=best.tool and not best.slips,
        exact=exact,
        confident_wrong=confident_wrong,
        asked_back=reply.kind == "clarify",
        why=tuple(_reasons(reply, best)),
    )


def describe(question: Question, ledger: Ledger) -> list[str]:
    """Return what is expected of a reply, one line for each reading."""
    if not question.readings:
        return [" or ".join(sorted(question.outcomes))]
    lines = []
    for reading in question.readings:
        values = ", ".join(f"{figure.measure} = {compute(figure, ledger)}" for figure in reading.figures)
        period = "all time or several" if reading.period is None else f"{reading.period[0]} to {reading.period[1]}"
        lines.append(f"{'/'.join(sorted(question.outcomes))} by {' or '.join(reading.tools)}; {period}; {values}")
    return lines


def _try(question: Question, expected: _Expected, reply: Reply, ledger: Ledger, *, peer: bool) -> _Try:
    """Hold a reply against one reading."""
    reading = expected.reading
    missing = tuple(_missing(question, expected, reply, ledger, peer=peer))
    exact = reply.kind == "answer" and not missing
    tool = any(call.name in reading.tools for call in reply.calls)
    return _Try(missing, tool, tuple(argument_slips(reading, reply, ledger, exact=exact)), exact)


def _reasons(reply: Reply, best: _Try) -> Iterator[str]:
    if reply.kind != "answer":
        yield f"expected an answer, came {reply.kind}"
        return
    yield from best.missing
    if not best.tool:
        yield "another tool"
    yield from best.slips


def _missing(question: Question, expected: _Expected, reply: Reply, ledger: Ledger, *, peer: bool) -> list[str]:
    """Return what a reply lacks of a reading's figures."""
    lacking = []
    for position, (figure, value) in enumerate(zip(expected.reading.figures, expected.values, strict=True)):
        main = position == 0
        listed = figure.measure in _ROWS
        if _says_nothing(value, reply):
            continue
        if _is_none(value):
            lacking.append(f"{figure.measure}: it should say that there is none")
        elif peer:
            if not states(reply.text, value):
                lacking.append(f"{figure.measure}: {value} is not in the text")
        elif listed:
            if not _is_fact(value, reply.facts, ledger) and not states(reply.headline, value):
                lacking.append(f"{figure.measure}: {value} is neither a fact nor in the headline")
        else:
            lacking += _lacking(figure, value, reply, ledger, place=_place(question, value, main=main))
    return lacking


def _place(question: Question, value: Value, *, main: bool) -> Literal["headline", "text", ""]:
    """Return where a figure must be written, if it must be."""
    if main:
        return "text" if question.kind == "several" else "headline"
    return "text" if value.unit == "text" else ""


def _lacking(figure: Figure, value: Value, reply: Reply, ledger: Ledger, *, place: str) -> Iterator[str]:
    text = reply.text if place == "text" else _without_difference(figure, reply.headline)
    if place and not states(text, value):
        yield f"{figure.measure}: {value} is not in the {place}"
    if value.unit != "text" and not _is_fact(value, reply.facts, ledger):
        yield f"{figure.measure}: {value} is no fact"


def _without_difference(figure: Figure, headline: str) -> str:
    """Return what a headline says after a difference (“$5.00 more …”), unless the figure is one.

    A difference with nothing is the same number as the total, and another answer.
    """
    found = None if figure.measure in ("difference", "change", "ratio", "net") else _DIFFERENCE.search(headline)
    return headline[found.start() :] if found else headline


def states(text: str, value: Value) -> bool:
    """Whether a text states a value."""
    if value.day is not None:
        return states_day(text, value.day)
    if value.amount is None:
        return any(states_name(text, name) for name in value.texts)
    stated = {"money": states_money, "percent": states_percent}.get(value.unit, states_number)
    return stated(text, value.amount)


def _is_none(value: Value) -> bool:
    return value.amount is None and value.day is None and not value.texts


def _says_nothing(value: Value, reply: Reply) -> bool:
    """Whether nothing is in a figure's scope, and the reply says so and states nothing else."""
    return (
        value.nothing
        and reply.kind == "answer"
        and not reply.rows
        and _NOTHING.search(reply.headline) is not None
        and not any(
            amount for each in numbers(reply.headline) if each.currency or each.percent for amount, _ in each.values
        )
    )


def _is_fact(value: Value, facts: Sequence[Fact], ledger: Ledger) -> bool:
    """Whether a value is among the facts; amounts and percentages are compared without their sign."""
    for fact in facts:
        if fact.unit not in _UNITS[value.unit] or (value.unit == "money" and fact.currency != ledger.currency):
            continue
        if value.day is not None and fact.value == value.day.isoformat():
            return True
        if value.amount is not None and abs(Decimal(fact.value)) == abs(value.amount):
            return True
    return False
