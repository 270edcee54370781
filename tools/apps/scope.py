"""What a question is about: shared arguments turned into one filter, and the words that name it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Any

from language.catalogue import joined, say, translated
from language.lexicon import choices
from language.tongue import DEFAULT
from ledger.errors import LedgerError
from ledger.filters import ALL_TIME, Beside, Filter
from ledger.judgement import key_of
from ledger.money import Money, exponent, to_minor
from ledger.own_names import told_name
from ledger.rules import list_rules
from ledger.stemming import fold
from ledger.transactions import Flow
from tools.arithmetic import divide
from tools.results import Fact, Result, Value
from tools.slots.concepts import beside
from tools.slots.names import account_ids, left_out, merchant_keys, names_of
from tools.slots.period import period_of, read_period
from tools.wording import day, enumeration

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from language.catalogue import Template
    from ledger.periods import Period
    from ledger.tallies import Sums, Totals
    from ledger.transactions import Kind
    from tools.context import ToolContext


#: What payments made so are called.
_MEANS = {
    "card": "card payments",
    "direct_debit": "direct debits",
    "standing_order": "standing orders",
    "cheque": "cheques",
    "transfer": "bank transfers",
}
_FIRST_WEEK = 7
_MOST_LEFT_OUT = 1000
_MOST_NAMED = 3
#: How many search strings words may find that only come near.
_MOST_PHRASES = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """The shared arguments of a question as a tool received them; every one is optional.

    ``exclude`` names merchants or categories to leave out, ``exclude_largest`` how many of the largest amounts; ``text`` are
    words that the bank's own text of a row holds, ``exclude_text`` words that it does not hold, ``means`` is how it was paid
    (:class:`ledger.means.Means`).
    """

    start_date: str | None = None
    end_date: str | None = None
    period: str | None = None
    category: str | list[str] | None = None
    merchant: str | list[str] | None = None
    account: str | list[str] | None = None
    over: str | None = None
    under: str | None = None
    exclude: str | list[str] | None = None
    exclude_largest: int = 0
    text: str | None = None
    exclude_text: str | None = None
    means: str | None = None


@dataclass(frozen=True, slots=True)
class Scoped:
    """A question resolved against the ledger: its filter, the period as meant, and the words for both.

    ``subject`` and ``restrictions`` are templates over ``names``.
    """

    wanted: Filter
    period: Period
    subject: str = ""
    restrictions: tuple[str, ...] = ()
    names: dict[str, Value | Money] = field(default_factory=dict)

    def without(self, **changes: Any) -> Filter:
        """Return the filter with some conditions changed."""
        return replace(self.wanted, **changes)


async def resolve(asked: Asked, context: ToolContext, flow: Flow | None = None, kinds: Sequence[Kind] = ()) -> Scoped:
    """Turn shared arguments into a filter over the person's ledger.

    Raises:
        UnknownPeriod: a date or phrase that the period grammar does not know.
    """
    period = (
        period_of(asked.start_date, asked.end_date, context)
        if asked.period is None
        else read_period(asked.period, context)
    )
    named = {key: names_of(getattr(asked, key)) for key in ("category", "merchant", "account", "exclude")}
    not_categories, not_merchants = meant_left_out(named["exclude"], context)
    wanted = Filter(
        period=period,
        flow=flow,
        kinds=tuple(kinds),
        categories=named["category"],
        merchants=merchant_keys(named["merchant"], context),
        accounts=account_ids(named["account"], context),
        not_categories=not_categories,
        not_merchants=not_merchants,
        at_least_minor=_bound(asked.over, context, 1),
        at_most_minor=_bound(asked.under, context, -1),
        currency=context.currency if asked.over or asked.under else None,
        phrases=await holding(asked.text, context) if asked.text else None,
        not_phrases=await holding(asked.exclude_text, context) if asked.exclude_text else (),
        means=(asked.means,) if asked.means else (),
    )
    restrictions, names = _restrictions(asked, named), _names(asked, named, context)
    also = None if wanted.merchants else await _beside(wanted.categories, context)
    if also is not None:
        there = replace(wanted, categories=also.categories, merchants=also.merchants)
        wanted = replace(wanted, beside=also)
        if filed := await context.ledger.groups(there, "category"):
            shops = sorted({each.label for each in await context.ledger.groups(there, "merchant")})
            names |= {
                "beside": enumeration(_few(shops, context.language), context.language),
                "wider": enumeration(sorted({each.key for each in filed}), context.language),
            }
            restrictions += ("with {beside} from {wider}",)
    wanted = await without_largest(wanted, asked.exclude_largest, context)
    return Scoped(wanted, period, _subject(asked, named), restrictions, names)


async def _beside(categories: Sequence[str], context: ToolContext) -> Beside | None:
    """Return what banks put into wider categories although it is of these kinds; what the person filed stays (D13)."""
    found = beside(categories, context)
    if found is None:
        return None
    there = await context.ledger.groups(Filter(categories=found.categories, merchants=found.merchants), "merchant")
    ruled = {key_of(rule.merchant) for rule in await list_rules(context.ledger)} if there else set()
    keys = {each.key for each in there} - ruled
    return Beside(found.categories, tuple(sorted(keys))) if keys else None


def _few(names: Sequence[str], language: str) -> list[str]:
    """Return a few names, and how many more there are."""
    more = say("{number} more", number=str(len(names) - _MOST_NAMED))
    return list(names) if len(names) <= _MOST_NAMED else [*names[:_MOST_NAMED], translated(more, language)]


async def holding(text: str, context: ToolContext) -> tuple[int, ...]:
    """Return the ids of the search strings that hold some words; of a kind of fee, any words that banks write for it."""
    found = [await context.search.find(each, _MOST_PHRASES) for each in _written_for(text)]
    return tuple(dict.fromkeys(number for each in found if each.literal for number in each.ids))


def _written_for(text: str) -> tuple[str, ...]:
    """Return the words to look for in place of some: those of its kind, if it is a kind of fee."""
    kinds = (kinds for kinds in choices("fee_kinds").values() if fold(text) in map(fold, kinds))
    return next((tuple(each) for each in kinds), (text,))


async def without_largest(wanted: Filter, number: int, context: ToolContext) -> Filter:
    """Leave out the largest amounts of money out, in the currency with the most rows: sizes of two don't compare.

    Raises:
        LedgerError: that is no number of things that anybody leaves out.
    """
    if not 0 <= number <= _MOST_LEFT_OUT:
        raise LedgerError(f"I can leave out up to {_MOST_LEFT_OUT} of the largest amounts, and not fewer than none.")
    totals = await context.ledger.totals(wanted) if number else ()
    if not totals:
        return wanted
    spent_in = replace(wanted, sign=-1, currency=totals[0].currency)
    largest = await context.ledger.rows(spent_in, "largest", number)
    return replace(wanted, not_ids=tuple(row.id for row in largest))


def clip(period: Period, context: ToolContext) -> Period:
    """Return the part of a period that the ledger knows: from its beginning, and not in the future (D7).

    An open end is that of the ledger's last month. A ledger that begins in the first week of a month is taken to hold that
    whole month.
    """
    last = context.vocabulary.last or context.today
    start = max(period.start, _opening(context))
    end = min(month_end(last), max(context.today, last)) if period.end == date.max else period.end
    return replace(period, start=start, end=max(start, min(end, max(context.today, last))))


def since_beginning(period: Period, context: ToolContext) -> str:
    """Return from when an average counts, as the end of a note, where that is later than the period begins."""
    opening = _opening(context)
    if period.start == date.min or period.start >= opening:
        return ""
    return say(", counted from {opening}, where your ledger begins", opening=day(opening, context.language))


def _opening(context: ToolContext) -> date:
    first = context.vocabulary.first or context.today
    return first.replace(day=1) if first.day <= _FIRST_WEEK else first


def spent(totals: Sums) -> Money:
    """Spending: money out less refunds (docs/definitions.md, D1)."""
    return Money(totals.net_out_minor, totals.currency)


def total_facts(totals: Sequence[Totals], label: str = "Total spent") -> list[Fact]:
    """Return one total per currency; the first has the id ``total``, further ones ``total_eur``."""
    return [
        Fact.money(
            "total" if position == 0 else f"total_{each.currency.casefold()}",
            label,
            spent(each),
            how="money out less refunds" if each.into_count else "sum of money out",
        )
        for position, each in enumerate(totals)
    ]


def all_totals(facts: Sequence[Fact]) -> str:
    """Return the template words for every currency's total: ``{total} and {total_eur}``."""
    totals = (fact.id for fact in facts if fact.id == "total" or fact.id.startswith("total_"))
    return joined((say(f"{{{name}}}") for name in totals), " and ")


def in_other_currencies(totals: Sequence[Totals], name: str = "total") -> list[str]:
    """Return the note on what a figure in the first currency leaves out, by facts of this name as ``total_eur`` (D12)."""
    others = joined((say(f"{{{name}_{each.currency.casefold()}}}") for each in totals[1:]), " and ")
    return [say("{others} in other currencies left out", others=others)] if totals[1:] else []


def purchase_facts(every: Sequence[Totals]) -> list[Fact]:
    """Return the number of purchases in all currencies; average, smallest, largest and refunds in the first (D5)."""
    totals = every[0]
    currency = totals.currency
    facts = [Fact.count("count", "Number of purchases", sum(each.out_count for each in every))]
    if totals.out_count:
        average = divide(totals.out_minor, totals.out_count)
        facts += [
            Fact.money(
                "average", "Average purchase", Money(average, currency), how="purchases before refunds / number"
            ),
            Fact.money("smallest", "Smallest purchase", Money(totals.smallest_out_minor, currency)),
            Fact.money("largest", "Largest purchase", Money(totals.largest_out_minor, currency)),
        ]
    if totals.into_count:
        facts += [
            Fact.count("refund_count", "Number of refunds", totals.into_count),
            Fact.money("refunds", "Refunds, already taken off", Money(totals.into_minor, currency)),
        ]
    return facts


def definition(scoped: Scoped, totals: Sequence[Totals] = (), left_out: int = 0) -> list[str]:
    """Return the notes that define a spending figure: how many, when, what was netted and left out."""
    notes = []
    if totals:
        count = sum(each.out_count for each in totals)
        notes.append("{count} purchases, {dates}" if count != 1 else "1 purchase, {dates}")
        if totals[0].into_count:
            one = totals[0].into_count == 1
            notes.append("1 refund of {refunds} taken off" if one else "{refund_count} refunds of {refunds} taken off")
    notes += scoped.restrictions
    if left_out:
        one = left_out == 1
        notes.append(
            "1 transfer or card payment left out" if one else "{left_out} transfers and card payments left out"
        )
    elif totals:
        notes.append("transfers left out")
    return notes


_ONE_WITHOUT = "Without {limits} there is {elsewhere_count} transaction, of {elsewhere}."
_SEVERAL_WITHOUT = "Without {limits} there are {elsewhere_count} transactions, {elsewhere} in all."


async def nothing(scoped: Scoped, context: ToolContext, what: str = "") -> Result:
    """Say that the scope is empty, and how much there is when its limits are dropped."""
    vocabulary = context.vocabulary
    if vocabulary.count == 0 or vocabulary.first is None or vocabulary.last is None:
        return no_data(context)
    names: dict[str, Value | Money] = {**scoped.names, "ledger_first": vocabulary.first, "ledger_last": vocabulary.last}
    facts = [Fact.money("total", "Total", Money(0, context.currency)), Fact.count("count", "Number", 0)]
    notes = ["Your ledger runs from {ledger_first} to {ledger_last}."]
    headline = say(
        "{none}{subject} {when}.", none=say(f"No {what}" if what else "Nothing spent"), subject=scoped.subject
    )
    came_in = () if what else await context.ledger.totals(scoped.without(flow=Flow.INCOME))
    if came_in:  # an employer, a category of pay: what is asked about is not spending at all
        facts.append(Fact.money("came_in", "Came in", Money(-came_in[0].net_out_minor, came_in[0].currency)))
        headline = say("Nothing spent{subject} {when}, but {came_in} came in.", subject=scoped.subject)
    for wider in _wider(scoped):
        totals = await context.ledger.totals(wider)
        if totals:
            net = Money(abs(totals[0].net_out_minor), totals[0].currency)
            facts.append(Fact.count("elsewhere_count", "Number without these limits", totals[0].count))
            facts.append(Fact.money("elsewhere", "Total without these limits", net))
            one = totals[0].count == 1
            notes.insert(0, _ONE_WITHOUT if one else _SEVERAL_WITHOUT)
            names["limits"] = say("the period" if wider == scoped.without(period=ALL_TIME) else "these limits")
            break
    return Result(
        headline=headline,
        facts=tuple(facts),
        notes=tuple(notes),
        names=names,
        period=scoped.period,
        behind=(scoped.wanted,),
        kind="empty",
    )


def no_data(context: ToolContext) -> Result:
    """Tell someone whose ledger is empty how to fill it from where they are."""
    return Result(
        headline="There is nothing in your ledger yet.",
        notes=(
            say("Export a CSV or OFX file from your bank and {bring_it}.", bring_it=context.surface.bringing),
            say("{command} brings made-up data to try things out with.", command=say(context.surface.sample)),
        ),
        kind="empty",
    )


def _wider(scoped: Scoped) -> list[Filter]:
    """The filter with more and more of its limits dropped, those that change nothing left out."""
    amounts = {"at_least_minor": None, "at_most_minor": None, "currency": None, "not_ids": ()}
    steps = (
        scoped.without(period=ALL_TIME),
        scoped.without(period=ALL_TIME, **amounts),
        scoped.without(period=ALL_TIME, accounts=(), **amounts),
        scoped.without(period=ALL_TIME, accounts=(), not_categories=(), not_merchants=(), not_phrases=(), **amounts),
    )
    return [wider for wider in dict.fromkeys(steps) if wider != scoped.wanted]


def meant_left_out(exclude: Sequence[str], context: ToolContext) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the categories and the merchant keys that names to leave out mean; a name that is nowhere takes nothing."""
    found = [left_out(name, context) for name in exclude]
    merchants = [name for _, names in found for name in names]
    return tuple(name for names, _ in found for name in names), merchant_keys(merchants, context)


def _bound(text: str | None, context: ToolContext, step: int) -> int | None:
    """Return the nearest amount in minor units above (1) or below (-1) the one that is excluded."""
    if text is None:
        return None
    exact = Decimal(text).scaleb(exponent(context.currency))
    return int(exact.to_integral_value(ROUND_FLOOR if step > 0 else ROUND_CEILING)) + step


#: The template words that say what a figure is about.
_SUBJECTS = {"category": " on {category}", "merchant": " at {merchant}", "account": " from {account}"}
#: The same of money that comes in, which other languages say otherwise.
#: And of money that is seen in an account: what grew it, what was put aside in it.
_SUBJECTS_SEEN_IN = {**_SUBJECTS, "account": " in {account}"}
_SUBJECTS_IN = {"category": " on {source}", "merchant": " at {payer}", "account": " from {credited}"}


def _subject(asked: Asked, named: Mapping[str, Sequence[str]], subjects: Mapping[str, str] = _SUBJECTS) -> Template:
    """The template words that say what the figure is about: `` on {category} at {merchant}``."""
    about = [say(words) for key, words in subjects.items() if named[key]]
    return joined([*about, say(" for “{text}”")] if asked.text else about)


def coming_in(scoped: Scoped, asked: Asked) -> Scoped:
    """Return what was asked with the words for money that comes in."""
    told = {"source": "category", "payer": "merchant", "credited": "account"}
    names = {name: scoped.names[key] for name, key in told.items() if key in scoped.names}
    named = {key: names_of(getattr(asked, key)) for key in _SUBJECTS_IN}
    return replace(scoped, subject=_subject(asked, named, _SUBJECTS_IN), names={**scoped.names, **names})


def seen_in(scoped: Scoped, asked: Asked) -> Scoped:
    """Return what was asked with the words for what an account itself gains or loses."""
    named = {key: names_of(getattr(asked, key)) for key in _SUBJECTS_SEEN_IN}
    return replace(scoped, subject=_subject(asked, named, _SUBJECTS_SEEN_IN))


def _restrictions(asked: Asked, named: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    found: list[str] = [f"only {_MEANS[asked.means]}"] if asked.means else []
    if asked.over is not None:
        found.append("only amounts over {over}")
    if asked.under is not None:
        found.append("only amounts under {under}")
    if named["exclude"]:
        found.append("without {exclude}")
    if asked.exclude_text:
        found.append("without “{exclude_text}”")
    if asked.exclude_largest:
        found.append(
            "without the {exclude_largest} largest" if asked.exclude_largest > 1 else "without the largest one"
        )
    return tuple(found)


def _names(asked: Asked, named: Mapping[str, tuple[str, ...]], context: ToolContext) -> dict[str, Value | Money]:
    texts: dict[str, Value | Money] = {}
    for key, names in named.items():
        is_ours = key == "category" and context.language == DEFAULT
        told = names if key == "merchant" else map(told_name, names)
        shown = [name.lower() if is_ours and not name.isupper() else name for name in told]
        if shown:
            texts[key] = enumeration(_said_once(shown), context.language)
    for key in ("over", "under"):
        amount = getattr(asked, key)
        if amount is not None:
            texts[key] = Money(to_minor(Decimal(amount), context.currency), context.currency)
    texts |= {key: text for key in ("text", "exclude_text") if (text := getattr(asked, key))}
    if asked.exclude_largest > 1:
        texts["exclude_largest"] = asked.exclude_largest
    return texts


def _said_once(names: Sequence[str]) -> list[str]:
    """Return names that differ but in their capitals as one: “groceries” for “groceries and GROCERIES”."""
    said: dict[str, str] = {}
    for name in names:
        key = fold(name).replace("_", " ")
        if key not in said or said[key].isupper():
            said[key] = name.replace("_", " ").lower() if len(names) > 1 and "_" in name else name
    return list(said.values())


def month_end(day: date) -> date:
    """Return the last day of a day's month."""
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
