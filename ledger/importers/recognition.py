"""Tells by its first bytes what a file is when it is nothing that we can read."""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple

#: How much of a file is looked at.
HEAD_SIZE = 65_536


class Foreign(NamedTuple):
    """A format that we don't read: what it is, with its article, and the way to a file that we do read."""

    what: str
    way: str = ""


FROM_BANK = "Your bank's website has the same as CSV or OFX, often beside it."
_IN_EXCEL = "In Excel: File → Save as → CSV."
_GNUCASH = Foreign("a GnuCash file", "In GnuCash: File → Export → Export Transactions to CSV.")
_KMYMONEY = Foreign("a KMyMoney file", "In KMyMoney: File → Export → QIF.")
_PICTURE = Foreign("a picture", FROM_BANK)
_SOUND = Foreign("a sound file", FROM_BANK)
_COMPRESSED = Foreign("a compressed file", "Unpack it and import the files in it.")
ARCHIVE = Foreign("a ZIP archive", "Unpack it and import the files in it.")

#: Formats by how they begin.
_MAGIC = (
    (b"\x89PNG", _PICTURE),
    (b"\xff\xd8\xff", _PICTURE),
    (b"GIF8", _PICTURE),
    (b"BM", _PICTURE),
    (b"II*\x00", _PICTURE),
    (b"MM\x00*", _PICTURE),
    (b"\x1f\x8b", _COMPRESSED),
    (b"PK\x05\x06", ARCHIVE),
    (b"BZh", _COMPRESSED),
    (b"\xfd7zXZ", _COMPRESSED),
    (b"7z\xbc\xaf", _COMPRESSED),
    (b"Rar!", _COMPRESSED),
    (b"\x00\x01\x00\x00MSISAM", Foreign("a Microsoft Money file", "In Money: File → Export → Loose QIF.")),
    (b"\x00\x01\x00\x00Standard", Foreign("a database")),
    (b"\xac\x9e\xbd\x8f", Foreign("a Quicken data file", "In Quicken: File → Export → QIF File.")),
    (b"SQLite format 3", Foreign("a database")),
    (b"\x7fELF", Foreign("a program")),
    (b"MZ", Foreign("a program")),
    (b"OggS", _SOUND),
    (b"ID3", _SOUND),
    (b"{\\rtf", Foreign("a text document (RTF)", FROM_BANK)),
    (b"%!PS", Foreign("a PostScript file", FROM_BANK)),
)
#: Formats that are ZIP archives inside, by what stands in them.
_PACKED = (
    (b"word/", Foreign("a Word document", FROM_BANK)),
    (b"opendocument.text", Foreign("a LibreOffice document (.odt)", FROM_BANK)),
    (b".iwa", Foreign("an Apple Numbers or Pages file", "In Numbers: File → Export To → CSV.")),
    (b"[Content_Types].xml", Foreign("an Office file", _IN_EXCEL)),
)
#: Formats of XML, by what stands near the top.
_XML = (
    (re.compile(rb"<gnc-v2"), _GNUCASH),
    (re.compile(rb"<KMYMONEY-FILE"), _KMYMONEY),
    (re.compile(rb"<homebank\b"), Foreign("a HomeBank file", "In HomeBank: File → Export → QIF.")),
    (re.compile(rb"<Grisbi\b"), Foreign("a Grisbi file", "In Grisbi: File → Export accounts as QIF/CSV.")),
    (
        re.compile(rb"pain\.00[0-9]|<(?:\w+:)?CstmrCdtTrfInitn|<(?:\w+:)?CstmrDrctDbtInitn"),
        Foreign(
            "a list of SEPA payment orders (pain)",
            "It says what the bank was asked to do, not what it booked: download the statement as CSV.",
        ),
    ),
)
_WEB_PAGE = Foreign(
    "a web page", "Log in to your bank and download the file again; if it opens in Excel: File → Save as → CSV."
)
#: Formats of text, by what their lines look like.
_TEXTS = (
    (
        re.compile(
            rb'\A"?!(?:HDR|TRNS|ACCNT|CUST|VEND|EMP|OTHERNAME|CLASS|INVITEM|TIMERHDR|TIMEACT|BUD)\b|^!?TRNS\t',
            re.MULTILINE,
        ),
        Foreign(
            "an IIF file",
            "Where it is from, choose CSV; in QuickBooks: open a report, then Excel → Create New Worksheet → .csv.",
        ),
    ),
    (
        re.compile(rb"\A11[0-9]{18}[0-9]{12}[12][0-9]{14}[0-9A-Z]{3}"),
        Foreign("a Norma 43 file (N43)", "Your bank's website has the same as CSV or Excel."),
    ),
    (re.compile(rb"\A0{5}[0-9]{9}05"), Foreign("a CODA file", FROM_BANK)),
    (re.compile(rb"\A01[0-9]{5} {4}[0-9]{5}[A-Z]{3}"), Foreign("a CFONB file", FROM_BANK)),
    (re.compile(rb"\A0128A[LG]"), Foreign("a DTAUS file", FROM_BANK)),
    (re.compile(rb"\A01,[^,\n]*,[^,\n]*,[0-9]{6},[0-9]{4},"), Foreign("a BAI2 file", FROM_BANK)),
    (
        re.compile(rb"\A(?:[\w-]+: [^\n]*\n(?:[ \t][^\n]*\n)*)*?(?:Message-ID|MIME-Version):", re.IGNORECASE),
        Foreign("an e-mail", "Save the file that is attached to it, and import that."),
    ),
    (
        re.compile(rb"^[0-9]{4}-[0-9]{2}-[0-9]{2} +(?:open|txn|[*!]) +[A-Z\"]", re.MULTILINE),
        Foreign("a Beancount file", "Export it: bean-query -f csv."),
    ),
    (
        re.compile(rb"^[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}[^\n,;|\t]*\n[ \t]+[A-Za-z][^\n]*(?:  |\t)", re.MULTILINE),
        Foreign("a ledger in plain text", "Export it: hledger aregister ACCOUNT -O csv."),
    ),
    (
        re.compile(rb"\A(?:\{\s*(?:\"|\}\s*\Z)|\[\s*(?:[\[{\"]|-?[0-9.]+\s*,|\]\s*\Z))"),
        Foreign("a JSON file", "Where it is from, choose CSV."),
    ),
)
_BINARY_ONLY = frozenset({b"BM", b"MZ", b"ID3", b"BZh"})

_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r\x0c\x1a") + b"\x7f"
_OFX = re.compile(rb"<(?:\w+:)?ofx[\s>]", re.IGNORECASE)
_CAMT = re.compile(rb"camt\.05[234]|<(?:\w+:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)\b")
_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|table|div|script|meta)\b", re.IGNORECASE)
_HTML_FIRST = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)


def foreign_format(head: bytes) -> Foreign | None:
    """Return what a file is if its first bytes show that it is none of ours."""
    if head.startswith(b"PK\x03\x04"):
        return next((found for word, found in _PACKED if word in head), ARCHIVE)
    if head[:4] == b"RIFF" or head[4:8] == b"ftyp":
        return Foreign("a picture, sound or video file", FROM_BANK)
    if head.startswith(b"\x1f\x8b"):
        return _program_file(_inflated(head)) or _COMPRESSED
    for magic, found in _MAGIC:
        if head.startswith(magic) and (magic not in _BINARY_ONLY or is_binary(head)):
            return _GNUCASH if magic.startswith(b"SQLite") and b"gnclock" in head else found
    return _foreign_text(as_ascii(head))


def _inflated(head: bytes) -> bytes:
    """Return how a compressed file begins."""
    try:
        return zlib.decompressobj(wbits=31).decompress(head, 1024)
    except zlib.error:
        return b""


def _program_file(head: bytes) -> Foreign | None:
    return next((found for pattern, found in _XML if pattern.search(head)), None)


def _foreign_text(head: bytes) -> Foreign | None:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if _HTML_FIRST.match(start):
        return _WEB_PAGE
    if start.startswith(b"<") and not is_ofx(head) and not is_camt(head):
        if found := _program_file(head[:8192]):
            return found
        return _WEB_PAGE if _HTML.search(head[:4096]) else Foreign("an XML file that is no bank statement")
    text = start[:8192].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return next((found for pattern, found in _TEXTS if pattern.search(text)), None)


def is_ofx(head: bytes) -> bool:
    """Tell OFX by its root or by the header of version 1."""
    text = as_ascii(head)
    return _OFX.search(text) is not None or text.lstrip(b"\xef\xbb\xbf \t\r\n")[:9].upper() == b"OFXHEADER"


def is_camt(head: bytes) -> bool:
    """Tell XML with a bank's message to its customer, by the message's name or namespace."""
    text = as_ascii(head)
    return text.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and _CAMT.search(text) is not None


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
    """Tell bytes that are no text: more than a few control characters among them, but for zeros that only fill up its end."""
    head = head.rstrip(b"\0") if not wide_encoding(head) else head
    if wide := wide_encoding(head):
        head = head.decode(wide, errors="replace").encode()
    return len(head) - len(head.translate(None, _CONTROL)) > len(head) // 100 + 2
