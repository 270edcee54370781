"""The page that a chart is drawn on: texts, bars and lines at places, and what they come to as a PNG.

A page is laid out for a phone, where it is shown about 360 pixels wide: every length is in such pixels, heights are
counted from the top, and three of the file's pixels make one.
"""

from __future__ import annotations

import logging
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties

LEFT = 14
RIGHT = 346
INK = "#1A1A1A"
_SCALE = 3
_LONGEST_TEXT = 120

_Face = Literal["DejaVuSans", "DejaVuSans-Bold"]
Point = tuple[float, float]

# A home that can't be written is nothing to report: matplotlib then keeps its list of fonts for as long as it runs.
logging.getLogger("matplotlib").setLevel(logging.ERROR)


@dataclass(frozen=True, slots=True)
class Type:
    """How a text is set."""

    size: int
    face: _Face = "DejaVuSans"
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


@dataclass(slots=True)
class Sheet:
    """A white page of fixed width, which grows downwards as things are put at its ``bottom``."""

    bottom: float = LEFT
    artists: list[Artist] = field(default_factory=list)

    def write(
        self, x: float, baseline: float, words: str, type_: Type, side: Literal["left", "center", "right"] = "left"
    ) -> None:
        """Write a text whose every sign the font has; nothing in it is read as markup."""
        from matplotlib.text import Text

        text = Text(x, baseline, words, color=type_.color, parse_math=False, usetex=False, zorder=4)
        text.set(fontproperties=_font(type_), horizontalalignment=side, verticalalignment="baseline")
        self.artists.append(text)

    def fill(self, box: Box, color: str, *, striped: bool = False) -> None:
        """Fill a box; stripes tell it from another where colours can't."""
        from matplotlib.patches import Rectangle

        bar = Rectangle((box.left, box.top), box.right - box.left, box.bottom - box.top, facecolor=color, linewidth=0)
        bar.set(zorder=2, edgecolor="white" if striped else "none", hatch="/////" if striped else None)
        self.artists.append(bar)

    def line(
        self, points: Sequence[Point], color: str, *, thick: float = 1, dots: bool = False, behind: bool = False
    ) -> None:
        """Draw a line from point to point, behind the boxes or before them."""
        from matplotlib.lines import Line2D

        across, down = zip(*points, strict=True)
        line = Line2D(across, down, color=color, linewidth=thick, linestyle="-", marker="o" if dots else "None")
        line.set(markersize=5, solid_joinstyle="round", zorder=1 if behind else 3)
        self.artists.append(line)

    def figure(self) -> Figure:
        """Put everything on a page of the height that it came to."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.transforms import Affine2D

        width, height = LEFT + RIGHT, round(self.bottom + LEFT)
        # At 72 dots to the inch a point of type is a pixel.
        figure = Figure(figsize=(width / 72, height / 72), dpi=72 * _SCALE, facecolor="white", edgecolor="none")
        FigureCanvasAgg(figure)
        page = Affine2D().scale(_SCALE, -_SCALE).translate(0, _SCALE * height)
        for artist in self.artists:
            artist.set_transform(page)
            figure.add_artist(artist)
        return figure


def plain(text: str) -> str:
    """Return a text's beginning on one line, without what is no letter or sign: controls, turns of direction, halves."""
    spaced = " ".join(text[:_LONGEST_TEXT].split())
    kept = "".join(char for char in spaced if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Cn", "Co"))
    return " ".join(kept.split()) + ("…" if len(text) > _LONGEST_TEXT else "")


def drawable(text: str, type_: Type) -> str:
    """Return the text in signs that the font has: a letter that it lacks becomes a box, any other sign is left out.

    Of several accents on one letter the first stays: a pile of them would reach into the lines above.
    """
    glyphs = _glyphs(type_.face)
    kept: list[str] = []
    for char in unicodedata.normalize("NFC", plain(text)):
        if unicodedata.category(char)[0] == "M" and (not kept or unicodedata.category(kept[-1])[0] == "M"):
            continue
        if ord(char) in glyphs:
            kept.append(char)
        elif char.isalnum():
            kept.append("□")
    return " ".join("".join(kept).split()) or ("□" if text.strip() else "")


def can_show(text: str) -> bool:
    """Whether a text can be drawn whole, and reads from left to right."""
    glyphs = _glyphs("DejaVuSans")
    return all(ord(char) in glyphs and unicodedata.bidirectional(char) not in ("R", "AL", "AN") for char in text)


def fit(text: str, room: float, type_: Type) -> str:
    """Return the text, its end cut off where it is wider than the room."""
    if width_of(text, type_) <= room:
        return text
    cut = bisect_left(range(len(text)), x=True, key=lambda n: width_of(text[: n + 1] + "…", type_) > room)
    return text[:cut].rstrip() + "…"


def width_of(text: str, type_: Type) -> float:
    """Return how far a text reaches from left to right."""
    from matplotlib.backends.backend_agg import RendererAgg

    renderer: Any = RendererAgg(1, 1, 72 * _SCALE)  # type: ignore[no-untyped-call]
    return float(renderer.get_text_width_height_descent(text, _font(type_), ismath=False)[0]) / _SCALE


def _font(type_: Type) -> FontProperties:
    from matplotlib.font_manager import FontProperties

    return FontProperties(fname=_font_file(type_.face), size=type_.size)


@lru_cache(maxsize=2)
def _glyphs(face: _Face) -> frozenset[int]:
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(_font_file(face)).get_charmap())


def _font_file(face: _Face) -> str:
    """Return the path of a font that comes with matplotlib, so that a picture is the same on every machine."""
    import matplotlib as mpl

    return f"{mpl.get_data_path()}/fonts/ttf/{face}.ttf"
