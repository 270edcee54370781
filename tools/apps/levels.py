"""How far apart two regular prices are: of what runs now and what it replaced, or of one thing and another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.filters import Filter
from ledger.money import Money
from ledger.periods import Period
from ledger.recurring import Payment
from tools.apps.measures import end_of
from tools.apps.series import filter_of, last_day, regular, table_of
from tools.arithmetic import percent
from tools.results import Fact, Result
from tools.slots.names import merchant_keys, names_of
from tools.wording import when

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from language.catalogue import Template
    from ledger.recurring import Series
    from tools.apps.scope import Asked
    from tools.context import ToolContext

#: From how many payments on somebody has a price who is paid in no rhythm.
_FEWEST = 3
_HOW_FAR = {
    "more": "{what}: {after} {per} {when}, {change} ({change_share}) more than {former}: {before} {before_when}",
    "less": "{what}: {after} {per} {when}, {change} ({change_share}) less than {former}: {before} {before_when}",
    "same": "{what}: {after} {per} {when}, as much as {former} {before_when}",
}


async def two_apart(asked: Asked, which: str, about: str, context: ToolContext) -> Result:
    """Say how far apart two prices are: of two that are named, or of one and what it replaced or was replaced by."""
    pair = await _pair(asked, which, context)
    if pair is None:
        return Result(
            "I can't tell two prices from that. Which two payments that come in a rhythm do you mean?", kind="clarify"
        )
    return apart(*pair, about, context)


def what_it_replaced(series: Series, every: Sequence[Series], today: date) -> Series | None:
    """Return the one of its category that ended when a series began; None where there is none, or several."""
    ended = [each for each in every if each.has_ended(today) and _came_after(series, each)]
    return ended[0] if len(ended) == 1 else None


def opened(headline: Template, about: str, by: int, changed: date | None, context: ToolContext) -> Template:
    """Return a headline that begins with yes or no, or with the month of the change, where that was asked for.

    ``by``: how far a price is above another; ``changed``: when it became that, if it did.
    """
    if about == "month" and changed:
        month = Period(changed.replace(day=1), end_of(changed, "month", context.week_start))
        return say("{month}: {told}", month=when(month, context.language), told=headline)
    more, less = dict.fromkeys(("rose", "dearer"), by > 0), dict.fromkeys(("fell", "cheaper"), by < 0)
    claims = {**more, **less, "changed": changed is not None, "constant": changed is None}
    if about not in claims:
        return headline
    return say("Yes: {told}" if claims[about] else "No: {told}", told=headline)


def apart(series: Series, other: Series, about: str, context: ToolContext) -> Result:
    """Say how far the price of something regular is from another's, by the month where their rhythms differ."""
    alike = series.rhythm is other.rhythm
    after, before = (each.current if alike else each.monthly for each in (series, other))
    by, yearly = after.amount_minor - before.amount_minor, series.yearly.amount_minor - other.yearly.amount_minor
    facts = [
        Fact.money("change", "Difference", Money(abs(by), series.currency), how="the first less the second"),
        Fact.money("after", "Price", after, subject=series.merchant),
        Fact.money("before", "Price", before, subject=other.merchant),
        Fact("change_share", "Difference, of the old", percent(abs(by), before.amount_minor) or 0, "percent"),
        Fact.money("change_yearly", "Difference a year", Money(abs(yearly), series.currency), how="by their rhythms"),
    ]
    days, whens = zip(*(_when(*each, context) for each in ((series, "after_on"), (other, "before_on"))), strict=True)
    told = say(_HOW_FAR["same" if not by else "more" if by > 0 else "less"], when=whens[0], before_when=whens[1])
    return Result(
        headline=opened(told, about, by, series.since if by else None, context),
        facts=(*facts, *days),
        notes=("a difference of {change_yearly} a year",) if by else (),
        names={
            "what": series.merchant,
            "former": other.merchant,
            "per": say(series.rhythm.per if alike else "a month"),
        },
        table=table_of((series, other)),
        behind=(filter_of((series, other)),),
    )


def _when(series: Series, name: str, context: ToolContext) -> tuple[Fact, Template]:
    """Return the day of a price and the words for it: until when it was paid, since when it is, or when it was last."""
    ended = series.has_ended(last_day(context))
    word = "until" if ended else "since" if series.settled else "on"
    day = Fact(name, "Paid", series.price_since if word == "since" else series.last, "date", subject=series.merchant)
    return day, say(f"{word} {{day}}", day=say(f"{{{name}}}"))


async def _pair(asked: Asked, which: str, context: ToolContext) -> tuple[Series, Series] | None:
    """Return what is asked about and what it is set against; None where that can't be told.

    Of each payee it is the latest, and one of which two run is never told. Of two payees that are named, it is the one
    that goes on, else the later one, and where both go on the one named first.
    """
    today, found = last_day(context), await _found(asked, which, context)
    running = [each.key for each in found if not each.has_ended(today)]
    if len(running) > len(set(running)):
        return None
    found = list({each.key: each for each in sorted(found, key=lambda each: each.last)}.values())
    if asked.merchant and len(found) == 2:
        order = names_of(asked.merchant)
        told = dict(context.vocabulary.merchants)
        found.sort(key=lambda each: order.index(told[each.key]))
        if any(each.has_ended(today) for each in found):
            found.sort(key=lambda each: each.last, reverse=True)
        return (found[0], found[1]) if found[0].currency == found[1].currency else None
    every = await regular(replace(asked, category=None, merchant=None), which, context)
    pairs = [(each, former) for each in found if (former := what_it_replaced(each, every, today))]
    if len(found) == 1 and not pairs:
        pairs = [(each, found[0]) for each in every if not each.has_ended(today) and _came_after(each, found[0])]
    return pairs[0] if len(pairs) == 1 else None


async def _found(asked: Asked, which: str, context: ToolContext) -> list[Series]:
    """Return what is named; a category tells only which of more than two payees are meant."""
    found = await regular(replace(asked, category=None) if asked.merchant else asked, which, context)
    if len({each.key for each in found}) == 1 and asked.merchant:
        found += (await _out_of_rhythm(found[0], asked, context)).values()
    categories = names_of(asked.category) if len({each.key for each in found}) > 2 else ()
    return [each for each in found if not categories or each.category in categories]


async def _out_of_rhythm(series: Series, asked: Asked, context: ToolContext) -> dict[str, Series]:
    """Return the other payees that are named whose payments keep no rhythm, by their keys, as what they came to last."""
    keys = [key for key in merchant_keys(names_of(asked.merchant), context) if key != series.key]
    found = {}
    for key in keys:
        rows = await context.ledger.rows(Filter(merchants=(key,), sign=1 if series.comes_in else -1), "oldest")
        payments = tuple(Payment(row.booked_on, abs(row.amount_minor)) for row in rows)
        if len(payments) >= _FEWEST and payments[-1].minor in (each.minor for each in payments[-_FEWEST:-1]):
            last = rows[-1]
            alike = replace(series, merchant=last.merchant, key=key, category=last.category, currency=last.currency)
            found[key] = replace(alike, payments=payments, settled=False)
    return found


def _came_after(series: Series, former: Series) -> bool:
    """Whether a series is of the kind of another and began about when that one ended, at most one beat of it missed."""
    beat = former.due - former.last
    begun = former.last - beat <= series.since <= former.due + beat and former.since < series.since
    alike = (series.category, series.currency, series.comes_in) == (former.category, former.currency, former.comes_in)
    return alike and begun and series.key != former.key
