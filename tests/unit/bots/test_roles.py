"""Sharing the work is asked for: what it needs is said, and nobody who does not ask pays for it."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from bots.app import App
from bots.cli.main import main
from bots.errors import CommandError
from bots.settings import Settings
from bots.worker import conninfo

SLACK = {"bot_token": "xoxb-1", "app_token": "xapp-1"}


@pytest.mark.parametrize("role", ["ingress", "worker"])
def test_sqlite_stays_with_one_process(sqlite_store, role):
    settings = Settings(role=role, slack=SLACK)
    with pytest.raises(CommandError, match=r"^Several processes need PostgreSQL: set MONEY_MINDER_DATABASE_URL"):
        App(settings, sqlite_store, lambda: None).server  # noqa: B018 - which is made when it is asked for


def test_without_a_platform_there_is_nothing_to_share(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MONEY_MINDER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("MONEY_MINDER_DATABASE_URL", raising=False)
    monkeypatch.setattr("bots.logs.configure_logs", lambda _level: None)  # it would log to this test's output for ever
    assert main(["run", "--role", "worker"]) == 1
    assert "set a token of Slack or Discord" in capsys.readouterr().err


def test_a_bot_that_is_alone_and_an_ingress_load_no_job_queue():
    modules = "bots.app", "bots.cli.chat", "bots.serving", "bots.runner", "bots.ingress", "bots.desk.duties"
    script = f"import sys, {', '.join(modules)}; print([m for m in ('procrastinate', 'psycopg') if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_the_tables_are_those_of_the_queue_that_is_installed():
    revision = import_module("ledger.migrations.versions.0016_jobs")
    newest = max(path.name for path in Path(revision.sql_of_jobs(), "migrations").glob("*.sql"))
    assert newest == revision.KNOWN, "a newer version of procrastinate needs a revision that brings its migrations"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://money@host:5433/db", "postgresql://money@host:5433/db?application_name=money-minder"),
        (
            "postgresql+asyncpg://money:se%40cret@host/db?ssl=require",
            "postgresql://money:se%40cret@host/db?application_name=money-minder&sslmode=require",
        ),
    ],
)
def test_one_address_means_the_same_to_both_drivers(url, expected):
    assert conninfo(url) == expected
