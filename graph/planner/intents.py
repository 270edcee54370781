"""What a sentence asks for: the built-in tool that its cues and mentions name, and how sure that is.

A sentence is taken apart twice. The slots find *what it is about* (a category, a shop, a period); the cues find *what it
wants to know* (a total, the largest, a list). Together they leave few words over, and those decide how sure one can be: a
word in the place of a subject that nobody knows ("for the cabin") narrows the question in a way that would be lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.planner.cues import FILLERS, NUMBERS, ORDERS, OTHERS, cues_of, near_cue
from graph.planner.vocabulary import FUNCTION_WORDS, PURCHASE_NOUNS
from language.words import fold
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from graph.planner.reading import Reading
    from language.words import Word

CATEGORY, MERCHANT, SUMMARY = (
    "spending-analyze_by_category",
    "spending-analyze_merchant",
    "spending-get_spending_summary",
)
EXTREMES, COMPARE, INCOME = "spending-extremes", "spending-compare", "income-summary"
LIST, SEARCH, STATUS = "transactions-list", "transactions-search_transactions", "ledger-status"
#: The tools that cues can name; every other one is found by its examples.
BY_CUES = frozenset({CATEGORY, MERCHANT, SUMMARY, EXTREMES, COMPARE, INCOME, LIST, SEARCH, STATUS})

#: Words before which a subject stands.
_BEFORE_SUBJECT = frozenset(
    "on at for from by with to of my our the a an any named called about via fur bei beim von vom mit an "
    "am zu zum zur der die das "
    "den dem ein eine einen meine meinen meiner unsere ubers uber aufs auf furs fuer ueber".split()
)
_GERMAN = frozenset("ich wie viel habe hab was im bei und mein meine der die das fur im am vom zeig gib".split())
_SUMS = frozenset(
    "much total sum viel wieviel summe insgesamt add cost spend spent pay paid gezahlt bezahlt ausgegeben gekostet".split()
)
_JOINERS = frozenset({"and", "or", "und", "oder", "plus"})
_FIRST_PERSON = frozenset("i ive im id ill me we us ich mir mich wir uns".split())
_NETTED = frozenset("after of including minus less nach abzuglich inklusive".split())
#: Slots whose words are no cues: "Total Wine" is a shop, "more than 50" an amount.
_NAMED = frozenset({"category", "merchant", "account", "over", "under", "period"})
_KINDS = frozenset({"refund", "fee", "interest", "transfer", "card_payment", "cash", "loan_payment", "income"})


@dataclass(frozen=True, slots=True)
class Intent:
    """A tool and how sure it is (0 to 1); ``unknown`` are the words that nothing explains where a subject would stand."""

    tool: str
    sure: float
    unknown: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Wants:
    """A reading with its cues, and the words that neither slots nor cues explain."""

    reading: Reading
    cues: frozenset[str]
    left: tuple[Word, ...]

    def names(self, slot: str) -> int:
        """Return how many names of a slot the sentence holds."""
        return sum(len(names_of(mention.value)) or 1 for mention in self.reading.of(slot))

    def value(self, slot: str) -> str | None:
        """Return the first value of a slot."""
        found = self.reading.of(slot)
        return str(found[0].value) if found else None

    @property
    def told(self) -> bool:
        """Whether any word says what it wants to know."""
        cues = self.cues & {"spent", "income", "list", "search", "in the text", "status", "compare", "changed"}
        return bool(cues) or any(self.reading.of(slot) for slot in ("measure", "per", "show", "kind"))

    @property
    def subject(self) -> bool:
        """Whether it names what it is about."""
        return any(self.reading.of(slot) for slot in ("category", "merchant", "account"))


def wants_of(reading: Reading) -> Wants:
    """Return what a reading wants to know."""
    named = [mention for mention in reading.mentions if mention.slot in _NAMED]
    outside = [word for word in reading.words if not any(m.start <= word.start < m.end for m in named)]
    cues, explained = cues_of(outside)
    left = tuple(
        word
        for word in reading.residue
        if word.start not in explained
        and word.key not in FILLERS | NUMBERS
        and (len(word.key) > 2 or not word.key.isalpha() or _is_initials(word, reading))
        and not (word.key in PURCHASE_NOUNS and _behind_name(word, reading))
    )
    if any(reading.of(slot) for slot in ("category", "merchant")):  # what is misspelt beside a name narrows nothing
        slips = {word: cue for word in left if (cue := near_cue(word.key)) is not None}
        if len(slips) > 1 or any(
            mention.score < 1 for mention in reading.mentions
        ):  # one alone may be a word of its own
            return Wants(reading, cues | set(slips.values()), tuple(word for word in left if word not in slips))
    return Wants(reading, cues, left)


def _is_initials(word: Word, reading: Reading) -> bool:
    """Whether a word of two letters is written like a name ("EE") in a sentence that does not shout."""
    return reading.text[word.start : word.end].isupper() and not reading.text.isupper()


def _behind_name(word: Word, reading: Reading) -> bool:
    """Whether a word stands right behind a name ("my Uber rides"): what was bought there, not something else."""
    names = [m for m in reading.mentions if m.slot in ("category", "merchant")]
    return any(not reading.text[mention.end : word.start].strip() for mention in names if mention.end <= word.start)


def intent_of(reading: Reading, tools: Collection[str]) -> Intent | None:
    """Return the built-in tool that a sentence's cues and mentions name, or None where they name none."""
    wants = wants_of(reading)
    if "advice" in wants.cues:
        return None
    tool = _tool(wants)
    if tool is None or tool not in tools:
        return None
    return Intent(tool, _sureness(wants, tool), unknown_subject(wants))


def _tool(wants: Wants) -> str | None:
    """Return the tool, by the most telling cue first."""
    return _about_ledger(wants) or _of_movements(wants) or _of_spending(wants)


def _about_ledger(wants: Wants) -> str | None:
    """Return the tool for questions about the data itself, and for words that are to be looked for."""
    cues = wants.cues
    about = wants.subject or wants.reading.of("period") or wants.reading.of("show")
    asks_data = "status" in cues and not about and not cues & {"spent", "income", "search"}
    if asks_data and wants.value("measure") in (None, "count", "first", "last"):
        return STATUS
    return SEARCH if cues & {"search", "in the text"} else None


def _of_movements(wants: Wants) -> str | None:
    """Return the tool for income, for what was left, and for kinds of movement."""
    cues, kind = wants.cues, _kind(wants.reading)
    if kind in _KINDS and not (kind == "income" and wants.value("show")):
        return LIST
    if wants.value("show") == "left" and not wants.reading.of("category"):
        return INCOME
    made = (
        wants.value("measure")
        or wants.value("by") == "purchase"
        or wants.reading.of("over")
        or wants.reading.of("under")
    )
    if "income" in cues and not wants.reading.of("category") and not made:
        return INCOME
    return None


def _kind(reading: Reading) -> str | None:
    """Return the kind of movement asked about; "after returns", "net of refunds" only say what a total is anyway."""
    for mention in reading.of("kind"):
        before = [word.key for word in reading.words if word.end <= mention.start]
        if not before or before[-1] not in _NETTED:
            return str(mention.value)
    return None


def _of_spending(wants: Wants) -> str | None:
    """Return the tool for spending: a comparison, an extreme, a list, or a total of the subject."""
    measure, reading = wants.value("measure"), wants.reading
    sides = max(wants.names("category"), wants.names("merchant"))
    against = _compares(wants, sides)
    counted = measure is not None and not (measure == "average" and reading.of("per"))
    if "changed" in wants.cues and against:
        return COMPARE
    if counted and measure != "top":
        return None if against else EXTREMES  # which of two is *more often*, nothing here tells
    if against:
        return COMPARE
    ranked = wants.value("by") in ("merchant", "category", "month", "day") and "each" not in wants.cues
    if counted or (ranked and "compare" in wants.cues and not wants.subject):
        return EXTREMES
    return LIST if _lists(wants) else _total(reading, wants)


def _lists(wants: Wants) -> bool:
    """Whether the movements themselves are asked for, rather than their sum."""
    bounded = wants.reading.of("over") or wants.reading.of("under")
    if "list" in wants.cues and ("spent" not in wants.cues or bounded or "rows" in wants.cues):
        return True
    return bool(bounded) and not any(word.key in _SUMS for word in wants.reading.words)


def _total(reading: Reading, wants: Wants) -> str | None:
    if reading.of("category"):
        return CATEGORY
    if reading.of("merchant"):
        return MERCHANT
    if reading.of("period") or reading.of("account") or "spent" in wants.cues or reading.of("per"):
        return SUMMARY
    return None


def _compares(wants: Wants, sides: int) -> bool:
    """Whether two things of a kind are set against each other, rather than added up."""
    periods = len(wants.reading.of("period"))
    if "each" in wants.cues and (sides > 1 or periods > 1):
        return True
    if "together" in wants.cues and "compare" not in wants.cues:
        return False
    if "changed" in wants.cues and (periods or sides > 1):
        return True
    against = "compare" in wants.cues or {"or", "more"} <= wants.cues
    return (against and (periods > 0 or sides > 1)) or (periods > 1 and not adjoining(wants.reading))


def adjoining(reading: Reading) -> bool:
    """Whether periods follow each other without a gap, so that together they are one.

    "May and June" is one, "in May and in June" is two.
    """
    first, *others = reading.of("period")
    ends = first.value.end
    for other in others:
        apart = fold(other.text).startswith(("in ", "im ", "during ", "fur "))
        if apart or (other.value.start - ends).days != 1:
            return False
        ends = other.value.end
    return True


def _sureness(wants: Wants, tool: str) -> float:
    """Return how likely the tool is right: full cues and a subject speak for it, unexplained words against it."""
    told = wants.told
    fragment = wants.subject or bool(wants.reading.of("period"))
    sure = 0.95 if told and fragment else 0.85 if told else 0.7
    if tool == SEARCH:
        return sure
    unknown = len(unknown_subject(wants))
    named = wants.subject or _kind(wants.reading) in _KINDS or tool in (STATUS, INCOME)
    each_left = (0.08 if told else 0.25) if named else 0.5  # without a name, any unknown word may be the subject
    return max(0.0, sure - 0.5 * min(unknown, 2) - each_left * (len(wants.left) - unknown))


def unknown_subject(wants: Wants) -> tuple[Word, ...]:
    """Return the unexplained words that stand where a subject would, unless a name follows that they belong to."""
    return tuple(word for word in wants.left if _in_subject_place(word, wants.reading))


def _writes_capitals(reading: Reading) -> bool:
    """Whether capitals say nothing: the text shouts, or is German, where every noun has one."""
    return reading.text.isupper() or any(word.key in _GERMAN for word in reading.words)


def orders(reading: Reading) -> bool:
    """Whether a sentence tells us to move money or change data, rather than asking about them."""
    first = next(
        (word.key for word in reading.words if word.key not in FILLERS | {"please", "can", "you", "kannst", "du"}), ""
    )
    return first in ORDERS and not reading.text.rstrip().endswith("?")


def _joined_to_name(reading: Reading, place: int) -> bool:
    """Whether a word is a second subject beside one that is known ("groceries and zorbs")."""
    if place < 2 or reading.words[place - 1].key not in _JOINERS:
        return False
    start = reading.words[place - 2].start
    return any(m.slot in ("category", "merchant") and m.start <= start < m.end for m in reading.mentions)


def about_others(reading: Reading) -> bool:
    """Whether a sentence asks about somebody else's money: it names them, and no first person."""
    keys = {word.key for word in reading.words}
    return bool(keys & OTHERS) and not keys & _FIRST_PERSON


def _in_subject_place(word: Word, reading: Reading) -> bool:
    place = reading.words.index(word)
    following = reading.words[place + 1] if place + 1 < len(reading.words) else None
    names = [mention for mention in reading.mentions if mention.slot in ("category", "merchant", "account")]
    if following is not None and any(mention.start <= following.start < mention.end for mention in names):
        return False  # "for the dreaded rent": the word belongs to the name behind it
    capital = reading.text[word.start : word.start + 1].isupper() and place > 0 and not _writes_capitals(reading)
    before = [other.key for other in reading.words[max(0, place - 2) : place]]
    cued = bool(before) and (before[-1] in _BEFORE_SUBJECT or _joined_to_name(reading, place))
    return cued or (capital and word.key not in FUNCTION_WORDS)
