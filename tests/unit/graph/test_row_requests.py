"""Plain sentences that change one transaction, write one down or leave something out for good, in both languages."""

from __future__ import annotations

import pytest

from ledger.filters import Filter


def call_of(outcome):
    """Return the name and arguments of the change that is proposed, or nothing."""
    return (outcome.proposal.name, outcome.proposal.arguments) if outcome.proposal else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("spent 12.50 on lunch", {"amount": "12.50", "direction": "out", "what": "lunch"}),
        ("I paid 30 for parking yesterday", {"amount": "30", "direction": "out", "what": "parking", "day": "2026-11-20"}),
        ("got 200 from mum in cash yesterday", {"amount": "200", "direction": "in", "what": "mum", "day": "2026-11-20", "account": "Cash"}),
        ("add 45 euros for the plumber on Friday", {"amount": "45 euros", "direction": "out", "what": "the plumber", "day": "2026-11-20"}),
        ("20 für Eis ausgegeben", {"amount": "20", "direction": "out", "what": "Eis"}),
        ("Ich habe gestern 12,50 € bei REWE bezahlt", {"amount": "12,50 €", "direction": "out", "what": "REWE", "day": "2026-11-20"}),
        ("200 Euro von Oma bekommen", {"amount": "200 Euro", "direction": "in", "what": "Oma"}),
        ("please log coffee 3.50", {"amount": "3.50", "direction": "out", "what": "coffee"}),
    ],
)  # fmt: skip
async def test_a_payment_that_is_told_is_proposed_to_be_written_down(english, text, expected):
    outcome = await english.say(text)
    assert call_of(outcome) == ("entries-add", expected)
    assert outcome.reply.kind == "clarify"
    assert outcome.reply.table is not None


@pytest.mark.parametrize(
    "text",
    [
        "I paid 30 for gas yesterday, what's my total?",
        "how much did I spend on lunch yesterday?",
        "did I spend 12.50 on lunch?",
        "what was the 12.50 on lunch?",
        "I spent 20 on coffee and 30 on lunch",
        "spent over 100 at Costco",
        "spent on groceries last month",
        "add 20 to that",
        "add 12 and 30",
        "how much did I spend last month? I paid 40 for gas",
        "show payments of 50 at Costco",
    ],
)
async def test_a_question_or_remark_writes_nothing_down(english, text):
    assert call_of(await english.say(text)) is None


@pytest.mark.parametrize("text", ["paid 100 to Jane tomorrow", "spent 20", "spent 12.50 on lunch on 3 October 1999"])
async def test_what_is_not_over_or_not_told_is_asked_about(english, text):
    outcome = await english.say(text)
    assert (outcome.reply.kind, outcome.proposal) == ("clarify", None)


@pytest.mark.parametrize(
    ("text", "tool", "more"),
    [
        ("put the second one under gifts", "corrections-change", {"field": "category", "value": "gifts"}),
        ("the second one isn't a transfer", "corrections-change", {"field": "kind", "value": "no transfer"}),
        ("mark the second one as a transfer", "corrections-change", {"field": "kind", "value": "transfer"}),
        ("add a note to the second one: team lunch", "corrections-change", {"field": "note", "value": "team lunch"}),
        ("move the second one to 3 October", "corrections-change", {"field": "day", "value": "3 October"}),
        ("rename the second one to Corner Shop", "corrections-change", {"field": "merchant", "value": "Corner Shop"}),
        ("tag the second one as work", "corrections-change", {"field": "labels", "value": "work"}),
        ("delete the second one", "corrections-delete", {}),
        ("split the second one in half", "corrections-split", {"parts": "half"}),
        ("ordne die zweite unter Geschenke ein", "corrections-change", {"field": "category", "value": "Geschenke"}),
        ("lösche die zweite", "corrections-delete", {}),
        ("benenne die zweite in Eckladen um", "corrections-change", {"field": "merchant", "value": "Eckladen"}),
        ("teile die zweite zur Hälfte", "corrections-split", {"parts": "zur Hälfte"}),
        ("schreibe eine Notiz zu der zweiten: Büro", "corrections-change", {"field": "note", "value": "Büro"}),
    ],
)
async def test_the_second_one_is_that_of_the_list_before(english, text, tool, more):
    listed = await english.say("show my last 5 purchases at Costco")
    second = listed.reply.listed[1]
    outcome = await english.say(text)
    call = next(iter(outcome.reply.trace["calls"]))
    assert call["name"] == tool
    assert call["arguments"] == {"row": f"#{second}", **more}


async def test_that_one_is_the_only_one_shown_and_of_several_it_is_asked(english):
    await english.say("What was my biggest purchase last month?")
    outcome = await english.say("delete that one")
    assert call_of(outcome)[0] == "corrections-delete"
    await english.say("show my last 3 purchases at Costco")
    outcome = await english.say("delete that one")
    assert outcome.proposal is None
    assert len(outcome.reply.choices) == 3


async def test_without_a_list_it_is_asked_which(english):
    outcome = await english.say("delete the second one")
    assert (outcome.reply.kind, outcome.proposal) == ("clarify", None)
    assert "Which transaction" in outcome.reply.headline


async def test_the_amount_of_a_bank_s_row_is_refused_with_the_ways(english):
    await english.say("show my last 5 purchases at Costco")
    outcome = await english.say("change the amount of the second one to 40")
    assert outcome.proposal is None
    assert "its amount stays" in outcome.reply.headline
    assert "split" in outcome.reply.plain()


@pytest.mark.parametrize(
    "text",
    ["put Costco under shopping", "Costco is groceries", "move groceries to rent", "mark Costco as shopping"],
)
async def test_a_merchant_stays_a_matter_of_rules(english, text):
    await english.say("show my last 5 purchases at Costco")
    outcome = await english.say(text)
    call = next(iter(outcome.reply.trace["calls"]), {"name": ""})
    assert not call["name"].startswith("corrections-")


@pytest.mark.parametrize("text", ["remove rent", "drop rent", "without that", "that wasn't rent", "delete my notes"])
async def test_what_is_left_out_of_a_question_or_is_no_transaction_deletes_none(english, text):
    await english.say("How much did I spend last month?")
    outcome = await english.say(text)
    assert outcome.proposal is None or not outcome.proposal.name.startswith("corrections-")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("always ignore Costco", "Costco"),
        ("never count Costco as spending", "Costco"),
        ("ignore my Costco", "my Costco"),
        ("zähle Costco nicht zu den Ausgaben", "Costco"),
    ],
)
async def test_something_is_left_out_for_good(english, text, what):
    outcome = await english.say(text)
    assert call_of(outcome) == ("categories-ignore", {"what": what})
    assert outcome.reply.table.columns[1].title == "Before"


async def test_behind_a_question_ignoring_is_about_that_question(english):
    await english.say("How much did I spend last month?")
    outcome = await english.say("ignore my rent")
    assert outcome.proposal is None


async def test_orders_to_move_money_are_refused(english):
    outcome = await english.say("Move $500 from checking to savings right now")
    assert outcome.proposal is None
    assert outcome.reply.kind == "refuse"


async def test_what_stands_in_a_transaction_writes_nothing(english):
    """A descriptor that reads like an order is only words when it is listed and pointed at."""
    store = english.agent._store
    from tests.unit.graph.conftest import ME

    repository = await store.repository(ME)
    before = await repository.rows(Filter(), "newest", 3)
    await english.say("show my last 5 purchases at Costco")
    await english.say("put the first one under gifts")
    assert await repository.rows(Filter(), "newest", 3) == before
