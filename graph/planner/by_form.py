"""What a sentence asks for by its form, where that tells it better than the reader does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.planner.levels import (
    asks_of_a_price_since,
    asks_of_two_prices,
    asks_what_the_former_was,
    asks_whether_it_is_more,
)
from graph.planner.missed import asks_for_missed
from graph.planner.persons import asks_what_is_owed, nets_both_ways
from graph.planner.understanding import DEAREST, asks_which_account, grew, is_regular, is_repriced
from language import cues
from language.lexicon import holds, listed
from tools.slots.names import names_of

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from graph.planner.asking import Asking

#: Below this, the form of a sentence says what it asks for.
SURE_OF_ACT = 0.6
_INCOME = frozenset({"income", "salary"})


def act_by_form(asking: Asking) -> str | None:
    """Return the act that a sentence asks for by its form; None where the reader is sure of it, or no form tells."""
    certain = _act_for_certain(asking)
    if certain or not _is_told_by_form(asking):
        return certain
    return _act_in_so_many_words(asking) or (_act_of_names(asking) if asking.is_fragment else _act_of_sentence(asking))


def _act_for_certain(asking: Asking) -> str | None:
    """Return the first act whose form is told, however sure the reader is of another."""
    told = asking.told["act"].best
    text = asking.text
    forms = (
        each
        for each in _FORMS
        if (each.instead_of is None or told in each.instead_of) and (each.cue is None or each.cue.search(text))
    )
    return next((each.act for each in forms if each.said is None or each.said(asking)), None)


def _is_of_one_amount(asking: Asking) -> bool:
    """Whether it is asked where, when or by whom just some amount was paid ("where did I spend £64 last December?")."""
    bounds = [asking.reading.of(slot) for slot in ("over", "under")]
    exact = all(bounds) and bounds[0][0].text == bounds[1][0].text
    asks = bool(asking.reading.words) and asking.reading.words[0].key in listed("asking_after")
    return exact and asks and asking.said("measure") is None


def _asks_what_it_was(asking: Asking) -> bool:
    """Whether it is asked what just some amount was paid for ("what was that $49 from Planet Fitness?")."""
    bounds = [asking.reading.of(slot) for slot in ("over", "under")]
    return asking.says(cues.WHAT_WAS) and all(bounds) and bounds[0][0].text == bounds[1][0].text


def _asks_what_comes_every(asking: Asking) -> bool:
    """Whether all are asked for that come in one rhythm ("which bills do we pay once a year?")."""
    return asking.says(cues.WHICH) and asking.says(cues.COMES_EVERY) and not asking.has("merchant")


def _asks_for_the_dearest_subscription(asking: Asking) -> bool:
    """Whether it is asked which subscription costs the most or least, and not when most was paid."""
    if not asking.says(cues.SUBSCRIBED):
        return False
    ranked = asking.said("measure") in DEAREST
    when = any(mention.value in ("day", "week", "month", "year") for mention in asking.reading.of("by"))
    named = asking.has("merchant") or asking.periods or when or asking.says(cues.WHEN)
    return ranked and not named


def _asks_which_changed(asking: Asking) -> bool:
    """Whether it is asked which of several regular things became dearer or cheaper."""
    several = asking.says(cues.REGULAR_THINGS) or len(names_of(asking.about.get("merchant"))) > 1
    return asking.says(cues.WHICH) and is_repriced(asking) and several


def _asks_which_of_a_category(asking: Asking) -> bool:
    """Whether all are asked for that are paid of a kind, also those whose rhythm the file does not show yet."""
    rhythm = asking.says(cues.SUBSCRIBED) or asking.says(cues.EACH) or asking.says(cues.REGULAR_THINGS)
    return asking.says(cues.WHICH) and asking.has("category") and not rhythm


def _asks_for_payers(asking: Asking) -> bool:
    """Whether all are asked for who paid, at whatever amounts ("who sent me money in May?")."""
    narrowed = {"over", "under", "merchant", "text"} & asking.about.keys()
    comes_in = asking.of in (*_INCOME, "refunds") and asking.says(cues.TO_ME)
    one = asking.told["act"].best == "extreme" or asking.said("measure") is not None
    plain = not narrowed and not asking.unknown and not one
    return plain and comes_in


def _asks_when(asking: Asking) -> bool:
    """Whether the day of something is asked for that is not still to come."""
    today = asking.context.today
    past = bool(asking.periods) and all(period.end <= today for period in asking.periods)
    told = asking.told["act"]
    settled = told.best != "next" or told.sure < SURE_OF_ACT or past or asking.says(cues.HAPPENED)
    when = asking.says(cues.WHEN) and not holds("since_when", asking.reading.words)
    return settled and when and asking.named and asking.said("measure") is None


def _asks_whether(asking: Asking) -> bool:
    """Whether a sentence asks if there was something, and no amount of it."""
    first = asking.reading.words[0].key if asking.reading.words else ""
    asks = asking.named and first in listed("whether") and first != "was"  # which is “what” in German
    return asks and not asking.says(cues.AMOUNT) and not asking.says(cues.MORE)


def _asks_how_far_apart(asking: Asking) -> bool:
    """Whether it is asked how many days lay between the last two times of something, between two things, or since the last."""
    measures = {each.value for each in asking.reading.of("measure")}
    moments = {"first", "last"} <= measures or len(asking.reading.of("merchant")) > 1
    two = asking.says(cues.LAST_TWO) or (moments and not asking.periods)  # "… from January to June" is when it was
    between = asking.says(cues.DAYS_BETWEEN) and two
    return asking.named and (between or asking.says(cues.DAYS_AGO))


def _counts_amounts(asking: Asking) -> bool:
    """Whether purchases of some size are counted ("how many of my shops came to more than 50?")."""
    return asking.said("measure") == "count" and not {"over", "under"}.isdisjoint(asking.about)


def _asks_for_their_part(asking: Asking) -> bool:
    """Whether it is asked if somebody paid their part, which is no share of a sum ("has Hanne given me her share?")."""
    return _asks_whether(asking) and asking.has("merchant") and asking.says(cues.TO_ME) and asking.says(cues.THEIRS)


def _asks_who(asking: Asking) -> bool:
    paid = asking.says(cues.TO_ME) or asking.says(cues.I_PAID)
    return asking.says(cues.WHO) and paid and not asking.named


def _asks_where_more_often(asking: Asking) -> bool:
    """Whether two shops are set against each other by how often they were paid."""
    return len(names_of(asking.about.get("merchant"))) > 1


def _asks_what_is_usual(asking: Asking) -> bool:
    """Whether it is asked what a bill of something comes to most of the time ("what's the EE bill normally?")."""
    return asking.named and not asking.unknown


def _asks_how_much_an_account_grew(asking: Asking) -> bool:
    """Whether it is asked how much more came into an account than left it ("by how much has my ISA grown?")."""
    return "account" in asking.about and grew(asking) and asking.told["act"].best != "leftover"


def _asks_for_one_price(asking: Asking) -> bool:
    """Whether one payee is named who is paid regularly, and no time of which a sum could be asked for."""
    return len(asking.reading.of("merchant")) == 1 and not asking.periods and is_regular(asking)


def _asks_for_the_weekday(asking: Asking) -> bool:
    """Whether a weekday is asked for on which something comes or goes, and no weekday's figure."""
    return asking.says(cues.WEEKDAY) and (asking.named or asking.of != "spending")


def _asks_who_is_second(asking: Asking) -> bool:
    """Whether the second or third of a kind of places is asked for ("which supermarket comes third?")."""
    ranked = "category" in asking.about and asking.nth > 1
    return ranked and asking.says(cues.WHICH)


def _asks_which_account(asking: Asking) -> bool:
    """Whether an account is asked for, and nothing that is largest or last in one."""
    return asks_which_account(asking) and not asking.said("measure")


def _asks_for_a_share_saved(asking: Asking) -> bool:
    return asking.says(cues.TO_SAVINGS) and asking.says(cues.OF_INCOME)


def _is_told_by_form(asking: Asking) -> bool:
    """Whether the form of a sentence tells what is asked for better than the reader does."""
    if asking.told["act"].sure < SURE_OF_ACT:
        return True
    bounded = {"over", "under"} & asking.about.keys()  # "payments over 50 euros in May"
    unsaid = asking.told["act"].best == "extreme"  # names and dates alone say no superlative
    return asking.is_fragment and (bool(bounded) or unsaid)


def _act_in_so_many_words(asking: Asking) -> str | None:
    """Return the act that words of the sentence say: how a price changed, one by one, since when."""
    if is_repriced(asking):
        return "level_change"
    if asking.says(cues.ONE_BY_ONE):
        return "series"
    since_when = holds("since_when", asking.reading.words) and (asking.named or asking.of in _INCOME)
    return "ended" if since_when else None


def _act_of_names(asking: Asking) -> str:
    """Return what names and dates alone ask for: a sum, rows, or what was of just one amount."""
    return ("total", "rows", "identify")[len({"over", "under"} & asking.about.keys())]


def _act_of_sentence(asking: Asking) -> str | None:
    """Return the act that the form of a whole sentence tells: a sum, or a superlative of what is named."""
    alone = asking.periods and not asking.unknown and not asking.follows
    if (alone and (asking.told["act"].best == "total" or _is_a_sum(asking))) or _is_paid(asking):
        return "total"
    superlative = asking.said("measure") in ("largest", "smallest") and asking.said("by") in (None, "purchase")
    told = asking.named or asking.said("limit")
    return "extreme" if superlative and told and not asking.unknown else None


def _is_a_sum(asking: Asking) -> bool:
    """Whether it is asked what was paid by card, or all that came in."""
    by_card = asking.says(cues.ON_THE_CARD) and asking.says(cues.SUM_ASKED)
    sums = asking.told["act"].best in ("total", "rows")
    return sums and (by_card or (asking.of in _INCOME and asking.says(cues.COMES_IN)))


def _is_paid(asking: Asking) -> bool:
    """Whether it is asked how much went to somebody or came from them ("how much did I send Nora?")."""
    paid = asking.says(cues.I_PAID) or asking.says(cues.TO_ME)
    return paid and asking.says(cues.AMOUNT) and asking.has("merchant") and not asking.unknown


@dataclass(frozen=True, slots=True)
class _Form:
    """A form that tells an act for certain, where the reader took it for one of some others (``None`` for any)."""

    act: str
    instead_of: frozenset[str] | None
    said: Callable[[Asking], bool] | None
    cue: re.Pattern[str] | None = None
    """What it says in any case, and all that it says where there is no ``said``."""


#: The forms that tell an act for certain, the first that fits.
_FORMS = (
    _Form("apart", None, asks_of_two_prices, cues.BY_HOW_MUCH),
    _Form("level_change", frozenset({"compare", "level", "change", "exists"}), asks_whether_it_is_more),
    _Form(
        "apart",
        frozenset("level level_change compare total identify exists".split()),
        asks_what_the_former_was,
        cues.OLD_ONE,
    ),
    _Form("level_change", frozenset("compare level change average".split()), asks_of_a_price_since, cues.COMPARED_TO),
    _Form("owed", None, asks_what_is_owed, cues.OWES_ME),
    _Form("compare", None, nets_both_ways),
    _Form("level_change", frozenset("series change compare level rank trend average".split()), is_repriced),
    _Form(
        "level_change",
        frozenset({"total", "share"}),
        is_repriced,
        cues.BY_HOW_MUCH,
    ),
    _Form("level", frozenset({"total", "identify", "change"}), None, cues.CHARGING),
    _Form("level", frozenset({"level"}), _asks_for_one_price),
    _Form("recurring", frozenset("extreme rank which level repriced".split()), _asks_for_the_dearest_subscription),
    _Form("repriced", None, lambda asking: asking.says(cues.REGULAR_THINGS), cues.DEARER_MOST),
    _Form("which", frozenset({"recurring"}), _asks_which_of_a_category),
    _Form("recurring", frozenset("recurring next ended frequency rows".split()), _asks_what_comes_every),
    _Form("repriced", frozenset("level_change change which recurring rows rank exists".split()), _asks_which_changed),
    _Form("extreme", frozenset({"rank"}), None, cues.AT_ONCE),
    _Form(
        "extreme",
        frozenset({"total"}),
        lambda asking: asking.said("limit") and asking.said("measure") in ("first", "last"),
    ),
    _Form("count", frozenset({"share"}), _counts_amounts),
    _Form("exists", frozenset({"share"}), _asks_for_their_part),
    _Form("total", frozenset({"savings_rate"}), lambda asking: asking.ruled_of == "interest"),
    _Form(
        "days_between",
        frozenset("count frequency extreme no_spend compare".split()),
        _asks_how_far_apart,
    ),
    _Form("frequency", None, None, cues.EVERY_HOW_MANY),
    _Form("empty", None, asks_for_missed),
    _Form("series", frozenset({"total", "average", "count", "rows"}), None, cues.ONE_BY_ONE),
    _Form("average", frozenset({"extreme", "average", "level", "unusual"}), _asks_what_is_usual, cues.USUALLY),
    _Form("share", None, _asks_for_a_share_saved, cues.PERCENT),
    _Form("total", None, _asks_how_much_an_account_grew),
    _Form("rank", None, _asks_who_is_second, cues.RANKED_AT),
    _Form("rank", frozenset("level next total frequency extreme detail rank".split()), _asks_for_the_weekday),
    _Form("rank", None, _asks_which_account),
    _Form(
        "rows",
        frozenset({"detail", "extreme", "identify"}),
        lambda asking: asking.named and not asking.said("measure"),
        cues.WHAT_BOUGHT,
    ),
    _Form("rank", None, _asks_for_payers, cues.PAYERS),
    _Form("rank", None, _asks_where_more_often, cues.MORE_OFTEN),
    _Form("identify", None, _is_of_one_amount),
    _Form("identify", frozenset({"total", "rows", "detail", "exists"}), _asks_what_it_was),
    _Form("identify", frozenset({"share", "identify", "rows", "exists"}), _asks_who),
    _Form("extreme", frozenset("ended level total rows exists next which detail".split()), _asks_when),
    _Form("total", frozenset({"exists"}), None, cues.SUM_ASKED),
    _Form("exists", frozenset({"total"}), _asks_whether),
)
