"""What stands beside a question and changes nothing in it: greetings, who wants to know, reasons."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from language.lexicon import holds, listed, occurrences, phrases
from language.words import Word, words

if TYPE_CHECKING:
    from collections.abc import Sequence

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.](?=\d)[^.!?\n]*)*[.!?]*\s*")
_JOINED = re.compile(r"^\s*(?:but|and|so|aber|und|also)?\s*", re.IGNORECASE)
_SET_OFF = re.compile(r",\s|:\s|\s[-–—]\s|;\s")
_LONGEST_LEAD = 40
_FEWEST_LEFT = 2
#: Fewer words before a colon are likelier what is asked about ("ATM fees: how many?").
_SHORTEST_ASIDE = 3
_SHORTEST_STATEMENT = 3
#: Of fewer words a question says what is asked, and not of what.
_SHORTEST_QUESTION = 4


def without_remarks(text: str) -> str:
    """Return the question of a text without the remarks beside it; a text that is all remark stays as it is."""
    sentences = [match.group() for match in _SENTENCE.finditer(text)]
    kept = (_asked_among(sentences) if len(sentences) > 1 else "") or text
    kept = _without_reason(_without_tail(_without_lead(kept)))
    return kept.strip() or text


def _asked_among(sentences: Sequence[str]) -> str:
    """Return the sentences that are no remarks, if any of them asks."""
    asked = [sentence for sentence in sentences if not _is_beside(sentence)]
    return "".join(asked) if any(map(_asks, asked)) else ""


def pointing_at(question: str, names: Sequence[str], times: Sequence[str]) -> str:
    """Return a question with what a remark named in the place of the words that point at it ("there", "that month")."""
    for said, pointers in ((names, "pointed_places"), (times, "pointed_times")):
        if said:
            found = words(question)
            places = [(found[those[0]].start, found[those[-1]].end) for those in occurrences(found, pointers)]
            for start, end in sorted(places, reverse=True):
                question = f"{question[:start]}{question[end:].lstrip()}"
            question = f"{question.rstrip(' ?.!')}, {' '.join(said)}?"
    return question


def _asks(sentence: str) -> bool:
    found = words(sentence)
    return sentence.rstrip().endswith("?") or bool(found and found[0].key in listed("asking"))


def _is_beside(sentence: str) -> bool:
    """Whether a sentence is no question and no part of one."""
    return _is_remark(sentence) or _tells(sentence) or _trails_off(sentence)


def _is_remark(sentence: str) -> bool:
    """Whether a sentence asks nothing, names no number, and begins as remarks do."""
    found = words(sentence)
    if not found:
        return True
    numbers = any(map(str.isdigit, sentence)) and not _is_about_oneself(found)
    return found[0].key in listed("remarking") and not (_asks(sentence) or numbers or _chooses(found))


def _tells(sentence: str) -> bool:
    """Whether a sentence only tells how things are ("the vet was dear this year"): it neither asks nor leaves anything out."""
    found = words(sentence)
    whole = len(found) >= _SHORTEST_STATEMENT and not any(map(str.isdigit, sentence))
    return whole and not _asks(sentence) and not _narrows(found) and _states(sentence, found)


def _trails_off(sentence: str) -> bool:
    """Whether a sentence ends in dots and asks nothing, leaves nothing out and names no number ("Zara, I dare not look ...")."""
    dots = sentence.rstrip().endswith(("...", "…"))
    return (
        dots
        and not any(map(str.isdigit, sentence))
        and not holds("corrections", words(sentence))
        and not _asks(sentence)
    )


def _states(sentence: str, found: tuple[Word, ...]) -> bool:
    """Whether a sentence says how things are: it has a verb for that, or calls out."""
    return sentence.rstrip().endswith("!") or not listed("telling").isdisjoint(word.key for word in found)


def leaves_out(found: tuple[Word, ...]) -> bool:
    """Whether words leave something out, in a row or apart ("leave the rent out of it")."""
    keys = {word.key for word in found}
    apart = any(len(phrase) > 1 and keys.issuperset(phrase) for phrase in phrases("exclusions"))
    return apart or holds("exclusions", found)


def _narrows(found: tuple[Word, ...]) -> bool:
    """Whether a sentence is a part of another, corrects it, or leaves something out."""
    begins = found[0].key in listed("subordinating", "narrowers", "joining", "orders")
    return begins or leaves_out(found) or holds("never_free", found) or holds("corrections", found)


def _is_about_oneself(found: tuple[Word, ...]) -> bool:
    return found[0].key == "im" or tuple(word.key for word in found[:2]) in (("i", "am"), ("ich", "bin"))


def _without_lead(text: str) -> str:
    """Drop what stands before the question and ends in "asks", "wants to know" …"""
    found = words(text)
    for place in range(min(len(found), _LONGEST_LEAD)):
        for phrase in phrases("leads"):
            behind = place + len(phrase)
            if (
                _stands(found, place, phrase)
                and len(found) > behind
                and found[behind].key in listed("asking") | {"if", "ob"}
            ):
                return text[found[behind].start :]
    return _behind_sign(text)


def _behind_sign(text: str) -> str:
    """Drop a remark that ends in a comma, with the "but" or "and" behind it, or whatever a colon or dash sets off."""
    for match in _SET_OFF.finditer(text):
        head, joined = text[: match.start()], _JOINED.sub("", text[match.end() :], count=1)
        found = words(joined)
        asks = found and found[0].key in listed("asking")
        sets_off = (
            match.group().strip() not in (",", ";")
            and len(words(head)) >= _SHORTEST_ASIDE
            and not _chooses(words(head))
        )
        if len(found) < _SHORTEST_QUESTION and not _tells_of(head):
            continue  # "my last three rides, how much each?"
        told_apart = sets_off or joined != text[match.end() :].lstrip()  # by a colon, or by "but"
        if (asks and (sets_off or _is_remark(head))) or (told_apart and len(found) > 1 and _is_remark(head)):
            return joined
    return text


def _tells_of(head: str) -> bool:
    """Whether a remark says how something is or calls out, in place of naming what is asked about behind it."""
    found = words(head)
    return len(found) < _SHORTEST_STATEMENT or _states(head, found)


def _chooses(found: tuple[Word, ...]) -> bool:
    """Whether words begin by saying which ones are meant ("only the one in town")."""
    return len(found) > 1 and found[0].key in listed("narrowers") and found[1].key in listed("articles")


def _without_tail(text: str) -> str:
    """Drop a remark that a dash sets off at the end, or a comma one about oneself, if a question is left."""
    head, dash, tail = text.rpartition(" – ") if " – " in text else text.rpartition(" - ")
    if dash and _asks(head) and _is_beside(tail):
        return head
    head, comma, tail = text.rpartition(", ")
    found = words(tail)
    beside = bool(comma) and len(found) >= _SHORTEST_ASIDE and _is_about_oneself(found) and not _narrows(found)
    return head if beside and _opens_as_a_question(head) and not any(map(str.isdigit, tail)) else text


def _opens_as_a_question(head: str) -> bool:
    return bool(words(head)) and words(head)[0].key in listed("asking")


def _without_reason(text: str) -> str:
    """Drop a reason or thanks at the end, if a question is left."""
    found = words(text)
    for place in range(_FEWEST_LEFT, len(found)):
        rest = text[found[place].start :]
        counted = found[place].key in listed("two") and not _is_set_off(text, found[place])
        if _ends(found[place:]) and not counted and "?" not in rest[:-1] and not any(map(str.isdigit, rest)):
            return text[: found[place].start].rstrip(" ,;–-")
    return text


def _is_set_off(text: str, word: Word) -> bool:
    """Whether a sign stands before a word: “my pensions, both together” says nothing new, “what is it for both together” does."""
    return text[: word.start].rstrip().endswith((",", ";", ":", "-", "–"))


def _ends(found: tuple[Word, ...]) -> bool:
    """Whether words begin a reason, or are nothing but thanks and the like."""
    closes = tuple(word.key for word in found) in phrases("closings")
    return closes or any(_stands(found, 0, phrase) for phrase in phrases("reasons"))


def _stands(found: tuple[Word, ...], place: int, phrase: tuple[str, ...]) -> bool:
    return tuple(word.key for word in found[place : place + len(phrase)]) == phrase
