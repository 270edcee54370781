"""The real command: rows that belong together are said to in the console, figures follow, files bring nothing, undo outlasts a restart.

Each conversation is a process of its own.
"""

from __future__ import annotations

import json
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.support import nursery

ROOT = Path(__file__).parents[2]

CURRENT = """Date,Description,Amount,Account
2026-10-01,ACME SALARY,+2500.00,Current
2026-10-03,ZARA 3412 LONDON,-89.95,Current
2026-10-05,TESCO STORES 2041,-42.10,Current
2026-10-09,PAYPAL EUROPE,+40.00,Current
2026-10-10,ANNA MEIER,-200.00,Current
2026-10-20,NETFLIX.COM,-9.99,Current
"""
CARD = """Date,Description,Amount,Account
2026-10-04,ITX ONLINE LONDON,-89.95,Visa
2026-10-19,POT TOP UP,+200.00,Savings
2026-10-16,QUOKKA XQZT,-55.00,Visa
2026-10-17,WOMBAT WQZ,+55.00,Savings
"""


class House:
    """One person's files and conversations; each command is a process of its own."""

    def __init__(self, folder: Path) -> None:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("MONEY_MINDER_")}
        self.environment = kept | {
            "MONEY_MINDER_DATA_DIR": str(folder / "data"),
            "MONEY_MINDER_MODEL": "builtin",
            "MONEY_MINDER_NOW": "2026-11-21T12:00:00",
        }
        self.files = [folder / name for name in ("current.csv", "card.csv")]
        for path, text in zip(self.files, (CURRENT, CARD), strict=True):
            path.write_text(text)
        assert self.imported() == [6, 4]

    def run(self, *arguments: str, given: str = "") -> str:
        done = nursery.run(arguments, self.environment, ROOT, given.encode())
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode()

    def imported(self) -> list[int]:
        """Import both files; return how many rows each brought."""
        report = json.loads(self.run("import", *map(str, self.files), "--currency", "GBP", "--json"))
        return [file["added"] for file in report["files"]]

    def talk(self, *lines: str) -> str:
        """Say the lines in the console; return what was printed."""
        return self.run("chat", given="\n".join(lines) + "\n")

    def asked(self, *questions: str) -> list[dict[str, Any]]:
        """Return the answers to questions that stand alone."""
        answers = self.run("ask", "-", "--json", given="\n".join(questions) + "\n")
        return [json.loads(line) for line in answers.splitlines()]

    def october(self) -> tuple[Decimal, Decimal]:
        """Return what was spent and what was earned in October."""
        answers = self.asked("How much did I spend in October 2026?", "How much did I earn in October 2026?")
        spent, earned = (next(fact for fact in each["facts"] if fact["unit"] == "money") for each in answers)
        return Decimal(spent["value"]), Decimal(earned["value"])


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_two_rows_are_made_one_and_two_again(house: House) -> None:
    before = house.october()
    told = house.talk("show purchases over 80 and under 90", "rows 1 and 2 of that list are one", "yes")
    assert "are one payment?" in told
    assert "counts nowhere then" in told
    assert "is one payment now." in told
    after = house.october()
    assert (before[0] - after[0], before[1] - after[1]) == (Decimal("89.95"), 0)
    assert house.imported() == [0, 0]
    assert house.october() == after
    assert "merged with another one" in house.talk("show my changes")
    assert "Taken back" in house.talk("undo my last change", "yes")
    assert house.october() == before
    assert house.imported() == [0, 0]


def test_of_two_the_other_one_can_be_kept_and_a_no_changes_nothing(house: House) -> None:
    before = house.october()
    told = house.talk("the 89.95 at Zara is there twice", "1", "no")
    assert "stays as “ZARA 3412 LONDON”" in told
    assert "stays as “ITX ONLINE LONDON”" in told
    assert "Nothing was changed." in told
    assert house.october() == before


def test_what_was_written_down_and_what_was_booked_are_one(house: House) -> None:
    told = house.talk(
        "spent 90 on a coat on 3 October", "yes", "the 90.00 at A coat and the 89.95 at Zara are the same", "yes"
    )
    assert "“A coat”" in told
    assert "By hand, counts nowhere then" in told
    assert "is one payment now." in told


def test_a_refund_counts_at_its_purchase_until_it_is_unlinked(house: House) -> None:
    before = house.october()
    told = house.talk("show the 40.00 from PayPal", "that refund belongs to the 89.95 at Zara", "yes")
    assert "It counts at Zara, under Clothing" in told
    assert "£49.95 of it is left then." in told
    after = house.october()
    assert (before[0] - after[0], before[1] - after[1]) == (40, 40)
    assert house.imported() == [0, 0]
    assert house.october() == after
    told = house.talk("what was my biggest purchase at Zara?", "what did it cost me in the end?")
    assert "ame back: £40.00 on 9 Oct 2026, £49.95 in the end" in told
    assert "£40.00 of £89.95 at Zara on 3 Oct 2026 came back" in told
    at_zara, found = house.asked("how much did I spend at Zara?", "search for paypal")
    assert at_zara["facts"][0]["value"] == "49.95"
    assert found["table"]["rows"][0][1] == "Zara"
    told = house.talk("which purchase does the 40.00 from Zara belong to?", "put the 89.95 at Zara under gifts", "yes")
    assert "is a refund of £89.95 at Zara on 3 Oct 2026" in told
    (gifts,) = house.asked("how much did I spend on gifts?")
    assert gifts["facts"][0]["value"] == "49.95"
    told = house.talk("the 40.00 from Zara doesn't belong to the 89.95 at Zara", "yes")
    assert "is by itself again." in told
    assert house.october() == before
    assert "Taken back" in house.talk("undo my last change", "yes")
    assert house.october() == after


def test_two_rows_are_a_transfer_and_a_wrong_pair_is_none(house: House) -> None:
    before = house.october()
    told = house.talk("the 200 to Anna is a transfer to my savings", "yes")
    assert "are one transfer between your own accounts now." in told
    after = house.october()
    assert (before[0] - after[0], before[1] - after[1]) == (200, 200)
    assert house.imported() == [0, 0]
    assert house.october() == after
    told = house.talk("show transfers in October 2026", "rows 2 and 3 are not a transfer between my accounts", "yes")
    assert "are no transfer now." in told
    parted = house.october()
    assert (parted[0] - after[0], parted[1] - after[1]) == (55, 55)
    assert house.imported() == [0, 0]
    assert house.october() == parted
    house.talk("undo my last change", "yes", "undo my last change", "yes")
    assert house.october() == before


def test_german_words_do_the_same(house: House) -> None:
    before = house.october()
    told = house.talk(
        "die 200 an Anna sind eine Umbuchung auf mein Savings", "ja",
        "die 40,00 von PayPal sind die Erstattung für die 89,95 bei Zara", "ja",
        "die 89,95 bei Zara ist doppelt", "ja",
    )  # fmt: skip
    assert told.count("„rückgängig“ nimmt es zurück.") == 3
    assert before[0] - house.october()[0] == Decimal("329.95")
    assert house.imported() == [0, 0]
    told = house.talk(
        "mach die letzte Änderung rückgängig", "ja", "die 200 an Anna gehören nicht zusammen", "zeig meine Änderungen"
    )
    assert "mit dem Einkauf verknüpft" in told


def test_a_renamed_row_is_found_by_its_new_name(house: House) -> None:
    house.talk("rename the 42.10 at Tesco on 5 October to Kiosk", "yes")
    (found,) = house.asked("search for kiosk")
    assert (found["calls"][0]["name"], found["table"]["rows"][0][1]) == ("transactions-search_transactions", "Kiosk")
    assert house.imported() == [0, 0]
    house.talk("undo my last change", "yes")
    tesco, kiosk = house.asked("search for tesco", "search for kiosk")
    assert tesco["table"]["rows"][0][1] == "Tesco"
    assert "kiosk" not in json.dumps(kiosk["table"]).casefold()
