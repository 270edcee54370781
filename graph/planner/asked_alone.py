"""The question of a text without the remarks beside it, with the shop and the time that only these name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graph.planner.branches import named_outside
from graph.planner.meaning import SUBJECTS
from graph.planner.missed import missed_in
from graph.planner.pointing import points_back
from language.remarks import pointing_at
from language.words import fold_in_place

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from graph.planner.reading import Reading

_SLOTS = ("over", "under", "account", "period", *SUBJECTS)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)")
#: What a remark behind a question may name anew ("… at Costco? Sorry, I meant Safeway."); one before it names no category.
_ANEW = ("period", *SUBJECTS)


def asked_alone(text: str, question: str, read: Callable[[str], Reading]) -> str:
    """Return the question of a text with what its remarks name, or the text where it says another thing without them."""
    last = _SENTENCE_END.split(text)[-1]
    if question == text == last:
        return text
    if missed_in(fold_in_place(text)):  # "there was a month I did not pay. Which one?"
        alone = read(last)
        whole_by_itself = missed_in(fold_in_place(last)) and alone.of("period") and any(map(alone.of, SUBJECTS))
        return last if whole_by_itself else text
    if question == text:
        return text
    whole, rest = read(text), read(question)
    if _loses(whole, rest, at_the_end=text.endswith(question)):
        return text
    told = {"merchant": named_outside(rest), "period": rest.of("period")}
    lent = {slot: [m.text for m in whole.of(slot)] for slot, those in told.items() if not those}
    return pointing_at(question, lent.get("merchant", ()), lent.get("period", ()))


def _loses(whole: Reading, rest: Reading, *, at_the_end: bool) -> bool:
    """Whether a question without the remarks beside it says another thing than with them."""
    said, left = ({slot: {str(m.value) for m in each.of(slot)} for slot in _SLOTS} for each in (whole, rest))
    bounds = any(said[slot] and not left[slot] for slot in ("over", "under", "account"))
    anew = not at_the_end and any(left[slot] != said[slot] and (left[slot] or slot == "category") for slot in _ANEW)
    return bounds or anew or _leaves_more_out(whole, rest) or (points_back(rest) and _leans_on_a_remark(said, left))


def _leaves_more_out(whole: Reading, rest: Reading) -> bool:
    """Whether a text leaves something out, and the question in it nothing."""
    return any(m.excluded for m in whole.mentions) and not any(m.excluded for m in rest.mentions)


def _leans_on_a_remark(said: Mapping[str, set[str]], left: Mapping[str, set[str]]) -> bool:
    """Whether a remark names another thing of the kind that the question names ("ChatGPT is dear. What is it in Canadian?")."""
    return any(said[slot] > left[slot] and (slot == "category" or left[slot]) for slot in SUBJECTS)
