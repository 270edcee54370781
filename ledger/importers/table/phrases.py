"""The words of banks as data: layouts of cards and of shops' lists, states, balances, kinds of account."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from ledger.importers.currencies import CODES
from ledger.importers.table.vocabulary import fold, folded
from ledger.transactions import AccountType

if TYPE_CHECKING:
    from collections.abc import Collection


#: Words in the header of what a shop or an app lists: orders, rides, shared costs. All of it was spent.
ORDERS = folded(
    """order id|order number|order no|order date|order total|order placed|order status|bestellnummer|bestelldatum|
    bestellung|numero de commande|date de commande|numero de pedido|fecha del pedido|ordernummer|besteldatum|
    numero ordine|data ordine|restaurant|restaurant name|trip id|ride id|trip date|fare|asin isbn|asin|paid by|
    split|trip or order status|fare amount|fare currency|shipping address|shipping charge|merchant order id|
    installment|instalment|item total|items|instalment amount|installment amount|order reference|booking id|
    pick up|drop off|montant de l achat"""
)
#: Words in the header of a seller's list, whose orders are money in.
SELLERS = folded(
    """payout|payouts|net payout|payout amount|buyer|buyer name|buyer username|seller|sale date|net sales|earnings|
    order net|commission|marketplace fee|sales tax collected|customer|customer name|driver|tips earned"""
)
#: Those of them that nobody has who buys: what is listed was earned.
EARNED = folded(
    "auszahlungsbetrag|auszahlungsdatum|payout|payouts|net payout|payout amount|net sales|earnings|order net|tips earned"
)
#: Headers of amounts that only money out has.
PRICES = folded(
    """cost|price|total cost|total price|amount paid|total paid|you paid|total charged|amount charged|charge amount|
    purchase amount|order total|order value|total owed|fare|spent|amount spent|grand total|fare paid by you|paid by you|
    preis|gesamtpreis|
    bestellsumme|ausgabe|ausgaben|kosten|prix|prix total|precio|coste|costo|prezzo|prijs|depense|gasto|expense|
    סכום חיוב|סכום החיוב|סכום לחיוב"""
)

#: Words in headers of balances that hold what can be spent, a limit included.
AVAILABLE = folded("available|disponible|disponibile|disponivel|verfugbar|verfugbarer|beschikbaar|disponivel|dostepne")

#: Header words of one continent's banks: they tell how a file in English writes its dates.
MONTH_FIRST_WORDS = folded(
    """post date|trans date|original description|running bal|check or slip|check number|check|card member|labels|
    clearing date|purchased by|appears on your statement as|clr"""
)
DAY_FIRST_WORDS = folded(
    "paid out|paid in|money out|money in|sort code|counter party|narrative|particulars|cheque number|chq no"
)
MONTH_FIRST_CURRENCIES = frozenset({"USD"})
DAY_FIRST_CURRENCIES = CODES - MONTH_FIRST_CURRENCIES - {"CAD", "PHP", "JPY", "CNY", "KRW", "TWD", "HUF", "ZAR"}

#: Words in the header that banks of one country alone use, and so of one currency.
_CURRENCY_WORDS = {
    "GBP": folded("sort code"),
    "PLN": folded(
        "kwota|kwota operacji|kwota transakcji|data operacji|data ksiegowania|tytul|odbiorca|saldo po operacji|opis operacji"
    ),
    "CZK": folded("castka|datum zauctovani|datum provedeni|nazev protiuctu"),
    "NOK": folded("belop|bokfort dato|ut fra konto|inn pa konto|kjopsdato|bokforingsdato"),
    "DKK": folded("belob|bogfort|bogforingsdato|kobsdato|haevet|indsat|rentedato og saldo"),
    "HUF": folded("osszeg|konyveles datuma|egyenleg|partner neve|penznem|erteknap"),
    "TRY": folded("tutar|islem tarihi|tarih|aciklama|bakiye"),
    "CNY": folded("收/支|交易对方|交易时间|交易创建时间"),
    "JPY": folded("利用日|ご利用日|お支払金額|利用金額|お引出し|お預入れ|差引残高|取引日"),
    "EUR": folded("""bedrag|boekdatum|omschrijving|maara|saaja maksaja|kirjauspaiva|verwendungszweck|glaubiger id|
        mandatsreferenz|auftraggeber empfanger|begunstigter zahlungspflichtiger|znesek|ciastka"""),
}
#: Words of languages in which banks of several currencies write, with these, those of the most people first.
_LIKELY_WORDS: dict[tuple[str, ...], frozenset[str]] = {
    ("SEK", "EUR"): folded(
        "belopp|bokforingsdag|bokforingsdatum|insattning|uttag|transaktionsdag|reskontradatum|specifikation"
    ),
    ("RON", "MDL"): folded("data tranzactiei|data tranzactie|descriere"),
    ("BRL", "EUR"): folded("estabelecimento|portador|valor|lancamento"),
    ("EUR", "CHF"): folded(
        "betrag|buchungstag|buchungsdatum|umsatz|importo|descrizione|data contabile|data operazione"
    ),
    ("EUR", "CHF", "CAD"): folded("montant|libelle|date operation"),
    ("EUR", "MXN", "COP", "ARS", "CLP"): folded("importe|fecha|concepto|cargo|abono"),
    ("CZK", "EUR"): folded("objem"),
    ("RSD", "EUR", "BAM"): folded("isplata|uplata|stanje"),
    ("KES", "TZS", "MZN"): folded("completion time"),
    ("CNY", "JPY", "TWD"): folded("摘要"),
}

#: How the rows begin that state a balance between the transactions; what follows is a day, a number or nothing.
_BALANCES = (
    "opening balance", "closing balance", "beginning balance", "ending balance", "starting balance", "previous balance",
    "balance brought forward", "balance carried forward", "balance b/f", "balance c/f", "brought forward",
    "carried forward", "anfangssaldo", "endsaldo", "tagessaldo", "anfangsbestand", "endbestand", "kontostand am",
    "alter kontostand", "neuer kontostand", "saldovortrag", "beginsaldo", "eindsaldo", "ancien solde", "nouveau solde",
    "solde initial", "solde final", "solde au", "solde précédent", "saldo inicial", "saldo final", "saldo anterior",
    "saldo iniziale", "saldo finale", "ingående saldo", "utgående saldo", "inngående saldo", "primosaldo", "ultimosaldo",
    "saldo początkowe", "saldo końcowe", "saldo do dia", "saldo del día", "saldo del dia",
    "algsaldo", "lõppsaldo", "alkusaldo", "loppusaldo", "počáteční zůstatek", "konečný zůstatek", "nyitó egyenleg",
    "záró egyenleg", "sold initial", "sold final", "umsatz gesamt",
    "početno stanje", "završno stanje",
    "konačno stanje", "ukupni promet", "gün sonu bakiye", "前月繰越", "繰越残高",
)  # fmt: skip
_IS_BALANCE = re.compile(
    rf"(?:eb-wert / )?(?:{'|'.join(map(re.escape, sorted(_BALANCES, key=len, reverse=True)))})\b(.*)"
)
#: Said alone, these are sums of all rows; shops have them in their names.
_TURNOVER = frozenset(("käive", "devir", "total debits", "total credits", "total for date", "סך הכל", 'סה"כ'))
_LONGEST_TOTAL = 40
#: A day or an amount: hardly any words beside the numbers.
_DATED = re.compile(r"\W*(?:[a-z]{2,4}\W+){0,3}(?:[a-z]+\W+)?\d.*")


def is_balance(text: str) -> bool:
    """Tell whether a text says a balance and at most its day: ``Closing balance as of 31 May``, ``Kontostand am 31.05.``."""
    found = _IS_BALANCE.match(text.casefold())
    if found is None:
        return text.strip().casefold() in _TURNOVER
    rest = found[1].strip(" .:;,-–*()")
    return not rest or rest.upper() in CODES or _DATED.fullmatch(rest) is not None


#: How the rows are named that add up those above; shops have such words in longer names.
_TOTALS = folded(
    """total|totals|grand total|sub total|subtotal|sum|summe|gesamt|gesamtsumme|gesamtbetrag|zwischensumme|insgesamt|totale|
    total general|sous total|totaux|totales|suma|razem|ogolem|totaal|subtotaal|summa|totalt|i alt|yhteensa|celkem|spolu|
    osszesen|total geral|ukupno|skupaj|toplam|συνολο|итого|всего|общо|усього|סך הכל|סה כ|סהכ|סך חיוב|סך חיוב בש ח|
    total for date|合計|合计|总计|小計|소계|합계"""
)


def is_total(text: str) -> bool:
    """Tell whether a cell names the sum of other rows."""
    return len(text) < _LONGEST_TOTAL and fold(text) in _TOTALS


_ACCOUNT_TYPES = {
    AccountType.CREDIT_CARD: """credit card|creditcard|kreditkarte|kreditkort|carte de credit|tarjeta de credito|
        carta di credito|cartao de credito|kredietkaart|karta kredytowa|visa|mastercard|american express|amex|
        charge card|כרטיס אשראי|ישראכרט|ויזה|מאסטרקארד""",
    AccountType.SAVINGS: """savings|saving|tagesgeld|tagesgeldkonto|sparkonto|sparen|extra konto|festgeld|spaarrekening|
        epargne|livret|ahorro|risparmio|poupanca|opsparing|sparekonto|oszczednosciowe|money market""",
    AccountType.CHECKING: """checking|chequing|girokonto|giro|current account|zichtrekening|betaalrekening|
        compte courant|compte cheques|cuenta corriente|conto corrente|conta corrente|conta a ordem|lonekonto|lonkonto|
        brukskonto|kontokorrent|privatkonto|rachunek biezacy|konto osobiste|עובר ושב|עו ש""",
    AccountType.LOAN: """loan|darlehen|mortgage|hypothek|hypotheek|lening|pret|prestamo|mutuo|emprestimo|kredyt|
        line of credit""",
    AccountType.INVESTMENT: "brokerage|depot|investment|wertpapierdepot",
    AccountType.CASH: "cash|bargeld|wallet",
}
_TYPE_WORDS = tuple((kind, f" {fold(word)} ") for kind, words in _ACCOUNT_TYPES.items() for word in words.split("|"))


def account_type_in(text: str) -> AccountType | None:
    """Return the first kind of account that a text names: ``Visa Kreditkarte``, ``My Savings``, ``Girokonto``."""
    words = f" {fold(text)} "
    return next((kind for kind, word in _TYPE_WORDS if word in words), None)


#: Alphabets in which the banks of one country alone write, as Unicode calls their letters, and its currency.
_ALPHABETS = {
    "HEBREW": "ILS", "HANGUL": "KRW", "HIRAGANA": "JPY", "KATAKANA": "JPY", "THAI": "THB", "GREEK": "EUR", "GEORGIAN": "GEL",
    "ARMENIAN": "AMD", "KHMER": "KHR", "LAO": "LAK", "MYANMAR": "MMK", "SINHALA": "LKR", "ETHIOPIC": "ETB",
}  # fmt: skip
_LEAST_LETTERS = 3


def currency_of_words(words: Collection[str]) -> str | None:
    """Return the currency of the banks that alone have such words (folded) in their headers, unless they are of several."""
    found = {currency for currency, own in _CURRENCY_WORDS.items() if own.intersection(words)}
    letters = Counter(unicodedata.name(char, "").partition(" ")[0] for char in "".join(words))
    found |= {currency for name, currency in _ALPHABETS.items() if letters[name] >= _LEAST_LETTERS}
    return found.pop() if len(found) == 1 else None


def likely_currencies(words: Collection[str]) -> list[str]:
    """Return the currencies of banks that have such words (folded) in their headers, the likeliest first."""
    return [code for codes, own in _LIKELY_WORDS.items() if own.intersection(words) for code in codes]
