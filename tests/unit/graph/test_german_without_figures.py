"""What is said in German where there is no figure: refusals, questions back and what they offer, examples."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph.examples import examples_for
from graph.planner import settling
from language.catalogue import translated
from tests.support.untold import untold_in
from tests.unit.graph.conftest import ME
from tools.registry import Registry

REFUSED = (
    ("Was ist mein Budget für Essen?", "Budgets und Limits führe ich noch nicht."),
    ("Wie viel werde ich nächsten Monat ausgeben?", "Ich kenne nur, was gebucht ist, nicht die Zukunft."),
    ("Soll ich mehr sparen?", "Ich gebe keine Ratschläge; ich sage dir nur, was in deinen Buchungen steht."),
    ("Wie viel verdient mein Nachbar?", "Ich kenne nur dein eigenes Geld."),
    (
        "Überweise 50 Euro an Anna",
        "Ich beantworte nur Fragen; ich kann kein Geld überweisen, nichts kündigen und dich an nichts erinnern.",
    ),
    ("Wie wird das Wetter morgen?", "Das geht aus deinen Buchungen nicht hervor."),
)
ASKED_BACK = (
    (
        "Was habe ich am 31. Februar ausgegeben?",
        "„am 31. Februar“ gibt es in keinem Kalender. Welchen Zeitraum meinst du?",
        "Was habe ich am 28. Februar ausgegeben?",
    ),
    (
        "Wie viel habe ich seit meinem Umzug ausgegeben?",
        "Ich weiß nicht, wann „seit meinem Umzug“ war. Welchen Zeitraum meinst du?",
        "Wie viel habe ich im letzten Monat ausgegeben?",
    ),
    (
        "Vergleiche Lebensmittel und Zorbs",
        "In deinen Buchungen heißt nichts „Zorbs“. Was meinst du?",
        "Wie viel habe ich für Lebensmittel ausgegeben?",
    ),
    (
        "Wie viel habe ich letzten Monat für Lebensmittel pro Liter 50 ausgegeben?",
        "„pro Liter 50“ kann ich nicht berücksichtigen. Ohne das:",
        "Wie viel habe ich letzten Monat für Lebensmittel ausgegeben?",
    ),
)


@pytest.mark.parametrize(("question", "told"), REFUSED)
async def test_what_has_no_answer_is_refused_in_german(deutsch, question, told):
    with untold_in("de") as untold:
        reply = (await deutsch.say(question)).reply
    assert (reply.kind, reply.headline) == ("refuse", told)
    assert (reply.blocks[-1].text, len(reply.choices) > 0) == ("Zeigen kann ich dir:", True)
    assert not untold


@pytest.mark.parametrize(("question", "told", "offered"), ASKED_BACK)
async def test_a_question_back_is_in_german_and_what_it_offers_is_taken(deutsch, question, told, offered):
    with untold_in("de") as untold:
        reply = (await deutsch.say(question)).reply
        assert (reply.kind, reply.headline) == ("clarify", told)
        labels = [choice.label for choice in reply.choices]
        assert offered in labels
    assert not untold
    assert (await deutsch.say(offered)).reply.kind == "answer"


async def test_what_can_not_be_referred_to_is_asked_about(deutsch):
    reply = (await deutsch.say("Was habe ich dort ausgegeben?")).reply
    assert reply.headline == "Ich weiß nicht, worauf sich das bezieht. Was meinst du?"


async def test_german_examples_are_questions_that_are_answered(english):
    context = replace(await english.agent.context(ME), language="de")
    with untold_in("de") as untold:
        examples = [example.label for example in examples_for(context)]
    assert not untold
    assert examples[2] == "Gib mir eine Zusammenfassung des letzten Monats"
    offered = Registry.built_in().offered()
    for example in examples:
        plan = await english.agent._planner.plan(example, context, offered)
        assert (plan.kind, plan.unread) == ("calls", ()), example


@pytest.mark.parametrize("message", [*settling.MISSING.values(), settling._BEYOND])
def test_every_refusal_is_told_in_german(message):
    assert translated(message, "de") != message
