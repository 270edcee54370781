"""The form of a meaning, as a model is offered it: one tool whose first argument is the act, and whose others are quotes.

Each part that a model tells (which money, which end, by which dimension …) is an argument of its own, and its value the words of
the question that say so. What has no words of the person's is dropped; so is a second part from the same words. Names, dates
and amounts have no place in the form: they are read from the words, whatever a model writes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from language.reader import reader
from language.utterances import fillers, nearest
from language.words import words
from tools.registry import Tool

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.meant import Meant
    from language.utterances import Line
    from language.words import Word

NAME = "ledger-ask"
NONE: dict[str, Any] = {"tool": "none", "arguments": {}}
_MOST_SHOWN = 4

#: What each act asks for, as a model is told.
ACTS = {
    "total": "how much altogether",
    "count": "how many",
    "frequency": "how often",
    "average": "how much on average",
    "extreme": "one single purchase: the largest, smallest, latest or first, or its day",
    "rank": "which shop, category, account or month is first",
    "rows": "show the transactions",
    "series": "a figure for each month, week, day or year",
    "trend": "whether it rises or falls",
    "breakdown": "what it was made up of",
    "exists": "whether there was any",
    "change": "what changed between two times",
    "compare": "two things or times beside each other",
    "share": "what part or percentage of a whole",
    "leftover": "income less spending",
    "savings_rate": "what percentage of income was saved",
    "level": "what something regular costs now",
    "level_change": "when or by how much something regular changed its price",
    "recurring": "what is paid regularly",
    "next": "when or how much the next payment is",
    "ended": "since when, or what stopped",
    "identify": "what a certain charge was",
    "which": "which ones of a kind",
    "duplicates": "what was charged twice",
    "unusual": "what is out of the ordinary",
    "no_spend": "days without spending",
    "summary": "an overview",
    "balance": "what is in an account or owed on it",
    "meta": "what data there is",
}
#: What the parts are called, by the reader's heads.
PARTS = {
    "of": "money",
    "dir": "end",
    "by": "ranked_by",
    "dim": "which",
    "per": "each",
    "grain": "for_each",
    "want": "wanted",
}
#: What is meant where nothing else is said, and so needs no words.
_PLAIN = frozenset({("of", "spending"), ("by", "money"), ("dir", "largest")})


@dataclass(frozen=True, slots=True)
class Filled:
    """A form as a model filled it: the act, the parts that have words of the person's, and what was dropped."""

    act: str
    parts: Mapping[str, str]
    dropped: tuple[str, ...] = ()


def form_of(meant: Meant) -> Tool:
    """Return the form for what a question may mean, as a tool that a model is offered."""
    acts = list(meant.acts)
    told = "; ".join(f"{act}: {ACTS.get(act, act)}" for act in acts)
    quote = {"type": "string"}
    parameters = {
        "type": "object",
        "properties": {
            "act": {"type": "string", "enum": acts},
            **{_key(head, answer): quote for head, answer in _told_apart(meant)},
        },
        "required": ["act"],
        "additionalProperties": False,
    }
    description = (
        f"What is asked of the person's own transactions ({told}). Every other argument quotes the words that say it."
    )
    function = {"name": NAME, "description": description, "parameters": parameters}
    return Tool(NAME, _never, {"type": "function", "function": function})


def filled(arguments: Any, meant: Meant) -> Filled | None:
    """Return a form as far as it is in the person's words; None where it names no act that it offered."""
    given = arguments if isinstance(arguments, dict) else {}
    act = given.get("act")
    if not isinstance(act, str) or act not in meant.acts:
        return None
    keys = {_key(head, answer): (head, answer) for head, answer in _told_apart(meant)}
    parts: dict[str, str] = {}
    dropped = [name for name in given if isinstance(name, str) and name != "act" and name not in keys]
    taken: set[int] = set()
    for name, (head, answer) in keys.items():
        if name not in given:
            continue
        places = _places(given[name], meant.asking.reading.words)
        if not places or places & taken or head in parts:
            dropped.append(name)
            continue
        taken |= places
        parts[head] = answer
    return Filled(act, parts, tuple(dropped))


def examples(meant: Meant) -> list[tuple[str, dict[str, Any]]]:
    """Return lines of the bank near to a question, each with the form that is right for it."""
    acts, names = set(meant.acts), fillers()
    offered = set(_told_apart(meant))
    refused = {act for act, share in meant.asking.told["act"].ranked[:_MOST_SHOWN] if act not in acts}
    lines = nearest().lines(meant.pattern, acts | (refused if meant.not_ours else set()), _MOST_SHOWN)
    return [
        (line.written(names), _form(line, names, offered) if line.labels["act"] in acts else NONE)
        for line in reversed(lines)
    ]


def _form(line: Line, names: Mapping[str, Mapping[str, list[str]]], offered: set[tuple[str, str]]) -> dict[str, Any]:
    text = line.written(names)
    told = words(text)
    arguments: dict[str, Any] = {"act": line.labels["act"]}
    for head in PARTS:
        if (head, line.labels.get(head, "")) in offered and told:
            word = told[reader().telling([each.key for each in told], head, line.labels[head])]
            arguments[_key(head, line.labels[head])] = text[word.start : word.end]
    return {"tool": NAME, "arguments": arguments}


def _told_apart(meant: Meant) -> Sequence[tuple[str, str]]:
    """Return the parts that need words to be told, where there is more than one way to tell them."""
    ways: dict[str, list[str]] = {}
    for head, answer in meant.parts:
        ways.setdefault(head, []).append(answer)
    return [(head, answer) for head, answer in meant.parts if len(ways[head]) > 1 and (head, answer) not in _PLAIN]


def _key(head: str, answer: str) -> str:
    return f"{PARTS[head]}_{answer}"


def _places(quote: Any, question: Sequence[Word]) -> set[int]:
    """Return where the words of a quote stand next to each other in the question; nowhere where they do not."""
    wanted = [word.key for word in words(quote)] if isinstance(quote, str) else []
    keys = [word.key for word in question]
    starts = (first for first in range(len(keys)) if wanted and keys[first : first + len(wanted)] == wanted)
    return next((set(range(first, first + len(wanted))) for first in starts), set())


def _never(**_arguments: Any) -> str:
    raise NotImplementedError("a form is turned into calls")
