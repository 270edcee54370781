"""On which machines Money Minder runs, and what is said on any other."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bots import supported
from bots.supported import Machine, problem

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    "machine",
    [
        Machine("Linux", "x86_64", "glibc", "2.28"),
        Machine("Linux", "aarch64", "glibc", "2.41"),
        Machine("Darwin", "arm64", "", "14.0"),
        Machine("Darwin", "arm64", "", "26.1.1"),
    ],
    ids=str,
)
def test_it_runs_here(machine) -> None:
    assert problem(machine) == ""


@pytest.mark.parametrize(
    ("machine", "word"),
    [
        (Machine("Linux", "x86_64", "", ""), "glibc"),
        (Machine("Linux", "x86_64", "musl", "1.2.5"), "glibc"),
        (Machine("Linux", "x86_64", "glibc", "2.17"), "2.28"),
        (Machine("Linux", "x86_64", "glibc", "2.9"), "2.28"),
        (Machine("Linux", "riscv64", "glibc", "2.40"), "riscv64"),
        (Machine("Linux", "", "glibc", "2.40"), "another"),
        (Machine("Darwin", "x86_64", "", "15.0"), "Apple silicon"),
        (Machine("Darwin", "arm64", "", "13.7"), "macOS 14"),
        (Machine("Windows", "AMD64"), "WSL"),
        (Machine("", ""), "Linux and macOS"),
    ],
    ids=str,
)
def test_elsewhere_one_sentence_says_why_not(machine, word) -> None:
    said = problem(machine)
    assert word in said
    assert re.fullmatch(r"Money Minder [^\n]+\.", said)


def test_setup_asks_before_it_installs_and_with_nothing_installed() -> None:
    """As the Makefile calls it: a bare Python, from any folder."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert makefile.index("-I bots/supported.py") < makefile.index("-m venv")
    asked = subprocess.run(
        [sys.executable, "-I", "-S", supported.__file__], capture_output=True, text=True, check=False, cwd="/"
    )
    assert (
        (asked.returncode, asked.stderr) == (0, "") if not problem(supported.this_machine()) else asked.returncode == 1
    )
