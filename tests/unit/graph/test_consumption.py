"""Two probes: words that change a question are never silently ignored, words that change nothing leave the answer."""

from __future__ import annotations

from itertools import product
from typing import Any

#: Answered exactly without more words.
BASES = (
    "How much did I spend on groceries in May",
    "how much at Costco in May",
    "biggest purchase in May",
    "my average purchase at Costco",
)
#: What narrows a question by what no bank row tells, or by another measure.
NARROWING = (
    "in francs", "per head", "for breakfast", "at the seaside", "while I was ill", "with Anna", "in person", "on vegan food",
    "after 6 pm", "every other day", "half of it", "that is not yet booked", "by bicycle", "for the baby shower", "in yen",
    "during lunch", "with a voucher", "in the rain", "when my parents were here", "for two people",
)  # fmt: skip
#: What changes nothing.
FRAMES = (
    "{}?", "Please, {}", "Hi! {}?", "{} please", "{}, thanks", "Quick question: {}?", "I was wondering, {}?", "{}? It's for my diary.",
    "My tax adviser asks: {}?", "Can you tell me {}?", "Sorry to bother you, but {}?", "{} because my wife asks", "ok so {}",
    "Hello, could you tell me {}?", "{}? Thank you!", "{} for my records",
)  # fmt: skip


async def answer(english: Any, text: str) -> tuple[str, str]:
    outcome = await english.say(text)
    return outcome.reply.kind, outcome.reply.plain()


async def test_words_that_change_a_question_are_not_silently_ignored(english: Any) -> None:
    true = {base: await answer(english, f"{base}?") for base in BASES}
    ignored = []
    for base, words in product(BASES, NARROWING):
        kind, said = await answer(english, f"{base} {words}?")
        if (
            kind == "answer"
            and said.splitlines()[0] == true[base][1].splitlines()[0]
            and "not take into account" not in said
        ):
            ignored.append(f"{base} {words}")
    assert len(ignored) <= 0.02 * len(BASES) * len(NARROWING), ignored


async def test_words_that_change_nothing_leave_the_answer(english: Any) -> None:
    changed = []
    for base, frame in product(BASES, FRAMES):
        true, framed = await answer(english, f"{base}?"), await answer(english, frame.format(base))
        if true[1].splitlines()[0] != framed[1].splitlines()[0]:
            changed.append(frame.format(base))
    assert len(changed) <= 0.05 * len(BASES) * len(FRAMES), changed
