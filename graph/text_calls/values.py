"""Values as models write them: JSON, or something close to it.

One scanner for all families. Beyond JSON it takes Python's words and tuples, single and typographic quotes, bare keys,
trailing commas, comments, line breaks inside strings, and the string marks of Gemma. Where a text ends after a whole
value, missing closers are supplied; where it ends inside one, that is a fault, because the rest of it is unknown.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

#: Deeper values are refused: no tool takes them, and the scanner recurses four frames a level.
MAX_DEPTH = 50

_SPACE = re.compile(r"(?:\s++|\ufeff|//[^\n]*+|\#[^\n]*+|/\*(?:[^*]++|\*(?!/)){0,50}+\*/)*+")
_NUMBER = re.compile(r"[-+]?(?:\d++(?:_\d++)*+(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?(?![\w.:/-])")
_GROUPED = re.compile(r"[-+]?\d+(?:_\d+)+")  # a number in Python, and elsewhere as likely an identifier
_WORD = re.compile(r"[A-Za-z_$][\w$]*+")
_KEY = re.compile(r"[\w$][\w$.-]*+")
_SPACED_KEY = re.compile(r"[\w$](?:[\w$. -]*+(?<! ))?(?=[ ]*[:=])")
_BARE = re.compile(r"[^\s,:{}\[\]()<>\"'][^,{}\[\]<>\"]*+(?=[,}\]])")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_END_MARK = re.compile(r"\[/[A-Z]")  # no list, but [/THINK] and its like
_STRINGS = {
    mark: re.compile(rf"[^{close}\\]*+(?:\\.[^{close}\\]*+)*+[{close}]", re.DOTALL)
    for mark, close in {'"': '"', "'": "'", "“": "”“", "„": "“”", "”": "”", "‘": "’‘", "’": "’"}.items()
}
_RAW_STRING_MARKS = ('<|"|>', "<escape>")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r?\n|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", '"': '"', "'": "'", "\\": "\\"}
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class Fault(Exception):
    """No value can be read; reading may go on at ``at``."""

    def __init__(self, at: int) -> None:
        """Keep the place where another reader may start."""
        super().__init__(at)
        self.at = at


class Scanner:
    """Reads values from ``text[:end]``.

    ``closed`` says that an end tag of the surrounding markup stands at ``end``: what is open there ends there.
    ``bare`` allows strings without quotes, and keys of several words.
    """

    def __init__(self, text: str, end: int | None = None, *, closed: bool = False, bare: bool = False) -> None:
        """Set the text and how far it may be read."""
        self.text = text
        self.end = len(text) if end is None else end
        self.closed = closed
        self.bare = bare
        self._string_start = self._string_end = -1

    def object(self, pos: int, depth: int = 0) -> tuple[dict[str, Any], int]:
        """Return the object that starts at ``pos`` and where it ends."""
        if not self.text.startswith("{", pos, self.end):
            raise Fault(pos)
        return self.members(pos + 1, "}", ":=", depth)

    def members(self, pos: int, closer: str, separators: str, depth: int = 0) -> tuple[dict[str, Any], int]:
        """Return named values up to ``closer``, and where they end."""
        found: dict[str, Any] = {}

        def take(at: int) -> int:
            key, at = self.key(at)
            at = self.skip(at)
            if at >= self.end or self.text[at] not in separators:
                raise self.fault(at)
            found[key], at = self.value(self.skip(at + 1), depth + 1)
            return at

        return found, self._items(pos, closer, take)

    def value(self, pos: int, depth: int = 0) -> tuple[Any, int]:
        """Return the value that starts at ``pos`` and where it ends."""
        if pos >= self.end or depth > MAX_DEPTH or _END_MARK.match(self.text, pos):
            raise Fault(pos)
        mark = self.text[pos]
        if mark == "{":
            return self.object(pos, depth)
        if mark in "[(":
            found: list[Any] = []

            def take(at: int) -> int:
                item, at = self.value(at, depth + 1)
                found.append(item)
                return at

            return found, self._items(pos + 1, "]" if mark == "[" else ")", take)
        if mark in _STRINGS or mark == "<":
            return self.string(pos)
        return self._plain(pos)

    def key(self, pos: int) -> tuple[str, int]:
        """Return the key at ``pos``, quoted or bare."""
        if self.text[pos] in _STRINGS or self.text[pos] == "<":
            key, end = self.string(pos)
        elif match := (_SPACED_KEY if self.bare else _KEY).match(self.text, pos, self.end):
            key, end = match[0], match.end()
        else:
            raise self.fault(pos)
        if key == "__proto__":  # never an argument; a value that carries it was not written for us
            raise Fault(end)
        return key, end

    def string(self, pos: int) -> tuple[str, int]:
        """Return the string that starts at ``pos``."""
        self._string_start = pos
        for mark in _RAW_STRING_MARKS:
            if self.text.startswith(mark, pos, self.end):
                close = self.text.find(mark, pos + len(mark), self.end)
                return self._string_to(close, pos + len(mark), len(mark), raw=True)
        triple = self.text[pos : pos + 3]
        if triple in {'"""', "'''"}:
            return self._string_to(self.text.find(triple, pos + 3, self.end), pos + 3, 3)
        pattern = _STRINGS.get(self.text[pos])
        if pattern is None:
            raise self.fault(pos)
        match = pattern.match(self.text, pos + 1, self.end)
        return self._string_to(match.end() - 1 if match else -1, pos + 1, 1)

    def skip(self, pos: int) -> int:
        """Return the next position that is neither white space nor a comment."""
        if pos < self.end and self.text[pos] in " \t\r\n\f\v\u00a0/#\ufeff":
            match = _SPACE.match(self.text, pos, self.end)
            return match.end() if match else pos
        return pos

    def fault(self, pos: int) -> Fault:
        """Return a fault at ``pos``; a string right before it may have been none, so reading resumes inside it."""
        return Fault(self._string_start + 1 if self.skip(self._string_end) == pos else pos)

    def _items(self, pos: int, closer: str, take: Callable[[int], int]) -> int:
        pos = self.skip(pos)
        while True:
            if pos >= self.end:
                if self.closed:
                    return self.end
                raise Fault(self.end)
            if self.text[pos] == closer:
                return pos + 1
            pos = self.skip(take(pos))
            if pos >= self.end or self.text[pos] == "<" or self.text.startswith(("```", "[/"), pos):
                return pos  # the text or its surrounding markup ends after a whole value: only closers are missing
            if self.text[pos] == ",":
                pos = self.skip(pos + 1)
            elif self.text[pos] != closer:
                raise self.fault(pos)

    def _string_to(self, close: int, start: int, width: int, *, raw: bool = False) -> tuple[str, int]:
        if close < 0:
            if not self.closed:
                raise Fault(self.end)
            close, width = self.end, 0
        self._string_end = close + width
        written = self.text[start:close]
        return (written if raw else unescape(written)), self._string_end

    def _plain(self, pos: int) -> tuple[Any, int]:
        if match := _NUMBER.match(self.text, pos, self.end):
            if match.end() == len(self.text):  # more digits may have followed
                raise Fault(self.end)
            return _number(match[0], pos), match.end()
        match = _WORD.match(self.text, pos, self.end)
        if match and match[0] in _WORDS:
            return _WORDS[match[0]], match.end()
        if self.bare and (match := _BARE.match(self.text, pos, self.end)):
            return match[0].rstrip(), match.end()
        raise self.fault(match.end() if match and match.end() == self.end else pos)


def unescape(written: str) -> str:
    """Return the string that the escapes in ``written`` stand for; an unknown escape stands for itself."""
    if "\\" not in written:
        return written
    text = _ESCAPE.sub(_unescape_one, written)
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def read_typed(text: str) -> Any:
    """Return the number, word, array or object that is all of ``text``, else the text itself."""
    stripped = text.strip()
    if stripped[:1] in {"", "(", '"', "'", "<"} or _GROUPED.fullmatch(stripped):
        return text
    try:
        value, end = Scanner(stripped + "\n").value(0)
    except Fault:
        return text
    return text if isinstance(value, str) or end != len(stripped) else value


def _unescape_one(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) > 1 and code[0] in "uUx":
        return chr(int(code[1:], 16))
    if code in {"\n", "\r\n"}:
        return ""
    return _ESCAPED.get(code, match[0])


def _number(written: str, pos: int) -> Any:
    digits = written.replace("_", "").lstrip("+")
    plain = digits.lstrip("-")
    if len(plain) > 1 and plain[0] == "0" and plain.isdigit():  # 007 is a code, not a quantity
        return digits
    if plain.isdigit():
        if len(plain) > 300:
            raise Fault(pos + 1)
        return int(digits)
    number = float(digits)
    if not math.isfinite(number):
        raise Fault(pos + 1)
    return number
