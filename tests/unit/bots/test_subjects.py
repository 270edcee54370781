"""Whose money a question is about, where it mentions somebody."""

from __future__ import annotations

import itertools

import pytest

from bots.choosing import is_about_another

NAMES = ("@bob", "@U2BEN", "@Bob Smith", "@jörg")
QUESTIONS = (
    "how much did {} spend on groceries in October?",
    "what did {} spend last month",
    "{}'s spending in May",
    "show me {}’s transactions",
    "Did {} spend more than I did?",
    "how much did I and {} spend?",
    "do I spend more than {}?",
    "was hat {} im Mai ausgegeben?",
    "summary of last month for {}",
)
OWN = (
    "how much did I send to {}?",
    "how much did I get from {} in May",
    "what have I paid {} this year",
    "wie viel habe ich an {} überwiesen",
)


@pytest.mark.parametrize(("question", "name"), list(itertools.product(QUESTIONS, NAMES)))
def test_a_question_about_somebody_who_is_mentioned_is_about_another(question, name):
    assert is_about_another(question.format(name))


@pytest.mark.parametrize(("question", "name"), list(itertools.product(OWN, NAMES)))
def test_whom_the_asker_dealt_with_is_part_of_their_own(question, name):
    assert not is_about_another(question.format(name))


@pytest.mark.parametrize(
    "text", ["how much did I spend on groceries?", "what about bob@example.com", "2 @ 3.50", "@", ""]
)
def test_what_mentions_nobody_is_not(text):
    assert not is_about_another(text)
