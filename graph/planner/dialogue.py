"""Follow-ups: how a message stands to the answers before it, and the calls that come of it.

The reader tells the relation: an *edit* of the question before, another question *about* its subject, a *part* of its answer,
*which* of the last two answers, the *same* again, or a question *alone*.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graph.planner.acts import call_of, rounds_of
from graph.planner.contrasts import last_two, side_by_side
from graph.planner.edit import TOTALS, Edit, periods_after, put_right, shared_after
from graph.planner.editing import edited
from graph.planner.filling import phrase_of, set_period, union
from graph.planner.followups import before, last_figures, standing
from graph.planner.intents import COMPARE, EXTREMES, INCOME, LIST
from graph.planner.manner import CLAUSE, manner_of, without_nouns
from graph.planner.plan import Plan
from graph.planner.pointing import points_back, takes_part
from graph.planner.settling import MISSING_ACTS, names_place
from graph.planner.witness import MISSING
from language import cues
from language.lexicon import listed
from language.reader import reader
from language.words import fold_in_place
from tools.calls import Call
from tools.slots.names import names_of
from tools.slots.period import read_period

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.planner.followups import Before
    from graph.planner.witness import Asking
    from graph.turn import PastTurn
    from language.words import Word

_CALCULATE, _RANK, _MEASURE = "figures-calculate", "transactions-rank", "transactions-measure"
_CURRENT, _LISTED = "recurring-current", "recurring-list"
Rounds = tuple[tuple[Call, ...], ...]
#: Tools whose answers are sums, which can be set against each other.
_SUMS = frozenset({*TOTALS, INCOME, _MEASURE})
#: Acts that a message asks for by itself, though it reads like a change of the question before.
#: Acts that are about an answer before.
_OF_BEFORE = frozenset({"edit", "same", "calc", "share", "compare"})
#: Acts that are about the whole ledger and need no subject.
_OF_ALL = frozenset("summary meta recurring duplicates unusual no_spend savings_rate".split())
#: Acts that are about what recurs, and so rarely follow a question that was not.
_REGULAR = frozenset({"recurring", "next", "ended", "level"})
_OTHERWISE = frozenset("total count average extreme rank rows series trend leftover level".split())
_SURE, _CERTAIN, _EDITING, _PERHAPS = 0.5, 0.8, 0.6, 0.1
UNCLEAR = "I don't know what that refers to. What do you mean?"
#: What a message may be about by itself only: its slots say what a question is about.
_SUBJECTS = ("category", "merchant")
#: The measures that are one transaction, by tool argument.
_ONE_ROW = frozenset({"largest", "smallest", "latest", "last", "first"})


def relation_of(asking: Asking, past: Sequence[PastTurn]) -> str:
    """Return how a message stands to what was answered before it: one of the reader's relations, or ``refused``."""
    if standing(past) is None or asking.reading.outright:
        return "alone"
    return _set_apart(asking, past) or _as_written(asking) or asking.told["rel"].best


def _set_apart(asking: Asking, past: Sequence[PastTurn]) -> str | None:
    """Return ``alone`` for a message that is certainly a question of its own, ``refused`` for one that goes on with a refusal."""
    act = asking.told["act"]
    if past[-1].kind == "refuse" and _is_fragment(asking):
        return "refused"
    sure = _CERTAIN if act.best in ("unrelated", "detail") else _EDITING
    unanswerable = act.best in MISSING_ACTS and act.sure >= sure
    new_topic = cues.NEW_TOPIC.search(fold_in_place(asking.reading.text))
    return "alone" if new_topic or unanswerable or _stands_alone(asking, past) else None


def _as_written(asking: Asking) -> str | None:
    """Return the relation that a message's form tells, where it does."""
    told, act = asking.told["rel"], asking.told["act"]
    if _is_fragment(asking):
        return "part" if told.best == "part" and told.sure >= _SURE else "edit"
    if told.best == "same" and asking.named:
        return "edit"
    if told.best not in ("part", "which", "about") and (
        act.best == "same" or (act.best == "edit" and act.sure >= _EDITING)
    ):
        return act.best
    return _leans_back(asking) if told.best == "alone" else None


def _leans_back(asking: Asking) -> str | None:
    """Return the relation of a message that reads like a question of its own, and yet leaves its subject to what was said."""
    points = points_back(asking.reading)
    if asking.told["act"].best == "share" and points:
        return "part"
    joins = points or asking.reading.words[0].key in listed("joining")
    return "about" if joins and not asking.named and not asking.reading.of("period") else None


def _is_fragment(asking: Asking) -> bool:
    """Whether a message holds nothing but names and dates, and small words around them."""
    reading = asking.reading
    named = any(
        mention.slot in ("category", "merchant", "period", "account", "over", "under") for mention in reading.mentions
    )
    return named and "fragment" in manner_of(reading).signs


def _stands_alone(asking: Asking, past: Sequence[PastTurn]) -> bool:
    """Whether a message leaves nothing to the question before: it says its time and what it is about, and joins on to nothing."""
    reading = asking.reading
    if points_back(reading) or reading.words[0].key in listed("joining") or past[-1].kind == CLAUSE:
        return False
    told, relation = asking.told["act"], asking.told["rel"].best
    whole = told.best not in _OF_BEFORE and told.sure >= _CERTAIN and (relation == "alone" or told.best in _OF_ALL)
    about = any(reading.of(slot) for slot in (*_SUBJECTS, "kind", "measure")) or len(reading.of("period")) > 1 or whole
    return about and bool(reading.of("period")) and not any(mention.excluded for mention in reading.mentions[:1])


def refused_again(past: Sequence[PastTurn]) -> Plan | None:
    """Return the refusal of the question before, for one that only changes its dates or names."""
    act = reader().read(past[-1].text, past[-1].text)["act"].best
    return Plan("none", question=MISSING[act]) if act in MISSING else None


async def followed(asking: Asking, past: Sequence[PastTurn], relation: str) -> Plan | None:
    """Return the plan for a message that leans on what was answered; None where nothing comes of it."""
    scope = standing(past)
    if scope is None:
        return None
    if not _is_understood(asking, past, relation):
        return Plan("clarify", question=UNCLEAR, trace={"relation": relation})
    base = before(scope, asking.context)
    rounds = (_nth(asking, base) if asking.nth > 1 and not asking.named else None) or _ROUNDS[relation](
        asking, past, base
    )
    if not rounds:
        return None
    return Plan("calls", rounds, asking.told["rel"].sure, trace={"relation": relation})


def _is_understood(asking: Asking, past: Sequence[PastTurn], relation: str) -> bool:
    """Whether what a message leans on was answered, and it names nothing that nobody knows."""
    last = past[-1]
    if last.scope is None and (last.kind == "clarify" or relation in ("part", "which", "same")):
        return False
    reading = asking.reading
    if reading.mentions:
        return not names_place(asking) or asking.named
    others = any(word.key in listed("others") for word in reading.words)
    return not names_place(asking) and not (relation == "edit" and (others or any(map(_is_unknown, asking.unread))))


def _is_unknown(word: Word) -> bool:
    return not reader().is_read(word.key)


def _edit(asking: Asking, past: Sequence[PastTurn], base: Before) -> Rounds | None:
    """Change what the question before names, and ask it again."""
    told = asking.told["act"]
    if told.best in _OTHERWISE and told.sure >= _CERTAIN:
        return _about(asking, past, base)
    if base.tool == _CURRENT and asking.reading.of("period"):
        return rounds_of(replace(_leaning(asking, past, base), act_is="level"))
    if past[-1].facts and past[-1].facts[0].id == "share" and base.tool != _CALCULATE:
        return rounds_of(replace(_leaning(asking, past, base), act_is="share"))
    calls = edited(asking.reading, past, asking.tools, asking.context)
    return (calls,) if calls else None


def _nth(asking: Asking, base: Before) -> Rounds | None:
    """Return the second or third of what the question before asked the first of."""
    given = base.arguments
    by, measure = given.get("by", given.get("measure")), given.get("measure", given.get("what"))
    kept = {
        key: value
        for key, value in given.items()
        if key not in ("measure", "by", "what", "limit", "ranked", "nth", "of")
    }
    if base.tool == _RANK or (base.tool == EXTREMES and by not in ("purchase", *_ONE_ROW)):
        more = {"by": by, "ranked": given.get("ranked", "money"), "of": base.of, "nth": asking.nth}
        if measure == "smallest" or given.get("least"):
            more["least"] = True
        return ((Call(_RANK, kept | more),),)
    if base.tool in (EXTREMES, _MEASURE) and measure in _ONE_ROW:
        what = {"last": "latest"}.get(measure, measure)
        return ((Call(_MEASURE, kept | {"of": base.of, "what": what, "nth": asking.nth}),),)
    return None


def _about(asking: Asking, past: Sequence[PastTurn], base: Before) -> Rounds | None:
    """Ask another question about what the last one was about."""
    otherwise = {"edit": _edit, "compare": _which, "same": _same}.get(asking.act)
    if otherwise is not None:
        return otherwise(asking, past, base)
    if asking.act in ("share", "calc") and not _adds_up(asking):
        return _part(asking, past, base)
    return _of_both(asking, past, base) or _of_the_subject(asking, past, base)


def _of_both(asking: Asking, past: Sequence[PastTurn], base: Before) -> Rounds | None:
    """Return what is asked of the last two answers together: their sum, or which is more."""
    if _adds_up(asking):
        return _added(asking, past, base)
    more = asking.act in ("rank", "extreme") and cues.MORE.search(fold_in_place(asking.reading.text))
    call = _last_two_compared(asking, past, base) if more else None
    return ((call,),) if call else None


def _of_the_subject(asking: Asking, past: Sequence[PastTurn], base: Before) -> Rounds | None:
    """Return the likeliest act that can be asked of the subject of the question before."""
    if base.tool == _LISTED and asking.act in ("total", "average", "recurring"):
        return ((Call(base.tool, {**base.arguments, "wanted": "sum"}),),)
    leaning = _leaning(asking, past, base)
    for act, sure in asking.told["act"].ranked[:3]:
        least = _EDITING if act in _REGULAR and not base.tool.startswith("recurring-") else _PERHAPS
        if sure >= least and (rounds := rounds_of(replace(leaning, act_is=act))):
            return rounds
    return None


def _adds_up(asking: Asking) -> bool:
    """Whether a message asks for the last two answers as one ("both together")."""
    text = fold_in_place(asking.reading.text)
    return bool(cues.TOGETHER.search(text) and cues.BOTH.search(text))


def _added(asking: Asking, past: Sequence[PastTurn], base: Before) -> Rounds | None:
    """Return the sum of the last two answers, or what both of their subjects come to."""
    edit = _edit_of(asking, past, base)
    pair = last_two(edit)
    if pair is None:
        figures = last_figures(past)
        return ((Call(_CALCULATE, {"operation": "sum", "values": figures}),),) if len(figures) > 1 else None
    slot, names = pair
    leaning = _leaning(asking, past, base)
    both = replace(leaning, inherited={**leaning.inherited, slot: names})
    return rounds_of(replace(both, act_is=asking.act if asking.act in ("count", "average") else "total"))


def _edit_of(asking: Asking, past: Sequence[PastTurn], base: Before, *signs: str) -> Edit:
    reading = put_right(without_nouns(asking.reading), base)
    manner = manner_of(reading, past)
    manner = replace(manner, signs=manner.signs | set(signs))
    return Edit(reading, manner, base, past, asking.tools, asking.context)


def _leaning(asking: Asking, past: Sequence[PastTurn], base: Before) -> Asking:
    """Return the asking with what the question before was about where it says nothing else."""
    counted = asking.act in ("count", "rows") and base.shared.keys() & set(_SUBJECTS)
    if counted or points_back(asking.reading):  # "how many transfers was that": of what was asked about before
        kept = tuple(m for m in asking.reading.mentions if m.slot != "kind")
        asking = replace(asking, reading=replace(asking.reading, mentions=kept))
    edit = _edit_of(asking, past, base)
    shared = {key: value for key, value in shared_after(edit).items() if key != "kind"}
    periods = periods_after(edit)
    about: dict[str, Any] = dict(shared)
    if periods[0] is not None:
        about["period"] = periods[0]
    if base.tool == COMPARE and not asking.reading.of("period"):
        about.pop("period", None)
        about["periods"] = [read_period(str(phrase), asking.context) for phrase in base.arguments.get("periods") or ()]
    said_before = (*_SUBJECTS, "period")
    own = replace(asking.reading, mentions=tuple(m for m in asking.reading.mentions if m.slot not in said_before))
    return replace(asking, reading=own, inherited=about, base_of=base.of)


def _part(asking: Asking, past: Sequence[PastTurn], base: Before) -> Rounds | None:
    """Ask how much of what was answered is something, or which share of it."""
    reading = asking.reading
    named = any(reading.of(slot) for slot in _SUBJECTS)
    if not named and any(mention.excluded for mention in reading.mentions):
        return _edit(asking, past, base)
    share = asking.act == "share" or bool(reading.of("operation"))
    figures = last_figures(past)
    if share and _CALCULATE in asking.tools:
        return _share(asking, past, base, figures, named=named)
    act = asking.told["act"]
    wanted = next((each for each, _ in act.ranked if each in ("total", "count", "rows", "extreme", "average")), "total")
    narrowed = _narrowed(asking, base)
    return rounds_of(replace(narrowed, act_is=wanted))


def _narrowed(asking: Asking, base: Before) -> Asking:
    """Return the asking within what was answered: what it names is a part of that."""
    shared = {key: value for key, value in base.shared.items() if key != "kind"}
    if asking.reading.of("category"):
        shared.pop("category", None)
    if asking.reading.of("merchant"):
        shared.pop("merchant", None)
    if base.period is not None and not asking.reading.of("period"):
        shared["period"] = base.period
    return replace(asking, inherited=shared, base_of=base.of)


def _share(asking: Asking, past: Sequence[PastTurn], base: Before, figures: list[str], *, named: bool) -> Rounds | None:
    """Return the share of a part in the answer, of the answer in all that was spent, or of the last two answers."""
    if not figures:
        return None
    if named and takes_part(asking.reading):
        part = call_of(replace(_narrowed(asking, base), act_is="total"))
        return _shared(part, "{1.total}", figures[-1])
    if not named and len(figures) > 1 and _is_part_of_last(past):
        return _shared(None, figures[-1], figures[-2])
    if not named and base.tool == COMPARE:
        return ((Call(base.tool, dict(base.arguments)),),)
    # "what share of groceries was that?", or of all
    of = base.of if base.of == "income" and not named else None
    within = {"period": base.period} if base.period else {}
    return _shared(call_of(replace(asking, act_is="total", inherited=within, of_is=of)), figures[-1], "{1.total}")


def _shared(first: Call | None, part: str, whole: str) -> Rounds | None:
    """Return the share of one figure in another, after the call that one of them needs."""
    share = Call(_CALCULATE, {"operation": "share", "values": [part, whole]})
    if first is None:
        return None if "{1.total}" in (part, whole) else ((share,),)
    return (first,), (share,)


def _is_part_of_last(past: Sequence[PastTurn]) -> bool:
    """Whether the last answer was of a part of what the one before it was of."""
    scopes = [turn.scope for turn in past if turn.scope][-2:]
    if len(scopes) < 2:
        return False
    older, newer = (scope.arguments for scope in scopes)
    times = ("start_date", "end_date", "period")
    same_time = all(older.get(key) == newer.get(key) for key in times) or not any(newer.get(key) for key in times)
    narrower = {key for key in newer if newer[key]} - set(times)
    return same_time and bool(narrower - {key for key in older if older[key]})


def _which(asking: Asking, past: Sequence[PastTurn], base: Before) -> Rounds | None:
    """Set the last two answers against each other."""
    if _adds_up(asking) and (added := _added(asking, past, base)):
        return added
    periods = asking.reading.of("period")
    if len(periods) > 1:
        leaning = _leaning(asking, past, base)
        both = replace(leaning.reading, mentions=(*leaning.reading.mentions, *periods))
        return rounds_of(replace(leaning, reading=both, act_is="compare"))
    if base.tool == COMPARE and not asking.named:
        return ((Call(base.tool, dict(base.arguments)),),)
    call = _last_two_compared(asking, past, base)
    calls = (call,) if call else side_by_side(_edit_of(asking, past, base, "rivals", "compares", "both"))
    if calls:
        return (calls,)
    figures = last_figures(past)
    can = len(figures) > 1 and _CALCULATE in asking.tools
    return ((Call(_CALCULATE, {"operation": "difference", "values": figures}),),) if can else None


def _last_two_compared(asking: Asking, past: Sequence[PastTurn], base: Before) -> Call | None:
    """Return a comparison of the last two sums, where these differ in their period or in one name alone."""
    scopes = [turn.scope for turn in past if turn.scope][-2:]
    tool = asking.tools.get(COMPARE)
    if tool is None or len(scopes) < 2 or scopes[0].tool != base.tool or base.tool not in _SUMS:
        return None
    older = before(scopes[0], asking.context)
    shared = {key: value for key, value in base.shared.items() if key in tool.parameters["properties"]}
    of = {"of": "left"} if base.arguments.get("show") == "left" else {} if base.of == "spending" else {"of": base.of}
    if older.shared == base.shared and older.period and base.period and older.period != base.period:
        periods = [phrase_of(base.period), phrase_of(older.period)]
        return Call(COMPARE, {**shared, "periods": periods} | of)
    slot = next((slot for slot in ("merchant", "category") if slot in base.shared), None)
    if slot is None or older.period != base.period or older.shared.keys() != base.shared.keys():
        return None
    names = union([older.shared[slot], base.shared[slot]])
    if len(names_of(names)) != 2:
        return None
    call = Call(COMPARE, {**shared, slot: names} | of)
    if base.period is not None:
        set_period(tool, base.period, call.arguments)
    return call


def _same(asking: Asking, _past: Sequence[PastTurn], base: Before) -> Rounds | None:
    """Say again what was answered; of a sum, the rows that it is of."""
    measure = base.arguments.get("what", base.arguments.get("measure"))
    priced = asking.reading.has({"much", "viel", "wieviel", "betrag", "amount", "cost", "gekostet"})
    if priced and measure in ("count", "how_often", "average"):
        return rounds_of(replace(_narrowed(asking, base), act_is="total"))
    if priced or measure in _ONE_ROW or base.tool == LIST:
        return ((Call(base.tool, dict(base.arguments)),),)
    call = call_of(replace(_narrowed(asking, base), act_is="rows"))
    return ((call,),) if call else None


_ROUNDS = {"edit": _edit, "about": _about, "part": _part, "which": _which, "same": _same}
