"""Calls written as tags, with a tag for each parameter: Qwen, Seed, MiniCPM, MiniMax M2, DeepSeek's DSML, Step, Kimi K3.

A call's tag may instead hold one JSON object, as Llama's does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from graph.text_calls.families import Family, Found
from graph.text_calls.thinking import ENDS_THINKING
from graph.text_calls.values import Fault, Scanner, read_typed
from tools.calls import Call

if TYPE_CHECKING:
    from graph.text_calls.families import Names, Source

NAMESPACE = r"(?:[|｜]\w{1,20}[|｜]\s?|\w{1,20}:)?"
_CALL_TAG = r"(?:function(?:_call)?|invoke|tool(?:_call)?|call)"
_CALL = (
    rf"<{NAMESPACE}{_CALL_TAG}(?:\s*=\s*|(?P<named>\s[^<>]{{0,100}}?\bname\s*=\s*))"
    r"[\"']?(?P<name>[^\"'<>\s]{1,200})[\"']?[^<>]{0,200}>"
    r"|<\|open\|>call\s+tool=\"(?P<tool>[^\"<]{1,200})\"[^<]{0,200}<\|sep\|>"
)
_PARAMETER = (
    rf"<(?P<kind>{NAMESPACE}param(?:eter)?)(?:\s*=\s*[\"']?(?P<key>[^\"'<>]{{1,200}}?)[\"']?\s*|(?P<attributes>\s[^<>]{{0,300}})?)>"
    r"|<\|open\|>argument(?P<more>[^<]{0,300})<\|sep\|>"
)
_PARAMETER_END = rf"(?P<parameter_end></{NAMESPACE}param(?:eter)?>|<\|close\|>argument<\|sep\|>)"
_CALL_END = rf"</{NAMESPACE}(?:{_CALL_TAG}|(?:tool_?|function_?)?calls?)>|<\|close\|>(?:call|tools)<\|sep\|>"

_CALL_OPENS = re.compile(_CALL, re.IGNORECASE)
_CALL_BOUND = re.compile(f"(?:{_CALL})|{_CALL_END}", re.IGNORECASE)
_PARAMETER_BOUND = re.compile(f"(?P<opens>{_PARAMETER})|{_PARAMETER_END}", re.IGNORECASE)
_BOUND = re.compile(f"(?P<opens>{_PARAMETER})|(?P<bound>{_CALL_BOUND.pattern})", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*[\"']([^\"']*)[\"']")
_CUT_TAG = re.compile(r"<[^<>]{0,40}(?:param|argument)[^<>]{0,300}$", re.IGNORECASE)
_UNREAD = re.compile(r"\s*[\[(\"']")  # arguments in a form of which nothing is known
_BLOCK = re.compile(r"\r?\n(.*?)(?:\r?\n[ \t]*)?", re.DOTALL)
_CDATA_OPENS = re.compile(r"\s*<!\[CDATA\[")
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*)\]\]>\s*", re.DOTALL)


def _read(source: Source, match: re.Match[str], names: Names) -> Found:
    """Read one call; it ends at its closing tag, at the next call, or, with a whole parameter read, with the text."""
    text = source.text
    name = names.resolve(match["name"] or match["tool"])
    pos = Scanner(text).skip(match.end())
    if text.startswith("{", pos):
        return _read_object(text, pos, name)
    typed = text.endswith(("<seed:tool_call>", "<seed:tool_call>\n"), 0, match.start())  # Seed types inline values too
    arguments: dict[str, Any] = {}
    whole = True
    pos = match.end()
    while bound := _BOUND.search(text, pos):
        if bound["bound"]:
            whole = whole and (pos > match.end() or not _UNREAD.match(text, pos, bound.start()))
            pos = _behind_call(bound)
            break
        end, pos = _value_end(source, bound)
        if end < 0:
            return Found((), pos)  # cut off inside a value
        key, attributes = _parameter(bound)
        if key is None:
            whole = whole and not match["named"]
        elif key in arguments:
            whole = False
        else:
            arguments[key] = _value(text[bound.end() : end], attributes, typed=typed)
    else:
        if not arguments or _CUT_TAG.search(text, max(pos, len(text) - 400)):
            return Found((), len(text))
    return _found(name if whole else None, arguments, pos)


def _found(name: str | None, arguments: dict[str, Any], end: int) -> Found:
    return Found([Call(name, arguments)] if name else (), end)


def _behind_call(bound: re.Match[str]) -> int:
    """Return where reading goes on: behind a call's own end, at the opening of the next one."""
    return bound.end() if bound["bound"].startswith(("</", "<|close")) else bound.start()


def _parameter(opens: re.Match[str]) -> tuple[str | None, dict[str, str]]:
    """Return a parameter's name, in the tag itself or among its attributes, and these."""
    attributes = dict(_ATTRIBUTE.findall(opens["attributes"] or opens["more"] or ""))
    return opens["key"] or attributes.get("name") or attributes.get("key"), attributes


def _read_object(text: str, pos: int, name: str | None) -> Found:
    try:
        arguments, end = Scanner(text).object(pos)
    except Fault as fault:
        return Found((), fault.at)
    return _found(name, arguments, end)


def _value_end(source: Source, opens: re.Match[str]) -> tuple[int, int]:
    """Return where a parameter's value ends and where reading goes on, or -1 where the text ends inside it.

    A value may speak of tags, so everything up to its own closing tag belongs to it; only where another parameter opens
    first, that tag was left out, and any tag ends the value. Where thinking ends inside it, it is none.
    """
    text, pos = source.text, opens.end()
    kind = opens["kind"]
    opener, closer = (f"<{kind}", f"</{kind}>") if kind else ("<|open|>argument", "<|close|>argument<|sep|>")
    if cdata := _CDATA_OPENS.match(text, pos):
        pos = max(source.find("]]>", cdata.end()), pos)
    own = source.find(closer, pos)
    if own >= 0 and not pos <= source.find(opener, pos) < own:
        return own, own + len(closer)
    bound = _PARAMETER_BOUND.search(text, pos)
    if bound and bound["parameter_end"]:
        return bound.start(), bound.end()
    limit = bound.start() if bound else len(text)
    call = _CALL_BOUND.search(text, pos, limit)
    end = call.start() if call else limit
    whole = (call or bound) and not ENDS_THINKING.search(text, pos, end)
    return (end, end) if whole else (-1, len(text))


def _value(written: str, attributes: dict[str, str], *, typed: bool) -> Any:
    """Return the value as its attributes say; without any, a value on lines of its own is typed, an inline one is text.

    Tags carry no types: the caller coerces to the tool's schema, whichever this is.
    """
    if cdata := _CDATA.fullmatch(written):
        return cdata[1]
    if "string" in attributes:
        return written if attributes["string"].lower() == "true" else read_typed(written)
    if "type" in attributes:
        return written if attributes["type"].lower() in {"string", "str"} else read_typed(written)
    if block := _BLOCK.fullmatch(written):
        return read_typed(block[1])
    return read_typed(written) if typed else written


FAMILY = Family("<", _CALL_OPENS, _read)
