"""Coverage against error, how well confidence tells right answers, and the deciles, on answers drawn by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.calibration import Answer, area_under_curve, calibration_error, coverage_table, decile_table, reach

RIGHT, BESIDE, WRONG = (True, False), (False, False), (False, True)
answers = st.lists(
    st.builds(
        lambda confidence, worth: Answer(confidence, *worth),
        st.floats(0, 1),
        st.sampled_from([RIGHT, BESIDE, WRONG]),
    )
)


def made(*pairs: tuple[float, tuple[bool, bool]]) -> list[Answer]:
    return [Answer(confidence, *worth) for confidence, worth in pairs]


def test_coverage_is_of_all_questions_and_error_of_those_answered() -> None:
    table = coverage_table(made((0.4, WRONG), (0.75, RIGHT), (0.96, BESIDE), (0.999, RIGHT)), asked=10)
    lines = {line[0]: line[1:] for line in table[1:]}
    assert lines["0.000"] == ["4", "40.0%", "2", "1", "25.0%"]
    assert lines["0.500"] == ["3", "30.0%", "2", "0", "0.0%"]
    assert lines["0.998"] == ["1", "10.0%", "1", "0", "0.0%"]


def test_a_threshold_that_nothing_reaches_has_no_error() -> None:
    assert coverage_table(made((0.4, WRONG)), asked=2)[-1][1:] == ["0", "0.0%", "0", "0", "–"]
    assert coverage_table([], asked=0)[1][1:] == ["0", "–", "0", "0", "–"]


@pytest.mark.parametrize(
    ("found", "area"),
    [
        (made((0.2, WRONG), (0.9, RIGHT)), 1.0),
        (made((0.9, WRONG), (0.2, RIGHT)), 0.0),
        (made((0.5, WRONG), (0.5, RIGHT)), 0.5),
        (made((0.1, BESIDE), (0.3, RIGHT), (0.5, WRONG), (0.7, RIGHT)), 0.75),
        (made((0.5, RIGHT)), None),
        ([], None),
    ],
)
def test_the_area_under_the_curve(found: list[Answer], area: float | None) -> None:
    assert area_under_curve(found) == area


def test_confidence_that_tells_the_share_of_right_ones_is_calibrated() -> None:
    exact = [Answer(0.75, number % 4 > 0, number % 4 == 0) for number in range(40)]
    assert calibration_error(exact) == pytest.approx(0.0)
    assert calibration_error(made(*[(0.9, WRONG)] * 20)) == pytest.approx(0.9)
    assert calibration_error([]) is None


def test_deciles_are_of_equal_size_and_say_how_far_off_they_are() -> None:
    table = decile_table(made(*((number / 100, RIGHT if number % 2 else WRONG) for number in range(20))))
    assert [line[1] for line in table[1:]] == ["2"] * 10
    assert table[1] == ["1", "2", "0.000 to 0.010", "0.005", "50.0%", "+50", "50.0%"]
    assert table[-1][2] == "0.180 to 0.190"


def test_the_largest_coverage_under_a_bar() -> None:
    found = made((0.99, RIGHT), (0.9, RIGHT), (0.8, WRONG), (0.7, RIGHT), (0.1, WRONG))
    assert reach(found, 10, 0.0) == (0.2, 0.9)
    assert reach(found, 10, 0.25) == (0.4, 0.7)
    assert reach(found, 10, 1.0) == (0.5, 0.1)
    assert reach(made((0.9, WRONG)), 1, 0.5) is None


def test_answers_of_one_confidence_are_kept_or_dropped_together() -> None:
    assert reach(made((0.9, RIGHT), (0.9, WRONG)), 2, 0.0) is None


@given(answers)
def test_the_parts_hold_every_answer_once(found: list[Answer]) -> None:
    assert sum(int(line[1]) for line in decile_table(found)[1:]) == len(found)
    assert coverage_table(found, len(found))[1][1] == str(len(found))
