"""The right tool is among those offered for 99 of 100 golden questions, with the real embedder."""

from __future__ import annotations

from evals.questions import read_questions
from ledger.embeddings import MiniLmEmbedder
from tools.registry import Registry, Tool
from tools.selection import SemanticSelector

#: What other apps could be: near ours in subject or in wording, so that they compete for the ten places.
OTHERS = {
    "budgets-status": (
        "How much of a budget is used up.",
        "Am I over budget {period}?",
        "Wie viel Budget ist noch da?",
    ),
    "subscriptions-list": ("Recurring payments.", "Which subscriptions do I have?", "Welche Abos habe ich?"),
    "bills-upcoming": ("Bills of the next weeks.", "What bills are coming up?", "Welche Rechnungen kommen bald?"),
    "goals-progress": ("How far a savings goal is.", "How far am I with my goal?", "Wie weit ist mein Sparziel?"),
    "taxes-deductible": ("What may be deducted.", "Which purchases can I deduct?", "Was kann ich absetzen?"),
    "accounts-balance": ("An account's balance.", "How much is in {account}?", "Wie ist mein Kontostand?"),
    "shops-prices": ("Prices across shops.", "Where is milk cheapest?", "Wo ist Milch am billigsten?"),
    "mail-search": ("Search the mailbox.", "Find the mail from my landlord", "Suche die Mail vom Vermieter"),
}


def other(name: str, description: str, *examples: str) -> Tool:
    schema = {"type": "function", "function": {"name": name, "description": description, "parameters": {}}}
    return Tool(name, other, schema, examples=examples)


async def test_the_right_tool_is_offered_in_both_languages() -> None:
    """Follow-ups are left out: what they continue is offered along with the selection."""
    tools = [*Registry.built_in().offered(), *(other(name, *texts) for name, texts in OTHERS.items())]
    assert len(tools) > 2 * 10
    selector = SemanticSelector(MiniLmEmbedder().embed)
    missed: dict[str, list[str]] = {"en": [], "de": []}
    asked = {"en": 0, "de": 0}
    for question in read_questions():
        right = {name for reading in question.readings for name in reading.tools}
        if not question.wants_answer or question.kind == "follow-up" or not right:
            continue
        offered = await selector.select(question.turns[-1], tools)
        asked[question.language] += 1
        if right.isdisjoint(tool.name for tool in offered):
            missed[question.language].append(question.id)
    assert min(asked.values()) > 40
    assert len(missed["en"]) * 100 <= asked["en"], missed
    assert len(missed["de"]) * 100 <= asked["de"], missed
