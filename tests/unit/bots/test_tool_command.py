"""``tool`` and ``ask`` end in an answer or in one sentence, whatever they are given."""

from __future__ import annotations

import asyncio
import io
import json
import random
from argparse import Namespace
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bots.app import console_person, open_app
from bots.cli import ask, tool
from bots.cli.main import main
from bots.errors import BotError
from bots.settings import Settings
from ledger.errors import LedgerError
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from tests.support import bank_files
from tools.registry import Registry

NAMES = [each.name for each in Registry.built_in()]
PARAMETERS = {each.name: list(each.parameters["properties"]) for each in Registry.built_in()}

#: What has broken programs that read JSON or text.
ODD = (
    "1e309", "-1e309", "1e-400", "NaN", "Infinity", 1e300, -1e300, 1e308, 10**18, 2**63, -(2**63) - 1, -1, 0, 0.5, 10**300,
    "9" * 30, "9" * 5000, "0." + "0" * 5000 + "1", "1" * 40 + ".55", "\ud800", "x\udfff", "\x00", "a\x00b", "\x1b[31mred",
    "\u202e2026", "\u2066last month\u2069", "\u200b", "", " ", "\n", "a\nb", "'; DROP TABLE transactions; --", "{f1}", "{f1}{f2}",
    "{0.__class__}", "%s%n", "last month", "2026-02-30", "0000-00-00", "9999-12-31", "10000-01-01", "0001-01-01",
    "the age of aquarius", "groceries", "Costco", "x" * 20_000, "٣", "½", "ⅷ", "１２", True, False, None, [], {}, [[]], [None],
    {"value": {"value": 1}}, ["groceries"] * 500, "-0", "+5", "5e", "0x10", "1_000", "1,000.00", "1.000,00", "$ 5", "five",
)  # fmt: skip
VALUES = (
    st.sampled_from(ODD)
    | st.text(max_size=20)
    | st.integers()
    | st.floats()
    | st.recursive(
        st.sampled_from(ODD),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=5,
    )
)
#: What a call needs to get as far as the other arguments.
NEEDED: dict[str, dict[str, Any]] = {
    "spending-analyze_by_category": {"category": "groceries"},
    "spending-analyze_merchant": {"merchant": "Costco"},
    "transactions-search_transactions": {"query": "coffee"},
    "spending-compare": {"category": ["groceries", "restaurants"]},
    "corrections-change": {"row": "latest Costco", "field": "note", "value": "for Ann"},
    "corrections-split": {"row": "latest Costco", "parts": "1 groceries and the rest shopping"},
    "entries-add": {"amount": "12.50", "what": "lunch"},
    "categories-assign": {"merchant": "Costco", "category": "shopping"},
}
RAW = ("", "{", "[]", "null", "3", '"{}"', "[" * 100_000, '{"a":' * 50_000, '{"limit":' + "9" * 1_000_000 + "}", "{}{}")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The settings of an installation with two years of an American household."""
    made = Settings(
        _env_file=None, data_dir=tmp_path_factory.mktemp("data"), model="builtin", now="2026-11-21T12:00:00+00:00"
    )

    async def fill() -> None:
        async with open_app(made) as app:
            file = SourceFile("mint.csv", bank_files.mint_csv(bank_files.american_lines()))
            await import_files(await app.repository(console_person(None)), [file])

    asyncio.run(fill())
    return made


def ended(command: Any, arguments: Namespace, made: Settings) -> tuple[int, str, str]:
    """Return the code of a command and what it wrote, as a terminal that takes UTF-8 alone would have it."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = asyncio.run(command.run(arguments, made))
        except (BotError, LedgerError) as error:  # which the command's grammar writes
            err.write(f"money-minder: {error.message}\n")
            code = 1
    return code, *(stream.buffer.getvalue().decode() for stream in (out, err))


def check(code: int, out: str, err: str) -> None:
    assert code in (0, 1)
    assert "Traceback" not in out + err
    if code == 1:
        assert err.startswith("money-minder: "), err
        assert err.count("\n") == 1, err
        assert "The tool failed" not in err, err
    else:
        assert out.strip()


def check_batch(arguments: str, code: int, out: str, err: str) -> None:
    """Several requests say each what became of it, under its id; the arguments as a whole are refused as any other's."""
    if code == 1 and not err:
        assert "requests" in json.loads(arguments)
        assert out.strip()
        assert "Traceback" not in out
        assert "The tool failed" not in out
    else:
        check(code, out, err)


def run_tool(made: Settings, name: str, text: str, *, as_json: bool = True) -> tuple[int, str, str]:
    given_ = Namespace(name=name, arguments=text, user=None, json=as_json, yes=False)
    return ended(tool, given_, made)


@pytest.mark.parametrize("name", NAMES)
async def test_every_odd_value_of_every_parameter_is_taken_or_refused(ledger: Settings, name: str) -> None:
    """None makes a tool fail, and what comes out can be written."""
    async with open_app(ledger) as app:
        context, found = await app.tool_context(console_person(None)), app.registry.get(name)
        assert found is not None
        for parameter in PARAMETERS[name]:
            for value in ODD:
                one = await tool._run(found, NEEDED.get(name, {}) | {parameter: value}, context, 60)
                said = one.reason if one.result is None else json.dumps(
                    await tool._json(found, one.arguments, one.result, context), ensure_ascii=False, allow_nan=False
                )  # fmt: skip
                assert said.encode()
                assert "\n" not in said, (parameter, value)
                assert not said.startswith("The tool failed"), (parameter, value)


def drawn(name: str, data: st.DataObject) -> str:
    names = st.sampled_from([*PARAMETERS[name], "requests", "x"])
    return json.dumps(NEEDED.get(name, {}) | data.draw(st.dictionaries(names, VALUES, max_size=4)))


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_arguments_end_in_an_answer_or_a_sentence(ledger: Settings, name: str, data: st.DataObject) -> None:
    arguments = drawn(name, data)
    check_batch(arguments, *run_tool(ledger, name, arguments, as_json=data.draw(st.booleans())))


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_very_many_arguments_end_in_an_answer_or_a_sentence(ledger: Settings, name: str, data: st.DataObject) -> None:
    arguments = drawn(name, data)
    check_batch(arguments, *run_tool(ledger, name, arguments, as_json=data.draw(st.booleans())))


@pytest.mark.parametrize("text", RAW, ids=range(len(RAW)))
def test_what_is_no_object_is_one_sentence(ledger: Settings, text: str) -> None:
    code, out, err = run_tool(ledger, "transactions-list", text)
    check(code, out, err)
    assert code == (0 if text in ("null", '"{}"') else 1)


async def test_any_question_ends_in_an_answer(ledger: Settings) -> None:
    drawn_ = random.Random(11)
    signs = ["".join(chr(drawn_.choice((33 + drawn_.randrange(90), drawn_.randrange(0xD7FF)))) for _ in range(9))
             for _ in range(30)]  # fmt: skip
    texts = [*signs, *(f"purchases over {each}".encode("utf-8", "replace").decode() for each in ODD)]
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    async with open_app(ledger) as app:
        with redirect_stdout(out), capture_logs():
            for text in texts:
                assert await ask._answer(app, Namespace(user=None, json=True), ask.Asked(text), 0.0) == 0, text
    assert len([json.loads(line) for line in out.buffer.getvalue().decode().splitlines()]) == len(texts)


@pytest.mark.parametrize("option", ["--user", "--thread"])
def test_words_that_are_no_text_are_wrong_usage(
    option: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MONEY_MINDER_DATA_DIR", str(tmp_path))
    with pytest.raises(SystemExit) as left:
        main(["ask", "How much?", option, "\udcff"])
    assert left.value.code == 2
    assert capsys.readouterr().err.endswith(f"money-minder: {option[2:]} is not written in UTF-8\n")
