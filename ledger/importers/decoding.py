"""From the bytes of a file to its text, whatever encoding the bank used."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections import Counter
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING, Literal

from ledger.importers.recognition import HEAD_SIZE, wide_encoding

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Letters outside ASCII that the languages of our banks use, and signs found on statements.
_LIKELY = frozenset("äöüßÄÖÜéèêëàâçîïôûùœÉÈÀÇñÑáíóúÁÍÓÚãõêÃÕåæøÅÆØąćęłńóśźżĄĆĘŁŃÓŚŹŻ€£§°«»–’“”„")
_LETTERS = frozenset(map(chr, range(0xC0, 0x180))) - frozenset("×÷")
#: Encodings of one byte a character, the commonest first: it wins a draw.
_SINGLE_BYTE = ("cp1252", "cp1250", "iso8859-2", "mac-roman", "cp850")
_ASCII = bytes(range(128))
_PIECE = 1 << 20
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def decode(data: bytes, declared: str | None = None) -> str:
    """Return the text of a file, without byte order mark and control characters, its lines ended by line feeds.

    Valid UTF-8 is UTF-8, whatever the file declares; else ``declared`` is believed if Python knows it; else the
    single-byte encoding is taken that gives the likeliest letters.
    """
    return "".join(decoded_lines(data, find_encoding(data, declared)))


@dataclass(frozen=True, slots=True)
class Encoding:
    """How the bytes of a file are read, and what becomes of those that can't be."""

    name: str
    errors: Literal["strict", "replace"] = "replace"


def decoded_lines(data: bytes, encoding: Encoding) -> Iterator[str]:
    """Yield the lines of a text one at a time: as a whole it may be four times as large as the file."""
    first = True
    with TextIOWrapper(BytesIO(data), encoding.name, encoding.errors, newline=None) as lines:
        for line in lines:
            text = line.removeprefix("\ufeff") if first else line
            first = False
            if text := _NO_TEXT.sub("", text) if _NO_TEXT.search(text) else text:
                yield text


def decoded_pieces(data: bytes, encoding: Encoding) -> Iterator[str]:
    """Yield a text in pieces of one size, whatever its lines are: XML may be all on one."""
    with TextIOWrapper(BytesIO(data), encoding.name, encoding.errors) as text:
        first = text.read(_PIECE).removeprefix("\ufeff")
        yield _NO_TEXT.sub("", first)
        while piece := text.read(_PIECE):
            yield _NO_TEXT.sub("", piece)


def find_encoding(data: bytes, declared: str | None = None) -> Encoding:
    """Return the encoding of a text; see :func:`decode`."""
    if wide := wide_encoding(data[:HEAD_SIZE]):
        return Encoding(wide)
    damaged = others = 0
    decoder = getincrementaldecoder("utf-8")("replace")
    for start in range(0, len(data), _PIECE):
        piece = decoder.decode(data[start : start + _PIECE], start + _PIECE >= len(data))
        damaged += piece.count("\ufffd")
        others += 0 if piece.isascii() else len(piece) - len(piece.encode("ascii", errors="ignore"))
    if not damaged or _is_valid(data):
        return Encoding("utf-8-sig", "strict")
    if others > 2 * damaged:
        return Encoding("utf-8-sig")  # UTF-8 that the bank cut in the middle of a letter
    if declared and _is_valid(data, declared):
        return Encoding(declared, "strict")
    return Encoding(_likeliest_encoding(data))  # what is declared is as wrong as the bytes


def _is_valid(data: bytes, encoding: str = "utf-8") -> bool:
    try:
        decoder = getincrementaldecoder(encoding)("strict")
        for start in range(0, len(data), _PIECE):
            decoder.decode(data[start : start + _PIECE], start + _PIECE >= len(data))
    except (LookupError, UnicodeError):
        return False
    return True


def _likeliest_encoding(data: bytes) -> str:
    high = Counter(data.translate(None, _ASCII))

    def score(encoding: str) -> int:
        points = 0
        for byte, count in high.items():
            char = bytes((byte,)).decode(encoding, errors="replace")
            points += count * (2 if char in _LIKELY else 0 if char in _LETTERS else -1)
        return points

    return max(_SINGLE_BYTE, key=score)
