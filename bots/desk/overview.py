"""A person's money at a glance, as an app's home page shows it; it only reads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from bots.desk.settings import preferences
from graph.answers import headline_of, result_reply, told_chart
from language.catalogue import Template, say
from language.tongue import DEFAULT
from ledger.batches import recent_batches
from ledger.filters import Filter
from ledger.money import to_decimal
from ledger.periods import Period
from ledger.transactions import Flow
from tools.apps.accounts import account_lines
from tools.apps.comparison import UNDER_THE_FIRST, compare
from tools.apps.spending import get_spending_summary
from tools.results import Chart
from tools.wording import month_name, tick

if TYPE_CHECKING:
    from bots.desk.desk import Desk
    from graph.reply import Reply
    from ledger.batches import Batch
    from ledger.people import Person
    from tools.apps.accounts import AccountLine
    from tools.context import ToolContext

_MONTHS = 6
_IMPORTS = 3
#: The tools whose answers are shown, and their apps: who has switched one of them off sees nothing of it.
_LISTING = frozenset(("accounts", "accounts-list"))
_SUMMARY = frozenset(("spending", "spending-get_spending_summary"))
_COMPARISON = frozenset(("spending", "spending-compare"))


@dataclass(frozen=True, slots=True)
class Overview:
    """What there is to see: the months' spending as replies, a chart, the latest imports, and what is set."""

    is_empty: bool
    locale: str
    language: str = DEFAULT
    this_month: Reply | None = None
    """To date."""
    compared: str = ""
    """This month beside the same days of the last one, in a sentence."""
    last_month: Reply | None = None
    chart: Chart | None = None
    """Spending in each of the last six full months, in the home currency."""
    accounts: tuple[AccountLine, ...] = ()
    """What there is in which account, and up to which day."""
    imports: tuple[Batch, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    """What the person has set, by name; the rest is the default."""


async def overview(desk: Desk, person: Person) -> Overview:
    """Return a person's overview as of today."""
    context = await desk.context(person)
    made = await preferences(desk, person)
    settings = tuple(made.items())
    if context.vocabulary.count == 0:
        return Overview(is_empty=True, locale=context.locale, language=context.language, settings=settings)
    shows = not _SUMMARY & context.switched_off
    return Overview(
        is_empty=False,
        locale=context.locale,
        language=context.language,
        this_month=await _summary("this_month", context) if shows else None,
        compared=await _compared(context) if shows and not _COMPARISON & context.switched_off else "",
        last_month=await _summary("last_month", context) if shows else None,
        chart=await _by_month(made.get("currency"), context) if shows else None,
        accounts=() if _LISTING & context.switched_off else tuple(await account_lines(context)),
        imports=await recent_batches(context.ledger, _IMPORTS),
        settings=settings,
    )


async def _summary(period: str, context: ToolContext) -> Reply:
    return result_reply(await get_spending_summary(context, period), context)


async def _compared(context: ToolContext) -> str:
    result = await compare(context)
    told = result.headline
    if isinstance(told, Template) and told.form in UNDER_THE_FIRST:
        told = say(UNDER_THE_FIRST[told.form], change=told.parts["change"])
    return headline_of(replace(result, headline=told), context) if result.kind == "answer" else ""


async def _by_month(home: str | None, context: ToolContext) -> Chart:
    """Chart the last six full months, those without spending included.

    A home currency that the ledger has nothing in would chart nothing; the one most used takes its place.
    """
    currency = home if home in context.vocabulary.currencies else context.currency
    first, last = _months_before(context.today.replace(day=1))
    wanted = Filter(period=Period(first[0], last), flow=Flow.SPENDING, currency=currency)
    spent = {group.key: group.totals.net_out_minor for group in await context.ledger.groups(wanted, "month")}
    keys = [f"{day:%Y-%m}" for day in first]
    labels = tuple(month_name(key, context.language) for key in keys)
    values = tuple(to_decimal(spent.get(key, 0), currency) for key in keys)
    ticks = tuple(tick(day, "month", context.language) for day in first)
    return told_chart(Chart("Spending per month", labels, values, currency, ticks=ticks, flow="out"), context.language)


def _months_before(month: date) -> tuple[list[date], date]:
    """Return the first days of the months before one, the oldest first, and the last day of the latest."""
    last = month - timedelta(days=1)
    firsts = [last.replace(day=1)]
    while len(firsts) < _MONTHS:
        firsts.append((firsts[-1] - timedelta(days=1)).replace(day=1))
    return firsts[::-1], last
