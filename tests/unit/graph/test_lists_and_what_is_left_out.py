"""Parts of a list, words that only other rows hold, transfers to an account that are left out, and what recurred at a time."""

from __future__ import annotations

import pytest

from tests.unit.graph.conftest import Talk


def rows() -> list[tuple[str, str, str, str]]:
    """Return day, text, amount and account; every figure that a test expects is read off these."""
    months = [f"2026-{number:02}" for number in range(1, 12)]
    found = [(f"{month}-01", "STANDING ORDER RENT M HOLLIS", "-800.00", "Giro") for month in months[:5]]
    found += [(f"{month}-01", "STANDING ORDER RENT M HOLLIS", "-840.00", "Giro") for month in months[5:]]
    found += [(f"{month}-03", "SPOTIFY P0A1", "-11.99", "Giro") for month in months]
    found += [(f"{month}-04", "NETFLIX.COM", "-13.99", "Giro") for month in months[:6]]
    for day in (9, 19):
        found += [(f"2026-05-{day:02}", "HAEMA PLASMASPENDE AUFWAND", "25.00", "Giro")]
    return [
        *found,
        ("2026-03-05", "FAHRSCHULE KELLER RECHNUNG 1", "-400.00", "Giro"),
        ("2026-04-06", "FAHRSCHULE KELLER RECHNUNG 2", "-300.00", "Giro"),
        ("2026-05-07", "DEKRA E.V. THEORIEPRUEFUNG", "-25.00", "Giro"),
        ("2026-06-08", "STADT HALDEN FAHRERLAUBNIS", "-43.00", "Giro"),
        ("2026-06-20", "TIERHEIM HALDEN SPENDE", "-30.00", "Giro"),
        ("2026-07-02", "UMBUCHUNG AUF TAGESGELD", "-3000.00", "Giro"),
        ("2026-07-02", "UMBUCHUNG VON GIROKONTO", "3000.00", "Tagesgeld"),
        ("2026-08-11", "MEDIA MARKT HALDEN", "-999.00", "Giro"),
        ("2026-09-11", "SHELL HALDEN 114", "-60.00", "Giro"),
        ("2026-10-08", "VDP-AN POST TV LICENCE", "-160.00", "Giro"),
        ("2026-10-10", "ARDEN VET CLINIC", "-60.00", "Giro"),
        ("2026-10-12", "PET VALU 114", "-20.00", "Giro"),
    ]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        # each part of a list is in the sum, also one that only the bank's text tells
        ("Was hat mich alles zusammen gekostet, also Fahrschule Keller, die DEKRA-Prüfung und Stadt Halden?", "768.00"),
        ("What did I pay to Fahrschule Keller, DEKRA and Stadt Halden together?", "768.00"),
        ("What was the total for the vet plus Pet Valu in October 2026?", "80.00"),
        # transfers to an account are one thing, left out before their name or behind it
        ("Was war 2026 meine größte einzelne Ausgabe, wenn man die Überträge aufs Tagesgeld weglässt?", "999.00"),
        ("What was my largest expense in 2026, not counting transfers to the Tagesgeld account?", "999.00"),
        # words as short as "tv" are not kept in what a row is searched by
        ("Did we already pay the tv licence this year?", "160.00"),
        # by how much a price went up, as it is said in German
        ("um wieviel prozent ist die miete hoch?", "5.0%"),
    ],
)
async def test_the_whole_question_is_in_the_figure(talk: Talk, question: str, told: str) -> None:
    outcome = await talk.say(question)
    assert outcome.reply.kind == "answer"
    assert told in outcome.reply.headline


@pytest.mark.parametrize(
    ("question", "untold"),
    [
        ("How much did I pay Spotify, zorbing and Netflix together?", "zorbing"),
        ("Was ging an Netflix und Quallenzucht zusammen?", "Quallenzucht"),
        # other rows hold the word, and none of those that the rest of the question names
        ("Wie oft war ich dieses Jahr plasma spenden?", "plasma"),
        # a benefit that never came is no spending on what it is for
        ("Has my Winter Fuel Payment come in yet this year?", "Winter"),
        # which of a firm's fees, where the bank's text has none of that name
        ("Wie hoch waren die Mahngebühren von Netflix?", "Mahngebühren"),
    ],
)
async def test_what_is_not_in_the_figure_is_asked_about(talk: Talk, question: str, untold: str) -> None:
    outcome = await talk.say(question)
    assert outcome.reply.kind == "clarify"
    assert untold in outcome.reply.headline


async def test_what_recurred_at_a_time_that_is_over_is_what_was_charged_then(talk: Talk) -> None:
    then = await talk.say("Which subscriptions was I still paying for in May 2026?")
    assert then.reply.headline == "2 subscriptions in May 2026: €25.98 a month"
    assert "at its price then" in str(then.reply.blocks)
    assert "Next" not in str(then.reply.blocks)
    assert [wanted.period.start.isoformat() for wanted in then.reply.behind] == ["2026-05-01"]
    now = await talk.say("Which subscriptions am I paying for?")
    assert now.reply.headline == "1 subscription: Spotify, €11.99 a month"


async def test_a_question_is_no_order_to_change_a_row(talk: Talk) -> None:
    outcome = await talk.say("what was the rent in february and what is it now")
    assert outcome.reply.kind == "answer"
    assert outcome.proposal is None
