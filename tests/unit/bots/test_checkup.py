"""Each part of an installation is looked at by itself, nothing is changed, and no secret is printed."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bots.cli import checkup as checkup_module
from bots.cli import model_checks, platform_checks
from bots.cli.check import Check
from bots.cli.checkup import checkup
from bots.cli.configuration import configure
from bots.settings import Settings
from language.catalogue import catalogue
from ledger.errors import EmbeddingUnavailable
from ledger.imports import import_files
from ledger.index import open_index
from ledger.people import Person
from ledger.search import catch_up
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.support.console import WordEmbedder
from tests.support.ollama_server import MODEL, OllamaServer
from tests.support.openai_server import KEY, NAME, OpenAIServer

if TYPE_CHECKING:
    from collections.abc import Iterator

SLACK = "xoxb-123456789012-canary-canary-canary"
BANK = b"Date,Description,Amount (USD)\n2026-01-02,TEA,-2.50\n2026-01-05,BUS,-3.00\n"


class BrokenEmbedder(WordEmbedder):
    async def embed(self, texts):
        raise EmbeddingUnavailable("The embedding model can't be loaded.")


@pytest.fixture
def directory(tmp_path):
    path = tmp_path / "data"
    path.mkdir(mode=0o700)
    return path


async def examined(directory, embedder=None, environment=None, **settings) -> dict[str, Check]:
    given = Settings(_env_file=None, data_dir=directory, **{"model": "builtin", **settings})
    found = [check async for check in checkup(given, embedder or WordEmbedder(), environment or {})]
    assert all(
        check.mend == "" if check.status == "ok" else check.mend.count("\n") == 0 < len(check.mend) for check in found
    )
    assert len({check.name for check in found}) == len(found)
    return {check.name: check for check in found}


async def furnish(directory) -> None:
    """Make a store and an index that agree."""
    store = await Store.open(directory / "money.sqlite3")
    await import_files(await store.repository(Person("console", "local", "me")), [SourceFile("a.csv", BANK)])
    index = await open_index(directory / "index", WordEmbedder())
    await catch_up(store, index)
    await index.close()
    await store.close()


async def test_a_new_installation_is_in_order_and_stays_untouched(tmp_path):
    found = await examined(tmp_path / "none")
    assert {check.status for check in found.values()} == {"ok"}
    assert list(tmp_path.iterdir()) == []


async def test_an_installation_in_use_is_in_order(directory):
    await furnish(directory)
    found = await examined(directory)
    assert {name for name, check in found.items() if check.status != "ok"} == set()
    assert "2 transactions" in found["store"].found
    assert found["search index"].found == "2 strings"


async def test_everything_else_is_checked_where_the_store_is_ruined(directory):
    await furnish(directory)
    (directory / "money.sqlite3").write_bytes(b"ruined" * 1000)
    for extra in ("-wal", "-shm"):
        (directory / f"money.sqlite3{extra}").unlink(missing_ok=True)
    found = await examined(directory)
    assert found["store"].status == "fail"
    assert "backups" in found["store"].mend
    assert [name for name, check in found.items() if check.status == "fail"] == ["store"]


async def test_a_store_of_a_newer_version_asks_for_an_update(directory):
    import sqlite3

    await (await Store.open(directory / "money.sqlite3")).close()
    with sqlite3.connect(directory / "money.sqlite3") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    found = await examined(directory)
    assert (found["store"].status, found["store"].mend) == ("fail", "Update Money Minder.")


async def test_a_database_server_that_is_not_there_is_said_without_its_password(directory):
    found = await examined(directory, database_url="postgresql://me:canary-secret@127.0.0.1:9/money")
    assert found["store"].status == "fail"
    assert "canary-secret" not in json.dumps([[check.found, check.mend] for check in found.values()])


async def test_a_directory_that_others_can_enter_is_warned_about(directory):
    directory.chmod(0o755)
    found = (await examined(directory))["data directory"]
    assert (found.status, found.mend) == ("warn", f"Run: chmod 700 {directory}")


async def test_a_directory_that_is_a_file_fails(tmp_path):
    path = tmp_path / "data"
    path.write_text("")
    assert (await examined(path))["data directory"].status == "fail"


async def test_a_full_disk_fails_and_a_nearly_full_one_warns(directory, monkeypatch):
    for free, status in ((10 * 2**20, "fail"), (200 * 2**20, "warn"), (2**40, "ok")):
        monkeypatch.setattr(shutil, "disk_usage", lambda _path, free=free: shutil._ntuple_diskusage(2**41, 2**40, free))
        assert (await examined(directory))["data directory"].status == status


async def test_an_index_in_use_by_the_bot_is_in_order(directory):
    await furnish(directory)
    index = await open_index(directory / "index", WordEmbedder())
    try:
        found = (await examined(directory))["search index"]
    finally:
        await index.close()
    assert found.status == "ok"
    assert "in use by another process" in found.found


async def test_an_index_that_lacks_what_the_store_has_is_warned_about(directory):
    await furnish(directory)
    index = await open_index(directory / "index", WordEmbedder())
    await index.remove([1])
    await index.close()
    found = (await examined(directory))["search index"]
    assert (found.status, found.found) == ("warn", "differs from the store by 1 strings")


async def test_an_index_of_another_embedder_is_stale(directory):
    await furnish(directory)
    (directory / "index" / "schema.json").write_text("{}")
    assert (await examined(directory))["search index"].found == "stale"


async def test_an_embedder_that_can_not_be_loaded_fails(directory):
    found = (await examined(directory, BrokenEmbedder()))["embedder"]
    assert (found.status, found.found) == ("fail", "The embedding model can't be loaded.")


async def test_a_model_that_is_there_and_keeps_to_a_grammar(directory):
    with OllamaServer(answers=["hm"]) as server:
        found = await examined(directory, model=f"ollama:{MODEL}", ollama_url=server.url)
        assert [found[name].status for name in ("ollama", "model", "grammar")] == ["ok", "ok", "ok"]
        server.grammar = False
        assert (await examined(directory, model="auto", ollama_url=server.url))["grammar"].status == "warn"


async def test_a_model_behind_openais_api_says_how_it_is_asked(directory):
    with OpenAIServer(answers=["hm"]) as server:
        named = {"model": f"openai:{NAME}", "openai": {"url": server.url, "key": KEY}}
        found = await examined(directory, **named)
        assert [found[name].status for name in ("openai", "model", "grammar")] == ["ok", "ok", "ok"]
        assert found["grammar"].found == f"{NAME} keeps to a grammar"
        server.honours = ("native",)
        assert (await examined(directory, **named))["grammar"].found == f"{NAME} calls tools"
        other = await examined(directory, **{**named, "model": "openai:other"})
        assert other["model"].status == "warn"
        shut_out = (await examined(directory, **{**named, "openai": {"url": server.url, "key": "sk-wrong"}}))["openai"]
        assert shut_out.status == "fail"
        assert "AuthenticationError 401" in shut_out.found
    assert (await examined(directory, model=f"openai:{NAME}"))["openai"].status == "fail"


async def test_a_model_that_is_missing_is_to_be_pulled(directory):
    with OllamaServer(answers=["hm"]) as server:
        missing = (await examined(directory, model="ollama:other:7b", ollama_url=server.url))["model"]
        assert (missing.status, missing.mend) == ("fail", "Run: ollama pull other:7b")
        server.models = ("nomic-embed-text",)
        assert (await examined(directory, model="auto", ollama_url=server.url))["model"].status == "warn"


async def test_a_server_that_does_not_answer_fails_only_where_its_model_was_asked_for(directory):
    url = "http://127.0.0.1:9"
    assert (await examined(directory, model="ollama:x", ollama_url=url))["ollama"].status == "fail"
    assert (await examined(directory, model="auto", ollama_url=url))["ollama"].status == "warn"
    assert (await examined(directory, model="auto", routing="builtin", ollama_url=url))["ollama"].status == "ok"


@pytest.mark.parametrize(
    ("slack", "status"),
    [
        ({}, "ok"),
        ({"bot_token": "wrong-canary"}, "fail"),
        ({"bot_token": SLACK}, "warn"),
        ({"bot_token": SLACK, "signing_secret": "canary"}, "fail"),
    ],
)
async def test_tokens_are_judged_by_their_form_and_never_shown(directory, slack, status):
    found = await examined(directory, slack=slack, discord={"token": "canary"})
    assert found["slack"].status == status
    assert found["discord"].status == "fail"
    assert "canary" not in json.dumps([[check.found, check.mend] for check in found.values()])


async def test_a_clock_that_stands_still_and_tracing_are_warned_about(directory):
    found = await examined(directory, now="2026-11-21", environment={"LANGSMITH_TRACING": "True"})
    assert (found["clock"].status, found["tracing"].status) == ("warn", "warn")
    assert "LANGSMITH_TRACING" in found["tracing"].mend
    sent = (await examined(directory, traces_url="http://me:secret@127.0.0.1:9/v1/traces"))["tracing"]
    assert (sent.status, sent.found) == ("ok", "of times alone, to http://127.0.0.1:9/v1/traces")


async def test_where_a_server_is_set_is_named_also_where_its_group_is_set_at_once(directory, monkeypatch):
    monkeypatch.setenv("MONEY_MINDER_SLACK", '{"api_url": "http://127.0.0.1:1/"}')
    monkeypatch.setenv("MONEY_MINDER_DATA_DIR", str(directory))
    configuration = configure({})
    found = [check async for check in checkup(configuration.settings, WordEmbedder(), {}, configuration)]
    (trusted,) = [check for check in found if check.name == "code and servers"]
    assert "MONEY_MINDER_SLACK__API_URL is http://127.0.0.1:1/ (the environment)" in str(trusted)


def _said_in(module: Any) -> Iterator[str]:
    """Yield the forms that a module of checks says, and the plain texts that it puts into a check."""
    for node in ast.walk(ast.parse(Path(module.__file__).read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("say", "Check"):
            texts = node.args[:1] if node.func.id == "say" else node.args[2:]
            yield from (each.value for each in texts if isinstance(each, ast.Constant) and isinstance(each.value, str))


@pytest.mark.parametrize("module", [checkup_module, model_checks, platform_checks])
def test_every_check_is_told_in_german(module):
    said = set(_said_in(module))
    assert len(said) > 15
    assert said - set(catalogue("de")) == set()
