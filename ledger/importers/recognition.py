"""Tells by its first bytes what a file is when it is nothing that we can read."""

from __future__ import annotations

import re

#: How much of a file is looked at.
HEAD_SIZE = 65_536

_MAGIC = (
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"BM", "a picture"),
    (b"II*\x00", "a picture"),
    (b"MM\x00*", "a picture"),
    (b"\x1f\x8b", "a compressed file"),
    (b"BZh", "a compressed file"),
    (b"\xfd7zXZ", "a compressed file"),
    (b"7z\xbc\xaf", "a compressed file"),
    (b"Rar!", "a compressed file"),
    (b"SQLite format 3", "a database"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"OggS", "a sound file"),
    (b"ID3", "a sound file"),
    (b"{\\rtf", "a text document (RTF)"),
    (b"%!PS", "a PostScript file"),
)
_BINARY_ONLY = frozenset({b"BM", b"MZ", b"ID3", b"BZh"})

_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r\x0c\x1a") + b"\x7f"
_JSON = re.compile(rb"(?:\{\s*(?:\"|\}\s*\Z)|\[\s*(?:[\[{\"]|-?[0-9.]+\s*,|\]\s*\Z))")
_QIF = re.compile(rb"!(?:Type:|Account|Option:|Clear:)", re.IGNORECASE)
_OFX = re.compile(rb"<(?:\w+:)?ofx[\s>]", re.IGNORECASE)
_MT940 = re.compile(rb"^:2[058]:[^\n]*\n(?:.*\n)*?:(?:60[FM]|61|25|28C?|34F):", re.MULTILINE)
_CAMT = re.compile(rb"camt\.05[234]|<(?:\w+:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)\b")
_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|table|div|script|meta)\b", re.IGNORECASE)


def foreign_format(head: bytes) -> str | None:
    """Name what a file is, with its article (``a PDF file``), if its first bytes show that it is none of ours."""
    if b"%PDF-" in head[:1024]:
        return "a PDF file"
    if head.startswith(b"PK\x03\x04"):
        return "a ZIP archive"
    if head[:4] == b"RIFF" or head[4:8] == b"ftyp":
        return "a picture, sound or video file"
    for magic, name in _MAGIC:
        if head.startswith(magic) and (magic not in _BINARY_ONLY or is_binary(head)):
            return name
    return _foreign_text(as_ascii(head))


def _foreign_text(head: bytes) -> str | None:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if _QIF.match(start):
        return "a QIF file"
    if _MT940.search(head[:8192].replace(b"\r\n", b"\n")):
        return "an MT940 file"
    if start.startswith(b"<") and not is_ofx(head):
        if _CAMT.search(head[:8192]):
            return "a CAMT file"
        return "a web page" if _HTML.search(head[:4096]) else "an XML file that is no bank statement"
    if _JSON.match(start):
        return "a JSON file"
    return None


def is_ofx(head: bytes) -> bool:
    """Tell OFX by its root or by the header of version 1."""
    text = as_ascii(head)
    return _OFX.search(text) is not None or text.lstrip(b"\xef\xbb\xbf \t\r\n")[:9].upper() == b"OFXHEADER"


def as_ascii(head: bytes) -> bytes:
    """Return the bytes without what UTF-16 and UTF-32 add to ASCII words, so that these can be found."""
    return head.lstrip(b"\xff\xfe\x00").replace(b"\x00", b"") if wide_encoding(head) else head


def wide_encoding(head: bytes) -> str | None:
    """Name the encoding of text in units of two or four bytes, by its byte order mark or by where its zeros are."""
    for mark, encoding in (
        (b"\xff\xfe\x00\x00", "utf-32"),
        (b"\x00\x00\xfe\xff", "utf-32"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if head.startswith(mark):
            return encoding
    sample = head[:4096]
    half = len(sample) // 2
    if half < 8:
        return None
    if wide := _utf_32(sample):
        return wide
    even, odd = sample[0 : 2 * half : 2].count(0), sample[1 : 2 * half : 2].count(0)
    if odd > 0.7 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.7 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


def _utf_32(sample: bytes) -> str | None:
    """Tell text in units of four bytes, the higher two of which are zero in all that banks write."""
    quarter = len(sample) // 4
    zeros = [sample[place : 4 * quarter : 4].count(0) for place in range(4)]
    if quarter > 3 and zeros[2] == zeros[3] == quarter and zeros[0] == 0:
        return "utf-32-le"
    if quarter > 3 and zeros[0] == zeros[1] == quarter and zeros[3] == 0:
        return "utf-32-be"
    return None


def is_binary(head: bytes) -> bool:
    """Tell bytes that are no text: more than a few control characters among them."""
    if wide := wide_encoding(head):
        head = head.decode(wide, errors="replace").encode()
    return len(head) - len(head.translate(None, _CONTROL)) > len(head) // 100 + 2
