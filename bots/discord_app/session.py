"""The gateway's session, kept beyond the process that began it, so that the next one hears what came in between.

Discord sends a session that is resumed everything after the number it names. What is kept names no event that is not seen to:
one that was under way when the process died comes again, and the inbox tells what it has already.
https://docs.discord.com/developers/events/gateway#resuming
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Final

import structlog
import yarl

from bots.errors import outline

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    #: Does something after so many seconds, unless what is returned is called before.
    Later = Callable[[float, Callable[[], None]], Callable[[], None]]

_log = structlog.get_logger(__name__)

#: Discord keeps a session that nobody listens to for a few minutes, and does not say for how many.
LASTS_SECONDS: Final = 600.0
#: Between two writes, in seconds: what the file lacks is only told again.
_PAUSE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Session:
    """What a session is resumed by: its id, where Discord wants that, and the number of the last event."""

    id: str
    gateway: str
    sequence: int


def _later(seconds: float, do: Callable[[], None]) -> Callable[[], None]:
    return asyncio.get_running_loop().call_later(seconds, do).cancel


class Keeper:
    """Follows one session at a time, and keeps it in a file; without a path, nothing is kept.

    ``key`` says whose session it is: one that was kept under another is not ours. ``wall`` is this machine's clock. A session
    ages from when Discord was last heard in it, not from when it was last written.
    """

    def __init__(
        self, path: Path | None, key: str, wall: Callable[[], float] = time.time, later: Later = _later
    ) -> None:
        """Nothing is read or written yet."""
        self._path = path
        self._key = key
        self._wall = wall
        self._later = later
        self._session: Session | None = None
        self._heard_at = 0.0
        self._under_way: set[int] = set()
        self._cancel_pause: Callable[[], None] | None = None
        self._behind = False
        self._fails = False

    def resume(self) -> Session | None:
        """Return the session that a former process left, and follow it; None where it is not ours, too old or unreadable."""
        try:
            found = json.loads(self._path.read_bytes()) if self._path else {}
            heard_at = found.pop("at")
            if found.pop("key") != self._key or abs(self._wall() - heard_at) > LASTS_SECONDS:
                return None
            session = Session(**found)
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None
        if [type(each) for each in asdict(session).values()] != [str, str, int]:
            return None
        self._session, self._heard_at, self._under_way = session, heard_at, set()
        return session

    def follow(self, session: Session) -> None:
        """Keep this session, which just began, from now on; it is written with its first event."""
        self._end_pause()
        self._session, self._heard_at, self._under_way = session, self._wall(), set()

    def heard(self) -> None:
        """Note that Discord said something in this session."""
        self._heard_at = self._wall()
        self._write_soon()

    def told(self, number: int) -> Callable[[], None]:
        """Note that an event came, in the order of their numbers; what is returned says that it is seen to.

        An event of a session that is not followed any more says nothing of the one that is.
        """
        under_way = self._under_way
        under_way.add(number)
        self._heard_at = self._wall()
        if self._session is not None:
            self._session = replace(self._session, sequence=number)

        def seen_to() -> None:
            under_way.discard(number)
            self._write_soon()

        return seen_to

    def close(self) -> None:
        """Keep the session as it stands, and follow none any more."""
        self._end_pause()
        self.write()
        self._session = None

    def write(self) -> None:
        """Keep the session as it stands; one that can't be kept is only not resumed."""
        self._behind = False
        if self._path is None or self._session is None:
            return
        last = min(self._under_way, default=self._session.sequence + 1) - 1
        text = json.dumps({"key": self._key, "at": self._heard_at, **asdict(replace(self._session, sequence=last))})
        try:
            _replace(self._path, text.encode())
        except OSError as error:
            if not self._fails:
                _log.warning("discord_session_not_kept", error=outline(error))
            self._fails = True
        else:
            self._fails = False

    def forget(self) -> None:
        """Keep nothing: Discord does not know the session any more."""
        self._session = None
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink()

    def _write_soon(self) -> None:
        """Write at once, or once the pause after the last time is over."""
        self._behind = True
        if self._cancel_pause is None:
            self._catch_up()

    def _catch_up(self) -> None:
        self._cancel_pause = None
        if self._behind:
            self.write()
            self._cancel_pause = self._later(_PAUSE_SECONDS, self._catch_up)

    def _end_pause(self) -> None:
        if self._cancel_pause is not None:
            self._cancel_pause()
            self._cancel_pause = None


def place_to_resume(session: Session, gateway: str) -> str:
    """Return where to resume: where Discord wants it, if Discord is what we connect to, and else at the gateway itself."""
    return session.gateway if _is_discord(gateway) and _is_discord(session.gateway) else gateway


def _is_discord(address: str) -> bool:
    try:
        url = yarl.URL(address)
    except ValueError:
        return False
    return url.scheme == "wss" and (url.host or "").endswith(".discord.gg")


def _replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, for its owner alone; a power cut may lose it, the end of the process does not."""
    partial = path.with_suffix(".partial")
    file = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(file, data)
    finally:
        os.close(file)
    partial.replace(path)
