#!/usr/bin/env python3
"""Write the two files of the British bank and their labels beside this file: the same bytes on every run."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HERE = Path(__file__).parent
FILES = {"current": "current-account.csv", "credit": "credit-card.csv"}
FIRST, LAST = date(2025, 1, 1), date(2026, 11, 20)
# No purchase of these categories is drawn in these months.
GAPS = frozenset("Restaurants/2026-02;Clothing/2026-06;Taxi & Rideshare/2025-11;Books & Media/2026-09".split(";"))
# In these months only a part of the card's bill is paid.
PARTS = {"2025-08": 20000, "2026-06": 35000}


@dataclass(frozen=True, slots=True)
class Row:
    """A booked line and what a person would say it is; amounts are in pence, negative for money out."""

    booked: date
    file: str
    description: str
    pence: int
    merchant: str
    category: str
    kind: str


class Dice:
    """Numbers that are the same on every machine and every Python."""

    def __init__(self, seed: str) -> None:
        self.seed, self.drawn = seed, 0

    def below(self, limit: int) -> int:
        """Draw a number from 0 to `limit` - 1."""
        self.drawn += 1
        digest = hashlib.sha256(f"{self.seed}:{self.drawn}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % limit


def months() -> Iterator[date]:
    """Yield the first day of each month."""
    first = FIRST
    while first <= LAST:
        yield first
        first = (first + timedelta(days=31)).replace(day=1)


def month_end(first: date) -> date:
    """Return the last day of the month that begins on a day."""
    return (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def read(name: str) -> Iterator[list[str]]:
    """Yield the fields of a table's lines."""
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


def pence(amount: str) -> int:
    """Read an amount that has two digits after the point, or none at all."""
    return int(amount.replace(".", ""))


def visits() -> Iterator[Row]:
    """Draw the purchases at places that are visited now and then."""
    for merchant, category, file, texts, often, low, high, step, kind in read("shops.tsv"):
        dice, descriptions = Dice(texts), texts.split(";")
        for month in months():
            # So that ten months have about as many visits as the table says, some more and some fewer.
            number = (int(often) + dice.below(20) - 5) // 10
            for _ in range(number):
                booked = month + timedelta(days=dice.below(month_end(month).day))
                # The smaller prices are the more frequent ones.
                shape = dice.below(1000) * dice.below(1000)
                price = int(low) + (int(high) - int(low)) * shape // 1_000_000
                price = max(int(low), price // int(step) * int(step))
                reference = hashlib.sha256(f"{texts}{dice.below(10**9)}".encode()).hexdigest()[:5].upper()
                text = descriptions[dice.below(len(descriptions))].replace("{ref}", reference)
                if f"{category}/{booked:%Y-%m}" not in GAPS and booked <= LAST:
                    yield Row(booked, file, text, -price, merchant, category, kind or "purchase")


def working_day(day: date, *, before: bool) -> date:
    """Return the day, or the next or last working day if it is on a weekend."""
    while day.weekday() > 4:
        day += timedelta(days=-1 if before else 1)
    return day


def standing() -> Iterator[Row]:
    """Write out what is booked every month; direct debits wait for Monday, the salary comes on the Friday before."""
    for merchant, category, file, text, day, amounts, kind in read("standing.tsv"):
        changes = [change.rpartition(":")[::2] for change in amounts.split(" ")]
        for month in months():
            amount = [pence(value) for since, value in changes if since <= f"{month:%Y-%m}"][-1]
            booked = min(month + timedelta(days=int(day) - 1), month_end(month))
            if file == "current":
                booked = working_day(booked, before=kind == "income")
            if amount and booked <= LAST:
                yield Row(booked, file, text, amount, merchant, category, kind)


def events() -> Iterator[Row]:
    """Read what is booked once."""
    for day, file, amount, text, merchant, category, kind in read("events.tsv"):
        yield Row(date.fromisoformat(day), file, text, pence(amount), merchant, category, kind)


def card_payments(rows: Iterable[Row]) -> Iterator[Row]:
    """Pay the card's bill of each month on the 20th of the next, and what was left of an earlier one."""
    card, paid = [row for row in rows if row.file == "credit"], 0
    for month in list(months())[1:]:
        owed = -sum(row.pence for row in card if row.booked < month) - paid
        amount = min(owed, PARTS.get(f"{month:%Y-%m}", owed))
        paid += amount
        booked = working_day(month.replace(day=20), before=False)
        if booked <= LAST:
            text = "DIRECT DEBIT MERIDIAN CREDIT CARD 4929"
            yield Row(booked, "current", text, -amount, "Meridian card", "Transfers", "card_payment")
            text = "PAYMENT RECEIVED - THANK YOU"
            yield Row(booked, "credit", text, amount, "Meridian card", "Transfers", "card_payment")


def write(name: str, heading: list[str], lines: Iterable[Iterable[str]]) -> None:
    """Write a table as plain CSV."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([heading, *lines])


def main() -> None:
    """Write both files, the newest row first, and what their descriptions stand for."""
    rows = [*visits(), *standing(), *events()]
    rows += card_payments(rows)
    rows.sort(key=lambda row: (row.booked, row.description, row.pence), reverse=True)
    for key, name in FILES.items():
        lines = (
            (f"{row.booked:%d/%m/%Y}", row.description, f"{row.pence / 100:.2f}") for row in rows if row.file == key
        )
        write(name, ["Date", "Description", "Amount"], lines)
    labels = {
        (FILES[row.file], row.description, "-" if row.pence < 0 else "+", row.merchant, row.category, row.kind)
        for row in rows
    }
    write("labels.csv", ["file", "description", "sign", "merchant", "category", "kind"], sorted(labels))


if __name__ == "__main__":
    main()
