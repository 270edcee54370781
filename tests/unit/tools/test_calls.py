"""Which offered tool a name means, and what can be picked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.calls import Choice, canonical_name, choice_of
from tools.registry import tool, tool_of
from tools.results import Result
from tools.running import run_tool

OFFERED = ("web-search", "spending-analyze_by_category", "ledger-status", "plain")
#: Two tools that differ in nothing but their separator, and two in nothing but case.
ALIKE = ("web-search", "web_search", "Notes-add", "notes-ADD")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("web-search", "web-search"),
        (" web-search\n", "web-search"),
        ("web:search", "web-search"),
        ("web.search", "web-search"),
        ("web|search", "web-search"),
        ("web_search", "web-search"),
        ("web/search", "web-search"),
        ("WEB.Search", "web-search"),
        ("web::search", "web-search"),
        ("web-search-search", "web-search"),
        ("web:search:search", "web-search"),
        ("spending.analyze-by-category", "spending-analyze_by_category"),
        ("spending-analyze_by_category-analyze_by_category", "spending-analyze_by_category"),
        ("Plain", "plain"),
        ("plain-plain", None),
        ("search", None),
        ("web-search-web", None),
        ("web-searches", None),
        ("web search", None),
        ("none", None),
        ("", None),
        ("-", None),
        (" : ", None),
    ],
)
def test_a_name_in_another_spelling(name: str, meant: str | None) -> None:
    assert canonical_name(name, OFFERED) == meant


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("web-search", "web-search"),
        ("web_search", "web_search"),
        ("WEB_SEARCH", "web_search"),
        ("web.search", None),
        ("notes-ADD", "notes-ADD"),
        ("notes-add", None),
        ("web-search-search", None),
    ],
)
def test_what_could_mean_two_means_none_unless_it_is_one_of_them(name: str, meant: str | None) -> None:
    assert canonical_name(name, ALIKE) == meant


def test_a_tool_whose_name_is_doubled_comes_before_one_that_a_model_doubled() -> None:
    assert canonical_name("web.search.search", ["web-search", "web-search-search"]) == "web-search-search"


parts = st.from_regex(r"[a-z]{1,6}", fullmatch=True)


@settings(deadline=None)
@given(parts, parts, st.sampled_from(":.|_/-"), st.booleans(), st.booleans())
def test_every_separator_case_and_doubling_is_mended(app: str, skill: str, sign: str, upper: bool, twice: bool) -> None:
    said = sign.join([app, skill, skill] if twice else [app, skill])
    assert canonical_name(said.upper() if upper else said, [f"{app}-{skill}", "other-tool9"]) == f"{app}-{skill}"


@settings(deadline=None)
@given(st.text(max_size=20), st.lists(st.text(max_size=20), max_size=5))
def test_only_what_is_offered_is_returned(name: str, offered: list[str]) -> None:
    assert canonical_name(name, offered) in {None, *offered}


async def test_choices_of_a_tool_of_others_may_be_texts():
    """Picking one asks it in words."""

    async def which() -> Result:
        """Ask which."""
        return Result("Which?", kind="clarify", choices=("Tea", choice_of("Coffee", "drinks-coffee")))

    made = tool_of(tool(app="drinks", examples=("Which drink?",))(which))
    assert (await run_tool(made, {}, None)).choices == (Choice("Tea"), choice_of("Coffee", "drinks-coffee"))
