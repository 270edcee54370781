"""What stands in ``<tool_call>`` and its like: objects (Hermes, Granite, Nemotron), Python (Olmo, Llama 4), or GLM's pairs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from graph.text_calls.families import Family, Found
from graph.text_calls.objects import read_enveloped
from graph.text_calls.python_calls import read_calls
from graph.text_calls.tags import NAMESPACE
from graph.text_calls.thinking import ENDS_THINKING
from graph.text_calls.values import Scanner, read_typed
from tools.calls import Call

if TYPE_CHECKING:
    from graph.text_calls.families import Names, Source

_PREFIX = r"(?:[a-z]{1,20}_)?"
_SUFFIX = r"(?::\w{1,20})?"
_OBJECTS = re.compile(r"[\s\[]*\{")
_GAP = r"(?:\s|\\n)*"  # GLM writes the letters \n between its tags at times
_NAME = re.compile(
    rf"(?P<name>[\w.:/-]{{1,200}}){_GAP}(?:<tool_sep{_SUFFIX}>\s*)?(?=<{_PREFIX}arg_key|</{_PREFIX}tool_call)"
)
_KEY = re.compile(
    rf"{_GAP}<{_PREFIX}arg_key{_SUFFIX}>(?P<key>[^<]{{1,200}})(?:</{_PREFIX}arg_key{_SUFFIX}>)?"
    rf"{_GAP}<(?P<value>{_PREFIX}arg_value){_SUFFIX}>"
)
_KEY_OPENS = re.compile(rf"<{_PREFIX}arg_key")
_BOUND = re.compile(rf"\s*</?{_PREFIX}(?:arg_value|arg_key|tool_call){_SUFFIX}>")
_ENVELOPE = re.compile(
    rf"<(?P<token>\|)?(?P<tag>{NAMESPACE}(?:\w{{1,20}}_)?(?:tool_?calls?|function_?calls?)(?:_start)?{_SUFFIX}"
    r"|[|｜]\w{1,20}[|｜]\s?calls|tools?|tool_code|tools_prefix|python_start|python_tag|START_ACTION|plugin)(?(token)\|?)>",
    re.IGNORECASE,
)


def _read(source: Source, match: re.Match[str], names: Names) -> Found:
    """Read what stands in ``<tool_call>`` and its like: objects, Python, or GLM's keys and values."""
    pos = Scanner(source.text).skip(match.end())
    if _OBJECTS.match(source.text, pos):
        return read_enveloped(source, pos, None if match["token"] else match["tag"], names)
    if head := _NAME.match(source.text, pos):
        return _read_pairs(source, head, names)
    return read_calls(source, pos, names) or Found((), match.end())


def _read_pairs(source: Source, head: re.Match[str], names: Names) -> Found:
    """Read a name with tags for keys and for values; where a value's closing tag was left out, any tag ends it."""
    text = source.text
    name = names.resolve(head["name"])
    pos = head.end()
    arguments: dict[str, Any] = {}
    while key := _KEY.match(text, pos):
        closer = "</" + text[key.start("value") : key.end()]
        end, pos = source.find(closer, key.end()), key.end()
        if end < 0 or pos <= source.find(f"<{key['value']}", pos) < end:
            bound = _BOUND.search(text, pos)
            if bound is None or ENDS_THINKING.search(text, pos, bound.start()):
                return Found((), len(text))
            end, closer = bound.start(), ""
        arguments[key["key"].strip()] = read_typed(text[pos:end])
        pos = end + len(closer)
    rest = Scanner(text).skip(pos)
    if _KEY_OPENS.match(text, rest):
        return Found((), rest + 1)
    return Found([Call(name, arguments)] if name else (), rest)


FAMILY = Family("<", _ENVELOPE, _read)
