"""Notes in sentences: what is to be remembered, what is to be forgotten, and what notes are asked for."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from language.lexicon import listed, patterns
from tools.slots.sentences import Sentence, SentenceSlot, any_of, whole
from tools.slots.slot import Checked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.slots.slot import Mention

#: What stands for every note.
ALL_NOTES = "all"
_LONGEST = 2000
#: What comes before a note; slips of the keyboard in "remember" are common.
_REMEMBER = any_of(*patterns("notes", "remember"), then=r"(?=\s*\S)")
_FORGET_ALL = any_of(*patterns("notes", "forget_all"))
_FORGET = any_of(*patterns("notes", "forget"), then=r"(?=\s*\S)")
_FORGET_TAIL = re.compile(rf"\s+(?:{'|'.join(patterns('notes', 'forget_tail'))})$")
_LIST = any_of(*patterns("notes", "list"), then=rf"(?: (?:{'|'.join(patterns('notes', 'about'))}) (?P<about>.+))?")
#: "Remember that time?" asks; a question at the end of several sentences is part of the note.
_PARTS = re.compile(r"[.!;:]\s")
_MYSELF = listed("myself")


@lru_cache(maxsize=128)
def _remembered(sentence: Sentence) -> Sequence[Mention]:
    """Everything after "remember that", to the end of the text."""
    found = _REMEMBER.match(sentence.folded)
    if found is None or (sentence.asks and not _PARTS.search(sentence.folded)):
        return ()
    return whole("note", sentence.written(found.end(), len(sentence.folded)).lstrip(":,–— "), sentence)


@lru_cache(maxsize=128)
def _forgotten(sentence: Sentence) -> Sequence[Mention]:
    """Every note, or the words of those to be forgotten."""
    if sentence.asks:
        return ()
    if _FORGET_ALL.fullmatch(sentence.folded):
        return whole("forgotten", ALL_NOTES, sentence)
    found = _FORGET.match(sentence.folded)
    if found is None:
        return ()
    tail = _FORGET_TAIL.search(sentence.folded, found.end())
    words = sentence.written(found.end(), tail.start() if tail else len(sentence.folded)).strip(":,–— ")
    return whole("forgotten", words, sentence) if words else ()


@lru_cache(maxsize=128)
def _asked(sentence: Sentence) -> Sequence[Mention]:
    """The subject of the notes that are asked for; None where all are."""
    found = _LIST.fullmatch(sentence.folded)
    if found is None:
        return ()
    group = next((name for name in ("about", "inside") if found[name]), None)
    about = sentence.written(*found.span(group)) if group else ""
    return whole("topic", None if about.casefold() in _MYSELF else about or None, sentence)


def _judge(value: Any) -> Checked:
    """Accept words, or a list of them."""
    texts = [str(each) for each in (value if isinstance(value, list) else [value]) if str(each).strip()]
    if not texts:
        return Checked(problem="There is nothing to remember in that.")
    if any(len(text) > _LONGEST for text in texts):
        return Checked(problem="That is too long for a note.")
    return Checked(texts if isinstance(value, list) else texts[0])


NOTE = SentenceSlot("note", "What to remember, in the person's own words", _remembered, _judge)
FORGOTTEN = SentenceSlot("forgotten", f"Words of the note to forget, or {ALL_NOTES}", _forgotten, _judge)
TOPIC = SentenceSlot("topic", "Only notes with these words", _asked, _judge)
