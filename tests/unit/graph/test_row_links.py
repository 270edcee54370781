"""Plain sentences about transactions that belong together, or don't: which call they come to, in both languages."""

from __future__ import annotations

import pytest

MERGE, REFUND, TRANSFER, UNLINK = (
    f"corrections-{name}" for name in ("merge", "link_refund", "link_transfer", "unlink")
)
ASKED = "transactions-came_back"
LISTED = "show my last 5 purchases at Costco"


def called(outcome):
    """Return the name and arguments of the first call."""
    call = next(iter(outcome.reply.trace["calls"]), {"name": "", "arguments": {}})
    return call["name"], call["arguments"]


@pytest.mark.parametrize(
    ("text", "tool", "places"),
    [
        ("rows 1 and 2 of that list are one", MERGE, {"row": (0, 1)}),
        ("Merge rows 2 and 4", MERGE, {"row": (1, 3)}),
        ("please merge 1, 2 and 3 into one", MERGE, {"row": (0, 1, 2)}),
        ("the first two are the same", MERGE, {"row": (0, 1)}),
        ("the last two are duplicates", MERGE, {"row": (3, 4)}),
        ("the first and the third are the same payment", MERGE, {"row": (0,), "other": (2,)}),
        ("merge the first and third one, keep the third", MERGE, {"row": (0,), "other": (2,), "keep": (2,)}),
        ("the second one is a duplicate of the first one", MERGE, {"row": (1,), "other": (0,)}),
        ("the second one is there twice", MERGE, {"row": (1,)}),
        ("Zeile 1 und 2 sind eins", MERGE, {"row": (0, 1)}),
        ("führe die ersten beiden zusammen", MERGE, {"row": (0, 1)}),
        ("die erste und die dritte sind dieselbe Buchung, behalte die dritte", MERGE, {"row": (0,), "other": (2,), "keep": (2,)}),
        ("die zweite ist doppelt", MERGE, {"row": (1,)}),
        ("rows 1 and 2 are a transfer between my accounts", TRANSFER, {"row": (0, 1)}),
        ("link the first and the second as a transfer", TRANSFER, {"row": (0,), "other": (1,)}),
        ("die ersten beiden sind eine Umbuchung", TRANSFER, {"row": (0, 1)}),
        ("rows 1 and 2 are not a transfer", UNLINK, {"row": (0, 1)}),
        ("die ersten beiden sind keine Umbuchung zwischen meinen Konten", UNLINK, {"row": (0, 1)}),
        ("the second one is not a refund", UNLINK, {"row": (1,)}),
        ("das zweite ist keine Erstattung", UNLINK, {"row": (1,)}),
        ("unlink the third", UNLINK, {"row": (2,)}),
        ("was the second one refunded?", ASKED, {"row": (1,)}),
        ("zu welchem Einkauf gehört die zweite?", ASKED, {"row": (1,)}),
    ],
)  # fmt: skip
async def test_rows_of_the_list_before_are_told_by_their_places(english, text, tool, places):
    shown = (await english.say(LISTED)).reply.listed
    expected = {name: " ".join(f"#{shown[place]}" for place in which) for name, which in places.items()}
    assert called(await english.say(text)) == (tool, expected)


@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        (
            "the 12.50 at Costco on Friday and the 12.50 at Costco on Saturday are the same",
            MERGE, {"row": "the 12.50 at Costco on Friday", "other": "the 12.50 at Costco on Saturday"},
        ),
        (
            "combine the 12.50 at Costco on 3 May and the 12.50 at Costco on 4 May into one",
            MERGE, {"row": "the 12.50 at Costco on 3 May", "other": "the 12.50 at Costco on 4 May"},
        ),
        ("the two 12.50 at Costco are one", MERGE, {"row": "12.50 at Costco"}),
        ("that refund belongs to the Costco purchase", REFUND, {"row": "that refund", "purchase": "the Costco purchase"}),
        ("that refund belongs to Costco", REFUND, {"row": "that refund", "purchase": "Costco"}),
        (
            "link the 40.00 refund from Costco to the purchase of 3 October",
            REFUND, {"row": "the 40.00 refund from Costco", "purchase": "the purchase of 3 October"},
        ),
        (
            "the 40 from Anna is the refund for the 89.95 at Costco",
            REFUND, {"row": "the 40 from Anna", "purchase": "the 89.95 at Costco"},
        ),
        (
            "diese Erstattung gehört zum Einkauf bei Costco am 3. Oktober",
            REFUND, {"row": "diese Erstattung", "purchase": "Einkauf bei Costco am 3. Oktober"},
        ),
        (
            "verknüpfe die 40,00 von Anna mit den 89,95 bei Costco",
            REFUND, {"row": "die 40,00 von Anna", "purchase": "den 89,95 bei Costco"},
        ),
        (
            "that refund doesn't belong to the Costco purchase",
            UNLINK, {"row": "that refund", "other": "the Costco purchase"},
        ),
        (
            "die Erstattung gehört nicht zum Einkauf bei Costco",
            UNLINK, {"row": "die Erstattung", "other": "Einkauf bei Costco"},
        ),
        ("the 200 to Anna is a transfer to my savings", TRANSFER, {"row": "the 200 to Anna", "account": "my savings"}),
        (
            "mark the 200 to Anna as a transfer to my savings",
            TRANSFER, {"row": "the 200 to Anna", "account": "my savings"},
        ),
        (
            "the 200 to Anna and the 200 in savings are a transfer",
            TRANSFER, {"row": "the 200 to Anna", "other": "the 200 in savings"},
        ),
        (
            "die 200 an Anna sind eine Umbuchung auf mein Tagesgeld",
            TRANSFER, {"row": "die 200 an Anna", "account": "mein Tagesgeld"},
        ),
        ("what did the 89.95 at Costco cost me in the end?", ASKED, {"row": "the 89.95 at Costco"}),
        ("was kam von den 89,95 bei Costco zurück?", ASKED, {"row": "den 89,95 bei Costco"}),
    ],
)  # fmt: skip
async def test_transactions_are_named_as_the_sentence_has_them(english, text, tool, arguments):
    assert called(await english.say(text)) == (tool, arguments)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("merge those two", None),
        ("these two are the same", None),
        ("die beiden sind eins", None),
        ("those are one", (0, 1)),
    ],
)
async def test_those_two_are_the_list_where_it_has_two_and_else_it_is_asked(english, text, places):
    await english.say("show my last 5 purchases at Costco")
    asked = await english.say(text)
    assert (asked.proposal, asked.reply.kind) == (None, "clarify") if places is None else called(asked)[0] == MERGE
    shown = (await english.say("show my last 2 purchases at Costco")).reply.listed
    assert called(await english.say(text)) == (MERGE, {"row": f"#{shown[0]} #{shown[1]}"})


@pytest.mark.parametrize(
    "text", ["merge those two", "rows 1 and 2 are one", "die zweite ist doppelt", "unlink that one"]
)
async def test_without_a_list_it_is_asked_which(english, text):
    outcome = await english.say(text)
    assert (outcome.reply.kind, outcome.proposal) == ("clarify", None)
    assert {"en": "Which", "de": "Welche"}[outcome.reply.language] in outcome.reply.headline


@pytest.mark.parametrize(
    "text",
    [
        "are those two the same?", "is that a duplicate?", "was that refunded?", "what did it cost me in the end?",
        "Costco and Safeway are the same", "coffee and tea are one", "those two are not the same",
        "how much came back from Costco?", "that refund belongs to groceries", "is that refund for Costco?",
        "the 12.50 at Costco belongs to groceries", "link my account to PayPal", "that was charged twice",
        "Costco gehört zu Lebensmittel", "Costco und Safeway sind dasselbe", "show transfers between my accounts",
        "how much did I transfer to my savings?", "these are my groceries",
    ],
)  # fmt: skip
async def test_what_only_sounds_like_it_links_nothing(english, text):
    await english.say("show my last 2 purchases at Costco")
    assert called(await english.say(text))[0] not in (MERGE, REFUND, TRANSFER, UNLINK, ASKED)


async def test_a_place_that_the_list_does_not_have_is_asked_about(english):
    await english.say("show my last 2 purchases at Costco")
    outcome = await english.say("rows 1 and 9 are one")
    assert (outcome.proposal, "Which two?" in outcome.reply.headline) == (None, True)


async def test_after_a_proposal_the_list_still_stands_and_another_one_can_be_kept(english):
    shown = (await english.say(LISTED)).reply.listed
    outcome = await english.say("rows 1 and 2 are one")
    assert outcome.proposal.arguments == {"row": f"#{shown[0]} #{shown[1]}"}
    (other,) = outcome.reply.choices
    outcome = await english.say("1")
    assert outcome.proposal.arguments["keep"] in (f"#{shown[0]}", f"#{shown[1]}")
    assert outcome.reply.choices[0].label != other.label
    assert (await english.say("rows 2 and 3 are one")).proposal.arguments == {"row": f"#{shown[1]} #{shown[2]}"}


async def test_german_words_are_about_a_german_ledger_too(deutsch):
    shown = (await deutsch.say("zeig meine letzten 4 Einkäufe bei REWE")).reply.listed
    outcome = await deutsch.say("die erste und die vierte sind dasselbe")
    assert called(outcome) == (MERGE, {"row": f"#{shown[0]}", "other": f"#{shown[3]}"})
    assert outcome.proposal is not None
