"""The planner: reads a question, ranks the tools, fills one, and knows when it does not know."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graph.planner.choosing import Candidates, choose
from graph.planner.clauses import Planning, clauses_of, plan_clauses
from graph.planner.compositions import asks_about_figures, composed, figures_from
from graph.planner.cues import is_phrase
from graph.planner.editing import edited
from graph.planner.filling import fill
from graph.planner.followups import is_follow_up, is_unclear
from graph.planner.intents import wants_of
from graph.planner.plan import Plan
from graph.planner.ranking import Ranked, Ranker, TextEmbedder
from graph.planner.reading import Reading, asked_outright, read, reread, respelled, slots_of
from graph.planner.vocabulary import FUTURE, TELLING_WORDS
from ledger.periods import part_compounds
from ledger.repository import Vocabulary
from tools.calls import Call
from tools.slots.names import CategorySlot, MerchantSlot, argument_of, names_of
from tools.slots.sentences import SentenceSlot
from tools.slots.slot import Mention
from tools.slots.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from graph.turn import PastTurn
    from tools.context import ToolContext
    from tools.registry import Tool

#: How sure a request in so many words is.
_OUTRIGHT = 0.97
#: Words by which somebody takes back what they have just written.
_REPAIR = re.compile(
    r"\b(?:no wait|wait no|scratch that|actually no|never mind that|nein warte|warte nein)\b[\s,.:;–-]*", re.IGNORECASE
)
_SHORTEST_SLIP = 4
_SLIP = 78
_LONGEST_NAME = 3
_ONE_AT_A_TIME = "One after the other, please. Which of these first?"
_TO_COME = "I know only what is booked, nothing of the future."
#: What is asked about a part of a sentence that can't be told, by the reason.
_ASKED_BACK = {
    "unknown": "I don't know when “{}” was. Which dates do you mean?",
    "impossible": "No calendar has “{}”. Which dates do you mean?",
    "misspelt": "I don't know the word “{}”. Do you mean:",
    "not left out": "I don't know how to leave out “{}”. What do you mean?",
}
_MOST_CLAUSES = 4
_UNCLEAR = "I don't know what that refers to. What do you mean?"


class Planner:
    """Plans calls from words alone; holds the ranked examples and nothing of any person."""

    def __init__(self, tools: Sequence[Tool], embedder: TextEmbedder | None) -> None:
        """Plan among these tools; without an embedder, by words only."""
        # What is asked for in sentences of its own is found by them alone, and says nothing about other questions.
        self._tools = tuple(tool for tool in tools if not _asked_in_sentences(tool))
        self._slots = slots_of(tools)
        self._embedder = embedder
        self._ranker: Ranker | None = None
        self._known_words = frozenset(
            word.key
            for tool in self._tools
            for example in (*tool.examples, *tool.keywords)
            for word in words(re.sub(r"\{\w+\}", " ", example))
        )

    async def plan(self, text: str, context: ToolContext, tools: Sequence[Tool], past: Sequence[PastTurn] = ()) -> Plan:
        """Return what to call for a text, given the turns before it."""
        text = _REPAIR.split(_chosen(text, past))[-1].strip()
        offered = {tool.name: tool for tool in tools}
        clauses = self._clauses(text, context)
        if len(clauses) > 1 and not asked_outright(text, self._slots, context):
            if any(asked_outright(clause, self._slots, context) for clause in clauses):
                return Plan("clarify", question=_ONE_AT_A_TIME, choices=tuple(clauses[:_MOST_CLAUSES]))
            planning = Planning(
                lambda clause, said: self._plan_one(clause, context, offered, said),
                lambda clause: self.read(clause, context),
                offered,
                context,
            )
            plan = await plan_clauses(clauses, planning, past)
            if plan is not None:
                return plan
        return await self._plan_one(clauses[0] if len(clauses) == 1 else text, context, offered, past)

    def _clauses(self, text: str, context: ToolContext) -> list[str]:
        """Return the questions of a text; "just October" and "without rent" belong to the question before them."""
        return clauses_of(text, lambda piece: _only_narrows(self.read(piece, context)))

    def read(self, text: str, context: ToolContext) -> Reading:
        """Return the mentions of a text; names with a typo are found where nothing else explains a word."""
        known = self._known_words
        reading = respelled(read(part_compounds(text), self._slots, context, known), self._slots, context, known)
        found = (*reading.mentions, *_misspelt(reading, context))
        return reread(reading, [mention for mention in found if not _is_verb(mention, reading)], known)

    async def _plan_one(
        self, text: str, context: ToolContext, tools: dict[str, Tool], past: Sequence[PastTurn]
    ) -> Plan:
        reading = self.read(text, context)
        trace: dict[str, Any] = {
            "mentions": [f"{m.slot}: {m.text}" for m in reading.mentions],
            "pattern": " ".join(reading.pattern),
        }
        if reading.outright:
            return replace(_asked(reading, tools), trace={**trace, "read_as": "request"})
        unsure = _asked_back(reading, anything_before=bool(past))
        if unsure is not None:
            return replace(unsure, trace=trace)
        if is_follow_up(reading, past) or asks_about_figures(reading, past):
            follow_up = self._follow_up(reading, context, tools, past)
            if follow_up is not None:
                return Plan("calls", follow_up, 0.9, trace={**trace, "read_as": "follow-up"})
        if is_follow_up(reading, past) or is_unclear(reading, past):
            return Plan("clarify", question=_UNCLEAR, trace={**trace, "read_as": "unclear"})
        rounds = None if "changed" in wants_of(reading).cues else composed(reading, tools)
        if rounds is not None:
            return Plan("calls", rounds, 0.9, trace={**trace, "read_as": "two rounds"})
        ranked = await self._rank(reading, context, list(tools.values()))
        return await choose(Candidates(reading, ranked, tools, context, trace), anything_before=bool(past))

    def prepare(self, context: ToolContext) -> Ranker:
        """Read the tools' examples, once; the names of whoever asks first must not colour them for everyone after."""
        if self._ranker is None:
            nobodys = replace(context, vocabulary=Vocabulary.empty(context.vocabulary.currencies))
            self._ranker = Ranker.prepare(self._tools, nobodys, self._embedder)
        return self._ranker

    async def _rank(self, reading: Reading, context: ToolContext, tools: Sequence[Tool]) -> list[Ranked]:
        return await self.prepare(context).rank(reading, tools)

    def _follow_up(
        self, reading: Reading, context: ToolContext, tools: dict[str, Tool], past: Sequence[PastTurn]
    ) -> tuple[tuple[Call, ...], ...] | None:
        figures = figures_from(reading, context, tools, past)
        calls = None if figures or not is_follow_up(reading, past) else edited(reading, past, tools, context)
        return figures or ((calls,) if calls else None)


def _only_narrows(reading: Reading) -> bool:
    """Whether a clause names only a period or what to leave out, and asks nothing itself."""
    narrows = bool(reading.mentions) and all(m.slot == "period" or m.excluded for m in reading.mentions)
    return narrows and not reading.residue and not wants_of(reading).told


def _asked_in_sentences(tool: Tool) -> bool:
    """Whether a tool is found by sentences that ask for it outright, and by no other."""
    return any(isinstance(slot, SentenceSlot) for slot in tool.slots.values())


def _is_verb(mention: Mention, reading: Reading) -> bool:
    """Whether what may be a shop is the first word of a verb that says what the sentence asks ("shell out")."""
    if mention.slot != "merchant":
        return False
    keys = [word.key for word in reading.words if word.start >= mention.start][:2]
    return is_phrase(keys)


def _is_asked(tool: Tool, reading: Reading) -> bool:
    """Whether a tool is what the sentence asks for outright."""
    slots = {slot.name for slot in tool.slots.values() if isinstance(slot, SentenceSlot)}
    return any(mention.slot in slots for mention in reading.mentions)


def _asked(reading: Reading, tools: Mapping[str, Tool]) -> Plan:
    tool = next((tool for tool in tools.values() if _is_asked(tool, reading)), None)
    if tool is None:
        return Plan("none", confidence=_OUTRIGHT, question="The tool for that is switched off.")
    return Plan("calls", ((Call(tool.name, fill(tool, reading)),),), _OUTRIGHT)


def _misspelt(reading: Reading, context: ToolContext) -> tuple[Mention, ...]:
    """Return a mention for unexplained words that are nearly the name of a merchant or category, where a name would stand."""
    if not reading.residue or reading.of("merchant") or reading.of("category"):
        return ()
    for phrase, start, end in _unexplained(reading):
        for slot in (MerchantSlot(), CategorySlot()):
            checked = slot.misspelt(phrase, context)
            if not checked.problem and checked.value:
                return (Mention(slot.name, start, end, argument_of(names_of(checked.value)), phrase, 0.8),)
    return ()


def _unexplained(reading: Reading) -> Iterator[tuple[str, int, int]]:
    """Yield what may be a misspelt name: neighbouring unexplained words together, then each of them."""
    words_, text = reading.residue, reading.text
    for first in range(len(words_)):
        for last in range(len(words_) - 1, first - 1, -1):
            start, end = words_[first].start, words_[last].end
            inside = [word for word in reading.words if start <= word.start < end]
            if end - start >= _SHORTEST_SLIP and len(inside) == last - first + 1 <= _LONGEST_NAME:
                yield text[start:end], start, end


def _asked_back(reading: Reading, *, anything_before: bool) -> Plan | None:
    """Ask about what can't be told, each choice a whole question; without it the answer would be to another one."""
    told = wants_of(reading).told
    if any(word.key in FUTURE for word in reading.residue):
        return Plan("none", question=_TO_COME)
    if not reading.unclear or not (reading.mentions or anything_before or told or _only_unclear(reading)):
        return _slip(reading) if told else None
    unclear = reading.unclear[0]
    if unclear.reason == "future":
        return Plan("none", question=_TO_COME)
    before, written, after = _cut(reading.text, unclear.start, unclear.end)
    choices = tuple(f"{before}{choice}{after}" for choice in unclear.choices)
    return Plan("clarify", confidence=_OUTRIGHT, question=_ASKED_BACK[unclear.reason].format(written), choices=choices)


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
        if len(word.key) < _SHORTEST_SLIP or word.key in TELLING_WORDS:
            continue
        near = process.extract(
            word.key, list(dict.fromkeys(TELLING_WORDS)), scorer=fuzz.ratio, limit=3, score_cutoff=_SLIP
        )
        if near:
            written = reading.text[word.start : word.end]
            choices = [f"{reading.text[: word.start]}{choice}{reading.text[word.end :]}" for choice, _, _ in near]
            return Plan("clarify", question=f"I don't know the word “{written}”. Do you mean:", choices=tuple(choices))
    return None


def _chosen(text: str, past: Sequence[PastTurn]) -> str:
    """Return the choice that a short answer to a clarifying question picks, else the text."""
    choices = past[-1].choices if past else ()
    if not choices:
        return text
    plain = text.strip().strip(".!").casefold()
    ordinals = {"1": 0, "2": 1, "3": 2, "4": 3, "first": 0, "second": 1, "third": 2, "the first": 0, "the second": 1,
                "the first one": 0, "the second one": 1, "the third one": 2, "erste": 0, "zweite": 1, "dritte": 2,
                "das erste": 0, "das zweite": 1, "die erste": 0, "die zweite": 1}  # fmt: skip
    if plain in ordinals and ordinals[plain] < len(choices):
        return choices[ordinals[plain]]
    return next((choice for choice in choices if plain == choice.casefold().strip(".!?")), text)
