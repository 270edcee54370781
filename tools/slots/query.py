"""Free words to search for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from language.lexicon import listed
from language.words import words
from tools.slots.slot import Checked, Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.context import ToolContext
    from tools.slots.slot import Copied

_LONGEST = 200
#: What people and models put around the words that they look for, as keys of words: nouns for a transaction, whose it is,
#: and the small words between.
_AROUND = listed("around_search")
#: Nouns that say which kind of payment something is, where a name stands beside them.
_KINDS = listed("kinds_of_payment")


def searched(query: str) -> tuple[str, ...]:
    """Return what may be meant to be found, the whole first: “my Netflix subscription payments”, “Netflix”."""
    found = [query]
    for around in (_AROUND, _AROUND | _KINDS):
        left = list(words(query))
        while left and left[0].key in around:
            left.pop(0)
        while left and left[-1].key in around:
            left.pop()
        if left:
            found.append(query[left[0].start : left[-1].end])
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class QuerySlot:
    """The words of a question that nothing else explains; the planner hands them over."""

    name: str = "query"
    copied: ClassVar[Copied] = "anywhere"

    def json_schema(self) -> dict[str, Any]:
        """Any words."""
        return {"description": "Words to look for, copied from the question"}

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Nothing of its own: what is searched is what other slots leave over."""
        del text, context
        return ()

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Accept words; refuse nothing but emptiness."""
        del context
        text = " ".join(str(value).split())[:_LONGEST]
        return Checked(text) if text else Checked(problem="There are no words to search for.")
