"""Text from data is text on Slack, whatever it tries."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.cleaning import clean
from bots.slack_app.wording import escape


def test_each_sign_is_escaped_once_and_the_ampersand_first():
    assert escape("A & B <c> &lt;") == "A &amp; B &lt;c&gt; &amp;lt;"


@pytest.mark.parametrize(
    "memo", ["<!channel>", "<@U012>", "<https://evil.example|your bank>", "&lt;!here&gt;", "<!subteam^S1>"]
)
def test_no_control_sequence_survives(memo):
    assert "<" not in escape(memo)
    assert html.unescape(escape(memo)) == memo


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x00b\x1b[31mc\x7f\x85", "ab[31mc"),
        ("a\tb\x0bc\u2028d", "a b c d"),
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("\u202egnp.exe\u2069 \u200ex\u061c", "gnp.exe x"),
        ("a\ud800b", "ab"),
        ("1\u202f234,56\u00a0€ 👩\u200d👩", "1\u202f234,56\u00a0€ 👩\u200d👩"),
    ],
)
def test_what_cannot_be_seen_or_turns_text_around_is_dropped(text, expected):
    assert clean(text) == expected


@given(st.text())
def test_escaped_text_reads_as_the_clean_text_and_is_utf_8(text):
    assert not set("<>") & set(escape(text))
    assert escape(text).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == clean(text)
    assert clean(text).encode().decode() == clean(clean(text))
