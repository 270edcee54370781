"""The words and letters beside an amount that say which way the money went, as data, in the languages of the banks.

A side is -1 for money out and +1 for money in; 0 stands for a word that does not say it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.importers.table.vocabulary import fold, folded

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

OUT, IN, NEITHER = -1, 1, 0


#: Words that say it wherever they stand.
_OUT = folded(
    """debit|debits|dr|db|dbit|deb|dbt|af|soll|debet|debe|out|money out|withdrawal|withdrawals|withdraw|expense|
    expenses|outgoing|outflow|paid out|spent|spending|spend|paid|sent|outgo|exp|wn|payment sent|money sent|debited|withdrawn|
    ausgabe|ausgaben|ausgang|debito|debitos|dare|uscita|uscite|gasto|gastos|cargo|cargos|depense|depenses|sortie|
    sorties|uit|uitgave|uitgaven|wydatek|wydatki|obciazenie|ut|utgang|saida|saidas|despesa|despesas|egreso|egresos|
    retiro|retiros|utgift|utgifter|utgaende|meno|menot|addebito|uttag|wyplata|vydaj|vydaje|kiadas|gider|rashod|
    odchozi|isplata|kimeno|terheles|borc|giden|ud|udgaende|haevning|hevning|wychodzacy|wychodzaca|carrec|plata|
    plati|iesiri|支出|支|出|出金|借|付|χρεωση|출금|출|지급|дебет|дт|расход|списание|md|ma dati|duguje|keluar|مدين|ถอน|
    חיוב|חובה|הוצאה|משיכה"""
)
_IN = folded(
    """credit|credits|cr|crdt|cred|cdt|bij|haben|haber|kredit|in|money in|deposit|deposits|income|incoming|inflow|
    paid in|received|receive|money received|payment received|credited|deposited|earned|inc|ma|einnahme|einnahmen|eingang|
    credito|creditos|avere|entrata|entrate|ingreso|ingresos|abono|abonos|recette|recettes|entree|entrees|inkomst|
    inkomsten|wplyw|wplywy|uznanie|uznania|przychod|przychody|entrada|entradas|receita|receitas|inn|inntekt|inntekter|
    inngaende|intakt|intakter|indtaegt|indtaegter|insattning|accredito|ontvangen|tulo|tulot|prijem|prijmy|bevetel|
    gelir|prihod|prichozi|wplata|uplata|bejovo|jovairas|alacak|gelen|pano|ind|indsat|indgaende|innskudd|
    przychodzacy|przychodzaca|incasare|incasari|intrari|收入|收|入|入金|贷|收款|πιστωση|입금|입|кредит|кт|приход|зачисление|dal|potrazuje|masuk|دائن|
    ฝาก|
    זיכוי|זכות|הכנסה|הפקדה"""
)
#: Single letters, in a column of such letters.
_LETTERS = {"d": OUT, "s": OUT, "c": IN, "h": IN, "k": IN, "-": OUT, "+": IN, "−": OUT, "–": OUT}
#: Two letters that mean something else together than alone: Ausgang and Eingang, Abgang and Zugang, Belastung and
#: Gutschrift, dare and avere, debe and haber, cargo and abono, sortie and entrée, uscita and entrata, withdrawal and
#: deposit, χρέωση and πίστωση, дебет and кредит, расход and приход, חובה and זכות, terhelés and jóváírás, má dáti and
#: dal. What means the contrary in another language is none: D and P are duguje and potražuje, or deposit and purchase.
_PAIRS: dict[frozenset[str], str] = {
    frozenset(pair.split("/")): pair.partition("/")[0]
    for pair in ("a/e a/z b/g l/g d/a d/h c/a s/e u/e w/d u/i o/i e/i χ/π д/к р/п ח/ז t/j md/d".split())
}
#: Words that only a purchase has, whichever sign the file gives it.
PURCHASES = folded(
    "sale|verkauf|vente|venta|vendita|verkoop|"
    "purchase|charge|kauf|einkauf|achat|compra|acquisto|aankoop|kop|kjop|kob|zakup|nakup|vasarlas|osto|satin alma|"
    "order|bestellung|commande|pedido|ordine|bestelling|objednavka|tilaus|zamowienie"
)
#: Money out of an account, and money in on a card, whose bill it pays.
PAYMENTS = folded(
    "payment|zahlung|paiement|pago|pagamento|betaling|betalning|indbetaling|platnosc|splata|platba|maksu|odeme|fizetes"
)
_REFUNDS = folded(
    """refund|cashback|erstattung|ruckerstattung|remboursement|devolucion|reembolso|rimborso|storno|estorno|terugbetaling|
    zwrot|aterbetalning|tilbagebetaling|refusjon|hyvitys|iade"""
)
#: Words that name a side in a column of nothing but sides: as a type of transaction they may stand at either sign, a
#: ``Lastschrift`` that comes back being money in.
_NAMED_ONLY = {
    **dict.fromkeys(folded("belastung|lastschrift|abgang|transfer out") | PURCHASES | PAYMENTS, OUT),
    **dict.fromkeys(folded("gutschrift|zugang|transfer in") | _REFUNDS, IN),
}
#: The types of a card's file.
_CARD = {
    **dict.fromkeys(PURCHASES, OUT),
    **dict.fromkeys(folded("fee|fees|interest|interest charge|interest charged|cash advance|installment"), OUT),
    **dict.fromkeys(folded("return|reversal|payment thank you|statement credit|daily cash") | PAYMENTS | _REFUNDS, IN),
}
#: Words that decide within longer types: ``ACH_DEBIT``, ``Outgoing Transfer``, ``Money sent``.
_OUT_PARTS = frozenset(
    "debit outgoing outflow withdrawal sent dr out expense uitgaand odchozi wychodzacy wychodzaca kimeno giden".split()
)
_IN_PARTS = frozenset(
    "credit incoming inflow deposit received cr refund income inkomend prichozi przychodzacy przychodzaca bejovo gelen".split()
)
_COMMON = tuple(map(frozenset, (("d", "c"), ("s", "h"), ("dr", "cr"), ("db", "cr"), ("-", "+"))))
_NO_SIDE = frozenset(
    {"card", "cards", "karte", "kaart", "reversal", "reversed", "return", "returned", "general", "bank"}
)


def read_sides(words: Collection[str], *, named: bool, card: bool = False) -> Mapping[str, int]:
    """Return the side of each word of one column.

    ``named`` says that the column's header promises sides; ``card`` that the column is of a card's movements.
    """
    keys = {word: fold(word) or word.strip() for word in words}
    letters = frozenset(key for key in keys.values() if key)
    first = _PAIRS.get(letters)
    if first is not None:
        return {word: OUT if key == first else IN for word, key in keys.items()}
    ways = {_LETTERS.get(key) for key in letters}
    if None in ways and len(ways) == 2 and all(len(key) == 1 and key.isalpha() for key in letters):
        return dict.fromkeys(words, NEITHER)  # beside a letter that nobody knows, D may be a deposit
    single = named or all(len(key) == 1 for key in letters)
    return {word: _side(key, named=named, card=card, single=single) for word, key in keys.items()}


def _side(key: str, *, named: bool, card: bool, single: bool) -> int:
    if key in _OUT or key in _IN:
        return OUT if key in _OUT else IN
    if single and key in _LETTERS:
        return _LETTERS[key]
    if named and key in _NAMED_ONLY:
        return _NAMED_ONLY[key]
    if card and key in _CARD:
        return _CARD[key]
    parts = set(key.split())
    if len(parts) < 2 or parts & _NO_SIDE:
        return NEITHER
    into = parts & _IN_PARTS or key.endswith(" in")  # “Transfer in”, and not “Pay in 3”
    return (IN if into else 0) + (OUT if parts & _OUT_PARTS else 0)


def are_codes(words: Collection[str]) -> bool:
    """Tell whether a column holds letters or short codes, of countries or people as well as of sides.

    The commonest letters of sides are taken for that under any header, others only under one that says so.
    """
    short = {fold(word) or word.strip() for word in words}
    return any(len(word) <= 2 for word in short) and not any(short <= pair for pair in _COMMON)


def names_only_sides(words: Collection[str]) -> bool:
    """Tell whether a column of types says nothing but which way the money went: ``DEBIT`` and ``CREDIT``."""
    return all(fold(word) in _OUT or fold(word) in _IN for word in words)


def are_all_sides(words: Collection[str]) -> bool:
    """Tell whether a column holds nothing but sides, both of them, whatever its header is."""
    if len(words) < 2 or not PAYMENTS.isdisjoint(map(fold, words)):
        return False
    return {IN, OUT} == set(read_sides(words, named=True).values())
