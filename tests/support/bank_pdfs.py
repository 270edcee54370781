"""Statements as PDF in the manner of banks of many countries, each with its rows as they were put in."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from tests.support.pdf_files import Paper, Table

Entry = tuple[date, str, Decimal]


@dataclass(frozen=True)
class Sample:
    """A file and what is in it."""

    data: bytes
    rows: list[Entry]
    opening: Decimal
    closing: Decimal


SHOPS = (
    "TESCO STORES 2231", "STARBUCKS 00412", "AMAZON MKTPLACE PMTS", "SHELL OIL 5744", "NETFLIX.COM", "UBER TRIP",
    "SPOTIFY AB", "IKEA 112", "CITY WATER BILL", "GYM MEMBERSHIP", "BOOKSHOP", "PHARMACY 24",
)  # fmt: skip
INCOME = ("ACME LTD SALARY", "INTEREST PAID", "REFUND IKEA 112", "TRANSFER FROM J SMITH")


def entries(seed: int, count: int, start: date, end: date, *, spent: float = 0.8) -> list[Entry]:
    """Return made-up rows in the order of their days."""
    drawn = random.Random(seed)
    days = sorted(start + timedelta(drawn.randrange((end - start).days + 1)) for _ in range(count))
    found = []
    for day in days:
        out = drawn.random() < spent
        cents = drawn.randrange(199, 25_000) if out else drawn.randrange(5_000, 300_000)
        text = drawn.choice(SHOPS if out else INCOME)
        found.append((day, text, Decimal(-cents if out else cents) / 100))
    return found


def english(amount: Decimal) -> str:
    """``1,234.56``, without a sign."""
    return f"{abs(amount):,.2f}"


def german(amount: Decimal) -> str:
    """``1.234,56``."""
    return english(amount).translate(str.maketrans(",.", ".,"))


def swiss(amount: Decimal) -> str:
    """``1'234.56``."""
    return english(amount).replace(",", "'")


def french(amount: Decimal) -> str:
    """``1 234,56``."""
    return english(amount).translate(str.maketrans(",.", " ,"))


def indian(amount: Decimal) -> str:
    """``1,23,456.78``."""
    whole, part = f"{abs(amount):.2f}".split(".")
    head, tail = whole[:-3], whole[-3:]
    groups = []
    while head:
        groups.insert(0, head[-2:])
        head = head[:-2]
    return ",".join([*groups, tail]) + "." + part


def us_checking() -> Sample:
    """A summary box, a table with signed amounts and a balance in each row, days without a year, two pages."""
    rows = entries(1, 70, date(2026, 1, 2), date(2026, 1, 31))
    opening, paper = Decimal("1520.33"), Paper()
    closing = opening + sum(amount for _, _, amount in rows)
    paper.text(40, 50, "JPMC BANK NA")
    paper.text(340, 50, "January 01, 2026 through January 31, 2026")
    paper.text(340, 62, "Account Number: 000000123456789")
    paper.text(40, 100, "CHECKING SUMMARY", size=12)
    table = Table(
        paper, [("DATE", 40, False), ("DESCRIPTION", 90, False), ("AMOUNT", 460, True), ("BALANCE", 550, True)]
    )
    table.after = [("January 01, 2026 through January 31, 2026", 340), ("Account Number: 000000123456789", 40)]
    table.before = [("Page 1 of 2", 500)]
    for place, (label, value) in enumerate([("Beginning Balance", opening), ("Ending Balance", closing)]):
        paper.text(60, 120 + 12 * place, label)
        paper.text(400, 120 + 12 * place, f"${english(value)}", right=True)
    paper.text(40, 180, "TRANSACTION DETAIL", size=12)
    table.header()
    table.row("", "Beginning Balance", "", f"${english(opening)}")
    balance = opening
    for day, text, amount in rows:
        balance += amount
        sign = "-" if amount < 0 else ""
        table.row(
            f"{day:%m/%d}", f"Card Purchase {text}\nSeattle WA Card 1234", f"{sign}{english(amount)}", english(balance)
        )
    table.row("", "Ending Balance", "", f"${english(balance)}")
    table.gap(40)
    paper.text(
        40, table.y, "In case of errors or questions about your electronic funds transfers call us at 1-800-555-0100."
    )
    return Sample(paper.data(), rows, opening, closing)


def us_sections() -> Sample:
    """Deposits and withdrawals in tables of their own, with totals and a summary; checks side by side."""
    rows = entries(2, 30, date(2026, 3, 1), date(2026, 3, 31))
    checks = [(date(2026, 3, day), f"{1000 + day}", Decimal(-day * 11)) for day in (3, 5, 9, 12, 20)]
    opening, paper = Decimal("2210.10"), Paper()
    closing = opening + sum(amount for _, _, amount in rows) + sum(amount for _, _, amount in checks)
    paper.text(40, 50, "Your Adv Plus Banking")
    paper.text(40, 62, "for March 1, 2026 to March 31, 2026")
    paper.text(340, 62, "Account number: 4460 1234 5678")
    ins = [row for row in rows if row[2] > 0]
    outs = [row for row in rows if row[2] < 0]
    boxes = [
        ("Beginning balance on March 1, 2026", f"${english(opening)}"),
        ("Deposits and other additions", english(sum(row[2] for row in ins))),
        ("Withdrawals and other subtractions", f"-{english(sum(row[2] for row in outs))}"),
        ("Checks", f"-{english(sum(row[2] for row in checks))}"),
        ("Ending balance on March 31, 2026", f"${english(closing)}"),
    ]
    for place, (label, value) in enumerate(boxes):
        paper.text(60, 90 + 12 * place, label)
        paper.text(400, 90 + 12 * place, value, right=True)
    columns = [("Date", 40, False), ("Description", 100, False), ("Amount", 540, True)]
    table = Table(paper, columns, y=190)
    for title, some, sign in (
        ("Deposits and other additions", ins, ""),
        ("Withdrawals and other subtractions", outs, "-"),
    ):
        paper.text(40, table.y, title, size=12)
        table.y += 16
        table.header()
        for day, text, amount in some:
            table.row(f"{day:%m/%d/%y}", text, f"{sign}{english(amount)}")
        table.line((40, f"Total {title.lower()}", False), (540, f"{sign}${english(sum(r[2] for r in some))}", True))
        table.gap(20)
    paper.text(40, table.y, "Checks", size=12)
    table.y += 16
    wide = [("Date", 40, False), ("Check #", 110, False), ("Amount", 270, True)]
    side = Table(paper, [*wide, *((name, x + 280, right) for name, x, right in wide)], y=table.y)
    side.header()
    for first, second in zip(checks[::2], [*checks[1::2], None], strict=True):
        cells = [f"{first[0]:%m/%d/%y}", first[1], f"-{english(first[2])}"]
        side.row(*cells, *([f"{second[0]:%m/%d/%y}", second[1], f"-{english(second[2])}"] if second else []))
    side.line((40, "Total checks", False), (270, f"-${english(sum(row[2] for row in checks))}", True))
    return Sample(paper.data(), [*rows, *checks], opening, closing)


def us_card() -> Sample:
    """A card: charges without a sign, payments with a minus, what is owed before and after, days before the period."""
    drawn = entries(3, 28, date(2025, 12, 18), date(2026, 1, 14), spent=1)
    payments = [(date(2025, 12, 28), "Payment Thank You - Web", Decimal("412.10"))]
    rows = sorted([*payments, *drawn])
    previous, paper = Decimal("412.10"), Paper()
    new = previous - sum(amount for _, _, amount in rows)
    paper.text(40, 50, "Opening/Closing Date 12/15/25 - 01/14/26")
    paper.text(40, 62, "Account number ending in 4321")
    paper.text(340, 50, "Minimum Payment Due: $35.00")
    paper.text(340, 62, "Payment Due Date: 02/11/26")
    paper.text(340, 74, "Credit Limit $9,000")
    for place, (label, value) in enumerate(
        [("Previous Balance", f"${english(previous)}"), ("Payment, Credits", f"-${english(previous)}"),
         ("Purchases", f"+${english(sum(row[2] for row in drawn))}"), ("Fees Charged", "$0.00"), ("New Balance", f"${english(new)}")]
    ):  # fmt: skip
        paper.text(60, 100 + 12 * place, label)
        paper.text(300, 100 + 12 * place, value, right=True)
    table = Table(
        paper,
        [
            ("Date of\nTransaction", 40, False),
            ("Merchant Name or Transaction Description", 120, False),
            ("$ Amount", 540, True),
        ],
    )
    table.header()
    table.line((40, "PAYMENTS AND OTHER CREDITS", False))
    for day, text, amount in payments:
        table.row(f"{day:%m/%d}", text, f"-{english(amount)}")
    table.gap()
    table.line((40, "PURCHASE", False))
    for day, text, amount in drawn:
        table.row(f"{day:%m/%d}", text, english(amount))
    table.gap(30)
    table.line((40, "2026 Totals Year-to-Date", False))
    table.line((40, "Total fees charged in 2026", False), (300, "$0.00", True))
    return Sample(paper.data(), rows, -previous, -new)


def uk_current() -> Sample:
    """Paid out, paid in and a balance once a day; the day once, a kind in front, and the amount on the last line of a row."""
    rows = entries(4, 60, date(2026, 2, 1), date(2026, 2, 28))
    opening, paper = Decimal("845.20"), Paper()
    closing = opening + sum(amount for _, _, amount in rows)
    paper.text(40, 50, "Your Current Account details  1 February to 28 February 2026")
    paper.text(40, 64, "Account Name: Ms Ann Example   Sortcode 40-00-01   Account Number 12345678")
    for place, (label, value) in enumerate(
        [
            ("Opening Balance", opening),
            ("Payments In", sum(a for _, _, a in rows if a > 0)),
            ("Payments Out", sum(a for _, _, a in rows if a < 0)),
            ("Closing Balance", closing),
        ]
    ):
        paper.text(330, 90 + 12 * place, label)
        paper.text(560, 90 + 12 * place, english(value), right=True)
    columns = [
        ("Date", 40, False),
        ("Payment type and details", 100, False),
        ("£Paid out", 400, True),
        ("£Paid in", 480, True),
        ("£Balance", 560, True),
    ]
    table = Table(paper, columns)
    table.after = [("Your Statement", 40), ("Sortcode 40-00-01 Account Number 12345678", 300)]
    table.before = [("HSBC UK Bank plc, Customer Service Centre, BX8 1HB", 100)]
    table.header()
    table.row(f"{date(2026, 1, 31):%d %b %y}", "BALANCE BROUGHT FORWARD", "", "", english(opening))
    balance = opening
    for place, (day, text, amount) in enumerate(rows):
        balance += amount
        first = place == 0 or rows[place - 1][0] != day
        last = place == len(rows) - 1 or rows[place + 1][0] != day
        kind = "VIS" if amount < 0 else "CR"
        out, into = (english(amount), "") if amount < 0 else ("", english(amount))
        if table.y + 3 * table.pitch > table.bottom:
            table.row("", "BALANCE CARRIED FORWARD", "", "", english(balance - amount))
            table.turn()
            table.row("", "BALANCE BROUGHT FORWARD", "", "", english(balance - amount))
            first = True
        table.row(
            f"{day:%d %b %y}" if first else "",
            f"{kind}  {text}\n        LONDON",
            f"\n{out}" if out else "",
            f"\n{into}" if into else "",
            f"\n{english(balance)}" if last else "",
        )
    table.row(f"{date(2026, 2, 28):%d %b %y}", "BALANCE CARRIED FORWARD", "", "", english(balance))
    table.gap(30)
    table.line(
        (
            40,
            "Information about the Financial Services Compensation Scheme: your deposits are protected up to 85,000.00",
            False,
        )
    )
    return Sample(paper.data(), rows, opening, closing)


def german_marks() -> Sample:
    """Buchung and Wert without a year, S and H behind the amounts, old and new balance, pages with Übertrag."""
    rows = entries(5, 60, date(2025, 12, 30), date(2026, 1, 30))
    opening, paper = Decimal("3120.08"), Paper()
    closing = opening + sum(amount for _, _, amount in rows)
    paper.text(40, 50, "Volksbank Musterstadt eG")
    paper.text(340, 50, "Kontoauszug 1/2026 Blatt 1")
    paper.text(340, 62, "erstellt am 30.01.2026")
    paper.text(40, 74, "IBAN: DE89 3704 0044 0532 0130 00   BIC: GENODEDD")
    mark = lambda value: f"{german(value)} {'H' if value >= 0 else 'S'}"  # noqa: E731
    table = Table(paper, [("Bu-Tag", 40, False), ("Wert", 80, False), ("Vorgang", 120, False), ("", 550, True)], y=110)
    table.header()
    table.row("", "", "alter Kontostand vom 29.12.2025", mark(opening))
    balance = opening
    for day, text, amount in rows:
        if table.y + 5 * table.pitch > table.bottom:
            table.row("", "", "Übertrag auf Blatt 2", mark(balance))
            table.turn()
            table.row("", "", "Übertrag von Blatt 1", mark(balance))
        balance += amount
        table.row(
            f"{day:%d.%m.}",
            f"{day:%d.%m.}",
            f"Basislastschrift PN:4444\n{text}\nEREF: 2026-44 MREF: 77-12,50",
            mark(amount),
        )
    table.row("", "", "neuer Kontostand vom 30.01.2026", mark(closing))
    table.gap(40)
    table.line((40, "Guthaben sind nach Maßgabe des Einlagensicherungsgesetzes entschädigungsfähig.", False))
    return Sample(paper.data(), rows, opening, closing)


def german_two_dates() -> Sample:
    """A second day below the first in one column, signed amounts, old and new balance above."""
    rows = entries(6, 40, date(2026, 4, 1), date(2026, 4, 30))
    opening, paper = Decimal("-120.50"), Paper()
    closing = opening + sum(amount for _, _, amount in rows)
    signed = lambda value: f"{'-' if value < 0 else ''}{german(value)}"  # noqa: E731
    paper.text(40, 50, "Kontoauszug April 2026")
    paper.text(40, 62, "Girokonto Nummer 5412345678   IBAN DE02 1203 0000 0000 2020 51")
    paper.text(340, 80, "Alter Saldo")
    paper.text(550, 80, f"{signed(opening)} Euro", right=True)
    paper.text(340, 92, "Neuer Saldo")
    paper.text(550, 92, f"{signed(closing)} Euro", right=True)
    table = Table(
        paper,
        [("Buchung\nValuta", 40, False), ("Buchung / Verwendungszweck", 120, False), ("Betrag (EUR)", 550, True)],
        y=120,
    )
    table.after = [("Kontoauszug April 2026", 40), ("Girokonto Nummer 5412345678", 340)]
    table.before = [("ING-DiBa AG · Theodor-Heuss-Allee 2 · 60486 Frankfurt am Main", 40)]
    table.header()
    for day, text, amount in rows:
        table.row(
            f"{day:%d.%m.%Y}\n{day:%d.%m.%Y}",
            f"Lastschrift {text}\nMandat 4711 vom 01.02.2020\nReferenz 12345",
            signed(amount),
        )
    table.row("", "Neuer Saldo", signed(closing))
    table.gap(30)
    table.line((40, "Kunden-Information: Bitte beachten Sie die nachstehenden Hinweise.", False))
    return Sample(paper.data(), rows, opening, closing)


def swiss_account() -> Sample:
    """Belastung and Gutschrift, a Valuta between them and the balance, which does not stand in every row."""
    rows = entries(7, 45, date(2026, 5, 1), date(2026, 5, 30))
    opening, paper = Decimal("10250.00"), Paper()
    closing = opening + sum(amount for _, _, amount in rows)
    paper.text(40, 50, "Kontoauszug 01.05.2026 - 31.05.2026")
    paper.text(40, 62, "Privatkonto CHF   IBAN CH93 0076 2011 6238 5295 7")
    columns = [
        ("Datum", 40, False),
        ("Buchungstext", 100, False),
        ("Belastung", 360, True),
        ("Gutschrift", 430, True),
        ("Valuta", 450, False),
        ("Saldo", 560, True),
    ]
    table = Table(paper, columns, y=100)
    table.header()
    table.row("01.05.26", "Saldovortrag", "", "", "", swiss(opening))
    balance = opening
    for place, (day, text, amount) in enumerate(rows):
        balance += amount
        last = place == len(rows) - 1 or rows[place + 1][0] != day
        sides = (swiss(amount), "") if amount < 0 else ("", swiss(amount))
        table.row(
            f"{day:%d.%m.%y}", f"{text}\nCH-8001 ZUERICH", *sides, f"{day:%d.%m.%y}", swiss(balance) if last else ""
        )
    out, into = (sum(a for _, _, a in rows if (a < 0) is side) for side in (True, False))
    table.row("", "Umsatztotal", swiss(out), swiss(into), "", "")
    table.row("31.05.26", "Schlusssaldo", "", "", "", swiss(closing))
    return Sample(paper.data(), rows, opening, closing)


def french_account() -> Sample:
    """Débit and crédit with spaces in the numbers, days without a year, the balances in the columns of amounts."""
    rows = entries(8, 50, date(2026, 1, 2), date(2026, 1, 31))
    opening, paper = Decimal("1234.56"), Paper()
    closing = opening + sum(amount for _, _, amount in rows)
    paper.text(40, 50, "RELEVE DE COMPTE CHEQUES")
    paper.text(40, 62, "du 31 décembre 2025 au 31 janvier 2026")
    paper.text(40, 74, "IBAN : FR76 3000 6000 0112 3456 7890 189")
    columns = [
        ("Date", 40, False),
        ("Nature des opérations", 90, False),
        ("Valeur", 380, False),
        ("Débit", 480, True),
        ("Crédit", 560, True),
    ]
    table = Table(paper, columns, y=110)
    table.after = [("RELEVE DE COMPTE CHEQUES", 40)]
    table.before = [("BNP PARIBAS SA au capital de 2 499 597 122 euros", 40)]
    table.header()
    sides = lambda value, text: (text, "") if value < 0 else ("", text)  # noqa: E731
    table.row(
        "", f"SOLDE {'CREDITEUR' if opening >= 0 else 'DEBITEUR'} AU 31.12.2025", "", *sides(opening, french(opening))
    )
    for day, text, amount in rows:
        table.row(
            f"{day:%d.%m}", f"PRLV SEPA {text}\nNUM 0042 MANDAT 12", f"{day:%d.%m}", *sides(amount, french(amount))
        )
    out, into = (sum(a for _, _, a in rows if (a < 0) is side) for side in (True, False))
    table.row("", "TOTAL DES OPERATIONS", "", french(out), french(into))
    table.row(
        "", f"SOLDE {'CREDITEUR' if closing >= 0 else 'DEBITEUR'} AU 31.01.2026", "", *sides(closing, french(closing))
    )
    return Sample(paper.data(), rows, opening, closing)


def canadian() -> Sample:
    """The day once and without its year, the balance once a day, withdrawals and deposits in two columns."""
    rows = entries(9, 45, date(2025, 12, 20), date(2026, 1, 19))
    opening, paper = Decimal("640.00"), Paper()
    closing = opening + sum(amount for _, _, amount in rows)
    paper.text(40, 50, "Your RBC personal banking account statement")
    paper.text(40, 62, "From December 19, 2025 to January 19, 2026")
    paper.text(40, 74, "Your account number: 01234-5012345")
    paper.text(40, 90, "Your opening balance on December 19, 2025")
    paper.text(420, 90, f"${english(opening)}", right=True)
    paper.text(40, 102, "Your closing balance on January 19, 2026")
    paper.text(420, 102, f"= ${english(closing)}", right=True)
    columns = [
        ("Date", 40, False),
        ("Description", 100, False),
        ("Withdrawals ($)", 380, True),
        ("Deposits ($)", 460, True),
        ("Balance ($)", 560, True),
    ]
    table = Table(paper, columns, y=140)
    table.header()
    table.row("", "Opening Balance", "", "", english(opening))
    balance = opening
    for place, (day, text, amount) in enumerate(rows):
        balance += amount
        first = place == 0 or rows[place - 1][0] != day
        last = place == len(rows) - 1 or rows[place + 1][0] != day
        sides = (english(amount), "") if amount < 0 else ("", english(amount))
        table.row(
            f"{day:%d %b}" if first else "", f"Interac purchase - 1234 {text}", *sides, english(balance) if last else ""
        )
    table.row("", "Closing Balance", "", "", f"${english(closing)}")
    paper.text(40, 800, "Member of CDIC. Interac is a registered trademark.")
    return Sample(paper.data(), rows, opening, closing)


def australian() -> Sample:
    """Days without a year but in the first row, CR behind the balances, debits and credits in two columns."""
    rows = entries(10, 40, date(2025, 7, 2), date(2025, 9, 28))
    opening, paper = Decimal("2001.00"), Paper()
    closing = opening + sum(amount for _, _, amount in rows)
    mark = lambda value: f"${english(value)} {'CR' if value >= 0 else 'DR'}"  # noqa: E731
    paper.text(40, 50, "Smart Access  BSB 062-000  Account Number 1234 5678")
    paper.text(40, 62, "Statement Period 1 Jul 2025 - 30 Sep 2025")
    paper.text(40, 74, f"Closing Balance {mark(closing)}")
    columns = [
        ("Date", 40, False),
        ("Transaction", 90, False),
        ("Debit", 400, True),
        ("Credit", 470, True),
        ("Balance", 560, True),
    ]
    table = Table(paper, columns, y=110)
    table.header()
    table.row("01 Jul", "2025 OPENING BALANCE", "", "", mark(opening))
    balance = opening
    for day, text, amount in rows:
        balance += amount
        sides = (english(amount), "") if amount < 0 else ("", f"${english(amount)}")
        table.row(
            f"{day:%d %b}",
            f"{text}\nCard xx1234 AUD {english(amount)}\nValue Date: {day:%d/%m/%Y}",
            *sides,
            mark(balance),
        )
    table.row("30 Sep", "2025 CLOSING BALANCE", "", "", mark(closing))
    table.gap(20)
    table.line((40, "Opening balance - Total debits + Total credits = Closing balance", False))
    return Sample(paper.data(), rows, opening, closing)


def indian_account() -> Sample:
    """Narrations over several lines, a reference and a value date, lakhs, a summary of boxes at the end."""
    rows = entries(11, 50, date(2026, 6, 1), date(2026, 6, 30))
    rows = [(day, text, amount * 60) for day, text, amount in rows]
    opening, paper = Decimal("1234567.89"), Paper(size=8)
    closing = opening + sum(amount for _, _, amount in rows)
    paper.text(40, 50, "HDFC BANK Ltd.   Account No : 50100012345678   IFSC : HDFC0000123")
    paper.text(40, 62, "Statement From : 01/06/2026 To : 30/06/2026")
    columns = [
        ("Date", 30, False),
        ("Narration", 75, False),
        ("Chq./Ref.No.", 240, False),
        ("Value Dt", 325, False),
        ("Withdrawal Amt.", 430, True),
        ("Deposit Amt.", 500, True),
        ("Closing Balance", 575, True),
    ]
    table = Table(paper, columns, y=100, pitch=10)
    table.after = [("HDFC BANK Ltd.   Account No : 50100012345678", 40)]
    table.header()
    balance = opening
    for place, (day, text, amount) in enumerate(rows):
        balance += amount
        sides = (indian(amount), "") if amount < 0 else ("", indian(amount))
        table.row(
            f"{day:%d/%m/%y}",
            f"UPI-{text}\n-9876543210@YBL-SBIN0001\n234-PAYMENT",
            f"0000{place:012}",
            f"{day:%d/%m/%y}",
            *sides,
            indian(balance),
        )
    table.gap(20)
    table.line((40, "STATEMENT SUMMARY :-", False))
    out, into = (sum(a for _, _, a in rows if (a < 0) is side) for side in (True, False))
    boxes = [
        ("Opening Balance", indian(opening)),
        ("Dr Count", "40"),
        ("Cr Count", "10"),
        ("Debits", indian(out)),
        ("Credits", indian(into)),
        ("Closing Bal", indian(closing)),
    ]
    table.line(*((40 + 90 * place, label, False) for place, (label, _) in enumerate(boxes)))
    table.line(*((40 + 90 * place, value, False) for place, (_, value) in enumerate(boxes)))
    return Sample(paper.data(), rows, opening, closing)


def nordic() -> Sample:
    """ISO days, signed amounts with a space in them and a balance, the newest row first."""
    rows = entries(12, 55, date(2026, 3, 1), date(2026, 3, 31))
    opening, paper = Decimal("15000.00"), Paper()
    closing = opening + sum(amount for _, _, amount in rows)
    signed = lambda value: f"{'-' if value < 0 else ''}{french(value)}"  # noqa: E731
    paper.text(40, 50, "Kontoutdrag 2026-03-01 - 2026-03-31")
    paper.text(40, 62, "Lönekonto 1234 56 789 01   Valuta: SEK")
    columns = [("Bokföringsdag", 40, False), ("Transaktion", 130, False), ("Belopp", 450, True), ("Saldo", 550, True)]
    table = Table(paper, columns, y=100)
    table.header()
    balance = closing
    for day, text, amount in reversed(rows):
        table.row(f"{day:%Y-%m-%d}", text, signed(amount), signed(balance))
        balance -= amount
    table.row("", "Ingående saldo", "", signed(opening))
    return Sample(paper.data(), rows, opening, closing)


LAYOUTS: dict[str, Callable[[], Sample]] = {
    make.__name__: make
    for make in (
        us_checking, us_sections, us_card, uk_current, german_marks, german_two_dates, swiss_account, french_account, canadian,
        australian, indian_account, nordic,
    )
}  # fmt: skip
