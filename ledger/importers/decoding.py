"""From the bytes of a file to its text, whatever encoding the bank used."""

from __future__ import annotations

import re
from collections import Counter

from ledger.importers.recognition import HEAD_SIZE, wide_encoding

#: Letters outside ASCII that the languages of our banks use, and signs found on statements.
_LIKELY = frozenset("äöüßÄÖÜéèêëàâçîïôûùœÉÈÀÇñÑáíóúÁÍÓÚãõêÃÕåæøÅÆØąćęłńóśźżĄĆĘŁŃÓŚŹŻ€£§°«»–’“”„")
_LETTERS = frozenset(map(chr, range(0xC0, 0x180))) - frozenset("×÷")
#: Encodings of one byte a character, the commonest first: it wins a draw.
_SINGLE_BYTE = ("cp1252", "cp1250", "iso8859-2", "mac-roman", "cp850")
_ASCII = bytes(range(128))
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def decode(data: bytes, declared: str | None = None) -> str:
    """Return the text of a file, without byte order mark and control characters, its lines ended by line feeds.

    Valid UTF-8 is UTF-8, whatever the file declares; else ``declared`` is believed if Python knows it; else the
    single-byte encoding is taken that gives the likeliest letters.
    """
    wide = wide_encoding(data[:HEAD_SIZE])
    if wide:
        text = data.decode(wide, errors="replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = _decode_other(data, declared)
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _NO_TEXT.sub("", text) if _NO_TEXT.search(text) else text


def _decode_other(data: bytes, declared: str | None) -> str:
    text = data.decode("utf-8-sig", errors="replace")
    damaged = text.count("\ufffd")
    if len(text) - len(text.encode("ascii", errors="ignore")) > 2 * damaged:
        return text  # UTF-8 that the bank cut in the middle of a letter
    if declared:
        try:
            return data.decode(declared)
        except (LookupError, UnicodeError):
            pass  # the declaration is as wrong as the bytes: guess
    return data.decode(_likeliest_encoding(data), errors="replace")


def _likeliest_encoding(data: bytes) -> str:
    high = Counter(data.translate(None, _ASCII))

    def score(encoding: str) -> int:
        points = 0
        for byte, count in high.items():
            char = bytes((byte,)).decode(encoding, errors="replace")
            points += count * (2 if char in _LIKELY else 0 if char in _LETTERS else -1)
        return points

    return max(_SINGLE_BYTE, key=score)
