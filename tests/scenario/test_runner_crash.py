"""A bot killed at any point of a turn answers every message once after it is started again."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BOT = Path(__file__).with_name("crashing_bot.py")

POINTS = ["after accept", "after claim", "during the turn", "before commit", "after finish", "after send"]

SAID = [("anna", "one"), ("ben", "canary of ben"), ("anna", "two"), ("anna", "three")]

SHOWN = {
    "anna: one (after: )",
    "ben: canary of ben (after: )",
    "anna: two (after: one)",
    "anna: three (after: one, two)",
}


@pytest.fixture
def platform(tmp_path):
    for name in ("incoming", "acknowledged", "shown"):
        (tmp_path / name).mkdir()
    for number, (person, text) in enumerate(SAID):
        (tmp_path / "incoming" / f"event-{number}").write_text(json.dumps({"person": person, "text": text}))
    return tmp_path


def run(platform, point):
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, str(BOT), str(platform), point]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, timeout=100, check=False)


def shown(platform):
    return [path.read_text() for path in (platform / "shown").iterdir() if not path.suffix]


def query(platform, sql):
    with sqlite3.connect(platform / "ledger.sqlite3") as connection:
        rows = connection.execute(sql).fetchall()
    connection.close()
    return rows


def assert_whole(platform):
    """Every message answered once, as each person's own history has it, and nothing left over."""
    assert sorted(shown(platform)) == sorted(SHOWN)
    assert query(platform, "SELECT state, count(*) FROM inbox GROUP BY state") == [("done", 4)]
    assert query(platform, "SELECT state, count(*) FROM outbox GROUP BY state") == [("sent", 4)]
    turns = query(
        platform, "SELECT c.key, t.text FROM turns t JOIN conversations c ON c.id = conversation_id ORDER BY t.id"
    )
    assert [text for key, text in turns if key.endswith("anna")] == ["one", "two", "three"]
    assert [text for key, text in turns if key.endswith("ben")] == ["canary of ben"]
    assert query(platform, "PRAGMA integrity_check") == [("ok",)]
    assert query(platform, "PRAGMA foreign_key_check") == []


@pytest.mark.parametrize("point", POINTS)
def test_every_message_is_answered_once_after_a_kill(platform, point):
    assert run(platform, point).returncode == -signal.SIGKILL
    restarted = run(platform, "nowhere")
    assert restarted.returncode == 0, restarted.stderr.decode()
    assert_whole(platform)


def test_even_when_it_is_killed_again_and_again(platform):
    """Only the kill between the platform's yes and our note of it sends a reply again; its key tells it is the same."""
    for point in POINTS:
        assert run(platform, point).returncode == -signal.SIGKILL
    assert run(platform, "nowhere").returncode == 0
    assert_whole(platform)
    assert len((platform / "sends").read_text().split()) == len(SAID) + 1
