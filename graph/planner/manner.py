"""How a message stands to the one before it: the signs of a follow-up, and those of a question of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from graph.planner.intents import wants_of
from graph.planner.pointing import means_both, mention_at, pointers, takes_part
from graph.planner.vocabulary import (
    ADDERS,
    AMOUNT_WORDS,
    BOTH,
    COMPARISONS,
    CORRECTIONS,
    EDITS,
    GLUE,
    INSTEAD,
    INTERJECTIONS,
    MORE,
    NARROWERS,
    OPENERS,
    PURCHASE_NOUNS,
    WIDENERS,
)
from language.words import fold, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.planner.reading import Reading
    from graph.turn import PastTurn
    from language.words import Word

#: What a clause before the last one is called among the turns: it was planned, and not answered yet.
CLAUSE = "clause"
#: First words of a question or an order; with a verb of money they make a whole question.
_ASKING = frozenset(
    "how what whats which when where who did do does is are was were show list give tell find compare wie was welche welcher "
    "welches welchem welchen wann wo wer wofur habe hab zeig zeige gib nenne liste vergleiche vergleich".split()
)
_NOT = frozenset({"not", "nicht", "no"})
_WHICH_ONES = frozenset("which show list welche welches welcher zeig zeige".split())
#: Nouns that mean purchases of any kind, though one of a category can be meant by them too.
_GENERIC = frozenset(
    "purchase purchases payment payments transaction transactions order orders charge charges posten betrag betrage einkauf "
    "einkaufe kauf kaufe bestellung bestellungen zahlung zahlungen buchung buchungen abbuchung abbuchungen ausgabe ausgaben one "
    "ones".split()
)
_JOINERS = frozenset({"and", "und", "but", "aber", "also", "then", "dann", "now", "so", "auch"})
_WHICH = frozenset("which where wheres welche welcher welches welchem wo wer who".split())
_MINE = frozenset("my mine our mein meine meinen meinem meiner meines unser unsere".split())
_ME = frozenset("i ive im me we us ich mich mir wir uns".split()) | _MINE
_FRAGMENT_SLOTS = frozenset({"period", "category", "merchant", "account", "per", "over", "under", "by", "kind"})
#: Words that may stand behind a fragment ("with rent again", "Costco as well").
_TRAILING = frozenset(
    "again wieder as well then dann now jetzt though doch mal noch einmal nochmal bitte mit and und".split()
)
#: Words that say nothing new in a follow-up ("left after spending", "nicht Lidl, sondern Aldi").
_SMALL = frozenset({"after", "sondern", "rather", "than", "anstelle"})
_SPENDING = frozenset({"spending", "expenses", "ausgaben"})
_MOST = frozenset({"most", "least", "meisten", "wenigsten"})
WHEN_WHERE = frozenset({"when", "where", "wann", "wo", "who", "wer"})
_TIMES = frozenset({"first", "last", "how_often"})
#: Cues of questions that are about no transactions, or about words to be looked for.
_ELSEWHERE = frozenset({"status", "advice", "search", "in the text"})
LONGEST_EDIT = 12
_SHORT = 4
_BRIEF = 6


@dataclass(frozen=True, slots=True)
class Manner:
    """How a message stands to the one before it: the signs of a follow-up, and those of a question of its own."""

    keys: tuple[str, ...]
    """Its words as they are compared, without what is only said before it ("hmm ok")."""
    cues: frozenset[str]
    left: tuple[Word, ...]
    """The words that nothing explains."""
    signs: frozenset[str]
    """A change: ``opens``, ``corrects``, ``narrows``, ``adds``, ``excludes``, ``widens``, ``sums``, ``fragment``, ``bare`` (a
    measure of nothing), ``brief`` (no period). A pointer: ``points``, ``part``, ``both``, ``compares``, ``rivals``, ``rows``. On
    its own: ``whole``, ``elsewhere``, and what it names: ``subject``, ``spending`` (whatever for), ``period``, ``sides``."""

    def has(self, *signs: str) -> bool:
        """Whether it has any of these signs."""
        return not self.signs.isdisjoint(signs)


def manner_of(reading: Reading, past: Sequence[PastTurn] = ()) -> Manner:
    """Return the signs by which a text is told to be a follow-up or a question of its own."""
    reading = without_nouns(reading)
    wants = wants_of(reading)
    told = _Told(reading, _without_interjections(reading), wants.cues, {word.start for word in pointers(reading)})
    joined = bool(past) and past[-1].kind == CLAUSE
    signs = {**_signs_of_change(told), **_signs_of_pointing(told), **_signs_of_its_own(told)}
    signs["opens"] = signs["opens"] or joined
    signs["both"] = signs["both"] or (signs["compares"] and bool(BOTH & told.pointing_keys))
    signs["content"] = bool(reading.mentions) or bool(wants.cues - {"each"}) or _told_by_lead(signs, told.keys)
    known = (
        INTERJECTIONS | PURCHASE_NOUNS | MORE | _SMALL | {key for phrase in (*CORRECTIONS, *OPENERS) for key in phrase}
    )
    left = tuple(word for word in wants.left if word.key not in known and word.start not in told.pointing)
    return Manner(told.keys, wants.cues, left, frozenset(sign for sign, there in signs.items() if there))


def without_nouns(reading: Reading) -> Reading:
    """Return a reading in which "Einkäufe" or "orders" is no category: after a question they only mean its purchases."""
    mentions = tuple(
        mention
        for mention in reading.mentions
        if mention.slot != "category" or mention.excluded or not {word.key for word in words(mention.text)} <= _GENERIC
    )
    return reading if len(mentions) == len(reading.mentions) else replace(reading, mentions=mentions)


@dataclass(frozen=True, slots=True)
class _Told:
    """A text as the signs are read from it: its words, its cues, and where the words stand that point back."""

    reading: Reading
    words: tuple[Word, ...]
    cues: frozenset[str]
    pointing: set[int]

    @property
    def keys(self) -> tuple[str, ...]:
        """The words as they are compared."""
        return tuple(word.key for word in self.words)

    @property
    def outside(self) -> list[str]:
        """The words that belong to no name, date or measure."""
        return [word.key for word in self.words if mention_at(self.reading, word) is None]

    @property
    def pointing_keys(self) -> set[str]:
        """The words that point back."""
        return {word.key for word in self.reading.words if word.start in self.pointing}


def _signs_of_change(told: _Told) -> dict[str, bool]:
    keys, outside = told.keys, set(told.outside)
    asks = bool(keys) and keys[0] in _ASKING
    return {
        "opens": _starts(keys, OPENERS),
        "corrects": _corrects(told),
        "narrows": bool(NARROWERS & set(keys[: 1 if asks else 3])),
        "adds": bool(ADDERS & outside) and not _excludes_only(told.reading),
        "excludes": _excludes_only(told.reading),
        "widens": _widens(keys) and not told.pointing,
        "sums": _sums_up(told),
        "brief": _is_brief(told),
        "fragment": _is_fragment(told.reading, told.outside),
        "bare": _is_bare(told.reading, told.outside),
    }


def _signs_of_pointing(told: _Told) -> dict[str, bool]:
    reading = told.reading
    return {
        "points": bool(told.pointing),
        "part": takes_part(reading),
        "both": means_both(reading),
        "compares": reading.has(COMPARISONS) or _sets_against(reading, told.cues),
        "rivals": _rivals(reading, told.keys),
        "rows": bool(told.pointing) and bool(told.keys) and told.keys[0] in _WHICH_ONES,
    }


def _signs_of_its_own(told: _Told) -> dict[str, bool]:
    reading = told.reading
    asked_for = bool(told.cues & {"spent", "income", "list"})
    asks = _asks(told.keys)
    mine = bool(_MINE & set(told.outside)) and (asked_for or bool(reading.of("measure")))
    named = bool(reading.of("category") or reading.of("merchant"))
    return {
        "whole": (asks and asked_for) or mine,
        "subject": _own_subject(reading),
        "period": bool(reading.of("period")),
        "spending": "spent" in told.cues or bool(_GENERIC & set(told.keys)) or bool(reading.of("measure")),
        "sides": any(len(reading.of(slot)) > 1 for slot in ("category", "merchant", "period")),
        "elsewhere": bool(told.cues & _ELSEWHERE) and not named,
    }


def _without_interjections(reading: Reading) -> tuple[Word, ...]:
    start = 0
    while start < len(reading.words) - 1 and reading.words[start].key in INTERJECTIONS:
        start += 1
    return reading.words[start:]


def _starts(keys: Sequence[str], phrases: Sequence[tuple[str, ...]]) -> bool:
    return any(tuple(keys[: len(phrase)]) == phrase for phrase in phrases)


def _corrects(told: _Told) -> bool:
    """Whether a text takes something back; "no groceries" without a stop could as well leave them out."""
    keys = told.keys
    if INSTEAD & set(told.outside):
        return True
    if keys[0] in _NOT and any(mention.excluded for mention in told.reading.mentions) and _own_subject(told.reading):
        return True
    if not _starts(keys, CORRECTIONS):
        return False
    if keys[0] != "no" or len(keys) == 1:
        return True
    return _starts(keys[1:], CORRECTIONS) or not told.reading.text[told.words[0].end : told.words[1].start].isspace()


def _excludes_only(reading: Reading) -> bool:
    """Whether a text does nothing but leave something out."""
    return any(mention.excluded for mention in reading.mentions) and not _own_subject(reading)


def _widens(keys: Sequence[str]) -> bool:
    return len(keys) <= LONGEST_EDIT and any(
        tuple(keys[i : i + len(phrase)]) == phrase for phrase in WIDENERS for i in range(len(keys))
    )


def _told_by_lead(signs: dict[str, bool], keys: Sequence[str]) -> bool:
    """Whether a text without any name or measure asks something of what was answered: the rows, the greater one, the day."""
    return signs["rows"] or signs["rivals"] or (signs["points"] and bool(WHEN_WHERE & set(keys[:1])))


def _sums_up(told: _Told) -> bool:
    """Whether a text asks for the sum of what was answered and no more ("how much in total?")."""
    keys = set(told.keys)
    named = any(mention.slot != "operation" for mention in told.reading.mentions) or bool((_ME | _SPENDING) & keys)
    return bool(AMOUNT_WORDS & keys) and len(told.keys) <= _SHORT and not named


def _is_brief(told: _Told) -> bool:
    """Whether a text asks "how much was X?" and no more, which takes its period from the question before."""
    keys = [key for key in told.keys if key not in _JOINERS]
    leads = (("how", "much"), ("what", "was"), ("what", "were"), ("wie", "viel"), ("was", "war"), ("was", "waren"))
    named = _own_subject(told.reading) and not told.reading.of("period")
    return named and tuple(keys[:2]) in leads and len(keys) <= _BRIEF and not _ME & set(told.outside)


def _asks(keys: Sequence[str]) -> bool:
    """Whether a text begins like a question or an order, whatever is said before it ("no wait, just tell me …")."""
    before = _JOINERS | NARROWERS | {phrase[0] for phrase in CORRECTIONS if len(phrase) == 1}
    first = next((key for key in keys if key not in before), "")
    return first in _ASKING


def _sets_against(reading: Reading, cues: frozenset[str]) -> bool:
    """Whether one thing is set against what stands: "is that more than last year?", "mehr als im Vorjahr?"."""
    return "compare" in cues and reading.has({"more", "less", "mehr", "weniger", "than", "als", "compare", "vergleich"})


def _rivals(reading: Reading, keys: Sequence[str]) -> bool:
    """Whether a text asks which of the things before was more ("which one was cheaper?", "wo mehr?")."""
    asked = next((key for key in keys if key not in _JOINERS), "")
    ranked = [
        mention for mention in reading.of("by") if mention.value != "purchase" and fold(mention.text) not in _WHICH
    ]
    compared = bool((MORE - _MOST) & set(keys))
    named = _own_subject(reading) or bool(reading.of("measure")) or bool(ranked and not compared)
    return asked in _WHICH and bool(MORE & set(keys)) and not named


def _own_subject(reading: Reading) -> bool:
    return any(reading.of(slot) for slot in ("category", "merchant")) or any(
        mention.value not in ("purchase", "refund") for mention in reading.of("kind")
    )


def _is_fragment(reading: Reading, outside: Sequence[str]) -> bool:
    """Whether a text holds names and dates alone, with what stands around them."""
    telling = [mention for mention in reading.mentions if mention.slot in _FRAGMENT_SLOTS]
    if not telling or len(telling) < len(reading.mentions):
        return False
    return all(key in GLUE | EDITS | PURCHASE_NOUNS | _TRAILING for key in outside)


def _is_bare(reading: Reading, outside: Sequence[str]) -> bool:
    """Whether a text asks for a measure and names nothing that it is one of ("which was the cheapest?", "wann zuletzt?")."""
    measures = [mention.value for slot in ("measure", "per", "show") for mention in reading.of(slot)]
    if not measures or _own_subject(reading) or reading.of("period") or len(reading.words) > LONGEST_EDIT:
        return False
    if _MINE & set(outside):
        return False
    return bool(_TIMES & set(measures)) or not _ME & set(outside)
