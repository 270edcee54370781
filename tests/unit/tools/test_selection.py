"""Selection by meaning and words: what is offered, what is embedded and when, and what happens when embedding fails."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from tools.registry import Tool
from tools.selection import AllSelector, SemanticSelector
from tools.selection.nearness import WORDS
from tools.selection.recent import Recent

#: It shares no word with the tools below, so that meaning alone decides.
ASKED = "Give my money back, number 4711"


def made(name: str, description: str = "", **more: Any) -> Tool:
    schema = {"type": "function", "function": {"name": name, "description": description, "parameters": {}}}
    return Tool(name, made, schema, **more)


#: A shop's tools, and where they stand in a space of three directions: money, words, parcels.
SHOP = {
    "search_orders": [0.1, 0.9, 0.0],
    "process_refund": [0.9, 0.1, 0.0],
    "track_shipping": [0.0, 0.1, 0.9],
    "send_email": [0.2, 0.3, 0.5],
    "compute_tax": [0.3, 0.3, 0.3],
    "write_report": [0.1, 0.5, 0.4],
}
TOOLS = [made(name, f"To {name.replace('_', ' ')}.") for name in SHOP]


@dataclass
class Embedder:
    """Gives each text the vector of the tool that it names, questions the one of ``question``."""

    vectors: dict[str, list[float]] = field(default_factory=lambda: dict(SHOP))
    question: list[float] = field(default_factory=lambda: [0.85, 0.15, 0.0])
    calls: list[list[str]] = field(default_factory=list)

    async def embed(self, texts: list[str]) -> list[list[float]]:
        self.calls.append(texts)
        await asyncio.sleep(0)
        return [self.vectors.get(_named(text), self.question) for text in texts]

    @property
    def batches(self) -> int:
        """How often a list of tools was embedded."""
        return sum(len(texts) > 1 for texts in self.calls)

    @property
    def questions(self) -> int:
        return sum(len(texts) == 1 for texts in self.calls)


def _named(text: str) -> str:
    """Return the name in "search orders: To search orders." and in its parts."""
    return text.removeprefix("To ").partition(":")[0].rstrip(".").replace(" ", "_")


def names(tools: Any) -> list[str]:
    return [tool.name for tool in tools]


async def test_the_nearest_tools_are_offered_the_best_first() -> None:
    selector = SemanticSelector(Embedder().embed, threshold=0.4, max_results=3)
    assert names(await selector.select(ASKED, TOOLS)) == ["process_refund", "compute_tax"]
    selection = await selector.choose(ASKED, TOOLS)
    assert (selection.strategy, selection.why) == ("semantic", "matched")
    assert list(selection.scores) == names(selection.tools)
    assert [round(score or 0, 2) for score in selection.scores.values()] == [0.87, 0.58]


async def test_no_more_than_the_maximum() -> None:
    selector = SemanticSelector(Embedder().embed, threshold=0.0, max_results=2)
    assert names(await selector.select(ASKED, TOOLS)) == ["process_refund", "compute_tax"]


@pytest.mark.parametrize(("tools", "most"), [([], 3), (TOOLS[:3], 3), (TOOLS[:2], 3)])
async def test_few_tools_are_all_offered_and_nothing_is_embedded(tools: list[Tool], most: int) -> None:
    embedder = Embedder()
    selector = SemanticSelector(embedder.embed, max_results=most)
    selection = await selector.choose(ASKED, tools)
    assert (list(selection.tools), selection.why) == (tools, "few tools")
    assert set(selection.scores.values()) <= {None}
    assert embedder.calls == []


async def test_a_tool_just_as_near_as_the_threshold_is_offered() -> None:
    """Half of the square root of three, and one half: a cosine of 0.5 up to the last digits."""
    vectors = {"half": [0.5, math.sqrt(3) / 2], "less": [0.49, math.sqrt(3) / 2]}
    embedder = Embedder(vectors, question=[1.0, 0.0])
    selector = SemanticSelector(embedder.embed, threshold=0.5 * (1 - WORDS), max_results=1)
    assert names(await selector.select(ASKED, [made("less"), made("half")])) == ["half"]


async def test_equals_stay_in_the_order_of_the_tools() -> None:
    tools = [made(f"tool{number}") for number in range(12)]
    embedder = Embedder({tool.name: [0.1, 0.7, 0.3] for tool in tools} | {"tool7": [0.85, 0.15, 0.0]})
    selector = SemanticSelector(embedder.embed, threshold=0.1, max_results=11)
    offered = await selector.select(ASKED, tools)
    assert names(offered) == ["tool7", *(f"tool{number}" for number in range(11) if number != 7)]


async def test_a_tool_is_as_near_as_the_nearest_of_its_texts() -> None:
    """One example in another direction than the description is enough."""
    tools = [made("far", "Nothing of that.", examples=("refund",)), *TOOLS[2:4], *TOOLS[5:]]
    vectors = SHOP | {"far": [0, 0, 1.0], "Nothing_of_that": [0, 0, 1.0], "refund": [0.85, 0.15, 0.0]}
    selector = SemanticSelector(Embedder(vectors).embed, 0.8, 3)
    assert names(await selector.select(ASKED, tools)) == ["far"]


@pytest.mark.parametrize(
    ("example", "first", "offered"),
    [
        ([0.9, 0.1, 0.0], "told", True),  # far ahead of every description: the question is one for tools with examples
        (
            [0.6, 0.0, 0.8],
            "send_email",
            True,
        ),  # ahead, but not clearly: among those offered, behind the best description
        ([0.2, 0.3, 0.9], "send_email", False),  # behind: examples say nothing here
    ],
)
async def test_next_to_tools_without_examples_those_of_others_count_where_they_lead(
    example: list[float], first: str, offered: bool
) -> None:
    tools = [*TOOLS[2:4], TOOLS[5], made("told", "Told.", examples=("Example",))]
    vectors = SHOP | {"told": [0.0, 0.0, 1.0], "Told": [0.0, 0.0, 1.0], "Example": example}
    found = names(await SemanticSelector(Embedder(vectors).embed, 0.0, 3).select(ASKED, tools))
    assert (found[0], "told" in found) == (first, offered)


async def test_where_all_tools_have_examples_the_nearest_example_wins() -> None:
    tools = [replace(tool, examples=(f"Example of {tool.name}",)) for tool in TOOLS]
    vectors = SHOP | {"Example_of_track_shipping": [0.85, 0.3, 0.0]}
    vectors |= {f"Example_of_{name}": [0.0, 0.0, 1.0] for name in SHOP if name != "track_shipping"}
    found = await SemanticSelector(Embedder(vectors).embed, 0.0, 2).select(ASKED, tools)
    assert names(found) == ["process_refund", "track_shipping"]


@pytest.mark.parametrize("name", ["convert_units", "convertUnits", "ConvertUnits", "convert.units", "CONVERTUnits"])
@pytest.mark.parametrize("question", ["Convert this", "a unit?", "units, CONVERT!"])
async def test_of_tools_alike_in_meaning_the_one_with_the_words_comes_first(name: str, question: str) -> None:
    tools = [made(f"tool{number}", "Anything at all.") for number in range(3)] + [made(name, "Anything at all.")]
    embedder = Embedder({}, question=[1.0, 0.0])
    assert names(await SemanticSelector(embedder.embed, max_results=2).select(question, tools))[0] == name


async def test_a_rare_word_counts_more_than_a_common_one() -> None:
    tools = [made("a", "Show the weather."), made("b", "Show the news."), made("c", "Show the tides, as they are.")]
    tools += [made("d", "The forecast")]
    embedder = Embedder({}, question=[1.0, 0.0])
    selection = await SemanticSelector(embedder.embed, max_results=3).choose("show the forecast", tools)
    assert names(selection.tools)[0] == "d"
    assert [score for score in selection.scores.values() if score is not None and not 0 < score <= 1] == []


async def test_what_is_embedded_of_a_tool() -> None:
    embedder = Embedder()
    examples = ("How much at {merchant} {period}?", "Show {odd_slot}", "Plain")
    tools = [made("spending-at_shop", "Spending at a shop.\n\nIn a period.", examples=examples), made("bare"), *TOOLS]
    await SemanticSelector(embedder.embed, max_results=3).select(ASKED, tools)
    assert embedder.calls[0][:6] == [
        "spending at shop: Spending at a shop.\n\nIn a period.",
        "How much at Amazon last month?",
        "Show odd slot",
        "Plain",
        "bare: ",
        "search orders: To search orders.",
    ]
    assert embedder.calls[0][11:] == [
        "Spending at a shop.\n\nIn a period.",
        "bare",
        *(tool.description for tool in TOOLS),
    ]
    assert embedder.calls[1:] == [[ASKED]]


async def test_when_nothing_is_near_everything_is_offered_and_that_is_not_remembered() -> None:
    embedder = Embedder(question=[-1.0, -1.0, -1.0])
    selector = SemanticSelector(embedder.embed, max_results=3)
    with capture_logs() as logs:
        selection = await selector.choose(ASKED, TOOLS)
    assert (list(selection.tools), selection.why) == (TOOLS, "nothing matched")
    assert [(log["log_level"], log["reason"]) for log in logs] == [("info", "nothing matched")]
    embedder.question = [0.85, 0.15, 0.0]
    assert names(await selector.select(ASKED, TOOLS))[0] == "process_refund"
    assert embedder.questions == 2


def _answers(answer: Any) -> Any:
    """An embedder that answers a list of tools with this, and questions well."""

    async def embed(texts: list[str]) -> Any:
        return answer(texts) if len(texts) > 1 else [[0.85, 0.15, 0.0]]

    return embed


def _raise(texts: list[str]) -> Any:
    raise RuntimeError(f"no vectors for {texts}")


NO_VECTORS = {
    "an exception": _raise,
    "too few": lambda texts: [[1.0, 0.0, 0.0]] * (len(texts) - 1),
    "too many": lambda texts: [[1.0, 0.0, 0.0]] * (len(texts) + 1),
    "none": lambda texts: [],
    "no answer": lambda texts: None,
    "no numbers": lambda texts: [["a", "b", "c"]] * len(texts),
    "numbers alone": lambda texts: [1.0] * len(texts),
    "no dimension": lambda texts: [[]] * len(texts),
    "several lengths": lambda texts: [[1.0, 0.0, 0.0]] * (len(texts) - 1) + [[1.0]],
    "another length": lambda texts: [[1.0, 0.0]] * len(texts),
    "not a number": lambda texts: [[math.nan, 0.0, 0.0]] * len(texts),
    "infinite": lambda texts: [[math.inf, 0.0, 0.0]] * len(texts),
    "without direction": lambda texts: [[1.0, 0.0, 0.0]] * (len(texts) - 1) + [[0.0, 0.0, 0.0]],
    "missing": lambda texts: [None] * len(texts),
}


@pytest.mark.parametrize("answer", NO_VECTORS.values(), ids=NO_VECTORS)
async def test_without_usable_vectors_everything_is_offered_and_the_log_quotes_nobody(answer: Any) -> None:
    selector = SemanticSelector(_answers(answer), threshold=0.5, max_results=3)
    with capture_logs() as logs:
        selection = await selector.choose(ASKED, TOOLS)
    assert list(selection.tools) == TOOLS
    assert selection.why in {"failed: RuntimeError", "failed: UnusableVectors"}
    assert [(log["log_level"], log["reason"], log["tools"]) for log in logs] == [("warning", selection.why, 6)]
    assert "4711" not in str(logs)
    assert "search_orders" not in str(logs)


async def test_a_failure_is_not_remembered() -> None:
    embedder, broken = Embedder(), True

    async def embed(texts: list[str]) -> list[list[float]]:
        if broken:
            raise TimeoutError
        return await embedder.embed(texts)

    selector = SemanticSelector(embed, 0.5, 3)
    assert await selector.select(ASKED, TOOLS) == TOOLS
    broken = False
    assert names(await selector.select(ASKED, TOOLS))[0] == "process_refund"


async def test_a_question_in_another_dimension_is_a_failure_and_makes_the_tools_stale() -> None:
    """Somebody pulled another model: the tools are embedded again for the next question."""
    embedder = Embedder()
    selector = SemanticSelector(embedder.embed, 0.5, 3)
    await selector.select("before", TOOLS)
    embedder.question = [0.85, 0.15, 0.0, 0.0]
    embedder.vectors = {name: [*vector, 0.0] for name, vector in SHOP.items()}
    assert (await selector.choose(ASKED, TOOLS)).why == "failed: UnusableVectors"
    assert names(await selector.select(ASKED, TOOLS))[0] == "process_refund"


@pytest.mark.parametrize("scale", [1e-300, 1e300])
async def test_only_the_direction_of_a_vector_counts(scale: float) -> None:
    embedder = Embedder({name: [scale * part for part in vector] for name, vector in SHOP.items()})
    selection = await SemanticSelector(embedder.embed, 0.5, 3).choose(ASKED, TOOLS)
    assert selection.scores == (await SemanticSelector(Embedder().embed, 0.5, 3).choose(ASKED, TOOLS)).scores


@settings(deadline=None)
@given(
    st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=2, max_size=8),
    st.lists(st.integers(-3, 3), min_size=2, max_size=2),
    st.integers(1, 5),
    st.sampled_from([0.0, 0.3, 0.5, 0.6]),
)
def test_the_offer_is_what_cosines_say(vectors: list[list[int]], asked: list[int], most: int, threshold: float) -> None:
    tools = [made(f"tool{number}") for number in range(len(vectors))]
    embedder = Embedder({f"tool{n}": [*map(float, v)] for n, v in enumerate(vectors)}, question=[*map(float, asked)])
    selector = SemanticSelector(embedder.embed, threshold, most)
    offered = names(asyncio.run(selector.select(ASKED, tools)))
    everything = names(tools)
    if len(tools) <= most or not any(asked) or not all(any(vector) for vector in vectors):
        assert offered == everything
        return
    cosines = [
        (asked[0] * vector[0] + asked[1] * vector[1]) / math.hypot(*asked) / math.hypot(*vector) for vector in vectors
    ]
    near = [place for place, cosine in enumerate(cosines) if (1 - WORDS) * cosine >= threshold - 1e-9]
    best = sorted(near, key=lambda place: (-round(cosines[place], 6), place))[:most]
    assert offered == ([f"tool{place}" for place in best] or everything)


async def test_the_same_tools_are_embedded_once_and_each_question_once() -> None:
    embedder = Embedder()
    selector = SemanticSelector(embedder.embed, max_results=3)
    for question in ("first", "second", "first", "first"):
        await selector.select(question, TOOLS)
    await selector.select("first", TOOLS[::-1])
    assert (embedder.batches, embedder.questions) == (1, 2)


@pytest.mark.parametrize(
    "changed",
    [
        [*TOOLS, made("close_ticket")],
        TOOLS[1:],
        [made("search_orders", "To look for orders."), *TOOLS[1:]],
        [made("find_orders", TOOLS[0].description), *TOOLS[1:]],
        [replace(TOOLS[0], examples=("Where is my order?",)), *TOOLS[1:]],
    ],
    ids=["added", "removed", "description", "name", "example"],
)
async def test_a_changed_list_is_embedded_anew(changed: list[Tool]) -> None:
    embedder = Embedder()
    selector = SemanticSelector(embedder.embed, max_results=3)
    await selector.select(ASKED, TOOLS)
    await selector.select(ASKED, changed)
    assert (embedder.batches, embedder.questions) == (2, 2)
    await selector.select(ASKED, TOOLS)
    assert (embedder.batches, embedder.questions) == (2, 2)


async def test_a_remembered_answer_names_the_tools_of_today() -> None:
    """What a tool does is no part of its text; a later turn must get its own tools, not those of the first."""
    selector = SemanticSelector(Embedder().embed, 0.5, 3)
    await selector.select(ASKED, TOOLS)
    today = [replace(tool, function=names) for tool in TOOLS]
    assert all(tool.function is names for tool in await selector.select(ASKED, today))


async def test_memory_is_bounded() -> None:
    embedder = Embedder()
    selector = SemanticSelector(embedder.embed, max_results=1)
    for number in range(17):
        await selector.select(ASKED, [*TOOLS, made(f"extra{number}")])
    await selector.select(ASKED, [*TOOLS, made("extra16")])
    assert embedder.batches == 17
    await selector.select(ASKED, [*TOOLS, made("extra0")])
    assert embedder.batches == 18


def test_the_least_recently_used_is_forgotten() -> None:
    recent: Recent[str, int] = Recent(2)
    recent.put("a", 1)
    recent.put("b", 2)
    assert recent.get("a") == 1
    recent.put("c", 3)
    assert [recent.get(key) for key in "abc"] == [1, None, 3]
    recent.drop("a")
    recent.drop("b")
    assert [recent.get(key) for key in "abc"] == [None, None, 3]


@dataclass
class Gated(Embedder):
    """Waits with each list of tools until the test opens the gate; fails as often as told."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    failures: int = 0

    async def embed(self, texts: list[str]) -> list[list[float]]:
        found = await super().embed(texts)
        if len(texts) > 1:
            await self.gate.wait()
            if self.batches <= self.failures:
                raise ConnectionError
        return found

    async def asked(self, batches: int) -> None:
        """Return once so many lists were sent."""
        while self.batches < batches:
            await asyncio.sleep(0)


async def test_two_questions_at_once_embed_the_tools_once() -> None:
    embedder = Gated()
    selector = SemanticSelector(embedder.embed, 0.5, 3)
    both = asyncio.gather(selector.select("one", TOOLS), selector.select("two", TOOLS))
    await embedder.asked(1)
    embedder.gate.set()
    assert [names(offered)[0] for offered in await both] == ["process_refund"] * 2
    assert (embedder.batches, embedder.questions) == (1, 2)


async def test_a_cancelled_question_leaves_the_others_theirs() -> None:
    embedder = Gated()
    selector = SemanticSelector(embedder.embed, 0.5, 3)
    first = asyncio.create_task(selector.select("one", TOOLS))
    await embedder.asked(1)
    second = asyncio.create_task(selector.select("two", TOOLS))
    await asyncio.sleep(0)
    first.cancel()
    await embedder.asked(2)
    embedder.gate.set()
    assert names(await second)[0] == "process_refund"
    with pytest.raises(asyncio.CancelledError):
        await first
    assert names(await selector.select("three", TOOLS))[0] == "process_refund"
    assert embedder.batches == 2


@pytest.mark.parametrize(("failures", "why"), [(1, "matched"), (9, "failed: ConnectionError")])
async def test_those_who_waited_for_a_failure_try_once_more_between_them(failures: int, why: str) -> None:
    """A server that hangs until its timeout must not let ten people wait ten times as long."""
    embedder = Gated(failures=failures)
    selector = SemanticSelector(embedder.embed, 0.5, 3)
    questions = [asyncio.create_task(selector.choose(str(number), TOOLS)) for number in range(10)]
    await embedder.asked(1)
    embedder.gate.set()
    first, *others = await asyncio.gather(*questions)
    assert first.why == "failed: ConnectionError"
    assert {selection.why for selection in others} == {why}
    assert embedder.batches == 2


async def test_prewarming_leaves_only_the_question_to_embed() -> None:
    embedder = Embedder()
    selector = SemanticSelector(embedder.embed, 0.5, 3)
    await selector.prewarm(TOOLS)
    assert (embedder.batches, embedder.questions) == (1, 0)
    await selector.select(ASKED, TOOLS)
    assert (embedder.batches, embedder.questions) == (1, 1)


async def test_prewarming_may_fail_and_few_tools_need_none() -> None:
    selector = SemanticSelector(_answers(_raise), max_results=3)
    with capture_logs() as logs:
        await selector.prewarm(TOOLS)
        await selector.prewarm(TOOLS[:3])
    assert [log["reason"] for log in logs] == ["failed: RuntimeError"]


async def test_all_offers_all() -> None:
    selection = await AllSelector().choose(ASKED, TOOLS)
    assert (list(selection.tools), selection.strategy) == (TOOLS, "all")
    assert await AllSelector().select(ASKED, []) == []
