"""Misbehaviour on order: errors, slowness, and effects whose answer never arrives."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class Call:
    """One request of the app: what it asked, when (``time.monotonic``), and how it was answered."""

    method: str
    arguments: dict[str, Any]
    at: float
    status: int = 0
    """The HTTP status; 0 while it runs and where the connection was cut."""
    error: str | None = None
    answer: dict[str, Any] = field(default_factory=dict)


@dataclass
class Fault:
    """One way to fail, ``times`` times; it applies where ``where`` says so of the arguments."""

    error: str | None
    status: int
    retry_after: int | None
    times: int
    after_effect: bool
    drop: bool
    where: Callable[[dict[str, Any]], bool] | None


class Faults:
    """The orders, by method; the first that fits is used up first."""

    def __init__(self) -> None:
        self._orders: dict[str, deque[Fault]] = {}
        self._slow: dict[str, float] = {}
        self._held: dict[str, asyncio.Event] = {}

    def order(self, method: str, fault: Fault) -> None:
        self._orders.setdefault(method, deque()).append(fault)

    def take(self, method: str, arguments: dict[str, Any]) -> Fault | None:
        for name in (method, "*"):
            for fault in self._orders.get(name, ()):
                if fault.where is None or fault.where(arguments):
                    fault.times -= 1
                    if fault.times <= 0:
                        self._orders[name].remove(fault)
                    return fault
        return None

    def slow(self, method: str, seconds: float) -> None:
        self._slow[method] = seconds

    def hold(self, method: str) -> None:
        self._held[method] = asyncio.Event()

    def release(self, method: str) -> None:
        self._held.pop(method).set()

    async def delay(self, method: str) -> None:
        if held := self._held.get(method):
            await held.wait()
        if seconds := self._slow.get(method, self._slow.get("*", 0.0)):
            await asyncio.sleep(seconds)

    def clear(self) -> None:
        self._orders.clear()
        self._slow.clear()
        for method in tuple(self._held):
            self.release(method)
