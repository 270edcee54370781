"""Questions that a person's ledger can answer, by theme, with its own names in them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from language.catalogue import say, translated
from language.tongue import DEFAULT
from ledger.periods import parse_period
from tools.calls import Choice, choice_of
from tools.wording import month

if TYPE_CHECKING:
    from tools.context import ToolContext

#: Categories that no example names.
_NO_EXAMPLES = ("Uncategorised", "Transfers", "Income")


@dataclass(frozen=True, slots=True)
class Theme:
    """What can be asked about, by the key of its button; ``{category}`` and ``{merchant}`` stand for names of the ledger.

    A question brings its call where that is the same in every language; what is searched for, noted or written down is in
    the words of the question, which is read as any other.
    """

    key: str
    title: str
    questions: tuple[Choice, ...]


_BY_CATEGORY, _SUMMARY, _EXTREMES = "spending-analyze_by_category", "spending-get_spending_summary", "spending-extremes"
_LIST, _MEASURE, _COMPARE = "transactions-list", "transactions-measure", "spending-compare"
_LAST, _YEAR = {"start_date": "last_month"}, {"start_date": "this_year"}
_CATEGORY, _SHOP, _ABOS = {"category": "{category}"}, {"merchant": "{merchant}"}, {"which": "subscriptions"}

# fmt: off
THEMES: Final = (
    Theme("spending", "Spending", (
        choice_of("How much did I spend on {category} last month?", _BY_CATEGORY, **_CATEGORY, **_LAST),
        choice_of("How much did I spend at {merchant} this year?", "spending-analyze_merchant", **_SHOP, **_YEAR),
        choice_of("Give me a summary of last month", _SUMMARY, period="last_month"),
        choice_of("What do I spend on {category} in an average month?", _BY_CATEGORY, **_CATEGORY, per="month"),
        Choice("How much did I spend last month without rent?"),
    )),
    Theme("largest", "Largest and most", (
        choice_of("What was my biggest purchase last month?", _EXTREMES, **_LAST, measure="largest", by="purchase"),
        choice_of("Which merchants cost me the most?", _EXTREMES, measure="top", by="merchant"),
        choice_of("Which month was the most expensive?", _EXTREMES, measure="top", by="month"),
        choice_of("On which weekday do I spend the most?", "transactions-rank", by="weekday", ranked="money", of="spending"),
    )),
    Theme("differences", "Differences and shares", (
        Choice("Compare last month with the month before"),
        choice_of("Why did I spend more last month?", "spending-changes", period="last_month"),
        choice_of("Did I spend more on {category} this year than last year?", _COMPARE, **_CATEGORY,
                  periods=["this_year", "last_year"], claim="more"),
        Choice("What share of my spending goes to {category}?"),
    )),
    Theme("recurring", "Subscriptions and bills", (
        choice_of("What subscriptions do I have?", "recurring-list", **_ABOS, wanted="list"),
        choice_of("What do my subscriptions cost per month?", "recurring-list", **_ABOS, wanted="sum"),
        choice_of("Which subscriptions got more expensive?", "recurring-changes", **_ABOS),
        choice_of("Which bills are due next?", "recurring-upcoming"),
    )),
    Theme("income", "Income and savings", (
        choice_of("How much did I earn last month?", "income-summary", **_LAST),
        choice_of("When was I last paid?", _MEASURE, of="income", what="latest"),
        choice_of("What is my savings rate this year?", "income-share", **_YEAR, saved=True),
        choice_of("How much did I put into savings this year?", _MEASURE, **_YEAR, of="savings", what="total"),
    )),
    Theme("finding", "Finding payments", (
        choice_of("Show purchases over 100 last month", _LIST, over="100", **_LAST, kind="spending"),
        Choice("Find coffee"),
        choice_of("When did I last go to {merchant}?", _EXTREMES, **_SHOP, measure="last", by="purchase"),
        choice_of("How often did I go to {merchant} this year?", _EXTREMES, **_SHOP, **_YEAR, measure="how_often"),
        choice_of("What refunds did I get this year?", _LIST, **_YEAR, kind="refund"),
        choice_of("What fees did I pay this year?", _LIST, **_YEAR, kind="fee"),
        choice_of("Was I charged twice for anything?", "transactions-find_duplicates"),
    )),
    Theme("correcting", "Putting right and writing down", (
        choice_of("Which shops have no category?", "categories-unsure"),
        Choice("Put {merchant} under shopping"),
        Choice("Spent 9.80 on lunch"),
        Choice("Remember that my rent is due on the 3rd"),
    )),
    Theme("data", "Your data and settings", (
        choice_of("What data do you have?", "ledger-status"),
        choice_of("List my accounts", "accounts-list"),
        choice_of("Show my settings", "settings-show"),
        choice_of("Set my time zone to Berlin", "settings-change", setting="time_zone", value="Berlin"),
    )),
)
# fmt: on
#: Those that are shown first, in this order: the theme's key, which of its questions, and the period in which there must be
#: transactions for it to have an answer.
_FIRST = (
    ("spending", 0, "last month"),
    ("spending", 1, "this year"),
    ("spending", 2, "last month"),
    ("largest", 0, "last month"),
    ("differences", 0, "last month"),
    ("largest", 1, ""),
    ("finding", 0, "last month"),
    ("income", 0, "last month"),
    ("finding", 1, ""),
    ("data", 0, ""),
)  # fmt: skip


def questions_of(theme: Theme, context: ToolContext) -> list[Choice]:
    """Return the questions of a theme, in the language of the answer and with names of the ledger."""
    vocabulary, language = context.vocabulary, context.language
    category = next((name for name in vocabulary.categories if name not in _NO_EXAMPLES), None)
    merchant = vocabulary.shop or None
    told = category or translated("groceries", language)
    said = {"category": told.lower() if language == DEFAULT else told, "merchant": merchant or "Amazon"}
    return [
        _named(question, said, {"category": category, "merchant": merchant}, language) for question in theme.questions
    ]


def _named(question: Choice, said: dict[str, str], known: dict[str, str | None], language: str) -> Choice:
    """Return a question with names in it; one about a name that the ledger does not have is left to be read."""
    parts = {name: value for name, value in said.items() if f"{{{name}}}" in question.label}
    label = translated(say(question.label, **parts) if parts else question.label, language)
    if any(known[name] is None for name in parts):
        return Choice(label)
    calls = [
        replace(
            call, arguments={name: known[name] if name in parts else value for name, value in call.arguments.items()}
        )
        for call in (question.rounds[0] if question.rounds else ())
    ]
    return Choice(label, (tuple(calls),) if calls else ())


def examples_for(context: ToolContext) -> list[Choice]:
    """Return the questions that are offered first, the simplest before the others; of a ledger, those that reach into it."""
    questions = {theme.key: questions_of(theme, context) for theme in THEMES}
    reached = [questions[key][place] for key, place, period in _FIRST if _reaches(period, context)]
    last = context.vocabulary.last
    if last is None or len(reached) == len(_FIRST):
        return reached
    asked = say("How much did I spend in {month}?", month=month(last, context.language))
    return [choice_of(translated(asked, context.language), _SUMMARY, period=f"{last:%Y-%m}"), *reached]


def _reaches(period: str, context: ToolContext) -> bool:
    """Whether a ledger goes on until a period, if a question is about one; one that holds nothing leaves out none."""
    last = context.vocabulary.last
    return not period or last is None or parse_period(period, context.today).start <= last
