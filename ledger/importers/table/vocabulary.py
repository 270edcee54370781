"""The words of banks, as data: what column headers, indicators, states and account names mean, in twelve languages.

Words stand in their folded form (``fold``): small letters without accents, nothing but letters and digits between
single spaces, ``ae oe ue`` as ``a o u``.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache


class Role(StrEnum):
    """What a column holds."""

    DATE = "date"
    AMOUNT = "amount"
    DEBIT = "debit"
    CREDIT = "credit"
    SIGN = "sign"
    FEE = "fee"
    BALANCE = "balance"
    CURRENCY = "currency"
    PAYEE = "payee"
    PAYER = "payer"
    MERCHANT = "merchant"
    DESCRIPTION = "description"
    MEMO = "memo"
    CATEGORY = "category"
    ACCOUNT = "account"
    ACCOUNT_NAME = "account name"
    ACCOUNT_TYPE = "account type"
    EITHER_ACCOUNT = "own or other account"
    NOTES = "notes"
    LABELS = "labels"
    TYPE = "type"
    MCC = "mcc"
    ID = "id"
    REFERENCE = "reference"
    STATUS = "status"
    POCKET = "pocket"
    MOVED = "moved between own accounts"
    IGNORED = "ignored"


_LETTERS = str.maketrans({"ø": "o", "æ": "a", "œ": "o", "ł": "l", "đ": "d", "ß": "ss", "ı": "i"})
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_GAPS = re.compile(r"[\W_]+")


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Return the form in which words are compared: ``Zahlungsempfänger*in`` and ``Zahlungsempfaenger in`` are one."""
    text = unicodedata.normalize("NFKD", _CAMEL.sub(" ", text[:200]).casefold()).translate(_LETTERS)
    text = "".join(char for char in text if not unicodedata.combining(char))
    text = _GAPS.sub(" ", text).strip()
    return text.replace("ae", "a").replace("oe", "o").replace("ue", "u")


def folded(words: str) -> frozenset[str]:
    """Return a list of words, written with bars between them, in the form in which they are compared."""
    return frozenset(map(fold, words.split("|")))


#: Role, rank, whether the words are English, the words. A booking date (1) goes before the usual date (2), that before
#: the value date (3), the document's date (4) and a settlement or start date (5).
HEADERS: tuple[tuple[Role, int, bool, str], ...] = (
    (Role.DATE, 1, True, """
     booking date|booked date|booked|booked on|posting date|post date|posted date|posted|posted on|date posted|
     completed date|date completed|completed on|clearing date|process date|processed date|bookdate|booked at"""),
    (Role.DATE, 1, False, """
     date comptabilisation|reskontradatum|bu tag|buchungstag|buchungsdatum|buchung|datum des abschlusses|boekdatum|
     boekingsdatum|date de comptabilisation|date comptable|date d ecriture|fecha contable|
     fecha de contabilizacion|fecha de asiento|data contabile|data di contabilizzazione|data contabilistica|
     data de lancamento|data lancamento|data mov|data movimento|bokforingsdag|bokforingsdatum|bokfort datum|
     bokforingsdato|bogforingsdato|bogfort|bokfort|data ksiegowania|data zaksiegowania|kirjauspaiva|
     datum zauctovani|date de fin|fecha de finalizacion|data di completamento|data zakonczenia|data de conclusao|
     voltooiingsdatum|datum voltooid"""),
    (Role.DATE, 2, True, """
     date|transaction date|trans date|tran date|txn date|date of transaction|activity date|date time|datetime|
     transaction date time|timestamp|time stamp|date utc|date and time|day|entry date|effective date|
     payment date|created on|created|operation date|order date|date finished|finished on"""),
    (Role.DATE, 2, False, """
     uitvoeringsdatum|datum|umsatzdatum|abschlussdatum|transaktionsdatum|zahlungsdatum|auftragsdatum|transactiedatum|
     date operation|date d operation|date de l operation|date de operation|date de transaction|date transaction|
     date op|fecha|fecha operacion|fecha de operacion|fecha de la operacion|f operacion|fecha movimiento|
     fecha de transaccion|fecha transaccion|data|data operazione|data della operazione|data movimento|
     data transazione|data da operacao|data operacao|data da transacao|data do movimento|dato|transaktionsdato|
     transaksjonsdato|transaktionsdag|utford dato|utforelsesdato|data operacji|data transakcji|data platnosci|
     dzien|pvm|paiva|paivamaara|maksupaiva|tapahtumapaiva|tarih|islem tarihi|kuupaev|konyveles datuma|datum transakce|
     datum provedeni|datum operace|data tranzactiei|data tranzactie"""),
    (Role.DATE, 1, False, "付款时间|入账时间|记账日期"),
    (Role.DATE, 2, False, "交易时间|交易创建时间|交易日期|日期"),
    (Role.DATE, 3, True, "value date|val date|valuedate"),
    (Role.DATE, 3, False, """
     valuta|wertstellung|wertstellungsdatum|wertstellung valuta|valutadatum|valuta datum|wert|rentedatum|
     date valeur|date de valeur|date val|fecha valor|f valor|fecha de valor|fecha efectiva|data valuta|
     data valor|data de valor|valutadag|valutadato|rentedato|data waluty|arvopaiva|datum valuty|erteknap"""),
    (Role.DATE, 4, True, "purchase date|document date|authorised date|authorized date|authorization date"),
    (Role.DATE, 4, False, """
     belegdatum|kaufdatum|datum verrichting|date d achat|fecha de compra|data acquisto|kopdatum|kobsdato|
     kjopsdato"""),
    (Role.DATE, 5, True, """
     started date|date started|start date|initiated|settlement date|settled date|date initiated"""),
    (Role.DATE, 5, False, """
     datum verrekening|datum des beginns|date de debut|fecha de inicio|data di inizio|data rozpoczecia|
     data de inicio|startdatum"""),
    (Role.DATE, 6, True, "period"),
    (Role.AMOUNT, 1, True, "net|net amount|amount total|amount net|total amount|payout|net payout|payout amount"),
    (Role.AMOUNT, 1, False, "netto|nettobetrag|nettobedrag|net auszahlung"),
    (Role.AMOUNT, 2, True, """
     cash flow|cashflow|turnover|amount|transaction amount|amt|trans amount|txn amount|
     amount in account currency|billing amount|account amount|payment amount|sum|billed amount|amount paid|
     posted amount"""),
    (Role.AMOUNT, 2, False, """
     betrag|umsatz|umsatzbetrag|buchungsbetrag|zahlungsbetrag|transaktionsbetrag|betrag in kontowahrung|bedrag|
     transactiebedrag|montant|montant operation|montant de l operation|importe|importe operacion|importo|
     importo operazione|valor|valor da transacao|valor do movimento|montante|importancia|belopp|belob|belop|
     kwota|kwota operacji|kwota transakcji|kwota w walucie rachunku|kwota transakcji waluta rachunku|summa|maara|
     maara euroa|castka|objem|tutar|osszeg|suma|cuantia|somme|cantidad|monto"""),
    (Role.AMOUNT, 2, False, "金额|金额 元|交易金额"),
    (Role.AMOUNT, 3, True, """
     cost|value|gross|gross amount|total|purchase amount|charge amount|order total|order value|total owed|total paid|
     total cost|total charged|item total|you paid|grand total|fare|fare paid by you|paid by you|amount charged|
     source amount after fees"""),
    (Role.AMOUNT, 3, False, "brutto|bruttobetrag|brut|bruto"),
    (Role.DEBIT, 1, True, """
     debit|debits|debit amount|debit amt|withdrawal|withdrawals|withdrawal amount|withdrawal amt|withdrawals dr|
     paid out|money out|charge|charges|debited amount|spent|spending|out|amount debit|money out of account|
     outgoing|dr|outflow|withdrawn|amount debited|debit transactions|expense|expenses|paid out gbp|expense amount"""),
    (Role.DEBIT, 1, False, """
     soll|sollbetrag|betrag soll|zu ihren lasten|belastung|belastungen|
     lastschrift|lastschriften|ausgang|ausgange|ausgabe|ausgaben|debet|
     uitgaven|af|debit euros|depenses|depense|sortie|sorties|retrait|retraits|debito|debitos|cargo|cargos|gasto|
     gastos|salidas|retiros|dare|uscite|uscita|addebiti|addebito|saidas|saida|uttag|ut|ut fra konto|ut av konto|
     utbetaling|utgift|haevet|haavet|isplata|isplate|odljev|obciazenia|obciazenie|wydatki|belastningar|belastning"""),
    (Role.CREDIT, 1, True, """
     credit|credits|credit amount|credit amt|deposit|deposits|deposit amount|deposit amt|deposits cr|paid in|
     money in|credited amount|received|in|amount credit|money into account|incoming|cr|inflow|deposited|
     amount credited|credit transactions|income|income amount|amount refunded|refunded amount"""),
    (Role.CREDIT, 1, False, """
     haben|habenbetrag|betrag haben|zu ihren gunsten|gutschrift|gutschriften|
     eingang|eingange|einnahme|einnahmen|inkomsten|bij|credit euros|
     recettes|recette|entree|entrees|depot|depots|credito|creditos|abono|abonos|ingreso|ingresos|entradas|
     depositos|avere|entrate|entrata|accrediti|accredito|entrada|insattning|insattningar|inn|inn pa konto|
     innbetaling|inntekt|indsat|uplata|uplate|priljev|uznania|uznanie|wplywy"""),
    (Role.SIGN, 1, True, """
     debit credit|credit debit|dr cr|cr dr|debit or credit|credit or debit|credit debit indicator|
     debit credit indicator|d c|dc|cd|c d|cdtdbtind|cdt dbt ind|credit debit code|direction|sign|income expense|
     expense income|money direction|
     debit credit flag|in out|dr cr indicator"""),
    (Role.SIGN, 1, False, """
     soll haben|s h|sh|soll haben kennzeichen|vorzeichen|af bij|bij af|debet credit|credit debet|debet kredit|
     d k|deebet kreedit|sens|natureza|naturaleza|cargo abono|debe haber|dare avere|segno|signo|tecken|strona|kierunek"""),
    (Role.DATE, 1, False, "תאריך רישום|תאריך הרישום"),
    (Role.DATE, 2, False, """
     תאריך|תאריך עסקה|תאריך העסקה|תאריך רכישה|תאריך הרכישה|תאריך קניה|תאריך פעולה|תאריך הפעולה|תאריך ביצוע|תאריך תנועה"""),
    (Role.DATE, 3, False, "תאריך ערך|יום ערך|ת ערך"),
    (Role.DATE, 5, False, "תאריך חיוב|תאריך החיוב|מועד חיוב|מועד החיוב"),
    (Role.AMOUNT, 1, False, """
     סכום חיוב|סכום החיוב|סכום לחיוב|סכום חיוב בש ח|סכום החיוב בש ח|סכום בש ח|חיוב בש ח|סכום בשקלים"""),
    (Role.AMOUNT, 2, False, "סכום|סכום פעולה|סכום הפעולה|סכום תנועה|זכות חובה|חובה זכות"),
    (Role.AMOUNT, 3, False, "סכום עסקה|סכום העסקה"),
    (Role.DEBIT, 1, False, "חובה|בחובה|הוצאה|משיכה"),
    (Role.DEBIT, 2, False, "סכום חיוב|סכום החיוב|סכום חובה|חיוב"),
    (Role.CREDIT, 1, False, "זכות|בזכות|זיכוי|סכום זיכוי|סכום הזיכוי|סכום זכות|הכנסה|הפקדה"),
    (Role.SIGN, 2, False, "חיוב זיכוי|זיכוי חיוב|חובה זכות|זכות חובה|כיוון"),
    (Role.BALANCE, 1, False, "יתרה לאחר פעולה|היתרה|היתרה בש ח|יתרה בש ח|יתרה בחשבון"),
    (Role.MERCHANT, 1, False, "שם בית עסק|שם בית העסק|בית עסק|שם העסק|שם ספק"),
    (Role.DESCRIPTION, 1, False, """
     תיאור|תאור|תיאור פעולה|תיאור הפעולה|תאור הפעולה|הפעולה|פעולה|תיאור התנועה|תיאור תנועה|פרטי הפעולה|פרטי התנועה"""),
    (Role.DESCRIPTION, 2, False, "פרטים|פירוט"),
    (Role.PAYEE, 1, False, "לטובת|מוטב|שם המוטב"),
    (Role.MEMO, 1, False, "פירוט נוסף|תאור מורחב|תיאור מורחב|עבור|פרטים נוספים"),
    (Role.NOTES, 1, False, "הערה|הערות"),
    (Role.LABELS, 1, False, "תיוגים|תגיות"),
    (Role.CATEGORY, 1, False, "קטגוריה|ענף|סיווג"),
    (Role.TYPE, 1, False, "סוג עסקה|סוג העסקה|סוג פעולה|סוג הפעולה|סוג תנועה"),
    (Role.CURRENCY, 1, False, "מטבע|מטבע חיוב|מטבע החיוב|מטבע לחיוב|מטבע חשבון"),
    (Role.ACCOUNT, 1, False, """
     כרטיס|מספר כרטיס|מס כרטיס|ספרות אחרונות|ספרות אחרונות של כרטיס האשראי|חשבון|מספר חשבון"""),
    (Role.REFERENCE, 1, False, "אסמכתא|אסמכתה|מספר שובר|מס שובר|שובר"),
    (Role.FEE, 1, False, "עמלה"),
    (Role.IGNORED, 9, False, """
     סכום עסקה מקורי|סכום מקורי|סכום במטבע מקור|סכום מקור|מטבע עסקה מקורי|מטבע מקורי|מטבע מקור|מטבע עסקה|מטבע העסקה|
     מועדון הנחות|מפתח דיסקונט|אופן ביצוע ההעסקה|אופן ביצוע העסקה|ערוץ ביצוע|שער המרה|אסמכתה משני|
     שער המרה ממטבע מקור התחשבנות לש ח"""),
    (Role.DATE, 1, False, "дата проводки|дата обработки|дата списания|дата платежа"),
    (Role.DATE, 2, False, """
     ημερομηνια|ημερομηνια συναλλαγησ|ημ νια|ημ νια συναλλαγησ|
     거래일시|거래일자|거래일|승인일자|이용일자|дата|дата операции|дата операції|
     дата і час операції|дата транзакции|дата и время|дата на операцията"""),
    (Role.AMOUNT, 2, False, """
     ποσο|ποσο συναλλαγησ|거래금액|이용금액|승인금액|сумма|сумма операции|сума|сума операції|сумма в валюте счета|
     сума в валюті картки|сума в валюті рахунку"""),
    (Role.AMOUNT, 1, False, "сумма платежа"),
    (Role.IGNORED, 9, False, """
     сумма операции с округлением|сума в валюті операції|сумма в валюте операции|курс|ποσο εντολησ|ισοτιμια|거래점"""),
    (Role.DEBIT, 1, False, "χρεωση|출금액|출금금액|출금|찾으신금액|расход|списание|дебет|витрати|видатки"),
    (Role.CREDIT, 1, False, "πιστωση|입금액|입금금액|입금|맡기신금액|приход|зачисление|поступление|надходження"),
    (Role.SIGN, 1, False, """
     χρεωση πιστωση|προσημο|προσημο ποσου|дебет кредит|дт кт|д к|借贷标志|借贷方向|借贷|收支|收支类型|収支|
     入出金区分|입출금구분|입출구분|
     db cr|jenis mutasi|borc alacak|b a|duguje potrazuje|d p|terheles jovairas|t j|ma dati dal|md d|مدين دائن"""),
    (Role.DATE, 2, False, "tanggal|tanggal transaksi|tgl|tgl transaksi|ngay|ngay giao dich|التاريخ|تاريخ العملية"),
    (Role.DATE, 3, False, "τοκισμοσ απο|ημερομηνια αξιασ|ημ νια αξιασ|tanggal efektif|ngay hieu luc"),
    (Role.AMOUNT, 2, False, "jumlah|nominal|mutasi|so tien|المبلغ"),
    (Role.DEBIT, 1, False, "mutasi debet|pengeluaran|ghi no|so tien ghi no|مدين"),
    (Role.CREDIT, 1, False, "mutasi kredit|kredit|pemasukan|ghi co|so tien ghi co|دائن"),
    (Role.BALANCE, 1, False, "so du|so du cuoi|الرصيد"),
    (Role.DESCRIPTION, 1, False, "keterangan|uraian|uraian transaksi|dien giai|noi dung|noi dung giao dich|mo ta|البيان|الوصف"),
    (Role.REFERENCE, 1, False, "αρ συναλλαγησ|αριθμοσ συναλλαγησ|no referensi|nomor referensi|so giao dich"),
    (Role.IGNORED, 9, False, "cabang|καταστημα|α α"),
    (Role.BALANCE, 1, False, "거래후잔액|거래후 잔액|잔액|залишок|залишок після операції|остаток после операции"),
    (Role.CURRENCY, 1, False, "νομισμα|통화|валюта|валюта рахунку|валюта счета|валюта платежа"),
    (Role.CURRENCY, 2, False, "валюта операции|валюта операції"),
    (Role.MERCHANT, 1, False, "가맹점명|terminal"),
    (Role.DESCRIPTION, 1, False, """
     περιγραφη|αιτιολογια|거래내용|기재내용|내용|описание|описание операции|опис|опис операції|деталі операції|назначение платежа|
     detalii tranzactie|explicatii"""),
    (Role.DESCRIPTION, 2, False, "적요"),
    (Role.MEMO, 1, False, "송금메모|메모|비고"),
    (Role.PAYEE, 1, False, "보낸분 받는분|beneficiar"),
    (Role.PAYER, 1, False, "ordonator|platitor"),
    (Role.CATEGORY, 1, False, "категория|категорія|κατηγορια"),
    (Role.TYPE, 1, False, "거래구분|구분"),
    (Role.SIGN, 1, False, "收 支"),
    (Role.PAYEE, 1, False, "交易对方|对方户名"),
    (Role.DESCRIPTION, 1, False, "商品|商品说明|商品名称|摘要|交易摘要"),
    (Role.CATEGORY, 1, False, "交易分类"),
    (Role.NOTES, 1, False, "备注"),
    (Role.TYPE, 1, False, "交易类型|类型"),
    (Role.ID, 1, False, "交易号|交易订单号|交易单号"),
    (Role.STATUS, 1, False, "交易状态|当前状态"),
    (Role.IGNORED, 9, False, """
     商家订单号|商户订单号|商户单号|对方账号|收 付款方式|支付方式|服务费 元|成功退款 元|交易来源地|最近修改时间|资金状态"""),
    (Role.FEE, 1, True, "fee"),
    (Role.FEE, 1, False, "gebuhr|kosten|frais|comision|commissione|taxa|avgift|gebyr|oplata"),
    (Role.BALANCE, 1, True, """
     balance|running balance|running bal|account balance|closing balance|ending balance|
     ledger balance|balance after|balance after transaction|new balance|current balance|daily balance"""),
    (Role.BALANCE, 1, False, """
     saldo|kontostand|saldo nach buchung|neuer saldo|kontosaldo|saldo na mutatie|saldo na trn|eindsaldo|endsaldo|
     resulterend saldo|solde|solde apres operation|accountbalance|saldo contable|
     saldo contabile|saldo contabilistico|saldo po operacji|
     saldo po transakcji|saldo efter|bokfort saldo|zustatek|bakiye|egyenleg|saldo final|guthaben|sold|stanje|jaak|
     λογιστικο υπολοιπο|υπολοιπο|יתרה|残高|差引残高|余额|баланс|остаток"""),
    (Role.BALANCE, 2, True, "available balance"),
    (Role.BALANCE, 2, False, "saldo disponible|disponible|saldo disponibile|saldo disponivel"),
    (Role.CURRENCY, 1, True, """
     currency|currency code|ccy|curr|account currency|transaction currency|amount currency|billing currency"""),
    (Role.CURRENCY, 1, False, """
     devies|valuta rekening|wahrung|kontowahrung|munt|muntsoort|munteenheid|devise|divisa|moneda|moeda|waluta|
     waluta rachunku|mena|doviz|penznem|para birimi|valuuta|w hrung|w ahrung"""),
    (Role.CURRENCY, 2, False, "valuta"),
    (Role.PAYEE, 1, True, """
     payee|payee name|counterparty|counter party|counterparty name|beneficiary|beneficiary name|partner name|
     partner|recipient|recipient name|name|to|paid to|payer payee|payee payer|other party|name of counterparty|
     item or payee|target name|third party|sender recipient|name of sender receiver|name of sender or receiver"""),
    (Role.PAYEE, 1, False, """
     naam van de tegenpartij|naam tegenpartij bevat|zahlungsempfanger in|zahlungsempfanger|empfanger|
     empfanger in|empfangername|auftraggeber empfanger|auftraggeber begunstigter|
     begunstigter zahlungspflichtiger|begunstigter|beguenstigter auftraggeber|begunstigter auftraggeber|
     empfanger auftraggeber|empfanger zahlungspflichtiger|name zahlungsbeteiligter|zahlungsbeteiligter|
     gegenpartei|name des partners|partnername|naam tegenpartij|naam tegenrekeninghouder|
     naam tegenpartij rekening|begunstigde|naam omschrijving|naam ontvanger|beneficiaire|tiers|nom du tiers|
     nom de la contrepartie|contrepartie|nom contrepartie|fournisseur|supplier found|beneficiario|
     nombre del beneficiario|contrapartida|destinatario|ordenante beneficiario|ordinante beneficiario|
     controparte|mottagare|mottagare avsandare|modtager|mottaker|kontrahent|dane kontrahenta|nadawca odbiorca|
     odbiorca|odbiorca nadawca|nazwa odbiorcy|nazwa odbiorcy nadawcy|saaja maksaja|saaja|saaja maksja|protistrana|
     nazev protiuctu|nazev protistrany|partner neve"""),
    (Role.PAYEE, 2, False, "tegenpartij|naam|nom|nombre|nome|navn|namn|nazwa"),
    (Role.PAYER, 1, True, """
     payer|payer name|sender|sender name|from|ordering party|originator|source name|remitter"""),
    (Role.PAYER, 1, False, """
     zahlungspflichtige r|zahlungspflichtiger|auftraggeber|auftraggebername|absender|auftraggeber in|opdrachtgever|
     donneur d ordre|ordenante|ordinante|avsandare|afsender|avsender|nadawca|naam opdrachtgever"""),
    (Role.MERCHANT, 2, True, "website"),
    (Role.MERCHANT, 1, True, "merchant|merchant name|store|shop|vendor|merchant description|doing business as"),
    (Role.MERCHANT, 1, False, """
     handler|handelaar|handelaar naam|commercant|marchand|comercio|esercente|comerciante|handlare|butik|sklep|
     forretning"""),
    (Role.DESCRIPTION, 1, True, """
     booking text|transaction text|description|transaction description|descriptions|activity|transaction details"""),
    (Role.DESCRIPTION, 1, False, """
     beschreibung|umsatztext|omschrijving|libelle|libelle operation|libelle de l operation|libelle simplifie|
     intitule|concepto|descripcion|descrizione|operazione|descrizione operazione|descricao|descritivo|beskrivning|
     beskrivelse|opis|opis operacji|opis transakcji|tekst|text|popis|forklaring|aciklama|leiras|selite|descriere|
     rubrik|specifikation|selgitus"""),
    (Role.DESCRIPTION, 0, False, "descrizione completa"),
    (Role.DESCRIPTION, 2, True, """
     payment purpose|purpose|title|narrative|narration|details|particulars|transaction|label|
     transaction narrative|remarks|payment details|statement description|item|what|transaction info|
     extended details"""),
    (Role.DESCRIPTION, 5, True, "product name"),
    (Role.DESCRIPTION, 2, False, """
     verwendungszweck|vorgang verwendungszweck|verwendung|zahlungsgrund|buchungsdetails|details de l operation|
     label|detail|detalle|dettagli|causale|movimiento|movimenti|historico|lancamento|transaktion|
     transaktionstext|tytul|tytul operacji|tytul transakcji|tytulem|titel|viesti|naam naam|mededelingen|
     mededeling|omschrijving 1|zpráva|poznamka|motif"""),
    (Role.DESCRIPTION, 6, False, "buchungstext"),
    (Role.DESCRIPTION, 6, False, "avisierungstext"),
    (Role.MEMO, 1, True, """
     memo|original description|payment reference|additional information|additional info|extra details|
     statement text|full description|bank description|raw description|transaction memo|subject|message|
     item title|appears on your statement as|name on statement|bank memo|original statement|
     remittance information"""),
    (Role.MEMO, 1, False, """
     verwendungszweck 2|verwendungszweck zeile 2|zahlungsreferenz|referenz zahlung|mitteilung|nachricht|betreff|
     omschrijving 2|omschrijving 3|betalingskenmerk|toelichting|vrije mededeling|gestructureerde mededeling|
     reference de paiement|libelle complementaire|informations complementaires|communication|commentaire|
     observaciones|concepto ampliado|mas datos|referencia de pago|riferimento pagamento|note operazione|
     meddelande|besked|melding|egne notater|kommunikation|wiadomosc"""),
    (Role.CATEGORY, 1, True, """
     category|categories|transaction category|transaction categories|category name|spending category|
     spending categories|main category|budget category|custom category|my category"""),
    (Role.CATEGORY, 1, False, """
     kategorie|kategorien|hauptkategorie|umsatzkategorie|ausgabenkategorie|budgetkategorie|rubrik|rubrique|
     categorias|categorieen|categorie|categorie operation|categoria|kategori|kategoria|luokka|rubrieknaam|
     kategoria operacji"""),
    (Role.CATEGORY, 2, True, "subcategory|sub category|category group"),
    (Role.CATEGORY, 2, False, "unterkategorie|subcategorie|sous categorie|subcategoria|category parent"),
    (Role.ACCOUNT, 1, True, """
     account|own account|account id|card no|card number|card|card last four digits|account iban|card ending|
     own iban|account ref|my account|card last 4|last 4 digits|accounts|wallet"""),
    (Role.ACCOUNT, 1, False, """
     auftragskonto|eigenes konto|kartennummer|karte|konto|kontonr|rekening|rekeningnummer|eigen rekening|
     kredietkaart|kaartnummer|compte|carte|account num|numero de carte|cuenta|tarjeta|conto|carta|conta|cartao|
     rachunek|twoj rachunek|nr rachunku wlasnego|tili|iban auftragskonto|bezeichnung auftragskonto konto"""),
    (Role.ACCOUNT_NAME, 1, True, "account name|account label|account nickname"),
    (Role.ACCOUNT_NAME, 1, False, """
     kontoname|kontobezeichnung|bezeichnung auftragskonto|naam rekening|nom du compte|libelle du compte|
     nombre de la cuenta|nome conto|nome da conta|kontonamn|kontonavn|nazwa rachunku|nazwa konta"""),
    (Role.EITHER_ACCOUNT, 1, True, "iban bban|iban|account number|account no|account nr"),
    (Role.EITHER_ACCOUNT, 1, False, """
     kontonummer|kontonummer iban|iban kontonummer|numero de compte|numero de cuenta|numero conto|
     numero da conta|iban konto|numer rachunku|nr rachunku|numer konta|kontonummer blz|cislo uctu"""),
    (Role.ACCOUNT_TYPE, 1, True, "account type|type of account"),
    (Role.ACCOUNT_TYPE, 1, False, "kontoart|kontotyp|type de compte|tipo de cuenta|tipo conto|tipo de conta"),
    (Role.NOTES, 1, True, "notes|note|comment|comments|user notes|notes and tags|my notes"),
    (Role.NOTES, 1, False, """
     bemerkung|notiz|notizen|notiz en|anmerkung|anmerkungen|notities|notas|nota|anteckning|anteckningar|notat|
     notatki|notatka|kommentar"""),
    (Role.LABELS, 1, True, "labels|tags|tag|hashtags"),
    (Role.LABELS, 1, False, """
     etiketten|schlagworte|stichworte|etiquettes|etiquetas|etichette|etykiety|etiketter"""),
    (Role.TYPE, 1, True, """
     transaction type|type|type of transaction|trans type|tran type|kind|transaction code|transaction kind|
     payment type|transaction method|payment method"""),
    (Role.TYPE, 1, False, """
     umsatztyp|umsatzart|vorgang|buchungsart|art|transaktionstyp|transaktionsart|typ|geschaftsvorfall|
     mutatiesoort|mutatie soort|soort|transactietype|transactiesoort|soort transactie|type de transaction|
     type operation|type d operation|nature|nature de l operation|tipo|tipo de transaccion|tipo de operacion|
     tipo di transazione|tipo operazione|tipo movimento|tipo de transacao|transaktionstype|type transaksjon|
     typ operacji|typ transakcji|rodzaj transakcji|rodzaj operacji|laji|tapahtumalaji|typ transakce"""),
    (Role.TYPE, 4, False, "buchungstext"),
    (Role.TYPE, 5, True, "transaction details type|sub type|product"),
    (Role.POCKET, 6, True, "product|pocket|pot|space"),
    (Role.POCKET, 6, False, "produkt|produit|producto|prodotto|produto|termek|produs"),
    (Role.MCC, 1, True, "mcc|mcc code|merchant category code|sic"),
    (Role.ID, 1, True, """
     transaction id|transactionid|id|fitid|fit id|transaction uid|transaction identifier|unique id|external id|
     transfer wise id|transferwise id|wise id|transaction uuid|uuid|bank transaction id|entry reference|
     unique transaction id"""),
    (Role.ID, 1, False, """
     identificador|volgnummer|transaktions id|transaktionsid|transaktionscode|umsatz id|transactie id|
     identifiant|identifiant de transaction|id de transaccion|id transazione|id transakcji|id da transacao|
     volgnr|tapahtumatunnus"""),
    (Role.REFERENCE, 1, True, """
     reference|reference number|ref|transaction reference|transaction reference number|reference no|ref no|
     bank reference"""),
    (Role.REFERENCE, 1, False, """
     referenz|referenznummer|transactiereferentie|referentie|numero de reference|referencia|riferimento|
     numer referencyjny|arkiveringskod|arkivreferanse|arkistointitunnus|umsatzreferenz"""),
    (Role.STATUS, 1, True, """
     status|state|transaction status|payment status|order status|trip status|trip or order status|booking status|
     posting status|pending|is pending"""),
    (Role.STATUS, 1, False, """
     buchungsstatus|umsatzstatus|transaktionsstatus|info|etat|statut|statut de l operation|estado|
     estado de la operacion|estado del movimiento|estado movimiento|estado da transacao|stato|stato operazione|
     stato movimento|contabilizzazione|stan|stan transakcji|status transakcji|status operacji|situacao|stav|stav platby|
     stav transakce|tila|tapahtuman tila|allapot|durum|islem durumu|transactiestatus|transaksjonsstatus|stare|statusas|
     staatus|статус|состояние|стан|κατασταση|סטטוס|מצב|状態|ステータス|状态|상태|
     umsatz abgerechnet und nicht im saldo enthalten|vorgemerkt|ausstehend|en attente|pendiente|pendente|in attesa"""),
    (Role.MOVED, 1, True, "transfer|is transfer"),
    (Role.IGNORED, 9, False, "einzelbetrag|startsaldo|beginsaldo"),
    (Role.IGNORED, 9, True, """
     price|shares|quantity|units|number of shares|amount details|due date|expiry date|foreign amount|
     local amount|local currency|original amount|original currency|exchange rate|amount foreign currency|
     type foreign currency|check number|check no|cheque number|check|sort code|time|time zone|timezone|
     amount tip|amount tax|amount fee|total fees|fees|tax|fx rate|beginning balance|opening balance|
     statement period|extended price|reference txn id|invoice number|from email address|to email address|
     partner iban|payee account number|card holder full name|card member|cardholder name|card holder|
     purchased by|value eur|exchange from|exchange to|balance impact|bank name|source|destination|clr|cleared|reconciled|
     reconcile|reconcile date"""),
    (Role.IGNORED, 9, False, """
     ursprunglicher betrag|fremdwahrungsbetrag|fremdwahrung|originalbetrag|originalwahrung|kurs|koers|
     wechselkurs|umrechnungskurs|beginsaldo|anfangssaldo|uhrzeit|heure|hora|glaubiger id|mandatsreferenz|
     kundenreferenz|blz|bic|tegenrekening|rekeningnummer tegenpartij|bic tegenpartij|adres tegenpartij|
     kosten op verrichting|kaarthouder|uitgavenstaat|locatie|land|code|montant devise etrangere|
     taux de conversion|kundreferenz|lastschrift ursprungsbetrag|auslagenersatz rucklastschrift|sammlerreferenz|
     tegenrekening iban bban|afschriftnummer|umsatzzeit|auszugsnummer|gegenkonto|iban gegenkonto|
     kwota blokady zwolnienie blokady|rachunek kontrahenta|nr rachunku kontrahenta"""),
)  # fmt: skip

#: What a bank writes into a column of categories where it means how the money moved.
MOVEMENT_CODES = frozenset("ATM CASH CHQ CREDIT DEBIT DEP EFT FEE INT OTHER PAYMENT POS TFR XFER".split()) | {
    "Debit", "Funds Transfer", "Direct Deposit", "Direct Debit", "Standing Order", "Counter Credit", "Bill Payment",
}  # fmt: skip
