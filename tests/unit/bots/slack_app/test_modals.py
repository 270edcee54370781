"""The modals: what the forms show and offer, and what is made of what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.contracts import Duty
from bots.desk.setting_forms import read_settings
from bots.desk.settings import SAVE
from bots.slack_app.modals import (
    categories_view,
    category_options,
    errors,
    merchant_options,
    read_categories,
    setting_options,
    settings_view,
)
from ledger.preferences import PREFERENCES, check_preference
from ledger.repository import Vocabulary
from tests.support.slack.rendering import render_view
from tests.support.slack.validation import Rules, check_options
from tests.support.untold import untold_in
from tools.calls import Call
from tools.slots.assignments import OUR_CATEGORIES

MADE = {"time_zone": "Europe/Berlin", "week_start": "6", "payday": "25", "locale": "de_DE"}


def ledger(merchants: Sequence[str] = (), categories: Sequence[str] = ("Groceries",)) -> Vocabulary:
    pairs = tuple((name.casefold(), name) for name in merchants)
    day = date(2026, 11, 1)
    return Vocabulary(1, tuple(categories), pairs, (), ("USD",), day, day, len(pairs))


SHOPS = ledger(["Starbucks", "Trader Joe's", "Amazon", "Instamart", "Café Müller"], ["Groceries", "Coffee Shops"])


def taken(view: dict[str, Any]) -> str:
    Rules({}).view(view)
    return render_view(view).text


def elements(view: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {block["block_id"]: block["element"] for block in view["blocks"] if block["type"] == "input"}


def as_submitted(view: dict[str, Any]) -> dict[str, str]:
    """Return a form's values as they stand when nobody touches it."""
    initial = {name: each.get("initial_value") or each.get("initial_option") for name, each in elements(view).items()}
    return {name: str(each["value"] if isinstance(each, dict) else each or "") for name, each in initial.items()}


def names(options: list[dict[str, Any]]) -> list[str]:
    return [option["text"]["text"] for option in check_options({"options": options})]


# -- settings


def test_the_form_has_every_setting_with_what_is_set_and_an_example() -> None:
    view = settings_view(MADE, "note")
    shown = taken(view)
    assert list(elements(view)) == list(PREFERENCES)
    assert as_submitted(view) == {**MADE, "currency": ""}
    for name, element in elements(view).items():
        assert PREFERENCES[name].example in element["placeholder"]["text"]
        assert PREFERENCES[name].meaning[1:] in shown
    assert (view["callback_id"], view["private_metadata"]) == ("settings", "note")
    assert all(block["optional"] for block in view["blocks"] if block["type"] == "input")


@pytest.mark.parametrize("made", [{}, MADE])
def test_a_form_sent_back_untouched_changes_nothing(made: dict[str, str]) -> None:
    assert read_settings(as_submitted(settings_view(made, "")), made, "en") == Duty(SAVE, {})


@given(st.fixed_dictionaries({}, optional={name: st.sampled_from(["1", "25", "Sunday", "EUR", "en_GB", "Europe/Paris"])
                                           for name in PREFERENCES}))  # fmt: skip
def test_whatever_is_stored_is_shown_so_that_it_is_taken_again(words: dict[str, str]) -> None:
    stored = {name: PREFERENCES[name].read(text) for name, text in words.items()}
    made = {name: value for name, value in stored.items() if value is not None}
    view = settings_view(made, "")
    taken(view)
    assert read_settings(as_submitted(view), made, "en") == Duty(SAVE, {})
    for name, text in as_submitted(view).items():
        assert check_preference(name, text)[1] == stored.get(name)


def test_only_what_changed_is_stored_and_what_was_emptied_is_taken_back() -> None:
    values = {**MADE, "currency": " EUR ", "payday": "", "week_start": "default"}
    asked = read_settings(values, MADE, "en")
    assert isinstance(asked, Duty)
    assert asked.name == SAVE
    assert set(asked.values) == {"currency", "payday", "week_start"}
    checked = dict(check_preference(name, text) for name, text in asked.values.items())
    assert checked == {"currency": "EUR", "payday": None, "week_start": None}


def test_what_is_wrong_is_said_under_its_own_input() -> None:
    wrong = read_settings({**MADE, "payday": "99", "currency": "x" * 4000, "locale": "fr_FR"}, MADE, "en")
    assert isinstance(wrong, dict)
    assert set(wrong) == {"payday", "currency"}
    assert all(0 < len(sentence) <= 300 for sentence in errors(wrong)["errors"].values())


@pytest.mark.parametrize(
    "forged", [{"welcomed": ""}, {"payday": ("1", "2")}, {"": "1"}, {"time_zone": "UTC", "x": "1"}]
)
def test_a_form_that_is_not_ours_is_refused_whole(forged: dict[str, Any]) -> None:
    wrong = read_settings({"currency": "EUR", **forged}, {}, "en")
    assert isinstance(wrong, dict)
    assert set(wrong) <= set(PREFERENCES)


def test_where_nothing_may_be_changed_there_is_no_form() -> None:
    for view in (settings_view({}, "", writes=False), categories_view(SHOPS, "", writes=False)):
        assert "Nothing can be changed" in taken(view)
        assert not elements(view)
        assert "submit" not in view


@pytest.mark.parametrize(("made", "kept"), [("x" * 2900, ""), ("32", ""), ("last", "last")])
def test_a_value_that_no_menu_has_any_more_is_not_shown_as_chosen(made: str, kept: str) -> None:
    view = settings_view({"payday": made}, "m" * 3000)
    taken(view)
    assert as_submitted(view)["payday"] == kept


@pytest.mark.parametrize(
    ("setting", "typed", "shown", "value"),
    [
        ("currency", "schwei", "CHF · Schweizer Franken", "CHF"),
        ("currency", "pfund", "GBP · Britisches Pfund", "GBP"),
        ("locale", "Deutsch (Öst", "Deutsch (Österreich)", "de_AT"),
        ("locale", "", "Standard", "default"),
    ],
)
def test_what_is_chosen_is_read_in_words_and_stored_as_a_code(setting: str, typed: str, shown: str, value: str) -> None:
    first, *_ = check_options({"options": setting_options(setting, typed, "de")})
    assert (first["text"]["text"], first["value"]) == (shown, value)


def test_every_form_is_told_in_german() -> None:
    with untold_in("de") as untold:
        views = [
            settings_view(MADE, "", "de"),
            settings_view({}, "", "de", writes=False),
            categories_view(SHOPS, "", "de"),
            categories_view(ledger(), "", "de"),
        ]
        wrong = read_settings({"payday": "99"}, {}, "de")
    assert not untold
    shown = [taken(view) for view in views]
    assert "Der Tag, mit dem deine Woche beginnt." in shown[0]
    assert [option["text"]["text"] for option in elements(views[0])["week_start"]["options"]][:2] == [
        "Montag",
        "Dienstag",
    ]
    assert elements(views[0])["locale"]["initial_option"]["text"]["text"] == "Deutsch (Deutschland)"
    assert elements(views[0])["payday"]["initial_option"]["text"]["text"] == "25. des Monats"
    assert "In dieser Installation lässt sich nichts ändern." in shown[1]
    assert "Es gibt noch keine Buchungen" in shown[3]
    assert wrong == {"payday": "Zahltag kann nicht „99“ sein; ein Beispiel ist 25."}


@pytest.mark.parametrize(
    ("typed", "first"),
    [("Berlin", "Europe/Berlin"), ("wien", "Europe/Vienna"), ("new york", "America/New_York"), ("def", "Default")],
)
def test_a_time_zone_is_found_by_its_city(typed: str, first: str) -> None:
    assert names(setting_options("time_zone", typed))[0] == first


def test_every_offered_time_zone_can_be_set() -> None:
    offered = [
        option["value"] for typed in ("", "e", "america", "utc") for option in setting_options("time_zone", typed)
    ]
    assert offered
    for value in offered:
        check_preference("time_zone", value)


# -- categories


def test_the_form_asks_for_a_merchant_and_a_category() -> None:
    view = categories_view(SHOPS, "note")
    assert "nothing changes before you confirm" in taken(view)
    assert list(elements(view)) == ["merchant", "category"]
    assert (view["callback_id"], view["private_metadata"]) == ("categories", "note")


def test_without_transactions_there_is_nothing_to_choose() -> None:
    assert "no transactions yet" in taken(categories_view(ledger(), ""))


def test_untyped_the_most_frequent_merchants_are_offered() -> None:
    assert names(merchant_options(SHOPS, "")) == ["Starbucks", "Trader Joe's", "Amazon", "Instamart", "Café Müller"]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("am", "Amazon"),
        ("mart", "Instamart"),
        ("joes", "Trader Joe's"),
        ("STARBUKS", "Starbucks"),
        ("cafe mu", "Café Müller"),
    ],
)
def test_the_best_match_is_offered_first(typed: str, first: str) -> None:
    assert names(merchant_options(SHOPS, typed))[0] == first


def test_no_merchant_is_offered_for_what_is_like_none() -> None:
    assert names(merchant_options(SHOPS, "qqqqqq")) == []


def test_own_categories_are_offered_before_ours_and_a_new_one_last() -> None:
    offered = names(category_options(SHOPS, ""))
    assert offered[:2] == ["Groceries", "Coffee Shops"]
    assert set(offered[2:]) == set(OUR_CATEGORIES) - {"Groceries", "Coffee Shops"}
    typed = names(category_options(SHOPS, "Coffe"))
    assert (typed[0], typed[-1]) == ("Coffee Shops", "New category: Coffe")
    assert "New category: coffee shops" not in names(category_options(SHOPS, "coffee shops"))


@given(
    st.lists(st.text(min_size=1, max_size=400), max_size=150, unique=True),
    st.text(max_size=60) | st.text(min_size=3000, max_size=4000),
)
def test_slack_takes_every_offer_and_each_leads_back_to_its_name(known: list[str], typed: str) -> None:
    vocabulary = ledger(known, known)
    merchants, categories = merchant_options(vocabulary, typed), category_options(vocabulary, typed)
    check_options({"options": merchants})
    check_options({"options": categories})
    for chosen in merchants:
        asked = read_categories({"merchant": chosen["value"], "category": "Travel"}, vocabulary)
        assert isinstance(asked, Call)
        assert asked.arguments["merchant"] in known
        assert asked.arguments["category"] == "Travel"
    for chosen in categories:
        asked = read_categories({"merchant": "Shop", "category": chosen["value"]}, ledger(["Shop"], known))
        assert isinstance(asked, Call)
        assert asked.name == "categories-assign"


def test_a_name_at_the_limit_stands_for_itself_and_a_longer_one_for_a_short_value() -> None:
    fits, longer = "x" * 150, "x" * 151
    values = [option["value"] for option in merchant_options(ledger([fits, longer]), "")]
    assert values[0] == fits
    assert len(values[1]) < 150
    again = read_categories({"merchant": values[1], "category": "Groceries"}, ledger([longer, fits]))
    assert again == Call("categories-assign", {"merchant": longer, "category": "Groceries"})


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ({"merchant": "Starbucks", "category": "Made up"}, {"category"}),
        ({"merchant": "Somebody else's", "category": "Groceries"}, {"merchant"}),
        ({"merchant": "", "category": ""}, {"merchant", "category"}),
        ({"merchant": ("Starbucks",), "category": "new category "}, {"merchant", "category"}),
        ({}, {"merchant", "category"}),
    ],
)
def test_what_stands_in_no_list_is_refused(values: dict[str, Any], wrong: set[str]) -> None:
    refused = read_categories(values, SHOPS)
    assert isinstance(refused, dict)
    assert set(refused) == wrong
    assert all(refused.values())
