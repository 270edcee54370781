"""JSON whose strings hold unescaped quotes: ``{"text": "say "hi" there"}``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graph.text_calls.values import Scanner, unescape

if TYPE_CHECKING:
    from typing import Any

_QUOTE = re.compile(r'\\.|"', re.DOTALL)
_KEY_FOLLOWS = re.compile(r'\s*,\s*"[\w$.-]{1,100}"\s*:')
_CLOSERS = re.compile(r"[\s}]*")


class StrayQuoteScanner(Scanner):
    """Reads such a value only where one reading is possible.

    All else must be strict JSON. The stray quotes of a string must pair up, and the quote that ends it must stand
    before another key or before exactly the braces that end the whole value.
    """

    def __init__(self, text: str, end: int) -> None:
        """Read up to ``end``, where the value's closing tag stands."""
        super().__init__(text, end)
        self._depth = 0

    def object(self, pos: int, depth: int = 0) -> tuple[dict[str, Any], int]:
        """Return the object at ``pos``, counting how many are open."""
        self._depth += 1
        found = super().object(pos, depth)
        self._depth -= 1
        return found

    def key(self, pos: int) -> tuple[str, int]:
        """Return the key at ``pos``, which must be quoted."""
        if self.text[pos] != '"':
            raise self.fault(pos)
        return super().string(pos)

    def string(self, pos: int) -> tuple[str, int]:
        """Return the string at ``pos``, with its stray quotes."""
        if self.text[pos] != '"':
            raise self.fault(pos)
        strays = 0
        for quote in _QUOTE.finditer(self.text, pos + 1, self.end):
            if quote[0] != '"':
                continue
            if self._ends_string(quote.end(), strays):
                if strays % 2:
                    break
                return unescape(self.text[pos + 1 : quote.start()]), quote.end()
            strays += 1
        raise self.fault(pos)

    def _ends_string(self, pos: int, strays: int) -> bool:
        after = self.skip(pos)
        if not strays:
            return after >= self.end or self.text[after] in ",}]"
        if _KEY_FOLLOWS.match(self.text, pos, self.end):
            return True
        closers = _CLOSERS.match(self.text, pos, self.end)
        return closers is not None and closers.end() == self.end and closers[0].count("}") == self._depth
