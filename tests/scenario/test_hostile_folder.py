"""The command in a folder of somebody else's making, as Downloads is: nothing that lies there is read, imported or obeyed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bots.cli.main import _COMMANDS

COMMAND = Path(sys.executable).parent / "money-minder"
BANK = "Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n"
#: What Python or a library of ours might look for where it is started.
MODULES = (
    *("bots", "graph", "tools", "ledger", "language", "evals", "evil"),
    *(
        "sitecustomize",
        "usercustomize",
        "json",
        "typing",
        "asyncio",
        "pydantic",
        "sqlalchemy",
        "dotenv",
        "discord",
        "yaml",
    ),
)
ENV = """
MONEY_MINDER_EXTRA_TOOLS=./evil.py,evil
MONEY_MINDER_TOOL_SELECTION__CUSTOM=evil:Evil
MONEY_MINDER_TOOL_SELECTION__STRATEGY=keyword
MONEY_MINDER_DATABASE_URL=postgresql://thief:secret@127.0.0.1:1/theirs
MONEY_MINDER_QDRANT_URL=http://127.0.0.1:1
MONEY_MINDER_OLLAMA_URL=http://127.0.0.1:1/thief
MONEY_MINDER_SLACK__BOT_TOKEN=xoxb-11111111111111111111
MONEY_MINDER_SLACK__API_URL=http://127.0.0.1:1/thief/
MONEY_MINDER_DISCORD__TOKEN=thief
MONEY_MINDER_DATA_DIR=.
MONEY_MINDER_NOW=1999-01-01
"""
#: Every command, and the code with which it ends for someone with one transaction, and none of that folder's settings.
CALLS = {
    "run": ((), 0),
    "chat": ((), 0),
    "ask": (("How much did I spend at REWE in October 2026?",), 0),
    "import": (("bank.csv", "--dry-run"), 0),
    "layout": (("bank.csv",), 0),
    "undo": ((), 0),
    "tool": (("transactions-list", "{}"), 0),
    "tools": ((), 0),
    "period": (("last quarter",), 0),
    "export": ((), 0),
    "backup": (("copy.zip",), 0),
    "restore": (("missing.zip",), 1),
    "move": ((), 1),
    "workspace": ((), 0),
    "health": ((), 1),
    "forget": (("--yes",), 0),
    "prune": (("--days", "30", "--yes"), 0),
    "doctor": ((), 0),
    "discord": (("sync",), 1),
    "eval": (("--help",), 0),
}


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A folder in which whatever runs leaves a mark beside it."""
    return trapped(tmp_path)


@pytest.fixture(scope="module")
def brought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of someone who imported one transaction from such a folder."""
    folder = trapped(tmp_path_factory.mktemp("brought"))
    done = called(folder, "import", "bank.csv")
    assert done.returncode == 0, done.stderr
    return unharmed(folder) / "data"


def trapped(above: Path) -> Path:
    folder = above / "Downloads"
    folder.mkdir()
    sprung = f"open({str(above / 'sprung')!r}, 'a').write(__name__ + chr(10))\n"
    for name in MODULES:
        (folder / f"{name}.py").write_text(sprung)
    for name in ("bots", "tools", "evals"):
        (folder / name).mkdir()
        for module in ("__init__", "__main__", "cli"):
            (folder / name / f"{module}.py").write_text(sprung)
    (folder / ".env").write_text(ENV)
    (folder / "alembic.ini").write_text("[alembic]\nscript_location = evil\n")
    (folder / "pyproject.toml").write_text("[tool.money-minder]\nextra-tools = 'evil.py'\n")
    (folder / "bank.csv").write_text(BANK)
    return folder


def called(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command as a person would who stands in the folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MONEY_MINDER_", "PYTHON"))}
    settings = {"MONEY_MINDER_DATA_DIR": str(folder.parent / "data"), "MONEY_MINDER_MODEL": "builtin"}
    return subprocess.run(
        [COMMAND, *arguments],
        cwd=folder, env={**kept, **settings}, capture_output=True, text=True, check=False, input="", timeout=100,
    )  # fmt: skip


def unharmed(folder: Path) -> Path:
    """Return what is above a folder that nothing of ran, and beside which nothing was made but the data."""
    above = folder.parent
    assert not (above / "sprung").exists(), (above / "sprung").read_text()
    assert sorted(path.name for path in above.iterdir()) == ["Downloads", "data"]
    return above


def test_every_command_is_tried() -> None:
    assert CALLS.keys() == _COMMANDS.keys()


@pytest.mark.parametrize("name", CALLS)
def test_nothing_in_the_working_folder_changes_what_a_command_does(trap: Path, brought: Path, name: str) -> None:
    shutil.copytree(brought, trap.parent / "data")
    arguments, code = CALLS[name]
    ended = called(trap, name, *arguments)
    assert ended.returncode == code, (ended.stdout, ended.stderr)
    told = ended.stdout + ended.stderr
    assert not any(word in told for word in ("thief", "evil", "1999", "Traceback")), told
    unharmed(trap)
    if name in ("run", "doctor"):
        assert f"{trap / '.env'} " in told, "a file that someone may count on is named"


def test_what_is_named_outright_is_read(trap: Path) -> None:
    """The same file by ``--env-file``: its tools are loaded from beside it."""
    trap.chmod(0o700)
    (trap / ".env").chmod(0o600)
    (trap / ".env").write_text("MONEY_MINDER_EXTRA_TOOLS=mine.py\n")
    (trap / "mine.py").write_text(
        'from tools.registry import tool\n@tool(app="mine")\ndef hello() -> str:\n    """Say hello."""\n    return "hello"\n'
    )
    listed = called(trap, "tools", "--env-file", ".env")
    assert "mine-hello" in listed.stdout, listed.stderr
    doctor = called(trap, "doctor", "--env-file", str(trap / ".env"))
    assert f"MONEY_MINDER_EXTRA_TOOLS is {trap / 'mine.py'} ({trap / '.env'})" in " ".join(doctor.stdout.split())
    trap.chmod(0o777)
    refused = called(trap, "tools", "--env-file", ".env")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("money-minder: I read no settings from ")
    assert refused.stderr.count("\n") == 1
