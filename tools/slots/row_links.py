"""Sentences about transactions that belong together: that are one, a refund of a purchase, two sides of a transfer; or not."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from language.lexicon import patterns
from language.words import fold_in_place
from tools.slots.assignments import merchants_named
from tools.slots.rows import FOR_SINGLE, RowSlot, RowsSlot, names_row, place_in, places_in, read_money
from tools.slots.sentences import Sentence, SentenceSlot, forms_of, sentence_of
from tools.slots.slot import Checked, Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.context import ToolContext

_TABLE = "row_links"
_LONGEST = 300
_forms = partial(
    forms_of,
    _TABLE,
    row=r"(?P<row>\S.{0,119}?)",
    rows=r"(?P<row>\S.{0,239}?)",
    other=r"(?P<other>\S.{0,119}?)",
    keep=r"(?P<keep>\S.{0,59}?)",
    account=r"(?P<account>\S.{0,59}?)",
    **FOR_SINGLE,
)
_MERGE, _TWICE, _REFUND, _UNLINK = _forms("merge"), _forms("twice"), _forms("refund"), _forms("unlink")
_TRANSFER, _TRANSFER_TO, _CAME_BACK = _forms("transfer"), _forms("transfer_to"), _forms("came_back")
_THE_TWO = _forms("the_two")
_AND = re.compile(rf"\s*(?:,|\b(?:{'|'.join(patterns(_TABLE, 'and'))})\b)\s*")
_NOUN = re.compile(rf"\b(?:{'|'.join((*patterns('named_rows', 'single'), *patterns(_TABLE, 'back')))})\b")
#: What money that came back is called.
BACK = re.compile(rf"\b(?:{'|'.join(patterns(_TABLE, 'back'))})\b")


class Pair(NamedTuple):
    """Two transactions as a sentence names them: each by itself, or both by one expression."""

    row: str
    other: str | None = None


@lru_cache(maxsize=256)
def pair_in(words: str, *, loose: bool = False) -> Pair | None:
    """Return the several transactions that words name: "those two", "rows 1 and 2", "the 42.10 at Tesco and the 8.00 at Aldi".

    ``loose`` where an amount alone says that a transaction is meant.
    """
    places = places_in(words)
    if places is not None and (len(places) > 1 or place_in(words) is None):
        return Pair(words)
    folded = fold_in_place(words)
    the_two = next((found for form in _THE_TWO if (found := form.fullmatch(folded))), None)
    if the_two is not None:
        return Pair(words[slice(*the_two.span("row"))])
    halves = ((words[: cut.start()].strip(), words[cut.end() :].strip()) for cut in _AND.finditer(folded))
    is_one = _speaks_of_one if loose else _points
    return next((Pair(one, other) for one, other in halves if one and other and is_one(one) and is_one(other)), None)


def _points(words: str) -> bool:
    return names_row(words) or place_in(words) is not None


def _speaks_of_one(words: str) -> bool:
    """Whether words are about a transaction, if only by an amount or a noun for one ("the Zara purchase", "that refund")."""
    return names_row(words) or bool(_NOUN.search(fold_in_place(words))) or read_money(words, "") is not None


def _found(forms: Sequence[re.Pattern[str]], sentence: Sentence) -> Sequence[dict[str, str]]:
    """Return what the groups of each form that fits a sentence hold, as it was written, the most telling form first."""
    matches = [] if sentence.asks else [found for form in forms if (found := form.fullmatch(sentence.folded))]
    said = [
        {name: sentence.written(*found.span(name)) for name, text in found.groupdict().items() if text}
        for found in matches
    ]
    return sorted(said, key=lambda groups: sum(map(len, groups.values())))


def _mentions(sentence: Sentence, **values: str | None) -> Sequence[Mention]:
    """Return the mentions of a sentence, which share it: each takes up a part of its own."""
    said, text = [(slot, value) for slot, value in values.items() if value], sentence.text
    ends = [*range(1, len(said)), len(text)]
    return tuple(
        Mention(slot, place, end, value, text.strip())
        for place, ((slot, value), end) in enumerate(zip(said, ends, strict=True))
    )


def _merged(sentence: Sentence) -> Sequence[Mention]:
    """The transactions that are one, and which of them stays."""
    for said in _found(_MERGE, sentence):
        pair = Pair(said["row"], said["other"]) if "other" in said else pair_in(said["row"])
        if pair is not None and ("other" not in said or (_points(said["row"]) and _points(said["other"]))):
            return _mentions(sentence, merged_row=pair.row, merged_with=pair.other, kept_row=said.get("keep"))
    for said in _found(_TWICE, sentence):
        if names_row(said["row"]):
            return _mentions(sentence, merged_row=said["row"])
    return ()


def _refunded(sentence: Sentence, *, loose: bool = False) -> Sequence[Mention]:
    """The refund and its purchase; ``loose`` where the purchase is named by its shop alone."""
    for said in () if _unlinked(sentence) else _found(_REFUND, sentence):
        other = said.get("other")
        if other is None:
            pair = pair_in(said["row"])
            if pair is not None:
                return _mentions(sentence, refund_row=pair.row, purchase_row=pair.other)
        elif _speaks_of_one(said["row"]) and (_speaks_of_one(other) or (loose and BACK.search(sentence.folded))):
            return _mentions(sentence, refund_row=said["row"], purchase_row=other)
    return ()


@lru_cache(maxsize=128)
def _unlinked(sentence: Sentence) -> Sequence[Mention]:
    """The transactions that do not belong together."""
    for said in _found(_UNLINK, sentence):
        row, other = said["row"], said.get("other")
        pair = pair_in(row, loose=True) if other is None else None
        if pair is not None:
            return _mentions(sentence, unlinked_row=pair.row, unlinked_from=pair.other)
        if _speaks_of_one(row) and (other is None or _speaks_of_one(other)):
            return _mentions(sentence, unlinked_row=row, unlinked_from=other)
    return ()


def _moved(sentence: Sentence) -> Sequence[Mention]:
    """The two sides of a transfer, or one and the account that it is to or from."""
    for said in () if _unlinked(sentence) else _found(_TRANSFER, sentence):
        pair = pair_in(said["row"], loose=True)
        if pair is not None:
            return _mentions(sentence, transfer_row=pair.row, transfer_other=pair.other)
    for said in _found(_TRANSFER_TO, sentence):
        row, account = said["row"], said["account"]
        if _speaks_of_one(row):
            at_row = names_row(account)
            other, account_only = (account, None) if at_row else (None, account)
            return _mentions(sentence, transfer_row=row, transfer_other=other, transfer_account=account_only)
    return ()


def _asked(sentence: Sentence) -> Sequence[Mention]:
    """The transaction of which it is asked what came back, or what it belongs to."""
    found = next((match for form in _CAME_BACK if (match := form.fullmatch(sentence.folded))), None)
    row = sentence.written(*found.span("row")) if found else ""
    points_only = place_in(row) == 0 and not BACK.search(fold_in_place(row))  # "what did it cost in the end?"
    return _mentions(sentence, asked_row=row) if row and names_row(row) and not points_only else ()


@lru_cache(maxsize=128)
def _linked(sentence: Sentence) -> Sequence[Mention]:
    """What a sentence says of transactions that belong together, or asks of them."""
    ways = (_merged, _unlinked, _refunded, _moved, _asked)
    return next((found for way in ways if (found := way(sentence))), ())


class _LooseSlot(RowsSlot):
    """A refund or its purchase; "that refund belongs to Zara" is about a purchase if that is a shop of theirs."""

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return the mention of a sentence that links a refund."""
        sentence = sentence_of(text)
        found = _linked(sentence)
        if not found and BACK.search(sentence.folded):
            loose = _refunded(sentence, loose=True)
            shop = next((each.value for each in loose if each.slot == "purchase_row"), "")
            found = loose if shop and merchants_named(str(shop), context) else ()
        return [mention for mention in found if mention.slot == self.name]


def _judge(value: Any) -> Checked:
    """Accept a few words; what they name is for the tool to find."""
    words = " ".join(str(value).split())
    if not words or len(words) > _LONGEST:
        return Checked(problem="That is too long, or nothing at all.")
    return Checked(words)


_ONE = "its amount, merchant and day, copied from the question"
MERGED_ROW = RowsSlot("merged_row", f"One of them, or all in one expression: {_ONE}", _linked, _judge)
MERGED_WITH = RowSlot("merged_with", f"The other one: {_ONE}", _linked, _judge)
KEPT_ROW = RowSlot("kept_row", f"Which of them stays: {_ONE}", _linked, _judge)
REFUND_ROW = _LooseSlot("refund_row", f"The refund: {_ONE}", _linked, _judge)
PURCHASE_ROW = _LooseSlot("purchase_row", f"The purchase: {_ONE}", _linked, _judge)
UNLINKED_ROW = RowsSlot("unlinked_row", f"Which one, or both in one expression: {_ONE}", _linked, _judge)
UNLINKED_FROM = RowSlot("unlinked_from", f"From which one: {_ONE}", _linked, _judge)
TRANSFER_ROW = RowsSlot("transfer_row", f"One side, or both in one expression: {_ONE}", _linked, _judge)
TRANSFER_OTHER = RowSlot("transfer_other", f"The other side: {_ONE}", _linked, _judge)
TRANSFER_ACCOUNT = SentenceSlot("transfer_account", "The account of the other side, copied", _linked, _judge)
ASKED_ROW = RowSlot("asked_row", f"Which one: {_ONE}", _linked, _judge)
