"""Tokens at rest: encrypted with a key from a file of its own or a keyring, so that a copy of the database lets nobody in.

https://cryptography.io/en/latest/fernet/
"""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
from typing import TYPE_CHECKING

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from bots.errors import CommandError

if TYPE_CHECKING:
    from pathlib import Path


#: A keyring may ask its owner whether it is to be unlocked.
_PATIENCE_SECONDS = 60.0


class Unsealable(Exception):
    """What was sealed with a key that we don't have."""


class Seal:
    """Seals with the first of some keys, and opens with any of them, so that a key can be replaced by one put before it."""

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
            return cls(_keys(path.read_bytes()))
        except OSError as error:
            raise CommandError(f"MONEY_MINDER_SLACK__KEY_FILE: {path} can't be read.") from error
        except ValueError as error:
            raise CommandError(f"MONEY_MINDER_SLACK__KEY_FILE: {path} holds no keys of Fernet.") from error

    @classmethod
    def ask(cls, command: str) -> Seal:
        """Take the keys, one a line, from what a keyring's own program prints; no shell reads the command.

        Raises:
            CommandError: it failed, took more than a minute, or printed no keys; what it printed is not told.
        """
        try:
            done = subprocess.run(  # noqa: S603 - whoever runs the bot wrote it into its settings
                shlex.split(command),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                check=True,
                timeout=_PATIENCE_SECONDS,
            )
        except (OSError, ValueError, IndexError, subprocess.SubprocessError):
            raise CommandError("MONEY_MINDER_SLACK__KEY_COMMAND failed.") from None  # the error holds what was printed
        try:
            return cls(_keys(done.stdout))
        except ValueError:
            raise CommandError("MONEY_MINDER_SLACK__KEY_COMMAND printed no keys of Fernet.") from None

    def close(self, text: str) -> str:
        """Return a text as it may be stored."""
        return self._keys.encrypt(text.encode()).decode()

    def reopen(self, sealed: str) -> str:
        """Return what was sealed; raises Unsealable."""
        try:
            return self._keys.decrypt(sealed.encode()).decode()
        except InvalidToken as error:
            raise Unsealable("no key of ours") from error


def _keys(lines: bytes) -> MultiFernet:
    """Return the keys of some lines; raises ValueError where one is none, or there are none."""
    return MultiFernet([Fernet(line) for line in lines.split()])
