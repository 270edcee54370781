"""What can be looked up about an earlier answer, and that doing so leaves the conversation as it was."""

from __future__ import annotations

from decimal import Decimal

import pytest
from structlog.testing import capture_logs

from ledger.money import Money
from tests.support.lookup_house import labels, lines, tables

BANK = b"""Date,Description,Amount,Transaction Type,Category,Account Name,Currency
2026-09-03,TRADER JOE'S #552,30.00,debit,Groceries,Card,USD
2026-09-20,SAFEWAY,11.00,debit,Groceries,Card,USD
2026-10-05,TRADER JOE'S #552,20.00,debit,Groceries,Card,USD
2026-10-09,SAFEWAY,7.50,debit,Groceries,Card,USD
2026-10-12,SAFEWAY,2.50,credit,Groceries,Card,USD
2026-10-15,CHIPOTLE,14.20,debit,Restaurants,Card,USD
2026-10-30,ACME PAYROLL,2000.00,credit,Paycheck,Giro,USD
"""


@pytest.fixture
async def asked(house):
    """A house in which Alice has just asked about groceries."""
    await house.bring(BANK)
    return house, await house.say("groceries in October?")


async def test_a_receipt_says_what_was_counted_and_its_rows_sum_to_the_figure(asked) -> None:
    house, answer = asked
    receipt = (await house.press(answer, "Receipt")).reply
    assert receipt.headline == f"Receipt: {answer.reply.headline}"
    assert "Adds up to: $25.00 = Total spent" in lines(receipt)
    assert "Category: Groceries" in lines(receipt)
    (table,) = tables(receipt)
    assert [row[4].amount for row in table.rows] == [Decimal(x) for x in ("2.50", "-7.50", "-20.00", "-25.00")]


async def test_transactions_are_the_rows_behind_all_of_them_the_newest_first(house) -> None:
    days = "".join(f"2026-10-{day:02},SAFEWAY,1.00,debit,Groceries,Card,USD\n" for day in range(1, 31))
    await house.bring(BANK.splitlines(keepends=True)[0] + days.encode())
    answer = await house.say("groceries in October?")
    (table,) = tables((await house.press(answer, "Transactions")).reply)
    shown = [row[0] for row in table.rows[:-1]]
    assert len(shown) == 30
    assert shown == sorted(shown, reverse=True)
    assert table.rows[-1][4] == Money(-3000, "USD")


@pytest.mark.parametrize(
    ("looked_up", "follow_up", "expected"),
    [
        ("Receipt", "and in September?", "$41.00 on groceries in September 2026"),
        ("Receipt", "without Safeway", "$20.00 on groceries in October 2026"),
        ("Transactions", "what about restaurants?", "$14.20 on restaurants in October 2026"),
        ("Transactions", "compare that with September", "$16.00 (39.0%) less on groceries"),
    ],
)
async def test_a_follow_up_after_a_look_edits_the_question_before_it(asked, looked_up, follow_up, expected) -> None:
    house, answer = asked
    await house.press(answer, looked_up)
    assert expected in (await house.say(follow_up)).reply.headline


async def test_a_look_at_an_older_answer_makes_its_question_the_one_that_stands(asked) -> None:
    house, october = asked
    await house.say("restaurants in October?")
    await house.press(october, "Receipt")
    assert "$41.00 on groceries in September" in (await house.say("and in September?")).reply.headline


@pytest.mark.parametrize("word", ["help", "settings", "transactions"])
async def test_a_page_of_another_kind_leaves_the_question_standing(asked, word) -> None:
    house, _ = asked
    await house.say(word)
    assert "$16.00 (39.0%) less on groceries" in (await house.say("compare that with September")).reply.headline


async def test_a_look_is_no_figure_of_its_own(asked) -> None:
    """The difference is between the two questions, not between one and its receipt."""
    house, _ = asked
    september = await house.say("and in September?")
    await house.press(september, "Receipt")
    assert "$16.00" in (await house.say("what is the difference?")).reply.headline


async def test_typed_as_a_word_they_are_about_the_latest_answer(asked) -> None:
    house, _ = asked
    assert "Adds up to: $25.00 = Total spent" in lines((await house.say("receipt")).reply)
    assert tables((await house.say("Transactions")).reply)


async def test_nobody_looks_into_the_answer_of_another(asked) -> None:
    house, answer = asked
    for name in ("receipt", "transactions", "feedback"):
        reply = (await house.press_added(answer, name, person=house.bob)).reply
        assert reply.headline == "There is no answer of yours here to look into. Ask something first."
        assert not reply.behind


async def test_wrong_says_how_the_question_was_read_and_what_to_press(asked) -> None:
    house, answer = asked
    with capture_logs() as logs:
        wrong = await house.press_added(answer, "feedback", "wrong")
    assert "Period: October 2026: 1–31 Oct 2026" in lines(wrong.reply)
    assert "Category: Groceries" in lines(wrong.reply)
    assert not [line for line in lines(wrong.reply) if line.startswith(("Rows", "Adds up"))]
    assert labels(wrong.reply) == ["Receipt", "Transactions", "Change a category"]
    noted = [entry for entry in logs if entry["event"] == "feedback"]
    assert noted == [
        {
            "event": "feedback",
            "log_level": "info",
            "conversation": str(answer.conversation),
            "reply": answer.key,
            "verdict": "wrong",
        }
    ]
    assert tables((await house.press(wrong, "Transactions")).reply)[0].rows[-1][4] == Money(-2500, "USD")


async def test_right_is_noted_in_one_line(asked) -> None:
    house, answer = asked
    right = await house.press_added(answer, "feedback", "right")
    assert lines(right.reply) == ["Noted: this answer was right."]
    assert "$41.00 on groceries" in (await house.say("and in September?")).reply.headline


async def test_an_answer_without_rows_has_none_to_show(house) -> None:
    await house.say("What can you do?")
    for word in ("receipt", "transactions"):
        assert (await house.say(word)).reply.headline == "No transactions are behind this answer."


async def test_with_nothing_asked_there_is_nothing_to_look_into(house) -> None:
    assert (await house.say("receipt")).reply.kind == "refuse"


async def test_a_look_into_an_answer_is_in_its_language(house) -> None:
    await house.bring(BANK)
    german = await house.say("Wie viel habe ich im Oktober für Lebensmittel ausgegeben?")
    await house.say("restaurants in October?")
    receipt = (await house.press(german, "Beleg")).reply
    assert receipt.headline == f"Beleg: {german.reply.headline}"
    assert lines(receipt)[1:] == [
        "Zeitraum: Oktober 2026: 1.–31. Oktober 2026",
        "Gezählt: Ausgaben: Einkäufe, Rechnungen, Gebühren, gezahlte Zinsen, Kreditraten und Bargeld, abzüglich Erstattungen",
        "Kategorie: Lebensmittel",
        "Buchungen: 3 Buchungen: $27.50 Ausgänge, $2.50 Eingänge",
        "Summe: $25.00 = Ausgaben insgesamt",
    ]
    (table,) = tables(receipt)
    assert [column.title for column in table.columns] == ["Datum", "Händler", "Kategorie", "Konto", "Betrag"]
    assert table.rows[-1][1] == "Summe"
    rows = await house.press(german, "Buchungen")
    assert rows.reply.headline == f"Buchungen: {german.reply.headline}"
    assert tables(rows.reply)[0].title == "Buchungen"
    again = await house.press_added(rows, "receipt")
    assert again.reply.headline == receipt.headline


async def test_wrong_is_answered_in_the_language_of_the_answer(house) -> None:
    await house.bring(BANK)
    german = await house.say("Wie viel habe ich im Oktober für Lebensmittel ausgegeben?")
    wrong = (await house.press_added(german, "feedback", "wrong")).reply
    assert wrong.headline == "Notiert: Diese Antwort war nicht richtig. So habe ich die Frage verstanden:"
    assert "Kategorie: Lebensmittel" in lines(wrong)
    assert not [line for line in lines(wrong) if line.startswith(("Buchungen", "Summe"))]
    assert labels(wrong) == ["Beleg", "Buchungen", "Kategorie ändern"]
    right = (await house.press_added(german, "feedback", "right")).reply
    assert lines(right) == ["Notiert: Diese Antwort war richtig."]


async def test_where_nothing_was_asked_the_language_is_that_of_the_locale(house) -> None:
    await house.say("set my locale to de_DE")
    await house.say("yes")
    assert (await house.say("receipt", thread="new")).reply.language == "de"


async def test_its_german_name_shows_the_receipt_of_the_latest_answer(asked) -> None:
    house, _ = asked
    await house.say("Wie viel habe ich im September für Lebensmittel ausgegeben?")
    assert "Summe: $41.00 = Ausgaben insgesamt" in lines((await house.say("Beleg")).reply)
