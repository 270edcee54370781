"""Lists of words kept as text files in ``ledger/data``: ``[section]`` headings, ``#`` comments, words or phrases."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def _sections(file: str) -> dict[str, str]:
    sections: dict[str, list[str]] = {}
    heading = ""
    for line in files("ledger.data").joinpath(file).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            heading = line.strip("[]")
        elif line and not line.startswith("#"):
            sections.setdefault(heading, []).append(line)
    return {name: "\n".join(lines) for name, lines in sections.items()}


def words(file: str, section: str) -> tuple[str, ...]:
    """Return the single words of a section, in order."""
    return tuple(_sections(file)[section].split())


def phrases(file: str, section: str) -> tuple[str, ...]:
    """Return the phrases of a section, which semicolons divide."""
    text = _sections(file).get(section, "").replace("\n", " ")
    return tuple(phrase for part in text.split(";") if (phrase := " ".join(part.split())))
