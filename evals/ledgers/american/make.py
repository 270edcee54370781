#!/usr/bin/env python3
"""Writes transactions.csv and labels.csv beside this script: made-up movements of one person in Denver, from a fixed seed."""

from __future__ import annotations

import csv
import random
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
FILE = "transactions.csv"
FIRST = date(2025, 1, 1)
LAST = date(2026, 11, 20)

CHECKING = "Everyday Checking"
SAVINGS = "Rainy Day Savings"
VISA = "Evergreen Visa"
MASTERCARD = "Summit Mastercard"
MASTERCARD_OPENED = date(2026, 2, 2)


@dataclass(frozen=True, slots=True)
class Row:
    """One movement; `cents` is negative for money out."""

    day: date
    description: str
    original: str
    cents: int
    category: str
    account: str
    labels: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Shop:
    """A place that is visited now and then; `prices` are cents: `low-high`, or those that there are."""

    merchant: str
    descriptions: tuple[str, ...]
    original: str
    category: str
    per_month: float
    prices: str
    weekend: bool


@dataclass(frozen=True, slots=True)
class Bill:
    """A charge of every month; `amounts` are (first day it holds, cents), and 0 ends it."""

    day: int
    merchant: str
    original: str
    category: str
    account: str
    amounts: tuple[tuple[date, int], ...]
    swing: float = 0.0


#: Places that are visited now and then: merchant, descriptions, original, category, visits a month, prices in cents
#: (from-to, or the ones there are), and whether mostly at weekends.
SHOPS = """
King Soopers|King Soopers;KING SOOPERS #0089|KING SOOPERS #0089 DENVER CO|Groceries|4.2|1800-13800|
Trader Joe's|Trader Joe's;Trader Joe S|TRADER JOE S #303 DENVER CO|Groceries|2.1|2000-9400|
Costco|Costco;COSTCO WHSE #1018|COSTCO WHSE #1018 THORNTON CO|Groceries|1.3|7200-25800|weekends
Whole Foods|Whole Foods Market|WHOLEFDS CAP 10234 DENVER CO|Groceries|0.9|1200-7100|
Sprouts|Sprouts Farmers Market|SPROUTS FARMERS MKT #312 DENVER CO|Groceries|0.7|1100-5600|
Safeway|Safeway;SAFEWAY #2914|SAFEWAY #2914 DENVER CO|Groceries|0.5|900-6400|
Juniper & Finch|Juniper & Finch|SQ *JUNIPER & FINCH DENVER CO|Restaurants|0.7|3400-9800|weekends
Pho Saigon Star|Pho Saigon Star|TST* PHO SAIGON STAR AURORA CO|Restaurants|0.9|1650-4800|
Texas Roadhouse|Texas Roadhouse|TEXAS ROADHOUSE #2187 THORNTON CO|Restaurants|0.5|3200-8900|weekends
Olive Garden|Olive Garden|OLIVE GARDEN 0021452 LAKEWOOD CO|Restaurants|0.4|2800-7600|
The Cheesecake Factory|The Cheesecake Factory|CHEESECAKE DENVER CO|Restaurants|0.3|4100-9200|
Chipotle|Chipotle;CHIPOTLE 1427|CHIPOTLE 1427 DENVER CO|Fast Food|2.2|1045-2780|
McDonald's|McDonald's;McDonalds F11402|MCDONALD'S F11402 DENVER CO|Fast Food|1.1|489-1890|
Taco Bell|Taco Bell|TACO BELL 034521 DENVER CO|Fast Food|0.7|612-1720|
Chick-fil-A|Chick-fil-A|CHICK-FIL-A #03377 DENVER CO|Fast Food|0.9|885-2390|
Starbucks|Starbucks;STARBUCKS STORE 14782|STARBUCKS STORE 14782 DENVER CO|Coffee Shops|4.6|475,545,545,595,645,725,1180|
Dutch Bros|Dutch Bros Coffee|DUTCH BROS CO0104 DENVER CO|Coffee Shops|1|550,625,650,1275|
Dunkin'|Dunkin'|DUNKIN #351902 Q35 DENVER CO|Coffee Shops|0.8|349,429,788|
Crema Corner|Crema Corner|SQ *CREMA CORNER DENVER CO|Coffee Shops|0.9|450,500,575,1050|weekends
DoorDash|DoorDash;DD DoorDash|DD *DOORDASH 855-973-1040 CA|Food Delivery|1.4|2190-5870|
Grubhub|Grubhub|GRUBHUB HOLDINGS INC NY|Food Delivery|0.3|2350-5100|
Total Wine & More|Total Wine & More|TOTAL WINE AND MORE LONE TREE CO|Alcohol & Bars|0.5|2100-8800|
The Rusty Anchor|The Rusty Anchor|TST* THE RUSTY ANCHOR DENVER CO|Alcohol & Bars|0.7|1400-6200|weekends
Shell|Shell;SHELL OIL 57444210|SHELL OIL 57444210 DENVER CO|Gas & Fuel|1.6|2900-5900|
Conoco|Conoco|CONOCO - SEI 40213 DENVER CO|Gas & Fuel|0.7|2700-5600|
Maverik|Maverik|MAVERIK #512 GOLDEN CO|Gas & Fuel|0.4|2500-6100|
ParkMobile|ParkMobile|PARKMOBILE LLC ATLANTA GA|Parking|1|235,335,460,710|
LAZ Parking|LAZ Parking|LAZ PARKING 670214 DENVER CO|Parking|0.5|800,1200,1500,2000|
Uber|Uber;UBER *TRIP|UBER *TRIP HELP.UBER.COM CA|Rental Car & Taxi|1.5|880-4320|
Lyft|Lyft|LYFT *RIDE 855-865-9553 CA|Rental Car & Taxi|0.8|910-3870|
RTD Denver|RTD Denver|RTD MYRIDE DENVER CO|Public Transportation|1.8|275,275,550,1000|
CVS|CVS Pharmacy;CVS/PHARMACY #08741|CVS/PHARMACY #08741 DENVER CO|Pharmacy|1.1|480-4390|
Walgreens|Walgreens|WALGREENS #7113 DENVER CO|Pharmacy|0.6|530-3890|
Old Navy|Old Navy|OLD NAVY US 6021 DENVER CO|Clothing|0.45|1999-8650|
Nordstrom Rack|Nordstrom Rack|NORDSTROM RACK #342 DENVER CO|Clothing|0.3|2997-13900|
Uniqlo|Uniqlo|UNIQLO USA LLC DENVER CO|Clothing|0.25|1990-9980|
REI|REI|REI #8 DENVER FLAGSHIP CO|Sporting Goods|0.35|1995-14900|weekends
Target|Target;TARGET T-1854|TARGET T-1854 DENVER CO|Shopping|1.7|1240-9900|
Amazon|Amazon;Amazon.com;AMZN Mktp US|AMZN MKTP US*2K4RT91Q3 AMZN.COM/BILL WA|Shopping|3.4|799-8600|
Etsy|Etsy|ETSY.COM - MULTIPLE SHOPS BROOKLYN NY|Gift|0.25|1450-6200|
Home Depot|The Home Depot|THE HOME DEPOT #1548 DENVER CO|Home Improvement|0.7|640-14200|weekends
Lowe's|Lowe's|LOWE'S #03206 DENVER CO|Home Improvement|0.3|810-11900|weekends
Chewy|Chewy|CHEWY.COM 800-672-4399 FL|Pet Food & Supplies|0.8|2849-7430|
PetSmart|PetSmart|PETSMART # 0467 DENVER CO|Pet Food & Supplies|0.4|899-5490|
Great Clips|Great Clips|GREAT CLIPS #1904 DENVER CO|Hair|0.65|2300,2500,2700|
AMC Theatres|AMC Theatres|AMC 9640 ONLINE LEAWOOD KS|Movies & DVDs|0.6|1449,2898,3376,4347|weekends
Barnes & Noble|Barnes & Noble|BARNES & NOBLE #2104 DENVER CO|Books|0.35|999-4850|
Tattered Cover|Tattered Cover|TATTERED COVER COLFAX DENVER CO|Books|0.3|1195-5230|weekends
MVR Holdings 4471|MVR HOLDINGS 4471|MVR HOLDINGS 4471 DENVER CO|Uncategorized|0.4|900-6400|
Halvorsen 88|HALVORSEN 88|TST* HALVORSEN 88 DENVER CO|Uncategorized|0.3|1150-4700|
"""

BILLS = (
    Bill(
        1,
        "Maple Court Apartments",
        "MAPLE COURT APTS WEB PMT",
        "Mortgage & Rent",
        CHECKING,
        ((FIRST, 161500), (date(2026, 6, 1), 169500)),
    ),
    Bill(15, "Toyota Financial Services", "TOYOTA FINANCIAL RETAIL PAY", "Auto Payment", CHECKING, ((FIRST, 31842),)),
    Bill(20, "Nelnet", "NELNET STUDENT LOAN PYMT", "Student Loan", CHECKING, ((FIRST, 18650), (date(2026, 9, 1), 0))),
    Bill(
        8, "GEICO", "GEICO *AUTO 800-841-3000 DC", "Auto Insurance", VISA, ((FIRST, 11820), (date(2026, 1, 1), 12475))
    ),
    Bill(5, "Lemonade", "LEMONADE INSURANCE NY", "Home Insurance", VISA, ((FIRST, 1475),)),
    Bill(18, "Xcel Energy", "XCEL ENERGY-PSCO BILL PAY", "Utilities", CHECKING, ((FIRST, 8840),), 0.45),
    Bill(22, "Denver Water", "DENVER WATER WEB PAYMENT", "Utilities", CHECKING, ((FIRST, 3915),), 0.25),
    Bill(11, "Xfinity", "COMCAST-XFINITY CABLE SVCS", "Internet", CHECKING, ((FIRST, 6499), (date(2026, 4, 1), 7499))),
    Bill(16, "T-Mobile", "T-MOBILE POSTPAID WEB", "Mobile Phone", VISA, ((FIRST, 5500), (date(2026, 7, 1), 6000))),
    Bill(6, "Netflix", "NETFLIX.COM LOS GATOS CA", "Television", VISA, ((FIRST, 1549), (date(2026, 2, 1), 1799))),
    Bill(19, "Hulu", "HULU 877-8244858 CA", "Television", VISA, ((FIRST, 999), (date(2026, 4, 1), 0))),
    Bill(24, "Spotify", "SPOTIFY USA NY", "Music", VISA, ((FIRST, 1199),)),
    Bill(
        27,
        "New York Times",
        "NYTIMES*SUBSCRIPTION NY",
        "Newspapers & Magazines",
        VISA,
        ((FIRST, 0), (date(2025, 9, 1), 1700)),
    ),
    Bill(2, "Planet Fitness", "ABC*PLANET FITNESS DENVER CO", "Gym", CHECKING, ((FIRST, 2499),)),
    Bill(
        10,
        "Food Bank of the Rockies",
        "FOOD BANK OF THE ROCKIES CO",
        "Charity",
        VISA,
        ((FIRST, 4000), (date(2026, 1, 1), 5000)),
    ),
)

#: Single movements: day, description, cents, category, account, labels, notes. A second sign of a name is a refund.
EVENTS = """
2025-01-18|Bright Smile Dental|-14500|Dentist|Evergreen Visa||crown, first half
2025-02-14|1-800-Flowers|-7498|Gift|Evergreen Visa||Mom
2025-02-22|Jiffy Lube|-8999|Service & Parts|Evergreen Visa||
2025-03-08|Best Buy|-34999|Electronics & Software|Evergreen Visa||monitor
2025-03-19|Best Buy|34999|Electronics & Software|Evergreen Visa||monitor was broken
2025-03-20|Best Buy|-32999|Electronics & Software|Evergreen Visa||monitor again
2025-04-09|H&R Block|-11900|Tax Preparation|Evergreen Visa|taxes|
2025-04-14|IRS|-48700|Federal Tax|Everyday Checking|taxes|
2025-04-28|Late Fee|-2900|Late Fee|Evergreen Visa||
2025-04-30|Interest Charge on Purchases|-1873|Finance Charge|Evergreen Visa||
2025-05-24|Southwest Airlines|-38796|Air Travel|Evergreen Visa|vacation|
2025-06-14|Planet Fitness Annual Fee|-4900|Gym|Everyday Checking||
2025-06-27|Cherry Creek Animal Clinic|-18640|Veterinary|Evergreen Visa||shots
2025-07-03|Hampton Inn|-41250|Hotel|Evergreen Visa|vacation|Moab
2025-07-05|Enterprise Rent-A-Car|-22318|Rental Car & Taxi|Evergreen Visa|vacation|Moab
2025-08-16|IKEA|-46912|Furnishings|Evergreen Visa||
2025-08-30|IKEA|8900|Furnishings|Evergreen Visa||lamp
2025-09-12|AutoZone|-17499|Service & Parts|Evergreen Visa||battery
2025-10-04|Rose Medical Group|-4000|Doctor|Evergreen Visa||copay
2025-11-14|REI|-22900|Sporting Goods|Evergreen Visa||jacket
2025-11-28|Target|-14799|Shopping|Evergreen Visa||
2025-11-28|Best Buy|-27999|Electronics & Software|Evergreen Visa||headphones
2025-12-06|Nordstrom|-16850|Clothing|Evergreen Visa|gifts|
2025-12-13|Etsy|-8350|Gift|Evergreen Visa|gifts|
2025-12-20|Amazon|-12999|Shopping|Evergreen Visa|gifts|
2025-12-31|Hampton Inn|-18900|Hotel|Evergreen Visa||New Year in Estes Park
2026-01-01|Safeway|-2317|Groceries|Evergreen Visa||
2026-01-07|REI|22900|Sporting Goods|Evergreen Visa||jacket went back
2026-01-09|Nordstrom|4250|Clothing|Evergreen Visa||
2026-01-24|Bright Smile Dental|-8500|Dentist|Evergreen Visa||
2026-02-14|Juniper & Finch|-13640|Restaurants|Summit Mastercard||Valentine's
2026-02-21|Warby Parker|-19500|Eyecare|Summit Mastercard||
2026-03-14|Delta Air Lines|-51240|Air Travel|Summit Mastercard|vacation|Boston
2026-03-14|Delta Air Lines|-28870|Air Travel|Summit Mastercard|vacation|
2026-04-08|H&R Block|-12900|Tax Preparation|Evergreen Visa|taxes|
2026-04-13|IRS|-21200|Federal Tax|Everyday Checking|taxes|
2026-04-18|Jiffy Lube|-9499|Service & Parts|Evergreen Visa||
2026-05-06|Delta Air Lines|28870|Air Travel|Summit Mastercard|vacation|second ticket cancelled
2026-05-16|Cherry Creek Animal Clinic|-94285|Veterinary|Summit Mastercard||surgery
2026-05-23|Hilton|-53418|Hotel|Summit Mastercard|vacation|Boston
2026-05-24|MBTA|-1100|Public Transportation|Summit Mastercard|vacation|Boston
2026-05-25|Legal Sea Foods|-12418|Restaurants|Summit Mastercard|vacation|Boston
2026-06-13|Planet Fitness Annual Fee|-4900|Gym|Everyday Checking||
2026-07-04|King Soopers|-8643|Groceries|Evergreen Visa||cookout
2026-07-04|Total Wine & More|-6188|Alcohol & Bars|Evergreen Visa||cookout
2026-08-08|Best Buy|-189900|Electronics & Software|Summit Mastercard||laptop
2026-08-22|AutoZone|-5699|Service & Parts|Evergreen Visa||wipers
2026-08-31|Late Fee|-2900|Late Fee|Summit Mastercard||
2026-08-31|Interest Charge on Purchases|-3127|Finance Charge|Summit Mastercard||
2026-09-05|Olive Garden|-8460|Restaurants|Evergreen Visa||
2026-09-19|Texas Roadhouse|-8460|Restaurants|Evergreen Visa||
2026-09-10|Rose Medical Group|-4000|Doctor|Evergreen Visa||copay
2026-09-17|Wire Transfer Fee|-2500|Bank Fee|Everyday Checking||
2026-09-26|Amazon|3499|Shopping|Evergreen Visa||
2026-10-03|Costco|-21764|Groceries|Evergreen Visa||
2026-10-09|Amazon|2188|Shopping|Evergreen Visa||wrong size
2026-10-14|Starbucks|-545|Coffee Shops|Evergreen Visa||
2026-10-14|Starbucks|-545|Coffee Shops|Evergreen Visa||
2026-10-17|Ticketmaster|-13850|Concerts|Summit Mastercard||
2026-10-21|Old Navy|-7485|Clothing|Evergreen Visa||
2026-10-30|Target|1999|Shopping|Evergreen Visa||
2026-11-04|Old Navy|2495|Clothing|Evergreen Visa||
2026-11-07|Costco|-16233|Groceries|Evergreen Visa||
2026-11-11|Southwest Airlines|-27796|Air Travel|Summit Mastercard|vacation|
2026-11-12|King Soopers|-6418|Groceries|Evergreen Visa||
2026-11-17|Trader Joe's|-4382|Groceries|Evergreen Visa||
"""

#: Months in which a category stays empty.
GAPS = {
    ("Clothing", "2026-06"),
    ("Books", "2026-09"),
    ("Movies & DVDs", "2026-04"),
    ("Food Delivery", "2026-08"),
    ("Hair", "2025-11"),
    ("Alcohol & Bars", "2026-01"),
}

KINDS = {
    "Paycheck": "income",
    "Bonus": "income",
    "Income": "income",
    "Interest Income": "interest",
    "Finance Charge": "interest",
    "Transfer": "transfer",
    "Credit Card Payment": "card_payment",
    "Late Fee": "fee",
    "Bank Fee": "fee",
    "ATM Fee": "fee",
    "Cash & ATM": "cash",
    "Student Loan": "loan_payment",
    "Auto Payment": "loan_payment",
}

OTHER_MERCHANTS = {
    "Northfield Logistics Payroll": "Northfield Logistics",
    "Northfield Logistics Bonus": "Northfield Logistics",
    "Planet Fitness Annual Fee": "Planet Fitness",
    "Etsy Deposit": "Etsy",
    "Enterprise Rent-A-Car": "Enterprise",
}


def days() -> Iterator[date]:
    """Every day of the ledger."""
    for number in range((LAST - FIRST).days + 1):
        yield FIRST + timedelta(days=number)


def months() -> Iterator[date]:
    """The first day of every month of the ledger."""
    return (day for day in days() if day.day == 1)


def draw(chance: random.Random, low: int, high: int) -> int:
    """A number of cents between the two, the lower ones more often."""
    return low + int((high - low) * chance.random() ** 1.6)


def draw_price(chance: random.Random, prices: str) -> int:
    """What one visit costs in cents."""
    if "-" in prices:
        low, high = prices.split("-")
        return draw(chance, int(low), int(high))
    each = prices.split(",")
    return int(each[int(chance.random() * len(each))])


def read_shops() -> Iterator[Shop]:
    """The shops written out above."""
    for line in SHOPS.strip().splitlines():
        merchant, descriptions, original, category, visits, prices, weekend = line.split("|")
        yield Shop(merchant, tuple(descriptions.split(";")), original, category, float(visits), prices, bool(weekend))


def choose_card(chance: random.Random, category: str, day: date) -> str:
    """The account that a visit is paid from."""
    if category == "Public Transportation" and chance.random() < 0.5:
        return CHECKING
    if day >= MASTERCARD_OPENED and category in {"Restaurants", "Gas & Fuel", "Rental Car & Taxi", "Parking"}:
        return MASTERCARD if chance.random() < 0.7 else VISA
    return CHECKING if chance.random() < 0.08 else VISA


def make_visits(shop: Shop) -> Iterator[Row]:
    """The visits to one shop, from a seed of its own so that a change to another shop moves nothing here."""
    chance = random.Random(f"american {shop.merchant}")  # noqa: S311 - made-up data
    for day in days():
        weight = (2.2 if day.weekday() >= 5 else 0.52) if shop.weekend else 1.0
        visited = chance.random() < shop.per_month * weight / 30.4
        description = shop.descriptions[0 if chance.random() < 0.6 else int(chance.random() * len(shop.descriptions))]
        cents = draw_price(chance, shop.prices)
        account = choose_card(chance, shop.category, day)
        if visited and (shop.category, f"{day:%Y-%m}") not in GAPS:
            yield Row(day, description, shop.original, -cents, shop.category, account)


def make_bills(bill: Bill) -> Iterator[Row]:
    """The monthly charges of one bill."""
    chance = random.Random(f"american {bill.merchant}")  # noqa: S311 - made-up data
    for month in months():
        day = month.replace(day=bill.day)
        cents = next(cents for since, cents in reversed(bill.amounts) if since <= day)
        cents = round(cents * (1 + bill.swing * (chance.random() * 2 - 1)))
        if cents and day <= LAST:
            yield Row(day, bill.merchant, bill.original, -cents, bill.category, bill.account)


def make_income() -> Iterator[Row]:
    """Pay every other Friday, two bonuses, and what an Etsy shop pays out."""
    day = date(2025, 1, 10)
    while day <= LAST:
        cents = 218463 if day.year == 2025 else 227190
        yield Row(day, "Northfield Logistics Payroll", "NORTHFIELD LOGISTICS DIR DEP", cents, "Paycheck", CHECKING)
        day += timedelta(days=14)
    for day, cents in ((date(2025, 12, 19), 75000), (date(2026, 3, 13), 185000)):
        yield Row(day, "Northfield Logistics Bonus", "NORTHFIELD LOGISTICS BONUS", cents, "Bonus", CHECKING)
    chance = random.Random("american etsy shop")  # noqa: S311 - made-up data
    for month in months():
        if month >= date(2025, 9, 1) and chance.random() < 0.7:
            day = min(LAST, month.replace(day=4 + int(chance.random() * 22)))
            yield Row(day, "Etsy Deposit", "ETSY INC DEPOSIT ACH", draw(chance, 3800, 16000), "Income", CHECKING)


def make_cash() -> Iterator[Row]:
    """Cash machines, some of which take a fee."""
    chance = random.Random("american cash")  # noqa: S311 - made-up data
    for day in days():
        if chance.random() < 1.1 / 30.4:
            cents = (4000, 6000, 6000, 10000, 20000)[int(chance.random() * 5)]
            yield Row(day, "ATM Withdrawal", "ATM WITHDRAWAL 00412 COLFAX AVE", -cents, "Cash & ATM", CHECKING)
            if chance.random() < 0.4:
                yield Row(day, "ATM Fee", "NON-NETWORK ATM FEE", -350, "ATM Fee", CHECKING)


def make_savings() -> Iterator[Row]:
    """What is put aside each month, one month that was left out, one sum taken back, and the interest."""
    balance = 620000
    for month in months():
        day = month.replace(day=3)
        cents = 35000 if day.year == 2025 else 42500
        if month != date(2026, 2, 1):
            balance += cents
            yield from move(day, cents, CHECKING, SAVINGS)
        if month == date(2026, 5, 1):
            balance -= 90000
            yield from move(date(2026, 5, 18), 90000, SAVINGS, CHECKING)
        end = (month + timedelta(days=32)).replace(day=1) - timedelta(days=1)
        interest = round(balance * 0.037 / 12)
        if end <= LAST:
            balance += interest
            yield Row(end, "Interest Paid", "INTEREST PAYMENT", interest, "Interest Income", SAVINGS)


def move(day: date, cents: int, source: str, target: str) -> Iterator[Row]:
    """Both sides of a transfer between own accounts; the second is booked on the next working day."""
    later = day + timedelta(days={4: 3, 5: 2}.get(day.weekday(), 1))
    yield Row(day, f"Transfer to {target}", "ONLINE TRANSFER TO XXXX", -cents, "Transfer", source)
    yield Row(later, f"Transfer from {source}", "ONLINE TRANSFER FROM XXXX", cents, "Transfer", target)


def pay_cards(rows: list[Row]) -> Iterator[Row]:
    """Each card's charges of a month are paid on the 12th of the next one, but for two forgotten payments."""
    owed = {VISA: 0, MASTERCARD: 0}
    for month in months():
        for card, cents in owed.items():
            day = month.replace(day=12)
            forgotten = (card, f"{month:%Y-%m}") in {(VISA, "2025-04"), (MASTERCARD, "2026-08")}
            if cents > 0 and not forgotten:
                yield Row(
                    day, f"Payment to {card}", "CARD BILL PAYMENT ONLINE", -cents, "Credit Card Payment", CHECKING
                )
                yield Row(
                    day + timedelta(days=1),
                    "Payment Thank You",
                    "PAYMENT THANK YOU - WEB",
                    cents,
                    "Credit Card Payment",
                    card,
                )
                owed[card] = 0
            owed[card] -= sum(
                r.cents for r in rows if r.account == card and (r.day.year, r.day.month) == (month.year, month.month)
            )


def make_events() -> Iterator[Row]:
    """The single movements written out above."""
    originals = {shop.merchant: shop.original for shop in read_shops()}
    for line in EVENTS.strip().splitlines():
        day, description, cents, category, account, labels, notes = line.split("|")
        original = originals.get(description, description.upper())
        yield Row(date.fromisoformat(day), description, original, int(cents), category, account, labels, notes)


def make_rows() -> list[Row]:
    """The whole ledger, newest first, as such exports are."""
    rows = [row for shop in read_shops() for row in make_visits(shop)]
    rows += [row for bill in BILLS for row in make_bills(bill)]
    rows += [*make_income(), *make_cash(), *make_savings(), *make_events()]
    rows += list(pay_cards(rows))
    rows = [row for row in rows if row.day <= LAST]
    return sorted(rows, key=lambda row: (row.day, row.description, row.cents), reverse=True)


def find_merchant(description: str) -> str:
    """The plain name of who is behind a description; empty for a transfer or card payment."""
    if description.startswith(("Transfer ", "Payment ")):
        return ""
    known = {name: shop.merchant for shop in read_shops() for name in shop.descriptions}
    return (known | OTHER_MERCHANTS).get(description, description)


def find_kind(row: Row) -> str:
    """The kind of a row: by its category, else by its sign."""
    return KINDS.get(row.category) or ("refund" if row.cents > 0 else "purchase")


def write_ledger(rows: list[Row]) -> None:
    """Writes the bank's file."""
    with (HERE / FILE).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(
            (
                "Date",
                "Description",
                "Original Description",
                "Amount",
                "Transaction Type",
                "Category",
                "Account Name",
                "Labels",
                "Notes",
            )
        )
        for row in rows:
            day = f"{row.day.month}/{row.day.day:02d}/{row.day.year}"
            amount = f"{abs(row.cents) // 100}.{abs(row.cents) % 100:02d}"
            side = "debit" if row.cents < 0 else "credit"
            writer.writerow(
                (day, row.description, row.original, amount, side, row.category, row.account, row.labels, row.notes)
            )


def write_labels(rows: list[Row]) -> None:
    """Writes the truth: one line for each description and sign."""
    labels = {
        (FILE, row.description, "-" if row.cents < 0 else "+"): (
            find_merchant(row.description),
            row.category,
            find_kind(row),
        )
        for row in rows
    }
    with (HERE / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("file", "description", "sign", "merchant", "category", "kind"))
        writer.writerows((*key, *labels[key]) for key in sorted(labels))


if __name__ == "__main__":
    made = make_rows()
    write_ledger(made)
    write_labels(made)
