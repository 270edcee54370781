"""The unmodified program over three bank files: every figure equals a plain csv-and-Decimal calculation."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.support import nursery
from tests.support.bank_files import (
    Line,
    american_lines,
    german_csv,
    german_lines,
    mint_csv,
    spent,
    three_column_csv,
    within,
)
from tests.support.ollama_server import MODEL, OllamaServer

AMERICAN = american_lines()
GERMAN = german_lines()
OCTOBER = within("2026-10-01", "2026-10-31")
SEPTEMBER = within("2026-09-01", "2026-09-30")

Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the command over a data directory of its own and returns the JSON that it printed."""

    def command(*arguments: str, code: int = 0, **settings: str) -> Any:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("MONEY_MINDER_")}
        environment |= {
            "MONEY_MINDER_DATA_DIR": str(tmp_path / "data"),
            "MONEY_MINDER_NOW": "2026-11-21T12:00:00",
            "MONEY_MINDER_MODEL": "builtin",
            **settings,
        }
        done = nursery.run([*arguments, "--json"], environment, Path(__file__).parents[2])
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout)

    return command


def put(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


def amounts(answer: dict[str, Any]) -> list[Decimal]:
    return [Decimal(fact["value"]) for fact in answer["facts"] if fact["unit"] == "money"]


def shop(*names: str) -> Callable[[Line], bool]:
    return lambda line: line.name in names


def test_mint_style_file(run: Run, tmp_path: Path) -> None:
    """The file of a categorised household, asked about alone and in a thread."""
    report = run("import", put(tmp_path / "mint.csv", mint_csv(AMERICAN)))["files"][0]
    assert (report["found"], report["added"], report["rejected"]) == (len(AMERICAN), len(AMERICAN), [])
    assert Decimal(report["sums"]["USD"]) == sum(line.amount for line in AMERICAN)
    assert (report["first"], report["last"]) == (AMERICAN[0].day.isoformat(), AMERICAN[-1].day.isoformat())

    answer = run("ask", "How much did I spend on groceries in October?", "--thread", "t")
    assert 0.5 <= answer["confidence"] <= 1
    groceries = [line for line in AMERICAN if line.category == "Groceries"]
    assert amounts(answer)[0] == spent(groceries, OCTOBER)
    assert answer["period"] == {"start": "2026-10-01", "end": "2026-10-31"}
    assert len(answer["row_ids"]) == sum(OCTOBER(line) for line in groceries)
    assert answer["calls"][0]["name"] == "spending-analyze_by_category"
    assert answer["calls"][0]["proposed_by"] == "planner"
    assert (answer["model"], answer["usage"]["model_calls"], answer["audience"]) == ("builtin", 0, "private")

    assert amounts(run("ask", "and in September?", "--thread", "t"))[0] == spent(groceries, SEPTEMBER)
    compared = run("ask", "how does that compare?", "--thread", "t")
    assert amounts(compared)[1] == spent(groceries, SEPTEMBER)

    summary = run("ask", "Give me a summary of last month")
    assert amounts(summary)[0] == spent(AMERICAN, OCTOBER)
    income = run("ask", "How much did I earn in October?")
    earned = sum(x.amount for x in AMERICAN if OCTOBER(x) and x.category in ("Paycheck", "Interest Income"))
    assert amounts(income)[0] == earned


def test_three_column_file(run: Run, tmp_path: Path) -> None:
    """No categories in the file: they come from what is known of brands."""
    card = [line for line in AMERICAN if line.account == "Visa Card"]
    report = run("import", put(tmp_path / "visa.csv", three_column_csv(card)))["files"][0]
    assert report["added"] == len(card)
    assert Decimal(report["sums"]["USD"]) == sum(line.amount for line in card)
    coffee = spent(card, lambda line: line.name in ("Starbucks", "Blue Bottle Coffee") and OCTOBER(line))
    assert amounts(run("ask", "How much did I spend on coffee in October?"))[0] == coffee
    assert amounts(run("ask", "How much did I spend at Costco in 2026?"))[0] == spent(
        card, lambda line: line.name == "Costco" and line.day.year == 2026
    )


def test_german_file(run: Run, tmp_path: Path) -> None:
    """Semicolons, latin-1, dd.mm.yyyy, decimal commas; asked in German."""
    report = run("import", put(tmp_path / "giro.csv", german_csv(GERMAN)))["files"][0]
    assert report["added"] == len(GERMAN)
    assert Decimal(report["sums"]["EUR"]) == sum(line.amount for line in GERMAN)
    answer = run("ask", "Wie viel habe ich im Oktober für Lebensmittel ausgegeben?", "--thread", "t")
    food = [line for line in GERMAN if line.name in ("REWE Markt", "EDEKA")]
    assert amounts(answer)[0] == spent(food, OCTOBER)
    assert answer["facts"][0]["currency"] == "EUR"
    assert amounts(run("ask", "und im September?", "--thread", "t"))[0] == spent(food, SEPTEMBER)
    largest = run("ask", "Was war meine größte Ausgabe im September?")
    assert amounts(largest)[0] == max(-x.amount for x in GERMAN if SEPTEMBER(x))


def test_model_behind_ollama(run: Run, tmp_path: Path) -> None:
    """Names and dates are the words', whatever the model writes; a dead server costs no answer."""
    run("import", put(tmp_path / "mint.csv", mint_csv(AMERICAN)))
    call = {"tool": "ledger-ask", "arguments": {"act": "total", "merchant": "Target", "start_date": "october"}}
    expected = spent(AMERICAN, lambda line: line.name == "Costco" and SEPTEMBER(line))
    with OllamaServer([call]) as server:
        settings = {"MONEY_MINDER_OLLAMA_URL": server.url, "MONEY_MINDER_MODEL": f"ollama:{MODEL}"}
        answer = run("ask", "costco damage in september?", "--routing", "model", **settings)
    assert amounts(answer)[0] == expected
    assert answer["model"] == f"ollama:{MODEL}"
    assert answer["usage"]["model_calls"] >= 1
    settings["MONEY_MINDER_OLLAMA_URL"] = "http://127.0.0.1:9"
    answer = run("ask", "How much did I spend at Costco in September?", "--routing", "model", **settings)
    assert amounts(answer)[0] == expected


def test_questions_beside_the_point(run: Run, tmp_path: Path) -> None:
    """An empty ledger says how to fill it; nonsense gets what can be asked."""
    empty = run("ask", "How much did I spend last month?")
    assert "import" in empty["text"].casefold()
    run("import", put(tmp_path / "mint.csv", mint_csv(AMERICAN)))
    refused = run("ask", "what is the weather like")
    assert refused["kind"] == "refuse"
    assert not refused["facts"]
    nothing = run("ask", "How much did I spend on groceries in February 2010?")
    assert Decimal(amounts(nothing)[0]) == 0
    assert "21 Nov 2024" in nothing["text"]
    ahead = run("ask", "How much did I spend on groceries in February 2030?")
    assert not amounts(ahead), ahead["text"]
    assert ahead["text"].startswith("I know only what is booked, nothing of the future.")
