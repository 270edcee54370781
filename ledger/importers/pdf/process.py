"""Reads the words of a PDF with their places, in a process of its own: see :mod:`ledger.importers.pdf.reader`.

The file is anybody's, and what unpacks to more than memory or never ends is to end this process and not the program. It
imports nothing of ours, so that it starts at once.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TextIO

from pdfminer import pdftypes
from pdfminer.pdfdevice import PDFTextDevice
from pdfminer.pdfdocument import PDFDocument, PDFEncryptionError
from pdfminer.pdfexceptions import PDFException
from pdfminer.pdffont import PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import PDFStream, dict_value, int_value, resolve1
from pdfminer.psparser import literal_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pdfminer.pdfcolor import PDFColorSpace
    from pdfminer.pdfdevice import PDFTextSeq
    from pdfminer.pdffont import PDFFont
    from pdfminer.pdfinterp import PDFGraphicState, PDFStackT, PDFTextState
    from pdfminer.utils import Matrix, Rect

#: What is wrong with a file, as :mod:`ledger.importers.pdf.reader` knows it.
TOO_LARGE, DAMAGED, LOCKED = "too large", "damaged", "locked"

#: What the process may take: memory in bytes, time in seconds.
_MOST_MEMORY, _MOST_SECONDS = 512 << 20, 40
#: Ways to draw letters of which nothing is seen: neither filled nor stroked (ISO 32000-1, 9.3.6).
_UNSEEN = frozenset({3, 7})
#: In parts of a letter's height: how far letters of a line may be off it, how wide a gap between words is at least, and
#: how near the same letter stands where it was drawn twice to look bold.
_OFF_LINE, _GAP, _TWICE = 0.3, 0.18, 0.15
#: How much a letter may lean to stand upright, as a part of its height.
_LEANING = 0.02
#: The largest letter in points, and the widest one in parts of its height: more is no letter.
_LARGEST, _WIDEST = 200, 8
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xAD: "-", 0: None}
UNKNOWN = "\ufffd"
_CHECKSUM = 4
#: What a drawing is written in has none of these bytes, but for pictures.
_NO_TEXT = re.compile(rb"[\x01-\x08\x0e-\x1f\x80-\xff]")


class Letter(NamedTuple):
    """A letter and its place in points: ``y`` is its line's distance from the top of the page, ``size`` its height."""

    x0: float
    x1: float
    y: float
    size: float
    text: str


@dataclass(slots=True)
class _Page:
    """What is drawn on a page: its letters, how many of them nobody sees, and how many pictures."""

    letters: list[Letter] = field(default_factory=list)
    unseen: int = 0
    pictures: int = 0


class _Places(PDFTextDevice):
    """Takes down where letters are drawn; those that stand aslant, such as a form's number on the margin, are left out."""

    def __init__(self, manager: PDFResourceManager, most_letters: int) -> None:
        super().__init__(manager)
        self.page = _Page()
        self._box: Rect = (0, 0, 0, 0)
        self._left = most_letters
        self._unseen = False

    def begin_page(self, page: PDFPage, ctm: Matrix) -> None:
        """Begin a page, turned as a person sees it."""
        self.page = _Page()
        corners = [_apply(ctm, x, y) for x in page.mediabox[::2] for y in page.mediabox[1::2]]
        (left, right), (low, high) = ((min(way), max(way)) for way in zip(*corners, strict=True))
        self._box = (left, low, right, high)

    def render_image(self, name: str, stream: PDFStream) -> None:  # noqa: ARG002 - the parser's own signature
        """Count a picture."""
        self.page.pictures += 1

    def render_string(
        self, textstate: PDFTextState, seq: PDFTextSeq, ncs: PDFColorSpace, graphicstate: PDFGraphicState
    ) -> None:
        """Note whether the letters that follow are seen."""
        self._unseen = textstate.render in _UNSEEN
        super().render_string(textstate, seq, ncs, graphicstate)

    def render_char(  # noqa: PLR0913, PLR0917 - the parser's own signature
        self,
        matrix: Matrix,
        font: PDFFont,
        fontsize: float,
        scaling: float,
        rise: float,
        cid: int,
        ncs: PDFColorSpace,  # noqa: ARG002
        graphicstate: PDFGraphicState,  # noqa: ARG002
    ) -> float:
        """Take down one letter and return how far the next one stands."""
        forward: float = font.char_width(cid) * fontsize * scaling
        self._left -= 1
        if self._left < 0:
            raise OverflowError
        if self._unseen:
            self.page.unseen += 1
            return forward
        wide, lean, slant, high, *_ = matrix
        left, low, right, top = self._box
        (x0, y), (x1, _) = _apply(matrix, 0, rise), _apply(matrix, forward, rise)
        size = high * fontsize
        seen = left <= x0 <= right and low <= y <= top and 0 <= x1 - x0 < _WIDEST * size
        if seen and wide > 0 < size < _LARGEST and abs(lean) < _LEANING * wide and abs(slant) < high:
            self.page.letters.append(Letter(x0 - left, x1 - left, top - y, size, _text(font, cid)))
        return forward


class _Interpreter(PDFPageInterpreter):
    """Draws what stands on a page, and goes on with no guess where a font is missing."""

    def do_Tf(self, fontid: PDFStackT, fontsize: PDFStackT) -> None:  # noqa: N802 - an operator's own name
        """Take a font."""
        if literal_name(fontid) not in self.fontmap:
            raise PDFException
        super().do_Tf(fontid, fontsize)


def _apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _text(font: PDFFont, cid: int) -> str:
    try:
        return font.to_unichr(cid).translate(_LIGATURES)
    except PDFUnicodeNotDefined:
        return UNKNOWN


def lines_of(letters: Iterable[Letter]) -> Iterator[list[Letter]]:
    """Yield the letters of one line after the other, from the top, each from left to right."""
    line: list[Letter] = []
    for letter in sorted(letters, key=attrgetter("y")):
        if line and letter.y - line[0].y > _OFF_LINE * min(letter.size, line[0].size):
            yield sorted(line, key=attrgetter("x0"))
            line = []
        line.append(letter)
    if line:
        yield sorted(line, key=attrgetter("x0"))


def words_of(line: Sequence[Letter]) -> Iterator[tuple[float, float, str]]:
    """Yield the words of a line, each with where it begins and ends."""
    word: list[Letter] = []
    for letter in line:
        if word and _is_twice(word[-1], letter):
            continue
        if letter.text.isspace() or not letter.text or (word and letter.x0 - word[-1].x1 > _GAP * letter.size):
            yield from _joined(word)
            word = []
        if letter.text and not letter.text.isspace():
            word.append(letter)
    yield from _joined(word)


def _is_twice(before: Letter, letter: Letter) -> bool:
    near = _TWICE * letter.size
    return before.text == letter.text and letter.x0 - before.x0 < near and abs(letter.y - before.y) < near


def _joined(word: Sequence[Letter]) -> Iterator[tuple[float, float, str]]:
    if word:
        yield word[0].x0, max(letter.x1 for letter in word), "".join(letter.text for letter in word)


def write_words(data: bytes, out: TextIO, most_pages: int, most_letters: int) -> None:
    """Write each page as a line that says what is on it, and a line for each of its lines; in the end, what is wrong.

    A line is its distance from the top, its letters' height, and for each word where it begins, where it ends and its text.
    """
    pdftypes.decompress_corrupted = _unpacked
    try:
        document = PDFDocument(PDFParser(BytesIO(data)))
        manager = PDFResourceManager()
        device = _Places(manager, most_letters)
        interpreter = _Interpreter(manager, device)
        pages = PDFPage.create_pages(document)
        count = 0
        for count, page in enumerate(islice(pages, most_pages), start=1):
            interpreter.process_page(page)
            _write_page(count, device.page, out, lost=_is_lost(page, device.page))
        if next(pages, None) is not None:
            _write(out, {"problem": TOO_LARGE})
        elif count != int_value(dict_value(document.catalog.get("Pages")).get("Count")):
            _write(out, {"problem": DAMAGED})
    except PDFEncryptionError:
        _write(out, {"problem": LOCKED})
    except (OverflowError, MemoryError):
        _write(out, {"problem": TOO_LARGE})
    except Exception:  # noqa: BLE001 - a damaged file raises whatever the parser trips over
        _write(out, {"problem": DAMAGED})


def _is_lost(page: PDFPage, seen: _Page) -> bool:
    """Whether nothing is seen of a page because its drawing is lost, or how it is packed: the parser says nothing of that."""
    drawing = [resolve1(content) for content in page.contents]
    if not all(isinstance(each, PDFStream) for each in drawing):
        raise PDFException
    if seen.letters or seen.pictures:
        return False
    drawn = b"".join(each.get_data() for each in drawing).strip()
    return not drawn or _NO_TEXT.search(drawn) is not None


def _unpacked(data: bytes) -> bytes:
    """Return what a stream holds of which the end or the checksum is missing; raises PDFException if it is damaged.

    It stands in for the parser's own way, which keeps what it can of a damaged stream, and so loses rows.
    """
    packed = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        found = packed.decompress(data[2:])
    except zlib.error:
        raise PDFException from None
    if not packed.eof or len(packed.unused_data) >= _CHECKSUM:
        raise PDFException
    return found


def _write_page(number: int, page: _Page, out: TextIO, *, lost: bool) -> None:
    unknown = sum(letter.text == UNKNOWN for letter in page.letters)
    said = {"letters": len(page.letters), "unseen": page.unseen, "unknown": unknown, "pictures": page.pictures}
    _write(out, {"page": number, "lost": lost} | said)
    for line in lines_of(page.letters):
        words = [part for x0, x1, text in words_of(line) for part in (round(x0, 2), round(x1, 2), text)]
        if words:
            size = max(letter.size for letter in line)
            _write(out, [round(line[0].y, 2), round(size, 2), *words])


def _write(out: TextIO, line: Mapping[str, object] | Sequence[object]) -> None:
    out.write(json.dumps(line, separators=(",", ":")) + "\n")


def _main() -> None:
    logging.disable(logging.CRITICAL)
    with suppress(ImportError, ValueError, OSError):  # not everywhere can a process be bounded
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    write_words(sys.stdin.buffer.read(), sys.stdout, *map(int, sys.argv[1:3]))


if __name__ == "__main__":
    _main()
