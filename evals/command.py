"""The ``money-minder`` command as a process: the only way in which the project is asked anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

NOW = "2026-11-21T12:00:00"


class CommandFailed(RuntimeError):
    """The command did not do what was asked; the sentence holds what it said."""


def find_command() -> Path:
    """Return the command of this environment, else of the checkout's."""
    checkout = Path(__file__).resolve().parents[1]
    here = Path(sys.executable).parent / "money-minder"
    return here if here.exists() else checkout / ".venv/bin/money-minder"


@dataclass(frozen=True, slots=True)
class Command:
    """The command over one data directory, with settings of its own; none of the caller's reach it."""

    path: Path
    data: Path
    settings: Mapping[str, str]

    def with_settings(self, settings: Mapping[str, str]) -> Command:
        """Return it with further settings, named without their prefix."""
        return replace(self, settings={**self.settings, **settings})

    def import_files(self, files: Sequence[Path], options: Sequence[str] = (), *, whole: bool = True) -> None:
        """Import bank files as a person would, all at once.

        Raises:
            CommandFailed: a file is left out, or a row where each must be read.
        """
        report = json.loads(self._output(["import", *map(str, files), *options, "--json"]))
        for file in report["files"]:
            if "error" in file or (whole and file["rejected"]):
                raise CommandFailed(
                    f"not all of {file['file']} was imported: {file.get('error') or file['rejected'][:3]}"
                )

    def tools(self) -> list[dict[str, Any]]:
        """Return the tools that are offered, with their schemas."""
        return list(json.loads(self._output(["tools", "--json"])))

    def run_tool(self, name: str, arguments: Any) -> dict[str, Any]:
        """Run one tool; what it refuses comes back under ``error``, as the command says it."""
        done = self._run(["tool", name, json.dumps(arguments), "--json"])
        if done.stdout.strip():
            return dict(json.loads(done.stdout))
        return {"error": done.stderr.strip().removeprefix("money-minder: ") or f"exit code {done.returncode}"}

    def ask(self, lines: Sequence[Mapping[str, str]], thread: str) -> Iterator[dict[str, Any]]:
        """Ask questions in one process and yield the replies as they come.

        Raises:
            CommandFailed: the process ended before the last reply.
        """
        with tempfile.TemporaryFile() as questions, tempfile.TemporaryFile() as errors:
            questions.write("".join(json.dumps(line) + "\n" for line in lines).encode())
            questions.seek(0)
            process = subprocess.Popen(  # noqa: S603 - the project's own command
                [self.path, "ask", "-", "--json", "--thread", thread],
                stdin=questions,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=self._environment(),
                cwd=self.data,
            )
            came = 0
            with process:
                assert process.stdout is not None
                try:
                    for line in process.stdout:
                        came += 1
                        yield json.loads(line)
                except BaseException:
                    process.kill()
                    raise
            if came < len(lines):
                errors.seek(0)
                said = errors.read().decode("utf-8", "replace").strip()[-500:]
                raise CommandFailed(f"only {came} of {len(lines)} replies came, exit code {process.returncode}: {said}")

    def _output(self, arguments: Sequence[str]) -> str:
        done = self._run(arguments)
        if done.returncode:
            raise CommandFailed(f"“{arguments[0]}” failed: {done.stderr.strip()[-500:]}")
        return done.stdout

    def _run(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        self.data.mkdir(parents=True, exist_ok=True)
        return subprocess.run(  # noqa: S603 - the project's own command
            [self.path, *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=self._environment(),
            cwd=self.data,
            check=False,
        )

    def _environment(self) -> dict[str, str]:
        """Return the caller's environment without the project's settings, and with ours; no ``.env`` is in the folder."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("MONEY_MINDER_")}
        ours = {"DATA_DIR": str(self.data), "NOW": NOW, **self.settings}
        return kept | {f"MONEY_MINDER_{name}": value for name, value in ours.items()}
