"""What comes from Slack: every kind of body as Slack documents it, and every kind of damage to it."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bots.contracts import Attachment, Duty, Message, Question
from bots.slack_app.bodies import Opened, Pressed, Submitted, Suggesting, Surroundings
from bots.slack_app.buttons import FEEDBACK, block_id
from bots.slack_app.inbound import read
from bots.slack_app.interactions import EXPLAIN, note
from graph.reply import Audience
from ledger.people import Person

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
HERE = Surroundings("T0HOME", "U0BOT", "B0BOT", lambda: NOW, enterprise="E0HOME")
ALICE = Person("slack", "T0HOME", "U0ALICE")
HOOK = "https://hooks.slack.com/actions/T0HOME/1/abc"
ABOUT = "0123456789abcdef01234567"
FOREIGN = "T0OTHER"

Body = dict[str, Any]


def event(kind: str, **fields: Any) -> Body:
    return {
        "token": "unused",
        "team_id": "T0HOME",
        "context_team_id": "T0HOME",
        "context_enterprise_id": None,
        "api_app_id": "A0MONEY",
        "event": {"type": kind, "user": "U0ALICE", "event_ts": "1763726400.000100", **fields},
        "type": "event_callback",
        "event_id": "Ev0123",
        "event_time": 1763726400,
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": "T0HOME",
                "user_id": "U0BOT",
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
        "event_context": "4-abc",
    }


def direct(text: str = "How much on coffee?", **fields: Any) -> Body:
    said = {"text": text, "ts": "1763726400.000100", "channel": "D0ALICE", "channel_type": "im", "team": "T0HOME"}
    return event("message", **{**said, "client_msg_id": "3e1c", "blocks": [], **fields})


def mention(text: str = "<@U0BOT> How much on coffee?", **fields: Any) -> Body:
    said = {"text": text, "ts": "1763726400.000100", "channel": "C0TEAM", "team": "T0HOME", "blocks": []}
    return event("app_mention", **{**said, **fields})


def slash(text: str = "how much on coffee?", **fields: Any) -> Body:
    return {
        "token": "unused",
        "team_id": "T0HOME",
        "team_domain": "home",
        "channel_id": "C0TEAM",
        "channel_name": "team",
        "user_id": "U0ALICE",
        "user_name": "alice",
        "command": "/money",
        "text": text,
        "api_app_id": "A0MONEY",
        "is_enterprise_install": "false",
        "response_url": "https://hooks.slack.com/commands/T0HOME/1/abc",
        "trigger_id": "13345224609.738474920.8088930838d88f008e0",
        **fields,
    }


def interaction(kind: str, **fields: Any) -> Body:
    return {
        "type": kind,
        "user": {"id": "U0ALICE", "username": "alice", "name": "alice", "team_id": "T0HOME"},
        "api_app_id": "A0MONEY",
        "token": "unused",
        "team": {"id": "T0HOME", "domain": "home"},
        "enterprise": None,
        "is_enterprise_install": False,
        "trigger_id": "13345224609.738474920.8088930838d88f008e0",
        **fields,
    }


def press(
    action: str, value: str = "", channel: str = "D0ALICE", thread: str = "1763726300.000100", **fields: Any
) -> Body:
    ephemeral = fields.pop("ephemeral", False)
    element = {
        "action_id": f"mm:0:{action}",
        "block_id": block_id(ABOUT, thread, 1),
        "text": {"type": "plain_text", "text": "September?", "emoji": False},
        "value": value,
        "type": "button",
        "action_ts": "1763726410.123456",
    }
    container = {"type": "message", "message_ts": "1763726405.000200", "channel_id": channel, "is_ephemeral": ephemeral}
    message = {
        "message": {"type": "message", "ts": "1763726405.000200", "user": "U0BOT", "bot_id": "B0BOT", "blocks": []}
    }
    fields = {
        "actions": [element],
        "state": {"values": {}},
        "response_url": HOOK,
        **({} if ephemeral else message),
        **fields,
    }
    return interaction("block_actions", container=container, channel={"id": channel, "name": "directmessage"}, **fields)


def home_press(action: str, value: str = "") -> Body:
    body = press(action, value)
    for gone in ("channel", "message", "response_url"):
        del body[gone]
    view = {
        "id": "V0HOME",
        "team_id": "T0HOME",
        "type": "home",
        "private_metadata": "",
        "callback_id": "",
        "hash": "1.a",
    }
    view |= {"app_installed_team_id": "T0HOME", "bot_id": "B0BOT"}
    return {**body, "container": {"type": "view", "view_id": "V0HOME"}, "view": view}


def shortcut(message: Body, channel: str = "C0TEAM") -> Body:
    fields = {
        "callback_id": EXPLAIN,
        "message_ts": "1763726000.000100",
        "action_ts": "1763726410.1",
        "response_url": HOOK,
    }
    source = {"type": "message", "ts": "1763726000.000100", **message}
    body = interaction("message_action", channel={"id": channel, "name": "team"}, message=source, **fields)
    del body["api_app_id"]  # as Slack sends it
    return body


def submission(callback_id: str = "settings", metadata: str = "", **values: Body) -> Body:
    view = {
        "id": "V0MODAL",
        "team_id": "T0HOME",
        "type": "modal",
        "callback_id": callback_id,
        "private_metadata": metadata,
        "state": {"values": {block: {"input": state} for block, state in values.items()}},
        "hash": "156772938.1827394",
        "app_installed_team_id": "T0HOME",
    }
    return interaction("view_submission", view=view, response_urls=[])


def suggestion(typed: str = "cof") -> Body:
    container = {"type": "view", "view_id": "V0MODAL"}
    return interaction(
        "block_suggestion",
        action_id="category",
        block_id="category",
        value=typed,
        container=container,
        view={"id": "V0MODAL"},
    )


def said(body: Body, here: Surroundings = HERE) -> Message:
    message = read(body, here)
    assert isinstance(message, Message)
    return message


CSV = {
    "id": "F0CSV",
    "name": "bank.csv",
    "title": "bank.csv",
    "mimetype": "text/csv",
    "filetype": "csv",
    "size": 1234,
    "mode": "snippet",
    "is_external": False,
    "url_private_download": "https://files.slack.com/files-pri/T0HOME-F0CSV/download/bank.csv",
}

VALID: dict[str, Body] = {
    "direct": direct(thread_ts="1763726300.000100", user_team="T0HOME", source_team="T0HOME"),
    "file": direct("here", subtype="file_share", files=[CSV, {**CSV, "id": "F1"}]),
    "mention": mention(thread_ts="1763726300.000100"),
    "opened": event("app_home_opened", channel="D0ALICE", tab="home"),
    "stopped": event(
        "agent_session_stopped",
        channel="D0ALICE",
        thread_ts="1763726300.000100",
        streaming_message_ts=["1763726301.000100"],
    ),
    "slash": slash(),
    "press": press("ask", "And in September?"),
    "home": home_press("ask", "How much this month?"),
    "modal": press("settings"),
    "shortcut": shortcut(
        {"text": "", "attachments": [{"fallback": "x", "fields": [{"title": "Amount", "value": "12.50"}]}]}
    ),
    "submission": submission(zone={"type": "plain_text_input", "value": "UTC"}),
    "suggestion": suggestion(),
}


# --- Direct messages


def test_a_direct_message_is_a_conversation_of_its_own():
    message = said(direct())
    assert message.person == message.conversation.person == ALICE
    assert str(message.conversation) == "slack/T0HOME/D0ALICE/1763726400.000100/slack/T0HOME/U0ALICE"
    assert (message.channel, message.ts, message.delivery_id) == ("D0ALICE", "1763726400.000100", "event:Ev0123")
    assert (message.kind, message.content, message.route) == ("text", Question("How much on coffee?"), "")
    assert message.audience is Audience.PRIVATE
    assert message.received_at == NOW


def test_a_reply_in_a_thread_belongs_to_the_conversation_of_the_thread():
    assert said(direct(thread_ts="1763726300.000100")).conversation.thread == "1763726300.000100"
    assert said(direct(thread_ts="1763726300.000100", subtype="thread_broadcast")).text == "How much on coffee?"


@pytest.mark.parametrize(
    "fields",
    [
        {"subtype": "message_changed", "hidden": True},
        {"subtype": "message_deleted", "hidden": True},
        {"subtype": "bot_message"},
        {"subtype": "channel_join"},
        {"subtype": "a_new_one"},
        {"bot_id": "B0OTHER"},
        {"user": "U0BOT"},
        {"user": "USLACKBOT"},
        {"hidden": True},
        {"edited": {"user": "U0ALICE", "ts": "1763726401.000000"}},
    ],
)
def test_edits_deletions_bots_and_our_own_posts_are_not_for_us(fields):
    assert read(direct(**fields), HERE) is None
    assert read(mention(**fields), HERE) is None


@pytest.mark.parametrize("kind", ["channel", "group", "mpim", "app_home", "", None])
def test_what_people_say_to_each_other_is_not_for_us(kind):
    assert read(direct(channel="C0TEAM", channel_type=kind), HERE) is None


def test_a_direct_message_in_what_is_no_direct_message_is_doubted():
    assert said(direct(channel="C0TEAM")).audience is Audience.SHARED


def test_an_empty_message_is_answered_with_help():
    assert said(direct("", attachments=[{"text": "forwarded"}])).content == Duty("help")


# --- Mentions


def test_a_mention_belongs_to_the_persons_conversation_in_the_channel():
    message = said(mention())
    assert (message.conversation.channel, message.conversation.thread) == ("C0TEAM", "")
    assert (message.content, message.audience) == (Question("How much on coffee?"), Audience.PRIVATE)
    assert said(mention(thread_ts="1763726300.000100")).conversation.thread == "1763726300.000100"


@pytest.mark.parametrize("channel", ["C0TEAM", "G0GROUP"])
def test_a_mention_is_answered_privately_in_every_kind_of_channel(channel):
    assert said(mention(channel=channel)).audience is Audience.PRIVATE


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<@U0BOT> rent", "rent"),
        ("<@U0BOT|money>, rent?", "rent?"),
        ("rent, <@U0BOT>", "rent"),
        ("hey <@U0BOT>: rent", "hey rent"),
        ("<@U0BOT> <@U0BOT> rent", "rent"),
        ("<@U0BOT>rent <@U0BOB|bob>", "rent @bob"),
    ],
)
def test_our_name_is_no_part_of_the_question(text, wanted):
    assert said(mention(text)).text == wanted
    assert said(direct(text)).text == wanted


def test_a_bare_mention_asks_for_help():
    message = said(mention(" <@U0BOT> "))
    assert (message.kind, message.content) == ("text", Duty("help"))


def test_a_mention_and_its_plain_twin_are_read_once():
    twin = {**direct(channel="C0TEAM", channel_type="channel"), "event_id": "Ev9999"}
    assert read(twin, HERE) is None
    message = said(mention())
    assert (message.channel, message.ts) == (twin["event"]["channel"], twin["event"]["ts"])
    assert read(mention(channel="D0ALICE"), HERE) is None, "a direct message comes as a message"


# --- What a person saw


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a &lt;b&gt; &amp; c", "a <b> & c"),
        ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
        ("&lt;@U0BOT&gt;", "<@U0BOT>"),
        ("<@U0BOB|bob> <@U0BOB> <@W0BOB|@bob>", "@bob @U0BOB @bob"),
        ("<#C0TEAM|team> <#C0TEAM|> <#C0TEAM>", "#team #C0TEAM #C0TEAM"),
        (
            "<!here> <!channel|@channel> <!subteam^S0X|@crew> <!date^1392734382^{date}|18 Feb>",
            "@here @channel @crew 18 Feb",
        ),
        (
            "at <http://amazon.com|amazon.com> or <https://a.example/?x=1&amp;y=2>",
            "at amazon.com or https://a.example/?x=1&y=2",
        ),
        ("<mailto:bob@a.example|bob@a.example> <mailto:bob@a.example>", "bob@a.example bob@a.example"),
        ("“smart” isn’t – changed", "“smart” isn’t – changed"),
        ("under < 50 and > 20", "under < 50 and > 20"),
        ("two\nlines", "two\nlines"),
        ("null\x00, half\ud800, \u202eturned", "null, half, turned"),
    ],
)
def test_text_is_what_the_person_saw(text, wanted):
    assert said(direct(text)).text == wanted


def test_of_a_long_text_the_first_part_is_read():
    assert said(direct("a" * 4000)).text == "a" * 4000
    assert said(direct("a" * 4001)).text == "a" * 4000
    assert said(direct("&amp;" * 4001)).text == "&" * 4000


# --- Files


def test_files_come_with_their_text():
    message = said(direct("my <https://bank.example|bank>", subtype="file_share", files=[CSV]))
    assert (message.kind, message.content) == ("file", Question("my bank"))
    assert message.attachments == (Attachment("bank.csv", 1234, "text/csv", "F0CSV"),)
    dropped = said(mention("<@U0BOT>", files=[CSV]))
    assert (dropped.kind, dropped.content, dropped.audience) == ("file", Question(), Audience.PRIVATE)


@pytest.mark.parametrize(
    "gone",
    [{"mode": "external"}, {"is_external": True}, {"mode": "tombstone"}, {"mode": "hidden_by_limit"}, {"id": None}],
)
def test_files_that_slack_does_not_hold_are_left_out(gone):
    message = said(direct("rent", subtype="file_share", files=[{**CSV, **gone}]))
    assert (message.kind, message.text, message.attachments) == ("text", "rent", ())
    both = said(direct("", subtype="file_share", files=[{**CSV, **gone}, CSV]))
    assert [each.reference for each in both.attachments] == ["F0CSV"]


def test_at_most_ten_files_are_read_and_missing_details_are_no_harm():
    files = [{"id": f"F{n}", "mode": "hosted"} for n in range(11)]
    attachments = said(direct("", subtype="file_share", files=files)).attachments
    assert [each.reference for each in attachments] == [f"F{n}" for n in range(10)]
    assert attachments[0] == Attachment("file", 0, "application/octet-stream", "F0")


# --- Commands and shortcuts


def test_a_slash_command_is_read_by_its_words():
    message = said(slash("how much on coffee?"))
    assert (message.kind, message.text, message.ts) == ("command", "how much on coffee?", None)
    assert (message.conversation.channel, message.conversation.thread) == ("C0TEAM", "")
    assert message.delivery_id == "trigger:13345224609.738474920.8088930838d88f008e0"
    assert message.route == "https://hooks.slack.com/commands/T0HOME/1/abc"
    assert message.audience is Audience.PRIVATE
    assert said(slash("")).content == Duty("help")
    assert said(slash("export", channel_id="D0ALICE", channel_name="directmessage")).content == Duty("export")


def test_a_shortcut_asks_about_everything_that_can_be_read_in_a_message():
    """A bank's bot: "Card used", a section with fields and a button, an attachment that says it again."""
    fields = [{"type": "mrkdwn", "text": "*Shop* <http://rewe.de|REWE>"}, {"type": "mrkdwn", "text": "12"}]
    button = {"type": "button", "text": {"type": "plain_text", "text": "Block my card"}, "value": "x", "action_id": "y"}
    blocks = [
        {
            "type": "rich_text",
            "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "Card used"}]}],
        },
        {"type": "section", "text": {"type": "mrkdwn", "text": "Ref 4123 &amp; more"}, "fields": fields},
        {"type": "actions", "elements": [button]},
    ]
    attachments = [
        {"fallback": "no", "pretext": "*Card used*", "title": "Amount", "fields": [{"title": "EUR", "value": "12.50"}]}
    ]
    message = said(shortcut({"text": "*Card used*", "bot_id": "B0BANK", "blocks": blocks, "attachments": attachments}))
    assert message.content == Duty(
        "charge", {"text": "*Card used*\nRef 4123 & more\n*Shop* REWE\n12\nAmount\nEUR\n12.50"}
    )
    assert (message.kind, message.text, message.about, message.route) == ("command", "", None, HOOK)
    assert (message.conversation.channel, message.conversation.thread, message.ts) == ("C0TEAM", "", None)


def test_a_shortcut_in_direct_messages_belongs_to_the_thread_of_its_message():
    assert said(shortcut({"text": "x"}, channel="D0ALICE")).conversation.thread == "1763726000.000100"
    threaded = {"text": "x", "thread_ts": "1763725000.000100"}
    assert said(shortcut(threaded, channel="D0ALICE")).conversation.thread == "1763725000.000100"
    assert said(shortcut(threaded)).conversation.thread == "1763725000.000100"


def test_rich_text_is_read_where_there_is_no_other():
    line = {
        "type": "rich_text_section",
        "elements": [{"type": "text", "text": "Paid "}, {"type": "link", "url": "https://a.b"}],
    }
    message = said(shortcut({"user": "U0BOB", "blocks": [{"type": "rich_text", "elements": [line]}]}))
    assert message.content == Duty("charge", {"text": "Paid https://a.b"})


def test_a_shortcut_on_our_own_answer_asks_for_its_receipt():
    blocks = [
        {"type": "section", "block_id": "zzz"},
        {"type": "actions", "block_id": block_id(ABOUT, "1763726300.000100", 0)},
    ]
    message = said(shortcut({"text": "$5", "user": "U0BOT", "bot_id": "B0BOT", "blocks": blocks}, channel="D0ALICE"))
    assert (message.content, message.about) == (Duty("receipt"), ABOUT)
    assert message.conversation.thread == "1763726300.000100"
    forged = said(shortcut({"text": "$5", "user": "U0EVE", "bot_id": "B0EVE", "blocks": blocks}))
    assert (forged.content, forged.about) == (Duty("charge", {"text": "$5"}), None)


def test_other_shortcuts_are_not_ours():
    assert read({**VALID["shortcut"], "callback_id": "other"}, HERE) is None


# --- Presses


def test_a_press_asks_in_the_conversation_of_its_answer():
    message = said(press("ask", "And in September?"))
    assert (message.kind, message.content) == ("button", Question("And in September?"))
    assert (message.about, message.ts, message.route) == (ABOUT, None, "")
    assert str(message.conversation) == "slack/T0HOME/D0ALICE/1763726300.000100/slack/T0HOME/U0ALICE"
    assert message.delivery_id == "trigger:13345224609.738474920.8088930838d88f008e0:1763726410.123456"


def test_a_press_in_a_channel_is_answered_at_its_url():
    message = said(press("receipt", channel="C0TEAM", thread="", ephemeral=True))
    assert (message.content, message.about, message.route) == (Duty("receipt"), ABOUT, HOOK)
    assert (message.conversation.channel, message.conversation.thread) == ("C0TEAM", "")
    assert message.audience is Audience.PRIVATE
    assert said(press("share", channel="C0TEAM")).route == HOOK
    assert said(press("receipt", ephemeral=True)).route == HOOK


def test_without_an_id_of_ours_the_thread_is_that_of_the_message():
    body = press("receipt")
    body["actions"][0]["block_id"] = "abc"
    assert said(body).about is None
    assert said(body).conversation.thread == "1763726405.000200"
    body["container"]["thread_ts"] = "1763726200.000100"
    assert said(body).conversation.thread == "1763726200.000100"
    in_channel = press("receipt", channel="C0TEAM", ephemeral=True)
    in_channel["actions"][0]["block_id"] = "abc"
    assert said(in_channel).conversation.thread == ""


def test_feedback_says_right_or_wrong_and_nothing_else():
    body = press("receipt")
    body["actions"] = [{**body["actions"][0], "type": "feedback_buttons", "action_id": FEEDBACK, "value": "wrong"}]
    assert said(body).content == Duty("feedback", {"value": "wrong"})
    body["actions"][0]["value"] = "rubbish"
    assert read(body, HERE) is None


@pytest.mark.parametrize("what", ["settings", "categories"])
def test_some_presses_open_a_modal(what):
    found = read(press(what), HERE)
    assert isinstance(found, Pressed)
    assert (found.person, found.trigger_id, found.what) == (ALICE, "13345224609.738474920.8088930838d88f008e0", what)
    assert found.message == dataclasses.replace(said(press("receipt")), content=Duty(what))


def test_a_press_on_the_home_page_is_answered_in_the_direct_messages():
    message = said(home_press("forget", "everything"))
    assert (message.content, message.audience) == (Duty("forget", {"value": "everything"}), Audience.PRIVATE)
    assert (message.channel, message.conversation.channel, message.conversation.thread) == ("U0ALICE", "U0ALICE", "")
    assert (message.about, message.route) == (None, "")


def test_buttons_that_are_not_ours_do_nothing():
    body = press("receipt")
    body["actions"][0]["action_id"] = "approve"
    assert read(body, HERE) is None
    assert read(press("drop_tables"), HERE) is None


# --- Modals and the rest


def test_a_modal_says_what_stands_in_each_block():
    option = {"text": {"type": "plain_text", "text": "Monday"}, "value": "0"}
    found = read(
        submission(
            zone={"type": "plain_text_input", "value": "Europe/Berlin"},
            week={"type": "static_select", "selected_option": option},
            category={"type": "external_select", "selected_option": {**option, "value": "groceries"}},
            payday={"type": "datepicker", "selected_date": "2026-11-25"},
            off={"type": "checkboxes", "selected_options": [option, {**option, "value": "1"}]},
            empty={"type": "plain_text_input", "value": None},
            unset={"type": "static_select", "selected_option": None},
        ),
        HERE,
    )
    assert isinstance(found, Submitted)
    assert (found.person, found.callback_id) == (ALICE, "settings")
    assert found.values == {
        "zone": "Europe/Berlin",
        "week": "0",
        "category": "groceries",
        "payday": "2026-11-25",
        "off": ("0", "1"),
        "empty": "",
        "unset": "",
    }
    assert found.message.delivery_id == "view:V0MODAL:156772938.1827394"
    assert (found.message.kind, found.message.content, found.message.channel) == ("button", Duty("settings"), "U0ALICE")


@pytest.mark.parametrize(
    "body", [press("categories"), press("categories", channel="C0TEAM", ephemeral=True), home_press("settings")]
)
def test_a_modal_finds_back_to_where_it_was_opened(body):
    opened = read(body, HERE)
    assert isinstance(opened, Pressed)
    found = read(submission("categories", note(opened.message)), HERE)
    assert isinstance(found, Submitted)
    kept = ("person", "conversation", "channel", "audience", "about", "route", "kind", "ts")
    assert {name: getattr(found.message, name) for name in kept} == {
        name: getattr(opened.message, name) for name in kept
    }


def test_a_modal_of_someone_else_leads_nowhere():
    opened = read(press("categories"), HERE)
    assert isinstance(opened, Pressed)
    body = submission("categories", note(opened.message))
    body["user"]["id"] = "U0BOB"
    found = read(body, HERE)
    assert isinstance(found, Submitted)
    assert (found.person.user, found.message.channel, found.message.about) == ("U0BOB", "U0BOB", None)


def test_a_noted_url_is_checked_again():
    origin = json.loads(note(said(press("receipt", channel="C0TEAM"))))
    found = read(submission("settings", json.dumps({**origin, "route": "https://evil.example/"})), HERE)
    assert isinstance(found, Submitted)
    assert (found.message.channel, found.message.route) == ("C0TEAM", "")


@pytest.mark.parametrize("metadata", ["{", "[]", '{"conversation": 5}', '{"conversation": "slack/a"}', "[" * 3000])
def test_a_note_that_is_not_ours_is_no_note(metadata):
    found = read(submission("settings", metadata), HERE)
    assert isinstance(found, Submitted)
    assert found.message.channel == "U0ALICE"


def test_other_modals_are_not_ours():
    assert read(submission("other"), HERE) is None


def test_what_a_person_types_into_a_select():
    assert read(suggestion(" cof"), HERE) == Suggesting(ALICE, "category", "cof")


@pytest.mark.parametrize("tab", ["home", "messages"])
def test_opening_the_app(tab):
    assert read(event("app_home_opened", channel="D0ALICE", tab=tab), HERE) == Opened(ALICE, "D0ALICE", tab)


def test_the_stop_button_stops_its_conversation():
    message = said(VALID["stopped"])
    assert message.kind == "stop"
    assert message.conversation == said(direct(thread_ts="1763726300.000100")).conversation
    assert read(event("agent_session_stopped", channel="C0TEAM", thread_ts="1763726300.000100"), HERE) is None


@pytest.mark.parametrize("kind", ["reaction_added", "app_uninstalled", "", "message.im"])
def test_other_events_are_acknowledged_and_forgotten(kind):
    assert read(event(kind, channel="D0ALICE"), HERE) is None
    assert read({"type": kind}, HERE) is None


# --- Whom it is for, and who reads along


@pytest.mark.parametrize("name", VALID)
def test_the_valid_bodies_are_read(name):
    assert read(VALID[name], HERE) is not None


@pytest.mark.parametrize("name", VALID)
def test_a_second_delivery_is_known_by_its_id(name):
    first, second = read(VALID[name], HERE), read(copy.deepcopy(VALID[name]), HERE)
    assert first == second


@pytest.mark.parametrize("name", VALID)
def test_another_team_is_not_ours(name):
    assert read(VALID[name], dataclasses.replace(HERE, team=FOREIGN)) is None


@pytest.mark.parametrize("authorizations", [None, [], [{"team_id": None, "is_enterprise_install": True}]])
def test_the_team_of_an_event_is_that_of_its_installation_if_it_names_one(authorizations):
    assert said({**direct(), "authorizations": authorizations}).audience is Audience.PRIVATE
    assert read({**direct(), "authorizations": authorizations, "team_id": FOREIGN}, HERE) is None
    assert read({**direct(), "authorizations": [{"team_id": FOREIGN}]}, HERE) is None


@pytest.mark.parametrize("team", [None, {"id": FOREIGN}])
def test_the_team_of_a_modal_is_that_of_its_installation(team):
    found = read({**submission(), "team": team}, HERE)
    assert isinstance(found, Submitted)
    assert found.message.audience is (Audience.SHARED if team else Audience.PRIVATE)


def shared_with_others() -> Iterator[Body]:
    yield {**mention(), "is_ext_shared_channel": True}
    yield {**mention(), "is_ext_shared_channel": "maybe"}
    yield {**mention(), "team_id": FOREIGN}
    yield {**mention(), "context_team_id": FOREIGN}
    yield mention(user_team=FOREIGN)
    yield mention(team=FOREIGN)
    yield mention(team=["T0HOME"])
    yield mention(source_team=FOREIGN)
    yield mention(channel="X0NEW")
    yield mention(channel_type="im")
    yield {**direct(), "is_ext_shared_channel": True}
    yield direct(user_team=FOREIGN)
    yield slash(channel_id="X0NEW")
    yield press("receipt", channel="X0NEW")
    for channel in ("D0ALICE", "C0TEAM"):
        for body in (press("receipt", channel=channel), shortcut({"text": "x"}, channel)):
            body["user"]["team_id"] = FOREIGN
            yield body
    home = home_press("receipt")
    home["user"]["team_id"] = FOREIGN
    yield home


@pytest.mark.parametrize("body", list(shared_with_others()))
def test_where_others_may_read_along_the_audience_is_shared(body):
    assert said(body).audience is Audience.SHARED


def test_a_stranger_is_nobody_of_ours():
    assert said(mention(user_team=FOREIGN, team=FOREIGN)).person == Person("slack", FOREIGN, "U0ALICE")
    body = submission()
    body["user"]["team_id"] = FOREIGN
    found = read(body, HERE)
    assert isinstance(found, Submitted)
    assert found.person.team == FOREIGN
    assert found.message.audience is Audience.SHARED


def test_our_own_organisation_is_no_stranger():
    message = said(mention(user_team="E0HOME"))
    assert (message.person, message.audience) == (ALICE, Audience.PRIVATE)
    assert said(mention(user_team="E0OTHER")).audience is Audience.SHARED


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.slack.com/x",
        "https://hooks.slack.com.evil.example/x",
        "https://hooks.slack.com@evil.example/x",
        "https://evil@hooks.slack.com/x",
        "https://evil.example\\@hooks.slack.com/x",
        "https://hooks.slack.com:8443/x",
        "https://hooks.slack.com:x/x",
        "https://hooks.slack.com/x\n",
        "https://[hooks.slack.com/x",
        "//hooks.slack.com/x",
        "https://hooks.slack.com/" + "x" * 500,
        "",
        None,
        5,
    ],
)
def test_answers_go_to_slack_only(url):
    assert said(slash(response_url=url)).route == ""


def test_answers_may_go_to_where_the_api_is():
    local = dataclasses.replace(HERE, api_url="http://127.0.0.1:8080/api/")
    assert said(slash(response_url="http://127.0.0.1:8080/hooks/1"), local).route == "http://127.0.0.1:8080/hooks/1"
    assert said(slash(response_url="https://hooks.slack.com:443/1"), local).route == "https://hooks.slack.com:443/1"
    for other in ("http://127.0.0.1:8081/hooks/1", "https://127.0.0.1:8080/hooks/1", "http://127.0.0.1/"):
        assert said(slash(response_url=other), local).route == ""


# --- Damage


def places(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def put(body: Body, path: tuple[Any, ...], value: Any, *, delete: bool) -> None:
    part: Any = body
    for key in path[:-1]:
        part = part[key]
    if delete:
        del part[path[-1]]
    else:
        part[path[-1]] = value


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from(["U0BOT", "D1", "1.1", "/" * 9]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "type", "text", "value"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.data())
def test_damaged_bodies_never_raise(data):
    body = copy.deepcopy(VALID[data.draw(st.sampled_from(sorted(VALID)))])
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(places(body))))
        put(body, path, data.draw(JSON), delete=data.draw(st.booleans()))
    found = read(body, HERE)
    message = found if isinstance(found, Message) else getattr(found, "message", None)
    if message is not None:
        assert message.person.platform == "slack"
        assert message.person == message.conversation.person
        assert message.conversation.parse(str(message.conversation)) == message.conversation
        assert len(message.text) <= 4000
        assert message.text.encode().decode() == message.text


@pytest.mark.parametrize("name", VALID)
def test_without_a_person_or_their_team_nothing_is_read(name):
    body = copy.deepcopy(VALID[name])
    where = body.get("event", body)
    where.pop("user_id" if "user_id" in where else "user")
    assert read(body, HERE) is None


def test_what_is_not_read_is_logged_without_what_was_said():
    with capture_logs() as logs:
        assert read(direct("rent 712.34", ts="712.34 rent"), HERE) is None
        assert read(direct("rent 712.34"), dataclasses.replace(HERE, team="T0ELSE")) is None
    assert [(line["event"], line["kind"]) for line in logs] == [
        ("slack_body_unreadable", "event_callback"),
        ("slack_body_of_others", "event_callback"),
    ]
    assert "712" not in str(logs)


@given(JSON)
def test_what_is_no_body_is_nothing(body):
    assert read(body, HERE) is None


@given(st.text())
def test_every_text_can_be_said(text):
    assert said(direct(text)).text.encode().decode() == said(direct(text)).text
    assert said(slash(text)).kind == "command"
