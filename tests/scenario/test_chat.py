"""The real command, through pipes and at a terminal of its own."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.support.ollama_server import MODEL, OllamaServer

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "bots.cli.main"]
BANK = "Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n2026-10-09,REWE MARKT,-7.50\n2026-10-30,SALARY,2000.00\n"
SPENT = "How much did I spend at REWE in October 2026?"
WAIT = 60


@pytest.fixture
def bank(tmp_path):
    path = tmp_path / "bank.csv"
    path.write_text(BANK)
    return path


@pytest.fixture
def environment(tmp_path):
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        "PYTHONPATH": str(ROOT),
        "MONEY_MINDER_DATA_DIR": str(tmp_path / "data"),
        "MONEY_MINDER_MODEL": "builtin",
        "MONEY_MINDER_NOW": "2026-11-21T12:00:00+00:00",
    }


def piped(environment, text, *arguments, **more):
    return subprocess.run(
        [*COMMAND, *(arguments or ("chat",))],
        input=text, env={**environment, **more}, cwd=environment["HOME"], capture_output=True, text=True,
        encoding="utf-8", timeout=WAIT, check=False,
    )  # fmt: skip


class Terminal:
    """The command at a terminal of its own; what it prints is read until something is seen."""

    def __init__(self, environment, *arguments):
        self.master, slave = pty.openpty()
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.seen = ""
        self.process = subprocess.Popen(
            [*COMMAND, *(arguments or ("chat",))],
            stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=environment["HOME"], start_new_session=True,
        )  # fmt: skip

    def until(self, text):
        """Read until the text has been printed since the last call; returns what was."""
        while text not in self.seen:
            ready, _, _ = select.select([self.master], [], [], WAIT)
            assert ready, f"{text!r} never came after: {self.seen!r}"
            self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
        found, _, self.seen = self.seen.partition(text)
        return found + text

    def type(self, text):
        os.write(self.master, text.encode())

    def interrupt(self):
        os.killpg(self.process.pid, signal.SIGINT)

    def ends(self):
        """Drain what is printed until the process has ended; return its exit code."""
        while self.process.poll() is None:
            if select.select([self.master], [], [], 0.05)[0]:
                self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
        return self.process.returncode


@pytest.fixture
def terminal(environment):
    opened = []

    def start(**more):
        opened.append(Terminal({**environment, **more}))
        return opened[-1]

    yield start
    for each in opened:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(each.process.pid, signal.SIGKILL)
        each.process.wait()
        os.close(each.master)
        os.close(each.slave)


def test_through_a_pipe_it_imports_answers_explains_and_ends_with_the_input(environment, bank):
    done = piped(environment, f"/import {bank}\nyes\n{SPENT}\n/why\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "$27.50" in done.stdout
    assert "Adds up to" in done.stdout
    assert "\x1b" not in done.stdout
    assert "> " not in done.stdout


def test_run_without_a_platform_is_the_console(environment):
    done = piped(environment, "", "run")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Money Minder answers questions about your own money")
    assert "/sample" in done.stdout


@pytest.mark.parametrize("name", ["SLACK__BOT_TOKEN", "SLACK__APP_TOKEN", "SLACK__SIGNING_SECRET"])
def test_run_with_half_of_a_platforms_settings_says_what_is_missing(environment, name):
    done = piped(environment, "", "run", **{f"MONEY_MINDER_{name}": "canary"})
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "canary" not in done.stderr
    assert piped(environment, "", "chat", **{f"MONEY_MINDER_{name}": "canary"}).returncode == 0


def test_noise_is_no_reason_to_stop(environment):
    noise = b"\xff\x00\x1b[2J\n" + b"x" * 100_000 + b"\n/\n/import\n/set\n'\n\\\n"
    done = subprocess.run(
        [*COMMAND, "chat"],
        input=noise,
        env=environment,
        cwd=environment["HOME"],
        capture_output=True,
        timeout=WAIT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout


def test_closed_input_and_output_are_no_reason_to_crash(environment):
    shell = "exec 0<&- 1>&-; exec " + " ".join([*COMMAND, "chat"])
    done = subprocess.run(
        ["/bin/sh", "-c", shell],
        env=environment,
        cwd=environment["HOME"],
        capture_output=True,
        timeout=WAIT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_model_adds_a_sentence_after_the_answer(environment, bank):
    piped(environment, f"{bank}\nyes\n")
    with OllamaServer(answers=["You spent {f1} there."]) as server:
        model = {"MONEY_MINDER_MODEL": f"ollama:{MODEL}", "MONEY_MINDER_OLLAMA_URL": server.url}
        done = piped(environment, f"{SPENT}\n", **model)
        assert "\nYou spent $27.50 there.\n" in done.stdout
        assert done.stdout.index("$27.50 at") < done.stdout.index("You spent")
        server.answers = ["You spent 99 dollars."]
        assert "99" not in piped(environment, f"{SPENT}\n", **model).stdout


def test_at_a_terminal_a_line_is_asked_for_and_the_end_of_input_ends_it(terminal):
    at = terminal()
    assert "/quit ends." in at.until("> ")
    at.type("/status\n")
    at.until("nothing in your ledger")
    at.until("> ")
    at.type("\x04")
    assert at.ends() == 0
    assert termios.tcgetattr(at.slave) == at.before


def test_quit_ends_it_and_what_was_typed_before_comes_back(terminal):
    at = terminal()
    at.until("> ")
    at.type("/model\n")
    at.until("no language model")
    at.until("> ")
    at.type("\x1b[A\n")
    at.until("no language model")
    at.until("> ")
    at.type("/qu\t\n")
    assert at.ends() == 0


def test_two_ctrl_c_leave_and_restore_the_terminal(terminal):
    at = terminal()
    at.until("> ")
    at.type("half a question")
    at.until("half a question")
    at.interrupt()
    at.until("Press Ctrl-C again to leave.")
    at.until("half a question")
    at.interrupt()
    assert at.ends() == 0
    assert termios.tcgetattr(at.slave) == at.before


def test_ctrl_c_stops_a_slow_answer(terminal, environment, bank):
    piped(environment, f"{bank}\nyes\n")
    with OllamaServer(answers=["slow"], slow_seconds=WAIT) as server:
        at = terminal(
            MONEY_MINDER_MODEL=f"ollama:{MODEL}", MONEY_MINDER_OLLAMA_URL=server.url, MONEY_MINDER_ROUTING="model"
        )
        at.until("> ")
        at.type(f"{SPENT}\n")
        at.until("Working")
        at.interrupt()
        at.until("Stopped.")
        at.until("> ")
        at.type("/quit\n")
        assert at.ends() == 0


def test_doctor_prints_json_and_its_exit_code_says_whether_anything_failed(environment, tmp_path):
    done = piped(environment, "", "doctor", "--json")
    shown = json.loads(done.stdout)
    assert (done.returncode, shown["ok"], done.stderr) == (0, True, "")
    assert {"name", "status", "found", "mend"} == set(shown["checks"][0])
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data" / "money.sqlite3").write_bytes(b"ruined" * 1000)
    done = piped(environment, "", "doctor")
    assert done.returncode == 1
    assert "FAIL  store" in done.stdout
