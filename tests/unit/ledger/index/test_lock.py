"""The lock of the index's directory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ledger.errors import IndexUnavailable
from ledger.index.lock import FileLock

HOLDER = """
import sys, time
from pathlib import Path
from ledger.index.lock import FileLock
lock = FileLock(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def test_one_holder_at_a_time(tmp_path: Path):
    lock = FileLock(tmp_path / "lock")
    with pytest.raises(IndexUnavailable):
        FileLock(tmp_path / "lock")
    lock.release()
    again = FileLock(tmp_path / "lock")
    again.release()
    assert (tmp_path / "lock").stat().st_mode & 0o077 == 0


def test_the_lock_goes_with_its_process(tmp_path: Path):
    root = Path(__file__).parents[4]
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "lock")], stdout=subprocess.PIPE, text=True, cwd=root
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    with pytest.raises(IndexUnavailable, match="another process"):
        FileLock(tmp_path / "lock")
    child.kill()
    child.communicate()
    FileLock(tmp_path / "lock").release()


def test_a_lock_that_cannot_be_made_is_unavailable(tmp_path: Path):
    with pytest.raises(IndexUnavailable):
        FileLock(tmp_path / "missing" / "lock")
