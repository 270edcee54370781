"""One process at a time: a lock that the operating system drops when its holder dies."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from ledger.errors import IndexUnavailable

if TYPE_CHECKING:
    from pathlib import Path


class FileLock:
    """An exclusive lock on a file, held from construction to ``release``.

    The file stays behind when the lock is gone: removing it would let two processes lock two files of one name.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock, or raise ``IndexUnavailable`` at once."""
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise IndexUnavailable("The search index's directory can't be written.") from error
        try:
            _lock(self._file)
        except OSError as error:
            os.close(self._file)
            raise IndexUnavailable("The search index is in use by another process.") from error

    def release(self) -> None:
        """Give the lock back."""
        os.close(self._file)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        # flock, not lockf: a second open in this same process must fail too, and closing some other handle must not
        # drop the lock.
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
