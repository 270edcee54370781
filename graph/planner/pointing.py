"""Words that point back: "that", "there", "them", "davon", and where the same words do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.planner.vocabulary import AFTER_PRONOUN, BEFORE_RELATIVE, BOTH, EXISTING, POINTERS, PURCHASE_NOUNS
from language import cues
from language.lexicon import listed
from language.reader import reader
from language.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graph.planner.asking import Asking
    from graph.planner.reading import Reading
    from language.words import Word
    from tools.slots.slot import Mention

_ARTICLES = listed("article_pronouns")
#: First words of a date behind "das" where it is no article ("wie viel war das dieses Jahr?").
_DATING = listed("dating")
_PARTS = listed("parts_of_it")
_WHOLES = frozenset({"that", "those", "these", "them", "it", "this"})
_OTHERS = listed("others")
_ALL = frozenset({"each", "all", "both", "either", "one", "two"})
#: Before "of it", these make no part: "leaving Costco out of it", "at the end of it".
_NO_PART = frozenset({"out", "end", "start", "beginning", "middle", "because"})
#: What a later word of the same sentence may point at.
_NAMING = frozenset({"category", "merchant", "account", "over", "under", "kind", "by"})
_OF_ONE = frozenset({"largest", "smallest", "last", "first"})
#: What says whose or which payment is meant: whoever asks, or a noun for one, but no word that stands for one of before.
_OWN = listed("whoever_asks") | (PURCHASE_NOUNS - POINTERS)
_PLACES = listed("pointed_places")
#: What stands behind "the same" where that is what was said before.
_GOES_ON = frozenset({"", "again", "for", "in", "but", "please", "as", "with", "at", "on"})
_DETERMINERS = listed("before_two")
_SHORTEST_NOUN = 3


def pointers(reading: Reading) -> Iterator[Word]:
    """Yield the words outside of mentions that point at something said before."""
    for place, word in enumerate(reading.words):
        if (
            word.key in POINTERS | _PARTS | BOTH | _OTHERS
            and mention_at(reading, word) is None
            and _points(reading, place)
        ):
            yield word


def points_back(reading: Reading) -> bool:
    """Whether anything in a reading points at something said before."""
    return any(True for _ in pointers(reading))


def one_of_a_time(reading: Reading) -> Mention | None:
    """Return the time by which one of the payments before is told ("the September one", "die vom September")."""
    for mention in reading.mentions:
        before = next((word.key for word in reversed(reading.words) if word.end <= mention.start), "")
        after = next((word.key for word in reading.words if word.start >= mention.end), "")
        alone = before in _ARTICLES and " " in mention.text and words(mention.text)[0].key not in _ARTICLES
        if mention.slot == "period" and (after in PURCHASE_NOUNS or alone):
            return mention
    return None


def points_outside(reading: Reading, those: frozenset[str] = frozenset()) -> bool:
    """Whether a reading points at something that it does not name itself ("the largest sum that left my account").

    With ``those``, whether one of these words does, in place of the words that point wherever they stand.
    """
    named = min((m.end for m in reading.mentions if m.slot in _NAMING or m.value in _OF_ONE), default=len(reading.text))
    pointing = [word for word in reading.words if word.key in those] if those else pointers(reading)
    return any(word.start < named or word.key in _PLACES for word in pointing)


def is_of_one_untold(asking: Asking) -> bool:
    """Whether one payment is asked for, and nothing says of what or whose ("when was the last one?", "wann kam das Geld?")."""
    reading, measure = asking.reading, asking.said("measure")
    single = measure in _OF_ONE or (measure is None and asking.act == "extreme")
    told = asking.named or asking.ruled_of or asking.says(cues.SALARY) or asking.says(cues.WAGES)
    others = any(mention.slot not in ("measure", "show") for mention in reading.mentions)
    return single and not (told or others or reading.has(_OWN))


def means_both(reading: Reading) -> bool:
    """Whether a reading speaks of two things of before: "the two", "beide", "compare them"."""
    keys = [word.key for word in pointers(reading)]
    return any(key in listed("two") for key in keys)


def takes_part(reading: Reading) -> bool:
    """Whether a reading asks for a part of what was answered: "how much of that …", "davon"."""
    for place, word in enumerate(reading.words):
        before = [other.key for other in reading.words[max(0, place - 2) : place]]
        of_it = before[-1:] == ["of"] and before[0] not in _ALL | _NO_PART and word.key in _WHOLES
        behind = mention_at(reading, reading.words[place + 1]) if of_it and place + 1 < len(reading.words) else None
        of_it = of_it and behind not in ("category", "merchant", "by")  # "of those Kroger runs"
        if mention_at(reading, word) is None and (word.key in _PARTS or of_it):
            return True
    return False


def mention_at(reading: Reading, word: Word) -> str | None:
    """Return the slot of the mention that a word belongs to."""
    return next((m.slot for m in reading.mentions if m.start <= word.start < m.end), None)


def _points(reading: Reading, place: int) -> bool:
    """Tell pointing words from articles, relative clauses, and "there is"."""
    keys = [word.key for word in reading.words]
    key, before, after = (
        keys[place],
        (keys[place - 1] if place else ""),
        (keys[place + 1] if place + 1 < len(keys) else ""),
    )
    known = {
        "there": before not in EXISTING and after not in EXISTING,
        "that": not (after and _opens_a_clause(reading, place, before)),
        **dict.fromkeys(  # "the two", not "two coffees"
            listed("number_two"), before in _DETERMINERS | _WHOLES and not _is_named(reading, place + 1)
        ),
        "these": after != "days",  # "these days" is now
        "both": after not in listed("possessives"),  # "both our jobs" are those that we have
        **dict.fromkeys(  # as are “meine beiden Renten”
            BOTH - {"both"},
            before not in listed("possessives") and after not in listed("money") and not _is_named(reading, place + 1),
        ),
        "same": after in _GOES_ON,  # "the same shop" is no shop of before
        "one": _is_one_of_before(reading, place) and (before not in {"", "in", "on", "for"} or not after),
        **dict.fromkeys(
            _ARTICLES,
            not _is_sized(reading, place)
            and (not after or after in AFTER_PRONOUN or after.isdigit() or after in _DATING),
        ),
        **dict.fromkeys(_OTHERS, before in listed("articles")),
    }
    return known.get({"ones": "one"}.get(key, key), True)


def _opens_a_clause(reading: Reading, place: int, before: str) -> bool:
    """Whether "that" is an article, or begins a clause, and so points at nothing said before."""
    relative = before in BEFORE_RELATIVE or _is_named(reading, place - 1)
    return relative or _is_sized(reading, place) or _is_noun_of_its_own(reading, place + 1)


def _is_noun_of_its_own(reading: Reading, place: int) -> bool:
    """Whether a word that nobody knows stands at the place, so that "that" is its article ("who paid me for that decking")."""
    word = reading.words[place]
    return mention_at(reading, word) is None and len(word.key) > _SHORTEST_NOUN and not reader().is_read(word.key)


def _is_named(reading: Reading, place: int) -> bool:
    """Whether a word belongs to a name, a date, or a noun for purchases."""
    if not 0 <= place < len(reading.words):
        return False
    return mention_at(reading, reading.words[place]) in ("category", "merchant", "account", "period", "by", "kind")


def _is_sized(reading: Reading, place: int) -> bool:
    """Whether a word stands before an amount, which tells what it means ("that 9.99 charge")."""
    return place + 1 < len(reading.words) and mention_at(reading, reading.words[place + 1]) in ("over", "under")


def _is_one_of_before(reading: Reading, place: int) -> bool:
    """Whether "one" stands for what was asked before, and not for "month" in "which month was my dearest one"."""
    return not any(m.slot == "by" and m.end <= reading.words[place].start for m in reading.mentions)
