"""What a model's call may hold: what the person said, what the thread is about, facts found before, and defaults.

A model chooses a tool and points at words; it adds nothing of its own. Every argument that can't be traced to one of
these is dropped, and a call that then lacks something is refused. A parameter that is free says so itself
(:class:`tools.registry.Free`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from graph.planner.calls import ANSWERING, meaning_of_scope
from graph.planner.figures import standing
from graph.planner.filling import fill, set_period
from graph.planner.relations import leans_back
from graph.planner.settling import is_about_money
from graph.planner.vocabulary import FUNCTION_WORDS
from graph.references import is_reference
from graph.said import NOT_SAID, Said, is_default
from language.words import words
from tools.schema.validation import same
from tools.slots.amounts import AmountSlot
from tools.slots.names import names_of
from tools.slots.sentences import SentenceSlot, sentence_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graph.planner.reading import Reading
    from graph.state import Turn
    from tools.registry import Tool

_SUBJECTS = ("category", "merchant")


@dataclass(frozen=True, slots=True)
class Licence:
    """A call's arguments as the person said them, what was changed for that, or why the call is refused."""

    arguments: dict[str, Any]
    changes: tuple[str, ...] = ()
    refused: str = ""


def license_call(tool: Tool, arguments: dict[str, Any], turn: Turn) -> Licence:
    """Hold a model's valid arguments to the person's words: what they say wins, and what they don't say is dropped."""
    reading = turn.planner.read(turn.request.text, turn.context)
    if not _asked_for(tool, reading, turn):
        return Licence({}, refused="The question does not ask for this.")
    sources = _Sources(tool, reading, turn)
    said, inherited = sources.said(arguments), sources.inherited()
    held: dict[str, Any] = {}
    changes: list[str] = []
    for parameter, value in arguments.items():
        found = value if parameter in said or _same(inherited.get(parameter), value) else sources.find(parameter, value)
        if found is NOT_SAID:
            changes.append(f"{parameter}: not said, dropped")
        else:
            held[parameter] = found
    changes += [*_carry(inherited, said, held), *_put(said, held)]
    if reading.of("period") and "start_date" in said and "end_date" not in said:
        held.pop("end_date", None)
    missing = [name for name in tool.required if name not in held]
    return Licence(held, tuple(changes), f"The question names no {', '.join(missing)}." if missing else "")


def _carry(inherited: dict[str, Any], said: dict[str, Any], held: dict[str, Any]) -> list[str]:
    """Add to what is held what a follow-up leaves unsaid; return what that changed."""
    carried = [parameter for parameter in inherited if parameter not in held and parameter not in said]
    held |= {parameter: inherited[parameter] for parameter in carried}
    return [f"{parameter}: carried over from the question before" for parameter in carried]


def _put(said: dict[str, Any], held: dict[str, Any]) -> list[str]:
    """Put what was said over what is held; return what that changed."""
    changed = [parameter for parameter, value in said.items() if not _same(held.get(parameter), value)]
    held |= {parameter: said[parameter] for parameter in said}
    return [f"{parameter}: taken from the person's words" for parameter in changed]


@dataclass(frozen=True)
class _Sources:
    """Where an argument of one tool may come from in one turn."""

    tool: Tool
    reading: Reading
    turn: Turn

    def said(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return what the reading gives the tool; which of the person's words to look for, a model may say."""
        said = fill(self.tool, self.reading)
        for parameter, slot in self.tool.slots.items():
            given = self._whole.words_of(str(arguments.get(parameter, ""))) if slot.name == "query" else None
            if given and (telling := [word for word in words(given) if word.key not in FUNCTION_WORDS]):
                said[parameter] = given[telling[0].start : telling[-1].end]  # "my coffee purchases": coffee
        return said

    def inherited(self) -> dict[str, Any]:
        """Return what a follow-up leaves unsaid because the question before said it."""
        past = self.turn.request.past
        scope = standing(past)
        if scope is None or not leans_back(self.reading, past, self.turn.context):
            return {}
        base = meaning_of_scope(scope, self.turn.context)
        named = any(self.reading.of(slot) for slot in _SUBJECTS)
        kept = {name: value for name, value in base.about.items() if not (named and name in _SUBJECTS)}
        carried = {name: value for name, value in kept.items() if name in self._properties}
        if base.period is not None and not self.reading.of("period"):
            set_period(self.tool, base.period, carried)
        return carried

    def find(self, parameter: str, value: Any) -> Any:
        """Return an argument as the person wrote it, or ``NOT_SAID``."""
        schema = self._properties.get(parameter, {})
        if parameter in self.tool.free or is_default(value, schema) or self._continues(parameter, value):
            return value
        items = value if isinstance(value, list) else [value]
        if any(map(is_reference, items)):
            return self._referring(parameter, value, items)
        if parameter not in self.tool.slots:
            return self._whole.value(value, schema)
        source = getattr(self.tool.slots[parameter], "copied", "")
        if not source:
            return NOT_SAID
        return (self._whole if source == "anywhere" else self._left_over).value(value, schema)

    def _continues(self, parameter: str, value: Any) -> bool:
        """Whether the question before, which this one goes on from, asked the same tool for the same."""
        past = self.turn.request.past
        scope = standing(past)
        if scope is None or scope.tool != self.tool.name or not same(scope.arguments.get(parameter), value):
            return False
        return leans_back(self.reading, past, self.turn.context)

    def _referring(self, parameter: str, value: Any, items: list[Any]) -> Any:
        """Return references to facts, alone or beside figures that were said."""
        said = (is_reference(item) or self._whole.value(item, {}) is not NOT_SAID for item in items)
        return value if self._may_refer(parameter) and all(said) else NOT_SAID

    def _may_refer(self, parameter: str) -> bool:
        slot = self.tool.slots.get(parameter)
        return slot is None or (isinstance(slot, AmountSlot) and slot.may_refer(self.turn.request.text))

    @property
    def _properties(self) -> dict[str, Any]:
        properties: dict[str, Any] = self.tool.parameters.get("properties", {})
        return properties

    @cached_property
    def _whole(self) -> Said:
        return Said.whole(self.turn.request.text, self.turn.context)

    @cached_property
    def _left_over(self) -> Said:
        """The words that no mention explains; those of another slot say something else already."""
        taken = ((mention.start, mention.end) for mention in self.reading.mentions)
        return Said(self.reading.text, self.reading.words).without(taken)


def _asked_for(tool: Tool, reading: Reading, turn: Turn) -> bool:
    """Whether the words can mean a tool at all.

    What changes something, or is asked for in sentences of its own, takes words that ask for it. What tells of the ledger
    takes a name in it or a word for what is wanted to know: a date alone makes no question about money, nor does a wish
    for advice. Any other tool only looks things up, and that a model may do for whatever was asked.
    """
    own = [slot.name for slot in tool.slots.values() if isinstance(slot, SentenceSlot)]
    if tool.name in ANSWERING:
        return is_about_money(reading, anything_before=standing(turn.request.past) is not None)
    if not tool.writes and not own:
        return True
    if any(reading.of(name) for name in own):
        return True
    if tool.writes and sentence_of(reading.text).asks:
        return False
    said = Said(reading.text, reading.words)
    return any(said.holds(phrase) for phrase in _names_for(tool))


def _names_for(tool: Tool) -> Iterator[str]:
    """Yield the words by which a tool is asked for: its keywords, and those of its name."""
    yield from tool.keywords
    skill = tool.name.removeprefix(f"{tool.app}-").replace("_", " ").replace("-", " ")
    yield from (word.key for word in words(skill) if word.key not in FUNCTION_WORDS)


def _same(first: Any, second: Any) -> bool:
    return [name.casefold() for name in names_of(first)] == [name.casefold() for name in names_of(second)]
