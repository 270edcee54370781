"""What follows the command becomes the question or call that was meant, whatever it looks like."""

from __future__ import annotations

import pytest

from bots.desk.commands import COMMANDS, Asked, read_command
from tools.calls import Call


def call(name: str, **arguments: str) -> Asked:
    return Asked(call=Call(name, arguments))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", call("help")),
        ("   ", call("help")),
        ("?", call("help")),
        ("HELP", call("help")),
        ("help Search", call("help", value="search")),
        ("help me understand October", Asked("help me understand October")),
        ("summary", Asked("Summary of last month", phrased=True)),
        ("SUMMARY q3 2025", Asked("Summary of q3 2025", phrased=True)),
        ("summary of October", Asked("Summary of October", phrased=True)),
        ("category Gas & Fuel  October", Asked("How much did I spend on Gas & Fuel October?", phrased=True)),
        ("category", call("help", value="category")),
        ("merchant trader joe's since May", Asked("How much did I spend at trader joe's since May?", phrased=True)),
        ("merchant", call("help", value="merchant")),
        ("compare October and September", Asked("Compare October and September", phrased=True)),
        ("compare groceries", Asked("Compare groceries last month", phrased=True)),
        ("compare October", Asked("Compare October", phrased=True)),
        ("compare", call("help", value="compare")),
        ("accounts", call("accounts-list")),
        ("Accounts rename Visa to My card", Asked("rename Visa to My card")),
        ("accounts delete Old bank", Asked("delete Old bank")),
        ("accounts with the highest fees", Asked("accounts with the highest fees")),
        ("search", call("help", value="search")),
        ("search coffee", call("transactions-search_transactions", query="coffee")),
        ("search for coffee over $5", call("transactions-search_transactions", query="coffee", over="5")),
        (
            "search coffee under 6,50 in October 2025",
            call("transactions-search_transactions", query="coffee", start_date="in October 2025", under="6.50"),
        ),
        ('search "late fee"', call("transactions-search_transactions", query="late fee")),
        ('search "october books"', call("transactions-search_transactions", query="october books")),
        (
            "search “books over 50” over 60 last month",
            call("transactions-search_transactions", query="books over 50", start_date="last month", over="60"),
        ),
        (
            "search may stores last month",
            call("transactions-search_transactions", query="may stores", start_date="last month"),
        ),
        (
            "search coffee 2026-10-05",
            call("transactions-search_transactions", query="coffee", start_date="2026-10-05", end_date="2026-10-05"),
        ),
        ("search 15.49", call("transactions-list", over="15.48", under="15.50")),
        ("search $80", call("transactions-list", over="79.99", under="80.01")),
        ("search over 1000", call("transactions-list", over="1000")),
        ("search October", call("transactions-list", start_date="October")),
        ("search refunds last month", Asked("Show my refunds last month", phrased=True)),
        ("import", call("import")),
        ("Export", call("export")),
        ("sample", call("sample")),
        ("settings", call("settings")),
        ("/settings", call("settings")),
        ("undo", Asked("undo")),
        ("undo 3", Asked(call=Call("undo", {"value": "3"}))),
        ("forget", call("forget")),
        ("forget everything", call("forget", value="everything")),
        ("Forget my conversations.", call("forget", value="conversations")),
        ("forget my note about the rent", Asked("forget my note about the rent")),
        ("how much on rent in October?", Asked("how much on rent in October?")),
        ("summaries are nice", Asked("summaries are nice")),
    ],
)
def test_a_line_is_read_as_it_is_meant(line, expected) -> None:
    assert read_command(line) == expected


ANSWERED = {
    "summary": "$3,725.50 spent in October 2026",
    "summary q3 2025": "$10,372.97 spent in Q3 2025",
    "category eating out last month": "$360.51 on restaurants and fast food in October 2026",
    "merchant trader joe's since may": "$1,523.82 at Trader Joe's from 1 May to 21 Nov 2026",
    "search coffee over 5": "140 transactions for “coffee”: $1,082.88",
    "search coffee under 6 in october 2025": "2 transactions for “coffee” in October 2025: $8.73",
    "search refunds": "8 refunds: $643.36",
    "search 80.00": "12 transactions: $960.00",
    "compare october and september": "$514.43 (16.0%) more in October 2026 ($3,725.50) than in September 2026",
    "compare groceries and dining last month": "$338.71 more on Groceries ($655.71) than on Restaurants ($317.00)",
    "compare groceries": "$273.89 (71.7%) more on groceries in October 2026",
}


async def test_the_agent_understands_what_a_line_becomes(house) -> None:
    await house.bring_sample()
    for line, expected in ANSWERED.items():
        asked = read_command(line)
        thread = line  # each stands alone
        assert expected in (await house.say(asked.text, call=asked.call, thread=thread)).reply.headline


def test_every_example_of_the_table_is_read_as_its_own_command() -> None:
    for name, command in COMMANDS.items():
        asked = read_command(command.example)
        assert command.example.split()[0] == name
        assert asked != Asked(command.example) or name == "undo"
        assert asked.call is None or asked.call.name != "help" or name == "help"
