"""The board and the alerts in deploy: every query names metrics and labels that the bot tells, and Prometheus takes all of them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from bots.contracts import ConversationKey, Duty, Message, Question
from bots.metrics import Metrics
from graph.models.choice import ModelChoice
from graph.reply import Audience, Reply
from graph.turn import TurnOutcome

ROOT = Path(__file__).parents[2]
BOARD = json.loads((ROOT / "deploy/grafana-board.json").read_text(encoding="utf-8"))
GROUPS = yaml.safe_load((ROOT / "deploy/alerts.yaml").read_text(encoding="utf-8"))["groups"]
ALERTS = [rule for group in GROUPS for rule in group["rules"]]
QUERIES = [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]
#: What Prometheus adds to whatever it scrapes.
ITS_OWN = {"up": {"job": {"money-minder"}}}
PROMTOOL = shutil.which("promtool")


@pytest.fixture
async def metrics(sqlite_store, alice, clock) -> str:
    """All that a bot tells which has done everything once."""
    metrics = Metrics(clock.seconds, clock.now)
    metrics.models = ModelChoice("builtin", "http://127.0.0.1:9")
    conversation = ConversationKey("slack", "home", "c", "", alice)
    message = Message(alice, conversation, "1", "c", None, Audience.PRIVATE, clock.now(), Question(""))
    for kind in ("answer", "clarify", "refuse", "error"):
        for by in ("builtin", "ollama:x", "program"):
            metrics.answered(message, 0.0, Reply(kind, ""), TurnOutcome(Reply(kind, ""), trace={"answered_by": by}))
    for value in ("right", "wrong"):
        pressed = Message(
            alice,
            conversation,
            value,
            "c",
            None,
            Audience.PRIVATE,
            clock.now(),
            content=Duty("feedback", {"value": value}),
        )
        metrics.answered(pressed, 0.0, Reply("answer", ""), None)
    metrics.acknowledged("slack", 0.0)
    for sent in (True, False):
        metrics.delivered("slack", 0.0, sent=sent)
    return await metrics.text(sqlite_store)


def told(text: str) -> dict[str, dict[str, set[str]]]:
    """Return the labels of each metric and their values, as they are told."""
    found: dict[str, dict[str, set[str]]] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, labels = re.match(r"(\w+)(?:\{(.*)\})? ", line).groups()
            values = found.setdefault(name, {})
            for label, value in re.findall(r'(\w+)="([^"]*)"', labels or ""):
                values.setdefault(label, set()).add(value)
    return {**found, **ITS_OWN}


def wrong(query: str, known: dict[str, dict[str, set[str]]]) -> Iterator[str]:
    """Yield what a query names that nobody tells."""
    names = re.findall(r"\b((?:money_minder_|up\b)\w*)(?:\{([^}]*)\})?", query)
    if not names:
        yield "no metric"
    labels: dict[str, set[str]] = {}
    for name, matchers in names:
        if name not in known:
            yield name
            continue
        labels |= known[name]
        for label, value in re.findall(r'(\w+)!?=~?"([^"]*)"', matchers):
            if value not in known[name].get(label, set()):
                yield f"{name}{{{label}={value}}}"
    for group in re.findall(r"\b(?:by|ignoring) \(([^)]*)\)", query):
        yield from (label for label in re.findall(r"\w+", group) if label not in labels)


@pytest.mark.parametrize("query", [*QUERIES, *(alert["expr"] for alert in ALERTS)])
async def test_every_query_names_what_the_bot_tells(metrics: str, query: str) -> None:
    assert list(wrong(query, told(metrics))) == []


async def test_a_query_of_what_nobody_tells_is_found(metrics: str) -> None:
    known = told(metrics)
    assert list(wrong("rate(money_minder_answers_total[5m])", known)) == ["money_minder_answers_total"]
    assert list(wrong('money_minder_waiting{what="dishes"}', known)) == ["money_minder_waiting{what=dishes}"]
    assert list(wrong("sum by (person) (money_minder_people)", known)) == ["person"]


async def test_everything_that_the_bot_tells_is_on_the_board(metrics: str) -> None:
    bare = {re.sub(r"_(bucket|sum|count)$", "", name) for name in told(metrics)} - ITS_OWN.keys()
    queries = " ".join(QUERIES)
    assert {name for name in bare if name not in queries} == set()


def test_the_board_is_drawn_on_a_grid_without_overlaps() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in BOARD["panels"]:
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not cells & taken, panel["title"]
        assert place["x"] + place["w"] <= 24
        taken |= cells
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    assert {source["uid"] for source in sources(BOARD["panels"])} == {"${datasource}"}


def sources(part: Any) -> Iterator[Any]:
    """Yield every data source that is named."""
    if isinstance(part, dict):
        if "datasource" in part:
            yield part["datasource"]
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from sources(each)


def test_every_alert_says_how_urgent_it_is_and_what_to_do() -> None:
    for alert in ALERTS:
        assert alert["labels"]["severity"] in ("page", "look")
        assert alert["annotations"].keys() == {"summary", "what_to_do"}


@pytest.mark.skipif(PROMTOOL is None, reason="promtool is not installed")
class TestWithPromtool:
    def test_it_takes_the_alerts(self) -> None:
        run("check", "rules", str(ROOT / "deploy/alerts.yaml"))

    def test_it_takes_the_queries_of_the_board(self, tmp_path: Path) -> None:
        rules = [
            {"record": f"board:{number}", "expr": query.replace("$__rate_interval", "5m")}
            for number, query in enumerate(QUERIES)
        ]
        file = tmp_path / "board.yaml"
        file.write_text(yaml.safe_dump({"groups": [{"name": "board", "rules": rules}]}))
        run("check", "rules", str(file))

    def test_it_takes_the_metrics(self, metrics: str) -> None:
        run("check", "metrics", given=metrics)

    @pytest.mark.parametrize(
        ("alert", "series", "labels"),
        [
            ("MoneyMinderAway", {'up{job="money-minder"}': "0x80"}, {"job": "money-minder"}),
            ("MoneyMinderAnswersNobody", {"money_minder_oldest_message_seconds": "0+60x80"}, {}),
            ("MoneyMinderRepliesPutAside", {'money_minder_waiting{what="put_aside"}': "2x80"}, {}),
            (
                "MoneyMinderTakesLongToAcknowledge",
                {
                    'money_minder_acknowledge_seconds_bucket{platform="slack",le="1.0"}': "0+1x80",
                    'money_minder_acknowledge_seconds_bucket{platform="slack",le="3.0"}': "0+60x80",
                    'money_minder_acknowledge_seconds_bucket{platform="slack",le="+Inf"}': "0+60x80",
                },
                {"platform": "slack"},
            ),
            (
                "MoneyMinderManyErrors",
                {
                    'money_minder_answer_seconds_count{kind="error"}': "0+2x80",
                    'money_minder_answer_seconds_count{kind="answer"}': "0+10x80",
                },
                {},
            ),
            (
                "MoneyMinderAnswersSlowly",
                {
                    'money_minder_answer_seconds_bucket{by="model",le="10.0"}': "0+1x80",
                    'money_minder_answer_seconds_bucket{by="model",le="30.0"}': "0+60x80",
                    'money_minder_answer_seconds_bucket{by="model",le="+Inf"}': "0+60x80",
                },
                {"by": "model"},
            ),
            ("MoneyMinderModelRests", {"money_minder_model_resting": "1x80"}, {}),
            ("MoneyMinderModelIsCrowded", {"money_minder_model_turned_away_total": "0+10x80"}, {}),
            (
                "MoneyMinderManySaidToBeWrong",
                {
                    'money_minder_feedback_total{verdict="wrong"}': "0+1x80",
                    'money_minder_feedback_total{verdict="right"}': "0+1x80",
                },
                {},
            ),
        ],
    )
    def test_every_alert_can_be_raised_and_is(
        self, tmp_path: Path, alert: str, series: dict[str, str], labels: dict[str, str]
    ) -> None:
        (rule,) = [each for each in ALERTS if each["alert"] == alert]
        raised = {"exp_labels": {**rule["labels"], **labels}, "exp_annotations": filled(rule["annotations"], labels)}
        case = {
            "interval": "1m",
            "input_series": [{"series": name, "values": values} for name, values in series.items()],
            "alert_rule_test": [{"eval_time": "75m", "alertname": alert, "exp_alerts": [raised]}],
        }
        file = tmp_path / "test.yaml"
        file.write_text(yaml.safe_dump({"rule_files": [str(ROOT / "deploy/alerts.yaml")], "tests": [case]}))
        run("test", "rules", str(file))


def filled(annotations: dict[str, str], labels: dict[str, str]) -> dict[str, str]:
    return {
        name: re.sub(r"\{\{ \$labels\.(\w+) \}\}", lambda found: labels[found[1]], text)
        for name, text in annotations.items()
    }


def run(*arguments: str, given: str = "") -> None:
    assert PROMTOOL is not None
    ended = subprocess.run([PROMTOOL, *arguments], input=given, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
