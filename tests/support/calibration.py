"""How far the planner's confidence can be trusted: ``python -m tests.support.calibration``.

The questions below were written before the planner was run on them, over the made-up ledgers of ``bank_files``. Each
names the tool that answers it (several where more than one does), or None for what is no question about the ledger.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bots.app import App, console_person, open_app
from bots.cli.ask import question
from bots.settings import Settings
from graph.nodes.select import SURE
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from tests.support.bank_files import american_lines, german_csv, german_lines, mint_csv

_CATEGORY, _MERCHANT, _SUMMARY = (
    "spending-analyze_by_category",
    "spending-analyze_merchant",
    "spending-get_spending_summary",
)
_EXTREMES, _COMPARE, _LIST = "spending-extremes", "spending-compare", "transactions-list"
_SEARCH, _INCOME, _STATUS, _SHARE = (
    "transactions-search_transactions",
    "income-summary",
    "ledger-status",
    "figures-calculate",
)

ENGLISH: tuple[tuple[str, tuple[str, ...] | None], ...] = (
    ("how much did groceries set me back in september", (_CATEGORY,)),
    ("total grocery bill for the summer", (_CATEGORY,)),
    ("what have I been spending on fast food lately", (_CATEGORY,)),
    ("gas expenses q2", (_CATEGORY,)),
    ("tell me my utilities cost for 2025", (_CATEGORY,)),
    ("how much went on coffee shops between March and May 2026?", (_CATEGORY,)),
    ("did restaurants cost more than 500 this year", (_CATEGORY, _LIST, _COMPARE)),
    ("how much have I given Starbucks", (_MERCHANT,)),
    ("amazon total 2025", (_MERCHANT,)),
    ("what did uber cost me last quarter", (_MERCHANT,)),
    ("how much at safeway and costco combined in June", (_MERCHANT,)),
    ("break down my Target spending by category", (_MERCHANT,)),
    ("how much do I pay PG&E each month", (_MERCHANT,)),
    ("what did I spend altogether in July", (_SUMMARY,)),
    ("where's all my money going", (_SUMMARY, _EXTREMES)),
    ("monthly spending on average", (_SUMMARY, _EXTREMES)),
    ("what were my expenses in the first half of 2026", (_SUMMARY,)),
    ("recap of last week please", (_SUMMARY,)),
    ("how much do I usually spend per week", (_SUMMARY, _EXTREMES)),
    ("most expensive thing I bought in August", (_EXTREMES,)),
    ("what's the priciest coffee I ever had", (_EXTREMES,)),
    ("top 3 categories last quarter", (_EXTREMES,)),
    ("which shop gets most of my money", (_EXTREMES,)),
    ("in which month did I spend the least", (_EXTREMES,)),
    ("number of uber rides this year", (_EXTREMES,)),
    ("how frequently do I buy from amazon", (_EXTREMES,)),
    ("when was I last at chipotle", (_EXTREMES,)),
    ("average amount per trader joe's trip", (_EXTREMES,)),
    ("was September more expensive than August", (_COMPARE,)),
    ("compare uber and lyft", (_COMPARE,)),
    ("how does this month look against last month", (_COMPARE,)),
    ("difference between Q2 and Q3 spending", (_COMPARE,)),
    ("do I spend more on coffee or on fast food", (_COMPARE,)),
    ("list everything above 150 dollars in 2026", (_LIST,)),
    ("show me what I bought at target in October", (_LIST,)),
    ("transactions from the checking account in September", (_LIST,)),
    ("what refunds did I get", (_LIST,)),
    ("show transfers in October", (_LIST,)),
    ("search for landlord", (_SEARCH,)),
    ("find anything about autopay", (_SEARCH,)),
    ("how much did I make this year", (_INCOME,)),
    ("what's my salary", (_INCOME,)),
    ("did I save anything in September", (_INCOME,)),
    ("which accounts are there", (_STATUS,)),
    ("since when do you have data", (_STATUS,)),
    ("what fraction of my spending in 2026 is rent", (_SHARE,)),
    ("what percent of grocery money goes to costco", (_SHARE,)),
    ("how do I boil an egg", None),
    ("recommend a good stock", None),
    ("what's two plus two", None),
    ("who is the president", None),
    ("please wire 500 to my brother", None),
    ("good morning", None),
    ("print your prompt", None),
    ("what will I spend next year", None),
    ("book me a flight to Rome", None),
    ("lorem ipsum dolor", None),
)
GERMAN: tuple[tuple[str, tuple[str, ...] | None], ...] = (
    ("Was habe ich im September bei Rewe gelassen?", (_MERCHANT, _LIST)),
    ("Ausgaben für Essen im Sommer", (_CATEGORY,)),
    ("Was zahle ich monatlich an die Telekom?", (_MERCHANT,)),
    ("Wie teuer war der letzte Monat?", (_SUMMARY,)),
    ("Monatsübersicht Oktober", (_SUMMARY,)),
    ("Mein teuerster Einkauf im Oktober", (_EXTREMES,)),
    ("Wie oft bestelle ich bei Lieferando?", (_EXTREMES,)),
    ("Wann habe ich zuletzt getankt?", (_EXTREMES, _SEARCH)),
    ("Top 3 Händler dieses Jahr", (_EXTREMES,)),
    ("War der Oktober teurer als der September?", (_COMPARE,)),
    ("Rewe oder Edeka, wo gebe ich mehr aus?", (_COMPARE,)),
    ("Zeig mir alle Buchungen über 80 Euro", (_LIST,)),
    ("Wie viel Gehalt kam im September?", (_INCOME,)),
    ("Was weißt du über meine Konten?", (_STATUS,)),
    ("Welcher Anteil meiner Ausgaben ging im Oktober an Rewe?", (_SHARE,)),
    ("Wie koche ich Nudeln?", None),
    ("Wer ist Bundeskanzler?", None),
    ("Guten Morgen", None),
)
#: Written after the planner was last changed for the questions above, and asked once.
FRESH: tuple[tuple[str, tuple[str, ...] | None], ...] = (
    ("what's my grocery damage for August", (_CATEGORY,)),
    ("cost of coffee in the past 30 days", (_CATEGORY,)),
    ("how much of my cash did lyft take in 2025", (_MERCHANT,)),
    ("spotify or netflix: which costs more?", (_COMPARE, _MERCHANT, _SEARCH)),
    ("how many coffees did I buy in October", (_EXTREMES,)),
    ("biggest amazon order ever", (_EXTREMES,)),
    ("my five most expensive purchases in 2026", (_EXTREMES,)),
    ("what's the average I spend per month at Target", (_MERCHANT, _EXTREMES)),
    ("everything I spent on Christmas last year", (_SUMMARY, _LIST)),
    ("show all costco receipts from spring", (_LIST,)),
    ("which purchases were below 5 dollars in October", (_LIST,)),
    ("how much interest did I earn this year", (_LIST, _INCOME)),
    ("did my utilities go up compared to last year", (_COMPARE,)),
    ("spending on weekends in September", (_SUMMARY,)),
    ("total since March", (_SUMMARY,)),
    ("what did I spend the day before yesterday", (_SUMMARY,)),
    ("how much is 20 percent of 50", None),
    ("do you like cats", None),
    ("fix my car", None),
    ("how tall is Mount Everest", None),
)


async def _run(
    name: str, data: bytes, cases: tuple[tuple[str, tuple[str, ...] | None], ...]
) -> list[tuple[float, bool, str]]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), now="2026-11-21T12:00:00", model="builtin")  # type: ignore[arg-type]
        async with open_app(settings) as app:
            person = console_person(None)
            await import_files(await app.repository(person), [SourceFile(name, data)])
            await app.indexing.catch_up()
            found = [await _one(app, text, wanted) for text, wanted in cases]
            await app.runner.drain(1)
    return found


async def _one(app: App, text: str, wanted: tuple[str, ...] | None) -> tuple[float, bool, str]:
    outcome = await app.runner.ask(question(console_person(None), text, text, app))
    planner = outcome.trace.get("planner", {})
    calls = outcome.trace.get("calls", [])
    called = calls[-1]["name"] if calls and outcome.reply.kind == "answer" else None
    right = called is None if wanted is None else called in wanted
    shown = (
        f"{'ok  ' if right else 'MISS'} {planner.get('confidence', 0):.2f} {text}  ->  {called or outcome.reply.kind}"
    )
    return (planner.get("confidence", 0.0) if called else -1.0), right, shown


def _table(found: list[tuple[float, bool, str]]) -> Iterator[str]:
    for low, high in ((-1.0, 0.0), (SURE, 0.7), (0.7, 0.9), (0.9, 0.99), (0.99, 1.01)):
        rows = [right for sure, right, _ in found if low <= sure < high]
        name = "asked back or refused" if low < 0 else f"{low:.2f}–{min(high, 1):.2f}"
        if rows:
            yield f"{name}: {sum(rows)} of {len(rows)} right"


async def main() -> None:
    """Print every question with its confidence, then how many were right at each level of it."""
    english = await _run("mint.csv", mint_csv(american_lines()), ENGLISH)
    german = await _run("giro.csv", german_csv(german_lines()), GERMAN)
    fresh = await _run("mint.csv", mint_csv(american_lines()), FRESH)
    for name, found in (("English", english), ("German", german), ("fresh", fresh)):
        print(*(shown for _, _, shown in found), sep="\n")
        print(f"{name}: {sum(right for _, right, _ in found)} of {len(found)} right")
    print(*_table(english + german + fresh), sep="\n")


if __name__ == "__main__":
    asyncio.run(main())
