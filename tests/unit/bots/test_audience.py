"""Figures reach their owner alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import serialization
from bots.audience import EXPOSED, NEUTRAL, Place, audience_of, guard
from bots.contracts import SHARE, Attachment, ConversationKey, Duty, Message, Question
from graph.reply import Action, Actions, Audience, File, Reply, Text
from ledger.people import Person
from tools.calls import Call
from tools.results import Chart, Column, Fact, Scope, Table

CANARY = "98765.43"
ALICE, BOB = Person("memory", "home", "alice"), Person("memory", "home", "bob")

amounts = st.just(Decimal(CANARY))
said = st.sampled_from([CANARY, f"You spent {CANARY}", "nothing", f"Acme {CANARY}"])
blocks = st.one_of(
    st.builds(Text, said, st.sampled_from(["headline", "body", "narration"])),
    st.builds(lambda amount: Table((Column("Total", "money", "USD"),), ((amount,),)), amounts),
    st.builds(lambda amount: Chart("chart", ("a",), (amount,)), amounts),
    st.builds(lambda text: Actions((Action(text, "ask", text),)), said),
    st.builds(lambda text: File(text, "text/csv", text.encode()), said),
)
replies = st.builds(
    Reply,
    kind=st.sampled_from(["answer", "clarify", "refuse", "error"]),
    headline=said,
    blocks=st.lists(blocks, max_size=4).map(tuple),
    audience=st.sampled_from(Audience),
    facts=st.lists(st.builds(lambda amount: Fact("f1", "total", amount, "money", "USD"), amounts), max_size=2).map(
        tuple
    ),
    choices=st.lists(said, max_size=2).map(tuple),
    scope=st.none() | st.builds(lambda text: Scope("tool", {"over": text}), said),
    narration=said,
    trace=st.builds(lambda text: {"text": text}, said),
)
kinds = st.sampled_from(["text", "file", "command", "button"])
ASKED = Question("how much?")
contents = st.sampled_from([Question("how much?"), Duty(SHARE), Duty("receipt"), Call("spending-compare", {})])


def message(audience, kind="text", content=ASKED, person=ALICE):
    conversation = ConversationKey("memory", "home", "general", "", ALICE)
    when = datetime(2026, 11, 21, tzinfo=UTC)
    return Message(person, conversation, "1", "general", "1", audience, when, content, kind)


@settings(deadline=None)
@given(replies, kinds, contents, st.sampled_from([ALICE, BOB]), st.booleans())
def test_no_amount_is_said_before_others(reply, kind, content, person, posted_file):
    asked = message(Audience.SHARED, kind, content, person)
    if posted_file:
        asked = replace(asked, attachments=(Attachment(f"{CANARY}.csv", 3, "text/csv", "f1"),))
    kept = guard(asked, reply)
    assert kept.audience is Audience.SHARED
    assert CANARY not in serialization.reply_to_json(kept)
    assert kept.headline == (EXPOSED if posted_file else NEUTRAL)


@settings(deadline=None)
@given(replies, kinds, contents, st.sampled_from([ALICE, BOB]))
def test_no_reply_makes_itself_public(reply, kind, content, person):
    kept = guard(message(Audience.PRIVATE, kind, content, person), reply)
    assert kept == replace(reply, audience=Audience.PRIVATE)


def test_the_neutral_lines_have_no_digit():
    assert not any(sign.isdigit() for sign in NEUTRAL + EXPOSED)


@pytest.mark.parametrize(
    ("place", "private_replies", "audience"),
    [
        (Place.DIRECT, False, Audience.PRIVATE),
        (Place.DIRECT, True, Audience.PRIVATE),
        (Place.CHANNEL, True, Audience.PRIVATE),
        (Place.CHANNEL, False, Audience.SHARED),
        (Place.UNKNOWN, True, Audience.SHARED),
        (Place.UNKNOWN, False, Audience.SHARED),
    ],
)
def test_doubt_counts_as_a_crowd(place, private_replies, audience):
    assert audience_of(place, private_replies=private_replies) is audience
