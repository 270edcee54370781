"""The words of banks inside the cells, as data: sides of an amount, states, balances, kinds of account."""

from __future__ import annotations

import re

from ledger.importers.currencies import CODES
from ledger.importers.table.vocabulary import fold
from ledger.transactions import AccountType


def _folded(words: str) -> frozenset[str]:
    return frozenset(map(fold, words.split("|")))


_OUT = _folded(
    "debit|debits|d|dr|db|dbit|deb|af|soll|s|debet|out|money out|withdrawal|expense|outgoing|outflow|paid out|spent|"
    "ausgabe|debito|dare|uscita|gasto|cargo|depense|sortie|uit|uitgaven|wydatek|obciazenie|ut|"
    "saida|despesa|egreso|retiro|utgift"
)
_IN = _folded(
    "credit|credits|c|cr|crdt|cred|bij|haben|h|kredit|k|in|money in|deposit|income|incoming|inflow|paid in|received|"
    "einnahme|credito|avere|entrata|ingreso|abono|haber|recette|entree|inkomsten|wplyw|uznanie|entrada|"
    "receita|inn|inntekt"
)
#: What an indicator says: -1 money out, +1 money in. ``fold`` drops signs, so the two signs are looked up as they are.
SIDES: dict[str, int] = {**dict.fromkeys(_OUT, -1), **dict.fromkeys(_IN, 1), "-": -1, "+": 1}

#: Words that name a side in a column of that name only: as a type of transaction they may stand at either sign, a
#: ``Lastschrift`` that comes back being money in.
INDICATORS: dict[str, int] = {
    **SIDES,
    **dict.fromkeys(_folded("ausgang|belastung|lastschrift|abgang|payment"), -1),
    **dict.fromkeys(_folded("eingang|gutschrift|zugang"), 1),
}

#: Words that only a purchase has, whichever sign the file gives it.
PURCHASES = _folded("sale|purchase|charge|kauf|einkauf|achat|compra|acquisto|aankoop|kop|kjop|kob|zakup")
#: The types of a card's file, for files in which a purchase stands as a positive amount.
CARD_SIDES: dict[str, int] = {
    **SIDES,
    **dict.fromkeys(PURCHASES, -1),
    **dict.fromkeys(_folded("fee|fees|interest|interest charge|cash advance|installment"), -1),
    **dict.fromkeys(
        _folded("payment|return|refund|reversal|payment thank you|statement credit|cashback|daily cash"), 1
    ),
}

#: Headers (folded) of card files that list purchases as positive amounts without saying so in any row.
CHARGES_POSITIVE = (
    _folded("date|description|amount|card member|account"),
    _folded("date|description|amount|extended details|appears on your statement as"),
    _folded("trans date|post date|description|amount|category"),
)

#: Headers of amounts from which the fee is already taken off.
NET_WORDS = _folded("net|net amount|amount net|netto|nettobetrag|nettobedrag")

#: Header words of one continent's banks: they tell how a file in English writes its dates.
MONTH_FIRST_WORDS = _folded(
    """post date|trans date|original description|running bal|check or slip|check number|check|card member|labels|
    clearing date|purchased by|appears on your statement as"""
)
DAY_FIRST_WORDS = _folded(
    "paid out|paid in|money out|money in|sort code|counter party|narrative|particulars|cheque number|chq no"
)
MONTH_FIRST_CURRENCIES = frozenset({"USD"})
DAY_FIRST_CURRENCIES = CODES - MONTH_FIRST_CURRENCIES - {"CAD", "PHP", "JPY", "CNY", "KRW", "TWD", "HUF", "ZAR"}

_UNBOOKED = re.compile(
    "pending|revert|declin|cancel|fail|denied|rejected|expired|voided|not booked|"
    "vorgemerkt|umsatz vorgemerkt|vorlaufig|ausstehend|storniert|abgelehnt|en attente|annule|refuse|rejete|"
    "pendiente|rechazad|anulad|in attesa|in sospeso|annullat|rifiutat|in behandeling|"
    "geweigerd|geannuleerd|reserverad|avvist|afvist|oczekuj|odrzucon|anulowan|pendente|recusad"
)


def is_unbooked(status: str) -> bool:
    """Tell whether a row's status says that the payment was not (or not yet) made."""
    return _UNBOOKED.match(fold(status)) is not None


#: How the rows begin that state a balance between the transactions.
BALANCES = (
    "opening balance", "closing balance", "beginning balance", "ending balance", "starting balance", "previous balance",
    "balance brought forward", "balance carried forward", "balance b/f", "balance c/f", "brought forward",
    "carried forward", "anfangssaldo", "endsaldo", "tagessaldo", "anfangsbestand", "endbestand", "kontostand am",
    "alter kontostand", "neuer kontostand", "saldovortrag", "beginsaldo", "eindsaldo", "ancien solde", "nouveau solde",
    "solde initial", "solde final", "solde au", "solde précédent", "saldo inicial", "saldo final", "saldo anterior",
    "saldo iniziale", "ingående saldo", "utgående saldo", "inngående saldo", "primosaldo", "ultimosaldo",
    "saldo początkowe", "saldo końcowe",
)  # fmt: skip

_ACCOUNT_TYPES = {
    AccountType.CREDIT_CARD: """credit card|creditcard|kreditkarte|kreditkort|carte de credit|tarjeta de credito|
        carta di credito|cartao de credito|kredietkaart|karta kredytowa|visa|mastercard|american express|amex|
        charge card""",
    AccountType.SAVINGS: """savings|saving|tagesgeld|tagesgeldkonto|sparkonto|sparen|extra konto|festgeld|spaarrekening|
        epargne|livret|ahorro|risparmio|poupanca|opsparing|sparekonto|oszczednosciowe|money market""",
    AccountType.CHECKING: """checking|chequing|girokonto|giro|current account|zichtrekening|betaalrekening|
        compte courant|compte cheques|cuenta corriente|conto corrente|conta corrente|conta a ordem|lonekonto|lonkonto|
        brukskonto|kontokorrent|privatkonto|rachunek biezacy|konto osobiste""",
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
