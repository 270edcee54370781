"""Messages and catalogues: what a message keeps of its parts, and that a catalogue says the same things."""

from __future__ import annotations

import pickle
import re
from datetime import date
from functools import partial
from importlib.resources import files

import pytest
from babel.messages.pofile import read_po

from language.catalogue import DEFAULT, catalogue, joined, language_of, say, tongues, translated, written
from language.tongue import tongue_of
from tools.wording import day

FIELD = re.compile(r"\{(\w+)\}")


def test_a_message_is_its_english_text():
    message = say("{amount} spent{subject} {when}", subject=say(" on {category}"))
    assert message == "{amount} spent on {category} {when}"
    assert translated(message, DEFAULT) == message
    assert pickle.loads(pickle.dumps(message)).form == message.form


def test_parts_are_told_in_the_order_of_the_language():
    message = say("{totals} spent{subject} {when}", totals=joined(["{total}", "{total_eur}"], " and "), subject="")
    assert translated(message, "de") == "{total} und {total_eur} {when} ausgegeben"


def test_data_is_never_taken_for_a_message():
    """A shop that is called as a message of ours stays as it is, whatever it holds."""
    assert translated(say("“{word}”", word="day"), "de") == "„day“"
    assert translated(say("“{word}”", word="{when}"), "de") == "„{when}“"


def test_a_message_stays_one_within_another():
    words = say("“{word}”", word="day")
    assert say(words) is words


def test_a_part_may_be_written_anew_in_each_language():
    message = say("on {day}", day=written(partial(day, date(2026, 10, 3))))
    assert (message, translated(message, "de")) == ("on 3 Oct 2026", "am 3. Oktober 2026")
    assert translated(pickle.loads(pickle.dumps(message)), "de") == "am 3. Oktober 2026"


def test_what_no_catalogue_has_is_told_in_english():
    assert translated("There is no such sentence.", "de") == "There is no such sentence."
    assert translated("day", "xx") == "day"


def test_the_same_words_may_be_others_in_another_place():
    assert (translated("Share", "de"), translated("Share", "de", "button")) == ("Anteil", "Teilen")


@pytest.mark.parametrize("language", [each for each in tongues() if each != DEFAULT])
def test_a_catalogue_keeps_every_field(language):
    """A field that a translation lacks would lose a figure, and one that it adds would show nothing."""
    wrong = [
        message
        for message, told in catalogue(language).items()
        if sorted(set(FIELD.findall(message))) != sorted(set(FIELD.findall(told)))
    ]
    assert not wrong


@pytest.mark.parametrize("language", [each for each in tongues() if each != DEFAULT])
def test_no_message_stands_in_two_files(language):
    """Which of two were shown would hang on the names of the files."""
    held: dict[tuple[str, str], list[str]] = {}
    for file in files("language.messages").joinpath(language).iterdir():
        with file.open("rb") as stream:
            for entry in read_po(stream):
                if entry.id:
                    held.setdefault((entry.context or "", str(entry.id)), []).append(file.name)
    assert {message: names for message, names in held.items() if len(names) > 1} == {}


@pytest.mark.parametrize(
    ("locale", "language"), [("de_DE", "de"), ("de-AT", "de"), ("de", "de"), ("en_GB", "en"), ("fr_FR", "en")]
)
def test_the_language_of_a_locale(locale, language):
    assert language_of(locale) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wie viel habe ich für Essen ausgegeben?", "de"),
        ("und im September?", "de"),
        ("How much did I spend on food?", "en"),
        ("and in September?", "en"),
        ("Netflix", None),
        ("", None),
        ("17.50", None),
    ],
)
def test_the_language_of_a_message(text, language):
    assert tongue_of(text) == language
