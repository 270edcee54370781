"""What platforms send, read field by field: whatever is missing or of another kind is nothing."""

from __future__ import annotations

from collections.abc import Mapping


def look(where: object, *path: str) -> object:
    """Return what stands at the end of a path of keys, or None."""
    for key in path:
        where = where.get(key) if isinstance(where, Mapping) else None
    return where


def text_at(where: object, *path: str) -> str:
    """Return the text there, or nothing."""
    found = look(where, *path)
    return found if isinstance(found, str) else ""


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
