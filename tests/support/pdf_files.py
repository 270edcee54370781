"""PDF files for tests: a tiny writer of pages with texts at places, and tables set out on them as banks do."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pdfminer.fontmetrics import FONT_METRICS

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 595, 842
_CHARSET = "cp1252"


def width_of(text: str, size: float, font: str = "Helvetica") -> float:
    """Return how wide a text is."""
    widths = FONT_METRICS[font][1]
    return sum(widths.get(char, 500) for char in text) * size / 1000


@dataclass
class Paper:
    """Pages on which texts stand; ``y`` counts from the top, in points."""

    font: str = "Helvetica"
    size: float = 9
    compress: bool = True
    pages: list[list[str]] = field(default_factory=lambda: [[]])
    rotate: int = 0
    extra: str = ""
    """What else stands in each page's dictionary."""

    def text(self, x: float, y: float, text: str, *, right: bool = False, size: float = 0, mode: int = 0) -> None:
        """Write a text that begins at ``x``, or ends there; ``mode`` 3 is not seen."""
        size = size or self.size
        if right:
            x -= width_of(text, size, self.font)
        said = (
            text.encode(_CHARSET).replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)").decode("latin-1")
        )
        self.raw(f"BT /F1 {size} Tf {mode} Tr {x:.2f} {HEIGHT - y:.2f} Td ({said}) Tj ET")

    def raw(self, operators: str) -> None:
        """Write what draws anything else."""
        self.pages[-1].append(operators)

    def page(self) -> None:
        """Begin another page."""
        self.pages.append([])

    def data(self) -> bytes:
        """Return the file."""
        kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(self.pages)))
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            f"<< /Type /Pages /Kids [{kids}] /Count {len(self.pages)} >>".encode(),
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{self.font} /Encoding /WinAnsiEncoding >>".encode(),
        ]
        for place, page in enumerate(self.pages):
            said = "\n".join(page).encode("latin-1")
            packed = zlib.compress(said) if self.compress else said
            way = " /Filter /FlateDecode" if self.compress else ""
            objects.append(
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Rotate {self.rotate} {self.extra}"
                f" /Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * place} 0 R >>".encode()
            )
            objects.append(f"<< /Length {len(packed)}{way} >>\nstream\n".encode() + packed + b"\nendstream")
        return written(objects)


def written(objects: Sequence[bytes], trailer: str = "") -> bytes:
    """Return a file of objects, the first of which is its catalogue."""
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


@dataclass
class Table:
    """A table on paper: its columns as (name, x, whether right-aligned), one line after the other, pages as they come."""

    paper: Paper
    columns: Sequence[tuple[str, float, bool]]
    y: float = 200
    bottom: float = 760
    pitch: float = 12
    top: float = 120
    before: Sequence[tuple[str, float]] = ()
    """What stands at the foot of each full page, and where."""
    after: Sequence[tuple[str, float]] = ()
    """What stands at the top of the next one."""
    pages: int = 0

    def header(self) -> None:
        """Write the names of the columns; one with a line break stands on two lines."""
        deepest = max(name.count("\n") for name, _, _ in self.columns)
        for name, x, right in self.columns:
            for place, part in enumerate(name.split("\n")):
                self.paper.text(x, self.y + place * self.pitch, part, right=right)
        self.y += self.pitch * (deepest + 1.2)

    def row(self, *cells: str) -> None:
        """Write a row; what has line breaks goes on below."""
        height = max(cell.count("\n") for cell in cells) + 1
        if self.y + height * self.pitch > self.bottom:
            self.turn()
        for (_, x, right), cell in zip(self.columns, cells, strict=False):
            for place, part in enumerate(cell.split("\n")):
                if part:
                    self.paper.text(x, self.y + place * self.pitch, part, right=right)
        self.y += height * self.pitch

    def line(self, *texts: tuple[float, str, bool]) -> None:
        """Write a line of its own, as texts at places."""
        for x, text, right in texts:
            self.paper.text(x, self.y, text, right=right)
        self.y += self.pitch

    def gap(self, points: float = 12) -> None:
        """Leave some room."""
        self.y += points

    def turn(self) -> None:
        """Begin another page, with what stands around the table there."""
        for text, x in self.before:
            self.paper.text(x, self.bottom + 30, text)
        self.paper.page()
        self.pages += 1
        for text, x in self.after:
            self.paper.text(x, 60, text)
        self.y = self.top
        self.header()
