"""Passages in which a model thinks aloud or makes up a result; nothing in them is a call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graph.text_calls.families import Family, Found
from graph.text_calls.values import Fault, Scanner
from tools.calls import Call

if TYPE_CHECKING:
    from graph.text_calls.families import Names, Source

_WORD = r"(?:\w{1,20}:)?(?:think(?:ing)?|thoughts?|reasoning|analysis|scratchpad)"
_RESULTS = r"(?:tool|function)_(?:response|result|output)s?"  # what a model makes up for a tool is not its answer
_OPENS = re.compile(
    rf"<(?P<tag>{_WORD}|{_RESULTS})(?:\s[^<>]{{0,100}})?>|(?P<bracket>\[THINK\])|(?P<sign>◁think▷)|(?P<token><\|START_THINKING\|>)|(?P<inner><\|inner_prefix\|>)|(?P<solar><\|think\|>)"
    r"|(?P<gemma><\|channel>\s*(?:thought|analysis)\b)|(?P<kimi><\|open\|>think[^<]{0,100}<\|sep\|>)",
    re.IGNORECASE,
)
_CLOSERS = {
    "bracket": "[/THINK]",
    "sign": "◁/think▷",
    "token": "<|END_THINKING|>",
    "inner": "<|inner_suffix|>",
    "solar": "<|end|>",
    "gemma": "<channel|>",
    "kimi": "<|close|>think<|sep|>",
}
_ORPHAN = re.compile(
    rf"</{_WORD}>|\[/THINK\]|◁/think▷|<\|END_THINKING\|>|<\|close\|>think<\|sep\|>|<channel\|>|<\|inner_suffix\|>",
    re.IGNORECASE,
)
_MESSAGE = re.compile(r"<\|(?:start|channel)\|>(?:[^<]|<\|(?:channel|constrain)\|>){0,300}+<\|message\|>")
_RECIPIENT = re.compile(r"\bto=([^\s<|]{1,200})")
_RECIPIENT_BEFORE = re.compile(r"\bto=([^\s<|]{1,200})\s*$")
_MESSAGE_END = re.compile(r"<\|(?:end|start|call|return|channel)\|>")


def _read_passage(source: Source, match: re.Match[str], _names: Names) -> Found:
    """Skip to the closing mark; without one, to the end."""
    kind = match.lastgroup or "tag"
    closer = _CLOSERS.get(kind) or f"</{match['tag']}>"
    end = source.find(closer, match.end())
    return Found((), len(source.text) if end < 0 else end + len(closer), thought=True)


def _read_orphan(_source: Source, match: re.Match[str], _names: Names) -> Found:
    """Take all before a closing mark that nothing opened for thinking."""
    return Found((), match.end(), thought=True, voids=True)


def _read_message(source: Source, match: re.Match[str], names: Names) -> Found:
    """Read a Harmony message: a call if it has a recipient, thinking if its channel is analysis, else plain text."""
    text = source.text
    before = text[max(0, match.start() - 210) : match.start()]
    recipient = _RECIPIENT.search(match[0]) or _RECIPIENT_BEFORE.search(before)
    if recipient:
        try:
            arguments, end = Scanner(text).object(Scanner(text).skip(match.end()))
        except Fault as fault:
            closes = _MESSAGE_END.search(text, match.end())
            return Found((), closes.start() if closes else max(fault.at, len(text)))
        name = names.resolve(recipient[1])
        if text.startswith("<|call|>", end):  # the model stops here and waits; nothing after it is its own
            end = len(text)
        return Found([Call(name, arguments)] if name else (), end)
    if "analysis" not in match[0]:
        return Found((), match.end())
    closes = _MESSAGE_END.search(text, match.end())
    return Found((), closes.start() if closes else len(text), thought=True)


FAMILIES = (
    Family("<[◁", _OPENS, _read_passage, markup=False),
    Family("<[◁", _ORPHAN, _read_orphan, markup=False),
    Family("<", _MESSAGE, _read_message),
)
