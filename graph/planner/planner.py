"""The planner: reads a question, ranks the tools, fills one, and knows when it does not know."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from graph.planner.choosing import OTHERS, Candidates, choose
from graph.planner.clauses import Planning, clauses_of, plan_clauses
from graph.planner.compositions import asks_about_figures, composed, figures_from
from graph.planner.cues import is_phrase
from graph.planner.dialogue import UNCLEAR, followed, refused_again, relation_of
from graph.planner.editing import edited
from graph.planner.filling import fill
from graph.planner.followups import is_follow_up, is_unclear
from graph.planner.inheriting import asked_of_the_same, inherited
from graph.planner.intents import INCOME, wants_of
from graph.planner.lookups import looked_up, of_what_there_is
from graph.planner.plan import Plan
from graph.planner.pointing import points_back
from graph.planner.ranking import Ranked, Ranker, TextEmbedder
from graph.planner.reading import Reading, asked_outright, read, reread, respelled, slots_of
from graph.planner.settling import NEW, OF_NOW, outright, settled
from graph.planner.vocabulary import FUTURE, TELLING_WORDS
from graph.planner.witness import WITNESSED, witness
from language.lexicon import phrases
from language.reader import reader
from language.remarks import without_remarks
from language.words import fold, words
from ledger.brands import brand_called
from ledger.periods import part_compounds
from ledger.repository import Vocabulary
from tools.calls import Call
from tools.slots.name_index import is_everyday
from tools.slots.names import CategorySlot, MerchantSlot, argument_of, merchant_index, names_of
from tools.slots.sentences import SentenceSlot
from tools.slots.slot import Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from graph.planner.witness import Asking
    from graph.turn import PastTurn
    from tools.context import ToolContext
    from tools.registry import Tool

#: How sure a request in so many words is.
_OUTRIGHT = 0.97
#: Words by which somebody takes back what they have just written.
_REPAIR = re.compile(
    r"\b(?:no wait|wait no|scratch that|actually no|never mind that|nein warte|warte nein)\b[\s,.:;–-]*", re.IGNORECASE
)
#: A name with a noun for what was bought there ("REWE-Einkäufe").
_COMPOUND = re.compile(
    r"(\w{2,})-(Einkäufe|Einkauf|Käufe|Besuche|Besuch|Bestellung(?:en)?|Zahlung(?:en)?|Ausgaben|Kosten|Rechnung(?:en)?|Abo|Buchung(?:en)?|"
    r"Umsätze|Gebühr(?:en)?|Vertrag|Tarif)\b"
)
_SHORTEST_SLIP = 4
_SLIP = 78
#: By so many points the nearest word must be nearer than the next one to be taken for it.
_CLEARLY = 6
_LONGEST_NAME = 3
#: A part of a name has so many letters at least, and stands for so many names at most.
_SHORTEST_PART, _MOST_NAMES = 3, 3
#: A name with a slip in it has so many letters.
_SHORTEST_SHOP = 5
_ONE_AT_A_TIME = "One after the other, please. Which of these first?"
_TO_COME = "I know only what is booked, nothing of the future."
#: What is asked about a part of a sentence that can't be told, by the reason.
_ASKED_BACK = {
    "unknown": "I don't know when “{}” was. Which dates do you mean?",
    "impossible": "No calendar has “{}”. Which dates do you mean?",
    "misspelt": "I don't know the word “{}”. Do you mean:",
    "not left out": "I don't know how to leave out “{}”. What do you mean?",
}
_MISSPELT = "I don't know the word "
_MOST_CLAUSES = 4


class Planner:
    """Plans calls from words alone; holds the ranked examples and nothing of any person."""

    def __init__(self, tools: Sequence[Tool], embedder: TextEmbedder | None) -> None:
        """Plan among these tools; without an embedder, by words only."""
        # What is asked for in sentences of its own is found by them alone, and says nothing about other questions.
        # What only the reader can fill, it alone chooses.
        self._tools = tuple(tool for tool in tools if not _asked_in_sentences(tool) and tool.name not in WITNESSED)
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
        text = self._question(_REPAIR.split(_chosen(text, past))[-1].strip(), context)
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

    def _question(self, text: str, context: ToolContext) -> str:
        """Return a text without the remarks beside its question, unless these hold a period or a name that it lacks."""
        question = without_remarks(text)
        if question == text or any(asked_outright(each, self._slots, context) for each in self._clauses(text, context)):
            return text
        whole, rest = self.read(text, context), self.read(question, context)
        telling = ["period", "over", "under", "account", "merchant"]
        if text.endswith(question):  # "My tax adviser asks" names no category
            lost = any(whole.of(slot) and not rest.of(slot) for slot in telling)
        else:
            lost = any(_values(whole, slot) != _values(rest, slot) for slot in (*telling, "category"))
        left_out = any(m.excluded for m in whole.mentions) and not any(m.excluded for m in rest.mentions)
        return text if lost or left_out else question

    def _clauses(self, text: str, context: ToolContext) -> list[str]:
        """Return the questions of a text; "just October" and "without rent" belong to the question before them."""
        return clauses_of(text, lambda piece: _only_narrows(self.read(piece, context)))

    def read(self, text: str, context: ToolContext) -> Reading:
        """Return the mentions of a text; names with a typo are found where nothing else explains a word."""
        known = self._known_words
        text = _COMPOUND.sub(r"\1 \2", text)
        reading = respelled(read(part_compounds(text), self._slots, context, known), self._slots, context, known)
        kept = [mention for mention in reading.mentions if not _is_verb(mention, reading)]
        kept = [_within_subject(mention, kept, context) for mention in kept]
        reading = reread(reading, [*kept, *_partly_named(reading, context)], known)
        return reread(reading, [*reading.mentions, *_misspelt(reading, context)], known)

    async def _plan_one(
        self, text: str, context: ToolContext, tools: dict[str, Tool], past: Sequence[PastTurn]
    ) -> Plan:
        """Return the plan of the first step that has one; each says in the trace that it was it."""
        reading = self.read(text, context)
        trace: dict[str, Any] = {
            "mentions": [f"{m.slot}: {m.text}" for m in reading.mentions],
            "pattern": " ".join(reading.pattern),
        }
        if reading.outright:
            return replace(_asked(reading, tools), trace={**trace, "read_as": "request"})
        asking = await witness(reading, tools, context, anything_before=bool(past))
        trace["reader"] = [(answer, round(sure, 2)) for answer, sure in asking.told["act"].ranked[:3]]
        sentence = _Sentence(asking, past, is_follow_up(reading, past) or asks_about_figures(reading, past), trace)
        for step in (_of_the_same, self._by_own_example, _by_relation, _by_rounds, _by_reader, self._unsure, _by_edit):
            plan = await step(sentence)
            if plan is not None:
                return replace(plan, trace={"read_as": step.__name__.strip("_"), **trace, **plan.trace})
        return await self._by_both(sentence)

    async def _by_own_example(self, sentence: _Sentence) -> Plan | None:
        """Return the call of somebody's own tool where a sentence is nearly one of its examples."""
        asking = sentence.asking
        if not any(tool.apart for tool in asking.tools.values()):
            return None
        best = (await self._rank(asking.reading, asking.context, list(asking.tools.values())))[0]
        if best.tool is None or not best.tool.apart or best.score < OTHERS:
            return None
        arguments = fill(best.tool, asking.reading)
        missing = any(name not in arguments for name in best.tool.required)
        return None if missing else Plan("calls", ((Call(best.tool.name, arguments),),), best.score)

    async def _unsure(self, sentence: _Sentence) -> Plan | None:
        """Ask about what can't be told; a slip that can only be one word is mended."""
        asking, past = sentence.asking, sentence.past
        unsure = _asked_back(asking.reading, anything_before=bool(past))
        slip = unsure is not None and unsure.question.startswith(_MISSPELT) and len(unsure.choices) == 1
        if unsure is None or not slip or sentence.follows or not _is_one_slip(asking.reading.text, unsure.choices[0]):
            return unsure
        return await self._plan_one(unsure.choices[0], asking.context, dict(asking.tools), past)

    async def _by_both(self, sentence: _Sentence) -> Plan:
        """Return the plan that grammar and reader allow, with what only the ledger and the question before can tell."""
        asking, past = sentence.asking, sentence.past
        ranked = await self._rank(asking.reading, asking.context, list(asking.tools.values()))
        candidates = Candidates(asking.reading, ranked, asking.tools, asking.context, sentence.trace)
        plan = settled(await choose(candidates, anything_before=bool(past)), asking)
        if past and (plan.kind == "clarify" or asking.act == "rows" or points_back(asking.reading)):
            plan = inherited(asking, past) or plan
        return await looked_up(plan, asking)

    def prepare(self, context: ToolContext) -> Ranker:
        """Read the tools' examples, once; the names of whoever asks first must not colour them for everyone after."""
        if self._ranker is None:
            nobodys = replace(context, vocabulary=Vocabulary.empty(context.vocabulary.currencies))
            self._ranker = Ranker.prepare(self._tools, nobodys, self._embedder)
        return self._ranker

    async def _rank(self, reading: Reading, context: ToolContext, tools: Sequence[Tool]) -> list[Ranked]:
        return await self.prepare(context).rank(reading, tools)


@dataclass(frozen=True)
class _Sentence:
    """One sentence on its way to a plan: both witnesses' readings, what was said before, and whether it joins on to that."""

    asking: Asking
    past: Sequence[PastTurn]
    follows: bool
    trace: dict[str, Any]


async def _of_the_same(sentence: _Sentence) -> Plan | None:
    """Ask more of the answer before, or of its subject where the sentence points at it."""
    asking, past = sentence.asking, sentence.past
    points = asking.act in NEW and points_back(asking.reading)
    return asked_of_the_same(asking, past) or (inherited(asking, past) if points else None)


async def _by_relation(sentence: _Sentence) -> Plan | None:
    """Return the plan for what leans on the answers before, as the reader tells how it does."""
    asking, past = sentence.asking, sentence.past
    relation = relation_of(asking, past)
    sentence.trace["relation"] = relation, round(asking.told["rel"].sure, 2)
    if relation in ("alone", "chat"):
        return None
    if relation == "refused":
        return refused_again(past)
    plan = await followed(asking, past, relation)
    if plan is None or any(call.name == INCOME for call in plan.calls):
        return plan
    return await of_what_there_is(plan, asking)


async def _by_reader(sentence: _Sentence) -> Plan | None:
    """Return what the reader alone tells, unless the sentence joins on to the one before or holds what can't be told."""
    if sentence.follows or _untold(sentence.asking.reading, sentence.asking.act):
        return None
    sure = outright(sentence.asking)
    return None if sure is None else await looked_up(sure, sentence.asking)


async def _by_edit(sentence: _Sentence) -> Plan | None:
    """Return the question before with the sentence's changes, or ask what it refers to."""
    asking, past = sentence.asking, sentence.past
    reading = asking.reading
    if not sentence.follows and not is_unclear(reading, past):
        return None
    figures = figures_from(reading, asking.context, asking.tools, past) if sentence.follows else None
    edit = edited(reading, past, asking.tools, asking.context) if not figures and is_follow_up(reading, past) else None
    rounds = figures or ((edit,) if edit else None)
    if rounds is not None:
        return Plan("calls", rounds, 0.9)
    return inherited(asking, past) or Plan("clarify", question=UNCLEAR)


async def _by_rounds(sentence: _Sentence) -> Plan | None:
    """Return the plan of a question that needs two rounds."""
    asking = sentence.asking
    if sentence.follows or points_back(asking.reading):
        return None
    rounds = None if "changed" in wants_of(asking.reading).cues else composed(asking.reading, asking.tools)
    return None if rounds is None else settled(Plan("calls", rounds, 0.9), asking)


def _values(reading: Reading, slot: str) -> list[str]:
    return [str(mention.value) for mention in reading.of(slot)]


def _untold(reading: Reading, act: str) -> bool:
    """Whether a time or a name to leave out can't be told, which is asked about before anything else.

    What is asked of the present ("these days", "lately") needs no dates.
    """
    told = [unclear for unclear in reading.unclear if unclear.reason != "future"]
    if act in OF_NOW:
        told = [each for each in told if _keys(reading.text[each.start : each.end]) not in phrases("now")]
    return bool(told)


def _keys(text: str) -> tuple[str, ...]:
    return tuple(word.key for word in words(text))


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
    named = fold(mention.text) in map(fold, names_of(mention.value)) and mention.text[:1].isupper()
    if reader().is_common(fold(mention.text)) and not named:
        return True  # "monthly" is no word for the shop "Monthly Service Fee", nor "payments" for "Payments"
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


def _within_subject(mention: Mention, others: Sequence[Mention], context: ToolContext) -> Mention:
    """Return the shop that is left out of its own category: "books, without the bookshop"."""
    out = set(names_of(mention.value))
    same = any(o.slot == "category" and not o.excluded and set(names_of(o.value)) <= out for o in others)
    if mention.slot != "category" or not mention.excluded or not same:
        return mention
    shops = merchant_index(context).resolve(mention.text)
    return replace(mention, slot="merchant", value=argument_of(shops)) if shops else mention


def _partly_named(reading: Reading, context: ToolContext) -> Iterator[Mention]:
    """Yield a mention for each word that nothing explains and that is part of a name in the ledger ("zego", "dogs")."""
    if reading.outright:
        return
    for word in reading.residue:
        written = reading.text[word.start : word.end]
        if len(word.key) < _SHORTEST_PART or reader().is_read(word.key):
            continue
        if is_everyday(word.key):
            continue
        index = merchant_index(context)
        merchants = index.resolve(written) or index.resolve(f"{written}s")
        if len(merchants) > 1 and not index.beginning(word.key):
            continue  # a place that several shops are in
        categories = tuple(name for name in context.vocabulary.categories if word.key in map(fold, name.split()))
        if 0 < len(merchants) <= _MOST_NAMES:
            yield Mention("merchant", word.start, word.end, argument_of(merchants), written, 0.8)
        elif len(categories) == 1:
            yield Mention("category", word.start, word.end, categories[0], written, 0.8)


def _misspelt(reading: Reading, context: ToolContext) -> tuple[Mention, ...]:
    """Return a mention for unexplained words that are nearly the name of a merchant or category, where a name would stand."""
    if not reading.residue or reading.of("merchant") or reading.of("category"):
        return ()
    for phrase, start, end in _unexplained(reading):
        if (
            brand_called(phrase) or end - start < _SHORTEST_SHOP
        ):  # a shop that is not in the ledger is no slip of another word
            continue
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
        if len(word.key) < _SHORTEST_SLIP or word.key in TELLING_WORDS or reader().is_read(word.key):
            continue
        near = process.extract(
            word.key, list(dict.fromkeys(TELLING_WORDS)), scorer=fuzz.ratio, limit=3, score_cutoff=_SLIP
        )
        near = [each for each in near if each[1] > near[0][1] - _CLEARLY]
        if near:
            written = reading.text[word.start : word.end]
            choices = [f"{reading.text[: word.start]}{choice}{reading.text[word.end :]}" for choice, _, _ in near]
            return Plan("clarify", question=f"{_MISSPELT}“{written}”. Do you mean:", choices=tuple(choices))
    return None


def _is_one_slip(text: str, mended: str) -> bool:
    """Whether one letter too many, too few, swapped or wrong is all that sets two texts apart."""
    from rapidfuzz.distance import OSA

    return OSA.distance(text, mended) == 1


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
