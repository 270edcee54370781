"""The layouts of banks and programs that are known by their headers, as data: whose files they are, and what is odd in them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ledger.importers.table.vocabulary import folded
from ledger.transactions import AccountType

if TYPE_CHECKING:
    from collections.abc import Collection


@dataclass(frozen=True, slots=True)
class KnownLayout:
    """Whose files have a header with all of these words, and which kind of account they are of.

    ``charges_positive`` says that purchases stand there as positive amounts, ``spent_only`` that the file is a list of
    what was bought. ``seller`` is whom it was bought from where no column names that. ``refunds_inside`` says that the
    state of a purchase tells that it was paid back, with no row for that, ``one_account`` that what such a file calls
    an account is where money came from, ``padded`` that a descriptor's first field is the name, and ``behind`` that
    people's names stand behind a word for the way (“To Ann Smith”). A ``budget`` is kept
    in a program for many accounts: a minus is money out, and a transfer there is between the person's own. ``currency`` is
    that of all accounts of a bank of one country, which its files don't name.
    """

    name: str
    header: frozenset[str]
    type: AccountType | None = None
    charges_positive: bool = False
    spent_only: bool = False
    seller: str = ""
    refunds_inside: bool = False
    one_account: bool = False
    padded: bool = False
    behind: bool = False
    budget: bool = False
    currency: str | None = None


_CARD, _CHECKING = AccountType.CREDIT_CARD, AccountType.CHECKING


def _known(name: str, type_: AccountType | None, *headers: str, **odd: Any) -> tuple[KnownLayout, ...]:
    same = KnownLayout(name, frozenset(), type_, **odd)
    return tuple(replace(same, header=folded(header)) for header in headers)


#: The first whose words are all there counts.
LAYOUTS: tuple[KnownLayout, ...] = (
    *_known(
        "American Express",
        _CARD,
        "date|description|amount|extended details|appears on your statement as",
        "date|description|amount|card member|account",
        "datum|beschreibung|betrag|karteninhaber|konto",
        "datum|beschreibung|betrag|erscheint auf ihrer abrechnung als",
        charges_positive=True,
    ),
    KnownLayout(
        "Discover",
        folded("trans date|post date|description|amount|category"),
        _CARD,
        charges_positive=True,
        currency="USD",
    ),
    KnownLayout("Curve", folded("merchant|txn amount funding card"), None, charges_positive=True),
    *_known("Apple Card", _CARD, "transaction date|clearing date|merchant|category|type|amount usd", currency="USD"),
    *_known("Capital One", _CARD, "transaction date|posted date|card no|description|category|debit|credit"),
    *_known("Chase card", _CARD, "transaction date|post date|description|category|type|amount|memo", currency="USD"),
    *_known("Chase checking", _CHECKING, "details|posting date|description|amount|type|balance|check or slip", currency="USD"),
    *_known("Max", _CARD, "תאריך עסקה|שם בית העסק|סכום חיוב|מטבע חיוב", charges_positive=True),
    *_known("Isracard", _CARD, "תאריך רכישה|שם בית עסק|סכום חיוב", charges_positive=True),
    *_known("Cal", _CARD, "תאריך עסקה|שם בית עסק|סכום עסקה|סכום חיוב|ענף", charges_positive=True),
    *_known("Leumi", _CHECKING, "תאריך|תאריך ערך|תיאור|אסמכתא|בחובה|בזכות"),
    *_known("Bank Hapoalim", _CHECKING, "תאריך|הפעולה|פרטים|אסמכתא|חובה|זכות", "תאריך|תיאור הפעולה|פרטים|חובה|זכות"),
    *_known("Discount Bank", _CHECKING, "תאריך|יום ערך|תיאור התנועה|זכות חובה"),
    *_known("FinecoBank", _CHECKING, "data|entrate|uscite|descrizione|descrizione completa|stato", currency="EUR"),
    *_known("Crédit Agricole", _CHECKING, "date|libelle|debit euros|credit euros"),
    *_known("BBVA", None, "f valor|fecha|concepto|movimiento|importe|divisa|disponible|observaciones"),
    *_known("CaixaBank", None, "fecha|fecha valor|movimiento|mas datos|importe|saldo", currency="EUR"),
    *_known("Intesa Sanpaolo", None, "data|operazione|dettagli|conto o carta|contabilizzazione|importo"),
    *_known("UBS", None, "abschlussdatum|buchungsdatum|valutadatum|belastung|gutschrift|einzelbetrag|saldo"),
    *_known("HDFC Bank", None, "date|narration|chq ref no|value dt|withdrawal amt|deposit amt|closing balance", currency="INR"),
    *_known("Erste Bank", None, "buchungsdatum|partnername|partner iban|buchungs info|buchungsreferenz"),
    *_known("Citi", _CARD, "status|date|description|debit|credit|member name", currency="USD"),
    *_known("Bank of America", _CHECKING, "date|description|amount|running bal", currency="USD"),
    *_known("Bank of America card", _CARD, "posted date|reference number|payee|address|amount", currency="USD"),
    *_known("U.S. Bank", None, "date|transaction|name|memo|amount", currency="USD"),
    *_known(
        "PayPal",
        None,
        "time zone|gross|net|transaction id",
        "zeitzone|brutto|netto|transaktionscode",
        "fuseau horaire|net|numero de transaction|solde",
        "zona horaria|bruto|neto|identificador de transaccion",
    ),
    *_known("Venmo", None, "datetime|from|to|amount total|funding source", currency="USD"),
    KnownLayout("Cash App", folded("net amount|asset type|asset price"), one_account=True),
    *_known(  # its column of cards is empty at transfers
        "Wise", None, "transfer wise id|running balance", "wise id|running balance", one_account=True
    ),
    *_known(
        "Revolut",
        None,
        "product|started date|completed date",
        "produkt|datum des beginns|datum des abschlusses",
        "produit|date de debut|date de fin",
        "producto|fecha de inicio|fecha de finalizacion",
        "prodotto|data di inizio|data di completamento",
        "produkt|data rozpoczecia|data zakonczenia",
        "product|startdatum|datum voltooid",
        "produto|data de inicio|data de conclusao",
        behind=True,
    ),
    *(
        KnownLayout("Amazon", folded(header), None, spent_only=True, seller="Amazon")
        for header in ("order id|order date|asin", "order id|order date|asin isbn", "order id|order url|items")
    ),
    KnownLayout("Amazon", folded("order id|reversal id|amount refunded"), None, seller="Amazon"),
    KnownLayout(
        "Google Play",
        folded("time|transaction id|description|product|payment method|status|amount"),
        None,
        spent_only=True,
        refunds_inside=True,
    ),
    *_known(
        "N26",
        _CHECKING,
        "partner name|partner iban|payment reference",
        "payee|account number|transaction type|payment reference|amount foreign currency",
        "empfanger|kontonummer|transaktionstyp|verwendungszweck|betrag fremdwahrung",
    ),
    *_known("Monzo", _CHECKING, "emoji|local amount|local currency|notes and tags"),
    *_known("Starling", _CHECKING, "counter party|reference|type|spending category", "counter party|balance gbp", currency="GBP"),
    KnownLayout("Barclays", folded("number|date|account|amount|subcategory|memo"), padded=True, currency="GBP"),
    *_known("DKB", None, "zahlungspflichtige r|zahlungsempfanger in|umsatztyp"),
    *_known("comdirect", None, "buchungstag|wertstellung valuta|vorgang|buchungstext|umsatz in eur"),
    *_known("Sparkasse", _CHECKING, "auftragskonto|buchungstag|glaubiger id|sammlerreferenz"),
    *_known("VR Bank", None, "bezeichnung auftragskonto|iban auftragskonto|saldo nach buchung"),
    *_known("Commerzbank", None, "buchungstag|umsatzart|buchungstext|betrag|iban kontoinhaber"),
    *_known(
        "ING", None, "naam omschrijving|af bij|mutatiesoort|mededelingen", "naam omschrijving|af bij|code|tegenrekening",
        currency="EUR",
    ),
    *_known(
        "PostFinance",
        None,
        "avisierungstext|gutschrift in chf|lastschrift in chf",
        "notification text|credit in chf|debit in chf",
        "texte de notification|credit en chf|debit en chf",
        "testo d avviso|accredito in chf|addebito in chf",
    ),
    *(
        KnownLayout(name, folded(header), budget=True)
        for name, header in (
            ("Monarch", "date|merchant|category|account|original statement|amount|tags"),
            ("Quicken", "date|payee|category|tags|amount|account|clr"),
            ("Quicken", "date|account|num|description|category|clr|amount"),
            ("Simplifi", "date|payee|amount|account|category|tags|state"),
            ("Tiller", "date|description|category|amount|account|institution|month|week"),
            ("Actual", "account|date|payee|notes|category|amount|split amount|cleared"),
            ("Money Lover", "category|amount|note|wallet|currency|exclude report"),
            ("Money Lover", "category|amount|note|wallet|currency|exclude from report"),
            ("Spendee", "wallet|type|category name|amount|currency|note"),
            ("Money Manager", "category|subcategory|note|income expense|description|amount"),
            ("Bluecoins", "type|date|title|amount|category group name|category|account"),
        )
    ),
    *_known("Rabobank", None, "iban bban|munt|volgnr|naam tegenpartij"),
)  # fmt: skip


def known_layout(words: Collection[str]) -> KnownLayout | None:
    """Return the layout whose words are all in a header, if one is known."""
    return next((layout for layout in LAYOUTS if layout.header.issubset(words)), None)
