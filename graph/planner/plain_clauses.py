"""Clauses that begin as a time does and tell none: how things are, what is yet to be done, what a price was before it rose.

"Since the purchases are already on there" and "before I ring the accountant" are no part of a question.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from language import cues
from language.lexicon import listed, of_each, phrases
from language.reader import reader
from language.words import cut_out, fold_in_place, words
from ledger.embeddings import english_words
from tools.slots.period import periods_in, unclear_periods

if TYPE_CHECKING:
    from collections.abc import Sequence

    from language.words import Word
    from ledger.periods import UnclearPeriod
    from tools.context import ToolContext

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.](?=\d)[^.!?\n]*)*[.!?]*\s*")
_SIGNS = " ,;:–-"
#: Words that begin a clause that may tell no time.
_CUES = listed("as_things_are", "yet_to_do", "before_cues").union(*phrases("since_cues"))
#: How German verbs end in the present, as "zog" and "kam" do not, and in the past.
_PRESENT_ENDINGS, _PAST_ENDINGS = ("e", "t", "n"), ("te", "ten")
#: A verb stands behind the word that begins a clause and a subject, and within so many words.
_FIRST_VERB, _FARTHEST_VERB = 2, 7


def told_plainly(text: str, context: ToolContext) -> str:
    """Return a text without clauses that tell no time, and with a price's change in the words that are read for it."""
    if _CUES.isdisjoint(word.key for word in words(text)):
        return text
    for each in reversed(unclear_periods(text, context)):
        clause = text[each.start : each.end]
        said = words(clause)
        if each.reason != "unknown" or len(said) == 1:
            continue
        if said[1].key not in listed("whoever_asks") and cues.REPRICED.search(fold_in_place(clause)):
            text = _as_a_level(text, each.start, each.end, said[0].key)
        elif _tells_no_time(text, each, said, context):
            text = cut_out(text, [(each.start, each.end)]).lstrip(_SIGNS)
    return text


def _as_a_level(text: str, start: int, end: int, cue: str) -> str:
    """Return a text with what a price was before it changed, or is since then, in the words that are read for it."""
    for leads, read_as in zip(of_each("before_cues"), of_each("price_before"), strict=True):
        if cue in leads.split():
            return f"{text[:start]}{read_as}{text[end:]}"
    rest = cut_out(text, [(start, end)])
    is_over = any(word.key in listed("past_verbs") for word in words(rest))
    return rest if reader().read(rest, rest)["act"].best == "level" and not is_over else text


def _is_of_now(said: Sequence[Word]) -> bool:
    """Whether a clause says how things are or what is about to be done, and not when something happened."""
    if said[0].key in listed("yet_to_do"):  # German verbs stand last
        verb = said[-1].key
        over = verb in listed("auxiliaries", "telling_past") or verb.endswith(_PAST_ENDINGS)
        return not over and verb.endswith(_PRESENT_ENDINGS)
    near = range(_FIRST_VERB, min(len(said), _FARTHEST_VERB))
    return said[0].key in listed("as_things_are") and any(_is_present(said, place) for place in near)


def _is_present(said: Sequence[Word], place: int) -> bool:
    """Whether the word is a verb in the present: "is", "can", "I ring", "she asks"."""
    key, before = said[place].key, said[place - 1].key
    if key in listed("of_now"):
        return True
    if before in listed("subjects"):
        return _is_base_form(key) and key not in listed("last_ones")  # "since I last paid"
    is_verb = before not in listed("articles", "possessives") and place == _FIRST_VERB
    return is_verb and key.endswith("s") and not key.endswith("ss") and _is_base_form(key[:-1])


def _is_base_form(key: str) -> bool:
    """Whether English makes "-ing" and "-s" of a word, as it does of "ring" and of no "moved"."""
    return f"{key}s" in english_words() and not english_words().isdisjoint({f"{key}ing", f"{key.removesuffix('e')}ing"})


def _tells_no_time(text: str, clause: UnclearPeriod, said: Sequence[Word], context: ToolContext) -> bool:
    """Whether a clause is no limit of the question: it is of now, or in a sentence beside it, and the time is named.

    Of now, and in the question itself, it may be all the time that is meant ("since I am working from home").
    """
    sentences = [match.span() for match in _SENTENCE.finditer(text)]
    own = next(((first, end) for first, end in sentences if first <= clause.start < end), (0, len(text)))
    asked = [text[first:end] for first, end in sentences if text[first:end].rstrip().endswith("?")]
    beside = bool(asked) and not text[slice(*own)].rstrip().endswith("?")
    if not _is_of_now(said):
        return beside and any(periods_in(each, context) for each in asked)
    return beside or bool(periods_in(cut_out(text, [(clause.start, clause.end)]), context))
