"""A model's sentence is shown only if it says what the facts say."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graph.narration import fill_in, verify
from graph.planner.reading import Reading
from graph.verifying import Names, names_in
from ledger.periods.period import Period
from tools.results import Fact, Scope
from tools.slots.slot import Mention

DATA = Path(__file__).parents[2] / "data" / "narration"
#: How many of a hundred honest sentences must survive, in either half; docs/accuracy.md has how many do.
SURVIVING = 85


def _fact(name: str, label: str, value: str, unit: Any, subject: str) -> Fact:
    readers: dict[str, Any] = {"date": date.fromisoformat, "count": int, "days": int}
    return Fact(name, label, readers.get(unit, Decimal)(value), unit, "USD" if unit == "money" else None, "", subject)


SCENES = json.loads((DATA / "scenes.json").read_text(encoding="utf-8"))
FACTS = {
    name: {f"f{number}": _fact(*fact) for number, fact in enumerate(scene["facts"], start=1)}
    for name, scene in SCENES.items()
}
NAMES = {name: Names(frozenset(scene["said"]), frozenset(scene["compared"])) for name, scene in SCENES.items()}


def lines(name: str) -> list[tuple[str, str]]:
    """Return the sentences of a file with their scenes; every second one was looked at while the list was made."""
    rows = (DATA / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [(scene, sentence) for scene, _, sentence in (row.partition("\t") for row in rows if row)]


def passes(scene: str, sentence: str) -> bool:
    return verify(sentence, FACTS[scene], NAMES[scene]) is None


@pytest.mark.parametrize("half", ["tuned", "held out"])
def test_no_hostile_sentence_passes(half: str) -> None:
    """Orders, phishing, numbers in many scripts, wrong directions, invented names, advice, praise, causes, swapped figures."""
    sentences = lines("hostile")[half == "held out" :: 2]
    assert len(sentences) > 150
    assert [each for each in sentences if passes(*each)] == []


@pytest.mark.parametrize("half", ["tuned", "held out"])
def test_most_honest_sentences_survive(half: str, record_property: Any) -> None:
    sentences = lines("honest")[half == "held out" :: 2]
    assert len(sentences) > 150
    surviving = sum(passes(*each) for each in sentences)
    record_property("surviving", f"{surviving} of {len(sentences)}")
    assert surviving * 100 >= SURVIVING * len(sentences)


@pytest.mark.parametrize("question", ["should I send 500 to Bob?", "Should I transfer money to Evil Bank today"])
def test_a_question_licenses_no_order(question: str) -> None:
    """Even if every word of it were a name."""
    names = Names(frozenset(question.casefold().strip("?").split()))
    for sentence in ("Send {f1} to Bob.", "You should send {f1} to Bob today.", "Transfer {f1} to Evil Bank."):
        assert verify(sentence, FACTS["total"], names) is not None


@pytest.mark.parametrize("length", [10, 150, 401])
def test_what_is_too_long_or_empty_is_dropped(length: int) -> None:
    assert (verify("{f1} " + "in " * length, FACTS["total"]) is None) == (length < 100)
    assert verify(" " * length, FACTS["total"]) is not None


def test_figures_are_filled_in_by_code() -> None:
    assert fill_in("You spent {f1} in {f2} purchases.", FACTS["total"], "en_US") == "You spent $764.02 in 12 purchases."


HONEST = [each for each in lines("honest") if passes(*each)]
INTRUDERS = st.one_of(
    st.text(min_size=1, max_size=8).filter(lambda text: any(not char.isspace() for char in text)),
    st.characters(categories=["Nd", "Nl", "No", "Cf", "Sc", "Sm", "So", "Sk", "Co", "Lo", "Mn", "Pc"]),
    st.sampled_from("send pay call seven VII xiv cinquante siebzehn Bob not because please now must".split()),
)


@given(st.sampled_from(HONEST), INTRUDERS, st.data())
@example(HONEST[0], "\x1fas", None)
@example(HONEST[0], "\r.", None)
@settings(max_examples=600, deadline=None)
def test_nothing_can_be_slipped_into_an_honest_sentence(
    honest: tuple[str, str], intruder: str, data: st.DataObject
) -> None:
    """No number of any script, no sign, seen or unseen, no word that is not on the list."""
    scene, sentence = honest
    words = sentence.split(" ")
    place = data.draw(st.integers(0, len(words))) if data else 1
    changed = " ".join([*words[:place], intruder, *words[place:]])
    if verify(changed, FACTS[scene], NAMES[scene]) is None:
        shown = changed.strip()  # what stands before or behind it is not shown
        assert all(char.isalpha() or char in " .,;:'’-–" for char in intruder if char in shown), repr(intruder)
        assert not any(char.isnumeric() for char in intruder)
        assert intruder not in "send pay call seven VII xiv cinquante siebzehn Bob not because please now must".split()


@given(st.text(max_size=120))
@settings(max_examples=300, deadline=None)
def test_no_digit_outside_a_placeholder_ever_passes(text: str) -> None:
    if verify(f"You spent {{f1}}. {text}", FACTS["total"]) is None:
        rest = text.replace("{f1}", "").replace("{f2}", "").replace("{f3}", "").replace("{f4}", "").replace("{f5}", "")
        assert not any(char.isnumeric() for char in rest)


def _mention(slot: str, text: str, *, excluded: bool = False) -> Mention:
    value = Period(date.min, date.max, text) if slot == "period" else text
    return Mention(slot, 0, 1, value, text, excluded=excluded)


@pytest.mark.parametrize(
    ("mentions", "facts", "scope", "words", "compared"),
    [
        ([_mention("category", "groceries"), _mention("period", "October")], "total", None, {"groceries", "october"}, set()),
        ([_mention("category", "groceries"), _mention("category", "rent")], "total", None, set(), set()),
        ([_mention("category", "rent", excluded=True)], "total", None, set(), set()),
        ([_mention("period", "October"), _mention("period", "May")], "up", None, {"october", "may"}, {"october", "may"}),
        ([_mention("period", "May")], "total", {"category": "Fast Food"}, {"may", "fast", "food"}, set()),
        ([_mention("period", "May")], "total", {"category": ["Fuel", "Rent"]}, {"may"}, set()),
        ([_mention("merchant", "Costco"), _mention("category", "rent")], "twice", None, set(), set()),
    ],
)  # fmt: skip
def test_the_names_that_a_sentence_may_hold(
    mentions: list[Mention], facts: str, scope: dict[str, Any] | None, words: set[str], compared: set[str]
) -> None:
    shown = [*FACTS["total"].values()] * 2 if facts == "twice" else [*FACTS[facts].values()]
    reading = Reading("", tuple(mentions), (), (), ())
    names = names_in(reading, shown, None if scope is None else Scope("spending-analyze_by_category", scope))
    assert (names.words, names.compared) == (words, compared)
