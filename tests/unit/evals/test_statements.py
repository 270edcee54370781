"""The scoreboard of bank files: what the reports of a file are worth against an independent reading."""

from __future__ import annotations

import pytest

from evals.statements import Read, judge, table

READ = {
    "found": 2, "rejected": [], "sums": {"EUR": "-7.50"}, "first": "2026-10-01", "last": "2026-10-05",
    "out": {"EUR": {"sum": "10.00", "rows": 1}}, "in": {"EUR": {"sum": "2.50", "rows": 1}},
}  # fmt: skip
TRUE = {"count": 2, "out": "10.00", "in": "2.50", "first_day": "2026-10-01", "last_day": "2026-10-05"}


@pytest.mark.parametrize(
    ("expected", "verdict"),
    [
        (TRUE, "right"),
        ({**TRUE, "out": "11.00"}, "wrong"),
        ({**TRUE, "in": {"EUR": "2.50"}, "out": {"EUR": "10.00"}}, "right"),
        ({**TRUE, "in": {"USD": "2.50"}}, "wrong"),
        ({**TRUE, "last_day": "2026-10-06"}, "wrong"),
        ({"count": 2, "sum": "-7.50", "first": "2026-10-01", "last": "2026-10-05"}, "right"),
        ({"count": 2, "sum": "-7.50", "first": "2026-09-30", "last": "2026-10-05"}, "wrong"),
        ({"count": 2, "sum": "-7.5031"}, "wrong"),
        ({"count": 2, "sum": "-7.5031", "booked": "-7.50"}, "right"),
        ({**TRUE, "currency": ["EUR"]}, "right"),
        ({**TRUE, "currency": ["CHF"]}, "wrong"),
        ({"count": 3, "sum": None}, "wrong"),
        ({"count": 2, "sum": None}, "right"),
    ],
)
def test_what_was_read_is_right_only_if_sums_and_days_are(expected, verdict):
    assert judge(expected, [READ]) == verdict


def test_a_row_that_is_left_out_is_refused_and_a_question_is_asked_unless_the_file_is_open():
    left = {**READ, "found": 1, "rejected": [{"row": 3, "reason": "there is no date"}], "sums": {"EUR": "-10.00"}}
    assert judge({"count": 2, "sum": "-7.50"}, [left]) == "refused"
    assert judge(TRUE, [{"error": "no"}]) == "refused"
    asked = {"error": "?", "question": {"kind": "person"}}
    assert (judge(TRUE, [asked]), judge({**TRUE, "open": True}, [asked])) == ("asked", "right")


def test_a_file_whose_manifest_names_no_format_is_counted_by_how_its_name_ends():
    found = [Read({"file": "a.b.XLSX"}, (), "right"), Read({"file": "c", "format": "ofx"}, (), "wrong")]
    assert [line.split()[:2] for line in table(found)] == [["all", "2"], ["ofx", "1"], ["xlsx", "1"]]
