"""Two witnesses: the plan that the grammar comes to, and what the reader says; where they disagree, the surer one or neither."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from graph.planner.acts import call_of, rounds_of
from graph.planner.consumption import consumed
from graph.planner.intents import (
    CATEGORY,
    COMPARE,
    EXTREMES,
    INCOME,
    LIST,
    MERCHANT,
    SEARCH,
    STATUS,
    SUMMARY,
    unknown_subject,
    wants_of,
)
from graph.planner.plan import Plan
from graph.planner.pointing import points_back, takes_part
from graph.planner.witness import MISSING
from language import cues
from language.lexicon import holds, listed
from language.reader import reader
from language.words import fold_in_place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graph.planner.witness import Asking
    from tools.calls import Call
    from tools.registry import Tool

#: Acts that the grammar alone has no words for.
NEW = frozenset(
    "series trend level level_change recurring next ended duplicates unusual no_spend savings_rate which identify exists".split()
)
#: Acts that are of one thing, which an unknown word may name.
_OF_SOMETHING = frozenset({"level", "level_change", "which", "next", "series", "trend"})
#: Acts that need no subject.
_RANKING = frozenset({"rank", "extreme", "duplicates", "unusual", "recurring", "ended"})
#: Acts that know of what is to come.
_OF_COMING = frozenset({"next", "level", "recurring"})
_HOW_MANY = frozenset({("how", "many"), ("how", "much"), ("wie", "viel"), ("wie", "viele")})
#: So many words may be told as not taken into account, and so many where the reader is certain of the act.
_MOST_UNREAD, _MANY_UNREAD = 2, 8
#: Acts that are about how things are now, or at any time.
OF_NOW = frozenset({"level", "level_change", "recurring", "next", "ended", "duplicates", "unusual"})
#: Acts whose plans the grammar makes; of them the reader says only that it is they.
THEIRS = frozenset("edit calc help smalltalk settings notes categorise manage explain same".split())
#: Which acts a plan of the grammar answers; then its arguments stand.
_ANSWERED = {
    STATUS: frozenset({"meta", "count"}),
    LIST: frozenset({"rows", "identify", "exists"}),
    SEARCH: frozenset({"rows", "identify", "exists", "total", "count", "extreme", "which", "detail"}),
    COMPARE: frozenset({"compare", "change", "trend"}),
    EXTREMES: frozenset({"count", "average", "extreme", "rank", "frequency", "which"}),
    CATEGORY: frozenset({"total", "average", "breakdown", "rank"}),
    MERCHANT: frozenset({"total", "average", "breakdown"}),
    SUMMARY: frozenset({"total", "average", "breakdown", "summary", "rank"}),
    INCOME: frozenset({"total", "leftover", "breakdown", "summary"}),
}
#: Tools that know spending alone.
OF_SPENDING = frozenset({CATEGORY, MERCHANT, SUMMARY, EXTREMES, COMPARE})
#: From which probability on an act is taken that the grammar can't tell, one against its plan, and one where it has none;
#: and a population against its own.
TAKEN, _AGAINST, _ALONE, _REFUSED, _OTHER_MONEY = 0.5, 0.8, 0.45, 0.6, 0.9
_REFUSED_THOUGH_NAMED, _PERHAPS, _LEADING, _CERTAIN = 0.85, 0.1, 0.6, 0.9


MISSING_ACTS = frozenset(MISSING)


def outright(asking: Asking) -> Plan | None:
    """Return the plan for what the reader alone tells: an act that the grammar has no words for, or one that has no answer."""
    told = asking.told["act"]
    if told.best not in _OF_COMING and holds("to_come", asking.reading.words):
        return Plan("none", confidence=_AGAINST, question=MISSING["forecast"])
    if _asks_of_items(asking):
        return Plan("none", confidence=_AGAINST, question=MISSING["detail"])
    if _is_refused(asking):
        missing = "balance" if _asks_balance(asking) else told.best
        return Plan("none", confidence=told.sure, question=MISSING[missing])
    if told.best in _OF_SOMETHING and asking.unread and not asking.named:
        return None
    if _leads(asking) and (rounds := rounds_of(asking)) is not None:
        return _consumed(Plan("calls", rounds, told.sure), asking)
    return None


def _leads(asking: Asking) -> bool:
    """Whether the reader is heard before the grammar: an act that this has no words for, or one that it is sure of."""
    told = asking.told["act"]
    if told.best in NEW:
        return told.sure >= TAKEN
    if told.best in THEIRS or told.sure < _LEADING or any(asking.reading.of("measure", excluded=True)):
        return False
    if _is_doubtful(asking):
        return False
    if not asking.unread:
        return True
    placed = asking.named or asking.of not in ("spending", "all") or asking.act in _RANKING
    return placed and len(asking.unread) <= (_MANY_UNREAD if told.sure >= _CERTAIN else _MOST_UNREAD)


def _is_doubtful(asking: Asking) -> bool:
    """Whether the words speak against the reader: they search, tell of other money, point at nothing, name what nobody knows."""
    said = wants_of(asking.reading).cues
    other = "search" in said or ("income" in said and asking.of == "spending")
    dangles = points_back(asking.reading) and (not asking.named or asking.act == "share")  # "what did I spend there?"
    unknown = _joins_unknown(asking) or (asking.has("merchant") and names_place(asking))
    return other or dangles or unknown or takes_part(asking.reading)


def _joins_unknown(asking: Asking) -> bool:
    """Whether a word that nobody knows is joined to a name, and so is a second one ("groceries and zorbs")."""
    left = {word.start for word in asking.unread if not reader().is_read(word.key)}
    ends = {mention.end for mention in asking.reading.mentions if mention.slot in ("category", "merchant")}
    words = asking.reading.words
    return any(
        second.key in ("and", "und") and first.end in ends and third.start in left
        for first, second, third in zip(words, words[1:], words[2:], strict=False)
    )


def _asks_of_items(asking: Asking) -> bool:
    """Whether a thing or an hour is asked for that no bank knows of ("how many bananas", "what time of day")."""
    if holds("untold", asking.reading.words):
        return True
    left = {word.start for word in asking.unread}
    keys = [word.key for word in asking.reading.words]
    for place in range(len(keys) - 2):
        if tuple(keys[place : place + 2]) in _HOW_MANY and asking.reading.words[place + 2].start in left:
            return asking.named and asking.told["act"].of("detail") >= _PERHAPS
    return False


def _is_refused(asking: Asking) -> bool:
    """Whether an act has no answer here; what names something of the ledger and leaves no word over is likely to have one."""
    told = asking.told["act"]
    if _asks_balance(asking):
        return True
    if told.best not in MISSING or not all(map(_is_ours, asking.tools.values())):
        return False  # what is nothing to us may be what somebody else's tool is for
    at_home = told.best == "unrelated" and asking.named and (asking.reading.of("period") or not asking.unread)
    if told.best == "detail" and not asking.named and names_place(asking):
        return False  # a word that nobody knows may be a shop's
    at_home = at_home or told.best == "detail"
    return told.sure >= (_REFUSED_THOUGH_NAMED if at_home else _REFUSED)


def _asks_balance(asking: Asking) -> bool:
    """Whether it is asked what is in an account."""
    words = cues.BALANCE.search(fold_in_place(asking.reading.text))
    return bool(words) and not any(asking.has(slot) for slot in ("merchant", "category"))


def names_place(asking: Asking) -> bool:
    """Whether a word that nobody knows stands where a shop does ("at IKEA")."""
    left = {word.start for word in asking.unread}
    return any(
        after.start in left and before.key in listed("at_shop") for before, after in pairwise(asking.reading.words)
    )


def _is_ours(tool: Tool) -> bool:
    return tool.function.__module__.startswith("tools.apps.")


def settled(plan: Plan, asking: Asking) -> Plan:
    """Return the plan that both witnesses allow, with what it does not take into account."""
    return _consumed(_agreed(plan, asking), asking)


def _consumed(plan: Plan, asking: Asking) -> Plan:
    return consumed(plan, asking.reading, asking.unread)


def _agreed(plan: Plan, asking: Asking) -> Plan:
    told = asking.told["act"]
    if told.best in MISSING or told.best in THEIRS:
        return plan
    needed = _needed(plan, asking)
    call = call_of(asking) if needed is not None and told.sure >= needed else None
    if call is None:
        unsure = plan.kind == "none" and not plan.question and (asking.named or asking.reading.of("period"))
        return replace(plan, kind="clarify") if unsure else plan
    return replace(
        plan, kind="calls", rounds=((call,),), confidence=told.sure, question="", choices=(),
        trace={**plan.trace, "read_as": "reader"},
    )  # fmt: skip


def _needed(plan: Plan, asking: Asking) -> float | None:
    """Return how sure the reader must be to be heard; None where it is not."""
    if any(asking.reading.of("measure", excluded=True)):
        return None
    if plan.kind != "calls":
        return _needed_alone(asking)
    return _needed_against(plan.calls[0], asking) if len(plan.calls) == 1 else None


def _needed_alone(asking: Asking) -> float | None:
    """Return how sure the reader must be where the grammar has no plan.

    Where words are left that nobody places, a subject must be named, and they are told beside the answer.
    """
    if not asking.unread:
        return _ALONE
    placed = asking.named or asking.of not in ("spending", "all") or asking.act in _RANKING
    if not placed or len(asking.unread) > _MOST_UNREAD or unknown_subject(wants_of(asking.reading)):
        return None
    return _AGAINST


def _needed_against(call: Call, asking: Asking) -> float | None:
    """Return how sure the reader must be against a call of the grammar; None where that answers such an act."""
    other_money = asking.of != "spending" and call.name in OF_SPENDING and asking.sure_of >= _OTHER_MONEY
    lost = (
        any(mention.value not in call.arguments.values() for mention in asking.reading.of("per")) and asking.act in NEW
    )
    if other_money or lost or (call.name == EXTREMES and _ranks_otherwise(call.arguments, asking)):
        return TAKEN
    answered = _ANSWERED.get(call.name, frozenset({asking.act}))
    return None if asking.act in answered else _AGAINST


def _ranks_otherwise(arguments: Mapping[str, Any], asking: Asking) -> bool:
    """Whether a rank of the grammar is of something else: one purchase for many merchants, merchants for days of the week."""
    if asking.act not in ("rank", "extreme", "average"):
        return False
    if arguments.get("by") == "merchant" and len(asking.reading.of("merchant")) == 1:
        return True
    call = call_of(asking) if asking.act != "extreme" else None
    return call is not None and (
        call.name != EXTREMES or arguments.get("measure") in ("first", "last", "count", "how_often")
    )
