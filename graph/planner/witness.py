"""What is asked, as both witnesses tell it: the reader its act and factors, the reading what it names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from graph.planner.consumption import unread_words
from graph.planner.filling import as_one_period, fill, set_period
from language import cues
from language.reader import Told, reader
from language.words import fold_in_place
from ledger.periods import Period
from ledger.recurring import categories_above, recurring
from tools.calls import Call
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from graph.planner.reading import Reading
    from language.words import Word
    from ledger.recurring import Series
    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.slots.slot import Mention

#: Acts that are about what recurs.
_OF_REGULAR = frozenset({"level", "level_change", "next", "ended"})
#: Acts that are about an answer before.
_OF_BEFORE = ("edit", "same", "calc")
#: What stands for a mention in the pattern that the reader sees.
_PLACEHOLDERS = {"category": "{c}", "merchant": "{m}", "period": "{p}", "account": "{a}"}

#: The kinds of movement that are a kind of money by themselves.
_KINDS = {"refund": "refunds", "fee": "fees", "interest": "interest", "transfer": "transfers", "cash": "cash"}
#: Tools whose arguments the reader tells, so that no likeness to an example chooses them.
WITNESSED = frozenset(
    "recurring-list recurring-current recurring-upcoming transactions-measure transactions-per_interval transactions-rank "
    "spending-changes transactions-find_duplicates spending-find_unusual spending-quiet_days income-share".split()
)

#: How sure the reader must be of the end of a rank.
_TELLING = 0.5
#: How sure the reader must be that a follow-up is about other money than the question before.
_OTHER_MONEY = 0.8

#: What is said of acts that nothing here answers.
MISSING = {
    "balance": "I know what was booked, not what is in an account or owed now.",
    "budget": "I keep no budgets and no limits yet.",
    "forecast": "I know only what is booked, nothing of the future.",
    "advice": "I give no advice; I only tell what is in your ledger.",
    "others": "I know only your own money.",
    "quickentry": "I take transactions from your bank's files only; I can't write one down by hand yet.",
    "order": "I only answer questions; I can't move money, cancel anything or remind you.",
    "unrelated": "That is not something I can tell from your ledger.",
    "detail": "Your bank's files don't tell that: they hold the day, the amount and who was paid.",
}


@dataclass(frozen=True)
class Asking:
    """A reading with what the reader says of it, the tools that may be used, and the day."""

    reading: Reading
    told: Mapping[str, Told]
    tools: Mapping[str, Tool]
    context: ToolContext
    regular: Sequence[Series] = ()
    """What recurs in the ledger, where the act may be about that."""
    inherited: Mapping[str, Any] = field(default_factory=dict)
    """What the question before was about, where this one names nothing itself."""
    act_is: str | None = None
    """The act where it is not the sentence that tells it."""
    of_is: str | None = None
    """The money where it is not the sentence that tells it."""
    base_of: str | None = None
    """Which money the question before was about."""

    @cached_property
    def unread(self) -> tuple[Word, ...]:
        """The words that nothing explains in a question of this act."""
        return unread_words(self.reading, self.act, self.context.vocabulary.currencies)

    @property
    def act(self) -> str:
        """What is asked for: the likeliest act, where nothing else tells it."""
        return self.act_is or self.told["act"].best

    @property
    def of(self) -> str:
        """Which money is asked about: a kind that is named, what a category is of, else what the reader says."""
        if self.of_is is not None:
            return self.of_is
        if cues.NETTED.search(fold_in_place(self.reading.text)):
            return self.base_of or "spending"
        if self._ruled_of is not None:
            return self._ruled_of
        told = self.told["of"]
        if self.base_of is not None and cues.SPENT.search(fold_in_place(self.reading.text)):
            return "spending"
        if self.base_of is not None and (told.best == "spending" or told.sure < _OTHER_MONEY):
            return self.base_of
        return told.best

    @cached_property
    def _ruled_of(self) -> str | None:
        kind = next((mention.value for mention in self.reading.of("kind") if mention.value in _KINDS), None)
        if kind is not None:
            return _KINDS[kind]
        if cues.TO_SAVINGS.search(fold_in_place(self.reading.text)):
            return "transfers"
        return population_named(self.reading.of("category"))

    @property
    def sure_of(self) -> float:
        """How sure the reader is of which money; a category that tells is certain."""
        return 1.0 if self._ruled_of is not None else self.told["of"].sure

    def factor(self, head: str) -> str:
        """Return a factor that the reader tells."""
        return self.told[head].best

    def said(self, slot: str) -> Any:
        """Return what the sentence itself says of a slot, if anything."""
        mentions = self.reading.of(slot)
        return mentions[0].value if mentions else None

    def call(self, name: str, **more: Any) -> Call | None:
        """Return a call of a tool with all that the sentence names and the tool takes, and more."""
        tool = self.tools.get(name)
        if tool is None:
            return None
        takes = tool.parameters["properties"]
        reading = self.reading if name == "spending-compare" else as_one_period(self.reading)
        filled = {key: value for key, value in fill(tool, reading).items() if key in takes}
        if more.get("of") == "savings":
            filled.pop("account", None)  # it is where the money goes, not where the rows are
        filled = {key: value for key, value in self.inherited.items() if key in takes and key != "periods"} | filled
        before = self.inherited.get("period")
        if isinstance(before, Period):
            filled.pop("period", None)
            set_period(tool, before, filled)
        return Call(name, filled | {key: value for key, value in more.items() if value is not None and key in takes})

    @property
    def named(self) -> bool:
        """Whether it names a category, a merchant or an account, or the question before did."""
        return any(self.has(slot) for slot in ("category", "merchant", "account"))

    def has(self, slot: str) -> bool:
        """Whether it names such a thing, or the question before did."""
        return bool(self.reading.of(slot)) or slot in self.inherited

    def inheriting(self, shared: Mapping[str, Any]) -> Asking:
        """Return the same asked of what the question before was about."""
        return replace(self, inherited=dict(shared))

    @property
    def nth(self) -> int:
        """Which place is asked for: 2 of "the second largest"."""
        text = fold_in_place(self.reading.text)
        outside = "".join(" " if self._in_period(place) else sign for place, sign in enumerate(text))
        return next((number for number, form in cues.NTH.items() if form.search(outside)), 1)

    def _in_period(self, place: int) -> bool:
        return any(mention.start <= place < mention.end for mention in self.reading.of("period"))

    @property
    def direction(self) -> str:
        """Which end is asked for: largest, smallest, latest or first."""
        said = {"last": "latest", "largest": "largest", "smallest": "smallest", "first": "first"}.get(
            self.said("measure")
        )
        return said or (self.factor("dir") if self.told["dir"].sure >= _TELLING else "largest")


def population_named(categories: Iterable[Mention]) -> str | None:
    """Return which kind of money a category is of, where it is none that is spent."""
    for mention in categories:
        for name in names_of(mention.value):
            above = categories_above(name)
            if above and above[-1] in ("income", "fees", "transfers"):
                return above[-1]
    return None


async def witness(
    reading: Reading, tools: Mapping[str, Tool], context: ToolContext, *, anything_before: bool = False
) -> Asking:
    """Return what the reader says of a reading; where nothing was said before, it is no change of that."""
    told = reader().read(reading.text, pattern_of(reading))
    if not anything_before:
        told["act"] = told["act"].without(*_OF_BEFORE)
    regular = await recurring(context.ledger) if told["act"].best in _OF_REGULAR else ()
    return Asking(reading, told, tools, context, regular)


def pattern_of(reading: Reading) -> str:
    """Return a sentence with placeholders for what it names."""
    pieces, place = [], 0
    for mention in reading.mentions:
        mark = _PLACEHOLDERS.get(mention.slot)
        if mark is not None and mention.start >= place:
            pieces += [reading.text[place : mention.start], mark]
            place = mention.end
    return "".join((*pieces, reading.text[place:]))
