"""Figures in German over the made-up household: the tools of what was spent, came in and recurs, whole answers and words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graph.answers import result_reply
from language.catalogue import catalogue, translated
from tests.support.untold import untold_in
from tools.apps.kind_names import KINDS
from tools.apps.populations import POPULATIONS
from tools.checking import check_arguments
from tools.registry import Registry
from tools.running import run_tool
from tools.surroundings import tool_context

REGISTRY = Registry.built_in()
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
MEANS = ("card", "direct_debit", "standing_order", "cheque", "transfer")
WHICH = ("all", "subscriptions", "bills", "income", "savings")
ABOUT = ("price", "since", "change", "changes", "rose", "fell", "changed", "constant", "next", "rhythm", "still")
MEASURES = ("largest", "smallest", "first", "last", "count", "how_often", "average", "top")

UNITS = ("day", "week", "month", "quarter", "year")
#: Messages that are made of the words of a kind of money (D1-D3), and of the names of a length of time.
OF_MONEY = (
    "{{totals}} {verb}{{subject}} {{when}}",
    "{{count}} {one}",
    "{{count}} {many}",
    "{{average}} per {one}{{subject}} {{when}}",
    "the {{rank}} {one}",
    "No: no {one}{{subject}} {{when}}.",
    "No {many}",
    "{many}",
)
OF_TIME = (
    "{unit}",
    "{unit}s",
    "{title}",
    "{title}s without any",
    "By {unit}",
    "Highest {unit}",
    "Lowest {unit}",
    "Number of {unit}s",
    "Average per {unit}",
    "Average of the latest {unit}s",
    "sum of the full {unit}s / their number",
    "the last {unit} is not over yet",
    "in the last {{size}} full {unit}s",
    "in the last full {unit}",
    "No {unit} without {{many}}{{subject}} {{when}}",
)
OF_AVERAGES = (
    "Full {unit}s",
    "Total of the full {unit}s",
    "total of the full {unit}s / their number",
    "Spending per {unit}",
    "1 full {unit}",
    "{{intervals}} full {unit}s",
    "1 full {unit}, the unfinished one left out",
    "{{intervals}} full {unit}s, the unfinished one left out",
    "no full {unit} in this period, so there is no average per {unit}",
    "no full {unit} in this period, so this is the average of single purchases",
)

CALLS = {
    "spending-analyze_by_category": [
        {"category": "Groceries", "start_date": "October 2026"},
        {"category": "Groceries", "start_date": "2026", "per": "month"},
        {"category": ["Groceries", "Restaurants"], "over": "10", "under": "50", "exclude": "Costco"},
        *(
            {"category": "Groceries", "start_date": "2026-11-20", "per": per}
            for per in ("day", "week", "month", "year")
        ),
        {"category": "Groceries", "exclude_largest": 1},
        {"category": "Groceries", "exclude_largest": 3},
        {"category": "Groceries", "start_date": "2020"},
        {"category": "Salary"},
    ],
    "spending-analyze_merchant": [
        {"merchant": "Trader Joe's", "start_date": "2026", "group_by_category": True},
        {"merchant": ["Trader Joe's", "Costco"]},
        {"merchant": "Costco", "over": "200"},
        {"merchant": "Costco", "over": "900"},
    ],
    "spending-get_spending_summary": [
        {"period": "October 2026"},
        *({"period": "all_time", "per": per} for per in ("day", "week", "month", "year")),
    ],
    "spending-extremes": [
        *({"measure": measure, "start_date": "October 2026"} for measure in MEASURES),
        *({"measure": "average", "per": per} for per in ("day", "week", "month", "year")),
        *({"measure": "average", "per": per, "start_date": "2026-11-20"} for per in ("week", "month", "year")),
        *({"measure": m, "by": by} for m in ("top", "smallest") for by in ("merchant", "category", "month", "day")),
        *({"measure": measure, "limit": 3} for measure in ("largest", "smallest", "first", "last")),
    ],
    "income-summary": [
        *({"start_date": when} for when in ("October 2026", "November 2026")),
        {"show": "left", "merchant": "Northwind Labs"},
        *({"show": "left", "start_date": when} for when in ("October 2026", "November 2026", "2026")),
        *({"show": "left", "claim": claim, "start_date": "October 2026"} for claim in ("in", "out")),
        {"show": "left", "merchant": "Costco"},
        {"merchant": "Costco"},
    ],
    "income-share": [
        *({"of": of, "saved": saved} for of in ("income", "salary") for saved in (True, False)),
        *({"of": of, "category": "Groceries"} for of in ("income", "salary")),
        *({"of": of, "merchant": "Costco"} for of in ("income", "salary")),
        *({"of": of, "start_date": "2020"} for of in ("income", "salary")),
    ],
    "transactions-measure": [
        *(
            {"of": of, "what": what}
            for of in POPULATIONS
            for what in ("total", "count", "average", "exists", "how_often")
        ),
        *({"of": of, "what": "exists", "start_date": "2020"} for of in POPULATIONS),
        *(
            {"of": of, "what": what, "nth": nth}
            for of in ("spending", "income", "refunds")
            for what in ("largest", "smallest", "latest", "first")
            for nth in range(1, 6)
        ),
        *({"means": means} for means in MEANS),
        {"of": "income", "account": "Checking", "category": "Salary"},
        {"of": "spending", "text": "coffee", "start_date": "2026"},
    ],
    "transactions-per_interval": [
        *(
            {"grain": grain, "show": show, "of": of, "start_date": "2026"}
            for grain in ("day", "week", "month", "quarter", "year")
            for show in ("rows", "average", "trend", "empty", "missed", "every")
            for of in ("spending", "income")
        ),
        {"grain": "month", "show": "empty", "merchant": "Alaska Airlines"},
        {"grain": "month", "show": "trend", "start_date": "2026-09-01", "end_date": "2026-10-31"},
    ],
    "recurring-list": [
        *({"which": which, "wanted": wanted} for which in WHICH for wanted in ("list", "sum", "count", "new", "ended")),
        *({"which": which, "wanted": "ended", "merchant": "Costco"} for which in WHICH),
        *({"which": which, "rhythm": "quarter"} for which in WHICH),
        {"merchant": "Netflix"},
        {"wanted": "new", "period": "all_time", "text": "netflix"},
    ],
    "recurring-current": [
        *({"merchant": name, "about": about} for name in ("Netflix", "Costco", "TriMet") for about in ABOUT),
        *({"category": "Groceries", "about": about} for about in ABOUT),
        *({"of": of, "about": about} for of in ("income", "salary", "savings") for about in ABOUT),
        *({"category": "Mortgage & Rent", "about": about, "period": "all_time"} for about in ABOUT),
    ],
    "recurring-upcoming": [{}, {"days": 1}],
    "recurring-changes": [
        {"which": which, "direction": way, "period": period}
        for which in ("all", "subscriptions", "bills", "income")
        for way in ("up", "down")
        for period in ("2026", "all_time")
    ],
}


async def no_index():
    """Words alone."""


@pytest.fixture
async def german(household):
    """The context of somebody who asks in German, with two years of a household."""
    return replace(await tool_context(household, NOW, no_index), language="de")


async def answered(context, name, arguments):
    tool = REGISTRY.get(name)
    checked = check_arguments(tool, arguments, context)
    assert not checked.reason, checked.reason
    return await run_tool(tool, checked.arguments, context)


@pytest.mark.parametrize("name", sorted(CALLS))
async def test_every_word_of_an_answer_is_told_in_german(german, name):
    """Headline, notes and tables, and what a receipt says of each figure."""
    with untold_in("de") as untold:
        for arguments in CALLS[name]:
            result = await answered(german, name, arguments)
            result_reply(result, german)
            for fact in result.facts:
                translated(fact.label, "de")
                translated(fact.how, "de")
    assert not untold


@pytest.mark.parametrize("form", OF_MONEY)
def test_every_kind_of_money_is_told_in_german(form):
    forms = {form.format(one=each.one, many=each.many, verb=each.verb) for each in POPULATIONS.values()}
    assert not forms - catalogue("de").keys()


@pytest.mark.parametrize("form", OF_TIME)
def test_every_length_of_time_is_told_in_german(form):
    forms = {form.format(unit=unit, title=unit.capitalize()) for unit in UNITS}
    assert not forms - catalogue("de").keys()


@pytest.mark.parametrize("form", OF_AVERAGES)
def test_every_average_is_told_in_german(form):
    forms = {form.format(unit=unit) for unit in UNITS if unit != "quarter"}
    assert not forms - catalogue("de").keys()


def test_every_kind_is_called_something_in_german():
    with untold_in("de") as untold:
        assert {translated(name, "de") for name in KINDS.values()}
    assert not untold


ANSWERS = [
    (
        "spending-analyze_by_category",
        {"category": "Groceries", "start_date": "October 2026"},
        "$655.71 für Lebensmittel im Oktober 2026",
        "10 Einkäufe, 1.–31. Oktober 2026 · ohne Umbuchungen",
    ),
    (
        "spending-analyze_by_category",
        {"category": "Groceries", "start_date": "2026", "per": "month"},
        "$402.88 pro Monat für Lebensmittel im Jahr 2026",
        "10 ganze Monate, der laufende nicht mitgezählt · $4,028.83 insgesamt · 84 Einkäufe, 1. Januar – 21. November 2026 · ohne Umbuchungen",
    ),
    (
        "spending-analyze_by_category",
        {"category": "Groceries", "start_date": "2020"},
        "Keine Ausgaben für Lebensmittel im Jahr 2020.",
        "Ohne diesen Zeitraum gibt es 199 Buchungen, insgesamt $10,945.44. Deine Buchungen reichen vom 1. November 2024 bis zum 20. November 2026.",
    ),
    (
        "spending-analyze_by_category",
        {"category": "Groceries", "start_date": "2026-11-20", "per": "month"},
        "Keine Ausgaben für Lebensmittel seit dem 20. November 2026.",
        "Ohne diesen Zeitraum gibt es 199 Buchungen, insgesamt $10,945.44. Deine Buchungen reichen vom 1. November 2024 bis zum 20. November 2026.",
    ),
    (
        "spending-analyze_merchant",
        {"merchant": "Target", "exclude_largest": 2},
        "$1,712.20 bei Target seit dem 1. November 2024",
        "31 Einkäufe, 1. November 2024 – 21. November 2026 · 2 Erstattungen über insgesamt $161.17 abgezogen · ohne die 2 größten · ohne Umbuchungen",
    ),
    (
        "spending-get_spending_summary",
        {"period": "October 2026"},
        "$3,725.50 im Oktober 2026 ausgegeben",
        "46 Einkäufe, 1.–31. Oktober 2026 · ohne 4 Umbuchungen und Kartenabrechnungen · $120.18 pro Tag",
    ),
    (
        "spending-extremes",
        {"measure": "largest", "category": "Groceries", "start_date": "October 2026"},
        "$186.04 bei Costco am 9. Oktober 2026, der größte Einkauf für Lebensmittel im Oktober 2026",
        "",
    ),
    (
        "spending-extremes",
        {"measure": "top", "by": "month", "category": "Groceries", "start_date": "2026"},
        "Im Juni 2026 hast du im Jahr 2026 am meisten für Lebensmittel ausgegeben: $658.13",
        "15.0% von $4,392.51",
    ),
    (
        "spending-extremes",
        {"measure": "how_often", "merchant": "Costco", "start_date": "2026"},
        "7-mal bei Costco im Jahr 2026, etwa alle 35 Tage",
        "1. Januar – 21. November 2026 · insgesamt $925.96 · zuerst am 3. April 2026, zuletzt am 30. Oktober 2026 · etwa 0.7 pro Monat",
    ),
    (
        "income-summary",
        {"start_date": "October 2026"},
        "$5,330.76 im Oktober 2026 eingegangen",
        "3 Zahlungen, 1.–31. Oktober 2026 · $1,605.26 mehr, als ausgegeben wurde · ohne Umbuchungen",
    ),
    (
        "income-summary",
        {"start_date": "November 2026", "show": "left"},
        "$669.26 mehr ausgegeben als eingenommen im November 2026",
        "$2,660.00 Einnahmen, $3,329.26 Ausgaben, 1.–21. November 2026 · ohne Umbuchungen",
    ),
    (
        "income-summary",
        {"start_date": "October 2026", "show": "left", "claim": "out"},
        "Nein: $1,605.26 mehr eingenommen als ausgegeben im Oktober 2026",
        "$5,330.76 Einnahmen, $3,725.50 Ausgaben, 1.–31. Oktober 2026 · ohne Umbuchungen",
    ),
    (
        "income-share",
        {"category": "Groceries", "start_date": "October 2026", "of": "salary"},
        "12.3% des Gehalts entfielen im Oktober 2026 auf Lebensmittel: $655.71 von $5,320.00",
        "1.–31. Oktober 2026 · ohne Umbuchungen",
    ),
    (
        "income-share",
        {"saved": True, "start_date": "October 2026"},
        "30.1% der Einnahmen blieben im Oktober 2026 übrig: $1,605.26 von $5,330.76",
        "1.–31. Oktober 2026 · ohne Umbuchungen",
    ),
    (
        "transactions-measure",
        {"of": "refunds", "start_date": "2026"},
        "$136.41 an Erstattungen im Jahr 2026 zurückbekommen",
        "1. Januar – 21. November 2026 · 2 Erstattungen · zuerst am 7. März 2026, zuletzt am 9. November 2026",
    ),
    (
        "transactions-measure",
        {"of": "salary", "what": "latest", "nth": 2},
        "$2,660.00 von Northwind Labs am 28. Oktober 2026, die vorletzte Gehaltszahlung seit dem 1. November 2024",
        "1. November 2024 – 21. November 2026",
    ),
    (
        "transactions-measure",
        {"of": "refunds", "what": "exists", "merchant": "Amazon", "start_date": "October 2026"},
        "Nein, keine Erstattungen von Amazon im Oktober 2026.",
        "Ohne diesen Zeitraum gibt es 5 Buchungen, insgesamt $348.76. Deine Buchungen reichen vom 1. November 2024 bis zum 20. November 2026.",
    ),
    (
        "transactions-measure",
        {"of": "income", "account": "Checking", "start_date": "October 2026"},
        "$5,320.00 auf dem Konto Girokonto im Oktober 2026 eingegangen",
        "1.–31. Oktober 2026 · 2 Zahlungen · zuerst am 15. Oktober 2026, zuletzt am 28. Oktober 2026",
    ),
    (
        "transactions-per_interval",
        {"grain": "quarter", "start_date": "2026"},
        "$38,600.51 im Jahr 2026 ausgegeben, Quartal für Quartal",
        "1. Januar – 21. November 2026 · am meisten $10,794.39 (2. Quartal 2026), am wenigsten $10,050.46 (1. Quartal 2026) · das letzte Quartal ist noch nicht vorbei",
    ),
    (
        "transactions-per_interval",
        {"grain": "month", "category": "Groceries", "show": "trend"},
        "$439.92 pro Monat für Lebensmittel in den letzten 3 ganzen Monaten, $5.95 mehr als in den 3 davor",
        "1. November 2024 – 21. November 2026 · am meisten $658.13 (Juni 2026), am wenigsten $179.79 (Juli 2025) · der letzte Monat ist noch nicht vorbei",
    ),
    (
        "transactions-per_interval",
        {"grain": "month", "show": "empty", "merchant": "Alaska Airlines", "start_date": "2026"},
        "8 Monate ohne Einkäufe bei Alaska Airlines im Jahr 2026: Januar 2026, Februar 2026, März 2026, April 2026, Juni 2026, August 2026, …",
        "1. Januar – 21. November 2026 · am meisten $286.77 (Juli 2026), am wenigsten $0.00 (Januar 2026) · der letzte Monat ist noch nicht vorbei",
    ),
    (
        "recurring-list",
        {"which": "subscriptions"},
        "3 Abos: $67.48 pro Monat",
        "Alles, was in festem Rhythmus kommt und nicht überfällig ist",
    ),
    (
        "recurring-list",
        {"merchant": "Netflix"},
        "1 regelmäßige Zahlung für Netflix: Netflix, $17.49 pro Monat",
        "Alles, was in festem Rhythmus kommt und nicht überfällig ist",
    ),
    (
        "recurring-current",
        {"merchant": "Netflix"},
        "Netflix derzeit: $17.49 pro Monat, $209.88 im Jahr",
        "Seit dem 5. November 2024, 25-mal · $16.49 vor dem 5. Januar 2026 · voraussichtlich wieder um den 5. Dezember 2026",
    ),
    (
        "recurring-current",
        {"merchant": "Netflix", "about": "fell"},
        "Nein: Netflix ist am 5. Januar 2026 um $1.00 (6.1%) gestiegen: seitdem $17.49 pro Monat, vorher $16.49, also $12.00 mehr im Jahr",
        "Seit dem 5. November 2024, 25-mal",
    ),
    (
        "recurring-current",
        {"merchant": "Netflix", "about": "changes"},
        "Netflix ist 2-mal gestiegen, zuletzt am 5. Januar 2026: $17.49 pro Monat, anfangs $15.49",
        "Seit dem 5. November 2024, 25-mal",
    ),
    (
        "recurring-current",
        {"merchant": "Netflix", "about": "next"},
        "Netflix ist um den 5. Dezember 2026 wieder fällig: $17.49",
        "Seit dem 5. November 2024, 25-mal · $16.49 vor dem 5. Januar 2026",
    ),
    (
        "recurring-upcoming",
        {"days": 14},
        "$3,150.64 bis zum 4. Dezember 2026 fällig: 4 Zahlungen",
        "Nach bisherigem Rhythmus und letztem Betrag; schwankende Beträge können abweichen",
    ),
    (
        "recurring-changes",
        {"which": "bills", "by": "percent", "period": "2026"},
        "Xfinity ist um $5.00 (7.1%) gestiegen, am stärksten von 2",
        "1. Januar – 21. November 2026 · $74.99 pro Monat seit dem 12. Januar 2026, vorher $69.99",
    ),
    (
        "recurring-changes",
        {"which": "subscriptions", "direction": "down", "period": "2026"},
        "Kein Abo ist vom 1. Januar bis 21. November 2026 günstiger geworden.",
        "",
    ),
]


def told(blocks, role):
    return next((block.text for block in blocks if getattr(block, "role", "") == role), "")


@pytest.mark.parametrize(("name", "arguments", "headline", "notes"), ANSWERS)
async def test_an_answer_reads_as_a_german_writes_it(german, name, arguments, headline, notes):
    reply = result_reply(await answered(german, name, arguments), german)
    assert (reply.headline, told(reply.blocks, "definition")) == (headline, notes)
