"""Questions that a person's ledger can answer, by theme, with its own names in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from language.catalogue import say, translated
from language.tongue import DEFAULT

if TYPE_CHECKING:
    from tools.context import ToolContext

#: Categories that no example names.
_NO_EXAMPLES = ("Uncategorised", "Transfers", "Income")


@dataclass(frozen=True, slots=True)
class Theme:
    """What can be asked about, by the key of its button; ``{category}`` and ``{merchant}`` stand for names of the ledger."""

    key: str
    title: str
    questions: tuple[str, ...]


THEMES: Final = (
    Theme(
        "spending",
        "Spending",
        (
            "How much did I spend on {category} last month?",
            "How much did I spend at {merchant} this year?",
            "Give me a summary of last month",
            "What do I spend on {category} in an average month?",
            "How much did I spend last month without rent?",
        ),
    ),
    Theme(
        "largest",
        "Largest and most",
        (
            "What was my biggest purchase last month?",
            "Which merchants cost me the most?",
            "Which month was the most expensive?",
            "On which weekday do I spend the most?",
        ),
    ),
    Theme(
        "differences",
        "Differences and shares",
        (
            "Compare last month with the month before",
            "Why did I spend more last month?",
            "Did I spend more on {category} this year than last year?",
            "What share of my spending goes to {category}?",
        ),
    ),
    Theme(
        "recurring",
        "Subscriptions and bills",
        (
            "What subscriptions do I have?",
            "What do my subscriptions cost per month?",
            "Which subscriptions got more expensive?",
            "Which bills are due next?",
        ),
    ),
    Theme(
        "income",
        "Income and savings",
        (
            "How much did I earn last month?",
            "When was I last paid?",
            "What is my savings rate this year?",
            "How much did I put into savings this year?",
        ),
    ),
    Theme(
        "finding",
        "Finding payments",
        (
            "Show purchases over 100 last month",
            "Find coffee",
            "When did I last go to {merchant}?",
            "How often did I go to {merchant} this year?",
            "What refunds did I get this year?",
            "What fees did I pay this year?",
            "Was I charged twice for anything?",
        ),
    ),
    Theme(
        "correcting",
        "Putting right and writing down",
        (
            "Which shops have no category?",
            "Put {merchant} under shopping",
            "Spent 9.80 on lunch",
            "Remember that my rent is due on the 3rd",
        ),
    ),
    Theme(
        "data",
        "Your data and settings",
        ("What data do you have?", "List my accounts", "Show my settings", "Set my time zone to Berlin"),
    ),
)
#: Those that are shown first, in this order: the theme's key, and which of its questions.
_FIRST = (
    ("spending", 0), ("spending", 1), ("spending", 2), ("largest", 0), ("differences", 0), ("largest", 1), ("finding", 0),
    ("income", 0), ("finding", 1), ("data", 0),
)  # fmt: skip


def questions_of(theme: Theme, context: ToolContext) -> list[str]:
    """Return the questions of a theme in the language of the answer."""
    vocabulary, language = context.vocabulary, context.language
    named = next(
        (name for name in vocabulary.categories if name not in _NO_EXAMPLES), translated("groceries", language)
    )
    names = {
        "category": named.lower() if language == DEFAULT else named,
        "merchant": next((name for _, name in vocabulary.merchants), "Amazon"),
    }
    used = ({name: value for name, value in names.items() if f"{{{name}}}" in form} for form in theme.questions)
    return [
        translated(say(form, **parts) if parts else form, language)
        for form, parts in zip(theme.questions, used, strict=True)
    ]


def examples_for(context: ToolContext) -> list[str]:
    """Return the questions that are offered first, the simplest before the others."""
    questions = {theme.key: questions_of(theme, context) for theme in THEMES}
    return [questions[key][place] for key, place in _FIRST]
