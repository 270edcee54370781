"""From the bytes of a file to its text, whatever encoding the bank used."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections import Counter
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING, Literal

from ledger.importers.recognition import HEAD_SIZE, wide_encoding
from ledger.working import go_on

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Letters outside ASCII that the languages of our banks use, and signs found on statements.
_LIKELY = frozenset("äöüßÄÖÜéèêëàâçîïôûùœÉÈÀÇñÑáíóúÁÍÓÚãõêÃÕåæøÅÆØąćęłńóśźżĄĆĘŁŃÓŚŹŻ€£§°«»–’“”„")
_LETTERS = frozenset(map(chr, range(0xC0, 0x180))) - frozenset("×÷")
#: Between two letters stands a letter or an apostrophe.
_IN_WORD, _APOSTROPHES = re.compile(rb"(?<=[A-Za-z])[\x80-\xff](?=[A-Za-z])"), frozenset("‘’´")
#: Between two digits, or before or after a number, stands what divides thousands or a space that doesn't break, and no letter.
_IN_NUMBER, _THOUSANDS = re.compile(rb"(?<=[0-9:])[\x80-\xff](?=[-+0-9A-Z])"), frozenset("\u00a0‘’´")
#: Encodings of one byte a character, the commonest first: it wins a draw.
_SINGLE_BYTE = ("cp1252", "cp1250", "iso8859-2", "iso8859-15", "mac-roman", "cp850")
#: Encodings of two bytes a character, with what only common characters of theirs encode to: GB 2312 and Big5 have them
#: first, and Japanese is told by its kana.
_DOUBLE_BYTE = {
    "gb18030": re.compile(rb"[\xb0-\xd7][\xa1-\xfe]|[\xa1\xa3][\xa1-\xfe]"),
    "big5": re.compile(rb"[\xa4-\xc6][\x40-\x7e\xa1-\xfe]|[\xa1-\xa3][\x40-\x7e\xa1-\xfe]"),
    "cp932": re.compile(rb"[\x81-\x83][\x40-\x7e\x80-\xfc]|[\x88-\x97][\x40-\x7e\x80-\xfc]"),
}
#: Encodings of other alphabets in one byte a character, with the letters that make up most of any text in them: Russian,
#: Ukrainian or Bulgarian, Greek, Hebrew, Arabic and Thai.
_ALPHABETS = {
    **dict.fromkeys(("cp1251", "koi8-r", "cp866"), frozenset("оеаинтсрвлкмдпуяізОЕАИНТСРВЛКМДПУ")),
    **dict.fromkeys(("cp1253", "cp737"), frozenset("αοιετνσρηκπλμυςίάόήέωΑΟΙΕΤΝΣΡΗΚΠΛΜΥ")),
    **dict.fromkeys(("cp1255", "cp862"), frozenset("יוהלארתבמשנםעדקח")),
    "cp1256": frozenset("ايلمنوترةبدسكعشهحجقف"),
    "cp874": frozenset("านรกเอมยลงวตดสทบคะัิี่้์"),
}
_HIGH = re.compile(rb"[\x80-\xff]+")
_COMMON_SHARE = 0.6
#: Which part of the characters beyond ASCII must be common ones to prove an encoding.
_PROOF = 0.9
#: Fewer characters of two bytes than this may be pairs of accented letters.
_LEAST_WIDE = 8
#: Which part of a text's letters may be rubbish, and how many letters tell.
_MOST_RUBBISH, _TELLING = 1 / 3, 20
_RUBBISH = re.compile("[\ufffd\u2500-\u259f\x80-\x9f]")
_ASCII = bytes(range(128))
_PIECE = 1 << 20
#: After how many lines it is asked whether anybody still waits for the text.
_LINES = 1024
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def decode(data: bytes, declared: str | None = None) -> str:
    """Return the text of a file, without byte order mark and control characters, its lines ended by line feeds.

    Valid UTF-8 is UTF-8, whatever the file declares; else ``declared`` is believed if Python knows it; else
    an encoding of Chinese, Japanese or another alphabet is taken if the text proves it; else the single-byte encoding that gives
    the likeliest letters.
    """
    return "".join(decoded_lines(data, find_encoding(data, declared)))


@dataclass(frozen=True, slots=True)
class Encoding:
    """How the bytes of a file are read, and what becomes of those that can't be."""

    name: str
    errors: Literal["strict", "replace"] = "replace"


def decoded_lines(data: bytes, encoding: Encoding) -> Iterator[str]:
    """Yield the lines of a text one at a time: as a whole it may be four times as large as the file."""
    with TextIOWrapper(BytesIO(data), encoding.name, encoding.errors, newline=None) as lines:
        for place, line in enumerate(lines):
            if not place % _LINES:
                go_on()
            text = line if place else line.removeprefix("\ufeff")
            if text := _NO_TEXT.sub("", text) if _NO_TEXT.search(text) else text:
                yield text


def decoded_pieces(data: bytes, encoding: Encoding) -> Iterator[str]:
    """Yield a text in pieces of one size, whatever its lines are: XML may be all on one."""
    with TextIOWrapper(BytesIO(data), encoding.name, encoding.errors) as text:
        first = text.read(_PIECE).removeprefix("\ufeff")
        yield _NO_TEXT.sub("", first)
        while piece := text.read(_PIECE):
            go_on()
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
    sample = data[: data.rfind(b"\n", 0, HEAD_SIZE) + 1] or data[:HEAD_SIZE]
    if proven := _double_byte(data, sample) or _of_an_alphabet(sample):
        return Encoding(proven)
    return Encoding(_likeliest_encoding(data))  # what is declared is as wrong as the bytes


def _is_valid(data: bytes, encoding: str = "utf-8") -> bool:
    try:
        decoder = getincrementaldecoder(encoding)("strict")
        for start in range(0, len(data), _PIECE):
            decoder.decode(data[start : start + _PIECE], start + _PIECE >= len(data))
    except (LookupError, UnicodeError):
        return False
    return True


def _double_byte(data: bytes, sample: bytes) -> str | None:
    """Return an encoding of Chinese or Japanese that is valid throughout and gives hardly any rare characters."""
    best = (0.0, "")
    for name, common in _DOUBLE_BYTE.items():
        if not _is_valid(data, name):
            continue
        wide = [char.encode(name) for char in sample.decode(name, "ignore") if not char.isascii()]
        wide = [char for char in wide if len(char) > 1]  # kana of half a width are of one byte, as accented letters are
        share = sum(common.fullmatch(char) is not None for char in wide) / max(len(wide), _LEAST_WIDE)
        best = max(best, (share, name), key=lambda each: each[0])
    return best[1] if best[0] >= _PROOF else None


def _of_an_alphabet(sample: bytes) -> str | None:
    """Return an encoding of another alphabet where whole words are beyond ASCII and most of their letters are common ones."""
    words = [word for word in _HIGH.findall(sample) if len(word) > 2]
    if 2 * sum(map(len, words)) < len(sample.translate(None, _ASCII)):
        return None

    def share(encoding: str) -> float:
        letters = b"".join(words).decode(encoding, "replace")
        return sum(char in _ALPHABETS[encoding] for char in letters) / max(len(letters), 1)

    best = max(_ALPHABETS, key=share)
    return best if share(best) >= _COMMON_SHARE else None


def is_rubbish(text: str) -> bool:
    """Tell a text that was read in a wrong encoding: a third of its letters are no letters."""
    bad = len(_RUBBISH.findall(text))
    return bad >= _MOST_RUBBISH * max(_TELLING, bad + sum(map(str.isalpha, text)))


def _likeliest_encoding(data: bytes) -> str:
    high = Counter(data.translate(None, _ASCII))
    in_words, in_numbers = (Counter(match[0] for match in form.finditer(data)) for form in (_IN_WORD, _IN_NUMBER))

    def score(encoding: str) -> int:
        points = 0
        for byte, count in high.items():
            char = bytes((byte,)).decode(encoding, errors="replace")
            points += count * (2 if char in _LIKELY else 0 if char in _LETTERS else -1)
            if char not in _LETTERS and char not in _APOSTROPHES:
                points -= 3 * in_words[bytes((byte,))]
            points += 3 * in_numbers[bytes((byte,))] * (1 if char in _THOUSANDS else -1)
        return points

    return max(_SINGLE_BYTE, key=score)
