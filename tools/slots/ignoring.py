"""Sentences by which something is left out of all figures, now and later, or counted again."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from language.lexicon import patterns
from tools.slots.sentences import Sentence, SentenceSlot, cores, forms_of, sentence_of, whole
from tools.slots.slot import Checked, Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 80
_forms = partial(forms_of, "ignoring", what=r"(?P<what>\S.{0,60}?)")
_core = cores({name: _forms(name) for name in ("leave", "again", "bare")})
_OWNER = re.compile(rf"^(?:(?:{'|'.join(patterns('ignoring', 'owner'))})\s+)+", re.IGNORECASE)


@lru_cache(maxsize=128)
def _ignored(sentence: Sentence) -> Sequence[Mention]:
    found = None if sentence.asks else _core(sentence).get("leave")
    return whole("ignored", sentence.written(*found.span("what")), sentence) if found else ()


@lru_cache(maxsize=128)
def _counted_again(sentence: Sentence) -> Sequence[Mention]:
    found = None if sentence.asks else _core(sentence).get("again")
    return whole("counted_again", sentence.written(*found.span("what")), sentence) if found else ()


def ignored_alone(text: str) -> str | None:
    """Return what a message says is to be ignored that, where nothing was asked before, can only mean for good."""
    sentence = sentence_of(text)
    found = None if sentence.asks else _core(sentence).get("bare")
    return sentence.written(*found.span("what")) if found else None


def bare_words(what: str) -> str:
    """Return words without whose it is."""
    return re.sub(r"['’]s\b", "", _OWNER.sub("", what)).strip() or what


def _judge(value: Any) -> Checked:
    words = " ".join(str(value).split())
    if not words or len(words) > _LONGEST:
        return Checked(problem="That is no name or word of a transaction.")
    return Checked(words)


IGNORED = SentenceSlot(
    "ignored", "A merchant, or words of what the bank wrote, copied from the question", _ignored, _judge
)
COUNTED_AGAIN = SentenceSlot(
    "counted_again", "What was left out until now, copied from the question", _counted_again, _judge
)
