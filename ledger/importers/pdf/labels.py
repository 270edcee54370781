"""The words of statements as data: what names a balance, a total, a card, a currency or money that is not booked yet."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from ledger.importers.currencies import CODES
from ledger.importers.dates import month_of
from ledger.importers.table.vocabulary import fold

if TYPE_CHECKING:
    from collections.abc import Iterable


class Label(Enum):
    """What a line or a box of a statement states."""

    OPENING = "the balance before the first row"
    CLOSING = "the balance after the last row"
    FORWARD = "a balance that is carried from one page to another, or from the last statement"
    BALANCE = "the balance of a day"
    TOTAL_IN = "all money in"
    TOTAL_OUT = "all money out"
    TOTAL = "sums of the columns"


#: Left off before words are compared: they say whose, when or where.
_FILLERS = frozenset(
    """your the this my our ihr ihre ihrem votre vos su tu din ditt of on at as to for from per am vom von zum im auf an
    bis um uhr den der des au le la les de del al a el il lo op van het fra till til til den per pr to statement
    account auszug nr no konto kontos compte cuenta conto rekening blatt seite page sheet from last period date eur gbp
    usd chf cad aud inr sek nok dkk nzd""".split()
)

WORDS = {
    Label.OPENING: """opening balance|beginning balance|starting balance|start balance|previous balance|old balance|
        balance previous|last months balance|last month s balance|last month balance|
        balance start|balance beginning|opening bal|prior balance|initial balance|
        anfangssaldo|anfangsbestand|anfangskontostand|alter kontostand|alter saldo|kontostand alt|saldo alt|
        saldo letzter|letzter saldo|letzte abrechnung|saldo letzte abrechnung|saldo letzten abrechnung|saldo vormonat|
        saldo beginn|eroffnungssaldo|
        ancien solde|solde precedent|solde initial|solde anterieur|solde ouverture|solde d ouverture|
        solde debut periode|solde debut|ancien solde crediteur|ancien solde debiteur|
        saldo anterior|saldo inicial|saldo iniziale|saldo precedente|saldo apertura|
        beginsaldo|vorig saldo|oud saldo|ingaende saldo|ingangssaldo|ingangsbalans|inngaende saldo|startsaldo|primosaldo|
        primo saldo|saldo primo|saldo poczatkowe|alkusaldo|forrige saldo|saldo forrige""",
    Label.CLOSING: """closing balance|ending balance|end balance|new balance|final balance|balance end|closing bal|
        balance close|new balance total|current balance total|total new balance|balance owing|
        total amount due|amount due|total due|total balance due|
        outstanding balance|total outstanding|total outstanding balance|
        endsaldo|endbestand|schlusssaldo|schlussaldo|neuer kontostand|neuer saldo|kontostand neu|saldo neu|abschlusssaldo|
        endkontostand|saldo ende|saldo neue abrechnung|
        nouveau solde|solde final|solde fin periode|solde fin|solde cloture|solde de cloture|nouveau solde crediteur|
        nouveau solde debiteur|
        saldo final|saldo finale|saldo cierre|saldo actual|saldo nuevo|saldo chiusura|
        eindsaldo|nieuw saldo|utgaende saldo|utgangssaldo|slutsaldo|sluttsaldo|ultimosaldo|ultimo saldo|saldo ultimo|
        saldo koncowe|loppusaldo|ny saldo|nytt saldo""",
    Label.FORWARD: """balance brought forward|brought forward|balance b f|b f|bal b f|balance carried forward|
        carried forward|balance c f|c f|bal c f|balance forward|balance fwd|balance carried|forwarded balance|
        ubertrag|ubertrag blatt|ubertrag folgeseite|ubertrag vorseite|saldoubertrag|saldovortrag|vortrag|zwischensaldo|
        saldo ubertrag|ubertrag saldo|ubertrag nachste|ubertrag vorherige|
        a reporter|report|solde reporte|solde a reporter|report solde|suite|transport|solde report|ancien solde reporte|
        suma y sigue|suma anterior|saldo arrastrado|riporto|a riportare|transporte|transporteren|transport saldo|
        overfort|overfores|overforing|overfort saldo|saldo overfort|transporteras""",
    Label.BALANCE: """balance|saldo|kontostand|tagessaldo|tagesendsaldo|solde|solde crediteur|solde debiteur|solde du|
        solde crediteur du|solde debiteur du|sold|
        buchungssaldo|rechnungsabschluss saldo|ending daily balance|daily balance|kontosaldo|solde crediteur euros|
        solde debiteur euros|saldo zu gunsten|saldo zu lasten|saldo zu unseren gunsten|saldo zu ihren gunsten|
        saldo unsere gunsten|saldo ihre gunsten|soldes crediteur|soldes debiteur""",
    Label.TOTAL_IN: """total paid in|total money in|total payments in|payments in|total deposits|total credits|total credit|
        total in|money in|paid in|total deposits and other additions|deposits and other additions|deposits and additions|
        total deposits and additions|total deposits credits|total additions|deposits and other credits|
        total deposits and other credits|total receipts|total incoming|
        summe gutschriften|summe haben|summe eingange|summe zahlungseingange|summe der gutschriften|habenumsatze|
        summe habenumsatze|total gutschriften|gesamtsumme gutschriften|total eingange|summe einnahmen|total haben|
        total credits operations|total operations credit|total operations crediteur|
        total abonos|total ingresos|total haber|total entrate|total accrediti|totale accrediti|totale entrate|
        totaal bij|totaal bijgeschreven|sum inn|summa insattningar|insattningar|total inn|summa in""",
    Label.TOTAL_OUT: """total paid out|total money out|total payments out|payments out|total withdrawals|total debits|
        total debit|total out|money out|paid out|total withdrawals and other subtractions|
        withdrawals and other subtractions|total subtractions|total withdrawals debits|total withdrawals and other debits|
        withdrawals and other debits|total outgoing|
        summe belastungen|summe soll|summe ausgange|summe zahlungsausgange|summe der belastungen|sollumsatze|
        summe sollumsatze|total belastungen|gesamtsumme belastungen|total ausgange|summe ausgaben|total soll|
        total debits operations|total operations debit|total operations debiteur|
        total cargos|total gastos|total debe|total uscite|total addebiti|totale addebiti|totale uscite|
        totaal af|totaal afgeschreven|sum ut|summa uttag|uttag|total ut|summa ut""",
    Label.TOTAL: """total|totals|subtotal|sub total|grand total|summe|zwischensumme|gesamt|gesamtsumme|umsatztotal|
        total umsatze|summe umsatze|total mouvements|totaux mouvements|total operations|totaux|total general|totaal|
        totale|suma|sumas|summa|sum|total transactions|totals at end|totale movimenti|total movimientos|total page|
        total debits credits|umsatz gesamt|summe soll haben|turnover|total turnover|omsatning""",
}  # fmt: skip


def pattern_of(source: str) -> re.Pattern[str]:
    """Return a pattern for folded texts, of words as they are written: what is folded has no ``ae``, ``oe`` or ``ue``."""
    return re.compile(source.replace("ae", "a").replace("oe", "o").replace("ue", "u"))


#: October in one language and money out in another.
_OUT_WORD = "out"


def _key(text: str) -> str:
    """Return the words of a text that say what it is."""
    return " ".join(
        word
        for word in fold(text).split()
        if word == _OUT_WORD or (word not in _FILLERS and not any(map(str.isdigit, word)) and not month_of(word))
    )


_LABELS = {_key(phrase): label for label, phrases in WORDS.items() for phrase in phrases.split("|")}
#: What a shop or a bill may be called as well, so that it is a row where a day stands before it.
_NAMES = frozenset(
    {"report", "transport", "suite", "vortrag", "transporte", "overforing", "balance", "sold", "uttag", "insattningar"}
)
_TOTALS = frozenset({Label.TOTAL, Label.TOTAL_IN, Label.TOTAL_OUT})


@lru_cache(maxsize=8192)
def label_of(text: str, *, dated: bool = False) -> Label | None:
    """Return what a text names if it says nothing else but when and whose: ``Closing balance on 31 January``.

    Behind a day (``dated``) only what no payment is called is a label.
    """
    if len(text) > 100:
        return None
    key = _key(text)
    label = _LABELS.get(key)
    return None if dated and (label in _TOTALS or key in _NAMES) else label


@lru_cache(maxsize=2048)
def says_debit(text: str) -> int:
    """Return which side a balance's own words name: -1 for money owed, 1 for money in credit, 0 for neither."""
    words = set(fold(text).split())
    if words & {"debiteur", "overdrawn", "owed", "deudor", "debitore", "lasten"}:
        return -1
    return 1 if words & {"crediteur", "acreedor", "gunsten"} else 0


#: What only statements of cards say.
_CARD = pattern_of(
    r"\b(?:credit card|minimum payment|minimum amount due|payment due date|credit limit|cash advance|kreditkarte|"
    r"kreditkartenabrechnung|kartenabrechnung|mindestzahlung|mindestbetrag|kreditlimite|verfugungsrahmen|"
    r"carte de credit|paiement minimum|limite de credit|tarjeta de credito|pago minimo|carta di credito|"
    r"kreditkort|kreditgrans|betalkort|kredietkaart|creditcard|charge card)\b"
)


def card_words(texts: Iterable[str]) -> int:
    """Count what lines say that only a card's statement does."""
    return len({found[0] for text in texts for found in _CARD.finditer(fold(text))})


_SAVINGS = pattern_of(
    r"\b(?:savings?|saver|sparkonto|tagesgeld|tagesgeldkonto|livret|compte epargne|cuenta de ahorro|sparekonto)\b"
)


def is_savings(text: str) -> bool:
    """Tell a heading of an account for savings."""
    return _SAVINGS.search(fold(text)) is not None


#: Headings over money in, over money out, and over what is not booked or no transaction at all.
_IN = pattern_of(
    r"(?:deposits?|credits?|payments? (?:and (?:other )?)?credits?|additions|payments received|payments in|money in|"
    r"electronic deposits|other credits|gutschriften|eingange|zahlungseingange|insattningar|refunds?|payments?)\b"
)
_OUT = pattern_of(
    r"(?:(?:electronic |atm (?:and )?(?:debit card )?|other |card |cash )?"
    r"(?:withdrawals?|debits?|checks?(?: paid)?|cheques?|purchases?|charges?|fees?(?: charged)?|service fees|"
    r"interest charged|payments out|money out|subtractions|cash advances)|"
    r"new (?:charges|purchases)|standard purchases|belastungen|ausgange|zahlungsausgange|uttag)\b"
)
_NO_ROWS = pattern_of(
    r"(?:(?:pending|upcoming|scheduled|authori[sz]ed) (?:transactions?|payments?|charges?|activity|from)|pending|upcoming|"
    r"vorgemerkte?(?: umsatze| buchungen| zahlungen)?|noch nicht gebuchte?|operations? (?:en attente|a venir)|"
    r"movimientos pendientes|daily (?:ending |ledger |account )?balances?(?: summary)?)\b"
)


def heading_side(text: str) -> int:
    """Return 1 for a heading over money in, -1 for one over money out, 0 for any other."""
    words = fold(text)
    if len(words) > 60:
        return 0
    if _OUT.match(words):
        return -1
    return 1 if _IN.match(words) else 0


def is_aside(text: str) -> bool:
    """Tell a heading over what is not booked, or over a table that is none of transactions."""
    return _NO_ROWS.match(fold(text)) is not None


#: Words by which a country's statements are known where amounts have a sign that several currencies share.
_CURRENCIES = (
    ("AUD", r"\bBSB\b|\bABN\b|\bAFSL\b|\bAUD\b|Australian dollar"),
    ("CAD", r"\bCDIC\b|\bSADC\b|Interac|INTERAC|\bCAD\b|Canadian dollar|\bTransit\b"),
    ("NZD", r"\bNZD\b|New Zealand|\bGST No\b"),
    ("SGD", r"\bSGD\b|Singapore dollar"),
    ("USD", r"\bFDIC\b|\bNCUA\b|[Rr]outing [Nn]umber|\bUSD\b|US dollar|Equal Housing Lender"),
)  # fmt: skip
_COUNTRIES = tuple((code, re.compile(words)) for code, words in _CURRENCIES)
_CODE = re.compile(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")


def dollars_in(text: str) -> set[str]:
    """Return whose dollars a statement may be in, by its own words."""
    return {code for code, words in _COUNTRIES if words.search(text)}


#: Codes that are names or words as well, in texts in capitals.
_NO_CODES = frozenset("ALL BOB COP CUP GEL LAK MAD MOP PEN SOS TOP TRY".split())


def codes_in(text: str) -> list[str]:
    """Return the currencies that a text names by their codes."""
    return [code for code in _CODE.findall(text) if code in CODES - _NO_CODES]
