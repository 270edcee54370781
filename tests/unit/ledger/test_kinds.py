"""Kinds: the file's own words win over the descriptor's, those over the sign."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.kinds import Ground, judge, kind_of, said_side
from ledger.merchants import normalise_merchant
from ledger.transactions import AccountType, Kind, StatementRow

CARD, CHECKING, SAVINGS = AccountType.CREDIT_CARD, AccountType.CHECKING, AccountType.SAVINGS


def row(description: str, amount: str, **more: str) -> StatementRow:
    return StatementRow(1, date(2026, 10, 1), Decimal(amount), description, **more)


def kind(description: str, amount: str, account: AccountType | None = CHECKING, **more: str) -> Kind:
    found = row(description, amount, **more)
    return kind_of(found, account_type=account, merchant=normalise_merchant(found.description, found.payee))


@pytest.mark.parametrize(
    ("category", "amount", "expected"),
    [
        ("Credit Card Payment", "-2298.09", Kind.CARD_PAYMENT),
        ("Credit Card Payment", "2298.09", Kind.CARD_PAYMENT),
        ("Transfer", "-500", Kind.TRANSFER),
        ("Transfer", "500", Kind.TRANSFER),
        ("Transfer for Cash Spending", "-40", Kind.TRANSFER),
        ("Paycheck", "2000", Kind.INCOME),
        ("Bonus", "500", Kind.INCOME),
        ("Rental Income", "900", Kind.INCOME),
        ("Reimbursement", "80", Kind.INCOME),
        ("Interest Income", "1.20", Kind.INTEREST),
        ("Returned Purchase", "30", Kind.REFUND),
        ("Bank Fee", "-12", Kind.FEE),
        ("ATM Fee", "-3", Kind.FEE),
        ("Late Fee", "-25", Kind.FEE),
        ("Service Fee", "-5", Kind.FEE),
        ("Fees & Charges", "-5", Kind.FEE),
        ("Finance Charge", "-17.30", Kind.INTEREST),
        ("Loan Interest", "-17.30", Kind.INTEREST),
        ("Cash & ATM", "-60", Kind.CASH),
        ("Cash & ATM", "60", Kind.TRANSFER),
        ("Auto Payment", "-310", Kind.LOAN_PAYMENT),
        ("Student Loan", "-210", Kind.LOAN_PAYMENT),
        ("Loan Payment", "-210", Kind.LOAN_PAYMENT),
        ("Mortgage & Rent", "-1247.44", Kind.PURCHASE),
        ("Groceries", "-44.19", Kind.PURCHASE),
        ("Groceries", "44.19", Kind.REFUND),
        ("Shopping", "12.00", Kind.REFUND),
        ("Auto Insurance", "-75", Kind.PURCHASE),
        ("Water Charges", "-35", Kind.PURCHASE),
        ("Federal Tax", "812", Kind.INCOME),
        ("Federal Tax", "-812", Kind.PURCHASE),
        ("Gift", "50", Kind.INCOME),
        ("Family", "700", Kind.INCOME),
        ("Familie & Freunde", "700", Kind.INCOME),
        ("Family", "-20", Kind.PURCHASE),
        ("Bankspesen", "-21.87", Kind.FEE),
        ("Spesen", "-21.87", Kind.PURCHASE),
        ("Buy", "-1000", Kind.TRANSFER),
        ("Dividend & Cap Gains", "12", Kind.INCOME),
        ("Umbuchung", "-100", Kind.TRANSFER),
        ("Kreditkarte", "-100", Kind.CARD_PAYMENT),
        ("Gehalt", "2500", Kind.INCOME),
        ("Lebensmittel", "-25", Kind.PURCHASE),
        ("Bargeld", "-50", Kind.CASH),
        ("Gebühren", "-5.90", Kind.FEE),
        ("Sparen & Investieren", "-50", Kind.TRANSFER),
        ("Überweisungen", "-50", Kind.PURCHASE),
        ("Dad's workshop", "-50", Kind.PURCHASE),
    ],
)
def test_file_category_decides(category: str, amount: str, expected: Kind) -> None:
    """A category that names a kind is believed, whatever the descriptor says."""
    assert kind("SOMETHING OR OTHER", amount, category=category) is expected


@pytest.mark.parametrize(
    ("hint", "amount", "account", "expected"),
    [
        ("XFER", "-50", CHECKING, Kind.TRANSFER),
        ("XFER", "50", CARD, Kind.CARD_PAYMENT),
        ("INT", "0.13", SAVINGS, Kind.INTEREST),
        ("INT", "-13", CARD, Kind.INTEREST),
        ("DIV", "4", CHECKING, Kind.INCOME),
        ("FEE", "-4", CHECKING, Kind.FEE),
        ("SRVCHG", "-4", CHECKING, Kind.FEE),
        ("ATM", "-40", CHECKING, Kind.CASH),
        ("CASH", "-40", CHECKING, Kind.CASH),
        ("PAYMENT", "-40", CHECKING, Kind.PURCHASE),
        ("PAYMENT", "40", CARD, Kind.CARD_PAYMENT),
        ("DIRECTDEP", "1500", CHECKING, Kind.INCOME),
        ("DEP", "1500", CHECKING, Kind.INCOME),
        ("DEBIT", "-15", CHECKING, Kind.PURCHASE),
        ("CREDIT", "15", CARD, Kind.REFUND),
        ("POS", "-15", CHECKING, Kind.PURCHASE),
        ("Sale", "-15", CARD, Kind.PURCHASE),
        ("Return", "15", CARD, Kind.REFUND),
        ("Payment", "415", CARD, Kind.CARD_PAYMENT),
        ("Fee", "-95", CARD, Kind.FEE),
        ("TOPUP", "100", CHECKING, Kind.TRANSFER),
        ("TRANSFER", "-100", CHECKING, Kind.TRANSFER),
        ("CARD_PAYMENT", "-7.10", CHECKING, Kind.PURCHASE),
        ("CARD_PAYMENT", "7.10", CHECKING, Kind.REFUND),
        ("CARD_REFUND", "7.10", CHECKING, Kind.REFUND),
        ("EXCHANGE", "-50", CHECKING, Kind.TRANSFER),
        ("Überweisung", "-50", CHECKING, Kind.PURCHASE),
        ("Überweisung", "50", CHECKING, Kind.INCOME),
        ("Umbuchung", "-50", CHECKING, Kind.TRANSFER),
        ("Übertrag", "50", SAVINGS, Kind.TRANSFER),
        ("UEBERTRAG", "-50", CHECKING, Kind.TRANSFER),
        ("Lohn/Gehalt", "2500", CHECKING, Kind.INCOME),
        ("Lohn, Gehalt, Rente", "2500", CHECKING, Kind.INCOME),
        ("Gutschrift", "25", CHECKING, Kind.INCOME),
        ("Zinsen", "2.20", SAVINGS, Kind.INTEREST),
        ("Abschluss", "-2.20", CHECKING, Kind.FEE),
        ("Entgelt", "-2.20", CHECKING, Kind.FEE),
        ("Bargeldauszahlung", "-100", CHECKING, Kind.CASH),
        ("Kreditkartenabrechnung", "-830.10", CHECKING, Kind.CARD_PAYMENT),
        ("Lastschrift", "1013.47", CARD, Kind.CARD_PAYMENT),
        ("Kartenzahlung", "-30", CHECKING, Kind.PURCHASE),
        ("Dauerauftrag", "-700", CHECKING, Kind.PURCHASE),
    ],
)
def test_file_type_decides(hint: str, amount: str, account: AccountType, expected: Kind) -> None:
    """The file's own type word is believed where it says more than how money moved."""
    assert kind("ACME 1234", amount, account, type_hint=hint) is expected


@pytest.mark.parametrize(
    ("description", "amount", "account", "expected"),
    [
        ("PAYMENT THANK YOU - WEB", "500", CARD, Kind.CARD_PAYMENT),
        ("Payment Thank You-Mobile", "500", None, Kind.CARD_PAYMENT),
        ("AUTOPAY 999990000012345", "500", CARD, Kind.CARD_PAYMENT),
        ("DIRECT DEBIT PAYMENT - THANK YOU", "500", CARD, Kind.CARD_PAYMENT),
        ("Ausgleich Kreditkarte gem. Abrechnung", "1013.47", CARD, Kind.CARD_PAYMENT),
        ("CHASE CREDIT CRD AUTOPAY PPD ID: 4760039224", "-500", CHECKING, Kind.CARD_PAYMENT),
        ("AMERICAN EXPRESS ACH PMT M1234", "-500", CHECKING, Kind.CARD_PAYMENT),
        ("CAPITAL ONE MOBILE PMT 3ABC", "-500", CHECKING, Kind.CARD_PAYMENT),
        ("DISCOVER E-PAYMENT 1234", "-500", CHECKING, Kind.CARD_PAYMENT),
        ("APPLECARD GSBANK PAYMENT 12345", "-500", CHECKING, Kind.CARD_PAYMENT),
        ("BARCLAYCARD 4929", "-120", CHECKING, Kind.CARD_PAYMENT),
        ("Kreditkartenabrechnung VISA 4111", "-500", CHECKING, Kind.CARD_PAYMENT),
        ("COMCAST AUTOPAY 8155", "-80", CHECKING, Kind.PURCHASE),
        ("GEICO *AUTO PAYMENT", "-80", CHECKING, Kind.PURCHASE),
        ("CARD PAYMENT TO TESCO STORES", "-12", CHECKING, Kind.PURCHASE),
        ("ONLINE TRANSFER TO SAV ...1234", "-500", CHECKING, Kind.TRANSFER),
        ("Online Transfer from CHK ...1234 transaction#: 1", "500", SAVINGS, Kind.TRANSFER),
        ("TRANSFERRED FROM     VS X10-08144-1", "500", CHECKING, Kind.TRANSFER),
        ("Umbuchung auf Tagesgeld", "-500", CHECKING, Kind.TRANSFER),
        ("Transfer", "-500", CHECKING, Kind.TRANSFER),
        ("VANGUARD BUY INVESTMENT", "-500", CHECKING, Kind.TRANSFER),
        ("ETF Sparplan DE000A0F5UH1", "-50", CHECKING, Kind.TRANSFER),
        ("ATM WITHDRAWAL 001234 MAIN ST", "-60", CHECKING, Kind.CASH),
        ("Bargeldauszahlung Geldautomat Sparkasse", "-60", CHECKING, Kind.CASH),
        ("BANKOMAT  00000483 K2 UM 11:56", "-60", CHECKING, Kind.CASH),
        ("BANKOMAT ZAHLUNG BILLA 1010", "-12.40", CHECKING, Kind.PURCHASE),
        ("LNK SAINSBURYS BANK CD 1234", "-20", CHECKING, Kind.CASH),
        ("CASH DEPOSIT BRANCH 12", "300", CHECKING, Kind.TRANSFER),
        ("NON-CHASE ATM FEE-WITH", "-2.50", CHECKING, Kind.FEE),
        ("OVERDRAFT FEE FOR A TRANSACTION", "-34", CHECKING, Kind.FEE),
        ("FOREIGN TRANSACTION FEE", "-0.63", CARD, Kind.FEE),
        ("ANNUAL MEMBERSHIP FEE", "-95", CARD, Kind.FEE),
        ("MONTHLY SERVICE FEE", "-12", CHECKING, Kind.FEE),
        ("DISHONOUR FEE", "-15", CHECKING, Kind.FEE),
        ("FEE-QTR TO 29AUG25", "-9.45", CHECKING, Kind.FEE),
        ("QUARTERLY FEES", "-9.45", CHECKING, Kind.FEE),
        ("UNPAID ITEM CHARGE", "-10", CHECKING, Kind.FEE),
        ("Kontospesen 3. Quartal", "-23.49", CHECKING, Kind.FEE),
        ("Spesen Bankomat Ausland", "-4.85", CHECKING, Kind.CASH),
        ("QUARTERLY SCHOOL FEES", "-900", CHECKING, Kind.PURCHASE),
        ("Kontoführungsgebühr Oktober", "-4.90", CHECKING, Kind.FEE),
        ("Kontofuehrungsentgelt", "-4.90", CHECKING, Kind.FEE),
        ("PLANET FITNESS MEMBERSHIP FEE", "-10", CHECKING, Kind.PURCHASE),
        ("CITY OF X DOG LICENSE FEE", "-10", CHECKING, Kind.PURCHASE),
        ("INTEREST CHARGE ON PURCHASES", "-13.20", CARD, Kind.INTEREST),
        ("INTEREST PAYMENT", "0.11", SAVINGS, Kind.INTEREST),
        ("INTEREST EARNED", "0.24", CHECKING, Kind.INTEREST),
        ("ISA INTEREST 2024/25 INT", "581.34", SAVINGS, Kind.INTEREST),
        ("Interest for March", "4.02", SAVINGS, Kind.INTEREST),
        ("HabenzinsenZ 000001111 T 030   0000", "1.11", CARD, Kind.INTEREST),
        ("Sollzinsen 3. Quartal", "-8.10", CHECKING, Kind.INTEREST),
        ("PINTEREST ADS", "-8.10", CHECKING, Kind.PURCHASE),
        ("ACME CORP PAYROLL PPD ID: 123", "2100", CHECKING, Kind.INCOME),
        ("ACME CORP DES:DIR DEP ID:XXX", "2100", CHECKING, Kind.INCOME),
        ("IRS TREAS 310 TAX REF", "900", CHECKING, Kind.INCOME),
        ("Lohn/Gehalt Oktober Muster GmbH", "2100", CHECKING, Kind.INCOME),
        ("Gehalt Putzhilfe", "-200", CHECKING, Kind.PURCHASE),
        ("Familienkasse Kindergeld", "250", CHECKING, Kind.INCOME),
        ("ZELLE PAYMENT FROM JANE DOE", "40", CHECKING, Kind.INCOME),
        ("ZELLE PAYMENT TO JANE DOE", "-40", CHECKING, Kind.PURCHASE),
        ("AMAZON.COM REFUND", "20", CHECKING, Kind.REFUND),
        ("MERCHANDISE RETURN MACYS", "20", CARD, Kind.REFUND),
        ("AMZN MKTP US*1X2", "20", CARD, Kind.REFUND),
        ("TRADER JOE'S #123", "20", CHECKING, Kind.REFUND),
        ("TARGET 00012345", "20", CHECKING, Kind.INCOME),
        ("Erstattung Zalando", "20", CHECKING, Kind.REFUND),
        ("Gutschrift ZALANDO SE", "20", CHECKING, Kind.REFUND),
        ("Storno Bestellung 123", "20", CHECKING, Kind.REFUND),
        ("RETURNED ITEM FEE", "-12", CHECKING, Kind.FEE),
        ("EBAY COMMERCE PAYOUT", "20", CHECKING, Kind.INCOME),
        ("NAVIENT STUDENT LOAN", "-220", CHECKING, Kind.LOAN_PAYMENT),
        ("DIRECT               DEBIT HOMESTREET LS LOAN PMT", "-1200", CHECKING, Kind.LOAN_PAYMENT),
        ("Darlehensrate 12/2026", "-620", CHECKING, Kind.LOAN_PAYMENT),
        ("Darlehensauszahlung", "6200", CHECKING, Kind.TRANSFER),
        ("KINDERGARTEN MIETE", "-20", CHECKING, Kind.PURCHASE),
        ("CHECK 1234", "-20", CHECKING, Kind.PURCHASE),
        ("SOME EMPLOYER", "2000", CHECKING, Kind.INCOME),
        ("ANYTHING", "5", AccountType.LOAN, Kind.TRANSFER),
        ("ANYTHING", "-5", AccountType.LOAN, Kind.TRANSFER),
        ("YOU BOUGHT", "-500", AccountType.INVESTMENT, Kind.TRANSFER),
        ("DIVIDEND RECEIVED", "5", AccountType.INVESTMENT, Kind.INCOME),
        ("CASHLINE , QUOKKA BANK HIGH ST", "-30", CHECKING, Kind.CASH),
        ("Bancomat Bezug Quokkawil", "-100", CHECKING, Kind.CASH),
        ("PAGAMENTO BANCOMAT ALIMENTARI QUOKKA", "-30", CHECKING, Kind.PURCHASE),
        ("RETIRADA EFECTIVO CAJERO 0042", "-60", CHECKING, Kind.CASH),
        ("ATM02AUG QUOKKA BANK WILTON", "-60", CHECKING, Kind.CASH),
        ("REFUND A/C FEES", "30", CHECKING, Kind.FEE),
        ("GAA NR 0042 QUOKKASTADT", "-60", CHECKING, Kind.CASH),
        ("Ballyquokka GAA", "-60", CHECKING, Kind.PURCHASE),
        ("NON-STERLING TRANS FEE", "-0.63", CHECKING, Kind.FEE),
        ("NON-STERLING CASH FEE", "-1.50", CHECKING, Kind.FEE),
        ("UNPAID D/D FEE", "-12.70", CHECKING, Kind.FEE),
        ("UNARRANGED OVERDRAFT USAGE", "-5", CHECKING, Kind.FEE),
        ("Frais de tenue de compte", "-2", CHECKING, Kind.FEE),
        ("Entgelt 3. Quartal", "-5.90", CHECKING, Kind.FEE),
        ("Entgelt 10/2026 Quokka Werke", "2100", CHECKING, Kind.INCOME),
        ("QUOKKA DELIVERY FEE", "-4", CHECKING, Kind.PURCHASE),
        ("ARRANGED OVERDRAFT INTEREST", "-1.20", CHECKING, Kind.INTEREST),
        ("Dispositionszinsen", "-1.20", CHECKING, Kind.INTEREST),
        ("QUOKKA BUILDING SOC MTG , 1180-4471", "-800", CHECKING, Kind.LOAN_PAYMENT),
        ("Hypothekarzins Quartal", "-800", CHECKING, Kind.LOAN_PAYMENT),
        ("DWP STATE PENSION", "800", CHECKING, Kind.INCOME),
        ("CANADA CCB", "400", CHECKING, Kind.INCOME),
        ("Familienbeihilfe 10/2026", "400", CHECKING, Kind.INCOME),
        ("Toeslagen kinderbijslag", "400", CHECKING, Kind.INCOME),
    ],
)
def test_descriptor_and_sign_decide(description: str, amount: str, account: AccountType | None, expected: Kind) -> None:
    """Without a word from the file, the descriptor's words decide, then the sign."""
    assert kind(description, amount, account) is expected


def test_transfer_type_yields_to_a_salary_in_the_text() -> None:
    """Banks call a salary a transfer; the purpose says what it is."""
    assert kind("SALARY OCTOBER", "2000", type_hint="TRANSFER") is Kind.INCOME


def test_memo_and_payee_are_read_too() -> None:
    """The word may stand in any of the three texts."""
    assert kind("MUSTER GMBH", "2000", memo="Lohn 10/2026") is Kind.INCOME
    assert kind("", "-20", payee="ATM", memo="") is Kind.CASH


def test_money_back_from_a_merchant_with_purchases_is_a_refund() -> None:
    """The same row is income where nothing was ever bought there."""
    back = row("CORNER SHOP", "12")
    assert kind_of(back, account_type=CHECKING) is Kind.INCOME
    assert kind_of(back, account_type=CHECKING, has_purchases=True) is Kind.REFUND


@pytest.mark.parametrize("said", ["WAGES", "Lohn 10/2026", "SALARIO", "Ausbildungsvergütung", "OVERTIME", "Pensioen"])
def test_pay_is_income_though_one_buys_there_too(said: str) -> None:
    """Who works in a café has lunch there."""
    back = row(f"QUOKKA CAFE {said}", "900")
    assert kind_of(back, account_type=CHECKING, has_purchases=True) is Kind.INCOME


@pytest.mark.parametrize(
    ("description", "more", "ground"),
    [
        ("CORNER SHOP", {}, Ground.SIGN),
        ("TRADER JOE'S #12", {}, Ground.BRAND),
        ("ATM WITHDRAWAL", {}, Ground.WORDS),
        ("CORNER SHOP", {"category": "Groceries"}, Ground.FILE),
    ],
)
def test_judgement_names_its_ground(description: str, more: dict[str, str], ground: Ground) -> None:
    """What a kind was judged by is told, for pairing transfers needs it."""
    judged = judge(row(description, "-5", **more), account_type=CHECKING, merchant=normalise_merchant(description))
    assert judged.ground is ground


@given(
    description=st.text(max_size=60),
    amount=st.decimals(min_value=-10000, max_value=10000, places=2),
    account=st.sampled_from([None, *AccountType]),
    category=st.none() | st.text(max_size=20),
    hint=st.none() | st.text(max_size=12),
)
@settings(deadline=None)
def test_any_row_has_a_kind(
    description: str, amount: Decimal, account: AccountType | None, category: str | None, hint: str | None
) -> None:
    """No text raises, whatever the account."""
    found = StatementRow(1, date(2026, 1, 1), amount, description, category=category, type_hint=hint)
    assert kind_of(found, account_type=account) in Kind


@pytest.mark.parametrize(
    ("description", "side"),
    [
        ("DOMESTIC INCOMING WIRE FEE", -1),
        ("Entgeltabrechnung siehe Anlage", 0),
        ("INCOMING WIRE", 1),
        ("FEE REFUND", 1),
    ],
)
def test_a_fee_for_what_comes_in_goes_out_and_a_word_for_fees_and_wages_says_nothing(description, side):
    assert said_side(row(description, "-5")) == side


@pytest.mark.parametrize(
    ("description", "amount", "account", "expected"),
    [
        ("LLOYDS CREDIT CARD 5521XXXX", "-153.94", CHECKING, Kind.CARD_PAYMENT),
        ("Liquidación tarjeta de crédito", "-312.88", CHECKING, Kind.CARD_PAYMENT),
        ("PAYMENT TO ANZ CARD 4512XXXXXXXX0441", "-845.66", CHECKING, Kind.CARD_PAYMENT),
        ("UBS Card Center", "-1208.35", CHECKING, Kind.CARD_PAYMENT),
        ("CC 000437XXXXXXXX1120 AUTOPAY SI-TAD", "-24310.55", CHECKING, Kind.CARD_PAYMENT),
        ("Pagamento recebido", "1482.30", CARD, Kind.CARD_PAYMENT),
        ("ATW-416021XXXXXX4471-S1ANPU22-PUNE", "-5000", CHECKING, Kind.CASH),
        ("SAQUE 24H 04412771", "-200", CHECKING, Kind.CASH),
        ("REINT.CAJERO", "-60", CHECKING, Kind.CASH),
        ("TAR PACOTE ITAU  SET/26", "-32.90", CHECKING, Kind.FEE),
        ("DC INTL POS TXN MARKUP+ST 100926", "-73.98", CHECKING, Kind.FEE),
        ("Imposta bollo conto corrente", "-34.48", CHECKING, Kind.FEE),
        ("REND PAGO APLIC AUT MAIS", "1.07", CHECKING, Kind.INTEREST),
        ("TRASPASO", "-80", CHECKING, Kind.TRANSFER),
        ("TO CHQ 4410", "-84.60", SAVINGS, Kind.TRANSFER),
        ("DEV PIX  MERCADO LIVRE", "84.50", CHECKING, Kind.REFUND),
    ],
)
def test_what_banks_of_more_countries_call_cash_fees_cards_and_transfers(description, amount, account, expected):
    assert kind(description, amount, account) is expected
