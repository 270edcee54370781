"""What docstrings say: Sphinx, Google, NumPy and Epydoc styles alike."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docstring_parser import Docstring


def describe_function(docstring: str | None) -> str:
    """Return the summary and the long description, without parameters and returns."""
    parsed = _parse(docstring)
    if parsed is None:
        return inspect.cleandoc(docstring or "")
    return "\n\n".join(part.strip() for part in (parsed.short_description, parsed.long_description) if part)


def describe_parameters(docstring: str | None) -> dict[str, dict[str, Any]]:
    """Return, for every documented parameter or attribute, its description as a part of its schema."""
    parsed = _parse(docstring)
    described = [] if parsed is None else parsed.params
    return {one.arg_name.lstrip("*"): {"description": one.description} for one in described if one.description}


def _parse(docstring: str | None) -> Docstring | None:
    from docstring_parser import ParseError, parse

    try:
        return parse(docstring or "")
    except ParseError:
        return None
