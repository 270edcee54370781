"""Months that missed a payment, what came back and under which name, cash, top-ups, and how an answer is to be told."""

from __future__ import annotations

import pytest

from graph.turn import TurnOutcome
from ledger.money import Money
from tests.unit.graph.conftest import Talk
from tools.results import Table


def rows() -> list[tuple[str, str, str, str]]:
    """Return day, text, amount and account; every figure that a test expects is read off these."""
    months = [f"2026-{number:02}" for number in range(1, 12)]
    found = [(f"{month}-04", "FROM OSKAR LINDT ALIMENTE", "310.00", "Giro") for month in months if month != "2026-04"]
    found += [
        (f"{month}-09", "UMBUCHUNG AUF TAGESGELD", "-120.00", "Giro") for month in months[:9] if month != "2026-06"
    ]
    found += [
        (f"{month}-09", "UMBUCHUNG VON GIROKONTO", "120.00", "Tagesgeld") for month in months[:9] if month != "2026-06"
    ]
    found += [(f"{month}-02", "DAUERAUFTRAG MIETE HOLLIS", "-700.00", "Giro") for month in months]
    # one that began in April and goes on, but for August; one that ended in June
    found += [(f"{month}-14", "CITY GYM MEMBERSHIP", "-25.00", "Giro") for month in months[3:] if month != "2026-08"]
    found += [(f"{month}-06", "SPOTIFY", "-11.00", "Giro") for month in months[:6]]
    for number, month in enumerate(months[6:10], 1):
        found += [(f"{month}-12", "REWE HALDEN 22", f"-{number}1.00", "Giro")]
    return [
        *found,
        ("2026-10-17", "REWE HALDEN 22", "-7.00", "Giro"),
        ("2026-02-16", "RUECKLASTSCHRIFTGEBUEHR", "-9.00", "Giro"),
        ("2026-03-02", "RUECKLASTSCHRIFTGEBUEHR ERSTATTUNG", "9.00", "Giro"),
        ("2026-05-11", "ZALANDO SE BERLIN", "-140.00", "Giro"),
        ("2026-06-03", "ZALANDO SE BERLIN RETOURE", "60.00", "Giro"),
        ("2026-07-08", "IKEA HALDEN", "-80.00", "Giro"),
        ("2026-07-20", "IKEA HALDEN RETOURE", "30.00", "Giro"),
        ("2026-08-03", "AUSZAHLUNG GIROCARD VB HALDEN GA 0012", "-150.00", "Giro"),
        ("2026-08-21", "AUSZAHLUNG GIROCARD SPK LINZ GA 0700", "-60.00", "Giro"),
        ("2026-08-21", "ENTGELT BARGELD FREMDAUTOMAT", "-4.50", "Giro"),
    ]


def _amounts(outcome: TurnOutcome) -> list[str]:
    """Return the amounts of an answer's table, in their order."""
    table = next(block for block in outcome.reply.blocks if isinstance(block, Table))
    return [str(abs(cell.amount)) for row in table.rows for cell in row if isinstance(cell, Money)]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which month did Oskar Lindt forget to pay this year?", "1 month without any payments"),
        ("Has Oskar Lindt ever skipped a month?", "Yes: 1 month without any payments"),
        ("Oskar Lindt swears he has never missed one.", "No: 1 month without any payments"),
        ("Did Oskar Lindt send the money every single month in 2026?", "No: 1 month without any payments"),
        ("Did I pay Hollis every month in 2026?", "Yes: No month without purchases"),
        ("Hat Oskar Lindt dieses Jahr jeden Monat überwiesen?", "Nein: 1 Monat ohne Zahlungen"),
        ("In welchen Monaten hab ich verschwitzt, was aufs Tagesgeld zu legen?", "3 Monate ohne Umbuchungen"),
    ],
)
async def test_intervals_in_which_something_regular_did_not_come(talk: Talk, question: str, told: str) -> None:
    """The month that is not over counts where the day is past by which it always came."""
    outcome = await talk.say(question)
    assert outcome.reply.kind == "answer"
    assert outcome.reply.headline.startswith(told)


@pytest.mark.parametrize(
    ("question", "told", "bounds"),
    [
        ("Did I miss a City Gym payment this year?", "Yes: 1 month without", "from the first one on, 14 Apr 2026"),
        ("Which month did I forget to pay City Gym this year?", "1 month without", "from the first one on, 14 Apr 2026"),
        ("Habe ich bei City Gym dieses Jahr einen Monat ausgelassen?", "Ja: 1 Monat ohne", "ab der ersten Buchung am 14. April 2026"),
        ("Did I miss a Spotify payment this year?", "No: No month without", "the last one was on 6 Jun 2026"),
        ("Habe ich dieses Jahr eine Zahlung an Spotify verpasst?", "Nein: Kein Monat ohne", "die letzte war am 6. Juni 2026"),
        ("Did I pay Spotify every month in 2026?", "No: 5 months without", "the last one was on 6 Jun 2026"),
    ],
)  # fmt: skip
async def test_nothing_is_missed_before_it_began_or_after_it_ended(
    talk: Talk, question: str, told: str, bounds: str
) -> None:
    outcome = await talk.say(question)
    assert outcome.reply.headline.startswith(told)
    assert bounds in outcome.reply.plain()


async def test_a_payment_that_is_told_with_its_size_and_day_is_looked_for_in_each_month(talk: Talk) -> None:
    await talk.say("How much did Oskar Lindt send me this year?")
    outcome = await talk.say("it should be the 310 on the 4th of each month. in which month did it not arrive?")
    assert outcome.reply.headline.endswith("April 2026")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("In which of the 9 months since January did I miss a Hollis payment?", "No month without purchases"),
        ("Rent goes on the 2 of every month. Which month did I miss a Hollis payment?", "No month without purchases"),
        (
            "Miete ist der 2. jedes Monats. In welchem Monat wurde an Hollis nichts überwiesen?",
            "„der 2“ kann ich nicht",
        ),
    ],
)
async def test_a_number_of_months_or_a_day_is_no_size_of_a_payment(talk: Talk, question: str, told: str) -> None:
    assert told.casefold() in (await talk.say(question)).reply.headline.casefold()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which shops refunded me this year?", ("Zalando", "60.00", "Ikea", "30.00")),
        ("Welche Firmen haben mir 2026 etwas zurückerstattet, Zalando ausgenommen?", ("Ikea", "30.00")),
        ("Did I ever get the February Rücklastschriftgebühr refunded?", ("Yes", "9.00")),
        ("Did Zalando ever refund the May order?", ("Yes", "60.00")),
        ("Hat Zalando mir die Bestellung vom Mai je erstattet?", ("Ja", "60.00")),
        ("Did I ever get money refunded by Zalando in May?", ("No: no refund", "May 2026")),
        ("Hat Zalando mir im Mai schon etwas erstattet?", ("Nein", "im Mai 2026")),
        ("Did I get the Rücklastschriftgebühr refunded in February?", ("No: no refund", "in February 2026")),
        ("Did I get a refund for the February Rücklastschriftgebühr?", ("Yes", "9.00")),
        ("Has Ikea credited me for anything yet?", ("Yes", "30.00")),
        ("Was habe ich 2026 bei Zalando unterm Strich bezahlt, nach Abzug der Retouren?", ("80.00",)),
        ("Was habe ich 2026 bei Zalando bezahlt, ohne die Retoure gegenzurechnen?", ("140.00",)),
        ("What did I spend at Ikea in 2026 before refunds?", ("80.00",)),
        ("Was habe ich 2026 bei Ikea vor den Retouren ausgegeben?", ("80.00", "vor Erstattungen")),
    ],
)
async def test_what_came_back_is_named_netted_or_not_counted(talk: Talk, question: str, told: tuple[str, ...]) -> None:
    outcome = await talk.say(question)
    assert outcome.reply.kind == "answer"
    assert all(each.casefold() in str(outcome.reply.blocks).casefold() for each in told)


@pytest.mark.parametrize(
    "question",
    [
        "What did I spend at Rewe before my tax return?",
        "What did I spend at Ikea before the refund in July?",
        "What did I spend at Ikea before the refunds from July?",
        "Was habe ich bei Rewe vor der Steuererstattung ausgegeben?",
        "Was habe ich bei Ikea vor den Erstattungen im Juli ausgegeben?",
    ],
)
async def test_a_time_before_something_came_back_is_no_sum_before_refunds(talk: Talk, question: str) -> None:
    headline = (await talk.say(question)).reply.headline
    assert not any(told in headline for told in ("before refunds", "vor Erstattungen"))


async def test_who_is_left_out_of_refunds_is_so_under_the_name_of_the_refund(talk: Talk) -> None:
    outcome = await talk.say("Welche Firmen haben mir 2026 etwas zurückerstattet, Zalando ausgenommen?")
    assert "60.00" not in str(outcome.reply.blocks)


async def test_what_came_back_later_is_taken_off_in_the_end(talk: Talk) -> None:
    await talk.say("How much did I pay Zalando in May?")
    outcome = await talk.say("but they sent me something back in June. So what did it cost me in the end?")
    assert outcome.reply.headline.startswith("€80.00")


@pytest.mark.parametrize(
    ("question", "then", "told"),
    [
        ("Wie oft war ich im August am Geldautomaten?", "und was hab ich da zusammen geholt", "210.00"),
        ("How much cash did I withdraw in August?", "and how many times was that", "2 withdrawals"),
    ],
)
async def test_cash_is_counted_and_summed_alike_without_its_fees(
    talk: Talk, question: str, then: str, told: str
) -> None:
    await talk.say(question)
    assert told in (await talk.say(then)).reply.headline


async def test_which_machine_is_told_by_the_banks_text(talk: Talk) -> None:
    assert "60.00" in (await talk.say("Wie viel Bargeld hab ich am Automaten in Linz geholt?")).reply.headline


async def test_a_figure_for_each_month_in_their_order(talk: Talk) -> None:
    await talk.say("What did I spend at Rewe in October?")
    outcome = await talk.say("and August and September? all three in order please")
    told = {fact.id: fact.value for fact in outcome.reply.facts}
    assert [str(told[f"interval_{number}"]) for number in (1, 2, 3)] == ["21.00", "31.00", "48.00"]


async def test_rows_in_a_row_begin_with_the_oldest(talk: Talk) -> None:
    outcome = await talk.say("Alle Einkäufe bei Rewe der Reihe nach, nur die Beträge")
    assert outcome.reply.kind == "answer"
    assert _amounts(outcome) == ["11.00", "21.00", "31.00", "41.00", "7.00"]


@pytest.mark.parametrize(
    "question",
    [
        "Wie viele Monate hintereinander habe ich bei Rewe eingekauft?",
        "How many times in order did I shop at Rewe?",
    ],
)
async def test_a_number_of_things_in_a_row_is_not_their_number(talk: Talk, question: str) -> None:
    assert (await talk.say(question)).reply.kind in ("clarify", "refuse")


async def test_an_order_that_an_answer_has_not_is_told_to_be_left_aside(talk: Talk) -> None:
    outcome = await talk.say("My largest purchases at Rewe in chronological order")
    assert "in chronological order" in outcome.reply.plain()


async def test_days_of_the_week_hold_for_every_month_that_is_named(talk: Talk) -> None:
    outcome = await talk.say("Was habe ich im September und Oktober 2026 samstags und sonntags bei Rewe ausgegeben?")
    assert outcome.reply.headline.startswith("€38.00")
