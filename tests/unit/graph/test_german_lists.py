"""Lists, ranks, comparisons, balances and what stands out, as they are told in German: headlines and notes whole."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from typing import get_args

import pytest

from graph.answers import result_reply
from graph.reply import Text
from language.catalogue import catalogue
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from tests.support.untold import untold_in
from tools.apps.measures import NTH
from tools.apps.populations import POPULATIONS
from tools.apps.ranks import Dimension
from tools.apps.transactions import _NOUNS
from tools.checking import check_arguments
from tools.registry import Registry
from tools.running import run_tool
from tools.surroundings import tool_context

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
REGISTRY = Registry.built_in()
BANK = """Datum,Beschreibung,Betrag,Kontostand,Konto,Währung
2026-09-28,REWE,-45.10,1200.00,Girokonto,EUR
2026-10-01,Miete Hausverwaltung,-900.00,300.00,Girokonto,EUR
2026-10-03,Zara,-89.95,210.05,Girokonto,EUR
2026-10-05,IKEA,-350.00,-139.95,Girokonto,EUR
2026-10-15,Gehalt Siemens,2500.00,2360.05,Girokonto,EUR
2026-10-20,Zara,89.95,2450.00,Girokonto,EUR
2026-10-21,Aldi,-20.00,2430.00,Girokonto,EUR
2026-10-22,Aldi,-20.00,2410.00,Girokonto,EUR
2026-11-02,REWE,-60.00,2350.00,Girokonto,EUR
2026-11-12,Amazon,-40.00,2310.00,Girokonto,EUR
"""
SAVED = """Datum,Beschreibung,Betrag,Kontostand,Konto,Währung
2026-10-15,Zinsen,1.50,501.50,Tagesgeld,EUR
2026-11-10,Depotgebühr,-601.50,-100.00,Tagesgeld,EUR
"""
DOUBLED = (
    "Derselbe Betrag beim selben Händler binnen 2 Tagen, wo das nicht üblich ist, oder eine regelmäßige Zahlung vor der "
    "Zeit; beides kann richtig sein · „Zeile 1 und 2 sind dieselbe“ macht aus zwei Buchungen derselben Zahlung eine"
)


async def no_index():
    """Words alone."""


class Household:
    """Somebody with a ledger whose answers are in German."""

    def __init__(self, repository):
        self.repository = repository

    async def bring(self, data):
        await import_files(self.repository, [SourceFile("more.csv", data.encode() if isinstance(data, str) else data)])

    async def __call__(self, name, **arguments):
        """Run a tool, do what it proposes, and return the lines of its answer."""
        context = replace(await tool_context(self.repository, NOW, no_index), language="de", locale="de_DE")
        tool = REGISTRY.get(name)
        checked = check_arguments(tool, arguments, context)
        assert not checked.reason, checked.reason
        result = await run_tool(tool, checked.arguments, context)
        if result.change is not None:
            async with self.repository.store.write() as connection:
                await result.change.work(connection)
        lines = [block.text for block in result_reply(result, context).blocks if isinstance(block, Text)]
        return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


@pytest.fixture
async def empty(sqlite_store, alice):
    return Household(await sqlite_store.repository(alice))


@pytest.fixture
async def told(empty):
    """Runs a tool on a German household's ledger, and returns the answer's lines."""
    await empty.bring(BANK)
    return empty


ANSWERS = [
    (
        "transactions-list", {"start_date": "Oktober"},
        "7 Buchungen im Oktober 2026: 1.379,95 € Ausgänge, 2.589,95 € Eingänge",
        "1.–31. Oktober 2026",
    ),
    (
        "transactions-list", {"merchant": "Aldi", "limit": 1},
        "2 Buchungen bei Aldi seit dem 28. September 2026: 40,00 €",
        "28. September – 21. November 2026 · 1 von 2 gezeigt; die Summen umfassen alle",
    ),
    ("transactions-list", {"kind": "income"}, "2.500,00 € von Gehalt Siemens am 15. Oktober 2026, der einzige Geldeingang seit dem 28. September 2026", None),
    (
        "transactions-list", {"over": "800", "kind": "spending"},
        "900,00 € bei Miete Hausverwaltung am 1. Oktober 2026, die einzige passende Zahlung seit dem 28. September 2026",
        None,
    ),
    (
        "transactions-list", {"under": "21", "kind": "purchase"},
        "2 passende Einkäufe seit dem 28. September 2026, alle bei Aldi: 40,00 €",
        None,
    ),
    ("transactions-search_transactions", {"query": "ikea"}, "350,00 € bei IKEA am 5. Oktober 2026, die einzige Buchung zu „ikea“ seit dem 28. September 2026", None),
    ("transactions-search_transactions", {"query": "xqzw"}, "Zu „xqzw“ finde ich seit dem 28. September 2026 nichts.", None),
    (
        "transactions-rank", {"by": "merchant", "start_date": "Oktober"},
        "Miete Hausverwaltung: 900,00 €, von allen Händlern im Oktober 2026 am meisten",
        "1.–31. Oktober 2026",
    ),
    ("transactions-rank", {"by": "weekday", "nth": 2}, "Montag: 455,10 €, von allen Wochentagen seit dem 28. September 2026 am zweitmeisten", None),
    (
        "transactions-rank", {"by": "merchant", "ranked": "number"},
        "Aldi: 2 Einkäufe, am häufigsten seit dem 28. September 2026",
        "Gleichauf mit anderen · 28. September – 21. November 2026",
    ),
    (
        "transactions-rank", {"by": "week", "ranked": "number", "least": True},
        "Woche ab 2. November 2026: 1 Einkauf, am seltensten seit dem 28. September 2026",
        None,
    ),
    (
        "spending-compare", {"periods": ["Oktober", "September"], "claim": "more"},
        "Ja: 1.244,90 € (2.760,3 %) mehr im Oktober 2026 (1.290,00 €) als im September 2026 (45,10 €)",
        "Erstattungen abgezogen, ohne Umbuchungen",
    ),
    (
        "spending-compare", {"merchant": ["REWE", "Aldi"], "claim": "less"},
        "Nein: 65,10 € mehr bei REWE (105,10 €) als bei Aldi (40,00 €) seit dem 28. September 2026",
        "Erstattungen abgezogen, ohne Umbuchungen",
    ),
    (
        "spending-compare", {"periods": ["diesen Monat"], "merchant": "REWE"},
        "60,00 € mehr bei REWE vom 1. bis 21. November 2026 (60,00 €) als vom 1. bis 21. Oktober 2026 (0,00 €)",
        "Erstattungen abgezogen, ohne Umbuchungen",
    ),
    (
        "spending-compare", {"periods": ["diesen Monat", "Oktober"], "of": "income"},
        "2.500,00 € (100,0 %) weniger vom 1. bis 21. November 2026 (0,00 €) als vom 1. bis 21. Oktober 2026 (2.500,00 €)",
        "Einer der beiden Zeiträume läuft noch, daher sind dieselben Tage verglichen · Geldeingänge",
    ),
    (
        "spending-changes", {"period": "Oktober", "by": "merchant"},
        "Miete Hausverwaltung: 900,00 € mehr – die größte Veränderung (Oktober 2026 gegenüber September 2026)",
        "Insgesamt 1.244,90 € mehr · Oktober 2026: 1.290,00 €, September 2026: 45,10 €",
    ),
    (
        "spending-changes", {"period": "September", "direction": "down"},
        "September 2026: Gegenüber August 2026 ist nichts gesunken.",
        "September 2026: 45,10 €, August 2026: 0,00 €",
    ),
    (
        "transactions-find_duplicates", {},
        "Ja, vielleicht: 1 mögliche Doppelabbuchung seit dem 28. September 2026, 20,00 € bei Aldi am 22. Oktober 2026",
        DOUBLED,
    ),
    ("transactions-find_duplicates", {"start_date": "September"}, "Nein, ich finde im September 2026 keine mögliche Doppelabbuchung.", None),
    (
        "spending-find_unusual", {"start_date": "Oktober"},
        "Nichts Auffälliges im Oktober 2026.",
        "Einkäufe über mehr als das Dreifache des Üblichen in ihrer Kategorie",
    ),
    ("spending-find_unusual", {"looked": "months"}, "Es sind noch nicht genug ganze Monate da, um zu sagen, was üblich ist.", None),
    (
        "spending-quiet_days", {"start_date": "Oktober"},
        "26 Tage ohne Ausgaben im Oktober 2026",
        "Von 31 Tagen, 1.–31. Oktober 2026 · am längsten 15 Tage am Stück, ab dem 6. Oktober 2026",
    ),
    ("accounts-balance", {}, "2.310,00 € auf dem Konto Girokonto, Stand 12. November 2026", "So steht es in deiner Datei"),
    (
        "accounts-balance", {"end_date": "2026-10-31"},
        "2.410,00 € auf dem Konto Girokonto am 31. Oktober 2026",
        "1.245,10 €, gemeldet am 28. September 2026, und die Buchungen seither",
    ),
    ("accounts-balance", {"told": "owed"}, "Keine Schulden: 2.310,00 € auf dem Konto Girokonto, Stand 12. November 2026", None),
    ("accounts-balance", {"told": "overdrawn"}, "Nein: 2.310,00 € auf dem Konto Girokonto, Stand 12. November 2026", None),
    ("accounts-balance", {"told": "net_worth"}, "2.310,00 € insgesamt, auf dem einen importierten Konto, Stand 12. November 2026", None),
    ("accounts-balance", {"told": "lowest"}, "Tiefststand: -139,95 € am 5. Oktober 2026", "Jeweils am Tagesende, 27. September – 12. November 2026"),
    (
        "accounts-balance", {"told": "below_zero", "start_date": "Oktober"},
        "Ja, im Oktober 2026 an 10 Tagen im Minus (Girokonto); Tiefststand: -139,95 € am 5. Oktober 2026",
        "Jeweils am Tagesende, 1.–31. Oktober 2026",
    ),
    (
        "accounts-balance", {"told": "below_zero", "start_date": "November"},
        "Nein, vom 1. bis 21. November 2026 nie im Minus; Tiefststand: 2.310,00 € auf dem Konto Girokonto am 12. November 2026",
        None,
    ),
    (
        "accounts-balance", {"grain": "week", "start_date": "Oktober"},
        "2.410,00 € auf dem Konto Girokonto am 31. Oktober 2026, 210,05 € am 4. Oktober 2026",
        "Jeweils am Ende der Woche, 1.–31. Oktober 2026",
    ),
    (
        "accounts-balance", {"end_date": "2020-12-31"},
        "Deine Dateien nennen bis zum 31. Dezember 2020 keinen Kontostand.",
        "Sie reichen vom 27. September 2026 bis zum 12. November 2026.",
    ),
    ("figures-calculate", {"operation": "sum", "values": ["1 EUR", "2 EUR"]}, "Zusammen 3,00 €", "1,00 € + 2,00 €"),
    (
        "figures-calculate", {"operation": "difference", "values": ["5 EUR", "2 EUR"]},
        "5,00 € ist 3,00 € (150,0 %) mehr als 2,00 €",
        None,
    ),
    ("figures-calculate", {"operation": "share", "values": ["1 EUR", "4 EUR"]}, "25,0 %: 1,00 € von 4,00 €", None),
    ("figures-calculate", {"operation": "ratio", "values": ["4 EUR", "2 EUR"]}, "2-mal so viel: 4,00 € gegenüber 2,00 €", None),
    ("figures-calculate", {"operation": "sum", "values": ["1 EUR"]}, "Zum Rechnen fehlen noch Zahlen. Stell zuerst eine Frage.", None),
    (
        "transactions-came_back", {"row": "die 89,95 bei Zara am 3. Oktober"},
        "Mit 89,95 € bei Zara am 3. Oktober 2026 ist keine Erstattung verknüpft.",
        "Seither kam von dort dies zurück; „die erste gehört zu den 89,95 bei Zara“ verknüpft es.",
    ),
    ("transactions-came_back", {"row": "IKEA"}, "Von 350,00 € bei IKEA am 5. Oktober 2026 kam nichts zurück.", None),
    ("transactions-came_back", {"row": "Zara"}, "2 Buchungen passen dazu. Welche meinst du?", None),
    (
        "ledger-status", {},
        "10 Buchungen auf einem Konto vom 28. September 2026 bis 12. November 2026",
        "7 Händler, 6 Kategorien · 0 ohne Kategorie",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "headline", "notes"), ANSWERS)
async def test_answers_are_whole_german_sentences(told, name, arguments, headline, notes):
    lines = await told(name, **arguments)
    assert lines[0] == headline
    if notes is not None:
        assert lines[1] == notes


@pytest.mark.parametrize(
    ("arguments", "headline", "notes"),
    [
        ({}, "2.210,00 € auf 2 Konten, Stand 12. November 2026", "Jeweils der letzte gemeldete Stand und die Buchungen seither · Tagesgeld nur bis zum 10. November 2026"),
        ({"told": "net_worth"}, "2.210,00 € insgesamt, auf den 2 importierten Konten, Stand 12. November 2026", None),
        ({"told": "owed"}, "100,00 € Schulden auf Tagesgeld, Stand 10. November 2026", None),
        ({"told": "overdrawn"}, "Ja, Tagesgeld ist im Minus: 2.210,00 € auf 2 Konten, Stand 12. November 2026", None),
        ({"told": "lowest"}, "Tiefststand: -139,95 € auf dem Konto Girokonto am 5. Oktober 2026", None),
        ({"end_date": "2026-10-10"}, "-139,95 € auf dem Konto Girokonto am 10. Oktober 2026", None),
    ],
)  # fmt: skip
async def test_balances_of_several_accounts(told, arguments, headline, notes):
    await told.bring(SAVED)
    lines = await told("accounts-balance", **arguments)
    assert lines[0] == headline
    if notes is not None:
        assert lines[1] == notes


async def test_every_word_of_these_answers_is_in_the_catalogue(told):
    with untold_in("de") as untold:
        for name, arguments, _, _ in ANSWERS:
            if not {"over", "under"} & arguments.keys():
                await told(name, **arguments)
        await told.bring(SAVED)
        for grain, kind in product(("day", "month", "quarter", "year"), ("balance", "owed", "highest")):
            await told("accounts-balance", grain=grain, told=kind)
    assert not untold


async def test_what_came_back_of_a_purchase(told):
    await told(
        "corrections-link_refund", row="die 89,95 von Zara am 20. Oktober", purchase="die 89,95 bei Zara am 3. Oktober"
    )
    assert await told("transactions-came_back", row="die 89,95 bei Zara am 3. Oktober") == [
        "89,95 € von 89,95 € bei Zara am 3. Oktober 2026 kamen zurück: am Ende 0,00 €",
    ]
    assert await told("transactions-came_back", row="die 89,95 von Zara am 20. Oktober") == [
        "89,95 € von Zara am 20. Oktober 2026: eine Erstattung zu 89,95 € bei Zara am 3. Oktober 2026",
        "Davon kamen 89,95 € zurück: am Ende 0,00 €",
    ]


@pytest.mark.parametrize(
    ("told_of", "headline"),
    [
        ("balance", "-310,00 € auf Visa Kreditkarte, noch offen, Stand 9. Oktober 2026"),
        ("owed", "310,00 € Schulden auf Visa Kreditkarte, Stand 9. Oktober 2026"),
    ],
)
async def test_what_is_owed_on_a_card(empty, told_of, headline):
    head = "Datum,Beschreibung,Betrag,Kontostand,Konto,Währung\n"
    card = "Visa Kreditkarte,EUR\n"
    await empty.bring(f"{head}2026-10-01,REWE,-100.00,-100.00,{card}2026-10-02,Aldi,-20.00,-120.00,{card}")
    await empty.bring(f"{head}2026-10-08,IKEA,-150.00,-300.00,{card}2026-10-09,Aldi,-10.00,-310.00,{card}")
    await empty("accounts-set_type", account="Visa Kreditkarte", type="credit_card")
    assert (await empty("accounts-balance", told=told_of))[0] == headline
    gap = "Die Stände von Visa Kreditkarte vom 2. Oktober 2026 und 8. Oktober 2026 liegen 30,00 € weiter auseinander"
    _, notes = await empty("accounts-balance", told="lowest")
    assert f"{gap} als die Buchungen dazwischen".casefold() in notes.casefold()


@pytest.mark.parametrize(
    ("name", "arguments", "headline", "notes"),
    [
        (
            "spending-find_unusual", {},
            "186,04 $ bei Costco fällt seit dem 1. November 2024 am meisten auf, von 12 auffälligen Einkäufen",
            "Einkäufe über mehr als das Dreifache des Üblichen in ihrer Kategorie",
        ),
        (
            "spending-find_unusual", {"looked": "months"},
            "Dezember 2025 fällt am meisten auf: 4.955,31 $, 1.449,55 $ mehr als üblich",
            "Üblich sind 3.505,76 $ im Monat, der Median aller Monate · 1. November 2024 – 21. November 2026",
        ),
        (
            "spending-changes", {"period": "Oktober"},
            "Lebensmittel: 273,89 $ mehr, vor allem bei Costco – die größte Veränderung (Oktober 2026 gegenüber September 2026)",
            "Insgesamt 514,43 $ mehr · Oktober 2026: 3.725,50 $, September 2026: 3.211,07 $",
        ),
        (
            "spending-compare", {"category": ["Groceries", "Restaurants"], "start_date": "Oktober"},
            "338,71 $ mehr für Lebensmittel (655,71 $) als für Restaurants (317,00 $) im Oktober 2026",
            "Erstattungen abgezogen, ohne Umbuchungen",
        ),
        (
            "transactions-list", {"kind": "transfer", "start_date": "Oktober"},
            "2 Umbuchungen im Oktober 2026: 400,00 $ Ausgänge, 400,00 $ Eingänge",
            "1.–31. Oktober 2026",
        ),
        (
            "ledger-status", {},
            "1.183 Buchungen auf 3 Konten vom 1. November 2024 bis 20. November 2026",
            "35 Händler, 28 Kategorien · 0 ohne Kategorie",
        ),
    ],
)  # fmt: skip
async def test_answers_about_two_years_of_a_household(household, name, arguments, headline, notes):
    assert (await Household(household)(name, **arguments))[:2] == [headline, notes]


NAMED = [
    *(f"the only such {one}" for one, _ in _NOUNS.values()),
    *(f"the only {one}{{subject}}" for one, _ in _NOUNS.values()),
    *(f"{{count}} such {many} {{when}}, all at {{party}}: {{amounts}}" for _, many in _NOUNS.values()),
    *(f"{{count}} {many}{{subject}} {{when}}: {{amounts}}" for _, many in _NOUNS.values()),
    *(f"No {many}" for _, many in _NOUNS.values()),
    *(f"of any {by}" for by in get_args(Dimension)),
    *(f"{what}, by {by}" for what in ("Amount", "Number") for by in get_args(Dimension)),
    *(f"By {by}" for by in get_args(Dimension)),
    *(f"the {nth}{word}" for nth in ("", *NTH.values()) for word in ("most", "least")),
    *(f"{{number}}, the {nth}{word}" for nth in ("", *NTH.values()) for word in ("most often", "least")),
    *(f"{{top_count}} {noun}" for each in POPULATIONS.values() for noun in (each.one, each.many)),
    *(f"Number of {each.many}" for each in POPULATIONS.values()),
    *(each.many.capitalize() for each in POPULATIONS.values()),
    *(each.verb for each in POPULATIONS.values() if each.of != "spending"),
]


def test_every_form_for_a_kind_of_money_and_a_rank_is_in_the_catalogue():
    assert not set(NAMED) - catalogue("de").keys()
