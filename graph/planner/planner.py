"""The planner: the way of a question from its words to calls, and the knowledge of when it does not know.

A text is cut into its questions; each is read (which names and dates), told (which act, by the reader), understood (what it
means), looked up (what the ledger holds of it) and made into calls. Each step may end the way with a question or a refusal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from graph.planner.adding import counted_once
from graph.planner.asked_alone import asked_alone
from graph.planner.asking import OF_BEFORE, Asking, asking_of
from graph.planner.asking_back import (
    NOT_LEFT_OUT,
    OUTRIGHT,
    ask_which,
    asked_back,
    is_untold,
    readings_of,
    set_apart,
)
from graph.planner.balances import asks_balance
from graph.planner.branches import branch_named, of_branch, standing_plan, without_what_narrows
from graph.planner.by_form import SURE_OF_ACT, act_by_form
from graph.planner.calls import (
    ANSWERING,
    READ_ONLY,
    Rounds,
    act_by_its_calls,
    is_to_come,
    meaning_of,
    meaning_of_scope,
    rounds_of,
)
from graph.planner.changing import without_its_noun
from graph.planner.clauses import Planning, clauses_of, only_narrows, plan_clauses
from graph.planner.consumption import consumed
from graph.planner.figures import standing
from graph.planner.filling import fill
from graph.planner.followups import UNCLEAR, followed
from graph.planner.happenings import dated
from graph.planner.leaving_times import leaves_times_out, leaving_out, times_at, without_doubt
from graph.planner.leaving_words import is_left_out_whole, of_its_rows
from graph.planner.listed_rows import by_link, pointed_out
from graph.planner.lookups import apart, never_met, of_what_there_is, told_apart, weighty
from graph.planner.meaning import SUBJECTS
from graph.planner.meant import Meant, meant_by
from graph.planner.naming import read_names, written_out
from graph.planner.nearest import nearest
from graph.planner.outright import asked_for, asked_in_sentences
from graph.planner.plain_clauses import told_plainly
from graph.planner.plan import Plan
from graph.planner.ranking import Ranked, Ranker, TextEmbedder
from graph.planner.reading import Reading, reread, slots_of
from graph.planner.relations import hangs_on_nothing, leans_on_nothing, relation_of
from graph.planner.searching import narrowed_by_words, of_the_banks_words, words_instead
from graph.planner.settling import ENOUGH, MISSING, THEIRS, has_no_answer, is_heard, refusal, refused_again
from graph.planner.strange_words import UNKNOWN, unknown_name
from graph.planner.telling import told_in_a_way
from graph.planner.told_by_text import everyday_names, told_by_text
from graph.planner.understanding import understood
from language import cues
from language.catalogue import joined, say
from language.remarks import without_remarks
from language.words import fold_in_place, words
from ledger.repository import Vocabulary
from tools.calls import Call, Choice
from tools.slots.ignoring import ignored_alone
from tools.slots.sentences import asked_outright

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.meaning import Meaning
    from graph.turn import PastTurn
    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.slots.slot import Mention

#: So alike must a sentence be to an example of a tool that no meaning comes to, to be taken for it.
_ALIKE = 0.7
#: A sentence that is less like every example than this is about something else.
_AT_ALL_OURS = 0.5
_LIKELIEST, _MOST_CLAUSES = 4, 4
#: What leaves something out of every figure.
IGNORE = "categories-ignore"
_ONE_AT_A_TIME = "One after the other, please. Which of these first?"


class Planner:
    """Plans calls from words alone; holds the ranked examples and nothing of any person."""

    def __init__(self, tools: Sequence[Tool], embedder: TextEmbedder | None) -> None:
        """Plan among these tools; without an embedder, by words only."""
        # What is asked for in sentences of its own is found by them alone, and says nothing about other questions.
        self._tools = tuple(tool for tool in tools if not asked_in_sentences(tool) and tool.name not in READ_ONLY)
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
        text, past = self._asked_in(text, context, past)
        offered = {tool.name: tool for tool in tools}
        plan = await self._plan_text(text, context, offered, past)
        return await self._offering(plan, context, offered, past) if plan.choices else plan

    async def _offering(
        self, plan: Plan, context: ToolContext, tools: dict[str, Tool], past: Sequence[PastTurn]
    ) -> Plan:
        """Return a question back with what its choices come to; one that comes to no calls is not offered."""
        choices = []
        for choice in plan.choices:
            made = choice
            if not choice.rounds:
                read = await self._plan_text(self._question(choice.label, context), context, tools, past)
                made = replace(choice, rounds=read.rounds if read.kind == "calls" else (), unread=read.unread)
            choices += [made] if made.rounds else []
        question = joined((plan.question, say(plan.inviting)), " ") if choices and plan.inviting else plan.question
        return replace(plan, question=question, choices=tuple(choices))

    async def _plan_text(
        self, text: str, context: ToolContext, offered: dict[str, Tool], past: Sequence[PastTurn]
    ) -> Plan:
        """Return the plan for a text; the choices of a question back are texts yet, unless it knows their calls."""
        telling = told_in_a_way(text)
        if telling:
            return telling.of(await self._plan_text(telling.question, context, offered, past), past, context, offered)
        clauses = self._clauses(text, context)
        if len(clauses) > 1 and not asked_outright(text, self._slots, context):
            if any(asked_outright(clause, self._slots, context) for clause in clauses):
                return Plan("clarify", question=_ONE_AT_A_TIME, choices=tuple(map(Choice, clauses[:_MOST_CLAUSES])))
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

    async def meant(
        self, text: str, context: ToolContext, tools: Sequence[Tool], past: Sequence[PastTurn] = ()
    ) -> Meant | None:
        """Return what one question may mean, for a second witness to choose from; None where there is nothing to choose."""
        text, past = self._asked_in(text, context, past)
        reading = self.read(text, context)
        if not reading.words or reading.outright or len(self._clauses(text, context)) > 1:
            return None
        asking = await asking_of(reading, {tool.name: tool for tool in tools}, context, anything_before=bool(past))
        if asking.act in OF_BEFORE:  # what leans on an answer, and could not be followed, is no question of its own
            return None

        async def plan(told: Asking) -> Plan | None:
            sentence = _Sentence(told, past, {})
            return await _by_relation(sentence) or await _by_meaning(sentence)

        return await meant_by(asking, plan)

    def _asked_in(self, text: str, context: ToolContext, past: Sequence[PastTurn]) -> tuple[str, Sequence[PastTurn]]:
        """Return the question of a text, and the turns that it may lean on."""
        text = written_out(text, context)
        past = () if cues.NEW_TOPIC.search(fold_in_place(text)) else past
        return self._question(cues.REPAIR.split(text)[-1].strip(), context), past

    def _question(self, text: str, context: ToolContext) -> str:
        """Return a text without the remarks beside its question; one that asks for something outright stays as it is."""
        plain = told_plainly(text, context)
        question = without_remarks(plain)
        if question != text and any(
            asked_outright(each, self._slots, context) for each in self._clauses(text, context)
        ):
            return text
        return asked_alone(plain, question, lambda part: self.read(part, context))

    def _clauses(self, text: str, context: ToolContext) -> list[str]:
        """Return the questions of a text; "just October" and "without rent" belong to the question before them."""
        folded = fold_in_place(text)
        back = cues.CAME_BACK.search(folded) and cues.IN_THE_END.search(
            folded
        )  # "… gave some back. So what was it in the end?"
        if back or cues.IN_AND_OUT.search(folded):
            return [text]
        return clauses_of(text, lambda piece: only_narrows(self.read(piece, context), text))

    def read(self, text: str, context: ToolContext) -> Reading:
        """Return the mentions of a text."""
        return read_names(text, self._slots, context, self._known_words)

    async def _plan_one(
        self, text: str, context: ToolContext, tools: dict[str, Tool], past: Sequence[PastTurn]
    ) -> Plan:
        """Return the plan for one question; of a name, for those of its rows that are meant."""
        reading = await dated(self.read(text, context), context, self._known_words)
        branch = None if reading.outright else await branch_named(reading, lambda: standing_plan(past), context)
        if branch is None:
            plan = await self._plan_times(reading, context, tools, past)
            rest = without_what_narrows(reading) if plan.kind == "clarify" else ""
            asked = await self._plan_one(rest, context, tools, past) if rest else plan
            branch = await branch_named(reading, lambda: asked, context) if rest else None
            return of_branch(asked, branch, context, tools) if branch else plan
        asked = await self._plan_one(branch.rest, context, tools, past) if branch.rest else standing_plan(past)
        return of_branch(asked, branch, context, tools)

    async def _plan_times(
        self, reading: Reading, context: ToolContext, tools: dict[str, Tool], past: Sequence[PastTurn]
    ) -> Plan:
        """Return the plan for what was read; of a sum that leaves times out, that of what is left."""
        if not leaves_times_out(reading):
            return await self._plan_read(reading, context, tools, past)
        plan = await self._plan_read(without_doubt(reading), context, tools, past)
        if plan.kind != "calls":
            return plan
        said = reading.text[times_at(reading)]
        return leaving_out(plan, reading, context, tools) or Plan("clarify", question=say(NOT_LEFT_OUT, words=said))

    async def _plan_read(
        self, reading: Reading, context: ToolContext, tools: dict[str, Tool], past: Sequence[PastTurn]
    ) -> Plan:
        """Return the plan of the first step that has one; each says in the trace that it was it."""
        trace: dict[str, Any] = {
            "mentions": [f"{m.slot}: {m.text}" for m in reading.mentions],
            "pattern": " ".join(reading.pattern),
        }
        if reading.outright:
            return replace(pointed_out(asked_for(reading, tools), tools, past), trace={**trace, "read_as": "request"})
        if not past and (ignored := ignored_alone(reading.text)) and IGNORE in tools:
            return Plan("calls", ((Call(IGNORE, {"what": ignored}),),), OUTRIGHT, trace={**trace, "read_as": "request"})
        asking = await self._asking(reading, tools, context, anything_before=bool(past))
        trace["reader"] = [(answer, round(sure, 2)) for answer, sure in asking.told["act"].ranked[:3]]
        sentence = _Sentence(asking, past, trace)
        steps = (
            self._by_own_example,
            by_link,
            _by_relation,
            _by_refusal,
            _by_meaning,
            self._unsure,
            self._by_example,
            _of_nothing,
        )
        for step in steps:
            plan = await step(sentence)
            if plan is not None:
                if is_to_come(plan.rounds, context):
                    plan = Plan("none", question=MISSING["forecast"], choices=nearest("forecast"))
                elif plan.rounds and _through(plan.rounds[0][0]) and await never_met(plan.rounds[0][0], asking):
                    plan = set_apart(plan.rounds[0][0], reading)
                return replace(plan, trace={"read_as": step.__name__.strip("_"), **trace, **plan.trace})
        if told := await everyday_names(asking):
            return await self._plan_read(self._reread(reading, told), context, tools, past)
        return replace(await self._given_up(sentence), trace={**trace, "read_as": "given_up"})

    async def _asking(
        self, reading: Reading, tools: Mapping[str, Tool], context: ToolContext, *, anything_before: bool
    ) -> Asking:
        """Return what is asked, with the names that only the bank's text tells."""
        asking = await asking_of(reading, tools, context, anything_before=anything_before)
        if asks_balance(asking):
            return asking.as_act("balance")
        told = await told_by_text(asking)
        if not told:
            return asking
        return await asking_of(self._reread(reading, told), tools, context, anything_before=anything_before)

    def _reread(self, reading: Reading, told: Sequence[Mention]) -> Reading:
        """Return a reading with mentions that the bank's text tells, in place of what stood where they stand."""
        unclear = tuple(
            each for each in reading.unclear if not any(each.start <= mention.start < each.end for mention in told)
        )
        others = [m for m in reading.mentions if not any(m.start < each.end and each.start < m.end for each in told)]
        return reread(replace(reading, unclear=unclear), [*others, *told], self._known_words)

    async def _by_own_example(self, sentence: _Sentence) -> Plan | None:
        """Return the call of somebody's own tool where a sentence is nearly one of its examples."""
        return await self._alike(sentence) if any(tool.apart for tool in sentence.asking.tools.values()) else None

    async def _by_example(self, sentence: _Sentence) -> Plan | None:
        """Return the call of a tool that no meaning comes to, where a sentence is nearly one of its examples."""
        return await self._alike(sentence)

    async def _alike(self, sentence: _Sentence) -> Plan | None:
        asking = sentence.asking
        best = (await self._rank(sentence))[0]
        if best.tool is None or best.tool.name in ANSWERING or best.score < _ALIKE:
            return None
        arguments = fill(best.tool, asking.reading)
        missing = any(name not in arguments for name in best.tool.required)
        return None if missing else Plan("calls", ((Call(best.tool.name, arguments),),), best.score)

    async def _unsure(self, sentence: _Sentence) -> Plan | None:
        """Ask about what can't be told."""
        return asked_back(sentence.asking, anything_before=bool(sentence.past))

    async def _given_up(self, sentence: _Sentence) -> Plan:
        """Return the question which of the likeliest readings is meant, or that it is none of ours."""
        asking, past = sentence.asking, sentence.past
        reading, ranked = asking.reading, await self._rank(sentence)
        told = asking.told["act"]
        leans = leans_on_nothing(asking, past)
        if has_no_answer(asking, leans=leans):
            return Plan("none", confidence=told.sure)  # not so sure that a model may not be asked
        if leans:
            return Plan("clarify", question=UNCLEAR)
        strange = unknown_name(asking)
        if strange and told.best not in THEIRS and told.sure >= SURE_OF_ACT:
            return Plan(
                "clarify",
                question=say(UNKNOWN, words=strange),
                choices=readings_of(reading, ranked, asking.context.language),
            )
        nothing = not reading.mentions and (ranked[0].tool is None or ranked[0].score < _AT_ALL_OURS)
        if nothing and (asking.unread or told.best in THEIRS):
            return Plan("none", confidence=ranked[0].score)
        return Plan("clarify", choices=readings_of(reading, ranked, asking.context.language))

    def prepare(self, context: ToolContext) -> Ranker:
        """Read the tools' examples, once; the names of whoever asks first must not colour them for everyone after."""
        if self._ranker is None:
            nobodys = replace(context, vocabulary=Vocabulary.empty(context.vocabulary.currencies))
            self._ranker = Ranker.prepare(self._tools, nobodys, self._embedder)
        return self._ranker

    async def _rank(self, sentence: _Sentence) -> list[Ranked]:
        """Return the tools by the likeness of their examples to a sentence, told once for each sentence."""
        if not sentence.ranked:
            asking = sentence.asking
            sentence.ranked.extend(await self.prepare(asking.context).rank(asking.reading, list(asking.tools.values())))
        return sentence.ranked


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One sentence on its way to a plan: what both witnesses tell of it, and what was said before."""

    asking: Asking
    past: Sequence[PastTurn]
    trace: dict[str, Any]
    ranked: list[Ranked] = field(default_factory=list)
    """The tools by likeness, once that was asked for."""


async def _by_relation(sentence: _Sentence) -> Plan | None:
    """Return the plan for what leans on the answers before, as the reader tells how it does."""
    asking, past = sentence.asking, sentence.past
    base = meaning_of_scope(scope, asking.context) if (scope := standing(past)) else None
    if _means_nobody(asking, base) or hangs_on_nothing(asking, past):
        return Plan("clarify", question=UNCLEAR)
    asking = _without_its_noun(asking, base)
    relation = relation_of(asking, past)
    relation = "about" if relation == "alone" and asking is not sentence.asking else relation
    sentence.trace["relation"] = relation, round(asking.told["rel"].sure, 2)
    if relation == "refused":
        return refused_again(past)
    if relation in ("alone", "chat") or not is_left_out_whole(asking.reading):
        return None
    if base and relation in ("edit", "about", "part"):
        asking = await narrowed_by_words(asking, base)
    text = await words_instead(asking) if relation == "edit" else None
    plan = followed(asking, past, relation, text)
    if plan and len(plan.rounds) > 1:
        plan = await counted_once(plan, asking)
    return await _as_held(plan, asking, base, text) if plan else None


def _means_nobody(asking: Asking, base: Meaning | None) -> bool:
    """Whether a message speaks of somebody ("what did I send her?"), and nobody was named before."""
    return asking.says(cues.TO_SOMEBODY) and not asking.has("merchant") and not (base and "merchant" in base.about)


async def _as_held(plan: Plan, asking: Asking, base: Meaning | None, text: str | None) -> Plan:
    """Return the plan of a follow-up about the rows that the ledger holds, or the question about words that it leaves aside."""
    if text and any(call.arguments.get("text") == text for call in plan.calls):
        asking = replace(asking, sought=text)
    act = act_by_its_calls(plan.calls)
    asking = asking.as_act(act) if act else asking
    if base and plan.rounds:
        plan = await of_its_rows(await _held(plan, asking), base, asking.context, asking.tools)
    return consumed(plan, asking.reading, asking.unread)


def _without_its_noun(asking: Asking, base: Meaning | None) -> Asking:
    """Return the same without a noun for what stands, or itself where it has none."""
    bare = without_its_noun(asking.reading, base) if base else asking.reading
    return asking if bare is asking.reading else replace(asking, reading=bare)


async def _of_nothing(sentence: _Sentence) -> Plan | None:
    """Return the total of an empty ledger, whose answer says that there is nothing yet."""
    asking, vocabulary = sentence.asking, sentence.asking.context.vocabulary
    if vocabulary.categories or vocabulary.merchants or asking.told["act"].best in THEIRS | MISSING.keys():
        return None
    rounds = rounds_of(asking.meaning("total", of="spending"), asking.tools)
    return Plan("calls", rounds, asking.told["act"].sure) if rounds else None


async def _held(plan: Plan, asking: Asking) -> Plan:
    """Return the plan about the money that the ledger holds of what each call names."""
    calls = []
    for call in plan.rounds[0]:
        meaning = meaning_of(call, asking.context)
        told = meaning.of != "income" or asking.says(cues.TO_ME)
        meaning_, _ = await told_apart(meaning, asking)
        held = await of_what_there_is(meaning_, asking) if told else meaning_
        made = rounds_of(held, asking.tools) if held != meaning else None
        calls.append(made[0][0] if made else call)
    return replace(plan, rounds=(tuple(calls), *plan.rounds[1:]))


def _through(call: Call) -> bool:
    """Whether a call names an account, or a way of paying."""
    return call.name in ANSWERING and not call.arguments.keys().isdisjoint({"account", "means"})


async def _by_refusal(sentence: _Sentence) -> Plan | None:
    asking = sentence.asking
    return None if is_untold(asking.reading, asking.act) else refusal(asking)


async def _by_meaning(sentence: _Sentence) -> Plan | None:
    """Return the calls of what the sentence means, where the reader is heard and a tool takes the whole of it."""
    asking = sentence.asking
    if is_untold(asking.reading, asking.act):
        return None
    asking = await _with_its_act(asking)
    meanings = understood(asking)
    if asking.act_is is None and not is_heard(asking, _sure_of_meaning(asking, meanings)):
        return None
    if any(meaning.is_of_everything for meaning in meanings) and not asking.says_nothing_else:
        return None
    subjects = [mention for mention in asking.reading.mentions if mention.slot in SUBJECTS]
    which = ask_which(asking.reading, asking.context.language) if len(subjects) == 1 else None
    if which is None:
        return await _as_meant(meanings, asking)
    question, readings = which
    choices = []
    for label, reading in readings:
        told = replace(asking, reading=reading)
        plan = await _as_meant(understood(told), told)
        choices += [Choice(label, plan.rounds, plan.unread)] if plan is not None and plan.kind == "calls" else []
    return Plan("clarify", confidence=0.5, question=question, choices=tuple(choices)) if choices else None


async def _with_its_act(asking: Asking) -> Asking:
    """Return what is asked with the act that its form tells, and the words that are looked for in the bank's text."""
    if asking.act_is == "balance":  # in so many words
        return asking
    by_form = act_by_form(asking)
    before = asking.as_act(by_form) if by_form else asking
    asking = await of_the_banks_words(before)
    act = (act_by_form(asking) if asking is not before else None) or by_form
    return asking if act is None else asking.as_act(act)


async def _as_meant(meanings: tuple[Meaning, ...], asking: Asking) -> Plan | None:
    """Return the calls of what a sentence means, or the question about words that they leave aside."""
    plan = await _planned(meanings, asking) if meanings else None
    return None if plan is None else await _consumed(plan, asking)


async def _consumed(plan: Plan, asking: Asking) -> Plan:
    return consumed(plan, asking.reading, asking.unread, await weighty(asking) if asking.unread else ())


def _sure_of_meaning(asking: Asking, meant: tuple[Meaning, ...]) -> float:
    """Return how sure it is what is meant: acts that come to the same meaning speak for it together."""
    if asking.says(cues.ONE_BY_ONE):
        return 1.0
    best, *others = asking.told["act"].ranked[:_LIKELIEST]
    if best[1] >= ENOUGH:
        return best[1]
    return best[1] + sum(sure for act, sure in others if meant and understood(asking.as_act(act)) == meant)


async def _planned(meanings: tuple[Meaning, ...], asking: Asking) -> Plan | None:
    """Return the calls of meanings, each about the money that the ledger holds of what it names."""
    rounds: list[Rounds] = []
    unread: tuple[str, ...] = ()
    for meaning in meanings:
        told, untold = await told_apart(meaning, asking)
        held, aside = await apart(await of_what_there_is(told, asking), asking)
        made = rounds_of(held, asking.tools)
        if made is None or (len(meanings) > 1 and len(made) > 1):
            return None
        rounds.append(made)
        unread = (*unread, *untold, *aside)
    if len(rounds) == 1:
        return Plan("calls", rounds[0], asking.told["act"].sure, unread=unread)
    return Plan("calls", (tuple(call for made in rounds for call in made[0]),), asking.told["act"].sure, unread=unread)
