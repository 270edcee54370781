"""How a message turns the meaning that stands, as its form alone tells: why, what came back, the one before."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from graph.planner.meaning import SUBJECTS
from graph.planner.missed import missed_in, missed_of
from graph.planner.vocabulary import DEDUCTED
from language import cues
from language.lexicon import holds
from ledger.periods import Period, previous_period, year_before
from tools.slots.names import names_of
from tools.slots.period import periods_in

if TYPE_CHECKING:
    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning

_A_YEAR = 365
#: What was paid to somebody, and what they paid.
_OTHER_WAY = {"spending": "income", "income": "spending", "refunds": "spending"}
_SINGLED = ("rank", "extreme")
_ENDS = {"largest": "largest", "smallest": "smallest", "last": "latest", "first": "first"}


def act_as_written(said: Asking, base: Meaning) -> str | None:
    """Return the act that a form asks of what stands: the rows of a sum, the last time."""
    by_itself = said.says(cues.ITEMISED) and not said.said("per")
    if base.act == "total" and (said.says(cues.WHICH_DAY) or by_itself):
        return "rows"
    return "extreme" if said.says(cues.LAST_TIME) and base.act in ("total", "count", "rows", "exists") else None


def turned(said: Asking, base: Meaning) -> Meaning | None:
    """Return the meaning that a form makes of the one that stands; None where it makes none."""
    ways = (_one_of_the_rows, _without_any, _looked_at, _left_of_it, _other_money, _next_or_before)
    return next(filter(None, (way(said, base) for way in ways)), None)


def goes_the_other_way(said: Asking, base: Meaning) -> bool:
    """Whether a message asks for the money that went the other way ("and how much has she sent me?")."""
    to_me, by_me = said.says(cues.TO_ME), said.says(cues.I_PAID)
    return to_me != by_me and base.of in (
        ("spending", "all", "transfers") if to_me else ("income", "refunds", "all", "transfers")
    )


def is_given_back_by_another(said: Asking, base: Meaning) -> bool:
    """Whether it is asked what somebody else than was paid gave back of a sum: the insurer, of the dentist's bill."""
    standing = {name for slot in SUBJECTS for name in names_of(base.about.get(slot))}
    named = {name for slot in SUBJECTS for mention in said.reading.of(slot) for name in names_of(mention.value)}
    back = said.ruled_of == "refunds" or said.says(cues.CAME_BACK)
    return base.of == "spending" and back and bool(named) and named.isdisjoint(standing)


def _one_of_the_rows(said: Asking, base: Meaning) -> Meaning | None:
    """Return the dearest or latest of the rows that were listed ("which was the dearest?")."""
    end = _ENDS.get(said.said("measure"))
    if base.act != "rows" or end is None or not _asks_of_one(said):
        return None
    of = "spending" if base.of == "all" else base.of
    return base.but(act="extreme", of=of, end=end, nth=said.nth, sort=None, limit=None)


def _without_any(said: Asking, base: Meaning) -> Meaning | None:
    """Return the months in which there was nothing of what stands ("one month it never came, which one?")."""
    if missed_in(said.text) is None or said.named or not (base.named or base.of != "spending"):
        return None
    return missed_of(said, base.but(periods=said.periods or base.periods))


def _looked_at(said: Asking, base: Meaning) -> Meaning | None:
    """Return when or where what was answered was, what it was at first, or why it was so."""
    if base.act == "extreme" and asks_of_the_row(said):
        return base
    if base.act == "exists" and said.says(cues.WHEN):
        return base.but(act="extreme", end="latest")
    if base.named and said.says(cues.AT_FIRST):
        return base.but(act="extreme", end="first", periods=())
    why = base.act == "total" and said.says(cues.WHY)
    return base.but(act="change", by=None, end="both", periods=base.periods[:1]) if why else None


def _left_of_it(said: Asking, base: Meaning) -> Meaning | None:
    """Return what was left of a sum when all of it had come back that did ("what did it cost me in the end?")."""
    whole = said.says(cues.IN_THE_END) and base.named and not said.named
    if not whole or base.of not in ("spending", "refunds"):
        return None
    return base.but(act="total", of="left" if base.about.keys() == {"merchant"} else "spending")


def _asks_of_one(said: Asking) -> bool:
    """Whether a superlative is of one of the rows that were listed ("which was the dearest?")."""
    return not (said.named or said.reading.of("by") or said.reading.of("period") or said.reading.of("limit"))


def asks_of_the_row(said: Asking) -> bool:
    """Whether a message asks when, where or how much one row of the answer before was, which that states at once."""
    if said.named or said.reading.of("period"):
        return False
    return said.says(cues.WHICH_DAY) or said.says(cues.WHICH_PLACE) or holds("same", said.reading.words)


def _other_money(said: Asking, base: Meaning) -> Meaning | None:
    """Return the money that went the other way, or a sum of which what came back is taken off, as refunds are already."""
    if said.says(cues.REVERSED) and base.of in _OTHER_WAY:
        return base.but(of=_OTHER_WAY[base.of])
    if said.says(cues.NETTED) and _is_netted(said, base):
        return net_of_refunds(base)
    if said.says(cues.CAME_BACK) and base.of in ("spending", "all") and base.named:
        when = said.periods or base.periods
        return base.but(act=_asked_of_refunds(said), of="refunds", end="latest", periods=when)
    deducts = said.reading.of("operation") or said.reading.has(DEDUCTED)
    back = said.says(cues.SAVED_BACK) and base.of in ("savings", "transfers") and not deducts
    return (
        base.but(act=_asked_of_refunds(said), of="savings_back", end="latest", periods=said.periods or base.periods)
        if back
        else None
    )


def _is_netted(said: Asking, base: Meaning) -> bool:
    """Whether what came back is to be taken off a sum, and nothing that has a name ("wenn man die Miete abzieht")."""
    out = any(mention.excluded for mention in said.reading.mentions)
    return (base.act, base.of) == ("total", "spending") and not out


def net_of_refunds(base: Meaning) -> Meaning:
    """Return a sum less what came back of it, as every sum is but that of one who also paid something in."""
    return base.but(of="left") if base.about.keys() == {"merchant"} else base


def _asked_of_refunds(said: Asking) -> str:
    """Return what is asked of the money that came back: whether, when, which, or how much of it there was."""
    if said.says(cues.WHEN):
        return "extreme"
    told = said.told["act"].best
    return told if told in ("exists", "rows", "count") else "total"


def _next_or_before(said: Asking, base: Meaning) -> Meaning | None:
    """Return the second or third of what the question before asked the first of, or the one before what it was of."""
    before = said.says(cues.ONE_BEFORE)
    if base.act in _SINGLED:
        nth = base.nth + 1 if before else said.nth
        return base.but(nth=nth, limit=None) if nth > 1 else None
    if len(base.periods) == 1:
        if said.says(cues.YEAR_AGO) and base.periods[0].days < _A_YEAR:
            return base.but(periods=(year_before(base.periods[0]),))
        other = (
            _period_before(said, base.periods[0]) if said.says(cues.THE_PERIOD_BEFORE) else _counted_from(said, base)
        )
        if other:
            return base.but(periods=(other,))
    if not before or not base.named or base.period is None or said.reading.of("period"):
        return None
    return base.but(act="extreme", end="latest", periods=(Period(date.min, base.period.start - timedelta(1)),))


def _counted_from(said: Asking, base: Meaning) -> Period | None:
    """Return the period that a message counts from that of the question before: "and the month after?"."""
    timed = any(mention.slot == "period" for mention in said.reading.mentions)
    if timed or said.named or said.unknown:
        return None
    context = said.context
    found = periods_in(said.reading.text, context, base.periods[0])
    return found[0].period if len(found) == 1 else None


def _period_before(said: Asking, period: Period) -> Period | None:
    """Return the period before one, or the same of the year before where it is named again ("in the August before")."""
    named = said.reading.of("period")
    if not named:
        return previous_period(period)
    value, rest = named[0].value, said.text[named[0].end :]
    again = (value.start, value.end) == (period.start, period.end) and any(map(str.isalpha, rest))
    return year_before(period) if again else None  # "the month before" is a date by itself
