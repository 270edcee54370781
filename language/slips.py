"""What a slip of the pen leaves as it is."""

from __future__ import annotations


def is_common_slip(key: str, other: str) -> bool:
    """Whether a slip from one folded word to the other would be a common one: beginnings are rarely wrong, nor are ends added."""
    swapped = key[-2:] == other[-2:][::-1]
    ends_alike = key[-1] == other[-1] or swapped or len(key) < len(other) or {key[-1], other[-1]} == {"d", "t"}
    return key[0] == other[0] and ends_alike and not key.startswith(other)
