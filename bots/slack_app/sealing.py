"""Tokens at rest: encrypted with a key that is in a file of its own, so that a copy of the database lets nobody in.

https://cryptography.io/en/latest/fernet/
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from bots.errors import CommandError

if TYPE_CHECKING:
    from pathlib import Path


class Unsealable(Exception):
    """What was sealed with a key that we don't have."""


class Seal:
    """Seals with the first key of a file, and opens with any of them, so that a key can be replaced by one put before it."""

    def __init__(self, keys: MultiFernet) -> None:
        """Use :meth:`open`."""
        self._keys = keys

    @classmethod
    def open(cls, path: Path, *, make: bool = False) -> Seal:
        """Read the keys, one a line; ``make`` a file that only its owner can read where there is none.

        Raises:
            CommandError: there is no such file, or it holds no keys.
        """
        if make:
            with contextlib.suppress(FileExistsError):
                descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(descriptor, "wb") as file:
                    file.write(Fernet.generate_key() + b"\n")
        try:
            return cls(MultiFernet([Fernet(line) for line in path.read_bytes().split()]))
        except OSError as error:
            raise CommandError(f"MONEY_MINDER_SLACK__KEY_FILE: {path} can't be read.") from error
        except ValueError as error:
            raise CommandError(f"MONEY_MINDER_SLACK__KEY_FILE: {path} holds no keys of Fernet.") from error

    def close(self, text: str) -> str:
        """Return a text as it may be stored."""
        return self._keys.encrypt(text.encode()).decode()

    def reopen(self, sealed: str) -> str:
        """Return what was sealed; raises Unsealable."""
        try:
            return self._keys.decrypt(sealed.encode()).decode()
        except InvalidToken as error:
            raise Unsealable("no key of ours") from error
