"""What is not booked is left out by name: by a word of its state in many languages, or because the balance doesn't count it."""

from __future__ import annotations

import pytest

from ledger.importers import Hints, read_statement
from ledger.importers.decoding import decode
from ledger.importers.table.layout_file import read_layout
from ledger.importers.table.states import is_unbooked
from tests.support.tables import every

#: What banks call a payment that is not booked, and one that is.
STATES = {
    "English": ("Pending|AUTHORISED|Authorized|On hold|Processing|Not posted|Upcoming", "Booked|Posted|Completed|Cleared|Sent"),
    "German": ("Vorgemerkt|Umsatz vorgemerkt|Autorisiert|in Bearbeitung|nicht gebucht|Reserviert", "Gebucht|Umsatz gebucht"),
    "French": ("En attente|en cours de traitement|Autorisé|Autorisée|À venir|Non comptabilisé", "Comptabilisé|Exécuté"),
    "Spanish": ("Pendiente|Retenido|Autorizado|No contabilizado|En trámite|Rechazada", "Contabilizado|Realizado|Ejecutada"),
    "Portuguese": ("Pendente|Cativo|Agendado|Em processamento|Não contabilizado", "Efetivado|Concluído|Contabilizado"),
    "Italian": ("Autorizzato|NON CONTABILIZZATO|Da contabilizzare|In sospeso|Prenotato", "Contabilizzato|Eseguito"),
    "Dutch": ("In verwerking|In behandeling|Gereserveerd|nog niet geboekt|Gepland", "Geboekt|Verwerkt|Uitgevoerd"),
    "Swedish": ("Reserverad|Preliminär|Väntar|Ej bokförd|Kommande", "Bokförd|Utförd|Godkänd"),
    "Norwegian": ("Reservert|Ikke bokført|Avventer|Under behandling", "Bokført|Utført"),
    "Danish": ("Reserveret|Ikke bogført|Afventer|Foreløbig", "Bogført|Udført|Gennemført"),
    "Finnish": ("Varaus|Katevaraus|Odottaa|Ei kirjattu|Vireillä", "Kirjattu|Toteutunut|Maksettu"),
    "Polish": ("Oczekująca|Blokada|Nierozliczona|W trakcie realizacji|Odrzucona", "Zaksięgowana|Zrealizowana|Rozliczona"),
    "Czech": ("Čekající|Blokace|Nezaúčtováno|Zrušeno", "Zaúčtováno|Provedeno|Vypořádáno"),
    "Slovak": ("Čakajúca|Nezaúčtovaná|Zamietnutá", "Zaúčtovaná|Zrealizovaná"),
    "Hungarian": ("Függőben|Zárolt|Nem könyvelt|Folyamatban|Elutasítva", "Könyvelt|Teljesült"),
    "Romanian": ("În așteptare|Blocat|Nedecontat|Respins", "Decontat|Procesat|Efectuat"),
    "Croatian": ("Na čekanju|Rezervirano|U obradi|Odbijeno", "Proknjiženo|Izvršeno"),
    "Turkish": ("Bekliyor|PROVİZYON|Beklemede|İptal edildi|Reddedildi", "Gerçekleşti|Tamamlandı|Onaylandı"),
    "Greek": ("Εκκρεμεί|Δεσμευμένο|Σε αναμονή|Ακυρώθηκε", "Ολοκληρώθηκε|Εκτελέστηκε"),
    "Russian": ("В обработке|Ожидает|Холд|Отклонено|Не проведён", "Исполнено|Проведён|Выполнено"),
    "Ukrainian": ("В обробці|Очікує|Відхилено", "Виконано|Проведено"),
    "Hebrew": ("ממתין|טרם נקלט|עסקה עתידית|בוטל", "בוצע|נקלט|אושר"),
    "Chinese": ("处理中|待入账|预授权|支付失败|交易关闭", "支付成功|交易成功|已入账"),
    "Japanese": ("未確定|処理中|取消|承認待ち", "確定|完了|承認済み"),
    "Korean": ("대기|승인취소|처리중", "완료|승인|매입"),
}  # fmt: skip
CASES = [
    pytest.param(word, place == 0, id=f"{language}-{word}")
    for language, sides in STATES.items()
    for place, words in enumerate(sides)
    for word in words.split("|")
]


def read(text):
    return read_statement("x.csv", text.encode())


def brief(text):
    """Return the descriptions that are read, and the reasons of those that are not, by line."""
    statement = read(text)
    return [row.description for row in statement.rows], [(row.row, row.reason) for row in statement.rejected]


@pytest.mark.parametrize("spelt", [str, str.upper, str.lower])
@every(("word", "unbooked"), CASES)
def test_a_word_of_state_says_whether_a_payment_is_booked(word, unbooked, spelt):
    assert is_unbooked(spelt(word)) is unbooked


@pytest.mark.parametrize(
    ("word", "unbooked"),
    [
        ("PAYMENT FAILED", True),
        ("CARD DECLINED", True),
        ("Zahlung abgelehnt", True),
        ("CARD CHARGED", False),
        ("PAYMENT SENT", False),
    ],
)
def test_a_state_may_name_first_what_is_in_it(word, unbooked):
    assert is_unbooked(word) is unbooked


@pytest.mark.parametrize("header", ["Status", "Stato", "Estado", "Stan", "Tila", "Durum", "Статус", "סטטוס", "状態"])
def test_a_column_of_states_is_known_in_many_languages(header):
    text = f"Date,Description,Amount,{header}\n2026-10-13,Shop,-5.00,Booked\n2026-10-14,Other,-6.00,Autorizzato\n"
    assert brief(text) == (["Shop"], [(3, "the payment is marked “Autorizzato”, so it is not booked")])


@pytest.mark.parametrize(
    ("header", "yes", "no"), [("Pending", "true", "false"), ("pending", "1", "0"), ("En attente", "Oui", "Non")]
)
def test_a_column_named_for_what_is_not_booked_says_yes_or_no(header, yes, no):
    text = f"Date,Description,Amount,{header}\n2026-10-13,Shop,-5.00,{no}\n2026-10-14,Other,-6.00,{yes}\n"
    assert brief(text) == (["Shop"], [(3, "the payment is marked as pending, so it is not booked")])


def test_a_state_may_stand_where_the_date_will():
    text = "Kirjauspäivä;Saaja;Määrä\nVaraus;K-Market;-5,00\n13.10.2026;Alko;-6,00\n"
    assert brief(text) == (["Alko"], [(2, "the payment is marked “Varaus”, so it is not booked")])


@pytest.mark.parametrize(
    "text",
    [
        "Reservert transaksjon REMA 1000",
        "RESERVERT: REMA 1000",
        "PENDING - SQ *COFFEE",
        "Kiosk (pending)",
        "[Vorgemerkt] REWE",
        "REWE - vorgemerkt",
        "Opération en attente CB CARREFOUR",
        "OPERATION EN ATTENTE CB CARREFOUR",
        "Authorization Hold SHELL 123",
        "In behandeling: Albert Heijn",
    ],
)
def test_a_state_may_stand_in_the_text_of_a_row(text):
    found, left = brief(f"Date,Description,Amount\n2026-10-13,Shop,-5.00\n2026-10-14,{text},-6.00\n")
    assert (found, len(left)) == (["Shop"], 1)
    assert "so it is not booked" in left[0][1]
    counted = f"Date,Description,Amount,Balance\n2026-10-13,Shop,-5.00,95.00\n2026-10-14,{text},-6.00,89.00\n"
    assert brief(counted)[1] == [], "the balance counts it"


@pytest.mark.parametrize(
    "text", ["Pending Coffee Bar", "Spending - week 3", "Reservert Parkering AS", "Amazon - vendor", "Katevaraustamo"]
)
def test_a_name_that_begins_like_a_state_is_a_name(text):
    assert brief(f"Date,Description,Amount\n2026-10-13,Shop,-5.00\n2026-10-14,{text},-6.00\n")[1] == []


#: The newest first: two that the balance doesn't count yet, above those that it does.
COUNTED = [
    "2026-10-09,Shop,-1.00,89.00",
    "2026-10-05,Pay,10.00,90.00",
    "2026-10-02,Bar,-6.00,80.00",
    "2026-10-01,Rent,-5.00,86.00",
]
NEW = ["2026-10-11,Cafe,-3.00, ", "2026-10-10,Fuel,-4.00,"]
UNCOUNTED = "the running balance does not count it, so it is not booked yet"
HEADER = "Date,Description,Amount,Balance"


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("count", [1, 2])
def test_the_newest_rows_are_pending_where_only_they_have_no_balance(turned, count):
    rows = [*NEW[-count:], *COUNTED]
    found, left = brief("\n".join([HEADER, *(rows[::-1] if turned else rows)]))
    assert sorted(found) == ["Bar", "Pay", "Rent", "Shop"]
    assert [reason for _, reason in left] == [UNCOUNTED] * count
    assert [line for line, _ in left] == ([6, 7] if turned else [2, 3])[:count]


@pytest.mark.parametrize(
    "rows",
    [
        # A balance on the last row of each day only.
        ["2026-10-03,Cafe,-3.00,77.00", "2026-10-02,Bar,-6.00,80.00", "2026-10-02,Fuel,-4.00,", "2026-10-01,Rent,-5.00,90.00"],
        # None at the oldest end.
        [*COUNTED, "2026-09-30,Cafe,-3.00,"],
        # None at both ends.
        ["2026-10-11,Cafe,-3.00,", *COUNTED, "2026-09-30,Cafe,-3.00,"],
        # No balance that runs on by the amounts.
        ["2026-10-11,Cafe,-3.00,", "2026-10-09,Shop,-1.00,7.00", "2026-10-05,Pay,10.00,2.00", "2026-10-02,Bar,-6.00,80.00"],
        # More without one than with.
        ["2026-10-11,Cafe,-3.00,", *NEW, "2026-10-05,Pay,10.00,90.00", "2026-10-02,Bar,-6.00,80.00"],
    ],
)  # fmt: skip
def test_rows_without_a_balance_are_no_pending_ones_where_others_have_none_either(rows):
    found, left = brief("\n".join([HEADER, *rows]))
    assert (len(found), left) == (len(rows), [])


def test_an_account_without_any_balance_beside_one_with_them_is_booked():
    rows = [
        "2026-10-12,Kiosk,-2.00,,Card",
        *(f"{row},Giro" for row in [*NEW, *COUNTED]),
        "2026-10-01,Kiosk,-2.00,,Card",
    ]
    found, left = brief("\n".join([f"{HEADER},Account", *rows]))
    assert (sorted(found), [line for line, _ in left]) == (["Bar", "Kiosk", "Kiosk", "Pay", "Rent", "Shop"], [3, 4])


def test_a_pending_row_is_called_so_by_its_own_word_first():
    text = f"{HEADER},Status\n2026-10-11,Cafe,-3.00,,Pending\n" + "\n".join(f"{row},Posted" for row in COUNTED)
    assert brief(text)[1] == [(2, "the payment is marked “Pending”, so it is not booked")]


def test_no_balance_counts_once_the_person_says_that_the_column_is_none():
    layout = read_layout('header = ["Date", "Description", "Amount", "Balance"]\n[columns]\nignore = ["Balance"]\n')
    statement = read_statement("x.csv", "\n".join([HEADER, *NEW, *COUNTED]).encode(), Hints(layouts=(layout,)))
    assert (len(statement.rows), statement.rejected) == (6, ())


def test_greek_in_one_byte_a_character_is_read_as_greek():
    """Its words are no Cyrillic, though the same bytes are letters there; Χ is a debit."""
    rows = (
        "Ημερομηνία;Αιτιολογία;Ποσό\n1/10/2026;ΕΝΟΙΚΙΟ ΠΑΠΑΔΟΠΟΥΛΟΣ;-430,00\n4/10/2026;ΜΙΣΘΟΔΟΣΙΑ ΟΚΤΩΒΡΙΟΥ;1.200,00\n"
    )
    assert decode(rows.encode("cp1253")) == rows
