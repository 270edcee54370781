"""``/money`` with each of its words, wherever it is used, what is offered while one types, and the menu of a message."""

from __future__ import annotations

import asyncio
import csv
import io
import os
import re
from datetime import datetime
from decimal import Decimal

import pytest
import pytest_asyncio

from ledger.sample import sample_csv
from tests.support import nursery
from tests.support.bank_files import within
from tests.support.discord_fake.visit import labels, open_house
from tests.support.discord_server import HOME, DiscordServer
from tests.support.slack.bot import NOW
from tests.support.slack.visit import LINES, OCTOBER, SEPTEMBER, category, dollars, shop

pytestmark = pytest.mark.asyncio(loop_scope="module")

GROCERIES = dollars(LINES, category("Groceries"), OCTOBER)
ALL_OCTOBER, ALL_SEPTEMBER = dollars(LINES, OCTOBER), dollars(LINES, SEPTEMBER)
CARD = dollars(LINES, OCTOBER, lambda line: line.account == "Visa Card")
BROUGHT = f"{len(LINES):,} transactions"
#: Of the form that Discord's have, which doctor looks at.
TOKEN = "MTAwMDAwMDAwMDAwMDAwMDAx.G00000.0123456789abcdefghijklmnopqrstuvwxyz"
#: Names that are times, figures and cues, each with a category and an account, and what was spent there in each month.
NASTY = [
    ("October Books", "May", "Savings from May", 1, 2),
    ("Today Gym", "last month", 'My "Gold" Card', 4, 8),
    ("365 Market", "October 2026", "Card over 50", 16, 32),
    ("Forget Me Not", "Gifts from *Me*", "to Visa", 64, 128),
]
BANK = b"Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n2026-10-09,REWE MARKT,-7.50\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    async with open_house(tmp_path_factory.mktemp("commands")) as opened:
        yield opened


@pytest.fixture(params=["direct messages", "channel", "group"])
def where(request):
    """Where a command is used; call it with the people who are there."""

    def place(house, *people):
        if request.param == "direct messages":
            return None
        return house.channel(*people) if request.param == "channel" else house.group(*people)

    return place


def dollar_sum(lines):
    return f"${-sum((line.amount for line in lines), Decimal(0)):,.2f}"


# -- the first thing that anybody does


async def test_what_one_types_is_completed_in_time_also_just_after_a_start(house):
    """The first test of the module, so nobody has asked this bot anything; Discord waits for three seconds."""
    ana = await house.visitor()
    assert (await ana.offered("category", "category", "gro"))[0] == "Groceries"


# -- each word


async def test_every_question_can_be_asked_anywhere_and_only_the_asker_sees_the_answer(house, where):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = where(house, ana, ben, await house.visitor(None))
    since = within("2026-09-01", "2026-11-21")
    coffee = [line for line in LINES if category("Coffee Shops")(line) and line.amount < -10]
    expected = [
        ("ask", {"question": "how much did I spend on groceries last month?"}, f"{GROCERIES} on groceries in October"),
        ("summary", {}, f"{ALL_OCTOBER} spent in October 2026\n"),
        ("summary", {"period": "september 2026"}, f"{ALL_SEPTEMBER} spent in September 2026\n"),
        ("summary", {"period": "October 2026", "account": "Visa Card"}, f"{CARD} spent from Visa Card in Oct"),
        ("category", {"category": "Groceries", "period": "last month"}, f"{GROCERIES} on groceries in October 2026\n"),
        (
            "merchant", {"merchant": "Amazon", "period": "since September"},
            f"{dollars(LINES, shop('Amazon'), since)} at Amazon from 1 Sep",
        ),
        (
            "search", {"words": "blue bottle over 10"},
            f"{len(coffee)} transactions for “blue bottle”: {dollar_sum(coffee)}\n",
        ),
    ]  # fmt: skip
    for name, options, start in expected:
        answer = await ana.command(name, place, **options)
        assert re.sub(r" since \d+ \w+ \d{4}", "", answer.text).startswith(start), (name, options, answer.text)
        assert (answer.channel, answer.ephemeral) == (place or ana.dm, bool(place))
    assert ben.answers == []


async def test_compare_says_both_and_their_difference(house, where):
    ana = await house.visitor()
    place = where(house, ana, await house.visitor(None), await house.visitor(None))
    answer = await ana.command("compare", place, one="October 2026", another="September 2026")
    more = Decimal(ALL_OCTOBER[1:].replace(",", "")) - Decimal(ALL_SEPTEMBER[1:].replace(",", ""))
    assert answer.text.startswith(f"${more:,.2f} (")
    assert f"more in October 2026 ({ALL_OCTOBER}) than in September 2026 ({ALL_SEPTEMBER})" in answer.text


async def test_a_command_follows_the_one_before_it(house, where):
    ana = await house.visitor()
    place = where(house, ana, await house.visitor(None), await house.visitor(None))
    await ana.command("category", place, category="Groceries", period="last month")
    later = await ana.command("ask", place, question="and the month before?")
    assert later.text.startswith(f"{dollars(LINES, category('Groceries'), SEPTEMBER)} on groceries in September 2026")


async def test_help_says_what_can_be_asked(house):
    ana = await house.visitor()
    for place in (None, house.channel(ana)):
        answer = await ana.command("help", place)
        assert answer.text.startswith("Ask in your own words")
        assert answer.ephemeral is bool(place)
        assert (await ana.command("help", place, command="compare")).text.startswith("compare ")


async def test_nonsense_names_what_can_be_asked_and_computes_nothing(house):
    ana = await house.visitor()
    answer = await ana.command("ask", house.channel(ana), question="xyzzy plugh; DROP TABLE transactions")
    assert "Spending last month" in [each.label for each in answer.buttons]
    assert "$" not in answer.text


async def test_made_up_data_comes_on_a_yes_and_goes_on_undo(house, where):
    ana, ben = await house.visitor(None), await house.visitor(None)
    place = where(house, ana, ben, await house.visitor(None))
    rows = list(csv.DictReader(io.StringIO(sample_csv(datetime.fromisoformat(NOW).date()).decode())))
    offered = await ana.command("sample", place)
    assert labels(offered) == ["Fill my ledger", "Cancel"]
    done = await ana.press(offered, "Fill my ledger")
    assert done.text.startswith(f"{len(rows):,} made-up transactions imported.")
    assert "$" in (await ana.command("summary", place)).text
    assert "left them out" in (await ana.command("sample", place)).text
    assert (await ana.press(done, "Undo")).text == f"Taken back: {len(rows):,} transactions."
    assert "nothing in your ledger" in (await ana.command("summary", place)).text
    assert ben.answers == []


async def test_export_hands_over_every_row_to_the_asker_alone(house, where):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = where(house, ana, ben, await house.visitor(None))
    said = await ana.command("export", place)
    assert said.text == f"{BROUGHT} as a CSV file"
    assert (said.channel, said.ephemeral) == (place or ana.dm, bool(place))
    [file] = await ana.discord.until(lambda: ana.files)
    rows = list(csv.DictReader(io.StringIO(file.data.decode("utf-8-sig"))))
    amounts = [Decimal(row[next(key for key in row if key.casefold() == "amount")]) for row in rows]
    assert (len(rows), sum(amounts)) == (len(LINES), sum(line.amount for line in LINES))
    assert ben.answers == []


async def test_undo_takes_the_import_back_once_it_is_confirmed(house, where):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = where(house, ana, ben, await house.visitor(None))
    asked = await ana.command("undo", place)
    assert asked.text.startswith(f"Take back {BROUGHT}?\nbank.csv")
    assert (await ana.press(asked, "Cancel")).text == "Nothing was changed."
    assert ALL_OCTOBER in (await ana.command("summary", place)).text
    asked = await ana.command("undo", place)
    assert (await ana.press(asked, "Take back")).text == f"Taken back: {BROUGHT}."
    assert "nothing in your ledger" in (await ana.command("summary", place)).text
    assert (await ana.command("undo", place)).text == "There is no import left to take back."
    assert ben.answers == []


async def test_forget_asks_what_and_again_whether(house, where):
    ana = await house.visitor()
    place = where(house, ana, await house.visitor(None), await house.visitor(None))
    await ana.command("category", place, category="Groceries", period="last month")
    asked = await ana.command("forget", place)
    assert asked.text.startswith("What should be deleted?")
    assert labels(asked) == ["Delete conversations", "Delete everything"]
    proposal = await ana.press(asked, "Delete conversations")
    assert proposal.text.startswith("Delete 1 conversation with ")
    assert (await ana.press(proposal, "Delete conversations")).text.startswith("Deleted: ")
    fresh = await ana.command("ask", place, question="and the month before?")
    assert "groceries in" not in fresh.text, "a conversation was remembered that was deleted"
    assert ALL_OCTOBER in (await ana.command("summary", place)).text, "the ledger stays"


async def test_forgetting_everything_leaves_nothing(house, where):
    ana, ben = await house.visitor(), await house.visitor()
    place = where(house, ana, ben, await house.visitor(None))
    asked = await ana.command("forget", place, what="everything")
    assert asked.text.startswith(f"Delete {BROUGHT} of 1 import")
    assert (await ana.press(asked, "Delete everything")).text.startswith(f"Deleted: {BROUGHT}")
    assert "nothing in your ledger" in (await ana.command("summary", place)).text
    assert ALL_OCTOBER in (await ben.command("summary", place)).text, "somebody else's ledger went"


# -- what is offered while one types


async def test_ones_own_names_are_offered_and_nobody_elses(house, where):
    ana, ben = await house.visitor(), await house.visitor(data=BANK)
    place = where(house, ana, ben, await house.visitor(None))
    assert set(await ana.offered("category", "category", where=place)) == {line.category for line in LINES}
    assert set(await ana.offered("merchant", "merchant", where=place)) == {line.name for line in LINES}
    assert (await ana.offered("merchant", "merchant", "costc", place))[0] == "Costco"
    assert (await ana.offered("merchant", "merchant", "netlfix", place))[0] == "Netflix", "a slip"
    assert set(await ana.offered("summary", "account", where=place)) == {line.account for line in LINES}
    [theirs] = await ben.offered("merchant", "merchant", where=place)
    assert "rewe" in theirs.casefold()
    for option in ("one", "another"):
        both = {"another" if option == "one" else "one": "October 2026"}
        offered = await ben.offered("compare", option, where=place, **both)
        assert not {line.name for line in LINES} & set(offered)
        assert "October 2026" in offered
    assert await ben.offered("merchant", "merchant", "costco", place) == []
    stranger = await house.visitor(None)
    assert await stranger.offered("merchant", "merchant") == []


async def test_the_months_of_the_ledger_are_offered_and_answer_what_they_say(house):
    ana = await house.visitor()
    offered = await ana.offered("summary", "period")
    assert {"last month", "November 2026", "August 2026"} < set(offered)
    assert "July 2026" not in offered
    assert await ana.offered("summary", "period", "octo") == ["October 2026"]
    assert (await ana.command("summary", period="October 2026")).text.startswith(f"{ALL_OCTOBER} spent in October 2026")
    for period in offered:
        answer = await ana.command("summary", period=period)
        assert "I can show you:" not in answer.text, period


async def test_every_name_that_is_offered_is_answered_for_and_no_other(house):
    rows = [["Date", "Description", "Amount (USD)", "Category", "Account"]]
    for merchant, kind, account, september, october in NASTY:
        rows += [
            [f"2026-{month}-03", merchant, -spent, kind, account] for month, spent in ((9, september), (10, october))
        ]
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    ana = await house.visitor(data=out.getvalue().encode())
    for place, option in enumerate(("merchant", "category", "account")):
        sums = {row[place]: row[3:] for row in NASTY}
        command = "summary" if option == "account" else option
        offered = await ana.offered(command, option)
        assert set(offered) == set(sums)
        for name in offered:
            for period, spent in zip(("September 2026", "last month"), sums[name], strict=True):
                answer = await ana.command(command, **{option: name, "period": period})
                assert answer.text.startswith(f"${spent}.00 "), (name, period, answer.text)
            later = await ana.command("ask", question="and in September?")
            assert later.text.startswith(f"${sums[name][0]}.00 "), (name, later.text)
    compared = await ana.command("compare", one="October Books", another="365 Market", period="October 2026")
    assert compared.text.startswith("$30.00 less at October Books ($2.00) than at 365 Market ($32.00) in October 2026")
    found = await ana.command("search", words="october books", period="September 2026")
    assert found.text.startswith("$1.00 at October Books on 3 Sep 2026, the only transaction for “october books”")


async def test_who_only_types_is_kept_nowhere(house):
    stranger = house.discord.add_user("stranger", installed=True)
    known = await house.store.known_people()
    for option in ("merchant", "period", "account"):
        await house.discord.autocomplete(stranger.id, "money merchant", option, "o")
    assert await house.store.known_people() == known
    await house.discord.command(stranger.id, "money merchant", {"merchant": "October Books"})
    await house.discord.until(lambda: house.discord.answers_to(stranger.id))
    assert await house.store.known_people() == known + 1, "who asks is known"


async def test_no_more_than_25_are_offered_and_the_best_first(house):
    rows = "".join(f"2026-10-{1 + number % 28:02d},SHOP NUMBER {number},-1.00\n" for number in range(60))
    ana = await house.visitor(data=f"Date,Description,Amount (USD)\n{rows}".encode())
    assert len(await ana.offered("merchant", "merchant")) == 25
    assert len(await ana.offered("merchant", "merchant", "shop")) == 25


# -- the menu of a message


async def test_a_charge_that_somebody_wrote_of_is_explained_to_the_asker_alone(house):
    ana, ben = await house.visitor(), await house.visitor()
    latest = max((line for line in LINES if line.name == "Netflix"), key=lambda line: line.day)
    for place in (house.channel(ana, ben), house.group(ana, ben, await house.visitor(None))):
        said = await ben.discord.say(ben.id, "Your card was charged $15.99 at NETFLIX.COM", place)
        answer = await ana.explain(said)
        assert answer.text.startswith(f"Netflix: $15.99 on {latest.day.day} {latest.day:%b %Y}\n")
        assert "Category: Movies & DVDs" in answer.text
        assert (answer.channel, answer.ephemeral) == (place, True)
        assert f"{latest.day:%b}" in (await ana.press(answer, "Transactions")).text
    assert ben.answers == []


async def test_a_message_about_no_charge_of_ones_own_says_so(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    said = await ben.discord.say(ben.id, "lunch was nice @everyone", house.channel(ana, ben))
    answer = await ana.explain(said)
    assert answer.text.startswith("Nothing in your ledger fits this message.")
    assert "1 Aug 2026 to 20 Nov 2026" in answer.text
    assert (await ben.explain(said)).text.startswith("There is nothing in your ledger yet.")


async def test_the_menu_on_an_answer_of_the_bot_shows_its_receipt(house):
    ana = await house.visitor()
    answer = await ana.ask("How much did I spend on groceries last month?")
    await ana.ask("How much did I spend on coffee last month?")
    assert (await ana.explain(answer)).text.startswith(f"Receipt: {GROCERIES} on groceries in October 2026")


async def test_the_menu_on_a_shared_answer_shows_nothing_of_it_to_others(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    answer = await ana.command("ask", house.channel(ana, ben), question="groceries last month")
    await ana.share(answer)
    [shared] = ben.answers
    assert (await ben.explain(shared)).text.startswith("There is no answer of yours here")


# -- at the console


async def console(discord, tmp_path, *words):
    """Run the command line beside a Discord; return its exit code and what it printed."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("MONEY_MINDER_")}
    settings = {
        "MONEY_MINDER_DATA_DIR": str(tmp_path / "data"),
        "MONEY_MINDER_MODEL": "builtin",
        "MONEY_MINDER_DISCORD__API_URL": discord.api_url,
        "MONEY_MINDER_DISCORD__TOKEN": TOKEN,
    }
    ended = await asyncio.to_thread(nursery.run, words, inherited | settings, tmp_path)
    return ended.returncode, (ended.stderr + ended.stdout).decode()


async def test_commands_are_registered_once_and_again_only_where_they_differ(tmp_path):
    async with DiscordServer() as discord:
        discord.gateway.token = TOKEN
        everywhere = await console(discord, tmp_path, "discord", "sync")
        assert everywhere == (0, "Discord has the commands now, everywhere.\n")
        again = await console(discord, tmp_path, "discord", "sync")
        assert again == (0, "Discord had the commands already, everywhere.\n")
        in_one = await console(discord, tmp_path, "discord", "sync", "--guild", HOME)
        assert in_one == (0, f"Discord has the commands now, in server {HOME}.\n")
        in_one = await console(discord, tmp_path, "discord", "sync", "--guild", HOME)
        assert in_one == (0, f"Discord had the commands already, in server {HOME}.\n")
        for guild in (None, HOME):
            assert {each["name"] for each in discord.commands[guild].values()} == {"money", "Explain this charge"}
        assert len([call for call in discord.calls if call.method == "PUT"]) == 2
        code, said = await console(discord, tmp_path, "doctor")
        assert (
            "https://discord.com/oauth2/authorize?client_id=100000000000000001&scope=bot+applications.commands" in said
        )
        assert "integration_type=1" in said
        assert "its commands are not registered" not in said
        assert TOKEN not in said
        assert code == 0, said
