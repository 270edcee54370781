"""What a follow-up adds to the sum before or takes off it: "and with Spotify on top?", "wenn du die Erstattung abziehst?"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from graph.planner.calls import CALCULATE, Rounds, computed, meaning_of, meaning_of_scope, rounds_of
from graph.planner.changing import is_let_in, says_to_add
from graph.planner.constraints import constraints_of
from graph.planner.figures import are_of_two, last_figures, last_two
from graph.planner.filling import phrase_of, union
from graph.planner.meaning import SUBJECTS, Meaning
from graph.planner.plan import Plan
from graph.planner.turning import is_given_back_by_another, net_of_refunds
from language import cues
from language.lexicon import holds, listed
from language.words import words
from tools.apps.populations import resolve_population
from tools.apps.scope import Asked
from tools.calls import Call
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.asking import Asking
    from graph.turn import PastTurn
    from ledger.periods import Period
    from tools.context import ToolContext
    from tools.registry import Tool

#: Money that came in, which is taken off what was spent.
_CAME_IN = frozenset({"income", "salary", "refunds"})
_SAVINGS = ("savings", "savings_back", "transfers")
#: So many words of a message may open it; so many sums are added up.
_OPENING, _BOTH = 2, 2
COUNTED_TWICE = (
    "Some payments are in both of these sums, so together they would count twice. Which of them do you mean?"
)


def added_or_taken(said: Asking, base: Meaning) -> Rounds | None:
    """Return the sum before with what a message adds to it or without what it takes off; None where it does neither."""
    if base.act != "total" or base.of == "left":
        return None
    if said.says(cues.TAKEN_OFF):
        return _taken(said, base)
    later = said.says(cues.IN_THE_END) and bool(said.periods) and not said.named and base.of == "spending"
    if later and base.named and not _is_within(said.periods, base.periods):
        return _less_its_refunds(said, base)
    beside = base.named or (bool(said.periods) and not _is_within(said.periods, base.periods))
    return _added(said, base) if beside and said.named and _is_added(said, base) else None


def _taken(said: Asking, base: Meaning) -> Rounds | None:
    """Return a sum without what came back of it; names of what is only left out are an edit."""
    back = _says_what_came_back(said)
    out = any(mention.excluded for mention in said.reading.mentions)
    if base.of != "spending" or (out and not (back or said.says(cues.TO_ME))):
        return None
    said = _with_all_named(said) if out else said
    part = Meaning("total", "refunds", constraints_of(said.reading), said.periods or base.periods)
    if is_given_back_by_another(said, base):
        return of_both("rest", said.tools, base, part)
    if said.named and not _is_of_the_same(part, base):
        came_in = said.of in _CAME_IN or said.says(cues.TO_ME)
        return of_both("rest", said.tools, base, part.but(of="income")) if came_in else None
    return _less_its_refunds(said, base) if back else None


def _with_all_named(said: Asking) -> Asking:
    """Return the same with what is left out as named: who gave something back stands behind words that take it off."""
    named = tuple(replace(mention, excluded=False) for mention in said.reading.mentions)
    return replace(said, reading=replace(said.reading, mentions=named))


def _less_its_refunds(said: Asking, base: Meaning) -> Rounds | None:
    """Return a sum less what came back of it, which it is already where that came in its own time."""
    if _is_within(said.periods, base.periods):
        return rounds_of(net_of_refunds(base), said.tools)
    return of_both("rest", said.tools, base, base.but(of="refunds", periods=said.periods))


def _says_what_came_back(said: Asking) -> bool:
    return said.ruled_of == "refunds" or said.says(cues.CAME_BACK) or holds("given_back", said.reading.words)


def _is_added(said: Asking, base: Meaning) -> bool:
    """Whether a message adds a name to what was asked about, and lets none in again."""
    reading = said.reading
    opens = any(word.key in listed("letting_in") for word in reading.words[:_OPENING])
    return (says_to_add(reading) or opens) and not any(
        is_let_in(reading, mention, base) for mention in reading.mentions
    )


def _added(said: Asking, base: Meaning) -> Rounds | None:
    """Return the sum of both: of two names of one kind in one time at once, else of each by itself."""
    of = said.ruled_of or base.of
    alike = _of_the_same_noun(said, base)
    if alike and said.periods in ((), base.periods):
        return rounds_of(base.on(merchant=union([base.about["merchant"], alike])), said.tools)
    about = {"merchant": union([alike])} if alike else constraints_of(said.reading)
    part = Meaning("total", of, about, said.periods or base.periods)
    if len(part.about) != 1 or part.about.keys() - {*SUBJECTS} or _is_of_the_same(part, base):
        return None
    [(slot, names)] = part.about.items()
    if (part.of, part.periods, part.about.keys()) == (base.of, base.periods, base.about.keys()):
        return rounds_of(base.on(**{slot: union([base.about[slot], names])}), said.tools)
    return of_both("sum", said.tools, base, part)


async def counted_once(plan: Plan, asking: Asking) -> Plan:
    """Return the plan of two rounds for a sum of two sums that counts no row twice; where they can't be told apart it asks."""
    calls = plan.rounds[0]
    if len(calls) != _BOTH or plan.rounds[1][0].arguments.get("operation") != "sum":
        return plan
    base, part = (meaning_of(call, asking.context) for call in calls)
    of_base, of_part = await _rows_of(base, asking.context), await _rows_of(part, asking.context)
    if not of_base & of_part:
        return plan
    if of_part <= of_base or of_base <= of_part:
        return replace(plan, rounds=(calls[:1] if of_part <= of_base else calls[1:],))
    names = union(base.about.get(slot) for slot in SUBJECTS)
    rest = part.on(exclude=names) if base.periods == part.periods and "exclude" not in part.about else None
    rounds = of_both("sum", asking.tools, base, rest) if rest else None
    return replace(plan, rounds=rounds) if rounds else Plan("clarify", question=COUNTED_TWICE, trace=plan.trace)


async def _rows_of(meaning: Meaning, context: ToolContext) -> set[int]:
    """Return the transactions that a sum is of."""
    period = meaning.period
    asked = Asked(period=phrase_of(period) if period else None, **meaning.about)
    scoped, _ = await resolve_population(asked, meaning.of, context)
    return set(await context.ledger.ids(scoped.wanted))


def _of_the_same_noun(said: Asking, base: Meaning) -> list[str]:
    """Return the merchants named by the noun that stands and the name of an account ("with the one for the Mastercard")."""
    of_it = {word.key for name in names_of(base.about.get("merchant")) for word in words(name)}
    accounts = [{word.key for word in words(mention.text)} for mention in said.reading.of("account")]
    named = {name: {word.key for word in words(name)} for _, name in said.context.vocabulary.merchants}
    return [name for name, keys in named.items() if keys & of_it and any(each <= keys for each in accounts)]


def left_in_the_end(said: Asking, base: Meaning, past: Sequence[PastTurn]) -> Rounds | None:
    """Return what is left of two answers, or of savings when what came back of them is taken off."""
    if are_of_two(past) and (said.says(cues.IN_THE_END) or _asks_what_is_left(said, base)):
        came_in = [meaning_of_scope(scope, said.context).of in _CAME_IN for scope in last_two(past)]
        figures = last_figures(past, "rest") if sum(came_in) == 1 else []
        figures = figures[::-1] if came_in[0] else figures  # what came back is taken off what was spent
        call = Call(CALCULATE, {"operation": "rest", "values": figures})
        return ((call,),) if len(figures) > 1 and CALCULATE in said.tools else None
    came_back = said.says(cues.TAKEN_OFF) and said.says(cues.SAVED_BACK)
    if base.of not in _SAVINGS or not (came_back or said.says(cues.NET_OF_IT)):
        return None
    saved = "savings" if base.of == "savings_back" else base.of
    return of_both("rest", said.tools, *(base.but(act="total", of=of) for of in (saved, "savings_back")))


def _asks_what_is_left(said: Asking, base: Meaning) -> bool:
    """Whether it is asked what is left of a sum of which somebody has just been said to have given a part back."""
    return said.said("show") == "left" and base.of in _CAME_IN and not (said.named or said.periods)


def of_both(operation: str, tools: Mapping[str, Tool], *sums: Meaning) -> Rounds | None:
    """Return a figure made of two sums."""
    made = [rounds_of(meaning, tools) for meaning in sums]
    calls = [rounds[0][0] for rounds in made if rounds]
    return computed(operation, *calls) if len(calls) == len(made) and CALCULATE in tools else None


def _is_of_the_same(part: Meaning, base: Meaning) -> bool:
    return all(set(names_of(part.about.get(slot))) <= set(names_of(base.about.get(slot))) for slot in SUBJECTS)


def _is_within(inner: tuple[Period, ...], outer: tuple[Period, ...]) -> bool:
    """Whether what came back came in the time of the sum, which is net of it already."""
    return not outer or all(any(one.start <= each.start and each.end <= one.end for one in outer) for each in inner)
