"""A table in one test tells of every case that fails, and of no other."""

from __future__ import annotations

import pytest

from tests.support.tables import every


def test_all_that_fail_are_named_and_the_others_run() -> None:
    ran = []

    @every(("one", "other"), [(1, 1), (2, 3), pytest.param(4, 4), (5, 6)])
    def test(one: int, other: int) -> None:
        ran.append(one)
        assert one == other

    with pytest.raises(ExceptionGroup, match="2 of 4") as caught:
        test()
    assert ran == [1, 2, 4, 5]
    notes = [error.__notes__ for error in caught.value.exceptions]
    assert [note[-1] for note in notes] == ["in the case 2, 3", "in the case 5, 6"]


@every("one", ["a", "b"])
@pytest.mark.parametrize("other", [1, 2])
def test_other_parameters_stay(one: str, other: int) -> None:
    assert (one, other) in {("a", 1), ("a", 2), ("b", 1), ("b", 2)}


def test_a_table_without_cases_is_a_mistake() -> None:
    with pytest.raises(AssertionError):
        every("one", [])
