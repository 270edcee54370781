"""Notes in sentences: what is to be remembered, what is to be forgotten, and what notes are asked for."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tools.slots.sentences import Sentence, SentenceSlot, any_of, whole
from tools.slots.slot import Checked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.slots.slot import Mention

#: What stands for every note.
ALL_NOTES = "all"
_LONGEST = 2000
_DONT = r"(?:don['’´`]?t|do not|never)"

#: Between "remember" and the note: a colon, "that", or the German comma and "dass".
_SO = r"\s*(?:\bthat\b|[:–—])"
_SO_TOO = r"\s*(?:\bthat\b|[:,–—])"
_DASS = r"\s*(?:[,:–—]\s*(?:\bdass?\b)?|\bdass?\b)"
#: What comes before a note; slips of the keyboard in "remember" are common.
_REMEMBER = any_of(
    rf"(?:rem{{1,2}}e?m{{0,2}}ber|remebmer|memori[sz]e)(?: (?:this|for (?:me|later|the future)))*{_SO_TOO}",
    r"remember (?=(?:i|im|i['’´`]m|i['’´`]ve|we|our|my)\b)",
    rf"(?:take )?note(?: (?:down|to self|for (?:me|later)|this))*{_SO}",
    r"(?:make|take|add|save|keep|write|leave) (?:me )?(?:(?:a|another|this|one|the) )?(?:new |quick )?note"
    rf"(?: (?:down|for me|of this|of the fact|saying))*(?:{_SO}|(?<=saying)\b)",
    r"(?:new|another) note\s*[:–—]",
    rf"(?:keep|bear) (?:this )?in (?:mind|memory){_SO_TOO}",
    rf"(?:write|jot) (?:this )?down{_SO_TOO}",
    rf"{_DONT} (?:you )?forget{_SO}",
    rf"merke? dir(?: (?:das|dies|folgendes|mal|doch|bitte))*(?:{_DASS})?",
    rf"(?:dir )?(?:bitte )?merken{_DASS}",
    rf"notiere?(?: (?:dir|mir|bitte|mal|folgendes))*{_DASS}",
    rf"(?:dir )?(?:bitte )?notieren{_DASS}",
    r"(?:neue )?notiz\s*[:–—]",
    rf"behalte?(?: (?:bitte|dir))* im (?:kopf|hinterkopf|gedachtnis){_DASS}",
    rf"denke?(?: (?:bitte|immer))* (?:daran|dran){_DASS}",
    rf"vergiss(?: bitte)? nicht{_DASS}",
    then=r"(?=\s*\S)",
)

_THEM = r"(?:notes?|memor(?:y|ies)|things? you (?:remember|noted)|notiz(?:en)?|merkzettel)"
_OWN = r"(?:my|the|your|all|of|those|these|meine[rn]?|deine[rn]?|die|alle|diese)"
_DROP = (
    r"(?:forget|delete|remove|erase|drop|clear|wipe|discard|vergiss|losche?|entferne?|streiche?)"
    r"(?: bitte)?"
)
_FORGET_ALL = any_of(
    rf"{_DROP} (?:all|every|everything|alle|samtliche)(?: (?:of|in|aus))?(?: {_OWN})* {_THEM}",
    rf"{_DROP} (?:my|your|the|meine|deine|die) (?:notes|memories|memory|notizen)",
    r"(?:forget|delete|erase) (?:everything|all)(?: that)? you (?:(?:have|['’´`]ve) )?(?:remember|remembered|noted)",
    r"(?:forget|delete|erase) (?:everything|all)(?: that)? i (?:told|asked) you(?: to remember)?",
    r"vergiss alles\s*,?\s*(?:was )?(?:du dir (?:gemerkt|notiert) hast|ich dir gesagt habe)",
    r"(?:(?:alle|meine|deine) )+notizen (?:loschen|vergessen|entfernen)",
)
_FORGET = any_of(
    r"(?:forget|unremember) that\b(?!\s*[,:–—])",
    r"forget what i (?:said|told you) about\b",
    rf"{_DONT} remember that\b",
    r"(?:stop|no longer) remember(?:ing)? that\b",
    rf"{_DROP} (?:{_OWN} |that )?(?:note|memory|notiz)\b"
    r"(?: (?:about|that says|which says|saying|that|on|with|uber|zur?|zum|mit|von|dass))*\s*:?",
    r"vergiss(?: bitte)?(?: wieder)?\s*(?:,\s*dass?\b|\bdass\b)",
    r"vergiss(?: bitte)?\s*,?\s*was ich (?:dir )?(?:uber|zu)\b",
    then=r"(?=\s*\S)",
)
_FORGET_TAIL = re.compile(r"\s+(?:any ?more|any longer|gesagt habe|loschen|vergessen|entfernen)$")

_LIST = any_of(
    r"(?:(?:show|list|give|tell|display|read|see|view|zeige?|liste|nenne?|sag|lies)(?: (?:me|mir|us))?(?: auf)? )?"
    r"(?:(?:my|your|the|all|all of|any|meine|deine|die|alle|mir|vor) )*(?:notes|memories|notizen|merkzettel)",
    r"(?:what|which) (?:notes|memories) (?:do|did|have) (?:you|i) (?:have|keep|kept|make|made|got|saved?)",
    r"(?:do|did|have) (?:you|i) (?:have|keep|kept|make|got) (?:any |some )?(?:notes|memories)",
    r"(?:what|which things) (?:do|did|can) you (?:still )?(?:remember|keep in mind|have in memory)",
    r"what have you (?:noted|remembered|kept|memori[sz]ed|written down)",
    r"what(?:['’´`]?s| is) in (?:your|my) (?:memory|notes)",
    r"what (?:did|have) i (?:ask(?:ed)?|tell|told) you to (?:remember|note|keep in mind)",
    r"was (?:hast|hattest) du dir(?: alles)?(?: (?:uber|zum?|zur) (?P<inside>.+?))? (?:gemerkt|notiert|aufgeschrieben)",
    r"was solltest? du dir merken",
    r"welche notizen (?:hast du|habe ich|gibt es)(?: (?:dir )?(?:gemacht|gespeichert))?",
    r"(?:hast du|habe ich) notizen",
    then=r"(?: (?:about|on|regarding|concerning|with|uber|zum?|zur|von|mit) (?P<about>.+))?",
)
#: "Remember that time?" asks; a question at the end of several sentences is part of the note.
_PARTS = re.compile(r"[.!;:]\s")
_MYSELF = frozenset(("me", "myself", "mich", "mir", "us", "uns"))


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
