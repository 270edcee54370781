"""What only the ledger can tell of a plan: words that its descriptors hold, and names that nothing has in common."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graph.planner.intents import CATEGORY, COMPARE, INCOME, LIST, MERCHANT, SEARCH, SUMMARY, wants_of
from graph.planner.plan import Plan
from graph.planner.pointing import mention_at
from graph.planner.settling import OF_SPENDING, TAKEN
from language.reader import reader
from ledger.filters import Filter
from ledger.transactions import Flow, Kind
from tools.calls import Call
from tools.slots.names import merchant_keys, names_of

if TYPE_CHECKING:
    from graph.planner.witness import Asking
    from language.words import Word

_MEASURE = "transactions-measure"
#: How the rows of each money are told, the likeliest first.
_HELD: dict[str, dict[str, Any]] = {
    "spending": {"flow": Flow.SPENDING},
    "income": {"flow": Flow.INCOME},
    "transfers": {"kinds": (Kind.TRANSFER,)},
    "cash": {"kinds": (Kind.CASH,)},
    "fees": {"kinds": (Kind.FEE,)},
}
#: Arguments that say what is told of the rows, and of which.
_TOLD = frozenset({"measure", "by", "per", "what", "of", "show", "kind", "nth"})
#: Acts whose subject may be words of the ledger's own.
_SEARCHED = frozenset("total rows exists identify level count frequency extreme which".split())
#: Tools whose plan names no subject.
_WHOLE = frozenset({SUMMARY, INCOME})
_LONGEST_NAME = 3
_SHORTEST_WORD, _SHORTEST_NAME = 3, 6


async def looked_up(plan: Plan, asking: Asking) -> Plan:
    """Return the plan with what the ledger itself tells of the words in it."""
    return await _by_words(await _apart(await of_what_there_is(plan, asking), asking), asking)


async def of_what_there_is(plan: Plan, asking: Asking) -> Plan:
    """Return the plan about the money that the ledger holds of what is named, where it holds none of the kind asked about.

    What somebody was only ever paid is income, whatever verb is used; what only went to savings is a transfer.
    """
    if plan.kind != "calls" or not plan.rounds:
        return plan
    first = tuple([await _of_what_there_is(call, asking) for call in plan.rounds[0]])
    return replace(plan, rounds=(first, *plan.rounds[1:]))


async def _of_what_there_is(call: Call, asking: Asking) -> Call:
    of, given = _money_of(call), call.arguments
    if of is None:
        return call
    merchants = merchant_keys(names_of(given.get("merchant")), asking.context)
    named = Filter(categories=names_of(given.get("category")), merchants=merchants)
    if not (named.categories or named.merchants):
        return call
    ledger = asking.context.ledger
    held = [each for each, rows in _HELD.items() if await ledger.totals(replace(named, **rows))]
    other = _asked_of(held[0], call, asking) if held and of not in held else None
    return other or call


def _money_of(call: Call) -> str | None:
    """Return which money a call is about: spending, income or transfers; None for any other."""
    if call.name == LIST:
        return "spending" if call.arguments.get("kind") == "spending" else None
    if call.name == _MEASURE:
        of = {"savings": "transfers"}.get(call.arguments.get("of", ""), call.arguments.get("of"))
        return of if of in _HELD and of not in ("spending", "income") else None
    return "income" if call.name == INCOME else "spending" if call.name in OF_SPENDING else None


def _asked_of(of: str, call: Call, asking: Asking) -> Call | None:
    """Return the same asked of other money."""
    given = call.arguments
    measure = given.get("measure", given.get("what"))
    ranked = given.get("by") not in (None, "purchase")
    if call.name == LIST:
        name, more = LIST, {"kind": {"transfers": "transfer"}.get(of, of)}
    elif call.name == COMPARE:
        name, more = COMPARE, {"of": of}
    elif given.get("per"):
        name, more = "transactions-per_interval", {"of": of, "grain": given["per"], "show": "average"}
    elif ranked:
        name, more = "transactions-rank", {"of": of, "by": given["by"]}
    else:
        name, more = _MEASURE, {"of": of, "what": {"last": "latest"}.get(str(measure), measure or "total")}
    tool = asking.tools.get(name)
    if tool is None:
        return None
    takes = tool.parameters["properties"]
    return Call(name, {key: value for key, value in given.items() if key in takes and key not in _TOLD} | more)


async def _by_words(plan: Plan, asking: Asking) -> Plan:
    """Return the plan for words that nothing explains and the ledger's descriptors hold, where these are asked about."""
    of_income = asking.act in ("total", "count", "exists") and any(call.name == INCOME for call in plan.calls)
    sought = asking.act == "exists" and bool(_capitalised(asking)) and not asking.reading.of("merchant")
    if plan.kind == "calls" and not sought and any(call.name not in _WHOLE for call in plan.calls):
        return plan
    if (
        asking.act not in _SEARCHED
        or asking.told["act"].sure < TAKEN
        or not (sought or of_income or wants_of(asking.reading).cues & {"spent", "list", "income"})
        or (asking.named and not sought)
        or (plan.kind == "calls" and not plan.unread and not of_income)
        or any(mention.value != "purchase" for mention in asking.reading.of("kind"))
    ):
        return plan
    if sought:
        return _planned(asking.call(SEARCH, query=" ".join(_capitalised(asking))), plan)
    held = []
    left = {word.start for word in wants_of(asking.reading).left}
    words = [word for word in asking.unread if word.start in left] or (_names_of_income(asking) if of_income else [])
    for word in words:
        written = asking.reading.text[word.start : word.end]
        if len(written) >= _SHORTEST_WORD and (await asking.context.search.find(written, 3)).literal:
            held.append(written)
    if not held or len(held) > _LONGEST_NAME:
        return plan
    query = " ".join(held)
    if asking.of == "spending" and not of_income:
        return _planned(asking.call(SEARCH, query=query), plan)
    of, what = "income" if of_income else asking.of, "count" if asking.act == "count" else "total"
    return _planned(asking.call(_MEASURE, of=of, what=what, text=query), plan)


def _planned(call: Call | None, plan: Plan) -> Plan:
    """Return the plan for what was looked up, or the one before where the tool for it is switched off."""
    return plan if call is None else Plan("calls", ((call,),), 0.6, trace={**plan.trace, "read_as": "looked up"})


def _capitalised(asking: Asking) -> list[str]:
    """Return the words that nobody explains and that are written like names."""
    written = [asking.reading.text[word.start : word.end] for word in asking.unread]
    return [each for each in written if each[0].isupper() and not each.isupper()]


def _names_of_income(asking: Asking) -> list[Word]:
    """Return the words that may say which income is meant ("freelance income"): those that not every question has."""
    outside = [word for word in asking.reading.words if mention_at(asking.reading, word) is None]
    return [word for word in outside if len(word.key) >= _SHORTEST_NAME and not reader().is_common(word.key)]


async def _apart(plan: Plan, asking: Asking) -> Plan:
    """Take a category out of a plan whose merchant has nothing in it ("at Greggs for breakfast"), and say so."""
    if plan.kind != "calls" or len(plan.calls) != 1:
        return plan
    call = plan.calls[0]
    given = call.arguments
    categories, merchants = names_of(given.get("category")), names_of(given.get("merchant"))
    if not categories or not merchants:
        return plan
    both = Filter(categories=categories, merchants=merchant_keys(merchants, asking.context))
    if await asking.context.ledger.totals(both):
        return plan
    said = tuple(mention.text for mention in asking.reading.of("category"))
    rest = {key: value for key, value in given.items() if key != "category"}
    name = MERCHANT if call.name == CATEGORY else call.name
    return replace(plan, rounds=((Call(name, rest),),), unread=(*plan.unread, *said))
