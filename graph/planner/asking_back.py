"""What is asked back: a time or a name that can't be told, a word that is nearly another, a word that means two things."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from graph.planner.meaning import SUBJECTS
from graph.planner.nearest import nearest
from graph.planner.plan import Plan
from graph.planner.vocabulary import FUTURE, TELLING_WORDS
from language.catalogue import say, translated
from language.lexicon import listed, phrases
from language.reader import reader
from language.tongue import tongue_of
from language.words import cut_out, words
from tools.calls import Choice
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.planner.asking import Asking
    from graph.planner.ranking import Ranked
    from graph.planner.reading import Reading
    from graph.turn import PastTurn
    from tools.calls import Call

#: How sure a request in so many words is, and so sure a question back is the person's to answer, and no model's.
OUTRIGHT = 0.97
_SHORTEST_SLIP = 4
_SLIP = 78
#: By so many points the nearest word must be nearer than the next one to be taken for it.
_CLEARLY = 6
_WORTH_OFFERING = 0.25
_ASKING = 0.3
_MOST_CHOICES, _MOST_MEANINGS = 3, 4
_OFFERED_SLOTS = frozenset({"period", "category", "merchant", "account"})
#: Acts that are about how things are now, or at any time.
_OF_NOW = frozenset({"level", "level_change", "recurring", "next", "ended", "duplicates", "unusual"})
_TO_COME = "I know only what is booked, nothing of the future."
_MISSPELT = "I don't know the word “{words}”."
_MEANING = "Do you mean:"
NOT_LEFT_OUT = "I don't know how to leave out “{words}”. What do you mean?"
#: What is asked about a part of a sentence that can't be told, by the reason.
_ASKED_BACK = {
    "unknown": "I don't know when “{words}” was. Which dates do you mean?",
    "impossible": "No calendar has “{words}”. Which dates do you mean?",
    "no payday": "I don't know your payday. Say “my payday is the 25th” once, or which dates you mean.",
    "misspelt": _MISSPELT,
    "not left out": NOT_LEFT_OUT,
}
#: What picks each of the choices that a question back offers.
_PICKED = tuple(map(phrases, ("first_choice", "second_choice", "third_choice", "fourth_choice", "fifth_choice")))


def is_untold(reading: Reading, act: str) -> bool:
    """Whether a time or a name to leave out can't be told, which is asked about before anything else.

    What is asked of the present ("these days", "lately") needs no dates.
    """
    told = [unclear for unclear in reading.unclear if unclear.reason != "future"]
    if act in _OF_NOW:
        free = {*phrases("now"), *phrases("earlier")}
        told = [each for each in told if _keys(reading.text[each.start : each.end]) not in free]
    return bool(told)


def _keys(text: str) -> tuple[str, ...]:
    return tuple(word.key for word in words(text))


def asked_back(asking: Asking, *, anything_before: bool) -> Plan | None:
    """Ask about what can't be told, each choice a whole question; without it the answer would be to another one."""
    reading = asking.reading
    told = asking.told["act"].sure >= _ASKING
    if any(word.key in FUTURE for word in reading.residue) and asking.act != "next":
        return Plan("none", question=_TO_COME, choices=nearest("forecast"))
    if not reading.unclear or not (reading.mentions or anything_before or told or _only_unclear(reading)):
        return _slip(reading) if told else None
    unclear = reading.unclear[0]
    if unclear.reason == "future":
        return Plan("none", question=_TO_COME, choices=nearest("forecast"))
    before, written, after = _cut(reading.text, unclear.start, unclear.end)
    choices = tuple(Choice(f"{before}{choice}{after}") for choice in unclear.choices)
    misspelt = unclear.reason == "misspelt"
    return Plan(
        "clarify",
        confidence=OUTRIGHT,
        question=say(_ASKED_BACK[unclear.reason], words=written),
        inviting=_MEANING if misspelt else "",
        choices=choices,
    )


def _only_unclear(reading: Reading) -> bool:
    """Whether nothing but what is unclear is left to explain ("am 30. Februar?")."""
    stretches = [(unclear.start, unclear.end) for unclear in reading.unclear]
    return all(any(start <= word.start < end for start, end in stretches) for word in reading.residue)


def _cut(text: str, start: int, end: int) -> tuple[str, str, str]:
    return text[:start], text[start:end], text[end:]


def _slip(reading: Reading) -> Plan | None:
    """Ask about a word that is nearly one of those that periods and superlatives are made of ("last mnth")."""
    from rapidfuzz import fuzz, process

    for word in reading.residue:
        if len(word.key) < _SHORTEST_SLIP or word.key in TELLING_WORDS or reader().is_read(word.key):
            continue
        near = process.extract(word.key, sorted(TELLING_WORDS), scorer=fuzz.ratio, limit=3, score_cutoff=_SLIP)
        near = [each for each in near if each[1] > near[0][1] - _CLEARLY]
        if near:
            written = reading.text[word.start : word.end]
            choices = tuple(
                Choice(f"{reading.text[: word.start]}{choice}{reading.text[word.end :]}") for choice, _, _ in near
            )
            question = say(_MISSPELT, words=written)
            return Plan("clarify", question=question, inviting=_MEANING, choices=choices)
    return None


def set_apart(call: Call, reading: Reading) -> Plan:
    """Return the question which of two things is meant that never met: what a call names, and its account or way of paying."""
    ways = [(m.start, m.end) for m in reading.mentions if m.slot in ("account", "means")]
    others = [(m.start, m.end) for m in reading.mentions if m.slot in SUBJECTS]
    named = next(value for key in (*SUBJECTS, "text") if (value := call.arguments.get(key)))
    through = call.arguments.get("account") or " ".join(reading.text[start:end] for start, end in ways)
    choices = [Choice(cut_out(reading.text, those)) for those in (ways, others)] if ways and others else []
    return Plan(
        "clarify",
        question=say(
            "Nothing in your ledger went to “{names}” by “{way}”.",
            names=", ".join(names_of(named)),
            way=", ".join(names_of(through)),
        ),
        inviting=_MEANING if choices else "",
        choices=tuple(choices),
    )


def chosen(text: str, past: Sequence[PastTurn]) -> Choice | None:
    """Return what an answer to a question back picks: by its place, its whole label, or words that only one label has."""
    choices = past[-1].choices if past else ()
    keys = _keys(text)
    told = tuple(key for key in keys if key not in listed("beside_a_place"))
    for choice, picked in zip(choices, _PICKED, strict=False):
        if told in picked:
            return choice
    labels = [(choice, _keys(choice.label)) for choice in choices]
    same = [choice for choice, label in labels if label == keys]
    holding = [choice for choice, label in labels if keys and _holds(label, keys)]
    found = same or (holding if len(holding) == 1 else [])
    return found[0] if found else None


def _holds(label: tuple[str, ...], keys: tuple[str, ...]) -> bool:
    return any(label[start : start + len(keys)] == keys for start in range(len(label)))


def ask_which(reading: Reading, language: str) -> tuple[str, list[tuple[str, Reading]]] | None:
    """Return what to ask where a word has two likely meanings, and each of them as a reading with its text."""
    mention = next((each for each in reading.mentions if each.alternatives and not each.excluded), None)
    if mention is None:
        return None
    readings, between = [], translated(" and ", language)
    for value in (mention.value, *mention.alternatives)[:_MOST_MEANINGS]:
        label = f"{reading.text[: mention.start]}{between.join(names_of(value))}{reading.text[mention.end :]}".strip()
        meant = replace(mention, value=value, alternatives=())
        mentions = tuple(meant if each is mention else each for each in reading.mentions)
        readings.append((label, replace(reading, mentions=mentions)))
    return say(
        "“{words}” can mean more than one thing in your ledger. Which do you mean?", words=mention.text
    ), readings


def readings_of(reading: Reading, ranked: Sequence[Ranked], language: str) -> tuple[Choice, ...]:
    """Return up to three questions that the text may have meant, in the person's language, with its own words filled in."""
    said = {word.key for word in reading.words}
    choices = []
    for candidate in ranked:
        if candidate.tool is None or candidate.score < _WORTH_OFFERING:
            continue
        examples = (example for example in candidate.tool.examples if tongue_of(example) in (language, None))
        filled = [text for example in examples if (text := _filled_example(example, reading))]
        if filled:
            choices.append(max(filled, key=lambda text: len(said & {word.key for word in words(text)})))
    return tuple(map(Choice, dict.fromkeys(choices)))[:_MOST_CHOICES]


def _filled_example(example: str, reading: Reading) -> str | None:
    """Return an example with the text's own names and dates, or None where they do not fit."""
    wanted = re.findall(r"\{(\w+)\}", example)
    unfit = not set(wanted) <= _OFFERED_SLOTS or any(not reading.of(slot) for slot in wanted)
    if unfit or len(set(wanted)) != len(wanted):
        return None
    if any(mention.slot in _OFFERED_SLOTS and mention.slot not in wanted for mention in reading.mentions):
        return None
    return re.sub(r"\{(\w+)\}", lambda match: reading.of(match.group(1))[0].text, example)
