"""A balance on a day: the nearest stated one, led on or back by the rows between."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from ledger.balances import Run, Stated

DAY = timedelta(1)
OCT = date(2026, 10, 1)
days = st.integers(0, 40).map(lambda number: OCT + number * DAY)
minors = st.integers(-500_00, 500_00)
rows = st.lists(st.tuples(days, minors), max_size=30)


def moved_of(drawn: list[tuple[date, int]]) -> dict[date, int]:
    moved: dict[date, int] = {}
    for day, minor in drawn:
        moved[day] = moved.get(day, 0) + minor
    return moved


@given(drawn=rows, start=minors, stated=st.lists(st.tuples(days, st.booleans()), min_size=1, max_size=5), asked=days)
def test_true_statements_tell_the_balance_of_any_day_and_contradict_nothing(drawn, start, stated, asked):
    """An account that began with some money: whatever its statements say, a day's balance is that money and the rows since."""

    def true(day: date, *, before: bool = False) -> int:
        return start + sum(minor for on, minor in drawn if on < day or (on == day and not before))

    run = Run((Stated(day, true(day, before=opening), opening) for day, opening in stated), moved_of(drawn))
    assert run.at(asked) == true(asked)
    assert run.gaps() == []
    for day, minor in run.turns(OCT, OCT + 40 * DAY):
        assert minor == true(day)
    changes = {day for day, minor in moved_of(drawn).items() if minor and day > OCT}
    assert changes <= {day for day, _ in run.turns(OCT, OCT + 40 * DAY)}


@given(drawn=rows, start=minors, off=st.integers(1, 999), first=days, later=st.integers(1, 20))
def test_what_is_missing_between_two_statements_is_told_to_the_cent(drawn, start, off, first, later):
    """A row of ``off`` is not there: each side of the gap rests on its own statement."""
    moved, last = moved_of(drawn), first + later * DAY
    between = sum(minor for day, minor in moved.items() if first < day <= last)
    run = Run([Stated(first, start), Stated(last, start + between + off)], moved)
    (gap,) = run.gaps()
    assert (gap.off_minor, gap.moved_minor, gap.start.on, gap.end.on) == (off, between, first, last)
    assert run.at(first) == start
    assert run.at(last) == start + between + off
    assert run.gaps(last + DAY) == []


def test_an_opening_balance_stands_before_the_rows_of_its_day():
    run = Run([Stated(OCT, 10_000, opening=True)], {OCT: -2_500})
    assert (run.at(OCT - DAY), run.at(OCT), run.first, run.last) == (10_000, 7_500, OCT - DAY, OCT)


def test_of_two_statements_of_one_day_the_later_import_counts():
    run = Run([Stated(OCT, 10_000), Stated(OCT, 8_000)], {OCT: -2_000})
    assert run.at(OCT) == 8_000
    assert run.gaps() == []


def test_a_closing_balance_and_the_next_opening_one_that_differ_are_a_gap():
    (gap,) = Run([Stated(OCT, 10_000), Stated(OCT + DAY, 9_000, opening=True)], {}).gaps()
    assert gap.off_minor == -1_000


def test_before_its_first_row_and_statement_nothing_is_known():
    assert Run([Stated(OCT + 30 * DAY, 5)], {OCT: 1}).first == OCT - DAY
    assert Run([Stated(OCT, 5)], {OCT + 9 * DAY: 1}).first == OCT
    assert Run([Stated(OCT, 5)], {}).last == OCT
