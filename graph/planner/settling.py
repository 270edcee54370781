"""Whether the reader is heard: what has no answer here, and the words that speak against what it takes a sentence for."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from graph.planner.asking import is_shop, pattern_of
from graph.planner.balances import is_beyond_balances
from graph.planner.nearest import nearest
from graph.planner.plan import Plan
from graph.planner.pointing import takes_part
from graph.planner.understanding import is_regular
from graph.planner.vocabulary import FUTURE
from language import cues
from language.lexicon import holds, listed, phrases
from language.reader import reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.planner.asking import Asking
    from graph.planner.reading import Reading
    from graph.turn import PastTurn
    from tools.registry import Tool

#: What is said of acts that nothing here answers.
MISSING = {
    "balance": "Your files state no balance, so I know what was booked, not what is in an account or owed. "
    "A file with balances (OFX, MT940, CAMT, or a CSV with a balance column) would tell.",
    "budget": "I keep no budgets and no limits yet.",
    "forecast": "I know only what is booked, nothing of the future.",
    "advice": "I give no advice; I only tell what is in your ledger.",
    "others": "I know only your own money.",
    "quickentry": "I write a payment down if you tell it in one sentence, such as “spent 12.50 on lunch yesterday”.",
    "order": "I only answer questions; I can't move money, cancel anything or remind you.",
    "unrelated": "That is not something I can tell from your ledger.",
    "detail": "Your bank's files don't tell that: they hold the day, the amount and who was paid.",
}
_BEYOND = (
    "I know what is in the accounts that you imported and owed on them; no limits, and nothing that is owed elsewhere."
)
#: Acts whose plans are made by likeness to examples of other tools, or that are no question.
THEIRS = frozenset("edit calc help smalltalk settings notes categorise manage explain same".split())
#: Acts that need no subject.
_RANKING = frozenset({"rank", "duplicates", "unusual", "recurring", "ended"})
#: Acts that few words ask for, whatever else is said.
_TELLING = frozenset(
    "level level_change recurring next ended duplicates unusual no_spend savings_rate leftover meta".split()
)
#: Acts that know of what is to come.
_OF_COMING = frozenset({"next", "level", "recurring"})
#: Money that is of so many things that one of them may be what is asked about.
_OF_ANYTHING = frozenset({"spending", "income", "salary", "left", "all"})
#: Acts that may be of a time to come.
_OF_LATER = frozenset({"next", "forecast", "level"})
_HOW_MANY = phrases("how_many")
#: So many words may be told as not taken into account where the reader is fairly sure of the act, and one where it is less.
_MOST_UNREAD, _MOST_BESIDE_A_NAME, _FAIRLY = 2, 4, 0.75
#: From which probability on an act is taken: one that has no answer, such a one though something is named, one about what
#: is named whose words are all read, one whose words are all known, one with words left over, one with many of them.
_REFUSED, _REFUSED_THOUGH_NAMED, _NAMED, _READ, _LEADING, _CERTAIN = 0.6, 0.85, 0.4, 0.5, 0.5, 0.9
#: From which an act that no word speaks against needs no other to speak for it.
ENOUGH = max(_NAMED, _READ, _LEADING)
_PERHAPS = 0.1
#: From here on what has no answer is refused where nothing else can be made of a sentence.
_MAYBE_REFUSED = 0.4


def refusal(asking: Asking) -> Plan | None:
    """Return the refusal of what has no answer here, by what is missing."""
    told = asking.told["act"]
    missing = _said_to_be_missing(asking)
    if missing is not None:
        return Plan("none", confidence=_LEADING, question=MISSING[missing], choices=nearest(missing))
    if _is_refused(asking):
        question = _BEYOND if _is_beyond(asking) else MISSING[asking.act]
        return Plan("none", confidence=told.sure, question=question, choices=nearest(asking.act))
    return None


def is_missing(act: str, asking: Asking) -> bool:
    """Whether nothing here answers an act; a balance is known where files state one."""
    return act in MISSING and not (act == "balance" and asking.context.vocabulary.balanced)


def has_no_answer(asking: Asking, *, leans: bool) -> bool:
    """Whether what is asked has no answer here; not so what may only lean on something that was not said."""
    told = asking.told["act"]
    if not is_missing(told.best, asking) or (asking.named and told.sure < _MAYBE_REFUSED):
        return False
    return not (leans and told.best == "detail" and told.sure < _MAYBE_REFUSED)


def _is_beyond(asking: Asking) -> bool:
    """Whether a balance is asked about of which no file tells, though they state others."""
    if asking.act != "balance" or not asking.context.vocabulary.balanced:
        return False
    return (asking.act_is is not None or asking.told["act"].sure >= _REFUSED) and is_beyond_balances(asking)


def _said_to_be_missing(asking: Asking) -> str | None:
    """Return what a sentence asks for in so many words that has no answer here."""
    told = asking.told["act"].best
    said = {
        "forecast": asks_of_what_is_to_come(asking) or ("balance" in (told, asking.act) and asking.says(cues.WILL_BE)),
        "others": asking.says(cues.THEIR_PAY) or asking.says(cues.THEIR_MONEY),
        "advice": asking.says(cues.ADVISED),
        "order": _orders(asking) or asking.says(cues.ORDERED),
        "detail": _asks_of_items(asking),
    }
    return next((missing for missing, holds_true in said.items() if holds_true), None)


def asks_of_what_is_to_come(asking: Asking) -> bool:
    """Whether it is asked what will be, whether something will cost more, or what is yet to be paid on top."""
    told, reading = asking.told["act"].best, asking.reading
    later = bool(asking.periods) and all(period.start > asking.context.today for period in asking.periods)
    later = later or any(word.key in FUTURE for word in reading.residue)
    later = later or (reading.has(FUTURE) and told in _OF_LATER)
    dearer = later and (asking.says(cues.MORE) or asking.says(cues.REPRICED))
    of_nothing_regular = bool(asking.named or asking.unknown) and not is_regular(asking)
    to_come = (told not in _OF_COMING or of_nothing_regular) and holds("to_come", reading.words)
    return dearer or to_come or asking.says(cues.YET_TO_PAY)


def _orders(asking: Asking) -> bool:
    """Whether a sentence begins as an order to move money or to change data does, and is no question."""
    first = asking.reading.words[0].key if asking.reading.words else ""
    ordered = first in listed("ordering") and not asking.reading.text.rstrip().endswith("?")
    return ordered and asking.told["act"].of("order") >= _PERHAPS


def is_heard(asking: Asking, sure: float) -> bool:
    """Whether the reader is sure enough of what is meant, for the words that nobody knows, and no word speaks against it."""
    told = asking.told["act"]
    if told.best in THEIRS or is_missing(told.best, asking) or _is_doubtful(asking) or _is_of_something_else(asking):
        return False
    if len(asking.unread) > _most_unread(asking):
        return False
    if not asking.unknown or asking.act in _TELLING:
        told_of = asking.named or bool(asking.periods)
        return sure >= (_NAMED if told_of and not asking.unread else _READ)
    return sure >= _LEADING and _is_placed(asking)


def _most_unread(asking: Asking) -> int:
    """Return how many words may be told as not taken into account: more where it is certain what is asked of what."""
    sure = asking.told["act"].sure
    if sure >= _CERTAIN and asking.has("merchant"):
        return _MOST_BESIDE_A_NAME
    return _MOST_UNREAD if sure >= _FAIRLY else _MOST_UNREAD - 1


def _is_of_something_else(asking: Asking) -> bool:
    """Whether a word names a shop that the ledger has not, or a bill that nobody knows ("when does the dance money go out?")."""
    shop = not asking.sought and any(is_shop(asking, word) for word in asking.unknown)
    return shop or (asking.act == "next" and bool(asking.unread) and not asking.named)


def _is_placed(asking: Asking) -> bool:
    """Whether it is told what is asked about, so that a word that nobody knows need not be the subject."""
    compared = asking.act in ("compare", "change") and len(asking.periods) > 1 and not asking.unknown
    of_its_own = asking.of == "salary" or (
        asking.of not in _OF_ANYTHING and (asking.ruled_of is not None or asking.of in ("savings", "savings_back"))
    )
    ranked = asking.act in _RANKING and not asking.unknown
    return asking.named or of_its_own or ranked or compared


def _is_doubtful(asking: Asking) -> bool:
    """Whether the words speak against the reader: they point at nothing, or name what nobody knows beside a name."""
    dangles = asking.dangles and (not asking.named or asking.act == "share")  # "what did I spend there?"
    nothing = asking.joins and not asking.named and not asking.periods
    narrowed = asking.named and names_place(asking, *(() if asking.has("merchant") else ("in_place",)))
    unknown = _joins_unknown(asking) or narrowed
    return dangles or nothing or unknown or takes_part(asking.reading)


def _joins_unknown(asking: Asking) -> bool:
    """Whether a word that nobody knows is joined to a name, and so is a second one ("groceries and zorbs")."""
    left = {word.start for word in asking.unknown}
    ends = {mention.end for mention in asking.reading.mentions if mention.slot in ("category", "merchant")}
    words = asking.reading.words
    starts = {mention.start for mention in asking.reading.mentions if mention.slot in ("category", "merchant")}
    joined = any(
        second.key in listed("and") and first.end in ends and third.start in left
        for first, second, third in zip(words, words[1:], words[2:], strict=False)
    )
    return (
        joined
        or any(
            len(starts) > 1  # "the vet, Kleintierpraxis Seefeld" is one
            and first.start in left
            and second.start in starts
            and "," in asking.reading.text[first.end : second.start]
            for first, second in pairwise(words)
        )
    )


def _asks_of_items(asking: Asking) -> bool:
    """Whether a thing or an hour is asked for that no bank knows of ("how many bananas", "what time of day")."""
    if holds("untold", asking.reading.words):
        return True
    left = {word.start for word in asking.unread}
    receipt = cues.ON_A_RECEIPT.search(asking.text)
    if receipt and asking.has("merchant") and any(start < receipt.start() for start in left):
        return True  # "how much was the cheese on my last receipt?"
    keys = [word.key for word in asking.reading.words]
    for place in range(len(keys) - 2):
        if tuple(keys[place : place + 2]) in _HOW_MANY and asking.reading.words[place + 2].start in left:
            return asking.named and asking.told["act"].of("detail") >= _PERHAPS
    return False


def _is_refused(asking: Asking) -> bool:
    """Whether an act has no answer here; what names something of the ledger and leaves no word over is likely to have one."""
    told = asking.told["act"]
    if _is_beyond(asking):
        return True
    if asking.act_is == "balance":  # in so many words
        return is_missing("balance", asking)
    if not is_missing(told.best, asking) or not all(map(is_ours, asking.tools.values())):
        return False  # what is nothing to us may be what somebody else's tool is for
    at_home = told.best == "unrelated" and asking.named and (asking.periods or not asking.unread)
    if told.best == "detail" and not asking.named and names_place(asking):
        return False  # a word that nobody knows may be a shop's
    return told.sure >= (_REFUSED_THOUGH_NAMED if at_home or told.best == "detail" else _REFUSED)


def is_about_money(reading: Reading, *, anything_before: bool) -> bool:
    """Whether a sentence can be about the ledger: no date alone, no wish for advice."""
    told = reader().read(reading.text, pattern_of(reading))["act"]
    if told.best == "advice" and told.sure >= _REFUSED:
        return False
    named = any(reading.of(slot) for slot in ("category", "merchant", "account", "measure", "per", "show", "kind"))
    return named or anything_before or (told.best not in THEIRS and told.best not in MISSING and told.sure >= _READ)


def names_place(asking: Asking, *lists: str) -> bool:
    """Whether a word that nobody knows stands where a shop does ("at IKEA"), or behind a word of other lists."""
    left = {word.start for word in asking.unknown}
    return any(
        after.start in left and before.key in listed("at_shop", *lists)
        for before, after in pairwise(asking.reading.words)
    )


def is_ours(tool: Tool) -> bool:
    """Whether a tool is one of the program's own."""
    return tool.function.__module__.startswith("tools.apps.")


def refused_again(past: Sequence[PastTurn]) -> Plan | None:
    """Return the refusal of the question before, for one that only changes its dates or names."""
    act = reader().read(past[-1].text, past[-1].text)["act"].best
    return Plan("none", question=MISSING[act], choices=nearest(act)) if act in MISSING else None
