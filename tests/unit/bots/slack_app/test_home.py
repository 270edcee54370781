"""The App Home: what it shows of an overview, and that Slack takes it whatever the overview holds."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from bots.bars import MOST_ROWS, bar_lines
from bots.desk.overview import Overview
from bots.slack_app.buttons import parse_action
from bots.slack_app.home import home_view
from graph.reply import Reply, Text
from ledger.batches import Batch
from ledger.money import Money
from tests.support.slack.rendering import render_view
from tests.support.slack.validation import Rules
from tools.apps.accounts import AccountLine
from tools.results import Chart

HOSTILE = "<!channel> <https://evil.example|free> *bold* \u202egpj.exe & _x_ :tada:"


def reply(headline: str, definition: str = "6 purchases, 1–31 Oct 2026", details: str = "Groceries $402.15") -> Reply:
    texts = (Text(headline, "headline"), Text(definition, "definition"), Text(details, "details"))
    chart = Chart("Spending by category", ("Groceries", "Coffee"), (Decimal(3), Decimal(4)), "USD")
    return Reply("answer", headline, (*texts, chart))


def batch(*files: str, count: int = 17, at: str = "2026-11-21T02:30:00") -> Batch:
    imported = datetime.fromisoformat(at).replace(tzinfo=UTC)
    return Batch(1, imported, files, count, (Money(-100, "USD"),), date(2026, 10, 1), date(2026, 11, 20))


MONTHS = Chart(
    "Spending per month", ("August 2026", "September 2026", "October 2026"),
    (Decimal("3141.28"), Decimal(0), Decimal("13725.50")), "USD",
)  # fmt: skip


def overview(**fields: Any) -> Overview:
    whole: dict[str, Any] = {
        "is_empty": False,
        "locale": "en_US",
        "this_month": reply("$713.10 spent from 1 to 21 Nov 2026", "4 purchases, 1–21 Nov 2026"),
        "last_month": reply("$1,204.00 spent in October 2026"),
        "chart": MONTHS,
        "accounts": (
            AccountLine("Amex *Gold*", "credit card", 12, date(2026, 9, 2), date(2026, 11, 3), None, None),
            AccountLine("Giro", "", 1, date(2026, 9, 2), date(2026, 9, 2), Money(-115001, "USD"), date(2026, 10, 31)),
        ),
        "imports": (batch("checking.csv", "card.ofx"), batch("old.csv", count=1)),
        "settings": (("time_zone", "Europe/Berlin"), ("currency", "EUR")),
    }
    return Overview(**{**whole, **fields})


def taken(view: dict[str, Any]) -> str:
    """Return what a view shows, once Slack took it."""
    Rules({}).view(view)
    return render_view(view).text


def kinds(view: dict[str, Any]) -> list[str]:
    return [block["type"] for block in view["blocks"]]


def buttons(view: dict[str, Any]) -> list[dict[str, Any]]:
    return [element for block in view["blocks"] if block["type"] == "actions" for element in block["elements"]]


def test_the_figures_come_first_and_each_has_its_definition() -> None:
    view = home_view(overview())
    shown = taken(view).splitlines()
    assert shown[:2] == ["$713.10 spent from 1 to 21 Nov 2026", "4 purchases, 1–21 Nov 2026"]
    assert shown.index("$1,204.00 spent in October 2026") > 2
    bars = [line for line in shown if "█" in line]
    assert [line.split()[0] for line in bars] == ["Groceries", "Coffee", "Groceries", "Coffee", "August", "October"]
    assert "data_visualization" not in kinds(view)


def test_a_month_to_date_stands_beside_the_same_days_of_the_last_one() -> None:
    told = "$54.00 (8.2%) more from 1 to 21 Nov 2026 than from 1 to 21 Oct 2026"
    assert taken(home_view(overview(compared=told))).splitlines()[1] == told


def test_what_is_wanted_most_is_one_press_away() -> None:
    pressed = [parse_action(each["action_id"], each.get("value", ""), "") for each in buttons(home_view(overview()))]
    assert [(each.action, each.value) for each in pressed if each is not None][:5] == [
        ("ask", "Compare this month with last month"),
        ("ask", "List my recurring payments"),
        ("ask", "What is due next?"),
        ("help", ""),
        ("import", ""),
    ]


def test_the_accounts_are_listed_each_with_what_is_known_of_it() -> None:
    shown = taken(home_view(overview())).splitlines()
    place = shown.index("Accounts")
    assert shown[place + 1 : place + 3] == [
        "Amex *Gold*: credit card · 12 transactions · up to 3 Nov 2026",
        "Giro: 1 transaction · up to 2 Sep 2026 · -$1,150.01 as of 31 Oct 2026",
    ]
    many = tuple(AccountLine(f"Account {number}", "", 1, None, None, None, None) for number in range(30))
    assert "18 more accounts: “accounts” in the Messages tab lists them." in taken(home_view(overview(accounts=many)))
    assert "Accounts" not in taken(home_view(overview(accounts=()))).splitlines()


@given(
    st.lists(
        st.tuples(st.text(max_size=40), st.decimals(-(10**12), 10**12, allow_nan=False, places=2)),
        min_size=1,
        max_size=MOST_ROWS,
    )
)
def test_lines_of_a_chart_are_of_one_width_and_longer_for_more(points: list[tuple[str, Decimal]]) -> None:
    labels, values = zip(*points, strict=True)
    lines = bar_lines(Chart("Any", labels, values, "EUR"), "de_DE")
    assert len({cell_len(line) for line in lines}) == 1
    lengths = [line.count("█") - label.count("█") for line, label in zip(lines, labels, strict=True)]
    for value, length in zip(values, lengths, strict=True):
        if "█" not in "".join(labels):
            assert (length > 0) == (value > 0)
    if "█" not in "".join(labels):
        by_value = [length for _, length in sorted(zip(values, lengths, strict=True))]
        assert by_value == sorted(by_value)


def test_imports_are_listed_by_the_persons_own_day() -> None:
    lines = taken(home_view(overview(settings=(("time_zone", "America/Los_Angeles"),)))).splitlines()
    assert "20 Nov 2026: checking.csv, card.ofx · 17 transactions · 1 Oct – 20 Nov 2026" in lines
    assert "20 Nov 2026: old.csv · 1 transaction · 1 Oct – 20 Nov 2026" in lines
    assert any("“undo”" in line for line in lines)


def test_a_time_zone_that_is_no_longer_known_costs_nothing() -> None:
    assert "checking.csv" in taken(home_view(overview(settings=(("time_zone", "Mars/Olympus"),))))


def test_deleting_asks_at_once_and_can_always_be_asked_for() -> None:
    for writes in (True, False):
        view = home_view(overview(), writes=writes)
        taken(view)
        *others, last = buttons(view)
        assert ("Change settings" in [each["text"]["text"] for each in others]) is writes
        assert ("style" in last, last["confirm"]["style"]) == (False, "danger")
        assert all("confirm" not in other for other in others)
        action = parse_action(last["action_id"], last["value"], "")
        assert action is not None
        assert (action.action, action.value) == ("forget", "everything")


def test_an_empty_ledger_says_how_to_bring_a_file_in_place_of_figures() -> None:
    view = home_view(Overview(is_empty=True, locale="en_US"))
    shown = taken(view)
    assert "drop it in the Messages tab" in shown
    assert "$" not in shown
    assert [button["text"]["text"] for button in buttons(view)] == [
        "Try with made-up data", "What I can ask", "Change settings", "Delete my data",
    ]  # fmt: skip


def test_switched_off_summaries_are_said_to_be() -> None:
    shown = taken(home_view(overview(this_month=None, last_month=None, chart=None)))
    assert "switched off" in shown
    assert "checking.csv" in shown


def test_the_note_of_the_conversation_is_kept() -> None:
    assert home_view(overview(), metadata="note")["private_metadata"] == "note"
    assert "private_metadata" not in home_view(overview())


@pytest.mark.parametrize("word", ["x", HOSTILE, "Größe ", "買い物", "\U0001f355", "\x00\ud800", "\n"])
def test_slack_takes_a_home_of_any_length(word: str) -> None:
    long = (word * 5000)[:5000]
    view = home_view(
        overview(
            this_month=reply(long, long, long),
            last_month=reply(word * 150 or "…", "", ""),
            chart=Chart(long, tuple(f"{n} {long}" for n in range(20)), (Decimal("99999999999.99"),) * 20, "USD"),
            imports=tuple(batch(*[long] * 50, count=10**9) for _ in range(3)),
            settings=tuple((f"{n} {long}", long) for n in range(40)),
        ),
        metadata="m" * 3000,
    )
    taken(view)
    assert kinds(view)[-1] == "actions", "nothing was cut off at the end"


def test_nothing_in_a_home_pings_links_or_turns_around() -> None:
    view = home_view(
        overview(
            this_month=reply(HOSTILE, HOSTILE, HOSTILE),
            chart=Chart(HOSTILE, (HOSTILE,), (Decimal(1),), "USD"),
            imports=(batch(HOSTILE),),
            settings=(("locale", HOSTILE),),
        ),
    )
    taken(view)
    screen = render_view(view)
    assert not screen.mentions
    assert not screen.pings
    assert not screen.links
    assert "\u202e" not in screen.text
    assert "mrkdwn" not in str(view)
