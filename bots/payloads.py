"""What platforms send, read field by field: whatever is missing or of another kind is nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re


class Unreadable(Exception):
    """A payload is not of the form that its platform documents; it names the field, never what stood there."""

    def __init__(self, field: str) -> None:
        """Keep the field's name."""
        super().__init__(field)
        self.field = field


def look(where: object, *path: str) -> object:
    """Return what stands at the end of a path of keys, or None."""
    for key in path:
        where = where.get(key) if isinstance(where, Mapping) else None
    return where


def text_at(where: object, *path: str) -> str:
    """Return the text there, or nothing."""
    found = look(where, *path)
    return found if isinstance(found, str) else ""


def match_at(form: re.Pattern[str], where: object, *path: str) -> str:
    """Return the text there, which must be of a form; raises Unreadable where it is not."""
    found = text_at(where, *path)
    if not form.fullmatch(found):
        raise Unreadable(".".join(path))
    return found


def list_at(where: object, *path: str) -> list[object]:
    """Return the list there, or an empty one."""
    found = look(where, *path)
    return found if isinstance(found, list) else []


def seconds_in(text: str | None) -> float | None:
    """Return the seconds that a header names, or None where it names none, or a day or more."""
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < 86_400 else None
