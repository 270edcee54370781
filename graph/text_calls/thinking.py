"""Passages in which a model thinks aloud or makes up a result; nothing in them is a call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graph.text_calls.families import Family, Found
from graph.text_calls.values import Fault, Scanner
from tools.calls import Call

if TYPE_CHECKING:
    from graph.text_calls.families import Names, Source

WORDS = r"think(?:ing)?|thoughts?|reasoning|analysis|reflection|scratch_?pad|antThinking|in(?:ner|ternal)_(?:thoughts?|monologue)"
_TAG = rf"(?:\w{{1,20}}[:_])?(?:{WORDS})(?::\w{{1,20}})?"
#: How passages of thinking open and close where they are no plain tags.
_THOUGHTS = (
    (r"\[THINK\]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    (r"<\|START_THINKING\|>", "<|END_THINKING|>"),
    (r"<\|begin_of_thought\|>", "<|end_of_thought|>"),
    (r"<\|inner_prefix\|>", "<|inner_suffix|>"),
    (r"<\|think\|>", "<|end|>"),
    (r"<\|channel>\s*(?:thought|analysis)\b", "<channel|>"),
    (r"<\|open\|>think[^<]{0,100}<\|sep\|>", "<|close|>think<|sep|>"),
    (r"<unused94>", "<unused95>"),
)
#: The same for results: what a model makes up for a tool is not its answer.
_RESULTS = (
    (r"\[TOOL_RESULTS\]", "[/TOOL_RESULTS]"),
    ("<｜tool▁outputs▁begin｜>", "<｜tool▁outputs▁end｜>"),
    ("<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"),
    (r"<\|START_TOOL_RESULT\|>", "<|END_TOOL_RESULT|>"),
    (r"<\|tool_response>", "<tool_response|>"),
    ("<start_function_response>", "<end_function_response>"),
)
_PASSAGES = (*_THOUGHTS, *_RESULTS)
_OPENS = re.compile(
    rf"<(?P<tag>(?:{_TAG})|(?P<result>(?:tool|function)_(?:response|result|output)s?))(?:\s[^<>]{{0,100}})?>|"
    + "|".join(f"(?P<p{at}>{opens})" for at, (opens, _) in enumerate(_PASSAGES)),
    re.IGNORECASE,
)
#: A mark that ends thinking, wherever that began; ``<|end|>`` ends too much else.
ENDS_THINKING = re.compile(
    "|".join(
        [rf"</{_TAG}>", r"\[BEGIN FINAL RESPONSE\]"]
        + [re.escape(closes) for _, closes in _THOUGHTS if closes != "<|end|>"]
    ),
    re.IGNORECASE,
)
_MESSAGE = re.compile(r"<\|(?:start|channel)\|>(?:[^<]|<\|(?:channel|constrain)\|>){0,300}+<\|message\|>")
_RECIPIENT = re.compile(r"\bto=([^\s<|]{1,200})")
_RECIPIENT_BEFORE = re.compile(r"\bto=([^\s<|]{1,200})\s*$")
_TO_ITSELF = re.compile(r"self|assistant", re.IGNORECASE)
_LAST_CALL = re.compile(r"<\|call\|>(?!\s*<\|start\|>assistant[^<]{0,100}\bto=)")
_MESSAGE_END = re.compile(r"<\|(?:end|start|call|return|channel)\|>")


def skip_thought(text: str, pos: int, end: int) -> int:
    """Return where between the places a mark ends thinking, or ``end``."""
    ends = ENDS_THINKING.search(text, pos, end)
    return ends.start() if ends else end


def _read_passage(source: Source, match: re.Match[str], _names: Names) -> Found:
    """Skip to the closing mark; without one to the end, or from a result to the end of the thinking around it."""
    at = next((at for at in range(len(_PASSAGES)) if match[f"p{at}"]), None)
    closer = f"</{match['tag']}>" if at is None else _PASSAGES[at][1]
    end = source.find(closer, match.end())
    if end >= 0:
        return Found((), end + len(closer), thought=True)
    end = len(source.text)
    is_result = match["result"] or (at is not None and at >= len(_THOUGHTS))
    return Found((), skip_thought(source.text, match.end(), end) if is_result else end, thought=True)


def _read_orphan(_source: Source, match: re.Match[str], _names: Names) -> Found:
    """Take all before a closing mark that nothing opened for thinking."""
    return Found((), match.end(), thought=True, voids=True)


def _read_message(source: Source, match: re.Match[str], names: Names) -> Found:
    """Read a Harmony message: a call if it has a recipient, thinking if its channel is analysis, else plain text."""
    text = source.text
    before = text[max(0, match.start() - 210) : match.start()]
    recipient = _RECIPIENT.search(match[0]) or _RECIPIENT_BEFORE.search(before)
    if recipient:
        start = Scanner(text).skip(match.end())
        if _TO_ITSELF.fullmatch(recipient[1]):
            closes = _MESSAGE_END.search(text, match.end())
            return Found((), closes.start() if closes else len(text), thought=True)
        if text.startswith("<", start):  # tags, which name the tool again
            return Found((), match.end())
        try:
            arguments, end = Scanner(text).object(start)
        except Fault as fault:
            closes = _MESSAGE_END.search(text, match.end())
            return Found((), closes.start() if closes else max(fault.at, len(text)))
        name = names.resolve(recipient[1])
        if _LAST_CALL.match(text, end):  # the model stops here and waits; nothing after it is its own
            end = skip_thought(text, end, len(text))
        return Found([Call(name, arguments)] if name else (), end)
    if "analysis" not in match[0]:
        return Found((), match.end())
    closes = _MESSAGE_END.search(text, match.end())
    return Found((), closes.start() if closes else len(text), thought=True)


FAMILIES = (
    Family("<[◁", _OPENS, _read_passage, markup=False),
    Family("<[◁", ENDS_THINKING, _read_orphan, markup=False),
    Family("<", _MESSAGE, _read_message),
)
