"""What is right, and above all what is not: each case is a reply that a lenient judge would let pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from evals.bank_files import Ledger
from evals.judging import Verdict, describe, judge
from evals.questions import read_question
from evals.replies import keep, read_reply

OCTOBER = {"from": "2026-10-01", "to": "2026-10-31"}
SEPTEMBER = {"from": "2026-09-01", "to": "2026-09-30"}
GROCERIES = {"category": ["Groceries"]}
SPENT = {"measure": "spent", "where": {**GROCERIES, **SEPTEMBER}}  # 60.00
COUNT = {"measure": "count", "where": {**GROCERIES, **SEPTEMBER}}  # 2
TOOL = "spending-analyze_by_category"

Judged = Callable[..., Verdict]


def money(value: str, currency: str = "USD") -> dict[str, Any]:
    return {"unit": "money", "value": value, "currency": currency}


def count(value: int) -> dict[str, Any]:
    return {"unit": "count", "value": value, "currency": None}


def call(name: str = TOOL, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments, "proposed_by": "planner", "changed_by_validation": False}


SEPTEMBERS_GROCERIES = call(category="Groceries", start_date="2026-09-01", end_date="2026-09-30")


def reply(headline: str, *facts: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The command's answer about September's groceries, unless it says otherwise."""
    made = {
        "kind": "answer",
        "headline": headline,
        "text": headline,
        "facts": list(facts),
        "calls": [SEPTEMBERS_GROCERIES],
        "period": {"start": "2026-09-01", "end": "2026-09-30"},
        "row_ids": [1, 2],
        "usage": {"model_calls": 1, "input_tokens": 10, "output_tokens": 5},
        "seconds": 0.5,
    }
    return {**made, **more}


@pytest.fixture
def judged(ledger: Ledger) -> Judged:
    """Judges a reply to a question about September's groceries, or another one."""

    def judge_reply(made: dict[str, Any], *figures: dict[str, Any], peer: bool = False, **changes: Any) -> Verdict:
        expect = {
            "outcome": "answer",
            "tools": [TOOL],
            "period": ["2026-09-01", "2026-09-30"],
            "figures": list(figures or (SPENT,)),
        }
        expect |= {name: value for name, value in changes.items() if name not in ("kind", "earlier")}
        question = {"id": "us-001", "kind": changes.get("kind", "single"), "language": "en", "turns": ["?"]}
        read = read_question({**question, "expect": expect}, "american")
        stored = {**keep(made), "earlier_calls": changes.get("earlier")}
        return judge(read, read_reply(stored), ledger, peer=peer)

    return judge_reply


def test_a_right_reply(judged: Judged) -> None:
    verdict = judged(reply("$60.00 on groceries in September 2026", money("60.00")))
    assert verdict == Verdict(tool=True, arguments=True, exact=True)
    assert verdict.right


def test_a_comparison_may_state_the_totals_beside_the_difference(judged: Judged) -> None:
    assert judged(reply("$5.00 less in September ($60.00) than in August ($65.00)", money("60.00"))).exact
    assert not judged(reply("$60.00 more in September than in August", money("60.00"))).exact


def test_german_writing_and_signs(judged: Judged) -> None:
    figure = {"measure": "spent", "where": {"category": ["Rent"], **SEPTEMBER}}
    assert judged(reply("900,00 € für Miete", money("900.00")), figure).exact
    assert judged(reply("-$900.00", money("-900.00")), figure).exact


@pytest.mark.parametrize(
    ("headline", "fact"),
    [
        ("$60.00 spent", money("60.00", "EUR")),
        ("$60.00 spent", money("60.01")),
        ("$60.01 spent", money("60.00")),
        ("$160.00 spent", money("60.00")),
        ("$60 thousand and more", money("60000.00")),
        ("60.00% of it", money("60.00")),
        ("60 purchases", money("60.00")),
        ("$60.00 spent", {"unit": "percent", "value": "60.00", "currency": None}),
        ("2 purchases on groceries", money("60.00")),
        ("$60.00 more on groceries in September than in August", money("60.00")),
    ],
)
def test_a_figure_that_is_off_anywhere_is_not_exact(judged: Judged, headline: str, fact: dict[str, Any]) -> None:
    verdict = judged(reply(headline, fact))
    assert (verdict.exact, verdict.confident_wrong) == (False, True)
    assert verdict.why


def test_the_main_figure_stands_in_the_headline(judged: Judged) -> None:
    """In “several” and in lists it may stand further down."""
    made = reply("2 purchases", money("60.00"), count(2), text="2 purchases\n$60.00 in all")
    assert not judged(made).exact
    assert judged(made, SPENT, COUNT, kind="several").exact
    assert judged(made, COUNT, SPENT).exact
    listed = {"measure": "row_sum", "where": {**GROCERIES, **SEPTEMBER}}
    assert judged(made, listed).exact
    assert not judged(reply("2 purchases", count(2)), listed).exact


def test_every_figure_is_given(judged: Judged) -> None:
    assert judged(reply("$60.00", money("60.00"), count(2)), SPENT, COUNT).exact
    assert not judged(reply("$60.00 in 2 purchases", money("60.00")), SPENT, COUNT).exact
    assert not judged(reply("$60.00", money("60.00"), count(3)), SPENT, COUNT).exact


def test_rows_are_not_counted_by_a_day_of_the_month(judged: Judged) -> None:
    rows = {"measure": "rows", "where": {**GROCERIES, **SEPTEMBER}}
    assert judged(reply("2 transactions"), rows).exact
    assert not judged(reply("Transactions from 2 Sep 2026"), rows).exact


def test_names(judged: Judged) -> None:
    """A main name stands in the headline, where a list of others could not hide it."""
    name = {"measure": "top_name", "by": "category", "where": SEPTEMBER}  # Rent
    assert judged(reply("$900.00 on rent: the most"), name).exact
    assert not judged(reply("$60.00 on groceries", text="$60.00 on groceries\nRent $900.00"), name).exact
    assert judged(reply("$60.00", money("60.00"), text="$60.00\nRent $900.00"), SPENT, name).exact
    assert not judged(reply("$60.00", money("60.00"), text="$60.00 current"), SPENT, name).exact


def test_dates(judged: Judged) -> None:
    last = {"measure": "last_date", "where": {**GROCERIES, **SEPTEMBER}}
    fact = {"unit": "date", "value": "2026-09-17", "currency": None}
    assert judged(reply("$40.00 at Grocer on 17 Sep 2026", fact), last).exact
    assert not judged(reply("$40.00 at Grocer on 7 Sep 2026", fact), last).exact
    assert not judged(reply("$40.00 at Grocer on 17 Sep 2026"), last).exact


def test_nothing_is_said_to_be_nothing(judged: Judged) -> None:
    pets = {"measure": "average", "where": {"category": ["Pets"]}}
    none = {"row_ids": [], "calls": [call(category="Pets")], "period": None}
    assert judged(reply("Nothing spent on pets.", **none), pets, period=None).exact
    assert not judged(reply("Nothing spent on pets.", **{**none, "row_ids": [3]}), pets, period=None).exact
    assert not judged(reply("No pets, but $5.00 on food", **none), pets, period=None).exact
    assert not judged(reply("All about pets", **none), pets, period=None).exact
    assert not judged(reply("Nothing spent on groceries.", row_ids=[])).exact


@pytest.mark.parametrize(
    ("made", "slip"),
    [
        ({"period": {"start": "2026-10-01", "end": "2026-10-31"}, "calls": [call(category="Groceries")]}, "period"),
        ({"period": {"start": None, "end": None}, "calls": [call(category="Groceries")]}, "period"),
        ({"calls": [call(start_date="2026-09-01", end_date="2026-09-30")]}, "Groceries"),
        ({"calls": [call(category="Coffee")]}, "Groceries"),
    ],
)
def test_arguments(judged: Judged, made: dict[str, Any], slip: str) -> None:
    """An exact figure by the wrong days or names is exact by chance."""
    verdict = judged(reply("$60.00", money("60.00"), **made))
    assert (verdict.tool, verdict.arguments, verdict.exact) == (True, False, True)
    assert slip in " ".join(verdict.why)


def test_another_tool_has_no_right_arguments(judged: Judged) -> None:
    verdict = judged(reply("$60.00", money("60.00"), calls=[{**SEPTEMBERS_GROCERIES, "name": "transactions-list"}]))
    assert (verdict.tool, verdict.arguments, verdict.exact) == (False, False, True)


def test_a_longer_name_will_do_only_beside_exact_figures(judged: Judged) -> None:
    calls = [call(category="Groceries and more", start_date="2026-09-01", end_date="2026-09-30")]
    assert judged(reply("$60.00", money("60.00"), calls=calls)).arguments
    assert not judged(reply("$61.00", money("61.00"), calls=calls)).arguments
    other = [call(category="Food", start_date="2026-09-01", end_date="2026-09-30")]
    assert not judged(reply("$60.00", money("60.00"), calls=other)).arguments


def test_names_that_are_left_out_are_arguments_too(judged: Judged) -> None:
    figure = {"measure": "spent", "where": {"not_category": ["Rent"], **SEPTEMBER}}  # 70.00
    made = call("spending-get_spending_summary", period="2026-09-01 to 2026-09-30", exclude=["Rent"])
    tools = {"tools": ["spending-get_spending_summary"]}
    assert judged(reply("$70.00", money("70.00"), calls=[made]), figure, **tools).arguments
    bare = call("spending-get_spending_summary", period="2026-09-01 to 2026-09-30")
    assert not judged(reply("$70.00", money("70.00"), calls=[bare]), figure, **tools).arguments


def test_periods_are_the_same_if_they_hold_the_same_days_of_the_ledger(judged: Judged) -> None:
    """The ledger runs from 1 September to 20 November 2026."""
    figure = {"measure": "spent", "where": {"category": ["Coffee"]}}  # 20.00
    for period in (None, {"start": None, "end": None}, {"start": "2026-01-01", "end": "2026-12-31"}):
        made = reply("$20.00", money("20.00"), period=period, calls=[call(category="Coffee")])
        assert judged(made, figure, period=None).arguments
        assert judged(made, figure, period=["2026-09-01", "2026-11-21"]).arguments
    late = reply("$20.00", money("20.00"), period={"start": "2026-09-02", "end": None}, calls=[call(category="Coffee")])
    assert not judged(late, figure, period=None).arguments


def test_compared_periods(judged: Judged) -> None:
    """Each period must be there; beside one that is not over, the other is cut to the same days (D8)."""
    cut = {"from": "2026-10-01", "to": "2026-10-21"}
    parts = [{"measure": "spent", "where": {**GROCERIES, **each}} for each in ({"from": "2026-11-01"}, cut)]
    figure = {"measure": "difference", "a": parts[0], "b": parts[1]}  # 40.00 - 15.01
    expect = {"period": None, "tools": ["spending-compare"]}

    def compared(*periods: str) -> Verdict:
        made = call("spending-compare", category="Groceries", periods=list(periods))
        return judged(reply("$24.99 more", money("24.99"), calls=[made], period=None), figure, **expect)

    assert compared("2026-11-01 to 2026-11-21", "2026-10-01 to 2026-10-31").arguments
    assert compared("2026-11-01 to 2026-11-30", "2026-10-01 to 2026-10-31").arguments
    assert not compared("2026-11-01 to 2026-11-21", "2026-09-01 to 2026-09-30").arguments
    assert not compared("2026-10-01 to 2026-10-31", "2026-10-01 to 2026-10-31").arguments
    parts[0]["where"]["to"] = "2026-11-10"
    assert not compared("2026-11-01 to 2026-11-10", "2026-10-01 to 2026-10-31").arguments, "both are over"


def test_what_is_computed_from_earlier_figures_has_their_arguments(judged: Judged) -> None:
    calls = [call("figures-calculate", operation="sum", values=["60.00 USD"])]
    made = reply("$60.00 together", money("60.00"), calls=calls, period=None)
    tools = {"tools": ["figures-calculate"], "kind": "follow-up"}
    assert not judged(made, **tools).arguments
    assert judged(made, earlier=[SEPTEMBERS_GROCERIES], **tools).arguments
    assert not judged(reply("$60.00", money("60.00"), calls=[call()]), earlier=[SEPTEMBERS_GROCERIES]).arguments


def test_the_best_of_several_readings_counts(judged: Judged) -> None:
    other = {"or": [{"figures": [COUNT]}, {"period": ["2026-09-01", "2026-09-15"]}]}
    assert judged(reply("2 purchases", count(2)), **other).right
    assert judged(reply("2 purchases", count(2))).confident_wrong
    shifted = {"period": {"start": "2026-09-01", "end": "2026-09-15"}, "calls": [call(category="Groceries")]}
    assert judged(reply("$60.00", money("60.00"), **shifted), **other).arguments


@pytest.mark.parametrize("kind", ["clarify", "refuse", "error"])
def test_no_answer_where_one_is_wanted(judged: Judged, kind: str) -> None:
    verdict = judged(reply("$60.00", money("60.00"), kind=kind))
    assert (verdict.exact, verdict.confident_wrong, verdict.asked_back) == (False, False, kind == "clarify")
    assert not verdict.right


@pytest.mark.parametrize(
    ("outcome", "kind", "right", "confident"),
    [
        ("clarify", "clarify", True, False),
        ("clarify", "refuse", False, False),
        ("refuse", "refuse", True, False),
        ("refuse", "answer", False, True),
        (["clarify", "refuse"], "refuse", True, False),
        (["clarify", "refuse"], "error", False, False),
    ],
)
def test_where_no_answer_is_right(judged: Judged, outcome: Any, kind: str, right: bool, confident: bool) -> None:
    verdict = judged(reply("$60.00", money("60.00"), kind=kind), outcome=outcome, figures=[], tools=[])
    assert (verdict.declined_rightly, verdict.confident_wrong) == (right, confident)
    assert (verdict.tool, verdict.exact, verdict.asked_back) == (None, None, False)


def test_an_answer_that_may_be_given_must_still_be_exact(judged: Judged) -> None:
    either = {"outcome": ["answer", "clarify"]}
    assert judged(reply("$60.00", money("60.00")), **either).declined_rightly
    assert judged(reply("Which one?", kind="clarify"), **either).declined_rightly
    wrong = judged(reply("$61.00", money("61.00")), **either)
    assert (wrong.declined_rightly, wrong.confident_wrong) == (False, True)


def test_a_line_that_failed_is_an_error(judged: Judged) -> None:
    verdict = judged({"error": "Something went wrong."})
    assert (verdict.exact, verdict.confident_wrong, verdict.right) == (False, False, False)


def test_a_peer_is_judged_by_its_text(judged: Judged) -> None:
    text = "In September you made 2 purchases of groceries for $60.00."
    assert judged(reply(text), SPENT, COUNT, peer=True).exact
    assert not judged(reply("You made 2 purchases for about $60.10."), SPENT, COUNT, peer=True).exact
    assert not judged(reply("You spent $60.00."), SPENT, COUNT, peer=True).exact


def test_expectations_in_words(ledger: Ledger) -> None:
    expect = {"outcome": "answer", "tools": [TOOL], "period": None, "figures": [SPENT, COUNT]}
    made = {"id": "us-001", "kind": "single", "language": "en", "turns": ["?"], "expect": expect}
    assert describe(read_question(made, "american"), ledger) == [
        f"answer by {TOOL}; all time or several; spent = money 60.00, count = count 2"
    ]
    refused = {**made, "expect": {"outcome": ["refuse", "clarify"]}}
    assert describe(read_question(refused, "american"), ledger) == ["clarify or refuse"]
