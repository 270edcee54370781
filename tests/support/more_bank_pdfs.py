"""More statements as PDF, of the layouts that are hard: what stands around a table, above its rows or beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal

from tests.support.bank_pdfs import Entry, Sample, english, entries, french, german
from tests.support.pdf_files import Paper, Table


def total(rows: Sequence[Entry], *, out: bool | None = None) -> Decimal:
    """Return what rows come to, or their money out or in."""
    return sum((amount for _, _, amount in rows if out is None or (amount < 0) is out), Decimal(0))


def signed(amount: Decimal, form: Callable[[Decimal], str] = english, minus: str = "-") -> str:
    """Return an amount with a minus before it."""
    return (minus if amount < 0 else "") + form(amount)


def sides(amount: Decimal, form: Callable[[Decimal], str] = english) -> tuple[str, str]:
    """Return the cells of money out and money in."""
    return (form(amount), "") if amount < 0 else ("", form(amount))


def ends_day(rows: Sequence[Entry], place: int) -> bool:
    """Whether a row is the last of its day."""
    return place == len(rows) - 1 or rows[place + 1][0] != rows[place][0]


def begins_day(rows: Sequence[Entry], place: int) -> bool:
    """Whether a row is the first of its day."""
    return place == 0 or rows[place - 1][0] != rows[place][0]


def sparkasse() -> Sample:
    """Columns for Soll and Haben with a two-line header, undated names of the balances, days with their year."""
    rows, paper = entries(31, 50, date(2025, 12, 31), date(2026, 1, 30)), Paper()
    opening = Decimal("512.17")
    closing = opening + total(rows)
    paper.text(40, 50, "Sparkasse Musterstadt   Kontoauszug 1/2026")
    paper.text(40, 62, "Privatgirokonto DE89 3704 0044 0532 0130 00")
    columns = [
        ("Datum", 40, False),
        ("Erläuterung", 110, False),
        ("Betrag\nSoll EUR", 470, True),
        ("Betrag\nHaben EUR", 555, True),
    ]
    table = Table(paper, columns, y=90, after=[("Sparkasse Musterstadt   Kontoauszug 1/2026", 40)])
    table.header()
    table.row("", "Kontostand am 30.12.2025, Auszug Nr. 12", *sides(opening, german))
    for day, text, amount in rows:
        table.row(
            f"{day:%d.%m.%Y}",
            f"Kartenzahlung\n{text}//BERLIN/DE\n{day:%Y-%m-%d}T12:55 Debitk.0 2028-12",
            *sides(amount, german),
        )
    table.row("", "Kontostand am 30.01.2026 um 20:03 Uhr", *sides(closing, german))
    table.gap(30)
    table.line((40, "Ihr Dispositionskredit 2.000,00 EUR, Zinssatz 11,75 %", False))
    return Sample(paper.data(), rows, opening, closing)


def wells_fargo() -> Sample:
    """A number of the check, a header of two lines, the balance at the end of a day, totals at the end."""
    rows, paper = entries(32, 60, date(2026, 1, 2), date(2026, 1, 31)), Paper()
    opening = Decimal("3300.01")
    closing = opening + total(rows)
    paper.text(40, 50, "January 31, 2026   Page 1 of 4")
    paper.text(40, 62, "Wells Fargo Everyday Checking   Account number: 1234567890")
    for place, (label, value) in enumerate(
        [("Beginning balance on 1/1", f"${english(opening)}"), ("Deposits/Additions", english(total(rows, out=False))),
         ("Withdrawals/Subtractions", f"- {english(total(rows, out=True))}"), ("Ending balance on 1/31", f"${english(closing)}")]
    ):  # fmt: skip
        paper.text(40, 90 + 12 * place, label)
        paper.text(300, 90 + 12 * place, value, right=True)
    paper.text(320, 90, "Routing Number (RTN): 121000248")
    columns = [
        ("\nDate", 40, False), ("Check\nNumber", 75, False), ("\nDescription", 115, False), ("Deposits/\nAdditions", 410, True),
        ("Withdrawals/\nSubtractions", 485, True), ("Ending daily\nbalance", 560, True),
    ]  # fmt: skip
    table = Table(paper, columns, y=170)
    table.header()
    balance = opening
    for place, (day, text, amount) in enumerate(rows):
        balance += amount
        out, into = sides(amount)
        table.row(
            f"{day.month}/{day.day}",
            "",
            f"Purchase authorized on {day:%m/%d} {text}\nSeattle WA S386001 Card 1234",
            into,
            out,
            english(balance) if ends_day(rows, place) else "",
        )
    table.row("Ending balance on 1/31", "", "", "", "", english(closing))
    table.row("Totals", "", "", f"${english(total(rows, out=False))}", f"${english(total(rows, out=True))}", "")
    table.gap(20)
    table.line(
        (40, "The Ending Daily Balance does not reflect any pending withdrawals or holds on deposited funds.", False)
    )
    return Sample(paper.data(), rows, opening, closing)


def chase_daily() -> Sample:
    """Sections with totals, and a table of the balance of each day beside itself."""
    rows, paper = entries(33, 30, date(2026, 1, 2), date(2026, 1, 30)), Paper()
    opening = Decimal("1000.00")
    closing = opening + total(rows)
    paper.text(40, 50, "January 01, 2026 through January 31, 2026")
    paper.text(40, 62, "Account Number: 000000987654321")
    paper.text(60, 90, "Beginning Balance")
    paper.text(400, 90, f"${english(opening)}", right=True)
    paper.text(60, 102, "Ending Balance")
    paper.text(400, 102, f"${english(closing)}", right=True)
    table = Table(paper, [("DATE", 40, False), ("DESCRIPTION", 100, False), ("AMOUNT", 540, True)], y=150)
    for title, out in (("DEPOSITS AND ADDITIONS", False), ("ELECTRONIC WITHDRAWALS", True)):
        some = [row for row in rows if (row[2] < 0) is out]
        paper.text(40, table.y, title, size=11)
        table.y += 14
        table.header()
        for place, (day, text, amount) in enumerate(some):
            table.row(
                f"{day:%m/%d}",
                f"Orig CO Name:{text} Orig ID:1234\nDescr:Payment Sec:PPD Trace#:0210000",
                ("" if place else "$") + english(amount),
            )
        table.line((40, f"Total {title.title()}", False), (540, f"${english(total(some))}", True))
        table.gap(20)
    paper.text(40, table.y, "DAILY ENDING BALANCE", size=11)
    table.y += 14
    daily = Table(
        paper, [("DATE", 40, False), ("AMOUNT", 180, True), ("DATE", 220, False), ("AMOUNT", 360, True)], y=table.y
    )
    daily.header()
    balance = opening
    days: list[str] = []
    for place, (day, _, amount) in enumerate(rows):
        balance += amount
        if ends_day(rows, place):
            days += [f"{day:%m/%d}", f"${english(balance)}"]
    for place in range(0, len(days), 4):
        daily.row(*days[place : place + 4])
    return Sample(paper.data(), rows, opening, closing)


def capital_one() -> Sample:
    """A card with two days without a year, headings and totals in between, a minus apart from its number."""
    bought = entries(34, 25, date(2026, 1, 20), date(2026, 2, 14), spent=1)
    paid = [
        (date(2026, 2, 3), "CAPITAL ONE MOBILE PYMT", Decimal("300.00")),
        (date(2026, 2, 9), "REFUND STORE 12", Decimal("19.99")),
    ]
    rows, paper, opening = sorted([*bought, *paid]), Paper(), Decimal("-733.20")
    closing = opening + total(rows)
    paper.text(40, 50, "Quicksilver Card | Visa Signature ending in 9876")
    paper.text(40, 62, "Jan 16, 2026 - Feb 15, 2026 | 31 days in Billing Cycle")
    boxes = [
        ("Previous Balance", f"${english(opening)}"),
        ("Payments", "- $300.00"),
        ("Other Credits", "- $19.99"),
        ("Transactions", f"+ ${english(total(bought))}"),
        ("Cash Advances", "+ $0.00"),
        ("Fees Charged", "+ $0.00"),
        ("Interest Charged", "+ $0.00"),
        ("New Balance", f"= ${english(closing)}"),
        ("Credit Limit", "$5,000.00"),
        ("Minimum Payment Due", "$25.00"),
    ]
    for place, (label, value) in enumerate(boxes):
        paper.text(300, 80 + 11 * place, label)
        paper.text(540, 80 + 11 * place, value, right=True)
    columns = [("Trans Date", 40, False), ("Post Date", 110, False), ("Description", 180, False), ("Amount", 540, True)]
    table = Table(paper, columns, y=230)
    for title, some, sign in (
        ("ANN EXAMPLE #9876: Payments, Credits and Adjustments", sorted(paid), "- "),
        ("ANN EXAMPLE #9876: Transactions", bought, ""),
    ):
        paper.text(40, table.y, title)
        table.y += 14
        table.header()
        for day, text, amount in some:
            table.row(f"{day:%b} {day.day}", f"{day:%b} {day.day}", text, f"{sign}${english(amount)}")
        if not sign:
            table.line((40, "ANN EXAMPLE #9876: Total Transactions", False), (540, f"${english(total(some))}", True))
        table.gap(20)
    table.line((40, "Total Fees for This Period", False), (540, "$0.00", True))
    return Sample(paper.data(), rows, opening, closing)


def lloyds() -> Sample:
    """Money in before money out, a type, and balances that are named by their day alone."""
    rows, paper = entries(35, 45, date(2026, 1, 2), date(2026, 1, 30)), Paper()
    opening = Decimal("71.90")
    closing = opening + total(rows)
    paper.text(40, 50, "CLASSIC ACCOUNT   01 January 2026 to 31 January 2026")
    paper.text(40, 62, "Sort Code 30-00-00   Account Number 87654321")
    paper.text(40, 80, f"Money In £{english(total(rows, out=False))}")
    paper.text(240, 80, f"Balance on 01 January 2026 £{signed(opening)}")
    paper.text(40, 92, f"Money Out £{english(total(rows, out=True))}")
    paper.text(240, 92, f"Balance on 31 January 2026 £{signed(closing)}")
    columns = [
        ("Date", 40, False),
        ("Description", 100, False),
        ("Type", 300, False),
        ("Money In (£)", 400, True),
        ("Money Out (£)", 480, True),
        ("Balance (£)", 560, True),
    ]
    table = Table(paper, columns, y=130)
    table.header()
    balance = opening
    for day, text, amount in rows:
        balance += amount
        out, into = sides(amount)
        table.row(f"{day:%d %b %y}", text, "DEB" if amount < 0 else "FPI", into, out, signed(balance))
    table.gap()
    table.line((40, "Transaction types: DEB Debit Card, FPI Faster Payment Incoming, DD Direct Debit", False))
    return Sample(paper.data(), rows, opening, closing)


def barclays() -> Sample:
    """The day once, lines of details below, start and end balance as rows."""
    rows, paper = entries(36, 40, date(2025, 12, 12), date(2026, 1, 10)), Paper()
    opening = Decimal("1415.00")
    closing = opening + total(rows)
    paper.text(40, 50, "Your Barclays Bank Account statement")
    paper.text(40, 62, "11 Dec 2025 - 10 Jan 2026")
    paper.text(40, 74, "Sort Code 20-00-00   Account No 11223344")
    columns = [
        ("Date", 40, False),
        ("Description", 90, False),
        ("Money out", 380, True),
        ("Money in", 460, True),
        ("Balance", 540, True),
    ]
    table = Table(paper, columns, y=110)
    table.header()
    table.row("11 Dec", "Start Balance", "", "", english(opening))
    balance = opening
    for place, (day, text, amount) in enumerate(rows):
        balance += amount
        table.row(
            f"{day.day} {day:%b}" if begins_day(rows, place) else "",
            f"Card Payment to {text}\nOn {day.day} {day:%b}",
            *sides(amount),
            english(balance) if ends_day(rows, place) else "",
        )
    table.row("10 Jan", "End Balance", "", "", english(closing))
    table.gap(20)
    table.line(
        (90, "Anything wrong? If you've spotted any incorrect or unusual transactions, see the next page.", False)
    )
    return Sample(paper.data(), rows, opening, closing)


def revolut() -> Sample:
    """A table of sums above, signs at the amounts, and a table of pending payments that count for nothing."""
    rows, paper = entries(37, 40, date(2026, 2, 1), date(2026, 2, 28)), Paper()
    opening = Decimal("5250.50")
    closing = opening + total(rows)
    euro = lambda amount: f"€{english(amount)}"  # noqa: E731
    paper.text(40, 50, "EUR Statement")
    paper.text(40, 62, "Generated on the 2 Mar 2026")
    boxes = [
        ("Product", "Account"),
        ("Opening balance", euro(opening)),
        ("Money out", euro(total(rows, out=True))),
        ("Money in", euro(total(rows, out=False))),
        ("Closing balance", euro(closing)),
    ]
    for place, (label, value) in enumerate(boxes):
        paper.text(40 + 100 * place, 90, label)
        paper.text(40 + 100 * place, 104, value)
    columns = [
        ("Date", 40, False),
        ("Description", 130, False),
        ("Money out", 360, False),
        ("Money in", 430, False),
        ("Balance", 500, False),
    ]
    paper.text(40, 140, "Account transactions from 1 February 2026 to 28 February 2026", size=11)
    table = Table(paper, columns, y=160)
    table.header()
    balance = closing
    for day, text, amount in reversed(rows):
        out, into = sides(amount, euro)
        table.row(
            f"{day.day} {day:%b %Y}", f"{text}\nTo: {text}, London\nCard: 416598******1234", out, into, euro(balance)
        )
        balance -= amount
    table.gap(20)
    paper.text(40, table.y, "Pending from 1 February 2026 to 28 February 2026", size=11)
    table.y += 16
    late = Table(paper, [("Start date", 40, False), *columns[1:4]], y=table.y)
    late.header()
    late.row("27 Feb 2026", "PENDING SHOP", "€12.00", "")
    return Sample(paper.data(), rows, opening, closing)


def current_and_savings() -> Sample:
    """Two accounts in one statement, each with its number, its table and its balances."""
    first, second = (
        entries(38, 30, date(2026, 1, 2), date(2026, 1, 30)),
        entries(39, 6, date(2026, 1, 3), date(2026, 1, 29)),
    )
    paper = Paper()
    paper.text(40, 50, "Statement period 1 January 2026 to 31 January 2026")
    table = Table(paper, [], y=90)
    opening, closing = Decimal("4400.00"), Decimal("4400.00") + total(first)
    for title, rows, start in (
        ("Current Account  Account number 11112222", first, opening),
        ("Savings Account  Account number 33334444", second, Decimal("9000.00")),
    ):
        paper.text(40, table.y, title, size=12)
        columns = [
            ("Date", 40, False),
            ("Details", 100, False),
            ("Paid out", 400, True),
            ("Paid in", 480, True),
            ("Balance", 560, True),
        ]
        table = Table(paper, columns, y=table.y + 20)
        table.header()
        table.row("01 Jan", "Opening balance", "", "", english(start))
        balance = start
        for day, text, amount in rows:
            balance += amount
            table.row(f"{day:%d %b}", text, *sides(amount), english(balance))
        table.row("31 Jan", "Closing balance", "", "", english(balance))
        table.gap(40)
    return Sample(paper.data(), [*first, *second], opening, closing)


def amount_first() -> Sample:
    """Date, amount and then the description, in sections with unsigned amounts."""
    rows, paper = entries(40, 30, date(2026, 1, 2), date(2026, 1, 30)), Paper()
    opening = Decimal("2000.00")
    closing = opening + total(rows)
    paper.text(40, 50, "For the period 01/01/2026 to 01/31/2026")
    paper.text(40, 62, "Primary account number: 12-3456-7890")
    boxes = [
        ("Beginning balance", english(opening)),
        ("Deposits and other additions", english(total(rows, out=False))),
        ("Checks and other deductions", english(total(rows, out=True))),
        ("Ending balance", english(closing)),
    ]
    for place, (label, value) in enumerate(boxes):
        paper.text(40 + 130 * place, 90, label)
        paper.text(40 + 130 * place, 102, value)
    table = Table(paper, [("Date", 40, False), ("Amount", 150, True), ("Description", 180, False)], y=150)
    for title, out in (("Deposits and Other Additions", False), ("Banking/Check Card Withdrawals and Purchases", True)):
        paper.text(40, table.y, title, size=12)
        table.y += 16
        table.header()
        for day, text, amount in rows:
            if (amount < 0) is out:
                table.row(f"{day:%m/%d}", english(amount), f"{text}\nCard Purchase XXXXXXXXXXXX1234")
        table.gap(24)
    return Sample(paper.data(), rows, opening, closing)


def anz() -> Sample:
    """The year on a line of its own, a word for an empty cell, dollars."""
    rows, paper = entries(41, 40, date(2026, 1, 2), date(2026, 1, 30)), Paper()
    opening = Decimal("88.10")
    closing = opening + total(rows)
    paper.text(40, 50, "ANZ ACCESS ADVANTAGE STATEMENT   STATEMENT NUMBER 12")
    paper.text(40, 62, "31 DECEMBER 2025 TO 30 JANUARY 2026   BSB 013-000   ACCOUNT NUMBER 1234-56789")
    paper.text(40, 80, "Opening Balance:")
    paper.text(200, 80, f"${english(opening)}", right=True)
    paper.text(40, 92, "Closing Balance:")
    paper.text(200, 92, f"${english(closing)}", right=True)
    columns = [
        ("Date", 40, False),
        ("Transaction Details", 90, False),
        ("Withdrawals ($)", 400, True),
        ("Deposits ($)", 480, True),
        ("Balance ($)", 560, True),
    ]
    table = Table(paper, columns, y=120)
    table.header()
    table.line((40, "2026", False))
    table.row("31 DEC", "OPENING BALANCE", "", "", english(opening))
    balance = opening
    for day, text, amount in rows:
        balance += amount
        out, into = sides(amount)
        table.row(
            f"{day:%d %b}".upper(),
            f"VISA DEBIT PURCHASE CARD 1234 {text}\nEFFECTIVE DATE {day:%d %b %Y}".upper(),
            out or "blank",
            into or "blank",
            english(balance),
        )
    table.line(
        (40, "TOTALS AT END OF PAGE", False),
        (400, f"${english(total(rows, out=True))}", True),
        (480, f"${english(total(rows, out=False))}", True),
        (560, f"${english(closing)}", True),
    )
    table.gap()
    table.line((40, "This Statement Includes", False))
    table.line((40, "Interest earned on deposits", False), (560, "$0.08", True))
    return Sample(paper.data(), rows, opening, closing)


def german_card() -> Sample:
    """A card with a sign behind each amount, and a balance that is negative for what is owed."""
    bought = entries(42, 30, date(2026, 1, 22), date(2026, 2, 20), spent=1)
    rows = sorted([*bought, (date(2026, 2, 5), "EINZUG VON KONTO", Decimal("812.40"))])
    paper, opening = Paper(), Decimal("-812.40")
    closing = opening + total(rows)
    behind = lambda amount: f"{german(amount)} {'-' if amount < 0 else '+'}"  # noqa: E731
    paper.text(40, 50, "Kreditkartenabrechnung   Abrechnungszeitraum 22.01.2026 - 21.02.2026")
    paper.text(40, 62, "Kartennummer 4930 12XX XXXX 1234   Verfügungsrahmen 3.000,00 EUR")
    columns = [
        ("Belegdatum", 40, False),
        ("Buchungsdatum", 110, False),
        ("Verwendungszweck", 200, False),
        ("Betrag in EUR", 540, True),
    ]
    table = Table(paper, columns, y=100)
    table.header()
    table.row("", "", "Saldo letzte Abrechnung", behind(opening))
    for day, text, amount in rows:
        table.row(f"{day:%d.%m.%y}", f"{day:%d.%m.%y}", f"{text}\nUSD 12,00 Kurs 1,0800", behind(amount))
    table.row("", "", "Neuer Saldo", behind(closing))
    return Sample(paper.data(), rows, opening, closing)


def italian() -> Sample:
    """Dare and avere, with totals of both and balances as rows."""
    rows, paper = entries(43, 40, date(2026, 1, 2), date(2026, 3, 30)), Paper()
    opening = Decimal("1999.99")
    closing = opening + total(rows)
    paper.text(40, 50, "ESTRATTO CONTO dal 01/01/2026 al 31/03/2026")
    paper.text(40, 62, "IBAN IT60 X054 2811 1010 0000 0123 456")
    columns = [
        ("Data", 40, False),
        ("Valuta", 100, False),
        ("Descrizione", 160, False),
        ("Dare", 470, True),
        ("Avere", 550, True),
    ]
    table = Table(paper, columns, y=100)
    table.header()
    table.row("01/01/2026", "", "SALDO INIZIALE", *sides(opening, german))
    for day, text, amount in rows:
        table.row(f"{day:%d/%m/%Y}", f"{day:%d/%m/%Y}", f"PAGAMENTO POS {text}\nCARTA 1234", *sides(amount, german))
    table.row("", "", "TOTALE MOVIMENTI", german(total(rows, out=True)), german(total(rows, out=False)))
    table.row("31/03/2026", "", "SALDO FINALE", *sides(closing, german))
    return Sample(paper.data(), rows, opening, closing)


def months() -> Sample:
    """Three statements one after the other, each with its own period and balances, in one file."""
    paper, rows = Paper(), []
    opening = balance = Decimal("100.00")
    for month, last in ((11, 30), (12, 31), (1, 31)):
        year = 2026 if month == 1 else 2025
        some = entries(44 + month, 20, date(year, month, 2), date(year, month, last - 1))
        paper.text(
            40, 50, f"Statement period {date(year, month, 1):%B %d, %Y} through {date(year, month, last):%B %d, %Y}"
        )
        paper.text(40, 62, "Account number: 5550001234")
        paper.text(40, 90, "Beginning balance")
        paper.text(300, 90, f"${english(balance)}", right=True)
        paper.text(40, 102, "Ending balance")
        paper.text(300, 102, f"${signed(balance + total(some))}", right=True)
        table = Table(paper, [("Date", 40, False), ("Description", 100, False), ("Amount", 540, True)], y=140)
        table.header()
        for day, text, amount in some:
            table.row(f"{day:%m/%d}", text, signed(amount))
        balance += total(some)
        rows += some
        paper.page()
    paper.text(40, 50, "This page is left blank on purpose, and so are many others like it.")
    return Sample(paper.data(), rows, opening, balance)


def unsigned() -> Sample:
    """Amounts without any sign: only the balance beside them says which way they went."""
    rows, paper = entries(50, 40, date(2026, 1, 2), date(2026, 1, 30)), Paper(font="Courier")
    opening = Decimal("5000.00")
    closing = opening + total(rows)
    paper.text(40, 50, "Savings statement 01 Jan 2026 to 31 Jan 2026")
    paper.text(40, 62, "Account No. 99887766")
    table = Table(
        paper, [("Date", 40, False), ("Particulars", 120, False), ("Amount", 430, True), ("Balance", 540, True)], y=100
    )
    table.header()
    table.row("01/01/2026", "Balance B/F", "", english(opening))
    balance = opening
    for day, text, amount in rows:
        balance += amount
        table.row(f"{day:%d/%m/%Y}", text, english(amount), english(balance))
    return Sample(paper.data(), rows, opening, closing)


def danish() -> Sample:
    """Signed amounts and a balance, days with points, no balance named at all."""
    rows, paper = entries(51, 40, date(2026, 1, 2), date(2026, 1, 30)), Paper()
    opening = Decimal("7000.00")
    closing = opening + total(rows)
    paper.text(40, 50, "Kontoudskrift   Reg.nr. 1234   Kontonr. 1234567890   Valuta DKK")
    table = Table(
        paper, [("Dato", 40, False), ("Tekst", 120, False), ("Beløb", 430, True), ("Saldo", 540, True)], y=100
    )
    table.header()
    balance = opening
    for day, text, amount in rows:
        balance += amount
        table.row(f"{day:%d.%m.%Y}", f"Dankort-køb {text}", signed(amount, german), signed(balance, german))
    return Sample(paper.data(), rows, opening, closing)


def tight() -> Sample:
    """A fixed-width print with hardly any room between the columns, and totals of both sides instead of balances."""
    rows, paper = entries(52, 30, date(2026, 1, 2), date(2026, 1, 30)), Paper(font="Courier", size=8)
    opening = Decimal("0.00")
    paper.text(40, 50, "RELEVE D'OPERATIONS du 01/01/2026 au 31/01/2026   COMPTE NO 00012345678")
    table = Table(
        paper,
        [
            ("DATE", 40, False),
            ("LIBELLE", 85, False),
            ("VALEUR", 290, False),
            ("DEBIT", 400, True),
            ("CREDIT", 480, True),
        ],
        y=100,
    )
    table.header()
    for day, text, amount in rows:
        table.row(f"{day:%d/%m}", f"CARTE {day:%d/%m} {text}"[:40], f"{day:%d/%m}", *sides(amount, french))
    table.row("", "TOTAL DES MOUVEMENTS", "", french(total(rows, out=True)), french(total(rows, out=False)))
    return Sample(paper.data(), rows, opening, opening + total(rows))


MORE: dict[str, Callable[[], Sample]] = {
    make.__name__: make
    for make in (
        sparkasse, wells_fargo, chase_daily, capital_one, lloyds, barclays, revolut, current_and_savings, amount_first, anz,
        german_card, italian, months, unsigned, danish, tight,
    )
}  # fmt: skip
