"""From SQLite to PostgreSQL by the unmodified program: the same answers."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest

from ledger.store import Store
from tests.conftest import take_all_out
from tests.support import nursery

ROOT = Path(__file__).parents[2]
STATEMENT = "Date,Description,Amount (USD)\n2026-10-03,ALDI SUED,-41.37\n2026-10-15,ACME SALARY,2500.00\n2026-10-28,IKEA,-99.05\n"


@pytest.fixture
def target(postgres_url):
    yield postgres_url
    asyncio.run(_emptied(postgres_url))


async def _emptied(url: str) -> None:
    store = await Store.open(url)
    await take_all_out(store)
    await store.close()


def test_the_ledger_answers_from_its_new_place(target, tmp_path):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MONEY_MINDER_")}
    old = {**kept, "MONEY_MINDER_DATA_DIR": str(tmp_path / "data"), "MONEY_MINDER_MODEL": "builtin"}
    old["MONEY_MINDER_NOW"] = "2026-11-21T12:00:00+00:00"
    new = {**old, "MONEY_MINDER_DATABASE_URL": target}

    def run(environment: dict[str, str], *arguments: str) -> str:
        ended = nursery.run(arguments, environment, ROOT)
        assert ended.returncode == 0, ended.stderr.decode()
        return ended.stdout.decode()

    (tmp_path / "bank.csv").write_text(STATEMENT)
    run(old, "import", str(tmp_path / "bank.csv"))
    asked = ("ask", "How much did I spend in October?", "--thread", "budget", "--json")
    before = json.loads(run(old, *asked))["facts"]
    assert "3 transactions of 1 person moved; every row was read again and compared." in run(new, "move")
    assert json.loads(run(new, *asked))["facts"] == before != []
