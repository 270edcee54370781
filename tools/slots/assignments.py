"""Rules for categories in sentences: which merchant is to be in which category, which rule is to go, which are asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from language.lexicon import patterns
from ledger.category_words import match_categories
from ledger.own_names import told_name
from ledger.taxonomy import CATEGORIES
from tools.slots.names import merchant_index
from tools.slots.rows import names_row
from tools.slots.sentences import Sentence, SentenceSlot, cores, forms_of, sentence_of, unquoted, whole
from tools.slots.slot import Checked, Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.context import ToolContext

#: How sure words for a category must be.
SURE_CATEGORY = 0.75
_LONGEST = 80
#: The names of our own categories that a transaction can have.
OUR_CATEGORIES = tuple(told_name(category.name) for category in CATEGORIES.values() if not category.finer)

_PARTS = {
    "merchant": r"(?P<merchant>\S.{0,59}?)",
    "category": r"(?P<category>\S.{0,59}?)",
    "the": r"(?: {own})?(?: {category_word})?",
    "end": r"(?: {category_word})?(?:,? {always})*",
    "to": r" {under}{the} {category}{end}",
}
_forms = partial(forms_of, "assignments", **_PARTS)

#: "plain" forms are about categories, whatever the names in them; those of "placing" only if a name is known, behind
#: "under", else both.
_core = cores({name: _forms(name) for name in ("plain", "placing", "release", "list", "list_one", "unsure", "guesses")})
#: What people say around a merchant when they mean all of it.
_AROUND = re.compile(
    rf"^(?:(?:{'|'.join(patterns('assignments', 'all_of_it'))})\s+)+"
    rf"|\s+(?:{'|'.join(patterns('assignments', 'its_purchases'))})$",
    re.IGNORECASE,
)
#: How somebody says that a category is one of their own, whatever else its name is like.
_NEW = re.compile("|".join(patterns("assignments", "new_category")), re.IGNORECASE)


class _Needs(Enum):
    """What must be known in the ledger for a sentence to be about a category."""

    NOTHING = 0
    EITHER = 1
    BOTH = 2


@dataclass(frozen=True, slots=True)
class Assignment:
    """What is put where, in the words of a sentence, with the places of both in its core."""

    merchant: str
    category: str
    merchant_span: tuple[int, int]
    category_span: tuple[int, int]
    cut: int
    needs: _Needs

    @property
    def is_loose(self) -> bool:
        """Whether the form of the sentence alone says nothing of a category ("that is rent")."""
        return self.needs is _Needs.BOTH


def _read(sentence: Sentence) -> Assignment | None:
    """Return what a sentence puts where, unless it is one transaction."""
    found = placed_in(sentence)
    return None if found is None or names_row(found.merchant) else found


@lru_cache(maxsize=128)
def placed_in(sentence: Sentence) -> Assignment | None:
    """Return what a sentence puts where, if it has the form of one that does."""
    if sentence.asks or _release(sentence) is not None:
        return None
    plain = _core(sentence).get("plain")
    found = plain or _core(sentence).get("placing")
    if found is None:
        return None
    needs = _Needs.NOTHING if plain else _Needs.EITHER if found.groupdict().get("under") else _Needs.BOTH
    merchant, category = sentence.written(*found.span("merchant")), sentence.written(*found.span("category"))
    spans = found.span("merchant"), found.span("category")
    return Assignment(merchant, category, *spans, sentence.start + found.start("category"), needs)


def _mentions(sentence: Sentence) -> Sequence[Mention]:
    """The merchant and the category; between them they take up the sentence."""
    found, text = _read(sentence), sentence.text
    if found is None:
        return ()
    parts = (
        ("assigned_merchant", 0, found.cut, found.merchant),
        ("assigned_category", found.cut, len(text), found.category),
    )
    return tuple(Mention(slot, start, end, value, text[start:end].strip()) for slot, start, end, value in parts)


@dataclass(frozen=True, eq=False)
class _AssignmentSlot(SentenceSlot):
    """One of the two names; "put it under the bed" is about neither."""

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return the mention of a sentence that puts a merchant into a category."""
        found = _read(sentence_of(text))
        return super().find(text, context) if found is not None and _is_meant(found, context) else ()


def _is_meant(found: Assignment, context: ToolContext) -> bool:
    if found.needs is _Needs.NOTHING:
        return True
    known = (bool(merchants_named(found.merchant, context)), _names_category(found.category, context))
    return any(known) if found.needs is _Needs.EITHER else all(known)


def merchants_named(words: str, context: ToolContext) -> tuple[str, ...]:
    """Return the ledger's merchants that words name, with "all … purchases" around them or without."""
    index = merchant_index(context)
    return index.resolve(words) or index.resolve(bare_merchant(words))


def bare_merchant(words: str) -> str:
    """Return a merchant's name without what says that all of it is meant."""
    return re.sub(r"(?:'s|’s)$", "", _AROUND.sub("", _AROUND.sub("", words))) or words


def new_category(words: str) -> str:
    """Return the name that words give to a category expressly called a new one, or nothing."""
    found = _NEW.match(words)
    return unquoted(words[found.end() :]) if found else ""


def _names_category(words: str, context: ToolContext) -> bool:
    if new_category(words):
        return True
    known = (*context.vocabulary.categories, *OUR_CATEGORIES)
    return any(match.score >= SURE_CATEGORY for match in match_categories(words, known)[:1])


def _release(sentence: Sentence) -> str | None:
    found = None if sentence.asks else _core(sentence).get("release")
    return sentence.written(*found.span("merchant")) if found else None


def _released(sentence: Sentence) -> Sequence[Mention]:
    """The merchant whose rule is to go."""
    merchant = _release(sentence)
    return whole("released_merchant", merchant, sentence) if merchant else ()


def _asked(sentence: Sentence) -> Sequence[Mention]:
    """The merchant whose rule is asked for; None where all rules are."""
    if "list" in _core(sentence):
        return whole("rule_topic", None, sentence)
    found = _core(sentence).get("list_one")
    return whole("rule_topic", sentence.written(*found.span("merchant")), sentence) if found else ()


def _unsure(sentence: Sentence) -> Sequence[Mention]:
    """Whether the merchants without a category are asked for."""
    return whole("unsure_topic", None, sentence) if "unsure" in _core(sentence) else ()


def _guesses(sentence: Sentence) -> Sequence[Mention]:
    """Whether those are to be filed as they were guessed."""
    meant = not sentence.asks and "guesses" in _core(sentence)
    return whole("guess_topic", None, sentence) if meant else ()


def _judge(value: Any) -> Checked:
    """Accept a few words; what they name is for the tool to find."""
    words = " ".join(str(value).split())
    if not words or len(words) > _LONGEST:
        return Checked(problem="That is no name of a merchant or category.")
    return Checked(words)


def _judge_each(value: Any) -> Checked:
    """Accept one name or several; which of them have a rule is for the tool to find."""
    each = [_judge(name) for name in (value if isinstance(value, list | tuple) else [value])]
    wrong = next((checked for checked in each if checked.problem), None)
    return wrong or Checked(each[0].value if len(each) == 1 else [checked.value for checked in each])


ASSIGNED_MERCHANT = _AssignmentSlot(
    "assigned_merchant", "Name of one shop or company, copied from the question", _mentions, _judge
)
ASSIGNED_CATEGORY = _AssignmentSlot(
    "assigned_category", "The category it is to have, copied from the question", _mentions, _judge
)
RELEASED_MERCHANT = SentenceSlot(
    "released_merchant", "Name of one shop or company, copied from the question", _released, _judge_each
)
RULE_TOPIC = SentenceSlot("rule_topic", "Only the rule for this shop or company", _asked, _judge)
UNSURE_TOPIC = SentenceSlot("unsure_topic", "Leave it out", _unsure, _judge)
GUESS_TOPIC = SentenceSlot("guess_topic", "Leave it out", _guesses, _judge)
