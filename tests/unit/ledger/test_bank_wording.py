"""Names out of the wording that banks of many countries put around them."""

from __future__ import annotations

import pytest

from ledger.merchants import normalise_merchant, normalise_phrase

#: Made up after the layouts of banks' exports: what stands there, and the name that it holds.
LINES = """
VDP-TESCO STORES 6123 => Tesco
VDC-CENTRA RATHMINES => Centra
VDP-OLD MILL CAFE KINSALE => Old Mill Cafe Kinsale
D/D BRIGHTWATER GYM => Brightwater Gym
S/O HARBOUR LETTINGS => Harbour Lettings
*MOBI AOIFE BRENNAN => Aoife Brennan
*INET AOIFE BRENNAN => Aoife Brennan
*MOBI TO SAVINGS => Savings
*MOBI FROM SAVINGS => Savings
POSC12NOV MAXOL LUCAN => Maxol
365 Online SEAN O'BRIEN => Sean O'Brien
SEPA DD BORD GAIS ENERGY => Bord Gáis Energy
CARD PAYMENT TO THE GREEN MAN,12.34 GBP, RATE 1.00/GBP ON 12-11-2026 => The Green Man
CARD PAYMENT TO THE GREEN MAN ON 12 NOV => The Green Man
BILL PAYMENT VIA FASTER PAYMENT TO MARGARET LOWE REFERENCE RENT, MANDATE NO 12 => Margaret Lowe
FASTER PAYMENTS RECEIPT REF.DINNER FROM MARGARET LOWE => Margaret Lowe
STANDING ORDER VIA FASTER PAYMENT TO MARGARET LOWE REFERENCE RENT => Margaret Lowe
DIRECT DEBIT PAYMENT TO SOUTHERN WATER REF 0012345678, MANDATE NO 0003 => Southern Water
1234 12NOV26 CD , THE GREEN MAN , LEWES GB => The Green Man
1234 12NOV26 , THE GREEN MAN , LEWES GB => The Green Man
Transfer to Margaret Lowe => Margaret Lowe
Transfer from Margaret Lowe => Margaret Lowe
Payment to Margaret Lowe => Margaret Lowe
Payment from Margaret Lowe => Margaret Lowe
THE GREEN MAN LEWES CD 1234 => The Green Man Lewes
CONTACTLESS PAYMENT THE GREEN MAN => The Green Man
DEPOSIT PROTECTION SERVICE => Deposit Protection Service
DEBIT CARD PURCHASE - VISA HAPPY DONKEY TACOS AUSTIN TX => Happy Donkey Tacos
MOBILE PURCHASE 1112 HAPPY DONKEY TACOS AUSTIN TX => Happy Donkey Tacos
PURCHASE AUTHORIZED ON 11/12 HAPPY DONKEY TACOS AUSTIN TX S386317 CARD 1234 => Happy Donkey Tacos
RECURRING PAYMENT AUTHORIZED ON 11/12 HAPPY DONKEY TACOS AUSTIN TX => Happy Donkey Tacos
Zelle to Dana Whitfield => Dana Whitfield
Zelle from Dana Whitfield => Dana Whitfield
ZELLE INSTANT PMT FROM DANA WHITFIELD USBX1234 => Dana Whitfield
Venmo to Dana Whitfield => Dana Whitfield
Venmo from Dana Whitfield => Dana Whitfield
Bill Paid-LAKESIDE DENTAL Conf #12345 => Lakeside Dental
ORIG CO NAME:LAKESIDE DENTAL ORIG ID:1234567890 DESC DATE:261112 => Lakeside Dental
POS DEBIT VISA CHECK CARD 1234 LAKESIDE DENTAL => Lakeside Dental
IDP PURCHASE - 1234 MAPLE LANE BOOKS => Maple Lane Books
CONTACTLESS INTERAC PURCHASE - 1234 MAPLE LANE BOOKS => Maple Lane Books
Point of Sale - Interac RETAIL PURCHASE 123456789012 MAPLE LANE BOOKS => Maple Lane Books
Interac e-Transfer sent JORDAN PELLETIER => Jordan Pelletier
E-TRANSFER RECEIVED JORDAN PELLETIER => Jordan Pelletier
[PR]MAPLE LANE BOOKS => Maple Lane Books
Online Banking payment - 1234 HYDRO OTTAWA => Hydro Ottawa
DEBIT CARD PURCHASE RED GUM NURSERY MELBOURNE AUS => Red Gum Nursery
DEBIT CARD PURCHASE THE DAILY DIGITAL SYDNEY AUS => The Daily Digital
DEPOSIT OLIVER TRAN => Oliver Tran
PAYMENT TO OLIVER TRAN => Oliver Tran
BPAY YARRA VALLEY WATER => Yarra Valley Water
TFR WESTPAC LIFE => Westpac Life
TFR FROM WESTPAC LIFE => Westpac Life
LOAN REPAYMENT RIVERSIDE HOME LOAN => Riverside Home Loan
RED GUM NURSERY FITZROY VIC AUS Card xx1234 Value Date: 12/11/2026 => Red Gum Nursery
EFTPOS 12/11 14:22 RED GUM NURSERY => Red Gum Nursery
VISA DEBIT PURCHASE CARD 1234 RED GUM NURSERY BRISBANE => Red Gum Nursery
Osko Payment to Oliver Tran => Oliver Tran
WITHDRAWAL-OSKO PAYMENT 1234567 OLIVER TRAN => Oliver Tran
Withdrawal Mobile 1234567 Tfr Oliver Tran => Oliver Tran
ANZ M-BANKING PAYMENT 123456 TO OLIVER TRAN => Oliver Tran
V1234 12/11 RED GUM NURSERY 74123456789 => Red Gum Nursery
CARD 1234 KAURI BAKERY AUCKLAND => Kauri Bakery
AUTOMATIC PAYMENT TO HANA NGATA => Hana Ngata
EFT-POS KAURI BAKERY => Kauri Bakery
D/C FROM HANA NGATA => Hana Ngata
VISA Debitkartenumsatz vom 12.11.2026 BÄCKEREI KORNFELD => Bäckerei Kornfeld
Kartenverfügung BÄCKEREI KORNFELD => Bäckerei Kornfeld
Online-Überweisung an Jutta Hellwig => Jutta Hellwig
Gutschr. Überweisung Jutta Hellwig => Jutta Hellwig
Überweisung von Jutta Hellwig => Jutta Hellwig
Auftraggeber:Jutta Hellwig Buchungstext: Danke => Jutta Hellwig
Empfänger:Jutta Hellwig Kto/IBAN: DE0212030000 => Jutta Hellwig
DAUERAUFTRAG AN JUTTA HELLWIG => Jutta Hellwig
SEPA-LASTSCHRIFT VON BÄCKEREI KORNFELD => Bäckerei Kornfeld
ÜBERTRAG AUF TAGESGELD => Tagesgeld
ÜBERTRAG VOM TAGESGELD => Tagesgeld
POS 12,30 AT K2 12.11. 11:32 GASTHOF LINDENWIRT => Gasthof Lindenwirt
Bezahlung Karte MC/12345 POS 1234 K002 12.11. 11:32 GASTHOF LINDENWIRT\\LINZ\\4020 => Gasthof Lindenwirt
E-COMM 12,30 EUR K2 12.11. BUCHHANDLUNG KRAL => Buchhandlung Kral
KAUF/DIENSTLEISTUNG VOM 14.11.2026 KARTEN NR. XXXX4482 BUVETTE AM SEE BERN => Buvette am See
KAUF/DIENSTLEISTUNG VOM 14.11.2026 KARTEN NR. XXXX4482 COOP-1877 BIEL BAHNHOF BIEL => Coop
TWINT GELD SENDEN VOM 07.11.2026 AN TELEFON-NR. +4178XXX55 NINA ROTH MITTEILUNGEN: KINO => Nina Roth
TWINT GELD EMPFANGEN VOM 07.11.2026 VON TELEFON-NR. +4178XXX55 NINA ROTH MITTEILUNGEN: KINO => Nina Roth
GUTSCHRIFT VON NINA ROTH MITTEILUNGEN: KINO => Nina Roth
GUTSCHRIFT RÜCKERSTATTUNG VOM 02.09.2026 KARTEN NR. XXXX4417 VELOLADEN HUBER => Veloladen Huber
ONLINE-EINKAUF VELOLADEN HUBER AG ZUERICH => Veloladen Huber
E-RECHNUNG VELOLADEN HUBER AG LUZERN => Veloladen Huber
eBill-Rechnung Veloladen Huber => Veloladen Huber
KONTOUEBERTRAG AUF SPARKONTO => Sparkonto
KONTOUEBERTRAG VON SPARKONTO => Sparkonto
BEA, Betaalpas De Gouden Krakeling,PAS123 NR:CV2B41 12.11.26/14:02 AMSTERDAM => De Gouden Krakeling
BEA, Google Pay De Gouden Krakeling,PAS123 NR:CV2B41 => De Gouden Krakeling
/TRTP/SEPA OVERBOEKING/IBAN/NL11ABNA0123456789/BIC/ABNANL2A/NAME/J VAN DER MEER/REMI/HUUR/EREF/NOTPROVIDED => J Van der Meer
SEPA Overboeking IBAN: NL11ABNA0123456789 BIC: ABNANL2A Naam: J van der Meer Omschrijving: huur => J van der Meer
Tikkie van J van der Meer => J van der Meer
UPI/DR/412345678901/ANITA RAO/SBIN/anita@ybl/Rent => Anita Rao
UPI/CR/412345678901/ANITA RAO/SBIN/anita@ybl/Rent => Anita Rao
UPI-ANITA RAO-ANITA@OKICICI-ICIC0000001-412345678901-RENT => Anita Rao
IMPS-412345678901-ANITA RAO-HDFC-XXXXXX1234-RENT => Anita Rao
NEFT DR-HDFC0000001-ANITA RAO-NETBANK, MUM-RENT => Anita Rao
POS 416021XXXXXX1234 SARAVANA BOOK HOUSE => Saravana Book House
ACH D- SARAVANA FINANCE-0012345 => Saravana Finance
FNB APP PAYMENT TO THABO MOLEFE => Thabo Molefe
FNB APP PAYMENT FROM THABO MOLEFE => Thabo Molefe
POS PURCHASE KAROO COFFEE 412345*1234 12 NOV => Karoo Coffee
MAGTAPE DEBIT KAROO INSURANCE => Karoo Insurance
PAYSHAP PAYMENT TO THABO MOLEFE => Thabo Molefe
Banking App External Payment: Thabo Molefe => Thabo Molefe
ELECTRIC IRELAND => Electric Ireland
ENERGIE SALZBURG => Energie Salzburg
Zelle payment to Dana Whitfield JPM99a1b2c3d => Dana Whitfield
ZELLE TO WHITFIELD DANA ON 11/12 REF #RP0ABC123 => Whitfield Dana
Zelle payment from Dana Whitfield for "dinner"; Conf# abc12d => Dana Whitfield
Zelle payment to Dana Whitfield Conf# abc12d345 => Dana Whitfield
VENMO *Dana Whitfield => Dana Whitfield
CASH APP*DANA WHITFIELD => Cash App Dana Whitfield
To Margaret Lowe => Margaret Lowe
THE GREEN MAN ON 12 NOV BCC => The Green Man
THE GREEN MAN LEWES ON 12 NOV CLP => The Green Man Lewes
INTERAC e-Transfer From: JORDAN PELLETIER => Jordan Pelletier
INTERAC e-Transfer To: JORDAN PELLETIER => Jordan Pelletier
EFT Withdrawal to MAPLE CONDOS => Maple Condos
Visa Purchase 4835-****-****-1234 DF KAURI BAKERY => Kauri Bakery
Direct Debit 123456 RED GUM ENERGY => Red Gum Energy
Transfer to O Tran CommBank app rent => O Tran
Transfer To Oliver Tran PayID Phone CommBank App => Oliver Tran
Fast Transfer From Oliver Tran => Oliver Tran
Direct Credit 123456 ACME PAYROLL => Acme Payroll
BY TRANSFER-NEFT*HDFC0000001*N123456789*ANITA RAO-- => Anita Rao
TO TRANSFER-UPI/DR/412345678901/ANITA RA/YESB/anita@/Paym-- => Anita Ra
UPI-SARAVANA STORES LTD-SARAVANA@HDFCBANK-HDFC0000001-412345-UPI => Saravana Stores
Recurring Card Purchase: Karoo Stream => Karoo Stream
Online Purchase: Karoo Books => Karoo Books
POS Purchase Karoo Coffee Sandton 412345*1234 12 Nov => Karoo Coffee
Magtape Debit Karoo Medical 123456 => Karoo Medical
Debit Order Karoo Medical => Karoo Medical
POS W/D KAURI BAKERY-14:22 => Kauri Bakery
DEBIT KAURI BAKERY => Debit Kauri Bakery
VISA KAURI BAKERY => Kauri Bakery
PAYPAL *KAURIBAKERY => Kauribakery
Bizum de Lucia Romero => Lucia Romero
BIZUM ENVIADO A LUCIA ROMERO => Lucia Romero
VIREMENT DE LUCIE FOURNIER => Lucie Fournier
BONIFICO A FAVORE DI LUCIA ROMANO => Lucia Romano
BLIK P2P LUCJA ZAWADA => Lucja Zawada
SWISH TILL ASTRID EKDAHL => Astrid Ekdahl
Tikkie Lotte Hellinga => Lotte Hellinga
Venmo Dana Whitfield => Dana Whitfield
MARGARET LOWE , BIRTHDAY TEA , VIA MOBILE - PYMT => Margaret Lowe
MARGARET LOWE , TAXI , FP 12/11/26 10 => Margaret Lowe
MARGARET LOWE FPO => Margaret Lowe
Fast Transfer From Margaret Lowe PayID dinner => Margaret Lowe
Transfer From Margaret Lowe CommBank App dinner => Margaret Lowe
Transfer To Margaret Morrison CommBank App dinner => Margaret Morrison
Bezahlung Karte                MC/000011161|POS          3319  K001 18.11. 12:01|KAURI BÄCKEREI\\\\WIEN\\1010 => Kauri Bäckerei
Bezahlung Karte                MC/000011162|E-COMM       3319  K001 18.11.|KAURI BOOKS LONDON GB => Kauri Books
Lastschrift                    OG/000011163|Kauri Wasser GmbH|Teilbetrag => Kauri Wasser
LOWE M , SAVER 11223344 => Lowe M Saver
SOUTHERN WATER , 88440011 => Southern Water
DIRECT DEBIT FEE => Direct Debit Fee
VISA PAYMENT => Visa Payment
SEPA-Lastschrift Bäckerei Kornfeld GmbH => Bäckerei Kornfeld
Lastschrift Bäckerei Kornfeld GmbH Rechnung 123 => Bäckerei Kornfeld
Geld gesendet an Jutta Hellwig => Jutta Hellwig
WERO AN Jutta Hellwig => Jutta Hellwig
EINKAUF ZKB VISA DEBIT CARD NR. XXXX 1234, BUVETTE AM SEE => Buvette am See
TWINT-Zahlung, BUVETTE AM SEE => Buvette am See
TWINT-Gutschrift von ROTH NINA => Roth Nina
eBill Veloladen Huber AG => Veloladen Huber
Belastung e-banking VELOLADEN HUBER => Veloladen Huber
Überweisung an: Jutta Hellwig => Jutta Hellwig
DR K BYRNE GP => DR K Byrne GP
DECATHLON BERN => Decathlon
BETALING AAN De Krakeling => De Krakeling
SEPA iDEAL IBAN: NL11INGB0001234567 BIC: INGBNL2A Naam: De Krakeling Omschrijving: 123 => De Krakeling
"""
ROWS = [tuple(line.split(" => ")) for line in LINES.strip().splitlines()]


@pytest.mark.parametrize(("descriptor", "merchant"), ROWS)
def test_name_comes_out_of_the_wording_and_is_its_own_normal_form(descriptor: str, merchant: str) -> None:
    assert normalise_merchant(descriptor) == merchant
    assert normalise_merchant(merchant) == merchant


@pytest.mark.parametrize(
    ("sent", "received"),
    [
        ("Venmo to Dana Whitfield", "Venmo from Dana Whitfield"),
        ("*MOBI TO SAVINGS", "*MOBI FROM SAVINGS"),
        ("TFR WESTPAC LIFE", "TFR FROM WESTPAC LIFE"),
        ("PAYMENT TO OLIVER TRAN", "DEPOSIT OLIVER TRAN"),
        ("ÜBERTRAG AUF EIGENES E-SPARKONTO", "ÜBERTRAG VON EIGENEM E-SPARKONTO"),
        (
            "TWINT GELD SENDEN VOM 07.11.2026 AN TELEFON-NR. +4178XXX55 NINA ROTH MITTEILUNGEN: KINO",
            "TWINT GELD EMPFANGEN VOM 08.11.2026 VON TELEFON-NR. +4179XXX12 NINA ROTH",
        ),
        ("UPI/DR/412345678901/ANITA RAO/SBIN/anita@ybl", "UPI/CR/412345678902/ANITA RAO/SBIN/anita@ybl"),
    ],
)
def test_payee_is_the_same_for_money_in_and_out(sent: str, received: str) -> None:
    assert normalise_merchant(sent) == normalise_merchant(received)


@pytest.mark.parametrize(
    ("text", "merchant"),
    [
        ("DIRECT DEBIT FEE", "Direct Debit Fee"),
        ("VISA PAYMENT", "Visa Payment"),
        ("LOAN REPAYMENT 1234", "Loan Repayment"),
        ("TO 12345678", "To"),
    ],
)
def test_wording_stays_where_it_is_all_there_is(text: str, merchant: str) -> None:
    assert normalise_merchant(text) == merchant


def test_words_that_say_what_a_payment_was_stay_searchable() -> None:
    assert "twint" in normalise_phrase("TWINT AN NINA ROTH")
    assert "internet" in normalise_phrase("willy.tel GmbH", memo="Internet")


def test_initials_are_no_brand_of_the_same_letters() -> None:
    """Two words of a person's name don't join to a short brand's, and a brand's own sign does."""
    assert normalise_merchant("DR K MILLER") == "DR K Miller"
    assert normalise_merchant("H & M 0123") == "H&M"
