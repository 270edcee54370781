"""What went to somebody and came from them: one less the other, what is still owed, and of whom nobody spoke."""

from __future__ import annotations

import pytest

from tests.unit.graph.conftest import Talk


def rows() -> list[tuple[str, str, str, str]]:
    """Return day, text, amount and account; every figure that a test expects is read off these."""
    return [
        *((f"2026-{number:02}-09", "TESCO STORES 2041", "-20.00", "Main") for number in range(1, 11)),
        *((f"2026-{number:02}-14", "CITY GYM MEMBERSHIP", "-25.00", "Main") for number in range(1, 9)),
        ("2025-12-01", "TRANSFER TO MARTA NOWAK", "-60.00", "Main"),
        ("2026-02-11", "TRANSFER TO MARTA NOWAK", "-400.00", "Main"),
        ("2026-04-11", "TRANSFER FROM MARTA NOWAK", "150.00", "Main"),
        ("2026-06-11", "TRANSFER FROM MARTA NOWAK", "100.00", "Main"),
        ("2026-03-02", "TRANSFER FROM EDITH WALSER", "50.00", "Main"),
        ("2026-09-02", "TRANSFER FROM EDITH WALSER", "80.00", "Main"),
        # what came before the loan is of something else
        ("2026-04-03", "TRANSFER FROM IRENE KELLER", "500.00", "Main"),
        ("2026-04-20", "TRANSFER TO IRENE KELLER", "-200.00", "Main"),
        ("2026-06-08", "TRANSFER FROM IRENE KELLER", "50.00", "Main"),
        # more came back than was lent
        ("2026-05-05", "TRANSFER TO HELEN SCOTT", "-30.00", "Main"),
        ("2026-07-05", "TRANSFER FROM HELEN SCOTT", "45.00", "Main"),
        *((f"2026-{number:02}-06", "VODAFONE LTD", "-24.00", "Main") for number in range(1, 11)),
        ("2026-03-15", "AMAZON MARKETPLACE", "-70.00", "Main"),
        ("2026-04-15", "AMAZON MARKETPLACE REFUND", "20.00", "Main"),
    ]


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        # both ways, at once and one after the other
        ("How much more have I sent Marta Nowak than she has sent back to me?", "€210.00 more went to"),
        ("Wie viel mehr habe ich Marta Nowak geschickt als sie mir?", "€210.00 mehr"),
        ("What did I send Marta Nowak this year?|and minus what she sent me?", "€150.00 more went to"),
        ("Was hat mir Marta Nowak dieses Jahr geschickt?|und wenn du abziehst, was ich ihr geschickt habe, was bleibt?", "€150.00"),
        # what was lent, and has not come back since
        ("Did I send Marta Nowak any money in February?|and how much does she still owe me of that?", "€150.00: €400.00"),
        ("Habe ich Marta Nowak im Februar Geld geschickt?|und was schuldet sie mir davon noch?", "€150.00: €400.00"),
        ("How much does Irene Keller still owe me from April?", "€150.00: €200.00"),
        ("Was schuldet mir Irene Keller noch vom April?", "€150.00: €200.00"),
        ("How much does Helen Scott still owe me from May?", "Nothing is left: €30.00 less €45.00"),
        ("Was schuldet mir Helen Scott noch vom Mai?", "Nichts mehr übrig: €30.00"),
        # whom a pronoun means
        ("What did I send Marta Nowak?|how much did I send her this year?", "€400.00"),
        ("Was habe ich Marta Nowak geschickt?|und wie viel hani ihre dieses Jahr gschickt?", "€400.00"),
        ("Am I still paying City Gym?|so how much did I give those people in total since March?", "€150.00"),
        # a word for kin says who it is
        ("When did gran (Edith Walser) last send me money?", "2 Sep 2026"),
        ("Wann hat mir s Grosi (Walser Edith) zuletzt Geld geschickt?", "2. September 2026"),
    ],
)  # fmt: skip
async def test_what_went_to_a_person_and_came_back(talk: Talk, turns: str, told: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.kind == "answer"
    assert told in outcome.reply.headline


@pytest.mark.parametrize(
    "turns",
    [
        "how much did I send her?",
        "wie viel hani ihre gschickt?",
        "was habe ich ihm dieses Jahr überwiesen?",
        "What did I spend on groceries this year?|and how much did I send him?",
        "Was habe ich dieses Jahr für Lebensmittel ausgegeben?|und was hab ich ihr geschickt?",
        "how much does Marta Nowak still owe me?",
    ],
)
async def test_somebody_of_whom_nobody_spoke_is_asked_after(talk: Talk, turns: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.kind == "clarify"
    assert not outcome.reply.facts


@pytest.mark.parametrize(
    "question",
    [
        # what they are owed, or a bill or a refund is open, is not what somebody owes
        "How much do I have left to pay back Marta Nowak from February?",
        "How much do I still owe Marta Nowak from February?",
        "Wie viel bin ich Marta Nowak aus Februar noch schuldig?",
        "Was schulde ich Marta Nowak noch aus Februar?",
        "Ist die Rechnung von Vodafone vom März noch offen?",
        "Is the Vodafone bill from March still open?",
        "Is the Amazon refund from March still outstanding?",
        # one that costs something is given nothing, and two times are not two directions
        "How much more did I pay Vodafone this year than it cost me last year?",
        "How much more did I send Marta Nowak this year than she sent me last year?",
        "Did I spend less at Tesco last week than it usually costs me?",
        "Zeig mir, ob ich bei Tesco im Oktober mehr ausgegeben habe als ich im September ausgegeben habe",
    ],
)
async def test_what_is_no_debt_of_theirs_and_no_exchange_is_not_netted(talk: Talk, question: str) -> None:
    reply = (await talk.say(question)).reply
    told = {fact.id for fact in reply.facts}
    assert not told & {"rest", "left", "net"}
