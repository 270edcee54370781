"""The parts that a person splits a transaction into, read from their words; they add up to it to the cent."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from language.catalogue import say
from language.lexicon import listed, patterns
from language.words import fold_in_place
from ledger.corrections import Part
from ledger.money import Money, exponent, to_minor
from tools.apps.categories import category_named
from tools.results import Result
from tools.slots.rows import MONEY, amounts_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.rules import Rule
    from ledger.transactions import Transaction
    from tools.calls import Choice
    from tools.context import ToolContext

_MOST = 12


def _any(name: str) -> str:
    return f"(?:{'|'.join(patterns('row_changes', name))})"


_AND = "|".join(sorted(listed("and")))
#: Between two parts: before an amount or the rest, since a category's name may have such a word in it; else anywhere.
_BEFORE_PART = re.compile(rf"\s*(?:,(?!\d)|;|\+|&|\b(?:{_AND})\b)(?:\s*(?:{_AND})\b)?\s*(?={MONEY}|{_any('rest')}\b)")
_BETWEEN = re.compile(rf"\s*(?:,(?!\d)|;|\b(?:{_AND})\b)\s*(?:(?:{_AND})\b\s*)?")
_HALF = re.compile(_any("half"))
_REST = re.compile(rf"^{_any('rest')}\b")
_JOINED = re.compile(rf"^{_any('of_part')}\s+")


def parts_of(
    words: str, row: Transaction, context: ToolContext, rules: Sequence[Rule], again: Callable[[str], Choice]
) -> tuple[Part, ...] | Result:
    """Return the parts, one of them taking what is left; or why they are none. ``again`` asks with other words."""
    folded = fold_in_place(words).strip()
    size, sign = abs(row.amount_minor), 1 if row.amount_minor > 0 else -1
    if _HALF.fullmatch(folded):
        return tuple(Part(sign * minor) for minor in _shares(size, 2))
    pieces = _pieces(words.strip())
    if not 2 <= len(pieces) <= _MOST:
        return Result("A split needs two parts or more, such as “30 groceries and the rest household”.", kind="clarify")
    reading = _Reading(words, row, context, rules, again)
    read = [reading.part(piece) for piece in pieces]
    wrong = next((each for each in read if isinstance(each, Result)), None)
    if wrong is not None:
        return wrong
    told = [each for each in read if not isinstance(each, Result)]
    open_ones = [minor for minor, _ in told if minor is None]
    given = sum(minor for minor, _ in told if minor is not None)
    if len(open_ones) == len(told):  # only names: even parts
        shares = _shares(size, len(told))
        return tuple(Part(sign * minor, category) for minor, (_, category) in zip(shares, told, strict=True))
    left = size - given
    if len(open_ones) > 1 or left < 0 or (open_ones and not left) or (not open_ones and left):
        return Result(
            "The parts come to {given}, the transaction to {whole}; they must add up.",
            names={"given": Money(given, row.currency), "whole": Money(size, row.currency)}, kind="clarify",
        )  # fmt: skip
    return tuple(Part(sign * (left if minor is None else minor), category) for minor, category in told)


def _pieces(words: str) -> list[str]:
    folded = fold_in_place(words)
    for form in (_BEFORE_PART, _BETWEEN):
        starts, ends = [0], []
        for between in form.finditer(folded):
            ends.append(between.start())
            starts.append(between.end())
        found = [words[start:end] for start, end in zip(starts, [*ends, len(words)], strict=True)]
        found = [piece for piece in found if piece.strip()]
        if len(found) > 1:
            break
    return found


def _shares(size: int, count: int) -> list[int]:
    """Return even parts of an amount; the first ones take the cents that are over."""
    share, over = divmod(size, count)
    return [share + (1 if place < over else 0) for place in range(count)]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the parts of one split are read by."""

    words: str
    row: Transaction
    context: ToolContext
    rules: Sequence[Rule]
    again: Callable[[str], Choice]

    def part(self, piece: str) -> tuple[int | None, str] | Result:
        """Return the size of one part, None for what is left, and its category, empty for that of the whole."""
        currency, rest = self.row.currency, piece
        told = amounts_in(piece, currency)
        minor: int | None = None
        if told:
            exact = -int(told[0].amount.as_tuple().exponent) <= exponent(currency)
            minor = to_minor(told[0].amount, currency)
            if len(told) > 1 or told[0].currency not in (None, currency) or not exact or not minor:
                return Result("I can't read the part “{piece}”.", names={"piece": piece[:60]}, kind="clarify")
            rest = f"{piece[: told[0].start]} {piece[told[0].end :]}"
        elif (remaining := _REST.match(fold_in_place(rest).strip())) is not None:
            rest = rest.strip()[remaining.end() :]
        joined = _JOINED.match(fold_in_place(rest.strip()))
        name = rest.strip()[joined.end() if joined else 0 :].strip(" .:–-")
        if not name:
            return minor, ""

        def put(category: str) -> Choice:
            label = say("“{what}” under {category}", what=name, category=category)
            return replace(self.again(self.words.replace(name, category, 1)), label=label)

        found = category_named(name, self.context, self.rules, put)
        return found if isinstance(found, Result) else (minor, found)
