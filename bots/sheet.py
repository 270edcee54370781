"""The page that a chart is drawn on: boxes, lines and texts at places, and what they come to as a PNG.

A page is laid out for a phone, where it is shown about 360 pixels wide: every length is in such pixels, heights are
counted from the top, and three of the file's pixels make one.
"""

from __future__ import annotations

import io
import math
import struct
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

LEFT = 14
RIGHT = 346
INK = "#F2F3F5"
PAPER = "#2B2D31"
"""Dark, since what is white glares among dark messages; a dark card is as legible among light ones."""
DOT = 3
"""How far a dot reaches from its middle."""
_SCALE = 3
#: Slanting lines are drawn this many times larger and reduced, so that their edges are smooth.
_FINER = 3
_LONGEST_TEXT = 120
#: Stands for a letter that the font lacks.
_MISSING = "☐"

#: How much of the paper shows through along a row of a striped box; the row below is the same, one pixel to the left.
_STRIPES = bytes([128, 255, 255, 255, 255, 128, *(0,) * 9])

_Face = Literal["SourceSansPro-Regular", "SourceSansPro-Bold"]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Type:
    """How a text is set."""

    size: int
    face: _Face = "SourceSansPro-Regular"
    color: str = INK


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the page."""

    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether the two have a place in common."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


@dataclass(frozen=True, slots=True)
class Text:
    """A text on one line; nothing in it is read as markup."""

    words: str
    left: float
    baseline: float
    type: Type

    def paint(self, page: Image.Image) -> None:
        """Put the text on the page."""
        place = _pixel(self.left), _pixel(self.baseline)
        ImageDraw.Draw(page).text(place, self.words, self.type.color, _font(self.type), anchor="ls")


@dataclass(frozen=True, slots=True)
class Fill:
    """A box of one colour; stripes tell it from another where colours can't."""

    box: Box
    color: str
    striped: bool = False

    def paint(self, page: Image.Image) -> None:
        """Put the box on the page."""
        left, right = _pixel(self.box.left), _pixel(self.box.right)
        top, bottom = _pixel(self.box.top), _pixel(self.box.bottom)
        page.paste(self.color, (left, top, right, bottom))
        if self.striped:
            page.paste(PAPER, (left, top), _stripes(right - left, bottom - top))


@dataclass(frozen=True, slots=True)
class Line:
    """A line from point to point."""

    points: tuple[Point, ...]
    color: str
    thick: int
    dots: bool = False

    def paint(self, page: Image.Image) -> None:
        """Put the line on the page, with smooth edges."""
        shape = Image.new("L", (_FINER * page.width, _FINER * page.height))
        brush = ImageDraw.Draw(shape)
        scale = _FINER * _SCALE
        points = [(scale * x, scale * y) for x, y in self.points]
        brush.line(points, 255, scale * self.thick, joint="curve")
        for point in points if self.dots else ():
            brush.circle(point, scale * DOT, 255)
        page.paste(self.color, mask=shape.reduce(_FINER))


@dataclass(slots=True)
class Sheet:
    """A page of fixed width, which grows downwards as things are put at its ``bottom``."""

    bottom: float = LEFT
    marks: list[Fill | Line | Text] = field(default_factory=list)
    """What is on the page; a later one covers those before it."""

    def put(self, mark: Fill | Line) -> None:
        """Put a box or a line over what is there."""
        self.marks.append(mark)

    def write(
        self, x: float, baseline: float, words: str, type_: Type, side: Literal["left", "center", "right"] = "left"
    ) -> None:
        """Write a text whose every sign the font has, ``x`` being its left, its middle or its right."""
        before = {"left": 0.0, "center": 0.5, "right": 1.0}[side]
        self.marks.append(Text(words, x - before * width_of(words, type_), baseline, type_))

    def png(self) -> bytes:
        """Return the page, of the height that it came to, as a PNG."""
        page = Image.new("RGB", (_SCALE * (LEFT + RIGHT), _SCALE * round(self.bottom + LEFT)), PAPER)
        for mark in self.marks:
            mark.paint(page)
        out = io.BytesIO()
        page.save(out, "PNG", compress_level=1)
        return out.getvalue()


def plain(text: str) -> str:
    """Return a text's beginning on one line, without what is no letter or sign: controls, turns of direction, halves."""
    spaced = " ".join(text[:_LONGEST_TEXT].split())
    kept = "".join(char for char in spaced if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Cn", "Co"))
    return " ".join(kept.split()) + ("…" if len(text) > _LONGEST_TEXT else "")


def drawable(text: str) -> str:
    """Return the text in signs that the font has: a letter that it lacks becomes a box, any other sign is left out.

    An accent that is not one sign with its letter is left out too: it would stand beside the letter.
    """
    glyphs = _glyphs()
    kept: list[str] = []
    for char in unicodedata.normalize("NFC", plain(text)):
        if unicodedata.category(char)[0] == "M":
            continue
        if ord(char) in glyphs:
            kept.append(char)
        elif char.isalnum():
            kept.append(_MISSING)
    return " ".join("".join(kept).split()) or (_MISSING if text.strip() else "")


def can_show(text: str) -> bool:
    """Whether a text can be drawn whole; the font has no letter that reads from right to left."""
    return all(ord(char) in _glyphs() for char in text)


def fit(text: str, room: float, type_: Type) -> str:
    """Return the text, its end cut off where it is wider than the room."""
    if width_of(text, type_) <= room:
        return text
    cut = bisect_left(range(len(text)), x=True, key=lambda n: width_of(text[: n + 1] + "…", type_) > room)
    return text[:cut].rstrip() + "…"


def width_of(text: str, type_: Type) -> float:
    """Return how far a text reaches from left to right."""
    return _font(type_).getlength(text) / _SCALE


def _pixel(length: float) -> int:
    """Return the file's pixel that is nearest to a place on the page."""
    return math.floor(length * _SCALE + 0.5)


def _stripes(width: int, height: int) -> Image.Image:
    """Return what shows through a striped box of so many pixels: 0 for nothing, 255 for all."""
    row = _STRIPES * (width // len(_STRIPES) + 2)
    shifts = (y % len(_STRIPES) for y in range(height))
    return Image.frombytes("L", (width, height), b"".join(row[shift : shift + width] for shift in shifts))


@lru_cache
def _font(type_: Type) -> ImageFont.FreeTypeFont:
    """Return a font, which threads may share (https://pillow.readthedocs.io/en/stable/handbook/thread-safety.html).

    The basic layout needs no library of the system's, so it comes out the same everywhere.
    """
    return ImageFont.truetype(_font_file(type_.face), _SCALE * type_.size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache
def _glyphs() -> frozenset[int]:
    """Return the code points that the font has glyphs for, the same in regular and bold.

    They are the groups of the font's ``cmap`` table in format 12, which has all of Unicode
    (https://learn.microsoft.com/typography/opentype/spec/cmap).
    """
    data = Path(_font_file("SourceSansPro-Regular")).read_bytes()
    (count,) = struct.unpack_from(">H", data, 4)
    tables = {tag: start for tag, _, start, _ in struct.iter_unpack(">4sIII", data[12 : 12 + 16 * count])}
    cmap = data[tables[b"cmap"] :]
    (count,) = struct.unpack_from(">H", cmap, 2)
    encodings = {(platform, kind): at for platform, kind, at in struct.iter_unpack(">HHI", cmap[4 : 4 + 8 * count])}
    full = cmap[encodings[3, 10] :]
    (count,) = struct.unpack_from(">I", full, 12)
    groups = struct.iter_unpack(">III", full[16 : 16 + 12 * count])
    return frozenset(code for first, last, _ in groups for code in range(first, last + 1))


def _font_file(face: _Face) -> str:
    """Return the path of a font that is installed with us, so that a picture is the same on every machine."""
    return str(files("font_source_sans_pro") / "files" / f"{face}.ttf")
