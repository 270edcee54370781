"""What only stands beside a question is left aside, and nothing of the question is."""

from __future__ import annotations

import pytest

from language.remarks import without_remarks

BESIDE = {
    "My tax adviser asks how much I spent on fuel in July 2026.": "how much I spent on fuel in July 2026.",
    "How much went on fuel in July? It's for my diary.": "How much went on fuel in July?",
    "Forgive the silly question, but how much went on fuel?": "how much went on fuel?",
    "thank you, and what was fuel in july": "what was fuel in july",
    "I'm 74 and new to this. What did I pay the council?": "What did I pay the council?",
    "doing our taxes: how much did we give to charity": "how much did we give to charity",
    "how much on fuel because my wife asks": "how much on fuel",
    "Ich mache gerade die Steuer: Wie viel ging an die Kita?": "Wie viel ging an die Kita?",
    "wie viel hab ich getankt, ich brauch das für die steuer": "wie viel hab ich getankt",
}
#: Nothing of these is beside the question.
KEPT = (
    "Groceries in May. And in June?", "hi", "thanks", "I paid 30 for fuel yesterday", "what is my rent",
    "Remember that the rent is shared", "die Miete bitte nicht mitrechnen", "Wie viel seit wir umgezogen sind?",
)  # fmt: skip


@pytest.mark.parametrize(("text", "question"), BESIDE.items(), ids=list(BESIDE))
def test_remarks_are_left_aside(text: str, question: str) -> None:
    assert without_remarks(text) == question


@pytest.mark.parametrize("text", KEPT)
def test_questions_are_left_whole(text: str) -> None:
    assert without_remarks(text) == text
