"""How a message stands to the answers before it, as the reader and its form tell: a question alone, or one that leans on them.

An *edit* of the question before, another question *about* its subject, a *part* of its answer, *which* of the last two answers,
the *same* again, *figures* of the last two; *refused* where it goes on with what has no answer, and *alone*.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graph.planner.asking import OF_BEFORE, Asking, pattern_of
from graph.planner.calls import CURRENT, ONE_ROW, meaning_of_scope
from graph.planner.figures import last_figures, standing
from graph.planner.levels import sets_another_against_it
from graph.planner.meaning import SUBJECTS
from graph.planner.plan import CLAUSE
from graph.planner.pointing import points_back, takes_part
from graph.planner.settling import MISSING, THEIRS, asks_of_what_is_to_come, names_place
from graph.planner.turning import asks_of_the_row
from graph.planner.vocabulary import INTERJECTIONS
from language import cues
from language.lexicon import listed
from language.reader import reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.planner.reading import Reading
    from graph.turn import PastTurn
    from tools.context import ToolContext
    from tools.results import Scope

#: Acts that are about an answer before.
_LEANING = frozenset({*OF_BEFORE, "share", "compare"})
#: Acts that are about the whole ledger and need no subject.
_OF_ALL = frozenset("summary meta recurring duplicates unusual no_spend savings_rate".split())
#: What a message may name that changes what stands.
_CHANGING = frozenset({*SUBJECTS, "account", "period", "over", "under"})
#: Acts that need two sides.
_OF_TWO = frozenset({"compare", "change", "level_change"})
_SURE, _CERTAIN, _EDITING = 0.5, 0.8, 0.6
#: A message of so few words that names nothing goes on with what was said ("how much in total?").
_BARE = 4
_ASKS_HOW_MUCH = re.compile(rf"\b(?:{cues.HOW_MUCH.pattern})\b")


def relation_of(asking: Asking, past: Sequence[PastTurn]) -> str:
    """Return how a message stands to what was answered before it: one of the reader's relations, ``figures`` or ``refused``."""
    scope = standing(past)
    if scope is None or asking.reading.outright:
        return "alone"
    if scope.tool == CURRENT and (asking.says(cues.ITS_PRICE) or sets_another_against_it(asking)):
        return "about"
    if cues.SAVED_BACK.search(asking.text) and not asking.named and _is_of_savings(scope, asking):
        return "about"  # "how much did I pull back out?"
    if asks_of_the_row(asking) and meaning_of_scope(scope, asking.context).act == "extreme":
        return "about"
    return _set_apart(asking, past) or _as_written(asking, past) or asking.told["rel"].best


def _is_of_savings(scope: Scope, asking: Asking) -> bool:
    """Whether what stands is of money that went to savings, or came back from them."""
    return meaning_of_scope(scope, asking.context).of in ("savings", "savings_back")


def _set_apart(asking: Asking, past: Sequence[PastTurn]) -> str | None:
    """Return ``alone`` for a message that is certainly a question of its own, ``refused`` for one that goes on with a refusal."""
    act = asking.told["act"]
    if past[-1].kind == "refuse" and asking.is_fragment:
        return "refused"
    sure = _CERTAIN if act.best in ("unrelated", "detail") and not asking.unknown else _EDITING
    unanswerable = (
        (act.best in MISSING and act.sure >= sure)
        or asking.says(cues.THEIR_PAY)
        or asking.says(cues.ADVISED)
        or asking.says(cues.ORDERED)
        or asking.says(cues.THEIR_MONEY)
        or asks_of_what_is_to_come(asking)
    )
    return "alone" if _is_of_its_own(asking) or unanswerable or _stands_alone(asking, past) else None


def _is_of_its_own(asking: Asking) -> bool:
    """Whether a form tells that a message leaves what was said: another topic, what is in an account, whose price rose most."""
    dearer = asking.says(cues.DEARER_MOST) and asking.says(cues.REGULAR_THINGS) and not points_back(asking.reading)
    return dearer or asking.says(cues.NEW_TOPIC) or (asking.says(cues.BALANCE) and not asking.named)


def _as_written(asking: Asking, past: Sequence[PastTurn]) -> str | None:
    """Return the relation that a message's form tells, where it does."""
    told, act = asking.told["rel"], asking.told["act"]
    if _asks_about_figures(asking, past):
        return "figures"
    if takes_part(asking.reading) and asking.said("operation") == "share":
        return "part"
    if asking.is_fragment:
        return "part" if told.best == "part" and told.sure >= _SURE else "edit"
    if _deducts(asking) or (told.best == "same" and asking.named):
        return "edit"
    if told.best not in ("part", "which", "about") and (
        act.best == "same" or (act.best == "edit" and act.sure >= _EDITING)
    ):
        return act.best
    return _leans_back(asking, past) if told.best == "alone" else None


def _deducts(asking: Asking) -> bool:
    """Whether a message goes on by what is to be taken off, and asks nothing of its own."""
    return asking.joins and asking.says(cues.TAKEN_OFF) and not _ASKS_HOW_MUCH.search(asking.text)


def _leans_back(asking: Asking, past: Sequence[PastTurn]) -> str | None:
    """Return the relation of a message that reads like a question of its own, and yet leaves its subject to what was said."""
    points, reading = points_back(asking.reading), asking.reading
    if asking.told["act"].best == "share" and points:
        return "part"
    if past[-1].kind == CLAUSE and not reading.of("period"):
        return "about"
    if asking.named:
        return None
    somebody = _speaks_of_somebody(asking)
    if asking.periods and (somebody or _asks_of_a_price(asking, past)):
        return "edit"
    joins = past[-1].kind == CLAUSE or points or somebody or asking.says(cues.IN_THE_END)
    return "about" if joins or _names_no_subject(asking) or _is_of_the_same(asking) else None


def _speaks_of_somebody(asking: Asking) -> bool:
    return asking.reading.has(listed("persons")) or asking.says(cues.TO_SOMEBODY)


def _asks_of_a_price(asking: Asking, past: Sequence[PastTurn]) -> bool:
    """Whether a message asks what the regular thing before cost at another time ("what was I paying this time last year?")."""
    scope = standing(past)
    unsaid = asking.said("measure") is None and not asking.reading.of("kind")
    return scope is not None and scope.tool == CURRENT and unsaid and asking.says(cues.I_PAY)


def _names_no_subject(asking: Asking) -> bool:
    """Whether a message joins on, asks for rows of nothing, or has a few words only."""
    words = [word.key for word in asking.reading.words if word.key not in INTERJECTIONS]
    opens = bool(words) and words[0] in listed("joining")
    lists = asking.act == "rows" and not asking.reading.of("kind")
    return opens or lists or _is_bare(asking, words)


def _is_bare(asking: Asking, words: Sequence[str]) -> bool:
    """Whether a few words name no time and no kind of money, and so go on with what was said ("how much in total?")."""
    return len(words) <= _BARE and not asking.periods and not asking.reading.of("kind")


def _is_of_the_same(asking: Asking) -> bool:
    """Whether a superlative names nothing it is of, and nobody who paid: "how much was the dearest?"."""
    single = asking.said("measure") in ONE_ROW and not asking.reading.of("kind") and not asking.periods
    return single and not asking.reading.has(listed("whoever_asks"))


def _asks_about_figures(asking: Asking, past: Sequence[PastTurn]) -> bool:
    """Whether a message asks for arithmetic on the last two answers ("what's the difference?")."""
    operations = [mention.value for mention in asking.reading.of("operation")]
    only = not asking.unread and not asking.named and not asking.reading.of("period")
    return bool(operations) and operations[0] != "share" and only and len(last_figures(past)) > 1


def _stands_alone(asking: Asking, past: Sequence[PastTurn]) -> bool:
    """Whether a message leaves nothing to the question before: it says its time and what it is about, and joins on to nothing."""
    reading = asking.reading
    if _points_or_joins(reading) or past[-1].kind == CLAUSE:
        return False
    told, relation = asking.told["act"], asking.told["rel"].best
    if told.best in ("edit", "same") and told.sure >= _SURE:
        return False
    whole = told.best not in _LEANING and told.sure >= _CERTAIN and (relation == "alone" or told.best in _OF_ALL)
    about = any(reading.of(slot) for slot in (*SUBJECTS, "kind", "measure")) or len(reading.of("period")) > 1 or whole
    return about and bool(reading.of("period")) and not any(mention.excluded for mention in reading.mentions[:1])


def _points_or_joins(reading: Reading) -> bool:
    """Whether a message points at something or somebody named before, or joins on to it."""
    somebody = reading.has(listed("persons")) and not reading.of("merchant")
    per = (
        bool(reading.mentions)
        and reading.mentions[0].slot == "per"
        and reading.mentions[0].start == reading.words[0].start
    )
    joins = bool(reading.words) and reading.words[0].key in listed("joining")
    return per or somebody or points_back(reading) or joins


def is_understood(asking: Asking, past: Sequence[PastTurn], relation: str) -> bool:
    """Whether what a message leans on was answered, and it names nothing that nobody knows."""
    last = past[-1]
    if last.scope is None and (last.kind == "clarify" or relation in ("part", "which", "same", "figures")):
        return False
    reading = asking.reading
    placed = bool(asking.sought) or any(mention.slot in _CHANGING for mention in reading.mentions)
    there = reading.has(listed("pointed_places"))  # "what does a session there cost?"
    if relation != "same" and not placed and not there and asking.unknown:
        return False
    if reading.mentions:
        return not names_place(asking) or asking.named
    others = any(word.key in listed("others") for word in reading.words)
    return not names_place(asking) and not (relation == "edit" and others)


def hangs_on_nothing(asking: Asking, past: Sequence[PastTurn]) -> bool:
    """Whether a message goes on with a question that had no answer ("which was the dearest?"): it is about no other one."""
    if not past or not _is_unanswered(past[-1]):
        return False
    reading = asking.reading
    told = asking.told["act"].best
    vague = told in ("unrelated", "detail", "same") and points_back(reading)  # "how much was it?"
    if asking.named or asking.unknown or (told in THEIRS | MISSING.keys() and not vague):
        return False
    return points_back(reading) or asking.joins or not _is_whole(asking)


def leans_on_nothing(asking: Asking, past: Sequence[PastTurn]) -> bool:
    """Whether a message points back or joins on, and it can't be told to what."""
    dangles = asking.dangles and not asking.named
    joins = asking.joins and (bool(past) or not asking.named)
    return joins or (dangles and (not past or asking.told["act"].best not in THEIRS))


def _is_whole(asking: Asking) -> bool:
    """Whether a message says of what or when it asks; one side of a comparison ("less than the year before?") does not."""
    one_side = asking.act in _OF_TWO and len(asking.periods) == 1
    kinds = any(m.slot in ("kind", "by", "over", "under", "text") for m in asking.reading.mentions)
    return (bool(asking.periods) and not one_side) or kinds or asking.says(cues.SPENT) or asking.of != "spending"


def _is_unanswered(turn: PastTurn) -> bool:
    """Whether a turn was a question that had no answer, and no word in passing."""
    asked = turn.scope is None and turn.kind in ("clarify", "refuse")
    return asked and reader().read(turn.text, turn.text)["act"].best not in ("smalltalk", "help")


def leans_back(reading: Reading, past: Sequence[PastTurn], context: ToolContext) -> bool:
    """Whether a message leans on the answers before it, rather than asking a question of its own."""
    if not reading.words or standing(past) is None:
        return False
    told = reader().read(reading.text, pattern_of(reading))
    return relation_of(Asking(reading, told, {}, context), past) not in ("alone", "chat", "refused")
