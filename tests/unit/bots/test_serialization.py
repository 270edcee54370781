"""What is stored comes back exactly, and nothing else comes back at all."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import serialization
from bots.contracts import Attachment, ConversationKey, Duty, Edit, Message, Question
from bots.errors import UnreadableRecord
from graph.reply import Action, Actions, Audience, File, Reply, Text
from ledger.filters import Filter
from ledger.money import Money
from ledger.people import Person
from ledger.periods.period import Period
from ledger.transactions import Flow, Kind
from tools.calls import Call, Choice
from tools.results import Chart, Column, Fact, Scope, Table

texts = st.text(max_size=20)
decimals = st.decimals(allow_nan=False, allow_infinity=True)
days = st.dates()
instants = st.datetimes(timezones=st.just(UTC)).map(lambda instant: instant.replace(fold=0))
people = st.builds(Person, texts, texts, texts)
conversations = st.builds(ConversationKey, texts, texts, texts, texts, people)
values = st.one_of(decimals, st.integers(), days, texts)
units = st.sampled_from(["money", "count", "percent", "date", "days", "text", "number"])
facts = st.builds(Fact, texts, texts, values, units, st.none() | texts, texts, texts)
money = st.builds(Money, st.integers(), st.sampled_from(["EUR", "JPY"]))
cells = st.one_of(values, money, st.none())
tables = st.builds(
    Table, st.tuples(st.builds(Column, texts, units)), st.lists(st.tuples(cells), max_size=3).map(tuple), texts
)
charts = st.builds(Chart, texts, st.tuples(texts, texts), st.tuples(decimals, decimals))
rows = st.builds(Actions, st.tuples(st.builds(Action, texts, st.sampled_from(["ask", "share", "undo"]), texts)))
blocks = st.one_of(st.builds(Text, texts), tables, charts, rows, st.builds(File, texts, texts, st.binary(max_size=20)))
periods = st.builds(Period, days, days, texts, st.tuples(st.integers(0, 6)))
filters = st.builds(
    Filter,
    period=periods,
    flow=st.none() | st.sampled_from(Flow),
    kinds=st.tuples(st.sampled_from(Kind)),
    categories=st.tuples(texts),
    phrases=st.none() | st.tuples(st.integers()),
    at_least_minor=st.none() | st.integers(),
)
plain = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        texts,
        decimals,
        days,
        instants,
        st.floats(allow_nan=False, allow_infinity=False),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.lists(inner, max_size=3).map(tuple), st.dictionaries(texts, inner, max_size=3)
    ),
    max_leaves=8,
)
arguments = st.dictionaries(texts, plain, max_size=3)
calls = st.builds(Call, texts, arguments)
rounds = st.lists(st.lists(calls, max_size=2).map(tuple), max_size=2).map(tuple)
choices = st.builds(Choice, texts, rounds, st.lists(texts, max_size=2).map(tuple))
replies = st.builds(
    Reply,
    kind=st.sampled_from(["answer", "clarify", "refuse", "error"]),
    headline=texts,
    blocks=st.lists(blocks, max_size=4).map(tuple),
    audience=st.sampled_from(Audience),
    facts=st.lists(facts, max_size=3).map(tuple),
    choices=st.lists(choices, max_size=3).map(tuple),
    follow_ups=st.lists(choices, max_size=1).map(tuple),
    period=st.none() | periods,
    table=st.none() | tables,
    scope=st.none() | st.builds(Scope, texts, arguments),
    behind=st.lists(filters, max_size=2).map(tuple),
    narration=texts,
    trace=arguments,
)
messages = st.builds(
    Message,
    person=people,
    conversation=conversations,
    delivery_id=texts,
    channel=texts,
    ts=st.none() | texts,
    audience=st.sampled_from(Audience),
    received_at=instants,
    kind=st.sampled_from(["text", "file", "command", "button"]),
    content=st.builds(Question, texts)
    | st.builds(Edit, texts)
    | st.builds(Duty, texts, arguments)
    | st.builds(Call, texts, arguments),
    attachments=st.lists(
        st.builds(Attachment, texts, st.integers(0), texts, texts, st.none() | st.binary(max_size=9)), max_size=2
    ).map(tuple),
    about=st.none() | texts,
    route=texts,
)


def shape(value):
    """The value with the type of every part, since 1 == True == Decimal(1)."""
    return repr(value)


@settings(deadline=None, max_examples=60)
@given(replies)
def test_replies_come_back_exactly(reply):
    back = serialization.reply_from_json(serialization.reply_to_json(reply))
    assert back == reply
    assert shape(back) == shape(reply)


def test_a_reply_of_the_version_before_offers_its_texts():
    """Its choices were texts; picking one asks it in words."""
    stored = '{"Reply":{"kind":"clarify","headline":"Which?","choices":["Tea","Coffee"]}}'
    assert serialization.reply_from_json(stored).choices == (Choice("Tea"), Choice("Coffee"))


@settings(deadline=None, max_examples=60)
@given(messages)
def test_messages_come_back_exactly(message):
    back = serialization.message_from_json(serialization.message_to_json(message))
    assert back == message
    assert shape(back) == shape(message)


@settings(deadline=None, max_examples=100)
@given(plain)
def test_plain_values_come_back_exactly(value):
    back = serialization.decode(serialization.encode((value,)), tuple)
    assert shape(back) == shape((value,))


@settings(deadline=None)
@given(conversations)
def test_conversations_have_one_string_each(conversation):
    assert ConversationKey.parse(str(conversation)) == conversation


def test_two_conversations_never_share_a_string():
    person = Person("p", "t", "u")
    assert str(ConversationKey("p", "a/b", "c", "", person)) != str(ConversationKey("p", "a", "b/c", "", person))


@pytest.mark.parametrize("text", ["", "a/b", "1/2/3/4/5/6/7/8", "%ff/2/3/4/5/6/7"])
def test_other_texts_are_no_conversations(text):
    with pytest.raises(UnreadableRecord):
        ConversationKey.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        "1",
        '{"Reply":1}',
        '{"Reply":{}}',
        '{"Reply":{"kind":"answer","headline":"x","unknown":1}}',
        '{"Person":{"platform":"a","team":"b","user":"c"}}',
        '{"Path":"/etc/passwd"}',
        '{"Decimal":"x"}',
        '{"bytes":"%%"}',
        '{"Audience":"everyone"}',
        '{"a":1,"b":2}',
        "[" * 100_000,
    ],
)
def test_damaged_or_foreign_records_are_refused(text):
    with pytest.raises(UnreadableRecord):
        serialization.reply_from_json(text)


@settings(deadline=None)
@given(st.text(), st.dictionaries(texts, plain, max_size=3))
def test_no_text_makes_the_reader_fail_otherwise(text, arguments):
    for candidate in (text, json.dumps({"Reply": text}), serialization.encode(arguments)):
        with pytest.raises(UnreadableRecord):
            serialization.reply_from_json(candidate)


def test_fields_added_later_take_their_defaults():
    assert serialization.reply_from_json('{"Reply":{"kind":"answer","headline":"x"}}') == Reply("answer", "x")


def test_types_without_a_stored_form_are_refused():
    with pytest.raises(TypeError):
        serialization.encode(Scope("tool", {"what": object()}))
    with pytest.raises(TypeError):
        serialization.encode({1: "a"})


def test_diagnostics_never_cost_an_answer():
    trace = {"rounds": 2, "seconds": 0.5, "error": ValueError("712.34"), 3: {"sent": {1, 2}}, "bad": float("nan")}
    reply = serialization.reply_from_json(serialization.reply_to_json(Reply("answer", "x", trace=trace)))
    assert reply.trace == {"rounds": 2, "seconds": 0.5, "error": "ValueError", "3": {"sent": "set"}, "bad": "nan"}


def test_stored_texts_are_ascii_so_that_any_database_keeps_them():
    text = serialization.message_to_json(
        Message(
            Person("p", "t", "u"),
            ConversationKey("p", "t", "c", "", Person("p", "t", "u")),
            "id\x00",
            "c",
            None,
            Audience.PRIVATE,
            datetime(2026, 1, 1, tzinfo=UTC),
            content=Question("ü\x00\ud800🙂"),
        )
    )
    assert text.isascii()
    assert "\x00" not in text


def test_money_is_text_on_the_wire():
    fact = Fact("f1", "total", Decimal("1234567890123456789.10"), "money", "EUR")
    assert '"1234567890123456789.10"' in serialization.encode(fact)
    assert serialization.encode(date(2026, 1, 2)) == '{"date":"2026-01-02"}'


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ({}, Question()),
        ({"text": "how much?"}, Question("how much?")),
        ({"text": "Summary of last month", "phrased": True}, Question("Summary of last month")),
        ({"call": {"Call": {"name": "spending-compare", "arguments": {"dict": {}}}}}, Call("spending-compare", {})),
        ({"call": {"Call": {"name": "choose", "arguments": {"dict": {"value": "2"}}}}}, Edit("2")),
        ({"call": {"Call": {"name": "receipt", "arguments": {"dict": {}}}}}, Duty("receipt")),
        (
            {"call": {"Call": {"name": "save-settings", "arguments": {"dict": {"payday": "25"}}}}},
            Duty("save-settings", {"payday": "25"}),
        ),
    ],
)
def test_a_message_that_an_earlier_version_stored_is_read_as_what_it_asked(said, content):
    person = Person("p", "t", "u")
    key = ConversationKey("p", "t", "c", "", person)
    message = Message(person, key, "id", "c", None, Audience.PRIVATE, datetime(2026, 1, 1, tzinfo=UTC), content)
    stored = json.loads(serialization.message_to_json(message))
    fields = {name: value for name, value in stored["Message"].items() if name != "content"}
    assert serialization.message_from_json(json.dumps({"Message": {**fields, **said}})) == message
