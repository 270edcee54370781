"""What the app asked, and misbehaviour on order: errors, slowness, lost answers, rate limits."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class Call:
    """One request of the app: what it asked, when (``time.monotonic``), and how it was answered."""

    method: str
    path: str
    """Without the API's base: ``/channels/3000/messages``."""
    route: str
    """The method and the path with names: ``POST /channels/{channel}/messages``."""
    at: float
    query: dict[str, str] = field(default_factory=dict)
    body: Any = None
    """The JSON body, or ``payload_json`` of a multipart one."""
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """The uploads by field: name and content."""
    status: int = 0
    """0 while it runs and where the connection was cut."""
    code: int | None = None
    """Discord's error code."""
    answer: Any = None

    def fits(self, pattern: str) -> bool:
        """Whether a pattern such as ``POST /channels/*/messages`` or ``*/callback`` names this call."""
        return fnmatchcase(f"{self.method} {self.path}", pattern) or fnmatchcase(self.route, pattern)


@dataclass
class Fault:
    """One way to fail, ``times`` times; it applies where ``where`` says so of the call."""

    status: int
    code: int | None
    retry_after: float | None
    times: int
    after_effect: bool
    drop: bool
    is_global: bool
    where: Callable[[Call], bool] | None
    html: bool = False
    """Whether it is the page of a proxy before Discord."""

    def body(self) -> dict[str, Any]:
        if self.status == 429:
            body = {"message": "You are being rate limited.", "retry_after": self.retry_after, "global": self.is_global}
            return body if self.code is None else body | {"code": self.code}
        return {"message": f"{self.status}: ordered by the test", "code": self.code or 0}

    def headers(self) -> dict[str, str]:
        if self.status != 429:
            return {}
        assert self.retry_after is not None
        # discord.py takes a 429 without Via for Cloudflare's ban and gives up.
        headers = {"Retry-After": str(max(1, round(self.retry_after))), "Via": "1.1 google"}
        if self.is_global:
            return headers | {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
        return headers | bucket_headers("ordered", 5, 0, self.retry_after) | {"X-RateLimit-Scope": "user"}


def bucket_headers(bucket: str, limit: int, remaining: int, reset_after: float) -> dict[str, str]:
    """The headers that tell of a bucket (https://docs.discord.com/developers/topics/rate-limits)."""
    return {
        "X-RateLimit-Limit": str(limit),
        "X-RateLimit-Remaining": str(remaining),
        "X-RateLimit-Reset": f"{time.time() + reset_after:.3f}",
        "X-RateLimit-Reset-After": f"{reset_after:.3f}",
        "X-RateLimit-Bucket": bucket,
    }


@dataclass
class Bucket:
    """A limit that is kept: ``limit`` calls in ``per`` seconds for each value of the top-level resource."""

    pattern: str
    limit: int
    per: float
    used: dict[str, list[float]] = field(default_factory=dict)

    def take(self, call: Call) -> tuple[bool, dict[str, str], float]:
        """Whether the call may run, the headers that say so, and how long to wait otherwise."""
        now = time.monotonic()
        key = "" if self.pattern == "*" else "/".join(call.path.split("/")[:3])
        recent = [at for at in self.used.get(key, ()) if now - at < self.per]
        allowed = len(recent) < self.limit
        if allowed:
            recent.append(now)
        self.used[key] = recent
        after = self.per - (now - recent[0])
        return (
            allowed,
            bucket_headers(f"b{hash(self.pattern) & 0xFFFF:04x}", self.limit, self.limit - len(recent), after),
            after,
        )


class Faults:
    """The orders; the first that fits a call is used up first."""

    def __init__(self) -> None:
        self._orders: list[tuple[str, Fault]] = []
        self._slow: list[tuple[str, float]] = []
        self.buckets: list[Bucket] = []

    def order(self, pattern: str, fault: Fault) -> None:
        self._orders.append((pattern, fault))

    def take(self, call: Call) -> Fault | None:
        for order in self._orders:
            pattern, fault = order
            if call.fits(pattern) and (fault.where is None or fault.where(call)):
                fault.times -= 1
                if fault.times <= 0:
                    self._orders.remove(order)
                return fault
        return None

    def slow(self, pattern: str, seconds: float) -> None:
        self._slow.append((pattern, seconds))

    def delay(self, call: Call) -> float:
        return max((seconds for pattern, seconds in self._slow if call.fits(pattern)), default=0.0)

    def bucket(self, call: Call) -> Bucket | None:
        """The kept limit of a call; interactions and their webhooks are outside the global one."""
        for bucket in self.buckets:
            if bucket.pattern == "*" and call.path.startswith(("/interactions/", "/webhooks/", "/attachments/")):
                continue
            if call.fits(bucket.pattern):
                return bucket
        return None

    def clear(self) -> None:
        self._orders.clear()
        self._slow.clear()
        self.buckets.clear()
