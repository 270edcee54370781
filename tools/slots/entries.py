"""Payments that somebody tells, to be written down by hand: "spent 12.50 on lunch", "gestern 200 von Oma bekommen".

The day and the account may stand anywhere, so they are taken out first; what is left must be such a sentence as a whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from language.catalogue import say
from language.lexicon import patterns
from language.words import fold_in_place
from ledger.by_hand import CASH
from ledger.periods import find_periods
from tools.schema.wording import shorten
from tools.slots.names import AccountSlot, names_of
from tools.slots.rows import MONEY, amounts_in, whole_amount
from tools.slots.sentences import Sentence, SentenceSlot, forms_of, sentence_of
from tools.slots.slot import Checked, Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.context import ToolContext

OUT, IN = "out", "in"
#: What stands for a day that is still to come.
LATER = "later"
_LONGEST = 80
_forms = partial(forms_of, "entries", amount=rf"(?P<amount>{MONEY})", what=r"(?P<what>\S.{0,79}?)")
_WAYS = {OUT: _forms("out"), IN: _forms("in")}


def _any(name: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{form})" for form in patterns("entries", name)))


_CASH, _LATER, _SEVERAL, _BEFORE_ACCOUNT = _any("cash"), _any("later"), _any("several"), _any("account")
#: Several forms name the same group, so each is a pattern by itself.
_CATEGORY = tuple(map(re.compile, patterns("entries", "category")))


@dataclass(slots=True)
class _Text:
    """A sentence's core from which parts are taken out, each character with its place in the text."""

    folded: str
    places: list[int]

    @classmethod
    def of(cls, sentence: Sentence) -> _Text:
        return cls(sentence.folded, list(range(sentence.start, sentence.start + len(sentence.folded))))

    def cut(self, start: int, end: int) -> None:
        """Take a part out, and one of the blanks around it."""
        left, right = self.folded[:start], self.folded[end:]
        if left.endswith(" ") and (not right or right[0] in " ,"):
            start -= 1
        elif not left.strip() and right.startswith((" ", ", ")):
            end += len(right) - len(right.lstrip(" ,"))
        self.folded = self.folded[:start] + self.folded[end:]
        self.places = self.places[:start] + self.places[end:]

    def written(self, text: str, span: tuple[int, int]) -> str:
        """Return a part as it was written."""
        return "".join(text[place] for place in self.places[slice(*span)]).strip(" ,.:–-")


def _told(sentence: Sentence, context: ToolContext) -> dict[str, str]:
    """Return what a sentence tells of one payment, by slot; nothing where it is about anything else."""
    if sentence.asks or not any(sign.isdigit() for sign in sentence.folded):
        return {}
    text = _Text.of(sentence)
    beside = _taken_out(text, sentence.text, context)
    core = _core(text, sentence.text, context)
    return {**core, **beside} if core else {}


def _taken_out(text: _Text, written: str, context: ToolContext) -> dict[str, str]:
    """Take out of a text its day, account and category, and return them."""
    found: dict[str, str] = {}
    if (later := _LATER.search(text.folded)) is not None:
        found["entry_day"] = LATER
        text.cut(*later.span())
    elif (day := _day(text.folded, context)) is not None:
        found["entry_day"] = day[2]
        text.cut(day[0], day[1])
    if (cash := _CASH.search(text.folded)) is not None:
        found["entry_account"] = CASH
        text.cut(*cash.span())
    elif (account := _account(text, written, context)) is not None:
        found["entry_account"] = account[2]
        text.cut(account[0], account[1])
    if (category := next((each for form in _CATEGORY if (each := form.search(text.folded))), None)) is not None:
        found["entry_category"] = text.written(written, category.span("category"))
        text.cut(category.start(), len(text.folded))
    return found


def _core(text: _Text, written: str, context: ToolContext) -> dict[str, str]:
    """Return the amount, its way and what it was for, where what is left of a text is a sentence that tells them."""
    for way, forms in _WAYS.items():
        said = next((match for form in forms if (match := form.fullmatch(text.folded))), None)
        if said is None:
            continue
        found = {"entry_amount": text.written(written, said.span("amount")), "entry_direction": way}
        what = said.groupdict().get("what")
        if what is None:
            return found
        if what[0].isdigit() or (_SEVERAL.search(what) and amounts_in(what, context.currency)):
            return {}  # two payments are two sentences, and a sum of numbers is none
        return {**found, "entry_what": text.written(written, said.span("what"))}
    return {}


def _day(folded: str, context: ToolContext) -> tuple[int, int, str] | None:
    """Return the first day that a text names, and where."""
    for found in find_periods(folded, context.today, context.week_start):
        if found.period.days == 1:
            return found.start, found.end, found.period.start.isoformat()
    return None


def _account(text: _Text, written: str, context: ToolContext) -> tuple[int, int, str] | None:
    """Return the account that a text names with a word before it ("from my Visa"), and where."""
    core = "".join(written[place] for place in text.places)
    for mention in AccountSlot().find(core, context):
        before = _BEFORE_ACCOUNT.search(text.folded[: mention.start])
        names = names_of(mention.value)
        if before is not None and len(names) == 1:
            return before.start(), mention.end, names[0]
    return None


@dataclass(frozen=True, eq=False)
class EntrySlot(SentenceSlot):
    """One thing that a told payment has."""

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return what a sentence that tells of a payment says of this."""
        sentence = sentence_of(text)
        found = _told(sentence, context).get(self.name)
        if found is None:
            return ()
        place = fold_in_place(text).find(fold_in_place(found)) if self.name == "entry_amount" else 0
        end = place + len(found) if self.name == "entry_amount" else 0
        return (Mention(self.name, place, end, found, found),)


def _nothing(sentence: Sentence) -> Sequence[Mention]:
    del sentence
    return ()


def _judge_amount(value: Any) -> Checked:
    text = str(value).strip()
    if whole_amount(text, "USD"):
        return Checked(text)
    return Checked(problem=say("I can't read the amount “{amount}”.", amount=shorten(text, quoted=False)))


def _judge(value: Any) -> Checked:
    words = " ".join(str(value).split())
    return Checked(words or None) if len(words) <= _LONGEST else Checked(problem="That is too long.")


ENTRY_AMOUNT = EntrySlot(
    "entry_amount", "The amount and its currency, copied from the question", _nothing, _judge_amount
)
ENTRY_DIRECTION = EntrySlot("entry_direction", "Whether it was spent or received", _nothing, values=(OUT, IN))
ENTRY_WHAT = EntrySlot("entry_what", "What it was for, or from whom, copied from the question", _nothing, _judge)
ENTRY_DAY = EntrySlot("entry_day", "The day, YYYY-MM-DD; today if none is named", _nothing, _judge)
ENTRY_ACCOUNT = EntrySlot("entry_account", "The account, copied from the question", _nothing, _judge)
ENTRY_CATEGORY = EntrySlot("entry_category", "The category, copied from the question", _nothing, _judge)
