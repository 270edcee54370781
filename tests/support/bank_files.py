"""Bank files of two years in three styles, made up from a seed, and plain csv-and-Decimal answers about them.

Nothing here imports the project: what the program says is compared with what these lines compute from the file itself.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

FIRST = date(2024, 11, 21)
TODAY = date(2026, 11, 21)
#: What a person asks of the American ledger, the second of it following the first.
EVERYDAY_QUESTIONS = (
    "How much did I spend on groceries in October?",
    "and in September?",
    "What was my biggest purchase last month?",
    "How much did I spend at Costco this year?",
    "Give me a summary of last month",
)
_DAYS = (TODAY - FIRST).days

#: name, descriptor on the statement, category, cheapest, dearest, days between visits
_SHOPS = (
    ("Trader Joe's", "TRADER JOE'S #552 SEATTLE WA", "Groceries", 20, 120, 7),
    ("Costco", "COSTCO WHSE #0110", "Groceries", 60, 260, 14),
    ("Safeway", "SAFEWAY #1508", "Groceries", 10, 80, 9),
    ("Starbucks", "STARBUCKS STORE 00332", "Coffee Shops", 3, 9, 3),
    ("Blue Bottle Coffee", "SQ *BLUE BOTTLE COFFEE 123", "Coffee Shops", 4, 12, 11),
    ("Chipotle", "CHIPOTLE 1147", "Fast Food", 9, 19, 8),
    ("Canlis", "TST* CANLIS RESTAURANT", "Restaurants", 60, 300, 45),
    ("Uber", "UBER *TRIP HELP.UBER.COM", "Rental Car & Taxi", 8, 45, 12),
    ("Lyft", "LYFT *RIDE SUN 5PM", "Rental Car & Taxi", 8, 35, 20),
    ("Shell", "SHELL OIL 57444", "Gas & Fuel", 30, 70, 16),
    ("Netflix", "NETFLIX.COM", "Movies & DVDs", 15, 15, 30),
    ("Amazon", "AMZN MKTP US*2A3BC", "Shopping", 5, 200, 6),
    ("Target", "TARGET 00012", "Shopping", 10, 150, 15),
    ("PG&E", "PGANDE WEB ONLINE", "Utilities", 60, 180, 30),
)
_GERMAN_SHOPS = (
    ("REWE Markt", "REWE SAGT DANKE. 12345678//MUENCHEN/DE", 15, 90, 5),
    ("EDEKA", "EDEKA//MUENCHEN/DE", 10, 70, 8),
    ("Deutsche Bahn", "DB VERTRIEB GMBH", 20, 120, 25),
    ("Telekom", "Telekom Deutschland GmbH", 39, 39, 30),
    ("Lieferando", "LIEFERANDO.DE", 15, 45, 12),
    ("ARAL AG", "ARAL TANKSTELLE", 40, 90, 18),
    ("dm-drogerie", "DM DROGERIEMARKT", 5, 50, 14),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file as its maker knows it: ``amount`` is negative for money out."""

    day: date
    name: str
    descriptor: str
    amount: Decimal
    category: str
    account: str

    @property
    def is_spending(self) -> bool:
        """Whether it is a purchase or the refund of one, by how the file was made."""
        return self.category not in ("Paycheck", "Credit Card Payment", "Transfer", "Interest Income")


def american_lines() -> list[Line]:
    """Two years of an American household: a card and a checking account."""
    chance = random.Random(5)
    lines = [
        line
        for name, descriptor, category, low, high, gap in _SHOPS
        for line in _visits(chance, name, descriptor, category, low, high, gap)
    ]
    for year, month in _months():
        lines += [
            Line(day, name, text, Decimal(amount), category, account)
            for number, name, text, amount, category, account in (
                (1, "Rent", "ZELLE TO LANDLORD", "-2100.00", "Mortgage & Rent", "Checking"),
                (15, "Paycheck", "ACME CORP PAYROLL", "4200.00", "Paycheck", "Checking"),
                (20, "Credit Card Payment", "AUTOPAY VISA", "-1500.00", "Credit Card Payment", "Checking"),
                (21, "Credit Card Payment", "PAYMENT THANK YOU", "1500.00", "Credit Card Payment", "Visa Card"),
                (5, "Rainy Pot", "ONLINE TRANSFER TO SAV", "-300.00", "Transfer", "Checking"),
                (28, "Interest", "INTEREST PAID", "1.23", "Interest Income", "Checking"),
            )
            if FIRST <= (day := date(year, month, number)) < TODAY
        ]
    return sorted(lines, key=lambda line: (line.day, line.name, line.amount))


def german_lines() -> list[Line]:
    """Two years of a German current account."""
    chance = random.Random(6)
    lines = [
        line
        for name, descriptor, low, high, gap in _GERMAN_SHOPS
        for line in _visits(chance, name, descriptor, "", low, high, gap, refunds=False)
    ]
    for year, month in _months():
        for number, name, text, amount in (
            (1, "Hausverwaltung Meier", "MIETE WOHNUNG", "-950.00"),
            (27, "Arbeitgeber GmbH", "Lohn und Gehalt", "2850.50"),
        ):
            if FIRST <= (day := date(year, month, number)) < TODAY:
                category = "Paycheck" if amount[0] != "-" else ""
                lines.append(Line(day, name, text, Decimal(amount), category, "Girokonto"))
    return sorted(lines, key=lambda line: (line.day, line.name, line.amount))


def many_lines(count: int) -> list[Line]:
    """At least this many lines: the made-up household again and again, an hour of shopping further each time."""
    lines = american_lines()
    found: list[Line] = []
    shift = 0
    while len(found) < count:
        found += [
            Line(
                line.day - timedelta(shift % 7),
                line.name,
                f"{line.descriptor} {shift}",
                line.amount,
                line.category,
                line.account,
            )
            for line in lines
        ]
        shift += 1
    return found[:count]


def mint_csv(lines: Iterable[Line]) -> bytes:
    """The lines as Mint exported them: positive amounts with a debit/credit column."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heading = "Date,Description,Original Description,Amount (USD),Transaction Type,Category,Account Name,Labels,Notes"
    writer.writerow(heading.split(","))
    for line in lines:
        kind = "debit" if line.amount < 0 else "credit"
        day = f"{line.day.month}/{line.day.day}/{line.day.year}"
        writer.writerow(
            [day, line.name, line.descriptor, f"{abs(line.amount):.2f}", kind, line.category, line.account, "", ""]
        )
    return out.getvalue().encode()


def three_column_csv(lines: Iterable[Line]) -> bytes:
    """The lines as a small American bank exports them: no categories, signed amounts."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["Date", "Description", "Amount (USD)"])
    for line in lines:
        writer.writerow([line.day.strftime("%m/%d/%Y"), line.descriptor, f"{line.amount:.2f}"])
    return out.getvalue().encode()


def german_csv(lines: Iterable[Line]) -> bytes:
    """The lines as a German bank exports them: latin-1, semicolons, dd.mm.yyyy, decimal commas, a preamble."""
    out = io.StringIO()
    out.write('"Kontonummer:";"DE99999999999999999999 / Girokonto";\r\n\r\n')
    writer = csv.writer(out, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(
        [
            "Buchungstag",
            "Wertstellung",
            "Buchungstext",
            "Auftraggeber / Begünstigter",
            "Verwendungszweck",
            "Betrag (EUR)",
        ]
    )
    for line in lines:
        day = line.day.strftime("%d.%m.%Y")
        text = "Lastschrift" if line.amount < 0 else "Gutschrift"
        amount = f"{line.amount:,.2f}".translate(str.maketrans(",.", ".,"))
        writer.writerow([day, day, text, line.name, line.descriptor, amount])
    return out.getvalue().encode("latin-1")


def spent(lines: Iterable[Line], wanted: Callable[[Line], bool] = lambda _line: True) -> Decimal:
    """Money out less refunds over the spending among the lines wanted."""
    return -sum((line.amount for line in lines if line.is_spending and wanted(line)), Decimal(0))


def within(first: str, last: str) -> Callable[[Line], bool]:
    """Lines of these days, both included."""
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    return lambda line: start <= line.day <= end


def _visits(
    chance: random.Random,
    name: str,
    descriptor: str,
    category: str,
    low: int,
    high: int,
    gap: int,
    *,
    refunds: bool = True,
) -> list[Line]:
    lines = []
    account = "Visa Card" if refunds else "Girokonto"
    position = chance.randint(0, gap)
    while position < _DAYS:
        cents = chance.randint(low * 100, high * 100) if low != high else low * 100 + 99
        amount = Decimal(cents).scaleb(-2)
        lines.append(Line(FIRST + timedelta(position), name, descriptor, -amount, category, account))
        if refunds and low != high and chance.random() < 0.02:
            back = Decimal(chance.randint(100, cents)).scaleb(-2) if cents > 100 else amount
            day = FIRST + timedelta(min(_DAYS - 1, position + 3))
            lines.append(Line(day, name, descriptor, back, category, account))
        position += max(1, int(chance.gauss(gap, gap / 4))) if low != high else gap
    return lines


def _months() -> list[tuple[int, int]]:
    return [(2024 + (10 + number) // 12, (10 + number) % 12 + 1) for number in range(25)]
