"""Calls written as tags: a tag for each parameter (Qwen, Seed, MiniCPM, DeepSeek's DSML, Step, Kimi K3, GLM).

A tag may instead hold one JSON object (Llama), and ``<tool_call>`` and its like hold objects, Python or GLM's pairs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from graph.text_calls.families import Family, Found
from graph.text_calls.objects import read_enveloped
from graph.text_calls.python_calls import read_calls
from graph.text_calls.values import Fault, Scanner, read_typed
from tools.calls import Call

if TYPE_CHECKING:
    from graph.text_calls.families import Names, Source

_SPACE_NAME = r"(?:[|｜]DSML[|｜]\s?|\w{1,20}:)?"
_CALL_TAG = r"(?:function|invoke|tool|call)"
_CALL = (
    rf"<{_SPACE_NAME}{_CALL_TAG}(?:\s*=\s*|(?P<named>\s[^<>]{{0,100}}?\bname\s*=\s*))"
    r"[\"']?(?P<name>[^\"'<>\s]{1,200})[\"']?[^<>]{0,200}>"
    r"|<\|open\|>call\s+tool=\"(?P<tool>[^\"<]{1,200})\"[^<]{0,200}<\|sep\|>"
)
_PARAMETER = (
    rf"<{_SPACE_NAME}param(?:eter)?(?:\s*=\s*[\"']?(?P<key>[^\"'<>]{{1,200}}?)[\"']?\s*|(?P<attributes>\s[^<>]{{0,300}})?)>"
    r"|<\|open\|>argument(?P<more>[^<]{0,300})<\|sep\|>"
)
_PARAMETER_END = rf"(?P<parameter_end></{_SPACE_NAME}param(?:eter)?>|<\|close\|>argument<\|sep\|>)"
_CALL_END = rf"</{_SPACE_NAME}(?:{_CALL_TAG}|(?:tool_?|function_?)?calls?)>|<\|close\|>(?:call|tools)<\|sep\|>"

_CALL_OPENS = re.compile(_CALL, re.IGNORECASE)
_CALL_BOUND = re.compile(f"(?:{_CALL})|{_CALL_END}", re.IGNORECASE)
_PARAMETER_BOUND = re.compile(f"(?P<opens>{_PARAMETER})|{_PARAMETER_END}", re.IGNORECASE)
_BOUND = re.compile(f"(?P<opens>{_PARAMETER})|(?P<bound>{_CALL_BOUND.pattern})", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*[\"']([^\"']*)[\"']")
_CUT_TAG = re.compile(r"<[^<>]{0,40}(?:param|argument)[^<>]{0,300}$", re.IGNORECASE)
_BLOCK = re.compile(r"\r?\n(.*?)(?:\r?\n[ \t]*)?", re.DOTALL)
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*)\]\]>\s*", re.DOTALL)


def _read_tagged(source: Source, match: re.Match[str], names: Names) -> Found:
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
            pos = bound.end() if bound["bound"].startswith(("</", "<|close")) else bound.start()
            break
        end, pos = _value_end(text, bound.end())
        if end < 0:
            return Found((), len(text))  # cut off inside a value
        attributes = dict(_ATTRIBUTE.findall(bound["attributes"] or bound["more"] or ""))
        key = bound["key"] or attributes.get("name") or attributes.get("key")
        if key is None:
            whole = whole and not match["named"]
        elif key in arguments:
            whole = False
        else:
            arguments[key] = _value(text[bound.end() : end], attributes, typed=typed)
    else:
        if not arguments or _CUT_TAG.search(text, max(pos, len(text) - 400)):
            return Found((), len(text))
    return Found([Call(name, arguments)] if name and whole else (), pos)


def _read_object(text: str, pos: int, name: str | None) -> Found:
    try:
        arguments, end = Scanner(text).object(pos)
    except Fault as fault:
        return Found((), fault.at)
    return Found([Call(name, arguments)] if name else (), end)


def _value_end(text: str, pos: int) -> tuple[int, int]:
    """Return where the value from ``pos`` ends and where reading goes on, or -1 where the text ends inside it.

    A value may speak of tags, so everything up to its own closing tag belongs to it; only where another parameter opens
    first, that tag was left out, and any tag ends the value.
    """
    bound = _PARAMETER_BOUND.search(text, pos)
    if bound and bound["parameter_end"]:
        return bound.start(), bound.end()
    limit = bound.start() if bound else len(text)
    if call := _CALL_BOUND.search(text, pos, limit):
        return call.start(), call.start()
    return (limit, limit) if bound else (-1, limit)


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


def _read_envelope(source: Source, match: re.Match[str], names: Names) -> Found | None:
    """Read what stands in ``<tool_call>`` and its like: objects, Python, or GLM's keys and values."""
    pos = Scanner(source.text).skip(match.end())
    if _OBJECTS.match(source.text, pos):
        return read_enveloped(source, pos, None if match["token"] else match["tag"], names)
    if glm := _GLM_NAME.match(source.text, pos):
        return _read_glm(source, glm, names)
    return read_calls(source, pos, names)


def _read_glm(source: Source, head: re.Match[str], names: Names) -> Found:
    text = source.text
    name = names.resolve(head["name"])
    pos = head.end()
    arguments: dict[str, Any] = {}
    while key := _GLM_KEY.match(text, pos):
        end = source.find("</arg_value>", key.end())
        if end < 0:
            return Found((), len(text))
        arguments[key["key"].strip()] = read_typed(text[key.end() : end])
        pos = end + len("</arg_value>")
    rest = Scanner(text).skip(pos)
    if text.startswith("<arg_key>", rest):
        return Found((), rest + 1)
    return Found([Call(name, arguments)] if name else (), rest)


_OBJECTS = re.compile(r"[\s\[]*\{")
_GLM_NAME = re.compile(r"(?P<name>[\w.:/-]{1,200})\s*(?:<tool_sep>\s*)?(?=<arg_key>|</tool_call>)")
_GLM_KEY = re.compile(r"\s*<arg_key>(?P<key>[^<]{1,200})</arg_key>\s*<arg_value>")
_ENVELOPE = re.compile(
    r"<(?P<token>\|)?(?P<tag>(?:\w{1,20}:)?(?:\w{1,20}_)?(?:tool_?calls?|function_?calls?)(?:_start)?"
    r"|tools?|tool_code|tools_prefix|python_start|python_tag|START_ACTION|plugin)(?(token)\|?)>",
    re.IGNORECASE,
)

FAMILIES = (
    Family("<", _CALL_OPENS, _read_tagged),
    Family("<", _ENVELOPE, _read_envelope),
)
