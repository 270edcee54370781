"""Classes of follow-ups, each a table of sentences: what the edited question is, and what asks back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from graph.planner.plan import Plan
from graph.planner.planner import Planner
from graph.turn import PastTurn
from tests.unit.graph.conftest import ME
from tools.registry import Registry
from tools.results import Fact, Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

Ask = "Callable[..., Awaitable[Plan]]"
#: the text, the tool it must call, the arguments that matter (None: there must be none)
Row = tuple[str, str, dict[str, Any]]

CATEGORY, MERCHANT, SUMMARY = (
    "spending-analyze_by_category",
    "spending-analyze_merchant",
    "spending-get_spending_summary",
)
EXTREMES, COMPARE, LIST, INCOME = "spending-extremes", "spending-compare", "transactions-list", "income-summary"
MAY = {"start_date": "2026-05-01", "end_date": "2026-05-31"}
JUNE = {"start_date": "2026-06-01", "end_date": "2026-06-30"}
IN_MAY, IN_JUNE, IN_APRIL = "2026-05-01 to 2026-05-31", "2026-06-01 to 2026-06-30", "2026-04-01 to 2026-04-30"

AT_COSTCO = Scope(MERCHANT, {"merchant": "Costco", **MAY})
AT_SAFEWAY = Scope(MERCHANT, {"merchant": "Safeway", **MAY})
ON_GROCERIES = Scope(CATEGORY, {"category": "Groceries", **MAY})
IN_ALL = Scope(SUMMARY, {"period": IN_MAY})
BUT_RENT = Scope(SUMMARY, {"period": IN_MAY, "exclude": ["Mortgage & Rent"]})
TIMES = Scope(EXTREMES, {"measure": "count", "merchant": "Starbucks", **MAY})
EARNED = Scope(INCOME, MAY)
SIDES = Scope(COMPARE, {"merchant": ["Costco", "Safeway"], **MAY})
BEI_REWE = Scope(MERCHANT, {"merchant": "REWE", **MAY})

ENGLISH: dict[str, tuple[Scope, tuple[Row, ...]]] = {
    "corrections put another name or date in the place of the one before": (
        AT_COSTCO,
        (
            ("No, I meant Safeway.", MERCHANT, {"merchant": "Safeway", **MAY}),
            ("sorry, in June", MERCHANT, {"merchant": "Costco", **JUNE}),
            ("nope. Trader Joe's", MERCHANT, {"merchant": "Trader Joe's", **MAY}),
            ("not Costco, Safeway", MERCHANT, {"merchant": "Safeway", "exclude": None}),
            ("Safeway instead of Costco", MERCHANT, {"merchant": "Safeway", "exclude": None}),
            ("wait, groceries", CATEGORY, {"category": "Groceries", "merchant": None, **MAY}),
            ("actually for all of 2025", MERCHANT, {"merchant": "Costco", "start_date": "2025-01-01"}),
        ),
    ),
    "restrictions keep the subject": (
        AT_COSTCO,
        (
            ("only the ones over $50", MERCHANT, {"merchant": "Costco", "over": "50", **MAY}),
            ("just the trips under 20", MERCHANT, {"merchant": "Costco", "under": "20"}),
            ("only on the Visa Card", MERCHANT, {"merchant": "Costco", "account": "Visa Card", **MAY}),
            ("only groceries", CATEGORY, {"merchant": "Costco", "category": "Groceries"}),
            ("just in June", MERCHANT, {"merchant": "Costco", **JUNE}),
            ("only on weekends", MERCHANT, {"merchant": "Costco", "start_date": f"weekends {IN_MAY}"}),
        ),
    ),
    "exclusions add up and stay": (
        BUT_RENT,
        (
            ("leave out groceries as well", SUMMARY, {"exclude": ["Mortgage & Rent", "Groceries"], "period": IN_MAY}),
            ("and without Netflix too", SUMMARY, {"exclude": ["Mortgage & Rent", "Netflix"]}),
            ("and in June?", SUMMARY, {"exclude": ["Mortgage & Rent"], "period": IN_JUNE}),
            ("what was the biggest purchase?", EXTREMES, {"exclude": ["Mortgage & Rent"], "measure": "largest", **MAY}),
            ("how many purchases was that?", EXTREMES, {"exclude": ["Mortgage & Rent"], "measure": "count", **MAY}),
            ("with rent again", SUMMARY, {"exclude": None, "period": IN_MAY}),
            ("and rent?", CATEGORY, {"category": "Mortgage & Rent", "exclude": None, **MAY}),
        ),
    ),
    "another measure of the same": (
        AT_COSTCO,
        (
            ("which was the most expensive one?", EXTREMES, {"measure": "largest", "merchant": "Costco", **MAY}),
            ("how many trips was that?", EXTREMES, {"measure": "count", "merchant": "Costco", **MAY}),
            ("when was the last time?", EXTREMES, {"measure": "last", "merchant": "Costco"}),
            ("how often did I go?", EXTREMES, {"measure": "how_often", "merchant": "Costco"}),
            ("what's that per week on average?", MERCHANT, {"per": "week", "merchant": "Costco"}),
            ("and per month?", MERCHANT, {"per": "month", "merchant": "Costco"}),
            ("which ones were over 50?", LIST, {"merchant": "Costco", "over": "50", **MAY}),
            ("show me those", LIST, {"merchant": "Costco", **MAY}),
        ),
    ),
    "the sum after a number": (
        TIMES,
        (
            ("and how much did I spend there?", MERCHANT, {"merchant": "Starbucks", **MAY}),
            ("what did that cost?", MERCHANT, {"merchant": "Starbucks", **MAY}),
            ("and at Chipotle?", EXTREMES, {"measure": "count", "merchant": "Chipotle", **MAY}),
            ("and in June?", EXTREMES, {"measure": "count", "merchant": "Starbucks", **JUNE}),
            ("ok and how much in total?", MERCHANT, {"merchant": "Starbucks", **MAY}),
        ),
    ),
    "in total of a list is its sum, of a sum everything": (
        Scope(LIST, {"kind": "refund", **MAY}),
        (
            ("how much in total?", "transactions-measure", {"of": "refunds", **MAY}),
            ("how many was that?", "transactions-measure", {"of": "refunds", "what": "count", **MAY}),
            ("only from Amazon", LIST, {"kind": "refund", "merchant": "Amazon", **MAY}),
            ("and in June?", LIST, {"kind": "refund", **JUNE}),
        ),
    ),
    "what a sum is made of, and a part of it by name": (
        IN_ALL,
        (
            ("how much was groceries?", CATEGORY, {"category": "Groceries", **MAY}),
            ("same but without rent", SUMMARY, {"exclude": ["Mortgage & Rent"], "period": IN_MAY}),
            ("top 3 categories?", EXTREMES, {"measure": "top", "by": "category", "limit": 3, **MAY}),
            ("and on average per day?", SUMMARY, {"per": "day", "period": IN_MAY}),
        ),
    ),
    "when and where that was": (
        Scope(EXTREMES, {"measure": "largest", **MAY}),
        (
            ("when was that?", EXTREMES, {"measure": "largest", **MAY}),
            ("where was that?", EXTREMES, {"measure": "largest", "by": "purchase", **MAY}),
            ("and the five biggest?", EXTREMES, {"measure": "largest", "limit": 5, **MAY}),
        ),
    ),
    "an average stays one for another subject": (
        Scope(CATEGORY, {"category": "Groceries", "per": "month"}),
        (
            ("and at Starbucks?", MERCHANT, {"merchant": "Starbucks", "per": "month"}),
            ("and last year?", CATEGORY, {"per": "month", "start_date": "2025-01-01"}),
            ("per week?", CATEGORY, {"category": "Groceries", "per": "week"}),
        ),
    ),
    "comparisons": (
        ON_GROCERIES,
        (
            ("compared to April?", COMPARE, {"category": "Groceries", "periods": [IN_MAY, IN_APRIL]}),
            ("vs June?", COMPARE, {"periods": [IN_MAY, IN_JUNE]}),
            ("is that more than last year?", COMPARE, {"periods": [IN_MAY, "2025-05-01 to 2025-05-31"]}),
            ("how does that compare?", COMPARE, {"periods": [IN_MAY, IN_APRIL]}),
            ("compare that with restaurants", COMPARE, {"category": ["Groceries", "Restaurants"], **MAY}),
        ),
    ),
    "a comparison with another subject or period": (
        SIDES,
        (
            ("and in June?", COMPARE, {"merchant": ["Costco", "Safeway"], **JUNE}),
            ("and Trader Joe's?", COMPARE, {"merchant": ["Costco", "Safeway", "Trader Joe's"], **MAY}),
        ),
    ),
    "income and what is left": (
        EARNED,
        (
            ("and how much did I spend?", SUMMARY, {"period": IN_MAY}),
            ("and what was left after spending?", INCOME, {"show": "left", **MAY}),
            ("just from Amazon", INCOME, {"merchant": "Amazon", **MAY}),
            ("and in June?", INCOME, JUNE),
            ("and on groceries?", CATEGORY, {"category": "Groceries", **MAY}),
            ("only over 1000", "transactions-measure", {"of": "income", "over": "1000", **MAY}),
        ),
    ),
    "what is said before changes nothing": (
        AT_COSTCO,
        (
            ("hmm ok. and June", MERCHANT, {"merchant": "Costco", **JUNE}),
            ("ok great, and Safeway?", MERCHANT, {"merchant": "Safeway", **MAY}),
            ("thanks! what about June?", MERCHANT, {"merchant": "Costco", **JUNE}),
            ("oh wow. only over 100", MERCHANT, {"merchant": "Costco", "over": "100"}),
            ("right, now without the biggest one", MERCHANT, {"merchant": "Costco", "exclude_largest": 1}),
        ),
    ),
}

GERMAN: dict[str, tuple[Scope, tuple[Row, ...]]] = {
    "Berichtigungen": (
        BEI_REWE,
        (
            ("nein, EDEKA", MERCHANT, {"merchant": "EDEKA", **MAY}),
            ("ich meinte Juni", MERCHANT, {"merchant": "REWE", **JUNE}),
            ("nicht REWE, sondern EDEKA", MERCHANT, {"merchant": "EDEKA", "exclude": None}),
            ("EDEKA statt REWE", MERCHANT, {"merchant": "EDEKA", "exclude": None}),
            ("Entschuldigung, Lieferando", MERCHANT, {"merchant": "Lieferando", **MAY}),
        ),
    ),
    "Einschränkungen": (
        BEI_REWE,
        (
            ("nur die über 50", MERCHANT, {"merchant": "REWE", "over": "50", **MAY}),
            ("nur die Einkäufe unter 20 Euro", MERCHANT, {"merchant": "REWE", "under": "20", "category": None}),
            ("lediglich im Juni", MERCHANT, {"merchant": "REWE", **JUNE}),
            ("nur an Wochenenden", MERCHANT, {"merchant": "REWE", "start_date": f"weekends {IN_MAY}"}),
        ),
    ),
    "Ausnahmen": (
        IN_ALL,
        (
            ("und ohne Miete?", SUMMARY, {"exclude": ["Rent & Mortgage"], "period": IN_MAY}),
            ("ohne EDEKA und ohne REWE", SUMMARY, {"exclude": ["EDEKA", "REWE"]}),
            ("Miete nicht mitgezählt", SUMMARY, {"exclude": ["Rent & Mortgage"]}),
            ("Was war davon der größte Posten, Miete ausgenommen?", EXTREMES, {"exclude": ["Rent & Mortgage"], **MAY}),
        ),
    ),
    "Ein anderes Maß": (
        BEI_REWE,
        (
            ("wann zuletzt?", EXTREMES, {"measure": "last", "merchant": "REWE"}),
            ("und wie oft war ich da?", EXTREMES, {"measure": "how_often", "merchant": "REWE", **MAY}),
            ("Wie viele Einkäufe waren das?", EXTREMES, {"measure": "count", "merchant": "REWE", **MAY}),
            ("was war der teuerste?", EXTREMES, {"measure": "largest", "merchant": "REWE"}),
            ("und pro Woche im Schnitt?", MERCHANT, {"per": "week", "merchant": "REWE"}),
            ("welche waren das?", LIST, {"merchant": "REWE", **MAY}),
        ),
    ),
    "Vergleiche": (
        BEI_REWE,
        (
            ("und im Vergleich zum Vorjahr?", COMPARE, {"periods": [IN_MAY, "2025-05-01 to 2025-05-31"]}),
            ("ist das mehr als bei EDEKA?", COMPARE, {"merchant": ["REWE", "EDEKA"], **MAY}),
            ("vergleich das mal mit Juni", COMPARE, {"merchant": "REWE", "periods": [IN_MAY, IN_JUNE]}),
        ),
    ),
    "Einnahmen": (
        EARNED,
        (
            ("und was blieb davon übrig?", INCOME, {"show": "left", **MAY}),
            ("und wie viel ging raus?", SUMMARY, {"period": IN_MAY}),
            ("und im Juni?", INCOME, JUNE),
        ),
    ),
}

#: texts that change nothing and point at nothing, after an answer about Costco
ASK_BACK = (
    "what about the other one",
    "compare them for me",
    "which of the two was cheaper?",
    "and why?",
    "only the ones at the cabin",
    "no, the other account",
)
#: texts that point at something said before where nothing was said
DANGLING = (
    "compare them for me",
    "what about the other one",
    "how much was that?",
    "how much of that was groceries?",
    "What did I spend there last month?",
    "vergleich mal bitte die beiden",
    "und das andere?",
    "Und was war das bei dem Laden da?",
)
#: questions of their own, whatever was asked before
ON_THEIR_OWN = (
    "What is my average grocery purchase?",
    "How much did I spend in June?",
    "Groceries in the first half of October",
    "Which month was my most expensive one ever?",
    "biggest purchase in August, rent aside",
    "What was my biggest purchase last month?",
    "Compare October with September",
    "any refunds in June?",
    "things that I bought at Target in June",
    "Was war die größte Ausgabe letzten Monat?",
    "Ausgaben in der ersten Oktoberhälfte bitte",
)


def turn(scope: Scope | None, text: str = "…", kind: str = "answer", *facts: Fact) -> PastTurn:
    return PastTurn(text, kind, scope, facts)


@pytest.fixture
def planner() -> Planner:
    """A planner of the built-in tools, by words alone."""
    return Planner(Registry.built_in().offered("production"), None)


@pytest.fixture
async def ask(english: Any, planner: Planner) -> Any:
    """Plans a text about the American ledger, after some turns."""
    return await _asker(english, planner)


@pytest.fixture
async def frage(deutsch: Any, planner: Planner) -> Any:
    """Plans a text about the German ledger, after some turns."""
    return await _asker(deutsch, planner)


async def _asker(talk: Any, planner: Planner) -> Any:
    context = await talk.agent.context(ME)
    tools = Registry.built_in().offered("production")

    async def plan(text: str, *past: PastTurn) -> Plan:
        return await planner.plan(text, context, tools, past)

    return plan


def only_call(plan: Plan, text: str) -> tuple[str, dict[str, Any]]:
    assert plan.kind == "calls", (text, plan)
    assert len(plan.rounds) == 1, (text, plan)
    assert len(plan.rounds[0]) == 1, (text, plan)
    return plan.rounds[0][0].name, plan.rounds[0][0].arguments


async def check(plan: Any, scope: Scope, rows: Sequence[Row]) -> None:
    for text, tool, arguments in rows:
        name, given = only_call(await plan(text, turn(scope)), text)
        assert name == tool, (text, name, given)
        assert {key: given.get(key) for key in arguments} == arguments, text


@pytest.mark.parametrize("class_", ENGLISH)
async def test_english_follow_ups(ask: Any, class_: str) -> None:
    await check(ask, *ENGLISH[class_])


@pytest.mark.parametrize("class_", GERMAN)
async def test_german_follow_ups(frage: Any, class_: str) -> None:
    await check(frage, *GERMAN[class_])


async def test_two_things_of_before(ask: Any) -> None:
    """ "The two", "both" and "which was more" speak of the last two subjects, in the period that stands or is named."""
    rows: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("compare the two", COMPARE, MAY),
        ("and which of the two do I spend more with in June?", COMPARE, JUNE),
        ("which one was cheaper?", COMPARE, MAY),
        ("where did I spend more?", COMPARE, MAY),
        ("and how much did I spend at both in June?", MERCHANT, JUNE),
    )
    for text, tool, arguments in rows:
        name, given = only_call(await ask(text, turn(AT_COSTCO), turn(AT_SAFEWAY)), text)
        assert (name, given["merchant"]) == (tool, ["Costco", "Safeway"]), text
        assert {key: given.get(key) for key in arguments} == arguments, text


@pytest.mark.parametrize("text", ["", "?", "...", "👍"])
async def test_a_message_without_words_goes_on_with_nothing(ask: Any, text: str) -> None:
    assert (await ask(text, turn(AT_COSTCO))).kind != "calls"


async def test_two_periods_of_before(ask: Any) -> None:
    """The same asked of two periods is compared between them; of other things in between, nobody can tell which two."""
    in_june = Scope(MERCHANT, {"merchant": "Costco", **JUNE})
    name, given = only_call(await ask("compare the two", turn(AT_COSTCO), turn(in_june)), "compare the two")
    assert (name, given) == (
        COMPARE,
        {"merchant": "Costco", "periods": [IN_JUNE, IN_MAY]},
    )  # so that a change is one of the older
    assert (await ask("compare the two", turn(AT_COSTCO), turn(ON_GROCERIES), turn(AT_SAFEWAY))).kind == "clarify"


async def test_a_number_is_compared_with_a_number(ask: Any) -> None:
    """Sums side by side would not tell how often."""
    plan = await ask("compared to June?", turn(TIMES))
    assert [(call.name, call.arguments["start_date"]) for call in plan.rounds[0]] == [
        (EXTREMES, "2026-05-01"),
        (EXTREMES, "2026-06-01"),
    ]


async def test_a_part_is_counted_within_what_was_answered(ask: Any) -> None:
    """ "How much of that was at Costco?" keeps the period, the limits and the category of the whole."""
    whole = turn(Scope(CATEGORY, {"category": "Groceries", "account": "Visa Card", **MAY}))
    told = turn(whole.scope, "…", "answer", Fact("total", "Total", 5, "number"))
    plan = await ask("how much of that was at Costco?", told)
    part = plan.rounds[0][0]
    assert part.name == CATEGORY
    assert part.arguments == {"merchant": "Costco", "category": "Groceries", "account": "Visa Card", **MAY}


async def test_what_was_answered_is_a_share_of_what_is_named(ask: Any) -> None:
    """ "Of that" takes a part out of the last answer; "is that" makes the last answer the part."""
    told = turn(AT_COSTCO, "…", "answer", Fact("total", "Total", 5, "number"))
    plan = await ask("what percentage of my groceries is that?", told)
    assert plan.rounds[0][0].arguments == {"category": "Groceries", **MAY}
    assert plan.rounds[1][0].arguments == {"operation": "share", "values": ["{p1}", "{1.total}"]}


async def test_several_periods_are_several_answers(ask: Any) -> None:
    plan = await ask("and in June and August?", turn(AT_COSTCO))
    assert [call.arguments["start_date"] for call in plan.rounds[0]] == ["2026-06-01", "2026-08-01"]


@pytest.mark.parametrize("text", ASK_BACK)
async def test_what_changes_nothing_asks_back(ask: Any, text: str) -> None:
    assert (await ask(text, turn(AT_COSTCO))).kind == "clarify"


@pytest.mark.parametrize("text", DANGLING)
async def test_a_pointer_at_nothing_asks_back(ask: Any, text: str) -> None:
    assert (await ask(text)).kind == "clarify"


@pytest.mark.parametrize(
    "text", ["how many was that?", "no, Safeway", "and in June?", "how much of that was groceries?"]
)
async def test_nothing_points_past_a_question_that_was_not_understood(ask: Any, text: str) -> None:
    """The person means their last message, and we don't know what it meant."""
    assert (await ask(text, turn(AT_COSTCO), turn(None, "…", "clarify"))).kind == "clarify"


@pytest.mark.parametrize("text", ON_THEIR_OWN)
async def test_a_question_of_its_own_takes_nothing_over(ask: Any, text: str) -> None:
    alone = await ask(text)
    for scope in (AT_COSTCO, TIMES, EARNED):
        assert (await ask(text, turn(scope))).rounds == alone.rounds, scope


async def test_a_restriction_is_not_dropped_where_another_tool_takes_it(ask: Any) -> None:
    """The summary of income leaves nothing out; what measures any money does."""
    name, given = only_call(await ask("without Costco", turn(EARNED)), "without Costco")
    assert (name, given["of"], given["exclude"]) == ("transactions-measure", "income", ["Costco"])
