"""Whether Money Minder runs on this machine, in one sentence; ``make setup`` asks before anything is installed.

What decides is for which machines onnxruntime, qdrant-edge-py and tokenizers have builds: docs/dependencies.md.
"""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass

_GLIBC, _MACOS = (2, 28), (14, 0)


@dataclass(frozen=True)
class Machine:
    """What the standard library says of it; ``version`` is macOS's, or the C library's."""

    system: str
    processor: str
    library: str = ""
    version: str = ""


def this_machine() -> Machine:
    """Return the one that this runs on."""
    system = platform.system()
    library, version = platform.libc_ver() if system == "Linux" else ("", platform.mac_ver()[0])
    return Machine(system, platform.machine(), library, version)


def problem(machine: Machine) -> str:
    """Return what is not supported, as a sentence; nothing where everything is."""
    if machine.system == "Linux":
        return _on_linux(machine)
    if machine.system == "Darwin":
        return _on_macos(machine)
    return "Money Minder runs on Linux and macOS; on Windows, use it inside WSL."


def _on_linux(machine: Machine) -> str:
    if machine.processor not in ("x86_64", "aarch64"):
        return f"Money Minder runs on Linux on x86_64 and aarch64; this machine is {machine.processor or 'another'}."
    if machine.library != "glibc":
        return "Money Minder needs a Linux with glibc; this one has another C library, as Alpine does."
    if _numbers(machine.version) < _GLIBC:
        return f"Money Minder needs glibc 2.28 or later; this Linux has {machine.version}."
    return ""


def _on_macos(machine: Machine) -> str:
    if machine.processor != "arm64":
        return "Money Minder runs on Macs with Apple silicon; this one has an Intel processor."
    if _numbers(machine.version) < _MACOS:
        return f"Money Minder needs macOS 14 or later; this is {machine.version}."
    return ""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


if __name__ == "__main__":
    sys.exit(problem(this_machine()) or 0)
