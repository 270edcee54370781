"""What follows the command becomes the question or call that was meant, whatever it looks like."""

from __future__ import annotations

import pytest

from bots.contracts import Duty, Question
from bots.desk.commands import COMMANDS, read_command
from tools.calls import Call


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", Duty("help")),
        ("   ", Duty("help")),
        ("?", Duty("help")),
        ("HELP", Duty("help")),
        ("help Search", Duty("help", {"value": "search"})),
        ("help me understand October", Question("help me understand October")),
        ("summary", Duty("summary", {"line": ""})),
        ("SUMMARY q3  2025", Duty("summary", {"line": "q3 2025"})),
        ("category Gas & Fuel  October", Duty("category", {"line": "Gas & Fuel October"})),
        ("category", Duty("help", {"value": "category"})),
        ("merchant", Duty("help", {"value": "merchant"})),
        ("compare", Duty("help", {"value": "compare"})),
        ("search", Duty("help", {"value": "search"})),
        ("accounts", Call("accounts-list", {})),
        ("Accounts rename Visa to My card", Question("rename Visa to My card")),
        ("accounts delete Old bank", Question("delete Old bank")),
        ("accounts with the highest fees", Question("accounts with the highest fees")),
        ("import", Duty("import")),
        ("Export", Duty("export")),
        ("sample", Duty("sample")),
        ("settings", Duty("settings")),
        ("/settings", Duty("settings")),
        ("undo", Duty("undo")),
        ("undo 3", Duty("undo", {"value": "3"})),
        ("forget", Duty("forget")),
        ("forget everything", Duty("forget", {"value": "everything"})),
        ("Forget my conversations.", Duty("forget", {"value": "conversations"})),
        ("forget my note about the rent", Question("forget my note about the rent")),
        ("how much on rent in October?", Question("how much on rent in October?")),
        ("summaries are nice", Question("summaries are nice")),
    ],
)
def test_a_line_is_read_as_it_is_meant(line, expected) -> None:
    assert read_command(line) == expected


ANSWERED = {
    "summary": "$3,725.50 spent in October 2026",
    "summary q3 2025": "$10,372.97 spent in Q3 2025",
    "category eating out last month": "$360.51 on restaurants and fast food in October 2026",
    "merchant trader joe's since may": "$1,523.82 at Trader Joe's from 1 May to 21 Nov 2026",
    "search coffee over 5": "140 transactions for “coffee” since 1 Nov 2024: $1,082.88",
    "search coffee under 6 in october 2025": "2 transactions for “coffee” in October 2025: $8.73",
    "search refunds": "8 refunds since 1 Nov 2024: $643.36",
    "search 80.00": "12 transactions since 1 Nov 2024: $960.00",
    "compare october and september": "$514.43 (16.0%) more in October 2026 ($3,725.50) than in September 2026",
    "compare groceries and dining last month": "$338.71 more on Groceries ($655.71) than on Restaurants ($317.00)",
    "compare groceries": "$273.89 (71.7%) more on groceries in October 2026",
}


async def test_the_agent_understands_what_a_line_becomes(house) -> None:
    await house.bring_sample()
    for line, expected in ANSWERED.items():
        thread = line  # each stands alone
        assert expected in (await house.say("", call=read_command(line), thread=thread)).reply.headline


def test_every_example_of_the_table_is_read_as_its_own_command() -> None:
    for name, command in COMMANDS.items():
        asked = read_command(command.example)
        assert command.example.split()[0] == name
        assert asked != Question(command.example)
        assert asked != Duty("help", asked.values if isinstance(asked, Duty) else {}) or name == "help"
