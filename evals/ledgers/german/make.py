#!/usr/bin/env python3
"""Write the German account and its labels beside this file: the same bytes on every run."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

HERE = Path(__file__).parent
FILE, CARD = "girokonto.csv", "KARTENZAHLUNG"
FIRST, LAST = date(2025, 1, 1), date(2026, 11, 20)
ACCOUNT = "DE75370501980001847260"
# Days on which German banks book nothing, beside weekends.
HOLIDAYS = frozenset(
    date.fromisoformat(day)
    for day in "2025-01-01 2025-04-18 2025-04-21 2025-05-01 2025-12-25 2025-12-26 "
    "2026-01-01 2026-04-03 2026-04-06 2026-05-01".split()
)
# No purchase of these categories is drawn in these months.
GAPS = frozenset("Clothing/2026-03 Restaurants/2026-02 Pets/2025-08 Fuel/2025-12 Electronics/2026-06".split())
HEADER = (
    "Auftragskonto;Buchungstag;Valuta;Buchungstext;Verwendungszweck;Begünstigter/Zahlungspflichtiger;"
    "Kontonummer/IBAN;BIC;Betrag;Währung;Info"
).split(";")


@dataclass(frozen=True, slots=True)
class Row:
    """A booked line and what a person would say it is; amounts are in cents."""

    booked: date
    text: str
    purpose: str
    payee: str
    cents: int
    merchant: str
    category: str
    kind: str

    @property
    def description(self) -> str:
        """The payee and the purpose, as labels.csv names a row."""
        return f"{self.payee} {self.purpose}".strip()


class Dice:
    """Numbers that are the same on every machine and every Python."""

    def __init__(self, seed: str) -> None:
        self.seed, self.drawn = seed, 0

    def below(self, limit: int) -> int:
        """Draw a number from 0 to `limit` - 1."""
        self.drawn += 1
        digest = hashlib.sha256(f"{self.seed}:{self.drawn}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % limit

    def digits(self, length: int) -> str:
        """Draw a number of that many digits."""
        return str(10 ** (length - 1) + self.below(9 * 10 ** (length - 1)))


def months() -> list[date]:
    """List the first day of each month of the ledger."""
    return [date(year, month, 1) for year in (2025, 2026) for month in range(1, 13) if date(year, month, 1) <= LAST]


def bank_day(day: date) -> date:
    """Find the day itself or the next one on which the bank books."""
    while day.weekday() > 4 or day in HOLIDAYS:
        day += timedelta(days=1)
    return day


def last_day(month: date) -> date:
    """Find the last day of a month."""
    return (month.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


def spell(purpose: str, dice: Dice, day: date) -> str:
    """Fill in what a bank's text says of the day, and numbers nobody can read."""
    hour, minute = 8 + dice.below(12), dice.below(60)
    return (
        purpose.replace("{card}", f"{day}T{hour:02}:{minute:02} Debitk.1 2028-12")
        .replace("{mm}", f"{day:%m/%Y}")
        .replace("{yy}", f"{day:%m/%y}")
        .replace("{n7}", dice.digits(7))
        .replace("{n10}", dice.digits(10))
        .replace("{n13}", dice.digits(13))
    )


def table(name: str) -> list[list[str]]:
    """Read the fields of a table beside this file; lines with a # are remarks."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def visit_shops() -> list[Row]:
    """Draw what is bought in each month, by how often each place is visited."""
    rows = []
    for shop in table("shops.tsv"):
        for month in months():
            dice = Dice(f"{shop[0]}/{shop[3]}/{month}")
            times, rest = divmod(int(shop[4]), 10)
            for _ in range(times + (dice.below(10) < rest)):
                row = visit(shop, month + timedelta(days=dice.below(last_day(month).day)), dice)
                if f"{row.category}/{row.booked:%Y-%m}" not in GAPS:
                    rows.append(row)
    return rows


def visit(shop: list[str], day: date, dice: Dice) -> Row:
    """Draw one purchase; the bank books a card's payment on the same day or the next."""
    merchant, category, kind, payees, _, low, high, step, text, purpose = shop
    cents = int(low) + dice.below(int(high) - int(low))
    payee = payees.split(";")[dice.below(len(payees.split(";")))]
    purpose = spell(purpose, dice, day)
    booked = bank_day(day + timedelta(days=dice.below(2) if text == CARD else 0))
    return Row(booked, text, purpose, payee, cents % int(step) - cents, merchant, category, kind)


def book_standing() -> list[Row]:
    """Book the orders, debits and credits that come on a day of each month."""
    rows = []
    for merchant, category, kind, payee, text, purpose, cents, day, of_year, start, end in table("standing.tsv"):
        for month in months():
            if start <= f"{month:%Y-%m}" <= end and (of_year == "-" or str(month.month) in of_year.split(";")):
                due = month.replace(day=int(day))
                spelled = spell(purpose, Dice(f"{payee}/{purpose}/{month}"), due)
                rows.append(Row(bank_day(due), text, spelled, payee, int(cents), merchant, category, kind))
    return rows


def pay_card() -> list[Row]:
    """Book the monthly bill of the credit card, whose own file is not there."""
    rows = []
    for month in months():
        day = bank_day(month.replace(day=15))
        cents = 11000 + Dice(f"card/{month}").below(31000)
        purpose = f"Abrechnung Mastercard 5232XXXXXXXX1188 per {day:%d.%m.%Y}"
        booked = (day, "KREDITKARTENABRECHNUNG", purpose, "Kreditkartenservice", -cents)
        rows.append(Row(*booked, "Kreditkarte", "Transfers", "card_payment"))
    return rows


def book_events() -> list[Row]:
    """Book the movements that come once."""
    rows = []
    for day, merchant, category, kind, payee, text, purpose, cents in table("events.tsv"):
        rows.append(Row(date.fromisoformat(day), text, purpose, payee, int(cents), merchant, category, kind))
    return rows


def amount(cents: int) -> str:
    """Write cents as the bank does: 1234,50 with a comma and no dots."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100},{abs(cents) % 100:02}"


def write_bank_file(rows: list[Row]) -> None:
    """Write the rows newest first, as online banking exports them."""
    with (HERE / FILE).open("w", encoding="latin-1", newline="") as file:
        writer = csv.writer(file, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\r\n")
        writer.writerow(HEADER)
        for row in rows:
            other = "DE" + Dice(row.payee).digits(20) if row.text != CARD else ""
            day = f"{row.booked:%d.%m.%Y}"
            words = (row.text, row.purpose, row.payee, other, "")
            writer.writerow((ACCOUNT, day, day, *words, amount(row.cents), "EUR", "Umsatz gebucht"))


def write_labels(rows: list[Row]) -> None:
    """Write what each distinct description is."""
    lines: dict[tuple[str, str], tuple[str, str, str]] = {}
    for row in rows:
        sign = "-" if row.cents < 0 else "+"
        label = (row.merchant, row.category, row.kind)
        if lines.setdefault((row.description, sign), label) != label:
            raise ValueError(f"two labels for {row.description!r}")
    with (HERE / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow("file description sign merchant category kind".split())
        writer.writerows((FILE, description, sign, *label) for (description, sign), label in sorted(lines.items()))


def main() -> None:
    """Make both files."""
    rows = visit_shops() + book_standing() + pay_card() + book_events()
    rows = [row for row in rows if FIRST <= row.booked <= LAST]
    rows.sort(key=lambda row: (row.booked, row.payee, row.purpose, row.cents), reverse=True)
    write_bank_file(rows)
    write_labels(rows)


if __name__ == "__main__":
    main()
