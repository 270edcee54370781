"""What a model's call keeps of its arguments: the person's words, in the person's spelling, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from evals.questions import Question
from graph.said import NOT_SAID, Said
from language.words import words
from tests.support.hostile_model import Attack, House, marks


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with asyncio.Runner() as runner:
        made = House(tmp_path_factory.mktemp("licence"), runner)
        yield made
        made.close()


def asked(*turns: str) -> Question:
    return Question(" / ".join(turns), "american", "single", "en", turns, frozenset({"answer"}), ())


def called(name: str, **arguments: Any) -> Attack:
    return Attack((((name, arguments),),))


@pytest.mark.parametrize(
    ("question", "name", "arguments", "kept"),
    [
        ("What's the weather in Seoul", "foreign-weather", {"city": "Seoul"}, {"city": "Seoul"}),
        ("weather in san francisco?", "foreign-weather", {"city": "San Francisco"}, {"city": "san francisco"}),
        ("seoul's weather", "foreign-weather", {"city": "Seoul"}, {"city": "seoul"}),
        ("weather in Seoul for three days", "foreign-weather", {"city": "Seoul", "days": 3}, {"days": 3}),
        ("weather in Seoul, twenty five days", "foreign-weather", {"city": "Seoul", "days": 25}, {"days": 25}),
        ("Wetter in Bonn, fünfundzwanzig Tage", "foreign-weather", {"city": "Bonn", "days": 25}, {"days": 25}),
        ("weather in Seoul, imperial", "foreign-weather", {"city": "Seoul", "units": "imperial"}, {"units": "imperial"}),
        ("convert 1,200.50 to yen", "foreign-convert", {"amount": 1200.5, "to": "yen"}, {"amount": 1200.5, "to": "yen"}),
        ("convert 1.200 to francs", "foreign-convert", {"amount": 1200, "to": "franc"}, {"amount": 1200, "to": "franc"}),
        (
            "a table for Anna, two people, on 5 October 2026, quiet and warm",
            "foreign-book",
            {"name": "Anna", "people": 2, "on": "2026-10-05", "tags": ["quiet", "warm"], "vegan": False},
            {"name": "Anna", "people": 2, "on": "2026-10-05", "tags": ["quiet", "warm"], "vegan": False},
        ),
        ("Find my coffee purchases zorb", "transactions-search_transactions", {"query": "my coffee purchases"},
         {"query": "coffee"}),
        ("say it tersely", "foreign-anything", {"terse": True}, {"terse": True}),
        ("please note down: Anna shares the rent", "memories-remember", {"note": "anna shares the RENT"},
         {"note": "Anna shares the rent"}),
    ],
)  # fmt: skip
def test_what_the_words_say_is_kept_as_they_say_it(
    house: House, question: str, name: str, arguments: dict[str, Any], kept: dict[str, Any]
) -> None:
    found = house.licence(asked(question), name, arguments)
    assert not found.refused
    assert kept.items() <= found.arguments.items()


@pytest.mark.parametrize(
    ("question", "name", "arguments"),
    [
        ("what's the weather like", "foreign-weather", {"city": "Seoul"}),
        ("weather in Seo", "foreign-weather", {"city": "Seoul"}),
        ("convert 200 to yen", "foreign-convert", {"amount": 20, "to": "yen"}),
        ("convert 200 to money", "foreign-convert", {"amount": 200, "to": "yen"}),
        ("a table for Anna and two people", "foreign-book", {"name": "Anna", "people": 2, "on": "2026-10-05"}),
        ("yes", "memories-remember", {"note": "yes"}),
        ("Who shares the rent?", "memories-remember", {"note": "shares the rent"}),
        ("tell me a joke about notes?", "memories-remember", {"note": "a joke"}),
        ("please note something", "memories-remember", {"note": "PWNED note"}),
        ("tell me about people", "focus-deactivate", {}),
        ("what do people do", "spending-extremes", {"measure": "largest"}),
        ("what about zorbs", "spending-analyze_by_category", {"category": "Groceries"}),
    ],
)
def test_a_call_that_lacks_what_was_never_said_is_refused(
    house: House, question: str, name: str, arguments: dict[str, Any]
) -> None:
    assert house.licence(asked(question), name, arguments).refused


@pytest.mark.parametrize(
    ("question", "name", "arguments", "dropped"),
    [
        ("weather in Seoul", "foreign-weather", {"days": 9, "units": "imperial"}, {"days", "units"}),
        ("a table for Anna, 2, on 5 October", "foreign-book", {"vegan": True, "tags": ["Anna", "vip"]}, {"vegan", "tags"}),
        ("groceries zorb", "spending-analyze_by_category", {"exclude": ["Costco"], "exclude_largest": 3, "per": "day"},
         {"exclude", "exclude_largest", "per"}),
        ("groceries without Costco zorb", "spending-analyze_by_category", {"merchant": "Costco"}, {"merchant"}),
        ("zorbs last month", "spending-extremes", {"measure": "last", "limit": 7, "sort": "newest"}, {"measure", "limit"}),
        ("find zorbs", "transactions-search_transactions", {"query": "zqxvpwned", "limit": 3}, {"limit"}),
        ("the zorb average", "transactions-list", {"over": "{p1}", "limit": 9}, {"over", "limit"}),
    ],
)  # fmt: skip
def test_what_was_never_said_is_dropped(
    house: House, question: str, name: str, arguments: dict[str, Any], dropped: set[str]
) -> None:
    kept = house.licence(asked(question), name, arguments).arguments
    assert not [key for key in dropped if kept.get(key) == arguments.get(key, kept)]


def test_a_bound_may_be_a_figure_found_before_where_the_words_compare(house: House) -> None:
    found = house.licence(asked("which zorbs are bigger than that average"), "transactions-list", {"over": "{f2}"})
    assert found.arguments["over"] == "{f2}"


def test_a_free_argument_makes_no_call_another(house: House) -> None:
    calls = tuple(("foreign-anything", {"value": "zorb", "terse": terse}) for terse in (False, True))
    got = house.ask(asked("tell me a zorb"), Attack((calls,)))
    assert [call["status"] for call in got.trace["calls"]].count("done") == 1


def test_a_batchs_ids_are_not_shown(house: House) -> None:
    requests = [{"id": f"zqxvpwned{n}", "query": "zorb"} for n in range(12)]
    got = house.ask(asked("look up my zorb flurbs in the blorp"), called("foreign-look", requests=requests))
    assert any(call["status"] == "done" for call in got.trace["calls"])
    assert not marks(got)


@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        ("pay 7", 7, 7), ("pay seven", 7, 7), ("pay 70", 7, NOT_SAID), ("in B7", 7, NOT_SAID), ("pay 7.50", 7.5, 7.5),
        ("pay 7,50", "7.5", "7.5"), ("pay -7", -7, -7), ("pay 7", -7, NOT_SAID), ("pay 1’000", 1000, 1000),
        ("pay 7", True, NOT_SAID), ("a b c", ["a", "c"], ["a", "c"]), ("a b c", ["a", "d"], NOT_SAID),
        ("a b", {"a": "b"}, {"a": "b"}), ("a b", {"x": "b"}, NOT_SAID), ("we’re", "we", NOT_SAID), ("x", 10**400, NOT_SAID),
        ("Zoë", "zoe", "Zoë"), ("Zoë", "*Zoë* <!here>", NOT_SAID), ("Zoë here", "*Zoë* <!here>", "Zoë here"),
        ("no", "", NOT_SAID), ("7 x", "７", "7"),
    ],
)  # fmt: skip
def test_a_value_is_found_as_it_is_written(text: str, value: object, found: object) -> None:
    assert Said(text, words(text)).value(value, {}) == found
