"""Single values read as what they plainly say; what says nothing plain comes back as it was."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

_INTEGER = re.compile(r"\s*([+-]?[0-9]{1,18})(?:\.0*)?\s*")
_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]{1,18}(?:\.[0-9]{0,18})?|\.[0-9]{1,18}))\s*")
_DAY = re.compile(r"([0-9]{4})([-/.]?)([0-9]{1,2})\2([0-9]{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?")
_MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9:.]+)\s*(Z|[+-][0-9]{2}:[0-9]{2})?)?", re.IGNORECASE)
_CLOCK = re.compile(r"[0-9]:[0-9]{2}(?::[0-9]{2})?")
_YES = {"true", "yes", "on", "1"}
_NO = {"false", "no", "off", "0"}
_MOST = 10**18


def is_number(value: Any) -> bool:
    """Whether the value is a finite number of a size that can be written out; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -_MOST < value < _MOST


def read_integer(value: Any) -> Any:
    """Read 10.0, "10" and "10.0" as 10."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    found = _INTEGER.fullmatch(value) if isinstance(value, str) else None
    return value if found is None else int(found[1])


def read_number(value: Any) -> Any:
    """Read "10" and "10.5"; a comma is left alone, since it may divide thousands or cents."""
    found = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return value
    return float(found[1]) if "." in found[1] else int(found[1])


def read_boolean(value: Any) -> Any:
    """Read "false", "no", "off", "0" and 0, and their opposites."""
    if isinstance(value, str):
        word = value.strip().casefold()
        return True if word in _YES else False if word in _NO else value
    return bool(value) if is_number(value) and value in (0, 1) else value


def fit_text(value: Any, form: str) -> Any:
    """Write a number out, and bring a text into the wanted format."""
    if is_number(value):
        value = str(value) if isinstance(value, int) else format(Decimal(repr(value)), "f")
    if not isinstance(value, str) or not form:
        return value
    text = value.strip()
    match form:
        case "date":
            text = _fit_date(text)
        case "date-time" if found := _MOMENT.fullmatch(text):
            text = f"{found[1]}T{found[2] or '00:00:00'}{(found[3] or '').upper()}"
        case "time" if _CLOCK.fullmatch(text):
            text = f"0{text}"
        case "uuid":
            with suppress(ValueError):
                text = str(UUID(text))
    return text


def _fit_date(text: str) -> str:
    found = _DAY.fullmatch(text)
    if found is None or (not found[2] and len(found[3]) + len(found[4]) < 4):
        return text
    try:
        return date(int(found[1]), int(found[3]), int(found[4])).isoformat()
    except ValueError:
        return text
