"""The parts that words play in a period phrase, and the one lexicon made of all languages' tables."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Any, TypeAlias

from ledger.stemming import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Role(Enum):
    """The part that a word or a fixed group of words can play; the comment says what its value is."""

    __hash__ = object.__hash__  # members are compared by identity; the inherited hash is a slow Python function

    MONTH = auto()  # 1..12
    WEEKDAY = auto()  # 0 = Monday
    WEEKDAYS = auto()  # tuple of weekdays: "weekends", "on Mondays"
    SEASON = auto()  # the month it begins in
    NAMED_DAY = auto()  # key of NAMED_DAYS
    UNIT = auto()  # Unit
    MONTH_PART = auto()  # (month, Unit): "Oktoberwoche"
    UNIT_PART = auto()  # (third, Unit): "Jahresanfang"
    MEASURED = auto()  # (count, Unit): "fortnight", "half a year"
    NEIGHBOUR = auto()  # (offset, Unit): "Vormonat", counted from the anchor
    SAME_LAST_YEAR = auto()  # Unit or None: "Vorjahresmonat"
    FIGURE = auto()  # a number in digits, or the apostrophe of a short year
    NUMBER = auto()  # int
    COUNT = auto()  # int of a vague number: "a few"
    ORDINAL = auto()  # 1..31
    THIRD = auto()  # 0 beginning, 1 middle, 2 end
    QUARTER_CODE = auto()  # "q" of "Q3"
    HALF_CODE = auto()  # "h" of "H1"
    WEEK_CODE = auto()  # "kw" of "KW 42"
    DAY = auto()  # offset from today
    DAYTIME = auto()
    NOW = auto()  # as the end of a range
    LAST = auto()  # how many units back
    PAST = auto()
    PREVIOUS = auto()
    THIS = auto()
    NEXT = auto()
    FOLLOWING = auto()
    SAME = auto()
    NEW = auto()  # "new", of a year that began of late
    BEGAN = auto()  # "since the tax year started": what a beginning is told with
    STRETCH = auto()  # "period", "time" after SAME
    FULL = auto()
    WHOLE = auto()
    AGO = auto()  # "ago" after the number
    AGO_FIRST = auto()  # "vor" before the number
    EARLIER = auto()  # sign: "earlier", "davor", "later"
    THAT = auto()
    TO_DATE = auto()  # Unit: "year to date"
    SO_FAR = auto()
    ALL_TIME = auto()  # False if it counts only as the entire text
    SINCE = auto()
    ONWARD = auto()
    UNTIL = auto()  # False if a bare number after it is rather an amount ("up to 2000")
    BEFORE = auto()
    AFTER = auto()
    FROM = auto()
    BETWEEN = auto()
    TO = auto()
    OR = auto()
    AND = auto()
    OF = auto()
    PREPOSITION = auto()  # True if it is about time alone ("during", "im")
    ARTICLE = auto()
    EVERY = auto()
    # What stands around a phrase, and speaks for or against it.
    LINK = auto()  # between members of a list: "and", "vs"
    COMPARE = auto()
    SHOW = auto()  # may stand before a bare "may": "show", "my"
    PRONOUN = auto()  # stands by "may" and "march" the verbs
    STOP = auto()  # words that can follow a finished phrase
    MONEY = auto()  # makes the number before it an amount
    AMOUNT = auto()  # makes the number after it an amount
    TOP = auto()  # makes the number after it a count
    BRAND = auto()  # a name that holds a period word
    GO_THROUGH = auto()  # verbs that "through" belongs to: "burn through", "went through"
    # What names a time that no calendar tells ("since I moved in").
    EVENT_CUE = auto()  # Behind: what must follow it
    EVENT = auto()  # "wedding", "Urlaub"
    EVENT_YEAR = auto()  # "school year": no calendar year, though one may stand before it
    EVENT_DAY = auto()  # "payday", "Geburtstag"; True if only behind "the" or "our": "on the trip", not "on holiday"
    VAGUE = auto()  # "recently", "neulich"
    DETERMINER = auto()  # "the", "meiner"
    PERSON = auto()  # "I", "wir"
    STATE = auto()  # verbs of being somewhere: "was", "wohnte"
    MONEY_NOUN = auto()  # after "after", makes it no time: "after tax", "nach der Miete"
    QUESTION = auto()  # begins another clause


class Behind(Enum):
    """What must stand behind a word such as "since" or "before" for both to name a time."""

    ANYTHING = auto()  # "since I moved in", "during the trip"
    CLAUSE = auto()  # the same, but not beside a period: "in October, while I was ill"
    STATE = auto()  # "when I was ill", not "when did I …"
    VERB_LAST = auto()  # "als ich krank war"
    NOUN = auto()  # "before the wedding", not "before tax"
    EVENT = auto()  # "over the holidays"
    DAY = auto()  # "on payday"


Table: TypeAlias = "Mapping[Role, Mapping[str, Any]]"
#: A value and the index of the token after the words that gave it.
Sense: TypeAlias = tuple[Any, int]

#: Months whose name or short form is also an everyday word or a person; they need company.
UNSURE_MONTHS = frozenset({"may", "march", "mar", "jan", "apr"})
#: Short weekdays need company too: "sat", "sun", "wed".
SHORT_WEEKDAYS = frozenset({"mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun"})


def same(words: str, value: Any = True) -> dict[str, Any]:
    """Return the words, parted by ``|``, each with the value."""
    return dict.fromkeys(words.split("|"), value)


def words_of(tables: Iterable[Table]) -> frozenset[str]:
    """Return the folded single words of a language's tables."""
    return frozenset(
        word
        for table in tables
        for entries in table.values()
        for text in entries
        for spelling in _spellings(text)
        for word in spelling.split()
    )


class Lexicon:
    """Looks up single words and groups of words of all languages at once."""

    def __init__(self, *tables: Table) -> None:
        """Merge the tables; a word may play many parts."""
        self.words: dict[str, dict[Role, Any]] = {}
        self.groups: dict[str, list[tuple[tuple[str, ...], Role, Any]]] = {}
        for table in tables:
            for role, entries in table.items():
                for text, value in entries.items():
                    for spelling in _spellings(text):
                        self._add(tuple(spelling.split()), role, value)

    def _add(self, words: tuple[str, ...], role: Role, value: Any) -> None:
        if len(words) == 1:
            self.words.setdefault(words[0], {})[role] = value
        else:
            self.groups.setdefault(words[0], []).append((words, role, value))


def _spellings(text: str) -> set[str]:
    """Return the folded text, with umlauts dropped ("marz") and written out ("maerz")."""
    written_out = text.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    return {fold(text), fold(written_out)}
