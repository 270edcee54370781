"""Follow-ups: how a message stands to the answers before it, and what it makes of their meaning.

The reader tells the relation: an *edit* of the question before, another question *about* its subject, a *part* of its answer,
*which* of the last two answers, the *same* again, or a question *alone*. Each is a change of the meaning that stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from graph.planner.adding import added_or_taken, left_in_the_end, of_both
from graph.planner.asking import is_shop, money_of_kind
from graph.planner.asking_back import NOT_LEFT_OUT
from graph.planner.balances import balance_after
from graph.planner.calls import ACT_OF_MEASURE, CALCULATE, Rounds, meaning_of_scope, rounds_of, shared
from graph.planner.changing import (
    about_after,
    as_far,
    as_long,
    is_whole,
    may_repeat,
    narrows,
    of_after,
    periods_after,
    put_right,
    without_nouns,
)
from graph.planner.figures import is_part_of_last, last_dates, last_figures, standing
from graph.planner.filling import union
from graph.planner.leaving_words import left_out_of_no_part
from graph.planner.meaning import SUBJECTS
from graph.planner.more_of_regular import more_of_regular, since_the_start
from graph.planner.past_subjects import (
    are_of_one_kind,
    asked_in_a_row,
    differ_in_their_subject,
    last_subjects,
    last_two_compared,
)
from graph.planner.persons import left_between
from graph.planner.plan import Plan
from graph.planner.pointing import means_both, one_of_a_time, points_back, takes_part
from graph.planner.relations import is_understood
from graph.planner.settling import names_place
from graph.planner.strange_words import UNKNOWN, text_of, unknown_name
from graph.planner.turning import act_as_written, goes_the_other_way, is_given_back_by_another, turned
from graph.planner.understanding import meaning_of_act, one_by_one
from language import cues
from language.catalogue import say
from language.lexicon import listed
from ledger.periods import Period, granularity, previous_period
from tools.calls import Call
from tools.slots.names import CategorySlot, names_of
from tools.slots.period import periods_in, read_period

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning
    from graph.turn import PastTurn

#: Acts that are about what recurs, and so rarely follow a question that was not.
_REGULAR = frozenset({"recurring", "next", "ended", "level"})
_OTHERWISE = frozenset(
    "total count exists average extreme rank rows series trend leftover level frequency breakdown".split()
)
#: Meanings that are sums, which can be set against each other.
_SUMS = frozenset({"total"})
#: Meanings of single purchases, of which two sides are measured one by one.
_OF_PURCHASES = frozenset({"count", "average", "extreme", "frequency"})
_SURE, _CERTAIN, _EDITING, _PERHAPS = 0.5, 0.8, 0.6, 0.1
UNCLEAR = "I don't know what that refers to. What do you mean?"


def followed(asking: Asking, past: Sequence[PastTurn], relation: str, text: str | None) -> Plan | None:
    """Return the plan for a message that leans on what was answered; None where nothing comes of it.

    ``text`` is what it names in place of the subject, where only the bank's text tells that.
    """
    scope = standing(past)
    if scope is None:
        return None
    following = _Following(asking, past, meaning_of_scope(scope, asking.context))
    rounds = added_or_taken(asking, following.base) or (None if asking.named else following.as_written())
    if rounds is None and (no_part := left_out_of_no_part(following.asking.reading, following.base)):
        return Plan("clarify", question=say(NOT_LEFT_OUT, words=no_part), trace={"relation": relation})
    if rounds is None and relation == "edit":
        rounds = following.about_text(text)
    if rounds is None and not is_understood(asking, past, relation):
        strange = unknown_name(asking) if names_place(asking) else ""
        question = say(UNKNOWN, words=strange) if strange else UNCLEAR
        return Plan("clarify", question=question, trace={"relation": relation})
    rounds = rounds or following.rounds(relation)
    return Plan("calls", rounds, asking.told["rel"].sure, trace={"relation": relation}) if rounds else None


@dataclass(frozen=True)
class _Following:
    """A message beside the meaning that it leans on."""

    said: Asking
    past: Sequence[PastTurn]
    base: Meaning

    @cached_property
    def asking(self) -> Asking:
        """The message, with nouns that only mean purchases and swaps of names put right."""
        return replace(self.said, reading=put_right(without_nouns(self.said.reading, self.base), self.base))

    @cached_property
    def leaning(self) -> Asking:
        """The message asked of what stands, where it says nothing else."""
        return self._leaning_on(about_after(self._bare, self.base))

    @cached_property
    def within(self) -> Asking:
        """The message asked within what stands: what it names is a part of that."""
        return self._leaning_on(about_after(self._bare, self.base, part=True))

    @property
    def _bare(self) -> Asking:
        """The message without kinds that mean what was asked about: "how many transfers was that"."""
        counted = self.asking.act in ("count", "rows") and self.base.named
        if not counted and not points_back(self.asking.reading):
            return self.asking
        of = self.base.of
        kept = tuple(
            m for m in self.asking.reading.mentions if m.slot != "kind" or money_of_kind(m.value) not in (None, of)
        )
        return replace(self.asking, reading=replace(self.asking.reading, mentions=kept))

    def _leaning_on(self, about: dict[str, Any]) -> Asking:
        bare = self._bare
        base = replace(self.base, about=about, periods=periods_after(bare, self.base))
        own = tuple(m for m in bare.reading.mentions if m.slot not in (*SUBJECTS, "period"))
        of = of_after(bare, self.base, about) if bare.named or bare.reading.of("kind") else self.base.of
        told = bare is self.asking and of == self.base.of  # then the reader may tell of other money
        return replace(bare, reading=replace(bare.reading, mentions=own), base=base, of_is=None if told else of)

    def about_text(self, text: str | None) -> Rounds | None:
        """Return the question before about words in place of its subject, or within it; a shop's name may have no rows."""
        said = self.said
        shop = text or next((text_of(said, [word]) for word in said.unknown if is_shop(said, word)), None)
        base = self.base if narrows(said.reading) else self.base.without(*SUBJECTS)
        return self.calls(base.on(text=shop)) if shop else None

    def rounds(self, relation: str) -> Rounds | None:
        """Return the calls for a relation."""
        if self.asking.said("show") == "left":
            return self.calls(self.leaning.meaning("total", of="left").without(*SUBJECTS))
        if takes_part(self.asking.reading) and is_given_back_by_another(self.asking, self.base):
            return self.calls(self.asking.meaning("total", of="refunds"))
        if other := self._of_regular() or self.calls(balance_after(self.leaning, self.base)):
            return other
        if relation in ("edit", "about") and self._compares():
            return self.against()
        made = {
            "edit": self.edit, "about": self.other, "part": self.part, "which": self.against, "same": self.again,
            "figures": self.figures,
        }  # fmt: skip
        return made[relation]()

    def _compares(self) -> bool:
        """Whether a message sets what it names against what stands: "compared to May", "how much less was it in May?"."""
        said = self.asking
        by_how_much = said.says(cues.BY_HOW_MUCH) and bool(said.reading.of("period")) and self.base.act in _SUMS
        return said.says(cues.COMPARES) or by_how_much

    def calls(self, *meanings: Meaning | None) -> Rounds | None:
        """Return the calls of meanings, one beside the other; None where one of them has none."""
        found = [rounds_of(meaning, self.said.tools) if meaning else None for meaning in meanings]
        if not found or any(rounds is None for rounds in found):
            return None
        if len(found) == 1:
            return found[0]
        return (tuple(call for rounds in found if rounds for call in rounds[0]),)

    def as_act(self, act: str) -> Rounds | None:
        """Return what an act comes to, asked of what stands."""
        leaning, reading = self.leaning, self.asking.reading
        of_all_time = act == "extreme" and self.asking.says(cues.LAST_TIME) and not reading.of("period")
        beside_a_comparison = self.base.act == "compare" and act != "compare" and not points_back(reading)
        if leaning.base and (of_all_time or beside_a_comparison):  # what was compared is no time of its own
            leaning = replace(leaning, base=leaning.base.but(periods=()))
        return self.calls(meaning_of_act(leaning.as_act(act)))

    def as_written(self) -> Rounds | None:
        """Return what a form alone tells: the day of a sum, why it was so, the other way round, the one before."""
        if act := act_as_written(self.said, self.base):
            return self.as_act(act)
        if of_several := self._of_several():
            return of_several
        between = left_between(self.said, self.base) if "merchant" in self.base.about else None
        meaning = between or since_the_start(self.said, self.base) or turned(self.said, self.base)
        if meaning:
            return self.calls(meaning)
        if not self.base.named or not goes_the_other_way(self.said, self.base):
            return None
        return self.as_act(next((act for act, _ in self.said.told["act"].ranked[:3] if act in _OTHERWISE), "total"))

    def _of_several(self) -> Rounds | None:
        """Return what a form asks of several answers before: what is left, by how many percent, which of them is the most."""
        ways = (
            self._apart_in_days,
            lambda: left_in_the_end(self.said, self.base, self.past),
            self._against_another_row,
            self._by_how_much,
            self._most_of_them,
        )
        return next(filter(None, (way() for way in ways)), None)

    def _apart_in_days(self) -> Rounds | None:
        """Return how many days lie between the days of the last two answers."""
        dates = last_dates(self.past) if self.said.says(cues.DAYS_BETWEEN) else []
        return (
            ((Call(CALCULATE, {"operation": "days", "values": dates}),),)
            if dates and CALCULATE in self.said.tools
            else None
        )

    def _by_how_much(self) -> Rounds | None:
        """Return by how much, or by how many percent, the last answer is more or less than the one before."""
        if self.said.says(cues.UP_BY_PERCENT) and not self.said.periods:
            return self._last_two_compared() or self._calculated("difference")
        return self._last_two_compared() if self._asks_how_much_more() else None

    def _asks_how_much_more(self) -> bool:
        """Whether a message asks only how far the last sum is from the one before ("how much more was that?")."""
        only = not self.said.named and not self.said.reading.of("period") and points_back(self.said.reading)
        return self.base.act in _SUMS and only and all(map(self.said.says, (cues.MORE_OR_LESS, cues.BY_HOW_MUCH)))

    def _against_another_row(self) -> Rounds | None:
        """Return how far one row is from the one before it, or from the first ("how much more is that than the one before?")."""
        said, base = self.said, self.base
        if base.act != "extreme" or base.end != "latest" or not said.says(cues.BY_HOW_MUCH) or said.named:
            return None
        before = said.says(cues.ONE_BEFORE)
        if not before and not said.says(cues.AT_FIRST) and not said.says(cues.AT_THE_START):
            return None
        other = self.calls(base.but(nth=base.nth + 1) if before else base.but(end="first", periods=said.periods))
        apart = Call(CALCULATE, {"operation": "difference", "values": ["{p1}", "{1}"]})
        return (*other, (apart,)) if other and CALCULATE in said.tools else None

    def edit(self) -> Rounds | None:
        """Change what the question before names, and ask it again."""
        told = self.asking.told["act"]
        if told.best in _OTHERWISE and told.sure >= _CERTAIN:
            return self.other()
        if self.base.act == "current" and self.asking.reading.of("period"):
            return self.as_act("total" if self.asking.reading.has(listed("total")) else "level")
        if self.base.act == "recurring" and self.base.which == "subscriptions" and self.asking.reading.of("period"):
            category = CategorySlot().check("subscriptions", self.asking.context).value
            if category:
                return self.calls(self.leaning.meaning("total").on(category=category))
        if self.past[-1].facts and self.past[-1].facts[0].id == "share" and self.base.act != "calculate":
            return self.as_act("share")
        return self.edit_only()

    def edit_only(self) -> Rounds | None:
        """Change what stands, whatever else the message may ask for; each of several periods by itself."""
        changed = self._changed()
        if changed is not None and len(changed.periods) > 1 and changed.act != "compare":
            return self.calls(*(changed.but(periods=(period,)) for period in changed.periods))
        return self.calls(changed)

    def _changed(self) -> Meaning | None:
        """Return the meaning that stands with what the message changes of it."""
        asking, base, leaning = self.asking, self.base, self.leaning
        measure = asking.said("measure")
        if measure is not None and not asking.reading.of("measure", excluded=True):
            return meaning_of_act(leaning.as_act(ACT_OF_MEASURE[measure]))
        if base.act not in ("rows", "compare", "recurring") and asking.says(cues.WHICH_ONES):
            return meaning_of_act(leaning.as_act("rows"))
        of = of_after(self._bare, base, leaning.about)
        changed = self._factors_changed(base.but(about=self._about(), periods=self._periods(), of=of))
        unchanged = changed == base and not may_repeat(asking)
        return None if unchanged or not is_whole(changed, asking) else changed

    def _about(self) -> Mapping[str, Any]:
        """Return what the changed question is about; of a comparison ("and Target?", after two shops) a third side."""
        base, about = self.base.about, self.leaning.about
        if self.base.act != "compare":
            return about
        sides = {
            slot: union([base[slot], about[slot]])
            for slot in SUBJECTS
            if len(names_of(base.get(slot))) > 1 and slot in about
        }
        return {**about, **sides}

    def _factors_changed(self, changed: Meaning) -> Meaning:
        """Return the changed question with the factors that the message says in so many words."""
        asking, act = self.asking, self.base.act
        changed = changed.but(**{slot: asking.said(slot) for slot in ("limit", "sort") if asking.said(slot)})
        if asking.said("by") and act in ("rank", "change", "total"):
            changed = changed.but(by=asking.said("by"))
        grain = one_by_one(asking)
        if grain:
            changed = changed.but(act="series", grain=grain)
        elif asking.said("per"):
            changed = changed.but(act="series" if act in ("series", "trend") else "average", grain=asking.said("per"))
        if act in ("count", "rows", "frequency") and asking.says(cues.AMOUNT):
            changed = changed.but(act="total", of="spending" if changed.of == "all" else changed.of)
        return changed

    def _periods(self) -> tuple[Period, ...]:
        """Return when the changed question is of; a comparison keeps its first side."""
        after = self.leaning.periods
        if self.base.act == "compare" and len(self.base.periods) > 1 and self.asking.reading.of("period"):
            return (
                self.base.periods[0],
                *periods_after(self.asking, replace(self.base, periods=self.base.periods[:1])),
            )
        return after

    def other(self) -> Rounds | None:
        """Ask another question about what the last one was about."""
        asking = self.asking
        if asking.act in ("edit", "compare", "same"):
            return {"edit": self.edit_only, "compare": self.against, "same": self.again}[asking.act]()
        if asking.act in ("share", "calc") or self._adds_up():
            return self.part()
        if asking.act in ("rank", "extreme") and asking.says(cues.MORE) and (both := self._last_two_compared()):
            return both
        return self._of_the_subject()

    def _of_regular(self) -> Rounds | None:
        """Ask more of something regular, both of two such things, or how far apart their prices are."""
        asking, base = self.asking, self.base
        if base.act == "current" and asking.says(cues.TOGETHER):
            return self.calls(base.but(about=self.leaning.about, detail="price")) if asking.named else self._added()
        plain = not (asking.named or asking.reading.of("period") or asking.says(cues.A_YEAR))
        if base.act == "current" and plain and asking.says(cues.BY_HOW_MUCH) and last_subjects(self.past, base):
            return self._calculated("difference")
        return self.calls(more_of_regular(asking, base))

    def _of_the_subject(self) -> Rounds | None:
        """Return the likeliest act that can be asked of the subject of the question before."""
        regular = self.base.act in ("current", "recurring", "upcoming")
        for act, sure in self.asking.told["act"].ranked[:3]:
            least = _EDITING if act in _REGULAR and not regular else _PERHAPS
            if sure >= least and (rounds := self.as_act(act)):
                return rounds
        return None

    def _adds_up(self) -> bool:
        """Whether a message asks for the last two answers as one ("both together")."""
        together = self.asking.says(cues.TOGETHER) and self.asking.says(cues.BOTH)
        return together or (self.asking.act == "total" and means_both(self.asking.reading))

    def _added(self) -> Rounds | None:
        """Return the sum of the last two answers, or what both of their subjects come to."""
        pair = last_subjects(self.past, self.base)
        if pair is None or not differ_in_their_subject(self.past, self.asking.context):
            return self._calculated("sum")
        if self.base.act == "current":
            return self.calls(self.base.on(**pair).but(detail="price"))
        act = self.asking.act if self.asking.act in ("count", "average") else "total"
        both = replace(self.leaning, base=replace(self.leaning.base or self.base, about={**self.base.about, **pair}))
        return self.calls(meaning_of_act(both.as_act(act)))

    def figures(self) -> Rounds | None:
        """Compute with the last two answers."""
        if self.asking.said("operation") != "sum":
            return self._calculated(str(self.asking.said("operation")))
        return self._added() or (self.as_act("total") if self.base.act in ("count", "frequency", "rows") else None)

    def _calculated(self, operation: str) -> Rounds | None:
        figures = last_figures(self.past, operation)
        alike = len(figures) > 1 and are_of_one_kind(self.past, self.said.context)
        can = alike and CALCULATE in self.said.tools
        return ((Call(CALCULATE, {"operation": operation, "values": figures}),),) if can else None

    def part(self) -> Rounds | None:
        """Ask how much of what was answered is something, or which share of it."""
        reading = self.asking.reading
        if self._adds_up():
            return self._share_of_both() if self.asking.named and self.asking.says(cues.PERCENT) else self._added()
        named = bool(self.asking.sought) or any(map(reading.of, SUBJECTS))
        when = bool(reading.of("period")) and not self.asking.says(cues.PERCENT)  # "how much of that was in July?"
        if not named and (when or any(mention.excluded for mention in reading.mentions)):
            return self.edit_only()
        if self.asking.act == "share" or reading.of("operation"):
            return self._share(named=named)
        ranked = self.asking.told["act"].ranked
        wanted = next((act for act, _ in ranked if act in ("total", "count", "rows", "extreme", "average")), "total")
        return self.calls(meaning_of_act(self.within.as_act(wanted)))

    def _share(self, *, named: bool) -> Rounds | None:
        """Return the share of a part in the answer, of the answer in all that was spent, or of the last two answers."""
        figures = last_figures(self.past)
        if not figures or CALCULATE not in self.said.tools:
            return None
        if self.asking.says(cues.TO_SAVINGS):
            return self._shared(self.leaning.meaning("total", of="savings"), figures[-1], part_first=True)
        if named and takes_part(self.asking.reading):
            return self._shared(self.within.meaning("total"), figures[-1], part_first=True)
        if not named and len(figures) > 1 and is_part_of_last(self.past):
            return shared(figures[-1], figures[-2])
        if not named and self.base.act == "compare":
            return self.calls(self.base)
        whole = self._whole() if named else self._whole().without(*SUBJECTS)
        one = one_of_a_time(self.asking.reading)  # "of my September pay, what was the September one?"
        part = self.calls(self.base.but(act="total", periods=(one.value,))) if one else None
        return self._shared(whole, part[0][0] if part else figures[-1], part_first=False)

    def _share_of_both(self) -> Rounds | None:
        """Return the share of what is named in both of what was asked about last ("what percent of both was Tesco?")."""
        pair = last_subjects(self.past, self.base)
        part = self.calls(self.within.meaning("total"))
        whole = self.calls(self.base.on(**pair).but(act="total")) if pair else None
        return shared(part[0][0], whole[0][0]) if part and whole else None

    def _whole(self) -> Meaning:
        """Return what the answer is a share of: "what share of groceries was that?", or of my October salary, or of all."""
        of_income = self.asking.says(cues.OF_INCOME) and self.asking.of in ("income", "salary")
        of = self.asking.of if of_income else self.base.of if self.base.of == "income" else "spending"
        whole = self.asking.meaning("total", of=of)
        return whole.but(periods=whole.periods or self.base.periods)

    def _shared(self, meaning: Meaning, figure: Call | str, *, part_first: bool) -> Rounds | None:
        rounds = self.calls(meaning)
        if not rounds or len(rounds) > 1:
            return None
        call = rounds[0][0]
        return shared(call, figure) if part_first else shared(figure, call)

    def against(self) -> Rounds | None:
        """Set what stands against what the message names, or the last two answers against each other."""
        if self._adds_up():
            return self._added()
        asking, base = self.asking, self.base
        named = next((slot for slot in ("category", "merchant") if asking.reading.of(slot)), None)
        periods = asking.reading.of("period")
        if len(periods) > 1:
            return self.calls(self.leaning.meaning("compare", periods=self.leaning.periods))
        if base.act == "compare" and not asking.named and not periods:
            return self.calls(base)
        if named:
            return self._with_subject(named)
        if periods or asking.says(cues.COMPARES):
            return self._last_two_compared() if asking.says(cues.BOTH) else self._with_period()
        return self._last_two_compared() or self._calculated("difference")

    def _with_subject(self, slot: str) -> Rounds | None:
        if slot not in self.base.about:
            return None
        new = union(mention.value for mention in self.asking.reading.of(slot))
        both = union([self.base.about[slot], new])
        if len(names_of(both)) <= len(names_of(self.base.about[slot])):
            return None
        if self.base.act in _OF_PURCHASES:
            return self.calls(self.base, self.base.on(**{slot: new}))
        return self.calls(self.base.on(**{slot: both}).but(act="compare", periods=self.leaning.periods))

    def _with_period(self) -> Rounds | None:
        """Compare the question's period with the one named, else with the one before it."""
        base, context = self.base, self.asking.context
        yearly = any(granularity(each.value) == "year" for each in self.asking.reading.of("period"))
        current = base.period or read_period("this year" if yearly else "this month", context)
        found = periods_in(self.asking.reading.text, context, current)
        others = tuple(as_long(each.period, current) for each in found) or (previous_period(current),)
        if self.asking.says(cues.PERCENT) and len(others) == 1:  # of the earlier one
            earlier, current = sorted((current, *others), key=lambda period: period.start)
            others = (earlier,)
        if base.act in _OF_PURCHASES:
            return self.calls(*(base.but(periods=(period,)) for period in (current, *others)))
        compared = self.calls(base.but(act="compare", about=self.leaning.about, periods=(current, *others)))
        if compared or base.act not in _SUMS or len(others) > 1:
            return compared
        each = [base.but(periods=(period,)) for period in (current, as_far(others[0], current, context.today))]
        return of_both("difference", self.said.tools, *each)

    def _last_two_compared(self) -> Rounds | None:
        return self.calls(last_two_compared(self.past, self.asking, self.leaning))

    def _most_of_them(self) -> Rounds | None:
        """Return which of the names that were asked about one after the other had most."""
        asked = self.base.act in _SUMS and self.said.says(cues.WHICH_OF_THEM)
        found = asked_in_a_row(self.past, self.base, self.asking.context) if asked else None
        if found is None:
            return None
        [slot] = found
        return self.calls(self.base.on(**found).but(act="rank", by=slot, end="largest"))

    def again(self) -> Rounds | None:
        """Say again what was answered; of a sum, the rows that it is of."""
        base = self.base
        if base.act == "rank" and self.asking.act == "total":
            return self.as_act("total")
        priced = self.asking.says(cues.PRICED)
        if priced and base.act in ("count", "frequency", "average"):
            return self.calls(self.within.meaning("total", of="spending" if base.of == "all" else base.of))
        if priced or base.act in ("extreme", "rows"):
            return self.calls(base)
        return self.calls(self.within.meaning("rows", of=base.of))
