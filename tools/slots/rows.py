"""Single transactions in sentences ("the 42.10 at Tesco on Friday", "the second one"), and amounts told in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from language.lexicon import choices, of_each, patterns
from language.words import fold_in_place
from ledger.importers.currencies import CODES, currency_of
from ledger.periods import find_periods
from tools.slots.amounts import NUMBER, read_amount
from tools.slots.sentences import SentenceSlot, any_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

_TABLE = "named_rows"
#: Codes of currencies that are words as well.
_WORDS = frozenset("ALL BAM CUP GEL LAK MAD MOP PEN RON SOS TOP TRY".split())
_CODES = "|".join(sorted(code.casefold() for code in CODES - _WORDS))
_SIGN = rf"[$€£¥]|\b(?:{'|'.join(patterns(_TABLE, 'unit'))}|{_CODES})\b"
#: An amount as it is told; its number is the first group.
MONEY = rf"(?:(?:{_SIGN}) ?)?(?<![\w.,])(?:{NUMBER})(?![\w]|[.,']\d| ?%)(?: ?(?:{_SIGN}))?"
_MONEY = re.compile(MONEY)
_WITH_CENTS = re.compile(r"\d[.,]\d\d$")
_THAT = any_of(*patterns(_TABLE, "that"))
_LAST = any_of(*patterns(_TABLE, "last_place"))
_NTH = tuple(map(re.compile, patterns(_TABLE, "nth")))
#: What one transaction is called, for the forms of other tables.
FOR_SINGLE = {"single": "|".join(patterns(_TABLE, "single"))}
_SEVERAL = {
    name: any_of(*patterns("row_links", name, **FOR_SINGLE)) for name in ("both", "all", "first_two", "last_two")
}
_ROW_WORD, _ROWS_AND, _OF_LIST = (
    "|".join(patterns("row_links", name, **FOR_SINGLE)) for name in ("row_word", "and", "of_list")
)
_NUMBERED = re.compile(
    rf"(?:(?:{_ROW_WORD}) ?)?\d{{1,2}}(?:(?:, ?| ?(?:{_ROWS_AND}) ?)(?:(?:{_ROW_WORD}) ?)?\d{{1,2}})+(?: (?:{_OF_LIST}))?"
)
#: Which places of a list words for several mean: 0 is each of it, -1 its last.
EVERY, BOTH = (0,), (0, 0)
_PLACES = {"both": BOTH, "all": EVERY, "first_two": (1, 2), "last_two": (-2, -1)}
_ORDINALS: Mapping[str, int] = {word: place for words in of_each("ordinals") for word, place in words.items()}
_SINGLE = any_of(*patterns(_TABLE, "single"), then=r"\b")
LATEST = any_of(*patterns(_TABLE, "latest"), then=r"\b")
FIRST_OF = any_of(*patterns(_TABLE, "first_of"), then=r"\b")
LARGEST = any_of(*patterns(_TABLE, "largest"), then=r"\b")
_CURRENCIES: Mapping[str, tuple[str, ...]] = choices("currencies")
#: Transactions by their ids, as a plan or a choice names them; one of several is to be asked for.
_IDS = re.compile(r"#\d{1,18}(?: #\d{1,18})*")
#: Any day will do to tell what is a day.
SOME_DAY = date(2024, 5, 15)


class Told(NamedTuple):
    """An amount as somebody told it; no currency where they named none."""

    amount: Decimal
    currency: str | None
    start: int
    end: int


def read_money(text: str, usual: str) -> Told | None:
    """Return the first amount of a text; ``usual`` is the currency that a sign stands for which several share."""
    return next(iter(amounts_in(text, usual)), None)


def whole_amount(text: str, usual: str) -> Told | None:
    """Return the amount that a text is, and nothing where it is more or less than one."""
    told = read_money(text, usual)
    return told if told is not None and (told.start, told.end) == (0, len(text)) else None


def amounts_in(text: str, usual: str) -> list[Told]:
    """Return the amounts of a text in order."""
    folded, found = fold_in_place(text), []
    for match in _MONEY.finditer(folded):
        number = re.search(NUMBER, match.group())
        amount = read_amount(number.group()) if number else None
        if number is not None and amount is not None:
            around = f"{match.group()[: number.start()]} {match.group()[number.end() :]}".strip()
            found.append(Told(amount, _currency(around, usual), *match.span()))
    return found


def _currency(sign: str, usual: str) -> str | None:
    if not sign:
        return None
    named = [code for code, words in _CURRENCIES.items() if sign in words]
    return currency_of(sign, usual) or (usual if usual in named or not named else named[0])


def ids_in(reference: str) -> tuple[int, ...]:
    """Return the ids that a reference consists of, if it does."""
    return tuple(int(each[1:]) for each in reference.split()) if _IDS.fullmatch(reference) else ()


def by_ids(ids: Sequence[int]) -> str:
    """Return the reference to some transactions."""
    return " ".join(f"#{key}" for key in ids)


@lru_cache(maxsize=256)
def place_in(reference: str) -> int | None:
    """Return which of a list words point at: its place from 1 on, -1 for the last, 0 for the one that is spoken of."""
    folded = fold_in_place(reference).strip()
    if _THAT.fullmatch(folded):
        return 0
    if _LAST.fullmatch(folded):
        return -1
    for form in _NTH:
        found = form.fullmatch(folded)
        if found is not None:
            place = found.groupdict()
            return _ORDINALS[place["nth"]] if place.get("nth") else int(place["number"])
    return None


@lru_cache(maxsize=256)
def places_in(reference: str) -> tuple[int, ...] | None:
    """Return the places of a list that words for one or several of its rows point at; :data:`BOTH` where it must have two."""
    place = place_in(reference)
    if place is not None:
        return (place,)
    folded = fold_in_place(reference).strip()
    if _NUMBERED.fullmatch(folded):
        return tuple(map(int, re.findall(r"\d+", folded)))
    return next((_PLACES[name] for name, form in _SEVERAL.items() if form.fullmatch(folded)), None)


@lru_cache(maxsize=256)
def names_row(reference: str) -> bool:
    """Whether words name one transaction, and not everything at a merchant: by its place, amount or day, or as the last."""
    if place_in(reference) is not None or ids_in(reference):
        return True
    folded = fold_in_place(reference)
    money = [match.group() for match in _MONEY.finditer(folded)]
    exact = any(_WITH_CENTS.search(each) or re.search(_SIGN, each) for each in money)
    a_day = any(each.period.start == each.period.end for each in find_periods(reference, SOME_DAY, 0))
    return exact or a_day or bool(LATEST.search(folded) and _SINGLE.search(folded))


@dataclass(frozen=True, eq=False)
class RowSlot(SentenceSlot):
    """The transaction that a sentence changes; what points at a list is settled by whoever knows the list."""


@dataclass(frozen=True, eq=False)
class RowsSlot(RowSlot):
    """One transaction or several, which may be named in one expression ("those two", "rows 1 and 2")."""
