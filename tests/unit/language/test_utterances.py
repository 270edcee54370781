"""The lines of the bank that are nearest to a question: by rare words, of the acts that are wanted, in the question's language."""

from __future__ import annotations

import pytest

from language.utterances import Line, Nearest, fillers, nearest


@pytest.mark.parametrize(
    ("pattern", "acts", "act", "lang"),
    [
        ("so which shop do I go to most often {p}", {"rank", "total"}, "rank", "en"),
        ("welcher Laden sieht mich am öftesten", {"rank", "total"}, "rank", "de"),
        ("how much did {m} cost me {p}", {"total", "rows"}, "total", "en"),
    ],
)
def test_the_nearest_line_asks_for_the_same(pattern: str, acts: set[str], act: str, lang: str) -> None:
    best = nearest().lines(pattern, acts, 4)[0]
    assert (best.labels["act"], best.lang) == (act, lang)


def test_there_are_no_more_lines_of_an_act_than_wanted() -> None:
    lines = nearest().lines("how much did I spend at {m} {p}", {"total", "rows", "count"}, 4, most_of_act=2)
    acts = [line.labels["act"] for line in lines]
    assert len(acts) == 4
    assert max(map(acts.count, acts)) <= 2


@pytest.mark.parametrize("pattern", ["", "?!", "zqxv"])
def test_nothing_is_near_to_what_says_nothing(pattern: str) -> None:
    found = Nearest([Line("how much at {m}", "en", {"act": "total"}), Line("list them", "en", {"act": "rows"})])
    assert found.lines(pattern, {"total", "rows"}, 4) == []
    assert Nearest([]).lines("how much", {"total"}, 4) == []


def test_a_line_is_written_with_names_of_its_language() -> None:
    line = Line("was gab ich bei {m} und {m=} {p} aus", "de", {"act": "total"})
    names = fillers()["de"]
    assert line.written(fillers()) == f"was gab ich bei {names['m'][0]} und {names['m'][1]} {names['p'][0]} aus"
