"""Sentences that change one transaction: its category, name, note, labels, day or kind; that delete or split it."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from language.lexicon import listed, patterns
from language.words import fold_in_place
from ledger.periods import find_periods
from tools.slots.assignments import placed_in
from tools.slots.rows import SOME_DAY, RowSlot, names_row, place_in, read_money, whole_amount
from tools.slots.sentences import Sentence, SentenceSlot, any_of, cores, forms_of, whole
from tools.slots.slot import Checked, Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 300
_forms = partial(forms_of, "row_changes", row=r"(?P<row>\S.{0,99}?)", value=r"(?P<value>\S.{0,199}?)")
#: The kinds that a person can say a transaction is of.
KINDS = ("transfer", "purchase", "income", "refund", "fee")
NOT_TRANSFER = "no transfer"
_KIND = {name: any_of(*patterns("row_changes", name)) for name in KINDS}
_NEGATED = any_of(*patterns("row_changes", "negated"), then=r"\s+")
_ARTICLE = re.compile(rf"(?:{'|'.join(sorted(listed('articles', 'indefinite_articles', 'possessives')))})\s+")
FIELDS = ("amount", "note", "labels", "kind", "day", "merchant")
_CHANGES = {field: _forms(field) for field in FIELDS}
_core = cores({name: _forms(name) for name in ("delete", "split", "undo", "list")})
#: What stands for the newest change, where it is to be taken back.
LAST = "last"


@lru_cache(maxsize=128)
def _changed(sentence: Sentence) -> Sequence[Mention]:
    """The transaction, what of it is changed, and to what."""
    if sentence.asks:
        return ()
    for field, forms in _CHANGES.items():
        for form in forms:
            found = form.fullmatch(sentence.folded)
            value = _value(field, found, sentence) if found is not None else None
            if found is not None and value is not None:
                return _mentions(field, sentence, found.span("row"), found.span("value"), value)
    placed = placed_in(sentence)
    if placed is None or not names_row(placed.merchant) or (placed.is_loose and _may_be_else(placed.merchant)):
        return ()
    return _mentions("category", sentence, placed.merchant_span, placed.category_span, placed.category)


def _mentions(
    field: str, sentence: Sentence, row: tuple[int, int], value: tuple[int, int], meant: str
) -> Sequence[Mention]:
    start, text = sentence.start, sentence.text
    return (
        Mention("changed_field", 0, 0, field, ""),
        Mention("changed_row", start + row[0], start + row[1], sentence.written(*row), text),
        Mention("changed_value", start + value[0], start + value[1], meant, text),
    )


def _value(field: str, found: re.Match[str], sentence: Sentence) -> str | None:
    """Return what a field is to be; None where the sentence is about something else after all."""
    row, value = sentence.written(*found.span("row")), sentence.written(*found.span("value"))
    if field in ("kind", "day", "labels", "merchant") and not names_row(row):
        return None
    if field == "kind":
        return kind_in(value, negated=bool(found.groupdict().get("not")))
    if field == "day":
        return value if day_phrase(value) else None
    if field == "amount":
        return value if whole_amount(value, "") else None
    return value


def kind_in(words: str, *, negated: bool = False) -> str | None:
    """Return the kind that words name, or what is no transfer; None for anything else."""
    folded = fold_in_place(words).strip()
    said = _NEGATED.match(folded)
    rest = folded[said.end() :] if said else folded
    article = _ARTICLE.match(rest)
    rest = rest[article.end() :] if article else rest
    kind = next((name for name, form in _KIND.items() if form.fullmatch(rest)), None)
    if not (said or negated):
        return kind
    return NOT_TRANSFER if kind == "transfer" else None


def day_phrase(words: str) -> bool:
    """Whether words are a day and nothing else."""
    found = find_periods(words, SOME_DAY, 0)
    return len(found) == 1 and (found[0].start, found[0].end) == (0, len(words)) and found[0].period.days == 1


def _may_be_else(row: str) -> bool:
    """Whether words may be about something else ("that is rent"), or about money itself ("move $500 to savings")."""
    told = read_money(row, "")
    return (place_in(row) == 0 and " " not in row.strip()) or (told is not None and told.start == 0)


@lru_cache(maxsize=128)
def _deleted(sentence: Sentence) -> Sequence[Mention]:
    found = None if sentence.asks else _core(sentence).get("delete")
    row = sentence.written(*found.span("row")) if found else ""
    return whole("deleted_row", row, sentence) if row and names_row(row) else ()


@lru_cache(maxsize=128)
def _divided(sentence: Sentence) -> Sequence[Mention]:
    """The transaction and its parts; between them they take up the sentence."""
    found = None if sentence.asks else _core(sentence).get("split")
    if found is None or not names_row(sentence.written(*found.span("row"))):
        return ()
    cut, text = sentence.start + found.start("value"), sentence.text
    return (
        Mention("split_row", 0, cut, sentence.written(*found.span("row")), text),
        Mention("parts", cut, len(text), sentence.written(*found.span("value")), text),
    )


def _taken_back(sentence: Sentence) -> Sequence[Mention]:
    meant = not sentence.asks and "undo" in _core(sentence)
    return whole("undone_change", LAST, sentence) if meant else ()


def _listed(sentence: Sentence) -> Sequence[Mention]:
    return whole("listed_changes", None, sentence) if "list" in _core(sentence) else ()


def _judge(value: Any) -> Checked:
    """Accept a few words; what they name is for the tool to find."""
    words = " ".join(str(value).split())
    if not words or len(words) > _LONGEST:
        return Checked(problem="That is too long, or nothing at all.")
    return Checked(words)


_WHICH = "Which one: its amount, merchant and day, copied from the question"
CHANGED_ROW = RowSlot("changed_row", _WHICH, _changed, _judge)
CHANGED_FIELD = SentenceSlot("changed_field", "What of it is changed", _changed, values=("category", *FIELDS))
CHANGED_VALUE = SentenceSlot("changed_value", "What it is to be, copied from the question", _changed, _judge)
DELETED_ROW = RowSlot("deleted_row", _WHICH, _deleted, _judge)
SPLIT_ROW = RowSlot("split_row", _WHICH, _divided, _judge)
PARTS = SentenceSlot("parts", 'Its parts, such as "30 groceries and the rest household"', _divided, _judge)
UNDONE_CHANGE = SentenceSlot("undone_change", f"Which change, or {LAST}", _taken_back, _judge)
LISTED_CHANGES = SentenceSlot("listed_changes", "Only the change of that token", _listed, _judge)
