"""What was used last."""

from __future__ import annotations

from typing import Generic, TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V")


class Recent(Generic[_K, _V]):
    """Keeps so many values by key; the one not used for longest goes first."""

    def __init__(self, most: int) -> None:
        """Keep at most so many."""
        self._most = most
        self._values: dict[_K, _V] = {}

    def get(self, key: _K) -> _V | None:
        """Return the value and count it as used, or None."""
        value = self._values.pop(key, None)
        if value is not None:
            self._values[key] = value
        return value

    def put(self, key: _K, value: _V) -> None:
        """Keep a value."""
        self._values.pop(key, None)
        self._values[key] = value
        if len(self._values) > self._most:
            del self._values[next(iter(self._values))]

    def drop(self, key: _K) -> None:
        """Forget a value, if it is there."""
        self._values.pop(key, None)
